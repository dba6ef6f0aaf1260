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

// nodeKey asks a context for the nearest node above it.
var nodeKey int

// A node is what can end. Nodes form a tree: the end of one is the end of all below it. The links to its siblings belong to the node
// above, whose lock is taken first.
type node struct {
	end  atomic.Pointer[ending]        // nil while it lasts
	gate atomic.Pointer[chan struct{}] // Done's, made when somebody asks for it

	mu     sync.Mutex
	first  *node
	atEnd  func()      // runs once, when it ends
	unhook func() bool // takes back what a foreign context above was asked to do

	up         *node
	next, back *node
	linked     bool
}

// An ending says why.
type ending struct{ err, cause error }

// shut is the gate of nodes that had ended before anyone asked.
var shut = make(chan struct{})

//go:effect shut
func init() { close(shut) }

func (n *node) done() chan struct{} {
	if g := n.gate.Load(); g != nil {
		return *g
	}
	fresh := make(chan struct{})
	n.gate.CompareAndSwap(nil, &fresh)
	return *n.gate.Load()
}

// finish ends the node and all below it, and tells whether it had lasted until now. Without cause the error is the cause.
func (n *node) finish(err, cause error) bool {
	if err == nil {
		panic("context: internal error: missing cancel error")
	}
	if cause == nil {
		cause = err
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.finishLocked(&ending{err, cause})
}

func (n *node) finishLocked(e *ending) bool {
	if n.end.Load() != nil {
		return false
	}
	n.end.Store(e)
	if !n.gate.CompareAndSwap(nil, &shut) {
		close(*n.gate.Load())
	}
	for below := n.first; below != nil; {
		next := below.next
		below.next, below.back, below.linked = nil, nil, false
		below.mu.Lock()
		below.finishLocked(e)
		below.mu.Unlock()
		below = next
	}
	n.first = nil
	if n.atEnd != nil {
		n.atEnd()
	}
	return true
}

// leave takes the node out of the tree: nothing above need know of it any more.
func (n *node) leave() {
	if n.unhook != nil {
		n.unhook()
	}
	if n.up == nil {
		return
	}
	n.up.mu.Lock()
	defer n.up.mu.Unlock()
	if !n.linked {
		return
	}
	if n.next != nil {
		n.next.back = n.back
	}
	if n.back != nil {
		n.back.next = n.next
	} else {
		n.up.first = n.next
	}
	n.linked = false
}

// hang puts the node below parent, whose end is its end from now on, and gives back what the new context calls its parent.
func (n *node) hang(parent Context) Context {
	over := parent.Done()
	if over == nil {
		return parent
	}
	follow := func() { n.finish(parent.Err(), Cause(parent)) }
	select {
	case <-over:
		follow()
		return parent
	default:
	}
	if up, ok := parent.Value(&nodeKey).(*node); ok && up.done() == over {
		n.up = up
		up.mu.Lock()
		defer up.mu.Unlock()
		if e := up.end.Load(); e != nil {
			n.finish(e.err, e.cause)
			return parent
		}
		if n.next = up.first; n.next != nil {
			n.next.back = n
		}
		up.first, n.linked = n, true
		return parent
	}
	// A context of somebody else's making.
	if p, ok := parent.(interface{ AfterFunc(func()) func() bool }); ok {
		n.unhook = p.AfterFunc(follow)
		return stopCtx{parent}
	}
	go func(mine chan struct{}) {
		select {
		case <-mine:
		case <-over:
			follow()
		}
	}(n.done())
	return parent
}

// stopCtx is the parent of those that an AfterFunc of its own ends.
type stopCtx struct{ Context }

type cancelCtx struct {
	Context // the parent
	node    node
}

func (c *cancelCtx) Value(key any) any     { return lookup(c, key) }
func (c *cancelCtx) Done() <-chan struct{} { return c.node.done() }
func (c *cancelCtx) String() string        { return describe(c.Context) + ".WithCancel" }

func (c *cancelCtx) Err() error {
	e := c.node.end.Load()
	if e == nil {
		return nil
	}
	<-c.node.done() // who sees the error finds the channel closed
	return e.err
}

// cancel ends the context because somebody said so.
func (c *cancelCtx) cancel(err, cause error) {
	if c.node.finish(err, cause) {
		c.node.leave()
	}
}

// below makes c a context below parent.
func (c *cancelCtx) below(parent Context) *cancelCtx {
	notNil(parent)
	c.Context = c.node.hang(parent)
	return c
}

func notNil(parent Context) {
	if parent == nil {
		panic("cannot create context from nil parent")
	}
}

func WithCancel(parent Context) (ctx Context, cancel CancelFunc) {
	c := new(cancelCtx).below(parent)
	return c, func() { c.cancel(Canceled, nil) }
}

func WithCancelCause(parent Context) (ctx Context, cancel CancelCauseFunc) {
	c := new(cancelCtx).below(parent)
	return c, func(cause error) { c.cancel(Canceled, cause) }
}

type timerCtx struct {
	cancelCtx
	deadline time.Time
}

func (c *timerCtx) Deadline() (deadline time.Time, ok bool) { return c.deadline, true }

func (c *timerCtx) String() string {
	return fmtDeadline(describe(c.Context), c.deadline.String(), time.Until(c.deadline).String())
}

func fmtDeadline(parent, when, left string) string {
	return parent + ".WithDeadline(" + when + " [" + left + "])"
}

func WithDeadlineCause(parent Context, d time.Time, cause error) (Context, CancelFunc) {
	notNil(parent)
	if sooner, ok := parent.Deadline(); ok && sooner.Before(d) {
		return WithCancel(parent)
	}
	c := &timerCtx{deadline: d}
	c.below(parent)
	expire := func() { c.cancel(DeadlineExceeded, cause) }
	if left := time.Until(d); left > 0 {
		c.node.later(left, expire)
	} else {
		expire()
	}
	return c, func() { c.cancel(Canceled, nil) }
}

// later runs expire in that time, unless n has ended.
func (n *node) later(left time.Duration, expire func()) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.end.Load() == nil {
		t := time.AfterFunc(left, expire)
		n.atEnd = func() { t.Stop() }
	}
}

