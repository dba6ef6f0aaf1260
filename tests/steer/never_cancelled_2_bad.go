package main

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// A question for one server, and after a while for the next one too.
type server struct{ name string }

func (s server) answer(question string) string {
	time.Sleep(time.Millisecond)
	return question + " " + s.name
}

type askerKey struct{}

func query(ctx context.Context, s server, question string, answers chan<- string) {
	select {
	case answers <- s.answer(question):
	case <-ctx.Done():
	}
}

func ask(ctx context.Context, servers []server, question string) string {
	ctx = context.WithValue(ctx, askerKey{}, "main")
	answers := make(chan string)
	slow := time.NewTimer(50 * time.Millisecond)
	defer slow.Stop()
	go query(ctx, servers[0], question, answers)
	for next := 1; ; {
		select {
		case a := <-answers:
			return a
		case <-slow.C:
			if next < len(servers) {
				go query(ctx, servers[next], question, answers)
				next++
				slow.Reset(50 * time.Millisecond)
			}
		}
	}
}

func main() {
	servers := []server{{"north"}, {"south"}}
	var wg sync.WaitGroup
	var answered atomic.Int32
	for _, q := range []string{"where", "when", "why"} {
		wg.Go(func() {
			if ask(context.Background(), servers, q) != "" {
				answered.Add(1)
			}
		})
	}
	wg.Wait()
	fmt.Println(answered.Load(), "answers")
}
