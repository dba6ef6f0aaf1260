// Package context: cancellation, deadlines and values that travel down a tree of calls and goroutines.
package context

import (
	"errors"
	"sync"
	"sync/atomic"
	"time"
)

type Context interface {
	Deadline() (deadline time.Time, ok bool)
	Done() <-chan struct{}
	Err() error
	Value(key any) any
}

type CancelFunc func()
type CancelCauseFunc func(cause error)

var Canceled = errors.New("context canceled")

var DeadlineExceeded error = deadlineExceededError{}

type deadlineExceededError struct{}

func (deadlineExceededError) Error() string   { return "context deadline exceeded" }
func (deadlineExceededError) Timeout() bool   { return true }
func (deadlineExceededError) Temporary() bool { return true }

type emptyCtx struct{}

func (emptyCtx) Deadline() (deadline time.Time, ok bool) { return }
func (emptyCtx) Done() <-chan struct{}                   { return nil }
func (emptyCtx) Err() error                              { return nil }
func (emptyCtx) Value(key any) any                       { return nil }

type backgroundCtx struct{ emptyCtx }

func (backgroundCtx) String() string { return "context.Background" }

type todoCtx struct{ emptyCtx }

func (todoCtx) String() string { return "context.TODO" }

func Background() Context { return backgroundCtx{} }
func TODO() Context       { return todoCtx{} }

// selfKey asks a context for the nearest cancelCtx above it.
var selfKey int

// canceler is what a cancelCtx has below it.
type canceler interface {
	cancel(detach bool, err, cause error)
	Done() <-chan struct{}
}

type cancelCtx struct {
	Context // the parent

	mu       sync.Mutex
	done     atomic.Value // chan struct{}, made when first asked for, closed by the first cancel
	children map[canceler]struct{}
	err      error
	cause    error
}

func (c *cancelCtx) Value(key any) any {
	if key == &selfKey {
		return c
	}
	return lookup(c.Context, key)
}

func (c *cancelCtx) Done() <-chan struct{} {
	if d := c.done.Load(); d != nil {
		return d.(chan struct{})
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	d := c.done.Load()
	if d == nil {
		d = make(chan struct{})
		c.done.Store(d)
	}
	return d.(chan struct{})
}

func (c *cancelCtx) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

func (c *cancelCtx) String() string { return describe(c.Context) + ".WithCancel" }

// closedDone is the done channel of those canceled before anyone asked for theirs.
var closedDone = func() chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}()

func (c *cancelCtx) cancel(detach bool, err, cause error) {
	if cause == nil {
		cause = err
	}
	c.mu.Lock()
	if c.err != nil {
		c.mu.Unlock()
		return
	}
	c.err, c.cause = err, cause
	if d, ok := c.done.Load().(chan struct{}); ok {
		close(d)
	} else {
		c.done.Store(closedDone)
	}
	for child := range c.children {
		child.cancel(false, err, cause)
	}
	c.children = nil
	c.mu.Unlock()
	if detach {
		removeChild(c.Context, c)
	}
}

// attach arranges that child is canceled when parent is.
func (c *cancelCtx) attach(parent Context, child canceler) {
	c.Context = parent
	done := parent.Done()
	if done == nil {
		return // never canceled
	}
	select {
	case <-done:
		child.cancel(false, parent.Err(), Cause(parent))
		return
	default:
	}
	if p, ok := cancelCtxOf(parent); ok {
		p.mu.Lock()
		if p.err != nil {
			child.cancel(false, p.err, p.cause)
		} else {
			if p.children == nil {
				p.children = make(map[canceler]struct{})
			}
			p.children[child] = struct{}{}
		}
		p.mu.Unlock()
		return
	}
	if a, ok := parent.(interface{ AfterFunc(func()) func() bool }); ok {
		stop := a.AfterFunc(func() { child.cancel(false, parent.Err(), Cause(parent)) })
		c.mu.Lock()
		c.Context = stopCtx{parent, stop}
		c.mu.Unlock()
		return
	}
	go func() {
		select {
		case <-done:
			child.cancel(false, parent.Err(), Cause(parent))
		case <-child.Done():
		}
	}()
}

// stopCtx is a parent with an AfterFunc of its own, and how to take back ours.
type stopCtx struct {
	Context
	stop func() bool
}

// cancelCtxOf finds the cancelCtx whose Done channel parent has, if it is one of ours.
func cancelCtxOf(parent Context) (*cancelCtx, bool) {
	done := parent.Done()
	if done == closedDone || done == nil {
		return nil, false
	}
	p, ok := parent.Value(&selfKey).(*cancelCtx)
	if !ok {
		return nil, false
	}
	if d, _ := p.done.Load().(chan struct{}); d != done {
		return nil, false
	}
	return p, true
}

func removeChild(parent Context, child canceler) {
	if s, ok := parent.(stopCtx); ok {
		s.stop()
		return
	}
	if p, ok := cancelCtxOf(parent); ok {
		p.mu.Lock()
		delete(p.children, child)
		p.mu.Unlock()
	}
}

func newCancel(parent Context) *cancelCtx {
	if parent == nil {
		panic("cannot create context from nil parent")
	}
	c := &cancelCtx{}
	c.attach(parent, c)
	return c
}

func WithCancel(parent Context) (ctx Context, cancel CancelFunc) {
	c := newCancel(parent)
	return c, func() { c.cancel(true, Canceled, nil) }
}

func WithCancelCause(parent Context) (ctx Context, cancel CancelCauseFunc) {
	c := newCancel(parent)
	return c, func(cause error) { c.cancel(true, Canceled, cause) }
}

