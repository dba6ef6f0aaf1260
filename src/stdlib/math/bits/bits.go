// Package bits: counting, turning and long arithmetic of machine words.
package bits

const UintSize = 64

// LeadingZeros is how many leading zeros x has; UintSize of 0.
func LeadingZeros(x uint) int

// LeadingZeros8 is how many leading zeros x has; 8 of 0.
func LeadingZeros8(x uint8) int

// LeadingZeros16 is how many leading zeros x has; 16 of 0.
func LeadingZeros16(x uint16) int

// LeadingZeros32 is how many leading zeros x has; 32 of 0.
func LeadingZeros32(x uint32) int

// LeadingZeros64 is how many leading zeros x has; 64 of 0.
func LeadingZeros64(x uint64) int

// TrailingZeros is how many trailing zeros x has; UintSize of 0.
func TrailingZeros(x uint) int

// TrailingZeros8 is how many trailing zeros x has; 8 of 0.
func TrailingZeros8(x uint8) int

// TrailingZeros16 is how many trailing zeros x has; 16 of 0.
func TrailingZeros16(x uint16) int

// TrailingZeros32 is how many trailing zeros x has; 32 of 0.
func TrailingZeros32(x uint32) int

// TrailingZeros64 is how many trailing zeros x has; 64 of 0.
func TrailingZeros64(x uint64) int

// OnesCount is how many ones x has.
func OnesCount(x uint) int

// OnesCount8 is how many ones x has.
func OnesCount8(x uint8) int

// OnesCount16 is how many ones x has.
func OnesCount16(x uint16) int

// OnesCount32 is how many ones x has.
func OnesCount32(x uint32) int

// OnesCount64 is how many ones x has.
func OnesCount64(x uint64) int

// Len is how many bits x needs; 0 of 0.
func Len(x uint) int

// Len8 is how many bits x needs; 0 of 0.
func Len8(x uint8) int

// Len16 is how many bits x needs; 0 of 0.
func Len16(x uint16) (n int)

// Len32 is how many bits x needs; 0 of 0.
func Len32(x uint32) (n int)

// Len64 is how many bits x needs; 0 of 0.
func Len64(x uint64) (n int)

// Reverse is x with its bits in reversed order.
func Reverse(x uint) uint

// Reverse8 is x with its bits in reversed order.
func Reverse8(x uint8) uint8

// Reverse16 is x with its bits in reversed order.
func Reverse16(x uint16) uint16

// Reverse32 is x with its bits in reversed order.
func Reverse32(x uint32) uint32

// Reverse64 is x with its bits in reversed order.
func Reverse64(x uint64) uint64

// ReverseBytes is x with its bytes in reversed order.
func ReverseBytes(x uint) uint

// ReverseBytes16 is x with its bytes in reversed order.
func ReverseBytes16(x uint16) uint16

// ReverseBytes32 is x with its bytes in reversed order.
func ReverseBytes32(x uint32) uint32

// ReverseBytes64 is x with its bytes in reversed order.
func ReverseBytes64(x uint64) uint64

// RotateLeft is x turned left by k mod UintSize bits; right by -k if k is negative.
func RotateLeft(x uint, k int) uint

// RotateLeft8 is x turned left by k mod 8 bits; right by -k if k is negative.
func RotateLeft8(x uint8, k int) uint8

// RotateLeft16 is x turned left by k mod 16 bits; right by -k if k is negative.
func RotateLeft16(x uint16, k int) uint16

// RotateLeft32 is x turned left by k mod 32 bits; right by -k if k is negative.
func RotateLeft32(x uint32, k int) uint32

// RotateLeft64 is x turned left by k mod 64 bits; right by -k if k is negative.
func RotateLeft64(x uint64, k int) uint64

// Add is x + y + carry, and what is carried out: carry and carryOut are 0 or 1.
func Add(x, y, carry uint) (sum, carryOut uint)

// Add32 is x + y + carry, and what is carried out: carry and carryOut are 0 or 1.
func Add32(x, y, carry uint32) (sum, carryOut uint32)

// Add64 is x + y + carry, and what is carried out: carry and carryOut are 0 or 1.
func Add64(x, y, carry uint64) (sum, carryOut uint64)

// Sub is x - y - borrow, and what is borrowed: borrow and borrowOut are 0 or 1.
func Sub(x, y, borrow uint) (diff, borrowOut uint)

// Sub32 is x - y - borrow, and what is borrowed: borrow and borrowOut are 0 or 1.
func Sub32(x, y, borrow uint32) (diff, borrowOut uint32)

// Sub64 is x - y - borrow, and what is borrowed: borrow and borrowOut are 0 or 1.
func Sub64(x, y, borrow uint64) (diff, borrowOut uint64)

// Mul is the product of x and y, in two halves.
func Mul(x, y uint) (hi, lo uint)

// Mul32 is the product of x and y, in two halves.
func Mul32(x, y uint32) (hi, lo uint32)

// Mul64 is the product of x and y, in two halves.
func Mul64(x, y uint64) (hi, lo uint64)

// Div is (hi, lo) divided by y, and the remainder; it panics if y is 0 or the quotient overflows.
func Div(hi, lo, y uint) (quo, rem uint)

// Div32 is (hi, lo) divided by y, and the remainder; it panics if y is 0 or the quotient overflows.
func Div32(hi, lo, y uint32) (quo, rem uint32)

// Div64 is (hi, lo) divided by y, and the remainder; it panics if y is 0 or the quotient overflows.
func Div64(hi, lo, y uint64) (quo, rem uint64)

// Rem is the remainder of (hi, lo) divided by y; it panics if y is 0, but not if the quotient overflows.
func Rem(hi, lo, y uint) uint

// Rem32 is the remainder of (hi, lo) divided by y; it panics if y is 0, but not if the quotient overflows.
func Rem32(hi, lo, y uint32) uint32

// Rem64 is the remainder of (hi, lo) divided by y; it panics if y is 0, but not if the quotient overflows.
func Rem64(hi, lo, y uint64) uint64
