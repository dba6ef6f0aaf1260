package json

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"time"

	"encoding/json/internal"
	"encoding/json/internal/jsonflags"
	"encoding/json/internal/jsonopts"
	"encoding/json/internal/jsonwire"
	"encoding/json/jsontext"
)

var (
	typeAny      = reflect.TypeFor[any]()
	typeBool     = reflect.TypeFor[bool]()
	typeString   = reflect.TypeFor[string]()
	typeFloat    = reflect.TypeFor[float64]()
	typeAnyMap   = reflect.TypeFor[map[string]any]()
	typeAnySlice = reflect.TypeFor[[]any]()
	typeNoFields = reflect.TypeFor[struct{}]()
)

// arshalerByKind makes what is used of a type for its kind.
func arshalerByKind(t reflect.Type) *arshaler {
	switch t.Kind() {
	case reflect.Bool:
		return makeBool(t)
	case reflect.String:
		return arshalString(t)
	case reflect.Float32, reflect.Float64:
		bits := t.Bits()
		return makeNumber(t, number{
			check: checkFinite,
			appendTo: func(b []byte, va variable) []byte {
				return jsonwire.AppendFloat(b, va.Float(), bits)
			},
			parse: func(va variable, s string, bits int) error {
				n, err := strconv.ParseFloat(s, bits)
				if err == nil {
					va.SetFloat(n)
				}
				return err
			},
			isText: func(b []byte) bool {
				n, err := jsonwire.ConsumeNumber(b)
				return err == nil && n == len(b)
			},
		})
	case reflect.Map:
		return makeMap(t)
	case reflect.Struct:
		return makeStruct(t)
	case reflect.Slice:
		a := makeSlice(t)
		if t.Elem().Kind() == reflect.Uint8 {
			addBytes(a, t)
		}
		return a
	case reflect.Array:
		a := makeArray(t)
		if t.Elem().Kind() == reflect.Uint8 {
			addBytes(a, t)
		}
		return a
	case reflect.Pointer:
		return makePointer(t)
	case reflect.Interface:
		return makeInterface(t)
	}
	switch zero := reflect.Zero(t); {
	case zero.CanInt():
		return makeNumber(t, number{
			appendTo: func(b []byte, va variable) []byte { return strconv.AppendInt(b, va.Int(), 10) },
			parse: func(va variable, s string, bits int) error {
				n, err := strconv.ParseInt(s, 10, bits)
				if err == nil {
					va.SetInt(n)
				}
				return err
			},
			isText: isInteger,
		})
	case zero.CanUint():
		return makeNumber(t, number{
			appendTo: func(b []byte, va variable) []byte { return strconv.AppendUint(b, va.Uint(), 10) },
			parse: func(va variable, s string, bits int) error {
				n, err := strconv.ParseUint(s, 10, bits)
				if err == nil {
					va.SetUint(n)
				}
				return err
			},
			isText: isNatural,
		})
	}
	return makeInvalid(t)
}

// quoting says whether a bool or string goes into a string, and whether that is asked for wrongly.
func quoting(o *jsonopts.Struct) (yes, wrong bool) {
	if !o.Flags.Get(jsonflags.StringTag) {
		return false, false
	}
	yes = o.Flags.Get(jsonflags.StringifyWithLegacySemantics)
	return yes, !yes && !o.Flags.Get(jsonflags.ReportErrorsWithLegacySemantics)
}

// refusesTag says whether the tag option `string` is wrong for a type that has no numbers.
func refusesTag(o *jsonopts.Struct) bool {
	return o.Flags.Get(jsonflags.StringTag) &&
		!o.Flags.Get(jsonflags.ReportErrorsWithLegacySemantics)
}

// setZero is what null does to a basic type.
func setZero(va variable, uo *jsonopts.Struct) {
	if !uo.Flags.Get(jsonflags.MergeWithLegacySemantics) {
		va.SetZero()
	}
}

func makeBool(t reflect.Type) *arshaler {
	return &arshaler{
		marshal: func(enc *jsontext.Encoder, va variable, mo *jsonopts.Struct) error {
			quoted, wrong := quoting(mo)
			if wrong {
				return cannotWrite(enc, t, errStringTag)
			}
			if quoted {
				return enc.WriteToken(jsontext.String(strconv.FormatBool(va.Bool())))
			}
			return enc.WriteToken(jsontext.Bool(va.Bool()))
		},
		unmarshal: func(dec *jsontext.Decoder, va variable, uo *jsonopts.Struct) error {
			quoted, wrong := quoting(uo)
			if wrong {
				return cannotReadSkipping(dec, t, errStringTag)
			}
			tok, err := dec.ReadToken()
			if err != nil {
				return err
			}
			switch k := tok.Kind(); {
			case k == 'n':
				setZero(va, uo)
				return nil
			case (k == 't' || k == 'f') && !quoted:
				va.SetBool(k == 't')
				return nil
			case k == '"' && quoted:
				text := tok.String()
				switch {
				case text == "null":
					setZero(va, uo)
				case text == "true" || text == "false":
					va.SetBool(text == "true")
				default:
					return cannotTakeText(dec, t, strconv.ErrSyntax)
				}
				return nil
			}
			return cannotTakeInside(dec, t, nil)
		},
	}
}

