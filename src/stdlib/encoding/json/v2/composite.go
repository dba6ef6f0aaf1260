package json

import (
	"cmp"
	"encoding"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"encoding/json/internal"
	"encoding/json/internal/jsonflags"
	"encoding/json/internal/jsonopts"
	"encoding/json/internal/jsonwire"
	"encoding/json/jsontext"
)

// trustedDepth is how deep a value is before cycles are looked for.
const trustedDepth = 1000

// seen is a map, slice or pointer that is being followed.
type seen struct {
	typ reflect.Type
	ptr uintptr
	len int
}

// enter notes that v is followed; leave undoes that.
func enter(enc *jsontext.Encoder, v reflect.Value) (leave func(), err error) {
	xe := export.Encoder(enc)
	if xe.Tokens.Depth() <= trustedDepth {
		return func() {}, nil
	}
	s := seen{typ: v.Type(), ptr: v.Pointer()}
	if v.Kind() == reflect.Slice {
		s.len = v.Len()
	}
	if _, ok := xe.SeenPointers[s]; ok {
		return nil, cannotWrite(enc, v.Type(), internal.ErrCycle)
	}
	if xe.SeenPointers == nil {
		xe.SeenPointers = make(map[any]struct{})
	}
	xe.SeenPointers[s] = struct{}{}
	return func() { delete(xe.SeenPointers, s) }, nil
}

// lazily gives the arshaler of t, which may be the type that asks.
func lazily(t reflect.Type) func() *arshaler {
	var a *arshaler
	return func() *arshaler {
		if a == nil {
			a = arshalerOf(t)
		}
		return a
	}
}

func makeMap(t reflect.Type) *arshaler {
	keyArshaler, valArshaler := lazily(t.Key()), lazily(t.Elem())
	// A nil key with such a method has been written as an empty name.
	nilKey := t.Key().Kind() == reflect.Pointer &&
		hasMethodsOf(t.Key(), []reflect.Type{typeTextMarshaler, typeTextAppender})
	var a arshaler
	a.marshal = func(enc *jsontext.Encoder, va variable, mo *jsonopts.Struct) error {
		leave, err := enter(enc, va.Value)
		if err != nil {
			return err
		}
		defer leave()
		if refusesTag(mo) {
			return cannotWrite(enc, t, errStringTag)
		}
		switch n := va.Len(); {
		case n == 0 && va.IsNil() && mo.Flags.Get(jsonflags.FormatNilMapAsNull):
			return enc.WriteToken(jsontext.Null)
		case n == 0:
			if err := enc.WriteToken(jsontext.BeginObject); err != nil {
				return err
			}
		default:
			if err := enc.WriteToken(jsontext.BeginObject); err != nil {
				return err
			}
			if err := marshalMembers(enc, va, mo, t, keyArshaler(), valArshaler(), nilKey); err != nil {
				return err
			}
		}
		return enc.WriteToken(jsontext.EndObject)
	}
	a.unmarshal = func(dec *jsontext.Decoder, va variable, uo *jsonopts.Struct) error {
		if refusesTag(uo) {
			return cannotReadSkipping(dec, t, errStringTag)
		}
		tok, err := dec.ReadToken()
		if err != nil {
			return err
		}
		switch tok.Kind() {
		case 'n':
			va.SetZero()
			return nil
		case '{':
			return unmarshalMembers(dec, va, uo, t, keyArshaler(), valArshaler())
		}
		return cannotTakeInside(dec, t, nil)
	}
	return &a
}

