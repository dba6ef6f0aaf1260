package testing

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"time"
)

// This file has what a benchmark comes to, and the line of columns that is printed of it.

// BenchmarkResult is what has been measured.
type BenchmarkResult struct {
	N         int           // rounds
	T         time.Duration // of all
	Bytes     int64         // of one
	MemAllocs uint64
	MemBytes  uint64
	Extra     map[string]float64 // from ReportMetric
}

// perOp is a value of one round, unless ReportMetric has given another.
func (r BenchmarkResult) perOp(unit string, all int64) int64 {
	switch reported, has := r.Extra[unit]; {
	case has:
		return int64(reported)
	case r.N <= 0:
		return 0
	}
	return all / int64(r.N)
}

func (r BenchmarkResult) NsPerOp() int64 { return r.perOp("ns/op", r.T.Nanoseconds()) }

func (r BenchmarkResult) AllocsPerOp() int64 { return r.perOp("allocs/op", int64(r.MemAllocs)) }

func (r BenchmarkResult) AllocedBytesPerOp() int64 { return r.perOp("B/op", int64(r.MemBytes)) }

// MemString is what a line says of memory.
func (r BenchmarkResult) MemString() string {
	return fmt.Sprintf("%8d B/op\t%8d allocs/op", r.AllocedBytesPerOp(), r.AllocsPerOp())
}

// speed is how many megabytes have been worked on in a second, or 0 if that is not known.
func (r *BenchmarkResult) speed() float64 {
	if r.T <= 0 {
		return 0
	}
	megabytes := float64(r.Bytes) * float64(r.N) / 1e6
	return max(megabytes/r.T.Seconds(), 0)
}

// Columns have a place of their own in the line; each has a width, and digits unless these depend
// on the value.
var benchColumns = [...]struct {
	unit, format string
}{
	{"ns/op", ""},
	{"MB/s", "\t%7.2f MB/s"},
	// MemString has these.
	{"B/op", "-"},
	{"allocs/op", "-"},
}

// String is the line of a benchmark behind its name, without memory.
func (r BenchmarkResult) String() string {
	metrics := map[string]float64{
		"ns/op": float64(r.T.Nanoseconds()) / float64(r.N),
		"MB/s":  r.speed(),
	}
	maps.Copy(metrics, r.Extra)
	line := fmt.Appendf(nil, "%8d", r.N)
	for _, column := range benchColumns {
		x := metrics[column.unit]
		delete(metrics, column.unit)
		switch {
		case x == 0 || column.format == "-":
		case column.format == "":
			line = appendMetric(line, x, column.unit)
		default:
			line = fmt.Appendf(line, column.format, x)
		}
	}
	for _, unit := range slices.Sorted(maps.Keys(metrics)) {
		line = appendMetric(line, metrics[unit], unit)
	}
	return string(line)
}

// appendMetric writes four digits that count, or more before the point, with the points below each
// other.
func appendMetric(line []byte, x float64, unit string) []byte {
	digits, least := 0, 999.95
	if y := math.Abs(x); y != 0 {
		for digits < 7 && y < least {
			digits++
			least /= 10
			if digits == 1 {
				least = 99.995
			}
		}
	}
	width := 10
	if digits > 0 {
		width += digits + 1
	}
	return fmt.Appendf(line, "\t%*.*f %s", width, digits, x, unit)
}
