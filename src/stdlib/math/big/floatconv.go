package big

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

func (z *Float) SetString(s string) (*Float, bool) {
	if f, _, err := z.Parse(s, 0); err == nil {
		return f, true
	}
	return nil, false
}

func ParseFloat(s string, base int, prec uint, mode RoundingMode) (f *Float, b int, err error) {
	return new(Float).SetPrec(prec).SetMode(mode).Parse(s, base)
}

func (z *Float) Parse(s string, base int) (f *Float, b int, err error) {
	switch s {
	case "Inf", "inf", "+Inf", "+inf":
		return z.SetInf(false), 0, nil
	case "-Inf", "-inf":
		return z.SetInf(true), 0, nil
	}
	t := &text{s: s}
	if f, b, err = scanFloat(z, t, base); err != nil {
		return f, b, err
	}
	if c, end := t.ReadByte(); end == nil {
		err = fmt.Errorf("expected end of string, found %q", c)
	}
	return f, b, err
}

func scanFloat[R io.ByteScanner](z *Float, r R, base int) (f *Float, b int, err error) {
	prec := z.prec
	if prec == 0 {
		prec = 64
	}
	z.form = zero
	if z.neg, err = scanSign(r); err != nil {
		return nil, 0, err
	}
	num, err := scanNumeral(r, z.mant, base, true)
	z.mant = num.abs
	if err != nil {
		return nil, num.base, err
	}
	exp, ebase, err := scanExponent(r, true, base == 0)
	if err != nil {
		return nil, num.base, err
	}
	if len(z.mant) == 0 {
		z.prec = prec
		z.acc = Exact
		return z, num.base, nil
	}
	n := int64(len(z.mant)) * wordBits
	exp2, exp5 := num.powers(exp, ebase)
	exp2 += n - z.normalise()
	if exp2 < MinExp || exp2 > MaxExp {
		return nil, num.base, errors.New("exponent overflow")
	}
	z.prec = prec
	z.form = finite
	z.exp = int32(exp2)
	if exp5 == 0 {
		z.round(false)
		return z, num.base, nil
	}
	// The power is rounded as Go rounds it, which may show in the last bit.
	power := new(Float).SetPrec(uint(prec) + 64)
	if exp5 < 0 {
		z.Quo(z, power.setPower5(uint64(-exp5)))
	} else {
		z.Mul(z, power.setPower5(uint64(exp5)))
	}
	return z, num.base, nil
}

// setPower5 sets z to 5**n: 5**27, the greatest that has 64 bits, times what is left, bit by bit of
// the exponent.
func (z *Float) setPower5(n uint64) *Float {
	const most = 27
	p := uint64(1)
	for range min(n, most) {
		p *= 5
	}
	z.SetUint64(p)
	if n <= most {
		return z
	}
	f := new(Float).SetPrec(z.Prec() + 64).SetUint64(5)
	for n -= most; n > 0; n >>= 1 {
		if n&1 != 0 {
			z.Mul(z, f)
		}
		f.Mul(f, f)
	}
	return z
}

func (z *Float) Scan(s fmt.ScanState, ch rune) error {
	s.SkipSpace()
	_, _, err := scanFloat(z, runes{s}, 0)
	return err
}

// A decimal has the digits of 0.mant·10**exp.
type decimal struct {
	mant []byte
	exp  int
}

func newDecimal(m nat, shift int) decimal {
	digits, exp := decimalOf(m, shift)
	return decimal{digits, exp}
}

func (d *decimal) at(i int) byte {
	if 0 <= i && i < len(d.mant) {
		return d.mant[i]
	}
	return '0'
}

// round leaves n digits, rounding halves to even ones.
func (d *decimal) round(n int) {
	if n < 0 || n >= len(d.mant) {
		return
	}
	up := d.mant[n] >= '5'
	if d.mant[n] == '5' && n+1 == len(d.mant) {
		up = n > 0 && d.mant[n-1]&1 != 0
	}
	if up {
		d.roundUp(n)
	} else {
		d.roundDown(n)
	}
}

