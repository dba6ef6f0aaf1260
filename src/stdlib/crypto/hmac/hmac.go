// Package hmac: keyed sums. FIPS 198-1.
package hmac

import (
	_ "crypto/sha3"
	"crypto/subtle"
	"hash"
	core "internal/hmac"
)

func New(h func() hash.Hash, key []byte) hash.Hash { return core.New(h, key) }

func Equal(mac1, mac2 []byte) bool { return subtle.ConstantTimeCompare(mac1, mac2) == 1 }
