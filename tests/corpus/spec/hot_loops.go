// run

// Loops that run long enough to become code of the machine, and what can happen in their midst: calls, panics that are recovered from, jumps
// into and out of loops, values of each kind that live across them, slices that grow, closures, defers.
package main

import (
	"fmt"
	"math"
	"strings"
)

type point struct {
	x, y  float64
	n     int32
	next  *point
	parts [3]int16
}

//go:noinline
func plain(n int) (s int) {
	for i := 0; i < n; i++ {
		s = s*31 + i ^ s>>7
	}
	return
}

//go:noinline
func nested(n int) (int, float64) {
	s, f := 0, 1.5
	for i := 0; i < n; i++ {
		for j := i; j < n; j += 3 {
			s += i * j
			for k := 0; k < 4; k++ {
				f = f*0.99 + float64(k-j)
				if k == 2 && j&7 == 5 {
					s--
					continue
				}
			}
			if s%1000 == 999 {
				break
			}
		}
		if f > 1e12 {
			f = -f / 2
		}
	}
	return s, f
}

// More values live here than there are registers.
//
//go:noinline
func many(n int) [20]int {
	a, b, c, d, e, f, g, h, i, j := 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
	k, l, m, o, p, q, r, s, t, u := 11, 12, 13, 14, 15, 16, 17, 18, 19, 20
	for x := range n {
		a, b, c, d, e = b+x, c^a, d-b, e+c, a|d
		f, g, h, i, j = g*3, h&0xffff, i+f, j-g, f%1001
		k, l, m, o, p = l+a, m+b, o+c, p^d, k-e
		q, r, s, t, u = r+f, s&^g, t|h&0xff, u+i, q^j&0xfff
	}
	return [20]int{a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q, r, s, t, u}
}

//go:noinline
func narrow(n int) (int8, uint8, int16, uint16, int32, uint32, uint64) {
	var a int8 = 1
	var b uint8 = 2
	var c int16 = 3
	var d uint16 = 4
	var e int32 = 5
	var f uint32 = 6
	var g uint64 = 7
	for i := range n {
		a = a*3 + int8(i)
		b = b<<1 ^ uint8(i)
		c = c*5 - int16(a)
		d += uint16(b) >> 1
		e = e*7 ^ int32(c)
		f = f<<3 | f>>29
		g = g*0x9e3779b97f4a7c15 + uint64(f)
		if g%7 == 3 {
			a, b, c, d = -a, ^b, -c, d/3
			e /= 3
			f %= 1 << 20
			g /= 10
		}
	}
	return a, b, c, d, e, f, g
}

//go:noinline
func floats(n int) (float32, float64, int) {
	var f float32 = 0.5
	g, nan, below := 2.0, math.NaN(), 0
	for i := range n {
		f = f*1.0001 + float32(i)/3
		g = math.Sqrt(g*g+1) - math.Abs(-0.25)
		if g < float64(f) {
			below++
		}
		if nan == nan || nan < g || !(nan != nan) {
			below = -1
		}
		if !(g < nan) {
			below += 2
		}
		if i%100 == 50 {
			f, g = float32(g), float64(f)
		}
	}
	return f, g, below
}

//go:noinline
func leaf(x int) int { return x*3 + 1 }

//go:noinline
func calls(n int, f func(int) int) (s int) {
	for i := range n {
		s += leaf(i)
		if i&3 == 0 {
			s ^= f(s)
		}
	}
	return
}

//go:noinline
func guarded(xs []int, i int) (v int, err any) {
	defer func() { err = recover() }()
	for k := range xs {
		v += xs[k] + xs[(k+i)%(len(xs)+i/1000)]
	}
	return v, nil
}

//go:noinline
func elements(ps []point, n int) (s int) {
	var local [8]uint16
	for i := range n {
		p := &ps[i%len(ps)]
		p.x += float64(i)
		p.y *= 1.5
		p.n++
		p.parts[i%3] += int16(i)
		local[i&7] += uint16(p.parts[(i+1)%3])
		if p.next != nil {
			p.next.n += p.n & 3
		}
		if p.y > 1e6 {
			p.y = 1
		}
		q := ps[(i+1)%len(ps)]
		s += int(q.n) + int(local[(i+3)&7])
	}
	return
}

//go:noinline
func grows(n int) (int, string, map[int]string) {
	var xs []int
	var b strings.Builder
	m := map[int]string{}
	for i := range n {
		xs = append(xs, i*i)
		if i%10 == 0 {
			m[i%70] += string(rune('a' + i%26))
			b.WriteByte("xyz"[i%3])
		}
		for _, r := range "aé日" {
			xs[len(xs)-1] += int(r)
		}
	}
	s := 0
	for _, x := range xs {
		s += x
	}
	return s, b.String(), m
}

type shape interface{ area(int) int }
type square int
type oblong struct{ a, b int }

func (s square) area(k int) int  { return int(s)*int(s) + k }
func (o *oblong) area(k int) int { o.a++; return o.a*o.b - k }

//go:noinline
func methods(shapes []shape, n int) (s int) {
	for i := range n {
		sh := shapes[i%len(shapes)]
		s += sh.area(i)
		switch v := sh.(type) {
		case square:
			s -= int(v)
		case *oblong:
			s += v.b
		}
		if i%64 == 0 {
			func() {
				defer func() { s++ }()
				if sh == shapes[0] {
					s += 2
				}
			}()
		}
	}
	return
}

//go:noinline
func jumps(n int) (s int) {
	i := 0
	if n&1 == 1 {
		goto middle
	}
top:
	s += i
	if s&15 == 7 {
		i += 2
		goto top
	}
middle:
	s ^= i << 1
	i++
	if i < n {
		goto top
	}
	return
}

// The counter is left at its last value, and the limit changes meanwhile.
//
//go:noinline
func limits(n int) (s int) {
	var i int
	for i = 0; i < n; i++ {
		if i == 500 {
			n -= 100
		}
		s += n - i
	}
	return s*1000 + i
}

//go:noinline
func deep(n int) int {
	if n == 0 {
		return 0
	}
	s := 0
	for i := range 3 {
		s += i * n
	}
	return deep(n-1) + s
}

func main() {
	const n = 3000
	fmt.Println(plain(n))
	fmt.Println(nested(120))
	fmt.Println(many(n))
	fmt.Println(narrow(n))
	fmt.Println(floats(n))
	k := 5
	fmt.Println(calls(n, func(x int) int { k++; return x ^ k }))
	xs := make([]int, 2000)
	for i := range xs {
		xs[i] = i * 7
	}
	for _, i := range []int{3, 1000, 2000, 2} {
		fmt.Println(guarded(xs, i))
	}
	ps := make([]point, 7)
	for i := range ps {
		ps[i].y = float64(i)
		if i > 0 {
			ps[i].next = &ps[i-1]
		}
	}
	fmt.Println(elements(ps, n), ps[3].x, ps[3].y, ps[3].n, ps[3].parts)
	s, text, m := grows(n)
	fmt.Println(s, len(text), text[:20], m)
	fmt.Println(methods([]shape{square(3), &oblong{2, 3}, square(5)}, n))
	fmt.Println(jumps(n), jumps(n+1))
	fmt.Println(limits(n))
	fmt.Println(deep(20000))
}
