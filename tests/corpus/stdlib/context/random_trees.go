// run

// Trees of contexts of all kinds, foreign ones among them, ended in random order: what each says then.
package main

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"math/rand"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

type key int

// opaque hides what its context is.
type opaque struct{ context.Context }

// named hides it and has a name.
type named struct{ context.Context }

func (named) String() string { return "named" }

// own has a channel and an error of its own.
type own struct {
	context.Context
	done chan struct{}
	mu   sync.Mutex
	err  error
}

func (o *own) Done() <-chan struct{} { return o.done }

func (o *own) Err() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err
}

func (o *own) end(err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err == nil {
		o.err = err
		close(o.done)
	}
}

// caller is an own that runs functions when it ends.
type caller struct {
	own
	funcs map[*func()]bool
}

func (c *caller) AfterFunc(f func()) (stop func() bool) {
	c.mu.Lock()
	c.funcs[&f] = true
	c.mu.Unlock()
	return func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		waited := c.funcs[&f]
		delete(c.funcs, &f)
		return waited
	}
}

func (c *caller) end(err error) {
	c.own.end(err)
	c.mu.Lock()
	funcs := c.funcs
	c.funcs = nil
	c.mu.Unlock()
	for f := range funcs {
		(*f)()
	}
}

type made struct {
	ctx    context.Context
	kind   string
	end    func(error)
	parent int
	stop   func() bool
	ran    *atomic.Int32
}

func over(c context.Context) bool {
	select {
	case <-c.Done():
		return true
	default:
		return false
	}
}

func round(seed int64) {
	r := rand.New(rand.NewSource(seed))
	all := []made{{ctx: context.Background(), kind: "background"}, {ctx: context.TODO(), kind: "todo"}}
	hour := time.Now().Add(time.Hour)
	for i := 0; i < 60; i++ {
		p := r.Intn(len(all))
		parent := all[p].ctx
		m := made{parent: p}
		switch k := r.Intn(15); k {
		case 0, 1:
			c, cancel := context.WithCancel(parent)
			m.ctx, m.kind, m.end = c, "cancel", func(error) { cancel() }
		case 2, 3:
			c, cancel := context.WithCancelCause(parent)
			m.ctx, m.kind, m.end = c, "cause", cancel
		case 4:
			c, cancel := context.WithDeadline(parent, hour.Add(time.Duration(r.Intn(100))*time.Second))
			m.ctx, m.kind, m.end = c, "deadline", func(error) { cancel() }
		case 5:
			if r.Intn(4) > 0 {
				continue
			}
			c, cancel := context.WithDeadlineCause(parent, time.Now().Add(-time.Second), fmt.Errorf("late %d", i))
			m.ctx, m.kind, m.end = c, "late", func(error) { cancel() }
		case 6:
			c, cancel := context.WithTimeoutCause(parent, time.Hour, fmt.Errorf("timeout %d", i))
			m.ctx, m.kind, m.end = c, "timeout", func(error) { cancel() }
		case 7, 8:
			m.ctx, m.kind = context.WithValue(parent, key(r.Intn(4)), i), "value"
		case 9:
			m.ctx, m.kind = context.WithoutCancel(parent), "without"
		case 10:
			m.ctx, m.kind = opaque{parent}, "opaque"
		case 11:
			m.ctx, m.kind = named{parent}, "named"
		case 12:
			o := &own{Context: parent, done: make(chan struct{})}
			m.ctx, m.kind, m.end = o, "own", o.end
		case 13:
			o := &caller{own: own{Context: parent, done: make(chan struct{})}, funcs: map[*func()]bool{}}
			m.ctx, m.kind, m.end = o, "caller", o.end
		case 14:
			ran := new(atomic.Int32)
			m.ctx, m.kind, m.ran = parent, "after", ran
			m.stop = context.AfterFunc(parent, func() { ran.Add(1) })
		}
		all = append(all, m)
	}
	say := func() string {
		time.Sleep(3 * time.Millisecond) // goroutines that watch foreign contexts
		var b strings.Builder
		for i, m := range all {
			if m.ran != nil {
				fmt.Fprintf(&b, "%d:%s<%d ran %d; ", i, m.kind, m.parent, m.ran.Load())
				continue
			}
			_, timed := m.ctx.Deadline()
			fmt.Fprintf(&b, "%d:%s<%d %v %v %v %v", i, m.kind, m.parent, over(m.ctx), m.ctx.Err(), context.Cause(m.ctx), timed)
			for k := range 4 {
				if v := m.ctx.Value(key(k)); v != nil {
					fmt.Fprintf(&b, " %d=%v", k, v)
				}
			}
			if s := fmt.Sprint(m.ctx); !strings.Contains(s, "WithDeadline") && !strings.Contains(s, "0x") {
				fmt.Fprintf(&b, " %s", s)
			}
			fmt.Fprintf(&b, " %T; ", m.ctx)
		}
		return b.String()
	}
	show := func(s string) {
		if seed > 1 {
			s = fmt.Sprintf("%08x", crc32.ChecksumIEEE([]byte(s)))
		}
		fmt.Println(s)
	}
	show(say())
	for i := range 10 {
		for {
			m := all[r.Intn(len(all))]
			if m.stop != nil {
				fmt.Print(m.stop(), " ")
				break
			}
			if m.end != nil {
				m.end(fmt.Errorf("end %d", i))
				break
			}
		}
		fmt.Print(i, " ")
		show(say())
	}
}

func main() {
	for seed := range int64(12) {
		round(seed)
	}
	for _, f := range []func(){
		func() { context.WithCancel(nil) },
		func() { context.WithValue(nil, 1, 2) },
		func() { context.WithValue(context.Background(), nil, 2) },
		func() { context.WithValue(context.Background(), []int{}, 2) },
		func() { context.WithoutCancel(nil) },
		func() { context.WithDeadline(nil, time.Time{}) },
		func() {
			o := &own{Context: context.Background(), done: make(chan struct{})}
			close(o.done)
			context.WithCancel(o)
		},
	} {
		func() {
			defer func() { fmt.Println(recover()) }()
			f()
		}()
	}

	// What waits finds the error when the channel is closed, at whatever depth.
	ctx, cancel := context.WithCancelCause(context.Background())
	var wg sync.WaitGroup
	var wrong atomic.Int32
	for i := range 50 {
		c := ctx
		for range i % 7 {
			c, _ = context.WithTimeout(context.WithValue(c, key(0), i), time.Hour)
		}
		wg.Add(1)
		go func() {
			defer wg.Done()
			<-c.Done()
			if c.Err() != context.Canceled || context.Cause(c).Error() != "why" {
				wrong.Add(1)
			}
		}()
	}
	cancel(errors.New("why"))
	wg.Wait()
	fmt.Println("wrong", wrong.Load())

	begin := time.Now()
	short, stop := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer stop()
	below, stop2 := context.WithCancel(short)
	defer stop2()
	<-below.Done()
	fmt.Println(below.Err(), short.Err(), errors.Is(context.Cause(below), context.DeadlineExceeded), time.Since(begin) >= 20*time.Millisecond)
	fmt.Println(strings.HasPrefix(fmt.Sprint(short), "context.Background.WithDeadline("), context.DeadlineExceeded.(interface{ Timeout() bool }).Timeout())
}
