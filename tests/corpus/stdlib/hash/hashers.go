// run

// Hashers of values that need not be comparable.
package main

import (
	"fmt"
	"hash/maphash"
	"strings"
)

type folded struct{}

func (folded) Hash(h *maphash.Hash, s string) { h.WriteString(strings.ToLower(s)) }
func (folded) Equal(x, y string) bool         { return strings.EqualFold(x, y) }

func same[T any](by maphash.Hasher[T], x, y T) (bool, bool) {
	seed := maphash.MakeSeed()
	var a, b maphash.Hash
	a.SetSeed(seed)
	b.SetSeed(seed)
	by.Hash(&a, x)
	by.Hash(&b, y)
	return a.Sum64() == b.Sum64(), by.Equal(x, y)
}

func main() {
	fmt.Println(same[string](folded{}, "Go", "gO"))
	fmt.Println(same[string](maphash.ComparableHasher[string]{}, "Go", "Go"))
	fmt.Println(same[string](maphash.ComparableHasher[string]{}, "Go", "gO"))
	fmt.Println(same[any](maphash.ComparableHasher[any]{}, 1, 1))
	defer func() { fmt.Println(recover()) }()
	same[any](maphash.ComparableHasher[any]{}, []int{}, 1)
}
