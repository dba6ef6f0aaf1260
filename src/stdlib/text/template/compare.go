// Comparisons: eq, ne, lt, le, gt and ge.

package template

import (
	"errors"
	"fmt"
	"reflect"
)

// A scalar is a value of a basic type, without the size that its type has. Two of them are equal if
// they are.
type scalar struct {
	class   class
	isBelow bool   // it is an integer below 0
	bits    uint64 // of an integer
	real    float64
	complex complex128
	text    string
}

// A class is types whose values can be compared with each other.
type class int

const (
	notScalar class = iota
	isInt
	isUint
	isFloat
	isText
	isTruth
	isComplex
)

func scalarOf(v reflect.Value) (s scalar) {
	switch k := v.Kind(); {
	case ints.has(k):
		n := v.Int()
		s.class, s.isBelow, s.bits = isInt, n < 0, uint64(n)
	case uints.has(k):
		s.class, s.bits = isUint, v.Uint()
	case floats.has(k):
		s.class, s.real = isFloat, v.Float()
	case complexes.has(k):
		s.class, s.complex = isComplex, v.Complex()
	case k == reflect.String:
		s.class, s.text = isText, v.String()
	case k == reflect.Bool:
		s.class = isTruth
		if v.Bool() {
			s.bits = 1
		}
	}
	return s
}

// meets says whether two scalars are of classes that have common values. Integers with a sign and
// without one do: they become of one class.
func (s *scalar) meets(t *scalar) bool {
	if s.class == isUint && t.class == isInt {
		s.class = isInt
	} else if s.class == isInt && t.class == isUint {
		t.class = isInt
	}
	return s.class == t.class
}

func incompatible(a, b reflect.Value) error {
	return fmt.Errorf("incompatible types for comparison: %v and %v", a.Type(), b.Type())
}

// equalsAny says whether the first argument equals one of the others.
func equalsAny(arg1 reflect.Value, arg2 ...reflect.Value) (isEqual bool, err error) {
	if len(arg2) == 0 {
		return false, errors.New("missing argument for comparison")
	}
	a := contentOf(arg1)
	for i := 0; i < len(arg2) && !isEqual && err == nil; i++ {
		isEqual, err = equals(a, contentOf(arg2[i]))
	}
	return isEqual, err
}

func equals(a, b reflect.Value) (bool, error) {
	x, y := scalarOf(a), scalarOf(b)
	bothAreValid := a.IsValid() && b.IsValid()
	switch {
	case !x.meets(&y):
		if bothAreValid {
			return false, incompatible(a, b)
		}
		return false, nil
	case x.class != notScalar:
		return x == y, nil
	case bothAreValid && a.Kind() != b.Kind():
		return false, fmt.Errorf("non-comparable types %s: %v, %s: %v", a, a.Type(), b.Type(), b)
	}
	if p, q := isNothing(a), isNothing(b); p || q {
		return p == q, nil
	}
	if !b.Type().Comparable() {
		return false, fmt.Errorf("non-comparable type %s: %v", b, b.Type())
	}
	return a.Interface() == b.Interface(), nil
}

// isNothing says whether v is nil, or no value.
func isNothing(v reflect.Value) bool {
	return !v.IsValid() || nilable.has(v.Kind()) && v.IsNil()
}

func differs(arg1, arg2 reflect.Value) (bool, error) {
	isEqual, err := equalsAny(arg1, arg2)
	return !isEqual, err
}

func less(arg1, arg2 reflect.Value) (bool, error) {
	a, b := contentOf(arg1), contentOf(arg2)
	x, y := scalarOf(a), scalarOf(b)
	areOrdered := x.class != notScalar && y.class != notScalar
	if areOrdered && !x.meets(&y) {
		return false, incompatible(a, b)
	}
	if !areOrdered || x.class >= isTruth {
		return false, errors.New("invalid type for comparison")
	}
	if x.isBelow != y.isBelow {
		return x.isBelow, nil
	}
	return x.bits < y.bits || x.real < y.real || x.text < y.text, nil
}

func lessOrEqual(arg1, arg2 reflect.Value) (bool, error) {
	if isLess, err := less(arg1, arg2); isLess || err != nil {
		return isLess, err
	}
	return equalsAny(arg1, arg2)
}

// unless is the opposite of an order.
func unless(holds bool, err error) (bool, error) { return !holds && err == nil, err }

func greater(arg1, arg2 reflect.Value) (bool, error) { return unless(lessOrEqual(arg1, arg2)) }

func greaterOrEqual(arg1, arg2 reflect.Value) (bool, error) { return unless(less(arg1, arg2)) }
