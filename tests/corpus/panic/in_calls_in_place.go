// run exit=2

// The traceback shows every call, whether it has a frame of its own or not.
package main

type tree struct {
	left, right *tree
	n           int
}

func (t *tree) value() int { return t.n }
func (t *tree) sum() int   { return t.left.value() + t.right.value() }

func total(ts ...*tree) (n int) {
	for _, t := range ts {
		n += t.sum()
	}
	return n
}

func main() {
	leaf := &tree{n: 1}
	println(total(&tree{left: leaf, right: leaf}))
	println(total(&tree{left: leaf, right: leaf},
		&tree{left: leaf}))
}
