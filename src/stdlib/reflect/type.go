// Package reflect shows programs their own types and values.
//
// A Type is a *rtype: the run-time system's own descriptor of a type, of which there is one for
// each type. A Value is an interface's two words and a flag: see value.go. What needs more than
// loads and stores is done by natives.
package reflect

import (
	"iter"
	"strconv"
	"unsafe"
)

// A Type describes a type of the program. Types can be compared with ==.
type Type interface {
	Align() int
	FieldAlign() int
	Method(int) Method
	Methods() iter.Seq[Method]
	MethodByName(string) (Method, bool)
	NumMethod() int
	Name() string
	PkgPath() string
	Size() uintptr
	String() string
	Kind() Kind
	Implements(u Type) bool
	AssignableTo(u Type) bool
	ConvertibleTo(u Type) bool
	Comparable() bool
	Bits() int
	ChanDir() ChanDir
	IsVariadic() bool
	Elem() Type
	Field(i int) StructField
	Fields() iter.Seq[StructField]
	FieldByIndex(index []int) StructField
	FieldByName(name string) (StructField, bool)
	FieldByNameFunc(match func(string) bool) (StructField, bool)
	In(i int) Type
	Ins() iter.Seq[Type]
	Key() Type
	Len() int
	NumField() int
	NumIn() int
	NumOut() int
	Out(i int) Type
	Outs() iter.Seq[Type]
	OverflowComplex(x complex128) bool
	OverflowFloat(x float64) bool
	OverflowInt(x int64) bool
	OverflowUint(x uint64) bool
	CanSeq() bool
	CanSeq2() bool
	base() *rtype
}

// A Kind says what sort of type a type is.
type Kind uint

const (
	Invalid Kind = iota
	Bool
	Int
	Int8
	Int16
	Int32
	Int64
	Uint
	Uint8
	Uint16
	Uint32
	Uint64
	Uintptr
	Float32
	Float64
	Complex64
	Complex128
	Array
	Chan
	Func
	Interface
	Map
	Pointer
	Slice
	String
	Struct
	UnsafePointer
)

// Ptr is the old name of Pointer.
const Ptr = Pointer

var kindTexts = [...]string{
	"invalid", "bool", "int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16",
	"uint32", "uint64", "uintptr", "float32", "float64", "complex64", "complex128", "array",
	"chan", "func", "interface", "map", "ptr", "slice", "string", "struct", "unsafe.Pointer",
}

// String returns the name of k.
func (k Kind) String() string {
	if k < Kind(len(kindTexts)) {
		return kindTexts[k]
	}
	return "kind" + strconv.Itoa(int(k))
}

// ChanDir is a channel type's direction.
type ChanDir int

const (
	RecvDir ChanDir = 1 << iota
	SendDir
	BothDir = RecvDir | SendDir
)

// String returns the direction as it is written in a type.
func (d ChanDir) String() string {
	switch d {
	case RecvDir:
		return "<-chan"
	case SendDir:
		return "chan<-"
	case BothDir:
		return "chan"
	}
	return "ChanDir" + strconv.Itoa(int(d))
}

// Method is one method of a type.
type Method struct {
	Name    string
	PkgPath string
	Type    Type
	Func    Value
	Index   int
}

// A StructField is one field of a struct type.
type StructField struct {
	Name      string
	PkgPath   string
	Type      Type
	Tag       StructTag
	Offset    uintptr
	Index     []int
	Anonymous bool
}

// What has the path of a package is known there only.

// IsExported says whether the method is exported.
func (m Method) IsExported() bool { return m.PkgPath == "" }

// IsExported says whether the field is exported.
func (f StructField) IsExported() bool { return f.PkgPath == "" }

// A StructTag is the text behind a field: by convention key:"value" pairs.
type StructTag string

// Get returns the value of key, "" if there is none.
func (tag StructTag) Get(key string) string {
	value, _ := tag.Lookup(key)
	return value
}

// Lookup returns the value of key, and whether the tag has the key.
func (tag StructTag) Lookup(key string) (value string, ok bool) {
	quoted, ok := lookupTag(string(tag), key)
	if !ok {
		return "", false
	}
	if n := len(quoted) - 2; n >= 0 && quoted[0] == '"' {
		plain := true
		for i := 1; i <= n; i++ {
			if c := quoted[i]; c == '\\' || c == '\n' {
				plain = false
				break
			}
		}
		if plain {
			return quoted[1 : n+1], true
		}
	}
	value, err := strconv.Unquote(quoted)
	if err != nil {
		return "", false
	}
	return value, true
}

