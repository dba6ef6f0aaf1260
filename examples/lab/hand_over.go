// The median round trip of a pair that wakes one another, beside fifty such pairs.
package main

import (
	"fmt"
	"sort"
	"time"
)

func pair() (a, b chan int) {
	a, b = make(chan int), make(chan int)
	go func() {
		for {
			<-a
			b <- 1
		}
	}()
	return a, b
}

func main() {
	for range 50 {
		a, b := pair()
		go func() {
			for {
				a <- 1
				<-b
			}
		}()
	}
	a, b := pair()
	var took []int
	end := time.Now().Add(time.Second)
	for len(took) < 20000 && time.Now().Before(end) {
		t := time.Now()
		a <- 1
		<-b
		took = append(took, int(time.Since(t).Nanoseconds()))
	}
	sort.Ints(took)
	fmt.Println(len(took), took[len(took)/2])
}
