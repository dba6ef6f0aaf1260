package reflect

import "iter"

// Seq returns an iterator over what a range statement with one variable yields for v.
func (v Value) Seq() iter.Seq[Value] {
	if canRange(v.Type().(*rtype), 1) {
		return func(yield func(Value) bool) {
			f := MakeFunc(v.Type().In(0), func(in []Value) []Value {
				return []Value{ValueOf(yield(in[0]))}
			})
			v.Call([]Value{f})
		}
	}
	switch k := v.kind(); k {
	case Int, Int8, Int16, Int32, Int64:
		return countInt(v)
	case Uint, Uint8, Uint16, Uint32, Uint64, Uintptr:
		return countUint(v)
	case Pointer:
		if t := v.Type().Elem(); t.Kind() == Array {
			return indices(t.Len)
		}
	case Array, Slice:
		return indices(v.Len)
	case String:
		return func(yield func(Value) bool) {
			for i := range v.String() {
				if !yield(ValueOf(i)) {
					return
				}
			}
		}
	case Map:
		return func(yield func(Value) bool) {
			for it := v.MapRange(); it.Next(); {
				if !yield(it.Key()) {
					return
				}
			}
		}
	case Chan:
		return func(yield func(Value) bool) {
			for x, ok := v.Recv(); ok; x, ok = v.Recv() {
				if !yield(x) {
					return
				}
			}
		}
	}
	panic("reflect: " + v.Type().String() + " cannot produce iter.Seq[Value]")
}

func indices(n func() int) iter.Seq[Value] {
	return func(yield func(Value) bool) {
		for i := range n() {
			if !yield(ValueOf(i)) {
				return
			}
		}
	}
}

func countInt(v Value) iter.Seq[Value] {
	n, t := v.Int(), v.typ()
	return func(yield func(Value) bool) {
		for i := range n {
			if !yield(Value{packBits(t, uint64(i)), flag(t.kind)}) {
				return
			}
		}
	}
}

func countUint(v Value) iter.Seq[Value] {
	n, t := v.Uint(), v.typ()
	return func(yield func(Value) bool) {
		for i := range n {
			if !yield(Value{packBits(t, i), flag(t.kind)}) {
				return
			}
		}
	}
}

// Seq2 returns an iterator over what a range statement with two variables yields for v.
func (v Value) Seq2() iter.Seq2[Value, Value] {
	if canRange(v.Type().(*rtype), 2) {
		return func(yield func(Value, Value) bool) {
			f := MakeFunc(v.Type().In(0), func(in []Value) []Value {
				return []Value{ValueOf(yield(in[0], in[1]))}
			})
			v.Call([]Value{f})
		}
	}
	switch v.kind() {
	case Pointer:
		if v.Elem().kind() == Array {
			return elements(v.Elem())
		}
	case Array, Slice:
		return elements(v)
	case String:
		return func(yield func(Value, Value) bool) {
			for i, r := range v.String() {
				if !yield(ValueOf(i), ValueOf(r)) {
					return
				}
			}
		}
	case Map:
		return func(yield func(Value, Value) bool) {
			for it := v.MapRange(); it.Next(); {
				if !yield(it.Key(), it.Value()) {
					return
				}
			}
		}
	}
	panic("reflect: " + v.Type().String() + " cannot produce iter.Seq2[Value, Value]")
}

func elements(v Value) iter.Seq2[Value, Value] {
	return func(yield func(Value, Value) bool) {
		for i := range v.Len() {
			if !yield(ValueOf(i), v.Index(i)) {
				return
			}
		}
	}
}

// Fields returns an iterator over the fields of a struct and their values.
func (v Value) Fields() iter.Seq2[StructField, Value] {
	t := v.Type()
	if t.Kind() != Struct {
		panic("reflect: Fields of non-struct type " + t.String())
	}
	return func(yield func(StructField, Value) bool) {
		for i := range v.NumField() {
			if !yield(t.Field(i), v.Field(i)) {
				return
			}
		}
	}
}

// Methods returns an iterator over the methods of v.
func (v Value) Methods() iter.Seq2[Method, Value] {
	return func(yield func(Method, Value) bool) {
		t := v.Type()
		for i := range v.NumMethod() {
			if !yield(t.Method(i), v.Method(i)) {
				return
			}
		}
	}
}