func arshalString(t reflect.Type) *arshaler {
	return &arshaler{
		marshal: func(enc *jsontext.Encoder, va variable, mo *jsonopts.Struct) error {
			quoted, wrong := quoting(mo)
			if wrong {
				return cannotWrite(enc, t, errStringTag)
			}
			if !quoted {
				return enc.WriteToken(jsontext.String(va.String()))
			}
			b, err := jsonwire.AppendQuote(nil, va.String(), &mo.Flags)
			if err != nil {
				return cannotWrite(enc, t, &jsontext.SyntacticError{Err: err})
			}
			b, _ = jsontext.AppendQuote(nil, b)
			return enc.WriteValue(b)
		},
		unmarshal: func(dec *jsontext.Decoder, va variable, uo *jsonopts.Struct) error {
			quoted, wrong := quoting(uo)
			if wrong {
				return cannotReadSkipping(dec, t, errStringTag)
			}
			var flags jsonwire.ValueFlags
			val, err := export.Decoder(dec).ReadValue(&flags)
			if err != nil {
				return err
			}
			switch val.Kind() {
			case 'n':
				setZero(va, uo)
				return nil
			case '"':
				val = jsonwire.UnquoteMayCopy(val, flags.IsVerbatim())
				if quoted {
					if string(val) == "null" {
						setZero(va, uo)
						return nil
					}
					if val, err = jsontext.AppendUnquote(nil, val); err != nil {
						return cannotTake(dec, t, err)
					}
				}
				va.SetString(string(val))
				return nil
			}
			return cannotTake(dec, t, nil)
		},
	}
}

// number is what differs between the kinds of numbers.
type number struct {
	check    func(enc *jsontext.Encoder, va variable, mo *jsonopts.Struct, t reflect.Type) error
	appendTo func(b []byte, va variable) []byte
	parse    func(va variable, s string, bits int) error
	// isText says whether JSON has such a number.
	isText func(b []byte) bool
}

func isNatural(b []byte) bool {
	n, ok := jsonwire.ParseUint(b)
	return ok || n == math.MaxUint64
}

func isInteger(b []byte) bool { return isNatural(bytes.TrimPrefix(b, []byte("-"))) }

func checkFinite(enc *jsontext.Encoder, va variable, mo *jsonopts.Struct, t reflect.Type) error {
	f := va.Float()
	if !math.IsNaN(f) && !math.IsInf(f, 0) {
		return nil
	}
	var cause error = fmt.Errorf("unsupported value: %v", f)
	if tellsAsV1(mo) {
		cause = &internal.ValueError{Val: va.Interface(), Err: cause}
	}
	return cannotWrite(enc, t, cause)
}

func makeNumber(t reflect.Type, num number) *arshaler {
	bits := t.Bits()
	isFloat := num.check != nil
	return &arshaler{
		marshal: func(enc *jsontext.Encoder, va variable, mo *jsonopts.Struct) error {
			xe := export.Encoder(enc)
			if num.check != nil {
				if err := num.check(enc, va, mo, t); err != nil {
					return err
				}
			}
			kind := jsontext.KindNumber
			if xe.Tokens.Last.NeedObjectName() ||
				mo.Flags.Get(jsonflags.StringifyNumbers|jsonflags.StringTag) {
				kind = jsontext.KindString
			}
			return xe.AppendRaw(kind, true, func(b []byte) ([]byte, error) {
				return num.appendTo(b, va), nil
			})
		},
		unmarshal: func(dec *jsontext.Decoder, va variable, uo *jsonopts.Struct) error {
			xd := export.Decoder(dec)
			quoted := uo.Flags.Get(jsonflags.StringTag|jsonflags.StringifyNumbers) ||
				xd.Tokens.Last.NeedObjectName()
			var read jsonwire.ValueFlags
			val, err := xd.ReadValue(&read)
			if err != nil {
				return err
			}
			switch k := val.Kind(); {
			case k == 'n':
				setZero(va, uo)
				return nil
			case k == '"' && quoted:
				val = jsonwire.UnquoteMayCopy(val, read.IsVerbatim())
				if uo.Flags.Get(jsonflags.StringifyWithLegacySemantics) {
					err := num.parse(va, string(val), bits)
					if err != nil && string(val) == "null" {
						setZero(va, uo)
						return nil
					}
					if err != nil {
						return cannotTakeText(dec, t, errors.Unwrap(err))
					}
					return nil
				}
			case k == '0' && !quoted:
			default:
				return cannotTake(dec, t, nil)
			}
			if (!isFloat || quoted) && !num.isText(val) {
				return cannotTakeText(dec, t, strconv.ErrSyntax)
			}
			if err := num.parse(va, string(val), bits); err != nil {
				return cannotTakeText(dec, t, errors.Unwrap(err))
			}
			return nil
		},
	}
}

