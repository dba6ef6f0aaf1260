// run
//
// Package png: what is written, byte for byte, and read again; files of other kinds, and broken ones.
package main

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/color/palette"
	"image/png"
	"io"
	"math/rand"
)

func fill(m interface{ Set(x, y int, c color.Color) }, r image.Rectangle, alpha bool) image.Image {
	rng := rand.New(rand.NewSource(4))
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			c := color.NRGBA{uint8(x * x), uint8(y * 3), uint8(x*y + rng.Intn(5)), 255}
			if alpha {
				c.A = uint8(255 - rng.Intn(2)*x)
			}
			m.Set(x, y, c)
		}
	}
	return m.(image.Image)
}

// hidden has no methods besides those of a picture.
type hidden struct{ image.Image }

func digest(m image.Image) string {
	if m == nil {
		return "nil"
	}
	sum := crc32.NewIEEE()
	b := m.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			fmt.Fprint(sum, m.At(x, y))
		}
	}
	return fmt.Sprintf("%T %v %x", m, b, sum.Sum32())
}

func both(m image.Image) []byte {
	var out bytes.Buffer
	err := png.Encode(&out, m)
	file := bytes.Clone(out.Bytes())
	back, err2 := png.Decode(&out)
	fmt.Printf("%T: %d %x %v; %s %v\n", m, len(file), crc32.ChecksumIEEE(file), err, digest(back), err2)
	c, err := png.DecodeConfig(bytes.NewReader(file))
	fmt.Println(c.Width, c.Height, c.ColorModel != nil, err)
	return file
}

type full struct{ left int }

func (f *full) Write(p []byte) (int, error) {
	if f.left -= len(p); f.left < 0 {
		return 0, errors.New("full")
	}
	return len(p), nil
}

func chunk(name string, data []byte) []byte {
	b := binary.BigEndian.AppendUint32(nil, uint32(len(data)))
	b = append(append(b, name...), data...)
	return binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b[4:]))
}

func header(w, h uint32, depth, kind, interlace byte) []byte {
	b := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, w), h)
	return chunk("IHDR", append(b, depth, kind, 0, 0, interlace))
}

func packed(b []byte) []byte {
	var out bytes.Buffer
	w := zlib.NewWriter(&out)
	w.Write(b)
	w.Close()
	return out.Bytes()
}

func file(chunks ...[]byte) []byte {
	return append([]byte("\x89PNG\r\n\x1a\n"), bytes.Join(chunks, nil)...)
}

func read(b []byte) {
	m, err := png.Decode(bytes.NewReader(b))
	c, err2 := png.DecodeConfig(bytes.NewReader(b))
	fmt.Println(digest(m), err, c.Width, c.Height, err2)
}

