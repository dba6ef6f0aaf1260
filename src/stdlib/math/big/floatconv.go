package big

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// Texts of Floats. Decimal digits are exact at first, and are then cut to a length; everything else is
// where to put the point.

// ---- Reading.

// SetString sets z to the number that s writes, and says whether s does.
func (z *Float) SetString(s string) (*Float, bool) {
	f, _, err := z.Parse(s, 0)
	if err != nil {
		return nil, false
	}
	return f, true
}

// ParseFloat reads a number with a precision and a way of rounding.
func ParseFloat(s string, base int, prec uint, mode RoundingMode) (f *Float, b int, err error) {
	z := new(Float).SetPrec(prec)
	z.mode = mode
	return z.Parse(s, base)
}

// Parse sets z to the number that all of s writes, and gives its base.
func (z *Float) Parse(s string, base int) (f *Float, b int, err error) {
	if n := len(s); n == 3 || n == 4 && (s[0] == '+' || s[0] == '-') {
		if name := s[n-3:]; name == "Inf" || name == "inf" {
			return z.SetInf(s[0] == '-'), 0, nil
		}
	}
	t := &text{s: s}
	f, b, err = scanFloat(z, t, base)
	if err == nil && t.i < len(s) {
		err = fmt.Errorf("expected end of string, found %q", s[t.i])
	}
	return f, b, err
}

// scanFloat reads a number, and leaves what is behind it.
func scanFloat[R io.ByteScanner](z *Float, r R, base int) (f *Float, b int, err error) {
	z.form = zero
	neg, err := readSign(r)
	if z.neg = neg; err != nil {
		return nil, 0, err
	}
	n, err := readNumeral(r, z.mant, base, true)
	z.mant = n.abs
	var exp, twos, fives int64
	ebase := 10
	if err == nil {
		exp, ebase, err = readExponent(r, base == 0)
	}
	if err != nil {
		return nil, n.base, err
	}
	prec := z.precise(64).prec
	if twos, fives = n.powers(exp, ebase); len(n.abs) == 0 {
		return z.exactly(zero, neg), n.base, nil
	}
	if e := twos + int64(n.abs.width()); e > MaxExp || e < MinExp {
		return nil, n.base, errors.New("exponent overflow")
	}
	if fives == 0 {
		return z.set(neg, n.abs, twos, false), n.base, nil
	}
	// The digits are not rounded before they are multiplied. The power is rounded as Go rounds it,
	// which may show in the last bit.
	digits := &Float{prec: MaxPrec}
	digits.set(neg, n.abs, twos, false)
	z.mant = nil
	power := powerOf5(amount(fives), uint(prec)+64)
	if fives > 0 {
		return z.Mul(digits, power), n.base, nil
	}
	return z.Quo(digits, power), n.base, nil
}

// powerOf5 is 5**n: 5**27, the greatest that has 64 bits, times what is left, bit by bit of the
// exponent.
func powerOf5(n uint64, prec uint) *Float {
	const most = 27
	word := uint64(1)
	for i := uint64(0); i < n && i < most; i++ {
		word *= 5
	}
	z := new(Float).SetPrec(prec).SetUint64(word)
	square := new(Float).SetPrec(prec + 64).SetUint64(5)
	for rest := n - min(n, most); rest > 0; rest /= 2 {
		if rest%2 == 1 {
			z.Mul(z, square)
		}
		square.Mul(square, square)
	}
	return z
}

// Scan reads a number with a prefix or without.
func (z *Float) Scan(s fmt.ScanState, ch rune) (err error) {
	s.SkipSpace()
	_, _, err = scanFloat(z, runes{s}, 0)
	return err
}

// ---- Digits.

// A decimal has the digits of 0.digits·10**point.
type decimal struct {
	digits []byte
	point  int
}

func decimalFrom(m nat, shift int) (d decimal) {
	d.digits, d.point = decimalOf(m, shift)
	return d
}