func (d *decimal) roundUp(n int) {
	if n < 0 || n >= len(d.mant) {
		return
	}
	for n > 0 && d.mant[n-1] == '9' {
		n--
	}
	if n == 0 {
		d.mant[0] = '1'
		d.mant = d.mant[:1]
		d.exp++
		return
	}
	d.mant[n-1]++
	d.mant = d.mant[:n]
}

func (d *decimal) roundDown(n int) {
	if n < 0 || n >= len(d.mant) {
		return
	}
	for n > 0 && d.mant[n-1] == '0' {
		n--
	}
	d.mant = d.mant[:n]
	if n == 0 {
		d.exp = 0
	}
}

// shorten leaves as few digits as tell x from its neighbours.
func (d *decimal) shorten(x *Float) {
	if len(d.mant) == 0 {
		return
	}
	// The mantissa gets one bit more than the precision has, so that one less and one more are
	// halfway to the neighbours.
	mant := nat(nil).set(x.mant)
	exp := int(x.exp) - mant.bitLen()
	s := mant.bitLen() - int(x.prec+1)
	if s < 0 {
		mant = mant.lsh(mant, uint(-s))
	} else {
		mant = mant.rsh(mant, uint(s))
	}
	exp += s
	lower := newDecimal(nat(nil).sub(mant, natOne), exp)
	upper := newDecimal(nat(nil).add(mant, natOne), exp)
	// An even mantissa is what its limits are rounded to.
	inclusive := mant[0]&2 == 0
	for i, m := range d.mant {
		l, u := lower.at(i), upper.at(i)
		down := l != m || inclusive && i+1 == len(lower.mant)
		more := i+1 < len(upper.mant) || i >= len(upper.mant) && m < '9'
		up := m != u && (inclusive || m+1 < u || more)
		switch {
		case down && up:
			d.round(i + 1)
			return
		case down:
			d.roundDown(i + 1)
			return
		case up:
			d.roundUp(i + 1)
			return
		}
	}
}

func (x *Float) Text(format byte, prec int) string {
	return string(x.Append(make([]byte, 0, 10+max(prec, 0)), format, prec))
}

func (x *Float) String() string { return x.Text('g', 10) }

func (x *Float) Append(buf []byte, fmt byte, prec int) []byte {
	start := len(buf)
	if x.neg {
		buf = append(buf, '-')
	}
	if x.form == inf {
		if !x.neg {
			buf = append(buf, '+')
		}
		return append(buf, "Inf"...)
	}
	switch fmt {
	case 'b':
		return x.appendB(buf)
	case 'p':
		return x.appendP(buf)
	case 'x':
		return x.appendX(buf, prec)
	case 'e', 'E', 'f', 'g', 'G':
	default:
		return append(buf[:start], '%', fmt)
	}
	var d decimal
	if x.form == finite {
		d = newDecimal(x.mant, int(x.exp)-len(x.mant)*wordBits)
	}
	shortest := prec < 0
	switch {
	case shortest:
		d.shorten(x)
		switch fmt {
		case 'e', 'E':
			prec = len(d.mant) - 1
		case 'f':
			prec = max(len(d.mant)-d.exp, 0)
		default:
			prec = len(d.mant)
		}
	case fmt == 'e' || fmt == 'E':
		d.round(1 + prec)
	case fmt == 'f':
		d.round(d.exp + prec)
	default:
		prec = max(prec, 1)
		d.round(prec)
	}
	switch fmt {
	case 'e', 'E':
		return d.appendE(buf, fmt, prec)
	case 'f':
		return d.appendF(buf, prec)
	}
	// Exponents are written where they are less than -4 or no less than the precision.
	most := prec
	if most > len(d.mant) && len(d.mant) >= d.exp {
		most = len(d.mant)
	}
	if shortest {
		most = 6
	}
	if exp := d.exp - 1; exp < -4 || exp >= most {
		return d.appendE(buf, fmt+'e'-'g', min(prec, len(d.mant))-1)
	}
	if prec > d.exp {
		prec = len(d.mant)
	}
	return d.appendF(buf, max(prec-d.exp, 0))
}

