// run

// Objects made by reflection: mocks of functions, dependency injection, deep copies, plug-in methods.
package main

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

type call struct{ args []any }

type Mock[F any] struct {
	Func  F
	calls []call
	queue [][]any
}

func NewMock[F any]() *Mock[F] {
	m := &Mock[F]{}
	t := reflect.TypeFor[F]()
	m.Func = reflect.MakeFunc(t, func(args []reflect.Value) []reflect.Value {
		var c call
		for i, a := range args {
			if t.IsVariadic() && i == len(args)-1 {
				for j := range a.Len() {
					c.args = append(c.args, a.Index(j).Interface())
				}
				continue
			}
			c.args = append(c.args, a.Interface())
		}
		m.calls = append(m.calls, c)
		out := make([]reflect.Value, t.NumOut())
		var next []any
		if len(m.queue) > 0 {
			next, m.queue = m.queue[0], m.queue[1:]
		}
		for i := range out {
			if i < len(next) && next[i] != nil {
				out[i] = reflect.ValueOf(next[i]).Convert(t.Out(i))
			} else {
				out[i] = reflect.Zero(t.Out(i))
			}
		}
		return out
	}).Interface().(F)
	return m
}

func (m *Mock[F]) Returns(vals ...any) *Mock[F] { m.queue = append(m.queue, vals); return m }

// Container makes values by constructors that take others.
type Container struct {
	makers map[reflect.Type]reflect.Value
	made   map[reflect.Type]reflect.Value
	stack  []reflect.Type
}

var errorType = reflect.TypeFor[error]()

func (c *Container) Provide(maker any) error {
	v := reflect.ValueOf(maker)
	t := v.Type()
	if t.Kind() != reflect.Func || t.NumOut() == 0 || t.NumOut() > 2 || t.NumOut() == 2 &&
		t.Out(1) != errorType {
		return fmt.Errorf("%s is no constructor", t)
	}
	if c.makers == nil {
		c.makers, c.made = map[reflect.Type]reflect.Value{}, map[reflect.Type]reflect.Value{}
	}
	c.makers[t.Out(0)] = v
	return nil
}

func (c *Container) get(t reflect.Type) (reflect.Value, error) {
	if v, ok := c.made[t]; ok {
		return v, nil
	}
	if slices.Contains(c.stack, t) {
		return reflect.Value{}, fmt.Errorf("cycle: %v", append(c.stack, t))
	}
	maker, ok := c.makers[t]
	if !ok && t.Kind() == reflect.Interface {
		for have := range c.makers {
			if have.Implements(t) {
				return c.get(have)
			}
		}
	}
	if !ok {
		return reflect.Value{}, fmt.Errorf("nothing makes %s", t)
	}
	c.stack = append(c.stack, t)
	defer func() { c.stack = c.stack[:len(c.stack)-1] }()
	out, err := c.call(maker)
	if err != nil {
		return reflect.Value{}, fmt.Errorf("making %s: %w", t, err)
	}
	c.made[t] = out[0]
	return out[0], nil
}

func (c *Container) call(f reflect.Value) ([]reflect.Value, error) {
	var args []reflect.Value
	for in := range f.Type().Ins() {
		a, err := c.get(in)
		if err != nil {
			return nil, err
		}
		args = append(args, a)
	}
	out := f.Call(args)
	if n := len(out); n > 0 && out[n-1].Type() == errorType && !out[n-1].IsNil() {
		return nil, out[n-1].Interface().(error)
	}
	return out, nil
}

func (c *Container) Invoke(f any) error { _, err := c.call(reflect.ValueOf(f)); return err }

// deepCopy copies what pointers, maps and slices refer to, once each.
func deepCopy[T any](v T) T {
	seen := map[uintptr]reflect.Value{}
	var cp func(reflect.Value) reflect.Value
	cp = func(v reflect.Value) reflect.Value {
		switch v.Kind() {
		case reflect.Pointer:
			if v.IsNil() {
				return v
			}
			if done, ok := seen[v.Pointer()]; ok {
				return done
			}
			n := reflect.New(v.Type().Elem())
			seen[v.Pointer()] = n
			n.Elem().Set(cp(v.Elem()))
			return n
		case reflect.Slice:
			if v.IsNil() {
				return v
			}
			n := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
			for i := range v.Len() {
				n.Index(i).Set(cp(v.Index(i)))
			}
			return n
		case reflect.Map:
			if v.IsNil() {
				return v
			}
			n := reflect.MakeMap(v.Type())
			for k, x := range v.Seq2() {
				n.SetMapIndex(cp(k), cp(x))
			}
			return n
		case reflect.Interface:
			if v.IsNil() {
				return v
			}
			n := reflect.New(v.Type()).Elem()
			n.Set(cp(v.Elem()))
			return n
		case reflect.Struct:
			n := reflect.New(v.Type()).Elem()
			n.Set(v)
			for i := range v.NumField() {
				if n.Field(i).CanSet() {
					n.Field(i).Set(cp(v.Field(i)))
				}
			}
			return n
		case reflect.Array:
			n := reflect.New(v.Type()).Elem()
			for i := range v.Len() {
				n.Index(i).Set(cp(v.Index(i)))
			}
			return n
		}
		return v
	}
	return cp(reflect.ValueOf(&v).Elem()).Interface().(T)
}

