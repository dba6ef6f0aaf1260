// run

// A rate limiter, a barrier, subscriptions, timers.
package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

type Limiter struct {
	tokens chan struct{}
	stop   chan struct{}
	once   sync.Once
}

func NewLimiter(n int, every time.Duration) *Limiter {
	l := &Limiter{tokens: make(chan struct{}, n), stop: make(chan struct{})}
	for range n {
		l.tokens <- struct{}{}
	}
	go func() {
		t := time.NewTicker(every)
		defer t.Stop()
		for {
			select {
			case <-t.C:
				select {
				case l.tokens <- struct{}{}:
				default:
				}
			case <-l.stop:
				return
			}
		}
	}()
	return l
}

func (l *Limiter) Close() { l.once.Do(func() { close(l.stop) }) }

type Barrier struct {
	mu   sync.Mutex
	cond *sync.Cond
	n, k int
	gen  int
}

func NewBarrier(n int) *Barrier {
	b := &Barrier{n: n}
	b.cond = sync.NewCond(&b.mu)
	return b
}

func (b *Barrier) Wait() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	gen := b.gen
	if b.k++; b.k == b.n {
		b.k = 0
		b.gen++
		b.cond.Broadcast()
		return gen
	}
	for gen == b.gen {
		b.cond.Wait()
	}
	return gen
}

type Event[T any] struct {
	mu   sync.Mutex
	subs map[int]chan<- T
	next int
}

func (e *Event[T]) Subscribe(buf int) (<-chan T, func()) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.subs == nil {
		e.subs = map[int]chan<- T{}
	}
	id := e.next
	e.next++
	c := make(chan T, buf)
	e.subs[id] = c
	return c, sync.OnceFunc(func() {
		e.mu.Lock()
		defer e.mu.Unlock()
		delete(e.subs, id)
		close(c)
	})
}

func (e *Event[T]) Publish(v T) (delivered int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, c := range e.subs {
		select {
		case c <- v:
			delivered++
		default:
		}
	}
	return
}

func main() {
	l := NewLimiter(3, 2*time.Millisecond)
	defer l.Close()
	start := time.Now()
	for range 10 {
		<-l.tokens
	}
	fmt.Println(time.Since(start) > 8*time.Millisecond)
	b := NewBarrier(4)
	var order [3]atomic.Int32
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for r := range 3 {
				order[r].Add(1)
				b.Wait()
				if order[r].Load() != 4 {
					fmt.Println("barrier broken", r)
				}
			}
		})
	}
	wg.Wait()
	var ev Event[string]
	c1, cancel1 := ev.Subscribe(2)
	c2, cancel2 := ev.Subscribe(1)
	fmt.Println(ev.Publish("a"), ev.Publish("b"))
	cancel2()
	cancel2()
	fmt.Println(ev.Publish("c"), <-c1, <-c1)
	cancel1()
	v, ok := <-c1
	w, ok2 := <-c2
	fmt.Printf("%q %v %q %v\n", v, ok, w, ok2)
	var m sync.Map
	for i := range 5 {
		m.Store(i, strings.Repeat("*", i))
	}
	act, loaded := m.LoadOrStore(3, "new")
	fmt.Println(act, loaded)
	m.CompareAndSwap(2, "**", "two")
	m.Delete(4)
	n := 0
	m.Range(func(k, v any) bool { n += len(v.(string)); return true })
	fmt.Println(n)
	pool := sync.Pool{New: func() any { return new(strings.Builder) }}
	sb := pool.Get().(*strings.Builder)
	sb.WriteString("pooled")
	fmt.Println(sb.String())
	pool.Put(sb)
	r := rand.New(rand.NewPCG(1, 2))
	fmt.Println(r.IntN(100), r.IntN(100), r.Perm(4), r.Float64() < 1)
	var total atomic.Int64
	errs := make(chan error, 4)
	for g := range 4 {
		go func() {
			for i := range 1000 {
				total.Add(int64(i % (g + 1)))
			}
			if g == 2 {
				errs <- fmt.Errorf("worker %d failed", g)
				return
			}
			errs <- nil
		}()
	}
	for range 4 {
		if err := <-errs; err != nil {
			fmt.Println(err)
		}
	}
	fmt.Println(total.Load())
	timer := time.NewTimer(time.Hour)
	fmt.Println(timer.Stop(), timer.Reset(time.Millisecond))
	<-timer.C
	done := make(chan string)
	time.AfterFunc(time.Millisecond, func() { done <- "fired" })
	fmt.Println(<-done)
	var nilch chan int
	select {
	case v := <-nilch:
		fmt.Println(v)
	case <-time.After(3 * time.Millisecond):
		fmt.Println("nil channel blocks")
	}
	sem := make(chan int, 2)
	var peak, cur atomic.Int32
	for range 10 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			sem <- 1
			defer func() { <-sem }()
			c := cur.Add(1)
			for {
				p := peak.Load()
				if c <= p || peak.CompareAndSwap(p, c) {
					break
				}
			}
			time.Sleep(time.Millisecond)
			cur.Add(-1)
		}()
	}
	wg.Wait()
	fmt.Println(peak.Load())
	defer os.Exit(0)
	defer fmt.Println("last")
}
