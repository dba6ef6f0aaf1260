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
	bits := order.BitLen()
	priv = make([]byte, (bits+7)/8)
	for {
		if _, err = io.ReadFull(rand, priv); err != nil {
			return
		}
		priv[0] &= 0xff >> (8*len(priv) - bits)
		priv[1] ^= 0x42
		if new(big.Int).SetBytes(priv).Cmp(order) < 0 {
			x, y = curve.ScalarBaseMult(priv)
			return
		}
	}
}

// size is the length of a coordinate in bytes.
func size(curve Curve) int { return (curve.Params().BitSize + 7) / 8 }

func Marshal(curve Curve, x, y *big.Int) []byte {
	mustBeOnCurve(curve, x, y)
	n := size(curve)
	point := make([]byte, 1+2*n)
	point[0] = 4
	x.FillBytes(point[1 : 1+n])
	y.FillBytes(point[1+n:])
	return point
}

func MarshalCompressed(curve Curve, x, y *big.Int) []byte {
	mustBeOnCurve(curve, x, y)
	point := make([]byte, 1+size(curve))
	point[0] = 2 | byte(y.Bit(0))
	x.FillBytes(point[1:])
	return point
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
	n := size(curve)
	if len(data) != 1+2*n || data[0] != 4 {
		return nil, nil
	}
	x = new(big.Int).SetBytes(data[1 : 1+n])
	y = new(big.Int).SetBytes(data[1+n:])
	p := curve.Params().P
	if x.Cmp(p) >= 0 || y.Cmp(p) >= 0 || !curve.IsOnCurve(x, y) {
		return nil, nil
	}
	return x, y
}

func UnmarshalCompressed(curve Curve, data []byte) (x, y *big.Int) {
	if own, ok := curve.(unmarshaler); ok {
		return own.UnmarshalCompressed(data)
	}
	if len(data) != 1+size(curve) || data[0]&^1 != 2 {
		return nil, nil
	}
	params := curve.Params()
	x = new(big.Int).SetBytes(data[1:])
	if x.Cmp(params.P) >= 0 {
		return nil, nil
	}
	y = params.rightSide(x)
	if y.ModSqrt(y, params.P) == nil {
		return nil, nil
	}
	if byte(y.Bit(0)) != data[0]&1 {
		y.Neg(y).Mod(y, params.P)
	}
	if !curve.IsOnCurve(x, y) {
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
