package main

import "io"

type I interface {
	M(int) string
	N()
}
type A struct{}
type B struct{}
type C struct{}
type D struct{ A }
type E struct {
	A
	B
}
type F struct{ M int }
type G struct{ *C }
type H int

func (A) M(int) string    { return "" }
func (A) N()              {}
func (B) M(string) string { return "" }
func (B) N()              {}
func (*C) M(int) string   { return "" }
func (*C) N()             {}
func (H) m(int) string    { return "" }
func (H) N()              {}

var (
	_ I = A{}
	_ I = &A{}
	_ I = B{}
	_ I = C{}
	_ I = &C{}
	_ I = D{}
	_ I = E{}
	_ I = F{}
	_ I = G{}
	_ I = H(1)
	_ I = nil
	_ I = 1
	_ I = "a"
	_ I = new(I)
	_ I = io.Reader(nil)
	_ *I = new(A)
	_ A = I(nil)
	_ io.Reader = io.ReadWriter(nil)
	_ io.ReadWriter = io.Reader(nil)
	_ error = A{}
	_ any = A{}
	_ interface{ N() } = I(nil)
	_ []I = []A{}
	_ func() I = func() A { return A{} }
	_ map[string]I = map[string]A{}
	_ chan I = make(chan A)
)

type M1 int
type M2 = int
type S1 struct{ a int }
type S2 struct{ a int }
type S3 struct {
	a int "tag"
}

func main() {
	var i int
	var m M1
	var f float64
	var s string
	var b []byte
	var s1 S1
	var s2 S2
	var s3 S3
	var p *int
	i = m
	i = M2(1)
	m = 1
	_ = int(m)
	_ = M1(f)
	_ = string(i)
	_ = string(f)
	_ = []byte(s)
	_ = []byte(i)
	_ = []rune(b)
	_ = string(b)
	_ = int(s)
	_ = float64(s)
	_ = bool(i)
	_ = S1(s2)
	_ = S1(s3)
	_ = *(*S1)(&s2)
	s1 = s2
	s1 = struct{ a int }{}
	s1 = S1(i)
	_ = *int(p)
	_ = (*int)(p)
	_ = (*float64)(p)
	_ = I(A{})
	_ = I(B{})
	_ = A(I(nil))
	_ = func()(main)
	_ = [3]int([]int{})
	_ = (*[3]int)([]int{})
	_ = [3]string([]int{})
	_ = int8(300)
	_ = uint(-1)
	_ = int(1.5)
	_ = float32(1e100)
	_ = string(-1)
	_ = []int(nil)
	_ = int(nil)
	_ = int()
	_ = int(1, 2)
	_ = int([]int{1}...)
	_ = chan int(make(chan<- int))
	_ = (<-chan int)(make(chan int))
	_ = complex128(f)
	_ = any(nil)
	_ = error(1)
	var e E
	e.M(1)
	e.N()
	e.A.N()
	var g G
	g.M(1)
	g.C.M(1)
	D{}.M(1)
	D.M(D{}, 1)
	I.M(A{}, 1)
	(*I).M(nil, 1)
	E.M(e, 1)
	_ = A.X
	_ = F.M
	_ = s1.b
	_ = s1.A
	_ = p.x
	_ = main.x
	_ = io.EOF.x
	_ = s.len
	_ = b.x
	_ = s1.a.b
	_ = i.(int)
}
