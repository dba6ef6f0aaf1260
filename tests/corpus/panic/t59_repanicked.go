// run exit=2
package main

func main() {
	defer func() {
		r := recover()
		panic(r)
	}()
	panic("same")
}
