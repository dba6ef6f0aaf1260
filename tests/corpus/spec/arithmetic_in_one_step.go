// run

// What an interpreter may do in one instruction must be what its parts do, one after the other: rotations, division by powers of two,
// products that are added, elements of elements, exchanges, and where each of them panics.
package main

import (
	"fmt"
	"math"
	"math/bits"
	"sync"
)

func rotations(x uint32, y uint64, z uint16, w int32) {
	fmt.Println(x<<7|x>>25, x>>7|x<<25, x<<7^x>>25, x<<7+x>>25, x<<7|x>>24, x<<7&(x>>25), x>>25|y32(y)<<7)
	fmt.Println(y<<13|y>>51, y>>13|y<<51, y<<13|y>>50, y>>63|y<<1, y<<64|y>>0)
	fmt.Println(z<<3|z>>13, w<<3|w>>29, uint8(z)<<3|uint8(z)>>5)
	s := []uint32{x, x + 1}
	fmt.Println(s[0]<<9|s[1]>>23, s[0]<<9|s[0]>>23, bits.RotateLeft32(s[1], -3), bits.RotateLeft64(y, 70))
	t := x << 5
	t |= x >> 27
	u := x << 5
	v := u | x>>27
	fmt.Println(t, u, v)
}

func y32(y uint64) uint32 { return uint32(y) }

func quotients(xs ...int) {
	for _, x := range xs {
		fmt.Print(x/2, " ", x%2, " ", x/8, " ", x%8, " ", x/(1<<40), " ", x%(1<<40), " ", x/(1<<62), " ", x%(1<<62), " ", x/1, " ", x%1, " ")
		a, b, c := int8(x), int16(x), int32(x)
		fmt.Println(a/4, a%4, a/64, a%64, b/1024, b%1024, c/(1<<30), c%(1<<30), -x/16, uint(x)/16, uint(x)%16)
		x /= 4
		a %= 8
		fmt.Println(x, a, (x+a2(a))/2)
	}
}

func a2(a int8) int { return int(a) * 2 }

// The least integer has no opposite, and that of -32768 is wider than it.
func differences(p *struct{ n int }, s []int, local int) {
	p.n -= math.MinInt64
	s[1] -= math.MinInt64
	local -= math.MinInt64
	fmt.Println(*p, s, local, local-math.MinInt64)
	p.n -= -32768
	s[1] -= -32768
	local -= 32768
	fmt.Println(*p, s, local, local-32768)
}

type point struct {
	x, y float64
	n, m int
	next *point
}

func (p *point) dot(q *point) float64 { return p.x*q.x + p.y*q.y }
func (p *point) count() int           { return p.n }

func products(p, q *point, fs []float64, ns []int) {
	a, b := 0.1, 0.7
	fmt.Println(a*b+0.3, 0.3+a*b, a+a*b, a*b+a*b, a*b-a, a-a*b, a*b*a+b, float64(a*b)+b, a*a+b*b+a*b)
	fmt.Println(p.dot(q), p.x+q.y, p.x-q.y, q.y-p.x, p.x*q.y, p.x/q.y, a-p.x, p.x-a, p.x*a, a*p.x, a+p.x*p.y)
	fmt.Println(fs[0]+fs[1], fs[0]*fs[1], fs[0]-fs[1], a*fs[2], fs[2]*a, a+fs[1]*fs[2], fs[0]*a+fs[1]*b)
	fmt.Println(p.n+q.n, p.n-q.n, p.n+1, 1+p.n, p.count()+q.count(), ns[0]+ns[1], ns[0]-ns[1], ns[2]+p.n, p.n+ns[2], p.n+p.next.n)
	s, t := 0.0, 0
	for i := range fs {
		s += fs[i] * p.x
		s += fs[i]
		s *= fs[i]
		s -= fs[i] * b
		t += ns[i]
		t += ns[i] + p.n
		t += p.n * ns[i]
		p.n += ns[i]
		p.x += fs[i] * a
		p.y *= fs[i]
		fs[i] += a * b
		ns[i] *= ns[i] + t
	}
	fmt.Println(s, t, p.x, p.y, p.n, p.m, fs, ns)
	inf := math.Inf(1)
	fmt.Println(inf*0+1, -inf+inf*a, a*math.MaxFloat64+-inf)
}

type grid [][]float64

func squares(g grid, h [][]byte, bs [][]bool, ps [][]*point) {
	i, j := 1, 2
	fmt.Println(g[0][1], g[i][j], g[i][j-1], g[i][0]*g[0][i]+g[i][i], h[i][0], h[0][i], bs[0][i], ps[0][0] == ps[0][1])
	g[i][j], g[0][0] = g[0][0], g[i][j]
	g[i][i], h[i][0] = g[i][i-1]+g[0][i], h[0][i]
	fmt.Println(g, h)
}

func exchanges(s []int, t [3]int, p *point) {
	i, j := 0, 2
	s[i], s[j] = s[j], s[i]
	i, s[i] = 1, 7
	s[i], i = 8, 2
	fmt.Println(s, i)
	t[i], t[0], i = t[0], t[i], t[1]
	fmt.Println(t, i)
	r := s
	s, s[1] = s[1:], 9
	fmt.Println(s, r)
	s[0], s = 5, nil
	fmt.Println(s, r)
	q := p
	p.n, p.m, p = p.m, p.n, p.next
	p, p.n = q, 77
	fmt.Println(p.n, p.m, p.next.n)
	ss := [][]int{{1, 2}, {3, 4}}
	ss[0][1], ss[1], ss[0] = ss[1][0], ss[0], ss[1]
	fmt.Println(ss)
	a := [2][]int{{1}, {2}}
	a[0], a[0][0], a[1] = a[1], 5, a[0]
	fmt.Println(a)
}

func try(name string, f func() any) {
	defer func() { fmt.Println(name, recover()) }()
	fmt.Println(name, f())
}

func main() {
	rotations(0xdeadbeef, 0x0123456789abcdef, 0x9abc, -0x7654321)
	quotients(0, 1, -1, 7, -7, 8, -8, 100, -100, math.MaxInt64, math.MinInt64, math.MinInt64+1, 1<<40, -1<<40, 1<<40+3)
	p := &point{1.5, 2.25, 3, 4, &point{n: 10}}
	products(p, &point{0.3, 0.6, 5, 6, nil}, []float64{0.1, 0.2, 0.3}, []int{4, 5, 6})
	squares(grid{{1, 2, 3}, {4, 5, 6}}, [][]byte{{1, 2}, {3}}, [][]bool{{false, true}}, [][]*point{{p, p}})
	exchanges([]int{1, 2, 3}, [3]int{4, 5, 6}, p)
	differences(&struct{ n int }{-1}, []int{1, 2}, 3)
	var mu sync.Mutex
	mu.Lock()
	fmt.Println(mu.TryLock())
	mu.Unlock()
	fmt.Println(mu.TryLock())
	one, three, none := 1, 3, (*point)(nil)
	g, fs := grid{{1}, {2}}, []float64{1}
	try("outer", func() any { return g[three][one] })
	try("inner", func() any { return g[one][one] })
	try("negative", func() any { return g[-one][one] })
	try("nil row", func() any { return grid{nil}[one-1][one-1] })
	try("element", func() any { return 2 * fs[one] })
	try("sum", func() any { return fs[0] + fs[three] })
	try("field", func() any { return fs[0] * none.x })
	try("count", func() any { return one + none.count() })
	try("dot", func() any { return none.dot(p) })
	try("mutex", func() any { var mu *sync.Mutex; mu.Lock(); return 0 })
}
