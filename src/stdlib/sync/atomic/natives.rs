//! Package `sync/atomic`: every operation is sequentially consistent, as Go's memory model says.
//!
//! Go's compiler makes instructions of these functions, so no traceback shows them. It does so in
//! place but for those that store pointers, which have a write barrier to mind, and for the methods
//! And and Or, which it calls.
//!
//! Go: sync/atomic; runtime/internal/atomic.

use std::sync::atomic::Ordering::SeqCst;

use vm::native::{Ptr, Res};

/// The operations on a number in memory. They fail as a nil dereference does if `p` is nil.
trait Number: Sized {
    fn add(p: Ptr, delta: Self) -> Res<Self>;
    fn and(p: Ptr, mask: Self) -> Res<Self>;
    fn or(p: Ptr, mask: Self) -> Res<Self>;
    fn cas(p: Ptr, old: Self, new: Self) -> Res<bool>;
    fn load(p: Ptr) -> Res<Self>;
    fn store(p: Ptr, v: Self) -> Res<()>;
    fn swap(p: Ptr, v: Self) -> Res<Self>;
}

/// Implements [`Number`] for a type by the words of its size, which `Ptr::$at` finds.
macro_rules! number {
    ($ty:ty, $word:ty, $at:ident) => {
        impl Number for $ty {
            #[inline]
            fn add(p: Ptr, delta: $ty) -> Res<$ty> {
                let delta = delta as $word;
                Ok(p.$at(0)?.fetch_add(delta, SeqCst).wrapping_add(delta) as $ty)
            }
            #[inline]
            fn and(p: Ptr, mask: $ty) -> Res<$ty> {
                Ok(p.$at(0)?.fetch_and(mask as $word, SeqCst) as $ty)
            }
            #[inline]
            fn or(p: Ptr, mask: $ty) -> Res<$ty> {
                Ok(p.$at(0)?.fetch_or(mask as $word, SeqCst) as $ty)
            }
            #[inline]
            fn cas(p: Ptr, old: $ty, new: $ty) -> Res<bool> {
                let word = p.$at(0)?;
                Ok(word
                    .compare_exchange(old as $word, new as $word, SeqCst, SeqCst)
                    .is_ok())
            }
            #[inline]
            fn load(p: Ptr) -> Res<$ty> {
                Ok(p.$at(0)?.load(SeqCst) as $ty)
            }
            #[inline]
            fn store(p: Ptr, v: $ty) -> Res<()> {
                p.$at(0)?.store(v as $word, SeqCst);
                Ok(())
            }
            #[inline]
            fn swap(p: Ptr, v: $ty) -> Res<$ty> {
                Ok(p.$at(0)?.swap(v as $word, SeqCst) as $ty)
            }
        }
    };
}
number!(i32, u32, a32);
number!(u32, u32, a32);
number!(i64, u64, a64);
number!(u64, u64, a64);

