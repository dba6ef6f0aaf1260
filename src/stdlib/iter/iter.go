// Package iter: sequences as functions.
package iter

import "runtime"

type (
	Seq[V any]     func(yield func(V) bool)
	Seq2[K, V any] func(yield func(K, V) bool)
)

// A coroutine runs a function in a goroutine of its own, which goes on only while its resumer waits for it to pause or end.
type coroutine struct {
	resumed, paused chan struct{}
}

// resume lets body begin, or go on from where it has paused, until it pauses or ends.
func (c *coroutine) resume(body func()) {
	if c.resumed == nil {
		c.resumed, c.paused = make(chan struct{}), make(chan struct{})
		go func() {
			<-c.resumed
			defer func() { c.paused <- struct{}{} }()
			body()
		}()
	}
	c.resumed <- struct{}{}
	<-c.paused
}

func (c *coroutine) pause() {
	c.paused <- struct{}{}
	<-c.resumed
}

// A puller is what the functions of one Pull share.
type puller[K, V any] struct {
	coroutine
	name       string // of the function that made it
	key        K
	value      V
	ok         bool
	done       bool
	asked      bool // between next and yield
	returned   bool // seq has, and was not left by a panic or Goexit
	panicValue any  // what seq panicked with
}

// exited is the panicValue of a seq that Goexit has left.
var exited any = new(int)

// run is what the coroutine does.
func (p *puller[K, V]) run(seq func()) {
	defer func() {
		if v := recover(); v != nil {
			p.panicValue = v
		} else if !p.returned {
			p.panicValue = exited
		}
		p.done = true
	}()
	seq()
	var (
		key   K
		value V
	)
	p.key, p.value, p.ok = key, value, false
	p.returned = true
}

func (p *puller[K, V]) yield(key K, value V) bool {
	if p.done {
		return false
	}
	if !p.asked {
		panic(p.name + ": yield called again before next")
	}
	p.asked = false
	p.key, p.value, p.ok = key, value, true
	p.pause()
	return !p.done
}

// step resumes seq, and panics or exits as that has done.
func (p *puller[K, V]) step(seq func()) {
	p.resume(func() { p.run(seq) })
	if p.panicValue == exited {
		runtime.Goexit()
	}
	if p.panicValue != nil {
		panic(p.panicValue)
	}
}

func (p *puller[K, V]) next(seq func()) (key K, value V, ok bool) {
	if p.done {
		return
	}
	if p.asked {
		panic(p.name + ": next called again before yield")
	}
	p.asked = true
	p.step(seq)
	return p.key, p.value, p.ok
}

func (p *puller[K, V]) stop(seq func()) {
	if p.done {
		return
	}
	p.done = true
	if p.resumed != nil {
		p.step(seq)
	}
}

func Pull2[K, V any](seq Seq2[K, V]) (next func() (K, V, bool), stop func()) {
	p := &puller[K, V]{name: "iter.Pull2"}
	run := func() { seq(p.yield) }
	return func() (K, V, bool) { return p.next(run) }, func() { p.stop(run) }
}

func Pull[V any](seq Seq[V]) (next func() (V, bool), stop func()) {
	p := &puller[struct{}, V]{name: "iter.Pull"}
	run := func() { seq(func(v V) bool { return p.yield(struct{}{}, v) }) }
	return func() (V, bool) {
		_, v, ok := p.next(run)
		return v, ok
	}, func() { p.stop(run) }
}
