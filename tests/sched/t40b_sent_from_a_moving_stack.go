// run

// A goroutine waits to send a value that lies on its stack; collections halve the stack while others take the value.
package main

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
)

type value [6]int

//go:noinline
func grow(n int) int {
	var room [64]int
	room[n&63] = n
	if n == 0 {
		return 0
	}
	return grow(n-1) + room[n&63]
}

// Sends from so many calls below that about 64 KB are in use.
//
//go:noinline
func send(c chan value, r chan value, n, depth int) int {
	var room [64]int
	room[depth&63] = n
	if depth > 0 {
		return send(c, r, n, depth-1) + room[depth&63] - n
	}
	v := value{n, n + 1, n + 2, n + 3, n + 4, n + 5}
	c <- v
	got := <-r
	if got != v {
		fmt.Println("came back as", got, "instead of", v)
	}
	return n
}

func main() {
	runtime.GOMAXPROCS(4)
	var stop atomic.Bool
	var collector sync.WaitGroup
	collector.Add(1)
	go func() {
		defer collector.Done()
		for !stop.Load() {
			runtime.GC()
		}
	}()
	const senders, rounds = 8, 150
	var all sync.WaitGroup
	for i := range senders {
		all.Add(1)
		go func() {
			defer all.Done()
			out, back := make(chan value), make(chan value)
			go func() {
				for v := range out {
					for j := range v {
						if v[j] != v[0]+j {
							fmt.Println("received", v)
						}
					}
					runtime.Gosched()
					back <- v
				}
			}()
			for round := range rounds {
				grow(800)
				n := i*1_000_000 + round*10
				if got := send(out, back, n, 100); got != n {
					fmt.Println("returned", got, "instead of", n)
				}
			}
			close(out)
		}()
	}
	all.Wait()
	stop.Store(true)
	collector.Wait()
	fmt.Println("whole")
}
