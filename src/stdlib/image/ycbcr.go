package image

import "image/color"

// How many pixels share a sample of color: 4:a:b has a in the first row of four, b more in the
// second.
type YCbCrSubsampleRatio int

const (
	YCbCrSubsampleRatio444 YCbCrSubsampleRatio = iota
	YCbCrSubsampleRatio422
	YCbCrSubsampleRatio420
	YCbCrSubsampleRatio440
	YCbCrSubsampleRatio411
	YCbCrSubsampleRatio410
)

var ratios = [...]struct {
	name          string
	width, height int // of the pixels with one sample
}{
	{"444", 1, 1}, {"422", 2, 1}, {"420", 2, 2}, {"440", 1, 2}, {"411", 4, 1}, {"410", 4, 2},
}

func (s YCbCrSubsampleRatio) String() string {
	if s < 0 || int(s) >= len(ratios) {
		return "YCbCrSubsampleRatioUnknown"
	}
	return "YCbCrSubsampleRatio" + ratios[s].name
}

// share is how many pixels share a sample, side by side and one below the other.
func (s YCbCrSubsampleRatio) share() (width, height int) {
	if s < 0 || int(s) >= len(ratios) {
		return 1, 1
	}
	return ratios[s].width, ratios[s].height
}

type YCbCr struct {
	Y, Cb, Cr      []uint8
	YStride        int
	CStride        int
	SubsampleRatio YCbCrSubsampleRatio
	Rect           Rectangle
}

// samples is how many samples of color there are for r.
func (s YCbCrSubsampleRatio) samples(r Rectangle) (w, h int) {
	sw, sh := s.share()
	if w = r.Dx(); sw > 1 {
		w = (r.Max.X+sw-1)/sw - r.Min.X/sw
	}
	if h = r.Dy(); sh > 1 {
		h = (r.Max.Y+sh-1)/sh - r.Min.Y/sh
	}
	return w, h
}

// planes makes room for the samples, and the alpha if there is one.
func planes(r Rectangle, ratio YCbCrSubsampleRatio, alphas int, bad string) (*YCbCr, []uint8) {
	w, h := r.Dx(), r.Dy()
	cw, ch := ratio.samples(r)
	light, color := product(w, h, 1+alphas), product(2, cw, ch)
	if light < 0 || color < 0 || light+color < 0 {
		panic("image: New" + bad)
	}
	all := make([]uint8, light+color)
	cut := func(n int) []uint8 {
		part := all[:n:n]
		all = all[n:]
		return part
	}
	m := &YCbCr{YStride: w, CStride: cw, SubsampleRatio: ratio, Rect: r}
	m.Y, m.Cb, m.Cr = cut(w*h), cut(cw*ch), cut(cw*ch)
	return m, all
}

func NewYCbCr(r Rectangle, subsampleRatio YCbCrSubsampleRatio) *YCbCr {
	m, _ := planes(r, subsampleRatio, 0, "YCbCr Rectangle has huge or negative dimensions")
	return m
}

func (p *YCbCr) Bounds() Rectangle              { return p.Rect }
func (p *YCbCr) RGBA64At(x, y int) color.RGBA64 { return rgba64(p.YCbCrAt(x, y)) }
func (p *YCbCr) At(x, y int) color.Color        { return p.YCbCrAt(x, y) }
func (p *YCbCr) ColorModel() color.Model        { return color.YCbCrModel }
func (p *YCbCr) Opaque() bool                   { return true }
func (p *YCbCr) YOffset(x, y int) int           { return offset(p.Rect, p.YStride, 1, x, y) }

func (p *YCbCr) COffset(x, y int) int {
	w, h := p.SubsampleRatio.share()
	return (y/h-p.Rect.Min.Y/h)*p.CStride + x/w - p.Rect.Min.X/w
}

func (p *YCbCr) YCbCrAt(x, y int) color.YCbCr {
	var c color.YCbCr
	if p.Rect.has(x, y) {
		shared := p.COffset(x, y)
		c.Y, c.Cb, c.Cr = p.Y[p.YOffset(x, y)], p.Cb[shared], p.Cr[shared]
	}
	return c
}

// part is the part in r, which is not empty.
func (p *YCbCr) part(r Rectangle) YCbCr {
	own := *p
	i, j := p.YOffset(r.Min.X, r.Min.Y), p.COffset(r.Min.X, r.Min.Y)
	own.Y, own.Cb, own.Cr, own.Rect = p.Y[i:], p.Cb[j:], p.Cr[j:], r
	return own
}

func (p *YCbCr) SubImage(r Rectangle) Image {
	if r = r.Intersect(p.Rect); !r.Empty() {
		own := p.part(r)
		return &own
	}
	return &YCbCr{SubsampleRatio: p.SubsampleRatio}
}

type NYCbCrA struct {
	YCbCr
	A       []uint8
	AStride int
}

func NewNYCbCrA(r Rectangle, subsampleRatio YCbCrSubsampleRatio) *NYCbCrA {
	m, a := planes(r, subsampleRatio, 1, "NYCbCrA Rectangle has huge or negative dimension")
	return &NYCbCrA{*m, a, r.Dx()}
}

func (p *NYCbCrA) RGBA64At(x, y int) color.RGBA64 { return rgba64(p.NYCbCrAAt(x, y)) }
func (p *NYCbCrA) At(x, y int) color.Color        { return p.NYCbCrAAt(x, y) }
func (p *NYCbCrA) ColorModel() color.Model        { return color.NYCbCrAModel }
func (p *NYCbCrA) AOffset(x, y int) int           { return offset(p.Rect, p.AStride, 1, x, y) }
func (p *NYCbCrA) Opaque() bool                   { return isOpaque(p.A, p.Rect, p.AStride, 1, 1) }

func (p *NYCbCrA) NYCbCrAAt(x, y int) color.NYCbCrA {
	if !p.Rect.has(x, y) {
		return color.NYCbCrA{}
	}
	return color.NYCbCrA{p.YCbCrAt(x, y), p.A[p.AOffset(x, y)]}
}

func (p *NYCbCrA) SubImage(r Rectangle) Image {
	if r = r.Intersect(p.Rect); !r.Empty() {
		return &NYCbCrA{p.part(r), p.A[p.AOffset(r.Min.X, r.Min.Y):], p.AStride}
	}
	own := new(NYCbCrA)
	own.SubsampleRatio = p.SubsampleRatio
	return own
}
