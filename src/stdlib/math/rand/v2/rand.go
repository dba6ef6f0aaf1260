// Package rand: pseudo-random numbers, second version. Unseeded functions draw on the runtime's own generator.
package rand

import (
	"errors"
	"math/bits"
)

// runtimeRand is 64 random bits from the P's own stream.
func runtimeRand() uint64

type Source interface {
	Uint64() uint64
}

type systemSource struct{}

func (systemSource) Uint64() uint64 { return runtimeRand() }

// A PCG is a permuted congruential generator with 128 bits of state (DXSM).
type PCG struct {
	hi, lo uint64
}

func NewPCG(seed1, seed2 uint64) *PCG   { return &PCG{seed1, seed2} }
func (p *PCG) Seed(seed1, seed2 uint64) { p.hi, p.lo = seed1, seed2 }

func (p *PCG) AppendBinary(b []byte) ([]byte, error) {
	b = append(b, "pcg:"...)
	for _, word := range []uint64{p.hi, p.lo} {
		for shift := 56; shift >= 0; shift -= 8 {
			b = append(b, byte(word>>shift))
		}
	}
	return b, nil
}

func (p *PCG) MarshalBinary() ([]byte, error) { return p.AppendBinary(nil) }

func (p *PCG) UnmarshalBinary(data []byte) error {
	const head = "pcg:"
	if len(data) != len(head)+16 || string(data[:len(head)]) != head {
		return errors.New("invalid PCG encoding")
	}
	p.hi, p.lo = 0, 0
	for i, b := range data[len(head):] {
		if i < 8 {
			p.hi = p.hi<<8 | uint64(b)
		} else {
			p.lo = p.lo<<8 | uint64(b)
		}
	}
	return nil
}

func (p *PCG) Uint64() uint64 {
	const (
		factorHi, factorLo = 2549297995355413924, 4865540595714422341
		addHi, addLo       = 6364136223846793005, 1442695040888963407
		cheap              = 0xda942042e4dd58b5
	)
	hi, lo := bits.Mul64(p.lo, factorLo)
	hi += addHi + factorLo*p.hi + factorHi*p.lo
	if lo += addLo; lo < addLo {
		hi++
	}
	p.hi, p.lo = hi, lo
	// The state's halves are mixed into the number.
	mixed := (hi ^ hi>>32) * cheap
	return (mixed ^ mixed>>48) * (lo | 1)
}

// chacha8 fills out with the next four blocks.
func chacha8(out, seed []uint64, counter uint32)

const (
	chachaBlocks = 4  // at a time
	chachaRounds = 4  // fillings with one seed
	chachaWords  = 32 // of a filling
	chachaSeed   = 4  // words at the end of the last filling, which nobody sees: they are the next seed
)

// A ChaCha8 is a strong generator: fillings of ChaCha blocks, every fourth of which ends in a new seed.
type ChaCha8 struct {
	words [chachaWords]uint64
	seed  [chachaSeed]uint64
	round int // of the filling in words
	next  int // word to be given out

	// The last bytes of a word that Read has begun.
	tail    [8]byte
	tailLen int
}

func (c *ChaCha8) Seed(seed [32]byte) {
	*c = ChaCha8{}
	for i, b := range seed {
		c.seed[i/8] |= uint64(b) << (i % 8 * 8)
	}
	c.fill()
}

func NewChaCha8(seed [32]byte) *ChaCha8 {
	var c ChaCha8
	c.Seed(seed)
	return &c
}

func (c *ChaCha8) fill() {
	chacha8(c.words[:], c.seed[:], uint32(chachaBlocks*c.round))
	c.next = 0
}

func (c *ChaCha8) Uint64() uint64 {
	last := c.round == chachaRounds-1
	if c.next == chachaWords || last && c.next == chachaWords-chachaSeed {
		c.round++
		if last {
			c.round = 0
			copy(c.seed[:], c.words[chachaWords-chachaSeed:])
		}
		c.fill()
	}
	c.next++
	return c.words[c.next-1]
}

func (c *ChaCha8) Read(p []byte) (n int, err error) {
	for n < len(p) {
		if c.tailLen == 0 {
			word := c.Uint64()
			for i := range c.tail {
				c.tail[i] = byte(word >> (8 * i))
			}
			c.tailLen = len(c.tail)
		}
		k := copy(p[n:], c.tail[len(c.tail)-c.tailLen:])
		c.tailLen -= k
		n += k
	}
	return n, nil
}

func (c *ChaCha8) MarshalBinary() ([]byte, error) { return c.AppendBinary(nil) }

func (c *ChaCha8) AppendBinary(b []byte) ([]byte, error) {
	if c.tailLen > 0 {
		b = append(append(b, "readbuf:"...), byte(c.tailLen))
		b = append(b, c.tail[len(c.tail)-c.tailLen:]...)
	}
	b = append(b, "chacha8:"...)
	used := c.round*chachaWords + c.next
	for shift := 56; shift >= 0; shift -= 8 {
		b = append(b, byte(used>>shift))
	}
	for _, word := range c.seed {
		for shift := 0; shift < 64; shift += 8 {
			b = append(b, byte(word>>shift))
		}
	}
	return b, nil
}

