// Package rand: pseudo-random numbers.
//
// A seeded source is an additive lagged Fibonacci generator (607, 273), so that a seed gives the very numbers it gives in Go; the
// functions of the package draw on the runtime's own generator until Seed is called.
package rand

import (
	"math"
	"strings"
	"sync"
)

// debugSettings is the value of GODEBUG.
func debugSettings() string

// runtimeRand is 64 random bits from the P's own stream.
func runtimeRand() uint64

// cooked is the i-th word of the generator's state after its long warm-up.
func cooked(i int) uint64

// Strips of the ziggurats: bound, width and height.
func normalStrip(i int) (k uint32, w, f float32)
func exponentialStrip(i int) (k uint32, w, f float32)

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

type lagged struct {
	tap, feed int
	state     [lagLong]int64
}

func NewSource(seed int64) Source {
	s := new(lagged)
	s.Seed(seed)
	return s
}

// step is x·48271 mod 2³¹−1, without overflow of 32 bits.
func step(x int32) int32 {
	hi, lo := x/44488, x%44488
	if x = 48271*lo - 3399*hi; x < 0 {
		x += mod31
	}
	return x
}

func (s *lagged) Seed(seed int64) {
	s.tap, s.feed = 0, lagLong-lagShort
	seed %= mod31
	if seed < 0 {
		seed += mod31
	}
	if seed == 0 {
		seed = 89482311
	}
	x := int32(seed)
	for range 20 {
		x = step(x)
	}
	for i := range s.state {
		x = step(x)
		word := int64(x) << 40
		x = step(x)
		word ^= int64(x) << 20
		x = step(x)
		s.state[i] = word ^ int64(x) ^ int64(cooked(i))
	}
}

func (s *lagged) Uint64() uint64 {
	if s.tap--; s.tap < 0 {
		s.tap += lagLong
	}
	if s.feed--; s.feed < 0 {
		s.feed += lagLong
	}
	x := s.state[s.feed] + s.state[s.tap]
	s.state[s.feed] = x
	return uint64(x)
}

func (s *lagged) Int63() int64 { return int64(s.Uint64() & mask63) }

// runtimeSource is the unseeded source of the package's functions.
type runtimeSource struct{}

func (runtimeSource) Uint64() uint64 { return runtimeRand() }
func (runtimeSource) Int63() int64   { return int64(runtimeRand() & mask63) }
func (runtimeSource) Seed(int64)     { panic("internal error: call to runtimeSource.Seed") }

// lockedSource is what the package's functions draw on after Seed.
type lockedSource struct {
	mu sync.Mutex
	s  lagged
}

func (l *lockedSource) Uint64() uint64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.s.Uint64()
}

func (l *lockedSource) Int63() int64 { return int64(l.Uint64() & mask63) }

func (l *lockedSource) Seed(seed int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.s.Seed(seed)
}

type Rand struct {
	src Source
	s64 Source64 // src, if it has Uint64

	// Read hands out the seven bytes of an Int63 one by one.
	readVal int64
	readPos int8
}

func New(src Source) *Rand {
	s64, _ := src.(Source64)
	return &Rand{src: src, s64: s64}
}

func (r *Rand) Seed(seed int64) {
	r.src.Seed(seed)
	r.readPos = 0
}

func (r *Rand) Int63() int64   { return r.src.Int63() }
func (r *Rand) Uint32() uint32 { return uint32(r.Int63() >> 31) }

func (r *Rand) Uint64() uint64 {
	if r.s64 != nil {
		return r.s64.Uint64()
	}
	return uint64(r.Int63())>>31 | uint64(r.Int63())<<32
}

func (r *Rand) Int31() int32 { return int32(r.Int63() >> 32) }

func (r *Rand) Int() int { return int(uint(r.Int63()) << 1 >> 1) }

func (r *Rand) Int63n(n int64) int64 {
	if n <= 0 {
		panic("invalid argument to Int63n")
	}
	if n&(n-1) == 0 {
		return r.Int63() & (n - 1)
	}
	limit := int64(mask63 - (1<<63)%uint64(n))
	v := r.Int63()
	for v > limit {
		v = r.Int63()
	}
	return v % n
}

func (r *Rand) Int31n(n int32) int32 {
	if n <= 0 {
		panic("invalid argument to Int31n")
	}
	if n&(n-1) == 0 {
		return r.Int31() & (n - 1)
	}
	limit := int32(mod31 - (1<<31)%uint32(n))
	v := r.Int31()
	for v > limit {
		v = r.Int31()
	}
	return v % n
}

// scaled is like Int31n by multiplication instead of division; it gives other numbers.
func (r *Rand) scaled(n int32) int32 {
	v := r.Uint32()
	product := uint64(v) * uint64(n)
	low := uint32(product)
	if low < uint32(n) {
		threshold := uint32(-n) % uint32(n)
		for low < threshold {
			v = r.Uint32()
			product = uint64(v) * uint64(n)
			low = uint32(product)
		}
	}
	return int32(product >> 32)
}

func (r *Rand) Intn(n int) int {
	if n <= 0 {
		panic("invalid argument to Intn")
	}
	if n <= mod31 {
		return int(r.Int31n(int32(n)))
	}
	return int(r.Int63n(int64(n)))
}

func (r *Rand) Float64() float64 {
	for {
		if f := float64(r.Int63()) / (1 << 63); f != 1 {
			return f
		}
	}
}

func (r *Rand) Float32() float32 {
	for {
		if f := float32(r.Float64()); f != 1 {
			return f
		}
	}
}

func (r *Rand) Perm(n int) []int {
	p := make([]int, n)
	for i := range p {
		j := r.Intn(i + 1)
		p[i] = p[j]
		p[j] = i
	}
	return p
}

