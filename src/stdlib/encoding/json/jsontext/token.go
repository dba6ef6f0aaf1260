package jsontext

import (
	"bytes"
	"errors"
	"math"
	"strconv"

	"encoding/json/internal/jsonflags"
	"encoding/json/internal/jsonwire"
)

// Token is a literal, a number, a string, or the beginning or end of an array or object.
type Token struct {
	nonComparable

	// raw is the text of the token, if num is still the offset of what was read last there.
	raw *decodeBuffer
	// str is a string, or how num is to be understood if that is not 0.
	str string
	num uint64
}

const voidedToken = "invalid jsontext.Token; it has been voided by a subsequent json.Decoder call"

var errNoToken = errors.New("invalid jsontext.Token")

// Tokens that are always the same.
var (
	Null  Token = textToken("null")
	False Token = textToken("false")
	True  Token = textToken("true")

	BeginObject Token = textToken("{")
	EndObject   Token = textToken("}")
	BeginArray  Token = textToken("[")
	EndArray    Token = textToken("]")

	emptyString = textToken(`""`)
	zeroToken   = textToken("0")
)

func textToken(s string) Token {
	return Token{raw: &decodeBuffer{buf: []byte(s), lastEnd: len(s)}}
}

// Bool is true or false.
func Bool(b bool) Token {
	if !b {
		return False
	}
	return True
}

// String is a string.
func String(s string) Token {
	if s == "" {
		return emptyString
	}
	return Token{str: s}
}

// Float is a number, or a string if n is none.
func Float(n float64) Token {
	if name := nameOfFloat(n); name != "" {
		return String(name)
	}
	bits := math.Float64bits(n)
	if bits == 0 {
		return zeroToken
	}
	return Token{str: "f", num: bits}
}

// nameOfFloat gives the string that stands for what is no number.
func nameOfFloat(n float64) string {
	switch {
	case n != n:
		return "NaN"
	case n > math.MaxFloat64:
		return "Infinity"
	case n < -math.MaxFloat64:
		return "-Infinity"
	}
	return ""
}

// Float32 is a number with the digits that n needs as a float32.
func Float32(n float32) Token {
	if f := float64(n); f == 0 || math.IsNaN(f) || math.IsInf(f, 0) {
		return Float(f)
	}
	return Token{str: "F", num: uint64(math.Float32bits(n))}
}

// Int is a number.
func Int(n int64) Token { return integer("i", uint64(n)) }

// Uint is a number.
func Uint(n uint64) Token { return integer("u", n) }

func integer(str string, bits uint64) Token {
	if bits != 0 {
		return Token{str: str, num: bits}
	}
	return zeroToken
}

// text gives the text of a token that has one.
func (t Token) text() []byte {
	if uint64(t.raw.offsetAt(t.raw.lastStart)) != t.num {
		panic(voidedToken)
	}
	return t.raw.last()
}

// floating gives what a float token is.
func (t Token) floating() float64 {
	if t.str[0] == 'F' {
		return float64(math.Float32frombits(uint32(t.num)))
	}
	return math.Float64frombits(t.num)
}

func (t Token) wrongKind() {
	panic("invalid JSON token kind: " + t.Kind().String())
}

// Clone makes a token that later calls of the decoder leave as it is.
func (t Token) Clone() Token {
	if t.raw == nil {
		return t
	}
	b := t.text()
	for _, fixed := range []Token{Null, False, True, BeginObject, EndObject, BeginArray, EndArray} {
		if t.raw == fixed.raw {
			return fixed
		}
	}
	return Token{raw: &decodeBuffer{buf: bytes.Clone(b), lastEnd: len(b)}}
}

// Bool gives the value of true or false.
func (t Token) Bool() bool {
	is := t.raw == True.raw
	if !is && t.raw != False.raw {
		t.wrongKind()
	}
	return is
}

