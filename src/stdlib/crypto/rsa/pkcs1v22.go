package rsa

import (
	"bytes"
	"cmp"
	"crypto"
	"crypto/subtle"
	"encoding/binary"
	"errors"
	"hash"
	"io"
	"slices"
)

const (
	PSSSaltLengthAuto       = 0
	PSSSaltLengthEqualsHash = -1
)

type PSSOptions struct {
	SaltLength int
	Hash       crypto.Hash
}

func (opts *PSSOptions) saltLength() int {
	if opts != nil {
		return opts.SaltLength
	}
	return PSSSaltLengthAuto
}

func (opts *PSSOptions) HashFunc() crypto.Hash { return opts.Hash }

// mask changes out by hashes of the seed and a counter: MGF1.
func mask(out []byte, h hash.Hash, seed []byte) {
	var sum []byte
	for i := uint32(0); len(out) > 0; i++ {
		h.Reset()
		h.Write(seed)
		h.Write(binary.BigEndian.AppendUint32(nil, i))
		sum = h.Sum(sum[:0])
		n := subtle.XORBytes(out, out, sum)
		out = out[n:]
	}
}

// salted hashes eight zeros, a hash and the salt.
func salted(h hash.Hash, hashed, salt []byte) []byte {
	h.Reset()
	h.Write(make([]byte, 8))
	h.Write(hashed)
	h.Write(salt)
	return h.Sum(nil)
}

func newHash(prefix string, hash crypto.Hash) (hash.Hash, error) {
	if !hash.Available() {
		return nil, errors.New(
			prefix + "requested hash function unavailable: " + hash.String())
	}
	return hash.New(), nil
}

// hashes makes the hash functions for the label and for masks.
func (opts *OAEPOptions) hashes(prefix string) (label, mask hash.Hash, err error) {
	if label, err = newHash(prefix, opts.Hash); err == nil {
		mask, err = newHash(prefix, cmp.Or(opts.MGFHash, opts.Hash))
	}
	return label, mask, err
}

// SignPSS signs zeros, 1 and the salt, masked by the salted hash, then that, and 0xbc, as a number
// of one bit less than the modulus has.
func SignPSS(
	random io.Reader, priv *PrivateKey, hash crypto.Hash, digest []byte, opts *PSSOptions,
) ([]byte, error) {
	if err := priv.checkSize(); err != nil {
		return nil, err
	}
	if opts != nil {
		hash = cmp.Or(opts.Hash, hash)
	}
	h, err := newHash("crypto/rsa: ", hash)
	if err != nil {
		return nil, err
	}
	k, err := priv.checked()
	if err != nil {
		return nil, err
	}
	bits := k.n.big().BitLen() - 1
	size := (bits + 7) / 8
	n := opts.saltLength()
	switch n {
	case PSSSaltLengthAuto:
		if n = size - 2 - h.Size(); n < 0 {
			return nil, ErrMessageTooLong
		}
	case PSSSaltLengthEqualsHash:
		n = h.Size()
	default:
		if n <= 0 {
			return nil, errors.New("crypto/rsa: invalid PSS salt length")
		}
	}
	salt := make([]byte, n)
	if _, err := io.ReadFull(random, salt); err != nil {
		return nil, err
	}
	if len(digest) != h.Size() {
		return nil, errors.New("crypto/rsa: input must be hashed with given hash")
	}
	if size < h.Size()+n+2 {
		return nil, ErrMessageTooLong
	}
	sum := salted(h, digest, salt)
	em := make([]byte, len(k.n))
	used := em[len(em)-size:]
	db := used[:size-len(sum)-1]
	db[len(db)-n-1] = 1
	copy(db[len(db)-n:], salt)
	mask(db, h, sum)
	db[0] &= 0xff >> (8*size - bits)
	copy(used[len(db):], sum)
	used[size-1] = 0xbc
	return k.decrypt(em, true)
}

func VerifyPSS(
	pub *PublicKey, hash crypto.Hash, digest []byte, sig []byte, opts *PSSOptions,
) error {
	if err := pub.checkSize(); err != nil {
		return err
	}
	h, err := newHash("crypto/rsa: ", hash)
	if err != nil {
		return err
	}
	n := opts.saltLength()
	if n == PSSSaltLengthEqualsHash {
		n = h.Size()
	} else if n < 0 {
		return errors.New("crypto/rsa: salt length cannot be negative")
	}
	switch err := checkPublic(pub.N, pub.E); {
	case err != nil:
		return err
	case len(sig) != pub.Size():
		return ErrVerification
	}
	em, err := pub.encrypt(sig)
	bits := pub.N.BitLen() - 1
	size := (bits + 7) / 8
	above := len(em) - size
	if err != nil || above > 0 && em[0] != 0 || !verifyPSS(em[above:], bits, h, digest, n) {
		return ErrVerification
	}
	return nil
}

