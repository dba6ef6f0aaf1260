// Package json turns Go values into JSON and back.
//
// How values of a type are turned into JSON and back is worked out once for each type, when it is
// first met (lookupArshaler): from its kind, then from the methods that it has.
package json

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"sync"

	"encoding/json/internal"
	"encoding/json/internal/jsonflags"
	"encoding/json/internal/jsonopts"
	"encoding/json/jsontext"
)

var (
	errChangingDuplicateNames = errors.New("cannot change duplicate name checks after a JSON object has already begun processing")
	errChangingInvalidUTF8    = errors.New("cannot change UTF-8 checks after a JSON object has already begun processing")
	errChangingWhitespace     = errors.New("cannot change whitespace formatting within a MarshalEncode call")
)

var export = jsontext.Internal.Export(&internal.AllowInternalUse)

// Marshal gives in as JSON.
func Marshal(in any, opts ...Options) (out []byte, err error) {
	enc := export.GetBufferedEncoder(opts...)
	defer export.PutBufferedEncoder(enc)
	xe := export.Encoder(enc)
	xe.Flags.Set(jsonflags.OmitTopLevelNewline | 1)
	err = marshalEncode(enc, in, &xe.Struct)
	if err != nil && xe.Flags.Get(jsonflags.ReportErrorsWithLegacySemantics) {
		return nil, internal.TransformMarshalError(in, err)
	}
	return bytes.Clone(xe.Buf), err
}

// MarshalWrite writes in as JSON.
func MarshalWrite(out io.Writer, in any, opts ...Options) (err error) {
	enc := export.GetStreamingEncoder(out, opts...)
	xe := export.Encoder(enc)
	xe.Flags.Set(jsonflags.OmitTopLevelNewline | 1)
	return marshalTold(enc, in)
}

// MarshalEncode writes in as JSON, with more options.
func MarshalEncode(out *jsontext.Encoder, in any, opts ...Options) (err error) {
	xe := export.Encoder(out)
	if len(opts) > 0 {
		before := xe.Struct
		defer func() { xe.Struct = before }()
		xe.Struct.Join(opts...)
		changed := before.Flags.Values ^ xe.Flags.Values
		if xe.Tokens.Last.NeedObjectName() {
			if changed&uint64(jsonflags.AllowDuplicateNames) != 0 {
				return newMarshalErrorBefore(out, reflect.TypeOf(in), errChangingDuplicateNames)
			}
			if changed&uint64(jsonflags.AllowInvalidUTF8) != 0 {
				return newMarshalErrorBefore(out, reflect.TypeOf(in), errChangingInvalidUTF8)
			}
		}
		if xe.Flags.Has(jsonflags.AnyWhitespace) {
			if xe.Flags.Get(jsonflags.Multiline) {
				xe.Struct.InitializeMultiline()
			}
			if jsonopts.ChangedWhitespace(before, xe.Struct) {
				return newMarshalErrorBefore(out, reflect.TypeOf(in), errChangingWhitespace)
			}
		}
	}
	return marshalTold(out, in)
}

// marshalTold tells errors as the options ask.
func marshalTold(out *jsontext.Encoder, in any) error {
	xe := export.Encoder(out)
	err := marshalEncode(out, in, &xe.Struct)
	if err != nil && xe.Flags.Get(jsonflags.ReportErrorsWithLegacySemantics) {
		return internal.TransformMarshalError(in, err)
	}
	return err
}

func marshalEncode(out *jsontext.Encoder, in any, mo *jsonopts.Struct) error {
	v := reflect.ValueOf(in)
	if !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() {
		return out.WriteToken(jsontext.Null)
	}
	forced := v.Kind() != reflect.Pointer
	if forced {
		p := reflect.New(v.Type())
		p.Elem().Set(v)
		v = p
	}
	va := variable{v.Elem(), forced}
	t := va.Type()
	marshal, _ := marshalerFor(mo, lookupArshaler(t).marshal, t)
	err := marshal(out, va, mo)
	if err != nil && !mo.Flags.Get(jsonflags.AllowDuplicateNames) {
		export.Encoder(out).Tokens.InvalidateDisabledNamespaces()
	}
	return err
}

// Unmarshal stores in *out what the JSON value in says.
func Unmarshal(in []byte, out any, opts ...Options) (err error) {
	dec := export.GetBufferedDecoder(in, opts...)
	defer export.PutBufferedDecoder(dec)
	return unmarshalTold(dec, out, true)
}

// UnmarshalRead stores in *out what the JSON value that is all of in says.
func UnmarshalRead(in io.Reader, out any, opts ...Options) (err error) {
	return unmarshalTold(export.GetStreamingDecoder(in, opts...), out, true)
}

