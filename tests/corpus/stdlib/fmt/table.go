// run

// Values of every kind under every verb and many flags.
package main

import (
	"errors"
	"fmt"
	"math"
	"os"
	"unsafe"
)

type (
	myInt     int
	myStr     string
	myBytes   []byte
	myFloat   float64
	point     struct{ X, Y int }
	nested    struct {
		A int
		b string
		P point
		q *point
		E any
		m map[string]int
	}
	stringer  int
	valErr    struct{ code int }
	goStr     struct{ n int }
	intErr    int
	formatter struct{ n int }
	panicker  int
	nilPanic  struct{ x int }
	holder    struct {
		S stringer
		s stringer
		E error
		e error
	}
	embedded struct {
		point
		stringer
	}
	inner struct{ S stringer }
	deep  struct{ inner }
	empty struct{}
	iface interface{ M() }
)

func (s stringer) String() string   { return fmt.Sprintf("S(%d)", int(s)) }
func (e *valErr) Error() string     { return fmt.Sprint("code ", e.code) }
func (e intErr) Error() string     { return fmt.Sprint("int ", int(e)) }
func (g goStr) GoString() string    { return "goStr!" }
func (p panicker) String() string   { panic("ouch") }
func (n *nilPanic) String() string  { return fmt.Sprint(n.x) }
func (f formatter) Format(s fmt.State, verb rune) {
	w, wok := s.Width()
	p, pok := s.Precision()
	fmt.Fprintf(s, "F[%c %d %v %d %v", verb, w, wok, p, pok)
	for _, c := range "+-# 0" {
		if s.Flag(int(c)) {
			fmt.Fprintf(s, " %c", c)
		}
	}
	fmt.Fprint(s, "]")
}

var values = []any{
	nil, true, false,
	0, 1, -1, 42, -123456789, math.MaxInt64, math.MinInt64,
	int8(-128), int16(300), int32('x'), int32(0x1F600), int64(-7),
	uint(7), uint8(255), uint16(65535), uint32(1 << 31), uint64(math.MaxUint64), uintptr(0xdead),
	0.0, math.Copysign(0, -1), 1.0, -1.5, 3.14159265358979, 1e21, 1e-7, 123456789.0, 1e100, 5e-324, math.MaxFloat64,
	math.Inf(1), math.Inf(-1), math.NaN(), float32(0.1), float32(16777216), float32(3.4e38),
	complex(1, -2), complex64(complex(0.5, 0.25)), complex(math.Inf(1), math.NaN()),
	"", "hello", "héllo, 世界", "tab\tnl\nq\"b`\\", "\xff\x80bad", "a`b", "\u200b\u00ad",
	[]byte("bytes\x00\xff"), []byte{}, []byte(nil), [3]byte{1, 2, 3}, myBytes("mine"), &[]byte{65, 66},
	[]int{1, 2, 3}, []int{}, []int(nil), [2]bool{true, false}, [0]int{}, []string{"a", "b c"}, []any{1, "x", nil, 2.5},
	[][]int{{1}, {2, 3}, nil}, []float64{1, 2.5}, []error{nil, nil},
	map[string]int{"b": 2, "a": 1}, map[string]int(nil), map[int]string{3: "c", -1: "m"}, map[point]bool{{2, 1}: true, {1, 2}: false},
	map[any]int{3: 1, 2: 2, 1: 1}, map[bool]any{true: 1, false: "f"}, map[float64]string{math.NaN(): "nan", 1: "one", math.Inf(-1): "ninf"},
	point{1, -2}, &point{3, 4}, struct{}{}, nested{A: 1, b: "q", P: point{5, 6}, E: "any", m: map[string]int{"k": 9}},
	&nested{}, struct{ a, b any }{1, nil}, embedded{point{1, 2}, 3}, deep{inner{4}}, empty{},
	myInt(-5), myStr("my\n"), myFloat(2.5), stringer(7), []stringer{1, 2}, map[stringer]stringer{2: 3, 1: 4},
	errors.New("an error"), &valErr{3}, (*valErr)(nil), goStr{1}, &goStr{2}, formatter{1}, []formatter{{2}}, panicker(1),
	(*nilPanic)(nil), &nilPanic{8}, holder{1, 2, intErr(3), intErr(4)}, []any{stringer(3), point{}},
	(*int)(nil), (func())(nil), (chan int)(nil), (map[string]bool)(nil), unsafe.Pointer(nil), (*point)(nil), []*int{nil},
	struct {
		E error
		I iface
		F func()
	}{}, [3][2]string{{"a", "b"}, {"c"}}, &[]string{"p"}, &map[string]int{"z": 26}, &[2]int{1, 2},
	struct {
		u8  uint8
		i64 int64
		f   float32
		c   complex64
		s   []byte
		by  [2]byte
	}{1, 2, 3.5, 4, []byte("x"), [2]byte{8, 9}},
}

