// Package big: integers, fractions and floating-point numbers of any length.
//
// All of them stand on nat, a natural number, whose arithmetic is native. As in Go a method's
// receiver says where the result goes, and its memory is used again if there is room.
package big

import (
	"errors"
	"io"
	"math/bits"
	"math/rand"
	"strconv"
)

// A Word is a digit of a number.
type Word uint

const (
	wordBits  = 64
	wordBytes = 8
)

// MaxBase is the greatest base that numbers can be written in.
const MaxBase = 62

// A nat has its lowest word first and no zero at the end; 0 is empty.
type nat []Word

var (
	oneWord  = nat{1}
	fiveWord = nat{5}
	tenWord  = nat{10}
)

func (z nat) add(x, y nat) nat
func (z nat) and(x, y nat) nat
func (z nat) andNot(x, y nat) nat
func (x nat) cmp(y nat) int

// div gives quotient and remainder, the latter in the memory of z2.
func (z nat) div(z2, u, v nat) (q, r nat)

// exp is x to the power y, modulo m unless m is 0.
func (z nat) exp(x, y, m nat) nat

// isProbablyPrime tests x with random bases, so many rounds, and others.
func (x nat) isProbablyPrime(rounds int) bool

func (z nat) lsh(x nat, s uint) nat
func (z nat) mul(x, y nat) nat

// mulRange is the product of all numbers from a to b.
func (z nat) mulRange(a, b uint64) nat

func (z nat) or(x, y nat) nat

// parse reads digits of the base, as many as there are.
func (z nat) parse(s string, base int) (res nat, digits int)

// putBytes writes x at the end of buf, highest byte first, and gives where it begins; -1: there is
// no room. Bytes before are not touched.
func (x nat) putBytes(buf []byte) int

func (z nat) quo(u, v nat) nat
func (z nat) rem(u, v nat) nat

// round makes z, which is longer, prec bits long, in its memory; below says that something stands
// behind its end. The last result says that it has become 1, one place higher.
func (z nat) round(prec uint32, below bool, mode RoundingMode, neg bool) (nat, Accuracy, bool)

func (z nat) rsh(x nat, s uint) nat
func (z nat) setBytes(buf []byte) nat
func (z nat) sqrt(x nat) nat
func (z nat) sub(x, y nat) nat
func (x nat) text(neg bool, base int) string
func (x nat) trailingZeroBits() uint
func (z nat) xor(x, y nat) nat

// gcd is the greatest common divisor, and the factor of a that goes with it.
func gcd(a, b nat, factor bool) (g, u nat, neg bool)

func jacobi(x nat, neg bool, y nat) int

// decimalOf has the digits of m·2**shift, without zeros at the end, and the place of the point.
func decimalOf(m nat, shift int) (digits []byte, point int)

// norm is z without zeros at the end.
func (z nat) norm() nat {
	for len(z) > 0 && z[len(z)-1] == 0 {
		z = z[:len(z)-1]
	}
	return z
}

// sized has n words, whatever is in them: new ones if there is no room.
func (z nat) sized(n int) nat {
	switch {
	case cap(z) >= n:
		return z[:n]
	case n > 1:
		return make(nat, n, n+4)
	}
	return make(nat, 1)
}

func (z nat) set(x nat) nat {
	z = z.sized(len(x))
	copy(z, x)
	return z
}

// ofWord has the value of x.
func (z nat) ofWord(x uint64) nat {
	if cap(z) == 0 && x != 0 {
		return nat{Word(x)}
	}
	if x == 0 {
		return z[:0]
	}
	z = z[:1]
	z[0] = Word(x)
	return z
}

// low64 has the lowest bits of x.
func (x nat) low64() uint64 {
	if len(x) > 0 {
		return uint64(x[0])
	}
	return 0
}

// top64 has the highest bits of x, the first of them set: x is that times 2**exp, and more if there
// are others set.
func (x nat) top64() (top uint64, exp int, more bool) {
	n := x.width()
	if n == 0 {
		return 0, 0, false
	}
	exp = n - 64
	last := len(x) - 1
	s := uint(len(x)*wordBits - n)
	top = uint64(x[last] << s)
	if last > 0 {
		top |= uint64(x[last-1] >> (wordBits - s))
		more = int(x.trailingZeroBits()) < exp
	}
	return top, exp, more
}

