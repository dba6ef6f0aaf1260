package asn1

import (
	"bytes"
	"errors"
	"math/big"
	"reflect"
	"slices"
	"time"
	"unicode/utf8"
)

// appendBase128 appends n with seven bits a byte, of which all but the last have their highest bit
// set.
func appendBase128(dst []byte, n int64) []byte {
	if n == 0 {
		return append(dst, 0)
	}
	begin := len(dst)
	for ; n > 0; n >>= 7 {
		dst = append(dst, byte(n)|0x80)
	}
	slices.Reverse(dst[begin:])
	if len(dst) > begin {
		dst[len(dst)-1] &^= 0x80
	}
	return dst
}

// element is content behind a tag and its length.
func element(class, tag int, isCompound bool, content []byte) []byte {
	first := byte(class) << 6
	if isCompound {
		first |= 0x20
	}
	dst := make([]byte, 0, 8+len(content))
	if tag >= 0x1f {
		dst = appendBase128(append(dst, first|0x1f), int64(tag))
	} else {
		dst = append(dst, first|byte(tag))
	}
	if n := len(content); n < 0x80 {
		dst = append(dst, byte(n))
	} else {
		length := new(big.Int).SetInt64(int64(n)).Bytes()
		dst = append(dst, 0x80|byte(len(length)))
		dst = append(dst, length...)
	}
	return append(dst, content...)
}

// integer has as few bytes as tell n and its sign.
func integer(n int64) []byte {
	size := 1
	for n>>(8*size-1) != 0 && n>>(8*size-1) != -1 {
		size++
	}
	dst := make([]byte, size)
	for i := range dst {
		dst[i] = byte(n >> (8 * (size - 1 - i)))
	}
	return dst
}

func bigInteger(n *big.Int) ([]byte, error) {
	if n == nil {
		return nil, StructuralError{"empty integer"}
	}
	// The bits of ^n, which is not negative, turned round are those of a negative n.
	amount, fill := n, byte(0)
	if n.Sign() < 0 {
		amount, fill = new(big.Int).Not(n), 0xff
	}
	dst := append([]byte{0}, amount.Bytes()...)
	if len(dst) > 1 && dst[1] < 0x80 {
		dst = dst[1:]
	}
	for i := range dst {
		dst[i] ^= fill
	}
	return dst, nil
}

func objectIdentifier(oid ObjectIdentifier) ([]byte, error) {
	if len(oid) < 2 || oid[0] > 2 || oid[0] < 2 && oid[1] >= 40 {
		return nil, StructuralError{"invalid object identifier"}
	}
	dst := appendBase128(nil, int64(oid[0]*40+oid[1]))
	for _, n := range oid[2:] {
		dst = appendBase128(dst, int64(n))
	}
	return dst, nil
}

// needsFourDigits says whether UTCTime cannot have the year.
func needsFourDigits(t time.Time) bool { return t.Year() < 1950 || t.Year() >= 2050 }

func timeOf(t time.Time, generalized bool) ([]byte, error) {
	layout := "060102150405"
	if generalized {
		layout = "20060102150405"
		if t.Year() < 0 || t.Year() > 9999 {
			return nil, StructuralError{"cannot represent time as GeneralizedTime"}
		}
	}
	dst := t.AppendFormat(nil, layout)
	_, offset := t.Zone()
	minutes := offset / 60
	if minutes == 0 {
		return append(dst, 'Z'), nil
	}
	sign := byte('+')
	if minutes < 0 {
		sign, minutes = '-', -minutes
	}
	two := func(n int) { dst = append(dst, byte('0'+n/10%10), byte('0'+n%10)) }
	dst = append(dst, sign)
	two(minutes / 60)
	two(minutes % 60)
	return dst, nil
}

// stringOf is a string with that tag, whose characters it must have.
func stringOf(tag int, s string) ([]byte, error) {
	name, ok := "", func(byte) bool { return true }
	switch tag {
	case TagPrintableString:
		name, ok = "PrintableString", func(c byte) bool { return isPlain(c) || c == '*' }
	case TagIA5String:
		name, ok = "IA5String", func(c byte) bool { return c < utf8.RuneSelf }
	case TagNumericString:
		name, ok = "NumericString", isDigitOrSpace
	}
	for i := range len(s) {
		if !ok(s[i]) {
			return nil, StructuralError{name + " contains invalid character"}
		}
	}
	return []byte(s), nil
}

