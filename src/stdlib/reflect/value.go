package reflect

import (
	"errors"
	"unsafe"
)

// A Value is a value of any type, or a variable that holds one. The zero Value is of no type.
//
// The two words of i are the value's type and either its data word, as an interface has it, or,
// with isAddress, the address of the value. So i is a proper interface value unless isAddress is
// set and the type is one whose values are data words, or an interface type: then it is only
// taken apart.
type Value struct {
	i words
	flag
}

// words are an interface's two words. Their being equal is that of the words, not of what is in the
// interface: the run time knows this type by its name.
type words any

// A flag says what a Value is: its kind, how it was obtained, and where it lies. With isBound
// it is a method of the value of type i, whose number is in the bits from methodShift on.
type flag uintptr

const (
	kindBits    flag = 1<<5 - 1
	viaPrivate  flag = 1 << 5 // obtained by an unexported field
	viaEmbedded flag = 1 << 6 // obtained by an unexported embedded field
	isAddress   flag = 1 << 7
	isVariable  flag = 1 << 8 // it is a variable
	isBound     flag = 1 << 9
	methodShift      = 10
	isPrivate        = viaPrivate | viaEmbedded
)

// A ValueError is what a method panics with that was called on a Value of a wrong kind.
type ValueError struct {
	Method string
	Kind   Kind
}

func (e *ValueError) Error() string {
	receiver := "zero"
	if e.Kind != Invalid {
		receiver = e.Kind.String()
	}
	return "reflect: call of " + e.Method + " on " + receiver + " Value"
}

// The compiler makes moves of the following functions.

// typeWord is the type of i.
func typeWord(i any) *rtype { return *(**rtype)(unsafe.Pointer(&i)) }

// dataWord is the second word of i, a pointer.
func dataWord(i any) unsafe.Pointer {
	return (*[2]unsafe.Pointer)(unsafe.Pointer(&i))[1]
}

// dataBits is the second word of i.
func dataBits(i any) uint64 {
	return (*[2]uint64)(unsafe.Pointer(&i))[1]
}

// pack makes an any of two words.
func pack(t *rtype, p unsafe.Pointer) (i any) {
	*(*[2]unsafe.Pointer)(unsafe.Pointer(&i)) = [2]unsafe.Pointer{unsafe.Pointer(t), p}
	return i
}

// packBits makes an any of a value that is its data word.
func packBits(t *rtype, w uint64) (i any) {
	p := (*[2]uint64)(unsafe.Pointer(&i))
	p[0], p[1] = uint64(uintptr(unsafe.Pointer(t))), w
	return i
}

// withType is i with another type for a first word.
func withType(t *rtype, i any) any {
	*(**rtype)(unsafe.Pointer(&i)) = t
	return i
}

func (f flag) kind() Kind { return Kind(f & kindBits) }

// ro is the flag of what is obtained by way of f.
func (f flag) ro() flag {
	if f&isPrivate != 0 {
		return viaPrivate
	}
	return 0
}

// bad panics for a method that does not go with the kind.
func (f flag) bad(method string) {
	panic(&ValueError{nameOfMethod(method), f.kind()})
}

// noMethod stands for a function, which as in Go does not tell that it is the one that refuses.
const noMethod = ""

func nameOfMethod(method string) string {
	if method == noMethod {
		return "unknown method"
	}
	return "reflect.Value." + method
}

func (f flag) must(k Kind, method string) {
	if f.kind() != k {
		f.bad(method)
	}
}

func (f flag) needPublic(method string) {
	if f == 0 || f&isPrivate != 0 {
		f.notExported(method)
	}
}

func (f flag) notExported(method string) {
	if f == 0 {
		f.bad(method)
	}
	panic("reflect: " + nameOfMethod(method) + " using value obtained using unexported field")
}

func (f flag) needSettable(method string) {
	if f&(isPrivate|isVariable) != isVariable {
		f.notAssignable(method)
	}
}

func (f flag) notAssignable(method string) {
	if f == 0 || f&isPrivate != 0 {
		f.notExported(method)
	}
	panic("reflect: " + nameOfMethod(method) + " using unaddressable value")
}

func (v Value) typ() *rtype { return typeWord(v.i) }

// at is the address of a value with isAddress.
func (v Value) at() unsafe.Pointer { return dataWord(v.i) }

// pointer is a pointer-shaped value.
func (v Value) pointer() unsafe.Pointer {
	if v.flag&isAddress != 0 {
		return *(*unsafe.Pointer)(dataWord(v.i))
	}
	return dataWord(v.i)
}

// sliceHeader is a slice in memory.
type sliceHeader struct {
	p   unsafe.Pointer
	len int
	cap int
}

// variable is the variable of type t at p.
func variable(t *rtype, p unsafe.Pointer, f flag) Value {
	return Value{pack(t, p), f | isAddress | flag(t.kind)}
}

