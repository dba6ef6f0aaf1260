//! Package `sync/atomic`: every operation is sequentially consistent, as Go's memory model says.
//!
//! Go's compiler makes instructions of these functions, so no traceback shows them. It does so in
//! place but for those that store pointers, which have a write barrier to mind, and for the methods
//! And and Or, which it calls.
//!
//! Go: sync/atomic; runtime/internal/atomic.

use std::sync::atomic::Ordering::SeqCst;
use std::sync::atomic::{AtomicU32, AtomicU64};

use vm::native::{PointerCell, Ptr, PtrTo, Res};

type Ptr32 = PtrTo<AtomicU32>;
type Ptr64 = PtrTo<AtomicU64>;

/// The operations on a number in memory. They fail as a nil dereference does if `p` is nil.
trait Number: Sized {
    /// The word of memory that it is.
    type Word;

    fn add(p: PtrTo<Self::Word>, delta: Self) -> Res<Self>;
    fn and(p: PtrTo<Self::Word>, mask: Self) -> Res<Self>;
    fn or(p: PtrTo<Self::Word>, mask: Self) -> Res<Self>;
    fn cas(p: PtrTo<Self::Word>, old: Self, new: Self) -> Res<bool>;
    fn load(p: PtrTo<Self::Word>) -> Res<Self>;
    fn store(p: PtrTo<Self::Word>, v: Self) -> Res<()>;
    fn swap(p: PtrTo<Self::Word>, v: Self) -> Res<Self>;
}

/// Implements [`Number`] for a type by the atomic words of its size.
macro_rules! number {
    ($ty:ty, $word:ty, $atomic:ty) => {
        impl Number for $ty {
            type Word = $atomic;
            #[inline]
            fn add(p: PtrTo<Self::Word>, delta: $ty) -> Res<$ty> {
                let delta = delta as $word;
                Ok(p.get()?.fetch_add(delta, SeqCst).wrapping_add(delta) as $ty)
            }
            #[inline]
            fn and(p: PtrTo<Self::Word>, mask: $ty) -> Res<$ty> {
                Ok(p.get()?.fetch_and(mask as $word, SeqCst) as $ty)
            }
            #[inline]
            fn or(p: PtrTo<Self::Word>, mask: $ty) -> Res<$ty> {
                Ok(p.get()?.fetch_or(mask as $word, SeqCst) as $ty)
            }
            #[inline]
            fn cas(p: PtrTo<Self::Word>, old: $ty, new: $ty) -> Res<bool> {
                let word = p.get()?;
                Ok(word
                    .compare_exchange(old as $word, new as $word, SeqCst, SeqCst)
                    .is_ok())
            }
            #[inline]
            fn load(p: PtrTo<Self::Word>) -> Res<$ty> {
                Ok(p.get()?.load(SeqCst) as $ty)
            }
            #[inline]
            fn store(p: PtrTo<Self::Word>, v: $ty) -> Res<()> {
                p.get()?.store(v as $word, SeqCst);
                Ok(())
            }
            #[inline]
            fn swap(p: PtrTo<Self::Word>, v: $ty) -> Res<$ty> {
                Ok(p.get()?.swap(v as $word, SeqCst) as $ty)
            }
        }
    };
}
number!(i32, u32, AtomicU32);
number!(u32, u32, AtomicU32);
number!(i64, u64, AtomicU64);
number!(u64, u64, AtomicU64);

