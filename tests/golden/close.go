// Receivers 0 to 5 are queued; main closes the channel.
package main

import (
	"fmt"
	"runtime"
)

func main() {
	c, done := make(chan int), make(chan bool, 6)
	var ran []int
	for i := range 6 {
		go func() {
			<-c
			ran = append(ran, i)
			done <- true
		}()
		runtime.Gosched()
	}
	close(c)
	for range 6 {
		<-done
	}
	fmt.Println(ran)
}