// verifyPSS finds the salt itself if its length is given as zero, which is automatic.
func verifyPSS(em []byte, bits int, h hash.Hash, digest []byte, n int) bool {
	size, hashSize := len(em), h.Size()
	if len(digest) != hashSize || size < hashSize+n+2 || em[size-1] != 0xbc {
		return false
	}
	db, sum := em[:size-hashSize-1], em[size-hashSize-1:size-1]
	top := byte(0xff) >> (8*size - bits)
	if db[0]&^top != 0 {
		return false
	}
	mask(db, h, sum)
	db[0] &= top
	one := len(db) - n - 1
	if n == PSSSaltLengthAuto {
		one = bytes.IndexByte(db, 1)
	}
	if one < 0 || db[one] != 1 || bytes.Count(db[:one], []byte{0}) < one {
		return false
	}
	return bytes.Equal(salted(h, digest, db[one+1:]), sum)
}

func EncryptOAEPWithOptions(
	random io.Reader, pub *PublicKey, msg []byte, opts *OAEPOptions,
) ([]byte, error) {
	hash, mask, err := opts.hashes("crypto/rsa: ")
	if err != nil {
		return nil, err
	}
	return encryptOAEP(hash, mask, random, pub, msg, opts.Label)
}

func DecryptOAEP(
	hash hash.Hash, random io.Reader, priv *PrivateKey, ciphertext []byte, label []byte,
) ([]byte, error) {
	defer hash.Reset()
	return decryptOAEP(hash, hash, priv, ciphertext, label)
}

func EncryptOAEP(
	hash hash.Hash, random io.Reader, pub *PublicKey, msg []byte, label []byte,
) ([]byte, error) {
	return encryptOAEP(hash, hash, random, pub, msg, label)
}

// labelled hashes the label.
func labelled(h hash.Hash, label []byte) []byte {
	h.Reset()
	h.Write(label)
	return h.Sum(nil)
}

// encryptOAEP encrypts 0, a random seed, and the hash of the label, zeros, 1 and the message, the
// last masked by the seed, and the seed by that.
func encryptOAEP(
	h, maskHash hash.Hash, random io.Reader, pub *PublicKey, msg []byte, label []byte,
) ([]byte, error) {
	if err := pub.checkSize(); err != nil {
		return nil, err
	}
	defer h.Reset()
	defer maskHash.Reset()
	if err := checkPublic(pub.N, pub.E); err != nil {
		return nil, err
	}
	zeros := pub.Size() - 2*h.Size() - 2 - len(msg)
	if zeros < 0 {
		return nil, ErrMessageTooLong
	}
	block := slices.Concat(labelled(h, label), make([]byte, zeros), []byte{1}, msg)
	seed := make([]byte, h.Size())
	if _, err := io.ReadFull(random, seed); err != nil {
		return nil, err
	}
	mask(block, maskHash, seed)
	mask(seed, maskHash, block)
	return pub.encrypt(slices.Concat([]byte{0}, seed, block))
}

// decryptOAEP looks at all of what it decrypts, in times that do not tell what is wrong with it.
func decryptOAEP(
	h, maskHash hash.Hash, priv *PrivateKey, ciphertext []byte, label []byte,
) ([]byte, error) {
	if err := priv.checkSize(); err != nil {
		return nil, err
	}
	key, err := priv.checked()
	if err != nil {
		return nil, err
	}
	k, size := len(key.n), h.Size()
	if len(ciphertext) > k || k < 2*size+2 {
		return nil, ErrDecryption
	}
	em, err := key.decrypt(ciphertext, false)
	if err != nil {
		return nil, err
	}
	seed, db := em[1:1+size], em[1+size:]
	mask(seed, maskHash, db)
	mask(db, maskHash, seed)
	valid := subtle.ConstantTimeByteEq(em[0], 0) &
		subtle.ConstantTimeCompare(labelled(h, label), db[:size])
	rest := db[size:]
	start, searches := 0, 1
	for i, b := range rest {
		found := searches & subtle.ConstantTimeByteEq(b, 1)
		start = subtle.ConstantTimeSelect(found, i+1, start)
		searches &^= found
		valid &= subtle.ConstantTimeByteEq(b, 0) | (1 - searches)
	}
	if valid&^searches != 1 {
		return nil, ErrDecryption
	}
	return rest[start:], nil
}