// rtype is the run-time system's descriptor of a type; bytecode/rtype.rs declares it.
type rtype struct {
	size       uintptr
	kind       uint8
	align      uint8
	flags      uint16
	dir        uint8
	hash       uint32
	layout     uint32
	id         uint32
	length     uintptr
	elem       *rtype
	key        *rtype
	text       string
	name       string
	importPath string
	fields     list
	methods    *list
	interfaces list
	ins        list
	outs       list
}

// What rtype.flags says.
const (
	isDirect     = 1
	isComparable = 2
	hasPointers  = 4
	isRegular    = 8
	isNamed      = 16
	isVariadic   = 32
)

// A list is a list of the run-time system's.
type list struct {
	first unsafe.Pointer
	n     int
}

// field is a field of a struct type.
type field struct {
	name     string
	pkg      string
	typ      *rtype
	offset   uintptr
	embedded bool
	exported bool
	tag      string
}

// method is a method of a concrete type.
type method struct {
	name string
	pkg  string
	typ  *rtype
	fn   uint32
}

// imethod is a method of an interface type.
type imethod struct {
	name string
	pkg  string
	typ  *rtype
}

func (t *rtype) field(i int) *field {
	return (*field)(unsafe.Add(t.fields.first, uintptr(i)*unsafe.Sizeof(field{})))
}

func (t *rtype) imethod(i int) *imethod {
	return (*imethod)(unsafe.Add(t.interfaces.first, uintptr(i)*unsafe.Sizeof(imethod{})))
}

func (l *list) typ(i int) *rtype {
	return *(**rtype)(unsafe.Add(l.first, uintptr(i)*8))
}

// typeOrNil is t as a Type, nil if it is nil.
func typeOrNil(t *rtype) Type {
	if t == nil {
		return nil
	}
	return t
}

// TypeOf returns the dynamic type of i, nil if i is nil.
func TypeOf(i any) Type { return typeOrNil(typeWord(i)) }

// TypeFor returns the type T.
func TypeFor[T any]() Type {
	var p *T
	return typeWord(p).elem
}

func (t *rtype) base() *rtype    { return t }
func (t *rtype) Align() int      { return int(t.align) }
func (t *rtype) FieldAlign() int { return int(t.align) }
func (t *rtype) Size() uintptr   { return t.size }
func (t *rtype) String() string  { return t.text }
func (t *rtype) Name() string    { return t.name }

func (t *rtype) PkgPath() string {
	if t.importPath == "" && t.text == "unsafe.Pointer" {
		return "unsafe"
	}
	return t.importPath
}

func (t *rtype) Kind() Kind { return Kind(t.kind) }
func (t *rtype) Comparable() bool {
	return t.flags&isComparable != 0
}

// notA panics for a type of which something was asked that it does not have.
func (t *rtype) notA(what string) {
	panic("reflect: " + what + " type " + t.text)
}

func (t *rtype) Bits() int {
	k := Kind(t.kind)
	if k < Int || k > Complex128 {
		panic("reflect: Bits of non-arithmetic Type " + t.text)
	}
	return int(t.size) * 8
}

func (t *rtype) ChanDir() ChanDir {
	if Kind(t.kind) != Chan {
		t.notA("ChanDir of non-chan")
	}
	return ChanDir(t.dir)
}

func (t *rtype) IsVariadic() bool {
	if Kind(t.kind) != Func {
		t.notA("IsVariadic of non-func")
	}
	return t.flags&isVariadic != 0
}

func (t *rtype) Elem() Type {
	switch Kind(t.kind) {
	case Array, Chan, Map, Pointer, Slice:
		return t.elem
	}
	t.notA("Elem of invalid")
	return nil
}

func (t *rtype) Key() Type {
	if Kind(t.kind) != Map {
		t.notA("Key of non-map")
	}
	return t.key
}

func (t *rtype) Len() int {
	if Kind(t.kind) != Array {
		t.notA("Len of non-array")
	}
	return int(t.length)
}

func (t *rtype) NumIn() int {
	if Kind(t.kind) != Func {
		t.notA("NumIn of non-func")
	}
	return t.ins.n
}

