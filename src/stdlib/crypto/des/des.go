// Package des: DES and Triple DES, which are no longer safe. FIPS 46-3.
package des

import (
	"crypto/cipher"
	"internal/blocks"
	"strconv"
)

const BlockSize = 8

type KeySizeError int

func (k KeySizeError) Error() string {
	return "crypto/des: invalid key size " + strconv.Itoa(int(k))
}

func NewCipher(key []byte) (cipher.Block, error) {
	if len(key) != 8 {
		return nil, KeySizeError(len(key))
	}
	return blocks.New(blocks.DES, key), nil
}

func NewTripleDESCipher(key []byte) (cipher.Block, error) {
	if len(key) != 24 {
		return nil, KeySizeError(len(key))
	}
	return blocks.New(blocks.TripleDES, key), nil
}
