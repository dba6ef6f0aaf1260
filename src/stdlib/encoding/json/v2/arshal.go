// Package json turns Go values into JSON and back.
//
// How values of a type are turned into JSON and back is worked out once for each type, when it is
// first met (arshalerOf): from its kind, then from the methods that it has.
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
	errNamesFrozen = errors.New("cannot change duplicate name checks after a JSON object has already begun processing")
	errUTF8Frozen  = errors.New("cannot change UTF-8 checks after a JSON object has already begun processing")
	errSpaceFrozen = errors.New("cannot change whitespace formatting within a MarshalEncode call")
)

var export = jsontext.Internal.Export(&internal.AllowInternalUse)

// Marshal gives in as JSON.
func Marshal(in any, opts ...Options) ([]byte, error) {
	to := export.GetBufferedEncoder(opts...)
	defer export.PutBufferedEncoder(to)
	err := marshalAlone(to, in)
	if made := export.Encoder(to); err == nil || !tellsAsV1(&made.Struct) {
		return bytes.Clone(made.Buf), err
	}
	return nil, err
}

// MarshalWrite writes in as JSON.
func MarshalWrite(out io.Writer, in any, opts ...Options) (err error) {
	return marshalAlone(export.GetStreamingEncoder(out, opts...), in)
}

// marshalAlone writes what no line break is to follow.
func marshalAlone(enc *jsontext.Encoder, in any) error {
	export.Encoder(enc).Flags.Set(jsonflags.OmitTopLevelNewline | 1)
	return marshalTold(enc, in)
}

// frozenWithin finds among the options that two sets of them have differently one that cannot change
// where a name comes next.
func frozenWithin(before, now *jsonflags.Flags) error {
	changed := jsonflags.Bools(before.Values ^ now.Values)
	if changed&jsonflags.AllowDuplicateNames != 0 {
		return errNamesFrozen
	}
	if changed&jsonflags.AllowInvalidUTF8 != 0 {
		return errUTF8Frozen
	}
	return nil
}

// MarshalEncode writes in as JSON, with more options.
func MarshalEncode(out *jsontext.Encoder, in any, opts ...Options) (err error) {
	if len(opts) == 0 {
		return marshalTold(out, in)
	}
	xe := export.Encoder(out)
	usual, now := xe.Struct, &xe.Struct
	defer func() { *now = usual }()
	now.Join(opts...)
	if xe.Tokens.Last.NeedObjectName() {
		err = frozenWithin(&usual.Flags, &now.Flags)
	}
	if err == nil && now.Flags.Has(jsonflags.AnyWhitespace) {
		if now.Flags.Get(jsonflags.Multiline) {
			now.InitializeMultiline()
		}
		if jsonopts.ChangedWhitespace(usual, *now) {
			err = errSpaceFrozen
		}
	}
	if err != nil {
		return cannotWrite(out, reflect.TypeOf(in), err)
	}
	return marshalTold(out, in)
}

// marshalTold tells errors as the options ask.
func marshalTold(out *jsontext.Encoder, in any) error {
	mo := &export.Encoder(out).Struct
	err := marshalValue(out, in, mo)
	if err == nil || !mo.Flags.Get(jsonflags.ReportErrorsWithLegacySemantics) {
		return err
	}
	return internal.V1.MarshalError(err)
}

func marshalValue(out *jsontext.Encoder, in any, mo *jsonopts.Struct) error {
	va, ok := variableOf(in)
	if !ok {
		return out.WriteToken(jsontext.Null)
	}
	t := va.Type()
	marshal, _ := marshalerFor(mo, arshalerOf(t).marshal, t)
	err := marshal(out, va, mo)
	if err != nil {
		forgetNames(&export.Encoder(out).Tokens, mo)
	}
	return err
}

// forgetNames is for after an error, when it is not known what names there are.
func forgetNames(tokens interface{ InvalidateDisabledNamespaces() }, o *jsonopts.Struct) {
	if !o.Flags.Get(jsonflags.AllowDuplicateNames) {
		tokens.InvalidateDisabledNamespaces()
	}
}

// variableOf gives what in points to, or a variable with a copy of it. There is none of nil.
func variableOf(in any) (va variable, ok bool) {
	v := reflect.ValueOf(in)
	switch {
	case !v.IsValid():
		return va, false
	case v.Kind() == reflect.Pointer:
		return variable{v.Elem(), false}, !v.IsNil()
	}
	va = newVariable(v.Type())
	va.Set(v)
	return va, true
}

