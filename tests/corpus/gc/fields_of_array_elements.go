// run
package main

import (
	"fmt"
	"runtime"
)

// An indexed field of an array in the frame is read from the field's offset on. What lies behind the last element's field is not
// read with it: there lie the closure word, which no call of a plain function sets, and other locals.

type inner struct {
	b [4]bool
	c [2]int8
}

type elem struct {
	p *int
	q [4]int
	s string
	i inner
	c int8
}

//go:noinline
func id[T any](x T) T { return x }

// Leaves numbers where windows of calls will be.
//
//go:noinline
func scribble(a, b, c, d, e, f, g, h, i, j, k, l, m, n int) int {
	return a + b + c + d + e + f + g + h + i + j + k + l + m + n
}

//go:noinline
func deep(n int) int {
	var room [40]int
	if n > 0 {
		room[n%40] = deep(n - 1)
	}
	return room[n%40] + 1
}

//go:noinline
func field(n int, a [1]elem) (res string) {
	for i := n; i > 0; i-- {
		if deep(30+i) == 0 {
			continue
		}
		runtime.GC()
		if a[uint(id(i))%1].c == 3 {
			res += a[0].s
		}
	}
	return res
}

//go:noinline
func nested(n int, a [2]elem) (sum int) {
	for i := n; i > 0; i-- {
		sum += deep(60 + i)
		runtime.GC()
		if a[uint(id(i))%2].i.b[uint(id(i))%4] {
			sum += int(a[uint(id(i))%2].i.c[uint(id(i))%2]) * 1000
		}
	}
	return sum
}

//go:noinline
func set(n int, a [2]elem) (sum int) {
	for i := n; i > 0; i-- {
		sum += deep(90 + i)
		runtime.GC()
		a[uint(id(i))%2].i.c[uint(id(i))%2] += int8(i)
		a[uint(id(i))%2].c = int8(i)
	}
	for _, e := range a {
		sum += int(e.c)*100000 + int(e.i.c[0])*1000000 + int(e.i.c[1])*10000000
	}
	return sum
}

func main() {
	x := 5
	e := elem{&x, [4]int{1, 2, 3, 4}, "s", inner{[4]bool{true, false, true, true}, [2]int8{7, 9}}, 3}
	done := make(chan bool)
	go func() {
		fmt.Println(scribble(32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45))
		fmt.Println(field(3, [1]elem{e}))
		fmt.Println(scribble(32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45))
		fmt.Println(nested(4, [2]elem{e, e}))
		fmt.Println(scribble(32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45))
		fmt.Println(set(4, [2]elem{e, e}))
		done <- true
	}()
	<-done
}
