package json

import (
	"errors"
	"fmt"
	"io"
	"reflect"
	"sync"

	"encoding/json/internal"
	"encoding/json/internal/jsonflags"
	"encoding/json/internal/jsonopts"
	"encoding/json/jsontext"
)

var (
	errUnsupportedMutation = errors.New("unsupported calls must not read or write any tokens")
	errNonSingularValue    = errors.New("must read or write exactly one value")
)

// Marshalers are functions that write values of certain types.
type Marshalers = typedArshalers[jsontext.Encoder]

// Unmarshalers are functions that read values of certain types.
type Unmarshalers = typedArshalers[jsontext.Decoder]

// JoinMarshalers makes one of several: the first that takes a value is asked first.
func JoinMarshalers(ms ...*Marshalers) *Marshalers { return join(ms) }

// JoinUnmarshalers makes one of several: the first that takes a value is asked first.
func JoinUnmarshalers(us ...*Unmarshalers) *Unmarshalers { return join(us) }

type typedArshalers[Coder any] struct {
	nonComparable
	funcs []typedArshaler[Coder]
	// known are the functions for types, nil if there are none.
	known sync.Map
	// forAny: one of them takes what an interface without methods has in it by default.
	forAny bool
}

type arshalFunc[Coder any] = func(*Coder, variable, *jsonopts.Struct) error

type typedArshaler[Coder any] struct {
	typ reflect.Type
	f   arshalFunc[Coder]
	// maySkip: it can refuse a value.
	maySkip bool
}

func join[Coder any](several []*typedArshalers[Coder]) *typedArshalers[Coder] {
	all := new(typedArshalers[Coder])
	for _, a := range several {
		if a != nil {
			all.funcs = append(all.funcs, a.funcs...)
			all.forAny = all.forAny || a.forAny
		}
	}
	if len(all.funcs) == 0 {
		return nil
	}
	return all
}

// lookup gives the function for t, which may come to the default one.
func (a *typedArshalers[Coder]) lookup(
	byDefault arshalFunc[Coder], t reflect.Type,
) (arshalFunc[Coder], bool) {
	if a == nil {
		return byDefault, false
	}
	if f, ok := a.known.Load(t); ok {
		if f == nil {
			return byDefault, false
		}
		return f.(arshalFunc[Coder]), true
	}
	var funcs []arshalFunc[Coder]
	for _, f := range a.funcs {
		if !castable(t, f.typ) {
			continue
		}
		funcs = append(funcs, f.f)
		if !f.maySkip {
			break
		}
	}
	if funcs == nil {
		a.known.Store(t, nil)
		return byDefault, false
	}
	f := func(c *Coder, va variable, o *jsonopts.Struct) error {
		for _, f := range funcs {
			if err := f(c, va, o); !errors.Is(err, errors.ErrUnsupported) {
				return err
			}
		}
		return byDefault(c, va, o)
	}
	found, _ := a.known.LoadOrStore(t, f)
	return found.(arshalFunc[Coder]), true
}

func one[Coder any](t reflect.Type, maySkip bool, f arshalFunc[Coder]) *typedArshalers[Coder] {
	a := &typedArshalers[Coder]{funcs: []typedArshaler[Coder]{{t, f, maySkip}}}
	for _, from := range []reflect.Type{
		anyType, boolType, stringType, float64Type, mapStringAnyType, sliceAnyType,
	} {
		a.forAny = a.forAny || castable(from, t)
	}
	return a
}

// MarshalFunc makes a Marshalers of a function that gives JSON.
func MarshalFunc[T any](fn func(T) ([]byte, error)) *Marshalers {
	t := reflect.TypeFor[T]()
	mustBeCastable(t, true)
	return one(t, false, func(enc *jsontext.Encoder, va variable, mo *jsonopts.Struct) error {
		v, _ := va.castTo(t).Interface().(T)
		const what = "marshal function of type func(T) ([]byte, error)"
		return marshaled(enc, va, mo, t, "MarshalFunc", what, func() ([]byte, error) { return fn(v) })
	})
}

// marshaled writes what a function or method gives.
func marshaled(
	enc *jsontext.Encoder, va variable, mo *jsonopts.Struct, t reflect.Type, name, what string,
	give func() ([]byte, error),
) error {
	legacy := mo.Flags.Get(jsonflags.ReportErrorsWithLegacySemantics)
	val, err := give()
	if err != nil {
		err = refuseUnsupported(err, what)
		if legacy {
			return internal.NewMarshalerError(va.Addr().Interface(), err, name)
		}
		return collapse(newMarshalErrorBefore(enc, t, err))
	}
	if err := enc.WriteValue(val); err != nil {
		if legacy {
			return internal.NewMarshalerError(va.Addr().Interface(), err, name)
		}
		if isSyntacticError(err) {
			err = newMarshalErrorBefore(enc, t, err)
		}
		return err
	}
	return nil
}

// MarshalToFunc makes a Marshalers of a function that writes JSON.
func MarshalToFunc[T any](fn func(*jsontext.Encoder, T) error) *Marshalers {
	t := reflect.TypeFor[T]()
	mustBeCastable(t, true)
	return one(t, true, func(enc *jsontext.Encoder, va variable, mo *jsonopts.Struct) error {
		v, _ := va.castTo(t).Interface().(T)
		return marshaledTo(enc, va, mo, t, "MarshalToFunc", func() error { return fn(enc, v) })
	})
}

