// On curves that are not of the standard library all is done with big numbers.

package ecdsa

import (
	"crypto/elliptic"
	"errors"
	"io"
	"math/big"
	"math/rand/v2"
)

// A field has the numbers modulo the order of a curve.
type field struct{ order *big.Int }

func fieldOf(c elliptic.Curve) field { return field{c.Params().N} }

// has says whether the number is from one to less than the order.
func (f field) has(n *big.Int) bool { return n.Sign() > 0 && n.Cmp(f.order) < 0 }

func (f field) mul(a, b *big.Int) *big.Int {
	n := new(big.Int).Mul(a, b)
	return n.Mod(n, f.order)
}

func (f field) inverse(n *big.Int) *big.Int { return new(big.Int).ModInverse(n, f.order) }

// draw draws one of its numbers, but zero.
func (f field) draw(random io.Reader) (*big.Int, error) {
	n := new(big.Int)
	b := make([]byte, (f.order.BitLen()+7)/8)
	for !f.has(n) {
		if _, err := io.ReadFull(random, b); err != nil {
			return nil, err
		}
		b[0] >>= 8*len(b) - f.order.BitLen()
		n.SetBytes(b)
	}
	return n, nil
}

// hashed is the number that is signed: as many bits of the hash as the order has.
func (f field) hashed(hash []byte) *big.Int {
	e := new(big.Int).SetBytes(hash)
	return e.Rsh(e, uint(max(8*len(hash)-f.order.BitLen(), 0)))
}

func generateOther(c elliptic.Curve, random io.Reader) (*PrivateKey, error) {
	d, err := fieldOf(c).draw(random)
	if err != nil {
		return nil, err
	}
	x, y := c.ScalarBaseMult(d.Bytes())
	return &PrivateKey{PublicKey{c, x, y}, d}, nil
}

// nonces is a source for nonces: randomness, the key and the hash together.
func (priv *PrivateKey) nonces(random io.Reader, hash []byte) (io.Reader, error) {
	var seed [32]byte
	if _, err := io.ReadFull(random, seed[:]); err != nil {
		return nil, err
	}
	for _, more := range [][]byte{priv.D.Bytes(), hash} {
		for i, b := range more {
			seed[i%32] ^= b
		}
	}
	return rand.NewChaCha8(seed), nil
}

func signOther(priv *PrivateKey, random io.Reader, hash []byte) ([]byte, error) {
	source, err := priv.nonces(random, hash)
	if err != nil {
		return nil, err
	}
	f, zero := fieldOf(priv.Curve), new(big.Int)
	if f.order.Sign() == 0 {
		return nil, errors.New("zero parameter")
	}
	r, s := zero, zero
	// The rare nonce that makes a number zero is no good.
	for r.Sign() == 0 || s.Sign() == 0 {
		k, err := f.draw(source)
		if err != nil {
			return nil, err
		}
		x, _ := priv.Curve.ScalarBaseMult(k.Bytes())
		r = x.Mod(x, f.order)
		sum := f.mul(priv.D, r)
		s = f.mul(sum.Add(sum, f.hashed(hash)), f.inverse(k))
	}
	return encode(r.Bytes(), s.Bytes())
}

func verifyOther(pub *PublicKey, hash []byte, r, s *big.Int) bool {
	f := fieldOf(pub.Curve)
	if !f.has(r) || !f.has(s) {
		return false
	}
	w := f.inverse(s)
	gx, gy := pub.Curve.ScalarBaseMult(f.mul(f.hashed(hash), w).Bytes())
	px, py := pub.Curve.ScalarMult(pub.X, pub.Y, f.mul(r, w).Bytes())
	x, y := pub.Curve.Add(gx, gy, px, py)
	isInfinity := x.Sign() == 0 && y.Sign() == 0
	return !isInfinity && x.Mod(x, f.order).Cmp(r) == 0
}
