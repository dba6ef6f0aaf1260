// Package constant has the values of Go's constants, and what can be computed of them. This file
// has the values: their forms, their texts, and how they are made and taken apart; ops.go
// computes with them.
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

// Of numbers there are the small integers, the large ones, fractions, and what is longer or has a
// large exponent.

func (int64Val) implementsValue()   {}
func (intVal) implementsValue()     {}
func (ratVal) implementsValue()     {}
func (floatVal) implementsValue()   {}
func (complexVal) implementsValue() {}
func (boolVal) implementsValue()    {}
func (*stringVal) implementsValue() {}
func (unknownVal) implementsValue() {}

func (int64Val) Kind() Kind   { return Int }
func (intVal) Kind() Kind     { return Int }
func (ratVal) Kind() Kind     { return Float }
func (floatVal) Kind() Kind   { return Float }
func (complexVal) Kind() Kind { return Complex }
func (boolVal) Kind() Kind    { return Bool }
func (*stringVal) Kind() Kind { return String }
func (unknownVal) Kind() Kind { return Unknown }

func (x complexVal) String() string { return fmt.Sprintf("(%s + %si)", x.re, x.im) }
func (x ratVal) String() string     { return toFloat(x).String() }
func (x intVal) String() string     { return x.val.String() }
func (x int64Val) String() string   { return strconv.FormatInt(int64(x), 10) }
func (x boolVal) String() string    { return strconv.FormatBool(bool(x)) }
func (unknownVal) String() string   { return "unknown" }

func (x *stringVal) String() string {
	const most = 72
	quoted := []rune(strconv.Quote(x.text()))
	if len(quoted) > most {
		return string(quoted[:most-len("...")]) + "..."
	}
	return string(quoted)
}

func (x floatVal) String() string {
	if x.val.IsInf() {
		return x.val.String()
	}
	d, _ := x.val.Float64()
	if math.IsInf(d, 0) || d == 0 && x.val.Sign() != 0 {
		return scientific(x.val)
	}
	s := fmt.Sprintf("%.6g", d)
	if !strings.Contains(s, ".") && !x.val.IsInt() {
		s = fmt.Sprintf("%g", d) // it shall not look like an integer
	}
	return s
}

// scientific returns the text of a number that no float64 holds. Its decimal exponent comes from
// the binary one, and the fraction of that goes into the mantissa.
func scientific(f *big.Float) string {
	var fraction big.Float
	binary := f.MantExp(&fraction)
	exponent, rest := math.Modf(float64(binary) * (math.Ln2 / math.Ln10))
	mantissa, _ := fraction.Float64()
	mantissa *= math.Pow(10, rest)
	switch size := math.Abs(mantissa); {
	case size >= 10:
		mantissa, exponent = mantissa/10, exponent+1
	case size < 1-0.5e-6:
		mantissa, exponent = mantissa*10, exponent-1
	}
	return fmt.Sprintf("%.6ge%+d", mantissa, int64(exponent))
}

func (x floatVal) ExactString() string   { return x.val.Text('p', 0) }
func (x ratVal) ExactString() string     { return x.val.RatString() }
func (x *stringVal) ExactString() string { return strconv.Quote(x.text()) }

func (x complexVal) ExactString() string {
	re, im := x.re.ExactString(), x.im.ExactString()
	return "(" + re + " + " + im + "i)"
}

// The text of the others is exact as it is.
func (x int64Val) ExactString() string   { return x.String() }
func (x intVal) ExactString() string     { return x.String() }
func (x boolVal) ExactString() string    { return x.String() }
func (x unknownVal) ExactString() string { return x.String() }

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

// float returns a zero that takes on values with as many bits as they may have.
func float() *big.Float { return new(big.Float).SetPrec(precision) }

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
		return floatVal{float().SetRat(x.val)}
	}
	return floatVal{float().SetInt(toInt(x).val)}
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
	if !x.IsInt64() {
		return intVal{x}
	}
	return int64Val(x.Int64())
}

func ofRat(x *big.Rat) Value {
	if isSmall(x.Num()) && isSmall(x.Denom()) {
		return ratVal{x}
	}
	return floatVal{float().SetRat(x)}
}

// zero is shared by all.
var zero = floatVal{float()}

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
	if min(re.Kind(), im.Kind()) > Unknown {
		return complexVal{re, im}
	}
	return unknownVal{}
}

// ofLiteral returns the number that a literal stands for, unknown if it is none.
func ofLiteral(lit string) Value {
	f, ok := float().SetString(lit)
	switch {
	case !ok:
		return unknownVal{}
	case f.Sign() == 0:
		return ratVal{new(big.Rat)} // whatever the exponent
	case isSmallFloat(f):
		if exact, ok := new(big.Rat).SetString(lit); ok {
			return ratVal{exact}
		}
	}
	return ofFloat(f)
}

// MakeUnknown returns the value of what is in error.
func MakeUnknown() Value { return unknownVal{} }

// MakeBool returns a Bool.
func MakeBool(is bool) Value { return boolVal(is) }

