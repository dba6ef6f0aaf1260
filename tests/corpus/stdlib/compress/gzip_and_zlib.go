// run
//
// Packages gzip and zlib: headers, several files in one, dictionaries, and what is wrong with them.
package main

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math/rand"
	"strings"
	"time"
)

type full struct{ left int }

func (f *full) Write(p []byte) (int, error) {
	if f.left -= len(p); f.left < 0 {
		return 0, errors.New("full")
	}
	return len(p), nil
}

func gz(text string, set func(*gzip.Writer), level int) []byte {
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, level)
	if err != nil {
		fmt.Println(err)
		return nil
	}
	if set != nil {
		set(w)
	}
	n, err := io.WriteString(w, text)
	if err2 := w.Close(); n != len(text) || err != nil || err2 != nil {
		fmt.Println(n, err, err2)
	}
	return out.Bytes()
}

func gunzip(p []byte) {
	r, err := gzip.NewReader(bytes.NewReader(p))
	if err != nil {
		fmt.Println("new:", err)
		return
	}
	out, err := io.ReadAll(r)
	h := r.Header
	fmt.Printf("%q %v %q %q %q %v %d %v\n", out[:min(len(out), 60)], err, h.Name, h.Comment, h.Extra, h.ModTime.UTC(), h.OS, r.Close())
}

func gzips() {
	when := time.Date(2020, 5, 17, 12, 30, 0, 0, time.UTC)
	plain := gz("hello, world\n", nil, gzip.DefaultCompression)
	fmt.Printf("%x\n", plain)
	gunzip(plain)
	rich := gz("hello", func(w *gzip.Writer) {
		w.Name, w.Comment, w.Extra, w.ModTime, w.OS = "naïve.txt", "a comment", []byte("extra"), when, 3
	}, gzip.HuffmanOnly)
	fmt.Printf("%x\n", rich)
	gunzip(rich)
	fmt.Printf("%x %x\n", gz("", nil, 9), gz("", nil, 1))
	gunzip(append(bytes.Clone(plain), rich...))
	gunzip(append(bytes.Clone(plain), "junk junk junk"...))
	gunzip(append(bytes.Clone(plain), 0x1f))
	for i := range len(rich) {
		gunzip(rich[:i])
	}
	for i := range rich {
		bad := bytes.Clone(rich)
		bad[i] ^= 0x41
		gunzip(bad)
	}
	gunzip([]byte("\x1f\x8b\x08\x02\x00\x00\x00\x00\x00\x00\x1d\x26\x03\x00\x00\x00\x00\x00\x00\x00\x00\x00"))
	gunzip([]byte("\x1f\x8b\x08\x02\x00\x00\x00\x00\x00\x00\x7d\x2a\x03\x00\x00\x00\x00\x00\x00\x00\x00\x00"))
	gunzip(append([]byte("\x1f\x8b\x08\x08\x00\x00\x00\x00\x00\x00"), strings.Repeat("x", 600)...))
	gz("", nil, 11)
	for _, set := range []func(*gzip.Writer){
		func(w *gzip.Writer) { w.Name = "snow ☃" }, func(w *gzip.Writer) { w.Comment = "zero \x00" },
		func(w *gzip.Writer) { w.Extra = make([]byte, 70000) }, func(w *gzip.Writer) { w.ModTime = time.Unix(-5, 0) },
	} {
		fmt.Println(len(gz("x", set, 6)))
	}

	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	w.Flush()
	fmt.Printf("%x\n", out.Bytes())
	io.WriteString(w, "one")
	w.Close()
	fmt.Println(w.Close(), w.Flush())
	_, err := w.Write([]byte("x"))
	fmt.Println(err)
	w.Reset(&out)
	w.Name = "second"
	io.WriteString(w, "two")
	w.Close()
	buf := bufio.NewReader(&out)
	r, err := gzip.NewReader(buf)
	for err == nil {
		r.Multistream(false)
		var text []byte
		text, err = io.ReadAll(r)
		fmt.Printf("%q %q %v\n", r.Name, text, err)
		err = r.Reset(buf)
	}
	fmt.Println(err)
	for left := range 30 {
		w := gzip.NewWriter(&full{left})
		w.Name, w.Comment, w.Extra = "n", "c", []byte("e")
		_, err := w.Write([]byte("abc"))
		fmt.Print(err, w.Close(), w.Flush(), " ")
	}
	fmt.Println()
}

