#![allow(unsafe_code)]
//! Slices: making, growing, copying and slicing, of arrays and strings too.
//!
//! Bounds are checked from the outermost inwards,
//! and each failure has the number by which Go words it.
//!
//! Go: runtime/slice.go, panic.go (boundsError), unsafe.go.

use super::*;
use crate::slice;
use bytecode::rtype::{self, Kind};

// Go's numbers for what was out of bounds.
const SLICE_ALEN: u8 = 1;
const SLICE_ACAP: u8 = 2;
const SLICE_B: u8 = 3;
const SLICE3_ALEN: u8 = 4;
const SLICE3_ACAP: u8 = 5;
const SLICE3_B: u8 = 6;
const SLICE3_C: u8 = 7;
const CONVERT: u8 = 8;

halves! {
    fn make_slice(g, s, i: MakeSlice) {
        let [len, cap] = s.get2(i.len);
        made(s, i.dst, slice::make(m(g), rtype(i.elem), len as i64, cap as i64))
    }
    /// `append` of one element that needs a larger array, or whose type has no form of its own.
    fn push(g, s, i: PushTyped) {
        s.save();
        let elem = rtype(i.elem);
        let v = as_slice(s.get3(i.s));
        let grown = if v.len() < v.cap() {
            Ok(v.longer(1))
        } else {
            slice::grow(m(g), elem, v, 1)
        };
        match grown {
            Ok(out) => {
                store_value(elem, out.as_ptr().add(v.len() * elem.size), s.at(i.v));
                s.set3(i.dst, as_words(out));
                DONE
            }
            Err(e) => raise(g, e.into()),
        }
    }
    fn grow_slice(g, s, i: GrowSlice) {
        s.save();
        let elem = rtype(i.elem);
        let v = as_slice(s.get3(i.s));
        let n = s.get(i.n) as usize;
        let out = if v.len().checked_add(n).is_some_and(|len| len <= v.cap()) {
            Ok(v.longer(n))
        } else {
            slice::grow(m(g), elem, v, n)
        };
        made(s, i.dst, out)
    }
    fn append_slice(g, s, i: AppendSlice) {
        s.save();
        let (v, t) = (as_slice(s.get3(i.s)), as_slice::<u8>(s.get3(i.t)));
        made(s, i.dst, slice::append(m(g), rtype(i.elem), v, t.as_ptr(), t.len()))
    }
    fn append_string(g, s, i: AppendString) {
        s.save();
        let t = as_str(s.get2(i.t));
        made(s, i.dst, slice::append(m(g), byte_type(), as_slice(s.get3(i.s)), t.as_ptr(), t.len()))
    }
    fn copy_typed(g, s, i: CopyTyped) {
        s.save();
        let (d, p) = (s.get(i.dst) as *mut u8, s.get(i.src) as *const u8);
        slice::copy_long(m(g), LayoutId(i.layout as u32), d, p, i.size as usize);
        DONE
    }
    fn copy_slice(g, s, i: CopySlice) {
        s.save();
        let (d, t) = (as_slice(s.get3(i.d)), as_slice(s.get3(i.s)));
        let n = slice::copy(m(g), rtype(i.elem), d.as_ptr(), d.len(), t.as_ptr(), t.len());
        s.set(i.n, n as u64);
        DONE
    }
    fn copy_string(g, s, i: CopyString) {
        s.save();
        let (d, t) = (as_slice(s.get3(i.d)), as_str(s.get2(i.s)));
        let n = slice::copy(m(g), byte_type(), d.as_ptr(), d.len(), t.as_ptr(), t.len());
        s.set(i.n, n as u64);
        DONE
    }
    fn clear_slice(g, s, i: ClearSlice) {
        let elem = rtype(i.elem);
        let v = as_slice(s.get3(i.s));
        heap::zero_typed(LayoutId(elem.layout), v.as_ptr(), v.len() * elem.size);
        DONE
    }
    fn slice_s(g, s, i: SliceOfSlice) {
        let [p, _, cap] = s.get3(i.s);
        let [lo, hi] = s.get2(i.ix);
        if hi > cap {
            return raise(g, Raise::bounds(hi, cap, SLICE_ACAP));
        }
        if lo > hi {
            return raise(g, Raise::bounds(lo, hi, SLICE_B));
        }
        s.set3(i.dst, sliced(p, lo, hi, cap, i.stride));
        DONE
    }
    fn slice_s3(g, s, i: SliceOfSlice3) {
        let [p, _, cap] = s.get3(i.s);
        let [lo, hi, max] = s.get3(i.ix);
        if max > cap {
            return raise(g, Raise::bounds(max, cap, SLICE3_ACAP));
        }
        if hi > max {
            return raise(g, Raise::bounds(hi, max, SLICE3_B));
        }
        if lo > hi {
            return raise(g, Raise::bounds(lo, hi, SLICE3_C));
        }
        s.set3(i.dst, sliced(p, lo, hi, max, i.stride));
        DONE
    }
    fn slice_p(g, s, i: SliceOfArray) {
        let p = s.get(i.ptr);
        let [lo, hi] = s.get2(i.ix);
        if p == 0 {
            return Status::Nil as u64;
        }
        if hi > i.len {
            return raise(g, Raise::bounds(hi, i.len, SLICE_ALEN));
        }
        if lo > hi {
            return raise(g, Raise::bounds(lo, hi, SLICE_B));
        }
        s.set3(i.dst, sliced(p, lo, hi, i.len, i.stride));
        DONE
    }
    fn slice_p3(g, s, i: SliceOfArray3) {
        let p = s.get(i.ptr);
        let [lo, hi, max] = s.get3(i.ix);
        if p == 0 {
            return Status::Nil as u64;
        }
        if max > i.len {
            return raise(g, Raise::bounds(max, i.len, SLICE3_ALEN));
        }
        if hi > max {
            return raise(g, Raise::bounds(hi, max, SLICE3_B));
        }
        if lo > hi {
            return raise(g, Raise::bounds(lo, hi, SLICE3_C));
        }
        s.set3(i.dst, sliced(p, lo, hi, max, i.stride));
        DONE
    }
    fn slice_str(g, s, i: SliceOfStr) {
        let [p, len] = s.get2(i.s);
        let [lo, hi] = s.get2(i.ix);
        if hi > len {
            return raise(g, Raise::bounds(hi, len, SLICE_ALEN));
        }
        if lo > hi {
            return raise(g, Raise::bounds(lo, hi, SLICE_B));
        }
        s.set2(i.dst, if lo == hi { [p, 0] } else { [p + lo, hi - lo] });
        DONE
    }
    fn slice_to_arr(g, s, i: SliceToArray) {
        let [p, len, _] = s.get3(i.s);
        if len < i.len {
            return raise(g, Raise::bounds(i.len, len, CONVERT));
        }
        s.set(i.dst, p);
        DONE
    }
    fn unsafe_slice(g, s, i: UnsafeSlice) {
        let (p, n) = (s.get(i.p), s.get(i.n));
        let bytes = n.checked_mul(rtype(i.elem).size as u64);
        if p == 0 && n as i64 > 0 {
            return raise(g, RuntimeError::UnsafeSliceNil.into());
        }
        if (n as i64) < 0 || bytes.is_none_or(|b| p != 0 && b > p.wrapping_neg()) {
            return raise(g, RuntimeError::UnsafeSliceLen.into());
        }
        s.set3(i.dst, [p, n, n]);
        DONE
    }
    fn unsafe_string(g, s, i: UnsafeString) {
        let (p, n) = (s.get(i.p), s.get(i.n));
        if (n as i64) < 0 || n > p.wrapping_neg() && p != 0 {
            return raise(g, RuntimeError::UnsafeStringLen.into());
        }
        if p == 0 && n > 0 {
            return raise(g, RuntimeError::UnsafeStringNil.into());
        }
        s.set2(i.dst, [p, n]);
        DONE
    }
}

/// R[dst..] := the slice that was made, if it could be.
#[inline(always)]
unsafe fn made(s: Regs, dst: u16, made: Result<Slice<u8>, RuntimeError>) -> u64 {
    // SAFETY: exec::X2, exec::X3.
    unsafe {
        match made {
            Ok(v) => {
                s.set3(dst, as_words(v));
                DONE
            }
            Err(e) => raise(s.g(), e.into()),
        }
    }
}

/// A slice of `p`, checked before. One of no capacity keeps `p`: it must not point past the object.
#[inline(always)]
fn sliced(p: u64, lo: u64, hi: u64, cap: u64, stride: u64) -> [u64; 3] {
    [
        if lo == cap { p } else { p + lo * stride },
        hi - lo,
        cap - lo,
    ]
}

/// The type of the bytes of strings.
fn byte_type() -> &'static Rtype {
    static BYTE: std::sync::OnceLock<rtype::Ty> = std::sync::OnceLock::new();
    BYTE.get_or_init(|| rtype::basic(Kind::Uint8)).get()
}
