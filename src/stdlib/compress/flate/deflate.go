// Package flate: DEFLATE, which replaces what occurred before, and codes the rest by frequency.
// RFC 1951.
package flate

import (
	"errors"
	"io"
	"slices"
	"strconv"
)

const (
	NoCompression      = 0
	BestSpeed          = 1
	BestCompression    = 9
	DefaultCompression = -1
	HuffmanOnly        = -2
)

const (
	maxStored = 65535     // bytes of a window, or of a stored block
	huffOnly  = 32 << 10  // bytes of a window without a search
	hashSlots = 1 << 15   // entries of a table
	history   = 5 * 65535 // bytes of what came before

	// encoderWords is the size of the encoder's state, in which these words stand for how much must
	// be gained by new codes, for what is added to places, and for the history in use.
	encoderWords   = 8 + 286 + 30
	wordReluctance = 5
	wordBase       = 6
	wordHistory    = 7

	// quickLevel searches less, which the encoder is told beside the reluctance.
	quickLevel = 5

	// Below this level windows with less are not searched, and those with even less are stored.
	firstLazyLevel = 7
	shortWindow    = 128
	tinyWindow     = 32
)

// What encode does with a window; to the first two, one is added where its blocks are to end.
const (
	search     = 0
	literals   = 2
	stored     = 4
	dictionary = 5
	end        = 6
)

// encode codes a window.
func encode(
	words []uint32, short, long []int32, history []byte, list []uint32, window []byte, way int,
) []byte

var errClosed = errors.New("flate: closed writer")

type Writer struct {
	w      io.Writer
	level  int
	window []byte // its capacity is how much is coded at a time
	dict   []byte
	err    error

	words *[encoderWords]uint32 // nil in a Writer that NewWriter has not made

	// What a search needs, made for the first.
	short, long []int32
	history     []byte
	list        []uint32
}

func NewWriter(w io.Writer, level int) (*Writer, error) {
	z := &Writer{w: w, level: level, words: new([encoderWords]uint32)}
	size := maxStored
	switch {
	case level == HuffmanOnly:
		z.words[wordReluctance] = 10
		size = huffOnly
	case DefaultCompression <= level && level <= BestCompression:
		z.words[wordReluctance] = 7
		if level == quickLevel {
			z.words[wordReluctance] |= quickLevel << 8
		}
	default:
		return nil, errors.New("flate: invalid compression level " + strconv.Itoa(level) +
			": want value in range [-2, 9]")
	}
	z.words[wordBase] = maxStored
	z.window = make([]byte, 0, size)
	return z, nil
}

func NewWriterDict(w io.Writer, level int, dict []byte) (*Writer, error) {
	z, err := NewWriter(w, level)
	if err != nil {
		return nil, err
	}
	z.dict = slices.Clone(dict)
	z.begin()
	return z, nil
}

// begin notes the dictionary.
func (z *Writer) begin() {
	if dict := z.dict; len(dict) > 0 && z.searches() {
		z.encode(dict[max(0, len(dict)-farthest):], dictionary)
	}
}

func (z *Writer) searches() bool { return z.level != NoCompression && z.level != HuffmanOnly }

func (z *Writer) encode(window []byte, way int) []byte {
	if z.list == nil && (way == search || way == search+1 || way == dictionary) {
		z.short, z.long = make([]int32, hashSlots), make([]int32, 2*hashSlots)
		z.history, z.list = make([]byte, history), make([]uint32, maxStored+1)
	}
	return encode(z.words[:], z.short, z.long, z.history, z.list, window, way)
}

// forget makes what came before unreachable.
func (z *Writer) forget() {
	z.words[wordBase] += farthest + z.words[wordHistory]
	z.words[wordHistory] = 0
}

func (z *Writer) put(b []byte) {
	if z.err == nil && len(b) > 0 {
		_, z.err = z.w.Write(b)
	}
}

// flush codes the window, whose blocks end then if sync is 1.
func (z *Writer) flush(sync int) {
	if _ = *z.words; len(z.window) == 0 {
		return
	}
	way := search + sync
	switch {
	case z.level == NoCompression:
		way = stored
	case z.level == HuffmanOnly:
		way = literals + sync
	case len(z.window) < shortWindow && sync == 1 && z.level < firstLazyLevel:
		way = literals + sync
		if len(z.window) <= tinyWindow {
			way = stored
		}
		z.forget()
	}
	z.put(z.encode(z.window, way))
	z.window = z.window[:0]
}

func (z *Writer) Write(data []byte) (n int, err error) {
	if z.err != nil {
		return 0, z.err
	}
	for n < len(data) {
		if len(z.window) == cap(z.window) {
			z.flush(0)
			if z.err != nil {
				return 0, z.err
			}
		}
		k := copy(z.window[len(z.window):cap(z.window)], data[n:])
		z.window = z.window[:len(z.window)+k]
		n += k
	}
	return n, nil
}

func (z *Writer) Flush() error {
	if z.err != nil {
		return z.err
	}
	z.flush(1)
	// An empty block fills the byte.
	z.put(z.encode(nil, stored))
	return z.err
}

func (z *Writer) Close() error {
	if z.err == errClosed {
		return nil
	}
	if z.err != nil {
		return z.err
	}
	z.flush(1)
	z.put(z.encode(nil, end))
	if z.err != nil {
		return z.err
	}
	z.err = errClosed
	return nil
}

func (z *Writer) Reset(dst io.Writer) {
	z.w, z.err, z.window = dst, nil, z.window[:0]
	clear(z.words[:wordReluctance])
	z.forget()
	z.begin()
}
