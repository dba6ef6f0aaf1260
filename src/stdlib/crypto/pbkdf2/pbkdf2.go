// Package pbkdf2: keys from a password, by many rounds of HMAC. RFC 8018, section 5.2.
package pbkdf2

import (
	"bytes"
	_ "crypto/sha3"
	"crypto/subtle"
	"encoding/binary"
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
	for number := uint32(1); len(key) < keyLength; number++ {
		key = append(key, block(m, salt, number, iter)...)
	}
	return key[:keyLength], nil
}

// block is the sum of all rounds, each of which is the keyed sum of the one before.
func block(m *hmac.HMAC, salt []byte, number uint32, rounds int) []byte {
	m.Reset()
	m.Write(salt)
	m.Write(binary.BigEndian.AppendUint32(nil, number))
	round := m.Sum(nil)
	all := bytes.Clone(round)
	for ; rounds > 1; rounds-- {
		m.Reset()
		m.Write(round)
		round = m.Sum(round[:0])
		subtle.XORBytes(all, all, round)
	}
	return all
}
