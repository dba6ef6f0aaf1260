// Package color: colors, and the models that others are converted to.
package color

// RGBA gives red, green, blue and alpha in 16 bits each, the first three multiplied by alpha.
type Color interface {
	RGBA() (r, g, b, a uint32)
}

type Model interface {
	Convert(c Color) Color
}

type model struct{ f func(Color) Color }

func (m *model) Convert(c Color) Color { return m.f(c) }

func ModelFunc(f func(Color) Color) Model { return &model{f} }

// modelOf is the model whose colors are Cs, which stay as they are.
func modelOf[C Color](f func(r, g, b, a uint32) C) Model {
	return ModelFunc(func(c Color) Color {
		if _, ok := c.(C); ok {
			return c
		}
		return f(c.RGBA())
	})
}

const (
	full   = 0xffff // of 16 bits
	widen  = 0x101  // times an 8-bit value is the 16-bit one
	narrow = 8      // bits
)

type (
	RGBA    struct{ R, G, B, A uint8 }
	RGBA64  struct{ R, G, B, A uint16 }
	NRGBA   struct{ R, G, B, A uint8 }
	NRGBA64 struct{ R, G, B, A uint16 }
	Alpha   struct{ A uint8 }
	Alpha16 struct{ A uint16 }
	Gray    struct{ Y uint8 }
	Gray16  struct{ Y uint16 }
)

func (c RGBA64) RGBA() (r, g, b, a uint32) {
	r, g, b, a = uint32(c.R), uint32(c.G), uint32(c.B), uint32(c.A)
	return r, g, b, a
}

func (c RGBA) RGBA() (r, g, b, a uint32) {
	a = widen * uint32(c.A)
	return widen * uint32(c.R), widen * uint32(c.G), widen * uint32(c.B), a
}

func (c NRGBA64) RGBA() (r, g, b, a uint32) {
	a = uint32(c.A)
	return uint32(c.R) * a / full, uint32(c.G) * a / full, uint32(c.B) * a / full, a
}

func (c NRGBA) RGBA() (r, g, b, a uint32) {
	a = uint32(c.A)
	r = uint32(c.R) * widen * a / 0xff
	g = uint32(c.G) * widen * a / 0xff
	b = uint32(c.B) * widen * a / 0xff
	return r, g, b, a * widen
}

func (c Alpha) RGBA() (r, g, b, a uint32) {
	a = uint32(c.A) * widen
	return a, a, a, a
}

func (c Alpha16) RGBA() (r, g, b, a uint32) {
	a = uint32(c.A)
	return a, a, a, a
}

func (c Gray16) RGBA() (r, g, b, a uint32) {
	y := uint32(c.Y)
	return y, y, y, full
}

func (c Gray) RGBA() (r, g, b, a uint32) {
	y := uint32(c.Y) * widen
	return y, y, y, full
}

// divided takes the alpha out of the other three.
func divided(r, g, b, a uint32) (uint32, uint32, uint32, uint32) {
	switch a {
	case full:
		return r, g, b, a
	case 0:
		return 0, 0, 0, 0
	}
	return r * full / a, g * full / a, b * full / a, a
}

// luma is how bright a color is, in 16 bits and the binary places of the factors.
func luma(r, g, b uint32) uint32 { return 19595*r + 38470*g + 7471*b + 1<<15 }

var (
	RGBAModel = modelOf(func(r, g, b, a uint32) RGBA {
		return RGBA{uint8(r >> narrow), uint8(g >> narrow), uint8(b >> narrow), uint8(a >> narrow)}
	})
	RGBA64Model = modelOf(func(r, g, b, a uint32) RGBA64 {
		return RGBA64{uint16(r), uint16(g), uint16(b), uint16(a)}
	})
	NRGBAModel = modelOf(func(r, g, b, a uint32) NRGBA {
		r, g, b, a = divided(r, g, b, a)
		return NRGBA{uint8(r >> narrow), uint8(g >> narrow), uint8(b >> narrow), uint8(a >> narrow)}
	})
	NRGBA64Model = modelOf(func(r, g, b, a uint32) NRGBA64 {
		r, g, b, a = divided(r, g, b, a)
		return NRGBA64{uint16(r), uint16(g), uint16(b), uint16(a)}
	})
	AlphaModel   = modelOf(func(_, _, _, a uint32) Alpha { return Alpha{uint8(a >> narrow)} })
	Alpha16Model = modelOf(func(_, _, _, a uint32) Alpha16 { return Alpha16{uint16(a)} })
	GrayModel    = modelOf(func(r, g, b, _ uint32) Gray { return Gray{uint8(luma(r, g, b) >> 24)} })
	Gray16Model  = modelOf(func(r, g, b, _ uint32) Gray16 {
		return Gray16{uint16(luma(r, g, b) >> 16)}
	})
	CMYKModel = modelOf(func(r, g, b, _ uint32) CMYK {
		c, m, y, k := RGBToCMYK(uint8(r>>narrow), uint8(g>>narrow), uint8(b>>narrow))
		return CMYK{c, m, y, k}
	})
	YCbCrModel = modelOf(func(r, g, b, _ uint32) YCbCr {
		y, cb, cr := RGBToYCbCr(uint8(r>>narrow), uint8(g>>narrow), uint8(b>>narrow))
		return YCbCr{y, cb, cr}
	})
	NYCbCrAModel = ModelFunc(func(c Color) Color {
		switch c := c.(type) {
		case NYCbCrA:
			return c
		case YCbCr:
			return NYCbCrA{c, 0xff}
		}
		r, g, b, a := c.RGBA()
		if a != 0 {
			r, g, b, _ = divided(r, g, b, a)
		}
		y, cb, cr := RGBToYCbCr(uint8(r>>narrow), uint8(g>>narrow), uint8(b>>narrow))
		return NYCbCrA{YCbCr{y, cb, cr}, uint8(a >> narrow)}
	})
)

var (
	Black       = Gray16{0}
	White       = Gray16{full}
	Transparent = Alpha16{0}
	Opaque      = Alpha16{full}
)

type Palette []Color

// Index is the first of the nearest colors.
func (p Palette) Index(c Color) int {
	want := channels(c)
	nearest, least := 0, ^uint32(0)
	for i := 0; i < len(p) && least > 0; i++ {
		if off := want.distance(channels(p[i])); off < least {
			nearest, least = i, off
		}
	}
	return nearest
}

func (p Palette) Convert(c Color) Color {
	if len(p) > 0 {
		return p[p.Index(c)]
	}
	return nil
}

// A mix is red, green, blue and alpha in 16 bits each.
type mix [4]uint32

func channels(c Color) mix {
	var m mix
	m[0], m[1], m[2], m[3] = c.RGBA()
	return m
}

// distance is a quarter of the square of the distance, so that it has room. Whether a difference
// is negative, its square in 32 bits is the same.
func (m mix) distance(o mix) (sum uint32) {
	for i, v := range m {
		d := v - o[i]
		sum += d * d >> 2
	}
	return sum
}