func Cause(c Context) error {
	if own, ok := c.Value(&selfKey).(*cancelCtx); ok {
		own.mu.Lock()
		cause := own.cause
		own.mu.Unlock()
		if cause != nil {
			return cause
		}
	}
	return c.Err()
}

type timerCtx struct {
	cancelCtx
	timer    *time.Timer // under mu
	deadline time.Time
}

func (c *timerCtx) Deadline() (deadline time.Time, ok bool) { return c.deadline, true }

func (c *timerCtx) String() string {
	return describe(c.cancelCtx.Context) + ".WithDeadline(" + c.deadline.String() + " [" + time.Until(c.deadline).String() + "])"
}

func (c *timerCtx) cancel(detach bool, err, cause error) {
	c.cancelCtx.cancel(false, err, cause)
	if detach {
		removeChild(c.cancelCtx.Context, c)
	}
	c.mu.Lock()
	if c.timer != nil {
		c.timer.Stop()
		c.timer = nil
	}
	c.mu.Unlock()
}

func WithDeadline(parent Context, d time.Time) (Context, CancelFunc) {
	return WithDeadlineCause(parent, d, nil)
}

func WithDeadlineCause(parent Context, d time.Time, cause error) (Context, CancelFunc) {
	if parent == nil {
		panic("cannot create context from nil parent")
	}
	if earlier, ok := parent.Deadline(); ok && earlier.Before(d) {
		return WithCancel(parent)
	}
	c := &timerCtx{deadline: d}
	c.attach(parent, c)
	left := time.Until(d)
	if left <= 0 {
		c.cancel(true, DeadlineExceeded, cause)
		return c, func() { c.cancel(false, Canceled, nil) }
	}
	c.mu.Lock()
	if c.err == nil {
		c.timer = time.AfterFunc(left, func() { c.cancel(true, DeadlineExceeded, cause) })
	}
	c.mu.Unlock()
	return c, func() { c.cancel(true, Canceled, nil) }
}

func WithTimeout(parent Context, timeout time.Duration) (Context, CancelFunc) {
	return WithDeadline(parent, time.Now().Add(timeout))
}

func WithTimeoutCause(parent Context, timeout time.Duration, cause error) (Context, CancelFunc) {
	return WithDeadlineCause(parent, time.Now().Add(timeout), cause)
}

type afterFuncCtx struct {
	cancelCtx
	once sync.Once
	f    func()
}

func (a *afterFuncCtx) cancel(detach bool, err, cause error) {
	a.cancelCtx.cancel(false, err, cause)
	if detach {
		removeChild(a.Context, a)
	}
	a.once.Do(func() { go a.f() })
}

func AfterFunc(ctx Context, f func()) (stop func() bool) {
	a := &afterFuncCtx{f: f}
	a.attach(ctx, a)
	return func() bool {
		stopped := false
		a.once.Do(func() { stopped = true })
		if stopped {
			a.cancel(true, Canceled, nil)
		}
		return stopped
	}
}

func WithValue(parent Context, key, val any) Context {
	if parent == nil {
		panic("cannot create context from nil parent")
	}
	if key == nil {
		panic("nil key")
	}
	if !comparable(key) {
		panic("key is not comparable")
	}
	return &valueCtx{parent, key, val}
}

// comparable tells whether values of v's dynamic type may be compared with ==.
func comparable(v any) bool

// typeName is the name of v's dynamic type, as %T prints it.
func typeName(v any) string

type valueCtx struct {
	Context
	key, val any
}

func (v *valueCtx) Value(key any) any {
	if v.key == key {
		return v.val
	}
	return lookup(v.Context, key)
}

func (v *valueCtx) String() string {
	return describe(v.Context) + ".WithValue(" + describeValue(v.key) + ", " + describeValue(v.val) + ")"
}

func WithoutCancel(parent Context) Context {
	if parent == nil {
		panic("cannot create context from nil parent")
	}
	return withoutCancelCtx{parent}
}

type withoutCancelCtx struct{ c Context }

func (withoutCancelCtx) Deadline() (deadline time.Time, ok bool) { return }
func (withoutCancelCtx) Done() <-chan struct{}                   { return nil }
func (withoutCancelCtx) Err() error                              { return nil }
func (w withoutCancelCtx) Value(key any) any                     { return lookup(w, key) }
func (w withoutCancelCtx) String() string                        { return describe(w.c) + ".WithoutCancel" }

// lookup climbs our own kinds of context without recursion.
func lookup(c Context, key any) any {
	for {
		switch ctx := c.(type) {
		case *valueCtx:
			if ctx.key == key {
				return ctx.val
			}
			c = ctx.Context
		case *cancelCtx:
			if key == &selfKey {
				return ctx
			}
			c = ctx.Context
		case *timerCtx:
			if key == &selfKey {
				return &ctx.cancelCtx
			}
			c = ctx.cancelCtx.Context
		case withoutCancelCtx:
			if key == &selfKey {
				return nil // cancellation ends here
			}
			c = ctx.c
		case backgroundCtx, todoCtx:
			return nil
		default:
			return c.Value(key)
		}
	}
}

func describe(c Context) string {
	if s, ok := c.(interface{ String() string }); ok {
		return s.String()
	}
	return typeName(c)
}

func describeValue(v any) string {
	switch s := v.(type) {
	case interface{ String() string }:
		return s.String()
	case string:
		return s
	case nil:
		return "<nil>"
	}
	return typeName(v)
}
