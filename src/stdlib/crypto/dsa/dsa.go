// Package dsa: DSA. FIPS 186-3, without the seeds of its parameters.
package dsa

import (
	"errors"
	"internal/rand"
	"io"
	"math/big"
	"slices"
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

// A modulus has the numbers from zero to less than it.
type modulus struct{ *big.Int }

func (m modulus) reduced(n *big.Int) *big.Int { return n.Mod(n, m.Int) }
func (m modulus) mul(a, b *big.Int) *big.Int  { return m.reduced(new(big.Int).Mul(a, b)) }
func (m modulus) pow(a, e *big.Int) *big.Int  { return new(big.Int).Exp(a, e, m.Int) }

// has says whether it is one of the numbers, and not zero.
func (m modulus) has(n *big.Int) bool { return n.Sign() > 0 && n.Cmp(m.Int) < 0 }

// draw draws one of the numbers, but zero, from so many bits as the modulus has, in bytes.
func (m modulus) draw(rand io.Reader) (*big.Int, error) {
	b, n := make([]byte, m.BitLen()/8), new(big.Int)
	for !m.has(n) {
		if _, err := io.ReadFull(rand, b); err != nil {
			return nil, err
		}
		n.SetBytes(b)
	}
	return n, nil
}

func GenerateKey(priv *PrivateKey, rand io.Reader) (err error) {
	if slices.Contains([]*big.Int{priv.P, priv.Q, priv.G}, nil) {
		return errors.New("crypto/dsa: parameters not set up before generating key")
	}
	x, err := modulus{priv.Q}.draw(rand)
	if err == nil {
		priv.X, priv.Y = x, modulus{priv.P}.pow(priv.G, x)
	}
	return err
}

func Sign(random io.Reader, priv *PrivateKey, hash []byte) (r, s *big.Int, err error) {
	random = rand.Custom(random)
	p, q := modulus{priv.P}, modulus{priv.Q}
	for _, n := range []*big.Int{priv.Q, priv.P, priv.G, priv.X} {
		if n.Sign() <= 0 || q.BitLen()%8 != 0 {
			return nil, nil, ErrInvalidPublicKey
		}
	}
	// The inverse of a number is one of its powers.
	inverting := new(big.Int).Sub(priv.Q, big.NewInt(2))
	// Keys that are none may never give a signature.
	for range 10 {
		k, err := q.draw(random)
		if err != nil {
			return nil, nil, err
		}
		if r = q.reduced(p.pow(priv.G, k)); r.Sign() == 0 {
			continue
		}
		sum := new(big.Int).Mul(priv.X, r)
		sum.Add(sum, new(big.Int).SetBytes(hash))
		if s = q.mul(sum, q.pow(k, inverting)); s.Sign() != 0 {
			return r, s, nil
		}
	}
	return nil, nil, ErrInvalidPublicKey
}

func Verify(pub *PublicKey, hash []byte, r, s *big.Int) bool {
	p, q := modulus{pub.P}, modulus{pub.Q}
	if p.Sign() == 0 || !q.has(r) || !q.has(s) {
		return false
	}
	inverse := new(big.Int).ModInverse(s, pub.Q)
	if inverse == nil || q.BitLen()%8 != 0 {
		return false
	}
	byHash := p.pow(pub.G, q.mul(new(big.Int).SetBytes(hash), inverse))
	byKey := p.pow(pub.Y, q.mul(r, inverse))
	return q.reduced(p.mul(byHash, byKey)).Cmp(r) == 0
}
