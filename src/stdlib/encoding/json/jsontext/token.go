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

var errInvalidToken = errors.New("invalid jsontext.Token")

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
	zeroNumber  = textToken("0")
)

func textToken(s string) Token {
	return Token{raw: &decodeBuffer{buf: []byte(s), prevEnd: len(s)}}
}

// Bool is true or false.
func Bool(b bool) Token {
	if b {
		return True
	}
	return False
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
	switch {
	case math.Float64bits(n) == 0:
		return zeroNumber
	case math.IsNaN(n):
		return String("NaN")
	case math.IsInf(n, 1):
		return String("Infinity")
	case math.IsInf(n, -1):
		return String("-Infinity")
	}
	return Token{str: "f", num: math.Float64bits(n)}
}

// Float32 is a number with the digits that n needs as a float32.
func Float32(n float32) Token {
	if f := float64(n); f == 0 || math.IsNaN(f) || math.IsInf(f, 0) {
		return Float(f)
	}
	return Token{str: "F", num: uint64(math.Float32bits(n))}
}

// Int is a number.
func Int(n int64) Token {
	if n == 0 {
		return zeroNumber
	}
	return Token{str: "i", num: uint64(n)}
}

// Uint is a number.
func Uint(n uint64) Token {
	if n == 0 {
		return zeroNumber
	}
	return Token{str: "u", num: n}
}

// text gives the text of a token that has one.
func (t Token) text() []byte {
	if uint64(t.raw.offsetAt(t.raw.prevStart)) != t.num {
		panic(voidedToken)
	}
	return t.raw.previous()
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
	return Token{raw: &decodeBuffer{buf: bytes.Clone(b), prevEnd: len(b)}}
}

// Bool gives the value of true or false.
func (t Token) Bool() bool {
	switch t.raw {
	case True.raw:
		return true
	case False.raw:
		return false
	}
	t.wrongKind()
	return false
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
		return string(t.appendNumber(nil, nil))
	case t.str != "":
		return t.str
	}
	return "<invalid jsontext.Token>"
}

func (t Token) appendString(dst []byte, flags *jsonflags.Flags) ([]byte, error) {
	if t.raw == nil {
		return jsonwire.AppendQuote(dst, t.str, flags)
	}
	dst, _, err := jsonwire.ReformatString(dst, t.text(), flags)
	return dst, err
}

func (t Token) appendNumber(dst []byte, flags *jsonflags.Flags) []byte {
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

// Float32 is as Float.
func (t Token) Float32() (float32, error) {
	f, err := t.float(32)
	return float32(f), err
}

func (t Token) float(bits int) (float64, error) {
	switch t.Kind() {
	case '0':
		if t.raw != nil {
			f, err := strconv.ParseFloat(string(t.text()), bits)
			if err != nil {
				err = &numError{"Float", t.String(), errors.Unwrap(err)}
			}
			return f, err
		}
		switch t.str[0] {
		case 'i':
			return float64(int64(t.num)), nil
		case 'u':
			return float64(t.num), nil
		}
		f := t.floating()
		if bits == 32 && math.IsInf(float64(float32(f)), 0) {
			return f, &numError{"Float", t.String(), strconv.ErrRange}
		}
		return f, nil
	case '"':
		switch t.String() {
		case "NaN":
			return math.NaN(), nil
		case "Infinity":
			return math.Inf(1), nil
		case "-Infinity":
			return math.Inf(-1), nil
		}
	}
	t.wrongKind()
	return 0, nil
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
	switch t.str[0] {
	case 'i':
		return int64(t.num), nil
	case 'u':
		if t.num > math.MaxInt64 {
			return math.MaxInt64, problem(strconv.ErrRange)
		}
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
	switch t.str[0] {
	case 'u':
		return t.num, nil
	case 'i':
		if int64(t.num) < 0 {
			return 0, problem(strconv.ErrSyntax)
		}
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
	switch {
	case t.raw != nil:
		if uint64(t.raw.offsetAt(t.raw.prevStart)) != t.num {
			panic(voidedToken)
		}
		return Kind(t.raw.buf[t.raw.prevStart]).normalize()
	case t.num != 0:
		return KindNumber
	case t.str != "":
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

func (k Kind) String() string {
	switch k {
	case KindInvalid:
		return "invalid"
	case KindNull:
		return "null"
	case KindFalse:
		return "false"
	case KindTrue:
		return "true"
	case KindString:
		return "string"
	case KindNumber:
		return "number"
	case KindBeginObject, KindEndObject, KindBeginArray, KindEndArray:
		return string(rune(k))
	}
	return "<invalid jsontext.Kind: " + jsonwire.QuoteRune([]byte{byte(k)}) + ">"
}

// normalize gives the kind of what begins with this byte.
func (k Kind) normalize() Kind {
	switch k {
	case 'n', 'f', 't', '"', '{', '}', '[', ']', '0':
		return k
	case '-', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return KindNumber
	}
	return KindInvalid
}
