package elliptic

import (
	"errors"
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

// point is the point with these coordinates.
func (c *nistCurve) point(x, y *big.Int) ([]byte, error) {
	if isInfinity(x, y) {
		return []byte{0}, nil
	}
	if x.Sign() < 0 || y.Sign() < 0 {
		return nil, errors.New("negative coordinate")
	}
	if max(x.BitLen(), y.BitLen()) > c.curve.Bits {
		return nil, errors.New("overflowing coordinate")
	}
	n := c.curve.Size
	point := make([]byte, 1+2*n)
	point[0] = 4
	x.FillBytes(point[1 : 1+n])
	y.FillBytes(point[1+n:])
	return c.curve.Point(point)
}

func (c *nistCurve) mustPoint(x, y *big.Int, call string) []byte {
	p, err := c.point(x, y)
	if err != nil {
		panic("crypto/elliptic: " + call + " was called on an invalid point")
	}
	return p
}

func (c *nistCurve) affine(point []byte) (x, y *big.Int) {
	if curves.IsInfinity(point) {
		return new(big.Int), new(big.Int)
	}
	n := c.curve.Size
	return new(big.Int).SetBytes(point[1 : 1+n]), new(big.Int).SetBytes(point[1+n:])
}

func (c *nistCurve) IsOnCurve(x, y *big.Int) bool {
	if isInfinity(x, y) {
		return false
	}
	_, err := c.point(x, y)
	return err == nil
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
	if len(k) == c.curve.Size && c.curve.IsReduced(k) {
		return k
	}
	n := new(big.Int).SetBytes(k)
	if n.Cmp(c.params.N) >= 0 {
		n.Mod(n, c.params.N)
	}
	return n.FillBytes(make([]byte, c.curve.Size))
}

func (c *nistCurve) ScalarMult(x1, y1 *big.Int, k []byte) (*big.Int, *big.Int) {
	p := c.mustPoint(x1, y1, "ScalarMult")
	return c.affine(c.curve.Mul(p, c.scalar(k)))
}

func (c *nistCurve) ScalarBaseMult(k []byte) (*big.Int, *big.Int) {
	return c.affine(c.curve.Base(c.scalar(k)))
}

func (c *nistCurve) Unmarshal(data []byte) (x, y *big.Int) {
	if len(data) == 0 || data[0] != 4 {
		return nil, nil
	}
	return c.decode(data)
}

func (c *nistCurve) UnmarshalCompressed(data []byte) (x, y *big.Int) {
	if len(data) == 0 || data[0]&^1 != 2 {
		return nil, nil
	}
	return c.decode(data)
}

func (c *nistCurve) decode(data []byte) (x, y *big.Int) {
	p, err := c.curve.Point(data)
	if err != nil {
		return nil, nil
	}
	return c.affine(p)
}
