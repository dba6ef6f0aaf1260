package main

type A A
type B struct{ b B }
type C [2]C
type D E
type E D
type F interface{ F }
type G = G
type H = I
type I = H
type J struct{ k K }
type K struct{ j J }
type L *L
type M []M
type N map[string]N
type O func(O) O
type P struct {
	x int
	x string
	P2
	*P2
}
type P2 struct{}
type Q interface {
	m()
	m()
	int
}
type R struct{ m int }

func (R) m()  {}
func (R) n()  {}
func (R) n()  {}
func (*R) o() {}
func (S) p()  {}
func (int) q() {}
func (*L) r() {}
func (Q) s()  {}
func (a R) t(a int) {}
func (R) u() (u int, u string) { return }
func (**R) v() {}
func ([]int) w() {}
func (R) _() {}
func (R) _() {}

type T [n]int
type U [-1]int
type V ["a"]int
type W [1.5]int
type X [1 << 62]int
type Y [len(T{})]int
type Z map[[]int]int
type AA map[func()]int
type AB map[struct{ f []int }]int
type AC map[any]int
type AD chan AD
type AE struct {
	*int
	AC
	*AC
}

var n = 3
var dup = 1
var dup = 2

func dup() {}

const dup = 3

var a1 = b1
var b1 = c1()

func c1() int { return a1 }

var d1 = func() int { return d1 }()
var e1, f1 = f1, e1
var g1 int = len(h1)
var h1 [g2]int

const g2 = len(h2)

var h2 [g2]int

func f(x int, x string) {}
func g(int, _ string)   {}

var undefinedType Nope
var notType n
var notPkg fmt.Stringer

func main() {
	type L1 L1
	type L2 struct{ l L2 }
	type L3 struct{ l *L3 }
	var v1 v1
	var v2 = v2
	const c = c
	x, x := 1, 2
	var y, y int
	_ = x
	var main = 1
	_ = main
	var int = 5
	var z int
	type t struct {
		a, b, a bool
	}
}

func init() {}
func init() {}

var init = 1
var main = 2
