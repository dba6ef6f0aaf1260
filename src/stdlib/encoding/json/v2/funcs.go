package json

import (
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"sync"

	"encoding/json/internal"
	"encoding/json/internal/jsonflags"
	"encoding/json/internal/jsonopts"
	"encoding/json/jsontext"
)

var (
	errRefusedLate = errors.New("unsupported calls must not read or write any tokens")
	errNotOneValue = errors.New("must read or write exactly one value")
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
	funcs []typedFunc[Coder]
	// known has for types what find has found.
	known sync.Map
	// forAny: one of them takes what an interface without methods has in it by default.
	forAny bool
}

type arshalFunc[Coder any] = func(*Coder, variable, *jsonopts.Struct) error

type typedFunc[Coder any] struct {
	typ reflect.Type
	f   arshalFunc[Coder]
	// mayRefuse: it can refuse a value.
	mayRefuse bool
}

func join[Coder any](several []*typedArshalers[Coder]) *typedArshalers[Coder] {
	var all *typedArshalers[Coder]
	for _, a := range several {
		if a == nil || len(a.funcs) == 0 {
			continue
		}
		if all == nil {
			all = new(typedArshalers[Coder])
		}
		all.funcs = append(all.funcs, a.funcs...)
		all.forAny = all.forAny || a.forAny
	}
	return all
}

// lookup gives the function for t, which may come to the default one.
func (a *typedArshalers[Coder]) lookup(
	byDefault arshalFunc[Coder], t reflect.Type,
) (f arshalFunc[Coder], own bool) {
	if a != nil {
		has, ok := a.known.Load(t)
		if !ok {
			has, _ = a.known.LoadOrStore(t, a.find(byDefault, t))
		}
		f = has.(arshalFunc[Coder])
	}
	if f == nil {
		return byDefault, false
	}
	return f, true
}

// find gives one function that asks those for t in turn, nil if there are none.
func (a *typedArshalers[Coder]) find(
	last arshalFunc[Coder], t reflect.Type,
) (f arshalFunc[Coder]) {
	var asked []arshalFunc[Coder]
	for _, candidate := range a.funcs {
		if castable(t, candidate.typ) {
			asked = append(asked, candidate.f)
			if !candidate.mayRefuse {
				break
			}
		}
	}
	for _, first := range slices.Backward(asked) {
		last = orElse(first, last)
		f = last
	}
	return f
}

// orElse asks the second function about what the first one refuses.
func orElse[Coder any](first, second arshalFunc[Coder]) arshalFunc[Coder] {
	return func(c *Coder, va variable, o *jsonopts.Struct) error {
		err := first(c, va, o)
		if err != nil && errors.Is(err, errors.ErrUnsupported) {
			err = second(c, va, o)
		}
		return err
	}
}

func one[Coder any](t reflect.Type, mayRefuse bool, f arshalFunc[Coder]) *typedArshalers[Coder] {
	a := &typedArshalers[Coder]{funcs: []typedFunc[Coder]{{t, f, mayRefuse}}}
	for _, from := range []reflect.Type{
		typeAny, typeBool, typeString, typeFloat, typeAnyMap, typeAnySlice,
	} {
		a.forAny = a.forAny || castable(from, t)
	}
	return a
}

// MarshalFunc makes a Marshalers of a function that gives JSON.
func MarshalFunc[T any](fn func(T) ([]byte, error)) *Marshalers {
	t := argumentOf[T](true)
	return one(t, false, func(enc *jsontext.Encoder, va variable, mo *jsonopts.Struct) error {
		v, _ := va.argument(t).Interface().(T)
		const what = "marshal function of type func(T) ([]byte, error)"
		return marshaled(enc, va, mo, t, "MarshalFunc", what, func() ([]byte, error) { return fn(v) })
	})
}

// marshaled writes what a function or method gives.
func marshaled(
	enc *jsontext.Encoder, va variable, mo *jsonopts.Struct, t reflect.Type, name, what string,
	give func() ([]byte, error),
) error {
	val, err := give()
	given := err == nil
	if given {
		if err = enc.WriteValue(val); err == nil {
			return nil
		}
	} else {
		err = refuseUnsupported(err, what)
	}
	switch {
	case mo.Flags.Get(jsonflags.ReportErrorsWithLegacySemantics):
		return internal.V1.MethodError(va.Addr().Interface(), err, name)
	case !given:
		return collapse(cannotWrite(enc, t, err))
	case isA[*jsontext.SyntacticError](err):
		return cannotWrite(enc, t, err)
	}
	return err
}

