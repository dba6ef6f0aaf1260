// run
//
// Package draw: every kind of picture onto every other, both operators, masks, clipping, pictures
// moved within themselves, and few colors.
package main

import (
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/color/palette"
	"image/draw"
	"math/rand"
)

var r = image.Rect(0, 0, 11, 9)

// hidden has no methods besides those that drawing needs.
type hidden struct{ draw.Image }

type hiddenSource struct{ image.Image }

func fill(m draw.Image, seed int64) draw.Image {
	rng := rand.New(rand.NewSource(seed))
	b := m.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			a := uint8(rng.Intn(256))
			if rng.Intn(3) == 0 {
				a = uint8(rng.Intn(2) * 255)
			}
			m.Set(x, y, color.NRGBA{uint8(rng.Intn(256)), uint8(x * 12), uint8(y * 15), a})
		}
	}
	return m
}

func targets() []draw.Image {
	return []draw.Image{
		image.NewRGBA(r), image.NewNRGBA(r), image.NewRGBA64(r), image.NewNRGBA64(r), image.NewAlpha(r), image.NewAlpha16(r), image.NewGray(r),
		image.NewGray16(r), image.NewCMYK(r), image.NewPaletted(r, palette.WebSafe), hidden{image.NewRGBA(r)}, hidden{image.NewNRGBA(r)},
	}
}

func sources() []image.Image {
	y := image.NewYCbCr(r, image.YCbCrSubsampleRatio420)
	for i := range y.Y {
		y.Y[i] = uint8(i * 7)
	}
	for i := range y.Cb {
		y.Cb[i], y.Cr[i] = uint8(i*11), uint8(i*13)
	}
	all := []image.Image{
		image.NewUniform(color.RGBA{10, 20, 30, 40}), image.NewUniform(color.White), image.Transparent, y, r, hiddenSource{fill(image.NewRGBA(r), 9)},
	}
	for i, m := range targets() {
		all = append(all, fill(m, int64(i)))
	}
	return all
}

func masks() []image.Image {
	return []image.Image{
		nil, fill(image.NewAlpha(r), 3), fill(image.NewAlpha16(r), 4), fill(image.NewRGBA(r), 5), image.NewUniform(color.Alpha{100}), image.Opaque,
		image.Rect(3, 3, 9, 9), hiddenSource{fill(image.NewAlpha(r), 6)},
	}
}

func digest(m image.Image) uint32 {
	sum := crc32.NewIEEE()
	b := m.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			fmt.Fprint(sum, m.At(x, y))
		}
	}
	return sum.Sum32()
}

func main() {
	for i := range targets() {
		for j, src := range sources() {
			fmt.Print(i, " ", j, ":")
			for _, mask := range masks() {
				for _, op := range []draw.Op{draw.Over, draw.Src} {
					dst := fill(targets()[i], 77)
					draw.DrawMask(dst, image.Rect(-2, 1, 9, 8), src, image.Pt(1, -1), mask, image.Pt(2, 1), op)
					fmt.Printf(" %x", digest(dst)&0xffff)
				}
			}
			fmt.Println()
		}
	}
	// Within itself, also by way of a part.
	for i := range targets() {
		for _, by := range []image.Point{{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {3, 2}, {-3, 2}, {30, 0}} {
			for _, op := range []draw.Op{draw.Over, draw.Src} {
				m := fill(targets()[i], 5)
				op.Draw(m, r.Add(by), m, image.Point{})
				n := fill(targets()[i], 5)
				draw.DrawMask(n, r.Add(by), n, image.Point{}, fill(image.NewAlpha(r), 8), image.Point{}, op)
				fmt.Printf(" %x %x", digest(m)&0xffff, digest(n)&0xffff)
			}
		}
		fmt.Println()
	}
	a := fill(image.NewRGBA(r), 3).(*image.RGBA)
	draw.Draw(a.SubImage(image.Rect(2, 2, 9, 9)).(*image.RGBA), image.Rect(2, 2, 9, 9), a, image.Pt(1, 1), draw.Over)
	fmt.Println(digest(a))
	for _, src := range sources() {
		for _, p := range []color.Palette{palette.Plan9, palette.WebSafe[:7], {color.Black, color.White}, {color.Transparent}} {
			m := image.NewPaletted(r, p)
			draw.FloydSteinberg.Draw(m, image.Rect(1, 1, 30, 12), src, image.Pt(2, 0))
			n := hidden{image.NewPaletted(r, p)}
			draw.FloydSteinberg.Draw(n, r, src, image.Point{})
			k := image.NewPaletted(r, p)
			draw.Src.Draw(k, r, src, image.Point{})
			fmt.Printf(" %x %x %x", digest(m)&0xffff, digest(n)&0xffff, digest(k)&0xffff)
		}
		g := image.NewGray(r)
		draw.FloydSteinberg.Draw(g, r, src, image.Point{})
		fmt.Println("", digest(g))
	}
	draw.Draw(a, image.Rect(5, 5, 5, 9), image.White, image.Point{}, draw.Src)
	fmt.Println(digest(a))
}
