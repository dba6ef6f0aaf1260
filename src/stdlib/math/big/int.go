package big

import (
	"io"
	"math"
	"math/bits"
	"math/rand"
)

// An Int is an integer of any length; its zero value is 0.
type Int struct {
	neg bool
	abs nat
}

var one = &Int{false, oneWord}

// NewInt makes an Int of x.
func NewInt(x int64) *Int {
	z := new(Int)
	if x != 0 {
		z.abs = nat{Word(amount(x))}
		z.neg = x < 0
	}
	return z
}

// amount is the absolute value, which the smallest number has, too.
func amount(x int64) uint64 {
	sign := x >> 63
	return uint64((x ^ sign) - sign)
}

// become sets z to an amount with a sign, which 0 has not.
func (z *Int) become(neg bool, abs nat) *Int {
	z.abs = abs
	z.neg = neg && len(abs) > 0
	return z
}

// finish gives z its sign: 0 has none.
func (z *Int) finish(neg bool) *Int {
	z.neg = neg && len(z.abs) > 0
	return z
}

// Sign is -1, 0 or 1.
func (x *Int) Sign() int {
	if x.neg {
		return -1
	}
	return min(len(x.abs), 1)
}

func (z *Int) SetInt64(x int64) *Int   { return z.become(x < 0, z.abs.ofWord(amount(x))) }
func (z *Int) SetUint64(x uint64) *Int { return z.become(false, z.abs.ofWord(x)) }

// Set makes z a copy of x.
func (z *Int) Set(x *Int) *Int {
	if z != x {
		z.abs, z.neg = z.abs.set(x.abs), x.neg
	}
	return z
}

// SetBits makes words z's own.
func (z *Int) SetBits(words []Word) *Int { return z.become(false, nat(words).norm()) }

// Bits gives the words of x, which are x's own.
func (x *Int) Bits() []Word { return x.abs }

func (z *Int) Abs(x *Int) *Int { return z.Set(x).finish(false) }
func (z *Int) Neg(x *Int) *Int { return z.Set(x).finish(!x.neg) }

// ---- Sums, products and quotients.

// plus is x + y, where y's sign is as given. Amounts of different signs are subtracted, the smaller
// one from the larger one.
func (z *Int) plus(x, y *Int, yneg bool) *Int {
	if len(x.abs) == 1 && len(y.abs) == 1 {
		a, b := uint64(x.abs[0]), uint64(y.abs[0])
		switch sum := a + b; {
		case x.neg != yneg && a >= b:
			return z.become(x.neg, z.abs.ofWord(a-b))
		case x.neg != yneg:
			return z.become(yneg, z.abs.ofWord(b-a))
		case sum >= a:
			return z.become(yneg, z.abs.ofWord(sum))
		}
	}
	if x.neg == yneg {
		return z.become(yneg, z.abs.add(x.abs, y.abs))
	}
	a, b, neg := x.abs, y.abs, x.neg
	if a.cmp(b) < 0 {
		a, b, neg = b, a, yneg
	}
	return z.become(neg, z.abs.sub(a, b))
}

func (z *Int) Add(x, y *Int) *Int { return z.plus(x, y, y.neg) }
func (z *Int) Sub(x, y *Int) *Int { return z.plus(x, y, !y.neg) }

func (z *Int) Mul(x, y *Int) *Int {
	if len(x.abs) == 1 && len(y.abs) == 1 {
		if hi, lo := bits.Mul64(uint64(x.abs[0]), uint64(y.abs[0])); hi == 0 {
			return z.become(x.neg != y.neg, z.abs.ofWord(lo))
		}
	}
	return z.become(x.neg != y.neg, z.abs.mul(x.abs, y.abs))
}

// MulRange is the product of all numbers from a to b, 1 if there are none.
func (z *Int) MulRange(a, b int64) *Int {
	if a > b {
		return z.SetUint64(1)
	}
	if a > 0 {
		return z.become(false, z.abs.mulRange(uint64(a), uint64(b)))
	}
	if b >= 0 {
		return z.SetUint64(0)
	}
	isOdd := (b-a)%2 == 0 // the count of the factors
	return z.become(isOdd, z.abs.mulRange(amount(b), amount(a)))
}

