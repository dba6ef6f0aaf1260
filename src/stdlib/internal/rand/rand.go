// Package rand: random bytes of the kernel, and which reader keys are made with. Programs cannot
// import it. Runs that a seed steers draw on that.
package rand

import (
	"errors"
	"internal/godebug"
	"io"
)

// fill fills p from its start, and says how far, or −1 and the number of the error.
func fill(p []byte) (n, errno int)

// Testing is read in place of the kernel's bytes if it is not nil; a test has set it.
var Testing io.Reader

type reader struct{}

func (reader) Read(p []byte) (n int, err error) {
	if Testing != nil {
		return Testing.Read(p)
	}
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

var Reader io.Reader = reader{}

// Fatal ends the program with this text.
func Fatal(text string)

func IsDefault(r io.Reader) bool {
	_, ok := r.(reader)
	return ok
}

// Custom is what a key is made with when the program gives r: that is of use only if GODEBUG says
// so, and its first byte may go to waste then, lest programs rely on what is read.
func Custom(r io.Reader) io.Reader {
	if !godebug.Is("cryptocustomrand", "1") {
		return Reader
	}
	if !IsDefault(r) && r != Testing {
		var one [1]byte
		fill(one[:])
		if one[0]&1 == 0 {
			r.Read(one[:])
		}
	}
	return r
}
