package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

// A stack of buffers that is shared without a lock. Each buffer is known by its number.
const none = -1

type stack struct {
	top  atomic.Int64
	next [4]atomic.Int64
}

func newStack() *stack {
	s := new(stack)
	s.top.Store(none)
	for i := range s.next {
		s.push(int64(i))
	}
	return s
}

func (s *stack) push(i int64) {
	for {
		top := s.top.Load()
		s.next[i].Store(top)
		if s.top.CompareAndSwap(top, i) {
			return
		}
	}
}

func (s *stack) pop() int64 {
	for {
		top := s.top.Load()
		if top == none {
			return none
		}
		next := s.next[top].Load()
		if s.top.CompareAndSwap(top, next) {
			return top
		}
	}
}

func main() {
	s := newStack()
	var users [4]atomic.Int32
	take := func() int64 {
		i := s.pop()
		if i != none && users[i].Add(1) != 1 {
			panic(fmt.Sprint("buffer ", i, " has two users"))
		}
		return i
	}
	give := func(i int64) {
		if i != none {
			users[i].Add(-1)
			s.push(i)
		}
	}
	var kept [3]int64
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Go(func() {
			first, second := take(), take()
			give(first)
			kept[i] = second
		})
	}
	wg.Wait()
	for _, i := range kept {
		give(i)
	}
	n := 0
	for n <= len(s.next) && s.pop() != none {
		n++
	}
	fmt.Println(n, "buffers")
	if n != len(s.next) {
		panic("lost or doubled")
	}
}