func (x nat) width() int {
	n := len(x)
	if n == 0 {
		return 0
	}
	return wordBits*(n-1) + bits.Len64(uint64(x[n-1]))
}

func (x nat) bit(i uint) uint {
	if at := i / wordBits; at < uint(len(x)) {
		return uint(x[at]>>(i%wordBits)) & 1
	}
	return 0
}

// withBit is x with bit i as given.
func (z nat) withBit(x nat, i uint, b uint) nat {
	if b > 1 {
		panic("set bit is not 0 or 1")
	}
	isChanged := x.bit(i) != b
	n, need := len(x), int(i/wordBits)+1
	if isChanged {
		z = z.sized(max(n, need))
		clear(z[copy(z, x):])
		z[need-1] ^= 1 << (i % wordBits)
		return z.norm()
	}
	return z.set(x)
}

// bytes is x with the highest byte first.
func (x nat) bytes() []byte {
	buf := make([]byte, (x.width()+7)/8)
	x.putBytes(buf)
	return buf
}

// alias says whether x and y have the same memory: that it ends at the same place.
func alias(x, y nat) bool {
	if cap(x) == 0 || cap(y) == 0 {
		return false
	}
	x, y = x[cap(x)-1:cap(x)], y[cap(y)-1:cap(y)]
	return &x[0] == &y[0]
}

// random is a number below limit: one of no more bits, drawn until it is. The lower half of a word is
// drawn first.
func (z nat) random(r *rand.Rand, limit nat) nat {
	if alias(z, limit) {
		z = nil
	}
	n := len(limit)
	z = z.sized(n)
	for {
		for i := range z {
			half := Word(r.Uint32())
			z[i] = Word(r.Uint32())<<32 + half
		}
		unused := bits.LeadingZeros64(uint64(limit[n-1]))
		z[n-1] = z[n-1] << unused >> unused
		if x := z.norm(); x.cmp(limit) < 0 {
			return x
		}
	}
}

// ---- Reading numbers.

var (
	errDigits     = errors.New("number has no digits")
	errSeparators = errors.New("'_' must separate successive digits")
)

// A text is read byte by byte.
type text struct {
	s string
	i int
}

func (t *text) ReadByte() (byte, error) {
	if t.i >= len(t.s) {
		return 0, io.EOF
	}
	t.i++
	return t.s[t.i-1], nil
}

func (t *text) UnreadByte() error {
	t.i--
	return nil
}

// digit is the value of c as a digit, where letters of both sizes are the same up to base 36.
func digit(c byte, base int) int {
	switch lower := c | 0x20; {
	case c-'0' < 10:
		return int(c - '0')
	case lower-'a' >= 26:
		return MaxBase
	case base > 36 && c < 'a':
		return int(c-'A') + 36
	default:
		return int(lower-'a') + 10
	}
}

// A run reads digits, between which underscores may stand.
type run struct {
	digits []byte
	sepOk  bool
	isBad  bool // an underscore was not between two digits
	last   byte // '0' for a digit, '_', or '.' for anything else
}

// note says what has been read.
func (d *run) note(kind byte) {
	if kind == '_' && d.last != '0' || kind == '.' && d.last == '_' {
		d.isBad = true
	}
	d.last = kind
}

// fault is what is wrong with underscores.
func (d *run) fault() error {
	if d.isBad || d.last == '_' {
		return errSeparators
	}
	return nil
}

// readRun reads digits, from c on, and gives what follows them.
func readRun[R io.ByteScanner](r R, d *run, c byte, base int) (next byte, err error) {
	for err == nil {
		if c == '_' && d.sepOk {
			d.note('_')
		} else if digit(c, base) < base {
			d.note('0')
			d.digits = append(d.digits, c)
		} else {
			break
		}
		c, err = r.ReadByte()
	}
	return c, err
}

// A numeral is what readNumeral has found.
type numeral struct {
	abs  nat
	base int
	// count is the number of digits; if there is a point, minus the number of those behind it.
	count int
}

