package testing

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

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
func decodeInput(text []byte) ([]any, error) {
	if len(text) == 0 {
		return nil, fmt.Errorf("cannot unmarshal empty string")
	}
	lines := bytes.Split(text, []byte("\n"))
	if len(lines) < 2 {
		return nil, fmt.Errorf("must include version and at least one value")
	}
	if head := strings.TrimSuffix(string(lines[0]), "\r"); head != inputHead {
		return nil, fmt.Errorf("unknown encoding version: %s", head)
	}
	var values []any
	for _, line := range lines[1:] {
		line = bytes.TrimSpace(line)
		if len(line) == 0 {
			continue
		}
		v, err := decodeValue(string(line))
		if err != nil {
			return nil, fmt.Errorf("malformed line %q: %v", line, err)
		}
		values = append(values, v)
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
			return decodeInt("int32", arg)
		}
		return decodeUint("uint8", arg)
	case "int", "int8", "int16", "int32", "int64":
		if !isNumber {
			return nil, fmt.Errorf("integer literal required for int types")
		}
		return decodeInt(kind, arg)
	case "uint", "uint8", "uint16", "uint32", "uint64":
		if !isNumber {
			return nil, fmt.Errorf("integer literal required for uint types")
		}
		return decodeUint(kind, arg)
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
	}
	return nil, fmt.Errorf("expected []byte or primitive type")
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

func decodeInt(kind, arg string) (any, error) {
	bits, _ := strconv.Atoi(strings.TrimPrefix(kind, "int"))
	n, err := strconv.ParseInt(arg, 0, bits)
	if err != nil {
		return nil, err
	}
	switch kind {
	case "int":
		return int(n), nil
	case "int8":
		return int8(n), nil
	case "int16":
		return int16(n), nil
	case "int32":
		return int32(n), nil
	}
	return n, nil
}

func decodeUint(kind, arg string) (any, error) {
	bits, _ := strconv.Atoi(strings.TrimPrefix(kind, "uint"))
	n, err := strconv.ParseUint(arg, 0, bits)
	if err != nil {
		return nil, err
	}
	switch kind {
	case "uint":
		return uint(n), nil
	case "uint8":
		return uint8(n), nil
	case "uint16":
		return uint16(n), nil
	case "uint32":
		return uint32(n), nil
	}
	return n, nil
}
