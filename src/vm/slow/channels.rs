#![allow(unsafe_code)]
//! Channels and select.
//!
//! An operation that must wait leaves with [`Status::Park`];
//! its `_done` half runs once the goroutine has been woken.
//!
//! Go: runtime/chan.go, select.go.

use super::*;
use crate::engine::elem_type;
use crate::value;
use bytecode::op::NONE;
use gosched_runtime::chan::{self, Chan, ChanError, ChanOp, SlotRef};
use gosched_runtime::select::{self, SelectCase, SelectOp};

halves! {
    fn make_chan(g, s, i: MakeChan) {
        let elem = deref(rtype(i.typ).elem);
        let n = s.get(i.size) as i64;
        let (size, layout) = if is_huge(elem) {
            // It travels as its address; but the room that Go would need counts.
            let too_many = n.saturating_mul(elem.size as i64) > 1 << 48;
            if too_many {
                return raise(g, ChanError::SizeOutOfRange.into());
            }
            (8, LayoutId::POINTERS)
        } else {
            // A scalar travels as its whole slot, so that what is received is extended already.
            let size = if value::is_direct(elem) && elem.size != 0 { 8 } else { elem.size };
            (size, LayoutId(elem.layout))
        };
        match chan::make_chan_of(m(g), elem_type(elem), size, layout, n) {
            Ok(c) => {
                s.set(i.dst, c as u64);
                DONE
            }
            Err(e) => raise(g, e.into()),
        }
    }
    fn send(g, s, i: Send) {
        let elem = slot_ref(g, s.fp(), i.v);
        match chan::send(m(g), &mut *g, s.get(i.ch) as *mut Chan, elem, true) {
            ChanOp::Done(_) => DONE,
            ChanOp::Blocked | ChanOp::WouldBlock => Status::Park as u64,
            ChanOp::Panic(e) => raise(g, e.into()),
        }
    }
    fn send_done(g, s, i: SendDone) {
        let _ = (s, i);
        match chan::finish_send(m(g), &mut *g) {
            Ok(()) => DONE,
            Err(e) => raise(g, e.into()),
        }
    }
    fn recv(g, s, i: Recv) {
        let elem = slot_ref(g, s.fp(), i.dst);
        match chan::recv(m(g), &mut *g, s.get(i.ch) as *mut Chan, elem, true) {
            ChanOp::Done(ok) => {
                if i.ok != NONE {
                    s.set(i.ok, u64::from(ok));
                }
                DONE
            }
            ChanOp::Blocked | ChanOp::WouldBlock => {
                // What the slots held before must not outlive the wait. The channel's lock is held
                // until the goroutine has left.
                if i.dst != NONE {
                    for k in 0..i.n as usize {
                        *s.at(i.dst).add(k) = 0;
                    }
                }
                Status::Park as u64
            }
            ChanOp::Panic(e) => raise(g, e.into()),
        }
    }
    fn recv_done(g, s, i: RecvDone) {
        let ok = chan::finish_recv(m(g), &mut *g);
        if i.ok != NONE {
            s.set(i.ok, u64::from(ok));
        }
        DONE
    }
    fn close(g, s, i: Close) {
        match chan::close(m(g), s.get(i.ch) as *mut Chan) {
            Ok(()) => DONE,
            Err(e) => raise(g, e.into()),
        }
    }
    fn chan_len(g, s, i: ChanLen) {
        let c = s.get(i.ch) as *const Chan;
        s.set(i.dst, if c.is_null() { 0 } else { chan::len(c) as u64 });
        DONE
    }
    fn chan_cap(g, s, i: ChanCap) {
        let c = s.get(i.ch) as *const Chan;
        s.set(i.dst, if c.is_null() { 0 } else { chan::cap(c) as u64 });
        DONE
    }
    fn select(g, s, i: Select) {
        const FEW: usize = 16;
        let n = i.n as usize;
        let case = |k: usize| {
            let [ch, how] = *s.at(i.blk).add(2 * k).cast::<[u64; 2]>();
            SelectCase {
                chan: ch as *mut Chan,
                elem: slot_ref(g, s.fp(), how as u16),
                is_send: how >> 16 & 1 == 0,
            }
        };
        let may_block = i.flags & 1 == 0;
        let op = if n <= FEW {
            let none = SelectCase {
            chan: std::ptr::null_mut(),
            elem: SlotRef::NONE,
            is_send: false,
        };
            let mut cases = [none; FEW];
            for (k, c) in cases[..n].iter_mut().enumerate() {
                *c = case(k);
            }
            select::select(m(g), &mut *g, &cases[..n], may_block)
        } else {
            let cases: Vec<SelectCase> = (0..n).map(case).collect();
            select::select(m(g), &mut *g, &cases, may_block)
        };
        selected(s, i.idx, i.ok, op)
    }
    fn select_done(g, s, i: SelectDone) {
        let op = select::finish(m(g), &mut *g);
        selected(s, i.idx, i.ok, op)
    }
}

unsafe fn slot_ref(g: *mut G, fp: *mut u64, slot: u16) -> SlotRef {
    if slot == NONE {
        return SlotRef::NONE;
    }
    // SAFETY: exec::X2, exec::X3.
    SlotRef::stack(unsafe { fp as usize + 8 * slot as usize - (*g).stack_lo })
}

unsafe fn selected(s: Regs, idx: u16, ok: u64, op: SelectOp) -> u64 {
    let (index, received) = match op {
        SelectOp::Ready(index, received) => (index as u64, received),
        SelectOp::Default => (u64::MAX, false),
        SelectOp::Blocked => return Status::Park as u64,
        // SAFETY: exec::X3.
        SelectOp::Panic(e) => return unsafe { raise(s.g(), e.into()) },
    };
    // SAFETY: exec::X2.
    unsafe {
        s.set(idx, index);
        if ok as u16 != NONE {
            s.set(ok as u16, u64::from(received));
        }
    }
    DONE
}
