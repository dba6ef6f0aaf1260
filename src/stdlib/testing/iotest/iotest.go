// Package iotest: readers and writers for tests.
//
// Go: testing/iotest.
package iotest

import (
	"errors"
	"io"
	"log"
)

// A reading is a reader that is a function.
type reading func(p []byte) (int, error)

func (f reading) Read(p []byte) (int, error) { return f(p) }

// A writing is a writer that is a function.
type writing func(p []byte) (int, error)

func (f writing) Write(p []byte) (int, error) { return f(p) }

func logged(prefix string, p []byte, err error) {
	if err != nil {
		log.Printf("%s %x: %v", prefix, p, err)
	} else {
		log.Printf("%s %x", prefix, p)
	}
}

// NewWriteLogger logs what is written to w.
func NewWriteLogger(prefix string, w io.Writer) io.Writer {
	return writing(func(p []byte) (int, error) {
		n, err := w.Write(p)
		logged(prefix, p[:n], err)
		return n, err
	})
}

// NewReadLogger logs what is read from r.
func NewReadLogger(prefix string, r io.Reader) io.Reader {
	return reading(func(p []byte) (int, error) {
		n, err := r.Read(p)
		logged(prefix, p[:n], err)
		return n, err
	})
}

// TruncateWriter writes the first n bytes, and says that it has written all.
func TruncateWriter(w io.Writer, n int64) io.Writer {
	return writing(func(p []byte) (int, error) {
		if n <= 0 {
			return len(p), nil
		}
		written, err := w.Write(p[:min(int64(len(p)), n)])
		n -= int64(written)
		if err == nil {
			written = len(p)
		}
		return written, err
	})
}

// OneByteReader reads one byte at a time.
func OneByteReader(r io.Reader) io.Reader {
	return reading(func(p []byte) (int, error) {
		if len(p) > 0 {
			return r.Read(p[:1])
		}
		return 0, nil
	})
}

// HalfReader reads half of what there is room for.
func HalfReader(r io.Reader) io.Reader {
	return reading(func(p []byte) (int, error) { return r.Read(p[:(len(p)+1)/2]) })
}

// DataErrReader gives an error with the last bytes, not behind them.
func DataErrReader(r io.Reader) io.Reader {
	room := make([]byte, 1024)
	var ahead []byte
	return reading(func(p []byte) (n int, err error) {
		for {
			if len(ahead) == 0 {
				var read int
				read, err = r.Read(room)
				ahead = room[:read]
			}
			if n > 0 || err != nil {
				return n, err
			}
			n = copy(p, ahead)
			ahead = ahead[n:]
		}
	})
}

// ErrTimeout is what TimeoutReader gives.
var ErrTimeout = errors.New("timeout")

// TimeoutReader fails the second time that it is asked.
func TimeoutReader(r io.Reader) io.Reader {
	calls := 0
	return reading(func(p []byte) (int, error) {
		if calls++; calls == 2 {
			return 0, ErrTimeout
		}
		return r.Read(p)
	})
}

// ErrReader always fails.
func ErrReader(err error) io.Reader {
	return reading(func([]byte) (int, error) { return 0, err })
}
