// run

// Digests and checksums of texts of every length that matters, at once and piece by piece.
package main

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
)

func main() {
	data := make([]byte, 5000)
	for i := range data {
		data[i] = byte(i*i>>3 + i)
	}
	for _, n := range []int{0, 1, 3, 55, 56, 57, 63, 64, 65, 119, 120, 127, 128, 1000, 5000} {
		d := data[:n]
		fmt.Printf("%d %x %x %x %x %08x\n", n, sha256.Sum256(d), sha256.Sum224(d), sha1.Sum(d), md5.Sum(d), crc32.ChecksumIEEE(d))
		fmt.Printf("%08x %08x\n", crc32.Checksum(d, crc32.MakeTable(crc32.Castagnoli)), crc32.Checksum(d, crc32.MakeTable(crc32.Koopman)))
	}
	for _, h := range []hash.Hash{sha256.New(), sha256.New224(), sha1.New(), md5.New(), crc32.NewIEEE()} {
		for i := 0; i < 5000; {
			n := 1 + i%97
			if i+n > 5000 {
				n = 5000 - i
			}
			h.Write(data[i : i+n])
			i += n
			if i > 2000 && i < 2100 {
				fmt.Printf("  %x\n", h.Sum([]byte("in")))
			}
		}
		io.WriteString(h, "end")
		c, err := h.(hash.Cloner).Clone()
		h.Write([]byte("more"))
		fmt.Printf("%x %x %v %d %d\n", h.Sum(nil), c.Sum(nil), err, h.Size(), h.BlockSize())
		h.Reset()
		fmt.Printf("%x\n", h.Sum(nil))
	}
}
