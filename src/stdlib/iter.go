// Package iter: sequences as functions.
package iter

import "runtime"

type (
	Seq[V any]     func(yield func(V) bool)
	Seq2[K, V any] func(yield func(K, V) bool)
)

// A puller runs a sequence in a goroutine of its own, which goes on only while somebody waits for the next value.
type puller[K, V any] struct {
	ask, answer chan struct{}
	started     bool
	done        bool
	stopped     bool
	busy        bool // between a question and its answer
	key         K
	value       V
	has         bool
	panicked    any // what the sequence panicked with
	exited      bool
}

// run is the goroutine.
func (p *puller[K, V]) run(seq Seq2[K, V]) {
	normal := false
	defer func() {
		if !normal {
			if p.panicked = recover(); p.panicked == nil {
				p.exited = true // by Goexit
			}
		}
		p.done = true
		p.has = false
		p.answer <- struct{}{}
	}()
	<-p.ask
	if !p.stopped {
		seq(func(k K, v V) bool {
			if p.done {
				panic("iter.Pull: yield called after the iterator had ended")
			}
			p.key, p.value, p.has = k, v, true
			p.answer <- struct{}{}
			<-p.ask
			return !p.stopped
		})
	}
	normal = true
}

// step lets the goroutine go on until it answers.
func (p *puller[K, V]) step(seq Seq2[K, V]) {
	if p.busy {
		panic("iter.Pull: next called again before yield")
	}
	if !p.started {
		p.started = true
		p.ask, p.answer = make(chan struct{}), make(chan struct{})
		go p.run(seq)
	}
	p.busy = true
	p.has = false
	p.ask <- struct{}{}
	<-p.answer
	p.busy = false
	if p.panicked != nil {
		v := p.panicked
		p.panicked = nil
		panic(v)
	}
	if p.exited {
		p.exited = false
		runtime.Goexit()
	}
}

func (p *puller[K, V]) next(seq Seq2[K, V]) (k K, v V, ok bool) {
	if p.done {
		return k, v, false
	}
	p.step(seq)
	if !p.has {
		return k, v, false
	}
	k, v = p.key, p.value
	var noKey K
	var noValue V
	p.key, p.value = noKey, noValue
	return k, v, true
}

func (p *puller[K, V]) stop(seq Seq2[K, V]) {
	if p.done {
		return
	}
	if !p.started {
		p.done = true
		return
	}
	p.stopped = true
	p.step(seq)
}

func Pull2[K, V any](seq Seq2[K, V]) (next func() (K, V, bool), stop func()) {
	p := new(puller[K, V])
	return func() (K, V, bool) { return p.next(seq) }, func() { p.stop(seq) }
}

func Pull[V any](seq Seq[V]) (next func() (V, bool), stop func()) {
	pairs := func(yield func(struct{}, V) bool) {
		seq(func(v V) bool { return yield(struct{}{}, v) })
	}
	next2, stop := Pull2(Seq2[struct{}, V](pairs))
	return func() (V, bool) {
		_, v, ok := next2()
		return v, ok
	}, stop
}