// addBytes has slices and arrays of bytes be strings in base64, unless something speaks for numbers.
func addBytes(a *arshaler, t reflect.Type) {
	asArray, fromArray := a.marshal, a.unmarshal
	isNamed := t.Elem().PkgPath() != ""
	hasMethod := hasMethodsOf(t.Elem(), marshalerTypes)
	isArray := t.Kind() == reflect.Array
	a.marshal = func(enc *jsontext.Encoder, va variable, mo *jsonopts.Struct) error {
		legacy := mo.Flags.Get(jsonflags.FormatBytesWithLegacySemantics)
		if !legacy && isNamed {
			return asArray(enc, va, mo)
		}
		switch {
		case refusesTag(mo):
			return cannotWrite(enc, t, errStringTag)
		case isArray && mo.Flags.Get(jsonflags.FormatByteArrayAsArray), legacy && hasMethod:
			return asArray(enc, va, mo)
		case !isArray && mo.Flags.Get(jsonflags.FormatNilSliceAsNull) && va.IsNil():
			return enc.WriteToken(jsontext.Null)
		}
		return export.Encoder(enc).AppendRaw('"', true, func(b []byte) ([]byte, error) {
			return base64.StdEncoding.AppendEncode(b, va.Bytes()), nil
		})
	}
	a.unmarshal = func(dec *jsontext.Decoder, va variable, uo *jsonopts.Struct) error {
		legacy := uo.Flags.Get(jsonflags.FormatBytesWithLegacySemantics)
		if !legacy && isNamed {
			return fromArray(dec, va, uo)
		}
		switch {
		case refusesTag(uo):
			return cannotReadSkipping(dec, t, errStringTag)
		case isArray && uo.Flags.Get(jsonflags.FormatByteArrayAsArray),
			legacy && dec.PeekKind() == '[':
			return fromArray(dec, va, uo)
		}
		var flags jsonwire.ValueFlags
		val, err := export.Decoder(dec).ReadValue(&flags)
		if err != nil {
			return err
		}
		switch val.Kind() {
		case '"':
			val = jsonwire.UnquoteMayCopy(val, flags.IsVerbatim())
			err := setBytes(va, val, isArray, uo)
			if err != nil {
				err = cannotTake(dec, t, err)
			}
			return err
		case 'n':
			if isArray {
				setZero(va, uo)
			} else {
				va.SetZero()
			}
			return nil
		}
		return cannotTake(dec, t, nil)
	}
}

// setBytes stores what val says in base64.
func setBytes(va variable, val []byte, isArray bool, uo *jsonopts.Struct) error {
	enc := base64.StdEncoding
	b, err := enc.AppendDecode(va.Bytes()[:0], val)
	if err != nil {
		return err
	}
	strict := !uo.Flags.Get(jsonflags.ParseBytesWithLooseRFC4648)
	if strict && enc.EncodedLen(len(b)) != len(val) {
		breaks := bytes.IndexAny(val, "\r\n")
		return fmt.Errorf("illegal character %s at offset %d", jsonwire.QuoteRune(val[breaks:]), breaks)
	}
	if !isArray {
		if b == nil {
			b = []byte{}
		}
		va.SetBytes(b)
		return nil
	}
	array := va.Bytes()
	n := copy(array, b)
	clear(array[n:])
	if len(b) == len(array) || uo.Flags.Get(jsonflags.UnmarshalArrayFromAnyLength) {
		return nil
	}
	return fmt.Errorf("decoded length of %d mismatches array length of %d", len(b), len(array))
}

func makeInvalid(t reflect.Type) *arshaler {
	return &arshaler{
		marshal: func(enc *jsontext.Encoder, va variable, mo *jsonopts.Struct) error {
			return cannotWrite(enc, t, nil)
		},
		unmarshal: func(dec *jsontext.Decoder, va variable, uo *jsonopts.Struct) error {
			if !uo.Flags.Get(jsonflags.ReportErrorsWithLegacySemantics) {
				return cannotRead(dec, t, nil)
			}
			val, err := dec.ReadValue()
			if err == nil && val.Kind() != 'n' {
				err = cannotTake(dec, t, nil)
			}
			return err
		},
	}
}

