// Package fcgi: programs that answer HTTP requests of a web server over connections (FastCGI,
// responders only).
package fcgi

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"sync"
)

// A kind of record.
type kind uint8

const (
	beginRecord     kind = 1
	abortRecord     kind = 2
	endRecord       kind = 3
	paramsRecord    kind = 4
	stdinRecord     kind = 5
	stdoutRecord    kind = 6
	stderrRecord    kind = 7
	dataRecord      kind = 8
	getValues       kind = 9
	getValuesResult kind = 10
	unknownKind     kind = 11
)

const (
	keepsFlag   = 1 // a flag of beginRecord
	responder   = 1 // a role
	isComplete  = 0 // statuses of endRecord
	unknownRole = 3

	headerSize = 8
	maxContent = 65535
)

// A record's header: version 1, kind, request, lengths of content and padding, a byte that is not
// used.
type record struct {
	header  [headerSize]byte
	content []byte
	buf     [maxContent + 255]byte
}

func (r *record) kind() kind { return kind(r.header[1]) }
func (r *record) id() uint16 { return binary.BigEndian.Uint16(r.header[2:]) }

// read reads a record and its padding, which is dropped.
func (r *record) read(from io.Reader) error {
	_, err := io.ReadFull(from, r.header[:])
	if err == nil && r.header[0] != 1 {
		err = errors.New("fcgi: invalid header version")
	}
	if err != nil {
		return err
	}
	length, padding := int(binary.BigEndian.Uint16(r.header[4:])), int(r.header[6])
	r.content = r.buf[:length]
	_, err = io.ReadFull(from, r.buf[:length+padding])
	return err
}

// A conn is a connection that several requests write to.
type conn struct {
	io.ReadWriteCloser
	lock  sync.Mutex
	buf   []byte
	close func() error // once
}

func share(c io.ReadWriteCloser) *conn {
	return &conn{ReadWriteCloser: c, close: sync.OnceValue(c.Close)}
}

// write writes a record, padded to a multiple of eight bytes.
func (c *conn) write(k kind, id uint16, content []byte) error {
	c.lock.Lock()
	defer c.lock.Unlock()
	padding := -len(content) & 7
	b := append(c.buf[:0], 1, byte(k))
	b = binary.BigEndian.AppendUint16(b, id)
	b = binary.BigEndian.AppendUint16(b, uint16(len(content)))
	b = append(b, byte(padding), 0)
	b = append(b, content...)
	b = append(b, make([]byte, padding)...)
	c.buf = b
	_, err := c.Write(b)
	return err
}

func (c *conn) end(id uint16, status byte) error {
	return c.write(endRecord, id, []byte{0, 0, 0, 0, status, 0, 0, 0})
}

// A stream writes text as records of one kind; the last is empty.
type stream struct {
	conn *conn
	kind kind
	id   uint16
}

func (s *stream) Write(p []byte) (n int, err error) {
	for n < len(p) && err == nil {
		part := p[n:min(len(p), n+maxContent)]
		if err = s.conn.write(s.kind, s.id, part); err == nil {
			n += len(part)
		}
	}
	return n, err
}

func (s *stream) end() error { return s.conn.write(s.kind, s.id, nil) }

func (s *stream) buffered() *bufio.Writer { return bufio.NewWriterSize(s, maxContent) }

// cutLength cuts a length from b: a byte, or four with the first bit set.
func cutLength(b *[]byte) (uint32, bool) {
	s := *b
	switch {
	case len(s) == 0:
		return 0, false
	case s[0] < 0x80:
		*b = s[1:]
		return uint32(s[0]), true
	case len(s) < 4:
		return 0, false
	}
	*b = s[4:]
	return binary.BigEndian.Uint32(s) &^ (1 << 31), true
}

func appendLength(b []byte, n int) []byte {
	if n > 127 {
		return binary.BigEndian.AppendUint32(b, uint32(n)|1<<31)
	}
	return append(b, byte(n))
}

// readPairs adds the names and values in b to pairs, up to one that is cut off.
func readPairs(b []byte, pairs map[string]string) {
	for {
		ofName, _ := cutLength(&b)
		ofValue, ok := cutLength(&b)
		both := int(ofName) + int(ofValue)
		if !ok || both > len(b) {
			return
		}
		pair := string(b[:both])
		pairs[pair[:ofName]] = pair[ofName:]
		b = b[both:]
	}
}
