// errorcheck lang=go1.21
package main

type (
	P struct{ a int }
	Q struct{ P }
	S struct{}
)

type GA[T any] = []T

func (S) m[T any](x T) T { return x }

func main() {
	n := 3
	for range 3 {
	}
	for i := range n {
		_ = i
	}
	for range func(func() bool) {} {
	}
	_ = new(3)
	_ = new(n + 1)
	_ = Q{a: 3}
	S{}.m(3)
}
