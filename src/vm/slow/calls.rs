#![allow(unsafe_code)]
//! Calls of natives, `go`, `defer` and `recover`.
//!
//! A native is called on its window and says how it ended;
//! deferred functions wait in records of their frame.

use super::*;
use crate::frame::Defer;
use crate::native::{Cx, NativeResult, PanicValue, table};
use crate::{engine, panic};
use gosched_runtime::YieldKind;

/// Runs a native on the window `win` slots above `g.sched.fp`. Afterwards `g.sched` has the same
/// registers again, moved along if the stack was.
///
/// # Safety
/// exec::X1 to X3; the registers have been saved.
#[inline(never)]
pub(crate) unsafe fn native(index: u32, win: u16, g: *mut G) -> u64 {
    // SAFETY: exec::X1 — the compiler gives only numbers of natives, and the window its native
    // wants.
    unsafe {
        let f = match table::get(index) {
            Some(n) => n.entry.func,
            None => gosched_runtime::throw!("no native numbered {index}"),
        };
        let pc = (*g).sched.pc;
        let fp = (*g).sched.fp;
        let off = fp - (*g).stack_lo;
        // The header, so that a walk from a callback finds its way down.
        let window = fp + 8 * win as usize;
        *(window as *mut u64).sub(1) = pc as u64 + 8;
        *(window as *mut u64).sub(2) = 8 * u64::from(win);
        let end = call_native(f, g, off + 8 * win as usize);
        (*g).sched.pc = pc;
        (*g).sched.fp = (*g).stack_lo + off;
        end
    }
}

/// Runs a native body on the window at `win` bytes above `stack_lo`; returns as slow halves do.
///
/// # Safety
/// exec::X3; the window is the native's.
pub(crate) unsafe fn call_native(f: NativeFn, g: *mut G, win: usize) -> u64 {
    // SAFETY: the caller's.
    let (end, value) = unsafe {
        let mut cx = Cx::new((*g).m, g, win);
        let end = f(&mut cx);
        (
            end,
            if end == NativeResult::Panic {
                Some(cx.panic_value())
            } else {
                None
            },
        )
    };
    let end = match end {
        NativeResult::Ok => return DONE,
        NativeResult::Panic => {
            let value = value.unwrap_or(PanicValue::NilDeref);
            // SAFETY: exec::X3.
            return unsafe { raise(g, Raise::Native(value)) };
        }
        NativeResult::Park => NativeEnd::Park,
        NativeResult::Yield(YieldKind::Gosched) => NativeEnd::Gosched,
        NativeResult::Yield(YieldKind::Preempt) => NativeEnd::Preempt,
        NativeResult::Yield(YieldKind::Local) => NativeEnd::Local,
        NativeResult::Collect => NativeEnd::Collect,
        NativeResult::Goexit => NativeEnd::Goexit,
        NativeResult::Unwind => NativeEnd::Unwind,
    };
    // SAFETY: exec::X3.
    unsafe { (*Words::at(g)).native_end = end };
    Status::Native as u64
}

/// What [`next_deferred`] returns for a nil func value.
pub(crate) const NIL_FUNC: usize = 1;

/// The func value of this frame's newest defer record, which is taken off;
/// 0 when there is none, [`NIL_FUNC`] for a nil one.
///
/// # Safety
/// exec::X2, exec::X3.
#[inline(never)]
pub(crate) unsafe fn next_deferred(fp: *mut u64, g: *mut G) -> usize {
    // SAFETY: exec::X3.
    unsafe {
        let Some(state) = State::get(g) else { return 0 };
        let frame = fp as usize - (*g).stack_lo;
        while let Some(&d) = state.defers.last()
            && d.frame == frame
        {
            state.defers.pop();
            if !d.is_list {
                return if d.func == 0 { NIL_FUNC } else { d.func };
            }
            state.unpack(d);
        }
        0
    }
}

halves! {
    fn go(g, s, i: Go) {
        let f = s.get(i.clo) as usize;
        if f == 0 {
            gosched_runtime::fatal!("go of nil func value");
        }
        // The detector of races looks where it is.
        s.save();
        engine::spawn(m(g), f, s.pc() as usize);
        DONE
    }
    fn defer(g, s, i: Defer) {
        let frame = s.fp() as usize - (*g).stack_lo;
        State::of(g).defers.push(Defer { frame, func: s.get(i.clo) as usize, is_list: false });
        DONE
    }
    fn defer_list(g, s, i: DeferList) {
        let frame = s.fp() as usize - (*g).stack_lo;
        State::of(g).defers.push(Defer { frame, func: s.get(i.list) as usize, is_list: true });
        DONE
    }
    fn recover(g, s, i: Recover) {
        s.save();
        let v = panic::recover(g);
        s.set2(i.dst, v);
        DONE
    }
}
