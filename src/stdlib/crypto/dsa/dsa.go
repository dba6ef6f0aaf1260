// Package dsa: DSA. FIPS 186-3, without the seeds of its parameters.
package dsa

import (
	"errors"
	"internal/rand"
	"io"
	"math/big"
)

type Parameters struct {
	P, Q, G *big.Int
}

type PublicKey struct {
	Parameters
	Y *big.Int
}

type PrivateKey struct {
	PublicKey
	X *big.Int
}

var ErrInvalidPublicKey = errors.New("crypto/dsa: invalid public key")

type ParameterSizes int

const (
	L1024N160 ParameterSizes = iota
	L2048N224
	L2048N256
	L3072N256
)

// sizes has the bits of p and q.
var sizes = [][2]int{{1024, 160}, {2048, 224}, {2048, 256}, {3072, 256}}

const rounds = 64

var one = big.NewInt(1)

// odd draws an odd number of so many bits.
func odd(rand io.Reader, bits int) (*big.Int, error) {
	b := make([]byte, bits/8)
	if _, err := io.ReadFull(rand, b); err != nil {
		return nil, err
	}
	b[0] |= 0x80
	b[len(b)-1] |= 1
	return new(big.Int).SetBytes(b), nil
}

func GenerateParameters(params *Parameters, rand io.Reader, size ParameterSizes) error {
	if size < 0 || int(size) >= len(sizes) {
		return errors.New("crypto/dsa: invalid ParameterSizes")
	}
	p, q, err := primes(rand, sizes[size][0], sizes[size][1])
	if err != nil {
		return err
	}
	// The generator is the first of its kind, but for one.
	exponent := new(big.Int).Sub(p, one)
	exponent.Div(exponent, q)
	for h := big.NewInt(2); ; h.Add(h, one) {
		if g := new(big.Int).Exp(h, exponent, p); g.Cmp(one) != 0 {
			*params = Parameters{p, q, g}
			return nil
		}
	}
}

// primes finds a prime q, and a prime p for which q divides p−1.
func primes(rand io.Reader, large, small int) (p, q *big.Int, err error) {
	for {
		if q, err = odd(rand, small); err != nil {
			return nil, nil, err
		}
		if !q.ProbablyPrime(rounds) {
			continue
		}
		for range 4 * large {
			if p, err = odd(rand, large); err != nil {
				return nil, nil, err
			}
			rest := new(big.Int).Mod(p, q)
			p.Sub(p, rest.Sub(rest, one))
			if p.BitLen() >= large && p.ProbablyPrime(rounds) {
				return p, q, nil
			}
		}
	}
}

// draw draws a number of so many bytes, from one to less than q.
func draw(rand io.Reader, n int, q *big.Int) (*big.Int, error) {
	b := make([]byte, n)
	for {
		if _, err := io.ReadFull(rand, b); err != nil {
			return nil, err
		}
		if x := new(big.Int).SetBytes(b); x.Sign() > 0 && x.Cmp(q) < 0 {
			return x, nil
		}
	}
}

func GenerateKey(priv *PrivateKey, rand io.Reader) error {
	if priv.P == nil || priv.Q == nil || priv.G == nil {
		return errors.New("crypto/dsa: parameters not set up before generating key")
	}
	x, err := draw(rand, priv.Q.BitLen()/8, priv.Q)
	if err != nil {
		return err
	}
	priv.X = x
	priv.Y = new(big.Int).Exp(priv.G, x, priv.P)
	return nil
}

func Sign(random io.Reader, priv *PrivateKey, hash []byte) (r, s *big.Int, err error) {
	random = rand.Custom(random)
	bits := priv.Q.BitLen()
	for _, n := range []*big.Int{priv.Q, priv.P, priv.G, priv.X} {
		if n.Sign() <= 0 || bits%8 != 0 {
			return nil, nil, ErrInvalidPublicKey
		}
	}
	// Keys that are none may never give a signature.
	for range 10 {
		k, err := draw(random, bits/8, priv.Q)
		if err != nil {
			return nil, nil, err
		}
		r := new(big.Int).Exp(priv.G, k, priv.P)
		if r.Mod(r, priv.Q).Sign() == 0 {
			continue
		}
		inverse := new(big.Int).Exp(k, new(big.Int).Sub(priv.Q, big.NewInt(2)), priv.Q)
		s := new(big.Int).Mul(priv.X, r)
		s.Add(s, new(big.Int).SetBytes(hash))
		s.Mul(s, inverse)
		if s.Mod(s, priv.Q).Sign() != 0 {
			return r, s, nil
		}
	}
	return nil, nil, ErrInvalidPublicKey
}

func Verify(pub *PublicKey, hash []byte, r, s *big.Int) bool {
	if pub.P.Sign() == 0 {
		return false
	}
	for _, n := range []*big.Int{r, s} {
		if n.Sign() <= 0 || n.Cmp(pub.Q) >= 0 {
			return false
		}
	}
	w := new(big.Int).ModInverse(s, pub.Q)
	if w == nil || pub.Q.BitLen()%8 != 0 {
		return false
	}
	u1 := new(big.Int).Mul(new(big.Int).SetBytes(hash), w)
	u1.Mod(u1, pub.Q)
	u2 := w.Mod(w.Mul(r, w), pub.Q)
	v := new(big.Int).Exp(pub.G, u1, pub.P)
	v.Mul(v, new(big.Int).Exp(pub.Y, u2, pub.P))
	v.Mod(v, pub.P)
	return v.Mod(v, pub.Q).Cmp(r) == 0
}