// at is a digit; there are zeros on both sides of the others.
func (d *decimal) at(i int) byte {
	if uint(i) < uint(len(d.digits)) {
		return d.digits[i]
	}
	return '0'
}

// cut leaves n digits, without zeros at the end, and makes the last one greater by one if more says
// so.
func (d *decimal) cut(n int, more bool) {
	drop := byte('0')
	if more {
		drop = '9' // nines become zeros, and what is before them grows
	}
	for n > 0 && d.digits[n-1] == drop {
		n--
	}
	d.digits = d.digits[:n]
	switch {
	case more && n > 0:
		d.digits[n-1]++
	case more:
		d.digits = append(d.digits, '1')
		d.point++
	case n == 0:
		d.point = 0
	}
}

// round leaves n digits, rounding halves to even ones.
func (d *decimal) round(n int) {
	if n < 0 || n >= len(d.digits) {
		return
	}
	first, isLast := d.digits[n], n == len(d.digits)-1
	if first == '5' && isLast {
		d.cut(n, d.at(n-1)%2 == 1)
		return
	}
	d.cut(n, first >= '5')
}

// shorten leaves as few digits as tell x from its neighbours.
func (d *decimal) shorten(x *Float) {
	// The mantissa gets one bit more than the precision has, so that one less and one more are
	// halfway to the neighbours. An even mantissa is what these limits are rounded to.
	low := int64(x.exp) - int64(x.prec) - 1
	mant := x.shifted(nil, x.low()-low)
	isEven := mant[0]&2 == 0
	below := decimalFrom(nat(nil).sub(mant, oneWord), int(low))
	above := decimalFrom(nat(nil).add(mant, oneWord), int(low))
	// Digits may be dropped once what is left is no longer the lower limit's beginning, or all of it.
	down := 0
	for down < len(d.digits) && d.digits[down] == below.at(down) {
		down++
	}
	if down++; isEven {
		down = min(down, len(below.digits))
	}
	for n := 1; n <= len(d.digits); n++ {
		// With one more in the last place it must stay within the upper limit.
		last, limit := d.at(n-1), above.at(n-1)
		up := last != limit && (isEven || last+1 < limit || n < len(above.digits) ||
			n > len(above.digits) && last < '9')
		if n >= down && up {
			d.round(n)
			return
		}
		if n >= down || up {
			if n < len(d.digits) {
				d.cut(n, up)
			}
			return
		}
	}
}

// appendRange appends the digits from a place to another.
func (d *decimal) appendRange(buf []byte, from, to int) []byte {
	for i := from; i < to; i++ {
		buf = append(buf, d.at(i))
	}
	return buf
}

// appendPlain appends d without an exponent, with so many digits behind the point.
func (d *decimal) appendPlain(buf []byte, behind int) []byte {
	// Before the point there is a zero at least.
	buf = d.appendRange(buf, min(d.point-1, 0), max(d.point, 1)+min(d.point-1, 0))
	if behind > 0 {
		buf = d.appendRange(append(buf, '.'), d.point, d.point+behind)
	}
	return buf
}

// appendScientific appends d with one digit before the point, and an exponent behind a letter.
func (d *decimal) appendScientific(buf []byte, letter byte, behind int) []byte {
	if buf = append(buf, d.at(0)); behind > 0 {
		buf = d.appendRange(append(buf, '.'), 1, 1+behind)
	}
	exp := 0
	if len(d.digits) > 0 {
		exp = d.point - 1
	}
	return appendExponent(append(buf, letter), int64(exp), 2)
}

// appendExponent appends a sign and so many digits at least.
func appendExponent(buf []byte, exp int64, least int) []byte {
	if buf = append(buf, '+'); exp < 0 {
		buf[len(buf)-1] = '-'
	}
	u := amount(exp)
	if least == 2 && u < 10 {
		buf = append(buf, '0')
	}
	return strconv.AppendUint(buf, u, 10)
}

// ---- Writing.

// String writes x with ten digits at most.
func (x *Float) String() string { return x.Text('g', 10) }

