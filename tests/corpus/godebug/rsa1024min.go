// run
//go:debug rsa1024min=0

// With rsa1024min=0 RSA keys may be short.
package main

import (
	"crypto/rand"
	"crypto/rsa"
	"fmt"
	"os"
)

func main() {
	for _, setting := range []string{"", "rsa1024min=1"} {
		os.Setenv("GODEBUG", setting)
		k, err := rsa.GenerateKey(rand.Reader, 512)
		fmt.Println(k != nil, err)
	}
}
