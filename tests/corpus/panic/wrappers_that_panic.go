// run exit=2

// Functions that the compiler makes show in a traceback when they panic themselves, and a panic in an init function comes from a
// goroutine that is not wired to its thread any more.
package main

type inner struct{ x int }

func (i inner) M() { println(i.x) }

type I interface{ M() }

type outer struct {
	*inner
	name string
}

type failure struct{ code int }

func (f failure) Error() string { return "failure" }

//go:noinline
func call(i I) { i.M() }

func last() {
	defer panic(failure{3})
}

func init() {
	defer func() {
		defer last()
		defer func() {
			call(struct{ *inner }{})
		}()
		call((*inner)(nil))
	}()
	call(struct {
		*inner
		a int
	}{nil, 1})
}

func main() {
	call(&outer{})
}
