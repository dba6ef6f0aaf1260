// Calls of functions and methods.
//
// A call in a template is bound to a type of functions: that decides whether it is possible at all,
// what type each argument must have, and what the constants among them are. Functions of common
// types are called as they are, others by package reflect. A parameter that is a reflect.Value
// takes the argument itself, which is wrapped as late as that is needed, if it is.

package template

import (
	"fmt"
	"reflect"
	"text/template/parse"
)

// A call is a place where something is called.
type call struct {
	name    string
	whole   parse.Node // what has failed if the function does
	args    []operand
	isPiped bool  // one more argument comes from the stage before
	unsure  []int // slots of variables that all arguments but the first one declare
}

func (c *compiler) call(name string, whole parse.Node, args []parse.Node, isPiped bool) *call {
	k := &call{name: name, whole: whole, isPiped: isPiped}
	mayStop := name == "and" || name == "or"
	for i, arg := range args {
		before := len(c.scope)
		k.args = append(k.args, c.operand(arg))
		for slot := before; slot < len(c.scope) && mayStop && i > 0; slot++ {
			c.scope[slot].isUnsure = true
			k.unsure = append(k.unsure, slot)
		}
	}
	return k
}

func (k *call) hasArgs() bool { return k.isPiped || len(k.args) > 0 }

// A binding is a call of functions of one type.
type binding struct {
	*call
	flaw   error // why it is not possible
	params []param
}

// A param is what an argument must be.
type param struct {
	t     reflect.Type
	ready reflect.Value // the argument, if it is constant
	flaw  error         // why it cannot be t
}

// A caller calls a function.
type caller func(args []reflect.Value) (reflect.Value, error)

func (k *call) bind(fn reflect.Type) *binding {
	b := &binding{call: k}
	have := len(k.args)
	if k.isPiped {
		have++
	}
	types, want := paramTypes(fn, have)
	if want != "" {
		b.flaw = fmt.Errorf("wrong number of args for %s: want %s got %d", k.name, want, len(k.args))
		return b
	}
	b.flaw = checkResults(k.name, fn)
	b.params = make([]param, have)
	for i := range b.params {
		p := &b.params[i]
		p.t = types[i]
		if i < len(k.args) && (k.args[i].isConstant || k.args[i].value == nil) {
			p.ready, p.flaw = constantAs(p.t, k.args[i].node)
		}
	}
	return b
}

// paramTypes are the types of the parameters that so many arguments are for, or how many are
// wanted.
func paramTypes(fn reflect.Type, count int) (types []reflect.Type, want string) {
	for t := range fn.Ins() {
		types = append(types, t)
	}
	if fn.IsVariadic() {
		fixed := len(types) - 1
		rest := types[fixed].Elem()
		types = types[:fixed]
		if count < fixed {
			return nil, fmt.Sprint("at least ", fixed)
		}
		for len(types) < count {
			types = append(types, rest)
		}
	}
	if len(types) != count {
		want = fmt.Sprint(len(types))
	}
	return types, want
}

// apply calls a function with the arguments.
func (b *binding) apply(r *run, dot, piped reflect.Value, do caller) reflect.Value {
	if b.flaw != nil {
		r.fail("%v", b.flaw)
	}
	var values []reflect.Value
	if n := len(b.params); n > 0 {
		values = make([]reflect.Value, n)
		for i := range b.args {
			values[i] = b.argument(r, dot, i)
		}
		if b.isPiped {
			values[n-1] = r.fit(piped, b.params[n-1].t)
		}
	}
	result, err := guarded(do, values)
	if err != nil {
		r.at = b.whole
		r.fail("error calling %s: %w", b.name, err)
	}
	return bare(result)
}

// argument is the i'th argument as its parameter must be.
func (b *binding) argument(r *run, dot reflect.Value, i int) reflect.Value {
	p, arg := &b.params[i], &b.args[i]
	switch {
	case p.flaw != nil:
		r.at = arg.node
		r.fail("%v", p.flaw)
	case arg.value == nil:
		r.at = arg.node
		return p.ready
	case arg.isConstant:
		v := p.ready
		if r.at = arg.node; !v.IsValid() {
			v = arg.value(r, dot)
		}
		return v
	}
	return r.fit(arg.value(r, dot), p.t)
}