// appendE appends d with an exponent.
func (d *decimal) appendE(buf []byte, fmt byte, prec int) []byte {
	buf = append(buf, d.at(0))
	if prec > 0 {
		buf = append(buf, '.')
		buf = d.appendDigits(buf, 1, 1+prec)
	}
	exp := 0
	if len(d.mant) > 0 {
		exp = d.exp - 1
	}
	return appendExp(append(buf, fmt), exp)
}

// appendExp appends an exponent with its sign and two digits at least.
func appendExp(buf []byte, exp int) []byte {
	sign := byte('+')
	if exp < 0 {
		sign, exp = '-', -exp
	}
	buf = append(buf, sign)
	if exp < 10 {
		buf = append(buf, '0')
	}
	return strconv.AppendInt(buf, int64(exp), 10)
}

func (d *decimal) appendDigits(buf []byte, from, to int) []byte {
	if from >= 0 && from < len(d.mant) {
		end := min(to, len(d.mant))
		buf = append(buf, d.mant[from:end]...)
		from = end
	}
	for ; from < to; from++ {
		buf = append(buf, d.at(from))
	}
	return buf
}

// appendF appends d with a point.
func (d *decimal) appendF(buf []byte, prec int) []byte {
	if d.exp > 0 {
		buf = d.appendDigits(buf, 0, d.exp)
	} else {
		buf = append(buf, '0')
	}
	if prec > 0 {
		buf = append(buf, '.')
		buf = d.appendDigits(buf, d.exp, d.exp+prec)
	}
	return buf
}

// bitsOf is the mantissa as a number of n bits.
func (x *Float) bitsOf(n uint) nat {
	w := uint(len(x.mant)) * wordBits
	if w < n {
		return nat(nil).lsh(x.mant, n-w)
	}
	return nat(nil).rsh(x.mant, w-n)
}

// appendSigned appends an exponent with its sign.
func appendSigned(buf []byte, exp int64) []byte {
	if exp >= 0 {
		buf = append(buf, '+')
	}
	return strconv.AppendInt(buf, exp, 10)
}

// appendB appends the mantissa as an integer, and a binary exponent.
func (x *Float) appendB(buf []byte) []byte {
	if x.form == zero {
		return append(buf, '0')
	}
	buf = append(buf, x.bitsOf(uint(x.prec)).text(false, 10)...)
	return appendSigned(append(buf, 'p'), int64(x.exp)-int64(x.prec))
}

// appendX appends the mantissa in hexadecimal, 1 before the point, and a binary exponent.
func (x *Float) appendX(buf []byte, prec int) []byte {
	if x.form == zero {
		buf = append(buf, "0x0"...)
		if prec > 0 {
			buf = appendZeros(append(buf, '.'), prec)
		}
		return append(buf, "p+00"...)
	}
	n := 1 + 4*uint(prec)
	if prec < 0 {
		n = 1 + (x.MinPrec()-1+3)/4*4
	}
	x = new(Float).SetPrec(n).SetMode(x.mode).Set(x)
	digits := x.bitsOf(n).text(false, 16)
	buf = append(buf, "0x1"...)
	if len(digits) > 1 {
		buf = append(buf, '.')
		buf = append(buf, digits[1:]...)
	}
	return appendExp(append(buf, 'p'), int(x.exp)-1)
}

// appendP appends the mantissa in hexadecimal, all of it behind the point, and a binary exponent.
func (x *Float) appendP(buf []byte) []byte {
	if x.form == zero {
		return append(buf, '0')
	}
	buf = append(buf, "0x."...)
	buf = append(buf, strings.TrimRight(x.mant.text(false, 16), "0")...)
	return appendSigned(append(buf, 'p'), int64(x.exp))
}

