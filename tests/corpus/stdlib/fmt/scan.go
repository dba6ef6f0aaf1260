// run

// Scanning: many inputs by many verbs and without, into operands of all kinds. A line is a digest of what one input gives.
package main

import (
	"errors"
	"fmt"
	"hash/fnv"
	"strings"
)

var group = fnv.New64a()

// note adds a line to the digest of its group.
func note(format string, a ...any) { fmt.Fprintf(group, format, a...) }

type F float64
type B []byte
type S struct{ a, b int }

func (s *S) Scan(st fmt.ScanState, v rune) error {
	n, err := fmt.Fscan(st, &s.a, &s.b)
	note("in %v %v", n, err)
	if w, ok := st.Width(); ok {
		note("w %v", w)
	}
	return err
}

type T string

func (t *T) Scan(st fmt.ScanState, v rune) error {
	b, err := st.Token(true, func(r rune) bool { return r >= 'a' && r <= 'z' })
	*t = T(b)
	return err
}

type L string

func (t *L) Scan(st fmt.ScanState, v rune) error {
	st.SkipSpace()
	r, _, err := st.ReadRune()
	*t = L(string(r))
	return err
}

type R struct{ r *strings.Reader }

func (r R) Read(b []byte) (int, error) {
	if len(b) > 1 {
		return 0, errors.New("big")
	}
	return r.r.Read(b)
}
func main() {
	ins := []string{"", "1", "0x1F 7", "  -12 0b101", "+5_000", "0o17 017 0", "true t T f FALSE", "tru", "tx", "1 0 x", "3.5e4 .5 1.2p4 0x1.8p3", "nan -inf InF +Inf n", "(1+2i) 3-4.5i (1+2i", "1+2", "\"a\\tb\\\"c\" `r\"w`", "\"open", "616263 zz", "6", "6g", "U+0041 U-", "héllo 世界", "\u2003x\u3000y", "a\nb", "a \r\n b", "12abc", "300 -129", "99999999999999999999", "%5", "% 5", "%xy%xyz 3", "12345678", "\xff\xfe1", "1\n2", "\n1", "1  \n", "1 2\n3", "x%y"}
	for _, in := range ins {
		group.Reset()
		for mode := 0; mode < 4; mode++ {
			var i int
			var i8 int8
			var u uint
			var u8 uint8
			var f float64
			var f32 float32
			var c complex128
			var c64 complex64
			var b bool
			var s string
			var bs []byte
			var r rune
			var g F
			var h B
			var st S
			var t T
			var l L
			var up uintptr
			var u16 uint16
			args := []any{&i, &i8, &u, &u8, &f, &f32, &c, &c64, &b, &s, &bs, &r, &g, &h, &st, &t, &l, &up, &u16, i, &args0}
			for k, a := range args {
				var n int
				var err error
				switch mode {
				case 0:
					n, err = fmt.Sscan(in, a)
				case 1:
					n, err = fmt.Sscanln(in, a)
				case 2:
					n, err = fmt.Fscan(R{strings.NewReader(in)}, a, a)
				case 3:
					n, err = fmt.Sscanln(in, a, a)
				}
				note("%d %q %d: %d %v |%v %v %v %v %v %v %v %v %v %q %q %v %v %q %v %q %q %v %v\n", mode, in, k, n, err, i, i8, u, u8, f, f32, c, c64, b, s, bs, r, g, h, st, t, l, up, u16)
			}
		}
		for _, fm := range []string{"%d", "%5d", "%2d%2d", "%x", "%X", "%o", "%b", "%U", "%c", "%c%c", "%3c", "%s", "%q", "%v", "%t", "%e", "%2s%3s", "%d %d", "%d\n%d", " %d", "%d ", "%d\n", "a%d", "%%%d", "%%xyz %d", "%% %d", "%", "%d%", "%z", "%1000001d", "%99999999d", "%5", "\n\n %d", "x%%y", "%v\n%v", "%2x", "%s %s", "%5q", "%3v%v", " \n%s", "%1d%1d", "%d%d%d"} {
			var i, j int
			var s, s2 string
			var f float32
			var r rune
			var u uint
			var g F
			var b []byte
			var bb bool
			var t T
			var l L
			var st S
			var c complex64
			for _, args := range [][]any{{&i}, {&i, &j}, {&s}, {&s, &s2}, {&f}, {&r}, {&u}, {&g}, {&b}, {&bb}, {&t}, {&l}, {&st}, {&c}, {}} {
				n, err := fmt.Sscanf(in, fm, args...)
				note("f %q %q %d: %d %v | %v %v %q %q %v %v %v %v %q %v %q %q %v %v\n", in, fm, len(args), n, err, i, j, s, s2, f, r, u, g, b, bb, t, l, st, c)
			}
		}
		fmt.Printf("%q %016x\n", in, group.Sum64())
	}
}

var args0 struct{}
