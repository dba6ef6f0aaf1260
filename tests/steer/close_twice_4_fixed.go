package main

import (
	"errors"
	"fmt"
	"sync"
	"time"
)

// Calls that wait for their answers, each for as long as it is given.
type call struct {
	result string
	err    error
	done   chan struct{}
}

type client struct {
	mu    sync.Mutex
	calls map[int]*call
}

var errLate = errors.New("late")

func (c *client) finish(id int, result string, err error) {
	c.mu.Lock()
	call := c.calls[id]
	delete(c.calls, id)
	if call != nil {
		call.result, call.err = result, err
	}
	c.mu.Unlock()
	if call == nil {
		return
	}
	close(call.done)
}

func (c *client) error(call *call) error {
	<-call.done
	c.mu.Lock()
	defer c.mu.Unlock()
	return call.err
}

func (c *client) start(id int, patience time.Duration) *call {
	call := &call{done: make(chan struct{})}
	c.mu.Lock()
	c.calls[id] = call
	c.mu.Unlock()
	time.AfterFunc(patience, func() { c.finish(id, "", errLate) })
	return call
}

func main() {
	c := &client{calls: map[int]*call{}}
	for id := range 4 {
		call := c.start(id, 50*time.Millisecond)
		go c.finish(id, fmt.Sprint("answer ", id), nil)
		if err := c.error(call); err != nil && err != errLate {
			panic(err)
		}
	}
	fmt.Println("done")
}