// addTime has durations and times be what they are in JSON.
func addTime(a *arshaler, t reflect.Type) {
	switch t {
	case reflect.TypeFor[time.Duration]():
		a.special = true
		marshal, unmarshal := a.marshal, a.unmarshal
		noDefault := errors.New("no default representation")
		a.marshal = func(enc *jsontext.Encoder, va variable, mo *jsonopts.Struct) error {
			if mo.Flags.Get(jsonflags.FormatDurationAsNano) {
				return marshal(enc, va, mo)
			}
			return cannotWrite(enc, t, noDefault)
		}
		a.unmarshal = func(dec *jsontext.Decoder, va variable, uo *jsonopts.Struct) error {
			if uo.Flags.Get(jsonflags.FormatDurationAsNano) {
				return unmarshal(dec, va, uo)
			}
			return cannotReadSkipping(dec, t, noDefault)
		}
	case reflect.TypeFor[time.Time]():
		a.special = true
		a.marshal = marshalTime
		a.unmarshal = unmarshalTime
	}
}

func marshalTime(enc *jsontext.Encoder, va variable, mo *jsonopts.Struct) error {
	t := va.Type()
	if refusesTag(mo) {
		return cannotWrite(enc, t, errStringTag)
	}
	tt := va.Addr().Interface().(*time.Time)
	err := export.Encoder(enc).AppendRaw('"', true, func(b []byte) ([]byte, error) {
		n := len(b)
		b = tt.AppendFormat(b, time.RFC3339Nano)
		text := b[n:]
		if text[4] != '-' {
			return b, errors.New("year outside of range [0,9999]")
		}
		// The hour is behind the sign, unless the letter Z is where the minutes would end.
		switch zone := text[len(text)-len("+07:00"):]; {
		case zone[5] == 'Z':
		case twoDigits(zone[1:]) >= 24, '0' <= zone[0] && zone[0] <= '9':
			return b, errors.New("timezone hour outside of range [0,23]")
		}
		return b, nil
	})
	if err == nil {
		return nil
	}
	if mo.Flags.Get(jsonflags.ReportErrorsWithLegacySemantics) {
		return internal.V1.MethodError(va.Addr().Interface(), err, "MarshalJSON")
	}
	if !isA[*jsontext.SyntacticError](err) && !export.IsIOError(err) {
		err = cannotWrite(enc, t, err)
	}
	return err
}

func twoDigits(b []byte) byte { return 10*(b[0]-'0') + b[1] - '0' }

func unmarshalTime(dec *jsontext.Decoder, va variable, uo *jsonopts.Struct) error {
	t := va.Type()
	if refusesTag(uo) {
		return cannotReadSkipping(dec, t, errStringTag)
	}
	var flags jsonwire.ValueFlags
	val, err := export.Decoder(dec).ReadValue(&flags)
	if err != nil {
		return err
	}
	switch val.Kind() {
	case 'n':
		setZero(va, uo)
		return nil
	case '"':
		val = jsonwire.UnquoteMayCopy(val, flags.IsVerbatim())
		tt, err := parseTime(val, uo.Flags.Get(jsonflags.ParseTimeWithLooseRFC3339))
		if err == nil {
			*va.Addr().Interface().(*time.Time) = tt
			return nil
		}
		if !uo.Flags.Get(jsonflags.ReportErrorsWithLegacySemantics) {
			err = cannotTake(dec, t, err)
		}
		return err
	}
	return cannotTake(dec, t, nil)
}

// parseTime takes a time as RFC 3339 has it; loosely, what package time takes besides.
func parseTime(b []byte, loosely bool) (tt time.Time, err error) {
	if err := tt.UnmarshalText(b); err != nil || loosely {
		return tt, err
	}
	problem := func(element, value, message string) (time.Time, error) {
		return tt, &time.ParseError{
			Layout: time.RFC3339, Value: string(b),
			LayoutElem: element, ValueElem: value, Message: message,
		}
	}
	const hour, fraction = len("2006-01-02T"), len("2006-01-02T15:04:05")
	switch n := len(b); {
	case b[hour+1] == ':':
		return problem("15", string(b[hour:hour+1]), "")
	case b[fraction] == ',':
		return problem(".", ",", "")
	case b[n-1] == 'Z':
	case twoDigits(b[n-5:]) >= 24:
		return problem("Z07:00", string(b[n-6:]), ": timezone hour out of range")
	case twoDigits(b[n-2:]) >= 60:
		return problem("Z07:00", string(b[n-6:]), ": timezone minute out of range")
	}
	return tt, nil
}
