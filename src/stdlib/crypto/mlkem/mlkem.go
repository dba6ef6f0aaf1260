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
	if err == nil {
		return &DecapsulationKey768{key}, nil
	}
	return nil, err
}

func (private *DecapsulationKey768) Decapsulate(ciphertext []byte) (sharedKey []byte, err error) {
	return private.key.Decapsulate(ciphertext)
}

func (private *DecapsulationKey768) Bytes() []byte { return private.key.Bytes() }

func (private *DecapsulationKey768) EncapsulationKey() *EncapsulationKey768 {
	return &EncapsulationKey768{&private.key.Public}
}

func (private *DecapsulationKey768) Encapsulator() crypto.Encapsulator {
	return private.EncapsulationKey()
}

type EncapsulationKey768 struct{ key *lattice.Public }

func NewEncapsulationKey768(encapsulationKey []byte) (*EncapsulationKey768, error) {
	key, err := lattice.Of768.Public(encapsulationKey)
	if err == nil {
		return &EncapsulationKey768{key}, nil
	}
	return nil, err
}

func (public *EncapsulationKey768) Encapsulate() (sharedKey, ciphertext []byte) {
	return public.key.Encapsulate()
}

func (public *EncapsulationKey768) Bytes() []byte { return public.key.Bytes() }

type DecapsulationKey1024 struct{ key *lattice.Private }

func GenerateKey1024() (*DecapsulationKey1024, error) {
	return &DecapsulationKey1024{lattice.Of1024.Generate()}, nil
}

func NewDecapsulationKey1024(seed []byte) (*DecapsulationKey1024, error) {
	key, err := lattice.Of1024.Private(seed)
	if err == nil {
		return &DecapsulationKey1024{key}, nil
	}
	return nil, err
}

func (private *DecapsulationKey1024) Decapsulate(ciphertext []byte) (sharedKey []byte, err error) {
	return private.key.Decapsulate(ciphertext)
}

func (private *DecapsulationKey1024) Bytes() []byte { return private.key.Bytes() }

func (private *DecapsulationKey1024) EncapsulationKey() *EncapsulationKey1024 {
	return &EncapsulationKey1024{&private.key.Public}
}

func (private *DecapsulationKey1024) Encapsulator() crypto.Encapsulator {
	return private.EncapsulationKey()
}

type EncapsulationKey1024 struct{ key *lattice.Public }

func NewEncapsulationKey1024(encapsulationKey []byte) (*EncapsulationKey1024, error) {
	key, err := lattice.Of1024.Public(encapsulationKey)
	if err == nil {
		return &EncapsulationKey1024{key}, nil
	}
	return nil, err
}

func (public *EncapsulationKey1024) Encapsulate() (sharedKey, ciphertext []byte) {
	return public.key.Encapsulate()
}

func (public *EncapsulationKey1024) Bytes() []byte { return public.key.Bytes() }