func others() {
	end := chunk("IEND", nil)
	noise := make([]byte, 20000)
	rand.New(rand.NewSource(9)).Read(noise)
	// Every kind, interlaced or not, with all filters.
	for _, depth := range []byte{1, 2, 4, 8, 16, 3} {
		for kind := range byte(8) {
			for interlace := range byte(3) {
				samples := map[byte]int{0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[kind]
				raw := bytes.Clone(noise)
				bits := samples * int(depth)
				at := 0
				passes := [][4]int{{0, 0, 1, 1}}
				if interlace == 1 {
					passes = [][4]int{{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4}, {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}}
				}
				for _, p := range passes {
					w, h := (13-p[0]+p[2]-1)/p[2], (11-p[1]+p[3]-1)/p[3]
					for range h {
						raw[at] = raw[at] % 5
						at += 1 + (bits*w+7)/8
					}
				}
				raw = raw[:at]
				head := header(13, 11, depth, kind, interlace)
				data := packed(raw)
				parts := [][]byte{head}
				if kind == 3 {
					parts = append(parts, chunk("PLTE", noise[:3*min(1<<depth, 200)]))
				}
				cut := len(data) / 2
				rest := [][]byte{chunk("tEXt", noise[:5000]), chunk("IDAT", data[:cut]), chunk("IDAT", nil), chunk("IDAT", data[cut:]), end}
				read(file(append(parts, rest...)...))
				clear := map[byte][]byte{0: {0, 1}, 2: {0, 9, 0, 8, 0, 7}, 3: {1, 2}}[kind]
				if kind == 2 && depth == 8 {
					clear = []byte{0, raw[1], 0, raw[2], 0, raw[3]}
				}
				read(file(append(append(parts, chunk("tRNS", clear)), rest...)...))
			}
		}
	}
	one := packed([]byte{0, 7})
	gray := header(1, 1, 8, 0, 0)
	pal := header(1, 1, 8, 3, 0)
	for _, b := range [][]byte{
		nil, []byte("\x89PNG"), []byte("not a png file"), file(), file(gray), file(gray, end), file(gray, gray),
		file(gray, chunk("IDAT", one)), file(gray, chunk("IDAT", one), end), file(gray, chunk("IDAT", one), chunk("IEND", one)),
		file(gray, chunk("IDAT", one[:4]), end), file(gray, chunk("IDAT", packed([]byte{0})), end),
		file(gray, chunk("IDAT", packed([]byte{9, 1})), end), file(gray, chunk("IDAT", packed([]byte{0, 1, 2})), end),
		file(gray, chunk("IDAT", append(bytes.Clone(one), 1)), end), file(gray, chunk("IDAT", []byte("junk")), end),
		file(chunk("IDAT", one)), file(pal, chunk("IDAT", one)), file(pal, chunk("PLTE", nil)), file(pal, chunk("PLTE", make([]byte, 4))),
		file(pal, chunk("PLTE", make([]byte, 771))), file(gray, chunk("PLTE", make([]byte, 3))), file(pal, chunk("tRNS", nil)),
		file(pal, chunk("PLTE", make([]byte, 3)), chunk("tRNS", make([]byte, 257))), file(gray, chunk("tRNS", nil)),
		file(header(1, 1, 8, 4, 0), chunk("tRNS", nil)), file(header(1, 1, 8, 2, 0), chunk("tRNS", make([]byte, 5))),
		file(pal, chunk("PLTE", make([]byte, 3)), chunk("tRNS", make([]byte, 5)), chunk("IDAT", packed([]byte{0, 3})), end),
		file(pal, chunk("PLTE", make([]byte, 3)), chunk("IDAT", packed([]byte{0, 200})), end),
		file(header(0, 1, 8, 0, 0)), file(header(1, 1<<31, 8, 0, 0)), file(header(1<<30, 1<<31-1, 8, 0, 0)), file(chunk("IHDR", one)),
		file(chunk("IHDR", []byte("\x00\x00\x00\x01\x00\x00\x00\x01\x08\x00\x01\x00\x00"))),
		file(chunk("IHDR", []byte("\x00\x00\x00\x01\x00\x00\x00\x01\x08\x00\x00\x01\x00"))),
		file(gray, []byte("\xff\x00\x00\x00xxxx")), file(gray, chunk("IDAT", one), chunk("gAMA", one), chunk("IDAT", one), end),
		file(gray, chunk("IDAT", one[:3]), chunk("gAMA", one), chunk("IDAT", one[3:]), end),
	} {
		read(b)
	}
}

func main() {
	r := image.Rect(0, 0, 67, 45)
	var files [][]byte
	for _, m := range []image.Image{
		fill(image.NewRGBA(r), r, false), fill(image.NewRGBA(r), r, true), fill(image.NewNRGBA(r), r, false), fill(image.NewNRGBA(r), r, true),
		fill(image.NewRGBA64(r), r, false), fill(image.NewNRGBA64(r), r, true), fill(image.NewGray(r), r, false), fill(image.NewGray16(r), r, false),
		fill(image.NewAlpha(r), r, true), fill(image.NewAlpha16(r), r, true), fill(image.NewCMYK(r), r, false),
		fill(image.NewPaletted(r, palette.Plan9), r, false), fill(image.NewPaletted(r, palette.Plan9[:16]), r, false),
		fill(image.NewPaletted(r, palette.WebSafe[:3]), r, false),
		fill(image.NewPaletted(r, color.Palette{color.Black, color.NRGBA{255, 0, 0, 100}}), r, false),
		image.NewYCbCr(r, image.YCbCrSubsampleRatio420),
	} {
		files = append(files, both(m), both(hidden{m}))
	}
	sub := fill(image.NewRGBA(r), r, true).(*image.RGBA).SubImage(image.Rect(5, 6, 40, 30))
	files = append(files, both(sub))
	big := image.Rect(0, 0, 700, 300)
	both(fill(image.NewRGBA(big), big, false))
	both(fill(image.NewGray(big), big, false))
	for _, level := range []png.CompressionLevel{png.NoCompression, png.BestSpeed, png.BestCompression, 77} {
		var out bytes.Buffer
		enc := png.Encoder{CompressionLevel: level}
		err := enc.Encode(&out, sub)
		m, err2 := png.Decode(&out)
		fmt.Println(digest(m), err, err2)
	}
	fmt.Println(png.Encode(io.Discard, image.NewRGBA(image.Rect(0, 0, 0, 5))), png.Encode(io.Discard, image.NewPaletted(r, color.Palette{})))
	for left := 0; left < 200; left += 13 {
		fmt.Print(png.Encode(&full{left}, sub), " ")
	}
	fmt.Println()
	others()

	rng := rand.New(rand.NewSource(6))
	sum := crc32.NewIEEE()
	kinds := map[string]int{}
	for i := range 2000 {
		b := bytes.Clone(files[i%len(files)])
		switch rng.Intn(3) {
		case 0:
			b = b[:rng.Intn(len(b))]
		case 1:
			b[rng.Intn(len(b))] ^= 1 << rng.Intn(8)
		case 2:
			// The data of the last chunk but one, with its checksum put right.
			at := bytes.LastIndex(b, []byte("IDAT"))
			n := int(binary.BigEndian.Uint32(b[at-4:]))
			b[at+4+rng.Intn(n)] ^= 1 << rng.Intn(8)
			binary.BigEndian.PutUint32(b[at+4+n:], crc32.ChecksumIEEE(b[at:at+4+n]))
		}
		m, err := png.Decode(bytes.NewReader(b))
		fmt.Fprint(sum, err)
		if err == nil {
			fmt.Fprint(sum, m.Bounds(), m.At(3, 3))
		}
		kinds[fmt.Sprintf("%T", err)]++
	}
	fmt.Println(sum.Sum32(), kinds)
}