// Binomial is the coefficient of n and k. After each step it is that of a smaller k.
func (z *Int) Binomial(n, k int64) *Int {
	if k < 0 || n < k {
		return z.SetUint64(0)
	}
	product, factor := z.abs.ofWord(1), nat(nil)
	if k > n-k {
		k = n - k
	}
	for i := range uint64(k) {
		factor = factor.ofWord(uint64(n) - i)
		product = product.mul(product, factor)
		factor = factor.ofWord(i + 1)
		product = product.quo(product, factor)
	}
	return z.become(false, product)
}

// Quo and Rem are of the division that rounds towards zero.
func (z *Int) Quo(x, y *Int) *Int {
	neg := x.neg != y.neg
	if len(x.abs) == 1 && len(y.abs) == 1 {
		return z.become(neg, z.abs.ofWord(uint64(x.abs[0]/y.abs[0])))
	}
	return z.become(neg, z.abs.quo(x.abs, y.abs))
}

func (z *Int) Rem(x, y *Int) *Int {
	if len(x.abs) == 1 && len(y.abs) == 1 {
		return z.become(x.neg, z.abs.ofWord(uint64(x.abs[0]%y.abs[0])))
	}
	return z.become(x.neg, z.abs.rem(x.abs, y.abs))
}

// QuoRem sets z and r to what Quo and Rem give.
func (z *Int) QuoRem(x, y, r *Int) (*Int, *Int) {
	q, rest := z.abs.div(r.abs, x.abs, y.abs)
	xneg, yneg := x.neg, y.neg
	return z.become(xneg != yneg, q), r.become(xneg, rest)
}

// apart is y, or a copy if y has memory in common with z.
func (y *Int) apart(z *Int) *Int {
	if z != nil && (z == y || alias(z.abs, y.abs)) {
		y = new(Int).Set(y)
	}
	return y
}

// Div is the quotient whose remainder is not negative.
func (z *Int) Div(x, y *Int) *Int {
	z, _ = z.DivMod(x, y, new(Int))
	return z
}

// Mod is the remainder that is not negative.
func (z *Int) Mod(x, y *Int) *Int {
	m := y.apart(z)
	if z.Rem(x, m); z.neg {
		z.become(false, z.abs.sub(m.abs, z.abs))
	}
	return z
}

