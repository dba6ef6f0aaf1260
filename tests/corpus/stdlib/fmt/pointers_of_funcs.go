// run
// A func is shown by where its code lies, as package reflect tells it.
package main

import (
	"fmt"
	"reflect"
	"runtime"
)

type T struct{ h func() }

func (T) Value()    {}
func (*T) Pointer() {}

func f() {}
func g() {}

func pointer(x any) uintptr { return reflect.ValueOf(x).Pointer() }

func name(x any) string { return runtime.FuncForPC(pointer(x)).Name() }

func main() {
	t := T{f}
	m := map[string]func(){"a": f}
	h := f
	fmt.Println(pointer(f) == pointer(f), pointer(f) == pointer(g), pointer(t.h) == pointer(f), pointer(m["a"]) == pointer(h))
	fmt.Println(reflect.ValueOf(t).Field(0).Pointer() == pointer(f))
	fmt.Println(fmt.Sprintf("%p", f) == fmt.Sprintf("%p", h), fmt.Sprintf("%p", f) == fmt.Sprintf("%p", g))
	fmt.Println(fmt.Sprintf("%p", f) == fmt.Sprintf("0x%x", pointer(f)), fmt.Sprint(t.h) == fmt.Sprintf("0x%x", pointer(f)))
	fmt.Println(fmt.Sprintf("%x", f) == fmt.Sprintf("%x", pointer(f)), fmt.Sprintf("%#v", t.h) == fmt.Sprintf("(func())(%#x)", pointer(f)))
	n := 0
	var fs []func()
	for range 2 {
		fs = append(fs, func() { n++ })
	}
	fmt.Println(pointer(fs[0]) == pointer(fs[1]), fmt.Sprintf("%p", fs[0]) == fmt.Sprintf("%p", fs[1]))
	fmt.Println(name(f), name(fs[0]), name(T.Value), name((*T).Pointer), name(fmt.Println), name(t.Value))
	var none func()
	fmt.Printf("%v %p %#v %d\n", none, none, none, pointer(none))
}