// ValueOf returns the value in i, the zero Value if i is nil.
func ValueOf(i any) Value {
	t := typeWord(i)
	if t == nil {
		return Value{}
	}
	f := flag(t.kind)
	if t.flags&isDirect == 0 {
		f |= isAddress
	}
	return Value{i, f}
}

// Kind returns the kind of the value, Invalid for the zero Value.
func (v Value) Kind() Kind { return v.kind() }

// IsValid says whether v is a value at all.
func (v Value) IsValid() bool { return v.flag != 0 }

// CanAddr says whether v is a variable.
func (v Value) CanAddr() bool { return v.flag&isVariable != 0 }

// CanSet says whether v can be changed.
func (v Value) CanSet() bool { return v.flag&(isVariable|isPrivate) == isVariable }

// CanInterface says whether Interface can be called.
func (v Value) CanInterface() bool {
	if v.flag == 0 {
		v.bad("CanInterface")
	}
	return v.flag&isPrivate == 0
}

// CanInt says whether Int can be called.
func (v Value) CanInt() bool { return v.kind()-Int <= Int64-Int }

// CanUint says whether Uint can be called.
func (v Value) CanUint() bool { return v.kind()-Uint <= Uintptr-Uint }

// CanFloat says whether Float can be called.
func (v Value) CanFloat() bool { return v.kind() == Float32 || v.kind() == Float64 }

// CanComplex says whether Complex can be called.
func (v Value) CanComplex() bool { return v.kind() == Complex64 || v.kind() == Complex128 }

// Type returns the type of v.
func (v Value) Type() Type {
	if v.flag != 0 && v.flag&isBound == 0 {
		return typeWord(v.i)
	}
	if v.flag == 0 {
		v.bad("Type")
	}
	return v.methodType()
}

// methodType is the type of a method value.
func (v Value) methodType() *rtype {
	t, i := v.typ(), int(v.flag>>methodShift)
	if Kind(t.kind) == Interface {
		return t.imethod(i).typ
	}
	return methodAt(t, i).typ
}

// Interface returns the value as an any.
func (v Value) Interface() any {
	if v.flag == 0 {
		v.bad("Interface")
	}
	if v.flag&isPrivate != 0 {
		panic("reflect.Value.Interface: " +
			"cannot return value obtained from unexported field or method")
	}
	return v.asAny()
}

// asAny is the value as an any.
func (v Value) asAny() any {
	if v.flag&isBound != 0 {
		v = v.asFunc("Interface")
	}
	if v.flag&isAddress == 0 {
		return v.i
	}
	if v.flag&isVariable == 0 && v.typ().flags&isDirect == 0 && v.kind() != Interface {
		return v.i
	}
	return load(v.typ(), v.at())
}

// Bool returns the value of a bool.
func (v Value) Bool() bool {
	if v.kind() != Bool {
		v.bad("Bool")
	}
	if v.flag&isAddress == 0 {
		return dataBits(v.i)&1 != 0
	}
	return *(*bool)(v.at())
}

// Int returns the value of a signed integer.
func (v Value) Int() int64 {
	if !v.CanInt() {
		v.bad("Int")
	}
	if v.flag&isAddress == 0 {
		return int64(dataBits(v.i))
	}
	return signedAt(v.at(), v.typ().size)
}

// signedAt is the signed integer of so many bytes at p.
func signedAt(p unsafe.Pointer, size uintptr) int64 {
	switch size {
	case 1:
		return int64(*(*int8)(p))
	case 2:
		return int64(*(*int16)(p))
	case 4:
		return int64(*(*int32)(p))
	}
	return *(*int64)(p)
}

// unsignedAt is the unsigned integer of so many bytes at p.
func unsignedAt(p unsafe.Pointer, size uintptr) uint64 {
	switch size {
	case 1:
		return uint64(*(*uint8)(p))
	case 2:
		return uint64(*(*uint16)(p))
	case 4:
		return uint64(*(*uint32)(p))
	}
	return *(*uint64)(p)
}

// putInteger writes so many bytes of x, which are an integer of either kind, to p.
func putInteger(p unsafe.Pointer, size uintptr, x uint64) {
	switch size {
	case 1:
		*(*uint8)(p) = uint8(x)
	case 2:
		*(*uint16)(p) = uint16(x)
	case 4:
		*(*uint32)(p) = uint32(x)
	default:
		*(*uint64)(p) = x
	}
}

// Uint returns the value of an unsigned integer.
func (v Value) Uint() uint64 {
	if !v.CanUint() {
		v.bad("Uint")
	}
	if v.flag&isAddress == 0 {
		return dataBits(v.i)
	}
	return unsignedAt(v.at(), v.typ().size)
}

