//! Package `sync/atomic`: every operation is sequentially consistent, as Go's memory model says.
//!
//! Go: sync/atomic; runtime/internal/atomic.

use std::sync::atomic::Ordering::SeqCst;

use crate::vm::native::{Ptr, Res};

package! { "sync/atomic", ["atomic.go", "atomic_pointer.go"];
    "func AddInt32(addr *int32, delta int32) (new int32)" => |cx, p: Ptr, d: i32| { let w = d as u32; Res::Ok(p.a32(0)?.fetch_add(w, SeqCst).wrapping_add(w) as i32) }
    "func AndInt32(addr *int32, mask int32) (old int32)" => |cx, p: Ptr, m: i32| { Res::Ok(p.a32(0)?.fetch_and(m as u32, SeqCst) as i32) }
    "func OrInt32(addr *int32, mask int32) (old int32)" => |cx, p: Ptr, m: i32| { Res::Ok(p.a32(0)?.fetch_or(m as u32, SeqCst) as i32) }
    "func CompareAndSwapInt32(addr *int32, old, new int32) (swapped bool)" => |cx, p: Ptr, old: i32, new: i32| { Res::Ok(p.a32(0)?.compare_exchange(old as u32, new as u32, SeqCst, SeqCst).is_ok()) }
    "func LoadInt32(addr *int32) (val int32)" => |cx, p: Ptr| { Res::Ok(p.a32(0)?.load(SeqCst) as i32) }
    "func StoreInt32(addr *int32, val int32)" => |cx, p: Ptr, v: i32| { p.a32(0)?.store(v as u32, SeqCst); Res::Ok(()) }
    "func SwapInt32(addr *int32, new int32) (old int32)" => |cx, p: Ptr, v: i32| { Res::Ok(p.a32(0)?.swap(v as u32, SeqCst) as i32) }
    "func (x *Int32) Add(delta int32) (new int32)" => |cx, p: Ptr, d: i32| { let w = d as u32; Res::Ok(p.a32(0)?.fetch_add(w, SeqCst).wrapping_add(w) as i32) }
    "func (x *Int32) And(mask int32) (old int32)" => |cx, p: Ptr, m: i32| { Res::Ok(p.a32(0)?.fetch_and(m as u32, SeqCst) as i32) }
    "func (x *Int32) Or(mask int32) (old int32)" => |cx, p: Ptr, m: i32| { Res::Ok(p.a32(0)?.fetch_or(m as u32, SeqCst) as i32) }
    "func (x *Int32) CompareAndSwap(old, new int32) (swapped bool)" => |cx, p: Ptr, old: i32, new: i32| { Res::Ok(p.a32(0)?.compare_exchange(old as u32, new as u32, SeqCst, SeqCst).is_ok()) }
    "func (x *Int32) Load() int32" => |cx, p: Ptr| { Res::Ok(p.a32(0)?.load(SeqCst) as i32) }
    "func (x *Int32) Store(val int32)" => |cx, p: Ptr, v: i32| { p.a32(0)?.store(v as u32, SeqCst); Res::Ok(()) }
    "func (x *Int32) Swap(new int32) (old int32)" => |cx, p: Ptr, v: i32| { Res::Ok(p.a32(0)?.swap(v as u32, SeqCst) as i32) }
    "func AddInt64(addr *int64, delta int64) (new int64)" => |cx, p: Ptr, d: i64| { let w = d as u64; Res::Ok(p.a64(0)?.fetch_add(w, SeqCst).wrapping_add(w) as i64) }
    "func AndInt64(addr *int64, mask int64) (old int64)" => |cx, p: Ptr, m: i64| { Res::Ok(p.a64(0)?.fetch_and(m as u64, SeqCst) as i64) }
    "func OrInt64(addr *int64, mask int64) (old int64)" => |cx, p: Ptr, m: i64| { Res::Ok(p.a64(0)?.fetch_or(m as u64, SeqCst) as i64) }
    "func CompareAndSwapInt64(addr *int64, old, new int64) (swapped bool)" => |cx, p: Ptr, old: i64, new: i64| { Res::Ok(p.a64(0)?.compare_exchange(old as u64, new as u64, SeqCst, SeqCst).is_ok()) }
    "func LoadInt64(addr *int64) (val int64)" => |cx, p: Ptr| { Res::Ok(p.a64(0)?.load(SeqCst) as i64) }
    "func StoreInt64(addr *int64, val int64)" => |cx, p: Ptr, v: i64| { p.a64(0)?.store(v as u64, SeqCst); Res::Ok(()) }
    "func SwapInt64(addr *int64, new int64) (old int64)" => |cx, p: Ptr, v: i64| { Res::Ok(p.a64(0)?.swap(v as u64, SeqCst) as i64) }
    "func (x *Int64) Add(delta int64) (new int64)" => |cx, p: Ptr, d: i64| { let w = d as u64; Res::Ok(p.a64(0)?.fetch_add(w, SeqCst).wrapping_add(w) as i64) }
    "func (x *Int64) And(mask int64) (old int64)" => |cx, p: Ptr, m: i64| { Res::Ok(p.a64(0)?.fetch_and(m as u64, SeqCst) as i64) }
    "func (x *Int64) Or(mask int64) (old int64)" => |cx, p: Ptr, m: i64| { Res::Ok(p.a64(0)?.fetch_or(m as u64, SeqCst) as i64) }
    "func (x *Int64) CompareAndSwap(old, new int64) (swapped bool)" => |cx, p: Ptr, old: i64, new: i64| { Res::Ok(p.a64(0)?.compare_exchange(old as u64, new as u64, SeqCst, SeqCst).is_ok()) }
    "func (x *Int64) Load() int64" => |cx, p: Ptr| { Res::Ok(p.a64(0)?.load(SeqCst) as i64) }
    "func (x *Int64) Store(val int64)" => |cx, p: Ptr, v: i64| { p.a64(0)?.store(v as u64, SeqCst); Res::Ok(()) }
    "func (x *Int64) Swap(new int64) (old int64)" => |cx, p: Ptr, v: i64| { Res::Ok(p.a64(0)?.swap(v as u64, SeqCst) as i64) }
    "func AddUint32(addr *uint32, delta uint32) (new uint32)" => |cx, p: Ptr, d: u32| { let w = d; Res::Ok(p.a32(0)?.fetch_add(w, SeqCst).wrapping_add(w)) }
    "func AndUint32(addr *uint32, mask uint32) (old uint32)" => |cx, p: Ptr, m: u32| { Res::Ok(p.a32(0)?.fetch_and(m, SeqCst)) }
    "func OrUint32(addr *uint32, mask uint32) (old uint32)" => |cx, p: Ptr, m: u32| { Res::Ok(p.a32(0)?.fetch_or(m, SeqCst)) }
    "func CompareAndSwapUint32(addr *uint32, old, new uint32) (swapped bool)" => |cx, p: Ptr, old: u32, new: u32| { Res::Ok(p.a32(0)?.compare_exchange(old, new, SeqCst, SeqCst).is_ok()) }
    "func LoadUint32(addr *uint32) (val uint32)" => |cx, p: Ptr| { Res::Ok(p.a32(0)?.load(SeqCst)) }
    "func StoreUint32(addr *uint32, val uint32)" => |cx, p: Ptr, v: u32| { p.a32(0)?.store(v, SeqCst); Res::Ok(()) }
    "func SwapUint32(addr *uint32, new uint32) (old uint32)" => |cx, p: Ptr, v: u32| { Res::Ok(p.a32(0)?.swap(v, SeqCst)) }
    "func (x *Uint32) Add(delta uint32) (new uint32)" => |cx, p: Ptr, d: u32| { let w = d; Res::Ok(p.a32(0)?.fetch_add(w, SeqCst).wrapping_add(w)) }
    "func (x *Uint32) And(mask uint32) (old uint32)" => |cx, p: Ptr, m: u32| { Res::Ok(p.a32(0)?.fetch_and(m, SeqCst)) }
    "func (x *Uint32) Or(mask uint32) (old uint32)" => |cx, p: Ptr, m: u32| { Res::Ok(p.a32(0)?.fetch_or(m, SeqCst)) }
    "func (x *Uint32) CompareAndSwap(old, new uint32) (swapped bool)" => |cx, p: Ptr, old: u32, new: u32| { Res::Ok(p.a32(0)?.compare_exchange(old, new, SeqCst, SeqCst).is_ok()) }
    "func (x *Uint32) Load() uint32" => |cx, p: Ptr| { Res::Ok(p.a32(0)?.load(SeqCst)) }
    "func (x *Uint32) Store(val uint32)" => |cx, p: Ptr, v: u32| { p.a32(0)?.store(v, SeqCst); Res::Ok(()) }
    "func (x *Uint32) Swap(new uint32) (old uint32)" => |cx, p: Ptr, v: u32| { Res::Ok(p.a32(0)?.swap(v, SeqCst)) }
    "func AddUint64(addr *uint64, delta uint64) (new uint64)" => |cx, p: Ptr, d: u64| { let w = d; Res::Ok(p.a64(0)?.fetch_add(w, SeqCst).wrapping_add(w)) }
    "func AndUint64(addr *uint64, mask uint64) (old uint64)" => |cx, p: Ptr, m: u64| { Res::Ok(p.a64(0)?.fetch_and(m, SeqCst)) }
    "func OrUint64(addr *uint64, mask uint64) (old uint64)" => |cx, p: Ptr, m: u64| { Res::Ok(p.a64(0)?.fetch_or(m, SeqCst)) }
    "func CompareAndSwapUint64(addr *uint64, old, new uint64) (swapped bool)" => |cx, p: Ptr, old: u64, new: u64| { Res::Ok(p.a64(0)?.compare_exchange(old, new, SeqCst, SeqCst).is_ok()) }
    "func LoadUint64(addr *uint64) (val uint64)" => |cx, p: Ptr| { Res::Ok(p.a64(0)?.load(SeqCst)) }
    "func StoreUint64(addr *uint64, val uint64)" => |cx, p: Ptr, v: u64| { p.a64(0)?.store(v, SeqCst); Res::Ok(()) }
    "func SwapUint64(addr *uint64, new uint64) (old uint64)" => |cx, p: Ptr, v: u64| { Res::Ok(p.a64(0)?.swap(v, SeqCst)) }
    "func (x *Uint64) Add(delta uint64) (new uint64)" => |cx, p: Ptr, d: u64| { let w = d; Res::Ok(p.a64(0)?.fetch_add(w, SeqCst).wrapping_add(w)) }
    "func (x *Uint64) And(mask uint64) (old uint64)" => |cx, p: Ptr, m: u64| { Res::Ok(p.a64(0)?.fetch_and(m, SeqCst)) }
    "func (x *Uint64) Or(mask uint64) (old uint64)" => |cx, p: Ptr, m: u64| { Res::Ok(p.a64(0)?.fetch_or(m, SeqCst)) }
    "func (x *Uint64) CompareAndSwap(old, new uint64) (swapped bool)" => |cx, p: Ptr, old: u64, new: u64| { Res::Ok(p.a64(0)?.compare_exchange(old, new, SeqCst, SeqCst).is_ok()) }
    "func (x *Uint64) Load() uint64" => |cx, p: Ptr| { Res::Ok(p.a64(0)?.load(SeqCst)) }
    "func (x *Uint64) Store(val uint64)" => |cx, p: Ptr, v: u64| { p.a64(0)?.store(v, SeqCst); Res::Ok(()) }
    "func (x *Uint64) Swap(new uint64) (old uint64)" => |cx, p: Ptr, v: u64| { Res::Ok(p.a64(0)?.swap(v, SeqCst)) }
    "func AddUintptr(addr *uintptr, delta uintptr) (new uintptr)" => |cx, p: Ptr, d: u64| { let w = d; Res::Ok(p.a64(0)?.fetch_add(w, SeqCst).wrapping_add(w)) }
    "func AndUintptr(addr *uintptr, mask uintptr) (old uintptr)" => |cx, p: Ptr, m: u64| { Res::Ok(p.a64(0)?.fetch_and(m, SeqCst)) }
    "func OrUintptr(addr *uintptr, mask uintptr) (old uintptr)" => |cx, p: Ptr, m: u64| { Res::Ok(p.a64(0)?.fetch_or(m, SeqCst)) }
    "func CompareAndSwapUintptr(addr *uintptr, old, new uintptr) (swapped bool)" => |cx, p: Ptr, old: u64, new: u64| { Res::Ok(p.a64(0)?.compare_exchange(old, new, SeqCst, SeqCst).is_ok()) }
    "func LoadUintptr(addr *uintptr) (val uintptr)" => |cx, p: Ptr| { Res::Ok(p.a64(0)?.load(SeqCst)) }
    "func StoreUintptr(addr *uintptr, val uintptr)" => |cx, p: Ptr, v: u64| { p.a64(0)?.store(v, SeqCst); Res::Ok(()) }
    "func SwapUintptr(addr *uintptr, new uintptr) (old uintptr)" => |cx, p: Ptr, v: u64| { Res::Ok(p.a64(0)?.swap(v, SeqCst)) }
    "func (x *Uintptr) Add(delta uintptr) (new uintptr)" => |cx, p: Ptr, d: u64| { let w = d; Res::Ok(p.a64(0)?.fetch_add(w, SeqCst).wrapping_add(w)) }
    "func (x *Uintptr) And(mask uintptr) (old uintptr)" => |cx, p: Ptr, m: u64| { Res::Ok(p.a64(0)?.fetch_and(m, SeqCst)) }
    "func (x *Uintptr) Or(mask uintptr) (old uintptr)" => |cx, p: Ptr, m: u64| { Res::Ok(p.a64(0)?.fetch_or(m, SeqCst)) }
    "func (x *Uintptr) CompareAndSwap(old, new uintptr) (swapped bool)" => |cx, p: Ptr, old: u64, new: u64| { Res::Ok(p.a64(0)?.compare_exchange(old, new, SeqCst, SeqCst).is_ok()) }
    "func (x *Uintptr) Load() uintptr" => |cx, p: Ptr| { Res::Ok(p.a64(0)?.load(SeqCst)) }
    "func (x *Uintptr) Store(val uintptr)" => |cx, p: Ptr, v: u64| { p.a64(0)?.store(v, SeqCst); Res::Ok(()) }
    "func (x *Uintptr) Swap(new uintptr) (old uintptr)" => |cx, p: Ptr, v: u64| { Res::Ok(p.a64(0)?.swap(v, SeqCst)) }
    "func CompareAndSwapPointer(addr *unsafe.Pointer, old, new unsafe.Pointer) (swapped bool)" => |cx, p: Ptr, old: u64, new: u64| { p.cas_pointer(old, new) }
    "func LoadPointer(addr *unsafe.Pointer) (val unsafe.Pointer)" => |cx, p: Ptr| { Res::Ok(p.a64(0)?.load(SeqCst)) }
    "func StorePointer(addr *unsafe.Pointer, val unsafe.Pointer)" => |cx, p: Ptr, v: u64| { p.swap_pointer(v)?; Res::Ok(()) }
    "func SwapPointer(addr *unsafe.Pointer, new unsafe.Pointer) (old unsafe.Pointer)" => |cx, p: Ptr, v: u64| { p.swap_pointer(v) }
}
