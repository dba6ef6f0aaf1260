package rand

import (
	"errors"
	"internal/rand"
	"io"
	"math/big"
)

// draw reads a number of at most so many bits.
func draw(r io.Reader, n *big.Int, bits int) error {
	b := make([]byte, (bits+7)/8)
	_, err := io.ReadFull(r, b)
	if err == nil && bits > 0 {
		b[0] &= 0xff >> (8*len(b) - bits)
	}
	n.SetBytes(b)
	return err
}

// Int draws numbers of so many bits until one is below max.
func Int(rand io.Reader, max *big.Int) (n *big.Int, err error) {
	n = new(big.Int).Sub(max, big.NewInt(1))
	if n.Sign() < 0 {
		panic("crypto/rand: argument to Int is <= 0")
	}
	bits := n.BitLen()
	for n.Set(max); err == nil && n.Cmp(max) >= 0; {
		err = draw(rand, n, bits)
	}
	if err != nil {
		return nil, err
	}
	return n, nil
}

// Prime draws odd numbers whose two highest bits are set until one is prime.
func Prime(r io.Reader, bits int) (*big.Int, error) {
	if bits < 2 {
		return nil, errors.New("crypto/rand: prime size must be at least 2-bit")
	}
	r = rand.Custom(r)
	for p := new(big.Int); ; {
		if err := draw(r, p, bits); err != nil {
			return nil, err
		}
		for _, at := range [...]int{0, bits - 2, bits - 1} {
			p.SetBit(p, at, 1)
		}
		if p.ProbablyPrime(20) {
			return p, nil
		}
	}
}
