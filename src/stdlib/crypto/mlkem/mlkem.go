// Package mlkem: ML-KEM, an agreement on keys that quantum computers are not known to break.
// FIPS 203.
package mlkem

import (
	"crypto"
	"internal/lattice"
)

const (
	SharedKeySize            = 32
	SeedSize                 = 64
	CiphertextSize768        = 1088
	EncapsulationKeySize768  = 1184
	CiphertextSize1024       = 1568
	EncapsulationKeySize1024 = 1568
)

type DecapsulationKey768 struct{ key *lattice.Private }

func GenerateKey768() (*DecapsulationKey768, error) {
	return &DecapsulationKey768{lattice.Of768.Generate()}, nil
}

func NewDecapsulationKey768(seed []byte) (*DecapsulationKey768, error) {
	key, err := lattice.Of768.Private(seed)
	if err != nil {
		return nil, err
	}
	return &DecapsulationKey768{key}, nil
}

func (dk *DecapsulationKey768) Bytes() []byte { return dk.key.Bytes() }

func (dk *DecapsulationKey768) Decapsulate(ciphertext []byte) (sharedKey []byte, err error) {
	return dk.key.Decapsulate(ciphertext)
}

func (dk *DecapsulationKey768) EncapsulationKey() *EncapsulationKey768 {
	return &EncapsulationKey768{&dk.key.Public}
}

func (dk *DecapsulationKey768) Encapsulator() crypto.Encapsulator { return dk.EncapsulationKey() }

type EncapsulationKey768 struct{ key *lattice.Public }

func NewEncapsulationKey768(encapsulationKey []byte) (*EncapsulationKey768, error) {
	key, err := lattice.Of768.Public(encapsulationKey)
	if err != nil {
		return nil, err
	}
	return &EncapsulationKey768{key}, nil
}

func (ek *EncapsulationKey768) Bytes() []byte { return ek.key.Bytes() }

func (ek *EncapsulationKey768) Encapsulate() (sharedKey, ciphertext []byte) {
	return ek.key.Encapsulate()
}

type DecapsulationKey1024 struct{ key *lattice.Private }

func GenerateKey1024() (*DecapsulationKey1024, error) {
	return &DecapsulationKey1024{lattice.Of1024.Generate()}, nil
}

func NewDecapsulationKey1024(seed []byte) (*DecapsulationKey1024, error) {
	key, err := lattice.Of1024.Private(seed)
	if err != nil {
		return nil, err
	}
	return &DecapsulationKey1024{key}, nil
}

func (dk *DecapsulationKey1024) Bytes() []byte { return dk.key.Bytes() }

func (dk *DecapsulationKey1024) Decapsulate(ciphertext []byte) (sharedKey []byte, err error) {
	return dk.key.Decapsulate(ciphertext)
}

func (dk *DecapsulationKey1024) EncapsulationKey() *EncapsulationKey1024 {
	return &EncapsulationKey1024{&dk.key.Public}
}

func (dk *DecapsulationKey1024) Encapsulator() crypto.Encapsulator { return dk.EncapsulationKey() }

type EncapsulationKey1024 struct{ key *lattice.Public }

func NewEncapsulationKey1024(encapsulationKey []byte) (*EncapsulationKey1024, error) {
	key, err := lattice.Of1024.Public(encapsulationKey)
	if err != nil {
		return nil, err
	}
	return &EncapsulationKey1024{key}, nil
}

func (ek *EncapsulationKey1024) Bytes() []byte { return ek.key.Bytes() }

func (ek *EncapsulationKey1024) Encapsulate() (sharedKey, ciphertext []byte) {
	return ek.key.Encapsulate()
}
