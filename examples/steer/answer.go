package main

import (
	"context"
	"fmt"
	"time"
)

// Who asks goes away after a while, and the answer finds nobody.
func ask(ctx context.Context) (string, error) {
	answer := make(chan string)
	go func() {
		answer <- think()
	}()
	select {
	case a := <-answer:
		return a, nil
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

func think() string {
	ideas := make(chan int)
	go func() { ideas <- 6 }()
	return fmt.Sprint(7 * <-ideas)
}

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	ask(ctx)
}
