package main

type S struct{ f []int }
type M map[string]int
type F func()
type I interface{ m() }
type N int

func main() {
	var (
		i  int
		u  uint
		f  float64
		c  complex128
		s  string
		b  bool
		p  *int
		sl []int
		m  M
		fn F
		st S
		ar [2]int
		as [2][]int
		ch chan int
		e  any
		in I
		n  N
	)
	_ = i + f
	_ = i + n
	_ = i + 1.5
	_ = i + 1.0
	_ = i + "a"
	_ = s + 1
	_ = s - s
	_ = b + b
	_ = b && i
	_ = !i
	_ = -s
	_ = ^f
	_ = +b
	_ = &1
	_ = &i
	_ = &i + 1
	_ = *i
	_ = *p
	_ = *nil
	_ = <-i
	_ = <-ch
	_ = i % f
	_ = f % f
	_ = c % c
	_ = c < c
	_ = i << f
	_ = i << s
	_ = f << 1
	_ = 1 << f
	_ = u << i
	_ = i & f
	_ = i &^ 1.5
	_ = i / 0
	_ = f / 0
	_ = i / 0.0
	_ = i == f
	_ = i == nil
	_ = p == nil
	_ = nil == nil
	_ = nil != p
	_ = sl == sl
	_ = sl == nil
	_ = m == m
	_ = fn == fn
	_ = fn == nil
	_ = st == st
	_ = ar == ar
	_ = as == as
	_ = ch == ch
	_ = e == i
	_ = e == sl
	_ = e == st
	_ = in == e
	_ = in == i
	_ = in == 1
	_ = e == 1
	_ = e < e
	_ = p < p
	_ = b < b
	_ = s < s
	_ = i == "a"
	_ = s == 'a'
	_ = p == 1
	_ = b == 1
	_ = 1 == 1.5
	_ = "a" == 1
	_ = i || b
	_ = i == i == b
	_ = i == i == i
	_ = (i == i) + 1
	i += f
	i += 1.5
	s += 'a'
	i++
	b++
	s--
	f++
	p++
	_ = struct{}{} == struct{ a int }{}
	_ = func() {} == nil
	_ = [...]int{1} == [...]int{1, 2}
	_ = ~i
	_ = i == int
	_ = main + main
	_ = len == nil
	var x8 int8 = 100
	_ = x8 + 200
	_ = x8 == 200
	_ = x8 * -129
}
