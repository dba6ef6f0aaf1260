// run

// Slices and strings with nil data and a length, as a torn read makes them: whatever touches the data is a nil dereference that
// the program can recover from, and it goes on as if nothing had happened.
package main

import (
	"fmt"
	"os"
	"runtime"
	"sort"
	"strconv"
	"strings"
	"unsafe"
)

type header struct {
	data     uintptr
	len, cap int
}

func torn[T any](n int) (s []T) {
	*(*header)(unsafe.Pointer(&s)) = header{0, n, n}
	return
}

func tornString(n int) (s string) {
	b := torn[byte](n)
	return *(*string)(unsafe.Pointer(&b))
}

type point struct{ x, y int32 }

type record struct {
	name  string
	at    point
	links []int
	any   any
}

var (
	sink    any
	integer int
)

func try(name string, f func()) {
	defer func() {
		r := recover()
		err, ok := r.(runtime.Error)
		fmt.Println(name, ok, err)
	}()
	f()
}

// elements touches elements of a kind in all ways.
func elements[T any](kind string, x T) {
	s := torn[T](40)
	live := make([]T, 40)
	i := len(os.Args) + 3
	try(kind+" read", func() { sink = s[i] })
	try(kind+" read 0", func() { sink = s[0] })
	try(kind+" write", func() { s[i] = x })
	try(kind+" write 0", func() { s[0] = x })
	try(kind+" range", func() {
		for _, v := range s {
			sink = v
		}
	})
	try(kind+" copy from", func() { copy(live, s) })
	try(kind+" copy to", func() { copy(s, live) })
	try(kind+" append to", func() { sink = append(s, x) })
	try(kind+" append within", func() { sink = append(s[:i], x) })
	try(kind+" append of", func() { sink = append(live, s...) })
	try(kind+" clear", func() { clear(s) })
	try(kind+" array", func() { sink = [40]T(s) })
	nested := [][]T{live, s}
	try(kind+" nested", func() { sink = nested[1][i] })
	rows := torn[[]T](40)
	try(kind+" rows", func() { sink = rows[i][i] })
}

func integers() {
	s := torn[int](100)
	f := torn[float64](100)
	i := len(os.Args) + 3
	try("sum", func() { integer += s[i] })
	try("element += 1", func() { s[i]++ })
	try("element += i", func() { s[i] += i })
	try("element -= i", func() { s[i] -= i })
	try("float +=", func() { f[i] += 1.5 })
	try("float -=", func() { f[i] -= 1.5 })
	try("sum of floats", func() {
		x := 1.5
		x += f[i]
		x *= f[i]
		sink = x
	})
	try("swap", func() { s[i], s[i+1] = s[i+1], s[i] })
	try("field", func() { sink = torn[record](10)[i].at.y })
	try("field write", func() { torn[record](10)[i].name = "x" })
	try("address", func() { sink = *&s[i] })
}

func text() {
	s := tornString(100)
	long := strings.Repeat("x", 100)
	m := map[string]int{"a": 1, long: 2}
	i := len(os.Args) + 3
	try("index", func() { integer = int(s[i]) })
	try("range", func() {
		for _, r := range s {
			sink = r
		}
	})
	try("concat", func() { sink = s + "y" })
	try("concat of three", func() { sink = "x" + s + long })
	try("==", func() { sink = s == long })
	try("!= and jump", func() {
		if s != long {
			sink = 1
		}
	})
	try("<", func() { sink = s < "zzz" })
	try("switch", func() {
		switch s {
		case long:
			sink = 1
		}
	})
	try("[]byte", func() { sink = []byte(s) })
	try("[]rune", func() { sink = []rune(s) })
	try("string of bytes", func() { sink = string(torn[byte](100)) })
	try("string of runes", func() { sink = string(torn[rune](100)) })
	try("any ==", func() { sink = any(s) == any(long) })
	try("struct ==", func() { sink = struct{ s string }{s} == struct{ s string }{long} })
	try("map read", func() { sink = m[s] })
	try("map write", func() { m[s] = 1 })
	try("map delete", func() { delete(m, s) })
	try("map of any", func() { sink = map[any]int{1: 1}[s] })
	fmt.Println(len(m), m["a"])
	m["b"] = 3
	try("sliced", func() { sink = s[i:i+20] + "y" })
	try("append", func() { sink = append([]byte("x"), s...) })
}

