// Package draw: one picture put onto another, through a mask if one likes. Porter and Duff.
package draw

import (
	"image"
	"image/color"
)

type Image interface {
	image.Image
	Set(x, y int, c color.Color)
}

type RGBA64Image interface {
	image.RGBA64Image
	Set(x, y int, c color.Color)
	SetRGBA64(x, y int, c color.RGBA64)
}

type Quantizer interface {
	Quantize(p color.Palette, m image.Image) color.Palette
}

type Drawer interface {
	Draw(dst Image, r image.Rectangle, src image.Image, sp image.Point)
}

type Op int

const (
	Over Op = iota
	Src
)

const full = 1<<16 - 1

func (op Op) Draw(dst Image, r image.Rectangle, src image.Image, sp image.Point) {
	Draw(dst, r, src, sp, op)
}

// FloydSteinberg hands what a color of the palette is off to the pixels that follow.
var FloydSteinberg Drawer = floydSteinberg{}

type floydSteinberg struct{}

func (floydSteinberg) Draw(dst Image, r image.Rectangle, src image.Image, sp image.Point) {
	clip(dst, &r, src, &sp, nil, nil)
	if !r.Empty() {
		toPalette(dst, r, src, sp, true)
	}
}

// clip leaves of r what all pictures have, and moves the other points with its corner.
func clip(
	dst Image, r *image.Rectangle, src image.Image, sp *image.Point, mask image.Image,
	mp *image.Point,
) {
	from := r.Min
	seen := src.Bounds().Add(from.Sub(*sp))
	if mask != nil {
		seen = seen.Intersect(mask.Bounds().Add(from.Sub(*mp)))
	}
	*r = r.Intersect(dst.Bounds()).Intersect(seen)
	by := r.Min.Sub(from)
	*sp = sp.Add(by)
	if mp != nil {
		*mp = mp.Add(by)
	}
}

// A walk goes through r, from its end if need be.
type walk struct {
	r           image.Rectangle
	fromSrc     image.Point // what to add for the pixel of the source, and of the mask
	fromMask    image.Point
	isBackwards bool
}

func (w *walk) each(f func(x, y int)) {
	r := w.r
	if !w.isBackwards {
		for y := r.Min.Y; y < r.Max.Y; y++ {
			for x := r.Min.X; x < r.Max.X; x++ {
				f(x, y)
			}
		}
		return
	}
	for y := r.Max.Y - 1; y >= r.Min.Y; y-- {
		for x := r.Max.X - 1; x >= r.Min.X; x-- {
			f(x, y)
		}
	}
}

func DrawMask(
	dst Image, r image.Rectangle, src image.Image, sp image.Point, mask image.Image,
	mp image.Point, op Op,
) {
	if clip(dst, &r, src, &sp, mask, &mp); r.Empty() {
		return
	}
	// A picture that is moved onto itself must be read before it is written.
	isLeft := sp.Y == r.Min.Y && sp.X < r.Min.X
	isBehind := isLeft || sp.Y < r.Min.Y
	isMoved := dst == src && r.Overlaps(r.Add(sp.Sub(r.Min))) && isBehind
	w := &walk{r, sp.Sub(r.Min), mp.Sub(r.Min), isMoved}
	if mask == nil && simple(dst, r, src, sp, op, isMoved) {
		return
	}
	if to, ok := dst.(*image.RGBA); ok {
		if _, isSame := src.(*image.RGBA); isSame {
			w.isBackwards = isBehind
		}
		w.toRGBA(to, src, mask, op)
		return
	}
	to, ok := dst.(RGBA64Image)
	from, ok2 := src.(image.RGBA64Image)
	_, ok3 := mask.(image.RGBA64Image)
	if ok && ok2 && (ok3 || mask == nil) {
		w.toRGBA64(to, from, mask, op)
	} else {
		w.toAny(dst, src, mask, op)
	}
}

