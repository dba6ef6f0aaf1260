// Package godebug is for packages of a Go source tree: the settings in GODEBUG. Uses of settings
// are not counted.
package godebug

import "strings"

// Setting is one of them.
type Setting struct {
	name string
}

// New gives the setting of that name, which begins with # if Go's documentation leaves it out.
func New(name string) *Setting { return &Setting{name} }

// Name gives the name, without #.
func (s *Setting) Name() string { return strings.TrimPrefix(s.name, "#") }

// Undocumented says whether the setting is left out of Go's documentation.
func (s *Setting) Undocumented() bool { return strings.HasPrefix(s.name, "#") }

// String gives name=value.
func (s *Setting) String() string { return s.Name() + "=" + s.Value() }

// IncNonDefault notes that the setting has mattered.
func (s *Setting) IncNonDefault() {}

// Value gives what GODEBUG, as it is now, says.
func (s *Setting) Value() string { return Value(s.Name()) }

// Value gives what GODEBUG, as it is now, says of the setting of that name.
func Value(name string) string