// Text writes x as Append does.
func (x *Float) Text(format byte, prec int) string {
	return string(x.Append(make([]byte, 0, 10+max(prec, 0)), format, prec))
}

// Append appends x in a format: e, E, f, g or G as strconv has them; b and p, mantissas with a binary
// exponent; x, hexadecimal. A negative precision means as many digits as it takes to read x again.
func (x *Float) Append(buf []byte, fmt byte, prec int) []byte {
	start := len(buf)
	if x.neg {
		buf = append(buf, '-')
	}
	if x.form == inf {
		return append(buf, "+Inf"[len(buf)-start:]...)
	}
	switch fmt {
	case 'e', 'E', 'f', 'g', 'G':
		return x.appendDecimal(buf, fmt, prec)
	case 'b', 'p', 'x':
		return x.appendBinary(buf, fmt, prec)
	}
	return append(buf[:start], '%', fmt)
}

func (x *Float) appendDecimal(buf []byte, letter byte, prec int) []byte {
	var d decimal
	isShortest := prec < 0
	if x.form == finite {
		d = decimalFrom(x.mant, int(x.low()))
		if isShortest {
			d.shorten(x)
		}
	}
	switch letter {
	case 'f':
		if isShortest {
			prec = len(d.digits) - d.point
		} else {
			d.round(d.point + prec)
		}
		return d.appendPlain(buf, prec)
	case 'e', 'E':
		if isShortest {
			prec = len(d.digits) - 1
		} else {
			d.round(prec + 1)
		}
		return d.appendScientific(buf, letter, prec)
	}
	// An exponent is written where it is less than -4, or no less than the precision.
	most := 6
	if isShortest {
		prec = len(d.digits)
	} else {
		prec = max(prec, 1)
		d.round(prec)
		if most = prec; len(d.digits) >= d.point {
			most = min(most, len(d.digits))
		}
	}
	if d.point < -3 || d.point > most {
		return d.appendScientific(buf, letter-('g'-'e'), min(prec, len(d.digits))-1)
	}
	return d.appendPlain(buf, len(d.digits)-d.point)
}

// bitsOf is the mantissa as a number of n bits.
func (x *Float) bitsOf(n uint) nat {
	return x.shifted(nil, int64(n)-int64(len(x.mant))*wordBits)
}

// appendBinary appends a mantissa with a binary exponent: as an integer (b), in hexadecimal behind the
// point (p), or with a 1 before it (x).
func (x *Float) appendBinary(buf []byte, letter byte, prec int) []byte {
	isZero := x.form == zero
	switch {
	case isZero && letter != 'x':
		return append(buf, '0')
	case letter == 'b':
		buf = append(buf, x.bitsOf(uint(x.prec)).text(false, 10)...)
		return appendExponent(append(buf, 'p'), int64(x.exp)-int64(x.prec), 1)
	case letter == 'p':
		buf = append(append(buf, "0x."...), strings.TrimRight(x.mant.text(false, 16), "0")...)
		return appendExponent(append(buf, 'p'), int64(x.exp), 1)
	}
	digits, exp := "0", int64(0)
	if isZero {
		digits += strings.Repeat("0", max(prec, 0))
	} else {
		n := 4*uint(prec) + 1
		if prec < 0 {
			n = (x.MinPrec()+2)/4*4 + 1
		}
		rounded := new(Float).SetMode(x.mode).SetPrec(n).Set(x)
		digits, exp = rounded.bitsOf(n).text(false, 16), int64(rounded.exp)-1
	}
	buf = append(append(buf, "0x"...), digits[0])
	if len(digits) > 1 {
		buf = append(append(buf, '.'), digits[1:]...)
	}
	return appendExponent(append(buf, 'p'), exp, 2)
}

