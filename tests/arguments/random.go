// Prints what random formats, layouts of times, numbers and JSON give: random.go CASES SEED. Two
// implementations print the same.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"time"
)

var r *rand.Rand

func pick[T any](list ...T) T { return list[r.IntN(len(list))] }

type (
	named   int
	shown   struct{ A, B any }
	texty   string
	oops    string
	breaks  struct{}
	goes    struct{ X int }
	formats struct{ n int }
	tree    struct {
		Name string         `json:"name,omitempty"`
		Kids []tree         `json:"kids"`
		Map  map[string]any `json:",omitempty"`
		N    *float64       `json:"n,string"`
		skip int
		Raw  json.RawMessage `json:"raw,omitempty"`
	}
)

func (texty) String() string    { return "texty" }
func (o oops) Error() string    { return string(o) }
func (breaks) Error() string    { panic("breaks") }
func (g goes) GoString() string { return "goes!" }
func (f formats) Format(s fmt.State, verb rune) {
	w, hasW := s.Width()
	p, hasP := s.Precision()
	fmt.Fprint(s, string(verb), w, hasW, p, hasP, s.Flag('+'), s.Flag('-'), s.Flag('#'), s.Flag(' '), s.Flag('0'))
}

func float() float64 {
	switch r.IntN(5) {
	case 0:
		return math.Float64frombits(r.Uint64())
	case 1:
		return pick(0, math.Copysign(0, -1), 1, -1, math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64, 5e-324, 1e21, 1e-7, 0.1)
	case 2:
		return float64(r.Int64()) / float64(r.Int64N(1e9)+1)
	case 3:
		return math.Round(r.NormFloat64()*1e4) / 1e3
	}
	return math.Pow(10, float64(r.IntN(50)-25)) * float64(r.IntN(1000))
}

