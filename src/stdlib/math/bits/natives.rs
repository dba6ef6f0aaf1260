//! Package `math/bits`.
//!
//! Go: math/bits.

use vm::native::Res;

natives! {
    "LeadingZeros" => |cx, x: u64| { i64::from(x.leading_zeros()) }
    "TrailingZeros" => |cx, x: u64| { i64::from(x.trailing_zeros()) }
    "OnesCount" => |cx, x: u64| { i64::from(x.count_ones()) }
    "Len" => |cx, x: u64| { i64::from(64 - x.leading_zeros()) }
    "Reverse" => |cx, x: u64| { x.reverse_bits() }
    "ReverseBytes" => |cx, x: u64| { x.swap_bytes() }
    "RotateLeft" => |cx, x: u64, k: i64| { x.rotate_left((k & 63) as u32) }
    "LeadingZeros8" => |cx, x: u8| { i64::from(x.leading_zeros()) }
    "TrailingZeros8" => |cx, x: u8| { i64::from(x.trailing_zeros()) }
    "OnesCount8" => |cx, x: u8| { i64::from(x.count_ones()) }
    "Len8" => |cx, x: u8| { i64::from(8 - x.leading_zeros()) }
    "Reverse8" => |cx, x: u8| { x.reverse_bits() }
    "RotateLeft8" => |cx, x: u8, k: i64| { x.rotate_left((k & 7) as u32) }
    "LeadingZeros16" => |cx, x: u16| { i64::from(x.leading_zeros()) }
    "TrailingZeros16" => |cx, x: u16| { i64::from(x.trailing_zeros()) }
    "OnesCount16" => |cx, x: u16| { i64::from(x.count_ones()) }
    "Len16" => |cx, x: u16| { i64::from(16 - x.leading_zeros()) }
    "Reverse16" => |cx, x: u16| { x.reverse_bits() }
    "ReverseBytes16" => |cx, x: u16| { x.swap_bytes() }
    "RotateLeft16" => |cx, x: u16, k: i64| { x.rotate_left((k & 15) as u32) }
    "LeadingZeros32" => |cx, x: u32| { i64::from(x.leading_zeros()) }
    "TrailingZeros32" => |cx, x: u32| { i64::from(x.trailing_zeros()) }
    "OnesCount32" => |cx, x: u32| { i64::from(x.count_ones()) }
    "Len32" => |cx, x: u32| { i64::from(32 - x.leading_zeros()) }
    "Reverse32" => |cx, x: u32| { x.reverse_bits() }
    "ReverseBytes32" => |cx, x: u32| { x.swap_bytes() }
    "RotateLeft32" => |cx, x: u32, k: i64| { x.rotate_left((k & 31) as u32) }
    "LeadingZeros64" => |cx, x: u64| { i64::from(x.leading_zeros()) }
    "TrailingZeros64" => |cx, x: u64| { i64::from(x.trailing_zeros()) }
    "OnesCount64" => |cx, x: u64| { i64::from(x.count_ones()) }
    "Len64" => |cx, x: u64| { i64::from(64 - x.leading_zeros()) }
    "Reverse64" => |cx, x: u64| { x.reverse_bits() }
    "ReverseBytes64" => |cx, x: u64| { x.swap_bytes() }
    "RotateLeft64" => |cx, x: u64, k: i64| { x.rotate_left((k & 63) as u32) }
    "Add" => |cx, x: u64, y: u64, carry: u64| {
        let sum = u128::from(x) + u128::from(y) + u128::from(carry);
        (sum as u64, ((sum >> 64) & 1) as u64)
    }
    "Sub" => |cx, x: u64, y: u64, borrow: u64| {
        let diff = x.wrapping_sub(y).wrapping_sub(borrow);
        (diff, ((!x & y) | (!(x ^ y) & diff)) >> 63)
    }
    "Mul" => |cx, x: u64, y: u64| {
        let product = u128::from(x) * u128::from(y);
        ((product >> 64) as u64, product as u64)
    }
    "Div" => |cx, hi: u64, lo: u64, y: u64| {
        if y == 0 {
            return cx.runtime_error("integer divide by zero");
        }
        if y <= hi {
            return cx.runtime_error("integer overflow");
        }
        let x = (u128::from(hi) << 64) | u128::from(lo);
        Res::Ok(((x / u128::from(y)) as u64, (x % u128::from(y)) as u64))
    }
    "Rem" => |cx, hi: u64, lo: u64, y: u64| {
        if y == 0 {
            return cx.runtime_error("integer divide by zero");
        }
        let x = (u128::from(hi) << 64) | u128::from(lo);
        Res::Ok((x % u128::from(y)) as u64)
    }
    "Add32" => |cx, x: u32, y: u32, carry: u32| {
        let sum = u64::from(x) + u64::from(y) + u64::from(carry);
        (sum as u32, ((sum >> 32) & 1) as u32)
    }
    "Sub32" => |cx, x: u32, y: u32, borrow: u32| {
        let diff = x.wrapping_sub(y).wrapping_sub(borrow);
        (diff, ((!x & y) | (!(x ^ y) & diff)) >> 31)
    }
    "Mul32" => |cx, x: u32, y: u32| {
        let product = u64::from(x) * u64::from(y);
        ((product >> 32) as u32, product as u32)
    }
    "Div32" => |cx, hi: u32, lo: u32, y: u32| {
        if y == 0 {
            return cx.runtime_error("integer divide by zero");
        }
        if y <= hi {
            return cx.runtime_error("integer overflow");
        }
        let x = (u64::from(hi) << 32) | u64::from(lo);
        Res::Ok(((x / u64::from(y)) as u32, (x % u64::from(y)) as u32))
    }
    "Rem32" => |cx, hi: u32, lo: u32, y: u32| {
        if y == 0 {
            return cx.runtime_error("integer divide by zero");
        }
        let x = (u64::from(hi) << 32) | u64::from(lo);
        Res::Ok((x % u64::from(y)) as u32)
    }
    "Add64" => |cx, x: u64, y: u64, carry: u64| {
        let sum = u128::from(x) + u128::from(y) + u128::from(carry);
        (sum as u64, ((sum >> 64) & 1) as u64)
    }
    "Sub64" => |cx, x: u64, y: u64, borrow: u64| {
        let diff = x.wrapping_sub(y).wrapping_sub(borrow);
        (diff, ((!x & y) | (!(x ^ y) & diff)) >> 63)
    }
    "Mul64" => |cx, x: u64, y: u64| {
        let product = u128::from(x) * u128::from(y);
        ((product >> 64) as u64, product as u64)
    }
    "Div64" => |cx, hi: u64, lo: u64, y: u64| {
        if y == 0 {
            return cx.runtime_error("integer divide by zero");
        }
        if y <= hi {
            return cx.runtime_error("integer overflow");
        }
        let x = (u128::from(hi) << 64) | u128::from(lo);
        Res::Ok(((x / u128::from(y)) as u64, (x % u128::from(y)) as u64))
    }
    "Rem64" => |cx, hi: u64, lo: u64, y: u64| {
        if y == 0 {
            return cx.runtime_error("integer divide by zero");
        }
        let x = (u128::from(hi) << 64) | u128::from(lo);
        Res::Ok((x % u128::from(y)) as u64)
    }
}
