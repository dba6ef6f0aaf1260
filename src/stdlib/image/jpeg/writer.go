package jpeg

import (
	"bufio"
	"errors"
	"image"
	"io"
)

const DefaultQuality = 75

type Options struct{ Quality int }

// example gives the numbers of codes of each length, and their values, of tables for the first
// coefficients and the others of brightness, then of color.
func example(i int) []byte

// encode codes a strip of rows, which the state says how to go on from.
func encode(state []int32, quant, pixels []byte, kind, width int) []byte

// Kinds of pixels.
const (
	kindGray = iota
	kindRGB
	kindYCbCr
)

// quality50 divides coefficients, in their order, of brightness and of color.
var quality50 = [2 * perBlock]byte{
	16, 11, 12, 14, 12, 10, 16, 14, 13, 14, 18, 17, 16, 19, 24, 40,
	26, 24, 22, 22, 24, 49, 35, 37, 29, 40, 58, 51, 61, 60, 57, 51,
	56, 55, 64, 72, 92, 78, 64, 68, 87, 69, 55, 56, 80, 109, 81, 87,
	95, 98, 103, 104, 103, 62, 77, 113, 121, 112, 100, 120, 92, 101, 103, 99,
	17, 18, 18, 24, 21, 24, 47, 26, 26, 47, 99, 66, 56, 66, 99, 99,
	99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99,
	99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99,
	99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99,
}

type writer interface {
	Flush() error
	io.Writer
	io.ByteWriter
}

type encoder struct {
	w   writer
	err error
}

func (e *encoder) put(p ...byte) {
	if e.err == nil {
		_, e.err = e.w.Write(p)
	}
}

// segment writes a part with its length.
func (e *encoder) segment(marker byte, p []byte) {
	n := len(p) + 2
	e.put(0xff, marker, byte(n>>8), byte(n))
	e.put(p...)
}

func Encode(w io.Writer, m image.Image, o *Options) error {
	b := m.Bounds()
	if max(b.Dx(), b.Dy()) >= 1<<16 {
		return errors.New("jpeg: image is too large to encode")
	}
	out, isBuffered := w.(writer)
	if !isBuffered {
		out = bufio.NewWriter(w)
	}
	e := &encoder{w: out}
	quality := DefaultQuality
	if o != nil {
		quality = max(1, min(o.Quality, 100))
	}
	scale := 200 - 2*quality
	if quality < 50 {
		scale = 5000 / quality
	}
	quant := make([]byte, len(quality50))
	for i, q := range quality50 {
		quant[i] = byte(max(1, min((int(q)*scale+50)/100, 255)))
	}

	_, isGray := m.(*image.Gray)
	e.put(0xff, markStart)
	tables := append([]byte{0}, quant[:perBlock]...)
	e.segment(markQuant, append(append(tables, 1), quant[perBlock:]...))
	frame := []byte{8, byte(b.Dy() >> 8), byte(b.Dy()), byte(b.Dx() >> 8), byte(b.Dx())}
	scan := []byte{3, 1, 0x00, 2, 0x11, 3, 0x11, 0, perBlock - 1, 0}
	codes := []byte{0x00, 0x10, 0x01, 0x11}
	if isGray {
		frame = append(frame, 1, 1, 0x11, 0)
		scan = []byte{1, 1, 0x00, 0, perBlock - 1, 0}
		codes = codes[:2]
	} else {
		// Two samples of color for four of brightness.
		frame = append(frame, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1)
	}
	e.segment(markFrame, frame)
	var all []byte
	for i, class := range codes {
		all = append(append(all, class), example(i)...)
	}
	e.segment(markCodes, all)
	e.segment(markScan, scan)
	e.pixels(m, quant)
	e.put(0xff, markEnd)
	if e.err == nil {
		e.err = e.w.Flush()
	}
	return e.err
}

func (e *encoder) pixels(m image.Image, quant []byte) {
	b := m.Bounds()
	kind, each, rows := kindRGB, 4, 16
	switch m.(type) {
	case *image.Gray:
		kind, each, rows = kindGray, 1, 8
	case *image.YCbCr:
		kind = kindYCbCr
	}
	state := make([]int32, 5)
	n := each * b.Dx()
	strip := make([]byte, rows*n)
	for y := b.Min.Y; y < b.Max.Y && n > 0; y += rows {
		for i := range rows {
			row := strip[i*n:][:n]
			if y+i < b.Max.Y {
				fill(row, m, y+i)
			} else {
				copy(row, strip[(i-1)*n:])
			}
		}
		e.put(encode(state, quant, strip, kind, b.Dx())...)
	}
	// The last byte is filled with ones.
	if count := state[1]; count > 0 {
		last := byte(state[0]<<(8-count)) | 0xff>>count
		e.put(last)
		if last == 0xff {
			e.put(0)
		}
	}
}

// fill makes the pixels of a row.
func fill(row []byte, m image.Image, y int) {
	b := m.Bounds()
	switch m := m.(type) {
	case *image.Gray:
		copy(row, m.Pix[m.PixOffset(b.Min.X, y):])
	case *image.RGBA:
		copy(row, m.Pix[m.PixOffset(b.Min.X, y):])
	case *image.YCbCr:
		for i := range b.Dx() {
			c := m.YCbCrAt(b.Min.X+i, y)
			row[4*i], row[4*i+1], row[4*i+2] = c.Y, c.Cb, c.Cr
		}
	default:
		for i := range b.Dx() {
			r, g, b, _ := m.At(b.Min.X+i, y).RGBA()
			row[4*i], row[4*i+1], row[4*i+2] = byte(r>>8), byte(g>>8), byte(b>>8)
		}
	}
}
