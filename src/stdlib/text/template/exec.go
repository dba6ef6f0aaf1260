package template

import (
	"cmp"
	"fmt"
	"io"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"text/template/parse"
)

const maxDepth = 100000

// ExecError is what goes wrong when a template is executed.
type ExecError struct {
	Name string
	Err  error
}

func (e ExecError) Error() string { return e.Err.Error() }
func (e ExecError) Unwrap() error { return e.Err }

// writeError is what a writer says; Execute returns it as it is.
type writeError struct{ err error }

// A state is one template that is being executed. It fails by panicking.
type state struct {
	tmpl  *Template
	w     io.Writer
	node  parse.Node // the current one, for errors
	vars  []variable
	depth int
	known map[memberKey]member
}

type variable struct {
	name  string
	value reflect.Value
}

// What a node has ended with.
type leave int

const (
	goOn leave = iota
	breakLoop
	continueLoop
)

// none stands for an argument that is not there, in contrast to one that is no value.
type none struct{}

var (
	missing     = reflect.ValueOf(none{})
	missingType = reflect.TypeFor[none]()
	errorType   = reflect.TypeFor[error]()
	textType    = reflect.TypeFor[fmt.Stringer]()
	valueType   = reflect.TypeFor[reflect.Value]()
	stringType  = reflect.TypeFor[string]()
)

func isMissing(v reflect.Value) bool { return v.IsValid() && v.Type() == missingType }

func (t *Template) ExecuteTemplate(wr io.Writer, name string, data any) error {
	other := t.Lookup(name)
	if other == nil {
		return fmt.Errorf("template: no template %q associated with template %q", name, t.name)
	}
	return other.Execute(wr, data)
}

func (t *Template) Execute(wr io.Writer, data any) (err error) {
	defer func() {
		switch e := recover().(type) {
		case nil:
		case runtime.Error:
			panic(e)
		case writeError:
			err = e.err
		case ExecError:
			err = e
		default:
			panic(e)
		}
	}()
	value, ok := data.(reflect.Value)
	if !ok {
		value = reflect.ValueOf(data)
	}
	s := &state{
		tmpl: t, w: wr, vars: []variable{{"$", value}}, known: map[memberKey]member{},
	}
	if t.Tree == nil || t.Root == nil {
		s.errorf("%q is an incomplete or empty template", t.Name())
	}
	s.walk(value, t.Root)
	return nil
}

func (s *state) errorf(format string, args ...any) {
	err := fmt.Errorf(format, args...)
	name := s.tmpl.Name()
	if s.node == nil {
		err = fmt.Errorf("template: %s: %w", name, err)
	} else {
		at, text := s.tmpl.ErrorContext(s.node)
		err = fmt.Errorf("template: %s: executing %q at <%s>: %w", at, name, text, err)
	}
	panic(ExecError{name, &execError{err.Error(), wrapped(format, args)}})
}

// execError is a text, and what it wraps: the texts around an error are no errors themselves.
type execError struct {
	text string
	err  error
}

func (e *execError) Error() string { return e.text }
func (e *execError) Unwrap() error { return e.err }

// wrapped is the argument of %w.
func wrapped(format string, args []any) error {
	if strings.HasSuffix(format, "%w") {
		return args[len(args)-1].(error)
	}
	return nil
}

func (s *state) variable(name string) *reflect.Value {
	for i := len(s.vars) - 1; i >= 0; i-- {
		if s.vars[i].name == name {
			return &s.vars[i].value
		}
	}
	s.errorf("undefined variable: %s", name)
	return nil
}

// walk executes a node.
func (s *state) walk(dot reflect.Value, n parse.Node) leave {
	s.node = n
	switch n := n.(type) {
	case *parse.ListNode:
		for _, n := range n.Nodes {
			if l := s.walk(dot, n); l != goOn {
				return l
			}
		}
	case *parse.TextNode:
		if _, err := s.w.Write(n.Text); err != nil {
			panic(writeError{err})
		}
	case *parse.ActionNode:
		v := s.pipeline(dot, n.Pipe)
		if len(n.Pipe.Decl) == 0 {
			s.print(n, v)
		}
	case *parse.IfNode:
		return s.branch(dot, &n.BranchNode)
	case *parse.WithNode:
		return s.branch(dot, &n.BranchNode)
	case *parse.RangeNode:
		return s.loop(dot, n)
	case *parse.TemplateNode:
		s.call(dot, n)
	case *parse.BreakNode:
		return breakLoop
	case *parse.ContinueNode:
		return continueLoop
	case *parse.CommentNode:
	default:
		s.errorf("unknown node: %s", n)
	}
	return goOn
}

