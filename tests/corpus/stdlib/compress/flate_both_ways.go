// run
//
// Package flate: the bytes of the levels that are Go's, what all levels make read again, and streams
// that are cut, broken, or come in pieces.
package main

import (
	"bufio"
	"bytes"
	"compress/flate"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math/rand"
	"strings"
)

// samples are texts of several kinds.
func samples() map[string][]byte {
	rng := rand.New(rand.NewSource(7))
	noise := make([]byte, 100000)
	rng.Read(noise)
	words := strings.Fields("the quick brown fox jumps over a lazy dog while seven wizards chant softly")
	var text, few, nums bytes.Buffer
	for text.Len() < 400000 {
		text.WriteString(words[rng.Intn(len(words))])
		text.WriteByte(" \n,"[rng.Intn(3)])
	}
	for few.Len() < 150000 {
		few.WriteByte("aaab"[rng.Intn(4)])
	}
	for i := range 30000 {
		fmt.Fprintf(&nums, "%d,%d\n", i, rng.Intn(1000))
	}
	mixed := append(append(bytes.Clone(noise[:70000]), text.Bytes()[:90000]...), noise[:30000]...)
	skewed := make([]byte, 90000)
	for i := range skewed {
		skewed[i] = byte(rng.NormFloat64() * 12)
	}
	return map[string][]byte{
		"empty": nil, "one": []byte("a"), "hello": []byte("hello, world\n"), "zeros": make([]byte, 200000),
		"noise": noise, "text": text.Bytes(), "few": few.Bytes(), "numbers": nums.Bytes(), "mixed": mixed,
		"skewed": skewed, "short text": text.Bytes()[:600], "shorter": text.Bytes()[:100], "tiny": text.Bytes()[:33],
		"window": text.Bytes()[:65535], "window+1": text.Bytes()[:65536],
	}
}

var names = []string{
	"empty", "one", "hello", "zeros", "noise", "text", "few", "numbers", "mixed", "skewed", "short text", "shorter",
	"tiny", "window", "window+1",
}

func pack(data []byte, level int, step int) []byte {
	var out bytes.Buffer
	w, err := flate.NewWriter(&out, level)
	if err != nil {
		fmt.Println(err)
		return nil
	}
	for len(data) > 0 {
		n := min(step, len(data))
		if k, err := w.Write(data[:n]); k != n || err != nil {
			fmt.Println(k, err)
		}
		data = data[n:]
	}
	fmt.Print(errOnly(w.Close()), errOnly(w.Close()))
	return out.Bytes()
}

