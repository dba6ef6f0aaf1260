// Package ecdsa: signatures over elliptic curves. FIPS 186-5. The arithmetic of the NIST curves is
// internal/curves; other curves do their own.
package ecdsa

import (
	"crypto"
	"crypto/ecdh"
	"crypto/elliptic"
	"crypto/subtle"
	"errors"
	"internal/curves"
	"internal/der"
	"internal/rand"
	"io"
	"math/big"
)

type PublicKey struct {
	elliptic.Curve
	X, Y *big.Int
}

func (pub *PublicKey) ECDH() (*ecdh.PublicKey, error) {
	c := exchange(pub.Curve)
	if c == nil {
		return nil, errors.New("ecdsa: unsupported curve by crypto/ecdh")
	}
	point, err := pub.Bytes()
	if err != nil {
		return nil, err
	}
	return c.NewPublicKey(point)
}

func (pub *PublicKey) Equal(x crypto.PublicKey) bool {
	other, ok := x.(*PublicKey)
	return ok && same(pub.X, other.X) && same(pub.Y, other.Y) && pub.Curve == other.Curve
}

func same(a, b *big.Int) bool {
	return subtle.ConstantTimeCompare(a.Bytes(), b.Bytes()) == 1
}

func (pub *PublicKey) Bytes() ([]byte, error) {
	c := nist(pub.Curve)
	if c == nil {
		return nil, errors.New("ecdsa: curve not supported by PublicKey.Bytes")
	}
	return pub.point(c)
}

// point is the public key on its curve c.
func (pub *PublicKey) point(c *curves.Curve) ([]byte, error) {
	point, err := pub.encoded(c)
	if err != nil {
		return nil, err
	}
	return c.Point(point)
}

// encoded may be no point of the curve.
func (pub *PublicKey) encoded(c *curves.Curve) ([]byte, error) {
	if pub.X.Sign() < 0 || pub.Y.Sign() < 0 {
		return nil, errors.New("negative coordinate")
	}
	if max(pub.X.BitLen(), pub.Y.BitLen()) > c.Bits {
		return nil, errors.New("overflowing coordinate")
	}
	point := make([]byte, 1+2*c.Size)
	point[0] = 4
	pub.X.FillBytes(point[1 : 1+c.Size])
	pub.Y.FillBytes(point[1+c.Size:])
	return point, nil
}

func newPublicKey(curve elliptic.Curve, c *curves.Curve, point []byte) *PublicKey {
	x, y := point[1:1+c.Size], point[1+c.Size:]
	return &PublicKey{curve, new(big.Int).SetBytes(x), new(big.Int).SetBytes(y)}
}

func ParseUncompressedPublicKey(curve elliptic.Curve, data []byte) (*PublicKey, error) {
	if len(data) < 1 || data[0] != 4 {
		return nil, errors.New("ecdsa: invalid uncompressed public key")
	}
	c := nist(curve)
	if c == nil {
		return nil, errors.New("ecdsa: curve not supported by ParseUncompressedPublicKey")
	}
	point, err := c.Point(data)
	if err != nil {
		return nil, err
	}
	return newPublicKey(curve, c, point), nil
}

type PrivateKey struct {
	PublicKey
	D *big.Int
}

func (priv *PrivateKey) ECDH() (*ecdh.PrivateKey, error) {
	c := exchange(priv.Curve)
	if c == nil {
		return nil, errors.New("ecdsa: unsupported curve by crypto/ecdh")
	}
	d, err := priv.Bytes()
	if err != nil {
		return nil, err
	}
	return c.NewPrivateKey(d)
}

func (priv *PrivateKey) Public() crypto.PublicKey { return &priv.PublicKey }

func (priv *PrivateKey) Equal(x crypto.PrivateKey) bool {
	other, ok := x.(*PrivateKey)
	return ok && priv.PublicKey.Equal(&other.PublicKey) && same(priv.D, other.D)
}

func (priv *PrivateKey) Bytes() ([]byte, error) {
	c := nist(priv.Curve)
	if c == nil {
		return nil, errors.New("ecdsa: curve not supported by PrivateKey.Bytes")
	}
	return priv.scalar(c)
}