var formats = []string{
	"%v", "%+v", "%#v", "%T", "%t", "%d", "%+d", "% d", "%#d", "%b", "%#b", "%o", "%#o", "%O", "%x", "%X", "%#x", "%#X", "% x", "% X", "%# x",
	"%c", "%q", "%+q", "%#q", "%U", "%#U", "%e", "%E", "%f", "%F", "%g", "%G", "%s", "%p", "%z", "%!", "%w", "%世",
	"%8d", "%-8d|", "%08d", "%+08d", "%-08d|", "%.3d", "%8.3d", "%08.3d", "%.0d", "%x08", "%20x", "%-20x|", "%020x", "%#20x",
	"%10s", "%-10s|", "%.3s", "%10.2s", "%010s", "%10q", "%-10q|", "%.2q", "%.3x", "%10v", "%-10v|", "%010v", "%+10v",
	"%6.2f", "%-8.1f|", "%08.3f", "%+.2e", "%+g", "% g", "%#g", "%#.3g", "%.10g", "%.0f", "%#.0f", "%20.5g", "%-20g|", "%.3x", "%+.3X", "%#v", "%#+v",
	"%6c|", "%-6c|", "%06U", "%#10U|", "%8t|", "%-8t|", "%08t", "%.40g", "%.1e", "%.20f", "%#x", "%#08x", "%+#x",
}

func main() {
	for i, v := range values {
		for _, f := range formats {
			fmt.Printf("%d %s: ", i, f)
			t := fmt.Sprintf(f, v)
			if f == "%p" && len(t) > 3 && t[:2] == "0x" {
				t = "an address"
			}
			fmt.Println(t)
		}
		fmt.Println("ln:", v, v)
		fmt.Print("print:", v, v, 1, 2, "a", v, "\n")
	}
	edge()
	os.Stdout.WriteString("end\n")
}

