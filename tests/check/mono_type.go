package main

type tree[T any] struct {
	value T
	kids  []*tree[tree[T]]
	more  map[string]*tree[*T]
}

func main() { println(tree[int]{}.kids == nil) }
