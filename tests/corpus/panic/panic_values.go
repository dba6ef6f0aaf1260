// run
package main

import (
	"errors"
	"fmt"
)

type named int
type str string
type pair struct{ a, b int }

func (p pair) Error() string { return fmt.Sprint("pair ", p.a, p.b) }

func main() {
	for _, v := range []any{nil, 1, "s", named(3), str("q"), pair{1, 2}, errors.New("e"), 1.5, true, 'x', []int{1}} {
		func() {
			defer func() {
				r := recover()
				fmt.Printf("%T %v\n", r, r)
			}()
			panic(v)
		}()
	}
}
