// run exit=2

// Promoted methods, arrays as keys, defer and recover with named results.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sort"
	"strings"
)

type Logger struct {
	w      io.Writer
	prefix string
	lines  int
}

func (l *Logger) Logf(f string, a ...any) {
	l.lines++
	fmt.Fprintf(l.w, l.prefix+f+"\n", a...)
}

type Base struct {
	*Logger
	ID   int
	tags map[string]struct{}
}

func (b *Base) Tag(ts ...string) *Base {
	if b.tags == nil {
		b.tags = map[string]struct{}{}
	}
	for _, t := range ts {
		b.tags[t] = struct{}{}
	}
	return b
}

func (b Base) Tags() []string {
	out := make([]string, 0, len(b.tags))
	for t := range b.tags {
		out = append(out, t)
	}
	sort.Strings(out)
	return out
}

func (b Base) String() string { return fmt.Sprintf("#%d%v", b.ID, b.Tags()) }

type Animal interface {
	Sound() string
	fmt.Stringer
}

type Dog struct {
	Base
	Name string
}

func (d Dog) Sound() string { return d.Name + " says woof" }

type Puppy struct {
	Dog
	age uint8
}

func (p *Puppy) Sound() string { return strings.ToUpper(p.Dog.Sound()) }

type Robot struct{ Animal }

func (r Robot) Sound() string { return "beep " + r.Animal.Sound() }

type visitor func(Animal) error

var errStop = errors.New("stop")

func each(as []Animal, v visitor) (err error) {
	for i, a := range as {
		if err = v(a); err != nil {
			return fmt.Errorf("animal %d (%v): %w", i, a, err)
		}
	}
	return
}

type Grid [3][3]rune

func (g Grid) With(r, c int, v rune) Grid { g[r][c] = v; return g }
func (g *Grid) Set(r, c int, v rune)      { g[r][c] = v }
func (g Grid) String() string {
	var b strings.Builder
	for _, row := range g {
		for _, c := range row {
			if c == 0 {
				c = '.'
			}
			b.WriteRune(c)
		}
		b.WriteByte('/')
	}
	return b.String()
}

type Temp float64
type Weekday uint

const (
	KB = 1 << (10 * (iota + 1))
	MB
	GB
)

const (
	a, b = iota, iota * 10
	c, d
	_, _
	e, f
)

func multi() (x, y int, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("recovered: %v", r)
			y *= 2
		}
	}()
	x, y = 1, 21
	var arr []int
	_ = arr[x]
	return 9, 9, nil
}

func variadic(pre string, xs ...int) string { return fmt.Sprint(pre, len(xs), xs, xs == nil) }

func main() {
	log := &Logger{w: os.Stdout, prefix: "[log] "}
	d := Dog{Base{log, 1, nil}, "Rex"}
	d.Tag("good", "boy").Tag("fast")
	p := &Puppy{d, 1}
	p.ID = 2
	p.Tag("young")
	p.Logf("%v and %v share %d", d, p, len(d.Tags()))
	r := Robot{p}
	as := []Animal{d, p, r, Robot{d}}
	err := each(as, func(a Animal) error {
		log.Logf("%T %s", a, a.Sound())
		if rb, ok := a.(Robot); ok {
			if _, isDog := rb.Animal.(Dog); isDog {
				return errStop
			}
		}
		return nil
	})
	fmt.Println(err, errors.Is(err, errStop), log.lines)
	var g Grid
	h := g.With(1, 1, 'X')
	g.Set(0, 2, 'é')
	fmt.Println(g, h, g == h, h == Grid{1: {1: 'X'}})
	m := map[Grid]int{g: 1}
	m[h]++
	m[g]++
	fmt.Println(len(m), m[g], m[Grid{}])
	fmt.Println(KB, MB, GB, a, b, c, d.ID, e, f)
	fmt.Println(multi())
	fmt.Println(variadic("a"), variadic("b", 1, 2), variadic("c", []int{}...), variadic("d", nil...))
	s := []int{1, 2, 3, 4, 5}
	t := s[1:3]
	t = append(t, 99)
	u := append(s[:1:1], 7)
	fmt.Println(s, t, u, len(t), cap(t), cap(u) >= 2)
	copy(s[2:], s)
	fmt.Println(s, min(3, 1, 2), max(2.5, 1))
	clear(m)
	fmt.Println(len(m))
	x := 10
	px := &x
	pp := &px
	**pp = 20
	if x := x + 1; x > 20 {
		fmt.Println(x, *px)
	} else {
		fmt.Println("no")
	}
	switch y := any(Temp(3)).(type) {
	case float64:
		fmt.Println("float", y)
	case Temp, Weekday:
		fmt.Printf("%T %v\n", y, y)
	}
	switch {
	case x > 5:
		fmt.Print("five ")
		fallthrough
	case x > 100:
		fmt.Print("hundred ")
	default:
		fmt.Print("default")
	}
	fmt.Println()
	for i, r := range []rune("héł") {
		defer func() { fmt.Print(i, string(r), " ") }()
	}
	func() {
		defer fmt.Println("inner deferred", x)
		x++
	}()
	i := 0
loop:
	if i < 3 {
		i++
		goto loop
	}
	fmt.Println(i, Temp(1.5)+2, Weekday(3)<<2)
	var np *Puppy
	defer func() {
		fmt.Println("recovered", recover())
		panic(fmt.Errorf("final: %w", io.EOF))
	}()
	fmt.Println(np.age)
}
