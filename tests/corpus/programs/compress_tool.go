// run

// A tool that compresses in several formats, streams, finds formats by their first bytes, and verifies.
package main

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"compress/flate"
	"compress/gzip"
	"compress/lzw"
	"compress/zlib"
	"crypto/md5"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/adler32"
	"hash/crc32"
	"io"
	"strings"
	"testing/iotest"
	"time"
)

type format struct {
	name  string
	magic string
	write func(io.Writer) (io.WriteCloser, error)
	read  func(io.Reader) (io.ReadCloser, error)
}

var formats = []format{
	{"gzip", "\x1f\x8b", func(w io.Writer) (io.WriteCloser, error) {
		zw, err := gzip.NewWriterLevel(w, gzip.DefaultCompression)
		if err == nil {
			zw.Name, zw.Comment, zw.ModTime = "data.txt", "a comment", time.Unix(1e9, 0)
		}
		return zw, err
	}, func(r io.Reader) (io.ReadCloser, error) { return gzip.NewReader(r) }},
	{"zlib", "\x78\x9c", func(w io.Writer) (io.WriteCloser, error) { return zlib.NewWriter(w), nil },
		func(r io.Reader) (io.ReadCloser, error) { return zlib.NewReader(r) }},
	{"stored", "", func(w io.Writer) (io.WriteCloser, error) {
		return flate.NewWriter(w,
			flate.NoCompression)
	},
		func(r io.Reader) (io.ReadCloser, error) { return flate.NewReader(r), nil }},
	{"huffman", "", func(w io.Writer) (io.WriteCloser, error) {
		return flate.NewWriter(w,
			flate.HuffmanOnly)
	},
		func(r io.Reader) (io.ReadCloser, error) { return flate.NewReader(r), nil }},
	{"lzw", "", func(w io.Writer) (io.WriteCloser, error) { return lzw.NewWriter(w, lzw.MSB, 8), nil },
		func(r io.Reader) (io.ReadCloser, error) { return lzw.NewReader(r, lzw.MSB, 8), nil }},
	{"dict", "", func(w io.Writer) (io.WriteCloser, error) {
		return zlib.NewWriterLevelDict(w, 6, []byte("the quick brown fox "))
	}, func(r io.Reader) (io.ReadCloser, error) {
		return zlib.NewReaderDict(r,
			[]byte("the quick brown fox "))
	}},
}

func detect(r *bufio.Reader) string {
	head, _ := r.Peek(3)
	for _, f := range formats {
		if f.magic != "" && bytes.HasPrefix(head, []byte(f.magic)) {
			return f.name
		}
	}
	if string(head) == "BZh" {
		return "bzip2"
	}
	return "unknown"
}

func samples() map[string][]byte {
	noise := make([]byte, 3000)
	x := uint32(1)
	for i := range noise {
		x = x*1103515245 + 12345
		noise[i] = byte(x >> 16)
	}
	return map[string][]byte{
		"empty": {}, "one": {'x'},
		"text":  []byte(strings.Repeat("the quick brown fox jumps over the lazy dog; ", 100)),
		"zeros": make([]byte, 100000), "noise": noise,
	}
}

func main() {
	data := samples()
	for _, f := range formats {
		for _, name := range []string{"empty", "one", "text", "zeros", "noise"} {
			in := data[name]
			var buf bytes.Buffer
			w, err := f.write(&buf)
			if err != nil {
				fmt.Println(f.name, err)
				continue
			}
			_, err = io.Copy(w, iotest.OneByteReader(bytes.NewReader(in[:min(len(in), 200)])))
			w.Write(in[min(len(in), 200):])
			err = errors.Join(err, w.Close())
			size, sum := buf.Len(), md5.Sum(buf.Bytes())
			br := bufio.NewReader(&buf)
			kind := detect(br)
			r, rerr := f.read(iotest.HalfReader(br))
			if rerr != nil {
				fmt.Println(f.name, name, rerr)
				continue
			}
			out, rerr := io.ReadAll(r)
			fmt.Printf("%-8s %-6s %7d -> %6d %x %v %v %v %v\n", f.name, name, len(in), size, sum[:4],
				bytes.Equal(in, out), err, errors.Join(rerr, r.Close()), kind)
		}
	}
	b, err := hex.DecodeString("425a68393141592653594eece83600000251800010400006449080200031064c4101a7a9a580bb9431f8bb9229c28482776741b0")
	if err != nil {
		fmt.Println(err)
	}
	out, err := io.ReadAll(bzip2.NewReader(bytes.NewReader(b)))
	fmt.Printf("%q %v\n", out, err)
	_, err = io.ReadAll(bzip2.NewReader(strings.NewReader("BZh9 nonsense")))
	fmt.Println(err)

	// Several members, headers, and damage.
	var buf bytes.Buffer
	zw := gzip.NewWriter(&buf)
	for i := range 3 {
		zw.Reset(&buf)
		zw.Name = fmt.Sprint("part", i)
		fmt.Fprintf(zw, "member %d\n", i)
		zw.Close()
	}
	whole := bytes.Clone(buf.Bytes())
	zr, err := gzip.NewReader(&buf)
	fmt.Println(zr.Name, err)
	zr.Multistream(false)
	for {
		b, err := io.ReadAll(zr)
		fmt.Printf("%s %q %v\n", zr.Name, b, err)
		if err := zr.Reset(&buf); err != nil {
			fmt.Println(err)
			break
		}
		zr.Multistream(false)
	}
	results := map[string]int{}
	for i := range whole {
		bad := bytes.Clone(whole)
		bad[i] ^= 0x40
		zr, err := gzip.NewReader(bytes.NewReader(bad))
		if err == nil {
			_, err = io.ReadAll(zr)
		}
		var corrupt flate.CorruptInputError
		switch {
		case err == nil:
			results["unnoticed"]++
		case errors.Is(err, gzip.ErrHeader), errors.Is(err, gzip.ErrChecksum):
			results[err.Error()]++
		case errors.As(err, &corrupt):
			results["corrupt"]++
		default:
			results[err.Error()]++
		}
	}
	fmt.Println(results)
	for _, n := range []int{0, 5, 12, len(whole) - 1} {
		zr, err := gzip.NewReader(bytes.NewReader(whole[:n]))
		if err == nil {
			_, err = io.ReadAll(zr)
		}
		fmt.Println(n, err)
	}
	_, err = flate.NewWriter(io.Discard, 17)
	fmt.Println(err)
	pr, pw := io.Pipe()
	go func() {
		zw := zlib.NewWriter(base64.NewEncoder(base64.StdEncoding, pw))
		io.WriteString(zw, strings.Repeat("streamed ", 10))
		zw.Flush()
		pw.CloseWithError(errors.New("line cut"))
	}()
	zr2, err := zlib.NewReader(base64.NewDecoder(base64.StdEncoding, pr))
	if err == nil {
		var got []byte
		got, err = io.ReadAll(zr2)
		fmt.Println(len(got) <= 90, err)
	}
	fmt.Printf("%08x %08x\n", crc32.ChecksumIEEE(data["text"]), adler32.Checksum(data["text"]))
}
