package reflect

import "iter"

// This file has what a range statement yields for a value. One function, ranger, finds for each kind
// how to walk; with one variable the second of each pair is left out.

// Seq returns an iterator over what a range statement with one variable yields for v.
func (v Value) Seq() iter.Seq[Value] {
	walk := v.ranger(1)
	if walk == nil {
		panic("reflect: " + v.Type().String() + " cannot produce iter.Seq[Value]")
	}
	return func(yield func(Value) bool) {
		walk(func(x, _ Value) bool { return yield(x) })
	}
}

// Seq2 returns an iterator over what a range statement with two variables yields for v.
func (v Value) Seq2() iter.Seq2[Value, Value] {
	walk := v.ranger(2)
	if walk == nil {
		panic("reflect: " + v.Type().String() + " cannot produce iter.Seq2[Value, Value]")
	}
	return walk
}

// ranger is what a range statement with n variables does; nil: it cannot be.
func (v Value) ranger(n int) iter.Seq2[Value, Value] {
	t := v.Type().(*rtype)
	if canRange(t, n) {
		return v.callRanger()
	}
	switch k := v.kind(); {
	case k == Array || k == Slice:
		return v.indexRanger(v.Len, n)
	case k == Pointer && Kind(t.elem.kind) == Array:
		if n == 1 {
			return v.indexRanger(t.elem.Len, n)
		}
		if array := v.Elem(); array.IsValid() {
			return array.indexRanger(array.Len, n)
		}
	case k == String:
		return func(yield func(at, char Value) bool) {
			for i, r := range v.String() {
				if !yield(ValueOf(i), ValueOf(r)) {
					break
				}
			}
		}
	case k == Map:
		return func(yield func(key, value Value) bool) {
			var value Value
			entries := v.MapRange()
			for goesOn := true; goesOn && entries.Next(); {
				if n == 2 {
					value = entries.Value()
				}
				goesOn = yield(entries.Key(), value)
			}
		}
	case n == 2:
	case k == Chan:
		return func(yield func(x, _ Value) bool) {
			x, ok := v.Recv()
			for ok && yield(x, Value{}) {
				x, ok = v.Recv()
			}
		}
	case v.CanInt():
		return t.countRanger(uint64(max(v.Int(), 0)))
	case v.CanUint():
		return t.countRanger(v.Uint())
	}
	return nil
}

// callRanger calls a func that is an iterator, of one value or two.
func (v Value) callRanger() iter.Seq2[Value, Value] {
	return func(yield func(a, b Value) bool) {
		body := func(in []Value) []Value {
			in = append(in, Value{})
			more := yield(in[0], in[1])
			return []Value{ValueOf(more)}
		}
		v.Call([]Value{MakeFunc(v.Type().In(0), body)})
	}
}

// indexRanger walks over indices, and elements if there are to be two values.
func (v Value) indexRanger(length func() int, n int) iter.Seq2[Value, Value] {
	return func(yield func(at, element Value) bool) {
		var element Value
		for i := range length() {
			if n == 2 {
				element = v.Index(i)
			}
			if !yield(ValueOf(i), element) {
				break
			}
		}
	}
}

// countRanger counts from 0, in values of an integer type.
func (t *rtype) countRanger(end uint64) iter.Seq2[Value, Value] {
	return func(yield func(i, _ Value) bool) {
		i := uint64(0)
		for i < end && yield(Value{packBits(t, i), flag(t.kind)}, Value{}) {
			i++
		}
	}
}

// Fields returns an iterator over the fields of a struct and their values.
func (v Value) Fields() iter.Seq2[StructField, Value] {
	fields := v.Type().Fields()
	return func(yield func(StructField, Value) bool) {
		for f := range fields {
			if !yield(f, v.Field(f.Index[0])) {
				break
			}
		}
	}
}

// Methods returns an iterator over the methods of v.
func (v Value) Methods() iter.Seq2[Method, Value] {
	t := v.Type() // of a zero Value that panics
	return func(yield func(Method, Value) bool) {
		n := v.NumMethod()
		for i := 0; i < n && yield(t.Method(i), v.Method(i)); i++ {
		}
	}
}