type (
	Logger interface{ Log(string) }
	memLog struct{ lines []string }
	DB     struct{ name string }
	Server struct {
		Log Logger
		DB  *DB
	}
	A struct{}
	B struct{}
)

func (m *memLog) Log(s string) { m.lines = append(m.lines, s) }

type Commands struct{ out strings.Builder }

func (c *Commands) CmdHello(name string, times int) error {
	if times < 0 {
		return errors.New("cannot greet so rarely")
	}
	fmt.Fprint(&c.out, strings.Repeat("hello "+name+" ", times))
	return nil
}
func (c *Commands) CmdSum(ns ...int) (total int) {
	for _, n := range ns {
		total += n
	}
	return
}
func (c *Commands) Other() {}

func dispatch(target any, line string) (res []any, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	words := strings.Fields(line)
	m := reflect.ValueOf(target).MethodByName("Cmd" + strings.ToUpper(words[0][:1]) + words[0][1:])
	if !m.IsValid() {
		return nil, fmt.Errorf("no command %s", words[0])
	}
	var args []reflect.Value
	for i, w := range words[1:] {
		t := m.Type()
		want := t.In(min(i, t.NumIn()-1))
		if t.IsVariadic() && i >= t.NumIn()-1 {
			want = want.Elem()
		}
		p := reflect.New(want)
		if _, err := fmt.Sscan(w, p.Interface()); err != nil {
			return nil, fmt.Errorf("argument %d: %w", i, err)
		}
		args = append(args, p.Elem())
	}
	for _, o := range m.Call(args) {
		res = append(res, o.Interface())
	}
	return res, nil
}

func main() {
	m := NewMock[func(string, ...int) (int, error)]().Returns(5, nil).Returns(0, errors.New("second"))
	fmt.Println(m.Func("a", 1, 2))
	fmt.Println(m.Func("b"))
	fmt.Println(m.Func("c", []int{9}...))
	fmt.Println(m.calls, len(m.queue))

	c := &Container{}
	fmt.Println(c.Provide(func() *memLog { return &memLog{} }), c.Provide(func(l Logger) (*DB,
		error) {
		l.Log("db")
		return &DB{"main"}, nil
	}),
		c.Provide(func(l Logger, db *DB) *Server { return &Server{l, db} }), c.Provide(5),
		c.Provide(func() (int, int) { return 1, 2 }))
	fmt.Println(c.Invoke(func(s *Server, l *memLog) {
		fmt.Println(s.DB.name, l.lines,
			s.Log == Logger(l))
	}))
	c.Provide(func(*B) *A { return nil })
	c.Provide(func(*A) *B { return nil })
	fmt.Println(c.Invoke(func(*A) {}), c.Invoke(func(chan int) {}))
	c.Provide(func() (A, error) { return A{}, errors.New("not today") })
	fmt.Println(c.Invoke(func(A) {}))

	type node struct {
		Name  string
		Next  *node
		Tags  map[string][]any
		Inner [2]*int
		own   int
	}
	n := 7
	orig := &node{Name: "x", Tags: map[string][]any{"k": {1, "two", &n}}, Inner: [2]*int{&n, &n},
		own: 3}
	orig.Next = orig
	dup := deepCopy(orig)
	dup.Tags["k"][0] = 99
	*dup.Inner[0] = 8
	fmt.Println(dup != orig, dup.Next == dup, orig.Tags["k"][0], n, dup.Inner[0] == dup.Inner[1],
		*dup.Tags["k"][2].(*int), dup.own)

	cmds := &Commands{}
	for _, line := range []string{"hello bob 2", "hello bob -1", "sum 1 2 3", "sum", "sum x",
		"hello", "fly", "hello a 1 2"} {
		res, err := dispatch(cmds, line)
		fmt.Println(line, "=>", res, err)
	}
	fmt.Println(cmds.out.String())
	t := reflect.TypeOf(cmds)
	for m := range t.Methods() {
		fmt.Println(m.Name, m.Type)
	}
	st := reflect.StructOf([]reflect.StructField{{Name: "A", Type: reflect.TypeFor[int](),
		Tag: `json:"a"`}, {Name: "B", Type: reflect.TypeFor[[]string]()}})
	v := reflect.New(st).Elem()
	v.Field(0).SetInt(5)
	v.FieldByName("B").Set(reflect.ValueOf([]string{"x"}))
	fmt.Printf("%+v %v\n", v, st)
	cases := []reflect.SelectCase{{Dir: reflect.SelectDefault}}
	chosen, _, ok := reflect.Select(cases)
	fmt.Println(chosen, ok)
}
