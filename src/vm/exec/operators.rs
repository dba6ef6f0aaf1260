#![allow(unsafe_code)]
//! Operators and conversions of Go as types and functions, for bodies that serve many opcodes.
//!
//! An [`Operator`] or a [`Relation`] is a type, so that a row of the table of
//! [`bodies`](super::bodies) can name it beside the opcode: `Plus<i32>` for `AddI32`,
//! `Less<f64>` for `JumpLtF64`. All of it is compiled in place.
//!
//! Go: cmd/compile/internal/ssa/_gen/AMD64.rules. Spec: Operators, Conversions.

use std::marker::PhantomData;

/// A value that fills one slot.
pub(super) trait Word: Copy {
    /// The value that a slot holds.
    fn of(slot: u64) -> Self;
    /// The slot that holds the value.
    fn word(self) -> u64;
}

/// A complex128: two slots.
pub(super) type C128 = [f64; 2];

/// A complex64: the halves of one slot.
pub(super) type C64 = [f32; 2];

macro_rules! words {
    ($($t:ty: |$slot:ident| $of:expr, |$v:ident| $word:expr;)*) => { $(
        impl Word for $t {
            #[inline(always)]
            fn of($slot: u64) -> $t {
                $of
            }
            #[inline(always)]
            fn word(self) -> u64 {
                let $v = self;
                $word
            }
        }
    )* };
}
words! {
    u64: |slot| slot, |v| v;
    i64: |slot| slot as i64, |v| v as u64;
    i32: |slot| slot as i32, |v| v as i64 as u64;
    u32: |slot| slot as u32, |v| u64::from(v);
    i16: |slot| slot as i16, |v| v as i64 as u64;
    u16: |slot| slot as u16, |v| u64::from(v);
    i8: |slot| slot as i8, |v| v as i64 as u64;
    u8: |slot| slot as u8, |v| u64::from(v);
    f64: |slot| f64::from_bits(slot), |v| v.to_bits();
    f32: |slot| f32::from_bits(slot as u32), |v| u64::from(v.to_bits());
    C64: |slot| [f32::from_bits(slot as u32), f32::from_bits((slot >> 32) as u32)],
        |v| u64::from(v[0].to_bits()) | u64::from(v[1].to_bits()) << 32;
}

/// An operator with two operands, on slots.
pub(super) trait Operator {
    fn apply(a: u64, b: u64) -> u64;
}

