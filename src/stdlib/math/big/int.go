package big

import (
	"io"
	"math/rand"
)

// An Int is an integer of any length; its zero value is 0.
type Int struct {
	neg bool
	abs nat
}

var intOne = &Int{false, natOne}

func NewInt(x int64) *Int {
	if x == 0 {
		return new(Int)
	}
	return &Int{x < 0, nat{Word(amount(x))}}
}

// amount is the absolute value, which the smallest number has, too.
func amount(x int64) uint64 {
	if x < 0 {
		return -uint64(x)
	}
	return uint64(x)
}

// finish gives z its sign: 0 has none.
func (z *Int) finish(neg bool) *Int {
	z.neg = neg && len(z.abs) > 0
	return z
}

func (x *Int) Sign() int {
	switch {
	case len(x.abs) == 0:
		return 0
	case x.neg:
		return -1
	}
	return 1
}

func (z *Int) SetInt64(x int64) *Int {
	z.abs = z.abs.setUint64(amount(x))
	z.neg = x < 0
	return z
}

func (z *Int) SetUint64(x uint64) *Int {
	z.abs = z.abs.setUint64(x)
	z.neg = false
	return z
}

func (z *Int) Set(x *Int) *Int {
	if z != x {
		z.abs = z.abs.set(x.abs)
		z.neg = x.neg
	}
	return z
}

func (x *Int) Bits() []Word { return x.abs }

func (z *Int) SetBits(abs []Word) *Int {
	z.abs = nat(abs).norm()
	z.neg = false
	return z
}

func (z *Int) Abs(x *Int) *Int {
	z.Set(x)
	z.neg = false
	return z
}

func (z *Int) Neg(x *Int) *Int {
	z.Set(x)
	return z.finish(!z.neg)
}

// addSigned is x + y, where y's sign is as given.
func (z *Int) addSigned(x, y *Int, yneg bool) *Int {
	neg := x.neg
	switch {
	case neg == yneg:
		z.abs = z.abs.add(x.abs, y.abs)
	case x.abs.cmp(y.abs) >= 0:
		z.abs = z.abs.sub(x.abs, y.abs)
	default:
		neg = yneg
		z.abs = z.abs.sub(y.abs, x.abs)
	}
	z.neg = neg && len(z.abs) > 0
	return z
}

func (z *Int) Add(x, y *Int) *Int { return z.addSigned(x, y, y.neg) }
func (z *Int) Sub(x, y *Int) *Int { return z.addSigned(x, y, !y.neg) }

func (z *Int) Mul(x, y *Int) *Int {
	neg := x.neg != y.neg
	z.abs = z.abs.mul(x.abs, y.abs)
	z.neg = neg && len(z.abs) > 0
	return z
}

func (z *Int) MulRange(a, b int64) *Int {
	switch {
	case a > b:
		return z.SetInt64(1)
	case a <= 0 && b >= 0:
		return z.SetInt64(0)
	}
	neg := a < 0 && (b-a)&1 == 0
	if a < 0 {
		a, b = -b, -a
	}
	z.abs = z.abs.mulRange(uint64(a), uint64(b))
	z.neg = neg
	return z
}

func (z *Int) Binomial(n, k int64) *Int {
	if k < 0 || k > n {
		return z.SetInt64(0)
	}
	k = min(k, n-k)
	z.neg = false
	z.abs = z.abs.setUint64(1)
	var factor nat
	// After step i it is the coefficient of i.
	for i := int64(1); i <= k; i++ {
		factor = factor.setUint64(uint64(n - i + 1))
		z.abs = z.abs.mul(z.abs, factor)
		factor = factor.setUint64(uint64(i))
		z.abs = z.abs.quo(z.abs, factor)
	}
	return z
}

func (z *Int) Quo(x, y *Int) *Int {
	neg := x.neg != y.neg
	z.abs = z.abs.quo(x.abs, y.abs)
	return z.finish(neg)
}

