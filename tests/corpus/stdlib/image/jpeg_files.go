// run
//
// Package jpeg: what is written, byte for byte; files of other programs, baseline and progressive,
// with restarts, in gray, RGB and CMYK; what is wrong with broken ones.
package main

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/jpeg"
	"io"
	"math/rand"
)

var files = []struct{ name, data string }{
	{"progressive420", "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAA0JCgsKCA0LCgsODg0PEyAVExISEyccHhcgLikxMC4pLSwzOko+MzZGNywtQFdBRkxO" +
		"UlNSMj5aYVpQYEpRUk//2wBDAQ4ODhMREyYVFSZPNS01T09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09P" +
		"T09PT09PT0//wgARCAAbACMDASIAAhEBAxEB/8QAGAAAAwEBAAAAAAAAAAAAAAAAAgMEAAX/xAAZAQACAwEAAAAAAAAAAAAAAAAE" +
		"BQECAwb/2gAMAwEAAhADEAAAAeBRQUVB9Bmmxa/KjVvaZ3JTPaadmOsxu/8A/8QAGBABAQEBAQAAAAAAAAAAAAAAAAECEhD/2gAI" +
		"AQEAAQUCmUymUy5TKZTKZcplMplMuURE8//EABgRAQEBAQEAAAAAAAAAAAAAAAADAhMB/9oACAEDAQE/AZ1Tq6p7T26ev//EABoR" +
		"AAIDAQEAAAAAAAAAAAAAAAABAgMSEBH/2gAIAQIBAT8BdmB2YPBzwOeOf//EABQQAQAAAAAAAAAAAAAAAAAAAED/2gAIAQEABj8C" +
		"J//EABcQAQEBAQAAAAAAAAAAAAAAAAEAETD/2gAIAQEAAT8h7qtVqsxIxLL/2gAMAwEAAgADAAAAEJvgUAs//8QAFhEBAQEAAAAA" +
		"AAAAAAAAAAAAAAER/9oACAEDAQE/ENmyN6vUH//EABwRAAEEAwEAAAAAAAAAAAAAAAABEUHwIWGhgf/aAAgBAgEBPxC2C2Cq4ozf" +
		"BT1wwf/EABoQAAMBAQEBAAAAAAAAAAAAAAARQQFRITH/2gAIAQEAAT8QRBEEQRDPIiCIIgiGeREEQRBEM8mHDgMOHAIvh//Z"},
	{"progressive444", "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABsSFBcUERsXFhceHBsgKEIrKCUlKFE6PTBCYFVlZF9VXVtqeJmBanGQc1tdhbWGkJ6j" +
		"q62rZ4C8ybqmx5moq6T/2wBDARweHigjKE4rK06kbl1upKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSk" +
		"pKSkpKSkpKT/wgARCAAbACMDAREAAhEBAxEB/8QAGAABAQEBAQAAAAAAAAAAAAAAAgEDAAT/xAAZAQEBAQEBAQAAAAAAAAAAAAAD" +
		"AgQFAQD/2gAMAwEAAhADEAAAAfB95paO70uzhUty0K7bKopSQty3d9gd3bSg/MorRVCmuv3/xAAWEAEBAQAAAAAAAAAAAAAAAAAR" +
		"ACD/2gAIAQEAAQUCIiIiIiIiIjX/xAAXEQEBAQEAAAAAAAAAAAAAAAABABEQ/9oACAEDAQE/ARhhhthhhhthhhhtiIjn/8QAFxEB" +
		"AQEBAAAAAAAAAAAAAAAAEQAQIP/aAAgBAgEBPwFJJJMSSSTEkkk7/8QAFBABAAAAAAAAAAAAAAAAAAAAQP/aAAgBAQAGPwIn/8QA" +
		"FhABAQEAAAAAAAAAAAAAAAAAAQAQ/9oACAEBAAE/ISEIYEIQwIQhgREZ/9oADAMBAAIAAwAAABCjO0Jk9anZv//EABcRAQEBAQAA" +
		"AAAAAAAAAAAAAAEAEDD/2gAIAQMBAT8Q7gEAgFaKL//EABYRAQEBAAAAAAAAAAAAAAAAAAEAEP/aAAgBAgEBPxBhhhwYYYcGGGHA" +
		"iIlv/8QAFxABAQEBAAAAAAAAAAAAAAAAABEBEP/aAAgBAQABPxCKKKPMUUUeYooo85xnGcZxMf/Z"},
	{"base422", "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAA0JCgsKCA0LCgsODg0PEyAVExISEyccHhcgLikxMC4pLSwzOko+MzZGNywtQFdBRkxO" +
		"UlNSMj5aYVpQYEpRUk//2wBDAQ4ODhMREyYVFSZPNS01T09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09P" +
		"T09PT09PT0//wAARCAAbACMDASEAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUF" +
		"BAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVW" +
		"V1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi" +
		"4+Tl5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAEC" +
		"AxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVm" +
		"Z2hpanN0dXZ3eHl6goOEhYaHiImKkpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq" +
		"8vP09fb3+Pn6/90ABAAC/9oADAMBAAIRAxEAPwDgo7XHar8drjtW1Kpa/ka4ersX47XHar0drjtXtUqlr+R7WHq7H//QyRacUV5X" +
		"zPu1VK8drjtUsdrjtXbi6lreR+b4Wqf/0Ujtcdqmjtcdq9LF1LW8juwtUeLTiivnfmeyqx//0iO1x2q/Ha47V30qlr+R83h6uwyO" +
		"1x2q9Ha47V8hSqWv5H02Hq7H/9PpxacUVx/M9JVihCo9KmhVfSvRxTfu/M/PMK2f/9TpIVHpU0Kr6V8rim/d+ZyYVs1Nox0or6By" +
		"dzuTZ//Z"},
	{"restarts", "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABQODxIPDRQSEBIXFRQYHjIhHhwcHj0sLiQySUBMS0dARkVQWnNiUFVtVkVGZIhlbXd7" +
		"gYKBTmCNl4x9lnN+gXz/2wBDARUXFx4aHjshITt8U0ZTfHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8" +
		"fHx8fHx8fHz/wAARCAAbACMDAREAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUF" +
		"BAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVW" +
		"V1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi" +
		"4+Tl5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAEC" +
		"AxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVm" +
		"Z2hpanN0dXZ3eHl6goOEhYaHiImKkpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq" +
		"8vP09fb3+Pn6/90ABAAF/9oADAMBAAIRAxEAPwDl0hx2ocuUUJlpIcdq6HLlOiEy0kOO1dLlynTCZZSHHauly5TphMYIOK+X+Z3K" +
		"Z//Qy0hx2q3LlOCEyRIcdq89y5TthMvpDjtX0LlymsJkiQ47V57lynZCY4QVwfM6lM//0RIcdq2cuU8OEy0kOO1dLlynTCY1Icdq" +
		"+WcuU9CEyykOO1dLlynTCZYEHFdPzNlM/9LQjA9K609z5iLJIwPSvPT3O2LHxgelcCe52RZJGB6V56e52xZdwPSvebaLTP/Z"},
	{"cmyk", "/9j/7gAOQWRvYmUAZAAAAAAA/9sAQwAQCwwODAoQDg0OEhEQExgoGhgWFhgxIyUdKDozPTw5Mzg3QEhcTkBEV0U3OFBtUVdfYmdo" +
		"Zz5NcXlwZHhcZWdj/8AAFAgADQARBEMRAE0RAFkRAEsRAP/EAB8AAAEFAQEBAQEBAAAAAAAAAAABAgMEBQYHCAkKC//EALUQAAIB" +
		"AwMCBAMFBQQEAAABfQECAwAEEQUSITFBBhNRYQcicRQygZGhCCNCscEVUtHwJDNicoIJChYXGBkaJSYnKCkqNDU2Nzg5OkNERUZH" +
		"SElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6g4SFhoeIiYqSk5SVlpeYmZqio6Slpqeoqaqys7S1tre4ubrCw8TFxsfIycrS09TV" +
		"1tfY2drh4uPk5ebn6Onq8fLz9PX29/j5+v/aAA4EQwBNAFkASwAAPwDi7PtXH/YfauN/49ffP/jtegVuWfaj7D7V0H/Hr75/8dor" +
		"Qo+w+1dB9j9qK5Oz7V0H2dK58f6Ptxzv6e2P/wBdFbln2o+zpXPj/R9uOd/T2x/+uitCj7Oleu+QlFf/2Q=="},
	{"cmykProgressive", "/9j/7gAOQWRvYmUAZAAAAAAA/9sAQwAQCwwODAoQDg0OEhEQExgoGhgWFhgxIyUdKDozPTw5Mzg3QEhcTkBEV0U3OFBtUVdfYmdo" +
		"Zz5NcXlwZHhcZWdj/8IAFAgADQARBEMRAE0RAFkRAEsRAP/EABcAAQEBAQAAAAAAAAAAAAAAAAAFBAb/2gAOBEMATQBZAEsAAAAB" +
		"ix43QblBoUEmhPbk9odc/8QAFhABAQEAAAAAAAAAAAAAAAAAAgAQ/9oACAFDAAEFAhDBDP/EABUQAQEAAAAAAAAAAAAAAAAAAAAS" +
		"/9oACAFNAAEFAoQhKUv/xAAXEAEBAQEAAAAAAAAAAAAAAAAAMhES/9oACAFZAAEFApS4Slj/xAAUEAEAAAAAAAAAAAAAAAAAAAAg" +
		"/9oACAFLAAEFAl//xAAUEAEAAAAAAAAAAAAAAAAAAAAg/9oACAFDAAY/Al//xAAUEAEAAAAAAAAAAAAAAAAAAAAg/9oACAFNAAY/" +
		"Al//xAAUEAEAAAAAAAAAAAAAAAAAAAAg/9oACAFZAAY/Al//xAAUEAEAAAAAAAAAAAAAAAAAAAAg/9oACAFLAAY/Al//xAAUEAEA" +
		"AAAAAAAAAAAAAAAAAAAg/9oACAFDAAE/IUH/xAAWEAEBAQAAAAAAAAAAAAAAAAAAERD/2gAIAU0AAT8h3whD/8QAGRAAAgMBAAAA" +
		"AAAAAAAAAAAAAGEQQfAR/9oACAFZAAE/IdRqhRlGcn//xAAUEAEAAAAAAAAAAAAAAAAAAAAg/9oACAFLAAE/IV//2gAOBEMATQBZ" +
		"AEsAAAAQAAAC/8QAFhABAQEAAAAAAAAAAAAAAAAAQQAQ/9oACAFDAAE/EBDBDP/EABYQAQEBAAAAAAAAAAAAAAAAAHEAIP/aAAgB" +
		"TQABPxAQhhX/xAAdEAABAwUBAAAAAAAAAAAAAAAAARFBECFhkfFx/9oACAFZAAE/ENnGzjwJBeOG6JBeOG7T/8QAFBABAAAAAAAA" +
		"AAAAAAAAAAAAIP/aAAgBSwABPxBf/9k="},
	{"grayProgressive", "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAA0JCgsKCA0LCgsODg0PEyAVExISEyccHhcgLikxMC4pLSwzOko+MzZGNywtQFdBRkxO" +
		"UlNSMj5aYVpQYEpRUk//wgALCAAbACMBAREA/8QAGAABAQEBAQAAAAAAAAAAAAAAAwIEAQX/2gAIAQEAAAAB8DQ7ydbLo347Bd3q" +
		"/8QAGBABAQEBAQAAAAAAAAAAAAAAAAECEhD/2gAIAQEAAQUCmUymUy5TKZTKZcplMplMuURE8//EABQQAQAAAAAAAAAAAAAAAAAA" +
		"AED/2gAIAQEABj8CJ//EABcQAQEBAQAAAAAAAAAAAAAAAAEAETD/2gAIAQEAAT8h7qtVqsxIxLL/2gAIAQEAAAAQs5IP/8QAGhAA" +
		"AwEBAQEAAAAAAAAAAAAAABFBAVEhMf/aAAgBAQABPxBEEQRBEM8iIIgiCIZ5EQRBEEQzyYcOAw4cAi+H/9k="},
	{"rgb", "/9j/7gAOQWRvYmUAZAAAAAAA/9sAQwANCQoLCggNCwoLDg4NDxMgFRMSEhMnHB4XIC4pMTAuKS0sMzpKPjM2RjcsLUBXQUZMTlJT" +
		"UjI+WmFaUGBKUVJP/8AAEQgADQARA1IRAEcRAEIRAP/EAB8AAAEFAQEBAQEBAAAAAAAAAAABAgMEBQYHCAkKC//EALUQAAIBAwMC" +
		"BAMFBQQEAAABfQECAwAEEQUSITFBBhNRYQcicRQygZGhCCNCscEVUtHwJDNicoIJChYXGBkaJSYnKCkqNDU2Nzg5OkNERUZHSElK" +
		"U1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6g4SFhoeIiYqSk5SVlpeYmZqio6Slpqeoqaqys7S1tre4ubrCw8TFxsfIycrS09TV1tfY" +
		"2drh4uPk5ebn6Onq8fLz9PX29/j5+v/aAAwDUgBHAEIAAD8A8/se1cJ/Z/8As1wP/Hn75/Db/jXR2Paj+z/9muo/48/fP4bf8a06" +
		"P7P/ANmun+we1cTY9q6j7LHXML/ou3Hzb+nbbj+fWujse1H2WOuXX/RduPm39O23H8+tadH2WOvc/syV/9k="},
}