func (r *Rand) Shuffle(n int, swap func(i, j int)) {
	if n < 0 {
		panic("invalid argument to Shuffle")
	}
	i := n - 1
	for ; i > mod31-1; i-- {
		swap(i, int(r.Int63n(int64(i+1))))
	}
	for ; i > 0; i-- {
		swap(i, int(r.scaled(int32(i+1))))
	}
}

func (r *Rand) Read(p []byte) (n int, err error) {
	if l, ok := r.src.(*lockedSource); ok {
		l.mu.Lock()
		defer l.mu.Unlock()
		return fill(p, &l.s, &r.readVal, &r.readPos)
	}
	return fill(p, r.src, &r.readVal, &r.readPos)
}

func fill(p []byte, src Source, val *int64, pos *int8) (n int, err error) {
	_, fast := src.(runtimeSource)
	for n = range p {
		if *pos == 0 {
			if fast {
				*val, *pos = int64(runtimeRand()), 8
			} else {
				*val, *pos = src.Int63(), 7
			}
		}
		p[n] = byte(*val)
		*val >>= 8
		*pos--
	}
	return len(p), nil
}

const normalTail = 3.442619855899

func (r *Rand) NormFloat64() float64 {
	for {
		u := r.Uint32()
		j := int32(u)
		k, w, f := normalStrip(int(j & 0x7f))
		x := float64(j) * float64(w)
		size := uint32(j)
		if j < 0 {
			size = uint32(-j)
		}
		if size < k {
			return x
		}
		if j&0x7f == 0 { // the tail beyond the lowest strip
			for {
				x = -math.Log(r.Float64()) * (1.0 / normalTail)
				y := -math.Log(r.Float64())
				if y+y >= x*x {
					break
				}
			}
			if j > 0 {
				return normalTail + x
			}
			return -normalTail - x
		}
		_, _, above := normalStrip(int(j&0x7f) - 1)
		if f+float32(r.Float64())*(above-f) < float32(math.Exp(-.5*x*x)) {
			return x
		}
	}
}

const exponentialTail = 7.69711747013104972

func (r *Rand) ExpFloat64() float64 {
	for {
		j := r.Uint32()
		k, w, f := exponentialStrip(int(j & 0xff))
		x := float64(j) * float64(w)
		if j < k {
			return x
		}
		if j&0xff == 0 {
			return exponentialTail - math.Log(r.Float64())
		}
		_, _, above := exponentialStrip(int(j&0xff) - 1)
		if f+float32(r.Float64())*(above-f) < float32(math.Exp(-x)) {
			return x
		}
	}
}

// Zipf draws by rejection-inversion (Hörmann and Derflinger).
type Zipf struct {
	r                       *Rand
	imax, v, q, s           float64
	oneMinusQ, oneMinusQInv float64
	hxm, hx0MinusHxm        float64
}

func (z *Zipf) h(x float64) float64    { return math.Exp(z.oneMinusQ*math.Log(z.v+x)) * z.oneMinusQInv }
func (z *Zipf) hInv(x float64) float64 { return math.Exp(z.oneMinusQInv*math.Log(z.oneMinusQ*x)) - z.v }

func NewZipf(r *Rand, s float64, v float64, imax uint64) *Zipf {
	if s <= 1 || v < 1 {
		return nil
	}
	z := &Zipf{r: r, imax: float64(imax), v: v, q: s, oneMinusQ: 1 - s}
	z.oneMinusQInv = 1 / z.oneMinusQ
	z.hxm = z.h(z.imax + 0.5)
	z.hx0MinusHxm = z.h(0.5) - math.Exp(math.Log(z.v)*(-z.q)) - z.hxm
	z.s = 1 - z.hInv(z.h(1.5)-math.Exp(-z.q*math.Log(z.v+1)))
	return z
}

func (z *Zipf) Uint64() uint64 {
	if z == nil {
		panic("rand: nil Zipf")
	}
	for {
		ur := z.hxm + z.r.Float64()*z.hx0MinusHxm
		x := z.hInv(ur)
		k := math.Floor(x + 0.5)
		if k-x <= z.s || ur >= z.h(k+0.5)-math.Exp(-math.Log(k+z.v)*z.q) {
			return uint64(k)
		}
	}
}

// global is what the package's functions draw on.
var global = New(runtimeSource{})

// Seed does nothing, unless GODEBUG says otherwise.
func Seed(seed int64) {
	seeds := false
	for setting := range strings.SplitSeq(debugSettings(), ",") {
		if value, ok := strings.CutPrefix(setting, "randseednop="); ok {
			seeds = value == "0"
		}
	}
	if !seeds {
		return
	}
	if l, ok := global.src.(*lockedSource); ok {
		l.Seed(seed)
		global.readPos = 0
		return
	}
	l := new(lockedSource)
	l.Seed(seed)
	global = New(l)
}

func Int63() int64                       { return global.Int63() }
func Uint32() uint32                     { return global.Uint32() }
func Uint64() uint64                     { return global.Uint64() }
func Int31() int32                       { return global.Int31() }
func Int() int                           { return global.Int() }
func Int63n(n int64) int64               { return global.Int63n(n) }
func Int31n(n int32) int32               { return global.Int31n(n) }
func Intn(n int) int                     { return global.Intn(n) }
func Float64() float64                   { return global.Float64() }
func Float32() float32                   { return global.Float32() }
func Perm(n int) []int                   { return global.Perm(n) }
func Shuffle(n int, swap func(i, j int)) { global.Shuffle(n, swap) }
func Read(p []byte) (n int, err error)   { return global.Read(p) }
func NormFloat64() float64               { return global.NormFloat64() }
func ExpFloat64() float64                { return global.ExpFloat64() }
