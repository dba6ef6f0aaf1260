package scanner

import (
	"fmt"
	"go/token"
	"strings"
)

// fault is an error at an offset in a number.
type fault struct {
	at  int
	msg string
}

// numeral is a number as far as it has been read.
type numeral struct {
	text   string // from the number's first character on
	size   int    // of what has been read
	tok    token.Token
	base   int
	kind   string // what the number is called
	prefix int    // size of a prefix with a letter
	faults []fault
}

func (n *numeral) fault(msg string) { n.faults = append(n.faults, fault{n.size, msg}) }

// at returns the current character, in lower case if it is a letter.
func (n *numeral) at() byte {
	if n.size < len(n.text) {
		return n.text[n.size] | 0x20
	}
	return 0
}

// digits reads digits and underscores, and says whether there was a digit.
func (n *numeral) digits(hex bool) (any bool) {
	for ; n.size < len(n.text); n.size++ {
		switch c := n.text[n.size]; {
		case c == '_':
		case isDigit(c, hex):
			any = true
		default:
			return any
		}
	}
	return any
}

// digitValue returns what ch is worth as a hexadecimal digit, and 16 if it is none.
func digitValue(ch rune) int {
	lower := ch | 0x20
	if 'a' <= lower && lower <= 'f' {
		return 10 + int(lower-'a')
	}
	if '0' <= ch && ch <= '9' {
		return int(ch - '0')
	}
	return 16
}

func isDigit(c byte, hex bool) bool {
	return c-'0' < 10 || hex && digitValue(rune(c)) < 16
}

// read reads the whole number. Faults come in the order of their places.
func (n *numeral) read() {
	n.base, n.kind, n.tok = 10, "decimal literal", token.INT
	if n.text[0] == '0' {
		n.base, n.kind = 8, "octal literal"
		n.size = 1
		switch n.at() {
		case 'b':
			n.base, n.kind, n.prefix = 2, "binary literal", 2
		case 'x':
			n.base, n.kind, n.prefix = 16, "hexadecimal literal", 2
		case 'o':
			n.prefix = 2
		}
		n.size = n.prefix
	}
	hex := n.base == 16
	any := n.digits(hex)
	if n.size < len(n.text) && n.text[n.size] == '.' {
		n.tok = token.FLOAT
		if n.prefix > 0 && !hex {
			n.fault("invalid radix point in " + n.kind)
		}
		n.size++
		any = n.digits(hex) || any
	}
	if !any {
		n.fault(n.kind + " has no digits")
	}
	if e := n.at(); e == 'e' || e == 'p' {
		n.exponent(e)
	} else if hex && n.tok == token.FLOAT {
		n.fault("hexadecimal mantissa requires a 'p' exponent")
	}
	if n.size < len(n.text) && n.text[n.size] == 'i' {
		n.tok = token.IMAG
		n.size++
	}
}

// exponent reads an exponent, of which letter is e or p.
func (n *numeral) exponent(letter byte) {
	wants := ""
	if letter == 'p' && n.base != 16 {
		wants = "hexadecimal"
	} else if letter == 'e' && n.prefix > 0 {
		wants = "decimal"
	}
	if wants != "" {
		n.fault(fmt.Sprintf("%q exponent requires %s mantissa", n.text[n.size], wants))
	}
	n.tok = token.FLOAT
	n.size++
	if n.size < len(n.text) && (n.text[n.size] == '-' || n.text[n.size] == '+') {
		n.size++
	}
	if !n.digits(false) {
		n.fault("exponent has no digits")
	}
}

// strayUnderscore returns where an underscore is not between digits, or -1. The letter of a
// prefix counts as a digit, and of several underscores in a row the second is astray.
func (n *numeral) strayUnderscore() int {
	digit := func(i int) bool {
		return i < n.size && (i < n.prefix || isDigit(n.text[i], n.base == 16))
	}
	for i := n.prefix; i < n.size; i++ {
		if n.text[i] == '_' {
			doubled := i+1 < n.size && n.text[i+1] == '_'
			if !digit(i-1) || !digit(i+1) && !doubled {
				return i
			}
		}
	}
	return -1
}

// number takes a number, and tells what is wrong with it: first what shows before its end, then
// what the character behind it has, and then what only shows at the end.
func (s *Scanner) number() token.Token {
	start := s.offset
	n := numeral{text: s.text[start:]}
	n.read()
	for len(n.faults) > 0 && n.faults[0].at < n.size {
		s.error(start+n.faults[0].at, n.faults[0].msg)
		n.faults = n.faults[1:]
	}
	s.after = start + n.size
	s.next()
	for _, f := range n.faults {
		s.error(start+f.at, f.msg)
	}
	text := n.text[:n.size]
	if n.tok == token.INT && n.base < 10 {
		for i := n.prefix; i < n.size; i++ {
			if c := text[i]; c != '_' && int(c-'0') >= n.base {
				s.error(start+i, fmt.Sprintf("invalid digit %q in %s", c, n.kind))
				break
			}
		}
	}
	if strings.Contains(text, "_") {
		if i := n.strayUnderscore(); i >= 0 {
			s.error(start+i, "'_' must separate successive digits")
		}
	}
	return n.tok
}
