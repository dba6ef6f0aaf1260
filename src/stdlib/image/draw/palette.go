package draw

import (
	"image"
	"image/color"
)

// A pixel has four samples here.
const samples = 4

// nearest finds for each pixel of a row the nearest color of a palette. If it hands on what that is
// off, errors has what comes to this row, and next gets what comes to the one below; both have a
// pixel more at either end.
func nearest(row, palette []int32, out []uint8, errors, next []int32)

// toPalette draws onto what has few colors.
func toPalette(dst Image, r image.Rectangle, src image.Image, sp image.Point, handsOn bool) {
	width := r.Dx()
	var errors, next []int32
	if handsOn {
		errors, next = make([]int32, samples*(width+2)), make([]int32, samples*(width+2))
	}
	row := make([]int32, samples*width)
	to, isPaletted := dst.(*image.Paletted)
	var palette []int32
	if isPaletted {
		for _, c := range to.Palette {
			r, g, b, a := c.RGBA()
			palette = append(palette, int32(r), int32(g), int32(b), int32(a))
		}
	}
	colors := colorOf(src)
	for y := range r.Dy() {
		for x := range width {
			r, g, b, a := colors(sp.Add(image.Pt(x, y)))
			p := row[samples*x:][:samples]
			p[0], p[1], p[2], p[3] = int32(r), int32(g), int32(b), int32(a)
		}
		if isPaletted && len(palette) > 0 {
			nearest(row, palette, to.Pix[to.PixOffset(r.Min.X, r.Min.Y+y):][:width], errors, next)
		} else {
			each(dst, image.Pt(r.Min.X, r.Min.Y+y), row, errors, next)
		}
		errors, next = next, errors
		clear(next)
	}
}

// each is nearest for a picture that has the nearest colors itself.
func each(dst Image, at image.Point, row, errors, next []int32) {
	for x := range len(row) / samples {
		p := row[samples*x:][:samples]
		if errors != nil {
			for i, e := range errors[samples*(x+1):][:samples] {
				p[i] = max(0, min(p[i]+e/16, full))
			}
		}
		c := color.RGBA64{uint16(p[0]), uint16(p[1]), uint16(p[2]), uint16(p[3])}
		dst.Set(at.X+x, at.Y, &c)
		if errors == nil {
			continue
		}
		r, g, b, a := dst.At(at.X+x, at.Y).RGBA()
		for i, v := range []uint32{r, g, b, a} {
			off := p[i] - int32(v)
			next[samples*x+i] += off * 3
			next[samples*(x+1)+i] += off * 5
			next[samples*(x+2)+i] += off
			errors[samples*(x+2)+i] += off * 7
		}
	}
}
