package ecdsa

import (
	"crypto/elliptic"
	"errors"
	"io"
	"math/big"
	"math/rand/v2"
)

// On curves that are not of the standard library all is done with big numbers.

func generateOther(c elliptic.Curve, rand io.Reader) (*PrivateKey, error) {
	d, err := randomScalar(c, rand)
	if err != nil {
		return nil, err
	}
	priv := &PrivateKey{D: d}
	priv.Curve = c
	priv.X, priv.Y = c.ScalarBaseMult(d.Bytes())
	return priv, nil
}

// randomScalar is between one and the order.
func randomScalar(c elliptic.Curve, rand io.Reader) (*big.Int, error) {
	order := c.Params().N
	bits := order.BitLen()
	b := make([]byte, (bits+7)/8)
	for {
		if _, err := io.ReadFull(rand, b); err != nil {
			return nil, err
		}
		b[0] >>= 8*len(b) - bits
		k := new(big.Int).SetBytes(b)
		if k.Sign() != 0 && k.Cmp(order) < 0 {
			return k, nil
		}
	}
}

// hashed is the number that is signed: as many bits of the hash as the order has.
func hashed(hash []byte, order *big.Int) *big.Int {
	bits := order.BitLen()
	if n := (bits + 7) / 8; len(hash) > n {
		hash = hash[:n]
	}
	e := new(big.Int).SetBytes(hash)
	if more := 8*len(hash) - bits; more > 0 {
		e.Rsh(e, uint(more))
	}
	return e
}

// signOther makes nonces of randomness, the key and the hash.
func signOther(priv *PrivateKey, random io.Reader, hash []byte) ([]byte, error) {
	var seed [32]byte
	if _, err := io.ReadFull(random, seed[:]); err != nil {
		return nil, err
	}
	for _, more := range [][]byte{priv.D.Bytes(), hash} {
		for i, b := range more {
			seed[i%32] ^= b
		}
	}
	stream := rand.NewChaCha8(seed)
	order := priv.Curve.Params().N
	if order.Sign() == 0 {
		return nil, errors.New("zero parameter")
	}
	for {
		k, err := randomScalar(priv.Curve, stream)
		if err != nil {
			return nil, err
		}
		r, _ := priv.Curve.ScalarBaseMult(k.Bytes())
		r.Mod(r, order)
		if r.Sign() == 0 {
			continue
		}
		s := new(big.Int).Mul(priv.D, r)
		s.Add(s, hashed(hash, order))
		s.Mul(s, k.ModInverse(k, order))
		s.Mod(s, order)
		if s.Sign() != 0 {
			return encode(r.Bytes(), s.Bytes())
		}
	}
}

func verifyOther(pub *PublicKey, hash []byte, r, s *big.Int) bool {
	c := pub.Curve
	order := c.Params().N
	if r.Sign() <= 0 || s.Sign() <= 0 || r.Cmp(order) >= 0 || s.Cmp(order) >= 0 {
		return false
	}
	w := new(big.Int).ModInverse(s, order)
	u1 := hashed(hash, order)
	u1.Mod(u1.Mul(u1, w), order)
	u2 := w.Mod(w.Mul(r, w), order)
	x1, y1 := c.ScalarBaseMult(u1.Bytes())
	x2, y2 := c.ScalarMult(pub.X, pub.Y, u2.Bytes())
	x, y := c.Add(x1, y1, x2, y2)
	if x.Sign() == 0 && y.Sign() == 0 {
		return false
	}
	return x.Mod(x, order).Cmp(r) == 0
}
