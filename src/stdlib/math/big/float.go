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

// A Float is a floating-point number: sign·0.mant·2**exp, the mantissa's highest bit being set. All
// operations compute a mantissa that is long enough, and end in set, which normalises and rounds it.
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

// nameAt is a name from a list, or says which number of a type has none.
func nameAt(names []string, i int, typ string, number int) string {
	if 0 <= i && i < len(names) {
		return names[i]
	}
	return typ + "(" + strconv.Itoa(number) + ")"
}

func (m RoundingMode) String() string {
	names := []string{
		"ToNearestEven", "ToNearestAway", "ToZero", "AwayFromZero", "ToNegativeInf", "ToPositiveInf",
	}
	return nameAt(names, int(m), "RoundingMode", int(m))
}

// An Accuracy says on which side of the exact result a rounded one is.
type Accuracy int8

const (
	Below Accuracy = -1
	Exact Accuracy = 0
	Above Accuracy = +1
)

func (a Accuracy) String() string {
	return nameAt([]string{"Below", "Exact", "Above"}, int(a)+1, "Accuracy", int(a))
}

// shrunk is the accuracy of a result whose amount is less than the exact one's.
func shrunk(neg bool) Accuracy {
	if neg {
		return Above
	}
	return Below
}

// NewFloat makes a Float of x, with its precision.
func NewFloat(x float64) *Float {
	if x != x {
		panic(ErrNaN{"NewFloat(NaN)"})
	}
	return new(Float).SetFloat64(x)
}

// ---- What all results go through.

// exactly sets z to 0 or to infinity.
func (z *Float) exactly(f form, neg bool) *Float {
	z.form, z.neg, z.acc = f, neg, Exact
	return z
}

// fail leaves 0 and panics.
func (z *Float) fail(msg string) {
	z.exactly(zero, false)
	panic(ErrNaN{msg})
}

// beyond sets z to 0 or to infinity in place of a number that has no room in a Float.
func (z *Float) beyond(f form) *Float {
	z.form = f
	z.acc = shrunk(z.neg)
	if f == inf {
		z.acc = -z.acc
	}
	return z
}

// set sets z to mant·2**low, whatever zeros mant begins with; below says that there is something behind
// its end. The memory of mant becomes z's.
func (z *Float) set(neg bool, mant nat, low int64, below bool) *Float {
	if len(mant) == 0 {
		return z.exactly(zero, neg)
	}
	z.neg = neg
	exp := low + int64(mant.width())
	if s := bits.LeadingZeros64(uint64(mant[len(mant)-1])); s > 0 && len(mant) == 1 {
		mant[0] <<= s
	} else if s > 0 {
		mant = mant.lsh(mant, uint(s))
	}
	z.mant = mant
	return z.scale(exp, below)
}

// scale sets the exponent of a number whose mantissa is normalised, and rounds.
func (z *Float) scale(exp int64, below bool) *Float {
	if exp > MaxExp {
		return z.beyond(inf)
	}
	if exp < MinExp {
		return z.beyond(zero)
	}
	z.form, z.exp = finite, int32(exp)
	return z.round(below)
}

// round makes the mantissa no longer than the precision.
func (z *Float) round(below bool) *Float {
	z.acc = Exact
	if z.form != finite || uint(len(z.mant))*wordBits <= uint(z.prec) {
		return z
	}
	if len(z.mant) == 1 && !below && z.prec > 0 && z.mant[0]<<z.prec == 0 {
		return z // it is short enough as it is
	}
	var carry bool
	z.mant, z.acc, carry = z.mant.round(z.prec, below, z.mode, z.neg)
	if carry && z.exp == MaxExp {
		z.form = inf
	} else if carry {
		z.exp++
	}
	return z
}

// low is the exponent of the mantissa's last bit.
func (x *Float) low() int64 { return int64(x.exp) - int64(len(x.mant))*wordBits }

// top has the 64 highest bits of the mantissa.
func (x *Float) top() uint64 { return uint64(x.mant[len(x.mant)-1]) }

// precise gives z a precision, unless it has one.
func (z *Float) precise(prec uint32) *Float {
	if z.prec == 0 {
		z.prec = prec
	}
	return z
}

// ---- Attributes.

// SetPrec sets the precision, and rounds.
func (z *Float) SetPrec(prec uint) *Float {
	rounds := prec < uint(z.prec)
	z.prec, z.acc = uint32(min(prec, MaxPrec)), Exact
	switch {
	case prec == 0 && z.form == finite:
		return z.beyond(zero)
	case rounds:
		z.round(false)
	}
	return z
}

