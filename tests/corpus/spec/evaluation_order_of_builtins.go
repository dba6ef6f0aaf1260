// run

// Calls of builtin functions, slices, assertions and conversions have their turn, or not, as Go's compiler has it.
package main

import (
	"fmt"
	"unsafe"
)

var c = complex(1, 2)
var fl = 1.5
var s = "abc"
var bs = []byte("abc")
var rs = []rune("abc")
var arr = [3]int{1, 2, 3}
var parr = &arr
var e any = "q"
var er error
var sl = []int{1, 2, 3, 4}
var m = map[int]int{}
var ch = make(chan int, 8000)
var p = &struct{ a, b int }{1, 2}
var fn = func() int { return 1 }

//go:noinline
func f() int {
	c += 1 + 1i
	fl++
	s += "x"
	bs = append(bs, 'y')
	bs[0]++
	rs = append(rs, 'z')
	arr[0]++
	e = s
	sl = append(sl, 1)
	sl[1]++
	m[len(m)] = 1
	ch <- 1
	p.a++
	p = &struct{ a, b int }{p.a, 3}
	return 1
}

//go:noinline
func fc() complex128 { return complex(float64(f()), 1) }

//go:noinline
func fs() string { f(); return "|" }

type I interface{ M() int }
type T struct{ a, b int }

func (t T) M() int   { return t.a }
func (t *T) PM() int { return t.a }

var t T

//go:noinline
func ft() int            { t.a++; return 1 }
func g(a ...int)         { fmt.Println("g", a) }
func gc(a, b complex128) { fmt.Println("gc", a, b) }
func gs(a, b string)     { fmt.Println("gs", a, b) }
func gi(a int, b int)    { fmt.Println("gi", a, b) }

func main() {
	gc(complex(fl, fl)+fc(), fc())
	gc(complex(real(c), imag(c)), fc())
	gi(int(real(c))+f(), f())
	gi(int(imag(c)), f())
	gi(len(sl)+f(), cap(sl[:2:3])+f())
	gi(len(m)+f(), len(ch)+f())
	gi(len(parr)+f(), min(arr[0], f()))
	gi(max(arr[0], sl[1]), f())
	gi(arr[0]+max(arr[0], sl[1]), f())
	gs(string(bs)+fs(), string(bs)+fs())
	gs(string(rs)+fs(), string(rune(65+f()))+fs())
	gs(s[:2]+fs(), s[len(s)-1:]+fs())
	gs(e.(string)+fs(), s+fs())
	gs(unsafe.String(&bs[0], len(bs))+fs(), s+fs())
	gi(unsafe.Slice(&arr[0], arr[0])[0]+f(), f())
	gi(*new(arr[0])+f(), f())
	gi(*new(int)+f(), f())
	gi(len([]byte(s))+f(), f())
	gi(int([]byte(s)[len(s)-1])+f(), f())
	gi(len([]rune(s))+f(), f())
	gi(len(string(bs))+f(), f())
	gi([]int{arr[0], f()}[0], f())
	gi([...]int{arr[0], f()}[0], f())
	gi(map[int]int{1: arr[0], 2: f()}[1], f())
	gi(T{arr[0], f()}.a, f())
	gi((&T{arr[0], f()}).a, f())
	gi([3]int(sl)[1]+f(), f())
	gi((*[3]int)(sl)[1]+f(), f())
	gi(T{arr[0], 2}.M()+f(), t.M()+ft())
	gi(t.M()+ft(), ft())
	gi(I(t).M()+ft(), ft())
	gi(t.PM()+ft(), ft())
	gi(t.a+ft(), ft())
	mv := t.M
	gi(mv()+ft(), ft())
	gi(p.a+f(), p.b+f())
	gi(m[0]+f(), m[len(m)-1]+f())
	gi(<-ch+len(ch), f())
	gi(arr[0]<<uint(arr[0]&1)+f(), f())
	gi(-arr[0]+f(), ^arr[0]+f())
	gi(int(int8(arr[0]))+f(), int(float64(arr[0]))+f())
	fmt.Println(!(arr[0] > 100) && f() > 0, arr[0] == f(), f() == arr[0], e == any(f()), arr == [3]int{f(), 1, 2})
	fmt.Println(arr[0] > 1 || f() > 0, arr[0], f(), e, c, fl, s, t, arr, sl[1], sl, len(sl), p.a, *p, e.(string), string(bs), m[0], fn(), f())
	fmt.Println(arr[0], []any{arr[0], f(), arr, s, c}, f())
	fmt.Println(any(arr), any(arr[0]), any(s), any(c), any(t), any(p), any(fl), fs(), e)
	var x any = arr
	var y any = s
	x, y, z := any(arr), any(s), f()
	fmt.Println(x, y, z)
	q, r, w := arr, s, f()
	fmt.Println(q, r, w)
	q, r, w = arr, s, f()
	fmt.Println(q, r, w)
	sl[len(sl)-1], sl[0] = f(), f()
	fmt.Println(sl)
	sl[0], sl[1] = sl[1]+f(), sl[0]+f()
	fmt.Println(sl)
	sl[0] += sl[1] + f()
	p.a, p.b = f(), f()
	fmt.Println(sl, *p)
	p.a += f()
	*p = T2{p.b, f()}
	fmt.Println(sl, *p)
	if n, k := arr[0]+f(), f(); n < k+f() || arr[0] > n+f() {
		fmt.Println(n, k)
	}
}

type T2 = struct{ a, b int }
