package json

import (
	"math"
	"reflect"
	"time"

	"encoding/json/internal/jsonflags"
	"encoding/json/internal/jsonopts"
	"encoding/json/jsontext"
)

// plan is the number of what the natives know of a type; nil: the type is not for them.
type plan int

func makePlan(types []any, words []int, names []string) int
func writeValue(id int, v any, dst []byte, wish int) ([]byte, bool)
func readValue(id int, v any, src []byte, wish int) (int, bool)

// What types are to the natives.
const (
	planBool = iota
	planInt
	planUint
	planFloat
	planString
	planAny
	planBytes
	planSlice
	planArray
	planMap
	planPointer
	planStruct
)

// A planner finds out whether a type and all in it is plain.
type planner struct {
	index map[reflect.Type]int
	types []reflect.Type
	words [][]int
	names []string
}

// addPlan has values of t be turned into JSON and back by natives, where that can be.
func addPlan(a *arshaler, t reflect.Type) {
	switch t.Kind() {
	case reflect.Slice, reflect.Array, reflect.Map, reflect.Struct, reflect.Pointer:
	case reflect.Interface:
		if t != typeAny {
			return
		}
	default:
		return
	}
	p := planner{index: make(map[reflect.Type]int)}
	if p.add(t) < 0 {
		return
	}
	var pointers []any
	var words []int
	for i, t := range p.types {
		pointers = append(pointers, reflect.Zero(reflect.PointerTo(t)).Interface())
		words = append(words, p.words[i]...)
	}
	id := makePlan(pointers, words, p.names)
	if id == 0 {
		return
	}
	known := plan(id)
	a.plan = &known
	marshal, unmarshal := a.marshal, a.unmarshal
	a.marshal = func(enc *jsontext.Encoder, va variable, mo *jsonopts.Struct) error {
		if !va.CanAddr() || !va.CanInterface() || mo.Marshalers != nil ||
			mo.Flags.Get(slowMarshal) {
			return marshal(enc, va, mo)
		}
		xe := export.Encoder(enc)
		if xe.Tokens.Last.NeedObjectName() {
			return marshal(enc, va, mo)
		}
		now := xe.Tokens.MayAppendDelim(xe.Buf, jsontext.KindBeginObject)
		now, ok := writeValue(id, va.Addr().Interface(), now, marshalWishes(mo))
		if !ok {
			return marshal(enc, va, mo)
		}
		xe.Tokens.Last.Increment()
		if xe.Buf = now; !xe.NeedFlush() {
			return nil
		}
		return xe.Flush()
	}
	a.unmarshal = func(dec *jsontext.Decoder, va variable, uo *jsonopts.Struct) error {
		if !va.CanAddr() || !va.CanInterface() || uo.Unmarshalers != nil ||
			uo.Flags.Get(slowUnmarshal) {
			return unmarshal(dec, va, uo)
		}
		xd := export.Decoder(dec)
		if dec.PeekKind() == jsontext.KindInvalid || xd.Tokens.Last.NeedObjectName() {
			return unmarshal(dec, va, uo)
		}
		wish := unmarshalWishes(uo)
		src, offset := xd.NextValue()
		if wish < 0 || src == nil || offset < xd.SlowUntil {
			return unmarshal(dec, va, uo)
		}
		n, ok := readValue(id, va.Addr().Interface(), src, wish)
		if !ok {
			xd.SlowUntil = offset + int64(n)
			if n == len(src) {
				xd.SlowUntil = math.MaxInt64
			}
			return unmarshal(dec, va, uo)
		}
		xd.TookValue(n)
		return nil
	}
}

// Options that the natives do not know.
const (
	slowMarshal = jsonflags.AnyWhitespace | jsonflags.StringifyNumbers | jsonflags.StringTag |
		jsonflags.OmitZeroStructFields
	slowUnmarshal = jsonflags.StringifyNumbers | jsonflags.StringTag |
		jsonflags.UnmarshalAnyWithRawNumber
)

func wishes(o *jsonopts.Struct, flags ...jsonflags.Bools) int {
	wish := 0
	for i, f := range flags {
		if o.Flags.Get(f) {
			wish |= 1 << i
		}
	}
	return wish
}

