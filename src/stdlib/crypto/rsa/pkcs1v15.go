package rsa

import (
	"bytes"
	"crypto"
	"crypto/subtle"
	"errors"
	"internal/rand"
	"io"
	"slices"
)

type PKCS1v15DecryptOptions struct {
	SessionKeyLen int
}

// What is encrypted is 0, 2, at least eight random bytes other than 0, 0, and the message.
func EncryptPKCS1v15(random io.Reader, pub *PublicKey, msg []byte) ([]byte, error) {
	if err := pub.checkSize(); err != nil {
		return nil, err
	}
	n := pub.Size() - len(msg) - 3
	if n < 8 {
		return nil, ErrMessageTooLong
	}
	padding := make([]byte, n)
	err := fillNonzero(rand.Custom(random), padding)
	if err == nil {
		err = checkPublic(pub.N, pub.E)
	}
	if err != nil {
		return nil, err
	}
	return pub.encrypt(slices.Concat([]byte{0, 2}, padding, []byte{0}, msg))
}

// fillNonzero reads all bytes at once, and then again those that are zero.
func fillNonzero(random io.Reader, b []byte) error {
	_, err := io.ReadFull(random, b)
	for zero := bytes.IndexByte(b, 0); zero >= 0 && err == nil; zero = bytes.IndexByte(b, 0) {
		b = b[zero:]
		_, err = io.ReadFull(random, b[:1])
		// A source of zeros must not stop it.
		b[0] ^= 0x42
	}
	return err
}

// DecryptPKCS1v15SessionKey leaves the key as it is where there is no such one in what it decrypts.
func DecryptPKCS1v15SessionKey(
	random io.Reader, priv *PrivateKey, ciphertext []byte, key []byte,
) error {
	em, start, isValid, err := priv.unpad(ciphertext, len(key))
	if err == nil {
		found := em[len(em)-len(key):]
		isValid &= subtle.ConstantTimeEq(int32(len(em)-start), int32(len(key)))
		subtle.ConstantTimeCopy(isValid, key, found)
	}
	return err
}

func DecryptPKCS1v15(random io.Reader, priv *PrivateKey, ciphertext []byte) ([]byte, error) {
	em, start, isValid, err := priv.unpad(ciphertext, 0)
	if err == nil && isValid == 0 {
		err = ErrDecryption
	}
	if err != nil {
		return nil, err
	}
	return em[start:], nil
}

// unpad says whether the padding is right, as 1 or 0, and where the message starts, in times that
// tell neither. The key must have room for a message of so many bytes.
func (priv *PrivateKey) unpad(
	ciphertext []byte, room int,
) (em []byte, start, isValid int, err error) {
	if err := priv.checkSize(); err != nil {
		return nil, 0, 0, err
	}
	if priv.Size() < 11+room {
		return nil, 0, 0, ErrDecryption
	}
	k, err := priv.checked()
	if err != nil {
		return nil, 0, 0, err
	}
	if em, err = k.decrypt(ciphertext, false); err != nil {
		return nil, 0, 0, err
	}
	zero, searches := 0, 1
	for i, b := range em[2:] {
		found := searches & subtle.ConstantTimeByteEq(b, 0)
		zero = subtle.ConstantTimeSelect(found, i+2, zero)
		searches &^= found
	}
	isValid = subtle.ConstantTimeByteEq(em[0], 0) & subtle.ConstantTimeByteEq(em[1], 2) &
		subtle.ConstantTimeLessOrEq(10, zero) &^ searches
	return em, subtle.ConstantTimeSelect(isValid, zero+1, 0), isValid, nil
}

// nist is the start of the identifiers of NIST's hash functions.
const nist = "\x06\x09\x60\x86\x48\x01\x65\x03\x04\x02"

// identifiers has the object identifiers of the hash functions. Of what has none the hash is all.
var identifiers = map[crypto.Hash]string{
	crypto.MD5:        "\x06\x08\x2a\x86\x48\x86\xf7\x0d\x02\x05",
	crypto.SHA1:       "\x06\x05\x2b\x0e\x03\x02\x1a",
	crypto.SHA224:     nist + "\x04",
	crypto.SHA256:     nist + "\x01",
	crypto.SHA384:     nist + "\x02",
	crypto.SHA512:     nist + "\x03",
	crypto.SHA512_224: nist + "\x05",
	crypto.SHA512_256: nist + "\x06",
	crypto.SHA3_224:   nist + "\x07",
	crypto.SHA3_256:   nist + "\x08",
	crypto.SHA3_384:   nist + "\x09",
	crypto.SHA3_512:   nist + "\x0a",
	crypto.MD5SHA1:    "",
	crypto.RIPEMD160:  "\x06\x05\x2b\x24\x03\x02\x01",
}

// prefix is what comes before a hash: the start of a sequence of an algorithm, whose identifier has
// an empty argument, and an octet string.
func prefix(hash crypto.Hash, size int) (string, bool) {
	if hash == 0 {
		return "", true
	}
	id, ok := identifiers[hash]
	if id == "" {
		return "", ok
	}
	if hash == crypto.RIPEMD160 {
		// Go has it so, with an identifier of another length.
		return "\x30\x20\x30\x08\x06\x06\x28\xcf\x06\x03\x00\x31\x04\x14", true
	}
	sequence := string([]byte{0x30, byte(len(id) + 2)}) + id + "\x05\x00"
	octets := string([]byte{4, byte(size)})
	return string([]byte{0x30, byte(len(sequence) + len(octets) + size)}) + sequence + octets, true
}

// padded is what is signed: 0, 1, at least eight bytes 0xff, 0, the prefix, and the hash.
func padded(size int, hash crypto.Hash, hashed []byte) ([]byte, error) {
	prefix, ok := prefix(hash, len(hashed))
	if !ok {
		return nil, errors.New("crypto/rsa: unsupported hash function")
	}
	n := len(prefix) + len(hashed)
	if size < n+11 {
		return nil, ErrMessageTooLong
	}
	em := append([]byte{0, 1}, bytes.Repeat([]byte{0xff}, size-n-3)...)
	em = append(em, 0)
	em = append(em, prefix...)
	return append(em, hashed...), nil
}

// checkHashed says whether the hash is as long as it should be, and the key, too.
func (pub *PublicKey) checkHashed(hash crypto.Hash, hashed []byte) error {
	if hash != 0 && len(hashed) != hash.Size() {
		return errors.New("crypto/rsa: input must be hashed message")
	}
	return pub.checkSize()
}

func SignPKCS1v15(
	random io.Reader, priv *PrivateKey, hash crypto.Hash, hashed []byte,
) (signature []byte, err error) {
	var k *key
	if err = priv.checkHashed(hash, hashed); err == nil {
		k, err = priv.checked()
	}
	var em []byte
	if err == nil {
		em, err = padded(len(k.n), hash, hashed)
	}
	if err == nil {
		return k.decrypt(em, true)
	}
	return nil, err
}

func VerifyPKCS1v15(pub *PublicKey, hash crypto.Hash, hashed []byte, sig []byte) error {
	err := pub.checkHashed(hash, hashed)
	if err == nil {
		err = checkPublic(pub.N, pub.E)
	}
	if err != nil {
		return err
	}
	// Whatever else is wrong is told in one way.
	if size := pub.Size(); len(sig) == size {
		expected, unpaddable := padded(size, hash, hashed)
		em, err := pub.encrypt(sig)
		if err == nil && unpaddable == nil && bytes.Equal(em, expected) {
			return nil
		}
	}
	return ErrVerification
}
