// How much is in a channel is seen between another goroutine's send and receive.
package main

func main() {
	c := make(chan int, 1)
	done := make(chan bool)
	go func() {
		c <- 1
		<-c
		done <- true
	}()
	if len(c) == 1 {
		panic("seen")
	}
	<-done
}