// UnmarshalDecode stores in *out what the next JSON value says, with more options.
func UnmarshalDecode(in *jsontext.Decoder, out any, opts ...Options) (err error) {
	xd := export.Decoder(in)
	if len(opts) > 0 {
		before := xd.Struct
		defer func() { xd.Struct = before }()
		xd.Struct.Join(opts...)
		if changed := before.Flags.Values ^ xd.Flags.Values; xd.Tokens.Last.NeedObjectName() {
			if changed&uint64(jsonflags.AllowDuplicateNames) != 0 {
				return newUnmarshalErrorBefore(in, reflect.TypeOf(out), errChangingDuplicateNames)
			}
			if changed&uint64(jsonflags.AllowInvalidUTF8) != 0 {
				return newUnmarshalErrorBefore(in, reflect.TypeOf(out), errChangingInvalidUTF8)
			}
		}
	}
	return unmarshalTold(in, out, false)
}

// unmarshalTold tells errors as the options ask.
func unmarshalTold(in *jsontext.Decoder, out any, last bool) error {
	xd := export.Decoder(in)
	err := unmarshalDecode(in, out, &xd.Struct, last)
	if err != nil && xd.Flags.Get(jsonflags.ReportErrorsWithLegacySemantics) {
		return internal.TransformUnmarshalError(out, err)
	}
	return err
}

func unmarshalDecode(in *jsontext.Decoder, out any, uo *jsonopts.Struct, last bool) error {
	v := reflect.ValueOf(out)
	if v.Kind() != reflect.Pointer || v.IsNil() {
		t := reflect.TypeOf(out)
		return &SemanticError{action: "unmarshal", GoType: t, Err: internal.ErrNonNilReference}
	}
	xd := export.Decoder(in)
	// The only value must be there.
	atEnd := func(err error) error {
		if err == io.EOF && last {
			offset := in.InputOffset() + int64(len(in.UnreadBuffer()))
			return &jsontext.SyntacticError{ByteOffset: offset, Err: io.ErrUnexpectedEOF}
		}
		return err
	}
	if uo.Flags.Get(jsonflags.ReportErrorsWithLegacySemantics) {
		if err := xd.CheckNextValue(last); err != nil {
			return atEnd(err)
		}
	}
	va := variable{v.Elem(), false}
	t := va.Type()
	unmarshal, _ := unmarshalerFor(uo, lookupArshaler(t).unmarshal, t)
	if err := unmarshal(in, va, uo); err != nil {
		if !uo.Flags.Get(jsonflags.AllowDuplicateNames) {
			xd.Tokens.InvalidateDisabledNamespaces()
		}
		return atEnd(err)
	}
	if last {
		return xd.CheckEOF()
	}
	return nil
}

// variable is a value that has an address.
type variable struct {
	reflect.Value
	// forced: it has got its address here, and the program does not know it.
	forced bool
}

func newVariable(t reflect.Type) variable { return variable{reflect.New(t).Elem(), true} }

// field gives a field of a struct, nested ones by the indices after the first. It is not valid if
// a pointer on the way is nil, unless makes says that it is set then and that is possible.
func (va variable) field(first int, index []int, makes bool) variable {
	va = variable{va.Field(first), va.forced}
	for _, i := range index {
		if va = va.indirect(makes); !va.IsValid() {
			return va
		}
		va = variable{va.Field(i), va.forced}
	}
	return va
}

// indirect follows a pointer.
func (va variable) indirect(makes bool) variable {
	if va.Kind() != reflect.Pointer {
		return va
	}
	if va.IsNil() {
		if !makes || !va.CanSet() {
			return variable{}
		}
		va.Set(reflect.New(va.Type().Elem()))
	}
	return variable{va.Elem(), false}
}

type (
	marshaler   = func(*jsontext.Encoder, variable, *jsonopts.Struct) error
	unmarshaler = func(*jsontext.Decoder, variable, *jsonopts.Struct) error
)

// arshaler is how values of a type become JSON and back.
type arshaler struct {
	marshal   marshaler
	unmarshal unmarshaler
	// nonDefault: the type has methods for it.
	nonDefault bool
	// plan is for values that natives turn into JSON and back at once.
	plan *plan
}

var arshalers sync.Map // of *arshaler by reflect.Type

func lookupArshaler(t reflect.Type) *arshaler {
	if a, ok := arshalers.Load(t); ok {
		return a.(*arshaler)
	}
	a := makeDefaultArshaler(t)
	addMethods(a, t)
	addTime(a, t)
	addPlan(a, t)
	found, _ := arshalers.LoadOrStore(t, a)
	return found.(*arshaler)
}

func marshalerFor(mo *jsonopts.Struct, marshal marshaler, t reflect.Type) (marshaler, bool) {
	if mo.Marshalers == nil {
		return marshal, false
	}
	return mo.Marshalers.(*Marshalers).lookup(marshal, t)
}

func unmarshalerFor(uo *jsonopts.Struct, unmarshal unmarshaler, t reflect.Type) (unmarshaler, bool) {
	if uo.Unmarshalers == nil {
		return unmarshal, false
	}
	return uo.Unmarshalers.(*Unmarshalers).lookup(unmarshal, t)
}
