// Package constant has the values of Go's constants, and what can be computed of them.
//
// A value is in the simplest form that holds it: an integer in a word if it fits, a number with
// a fraction as a quotient unless it is huge or tiny, when it has 512 bits of mantissa.
package constant

import (
	"cmp"
	"fmt"
	"go/token"
	"math"
	"math/big"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Kind is a kind of value.
type Kind int

const (
	Unknown Kind = iota
	Bool
	String
	Int
	Float
	Complex
)

func (i Kind) String() string {
	names := [...]string{"Unknown", "Bool", "String", "Int", "Float", "Complex"}
	if i < 0 || int(i) >= len(names) {
		return "Kind(" + strconv.Itoa(int(i)) + ")"
	}
	return names[i]
}

// Value is a constant.
type Value interface {
	Kind() Kind
	String() string      // short and readable
	ExactString() string // exact
	implementsValue()
}

const (
	precision = 512     // bits of a mantissa
	largest   = 4 << 10 // bits of a quotient's parts, and exponents
)

type (
	unknownVal struct{}
	boolVal    bool
	int64Val   int64
	intVal     struct{ val *big.Int }
	ratVal     struct{ val *big.Rat }
	floatVal   struct{ val *big.Float }
	complexVal struct{ re, im Value }

	// stringVal is s, or what its parts are one after the other.
	stringVal struct {
		mu          sync.Mutex
		s           string
		left, right *stringVal
	}
)

func (unknownVal) implementsValue() {}
func (boolVal) implementsValue()    {}
func (*stringVal) implementsValue() {}
func (int64Val) implementsValue()   {}
func (intVal) implementsValue()     {}
func (ratVal) implementsValue()     {}
func (floatVal) implementsValue()   {}
func (complexVal) implementsValue() {}

func (unknownVal) Kind() Kind { return Unknown }
func (boolVal) Kind() Kind    { return Bool }
func (*stringVal) Kind() Kind { return String }
func (int64Val) Kind() Kind   { return Int }
func (intVal) Kind() Kind     { return Int }
func (ratVal) Kind() Kind     { return Float }
func (floatVal) Kind() Kind   { return Float }
func (complexVal) Kind() Kind { return Complex }

func (unknownVal) String() string   { return "unknown" }
func (x boolVal) String() string    { return strconv.FormatBool(bool(x)) }
func (x int64Val) String() string   { return strconv.FormatInt(int64(x), 10) }
func (x intVal) String() string     { return x.val.String() }
func (x ratVal) String() string     { return toFloat(x).String() }
func (x complexVal) String() string { return fmt.Sprintf("(%s + %si)", x.re, x.im) }

func (x *stringVal) String() string {
	const most = 72
	quoted := []rune(strconv.Quote(x.text()))
	if len(quoted) > most {
		return string(quoted[:most-len("...")]) + "..."
	}
	return string(quoted)
}

func (x floatVal) String() string {
	f := x.val
	if f.IsInf() {
		return f.String()
	}
	if d, _ := f.Float64(); (d == 0) == (f.Sign() == 0) && !math.IsInf(d, 0) {
		s := fmt.Sprintf("%.6g", d)
		if !f.IsInt() && !strings.Contains(s, ".") {
			return fmt.Sprintf("%g", d) // it shall not look like an integer
		}
		return s
	}
	// No float64 holds it: its decimal exponent comes from the binary one.
	var mantissa big.Float
	exp := f.MantExp(&mantissa)
	m, _ := mantissa.Float64()
	decimal := float64(exp) * (math.Ln2 / math.Ln10)
	e := int64(decimal)
	m *= math.Pow(10, decimal-float64(e))
	if abs := math.Abs(m); abs < 1-0.5e-6 {
		m *= 10
		e--
	} else if abs >= 10 {
		m /= 10
		e++
	}
	return fmt.Sprintf("%.6ge%+d", m, e)
}

func (x unknownVal) ExactString() string { return x.String() }
func (x boolVal) ExactString() string    { return x.String() }
func (x *stringVal) ExactString() string { return strconv.Quote(x.text()) }
func (x int64Val) ExactString() string   { return x.String() }
func (x intVal) ExactString() string     { return x.String() }
func (x ratVal) ExactString() string     { return x.val.RatString() }
func (x floatVal) ExactString() string   { return x.val.Text('p', 0) }
func (x complexVal) ExactString() string {
	return fmt.Sprintf("(%s + %si)", x.re.ExactString(), x.im.ExactString())
}

// text returns the string, and puts it together if it is in parts.
func (x *stringVal) text() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.left == nil {
		return x.s
	}
	var parts []string // from the last
	stack := []*stringVal{x.left, x.right}
	for len(stack) > 0 {
		part := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		part.mu.Lock()
		if part.left != nil {
			stack = append(stack, part.left, part.right)
		} else {
			parts = append(parts, part.s)
		}
		part.mu.Unlock()
	}
	slices.Reverse(parts)
	x.s = strings.Join(parts, "")
	x.left, x.right = nil, nil
	return x.s
}

