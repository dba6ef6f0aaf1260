// run

// Events with typed subscribers, a worker pool with limits, retries with backoff, and a rate limiter.
package main

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

type Bus struct {
	mu     sync.RWMutex
	subs   map[reflect.Type][]*subscription
	nextID int
}

type subscription struct {
	id int
	f  func(any)
}

func Subscribe[E any](b *Bus, f func(E)) (cancel func()) {
	t := reflect.TypeFor[E]()
	b.mu.Lock()
	defer b.mu.Unlock()
	b.nextID++
	s := &subscription{b.nextID, func(e any) { f(e.(E)) }}
	if b.subs == nil {
		b.subs = map[reflect.Type][]*subscription{}
	}
	b.subs[t] = append(b.subs[t], s)
	return sync.OnceFunc(func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.subs[t] = slices.DeleteFunc(b.subs[t], func(o *subscription) bool { return o == s })
	})
}

// Publish calls those who wait for the type, or for an interface that it has.
func Publish[E any](b *Bus, e E) (n int) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	t := reflect.TypeOf(e)
	var found []*subscription
	for want, subs := range b.subs {
		if want == t || want.Kind() == reflect.Interface && t.Implements(want) {
			found = append(found, subs...)
		}
	}
	slices.SortFunc(found, func(a, b *subscription) int { return a.id - b.id })
	for _, s := range found {
		s.f(e)
	}
	return len(found)
}

type OrderPlaced struct{ ID, Total int }
type OrderShipped struct{ ID int }

func (o OrderPlaced) String() string { return fmt.Sprintf("order %d placed for %d", o.ID, o.Total) }

// Group runs functions, as many at a time as it has slots, and keeps the first error.
type Group struct {
	slots  chan struct{}
	first  chan error
	cancel context.CancelCauseFunc
}

func NewGroup(ctx context.Context, limit int) (*Group, context.Context) {
	ctx, cancel := context.WithCancelCause(ctx)
	return &Group{make(chan struct{}, limit), make(chan error, 1), cancel}, ctx
}

func (g *Group) Go(f func() error) {
	g.slots <- struct{}{}
	go func() {
		err := f()
		if err != nil {
			select {
			case g.first <- err:
				g.cancel(err)
			default:
			}
		}
		<-g.slots
	}()
}

// Wait takes all slots: then nothing runs.
func (g *Group) Wait() (err error) {
	for range cap(g.slots) {
		g.slots <- struct{}{}
	}
	g.cancel(nil)
	select {
	case err = <-g.first:
	default:
	}
	return err
}

type temporary struct{ error }

func Retry(ctx context.Context, attempts int, sleep func(time.Duration), f func() error) error {
	var errs []error
	for i := range attempts {
		err := f()
		if err == nil {
			return nil
		}
		errs = append(errs, fmt.Errorf("attempt %d: %w", i+1, err))
		if !errors.As(err, new(temporary)) || ctx.Err() != nil {
			break
		}
		sleep(10 * time.Millisecond << i)
	}
	return errors.Join(errs...)
}

// Limiter is a bucket of tokens, by a clock of its own.
type Limiter struct {
	rate, burst, tokens float64
	last                time.Time
}

func (l *Limiter) Allow(now time.Time) bool {
	l.tokens = min(l.burst, l.tokens+now.Sub(l.last).Seconds()*l.rate)
	l.last = now
	if l.tokens < 1 {
		return false
	}
	l.tokens--
	return true
}

func main() {
	var bus Bus
	var seen []string
	cancel := Subscribe(&bus, func(o OrderPlaced) {
		seen = append(seen, fmt.Sprint("billing ",
			o.Total))
	})
	Subscribe(&bus, func(s fmt.Stringer) { seen = append(seen, "log: "+s.String()) })
	Subscribe(&bus, func(OrderShipped) { seen = append(seen, "shipped") })
	fmt.Println(Publish(&bus, OrderPlaced{1, 50}), Publish(&bus, OrderShipped{1}), Publish(&bus,
		"text"))
	cancel()
	cancel()
	fmt.Println(Publish(&bus, OrderPlaced{2, 70}), Publish(&bus, time.Second))
	fmt.Println(seen)

	var running, most atomic.Int32
	g, _ := NewGroup(context.Background(), 3)
	var sum atomic.Int64
	for i := range 30 {
		g.Go(func() error {
			n := running.Add(1)
			for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
			}
			time.Sleep(time.Millisecond)
			running.Add(-1)
			sum.Add(int64(i))
			return nil
		})
	}
	fmt.Println(g.Wait(), sum.Load(), most.Load() <= 3)
	g, ctx := NewGroup(context.Background(), 5)
	boom := errors.New("boom")
	var stopped atomic.Int32
	for i := range 5 {
		g.Go(func() error {
			if i == 2 {
				return boom
			}
			<-ctx.Done()
			stopped.Add(1)
			return ctx.Err()
		})
	}
	fmt.Println(g.Wait() == boom, stopped.Load(), context.Cause(ctx))

	var slept []time.Duration
	n := 0
	err := Retry(context.Background(), 5, func(d time.Duration) { slept = append(slept, d) },
		func() error {
			if n++; n < 4 {
				return temporary{fmt.Errorf("failure %d", n)}
			}
			return nil
		})
	fmt.Println(err, n, slept)
	err = Retry(context.Background(), 3, func(time.Duration) {},
		func() error { return temporary{boom} })
	fmt.Println(err)
	err = Retry(context.Background(), 3, func(time.Duration) {}, func() error { return boom })
	fmt.Println(err, errors.Is(err, boom))

	now := time.Unix(0, 0)
	l := &Limiter{rate: 2, burst: 3, tokens: 3, last: now}
	allowed := ""
	for range 20 {
		if l.Allow(now) {
			allowed += "+"
		} else {
			allowed += "."
		}
		now = now.Add(200 * time.Millisecond)
	}
	fmt.Println(allowed)

	timeout, cancelT := context.WithTimeoutCause(context.Background(), time.Millisecond,
		errors.New("too slow"))
	defer cancelT()
	<-timeout.Done()
	fmt.Println(timeout.Err(), context.Cause(timeout))
	after := make(chan bool)
	stop := context.AfterFunc(timeout, func() { close(after) })
	<-after
	fmt.Println(stop(), context.WithoutCancel(timeout).Err())
}