macro_rules! operators {
    ($(
        $(#[$doc:meta])*
        $name:ident($a:ident, $b:ident) { $( $($t:ty),+ => $value:expr; )+ }
    )*) => { $(
        $(#[$doc])*
        pub(super) struct $name<T>(PhantomData<T>);
        $( $(
            impl Operator for $name<$t> {
                #[inline(always)]
                fn apply(a: u64, b: u64) -> u64 {
                    let ($a, $b) = (<$t>::of(a), <$t>::of(b));
                    $value.word()
                }
            }
        )+ )+
    )* };
}
operators! {
    /// `a + b`.
    Plus(a, b) {
        u64, i32, u32, i16, u16, i8, u8 => a.wrapping_add(b);
        f64, f32 => (a + b);
    }
    /// `a - b`.
    Minus(a, b) {
        u64, i32, u32, i16, u16, i8, u8 => a.wrapping_sub(b);
        f64, f32 => (a - b);
    }
    /// `a * b`.
    Times(a, b) {
        u64, i32, u32, i16, u16, i8, u8 => a.wrapping_mul(b);
        f64, f32 => (a * b);
    }
    /// `a / b`.
    Over(a, b) {
        f64, f32 => (a / b);
    }
    /// `a & b`.
    And(a, b) {
        u64 => (a & b);
    }
    /// `a | b`.
    Or(a, b) {
        u64 => (a | b);
    }
    /// `a ^ b`.
    Xor(a, b) {
        u64 => (a ^ b);
    }
    /// `a &^ b`.
    AndNot(a, b) {
        u64 => (a & !b);
    }
    /// `min(a, b)`.
    Least(a, b) {
        i64, u64 => a.min(b);
        f64 => min_f64(a, b);
        f32 => min_f32(a, b);
    }
    /// `max(a, b)`.
    Greatest(a, b) {
        i64, u64 => a.max(b);
        f64 => max_f64(a, b);
        f32 => max_f32(a, b);
    }
}

/// A comparison.
pub(super) trait Relation {
    /// What it compares.
    type Of;
    fn holds(a: Self::Of, b: Self::Of) -> bool;
}

macro_rules! relations {
    ($( $(#[$doc:meta])* $name:ident($a:ident, $b:ident) = $holds:expr; )*) => { $(
        $(#[$doc])*
        pub(super) struct $name<T>(PhantomData<T>);
        impl<T: PartialOrd> Relation for $name<T> {
            type Of = T;
            #[inline(always)]
            #[allow(clippy::neg_cmp_op_on_partial_ord, reason = "beside NaN it is not `>=`")]
            fn holds($a: T, $b: T) -> bool {
                $holds
            }
        }
    )* };
}
relations! {
    /// `a == b`.
    Equal(a, b) = a == b;
    /// `a != b`.
    Unequal(a, b) = a != b;
    /// `a < b`.
    Less(a, b) = a < b;
    /// `a <= b`.
    AtMost(a, b) = a <= b;
    /// `a > b`.
    Greater(a, b) = a > b;
    /// `a >= b`.
    AtLeast(a, b) = a >= b;
    /// `!(a < b)`, which holds beside NaN.
    NotLess(a, b) = !(a < b);
    /// `!(a <= b)`, which holds beside NaN.
    NotAtMost(a, b) = !(a <= b);
}

/// As the machine converts: what an int64 cannot hold is its smallest value.
#[inline(always)]
pub(super) fn f64_to_i64(x: f64) -> i64 {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    {
        use std::arch::x86_64::*;
        // SAFETY: SSE2 is part of x86-64.
        unsafe { _mm_cvttsd_si64(_mm_set_sd(x)) }
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    {
        if (-9223372036854775808.0..9223372036854775808.0).contains(&x) {
            x as i64
        } else {
            i64::MIN
        }
    }
}

/// As [`f64_to_i64`].
#[inline(always)]
pub(super) fn f64_to_i32(x: f64) -> i32 {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    {
        use std::arch::x86_64::*;
        // SAFETY: SSE2 is part of x86-64.
        unsafe { _mm_cvttsd_si32(_mm_set_sd(x)) }
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    {
        if x > -2147483649.0 && x < 2147483648.0 {
            x as i32
        } else {
            i32::MIN
        }
    }
}

/// What an int64 cannot hold is converted by way of its difference to 2⁶³.
#[inline(always)]
pub(super) fn f64_to_u64(x: f64) -> u64 {
    let low = f64_to_i64(x);
    let high = f64_to_i64(x - 9223372036854775808.0);
    (low | (high & (low >> 63))) as u64
}

macro_rules! min_max {
    ($($min:ident $max:ident $t:ident;)*) => { $(
        #[inline(always)]
        fn $min(a: $t, b: $t) -> $t {
            if a.is_nan() || b.is_nan() {
                $t::NAN
            } else if a == b {
                // Zeros of different sign: the negative one is smaller.
                $t::from_bits(a.to_bits() | b.to_bits())
            } else if a < b {
                a
            } else {
                b
            }
        }
        #[inline(always)]
        fn $max(a: $t, b: $t) -> $t {
            if a.is_nan() || b.is_nan() {
                $t::NAN
            } else if a == b {
                $t::from_bits(a.to_bits() & b.to_bits())
            } else if a > b {
                a
            } else {
                b
            }
        }
    )* };
}
min_max! {
    min_f64 max_f64 f64;
    min_f32 max_f32 f32;
}

#[inline(always)]
pub(super) fn mul_c128(a: C128, b: C128) -> C128 {
    [a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]]
}

/// In double precision, rounded once, as the code of Go's compiler computes it.
#[inline(always)]
pub(super) fn mul_c64(a: C64, b: C64) -> C64 {
    mul_c128(a.map(f64::from), b.map(f64::from)).map(|x| x as f32)
}