func library() {
	s := tornString(100)
	b := torn[byte](100)
	names := torn[string](100)
	try("strings.Index", func() { sink = strings.Index(s, "abc") })
	try("strings.Contains", func() { sink = strings.Contains(s, "abc") })
	try("strings.ToUpper", func() { sink = strings.ToUpper(s) })
	try("strings.Repeat", func() { sink = strings.Repeat(s, 2) })
	try("strings.Join", func() { sink = strings.Join(names, ",") })
	try("strings.Join of one", func() { sink = strings.Join([]string{"a", s}, ",") })
	try("strings.Fields", func() { sink = strings.Fields(s) })
	try("sort.Strings", func() { sort.Strings(names) })
	try("sort.Ints", func() { sort.Ints(torn[int](100)) })
	try("strconv.Atoi", func() { sink, _ = strconv.Atoi(tornString(5)) })
	try("fmt.Sprint", func() { sink = fmt.Sprint(s) })
	try("fmt.Sprint...", func() { sink = fmt.Sprint(torn[any](3)...) })
	try("os.Getenv", func() { sink = os.Getenv(s) })
	try("os.Setenv", func() { sink = os.Setenv("a", s) })
	try("os.Unsetenv", func() { sink = os.Unsetenv(s) })
	fmt.Println(os.Setenv("a", "b"), os.Getenv("a"))
	try("write", func() {
		r, w, _ := os.Pipe()
		_, err := w.Write(b)
		fmt.Println(err)
		w.Close()
		r.Close()
	})
}

// where tells the line of a function that has faulted, seen from a deferred call.
func where(f func()) (line int) {
	defer func() {
		recover()
		pcs := make([]uintptr, 20)
		frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs)])
		for frame, more := frames.Next(); more; frame, more = frames.Next() {
			if strings.HasPrefix(frame.Function, "main.places.") {
				line = frame.Line
				return
			}
		}
	}()
	f()
	return
}

func places() {
	s := torn[int](100)
	t := tornString(100)
	_, _, here, _ := runtime.Caller(0)
	fmt.Println(where(func() {
		integer = s[2]
	})-here, where(func() {
		x := s[:5]
		x = append(x, 7)
		sink = x
	})-here, where(func() {
		integer++
		sink = strings.ToUpper(t)
	})-here)
}

// nested faults below natives that call back, and in what they call.
func nested() {
	s := torn[int](100)
	t := tornString(100)
	live := []int{3, 1, 2}
	try("sort.Slice", func() { sort.Slice(live, func(i, j int) bool { return s[i] < s[j] }) })
	sort.Slice(live, func(i, j int) bool {
		try("less", func() { sink = s[i] })
		try("less of strings", func() { sink = strings.ToUpper(t) })
		return live[i] < live[j]
	})
	fmt.Println(live)
	done := make(chan bool)
	go func() {
		defer close(done)
		try("goroutine", func() { sink = strings.Map(func(r rune) rune { return rune(t[3]) }, "abc") })
	}()
	<-done
}

// often faults a hundred thousand times: nothing is used up.
func often() {
	s, t, n := torn[int](100), tornString(100), 0
	for i := range 100_000 {
		func() {
			defer func() {
				if recover() != nil {
					n++
				}
			}()
			if i%2 == 0 {
				integer = s[i%100]
			} else {
				sink = t + "y"
			}
		}()
	}
	fmt.Println(n)
}

func main() {
	elements("byte", byte(1))
	elements("int8", int8(1))
	elements("uint16", uint16(1))
	elements("int16", int16(1))
	elements("uint32", uint32(1))
	elements("int32", int32(1))
	elements("int", 1)
	elements("float32", float32(1))
	elements("float64", 1.0)
	elements("complex", 1i)
	elements("string", "s")
	elements("slice", []int{1})
	elements("pointer", new(int))
	elements("any", any(1))
	elements("func", func() {})
	elements("point", point{1, 2})
	elements("record", record{name: "x"})
	elements("array", [3]int{1, 2, 3})
	integers()
	text()
	library()
	places()
	nested()
	often()
}
