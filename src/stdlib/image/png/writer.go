package png

import (
	"compress/zlib"
	"hash/crc32"
	"image"
	"image/color"
	"io"
	"strconv"
)

type CompressionLevel int

const (
	DefaultCompression CompressionLevel = 0
	NoCompression      CompressionLevel = -1
	BestSpeed          CompressionLevel = -2
	BestCompression    CompressionLevel = -3
)

type Encoder struct {
	CompressionLevel CompressionLevel
	BufferPool       EncoderBufferPool
}

type EncoderBufferPool interface {
	Get() *EncoderBuffer
	Put(*EncoderBuffer)
}

type EncoderBuffer encoder

type encoder struct {
	w           io.Writer
	m           image.Image
	kind, depth int
	err         error
	data        []byte // of the next chunk
	level       int
	packer      *zlib.Writer
}

// isOpaque says whether no pixel lets others shine through.
func isOpaque(m image.Image) bool {
	type knowing interface{ Opaque() bool }
	if m, ok := m.(knowing); ok {
		return m.Opaque()
	}
	const full = 0xffff
	alpha := uint32(full)
	r := m.Bounds()
	for i := 0; i < r.Dx()*r.Dy() && alpha == full; i++ {
		_, _, _, alpha = m.At(r.Min.X+i%r.Dx(), r.Min.Y+i/r.Dx()).RGBA()
	}
	return alpha == full
}

func (e *encoder) chunk(name string, b []byte) {
	if uint64(len(b)) > 1<<32-1 && e.err == nil {
		e.err = UnsupportedError(name + " chunk is too large: " + strconv.Itoa(len(b)))
	}
	head := append(order.AppendUint32(nil, uint32(len(b))), name...)
	sum := crc32.Update(crc32.ChecksumIEEE(head[4:]), crc32.IEEETable, b)
	for _, part := range [][]byte{head, b, order.AppendUint32(nil, sum)} {
		if e.err == nil {
			_, e.err = e.w.Write(part)
		}
	}
}

func (e *encoder) header() {
	b := e.m.Bounds()
	h := order.AppendUint32(order.AppendUint32(nil, uint32(b.Dx())), uint32(b.Dy()))
	e.chunk("IHDR", append(h, byte(e.depth), byte(e.kind), 0, 0, 0))
}

func (e *encoder) colors(p color.Palette) {
	if len(p) < 1 || len(p) > 256 {
		if e.err == nil {
			e.err = FormatError("bad palette length: " + strconv.Itoa(len(p)))
		}
		return
	}
	var colors, alphas []byte
	last := 0
	for i, c := range p {
		n := color.NRGBAModel.Convert(c).(color.NRGBA)
		colors = append(colors, n.R, n.G, n.B)
		alphas = append(alphas, n.A)
		if n.A != 0xff {
			last = i + 1
		}
	}
	e.chunk("PLTE", colors)
	if last > 0 {
		e.chunk("tRNS", alphas[:last])
	}
}

// dataLen is how much a chunk of data holds, but for the last.
const dataLen = 1 << 15

// Write takes compressed data.
func (e *encoder) Write(p []byte) (n int, err error) {
	n = len(p)
	for len(p) > 0 && e.err == nil {
		if len(e.data) == dataLen {
			e.flush()
		}
		k := min(dataLen-len(e.data), len(p))
		e.data = append(e.data, p[:k]...)
		p = p[k:]
	}
	return n, e.err
}

func (e *encoder) flush() {
	if len(e.data) > 0 {
		e.chunk("IDAT", e.data)
		e.data = e.data[:0]
	}
}

func (e *encoder) pixels(level int) {
	if e.err != nil {
		return
	}
	e.data = e.data[:0]
	if e.packer == nil || e.level != level {
		e.packer, e.err = zlib.NewWriterLevel(e, level)
		e.level = level
		if e.err != nil {
			return
		}
	} else {
		e.packer.Reset(e)
	}
	b := e.m.Bounds()
	bits := samplesOf(e.kind) * e.depth
	size := 1 + (bits*b.Dx()+7)/8
	row, before, rows := make([]byte, size), make([]byte, size), make([]byte, filters*size)
	filters := e.kind != paletted && level != zlib.NoCompression
	for y := b.Min.Y; y < b.Max.Y && e.err == nil; y++ {
		e.row(row[1:], y)
		out := row
		if filters {
			best := filter(rows, row, before, bits/8)
			out = rows[best*size:][:size]
		}
		if _, err := e.packer.Write(out); err != nil && e.err == nil {
			e.err = err
		}
		row, before = before, row
	}
	if err := e.packer.Close(); e.err == nil {
		e.err = err
	}
	e.flush()
}

