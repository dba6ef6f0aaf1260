// Package rand: pseudo-random numbers.
//
// A seeded source is an additive lagged Fibonacci generator (607, 273), so that a seed gives the very numbers it gives in Go; the
// functions of the package draw on the runtime's own generator until Seed is called.
package rand

import (
	"internal/godebug"
	"sync"
	"sync/atomic"
)

// runtimeRand is 64 random bits from the P's own stream.
func runtimeRand() uint64

// cooked is the i-th word of the generator's state after its long warm-up.
func cooked(i int) uint64

type Source interface {
	Int63() int64
	Seed(seed int64)
}

type Source64 interface {
	Source
	Uint64() uint64
}

const (
	lagLong  = 607
	lagShort = 273
	mask63   = 1<<63 - 1
	mod31    = 1<<31 - 1
)

// A lagged generator's next number is the sum of those 607 and 273 before it. All 607 are computed at
// once.
type lagged struct {
	used    int
	numbers [lagLong]int64
}

// NewSource makes a generator of the numbers that a seed stands for.
func NewSource(seed int64) Source {
	s := &lagged{}
	s.Seed(seed)
	return s
}

// Seed mixes numbers of a linear generator, x·48271 mod 2³¹−1, into a state that was far from any
// beginning.
func (s *lagged) Seed(seed int64) {
	x := uint64(seed%mod31+mod31) % mod31
	if x == 0 {
		x = 89482311
	}
	next := func() int64 {
		x = x * 48271 % mod31
		return int64(x)
	}
	for range 20 {
		next()
	}
	at := lagLong - lagShort // the state is told backwards from here on
	for i := range lagLong {
		if at == 0 {
			at = lagLong
		}
		at--
		word := next()<<40 ^ next()<<20
		s.numbers[at] = word ^ next() ^ int64(cooked(i))
	}
	s.used = lagLong
}

// refill computes the next 607 numbers.
func (s *lagged) refill() {
	n := &s.numbers
	for i := range lagShort {
		n[i] += n[i+lagLong-lagShort]
	}
	for i := lagShort; i < lagLong; i++ {
		n[i] += n[i-lagShort]
	}
	s.used = 0
}

func (s *lagged) Uint64() uint64 {
	if s.used == lagLong {
		s.refill()
	}
	x := s.numbers[s.used]
	s.used++
	return uint64(x)
}

func (s *lagged) Int63() int64 { return int64(s.Uint64() & mask63) }

// systemSource is the unseeded source of the package's functions.
type systemSource struct{}

func (systemSource) Uint64() uint64 { return runtimeRand() }
func (systemSource) Int63() int64   { return int64(runtimeRand() & mask63) }
func (systemSource) Seed(int64)     { panic("internal error: call to runtimeSource.Seed") }

// sharedSource is what the package's functions draw on after Seed.
type sharedSource struct {
	mu sync.Mutex
	s  lagged
}

func (l *sharedSource) Uint64() uint64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.s.Uint64()
}

func (l *sharedSource) Int63() int64 { return int64(l.Uint64() & mask63) }

func (l *sharedSource) Seed(seed int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.s.Seed(seed)
}

type Rand struct {
	src Source
	s64 Source64 // src, if it has Uint64

	// Read hands out the seven bytes of an Int63 one by one.
	bytes int64
	left  int8
}

func New(src Source) *Rand {
	r := &Rand{src: src}
	r.s64, _ = src.(Source64)
	return r
}

func (r *Rand) Seed(seed int64) {
	r.src.Seed(seed)
	r.left = 0
}

func (r *Rand) Int63() int64   { return r.src.Int63() }
func (r *Rand) Int() int       { return int(uint(r.Int63()) << 1 >> 1) }
func (r *Rand) Int31() int32   { return int32(r.Int63() >> 32) }
func (r *Rand) Uint32() uint32 { return uint32(r.Int63() >> 31) }

// Float32 and Float64 draw again when rounding gives 1.
func (r *Rand) Float32() (f float32) {
	for f = 1; f == 1; {
		f = float32(r.Float64())
	}
	return f
}

func (r *Rand) Float64() (f float64) {
	for f = 1; f == 1; {
		f = float64(r.Int63()) / (1 << 63)
	}
	return f
}

func (r *Rand) Uint64() uint64 {
	if r.s64 == nil {
		low := uint64(r.Int63()) >> 31
		return low | uint64(r.Int63())<<32
	}
	return r.s64.Uint64()
}

