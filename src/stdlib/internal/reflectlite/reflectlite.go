// Package reflectlite: what package sort panics with where it is given no slice, under the name that
// it has in Go.
package reflectlite

// A Kind is numbered as package reflect numbers kinds; 0 is that of no value.
type Kind uint

var names = [...]string{
	"invalid", "bool", "int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32",
	"uint64", "uintptr", "float32", "float64", "complex64", "complex128", "array", "chan", "func",
	"interface", "map", "ptr", "slice", "string", "struct", "unsafe.Pointer",
}

func (k Kind) String() string { return names[k] }

// A ValueError tells which method was called on a value of which kind.
type ValueError struct {
	Method string
	Kind   Kind
}

func (e *ValueError) Error() string {
	if e.Kind == 0 {
		return "reflect: call of " + e.Method + " on zero Value"
	}
	return "reflect: call of " + e.Method + " on " + e.Kind.String() + " Value"
}