// Float returns the value of a float.
func (v Value) Float() float64 {
	switch v.kind() {
	case Float32:
		if v.flag&isAddress == 0 {
			return float64(float32From(uint32(dataBits(v.i))))
		}
		return float64(*(*float32)(v.at()))
	case Float64:
		if v.flag&isAddress == 0 {
			return float64From(dataBits(v.i))
		}
		return *(*float64)(v.at())
	}
	v.bad("Float")
	return 0
}

// Complex returns the value of a complex number.
func (v Value) Complex() complex128 {
	switch v.kind() {
	case Complex64:
		if v.flag&isAddress == 0 {
			w := dataBits(v.i)
			re, im := float32From(uint32(w)), float32From(uint32(w>>32))
			return complex(float64(re), float64(im))
		}
		return complex128(*(*complex64)(v.at()))
	case Complex128:
		return *(*complex128)(v.at())
	}
	v.bad("Complex")
	return 0
}

// String returns the value of a string; of other values it tells the type.
func (v Value) String() string {
	kind := v.kind()
	if kind == String {
		return *(*string)(v.at())
	}
	what := "invalid"
	if kind != Invalid {
		what = v.Type().String()
	}
	return "<" + what + " Value>"
}

// Bytes returns the bytes of a []byte or of an array of bytes that is a variable.
func (v Value) Bytes() []byte {
	k := v.kind()
	if k != Slice && k != Array {
		v.bad("Bytes")
	}
	t := v.typ()
	if Kind(t.elem.kind) != Uint8 {
		panic("reflect.Value.Bytes of non-byte " + k.String())
	}
	if k == Slice {
		return *(*[]byte)(v.at())
	}
	if !v.CanAddr() {
		panic("reflect.Value.Bytes of unaddressable byte array")
	}
	return unsafe.Slice((*byte)(v.at()), int(t.length))
}

// Len returns the length of what has one.
func (v Value) Len() int {
	switch v.kind() {
	case Slice:
		return (*sliceHeader)(v.at()).len
	case String:
		return len(*(*string)(v.at()))
	case Map:
		return mapLen(v.pointer())
	case Chan:
		return chanLen(v.pointer())
	}
	return v.arrayLen("Len")
}

// arrayLen is the length of an array, or of the type of arrays that a pointer points to.
func (v Value) arrayLen(method string) int {
	t := v.typ()
	switch v.kind() {
	case Pointer:
		if t = t.elem; Kind(t.kind) != Array {
			panic("reflect: call of reflect.Value." + method + " on ptr to non-array Value")
		}
	case Array:
	default:
		v.bad(method)
	}
	return int(t.length)
}

// Cap returns the capacity of what has one.
func (v Value) Cap() int {
	if v.kind() == Slice {
		return (*sliceHeader)(v.at()).cap
	}
	if v.kind() == Chan {
		return chanCap(v.pointer())
	}
	return v.arrayLen("Cap")
}

// The kinds of what can be nil; all of these are nil if their first word is.
const nilKinds = 1<<Chan | 1<<Func | 1<<Interface | 1<<Map | 1<<Pointer | 1<<Slice | 1<<UnsafePointer

// IsNil says whether what can be nil is.
func (v Value) IsNil() bool {
	if nilKinds>>v.kind()&1 == 0 {
		v.bad("IsNil")
	}
	return v.flag&isBound == 0 && v.pointer() == nil
}

// IsZero says whether the value is the zero value of its type.
func (v Value) IsZero() bool {
	switch k := v.kind(); {
	case nilKinds>>k&1 != 0:
		return v.IsNil()
	case v.CanInt():
		return v.Int() == 0
	case v.CanUint():
		return v.Uint() == 0
	case k == String:
		return v.Len() == 0
	case k == Bool:
		return !v.Bool()
	case k == Array || k == Struct:
		t := v.typ()
		if t.flags&isRegular != 0 {
			return allZero(v.at(), t.size)
		}
		return v.everyPart(func(i int, part Value) bool {
			return part.IsZero() || k == Struct && t.field(i).name == "_"
		})
	case v.CanFloat():
		return v.Float() == 0
	case v.CanComplex():
		return v.Complex() == 0
	}
	panic(&ValueError{"reflect.Value.IsZero", v.Kind()})
}

// part is an element of an array, or a field of a struct.
func (v Value) part(i int) Value {
	if v.kind() == Array {
		return v.Index(i)
	}
	return v.Field(i)
}

// everyPart says whether is holds for all elements of an array, or fields of a struct.
func (v Value) everyPart(is func(i int, part Value) bool) bool {
	n := 0
	if t := v.typ(); Kind(t.kind) == Array {
		n = int(t.length)
	} else {
		n = int(t.fields.n)
	}
	for i := range n {
		if !is(i, v.part(i)) {
			return false
		}
	}
	return true
}

