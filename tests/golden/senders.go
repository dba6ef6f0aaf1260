// Senders 0 to 5 on a channel of capacity 2 are queued; main receives.
package main

import (
	"fmt"
	"runtime"
)

func main() {
	c := make(chan int, 2)
	for i := range 6 {
		go func() { c <- i }()
		runtime.Gosched()
	}
	var got []int
	for range 6 {
		got = append(got, <-c)
	}
	fmt.Println(got)
}
