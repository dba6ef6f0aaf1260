// run

//go:build go1.21

package main

import (
	"fmt"
	"sync"
)

// A file of a version before go1.22: the iterations of a loop share its variables.

type pair struct{ a, b int }

func threeClause() {
	var fs []func() int
	var ps []*int
	for i := 0; i < 3; i++ {
		fs = append(fs, func() int { i += 10; return i })
		ps = append(ps, &i)
	}
	for i := range fs {
		fmt.Print(fs[i](), " ", *ps[i], " ")
	}
	fmt.Println(ps[0] == ps[2])
	for i, p := 0, (*int)(nil); i < 3; i++ {
		if p == nil {
			p = &i
		}
		fmt.Print(p == &i, " ")
		if i == 1 {
			continue
		}
	}
	fmt.Println()
}

func ranges() {
	var fs []func()
	keep := func(f func()) { fs = append(fs, f) }
	for i, x := range []int{4, 5, 6} {
		keep(func() { fmt.Print(i, x, " ") })
	}
	for i, x := range [3]pair{{1, 2}, {3, 4}, {5, 6}} {
		p := &x
		p.a += i
		keep(func() { fmt.Print(i, x, *p, " ") })
	}
	for i := range &[2]int{} {
		keep(func() { fmt.Print(i, " ") })
	}
	for i, r := range "aé" {
		keep(func() { fmt.Print(i, string(r), " ") })
	}
	for k, v := range map[string]int{"k": 1} {
		keep(func() { fmt.Print(k, v, " ") })
	}
	c := make(chan int, 2)
	c <- 7
	c <- 8
	close(c)
	for x := range c {
		keep(func() { fmt.Print(x, " ") })
	}
	for _, x := range [][1000]int{{1}, {2}} {
		keep(func() { fmt.Print(x[0], " ") })
	}
	for _, x := range []any{1, "s"} {
		keep(func() { fmt.Print(x, " ") })
	}
	for _, f := range fs {
		f()
	}
	fmt.Println()
}

func pointers() {
	var ps []*int
	for _, x := range []int{1, 2, 3} {
		ps = append(ps, &x)
		x *= 10
	}
	fmt.Println(*ps[0], *ps[1], *ps[2], ps[0] == ps[2])
	var keys []*string
	for k := range map[string]bool{"a": true} {
		keys = append(keys, &k)
	}
	fmt.Println(*keys[0])
}

func nested() {
	var fs []func()
	for i := 0; i < 2; i++ {
		for j := range [2]int{} {
			fs = append(fs, func() { fmt.Print(i, j, " ") })
		}
	}
	for _, f := range fs {
		f()
	}
	fmt.Println()
}

func goroutines() {
	var group sync.WaitGroup
	var lock sync.Mutex
	sum := 0
	start := make(chan bool)
	for i := 0; i < 3; i++ {
		group.Add(1)
		go func() {
			<-start
			lock.Lock()
			sum += i
			lock.Unlock()
			group.Done()
		}()
	}
	close(start)
	group.Wait()
	fmt.Println(sum)
}

func deferred() {
	for i := 0; i < 3; i++ {
		defer func() { fmt.Print(i, " ") }()
	}
	for _, x := range []int{1, 2} {
		defer func() { fmt.Print(x, " ") }()
	}
}

func generic[T any](list []T) (fs []func() T) {
	for _, x := range list {
		fs = append(fs, func() T { return x })
	}
	return
}

type counter int

func (c *counter) next() int { *c++; return int(*c) }

func methods() {
	var fs []func() int
	for c := counter(0); c < 3; c++ {
		fs = append(fs, c.next)
	}
	fmt.Println(fs[0](), fs[1](), fs[0]())
}

func labels() {
	var fs []func()
outer:
	for i := 0; i < 3; i++ {
		fs = append(fs, func() { fmt.Print(i, " ") })
		for j := 0; ; j++ {
			fs = append(fs, func() { fmt.Print(j, " ") })
			if i == 1 {
				break outer
			}
			continue outer
		}
	}
	for _, f := range fs {
		f()
	}
	fmt.Println()
}

func main() {
	threeClause()
	ranges()
	pointers()
	nested()
	goroutines()
	deferred()
	fmt.Println()
	for _, f := range generic([]string{"a", "b"}) {
		fmt.Print(f(), " ")
	}
	methods()
	labels()
}
