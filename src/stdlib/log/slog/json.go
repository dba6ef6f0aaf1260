package slog

import (
	"encoding"
	"encoding/base64"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

type jsonMarshaler interface {
	MarshalJSON() ([]byte, error)
}

// called is the type whose method is called: package json has it called through a pointer.
func called(v any) string { return "*" + strings.TrimPrefix(fmt.Sprintf("%T", v), "*") }

// appendMarshalled appends v in JSON.
func appendMarshalled(buf []byte, v any) ([]byte, error) {
	if v == nil || isNilPointer(v) {
		return append(buf, "null"...), nil
	}
	switch v := v.(type) {
	case jsonMarshaler:
		text, err := v.MarshalJSON()
		if err != nil {
			return nil, fmt.Errorf("json: error calling MarshalJSON for type %s: %w", called(v), err)
		}
		return append(buf, text...), nil
	case encoding.TextMarshaler:
		text, err := v.MarshalText()
		if err != nil {
			return nil, fmt.Errorf("json: error calling MarshalText for type %s: %w", called(v), err)
		}
		return appendText(buf, string(text)), nil
	case Kind:
		return strconv.AppendInt(buf, int64(v), 10), nil
	case string:
		return appendText(buf, v), nil
	case bool:
		return strconv.AppendBool(buf, v), nil
	case float64:
		return appendFloat(buf, v, 64)
	case float32:
		return appendFloat(buf, float64(v), 32)
	case int, int8, int16, int32, int64, uint, uint8, uint16, uint32, uint64, uintptr:
		return fmt.Append(buf, v), nil
	case []byte:
		if v == nil {
			return append(buf, "null"...), nil
		}
		return appendText(buf, base64.StdEncoding.EncodeToString(v)), nil
	case []any:
		return appendList(buf, v)
	case []string:
		return appendList(buf, v)
	case []int:
		return appendList(buf, v)
	case []int64:
		return appendList(buf, v)
	case []float64:
		return appendList(buf, v)
	case []bool:
		return appendList(buf, v)
	case map[string]any:
		return appendMap(buf, v)
	case map[string]string:
		return appendMap(buf, v)
	case map[string]int:
		return appendMap(buf, v)
	}
	return nil, fmt.Errorf("json: unsupported type: %T", v)
}

func appendText(buf []byte, s string) []byte {
	return append(appendEscaped(append(buf, '"'), s), '"')
}

// appendFloat writes exponents as JavaScript does.
func appendFloat(buf []byte, f float64, bits int) ([]byte, error) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		text := strconv.FormatFloat(f, 'g', -1, bits)
		return nil, fmt.Errorf("json: unsupported value: %s", text)
	}
	format, amount := byte('f'), math.Abs(f)
	if amount != 0 && (amount < 1e-6 || amount >= 1e21) {
		format = 'e'
	}
	buf = strconv.AppendFloat(buf, f, format, -1, bits)
	if n := len(buf); format == 'e' && n >= 4 && string(buf[n-4:n-1]) == "e-0" {
		buf = append(buf[:n-2], buf[n-1])
	}
	return buf, nil
}

func appendList[T any](buf []byte, list []T) (_ []byte, err error) {
	if list == nil {
		return append(buf, "null"...), nil
	}
	buf = append(buf, '[')
	for i, v := range list {
		if i > 0 {
			buf = append(buf, ',')
		}
		if buf, err = appendMarshalled(buf, v); err != nil {
			return nil, err
		}
	}
	return append(buf, ']'), nil
}

func appendMap[T any](buf []byte, m map[string]T) (_ []byte, err error) {
	if m == nil {
		return append(buf, "null"...), nil
	}
	buf = append(buf, '{')
	for i, key := range slices.Sorted(maps.Keys(m)) {
		if i > 0 {
			buf = append(buf, ',')
		}
		buf = append(appendText(buf, key), ':')
		if buf, err = appendMarshalled(buf, m[key]); err != nil {
			return nil, err
		}
	}
	return append(buf, '}'), nil
}
