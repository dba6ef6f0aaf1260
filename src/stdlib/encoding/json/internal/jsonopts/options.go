// Package jsonopts joins the options of the JSON packages.
package jsonopts

import (
	"encoding/json/internal"
	"encoding/json/internal/jsonflags"
)

// Options is one option, or several.
type Options interface {
	JSONOptions(internal.NotForPublicUse)
}

// Struct is all options.
type Struct struct {
	Flags jsonflags.Flags

	Indent       string
	IndentPrefix string
	// Marshalers and Unmarshalers are those of encoding/json/v2.
	Marshalers   any
	Unmarshalers any
}

func (*Struct) JSONOptions(internal.NotForPublicUse) {}

type (
	Indent       string
	IndentPrefix string
)

func (Indent) JSONOptions(internal.NotForPublicUse)       {}
func (IndentPrefix) JSONOptions(internal.NotForPublicUse) {}

var DefaultOptionsV2 = Struct{
	Flags: jsonflags.Flags{Presence: uint64(jsonflags.DefaultV1Flags)},
}

var DefaultOptionsV1 = Struct{
	Flags: jsonflags.Flags{
		Presence: uint64(jsonflags.DefaultV1Flags),
		Values:   uint64(jsonflags.DefaultV1Flags),
	},
}

// Package encoding/json/v2 sets these for the options that only it knows.
var (
	GetUnknownOption  func(Struct, Options) (any, bool)
	JoinUnknownOption func(Struct, Options) Struct
)

// GetOption gives the value that opts has for the option that setter makes.
func GetOption[T any](opts Options, setter func(T) Options) (T, bool) {
	all, ok := opts.(*Struct)
	if !ok {
		all = new(Struct)
		all.Join(opts)
	}
	var zero T
	switch opt := setter(zero).(type) {
	case jsonflags.Bools:
		has := all.Flags.Has(opt)
		if !has && opt == jsonflags.StringifyNumbers && all.Flags.Get(jsonflags.StringTag) {
			return any(true).(T), true
		}
		return any(all.Flags.Get(opt)).(T), has
	case Indent:
		if all.Flags.Has(jsonflags.Indent) {
			return any(all.Indent).(T), true
		}
	case IndentPrefix:
		if all.Flags.Has(jsonflags.IndentPrefix) {
			return any(all.IndentPrefix).(T), true
		}
	default:
		v, ok := GetUnknownOption(*all, opt)
		return v.(T), ok
	}
	return zero, false
}

// Join takes over what the options say, later ones last.
func (s *Struct) Join(options ...Options) {
	for _, opt := range options {
		switch opt := opt.(type) {
		case nil:
		case jsonflags.Bools:
			s.Flags.Set(opt)
		case Indent:
			s.Flags.Set(jsonflags.Multiline | jsonflags.Indent | 1)
			s.Indent = string(opt)
		case IndentPrefix:
			s.Flags.Set(jsonflags.Multiline | jsonflags.IndentPrefix | 1)
			s.IndentPrefix = string(opt)
		case *Struct:
			s.Flags.Join(opt.Flags)
			if !opt.Flags.Has(jsonflags.WithValues) {
				continue
			}
			if opt.Flags.Has(jsonflags.Indent) {
				s.Indent = opt.Indent
			}
			if opt.Flags.Has(jsonflags.IndentPrefix) {
				s.IndentPrefix = opt.IndentPrefix
			}
			if opt.Flags.Has(jsonflags.Marshalers) {
				s.Marshalers = opt.Marshalers
			}
			if opt.Flags.Has(jsonflags.Unmarshalers) {
				s.Unmarshalers = opt.Unmarshalers
			}
		default:
			*s = JoinUnknownOption(*s, opt)
		}
	}
}

// InitializeMultiline sets what Multiline implies.
func (s *Struct) InitializeMultiline() {
	if !s.Flags.Has(jsonflags.SpaceAfterColon) {
		s.Flags.Set(jsonflags.SpaceAfterColon | 1)
	}
	if !s.Flags.Has(jsonflags.SpaceAfterComma) {
		s.Flags.Set(jsonflags.SpaceAfterComma | 0)
	}
	if !s.Flags.Has(jsonflags.Indent) {
		s.Flags.Set(jsonflags.Indent | 1)
		s.Indent = "\t"
	}
}

// ChangedWhitespace says whether the two lead to different white space.
func ChangedWhitespace(a, b Struct) bool {
	if (a.Flags.Values^b.Flags.Values)&uint64(jsonflags.AnyWhitespace) != 0 {
		return true
	}
	return b.Flags.Get(jsonflags.Multiline) &&
		(a.Indent != b.Indent || a.IndentPrefix != b.IndentPrefix)
}
