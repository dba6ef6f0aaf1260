package big

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
)

func itoa(n int) string { return strconv.Itoa(n) }

// digitsOf is x in a base from 2 to MaxBase.
func (x nat) digitsOf(neg bool, base int) string {
	if base < 2 || base > MaxBase {
		panic("invalid base")
	}
	return x.text(neg, base)
}

func (x *Int) Text(base int) string {
	if x == nil {
		return "<nil>"
	}
	return x.abs.digitsOf(x.neg, base)
}

func (x *Int) Append(buf []byte, base int) []byte { return append(buf, x.Text(base)...) }

func (x *Int) String() string { return x.Text(10) }

// writeTimes writes text so many times, by whatever way s offers.
func writeTimes(s fmt.State, text string, count int) {
	if text == "" || count <= 0 {
		return
	}
	if w, ok := s.(io.ByteWriter); ok && len(text) == 1 {
		for range count {
			w.WriteByte(text[0])
		}
		return
	}
	for range count {
		io.WriteString(s, text)
	}
}

// signOf is what stands before a number that is not negative.
func signOf(s fmt.State) string {
	switch {
	case s.Flag('+'):
		return "+"
	case s.Flag(' '):
		return " "
	}
	return ""
}

func (x *Int) Format(s fmt.State, ch rune) {
	base, prefix := 10, ""
	switch ch {
	case 'b':
		base, prefix = 2, "0b"
	case 'o':
		base, prefix = 8, "0"
	case 'O':
		base, prefix = 8, "0o"
	case 'd', 's', 'v':
	case 'x':
		base, prefix = 16, "0x"
	case 'X':
		base, prefix = 16, "0X"
	default:
		fmt.Fprintf(s, "%%!%c(big.Int=%s)", ch, x.String())
		return
	}
	if x == nil {
		fmt.Fprint(s, "<nil>")
		return
	}
	if ch != 'O' && !s.Flag('#') {
		prefix = ""
	}
	sign := signOf(s)
	if x.neg {
		sign = "-"
	}
	digits := []byte(x.abs.text(false, base))
	if ch == 'X' {
		digits = bytes.ToUpper(digits)
	}
	zeros := 0
	precision, hasPrecision := s.Precision()
	if hasPrecision {
		if precision == 0 && len(x.abs) == 0 {
			return
		}
		zeros = max(precision-len(digits), 0)
	}
	left, right := 0, 0
	length := len(sign) + len(prefix) + zeros + len(digits)
	if width, ok := s.Width(); ok && width > length {
		switch {
		case s.Flag('-'):
			right = width - length
		case s.Flag('0') && !hasPrecision:
			zeros = width - length
		default:
			left = width - length
		}
	}
	writeTimes(s, " ", left)
	writeTimes(s, sign, 1)
	writeTimes(s, prefix, 1)
	writeTimes(s, "0", zeros)
	s.Write(digits)
	writeTimes(s, " ", right)
}

// A runes reads single bytes from what Scan is given.
type runes struct {
	fmt.ScanState
}

func (r runes) ReadByte() (byte, error) {
	ch, size, err := r.ReadRune()
	if size != 1 && err == nil {
		err = fmt.Errorf("invalid rune %#U", ch)
	}
	return byte(ch), err
}

func (r runes) UnreadByte() error { return r.UnreadRune() }

func (z *Int) Scan(s fmt.ScanState, ch rune) error {
	s.SkipSpace()
	base := 0
	switch ch {
	case 'b':
		base = 2
	case 'o':
		base = 8
	case 'd':
		base = 10
	case 'x', 'X':
		base = 16
	case 's', 'v':
	default:
		return errors.New("Int.Scan: invalid verb")
	}
	_, err := scanInt(z, runes{s}, base)
	return err
}

const intGobVersion = 1

func (x *Int) GobEncode() ([]byte, error) {
	if x == nil {
		return nil, nil
	}
	buf := make([]byte, 1+len(x.abs)*wordBytes)
	i := x.abs.putBytes(buf) - 1
	buf[i] = intGobVersion << 1
	if x.neg {
		buf[i] |= 1
	}
	return buf[i:], nil
}

func (z *Int) GobDecode(buf []byte) error {
	if len(buf) == 0 {
		*z = Int{}
		return nil
	}
	if v := buf[0] >> 1; v != intGobVersion {
		return fmt.Errorf("Int.GobDecode: encoding version %d not supported", v)
	}
	z.neg = buf[0]&1 != 0
	z.abs = z.abs.setBytes(buf[1:])
	return nil
}

func (x *Int) AppendText(b []byte) (text []byte, err error) { return x.Append(b, 10), nil }
func (x *Int) MarshalText() (text []byte, err error)        { return x.AppendText(nil) }

func (z *Int) UnmarshalText(b []byte) error {
	if _, ok := setFrom(z, &text{s: string(b)}, 0); !ok {
		return fmt.Errorf("math/big: cannot unmarshal %q into a *big.Int", b)
	}
	return nil
}

func (x *Int) MarshalJSON() ([]byte, error) {
	if x == nil {
		return []byte("null"), nil
	}
	return []byte(x.String()), nil
}

func (z *Int) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		return nil
	}
	return z.UnmarshalText(text)
}