// Elem returns what an interface contains or a pointer points to, the zero Value if it is nil.
func (v Value) Elem() Value {
	switch v.kind() {
	case Pointer:
		p := v.pointer()
		if p == nil {
			return Value{}
		}
		t := v.typ().elem
		return Value{pack(t, p), v.flag&isPrivate | isAddress | isVariable | flag(t.kind)}
	case Interface:
		in := ValueOf(load(v.typ(), v.at()))
		if in.flag != 0 {
			in.flag |= v.flag.ro()
		}
		return in
	}
	v.bad("Elem")
	return Value{}
}

// Indirect returns what v points to, v itself if it is no pointer.
func Indirect(v Value) Value {
	if v.kind() != Pointer {
		return v
	}
	return v.Elem()
}

// Addr returns a pointer to the variable v.
func (v Value) Addr() Value {
	if v.flag&isVariable == 0 {
		panic("reflect.Value.Addr of unaddressable value")
	}
	p := v.at()
	if v.flag&isAddress == 0 && v.typ().flags&isDirect != 0 {
		// It has been made a variable through unsafe, by its flag alone.
		p = newObjects(v.typ(), 1)
		store(p, Value{v.i, v.flag &^ isVariable})
	}
	// The way by which it was obtained stays as it is.
	return Value{pack(pointerTo(v.typ()), p), v.flag&isPrivate | flag(Pointer)}
}

// NumField returns the number of fields of a struct.
func (v Value) NumField() int {
	v.must(Struct, "NumField")
	return v.typ().fields.n
}

// Field returns field i of a struct.
func (v Value) Field(i int) Value {
	if v.kind() != Struct {
		v.bad("Field")
	}
	t := v.typ()
	if uint(i) >= uint(t.fields.n) {
		panic("reflect: Field index out of range")
	}
	f := t.field(i)
	way := v.flag & (viaPrivate | isAddress | isVariable)
	switch {
	case f.exported:
	case f.embedded:
		way |= viaEmbedded
	default:
		way |= viaPrivate
	}
	return Value{pack(f.typ, unsafe.Add(v.at(), f.offset)), way | flag(f.typ.kind)}
}

// FieldByIndex returns the field that index leads to.
func (v Value) FieldByIndex(index []int) Value {
	field, nilAt := v.along(index, "FieldByIndex")
	if nilAt != nil {
		panic("reflect: indirection through nil pointer to embedded struct")
	}
	return field
}

// FieldByIndexErr is FieldByIndex but for an error where that panics for a nil pointer.
func (v Value) FieldByIndexErr(index []int) (Value, error) {
	field, nilAt := v.along(index, "FieldByIndexErr")
	if nilAt != nil {
		return Value{}, errors.New("reflect: indirection through nil pointer " +
			"to embedded struct field " + nilAt.name)
	}
	return field, nil
}

// along is the field that index leads to, for a method. If a nil pointer is on the way, it gives
// the type of struct that it points to.
func (v Value) along(index []int, method string) (field Value, nilAt *rtype) {
	if len(index) == 1 { // mostly
		return v.Field(index[0]), nil
	}
	v.must(Struct, method)
	for len(index) > 0 {
		v, index = v.Field(index[0]), index[1:]
		if len(index) == 0 || v.kind() != Pointer {
			continue
		}
		if to := v.typ().elem; Kind(to.kind) == Struct {
			if v.pointer() == nil {
				return Value{}, to
			}
			v = v.Elem()
		}
	}
	return v, nil
}

// FieldByName returns the field of that name, the zero Value if there is none.
func (v Value) FieldByName(name string) Value {
	v.must(Struct, "FieldByName")
	return v.found(v.typ().FieldByName(name))
}

// FieldByNameFunc returns the field whose name match wants, the zero Value if there is not one.
func (v Value) FieldByNameFunc(match func(string) bool) Value {
	return v.found(v.typ().FieldByNameFunc(match))
}

// found is the field that v's type has found, if it has.
func (v Value) found(f StructField, ok bool) Value {
	if !ok {
		return Value{}
	}
	return v.FieldByIndex(f.Index)
}

// Index returns element i of an array, slice or string.
func (v Value) Index(i int) Value {
	switch v.kind() {
	case Slice:
		s := (*sliceHeader)(v.at())
		if uint(i) >= uint(s.len) {
			panic("reflect: slice index out of range")
		}
		t := v.typ().elem
		fl := isVariable | isAddress | v.flag.ro() | flag(t.kind)
		return Value{pack(t, unsafe.Add(s.p, uintptr(i)*t.size)), fl}
	case Array:
		if uint(i) >= uint(v.typ().length) {
			panic("reflect: array index out of range")
		}
		t := v.typ().elem
		fl := v.flag&(isAddress|isVariable) | v.flag.ro() | flag(t.kind)
		return Value{pack(t, unsafe.Add(v.at(), uintptr(i)*t.size)), fl}
	case String:
		s := *(*string)(v.at())
		if uint(i) >= uint(len(s)) {
			panic("reflect: string index out of range")
		}
		return Value{s[i], v.flag.ro() | flag(Uint8)}
	}
	v.bad("Index")
	return Value{}
}

