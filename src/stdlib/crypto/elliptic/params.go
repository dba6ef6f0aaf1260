// Curves that a program describes. Whoever has no arithmetic of its own gets that of plainCurve:
// points under way have Jacobi's coordinates, where (x, y, z) is (x/z², y/z³), and infinity has z = 0.

package elliptic

import "math/big"

// CurveParams describe a curve y² = x³ − 3x + b, and are one.
type CurveParams struct {
	P       *big.Int
	N       *big.Int
	B       *big.Int
	Gx, Gy  *big.Int
	BitSize int
	Name    string
}

func (curve *CurveParams) Params() *CurveParams { return curve }

// arithmetic is the NIST curve with these very parameters, which knows better, or the plain one.
func (curve *CurveParams) arithmetic() Curve {
	for _, c := range []*nistCurve{p224(), p256(), p384(), p521()} {
		if c.params == curve {
			return c
		}
	}
	return (*plainCurve)(curve)
}

func (curve *CurveParams) IsOnCurve(x, y *big.Int) bool {
	return curve.arithmetic().IsOnCurve(x, y)
}

func (curve *CurveParams) Add(x1, y1, x2, y2 *big.Int) (*big.Int, *big.Int) {
	return curve.arithmetic().Add(x1, y1, x2, y2)
}

func (curve *CurveParams) Double(x1, y1 *big.Int) (*big.Int, *big.Int) {
	return curve.arithmetic().Double(x1, y1)
}

func (curve *CurveParams) ScalarMult(x1, y1 *big.Int, k []byte) (*big.Int, *big.Int) {
	return curve.arithmetic().ScalarMult(x1, y1, k)
}

func (curve *CurveParams) ScalarBaseMult(k []byte) (*big.Int, *big.Int) {
	return curve.arithmetic().ScalarBaseMult(k)
}

type plainCurve CurveParams

func (c *plainCurve) Params() *CurveParams { return (*CurveParams)(c) }

// mod reduces a number in its place.
func (c *plainCurve) mod(n *big.Int) *big.Int { return n.Mod(n, c.P) }

func (c *plainCurve) mul(a, b *big.Int) *big.Int { return c.mod(new(big.Int).Mul(a, b)) }
func (c *plainCurve) add(a, b *big.Int) *big.Int { return c.mod(new(big.Int).Add(a, b)) }
func (c *plainCurve) sub(a, b *big.Int) *big.Int { return c.mod(new(big.Int).Sub(a, b)) }

// square is y² for an x.
func (c *plainCurve) square(x *big.Int) *big.Int {
	slope := c.sub(c.mul(x, x), big.NewInt(3))
	return c.add(c.mul(slope, x), c.B)
}

// root is the y for an x that has the lowest bit, or nil.
func (c *plainCurve) root(x *big.Int, bit uint) *big.Int {
	y := new(big.Int).ModSqrt(c.square(x), c.P)
	if y != nil && y.Bit(0) != bit {
		c.mod(y.Neg(y))
	}
	return y
}

func (c *plainCurve) IsOnCurve(x, y *big.Int) bool {
	isReduced := func(n *big.Int) bool { return n.Sign() >= 0 && n.Cmp(c.P) < 0 }
	return isReduced(x) && isReduced(y) && c.mul(y, y).Cmp(c.square(x)) == 0
}

type jacobian struct{ x, y, z *big.Int }

func (p jacobian) isInfinity() bool { return p.z.Sign() == 0 }

func infinity() jacobian { return jacobian{new(big.Int), new(big.Int), new(big.Int)} }

// enter takes a point that must be one of the curve.
func (c *plainCurve) enter(x, y *big.Int) jacobian {
	mustBeOnCurve(c, x, y)
	if isInfinity(x, y) {
		return infinity()
	}
	return jacobian{x, y, big.NewInt(1)}
}

func (c *plainCurve) leave(p jacobian) (x, y *big.Int) {
	x, y = new(big.Int), new(big.Int)
	if !p.isInfinity() {
		u := y.ModInverse(p.z, c.P)
		u2 := c.mul(u, u)
		x, y = c.mul(p.x, u2), c.mul(c.mul(p.y, u), u2)
	}
	return x, y
}

// plus brings both points to the same denominators u/(z1·z2)² and s/(z1·z2)³.
func (c *plainCurve) plus(p, q jacobian) jacobian {
	if p.isInfinity() {
		return q
	}
	if q.isInfinity() {
		return p
	}
	pz2, qz2 := c.mul(p.z, p.z), c.mul(q.z, q.z)
	u1, u2 := c.mul(p.x, qz2), c.mul(q.x, pz2)
	s1 := c.mul(p.y, c.mul(qz2, q.z))
	s2 := c.mul(q.y, c.mul(pz2, p.z))
	h, r := c.sub(u2, u1), c.sub(s2, s1)
	if h.Sign() == 0 && r.Sign() == 0 {
		return c.twice(p)
	}
	h2 := c.mul(h, h)
	h3 := c.mul(h2, h)
	v := c.mul(u1, h2)
	x := c.sub(c.sub(c.mul(r, r), h3), c.add(v, v))
	y := c.sub(c.mul(r, c.sub(v, x)), c.mul(s1, h3))
	return jacobian{x, y, c.mul(h, c.mul(p.z, q.z))}
}

// twice is the point where the tangent, whose slope is m/(2yz), leads to.
func (c *plainCurve) twice(p jacobian) jacobian {
	double := func(n *big.Int) *big.Int { return c.add(n, n) }
	y2, z2 := c.mul(p.y, p.y), c.mul(p.z, p.z)
	m := c.mul(c.sub(p.x, z2), c.add(p.x, z2))
	m = c.add(m, double(m))
	s := double(double(c.mul(p.x, y2)))
	x := c.sub(c.mul(m, m), double(s))
	y4 := double(c.mul(y2, y2))
	y := c.sub(c.mul(m, c.sub(s, x)), double(double(y4)))
	return jacobian{x, y, double(c.mul(p.y, p.z))}
}

func (c *plainCurve) Add(x1, y1, x2, y2 *big.Int) (*big.Int, *big.Int) {
	p, q := c.enter(x1, y1), c.enter(x2, y2)
	return c.leave(c.plus(p, q))
}

func (c *plainCurve) Double(x, y *big.Int) (*big.Int, *big.Int) {
	return c.leave(c.twice(c.enter(x, y)))
}

// ScalarMult adds the point for each bit, the highest first, and doubles between.
func (c *plainCurve) ScalarMult(x, y *big.Int, k []byte) (*big.Int, *big.Int) {
	mustBeOnCurve(c, x, y)
	p, sum := jacobian{x, y, big.NewInt(1)}, infinity()
	for i := range 8 * len(k) {
		sum = c.twice(sum)
		if k[i/8]<<(i%8)&0x80 != 0 {
			sum = c.plus(p, sum)
		}
	}
	return c.leave(sum)
}

func (c *plainCurve) ScalarBaseMult(k []byte) (*big.Int, *big.Int) {
	return c.ScalarMult(c.Gx, c.Gy, k)
}