func (c *ChaCha8) UnmarshalBinary(data []byte) error {
	const tag, state = "readbuf:", "chacha8:"
	if len(data) >= len(tag) && string(data[:len(tag)]) == tag {
		data = data[len(tag):]
		if len(data) == 0 || len(data) <= int(data[0]) {
			return errors.New("invalid ChaCha8 Read buffer encoding")
		}
		n := int(data[0])
		c.tailLen = copy(c.tail[len(c.tail)-n:], data[1:1+n])
		data = data[1+n:]
	}
	if len(data) != len(state)+8+8*chachaSeed || string(data[:len(state)]) != state {
		return errors.New("invalid ChaCha8 encoding")
	}
	data = data[len(state):]
	var used uint64
	for _, b := range data[:8] {
		used = used<<8 | uint64(b)
	}
	if used > chachaRounds*chachaWords-chachaSeed {
		return errors.New("invalid ChaCha8 encoding")
	}
	c.seed = [chachaSeed]uint64{}
	for i, b := range data[8:] {
		c.seed[i/8] |= uint64(b) << (i % 8 * 8)
	}
	c.round = int(used) / chachaWords
	c.fill()
	c.next = int(used) % chachaWords
	return nil
}

type Rand struct {
	src Source
}

func New(src Source) *Rand { return &Rand{src} }

func (g *Rand) Uint64() uint64 { return g.src.Uint64() }
func (g *Rand) Uint32() uint32 { return uint32(g.src.Uint64() >> 32) }
func (g *Rand) Uint() uint     { return uint(g.src.Uint64()) }
func (g *Rand) Int64() int64   { return int64(g.src.Uint64() &^ (1 << 63)) }
func (g *Rand) Int32() int32   { return int32(g.src.Uint64() >> 33) }
func (g *Rand) Int() int       { return int(uint(g.src.Uint64()) << 1 >> 1) }

func (g *Rand) N[Int intType](n Int) Int { return upTo(g, n, "N") }
func (g *Rand) IntN(n int) int           { return upTo(g, n, "IntN") }
func (g *Rand) Int32N(n int32) int32     { return upTo(g, n, "Int32N") }
func (g *Rand) Int64N(n int64) int64     { return upTo(g, n, "Int64N") }
func (g *Rand) UintN(n uint) uint        { return upTo(g, n, "UintN") }
func (g *Rand) Uint32N(n uint32) uint32  { return upTo(g, n, "Uint32N") }
func (g *Rand) Uint64N(n uint64) uint64  { return upTo(g, n, "Uint64N") }

// upTo is below for numbers of a type; name is the function that was called.
func upTo[Int intType](g *Rand, n Int, name string) Int {
	check(n > 0, name)
	return Int(g.below(uint64(n)))
}

func check(ok bool, name string) {
	if !ok {
		panic("invalid argument to " + name)
	}
}

// below is evenly distributed: the high word of a product, drawn again when the low word shows that it comes too often.
func (g *Rand) below(n uint64) uint64 {
	if n&(n-1) == 0 {
		return g.Uint64() & (n - 1)
	}
	for {
		hi, lo := bits.Mul64(g.Uint64(), n)
		if lo >= n || lo >= -n%n { // the remainder, less than n, takes a division
			return hi
		}
	}
}

func (g *Rand) Float64() float64 { return float64(g.Uint64()<<11>>11) / (1 << 53) }
func (g *Rand) Float32() float32 { return float32(g.Uint32()<<8>>8) / (1 << 24) }

// Perm is what Shuffle makes of the numbers below n.
func (g *Rand) Perm(n int) []int {
	p := make([]int, n)
	for i := range p {
		p[i] = i
	}
	for left := p; len(left) > 1; left = left[:len(left)-1] {
		last := &left[len(left)-1]
		at := &left[g.below(uint64(len(left)))]
		*at, *last = *last, *at
	}
	return p
}

func (g *Rand) Shuffle(n int, swap func(i, j int)) {
	check(n >= 0, "Shuffle")
	for i := n - 1; i > 0; i-- {
		swap(i, int(g.below(uint64(i+1))))
	}
}

// strip draws for a ziggurat: 32 bits, and the strip from others.
func (g *Rand) strip(mask uint32) (bits uint32, i int) {
	word := g.Uint64()
	return uint32(word), int(uint32(word>>32) & mask)
}

// ---- Without a seed.

var global = &Rand{systemSource{}}

func Int64() int64                       { return global.Int64() }
func Uint32() uint32                     { return global.Uint32() }
func Uint64() uint64                     { return global.Uint64() }
func Int32() int32                       { return global.Int32() }
func Int() int                           { return global.Int() }
func Uint() uint                         { return global.Uint() }
func Int64N(n int64) int64               { return global.Int64N(n) }
func Uint32N(n uint32) uint32            { return global.Uint32N(n) }
func Uint64N(n uint64) uint64            { return global.Uint64N(n) }
func Int32N(n int32) int32               { return global.Int32N(n) }
func IntN(n int) int                     { return global.IntN(n) }
func UintN(n uint) uint                  { return global.UintN(n) }
func Float64() float64                   { return global.Float64() }
func Float32() float32                   { return global.Float32() }
func Perm(n int) []int                   { return global.Perm(n) }
func Shuffle(n int, swap func(i, j int)) { global.Shuffle(n, swap) }
func NormFloat64() float64               { return global.NormFloat64() }
func ExpFloat64() float64                { return global.ExpFloat64() }

type intType interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}

func N[Int intType](n Int) Int {
	return global.N(n)
}
