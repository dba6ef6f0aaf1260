// Package textproto speaks the text protocols of the net: lines, header fields, numbered answers.
//
// A Reader (reader.go) and a Writer (writer.go) work on the buffers they are given; both know texts
// that end with a line of a dot (dots.go). A Conn, in this file, has both, and a Pipeline, which
// keeps several that use it in order. header.go has the map of header fields.
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

func (answer *Error) Error() string { return fmt.Sprintf("%03d %q", answer.Code, answer.Msg) }

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

// NewConn makes one of a connection.
func NewConn(conn io.ReadWriteCloser) *Conn {
	c := &Conn{conn: conn}
	c.R, c.W = bufio.NewReader(conn), bufio.NewWriter(conn)
	return c
}

// Dial connects to an address.
func Dial(network, addr string) (*Conn, error) {
	conn, err := net.Dial(network, addr)
	if err == nil {
		return NewConn(conn), nil
	}
	return nil, err
}

// Close closes the connection.
func (c *Conn) Close() error { return c.conn.Close() }

// Cmd sends a line when it is its turn; the number is for the answer's turn.
func (c *Conn) Cmd(format string, args ...any) (id uint, err error) {
	turn := c.Next()
	c.StartRequest(turn)
	defer c.EndRequest(turn)
	if err = c.PrintfLine(format, args...); err == nil {
		id = turn
	}
	return id, err
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
	mu     sync.Mutex
	now    uint
	passed sync.Cond // a turn is over
}

func (t *turns) start(id uint) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for t.passed.L = &t.mu; t.now != id; {
		t.passed.Wait()
	}
}

func (t *turns) end(id uint) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.now != id {
		panic("out of sync")
	}
	t.now++
	t.passed.Broadcast()
}

// TrimString is s without white space, as far as ASCII has it, around it.
func TrimString(s string) string { return trimmed(s) }

// TrimBytes is b without white space around it.
func TrimBytes(b []byte) []byte { return trimmed(b) }

func trimmed[Text string | []byte](s Text) Text {
	from, to := 0, len(s)
	for from < to && isSpace(s[from]) {
		from++
	}
	for from < to && isSpace(s[to-1]) {
		to--
	}
	return s[from:to]
}

func isSpace(b byte) bool { return b == '\t' || b == '\n' || b == '\r' || b == ' ' }
