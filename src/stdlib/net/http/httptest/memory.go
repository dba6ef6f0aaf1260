package httptest

import (
	"bytes"
	"errors"
	"io"
	"net"
	"net/netip"
	"os"
	"sync"
	"time"
)

// memoryListener accepts what its own dial makes: connections of which both ends are in memory.
// A goroutine that waits for any of them is durably blocked, in the sense of testing/synctest.
type memoryListener struct {
	mu     sync.Mutex
	change sync.Cond
	queue  []*memoryConn
	closed bool
	port   uint16 // of the last client
}

// The addresses are of TEST-NET-1, where nobody is.
var (
	memoryServer = net.TCPAddrFromAddrPort(netip.MustParseAddrPort("192.0.2.1:1000"))
	memoryClient = netip.MustParseAddr("192.0.2.1")
)

func listenInMemory() *memoryListener {
	l := &memoryListener{port: 10000}
	l.change.L = &l.mu
	return l
}

// dial gives the client's end of a new connection.
func (l *memoryListener) dial() *memoryConn {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.port++
	client := net.TCPAddrFromAddrPort(netip.AddrPortFrom(memoryClient, l.port))
	there, back := newDirection(client), newDirection(memoryServer)
	l.queue = append(l.queue, &memoryConn{from: there, to: back})
	l.change.Signal()
	return &memoryConn{from: back, to: there}
}

func (l *memoryListener) Accept() (net.Conn, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for len(l.queue) == 0 {
		if l.closed {
			return nil, &net.OpError{Op: "accept", Net: "tcp", Addr: memoryServer, Err: net.ErrClosed}
		}
		l.change.Wait()
	}
	c := l.queue[0]
	l.queue = l.queue[1:]
	return c, nil
}

func (l *memoryListener) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return &net.OpError{Op: "close", Net: "tcp", Addr: memoryServer, Err: net.ErrClosed}
	}
	l.closed = true
	l.change.Broadcast()
	return nil
}

func (l *memoryListener) Addr() net.Addr { return memoryServer }

// A direction carries bytes from one end of a connection to the other; it holds any number.
type direction struct {
	sender net.Addr

	mu          sync.Mutex
	change      sync.Cond
	held        bytes.Buffer
	sent        bool // all there is: the sender has closed
	refused     bool // the receiver has closed
	read, write limit
}

func newDirection(sender net.Addr) *direction {
	d := &direction{sender: sender}
	d.change.L = &d.mu
	return d
}

// A limit is the time from which on reading or writing fails.
type limit struct {
	timer   *time.Timer
	expired bool
}

func (d *direction) setLimit(l *limit, t time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if l.timer != nil {
		l.timer.Stop()
		l.timer = nil
	}
	l.expired = !t.IsZero() && time.Until(t) <= 0
	if !t.IsZero() && !l.expired {
		var timer *time.Timer
		timer = time.AfterFunc(time.Until(t), func() {
			d.mu.Lock()
			defer d.mu.Unlock()
			if l.timer == timer {
				l.timer, l.expired = nil, true
				d.change.Broadcast()
			}
		})
		l.timer = timer
	}
	d.change.Broadcast()
}

func (d *direction) receive(b []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for {
		switch {
		case d.refused:
			return 0, net.ErrClosed
		case d.read.expired:
			return 0, os.ErrDeadlineExceeded
		case d.held.Len() > 0:
			return d.held.Read(b)
		case d.sent:
			return 0, io.EOF
		}
		d.change.Wait()
	}
}

var errClosedByPeer = errors.New("connection closed by peer")

func (d *direction) send(b []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case d.sent:
		return 0, net.ErrClosed
	case d.write.expired:
		return 0, os.ErrDeadlineExceeded
	case d.refused:
		return 0, errClosedByPeer
	}
	d.change.Broadcast()
	return d.held.Write(b)
}

// close ends the direction at the sender's or at the receiver's side; it had ended there before?
func (d *direction) close(side *bool) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	was := *side
	*side = true
	if d.refused {
		d.held.Reset()
	}
	d.change.Broadcast()
	return was
}

// A memoryConn is one end of a connection: what comes from the other one, and what goes there.
type memoryConn struct {
	from, to *direction
}

func (c *memoryConn) Read(b []byte) (int, error) {
	n, err := c.from.receive(b)
	if err != nil && err != io.EOF {
		err = &net.OpError{Op: "read", Net: "tcp", Source: c.RemoteAddr(), Addr: c.LocalAddr(), Err: err}
	}
	return n, err
}

func (c *memoryConn) Write(b []byte) (int, error) {
	n, err := c.to.send(b)
	if err != nil {
		err = &net.OpError{Op: "write", Net: "tcp", Source: c.LocalAddr(), Addr: c.RemoteAddr(), Err: err}
	}
	return n, err
}

// CloseWrite tells the other end that nothing more comes.
func (c *memoryConn) CloseWrite() error {
	c.to.close(&c.to.sent)
	return nil
}

// CloseRead refuses what comes.
func (c *memoryConn) CloseRead() error {
	c.from.close(&c.from.refused)
	return nil
}

func (c *memoryConn) Close() error {
	received, sent := c.from.close(&c.from.refused), c.to.close(&c.to.sent)
	if received && sent {
		return &net.OpError{Op: "close", Net: "tcp", Addr: c.LocalAddr(), Err: net.ErrClosed}
	}
	return nil
}

func (c *memoryConn) LocalAddr() net.Addr  { return c.to.sender }
func (c *memoryConn) RemoteAddr() net.Addr { return c.from.sender }

func (c *memoryConn) SetReadDeadline(t time.Time) error {
	c.from.setLimit(&c.from.read, t)
	return nil
}

func (c *memoryConn) SetWriteDeadline(t time.Time) error {
	c.to.setLimit(&c.to.write, t)
	return nil
}

func (c *memoryConn) SetDeadline(t time.Time) error {
	c.SetReadDeadline(t)
	return c.SetWriteDeadline(t)
}
