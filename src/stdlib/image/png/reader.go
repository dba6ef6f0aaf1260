package png

import (
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"hash"
	"hash/crc32"
	"image"
	"image/color"
	"io"
	"math"
)

//go:effect image.formats
func init() { image.RegisterFormat("png", signature, Decode, DecodeConfig) }

var order = binary.BigEndian

// How far the chunks have come.
const (
	atStart = iota
	atHeader
	atPalette
	atTransparency
	atData
	atEnd
)

type decoder struct {
	r     io.Reader
	sum   hash.Hash32
	stage int

	width, height int
	kind, depth   int
	isInterlaced  bool
	palette       color.Palette
	// Where there is a transparent color, its samples.
	transparent []uint16

	dataLeft uint32 // of the chunk
	img      image.Image
}

// fill reads into p what belongs to the chunk.
func (d *decoder) fill(p []byte) error {
	_, err := io.ReadFull(d.r, p)
	if err == nil {
		d.sum.Write(p)
	}
	return err
}

// begin reads the head of a chunk.
func (d *decoder) begin() (length uint32, name string, err error) {
	var head [8]byte
	if _, err = io.ReadFull(d.r, head[:]); err == nil {
		length, name = order.Uint32(head[:]), string(head[4:])
		d.sum.Reset()
		d.sum.Write(head[4:])
	}
	return length, name, err
}

// endChunk compares the checksum.
func (d *decoder) endChunk() error {
	var told [4]byte
	_, err := io.ReadFull(d.r, told[:])
	if own := d.sum.Sum32(); err == nil && own != order.Uint32(told[:]) {
		err = FormatError("invalid checksum")
	}
	return err
}

func (d *decoder) header(length uint32) error {
	if length != 13 {
		return FormatError("bad IHDR length")
	}
	var h [13]byte
	if err := d.fill(h[:]); err != nil {
		return err
	}
	switch {
	case h[10] != 0:
		return UnsupportedError("compression method")
	case h[11] != 0:
		return UnsupportedError("filter method")
	case h[12] > 1:
		return FormatError("invalid interlace method")
	}
	d.isInterlaced = h[12] == 1
	width, height := int32(order.Uint32(h[:])), int32(order.Uint32(h[4:]))
	if width <= 0 || height <= 0 {
		return FormatError("non-positive dimension")
	}
	d.width, d.height = int(width), int(height)
	pixels := d.width * d.height
	if pixels != pixels*8/8 {
		return UnsupportedError("dimension overflow")
	}
	d.depth, d.kind = int(h[8]), int(h[9])
	ok := samplesOf(d.kind) > 0
	switch d.depth {
	case 1, 2, 4:
		ok = d.kind == gray || d.kind == paletted
	case 8:
	case 16:
		ok = ok && d.kind != paletted
	default:
		ok = false
	}
	if !ok {
		return UnsupportedError(fmt.Sprintf("bit depth %d, color type %d", d.depth, d.kind))
	}
	return d.endChunk()
}

func (d *decoder) colors(length uint32) error {
	n := int(length / 3)
	if length%3 != 0 || n <= 0 || n > 256 || n > 1<<d.depth {
		return FormatError("bad PLTE length")
	}
	p := make([]byte, 3*n)
	if err := d.fill(p); err != nil {
		return err
	}
	switch d.kind {
	case paletted:
		// Colors that are not there are black, where a pixel has them all the same.
		all := make(color.Palette, 256)
		for i := range all {
			c := color.RGBA{A: 0xff}
			if i < n {
				c.R, c.G, c.B = p[3*i], p[3*i+1], p[3*i+2]
			}
			all[i] = c
		}
		d.palette = all[:n]
	case trueColor, trueAlpha:
		// Advice for screens with few colors.
	default:
		return FormatError("PLTE, color type mismatch")
	}
	return d.endChunk()
}

