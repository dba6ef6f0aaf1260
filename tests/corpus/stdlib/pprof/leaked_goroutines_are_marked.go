// run

// What the profile goroutineleak says of each goroutine, as a panic would.
package main

import (
	"bytes"
	"fmt"
	"regexp"
	"runtime/pprof"
	"slices"
	"time"
)

var kept = make(chan int)

func main() {
	a, b, c := make(chan int), make(chan int), make(chan int)
	go func() { <-a }()
	go func() { b <- 1 }()
	go func() {
		select {
		case <-c:
		case c <- 1:
		}
	}()
	go func() { <-kept }()
	go func() { select {} }()
	go func() { time.Sleep(time.Hour) }()
	time.Sleep(50 * time.Millisecond)
	for _, name := range []string{"goroutine", "goroutineleak"} {
		var buf bytes.Buffer
		pprof.Lookup(name).WriteTo(&buf, 2)
		var heads []string
		for _, m := range regexp.MustCompile(`goroutine \d+ (\[.*\]):`).FindAllStringSubmatch(buf.String(), -1) {
			heads = append(heads, m[1])
		}
		slices.Sort(heads)
		fmt.Println(name, heads)
	}
	kept <- 1
}
