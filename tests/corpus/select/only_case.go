// run

package main

import (
	"fmt"
	"runtime"
	"strings"
	"time"
)

// state is what the goroutines whose function has this name wait for.
func state(name string) string {
	buf := make([]byte, 1<<16)
	for {
		found := ""
		for _, g := range strings.Split(string(buf[:runtime.Stack(buf, true)]), "\n\n") {
			if strings.Contains(g, "\nmain."+name+"(") {
				_, found, _ = strings.Cut(g, "[")
				found, _, _ = strings.Cut(found, "]")
			}
		}
		if found != "" && found != "runnable" && found != "running" && found != "semacquire" {
			return found
		}
		time.Sleep(time.Millisecond)
	}
}

func receives(c chan int) {
	select {
	case <-c:
	}
}

func sends(c chan int) {
	select {
	case c <- 1:
	}
}

func sendsNothing(c chan struct{}) {
	select {
	case c <- struct{}{}:
	}
}

func choosesOfTwo(c, d chan int) {
	select {
	case <-c:
	case <-d:
	}
}

func trace(what string, n int) int {
	fmt.Print(what, " ")
	return n
}

type pair struct{ a, b int }

func main() {
	c, d := make(chan int), make(chan int)
	go receives(c)
	fmt.Println(state("receives"))
	c <- 1
	go sends(c)
	fmt.Println(state("sends"))
	<-c
	e := make(chan struct{})
	go sendsNothing(e)
	fmt.Println(state("sendsNothing"))
	<-e
	go choosesOfTwo(c, d)
	fmt.Println(state("choosesOfTwo"))
	c <- 1
	go receives(nil)
	fmt.Println(state("receives"))
	go sends(nil)
	fmt.Println(state("sends"))

	// Values, and what they are assigned to after they have come.
	b := make(chan int, 4)
	list := make([]int, 3)
	b <- 7
	select {
	case list[trace("index", 1)] = <-b:
		fmt.Println(list)
	}
	b <- 8
	close(b)
	for i := 0; i < 2; i++ {
		select {
		case v, ok := <-b:
			fmt.Println(v, ok)
		}
	}
	var ok bool
	select {
	case _, ok = <-b:
	}
	select {
	case <-b:
		fmt.Println("closed", ok)
	}
	pairs := make(chan pair, 1)
	select {
	case pairs <- pair{trace("value", 1), 2}:
	}
	var p any
	select {
	case p = <-pairs:
		fmt.Println(p)
	}
	huge := make(chan *[1000]int, 1)
	select {
	case huge <- &[1000]int{999: 5}:
	}
	select {
	case h := <-huge:
		fmt.Println(h[999])
	}
	bytes := make(chan int8, 1)
	bytes <- -3
	select {
	case v := <-bytes:
		fmt.Println(v, int(v)+1)
	}

	// Ways out.
	n := 0
loop:
	for {
		select {
		case <-b:
			n++
			if n == 3 {
				break loop
			}
			if n == 1 {
				continue
			}
			break
		}
	}
	fmt.Println(n)
	func() {
		defer func() { fmt.Println(recover()) }()
		select {
		case b <- 1:
		}
	}()
}
