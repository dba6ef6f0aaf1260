// run exit=2
package main

import "time"

func sender(c chan string) {
	c <- "never"
}

func main() {
	c := make(chan string)
	go sender(c)
	time.Sleep(50 * time.Millisecond)
	close(c)
	time.Sleep(5 * time.Second)
}
