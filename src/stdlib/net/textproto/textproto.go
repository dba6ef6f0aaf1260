// Package textproto speaks the text protocols of the net: lines, header fields, numbered answers.
package textproto

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"sync"
)

// Error is an answer with a code that was not expected.
type Error struct {
	Code int
	Msg  string
}

func (e *Error) Error() string { return fmt.Sprintf("%03d %q", e.Code, e.Msg) }

// ProtocolError says what is wrong with what the other side sent.
type ProtocolError string

func (p ProtocolError) Error() string { return string(p) }

// Conn is a connection over which both sides speak such a protocol.
type Conn struct {
	Reader
	Writer
	Pipeline
	conn io.ReadWriteCloser
}

func NewConn(conn io.ReadWriteCloser) *Conn {
	return &Conn{
		Reader: Reader{R: bufio.NewReader(conn)},
		Writer: Writer{W: bufio.NewWriter(conn)},
		conn:   conn,
	}
}

func Dial(network, addr string) (*Conn, error) {
	c, err := net.Dial(network, addr)
	if err != nil {
		return nil, err
	}
	return NewConn(c), nil
}

func (c *Conn) Close() error { return c.conn.Close() }

// Cmd sends a line when it is its turn; the number is for the answer's turn.
func (c *Conn) Cmd(format string, args ...any) (id uint, err error) {
	id = c.Next()
	c.StartRequest(id)
	err = c.PrintfLine(format, args...)
	c.EndRequest(id)
	if err != nil {
		return 0, err
	}
	return id, nil
}

// Pipeline keeps requests, and their answers, in the order of their numbers.
type Pipeline struct {
	mu        sync.Mutex
	id        uint
	requests  turns
	responses turns
}

func (p *Pipeline) Next() uint {
	p.mu.Lock()
	defer p.mu.Unlock()
	id := p.id
	p.id++
	return id
}

func (p *Pipeline) StartRequest(id uint)  { p.requests.start(id) }
func (p *Pipeline) EndRequest(id uint)    { p.requests.end(id) }
func (p *Pipeline) StartResponse(id uint) { p.responses.start(id) }
func (p *Pipeline) EndResponse(id uint)   { p.responses.end(id) }

// turns lets numbers have their turn one after the other.
type turns struct {
	mu   sync.Mutex
	now  uint
	wait map[uint]chan struct{}
}

func (t *turns) start(id uint) {
	t.mu.Lock()
	if t.now == id {
		t.mu.Unlock()
		return
	}
	c := make(chan struct{})
	if t.wait == nil {
		t.wait = make(map[uint]chan struct{})
	}
	t.wait[id] = c
	t.mu.Unlock()
	<-c
}

func (t *turns) end(id uint) {
	t.mu.Lock()
	if t.now != id {
		t.mu.Unlock()
		panic("out of sync")
	}
	id++
	t.now = id
	c, ok := t.wait[id]
	delete(t.wait, id)
	t.mu.Unlock()
	if ok {
		close(c)
	}
}

func isSpace(b byte) bool { return b == ' ' || b == '\t' || b == '\n' || b == '\r' }

func TrimString(s string) string {
	for len(s) > 0 && isSpace(s[0]) {
		s = s[1:]
	}
	for len(s) > 0 && isSpace(s[len(s)-1]) {
		s = s[:len(s)-1]
	}
	return s
}

func TrimBytes(b []byte) []byte {
	for len(b) > 0 && isSpace(b[0]) {
		b = b[1:]
	}
	for len(b) > 0 && isSpace(b[len(b)-1]) {
		b = b[:len(b)-1]
	}
	return b
}