// prefixBase is the base that a letter behind a 0 stands for, or 0.
func prefixBase(c byte) int {
	switch c | 0x20 {
	case 'b':
		return 2
	case 'o':
		return 8
	case 'x':
		return 16
	}
	return 0
}

// readNumeral reads a number without a sign, in the memory of z. To base 0 a prefix tells the base,
// and underscores may stand between digits; a 0 alone is a prefix, too, unless there may be a point.
func readNumeral[R io.ByteScanner](r R, z nat, base int, pointOk bool) (num numeral, err error) {
	isUsual := base == 2 || base == 8 || base == 10 || base == 16
	if base != 0 && !isUsual && (pointOk || base < 2 || base > MaxBase) {
		panic("invalid number base " + strconv.Itoa(base))
	}
	num.base = base
	d := run{sepOk: base == 0, last: '.'}
	octal := false
	c, err := r.ReadByte()
	if base == 0 {
		num.base = 10
		if err == nil && c == '0' {
			d.last = '0'
			c, err = r.ReadByte()
			prefix := 0
			if err == nil {
				prefix = prefixBase(c)
			}
			switch {
			case prefix != 0:
				num.base = prefix
				c, err = r.ReadByte()
			case err == nil && !pointOk:
				num.base, octal = 8, true
			default:
				d.digits = append(d.digits, '0')
			}
		}
	}
	point := -1
	if err == nil {
		c, err = readRun(r, &d, c, num.base)
	}
	if err == nil && c == '.' && pointOk {
		d.note('.')
		point = len(d.digits)
		if c, err = r.ReadByte(); err == nil {
			c, err = readRun(r, &d, c, num.base)
		}
	}
	switch err {
	case nil:
		r.UnreadByte()
		err = d.fault()
	case io.EOF:
		err = d.fault()
	}
	num.count = len(d.digits)
	if num.count == 0 && octal {
		// It was the digit 0, and not a prefix.
		num.abs, num.base, num.count = z[:0], 10, 1
		return num, err
	}
	if num.count == 0 {
		err = errDigits
	}
	num.abs, _ = z.parse(string(d.digits), num.base)
	if point >= 0 {
		num.count = point - num.count
	}
	return num, err
}

// readSign reads a sign, if there is one.
func readSign[R io.ByteScanner](r R) (neg bool, err error) {
	switch c, err := r.ReadByte(); {
	case err != nil:
		return false, err
	case c == '-':
		return true, nil
	case c != '+':
		r.UnreadByte()
	}
	return false, nil
}

// readExponent reads an exponent to base 10, or 2 if it begins with p: 0 if there is none.
func readExponent[R io.ByteScanner](r R, sepOk bool) (exp int64, base int, err error) {
	c, err := r.ReadByte()
	if err == io.EOF {
		return 0, 10, nil
	}
	if err != nil {
		return 0, 10, err
	}
	switch c | 0x20 {
	case 'e':
		base = 10
	case 'p':
		base = 2
	default:
		r.UnreadByte()
		return 0, 10, nil
	}
	d := run{sepOk: sepOk, last: '.'}
	sign := 0
	if c, err = r.ReadByte(); err == nil && (c == '-' || c == '+') {
		if c == '-' {
			d.digits = append(d.digits, c)
			sign = 1
		}
		c, err = r.ReadByte()
	}
	if err == nil {
		if c, err = readRun(r, &d, c, 10); err == nil {
			r.UnreadByte()
		}
	}
	if err != nil && err != io.EOF {
		return 0, base, err
	}
	if len(d.digits) == sign {
		return 0, base, errDigits
	}
	if exp, err = strconv.ParseInt(string(d.digits), 10, 64); err == nil {
		err = d.fault()
	}
	return exp, base, err
}

// powers says by what powers of 2 and 5 the digits are to be multiplied, if such an exponent
// follows them.
func (n *numeral) powers(exp int64, base int) (exp2, exp5 int64) {
	exp2 = exp
	if base == 10 {
		exp5 = exp
	}
	if behind := int64(n.count); behind < 0 {
		// Each digit behind the point is a division by the base.
		if n.base == 10 {
			exp5 += behind
		}
		exp2 += behind * int64(bits.TrailingZeros(uint(n.base)))
	}
	return exp2, exp5
}