func Draw(dst Image, r image.Rectangle, src image.Image, sp image.Point, op Op) {
	DrawMask(dst, r, src, sp, nil, image.Point{}, op)
}

// simple does what can be done row by row.
func simple(
	dst Image, r image.Rectangle, src image.Image, sp image.Point, op Op, isMoved bool,
) bool {
	switch to := dst.(type) {
	case *image.RGBA:
		switch from := src.(type) {
		case *image.Uniform:
			cr, cg, cb, ca := from.RGBA()
			if op != Src && ca != full {
				return false
			}
			pixel := []uint8{uint8(cr >> 8), uint8(cg >> 8), uint8(cb >> 8), uint8(ca >> 8)}
			repeat(to.Pix[to.PixOffset(r.Min.X, r.Min.Y):], to.Stride, r, pixel)
			return true
		case *image.RGBA:
			if op != Src {
				return false
			}
			copyRows(
				to.Pix[to.PixOffset(r.Min.X, r.Min.Y):], to.Stride,
				from.Pix[from.PixOffset(sp.X, sp.Y):], from.Stride, 4*r.Dx(), r.Dy(), r.Min.Y > sp.Y,
			)
			return true
		}
	case *image.NRGBA:
		if from, ok := src.(*image.NRGBA); ok && op == Src {
			copyRows(
				to.Pix[to.PixOffset(r.Min.X, r.Min.Y):], to.Stride,
				from.Pix[from.PixOffset(sp.X, sp.Y):], from.Stride, 4*r.Dx(), r.Dy(), r.Min.Y > sp.Y,
			)
			return true
		}
	case *image.NRGBA64:
		if from, ok := src.(*image.NRGBA64); ok && op == Src {
			copyRows(
				to.Pix[to.PixOffset(r.Min.X, r.Min.Y):], to.Stride,
				from.Pix[from.PixOffset(sp.X, sp.Y):], from.Stride, 8*r.Dx(), r.Dy(), r.Min.Y > sp.Y,
			)
			return true
		}
	case *image.Paletted:
		if op != Src {
			return false
		}
		if from, ok := src.(*image.Uniform); ok {
			index := uint8(to.Palette.Index(from.C))
			repeat(to.Pix[to.PixOffset(r.Min.X, r.Min.Y):], to.Stride, r, []uint8{index})
			return true
		}
		if !isMoved {
			toPalette(dst, r, src, sp, false)
			return true
		}
	}
	return false
}

// repeat fills r, whose first pixel pix begins with, with copies of one.
func repeat(pix []uint8, stride int, r image.Rectangle, pixel []uint8) {
	row := pix[:r.Dx()*len(pixel)]
	for n := copy(row, pixel); n < len(row); n *= 2 {
		copy(row[n:], row[:n])
	}
	for y := 1; y < r.Dy(); y++ {
		copy(pix[y*stride:], row)
	}
}

// copyRows copies n bytes of each row, from the last row on if they come from above.
func copyRows(dst []uint8, dstStride int, src []uint8, srcStride, n, rows int, fromLast bool) {
	for i := range rows {
		if fromLast {
			i = rows - 1 - i
		}
		copy(dst[i*dstStride:][:n], src[i*srcStride:][:n])
	}
}

// alphaOf is how much of the source counts at a pixel of the mask.
func alphaOf(mask image.Image, p image.Point) uint32 {
	switch m := mask.(type) {
	case nil:
		return full
	case *image.Alpha:
		return uint32(m.AlphaAt(p.X, p.Y).A) * 0x101
	case image.RGBA64Image:
		return uint32(m.RGBA64At(p.X, p.Y).A)
	}
	_, _, _, a := mask.At(p.X, p.Y).RGBA()
	return a
}