// DivMod sets z and m to what Div and Mod give.
func (z *Int) DivMod(x, y, m *Int) (*Int, *Int) {
	y = y.apart(z).apart(m)
	z.QuoRem(x, y, m)
	if m.neg {
		// The quotient is one farther from zero.
		m.become(false, m.abs.sub(y.abs, m.abs))
		z.plus(z, one, !y.neg)
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

// Divide sets z to x/y, rounded as the mode says, and r to what remains. Both may be nil.
func (z *Int) Divide(x, y, r *Int, mode RoundingMode) (*Int, *Int) {
	xneg, neg := x.neg, x.neg != y.neg
	y = y.apart(z).apart(r)
	var memory [2]nat
	if z != nil {
		memory[0] = z.abs
	}
	if r != nil {
		memory[1] = r.abs
	}
	q, rest := memory[0].div(memory[1], x.abs, y.abs)
	if len(rest) > 0 && roundsAway(mode, neg, q, rest, y.abs) {
		q, rest = q.add(q, oneWord), rest.sub(y.abs, rest)
		xneg = !xneg
	}
	if z != nil {
		z.become(neg, q)
	}
	if r != nil {
		r.become(xneg, rest)
	}
	return z, r
}

// roundsAway says whether a quotient's amount grows, given that something remains.
func roundsAway(mode RoundingMode, neg bool, q, rest, y nat) bool {
	switch mode {
	case Trunc:
		return false
	case Floor:
		return neg
	case Ceil:
		return !neg
	case Round:
		half := nat(nil).lsh(rest, 1).cmp(y)
		return half > 0 || half == 0 && q.low64()%2 == 1
	}
	panic("unsupported rounding mode")
}

// ---- Comparing and converting.

// Cmp is -1, 0 or 1 if x is less than y, equal, or greater.
func (x *Int) Cmp(y *Int) int {
	if x.neg != y.neg {
		return 2*y.signBit() - 1
	}
	if x == y {
		return 0
	}
	c := x.abs.cmp(y.abs)
	if x.neg {
		return -c
	}
	return c
}

// signBit is 1 for a negative number.
func (x *Int) signBit() (bit int) {
	if x.neg {
		bit = 1
	}
	return bit
}

func (x *Int) Int64() int64 {
	low, sign := int64(x.abs.low64()), -int64(x.signBit())
	return (low ^ sign) - sign
}

func (x *Int) Uint64() uint64 { return x.abs.low64() }

func (x *Int) CmpAbs(y *Int) int { return x.abs.cmp(y.abs) }

func (x *Int) IsInt64() bool {
	return len(x.abs) < 2 && x.abs.low64() <= math.MaxInt64+uint64(x.signBit())
}

func (x *Int) IsUint64() bool { return len(x.abs) < 2 && !x.neg }

// Float64 is the nearest float64, and on which side of x that is.
func (x *Int) Float64() (float64, Accuracy) {
	top, exp, more := x.abs.top64()
	low := uint64(0)
	if more {
		low = 1
	}
	// What stands behind 64 bits matters only where those say that it is halfway.
	f := float64(top | low)
	acc := Exact
	if drop := top & (1<<11 - 1); drop != 0 || more {
		acc = Below
		if f == 1<<64 || uint64(f) > top {
			acc = Above
		}
	}
	f = math.Ldexp(f, exp)
	if math.IsInf(f, 0) {
		acc = Above
	}
	if x.neg {
		return -f, -acc
	}
	return f, acc
}

// SetString sets z to a number that s writes in the base, and says whether s does. To base 0 a prefix
// tells the base.
func (z *Int) SetString(s string, base int) (*Int, bool) {
	if base != 10 || s == "" {
		return setFrom(z, &text{s: s}, base)
	}
	digits, neg := s, s[0] == '-'
	if neg || s[0] == '+' {
		digits = s[1:]
	}
	abs, n := z.abs.parse(digits, 10)
	z.become(neg, abs)
	if n == 0 || n != len(digits) {
		return nil, false
	}
	return z, true
}

// setFrom reads a number, behind which there must be nothing.
func setFrom[R io.ByteScanner](z *Int, r R, base int) (*Int, bool) {
	if scanInt(z, r, base) == nil {
		if _, err := r.ReadByte(); err == io.EOF {
			return z, true
		}
	}
	return nil, false
}

// scanInt reads a number, and leaves what is behind it.
func scanInt[R io.ByteScanner](z *Int, r R, base int) error {
	isBelow, err := readSign(r)
	if err == nil {
		var n numeral
		n, err = readNumeral(r, z.abs, base, false)
		if z.abs = n.abs; err == nil {
			z.finish(isBelow)
		}
	}
	return err
}

func (z *Int) SetBytes(buf []byte) *Int { return z.become(false, z.abs.setBytes(buf)) }
func (x *Int) Bytes() []byte            { return x.abs.bytes() }

// FillBytes writes x to all of buf, highest byte first.
func (x *Int) FillBytes(buf []byte) []byte {
	clear(buf)
	if x.abs.putBytes(buf) >= 0 {
		return buf
	}
	panic("math/big: buffer too small to fit value")
}

func (x *Int) BitLen() int            { return x.abs.width() }
func (x *Int) TrailingZeroBits() uint { return x.abs.trailingZeroBits() }

// ---- Powers, roots and divisors.

// GCD is the greatest common divisor of a and b; x and y are set to factors with a·x + b·y = z, unless
// they are nil.
func (z *Int) GCD(x, y, a, b *Int) *Int {
	if len(a.abs) == 0 || len(b.abs) == 0 {
		return z.gcdWithZero(x, y, a, b)
	}
	divisor, factor, neg := gcd(a.abs, b.abs, x != nil || y != nil)
	first := new(Int).become(neg, factor) // a's factor
	first.neg = first.neg != a.neg        // as in Go a factor of 0 may have a sign
	if y != nil {
		// The other factor is what is left, divided by b.
		rest := new(Int).Mul(a, first)
		rest.Sub(&Int{abs: divisor}, rest)
		y.Quo(rest, b)
	}
	if x != nil {
		x.Set(first)
	}
	return z.become(false, z.abs.set(divisor))
}

// Exp is x to the power y, modulo m unless that is nil or 0. It is nil if y is negative and x has no
// inverse.
func (z *Int) Exp(x, y, m *Int) *Int {
	modulus := nat(nil)
	if m != nil {
		modulus = m.apart(z).abs
	}
	base, neg := x.abs, x.neg && y.abs.low64()%2 == 1
	switch {
	case y.neg && len(modulus) == 0:
		return z.SetUint64(1)
	case y.neg:
		back := new(Int).ModInverse(x, m)
		if back == nil {
			return nil
		}
		base = back.abs
	}
	power := z.abs.exp(base, y.abs, modulus)
	if neg && len(power) > 0 && len(modulus) > 0 {
		neg, power = false, power.sub(modulus, power)
	}
	return z.become(neg, power)
}

// gcdWithZero is GCD where a or b is 0.
func (z *Int) gcdWithZero(x, y, a, b *Int) *Int {
	signs := [2]int64{int64(a.Sign()), 0}
	rest := a
	if signs[0] == 0 {
		signs[1] = int64(b.Sign())
		rest = b
	}
	z.Abs(rest)
	for i, factor := range [2]*Int{x, y} {
		if factor != nil {
			factor.SetInt64(signs[i])
		}
	}
	return z
}

// Rand is a random number below n.
func (z *Int) Rand(rnd *rand.Rand, n *Int) *Int {
	if n.Sign() <= 0 {
		return z.become(false, nil)
	}
	return z.become(false, z.abs.random(rnd, n.abs))
}

// ModInverse is the inverse of g modulo n, nil if there is none.
func (z *Int) ModInverse(g, n *Int) *Int {
	modulus := &Int{abs: n.abs}
	if g.neg {
		g = new(Int).Mod(g, modulus)
	}
	inverse := new(Int)
	if new(Int).GCD(inverse, nil, g, modulus).Cmp(one) == 0 {
		return z.Mod(inverse, modulus)
	}
	return nil
}

// Jacobi is Jacobi's symbol of x and y, which must be odd.
func Jacobi(x, y *Int) int {
	if y.abs.low64()%2 == 0 {
		panic("big: invalid 2nd argument to Int.Jacobi: need odd integer but got " + y.String())
	}
	j := jacobi(x.abs, x.neg, y.abs)
	if x.neg && y.neg {
		j = -j
	}
	return j
}

// residues are numbers modulo p.
type residues struct{ p *Int }

func (r residues) times(x, y *Int) *Int {
	z := new(Int).Mul(x, y)
	return z.Mod(z, r.p)
}

func (r residues) power(x, y *Int) *Int { return new(Int).Exp(x, y, r.p) }

// ModSqrt is a square root of x modulo p, which must be an odd prime; nil if there is none.
func (z *Int) ModSqrt(x, p *Int) *Int {
	j := Jacobi(x, p)
	if j < 0 {
		return nil
	}
	if j == 0 {
		return z.SetUint64(0)
	}
	r := residues{p}
	x = new(Int).Mod(x, p)
	switch low := p.abs[0]; {
	case low&3 == 3:
		e := new(Int).Rsh(p, 2)
		return z.Set(r.power(x, e.Add(e, one)))
	case low&7 == 5:
		// A. Atkin: with a = (2x)^((p-5)/8) and i = 2xa², a root of -1, it is xa(i-1).
		double := new(Int).Lsh(x, 1)
		a := r.power(double, new(Int).Rsh(p, 3))
		i := r.times(double, r.times(a, a))
		return z.Set(r.times(r.times(x, a), i.Sub(i, one)))
	}
	return z.Set(r.root(x))
}

// root is the root of a square x that A. Tonelli and D. Shanks find, for any prime.
func (r residues) root(x *Int) *Int {
	odd := new(Int).Sub(r.p, one)
	twos := odd.TrailingZeroBits()
	odd.Rsh(odd, twos)
	nonSquare := NewInt(2)
	for Jacobi(nonSquare, r.p) >= 0 {
		nonSquare.Add(nonSquare, one)
	}
	half := new(Int).Rsh(odd, 1)
	root := r.power(x, half.Add(half, one))
	// All the time root² is x·error, and generator has the order 2^twos, in which error lies.
	fault, generator := r.power(x, odd), r.power(nonSquare, odd)
	for {
		order := uint(0) // of fault, as a power of two
		for square := fault; square.Cmp(one) != 0; order++ {
			square = r.times(square, square)
		}
		if order == 0 {
			return root
		}
		for range twos - order - 1 {
			generator = r.times(generator, generator)
		}
		root = r.times(root, generator)
		generator = r.times(generator, generator)
		fault = r.times(fault, generator)
		twos = order
	}
}

// ProbablyPrime tests x with n random bases, and others; what is not prime passes rarely, and never
// below 2^64.
func (x *Int) ProbablyPrime(n int) bool {
	switch {
	case n < 0:
		panic("negative n for ProbablyPrime")
	case x.neg:
		return false
	}
	return x.abs.isProbablyPrime(n)
}

// Sqrt is the root of x, rounded down.
func (z *Int) Sqrt(x *Int) *Int {
	if !x.neg {
		return z.become(false, z.abs.sqrt(x.abs))
	}
	panic("square root of negative number")
}

// ---- Bits. A negative number has those of two's complement, with ones for ever: the opposite bits of
// its amount less one.

// pattern has x's bits if x is not negative, and the opposite ones otherwise. Then it lies in z's
// memory.
func (x *Int) pattern(z nat) nat {
	if x.neg {
		return z.sub(x.abs, oneWord)
	}
	return x.abs
}

// ofPattern is the reverse.
func (z *Int) ofPattern(neg bool, t nat) *Int {
	if neg {
		t = z.abs.add(t, oneWord)
	}
	return z.become(neg, t)
}

func (z *Int) Lsh(x *Int, n uint) *Int { return z.become(x.neg, z.abs.lsh(x.abs, n)) }

func (z *Int) Rsh(x *Int, n uint) *Int {
	t := x.pattern(z.abs)
	if x.neg {
		z.abs = t
	}
	z.abs = z.abs.rsh(t, n)
	return z.ofPattern(x.neg, z.abs)
}

func bitIndex(i int) uint {
	if i < 0 {
		panic("negative bit index")
	}
	return uint(i)
}

// Bit is bit i of x.
func (x *Int) Bit(i int) uint {
	at := bitIndex(i)
	if x.neg && at > 0 {
		// Above the lowest one all bits are the opposite ones.
		if lowest := x.abs.trailingZeroBits(); at > lowest {
			return x.abs.bit(at) ^ 1
		}
	}
	return x.abs.bit(at)
}

// SetBit is x with bit i as given.
func (z *Int) SetBit(x *Int, i int, b uint) *Int {
	at := bitIndex(i)
	if !x.neg {
		return z.become(false, z.abs.withBit(x.abs, at, b))
	}
	t := x.pattern(z.abs)
	z.abs = t.withBit(t, at, b^1)
	return z.ofPattern(true, z.abs)
}

// Truth tables of two bits: bit 2x+y says what comes of x and y.
const (
	tableAnd    = 0b1000
	tableAndNot = 0b0100
	tableNotAnd = 0b0010
	tableXor    = 0b0110
	tableOr     = 0b1110
)

// combine does all bits by a truth table. Where an operand's bits are the opposite ones, the table is
// turned instead, and where those of the result are to be so, too.
func (z *Int) combine(table uint, x, y *Int) *Int {
	a, b := x.pattern(nil), y.pattern(nil)
	if x.neg {
		table = table>>2 | table<<2&0b1100
	}
	if y.neg {
		table = table>>1&0b0101 | table<<1&0b1010
	}
	neg := table&1 != 0
	if neg {
		table ^= 0b1111
	}
	switch table {
	case tableAnd:
		z.abs = z.abs.and(a, b)
	case tableAndNot:
		z.abs = z.abs.andNot(a, b)
	case tableNotAnd:
		z.abs = z.abs.andNot(b, a)
	case tableXor:
		z.abs = z.abs.xor(a, b)
	case tableOr:
		z.abs = z.abs.or(a, b)
	}
	return z.ofPattern(neg, z.abs)
}

func (z *Int) And(x, y *Int) *Int    { return z.combine(tableAnd, x, y) }
func (z *Int) AndNot(x, y *Int) *Int { return z.combine(tableAndNot, x, y) }
func (z *Int) Or(x, y *Int) *Int     { return z.combine(tableOr, x, y) }
func (z *Int) Xor(x, y *Int) *Int    { return z.combine(tableXor, x, y) }

// Not has the opposite bits.
func (z *Int) Not(x *Int) *Int {
	neg := !x.neg
	if neg {
		return z.ofPattern(true, x.abs)
	}
	return z.become(false, x.pattern(z.abs))
}
