package gif

import (
	"bufio"
	"compress/lzw"
	"errors"
	"fmt"
	"image"
	"image/color"
	"io"
)

//go:effect image.formats
func init() { image.RegisterFormat("gif", "GIF8?a", Decode, DecodeConfig) }

var (
	errShort = errors.New("gif: not enough image data")
	errLong  = errors.New("gif: too much image data")
	errPixel = errors.New("gif: invalid pixel value")
)

type byteReader interface {
	io.Reader
	io.ByteReader
}

type decoder struct {
	r      byteReader
	g      GIF
	colors color.Palette // of all pictures that have none of their own

	// What a control says of the next picture.
	delay       int
	disposal    byte
	transparent int // index, −1 for none
}

// full says of the end of the file that it comes too early.
func full(err error) error {
	if err != io.EOF {
		return err
	}
	return io.ErrUnexpectedEOF
}

func (d *decoder) fill(p []byte) error {
	_, err := io.ReadFull(d.r, p)
	return full(err)
}

func (d *decoder) byte() (byte, error) {
	b, err := d.r.ReadByte()
	return b, full(err)
}

// block reads a block, whose length stands before it. An empty one ends them.
func (d *decoder) block() ([]byte, error) {
	n, err := d.byte()
	if n == 0 || err != nil {
		return nil, err
	}
	p := make([]byte, n)
	return p, d.fill(p)
}

func number(p []byte) int { return int(p[0]) | int(p[1])<<8 }

func (d *decoder) screen() error {
	var p [13]byte
	if err := d.fill(p[:]); err != nil {
		return fmt.Errorf("gif: reading header: %v", err)
	}
	if v := string(p[:6]); v != "GIF87a" && v != "GIF89a" {
		return fmt.Errorf("gif: can't recognize format %q", v)
	}
	d.g.Config.Width, d.g.Config.Height = number(p[6:]), number(p[8:])
	if p[10]&hasColors == 0 {
		return nil
	}
	d.g.BackgroundIndex = p[11]
	var err error
	d.colors, err = d.palette(p[10])
	return err
}

func (d *decoder) palette(fields byte) (color.Palette, error) {
	n := 2 << (fields & colorBits)
	p := make([]byte, 3*n)
	if err := d.fill(p); err != nil {
		return nil, fmt.Errorf("gif: reading color table: %s", err)
	}
	colors := make(color.Palette, n)
	for i := range colors {
		colors[i] = color.RGBA{p[3*i], p[3*i+1], p[3*i+2], 0xff}
	}
	return colors, nil
}

// decode reads the file: all of it, or up to the end of the first picture, or of the header.
func (d *decoder) decode(r io.Reader, onlyConfig, onlyFirst bool) error {
	own, ok := r.(byteReader)
	if !ok {
		own = bufio.NewReader(r)
	}
	d.r, d.g.LoopCount, d.transparent = own, -1, -1
	if err := d.screen(); err != nil || onlyConfig {
		return err
	}
	for {
		part, err := d.byte()
		if err != nil {
			return fmt.Errorf("gif: reading frames: %v", err)
		}
		switch part {
		case partExtension:
			err = d.extension()
		case partPicture:
			err = d.picture()
			if err == nil && onlyFirst {
				return nil
			}
		case partEnd:
			if len(d.g.Image) == 0 {
				return errors.New("gif: missing image data")
			}
			return nil
		default:
			err = fmt.Errorf("gif: unknown block type: 0x%.2x", part)
		}
		if err != nil {
			return err
		}
	}
}

func (d *decoder) extension() error {
	fail := func(err error) error { return fmt.Errorf("gif: reading extension: %v", err) }
	kind, err := d.byte()
	if err != nil {
		return fail(err)
	}
	var size byte
	switch kind {
	case extText:
		size = 13
	case extControl:
		return d.control()
	case extComment:
	case extApplication:
		if size, err = d.byte(); err != nil {
			return fail(err)
		}
	default:
		return fmt.Errorf("gif: unknown extension 0x%.2x", kind)
	}
	head := make([]byte, size)
	if err := d.fill(head); err != nil && size > 0 {
		return fail(err)
	}
	isLoop := kind == extApplication && string(head) == loopExtension
	for {
		b, err := d.block()
		if err != nil {
			return fail(err)
		}
		if len(b) == 0 {
			return nil
		}
		if isLoop && len(b) == 3 && b[0] == 1 {
			d.g.LoopCount = number(b[1:])
		}
		isLoop = false
	}
}

func (d *decoder) control() error {
	var p [6]byte
	if err := d.fill(p[:]); err != nil {
		return fmt.Errorf("gif: can't read graphic control: %s", err)
	}
	if p[0] != 4 {
		return fmt.Errorf("gif: invalid graphic control extension block size: %d", p[0])
	}
	d.disposal = p[1] >> disposalShift & disposalBits
	d.delay = number(p[2:])
	if p[1]&isTransparent != 0 {
		d.transparent = int(p[4])
	}
	if p[5] != 0 {
		return fmt.Errorf("gif: invalid graphic control extension block terminator: %d", p[5])
	}
	return nil
}

