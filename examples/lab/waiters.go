// F21: ten senders wait for a channel, one after the other; then their values are received. Prints in how many of a thousand
// rounds they were served in the order in which they had come.
package main

import (
	"fmt"
	"runtime"
)

func main() {
	inOrder := 0
	for range 1000 {
		c := make(chan int)
		for i := range 10 {
			go func() { c <- i }()
			runtime.Gosched()
		}
		good := true
		for i := range 10 {
			good = <-c == i && good
		}
		if good {
			inOrder++
		}
	}
	fmt.Println(inOrder)
}