func errOnly(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// dribble gives single bytes at a time, and is no reader of them.
type dribble struct{ r io.Reader }

func (d dribble) Read(p []byte) (int, error) { return d.r.Read(p[:min(1, len(p))]) }

// single is a reader of bytes of another kind than those of the library.
type single struct{ r *bytes.Reader }

func (s single) Read(p []byte) (int, error) { return s.r.Read(p) }
func (s single) ReadByte() (byte, error)    { return s.r.ReadByte() }

func unpack(r io.Reader) (uint32, int, error) {
	z := flate.NewReader(r)
	out, err := io.ReadAll(z)
	if err2 := z.Close(); errOnly(err) != errOnly(err2) {
		fmt.Println("close:", err2)
	}
	return crc32.ChecksumIEEE(out), len(out), err
}

func main() {
	all := samples()
	for _, name := range names {
		data := all[name]
		sum := crc32.ChecksumIEEE(data)
		fmt.Printf("%s %d %x:", name, len(data), sum)
		for _, level := range []int{flate.DefaultCompression, 5, 6, flate.HuffmanOnly, flate.NoCompression} {
			for _, step := range []int{1 << 30, 1000, 65536} {
				packed := pack(data, level, step)
				fmt.Printf(" %d %x", len(packed), crc32.ChecksumIEEE(packed))
				tail := append(bytes.Clone(packed), "tail"...)
				for i, r := range []io.Reader{
					bytes.NewReader(tail), strings.NewReader(string(tail)), bytes.NewBuffer(bytes.Clone(tail)),
					bufio.NewReaderSize(bytes.NewReader(tail), 16), bufio.NewReader(bytes.NewReader(tail)),
					single{bytes.NewReader(tail)}, struct{ io.Reader }{bytes.NewReader(packed)}, dribble{bytes.NewReader(packed)},
				} {
					if i == 5 && len(data) > 1000 || i == 7 && len(data) > 40000 || i > 1 && step != 1000 {
						continue
					}
					got, n, err := unpack(r)
					rest, _ := io.ReadAll(r)
					if got != sum || n != len(data) || err != nil || string(rest) != "tail" && i < 6 {
						fmt.Println("\nbad", i, got, n, err, len(rest))
					}
				}
			}
		}
		fmt.Println()
		for level := 1; level <= 9; level++ {
			packed := pack(data, level, 40000)
			if got, n, err := unpack(bytes.NewReader(packed)); got != sum || n != len(data) || err != nil {
				fmt.Println("bad", level, n, err)
			}
			if len(data) > 100 && name != "noise" && name != "skewed" && len(packed) > len(data) {
				fmt.Println("large", level, len(packed))
			}
		}
	}
	writers(all["text"])
	readers(all)
	mutated(all)
}

type full struct{ left int }

func (f *full) Write(p []byte) (int, error) {
	if f.left -= len(p); f.left < 0 {
		return 0, errors.New("full")
	}
	return len(p), nil
}

func writers(text []byte) {
	for _, level := range []int{-3, 10} {
		_, err := flate.NewWriter(io.Discard, level)
		fmt.Println(err)
	}
	var out bytes.Buffer
	w, _ := flate.NewWriter(&out, flate.DefaultCompression)
	show := func() {
		fmt.Printf("%d %x\n", out.Len(), crc32.ChecksumIEEE(out.Bytes()))
	}
	for i := range 12 {
		w.Write(text[100*i*i : 150*i*i+20])
		fmt.Print(w.Flush(), " ")
		show()
	}
	fmt.Print(w.Flush(), w.Close(), " ")
	show()
	fmt.Println(w.Write(text))
	fmt.Println(w.Flush(), w.Close())
	fmt.Println(unpack(&out))
	w.Reset(&out)
	w.Write(text[:70000])
	out.Reset()
	w.Reset(&out)
	w.Write(text[5000:90000])
	w.Close()
	show()
	fmt.Println(unpack(&out))
	for _, level := range []int{-1, -2, 0} {
		w, _ = flate.NewWriterDict(&out, level, text[:40000])
		w.Write(text[10000:30000])
		w.Close()
		show()
		got, err := io.ReadAll(flate.NewReaderDict(bytes.NewReader(out.Bytes()), text[:40000]))
		fmt.Println(bytes.Equal(got, text[10000:30000]), err)
		w.Reset(&out)
		w.Write(text[10000:20000])
		w.Close()
		show()
		out.Reset()
	}
	w, _ = flate.NewWriterDict(&out, 6, []byte("hello world"))
	w.Write([]byte("hello again world, hello again world, hello again world, hello again world, hello again world, hello world, hello world, hello"))
	w.Close()
	show()
	for _, left := range []int{0, 10, 100000} {
		w, _ = flate.NewWriter(&full{left}, 6)
		n, err := w.Write(text)
		fmt.Println(n, err, w.Flush(), w.Close())
	}
}

func readers(all map[string][]byte) {
	packed := pack(all["text"], 6, 1<<30)
	z := flate.NewReader(bytes.NewReader(packed))
	for range 3 {
		buf := make([]byte, 100000)
		n, err := z.Read(buf)
		fmt.Println(n, err)
	}
	n, err := z.Read(nil)
	fmt.Println(n, err)
	z.(flate.Resetter).Reset(bytes.NewReader(packed[:500]), nil)
	out, err := io.ReadAll(z)
	fmt.Println(len(out), err, z.Close())
	z.(flate.Resetter).Reset(errReader{}, nil)
	out, err = io.ReadAll(z)
	fmt.Println(len(out), err, z.Close())
	// What is flushed can be read before more comes.
	r, w := io.Pipe()
	fw, _ := flate.NewWriter(w, 6)
	fr := flate.NewReader(r)
	done := make(chan bool)
	go func() {
		buf := make([]byte, 100)
		for {
			n, err := fr.Read(buf)
			fmt.Printf("%q %v\n", buf[:n], err)
			if err != nil {
				break
			}
			done <- true
		}
		done <- true
	}()
	for _, s := range []string{"first", "second, which is first again, first of all"} {
		io.WriteString(fw, s)
		fw.Flush()
		<-done
	}
	fw.Close()
	w.Close()
	<-done
	for _, text := range []string{
		"", "\x03", "\x03\x00", "\x00", "\x00\x00\x00\xff\xff", "\x01\x01\x00\xfe\xffa", "\x01\x01\x00\xfe\xfe", "\x07", "\x06",
		"\x05", "\xfd\xff\xff", "\x05\xe0\x81\x08\x00\x00\x00\x00\x20\x7f\xeb\x0b", "\x4b\x04\x00", "\x4b\x04\x02", "\x4b\xfc\xff\xff",
		"\x63\x00\x02", "\x63\x60\x1c\x00", "\x03\xff", "\x1d\xc6\x49\x01\x00\x00\x10\x40\xc0\xac\xa3\x7f\x88\x3d\x3c\x20\x2a\x97\x9d\x37\x5e\x1d\x0c",
	} {
		out, err := io.ReadAll(flate.NewReader(strings.NewReader(text)))
		fmt.Printf("%x: %q %v\n", text, out, err)
	}
	fmt.Println(flate.InternalError("x"), &flate.ReadError{Offset: 3, Err: io.EOF}, &flate.WriteError{Offset: 4, Err: io.EOF})
}

type errReader struct{}

func (errReader) Read(p []byte) (int, error) { return copy(p, "\x4b"), errors.New("broken") }

func mutated(all map[string][]byte) {
	rng := rand.New(rand.NewSource(3))
	sum := crc32.NewIEEE()
	kinds := map[string]int{}
	for _, name := range []string{"short text", "numbers", "few", "skewed", "shorter", "mixed"} {
		data := all[name]
		data = data[:min(len(data), 9000)]
		for _, level := range []int{6, -2} {
			packed := pack(data, level, 1<<30)
			for range 200 {
				bad := bytes.Clone(packed)
				for range 1 + rng.Intn(4) {
					bad[rng.Intn(len(bad))] ^= 1 << rng.Intn(8)
				}
				if rng.Intn(4) == 0 {
					bad = bad[:rng.Intn(len(bad))]
				}
				var r io.Reader = bytes.NewReader(bad)
				if rng.Intn(3) == 0 {
					r = dribble{r}
				}
				got, n, err := unpack(io.LimitReader(r, 1<<20))
				fmt.Fprintln(sum, got, n, err)
				kind, _, _ := strings.Cut(fmt.Sprint(err), "offset")
				kinds[kind]++
			}
		}
	}
	fmt.Println(sum.Sum32(), kinds)
}
