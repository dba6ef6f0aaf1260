// run gcstress=2000

// A million calls deep, each with a pointer to a variable of its caller: what is written through them arrives, however often the
// stack has moved meanwhile.
package main

import "fmt"

//go:noinline
func down(n int, up *int, first *int) int {
	local := n
	if n > 0 {
		local += down(n-1, &local, first) & 1
	}
	*up += n
	if n%1000 == 0 {
		*first++
	}
	return local
}

func main() {
	for range 2 {
		var up, first int
		got := down(1_000_000, &up, &first)
		fmt.Println(got, up, first)
	}
	// On goroutines, whose stacks begin small.
	sums := make(chan int)
	for i := range 8 {
		go func() {
			var up, first int
			sum := 0
			for depth := 1; depth < 50_000; depth *= 3 {
				sum += down(depth+i, &up, &first)
			}
			sums <- sum + up + first
		}()
	}
	total := 0
	for range 8 {
		total += <-sums
	}
	fmt.Println(total)
}
