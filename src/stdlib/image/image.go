// Package image: pictures in memory, and a register of the formats they are written in.
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

// pixels makes room for those of r, of so many bytes each.
func pixels(size int, r Rectangle, kind string) []uint8 {
	n := product(size, r.Dx(), r.Dy())
	if n < 0 {
		panic("image: New" + kind + " Rectangle has huge or negative dimensions")
	}
	return make([]uint8, n)
}

// Every kind has its pixels row by row, a row beginning Stride bytes behind the last, and its
// samples with the high byte first.

// offset is where the pixel of so many bytes begins.
func offset(r Rectangle, stride, size, x, y int) int {
	return (y-r.Min.Y)*stride + (x-r.Min.X)*size
}

func get16(p []uint8, i int) uint16 { return uint16(p[i])<<8 | uint16(p[i+1]) }

func put16(p []uint8, i int, v uint16) {
	_ = p[i+1]
	p[i], p[i+1] = uint8(v>>8), uint8(v)
}

func rgba64(c color.Color) color.RGBA64 {
	r, g, b, a := c.RGBA()
	return color.RGBA64{uint16(r), uint16(g), uint16(b), uint16(a)}
}

// isOpaque says whether of every pixel the last n bytes, its alpha, are full.
func isOpaque(pix []uint8, r Rectangle, stride, size, n int) bool {
	if r.Empty() {
		return true
	}
	for y := range r.Dy() {
		row := pix[y*stride:][:r.Dx()*size]
		for i := size - n; i < len(row); i += size {
			if row[i] != 0xff || row[i+n-1] != 0xff {
				return false
			}
		}
	}
	return true
}