// MakeString returns a String.
func MakeString(text string) Value {
	if text != "" {
		return &stringVal{s: text}
	}
	return &empty
}

var empty stringVal

// MakeInt64 returns an Int.
func MakeInt64(x int64) Value { return int64Val(x) }

// MakeUint64 returns an Int.
func MakeUint64(x uint64) Value { return ofInt(new(big.Int).SetUint64(x)) }

// MakeFloat64 returns a Float; unknown if x is infinite or no number.
func MakeFloat64(x float64) Value {
	if exact := new(big.Rat).SetFloat64(x); exact != nil {
		return ratVal{exact}
	}
	return unknownVal{}
}

// MakeFromLiteral returns the value of a token, unknown if it is not well formed.
func MakeFromLiteral(lit string, tok token.Token, zero uint) Value {
	if zero != 0 {
		panic("MakeFromLiteral called with non-zero last argument")
	}
	switch tok {
	case token.INT:
		return ofDigits(lit)
	case token.FLOAT:
		return ofLiteral(lit)
	case token.CHAR:
		return ofChar(lit)
	case token.STRING:
		text, err := strconv.Unquote(lit)
		if err != nil {
			return unknownVal{}
		}
		return MakeString(text)
	case token.IMAG:
		number, ok := strings.CutSuffix(lit, "i")
		if !ok {
			return unknownVal{}
		}
		return ofParts(int64Val(0), ofLiteral(number))
	}
	panic(fmt.Sprintf("%v is not a valid token", tok))
}

// ofDigits returns what an integer literal stands for.
func ofDigits(lit string) Value {
	n, err := strconv.ParseInt(lit, 0, 64)
	if err == nil {
		return int64Val(n)
	}
	large, ok := new(big.Int).SetString(lit, 0)
	if !ok {
		return unknownVal{}
	}
	return intVal{large}
}

// ofChar returns what a character literal stands for.
func ofChar(lit string) Value {
	if len(lit) < 2 {
		return unknownVal{}
	}
	code, _, _, err := strconv.UnquoteChar(lit[1:len(lit)-1], '\'')
	if err != nil {
		return unknownVal{}
	}
	return int64Val(code)
}

// Make returns the value of what Val returns.
func Make(x any) Value {
	switch x := x.(type) {
	case int64:
		return int64Val(x)
	case *big.Int:
		return ofInt(x)
	case *big.Float:
		return ofFloat(x)
	case *big.Rat:
		return ofRat(x)
	case string:
		return &stringVal{s: x}
	case bool:
		return boolVal(x)
	}
	return unknownVal{}
}

// Val returns a bool, string, int64, *big.Int, *big.Rat or *big.Float; else nil.
func Val(x Value) any {
	if form, ok := x.(interface{ plain() any }); ok {
		return form.plain()
	}
	return nil
}

// The forms with one value of another type give it as such.
func (x boolVal) plain() any    { return bool(x) }
func (x *stringVal) plain() any { return x.text() }
func (x int64Val) plain() any   { return int64(x) }
func (x intVal) plain() any     { return x.val }
func (x ratVal) plain() any     { return x.val }
func (x floatVal) plain() any   { return x.val }

func isNot(x Value, what string) string { return fmt.Sprintf("%v not %s", x, what) }

// as returns x in its form, and whether it is known; it panics if x is of another form.
func as[T Value](x Value, what string) (form T, known bool) {
	form, known = x.(T)
	if !known && x.Kind() != Unknown {
		panic(isNot(x, what))
	}
	return form, known
}

// BoolVal returns a Bool's value; false if it is unknown.
func BoolVal(x Value) bool {
	b, _ := as[boolVal](x, "a Bool")
	return bool(b)
}

// StringVal returns a String's value; "" if it is unknown.
func StringVal(x Value) string {
	s, known := as[*stringVal](x, "a String")
	if !known {
		return ""
	}
	return s.text()
}

// StringLen returns a String's length in bytes; 0 if it is unknown.
func StringLen(x Value) int64 { return int64(len(StringVal(x))) }

// integer returns an Int: in a word, or else as large. It is 0 if it is unknown.
func integer(x Value) (word int64, large *big.Int, known bool) {
	if x, ok := x.(intVal); ok {
		return 0, x.val, true
	}
	w, known := as[int64Val](x, "an Int")
	return int64(w), nil, known
}

// Int64Val returns an Int's value, and whether it fits.
func Int64Val(x Value) (int64, bool) {
	word, large, known := integer(x)
	if large != nil {
		return large.Int64(), false
	}
	return word, known
}

// Uint64Val returns an Int's value, and whether it fits.
func Uint64Val(x Value) (uint64, bool) {
	word, large, known := integer(x)
	if large != nil {
		return large.Uint64(), large.IsUint64()
	}
	return uint64(word), known && word >= 0
}

// BitLen returns how many bits an Int takes, without its sign.
func BitLen(x Value) int {
	word, large, _ := integer(x)
	if large != nil {
		return large.BitLen()
	}
	return bits.Len64(uint64(max(word, -word))) // the least word is its own negative
}