func zz(text string, level int, dict []byte) []byte {
	var out bytes.Buffer
	w, err := zlib.NewWriterLevelDict(&out, level, dict)
	if err != nil {
		fmt.Println(err)
		return nil
	}
	fmt.Fprint(w, text[:len(text)/2])
	fmt.Fprint(w, text[len(text)/2:])
	w.Close()
	return out.Bytes()
}

func unzz(p, dict []byte) {
	r, err := zlib.NewReaderDict(bytes.NewReader(p), dict)
	if err != nil {
		fmt.Println("new:", err)
		return
	}
	out, err := io.ReadAll(r)
	fmt.Printf("%q %v %v\n", out, err, r.Close())
}

func zlibs() {
	for _, level := range []int{-3, -2, -1, 0, 6, 10} {
		p := zz("hello, world\n", level, nil)
		fmt.Printf("%x\n", p)
		if p != nil {
			unzz(p, nil)
			unzz(p, []byte("not wanted"))
		}
	}
	for level := 1; level < 10; level++ {
		fmt.Printf("%x ", zz("", level, nil))
	}
	fmt.Println()
	dict := []byte("hello, world\n")
	p := zz("hello, world\nhello, hello, world\nhello, world\nhello, world\nhello, world\nhello, world\nhello, world\n hello", -1, dict)
	fmt.Printf("%x\n", p)
	unzz(p, dict)
	unzz(p, nil)
	unzz(p, []byte("other"))
	for i := range len(p) {
		unzz(p[:i], dict)
	}
	for i := range p {
		bad := bytes.Clone(p)
		bad[i] ^= 0x41
		unzz(bad, dict)
	}
	var out bytes.Buffer
	w := zlib.NewWriter(&out)
	fmt.Println(w.Flush())
	fmt.Printf("%x\n", out.Bytes())
	w.Reset(&out)
	n, err := w.Write(nil)
	fmt.Println(n, err, w.Close(), w.Close())
	fmt.Printf("%x\n", out.Bytes())
	_, err = w.Write([]byte("x"))
	fmt.Println(err)
	for left := range 12 {
		w := zlib.NewWriter(&full{left})
		_, err := w.Write([]byte("abc"))
		fmt.Print(err, w.Flush(), w.Close(), " ")
	}
	r, _ := zlib.NewReader(bytes.NewReader(zz("first", 6, nil)))
	io.ReadAll(r)
	fmt.Println(r.(zlib.Resetter).Reset(bytes.NewReader(zz("second", 6, nil)), nil))
	text, err := io.ReadAll(r)
	fmt.Printf("%q %v\n", text, err)
	fmt.Println(r.(zlib.Resetter).Reset(strings.NewReader("x"), nil), r.Close())
}

func mutated() {
	rng := rand.New(rand.NewSource(5))
	sum := crc32.NewIEEE()
	text := strings.Repeat("some text, and more of it; ", 40)
	a := gz(text, func(w *gzip.Writer) { w.Name = "file" }, -1)
	a = append(a, a...)
	b := zz(text, -1, nil)
	for range 1000 {
		m := bytes.Clone(a)
		m[rng.Intn(len(m))] = byte(rng.Intn(256))
		m = m[:len(m)-rng.Intn(3)*rng.Intn(30)]
		r, err := gzip.NewReader(bytes.NewReader(m))
		if err == nil {
			var out []byte
			out, err = io.ReadAll(r)
			fmt.Fprint(sum, out)
		}
		fmt.Fprint(sum, err)
		m = bytes.Clone(b)
		m[rng.Intn(len(m))] = byte(rng.Intn(256))
		z, err := zlib.NewReader(bytes.NewReader(m))
		if err == nil {
			var out []byte
			out, err = io.ReadAll(z)
			fmt.Fprint(sum, out)
		}
		var corrupt flate.CorruptInputError
		fmt.Fprint(sum, err, errors.As(err, &corrupt))
	}
	fmt.Println(sum.Sum32())
}

func main() {
	gzips()
	zlibs()
	mutated()
}