// guarded calls a function, whose panics are errors.
func guarded(do caller, args []reflect.Value) (result reflect.Value, err error) {
	defer func() {
		if e := recover(); e != nil {
			isError := false
			if err, isError = e.(error); !isError {
				err = fmt.Errorf("%v", e)
			}
		}
	}()
	return do(args)
}

// bare is v, or the value that v is if it is a reflect.Value.
func bare(v reflect.Value) reflect.Value {
	if v.Kind() == reflect.Struct && v.Type() == valueType {
		return v.Interface().(reflect.Value)
	}
	return v
}

// acceptsNil says whether nil can be passed as a t.
func acceptsNil(t reflect.Type) bool { return nilable.has(t.Kind()) || t == valueType }

// fit is v as a value of type t.
func (r *run) fit(v reflect.Value, t reflect.Type) reflect.Value {
	if t == valueType {
		return bare(v)
	}
	if !v.IsValid() {
		if !acceptsNil(t) {
			r.fail("invalid value; expected %s", t)
		}
		return reflect.Zero(t)
	}
	own := v.Type()
	if own == t || own.AssignableTo(t) {
		return v
	}
	if own.Kind() == reflect.Interface && !v.IsNil() {
		v = v.Elem()
		if own = v.Type(); own.AssignableTo(t) {
			return v
		}
	}
	if own.Kind() == reflect.Pointer && own.Elem().AssignableTo(t) {
		if v.IsNil() {
			r.fail("dereference of nil pointer of type %s", t)
		}
		return v.Elem()
	}
	if !v.CanAddr() || !reflect.PointerTo(own).AssignableTo(t) {
		r.fail("wrong type for value; expected %s; got %s", t, own)
	}
	return v.Addr()
}

// constantAs is a constant as a value of type t. It is no value if it is to be what it is by
// itself.
func constantAs(t reflect.Type, n parse.Node) (v reflect.Value, err error) {
	if n.Type() == parse.NodeNil {
		switch {
		case !acceptsNil(t):
			return v, fmt.Errorf("cannot assign nil to %s", t)
		case t == valueType:
			return v, nil
		}
		return reflect.Zero(t), nil
	}
	k := t.Kind()
	if t == valueType || k == reflect.Interface && t.NumMethod() == 0 {
		return v, nil
	}
	v = reflect.New(t).Elem()
	boolean, _ := n.(*parse.BoolNode)
	text, _ := n.(*parse.StringNode)
	number, _ := n.(*parse.NumberNode)
	if number == nil {
		number = new(parse.NumberNode)
	}
	ok, expected := false, ""
	switch {
	case k == reflect.Bool:
		if ok, expected = boolean != nil, "bool"; ok {
			v.SetBool(boolean.True)
		}
	case k == reflect.String:
		if ok, expected = text != nil, "string"; ok {
			v.SetString(text.Text)
		}
	case ints.has(k):
		v.SetInt(number.Int64)
		ok, expected = number.IsInt, "integer"
	case uints.has(k):
		v.SetUint(number.Uint64)
		ok, expected = number.IsUint, "unsigned integer"
	case floats.has(k):
		v.SetFloat(number.Float64)
		ok, expected = number.IsFloat, "float"
	case complexes.has(k):
		v.SetComplex(number.Complex128)
		ok, expected = number.IsComplex, "complex"
	default:
		return v, fmt.Errorf("can't handle %s for arg of type %s", n, t)
	}
	if !ok {
		return v, fmt.Errorf("expected %s; found %s", expected, n)
	}
	return v, nil
}

// link makes a stage of the call of one of the functions; funcs may be nil.
func (k *call) link(funcs *functions) stage {
	if funcs != nil {
		if f, ok := funcs.values[k.name]; ok {
			return k.bind(f.Type()).stage(f)
		}
	}
	f, ok := builtins[k.name]
	if !ok {
		return alone(failing(nil, "%q is not a defined function", k.name))
	}
	v := reflect.ValueOf(f)
	b := k.bind(v.Type())
	switch {
	case b.flaw != nil:
	case k.name == "and", k.name == "or":
		return b.deciding(k.name == "or")
	case k.name == "call":
		return b.indirectly()
	}
	return b.stage(v)
}

