package main

import "fmt"

// Formulas as trees behind an interface: evaluated by a method, derived and simplified
// by type switches, printed, and walked by a visitor.

type expr interface {
	eval(x float64) float64
	String() string
}

type (
	number   float64
	variable struct{}
	sum      struct{ a, b expr }
	product  struct{ a, b expr }
	power    struct {
		base expr
		n    int
	}
)

func (n number) eval(float64) float64     { return float64(n) }
func (variable) eval(x float64) float64   { return x }
func (s *sum) eval(x float64) float64     { return s.a.eval(x) + s.b.eval(x) }
func (p *product) eval(x float64) float64 { return p.a.eval(x) * p.b.eval(x) }
func (p *power) eval(x float64) float64 {
	b, v := p.base.eval(x), 1.0
	for i := 0; i < p.n; i++ {
		v *= b
	}
	return v
}

func (n number) String() string   { return fmt.Sprint(float64(n)) }
func (variable) String() string   { return "x" }
func (s *sum) String() string     { return "(" + s.a.String() + " + " + s.b.String() + ")" }
func (p *product) String() string { return p.a.String() + "*" + p.b.String() }
func (p *power) String() string   { return fmt.Sprintf("%v^%d", p.base, p.n) }

func derive(e expr) expr {
	switch e := e.(type) {
	case number:
		return number(0)
	case variable:
		return number(1)
	case *sum:
		return &sum{derive(e.a), derive(e.b)}
	case *product:
		return &sum{&product{derive(e.a), e.b}, &product{e.a, derive(e.b)}}
	case *power:
		return &product{&product{number(e.n), &power{e.base, e.n - 1}}, derive(e.base)}
	}
	panic("unknown expression")
}

func simplify(e expr) expr {
	switch e := e.(type) {
	case *sum:
		a, b := simplify(e.a), simplify(e.b)
		if a == number(0) {
			return b
		}
		if b == number(0) {
			return a
		}
		return &sum{a, b}
	case *product:
		a, b := simplify(e.a), simplify(e.b)
		if a == number(0) || b == number(0) {
			return number(0)
		}
		if a == number(1) {
			return b
		}
		if b == number(1) {
			return a
		}
		return &product{a, b}
	case *power:
		switch e.n {
		case 0:
			return number(1)
		case 1:
			return simplify(e.base)
		}
		return &power{simplify(e.base), e.n}
	}
	return e
}

func walk(e expr, visit func(expr)) {
	visit(e)
	switch e := e.(type) {
	case *sum:
		walk(e.a, visit)
		walk(e.b, visit)
	case *product:
		walk(e.a, visit)
		walk(e.b, visit)
	case *power:
		walk(e.base, visit)
	}
}

func main() {
	inner := &sum{&product{number(3), &power{variable{}, 2}}, &sum{variable{}, number(-2)}}
	f := expr(&product{&power{inner, 3}, &sum{&power{variable{}, 4}, number(7)}})
	fmt.Println(f)
	for order := 1; order <= 5; order++ {
		f = simplify(derive(f))
		kinds, area := map[string]int{}, 0.0
		walk(f, func(e expr) { kinds[fmt.Sprintf("%T", e)]++ })
		for i := 0; i < 60000/(order*order); i++ {
			area += f.eval(float64(i%100)/64-0.5) / 1000
		}
		fmt.Printf("%d: %v %.6g %d\n", order, kinds, area, len(f.String()))
	}
}
