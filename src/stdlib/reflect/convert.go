package reflect

import (
	"strconv"
	"unsafe"
)

// A way to convert values of one type to another.
type way uint8

const (
	cannot way = iota
	asItIs
	number
	complexNumber
	intToString
	bytesToString
	runesToString
	stringToBytes
	stringToRunes
	toInterface
	toArrayPointer
	toArray
)

func isInteger(k Kind) bool { return k-Int <= Uintptr-Int }

func isNumber(k Kind) bool { return k-Int <= Float64-Int }

// conversion is how a value of type t becomes one of type u.
func conversion(u, t *rtype) way {
	from, to := Kind(t.kind), Kind(u.kind)
	switch {
	case isNumber(from) && isNumber(to):
		return number
	case isInteger(from) && to == String:
		return intToString
	case from == Complex64 || from == Complex128:
		if to == Complex64 || to == Complex128 {
			return complexNumber
		}
	case from == String && to == Slice:
		switch Kind(u.elem.kind) {
		case Uint8:
			return stringToBytes
		case Int32:
			return stringToRunes
		}
	case from == Slice && to == String:
		switch Kind(t.elem.kind) {
		case Uint8:
			return bytesToString
		case Int32:
			return runesToString
		}
	case from == Slice && to == Pointer && Kind(u.elem.kind) == Array && t.elem == u.elem.elem:
		return toArrayPointer
	case from == Slice && to == Array && t.elem == u.elem:
		return toArray
	case from == Chan && to == Chan:
		if isAssignable(u, t) {
			return asItIs
		}
	}
	if sameUnderlying(u, t, false) {
		return asItIs
	}
	if from == Pointer && to == Pointer && t.flags&isNamed == 0 && u.flags&isNamed == 0 &&
		sameUnderlying(u.elem, t.elem, false) {
		return asItIs
	}
	if to == Interface && implements(u, t) {
		return toInterface
	}
	return cannot
}

// CanConvert says whether Convert can convert v to type t.
func (v Value) CanConvert(t Type) bool {
	if !v.Type().ConvertibleTo(t) {
		return false
	}
	if v.kind() != Slice {
		return true
	}
	// Of a slice there may be made an array that is not longer.
	u := t.base()
	if Kind(u.kind) == Pointer {
		u = u.elem
	}
	return Kind(u.kind) != Array || int(u.length) <= v.Len()
}

// Convert returns v converted to type t.
func (v Value) Convert(t Type) Value {
	if v.flag&isBound != 0 {
		v = v.asFunc("Convert")
	}
	u := t.base()
	ro := v.flag.ro()
	switch conversion(u, v.typ()) {
	case asItIs:
		x := Value{withType(u, v.i), v.flag&^(kindBits|isPrivate|isVariable) | ro | flag(u.kind)}
		if v.flag&isVariable != 0 {
			p := newObjects(u, 1)
			copyObjects(u, p, v.at(), 1)
			x.i = pack(u, p)
		}
		return x
	case number:
		return v.toNumber(u, ro)
	case complexNumber:
		c := v.Complex()
		if Kind(u.kind) == Complex64 {
			return retyped(complex64(c), u, ro)
		}
		return retyped(c, u, ro)
	case intToString:
		n := v.integer()
		s := "\uFFFD"
		if int64(rune(n)) == n {
			s = string(rune(n))
		}
		return retyped(s, u, ro)
	case bytesToString:
		return retyped(string(*(*[]byte)(v.at())), u, ro)
	case runesToString:
		return retyped(string(*(*[]rune)(v.at())), u, ro)
	case stringToBytes:
		return retyped([]byte(*(*string)(v.at())), u, ro)
	case stringToRunes:
		return retyped([]rune(*(*string)(v.at())), u, ro)
	case toInterface:
		p := newObjects(u, 1)
		if v.kind() != Interface || !v.IsNil() {
			putInterface(u, p, v.asAny())
		}
		return variable(u, p, ro)
	case toArrayPointer:
		v.needLength(u.elem, "pointer to array")
		return Value{pack(u, *(*unsafe.Pointer)(v.at())), ro | flag(Pointer)}
	case toArray:
		v.needLength(u, "array")
		p := newObjects(u, 1)
		copyObjects(u.elem, p, *(*unsafe.Pointer)(v.at()), int(u.length))
		return variable(u, p, ro)
	}
	panic("reflect.Value.Convert: value of type " + v.typ().text +
		" cannot be converted to type " + u.text)
}

// needLength panics if a slice has fewer elements than an array has to get.
func (v Value) needLength(array *rtype, target string) {
	if want := int(array.length); want > v.Len() {
		panic("reflect: cannot convert slice with length " + strconv.Itoa(v.Len()) +
			" to " + target + " with length " + strconv.Itoa(want))
	}
}

// retyped is what is in i, with type t instead of its own.
func retyped(i any, t *rtype, ro flag) Value {
	v := ValueOf(i)
	v.i = withType(t, i)
	v.flag |= ro
	return v
}

// integer is an integer's value, as far as it has 64 bits.
func (v Value) integer() int64 {
	switch k := v.kind(); {
	case k <= Int64:
		return v.Int()
	default:
		u := v.Uint()
		if u > 1<<63-1 {
			return -1
		}
		return int64(u)
	}
}

// toNumber is the number v as one of type t.
func (v Value) toNumber(t *rtype, ro flag) Value {
	var i int64
	var f float64
	from, to := v.kind(), Kind(t.kind)
	isFloat := from >= Float32
	switch {
	case isFloat && to <= Int64:
		i = int64(v.Float())
	case isFloat && to <= Uintptr:
		i = int64(uint64(v.Float()))
	case isFloat:
		f = v.Float()
	case from <= Int64:
		i = v.Int()
		f = float64(i)
	default:
		u := v.Uint()
		i, f = int64(u), float64(u)
	}
	var w uint64
	switch to {
	case Int, Int64, Uint, Uint64, Uintptr:
		w = uint64(i)
	case Int8:
		w = uint64(int8(i))
	case Int16:
		w = uint64(int16(i))
	case Int32:
		w = uint64(int32(i))
	case Uint8:
		w = uint64(uint8(i))
	case Uint16:
		w = uint64(uint16(i))
	case Uint32:
		w = uint64(uint32(i))
	case Float32:
		w = float32Bits(float32(f))
		if from == Float32 && v.flag&isAddress == 0 {
			w = dataBits(v.i)
		}
	case Float64:
		w = float64Bits(f)
	}
	return Value{packBits(t, w), ro | flag(t.kind)}
}

func float32Bits(x float32) uint64
