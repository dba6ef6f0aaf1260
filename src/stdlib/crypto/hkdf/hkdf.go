// Package hkdf: keys from a secret, by HMAC. RFC 5869.
package hkdf

import (
	_ "crypto/sha3"
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

// checkLength knows that the number of a sum is a byte.
func checkLength(h hash.Hash, keyLength int) error {
	if keyLength > 255*h.Size() {
		return errors.New("hkdf: requested key length too large")
	}
	return nil
}

func Expand[H hash.Hash](
	h func() H, pseudorandomKey []byte, info string, keyLength int,
) ([]byte, error) {
	if err := checkLength(h(), keyLength); err != nil {
		return nil, err
	}
	key := make([]byte, 0, keyLength)
	m := hmac.New(h, pseudorandomKey)
	// What a sum is of: the one before, and this.
	tail := append([]byte(info), 0)
	var sum []byte
	for left := keyLength; left > 0; left -= len(sum) {
		if sum != nil {
			m.Reset()
		}
		tail[len(info)]++
		m.Write(sum)
		m.Write(tail)
		sum = m.Sum(sum[:0])
		key = append(key, sum[:min(left, len(sum))]...)
	}
	return key, nil
}

func Key[Hash hash.Hash](
	h func() Hash, secret, salt []byte, info string, keyLength int,
) (key []byte, err error) {
	if err = checkLength(h(), keyLength); err == nil {
		if key, err = Extract(h, secret, salt); err == nil {
			key, err = Expand(h, key, info, keyLength)
		}
	}
	return key, err
}
