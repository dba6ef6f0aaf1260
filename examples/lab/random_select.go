// F18: two channels always have something to give, and a select chooses between them a thousand times. Prints how often it took
// the first case.
package main

import "fmt"

func main() {
	first, second := make(chan int, 1), make(chan int, 1)
	n := 0
	for range 1000 {
		select {
		case first <- 1:
		default:
		}
		select {
		case second <- 2:
		default:
		}
		select {
		case <-first:
			n++
		case <-second:
		}
	}
	fmt.Println(n)
}
