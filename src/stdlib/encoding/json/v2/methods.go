package json

import (
	"encoding"
	"errors"
	"reflect"

	"encoding/json/internal"
	"encoding/json/internal/jsonflags"
	"encoding/json/internal/jsonopts"
	"encoding/json/internal/jsonwire"
	"encoding/json/jsontext"
)

var errNotAString = errors.New("JSON value must be string type")

// Marshaler gives itself as JSON.
type Marshaler interface {
	MarshalJSON() ([]byte, error)
}

// MarshalerTo writes itself as JSON.
type MarshalerTo interface {
	MarshalJSONTo(*jsontext.Encoder) error
}

// Unmarshaler takes JSON.
type Unmarshaler interface {
	UnmarshalJSON([]byte) error
}

// UnmarshalerFrom reads JSON.
type UnmarshalerFrom interface {
	UnmarshalJSONFrom(*jsontext.Decoder) error
}

var (
	marshalerType       = reflect.TypeFor[Marshaler]()
	marshalerToType     = reflect.TypeFor[MarshalerTo]()
	unmarshalerType     = reflect.TypeFor[Unmarshaler]()
	unmarshalerFromType = reflect.TypeFor[UnmarshalerFrom]()
	typeTextAppender    = reflect.TypeFor[encoding.TextAppender]()
	typeTextMarshaler   = reflect.TypeFor[encoding.TextMarshaler]()
	typeTextUnmarshaler = reflect.TypeFor[encoding.TextUnmarshaler]()

	marshalerTypes = []reflect.Type{
		marshalerToType, marshalerType, typeTextAppender, typeTextMarshaler,
	}
	methodTypes = []reflect.Type{
		marshalerToType, marshalerType, typeTextAppender, typeTextMarshaler,
		unmarshalerFromType, unmarshalerType, typeTextUnmarshaler,
	}
)

// implements says whether t has the methods, or its pointer.
func implements(t, iface reflect.Type) (byPointer, ok bool) {
	if t.Implements(iface) {
		return false, true
	}
	ok = reflect.PointerTo(t).Implements(iface)
	return ok, ok
}

func hasMethodsOf(t reflect.Type, ifaces []reflect.Type) bool {
	for _, iface := range ifaces {
		if _, ok := implements(t, iface); ok {
			return true
		}
	}
	return false
}

// addMethods has a use the methods of t, the last of these first.
func addMethods(a *arshaler, t reflect.Type) {
	if k := t.Kind(); k == reflect.Pointer || k == reflect.Interface {
		return
	}
	isString := t.Kind() == reflect.String
	// add puts a function before the one that there is, for when methods are not called.
	add := func(iface reflect.Type, isText bool, call func(marshaler) marshaler) {
		byPointer, ok := implements(t, iface)
		if !ok {
			return
		}
		before := a.marshal
		now := call(before)
		a.special = true
		a.marshal = func(enc *jsontext.Encoder, va variable, mo *jsonopts.Struct) error {
			if mo.Flags.Get(jsonflags.CallMethodsWithLegacySemantics) {
				if byPointer && va.forced || (isString || !isText) &&
					export.Encoder(enc).Tokens.Last.NeedObjectName() {
					return before(enc, va, mo)
				}
			}
			return now(enc, va, mo)
		}
	}
	text := func(name string, method func(variable) func([]byte) ([]byte, error)) func(marshaler) marshaler {
		return func(marshaler) marshaler {
			return func(enc *jsontext.Encoder, va variable, mo *jsonopts.Struct) error {
				err := export.Encoder(enc).AppendRaw('"', false, method(va))
				if err == nil {
					return nil
				}
				err = refuseUnsupported(err, name+" method")
				if mo.Flags.Get(jsonflags.ReportErrorsWithLegacySemantics) {
					return internal.V1.MethodError(va.Addr().Interface(), err, name)
				}
				if !isA[*SemanticError](err) && !export.IsIOError(err) {
					err = cannotWrite(enc, t, err)
				}
				return err
			}
		}
	}
	add(typeTextMarshaler, true, text("MarshalText", func(va variable) func([]byte) ([]byte, error) {
		m, _ := va.Addr().Interface().(encoding.TextMarshaler)
		return func(b []byte) ([]byte, error) {
			text, err := m.MarshalText()
			return append(b, text...), err
		}
	}))
	add(typeTextAppender, true, text("AppendText", func(va variable) func([]byte) ([]byte, error) {
		m, _ := va.Addr().Interface().(encoding.TextAppender)
		return m.AppendText
	}))
	add(marshalerType, false, func(marshaler) marshaler {
		return func(enc *jsontext.Encoder, va variable, mo *jsonopts.Struct) error {
			m, _ := va.Addr().Interface().(Marshaler)
			return marshaled(enc, va, mo, t, "MarshalJSON", "MarshalJSON method", m.MarshalJSON)
		}
	})
	add(marshalerToType, false, func(before marshaler) marshaler {
		return func(enc *jsontext.Encoder, va variable, mo *jsonopts.Struct) error {
			m, _ := va.Addr().Interface().(MarshalerTo)
			write := func() error { return m.MarshalJSONTo(enc) }
			err := marshaledTo(enc, va, mo, t, "MarshalJSONTo", write)
			if err != nil && isRefusal(err) {
				return before(enc, va, mo)
			}
			return err
		}
	})
	addUnmarshal(a, t)
}

