package big

import (
	"math"
	"math/bits"
	"strconv"
)

// Limits of a Float's exponent and precision.
const (
	MaxExp  = math.MaxInt32
	MinExp  = math.MinInt32
	MaxPrec = math.MaxUint32
)

// A Float is a floating-point number: sign·0.mant·2**exp, the mantissa's highest bit being set.
type Float struct {
	prec uint32
	mode RoundingMode
	acc  Accuracy
	form form
	neg  bool
	mant nat
	exp  int32
}

type form byte

const (
	zero form = iota
	finite
	inf
)

// An ErrNaN is what operations panic with that have no result.
type ErrNaN struct {
	msg string
}

func (err ErrNaN) Error() string { return err.msg }

// A RoundingMode says which number takes the place of one that is too long.
type RoundingMode byte

const (
	ToNearestEven RoundingMode = iota
	ToNearestAway
	ToZero
	AwayFromZero
	ToNegativeInf
	ToPositiveInf
)

func (m RoundingMode) String() string {
	switch m {
	case ToNearestEven:
		return "ToNearestEven"
	case ToNearestAway:
		return "ToNearestAway"
	case ToZero:
		return "ToZero"
	case AwayFromZero:
		return "AwayFromZero"
	case ToNegativeInf:
		return "ToNegativeInf"
	case ToPositiveInf:
		return "ToPositiveInf"
	}
	return "RoundingMode(" + strconv.Itoa(int(m)) + ")"
}

// An Accuracy says on which side of the exact result a rounded one is.
type Accuracy int8

const (
	Below Accuracy = -1
	Exact Accuracy = 0
	Above Accuracy = +1
)

func (a Accuracy) String() string {
	switch a {
	case Below:
		return "Below"
	case Exact:
		return "Exact"
	case Above:
		return "Above"
	}
	return "Accuracy(" + strconv.Itoa(int(a)) + ")"
}

func sideOf(above bool) Accuracy {
	if above {
		return Above
	}
	return Below
}

func NewFloat(x float64) *Float {
	if math.IsNaN(x) {
		panic(ErrNaN{"NewFloat(NaN)"})
	}
	return new(Float).SetFloat64(x)
}

func (z *Float) SetPrec(prec uint) *Float {
	z.acc = Exact
	if prec == 0 {
		z.prec = 0
		if z.form == finite {
			z.acc = sideOf(z.neg)
			z.form = zero
		}
		return z
	}
	old := z.prec
	z.prec = uint32(min(prec, MaxPrec))
	if z.prec < old {
		z.round(false)
	}
	return z
}

func (z *Float) SetMode(mode RoundingMode) *Float {
	z.mode = mode
	z.acc = Exact
	return z
}

func (x *Float) Prec() uint         { return uint(x.prec) }
func (x *Float) Mode() RoundingMode { return x.mode }
func (x *Float) Acc() Accuracy      { return x.acc }
func (x *Float) Signbit() bool      { return x.neg }
func (x *Float) IsInf() bool        { return x.form == inf }

func (x *Float) MinPrec() uint {
	if x.form != finite {
		return 0
	}
	return uint(len(x.mant))*wordBits - x.mant.trailingZeroBits()
}

func (x *Float) Sign() int {
	switch {
	case x.form == zero:
		return 0
	case x.neg:
		return -1
	}
	return 1
}

func (x *Float) IsInt() bool {
	if x.form != finite {
		return x.form == zero
	}
	return x.exp > 0 && (x.prec <= uint32(x.exp) || x.MinPrec() <= uint(x.exp))
}

func (x *Float) MantExp(mant *Float) (exp int) {
	if x.form == finite {
		exp = int(x.exp)
	}
	if mant != nil {
		mant.Copy(x)
		if mant.form == finite {
			mant.exp = 0
		}
	}
	return exp
}

func (z *Float) SetMantExp(mant *Float, exp int) *Float {
	z.Copy(mant)
	if z.form == finite {
		z.setExp(int64(z.exp)+int64(exp), false)
	}
	return z
}

