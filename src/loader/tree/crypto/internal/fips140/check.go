// Package check stands in place of Go's, which holds a program against what the linker noted of it.
package check

// Verified would say that the FIPS module is what was certified.
var Verified bool
