// What both versions of package rand have in common: numbers that lie denser in some places than in others.
// Of its package it needs Rand.Float64 and Rand.strip.
package rand

import "math"

// A ziggurat covers the area under a curve with strips of equal area. A draw falls into one of them, at x; below the strip's bound
// (compared before scaling) all of it lies under the curve, beyond it the curve passes through, between the heights low and high.
// Strip 0 is the lowest, with the tail.
func normalStrip(i int) (bound uint32, width, low, high float32)
func exponentialStrip(i int) (bound uint32, width, low, high float32)

// What strip is asked for: how many there are, less one.
const (
	normalStrips      = 1<<7 - 1
	exponentialStrips = 1<<8 - 1
)

// Where the tails begin.
const (
	normalTail      = 3.442619855899
	exponentialTail = 7.69711747013104972
)

// under draws a height between low and high: does it lie under the curve, whose height is given?
func (r *Rand) under(low, high float32, curve float64) bool {
	return low+float32(r.Float64())*(high-low) < float32(curve)
}

func (r *Rand) NormFloat64() float64 {
	for {
		bits, i := r.strip(normalStrips)
		bound, width, low, high := normalStrip(i)
		sign, side := 1.0, bits
		if int32(bits) < 0 {
			sign, side = -1, -bits
		}
		x := float64(side) * float64(width)
		if side < bound || i > 0 && r.under(low, high, math.Exp(-x*x/2)) {
			return sign * x
		}
		if i == 0 {
			return sign * r.normalBeyond()
		}
	}
}

// normalBeyond draws from the normal curve's tail: Marsaglia's way, two exponential numbers.
func (r *Rand) normalBeyond() float64 {
	for {
		x := -math.Log(r.Float64()) * (1 / normalTail)
		if y := -math.Log(r.Float64()); y+y >= x*x {
			return normalTail + x
		}
	}
}

func (r *Rand) ExpFloat64() float64 {
	for {
		bits, i := r.strip(exponentialStrips)
		bound, width, low, high := exponentialStrip(i)
		x := float64(bits) * float64(width)
		if bits < bound || i > 0 && r.under(low, high, math.Exp(-x)) {
			return x
		}
		if i == 0 {
			return exponentialTail - math.Log(r.Float64())
		}
	}
}

// A Zipf draws k with a probability proportional to (shift+k) to the power -q, by rejection-inversion (Hörmann and Derflinger).
type Zipf struct {
	r            *Rand
	q, shift     float64
	power        float64 // of the integral: 1-q
	inverse      float64 // 1/power
	start, reach float64 // where draws from the integral begin, and how far they go
	sure         float64 // up to so far behind x its k needs no further test
}

// weight is the probability of x, but for a factor.
func (z *Zipf) weight(x float64) float64 { return math.Exp(-z.q * math.Log(z.shift+x)) }

// area is the integral of weight, place its inverse.
func (z *Zipf) area(x float64) float64  { return math.Exp(z.power*math.Log(z.shift+x)) * z.inverse }
func (z *Zipf) place(a float64) float64 { return math.Exp(z.inverse*math.Log(z.power*a)) - z.shift }

func NewZipf(r *Rand, s float64, v float64, imax uint64) *Zipf {
	if s <= 1 || v < 1 {
		return nil
	}
	z := &Zipf{r: r, q: s, shift: v, power: 1 - s}
	z.inverse = 1 / z.power
	z.start = z.area(float64(imax) + 0.5)
	z.reach = z.area(0.5) - z.weight(0) - z.start
	z.sure = 1 - z.place(z.area(1.5)-z.weight(1))
	return z
}

func (z *Zipf) Uint64() uint64 {
	if z == nil {
		panic("rand: nil Zipf")
	}
	for {
		if k, fits := z.draw(); fits {
			return uint64(k)
		}
	}
}

// draw takes a number by chance; it fits if it may be given out.
func (z *Zipf) draw() (k float64, fits bool) {
	drawn := z.start + z.r.Float64()*z.reach
	x := z.place(drawn)
	k = math.Floor(x + 0.5)
	return k, k-x <= z.sure || drawn >= z.area(k+0.5)-z.weight(k)
}
