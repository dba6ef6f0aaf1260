// run
package main

import (
	"bytes"
	"fmt"
	"runtime"
	"runtime/pprof"
	"strings"
)

//go:noinline
func leaks() {
	for range 2 {
		c := make(chan int)
		go func() { <-c }()
	}
}

var kept = make(chan int)

func main() {
	leaks()
	go func() { <-kept }()
	for {
		var all bytes.Buffer
		pprof.Lookup("goroutine").WriteTo(&all, 2)
		if strings.Count(all.String(), "[chan receive") == 3 {
			break
		}
		runtime.Gosched()
	}
	p := pprof.Lookup("goroutineleak")
	var b bytes.Buffer
	fmt.Println(p.WriteTo(&b, 1), p.Count())
	head, rest, _ := strings.Cut(b.String(), "\n")
	fmt.Println(head, rest[:3], strings.Contains(rest, "main.leaks.func1+0x"), strings.Contains(rest, "main.main"))
	kept <- 1
}
