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
	bad := "random must be 32 bytes"
	if len(random) == 32 {
		public, err := kind.Public(key)
		if err == nil {
			sharedKey, ciphertext = public.EncapsulateWith(random)
			return sharedKey, ciphertext, nil
		}
		bad = "failed to reconstruct key: " + err.Error()
	}
	return nil, nil, errors.New("mlkemtest: " + name + ": " + bad)
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
