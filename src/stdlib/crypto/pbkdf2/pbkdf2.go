// Package pbkdf2: keys from a password, by many rounds of HMAC. RFC 8018, section 5.2.
package pbkdf2

import (
	"errors"
	"hash"
	"internal/digest"
	"internal/hmac"
	"math"
)

func Key[Hash hash.Hash](
	h func() Hash, password string, salt []byte, iter, keyLength int,
) ([]byte, error) {
	if keyLength <= 0 {
		return nil, errors.New("pbkdf2: keyLength must be larger than 0")
	}
	m := hmac.New(h, []byte(password))
	size := m.Size()
	blocks := (keyLength-1)/size + 1
	if keyLength+size < keyLength || blocks > math.MaxUint32 {
		return nil, errors.New("pbkdf2: keyLength too long")
	}
	if key := digest.Stretch(h(), password, salt, iter, keyLength); key != nil {
		return key, nil
	}
	key := make([]byte, 0, blocks*size)
	round := make([]byte, size)
	for i := 1; i <= blocks; i++ {
		m.Reset()
		m.Write(salt)
		m.Write([]byte{byte(i >> 24), byte(i >> 16), byte(i >> 8), byte(i)})
		key = m.Sum(key)
		sum := key[len(key)-size:]
		copy(round, sum)
		for range iter - 1 {
			m.Reset()
			m.Write(round)
			round = m.Sum(round[:0])
			for j, b := range round {
				sum[j] ^= b
			}
		}
	}
	return key[:keyLength], nil
}
