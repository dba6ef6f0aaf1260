// run exit=2
package main

func main() {
	defer func() { println("not recoverable", recover()) }()
	var f func()
	go f()
}
