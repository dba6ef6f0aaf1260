// Package hkdf: keys from a secret, by HMAC. RFC 5869.
package hkdf

import (
	"errors"
	"hash"
	"internal/hmac"
)

func Extract[H hash.Hash](h func() H, secret, salt []byte) ([]byte, error) {
	if salt == nil {
		salt = make([]byte, h().Size())
	}
	m := hmac.New(h, salt)
	m.Write(secret)
	return m.Sum(nil), nil
}

// maxBlocks is how many sums a key may be made of: their number is a byte.
const maxBlocks = 255

func Expand[H hash.Hash](
	h func() H, pseudorandomKey []byte, info string, keyLength int,
) ([]byte, error) {
	if keyLength > maxBlocks*h().Size() {
		return nil, errors.New("hkdf: requested key length too large")
	}
	key := make([]byte, 0, keyLength)
	m := hmac.New(h, pseudorandomKey)
	var block []byte
	for i := 1; len(key) < keyLength; i++ {
		if i > 1 {
			m.Reset()
		}
		m.Write(block)
		m.Write([]byte(info))
		m.Write([]byte{byte(i)})
		block = m.Sum(block[:0])
		key = append(key, block[:min(len(block), keyLength-len(key))]...)
	}
	return key, nil
}

func Key[Hash hash.Hash](
	h func() Hash, secret, salt []byte, info string, keyLength int,
) ([]byte, error) {
	if keyLength > maxBlocks*h().Size() {
		return nil, errors.New("hkdf: requested key length too large")
	}
	inner, err := Extract(h, secret, salt)
	if err != nil {
		return nil, err
	}
	return Expand(h, inner, info, keyLength)
}
