// The functions that all templates know.

package template

import (
	"errors"
	"fmt"
	"reflect"
	"unicode"
)

// builtins are the functions by their names. The executor does the work of the first three; what is
// here of them is which arguments they take.
var builtins = FuncMap{
	"and": takesSome, "or": takesSome, "call": takesSome,
	"len": count, "index": element, "slice": part, "not": negation,
	"print": fmt.Sprint, "println": fmt.Sprintln, "printf": fmt.Sprintf,
	"html": HTMLEscaper, "js": JSEscaper, "urlquery": URLQueryEscaper,
	"eq": equalsAny, "ne": differs, "lt": less, "le": lessOrEqual,
	"gt": greater, "ge": greaterOrEqual,
}

func takesSome(reflect.Value, ...reflect.Value) (nothing reflect.Value) { return }

// callable is a function of a set as a value; it panics if templates cannot call it.
func callable(name string, f any) reflect.Value {
	v := reflect.ValueOf(f)
	var problem any
	if v.Kind() != reflect.Func {
		problem = "value for " + name + " not a function"
	} else if err := checkResults(name, v.Type()); err != nil {
		problem = err
	}
	if !isIdentifier(name) {
		problem = fmt.Errorf("function name %q is not a valid identifier", name)
	}
	if problem != nil {
		panic(problem)
	}
	return v
}

func isIdentifier(name string) bool {
	begins := true
	for _, r := range name {
		if r != '_' && !unicode.IsLetter(r) && (begins || !unicode.IsDigit(r)) {
			return false
		}
		begins = false
	}
	return !begins
}

// checkResults says whether a template can use what functions of a type return.
func checkResults(name string, t reflect.Type) (problem error) {
	switch n := t.NumOut(); {
	case n != 1 && n != 2:
		problem = fmt.Errorf("function %s has %d return values; should be 1 or 2", name, n)
	case t.Out(n-1) != errorType && n == 2:
		problem = fmt.Errorf("invalid function signature for %s: "+
			"second return value should be error; is %s", name, t.Out(1))
	}
	return problem
}

// callValue is call, for a function that messages call name.
func callValue(name string, f reflect.Value, args []reflect.Value) (result reflect.Value,
	err error) {
	if f = contentOf(f); !f.IsValid() {
		return result, errors.New("call of nil")
	}
	t := f.Type()
	if f.Kind() != reflect.Func {
		return result, fmt.Errorf("non-function %s of type %s", name, t)
	}
	if err := checkResults(name, t); err != nil {
		return result, err
	}
	types, want := paramTypes(t, len(args))
	if want != "" {
		return result, fmt.Errorf("wrong number of args for %s: got %d want %s", name, len(args), want)
	}
	values := make([]reflect.Value, len(args))
	for i, want := range types {
		if values[i], err = keyAs(contentOf(args[i]), want); err != nil {
			return result, fmt.Errorf("arg %d: %w", i, err)
		}
	}
	return guarded(func(in []reflect.Value) (reflect.Value, error) {
		return results(f.Call(in))
	}, values)
}

// contentOf is v, or what is in it if it is an interface.
func contentOf(v reflect.Value) reflect.Value {
	if v.Kind() == reflect.Interface {
		return v.Elem()
	}
	return v
}

// keyAs is v as a key, or an argument, of type t. Integers are converted to other ones.
func keyAs(v reflect.Value, t reflect.Type) (reflect.Value, error) {
	integers := ints | uints
	switch {
	case !v.IsValid() && acceptsNil(t):
		return reflect.Zero(t), nil
	case !v.IsValid():
		return v, fmt.Errorf("value is nil; should be of type %s", t)
	case v.Type().AssignableTo(t):
		return v, nil
	case integers.has(v.Kind()) && integers.has(t.Kind()):
		return v.Convert(t), nil
	}
	return reflect.Value{}, fmt.Errorf("value has type %s; should be %s", v.Type(), t)
}

func negation(arg reflect.Value) bool { return !truth(arg) }

func count(item reflect.Value) (n int, err error) {
	v, isNil := indirect(item)
	if isNil {
		return 0, errors.New("len of nil pointer")
	}
	if has := counted | 1<<reflect.Chan; has.has(v.Kind()) {
		n = v.Len()
	} else {
		err = fmt.Errorf("len of type %s", v.Type())
	}
	return n, err
}

// integer is the number that v is, if it is one.
func integer(v reflect.Value) (n int64, ok bool) {
	if v.CanUint() {
		return int64(v.Uint()), true
	}
	if ok = v.CanInt(); ok {
		n = v.Int()
	}
	return n, ok
}

// offset is an index into what has a size.
func offset(index reflect.Value, size int) (at int, err error) {
	n, ok := integer(index)
	switch {
	case ok && uint64(n) > uint64(size):
		err = fmt.Errorf("index out of range: %d", n)
	case !ok && index.IsValid():
		err = fmt.Errorf("cannot index slice/array with type %s", index.Type())
	case !ok:
		err = errors.New("cannot index slice/array with nil")
	}
	return int(n), err
}

// itemOf is where index and slice begin.
func itemOf(op string, item reflect.Value) (reflect.Value, error) {
	item = contentOf(item)
	if !item.IsValid() {
		return item, errors.New(op + " of untyped nil")
	}
	return item, nil
}

func element(item reflect.Value, indexes ...reflect.Value) (reflect.Value, error) {
	item, err := itemOf("index", item)
	for i := 0; i < len(indexes) && err == nil; i++ {
		item, err = elementAt(item, contentOf(indexes[i]))
	}
	if err != nil {
		return reflect.Value{}, err
	}
	return item, nil
}

func elementAt(item, index reflect.Value) (elem reflect.Value, err error) {
	item, isNil := indirect(item)
	if isNil {
		return elem, errors.New("index of nil pointer")
	}
	k := item.Kind()
	if k == reflect.Map {
		key, err := keyAs(index, item.Type().Key())
		if err != nil {
			return elem, err
		}
		if elem = item.MapIndex(key); !elem.IsValid() {
			elem = reflect.Zero(item.Type().Elem())
		}
		return elem, nil
	}
	if !counted.has(k) {
		return elem, fmt.Errorf("can't index item of type %s", item.Type())
	}
	at, err := offset(index, item.Len())
	if err != nil {
		return elem, err
	}
	return item.Index(at), nil
}

func part(item reflect.Value, indexes ...reflect.Value) (none reflect.Value, err error) {
	item, err = itemOf("slice", item)
	if err != nil {
		return none, err
	}
	item, isNil := indirect(item)
	n, k := len(indexes), item.Kind()
	switch {
	case isNil:
		return none, errors.New("slice of nil pointer")
	case n > 3:
		return none, fmt.Errorf("too many slice indexes: %d", n)
	case k == reflect.String && n == 3:
		return none, errors.New("cannot 3-index slice a string")
	case k != reflect.String && !lists.has(k):
		return none, fmt.Errorf("can't slice item of type %s", item.Type())
	}
	size := item.Len()
	bounds := [3]int{0, size, 0}
	if k != reflect.String {
		size = item.Cap()
	}
	for i, index := range indexes {
		if bounds[i], err = offset(index, size); err != nil {
			return none, err
		}
	}
	for i := 1; i < max(2, n); i++ {
		if low, high := bounds[i-1], bounds[i]; low > high {
			return none, fmt.Errorf("invalid slice index: %d > %d", low, high)
		}
	}
	if n == 3 {
		return item.Slice3(bounds[0], bounds[1], bounds[2]), nil
	}
	return item.Slice(bounds[0], bounds[1]), nil
}