// SetMode sets the way results are rounded; the accuracy becomes Exact.
func (z *Float) SetMode(mode RoundingMode) *Float {
	z.mode, z.acc = mode, Exact
	return z
}

// MinPrec is the precision that x needs.
func (x *Float) MinPrec() uint {
	if x.form == finite {
		return uint(len(x.mant))*wordBits - x.mant.trailingZeroBits()
	}
	return 0
}

// rank orders numbers by sign and form.
func (x *Float) rank() int {
	if x.neg {
		return -int(x.form)
	}
	return int(x.form)
}

func (x *Float) Prec() uint         { return uint(x.prec) }
func (x *Float) Mode() RoundingMode { return x.mode }
func (x *Float) Acc() Accuracy      { return x.acc }
func (x *Float) Signbit() bool      { return x.neg }
func (x *Float) IsInf() bool        { return x.form == inf }

func (x *Float) Sign() int { return max(-1, min(x.rank(), 1)) }

// IsInt says whether x is an integer.
func (x *Float) IsInt() bool {
	return x.form == zero || x.form == finite && x.exp > 0 && x.MinPrec() <= uint(x.exp)
}

// MantExp gives the exponent, and sets mant to x with the exponent 0 unless it is nil.
func (x *Float) MantExp(mant *Float) (exp int) {
	isFinite, exp := x.form == finite, int(x.exp)
	if !isFinite {
		exp = 0
	}
	if mant != nil {
		if mant.Copy(x); isFinite {
			mant.exp = 0
		}
	}
	return exp
}

// SetMantExp sets z to mant·2**exp.
func (z *Float) SetMantExp(mant *Float, exp int) *Float {
	z.Copy(mant)
	if z.form != finite {
		return z
	}
	z.scale(int64(z.exp)+int64(exp), false)
	return z
}

// ---- From other numbers.

func (z *Float) SetUint64(x uint64) *Float {
	return z.precise(64).set(false, z.mant.ofWord(x), 0, false)
}

func (z *Float) SetInt64(x int64) *Float {
	return z.precise(64).set(x < 0, z.mant.ofWord(amount(x)), 0, false)
}

// SetFloat64 sets z to x; it panics for NaN.
func (z *Float) SetFloat64(x float64) *Float {
	z.precise(53)
	neg := math.Signbit(x)
	switch {
	case x != x:
		panic(ErrNaN{"Float.SetFloat64(NaN)"})
	case x-x != 0:
		return z.exactly(inf, neg)
	}
	m, exp := splitFloat(x)
	return z.set(neg, z.mant.ofWord(m), int64(exp), false)
}

func (z *Float) SetInt(x *Int) *Float {
	z.precise(uint32(max(x.BitLen(), 64)))
	return z.set(x.neg, z.mant.set(x.abs), 0, false)
}

func (z *Float) SetRat(x *Rat) *Float {
	above := new(Float).SetInt(&x.a)
	if x.IsInt() {
		return z.precise(above.prec).Set(above)
	}
	return z.Quo(above, new(Float).SetInt(&x.b))
}

func (z *Float) SetInf(signbit bool) *Float { return z.exactly(inf, signbit) }

// assign takes over the number that x is, but for its precision.
func (z *Float) assign(x *Float) {
	z.form, z.neg = x.form, x.neg
	if x.form == finite && z != x {
		z.mant, z.exp = z.mant.set(x.mant), x.exp
	}
}

// Set sets z to x, rounded to z's precision.
func (z *Float) Set(x *Float) *Float {
	z.acc = Exact
	if z == x {
		return z
	}
	z.assign(x)
	if z.precise(x.prec).prec < x.prec {
		z.round(false)
	}
	return z
}

// Copy sets z to x with all its attributes.
func (z *Float) Copy(x *Float) *Float {
	z.assign(x)
	z.prec, z.mode, z.acc = x.prec, x.mode, x.acc
	return z
}

// ---- To other numbers.

// whole is the amount of x as an integer, rounded towards zero, and on which side of x that is; fits
// says whether it is below 2**64.
func (x *Float) whole() (u uint64, acc Accuracy, fits bool) {
	acc = shrunk(x.neg)
	switch {
	case x.form == zero:
		return 0, Exact, true
	case x.form == inf || x.exp > 64:
		return 0, acc, false
	case x.exp <= 0:
		return 0, acc, true
	}
	if x.MinPrec() <= uint(x.exp) {
		acc = Exact
	}
	return x.top() >> (64 - uint(x.exp)), acc, true
}

