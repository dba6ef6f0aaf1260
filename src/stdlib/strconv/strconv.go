// Package strconv: numbers and quoted text. The conversions are native; here are the errors.
package strconv

import "errors"

const IntSize = 64

var ErrRange = errors.New("value out of range")
var ErrSyntax = errors.New("invalid syntax")

type NumError struct {
	Func string
	Num  string
	Err  error
}

func (e *NumError) Unwrap() error { return e.Err }

func (e *NumError) Error() string {
	return "strconv." + e.Func + ": parsing " + Quote(e.Num) + ": " + e.Err.Error()
}

// numError makes the error that a native's code stands for.
func numError(code int, fn, str string, arg int) error {
	str = clone(str)
	switch code {
	case 0:
		return nil
	case 1:
		return &NumError{fn, str, ErrSyntax}
	case 2:
		return &NumError{fn, str, ErrRange}
	case 3:
		return &NumError{fn, str, errors.New("invalid base " + Itoa(arg))}
	}
	return &NumError{fn, str, errors.New("invalid bit size " + Itoa(arg))}
}

func clone(s string) string { return string([]byte(s)) }

// Natives. A code is 0 or what numError makes an error of.

func atoi(s string) (n, code int)
func parseInt(s string, base int, bitSize int) (i int64, code int)
func parseUint(s string, base int, bitSize int) (i uint64, code int)
func parseFloat(s string, bitSize int) (f float64, code int)

// parseFloatPrefix parses the number that s begins with, of n bytes.
func parseFloatPrefix(s string, bitSize int) (f float64, n, code int)

func Atoi(s string) (int, error) {
	n, code := atoi(s)
	if code != 0 {
		return n, numError(code, "Atoi", s, 0)
	}
	return n, nil
}

func ParseInt(s string, base int, bitSize int) (i int64, err error) {
	i, code := parseInt(s, base, bitSize)
	if code != 0 {
		err = integerError(code, "ParseInt", s, base, bitSize)
	}
	return i, err
}

func ParseUint(s string, base int, bitSize int) (u uint64, err error) {
	u, code := parseUint(s, base, bitSize)
	if code != 0 {
		err = integerError(code, "ParseUint", s, base, bitSize)
	}
	return u, err
}

// integerError is numError, for which it picks the parameter that may be wrong.
func integerError(code int, fn, s string, base, bitSize int) error {
	if code == 4 {
		base = bitSize
	}
	return numError(code, fn, s, base)
}

func ParseFloat(s string, bitSize int) (float64, error) {
	f, code := parseFloat(s, bitSize)
	if code != 0 {
		return f, numError(code, "ParseFloat", s, 0)
	}
	return f, nil
}

func ParseBool(str string) (bool, error) {
	switch str {
	case "false", "False", "FALSE", "f", "F", "0":
		return false, nil
	case "true", "True", "TRUE", "t", "T", "1":
		return true, nil
	}
	return false, numError(1, "ParseBool", str, 0)
}

// Itoa is i in base 10.
func Itoa(i int) string

// FormatInt is i in a base from 2 to 36.
func FormatInt(i int64, base int) string

// FormatUint is i in a base from 2 to 36.
func FormatUint(i uint64, base int) string

// AppendInt appends what FormatInt gives.
func AppendInt(dst []byte, i int64, base int) []byte

// AppendUint appends what FormatUint gives.
func AppendUint(dst []byte, i uint64, base int) []byte

// FormatFloat is f in the format fmt ('b', 'e', 'E', 'f', 'g', 'G', 'x' or 'X') with prec digits, or as few as tell it from other numbers
// of bitSize bits if prec is -1.
func FormatFloat(f float64, fmt byte, prec, bitSize int) string

// AppendFloat appends what FormatFloat gives.
func AppendFloat(dst []byte, f float64, fmt byte, prec, bitSize int) []byte

func FormatBool(b bool) string {
	if b {
		return "true"
	}
	return "false"
}

func AppendBool(dst []byte, b bool) []byte { return append(dst, FormatBool(b)...) }

