// run

// What a reader fails with counts, not that the last characters are too few.
package main

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io"
)

type broken struct{ text string }

func (b *broken) Read(p []byte) (int, error) {
	n := copy(p[:min(len(p), 5)], b.text)
	b.text = b.text[n:]
	if b.text == "" {
		return n, errors.New("broken")
	}
	return n, nil
}

func main() {
	for _, enc := range []*base64.Encoding{base64.StdEncoding, base64.RawStdEncoding} {
		got, err := io.ReadAll(base64.NewDecoder(enc, &broken{"VHdhcyBicmlsbGlnLCBhbmQ"}))
		fmt.Printf("%q %v\n", got, err)
	}
}