// colorOf gives the colors of a picture.
func colorOf(src image.Image) func(p image.Point) (r, g, b, a uint32) {
	switch m := src.(type) {
	case *image.Uniform:
		r, g, b, a := m.RGBA()
		return func(image.Point) (uint32, uint32, uint32, uint32) { return r, g, b, a }
	case image.RGBA64Image:
		return func(p image.Point) (uint32, uint32, uint32, uint32) { return m.RGBA64At(p.X, p.Y).RGBA() }
	}
	return func(p image.Point) (uint32, uint32, uint32, uint32) { return src.At(p.X, p.Y).RGBA() }
}

func (w *walk) toRGBA(dst *image.RGBA, src, mask image.Image, op Op) {
	colors := colorOf(src)
	w.each(func(x, y int) {
		p := image.Pt(x, y)
		m := alphaOf(mask, p.Add(w.fromMask))
		r, g, b, a := colors(p.Add(w.fromSrc))
		i := dst.PixOffset(x, y)
		d := dst.Pix[i : i+4 : i+4]
		if op == Over {
			// What is left of a color with eight bits, widened.
			rest := (full - a*m/full) * 0x101
			d[0] = uint8((uint32(d[0])*rest + r*m) / full >> 8)
			d[1] = uint8((uint32(d[1])*rest + g*m) / full >> 8)
			d[2] = uint8((uint32(d[2])*rest + b*m) / full >> 8)
			d[3] = uint8((uint32(d[3])*rest + a*m) / full >> 8)
			return
		}
		d[0], d[1] = uint8(r*m/full>>8), uint8(g*m/full>>8)
		d[2], d[3] = uint8(b*m/full>>8), uint8(a*m/full>>8)
	})
}

// blend is the color of the source, as far as m goes, on that of the destination, if there is one.
func blend(a, r, g, b, m uint32, under *color.RGBA64) color.RGBA64 {
	if under == nil {
		return color.RGBA64{
			uint16(r * m / full), uint16(g * m / full), uint16(b * m / full), uint16(a * m / full),
		}
	}
	rest := full - a*m/full
	return color.RGBA64{
		uint16((uint32(under.R)*rest + r*m) / full), uint16((uint32(under.G)*rest + g*m) / full),
		uint16((uint32(under.B)*rest + b*m) / full), uint16((uint32(under.A)*rest + a*m) / full),
	}
}

func (w *walk) toRGBA64(dst RGBA64Image, src image.RGBA64Image, mask image.Image, op Op) {
	w.each(func(x, y int) {
		p := image.Pt(x, y)
		m := alphaOf(mask, p.Add(w.fromMask))
		if m == 0 && op == Over {
			return
		}
		s := p.Add(w.fromSrc)
		c := src.RGBA64At(s.X, s.Y)
		if m != full || op == Over {
			var under *color.RGBA64
			if op == Over {
				d := dst.RGBA64At(x, y)
				under = &d
			}
			c = blend(uint32(c.A), uint32(c.R), uint32(c.G), uint32(c.B), m, under)
		}
		dst.SetRGBA64(x, y, c)
	})
}

func (w *walk) toAny(dst Image, src, mask image.Image, op Op) {
	w.each(func(x, y int) {
		p := image.Pt(x, y)
		m := uint32(full)
		if mask != nil {
			q := p.Add(w.fromMask)
			_, _, _, m = mask.At(q.X, q.Y).RGBA()
		}
		s := p.Add(w.fromSrc)
		switch {
		case m == 0 && op == Over:
			return
		case m == 0:
			dst.Set(x, y, color.Transparent)
			return
		case m == full && op == Src:
			dst.Set(x, y, src.At(s.X, s.Y))
			return
		}
		r, g, b, a := src.At(s.X, s.Y).RGBA()
		var under *color.RGBA64
		if op == Over {
			red, green, blue, alpha := dst.At(x, y).RGBA()
			under = &color.RGBA64{uint16(red), uint16(green), uint16(blue), uint16(alpha)}
		}
		out := blend(a, r, g, b, m, under)
		dst.Set(x, y, &out)
	})
}
