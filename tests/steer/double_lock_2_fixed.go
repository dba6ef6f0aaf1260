package main

import (
	"errors"
	"fmt"
	"strings"
	"sync"
)

// Connections that are lent and given back.
type pool struct {
	sync.Mutex
	idle []string
	lent map[string]int
}

var errBusy = errors.New("busy")

func (p *pool) borrow(who int) (string, error) {
	p.Lock()
	defer p.Unlock()
	if len(p.idle) == 0 {
		return "", fmt.Errorf("%w: %v", errBusy, p.who())
	}
	last := len(p.idle) - 1
	name := p.idle[last]
	p.idle = p.idle[:last]
	p.lent[name] = who
	return name, nil
}

func (p *pool) back(name string) {
	p.Lock()
	defer p.Unlock()
	delete(p.lent, name)
	p.idle = append(p.idle, name)
}

func (p *pool) String() string {
	p.Lock()
	defer p.Unlock()
	return p.who()
}

// The caller holds the lock.
func (p *pool) who() string {
	var s strings.Builder
	for name, who := range p.lent {
		fmt.Fprintf(&s, "%s→%d ", name, who)
	}
	return s.String()
}

func main() {
	p := &pool{idle: []string{"red", "blue"}, lent: map[string]int{}}
	answers := make(chan error)
	for i := range 4 {
		go func() {
			c, err := p.borrow(i)
			if err == nil {
				p.back(c)
			}
			answers <- err
		}()
	}
	for range 4 {
		if err := <-answers; err != nil && !errors.Is(err, errBusy) {
			panic(err)
		}
	}
	fmt.Printf("lent now: %q\n", p)
}