// setExp sets the exponent of a number whose mantissa is normalised, and rounds.
func (z *Float) setExp(exp int64, below bool) {
	switch {
	case exp < MinExp:
		z.acc = sideOf(z.neg)
		z.form = zero
	case exp > MaxExp:
		z.acc = sideOf(!z.neg)
		z.form = inf
	default:
		z.form = finite
		z.exp = int32(exp)
		z.round(below)
	}
}

// round makes the mantissa no longer than the precision; below says that something stands behind
// its end.
func (z *Float) round(below bool) {
	z.acc = Exact
	if z.form != finite || uint32(len(z.mant))*wordBits <= z.prec {
		return
	}
	var carry bool
	z.mant, z.acc, carry = z.mant.round(z.prec, below, z.mode, z.neg)
	if !carry {
		return
	}
	if z.exp == MaxExp {
		z.form = inf
		return
	}
	z.exp++
}

// normalise moves the mantissa up until its highest bit is set, and says by how much.
func (z *Float) normalise() int64 {
	s := bits.LeadingZeros64(uint64(z.mant[len(z.mant)-1]))
	if s > 0 {
		z.mant = z.mant.lsh(z.mant, uint(s))
	}
	return int64(s)
}

func (z *Float) setBits(neg bool, x uint64) *Float {
	if z.prec == 0 {
		z.prec = 64
	}
	z.acc = Exact
	z.neg = neg
	if x == 0 {
		z.form = zero
		return z
	}
	z.form = finite
	s := bits.LeadingZeros64(x)
	z.mant = z.mant.setUint64(x << s)
	z.exp = int32(64 - s)
	if z.prec < 64 {
		z.round(false)
	}
	return z
}

func (z *Float) SetUint64(x uint64) *Float { return z.setBits(false, x) }
func (z *Float) SetInt64(x int64) *Float   { return z.setBits(x < 0, amount(x)) }

func (z *Float) SetFloat64(x float64) *Float {
	if z.prec == 0 {
		z.prec = 53
	}
	if math.IsNaN(x) {
		panic(ErrNaN{"Float.SetFloat64(NaN)"})
	}
	z.acc = Exact
	z.neg = math.Signbit(x)
	if x == 0 {
		z.form = zero
		return z
	}
	if math.IsInf(x, 0) {
		z.form = inf
		return z
	}
	fraction, exp := math.Frexp(x)
	z.form = finite
	z.mant = z.mant.setUint64(1<<63 | math.Float64bits(fraction)<<11)
	z.exp = int32(exp)
	if z.prec < 53 {
		z.round(false)
	}
	return z
}

func (z *Float) SetInt(x *Int) *Float {
	n := x.BitLen()
	if z.prec == 0 {
		z.prec = max(uint32(n), 64)
	}
	z.acc = Exact
	z.neg = x.neg
	if n == 0 {
		z.form = zero
		return z
	}
	z.mant = z.mant.set(x.abs)
	z.normalise()
	z.setExp(int64(uint32(n)), false)
	return z
}

func (z *Float) SetRat(x *Rat) *Float {
	if x.IsInt() {
		return z.SetInt(x.Num())
	}
	var a, b Float
	a.SetInt(x.Num())
	b.SetInt(x.Denom())
	if z.prec == 0 {
		z.prec = max(a.prec, b.prec)
	}
	return z.Quo(&a, &b)
}

func (z *Float) SetInf(signbit bool) *Float {
	z.acc = Exact
	z.form = inf
	z.neg = signbit
	return z
}

func (z *Float) Set(x *Float) *Float {
	z.acc = Exact
	if z == x {
		return z
	}
	z.form, z.neg = x.form, x.neg
	if x.form == finite {
		z.exp = x.exp
		z.mant = z.mant.set(x.mant)
	}
	if z.prec == 0 {
		z.prec = x.prec
	} else if z.prec < x.prec {
		z.round(false)
	}
	return z
}

