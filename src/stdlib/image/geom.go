package image

import (
	"image/color"
	"math/bits"
	"strconv"
)

type Point struct{ X, Y int }

// ZP is the origin.
var ZP Point

func Pt(X, Y int) Point { return Point{X: X, Y: Y} }

func (p Point) In(r Rectangle) bool { return r.has(p.X, p.Y) }
func (p Point) Eq(q Point) bool     { return p == q }
func (p Point) Div(k int) Point     { return Pt(p.X/k, p.Y/k) }
func (p Point) Mul(k int) Point     { return Pt(p.X*k, p.Y*k) }
func (p Point) Sub(q Point) Point   { return Pt(p.X-q.X, p.Y-q.Y) }
func (p Point) Add(q Point) Point   { return Pt(p.X+q.X, p.Y+q.Y) }

// Mod moves p by whole sides of r until it is in there.
func (p Point) Mod(r Rectangle) Point {
	p = p.Sub(r.Min)
	return Point{wrap(p.X, r.Dx()), wrap(p.Y, r.Dy())}.Add(r.Min)
}

func (p Point) String() string {
	return "(" + strconv.Itoa(p.X) + "," + strconv.Itoa(p.Y) + ")"
}

func wrap(v, n int) int {
	if v %= n; v < 0 {
		v += n
	}
	return v
}

type Rectangle struct{ Min, Max Point }

// ZR has no points.
var ZR Rectangle

func (r Rectangle) Bounds() Rectangle       { return r }
func (r Rectangle) ColorModel() color.Model { return color.Alpha16Model }
func (r Rectangle) Size() Point             { return r.Max.Sub(r.Min) }
func (r Rectangle) Empty() bool             { return r.Max.X <= r.Min.X || r.Max.Y <= r.Min.Y }
func (r Rectangle) Eq(s Rectangle) bool     { return r == s || r.Empty() && s.Empty() }
func (r Rectangle) Dx() int                 { return r.Size().X }
func (r Rectangle) Dy() int                 { return r.Size().Y }
func (r Rectangle) Sub(p Point) Rectangle   { return Rectangle{r.Min.Sub(p), r.Max.Sub(p)} }
func (r Rectangle) Add(p Point) Rectangle   { return Rectangle{r.Min.Add(p), r.Max.Add(p)} }
func (r Rectangle) String() string          { return r.Min.String() + "-" + r.Max.String() }

func (r Rectangle) has(x, y int) bool {
	return x >= r.Min.X && y >= r.Min.Y && x < r.Max.X && y < r.Max.Y
}

// nearest and farthest are the corners that p and q have between them.
func nearest(p, q Point) Point  { return Pt(min(p.X, q.X), min(p.Y, q.Y)) }
func farthest(p, q Point) Point { return Pt(max(p.X, q.X), max(p.Y, q.Y)) }

func Rect(x0, y0, x1, y1 int) Rectangle {
	p, q := Pt(x0, y0), Pt(x1, y1)
	return Rectangle{nearest(p, q), farthest(p, q)}
}

// Inset moves the sides inwards, at most until they meet.
func (r Rectangle) Inset(n int) Rectangle {
	r.Min.X, r.Max.X = inset(r.Min.X, r.Max.X, n)
	r.Min.Y, r.Max.Y = inset(r.Min.Y, r.Max.Y, n)
	return r
}

func inset(from, to, n int) (int, int) {
	if to-from < 2*n {
		middle := (from + to) / 2
		return middle, middle
	}
	return from + n, to - n
}

func (r Rectangle) Intersect(s Rectangle) (both Rectangle) {
	inner := Rectangle{farthest(r.Min, s.Min), nearest(r.Max, s.Max)}
	if !inner.Empty() {
		both = inner
	}
	return both
}

func (r Rectangle) Union(s Rectangle) Rectangle {
	switch {
	case s.Empty() && !r.Empty():
		return r
	case r.Empty():
		return s
	}
	return Rectangle{nearest(r.Min, s.Min), farthest(r.Max, s.Max)}
}

func (r Rectangle) Overlaps(s Rectangle) bool { return !r.Intersect(s).Empty() }

func (r Rectangle) In(s Rectangle) bool { return r.Empty() || r.Intersect(s) == r }

func (r Rectangle) Canon() Rectangle {
	return Rectangle{nearest(r.Min, r.Max), farthest(r.Min, r.Max)}
}

func (r Rectangle) RGBA64At(x, y int) color.RGBA64 {
	if !r.has(x, y) {
		return color.RGBA64{}
	}
	const full = 0xffff
	return color.RGBA64{full, full, full, full}
}

func (r Rectangle) At(x, y int) color.Color {
	if r.has(x, y) {
		return color.Opaque
	}
	return color.Transparent
}

// product is the product of sizes, −1 if one is negative or it is too large.
func product(sizes ...int) int {
	p := uint64(1)
	for _, n := range sizes {
		if n < 0 {
			return -1
		}
		var over uint64
		if over, p = bits.Mul64(p, uint64(n)); over != 0 {
			return -1
		}
	}
	return max(int(p), -1)
}
