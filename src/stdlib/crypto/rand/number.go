package rand

import (
	"errors"
	"internal/rand"
	"io"
	"math/big"
)

// Int draws numbers of so many bits until one is below max.
func Int(rand io.Reader, max *big.Int) (n *big.Int, err error) {
	if max.Sign() <= 0 {
		panic("crypto/rand: argument to Int is <= 0")
	}
	n = new(big.Int).Sub(max, big.NewInt(1))
	bits := n.BitLen()
	if bits == 0 {
		return n, nil
	}
	b := make([]byte, (bits+7)/8)
	for {
		if _, err := io.ReadFull(rand, b); err != nil {
			return nil, err
		}
		b[0] &= 0xff >> (8*len(b) - bits)
		if n.SetBytes(b).Cmp(max) < 0 {
			return n, nil
		}
	}
}

// Prime draws odd numbers whose two highest bits are set until one is prime.
func Prime(r io.Reader, bits int) (*big.Int, error) {
	if bits < 2 {
		return nil, errors.New("crypto/rand: prime size must be at least 2-bit")
	}
	r = rand.Custom(r)
	p, b := new(big.Int), make([]byte, (bits+7)/8)
	for {
		if _, err := io.ReadFull(r, b); err != nil {
			return nil, err
		}
		b[0] &= 0xff >> (8*len(b) - bits)
		p.SetBytes(b)
		p.SetBit(p, bits-1, 1)
		p.SetBit(p, bits-2, 1)
		p.SetBit(p, 0, 1)
		if p.ProbablyPrime(20) {
			return p, nil
		}
	}
}
