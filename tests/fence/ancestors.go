// Goroutines that come from one another; the last one panics.
package main

import "time"

func third() {
	panic("here")
}

func second() {
	go third()
	time.Sleep(time.Minute)
}

func first() {
	go second()
	time.Sleep(time.Minute)
}

func main() {
	first()
}