func (s *state) branch(dot reflect.Value, b *parse.BranchNode) (l leave) {
	mark := len(s.vars)
	v := s.pipeline(dot, b.Pipe)
	truth, ok := isTrue(plain(v))
	if !ok {
		s.errorf("if/with can't use %v", v)
	}
	switch {
	case truth && b.NodeType == parse.NodeWith:
		l = s.walk(v, b.List)
	case truth:
		l = s.walk(dot, b.List)
	case b.ElseList != nil:
		l = s.walk(dot, b.ElseList)
	}
	s.vars = s.vars[:mark]
	return l
}

func IsTrue(val any) (truth, ok bool) { return isTrue(reflect.ValueOf(val)) }

func isTrue(v reflect.Value) (truth, ok bool) {
	if !v.IsValid() {
		return false, true
	}
	switch v.Kind() {
	case reflect.Array, reflect.Map, reflect.Slice, reflect.String:
		return v.Len() > 0, true
	case reflect.Chan, reflect.Func, reflect.Pointer, reflect.UnsafePointer, reflect.Interface:
		return !v.IsNil(), true
	case reflect.Struct:
		return true, true
	case reflect.Float32, reflect.Float64:
		return v.Float() != 0, true
	case reflect.Complex64, reflect.Complex128:
		return v.Complex() != 0, true
	}
	return !v.IsZero(), true
}

// loop executes a range.
func (s *state) loop(dot reflect.Value, r *parse.RangeNode) leave {
	mark := len(s.vars)
	v, _ := indirect(s.pipeline(dot, r.Pipe))
	inner := len(s.vars)
	decl := r.Pipe.Decl
	ran := false
	// each executes the body once, and says whether the loop goes on. index is not valid for
	// sequences of single values.
	each := func(index, elem reflect.Value) bool {
		ran = true
		switch {
		case len(decl) == 0:
		case !r.Pipe.IsAssign:
			s.vars[inner-1].value = elem
			if len(decl) > 1 {
				s.vars[inner-2].value = index
			}
		case len(decl) > 1:
			*s.variable(decl[0].Ident[0]) = index
			*s.variable(decl[1].Ident[0]) = elem
		default:
			*s.variable(decl[0].Ident[0]) = elem
		}
		l := s.walk(elem, r.List)
		s.vars = s.vars[:inner]
		return l != breakLoop
	}
	s.iterate(v, len(decl), each)
	l := goOn
	if !ran && r.ElseList != nil {
		l = s.walk(dot, r.ElseList)
	}
	s.vars = s.vars[:mark]
	if !ran && l == breakLoop {
		// Go's loops catch what leaves them in their else, too.
		return goOn
	}
	return l
}

// iterate calls each for what is in v, for a loop with so many variables.
func (s *state) iterate(v reflect.Value, vars int, each func(index, elem reflect.Value) bool) {
	var no reflect.Value
	switch v.Kind() {
	case reflect.Invalid:
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Uint,
		reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		if vars > 1 {
			s.errorf("can't use %v to iterate over more than one variable", v)
		}
		for i := range v.Seq() {
			if !each(no, i) {
				return
			}
		}
	case reflect.Array, reflect.Slice:
		for i := 0; i < v.Len(); i++ {
			if !each(reflect.ValueOf(i), v.Index(i)) {
				return
			}
		}
	case reflect.Map:
		keys := v.MapKeys()
		slices.SortStableFunc(keys, compareKeys)
		for _, key := range keys {
			if elem := v.MapIndex(key); elem.IsValid() && !each(key, elem) {
				return
			}
		}
	case reflect.Chan:
		if v.IsNil() {
			return
		}
		if v.Type().ChanDir() == reflect.SendDir {
			s.errorf("range over send-only channel %v", v)
		}
		for i := 0; ; i++ {
			elem, ok := v.Recv()
			if !ok || !each(reflect.ValueOf(i), elem) {
				return
			}
		}
	case reflect.Func:
		switch t := v.Type(); {
		case t.CanSeq():
			if vars > 1 {
				s.errorf("can't use %v iterate over more than one variable", v)
			}
			for elem := range v.Seq() {
				if !each(no, elem) {
					return
				}
			}
			return
		case t.CanSeq2():
			for a, b := range v.Seq2() {
				if vars <= 1 {
					a, b = no, a
				}
				if !each(a, b) {
					return
				}
			}
			return
		}
		fallthrough
	default:
		s.errorf("range can't iterate over %v", v)
	}
}

