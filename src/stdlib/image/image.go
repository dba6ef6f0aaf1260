// Package image: pictures in memory, and a register of the formats they are written in.
//
// Eight kinds of pictures differ in their pixels alone: each is a raster, rows of pixels with a
// fixed number of bytes, samples with the high byte first. So a *RGBA is converted to a *raster
// for what they have in common (where a pixel lies, what a part of a picture is, whether all is
// opaque), and says itself only what the bytes of a pixel mean: a function that gets the color out
// of them, and one that puts it in. Paletted has a palette besides, YCbCr has planes (ycbcr.go).
package image

import "image/color"

type Config struct {
	ColorModel    color.Model
	Width, Height int
}

type Image interface {
	ColorModel() color.Model
	Bounds() Rectangle
	At(x, y int) color.Color
}

type RGBA64Image interface {
	RGBA64At(x, y int) color.RGBA64
	Image
}

type PalettedImage interface {
	ColorIndexAt(x, y int) uint8
	Image
}

// A raster has its pixels row by row, a row beginning Stride bytes behind the last.
type raster struct {
	Pix    []uint8
	Stride int
	Rect   Rectangle
}

// blank is a raster for r with pixels of so many bytes.
func blank(size int, r Rectangle, kind string) *raster {
	n := product(size, r.Dx(), r.Dy())
	if n < 0 {
		panic("image: New" + kind + " Rectangle has huge or negative dimensions")
	}
	return &raster{make([]uint8, n), size * r.Dx(), r}
}

// offset is where the pixel of so many bytes begins.
func offset(r Rectangle, stride, size, x, y int) int {
	return (y-r.Min.Y)*stride + (x-r.Min.X)*size
}

func (m *raster) offset(size, x, y int) int { return offset(m.Rect, m.Stride, size, x, y) }

// at gives the bytes of a pixel; none if it lies outside.
func (m *raster) at(size, x, y int) []uint8 {
	if !m.Rect.has(x, y) {
		return nil
	}
	i := m.offset(size, x, y)
	return m.Pix[i : i+size : i+size]
}

// crop is the part of m in r, which shares the pixels.
func (m *raster) crop(size int, r Rectangle) *raster {
	part := &raster{Rect: r.Intersect(m.Rect)}
	if from := part.Rect.Min; !part.Rect.Empty() {
		part.Pix, part.Stride = m.Pix[m.offset(size, from.X, from.Y):], m.Stride
	}
	return part
}

// opaque says whether of every pixel the last n bytes, its alpha, are full.
func (m *raster) opaque(size, n int) bool { return isOpaque(m.Pix, m.Rect, m.Stride, size, n) }

func isOpaque(pix []uint8, r Rectangle, stride, size, n int) bool {
	if r.Empty() {
		return true
	}
	for y := range r.Dy() {
		row := pix[y*stride:][:r.Dx()*size]
		for i := size - n; i < len(row); i += size {
			if row[i]&row[i+n-1] != 0xff {
				return false
			}
		}
	}
	return true
}

func get16(p []uint8) uint16 { return uint16(p[0])<<8 | uint16(p[1]) }

func put16(p []uint8, v uint16) { p[0], p[1] = uint8(v>>8), uint8(v) }

func rgba64(c color.Color) (wide color.RGBA64) {
	r, g, b, a := c.RGBA()
	wide.R, wide.G, wide.B, wide.A = uint16(r), uint16(g), uint16(b), uint16(a)
	return wide
}

// high is the high byte of a sample.
func high(v uint16) uint8 { return uint8(v >> 8) }

// luma is how bright a color is, in 16 bits and 16 binary places.
func luma(c color.RGBA64) uint32 {
	return 7471*uint32(c.B) + 19595*uint32(c.R) + 38470*uint32(c.G) + 1<<15
}

// divided takes the alpha out of the other three.
func divided(c color.RGBA64) color.RGBA64 {
	a := uint32(c.A)
	if a == 0 || a == 0xffff {
		return c
	}
	part := func(v uint16) uint16 { return uint16(uint32(v) * 0xffff / a) }
	return color.RGBA64{part(c.R), part(c.G), part(c.B), c.A}
}

