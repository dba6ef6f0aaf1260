// run

// Functions are called with values that are drawn: the same seed, the same values as in Go.
package main

import (
	"fmt"
	"math/rand"
	"reflect"
	"testing/quick"
)

type pair struct {
	A int8
	B string
}

type even int

func (even) Generate(r *rand.Rand, size int) reflect.Value {
	return reflect.ValueOf(even(2 * r.Intn(size)))
}

func show[T any](seed int64) {
	v, ok := quick.Value(reflect.TypeFor[T](), rand.New(rand.NewSource(seed)))
	fmt.Printf("%v %#v\n", ok, v.Interface())
}

func main() {
	for seed := range int64(3) {
		show[bool](seed)
		show[int](seed)
		show[int16](seed)
		show[uint8](seed)
		show[float32](seed)
		show[float64](seed)
		show[complex64](seed)
		show[complex128](seed)
		show[string](seed)
		show[[]int8](seed)
		show[[2]uint16](seed)
		show[pair](seed)
		show[[]pair](seed)
		show[map[int8]bool](seed)
		show[even](seed)
	}
	_, ok := quick.Value(reflect.TypeFor[chan int](), rand.New(rand.NewSource(1)))
	fmt.Println(ok)

	config := func() *quick.Config {
		return &quick.Config{MaxCount: 50, Rand: rand.New(rand.NewSource(7))}
	}
	fmt.Println(quick.Check(func(x, y int) bool { return x+y == y+x }, config()))
	fmt.Println(quick.Check(func(x int8) bool { return x < 100 }, config()))
	fmt.Println(quick.Check(func(e even) bool { return e%2 == 0 }, config()))
	fmt.Println(quick.Check(1, nil))
	fmt.Println(quick.Check(func() {}, nil))
	fmt.Println(quick.Check(func() int { return 1 }, nil))
	fmt.Println(quick.Check(func(chan int) bool { return true }, nil))
	square := func(x int16) int { return int(x) * int(x) }
	wrong := func(x int16) int { return int(x * x) }
	fmt.Println(quick.CheckEqual(square, square, config()))
	fmt.Println(quick.CheckEqual(square, wrong, config()))
	fmt.Println(quick.CheckEqual(square, 1, nil), quick.CheckEqual(square, func() {}, nil))
	calls := 0
	quick.Check(func(int) bool { calls++; return true }, &quick.Config{MaxCountScale: 0.5})
	fmt.Println(calls)
	quick.Check(func(x int) bool { fmt.Println(x); return true }, &quick.Config{
		MaxCount: 2,
		Values:   func(v []reflect.Value, r *rand.Rand) { v[0] = reflect.ValueOf(5) },
	})
}