func marshalWishes(mo *jsonopts.Struct) int {
	return wishes(mo, jsonflags.EscapeForHTML, jsonflags.EscapeForJS, jsonflags.AllowInvalidUTF8,
		jsonflags.FormatNilMapAsNull, jsonflags.FormatNilSliceAsNull,
		jsonflags.OmitEmptyWithLegacySemantics)
}

// unmarshalWishes gives -1 if the natives do not know how to find fields.
func unmarshalWishes(uo *jsonopts.Struct) int {
	if uo.Flags.Get(jsonflags.MatchCaseInsensitiveNames) &&
		!uo.Flags.Get(jsonflags.MatchCaseSensitiveDelimiter) {
		return -1
	}
	return wishes(uo, 0, 0, jsonflags.AllowInvalidUTF8, 0, 0, 0,
		jsonflags.MergeWithLegacySemantics, jsonflags.MatchCaseInsensitiveNames,
		jsonflags.RejectUnknownMembers, jsonflags.AllowDuplicateNames)
}

// add gives the place of t, negative if it is not plain.
func (p *planner) add(t reflect.Type) int {
	if i, ok := p.index[t]; ok {
		return i
	}
	if k := t.Kind(); k != reflect.Interface && hasMethodsOf(t, methodTypes) ||
		t == reflect.TypeFor[time.Duration]() {
		return -1
	}
	i := len(p.types)
	p.index[t] = i
	p.types = append(p.types, t)
	p.words = append(p.words, nil)
	words, ok := p.describe(t)
	if !ok {
		return -1
	}
	p.words[i] = words
	return i
}

// describe says what t is.
func (p *planner) describe(t reflect.Type) (words []int, ok bool) {
	kind := t.Kind()
	of := func(what int, t reflect.Type) ([]int, bool) {
		i := p.add(t)
		return []int{what, i}, i >= 0
	}
	switch {
	case kind == reflect.Bool:
		return []int{planBool}, true
	case reflect.Int <= kind && kind <= reflect.Int64:
		return []int{planInt}, true
	case reflect.Uint <= kind && kind <= reflect.Uintptr:
		return []int{planUint}, true
	case kind == reflect.Float32 || kind == reflect.Float64:
		return []int{planFloat}, true
	case kind == reflect.String:
		return []int{planString}, true
	case t == typeAny:
		return []int{planAny}, true
	case kind == reflect.Slice && t.Elem().Kind() == reflect.Uint8:
		return []int{planBytes}, t.Elem().PkgPath() == ""
	case kind == reflect.Slice:
		return of(planSlice, t.Elem())
	case kind == reflect.Array && t.Elem().Kind() != reflect.Uint8:
		return of(planArray, t.Elem())
	case kind == reflect.Map && t.Key().Kind() == reflect.String:
		if hasMethodsOf(t.Key(), methodTypes) {
			return nil, false
		}
		return of(planMap, t.Elem())
	case kind == reflect.Pointer:
		return of(planPointer, t.Elem())
	case kind == reflect.Struct:
		return p.describeStruct(t)
	}
	return nil, false
}

func (p *planner) describeStruct(t reflect.Type) (words []int, ok bool) {
	fs := fieldsOf(t)
	if fs.wrong != nil || fs.format != nil || fs.fallback != nil {
		return nil, false
	}
	words = []int{planStruct, len(fs.fields)}
	for i := range fs.fields {
		f := &fs.fields[i]
		if f.string || f.casing != 0 || f.needsEscape || f.omitzero && f.isZero != nil ||
			!isASCII(f.name) {
			return nil, false
		}
		path := append([]int{f.index0}, f.index...)
		for at, n := t, len(path); n > 1; n-- {
			at = at.Field(path[len(path)-n]).Type
			if at.Kind() != reflect.Struct {
				return nil, false
			}
		}
		node := p.add(f.typ)
		if node < 0 {
			return nil, false
		}
		flags := 0
		if f.omitempty {
			flags |= 1
		}
		if f.omitzero {
			flags |= 2
		}
		words = append(words, len(p.names), node, flags, f.id, len(path))
		words = append(words, path...)
		p.names = append(p.names, f.inQuotes)
	}
	return words, true
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}
