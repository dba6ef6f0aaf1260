// run

// Capacities of slices that do not outlive their function are those that the heap would give. Go's compiler lays the first elements, and those
// of conversions of short strings, on the stack, in buffers of its own sizes; slicing up to such a capacity succeeds there.
package main

import "fmt"

//go:noinline
func text() string { return "AUGA" }

func thirds(s string) (n int, err any) {
	defer func() { err = recover() }()
	runes := []rune(s)
	for i := 0; i < len(runes); i += 3 {
		n += len(string(runes[i : i+3]))
	}
	return n, nil
}

func main() {
	var numbers []int
	for i := 0; i < 5; i++ {
		numbers = append(numbers, i)
		fmt.Print(cap(numbers), " ")
	}
	var bytes []byte
	for i := 0; i < 40; i += 13 {
		bytes = append(bytes, "thirteen byte"...)
		fmt.Print(cap(bytes), " ")
	}
	fmt.Println(cap([]byte(text())), cap([]rune(text())))
	fmt.Println(thirds(text()))
}