func newFloat() *big.Float { return new(big.Float).SetPrec(precision) }

// toInt, toRat and toFloat return a number in another form; it must have a simpler one.
func toInt(x Value) intVal {
	if x, ok := x.(int64Val); ok {
		return intVal{big.NewInt(int64(x))}
	}
	return x.(intVal)
}

func toRat(x Value) ratVal {
	if x, ok := x.(ratVal); ok {
		return x
	}
	return ratVal{new(big.Rat).SetInt(toInt(x).val)}
}

func toFloat(x Value) floatVal {
	switch x := x.(type) {
	case floatVal:
		return x
	case ratVal:
		return floatVal{newFloat().SetRat(x.val)}
	}
	return floatVal{newFloat().SetInt(toInt(x).val)}
}

func toComplex(x Value) complexVal {
	if x, ok := x.(complexVal); ok {
		return x
	}
	return complexVal{x, int64Val(0)}
}

func isSmall(x *big.Int) bool { return x.BitLen() < largest }

func isSmallFloat(x *big.Float) bool {
	e := x.MantExp(nil)
	return !x.IsInf() && -largest < e && e < largest
}

// ofInt, ofRat and ofFloat return a number in its simplest form.
func ofInt(x *big.Int) Value {
	if x.IsInt64() {
		return int64Val(x.Int64())
	}
	return intVal{x}
}

func ofRat(x *big.Rat) Value {
	if isSmall(x.Num()) && isSmall(x.Denom()) {
		return ratVal{x}
	}
	return floatVal{newFloat().SetRat(x)}
}

// zero is shared by all.
var zero = floatVal{newFloat()}

func ofFloat(x *big.Float) Value {
	switch {
	case x.Sign() == 0:
		return zero // there is no negative one
	case x.IsInf():
		return unknownVal{}
	}
	return floatVal{x}
}

func ofParts(re, im Value) Value {
	if re.Kind() == Unknown || im.Kind() == Unknown {
		return unknownVal{}
	}
	return complexVal{re, im}
}

// ofLiteral returns the number that a literal stands for, unknown if it is none.
func ofLiteral(lit string) Value {
	f, ok := newFloat().SetString(lit)
	if !ok {
		return unknownVal{}
	}
	if isSmallFloat(f) {
		if f.Sign() == 0 {
			lit = "0" // a huge exponent would make no difference
		}
		if r, ok := new(big.Rat).SetString(lit); ok {
			return ratVal{r}
		}
	}
	return ofFloat(f)
}

// MakeUnknown returns the value of what is in error.
func MakeUnknown() Value { return unknownVal{} }

// MakeBool returns a Bool.
func MakeBool(b bool) Value { return boolVal(b) }

// MakeString returns a String.
func MakeString(s string) Value {
	if s == "" {
		return &empty
	}
	return &stringVal{s: s}
}

var empty stringVal

// MakeInt64 returns an Int.
func MakeInt64(x int64) Value { return int64Val(x) }

// MakeUint64 returns an Int.
func MakeUint64(x uint64) Value { return ofInt(new(big.Int).SetUint64(x)) }

// MakeFloat64 returns a Float; unknown if x is infinite or no number.
func MakeFloat64(x float64) Value {
	if math.IsInf(x, 0) || math.IsNaN(x) {
		return unknownVal{}
	}
	return ratVal{new(big.Rat).SetFloat64(x + 0)}
}

