package main

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
)

// A hub, where each user has one session, whatever the number of devices.
type hub struct {
	mu       sync.Mutex
	sessions map[string]context.CancelFunc
	running  atomic.Int32
}

func (h *hub) has(user string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	_, ok := h.sessions[user]
	return ok
}

func (h *hub) serve(ctx context.Context) {
	h.running.Add(1)
	<-ctx.Done()
	h.running.Add(-1)
}

func (h *hub) join(user string) {
	if h.has(user) {
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	go h.serve(ctx)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.sessions[user] = cancel
}

func (h *hub) close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for user, cancel := range h.sessions {
		cancel()
		delete(h.sessions, user)
	}
}

func main() {
	h := &hub{sessions: map[string]context.CancelFunc{}}
	var devices sync.WaitGroup
	for _, user := range []string{"ada", "ada", "bob"} {
		devices.Go(func() { h.join(user) })
	}
	devices.Wait()
	h.close()
	fmt.Println(len(h.sessions), "sessions")
}
