// Package mlkemtest: ML-KEM with given randomness, for tests.
package mlkemtest

import (
	"crypto/mlkem"
	"errors"
	"internal/lattice"
)

func encapsulate(
	kind lattice.Kind, name string, key, random []byte,
) (sharedKey, ciphertext []byte, err error) {
	if len(random) != 32 {
		return nil, nil, errors.New("mlkemtest: " + name + ": random must be 32 bytes")
	}
	public, err := kind.Public(key)
	if err != nil {
		return nil, nil, errors.New(
			"mlkemtest: " + name + ": failed to reconstruct key: " + err.Error())
	}
	sharedKey, ciphertext = public.EncapsulateWith(random)
	return sharedKey, ciphertext, nil
}

func Encapsulate768(
	ek *mlkem.EncapsulationKey768, random []byte,
) (sharedKey, ciphertext []byte, err error) {
	return encapsulate(lattice.Of768, "Encapsulate768", ek.Bytes(), random)
}

func Encapsulate1024(
	ek *mlkem.EncapsulationKey1024, random []byte,
) (sharedKey, ciphertext []byte, err error) {
	return encapsulate(lattice.Of1024, "Encapsulate1024", ek.Bytes(), random)
}