natives! { all hidden in_place;
    "AddInt32" => |cx, p: Ptr, d: i32| { i32::add(p, d) }
    "AndInt32" => |cx, p: Ptr, m: i32| { i32::and(p, m) }
    "OrInt32" => |cx, p: Ptr, m: i32| { i32::or(p, m) }
    "CompareAndSwapInt32" => |cx, p: Ptr, old: i32, new: i32| { i32::cas(p, old, new) }
    "LoadInt32" => |cx, p: Ptr| { i32::load(p) }
    "StoreInt32" => |cx, p: Ptr, v: i32| { i32::store(p, v) }
    "SwapInt32" => |cx, p: Ptr, v: i32| { i32::swap(p, v) }
    "(*Int32).Add" => |cx, p: Ptr, d: i32| { i32::add(p, d) }
    "(*Int32).And" => called |cx, p: Ptr, m: i32| { i32::and(p, m) }
    "(*Int32).Or" => called |cx, p: Ptr, m: i32| { i32::or(p, m) }
    "(*Int32).CompareAndSwap" => |cx, p: Ptr, old: i32, new: i32| { i32::cas(p, old, new) }
    "(*Int32).Load" => |cx, p: Ptr| { i32::load(p) }
    "(*Int32).Store" => |cx, p: Ptr, v: i32| { i32::store(p, v) }
    "(*Int32).Swap" => |cx, p: Ptr, v: i32| { i32::swap(p, v) }
    "AddInt64" => |cx, p: Ptr, d: i64| { i64::add(p, d) }
    "AndInt64" => |cx, p: Ptr, m: i64| { i64::and(p, m) }
    "OrInt64" => |cx, p: Ptr, m: i64| { i64::or(p, m) }
    "CompareAndSwapInt64" => |cx, p: Ptr, old: i64, new: i64| { i64::cas(p, old, new) }
    "LoadInt64" => |cx, p: Ptr| { i64::load(p) }
    "StoreInt64" => |cx, p: Ptr, v: i64| { i64::store(p, v) }
    "SwapInt64" => |cx, p: Ptr, v: i64| { i64::swap(p, v) }
    "(*Int64).Add" => |cx, p: Ptr, d: i64| { i64::add(p, d) }
    "(*Int64).And" => called |cx, p: Ptr, m: i64| { i64::and(p, m) }
    "(*Int64).Or" => called |cx, p: Ptr, m: i64| { i64::or(p, m) }
    "(*Int64).CompareAndSwap" => |cx, p: Ptr, old: i64, new: i64| { i64::cas(p, old, new) }
    "(*Int64).Load" => |cx, p: Ptr| { i64::load(p) }
    "(*Int64).Store" => |cx, p: Ptr, v: i64| { i64::store(p, v) }
    "(*Int64).Swap" => |cx, p: Ptr, v: i64| { i64::swap(p, v) }
    "AddUint32" => |cx, p: Ptr, d: u32| { u32::add(p, d) }
    "AndUint32" => |cx, p: Ptr, m: u32| { u32::and(p, m) }
    "OrUint32" => |cx, p: Ptr, m: u32| { u32::or(p, m) }
    "CompareAndSwapUint32" => |cx, p: Ptr, old: u32, new: u32| { u32::cas(p, old, new) }
    "LoadUint32" => |cx, p: Ptr| { u32::load(p) }
    "StoreUint32" => |cx, p: Ptr, v: u32| { u32::store(p, v) }
    "SwapUint32" => |cx, p: Ptr, v: u32| { u32::swap(p, v) }
    "(*Uint32).Add" => |cx, p: Ptr, d: u32| { u32::add(p, d) }
    "(*Uint32).And" => called |cx, p: Ptr, m: u32| { u32::and(p, m) }
    "(*Uint32).Or" => called |cx, p: Ptr, m: u32| { u32::or(p, m) }
    "(*Uint32).CompareAndSwap" => |cx, p: Ptr, old: u32, new: u32| { u32::cas(p, old, new) }
    "(*Uint32).Load" => |cx, p: Ptr| { u32::load(p) }
    "(*Uint32).Store" => |cx, p: Ptr, v: u32| { u32::store(p, v) }
    "(*Uint32).Swap" => |cx, p: Ptr, v: u32| { u32::swap(p, v) }
    "AddUint64" => |cx, p: Ptr, d: u64| { u64::add(p, d) }
    "AndUint64" => |cx, p: Ptr, m: u64| { u64::and(p, m) }
    "OrUint64" => |cx, p: Ptr, m: u64| { u64::or(p, m) }
    "CompareAndSwapUint64" => |cx, p: Ptr, old: u64, new: u64| { u64::cas(p, old, new) }
    "LoadUint64" => |cx, p: Ptr| { u64::load(p) }
    "StoreUint64" => |cx, p: Ptr, v: u64| { u64::store(p, v) }
    "SwapUint64" => |cx, p: Ptr, v: u64| { u64::swap(p, v) }
    "(*Uint64).Add" => |cx, p: Ptr, d: u64| { u64::add(p, d) }
    "(*Uint64).And" => called |cx, p: Ptr, m: u64| { u64::and(p, m) }
    "(*Uint64).Or" => called |cx, p: Ptr, m: u64| { u64::or(p, m) }
    "(*Uint64).CompareAndSwap" => |cx, p: Ptr, old: u64, new: u64| { u64::cas(p, old, new) }
    "(*Uint64).Load" => |cx, p: Ptr| { u64::load(p) }
    "(*Uint64).Store" => |cx, p: Ptr, v: u64| { u64::store(p, v) }
    "(*Uint64).Swap" => |cx, p: Ptr, v: u64| { u64::swap(p, v) }
    "AddUintptr" => |cx, p: Ptr, d: u64| { u64::add(p, d) }
    "AndUintptr" => |cx, p: Ptr, m: u64| { u64::and(p, m) }
    "OrUintptr" => |cx, p: Ptr, m: u64| { u64::or(p, m) }
    "CompareAndSwapUintptr" => |cx, p: Ptr, old: u64, new: u64| { u64::cas(p, old, new) }
    "LoadUintptr" => |cx, p: Ptr| { u64::load(p) }
    "StoreUintptr" => |cx, p: Ptr, v: u64| { u64::store(p, v) }
    "SwapUintptr" => |cx, p: Ptr, v: u64| { u64::swap(p, v) }
    "(*Uintptr).Add" => |cx, p: Ptr, d: u64| { u64::add(p, d) }
    "(*Uintptr).And" => called |cx, p: Ptr, m: u64| { u64::and(p, m) }
    "(*Uintptr).Or" => called |cx, p: Ptr, m: u64| { u64::or(p, m) }
    "(*Uintptr).CompareAndSwap" => |cx, p: Ptr, old: u64, new: u64| { u64::cas(p, old, new) }
    "(*Uintptr).Load" => |cx, p: Ptr| { u64::load(p) }
    "(*Uintptr).Store" => |cx, p: Ptr, v: u64| { u64::store(p, v) }
    "(*Uintptr).Swap" => |cx, p: Ptr, v: u64| { u64::swap(p, v) }
    "CompareAndSwapPointer" => called |cx, p: Ptr, old: u64, new: u64| { p.cas_pointer(old, new) }
    "LoadPointer" => |cx, p: Ptr| { Res::Ok(p.a64(0)?.load(SeqCst)) }
    "StorePointer" => called |cx, p: Ptr, v: u64| {
        p.swap_pointer(v)?;
        Res::Ok(())
    }
    "SwapPointer" => called |cx, p: Ptr, v: u64| { p.swap_pointer(v) }
}