type RGBA struct {
	Pix    []uint8
	Stride int
	Rect   Rectangle
}

func NewRGBA(r Rectangle) *RGBA { return (*RGBA)(blank(4, r, "RGBA")) }

func (m *RGBA) raster() *raster                { return (*raster)(m) }
func (m *RGBA) ColorModel() color.Model        { return color.RGBAModel }
func (m *RGBA) Bounds() Rectangle              { return m.Rect }
func (m *RGBA) PixOffset(x, y int) int         { return m.raster().offset(4, x, y) }
func (m *RGBA) SubImage(r Rectangle) Image     { return (*RGBA)(m.raster().crop(4, r)) }
func (m *RGBA) Opaque() bool                   { return m.raster().opaque(4, 1) }
func (m *RGBA) At(x, y int) color.Color        { return m.RGBAAt(x, y) }
func (m *RGBA) RGBA64At(x, y int) color.RGBA64 { return rgba64(m.RGBAAt(x, y)) }

func (m *RGBA) RGBAAt(x, y int) (c color.RGBA) {
	if p := m.raster().at(4, x, y); p != nil {
		c = color.RGBA{p[0], p[1], p[2], p[3]}
	}
	return c
}

func putRGBA(p []uint8, c color.RGBA) { p[0], p[1], p[2], p[3] = c.R, c.G, c.B, c.A }

func (m *RGBA) SetRGBA(x, y int, c color.RGBA) {
	if p := m.raster().at(4, x, y); p != nil {
		putRGBA(p, c)
	}
}

func (m *RGBA) Set(x, y int, c color.Color) {
	if p := m.raster().at(4, x, y); p != nil {
		putRGBA(p, color.RGBAModel.Convert(c).(color.RGBA))
	}
}

func (m *RGBA) SetRGBA64(x, y int, c color.RGBA64) {
	m.SetRGBA(x, y, color.RGBA{high(c.R), high(c.G), high(c.B), high(c.A)})
}

type RGBA64 struct {
	Pix    []uint8
	Stride int
	Rect   Rectangle
}

func NewRGBA64(r Rectangle) *RGBA64 { return (*RGBA64)(blank(8, r, "RGBA64")) }

func (m *RGBA64) raster() *raster            { return (*raster)(m) }
func (m *RGBA64) ColorModel() color.Model    { return color.RGBA64Model }
func (m *RGBA64) Bounds() Rectangle          { return m.Rect }
func (m *RGBA64) PixOffset(x, y int) int     { return m.raster().offset(8, x, y) }
func (m *RGBA64) SubImage(r Rectangle) Image { return (*RGBA64)(m.raster().crop(8, r)) }
func (m *RGBA64) Opaque() bool               { return m.raster().opaque(8, 2) }
func (m *RGBA64) At(x, y int) color.Color    { return m.RGBA64At(x, y) }

func (m *RGBA64) RGBA64At(x, y int) (c color.RGBA64) {
	if p := m.raster().at(8, x, y); p != nil {
		c = color.RGBA64{get16(p), get16(p[2:]), get16(p[4:]), get16(p[6:])}
	}
	return c
}

func putRGBA64(p []uint8, c color.RGBA64) {
	put16(p, c.R)
	put16(p[2:], c.G)
	put16(p[4:], c.B)
	put16(p[6:], c.A)
}

func (m *RGBA64) SetRGBA64(x, y int, c color.RGBA64) {
	if p := m.raster().at(8, x, y); p != nil {
		putRGBA64(p, c)
	}
}

func (m *RGBA64) Set(x, y int, c color.Color) {
	if p := m.raster().at(8, x, y); p != nil {
		putRGBA64(p, color.RGBA64Model.Convert(c).(color.RGBA64))
	}
}

type NRGBA struct {
	Pix    []uint8
	Stride int
	Rect   Rectangle
}

