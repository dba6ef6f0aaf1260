package big

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// A Rat is a fraction in lowest terms. An empty denominator is 1, so that the zero value is 0.
type Rat struct {
	a, b Int
}

func NewRat(a, b int64) *Rat { return new(Rat).SetFrac64(a, b) }

// one makes 1 the denominator.
func (z *Rat) one() *Rat {
	z.b.abs = z.b.abs.setUint64(1)
	return z
}

// under is the denominator.
func (x *Rat) under() nat {
	if len(x.b.abs) == 0 {
		return natOne
	}
	return x.b.abs
}

func (z *Rat) norm() *Rat {
	if len(z.a.abs) == 0 {
		z.a.neg = false
		return z.one()
	}
	if len(z.b.abs) == 0 {
		return z.one()
	}
	z.b.neg = false
	if len(z.b.abs) == 1 && z.b.abs[0] == 1 {
		return z
	}
	if f, _, _ := gcd(z.a.abs, z.b.abs, false); f.cmp(natOne) != 0 {
		z.a.abs = z.a.abs.quo(z.a.abs, f)
		z.b.abs = z.b.abs.quo(z.b.abs, f)
	}
	return z
}

func (z *Rat) SetFloat64(f float64) *Rat {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return nil
	}
	fraction, exp := math.Frexp(f)
	z.a.SetInt64(int64(math.Ldexp(fraction, 53)))
	z.b.neg = false
	z.one()
	if exp -= 53; exp >= 0 {
		z.a.Lsh(&z.a, uint(exp))
	} else {
		z.b.Lsh(&z.b, uint(-exp))
	}
	return z.norm()
}

