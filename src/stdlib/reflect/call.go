package reflect

import (
	"runtime"
	"unsafe"
)

// Call calls the function v, of which the last arguments may go into the slice of a variadic
// parameter.
func (v Value) Call(in []Value) []Value {
	if v.kind() != Func {
		v.bad("Call")
	}
	v.needPublic("Call")
	return v.call("Call", in)
}

// CallSlice calls the variadic function v, whose last argument is the slice itself.
func (v Value) CallSlice(in []Value) []Value {
	if v.kind() != Func {
		v.bad("CallSlice")
	}
	v.needPublic("CallSlice")
	return v.call("CallSlice", in)
}

func (v Value) call(op string, in []Value) []Value {
	t := v.typ()
	if v.flag&isBound != 0 {
		t = v.methodType()
		v.checkMethod(op)
	} else if v.pointer() == nil {
		panic("reflect.Value.Call: call of nil function")
	}
	var out []Value
	if t.outs.n > 0 {
		out = make([]Value, t.outs.n)
	}
	if t.flags&isVariadic != 0 || op != "Call" || !callFunc(v, t, in, out) {
		callFunc(v, t, arguments(op, t, in), out)
	}
	return out
}

// checkMethod panics for a method of an interface value that cannot be called.
func (v Value) checkMethod(op string) {
	t := v.typ()
	switch {
	case Kind(t.kind) != Interface:
	case t.imethod(int(v.flag>>methodShift)).pkg != "":
		panic("reflect: " + op + " of unexported method")
	case *(*unsafe.Pointer)(v.at()) == nil:
		panic("reflect: " + op + " of method on nil interface value")
	}
}

// arguments are in as the parameters of t are.
func arguments(op string, t *rtype, in []Value) []Value {
	n := t.ins.n
	dots := t.flags&isVariadic != 0
	if op == "CallSlice" {
		if !dots {
			panic("reflect: CallSlice of non-variadic function")
		}
		dots = false
	} else if dots {
		n--
	}
	switch {
	case len(in) < n:
		panic("reflect: " + op + " with too few input arguments")
	case len(in) > n && !dots:
		panic("reflect: " + op + " with too many input arguments")
	}
	for i := range in {
		if in[i].Kind() == Invalid {
			panic("reflect: " + op + " using zero Value argument")
		}
	}
	for i := range n {
		if x, p := in[i].Type(), t.ins.typ(i); !x.AssignableTo(p) {
			panic("reflect: " + op + " using " + x.String() + " as type " + p.text)
		}
	}
	args := make([]Value, t.ins.n)
	if dots {
		st := t.ins.typ(n)
		m := len(in) - n
		slice := MakeSlice(st, m, m)
		for i := range m {
			x := in[n+i]
			if xt := x.Type(); !xt.AssignableTo(st.elem) {
				panic("reflect: cannot use " + xt.String() + " as type " +
					st.elem.text + " in " + op)
			}
			slice.Index(i).Set(x)
		}
		args[n] = slice
	}
	for i := range n {
		x := in[i]
		x.needPublic("Call")
		if x.flag&isBound != 0 || x.typ() != t.ins.typ(i) {
			x = x.fitTo("reflect.Value.Call", t.ins.typ(i))
		}
		args[i] = x
	}
	return args
}

// asFunc is a method value as a func of its own.
func (v Value) asFunc(op string) Value {
	t := v.methodType()
	v.checkMethod(op)
	return Value{pack(t, boundMethod(v, t)), v.flag.ro() | flag(Func)}
}

// MakeFunc returns a function of type typ that calls fn.
func MakeFunc(typ Type, fn func(args []Value) (results []Value)) Value {
	t := typ.base()
	if Kind(t.kind) != Func {
		panic("reflect: call of MakeFunc with non-Func type")
	}
	return Value{pack(t, makeFunc(t, &madeFunc{t, fn}, called)), flag(Func)}
}

// madeFunc is what stands behind a function that MakeFunc has made.
type madeFunc struct {
	typ *rtype
	fn  func([]Value) []Value
}

// called runs the function behind f: what code that MakeFunc has made calls.
//
//go:wrapper
func called(f *madeFunc, args []Value) []Value {
	results := f.fn(args)
	if len(results) != f.typ.outs.n {
		panic("reflect: wrong return count from function created by MakeFunc")
	}
	var list []Value
	for i, v := range results {
		t := f.typ.outs.typ(i)
		if v.flag == 0 {
			panic("reflect: function created by MakeFunc using " + nameOfFunc(f.fn) +
				" returned zero Value")
		}
		if v.flag&isPrivate != 0 {
			panic("reflect: function created by MakeFunc using " + nameOfFunc(f.fn) +
				" returned value obtained from unexported field")
		}
		if v.flag&isBound != 0 || v.typ() != t {
			if list == nil {
				list = append(list, results...)
			}
			list[i] = v.fitTo("reflect.MakeFunc", t)
		}
	}
	if list != nil {
		return list
	}
	return results
}

func nameOfFunc(f func([]Value) []Value) string {
	pc := uintptr(codeOf(*(*unsafe.Pointer)(unsafe.Pointer(&f))))
	if rf := runtime.FuncForPC(pc); rf != nil {
		return rf.Name()
	}
	return "closure"
}

// callFunc calls v, whose type is t, with arguments of just the types of its parameters;
// false if they are not.
func callFunc(v Value, t *rtype, in, out []Value) bool

// boundMethod makes a func value of a method value, whose type is t.
func boundMethod(v Value, t *rtype) unsafe.Pointer

// makeMethodExpr makes a func value of the i-th exported method of t, the receiver being the
// first parameter.
func makeMethodExpr(t *rtype, i int, ft *rtype) unsafe.Pointer

// makeFunc makes a func value of type t that hands f and its arguments to call.
func makeFunc(t *rtype, f *madeFunc, call func(*madeFunc, []Value) []Value) unsafe.Pointer
