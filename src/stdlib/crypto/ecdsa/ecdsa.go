// Package ecdsa: signatures over elliptic curves. FIPS 186-5. The arithmetic of the NIST curves is
// internal/curves; other curves do their own.
package ecdsa

import (
	"bytes"
	"crypto"
	"crypto/ecdh"
	"crypto/elliptic"
	_ "crypto/sha3"
	_ "crypto/sha512"
	"crypto/subtle"
	"errors"
	"internal/curves"
	"internal/der"
	"internal/rand"
	"io"
	"math/big"
)

// isWhole is the first byte of a point with both coordinates.
const isWhole = 4

type PublicKey struct {
	elliptic.Curve
	X, Y *big.Int
}

func (pub *PublicKey) ECDH() (*ecdh.PublicKey, error) {
	var point []byte
	c, err := exchange(pub.Curve)
	if err == nil {
		point, err = pub.Bytes()
	}
	if err != nil {
		return nil, err
	}
	return c.NewPublicKey(point)
}

func (pub *PublicKey) Equal(x crypto.PublicKey) bool {
	other, ok := x.(*PublicKey)
	return ok && same(pub.X, other.X) && same(pub.Y, other.Y) && pub.Curve == other.Curve
}

func (pub *PublicKey) Bytes() ([]byte, error) {
	c, err := supported(pub.Curve, "PublicKey.Bytes")
	if err != nil {
		return nil, err
	}
	return pub.point(c)
}

// same takes as long for any two numbers of some sizes.
func same(a, b *big.Int) bool {
	return subtle.ConstantTimeCompare(a.Bytes(), b.Bytes()) == 1
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
	switch {
	case min(pub.X.Sign(), pub.Y.Sign()) < 0:
		return nil, errors.New("negative coordinate")
	case max(pub.X.BitLen(), pub.Y.BitLen()) > c.Bits:
		return nil, errors.New("overflowing coordinate")
	}
	point := make([]byte, 1+2*c.Size)
	point[0] = isWhole
	for i, n := range [...]*big.Int{pub.X, pub.Y} {
		n.FillBytes(point[1+i*c.Size:][:c.Size])
	}
	return point, nil
}

func newPublicKey(curve elliptic.Curve, c *curves.Curve, point []byte) *PublicKey {
	x, y := point[1:1+c.Size], point[1+c.Size:]
	return &PublicKey{curve, new(big.Int).SetBytes(x), new(big.Int).SetBytes(y)}
}

func ParseUncompressedPublicKey(curve elliptic.Curve, data []byte) (*PublicKey, error) {
	if !bytes.HasPrefix(data, []byte{isWhole}) {
		return nil, errors.New("ecdsa: invalid uncompressed public key")
	}
	c, err := supported(curve, "ParseUncompressedPublicKey")
	if err == nil {
		data, err = c.Point(data)
	}
	if err != nil {
		return nil, err
	}
	return newPublicKey(curve, c, data), nil
}

type PrivateKey struct {
	PublicKey
	D *big.Int
}

func (priv *PrivateKey) ECDH() (*ecdh.PrivateKey, error) {
	var d []byte
	c, err := exchange(priv.Curve)
	if err == nil {
		d, err = priv.Bytes()
	}
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
	c, err := supported(priv.Curve, "PrivateKey.Bytes")
	if err != nil {
		return nil, err
	}
	return priv.scalar(c)
}

// scalar is the private key's number, if that and the public key are what they should be.
func (priv *PrivateKey) scalar(c *curves.Curve) ([]byte, error) {
	point, err := priv.encoded(c)
	if err != nil {
		return nil, err
	}
	switch {
	case priv.D.BitLen() > c.Bits:
		return nil, errors.New("ecdsa: private key scalar too large")
	case priv.D.Sign() < 1:
		return nil, errors.New("ecdsa: private key scalar is zero or negative")
	}
	if _, err = c.Point(point); err != nil {
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
	c, err := supported(curve, "ParseRawPrivateKey")
	if err != nil {
		return nil, err
	}
	switch {
	case len(data) != c.Size:
		return nil, errors.New("invalid scalar length")
	case curves.IsZero(data) || bytes.Equal(data, c.Order()):
		return nil, errors.New("ecdsa: invalid public key encoding")
	case !c.IsReduced(data):
		return nil, errors.New("input overflows the modulus")
	}
	return newPrivateKey(curve, c, data), nil
}

// known has the curves of the standard library: as programs have them for signatures, what computes
// on them, and as programs have them for agreements on keys.
var known = []struct {
	signs  func() elliptic.Curve
	own    *curves.Curve
	agrees func() ecdh.Curve
}{
	{elliptic.P256, curves.P256, ecdh.P256},
	{elliptic.P384, curves.P384, ecdh.P384},
	{elliptic.P521, curves.P521, ecdh.P521},
	{elliptic.P224, curves.P224, nil},
}

// supported is what computes on the curve for a call.
func supported(c elliptic.Curve, call string) (*curves.Curve, error) {
	for i := range known {
		if known[i].signs() == c {
			return known[i].own, nil
		}
	}
	return nil, errors.New("ecdsa: curve not supported by " + call)
}

// nistParams is the curve whose parameters those of c are, whatever computes with them, or nil.
func nistParams(c elliptic.Curve) *curves.Curve {
	params := c.Params()
	for i := range known {
		if known[i].signs().Params() == params {
			return known[i].own
		}
	}
	return nil
}

// exchange is the curve for agreements on keys, if there is one.
func exchange(c elliptic.Curve) (ecdh.Curve, error) {
	for i := range known {
		if known[i].signs() == c && known[i].agrees != nil {
			return known[i].agrees(), nil
		}
	}
	return nil, errors.New("ecdsa: unsupported curve by crypto/ecdh")
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
	var h crypto.Hash
	bad := ""
	if opts != nil {
		if h = opts.HashFunc(); h == 0 {
			bad = "Sign must be called with a hash, not with crypto.Hash(0)"
		} else if len(digest) != h.Size() {
			bad = "hash length does not match hash function"
		}
	} else if random == nil {
		bad = "Sign called with nil random and nil opts"
	}
	switch {
	case bad != "":
		return nil, errors.New("ecdsa: " + bad)
	case random != nil:
		return SignASN1(rand.Custom(random), priv, digest)
	}
	return priv.signAlone(digest, h)
}

// signAlone draws its nonce from the key and the hash.
func (priv *PrivateKey) signAlone(digest []byte, h crypto.Hash) ([]byte, error) {
	c := nistParams(priv.Curve)
	if c == nil {
		return nil, errors.New("ecdsa: curve not supported by deterministic signatures")
	}
	d, err := priv.scalar(c)
	switch {
	case err != nil:
		return nil, err
	case !h.Available():
		return nil, errors.New("ecdsa: requested hash function unavailable: " + h.String())
	case len(digest) == 0:
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
	if first, second, ok := decode(sig); ok && err == nil {
		r, s = new(big.Int).SetBytes(first), new(big.Int).SetBytes(second)
	}
	return r, s, err
}

func Verify(pub *PublicKey, hash []byte, r, s *big.Int) bool {
	if r.Sign() > 0 && s.Sign() > 0 {
		sig, err := encode(r.Bytes(), s.Bytes())
		return err == nil && VerifyASN1(pub, hash, sig)
	}
	return false
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
