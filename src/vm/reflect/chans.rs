#![allow(unsafe_code)]
//! Channels: an operation of any kind is a choice of cases, of which there may be one.
//!
//! Elements lie on the heap while they are sent or received, as channels have them: a scalar as a
//! whole slot, what is large as its address.
//!
//! Go: runtime/chan.go and runtime/select.go (reflect_* functions).

use super::call::{is_by_ref, pass};
use super::{Value, ptr};
use crate::engine::elem_type;
use crate::native::{Cx, Elem, NativeResult, PanicValue, Ptr, Res, Slice, Stop, finish};
use crate::value::{Iface, is_direct, layout_of};
use bytecode::rtype::Ty;
use gosched_runtime::chan::{self, Chan, ChanError, ChanOp, SlotRef};
use gosched_runtime::control::operation::Act;
use gosched_runtime::heap::{self, LayoutId};
use gosched_runtime::select::{self, SelectCase, SelectOp};

/// Size and layout of an element.
fn element(t: Ty) -> (usize, LayoutId) {
    if is_by_ref(&t) {
        (8, LayoutId::POINTERS)
    } else if is_direct(&t) && t.size != 0 {
        (8, layout_of(&t))
    } else {
        (t.size, layout_of(&t))
    }
}

fn failed<T>(e: ChanError) -> Res<T> {
    Err(Stop::Panic(PanicValue::Chan(e)))
}

pub fn make_chan(cx: &mut Cx, t: Ty, n: i64) -> Res<Ptr> {
    let elem = t.elem;
    if n.saturating_mul(elem.size as i64) > 1 << 48 {
        return failed(ChanError::SizeOutOfRange);
    }
    let (size, layout) = element(elem);
    match chan::make_chan_of(cx.m(), elem_type(&elem), size, layout, n) {
        Ok(c) => Ok(ptr(c)),
        Err(e) => failed(e),
    }
}

pub fn close(cx: &mut Cx, c: Ptr) -> Res<()> {
    if !c.is_nil() {
        cx.touches(c.addr() as *const u64, 8, true);
    }
    // SAFETY: reflect::F1.
    match unsafe { chan::close(cx.m(), c.addr() as *mut Chan) } {
        Ok(()) => Ok(()),
        Err(e) => failed(e),
    }
}

/// Room for an element.
pub fn new_element(cx: &mut Cx, t: Ty) -> Ptr {
    let (size, layout) = element(t);
    ptr(cx.alloc(size, layout))
}

/// Writes `v` to the room for an element of its type.
pub fn put_element(cx: &mut Cx, p: Ptr, v: Value) {
    let t = v.t();
    cx.touches(v.at(), t.size, false);
    if is_direct(t) || is_by_ref(t) {
        let mut word = [0];
        let words = usize::from(t.size != 0);
        pass(cx, v.val(), &mut word[..words]);
        if words > 0 {
            // SAFETY: the room is a word.
            unsafe { heap::store_ptr(p.addr() as *mut usize, word[0] as usize) };
        }
    } else {
        // SAFETY: reflect::F1.
        unsafe { crate::slice::move_elems(t, p.addr() as *mut u8, v.at(), 1) };
    }
}

/// What is in the room for an element whose type is direct.
pub fn pack_element(t: Ty, p: Ptr) -> Iface {
    // SAFETY: the room is a word.
    unsafe { Iface::from_raw(t.word() as usize, *(p.addr() as *const usize)) }
}

/// A case, as the package declares it.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Case {
    chan: usize,
    elem: usize,
    sends: bool,
}

crate::value::heap_layouts! {
    fn case_layout = Case { chan: Pointer, elem: Pointer, sends: Scalar }
}

// SAFETY: the layout is made of its fields.
unsafe impl Elem for Case {
    fn layout() -> LayoutId {
        case_layout()
    }
}

/// What [`choose`] does with so many cases at an address, and to what.
///
/// # Safety
///
/// They are there.
pub(crate) unsafe fn chooses(at: u64, n: u64) -> (Act, u64) {
    if n != 1 {
        return (Act::Select, 0);
    }
    // SAFETY: the caller's.
    let case = unsafe { *(at as *const Case) };
    let act = if case.sends { Act::Send } else { Act::Receive };
    (act, case.chan as u64)
}

/// Does one of the cases, and says which and whether a value has come; -1 if none can be done now
/// and it is not to wait.
pub fn choose(cx: &mut Cx, cases: Slice<Case>, waits: bool) -> Res<(i64, bool)> {
    // A send must not meet a close.
    for c in cases.as_slice().iter().filter(|c| c.sends && c.chan != 0) {
        cx.touches(c.chan as *const u64, 8, false);
    }
    let case = |c: &Case| SelectCase {
        chan: c.chan as *mut Chan,
        elem: SlotRef::addr(c.elem as *const u8),
        is_send: c.sends,
    };
    let (m, g) = (cx.m_ptr(), cx.g_ptr());
    if let [c] = cases.as_slice() {
        let c = case(c);
        // SAFETY: reflect::F1; the window has what the case names.
        let op = unsafe {
            match c.is_send {
                true => chan::send(&mut *m, &mut *g, c.chan, c.elem, waits),
                false => chan::recv(&mut *m, &mut *g, c.chan, c.elem, waits),
            }
        };
        return match op {
            ChanOp::Done(ok) => Ok((0, ok)),
            ChanOp::WouldBlock if !waits => Ok((-1, false)),
            ChanOp::Blocked | ChanOp::WouldBlock => {
                cx.parked(Some(if c.is_send { sent } else { received }))
            }
            ChanOp::Panic(e) => failed(e),
        };
    }
    let cases: Vec<SelectCase> = cases.as_slice().iter().map(case).collect();
    // SAFETY: as above.
    let op = unsafe { select::select(&mut *m, &mut *g, &cases, waits) };
    drop(cases);
    chosen(cx, op)
}

fn chosen(cx: &mut Cx, op: SelectOp) -> Res<(i64, bool)> {
    match op {
        SelectOp::Ready(k, ok) => Ok((k as i64, ok)),
        SelectOp::Default => Ok((-1, false)),
        SelectOp::Blocked => cx.parked(Some(selected)),
        SelectOp::Panic(e) => failed(e),
    }
}

fn sent(cx: &mut Cx) -> NativeResult {
    let (m, g) = (cx.m_ptr(), cx.g_ptr());
    // SAFETY: the goroutine has been woken from the operation.
    let done: Res<(i64, bool)> = match unsafe { chan::finish_send(&mut *m, &mut *g) } {
        Ok(()) => Ok((0, true)),
        Err(e) => failed(e),
    };
    finish(done, cx)
}

fn received(cx: &mut Cx) -> NativeResult {
    let (m, g) = (cx.m_ptr(), cx.g_ptr());
    // SAFETY: as above.
    let ok = unsafe { chan::finish_recv(&mut *m, &mut *g) };
    finish((0i64, ok), cx)
}

fn selected(cx: &mut Cx) -> NativeResult {
    let (m, g) = (cx.m_ptr(), cx.g_ptr());
    // SAFETY: as above.
    let op = unsafe { select::finish(&mut *m, &mut *g) };
    let done = chosen(cx, op);
    finish(done, cx)
}
