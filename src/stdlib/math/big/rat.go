package big

import (
	"errors"
	"fmt"
	"math"
	"strings"
)

// A Rat is a fraction in lowest terms. An empty denominator is 1, so that the zero value is 0.
type Rat struct {
	a, b Int
}

// whole makes 1 the denominator.
func (z *Rat) whole() *Rat {
	z.b.SetUint64(1)
	return z
}

// under is the denominator.
func (x *Rat) under() nat {
	if b := x.b.abs; len(b) > 0 {
		return b
	}
	return oneWord
}

// reduce sets z to a fraction in lowest terms. The amounts become z's own.
func (z *Rat) reduce(neg bool, a, b nat) *Rat {
	if len(b) == 0 || len(a) == 0 {
		z.a.become(neg, a)
		z.b.abs = b
		return z.whole()
	}
	if len(b) > 1 || b[0] > 1 {
		if common, _, _ := gcd(a, b, false); len(common) > 1 || common[0] > 1 {
			a, b = a.quo(a, common), b.quo(b, common)
		}
	}
	z.a.become(neg, a)
	z.b.become(false, b)
	return z
}

// SetFloat64 sets z to f exactly; nil if f is no number.
func (z *Rat) SetFloat64(f float64) *Rat {
	if math.IsInf(f, 0) || f != f {
		return nil
	}
	mantissa, exp := splitFloat(f)
	a := z.a.abs.ofWord(mantissa)
	b := z.b.abs.ofWord(1)
	if exp > 0 {
		a = a.lsh(a, uint(exp))
	} else {
		b = b.lsh(b, uint(-exp))
	}
	return z.reduce(f < 0, a, b)
}

// splitFloat has the amount of f as an integer times 2**exp.
func splitFloat(f float64) (mantissa uint64, exp int) {
	b := math.Float64bits(f)
	mantissa, exp = b&(1<<52-1), int(b>>52&0x7ff)
	if exp > 0 {
		return mantissa | 1<<52, exp - 1075
	}
	return mantissa, -1074
}

// quotient is a/b as a number with size bits of mantissa whose exponents begin at least, rounded to
// the nearest, even ones first.
func quotient(a, b nat, size, least int) (f float64, exact bool) {
	if len(a) == 0 {
		return 0, true
	}
	// The quotient has one bit or two more than it needs, so that its last bits and the remainder
	// tell how to round.
	exp := a.width() - b.width()
	u, v := a, b
	if shift := size + 1 - exp; shift > 0 {
		u = nat(nil).lsh(a, uint(shift))
	} else {
		v = nat(nil).lsh(b, uint(-shift))
	}
	q, r := nat(nil).div(nil, u, v)
	m := q.low64()
	low := exp - size - 1 // of the last bit
	// What stands below the last bit of the result. Denormal ones have fewer bits; of numbers below
	// those it is the scaling at the end that rounds.
	drop := 1 + int(m>>(size+1))
	if exp+drop > least {
		drop = max(drop, least-low)
	}
	rest := m & (1<<drop - 1)
	half := uint64(1) << (drop - 1)
	m >>= drop
	exact = rest == 0 && len(r) == 0
	if rest > half || rest == half && (len(r) > 0 || m&1 != 0) {
		m++
	}
	return math.Ldexp(float64(m), low+drop), exact
}

// Float32 is the nearest float32, and whether it is x.
func (x *Rat) Float32() (f float32, exact bool) {
	wide, exact := x.nearest(24, -149)
	f = float32(wide)
	return f, exact && !math.IsInf(float64(f), 0)
}

// Float64 is the nearest float64, and whether it is x.
func (x *Rat) Float64() (f float64, exact bool) {
	f, exact = x.nearest(53, -1074)
	return f, exact && !math.IsInf(f, 0)
}

func (x *Rat) nearest(size, least int) (f float64, exact bool) {
	if f, exact = quotient(x.a.abs, x.under(), size, least); x.a.neg {
		f = -f
	}
	return f, exact
}

// divisor panics for 0, and gives the amount of others.
func divisor(abs nat) nat {
	if len(abs) == 0 {
		panic("division by zero")
	}
	return abs
}

// SetFrac sets z to a/b.
func (z *Rat) SetFrac(a, b *Int) *Rat {
	below := nat(nil).set(divisor(b.abs)) // which z's numerator may have memory in common with
	return z.reduce(a.neg != b.neg, z.a.abs.set(a.abs), below)
}

