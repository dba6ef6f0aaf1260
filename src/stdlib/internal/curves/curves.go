// Package curves: the NIST curves, and Curve25519. Programs cannot import it.
//
// Numbers have the highest byte first and are as long as a curve's coordinates. Points are encoded
// as in SEC 1: 4 and both coordinates, 2 or 3 and the first, a single 0 for infinity.
package curves

import (
	"bytes"
	"errors"
)

// A Curve is one of the NIST curves.
type Curve struct {
	index int
	Name  string // without a hyphen
	Size  int    // of a coordinate, a scalar, and the order, in bytes
	Bits  int
	order []byte
	prime []byte
}

var (
	P224 = &Curve{0, "P224", 28, 224, number(
		"ffffffffffffffffffffffffffff16a2e0b8f03e13dd29455c5c2a3d",
	), number("ffffffffffffffffffffffffffffffff000000000000000000000001")}
	P256 = &Curve{1, "P256", 32, 256, number(
		"ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551",
	), number("ffffffff00000001000000000000000000000000ffffffffffffffffffffffff")}
	P384 = &Curve{2, "P384", 48, 384, number(
		"ffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf" +
			"581a0db248b0a77aecec196accc52973",
	), number(
		"fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe" +
			"ffffffff0000000000000000ffffffff",
	)}
	P521 = &Curve{3, "P521", 66, 521, number(
		"01fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffa" +
			"51868783bf2f966b7fcc0148f709a5d03bb5c9b8899c47aebb6fb71e91386409",
	), number(
		"01ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff" +
			"ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
	)}
)

// number reads hexadecimal digits.
func number(digits string) []byte {
	n := make([]byte, len(digits)/2)
	for i := range digits {
		d := digits[i] - '0'
		if d > 9 {
			d -= 'a' - '0' - 10
		}
		n[i/2] = n[i/2]<<4 | d
	}
	return n
}

func point(curve int, out, encoded []byte) bool
func add(curve int, out, p, q []byte) bool
func mul(curve int, out, p, scalar []byte) bool
func base(curve int, out, scalar []byte) bool
func sign(curve int, out, d, k, e []byte) bool
func signHedged(curve int, out, d, noise, e []byte) bool
func verify(curve int, q, r, s, e []byte) bool

// IsInfinity says whether a point of ours is that.
func IsInfinity(p []byte) bool { return len(p) == 1 }

var infinity = []byte{0}

func (c *Curve) room() []byte { return make([]byte, 1+2*c.Size) }

// Point is the encoded point with both its coordinates.
func (c *Curve) Point(encoded []byte) ([]byte, error) {
	n := c.Size
	if len(encoded) == 1 && encoded[0] == 0 {
		return infinity, nil
	}
	whole := len(encoded) == 1+2*n && encoded[0] == 4
	if !whole && (len(encoded) != 1+n || encoded[0]&^1 != 2) {
		return nil, errors.New("invalid " + c.Name + " point encoding")
	}
	p := c.room()
	if point(c.index, p, encoded) {
		return p, nil
	}
	for at := 1; at < len(encoded); at += n {
		if bytes.Compare(encoded[at:at+n], c.prime) >= 0 {
			if c == P256 {
				return nil, errors.New("invalid P256 element encoding")
			}
			return nil, errors.New("invalid " + c.Name + "Element encoding")
		}
	}
	if whole {
		return nil, errors.New(c.Name + " point not on curve")
	}
	return nil, errors.New("invalid " + c.Name + " compressed point encoding")
}

// result is p, or infinity if there is none.
func result(p []byte, finite bool) []byte {
	if !finite {
		return infinity
	}
	return p
}

// Add, Mul and Base take points that Point has given.
func (c *Curve) Add(p, q []byte) []byte {
	if IsInfinity(p) {
		return q
	}
	if IsInfinity(q) {
		return p
	}
	sum := c.room()
	return result(sum, add(c.index, sum, p, q))
}

// Mul multiplies by a scalar less than twice the order.
func (c *Curve) Mul(p, scalar []byte) []byte {
	if IsInfinity(p) {
		return p
	}
	product := c.room()
	return result(product, mul(c.index, product, p, scalar))
}

func (c *Curve) Base(scalar []byte) []byte {
	product := c.room()
	return result(product, base(c.index, product, scalar))
}

// IsScalar says whether so many bytes are a number from one to less than the order.
func (c *Curve) IsScalar(b []byte) bool {
	return len(b) == c.Size && bytes.Compare(b, c.order) < 0 && !IsZero(b)
}

// IsReduced says whether the number is less than the order.
func (c *Curve) IsReduced(b []byte) bool { return bytes.Compare(b, c.order) < 0 }

func IsZero(b []byte) bool {
	var all byte
	for _, x := range b {
		all |= x
	}
	return all == 0
}

// hashed is the number that is signed for a hash: as many of its first bits as the order has.
func (c *Curve) hashed(hash []byte) []byte {
	e := make([]byte, c.Size)
	if len(hash) < c.Size {
		copy(e[c.Size-len(hash):], hash)
		return e
	}
	copy(e, hash)
	if c == P521 {
		shift(e, 7)
	}
	return e
}

// Reduced is that number modulo the order.
func (c *Curve) Reduced(hash []byte) []byte {
	e := c.hashed(hash)
	if c.IsReduced(e) {
		return e
	}
	borrow := 0
	for i := c.Size - 1; i >= 0; i-- {
		d := int(e[i]) - int(c.order[i]) - borrow
		e[i] = byte(d)
		borrow = d >> 8 & 1
	}
	return e
}

// shift shifts the number right.
func shift(b []byte, bits int) {
	for i := len(b) - 1; i >= 0; i-- {
		b[i] >>= bits
		if i > 0 {
			b[i] |= b[i-1] << (8 - bits)
		}
	}
}

// Nonce makes a scalar of random bytes, or says that they are none.
func (c *Curve) Nonce(random []byte) bool {
	if c == P521 {
		shift(random, 7)
	}
	return c.IsScalar(random)
}

// Sign signs a hash with private key d and nonce k. It fails for one nonce in 2²²⁴.
func (c *Curve) Sign(d, k, hash []byte) (r, s []byte, ok bool) {
	out := make([]byte, 2*c.Size)
	ok = sign(c.index, out, d, k, c.hashed(hash))
	return out[:c.Size], out[c.Size:], ok
}

// SignHedged signs a hash with private key d and a nonce made of as much noise, the key and the
// hash together, so that noise which is none does not give the key away.
func (c *Curve) SignHedged(d, noise, hash []byte) (r, s []byte, ok bool) {
	out := make([]byte, 2*c.Size)
	ok = signHedged(c.index, out, d, noise, c.hashed(hash))
	return out[:c.Size], out[c.Size:], ok
}

// Verify verifies with public key q, a finite point.
func (c *Curve) Verify(q, hash, r, s []byte) bool {
	if len(r) > c.Size || len(s) > c.Size {
		return false
	}
	r, s = c.padded(r), c.padded(s)
	return c.IsScalar(r) && c.IsScalar(s) && verify(c.index, q, r, s, c.hashed(hash))
}

func (c *Curve) padded(b []byte) []byte {
	if len(b) == c.Size {
		return b
	}
	n := make([]byte, c.Size)
	copy(n[c.Size-len(b):], b)
	return n
}

// Order and Prime are the numbers of points and of the field's elements.
func (c *Curve) Order() []byte { return c.order }
func (c *Curve) Prime() []byte { return c.prime }