natives! { all hidden in_place untouched point(Update);
    "AddInt32" => |cx, p: Ptr32, d: i32| { i32::add(p, d) }
    "AndInt32" => |cx, p: Ptr32, m: i32| { i32::and(p, m) }
    "OrInt32" => |cx, p: Ptr32, m: i32| { i32::or(p, m) }
    "CompareAndSwapInt32" => |cx, p: Ptr32, old: i32, new: i32| { i32::cas(p, old, new) }
    "LoadInt32" => point(Load) |cx, p: Ptr32| { i32::load(p) }
    "StoreInt32" => point(Store) |cx, p: Ptr32, v: i32| { i32::store(p, v) }
    "SwapInt32" => |cx, p: Ptr32, v: i32| { i32::swap(p, v) }
    "(*Int32).Add" => |cx, p: Ptr32, d: i32| { i32::add(p, d) }
    "(*Int32).And" => called |cx, p: Ptr32, m: i32| { i32::and(p, m) }
    "(*Int32).Or" => called |cx, p: Ptr32, m: i32| { i32::or(p, m) }
    "(*Int32).CompareAndSwap" => |cx, p: Ptr32, old: i32, new: i32| { i32::cas(p, old, new) }
    "(*Int32).Load" => point(Load) |cx, p: Ptr32| { i32::load(p) }
    "(*Int32).Store" => point(Store) |cx, p: Ptr32, v: i32| { i32::store(p, v) }
    "(*Int32).Swap" => |cx, p: Ptr32, v: i32| { i32::swap(p, v) }
    "AddInt64" => |cx, p: Ptr64, d: i64| { i64::add(p, d) }
    "AndInt64" => |cx, p: Ptr64, m: i64| { i64::and(p, m) }
    "OrInt64" => |cx, p: Ptr64, m: i64| { i64::or(p, m) }
    "CompareAndSwapInt64" => |cx, p: Ptr64, old: i64, new: i64| { i64::cas(p, old, new) }
    "LoadInt64" => point(Load) |cx, p: Ptr64| { i64::load(p) }
    "StoreInt64" => point(Store) |cx, p: Ptr64, v: i64| { i64::store(p, v) }
    "SwapInt64" => |cx, p: Ptr64, v: i64| { i64::swap(p, v) }
    "(*Int64).Add" => |cx, p: Ptr64, d: i64| { i64::add(p, d) }
    "(*Int64).And" => called |cx, p: Ptr64, m: i64| { i64::and(p, m) }
    "(*Int64).Or" => called |cx, p: Ptr64, m: i64| { i64::or(p, m) }
    "(*Int64).CompareAndSwap" => |cx, p: Ptr64, old: i64, new: i64| { i64::cas(p, old, new) }
    "(*Int64).Load" => point(Load) |cx, p: Ptr64| { i64::load(p) }
    "(*Int64).Store" => point(Store) |cx, p: Ptr64, v: i64| { i64::store(p, v) }
    "(*Int64).Swap" => |cx, p: Ptr64, v: i64| { i64::swap(p, v) }
    "AddUint32" => |cx, p: Ptr32, d: u32| { u32::add(p, d) }
    "AndUint32" => |cx, p: Ptr32, m: u32| { u32::and(p, m) }
    "OrUint32" => |cx, p: Ptr32, m: u32| { u32::or(p, m) }
    "CompareAndSwapUint32" => |cx, p: Ptr32, old: u32, new: u32| { u32::cas(p, old, new) }
    "LoadUint32" => point(Load) |cx, p: Ptr32| { u32::load(p) }
    "StoreUint32" => point(Store) |cx, p: Ptr32, v: u32| { u32::store(p, v) }
    "SwapUint32" => |cx, p: Ptr32, v: u32| { u32::swap(p, v) }
    "(*Uint32).Add" => |cx, p: Ptr32, d: u32| { u32::add(p, d) }
    "(*Uint32).And" => called |cx, p: Ptr32, m: u32| { u32::and(p, m) }
    "(*Uint32).Or" => called |cx, p: Ptr32, m: u32| { u32::or(p, m) }
    "(*Uint32).CompareAndSwap" => |cx, p: Ptr32, old: u32, new: u32| { u32::cas(p, old, new) }
    "(*Uint32).Load" => point(Load) |cx, p: Ptr32| { u32::load(p) }
    "(*Uint32).Store" => point(Store) |cx, p: Ptr32, v: u32| { u32::store(p, v) }
    "(*Uint32).Swap" => |cx, p: Ptr32, v: u32| { u32::swap(p, v) }
    "AddUint64" => |cx, p: Ptr64, d: u64| { u64::add(p, d) }
    "AndUint64" => |cx, p: Ptr64, m: u64| { u64::and(p, m) }
    "OrUint64" => |cx, p: Ptr64, m: u64| { u64::or(p, m) }
    "CompareAndSwapUint64" => |cx, p: Ptr64, old: u64, new: u64| { u64::cas(p, old, new) }
    "LoadUint64" => point(Load) |cx, p: Ptr64| { u64::load(p) }
    "StoreUint64" => point(Store) |cx, p: Ptr64, v: u64| { u64::store(p, v) }
    "SwapUint64" => |cx, p: Ptr64, v: u64| { u64::swap(p, v) }
    "(*Uint64).Add" => |cx, p: Ptr64, d: u64| { u64::add(p, d) }
    "(*Uint64).And" => called |cx, p: Ptr64, m: u64| { u64::and(p, m) }
    "(*Uint64).Or" => called |cx, p: Ptr64, m: u64| { u64::or(p, m) }
    "(*Uint64).CompareAndSwap" => |cx, p: Ptr64, old: u64, new: u64| { u64::cas(p, old, new) }
    "(*Uint64).Load" => point(Load) |cx, p: Ptr64| { u64::load(p) }
    "(*Uint64).Store" => point(Store) |cx, p: Ptr64, v: u64| { u64::store(p, v) }
    "(*Uint64).Swap" => |cx, p: Ptr64, v: u64| { u64::swap(p, v) }
    "AddUintptr" => |cx, p: Ptr64, d: u64| { u64::add(p, d) }
    "AndUintptr" => |cx, p: Ptr64, m: u64| { u64::and(p, m) }
    "OrUintptr" => |cx, p: Ptr64, m: u64| { u64::or(p, m) }
    "CompareAndSwapUintptr" => |cx, p: Ptr64, old: u64, new: u64| { u64::cas(p, old, new) }
    "LoadUintptr" => point(Load) |cx, p: Ptr64| { u64::load(p) }
    "StoreUintptr" => point(Store) |cx, p: Ptr64, v: u64| { u64::store(p, v) }
    "SwapUintptr" => |cx, p: Ptr64, v: u64| { u64::swap(p, v) }
    "(*Uintptr).Add" => |cx, p: Ptr64, d: u64| { u64::add(p, d) }
    "(*Uintptr).And" => called |cx, p: Ptr64, m: u64| { u64::and(p, m) }
    "(*Uintptr).Or" => called |cx, p: Ptr64, m: u64| { u64::or(p, m) }
    "(*Uintptr).CompareAndSwap" => |cx, p: Ptr64, old: u64, new: u64| { u64::cas(p, old, new) }
    "(*Uintptr).Load" => point(Load) |cx, p: Ptr64| { u64::load(p) }
    "(*Uintptr).Store" => point(Store) |cx, p: Ptr64, v: u64| { u64::store(p, v) }
    "(*Uintptr).Swap" => |cx, p: Ptr64, v: u64| { u64::swap(p, v) }
    "CompareAndSwapPointer" => called |cx, p: PtrTo<PointerCell>, old: Ptr, new: Ptr| {
        Res::Ok(p.get()?.compare_and_swap(old, new))
    }
    "LoadPointer" => point(Load) |cx, p: PtrTo<PointerCell>| { Res::Ok(p.get()?.load()) }
    "StorePointer" => called point(Store) |cx, p: PtrTo<PointerCell>, v: Ptr| {
        p.get()?.swap(v);
        Res::Ok(())
    }
    "SwapPointer" => called |cx, p: PtrTo<PointerCell>, v: Ptr| { Res::Ok(p.get()?.swap(v)) }
}
