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

// Package encoding/json, which lies above encoding/json/v2, sets these when it starts.
var (
	TransformMarshalError   func(root any, err error) error
	TransformUnmarshalError func(root any, err error) error
	NewMarshalerError       func(val any, err error, funcName string) error

	NewRawNumber func() any
	RawNumberOf  func(b []byte) any
)
