// run

// %T of what the packages of hashes make.
package main

import (
	"crypto/hmac"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha3"
	"crypto/sha512"
	"fmt"
	"hash"
	"hash/adler32"
	"hash/crc32"
	"hash/crc64"
	"hash/fnv"
	"hash/maphash"
)

func main() {
	all := []any{md5.New(), sha1.New(), sha256.New(), sha256.New224(), sha512.New(), sha512.New384(), sha512.New512_224(),
		sha512.New512_256(), sha3.New224(), sha3.New512(), sha3.NewSHAKE128(), hmac.New(sha256.New, nil), adler32.New(),
		crc32.NewIEEE(), crc64.New(crc64.MakeTable(crc64.ISO)), fnv.New32(), fnv.New32a(), fnv.New64(), fnv.New64a(),
		fnv.New128(), fnv.New128a(), new(maphash.Hash)}
	for _, h := range all {
		fmt.Printf("%T\n", h)
		if c, ok := h.(hash.Cloner); ok {
			d, err := c.Clone()
			fmt.Printf("%T %v\n", d, err)
		}
	}
}
