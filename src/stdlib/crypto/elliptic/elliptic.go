// Package elliptic: the NIST curves with big numbers for coordinates, and others that a program
// describes. The point at infinity has the coordinates (0, 0). The arithmetic of the NIST curves is
// internal/curves.
package elliptic

import (
	"io"
	"math/big"
)

type Curve interface {
	Params() *CurveParams
	IsOnCurve(x, y *big.Int) bool
	Add(x1, y1, x2, y2 *big.Int) (x, y *big.Int)
	Double(x1, y1 *big.Int) (x, y *big.Int)
	ScalarMult(x1, y1 *big.Int, k []byte) (x, y *big.Int)
	ScalarBaseMult(k []byte) (x, y *big.Int)
}

func P224() Curve { return p224() }
func P256() Curve { return p256() }
func P384() Curve { return p384() }
func P521() Curve { return p521() }

// GenerateKey changes a bit of what it reads, so that zeros make a key.
func GenerateKey(curve Curve, rand io.Reader) (priv []byte, x, y *big.Int, err error) {
	order := curve.Params().N
	priv = make([]byte, (order.BitLen()+7)/8)
	unused := 8*len(priv) - order.BitLen()
	for d := order; d.Cmp(order) >= 0; d = new(big.Int).SetBytes(priv) {
		if _, err := io.ReadFull(rand, priv); err != nil {
			return priv, nil, nil, err
		}
		priv[0] = priv[0] << unused >> unused
		priv[1] ^= 0x42
	}
	x, y = curve.ScalarBaseMult(priv)
	return priv, x, y, nil
}

// Forms of an encoded point, its first byte. The sign of the second coordinate of a compressed one
// is in the lowest bit.
const (
	isCompressed = 2
	isWhole      = 4
)

func form(point []byte) byte {
	if len(point) == 0 {
		return 0
	}
	return point[0]
}

// size is the length of a coordinate in bytes.
func size(curve Curve) int { return (curve.Params().BitSize + 7) / 8 }

// encoded is a point of that form, with coordinates of n bytes.
func encoded(form byte, n int, coordinates ...*big.Int) []byte {
	point := make([]byte, 1+n*len(coordinates))
	point[0] = form
	for i, c := range coordinates {
		c.FillBytes(point[1+n*i:][:n])
	}
	return point
}

// coordinates are those of an encoded point, or nil if they are not so many or not below the prime.
func coordinates(curve Curve, point []byte, count int) []*big.Int {
	n, list := size(curve), make([]*big.Int, count)
	if len(point) != 1+n*count {
		return nil
	}
	for i := range list {
		list[i] = new(big.Int).SetBytes(point[1+n*i:][:n])
		if list[i].Cmp(curve.Params().P) >= 0 {
			return nil
		}
	}
	return list
}

func Marshal(curve Curve, x, y *big.Int) []byte {
	mustBeOnCurve(curve, x, y)
	return encoded(isWhole, size(curve), x, y)
}

func MarshalCompressed(curve Curve, x, y *big.Int) []byte {
	mustBeOnCurve(curve, x, y)
	return encoded(isCompressed|byte(y.Bit(0)), size(curve), x)
}

// An unmarshaler is a curve that knows better.
type unmarshaler interface {
	Unmarshal([]byte) (x, y *big.Int)
	UnmarshalCompressed([]byte) (x, y *big.Int)
}

func Unmarshal(curve Curve, data []byte) (x, y *big.Int) {
	if own, ok := curve.(unmarshaler); ok {
		return own.Unmarshal(data)
	}
	pair := coordinates(curve, data, 2)
	if form(data) == isWhole && pair != nil && curve.IsOnCurve(pair[0], pair[1]) {
		return pair[0], pair[1]
	}
	return nil, nil
}

func UnmarshalCompressed(curve Curve, data []byte) (x, y *big.Int) {
	if own, ok := curve.(unmarshaler); ok {
		return own.UnmarshalCompressed(data)
	}
	if list := coordinates(curve, data, 1); list != nil && form(data)&^1 == isCompressed {
		x = list[0]
		y = (*plainCurve)(curve.Params()).root(x, uint(data[0]&1))
	}
	if y == nil || !curve.IsOnCurve(x, y) {
		return nil, nil
	}
	return x, y
}

func isInfinity(x, y *big.Int) bool { return x.Sign() == 0 && y.Sign() == 0 }

func mustBeOnCurve(curve Curve, x, y *big.Int) {
	if !isInfinity(x, y) && !curve.IsOnCurve(x, y) {
		panic("crypto/elliptic: attempted operation on invalid point")
	}
}