// Float32Val returns the nearest value, and whether it is exact.
func Float32Val(x Value) (float32, bool) {
	return nearest(x, (*big.Rat).Float32, (*big.Float).Float32)
}

// Float64Val returns the nearest value, and whether it is exact.
func Float64Val(x Value) (float64, bool) {
	return nearest(x, (*big.Rat).Float64, (*big.Float).Float64)
}

// nearest returns the float that is nearest to x, by the methods that the large forms have.
func nearest[F float32 | float64](
	x Value, ofRat func(*big.Rat) (F, bool), ofFloat func(*big.Float) (F, big.Accuracy),
) (F, bool) {
	switch form := x.(type) {
	case int64Val:
		f := F(form)
		return f, int64Val(f) == form
	case ratVal:
		return ofRat(form.val)
	}
	if kind := x.Kind(); kind == Int || kind == Float {
		f, accuracy := ofFloat(toFloat(x).val)
		return f, accuracy == big.Exact
	}
	as[unknownVal](x, "a Float")
	return 0, false
}

// Sign returns -1, 0 or 1; of a Complex 0 if it is 0; 1 if x is unknown.
func Sign(x Value) int {
	switch x.Kind() {
	case Int, Float:
		if large, ok := Val(x).(interface{ Sign() int }); ok {
			return large.Sign()
		}
		return cmp.Compare(x.(int64Val), 0)
	case Complex:
		return Sign(Real(x)) | Sign(Imag(x))
	}
	as[unknownVal](x, "numeric")
	return 1
}

// Bytes returns an Int without its sign, the lowest byte first.
func Bytes(x Value) []byte {
	if x.Kind() != Int {
		panic(isNot(x, "an Int"))
	}
	b := toInt(x).val.Bytes()
	slices.Reverse(b)
	return b
}

// MakeFromBytes returns the Int of which Bytes returns these.
func MakeFromBytes(bytes []byte) Value {
	b := slices.Clone(bytes)
	slices.Reverse(b)
	return ofInt(new(big.Int).SetBytes(b))
}

// quotient returns the parts of an Int or a Float, unknown if there is no simple fraction.
func quotient(x Value) (num, denom Value) {
	var r *big.Rat
	switch form := x.(type) {
	case ratVal:
		r = form.val
	case floatVal:
		if !isSmallFloat(form.val) {
			return unknownVal{}, unknownVal{}
		}
		r, _ = form.val.Rat(nil)
	case int64Val, intVal:
		return x, int64Val(1)
	default:
		as[unknownVal](x, "Int or Float")
		return x, x
	}
	return ofInt(r.Num()), ofInt(r.Denom())
}

// Num returns the numerator of an Int or a Float.
func Num(x Value) Value {
	num, _ := quotient(x)
	return num
}

// Denom returns the denominator of an Int or a Float.
func Denom(x Value) Value {
	_, denom := quotient(x)
	return denom
}

// MakeImag returns x times i.
func MakeImag(x Value) Value {
	if kind := x.Kind(); kind == Int || kind == Float {
		return complexVal{int64Val(0), x}
	}
	as[unknownVal](x, "Int or Float")
	return x
}

// parts returns the real and the imaginary part of a number.
func parts(x Value) (re, im Value) {
	switch x.Kind() {
	case Int, Float, Complex:
		c := toComplex(x)
		return c.re, c.im
	}
	as[unknownVal](x, "numeric")
	return x, x
}

// Real returns the real part of a number.
func Real(x Value) Value {
	re, _ := parts(x)
	return re
}

// Imag returns the imaginary part of a number.
func Imag(x Value) Value {
	_, im := parts(x)
	return im
}

// ToInt returns x as an Int, unknown if it is not whole.
func ToInt(x Value) Value {
	if x.Kind() == Complex {
		x = ToFloat(x)
	}
	switch form := x.(type) {
	case floatVal:
		return rounded(form.val)
	case ratVal:
		if form.val.IsInt() {
			x = ofInt(form.val.Num())
		}
	}
	if x.Kind() != Int {
		return unknownVal{}
	}
	return x
}

// rounded returns f as an Int, if it is whole or differs from that in the last bits only.
func rounded(f *big.Float) Value {
	const spare = 4 // bits
	if isSmallFloat(f) {
		down := new(big.Float).SetPrec(precision - spare).SetMode(big.ToZero)
		up := new(big.Float).SetPrec(precision - spare).SetMode(big.AwayFromZero)
		for _, near := range []*big.Float{f, down.Set(f), up.Set(f)} {
			if near.IsInt() {
				i, _ := near.Int(nil)
				return ofInt(i)
			}
		}
	}
	return unknownVal{}
}

// ToFloat returns x as a Float, unknown if it has an imaginary part.
func ToFloat(x Value) Value {
	if c, ok := x.(complexVal); ok && Sign(c.im) == 0 {
		x = c.re
	}
	switch x.Kind() {
	case Float:
		return x
	case Int:
		i := toInt(x)
		if isSmall(i.val) {
			return toRat(i)
		}
		return toFloat(i)
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
