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

func (e *NumError) Error() string {
	return "strconv." + e.Func + ": parsing " + Quote(e.Num) + ": " + e.Err.Error()
}

func (e *NumError) Unwrap() error { return e.Err }

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
	case "1", "t", "T", "true", "TRUE", "True":
		return true, nil
	case "0", "f", "F", "false", "FALSE", "False":
		return false, nil
	}
	return false, numError(1, "ParseBool", str, 0)
}

func FormatBool(b bool) string {
	if b {
		return "true"
	}
	return "false"
}

func AppendBool(dst []byte, b bool) []byte { return append(dst, FormatBool(b)...) }

func ParseComplex(s string, bitSize int) (complex128, error) {
	size := 64
	if bitSize == 64 {
		size = 32
	}
	orig := s
	if n := len(s); n > 1 && s[0] == '(' && s[n-1] == ')' {
		s = s[1 : n-1]
	}
	var pending error
	re, n, code := parseFloatPrefix(s, size)
	if code != 0 {
		if code != 2 {
			return 0, numError(code, "ParseComplex", orig, 0)
		}
		pending = numError(code, "ParseComplex", orig, 0)
	}
	s = s[n:]
	if len(s) == 0 {
		return complex(re, 0), pending
	}
	switch s[0] {
	case '+':
		if len(s) > 1 && s[1] != '+' {
			s = s[1:]
		}
	case '-':
	case 'i':
		if len(s) == 1 {
			return complex(0, re), pending
		}
		return 0, numError(1, "ParseComplex", orig, 0)
	default:
		return 0, numError(1, "ParseComplex", orig, 0)
	}
	im, n, code := parseFloatPrefix(s, size)
	if code != 0 {
		if code != 2 {
			return 0, numError(code, "ParseComplex", orig, 0)
		}
		pending = numError(code, "ParseComplex", orig, 0)
	}
	if s[n:] != "i" {
		return 0, numError(1, "ParseComplex", orig, 0)
	}
	return complex(re, im), pending
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

func QuotedPrefix(s string) (string, error) {
	_, n := unquotePrefix(s)
	if n < 0 {
		return "", ErrSyntax
	}
	return s[:n], nil
}

func Unquote(s string) (string, error) {
	t, n := unquotePrefix(s)
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