func (d *decoder) transparency(length uint32) error {
	want := uint32(2 * samplesOf(d.kind))
	switch d.kind {
	case gray, trueColor:
		if length != want {
			return FormatError("bad tRNS length")
		}
	case paletted:
		if length > 256 {
			return FormatError("bad tRNS length")
		}
	default:
		return FormatError("tRNS, color type mismatch")
	}
	p := make([]byte, length)
	if err := d.fill(p); err != nil {
		return err
	}
	if d.kind == paletted {
		if len(d.palette) < len(p) {
			d.palette = d.palette[:len(p)]
		}
		for i, a := range p {
			opaque := color.NRGBA(d.palette[i].(color.RGBA))
			opaque.A = a
			d.palette[i] = opaque
		}
		return d.endChunk()
	}
	d.transparent = nil
	for ; len(p) > 0; p = p[2:] {
		v := order.Uint16(p)
		if d.depth < 16 {
			v = uint16(uint8(v) * spread(d.depth))
		}
		d.transparent = append(d.transparent, v)
	}
	return d.endChunk()
}

// spread times a gray of so many bits is one of eight.
func spread(depth int) uint8 { return uint8(0xff / (1<<min(depth, 8) - 1)) }

// Read reads the data of the chunk, and of those of the same kind that follow it.
func (d *decoder) Read(p []byte) (n int, err error) {
	for d.dataLeft == 0 && len(p) > 0 {
		if err = d.moreData(); err != nil {
			return 0, err
		}
	}
	if p = p[:min(uint64(len(p)), uint64(d.dataLeft))]; len(p) > 0 {
		n, err = d.r.Read(p)
		d.sum.Write(p[:n])
		d.dataLeft -= uint32(n)
	}
	return n, err
}

// moreData goes on to the next chunk, which must be of data, too.
func (d *decoder) moreData() error {
	err := d.endChunk()
	name := ""
	if err == nil {
		d.dataLeft, name, err = d.begin()
	}
	if err == nil && name != "IDAT" {
		err = FormatError("not enough pixel data")
	}
	return err
}

// passes are the parts of an interlaced picture: from which pixel on, every how manieth.
var passes = [...]struct{ x, y, everyX, everyY int }{
	{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4}, {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2},
}

func (d *decoder) data(length uint32) error {
	d.dataLeft = length
	pixels, err := zlib.NewReader(d)
	if err != nil {
		return err
	}
	defer pixels.Close()
	whole := d.canvas(d.width, d.height)
	read := d.rows
	if d.isInterlaced {
		read = d.interlaced
	}
	if err := read(pixels, whole); err != nil {
		return err
	}
	if err := d.atDataEnd(pixels); err != nil {
		return err
	}
	d.img = whole.img
	return d.endChunk()
}

// atDataEnd reads on to the checksum of the data; nothing else may follow.
func (d *decoder) atDataEnd(r io.Reader) error {
	var more [1]byte
	for range 100 {
		switch n, err := r.Read(more[:]); {
		case n == 0 && err == nil:
		case err != nil && err != io.EOF:
			return FormatError(err.Error())
		case n > 0 || d.dataLeft > 0:
			return FormatError("too much pixel data")
		default:
			return nil
		}
	}
	return io.ErrNoProgress
}

func (d *decoder) interlaced(r io.Reader, whole *canvas) error {
	for _, pass := range passes {
		width := (d.width - pass.x + pass.everyX - 1) / pass.everyX
		height := (d.height - pass.y + pass.everyY - 1) / pass.everyY
		if width == 0 || height == 0 {
			continue
		}
		part := d.canvas(width, height)
		if err := d.rows(r, part); err != nil {
			return err
		}
		if own := whole.palette; own != nil && len(own.Palette) < len(part.palette.Palette) {
			own.Palette = part.palette.Palette
		}
		size := whole.size
		for y := range height {
			to := whole.pix[(y*pass.everyY+pass.y)*whole.stride+pass.x*size:]
			from := part.pix[y*part.stride:]
			for x := range width {
				copy(to[x*pass.everyX*size:][:size], from[x*size:])
			}
		}
	}
	return nil
}

// A canvas is what is decoded into.
type canvas struct {
	img           image.Image
	pix           []uint8
	stride        int
	size          int // of a pixel
	width, height int
	palette       *image.Paletted // if it is one
}

