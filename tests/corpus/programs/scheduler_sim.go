// run

// Simulations: an elevator, a bank with queues by events, elections and dining philosophers.
package main

import (
	"container/heap"
	"container/ring"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

type event struct {
	at  time.Duration
	seq int
	do  func()
}

type agenda struct {
	now    time.Duration
	seq    int
	events []*event
}

func (a *agenda) Len() int { return len(a.events) }
func (a *agenda) Less(i, j int) bool {
	x, y := a.events[i], a.events[j]
	return x.at < y.at || x.at == y.at && x.seq < y.seq
}
func (a *agenda) Swap(i, j int) { a.events[i], a.events[j] = a.events[j], a.events[i] }
func (a *agenda) Push(x any)    { a.events = append(a.events, x.(*event)) }
func (a *agenda) Pop() any {
	n := len(a.events) - 1
	e := a.events[n]
	a.events = a.events[:n]
	return e
}

func (a *agenda) after(d time.Duration, f func()) {
	a.seq++
	heap.Push(a, &event{a.now + d, a.seq, f})
}

func (a *agenda) run(until time.Duration) (n int) {
	for a.Len() > 0 && a.events[0].at <= until {
		e := heap.Pop(a).(*event)
		a.now = e.at
		e.do()
		n++
	}
	return n
}

func bank(tellers int, r *rand.Rand) string {
	var a agenda
	free := tellers
	var queue []time.Duration
	var served int
	var waited, longest time.Duration
	var serve func(arrived time.Duration)
	serve = func(arrived time.Duration) {
		free--
		w := a.now - arrived
		waited += w
		longest = max(longest, w)
		a.after(time.Duration(r.ExpFloat64()*float64(4*time.Minute)), func() {
			free++
			served++
			if len(queue) > 0 {
				next := queue[0]
				queue = queue[1:]
				serve(next)
			}
		})
	}
	var arrive func()
	arrive = func() {
		if free > 0 {
			serve(a.now)
		} else {
			queue = append(queue, a.now)
		}
		a.after(time.Duration(r.ExpFloat64()*float64(90*time.Second)), arrive)
	}
	a.after(0, arrive)
	n := a.run(8 * time.Hour)
	return fmt.Sprintf("%d tellers: %d events, %d served, mean wait %v, longest %v, left %d",
		tellers, n, served,
		(waited / time.Duration(max(served, 1))).Round(time.Second), longest.Round(time.Second),
		len(queue))
}

type lift struct {
	floor, dir int
	stops      [10]bool
	log        strings.Builder
}

func (l *lift) step() bool {
	if l.stops[l.floor] {
		l.stops[l.floor] = false
		fmt.Fprintf(&l.log, "[%d]", l.floor)
	}
	ahead := func(d int) bool {
		for f := l.floor + d; f >= 0 && f < len(l.stops); f += d {
			if l.stops[f] {
				return true
			}
		}
		return false
	}
	switch {
	case l.dir != 0 && ahead(l.dir):
	case ahead(1):
		l.dir = 1
	case ahead(-1):
		l.dir = -1
	default:
		l.dir = 0
		return false
	}
	l.floor += l.dir
	l.log.WriteByte("v ^"[l.dir+1])
	return true
}

func josephus(n, k int) (order []int) {
	r := ring.New(n)
	for i := range n {
		r.Value = i + 1
		r = r.Next()
	}
	r = r.Prev()
	for n > 0 {
		r = r.Move(k - 1)
		order = append(order, r.Unlink(1).Value.(int))
		n--
	}
	return order
}

type fork struct{ sync.Mutex }

func philosophers(n, meals int) (eaten int64) {
	forks := make([]fork, n)
	waiter := make(chan struct{}, n-1)
	var total atomic.Int64
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			for range meals {
				waiter <- struct{}{}
				l, r := &forks[i], &forks[(i+1)%n]
				l.Lock()
				r.Lock()
				total.Add(1)
				r.Unlock()
				l.Unlock()
				<-waiter
			}
		})
	}
	wg.Wait()
	return total.Load()
}

// barbershop: a shop with chairs, by a condition variable.
type shop struct {
	mu      sync.Mutex
	changed *sync.Cond
	waiting int
	chairs  int
	closed  bool
	cut     int
}

func (s *shop) barber(wg *sync.WaitGroup) {
	defer wg.Done()
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		for s.waiting == 0 && !s.closed {
			s.changed.Wait()
		}
		if s.waiting == 0 {
			return
		}
		s.waiting--
		s.cut++
		s.changed.Broadcast()
	}
}

func (s *shop) enter() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.waiting == s.chairs {
		s.changed.Wait()
	}
	s.waiting++
	s.changed.Signal()
	return true
}

func life(rows []string, steps int) []string {
	for range steps {
		next := make([]string, len(rows))
		for y := range rows {
			var b strings.Builder
			for x := range rows[y] {
				n := 0
				for dy := -1; dy <= 1; dy++ {
					for dx := -1; dx <= 1; dx++ {
						yy, xx := (y+dy+len(rows))%len(rows), (x+dx+len(rows[y]))%len(rows[y])
						if (dx != 0 || dy != 0) && rows[yy][xx] == '#' {
							n++
						}
					}
				}
				if n == 3 || n == 2 && rows[y][x] == '#' {
					b.WriteByte('#')
				} else {
					b.WriteByte('.')
				}
			}
			next[y] = b.String()
		}
		rows = next
	}
	return rows
}

func main() {
	for t := 1; t <= 4; t++ {
		fmt.Println(bank(t, rand.New(rand.NewPCG(9, uint64(t)))))
	}
	l := &lift{floor: 3}
	for i, calls := range [][]int{{7, 1}, {}, {5}, {9, 0}, {3}} {
		for _, c := range calls {
			l.stops[c] = true
		}
		for n := 0; n < 4+i && l.step(); n++ {
		}
	}
	for l.step() {
	}
	fmt.Println(l.log.String())
	fmt.Println(josephus(12, 3), philosophers(5, 200))
	s := &shop{chairs: 3}
	s.changed = sync.NewCond(&s.mu)
	var barbers, customers sync.WaitGroup
	for range 2 {
		barbers.Add(1)
		go s.barber(&barbers)
	}
	for range 100 {
		customers.Go(func() { s.enter() })
	}
	customers.Wait()
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.changed.Broadcast()
	barbers.Wait()
	fmt.Println(s.cut, s.waiting)
	glider := []string{".#......", "..#.....", "###.....", "........", "........", "........",
		"........", "........"}
	fmt.Println(strings.Join(life(glider, 12), "\n"))
	fmt.Println(strings.Join(life(glider, 32), "\n") == strings.Join(glider, "\n"))
}
