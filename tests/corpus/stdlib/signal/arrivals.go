// run

// Signals that the program asked for arrive on its channels; others do what they do by default.
package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"time"
)

func raise(s syscall.Signal) { syscall.Kill(syscall.Getpid(), s) }

func next(c chan os.Signal) any {
	select {
	case s := <-c:
		return s
	case <-time.After(10 * time.Second):
		return "nothing"
	}
}

func nothing(c chan os.Signal) bool {
	select {
	case s := <-c:
		fmt.Println("unexpected", s)
		return false
	case <-time.After(50 * time.Millisecond):
		return true
	}
}

func main() {
	c := make(chan os.Signal, 4)
	signal.Notify(c, syscall.SIGUSR1, syscall.SIGHUP)
	raise(syscall.SIGUSR1)
	fmt.Println(next(c))
	raise(syscall.SIGHUP)
	fmt.Println(next(c))

	// Two channels; one stops.
	d := make(chan os.Signal, 4)
	signal.Notify(d, syscall.SIGUSR1)
	raise(syscall.SIGUSR1)
	fmt.Println(next(c), next(d))
	signal.Stop(c)
	raise(syscall.SIGUSR1)
	fmt.Println(next(d), nothing(c))

	// Ignored.
	signal.Ignore(syscall.SIGUSR1)
	fmt.Println(signal.Ignored(syscall.SIGUSR1), signal.Ignored(syscall.SIGUSR2))
	raise(syscall.SIGUSR1)
	fmt.Println(nothing(d))
	signal.Notify(d, syscall.SIGUSR1)
	fmt.Println(signal.Ignored(syscall.SIGUSR1))
	raise(syscall.SIGUSR1)
	fmt.Println(next(d))

	// A channel without room loses signals, and delays nobody.
	e := make(chan os.Signal)
	signal.Notify(e, syscall.SIGUSR2)
	f := make(chan os.Signal, 1)
	signal.Notify(f, syscall.SIGUSR2)
	raise(syscall.SIGUSR2)
	fmt.Println(next(f))

	// All signals.
	g := make(chan os.Signal, 10)
	signal.Notify(g)
	raise(syscall.SIGWINCH)
	fmt.Println(next(g))
	signal.Stop(g)

	// A child's end.
	h := make(chan os.Signal, 1)
	signal.Notify(h, syscall.SIGCHLD)
	exec.Command("true").Run()
	fmt.Println(next(h))
	signal.Reset()

	// Contexts.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	fmt.Println(ctx)
	raise(syscall.SIGINT)
	<-ctx.Done()
	fmt.Println(ctx.Err(), context.Cause(ctx))
	stop()
	ctx, stop = signal.NotifyContext(context.Background(), os.Interrupt)
	stop()
	fmt.Println(ctx.Err(), context.Cause(ctx))

	// By default SIGTERM ends a program, also one that had asked for it.
	if len(os.Args) == 1 {
		for s := syscall.Signal(1); s < 32; s++ {
			fmt.Println(int(s), s)
		}
		fmt.Println(syscall.Signal(40), syscall.Signal(-1), os.Interrupt, os.Kill)
	}
	func() {
		defer func() { fmt.Println(recover()) }()
		signal.Notify(nil)
	}()
	signal.Notify(c, syscall.SIGTERM)
	signal.Stop(c)
	cmd := exec.Command("sleep", "100")
	cmd.Start()
	cmd.Process.Signal(syscall.SIGTERM)
	fmt.Println(cmd.Wait())
}
