// Package internal: what a driver that scans columns itself gets of package sql.
package internal

// A ScanContext holds what sql.ConvertAssign has to know of the rows that are scanned.
type ScanContext struct{ rows any }

func NewScanContext(rows any) ScanContext { return ScanContext{rows} }

func ScanContextValue(c ScanContext) any { return c.rows }
