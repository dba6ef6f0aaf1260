// Which of several errors are shown, and where.

package main

func close_it(c chan int) {
	return close(c)
}

func label() {
L:
	func() { goto L }()
	goto M
}

func names() {
	x.a := 1
	a[0], b := 1, 2
	if y.b := 1; true {
	}
	_ = [...]int
	_ = [...]int{1}
}

func too_far() {
	_ = [...]struct{}{9223372036854775806: {}, {}, {}}
}

func main() {
	{
		inner := 1
	}
	outer := 1
	func() {
		in_literal := 1
	}()
}
