package gif

import (
	"bufio"
	"compress/lzw"
	"encoding/binary"
	"errors"
	"image"
	"image/color"
	"image/color/palette"
	"image/draw"
	"io"
	"math/bits"
	"slices"
)

var order = binary.LittleEndian

type Options struct {
	NumColors int
	Quantizer draw.Quantizer
	Drawer    draw.Drawer
}

type writer interface {
	Flush() error
	io.Writer
	io.ByteWriter
}

type encoder struct {
	w      writer
	g      GIF
	colors []byte // of all pictures, filled to a power of two
	err    error
}

func (e *encoder) put(p ...byte) {
	if e.err == nil {
		_, e.err = e.w.Write(p)
	}
}

// size is the bits of an index less one, as the fields tell it.
func size(colors int) int {
	if colors < 2 {
		return 0
	}
	return bits.Len(uint(colors-1)) - 1
}

// table is a palette as the file has it.
func table(p color.Palette) ([]byte, error) {
	n := size(len(p))
	if n >= 8 {
		return nil, errors.New("gif: cannot encode color table with more than 256 entries")
	}
	t := make([]byte, 3*(2<<n))
	for i, c := range p {
		if c == nil {
			return nil, errNil
		}
		red, green, blue, _ := c.RGBA()
		t[3*i], t[3*i+1], t[3*i+2] = byte(red>>8), byte(green>>8), byte(blue>>8)
	}
	return t, nil
}

var errNil = errors.New("gif: cannot encode color table with nil entries")

func (e *encoder) header() {
	screen := e.g.Config
	head := []byte("GIF89a")
	head = order.AppendUint16(head, uint16(screen.Width))
	head = order.AppendUint16(head, uint16(screen.Height))
	if p, ok := screen.ColorModel.(color.Palette); ok && len(p) > 0 {
		e.put(append(head, hasColors|byte(size(len(p))), e.g.BackgroundIndex, 0)...)
		colors, err := table(p)
		if err != nil && e.err == nil {
			e.err = err
			return
		}
		e.colors = colors
		e.put(colors...)
	} else {
		e.put(append(head, 0, 0, 0)...)
	}
	if len(e.g.Image) > 1 && e.g.LoopCount >= 0 {
		loop := append([]byte{partExtension, extApplication, 11}, loopExtension...)
		loop = order.AppendUint16(append(loop, 3, 1), uint16(e.g.LoopCount))
		e.put(append(loop, 0)...)
	}
}

// transparent is the first color that is not seen, −1 if there is none.
func transparent(p color.Palette) (int, error) {
	for i, c := range p {
		if c == nil {
			return 0, errNil
		}
		if _, _, _, a := c.RGBA(); a == 0 {
			return i, nil
		}
	}
	return -1, nil
}

func (e *encoder) fail(text string) {
	if e.err == nil {
		e.err = errors.New(text)
	}
}

func (e *encoder) picture(m *image.Paletted, delay int, disposal byte) {
	if e.err != nil {
		return
	}
	b := m.Bounds()
	screen := image.Rect(0, 0, e.g.Config.Width, e.g.Config.Height)
	switch {
	case len(m.Palette) == 0:
		e.fail("gif: cannot encode image block with empty palette")
		return
	case min(b.Min.X, b.Min.Y) < 0 || max(b.Max.X, b.Max.Y) >= 1<<16:
		e.fail("gif: image block is too large to encode")
		return
	case !b.In(screen):
		e.fail("gif: image block is out of bounds")
		return
	}
	clear, err := transparent(m.Palette)
	if err != nil {
		e.err = err
		return
	}
	if delay > 0 || disposal != 0 || clear >= 0 {
		flags := disposal << disposalShift
		if clear >= 0 {
			flags |= isTransparent
		}
		control := order.AppendUint16([]byte{partExtension, extControl, 4, flags}, uint16(delay))
		e.put(append(control, byte(max(clear, 0)), 0)...)
	}
	head := []byte{partPicture}
	for _, v := range []int{b.Min.X, b.Min.Y, b.Dx(), b.Dy()} {
		head = order.AppendUint16(head, uint16(v))
	}
	e.put(head...)
	if !e.palette(m.Palette, clear) {
		return
	}
	width := max(size(len(m.Palette))+1, 2)
	e.put(byte(width))
	out := &chunker{e: e}
	codes := lzw.NewWriter(out, lzw.LSB, width)
	for y := range b.Dy() {
		row := m.Pix[y*m.Stride:][:b.Dx()]
		if b.Dx() == m.Stride {
			// All rows at once.
			row = m.Pix[:b.Dx()*b.Dy()]
		}
		if _, err := codes.Write(row); err != nil && e.err == nil {
			e.err = err
		}
		if e.err != nil {
			codes.Close()
			return
		}
		if b.Dx() == m.Stride {
			break
		}
	}
	codes.Close()
	out.close()
}

