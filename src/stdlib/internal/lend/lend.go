// Package lend: readers of which one looks at bytes before one takes them, for decoders that must
// not take more than belongs to their data.
package lend

import (
	"bufio"
	"bytes"
	"io"
	"strings"
)

// A Source lends what can be had of a reader, so that no byte need be taken that is not used.
type Source interface {
	// Ready is what is there without waiting.
	Ready() []byte
	// More waits until there is something.
	More() error
	// Take takes the first n bytes of what is ready.
	Take(n int)
}

type buffered struct{ r *bufio.Reader }

func (s buffered) Take(n int) { s.r.Discard(n) }

func (s buffered) Ready() []byte {
	p, _ := s.r.Peek(s.r.Buffered())
	return p
}

func (s buffered) More() error {
	_, err := s.r.Peek(1)
	return err
}

type buffer struct{ b *bytes.Buffer }

func (s buffer) Take(n int) { s.b.Next(n) }

func (s buffer) Ready() []byte {
	p, _ := s.b.Peek(min(s.b.Len(), maxReady))
	return p
}

func (s buffer) More() error {
	if s.b.Len() > 0 {
		return nil
	}
	// A read at the end lets go of what has been read.
	_, err := s.b.ReadByte()
	return err
}

// maxReady is how much is looked at in one go. Of what lies in memory, minReady is at first: there
// may be many short pieces.
const (
	maxReady = 64 << 10
	minReady = 512
)

// memory is a bytes.Reader or strings.Reader.
type memory struct {
	r interface {
		io.ReaderAt
		io.Seeker
		Len() int
	}
	own []byte
	n   int // filled, not taken
}

func (s *memory) Ready() []byte {
	if s.n == 0 && s.r.Len() > 0 {
		if s.own == nil {
			s.own = make([]byte, minReady)
		}
		at, _ := s.r.Seek(0, io.SeekCurrent)
		s.n, _ = s.r.ReadAt(s.own, at)
	}
	return s.own[:s.n]
}

func (s *memory) Take(n int) {
	s.r.Seek(int64(n), io.SeekCurrent)
	if n == len(s.own) && n < maxReady {
		s.own = make([]byte, 4*n)
	}
	// Others may read it, too, before it is looked at again.
	if n > 0 {
		s.n = 0
	}
}

func (s *memory) More() error {
	if s.r.Len() == 0 {
		return io.EOF
	}
	return nil
}

// single is any other reader.
type single struct {
	r   io.ByteReader
	own [1]byte
	n   int
}

func (s *single) Ready() []byte { return s.own[:s.n] }
func (s *single) Take(n int)    { s.n -= n }

func (s *single) More() (err error) {
	if s.n == 0 {
		if s.own[0], err = s.r.ReadByte(); err == nil {
			s.n = 1
		}
	}
	return err
}

// Of lends the bytes of r; nil if r gives none one by one.
func Of(r io.Reader) Source {
	switch r := r.(type) {
	case *bufio.Reader:
		return buffered{r}
	case *bytes.Buffer:
		return buffer{r}
	case *bytes.Reader:
		return &memory{r: r}
	case *strings.Reader:
		return &memory{r: r}
	case io.ByteReader:
		return &single{r: r}
	}
	return nil
}
