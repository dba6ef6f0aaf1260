package template

import (
	"errors"
	"fmt"
	"io"
	"net/url"
	"reflect"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

var builtins = FuncMap{
	"and": decided, "or": decided, "call": called, "not": not, "len": length,
	"index": index, "slice": slice, "print": fmt.Sprint, "printf": fmt.Sprintf,
	"println": fmt.Sprintln, "html": HTMLEscaper, "js": JSEscaper, "urlquery": URLQueryEscaper,
	"eq": eq, "ne": ne, "lt": lt, "le": le, "gt": gt, "ge": ge,
}

var builtinFuncs = sync.OnceValue(func() map[string]reflect.Value {
	funcs := make(map[string]reflect.Value, len(builtins))
	addFuncs(funcs, builtins)
	return funcs
})

func addFuncs(to map[string]reflect.Value, from FuncMap) {
	for name, f := range from {
		if !isName(name) {
			panic(fmt.Errorf("function name %q is not a valid identifier", name))
		}
		v := reflect.ValueOf(f)
		if v.Kind() != reflect.Func {
			panic("value for " + name + " not a function")
		}
		if err := goodFunc(name, v.Type()); err != nil {
			panic(err)
		}
		to[name] = v
	}
}

func isName(name string) bool {
	for i, r := range name {
		if r != '_' && !unicode.IsLetter(r) && (i == 0 || !unicode.IsDigit(r)) {
			return false
		}
	}
	return name != ""
}

// goodFunc says whether a template can use what a function gives.
func goodFunc(name string, t reflect.Type) error {
	switch n := t.NumOut(); {
	case n != 1 && n != 2:
		return fmt.Errorf("function %s has %d return values; should be 1 or 2", name, n)
	case n == 2 && t.Out(1) != errorType:
		return fmt.Errorf("invalid function signature for %s: "+
			"second return value should be error; is %s", name, t.Out(1))
	}
	return nil
}

func findFunction(name string, t *Template) (f reflect.Value, isBuiltin, ok bool) {
	if t != nil && t.common != nil {
		t.muFuncs.RLock()
		f := t.execFuncs[name]
		t.muFuncs.RUnlock()
		if f.IsValid() {
			return f, false, true
		}
	}
	f = builtinFuncs()[name]
	return f, true, f.IsValid()
}

// The executor does these itself.
func decided(reflect.Value, ...reflect.Value) reflect.Value { panic("unreachable") }
func called(reflect.Value, ...reflect.Value) reflect.Value  { panic("unreachable") }

func truth(v reflect.Value) bool {
	t, _ := isTrue(plain(v))
	return t
}

func not(arg reflect.Value) bool { return !truth(arg) }

func length(item reflect.Value) (int, error) {
	item, isNil := indirect(item)
	if isNil {
		return 0, errors.New("len of nil pointer")
	}
	switch item.Kind() {
	case reflect.Array, reflect.Chan, reflect.Map, reflect.Slice, reflect.String:
		return item.Len(), nil
	}
	return 0, fmt.Errorf("len of type %s", item.Type())
}

// asParameter is v for a parameter, or key, of type t.
func asParameter(v reflect.Value, t reflect.Type) (reflect.Value, error) {
	if !v.IsValid() {
		if !canBeNil(t) {
			return v, fmt.Errorf("value is nil; should be of type %s", t)
		}
		v = reflect.Zero(t)
	}
	switch {
	case v.Type().AssignableTo(t):
		return v, nil
	case isInt(v.Kind()) && isInt(t.Kind()) && v.Type().ConvertibleTo(t):
		return v.Convert(t), nil
	}
	return reflect.Value{}, fmt.Errorf("value has type %s; should be %s", v.Type(), t)
}

func isInt(k reflect.Kind) bool { return k >= reflect.Int && k <= reflect.Uintptr }

// position is index as a number up to most.
func position(index reflect.Value, most int) (int, error) {
	var x int64
	switch {
	case !index.IsValid():
		return 0, errors.New("cannot index slice/array with nil")
	case index.CanInt():
		x = index.Int()
	case index.CanUint():
		x = int64(index.Uint())
	default:
		return 0, fmt.Errorf("cannot index slice/array with type %s", index.Type())
	}
	if x < 0 || x > int64(most) {
		return 0, fmt.Errorf("index out of range: %d", x)
	}
	return int(x), nil
}

func index(item reflect.Value, indexes ...reflect.Value) (reflect.Value, error) {
	var no reflect.Value
	if item = plain(item); !item.IsValid() {
		return no, errors.New("index of untyped nil")
	}
	for _, i := range indexes {
		i = plain(i)
		var isNil bool
		if item, isNil = indirect(item); isNil {
			return no, errors.New("index of nil pointer")
		}
		switch item.Kind() {
		case reflect.Array, reflect.Slice, reflect.String:
			x, err := position(i, item.Len())
			if err != nil {
				return no, err
			}
			item = item.Index(x)
		case reflect.Map:
			key, err := asParameter(i, item.Type().Key())
			if err != nil {
				return no, err
			}
			zero := reflect.Zero(item.Type().Elem())
			if item = item.MapIndex(key); !item.IsValid() {
				item = zero
			}
		default:
			return no, fmt.Errorf("can't index item of type %s", item.Type())
		}
	}
	return item, nil
}

func slice(item reflect.Value, indexes ...reflect.Value) (reflect.Value, error) {
	fail := func(format string, args ...any) (reflect.Value, error) {
		return reflect.Value{}, fmt.Errorf(format, args...)
	}
	if item = plain(item); !item.IsValid() {
		return fail("slice of untyped nil")
	}
	item, isNil := indirect(item)
	if isNil {
		return fail("slice of nil pointer")
	}
	n := len(indexes)
	if n > 3 {
		return fail("too many slice indexes: %d", n)
	}
	most := 0
	switch item.Kind() {
	case reflect.String:
		if n == 3 {
			return fail("cannot 3-index slice a string")
		}
		most = item.Len()
	case reflect.Array, reflect.Slice:
		most = item.Cap()
	default:
		return fail("can't slice item of type %s", item.Type())
	}
	x := [3]int{0, item.Len(), 0}
	for i, index := range indexes {
		var err error
		if x[i], err = position(index, most); err != nil {
			return reflect.Value{}, err
		}
	}
	switch {
	case x[0] > x[1]:
		return fail("invalid slice index: %d > %d", x[0], x[1])
	case n < 3:
		return item.Slice(x[0], x[1]), nil
	case x[1] > x[2]:
		return fail("invalid slice index: %d > %d", x[1], x[2])
	}
	return item.Slice3(x[0], x[1], x[2]), nil
}

func call(name string, f reflect.Value, args ...reflect.Value) (reflect.Value, error) {
	fail := func(format string, args ...any) (reflect.Value, error) {
		return reflect.Value{}, fmt.Errorf(format, args...)
	}
	if f = plain(f); !f.IsValid() {
		return fail("call of nil")
	}
	t := f.Type()
	if t.Kind() != reflect.Func {
		return fail("non-function %s of type %s", name, t)
	}
	if err := goodFunc(name, t); err != nil {
		return reflect.Value{}, err
	}
	fixed := t.NumIn()
	if t.IsVariadic() {
		if fixed--; len(args) < fixed {
			return fail("wrong number of args for %s: got %d want at least %d",
				name, len(args), fixed)
		}
	} else if len(args) != fixed {
		return fail("wrong number of args for %s: got %d want %d", name, len(args), fixed)
	}
	values := make([]reflect.Value, len(args))
	for i, arg := range args {
		var param reflect.Type
		if i < fixed {
			param = t.In(i)
		} else {
			param = t.In(fixed).Elem()
		}
		v, err := asParameter(plain(arg), param)
		if err != nil {
			return fail("arg %d: %w", i, err)
		}
		values[i] = v
	}
	return safeCall(f, values)
}

// safeCall calls f; its panics are errors.
func safeCall(f reflect.Value, args []reflect.Value) (v reflect.Value, err error) {
	defer func() {
		switch e := recover().(type) {
		case nil:
		case error:
			err = e
		default:
			err = fmt.Errorf("%v", e)
		}
	}()
	results := f.Call(args)
	if len(results) == 2 && !results[1].IsNil() {
		return results[0], results[1].Interface().(error)
	}
	return results[0], nil
}

// Comparison:

var (
	errKind  = errors.New("invalid type for comparison")
	errAlone = errors.New("missing argument for comparison")
)

// basic is the kind of v without its size; Invalid for what cannot be ordered.
func basic(v reflect.Value) reflect.Kind {
	switch k := v.Kind(); k {
	case reflect.Bool, reflect.String:
		return k
	case reflect.Float32, reflect.Float64:
		return reflect.Float64
	case reflect.Complex64, reflect.Complex128:
		return reflect.Complex128
	default:
		if v.CanInt() {
			return reflect.Int
		}
		if v.CanUint() {
			return reflect.Uint
		}
	}
	return reflect.Invalid
}

func isNil(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Invalid:
		return true
	case reflect.Chan, reflect.Func, reflect.Interface, reflect.Map, reflect.Pointer,
		reflect.Slice:
		return v.IsNil()
	}
	return false
}