// Set assigns x to the variable v.
func (v Value) Set(x Value) {
	v.needSettable("Set")
	x.needPublic("Set")
	t := v.typ()
	if x.flag&isBound != 0 || x.typ() != t {
		if v.kind() == Interface && x.kind() != Interface {
			v.setInterface(x, "reflect.Set")
			return
		}
		x = x.fitTo("reflect.Set", t)
	}
	store(v.at(), x)
}

// setInterface stores x in the variable v of an interface type.
func (v Value) setInterface(x Value, context string) {
	if !putInterface(v.typ(), v.at(), x.asAny()) {
		x.cannotAssign(context, v.typ())
	}
}

func (v Value) cannotAssign(context string, t *rtype) {
	panic(context + ": value of type " + v.Type().String() +
		" is not assignable to type " + t.text)
}

// fitTo is v as a value of type t.
func (v Value) fitTo(context string, t *rtype) Value {
	if v.flag&isBound != 0 {
		v = v.asFunc(context)
	}
	from := v.typ()
	if isAssignable(t, from) {
		return Value{withType(t, v.i), v.flag&^(kindBits|isVariable) | flag(t.kind)}
	}
	if Kind(t.kind) != Interface {
		v.cannotAssign(context, t)
	}
	p := newObjects(t, 1)
	if v.kind() == Interface && v.IsNil() {
		if !implements(t, from) {
			v.cannotAssign(context, t)
		}
		return Value{pack(t, p), isAddress | flag(Interface)}
	}
	if v.kind() == Interface && !implements(t, from) || !putInterface(t, p, v.asAny()) {
		v.cannotAssign(context, t)
	}
	return Value{pack(t, p), isAddress | flag(Interface)}
}

// SetBool sets a bool.
func (v Value) SetBool(x bool) {
	v.needSettable("SetBool")
	v.must(Bool, "SetBool")
	*(*bool)(v.at()) = x
}

// SetInt sets a signed integer.
func (v Value) SetInt(x int64) {
	v.needSettable("SetInt")
	if !v.CanInt() {
		v.bad("SetInt")
	}
	putInteger(v.at(), v.typ().size, uint64(x))
}

// SetUint sets an unsigned integer.
func (v Value) SetUint(x uint64) {
	v.needSettable("SetUint")
	if !v.CanUint() {
		v.bad("SetUint")
	}
	putInteger(v.at(), v.typ().size, x)
}

// SetFloat sets a float.
func (v Value) SetFloat(x float64) {
	v.needSettable("SetFloat")
	if !v.CanFloat() {
		v.bad("SetFloat")
	}
	if p := v.at(); v.kind() == Float64 {
		*(*float64)(p) = x
	} else {
		*(*float32)(p) = float32(x)
	}
}

// SetComplex sets a complex number.
func (v Value) SetComplex(x complex128) {
	v.needSettable("SetComplex")
	if !v.CanComplex() {
		v.bad("SetComplex")
	}
	if p := v.at(); v.kind() == Complex128 {
		*(*complex128)(p) = x
	} else {
		*(*complex64)(p) = complex64(x)
	}
}

// SetString sets a string.
func (v Value) SetString(x string) {
	v.needSettable("SetString")
	v.must(String, "SetString")
	*(*string)(v.at()) = x
}

// SetBytes sets a slice of bytes.
func (v Value) SetBytes(x []byte) {
	v.needSettable("SetBytes")
	v.must(Slice, "SetBytes")
	if Kind(v.typ().elem.kind) != Uint8 {
		panic("reflect.Value.SetBytes of non-byte slice")
	}
	*(*[]byte)(v.at()) = x
}

// SetPointer sets an unsafe.Pointer.
func (v Value) SetPointer(x unsafe.Pointer) {
	v.needSettable("SetPointer")
	v.must(UnsafePointer, "SetPointer")
	*(*unsafe.Pointer)(v.at()) = x
}

// SetZero sets a variable to the zero value of its type.
func (v Value) SetZero() {
	v.needSettable("SetZero")
	clearObjects(v.typ(), v.at(), 1)
}

// SetLen sets the length of a slice.
func (v Value) SetLen(n int) {
	v.needSettable("SetLen")
	v.must(Slice, "SetLen")
	s := (*sliceHeader)(v.at())
	if uint(n) > uint(s.cap) {
		panic("reflect: slice length out of range in SetLen")
	}
	s.len = n
}

// SetCap sets the capacity of a slice.
func (v Value) SetCap(n int) {
	v.needSettable("SetCap")
	v.must(Slice, "SetCap")
	s := (*sliceHeader)(v.at())
	if n < s.len || n > s.cap {
		panic("reflect: slice capacity out of range in SetCap")
	}
	s.cap = n
}

