package main

import (
	"container/heap"
	"fmt"
)

// A bank with several tellers and one queue, as a simulation of discrete events:
// the events wait in a container/heap, customers who find the queue too long leave.

type kind int

const (
	arrival kind = iota
	departure
)

type event struct {
	at     int64
	kind   kind
	teller int
	serial int
}

type agenda []*event

func (a agenda) Len() int { return len(a) }
func (a agenda) Less(i, j int) bool {
	if a[i].at != a[j].at {
		return a[i].at < a[j].at
	}
	return a[i].serial < a[j].serial
}
func (a agenda) Swap(i, j int) { a[i], a[j] = a[j], a[i] }
func (a *agenda) Push(x any)   { *a = append(*a, x.(*event)) }
func (a *agenda) Pop() any {
	old := *a
	last := old[len(old)-1]
	old[len(old)-1] = nil
	*a = old[:len(old)-1]
	return last
}

type rng struct{ state uint64 }

func (r *rng) between(lo, hi int64) int64 {
	r.state ^= r.state << 13
	r.state ^= r.state >> 7
	r.state ^= r.state << 17
	return lo + int64(r.state%uint64(hi-lo+1))
}

type bank struct {
	agenda  agenda
	rng     rng
	serial  int
	idle    []int
	waiting []int64 // when the customers in the queue came
	served  int
	left    int
	waited  int64
	longest int
	busy    []int64
}

func (b *bank) schedule(at int64, k kind, teller int) {
	b.serial++
	heap.Push(&b.agenda, &event{at, k, teller, b.serial})
}

func (b *bank) serve(now, came int64) {
	teller := b.idle[len(b.idle)-1]
	b.idle = b.idle[:len(b.idle)-1]
	took := b.rng.between(40, 400)
	b.busy[teller] += took
	b.waited += now - came
	b.served++
	b.schedule(now+took, departure, teller)
}

func (b *bank) run(customers int) int64 {
	now := int64(0)
	b.schedule(0, arrival, 0)
	for len(b.agenda) > 0 {
		e := heap.Pop(&b.agenda).(*event)
		now = e.at
		switch e.kind {
		case arrival:
			if customers--; customers > 0 {
				b.schedule(now+b.rng.between(1, 46), arrival, 0)
			}
			if len(b.waiting) >= 60 {
				b.left++
			} else {
				b.waiting = append(b.waiting, now)
			}
		case departure:
			b.idle = append(b.idle, e.teller)
		}
		b.longest = max(b.longest, len(b.waiting))
		for len(b.idle) > 0 && len(b.waiting) > 0 {
			came := b.waiting[0]
			b.waiting = b.waiting[1:]
			b.serve(now, came)
		}
	}
	return now
}

func main() {
	for tellers := 8; tellers <= 11; tellers++ {
		b := &bank{rng: rng{88172645463325252}, busy: make([]int64, tellers)}
		for i := 0; i < tellers; i++ {
			b.idle = append(b.idle, i)
		}
		end := b.run(50000)
		fmt.Println(tellers, "tellers:", end, b.served, b.left, b.waited/int64(b.served), b.longest, b.busy[0])
	}
}
