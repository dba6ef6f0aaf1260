package main

import "unsafe"

type T struct {
	a int8
	b int64
	E
	*P
}
type E struct{ c int }
type P struct{ d int }

func (T) m() {}

func main() {
	var i int
	var s string
	var sl []int
	var m map[string]int
	var c chan int
	var r <-chan int
	var a [3]int
	var t T
	var e any
	_ = append()
	_ = append(1, 2)
	_ = append(nil, 1)
	_ = append(sl, "a")
	_ = append(sl, 1, 2.5)
	_ = append(sl, sl...)
	_ = append(sl, sl)
	_ = append(sl, s...)
	_ = append([]byte{}, s...)
	_ = append([]byte{}, "abc"...)
	_ = append(sl, 1, sl...)
	_ = append(sl...)
	append(sl, 1)
	_ = cap(m)
	_ = cap(s)
	_ = cap(a)
	_ = len(i)
	_ = len(nil)
	_ = len(sl, sl)
	_ = len()
	_ = len(&a)
	_ = len(&sl)
	_ = len(sl...)
	clear(i)
	clear(m)
	clear(sl)
	close(i)
	close(r)
	close(c, c)
	_ = close(c)
	_ = complex(1, i)
	_ = complex(i, i)
	_ = complex(1.5, s)
	_ = real(i)
	_ = imag(s)
	_ = copy(sl, s)
	_ = copy([]byte{}, s)
	_ = copy(sl, []string{})
	_ = copy(i, sl)
	_ = copy(sl, nil)
	_ = copy(a, sl)
	delete(m)
	delete(m, 1)
	delete(sl, 1)
	delete(m, "a", "b")
	_ = delete(m, "a")
	_ = make(int)
	_ = make([]int)
	_ = make([]int, -1)
	_ = make([]int, "a")
	_ = make([]int, 1.0)
	_ = make([]int, 1.5)
	_ = make([]int, 2, 1)
	_ = make([]int, 1, 2, 3)
	_ = make(map[string]int, 1, 2)
	_ = make(chan int, s)
	_ = make(sl)
	_ = make()
	_ = make([]int, i, i)
	_ = make([]int, 1<<63)
	_ = max()
	_ = max(i, 1.5)
	_ = max(i, s)
	_ = max(1, s)
	_ = min(e, e)
	_ = max(1, 2)
	_ = max(i, 2)
	_ = new()
	_ = new(1)
	_ = new(i)
	_ = new(int, int)
	_ = new(nil)
	_ = new(Nope)
	panic()
	panic(i, i)
	_ = panic(1)
	print(i, main)
	println(nil)
	print(m...)
	_ = print
	_ = recover(1)
	recover()
	_ = unsafe.Sizeof(t)
	_ = unsafe.Sizeof()
	_ = unsafe.Sizeof(int)
	_ = unsafe.Offsetof(t.b)
	_ = unsafe.Offsetof(t.c)
	_ = unsafe.Offsetof(t.d)
	_ = unsafe.Offsetof(t.m)
	_ = unsafe.Offsetof(t)
	_ = unsafe.Offsetof(t.zz)
	_ = unsafe.Alignof(t.b)
	_ = unsafe.Add(t, 1)
	_ = unsafe.Slice(&i, "a")
	_ = unsafe.Slice(i, 1)
	_ = unsafe.String(&i, 1)
	_ = unsafe.StringData(1)
	_ = unsafe.SliceData(s)
	_ = unsafe.Nope
	_ = unsafe.Pointer(i)
	_ = unsafe.Pointer(&i)
	_ = uintptr(unsafe.Pointer(&i))
	_ = (*T)(unsafe.Pointer(&i))
	len := 3
	_ = len(s)
	const k = len
	const k2 = cap(a) + cap(&a)
	const k3 = unsafe.Sizeof(t)
	var arr [unsafe.Sizeof(t)]int
	_ = arr[40]
	_ = arr[100]
}