func NewNRGBA(r Rectangle) *NRGBA { return (*NRGBA)(blank(4, r, "NRGBA")) }

func (m *NRGBA) raster() *raster                { return (*raster)(m) }
func (m *NRGBA) ColorModel() color.Model        { return color.NRGBAModel }
func (m *NRGBA) Bounds() Rectangle              { return m.Rect }
func (m *NRGBA) PixOffset(x, y int) int         { return m.raster().offset(4, x, y) }
func (m *NRGBA) SubImage(r Rectangle) Image     { return (*NRGBA)(m.raster().crop(4, r)) }
func (m *NRGBA) Opaque() bool                   { return m.raster().opaque(4, 1) }
func (m *NRGBA) At(x, y int) color.Color        { return m.NRGBAAt(x, y) }
func (m *NRGBA) RGBA64At(x, y int) color.RGBA64 { return rgba64(m.NRGBAAt(x, y)) }

func (m *NRGBA) NRGBAAt(x, y int) (c color.NRGBA) {
	if p := m.raster().at(4, x, y); p != nil {
		c = color.NRGBA{p[0], p[1], p[2], p[3]}
	}
	return c
}

func putNRGBA(p []uint8, c color.NRGBA) { p[0], p[1], p[2], p[3] = c.R, c.G, c.B, c.A }

func (m *NRGBA) SetNRGBA(x, y int, c color.NRGBA) {
	if p := m.raster().at(4, x, y); p != nil {
		putNRGBA(p, c)
	}
}

func (m *NRGBA) Set(x, y int, c color.Color) {
	if p := m.raster().at(4, x, y); p != nil {
		putNRGBA(p, color.NRGBAModel.Convert(c).(color.NRGBA))
	}
}

func (m *NRGBA) SetRGBA64(x, y int, c color.RGBA64) {
	c = divided(c)
	m.SetNRGBA(x, y, color.NRGBA{high(c.R), high(c.G), high(c.B), high(c.A)})
}

type NRGBA64 struct {
	Pix    []uint8
	Stride int
	Rect   Rectangle
}

func NewNRGBA64(r Rectangle) *NRGBA64 { return (*NRGBA64)(blank(8, r, "NRGBA64")) }

func (m *NRGBA64) raster() *raster                { return (*raster)(m) }
func (m *NRGBA64) ColorModel() color.Model        { return color.NRGBA64Model }
func (m *NRGBA64) Bounds() Rectangle              { return m.Rect }
func (m *NRGBA64) PixOffset(x, y int) int         { return m.raster().offset(8, x, y) }
func (m *NRGBA64) SubImage(r Rectangle) Image     { return (*NRGBA64)(m.raster().crop(8, r)) }
func (m *NRGBA64) Opaque() bool                   { return m.raster().opaque(8, 2) }
func (m *NRGBA64) At(x, y int) color.Color        { return m.NRGBA64At(x, y) }
func (m *NRGBA64) RGBA64At(x, y int) color.RGBA64 { return rgba64(m.NRGBA64At(x, y)) }

func (m *NRGBA64) NRGBA64At(x, y int) (c color.NRGBA64) {
	if p := m.raster().at(8, x, y); p != nil {
		c = color.NRGBA64{get16(p), get16(p[2:]), get16(p[4:]), get16(p[6:])}
	}
	return c
}

func putNRGBA64(p []uint8, c color.NRGBA64) {
	put16(p, c.R)
	put16(p[2:], c.G)
	put16(p[4:], c.B)
	put16(p[6:], c.A)
}

func (m *NRGBA64) SetNRGBA64(x, y int, c color.NRGBA64) {
	if p := m.raster().at(8, x, y); p != nil {
		putNRGBA64(p, c)
	}
}

func (m *NRGBA64) Set(x, y int, c color.Color) {
	if p := m.raster().at(8, x, y); p != nil {
		putNRGBA64(p, color.NRGBA64Model.Convert(c).(color.NRGBA64))
	}
}