// Grow makes room for n more elements in a slice.
func (v Value) Grow(n int) {
	v.needSettable("Grow")
	v.must(Slice, "Grow")
	v.grow(n)
}

func (v Value) grow(n int) {
	if n < 0 {
		panic("reflect.Value.Grow: negative len")
	}
	s := (*sliceHeader)(v.at())
	if room := s.cap - s.len; n > room {
		if s.len+n < 0 {
			panic("reflect.Value.Grow: slice overflow")
		}
		growSlice(v.typ().elem, v.at(), n)
	}
}

// Clear empties a map or zeroes the elements of a slice.
func (v Value) Clear() {
	if v.kind() == Map {
		mapClear(v.pointer())
		return
	}
	v.must(Slice, "Clear")
	s := (*sliceHeader)(v.at())
	clearObjects(v.typ().elem, s.p, s.len)
}

// Append appends the values x to a slice.
func Append(s Value, x ...Value) Value {
	s.must(Slice, noMethod)
	longer := s.extended(len(x))
	for i := range x {
		longer.Index(s.Len() + i).Set(x[i])
	}
	return longer
}

// AppendSlice appends slice t to s.
func AppendSlice(s, t Value) Value {
	for _, v := range [...]Value{s, t} {
		v.must(Slice, noMethod)
	}
	mustBeSame("reflect.AppendSlice", s.typ(), t.typ())
	joined := s.extended(t.Len())
	Copy(joined.Slice(s.Len(), joined.Len()), t)
	return joined
}

// extended is a slice with n more elements, in a variable of its own.
func (v Value) extended(n int) Value {
	v.needPublic(noMethod)
	s := *(*sliceHeader)(v.at())
	w := Value{pack(v.typ(), unsafe.Pointer(&s)), v.flag&^isVariable | isAddress}
	w.grow(n)
	s.len += n
	return w
}

func mustBeSame(what string, t, u *rtype) {
	if t != u {
		panic(what + ": " + t.text + " != " + u.text)
	}
}

// Copy copies elements from src to dst until either is at its end.
func Copy(dst, src Value) int {
	switch k := dst.kind(); k {
	case Slice:
	case Array:
		dst.needSettable(noMethod)
	default:
		panic(&ValueError{"reflect.Copy", k})
	}
	dst.needPublic(noMethod)
	e := dst.typ().elem
	isString := src.kind() == String && Kind(e.kind) == Uint8
	if k := src.kind(); k != Array && k != Slice && !isString {
		panic(&ValueError{"reflect.Copy", k})
	}
	src.needPublic(noMethod)
	if !isString {
		mustBeSame("reflect.Copy", e, src.typ().elem)
	}
	n := min(dst.Len(), src.Len())
	if n > 0 {
		copyObjects(e, dst.elements(), src.elements(), n)
	}
	return n
}

// elements is where the elements of an array, slice or string lie.
func (v Value) elements() unsafe.Pointer {
	if v.kind() == Array {
		return v.at()
	}
	return *(*unsafe.Pointer)(v.at())
}

// Slice returns v[i:j].
func (v Value) Slice(i, j int) Value {
	var p unsafe.Pointer
	var c int
	t := v.typ()
	switch v.kind() {
	case Array:
		if v.flag&isVariable == 0 {
			panic("reflect.Value.Slice: slice of unaddressable array")
		}
		p, c, t = v.at(), int(t.length), sliceOf(t.elem)
	case Slice:
		s := (*sliceHeader)(v.at())
		p, c = s.p, s.cap
	case String:
		s := *(*string)(v.at())
		if i < 0 || j < i || j > len(s) {
			panic("reflect.Value.Slice: string slice index out of bounds")
		}
		part := new(string)
		*part = s[i:j]
		return Value{pack(t, unsafe.Pointer(part)), v.flag &^ isVariable}
	default:
		v.bad("Slice")
	}
	if i < 0 || j < i || j > c {
		panic("reflect.Value.Slice: slice index out of bounds")
	}
	return subslice(t, p, i, j, c, v.flag)
}

// Slice3 returns v[i:j:k].
func (v Value) Slice3(i, j, k int) Value {
	var p unsafe.Pointer
	var c int
	t := v.typ()
	switch v.kind() {
	case Array:
		if v.flag&isVariable == 0 {
			panic("reflect.Value.Slice3: slice of unaddressable array")
		}
		p, c, t = v.at(), int(t.length), sliceOf(t.elem)
	case Slice:
		s := (*sliceHeader)(v.at())
		p, c = s.p, s.cap
	default:
		v.bad("Slice3")
	}
	if i < 0 || j < i || k < j || k > c {
		panic("reflect.Value.Slice3: slice index out of bounds")
	}
	return subslice(t, p, i, j, k, v.flag)
}

