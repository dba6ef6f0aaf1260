// Package crypto: the register of hash functions, and what keys and signers look like.
package crypto

import (
	"hash"
	"io"
	"strconv"
)

type Hash uint

const (
	MD4 Hash = iota + 1
	MD5
	SHA1
	SHA224
	SHA256
	SHA384
	SHA512
	MD5SHA1
	RIPEMD160
	SHA3_224
	SHA3_256
	SHA3_384
	SHA3_512
	SHA512_224
	SHA512_256
	BLAKE2s_256
	BLAKE2b_256
	BLAKE2b_384
	BLAKE2b_512
	MLDSAMu
	end
)

// known has the name and the size of each.
var known = [end]struct {
	name string
	size int
}{
	MD4:         {"MD4", 16},
	MD5:         {"MD5", 16},
	SHA1:        {"SHA-1", 20},
	SHA224:      {"SHA-224", 28},
	SHA256:      {"SHA-256", 32},
	SHA384:      {"SHA-384", 48},
	SHA512:      {"SHA-512", 64},
	MD5SHA1:     {"MD5+SHA1", 36},
	RIPEMD160:   {"RIPEMD-160", 20},
	SHA3_224:    {"SHA3-224", 28},
	SHA3_256:    {"SHA3-256", 32},
	SHA3_384:    {"SHA3-384", 48},
	SHA3_512:    {"SHA3-512", 64},
	SHA512_224:  {"SHA-512/224", 28},
	SHA512_256:  {"SHA-512/256", 32},
	BLAKE2s_256: {"BLAKE2s-256", 32},
	BLAKE2b_256: {"BLAKE2b-256", 32},
	BLAKE2b_384: {"BLAKE2b-384", 48},
	BLAKE2b_512: {"BLAKE2b-512", 64},
	MLDSAMu:     {"ML-DSA μ message representative", 64},
}

var makers [end]func() hash.Hash

func (h Hash) isKnown() bool  { return 0 < h && h < end }
func (h Hash) HashFunc() Hash { return h }

func (h Hash) String() string {
	if h.isKnown() {
		return known[h].name
	}
	return "unknown hash value " + strconv.Itoa(int(h))
}

func (h Hash) Size() int {
	if !h.isKnown() {
		panic("crypto: Size of unknown hash function")
	}
	return known[h].size
}

func (h Hash) Available() bool { return h < end && makers[h] != nil }

func (h Hash) New() hash.Hash {
	if !h.Available() {
		panic(unavailable(h).Error())
	}
	return makers[h]()
}

func RegisterHash(h Hash, f func() hash.Hash) {
	if !h.isKnown() {
		panic("crypto: RegisterHash of unknown hash function")
	}
	if h == MLDSAMu {
		panic("crypto: cannot RegisterHash for MLDSAMu")
	}
	makers[h] = f
}

type unavailable Hash

func (h unavailable) Error() string {
	return "crypto: requested hash function unavailable: " + Hash(h).String()
}

type (
	PublicKey     any
	PrivateKey    any
	DecrypterOpts any
)

type SignerOpts interface {
	HashFunc() Hash
}

type Signer interface {
	Public() PublicKey
	Sign(rand io.Reader, digest []byte, opts SignerOpts) (signature []byte, err error)
}

type MessageSigner interface {
	Signer
	SignMessage(rand io.Reader, msg []byte, opts SignerOpts) (signature []byte, err error)
}

// hash is the sum of the message.
func (h Hash) hash(msg []byte) ([]byte, error) {
	if !h.Available() {
		return nil, unavailable(h)
	}
	sum := h.New()
	sum.Write(msg)
	return sum.Sum(nil), nil
}

// SignMessage hashes the message unless the signer does so itself.
func SignMessage(
	signer Signer, rand io.Reader, msg []byte, opts SignerOpts,
) (signature []byte, err error) {
	if whole, ok := signer.(MessageSigner); ok {
		return whole.SignMessage(rand, msg, opts)
	}
	if h := opts.HashFunc(); h != 0 {
		if msg, err = h.hash(msg); err != nil {
			return nil, err
		}
	}
	return signer.Sign(rand, msg, opts)
}

type Decrypter interface {
	Public() PublicKey
	Decrypt(rand io.Reader, msg []byte, opts DecrypterOpts) (plaintext []byte, err error)
}

type Encapsulator interface {
	Bytes() []byte
	Encapsulate() (sharedKey, ciphertext []byte)
}

type Decapsulator interface {
	Encapsulator() Encapsulator
	Decapsulate(ciphertext []byte) (sharedKey []byte, err error)
}