// quotient is a/b as a number with size bits of mantissa whose exponents begin at least, rounded to
// the nearest, even ones first.
func quotient(a, b nat, size, least int) (f float64, exact bool) {
	if len(a) == 0 {
		return 0, true
	}
	// The quotient has one bit or two more than it needs, so that its last bits and the remainder
	// tell how to round.
	exp := a.bitLen() - b.bitLen()
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

func (x *Rat) Float32() (f float32, exact bool) {
	d, exact := quotient(x.a.abs, x.under(), 24, -149)
	f = float32(d)
	if math.IsInf(float64(f), 0) {
		exact = false
	}
	if x.a.neg {
		f = -f
	}
	return f, exact
}

func (x *Rat) Float64() (f float64, exact bool) {
	f, exact = quotient(x.a.abs, x.under(), 53, -1074)
	if math.IsInf(f, 0) {
		exact = false
	}
	if x.a.neg {
		f = -f
	}
	return f, exact
}

const divisionByZero = "division by zero"

func (z *Rat) SetFrac(a, b *Int) *Rat {
	if len(b.abs) == 0 {
		panic(divisionByZero)
	}
	neg, under := a.neg != b.neg, b.abs
	if &z.a == b || alias(z.a.abs, under) {
		under = nat(nil).set(under)
	}
	z.a.abs = z.a.abs.set(a.abs)
	z.a.neg = neg
	z.b.abs = z.b.abs.set(under)
	return z.norm()
}

func (z *Rat) SetFrac64(a, b int64) *Rat {
	if b == 0 {
		panic(divisionByZero)
	}
	z.a.SetInt64(a)
	if b < 0 {
		z.a.neg = !z.a.neg
	}
	z.b.abs = z.b.abs.setUint64(amount(b))
	return z.norm()
}

func (z *Rat) SetInt(x *Int) *Rat {
	z.a.Set(x)
	return z.one()
}

func (z *Rat) SetInt64(x int64) *Rat {
	z.a.SetInt64(x)
	return z.one()
}

func (z *Rat) SetUint64(x uint64) *Rat {
	z.a.SetUint64(x)
	return z.one()
}

func (z *Rat) Set(x *Rat) *Rat {
	if z != x {
		z.a.Set(&x.a)
		z.b.Set(&x.b)
	}
	if len(z.b.abs) == 0 {
		z.one()
	}
	return z
}

func (z *Rat) Abs(x *Rat) *Rat {
	z.Set(x)
	z.a.neg = false
	return z
}

func (z *Rat) Neg(x *Rat) *Rat {
	z.Set(x)
	z.a.finish(!z.a.neg)
	return z
}

func (z *Rat) Inv(x *Rat) *Rat {
	if len(x.a.abs) == 0 {
		panic(divisionByZero)
	}
	z.Set(x)
	z.a.abs, z.b.abs = z.b.abs, z.a.abs
	return z
}

func (x *Rat) Sign() int   { return x.a.Sign() }
func (x *Rat) IsInt() bool { return x.under().cmp(natOne) == 0 }
func (x *Rat) Num() *Int   { return &x.a }

func (x *Rat) Denom() *Int {
	if len(x.b.abs) == 0 {
		return &Int{abs: nat{1}}
	}
	return &x.b
}

// times is x with its amount multiplied by a denominator.
func (x *Int) times(under nat) *Int {
	if len(under) == 0 {
		return new(Int).Set(x)
	}
	return &Int{x.neg, nat(nil).mul(x.abs, under)}
}

// mulUnder makes z's denominator the product of those of x and y.
func (z *Rat) mulUnder(x, y *Rat) {
	z.b.abs = z.b.abs.mul(x.under(), y.under())
}

func (x *Rat) Cmp(y *Rat) int {
	return x.a.times(y.b.abs).Cmp(y.a.times(x.b.abs))
}

func (z *Rat) Add(x, y *Rat) *Rat {
	a, b := x.a.times(y.b.abs), y.a.times(x.b.abs)
	z.a.Add(a, b)
	z.mulUnder(x, y)
	return z.norm()
}

func (z *Rat) Sub(x, y *Rat) *Rat {
	a, b := x.a.times(y.b.abs), y.a.times(x.b.abs)
	z.a.Sub(a, b)
	z.mulUnder(x, y)
	return z.norm()
}

func (z *Rat) Mul(x, y *Rat) *Rat {
	z.a.Mul(&x.a, &y.a)
	z.mulUnder(x, y)
	if x == y {
		// The square of a fraction in lowest terms is one.
		return z
	}
	return z.norm()
}

func (z *Rat) Quo(x, y *Rat) *Rat {
	if len(y.a.abs) == 0 {
		panic(divisionByZero)
	}
	a, b := x.a.times(y.b.abs), y.a.times(x.b.abs)
	z.a.abs, z.b.abs = a.abs, b.abs
	z.a.neg = a.neg != b.neg
	return z.norm()
}

func (z *Rat) Scan(s fmt.ScanState, ch rune) error {
	isPart := func(ch rune) bool { return strings.ContainsRune("+-/0123456789.eE", ch) }
	token, err := s.Token(true, isPart)
	if err != nil {
		return err
	}
	if !strings.ContainsRune("efgEFGv", ch) {
		return errors.New("Rat.Scan: invalid verb")
	}
	if _, ok := z.SetString(string(token)); !ok {
		return errors.New("Rat.Scan: invalid syntax")
	}
	return nil
}

func (z *Rat) SetString(s string) (*Rat, bool) {
	if above, below, ok := strings.Cut(s, "/"); ok {
		if _, ok := z.a.SetString(above, 0); !ok {
			return nil, false
		}
		t := &text{s: below}
		num, err := scanNumeral(t, z.b.abs, 0, false)
		z.b.abs = num.abs
		if err != nil || t.i < len(below) || len(num.abs) == 0 {
			return nil, false
		}
		return z.norm(), true
	}
	t := &text{s: s}
	neg, err := scanSign(t)
	if err != nil {
		return nil, false
	}
	num, err := scanNumeral(t, z.a.abs, 0, true)
	z.a.abs = num.abs
	if err != nil {
		return nil, false
	}
	exp, base, err := scanExponent(t, true, true)
	if err != nil || t.i < len(s) {
		return nil, false
	}
	if len(z.a.abs) == 0 {
		return z.norm(), true
	}
	exp2, exp5 := num.powers(exp, base)
	if exp5 == math.MinInt64 || exp5 > 1e6 || exp5 < -1e6 {
		return nil, false
	}
	z.one()
	if exp5 != 0 {
		power := z.b.abs.exp(natFive, nat{Word(amount(exp5))}, nil)
		if exp5 > 0 {
			z.a.abs = z.a.abs.mul(z.a.abs, power)
			z.b.abs = z.b.abs.setUint64(1)
		} else {
			z.b.abs = power
		}
	}
	if exp2 < -1e7 || exp2 > 1e7 {
		return nil, false
	}
	if exp2 > 0 {
		z.a.abs = z.a.abs.lsh(z.a.abs, uint(exp2))
	} else if exp2 < 0 {
		z.b.abs = z.b.abs.lsh(z.b.abs, uint(-exp2))
	}
	z.a.finish(neg)
	return z.norm(), true
}

// powers says by what powers of 2 and 5 the digits are to be multiplied, if such an exponent
// follows them.
func (n *numeral) powers(exp int64, base int) (exp2, exp5 int64) {
	if n.count < 0 {
		d := int64(n.count)
		switch n.base {
		case 10:
			exp2, exp5 = d, d
		case 2:
			exp2 = d
		case 8:
			exp2 = 3 * d
		case 16:
			exp2 = 4 * d
		}
	}
	if base == 10 {
		exp5 += exp
	}
	return exp2 + exp, exp5
}

// scanExponent reads an exponent to base 10, or 2 if that is allowed: 0 if there is none.
func scanExponent[R io.ByteScanner](r R, base2Ok, sepOk bool) (exp int64, base int, err error) {
	c, err := r.ReadByte()
	if err != nil {
		if err == io.EOF {
			err = nil
		}
		return 0, 10, err
	}
	switch {
	case c == 'e' || c == 'E':
		base = 10
	case base2Ok && (c == 'p' || c == 'P'):
		base = 2
	default:
		r.UnreadByte()
		return 0, 10, nil
	}
	var digits []byte
	c, err = r.ReadByte()
	if err == nil && (c == '+' || c == '-') {
		if c == '-' {
			digits = append(digits, c)
		}
		c, err = r.ReadByte()
	}
	hasDigits, badSep, prev := false, false, '.'
reading:
	for ; err == nil; c, err = r.ReadByte() {
		switch {
		case '0' <= c && c <= '9':
			digits = append(digits, c)
			prev = '0'
			hasDigits = true
		case c == '_' && sepOk:
			badSep = badSep || prev != '0'
			prev = '_'
		default:
			r.UnreadByte()
			break reading
		}
	}
	switch {
	case err != nil && err != io.EOF:
		return 0, base, err
	case !hasDigits:
		return 0, base, errNoDigits
	}
	exp, err = strconv.ParseInt(string(digits), 10, 64)
	if err == nil && (badSep || prev == '_') {
		err = errInvalSep
	}
	return exp, base, err
}

func (x *Rat) fraction(buf []byte) []byte {
	buf = append(x.a.Append(buf, 10), '/')
	return append(buf, x.under().text(false, 10)...)
}

func (x *Rat) String() string { return string(x.fraction(nil)) }

func (x *Rat) RatString() string {
	if x.IsInt() {
		return x.a.String()
	}
	return x.String()
}

func (x *Rat) FloatString(prec int) string {
	if x.IsInt() {
		buf := x.a.Append(nil, 10)
		if prec > 0 {
			buf = append(buf, '.')
			buf = appendZeros(buf, prec)
		}
		return string(buf)
	}
	scale := natOne
	if prec > 0 {
		scale = nat(nil).exp(natTen, nat{Word(prec)}, nil)
	}
	q, r := nat(nil).div(nil, nat(nil).mul(x.a.abs, scale), x.b.abs)
	// Halves are rounded away from 0.
	if r.lsh(r, 1).cmp(x.b.abs) >= 0 {
		q = q.add(q, natOne)
	}
	var buf []byte
	if x.a.neg {
		buf = append(buf, '-')
	}
	digits := q.text(false, 10)
	if prec <= 0 {
		return string(append(buf, digits...))
	}
	if len(digits) <= prec {
		digits = strings.Repeat("0", prec+1-len(digits)) + digits
	}
	point := len(digits) - prec
	buf = append(buf, digits[:point]...)
	buf = append(buf, '.')
	return string(append(buf, digits[point:]...))
}

func appendZeros(buf []byte, n int) []byte {
	for ; n > 0; n-- {
		buf = append(buf, '0')
	}
	return buf
}

func (x *Rat) FloatPrec() (n int, exact bool) {
	d := x.under()
	twos := d.trailingZeroBits()
	rest := nat(nil).rsh(d, twos)
	// powers has 5 to the powers of two, up to the greatest that divides.
	var powers []nat
	for f := nat(natFive); ; f = nat(nil).mul(f, f) {
		if len(nat(nil).rem(rest, f)) > 0 {
			break
		}
		powers = append(powers, f)
	}
	fives := uint(0)
	for i := len(powers) - 1; i >= 0; i-- {
		if q, r := nat(nil).div(nil, rest, powers[i]); len(r) == 0 {
			rest = q
			fives += 1 << i
		}
	}
	return int(max(twos, fives)), rest.cmp(natOne) == 0
}

const ratGobVersion = 1

func (x *Rat) GobEncode() ([]byte, error) {
	if x == nil {
		return nil, nil
	}
	const head = 1 + 4 // version and sign, and the numerator's length
	buf := make([]byte, head+(len(x.a.abs)+len(x.b.abs))*wordBytes)
	i := x.b.abs.putBytes(buf)
	j := x.a.abs.putBytes(buf[:i])
	n := i - j
	if uint64(n) > math.MaxUint32 {
		return nil, errors.New("Rat.GobEncode: numerator too large")
	}
	buf = buf[j-head:]
	buf[0] = ratGobVersion << 1
	if x.a.neg {
		buf[0] |= 1
	}
	binary.BigEndian.PutUint32(buf[1:], uint32(n))
	return buf, nil
}

func (z *Rat) GobDecode(buf []byte) error {
	if len(buf) == 0 {
		*z = Rat{}
		return nil
	}
	const head = 1 + 4
	if len(buf) < head {
		return errors.New("Rat.GobDecode: buffer too small")
	}
	if v := buf[0] >> 1; v != ratGobVersion {
		return fmt.Errorf("Rat.GobDecode: encoding version %d not supported", v)
	}
	neg, rest := buf[0]&1 != 0, buf[head:]
	n := int(binary.BigEndian.Uint32(buf[1:]))
	if len(rest) < n {
		return errors.New("Rat.GobDecode: buffer too small")
	}
	z.a.neg = neg
	z.a.abs = z.a.abs.setBytes(rest[:n])
	z.b.abs = z.b.abs.setBytes(rest[n:])
	return nil
}

func (x *Rat) AppendText(b []byte) ([]byte, error) {
	if x.IsInt() {
		return x.a.AppendText(b)
	}
	return x.fraction(b), nil
}

func (x *Rat) MarshalText() (text []byte, err error) { return x.AppendText(nil) }

func (z *Rat) UnmarshalText(text []byte) error {
	if _, ok := z.SetString(string(text)); !ok {
		return fmt.Errorf("math/big: cannot unmarshal %q into a *big.Rat", text)
	}
	return nil
}
