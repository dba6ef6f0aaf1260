// run

package main

import (
	"fmt"
	"io"
	"reflect"
	"sort"
	"strings"
	"unsafe"
)

type Base struct {
	ID   int `db:"id"`
	Name string
}

func (b Base) Describe() string { return b.Name }
func (b *Base) Rename(s string) { b.Name = s }
func (b Base) hidden()          {}

type Mid struct {
	*Base
	Name  string
	Extra float64
}
type Top struct {
	Mid
	io.Reader
	unexported int
	F          func(a int, b ...string) error
}
type List[T any] struct {
	Head T
	Tail *List[T]
}
type Num interface{ ~int | ~float64 }
type Rec struct{ Next *Rec }
type E int
type Fn func(int) string

func (l *List[T]) Push(x T) {}

func try(f func()) {
	defer func() {
		if e := recover(); e != nil {
			fmt.Printf("panic %T: %v\n", e, e)
		}
	}()
	f()
}

func show(t reflect.Type) {
	fmt.Printf("%v|%q|%q|%v|%d|%d|%v\n", t, t.Name(), t.PkgPath(), t.Kind(), t.Size(), t.Align(), t.Comparable())
}

func main() {
	for _, x := range []any{1, int8(1), "s", 1.5, []int{}, [3]string{}, map[string]E{}, Top{}, &Top{}, E(1), Fn(nil),
		List[int]{}, &List[List[string]]{}, make(chan int), make(<-chan *E), func(int, ...string) (bool, error) { return false, nil },
		struct {
			A int `x:"y"`
			b string
		}{}, unsafe.Pointer(nil), uintptr(1), complex64(1), [0]int{}, struct{}{}, []any{}, Rec{}, (*error)(nil),
		(*interface {
			M(int) string
			io.Reader
		})(nil)} {
		show(reflect.TypeOf(x))
	}
	t := reflect.TypeFor[Top]()
	for _, name := range []string{"ID", "Name", "Extra", "Reader", "Base", "unexported", "nope", "F"} {
		f, ok := t.FieldByName(name)
		fmt.Println(name, f.Name, f.Type, f.Index, f.Tag, f.Anonymous, f.IsExported(), ok)
	}
	f, ok := t.FieldByNameFunc(func(s string) bool { return strings.HasPrefix(s, "E") })
	fmt.Println(f.Name, f.Index, ok)
	fmt.Println(t.FieldByIndex([]int{0, 0, 1}).Name, t.NumMethod(), reflect.TypeFor[*Top]().NumMethod())
	for m := range reflect.TypeFor[*Mid]().Methods() {
		fmt.Println(m.Index, m.Name, m.Type, m.PkgPath, m.IsExported())
	}
	for m := range reflect.TypeFor[Base]().Methods() {
		fmt.Println(m.Index, m.Name, m.Type)
	}
	m, ok := reflect.TypeFor[*Base]().MethodByName("Rename")
	b := &Base{Name: "old"}
	m.Func.Call([]reflect.Value{reflect.ValueOf(b), reflect.ValueOf("new")})
	fmt.Println(b.Name, ok)
	_, ok = reflect.TypeFor[Base]().MethodByName("Rename")
	fmt.Println(ok)
	for _, f := range reflect.VisibleFields(t) {
		fmt.Println(f.Name, f.Index, f.Type)
	}
	rt := reflect.TypeFor[io.ReadWriter]()
	for i := range rt.NumMethod() {
		fmt.Println(rt.Method(i).Name, rt.Method(i).Type, rt.Method(i).Func.IsValid())
	}
	fn := reflect.TypeOf(func(int, ...string) (bool, error) { return false, nil })
	for i := range fn.Ins() {
		fmt.Print(i, " ")
	}
	for i := range fn.Outs() {
		fmt.Print(i, " ")
	}
	fmt.Println(fn.NumIn(), fn.NumOut(), fn.IsVariadic(), fn.In(1), fn.Out(1))
	fmt.Println(reflect.TypeOf(make(chan<- int)).ChanDir(), reflect.TypeOf([4]int{}).Len(), reflect.TypeOf(map[int8]bool{}).Key(), reflect.TypeOf(1).Bits())

	// Types made here are those that there are.
	str, num := reflect.TypeFor[string](), reflect.TypeFor[int]()
	fmt.Println(reflect.SliceOf(str) == reflect.TypeOf([]string{}), reflect.MapOf(str, num) == reflect.TypeOf(map[string]int{}),
		reflect.ArrayOf(3, num) == reflect.TypeOf([3]int{}), reflect.PointerTo(num) == reflect.TypeOf(new(int)),
		reflect.ChanOf(reflect.RecvDir, num) == reflect.TypeOf(make(<-chan int)),
		reflect.FuncOf([]reflect.Type{num, reflect.SliceOf(str)}, []reflect.Type{str}, true) == reflect.TypeOf(func(int, ...string) string { return "" }))
	st := reflect.StructOf([]reflect.StructField{
		{Name: "A", Type: num, Tag: `json:"a"`},
		{Name: "B", Type: reflect.SliceOf(str)},
		{Name: "c", PkgPath: "main", Type: reflect.TypeFor[bool]()},
		{Name: "Base", Type: reflect.TypeFor[struct{ X int }](), Anonymous: true},
	})
	fmt.Println(st, st.Size(), st.NumField(), st.Field(0).Tag.Get("json"), st.Field(2).PkgPath, st.Field(3).Offset)
	sv := reflect.New(st).Elem()
	sv.Field(0).SetInt(4)
	sv.Field(1).Set(reflect.ValueOf([]string{"x", "y"}))
	sv.FieldByName("X").SetInt(9)
	fmt.Printf("%v %+v\n", sv, sv)
	fmt.Println(reflect.StructOf(nil) == reflect.TypeOf(struct{}{}))
	m2 := reflect.MakeMap(reflect.MapOf(st.Field(3).Type, num))
	m2.SetMapIndex(sv.Field(3), reflect.ValueOf(1))
	fmt.Println(m2.Len(), m2.MapIndex(sv.Field(3)))

	fmt.Println(num.AssignableTo(reflect.TypeFor[any]()), num.AssignableTo(reflect.TypeFor[E]()), num.ConvertibleTo(reflect.TypeFor[E]()),
		reflect.TypeFor[[]int]().ConvertibleTo(reflect.TypeFor[[3]int]()), str.ConvertibleTo(reflect.TypeFor[[]byte]()), str.ConvertibleTo(num),
		reflect.TypeFor[func(int) string]().AssignableTo(reflect.TypeFor[Fn]()), reflect.TypeFor[chan int]().AssignableTo(reflect.TypeFor[<-chan int]()))
	fmt.Println(num.CanSeq(), num.CanSeq2(), reflect.TypeFor[func(func(int) bool)]().CanSeq(), reflect.TypeFor[[]int]().CanSeq2(), str.CanSeq())
	fmt.Println(num.OverflowInt(1<<62), reflect.TypeFor[int8]().OverflowInt(200), reflect.TypeFor[uint8]().OverflowUint(256), reflect.TypeFor[float32]().OverflowFloat(1e300))

	var tag reflect.StructTag = `a:"1" b:"x\ty" c:"" bad`
	for _, k := range []string{"a", "b", "c", "bad", "z"} {
		v, ok := tag.Lookup(k)
		fmt.Printf("%q %v\n", v, ok)
	}
	try(func() { num.Elem() })
	try(func() { num.Field(0) })
	try(func() { t.Field(99) })
	try(func() { num.Key() })
	try(func() { num.Len() })
	try(func() { num.NumIn() })
	try(func() { str.Bits() })
	try(func() { num.Implements(nil) })
	try(func() { num.Implements(str) })
	try(func() { num.ChanDir() })
	try(func() { fn.In(9) })
	try(func() { reflect.TypeFor[Base]().Method(5) })
	try(func() { reflect.MapOf(reflect.TypeFor[[]int](), num) })
	try(func() { reflect.ArrayOf(-1, num) })
	try(func() { reflect.FuncOf([]reflect.Type{num}, nil, true) })
	try(func() { reflect.ChanOf(0, num) })
	try(func() { reflect.StructOf([]reflect.StructField{{Name: "", Type: num}}) })
	try(func() { reflect.StructOf([]reflect.StructField{{Name: "a b", Type: num}}) })
	try(func() { reflect.StructOf([]reflect.StructField{{Name: "a", Type: num}}) })
	try(func() { reflect.StructOf([]reflect.StructField{{Name: "A"}}) })
	try(func() { reflect.StructOf([]reflect.StructField{{Name: "A", Type: num}, {Name: "A", Type: num}}) })
	try(func() { reflect.VisibleFields(num) })
	fmt.Println(reflect.Kind(3), reflect.Kind(99), reflect.ChanDir(7), reflect.Pointer, reflect.UnsafePointer)
	x := []string{"c", "a", "b"}
	sort.Slice(x, func(i, j int) bool { return x[i] < x[j] })
	swap := reflect.Swapper(x)
	swap(0, 2)
	fmt.Println(x)
	try(func() { swap(0, 3) })
	try(func() { reflect.Swapper(3) })
}