func (m *NRGBA64) SetRGBA64(x, y int, c color.RGBA64) {
	m.SetNRGBA64(x, y, color.NRGBA64(divided(c)))
}

type Alpha struct {
	Pix    []uint8
	Stride int
	Rect   Rectangle
}

func NewAlpha(r Rectangle) *Alpha { return (*Alpha)(blank(1, r, "Alpha")) }

func (m *Alpha) raster() *raster                { return (*raster)(m) }
func (m *Alpha) ColorModel() color.Model        { return color.AlphaModel }
func (m *Alpha) Bounds() Rectangle              { return m.Rect }
func (m *Alpha) PixOffset(x, y int) int         { return m.raster().offset(1, x, y) }
func (m *Alpha) SubImage(r Rectangle) Image     { return (*Alpha)(m.raster().crop(1, r)) }
func (m *Alpha) Opaque() bool                   { return m.raster().opaque(1, 1) }
func (m *Alpha) At(x, y int) color.Color        { return m.AlphaAt(x, y) }
func (m *Alpha) RGBA64At(x, y int) color.RGBA64 { return rgba64(m.AlphaAt(x, y)) }

func (m *Alpha) AlphaAt(x, y int) (c color.Alpha) {
	if p := m.raster().at(1, x, y); p != nil {
		c = color.Alpha{p[0]}
	}
	return c
}

func putAlpha(p []uint8, c color.Alpha) { p[0] = c.A }

func (m *Alpha) SetAlpha(x, y int, c color.Alpha) {
	if p := m.raster().at(1, x, y); p != nil {
		putAlpha(p, c)
	}
}

func (m *Alpha) Set(x, y int, c color.Color) {
	if p := m.raster().at(1, x, y); p != nil {
		putAlpha(p, color.AlphaModel.Convert(c).(color.Alpha))
	}
}

func (m *Alpha) SetRGBA64(x, y int, c color.RGBA64) {
	m.SetAlpha(x, y, color.Alpha{high(c.A)})
}

type Alpha16 struct {
	Pix    []uint8
	Stride int
	Rect   Rectangle
}

func NewAlpha16(r Rectangle) *Alpha16 { return (*Alpha16)(blank(2, r, "Alpha16")) }

func (m *Alpha16) raster() *raster                { return (*raster)(m) }
func (m *Alpha16) ColorModel() color.Model        { return color.Alpha16Model }
func (m *Alpha16) Bounds() Rectangle              { return m.Rect }
func (m *Alpha16) PixOffset(x, y int) int         { return m.raster().offset(2, x, y) }
func (m *Alpha16) SubImage(r Rectangle) Image     { return (*Alpha16)(m.raster().crop(2, r)) }
func (m *Alpha16) Opaque() bool                   { return m.raster().opaque(2, 2) }
func (m *Alpha16) At(x, y int) color.Color        { return m.Alpha16At(x, y) }
func (m *Alpha16) RGBA64At(x, y int) color.RGBA64 { return rgba64(m.Alpha16At(x, y)) }

func (m *Alpha16) Alpha16At(x, y int) (c color.Alpha16) {
	if p := m.raster().at(2, x, y); p != nil {
		c = color.Alpha16{get16(p)}
	}
	return c
}

func putAlpha16(p []uint8, c color.Alpha16) { put16(p, c.A) }

func (m *Alpha16) SetAlpha16(x, y int, c color.Alpha16) {
	if p := m.raster().at(2, x, y); p != nil {
		putAlpha16(p, c)
	}
}

func (m *Alpha16) Set(x, y int, c color.Color) {
	if p := m.raster().at(2, x, y); p != nil {
		putAlpha16(p, color.Alpha16Model.Convert(c).(color.Alpha16))
	}
}

func (m *Alpha16) SetRGBA64(x, y int, c color.RGBA64) {
	m.SetAlpha16(x, y, color.Alpha16{c.A})
}

type Gray struct {
	Pix    []uint8
	Stride int
	Rect   Rectangle
}

func NewGray(r Rectangle) *Gray { return (*Gray)(blank(1, r, "Gray")) }

