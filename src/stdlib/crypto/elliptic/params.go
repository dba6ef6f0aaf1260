package elliptic

import "math/big"

// CurveParams describe a curve y² = x³ − 3x + b, and are one.
//
// Points under way have Jacobi's coordinates: (x, y, z) is (x/z², y/z³), and infinity has z = 0.
type CurveParams struct {
	P       *big.Int
	N       *big.Int
	B       *big.Int
	Gx, Gy  *big.Int
	BitSize int
	Name    string
}

func (curve *CurveParams) Params() *CurveParams { return curve }

// own is the NIST curve with these very parameters, which knows better, or nil.
func (curve *CurveParams) own() Curve {
	for _, c := range []*nistCurve{p224(), p256(), p384(), p521()} {
		if c.params == curve {
			return c
		}
	}
	return nil
}

// rightSide is x³ − 3x + b.
func (curve *CurveParams) rightSide(x *big.Int) *big.Int {
	r := new(big.Int).Mul(x, x)
	r.Sub(r, big.NewInt(3))
	r.Mul(r, x)
	r.Add(r, curve.B)
	return r.Mod(r, curve.P)
}

func (curve *CurveParams) IsOnCurve(x, y *big.Int) bool {
	if own := curve.own(); own != nil {
		return own.IsOnCurve(x, y)
	}
	for _, c := range []*big.Int{x, y} {
		if c.Sign() < 0 || c.Cmp(curve.P) >= 0 {
			return false
		}
	}
	left := new(big.Int).Mul(y, y)
	return curve.rightSide(x).Cmp(left.Mod(left, curve.P)) == 0
}

type jacobian struct{ x, y, z *big.Int }

// mul, add and sub compute modulo p.
func (curve *CurveParams) mul(a, b *big.Int) *big.Int {
	r := new(big.Int).Mul(a, b)
	return r.Mod(r, curve.P)
}

func (curve *CurveParams) add(a, b *big.Int) *big.Int {
	r := new(big.Int).Add(a, b)
	return r.Mod(r, curve.P)
}

func (curve *CurveParams) sub(a, b *big.Int) *big.Int {
	r := new(big.Int).Sub(a, b)
	return r.Mod(r, curve.P)
}

func enter(x, y *big.Int) jacobian {
	if isInfinity(x, y) {
		return jacobian{new(big.Int), new(big.Int), new(big.Int)}
	}
	return jacobian{x, y, big.NewInt(1)}
}

func (curve *CurveParams) leave(p jacobian) (x, y *big.Int) {
	if p.z.Sign() == 0 {
		return new(big.Int), new(big.Int)
	}
	inverse := new(big.Int).ModInverse(p.z, curve.P)
	square := curve.mul(inverse, inverse)
	return curve.mul(p.x, square), curve.mul(p.y, curve.mul(square, inverse))
}

// plus brings both points to the same denominators u/(z1·z2)² and s/(z1·z2)³.
func (curve *CurveParams) plus(p, q jacobian) jacobian {
	if p.z.Sign() == 0 {
		return q
	}
	if q.z.Sign() == 0 {
		return p
	}
	pz2, qz2 := curve.mul(p.z, p.z), curve.mul(q.z, q.z)
	u1, u2 := curve.mul(p.x, qz2), curve.mul(q.x, pz2)
	s1 := curve.mul(p.y, curve.mul(qz2, q.z))
	s2 := curve.mul(q.y, curve.mul(pz2, p.z))
	h, r := curve.sub(u2, u1), curve.sub(s2, s1)
	if h.Sign() == 0 && r.Sign() == 0 {
		return curve.twice(p)
	}
	h2 := curve.mul(h, h)
	h3 := curve.mul(h2, h)
	v := curve.mul(u1, h2)
	x := curve.sub(curve.sub(curve.mul(r, r), h3), curve.add(v, v))
	y := curve.sub(curve.mul(r, curve.sub(v, x)), curve.mul(s1, h3))
	return jacobian{x, y, curve.mul(h, curve.mul(p.z, q.z))}
}

// twice is the point where the tangent, whose slope is m/(2yz), leads to.
func (curve *CurveParams) twice(p jacobian) jacobian {
	z2 := curve.mul(p.z, p.z)
	m := curve.mul(curve.sub(p.x, z2), curve.add(p.x, z2))
	m = curve.mul(m, big.NewInt(3))
	y2 := curve.mul(p.y, p.y)
	s := curve.mul(curve.mul(p.x, y2), big.NewInt(4))
	x := curve.sub(curve.mul(m, m), curve.add(s, s))
	y4 := curve.mul(curve.mul(y2, y2), big.NewInt(8))
	y := curve.sub(curve.mul(m, curve.sub(s, x)), y4)
	yz := curve.mul(p.y, p.z)
	return jacobian{x, y, curve.add(yz, yz)}
}

func (curve *CurveParams) Add(x1, y1, x2, y2 *big.Int) (*big.Int, *big.Int) {
	if own := curve.own(); own != nil {
		return own.Add(x1, y1, x2, y2)
	}
	mustBeOnCurve(curve, x1, y1)
	mustBeOnCurve(curve, x2, y2)
	return curve.leave(curve.plus(enter(x1, y1), enter(x2, y2)))
}

func (curve *CurveParams) Double(x1, y1 *big.Int) (*big.Int, *big.Int) {
	if own := curve.own(); own != nil {
		return own.Double(x1, y1)
	}
	mustBeOnCurve(curve, x1, y1)
	return curve.leave(curve.twice(enter(x1, y1)))
}

func (curve *CurveParams) ScalarMult(x1, y1 *big.Int, k []byte) (*big.Int, *big.Int) {
	if own := curve.own(); own != nil {
		return own.ScalarMult(x1, y1, k)
	}
	mustBeOnCurve(curve, x1, y1)
	point := jacobian{x1, y1, big.NewInt(1)}
	sum := jacobian{new(big.Int), new(big.Int), new(big.Int)}
	for _, b := range k {
		for bit := 7; bit >= 0; bit-- {
			sum = curve.twice(sum)
			if b>>bit&1 == 1 {
				sum = curve.plus(point, sum)
			}
		}
	}
	return curve.leave(sum)
}

func (curve *CurveParams) ScalarBaseMult(k []byte) (*big.Int, *big.Int) {
	if own := curve.own(); own != nil {
		return own.ScalarBaseMult(k)
	}
	return curve.ScalarMult(curve.Gx, curve.Gy, k)
}
