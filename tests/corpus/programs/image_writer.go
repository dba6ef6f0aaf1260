// run

// Pictures drawn, written as PNG, GIF and JPEG, read back and compared.
package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"image/jpeg"
	"image/png"
	"math"
	"math/cmplx"
)

func mandelbrot(w, h int) *image.Paletted {
	pal := color.Palette{color.Black}
	for i := range 31 {
		pal = append(pal, color.RGBA{uint8(i * 8), uint8(255 - i*5), uint8(i * i / 4), 255})
	}
	m := image.NewPaletted(image.Rect(0, 0, w, h), pal)
	for y := range h {
		for x := range w {
			c := complex(float64(x)/float64(w)*3-2, float64(y)/float64(h)*2-1)
			z := c
			n := 0
			for ; n < 60 && cmplx.Abs(z) < 2; n++ {
				z = z*z + c
			}
			if n < 60 {
				m.SetColorIndex(x, y, uint8(1+n%31))
			}
		}
	}
	return m
}

type canvas struct{ *image.RGBA }

func (c canvas) line(x0, y0, x1, y1 int, col color.Color) {
	dx, dy := x1-x0, y1-y0
	n := max(dx, -dx, dy, -dy, 1)
	for i := range n + 1 {
		c.Set(x0+dx*i/n, y0+dy*i/n, col)
	}
}

func (c canvas) circle(cx, cy, r int, col color.Color) {
	for a := 0.0; a < 2*math.Pi; a += 1 / float64(r) {
		c.Set(cx+int(math.Round(float64(r)*math.Cos(a))), cy+int(math.Round(float64(r)*math.Sin(a))), col)
	}
}

func chart(values []int) image.Image {
	c := canvas{image.NewRGBA(image.Rect(0, 0, 20*len(values)+10, 110))}
	draw.Draw(c, c.Bounds(), image.White, image.Point{}, draw.Src)
	for i, v := range values {
		bar := image.Rect(10+20*i, 100-v, 25+20*i, 100)
		draw.Draw(c, bar, image.NewUniform(color.NRGBA{200, uint8(v * 2), 50, 180}), image.Point{},
			draw.Over)
	}
	c.line(5, 100, 20*len(values)+5, 100, color.Black)
	c.line(5, 5, 5, 100, color.Gray{100})
	c.circle(60, 50, 30, color.RGBA{0, 0, 255, 255})
	return c.RGBA
}

func digest(m image.Image) string {
	h := sha256.New()
	b := m.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			r, g, bl, a := m.At(x, y).RGBA()
			h.Write([]byte{byte(r >> 8), byte(g >> 8), byte(bl >> 8), byte(a >> 8)})
		}
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:8])
}

func main() {
	m := mandelbrot(120, 80)
	bars := chart([]int{10, 40, 25, 90, 66})
	for name, img := range map[int]image.Image{1: m} {
		fmt.Println(name, img.Bounds(), digest(img))
	}
	fmt.Println(bars.Bounds(), digest(bars))

	for i, img := range []image.Image{m, bars, bars.(*image.RGBA).SubImage(image.Rect(20, 10, 70,
		60))} {
		var buf bytes.Buffer
		if err := png.Encode(&buf, img); err != nil {
			fmt.Println(err)
		}
		back, format, err := image.Decode(bytes.NewReader(buf.Bytes()))
		fmt.Printf("%d %s %T %v %v %v\n", i, format, back, back.Bounds(), digest(back) == digest(img),
			err)
		cfg, _, err := image.DecodeConfig(&buf)
		fmt.Println(cfg.Width, cfg.Height, err)
	}
	anim := &gif.GIF{LoopCount: 3}
	for i := range 4 {
		frame := image.NewPaletted(image.Rect(0, 0, 40, 40), color.Palette{color.White, color.Black,
			color.RGBA{255, 0, 0, 255}})
		draw.Draw(frame, image.Rect(i*8, i*8, i*8+10, i*8+10), image.NewUniform(color.RGBA{255, 0, 0,
			255}), image.Point{}, draw.Src)
		anim.Image = append(anim.Image, frame)
		anim.Delay = append(anim.Delay, 10*i)
	}
	var buf bytes.Buffer
	fmt.Println(gif.EncodeAll(&buf, anim))
	sum := sha256.Sum256(buf.Bytes())
	fmt.Printf("%d %x\n", buf.Len(), sum[:8])
	all, err := gif.DecodeAll(&buf)
	fmt.Println(len(all.Image), all.Delay, all.LoopCount, all.Config.Width, err)
	for i, f := range all.Image {
		fmt.Println(digest(f) == digest(anim.Image[i]), f.Bounds())
	}
	buf.Reset()
	fmt.Println(jpeg.Encode(&buf, bars, &jpeg.Options{Quality: 90}))
	sum = sha256.Sum256(buf.Bytes())
	fmt.Printf("%d %x\n", buf.Len(), sum[:8])
	j, err := jpeg.Decode(&buf)
	fmt.Printf("%T %v %v\n", j, j.Bounds(), err)
	worst := 0
	for y := range 110 {
		for x := range 110 {
			r1, _, _, _ := j.At(x, y).RGBA()
			r2, _, _, _ := bars.At(x, y).RGBA()
			worst = max(worst, int(r1>>8)-int(r2>>8), int(r2>>8)-int(r1>>8))
		}
	}
	fmt.Println(worst)
	gray := image.NewGray(bars.Bounds())
	draw.FloydSteinberg.Draw(gray, gray.Bounds(), bars, image.Point{})
	fmt.Println(digest(gray), gray.GrayAt(60, 20), color.GrayModel.Convert(color.RGBA{10, 200, 30,
		255}))
	_, _, err = image.Decode(bytes.NewReader([]byte("no image")))
	fmt.Println(err)
}
