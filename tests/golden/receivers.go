// Receivers 0 to 4 are queued; main sends 0 to 4 and waits.
package main

import (
	"fmt"
	"runtime"
)

func main() {
	c, done := make(chan int), make(chan bool, 5)
	var ran []string
	for i := range 5 {
		go func() {
			v := <-c
			ran = append(ran, fmt.Sprint(i, "=", v))
			done <- true
		}()
		runtime.Gosched()
	}
	for i := range 5 {
		c <- i
	}
	for range 5 {
		<-done
	}
	fmt.Println(ran)
}
