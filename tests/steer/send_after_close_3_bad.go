package main

import (
	"fmt"
	"time"
)

// A pulse that beats until it is stopped, and the one who counts the beats.
type pulse struct {
	beats chan int
	stop  chan struct{}
	ended chan struct{}
}

func start(every time.Duration) *pulse {
	p := &pulse{beats: make(chan int, 16), stop: make(chan struct{}), ended: make(chan struct{})}
	ticker := time.NewTicker(every)
	go func() {
		defer close(p.ended)
		defer ticker.Stop()
		for n := 1; n <= 16; n++ {
			select {
			case <-ticker.C:
				p.beats <- n
			case <-p.stop:
				return
			}
		}
	}()
	return p
}

func (p *pulse) end() {
	close(p.stop)
	close(p.beats)
}

// Count hears so many beats, and those that come before it is quiet.
func (p *pulse) count(most int) int {
	last := 0
	for n := range p.beats {
		if n != last+1 {
			panic("a beat is missing")
		}
		last = n
		if n == most {
			p.end()
		}
	}
	<-p.ended
	return last
}

func main() {
	for most := 1; most <= 4; most++ {
		p := start(2 * time.Millisecond)
		fmt.Println(p.count(most) >= most)
	}
}
