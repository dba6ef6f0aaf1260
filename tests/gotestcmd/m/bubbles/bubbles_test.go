package bubbles

import (
	"context"
	"errors"
	"iter"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func TestClock(t *testing.T) {
	begin := time.Now()
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		t.Log(start.UTC(), start.UnixNano())
		time.Sleep(24 * time.Hour)
		t.Log(time.Since(start), time.Until(start), time.Since(begin) < 0)
		ticker := time.NewTicker(time.Second)
		for range 3 {
			t.Log((<-ticker.C).Sub(start))
		}
		ticker.Reset(time.Minute)
		t.Log((<-ticker.C).Sub(start))
		ticker.Stop()
		timer := time.NewTimer(time.Hour)
		select {
		case <-timer.C:
			t.Error("too early")
		default:
		}
		t.Log(timer.Stop(), timer.Reset(0), (<-timer.C).Sub(start))
		called := 0
		time.AfterFunc(0, func() { called++ })
		synctest.Wait()
		time.AfterFunc(time.Second, func() { called++ })
		synctest.Sleep(time.Second)
		t.Log(called, time.Since(start))
		t.Cleanup(func() { t.Log("cleaning up", time.Since(start)) })
	})
	if time.Since(begin) > time.Minute {
		t.Error("that took as long as it says")
	}
}

func TestWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var order []string
		var mu sync.Mutex
		say := func(s string) {
			mu.Lock()
			defer mu.Unlock()
			order = append(order, s)
		}
		full := make(chan int, 1)
		go func() {
			full <- 1
			say("sent")
			full <- 2
			say("sent again")
		}()
		synctest.Wait()
		t.Log(order)
		<-full
		synctest.Wait()
		t.Log(order, len(full))

		cond := sync.NewCond(&mu)
		var wg sync.WaitGroup
		for range 5 {
			wg.Go(func() {
				mu.Lock()
				defer mu.Unlock()
				cond.Wait()
				order = append(order, "woken")
			})
		}
		synctest.Wait()
		cond.Signal()
		synctest.Wait()
		t.Log(order)
		cond.Broadcast()
		wg.Wait()
		t.Log(order)

		begin := time.Now()
		for i := range 10 {
			wg.Go(func() { time.Sleep(time.Duration(i) * time.Second) })
		}
		wg.Wait()
		t.Log(time.Since(begin))

		next, stop := iter.Pull(func(yield func(int) bool) {
			for i := 0; yield(i); i++ {
				time.Sleep(time.Minute)
			}
		})
		next()
		next()
		stop()
		t.Log(time.Since(begin))
	})
}

func TestContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cause := errors.New("too slow")
		ctx, cancel := context.WithTimeoutCause(t.Context(), 5*time.Second, cause)
		defer cancel()
		after := false
		context.AfterFunc(ctx, func() { after = true })
		synctest.Sleep(5*time.Second - 1)
		t.Log(ctx.Err(), after)
		synctest.Sleep(1)
		t.Log(ctx.Err(), context.Cause(ctx), after)
		deadline, _ := ctx.Deadline()
		t.Log(deadline.UTC())
	})
}

// What comes from outside is not waited for durably.
func TestOutside(t *testing.T) {
	ch := make(chan int)
	begin := time.Now()
	time.AfterFunc(20*time.Millisecond, func() { ch <- 1 })
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		go func() { time.Sleep(time.Hour) }()
		inside := make(chan int)
		select {
		case <-ch:
		case <-inside:
		}
		t.Log(time.Since(start))
		time.Sleep(time.Hour)
	})
	if time.Since(begin) < 20*time.Millisecond {
		t.Error("too early")
	}
}

func TestSkipped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { t.Skip("no time") })
	t.Log("but this")
}

func TestFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		t.Error("one")
		t.Fatal("two")
	})
	t.Log("not reached")
}

func panics(t *testing.T, f func()) {
	defer func() { t.Log(recover()) }()
	f()
}

func TestRefused(t *testing.T) {
	panics(t, synctest.Wait)
	synctest.Test(t, func(t *testing.T) {
		panics(t, func() { t.Run("sub", func(*testing.T) {}) })
		panics(t, func() { t.Parallel() })
		panics(t, func() { t.Deadline() })
		panics(t, func() { synctest.Test(t, func(*testing.T) {}) })
		said := make(chan any, 2)
		for range 2 {
			go func() {
				defer func() { said <- recover() }()
				time.Sleep(1)
				synctest.Wait()
			}()
		}
		first, second := <-said, <-said
		t.Log(first, second)
	})
	panics(t, func() {
		synctest.Test(t, func(t *testing.T) { <-make(chan int) })
	})
}

// ---- What ends the program.

func TestInCleanup(t *testing.T) {
	t.Cleanup(func() { synctest.Test(t, func(*testing.T) {}) })
}

func TestDeadlock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		go func() { select {} }()
		var wg sync.WaitGroup
		wg.Add(1)
		wg.Wait()
	})
}

func TestLeftBehind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ch := make(chan int)
		go func() { ch <- 1 }()
		go func() {
			for {
				time.Sleep(time.Hour)
			}
		}()
	})
}

// inBubble is what belongs to a bubble.
type inBubble struct {
	ch    chan int
	timer *time.Timer
	wg    sync.WaitGroup
	cond  *sync.Cond
}

// moves has f use what belongs to a bubble from outside.
func moves(t *testing.T, f func(b *inBubble)) {
	b := &inBubble{cond: sync.NewCond(new(sync.Mutex))}
	inside, outside := make(chan int), make(chan int)
	go func() {
		<-inside
		f(b)
		close(outside)
	}()
	synctest.Test(t, func(t *testing.T) {
		b.ch = make(chan int, 1)
		b.timer = time.NewTimer(time.Hour)
		b.wg.Add(1)
		go func() {
			b.cond.L.Lock()
			b.cond.Wait()
		}()
		time.Sleep(1)
		close(inside)
		<-outside
	})
}

func TestSendOutside(t *testing.T) {
	moves(t, func(b *inBubble) { b.ch <- 1 })
}

func TestReceiveOutside(t *testing.T) {
	moves(t, func(b *inBubble) { <-b.ch })
}

func TestCloseOutside(t *testing.T) {
	moves(t, func(b *inBubble) { close(b.ch) })
}

func TestSelectOutside(t *testing.T) {
	moves(t, func(b *inBubble) {
		select {
		case <-b.ch:
		case b.ch <- 1:
		}
	})
}

func TestStopOutside(t *testing.T) {
	moves(t, func(b *inBubble) { b.timer.Stop() })
}

func TestResetOutside(t *testing.T) {
	moves(t, func(b *inBubble) { b.timer.Reset(1) })
}

func TestAddOutside(t *testing.T) {
	moves(t, func(b *inBubble) { b.wg.Add(1) })
}

func TestSignalOutside(t *testing.T) {
	moves(t, func(b *inBubble) { b.cond.Signal() })
}

func TestReceiveOrNotOutside(t *testing.T) {
	moves(t, func(b *inBubble) {
		select {
		case <-b.ch:
		default:
		}
	})
}

func TestSendOrNotOutside(t *testing.T) {
	moves(t, func(b *inBubble) {
		select {
		case b.ch <- 1:
		default:
		}
	})
}