func (d *decoder) canvas(width, height int) *canvas {
	r := image.Rect(0, 0, width, height)
	c := &canvas{width: width, height: height}
	hasAlpha := d.kind == grayAlpha || d.kind == trueAlpha || d.transparent != nil
	isWide := d.depth == 16
	switch {
	case d.kind == paletted:
		m := image.NewPaletted(r, d.palette)
		c.img, c.pix, c.stride, c.size, c.palette = m, m.Pix, m.Stride, 1, m
	case hasAlpha && isWide:
		m := image.NewNRGBA64(r)
		c.img, c.pix, c.stride, c.size = m, m.Pix, m.Stride, 8
	case hasAlpha:
		m := image.NewNRGBA(r)
		c.img, c.pix, c.stride, c.size = m, m.Pix, m.Stride, 4
	case d.kind == gray && isWide:
		m := image.NewGray16(r)
		c.img, c.pix, c.stride, c.size = m, m.Pix, m.Stride, 2
	case d.kind == gray:
		m := image.NewGray(r)
		c.img, c.pix, c.stride, c.size = m, m.Pix, m.Stride, 1
	case isWide:
		m := image.NewRGBA64(r)
		c.img, c.pix, c.stride, c.size = m, m.Pix, m.Stride, 8
	default:
		m := image.NewRGBA(r)
		c.img, c.pix, c.stride, c.size = m, m.Pix, m.Stride, 4
	}
	return c
}

func (d *decoder) rows(r io.Reader, c *canvas) error {
	bits := samplesOf(d.kind) * d.depth
	size := 1 + (bits*c.width+7)/8
	row, before := make([]byte, size), make([]byte, size)
	for y := range c.height {
		if _, err := io.ReadFull(r, row); err != nil {
			if err == io.EOF || err == io.ErrUnexpectedEOF {
				err = FormatError("not enough pixel data")
			}
			return err
		}
		if !unfilter(row, before, (bits+7)/8) {
			return FormatError("bad filter type")
		}
		d.row(c, c.pix[y*c.stride:][:c.width*c.size], row[1:])
		row, before = before, row
	}
	return nil
}

// row makes the pixels of a row of its samples.
func (d *decoder) row(c *canvas, to, from []byte) {
	if d.depth < 8 {
		from = d.unpack(from, c.width)
	}
	switch {
	case d.kind == paletted:
		copy(to, from)
		p := &c.palette.Palette
		if len(*p) == 256 {
			return
		}
		for _, i := range to {
			if len(*p) <= int(i) {
				*p = (*p)[:int(i)+1]
			}
		}
	case d.depth == 16:
		d.wide(c, to, from)
	case d.kind == gray && d.transparent == nil, d.kind == trueAlpha:
		copy(to, from)
	case d.kind == gray:
		clear := uint8(d.transparent[0])
		for x, v := range from[:c.width] {
			p := to[4*x : 4*x+4 : 4*x+4]
			p[0], p[1], p[2], p[3] = v, v, v, 0xff
			if v == clear {
				p[3] = 0
			}
		}
	case d.kind == grayAlpha:
		for x := range c.width {
			v := from[2*x]
			p := to[4*x : 4*x+4 : 4*x+4]
			p[0], p[1], p[2], p[3] = v, v, v, from[2*x+1]
		}
	default:
		t := d.transparent
		for x := range c.width {
			q := from[3*x : 3*x+3 : 3*x+3]
			p := to[4*x : 4*x+4 : 4*x+4]
			p[0], p[1], p[2], p[3] = q[0], q[1], q[2], 0xff
			if t != nil && q[0] == uint8(t[0]) && q[1] == uint8(t[1]) && q[2] == uint8(t[2]) {
				p[3] = 0
			}
		}
	}
}

// unpack makes bytes of samples of fewer bits.
func (d *decoder) unpack(from []byte, width int) []byte {
	out := make([]byte, width)
	times := spread(d.depth)
	if d.kind == paletted {
		times = 1
	}
	each := 8 / d.depth
	for x := range out {
		b := from[x/each] << (x % each * d.depth)
		out[x] = b >> (8 - d.depth) * times
	}
	return out
}

// wide is row for samples of 16 bits.
func (d *decoder) wide(c *canvas, to, from []byte) {
	n := 2 * samplesOf(d.kind)
	if n == c.size {
		copy(to, from)
		return
	}
	for x := range c.width {
		q, p := from[n*x:][:n], to[8*x:][:8]
		switch d.kind {
		case gray, grayAlpha:
			copy(p, q[:2])
			copy(p[2:], q[:2])
			copy(p[4:], q[:2])
		default:
			copy(p, q[:6])
		}
		if d.kind == grayAlpha {
			copy(p[6:], q[2:])
			continue
		}
		p[6], p[7] = 0xff, 0xff
		if d.isTransparent(q) {
			p[6], p[7] = 0, 0
		}
	}
}

