// run
//
// Packages bzip2 and lzw: what they read and write, also in pieces, cut and broken.
package main

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"compress/lzw"
	"encoding/base64"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math/rand"
	"strings"
)

// Made with bzip2.
var (
	text = file("QlpoMTFBWSZTWVtOET4AAKSXgEAEACBAAC8s3AAgAJAoaaYABNVIhkybRMQ3hmG8OYbw0hrD1DuG1Q5h+oYodw+wzDSHkMUM" +
		"wzDyGtDWHki2hxIuIe4aUOKh1DEP4u5IpwoSC2nCJ8A=")
	runs = file("QlpoMTFBWSZTWaC9ENMAADP/////////////////////////////////////////////sADa0kAAAAAAAAAABMAAAAAAAAAA" +
		"AmAAAAAAAAAAAAAAAAAAEwEwZqTSYEwJgAmJgJgCYARgTACYTAA0CGAAAmBMAEwmAACYTBMmAAjAJgEwAAI0wCZqYSYACYAA" +
		"mAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAGgvgLABggKDA4QEhQWGf4NDg8QERITFBUWFxgZGhv/jg6PD5AQkRGSEpMT" +
		"lDCVFZYWlxmaGpsbnBydHZ4enx//EBBQkNERUZHSElKS0xNTk9QUVJTVFVWV1hZWltcXV5fYGFiY2cHcIaANIqjAEiBQLwBg" +
		"4AJDWEEEEHDACCbG1u9nt9ze4OLk5ujq7O7w8vT2+Pj6/P8BAwUH/YSFhoeIiYqLjI2Oj5CRkpOUlZaXmJmam5ydnp+goaKj" +
		"pKWmp6ipqqusra6vsLGys7S1tre4ubq7vL2+v8DBwsPExcbHyMnKy8zNzs/Q0dLTbdTU1dbX2Nna29zT1NXW19jZ2tvc3d7f" +
		"4OH9/zi/vHycvNz9HT1f7r7JQ1AAT8v/293eLuSKcKEhQXohpg==")
	none = file("QlpoMhdyRThQkAAAAAA=")
)

func file(s string) []byte {
	b, err := base64.StdEncoding.DecodeString(s)
	if err != nil {
		panic(err)
	}
	return b
}

type dribble struct{ r io.Reader }

func (d dribble) Read(p []byte) (int, error) { return d.r.Read(p[:min(1, len(p))]) }

func bz(name string, p []byte) {
	for _, r := range []io.Reader{bytes.NewReader(p), dribble{bytes.NewReader(p)}} {
		out, err := io.ReadAll(bzip2.NewReader(r))
		fmt.Printf("%s: %d %x %v\n", name, len(out), crc32.ChecksumIEEE(out), err)
	}
}

func bzips() {
	bz("text", text)
	bz("runs", runs)
	bz("none", none)
	bz("empty", nil)
	all := append(append(append([]byte(nil), text...), none...), runs...)
	bz("all", all)
	bz("tail", append(bytes.Clone(text), "tail"...))
	bz("short tail", append(bytes.Clone(text), 'B'))
	bz("bad level", append(bytes.Clone(text), "BZh0"...))
	r := bzip2.NewReader(bytes.NewReader(runs))
	var buf [7]byte
	sum := crc32.NewIEEE()
	for {
		n, err := r.Read(buf[:])
		sum.Write(buf[:n])
		if err != nil {
			fmt.Printf("%x %v\n", sum.Sum32(), err)
			break
		}
	}
	rng := rand.New(rand.NewSource(1))
	kinds := map[string]int{}
	for i := range all {
		out, err := io.ReadAll(bzip2.NewReader(bytes.NewReader(all[:i])))
		fmt.Fprint(sum, out, err)
	}
	for range 600 {
		bad := bytes.Clone(all)
		for range 1 + rng.Intn(3) {
			bad[rng.Intn(len(bad))] ^= 1 << rng.Intn(8)
		}
		out, err := io.ReadAll(io.LimitReader(bzip2.NewReader(bytes.NewReader(bad)), 1<<20))
		fmt.Fprint(sum, out, err)
		kinds[fmt.Sprint(err)]++
	}
	fmt.Println(sum.Sum32(), kinds)
}