// scalar is the private key's number, if that and the public key are what they should be.
func (priv *PrivateKey) scalar(c *curves.Curve) ([]byte, error) {
	point, err := priv.encoded(c)
	if err != nil {
		return nil, err
	}
	if priv.D.BitLen() > c.Bits {
		return nil, errors.New("ecdsa: private key scalar too large")
	}
	if priv.D.Sign() <= 0 {
		return nil, errors.New("ecdsa: private key scalar is zero or negative")
	}
	if _, err := c.Point(point); err != nil {
		return nil, err
	}
	d := priv.D.FillBytes(make([]byte, c.Size))
	if !c.IsReduced(d) {
		return nil, errors.New("input overflows the modulus")
	}
	return d, nil
}

func newPrivateKey(curve elliptic.Curve, c *curves.Curve, d []byte) *PrivateKey {
	return &PrivateKey{*newPublicKey(curve, c, c.Base(d)), new(big.Int).SetBytes(d)}
}

func ParseRawPrivateKey(curve elliptic.Curve, data []byte) (*PrivateKey, error) {
	c := nist(curve)
	if c == nil {
		return nil, errors.New("ecdsa: curve not supported by ParseRawPrivateKey")
	}
	if len(data) != c.Size {
		return nil, errors.New("invalid scalar length")
	}
	if curves.IsZero(data) || string(data) == string(c.Order()) {
		return nil, errors.New("ecdsa: invalid public key encoding")
	}
	if !c.IsReduced(data) {
		return nil, errors.New("input overflows the modulus")
	}
	return newPrivateKey(curve, c, data), nil
}

// nist is the curve of the standard library that c is, or nil.
func nist(c elliptic.Curve) *curves.Curve {
	switch c {
	case elliptic.P224():
		return curves.P224
	case elliptic.P256():
		return curves.P256
	case elliptic.P384():
		return curves.P384
	case elliptic.P521():
		return curves.P521
	}
	return nil
}

// nistParams is the curve whose parameters those of c are, whatever computes with them, or nil.
func nistParams(c elliptic.Curve) *curves.Curve {
	params := c.Params()
	for _, own := range []elliptic.Curve{
		elliptic.P256(), elliptic.P384(), elliptic.P521(), elliptic.P224(),
	} {
		if own.Params() == params {
			return nist(own)
		}
	}
	return nil
}

// exchange is the same for agreements on keys.
func exchange(c elliptic.Curve) ecdh.Curve {
	switch c {
	case elliptic.P256():
		return ecdh.P256()
	case elliptic.P384():
		return ecdh.P384()
	case elliptic.P521():
		return ecdh.P521()
	}
	return nil
}

func GenerateKey(c elliptic.Curve, r io.Reader) (*PrivateKey, error) {
	r = rand.Custom(r)
	own := nistParams(c)
	if own == nil {
		return generateOther(c, r)
	}
	d := make([]byte, own.Size)
	for {
		if _, err := io.ReadFull(r, d); err != nil {
			return nil, err
		}
		if own.Nonce(d) {
			return newPrivateKey(c, own, d), nil
		}
	}
}

// Sign is deterministic, as RFC 6979 has it, when there is no source of randomness.
func (priv *PrivateKey) Sign(
	random io.Reader, digest []byte, opts crypto.SignerOpts,
) ([]byte, error) {
	if opts != nil {
		h := opts.HashFunc()
		if h == 0 {
			return nil, errors.New(
				"ecdsa: Sign must be called with a hash, not with crypto.Hash(0)")
		}
		if h.Size() != len(digest) {
			return nil, errors.New("ecdsa: hash length does not match hash function")
		}
	}
	if random != nil {
		return SignASN1(rand.Custom(random), priv, digest)
	}
	if opts == nil {
		return nil, errors.New("ecdsa: Sign called with nil random and nil opts")
	}
	c := nistParams(priv.Curve)
	if c == nil {
		return nil, errors.New("ecdsa: curve not supported by deterministic signatures")
	}
	d, err := priv.scalar(c)
	if err != nil {
		return nil, err
	}
	h := opts.HashFunc()
	if !h.Available() {
		return nil, errors.New("ecdsa: requested hash function unavailable: " + h.String())
	}
	if len(digest) == 0 {
		return nil, errNoHash
	}
	return sign(c, newGenerator(h.New, d, c.Reduced(digest)), d, digest)
}