func (t *rtype) NumOut() int {
	if Kind(t.kind) != Func {
		t.notA("NumOut of non-func")
	}
	return t.outs.n
}

func (t *rtype) In(i int) Type {
	if Kind(t.kind) != Func {
		t.notA("In of non-func")
	}
	return t.ins.at(i)
}

func (t *rtype) Out(i int) Type {
	if Kind(t.kind) != Func {
		t.notA("Out of non-func")
	}
	return t.outs.at(i)
}

// at is the i-th type of a list, with a bounds check.
func (l *list) at(i int) Type {
	_ = make([]struct{}, l.n)[i]
	return l.typ(i)
}

func (t *rtype) Ins() iter.Seq[Type] {
	if Kind(t.kind) != Func {
		t.notA("Ins of non-func")
	}
	return t.ins.all()
}

func (t *rtype) Outs() iter.Seq[Type] {
	if Kind(t.kind) != Func {
		t.notA("Outs of non-func")
	}
	return t.outs.all()
}

func (l *list) all() iter.Seq[Type] {
	return func(yield func(Type) bool) {
		for i := range l.n {
			if !yield(l.typ(i)) {
				return
			}
		}
	}
}

func (t *rtype) OverflowComplex(x complex128) bool {
	switch Kind(t.kind) {
	case Complex64:
		return exceedsFloat32(real(x)) || exceedsFloat32(imag(x))
	case Complex128:
		return false
	}
	t.notA("OverflowComplex of non-complex")
	return false
}

func (t *rtype) OverflowFloat(x float64) bool {
	switch Kind(t.kind) {
	case Float32:
		return exceedsFloat32(x)
	case Float64:
		return false
	}
	t.notA("OverflowFloat of non-float")
	return false
}

func (t *rtype) OverflowInt(x int64) bool {
	if k := Kind(t.kind); k < Int || k > Int64 {
		t.notA("OverflowInt of non-int")
	}
	return t.intOverflows(x)
}

func (t *rtype) OverflowUint(x uint64) bool {
	if k := Kind(t.kind); k < Uint || k > Uintptr {
		t.notA("OverflowUint of non-uint")
	}
	return t.uintOverflows(x)
}

func (t *rtype) intOverflows(x int64) bool {
	unused := 64 - 8*t.size
	return x<<unused>>unused != x
}

func (t *rtype) uintOverflows(x uint64) bool {
	unused := 64 - 8*t.size
	return x<<unused>>unused != x
}

func exceedsFloat32(x float64) bool {
	if x < 0 {
		x = -x
	}
	const largest = 0x1p127 * (2 - 0x1p-23)
	const infinite = 0x1p1023 * (2 - 0x1p-52)
	return largest < x && x <= infinite
}

func (t *rtype) NumField() int {
	if Kind(t.kind) != Struct {
		t.notA("NumField of non-struct")
	}
	return t.fields.n
}

func (t *rtype) Field(i int) StructField {
	if Kind(t.kind) != Struct {
		t.notA("Field of non-struct")
	}
	if uint(i) >= uint(t.fields.n) {
		panic("reflect: Field index out of bounds")
	}
	f := t.field(i)
	return StructField{f.name, f.pkg, f.typ, StructTag(f.tag), f.offset, []int{i}, f.embedded}
}

func (t *rtype) Fields() iter.Seq[StructField] {
	if Kind(t.kind) != Struct {
		t.notA("Fields of non-struct")
	}
	return func(yield func(StructField) bool) {
		for i := 0; i < t.fields.n && yield(t.Field(i)); i++ {
		}
	}
}

func (t *rtype) FieldByIndex(index []int) StructField {
	if Kind(t.kind) != Struct {
		t.notA("FieldByIndex of non-struct")
	}
	f := StructField{Type: t}
	for k, i := range index {
		if k > 0 {
			t = f.Type.base()
			if Kind(t.kind) == Pointer && Kind(t.elem.kind) == Struct {
				t = t.elem
			}
		}
		f = t.Field(i)
	}
	return f
}

func (t *rtype) FieldByName(name string) (StructField, bool) {
	if Kind(t.kind) != Struct {
		t.notA("FieldByName of non-struct")
	}
	has := false
	for i := range t.fields.n {
		f := t.field(i)
		if f.name == name && name != "" {
			return t.Field(i), true
		}
		has = has || f.embedded
	}
	if !has {
		return StructField{}, false
	}
	return t.promoted(func(s string) bool { return s == name })
}