func edge() {
	p := fmt.Println
	f := fmt.Sprintf
	p(f("%d"), f("%d %d", 1), f("%d", 1, 2), f("%[2]d %[1]d", 1, 2), f("%[3]d", 1), f("%[2]*[1]d|", 12, 6), f("%-*d|", 5, 1))
	p(f("%*d", -5, 1)+"|", f("%.*f", 2, 3.14159), f("%.*f", -2, 3.14159), f("%*d", "x", 1), f("%.*d", "x", 1), f("%[1]*d", 5, 6))
	p(f("%"), f("%5"), f("%.", 1), f("%.d", 7), f("%[", 1), f("%[]d", 1), f("%[x]d", 1), f("%[1]", 1), f("%[1]v %d", 1, 2), f("%[99999999999]d", 1))
	p(f("%99999999d", 1), f("%.99999999d", 1), f("%%"), f("%5%|"), f("%-5%|"), f("%d%%", 50), f("%s", nil), f("%d", nil))
	p(f("%v %v", 1), f("", 1), f("%!d", 1), f("%z", "s"), f("%d", "s"), f("%s", 1), f("%t", "x"), f("%x", true), f("%d", []string{"a"}))
	p(f("%d", []any{1, "a", nil}), f("%s", []any{1, "a", nil}), f("%x", []string{"ab", "c"}), f("%q", []string{"a", "b"}), f("%5d", []int{1, 22}))
	p(f("%05d", []int{-1, 22}), f("%v", [][]byte{{1}, {2}}), f("%s", [][]byte{[]byte("a"), []byte("b")}), f("%+v", []any{struct{ A any }{point{1, 2}}}))
	p(f("%#v", []any{1, "a", nil, point{1, 2}, []int{1}, map[string]int{"a": 1}, stringer(2), &point{1, 2} != nil, uint8(3), 'x', 1.0, 1e6, 1e21, 2i}))
	p(f("%#v", struct {
		A any
		B *int
		C []string
		D map[int]bool
		E error
		F func()
	}{}))
	p(f("%[1]T %[1]v", []any{1}), f("%T %T %T", 1, nil, p), f("%T", struct{ A int }{}), f("%T", map[string][]*point{}), f("%T", func(int, ...string) (a, b error) { return nil, nil }))
	p(f("%6.3v|%-8v|%08v", 3.14159, "ab", 5), f("%+v %+v", "s", 1), f("%x %X", "hi", []byte("hi")), f("% x|%#x|%# x", "hey", "hey", "hey"))
	p(f("%s|%v|%d", panicker(1), panicker(1), panicker(1)), f("%s", []any{panicker(2)}), f("%v", struct{ P panicker }{3}))
	p(fmt.Sprint(), fmt.Sprint(nil), fmt.Sprint("a", 1, 2, "b", "c", 3.0, 'x', nil, nil), fmt.Sprintln("a", 1, true))
	p(string(fmt.Append(nil, 1, "x")), string(fmt.Appendf([]byte("pre "), "%03d", 7)), string(fmt.Appendln(nil, "l", 2)))
	e1, e2 := errors.New("one"), errors.New("two")
	w := fmt.Errorf("a %w b", e1)
	p(w, errors.Is(w, e1), errors.Unwrap(w) == e1, f("%#v", errors.Unwrap(fmt.Errorf("x"))))
	w2 := fmt.Errorf("%w and %w", e1, e2)
	p(w2, errors.Is(w2, e1), errors.Is(w2, e2), errors.Unwrap(w2) == nil, fmt.Errorf("%w", "notanerror"), fmt.Errorf("%w", nil), f("%w", e1))
	p(f("%s %v %d", &point{1, 2}, &[]int{1}, &map[string]int{"a": 1}), f("%v", []*point{nil}), f("%s", error(nil)), f("%v", []error{e1, nil}))
	p(f("%08b %o %#o %O", 5, 8, 8, 8), f("%x %X %#x", -255, -255, -255), f("%c%c%c", 'G', 0x4E16, -1), f("%q %q %+q %#q", 'x', '\n', '世', '世'), f("%U %#U", '世', '⌘'))
	p(f("%e %E %.3e", 123456.789, 0.000123, 1.0), f("%g %g %g %g", 1e6, 1e-5, 123456789.0, 1e20), f("%6.2f|%-8.2f|%+.1f", 3.14159, 2.5, 7.0), f("%v %v", float32(0.1), 0.1))
	p(f("%t %v", true, false), f("%5t|%-7t|", true, false), f("%v %+v", struct{}{}, struct{ A struct{} }{}), f("%v", [3]any{}))
	p(fmt.FormatString(state{}, 'x'))
}

type state struct{}

func (state) Write(b []byte) (int, error) { return len(b), nil }
func (state) Width() (int, bool)          { return 7, true }
func (state) Precision() (int, bool)      { return 3, true }
func (state) Flag(c int) bool             { return c == '+' || c == '0' }
