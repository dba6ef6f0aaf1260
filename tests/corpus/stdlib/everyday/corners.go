// run

// What Go's own tests ask of corners: scanners that cross lines, defaults of flags of one's own types, folders that are not there.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"math"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"time"
)

type twoLines string

func (t *twoLines) Scan(state fmt.ScanState, _ rune) error {
	var read strings.Builder
	for strings.Count(read.String(), "\n") < 2 {
		char, _, err := state.ReadRune()
		if err != nil {
			return err
		}
		read.WriteRune(char)
	}
	*t = twoLines(read.String())
	return nil
}

type level int

func (l *level) String() string     { return fmt.Sprint(int(*l)) }
func (l *level) Set(s string) error { _, err := fmt.Sscan(s, (*int)(l)); return err }

type list []string

func (l list) String() string     { return strings.Join(l, "+") }
func (l list) Set(s string) error { return errors.New("cannot be set") }

type fragile struct{ inner *level }

func (f fragile) String() string     { return f.inner.String() }
func (f fragile) Set(s string) error { return f.inner.Set(s) }

func main() {
	var t twoLines
	n, err := fmt.Sscan("abc\ndef\n", &t)
	fmt.Printf("%d %v %q\n", n, err, t)
	t = ""
	n, err = fmt.Sscanln("abc\ndef\n", &t)
	fmt.Printf("%d %v %q %v\n", n, err, t, err == io.ErrUnexpectedEOF)
	n, err = fmt.Sscanf("abc\ndef\n", "%s", &t)
	fmt.Printf("%d %v %q\n", n, err, t)

	f := flag.NewFlagSet("corners", flag.ContinueOnError)
	f.SetOutput(os.Stdout)
	zero, two := level(0), level(2)
	f.Var(&zero, "zero", "is zero")
	f.Var(&two, "two", "is `two`")
	f.Var(list(nil), "none", "an empty list")
	f.Var(list{"a", "b"}, "some", "a list")
	f.Var(fragile{&two}, "f", "panics when asked")
	f.Bool("b", true, "on")
	f.Duration("wait", 0, "no time")
	f.String("name", "x y", "a name")
	f.Func("func", "calls", func(string) error { return nil })
	fmt.Println(f.Parse([]string{"-some", "c"}))

	missing := filepath.Join(os.TempDir(), "corners-not-there", "deeper")
	_, err = os.MkdirTemp(missing, "x")
	var pe *fs.PathError
	fmt.Println(errors.As(err, &pe), pe.Op, pe.Path == missing, pe.Err)

	for _, x := range []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1)} {
		fmt.Print(math.Jn(-3, x), math.Jn(2, x), math.Jn(3, x), math.Signbit(math.Jn(-3, x)), " ")
	}
	fmt.Println()
	for _, c := range [][2]string{
		{time.UnixDate, "Fri Feb  5 05:00:57 GMT-8 2010"}, {"Mon Jan _2 15:04:05.000 2006", "Thu Feb  4 23:00:59.-123 2010"}, {"05.000", "07.+12"},
		{"05.000", "07.-00"}, {"2006-002", "2023-366"}, {"2006-002 01", "2023-100 02"},
	} {
		at, err := time.Parse(c[0], c[1])
		fmt.Println(at, err)
	}
	file := filepath.Join(os.TempDir(), "corners-file")
	os.WriteFile(file, nil, 0o600)
	defer os.Remove(file)
	for _, end := range []string{"", "/", "//", "/.", "/..", "/x"} {
		_, err := filepath.EvalSymlinks(file + end)
		fmt.Println(err)
	}
	rand.Seed(1)
	a := rand.Int63()
	rand.Seed(1)
	fmt.Println(a == rand.Int63())
}
