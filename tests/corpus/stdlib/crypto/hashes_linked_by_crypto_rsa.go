// run

// The hashes that are there in a program that imports crypto/rsa, and no hash itself.
package main

import (
	"crypto"
	"fmt"
	_ "crypto/rsa"
)

func main() {
	for h := crypto.MD4; h <= crypto.BLAKE2b_512; h++ {
		fmt.Println(h, h.Available())
	}
}
