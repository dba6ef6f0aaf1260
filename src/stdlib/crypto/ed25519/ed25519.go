// Package ed25519: signatures over Edwards' form of Curve25519. RFC 8032. The arithmetic is
// internal/curves.
package ed25519

import (
	"bytes"
	"crypto"
	cryptorand "crypto/rand"
	"crypto/subtle"
	"errors"
	"internal/curves"
	"internal/godebug"
	"internal/rand"
	"io"
	"strconv"
)

const (
	PublicKeySize  = 32
	PrivateKeySize = 64
	SignatureSize  = 64
	SeedSize       = 32
)

type PublicKey []byte

func (pub PublicKey) Equal(x crypto.PublicKey) bool {
	other, ok := x.(PublicKey)
	return ok && subtle.ConstantTimeCompare(pub, other) == 1
}

// A PrivateKey is its seed and the public key.
type PrivateKey []byte

func (priv PrivateKey) Public() crypto.PublicKey {
	public := make(PublicKey, PublicKeySize)
	copy(public, priv[SeedSize:])
	return public
}

func (priv PrivateKey) Equal(x crypto.PrivateKey) bool {
	other, ok := x.(PrivateKey)
	return ok && subtle.ConstantTimeCompare(priv, other) == 1
}

func (priv PrivateKey) Seed() []byte { return bytes.Clone(priv[:SeedSize]) }

func wrongLength(of string, n int) error {
	return errors.New("ed25519: bad " + of + " length: " + strconv.Itoa(n))
}

// check says what is wrong with a private key. An empty one has no first byte to look at.
func (priv PrivateKey) check() error {
	_ = &priv[0]
	if len(priv) != PrivateKeySize {
		return wrongLength("private key", len(priv))
	}
	return nil
}

const hashes = " zero (unhashed message, for standard Ed25519) or SHA-512 (for Ed25519ph)"

// domain is what comes before all that is hashed: nothing for the plain signatures.
func domain(hash crypto.Hash, context string, message []byte) (string, error) {
	kind, flag := "Ed25519ctx", "\x00"
	if hash == crypto.SHA512 {
		kind, flag = "Ed25519ph", "\x01"
		if len(message) != 64 {
			return "", wrongLength(kind+" message hash", len(message))
		}
	} else if context == "" {
		return "", nil
	}
	if len(context) > 255 {
		return "", wrongLength(kind+" context", len(context))
	}
	head := "SigEd25519 no Ed25519 collisions" + flag
	return head + string([]byte{byte(len(context))}) + context, nil
}

func (priv PrivateKey) Sign(
	rand io.Reader, message []byte, opts crypto.SignerOpts,
) (signature []byte, err error) {
	if err := priv.check(); err != nil {
		return nil, err
	}
	hash, context := opts.HashFunc(), ""
	if opts, ok := opts.(*Options); ok {
		context = opts.Context
	}
	if hash != 0 && hash != crypto.SHA512 {
		return nil, errors.New("ed25519: expected opts.HashFunc()" + hashes)
	}
	domain, err := domain(hash, context, message)
	if err != nil {
		return nil, err
	}
	return curves.EdSign(priv, message, domain), nil
}

type Options struct {
	Hash    crypto.Hash
	Context string
}

func (o *Options) HashFunc() crypto.Hash { return o.Hash }

// GenerateKey reads from another reader than the kernel's if the program gives it one, as long as
// GODEBUG does not say that it has put one into crypto/rand.
func GenerateKey(random io.Reader) (PublicKey, PrivateKey, error) {
	if random == nil {
		random = rand.Reader
		if godebug.Is("cryptocustomrand", "1") {
			random = cryptorand.Reader
		}
	}
	var seed [SeedSize]byte
	if _, err := io.ReadFull(random, seed[:]); err != nil {
		return nil, nil, err
	}
	priv := NewKeyFromSeed(seed[:])
	return priv.Public().(PublicKey), priv, nil
}

func NewKeyFromSeed(seed []byte) PrivateKey {
	if len(seed) != SeedSize {
		panic(wrongLength("seed", len(seed)).Error())
	}
	return curves.EdKey(seed)
}

func Verify(publicKey PublicKey, message, sig []byte) bool {
	return VerifyWithOptions(publicKey, message, sig, &Options{}) == nil
}

func Sign(privateKey PrivateKey, message []byte) []byte {
	if err := privateKey.check(); err != nil {
		panic("ed25519: bad private key: " + err.Error())
	}
	return curves.EdSign(privateKey, message, "")
}

func VerifyWithOptions(publicKey PublicKey, message, sig []byte, opts *Options) error {
	if n := len(publicKey); n != PublicKeySize {
		panic(wrongLength("public key", n).Error())
	}
	// The key is looked at before all else; most often it is the signature that tells of it.
	bad := func(err error) error {
		if !curves.EdPoint(publicKey) {
			return errors.New("ed25519: bad public key")
		}
		return err
	}
	if opts.Hash != 0 && opts.Hash != crypto.SHA512 {
		return bad(errors.New("ed25519: expected opts.Hash" + hashes))
	}
	domain, err := domain(opts.Hash, opts.Context, message)
	if err != nil {
		return bad(err)
	}
	if len(sig) != SignatureSize {
		return bad(wrongLength("signature", len(sig)))
	}
	if !curves.EdVerify(publicKey, message, sig, domain) {
		return bad(errors.New("ed25519: invalid signature"))
	}
	return nil
}
