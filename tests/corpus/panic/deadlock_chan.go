// run exit=2
package main

func worker(c chan int) {
	<-c
}

func main() {
	c := make(chan int)
	go worker(make(chan int))
	c <- 1
}
