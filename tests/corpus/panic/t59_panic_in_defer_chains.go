// run exit=2
package main

type E struct{ a, b int }
type S string

func main() {
	defer panic(E{1, 2})
	defer func() {
		defer panic(S("named"))
		panic(1.5)
	}()
	panic("first")
}