func text() string {
	var b strings.Builder
	for range r.IntN(6) {
		b.WriteString(pick("a", "B", "é", "世", "\x00", "\xff", "\n", `"`, `\`, "`", " ", "%", "<", "&", "\u2028", "😀", "\u0301", "12", "-"))
	}
	return b.String()
}

func value(depth int) any {
	n := 27
	if depth > 2 {
		n = 15
	}
	switch r.IntN(n) {
	case 0:
		return int(r.Int64() >> r.IntN(64))
	case 1:
		return -int64(r.Uint64() >> r.IntN(64))
	case 2:
		return uint8(r.Uint32())
	case 3:
		return uint64(r.Uint64())
	case 4:
		return float()
	case 5:
		return float32(float())
	case 6:
		return complex(float(), float())
	case 7:
		return text()
	case 8:
		return r.IntN(2) == 0
	case 9:
		return nil
	case 10:
		return rune(r.IntN(0x120000))
	case 11:
		return []byte(text())
	case 12:
		return named(r.IntN(10) - 5)
	case 13:
		return texty(text())
	case 14:
		if depth > 0 {
			return oops(text()) // of a pointer there would be an address
		}
		return errors.New(text())
	case 15:
		return []any{value(depth + 1), value(depth + 1)}
	case 16:
		return map[string]any{text(): value(depth + 1), "k": value(depth + 1)}
	case 17:
		return shown{value(depth + 1), value(depth + 1)}
	case 18:
		if depth == 0 {
			return &shown{value(depth + 1), nil}
		}
		return shown{}
	case 19:
		return [2]int{1, r.IntN(100)}
	case 20:
		return []string{text(), text()}
	case 21:
		return breaks{}
	case 22:
		return goes{r.IntN(9)}
	case 23:
		return formats{}
	case 24:
		return map[int]float64{r.IntN(9): float(), -1: 2}
	case 25:
		return (*shown)(nil)
	}
	return []float64{float(), float()}
}

func format() string {
	f := text() + "%"
	for range r.IntN(3) {
		f += pick("+", "-", "#", " ", "0")
	}
	if r.IntN(3) == 0 {
		f += pick("1", "5", "12", "*", "[1]", "[2]*", "70")
	}
	if r.IntN(3) == 0 {
		f += "." + pick("", "0", "1", "3", "8", "*", "30")
	}
	return f + pick("v", "d", "s", "q", "x", "X", "e", "E", "f", "F", "g", "G", "b", "o", "O", "c", "U", "t", "T", "w", "z", "%", "!", "é", "") + text()
}

func layout() string {
	var b strings.Builder
	for range r.IntN(8) {
		b.WriteString(pick("2006", "06", "01", "1", "Jan", "January", "02", "2", "_2", "002", "__2", "Mon", "Monday", "15", "03", "3",
			"04", "4", "05", "5", "PM", "pm", "MST", "-0700", "-07:00", "-07", "Z07:00", "Z0700", "Z07:00:00", ".000", ",000000", ".999", ".999999999",
			"-", "/", " ", "T", ":", "x", "é"))
	}
	return b.String()
}

func moment() time.Time {
	zone := pick(time.UTC, time.FixedZone("CET", 3600), time.FixedZone("", -5400), time.FixedZone("X", r.IntN(100000)-50000))
	return time.Unix(r.Int64N(1<<38)-1<<37, r.Int64N(1e9)).In(zone)
}

func number() string {
	s := pick("", "-", "+") + pick("", "0x", "0b", "0o", "0", "1_", "Inf", "nan")
	for range r.IntN(24) {
		s += pick("0", "1", "5", "9", "3", ".", "e", "f", "p", "_", "-")
	}
	return s
}

func jsonText() string {
	var b strings.Builder
	for range r.IntN(12) {
		b.WriteString(pick("{", "}", "[", "]", ":", ",", `"name"`, `"kids"`, `"n"`, `"raw"`, `"Map"`, "1", "-0", "1.5e3", "null", "true", `"\u00e9"`,
			`"\ud83d"`, " ", `"a"`, "{}", "[]", "01", "\xff", `"NAME":"x",`))
	}
	return b.String()
}

func one() (s string) {
	defer func() {
		if e := recover(); e != nil {
			s = fmt.Sprint("panic ", e)
		}
	}()
	switch r.IntN(10) {
	case 0, 1, 2, 3:
		f, list := format(), make([]any, r.IntN(3)+1)
		for i := range list {
			list[i] = value(0)
		}
		if r.IntN(4) == 0 {
			err := fmt.Errorf(f, list...)
			return fmt.Sprintf("%q %T %v", f, err, err)
		}
		return fmt.Sprintf("%q ", f) + fmt.Sprintf(f, list...)
	case 4:
		l, t := layout(), moment()
		text := t.Format(l)
		back, err := time.Parse(l, text)
		return fmt.Sprintf("%q %q %v %v", l, text, back, err)
	case 5:
		l := layout()
		t, err := time.Parse(l, pick(moment().Format(layout()), text(), moment().Format(l)+pick("", "x", " ")))
		d, err2 := time.ParseDuration(pick("", "-") + number() + pick("h", "m", "s", "ms", "ns", "x") + number() + pick("s", ""))
		return fmt.Sprintf("%q %v %v %v %v", l, t, err, d, err2)
	case 6:
		n := number()
		i, err := strconv.ParseInt(n, pick(0, 2, 8, 10, 16, 36, 1, 37), pick(0, 8, 32, 64))
		u, err2 := strconv.ParseUint(n, pick(0, 10, 16), 64)
		f, err3 := strconv.ParseFloat(n, pick(32, 64))
		c, err4 := strconv.ParseComplex(n+pick("", "i", "+1i"), 128)
		return fmt.Sprintf("%q %v %v %v %v %v %v %v %v", n, i, err, u, err2, f, err3, c, err4)
	case 7:
		f := float()
		back, err := strconv.Unquote(pick(strconv.Quote(text()), "`"+text()+"`", `"`+text()+`"`))
		return fmt.Sprintf("%s %q %v", strconv.FormatFloat(f, pick[byte]('e', 'f', 'g', 'G', 'x', 'b', 'E'), pick(-1, 0, 1, 5, 17, 40), pick(32, 64)), back, err)
	case 8:
		b, err := json.Marshal(value(0))
		var back any
		err2 := json.Unmarshal(b, &back)
		return fmt.Sprintf("%s %v %v %v", b, err, back, err2)
	}
	s = jsonText()
	var t tree
	err := json.Unmarshal([]byte(s), &t)
	b, err2 := json.Marshal(t)
	return fmt.Sprintf("%q %v %s %v", s, err, b, err2)
}

func main() {
	cases, _ := strconv.Atoi(os.Args[1])
	seed, _ := strconv.ParseUint(os.Args[2], 10, 64)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for i := range cases {
		r = rand.New(rand.NewPCG(seed, uint64(i)))
		fmt.Fprintf(out, "%d %q\n", i, one())
	}
}
