// run exit=2
package main

import "fmt"

type T struct{ n int }

func (t *T) method(x int) {
	defer fmt.Println("deferred runs")
	func() {
		panic(fmt.Sprintf("bad thing %d\nsecond line", x+t.n))
	}()
}

func main() {
	t := &T{1}
	t.method(41)
}