// luma is how bright a color is, in 16 bits and 16 binary places.
func luma(c color.RGBA64) uint32 {
	return 19595*uint32(c.R) + 38470*uint32(c.G) + 7471*uint32(c.B) + 1<<15
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

func NewRGBA(r Rectangle) *RGBA { return &RGBA{pixels(4, r, "RGBA"), 4 * r.Dx(), r} }

func (p *RGBA) ColorModel() color.Model { return color.RGBAModel }
func (p *RGBA) Bounds() Rectangle       { return p.Rect }
func (p *RGBA) At(x, y int) color.Color { return p.RGBAAt(x, y) }
func (p *RGBA) PixOffset(x, y int) int  { return offset(p.Rect, p.Stride, 4, x, y) }

func (p *RGBA) RGBAAt(x, y int) color.RGBA {
	if !p.Rect.has(x, y) {
		return color.RGBA{}
	}
	i := p.PixOffset(x, y)
	s := p.Pix[i : i+4 : i+4]
	return color.RGBA{s[0], s[1], s[2], s[3]}
}

func (p *RGBA) SetRGBA(x, y int, c color.RGBA) {
	if !p.Rect.has(x, y) {
		return
	}
	i := p.PixOffset(x, y)
	s := p.Pix[i : i+4 : i+4]
	s[0], s[1], s[2], s[3] = c.R, c.G, c.B, c.A
}

func (p *RGBA) Set(x, y int, c color.Color) {
	if p.Rect.has(x, y) {
		p.SetRGBA(x, y, color.RGBAModel.Convert(c).(color.RGBA))
	}
}

func (p *RGBA) SubImage(r Rectangle) Image {
	r = r.Intersect(p.Rect)
	if r.Empty() {
		return &RGBA{}
	}
	return &RGBA{p.Pix[p.PixOffset(r.Min.X, r.Min.Y):], p.Stride, r}
}

func (p *RGBA) RGBA64At(x, y int) color.RGBA64 { return rgba64(p.RGBAAt(x, y)) }

func (p *RGBA) SetRGBA64(x, y int, c color.RGBA64) {
	if p.Rect.has(x, y) {
		p.SetRGBA(x, y, color.RGBA{uint8(c.R >> 8), uint8(c.G >> 8), uint8(c.B >> 8), uint8(c.A >> 8)})
	}
}

func (p *RGBA) Opaque() bool { return isOpaque(p.Pix, p.Rect, p.Stride, 4, 1) }

type RGBA64 struct {
	Pix    []uint8
	Stride int
	Rect   Rectangle
}

func NewRGBA64(r Rectangle) *RGBA64 { return &RGBA64{pixels(8, r, "RGBA64"), 8 * r.Dx(), r} }

func (p *RGBA64) ColorModel() color.Model { return color.RGBA64Model }
func (p *RGBA64) Bounds() Rectangle       { return p.Rect }
func (p *RGBA64) At(x, y int) color.Color { return p.RGBA64At(x, y) }
func (p *RGBA64) PixOffset(x, y int) int  { return offset(p.Rect, p.Stride, 8, x, y) }

func (p *RGBA64) RGBA64At(x, y int) color.RGBA64 {
	if !p.Rect.has(x, y) {
		return color.RGBA64{}
	}
	i := p.PixOffset(x, y)
	s := p.Pix[i : i+8 : i+8]
	return color.RGBA64{get16(s, 0), get16(s, 2), get16(s, 4), get16(s, 6)}
}

func (p *RGBA64) SetRGBA64(x, y int, c color.RGBA64) {
	if !p.Rect.has(x, y) {
		return
	}
	i := p.PixOffset(x, y)
	s := p.Pix[i : i+8 : i+8]
	put16(s, 0, c.R)
	put16(s, 2, c.G)
	put16(s, 4, c.B)
	put16(s, 6, c.A)
}

func (p *RGBA64) Set(x, y int, c color.Color) {
	if p.Rect.has(x, y) {
		p.SetRGBA64(x, y, color.RGBA64Model.Convert(c).(color.RGBA64))
	}
}

func (p *RGBA64) SubImage(r Rectangle) Image {
	r = r.Intersect(p.Rect)
	if r.Empty() {
		return &RGBA64{}
	}
	return &RGBA64{p.Pix[p.PixOffset(r.Min.X, r.Min.Y):], p.Stride, r}
}

func (p *RGBA64) Opaque() bool { return isOpaque(p.Pix, p.Rect, p.Stride, 8, 2) }

type NRGBA struct {
	Pix    []uint8
	Stride int
	Rect   Rectangle
}

func NewNRGBA(r Rectangle) *NRGBA { return &NRGBA{pixels(4, r, "NRGBA"), 4 * r.Dx(), r} }

func (p *NRGBA) ColorModel() color.Model { return color.NRGBAModel }
func (p *NRGBA) Bounds() Rectangle       { return p.Rect }
func (p *NRGBA) At(x, y int) color.Color { return p.NRGBAAt(x, y) }
func (p *NRGBA) PixOffset(x, y int) int  { return offset(p.Rect, p.Stride, 4, x, y) }

func (p *NRGBA) NRGBAAt(x, y int) color.NRGBA {
	if !p.Rect.has(x, y) {
		return color.NRGBA{}
	}
	i := p.PixOffset(x, y)
	s := p.Pix[i : i+4 : i+4]
	return color.NRGBA{s[0], s[1], s[2], s[3]}
}

func (p *NRGBA) SetNRGBA(x, y int, c color.NRGBA) {
	if !p.Rect.has(x, y) {
		return
	}
	i := p.PixOffset(x, y)
	s := p.Pix[i : i+4 : i+4]
	s[0], s[1], s[2], s[3] = c.R, c.G, c.B, c.A
}

func (p *NRGBA) Set(x, y int, c color.Color) {
	if p.Rect.has(x, y) {
		p.SetNRGBA(x, y, color.NRGBAModel.Convert(c).(color.NRGBA))
	}
}

func (p *NRGBA) SubImage(r Rectangle) Image {
	r = r.Intersect(p.Rect)
	if r.Empty() {
		return &NRGBA{}
	}
	return &NRGBA{p.Pix[p.PixOffset(r.Min.X, r.Min.Y):], p.Stride, r}
}

func (p *NRGBA) RGBA64At(x, y int) color.RGBA64 { return rgba64(p.NRGBAAt(x, y)) }

func (p *NRGBA) SetRGBA64(x, y int, c color.RGBA64) {
	if p.Rect.has(x, y) {
		c = divided(c)
		p.SetNRGBA(x, y, color.NRGBA{uint8(c.R >> 8), uint8(c.G >> 8), uint8(c.B >> 8), uint8(c.A >> 8)})
	}
}

func (p *NRGBA) Opaque() bool { return isOpaque(p.Pix, p.Rect, p.Stride, 4, 1) }

type NRGBA64 struct {
	Pix    []uint8
	Stride int
	Rect   Rectangle
}

func NewNRGBA64(r Rectangle) *NRGBA64 { return &NRGBA64{pixels(8, r, "NRGBA64"), 8 * r.Dx(), r} }

func (p *NRGBA64) ColorModel() color.Model { return color.NRGBA64Model }
func (p *NRGBA64) Bounds() Rectangle       { return p.Rect }
func (p *NRGBA64) At(x, y int) color.Color { return p.NRGBA64At(x, y) }
func (p *NRGBA64) PixOffset(x, y int) int  { return offset(p.Rect, p.Stride, 8, x, y) }

func (p *NRGBA64) NRGBA64At(x, y int) color.NRGBA64 {
	if !p.Rect.has(x, y) {
		return color.NRGBA64{}
	}
	i := p.PixOffset(x, y)
	s := p.Pix[i : i+8 : i+8]
	return color.NRGBA64{get16(s, 0), get16(s, 2), get16(s, 4), get16(s, 6)}
}

func (p *NRGBA64) SetNRGBA64(x, y int, c color.NRGBA64) {
	if !p.Rect.has(x, y) {
		return
	}
	i := p.PixOffset(x, y)
	s := p.Pix[i : i+8 : i+8]
	put16(s, 0, c.R)
	put16(s, 2, c.G)
	put16(s, 4, c.B)
	put16(s, 6, c.A)
}

func (p *NRGBA64) Set(x, y int, c color.Color) {
	if p.Rect.has(x, y) {
		p.SetNRGBA64(x, y, color.NRGBA64Model.Convert(c).(color.NRGBA64))
	}
}

func (p *NRGBA64) SubImage(r Rectangle) Image {
	r = r.Intersect(p.Rect)
	if r.Empty() {
		return &NRGBA64{}
	}
	return &NRGBA64{p.Pix[p.PixOffset(r.Min.X, r.Min.Y):], p.Stride, r}
}

func (p *NRGBA64) RGBA64At(x, y int) color.RGBA64 { return rgba64(p.NRGBA64At(x, y)) }

func (p *NRGBA64) SetRGBA64(x, y int, c color.RGBA64) {
	if p.Rect.has(x, y) {
		p.SetNRGBA64(x, y, color.NRGBA64(divided(c)))
	}
}

func (p *NRGBA64) Opaque() bool { return isOpaque(p.Pix, p.Rect, p.Stride, 8, 2) }

type Alpha struct {
	Pix    []uint8
	Stride int
	Rect   Rectangle
}

func NewAlpha(r Rectangle) *Alpha { return &Alpha{pixels(1, r, "Alpha"), 1 * r.Dx(), r} }

func (p *Alpha) ColorModel() color.Model { return color.AlphaModel }
func (p *Alpha) Bounds() Rectangle       { return p.Rect }
func (p *Alpha) At(x, y int) color.Color { return p.AlphaAt(x, y) }
func (p *Alpha) PixOffset(x, y int) int  { return offset(p.Rect, p.Stride, 1, x, y) }

func (p *Alpha) AlphaAt(x, y int) color.Alpha {
	if !p.Rect.has(x, y) {
		return color.Alpha{}
	}
	i := p.PixOffset(x, y)
	return color.Alpha{p.Pix[i]}
}

func (p *Alpha) SetAlpha(x, y int, c color.Alpha) {
	if !p.Rect.has(x, y) {
		return
	}
	i := p.PixOffset(x, y)
	p.Pix[i] = c.A
}

func (p *Alpha) Set(x, y int, c color.Color) {
	if p.Rect.has(x, y) {
		p.SetAlpha(x, y, color.AlphaModel.Convert(c).(color.Alpha))
	}
}

func (p *Alpha) SubImage(r Rectangle) Image {
	r = r.Intersect(p.Rect)
	if r.Empty() {
		return &Alpha{}
	}
	return &Alpha{p.Pix[p.PixOffset(r.Min.X, r.Min.Y):], p.Stride, r}
}

func (p *Alpha) RGBA64At(x, y int) color.RGBA64 { return rgba64(p.AlphaAt(x, y)) }

func (p *Alpha) SetRGBA64(x, y int, c color.RGBA64) {
	if p.Rect.has(x, y) {
		p.SetAlpha(x, y, color.Alpha{uint8(c.A >> 8)})
	}
}

func (p *Alpha) Opaque() bool { return isOpaque(p.Pix, p.Rect, p.Stride, 1, 1) }

type Alpha16 struct {
	Pix    []uint8
	Stride int
	Rect   Rectangle
}

func NewAlpha16(r Rectangle) *Alpha16 { return &Alpha16{pixels(2, r, "Alpha16"), 2 * r.Dx(), r} }

func (p *Alpha16) ColorModel() color.Model { return color.Alpha16Model }
func (p *Alpha16) Bounds() Rectangle       { return p.Rect }
func (p *Alpha16) At(x, y int) color.Color { return p.Alpha16At(x, y) }
func (p *Alpha16) PixOffset(x, y int) int  { return offset(p.Rect, p.Stride, 2, x, y) }

func (p *Alpha16) Alpha16At(x, y int) color.Alpha16 {
	if !p.Rect.has(x, y) {
		return color.Alpha16{}
	}
	i := p.PixOffset(x, y)
	return color.Alpha16{get16(p.Pix, i)}
}

func (p *Alpha16) SetAlpha16(x, y int, c color.Alpha16) {
	if !p.Rect.has(x, y) {
		return
	}
	i := p.PixOffset(x, y)
	put16(p.Pix, i, c.A)
}

func (p *Alpha16) Set(x, y int, c color.Color) {
	if p.Rect.has(x, y) {
		p.SetAlpha16(x, y, color.Alpha16Model.Convert(c).(color.Alpha16))
	}
}

func (p *Alpha16) SubImage(r Rectangle) Image {
	r = r.Intersect(p.Rect)
	if r.Empty() {
		return &Alpha16{}
	}
	return &Alpha16{p.Pix[p.PixOffset(r.Min.X, r.Min.Y):], p.Stride, r}
}

func (p *Alpha16) RGBA64At(x, y int) color.RGBA64 { return rgba64(p.Alpha16At(x, y)) }

func (p *Alpha16) SetRGBA64(x, y int, c color.RGBA64) {
	if p.Rect.has(x, y) {
		p.SetAlpha16(x, y, color.Alpha16{c.A})
	}
}

func (p *Alpha16) Opaque() bool { return isOpaque(p.Pix, p.Rect, p.Stride, 2, 2) }

type Gray struct {
	Pix    []uint8
	Stride int
	Rect   Rectangle
}

func NewGray(r Rectangle) *Gray { return &Gray{pixels(1, r, "Gray"), 1 * r.Dx(), r} }

func (p *Gray) ColorModel() color.Model { return color.GrayModel }
func (p *Gray) Bounds() Rectangle       { return p.Rect }
func (p *Gray) At(x, y int) color.Color { return p.GrayAt(x, y) }
func (p *Gray) PixOffset(x, y int) int  { return offset(p.Rect, p.Stride, 1, x, y) }

func (p *Gray) GrayAt(x, y int) color.Gray {
	if !p.Rect.has(x, y) {
		return color.Gray{}
	}
	i := p.PixOffset(x, y)
	return color.Gray{p.Pix[i]}
}

func (p *Gray) SetGray(x, y int, c color.Gray) {
	if !p.Rect.has(x, y) {
		return
	}
	i := p.PixOffset(x, y)
	p.Pix[i] = c.Y
}

func (p *Gray) Set(x, y int, c color.Color) {
	if p.Rect.has(x, y) {
		p.SetGray(x, y, color.GrayModel.Convert(c).(color.Gray))
	}
}

func (p *Gray) SubImage(r Rectangle) Image {
	r = r.Intersect(p.Rect)
	if r.Empty() {
		return &Gray{}
	}
	return &Gray{p.Pix[p.PixOffset(r.Min.X, r.Min.Y):], p.Stride, r}
}

func (p *Gray) RGBA64At(x, y int) color.RGBA64 { return rgba64(p.GrayAt(x, y)) }

func (p *Gray) SetRGBA64(x, y int, c color.RGBA64) {
	if p.Rect.has(x, y) {
		p.SetGray(x, y, color.Gray{uint8(luma(c) >> 24)})
	}
}

func (p *Gray) Opaque() bool { return true }

type Gray16 struct {
	Pix    []uint8
	Stride int
	Rect   Rectangle
}

func NewGray16(r Rectangle) *Gray16 { return &Gray16{pixels(2, r, "Gray16"), 2 * r.Dx(), r} }

func (p *Gray16) ColorModel() color.Model { return color.Gray16Model }
func (p *Gray16) Bounds() Rectangle       { return p.Rect }
func (p *Gray16) At(x, y int) color.Color { return p.Gray16At(x, y) }
func (p *Gray16) PixOffset(x, y int) int  { return offset(p.Rect, p.Stride, 2, x, y) }

func (p *Gray16) Gray16At(x, y int) color.Gray16 {
	if !p.Rect.has(x, y) {
		return color.Gray16{}
	}
	i := p.PixOffset(x, y)
	return color.Gray16{get16(p.Pix, i)}
}

func (p *Gray16) SetGray16(x, y int, c color.Gray16) {
	if !p.Rect.has(x, y) {
		return
	}
	i := p.PixOffset(x, y)
	put16(p.Pix, i, c.Y)
}

func (p *Gray16) Set(x, y int, c color.Color) {
	if p.Rect.has(x, y) {
		p.SetGray16(x, y, color.Gray16Model.Convert(c).(color.Gray16))
	}
}

func (p *Gray16) SubImage(r Rectangle) Image {
	r = r.Intersect(p.Rect)
	if r.Empty() {
		return &Gray16{}
	}
	return &Gray16{p.Pix[p.PixOffset(r.Min.X, r.Min.Y):], p.Stride, r}
}

func (p *Gray16) RGBA64At(x, y int) color.RGBA64 { return rgba64(p.Gray16At(x, y)) }

func (p *Gray16) SetRGBA64(x, y int, c color.RGBA64) {
	if p.Rect.has(x, y) {
		p.SetGray16(x, y, color.Gray16{uint16(luma(c) >> 16)})
	}
}

func (p *Gray16) Opaque() bool { return true }

type CMYK struct {
	Pix    []uint8
	Stride int
	Rect   Rectangle
}

func NewCMYK(r Rectangle) *CMYK { return &CMYK{pixels(4, r, "CMYK"), 4 * r.Dx(), r} }

func (p *CMYK) ColorModel() color.Model { return color.CMYKModel }
func (p *CMYK) Bounds() Rectangle       { return p.Rect }
func (p *CMYK) At(x, y int) color.Color { return p.CMYKAt(x, y) }
func (p *CMYK) PixOffset(x, y int) int  { return offset(p.Rect, p.Stride, 4, x, y) }

func (p *CMYK) CMYKAt(x, y int) color.CMYK {
	if !p.Rect.has(x, y) {
		return color.CMYK{}
	}
	i := p.PixOffset(x, y)
	s := p.Pix[i : i+4 : i+4]
	return color.CMYK{s[0], s[1], s[2], s[3]}
}

func (p *CMYK) SetCMYK(x, y int, c color.CMYK) {
	if !p.Rect.has(x, y) {
		return
	}
	i := p.PixOffset(x, y)
	s := p.Pix[i : i+4 : i+4]
	s[0], s[1], s[2], s[3] = c.C, c.M, c.Y, c.K
}

func (p *CMYK) Set(x, y int, c color.Color) {
	if p.Rect.has(x, y) {
		p.SetCMYK(x, y, color.CMYKModel.Convert(c).(color.CMYK))
	}
}

func (p *CMYK) SubImage(r Rectangle) Image {
	r = r.Intersect(p.Rect)
	if r.Empty() {
		return &CMYK{}
	}
	return &CMYK{p.Pix[p.PixOffset(r.Min.X, r.Min.Y):], p.Stride, r}
}

func (p *CMYK) RGBA64At(x, y int) color.RGBA64 { return rgba64(p.CMYKAt(x, y)) }

func (p *CMYK) SetRGBA64(x, y int, c color.RGBA64) {
	if p.Rect.has(x, y) {
		cc, m, yy, k := color.RGBToCMYK(uint8(c.R>>8), uint8(c.G>>8), uint8(c.B>>8))
		p.SetCMYK(x, y, color.CMYK{cc, m, yy, k})
	}
}

func (p *CMYK) Opaque() bool { return true }

type Paletted struct {
	Pix     []uint8
	Stride  int
	Rect    Rectangle
	Palette color.Palette
}

func NewPaletted(r Rectangle, p color.Palette) *Paletted {
	return &Paletted{pixels(1, r, "Paletted"), r.Dx(), r, p}
}

func (p *Paletted) ColorModel() color.Model { return p.Palette }
func (p *Paletted) Bounds() Rectangle       { return p.Rect }
func (p *Paletted) PixOffset(x, y int) int  { return offset(p.Rect, p.Stride, 1, x, y) }

func (p *Paletted) At(x, y int) color.Color {
	if len(p.Palette) == 0 {
		return nil
	}
	return p.Palette[p.ColorIndexAt(x, y)]
}

func (p *Paletted) RGBA64At(x, y int) color.RGBA64 {
	if len(p.Palette) == 0 {
		return color.RGBA64{}
	}
	return rgba64(p.At(x, y))
}

func (p *Paletted) Set(x, y int, c color.Color) {
	if p.Rect.has(x, y) {
		p.SetColorIndex(x, y, uint8(p.Palette.Index(c)))
	}
}

func (p *Paletted) SetRGBA64(x, y int, c color.RGBA64) { p.Set(x, y, c) }

func (p *Paletted) ColorIndexAt(x, y int) uint8 {
	if !p.Rect.has(x, y) {
		return 0
	}
	return p.Pix[p.PixOffset(x, y)]
}

func (p *Paletted) SetColorIndex(x, y int, index uint8) {
	if p.Rect.has(x, y) {
		p.Pix[p.PixOffset(x, y)] = index
	}
}

func (p *Paletted) SubImage(r Rectangle) Image {
	r = r.Intersect(p.Rect)
	if r.Empty() {
		return &Paletted{Palette: p.Palette}
	}
	return &Paletted{p.Pix[p.PixOffset(r.Min.X, r.Min.Y):], p.Stride, r, p.Palette}
}

// Opaque looks at the colors that occur.
func (p *Paletted) Opaque() bool {
	var occurs [256]bool
	if !p.Rect.Empty() {
		for y := range p.Rect.Dy() {
			for _, i := range p.Pix[y*p.Stride:][:p.Rect.Dx()] {
				occurs[i] = true
			}
		}
	}
	for i, c := range p.Palette {
		if !occurs[i] {
			continue
		}
		if _, _, _, a := c.RGBA(); a != 0xffff {
			return false
		}
	}
	return true
}
