package main

import (
	"fmt"
	"os"
)

type T struct{ f func(int) int }

func (T) val()  {}
func (*T) ptr() {}

func zero()                     {}
func one(a int) int             { return a }
func two(a int, b string)       {}
func pair() (int, string)       { return 0, "" }
func triple() (int, int, int)   { return 0, 0, 0 }
func vary(a int, rest ...string) {}

func main() {
	zero(1)
	one()
	one("s")
	one(1, 2)
	two(1)
	two("a", 1)
	two(pair())
	one(pair())
	two(triple())
	vary()
	vary(1)
	vary(1, "a", "b")
	vary(1, 2)
	vary(1, []string{}...)
	vary(1, "a", []string{}...)
	vary(1, []int{}...)
	one([]int{1}...)
	zero(zero())
	one(zero())
	x := one
	x("a")
	1()
	"s"(1)
	var t T
	t.f("a")
	t.g()
	t.val(1)
	T{}.ptr()
	T.val(t)
	T.ptr(t)
	(*T).ptr(t)
	(*T).ptr(&t)
	fmt.Println
	fmt.Printn("a")
	fmt.println("a")
	os.Exit("a")
	one
	one(1)
	1 + 2
	len("a")
	append([]int{}, 1)
	make([]int, 3)
	int(3)
	go one
	go one(1)
	go int(3)
	defer len("a")
	defer recover()
	defer (zero())
	defer func() {}
	undefined1()
	undefined2.x()
	fmt.x.y()
	panic()
	panic(1, 2)
	print(zero())
	func() {}
	func() int { return 1 }()
	fmt = 1
	_ = fmt
	_ = int
	_ = len
	_ = _
	var _ = zero
	var e error = t
	e.Error()
	e.Foo()
	var pe *error
	pe.Error()
	var any1 any
	any1.x()
	pt := &t
	ppt := &pt
	ppt.val()
	pt.f = nil
	ppt.f = nil
}