// content is that of the element for v.
func content(v reflect.Value, p *fieldRules) ([]byte, error) {
	switch x := v.Interface().(type) {
	case Flag:
		return nil, nil
	case time.Time:
		return timeOf(x, p.timeType == TagGeneralizedTime || needsFourDigits(x))
	case BitString:
		return append([]byte{byte((8 - x.BitLength%8) % 8)}, x.Bytes...), nil
	case ObjectIdentifier:
		return objectIdentifier(x)
	case *big.Int:
		return bigInteger(x)
	}
	switch v.Kind() {
	case reflect.Bool:
		var truth byte
		if v.Bool() {
			truth = 0xff
		}
		return []byte{truth}, nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return integer(v.Int()), nil
	case reflect.String:
		return stringOf(p.stringType, v.String())
	case reflect.Struct:
		return fieldsOf(v)
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return v.Bytes(), nil
		}
		parts := make([][]byte, v.Len())
		for i := range parts {
			var err error
			if parts[i], err = field(v.Index(i), fieldRules{}); err != nil {
				return nil, err
			}
		}
		if p.set {
			slices.SortFunc(parts, bytes.Compare)
		}
		return bytes.Join(parts, nil), nil
	}
	return nil, StructuralError{"unknown Go type"}
}

func fieldsOf(v reflect.Value) (dst []byte, err error) {
	t := v.Type()
	if err := checkFields(t); err != nil {
		return nil, err
	}
	for i := range t.NumField() {
		f := t.Field(i)
		if i == 0 && f.Type == rawContents {
			raw := v.Field(0).Bytes()
			if len(raw) == 0 {
				continue
			}
			// It has a tag and a length of its own.
			if _, begin, err := parseHeader(raw, 0); err == nil {
				raw = raw[begin:]
			}
			return raw, nil
		}
		part, err := field(v.Field(i), parametersOf(f.Tag.Get("asn1")))
		if err != nil {
			return nil, err
		}
		dst = append(dst, part...)
	}
	return dst, nil
}

// isLeftOut says whether an optional field has the value that it has without an element.
func isLeftOut(v reflect.Value, p *fieldRules) bool {
	if v.Kind() == reflect.Slice && v.Len() == 0 && p.omitEmpty {
		return true
	}
	switch {
	case !p.optional:
		return false
	case p.defaultValue == nil:
		zero := reflect.Zero(v.Type())
		return reflect.DeepEqual(v.Interface(), zero.Interface())
	}
	if !v.CanInt() {
		return false
	}
	d := reflect.New(v.Type()).Elem()
	d.SetInt(*p.defaultValue)
	return v.Int() == d.Int()
}

// field is the element for v; nothing if it is left out.
func field(v reflect.Value, p fieldRules) ([]byte, error) {
	for v.IsValid() && v.Kind() == reflect.Interface && v.Type().NumMethod() == 0 {
		v = v.Elem()
	}
	if !v.IsValid() {
		return nil, errors.New("asn1: cannot marshal nil value")
	}
	if isLeftOut(v, &p) {
		return nil, nil
	}
	typ := v.Type()
	if typ == rawValues {
		raw := v.Interface().(RawValue)
		if len(raw.FullBytes) > 0 {
			return raw.FullBytes, nil
		}
		return element(raw.Class, raw.Tag, raw.IsCompound, raw.Bytes), nil
	}
	tag, isCompound, ok := universal(typ)
	switch {
	case !ok:
		return nil, StructuralError{"unknown Go type: " + typ.String()}
	case p.timeType != 0 && tag != TagUTCTime:
		return nil, StructuralError{"explicit time type given to non-time member"}
	case p.stringType != 0 && tag != TagPrintableString:
		return nil, StructuralError{"explicit string type given to non-string member"}
	}
	switch tag {
	case TagPrintableString:
		if p.stringType != 0 {
			tag = p.stringType
		} else if s := v.String(); !isAllPrintable(s) {
			if !utf8.ValidString(s) {
				return nil, errors.New("asn1: string not valid UTF-8")
			}
			tag = TagUTF8String
		}
	case TagUTCTime:
		if p.timeType == TagGeneralizedTime || needsFourDigits(v.Interface().(time.Time)) {
			tag = TagGeneralizedTime
		}
	case TagSet:
		if p.set {
			return nil, StructuralError{"non sequence tagged as set"}
		}
		p.set = true
	case TagSequence:
		if p.set {
			tag = TagSet
		}
	}
	if p.set && tag != TagSet {
		return nil, StructuralError{"non sequence tagged as set"}
	}
	body, err := content(v, &p)
	if err != nil {
		return nil, err
	}
	switch {
	case p.tag == nil:
		return element(ClassUniversal, tag, isCompound, body), nil
	case p.explicit:
		inner := element(ClassUniversal, tag, isCompound, body)
		return element(p.class(), *p.tag, true, inner), nil
	}
	return element(p.class(), *p.tag, isCompound, body), nil
}

func isAllPrintable(s string) bool {
	for i := range len(s) {
		if !isPlain(s[i]) {
			return false
		}
	}
	return true
}

func Marshal(val any) ([]byte, error) { return MarshalWithParams(val, "") }

func MarshalWithParams(val any, params string) ([]byte, error) {
	b, err := field(reflect.ValueOf(val), parametersOf(params))
	if err != nil {
		return nil, err
	}
	return append([]byte{}, b...), nil
}
