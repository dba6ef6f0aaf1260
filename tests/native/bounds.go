// Indices just behind the end of arrays and slices of each kind.
package main

import "fmt"

type pair struct{ a, b int }

var (
	global [4]int
	out    int
)

func is(f func(i int)) {
	for i := range 5 {
		func() {
			defer func() {
				if err := recover(); err != nil {
					if i != 4 || fmt.Sprint(err) != "runtime error: index out of range [4] with length 4" {
						panic(err)
					}
					out++
				}
			}()
			f(i)
		}()
	}
}

func main() {
	var local [4]int
	var bytes [4]byte
	slice, pairs, p := make([]int, 4, 8), make([]pair, 4, 8), new([4]uint16)
	s := 0
	is(func(i int) { var a [4]int; a[i] = 1; s += a[i] })
	is(func(i int) { local[i]++ })
	is(func(i int) { s += int(bytes[i]) })
	is(func(i int) { global[i] += i })
	is(func(i int) { s += slice[i] })
	is(func(i int) { slice[i] = s })
	is(func(i int) { pairs[i].b += s })
	is(func(i int) { p[i] = 3 })
	fmt.Println(out, "of 8 indices were out of range")
}
