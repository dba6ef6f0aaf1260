// An execution of a program: its frames, its errors, its loops, and how values are printed.

package template

import (
	"fmt"
	"io"
	"reflect"
	"strconv"
	"sync/atomic"
	"text/template/parse"
)

// maxDepth is how many templates may be at work within one another.
const maxDepth = 100000

// ExecError is what goes wrong when a template is executed. Errors of its writer are returned as
// they are.
type ExecError struct {
	Name string // of the template
	Err  error  // with all that is told
}

func (e ExecError) Error() string { return e.Err.Error() }

func (e ExecError) Unwrap() error { return e.Err }

// A failure is what a run panics with, for Execute to return.
type failure struct{ err error }

// A run is one execution.
type run struct {
	frame
	out  io.Writer
	at   parse.Node      // what is being executed, for errors
	free []reflect.Value // for the variables of further frames
	text []byte          // of what is being printed
}

// A frame is a template at work.
type frame struct {
	tmpl  *Template
	vars  []reflect.Value
	depth int
}

// Execute writes the template for data, which is dot and $ in it.
func (t *Template) Execute(wr io.Writer, data any) (err error) {
	defer func() {
		if e := recover(); e != nil {
			stopped, ok := e.(failure)
			if !ok {
				panic(e)
			}
			err = stopped.err
		}
	}()
	dot, ok := data.(reflect.Value)
	if !ok {
		dot = reflect.ValueOf(data)
	}
	r := &run{out: wr, frame: frame{tmpl: t, depth: -1}}
	if !t.isDefined() {
		r.fail("%q is an incomplete or empty template", t.Name())
	}
	r.enter(t, dot)
	return nil
}

// ExecuteTemplate executes the template of the set that has a name.
func (t *Template) ExecuteTemplate(wr io.Writer, name string, data any) error {
	if found := t.Lookup(name); found != nil {
		return found.Execute(wr, data)
	}
	return fmt.Errorf("template: no template %q associated with template %q", name, t.name)
}

// enter executes t in a frame of its own.
func (r *run) enter(t *Template, dot reflect.Value) {
	p := t.program()
	outer, free := r.frame, r.free
	if len(free) < p.slots {
		free = make([]reflect.Value, p.slots+32)
	}
	r.frame = frame{t, free[:p.slots], outer.depth + 1}
	r.free = free[p.slots:]
	r.vars[0] = dot
	p.body(r, dot)
	r.frame, r.free = outer, free
}

// fail ends the run. An error may only be wrapped by the last argument.
func (r *run) fail(format string, args ...any) {
	name := r.tmpl.Name()
	where := []any{name}
	intro := "template: %s: "
	if r.at != nil {
		place, text := r.tmpl.ErrorContext(r.at)
		intro = "template: %s: executing %q at <%s>: "
		where = []any{place, name, text}
	}
	panic(failure{ExecError{name, fmt.Errorf(intro+format, append(where, args...)...)}})
}

// A kindSet is kinds of types, a bit for each.
type kindSet uint32

const (
	ints kindSet = 1<<reflect.Int | 1<<reflect.Int8 | 1<<reflect.Int16 | 1<<reflect.Int32 |
		1<<reflect.Int64
	uints kindSet = 1<<reflect.Uint | 1<<reflect.Uint8 | 1<<reflect.Uint16 | 1<<reflect.Uint32 |
		1<<reflect.Uint64 | 1<<reflect.Uintptr
	floats    kindSet = 1<<reflect.Float32 | 1<<reflect.Float64
	complexes kindSet = 1<<reflect.Complex64 | 1<<reflect.Complex128
	lists     kindSet = 1<<reflect.Array | 1<<reflect.Slice
	counted           = lists | 1<<reflect.Map | 1<<reflect.String
	nilable   kindSet = 1<<reflect.Chan | 1<<reflect.Func | 1<<reflect.Interface |
		1<<reflect.Map | 1<<reflect.Pointer | 1<<reflect.Slice
)

func (s kindSet) has(k reflect.Kind) bool { return s>>k&1 != 0 }

// truth says whether v counts as true: if it is not the zero value, or has elements.
func truth(v reflect.Value) bool {
	if v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	switch k := v.Kind(); {
	case k == reflect.Invalid:
		return false
	case k == reflect.Struct:
		return true
	case counted.has(k):
		return v.Len() > 0
	case floats.has(k):
		return v.Float() != 0
	case complexes.has(k):
		return v.Complex() != 0
	}
	return !v.IsZero()
}

// IsTrue says whether a template takes val for true, and whether that has a meaning, which it has
// for all values.
func IsTrue(val any) (truthful, ok bool) {
	v := reflect.ValueOf(val)
	return truth(v), true
}

// indirect follows pointers and interfaces as far as they lead.
func indirect(v reflect.Value) (end reflect.Value, isNil bool) {
	for {
		k := v.Kind()
		if k != reflect.Pointer && k != reflect.Interface {
			return v, false
		}
		inner := v.Elem()
		if !inner.IsValid() {
			return v, true
		}
		v = inner
	}
}

