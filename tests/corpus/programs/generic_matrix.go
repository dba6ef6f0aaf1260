// run

// Matrices over any ring: integers, fractions, residues, polynomials, with tests by package quick.
package main

import (
	"errors"
	"fmt"
	"math/big"
	"strings"
	"testing/quick"
)

type Ring[T any] interface {
	Add(T) T
	Mul(T) T
	Neg() T
	IsZero() bool
	fmt.Stringer
}

type Field[T any] interface {
	Ring[T]
	Inv() (T, error)
}

type Int int64

func (a Int) Add(b Int) Int  { return a + b }
func (a Int) Mul(b Int) Int  { return a * b }
func (a Int) Neg() Int       { return -a }
func (a Int) IsZero() bool   { return a == 0 }
func (a Int) String() string { return fmt.Sprint(int64(a)) }

type Rat struct{ r *big.Rat }

func Q(a, b int64) Rat { return Rat{big.NewRat(a, b)} }
func (a Rat) val() *big.Rat {
	if a.r == nil {
		return new(big.Rat)
	}
	return a.r
}
func (a Rat) Add(b Rat) Rat  { return Rat{new(big.Rat).Add(a.val(), b.val())} }
func (a Rat) Mul(b Rat) Rat  { return Rat{new(big.Rat).Mul(a.val(), b.val())} }
func (a Rat) Neg() Rat       { return Rat{new(big.Rat).Neg(a.val())} }
func (a Rat) IsZero() bool   { return a.val().Sign() == 0 }
func (a Rat) String() string { return a.val().RatString() }

var errNoInverse = errors.New("no inverse")

func (a Rat) Inv() (Rat, error) {
	if a.IsZero() {
		return a, errNoInverse
	}
	return Rat{new(big.Rat).Inv(a.val())}, nil
}

type Mod7 uint8

func (a Mod7) Add(b Mod7) Mod7 { return (a + b) % 7 }
func (a Mod7) Mul(b Mod7) Mod7 { return a * b % 7 }
func (a Mod7) Neg() Mod7       { return (7 - a) % 7 }
func (a Mod7) IsZero() bool    { return a == 0 }
func (a Mod7) String() string  { return fmt.Sprintf("%d'", uint8(a)) }
func (a Mod7) Inv() (Mod7, error) {
	for b := Mod7(1); b < 7; b++ {
		if a*b%7 == 1 {
			return b, nil
		}
	}
	return 0, errNoInverse
}

type Poly[T Ring[T]] struct{ c []T }

func P[T Ring[T]](c ...T) Poly[T] {
	for len(c) > 0 && c[len(c)-1].IsZero() {
		c = c[:len(c)-1]
	}
	return Poly[T]{c}
}
func (p Poly[T]) Add(q Poly[T]) Poly[T] {
	out := make([]T, max(len(p.c), len(q.c)))
	for i := range out {
		if i < len(p.c) {
			out[i] = out[i].Add(p.c[i])
		}
		if i < len(q.c) {
			out[i] = out[i].Add(q.c[i])
		}
	}
	return P(out...)
}
func (p Poly[T]) Mul(q Poly[T]) Poly[T] {
	if len(p.c) == 0 || len(q.c) == 0 {
		return Poly[T]{}
	}
	out := make([]T, len(p.c)+len(q.c)-1)
	for i, a := range p.c {
		for j, b := range q.c {
			out[i+j] = out[i+j].Add(a.Mul(b))
		}
	}
	return P(out...)
}
func (p Poly[T]) Neg() Poly[T] {
	out := make([]T, len(p.c))
	for i, a := range p.c {
		out[i] = a.Neg()
	}
	return Poly[T]{out}
}
func (p Poly[T]) IsZero() bool { return len(p.c) == 0 }
func (p Poly[T]) String() string {
	if p.IsZero() {
		return "0"
	}
	var parts []string
	for i := len(p.c) - 1; i >= 0; i-- {
		if p.c[i].IsZero() {
			continue
		}
		parts = append(parts, strings.TrimSuffix(fmt.Sprintf("%vx^%d", p.c[i], i), "x^0"))
	}
	return strings.Join(parts, "+")
}

type Matrix[T Ring[T]] [][]T

func (m Matrix[T]) Mul(n Matrix[T]) Matrix[T] {
	out := make(Matrix[T], len(m))
	for i := range m {
		out[i] = make([]T, len(n[0]))
		for j := range n[0] {
			for k := range n {
				out[i][j] = out[i][j].Add(m[i][k].Mul(n[k][j]))
			}
		}
	}
	return out
}

