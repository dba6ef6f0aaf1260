// Package sha512: the type of sums of SHA-512 and its shorter kin, under the name that it has in Go.
package sha512

import (
	"hash"
	"internal/digest"
)

// A Digest is a sum under way.
type Digest struct{ digest.Wide }

// New starts one.
func New(a *digest.WideAlgorithm) *Digest { return &Digest{digest.StartWide(a)} }

func (d *Digest) Clone() (hash.Cloner, error) {
	c := *d
	return &c, nil
}