func (z *Float) Copy(x *Float) *Float {
	if z == x {
		return z
	}
	mant, exp := z.mant, z.exp
	if x.form == finite {
		mant, exp = mant.set(x.mant), x.exp
	}
	*z = Float{x.prec, x.mode, x.acc, x.form, x.neg, mant, exp}
	return z
}

// top has the 64 highest bits of the mantissa.
func (x *Float) top() uint64 { return uint64(x.mant[len(x.mant)-1]) }

func (x *Float) Uint64() (uint64, Accuracy) {
	switch {
	case x.form == zero:
		return 0, Exact
	case x.neg:
		return 0, Above
	case x.form == inf || x.exp > 64:
		return math.MaxUint64, Below
	case x.exp <= 0:
		return 0, Below
	}
	u := x.top() >> (64 - uint32(x.exp))
	if x.MinPrec() <= 64 {
		return u, Exact
	}
	return u, Below
}

func (x *Float) Int64() (int64, Accuracy) {
	if x.form == zero {
		return 0, Exact
	}
	acc := sideOf(x.neg)
	if x.form == inf || x.exp > 63 {
		if !x.neg {
			return math.MaxInt64, Below
		}
		if x.form == finite && x.exp == 64 && x.MinPrec() == 1 {
			acc = Exact
		}
		return math.MinInt64, acc
	}
	if x.exp <= 0 {
		return 0, acc
	}
	i := int64(x.top() >> (64 - uint32(x.exp)))
	if x.neg {
		i = -i
	}
	if x.MinPrec() <= uint(x.exp) {
		acc = Exact
	}
	return i, acc
}

// nearest is x rounded to size bits of mantissa, or fewer where denormal numbers have fewer; least
// is the lowest exponent of a bit, and greatest that of a number. It is exact as a float64.
func (x *Float) nearest(size, least, greatest int) (float64, Accuracy) {
	sign := 1.0
	if x.neg {
		sign = -1
	}
	switch x.form {
	case zero:
		return math.Copysign(0, sign), Exact
	case inf:
		return math.Inf(int(sign)), Exact
	}
	p := min(size, int(x.exp)-least)
	if p < 0 || p == 0 && x.MinPrec() == 1 {
		// It is half of the smallest number, or less.
		return math.Copysign(0, sign), sideOf(x.neg)
	}
	if p == 0 {
		return sign * math.Ldexp(1, least), sideOf(!x.neg)
	}
	r := Float{prec: uint32(p)}
	r.Set(x)
	if r.form == inf || int(r.exp)-1 > greatest {
		return math.Inf(int(sign)), sideOf(!x.neg)
	}
	f := math.Ldexp(float64(r.top()>>11), int(r.exp)-53)
	return sign * f, r.acc
}

func (x *Float) Float32() (float32, Accuracy) {
	f, acc := x.nearest(24, -149, 127)
	return float32(f), acc
}

func (x *Float) Float64() (float64, Accuracy) { return x.nearest(53, -1074, 1023) }

func (x *Float) Int(z *Int) (*Int, Accuracy) {
	if x.form == inf {
		return nil, sideOf(x.neg)
	}
	if z == nil {
		z = new(Int)
	}
	if x.form == zero {
		return z.SetInt64(0), Exact
	}
	acc := sideOf(x.neg)
	if x.exp <= 0 {
		return z.SetInt64(0), acc
	}
	if x.MinPrec() <= uint(x.exp) {
		acc = Exact
	}
	z.neg = x.neg
	if shift := int(x.exp) - len(x.mant)*wordBits; shift >= 0 {
		z.abs = z.abs.lsh(x.mant, uint(shift))
	} else {
		z.abs = z.abs.rsh(x.mant, uint(-shift))
	}
	return z, acc
}