func (z *Int) Rem(x, y *Int) *Int {
	neg := x.neg
	z.abs = z.abs.rem(x.abs, y.abs)
	return z.finish(neg)
}

func (z *Int) QuoRem(x, y, r *Int) (*Int, *Int) {
	zneg, rneg := x.neg != y.neg, x.neg
	z.abs, r.abs = z.abs.div(r.abs, x.abs, y.abs)
	z.neg, r.neg = zneg && len(z.abs) > 0, rneg && len(r.abs) > 0
	return z, r
}

// own is y, or a copy if z would overwrite it.
func (y *Int) own(z *Int) *Int {
	if z == y || alias(z.abs, y.abs) {
		return new(Int).Set(y)
	}
	return y
}

func (z *Int) Div(x, y *Int) *Int {
	yneg := y.neg
	var r Int
	z.QuoRem(x, y, &r)
	if !r.neg {
		return z
	}
	if yneg {
		return z.Add(z, intOne)
	}
	return z.Sub(z, intOne)
}

func (z *Int) Mod(x, y *Int) *Int {
	y = y.own(z)
	z.Rem(x, y)
	if !z.neg {
		return z
	}
	return z.addSigned(z, y, false)
}

func (z *Int) DivMod(x, y, m *Int) (*Int, *Int) {
	y = y.own(z)
	z.QuoRem(x, y, m)
	if m.neg {
		m.addSigned(m, y, false)
		z.addSigned(z, intOne, !y.neg)
	}
	return z, m
}

// Modes of rounding, by the names that they have for divisions.
const (
	Trunc = ToZero
	Floor = ToNegativeInf
	Round = ToNearestEven
	Ceil  = ToPositiveInf
)

func (z *Int) Divide(x, y, r *Int, mode RoundingMode) (*Int, *Int) {
	var quotient, remainder Int
	if z != nil {
		quotient.abs = z.abs
		y = y.own(z)
	}
	if r != nil {
		remainder.abs = r.abs
		if alias(r.abs, y.abs) {
			y = new(Int).Set(y)
		}
	}
	xneg, neg := x.neg, x.neg != y.neg
	q, rest := quotient.abs.div(remainder.abs, x.abs, y.abs)
	// away says that the quotient's amount is one more; then the remainder has the other sign.
	away := false
	if len(rest) > 0 {
		switch mode {
		case Trunc:
		case Floor:
			away = neg
		case Ceil:
			away = !neg
		case Round:
			half := nat(nil).lsh(rest, 1).cmp(y.abs)
			away = half > 0 || half == 0 && len(q) > 0 && q[0]&1 != 0
		default:
			panic("unsupported rounding mode")
		}
	}
	if away {
		q = q.add(q, natOne)
		rest = rest.sub(y.abs, rest)
	}
	if z != nil {
		z.abs = q
		z.finish(neg)
	}
	if r != nil {
		r.abs = rest
		r.finish(xneg != away)
	}
	return z, r
}

func (x *Int) Cmp(y *Int) int {
	switch {
	case x == y:
		return 0
	case x.neg == y.neg && x.neg:
		return y.abs.cmp(x.abs)
	case x.neg == y.neg:
		return x.abs.cmp(y.abs)
	case x.neg:
		return -1
	}
	return 1
}

func (x *Int) CmpAbs(y *Int) int { return x.abs.cmp(y.abs) }

func (x *Int) Int64() int64 {
	v := int64(x.abs.low64())
	if x.neg {
		return -v
	}
	return v
}

func (x *Int) Uint64() uint64 { return x.abs.low64() }

func (x *Int) IsInt64() bool {
	if len(x.abs) > 1 {
		return false
	}
	v := x.abs.low64()
	return v < 1<<63 || x.neg && v == 1<<63
}

func (x *Int) IsUint64() bool { return !x.neg && len(x.abs) <= 1 }

