package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// A pool of connections. A request that takes too long has its connection closed.
type conn struct{ closed atomic.Bool }

var errClosed = errors.New("closed")

func (c *conn) send(n int) (int, error) {
	if c.closed.Load() {
		return 0, errClosed
	}
	return 2 * n, nil
}

type pool struct{ idle chan *conn }

func newPool(size int) *pool {
	p := &pool{idle: make(chan *conn, size)}
	for range size {
		p.idle <- new(conn)
	}
	return p
}

func (p *pool) request(ctx context.Context, n int) (int, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	c := <-p.idle
	if c.closed.Load() {
		panic("a closed connection in the pool")
	}
	stop := context.AfterFunc(ctx, func() { c.closed.Store(true) })
	reply, err := c.send(n)
	stop()
	if err != nil {
		p.idle <- new(conn)
		return 0, err
	}
	p.idle <- c
	return reply, nil
}

func main() {
	p := newPool(2)
	var wg sync.WaitGroup
	var good atomic.Int32
	for i := range 6 {
		wg.Go(func() {
			if _, err := p.request(context.Background(), i); err == nil {
				good.Add(1)
			}
		})
	}
	wg.Wait()
	fmt.Println(good.Load(), "replies")
}
