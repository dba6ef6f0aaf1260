// Package mldsa: ML-DSA, signatures that quantum computers are not known to forge. FIPS 204.
//
// The file ring.go calculates with polynomials, sample.go makes them of hashes, code.go writes and
// reads them, and sign.go signs and verifies.
package mldsa

import (
	"crypto"
	"crypto/sha3"
	"errors"
	"internal/rand"
	"io"
)

const (
	PrivateKeySize = 32

	MLDSA44PublicKeySize = 1312
	MLDSA65PublicKeySize = 1952
	MLDSA87PublicKeySize = 2592

	MLDSA44SignatureSize = 2420
	MLDSA65SignatureSize = 3309
	MLDSA87SignatureSize = 4627
)

// Parameters is one of the three sets of FIPS 204. Equal ones are the same set.
type Parameters struct {
	name                      string
	publicSize, signatureSize int
}

func MLDSA44() Parameters {
	return Parameters{"ML-DSA-44", MLDSA44PublicKeySize, MLDSA44SignatureSize}
}

func MLDSA65() Parameters {
	return Parameters{"ML-DSA-65", MLDSA65PublicKeySize, MLDSA65SignatureSize}
}

func MLDSA87() Parameters {
	return Parameters{"ML-DSA-87", MLDSA87PublicKeySize, MLDSA87SignatureSize}
}

func (params Parameters) PublicKeySize() int { return params.publicSize }
func (params Parameters) SignatureSize() int { return params.signatureSize }
func (params Parameters) String() string     { return params.name }

// A set is what the numbers of such Parameters are.
type set struct {
	params Parameters
	k, l   int // rows and columns of the matrix
	eta    int // the secret's coefficients are at most so far from zero
	// Masks have coefficients from −2^gamma1+1 to 2^gamma1, so of gamma1+1 bits.
	gamma1 int
	gamma2 int // half of the range of low parts
	lambda int // bits of strength; a challenge has a quarter as many bytes
	tau    int // coefficients of a challenge that are not zero
	omega  int // the most hints in a signature
}

// highParts is how many high parts there are, and highBits how many bits one takes.
func (s *set) highParts() int { return (q - 1) / (2 * s.gamma2) }

func (s *set) highBits() int {
	if s.highParts() == 16 {
		return 4
	}
	return 6
}

// beta is the most by which a challenge moves a coefficient of the secret.
func (s *set) beta() int { return s.tau * s.eta }

var sets = [...]*set{
	{MLDSA44(), 4, 4, 2, 17, (q - 1) / 88, 128, 39, 80},
	{MLDSA65(), 6, 5, 4, 19, (q - 1) / 32, 192, 49, 55},
	{MLDSA87(), 8, 7, 2, 19, (q - 1) / 32, 256, 60, 75},
}

func setOf(params Parameters) (*set, error) {
	for _, s := range sets {
		if s.params == params {
			return s, nil
		}
	}
	return nil, errors.New("mldsa: invalid parameters")
}

// A PublicKey verifies.
type PublicKey struct {
	set *set
	raw string
	tr  [64]byte // its hash
}

func NewPublicKey(params Parameters, encoding []byte) (*PublicKey, error) {
	s, err := setOf(params)
	if err != nil {
		return nil, err
	}
	if len(encoding) != params.publicSize {
		return nil, errors.New("mldsa: invalid public key length")
	}
	return newPublicKey(s, encoding), nil
}

func newPublicKey(s *set, encoding []byte) *PublicKey {
	return &PublicKey{s, string(encoding), [64]byte(sha3.SumSHAKE256(encoding, 64))}
}

func (pk *PublicKey) Bytes() []byte {
	if pk.set == nil {
		return make([]byte, 32)
	}
	return []byte(pk.raw)
}

func (pk *PublicKey) Equal(x crypto.PublicKey) bool {
	other, ok := x.(*PublicKey)
	return ok && other != nil && pk.set == other.set && pk.raw == other.raw
}

func (pk *PublicKey) Parameters() Parameters {
	if pk.set == nil {
		panic("mldsa: internal error: unknown parameters")
	}
	return pk.set.params
}

// A PrivateKey signs. It is kept as its seed.
type PrivateKey struct {
	seed     [PrivateKeySize]byte
	public   PublicKey
	expanded *expanded
}

func GenerateKey(params Parameters) (*PrivateKey, error) {
	s, err := setOf(params)
	if err != nil {
		return nil, err
	}
	var seed [PrivateKeySize]byte
	rand.Reader.Read(seed[:])
	return newPrivateKey(s, seed), nil
}

func NewPrivateKey(params Parameters, seed []byte) (*PrivateKey, error) {
	s, err := setOf(params)
	if err != nil {
		return nil, err
	}
	if len(seed) != PrivateKeySize {
		return nil, errors.New("mldsa: invalid seed length")
	}
	return newPrivateKey(s, [PrivateKeySize]byte(seed)), nil
}

func (sk *PrivateKey) Public() crypto.PublicKey { return sk.PublicKey() }

func (sk *PrivateKey) PublicKey() *PublicKey {
	public := sk.public
	return &public
}

func (sk *PrivateKey) Bytes() []byte {
	seed := sk.seed
	return seed[:]
}

func (sk *PrivateKey) Equal(x crypto.PrivateKey) bool {
	other, ok := x.(*PrivateKey)
	return ok && other != nil && sk.public.set == other.public.set && sk.seed == other.seed
}

// Options is what else is signed besides the message.
type Options struct {
	// Context has at most 255 bytes. It must be the same for whoever verifies.
	Context string
}

// HashFunc is zero: the message is signed as it is.
func (opts *Options) HashFunc() crypto.Hash { return 0 }

// Sign signs the message, or what it was hashed to if opts names crypto.MLDSAMu. Nothing is read
// from the reader.
func (sk *PrivateKey) Sign(
	_ io.Reader, message []byte, opts crypto.SignerOpts,
) (signature []byte, err error) {
	return sk.signWith(true, message, opts)
}

// SignDeterministic gives the same signature each time.
func (sk *PrivateKey) SignDeterministic(
	message []byte, opts crypto.SignerOpts,
) (signature []byte, err error) {
	return sk.signWith(false, message, opts)
}

func (sk *PrivateKey) signWith(
	isRandom bool, message []byte, opts crypto.SignerOpts,
) ([]byte, error) {
	if sk.expanded == nil {
		return nil, errors.New("mldsa: zero private key")
	}
	if opts == nil {
		opts = &Options{}
	}
	hash := opts.HashFunc()
	if hash != 0 && hash != crypto.MLDSAMu {
		return nil, errors.New("mldsa: invalid SignerOpts")
	}
	var random [32]byte
	if isRandom {
		rand.Reader.Read(random[:])
	}
	mu := message
	if hash == 0 {
		own, _ := opts.(*Options)
		if own == nil {
			own = &Options{}
		}
		var err error
		if mu, err = sk.public.represent(message, own.Context); err != nil {
			return nil, err
		}
	} else if len(mu) != muSize {
		return nil, errors.New("mldsa: invalid message hash length")
	}
	return sk.sign(mu, random[:]), nil
}

// Verify says what is wrong with the signature.
func Verify(pk *PublicKey, message []byte, signature []byte, opts *Options) error {
	switch {
	case pk == nil:
		return errors.New("mldsa: nil public key")
	case pk.set == nil:
		return errors.New("mldsa: zero public key")
	case opts == nil:
		opts = &Options{}
	}
	mu, err := pk.represent(message, opts.Context)
	if err != nil {
		return err
	}
	return pk.verify(mu, signature)
}
