//! What a channel operation can do at once, under the lock.
//!
//! Shared by `send` and `recv`, and by `select`, which may hold the locks of all its channels. The
//! invariants are the channel module's.
//!
//! Go: runtime/chan.go, chansend, send, chanrecv, recv.

#![allow(unsafe_code)]

use super::{Chan, SlotRef, Sudog};
use crate::g::G;
use crate::gc::barrier::{self, is_marking};
use crate::heap::LayoutId;
use crate::race;

/// What an operation came to.
pub(crate) enum Step {
    /// It cannot be done now.
    Wait,
    /// Done, and no goroutine is to be woken.
    Done,
    /// Done with this claimed waiter, which is to be woken after the unlock.
    Wake(*mut Sudog),
    /// The channel is closed, and drained; a receiver has got zero.
    Closed,
}

/// Whether the operation could perhaps be done at once. A hint, without the lock.
///
/// # Safety
///
/// `c` is a channel.
#[inline]
pub(crate) unsafe fn looks_ready(c: *const Chan, is_send: bool) -> bool {
    // SAFETY: chan::C4.
    unsafe {
        (*c).is_closed()
            || if is_send {
                (*c).count() < (*c).dataqsiz || !(*c).recvq.first().is_null()
            } else {
                (*c).count() > 0 || !(*c).sendq.first().is_null()
            }
    }
}

/// # Safety
///
/// The lock of `c` is held; else as [`super::send`]. `g` may be null if `elem` is an address.
#[inline(always)]
pub(crate) unsafe fn send(g: *const G, c: *mut Chan, elem: SlotRef) -> Step {
    #[cold]
    #[inline(never)]
    unsafe fn watched(g: *const G, c: *mut Chan, elem: SlotRef) -> Step {
        // SAFETY: the caller's.
        unsafe { try_send::<true>(g, c, elem) }
    }
    // SAFETY: the caller's.
    unsafe {
        match race::is_on() {
            true => watched(g, c, elem),
            false => try_send::<false>(g, c, elem),
        }
    }
}

/// As [`send`]; the detector of races is told of it if `IS_WATCHED`.
#[inline(always)]
unsafe fn try_send<const IS_WATCHED: bool>(g: *const G, c: *mut Chan, elem: SlotRef) -> Step {
    // SAFETY: chan::C1 to C6.
    unsafe {
        if (*c).is_closed() {
            return Step::Closed;
        }
        let s = (*c).recvq.dequeue();
        if !s.is_null() {
            let to = (*s).elem;
            if !to.is_none() {
                (*c).copy_out(to.ptr((*s).g), elem.ptr(g), to.is_stack());
            }
            if IS_WATCHED {
                race::handed(c, g, (*s).g);
            }
            return Step::Wake(s);
        }
        if (*c).count() < (*c).dataqsiz {
            (*c).push(elem.ptr(g));
            if IS_WATCHED {
                race::pushed(c, g);
            }
            return Step::Done;
        }
        Step::Wait
    }
}

/// What a waiting sender gives away is kept for the marker, which may not have come to that
/// goroutine's stack yet, and will not find it there any more. Go: sendDirect, recv.
///
/// # Safety
///
/// The lock of `c` is held; `s` sends.
#[inline]
unsafe fn keep_sent(c: *mut Chan, s: *mut Sudog) {
    // SAFETY: chan::C5, and the caller's.
    unsafe {
        if is_marking() && (*c).layout != LayoutId::NOSCAN {
            let words = (*s).elem.ptr((*s).g) as *const usize;
            for i in 0..(*c).elem_size() / 8 {
                barrier::keep(words.add(i).read_unaligned());
            }
        }
    }
}

/// # Safety
///
/// The lock of `c` is held; else as [`super::recv`].
#[inline(always)]
pub(crate) unsafe fn recv(g: *const G, c: *mut Chan, elem: SlotRef) -> Step {
    #[cold]
    #[inline(never)]
    unsafe fn watched(g: *const G, c: *mut Chan, elem: SlotRef) -> Step {
        // SAFETY: the caller's.
        unsafe { try_recv::<true>(g, c, elem) }
    }
    // SAFETY: the caller's.
    unsafe {
        match race::is_on() {
            true => watched(g, c, elem),
            false => try_recv::<false>(g, c, elem),
        }
    }
}

/// As [`recv`]; the detector of races is told of it if `IS_WATCHED`.
#[inline(always)]
unsafe fn try_recv<const IS_WATCHED: bool>(g: *const G, c: *mut Chan, elem: SlotRef) -> Step {
    // SAFETY: chan::C1 to C6.
    unsafe {
        let overtaken = fault!(SenderOvertakes) && !(*c).sendq.first().is_null();
        if (*c).count() > 0 && !overtaken {
            let s = (*c).sendq.dequeue();
            (*c).pop(elem.ptr(g), elem.is_stack());
            if IS_WATCHED {
                race::popped(c, g);
            }
            if s.is_null() {
                return Step::Done;
            }
            // The ring was full (chan::C2): the oldest sender's element takes the place that became
            // free.
            keep_sent(c, s);
            (*c).push((*s).elem.ptr((*s).g));
            if IS_WATCHED {
                race::pushed(c, (*s).g);
            }
            return Step::Wake(s);
        }
        let s = (*c).sendq.dequeue();
        if !s.is_null() {
            keep_sent(c, s);
            if !elem.is_none() {
                (*c).copy_out(elem.ptr(g), (*s).elem.ptr((*s).g), elem.is_stack());
            }
            if IS_WATCHED {
                race::handed(c, (*s).g, g);
            }
            return Step::Wake(s);
        }
        if (*c).is_closed() {
            (*c).zero_out(g, elem);
            if IS_WATCHED {
                race::drained(c, g);
            }
            return Step::Closed;
        }
        Step::Wait
    }
}
