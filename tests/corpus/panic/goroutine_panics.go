// run exit=2
package main

import "time"

func worker(c chan int) {
	c <- 1
	var m map[string]int
	m["x"] = 1
}

func main() {
	c := make(chan int)
	go worker(c)
	<-c
	time.Sleep(time.Second)
}