func (d *decoder) isTransparent(samples []byte) bool {
	for i, v := range d.transparent {
		if order.Uint16(samples[2*i:]) != v {
			return false
		}
	}
	return d.transparent != nil
}

// chunk takes the next one. Of the data only where it begins is wanted, if configOnly.
func (d *decoder) chunk(configOnly bool) error {
	length, name, err := d.begin()
	if err != nil {
		return err
	}
	// from says that the chunk may stand there, and that it is the last one of this stage.
	from := func(ok bool, stage int) bool {
		if ok {
			d.stage = stage
		}
		return ok
	}
	isStage := func(stages ...int) bool {
		for _, s := range stages {
			if s == d.stage {
				return true
			}
		}
		return false
	}
	switch name {
	case "IHDR":
		if !from(isStage(atStart), atHeader) {
			return errOrder
		}
		return d.header(length)
	case "PLTE":
		if !from(isStage(atHeader), atPalette) {
			return errOrder
		}
		return d.colors(length)
	case "tRNS":
		ok := isStage(atHeader)
		switch d.kind {
		case paletted:
			ok = isStage(atPalette)
		case trueColor:
			ok = isStage(atHeader, atPalette)
		}
		if !from(ok, atTransparency) {
			return errOrder
		}
		return d.transparency(length)
	case "IDAT":
		if isStage(atData) {
			break
		}
		ok := isStage(atHeader, atPalette, atTransparency)
		if !from(ok && (d.stage != atHeader || d.kind != paletted), atData) {
			return errOrder
		}
		if configOnly {
			return nil
		}
		return d.data(length)
	case "IEND":
		if !from(isStage(atData), atEnd) {
			return errOrder
		}
		if length != 0 {
			return FormatError("bad IEND length")
		}
		return d.endChunk()
	}
	if length > math.MaxInt32 {
		return FormatError(fmt.Sprintf("Bad chunk length: %d", length))
	}
	var skipped [4096]byte
	for length > 0 {
		part := skipped[:min(len(skipped), int(length))]
		if err := d.fill(part); err != nil {
			return err
		}
		length -= uint32(len(part))
	}
	return d.endChunk()
}

// run takes chunks until done says that it is enough.
func (d *decoder) run(configOnly bool, done func() bool) error {
	var start [len(signature)]byte
	_, err := io.ReadFull(d.r, start[:])
	if err == nil && string(start[:]) != signature {
		err = FormatError("not a PNG file")
	}
	for err == nil && !done() {
		err = d.chunk(configOnly)
	}
	if err != io.EOF {
		return err
	}
	return io.ErrUnexpectedEOF
}

func newDecoder(r io.Reader) *decoder { return &decoder{sum: crc32.NewIEEE(), r: r} }

func DecodeConfig(r io.Reader) (image.Config, error) {
	d := newDecoder(r)
	err := d.run(true, func() bool {
		if d.kind == paletted && d.stage > atStart {
			// The palette may still change.
			return d.stage >= atTransparency
		}
		return d.stage >= atHeader
	})
	if err != nil {
		return image.Config{}, err
	}
	c := image.Config{Width: d.width, Height: d.height}
	isWide := d.depth == 16
	switch d.kind {
	case paletted:
		c.ColorModel = d.palette
	case gray:
		c.ColorModel = choose(isWide, color.Gray16Model, color.GrayModel)
	case trueColor:
		c.ColorModel = choose(isWide, color.RGBA64Model, color.RGBAModel)
	default:
		c.ColorModel = choose(isWide, color.NRGBA64Model, color.NRGBAModel)
	}
	return c, nil
}

func Decode(r io.Reader) (image.Image, error) {
	d := newDecoder(r)
	if err := d.run(false, func() bool { return d.stage == atEnd }); err != nil {
		return nil, err
	}
	return d.img, nil
}

func choose(isWide bool, wide, narrow color.Model) color.Model {
	if isWide {
		return wide
	}
	return narrow
}