// Int63n draws again when a number falls into the last, incomplete run of n, which would favour small results.
func (r *Rand) Int63n(n int64) int64 {
	if n <= 0 {
		panic("invalid argument to Int63n")
	}
	for {
		v := r.Int63()
		if below := v % n; v-below <= mask63-n+1 {
			return below
		}
	}
}

// Int31n is Int63n for half the bits.
func (r *Rand) Int31n(n int32) int32 {
	if n <= 0 {
		panic("invalid argument to Int31n")
	}
	for {
		v := r.Int31()
		if below := v % n; v-below <= mod31-n+1 {
			return below
		}
	}
}

// scaled is like Int31n by multiplication instead of division (Lemire's way); it gives other numbers.
func (r *Rand) scaled(n int32) int32 {
	for unfair := -uint32(n) % uint32(n); ; {
		product := uint64(r.Uint32()) * uint64(n)
		if uint32(product) >= unfair {
			return int32(product >> 32)
		}
	}
}

func (r *Rand) Intn(n int) int {
	switch {
	case n > mod31:
		return int(r.Int63n(int64(n)))
	case n > 0:
		return int(r.Int31n(int32(n)))
	}
	panic("invalid argument to Intn")
}

// Perm grows a permutation: i takes a place up to the end, and what was there moves to the end.
func (r *Rand) Perm(n int) []int {
	p := make([]int, n)
	for i := range n {
		at := r.Intn(i + 1)
		p[i], p[at] = p[at], i
	}
	return p
}

func (r *Rand) Shuffle(n int, swap func(i, j int)) {
	if n < 0 {
		panic("invalid argument to Shuffle")
	}
	for ; n > 1; n-- {
		var j int
		if n <= mod31 {
			j = int(r.scaled(int32(n)))
		} else {
			j = int(r.Int63n(int64(n)))
		}
		swap(n-1, j)
	}
}

// Read fills p. Its bytes are those of numbers of seven, or of eight without a seed, the lowest first;
// what is left of a number is for the next call.
func (r *Rand) Read(p []byte) (n int, err error) {
	src := r.src
	if l, ok := src.(*sharedSource); ok {
		l.mu.Lock()
		defer l.mu.Unlock()
		src = &l.s
	}
	_, isRuntime := src.(systemSource)
	for i := range p {
		switch {
		case r.left > 0:
		case isRuntime:
			r.bytes, r.left = int64(runtimeRand()), 8
		default:
			r.bytes, r.left = src.Int63(), 7
		}
		p[i] = byte(r.bytes)
		r.bytes >>= 8
		r.left--
	}
	return len(p), nil
}

// strip draws for a ziggurat: 32 bits, the lowest of which choose the strip too.
func (r *Rand) strip(mask uint32) (bits uint32, i int) {
	bits = r.Uint32()
	return bits, int(bits & mask)
}

// global is what the package's functions draw on; nil before the first of them is called.
var global atomic.Pointer[Rand]

func generator() *Rand {
	r := global.Load()
	if r == nil {
		// Of several that are made at once, all draw on the one that came first.
		global.CompareAndSwap(nil, firstGenerator())
		r = global.Load()
	}
	return r
}

func firstGenerator() *Rand {
	if godebug.Is("randautoseed", "0") {
		return seeded(1)
	}
	return New(systemSource{})
}

func seeded(seed int64) *Rand {
	l := new(sharedSource)
	l.s.Seed(seed)
	return New(l)
}

// Seed does nothing, unless GODEBUG says otherwise.
func Seed(seed int64) {
	if !godebug.Is("randseednop", "0") {
		return
	}
	r := global.Load()
	if r == nil || r.src == Source(systemSource{}) {
		global.Store(seeded(seed))
		return
	}
	r.Seed(seed)
}

func Int63() int64                       { return generator().Int63() }
func Uint32() uint32                     { return generator().Uint32() }
func Uint64() uint64                     { return generator().Uint64() }
func Int31() int32                       { return generator().Int31() }
func Int() int                           { return generator().Int() }
func Int63n(n int64) int64               { return generator().Int63n(n) }
func Int31n(n int32) int32               { return generator().Int31n(n) }
func Intn(n int) int                     { return generator().Intn(n) }
func Float64() float64                   { return generator().Float64() }
func Float32() float32                   { return generator().Float32() }
func Perm(n int) []int                   { return generator().Perm(n) }
func Shuffle(n int, swap func(i, j int)) { generator().Shuffle(n, swap) }
func Read(p []byte) (n int, err error)   { return generator().Read(p) }
func NormFloat64() float64               { return generator().NormFloat64() }
func ExpFloat64() float64                { return generator().ExpFloat64() }
