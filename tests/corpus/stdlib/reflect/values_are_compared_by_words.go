// run
// Two reflect.Values are equal, and the same key, if they are of one type, of one place and were
// obtained in the same way; what is there does not matter.
package main

import (
	"fmt"
	"reflect"
	"unsafe"
)

type fn func(int) bool

func a(int) bool { return true }
func b(int) bool { return false }

type pair struct {
	v reflect.Value
	n int
}

func try(name string, f func() bool) {
	defer func() {
		if e := recover(); e != nil {
			fmt.Println(name, "panics:", e)
		}
	}()
	fmt.Println(name, f())
}

type code int

func (c code) Error() string { return fmt.Sprintf("error: %d", int(c)) }

// addressable sets the flag of a variable, as packages do that print whatever they are given.
func addressable(v reflect.Value) reflect.Value {
	f, _ := reflect.TypeOf(v).FieldByName("flag")
	*(*uintptr)(unsafe.Add(unsafe.Pointer(&v), f.Offset)) |= 1 << 8
	return v
}

func show(v reflect.Value) {
	p := addressable(v).Addr()
	fmt.Println(p.Type(), p.IsNil(), p.Elem().Interface())
	if e, ok := p.Interface().(error); ok {
		fmt.Println(v.Int(), e.Error())
	}
}

func main() {
	x, y := fn(a), fn(b)
	try("same func", func() bool { return reflect.ValueOf(x) == reflect.ValueOf(x) })
	try("other func", func() bool { return reflect.ValueOf(x) == reflect.ValueOf(y) })
	s := []int{1}
	try("slice", func() bool { return reflect.ValueOf(&s).Elem() == reflect.ValueOf(&s).Elem() })
	p := &s
	try("pointer", func() bool { return reflect.ValueOf(p) == reflect.ValueOf(p) })
	try("other pointer", func() bool { return reflect.ValueOf(p) == reflect.ValueOf(&[]int{1}) })
	try("types", func() bool { return reflect.ValueOf(1) == reflect.ValueOf(uint(1)) })
	try("zero", func() bool { return reflect.Value{} == reflect.ValueOf(nil) })
	m := map[reflect.Value]int{reflect.ValueOf(p): 1}
	try("key", func() bool { return m[reflect.ValueOf(p)] == 1 })
	try("func key", func() bool { m[reflect.ValueOf(x)] = 2; return m[reflect.ValueOf(x)] == 2 })
	try("map value", func() bool { t := reflect.ValueOf(m); return t == reflect.ValueOf(m) })
	u := map[any]int{reflect.ValueOf(p): 3, pair{reflect.ValueOf(x), 1}: 4}
	try("in an interface", func() bool { return u[reflect.ValueOf(p)] == 3 })
	try("in a struct", func() bool { return u[pair{reflect.ValueOf(x), 1}] == 4 && u[pair{reflect.ValueOf(y), 1}] == 0 })

	var t struct{ A, B [2]int }
	v := reflect.ValueOf(&t).Elem().Field(0)
	places := map[reflect.Value]int{v: 1}
	t.A[0] = 5
	fmt.Println(places[v], places[reflect.ValueOf(&t).Elem().Field(1)])
	first, second := reflect.ValueOf(&t).Elem().Field(0), reflect.ValueOf(&t).Elem().Field(1)
	t.A[0] = 0
	fmt.Println(first == second, first == v, first.Index(0) == v.Index(0), first.Index(0) == v.Index(1))
	fmt.Println(first.Equal(second))

	show(reflect.ValueOf(code(10)))
	show(reflect.ValueOf(map[code]int{11: 1}).MapKeys()[0])
	show(reflect.ValueOf("text"))
	show(reflect.ValueOf([2]int{1, 2}))
	show(reflect.ValueOf(struct{ a, b int8 }{1, 2}))
	show(reflect.ValueOf(true))
	show(reflect.ValueOf(2.5))
}