// MakeFromLiteral returns the value of a token, unknown if it is not well formed.
func MakeFromLiteral(lit string, tok token.Token, zero uint) Value {
	if zero != 0 {
		panic("MakeFromLiteral called with non-zero last argument")
	}
	switch tok {
	case token.INT:
		if x, err := strconv.ParseInt(lit, 0, 64); err == nil {
			return int64Val(x)
		}
		if x, ok := new(big.Int).SetString(lit, 0); ok {
			return intVal{x}
		}
	case token.FLOAT:
		return ofLiteral(lit)
	case token.IMAG:
		if number, ok := strings.CutSuffix(lit, "i"); ok {
			return ofParts(int64Val(0), ofLiteral(number))
		}
	case token.CHAR:
		if n := len(lit); n >= 2 {
			if code, _, _, err := strconv.UnquoteChar(lit[1:n-1], '\''); err == nil {
				return int64Val(code)
			}
		}
	case token.STRING:
		if s, err := strconv.Unquote(lit); err == nil {
			return MakeString(s)
		}
	default:
		panic(fmt.Sprintf("%v is not a valid token", tok))
	}
	return unknownVal{}
}

// Make returns the value of what Val returns.
func Make(x any) Value {
	switch x := x.(type) {
	case bool:
		return boolVal(x)
	case string:
		return &stringVal{s: x}
	case int64:
		return int64Val(x)
	case *big.Int:
		return ofInt(x)
	case *big.Rat:
		return ofRat(x)
	case *big.Float:
		return ofFloat(x)
	}
	return unknownVal{}
}

// Val returns a bool, string, int64, *big.Int, *big.Rat or *big.Float; else nil.
func Val(x Value) any {
	switch x := x.(type) {
	case boolVal:
		return bool(x)
	case *stringVal:
		return x.text()
	case int64Val:
		return int64(x)
	case intVal:
		return x.val
	case ratVal:
		return x.val
	case floatVal:
		return x.val
	}
	return nil
}

func isNot(x Value, what string) string { return fmt.Sprintf("%v not %s", x, what) }

// BoolVal returns a Bool's value; false if it is unknown.
func BoolVal(x Value) bool {
	switch x := x.(type) {
	case boolVal:
		return bool(x)
	case unknownVal:
		return false
	}
	panic(isNot(x, "a Bool"))
}

// StringVal returns a String's value; "" if it is unknown.
func StringVal(x Value) string {
	switch x := x.(type) {
	case *stringVal:
		return x.text()
	case unknownVal:
		return ""
	}
	panic(isNot(x, "a String"))
}

// StringLen returns a String's length in bytes; 0 if it is unknown.
func StringLen(x Value) int64 {
	switch x := x.(type) {
	case *stringVal:
		return int64(len(x.text()))
	case unknownVal:
		return 0
	}
	panic(isNot(x, "a String"))
}

// Int64Val returns an Int's value, and whether it fits.
func Int64Val(x Value) (int64, bool) {
	switch x := x.(type) {
	case int64Val:
		return int64(x), true
	case intVal:
		return x.val.Int64(), false
	case unknownVal:
		return 0, false
	}
	panic(isNot(x, "an Int"))
}

// Uint64Val returns an Int's value, and whether it fits.
func Uint64Val(x Value) (uint64, bool) {
	switch x := x.(type) {
	case int64Val:
		return uint64(x), x >= 0
	case intVal:
		return x.val.Uint64(), x.val.IsUint64()
	case unknownVal:
		return 0, false
	}
	panic(isNot(x, "an Int"))
}

// Float32Val returns the nearest value, and whether it is exact.
func Float32Val(x Value) (float32, bool) {
	switch x := x.(type) {
	case int64Val:
		f := float32(x)
		return f, int64Val(f) == x
	case ratVal:
		return x.val.Float32()
	case intVal, floatVal:
		f, accuracy := toFloat(x).val.Float32()
		return f, accuracy == big.Exact
	case unknownVal:
		return 0, false
	}
	panic(isNot(x, "a Float"))
}

// Float64Val returns the nearest value, and whether it is exact.
func Float64Val(x Value) (float64, bool) {
	switch x := x.(type) {
	case int64Val:
		f := float64(x)
		return f, int64Val(f) == x
	case ratVal:
		return x.val.Float64()
	case intVal, floatVal:
		f, accuracy := toFloat(x).val.Float64()
		return f, accuracy == big.Exact
	case unknownVal:
		return 0, false
	}
	panic(isNot(x, "a Float"))
}

// BitLen returns how many bits an Int takes, without its sign.
func BitLen(x Value) int {
	switch x := x.(type) {
	case int64Val:
		if x < 0 {
			x = -x
		}
		return bits.Len64(uint64(x))
	case intVal:
		return x.val.BitLen()
	case unknownVal:
		return 0
	}
	panic(isNot(x, "an Int"))
}

