// run
//
// Packages image, color and palette: models, all kinds of pictures pixel by pixel, rectangles.
package main

import (
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/color/palette"
	"io"
	"math/rand"
	"strings"
)

func try(f func()) {
	defer func() {
		if r := recover(); r != nil {
			fmt.Println("panic:", r)
		}
	}()
	f()
}

type settable interface {
	image.RGBA64Image
	Set(x, y int, c color.Color)
	SubImage(r image.Rectangle) image.Image
	Opaque() bool
}

var models = []color.Model{
	color.RGBAModel, color.RGBA64Model, color.NRGBAModel, color.NRGBA64Model, color.AlphaModel, color.Alpha16Model,
	color.GrayModel, color.Gray16Model, color.CMYKModel, color.YCbCrModel, color.NYCbCrAModel,
	color.Palette(palette.WebSafe), color.Palette(palette.Plan9),
}

func colors() {
	rng := rand.New(rand.NewSource(1))
	u8 := func() uint8 { return []uint8{0, 1, 127, 128, 255, uint8(rng.Intn(256))}[rng.Intn(6)] }
	u16 := func() uint16 { return uint16(u8())<<8 | uint16(u8()) }
	sum := crc32.NewIEEE()
	for i := range 300 {
		a := u8()
		all := []color.Color{
			color.RGBA{min(u8(), a), min(u8(), a), min(u8(), a), a}, color.NRGBA{u8(), u8(), u8(), a}, color.Alpha{a},
			color.RGBA64{0, 0, 0, u16()}, color.NRGBA64{u16(), u16(), u16(), u16()}, color.Alpha16{u16()}, color.Gray{a},
			color.Gray16{u16()}, color.CMYK{u8(), u8(), u8(), u8()}, color.YCbCr{u8(), u8(), u8()},
			color.NYCbCrA{color.YCbCr{u8(), u8(), u8()}, a}, color.RGBA{u8(), u8(), u8(), a},
		}
		for _, c := range all {
			fmt.Fprintln(sum, c)
			for _, m := range models {
				d := m.Convert(c)
				r, g, b, a := d.RGBA()
				fmt.Fprintf(sum, "%T %v %d %d %d %d\n", d, d, r, g, b, a)
			}
		}
		if i == 0 {
			fmt.Println(all)
		}
	}
	fmt.Println(sum.Sum32(), color.Palette(nil).Convert(color.White), color.Black, color.White, color.Transparent, color.Opaque)
	fmt.Println(len(palette.Plan9), len(palette.WebSafe), color.Palette(palette.Plan9).Index(color.Gray{100}))
	fmt.Fprint(sum, palette.Plan9, palette.WebSafe)
	for y := 0; y < 256; y += 15 {
		for c := 0; c < 256; c += 5 {
			r, g, b := color.YCbCrToRGB(uint8(y), uint8(c), uint8(255-c))
			a, d, e := color.RGBToYCbCr(uint8(y), uint8(c), uint8(255-c))
			f, h, k, l := color.RGBToCMYK(uint8(y), uint8(c), uint8(255-c))
			m, n, o := color.CMYKToRGB(uint8(y), uint8(c), uint8(255-c), uint8(y))
			fmt.Fprint(sum, r, g, b, a, d, e, f, h, k, l, m, n, o)
		}
	}
	fmt.Println(sum.Sum32())
}