// A place is how many arrays and objects are open, and how many values the innermost has.
type place struct {
	depth  int
	length int64
}

func placeOf(tokens interface{ DepthLength() (int, int64) }) (at place) {
	at.depth, at.length = tokens.DepthLength()
	return at
}

// once calls f, which is to read or write one value, and gives where that began.
// The error is errors.ErrUnsupported itself only if f may refuse as it did.
func once(
	flags *jsonflags.Flags, tokens interface{ DepthLength() (int, int64) }, f func() error,
) (began place, err error) {
	began = placeOf(tokens)
	flags.Set(jsonflags.WithinArshalCall | 1)
	err = f()
	flags.Set(jsonflags.WithinArshalCall | 0)
	now := placeOf(tokens)
	if err == nil && now != (place{began.depth, began.length + 1}) {
		err = errNotOneValue
	} else if err != nil && now != began && errors.Is(err, errors.ErrUnsupported) {
		err = errRefusedLate
	}
	return began, err
}

// MarshalToFunc makes a Marshalers of a function that writes JSON.
func MarshalToFunc[T any](fn func(*jsontext.Encoder, T) error) *Marshalers {
	t := argumentOf[T](true)
	return one(t, true, func(enc *jsontext.Encoder, va variable, mo *jsonopts.Struct) error {
		v, _ := va.argument(t).Interface().(T)
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
	began, err := once(&xe.Flags, &xe.Tokens, write)
	switch {
	case err == nil || errors.Is(err, errors.ErrUnsupported):
	case mo.Flags.Get(jsonflags.ReportErrorsWithLegacySemantics):
		err = internal.V1.MethodError(va.Addr().Interface(), err, name)
	case !export.IsIOError(err):
		err = encoderView(enc).positioned(t, began, err)
	}
	return err
}

// UnmarshalFunc makes an Unmarshalers of a function that takes JSON.
func UnmarshalFunc[T any](fn func([]byte, T) error) *Unmarshalers {
	t := argumentOf[T](false)
	return one(t, false, func(dec *jsontext.Decoder, va variable, uo *jsonopts.Struct) error {
		const what = "unmarshal function of type func([]byte, T) error"
		return unmarshaled(dec, uo, t, what, func(val []byte) error {
			v, _ := va.argument(t).Interface().(T)
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
	if err = take(val); err == nil {
		return nil
	}
	err = refuseUnsupported(err, what)
	if !uo.Flags.Get(jsonflags.ReportErrorsWithLegacySemantics) {
		err = collapse(cannotTake(dec, t, err))
	}
	return err
}

// UnmarshalFromFunc makes an Unmarshalers of a function that reads JSON.
func UnmarshalFromFunc[T any](fn func(*jsontext.Decoder, T) error) *Unmarshalers {
	t := argumentOf[T](false)
	return one(t, true, func(dec *jsontext.Decoder, va variable, uo *jsonopts.Struct) error {
		return unmarshaledFrom(dec, uo, t, func() error {
			v, _ := va.argument(t).Interface().(T)
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
	if xd.Tokens.Depth() == 1 && xd.AtEOF() {
		return io.EOF
	}
	began, err := once(&xd.Flags, &xd.Tokens, read)
	switch {
	case err == nil || errors.Is(err, errors.ErrUnsupported):
	case uo.Flags.Get(jsonflags.ReportErrorsWithLegacySemantics):
		// What is left of the value is passed over.
		if broken := xd.SkipUntil(began.depth, began.length+1); broken != nil {
			err = broken
		}
	case !isA[*jsontext.SyntacticError](err) && !export.IsIOError(err):
		err = decoderView(dec, began).positioned(t, began, err)
	}
	return err
}

// argumentOf gives the type T of what such a function takes, which has to be one for that.
func argumentOf[T any](marshal bool) reflect.Type {
	t := reflect.TypeFor[T]()
	mustBeCastable(t, marshal)
	return t
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
	case reflect.Pointer:
		from = reflect.PointerTo(from)
	case reflect.Interface:
		return reflect.PointerTo(from).Implements(to)
	}
	return to == from
}

func (va variable) argument(to reflect.Type) reflect.Value {
	if kind := to.Kind(); kind == reflect.Interface || kind == reflect.Pointer {
		return va.Addr()
	}
	return va.Value
}
