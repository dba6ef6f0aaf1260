// run
//
// Package gif: what is written, byte for byte, and read again; animations, and broken files.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/color/palette"
	"image/draw"
	"image/gif"
	"io"
	"math/rand"
	"strings"
)

type few struct{ n int }

func (f few) Quantize(p color.Palette, m image.Image) color.Palette {
	return append(p, palette.WebSafe[:f.n]...)
}

type full struct{ left int }

func (f *full) Write(p []byte) (int, error) {
	if f.left -= len(p); f.left < 0 {
		return 0, errors.New("full")
	}
	return len(p), nil
}

func picture(r image.Rectangle) *image.RGBA {
	m := image.NewRGBA(r)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			m.Set(x, y, color.RGBA{uint8(x * 5), uint8(y * 7), uint8(x * y), 255})
		}
	}
	return m
}

func digest(m *image.Paletted) uint32 {
	return crc32.ChecksumIEEE([]byte(fmt.Sprint(m.Pix, m.Palette, m.Rect)))
}

func show(b []byte) {
	g, err := gif.DecodeAll(bytes.NewReader(b))
	if err != nil {
		m, err2 := gif.Decode(bytes.NewReader(b))
		c, err3 := gif.DecodeConfig(bytes.NewReader(b))
		fmt.Println(err, m != nil, err2, c.Width, c.Height, err3)
		return
	}
	fmt.Print(len(g.Image), g.Delay, g.Disposal, g.LoopCount, g.Config.Width, g.Config.Height, g.BackgroundIndex, g.Config.ColorModel != nil)
	for _, m := range g.Image {
		fmt.Print(" ", m.Rect, len(m.Palette), digest(m))
	}
	m, err := gif.Decode(bytes.NewReader(b))
	fmt.Println(" ", m.Bounds(), err)
}