// palette writes the picture's own, unless that of all has its colors. One that is transparent may
// be any.
func (e *encoder) palette(p color.Palette, clear int) bool {
	all, ok := e.g.Config.ColorModel.(color.Palette)
	if ok && len(p) <= len(all) && &all[0] == &p[0] {
		e.put(0)
		return true
	}
	t, err := table(p)
	if err != nil {
		if e.err == nil {
			e.err = err
		}
		return false
	}
	if len(t) <= len(e.colors) {
		own, theirs := slices.Clone(t[:3*len(p)]), e.colors[:3*len(p)]
		if clear >= 0 {
			copy(own[3*clear:], theirs[3*clear:][:3])
		}
		if slices.Equal(own, theirs) {
			e.put(0)
			return true
		}
	}
	e.put(hasColors | byte(size(len(p))))
	e.put(t...)
	return true
}

// A chunker writes blocks behind their lengths.
type chunker struct {
	e   *encoder
	buf []byte
}

const maxBlock = 255

func (b *chunker) Flush() error { return b.e.err }

func (b *chunker) WriteByte(c byte) error {
	if b.e.err != nil {
		return b.e.err
	}
	b.buf = append(b.buf, c)
	if len(b.buf) == maxBlock {
		b.e.put(append([]byte{maxBlock}, b.buf...)...)
		b.buf = b.buf[:0]
	}
	return b.e.err
}

func (b *chunker) Write(p []byte) (int, error) {
	var err error
	n := 0
	for ; n < len(p); n++ {
		if err = b.WriteByte(p[n]); err != nil {
			break
		}
	}
	return n, err
}

func (b *chunker) close() {
	if len(b.buf) > 0 {
		b.e.put(append([]byte{byte(len(b.buf))}, b.buf...)...)
	}
	b.e.put(0)
	if b.e.err == nil {
		b.e.err = b.e.w.Flush()
	}
}

// wrong says why g cannot be written; nothing if it can.
func (g *GIF) wrong() string {
	_, hasPalette := g.Config.ColorModel.(color.Palette)
	switch n := len(g.Image); {
	case n == 0:
		return "gif: must provide at least one image"
	case len(g.Delay) != n:
		return "gif: mismatched image and delay lengths"
	case g.Disposal != nil && len(g.Disposal) != n:
		return "gif: mismatched image and disposal lengths"
	case g.Config.ColorModel != nil && !hasPalette:
		return "gif: GIF color model must be a color.Palette"
	}
	return ""
}

func EncodeAll(w io.Writer, g *GIF) error {
	if why := g.wrong(); why != "" {
		return errors.New(why)
	}
	out, isBuffered := w.(writer)
	if !isBuffered {
		out = bufio.NewWriter(w)
	}
	e := encoder{w: out, g: *g}
	if e.g.Config == (image.Config{}) {
		corner := g.Image[0].Rect.Max
		e.g.Config = image.Config{Width: corner.X, Height: corner.Y}
	}
	if e.g.Disposal == nil {
		e.g.Disposal = make([]byte, len(g.Image))
	}
	e.header()
	for i, m := range g.Image {
		e.picture(m, g.Delay[i], e.g.Disposal[i])
	}
	if e.put(partEnd); e.err == nil {
		e.err = out.Flush()
	}
	return e.err
}

func Encode(w io.Writer, m image.Image, o *Options) error {
	size := m.Bounds().Size()
	if max(size.X, size.Y) >= 1<<16 {
		return errors.New("gif: image is too large to encode")
	}
	var with Options
	if o != nil {
		with = *o
	}
	frame := with.frame(m)
	frame.Rect = frame.Rect.Sub(frame.Rect.Min)
	config := image.Config{ColorModel: frame.Palette, Width: size.X, Height: size.Y}
	return EncodeAll(w, &GIF{Image: []*image.Paletted{&frame}, Delay: []int{0}, Config: config})
}

// frame is m in as many colors as there may be: as it is, in the colors that its model has, or
// drawn in those of a palette for it.
func (o *Options) frame(m image.Image) image.Paletted {
	most := o.NumColors
	if most < 1 || most > maxColorsTotal {
		most = maxColorsTotal
	}
	r := m.Bounds()
	colors, _ := m.ColorModel().(color.Palette)
	if own, ok := m.(*image.Paletted); ok && len(own.Palette) <= most {
		return *own
	} else if !ok && colors != nil && len(colors) <= most {
		out := image.NewPaletted(r, colors)
		for i := range out.Pix {
			out.Pix[i] = byte(colors.Index(m.At(r.Min.X+i%r.Dx(), r.Min.Y+i/r.Dx())))
		}
		return *out
	}
	out := image.NewPaletted(r, palette.Plan9[:most])
	if o.Quantizer != nil {
		out.Palette = o.Quantizer.Quantize(make(color.Palette, 0, most), m)
	}
	by := o.Drawer
	if by == nil {
		by = draw.FloydSteinberg
	}
	by.Draw(out, r, m, r.Min)
	return *out
}