var errNoHash = errors.New("ecdsa: hash cannot be empty")

// SignASN1 draws its nonce from randomness, the key and the hash together, so that bad randomness
// does not give the key away.
func SignASN1(r io.Reader, priv *PrivateKey, hash []byte) ([]byte, error) {
	if len(hash) == 0 {
		return nil, errNoHash
	}
	r = rand.Custom(r)
	c := nistParams(priv.Curve)
	if c == nil {
		return signOther(priv, r, hash)
	}
	d, err := priv.scalar(c)
	if err != nil {
		return nil, err
	}
	noise := make([]byte, len(d))
	if _, err := io.ReadFull(r, noise); err != nil {
		return nil, err
	}
	return signature(c.SignHedged(d, noise, hash))
}

func signature(r, s []byte, ok bool) ([]byte, error) {
	if !ok {
		return nil, errors.New("ecdsa: internal error: r is zero")
	}
	return encode(r, s)
}

// sign draws a nonce and signs.
func sign(c *curves.Curve, g *generator, d, hash []byte) ([]byte, error) {
	k := make([]byte, c.Size)
	for g.fill(k); !c.Nonce(k); {
		g.fill(k)
	}
	return signature(c.Sign(d, k, hash))
}

func VerifyASN1(pub *PublicKey, hash, sig []byte) bool {
	if len(hash) == 0 {
		return false
	}
	c := nistParams(pub.Curve)
	r, s, ok := decode(sig)
	if !ok {
		return false
	}
	if c == nil {
		return verifyOther(pub, hash, new(big.Int).SetBytes(r), new(big.Int).SetBytes(s))
	}
	// What is no point of the curve verifies nothing.
	point, err := pub.encoded(c)
	return err == nil && c.Verify(point, hash, r, s)
}

func Sign(rand io.Reader, priv *PrivateKey, hash []byte) (r, s *big.Int, err error) {
	sig, err := SignASN1(rand, priv, hash)
	if err != nil {
		return nil, nil, err
	}
	rBytes, sBytes, _ := decode(sig)
	return new(big.Int).SetBytes(rBytes), new(big.Int).SetBytes(sBytes), nil
}

func Verify(pub *PublicKey, hash []byte, r, s *big.Int) bool {
	if r.Sign() <= 0 || s.Sign() <= 0 {
		return false
	}
	sig, err := encode(r.Bytes(), s.Bytes())
	return err == nil && VerifyASN1(pub, hash, sig)
}

// encode is the sequence of both numbers.
func encode(r, s []byte) ([]byte, error) {
	var both []byte
	for _, n := range [][]byte{r, s} {
		for len(n) > 0 && n[0] == 0 {
			n = n[1:]
		}
		if len(n) == 0 {
			return nil, errors.New("invalid integer")
		}
		if n[0] >= 0x80 {
			n = append([]byte{0}, n...)
		}
		both = append(head(both, der.Integer, len(n)), n...)
	}
	return append(head(nil, der.Sequence, len(both)), both...), nil
}

// head begins an element.
func head(b []byte, tag byte, n int) []byte {
	b = append(b, tag)
	if n < 0x80 {
		return append(b, byte(n))
	}
	shift := 0
	for n>>shift > 0xff {
		shift += 8
	}
	b = append(b, 0x80|byte(shift/8+1))
	for ; shift >= 0; shift -= 8 {
		b = append(b, byte(n>>shift))
	}
	return b
}

func decode(sig []byte) (r, s []byte, ok bool) {
	text := der.Text(sig)
	both, ok := text.Read(der.Sequence)
	if !ok || len(text) > 0 {
		return nil, nil, false
	}
	if r, ok = both.Natural(); !ok {
		return nil, nil, false
	}
	s, ok = both.Natural()
	return r, s, ok && len(both) == 0
}