func main() {
	var files [][]byte
	r := image.Rect(3, 4, 50, 41)
	small := palette.Plan9[:16]
	pm := image.NewPaletted(r, small)
	draw.Draw(pm, r, picture(r), r.Min, draw.Src)
	clear := image.NewPaletted(image.Rect(0, 0, 9, 9), color.Palette{color.White, color.Transparent, color.RGBA{9, 8, 7, 255}})
	for i := range clear.Pix {
		clear.Pix[i] = uint8(i % 3)
	}
	for _, m := range []image.Image{picture(r), pm, clear, pm.SubImage(image.Rect(10, 10, 20, 20)), image.NewGray(image.Rect(0, 0, 3, 3)), image.NewPaletted(r, palette.Plan9)} {
		for _, o := range []*gif.Options{nil, {NumColors: 16}, {NumColors: 300}, {Quantizer: few{20}, Drawer: draw.Src}, {NumColors: 2, Quantizer: few{2}}} {
			var out bytes.Buffer
			err := gif.Encode(&out, m, o)
			b := bytes.Clone(out.Bytes())
			fmt.Println(err, len(b), crc32.ChecksumIEEE(b))
			files = append(files, b)
			show(b)
		}
	}
	other := image.NewPaletted(image.Rect(5, 5, 25, 25), palette.WebSafe)
	draw.FloydSteinberg.Draw(other, other.Rect, picture(r), r.Min)
	for _, g := range []*gif.GIF{
		{}, {Image: []*image.Paletted{pm}}, {Image: []*image.Paletted{pm}, Delay: []int{1}, Disposal: []byte{}}, {Image: []*image.Paletted{pm, other, clear}, Delay: []int{1, 2, 300}},
		{Image: []*image.Paletted{pm, other}, Delay: []int{0, 7}, Disposal: []byte{gif.DisposalNone, gif.DisposalPrevious}, LoopCount: -1},
		{Image: []*image.Paletted{pm, other}, Delay: []int{5, 7}, LoopCount: 5, BackgroundIndex: 3, Config: image.Config{ColorModel: color.Palette(small), Width: 60, Height: 50}},
		{Image: []*image.Paletted{other}, Delay: []int{5}, Config: image.Config{ColorModel: color.GrayModel, Width: 60, Height: 50}},
		{Image: []*image.Paletted{other}, Delay: []int{5}, Config: image.Config{Width: 10, Height: 10}}, {Image: []*image.Paletted{image.NewPaletted(r, nil)}, Delay: []int{5}},
		{Image: []*image.Paletted{image.NewPaletted(r, color.Palette{nil})}, Delay: []int{5}}, {Image: []*image.Paletted{image.NewPaletted(image.Rect(-1, 0, 3, 3), small)}, Delay: []int{5}},
		{Image: []*image.Paletted{clear}, Delay: []int{0}, Config: image.Config{ColorModel: append(color.Palette{color.White, color.Black, color.RGBA{9, 8, 7, 255}}, small...), Width: 9, Height: 9}},
		{Image: []*image.Paletted{pm}, Delay: []int{0}, Config: image.Config{ColorModel: color.Palette{nil}, Width: 60, Height: 60}},
		{Image: []*image.Paletted{image.NewPaletted(image.Rect(0, 0, 5, 5), make(color.Palette, 300))}, Delay: []int{0}},
	} {
		var out bytes.Buffer
		err := gif.EncodeAll(&out, g)
		b := bytes.Clone(out.Bytes())
		fmt.Println(err, len(b), crc32.ChecksumIEEE(b))
		if err == nil {
			files = append(files, b)
			show(b)
		}
	}
	for left := 0; left < 1000; left += 90 {
		fmt.Print(gif.Encode(&full{left}, picture(r), nil), " ")
	}
	fmt.Println(gif.Encode(io.Discard, image.NewUniform(color.White), nil))

	head := "GIF89a\x02\x00\x02\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff"
	body := ",\x00\x00\x00\x00\x02\x00\x02\x00"
	data := "\x02\x03\x0c\x10\x05\x00"
	for _, s := range []string{
		"", "GIF", "GIF88a       ", head, head + ";", head + "x", head + body, head + body + "\x00" + data + ";", head + body + "\x40" + data + ";",
		head + body + "\x80\x00\x00\x00\x01\x01\x01" + data + ";", head + body + "\x00\x09", head + body + "\x00\x02\x00;", head + body + "\x00\x02\x01\x0c\x00;",
		head + body + "\x00\x02\x03\x0c\x10\x05\x01\x00\x00;", head + body + "\x00\x02\x03\x0c\x10\x05\x02\x00\x00\x00;", head + body + "\x00\x02\x03\x9c\x10\x05\x00;",
		head + ",\x01\x00\x00\x00\x02\x00\x02\x00\x00" + data, head + "!\x01", head + "!\x02", head + "!\xf9\x04\x01\x05\x00\x01\x00" + body + "\x00" + data + ";",
		head + "!\xf9\x04\x01\x05\x00\x07\x00" + body + "\x00" + data + ";", head + "!\xf9\x05", head + "!\xf9\x05\x01\x05\x00\x01\x00", head + "!\xf9\x04\x01\x05\x00\x01\x01",
		head + "!\xfe\x03abc\x00" + body + "\x00" + data + ";", head + "!\xfe\x05ab", head + "!\x01\x0c1234567890123\x03abc\x00" + body + "\x00" + data + ";",
		head + "!\xff\x0bNETSCAPE2.0\x03\x01\x07\x00\x00" + body + "\x00" + data + ";", head + "!\xff\x0bNETSCAPE2.0\x00" + body + "\x00" + data + ";", head + "!\xff\x0bNETS",
		"GIF87a\x02\x00\x02\x00\x00\x00\x00" + body + "\x00" + data + ";", "GIF89a\x02\x00\x02\x00\x87\x00\x00abc", head + "!\xff\x00\x00" + body + "\x00" + data + ";",
	} {
		show([]byte(s))
	}
	rng := rand.New(rand.NewSource(2))
	sum := crc32.NewIEEE()
	kinds := map[string]int{}
	for i := range 3000 {
		b := bytes.Clone(files[i%len(files)])
		for range 1 + rng.Intn(3) {
			at := rng.Intn(len(b))
			if rng.Intn(2) == 0 {
				at = rng.Intn(min(len(b), 60))
			}
			b[at] ^= 1 << rng.Intn(8)
		}
		if i%5 == 0 {
			b = b[:rng.Intn(len(b))]
		}
		c, err := gif.DecodeConfig(bytes.NewReader(b))
		fmt.Fprint(sum, c.Width, err)
		if c.Width*c.Height > 1<<20 {
			continue
		}
		g, err := gif.DecodeAll(bytes.NewReader(b))
		fmt.Fprint(sum, err)
		kind, _, _ := strings.Cut(fmt.Sprint(err), "0x")
		kinds[kind]++
		if err == nil {
			for _, m := range g.Image {
				fmt.Fprint(sum, digest(m))
			}
		}
	}
	fmt.Println(sum.Sum32(), len(kinds))
}