func pictures() {
	rng := rand.New(rand.NewSource(2))
	r := image.Rect(-3, 2, 8, 9)
	all := []settable{
		image.NewRGBA(r), image.NewRGBA64(r), image.NewNRGBA(r), image.NewNRGBA64(r), image.NewAlpha(r), image.NewAlpha16(r),
		image.NewGray(r), image.NewGray16(r), image.NewCMYK(r), image.NewPaletted(r, palette.Plan9),
	}
	for _, m := range all {
		sum := crc32.NewIEEE()
		fmt.Printf("%T %v %v %v ", m, m.Bounds(), m.Opaque(), m.At(0, 0))
		for y := 0; y < 12; y++ {
			for x := -5; x < 10; x++ {
				c := color.NRGBA{uint8(rng.Intn(256)), uint8(x * 20), uint8(y * 20), uint8(255 - rng.Intn(2)*rng.Intn(256))}
				m.Set(x, y, c)
				if x%3 == 0 {
					r, g, b, a := c.RGBA()
					m.(interface{ SetRGBA64(x, y int, c color.RGBA64) }).SetRGBA64(x, y, color.RGBA64{uint16(r), uint16(g), uint16(b), uint16(a)})
				}
				fmt.Fprint(sum, m.At(x, y), m.RGBA64At(x, y))
			}
		}
		sub := m.SubImage(image.Rect(0, 0, 4, 4)).(settable)
		fmt.Fprint(sum, sub.At(3, 3), sub.At(5, 5), m.(interface{ PixOffset(x, y int) int }).PixOffset(2, 5))
		fmt.Println(sum.Sum32(), sub.Bounds(), sub.Opaque(), m.SubImage(image.Rect(100, 100, 101, 101)).Bounds())
		for y := range 12 {
			for x := -5; x < 10; x++ {
				m.Set(x, y, color.White)
			}
		}
		fmt.Println(m.Opaque(), m.At(1, 3), m.At(100, 100))
	}
	m := image.NewRGBA(image.Rect(0, 0, 2, 2))
	m.SetRGBA(1, 1, color.RGBA{1, 2, 3, 4})
	m.SetRGBA(2, 2, color.RGBA{1, 2, 3, 4})
	fmt.Println(m.Pix, m.Stride, m.RGBAAt(1, 1), m.RGBAAt(2, 2))
	p := image.NewPaletted(image.Rect(0, 0, 2, 1), color.Palette{color.Black, color.Transparent})
	p.SetColorIndex(1, 0, 1)
	fmt.Println(p.ColorIndexAt(1, 0), p.ColorIndexAt(9, 9), p.At(1, 0), p.Opaque(), image.NewPaletted(p.Rect, nil).At(0, 0))
	for ratio := image.YCbCrSubsampleRatio(-1); ratio < 7; ratio++ {
		m := image.NewYCbCr(image.Rect(1, 3, 8, 10), ratio)
		n := image.NewNYCbCrA(image.Rect(1, 3, 8, 10), ratio)
		fmt.Print(ratio, len(m.Y), len(m.Cb), m.YStride, m.CStride, len(n.A), n.AStride, n.Opaque(), m.Opaque())
		for i := range m.Y {
			m.Y[i] = uint8(i * 3)
		}
		for i := range m.Cb {
			m.Cb[i], m.Cr[i], n.Cb[i], n.A[i] = uint8(i*5), uint8(i*7), uint8(i), uint8(i*9)
		}
		sum := crc32.NewIEEE()
		for y := range 12 {
			for x := range 10 {
				fmt.Fprint(sum, m.At(x, y), m.RGBA64At(x, y), n.At(x, y), n.RGBA64At(x, y))
			}
		}
		s := m.SubImage(image.Rect(4, 4, 6, 6)).(*image.YCbCr)
		t := n.SubImage(image.Rect(4, 4, 6, 6)).(*image.NYCbCrA)
		fmt.Println(" ", sum.Sum32(), s.At(4, 4), s.Rect, t.At(5, 5), t.Opaque(), m.SubImage(image.Rectangle{}).(*image.YCbCr).SubsampleRatio)
	}
	for _, r := range []image.Rectangle{{Max: image.Pt(1<<40, 1<<40)}, {Min: image.Pt(5, 5)}, {Max: image.Pt(-1, -1)}} {
		try(func() { image.NewRGBA(r) })
		try(func() { image.NewGray16(r) })
		try(func() { image.NewPaletted(r, nil) })
		try(func() { image.NewYCbCr(r, 0) })
		try(func() { image.NewNYCbCrA(r, 2) })
	}
	u := image.NewUniform(color.NRGBA{10, 20, 30, 40})
	r1, g, b, a := u.RGBA()
	fmt.Println(u.Bounds(), u.At(7, 7), u.Convert(color.White), u.Opaque(), image.Opaque.Opaque(), r1, g, b, a, u.RGBA64At(0, 0), image.White.C)
}

func geometry() {
	rng := rand.New(rand.NewSource(3))
	pt := func() image.Point { return image.Pt(rng.Intn(11)-5, rng.Intn(11)-5) }
	sum := crc32.NewIEEE()
	for range 500 {
		r, s := image.Rectangle{pt(), pt()}, image.Rectangle{pt(), pt()}
		p, q := pt(), pt()
		fmt.Fprint(sum, r, r.Dx(), r.Dy(), r.Size(), r.Add(p), r.Sub(p), r.Inset(p.X), r.Intersect(s), r.Union(s), r.Empty(), r.Eq(s))
		fmt.Fprint(sum, r.Overlaps(s), r.In(s), r.Canon(), r.At(p.X, p.Y), r.RGBA64At(p.X, p.Y), r.Bounds(), p.In(r), p.Eq(q))
		fmt.Fprint(sum, p.Add(q), p.Sub(q), p.Mul(3), p.Div(2), image.Rect(p.X, p.Y, q.X, q.Y))
		if c := r.Canon(); !c.Empty() {
			fmt.Fprint(sum, p.Mod(c))
		}
	}
	fmt.Println(sum.Sum32(), image.ZP, image.ZR, image.Pt(1, -2), image.Rect(1, 2, 3, 4))
	try(func() { image.Pt(1, 1).Div(0) })
}

func main() {
	colors()
	pictures()
	geometry()
	image.RegisterFormat("odd", "O?D", func(r io.Reader) (image.Image, error) {
		b, err := io.ReadAll(r)
		return image.NewUniform(color.Gray{uint8(len(b))}), err
	}, func(r io.Reader) (image.Config, error) { return image.Config{Width: 7}, nil })
	for _, s := range []string{"", "ODD", "OXD and more", "OD"} {
		m, name, err := image.Decode(strings.NewReader(s))
		c, name2, err2 := image.DecodeConfig(strings.NewReader(s))
		fmt.Println(m, name, err, c, name2, err2)
	}
}
