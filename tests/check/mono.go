// A package of which no copy for each list of type arguments can be made.

package main

type list[T any] struct{ v T }

func (l list[T]) up() any { return list[list[T]]{l} }

func main() { println(list[int]{1}.up() != nil) }
