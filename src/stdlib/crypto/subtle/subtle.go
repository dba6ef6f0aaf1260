// Package subtle: comparing and choosing without branches that depend on what is compared. A
// virtual machine cannot promise equal times; comparing slices is a loop of Rust without a branch.
package subtle

import "unsafe"

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

func ConstantTimeByteEq(x, y uint8) int   { return bit(x == y) }
func ConstantTimeEq(x, y int32) int       { return bit(x == y) }
func ConstantTimeLessOrEq(x, y int) int   { return bit(x <= y) }
func ConstantTimeSelect(v, x, y int) int  { m := bit(v == 0) - 1; return m&x | ^m&y }
func WithDataIndependentTiming(f func())  { f() }
func ConstantTimeCompare(x, y []byte) int { return bit(len(x) == len(y) && equal(x, y)) }

// equal compares slices of the same length.
func equal(x, y []byte) bool

func ConstantTimeCopy(v int, x, y []byte) {
	if len(x) != len(y) {
		panic("subtle: slices have different lengths")
	}
	keep := byte(v - 1)
	for i := range x {
		x[i] = x[i]&keep | y[i]&^keep
	}
}

// shifted says whether a and as much of b share memory, but not from the same place on.
func shifted(a, b []byte) bool {
	p, q := uintptr(unsafe.Pointer(&a[0])), uintptr(unsafe.Pointer(&b[0]))
	n := uintptr(len(a))
	return p != q && p < q+n && q < p+n
}

func XORBytes(dst, x, y []byte) int {
	n := min(len(x), len(y))
	switch {
	case n == 0:
		return 0
	case len(dst) < n:
		panic("subtle.XORBytes: dst too short")
	case shifted(dst[:n], x) || shifted(dst[:n], y):
		panic("subtle.XORBytes: invalid overlap")
	}
	xor(dst[:n], x[:n], y[:n])
	return n
}

// xor is XORBytes of slices of the same length.
func xor(dst, x, y []byte)