func (b *binding) stage(f reflect.Value) stage {
	do := b.caller(f)
	return func(r *run, dot, piped reflect.Value) reflect.Value {
		return b.apply(r, dot, piped, do)
	}
}

// deciding is a stage whose value is the first argument whose truth is the one that decides, or the
// last one. Arguments behind it are not evaluated.
func (b *binding) deciding(decisive bool) stage {
	return func(r *run, dot, piped reflect.Value) (v reflect.Value) {
		for _, slot := range b.unsure {
			r.vars[slot] = reflect.ValueOf(unset{})
		}
		for i := range b.args {
			if v = b.argument(r, dot, i); truth(v) == decisive {
				return v
			}
		}
		if b.isPiped {
			v = r.fit(piped, valueType)
		}
		return v
	}
}

// indirectly is a stage that calls what its first argument is. Messages name it as it is written,
// or as a value if it is piped.
func (b *binding) indirectly() stage {
	return func(r *run, dot, piped reflect.Value) reflect.Value {
		name := piped.String()
		if len(b.args) > 0 {
			name = b.args[0].node.String()
		}
		return b.apply(r, dot, piped, func(args []reflect.Value) (reflect.Value, error) {
			return callValue(name, args[0], args[1:])
		})
	}
}

// caller returns what calls f. Functions of package template and html/template are of the types
// that are called without reflection, and many others are.
func (b *binding) caller(f reflect.Value) caller {
	if f.CanInterface() && !f.IsNil() {
		switch f := f.Interface().(type) {
		case func(...any) string:
			return func(args []reflect.Value) (reflect.Value, error) {
				return reflect.ValueOf(f(contents(args)...)), nil
			}
		case func(string, ...any) string:
			return func(args []reflect.Value) (reflect.Value, error) {
				return reflect.ValueOf(f(args[0].String(), contents(args[1:])...)), nil
			}
		case func(string) string:
			return func(args []reflect.Value) (reflect.Value, error) {
				return reflect.ValueOf(f(args[0].String())), nil
			}
		case func() string:
			return func([]reflect.Value) (reflect.Value, error) { return reflect.ValueOf(f()), nil }
		case func(reflect.Value) bool:
			return func(args []reflect.Value) (reflect.Value, error) {
				return reflect.ValueOf(f(args[0])), nil
			}
		case func(reflect.Value) (int, error):
			return func(args []reflect.Value) (reflect.Value, error) {
				return valueOf(f(args[0]))
			}
		case func(reflect.Value, reflect.Value) (bool, error):
			return func(args []reflect.Value) (reflect.Value, error) {
				return valueOf(f(args[0], args[1]))
			}
		case func(reflect.Value, ...reflect.Value) (bool, error):
			return func(args []reflect.Value) (reflect.Value, error) {
				return valueOf(f(args[0], args[1:]...))
			}
		case func(reflect.Value, ...reflect.Value) (reflect.Value, error):
			return func(args []reflect.Value) (reflect.Value, error) { return f(args[0], args[1:]...) }
		}
	}
	return b.reflected(f)
}

func (b *binding) reflected(f reflect.Value) caller {
	return func(args []reflect.Value) (reflect.Value, error) {
		for i, arg := range args {
			if b.params[i].t == valueType {
				args[i] = reflect.ValueOf(arg)
			}
		}
		return results(f.Call(args))
	}
}

func valueOf[T any](x T, err error) (reflect.Value, error) { return reflect.ValueOf(x), err }

// results are what a function that a template may call has returned.
func results(out []reflect.Value) (reflect.Value, error) {
	if len(out) > 1 && !out[1].IsNil() {
		return out[0], out[1].Interface().(error)
	}
	return out[0], nil
}

// contents are values for parameters of type any.
func contents(args []reflect.Value) []any {
	all := make([]any, len(args))
	for i, arg := range args {
		all[i] = arg.Interface()
	}
	return all
}
