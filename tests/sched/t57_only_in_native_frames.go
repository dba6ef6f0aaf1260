// run

// While fmt prints a map, a method of what is printed empties it and collects: what is left to print is held by fmt alone.
package main

import (
	"fmt"
	"runtime"
	"strings"
)

type item struct {
	n    int
	text string
}

var (
	all     map[int]*item
	garbage []*item
)

func (i *item) String() string {
	if i.n == 0 {
		clear(all)
		for range 3 {
			runtime.GC()
			for k := range 5000 {
				garbage = append(garbage, &item{k, strings.Repeat("x", 20)})
			}
		}
	}
	return fmt.Sprint(i.n, "=", i.text)
}

func main() {
	for range 3 {
		all = map[int]*item{}
		for n := range 30 {
			all[n] = &item{n, strings.Repeat(string(rune('a'+n%26)), 10)}
		}
		fmt.Println(all)
		garbage = nil
	}
}
