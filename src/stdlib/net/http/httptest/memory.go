package httptest

// Connections in memory. A connection is two wires, one for each way; a memoryConn is one end, which
// receives from one wire and sends into the other. A wire holds any number of bytes, so sending
// never waits; whoever receives waits for a change of the wire. A goroutine that waits for any of
// them is durably blocked, in the sense of testing/synctest.

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

// The addresses are of TEST-NET-1, where nobody is.
var (
	memoryServer = net.TCPAddrFromAddrPort(netip.MustParseAddrPort("192.0.2.1:1000"))
	memoryClient = netip.MustParseAddr("192.0.2.1")
)

// memoryListener accepts what its own dial makes.
type memoryListener struct {
	mu       sync.Mutex
	news     sync.Cond
	arrived  []*memoryConn
	isClosed bool
	dialed   uint16 // so many
}

func listenInMemory() *memoryListener {
	var l memoryListener
	l.news.L = &l.mu
	return &l
}

// dial gives the client's end of a new connection.
func (l *memoryListener) dial() *memoryConn {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.dialed++
	request := newWire(net.TCPAddrFromAddrPort(netip.AddrPortFrom(memoryClient, 10000+l.dialed)))
	answer := newWire(memoryServer)
	l.arrived = append(l.arrived, &memoryConn{in: request, out: answer})
	l.news.Signal()
	return &memoryConn{in: answer, out: request}
}

func (l *memoryListener) Accept() (net.Conn, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for !l.isClosed && len(l.arrived) == 0 {
		l.news.Wait()
	}
	if len(l.arrived) == 0 {
		return nil, noLonger("accept")
	}
	next := l.arrived[0]
	l.arrived = l.arrived[1:]
	return next, nil
}

func (l *memoryListener) Close() (err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.isClosed {
		err = noLonger("close")
	}
	l.isClosed = true
	l.news.Broadcast()
	return err
}

func (l *memoryListener) Addr() net.Addr { return memoryServer }

// noLonger is the error of what a closed listener does not do.
func noLonger(op string) error {
	return &net.OpError{Op: op, Net: "tcp", Addr: memoryServer, Err: net.ErrClosed}
}

// A wire carries bytes one way.
type wire struct {
	from net.Addr

	mu               sync.Mutex
	changed          sync.Cond
	held             bytes.Buffer
	sender, receiver wireEnd
}

// A wireEnd is what one of both ends has said: that it is closed, or until when it may be used.
type wireEnd struct {
	isClosed bool
	limit    *limit
}

// A limit is a time, and whether it is over. It is replaced by another one, never changed.
type limit struct {
	isOver bool
	timer  *time.Timer
}

func newWire(from net.Addr) *wire {
	w := &wire{from: from}
	w.changed.L = &w.mu
	return w
}

// bar is the reason for which the end cannot be used, nil if it can.
func (e *wireEnd) bar() error {
	if e.isClosed {
		return net.ErrClosed
	}
	if e.limit != nil && e.limit.isOver {
		return os.ErrDeadlineExceeded
	}
	return nil
}

// change does something to the wire, and wakes those who wait for it.
func (w *wire) change(do func()) {
	w.mu.Lock()
	do()
	w.changed.Broadcast()
	w.mu.Unlock()
}

func (w *wire) setLimit(e *wireEnd, t time.Time) {
	w.change(func() {
		if e.limit != nil && e.limit.timer != nil {
			e.limit.timer.Stop()
		}
		l := new(limit)
		e.limit = l
		if t.IsZero() {
			return
		}
		if left := time.Until(t); left > 0 {
			l.timer = time.AfterFunc(left, func() { w.change(func() { l.isOver = true }) })
		} else {
			l.isOver = true
		}
	})
}

// close closes an end, and says whether it was closed before. What nobody will receive goes.
func (w *wire) close(e *wireEnd) (was bool) {
	w.change(func() {
		was, e.isClosed = e.isClosed, true
		if w.receiver.isClosed {
			w.held.Reset()
		}
	})
	return was
}

func (w *wire) receive(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for ; ; w.changed.Wait() {
		if err := w.receiver.bar(); err != nil {
			return 0, err
		}
		if w.held.Len() > 0 {
			return w.held.Read(b)
		}
		if w.sender.isClosed {
			return 0, io.EOF
		}
	}
}

var errClosedByPeer = errors.New("connection closed by peer")

func (w *wire) send(b []byte) (n int, err error) {
	w.change(func() {
		if err = w.sender.bar(); err == nil && w.receiver.isClosed {
			err = errClosedByPeer
		}
		if err == nil {
			n, err = w.held.Write(b)
		}
	})
	return n, err
}

// A memoryConn is one end of a connection: what comes from the other one, and what goes there.
type memoryConn struct {
	in, out *wire
}

func (c *memoryConn) LocalAddr() net.Addr  { return c.out.from }
func (c *memoryConn) RemoteAddr() net.Addr { return c.in.from }

func (c *memoryConn) Read(b []byte) (int, error) {
	n, err := c.in.receive(b)
	return n, failed("read", c.in, c.out, err)
}

func (c *memoryConn) Write(b []byte) (int, error) {
	n, err := c.out.send(b)
	return n, failed("write", c.out, c.in, err)
}

// failed is the error of an operation on one wire of a connection, of which other is the other one.
func failed(op string, on, other *wire, err error) error {
	if err == nil || err == io.EOF {
		return err
	}
	return &net.OpError{Op: op, Net: "tcp", Source: on.from, Addr: other.from, Err: err}
}

// CloseRead refuses what comes.
func (c *memoryConn) CloseRead() error {
	c.in.close(&c.in.receiver)
	return nil
}

// CloseWrite tells the other end that nothing more comes.
func (c *memoryConn) CloseWrite() error {
	c.out.close(&c.out.sender)
	return nil
}

func (c *memoryConn) Close() error {
	noIn := c.in.close(&c.in.receiver)
	noOut := c.out.close(&c.out.sender)
	if !noIn || !noOut {
		return nil
	}
	return &net.OpError{Op: "close", Net: "tcp", Addr: c.LocalAddr(), Err: net.ErrClosed}
}

func (c *memoryConn) SetReadDeadline(t time.Time) error {
	c.in.setLimit(&c.in.receiver, t)
	return nil
}

func (c *memoryConn) SetWriteDeadline(t time.Time) error {
	c.out.setLimit(&c.out.sender, t)
	return nil
}

func (c *memoryConn) SetDeadline(t time.Time) error {
	c.SetReadDeadline(t)
	return c.SetWriteDeadline(t)
}
