// run

package main

import (
	"fmt"
	"reflect"
)

type Inner struct{ X, Y int8 }
type T struct {
	A int    `json:"a,omitempty" xml:"b"`
	B string `k:"q\"uote"`
	c float32
	D []int
	M map[string]int
	I any
	E error
	P *Inner
	Inner
	Arr [3]uint16
	F   func(int, ...string) (bool, error)
	Ch  chan<- int
}

func (t T) Hello(n string, k int) string { return fmt.Sprint("hello ", n, k, t.A) }
func (t *T) SetA(a int)                  { t.A = a }
func (t T) Var(s string, xs ...int) (int, string) {
	n := 0
	for _, x := range xs {
		n += x
	}
	return n, s
}
func (t T) Str() string { return "T!" }

type Strer interface{ Str() string }
type G[K comparable, V any] struct {
	k K
	v V
}
type MyInt int

func (m MyInt) Str() string { return fmt.Sprint("my", int(m)) }

func try(f func()) {
	defer func() {
		if e := recover(); e != nil {
			fmt.Printf("panic %T: %v\n", e, e)
		}
	}()
	f()
}
func main() {
	t := T{A: 5, B: "x", c: 1.5, D: []int{1, 2}, M: map[string]int{"a": 1}, I: 7, P: &Inner{1, 2}}
	rt := reflect.TypeOf(t)
	fmt.Println(rt, rt.Kind(), rt.Name(), rt.PkgPath(), rt.Size(), rt.NumField(), rt.NumMethod())
	for i := 0; i < rt.NumField(); i++ {
		f := rt.Field(i)
		fmt.Println(f.Name, f.Type, f.Tag, f.Offset, f.Index, f.Anonymous, f.PkgPath, f.Type.Kind())
	}
	f, _ := rt.FieldByName("Y")
	fmt.Println(f.Name, f.Index, f.Type)
	fmt.Println(rt.Field(0).Tag.Get("json"), rt.Field(0).Tag.Get("xml"), rt.Field(1).Tag.Get("k"))
	for i := 0; i < rt.NumMethod(); i++ {
		fmt.Println(rt.Method(i).Name, rt.Method(i).Type)
	}
	pt := reflect.TypeOf(&t)
	for i := 0; i < pt.NumMethod(); i++ {
		fmt.Println(pt.Method(i).Name, pt.Method(i).Type)
	}
	v := reflect.ValueOf(&t).Elem()
	v.Field(0).SetInt(42)
	v.FieldByName("B").SetString("changed")
	v.Field(3).Set(reflect.Append(v.Field(3), reflect.ValueOf(9)))
	v.Field(4).SetMapIndex(reflect.ValueOf("z"), reflect.ValueOf(26))
	v.Field(5).Set(reflect.ValueOf("any now"))
	v.FieldByName("X").SetInt(7)
	v.FieldByName("Arr").Index(1).SetUint(77)
	fmt.Println(t.A, t.B, t.D, t.M, t.I, t.X, t.Arr)
	try(func() { v.Field(2).SetFloat(1) })
	try(func() { v.Field(2).Interface() })
	try(func() { reflect.ValueOf(t).Field(0).SetInt(1) })
	try(func() { reflect.ValueOf(3).Elem() })
	try(func() { reflect.Value{}.Type() })
	try(func() { v.Field(0).Set(reflect.ValueOf("s")) })
	try(func() { v.Field(99) })
	fmt.Println(v.Field(2).Float())
	out := v.MethodByName("Hello").Call([]reflect.Value{reflect.ValueOf("w"), reflect.ValueOf(3)})
	fmt.Println(out[0], len(out))
	v.Addr().MethodByName("SetA").Call([]reflect.Value{reflect.ValueOf(100)})
	fmt.Println(t.A)
	out = v.MethodByName("Var").Call([]reflect.Value{reflect.ValueOf("w"), reflect.ValueOf(3), reflect.ValueOf(4)})
	fmt.Println(out[0], out[1])
	out = v.MethodByName("Var").CallSlice([]reflect.Value{reflect.ValueOf("w"), reflect.ValueOf([]int{1, 2, 3})})
	fmt.Println(out[0].Int(), out[1].String())
	try(func() { v.MethodByName("Hello").Call(nil) })
	try(func() { v.MethodByName("Hello").Call([]reflect.Value{reflect.ValueOf(1), reflect.ValueOf(3)}) })
	g := v.MethodByName("Hello").Interface().(func(string, int) string)
	fmt.Println(g("fn", 2))
	me := rt.Method(0).Func.Interface().(func(T, string, int) string)
	fmt.Println(me(t, "expr", 1))
	strer := reflect.TypeFor[Strer]()
	fmt.Println(strer, rt.Implements(strer), reflect.TypeOf(3).Implements(strer), reflect.TypeOf(MyInt(3)).Implements(strer))
	x := reflect.New(strer).Elem()
	x.Set(reflect.ValueOf(MyInt(4)))
	fmt.Println(x.Method(0).Call(nil)[0], x.Interface().(Strer).Str(), x.Elem().Type())
	fmt.Println(reflect.ValueOf(3.7).Convert(reflect.TypeOf(0)), reflect.ValueOf(65).Convert(reflect.TypeOf("")), reflect.ValueOf("hi").Convert(reflect.TypeOf([]byte{})))
	fmt.Println(reflect.ValueOf(3).Convert(reflect.TypeOf(MyInt(0))).Type())
	it := reflect.ValueOf(map[string]int{"k": 1}).MapRange()
	for it.Next() {
		fmt.Println(it.Key(), it.Value())
	}
	fmt.Println(reflect.TypeOf(G[string, []T]{}), reflect.TypeOf(G[string, []T]{}).Name(), reflect.TypeOf([]G[int, MyInt]{}))
	fn := reflect.MakeFunc(reflect.TypeOf(func(int, string, [3]int, T) (string, error) { return "", nil }), func(a []reflect.Value) []reflect.Value {
		fmt.Println("called", a[0], a[1], a[2], a[3].Field(0))
		return []reflect.Value{reflect.ValueOf("ret"), reflect.Zero(reflect.TypeFor[error]())}
	}).Interface().(func(int, string, [3]int, T) (string, error))
	fmt.Println(fn(1, "two", [3]int{1, 2, 3}, t))
	fmt.Println(reflect.DeepEqual(t, t), reflect.DeepEqual([]int{1, 2}, []int{1, 2}), reflect.DeepEqual(map[string][]int{"a": {1}}, map[string][]int{"a": {1}}), reflect.DeepEqual(1, int64(1)))
	s := reflect.MakeSlice(reflect.TypeOf([]string{}), 2, 5)
	s.Index(0).SetString("p")
	fmt.Println(s, s.Len(), s.Cap(), s.Interface())
	fmt.Println(reflect.PointerTo(rt), reflect.SliceOf(rt), reflect.MapOf(reflect.TypeOf(""), rt), reflect.ArrayOf(3, rt), reflect.FuncOf([]reflect.Type{rt}, nil, false))
	fmt.Println(v.Kind() == reflect.Struct, reflect.Zero(rt).IsZero(), v.IsZero(), reflect.ValueOf(&t).IsNil())
	fmt.Printf("%v %d %s %T %+v\n", reflect.ValueOf(3), reflect.ValueOf(4), reflect.ValueOf("s"), reflect.ValueOf(1), reflect.ValueOf(Inner{1, 2}))
}
