package big

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Writing and reading integers, and what the other types need for it, too.

// Text is x in a base from 2 to MaxBase.
func (x *Int) Text(base int) string {
	switch {
	case x == nil:
		return "<nil>"
	case base < 2 || base > MaxBase:
		panic("invalid base")
	}
	return x.abs.text(x.neg, base)
}

func (x *Int) Append(buf []byte, base int) []byte { return append(buf, x.Text(base)...) }

func (x *Int) String() string { return x.Text(10) }

// A field is what is written for a number: sign, prefix, zeros and digits, and blanks on a side if the
// format's width is more.
type field struct {
	sign, prefix string
	zeros        int
	digits       []byte
}

// put writes text so many times, by whatever way s offers.
func put(s fmt.State, text string, times int) {
	one := func() { io.WriteString(s, text) }
	if w, ok := s.(io.ByteWriter); ok && len(text) == 1 {
		one = func() { w.WriteByte(text[0]) }
	}
	for ; times > 0 && text != ""; times-- {
		one()
	}
}

// write fills the width with blanks on the left or on the right, or with zeros if they are allowed.
func (f *field) write(s fmt.State, zerosOk bool) {
	total, _ := s.Width()
	missing := total - len(f.sign) - len(f.prefix) - f.zeros - len(f.digits)
	var left, right int
	if zerosOk {
		f.zeros += max(missing, 0)
	} else if s.Flag('-') {
		right = missing
	} else {
		left = missing
	}
	put(s, " ", left)
	put(s, f.sign, 1)
	put(s, f.prefix, 1)
	put(s, "0", f.zeros)
	s.Write(f.digits)
	put(s, " ", right)
}

// plusFor is what stands before a number that is not negative.
func plusFor(s fmt.State) string {
	if s.Flag('+') {
		return "+"
	}
	if s.Flag(' ') {
		return " "
	}
	return ""
}

// A verb says how an Int is written.
type verb struct {
	letter byte
	base   int
	prefix string
}

var verbs = [...]verb{
	{'b', 2, "0b"}, {'o', 8, "0"}, {'O', 8, "0o"}, {'d', 10, ""}, {'x', 16, "0x"}, {'X', 16, "0X"},
	{'s', 10, ""}, {'v', 10, ""},
}

// verbOf gives the verb of a letter, nil if there is none.
func verbOf(letter rune) *verb {
	for i := range verbs {
		if rune(verbs[i].letter) == letter {
			return &verbs[i]
		}
	}
	return nil
}

// Format writes x as fmt writes integers.
func (x *Int) Format(s fmt.State, ch rune) {
	v := verbOf(ch)
	switch {
	case v == nil:
		fmt.Fprintf(s, "%%!%c(big.Int=%s)", ch, x.String())
		return
	case x == nil:
		io.WriteString(s, "<nil>")
		return
	}
	f := field{digits: []byte(x.abs.text(false, v.base))}
	least, limited := s.Precision()
	if limited && least == 0 && len(x.abs) == 0 {
		return
	}
	f.zeros = max(least-len(f.digits), 0)
	if f.sign = "-"; !x.neg {
		f.sign = plusFor(s)
	}
	if s.Flag('#') || v.letter == 'O' {
		f.prefix = v.prefix
	}
	if v.letter == 'X' {
		f.digits = bytes.ToUpper(f.digits)
	}
	f.write(s, s.Flag('0') && !s.Flag('-') && !limited)
}

// Scan reads a number as the verb has it; s and v take prefixes.
func (z *Int) Scan(s fmt.ScanState, ch rune) error {
	s.SkipSpace()
	v := verbOf(ch)
	if v == nil || v.letter == 'O' {
		return errors.New("Int.Scan: invalid verb")
	}
	base := v.base
	if strings.ContainsRune("sv", ch) {
		base = 0
	}
	return scanInt(z, runes{s}, base)
}

