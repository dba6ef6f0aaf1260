// Package sha256: the type of sums of SHA-224 and SHA-256, under the name that it has in Go.
package sha256

import (
	"hash"
	"internal/digest"
)

// A Digest is a sum under way.
type Digest struct{ digest.Digest }

// New starts one.
func New(a *digest.Algorithm) *Digest { return &Digest{digest.Start(a)} }

func (d *Digest) Clone() (hash.Cloner, error) {
	c := *d
	return &c, nil
}