// SetFrac64 sets z to a/b.
func (z *Rat) SetFrac64(a, b int64) *Rat {
	if b == 0 {
		divisor(nil)
	}
	return z.reduce((a < 0) != (b < 0), z.a.abs.ofWord(amount(a)), z.b.abs.ofWord(amount(b)))
}

func (z *Rat) SetUint64(x uint64) *Rat { z.a.SetUint64(x); return z.whole() }
func (z *Rat) SetInt64(x int64) *Rat   { z.a.SetInt64(x); return z.whole() }
func (z *Rat) SetInt(x *Int) *Rat      { z.a.Set(x); return z.whole() }

// Set makes z a copy of x.
func (z *Rat) Set(x *Rat) *Rat {
	z.a.Set(&x.a)
	return z.over(x.b.abs)
}

// over makes b the denominator, for a numerator that goes with it.
func (z *Rat) over(b nat) *Rat {
	if len(b) > 0 {
		z.b.abs = z.b.abs.set(b)
		return z
	}
	return z.whole()
}

// NewRat makes the fraction a/b.
func NewRat(a, b int64) *Rat { return new(Rat).SetFrac64(a, b) }

func (z *Rat) Neg(x *Rat) *Rat { z.Set(x).a.finish(!x.a.neg); return z }
func (z *Rat) Abs(x *Rat) *Rat { z.Set(x).a.finish(false); return z }

// Inv sets z to 1/x.
func (z *Rat) Inv(x *Rat) *Rat {
	divisor(x.a.abs)
	above, below := &z.a, &z.Set(x).b
	above.abs, below.abs = below.abs, above.abs
	return z
}

// Num is the numerator, which is x's own.
func (x *Rat) Num() *Int { return &x.a }

// Denom is the denominator: x's own, unless x has never been set.
func (x *Rat) Denom() *Int {
	if len(x.b.abs) == 0 {
		return NewInt(1)
	}
	return &x.b
}

func (x *Rat) IsInt() bool { return x.under().cmp(oneWord) == 0 }
func (x *Rat) Sign() int   { return x.a.Sign() }

// crossed has the numerators that x and y have over the product of their denominators.
func crossed(x, y *Rat) (a, b Int) {
	a = Int{x.a.neg, nat(nil).mul(x.a.abs, y.under())}
	b = Int{y.a.neg, nat(nil).mul(y.a.abs, x.under())}
	return a, b
}

// Cmp is -1, 0 or 1 if x is less than y, equal, or greater.
func (x *Rat) Cmp(y *Rat) int {
	a, b := crossed(x, y)
	return a.Cmp(&b)
}

// sum is x + y, or x - y.
func (z *Rat) sum(x, y *Rat, minus bool) *Rat {
	a, b := crossed(x, y)
	under := z.b.abs.mul(x.under(), y.under())
	a.plus(&a, &b, b.neg != minus)
	return z.reduce(a.neg, a.abs, under)
}

func (z *Rat) Add(x, y *Rat) *Rat { return z.sum(x, y, false) }
func (z *Rat) Sub(x, y *Rat) *Rat { return z.sum(x, y, true) }

func (z *Rat) Mul(x, y *Rat) *Rat {
	neg := x.a.neg != y.a.neg
	if x == y {
		// The square of a fraction in lowest terms is one.
		below := z.b.abs.mul(x.under(), x.under())
		z.a.become(false, z.a.abs.mul(x.a.abs, x.a.abs))
		return z.over(below)
	}
	above := z.a.abs.mul(x.a.abs, y.a.abs)
	return z.reduce(neg, above, z.b.abs.mul(x.under(), y.under()))
}

func (z *Rat) Quo(x, y *Rat) *Rat {
	divisor(y.a.abs)
	a, b := crossed(x, y)
	return z.reduce(a.neg != b.neg, a.abs, b.abs)
}

// ---- Texts.

// Scan reads a fraction or a decimal number.
func (z *Rat) Scan(s fmt.ScanState, ch rune) error {
	token, err := s.Token(true, func(ch rune) bool {
		return '+' <= ch && ch <= '9' && ch != ',' || ch == 'e' || ch == 'E'
	})
	fault := ""
	if err != nil {
		return err
	} else if !strings.ContainsRune("efgEFGv", ch) {
		fault = "verb"
	} else if _, ok := z.SetString(string(token)); !ok {
		fault = "syntax"
	}
	if fault != "" {
		return errors.New("Rat.Scan: invalid " + fault)
	}
	return nil
}

// SetString sets z to a fraction, a/b, or to a number with a point or an exponent, and says whether s
// is one.
func (z *Rat) SetString(s string) (*Rat, bool) {
	ok := false
	if above, below, isFraction := strings.Cut(s, "/"); isFraction {
		ok = z.setFraction(above, below)
	} else {
		ok = z.setDecimal(s)
	}
	if !ok {
		return nil, false
	}
	return z, true
}

