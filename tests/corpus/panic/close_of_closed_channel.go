// run exit=2
package main

func main() {
	c := make(chan int, 1)
	close(c)
	close(c)
}
