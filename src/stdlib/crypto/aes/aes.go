// Package aes: AES. FIPS 197.
package aes

import (
	"crypto/cipher"
	"internal/blocks"
	"strconv"
)

const BlockSize = 16

type KeySizeError int

func (k KeySizeError) Error() string {
	return "crypto/aes: invalid key size " + strconv.Itoa(int(k))
}

func NewCipher(key []byte) (cipher.Block, error) {
	switch len(key) {
	case 16, 24, 32:
		return blocks.New(blocks.AES, key), nil
	}
	return nil, KeySizeError(len(key))
}