func (x *Int) Float64() (float64, Accuracy) {
	n := x.abs.bitLen()
	if n <= 53 || n < 64 && n-int(x.abs.trailingZeroBits()) <= 53 {
		f := float64(x.abs.low64())
		if x.neg {
			f = -f
		}
		return f, Exact
	}
	return new(Float).SetInt(x).Float64()
}

func (z *Int) SetString(s string, base int) (*Int, bool) {
	if base == 10 && len(s) > 0 {
		// Most numbers are digits and perhaps a sign.
		rest, neg := s, s[0] == '-'
		if neg || s[0] == '+' {
			rest = s[1:]
		}
		var n int
		if z.abs, n = z.abs.parse(rest, 10); n == 0 || n < len(rest) {
			z.finish(neg)
			return nil, false
		}
		return z.finish(neg), true
	}
	return setFrom(z, &text{s: s}, base)
}

// setFrom reads a number, behind which there must be nothing.
func setFrom[R io.ByteScanner](z *Int, r R, base int) (*Int, bool) {
	if _, err := scanInt(z, r, base); err != nil {
		return nil, false
	}
	if _, err := r.ReadByte(); err != io.EOF {
		return nil, false
	}
	return z, true
}

func scanInt[R io.ByteScanner](z *Int, r R, base int) (*Int, error) {
	neg, err := scanSign(r)
	if err != nil {
		return nil, err
	}
	num, err := scanNumeral(r, z.abs, base, false)
	z.abs = num.abs
	if err != nil {
		return nil, err
	}
	return z.finish(neg), nil
}

func (z *Int) SetBytes(buf []byte) *Int {
	z.abs = z.abs.setBytes(buf)
	z.neg = false
	return z
}

func (x *Int) Bytes() []byte {
	buf := make([]byte, len(x.abs)*wordBytes)
	return buf[x.abs.putBytes(buf):]
}

func (x *Int) FillBytes(buf []byte) []byte {
	clear(buf)
	if x.abs.putBytes(buf) < 0 {
		panic("math/big: buffer too small to fit value")
	}
	return buf
}

func (x *Int) BitLen() int            { return x.abs.bitLen() }
func (x *Int) TrailingZeroBits() uint { return x.abs.trailingZeroBits() }

func (z *Int) Exp(x, y, m *Int) *Int {
	var modulus nat
	if m != nil {
		modulus = m.own(z).abs
	}
	base := x.abs
	if y.neg {
		if len(modulus) == 0 {
			return z.SetInt64(1)
		}
		inverse := new(Int).ModInverse(x, m)
		if inverse == nil {
			return nil
		}
		base = inverse.abs
	}
	neg := x.neg && len(y.abs) > 0 && y.abs[0]&1 == 1
	z.abs = z.abs.exp(base, y.abs, modulus)
	z.finish(neg)
	if z.neg && len(modulus) > 0 {
		z.abs = z.abs.sub(modulus, z.abs)
		z.neg = false
	}
	return z
}

func (z *Int) GCD(x, y, a, b *Int) *Int {
	if len(a.abs) == 0 || len(b.abs) == 0 {
		hasA, hasB, nega, negb := len(a.abs) > 0, len(b.abs) > 0, a.neg, b.neg
		if hasA {
			z.Set(a)
		} else {
			z.Set(b)
		}
		z.neg = false
		unit := func(f *Int, is, neg bool) {
			if f == nil {
				return
			}
			f.SetUint64(0)
			if is {
				f.SetUint64(1)
				f.neg = neg
			}
		}
		unit(x, hasA, nega)
		unit(y, hasB, negb)
		return z
	}
	g, u, neg := gcd(a.abs, b.abs, x != nil || y != nil)
	// |a|·u + |b|·v = g
	factor := Int{abs: u}
	factor.finish(neg)
	negA := a.neg
	if y != nil {
		if y == b {
			b = new(Int).Set(b)
		}
		y.Mul(a, &factor)
		if negA {
			y.neg = !y.neg
		}
		y.Sub(&Int{abs: g}, y)
		y.Div(y, b)
	}
	if x != nil {
		x.Set(&factor)
		if negA {
			x.neg = !x.neg
		}
	}
	z.abs = z.abs.set(g)
	z.neg = false
	return z
}

