// A pipeline: numbers flow through two stages, and a context ends everything early.
package main

import (
	"context"
	"fmt"
	"time"
)

func numbers(ctx context.Context) <-chan int {
	out := make(chan int)
	go func() {
		defer close(out)
		for n := 1; ; n++ {
			select {
			case out <- n:
			case <-ctx.Done():
				return
			}
		}
	}()
	return out
}

func squares(ctx context.Context, in <-chan int) <-chan int {
	out := make(chan int)
	go func() {
		defer close(out)
		for n := range in {
			select {
			case out <- n * n:
			case <-ctx.Done():
				return
			}
		}
	}()
	return out
}

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	sum := 0
	for sq := range squares(ctx, numbers(ctx)) {
		if sum += sq; sum > 1000 {
			fmt.Println("the sum passed 1000 at", sq)
			cancel()
			break
		}
	}
	<-ctx.Done()
	fmt.Println("sum", sum, "-", ctx.Err())
}
