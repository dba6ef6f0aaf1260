// run exit=2
package main

type pair struct{ a, b *int }

func (x *pair) let() { x.a = nil }

// A frame whose instruction panics holds what its deferred functions need, and nothing once they
// have been called: also while the program, dying, asks the panic's value for its text.
func main() {
	c := make(chan int, 1)
	close(c)
	x := &pair{new(int), new(int)}
	defer func() { _ = make([]int, 100) }()
	defer x.let()
	for i := range 3 {
		y := x.b
		c <- i + *y
		println(*y, x.a)
	}
}