func (z *Int) Rand(rnd *rand.Rand, n *Int) *Int {
	if n.Sign() <= 0 {
		z.neg = false
		z.abs = nil
		return z
	}
	z.neg = false
	z.abs = z.abs.random(rnd, n.abs, n.abs.bitLen())
	return z
}

func (z *Int) ModInverse(g, n *Int) *Int {
	if n.neg {
		n = new(Int).Neg(n)
	}
	if g.neg {
		g = new(Int).Mod(g, n)
	}
	var d, x Int
	d.GCD(&x, nil, g, n)
	if d.Cmp(intOne) != 0 {
		return nil
	}
	if x.neg {
		return z.Add(&x, n)
	}
	return z.Set(&x)
}

func Jacobi(x, y *Int) int {
	if len(y.abs) == 0 || y.abs[0]&1 == 0 {
		panic("big: invalid 2nd argument to Int.Jacobi: need odd integer but got " + y.String())
	}
	j := jacobi(x.abs, x.neg, y.abs)
	if x.neg && y.neg {
		return -j
	}
	return j
}

func (z *Int) ModSqrt(x, p *Int) *Int {
	switch Jacobi(x, p) {
	case -1:
		return nil
	case 0:
		return z.SetInt64(0)
	}
	if x.neg || x.Cmp(p) >= 0 {
		x = new(Int).Mod(x, p)
	}
	switch {
	case p.abs[0]%4 == 3:
		e := new(Int).Add(p, intOne)
		return z.Exp(x, e.Rsh(e, 2), p)
	case p.abs[0]%8 == 5:
		return z.rootByAtkin(x, p)
	}
	return z.rootByShanks(x, p)
}

// rootByAtkin is for primes that are 5 modulo 8: with a = (2x)^((p-5)/8) and i = 2xa² the root is
// xa(i-1).
func (z *Int) rootByAtkin(x, p *Int) *Int {
	twice := new(Int).Lsh(x, 1)
	a := new(Int).Exp(twice, new(Int).Rsh(p, 3), p)
	i := new(Int).Mul(a, a)
	i.Mod(i, p).Mul(i, twice).Mod(i, p).Sub(i, intOne)
	i.Mul(i, x).Mod(i, p).Mul(i, a)
	return z.Mod(i, p)
}

// rootByShanks is for all primes (A. Tonelli, D. Shanks).
func (z *Int) rootByShanks(x, p *Int) *Int {
	// p - 1 is s·2**e with s odd.
	s := new(Int).Sub(p, intOne)
	e := s.TrailingZeroBits()
	s.Rsh(s, e)
	n := NewInt(2)
	for Jacobi(n, p) != -1 {
		n.Add(n, intOne)
	}
	root := new(Int).Add(s, intOne)
	root.Rsh(root, 1).Exp(x, root, p)
	b := new(Int).Exp(x, s, p)
	g := new(Int).Exp(n, s, p)
	t := new(Int)
	for {
		// b has order 2**m; root² is x·b all the time.
		m := uint(0)
		for t.Set(b); t.Cmp(intOne) != 0; m++ {
			t.Mul(t, t).Mod(t, p)
		}
		if m == 0 {
			return z.Set(root)
		}
		t.SetInt64(0).SetBit(t, int(e-m-1), 1).Exp(g, t, p)
		g.Mul(t, t).Mod(g, p)
		root.Mul(root, t).Mod(root, p)
		b.Mul(b, g).Mod(b, p)
		e = m
	}
}

