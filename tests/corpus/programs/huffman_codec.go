// run

// Huffman's code: trees by a heap, canonical lengths, bit streams, files that describe themselves.
package main

import (
	"bufio"
	"bytes"
	"cmp"
	"container/heap"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

type tree struct {
	symbol      byte
	weight      int
	order       int
	left, right *tree
}

type forest []*tree

func (f forest) Len() int { return len(f) }
func (f forest) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(f[i].weight, f[j].weight), cmp.Compare(f[i].order, f[j].order)) < 0
}
func (f forest) Swap(i, j int) { f[i], f[j] = f[j], f[i] }
func (f *forest) Push(x any)   { *f = append(*f, x.(*tree)) }
func (f *forest) Pop() any {
	x := (*f)[len(*f)-1]
	*f = (*f)[:len(*f)-1]
	return x
}

func lengths(data []byte) (out [256]uint8) {
	var counts [256]int
	for _, b := range data {
		counts[b]++
	}
	var f forest
	for b, n := range counts {
		if n > 0 {
			f = append(f, &tree{symbol: byte(b), weight: n, order: b})
		}
	}
	if len(f) == 1 {
		out[f[0].symbol] = 1
		return
	}
	heap.Init(&f)
	for n := 256; f.Len() > 1; n++ {
		a, b := heap.Pop(&f).(*tree), heap.Pop(&f).(*tree)
		heap.Push(&f, &tree{weight: a.weight + b.weight, order: n, left: a, right: b})
	}
	var walk func(t *tree, depth uint8)
	walk = func(t *tree, depth uint8) {
		if t.left == nil {
			out[t.symbol] = depth
			return
		}
		walk(t.left, depth+1)
		walk(t.right, depth+1)
	}
	if len(f) > 0 {
		walk(f[0], 0)
	}
	return
}

type code struct {
	symbol byte
	bits   uint32
	n      uint8
}

func canonical(lens [256]uint8) (codes []code) {
	for b, n := range lens {
		if n > 0 {
			codes = append(codes, code{symbol: byte(b), n: n})
		}
	}
	slices.SortStableFunc(codes, func(a, b code) int { return cmp.Compare(a.n, b.n) })
	next := uint32(0)
	for i := range codes {
		if i > 0 {
			next = (next + 1) << (codes[i].n - codes[i-1].n)
		}
		codes[i].bits = next
	}
	return codes
}

type bitWriter struct {
	w   io.ByteWriter
	acc uint64
	n   uint
}

func (w *bitWriter) write(c code) error {
	w.acc = w.acc<<c.n | uint64(c.bits)
	for w.n += uint(c.n); w.n >= 8; w.n -= 8 {
		if err := w.w.WriteByte(byte(w.acc >> (w.n - 8))); err != nil {
			return err
		}
	}
	return nil
}

func (w *bitWriter) flush() error {
	if w.n == 0 {
		return nil
	}
	return w.w.WriteByte(byte(w.acc << (8 - w.n)))
}

var (
	magic    = [4]byte{'H', 'U', 'F', '1'}
	errMagic = errors.New("not compressed by us")
)

func Compress(w io.Writer, data []byte) error {
	lens := lengths(data)
	bw := bufio.NewWriter(w)
	head := struct {
		Magic [4]byte
		Size  uint32
		Lens  [256]uint8
	}{magic, uint32(len(data)), lens}
	if err := binary.Write(bw, binary.LittleEndian, head); err != nil {
		return err
	}
	var table [256]code
	for _, c := range canonical(lens) {
		table[c.symbol] = c
	}
	bits := &bitWriter{w: bw}
	for _, b := range data {
		if err := bits.write(table[b]); err != nil {
			return err
		}
	}
	return errors.Join(bits.flush(), bw.Flush())
}

func Decompress(r io.Reader) ([]byte, error) {
	var head struct {
		Magic [4]byte
		Size  uint32
		Lens  [256]uint8
	}
	br := bufio.NewReader(r)
	if err := binary.Read(br, binary.LittleEndian, &head); err != nil {
		return nil, fmt.Errorf("head: %w", err)
	}
	if head.Magic != magic {
		return nil, errMagic
	}
	codes := canonical(head.Lens)
	var out []byte
	var acc uint32
	var n uint8
	i := 0
	for uint32(len(out)) < head.Size {
		b, err := br.ReadByte()
		if err != nil {
			return out, fmt.Errorf("after %d bytes: %w", len(out), err)
		}
		for bit := 7; bit >= 0 && uint32(len(out)) < head.Size; bit-- {
			acc = acc<<1 | uint32(b>>bit&1)
			n++
			for i < len(codes) && (codes[i].n < n || codes[i].n == n && codes[i].bits < acc) {
				i++
			}
			if i == len(codes) {
				return out, errors.New("no such code")
			}
			if codes[i].n == n && codes[i].bits == acc {
				out = append(out, codes[i].symbol)
				acc, n, i = 0, 0, 0
			}
		}
	}
	return out, nil
}

func main() {
	texts := []string{"", "a", "aaaaaaaa", "abracadabra",
		strings.Repeat("so much wood would a woodchuck chuck ", 50)}
	noise := make([]byte, 4096)
	for i := range noise {
		noise[i] = byte(i * 7919 >> 4)
	}
	texts = append(texts, string(noise))
	for _, t := range texts {
		var buf bytes.Buffer
		err := Compress(&buf, []byte(t))
		size := buf.Len() - 264
		back, err2 := Decompress(&buf)
		fmt.Println(len(t), size, err, string(back) == t, err2)
	}
	for _, c := range canonical(lengths([]byte("abracadabra"))) {
		fmt.Printf("%c %0*b\n", c.symbol, c.n, c.bits)
	}
	var buf bytes.Buffer
	Compress(&buf, []byte(texts[4]))
	whole := buf.Bytes()
	for _, cut := range []int{0, 100, 264, 300, len(whole) - 1} {
		out, err := Decompress(bytes.NewReader(whole[:cut]))
		fmt.Println(cut, len(out), err, errors.Is(err, io.ErrUnexpectedEOF))
	}
	_, err := Decompress(strings.NewReader(strings.Repeat("x", 500)))
	fmt.Println(err)
	whole[8+'z'] = 200
	_, err = Decompress(bytes.NewReader(whole))
	fmt.Println(err)
}