func Cause(c Context) error {
	err := c.Err()
	if err == nil {
		return nil
	}
	if n, ours := c.Value(&nodeKey).(*node); ours {
		if over := n.end.Load(); over != nil {
			err = over.cause
		}
	}
	return err
}

func WithTimeout(parent Context, timeout time.Duration) (Context, CancelFunc) {
	return WithTimeoutCause(parent, timeout, nil)
}

func WithTimeoutCause(parent Context, timeout time.Duration, cause error) (Context, CancelFunc) {
	return WithDeadlineCause(parent, time.Now().Add(timeout), cause)
}

func WithDeadline(parent Context, d time.Time) (Context, CancelFunc) {
	return WithDeadlineCause(parent, d, nil)
}

func AfterFunc(ctx Context, f func()) (stop func() bool) {
	n := &node{atEnd: func() { go f() }}
	n.hang(ctx)
	return func() bool {
		n.mu.Lock()
		lasted := n.end.Load() == nil
		if lasted {
			n.atEnd = nil
			n.finishLocked(&ending{Canceled, Canceled})
		}
		n.mu.Unlock()
		if lasted {
			n.leave()
		}
		return lasted
	}
}

func WithValue(parent Context, key, val any) Context {
	notNil(parent)
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

func (v *valueCtx) Value(key any) any { return lookup(v, key) }

func (v *valueCtx) String() string {
	return describe(v.Context) + ".WithValue(" + describeValue(v.key) + ", " + describeValue(v.val) + ")"
}

func WithoutCancel(parent Context) Context {
	notNil(parent)
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
	if key == &nodeKey {
		return nearest(c)
	}
	for {
		switch here := c.(type) {
		case *valueCtx:
			if here.key == key {
				return here.val
			}
			c = here.Context
		case *cancelCtx:
			c = here.Context
		case *timerCtx:
			c = here.Context
		case withoutCancelCtx:
			c = here.c
		default: // the top, or a context of another kind
			return c.Value(key)
		}
	}
}

// nearest is the node that ends c, as Value gives it; nil if nothing does.
func nearest(c Context) any {
	for v, ok := c.(*valueCtx); ok; v, ok = c.(*valueCtx) {
		c = v.Context
	}
	switch here := c.(type) {
	case *timerCtx:
		return &here.node
	case *cancelCtx:
		return &here.node
	case withoutCancelCtx:
		return nil
	}
	return c.Value(&nodeKey)
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