// row makes the samples of a row.
func (e *encoder) row(to []byte, y int) {
	b := e.m.Bounds()
	switch m := e.m.(type) {
	case *image.Gray:
		copy(to, m.Pix[m.PixOffset(b.Min.X, y):][:b.Dx()])
		return
	case *image.RGBA:
		e.rowOf(to, m.Pix[m.PixOffset(b.Min.X, y):][:4*b.Dx()], false)
		return
	case *image.NRGBA:
		e.rowOf(to, m.Pix[m.PixOffset(b.Min.X, y):][:4*b.Dx()], true)
		return
	}
	if e.kind == paletted {
		e.indices(to, y)
		return
	}
	for x := b.Min.X; x < b.Max.X; x++ {
		c := e.m.At(x, y)
		switch {
		case e.kind == gray && e.depth == 8:
			to[0] = color.GrayModel.Convert(c).(color.Gray).Y
		case e.kind == gray:
			order.PutUint16(to, color.Gray16Model.Convert(c).(color.Gray16).Y)
		case e.kind == trueColor:
			r, g, b, _ := c.RGBA()
			if e.depth == 8 {
				to[0], to[1], to[2] = byte(r>>8), byte(g>>8), byte(b>>8)
				break
			}
			order.PutUint16(to, uint16(r))
			order.PutUint16(to[2:], uint16(g))
			order.PutUint16(to[4:], uint16(b))
		case e.depth == 8:
			n := color.NRGBAModel.Convert(c).(color.NRGBA)
			to[0], to[1], to[2], to[3] = n.R, n.G, n.B, n.A
		default:
			n := color.NRGBA64Model.Convert(c).(color.NRGBA64)
			order.PutUint16(to, n.R)
			order.PutUint16(to[2:], n.G)
			order.PutUint16(to[4:], n.B)
			order.PutUint16(to[6:], n.A)
		}
		to = to[samplesOf(e.kind)*e.depth/8:]
	}
}

// rowOf is row for pixels of four bytes, multiplied by alpha or not.
func (e *encoder) rowOf(to, from []byte, isPlain bool) {
	if e.kind == trueColor {
		for i, j := 0, 0; j < len(from); i, j = i+3, j+4 {
			to[i], to[i+1], to[i+2] = from[j], from[j+1], from[j+2]
		}
		return
	}
	copy(to, from)
	if isPlain {
		return
	}
	for i := 0; i < len(from); i += 4 {
		switch a := uint32(from[i+3]) * 0x101; a {
		case 0:
			to[i], to[i+1], to[i+2] = 0, 0, 0
		case 0xffff:
		default:
			for k := range 3 {
				to[i+k] = uint8(uint32(from[i+k]) * 0x101 * 0xffff / a >> 8)
			}
		}
	}
}

// indices is row for colors of a palette, several to a byte if there are few.
func (e *encoder) indices(to []byte, y int) {
	b := e.m.Bounds()
	m := e.m.(image.PalettedImage)
	if own, ok := m.(*image.Paletted); ok && e.depth == 8 {
		copy(to, own.Pix[own.PixOffset(b.Min.X, y):][:b.Dx()])
		return
	}
	var bits uint8
	filled := 0
	for x := b.Min.X; x < b.Max.X; x++ {
		bits = bits<<e.depth | m.ColorIndexAt(x, y)
		filled += e.depth
		if filled == 8 {
			to[0], to = bits, to[1:]
			bits, filled = 0, 0
		}
	}
	if filled > 0 {
		to[0] = bits << (8 - filled)
	}
}

func Encode(w io.Writer, m image.Image) error { return new(Encoder).Encode(w, m) }

func (enc *Encoder) Encode(w io.Writer, m image.Image) error {
	size := m.Bounds().Size()
	if min(size.X, size.Y) <= 0 || max(size.X, size.Y) >= 1<<32 {
		as := strconv.Itoa(size.X) + "x" + strconv.Itoa(size.Y)
		return FormatError("invalid image size: " + as)
	}
	e := new(encoder)
	if pool := enc.BufferPool; pool != nil {
		if lent := pool.Get(); lent != nil {
			e = (*encoder)(lent)
		}
		defer func() { pool.Put((*EncoderBuffer)(e)) }()
	}
	e.w, e.m = w, m
	colors := e.choose()
	_, e.err = io.WriteString(w, signature)
	e.header()
	if colors != nil {
		e.colors(colors)
	}
	e.pixels(enc.CompressionLevel.effort())
	e.chunk("IEND", nil)
	return e.err
}

// choose decides on kind and depth by what the picture is; its palette, if that has the colors.
func (e *encoder) choose() color.Palette {
	model := e.m.ColorModel()
	colors, _ := model.(color.Palette)
	if _, ok := e.m.(image.PalettedImage); ok && colors != nil {
		e.kind, e.depth = paletted, 1
		for e.depth < 8 && len(colors) > 1<<e.depth {
			e.depth *= 2
		}
		return colors
	}
	e.kind, e.depth = trueAlpha, 16
	switch model {
	case color.RGBAModel, color.NRGBAModel, color.AlphaModel:
		e.depth = 8
	case color.GrayModel:
		e.kind, e.depth = gray, 8
	case color.Gray16Model:
		e.kind = gray
	}
	if e.kind == trueAlpha && isOpaque(e.m) {
		e.kind = trueColor
	}
	return nil
}

// effort is the level as zlib counts them.
func (l CompressionLevel) effort() int {
	switch l {
	case NoCompression, BestSpeed, BestCompression:
		return [...]int{zlib.NoCompression, zlib.BestSpeed, zlib.BestCompression}[-1-l]
	}
	return zlib.DefaultCompression
}
