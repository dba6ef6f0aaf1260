// run exit=2
package main

func block() { select {} }

func main() {
	go block()
	var c chan int
	<-c
}
