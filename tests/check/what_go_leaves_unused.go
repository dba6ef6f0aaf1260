// What Go's checker does not look at after an error counts as unused.

package main

import (
	"fmt"
	"os"
)

func call() {
	var x, y, z int
	y(x, z)
	nil(x)
}

func assert() {
	_, _ = undefinedName.(fmt.Stringer)
	_, _ = (1).(os.Signal)
}

func index() {
	_ = 1 + nil[1]
	_ = append[1]
	min[int](2, 3)
	_ = *append
	_ = new(append)
}

func bounds[T []int64 | [5]int64, U [5]int64 | []int64](t T, u U) {
	_, _ = t[5], u[5]
}

func main() {}
