// Package rand: random bytes of the kernel. Runs that a seed steers draw on that.
package rand

import (
	"errors"
	"io"
)

// fill fills p from its start, and says how far, or −1 and the number of the error.
func fill(p []byte) (n, errno int)

type kernel struct{}

func (kernel) Read(p []byte) (n int, err error) {
	for n < len(p) {
		// More than so much at once the kernel may refuse.
		m, errno := fill(p[n:min(len(p), n+maxFill)])
		if errno != 0 {
			return n, errors.New("getrandom failed")
		}
		n += m
	}
	return n, nil
}

const maxFill = 1 << 20

var Reader io.Reader = kernel{}

// fatal ends the program with this text.
func fatal(text string)

func Read(b []byte) (n int, err error) {
	if _, ok := Reader.(kernel); ok {
		_, err = kernel{}.Read(b)
	} else {
		// A reader of the program's gets memory of its own.
		own := make([]byte, len(b))
		_, err = io.ReadFull(Reader, own)
		copy(b, own)
	}
	if err != nil {
		fatal("crypto/rand: failed to read random data (see https://go.dev/issue/66821): " + err.Error())
	}
	return len(b), nil
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
