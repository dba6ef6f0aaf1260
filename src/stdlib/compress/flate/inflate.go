package flate

import (
	"bufio"
	"internal/lend"
	"io"
	"strconv"
)

type (
	CorruptInputError int64
	InternalError     string
)

func (why CorruptInputError) Error() string {
	return "flate: corrupt input before offset " + strconv.FormatInt(int64(why), 10)
}

func (why InternalError) Error() string { return "flate: internal error: " + string(why) }

type ReadError struct {
	Offset int64
	Err    error
}

func (e *ReadError) Error() string { return failure("read", e.Offset, e.Err) }

type WriteError struct {
	Offset int64
	Err    error
}

func (e *WriteError) Error() string { return failure("write", e.Offset, e.Err) }

func failure(what string, offset int64, err error) string {
	at := strconv.FormatInt(offset, 10)
	return "flate: " + what + " error at offset " + at + ": " + err.Error()
}

type Resetter interface {
	Reset(r io.Reader, dict []byte) error
}

type Reader interface {
	io.Reader
	io.ByteReader
}

const (
	farthest = 1 << 15

	// decoderWords is the size of the decoder's state; these words tell where the next byte goes,
	// and whether the window has been full.
	decoderWords = 16 + 1024 + 143*32 + 1024 + 16*32
	wordTo       = 6
	wordFull     = 7
)

// Why decode stops.
const (
	stopInput = iota
	stopFilled
	stopEnd
	stopCorrupt
	stopShow
)

// decode decodes input into the window; how many bytes it has used, and why it stops.
func decode(words []uint32, window, input []byte) (used, stop int)

type decompressor struct {
	src   lend.Source
	own   *bufio.Reader // if the reader does not give single bytes
	words []uint32
	ring  []byte
	shown int // of the ring, what has been put into out, or was there before

	begun []byte // input that has been taken and not used
	taken int64
	wants bool   // more input
	out   []byte // decoded, to be read
	err   error
}

func NewReader(r io.Reader) io.ReadCloser { return NewReaderDict(r, nil) }

func NewReaderDict(r io.Reader, dict []byte) io.ReadCloser {
	d := &decompressor{words: make([]uint32, decoderWords), ring: make([]byte, farthest)}
	d.Reset(r, dict)
	return d
}

func (d *decompressor) Reset(r io.Reader, dict []byte) error {
	*d = decompressor{own: d.own, words: d.words, ring: d.ring}
	if d.src = lend.Of(r); d.src == nil {
		if d.own == nil {
			d.own = bufio.NewReader(r)
		} else {
			d.own.Reset(r)
		}
		d.src = lend.Of(d.own)
	}
	clear(d.words[:16])
	n := copy(d.ring, dict[max(0, len(dict)-farthest):])
	if n == farthest {
		n = 0
		d.words[wordFull] = 1
	}
	d.words[wordTo] = uint32(n)
	d.shown = n
	return nil
}

// show puts into out what is new in the ring.
func (d *decompressor) show() {
	to := int(d.words[wordTo])
	d.out = d.ring[d.shown:to]
	d.shown = to
}

// step decodes until there is something to show, or it is over.
func (d *decompressor) step() {
	for len(d.out) == 0 && d.err == nil {
		if d.wants {
			if err := d.src.More(); err != nil {
				if err == io.EOF {
					err = io.ErrUnexpectedEOF
				}
				d.show()
				d.err = err
				return
			}
		}
		ready := d.src.Ready()
		input := ready
		if len(d.begun) > 0 {
			// No header is longer.
			ready = ready[:min(len(ready), 1<<10)]
			input = append(d.begun[:len(d.begun):len(d.begun)], ready...)
		}
		used, stop := decode(d.words, d.ring, input)
		base := d.taken - int64(len(d.begun))
		take := max(0, used-len(d.begun))
		d.wants = stop == stopInput
		if d.wants {
			// All of it belongs to what has begun.
			take = len(ready)
			d.begun = append([]byte(nil), input[used:]...)
		} else {
			d.begun = d.begun[min(used, len(d.begun)):]
		}
		d.src.Take(take)
		d.taken += int64(take)
		switch stop {
		case stopFilled:
			d.out = d.ring[d.shown:]
			d.shown = 0
		case stopShow:
			d.show()
		case stopEnd:
			d.show()
			d.err = io.EOF
		case stopCorrupt:
			d.show()
			d.err = CorruptInputError(base + int64(used))
		}
	}
}

func (d *decompressor) Read(b []byte) (int, error) {
	d.step()
	n := copy(b, d.out)
	if d.out = d.out[n:]; len(d.out) > 0 {
		return n, nil
	}
	return n, d.err
}

func (d *decompressor) Close() error {
	if d.err == io.EOF {
		return nil
	}
	return d.err
}
