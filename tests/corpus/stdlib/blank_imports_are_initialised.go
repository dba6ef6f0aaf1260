// run

// What is imported for its initialisation only is initialised.
package main

import (
	"bytes"
	"crypto"
	_ "crypto/sha512"
	"fmt"
	"image"
	_ "image/png"
)

func main() {
	_, _, err := image.Decode(bytes.NewReader([]byte("\x89PNG\r\n\x1a\n")))
	fmt.Println(err, crypto.SHA512.Available(), crypto.SHA512.Size())
}
