// Package rand: random bytes of the kernel, and numbers made of them.
package rand

import (
	"internal/rand"
	"io"
)

var Reader io.Reader = rand.Reader

func Read(b []byte) (n int, err error) {
	if err := fill(b); err != nil {
		rand.Fatal("crypto/rand: failed to read random data " +
			"(see https://go.dev/issue/66821): " + err.Error())
	}
	return len(b), nil
}

// fill gives a reader of the program's memory of its own.
func fill(b []byte) error {
	if rand.IsDefault(Reader) {
		_, err := rand.Reader.Read(b)
		return err
	}
	own := make([]byte, len(b))
	_, err := io.ReadFull(Reader, own)
	copy(b, own)
	return err
}

// Text gives 130 random bits, five to a letter.
func Text() string {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
	text := make([]byte, 26)
	Read(text)
	for i, b := range text {
		text[i] = letters[b%32]
	}
	return string(text)
}
