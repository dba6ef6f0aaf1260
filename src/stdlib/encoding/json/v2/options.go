package json

import (
	"encoding/json/internal"
	"encoding/json/internal/jsonflags"
	"encoding/json/internal/jsonopts"
)

// Options is an option of this package or of jsontext, or several.
type Options = jsonopts.Options

// JoinOptions makes one of several, later ones last.
func JoinOptions(srcs ...Options) Options {
	var joined jsonopts.Struct
	joined.Join(srcs...)
	return &joined
}

// DefaultOptionsV2 is what this package does without options.
func DefaultOptionsV2() Options { return &jsonopts.DefaultOptionsV2 }

// GetOption gives the value that opts has for the option that setter makes.
func GetOption[T any](opts Options, setter func(T) Options) (T, bool) {
	return jsonopts.GetOption(opts, setter)
}

func flag(f jsonflags.Bools, v bool) Options {
	if v {
		return f | 1
	}
	return f
}

// StringifyNumbers says whether numbers are in strings.
func StringifyNumbers(v bool) Options { return flag(jsonflags.StringifyNumbers, v) }

// Deterministic says whether equal values always become equal texts.
func Deterministic(v bool) Options { return flag(jsonflags.Deterministic, v) }

// FormatNilSliceAsNull says whether a nil slice becomes null.
func FormatNilSliceAsNull(v bool) Options { return flag(jsonflags.FormatNilSliceAsNull, v) }

// FormatNilMapAsNull says whether a nil map becomes null.
func FormatNilMapAsNull(v bool) Options { return flag(jsonflags.FormatNilMapAsNull, v) }

// OmitZeroStructFields says whether all fields are omitted that are zero.
func OmitZeroStructFields(v bool) Options { return flag(jsonflags.OmitZeroStructFields, v) }

// MatchCaseInsensitiveNames says whether names need not have the case of the fields.
func MatchCaseInsensitiveNames(v bool) Options {
	return flag(jsonflags.MatchCaseInsensitiveNames, v)
}

// RejectUnknownMembers says whether names without a field are an error.
func RejectUnknownMembers(v bool) Options { return flag(jsonflags.RejectUnknownMembers, v) }

// WithMarshalers gives functions for certain types.
func WithMarshalers(v *Marshalers) Options { return (*withMarshalers)(v) }

// WithUnmarshalers gives functions for certain types.
func WithUnmarshalers(v *Unmarshalers) Options { return (*withUnmarshalers)(v) }

type (
	withMarshalers   Marshalers
	withUnmarshalers Unmarshalers
)

func (*withMarshalers) JSONOptions(internal.NotForPublicUse)   {}
func (*withUnmarshalers) JSONOptions(internal.NotForPublicUse) {}

func (m *withMarshalers) PutIn(all *jsonopts.Struct) {
	all.Marshalers = (*Marshalers)(m)
	all.Flags.Set(jsonflags.Marshalers | 1)
}

func (*withMarshalers) FindIn(all *jsonopts.Struct) (any, bool) {
	return all.Marshalers, all.Flags.Has(jsonflags.Marshalers)
}

func (u *withUnmarshalers) PutIn(all *jsonopts.Struct) {
	all.Unmarshalers = (*Unmarshalers)(u)
	all.Flags.Set(jsonflags.Unmarshalers | 1)
}

func (*withUnmarshalers) FindIn(all *jsonopts.Struct) (any, bool) {
	return all.Unmarshalers, all.Flags.Has(jsonflags.Unmarshalers)
}
