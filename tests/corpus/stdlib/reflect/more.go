// run

package main

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"runtime"
	"strings"
)

type S struct {
	A, B int
	m    map[string]int
	e    any
	emb
}
type emb struct{ Z int }
type Cyc struct {
	P *Cyc
	V []any
}
type M map[string]M
type I interface{ Get() int }
type Impl struct{ n int }
type PImpl struct{ n int }
type Named []byte

func (i Impl) Get() int        { return i.n }
func (p *PImpl) Get() int      { return p.n }
func (p *PImpl) Add(k int) int { p.n += k; return p.n }
func (i Impl) Panics()         { panic("inside") }

func try(f func()) {
	defer func() {
		if e := recover(); e != nil {
			fmt.Printf("panic %T: %v\n", e, e)
		}
	}()
	f()
}

func main() {
	// DeepEqual
	c1, c2 := &Cyc{}, &Cyc{}
	c1.P, c2.P = c1, c2
	c1.V, c2.V = []any{c1, 1}, []any{c2, 1}
	fmt.Println(reflect.DeepEqual(c1, c2))
	var m1, m2 = M{}, M{}
	m1["x"], m2["x"] = m1, m2
	fmt.Println(reflect.DeepEqual(m1, m2))
	f1 := func() {}
	for _, p := range [][2]any{{1, 1}, {1, 2}, {[]int(nil), []int{}}, {map[int]int(nil), map[int]int{}}, {f1, f1}, {(func())(nil), (func())(nil)},
		{math.NaN(), math.NaN()}, {[]float64{math.NaN()}, []float64{math.NaN()}}, {errors.New("a"), errors.New("a")}, {S{A: 1}, S{A: 1}}, {S{e: []int{1}}, S{e: []int{1}}},
		{S{e: []int{1}}, S{e: []int{2}}}, {nil, nil}, {nil, 1}, {[]byte("ab"), []byte("ab")}, {Named("ab"), []byte("ab")}, {[2]any{1, "x"}, [2]any{1, "x"}}, {&S{A: 1}, &S{A: 1}},
		{map[string][]int{"a": {1}, "b": nil}, map[string][]int{"a": {1}, "b": {}}}, {-0.0, 0.0}} {
		fmt.Print(reflect.DeepEqual(p[0], p[1]), " ")
	}
	fmt.Println()
	deep := func() any {
		var x any
		for range 2000 {
			x = []any{x}
		}
		return x
	}
	fmt.Println(reflect.DeepEqual(deep(), deep()))

	// Calls through interfaces, by pointer, variadic, of closures.
	var i I = &PImpl{3}
	v := reflect.ValueOf(&i).Elem()
	fmt.Println(v.Kind(), v.NumMethod(), v.Method(0).Call(nil)[0], v.Elem().Type(), v.Elem().NumMethod())
	add := v.Elem().MethodByName("Add")
	fmt.Println(add.Type(), add.Kind(), add.Call([]reflect.Value{reflect.ValueOf(4)})[0], i.Get())
	g := add.Interface().(func(int) int)
	fmt.Println(g(10), i.Get(), reflect.ValueOf(g).Call([]reflect.Value{reflect.ValueOf(1)})[0])
	i = Impl{8}
	fmt.Println(v.Method(0).Call(nil)[0], v.MethodByName("None").IsValid())
	ef := reflect.TypeOf(Impl{}).Method(0).Func
	fmt.Println(ef.Type(), ef.Call([]reflect.Value{reflect.ValueOf(Impl{5})})[0])
	try(func() { reflect.ValueOf(Impl{}).MethodByName("Panics").Call(nil) })
	n := 0
	cl := reflect.ValueOf(func(xs ...int) (int, error) { n += len(xs); return n, errors.New("e") })
	fmt.Println(cl.Call(nil)[0], cl.Call([]reflect.Value{reflect.ValueOf(1), reflect.ValueOf(2)})[1])
	try(func() { cl.Call([]reflect.Value{reflect.ValueOf("s")}) })
	try(func() { reflect.ValueOf((func())(nil)).Call(nil) })
	try(func() { reflect.ValueOf(1).Call(nil) })
	try(func() { reflect.ValueOf(func(int) {}).Call(nil) })
	try(func() { reflect.ValueOf(func(int) {}).CallSlice([]reflect.Value{reflect.ValueOf(1)}) })
	try(func() { reflect.ValueOf(func(int) {}).Call(make([]reflect.Value, 2)) })
	try(func() { reflect.ValueOf(func(int) {}).Call(make([]reflect.Value, 1)) })
	try(func() { reflect.ValueOf(func(I) {}).Call([]reflect.Value{reflect.ValueOf(1)}) })
	big := reflect.ValueOf(func(a [600]int, b string, c [700]int) ([600]int, string) { a[1] = c[2]; return a, b })
	out := big.Call([]reflect.Value{reflect.ValueOf([600]int{}), reflect.ValueOf("b"), reflect.ValueOf([700]int{2: 9})})
	fmt.Println(out[0].Index(1), out[1])

	// MakeFunc
	var swap func(int, string) (string, int)
	fv := reflect.ValueOf(&swap).Elem()
	fv.Set(reflect.MakeFunc(fv.Type(), func(a []reflect.Value) []reflect.Value { runtime.GC(); return []reflect.Value{a[1], a[0]} }))
	fmt.Println(swap(1, "a"))
	bf := reflect.MakeFunc(reflect.TypeOf(func([600]int, float32, int8, ...string) ([600]int, error, I) { return [600]int{}, nil, nil }), func(a []reflect.Value) []reflect.Value {
		fmt.Println(a[1], a[2], a[3], len(a))
		return []reflect.Value{a[0], reflect.ValueOf(errors.New("made")), reflect.ValueOf(Impl{3})}
	}).Interface().(func([600]int, float32, int8, ...string) ([600]int, error, I))
	r, err, ii := bf([600]int{5: 5}, 1.5, -3, "x", "y")
	fmt.Println(r[5], err, ii.Get())
	try(func() {
		reflect.MakeFunc(reflect.TypeOf(func() int { return 0 }), func([]reflect.Value) []reflect.Value { return nil }).Call(nil)
	})
	try(func() { reflect.MakeFunc(reflect.TypeOf(1), nil) })
	fmt.Println(strings.Contains(runtime.FuncForPC(reflect.ValueOf(strings.ToUpper).Pointer()).Name(), "ToUpper"))

	// Iterators
	for x := range reflect.ValueOf(3).Seq() {
		fmt.Print(x, " ")
	}
	for a, b := range reflect.ValueOf([]string{"p", "q"}).Seq2() {
		fmt.Print(a, b, " ")
	}
	for a, b := range reflect.ValueOf("hé").Seq2() {
		fmt.Print(a, b, " ")
	}
	for x := range reflect.ValueOf(func(yield func(string) bool) { _ = yield("y1") && yield("y2") }).Seq() {
		fmt.Print(x, " ")
		break
	}
	for f, x := range reflect.ValueOf(S{A: 1, B: 2}).Fields() {
		fmt.Print(f.Name, "=", x.Kind(), " ")
	}
	for m := range reflect.ValueOf(Impl{}).Methods() {
		fmt.Print(m.Name, " ")
	}
	fmt.Println()

	// Variables
	s := S{A: 1, m: map[string]int{"k": 1}}
	sv := reflect.ValueOf(&s).Elem()
	fmt.Println(sv.Field(0).CanSet(), sv.Field(2).CanSet(), sv.Field(4).CanSet(), sv.Field(4).Field(0).CanSet(), sv.Field(2).CanInterface(), sv.FieldByName("Z").CanSet())
	sv.FieldByName("Z").SetInt(6)
	sv.Field(0).Addr().Elem().SetInt(12)
	*(sv.Field(1).Addr().Interface().(*int)) = 13
	fmt.Println(s.A, s.B, s.Z)
	try(func() { sv.Field(2).SetMapIndex(reflect.ValueOf("a"), reflect.ValueOf(1)) })
	try(func() { sv.Field(3).Set(reflect.ValueOf(1)) })
	fmt.Println(sv.Field(2).MapIndex(reflect.ValueOf("k")), sv.Field(2).MapIndex(reflect.ValueOf("z")).IsValid(), sv.Field(2).MapKeys()[0])
	sl := []int{1, 2, 3}
	lv := reflect.ValueOf(&sl).Elem()
	lv.SetLen(2)
	lv.Grow(10)
	lv.Set(reflect.AppendSlice(lv, reflect.ValueOf([]int{7, 8})))
	fmt.Println(sl, lv.Slice(1, 3), lv.Slice3(0, 1, 2).Cap(), reflect.Copy(lv, reflect.ValueOf([]int{9})), sl, cap(sl) >= 12)
	lv.Index(0).Set(reflect.ValueOf(100))
	lv.SetCap(4)
	fmt.Println(sl, cap(sl))
	lv.Clear()
	fmt.Println(sl)
	lv.SetZero()
	fmt.Println(sl == nil, lv.IsNil(), lv.IsZero())
	try(func() { lv.SetLen(1) })
	try(func() { lv.Index(1) })
	try(func() { lv.Slice(1, 5) })
	try(func() { reflect.ValueOf("abc").Slice(2, 9) })
	fmt.Println(reflect.ValueOf("abc").Slice(1, 2), reflect.ValueOf("abc").Index(1))
	arr := [3]int{1, 2, 3}
	fmt.Println(reflect.ValueOf(&arr).Elem().Slice(0, 2), reflect.ValueOf(&arr).Len())
	try(func() { reflect.ValueOf(arr).Slice(0, 1) })
	var e any = 5
	ev := reflect.ValueOf(&e).Elem()
	ev.Set(reflect.ValueOf("now a string"))
	fmt.Println(e, ev.Kind(), ev.Elem().Kind(), ev.Elem().CanSet())
	ev.Set(reflect.Zero(ev.Type()))
	fmt.Println(e, ev.IsNil(), ev.Elem().IsValid())
	b := reflect.New(reflect.TypeFor[Named]()).Elem()
	b.SetBytes([]byte("xyz"))
	fmt.Printf("%s %q\n", b.Bytes(), b.Interface())

	// Conversions
	for _, p := range []struct {
		x any
		t reflect.Type
	}{{300, reflect.TypeFor[uint8]()}, {-1.9, reflect.TypeFor[int]()}, {uint64(1 << 63), reflect.TypeFor[float32]()}, {int8(-3), reflect.TypeFor[uint32]()}, {"aé", reflect.TypeFor[[]rune]()},
		{[]rune{'x', 0x10ffff + 1}, reflect.TypeFor[string]()}, {-5, reflect.TypeFor[string]()}, {complex(1, 2), reflect.TypeFor[complex64]()}, {[]int{1, 2, 3}, reflect.TypeFor[[2]int]()},
		{[]byte("q"), reflect.TypeFor[Named]()}, {Impl{1}, reflect.TypeFor[I]()}, {struct{ N int }{1}, reflect.TypeFor[struct {
			N int `t:"x"`
		}]()}} {
		r := reflect.ValueOf(p.x).Convert(p.t)
		fmt.Print(r.Type(), " ", r, "; ")
	}
	fmt.Println(*reflect.ValueOf([]int{1, 2, 3}).Convert(reflect.TypeFor[*[2]int]()).Interface().(*[2]int))
	try(func() { reflect.ValueOf(1).Convert(reflect.TypeFor[[]int]()) })
	try(func() { reflect.ValueOf([]int{1}).Convert(reflect.TypeFor[[2]int]()) })
	fmt.Println(reflect.ValueOf([]int{1}).CanConvert(reflect.TypeFor[[2]int]()), reflect.ValueOf(1).CanConvert(reflect.TypeFor[string]()))

	// TypeAssert, Equal, Comparable
	fmt.Println(reflect.TypeAssert[int](reflect.ValueOf(3)))
	fmt.Println(reflect.TypeAssert[fmt.Stringer](reflect.ValueOf(3)))
	x, ok := reflect.TypeAssert[I](reflect.ValueOf(Impl{4}))
	fmt.Println(x.Get(), ok)
	fmt.Println(reflect.ValueOf(1).Equal(reflect.ValueOf(1)), reflect.ValueOf([2]any{1, "a"}).Equal(reflect.ValueOf([2]any{1, "a"})), reflect.ValueOf([1]any{[]int{}}).Comparable(), reflect.ValueOf(S{}).Comparable())
	try(func() { reflect.ValueOf(f1).Equal(reflect.ValueOf(f1)) })

	// Maps of all kinds of keys
	for _, m := range []any{map[int8]string{-1: "x"}, map[[2]int]bool{{1, 2}: true}, map[any]int{"k": 1}, map[float32]int{1.5: 2}, map[S2]int{{"a", 1}: 3}, map[bool]struct{}{true: {}}} {
		mv := reflect.ValueOf(m)
		it := mv.MapRange()
		for it.Next() {
			fmt.Print(it.Key(), "=", it.Value(), " ", mv.MapIndex(it.Key()).IsValid(), "; ")
		}
		k := mv.MapKeys()[0]
		mv.SetMapIndex(k, reflect.Value{})
		fmt.Print(mv.Len(), " ")
	}
	fmt.Println()
	var it reflect.MapIter
	try(func() { it.Next() })
	try(func() { it.Key() })
	it.Reset(reflect.ValueOf(map[string]int{"r": 5}))
	it.Next()
	var ks string
	var vs any
	reflect.ValueOf(&ks).Elem().SetIterKey(&it)
	reflect.ValueOf(&vs).Elem().SetIterValue(&it)
	fmt.Println(ks, vs, it.Next())
	try(func() { it.Value() })
	try(func() { it.Next() })
	try(func() { reflect.ValueOf(map[any]int{}).SetMapIndex(reflect.ValueOf([]int{}), reflect.ValueOf(1)) })
	try(func() { reflect.ValueOf(map[string]int(nil)).SetMapIndex(reflect.ValueOf("a"), reflect.ValueOf(1)) })
	try(func() { reflect.ValueOf(map[string]int{}).MapIndex(reflect.ValueOf(1)) })
	try(func() { reflect.ValueOf(1).MapIndex(reflect.ValueOf(1)) })
	fmt.Println(reflect.Indirect(reflect.ValueOf(&ks)), reflect.ValueOf(&ks).Elem().CanAddr(), reflect.ValueOf(nil).IsValid(), reflect.Value{}.String(), reflect.ValueOf(1).String())
	fmt.Println([]reflect.Value{reflect.ValueOf(1), {}}, struct{ V reflect.Value }{reflect.ValueOf(2)})
	for _, z := range []any{0, "", 0.0, math.Copysign(0, -1), [2]int{}, [2]string{"", "x"}, struct{ A *int }{}, []int(nil), []int{}, complex(0, 0), false} {
		fmt.Print(reflect.ValueOf(z).IsZero(), " ")
	}
	fmt.Println()
}

type S2 struct {
	A string
	B int
}
