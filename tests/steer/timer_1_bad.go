package main

import (
	"fmt"
	"time"
)

// Work that gets a second, and no more.
func main() {
	result := make(chan int, 1)
	expired := make(chan bool, 1)
	timer := time.AfterFunc(time.Second, func() { expired <- true })
	go func() { result <- work() }()
	n := <-result
	if !timer.Stop() {
		panic("late")
	}
	fmt.Println(n)
}

func work() int {
	parts := make(chan int)
	for i := range 3 {
		go func() { parts <- i }()
	}
	return <-parts + <-parts + <-parts
}
