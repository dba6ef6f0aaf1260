// run
// What go1.19 changed: the type parameters that a receiver declares are in scope in the method
// only, so that they may have the type's own name.
package main

import "fmt"

type T[P any] struct{ p P }

func (t T[T]) value() T         { return t.p }
func (t *T[U]) set(u U)         { t.p = u }
func (T[_]) name(value int) int { return value }

func main() {
	t := T[int]{4}
	t.set(t.value() + 1)
	fmt.Println(t.value(), t.name(7))
}