type dribble struct{ r io.Reader }

func (d dribble) Read(p []byte) (int, error) { return d.r.Read(p[:min(1, len(p))]) }

type full struct{ left int }

func (f *full) Write(p []byte) (int, error) {
	if f.left -= len(p); f.left < 0 {
		return 0, errors.New("full")
	}
	return len(p), nil
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
			r, g, b, _ := m.At(x, y).RGBA()
			sum.Write([]byte{byte(r >> 8), byte(g >> 8), byte(b >> 8)})
		}
	}
	return fmt.Sprintf("%T %v %x", m, b, sum.Sum32())
}

func read(b []byte) {
	m, err := jpeg.Decode(bytes.NewReader(b))
	n, err2 := jpeg.Decode(dribble{bytes.NewReader(b)})
	c, err3 := jpeg.DecodeConfig(bytes.NewReader(b))
	fmt.Println(digest(m), err, digest(n) == digest(m), fmt.Sprint(err) == fmt.Sprint(err2), c.Width, c.Height, c.ColorModel != nil, err3)
	if y, ok := m.(*image.YCbCr); ok {
		fmt.Println(" ", y.SubsampleRatio, y.YStride, y.CStride, len(y.Y), len(y.Cb))
	}
}

func main() {
	r := image.Rect(2, 3, 50, 36)
	rgba, gray, nrgba := image.NewRGBA(r), image.NewGray(r), image.NewNRGBA(r)
	ycbcr := image.NewYCbCr(r, image.YCbCrSubsampleRatio422)
	rng := rand.New(rand.NewSource(1))
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			c := color.RGBA{uint8(x * 5), uint8(y * 7), uint8(x*y + rng.Intn(30)), 255}
			rgba.Set(x, y, c)
			gray.Set(x, y, c)
			nrgba.Set(x, y, c)
			ycbcr.Y[ycbcr.YOffset(x, y)] = c.B
			ycbcr.Cb[ycbcr.COffset(x, y)] = c.R
			ycbcr.Cr[ycbcr.COffset(x, y)] = c.G
		}
	}
	var all [][]byte
	for _, m := range []image.Image{rgba, gray, nrgba, ycbcr, hidden{gray}, rgba.SubImage(image.Rect(9, 9, 10, 40)), gray.SubImage(image.Rect(20, 20, 29, 37)), image.NewRGBA(image.Rect(0, 0, 0, 3)), image.NewCMYK(r)} {
		for _, o := range []*jpeg.Options{nil, {Quality: 1}, {Quality: 49}, {Quality: 90}, {Quality: 1000}, {}} {
			var out bytes.Buffer
			err := jpeg.Encode(&out, m, o)
			b := bytes.Clone(out.Bytes())
			fmt.Println(len(b), crc32.ChecksumIEEE(b), err)
			if !m.Bounds().Empty() {
				read(b)
				all = append(all, b)
			}
		}
	}
	for left := 0; left < 1500; left += 140 {
		fmt.Print(jpeg.Encode(&full{left}, rgba, nil), " ")
	}
	fmt.Println(jpeg.Encode(io.Discard, image.NewUniform(color.White), nil))
	for _, f := range files {
		b, err := base64.StdEncoding.DecodeString(f.data)
		fmt.Println(f.name, err)
		read(b)
		read(append(bytes.Clone(b), "tail"...))
		all = append(all, b, b, b)
		// Without what a program has noted, and with other letters for the components.
		read(bytes.Replace(b, []byte("Adobe"), []byte("Other"), 1))
		read(bytes.Replace(b, []byte("JFIF"), []byte("JFXX"), 1))
		for i := 0; i < len(b); i += 1 + len(b)/40 {
			m, err := jpeg.Decode(bytes.NewReader(b[:i]))
			fmt.Print(" ", m != nil, err)
		}
		fmt.Println()
	}
	// Components with ratios that no kind of picture has.
	for _, ratios := range [][3]byte{{0x12, 0x11, 0x11}, {0x21, 0x11, 0x11}, {0x41, 0x11, 0x11}, {0x42, 0x11, 0x11}, {0x22, 0x12, 0x11}, {0x11, 0x22, 0x11}, {0x13, 0x11, 0x11}, {0x05, 0x11, 0x11}, {0x44, 0x22, 0x11}, {0x21, 0x21, 0x21}} {
		b := bytes.Clone(all[0])
		at := bytes.Index(b, []byte{0xff, 0xc0})
		for i, v := range ratios {
			b[at+11+3*i] = v
		}
		read(b)
	}
	for _, s := range []string{"", "\xff", "\xff\xd8", "\xff\xd9", "\xff\xd8\xff\xd9", "\xff\xd8\xff\xff\xff\x00\x00\x02", "\xff\xd8ab\xff\xd0\xff\x00\xff\xfe\x00\x04ab\xff\xd9", "\xff\xd8\xff\x01\x00\x02",
		"\xff\xd8\xff\xc8\x00\x02", "\xff\xd8\xff\xe0\x00\x01", "\xff\xd8\xff\xdd\x00\x03\x00", "\xff\xd8\xff\xda\x00\x08\x00\x00\x00\x00\x00\x00", "\xff\xd8\xff\xc4\x00\x05\x00\x00\x00",
		"\xff\xd8\xff\xdb\x00\x03\x00", "\xff\xd8\xff\xdb\x00\x03\x04", "\xff\xd8\xff\xdb\x00\x03\x20", "\xff\xd8\xff\xdb\x00\x04\x00\x00"} {
		read([]byte(s))
	}
	sum := crc32.NewIEEE()
	kinds := map[string]int{}
	for i := range 4000 {
		b := bytes.Clone(all[i%len(all)])
		for range 1 + rng.Intn(3) {
			b[rng.Intn(len(b))] ^= 1 << rng.Intn(8)
		}
		c, err := jpeg.DecodeConfig(bytes.NewReader(b))
		fmt.Fprint(sum, c.Width, c.Height, err)
		if c.Width*c.Height > 1<<16 {
			continue
		}
		m, err := jpeg.Decode(bytes.NewReader(b))
		fmt.Fprint(sum, digest(m), err)
		kinds[fmt.Sprint(err)]++
	}
	fmt.Println(sum.Sum32(), kinds)
}