func incompatible(a, b reflect.Value) (bool, error) {
	return false, fmt.Errorf("incompatible types for comparison: %v and %v", a.Type(), b.Type())
}

func eq(arg1 reflect.Value, arg2 ...reflect.Value) (bool, error) {
	if len(arg2) == 0 {
		return false, errAlone
	}
	a := plain(arg1)
	for _, b := range arg2 {
		same, err := equal(a, plain(b))
		if same || err != nil {
			return same, err
		}
	}
	return false, nil
}

func equal(a, b reflect.Value) (bool, error) {
	ka, kb := basic(a), basic(b)
	switch {
	case ka == reflect.Int && kb == reflect.Uint:
		return a.Int() >= 0 && uint64(a.Int()) == b.Uint(), nil
	case ka == reflect.Uint && kb == reflect.Int:
		return b.Int() >= 0 && a.Uint() == uint64(b.Int()), nil
	case ka != kb && a.IsValid() && b.IsValid():
		return incompatible(a, b)
	case ka != kb:
		return false, nil
	case ka != reflect.Invalid:
		switch ka {
		case reflect.Bool:
			return a.Bool() == b.Bool(), nil
		case reflect.String:
			return a.String() == b.String(), nil
		case reflect.Int:
			return a.Int() == b.Int(), nil
		case reflect.Uint:
			return a.Uint() == b.Uint(), nil
		case reflect.Float64:
			return a.Float() == b.Float(), nil
		}
		return a.Complex() == b.Complex(), nil
	case a.IsValid() && b.IsValid() && a.Kind() != b.Kind():
		return false, fmt.Errorf("non-comparable types %s: %v, %s: %v", a, a.Type(), b.Type(), b)
	case isNil(a) || isNil(b):
		return isNil(a) == isNil(b), nil
	case !b.Type().Comparable():
		return false, fmt.Errorf("non-comparable type %s: %v", b, b.Type())
	}
	return a.Interface() == b.Interface(), nil
}

