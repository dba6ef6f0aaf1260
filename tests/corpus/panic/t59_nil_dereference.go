// run exit=2
package main

type T struct{ a, b int }

func main() {
	var p *T
	println("before")
	p.b = 1
}