func subslice(t *rtype, p unsafe.Pointer, i, j, k int, f flag) Value {
	s := &sliceHeader{p, j - i, k - i}
	if k > i {
		s.p = unsafe.Add(p, uintptr(i)*t.elem.size)
	}
	return Value{pack(t, unsafe.Pointer(s)), f.ro() | isAddress | flag(Slice)}
}

// New returns a pointer to a new variable of type typ.
func New(typ Type) Value {
	if typ == nil {
		panic("reflect: New(nil)")
	}
	t := typ.base()
	return Value{pack(pointerTo(t), newObjects(t, 1)), flag(Pointer)}
}

// NewAt returns a pointer to the variable of type typ at p.
func NewAt(typ Type, p unsafe.Pointer) Value {
	return Value{pack(pointerTo(typ.base()), p), flag(Pointer)}
}

// Zero returns the zero value of a type, which is no variable.
func Zero(typ Type) Value {
	if typ == nil {
		panic("reflect: Zero(nil)")
	}
	t := typ.base()
	if t.flags&isDirect != 0 {
		return Value{packBits(t, 0), flag(t.kind)}
	}
	return variable(t, newObjects(t, 1), 0)
}

// MakeSlice returns a new slice.
func MakeSlice(typ Type, len, cap int) Value {
	t := typ.base()
	if isSlice := Kind(t.kind) == Slice; !isSlice || uint(len) > uint(cap) || cap < 0 {
		panic("reflect.MakeSlice" + whyNoSlice(isSlice, len, cap))
	}
	s := &sliceHeader{newObjects(t.elem, cap), len, cap}
	return Value{pack(t, unsafe.Pointer(s)), isAddress | flag(Slice)}
}

// whyNoSlice says what is wrong with what MakeSlice is given.
func whyNoSlice(isSlice bool, len, cap int) string {
	switch {
	case !isSlice:
		return " of non-slice type"
	case len < 0:
		return ": negative len"
	case cap < 0:
		return ": negative cap"
	}
	return ": len > cap"
}

// SliceAt returns the slice of the n elements of type typ at p.
func SliceAt(typ Type, p unsafe.Pointer, n int) Value {
	checkSlice(typ.base(), p, n)
	s := &sliceHeader{p, n, n}
	return Value{pack(sliceOf(typ.base()), unsafe.Pointer(s)), isAddress | flag(Slice)}
}

// OverflowInt says whether x does not fit the type of v.
func (v Value) OverflowInt(x int64) bool {
	if !v.CanInt() {
		v.bad("OverflowInt")
	}
	return v.typ().intOverflows(x)
}

// OverflowUint says whether x does not fit the type of v.
func (v Value) OverflowUint(x uint64) bool {
	if !v.CanUint() {
		v.bad("OverflowUint")
	}
	return v.typ().uintOverflows(x)
}

// OverflowFloat says whether x does not fit the type of v.
func (v Value) OverflowFloat(x float64) bool {
	if !v.CanFloat() {
		v.bad("OverflowFloat")
	}
	return v.kind() == Float32 && exceedsFloat32(x)
}

// OverflowComplex says whether x does not fit the type of v.
func (v Value) OverflowComplex(x complex128) bool {
	if !v.CanComplex() {
		v.bad("OverflowComplex")
	}
	return v.kind() == Complex64 && (exceedsFloat32(real(x)) || exceedsFloat32(imag(x)))
}

// Pointer returns the address that a value consists of.
func (v Value) Pointer() uintptr {
	switch v.kind() {
	case Pointer, Chan, Map, UnsafePointer, Func, Slice, String:
		return uintptr(v.address("Pointer"))
	}
	v.bad("Pointer")
	return 0
}

// UnsafePointer returns the pointer that a value consists of.
func (v Value) UnsafePointer() unsafe.Pointer { return v.address("UnsafePointer") }

func (v Value) address(method string) unsafe.Pointer {
	switch v.kind() {
	case Pointer, Chan, Map, UnsafePointer:
		return v.pointer()
	case Func:
		if v.flag&isBound != 0 {
			return methodStub()
		}
		return codeOf(v.pointer())
	case Slice, String:
		return *(*unsafe.Pointer)(v.at())
	}
	v.bad(method)
	return nil
}

// UnsafeAddr returns the address of the variable v.
func (v Value) UnsafeAddr() uintptr {
	if v.flag == 0 {
		v.bad("UnsafeAddr")
	}
	if v.flag&isVariable == 0 {
		panic("reflect.Value.UnsafeAddr of unaddressable value")
	}
	return uintptr(v.at())
}

// InterfaceData returns the two words of an interface value.
func (v Value) InterfaceData() [2]uintptr {
	v.must(Interface, "InterfaceData")
	return *(*[2]uintptr)(v.at())
}