// String gives the text of a string, and otherwise how the token is written.
func (t Token) String() string {
	if t.raw != nil {
		b := t.text()
		if b[0] == '"' {
			b, _ = jsonwire.AppendUnquote(nil, b)
		}
		return string(b)
	}
	switch {
	case t.num != 0:
		return string(t.putNumber(nil, nil))
	case t.str != "":
		return t.str
	}
	return "<invalid jsontext.Token>"
}

func (t Token) putString(dst []byte, flags *jsonflags.Flags) ([]byte, error) {
	if t.raw == nil {
		return jsonwire.AppendQuote(dst, t.str, flags)
	}
	dst, _, err := jsonwire.ReformatString(dst, t.text(), flags)
	return dst, err
}

func (t Token) putNumber(dst []byte, flags *jsonflags.Flags) []byte {
	if t.raw != nil {
		dst, _, _ = jsonwire.ReformatNumber(dst, t.text(), flags)
		return dst
	}
	switch t.str[0] {
	case 'i':
		return strconv.AppendInt(dst, int64(t.num), 10)
	case 'u':
		return strconv.AppendUint(dst, t.num, 10)
	case 'F':
		return jsonwire.AppendFloat(dst, t.floating(), 32)
	}
	return jsonwire.AppendFloat(dst, t.floating(), 64)
}

// Float gives the value of a number, or of a string that Float makes.
func (t Token) Float() (float64, error) { return t.float(64) }

func (t Token) float(bits int) (float64, error) {
	k := t.Kind()
	if k == '"' {
		text := t.String()
		for _, f := range [...]float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
			if nameOfFloat(f) == text {
				return f, nil
			}
		}
	}
	if k != '0' {
		t.wrongKind()
	}
	f, err := t.number(bits)
	if err != nil {
		err = &numError{"Float", t.String(), err}
	}
	return f, err
}

// Float32 is as Float.
func (t Token) Float32() (float32, error) {
	f, err := t.float(32)
	return float32(f), err
}

// number gives the value of a number of any origin as a float.
func (t Token) number(bits int) (f float64, err error) {
	switch {
	case t.raw != nil:
		if f, err = strconv.ParseFloat(string(t.text()), bits); err != nil {
			err = errors.Unwrap(err)
		}
	case t.str == "i":
		f = float64(int64(t.num))
	case t.str == "u":
		f = float64(t.num)
	default:
		if f = t.floating(); bits == 32 && math.IsInf(float64(float32(f)), 0) {
			err = strconv.ErrRange
		}
	}
	return f, err
}

// Int gives the value of a number, or the nearest there is.
func (t Token) Int() (int64, error) {
	if t.Kind() != '0' {
		t.wrongKind()
	}
	problem := func(err error) error { return &numError{"Int", t.String(), err} }
	if t.raw != nil {
		b := t.text()
		digits, negative := bytes.CutPrefix(b, []byte("-"))
		n, ok := jsonwire.ParseUint(digits)
		switch {
		case negative && n > 1<<63:
			return math.MinInt64, problem(strconv.ErrRange)
		case !negative && n > math.MaxInt64:
			return math.MaxInt64, problem(strconv.ErrRange)
		case ok && negative:
			return -int64(n), nil
		case ok:
			return int64(n), nil
		}
		f, _ := strconv.ParseFloat(string(b), 64)
		return nearestInt(f), problem(strconv.ErrSyntax)
	}
	switch {
	case t.str == "u" && t.num > math.MaxInt64:
		return math.MaxInt64, problem(strconv.ErrRange)
	case t.str == "u", t.str == "i":
		return int64(t.num), nil
	}
	f := t.floating()
	n := nearestInt(f)
	switch {
	case math.Trunc(f) != f:
		return n, problem(strconv.ErrSyntax)
	case f < math.MinInt64 || f > 1<<63:
		return n, problem(strconv.ErrRange)
	}
	return n, nil
}

func nearestInt(f float64) int64 {
	switch {
	case f >= 1<<63:
		return math.MaxInt64
	case f < math.MinInt64:
		return math.MinInt64
	}
	return int64(f)
}

