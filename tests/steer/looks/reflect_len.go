// As with len, by reflection.
package main

import "reflect"

func main() {
	c := make(chan int, 1)
	done := make(chan bool)
	go func() {
		c <- 1
		<-c
		done <- true
	}()
	if reflect.ValueOf(c).Len() == 1 {
		panic("seen")
	}
	<-done
}
