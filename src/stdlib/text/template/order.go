// The order in which the keys of maps are visited, which is that in which package fmt prints them.

package template

import (
	"cmp"
	"reflect"
	"slices"
)

// An order compares values of one type.
type order func(a, b reflect.Value) int

func sortedKeys(m reflect.Value) []reflect.Value {
	keys := m.MapKeys()
	slices.SortStableFunc(keys, orderOf(m.Type().Key()))
	return keys
}

// orderOf returns the order of the values of a type, made of those of its parts.
func orderOf(t reflect.Type) order {
	switch k := t.Kind(); {
	case k == reflect.String:
		return by(reflect.Value.String)
	case ints.has(k):
		return by(reflect.Value.Int)
	case uints.has(k):
		return by(reflect.Value.Uint)
	case floats.has(k):
		return by(reflect.Value.Float)
	case complexes.has(k):
		return inTurn(
			by(func(v reflect.Value) float64 { return real(v.Complex()) }),
			by(func(v reflect.Value) float64 { return imag(v.Complex()) }))
	case k == reflect.Bool:
		return by(func(v reflect.Value) int {
			if v.Bool() {
				return 1
			}
			return 0
		})
	case k == reflect.Pointer, k == reflect.UnsafePointer, k == reflect.Chan:
		return by(reflect.Value.Pointer)
	case k == reflect.Interface:
		return ofContents
	case k == reflect.Array:
		return ofElements(orderOf(t.Elem()))
	case k == reflect.Struct:
		fields := make([]order, t.NumField())
		for i := range fields {
			of := orderOf(t.Field(i).Type)
			fields[i] = func(a, b reflect.Value) int { return of(a.Field(i), b.Field(i)) }
		}
		return inTurn(fields...)
	}
	return inTurn()
}

// by is the order of what get gives.
func by[T cmp.Ordered](get func(reflect.Value) T) order {
	return func(a, b reflect.Value) int { return cmp.Compare(get(a), get(b)) }
}

// inTurn is the order by the first of several that tells values apart.
func inTurn(orders ...order) order {
	return func(a, b reflect.Value) int {
		for _, o := range orders {
			if c := o(a, b); c != 0 {
				return c
			}
		}
		return 0
	}
}

func ofElements(of order) order {
	return func(a, b reflect.Value) (c int) {
		for i := 0; i < a.Len() && c == 0; i++ {
			c = of(a.Index(i), b.Index(i))
		}
		return c
	}
}

// ofContents is the order of what is in interfaces: nil, then type by type.
func ofContents(a, b reflect.Value) int {
	rank := func(v reflect.Value) string {
		if v.IsNil() {
			return ""
		}
		return v.Elem().Type().String()
	}
	if c := cmp.Compare(rank(a), rank(b)); c != 0 {
		return c
	}
	if a.IsNil() || a.Elem().Type() != b.Elem().Type() {
		return 0
	}
	return orderOf(a.Elem().Type())(a.Elem(), b.Elem())
}
