package main

type pair[A, B any] struct {
	a A
	b B
}

func twice[A, B any](n int, a A, b B) {
	if n > 0 {
		swapped(n-1, b, pair[A, B]{a, b})
	}
}

func swapped[C, D any](n int, c C, d D) { twice(n, c, d) }

func fine[T any](n int, x T) {
	if n > 0 {
		fine(n-1, x)
		fine[int](n-1, 1)
	}
}

func main() {
	twice(3, 1, "")
	fine(3, "")
}
