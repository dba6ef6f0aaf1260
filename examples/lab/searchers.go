// One busy goroutine makes short ones, on many Ps.
package main

import (
	"fmt"
	"time"
)

func work(n int) (s int) {
	for i := range n {
		s += i
	}
	return s
}

func main() {
	n := 0
	for t := time.Now(); time.Since(t) < 1500*time.Millisecond; n++ {
		go work(5000)
		work(20000)
	}
	fmt.Println(n > 0)
}
