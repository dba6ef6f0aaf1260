// run

// Character sets are named as they stand in the word, and given to readers in lower case.
package main

import (
	"fmt"
	"io"
	"mime"
)

func main() {
	d := new(mime.WordDecoder)
	words := []string{"=?KOI8-R?q?x?=", "=?u\xb3f-8?q?x?=", "=?US-aſcii?q?=e9?=", "=?Utf-8?B?w6k=?="}
	for _, w := range words {
		s, err := d.Decode(w)
		fmt.Printf("%q %v\n", s, err)
	}
	d.CharsetReader = func(charset string, r io.Reader) (io.Reader, error) {
		fmt.Printf("%q\n", charset)
		return r, nil
	}
	for _, w := range words {
		s, err := d.DecodeHeader(w)
		fmt.Printf("%q %v\n", s, err)
	}
}
