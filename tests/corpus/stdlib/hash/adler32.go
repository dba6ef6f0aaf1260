// run

// Adler-32: of texts, of many bytes in pieces of all sizes, its state written out and read back.

package main

import (
	"encoding"
	"fmt"
	"hash"
	"hash/adler32"
	"io"
	"strings"
)

func main() {
	for _, s := range []string{"", "a", "abc", "Wikipedia", strings.Repeat("\xff", 5552), strings.Repeat("\xff", 5553), strings.Repeat("gosched ", 100_000)} {
		fmt.Printf("%d %08x\n", len(s), adler32.Checksum([]byte(s)))
	}

	data := make([]byte, 1<<20)
	x := uint32(1)
	for i := range data {
		x = x*1664525 + 1013904223
		data[i] = byte(x >> 24)
	}
	want := adler32.Checksum(data)
	h := adler32.New()
	for rest, n := data, 1; len(rest) > 0; n = n*3%7919 + 1 {
		piece := min(n, len(rest))
		h.Write(rest[:piece])
		rest = rest[piece:]
	}
	fmt.Println(h.Sum32() == want, h.Size(), h.BlockSize(), fmt.Sprintf("%x", h.Sum([]byte{1, 2})))

	state, err := h.(encoding.BinaryMarshaler).MarshalBinary()
	fmt.Printf("%q %v\n", state, err)
	other := adler32.New()
	fmt.Println(other.(encoding.BinaryUnmarshaler).UnmarshalBinary(state), other.Sum32() == want)
	for _, bad := range []string{"", "adl", "adl\x02\x00\x00\x00\x01", "adl\x01\x00"} {
		fmt.Println(other.(encoding.BinaryUnmarshaler).UnmarshalBinary([]byte(bad)))
	}
	io.WriteString(other, "more")
	clone, err := other.(hash.Cloner).Clone()
	other.Reset()
	fmt.Println(other.Sum32(), clone.(hash.Hash32).Sum32(), err)
}