// NumMethod returns how many methods Method can return.
func (v Value) NumMethod() int {
	if v.flag == 0 {
		v.bad("NumMethod")
	}
	if v.flag&isBound != 0 {
		return 0
	}
	return v.typ().NumMethod()
}

// Method returns method i of v as a func.
func (v Value) Method(i int) Value {
	if v.flag == 0 {
		v.bad("Method")
	}
	if n := v.NumMethod(); uint(i) >= uint(n) {
		panic("reflect: Method index out of range")
	}
	if v.kind() == Interface && v.IsNil() {
		panic("reflect: Method on nil interface value")
	}
	needBodies()
	v.flag = v.ro() | v.flag&isAddress | flag(Func) | isBound | flag(i)<<methodShift
	return v
}

// MethodByName returns the method of that name as a func, the zero Value if there is none.
func (v Value) MethodByName(name string) Value {
	if v.flag == 0 {
		v.bad("MethodByName")
	}
	t := v.typ()
	switch {
	case v.flag&isBound != 0:
	case Kind(t.kind) == Interface:
		if m, ok := t.MethodByName(name); ok {
			return v.Method(m.Index)
		}
	default:
		if i := methodNamed(t, name); i >= 0 {
			return v.Method(i)
		}
	}
	return Value{}
}

// Comparable says whether v can be compared, with what is in its interfaces.
func (v Value) Comparable() bool {
	switch v.kind() {
	case Invalid, Func, Map, Slice:
		return false
	case Interface:
		return v.IsNil() || v.Elem().Comparable()
	case Array:
		switch Kind(v.typ().elem.kind) {
		case Interface, Array, Struct:
		default:
			return v.typ().flags&isComparable != 0
		}
		fallthrough
	case Struct:
		return v.everyPart(func(_ int, part Value) bool { return part.Comparable() })
	}
	return true
}

// Equal says whether v and u are equal; interfaces stand for what is in them.
func (v Value) Equal(u Value) bool {
	v, u = v.inside(), u.inside()
	if v.flag == 0 || u.flag == 0 {
		return v.flag == u.flag
	}
	if v.Type() != u.Type() {
		return false
	}
	switch k := v.kind(); k {
	case Array, Struct:
		if k == Array && v.Len() == 0 && !v.Type().Elem().Comparable() {
			break
		}
		return v.everyPart(func(i int, part Value) bool { return part.Equal(u.part(i)) })
	case Func, Map, Slice:
	default:
		return v.asAny() == u.asAny()
	}
	panic("reflect.Value.Equal: values of type " + v.Type().String() + " are not comparable")
}

// inside is what an interface holds, and v itself if it is none.
func (v Value) inside() Value {
	if v.kind() == Interface {
		return v.Elem()
	}
	return v
}

// TypeAssert is v.Interface().(T), but that it says whether it can be done.
func TypeAssert[T any](v Value) (T, bool) {
	if v.flag&isPrivate != 0 {
		panic("reflect.TypeAssert: " +
			"cannot return value obtained from unexported field or method")
	}
	if !v.IsValid() {
		panic(&ValueError{"reflect.TypeAssert", Invalid})
	}
	x, ok := v.asAny().(T)
	return x, ok
}

// A StringHeader is a string in memory.
type StringHeader struct {
	Data uintptr
	Len  int
}

// A SliceHeader is a slice in memory.
type SliceHeader struct {
	Data uintptr
	Len  int
	Cap  int
}

func float32From(bits uint32) float32
func float64From(bits uint64) float64
func float64Bits(x float64) uint64

// load makes an any of the value of type t at p; if t is an interface type, what is in it.
func load(t *rtype, p unsafe.Pointer) any

// store writes a value to the variable of its type at p.
func store(p unsafe.Pointer, v Value)

// putInterface writes x to the variable of interface type t at p, if it implements t.
func putInterface(t *rtype, p unsafe.Pointer, x any) bool

// newObjects returns n new variables of type t, one behind the other.
func newObjects(t *rtype, n int) unsafe.Pointer

// clearObjects zeroes n variables of type t.
func clearObjects(t *rtype, p unsafe.Pointer, n int)

// copyObjects copies n values of type t; they may overlap.
func copyObjects(t *rtype, to, from unsafe.Pointer, n int)

// growSlice makes room for n more elements of type t in the slice at p.
func growSlice(t *rtype, p unsafe.Pointer, n int)

// checkSlice panics as unsafe.Slice does.
func checkSlice(t *rtype, p unsafe.Pointer, n int)

// allZero says whether n bytes are zero.
func allZero(p unsafe.Pointer, n uintptr) bool

// codeOf is where the code of a func value lies.
func codeOf(f unsafe.Pointer) unsafe.Pointer

// methodStub is where the code of method values lies that were made here.
func methodStub() unsafe.Pointer

// needBodies makes the compiler keep all exported methods.
func needBodies()

func chanLen(c unsafe.Pointer) int
func chanCap(c unsafe.Pointer) int