func (m *Gray) raster() *raster                { return (*raster)(m) }
func (m *Gray) ColorModel() color.Model        { return color.GrayModel }
func (m *Gray) Bounds() Rectangle              { return m.Rect }
func (m *Gray) PixOffset(x, y int) int         { return m.raster().offset(1, x, y) }
func (m *Gray) SubImage(r Rectangle) Image     { return (*Gray)(m.raster().crop(1, r)) }
func (m *Gray) Opaque() bool                   { return true }
func (m *Gray) At(x, y int) color.Color        { return m.GrayAt(x, y) }
func (m *Gray) RGBA64At(x, y int) color.RGBA64 { return rgba64(m.GrayAt(x, y)) }

func (m *Gray) GrayAt(x, y int) (c color.Gray) {
	if p := m.raster().at(1, x, y); p != nil {
		c = color.Gray{p[0]}
	}
	return c
}

func putGray(p []uint8, c color.Gray) { p[0] = c.Y }

func (m *Gray) SetGray(x, y int, c color.Gray) {
	if p := m.raster().at(1, x, y); p != nil {
		putGray(p, c)
	}
}

func (m *Gray) Set(x, y int, c color.Color) {
	if p := m.raster().at(1, x, y); p != nil {
		putGray(p, color.GrayModel.Convert(c).(color.Gray))
	}
}

func (m *Gray) SetRGBA64(x, y int, c color.RGBA64) {
	m.SetGray(x, y, color.Gray{uint8(luma(c) >> 24)})
}

type Gray16 struct {
	Pix    []uint8
	Stride int
	Rect   Rectangle
}

func NewGray16(r Rectangle) *Gray16 { return (*Gray16)(blank(2, r, "Gray16")) }

func (m *Gray16) raster() *raster                { return (*raster)(m) }
func (m *Gray16) ColorModel() color.Model        { return color.Gray16Model }
func (m *Gray16) Bounds() Rectangle              { return m.Rect }
func (m *Gray16) PixOffset(x, y int) int         { return m.raster().offset(2, x, y) }
func (m *Gray16) SubImage(r Rectangle) Image     { return (*Gray16)(m.raster().crop(2, r)) }
func (m *Gray16) Opaque() bool                   { return true }
func (m *Gray16) At(x, y int) color.Color        { return m.Gray16At(x, y) }
func (m *Gray16) RGBA64At(x, y int) color.RGBA64 { return rgba64(m.Gray16At(x, y)) }

func (m *Gray16) Gray16At(x, y int) (c color.Gray16) {
	if p := m.raster().at(2, x, y); p != nil {
		c = color.Gray16{get16(p)}
	}
	return c
}

func putGray16(p []uint8, c color.Gray16) { put16(p, c.Y) }

func (m *Gray16) SetGray16(x, y int, c color.Gray16) {
	if p := m.raster().at(2, x, y); p != nil {
		putGray16(p, c)
	}
}

func (m *Gray16) Set(x, y int, c color.Color) {
	if p := m.raster().at(2, x, y); p != nil {
		putGray16(p, color.Gray16Model.Convert(c).(color.Gray16))
	}
}

func (m *Gray16) SetRGBA64(x, y int, c color.RGBA64) {
	m.SetGray16(x, y, color.Gray16{uint16(luma(c) >> 16)})
}

type CMYK struct {
	Pix    []uint8
	Stride int
	Rect   Rectangle
}

func NewCMYK(r Rectangle) *CMYK { return (*CMYK)(blank(4, r, "CMYK")) }

func (m *CMYK) raster() *raster                { return (*raster)(m) }
func (m *CMYK) ColorModel() color.Model        { return color.CMYKModel }
func (m *CMYK) Bounds() Rectangle              { return m.Rect }
func (m *CMYK) PixOffset(x, y int) int         { return m.raster().offset(4, x, y) }
func (m *CMYK) SubImage(r Rectangle) Image     { return (*CMYK)(m.raster().crop(4, r)) }
func (m *CMYK) Opaque() bool                   { return true }
func (m *CMYK) At(x, y int) color.Color        { return m.CMYKAt(x, y) }
func (m *CMYK) RGBA64At(x, y int) color.RGBA64 { return rgba64(m.CMYKAt(x, y)) }