// compareKeys is the order in which package fmt prints the keys of maps.
func compareKeys(a, b reflect.Value) int {
	if a.Type() != b.Type() {
		return cmp.Compare(a.Type().String(), b.Type().String())
	}
	switch a.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return cmp.Compare(a.Int(), b.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64,
		reflect.Uintptr:
		return cmp.Compare(a.Uint(), b.Uint())
	case reflect.String:
		return cmp.Compare(a.String(), b.String())
	case reflect.Float32, reflect.Float64:
		return cmp.Compare(a.Float(), b.Float())
	case reflect.Complex64, reflect.Complex128:
		x, y := a.Complex(), b.Complex()
		return cmp.Or(cmp.Compare(real(x), real(y)), cmp.Compare(imag(x), imag(y)))
	case reflect.Bool:
		switch {
		case a.Bool() == b.Bool():
			return 0
		case b.Bool():
			return -1
		}
		return 1
	case reflect.Pointer, reflect.UnsafePointer, reflect.Chan:
		return cmp.Compare(a.Pointer(), b.Pointer())
	case reflect.Struct:
		for i := range a.NumField() {
			if c := compareKeys(a.Field(i), b.Field(i)); c != 0 {
				return c
			}
		}
	case reflect.Array:
		for i := range a.Len() {
			if c := compareKeys(a.Index(i), b.Index(i)); c != 0 {
				return c
			}
		}
	case reflect.Interface:
		switch {
		case a.IsNil() && b.IsNil():
			return 0
		case a.IsNil():
			return -1
		case b.IsNil():
			return 1
		}
		return compareKeys(a.Elem(), b.Elem())
	}
	return 0
}

// call executes another template.
func (s *state) call(dot reflect.Value, n *parse.TemplateNode) {
	tmpl := s.tmpl.Lookup(n.Name)
	if tmpl == nil {
		s.errorf("template %q not defined", n.Name)
	}
	if s.depth == maxDepth {
		s.errorf("exceeded maximum template depth (%v)", maxDepth)
	}
	dot = s.pipeline(dot, n.Pipe)
	inner := *s
	inner.depth++
	inner.tmpl = tmpl
	inner.vars = []variable{{"$", dot}}
	inner.walk(dot, tmpl.Root)
}

// pipeline is the value of a pipeline, which its variables get, too.
func (s *state) pipeline(dot reflect.Value, pipe *parse.PipeNode) (v reflect.Value) {
	if pipe == nil {
		return
	}
	s.node = pipe
	v = missing
	for _, cmd := range pipe.Cmds {
		v = s.command(dot, cmd, v)
		if v.Kind() == reflect.Interface && v.Type().NumMethod() == 0 {
			v = v.Elem()
		}
	}
	for _, decl := range pipe.Decl {
		if name := decl.Ident[0]; pipe.IsAssign {
			*s.variable(name) = v
		} else {
			s.vars = append(s.vars, variable{name, v})
		}
	}
	return v
}

// command is the value of a command whose last argument is final.
func (s *state) command(dot reflect.Value, cmd *parse.CommandNode,
	final reflect.Value) reflect.Value {
	word := cmd.Args[0]
	switch n := word.(type) {
	case *parse.FieldNode, *parse.ChainNode, *parse.IdentifierNode, *parse.VariableNode:
		return s.term(dot, n, cmd, cmd.Args, final)
	case *parse.PipeNode:
		s.noArguments(cmd.Args, final)
		return s.pipeline(dot, n)
	}
	s.node = word
	s.noArguments(cmd.Args, final)
	switch n := word.(type) {
	case *parse.DotNode:
		return dot
	case *parse.NilNode:
		s.errorf("nil is not a command")
	case *parse.BoolNode, *parse.NumberNode, *parse.StringNode:
		return s.constant(n)
	}
	s.errorf("can't evaluate command %q", word)
	return missing
}

