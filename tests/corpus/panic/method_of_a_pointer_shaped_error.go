// run exit=2

// A method whose receiver is one pointer is what interfaces call, without a wrapper: it shows once.
package main

type failure struct{ code *int }

func (f failure) Error() string {
	if *f.code == 0 {
		panic("no code")
	}
	return "failure"
}

func main() {
	panic(failure{new(int)})
}