func (m Matrix[T]) Minor(r, c int) Matrix[T] {
	var out Matrix[T]
	for i, row := range m {
		if i != r {
			out = append(out, append(append([]T{}, row[:c]...), row[c+1:]...))
		}
	}
	return out
}

func (m Matrix[T]) Det() (d T) {
	if len(m) == 1 {
		return m[0][0]
	}
	for j, x := range m[0] {
		t := x.Mul(m.Minor(0, j).Det())
		if j%2 == 1 {
			t = t.Neg()
		}
		d = d.Add(t)
	}
	return d
}

func Inverse[T Field[T]](m Matrix[T], one T) (Matrix[T], error) {
	n := len(m)
	a := make(Matrix[T], n)
	for i := range m {
		a[i] = make([]T, 2*n)
		copy(a[i], m[i])
		a[i][n+i] = one
	}
	for c := range n {
		p := c
		for p < n && a[p][c].IsZero() {
			p++
		}
		if p == n {
			return nil, fmt.Errorf("column %d: %w", c, errNoInverse)
		}
		a[c], a[p] = a[p], a[c]
		inv, err := a[c][c].Inv()
		if err != nil {
			return nil, err
		}
		for k := range a[c] {
			a[c][k] = a[c][k].Mul(inv)
		}
		for r := range n {
			if f := a[r][c]; r != c && !f.IsZero() {
				for k := range a[r] {
					a[r][k] = a[r][k].Add(a[c][k].Mul(f).Neg())
				}
			}
		}
	}
	for i := range a {
		a[i] = a[i][n:]
	}
	return a, nil
}

func Power[T any](x, one T, n uint, mul func(a, b T) T) T {
	r := one
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			r = mul(r, x)
		}
		x = mul(x, x)
	}
	return r
}

func main() {
	fib := Power(Matrix[Int]{{1, 1}, {1, 0}}, Matrix[Int]{{1, 0}, {0, 1}}, 90, Matrix[Int].Mul)
	fmt.Println(fib, fib.Det())
	h := Matrix[Rat]{}
	for i := range int64(4) {
		row := []Rat{}
		for j := range int64(4) {
			row = append(row, Q(1, i+j+1))
		}
		h = append(h, row)
	}
	inv, err := Inverse(h, Q(1, 1))
	fmt.Println(h.Det(), inv, err)
	fmt.Println(h.Mul(inv))
	m7 := Matrix[Mod7]{{2, 5, 1}, {0, 3, 6}, {4, 1, 1}}
	inv7, err := Inverse(m7, 1)
	fmt.Println(m7.Det(), inv7, err, m7.Mul(inv7))
	_, err = Inverse(Matrix[Mod7]{{1, 2}, {3, 6}}, 1)
	fmt.Println(err, errors.Is(err, errNoInverse))
	x := P[Int](0, 1)
	fmt.Println(Power(x.Add(P[Int](1)), P[Int](1), 6, Poly[Int].Mul))
	char := Matrix[Poly[Int]]{{P[Int](2).Add(x.Neg()), P[Int](1)}, {P[Int](1), P[Int](3).Add(x.Neg())}}
	fmt.Println(char.Det(), char)
	pp := P(P[Mod7](1, 2), P[Mod7](0, 3))
	fmt.Println(pp.Mul(pp), P(Q(1, 2), Q(-3, 4)).Mul(P(Q(2, 1), Q(4, 3))))

	distributes := func(a, b, c []int8) bool {
		mk := func(s []int8) Poly[Int] {
			var out []Int
			for _, v := range s {
				out = append(out, Int(v))
			}
			return P(out...)
		}
		p, q, r := mk(a), mk(b), mk(c)
		return p.Mul(q.Add(r)).String() == p.Mul(q).Add(p.Mul(r)).String()
	}
	fmt.Println(quick.Check(distributes, &quick.Config{MaxCount: 50}))
	multiplicative := func(a, b [9]int8) bool {
		mk := func(v [9]int8) Matrix[Int] {
			m := make(Matrix[Int], 3)
			for i, x := range v {
				m[i/3] = append(m[i/3], Int(x))
			}
			return m
		}
		m, n := mk(a), mk(b)
		return m.Mul(n).Det() == m.Det()*n.Det()
	}
	fmt.Println(quick.Check(multiplicative, nil))
}