// Sign returns -1, 0 or 1; of a Complex 0 if it is 0; 1 if x is unknown.
func Sign(x Value) int {
	switch x := x.(type) {
	case int64Val:
		return cmp.Compare(x, 0)
	case intVal:
		return x.val.Sign()
	case ratVal:
		return x.val.Sign()
	case floatVal:
		return x.val.Sign()
	case complexVal:
		return Sign(x.re) | Sign(x.im)
	case unknownVal:
		return 1
	}
	panic(isNot(x, "numeric"))
}

// Bytes returns an Int without its sign, the lowest byte first.
func Bytes(x Value) []byte {
	switch x.(type) {
	case int64Val, intVal:
		b := toInt(x).val.Bytes()
		slices.Reverse(b)
		return b
	}
	panic(isNot(x, "an Int"))
}

// MakeFromBytes returns the Int of which Bytes returns these.
func MakeFromBytes(bytes []byte) Value {
	b := slices.Clone(bytes)
	slices.Reverse(b)
	return ofInt(new(big.Int).SetBytes(b))
}

// fraction returns a number as a quotient, nil if it has no simple one.
func fraction(x Value) *big.Rat {
	switch x := x.(type) {
	case ratVal:
		return x.val
	case floatVal:
		if isSmallFloat(x.val) {
			r, _ := x.val.Rat(nil)
			return r
		}
	case unknownVal:
	default:
		panic(isNot(x, "Int or Float"))
	}
	return nil
}

// Num returns the numerator of an Int or a Float.
func Num(x Value) Value {
	if x.Kind() == Int {
		return x
	}
	if r := fraction(x); r != nil {
		return ofInt(r.Num())
	}
	return unknownVal{}
}

// Denom returns the denominator of an Int or a Float.
func Denom(x Value) Value {
	if x.Kind() == Int {
		return int64Val(1)
	}
	if r := fraction(x); r != nil {
		return ofInt(r.Denom())
	}
	return unknownVal{}
}

// MakeImag returns x times i.
func MakeImag(x Value) Value {
	switch x.Kind() {
	case Unknown:
		return x
	case Int, Float:
		return complexVal{int64Val(0), x}
	}
	panic(isNot(x, "Int or Float"))
}

// Real returns the real part of a number.
func Real(x Value) Value {
	switch x.Kind() {
	case Unknown, Int, Float:
		return x
	case Complex:
		return x.(complexVal).re
	}
	panic(isNot(x, "numeric"))
}

// Imag returns the imaginary part of a number.
func Imag(x Value) Value {
	switch x.Kind() {
	case Unknown:
		return x
	case Int, Float:
		return int64Val(0)
	case Complex:
		return x.(complexVal).im
	}
	panic(isNot(x, "numeric"))
}

// ToInt returns x as an Int, unknown if it is not whole.
func ToInt(x Value) Value {
	switch x := x.(type) {
	case int64Val, intVal:
		return x
	case ratVal:
		if x.val.IsInt() {
			return ofInt(x.val.Num())
		}
	case floatVal:
		return roundedInt(x.val)
	case complexVal:
		if re := ToFloat(x); re.Kind() == Float {
			return ToInt(re)
		}
	}
	return unknownVal{}
}

// roundedInt returns f as an Int, if it is whole or differs from that in the last bits only.
func roundedInt(f *big.Float) Value {
	if !isSmallFloat(f) {
		return unknownVal{}
	}
	if i, accuracy := f.Int(nil); accuracy == big.Exact {
		return ofInt(i)
	}
	for _, mode := range []big.RoundingMode{big.ToZero, big.AwayFromZero} {
		near := new(big.Float).SetPrec(precision - 4).SetMode(mode).Set(f)
		if i, accuracy := near.Int(nil); accuracy == big.Exact {
			return ofInt(i)
		}
	}
	return unknownVal{}
}

// ToFloat returns x as a Float, unknown if it has an imaginary part.
func ToFloat(x Value) Value {
	switch x := x.(type) {
	case int64Val:
		return toRat(x)
	case intVal:
		if isSmall(x.val) {
			return toRat(x)
		}
		return toFloat(x)
	case ratVal, floatVal:
		return x
	case complexVal:
		if Sign(x.im) == 0 {
			return ToFloat(x.re)
		}
	}
	return unknownVal{}
}

// ToComplex returns a number as a Complex.
func ToComplex(x Value) Value {
	switch x.Kind() {
	case Int, Float, Complex:
		return toComplex(x)
	}
	return unknownVal{}
}
