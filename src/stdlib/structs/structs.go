// Package structs: marks that structs bear in fields.
package structs

// HostLayout says that the struct is laid out as the platform's C lays it out, as all are.
type HostLayout struct {
	_ mark // keeps it apart from struct{}
}

type mark struct{}
