package driver

// Converters of what programs give to what drivers take.

import (
	"database/sql/internal"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"time"
	"uuid"
)

type ValueConverter interface {
	ConvertValue(v any) (Value, error)
}

type Valuer interface {
	Value() (Value, error)
}

// Converters to one type each.
var (
	Bool                      boolType
	Int32                     int32Type
	String                    stringType
	DefaultParameterConverter defaultConverter
)

type (
	boolType         struct{}
	int32Type        struct{}
	stringType       struct{}
	defaultConverter struct{}
)

func (boolType) String() string { return "Bool" }

func (boolType) ConvertValue(src any) (Value, error) {
	var text string
	switch src := src.(type) {
	case bool:
		return src, nil
	case string:
		text = src
	case []byte:
		text = string(src)
	default:
		n, size := whole(reflect.ValueOf(src))
		switch {
		case size == none:
			return nil, fmt.Errorf("sql/driver: couldn't convert %v (%T) into type bool", src, src)
		case uint64(n) > 1:
			return nil, fmt.Errorf("sql/driver: couldn't convert %d into type bool", src)
		}
		return n == 1, nil
	}
	b, err := strconv.ParseBool(text)
	if err != nil {
		return nil, fmt.Errorf("sql/driver: couldn't convert %q into type bool", src)
	}
	return b, nil
}

// What whole finds.
type size uint8

const (
	none  size = iota // no integer
	fits              // in an int64
	large             // not in an int64, which wraps
)

// whole gives the number that v is, if that is of an integer kind.
func whole(v reflect.Value) (int64, size) {
	if v.CanInt() {
		return v.Int(), fits
	}
	if !v.CanUint() || v.Kind() == reflect.Uintptr {
		return 0, none
	}
	n := int64(v.Uint())
	if n < 0 {
		return n, large
	}
	return n, fits
}

func (int32Type) ConvertValue(v any) (Value, error) {
	rv := reflect.ValueOf(v)
	n, size := whole(rv)
	if size == none {
		if rv.Kind() != reflect.String {
			return nil, fmt.Errorf("sql/driver: unsupported value %v (type %T) converting to int32",
				v, v)
		}
		parsed, err := strconv.Atoi(rv.String())
		if err == nil {
			return int64(parsed), nil
		}
		return nil, fmt.Errorf("sql/driver: value %q can't be converted to int32", v)
	}
	if size == large || n != int64(int32(n)) {
		return nil, fmt.Errorf("sql/driver: value %d overflows int32", v)
	}
	return n, nil
}

type (
	Null    struct{ Converter ValueConverter }
	NotNull struct{ Converter ValueConverter }
)

func (n NotNull) ConvertValue(v any) (Value, error) {
	if v != nil {
		return n.Converter.ConvertValue(v)
	}
	return nil, fmt.Errorf("nil value not allowed")
}

func (n Null) ConvertValue(v any) (Value, error) {
	if v != nil {
		return n.Converter.ConvertValue(v)
	}
	return nil, nil
}

func (stringType) ConvertValue(v any) (Value, error) {
	switch v.(type) {
	case []byte, string:
		return v, nil
	}
	return fmt.Sprint(v), nil
}

func IsScanValue(v any) bool { return IsValue(v) }

// A decomposer is a decimal number that shows its parts; such are values, too.
type decomposer interface {
	Decompose(buf []byte) (form byte, negative bool, coefficient []byte, exponent int32)
}

func IsValue(v any) bool {
	switch v.(type) {
	case nil, int64, float64, bool, []byte, string, time.Time, decomposer:
		return true
	}
	return false
}

func (c defaultConverter) ConvertValue(v any) (Value, error) {
	if IsValue(v) {
		return v, nil
	}
	if valuer, ok := v.(Valuer); ok {
		return ownValue(valuer)
	}
	if id, ok := v.(uuid.UUID); ok {
		return id.String(), nil
	}
	rv := reflect.ValueOf(v)
	kind := rv.Kind()
	n, size := whole(rv)
	switch {
	case size == large && kind == reflect.Uint64:
		return nil, errors.New("uint64 values with high bit set are not supported")
	case size != none:
		return n, nil
	case rv.CanFloat():
		return rv.Float(), nil
	case kind == reflect.String:
		return rv.String(), nil
	case kind == reflect.Bool:
		return rv.Bool(), nil
	case kind == reflect.Pointer && rv.IsNil():
		return nil, nil
	case kind == reflect.Pointer:
		return c.ConvertValue(rv.Elem().Interface())
	case kind != reflect.Slice:
		return nil, fmt.Errorf("unsupported type %T, a %s", v, kind)
	}
	if elem := rv.Type().Elem().Kind(); elem != reflect.Uint8 {
		return nil, fmt.Errorf("unsupported type %T, a slice of %s", v, elem)
	}
	return rv.Bytes(), nil
}

// ownValue asks v for its value, which must be one that drivers take.
func ownValue(v Valuer) (Value, error) {
	if internal.NilOf(v) {
		return nil, nil
	}
	own, err := v.Value()
	if err == nil && !IsValue(own) {
		err = fmt.Errorf("non-Value type %T returned from Value", own)
	}
	if err != nil {
		return nil, err
	}
	return own, nil
}