func (t *rtype) FieldByNameFunc(match func(string) bool) (StructField, bool) {
	if Kind(t.kind) != Struct {
		t.notA("FieldByNameFunc of non-struct")
	}
	return t.promoted(match)
}

// promoted finds the field that match wants at the least depth, if it is the only one there.
func (t *rtype) promoted(match func(string) bool) (found StructField, ok bool) {
	type place struct {
		t     *rtype
		index []int
		many  bool
	}
	level := []place{{t: t}}
	seen := map[*rtype]bool{}
	for len(level) > 0 {
		var next []place
		at := map[*rtype]int{}
		for _, p := range level {
			if seen[p.t] {
				continue
			}
			seen[p.t] = true
			for i := range p.t.fields.n {
				f := p.t.field(i)
				if match(f.name) {
					if p.many || ok {
						return StructField{}, false
					}
					found, ok = p.t.Field(i), true
					found.Index = append(p.index[:len(p.index):len(p.index)], i)
					continue
				}
				e := f.typ
				if Kind(e.kind) == Pointer {
					e = e.elem
				}
				if ok || !f.embedded || Kind(e.kind) != Struct {
					continue
				}
				if k, again := at[e]; again {
					next[k].many = true
					continue
				}
				at[e] = len(next)
				index := append(p.index[:len(p.index):len(p.index)], i)
				next = append(next, place{e, index, p.many})
			}
		}
		if ok {
			return found, true
		}
		level = next
	}
	return StructField{}, false
}

func (t *rtype) NumMethod() int {
	if Kind(t.kind) == Interface {
		return t.interfaces.n
	}
	return methodCount(t)
}

func (t *rtype) Method(i int) Method {
	if Kind(t.kind) == Interface {
		if i < 0 || i >= t.interfaces.n {
			return Method{}
		}
		m := t.imethod(i)
		return Method{Name: m.name, PkgPath: m.pkg, Type: m.typ, Index: i}
	}
	m := methodAt(t, i)
	if m == nil {
		panic("reflect: Method index out of range")
	}
	ft := withReceiver(t, m.typ)
	f := Value{pack(ft, makeMethodExpr(t, i, ft)), flag(Func)}
	return Method{Name: m.name, Type: ft, Func: f, Index: i}
}

// withReceiver is the type of a function that takes a t and then what ft takes.
func withReceiver(t, ft *rtype) *rtype {
	ins := make([]*rtype, 1, 1+ft.ins.n)
	ins[0] = t
	for i := range ft.ins.n {
		ins = append(ins, ft.ins.typ(i))
	}
	outs := make([]*rtype, 0, ft.outs.n)
	for i := range ft.outs.n {
		outs = append(outs, ft.outs.typ(i))
	}
	return funcOf(ins, outs, ft.flags&isVariadic != 0)
}

func (t *rtype) MethodByName(name string) (Method, bool) {
	at := -1
	if Kind(t.kind) != Interface {
		at = methodNamed(t, name)
	} else {
		for i := 0; at < 0 && i < t.interfaces.n; i++ {
			if t.imethod(i).name == name {
				at = i
			}
		}
	}
	if at < 0 {
		return Method{}, false
	}
	return t.Method(at), true
}

func (t *rtype) Methods() iter.Seq[Method] {
	return func(yield func(Method) bool) {
		for i := 0; i < t.NumMethod() && yield(t.Method(i)); i++ {
		}
	}
}

// given is the type that a method is asked about.
func given(u Type, method string) *rtype {
	if u == nil {
		panic("reflect: nil type passed to Type." + method)
	}
	return u.base()
}

func (t *rtype) Implements(u Type) bool {
	ut := given(u, "Implements")
	if Kind(ut.kind) != Interface {
		panic("reflect: non-interface type passed to Type.Implements")
	}
	return implements(ut, t)
}

func (t *rtype) AssignableTo(u Type) bool {
	ut := given(u, "AssignableTo")
	return isAssignable(ut, t) || Kind(ut.kind) == Interface && implements(ut, t)
}

func (t *rtype) ConvertibleTo(u Type) bool {
	return conversion(given(u, "ConvertibleTo"), t) != cannot
}