// Uint64 is x rounded towards zero, or the limit it is beyond.
func (x *Float) Uint64() (uint64, Accuracy) {
	u, acc, fits := x.whole()
	switch {
	case x.neg && x.form != zero:
		return 0, Above
	case !fits:
		return math.MaxUint64, Below
	case x.exp > 0 && x.MinPrec() <= 64:
		return u, Exact // as in Go, even if there is a fraction
	}
	return u, acc
}

// Int64 is x rounded towards zero, or the limit it is beyond.
func (x *Float) Int64() (int64, Accuracy) {
	const limit = 1 << 63
	u, acc, fits := x.whole()
	switch {
	case fits && u < limit && x.neg:
		return -int64(u), acc
	case fits && u < limit:
		return int64(u), acc
	case !x.neg:
		return math.MaxInt64, Below
	case fits && u == limit:
		return math.MinInt64, acc
	}
	return math.MinInt64, Above
}

// nearest is x rounded to size bits of mantissa, or fewer where denormal numbers have fewer; least
// is the lowest exponent of a bit, and greatest that of a number. It is exact as a float64.
func (x *Float) nearest(size, least, greatest int) (float64, Accuracy) {
	f, acc := 0.0, Exact
	switch p := min(size, int(x.exp)-least); {
	case x.form == zero:
	case x.form == inf:
		f = math.Inf(1)
	case p < 0 || p == 0 && x.MinPrec() == 1:
		// It is half of the smallest number, or less.
		acc = shrunk(x.neg)
	case p == 0:
		f, acc = math.Ldexp(1, least), -shrunk(x.neg)
	default:
		r := Float{prec: uint32(p)}
		r.Set(x)
		f, acc = math.Ldexp(float64(r.top()>>11), int(r.exp)-53), r.acc
		if r.form == inf || int(r.exp)-1 > greatest {
			f, acc = math.Inf(1), -shrunk(x.neg)
		}
	}
	if x.neg {
		f = -f
	}
	return f, acc
}

// Float32 is the nearest float32, and on which side of x that is.
func (x *Float) Float32() (float32, Accuracy) {
	f, acc := x.nearest(24, -149, 127)
	return float32(f), acc
}

// Float64 is the nearest float64, and on which side of x that is.
func (x *Float) Float64() (float64, Accuracy) { return x.nearest(53, -1074, 1023) }

// shifted is the mantissa times 2**n, rounded down.
func (x *Float) shifted(z nat, n int64) nat {
	if n < 0 {
		return z.rsh(x.mant, uint(-n))
	}
	return z.lsh(x.mant, uint(n))
}

// Int sets z to x rounded towards zero, or a new Int if z is nil; for infinities it gives nil.
func (x *Float) Int(z *Int) (*Int, Accuracy) {
	acc := shrunk(x.neg)
	if x.form == inf {
		return nil, acc
	}
	if z == nil {
		z = new(Int)
	}
	if x.IsInt() {
		acc = Exact
	}
	if x.form == zero || x.exp <= 0 {
		return z.SetUint64(0), acc
	}
	return z.become(x.neg, x.shifted(z.abs, x.low())), acc
}

// Rat sets z to x, or a new Rat if z is nil; for infinities it gives nil.
func (x *Float) Rat(z *Rat) (*Rat, Accuracy) {
	if x.form == inf {
		return nil, shrunk(x.neg)
	}
	if z == nil {
		z = new(Rat)
	}
	if x.form == zero {
		return z.SetUint64(0), Exact
	}
	low := x.low()
	above, below := x.shifted(z.a.abs, max(low, 0)), z.b.abs.ofWord(1)
	if low < 0 {
		below = below.lsh(below, uint(-low))
	}
	return z.reduce(x.neg, above, below), Exact
}

// ---- Arithmetic.

func (z *Float) Abs(x *Float) *Float { return z.signed(x, false) }
func (z *Float) Neg(x *Float) *Float { return z.signed(x, !x.neg) }

// signed sets z to x, with this sign.
func (z *Float) signed(x *Float, neg bool) *Float {
	z.Set(x).neg = neg
	return z
}

