// Package internal: what a driver that scans columns itself gets of package sql.
package internal

import "reflect"

// A ScanContext holds what sql.ConvertAssign has to know of the rows that are scanned.
type ScanContext struct{ rows any }

func NewScanContext(rows any) ScanContext { return ScanContext{rows} }

func ScanContextValue(c ScanContext) any { return c.rows }

// NilOf says whether v, which is an I, is a nil pointer to what is an I by itself: the methods of
// such a pointer cannot be called.
func NilOf[I any](v I) bool {
	p := reflect.ValueOf(v)
	return p.Kind() == reflect.Pointer && p.IsNil() &&
		p.Type().Elem().Implements(reflect.TypeFor[I]())
}