// A runes reads single bytes from what Scan is given.
type runes struct {
	fmt.ScanState
}

func (r runes) UnreadByte() error { return r.UnreadRune() }

func (r runes) ReadByte() (byte, error) {
	ch, size, err := r.ReadRune()
	if err == nil && size > 1 {
		err = fmt.Errorf("invalid rune %#U", ch)
	}
	return byte(ch), err
}

// ---- Gob. The first byte has the version and the sign, or what else a type needs.

const gobVersion = 1

// gobHead makes the first byte of an Int or a Rat.
func gobHead(neg bool) byte {
	if neg {
		return gobVersion<<1 | 1
	}
	return gobVersion << 1
}

// gobSign takes that byte off; size is how many bytes must come at least.
func gobSign(typ string, buf []byte, size int) (neg bool, rest []byte, err error) {
	switch {
	case len(buf) < size:
		err = errors.New(typ + ".GobDecode: buffer too small")
	case buf[0]>>1 != gobVersion:
		err = fmt.Errorf(typ+".GobDecode: encoding version %d not supported", buf[0]>>1)
	default:
		neg, rest = buf[0]%2 == 1, buf[1:]
	}
	return neg, rest, err
}

// GobEncode writes the amount behind the head.
func (x *Int) GobEncode() (buf []byte, err error) {
	if x != nil {
		buf = append([]byte{gobHead(x.neg)}, x.abs.bytes()...)
	}
	return buf, nil
}

// GobEncode writes the numerator's length between the head and both amounts.
func (x *Rat) GobEncode() (buf []byte, err error) {
	if x == nil {
		return buf, err
	}
	above := x.a.abs.bytes()
	if uint64(len(above)) >= 1<<32 {
		return buf, errors.New("Rat.GobEncode: numerator too large")
	}
	buf = binary.BigEndian.AppendUint32([]byte{gobHead(x.a.neg)}, uint32(len(above)))
	return slices.Concat(buf, above, x.b.abs.bytes()), nil
}

// GobDecode reads what GobEncode writes.
func (z *Int) GobDecode(text []byte) (err error) {
	if len(text) == 0 {
		z.become(false, nil)
		return err
	}
	neg, amount, err := gobSign("Int", text, 1)
	if err == nil {
		z.abs, z.neg = z.abs.setBytes(amount), neg
	}
	return err
}

// GobDecode reads what GobEncode writes.
func (z *Rat) GobDecode(buf []byte) (err error) {
	if len(buf) == 0 {
		*z = Rat{}
		return err
	}
	neg, rest, err := gobSign("Rat", buf, 5)
	if err != nil {
		return err
	}
	n := uint64(binary.BigEndian.Uint32(rest))
	if rest = rest[4:]; n > uint64(len(rest)) {
		return errors.New("Rat.GobDecode: buffer too small")
	}
	z.a.neg, z.a.abs = neg, z.a.abs.setBytes(rest[:n])
	z.b.abs = z.b.abs.setBytes(rest[n:])
	return err
}

// ---- Text and JSON.

func (x *Int) MarshalText() (text []byte, err error)        { return x.AppendText(nil) }
func (x *Int) AppendText(b []byte) (text []byte, err error) { return x.Append(b, 10), nil }

// UnmarshalText reads a number, of which a prefix may tell the base.
func (z *Int) UnmarshalText(b []byte) error {
	if _, ok := setFrom(z, &text{s: string(b)}, 0); ok {
		return nil
	}
	return fmt.Errorf("math/big: cannot unmarshal %q into a *big.Int", b)
}

func (x *Int) MarshalJSON() ([]byte, error) {
	if x != nil {
		return x.AppendText(nil)
	}
	return []byte("null"), nil
}

// UnmarshalJSON reads a number; null changes nothing.
func (z *Int) UnmarshalJSON(text []byte) error {
	if string(text) != "null" {
		return z.UnmarshalText(text)
	}
	return nil
}