func ne(arg1, arg2 reflect.Value) (bool, error) {
	same, err := eq(arg1, arg2)
	return !same, err
}

func lt(arg1, arg2 reflect.Value) (bool, error) {
	a, b := plain(arg1), plain(arg2)
	ka, kb := basic(a), basic(b)
	switch {
	case ka == reflect.Invalid || kb == reflect.Invalid:
		return false, errKind
	case ka == reflect.Int && kb == reflect.Uint:
		return a.Int() < 0 || uint64(a.Int()) < b.Uint(), nil
	case ka == reflect.Uint && kb == reflect.Int:
		return b.Int() >= 0 && a.Uint() < uint64(b.Int()), nil
	case ka != kb:
		return incompatible(a, b)
	}
	switch ka {
	case reflect.String:
		return a.String() < b.String(), nil
	case reflect.Int:
		return a.Int() < b.Int(), nil
	case reflect.Uint:
		return a.Uint() < b.Uint(), nil
	case reflect.Float64:
		return a.Float() < b.Float(), nil
	}
	return false, errKind
}

func le(arg1, arg2 reflect.Value) (bool, error) {
	less, err := lt(arg1, arg2)
	if less || err != nil {
		return less, err
	}
	return eq(arg1, arg2)
}

func gt(arg1, arg2 reflect.Value) (bool, error) {
	r, err := le(arg1, arg2)
	return !r && err == nil, err
}

func ge(arg1, arg2 reflect.Value) (bool, error) {
	r, err := lt(arg1, arg2)
	return !r && err == nil, err
}

// Escaping:

var htmlEscaper = strings.NewReplacer(
	"\x00", "\ufffd", `"`, "&#34;", "'", "&#39;", "&", "&amp;", "<", "&lt;", ">", "&gt;")

func HTMLEscapeString(s string) string   { return htmlEscaper.Replace(s) }
func HTMLEscape(w io.Writer, b []byte)   { io.WriteString(w, HTMLEscapeString(string(b))) }
func HTMLEscaper(args ...any) string     { return HTMLEscapeString(joined(args)) }
func JSEscape(w io.Writer, b []byte)     { io.WriteString(w, JSEscapeString(string(b))) }
func JSEscaper(args ...any) string       { return JSEscapeString(joined(args)) }
func URLQueryEscaper(args ...any) string { return url.QueryEscape(joined(args)) }

func JSEscapeString(s string) string {
	isPlain := func(r rune) bool {
		return ' ' <= r && r < utf8.RuneSelf && !strings.ContainsRune(`\'"<>&=`, r)
	}
	if strings.IndexFunc(s, func(r rune) bool { return !isPlain(r) }) < 0 {
		return s
	}
	var b strings.Builder
	for i, r := range s {
		switch {
		case isPlain(r):
			b.WriteByte(byte(r))
		case r == '\\' || r == '\'' || r == '"':
			b.WriteByte('\\')
			b.WriteByte(byte(r))
		case r >= utf8.RuneSelf && unicode.IsPrint(r):
			_, n := utf8.DecodeRuneInString(s[i:])
			b.WriteString(s[i : i+n])
		default:
			fmt.Fprintf(&b, `\u%04X`, r)
		}
	}
	return b.String()
}

// joined is the arguments as fmt.Sprint prints them, or the one if it is a string.
func joined(args []any) string {
	if len(args) == 1 {
		if s, ok := args[0].(string); ok {
			return s
		}
	}
	for i, arg := range args {
		if v, ok := printableValue(reflect.ValueOf(arg)); ok {
			args[i] = v
		}
	}
	return fmt.Sprint(args...)
}
