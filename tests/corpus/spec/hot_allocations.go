// run

// Objects that hot code allocates: of one layout and of several in the same size class, closures, while the
// collector runs and beside other goroutines.
package main

import (
	"fmt"
	"runtime"
	"sync"
)

// Three types of 24 bytes, whose pointers lie in different words.
type first struct {
	p    *int
	a, b int
}

type second struct {
	a int
	p *int
	b int
}

type third struct {
	a, b int
	p    *int
}

type small struct{ a, b int8 }

type numbers struct{ a, b, c, d int }

type large struct {
	next *large
	a    [7]int
}

type larger struct {
	next *larger
	a    [9]int
}

func ints(n int) *int {
	p := new(int)
	*p = n
	return p
}

func one(n int) *first  { return &first{p: ints(n), a: n} }
func two(n int) *second { return &second{p: ints(n), a: n} }
func three(n int) *third {
	return &third{p: ints(n), a: n}
}

func adder(k int, s string) func(int) int {
	return func(n int) int { return n + k + len(s) }
}

func mixed(n int) int {
	var fs []*first
	var ss []*second
	var ts []*third
	sum := 0
	for i := range n {
		fs, ss, ts = append(fs, one(i)), append(ss, two(i)), append(ts, three(i))
		if len(fs) == 50 {
			for k := range fs {
				sum += *fs[k].p + *ss[k].p - *ts[k].p + fs[k].b + ss[k].b + ts[k].b
				sum += fs[k].a - ss[k].a + ts[k].a
			}
			fs, ss, ts = fs[:0], ss[:0], ts[:0]
		}
	}
	return sum
}

func lists(n int) (sum int) {
	var l *large
	var m *larger
	for i := range n {
		l = &large{next: l}
		m = &larger{next: m}
		sum += l.a[6] + m.a[8]
		l.a[6], m.a[8] = i, -i
		if i%100 == 99 {
			for ; l != nil; l, m = l.next, m.next {
				sum += l.a[6] + 2*m.a[8]
			}
			m = nil
		}
	}
	return sum
}

func others(n int) (sum int) {
	var keep [8]*small
	for i := range n {
		s := &small{int8(i), int8(-i)}
		keep[i%8] = s
		t := &numbers{a: i}
		keep[(i+3)%8] = &small{int8(t.a), int8(t.b + t.c + t.d)}
		for _, s := range keep {
			if s != nil {
				sum += int(s.a) - int(s.b)
			}
		}
	}
	return sum
}

func closures(n int) (sum int) {
	var fs [16]func(int) int
	for i := range n {
		fs[i%16] = adder(i, "abc"[:i%4])
		if i >= 16 {
			sum += fs[(i+5)%16](i)
		}
	}
	return sum
}

func main() {
	var wg sync.WaitGroup
	sums := make([]int, 4)
	for k := range sums {
		wg.Go(func() {
			sums[k] = mixed(20000) + lists(20000) + others(20000) + closures(20000)
		})
	}
	done := make(chan bool)
	go func() {
		for range 5 {
			runtime.GC()
		}
		close(done)
	}()
	wg.Wait()
	<-done
	fmt.Println(sums)
	fmt.Println(mixed(1000), lists(1000), others(1000), closures(1000))
}