type full struct{ left int }

func (f *full) Write(p []byte) (int, error) {
	if f.left -= len(p); f.left < 0 {
		return 0, errors.New("full")
	}
	return len(p), nil
}

func lzws() {
	rng := rand.New(rand.NewSource(2))
	noise := make([]byte, 30000)
	rng.Read(noise)
	sum := crc32.NewIEEE()
	for _, order := range []lzw.Order{lzw.LSB, lzw.MSB} {
		for width := 2; width <= 8; width++ {
			for i, data := range [][]byte{nil, {1}, {1, 1, 1, 1, 1, 1, 1}, noise, bytes.Repeat(noise[:99], 500), make([]byte, 50000)} {
				data = bytes.Clone(data)
				for j := range data {
					data[j] &= 1<<width - 1
				}
				var out bytes.Buffer
				w := lzw.NewWriter(&out, order, width)
				w.Write(data[:len(data)/3])
				w.Write(data[len(data)/3:])
				err := w.Close()
				packed := out.Bytes()
				fmt.Printf("%d/%d/%d: %d %x %v", order, width, i, len(packed), crc32.ChecksumIEEE(packed), err)
				for _, r := range []io.Reader{bytes.NewReader(append(bytes.Clone(packed), 9, 9)), bufio.NewReader(bytes.NewReader(packed)), dribble{bytes.NewReader(packed)}} {
					got, err := io.ReadAll(lzw.NewReader(r, order, width))
					rest, _ := io.ReadAll(r)
					fmt.Print(" ", bytes.Equal(got, data), err, len(rest))
				}
				fmt.Println()
				for range 30 {
					bad := bytes.Clone(packed)
					bad[rng.Intn(len(bad))] ^= 1 << rng.Intn(8)
					bad = bad[:len(bad)-rng.Intn(2)]
					got, err := io.ReadAll(lzw.NewReader(bytes.NewReader(bad), order, width))
					fmt.Fprint(sum, got, err)
				}
			}
		}
	}
	fmt.Println(sum.Sum32())
	for range 2000 {
		n := rng.Intn(40)
		got, err := io.ReadAll(lzw.NewReader(bytes.NewReader(noise[rng.Intn(20000):][:n]), lzw.Order(n&1), 2+n%7))
		fmt.Fprint(sum, got, err)
	}
	fmt.Println(sum.Sum32())
	for _, c := range []struct{ order, width int }{{2, 8}, {0, 1}, {1, 9}} {
		r := lzw.NewReader(strings.NewReader("x"), lzw.Order(c.order), c.width)
		_, err := r.Read(make([]byte, 1))
		w := lzw.NewWriter(io.Discard, lzw.Order(c.order), c.width)
		_, err2 := w.Write([]byte("x"))
		fmt.Println(err, err2, r.Close(), w.Close())
		_, err = r.Read(make([]byte, 1))
		fmt.Println(err)
	}
	w := lzw.NewWriter(io.Discard, lzw.LSB, 3)
	_, err := w.Write([]byte{8})
	fmt.Println(err, w.Close())
	w = lzw.NewWriter(&full{100}, lzw.LSB, 8)
	n, err := w.Write(noise)
	fmt.Println(n, err, w.Close())
	w = lzw.NewWriter(&full{1}, lzw.LSB, 8)
	n, err = w.Write(noise[:20])
	fmt.Println(n, err, w.Close(), w.Close())
	var out bytes.Buffer
	x := w.(*lzw.Writer)
	x.Reset(&out, lzw.MSB, 8)
	x.Write([]byte("again and again and again"))
	x.Close()
	fmt.Printf("%x\n", out.Bytes())
	_, err = x.Write([]byte("x"))
	fmt.Println(err)
	r := lzw.NewReader(&out, lzw.MSB, 8).(*lzw.Reader)
	got, err := io.ReadAll(r)
	fmt.Printf("%s %v %v\n", got, err, r.Close())
	r.Reset(strings.NewReader(""), lzw.MSB, 8)
	_, err = r.Read(make([]byte, 1))
	fmt.Println(err)
}

func main() {
	bzips()
	lzws()
}