func (z *Int) Lsh(x *Int, n uint) *Int {
	neg := x.neg
	z.abs = z.abs.lsh(x.abs, n)
	z.neg = neg
	return z
}

func (z *Int) Rsh(x *Int, n uint) *Int {
	if x.neg {
		// -x>>n is -((x-1)>>n + 1).
		t := z.abs.sub(x.abs, natOne)
		t = t.rsh(t, n)
		z.abs = t.add(t, natOne)
		z.neg = true
		return z
	}
	z.abs = z.abs.rsh(x.abs, n)
	z.neg = false
	return z
}

func (x *Int) Bit(i int) uint {
	if i < 0 {
		panic("negative bit index")
	}
	if x.neg && i > 0 {
		return nat(nil).sub(x.abs, natOne).bit(uint(i)) ^ 1
	}
	return x.abs.bit(uint(i))
}

func (z *Int) SetBit(x *Int, i int, b uint) *Int {
	if i < 0 {
		panic("negative bit index")
	}
	if x.neg {
		t := z.abs.sub(x.abs, natOne)
		t = t.setBit(t, uint(i), b^1)
		z.abs = t.add(t, natOne)
		z.neg = len(z.abs) > 0
		return z
	}
	z.abs = z.abs.setBit(x.abs, uint(i), b)
	z.neg = false
	return z
}

// complement is the amount of ^x for a negative x.
func (x *Int) complement() nat { return nat(nil).sub(x.abs, natOne) }

// negated sets z to ^t for an amount t.
func (z *Int) negated(t nat) *Int {
	z.abs = z.abs.add(t, natOne)
	z.neg = true
	return z
}

func (z *Int) positive(t nat) *Int {
	z.abs = t
	z.neg = false
	return z
}

func (z *Int) And(x, y *Int) *Int {
	if x.neg && !y.neg {
		x, y = y, x
	}
	switch {
	case x.neg:
		return z.negated(z.abs.or(x.complement(), y.complement()))
	case y.neg:
		return z.positive(z.abs.andNot(x.abs, y.complement()))
	}
	return z.positive(z.abs.and(x.abs, y.abs))
}

func (z *Int) AndNot(x, y *Int) *Int {
	switch {
	case x.neg && y.neg:
		return z.positive(z.abs.andNot(y.complement(), x.complement()))
	case x.neg:
		return z.negated(z.abs.or(x.complement(), y.abs))
	case y.neg:
		return z.positive(z.abs.and(x.abs, y.complement()))
	}
	return z.positive(z.abs.andNot(x.abs, y.abs))
}

func (z *Int) Or(x, y *Int) *Int {
	if x.neg && !y.neg {
		x, y = y, x
	}
	switch {
	case x.neg:
		return z.negated(z.abs.and(x.complement(), y.complement()))
	case y.neg:
		return z.negated(z.abs.andNot(y.complement(), x.abs))
	}
	return z.positive(z.abs.or(x.abs, y.abs))
}

func (z *Int) Xor(x, y *Int) *Int {
	if x.neg && !y.neg {
		x, y = y, x
	}
	switch {
	case x.neg:
		return z.positive(z.abs.xor(x.complement(), y.complement()))
	case y.neg:
		return z.negated(z.abs.xor(x.abs, y.complement()))
	}
	return z.positive(z.abs.xor(x.abs, y.abs))
}

func (z *Int) Not(x *Int) *Int {
	if x.neg {
		return z.positive(z.abs.sub(x.abs, natOne))
	}
	return z.negated(x.abs)
}

func (z *Int) Sqrt(x *Int) *Int {
	if x.neg {
		panic("square root of negative number")
	}
	return z.positive(z.abs.sqrt(x.abs))
}

func (x *Int) ProbablyPrime(n int) bool {
	if n < 0 {
		panic("negative n for ProbablyPrime")
	}
	return !x.neg && x.abs.isProbablyPrime(n)
}