// marshalMembers writes the members of a map that is not empty.
func marshalMembers(
	enc *jsontext.Encoder, va variable, mo *jsonopts.Struct, t reflect.Type,
	keys, vals *arshaler, nilKey bool,
) error {
	xe := export.Encoder(enc)
	marshalKey, special := marshalerFor(mo, keys.marshal, t.Key())
	marshalVal, _ := marshalerFor(mo, vals.marshal, t.Elem())
	special = special || keys.special
	if !special && isUnique(t.Key().Kind(), mo) {
		xe.Tokens.Last.DisableNamespace()
	}
	writeKey := func(k variable) error {
		err := marshalKey(enc, k, mo)
		if err != nil && nilKey && mo.Flags.Get(jsonflags.CallMethodsWithLegacySemantics) &&
			errors.Is(err, jsontext.ErrNonStringName) && k.IsNil() {
			err = enc.WriteToken(jsontext.String(""))
		}
		if e, ok := err.(*jsontext.SyntacticError); ok && e.Err == jsontext.ErrNonStringName {
			err = cannotWrite(enc, k.Type(), err)
		}
		return err
	}
	n := va.Len()
	if n == 1 || !mo.Flags.Get(jsonflags.Deterministic) {
		k, v := newVariable(t.Key()), newVariable(t.Elem())
		for iter := va.MapRange(); iter.Next(); {
			k.SetIterKey(iter)
			err := writeKey(k)
			if err == nil {
				v.SetIterValue(iter)
				err = marshalVal(enc, v, mo)
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
	// The names are found out first, by writing them and taking them back.
	type member struct {
		name string
		val  variable
	}
	members := make([]member, 0, n)
	plain := !special && t.Key().Kind() == reflect.String
	for iter := va.MapRange(); iter.Next(); {
		v := newVariable(t.Elem())
		v.SetIterValue(iter)
		if plain {
			members = append(members, member{iter.Key().String(), v})
			continue
		}
		k := newVariable(t.Key())
		k.SetIterKey(iter)
		if err := writeKey(k); err != nil {
			return err
		}
		members = append(members, member{xe.UnwriteOnlyObjectMemberName(), v})
	}
	slices.SortFunc(members, func(a, b member) int { return strings.Compare(a.name, b.name) })
	for _, m := range members {
		if err := enc.WriteToken(jsontext.String(m.name)); err != nil {
			return err
		}
		if err := marshalVal(enc, m.val, mo); err != nil {
			return err
		}
	}
	return nil
}

// isUnique says whether different keys of the kind have different names.
func isUnique(k reflect.Kind, o *jsonopts.Struct) bool {
	if k == reflect.String {
		return !o.Flags.Get(jsonflags.AllowInvalidUTF8)
	}
	return reflect.Bool <= k && k <= reflect.Uintptr
}

// unmarshalMembers reads the members of a map and what ends it.
func unmarshalMembers(
	dec *jsontext.Decoder, va variable, uo *jsonopts.Struct, t reflect.Type, keys, vals *arshaler,
) error {
	xd := export.Decoder(dec)
	if va.IsNil() {
		va.Set(reflect.MakeMap(t))
	}
	unmarshalKey, special := unmarshalerFor(uo, keys.unmarshal, t.Key())
	unmarshalVal, _ := unmarshalerFor(uo, vals.unmarshal, t.Elem())
	k, v := newVariable(t.Key()), newVariable(t.Elem())
	if !special && !keys.special && isUnique(k.Kind(), uo) {
		xd.Tokens.Last.DisableNamespace()
	}
	// What was there before may be there once more.
	unique := !uo.Flags.Get(jsonflags.AllowDuplicateNames)
	var now reflect.Value
	if unique && va.Len() > 0 {
		now = reflect.MakeMap(reflect.MapOf(k.Type(), typeNoFields))
	}
	var later mended
	for dec.PeekKind() != '}' {
		k.SetZero()
		err := unmarshalKey(dec, k, uo)
		if err != nil && isFatal(err, uo.Flags) {
			return err
		}
		if key := k.Value; err == nil && key.Kind() == reflect.Interface && !key.IsNil() {
			if held := key.Elem().Type(); !held.Comparable() {
				err = cannotTake(dec, t, fmt.Errorf("invalid incomparable key type %v", held))
				if !tellsAsV1(uo) {
					return err
				}
			}
		}
		if err != nil {
			if err := dec.SkipValue(); err != nil {
				return err
			}
			later.keep(err)
			continue
		}
		v.SetZero()
		if old := va.MapIndex(k.Value); old.IsValid() {
			if unique && (!now.IsValid() || now.MapIndex(k.Value).IsValid()) {
				name := xd.PreviousTokenOrValue()
				return sameName(dec.StackPointer(), nil, dec.InputOffset()-int64(len(name)))
			}
			if !uo.Flags.Get(jsonflags.MergeWithLegacySemantics) {
				v.Set(old)
			}
		}
		bad := unmarshalVal(dec, v, uo)
		va.SetMapIndex(k.Value, v.Value)
		if now.IsValid() {
			now.SetMapIndex(k.Value, reflect.Zero(typeNoFields))
		}
		if bad != nil && later.refuses(bad, uo) {
			return bad
		}
	}
	return later.atEnd(dec)
}

// mended is the first of the errors after which the rest of an array or object was read.
type mended struct{ first error }

func (m *mended) keep(err error) { m.first = cmp.Or(m.first, err) }

// refuses keeps err, unless nothing is to be read after it.
func (m *mended) refuses(err error, uo *jsonopts.Struct) bool {
	if isFatal(err, uo.Flags) {
		return true
	}
	m.keep(err)
	return false
}

// atEnd reads what ends the array or object, and gives what was kept.
func (m *mended) atEnd(dec *jsontext.Decoder) error {
	_, err := dec.ReadToken()
	return cmp.Or(err, m.first)
}

func makeSlice(t reflect.Type) *arshaler {
	elem := lazily(t.Elem())
	var a arshaler
	a.marshal = func(enc *jsontext.Encoder, va variable, mo *jsonopts.Struct) error {
		leave, err := enter(enc, va.Value)
		if err != nil {
			return err
		}
		defer leave()
		if refusesTag(mo) {
			return cannotWrite(enc, t, errStringTag)
		}
		if va.IsNil() && mo.Flags.Get(jsonflags.FormatNilSliceAsNull) {
			return enc.WriteToken(jsontext.Null)
		}
		return marshalElements(enc, va, mo, t.Elem(), elem, false)
	}
	a.unmarshal = func(dec *jsontext.Decoder, va variable, uo *jsonopts.Struct) error {
		if refusesTag(uo) {
			return cannotReadSkipping(dec, t, errStringTag)
		}
		tok, err := dec.ReadToken()
		if err != nil {
			return err
		}
		switch tok.Kind() {
		case 'n':
			va.SetZero()
			return nil
		case '[':
		default:
			return cannotTakeInside(dec, t, nil)
		}
		unmarshal, _ := unmarshalerFor(uo, elem().unmarshal, t.Elem())
		// Elements that there are already are used again.
		room := va.Cap()
		old := room
		if room > 0 {
			va.SetLen(room)
		}
		i := 0
		merge := uo.Flags.Get(jsonflags.MergeWithLegacySemantics)
		var later mended
		for dec.PeekKind() != ']' {
			if i == room {
				va.Grow(1)
				room = va.Cap()
				va.SetLen(room)
				old = 0
			}
			v := variable{va.Index(i), false}
			if i < old && !merge {
				v.SetZero()
			}
			i++
			if err := unmarshal(dec, v, uo); err != nil && later.refuses(err, uo) {
				va.SetLen(i)
				return err
			}
		}
		va.SetLen(i)
		if i == 0 {
			va.Set(reflect.MakeSlice(t, 0, 0))
		}
		return later.atEnd(dec)
	}
	return &a
}

// marshalElements writes an array with the elements of a slice or array.
func marshalElements(
	enc *jsontext.Encoder, va variable, mo *jsonopts.Struct, t reflect.Type,
	elem func() *arshaler, forced bool,
) error {
	if err := enc.WriteToken(jsontext.BeginArray); err != nil {
		return err
	}
	if n := va.Len(); n > 0 {
		marshal, _ := marshalerFor(mo, elem().marshal, t)
		for i := range n {
			if err := marshal(enc, variable{va.Index(i), forced}, mo); err != nil {
				return err
			}
		}
	}
	return enc.WriteToken(jsontext.EndArray)
}

var (
	errArrayTooShort = errors.New("too few array elements")
	errArrayTooLong  = errors.New("too many array elements")
)

func makeArray(t reflect.Type) *arshaler {
	elem := lazily(t.Elem())
	n := t.Len()
	var a arshaler
	a.marshal = func(enc *jsontext.Encoder, va variable, mo *jsonopts.Struct) error {
		if refusesTag(mo) {
			return cannotWrite(enc, t, errStringTag)
		}
		return marshalElements(enc, va, mo, t.Elem(), elem, va.forced)
	}
	a.unmarshal = func(dec *jsontext.Decoder, va variable, uo *jsonopts.Struct) error {
		if refusesTag(uo) {
			return cannotReadSkipping(dec, t, errStringTag)
		}
		tok, err := dec.ReadToken()
		if err != nil {
			return err
		}
		switch tok.Kind() {
		case 'n':
			setZero(va, uo)
			return nil
		case '[':
		default:
			return cannotTakeInside(dec, t, nil)
		}
		unmarshal, _ := unmarshalerFor(uo, elem().unmarshal, t.Elem())
		i := 0
		var first, length error
		for dec.PeekKind() != ']' {
			if i == n {
				if err := dec.SkipValue(); err != nil {
					return err
				}
				length = errArrayTooLong
				continue
			}
			v := variable{va.Index(i), va.forced}
			i++
			setZero(v, uo)
			if err := unmarshal(dec, v, uo); err != nil {
				if isFatal(err, uo.Flags) {
					return err
				}
				first = cmp.Or(first, err)
			}
		}
		for ; i < n; i++ {
			va.Index(i).SetZero()
			length = errArrayTooShort
		}
		if _, err := dec.ReadToken(); err != nil {
			return err
		}
		if length != nil && !uo.Flags.Get(jsonflags.UnmarshalArrayFromAnyLength) {
			return cannotTake(dec, t, length)
		}
		return first
	}
	return &a
}

func makePointer(t reflect.Type) *arshaler {
	elem := lazily(t.Elem())
	// untag takes back the tag option `string`, which goes through one pointer. False: it is wrong.
	untag := func(o *jsonopts.Struct) bool {
		if o.Flags.Get(jsonflags.StringTag) && t.Elem().Kind() == reflect.Pointer &&
			o.Flags.Get(jsonflags.StringifyWithLegacySemantics) {
			if !o.Flags.Get(jsonflags.ReportErrorsWithLegacySemantics) {
				return false
			}
			o.Flags.Clear(jsonflags.StringTag)
		}
		return true
	}
	var a arshaler
	a.marshal = func(enc *jsontext.Encoder, va variable, mo *jsonopts.Struct) error {
		leave, err := enter(enc, va.Value)
		if err != nil {
			return err
		}
		defer leave()
		if !untag(mo) {
			return cannotWrite(enc, t, errStringTag)
		}
		if va.IsNil() {
			return enc.WriteToken(jsontext.Null)
		}
		marshal, _ := marshalerFor(mo, elem().marshal, t.Elem())
		return marshal(enc, variable{va.Elem(), false}, mo)
	}
	a.unmarshal = func(dec *jsontext.Decoder, va variable, uo *jsonopts.Struct) error {
		if dec.PeekKind() == 'n' {
			_, err := dec.ReadToken()
			if err == nil {
				va.SetZero()
			}
			return err
		}
		if !untag(uo) {
			return cannotReadSkipping(dec, t, errStringTag)
		}
		to := t.Elem()
		if va.IsNil() {
			va.Set(reflect.New(to))
		}
		unmarshal, _ := unmarshalerFor(uo, elem().unmarshal, to)
		if err := unmarshal(dec, variable{va.Elem(), false}, uo); err != nil {
			return err
		}
		if quoted, _ := quoting(uo); quoted &&
			string(export.Decoder(dec).PreviousTokenOrValue()) == `"null"` {
			va.SetZero()
		}
		return nil
	}
	return &a
}

func makeInterface(t reflect.Type) *arshaler {
	hasMethod := slices.ContainsFunc(marshalerTypes, t.Implements)
	var a arshaler
	a.marshal = func(enc *jsontext.Encoder, va variable, mo *jsonopts.Struct) error {
		if refusesDynamicTag(mo) {
			return cannotWrite(enc, t, errStringTag)
		}
		if va.IsNil() {
			return enc.WriteToken(jsontext.Null)
		}
		e := va.Elem()
		if hasMethod && mo.Flags.Get(jsonflags.CallMethodsWithLegacySemantics) &&
			e.Kind() == reflect.Pointer && e.IsNil() {
			// The method is called even of a nil pointer.
			e = reflect.ValueOf(embedding(e.Interface()))
		}
		if t == typeAny && !mo.Flags.Get(jsonflags.StringifyNumbers|jsonflags.StringTag) &&
			(mo.Marshalers == nil || !mo.Marshalers.(*Marshalers).forAny) {
			return marshalAny(enc, e.Interface(), mo)
		}
		return marshalDynamic(enc, e, mo)
	}
	a.unmarshal = func(dec *jsontext.Decoder, va variable, uo *jsonopts.Struct) error {
		if refusesDynamicTag(uo) {
			return cannotReadSkipping(dec, t, errStringTag)
		}
		k := dec.PeekKind()
		if old := va.Elem(); old.IsValid() && uo.Flags.Get(jsonflags.MergeWithLegacySemantics) {
			switch {
			case old.Kind() != reflect.Pointer, old.IsNil():
				va.SetZero()
			case k == 'n' && old.Elem().Kind() == reflect.Pointer:
				_, err := dec.ReadToken()
				if err == nil {
					old.Elem().SetZero()
				}
				return err
			}
		}
		if k == 'n' {
			_, err := dec.ReadToken()
			if err == nil {
				va.SetZero()
			}
			return err
		}
		var v variable
		if !va.IsNil() {
			v = newVariable(va.Elem().Type())
			v.Set(va.Elem())
		} else {
			forAny := uo.Unmarshalers != nil && uo.Unmarshalers.(*Unmarshalers).forAny
			if t == typeAny && !forAny && !uo.Flags.Get(jsonflags.AllowDuplicateNames) {
				made, err := unmarshalAny(dec, uo)
				if made != nil {
					va.Set(reflect.ValueOf(made))
				}
				return err
			}
			if t.NumMethod() > 0 {
				return cannotReadSkipping(dec, t, internal.ErrNilInterface)
			}
			switch k {
			case 'f', 't':
				v = newVariable(typeBool)
			case '"':
				v = newVariable(typeString)
			case '0':
				if uo.Flags.Get(jsonflags.UnmarshalAnyWithRawNumber) {
					v = variable{reflect.ValueOf(internal.V1.NewNumber()).Elem(), true}
				} else {
					v = newVariable(typeFloat)
				}
			case '{':
				v = newVariable(typeAnyMap)
			case '[':
				v = newVariable(typeAnySlice)
			default:
				_, err := dec.ReadValue()
				return err
			}
		}
		dynamic := v.Type()
		unmarshal, _ := unmarshalerFor(uo, arshalerOf(dynamic).unmarshal, dynamic)
		wrong := unmarshal(dec, v, uo)
		va.Set(v.Value)
		return wrong
	}
	return &a
}

// refusesDynamicTag says whether the tag option `string` is wrong for an interface; what is in the
// interface does not see it.
func refusesDynamicTag(o *jsonopts.Struct) bool {
	wrong := refusesTag(o)
	if !wrong && o.Flags.Get(jsonflags.StringifyWithLegacySemantics) {
		o.Flags.Clear(jsonflags.StringTag)
	}
	return wrong
}

// embedding gives a struct with the method of a nil pointer.
func embedding(v any) any {
	switch v := v.(type) {
	case MarshalerTo:
		return struct{ MarshalerTo }{v}
	case Marshaler:
		return struct{ Marshaler }{v}
	case encoding.TextAppender:
		return struct{ encoding.TextAppender }{v}
	case encoding.TextMarshaler:
		return struct{ encoding.TextMarshaler }{v}
	}
	return v
}

// marshalDynamic writes what an interface has in it.
func marshalDynamic(enc *jsontext.Encoder, e reflect.Value, mo *jsonopts.Struct) error {
	v := newVariable(e.Type())
	v.Set(e)
	marshal, _ := marshalerFor(mo, arshalerOf(v.Type()).marshal, v.Type())
	return marshal(enc, v, mo)
}

func marshalAny(enc *jsontext.Encoder, val any, mo *jsonopts.Struct) error {
	tok, simple := jsontext.Null, true
	switch val := val.(type) {
	case string:
		tok = jsontext.String(val)
	case float64:
		if simple = val-val == 0; simple {
			tok = jsontext.Float(val)
		}
	case bool:
		tok = jsontext.Bool(val)
	default:
		simple = val == nil
	}
	if !simple {
		return marshalDynamic(enc, reflect.ValueOf(val), mo)
	}
	return enc.WriteToken(tok)
}

// unmarshalAny reads what an interface without methods gets, where no name may be there twice.
func unmarshalAny(dec *jsontext.Decoder, uo *jsonopts.Struct) (any, error) {
	xd := export.Decoder(dec)
	var later mended
	switch dec.PeekKind() {
	case '{':
		obj := make(map[string]any)
		if _, err := dec.ReadToken(); err != nil {
			return obj, err
		}
		if !uo.Flags.Get(jsonflags.AllowInvalidUTF8) {
			xd.Tokens.Last.DisableNamespace()
		}
		for dec.PeekKind() != '}' {
			key, err := dec.ReadToken()
			if err != nil {
				return obj, err
			}
			name := key.String()
			if _, again := obj[name]; again {
				length := int64(len(xd.PreviousTokenOrValue()))
				return obj, sameName(dec.StackPointer(), nil, dec.InputOffset()-length)
			}
			val, err := unmarshalAny(dec, uo)
			obj[name] = val
			if err != nil {
				if later.refuses(err, uo) {
					return obj, err
				}
				// Of members, the last error is told.
				later.first = err
			}
		}
		return obj, later.atEnd(dec)
	case '[':
		arr := []any{}
		if _, err := dec.ReadToken(); err != nil {
			return arr, err
		}
		for dec.PeekKind() != ']' {
			val, err := unmarshalAny(dec, uo)
			arr = append(arr, val)
			if err != nil && later.refuses(err, uo) {
				return arr, err
			}
		}
		return arr, later.atEnd(dec)
	}
	var read jsonwire.ValueFlags
	val, err := xd.ReadValue(&read)
	if err != nil {
		return nil, err
	}
	switch k := val.Kind(); k {
	case '"':
		return string(jsonwire.UnquoteMayCopy(val, read.IsVerbatim())), nil
	case 't', 'f':
		return k == 't', nil
	case '0':
		if uo.Flags.Get(jsonflags.UnmarshalAnyWithRawNumber) {
			return internal.V1.Number(val), nil
		}
		f, err := strconv.ParseFloat(string(val), 64)
		if err != nil {
			return 0.0, cannotTakeText(dec, typeFloat, errors.Unwrap(err))
		}
		return f, nil
	}
	return nil, nil
}

var errNoTarget = errors.New("cannot set embedded pointer to unexported struct type")

func makeStruct(t reflect.Type) *arshaler {
	var known *structFields
	fields := func() *structFields {
		if known == nil {
			known = fieldsOf(t)
		}
		return known
	}
	var a arshaler
	a.marshal = func(enc *jsontext.Encoder, va variable, mo *jsonopts.Struct) error {
		if refusesTag(mo) {
			return cannotWrite(enc, t, errStringTag)
		}
		fs := fields()
		if e := fs.problem(mo); e != nil {
			return cannotWrite(enc, e.GoType, e.Err)
		}
		return marshalFields(enc, va, mo, fs)
	}
	a.unmarshal = func(dec *jsontext.Decoder, va variable, uo *jsonopts.Struct) error {
		if refusesTag(uo) {
			return cannotReadSkipping(dec, t, errStringTag)
		}
		tok, err := dec.ReadToken()
		if err != nil {
			return err
		}
		switch tok.Kind() {
		case 'n':
			setZero(va, uo)
			return nil
		case '{':
			fs := fields()
			if e := fs.problem(uo); e != nil {
				return cannotTake(dec, e.GoType, e.Err)
			}
			return unmarshalFields(dec, va, uo, t, fs)
		}
		return cannotTakeInside(dec, t, nil)
	}
	return &a
}

// emptyAsBefore is what encoding/json has called empty.
func emptyAsBefore(va variable) bool {
	switch k := va.Kind(); k {
	case reflect.String, reflect.Map, reflect.Slice, reflect.Array:
		return va.Len() == 0
	case reflect.Pointer, reflect.Interface:
		return va.IsNil()
	case reflect.Float32, reflect.Float64:
		return va.Float() == 0
	default:
		return reflect.Bool <= k && k <= reflect.Uintptr && va.IsZero()
	}
}

func marshalFields(enc *jsontext.Encoder, va variable, mo *jsonopts.Struct, fs *structFields) error {
	xe := export.Encoder(enc)
	if err := enc.WriteToken(jsontext.BeginObject); err != nil {
		return err
	}
	// The names of fields are different.
	xe.Tokens.Last.DisableNamespace()
	legacy := mo.Flags.Get(jsonflags.OmitEmptyWithLegacySemantics)
	onLines := mo.Flags.Get(jsonflags.Multiline)
	comma := ","
	if mo.Flags.Get(jsonflags.SpaceAfterComma) {
		comma = ", "
	}
	var written map[int]bool
	var prevName *string
	for i := range fs.fields {
		f := &fs.fields[i]
		v := va.field(f.index0, f.index, false)
		if !v.IsValid() {
			continue
		}
		if f.omitzero || mo.Flags.Get(jsonflags.OmitZeroStructFields) {
			if f.isZero == nil && v.IsZero() || f.isZero != nil && f.isZero(v) {
				continue
			}
		}
		marshal, special := marshalerFor(mo, f.arshaler().marshal, f.typ)
		if f.omitempty {
			if legacy && emptyAsBefore(v) {
				continue
			}
			if !legacy && !special && !f.arshaler().special && f.isEmpty != nil && f.isEmpty(v) {
				continue
			}
		}
		b := xe.Buf
		if xe.Tokens.Last.Length() > 0 {
			b = append(b, comma...)
		}
		if onLines {
			b = xe.AppendIndent(b, xe.Tokens.NeedIndent('"'))
		}
		at := len(b)
		if !f.needsEscape {
			xe.Buf = append(b, f.inQuotes...)
		} else {
			xe.Buf, _ = jsonwire.AppendQuote(b, f.name, &mo.Flags)
		}
		xe.Tokens.Last.Increment()
		xe.Names.ReplaceLastQuotedOffset(at)

		before := mo.Flags
		if f.string {
			mo.Flags.Set(1 | jsonflags.StringTag)
		}
		err := marshal(enc, v, mo)
		mo.Flags = before
		if err != nil {
			return err
		}
		if f.omitempty && !legacy && xe.UnwriteEmptyObjectMember(prevName) {
			continue
		}
		if fs.fallback != nil && !mo.Flags.Get(jsonflags.AllowDuplicateNames) {
			if written == nil {
				written = make(map[int]bool)
			}
			written[f.id] = true
		}
		prevName = &f.name
	}
	if fs.fallback != nil {
		// insert says whether a name is new.
		var insert func(name []byte) bool
		if !mo.Flags.Get(jsonflags.AllowDuplicateNames) {
			insert = func(name []byte) bool {
				if f, _ := fs.lookup(name, &mo.Flags); f != nil {
					if written == nil {
						written = make(map[int]bool)
					}
					if written[f.id] {
						return false
					}
					written[f.id] = true
					return true
				}
				return xe.Namespaces.Last().InsertUnquoted(name)
			}
		}
		if err := marshalFallback(enc, va, mo, fs.fallback, insert); err != nil {
			return err
		}
	}
	return enc.WriteToken(jsontext.EndObject)
}

func unmarshalFields(
	dec *jsontext.Decoder, va variable, uo *jsonopts.Struct, t reflect.Type, fs *structFields,
) error {
	xd := export.Decoder(dec)
	xd.Tokens.Last.DisableNamespace()
	unique := !uo.Flags.Get(jsonflags.AllowDuplicateNames)
	legacy := tellsAsV1(uo)
	var found map[int]bool
	if unique {
		found = make(map[int]bool)
	}
	var later mended
	for dec.PeekKind() != '}' {
		var read jsonwire.ValueFlags
		val, err := xd.ReadValue(&read)
		if err != nil {
			return err
		}
		name := jsonwire.UnquoteMayCopy(val, read.IsVerbatim())
		again := func() error {
			return sameName(dec.StackPointer(), nil, dec.InputOffset()-int64(len(val)))
		}
		f, several := fs.lookup(name, &uo.Flags)
		if several && !legacy {
			return cannotTake(dec, t, errNameOfSeveral)
		}
		if f == nil {
			if fs.fallback == nil && uo.Flags.Get(jsonflags.RejectUnknownMembers) {
				err := cannotTake(dec, t, ErrUnknownName)
				if !legacy {
					return err
				}
				later.keep(err)
			}
			if unique && !xd.Namespaces.Last().InsertUnquoted(name) {
				return again()
			}
			if fs.fallback == nil {
				err = dec.SkipValue()
			} else {
				err = unmarshalFallback(dec, va, uo, fs.fallback, val, name)
			}
			if err != nil && (fs.fallback == nil || later.refuses(err, uo)) {
				return err
			}
			continue
		}
		if unique {
			if found[f.id] {
				return again()
			}
			found[f.id] = true
		}
		unmarshal, _ := unmarshalerFor(uo, f.arshaler().unmarshal, f.typ)
		before := uo.Flags
		if f.string {
			uo.Flags.Set(1 | jsonflags.StringTag)
		}
		v := va.field(f.index0, f.index, true)
		if v.IsValid() {
			err = unmarshal(dec, v, uo)
		} else {
			err := cannotRead(dec, t, errNoTarget)
			if !legacy {
				return err
			}
			later.keep(err)
			if err := dec.SkipValue(); err != nil {
				return err
			}
		}
		uo.Flags = before
		if err != nil && later.refuses(err, uo) {
			return err
		}
	}
	return later.atEnd(dec)
}
