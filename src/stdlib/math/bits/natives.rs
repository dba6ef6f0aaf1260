//! Package `math/bits`.
//!
//! Go: math/bits.

use vm::native::Res;

natives! {
    "func LeadingZeros(x uint) int" => |cx, x: u64| { i64::from(x.leading_zeros()) }
    "func TrailingZeros(x uint) int" => |cx, x: u64| { i64::from(x.trailing_zeros()) }
    "func OnesCount(x uint) int" => |cx, x: u64| { i64::from(x.count_ones()) }
    "func Len(x uint) int" => |cx, x: u64| { i64::from(64 - x.leading_zeros()) }
    "func Reverse(x uint) uint" => |cx, x: u64| { x.reverse_bits() }
    "func ReverseBytes(x uint) uint" => |cx, x: u64| { x.swap_bytes() }
    "func RotateLeft(x uint, k int) uint" => |cx, x: u64, k: i64| { x.rotate_left((k & 63) as u32) }
    "func LeadingZeros8(x uint8) int" => |cx, x: u8| { i64::from(x.leading_zeros()) }
    "func TrailingZeros8(x uint8) int" => |cx, x: u8| { i64::from(x.trailing_zeros()) }
    "func OnesCount8(x uint8) int" => |cx, x: u8| { i64::from(x.count_ones()) }
    "func Len8(x uint8) int" => |cx, x: u8| { i64::from(8 - x.leading_zeros()) }
    "func Reverse8(x uint8) uint8" => |cx, x: u8| { x.reverse_bits() }
    "func RotateLeft8(x uint8, k int) uint8" => |cx, x: u8, k: i64| {
        x.rotate_left((k & 7) as u32)
    }
    "func LeadingZeros16(x uint16) int" => |cx, x: u16| { i64::from(x.leading_zeros()) }
    "func TrailingZeros16(x uint16) int" => |cx, x: u16| { i64::from(x.trailing_zeros()) }
    "func OnesCount16(x uint16) int" => |cx, x: u16| { i64::from(x.count_ones()) }
    "func Len16(x uint16) (n int)" => |cx, x: u16| { i64::from(16 - x.leading_zeros()) }
    "func Reverse16(x uint16) uint16" => |cx, x: u16| { x.reverse_bits() }
    "func ReverseBytes16(x uint16) uint16" => |cx, x: u16| { x.swap_bytes() }
    "func RotateLeft16(x uint16, k int) uint16" => |cx, x: u16, k: i64| {
        x.rotate_left((k & 15) as u32)
    }
    "func LeadingZeros32(x uint32) int" => |cx, x: u32| { i64::from(x.leading_zeros()) }
    "func TrailingZeros32(x uint32) int" => |cx, x: u32| { i64::from(x.trailing_zeros()) }
    "func OnesCount32(x uint32) int" => |cx, x: u32| { i64::from(x.count_ones()) }
    "func Len32(x uint32) (n int)" => |cx, x: u32| { i64::from(32 - x.leading_zeros()) }
    "func Reverse32(x uint32) uint32" => |cx, x: u32| { x.reverse_bits() }
    "func ReverseBytes32(x uint32) uint32" => |cx, x: u32| { x.swap_bytes() }
    "func RotateLeft32(x uint32, k int) uint32" => |cx, x: u32, k: i64| {
        x.rotate_left((k & 31) as u32)
    }
    "func LeadingZeros64(x uint64) int" => |cx, x: u64| { i64::from(x.leading_zeros()) }
    "func TrailingZeros64(x uint64) int" => |cx, x: u64| { i64::from(x.trailing_zeros()) }
    "func OnesCount64(x uint64) int" => |cx, x: u64| { i64::from(x.count_ones()) }
    "func Len64(x uint64) (n int)" => |cx, x: u64| { i64::from(64 - x.leading_zeros()) }
    "func Reverse64(x uint64) uint64" => |cx, x: u64| { x.reverse_bits() }
    "func ReverseBytes64(x uint64) uint64" => |cx, x: u64| { x.swap_bytes() }
    "func RotateLeft64(x uint64, k int) uint64" => |cx, x: u64, k: i64| {
        x.rotate_left((k & 63) as u32)
    }
    "func Add(x, y, carry uint) (sum, carryOut uint)" => |cx, x: u64, y: u64, carry: u64| {
        let sum = u128::from(x) + u128::from(y) + u128::from(carry);
        (sum as u64, ((sum >> 64) & 1) as u64)
    }
    "func Sub(x, y, borrow uint) (diff, borrowOut uint)" => |cx, x: u64, y: u64, borrow: u64| {
        let diff = x.wrapping_sub(y).wrapping_sub(borrow);
        (diff, ((!x & y) | (!(x ^ y) & diff)) >> 63)
    }
    "func Mul(x, y uint) (hi, lo uint)" => |cx, x: u64, y: u64| {
        let product = u128::from(x) * u128::from(y);
        ((product >> 64) as u64, product as u64)
    }
    "func Div(hi, lo, y uint) (quo, rem uint)" => |cx, hi: u64, lo: u64, y: u64| {
        if y == 0 {
            return cx.runtime_error("integer divide by zero");
        }
        if y <= hi {
            return cx.runtime_error("integer overflow");
        }
        let x = (u128::from(hi) << 64) | u128::from(lo);
        Res::Ok(((x / u128::from(y)) as u64, (x % u128::from(y)) as u64))
    }
    "func Rem(hi, lo, y uint) uint" => |cx, hi: u64, lo: u64, y: u64| {
        if y == 0 {
            return cx.runtime_error("integer divide by zero");
        }
        let x = (u128::from(hi) << 64) | u128::from(lo);
        Res::Ok((x % u128::from(y)) as u64)
    }
    "func Add32(x, y, carry uint32) (sum, carryOut uint32)" => |cx, x: u32, y: u32, carry: u32| {
        let sum = u64::from(x) + u64::from(y) + u64::from(carry);
        (sum as u32, ((sum >> 32) & 1) as u32)
    }
    "func Sub32(x, y, borrow uint32) (diff, borrowOut uint32)" =>
    |cx, x: u32, y: u32, borrow: u32| {
        let diff = x.wrapping_sub(y).wrapping_sub(borrow);
        (diff, ((!x & y) | (!(x ^ y) & diff)) >> 31)
    }
    "func Mul32(x, y uint32) (hi, lo uint32)" => |cx, x: u32, y: u32| {
        let product = u64::from(x) * u64::from(y);
        ((product >> 32) as u32, product as u32)
    }
    "func Div32(hi, lo, y uint32) (quo, rem uint32)" => |cx, hi: u32, lo: u32, y: u32| {
        if y == 0 {
            return cx.runtime_error("integer divide by zero");
        }
        if y <= hi {
            return cx.runtime_error("integer overflow");
        }
        let x = (u64::from(hi) << 32) | u64::from(lo);
        Res::Ok(((x / u64::from(y)) as u32, (x % u64::from(y)) as u32))
    }
    "func Rem32(hi, lo, y uint32) uint32" => |cx, hi: u32, lo: u32, y: u32| {
        if y == 0 {
            return cx.runtime_error("integer divide by zero");
        }
        let x = (u64::from(hi) << 32) | u64::from(lo);
        Res::Ok((x % u64::from(y)) as u32)
    }
    "func Add64(x, y, carry uint64) (sum, carryOut uint64)" => |cx, x: u64, y: u64, carry: u64| {
        let sum = u128::from(x) + u128::from(y) + u128::from(carry);
        (sum as u64, ((sum >> 64) & 1) as u64)
    }
    "func Sub64(x, y, borrow uint64) (diff, borrowOut uint64)" =>
    |cx, x: u64, y: u64, borrow: u64| {
        let diff = x.wrapping_sub(y).wrapping_sub(borrow);
        (diff, ((!x & y) | (!(x ^ y) & diff)) >> 63)
    }
    "func Mul64(x, y uint64) (hi, lo uint64)" => |cx, x: u64, y: u64| {
        let product = u128::from(x) * u128::from(y);
        ((product >> 64) as u64, product as u64)
    }
    "func Div64(hi, lo, y uint64) (quo, rem uint64)" => |cx, hi: u64, lo: u64, y: u64| {
        if y == 0 {
            return cx.runtime_error("integer divide by zero");
        }
        if y <= hi {
            return cx.runtime_error("integer overflow");
        }
        let x = (u128::from(hi) << 64) | u128::from(lo);
        Res::Ok(((x / u128::from(y)) as u64, (x % u128::from(y)) as u64))
    }
    "func Rem64(hi, lo, y uint64) uint64" => |cx, hi: u64, lo: u64, y: u64| {
        if y == 0 {
            return cx.runtime_error("integer divide by zero");
        }
        let x = (u128::from(hi) << 64) | u128::from(lo);
        Res::Ok((x % u128::from(y)) as u64)
    }
}