func (m *CMYK) CMYKAt(x, y int) (c color.CMYK) {
	if p := m.raster().at(4, x, y); p != nil {
		c = color.CMYK{p[0], p[1], p[2], p[3]}
	}
	return c
}

func putCMYK(p []uint8, c color.CMYK) { p[0], p[1], p[2], p[3] = c.C, c.M, c.Y, c.K }

func (m *CMYK) SetCMYK(x, y int, c color.CMYK) {
	if p := m.raster().at(4, x, y); p != nil {
		putCMYK(p, c)
	}
}

func (m *CMYK) Set(x, y int, c color.Color) {
	if p := m.raster().at(4, x, y); p != nil {
		putCMYK(p, color.CMYKModel.Convert(c).(color.CMYK))
	}
}

func (m *CMYK) SetRGBA64(x, y int, c color.RGBA64) {
	var ink color.CMYK
	ink.C, ink.M, ink.Y, ink.K = color.RGBToCMYK(high(c.R), high(c.G), high(c.B))
	m.SetCMYK(x, y, ink)
}

type Paletted struct {
	Pix     []uint8
	Stride  int
	Rect    Rectangle
	Palette color.Palette
}

func NewPaletted(r Rectangle, p color.Palette) *Paletted {
	m := blank(1, r, "Paletted")
	return &Paletted{m.Pix, m.Stride, m.Rect, p}
}

func (m *Paletted) raster() *raster         { return &raster{m.Pix, m.Stride, m.Rect} }
func (m *Paletted) ColorModel() color.Model { return m.Palette }
func (m *Paletted) Bounds() Rectangle       { return m.Rect }
func (m *Paletted) PixOffset(x, y int) int  { return offset(m.Rect, m.Stride, 1, x, y) }

// color is that of a pixel, by default the first of the palette; nil if there are none.
func (m *Paletted) color(x, y int) color.Color {
	if len(m.Palette) > 0 {
		return m.Palette[m.ColorIndexAt(x, y)]
	}
	return nil
}

func (m *Paletted) At(x, y int) color.Color { return m.color(x, y) }

func (m *Paletted) RGBA64At(x, y int) (c color.RGBA64) {
	if own := m.color(x, y); len(m.Palette) > 0 {
		c = rgba64(own)
	}
	return c
}

func (m *Paletted) ColorIndexAt(x, y int) (index uint8) {
	if m.Rect.has(x, y) {
		index = m.Pix[m.PixOffset(x, y)]
	}
	return index
}

func (m *Paletted) SetColorIndex(x, y int, index uint8) {
	if m.Rect.has(x, y) {
		m.Pix[m.PixOffset(x, y)] = index
	}
}

func (m *Paletted) Set(x, y int, c color.Color) {
	if m.Rect.has(x, y) {
		m.Pix[m.PixOffset(x, y)] = uint8(m.Palette.Index(c))
	}
}

func (m *Paletted) SetRGBA64(x, y int, c color.RGBA64) { m.Set(x, y, c) }

func (m *Paletted) SubImage(r Rectangle) Image {
	part := m.raster().crop(1, r)
	return &Paletted{part.Pix, part.Stride, part.Rect, m.Palette}
}

// Opaque looks at the colors that occur: those that do not may be as they like.
func (m *Paletted) Opaque() bool {
	var seen [256]bool
	for y := m.Rect.Min.Y; y < m.Rect.Max.Y && !m.Rect.Empty(); y++ {
		row := m.Pix[m.PixOffset(m.Rect.Min.X, y):]
		for _, index := range row[:m.Rect.Dx()] {
			seen[index] = true
		}
	}
	for index, c := range m.Palette {
		if _, _, _, a := c.RGBA(); seen[index] && a != 0xffff {
			return false
		}
	}
	return true
}
