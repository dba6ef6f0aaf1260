package main

import (
	"context"
	"fmt"
)

// A source of numbers, from which only some are wanted.
func numbers(ctx context.Context) <-chan int {
	c := make(chan int)
	go func() {
		defer close(c)
		for i := 0; i < 3; i++ {
			select {
			case c <- i:
			case <-ctx.Done():
				return
			}
		}
	}()
	return c
}

func find(ctx context.Context, wanted func(int) bool) int {
	for n := range numbers(ctx) {
		if wanted(n) {
			return n
		}
	}
	return -1
}

func main() {
	hint := make(chan int, 1)
	go func() { hint <- 1 }()
	ctx := context.Background()
	least := 0
	select {
	case least = <-hint:
	default:
	}
	fmt.Println(find(ctx, func(n int) bool { return least == 1 && n >= 1 }) < 3)
}