// marshaledTo has a function or method write one value.
// It gives errors.ErrUnsupported itself if that was refused.
func marshaledTo(
	enc *jsontext.Encoder, va variable, mo *jsonopts.Struct, t reflect.Type, name string,
	write func() error,
) error {
	xe := export.Encoder(enc)
	depth, length := xe.Tokens.DepthLength()
	xe.Flags.Set(jsonflags.WithinArshalCall | 1)
	err := write()
	xe.Flags.Set(jsonflags.WithinArshalCall | 0)
	nowDepth, nowLength := xe.Tokens.DepthLength()
	if err == nil && (depth != nowDepth || length+1 != nowLength) {
		err = errNonSingularValue
	}
	if err == nil {
		return nil
	}
	if errors.Is(err, errors.ErrUnsupported) {
		if depth == nowDepth && length == nowLength {
			return err
		}
		err = errUnsupportedMutation
	}
	if mo.Flags.Get(jsonflags.ReportErrorsWithLegacySemantics) {
		return internal.NewMarshalerError(va.Addr().Interface(), err, name)
	}
	if !export.IsIOError(err) {
		err = positioned(enc, t, depth, length, err)
	}
	return err
}

// UnmarshalFunc makes an Unmarshalers of a function that takes JSON.
func UnmarshalFunc[T any](fn func([]byte, T) error) *Unmarshalers {
	t := reflect.TypeFor[T]()
	mustBeCastable(t, false)
	return one(t, false, func(dec *jsontext.Decoder, va variable, uo *jsonopts.Struct) error {
		const what = "unmarshal function of type func([]byte, T) error"
		return unmarshaled(dec, uo, t, what, func(val []byte) error {
			v, _ := va.castTo(t).Interface().(T)
			return fn(val, v)
		})
	})
}

// unmarshaled has a function or method take the next value.
func unmarshaled(
	dec *jsontext.Decoder, uo *jsonopts.Struct, t reflect.Type, what string,
	take func([]byte) error,
) error {
	val, err := dec.ReadValue()
	if err != nil {
		return err
	}
	if err := take(val); err != nil {
		err = refuseUnsupported(err, what)
		if uo.Flags.Get(jsonflags.ReportErrorsWithLegacySemantics) {
			return err
		}
		return collapse(newUnmarshalErrorAfter(dec, t, err))
	}
	return nil
}

// UnmarshalFromFunc makes an Unmarshalers of a function that reads JSON.
func UnmarshalFromFunc[T any](fn func(*jsontext.Decoder, T) error) *Unmarshalers {
	t := reflect.TypeFor[T]()
	mustBeCastable(t, false)
	return one(t, true, func(dec *jsontext.Decoder, va variable, uo *jsonopts.Struct) error {
		return unmarshaledFrom(dec, uo, t, func() error {
			v, _ := va.castTo(t).Interface().(T)
			return fn(dec, v)
		})
	})
}

// unmarshaledFrom has a function or method read one value.
// It gives errors.ErrUnsupported itself if that was refused.
func unmarshaledFrom(
	dec *jsontext.Decoder, uo *jsonopts.Struct, t reflect.Type, read func() error,
) error {
	xd := export.Decoder(dec)
	depth, length := xd.Tokens.DepthLength()
	if depth == 1 && xd.AtEOF() {
		return io.EOF
	}
	xd.Flags.Set(jsonflags.WithinArshalCall | 1)
	err := read()
	xd.Flags.Set(jsonflags.WithinArshalCall | 0)
	nowDepth, nowLength := xd.Tokens.DepthLength()
	if err == nil && (depth != nowDepth || length+1 != nowLength) {
		err = errNonSingularValue
	}
	if err == nil {
		return nil
	}
	if errors.Is(err, errors.ErrUnsupported) {
		if depth == nowDepth && length == nowLength {
			return err
		}
		err = errUnsupportedMutation
	}
	if uo.Flags.Get(jsonflags.ReportErrorsWithLegacySemantics) {
		if err := xd.SkipUntil(depth, length+1); err != nil {
			return err
		}
		return err
	}
	if !isSyntacticError(err) && !export.IsIOError(err) {
		err = positioned(dec, t, depth, length, err)
	}
	return err
}

func mustBeCastable(to reflect.Type, marshal bool) {
	kind := to.Kind()
	switch {
	case kind == reflect.Interface || kind == reflect.Pointer && to.Name() == "":
	case !marshal:
		panic(fmt.Sprintf("input type %v must be an interface type or an unnamed pointer type", to))
	case kind == reflect.Pointer:
		panic(fmt.Sprintf("input type %v must be an interface type, an unnamed pointer type, or a non-pointer type", to))
	}
}

func castable(from, to reflect.Type) bool {
	switch to.Kind() {
	case reflect.Interface:
		return reflect.PointerTo(from).Implements(to)
	case reflect.Pointer:
		return reflect.PointerTo(from) == to
	}
	return from == to
}

func (va variable) castTo(to reflect.Type) reflect.Value {
	switch to.Kind() {
	case reflect.Interface, reflect.Pointer:
		return va.Addr()
	}
	return va.Value
}
