// run exit=2
package main

func main() {
	c, d := make(chan int), make(chan int)
	close(d)
	select {
	case <-c:
	case d <- 1:
	}
}
