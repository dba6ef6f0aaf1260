// Package lzw: the compression of GIF and PDF, by codes for strings that grow as they recur.
package lzw

import (
	"bufio"
	"errors"
	"fmt"
	"internal/lend"
	"io"
	"slices"
)

type Order int

const (
	LSB Order = iota
	MSB
)

const (
	longestCode = 12
	maxCodes    = 1 << longestCode

	// Words of the states, before their tables: what the natives keep there is theirs.
	head = 12
)

var errIsClosed = errors.New("lzw: reader/writer is closed")

func check(order Order, litWidth int) error {
	if order != LSB && order != MSB {
		return errors.New("lzw: unknown order")
	}
	if litWidth < 2 || litWidth > 8 {
		return fmt.Errorf("lzw: litWidth %d out of range", litWidth)
	}
	return nil
}

// decode decodes input into out, which has room for two of the longest strings, and stops when the
// first of them is filled. It says how many bytes it has taken and made, and why it has stopped.
func decode(words []uint32, input, out []byte) (used, made, stop int)

const (
	stopInput = iota
	stopFull
	stopEnd
	stopBad
)

// begin makes the state of a decoder or encoder.
func begin(words []uint32, order, litWidth int)

type Reader struct {
	src   lend.Source
	words []uint32
	out   []byte
	rest  []byte // of out, to be read
	wants bool
	err   error
}

func NewReader(r io.Reader, order Order, litWidth int) io.ReadCloser {
	z := new(Reader)
	z.Reset(r, order, litWidth)
	return z
}

func (r *Reader) Reset(src io.Reader, order Order, litWidth int) {
	*r = Reader{words: r.words, out: r.out}
	if r.err = check(order, litWidth); r.err != nil {
		return
	}
	if r.words == nil {
		r.words, r.out = make([]uint32, head+maxCodes), make([]byte, 2*maxCodes)
	}
	begin(r.words, int(order), litWidth)
	if r.src = lend.Of(src); r.src == nil && src != nil {
		r.src = lend.Of(bufio.NewReader(src))
	}
	r.wants = true
}

func (r *Reader) Close() error {
	r.err = errIsClosed
	return nil
}

func (r *Reader) Read(b []byte) (int, error) {
	for len(r.rest) == 0 && r.err == nil {
		r.step()
	}
	if len(r.rest) == 0 {
		return 0, r.err
	}
	n := copy(b, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// fail notes the error of reading, and lets what was decoded before be read.
func (r *Reader) fail(err error) {
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	r.err = err
}

// step decodes until there is something to read, or an error.
func (r *Reader) step() {
	made := 0
	for r.err == nil && made < maxCodes {
		if r.wants {
			if err := r.src.More(); err != nil {
				r.fail(err)
				break
			}
		}
		used, n, stop := decode(r.words, r.src.Ready(), r.out[made:])
		r.src.Take(used)
		made += n
		r.wants = stop == stopInput
		switch stop {
		case stopEnd:
			r.err = io.EOF
		case stopBad:
			r.err = errors.New("lzw: invalid code")
		}
	}
	r.rest = r.out[:made]
}

// encode codes p.
func encode(words []uint32, p []byte) []byte

// finish ends the codes.
func finish(words []uint32) []byte

type flusher interface {
	io.ByteWriter
	Flush() error
}

type Writer struct {
	w           flusher
	literalBits int
	words       []uint32
	err         error
}

func NewWriter(w io.Writer, order Order, litWidth int) io.WriteCloser {
	z := new(Writer)
	z.Reset(w, order, litWidth)
	return z
}

func (w *Writer) Reset(dst io.Writer, order Order, litWidth int) {
	*w = Writer{words: w.words, literalBits: litWidth}
	if w.err = check(order, litWidth); w.err != nil {
		return
	}
	if w.words == nil {
		w.words = make([]uint32, head+4*maxCodes)
	}
	begin(w.words, int(order), litWidth)
	if own, ok := dst.(flusher); ok {
		w.w = own
	} else if dst != nil {
		w.w = bufio.NewWriter(dst)
	}
}

func (w *Writer) put(p []byte) {
	if buf, ok := w.w.(*bufio.Writer); ok {
		_, w.err = buf.Write(p)
		return
	}
	for _, c := range p {
		if w.err = w.w.WriteByte(c); w.err != nil {
			return
		}
	}
}

func (w *Writer) Write(p []byte) (n int, err error) {
	if w.err != nil || len(p) == 0 {
		return 0, w.err
	}
	if w.literalBits < 8 && slices.Max(p)>>w.literalBits != 0 {
		w.err = errors.New("lzw: input byte too large for the litWidth")
		return 0, w.err
	}
	if w.put(encode(w.words, p)); w.err != nil {
		return 0, w.err
	}
	return len(p), nil
}

func (w *Writer) Close() error {
	if w.err == errIsClosed {
		return nil
	}
	if w.err != nil {
		return w.err
	}
	w.put(finish(w.words))
	err := w.err
	w.err = errIsClosed
	if err != nil {
		return err
	}
	return w.w.Flush()
}
