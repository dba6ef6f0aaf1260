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
    "func AddInt32(addr *int32, delta int32) (new int32)" => |cx, p: Ptr, d: i32| { i32::add(p, d) }
    "func AndInt32(addr *int32, mask int32) (old int32)" => |cx, p: Ptr, m: i32| { i32::and(p, m) }
    "func OrInt32(addr *int32, mask int32) (old int32)" => |cx, p: Ptr, m: i32| { i32::or(p, m) }
    "func CompareAndSwapInt32(addr *int32, old, new int32) (swapped bool)" =>
    |cx, p: Ptr, old: i32, new: i32| {
        i32::cas(p, old, new)
    }
    "func LoadInt32(addr *int32) (val int32)" => |cx, p: Ptr| { i32::load(p) }
    "func StoreInt32(addr *int32, val int32)" => |cx, p: Ptr, v: i32| { i32::store(p, v) }
    "func SwapInt32(addr *int32, new int32) (old int32)" => |cx, p: Ptr, v: i32| { i32::swap(p, v) }
    "func (x *Int32) Add(delta int32) (new int32)" => |cx, p: Ptr, d: i32| { i32::add(p, d) }
    "func (x *Int32) And(mask int32) (old int32)" => called |cx, p: Ptr, m: i32| { i32::and(p, m) }
    "func (x *Int32) Or(mask int32) (old int32)" => called |cx, p: Ptr, m: i32| { i32::or(p, m) }
    "func (x *Int32) CompareAndSwap(old, new int32) (swapped bool)" =>
    |cx, p: Ptr, old: i32, new: i32| {
        i32::cas(p, old, new)
    }
    "func (x *Int32) Load() int32" => |cx, p: Ptr| { i32::load(p) }
    "func (x *Int32) Store(val int32)" => |cx, p: Ptr, v: i32| { i32::store(p, v) }
    "func (x *Int32) Swap(new int32) (old int32)" => |cx, p: Ptr, v: i32| { i32::swap(p, v) }
    "func AddInt64(addr *int64, delta int64) (new int64)" => |cx, p: Ptr, d: i64| { i64::add(p, d) }
    "func AndInt64(addr *int64, mask int64) (old int64)" => |cx, p: Ptr, m: i64| { i64::and(p, m) }
    "func OrInt64(addr *int64, mask int64) (old int64)" => |cx, p: Ptr, m: i64| { i64::or(p, m) }
    "func CompareAndSwapInt64(addr *int64, old, new int64) (swapped bool)" =>
    |cx, p: Ptr, old: i64, new: i64| {
        i64::cas(p, old, new)
    }
    "func LoadInt64(addr *int64) (val int64)" => |cx, p: Ptr| { i64::load(p) }
    "func StoreInt64(addr *int64, val int64)" => |cx, p: Ptr, v: i64| { i64::store(p, v) }
    "func SwapInt64(addr *int64, new int64) (old int64)" => |cx, p: Ptr, v: i64| { i64::swap(p, v) }
    "func (x *Int64) Add(delta int64) (new int64)" => |cx, p: Ptr, d: i64| { i64::add(p, d) }
    "func (x *Int64) And(mask int64) (old int64)" => called |cx, p: Ptr, m: i64| { i64::and(p, m) }
    "func (x *Int64) Or(mask int64) (old int64)" => called |cx, p: Ptr, m: i64| { i64::or(p, m) }
    "func (x *Int64) CompareAndSwap(old, new int64) (swapped bool)" =>
    |cx, p: Ptr, old: i64, new: i64| {
        i64::cas(p, old, new)
    }
    "func (x *Int64) Load() int64" => |cx, p: Ptr| { i64::load(p) }
    "func (x *Int64) Store(val int64)" => |cx, p: Ptr, v: i64| { i64::store(p, v) }
    "func (x *Int64) Swap(new int64) (old int64)" => |cx, p: Ptr, v: i64| { i64::swap(p, v) }
    "func AddUint32(addr *uint32, delta uint32) (new uint32)" => |cx, p: Ptr, d: u32| {
        u32::add(p, d)
    }
    "func AndUint32(addr *uint32, mask uint32) (old uint32)" => |cx, p: Ptr, m: u32| {
        u32::and(p, m)
    }
    "func OrUint32(addr *uint32, mask uint32) (old uint32)" => |cx, p: Ptr, m: u32| {
        u32::or(p, m)
    }
    "func CompareAndSwapUint32(addr *uint32, old, new uint32) (swapped bool)" =>
    |cx, p: Ptr, old: u32, new: u32| {
        u32::cas(p, old, new)
    }
    "func LoadUint32(addr *uint32) (val uint32)" => |cx, p: Ptr| { u32::load(p) }
    "func StoreUint32(addr *uint32, val uint32)" => |cx, p: Ptr, v: u32| { u32::store(p, v) }
    "func SwapUint32(addr *uint32, new uint32) (old uint32)" => |cx, p: Ptr, v: u32| {
        u32::swap(p, v)
    }
    "func (x *Uint32) Add(delta uint32) (new uint32)" => |cx, p: Ptr, d: u32| { u32::add(p, d) }
    "func (x *Uint32) And(mask uint32) (old uint32)" => called |cx, p: Ptr, m: u32| {
        u32::and(p, m)
    }
    "func (x *Uint32) Or(mask uint32) (old uint32)" => called |cx, p: Ptr, m: u32| { u32::or(p, m) }
    "func (x *Uint32) CompareAndSwap(old, new uint32) (swapped bool)" =>
    |cx, p: Ptr, old: u32, new: u32| {
        u32::cas(p, old, new)
    }
    "func (x *Uint32) Load() uint32" => |cx, p: Ptr| { u32::load(p) }
    "func (x *Uint32) Store(val uint32)" => |cx, p: Ptr, v: u32| { u32::store(p, v) }
    "func (x *Uint32) Swap(new uint32) (old uint32)" => |cx, p: Ptr, v: u32| { u32::swap(p, v) }
    "func AddUint64(addr *uint64, delta uint64) (new uint64)" => |cx, p: Ptr, d: u64| {
        u64::add(p, d)
    }
    "func AndUint64(addr *uint64, mask uint64) (old uint64)" => |cx, p: Ptr, m: u64| {
        u64::and(p, m)
    }
    "func OrUint64(addr *uint64, mask uint64) (old uint64)" => |cx, p: Ptr, m: u64| {
        u64::or(p, m)
    }
    "func CompareAndSwapUint64(addr *uint64, old, new uint64) (swapped bool)" =>
    |cx, p: Ptr, old: u64, new: u64| {
        u64::cas(p, old, new)
    }
    "func LoadUint64(addr *uint64) (val uint64)" => |cx, p: Ptr| { u64::load(p) }
    "func StoreUint64(addr *uint64, val uint64)" => |cx, p: Ptr, v: u64| { u64::store(p, v) }
    "func SwapUint64(addr *uint64, new uint64) (old uint64)" => |cx, p: Ptr, v: u64| {
        u64::swap(p, v)
    }
    "func (x *Uint64) Add(delta uint64) (new uint64)" => |cx, p: Ptr, d: u64| { u64::add(p, d) }
    "func (x *Uint64) And(mask uint64) (old uint64)" => called |cx, p: Ptr, m: u64| {
        u64::and(p, m)
    }
    "func (x *Uint64) Or(mask uint64) (old uint64)" => called |cx, p: Ptr, m: u64| { u64::or(p, m) }
    "func (x *Uint64) CompareAndSwap(old, new uint64) (swapped bool)" =>
    |cx, p: Ptr, old: u64, new: u64| {
        u64::cas(p, old, new)
    }
    "func (x *Uint64) Load() uint64" => |cx, p: Ptr| { u64::load(p) }
    "func (x *Uint64) Store(val uint64)" => |cx, p: Ptr, v: u64| { u64::store(p, v) }
    "func (x *Uint64) Swap(new uint64) (old uint64)" => |cx, p: Ptr, v: u64| { u64::swap(p, v) }
    "func AddUintptr(addr *uintptr, delta uintptr) (new uintptr)" => |cx, p: Ptr, d: u64| {
        u64::add(p, d)
    }
    "func AndUintptr(addr *uintptr, mask uintptr) (old uintptr)" => |cx, p: Ptr, m: u64| {
        u64::and(p, m)
    }
    "func OrUintptr(addr *uintptr, mask uintptr) (old uintptr)" => |cx, p: Ptr, m: u64| {
        u64::or(p, m)
    }
    "func CompareAndSwapUintptr(addr *uintptr, old, new uintptr) (swapped bool)" =>
    |cx, p: Ptr, old: u64, new: u64| {
        u64::cas(p, old, new)
    }
    "func LoadUintptr(addr *uintptr) (val uintptr)" => |cx, p: Ptr| { u64::load(p) }
    "func StoreUintptr(addr *uintptr, val uintptr)" => |cx, p: Ptr, v: u64| { u64::store(p, v) }
    "func SwapUintptr(addr *uintptr, new uintptr) (old uintptr)" => |cx, p: Ptr, v: u64| {
        u64::swap(p, v)
    }
    "func (x *Uintptr) Add(delta uintptr) (new uintptr)" => |cx, p: Ptr, d: u64| { u64::add(p, d) }
    "func (x *Uintptr) And(mask uintptr) (old uintptr)" => called |cx, p: Ptr, m: u64| {
        u64::and(p, m)
    }
    "func (x *Uintptr) Or(mask uintptr) (old uintptr)" => called |cx, p: Ptr, m: u64| {
        u64::or(p, m)
    }
    "func (x *Uintptr) CompareAndSwap(old, new uintptr) (swapped bool)" =>
    |cx, p: Ptr, old: u64, new: u64| {
        u64::cas(p, old, new)
    }
    "func (x *Uintptr) Load() uintptr" => |cx, p: Ptr| { u64::load(p) }
    "func (x *Uintptr) Store(val uintptr)" => |cx, p: Ptr, v: u64| { u64::store(p, v) }
    "func (x *Uintptr) Swap(new uintptr) (old uintptr)" => |cx, p: Ptr, v: u64| { u64::swap(p, v) }
    "func CompareAndSwapPointer(addr *unsafe.Pointer, old, new unsafe.Pointer) (swapped bool)" =>
    called |cx, p: Ptr, old: u64, new: u64| {
        p.cas_pointer(old, new)
    }
    "func LoadPointer(addr *unsafe.Pointer) (val unsafe.Pointer)" => |cx, p: Ptr| {
        Res::Ok(p.a64(0)?.load(SeqCst))
    }
    "func StorePointer(addr *unsafe.Pointer, val unsafe.Pointer)" => called |cx, p: Ptr, v: u64| {
        p.swap_pointer(v)?;
        Res::Ok(())
    }
    "func SwapPointer(addr *unsafe.Pointer, new unsafe.Pointer) (old unsafe.Pointer)" =>
    called |cx, p: Ptr, v: u64| {
        p.swap_pointer(v)
    }
}
