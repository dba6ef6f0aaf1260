// The NIST curves, whose arithmetic is elsewhere.

package elliptic

import (
	"internal/curves"
	"math/big"
	"sync"
)

// nistCurve is a NIST curve: points go as bytes to the curve and back.
type nistCurve struct {
	curve  *curves.Curve
	params *CurveParams
}

// The base points; what else there is to know, the curve knows.
var (
	p224 = sync.OnceValue(func() *nistCurve {
		return nist("P-224", curves.P224,
			"b4050a850c04b3abf54132565044b0b7d7bfd8ba270b39432355ffb4")
	})
	p256 = sync.OnceValue(func() *nistCurve {
		return nist("P-256", curves.P256,
			"5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604b")
	})
	p384 = sync.OnceValue(func() *nistCurve {
		return nist("P-384", curves.P384,
			"b3312fa7e23ee7e4988e056be3f82d19181d9c6efe8141120314088f5013875a"+
				"c656398d8a2ed19d2a85c8edd3ec2aef")
	})
	p521 = sync.OnceValue(func() *nistCurve {
		return nist("P-521", curves.P521,
			"0051953eb9618e1c9a1f929a21a0b68540eea2da725b99b315f3b8b489918ef109e1"+
				"56193951ec7e937b1652c0bd3bb1bf073573df883d2c34f1ef451fd46b503f00")
	})
)

func nist(name string, c *curves.Curve, b string) *nistCurve {
	constant, ok := new(big.Int).SetString(b, 16)
	if !ok {
		panic("crypto/elliptic: internal error: invalid encoding")
	}
	one := make([]byte, c.Size)
	one[c.Size-1] = 1
	curve := &nistCurve{curve: c}
	gx, gy := curve.affine(c.Base(one))
	curve.params = &CurveParams{
		P:       new(big.Int).SetBytes(c.Prime()),
		N:       new(big.Int).SetBytes(c.Order()),
		B:       constant,
		Gx:      gx,
		Gy:      gy,
		BitSize: c.Bits,
		Name:    name,
	}
	return curve
}

func (c *nistCurve) Params() *CurveParams { return c.params }

// point is the point with these coordinates, if it is one of the curve.
func (c *nistCurve) point(x, y *big.Int) (point []byte, ok bool) {
	if isInfinity(x, y) {
		return []byte{0}, true
	}
	fits := func(n *big.Int) bool { return n.Sign() >= 0 && n.BitLen() <= c.curve.Bits }
	if !fits(x) || !fits(y) {
		return nil, false
	}
	point, err := c.curve.Point(encoded(isWhole, c.curve.Size, x, y))
	return point, err == nil
}

func (c *nistCurve) mustPoint(x, y *big.Int, call string) []byte {
	p, ok := c.point(x, y)
	if !ok {
		panic("crypto/elliptic: " + call + " was called on an invalid point")
	}
	return p
}

func (c *nistCurve) affine(point []byte) (x, y *big.Int) {
	x, y = new(big.Int), new(big.Int)
	if n := c.curve.Size; !curves.IsInfinity(point) {
		x.SetBytes(point[1:][:n])
		y.SetBytes(point[1+n:])
	}
	return x, y
}

func (c *nistCurve) IsOnCurve(x, y *big.Int) bool {
	_, ok := c.point(x, y)
	return ok && !isInfinity(x, y)
}

func (c *nistCurve) Add(x1, y1, x2, y2 *big.Int) (*big.Int, *big.Int) {
	p, q := c.mustPoint(x1, y1, "Add"), c.mustPoint(x2, y2, "Add")
	return c.affine(c.curve.Add(p, q))
}

func (c *nistCurve) Double(x1, y1 *big.Int) (*big.Int, *big.Int) {
	p := c.mustPoint(x1, y1, "Double")
	return c.affine(c.curve.Add(p, p))
}

// scalar is the number modulo the order.
func (c *nistCurve) scalar(k []byte) []byte {
	if len(k) != c.curve.Size || !c.curve.IsReduced(k) {
		n := new(big.Int).SetBytes(k)
		k = n.Mod(n, c.params.N).FillBytes(make([]byte, c.curve.Size))
	}
	return k
}

func (c *nistCurve) ScalarMult(x1, y1 *big.Int, k []byte) (*big.Int, *big.Int) {
	p := c.mustPoint(x1, y1, "ScalarMult")
	return c.affine(c.curve.Mul(p, c.scalar(k)))
}

func (c *nistCurve) ScalarBaseMult(k []byte) (*big.Int, *big.Int) {
	return c.affine(c.curve.Base(c.scalar(k)))
}

func (c *nistCurve) Unmarshal(data []byte) (x, y *big.Int) {
	return c.decode(data, form(data) == isWhole)
}

func (c *nistCurve) UnmarshalCompressed(data []byte) (x, y *big.Int) {
	return c.decode(data, form(data)&^1 == isCompressed)
}

func (c *nistCurve) decode(data []byte, isForm bool) (x, y *big.Int) {
	if isForm {
		if p, err := c.curve.Point(data); err == nil {
			return c.affine(p)
		}
	}
	return nil, nil
}
