package testing

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
	"unsafe"
)

// This file has the text of inputs: below a line that names the format each line is a value, which
// is written as a conversion of a literal.

// The first line of such a file.
const inputHead = "go test fuzz v1"

// encodeInput writes values as Go expressions, one on a line.
func encodeInput(values []any) []byte {
	var b bytes.Buffer
	b.WriteString(inputHead + "\n")
	for _, v := range values {
		b.WriteString(encodeValue(v) + "\n")
	}
	return b.Bytes()
}

func encodeValue(v any) string {
	switch v := v.(type) {
	case float32:
		if v != v && math.Float32bits(v) != math.Float32bits(float32(math.NaN())) {
			return fmt.Sprintf("math.Float32frombits(0x%x)", math.Float32bits(v))
		}
	case float64:
		if v != v && math.Float64bits(v) != math.Float64bits(math.NaN()) {
			return fmt.Sprintf("math.Float64frombits(0x%x)", math.Float64bits(v))
		}
	case string:
		return fmt.Sprintf("string(%q)", v)
	case []byte:
		return fmt.Sprintf("[]byte(%q)", v)
	case byte:
		return fmt.Sprintf("byte(%q)", v)
	case rune:
		if utf8.ValidRune(v) {
			return fmt.Sprintf("rune(%q)", v)
		}
	}
	return fmt.Sprintf("%T(%v)", v, v)
}

// decodeInput reads what encodeInput has written, or people.
func decodeInput(text []byte) (values []any, err error) {
	first, rest, hasMore := strings.Cut(string(text), "\n")
	switch first = strings.TrimSuffix(first, "\r"); {
	case len(text) == 0:
		return nil, fmt.Errorf("cannot unmarshal empty string")
	case !hasMore:
		return nil, fmt.Errorf("must include version and at least one value")
	case first != inputHead:
		return nil, fmt.Errorf("unknown encoding version: %s", first)
	}
	for line := range strings.Lines(rest) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		if value, wrong := decodeValue(line); wrong == nil {
			values = append(values, value)
		} else {
			return nil, fmt.Errorf("malformed line %q: %v", line, wrong)
		}
	}
	return values, nil
}

// decodeValue reads a conversion of a literal.
func decodeValue(line string) (any, error) {
	kind, rest, ok := strings.Cut(line, "(")
	arg, closed := strings.CutSuffix(rest, ")")
	if !ok || !closed {
		return nil, fmt.Errorf("expected call expression")
	}
	kind, arg = strings.TrimSpace(kind), strings.TrimSpace(arg)
	if arg == "" {
		return nil, fmt.Errorf("expected call expression with 1 argument; got 0")
	}
	isString := arg[0] == '"' || arg[0] == '`'
	isNumber := strings.TrimLeft(arg, "-+")[:1] >= "0" && strings.TrimLeft(arg, "-+")[:1] <= "9"
	if unicode.IsLetter(rune(arg[0])) && arg != "NaN" && kind != "bool" && kind != "[]byte" {
		return nil, fmt.Errorf("literal value required for primitive type")
	}
	switch kind {
	case "[]byte":
		if !isString {
			return nil, fmt.Errorf("string literal required for type []byte")
		}
		s, err := strconv.Unquote(arg)
		return []byte(s), err
	case "string":
		if !isString {
			return nil, fmt.Errorf("string literal value required for type string")
		}
		return strconv.Unquote(arg)
	case "bool":
		if arg != "true" && arg != "false" {
			return nil, fmt.Errorf("true or false required for type bool")
		}
		return arg == "true", nil
	case "byte", "rune":
		if !isNumber {
			return decodeChar(kind, arg)
		}
		if kind == "rune" {
			return integer[int32](arg, strconv.ParseInt)
		}
		return integer[uint8](arg, strconv.ParseUint)
	case "int", "int8", "int16", "int32", "int64":
		if !isNumber {
			return nil, fmt.Errorf("integer literal required for int types")
		}
	case "uint", "uint8", "uint16", "uint32", "uint64":
		if !isNumber {
			return nil, fmt.Errorf("integer literal required for uint types")
		}
	case "float32", "float64":
		if name := strings.TrimLeft(arg, "-+"); !isNumber && name != "Inf" && name != "NaN" && name[0] != '.' {
			return nil, fmt.Errorf("float or integer literal required for %s type", kind)
		}
		if kind == "float32" {
			x, err := strconv.ParseFloat(arg, 32)
			return float32(x), err
		}
		return strconv.ParseFloat(arg, 64)
	case "math.Float32frombits":
		bits, err := strconv.ParseUint(arg, 0, 32)
		return math.Float32frombits(uint32(bits)), err
	case "math.Float64frombits":
		bits, err := strconv.ParseUint(arg, 0, 64)
		return math.Float64frombits(bits), err
	default:
		return nil, fmt.Errorf("expected []byte or primitive type")
	}
	return readInteger(kind, arg)
}

func decodeChar(kind, arg string) (any, error) {
	if len(arg) < 2 || arg[0] != '\'' || arg[len(arg)-1] != '\'' {
		return nil, fmt.Errorf("character literal required for byte/rune types")
	}
	r, _, _, err := strconv.UnquoteChar(arg[1:len(arg)-1], '\'')
	if err != nil {
		return nil, err
	}
	if kind == "rune" {
		return r, nil
	}
	if r >= 256 {
		return nil, fmt.Errorf("can only encode single byte to a byte type")
	}
	return byte(r), nil
}

// readInteger reads an integer of a kind.
func readInteger(kind, arg string) (any, error) {
	readers := map[string]func(arg string) (any, error){
		"int":    func(arg string) (any, error) { return integer[int](arg, strconv.ParseInt) },
		"int8":   func(arg string) (any, error) { return integer[int8](arg, strconv.ParseInt) },
		"int16":  func(arg string) (any, error) { return integer[int16](arg, strconv.ParseInt) },
		"int32":  func(arg string) (any, error) { return integer[int32](arg, strconv.ParseInt) },
		"int64":  func(arg string) (any, error) { return integer[int64](arg, strconv.ParseInt) },
		"uint":   func(arg string) (any, error) { return integer[uint](arg, strconv.ParseUint) },
		"uint8":  func(arg string) (any, error) { return integer[uint8](arg, strconv.ParseUint) },
		"uint16": func(arg string) (any, error) { return integer[uint16](arg, strconv.ParseUint) },
		"uint32": func(arg string) (any, error) { return integer[uint32](arg, strconv.ParseUint) },
		"uint64": func(arg string) (any, error) { return integer[uint64](arg, strconv.ParseUint) },
	}
	return readers[kind](arg)
}

// integer reads a T by a function that can read the widest there is.
func integer[T, W int | int8 | int16 | int32 | int64 | uint | uint8 | uint16 | uint32 | uint64](
	arg string, parse func(s string, base, bits int) (W, error),
) (any, error) {
	var n T
	wide, err := parse(arg, 0, 8*int(unsafe.Sizeof(n)))
	if err != nil {
		return nil, err
	}
	return T(wide), nil
}
