// Brackets after an embedded name hold anything until the checker looks.

package main

type G[T any] struct{}

type T struct {
	b [4]
	D[4]
	G[4]
	*G[int]
}

func main() {}
