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
	natOne  = nat{1}
	natTwo  = nat{2}
	natFive = nat{5}
	natTen  = nat{10}
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

func (z nat) norm() nat {
	n := len(z)
	for n > 0 && z[n-1] == 0 {
		n--
	}
	return z[:n]
}

func (z nat) make(n int) nat {
	if n <= cap(z) {
		return z[:n]
	}
	if n == 1 {
		return make(nat, 1)
	}
	return make(nat, n, n+4)
}

func (z nat) set(x nat) nat {
	z = z.make(len(x))
	copy(z, x)
	return z
}

func (z nat) setUint64(x uint64) nat {
	if x == 0 {
		return z[:0]
	}
	z = z.make(1)
	z[0] = Word(x)
	return z
}

// low64 has the lowest bits of x.
func (x nat) low64() uint64 {
	if len(x) == 0 {
		return 0
	}
	return uint64(x[0])
}

func (x nat) bitLen() int {
	if len(x) == 0 {
		return 0
	}
	return len(x)*wordBits - bits.LeadingZeros64(uint64(x[len(x)-1]))
}

func (x nat) bit(i uint) uint {
	j := i / wordBits
	if j >= uint(len(x)) {
		return 0
	}
	return uint(x[j]>>(i%wordBits)) & 1
}

func (z nat) setBit(x nat, i uint, b uint) nat {
	if b > 1 {
		panic("set bit is not 0 or 1")
	}
	j, n := int(i/wordBits), len(x)
	mask := Word(1) << (i % wordBits)
	size := n
	if b == 1 && j >= n {
		size = j + 1
	}
	z = z.make(size)
	copy(z, x)
	if size > n {
		clear(z[n:])
	}
	if b == 1 {
		z[j] |= mask
		return z
	}
	if j < n {
		z[j] &^= mask
	}
	return z.norm()
}

// hasBitsBelow says whether one of the lowest n bits is set.
func (x nat) hasBitsBelow(n uint) bool {
	return len(x) > 0 && x.trailingZeroBits() < n
}

// alias says whether x and y have the same memory: that it ends at the same place.
func alias(x, y nat) bool {
	n, m := cap(x), cap(y)
	return n > 0 && m > 0 && &x[:n][n-1] == &y[:m][m-1]
}

// random is a number below limit, which has n bits.
func (z nat) random(r *rand.Rand, limit nat, n int) nat {
	if alias(z, limit) {
		z = nil
	}
	z = z.make(len(limit))
	top := ^Word(0)
	if n%wordBits != 0 {
		top >>= wordBits - n%wordBits
	}
	for {
		for i := range z {
			low := r.Uint32()
			z[i] = Word(low) | Word(r.Uint32())<<32
		}
		z[len(z)-1] &= top
		if x := z.norm(); x.cmp(limit) < 0 {
			return x
		}
	}
}

var (
	errNoDigits = errors.New("number has no digits")
	errInvalSep = errors.New("'_' must separate successive digits")
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

// digit is the value of c as a digit of the base, or MaxBase if it is none.
func digit(c byte, base int) int {
	d := MaxBase
	switch {
	case '0' <= c && c <= '9':
		d = int(c - '0')
	case 'a' <= c && c <= 'z':
		d = int(c-'a') + 10
	case 'A' <= c && c <= 'Z' && base <= 36:
		d = int(c-'A') + 10
	case 'A' <= c && c <= 'Z':
		d = int(c-'A') + 36
	}
	if d >= base {
		return MaxBase
	}
	return d
}

// A numeral is what scanNumeral has found.
type numeral struct {
	abs  nat
	base int
	// count is the number of digits; if there is a point, minus the number of those behind it.
	count int
}

// scanNumeral reads digits with a prefix for base 0, and a point if there may be one. Only base 0
// allows underscores.
func scanNumeral[R io.ByteScanner](r R, z nat, base int, pointOk bool) (numeral, error) {
	switch {
	case base == 0:
	case pointOk && (base == 2 || base == 8 || base == 10 || base == 16):
	case !pointOk && 2 <= base && base <= MaxBase:
	default:
		panic("invalid number base " + itoa(base))
	}
	num := numeral{base: base}
	// prev is the kind of what was read before: a digit ('0'), '_', or something else ('.').
	prev, badSep := '.', false
	octal := false
	c, err := r.ReadByte()
	if base == 0 {
		num.base = 10
		if err == nil && c == '0' {
			prev = '0'
			num.count = 1
			if c, err = r.ReadByte(); err == nil {
				prefix := true
				switch c {
				case 'b', 'B':
					num.base = 2
				case 'o', 'O':
					num.base = 8
				case 'x', 'X':
					num.base = 16
				default:
					prefix = false
					if !pointOk {
						num.base, octal, num.count = 8, true, 0
					}
				}
				if prefix {
					num.count = 0
					c, err = r.ReadByte()
				}
			}
		}
	}
	var digits []byte
	point := -1
reading:
	for ; err == nil; c, err = r.ReadByte() {
		switch {
		case c == '.' && pointOk:
			pointOk = false
			badSep = badSep || prev == '_'
			prev = '.'
			point = num.count
		case c == '_' && base == 0:
			badSep = badSep || prev != '0'
			prev = '_'
		case digit(c, num.base) < MaxBase:
			prev = '0'
			num.count++
			digits = append(digits, c)
		default:
			r.UnreadByte()
			break reading
		}
	}
	if err == io.EOF {
		err = nil
	}
	if err == nil && (badSep || prev == '_') {
		err = errInvalSep
	}
	if num.count == 0 {
		if octal {
			// It was the digit 0, and not a prefix.
			num.abs, num.base, num.count = z[:0], 10, 1
			return num, err
		}
		err = errNoDigits
	}
	num.abs, _ = z.parse(string(digits), num.base)
	if point >= 0 {
		num.count = point - num.count
	}
	return num, err
}

func scanSign[R io.ByteScanner](r R) (neg bool, err error) {
	c, err := r.ReadByte()
	if err != nil {
		return false, err
	}
	if c != '-' && c != '+' {
		r.UnreadByte()
	}
	return c == '-', nil
}
