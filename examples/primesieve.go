// The concurrent prime sieve: a chain of goroutines, each of which removes the multiples of one prime.
package main

import "fmt"

func generate(out chan<- int) {
	for n := 2; ; n++ {
		out <- n
	}
}

func filter(in <-chan int, out chan<- int, prime int) {
	for n := range in {
		if n%prime != 0 {
			out <- n
		}
	}
}

func main() {
	numbers := make(chan int)
	go generate(numbers)
	for range 25 {
		prime := <-numbers
		fmt.Print(prime, " ")
		rest := make(chan int)
		go filter(numbers, rest, prime)
		numbers = rest
	}
	fmt.Println()
}
