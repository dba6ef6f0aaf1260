// Package lattice: ML-KEM, for both sizes of keys. Programs cannot import it.
package lattice

import (
	"bytes"
	"errors"
	"internal/rand"
)

func keys(k int, d, ek, s []byte)
func isKey(ek []byte) bool
func encapsulate(k int, ek, m, shared, c []byte)
func decapsulate(k int, s, ek, z, c, shared []byte)

// A Kind has keys of so many polynomials, and ciphertexts of so many bytes.
type Kind struct{ polynomials, ciphertext int }

var (
	Of768  = Kind{3, 1088}
	Of1024 = Kind{4, 1568}
)

// A Public is a public key as it is encoded.
type Public struct {
	kind Kind
	key  []byte
}

// A Private is the seed of a key, and what is made of it: the public key and secret polynomials.
type Private struct {
	seed   []byte
	secret []byte
	Public Public
}

func (kind Kind) Generate() *Private {
	seed := make([]byte, 64)
	rand.Reader.Read(seed)
	return kind.private(seed)
}

func (kind Kind) private(seed []byte) *Private {
	n := 384 * kind.polynomials
	p := &Private{seed, make([]byte, n), Public{kind, make([]byte, n+32)}}
	keys(kind.polynomials, seed[:32], p.Public.key, p.secret)
	return p
}

func (kind Kind) Private(seed []byte) (*Private, error) {
	if len(seed) != 64 {
		return nil, errors.New("mlkem: invalid seed length")
	}
	return kind.private(bytes.Clone(seed)), nil
}

func (kind Kind) Public(key []byte) (*Public, error) {
	what := "encapsulation key length"
	if len(key) == 384*kind.polynomials+32 {
		if isKey(key) {
			return &Public{kind, bytes.Clone(key)}, nil
		}
		what = "polynomial encoding"
	}
	return nil, errors.New("mlkem: invalid " + what)
}

func (p *Public) Bytes() []byte  { return bytes.Clone(p.key) }
func (p *Private) Bytes() []byte { return bytes.Clone(p.seed) }

func (p *Public) Encapsulate() (shared, ciphertext []byte) {
	m := make([]byte, 32)
	rand.Reader.Read(m)
	return p.EncapsulateWith(m)
}

// EncapsulateWith takes 32 random bytes.
func (p *Public) EncapsulateWith(m []byte) (shared, ciphertext []byte) {
	shared, ciphertext = make([]byte, 32), make([]byte, p.kind.ciphertext)
	encapsulate(p.kind.polynomials, p.key, m, shared, ciphertext)
	return shared, ciphertext
}

func (p *Private) Decapsulate(ciphertext []byte) (shared []byte, err error) {
	kind := p.Public.kind
	if len(ciphertext) != kind.ciphertext {
		return nil, errors.New("mlkem: invalid ciphertext length")
	}
	shared = make([]byte, 32)
	decapsulate(kind.polynomials, p.secret, p.Public.key, p.seed[32:], ciphertext, shared)
	return shared, nil
}
