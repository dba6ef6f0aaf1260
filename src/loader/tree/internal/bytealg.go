// Package bytealg is for packages of a Go source tree: what Go has in assembly, by the functions of
// packages bytes and strings.
package bytealg

import (
	"bytes"
	"strings"
)

// MaxBruteForce is the length up to which Index may be called with anything.
const MaxBruteForce = 64

// PrimeRK is the base of the hash of Rabin and Karp.
const PrimeRK = 16777619

// MaxLen is the length of the longest sep that Index may be called with.
var MaxLen = int(^uint(0) >> 1)

// Cutoff says after how many false starts Index is better than IndexByte.
func Cutoff(n int) int { return (n + 16) / 8 }

// MakeNoZero makes a slice of n bytes.
func MakeNoZero(n int) []byte { return make([]byte, n) }

// Compare is bytes.Compare.
func Compare(a, b []byte) int { return bytes.Compare(a, b) }

// CompareString is strings.Compare.
func CompareString(a, b string) int { return strings.Compare(a, b) }

// Equal is bytes.Equal.
func Equal(a, b []byte) bool { return bytes.Equal(a, b) }

// Count counts c in b.
func Count(b []byte, c byte) int { return bytes.Count(b, []byte{c}) }

// CountString counts c in s.
func CountString(s string, c byte) int { return strings.Count(s, string([]byte{c})) }

// Index is bytes.Index.
func Index(a, b []byte) int { return bytes.Index(a, b) }

// IndexString is strings.Index.
func IndexString(a, b string) int { return strings.Index(a, b) }

// IndexByte is bytes.IndexByte.
func IndexByte(b []byte, c byte) int { return bytes.IndexByte(b, c) }

// IndexByteString is strings.IndexByte.
func IndexByteString(s string, c byte) int { return strings.IndexByte(s, c) }

// LastIndexByte is bytes.LastIndexByte.
func LastIndexByte(b []byte, c byte) int { return bytes.LastIndexByte(b, c) }

// LastIndexByteString is strings.LastIndexByte.
func LastIndexByteString(s string, c byte) int { return strings.LastIndexByte(s, c) }

// IndexRabinKarp finds the first sep in s.
func IndexRabinKarp[T string | []byte](s, sep T) int {
	return strings.Index(string(s), string(sep))
}

// LastIndexRabinKarp finds the last sep in s.
func LastIndexRabinKarp[T string | []byte](s, sep T) int {
	return strings.LastIndex(string(s), string(sep))
}