func (x *Float) Format(s fmt.State, format rune) {
	prec, hasPrec := s.Precision()
	if !hasPrec {
		prec = 6
	}
	switch format {
	case 'e', 'E', 'f', 'b', 'p', 'x':
	case 'F':
		format = 'f'
	case 'g', 'G', 'v':
		if format == 'v' {
			format = 'g'
		}
		if !hasPrec {
			prec = -1
		}
	default:
		fmt.Fprintf(s, "%%!%c(*big.Float=%s)", format, x.String())
		return
	}
	buf := x.Append(nil, byte(format), prec)
	var sign string
	switch {
	case buf[0] == '-':
		sign, buf = "-", buf[1:]
	case buf[0] == '+':
		// Of infinity.
		sign, buf = "+", buf[1:]
		if s.Flag(' ') {
			sign = " "
		}
	default:
		sign = signOf(s)
	}
	padding := 0
	if width, ok := s.Width(); ok {
		padding = max(width-len(sign)-len(buf), 0)
	}
	before, zeros, after := padding, 0, 0
	switch {
	case s.Flag('0') && !x.IsInf():
		before, zeros = 0, padding
	case s.Flag('-'):
		before, after = 0, padding
	}
	writeTimes(s, " ", before)
	writeTimes(s, sign, 1)
	writeTimes(s, "0", zeros)
	s.Write(buf)
	writeTimes(s, " ", after)
}

const floatGobVersion = 1

func (x *Float) GobEncode() ([]byte, error) {
	if x == nil {
		return nil, nil
	}
	buf := make([]byte, 2+4)
	buf[0] = floatGobVersion
	buf[1] = byte(x.mode&7)<<5 | byte((x.acc+1)&3)<<3 | byte(x.form&3)<<1
	if x.neg {
		buf[1] |= 1
	}
	binary.BigEndian.PutUint32(buf[2:], x.prec)
	if x.form == finite {
		// Words behind the precision are left out.
		n := min(int((x.prec+(wordBits-1))/wordBits), len(x.mant))
		buf = binary.BigEndian.AppendUint32(buf, uint32(x.exp))
		for i := range n {
			buf = binary.BigEndian.AppendUint64(buf, uint64(x.mant[len(x.mant)-1-i]))
		}
	}
	return buf, nil
}

func (z *Float) GobDecode(buf []byte) error {
	if len(buf) == 0 {
		*z = Float{}
		return nil
	}
	if len(buf) < 6 {
		return errors.New("Float.GobDecode: buffer too small")
	}
	if buf[0] != floatGobVersion {
		return fmt.Errorf("Float.GobDecode: encoding version %d not supported", buf[0])
	}
	prec, mode := z.prec, z.mode
	b := buf[1]
	z.mode = RoundingMode(b >> 5 & 7)
	z.acc = Accuracy(b>>3&3) - 1
	z.form = form(b >> 1 & 3)
	z.neg = b&1 != 0
	z.prec = binary.BigEndian.Uint32(buf[2:])
	if z.form == finite {
		if len(buf) < 10 {
			return errors.New("Float.GobDecode: buffer too small for finite form float")
		}
		z.exp = int32(binary.BigEndian.Uint32(buf[6:]))
		z.mant = z.mant.setBytes(buf[10:])
	}
	if prec != 0 {
		z.mode = mode
		z.SetPrec(uint(prec))
	}
	if z.form != finite {
		return nil
	}
	switch {
	case len(z.mant) == 0:
		return errors.New("Float.GobDecode: nonzero finite number with empty mantissa")
	case z.top()>>63 == 0:
		const msg = "Float.GobDecode: msb not set in last word %#x of %s"
		return fmt.Errorf(msg, z.mant[len(z.mant)-1], z.Text('p', 0))
	case z.prec == 0:
		return errors.New("Float.GobDecode: zero precision finite number")
	}
	return nil
}

func (x *Float) AppendText(b []byte) ([]byte, error) {
	if x == nil {
		return append(b, "<nil>"...), nil
	}
	return x.Append(b, 'g', -1), nil
}

func (x *Float) MarshalText() (text []byte, err error) { return x.AppendText(nil) }

func (z *Float) UnmarshalText(text []byte) error {
	if _, _, err := z.Parse(string(text), 0); err != nil {
		return fmt.Errorf("math/big: cannot unmarshal %q into a *big.Float (%v)", text, err)
	}
	return nil
}