func (z *Rat) setFraction(above, below string) bool {
	if _, ok := z.a.SetString(above, 0); !ok {
		return false
	}
	t := text{s: below}
	n, err := readNumeral(&t, z.b.abs, 0, false)
	z.b.abs = n.abs
	if err != nil || len(n.abs) == 0 || t.i != len(below) {
		return false
	}
	z.reduce(z.a.neg, z.a.abs, n.abs)
	return true
}

// Limits of the powers that setDecimal writes out.
const (
	mostTwos  = 1e7
	mostFives = 1e6
)

func (z *Rat) setDecimal(s string) bool {
	t := text{s: s}
	neg, err := readSign(&t)
	if err != nil {
		return false
	}
	n, err := readNumeral(&t, z.a.abs, 0, true)
	if z.a.abs = n.abs; err != nil {
		return false
	}
	exp, base, err := readExponent(&t, true)
	if err != nil || t.i != len(s) {
		return false
	}
	if len(n.abs) == 0 {
		z.reduce(false, n.abs, z.b.abs)
		return true
	}
	twos, fives := n.powers(exp, base)
	if amount(fives) > mostFives || amount(twos) > mostTwos {
		return false
	}
	above, below := n.abs, z.b.abs.ofWord(1)
	if fives > 0 {
		power := nat(nil).exp(fiveWord, nat{Word(fives)}, nil)
		above = above.mul(above, power)
	} else if fives < 0 {
		below = below.exp(fiveWord, nat{Word(-fives)}, nil)
	}
	if twos > 0 {
		above = above.lsh(above, uint(twos))
	} else {
		below = below.lsh(below, uint(-twos))
	}
	z.reduce(neg, above, below)
	return true
}

// fraction appends x as a/b.
func (x *Rat) fraction(buf []byte) []byte {
	buf = append(buf, x.a.String()...)
	buf = append(buf, '/')
	return append(buf, x.under().text(false, 10)...)
}

// String is x as a/b.
func (x *Rat) String() string { return string(x.fraction(nil)) }

// RatString is x as a/b, or as a if b is 1.
func (x *Rat) RatString() string {
	if !x.IsInt() {
		return x.String()
	}
	return x.a.String()
}

// FloatString is x with so many digits behind the point, halves being rounded away from 0.
func (x *Rat) FloatString(prec int) string {
	prec = max(prec, 0)
	scaled := x.a.abs
	if prec > 0 {
		scaled = nat(nil).mul(scaled, nat(nil).exp(tenWord, nat{Word(prec)}, nil))
	}
	q, r := nat(nil).div(nil, scaled, x.under())
	if r = r.lsh(r, 1); r.cmp(x.under()) >= 0 {
		q = q.add(q, oneWord)
	}
	sign, digits := "", q.text(false, 10)
	if x.a.neg {
		sign = "-"
	}
	if prec == 0 {
		return sign + digits
	}
	if missing := prec + 1 - len(digits); missing > 0 {
		digits = strings.Repeat("0", missing) + digits
	}
	point := len(digits) - prec
	return sign + digits[:point] + "." + digits[point:]
}

// FloatPrec tells how many digits behind the point x has before they repeat, and whether they are all.
func (x *Rat) FloatPrec() (n int, exact bool) {
	twos := x.under().trailingZeroBits()
	rest := nat(nil).rsh(x.under(), twos)
	// powers has 5 to the powers of two, up to the greatest that divides.
	var powers []nat
	for f := nat(fiveWord); len(nat(nil).rem(rest, f)) == 0; f = nat(nil).mul(f, f) {
		powers = append(powers, f)
	}
	fives := uint(0)
	for i := len(powers) - 1; i >= 0; i-- {
		if q, r := nat(nil).div(nil, rest, powers[i]); len(r) == 0 {
			rest = q
			fives += 1 << i
		}
	}
	return int(max(twos, fives)), rest.cmp(oneWord) == 0
}

func (x *Rat) MarshalText() (text []byte, err error) { return x.AppendText(nil) }

// AppendText appends what RatString gives.
func (x *Rat) AppendText(b []byte) ([]byte, error) { return append(b, x.RatString()...), nil }

func (z *Rat) UnmarshalText(text []byte) error {
	if _, ok := z.SetString(string(text)); ok {
		return nil
	}
	return fmt.Errorf("math/big: cannot unmarshal %q into a *big.Rat", text)
}