func (s *state) noArguments(args []parse.Node, final reflect.Value) {
	if len(args) > 1 || !isMissing(final) {
		s.errorf("can't give argument to non-function %s", args[0])
	}
}

// term is the value of what can be called, or have fields. whole is the node of a call.
func (s *state) term(dot reflect.Value, n, whole parse.Node, args []parse.Node,
	final reflect.Value) reflect.Value {
	s.node = n
	switch n := n.(type) {
	case *parse.FieldNode:
		return s.fields(dot, dot, n, n.Ident, args, final)
	case *parse.ChainNode:
		if len(n.Field) == 0 {
			s.errorf("internal error: no fields in evalChainNode")
		}
		if n.Node.Type() == parse.NodeNil {
			s.errorf("indirection through explicit nil in %s", n)
		}
		return s.fields(dot, s.argument(dot, nil, n.Node), n, n.Field, args, final)
	case *parse.VariableNode:
		v := *s.variable(n.Ident[0])
		if len(n.Ident) == 1 {
			s.noArguments(args, final)
			return v
		}
		return s.fields(dot, v, n, n.Ident[1:], args, final)
	case *parse.IdentifierNode:
		f, isBuiltin, ok := findFunction(n.Ident, s.tmpl)
		if !ok {
			s.errorf("%q is not a defined function", n.Ident)
		}
		return s.callFunc(dot, f, isBuiltin, whole, n.Ident, args, final)
	}
	panic("not reached")
}

// constant is a constant as a value of the type that it has by itself.
func (s *state) constant(n parse.Node) reflect.Value {
	s.node = n
	switch n := n.(type) {
	case *parse.BoolNode:
		return reflect.ValueOf(n.True)
	case *parse.StringNode:
		return reflect.ValueOf(n.Text)
	case *parse.NumberNode:
		text := n.Text
		isHex := len(text) > 2 && text[0] == '0' && text[1]|0x20 == 'x' &&
			!strings.ContainsAny(text, "pP")
		switch {
		case n.IsComplex:
			return reflect.ValueOf(n.Complex128)
		case n.IsFloat && !isHex && text[0] != '\'' && strings.ContainsAny(text, ".eEpP"):
			return reflect.ValueOf(n.Float64)
		case n.IsInt:
			return reflect.ValueOf(int(n.Int64))
		case n.IsUint:
			s.errorf("%s overflows int", text)
		}
	}
	return reflect.Value{}
}

// fields follows names from v on; the last one gets the arguments.
func (s *state) fields(dot, v reflect.Value, n parse.Node, names []string, args []parse.Node,
	final reflect.Value) reflect.Value {
	last := len(names) - 1
	for _, name := range names[:last] {
		v = s.field(dot, name, n, nil, missing, v)
	}
	return s.field(dot, names[last], n, args, final, v)
}

// What a name means for values of a type is looked for once.
type memberKey struct {
	t    reflect.Type
	name string
}

type member struct {
	method int   // its number, or -1
	field  []int // where it is, or nil
	hidden bool  // it is not exported
}

func (s *state) member(t reflect.Type, name string) member {
	key := memberKey{t, name}
	m, ok := s.known[key]
	if ok {
		return m
	}
	m.method = -1
	if method, ok := t.MethodByName(name); ok {
		m.method = method.Index
	} else if t.Kind() == reflect.Struct {
		if f, ok := t.FieldByName(name); ok {
			m.field, m.hidden = f.Index, !f.IsExported()
		}
	}
	s.known[key] = m
	return m
}