func ParseComplex(s string, bitSize int) (complex128, error) {
	const malformed, tooLarge = 1, 2
	size := 64
	if bitSize == 64 {
		size = 32
	}
	rest, wrong := s, 0
	if n := len(s); n > 1 && s[0] == '(' && s[n-1] == ')' {
		rest = s[1 : n-1]
	}
	part := func() float64 {
		v, n, code := parseFloatPrefix(rest, size)
		rest = rest[n:]
		if code != 0 {
			wrong = code
		}
		return v
	}
	re, im := part(), 0.0
	if rest == "i" {
		re, im = 0, re
	} else if rest != "" && (wrong == 0 || wrong == tooLarge) {
		// The sign of the imaginary part stands between the two.
		if len(rest) > 1 && rest[0] == '+' && rest[1] != '+' {
			rest = rest[1:]
		} else if rest[0] != '-' {
			rest = ""
		}
		if im = part(); rest != "i" {
			wrong = malformed
		}
	}
	var err error
	if wrong != 0 {
		err = numError(wrong, "ParseComplex", s, 0)
	}
	if wrong != 0 && wrong != tooLarge {
		return 0, err
	}
	return complex(re, im), err
}

func FormatComplex(c complex128, fmt byte, prec, bitSize int) string {
	if bitSize != 64 && bitSize != 128 {
		panic("invalid bitSize")
	}
	bitSize >>= 1
	im := FormatFloat(imag(c), fmt, prec, bitSize)
	if im[0] != '+' && im[0] != '-' {
		im = "+" + im
	}
	return "(" + FormatFloat(real(c), fmt, prec, bitSize) + im + "i)"
}

// Quote is s as a string literal; what cannot be printed is escaped.
func Quote(s string) string

// AppendQuote appends what Quote gives.
func AppendQuote(dst []byte, s string) []byte

// QuoteToASCII is s as a string literal of ASCII only.
func QuoteToASCII(s string) string

// AppendQuoteToASCII appends what QuoteToASCII gives.
func AppendQuoteToASCII(dst []byte, s string) []byte

// QuoteToGraphic is s as a string literal; what IsGraphic knows is not escaped.
func QuoteToGraphic(s string) string

// AppendQuoteToGraphic appends what QuoteToGraphic gives.
func AppendQuoteToGraphic(dst []byte, s string) []byte

// QuoteRune is r as a character literal; what cannot be printed is escaped.
func QuoteRune(r rune) string

// AppendQuoteRune appends what QuoteRune gives.
func AppendQuoteRune(dst []byte, r rune) []byte

// QuoteRuneToASCII is r as a character literal of ASCII only.
func QuoteRuneToASCII(r rune) string

// AppendQuoteRuneToASCII appends what QuoteRuneToASCII gives.
func AppendQuoteRuneToASCII(dst []byte, r rune) []byte

// QuoteRuneToGraphic is r as a character literal; what IsGraphic knows is not escaped.
func QuoteRuneToGraphic(r rune) string

// AppendQuoteRuneToGraphic appends what QuoteRuneToGraphic gives.
func AppendQuoteRuneToGraphic(dst []byte, r rune) []byte

// CanBackquote says whether s can stand between back quotes, on one line.
func CanBackquote(s string) bool

// IsPrint says whether r can be printed, as unicode.IsPrint does.
func IsPrint(r rune) bool

// IsGraphic says whether r shows, as unicode.IsGraphic does.
func IsGraphic(r rune) bool

// unquotePrefix is what the literal says that s begins with, and its length; -1 if there is none.
func unquotePrefix(s string) (t string, n int)

// unquoteChar is the first character of a literal between such quotes, and its length; -1 if it is bad.
func unquoteChar(s string, quote byte) (value rune, multibyte bool, n int)

// prefix is unquotePrefix, but takes two single quotes for a literal that says nothing, as Go does.
func prefix(s string) (t string, n int) {
	if len(s) >= 2 && s[:2] == "''" {
		return "", 2
	}
	return unquotePrefix(s)
}

func QuotedPrefix(s string) (string, error) {
	_, n := prefix(s)
	if n < 0 {
		return "", ErrSyntax
	}
	return s[:n], nil
}

func Unquote(s string) (string, error) {
	t, n := prefix(s)
	if n != len(s) {
		return "", ErrSyntax
	}
	return t, nil
}

func UnquoteChar(s string, quote byte) (value rune, multibyte bool, tail string, err error) {
	value, multibyte, n := unquoteChar(s, quote)
	if n < 0 {
		return 0, false, "", ErrSyntax
	}
	return value, multibyte, s[n:], nil
}