func (d *decoder) picture() error {
	var p [9]byte
	if err := d.fill(p[:]); err != nil {
		return fmt.Errorf("gif: can't read image descriptor: %s", err)
	}
	at := image.Pt(number(p[:]), number(p[2:]))
	r := image.Rectangle{at, at.Add(image.Pt(number(p[4:]), number(p[6:])))}
	if r.Max.X > d.g.Config.Width || r.Max.Y > d.g.Config.Height {
		return errors.New("gif: frame bounds larger than image bounds")
	}
	m := image.NewPaletted(r, nil)
	fields := p[8]
	if fields&hasColors != 0 {
		var err error
		if m.Palette, err = d.palette(fields); err != nil {
			return err
		}
	} else if m.Palette = d.colors; m.Palette == nil {
		return errors.New("gif: no color table")
	}
	if i := d.transparent; i >= 0 {
		// A palette of its own, in which there is this color.
		own := make(color.Palette, max(len(m.Palette), i+1))
		copy(own, m.Palette)
		for k := len(m.Palette); k < len(own); k++ {
			own[k] = color.RGBA{}
		}
		own[i] = color.RGBA{}
		m.Palette = own
	}
	if err := d.pixels(m); err != nil {
		return err
	}
	if fields&isInterlaced != 0 {
		deinterlace(m)
	}
	d.g.Image = append(d.g.Image, m)
	d.g.Delay = append(d.g.Delay, d.delay)
	d.g.Disposal = append(d.g.Disposal, d.disposal)
	// The disposal is kept for the pictures that follow.
	d.delay, d.transparent = 0, -1
	return nil
}

func (d *decoder) pixels(m *image.Paletted) error {
	fail := func(err error) error { return fmt.Errorf("gif: reading image data: %v", err) }
	width, err := d.byte()
	if err != nil {
		return fail(err)
	}
	if width < 2 || width > 8 {
		return fmt.Errorf("gif: pixel size in decode out of range: %d", width)
	}
	blocks := &blocks{d: d}
	codes := lzw.NewReader(blocks, lzw.LSB, int(width))
	defer codes.Close()
	_, err = io.ReadFull(codes, m.Pix)
	if err = full(err); err == io.ErrUnexpectedEOF {
		return errShort
	}
	if err != nil {
		return fail(err)
	}
	// Nothing may follow; the code for the end may be missing.
	var more [1]byte
	n, err := codes.Read(more[:])
	switch {
	case n != 0 && err == nil, n == 0 && err == nil:
		return errLong
	case n != 0 || err != io.EOF && err != io.ErrUnexpectedEOF:
		return fail(err)
	}
	if err := blocks.close(); err == errLong {
		return err
	} else if err != nil {
		return fail(err)
	}
	for _, i := range m.Pix {
		if int(i) >= len(m.Palette) {
			return errPixel
		}
	}
	return nil
}

// blocks are the bytes of blocks, up to an empty one.
type blocks struct {
	d    *decoder
	rest []byte
	err  error
}

// next reads a block, and says whether there is one.
func (b *blocks) next() bool {
	if b.err == nil {
		if b.rest, b.err = b.d.block(); b.err == nil && len(b.rest) == 0 {
			b.err = io.EOF
		}
		if b.err != nil {
			b.rest = nil
		}
	}
	return b.err == nil
}

func (b *blocks) ReadByte() (byte, error) {
	if len(b.rest) == 0 && !b.next() {
		return 0, b.err
	}
	c := b.rest[0]
	b.rest = b.rest[1:]
	return c, nil
}

func (b *blocks) Read(p []byte) (int, error) {
	if len(p) == 0 || b.err != nil || len(b.rest) == 0 && !b.next() {
		return 0, b.err
	}
	n := copy(p, b.rest)
	b.rest = b.rest[n:]
	return n, nil
}

// close sees that the blocks are at their end. What is left of one does not count, nor does one
// more byte in a block of its own, which some programs write.
func (b *blocks) close() error {
	end := func() error {
		if b.err == io.EOF {
			return nil
		}
		return b.err
	}
	if b.err != nil {
		return end()
	}
	if len(b.rest) == 0 {
		if !b.next() {
			return end()
		}
		if len(b.rest) > 1 {
			return errLong
		}
	}
	if b.next() {
		return errLong
	}
	return end()
}

// deinterlace puts rows in order that came in four passes.
func deinterlace(m *image.Paletted) {
	width, height := m.Rect.Dx(), m.Rect.Dy()
	out := make([]uint8, width*height)
	from := m.Pix
	for _, pass := range []struct{ first, every int }{{0, 8}, {4, 8}, {2, 4}, {1, 2}} {
		for y := pass.first; y < height; y += pass.every {
			copy(out[y*width:], from[:width])
			from = from[width:]
		}
	}
	m.Pix = out
}

// read reads a file: its header only, or up to the end of the first picture, or all.
func read(r io.Reader, isHeader, isFirst bool) (*GIF, error) {
	var d decoder
	if err := d.decode(r, isHeader, isFirst); err != nil {
		return nil, err
	}
	d.g.Config.ColorModel = d.colors
	return &d.g, nil
}

func DecodeAll(r io.Reader) (*GIF, error) { return read(r, false, false) }

func Decode(r io.Reader) (m image.Image, err error) {
	g, err := read(r, false, true)
	if err == nil {
		m = g.Image[0]
	}
	return m, err
}

func DecodeConfig(r io.Reader) (c image.Config, err error) {
	g, err := read(r, true, false)
	if err == nil {
		c = g.Config
	}
	return c, err
}