// Unmarshal stores in *out what the JSON value in says.
func Unmarshal(in []byte, out any, opts ...Options) error {
	from := export.GetBufferedDecoder(in, opts...)
	defer export.PutBufferedDecoder(from)
	return unmarshalTold(from, out, true)
}

// UnmarshalRead stores in *out what the JSON value that is all of in says.
func UnmarshalRead(in io.Reader, out any, opts ...Options) (err error) {
	return unmarshalTold(export.GetStreamingDecoder(in, opts...), out, true)
}

// UnmarshalDecode stores in *out what the next JSON value says, with more options.
func UnmarshalDecode(in *jsontext.Decoder, out any, opts ...Options) (err error) {
	if len(opts) == 0 {
		return unmarshalTold(in, out, false)
	}
	xd := export.Decoder(in)
	usual, now := xd.Struct, &xd.Struct
	defer func() { *now = usual }()
	now.Join(opts...)
	if xd.Tokens.Last.NeedObjectName() {
		if err = frozenWithin(&usual.Flags, &now.Flags); err != nil {
			return cannotRead(in, reflect.TypeOf(out), err)
		}
	}
	return unmarshalTold(in, out, false)
}

// unmarshalTold tells errors as the options ask. The value is all there is if alone is set.
func unmarshalTold(in *jsontext.Decoder, out any, alone bool) error {
	xd := export.Decoder(in)
	v := reflect.ValueOf(out)
	var err error
	if v.Kind() != reflect.Pointer || v.IsNil() {
		t := reflect.TypeOf(out)
		err = &SemanticError{action: "unmarshal", GoType: t, Err: internal.ErrNonNilReference}
	} else if err = unmarshalValue(in, v.Elem(), &xd.Struct, alone); err == io.EOF && alone {
		end := in.InputOffset() + int64(len(in.UnreadBuffer()))
		err = &jsontext.SyntacticError{ByteOffset: end, Err: io.ErrUnexpectedEOF}
	} else if err == nil && alone {
		err = xd.CheckEOF()
	}
	if err != nil && xd.Flags.Get(jsonflags.ReportErrorsWithLegacySemantics) {
		return internal.V1.UnmarshalError(out, err)
	}
	return err
}

func unmarshalValue(
	in *jsontext.Decoder, v reflect.Value, uo *jsonopts.Struct, alone bool,
) (err error) {
	xd := export.Decoder(in)
	if uo.Flags.Get(jsonflags.ReportErrorsWithLegacySemantics) {
		// Nothing is stored of what is not JSON.
		if err = xd.CheckNextValue(alone); err != nil {
			return err
		}
	}
	t := v.Type()
	unmarshal, _ := unmarshalerFor(uo, arshalerOf(t).unmarshal, t)
	err = unmarshal(in, variable{v, false}, uo)
	if err != nil {
		forgetNames(&xd.Tokens, uo)
	}
	return err
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
	va.Value = va.Field(first)
	for _, i := range index {
		if va = va.indirect(makes); !va.IsValid() {
			break
		}
		va.Value = va.Field(i)
	}
	return va
}

// indirect follows a pointer. Where a nil one leads is not valid, unless one is made that does not.
func (va variable) indirect(makes bool) variable {
	if va.Kind() != reflect.Pointer {
		return va
	}
	to := va.Elem()
	if makes && !to.IsValid() && va.CanSet() {
		made := reflect.New(va.Type().Elem())
		va.Set(made)
		to = made.Elem()
	}
	return variable{to, false}
}

type (
	marshaler   = func(*jsontext.Encoder, variable, *jsonopts.Struct) error
	unmarshaler = func(*jsontext.Decoder, variable, *jsonopts.Struct) error
)

// arshaler is how values of a type become JSON and back.
type arshaler struct {
	marshal   marshaler
	unmarshal unmarshaler
	// special: the type has methods for it.
	special bool
	// plan is for values that natives turn into JSON and back at once.
	plan *plan
}

var arshalers sync.Map // of *arshaler by reflect.Type

func arshalerOf(t reflect.Type) *arshaler {
	has, ok := arshalers.Load(t)
	if !ok {
		made := arshalerByKind(t)
		for _, change := range [...]func(*arshaler, reflect.Type){addMethods, addTime, addPlan} {
			change(made, t)
		}
		has, _ = arshalers.LoadOrStore(t, made)
	}
	return has.(*arshaler)
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