func (x *Float) Rat(z *Rat) (*Rat, Accuracy) {
	if x.form == inf {
		return nil, sideOf(x.neg)
	}
	if z == nil {
		z = new(Rat)
	}
	if x.form == zero {
		return z.SetInt64(0), Exact
	}
	z.a.neg = x.neg
	z.b.abs = z.b.abs[:0]
	shift := int(x.exp) - len(x.mant)*wordBits
	z.a.abs = z.a.abs.lsh(x.mant, uint(max(shift, 0)))
	if shift < 0 {
		z.b.abs = z.b.abs.setUint64(1)
		z.b.abs = z.b.abs.lsh(z.b.abs, uint(-shift))
		z.norm()
	}
	return z, Exact
}

func (z *Float) Abs(x *Float) *Float {
	z.Set(x)
	z.neg = false
	return z
}

func (z *Float) Neg(x *Float) *Float {
	z.Set(x)
	z.neg = !z.neg
	return z
}

// low is the exponent of the mantissa's last bit.
func (x *Float) low() int64 { return int64(x.exp) - int64(len(x.mant))*wordBits }

// aligned has the mantissas of x and y with their last bits at the same exponent.
func aligned(x, y *Float) (xm, ym nat, low int64) {
	xm, ym = x.mant, y.mant
	xlow, ylow := x.low(), y.low()
	switch {
	case xlow > ylow:
		xm = nat(nil).lsh(xm, uint(xlow-ylow))
	case ylow > xlow:
		ym = nat(nil).lsh(ym, uint(ylow-xlow))
	}
	return xm, ym, min(xlow, ylow)
}

// setSum rounds a mantissa that has been computed; low is its last bit's exponent.
func (z *Float) setSum(low int64) {
	if len(z.mant) == 0 {
		z.acc = Exact
		z.form = zero
		z.neg = false
		return
	}
	n := int64(len(z.mant)) * wordBits
	z.setExp(low+n-z.normalise(), false)
}

// addSigned is x + y, where y's sign is as given; both are finite.
func (z *Float) addSigned(x, y *Float, yneg bool) *Float {
	xneg := x.neg
	xm, ym, low := aligned(x, y)
	switch {
	case xneg == yneg:
		z.neg = xneg
		z.mant = z.mant.add(xm, ym)
	case x.cmpAmount(y) > 0:
		z.neg = xneg
		z.mant = z.mant.sub(xm, ym)
	default:
		z.neg = !xneg
		z.mant = z.mant.sub(ym, xm)
	}
	z.setSum(low)
	if z.form == zero && z.mode == ToNegativeInf && z.acc == Exact {
		z.neg = true
	}
	return z
}

// take is the precision that a result has which was given none.
func (z *Float) take(x, y *Float) {
	if z.prec == 0 {
		z.prec = max(x.prec, y.prec)
	}
}

// fail leaves 0 and panics.
func (z *Float) fail(msg string) {
	z.acc = Exact
	z.form = zero
	z.neg = false
	panic(ErrNaN{msg})
}

func (z *Float) Add(x, y *Float) *Float {
	z.take(x, y)
	if x.form == finite && y.form == finite {
		return z.addSigned(x, y, y.neg)
	}
	switch {
	case x.form == inf && y.form == inf && x.neg != y.neg:
		z.fail("addition of infinities with opposite signs")
	case x.form == zero && y.form == zero:
		z.acc = Exact
		z.form = zero
		z.neg = x.neg && y.neg
		return z
	case x.form == inf || y.form == zero:
		return z.Set(x)
	}
	return z.Set(y)
}

func (z *Float) Sub(x, y *Float) *Float {
	z.take(x, y)
	if x.form == finite && y.form == finite {
		return z.addSigned(x, y, !y.neg)
	}
	switch {
	case x.form == inf && y.form == inf && x.neg == y.neg:
		z.fail("subtraction of infinities with equal signs")
	case x.form == zero && y.form == zero:
		z.acc = Exact
		z.form = zero
		z.neg = x.neg && !y.neg
		return z
	case x.form == inf || y.form == zero:
		return z.Set(x)
	}
	return z.Neg(y)
}

