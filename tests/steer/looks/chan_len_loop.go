// A loop looks at a channel that is full for a moment.
package main

func main() {
	c := make(chan int, 1)
	done := make(chan bool)
	go func() {
		c <- 1
		<-c
		done <- true
	}()
	for range 3 {
		if len(c) == 1 {
			panic("seen")
		}
	}
	<-done
}
