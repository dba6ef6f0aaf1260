// run
//go:debug cryptocustomrand=1

// With cryptocustomrand=1 keys are made of what the program's reader gives.
package main

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"fmt"
	"os"
)

type zeros struct{ n int }

func (z *zeros) Read(p []byte) (int, error) {
	z.n += len(p)
	for i := range p {
		p[i] = byte(i + 1)
	}
	return len(p), nil
}

func main() {
	z := &zeros{}
	ecdsa.GenerateKey(elliptic.P256(), z)
	fmt.Println(z.n >= 32)
	rand.Reader = z
	_, key, _ := ed25519.GenerateKey(nil)
	fmt.Printf("%x\n", key.Seed())
	before := z.n
	os.Setenv("GODEBUG", "cryptocustomrand=0")
	ecdsa.GenerateKey(elliptic.P256(), z)
	fmt.Println(z.n == before)
}