// isAssignable says whether a value of type t is one of type u as it is, without an interface.
func isAssignable(u, t *rtype) bool {
	if u == t {
		return true
	}
	if u.flags&t.flags&isNamed != 0 || u.kind != t.kind {
		return false
	}
	if Kind(t.kind) == Chan && t.dir == uint8(BothDir) && u.elem == t.elem {
		return true
	}
	return sameUnderlying(u, t, true)
}

func (t *rtype) CanSeq() bool {
	switch k := Kind(t.kind); k {
	case Array, Slice, Chan, String, Map:
		return true
	case Func:
		return canRange(t, 1)
	case Pointer:
		return Kind(t.elem.kind) == Array
	default:
		return Int <= k && k <= Uintptr
	}
}

func (t *rtype) CanSeq2() bool {
	switch Kind(t.kind) {
	case Array, Slice, String, Map:
		return true
	case Func:
		return canRange(t, 2)
	case Pointer:
		return Kind(t.elem.kind) == Array
	}
	return false
}

// canRange says whether a func type is that of an iterator which yields n values.
func canRange(t *rtype, n int) bool {
	if t.ins.n != 1 || t.outs.n != 0 {
		return false
	}
	y := t.ins.typ(0)
	if Kind(y.kind) != Func {
		return false
	}
	return y.ins.n == n && y.outs.n == 1 && Kind(y.outs.typ(0).kind) == Bool
}

// PointerTo returns the type *t.
func PointerTo(t Type) Type { return pointerTo(t.base()) }

// PtrTo is the old name of PointerTo.
func PtrTo(t Type) Type { return PointerTo(t) }

// SliceOf returns the type []t.
func SliceOf(t Type) Type { return sliceOf(t.base()) }

// ArrayOf returns the type [length]elem.
func ArrayOf(length int, elem Type) Type {
	if length < 0 {
		panic("reflect: negative length passed to ArrayOf")
	}
	t := elem.base()
	if t.size > 0 && uintptr(length) > ^uintptr(0)/t.size {
		panic("reflect.ArrayOf: array size would exceed virtual address space")
	}
	return arrayOf(length, t)
}

// ChanOf returns the type of channels of t with that direction.
func ChanOf(dir ChanDir, t Type) Type {
	typ := t.base()
	if typ.size >= 1<<16 {
		panic("reflect.ChanOf: element size too large")
	}
	if dir < RecvDir || dir > BothDir {
		panic("reflect.ChanOf: invalid dir")
	}
	return chanOf(typ, uint8(dir))
}

// MapOf returns the type map[key]elem.
func MapOf(key, elem Type) Type {
	k := key.base()
	if k.flags&isComparable == 0 {
		panic("reflect.MapOf: invalid key type " + k.text)
	}
	return mapOf(k, elem.base())
}

// FuncOf returns the type of functions with these parameters and results.
func FuncOf(in, out []Type, variadic bool) Type {
	if variadic && (len(in) == 0 || in[len(in)-1].Kind() != Slice) {
		panic("reflect.FuncOf: last arg of variadic func must be slice")
	}
	ins, outs := make([]*rtype, len(in)), make([]*rtype, len(out))
	for i, t := range in {
		ins[i] = t.base()
	}
	for i, t := range out {
		outs[i] = t.base()
	}
	if len(in)+len(out) > 128 {
		panic("reflect.FuncOf: too many arguments")
	}
	return funcOf(ins, outs, variadic)
}

func lookupTag(tag, key string) (string, bool)

func pointerTo(t *rtype) *rtype
func sliceOf(t *rtype) *rtype
func arrayOf(n int, t *rtype) *rtype
func chanOf(t *rtype, dir uint8) *rtype
func mapOf(key, elem *rtype) *rtype
func funcOf(ins, outs []*rtype, variadic bool) *rtype

func implements(iface, t *rtype) bool

// sameUnderlying says whether types are the same but for their names, and for tags if not
// withTags.
func sameUnderlying(t, u *rtype, withTags bool) bool

// methodCount is how many exported methods t has.
func methodCount(t *rtype) int

// methodAt is the i-th exported method of t, nil if there is none.
func methodAt(t *rtype, i int) *method

// methodNamed is the number of the exported method of that name, -1 if there is none.
func methodNamed(t *rtype, name string) int
