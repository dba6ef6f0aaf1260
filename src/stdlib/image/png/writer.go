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
	if own, ok := m.(interface{ Opaque() bool }); ok {
		return own.Opaque()
	}
	b := m.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			if _, _, _, a := m.At(x, y).RGBA(); a != 0xffff {
				return false
			}
		}
	}
	return true
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

func Encode(w io.Writer, m image.Image) error {
	var e Encoder
	return e.Encode(w, m)
}

func (enc *Encoder) Encode(w io.Writer, m image.Image) error {
	width, height := m.Bounds().Dx(), m.Bounds().Dy()
	if width <= 0 || height <= 0 || width >= 1<<32 || height >= 1<<32 {
		return FormatError("invalid image size: " + strconv.Itoa(width) + "x" + strconv.Itoa(height))
	}
	var e *encoder
	if enc.BufferPool != nil {
		e = (*encoder)(enc.BufferPool.Get())
	}
	if e == nil {
		e = new(encoder)
	}
	if enc.BufferPool != nil {
		defer func() { enc.BufferPool.Put((*EncoderBuffer)(e)) }()
	}
	e.w, e.m = w, m

	var palette color.Palette
	if _, ok := m.(image.PalettedImage); ok {
		palette, _ = m.ColorModel().(color.Palette)
	}
	e.depth = 8
	if palette != nil {
		e.kind = paletted
		for _, depth := range []int{4, 2, 1} {
			if len(palette) <= 1<<depth {
				e.depth = depth
			}
		}
	} else {
		e.kind = trueAlpha
		switch m.ColorModel() {
		case color.GrayModel:
			e.kind = gray
		case color.Gray16Model:
			e.kind, e.depth = gray, 16
		case color.RGBAModel, color.NRGBAModel, color.AlphaModel:
		default:
			e.depth = 16
		}
		if e.kind == trueAlpha && isOpaque(m) {
			e.kind = trueColor
		}
	}

	_, e.err = io.WriteString(w, signature)
	e.header()
	if palette != nil {
		e.colors(palette)
	}
	level := zlib.DefaultCompression
	switch enc.CompressionLevel {
	case NoCompression:
		level = zlib.NoCompression
	case BestSpeed:
		level = zlib.BestSpeed
	case BestCompression:
		level = zlib.BestCompression
	}
	e.pixels(level)
	e.chunk("IEND", nil)
	return e.err
}
