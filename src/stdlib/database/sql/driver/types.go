package driver

import (
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
	text, isText := src.(string)
	if b, ok := src.([]byte); ok {
		text, isText = string(b), true
	}
	if isText {
		b, err := strconv.ParseBool(text)
		if err != nil {
			return nil, fmt.Errorf("sql/driver: couldn't convert %q into type bool", src)
		}
		return b, nil
	}
	if b, ok := src.(bool); ok {
		return b, nil
	}
	v := reflect.ValueOf(src)
	switch {
	case v.CanInt():
		if n := v.Int(); n != 0 && n != 1 {
			return nil, fmt.Errorf("sql/driver: couldn't convert %d into type bool", n)
		}
		return v.Int() == 1, nil
	case v.CanUint() && v.Kind() != reflect.Uintptr:
		if n := v.Uint(); n > 1 {
			return nil, fmt.Errorf("sql/driver: couldn't convert %d into type bool", n)
		}
		return v.Uint() == 1, nil
	}
	return nil, fmt.Errorf("sql/driver: couldn't convert %v (%T) into type bool", src, src)
}

func (int32Type) ConvertValue(v any) (Value, error) {
	const maxInt32 = 1<<31 - 1
	rv := reflect.ValueOf(v)
	switch {
	case rv.CanInt():
		n := rv.Int()
		if int64(int32(n)) != n {
			return nil, fmt.Errorf("sql/driver: value %d overflows int32", v)
		}
		return n, nil
	case rv.CanUint() && rv.Kind() != reflect.Uintptr:
		n := rv.Uint()
		if n > maxInt32 {
			return nil, fmt.Errorf("sql/driver: value %d overflows int32", v)
		}
		return int64(n), nil
	case rv.Kind() == reflect.String:
		n, err := strconv.Atoi(rv.String())
		if err != nil {
			return nil, fmt.Errorf("sql/driver: value %q can't be converted to int32", v)
		}
		return int64(n), nil
	}
	return nil, fmt.Errorf("sql/driver: unsupported value %v (type %T) converting to int32", v, v)
}

func (stringType) ConvertValue(v any) (Value, error) {
	switch v.(type) {
	case string, []byte:
		return v, nil
	}
	return fmt.Sprint(v), nil
}

type Null struct {
	Converter ValueConverter
}

func (n Null) ConvertValue(v any) (Value, error) {
	if v == nil {
		return nil, nil
	}
	return n.Converter.ConvertValue(v)
}

type NotNull struct {
	Converter ValueConverter
}

func (n NotNull) ConvertValue(v any) (Value, error) {
	if v == nil {
		return nil, fmt.Errorf("nil value not allowed")
	}
	return n.Converter.ConvertValue(v)
}

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

func IsScanValue(v any) bool { return IsValue(v) }

// valueOf asks v for its value. A nil pointer, where the method is not the pointer's own, is nil.
func valueOf(v Valuer) (Value, error) {
	rv := reflect.ValueOf(v)
	if rv.Kind() == reflect.Pointer && rv.IsNil() &&
		rv.Type().Elem().Implements(reflect.TypeFor[Valuer]()) {
		return nil, nil
	}
	return v.Value()
}

func (c defaultConverter) ConvertValue(v any) (Value, error) {
	if IsValue(v) {
		return v, nil
	}
	switch v := v.(type) {
	case Valuer:
		value, err := valueOf(v)
		if err != nil {
			return nil, err
		}
		if !IsValue(value) {
			return nil, fmt.Errorf("non-Value type %T returned from Value", value)
		}
		return value, nil
	case uuid.UUID:
		return v.String(), nil
	}
	rv := reflect.ValueOf(v)
	switch kind := rv.Kind(); kind {
	case reflect.Pointer:
		if rv.IsNil() {
			return nil, nil
		}
		return c.ConvertValue(rv.Elem().Interface())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return rv.Int(), nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32:
		return int64(rv.Uint()), nil
	case reflect.Uint64:
		if rv.Uint() >= 1<<63 {
			return nil, fmt.Errorf("uint64 values with high bit set are not supported")
		}
		return int64(rv.Uint()), nil
	case reflect.Float32, reflect.Float64:
		return rv.Float(), nil
	case reflect.Bool:
		return rv.Bool(), nil
	case reflect.String:
		return rv.String(), nil
	case reflect.Slice:
		if elem := rv.Type().Elem().Kind(); elem != reflect.Uint8 {
			return nil, fmt.Errorf("unsupported type %T, a slice of %s", v, elem)
		}
		return rv.Bytes(), nil
	default:
		return nil, fmt.Errorf("unsupported type %T, a %s", v, kind)
	}
}
