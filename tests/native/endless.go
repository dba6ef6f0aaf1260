// A loop that calls nothing and never ends, on the one P that there is: others run all the same.
package main

import (
	"fmt"
	"time"
)

var turns int

func main() {
	go func() {
		for i := 0; ; i++ {
			turns ^= i
		}
	}()
	for range 5 {
		time.Sleep(10 * time.Millisecond)
	}
	fmt.Println("preempted")
}