func (z *Float) Mul(x, y *Float) *Float {
	z.take(x, y)
	xform, yform := x.form, y.form
	z.neg = x.neg != y.neg
	if xform == finite && yform == finite {
		exp := int64(x.exp) + int64(y.exp)
		z.mant = z.mant.mul(x.mant, y.mant)
		z.setExp(exp-z.normalise(), false)
		return z
	}
	if xform == zero && yform == inf || xform == inf && yform == zero {
		z.fail("multiplication of zero with infinity")
	}
	z.acc = Exact
	z.form = zero
	if xform == inf || yform == inf {
		z.form = inf
	}
	return z
}

func (z *Float) Quo(x, y *Float) *Float {
	z.take(x, y)
	xform, yform := x.form, y.form
	z.neg = x.neg != y.neg
	if xform == finite && yform == finite {
		z.divide(x, y)
		return z
	}
	if xform == yform {
		z.fail("division of zero by zero or infinity by infinity")
	}
	z.acc = Exact
	z.form = inf
	if xform == zero || yform == inf {
		z.form = zero
	}
	return z
}

func (z *Float) divide(x, y *Float) {
	// The quotient has a word more than the result, and the remainder says whether something is
	// behind it.
	n := int(z.prec/wordBits) + 1
	u := x.mant
	if more := n - len(x.mant) + len(y.mant); more > 0 {
		u = make(nat, len(x.mant)+more)
		copy(u[more:], x.mant)
	}
	exp := int64(x.exp) - int64(y.exp) - int64(len(u)-len(y.mant))*wordBits
	var r nat
	z.mant, r = z.mant.div(nil, u, y.mant)
	exp += int64(len(z.mant)) * wordBits
	z.setExp(exp-z.normalise(), len(r) > 0)
}

// cmpAmount compares without signs.
func (x *Float) cmpAmount(y *Float) int {
	if x.exp != y.exp {
		if x.exp < y.exp {
			return -1
		}
		return 1
	}
	i, j := len(x.mant), len(y.mant)
	for i > 0 || j > 0 {
		var a, b Word
		if i--; i >= 0 {
			a = x.mant[i]
		}
		if j--; j >= 0 {
			b = y.mant[j]
		}
		if a != b {
			if a < b {
				return -1
			}
			return 1
		}
	}
	return 0
}

// rank orders numbers by sign and form.
func (x *Float) rank() int {
	r := int(x.form)
	if x.neg {
		return -r
	}
	return r
}

func (x *Float) Cmp(y *Float) int {
	a, b := x.rank(), y.rank()
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	case a == 1:
		return x.cmpAmount(y)
	case a == -1:
		return y.cmpAmount(x)
	}
	return 0
}

// Sqrt approximates 1/√x first, by Newton's steps of which each doubles the bits that are right;
// the rounding is that of the product with x, as in Go.
func (z *Float) Sqrt(x *Float) *Float {
	if z.prec == 0 {
		z.prec = x.prec
	}
	if x.Sign() < 0 {
		panic(ErrNaN{"square root of negative operand"})
	}
	if x.form != finite {
		z.acc = Exact
		z.form, z.neg = x.form, x.neg
		return z
	}
	prec := z.prec
	exp := x.MantExp(z)
	z.prec = prec
	z.exp += int32(exp % 2)
	f, _ := z.Float64()
	root := new(Float).SetFloat64(1 / math.Sqrt(f))
	u, v, three := new(Float), new(Float), NewFloat(3)
	for root.prec < prec+32 {
		// t becomes ½t(3 - zt²).
		root.prec *= 2
		u.prec, v.prec = root.prec, root.prec
		u.Mul(root, root)
		u.Mul(z, u)
		v.Sub(three, u)
		u.Mul(root, v)
		u.exp--
		root.Set(u)
	}
	z.Mul(z, root)
	return z.SetMantExp(z, exp/2)
}
