// Package jsonopts joins the options of the JSON packages.
//
// An option that is yes or no is a bit of jsonflags. Every other one is Valued: it knows its place
// in a Struct, puts itself there, and finds there what an earlier one has put. So this package need
// not know which options there are, and the packages above it declare their own.
package jsonopts

import (
	"fmt"

	"encoding/json/internal"
	"encoding/json/internal/jsonflags"
)

// Options is one option, or several.
type Options interface {
	JSONOptions(internal.NotForPublicUse)
}

// Valued is an option that is more than a bit.
type Valued interface {
	// PutIn makes the option's value that of all.
	PutIn(all *Struct)
	// FindIn gives the value that all has, in the type of which the option is made, and whether
	// it has one.
	FindIn(all *Struct) (any, bool)
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

var DefaultOptionsV2 = Struct{
	Flags: jsonflags.Flags{Presence: uint64(jsonflags.DefaultV1Flags)},
}

var DefaultOptionsV1 = Struct{
	Flags: jsonflags.Flags{
		Presence: uint64(jsonflags.DefaultV1Flags),
		Values:   uint64(jsonflags.DefaultV1Flags),
	},
}

// impliedByMultiline is the white space of Multiline where nothing else is asked for.
var impliedByMultiline = Struct{
	Flags: jsonflags.Flags{
		Presence: uint64(jsonflags.SpaceAfterColon | jsonflags.SpaceAfterComma | jsonflags.Indent),
		Values:   uint64(jsonflags.SpaceAfterColon | jsonflags.Indent),
	},
	Indent: "\t",
}

// Indent is what a level is indented by.
type Indent string

func (Indent) JSONOptions(internal.NotForPublicUse) {}

func (x Indent) PutIn(all *Struct) {
	all.Indent = string(x)
	all.Flags.Set(jsonflags.Indent | jsonflags.Multiline | 1)
}

func (Indent) FindIn(all *Struct) (any, bool) {
	return all.Indent, all.Flags.Has(jsonflags.Indent)
}

// IndentPrefix is what a line begins with.
type IndentPrefix string

func (IndentPrefix) JSONOptions(internal.NotForPublicUse) {}

func (x IndentPrefix) PutIn(all *Struct) {
	all.IndentPrefix = string(x)
	all.Flags.Set(jsonflags.IndentPrefix | jsonflags.Multiline | 1)
}

func (IndentPrefix) FindIn(all *Struct) (any, bool) {
	return all.IndentPrefix, all.Flags.Has(jsonflags.IndentPrefix)
}

// bit gives the value of a flag. Where a tag says string, numbers are in strings unless the options
// say something else.
func (s *Struct) bit(b jsonflags.Bools) (value, known bool) {
	value, known = s.Flags.Get(b), s.Flags.Has(b)
	if b == jsonflags.StringifyNumbers && !known && s.Flags.Get(jsonflags.StringTag) {
		return true, true
	}
	return value, known
}

// GetOption gives the value that opts has for the option that setter makes.
func GetOption[T any](opts Options, setter func(T) Options) (value T, known bool) {
	all, joined := opts.(*Struct)
	if !joined {
		all = new(Struct)
		all.Join(opts)
	}
	var found any
	opt := setter(value)
	if b, ok := opt.(jsonflags.Bools); ok {
		found, known = all.bit(b)
		return found.(T), known
	}
	if found, known = valued(opt).FindIn(all); known {
		value = found.(T)
	}
	return value, known
}

// valued gives an option that is no flag as what it has to be.
func valued(opt Options) Valued {
	v, ok := opt.(Valued)
	if !ok {
		panic(fmt.Sprintf("unknown option %T", opt))
	}
	return v
}

// Join takes over what the options say, later ones last.
func (s *Struct) Join(options ...Options) {
	for _, opt := range options {
		if all, ok := opt.(*Struct); ok {
			s.merge(all)
		} else if b, ok := opt.(jsonflags.Bools); ok {
			s.Flags.Set(b)
		} else if opt != nil {
			valued(opt).PutIn(s)
		}
	}
}

// merge takes over what other says.
func (s *Struct) merge(other *Struct) {
	has := other.Flags.Has
	s.Flags.Join(other.Flags)
	if has(jsonflags.WithValues) {
		replace(&s.Marshalers, other.Marshalers, has(jsonflags.Marshalers))
		replace(&s.Unmarshalers, other.Unmarshalers, has(jsonflags.Unmarshalers))
		replace(&s.IndentPrefix, other.IndentPrefix, has(jsonflags.IndentPrefix))
		replace(&s.Indent, other.Indent, has(jsonflags.Indent))
	}
}

func replace[T any](place *T, value T, really bool) {
	if really {
		*place = value
	}
}

// InitializeMultiline sets what Multiline implies.
func (s *Struct) InitializeMultiline() {
	all := impliedByMultiline
	all.merge(s)
	*s = all
}

// ChangedWhitespace says whether the two lead to different white space.
func ChangedWhitespace(a, b Struct) bool {
	if (a.Flags.Values^b.Flags.Values)&uint64(jsonflags.AnyWhitespace) != 0 {
		return true
	}
	return b.Flags.Get(jsonflags.Multiline) &&
		(a.Indent != b.Indent || a.IndentPrefix != b.IndentPrefix)
}
