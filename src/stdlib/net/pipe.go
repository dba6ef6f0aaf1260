package net

import (
	"io"
	"os"
	"sync"
	"time"
)

// Pipe: two ends in memory, each write handed to reads of the other end before it returns.

type pipeAddr struct{}

func (pipeAddr) Network() string { return "pipe" }
func (pipeAddr) String() string  { return "pipe" }

// A limit is a deadline that can be moved: past is closed once it has come.
type limit struct {
	mu    sync.Mutex
	timer *time.Timer
	past  chan struct{}
}

func newLimit() *limit { return &limit{past: make(chan struct{})} }

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

func (l *limit) set(t time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.timer != nil && !l.timer.Stop() {
		<-l.past // it has fired, and is closing the channel
	}
	l.timer = nil
	if isClosed(l.past) {
		if !t.IsZero() && time.Until(t) <= 0 {
			return
		}
		l.past = make(chan struct{})
	}
	if t.IsZero() {
		return
	}
	past := l.past
	if d := time.Until(t); d > 0 {
		l.timer = time.AfterFunc(d, func() { close(past) })
	} else {
		close(past)
	}
}

func (l *limit) wait() <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.past
}

// A flow goes one way: the writer offers bytes, the reader says how many it took.
type flow struct {
	offers chan []byte
	taken  chan int
}

type pipe struct {
	writing     sync.Mutex
	in, out     flow
	mine, other *pipeEnd
	read, write *limit
}

// A pipeEnd is closed once.
type pipeEnd struct {
	once sync.Once
	done chan struct{}
}

func Pipe() (Conn, Conn) {
	newFlow := func() flow { return flow{make(chan []byte), make(chan int)} }
	newEnd := func() *pipeEnd { return &pipeEnd{done: make(chan struct{})} }
	f, g := newFlow(), newFlow()
	a, b := newEnd(), newEnd()
	return &pipe{in: f, out: g, mine: a, other: b, read: newLimit(), write: newLimit()},
		&pipe{in: g, out: f, mine: b, other: a, read: newLimit(), write: newLimit()}
}

func (*pipe) LocalAddr() Addr  { return pipeAddr{} }
func (*pipe) RemoteAddr() Addr { return pipeAddr{} }

func (p *pipe) wrap(op string, err error) error {
	if err == nil || err == io.EOF || err == io.ErrClosedPipe {
		return err
	}
	return &OpError{Op: op, Net: "pipe", Source: nil, Addr: nil, Err: err}
}

func (p *pipe) Read(b []byte) (int, error) {
	past := p.read.wait()
	switch {
	case isClosed(p.mine.done):
		return 0, io.ErrClosedPipe
	case isClosed(p.other.done):
		return 0, io.EOF
	case isClosed(past):
		return 0, p.wrap("read", os.ErrDeadlineExceeded)
	}
	select {
	case offer := <-p.in.offers:
		n := copy(b, offer)
		p.in.taken <- n
		return n, nil
	case <-p.mine.done:
		return 0, io.ErrClosedPipe
	case <-p.other.done:
		return 0, io.EOF
	case <-past:
		return 0, p.wrap("read", os.ErrDeadlineExceeded)
	}
}

func (p *pipe) Write(b []byte) (n int, err error) {
	past := p.write.wait()
	switch {
	case isClosed(p.mine.done), isClosed(p.other.done):
		return 0, io.ErrClosedPipe
	case isClosed(past):
		return 0, p.wrap("write", os.ErrDeadlineExceeded)
	}
	p.writing.Lock()
	defer p.writing.Unlock()
	for once := true; once || len(b) > 0; once = false {
		select {
		case p.out.offers <- b:
			m := <-p.out.taken
			b = b[m:]
			n += m
		case <-p.mine.done:
			return n, io.ErrClosedPipe
		case <-p.other.done:
			return n, io.ErrClosedPipe
		case <-past:
			return n, p.wrap("write", os.ErrDeadlineExceeded)
		}
	}
	return n, nil
}

func (p *pipe) SetDeadline(t time.Time) error {
	if err := p.SetReadDeadline(t); err != nil {
		return err
	}
	return p.SetWriteDeadline(t)
}

func (p *pipe) SetReadDeadline(t time.Time) error  { return p.limit(p.read, t) }
func (p *pipe) SetWriteDeadline(t time.Time) error { return p.limit(p.write, t) }

func (p *pipe) limit(l *limit, t time.Time) error {
	if isClosed(p.mine.done) || isClosed(p.other.done) {
		return io.ErrClosedPipe
	}
	l.set(t)
	return nil
}

func (p *pipe) Close() error {
	p.mine.once.Do(func() { close(p.mine.done) })
	return nil
}