// each calls yield for what is in v, until that returns false. vars is how many variables the loop
// has: index is only a value if there are two.
func (r *run) each(v reflect.Value, vars int, yield func(index, elem reflect.Value) bool) {
	single := func(elem reflect.Value) bool { return yield(reflect.Value{}, elem) }
	switch k := v.Kind(); {
	case k == reflect.Invalid:
	case lists.has(k):
		for i := 0; i < v.Len(); i++ {
			var index reflect.Value
			if vars > 1 {
				index = reflect.ValueOf(i)
			}
			if !yield(index, v.Index(i)) {
				return
			}
		}
	case k == reflect.Map:
		for _, key := range sortedKeys(v) {
			if elem := v.MapIndex(key); elem.IsValid() && !yield(key, elem) {
				return
			}
		}
	case (ints | uints).has(k):
		if vars > 1 {
			r.fail("can't use %v to iterate over more than one variable", v)
		}
		v.Seq()(single)
	case k == reflect.Chan && v.Type().ChanDir() != reflect.SendDir:
		if v.IsNil() {
			return
		}
		i := 0
		v.Seq()(func(elem reflect.Value) bool {
			i++
			return yield(reflect.ValueOf(i-1), elem)
		})
	case k == reflect.Chan:
		if !v.IsNil() {
			r.fail("range over send-only channel %v", v)
		}
	case k == reflect.Func && v.Type().CanSeq():
		if vars > 1 {
			r.fail("can't use %v iterate over more than one variable", v)
		}
		v.Seq()(single)
	case k == reflect.Func && v.Type().CanSeq2():
		v.Seq2()(func(a, b reflect.Value) bool {
			if vars > 1 {
				return yield(a, b)
			}
			return single(a)
		})
	default:
		r.fail("range can't iterate over %v", v)
	}
}

// Printing:

// A printer prints the values of an action. It remembers the type of the last one.
type printer struct {
	node parse.Node
	last atomic.Pointer[printing]
}

// A printing is how values of a type are printed.
type printing struct {
	of     reflect.Type
	append func(text []byte, v reflect.Value) []byte // nil if package fmt does it
}

func (p *printer) print(r *run, v reflect.Value) {
	r.at = p.node
	if v.IsValid() {
		t := v.Type()
		how := p.last.Load()
		if how == nil || how.of != t {
			how = &printing{of: t}
			if t.NumMethod() == 0 && reflect.PointerTo(t).NumMethod() == 0 {
				how.append = appenders[t.Kind()]
			}
			p.last.Store(how)
		}
		if how.append != nil {
			r.text = how.append(r.text[:0], v)
			r.write(r.text)
			return
		}
	}
	x, ok := printable(v)
	if !ok {
		r.fail("can't print %s of type %s", p.node, v.Type())
	}
	if _, err := fmt.Fprint(r.out, x); err != nil {
		panic(failure{err})
	}
}

// appenders print what has no methods as package fmt does.
var appenders = [...]func(text []byte, v reflect.Value) []byte{
	reflect.Bool:    appendBool,
	reflect.Int:     appendInt,
	reflect.Int8:    appendInt,
	reflect.Int16:   appendInt,
	reflect.Int32:   appendInt,
	reflect.Int64:   appendInt,
	reflect.Uint:    appendUint,
	reflect.Uint8:   appendUint,
	reflect.Uint16:  appendUint,
	reflect.Uint32:  appendUint,
	reflect.Uint64:  appendUint,
	reflect.Uintptr: appendUint,
	reflect.Float32: appendFloat,
	reflect.Float64: appendFloat,
	reflect.String:  appendString,

	reflect.UnsafePointer: nil, // the last of all kinds
}

func appendString(text []byte, v reflect.Value) []byte { return append(text, v.String()...) }

func appendBool(text []byte, v reflect.Value) []byte { return strconv.AppendBool(text, v.Bool()) }

func appendInt(text []byte, v reflect.Value) []byte { return strconv.AppendInt(text, v.Int(), 10) }

func appendUint(text []byte, v reflect.Value) []byte {
	return strconv.AppendUint(text, v.Uint(), 10)
}

func appendFloat(text []byte, v reflect.Value) []byte {
	return strconv.AppendFloat(text, v.Float(), 'g', -1, v.Type().Bits())
}

// speaks says whether package fmt asks values of type t for their text.
func speaks(t reflect.Type) bool { return t.Implements(errorType) || t.Implements(stringerType) }

// printable is what package fmt is to print for v, if it can be printed: what pointers lead to, or
// the variable that it is if that can say its text.
func printable(v reflect.Value) (x any, ok bool) {
	if v.Kind() == reflect.Pointer {
		v, _ = indirect(v)
	}
	k := v.Kind()
	switch {
	case k == reflect.Invalid:
		return "<no value>", true
	case speaks(v.Type()):
	case v.CanAddr() && speaks(reflect.PointerTo(v.Type())):
		v = v.Addr()
	case k == reflect.Chan, k == reflect.Func:
		return nil, false
	}
	return v.Interface(), true
}

var (
	errorType    = reflect.TypeFor[error]()
	stringerType = reflect.TypeFor[fmt.Stringer]()
	valueType    = reflect.TypeFor[reflect.Value]()
)
