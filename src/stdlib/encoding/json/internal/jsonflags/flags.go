// Package jsonflags has the options that are yes or no, each a bit.
package jsonflags

import "encoding/json/internal"

// Bools is a set of options. As an option by itself, bit 0 is the value for all of them.
type Bools uint64

func (Bools) JSONOptions(internal.NotForPublicUse) {}

// The lowest bit is no option.
const (
	_ Bools = 1 << iota

	// Of encoders and decoders.
	AllowDuplicateNames
	AllowInvalidUTF8
	WithinArshalCall
	OmitTopLevelNewline
	PreserveRawStrings
	CanonicalizeRawInts
	CanonicalizeRawFloats
	ReorderRawObjects
	EscapeForHTML
	EscapeForJS
	Multiline
	SpaceAfterColon
	SpaceAfterComma
	Indent
	IndentPrefix

	// Of encoding/json/v2.
	StringifyNumbers
	Deterministic
	FormatNilMapAsNull
	FormatNilSliceAsNull
	OmitZeroStructFields
	MatchCaseInsensitiveNames
	RejectUnknownMembers
	Marshalers
	Unmarshalers
	StringTag

	// Of encoding/json.
	CallMethodsWithLegacySemantics
	FormatByteArrayAsArray
	FormatBytesWithLegacySemantics
	FormatDurationAsNano
	MatchCaseSensitiveDelimiter
	MergeWithLegacySemantics
	OmitEmptyWithLegacySemantics
	ParseBytesWithLooseRFC4648
	ParseTimeWithLooseRFC3339
	ReportErrorsWithLegacySemantics
	StringifyWithLegacySemantics
	UnmarshalAnyWithRawNumber
	UnmarshalArrayFromAnyLength
)

const (
	// DefaultV1Flags are on by default in encoding/json and off in encoding/json/v2.
	DefaultV1Flags = AllowDuplicateNames |
		AllowInvalidUTF8 |
		EscapeForHTML |
		EscapeForJS |
		PreserveRawStrings |
		Deterministic |
		FormatNilMapAsNull |
		FormatNilSliceAsNull |
		MatchCaseInsensitiveNames |
		CallMethodsWithLegacySemantics |
		FormatByteArrayAsArray |
		FormatBytesWithLegacySemantics |
		FormatDurationAsNano |
		MatchCaseSensitiveDelimiter |
		MergeWithLegacySemantics |
		OmitEmptyWithLegacySemantics |
		ParseBytesWithLooseRFC4648 |
		ParseTimeWithLooseRFC3339 |
		ReportErrorsWithLegacySemantics |
		StringifyWithLegacySemantics |
		UnmarshalArrayFromAnyLength

	AnyWhitespace       = Multiline | SpaceAfterColon | SpaceAfterComma
	AnyEscape           = EscapeForHTML | EscapeForJS
	CanonicalizeNumbers = CanonicalizeRawInts | CanonicalizeRawFloats
	// WithValues have a value beside the bit.
	WithValues = Indent | IndentPrefix | Marshalers | Unmarshalers
)

// Flags says which options are set, and which of them to true.
type Flags struct{ Presence, Values uint64 }

// Join takes over what src says.
func (f *Flags) Join(src Flags) {
	f.Presence |= src.Presence
	f.Values = f.Values&^src.Presence | src.Values
}

// Set sets the options in b to the value of its bit 0.
func (f *Flags) Set(b Bools) {
	mask := uint64(b) &^ 1
	f.Presence |= mask
	f.Values &^= mask
	if b&1 != 0 {
		f.Values |= mask
	}
}

// Get says whether one of the options is true.
func (f Flags) Get(b Bools) bool { return f.Values&uint64(b) != 0 }

// Has says whether one of the options is set.
func (f Flags) Has(b Bools) bool { return f.Presence&uint64(b) != 0 }

// Clear makes the options unset.
func (f *Flags) Clear(b Bools) {
	f.Presence &^= uint64(b)
	f.Values &^= uint64(b)
}
