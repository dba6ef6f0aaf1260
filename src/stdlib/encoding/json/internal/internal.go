// Package internal holds what the JSON packages share and nobody else can name.
package internal

import "errors"

// NotForPublicUse is a parameter of methods that only these packages can declare.
type NotForPublicUse struct{}

// AllowInternalUse is what a package shows to be let in.
var AllowInternalUse NotForPublicUse

var (
	ErrCycle           = errors.New("encountered a cycle")
	ErrNonNilReference = errors.New("value must be passed as a non-nil pointer reference")
	ErrNilInterface    = errors.New("cannot derive concrete type for nil interface with finite type set")
)

// ValueError is an error about a value that encoding/json tells of.
type ValueError struct {
	Val any
	Err error
}

func (e *ValueError) Error() string { return e.Err.Error() }
func (e *ValueError) Unwrap() error { return e.Err }

// Classic is what encoding/json adds to encoding/json/v2, below which it cannot lie.
type Classic interface {
	// MarshalError and UnmarshalError give an error the words of encoding/json.
	MarshalError(err error) error
	UnmarshalError(root any, err error) error
	// MethodError is about an error that a method of v gave.
	MethodError(v any, err error, method string) error

	// NewNumber makes room for a number as it is written, and Number makes one.
	NewNumber() any
	Number(text []byte) any
}

// V1 is set by encoding/json when it starts.
var V1 Classic
