// Package zones joins time with time/tzdata, which it must not import.
package zones

// Embedded gives the TZif data of a zone, if time/tzdata is in the program; else it is nil.
var Embedded func(name string) (data []byte, ok bool)