// Uint gives the value of a number, or the nearest there is.
func (t Token) Uint() (uint64, error) {
	if t.Kind() != '0' {
		t.wrongKind()
	}
	problem := func(err error) error { return &numError{"Uint", t.String(), err} }
	if t.raw != nil {
		b := t.text()
		n, ok := jsonwire.ParseUint(b)
		switch {
		case ok:
			return n, nil
		case n == math.MaxUint64:
			return n, problem(strconv.ErrRange)
		}
		f, _ := strconv.ParseFloat(string(b), 64)
		return nearestUint(f), problem(strconv.ErrSyntax)
	}
	switch {
	case t.str == "i" && int64(t.num) < 0:
		return 0, problem(strconv.ErrSyntax)
	case t.str == "i", t.str == "u":
		return t.num, nil
	}
	f := t.floating()
	n := nearestUint(f)
	switch {
	case math.Trunc(f) != f || math.Signbit(f):
		return n, problem(strconv.ErrSyntax)
	case f > 1<<64:
		return n, problem(strconv.ErrRange)
	}
	return n, nil
}

func nearestUint(f float64) uint64 {
	switch {
	case f >= 1<<64:
		return math.MaxUint64
	case f < 0:
		return 0
	}
	return uint64(f)
}

// Kind gives the kind of the token.
func (t Token) Kind() Kind {
	if t.raw != nil {
		b := t.raw
		if b.offsetAt(b.lastStart) != int64(t.num) {
			panic(voidedToken)
		}
		return kindOf[b.buf[b.lastStart]]
	}
	if t.num != 0 {
		return KindNumber
	}
	if t.str != "" {
		return KindString
	}
	return KindInvalid
}

// Kind is what a token is, or what a value begins with.
type Kind byte

const (
	KindInvalid     Kind = 0
	KindNull        Kind = 'n'
	KindFalse       Kind = 'f'
	KindTrue        Kind = 't'
	KindString      Kind = '"'
	KindNumber      Kind = '0'
	KindBeginObject Kind = '{'
	KindEndObject   Kind = '}'
	KindBeginArray  Kind = '['
	KindEndArray    Kind = ']'
)

// spelled has the texts of the kinds of which all tokens are alike.
var spelled = [1 << 8]string{
	KindNull: "null", KindFalse: "false", KindTrue: "true",
	KindBeginObject: "{", KindEndObject: "}", KindBeginArray: "[", KindEndArray: "]",
}

// fixedToken is the token of such a kind.
func fixedToken(k Kind) Token {
	switch k {
	case KindNull:
		return Null
	case KindTrue:
		return True
	case KindFalse:
		return False
	case KindBeginObject:
		return BeginObject
	case KindEndObject:
		return EndObject
	case KindBeginArray:
		return BeginArray
	}
	return EndArray
}

// kindOf has the kinds of what begins with a byte.
var kindOf = [1 << 8]Kind{
	'n': KindNull, 'f': KindFalse, 't': KindTrue, '"': KindString,
	'{': KindBeginObject, '}': KindEndObject, '[': KindBeginArray, ']': KindEndArray,
	'-': KindNumber, '0': KindNumber, '1': KindNumber, '2': KindNumber, '3': KindNumber,
	'4': KindNumber, '5': KindNumber, '6': KindNumber, '7': KindNumber, '8': KindNumber,
	'9': KindNumber,
}

// normalize gives the kind of what begins with this byte.
func (k Kind) normalize() Kind { return kindOf[k] }

func (k Kind) String() string {
	if text := spelled[k]; text != "" {
		return text
	}
	switch k {
	case KindInvalid:
		return "invalid"
	case KindNumber:
		return "number"
	case KindString:
		return "string"
	}
	return "<invalid jsontext.Kind: " + jsonwire.QuoteRune([]byte{byte(k)}) + ">"
}
