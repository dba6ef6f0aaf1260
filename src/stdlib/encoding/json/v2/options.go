package json

import (
	"fmt"

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

// GetOption gives the value that opts has for the option that setter makes.
func GetOption[T any](opts Options, setter func(T) Options) (T, bool) {
	return jsonopts.GetOption(opts, setter)
}

// DefaultOptionsV2 is what this package does without options.
func DefaultOptionsV2() Options { return &jsonopts.DefaultOptionsV2 }

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
func WithMarshalers(v *Marshalers) Options { return (*marshalersOption)(v) }

// WithUnmarshalers gives functions for certain types.
func WithUnmarshalers(v *Unmarshalers) Options { return (*unmarshalersOption)(v) }

type (
	marshalersOption   Marshalers
	unmarshalersOption Unmarshalers
)

func (*marshalersOption) JSONOptions(internal.NotForPublicUse)   {}
func (*unmarshalersOption) JSONOptions(internal.NotForPublicUse) {}

//go:effect jsonopts.GetUnknownOption
//go:effect jsonopts.JoinUnknownOption
func init() {
	jsonopts.GetUnknownOption = func(src jsonopts.Struct, opt jsonopts.Options) (any, bool) {
		switch opt.(type) {
		case *marshalersOption:
			if src.Flags.Has(jsonflags.Marshalers) {
				return src.Marshalers.(*Marshalers), true
			}
			return (*Marshalers)(nil), false
		case *unmarshalersOption:
			if src.Flags.Has(jsonflags.Unmarshalers) {
				return src.Unmarshalers.(*Unmarshalers), true
			}
			return (*Unmarshalers)(nil), false
		}
		panic(fmt.Sprintf("unknown option %T", opt))
	}
	jsonopts.JoinUnknownOption = func(dst jsonopts.Struct, opt jsonopts.Options) jsonopts.Struct {
		switch opt := opt.(type) {
		case *marshalersOption:
			dst.Flags.Set(jsonflags.Marshalers | 1)
			dst.Marshalers = (*Marshalers)(opt)
		case *unmarshalersOption:
			dst.Flags.Set(jsonflags.Unmarshalers | 1)
			dst.Unmarshalers = (*Unmarshalers)(opt)
		default:
			panic(fmt.Sprintf("unknown option %T", opt))
		}
		return dst
	}
}