// sum is x + y, where y's sign is as given.
func (z *Float) sum(x, y *Float, yneg bool, fault string) *Float {
	z.precise(max(x.prec, y.prec))
	switch {
	case x.form == finite && y.form == finite:
		return z.finiteSum(x, y, yneg)
	case x.form == inf && y.form == inf && x.neg != yneg:
		z.fail(fault)
	case x.form == zero && y.form == zero:
		return z.exactly(zero, x.neg && yneg)
	case x.form == inf || y.form == zero:
		return z.Set(x)
	}
	z.Set(y)
	z.neg = yneg
	return z
}

func (z *Float) finiteSum(x, y *Float, yneg bool) *Float {
	a, b, neg := x, y, x.neg
	if x.neg != yneg && x.cmpAmount(y) <= 0 {
		a, b, neg = y, x, yneg // the smaller amount is subtracted
	}
	// Both last bits get the same exponent.
	low := min(a.low(), b.low())
	am, bm := a.mant, b.mant
	if a.low() > low {
		am = a.shifted(nil, a.low()-low)
	} else if b.low() > low {
		bm = b.shifted(nil, b.low()-low)
	}
	m := z.mant
	if x.neg == yneg {
		m = m.add(am, bm)
	} else if m = m.sub(am, bm); len(m) == 0 {
		neg = z.mode == ToNegativeInf
	}
	return z.set(neg, m, low, false)
}

func (z *Float) Add(x, y *Float) *Float {
	return z.sum(x, y, y.neg, "addition of infinities with opposite signs")
}

func (z *Float) Sub(x, y *Float) *Float {
	return z.sum(x, y, !y.neg, "subtraction of infinities with equal signs")
}

func (z *Float) Mul(x, y *Float) *Float {
	z.precise(max(x.prec, y.prec))
	neg := x.neg != y.neg
	switch f := x.form + y.form; {
	case x.form == finite && y.form == finite:
		return z.set(neg, z.mant.mul(x.mant, y.mant), x.low()+y.low(), false)
	case f == zero+inf && x.form != y.form:
		z.fail("multiplication of zero with infinity")
	case f > finite:
		return z.exactly(inf, neg)
	}
	return z.exactly(zero, neg)
}

func (z *Float) Quo(x, y *Float) *Float {
	z.precise(max(x.prec, y.prec))
	neg := x.neg != y.neg
	switch {
	case x.form == finite && y.form == finite:
		// The quotient has a word more than the result, and the remainder says whether something is
		// behind it.
		more := max(0, int(z.prec/wordBits)+1-len(x.mant)+len(y.mant))
		u := x.mant
		if more > 0 {
			u = make(nat, more+len(x.mant))
			copy(u[more:], x.mant)
		}
		low := x.low() - y.low() - int64(more)*wordBits
		q, rest := z.mant.div(nil, u, y.mant)
		return z.set(neg, q, low, len(rest) > 0)
	case x.form == y.form:
		z.fail("division of zero by zero or infinity by infinity")
	case x.form < y.form:
		return z.exactly(zero, neg)
	}
	return z.exactly(inf, neg)
}

// cmpAmount compares finite numbers without signs.
func (x *Float) cmpAmount(y *Float) int {
	if d := int64(x.exp) - int64(y.exp); d != 0 {
		return int(d>>63 | 1)
	}
	a, b := x.mant, y.mant
	n := min(len(a), len(b))
	if c := a[len(a)-n:].cmp(b[len(b)-n:]); c != 0 {
		return c
	}
	// The highest words are the same: the one with something behind them is greater.
	switch {
	case len(a[:len(a)-n].norm()) > 0:
		return 1
	case len(b[:len(b)-n].norm()) > 0:
		return -1
	}
	return 0
}

// Cmp is -1, 0 or 1 if x is less than y, equal, or greater.
func (x *Float) Cmp(y *Float) int {
	rank, d := x.rank(), x.rank()-y.rank()
	if d == 0 && x.form == finite {
		return rank * x.cmpAmount(y)
	}
	return max(-1, min(d, 1))
}

// Sqrt approximates 1/√x first, by Newton's steps of which each doubles the bits that are right;
// the rounding is that of the product with x, as in Go.
func (z *Float) Sqrt(x *Float) *Float {
	z.precise(x.prec)
	if x.Sign() < 0 {
		panic(ErrNaN{"square root of negative operand"})
	}
	if x.form != finite {
		return z.exactly(x.form, x.neg)
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
