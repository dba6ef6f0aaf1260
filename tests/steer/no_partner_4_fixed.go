package main

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
)

// A hotel: each maid cleans the rooms of her floor, and the reception hears of each room once.
type room struct {
	mu    sync.Mutex
	clean bool
	bags  int
}

type hotel struct {
	rooms  []room
	bags   atomic.Int32
	report chan int
}

// Clean waits where somebody is in the room.
func (h *hotel) clean(floor []int) {
	for _, n := range floor {
		r := &h.rooms[n]
		r.mu.Lock()
		if !r.clean {
			r.clean = true
			h.report <- n
		}
		r.mu.Unlock()
	}
}

func (h *hotel) leaveBag(n int) {
	r := &h.rooms[n]
	r.mu.Lock()
	defer r.mu.Unlock()
	r.bags++
	h.bags.Add(1)
}

func main() {
	h := &hotel{rooms: make([]room, 4), report: make(chan int, 4)}
	go h.clean([]int{0, 1})
	go h.clean([]int{2, 3})
	for n := range h.rooms {
		go h.leaveBag(n)
	}
	var clean []int
	for range h.rooms {
		clean = append(clean, <-h.report)
	}
	slices.Sort(clean)
	fmt.Println(clean)
}