// isRefusal says whether a method has left the value to others, by itself or as an error that it
// has wrapped, and no error has been made of it.
func isRefusal(err error) bool {
	return !isA[*SemanticError](err) && errors.Is(err, errors.ErrUnsupported)
}

func addUnmarshal(a *arshaler, t reflect.Type) {
	if _, ok := implements(t, typeTextUnmarshaler); ok {
		a.special = true
		a.unmarshal = func(dec *jsontext.Decoder, va variable, uo *jsonopts.Struct) error {
			var flags jsonwire.ValueFlags
			val, err := export.Decoder(dec).ReadValue(&flags)
			if err != nil {
				return err
			}
			switch kind := val.Kind(); {
			case kind == '"':
				u, _ := va.Addr().Interface().(encoding.TextUnmarshaler)
				err = u.UnmarshalText(jsonwire.UnquoteMayCopy(val, flags.IsVerbatim()))
			case kind != 'n':
				return cannotTake(dec, t, errNotAString)
			case !uo.Flags.Get(jsonflags.MergeWithLegacySemantics):
				va.SetZero()
			}
			if err == nil {
				return nil
			}
			err = refuseUnsupported(err, "UnmarshalText method")
			if !uo.Flags.Get(jsonflags.ReportErrorsWithLegacySemantics) &&
				!isA[*SemanticError](err) && !isA[*jsontext.SyntacticError](err) && !export.IsIOError(err) {
				err = cannotTake(dec, t, err)
			}
			return err
		}
	}
	notForNames := func(dec *jsontext.Decoder, uo *jsonopts.Struct) bool {
		last := &export.Decoder(dec).Tokens.Last
		return last.NeedObjectName() && uo.Flags.Get(jsonflags.CallMethodsWithLegacySemantics)
	}
	if _, ok := implements(t, unmarshalerType); ok {
		a.special = true
		before := a.unmarshal
		a.unmarshal = func(dec *jsontext.Decoder, va variable, uo *jsonopts.Struct) error {
			if notForNames(dec, uo) {
				return before(dec, va, uo)
			}
			return unmarshaled(dec, uo, t, "UnmarshalJSON method", func(val []byte) error {
				u, _ := va.Addr().Interface().(Unmarshaler)
				return u.UnmarshalJSON(val)
			})
		}
	}
	if _, ok := implements(t, unmarshalerFromType); ok {
		a.special = true
		before := a.unmarshal
		a.unmarshal = func(dec *jsontext.Decoder, va variable, uo *jsonopts.Struct) error {
			if notForNames(dec, uo) {
				return before(dec, va, uo)
			}
			u, _ := va.Addr().Interface().(UnmarshalerFrom)
			err := unmarshaledFrom(dec, uo, t, func() error { return u.UnmarshalJSONFrom(dec) })
			if err != nil && isRefusal(err) {
				return before(dec, va, uo)
			}
			return err
		}
	}
}