// Format writes x as fmt writes floating-point numbers; b, p and x are as Append has them.
func (x *Float) Format(s fmt.State, format rune) {
	prec, isGiven := s.Precision()
	letter, usual := byte(format), 6
	switch format {
	case 'F':
		letter = 'f'
	case 'v':
		letter, usual = 'g', -1
	case 'g', 'G':
		usual = -1
	case 'e', 'E', 'f', 'b', 'p', 'x':
	default:
		fmt.Fprintf(s, "%%!%c(*big.Float=%s)", format, x.String())
		return
	}
	if !isGiven {
		prec = usual
	}
	f := field{digits: x.Append(nil, letter, prec)}
	if c := f.digits[0]; c != '-' && c != '+' {
		f.sign = plusFor(s)
	} else {
		f.sign, f.digits = string(c), f.digits[1:]
		if c == '+' && s.Flag(' ') {
			f.sign = " "
		}
	}
	f.write(s, s.Flag('0') && !x.IsInf())
}

// ---- Gob and texts.

// GobEncode writes the version, a byte of attributes, the precision, and of a finite number the
// exponent and the words of the mantissa that count, the highest first.
func (x *Float) GobEncode() (text []byte, err error) {
	if x == nil {
		return text, err
	}
	attributes := int(x.mode)&7<<5 | int(x.acc+1)&3<<3 | int(x.form)&3<<1
	if x.neg {
		attributes |= 1
	}
	buf := binary.BigEndian.AppendUint32([]byte{gobVersion, byte(attributes)}, x.prec)
	if x.form != finite {
		return buf, nil
	}
	buf = binary.BigEndian.AppendUint32(buf, uint32(x.exp))
	words := x.mant
	if n := (int(x.prec) + wordBits - 1) / wordBits; n < len(words) {
		words = words[len(words)-n:]
	}
	for _, w := range slices.Backward(words) {
		buf = binary.BigEndian.AppendUint64(buf, uint64(w))
	}
	return buf, nil
}

// GobDecode reads what GobEncode writes. A precision that z has stays.
func (z *Float) GobDecode(buf []byte) (err error) {
	if len(buf) == 0 {
		*z = Float{}
		return err
	}
	fail := func(what string) error { return errors.New("Float.GobDecode: " + what) }
	switch {
	case len(buf) < 6:
		return fail("buffer too small")
	case buf[0] != gobVersion:
		return fail(fmt.Sprintf("encoding version %d not supported", buf[0]))
	}
	attributes, old := buf[1], *z
	z.prec = binary.BigEndian.Uint32(buf[2:6])
	z.neg = attributes%2 == 1
	z.form = form(attributes / 2 % 4)
	z.acc = Accuracy(attributes/8%4) - 1
	z.mode = RoundingMode(attributes / 32)
	if z.form == finite {
		if buf = buf[6:]; len(buf) < 4 {
			return fail("buffer too small for finite form float")
		}
		z.exp, z.mant = int32(binary.BigEndian.Uint32(buf)), z.mant.setBytes(buf[4:])
	}
	if old.prec > 0 {
		z.mode = old.mode
		z.SetPrec(uint(old.prec))
	}
	switch {
	case z.form != finite:
	case len(z.mant) == 0:
		err = fail("nonzero finite number with empty mantissa")
	case z.top()>>63 == 0:
		err = fail(fmt.Sprintf("msb not set in last word %#x of %s", z.top(), z.Text('p', 0)))
	case z.prec == 0:
		err = fail("zero precision finite number")
	}
	return err
}

// AppendText appends x with as many digits as it takes to read it again.
func (x *Float) AppendText(b []byte) ([]byte, error) {
	if x != nil {
		b = x.Append(b, 'g', -1)
	} else {
		b = append(b, "<nil>"...)
	}
	return b, nil
}

func (x *Float) MarshalText() (text []byte, err error) { return x.AppendText(nil) }

// UnmarshalText reads a number, rounded to z's precision, or to 64 bits if it has none.
func (z *Float) UnmarshalText(text []byte) error {
	if _, _, err := z.Parse(string(text), 0); err != nil {
		return fmt.Errorf("math/big: cannot unmarshal %q into a *big.Float (%v)", text, err)
	}
	return nil
}
