package net

import (
	"io"
	"os"
	"sync"
	"time"
)

// Pipe: two ends in memory, and a duct for each direction. A write offers its bytes in the duct, and
// returns when reads of the other end have taken them.

// A pipeAddr is the address of both ends.
type pipeAddr struct{}

func (pipeAddr) String() string  { return "pipe" }
func (pipeAddr) Network() string { return "pipe" }

// A duct goes one way. All who wait in it are woken by whatever changes.
type duct struct {
	mu      sync.Mutex
	changed sync.Cond
	busy    bool   // somebody writes
	offered bool   // what is left of the write is there for who reads
	left    []byte // empty when something empty was written
	into    mouth  // where the writer is
	outOf   mouth  // where the reader is
}

// A mouth is an end of a duct.
type mouth struct {
	closed, late bool
	alarm        *time.Timer // that makes it late
	alarms       int         // how many have been set: one that is not the last means nothing
}

func newDuct() *duct {
	d := new(duct)
	d.changed.L = &d.mu
	return d
}

// take copies what is offered, waiting for it.
func (d *duct) take(b []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for {
		switch {
		case d.outOf.closed:
			return 0, io.ErrClosedPipe
		case d.into.closed:
			return 0, io.EOF
		case d.outOf.late:
			return 0, failure("read", "pipe", nil, nil, os.ErrDeadlineExceeded)
		case d.offered:
			n := copy(b, d.left)
			if d.left = d.left[n:]; len(d.left) == 0 {
				d.offered = false
				d.changed.Broadcast()
			}
			return n, nil
		}
		d.changed.Wait()
	}
}

// obstacle is why nothing can be written any more.
func (d *duct) obstacle() error {
	if d.into.closed || d.outOf.closed {
		return io.ErrClosedPipe
	}
	if d.into.late {
		return failure("write", "pipe", nil, nil, os.ErrDeadlineExceeded)
	}
	return nil
}

// give offers b until all of it is taken, when nobody else writes.
func (d *duct) give(b []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for d.busy && d.obstacle() == nil {
		d.changed.Wait()
	}
	if err := d.obstacle(); err != nil {
		return 0, err
	}
	d.busy, d.offered, d.left = true, true, b
	d.changed.Broadcast()
	for d.offered && d.obstacle() == nil {
		d.changed.Wait()
	}
	n, err := len(b)-len(d.left), error(nil)
	if d.offered {
		err = d.obstacle()
	}
	d.busy, d.offered, d.left = false, false, nil
	d.changed.Broadcast()
	return n, err
}

// change does something to a mouth, which all get to know of.
func (d *duct) change(do func()) {
	d.mu.Lock()
	do()
	d.mu.Unlock()
	d.changed.Broadcast()
}

// limit makes a mouth late at some time, or never. Not one of a duct that is closed.
func (d *duct) limit(m *mouth, t time.Time) (err error) {
	d.change(func() {
		if d.into.closed || d.outOf.closed {
			err = io.ErrClosedPipe
			return
		}
		if m.alarm != nil {
			m.alarm.Stop()
			m.alarm = nil
		}
		m.alarms++
		mine, left := m.alarms, time.Until(t)
		m.late = !t.IsZero() && left <= 0
		if t.IsZero() || m.late {
			return
		}
		m.alarm = time.AfterFunc(left, func() {
			d.change(func() { m.late = m.late || m.alarms == mine })
		})
	})
	return err
}

type pipe struct{ in, out *duct }

// Pipe makes two connections with each other.
func Pipe() (Conn, Conn) {
	there, back := newDuct(), newDuct()
	return &pipe{in: back, out: there}, &pipe{in: there, out: back}
}

func (*pipe) LocalAddr() Addr  { return pipeAddr{} }
func (*pipe) RemoteAddr() Addr { return pipeAddr{} }

func (p *pipe) Read(b []byte) (int, error)  { return p.in.take(b) }
func (p *pipe) Write(b []byte) (int, error) { return p.out.give(b) }

func (p *pipe) SetReadDeadline(t time.Time) error  { return p.in.limit(&p.in.outOf, t) }
func (p *pipe) SetWriteDeadline(t time.Time) error { return p.out.limit(&p.out.into, t) }

func (p *pipe) SetDeadline(t time.Time) error {
	err := p.SetReadDeadline(t)
	if err == nil {
		err = p.SetWriteDeadline(t)
	}
	return err
}

// Close closes both ducts, one after the other; it may be called again.
func (p *pipe) Close() error {
	p.in.change(func() { p.in.outOf.closed = true })
	p.out.change(func() { p.out.into.closed = true })
	return nil
}