// field is the field, method or entry of v of that name.
func (s *state) field(dot reflect.Value, name string, n parse.Node, args []parse.Node,
	final, v reflect.Value) reflect.Value {
	if !v.IsValid() {
		if s.tmpl.missingKey == isError {
			s.errorf("nil data; no entry for key %q", name)
		}
		return v
	}
	t := v.Type()
	v, isNil := indirect(v)
	if v.Kind() == reflect.Interface && isNil {
		s.errorf("nil pointer evaluating %s.%s", t, name)
	}
	owner := v
	if k := v.Kind(); k != reflect.Interface && k != reflect.Pointer && v.CanAddr() {
		owner = v.Addr()
	}
	if m := s.member(owner.Type(), name); m.method >= 0 {
		return s.callFunc(dot, owner.Method(m.method), false, n, name, args, final)
	}
	hasArgs := len(args) > 1 || !isMissing(final)
	switch v.Kind() {
	case reflect.Struct:
		m := s.member(v.Type(), name)
		if m.field == nil {
			break
		}
		field, err := v.FieldByIndexErr(m.field)
		switch {
		case m.hidden:
			s.errorf("%s is an unexported field of struct type %s", name, t)
		case err != nil:
			s.errorf("%v", err)
		case hasArgs:
			s.errorf("%s has arguments but cannot be invoked as function", name)
		}
		return field
	case reflect.Map:
		key := reflect.ValueOf(name)
		if !key.Type().AssignableTo(v.Type().Key()) {
			break
		}
		if hasArgs {
			s.errorf("%s is not a method but has arguments", name)
		}
		entry := v.MapIndex(key)
		if !entry.IsValid() {
			switch s.tmpl.missingKey {
			case zeroValue:
				return reflect.Zero(v.Type().Elem())
			case isError:
				s.errorf("map has no entry for key %q", name)
			}
		}
		return entry
	case reflect.Pointer:
		elem := v.Type().Elem()
		if elem.Kind() == reflect.Struct && s.member(elem, name).field == nil {
			break
		}
		if isNil {
			s.errorf("nil pointer evaluating %s.%s", t, name)
		}
	}
	s.errorf("can't evaluate field %s in type %s", name, t)
	return missing
}

// unwrapped is the value that v is, if it is a reflect.Value.
func unwrapped(v reflect.Value) reflect.Value {
	if v.Type() == valueType {
		return v.Interface().(reflect.Value)
	}
	return v
}

// callFunc calls f. The first of args names it.
func (s *state) callFunc(dot, f reflect.Value, isBuiltin bool, n parse.Node, name string,
	args []parse.Node, final reflect.Value) reflect.Value {
	if args != nil {
		args = args[1:]
	}
	t := f.Type()
	count := len(args)
	if !isMissing(final) {
		count++
	}
	params := t.NumIn()
	fixed := params
	if t.IsVariadic() {
		if fixed--; count < fixed {
			s.errorf("wrong number of args for %s: want at least %d got %d", name, fixed, len(args))
		}
	} else if count != params {
		s.errorf("wrong number of args for %s: want %d got %d", name, params, count)
	}
	if err := goodFunc(name, t); err != nil {
		s.errorf("%v", err)
	}
	if isBuiltin && (name == "and" || name == "or") {
		// Arguments behind the one that decides are not evaluated.
		var v reflect.Value
		for _, arg := range args {
			v = unwrapped(s.argument(dot, valueType, arg))
			if truth(v) == (name == "or") {
				return v
			}
		}
		if !isMissing(final) {
			v = unwrapped(s.checked(final, valueType))
		}
		return v
	}
	param := func(i int) reflect.Type {
		if i < fixed {
			return t.In(i)
		}
		return t.In(params - 1).Elem()
	}
	values := make([]reflect.Value, count)
	for i, arg := range args {
		values[i] = s.argument(dot, param(i), arg)
	}
	if !isMissing(final) {
		values[count-1] = s.checked(final, param(count-1))
	}
	if isBuiltin && name == "call" {
		callee := ""
		if len(args) > 0 {
			callee = args[0].String()
		} else {
			callee = final.String()
		}
		values = append([]reflect.Value{reflect.ValueOf(callee)}, values...)
		f = reflect.ValueOf(call)
	}
	v, err := safeCall(f, values)
	if err != nil {
		s.node = n
		s.errorf("error calling %s: %w", name, err)
	}
	return unwrapped(v)
}

func canBeNil(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Chan, reflect.Func, reflect.Interface, reflect.Map, reflect.Pointer,
		reflect.Slice:
		return true
	}
	return t == valueType
}

