package json

import (
	"bytes"
	"errors"
	"reflect"
	"slices"

	"encoding/json/internal/jsonflags"
	"encoding/json/internal/jsonopts"
	"encoding/json/internal/jsonwire"
	"encoding/json/jsontext"
)

var errRawNoObject = errors.New("embedded raw value must be a JSON object")

// marshalFallback writes the members that the fallback field has. insert, if there is one, says
// whether a name is new.
func marshalFallback(
	enc *jsontext.Encoder, va variable, mo *jsonopts.Struct, f *fieldPlan,
	insert func(name []byte) bool,
) error {
	v := va.field(f.index0, f.index, false)
	if v.IsValid() {
		v = v.indirect(false)
	}
	if !v.IsValid() {
		return nil
	}
	t := v.Type()
	writeName := func(quoted []byte) error {
		if insert != nil && !insert(jsonwire.UnquoteMayCopy(quoted, false)) {
			return sameName(enc.StackPointer().Parent(), quoted, enc.OutputOffset())
		}
		return enc.WriteValue(quoted)
	}
	if t == valueType {
		return marshalRawFallback(enc, *v.Addr().Interface().(*jsontext.Value), t, writeName)
	}
	marshal, _ := marshalerFor(mo, f.arshaler().marshal, t.Elem())
	keys := v.MapKeys()
	if mo.Flags.Get(jsonflags.Deterministic) {
		slices.SortFunc(keys, func(a, b reflect.Value) int {
			if a.String() < b.String() {
				return -1
			}
			return 1
		})
	}
	val := newVariable(t.Elem())
	for _, key := range keys {
		b, err := jsonwire.AppendQuote(nil, key.String(), &mo.Flags)
		if err != nil {
			return cannotWrite(enc, t.Key(), err)
		}
		if err := writeName(b); err != nil {
			return err
		}
		val.Set(v.MapIndex(key))
		if err := marshal(enc, val, mo); err != nil {
			return err
		}
	}
	return nil
}

func marshalRawFallback(
	enc *jsontext.Encoder, b []byte, t reflect.Type, writeName func([]byte) error,
) error {
	if len(b) == 0 {
		return nil
	}
	wrong := func(err error) error { return cannotWrite(enc, t, err) }
	dec := export.GetBufferedDecoder(b, jsonflags.AllowDuplicateNames|jsonflags.AllowInvalidUTF8|1)
	defer export.PutBufferedDecoder(dec)
	tok, err := dec.ReadToken()
	err = unexpected(err)
	if err == nil && tok.Kind() != '{' {
		err = errRawNoObject
	}
	if err != nil {
		return wrong(err)
	}
	for dec.PeekKind() != '}' {
		name, err := dec.ReadValue()
		if err != nil {
			return wrong(err)
		}
		if err := writeName(name); err != nil {
			return err
		}
		if val, err := dec.ReadValue(); err != nil {
			return wrong(err)
		} else if err = enc.WriteValue(val); err != nil {
			return err
		}
	}
	if _, err = dec.ReadToken(); err == nil {
		err = export.Decoder(dec).CheckEOF()
	}
	if err != nil {
		return wrong(err)
	}
	return nil
}

// unmarshalFallback reads the value of a member whose name has no field.
func unmarshalFallback(
	dec *jsontext.Decoder, va variable, uo *jsonopts.Struct, f *fieldPlan, quoted, name []byte,
) error {
	all := va.field(f.index0, f.index, true).indirect(true)
	if all.Type() == valueType {
		return addRawMember(dec, all.Addr().Interface().(*jsontext.Value), quoted)
	}
	of := all.Type()
	key := reflect.ValueOf(string(name)).Convert(of.Key())
	member := newVariable(of.Elem())
	if all.IsNil() {
		all.Set(reflect.MakeMap(of))
	} else if before := all.MapIndex(key); before.IsValid() {
		member.Set(before)
	}
	read, _ := unmarshalerFor(uo, f.arshaler().unmarshal, of.Elem())
	err := read(dec, member, uo)
	all.SetMapIndex(key, member.Value)
	return err
}

// addRawMember adds a member with the value that comes next to the object that *raw is, or is to
// become.
func addRawMember(dec *jsontext.Decoder, raw *jsontext.Value, quoted []byte) error {
	if len(*raw) == 0 {
		*raw = append(*raw, '{')
	} else {
		*raw = jsonwire.TrimSuffixWhitespace(*raw)
		open, ok := bytes.CutSuffix(*raw, []byte("}"))
		if !ok {
			return cannotTakeInside(dec, valueType, errRawNoObject)
		}
		open = jsonwire.TrimSuffixWhitespace(open)
		if !jsonwire.HasSuffixByte(open, ',') && !jsonwire.HasSuffixByte(open, '{') {
			open = append(open, ',')
		}
		*raw = open
	}
	*raw = append(append(*raw, quoted...), ':')
	val, err := dec.ReadValue()
	if err == nil {
		*raw = append(append(*raw, val...), '}')
	}
	return err
}
