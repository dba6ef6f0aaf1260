// run

// The cause of a context that a signal ends is context.Canceled in a text of its own.
package main

import (
	"context"
	"errors"
	"fmt"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGUSR1, syscall.SIGINT)
	fmt.Println(ctx)
	syscall.Kill(syscall.Getpid(), syscall.SIGUSR1)
	<-ctx.Done()
	cause := context.Cause(ctx)
	fmt.Println(ctx.Err(), cause)
	fmt.Println(errors.Is(cause, context.Canceled), errors.Is(cause, context.DeadlineExceeded))
	fmt.Println(cause == context.Canceled)
	stop()
	fmt.Println(context.Cause(ctx))

	ctx, stop = signal.NotifyContext(context.Background())
	stop()
	<-ctx.Done()
	fmt.Println(ctx, ctx.Err(), context.Cause(ctx) == context.Canceled)
}