// checked is v as a value of type t; nil takes all.
func (s *state) checked(v reflect.Value, t reflect.Type) reflect.Value {
	switch {
	case !v.IsValid() && t == nil:
		return v
	case !v.IsValid() && canBeNil(t):
		return reflect.Zero(t)
	case !v.IsValid():
		s.errorf("invalid value; expected %s", t)
	case t == nil:
		return v
	case t == valueType && v.Type() != t:
		return reflect.ValueOf(v)
	}
	own := v.Type()
	if own.AssignableTo(t) {
		return v
	}
	if own.Kind() == reflect.Interface && !v.IsNil() {
		v = v.Elem()
		if own = v.Type(); own.AssignableTo(t) {
			return v
		}
	}
	switch {
	case own.Kind() == reflect.Pointer && own.Elem().AssignableTo(t):
		if v = v.Elem(); !v.IsValid() {
			s.errorf("dereference of nil pointer of type %s", t)
		}
	case v.CanAddr() && reflect.PointerTo(own).AssignableTo(t):
		v = v.Addr()
	default:
		s.errorf("wrong type for value; expected %s; got %s", t, own)
	}
	return v
}

// argument is the value of n for a parameter of type t.
func (s *state) argument(dot reflect.Value, t reflect.Type, n parse.Node) reflect.Value {
	s.node = n
	switch n := n.(type) {
	case *parse.DotNode:
		return s.checked(dot, t)
	case *parse.NilNode:
		if !canBeNil(t) {
			s.errorf("cannot assign nil to %s", t)
		}
		return reflect.Zero(t)
	case *parse.PipeNode:
		return s.checked(s.pipeline(dot, n), t)
	case *parse.FieldNode, *parse.VariableNode, *parse.IdentifierNode, *parse.ChainNode:
		return s.checked(s.term(dot, n, n, nil, missing), t)
	}
	if t == valueType {
		return reflect.ValueOf(s.constant(n))
	}
	number, isNumber := n.(*parse.NumberNode)
	expected := ""
	v := reflect.New(t).Elem()
	switch t.Kind() {
	case reflect.Interface:
		if t.NumMethod() == 0 {
			return s.constant(n)
		}
	case reflect.Bool:
		if n, ok := n.(*parse.BoolNode); ok {
			v.SetBool(n.True)
			return v
		}
		expected = "bool"
	case reflect.String:
		if n, ok := n.(*parse.StringNode); ok {
			v.SetString(n.Text)
			return v
		}
		expected = "string"
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		if isNumber && number.IsInt {
			v.SetInt(number.Int64)
			return v
		}
		expected = "integer"
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64,
		reflect.Uintptr:
		if isNumber && number.IsUint {
			v.SetUint(number.Uint64)
			return v
		}
		expected = "unsigned integer"
	case reflect.Float32, reflect.Float64:
		if isNumber && number.IsFloat {
			v.SetFloat(number.Float64)
			return v
		}
		expected = "float"
	case reflect.Complex64, reflect.Complex128:
		if isNumber && number.IsComplex {
			v.SetComplex(number.Complex128)
			return v
		}
		expected = "complex"
	}
	if expected != "" {
		s.errorf("expected %s; found %s", expected, n)
	}
	s.errorf("can't handle %s for arg of type %s", n, t)
	return missing
}

// indirect follows pointers and interfaces as far as they lead.
func indirect(v reflect.Value) (rv reflect.Value, isNil bool) {
	for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		if v.IsNil() {
			return v, true
		}
		v = v.Elem()
	}
	return v, false
}

// plain is what is in v, if that is an interface.
func plain(v reflect.Value) reflect.Value {
	if v.Kind() == reflect.Interface {
		return v.Elem()
	}
	return v
}

func (s *state) print(n parse.Node, v reflect.Value) {
	s.node = n
	printable, ok := printableValue(v)
	if !ok {
		s.errorf("can't print %s of type %s", n, v.Type())
	}
	var err error
	if text, ok := printable.(string); ok {
		_, err = s.w.Write([]byte(text))
	} else {
		_, err = fmt.Fprint(s.w, printable)
	}
	if err != nil {
		panic(writeError{err})
	}
}

// printableValue is what package fmt is to print for v, if it can be printed.
func printableValue(v reflect.Value) (any, bool) {
	if v.Kind() == reflect.Pointer {
		v, _ = indirect(v)
	}
	if !v.IsValid() {
		return "<no value>", true
	}
	writes := func(t reflect.Type) bool { return t.Implements(errorType) || t.Implements(textType) }
	if t := v.Type(); t != stringType && !writes(t) {
		if v.CanAddr() && writes(reflect.PointerTo(t)) {
			v = v.Addr()
		} else if k := v.Kind(); k == reflect.Chan || k == reflect.Func {
			return nil, false
		}
	}
	return v.Interface(), true
}
