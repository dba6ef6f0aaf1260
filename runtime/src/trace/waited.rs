#![allow(unsafe_code)]
//! What goroutines wait on, and who holds it.

use super::event::{Dir, Object, Text, Thing, What};
use super::{NONE_G, NONE_P, curg, hears, names, on, stack_of, stream};
use crate::chan::{self, Chan, Sudog};
use crate::control;
use crate::g::{G, WaitReason};
use crate::m::M;

/// The M's current G waits, its locks still held: what it waits on, and with a select all of that.
#[inline]
pub(crate) fn go_park(m: *const M, g: *const G) {
    #[cold]
    #[inline(never)]
    fn told(m: *const M, g: *const G) {
        // SAFETY: context — g0 of `m`, whose current G has not been let go yet: its sudogs are in
        // queues whose locks are held for it, and nothing else changes their order. `m` holds a P.
        unsafe {
            let reason = (*g).wait_reason();
            let mut cases = sudogs(g);
            let first = cases.next();
            let (on, dir, len) = match first {
                Some(s) => waited(m, g, s),
                None => (other_object(m, g), Dir::None, 0),
            };
            let more = cases.count() as u32;
            let stack = stack_of(m, g);
            let what = What::Park {
                reason,
                on,
                dir,
                len,
                more,
                stack,
            };
            stream::record_often(m, NONE_P, g, what);
            if more > 0 {
                for s in sudogs(g).skip(1) {
                    let (on, dir, len) = waited(m, g, s);
                    stream::record(m, NONE_P, g, What::ParkAlso { on, dir, len });
                }
            }
            let until = (*m).waitlock.as_number();
            if reason == WaitReason::Sleep && until != 0 {
                stream::record(m, NONE_P, g, What::Due { at: until as i64 });
            }
        }
    }
    if hears(m) {
        told(m, g);
    }
    if control::is_on() {
        // SAFETY: the context.
        unsafe { control::parks(m, g) };
    }
}

/// What the G waits on by this sudog, what it would do there, and how much is in the channel.
///
/// # Safety
///
/// Context: as in [`go_park`].
unsafe fn waited(m: *const M, g: *const G, s: &Sudog) -> (Object, Dir, u32) {
    // SAFETY: by the contract; the channel is alive while a G waits on it.
    unsafe {
        let reason = (*g).wait_reason();
        let Some(c) = s.chan.as_ref() else {
            let object = match reason {
                _ if s.wait.object != 0 => s.wait.object,
                WaitReason::SyncRwMutexRLock => crate::mutex::of_readers(s.addr),
                _ => s.addr,
            };
            return (number(m, object, names::thing(reason), None), Dir::None, 0);
        };
        let sends = match reason {
            WaitReason::ChanSend | WaitReason::SynctestChanSend => true,
            _ => reason.is_select() && s.is_send,
        };
        let dir = if sends { Dir::Send } else { Dir::Receive };
        let on = number(m, s.chan as usize, Thing::Chan, Some(c));
        (on, dir, chan::len(s.chan) as u32)
    }
}

/// The number of what is waited for at `addr`, which may be a channel.
///
/// # Safety
///
/// Context: `m` holds a P.
unsafe fn number(m: *const M, addr: usize, kind: Thing, chan: Option<&Chan>) -> Object {
    // SAFETY: by the contract.
    unsafe {
        let key = match kind {
            Thing::RwMutex => addr | names::RW,
            _ => addr,
        };
        let names = &mut stream::own((*m).p).names;
        let (id, is_new) = names.object(key);
        let id = Object(id);
        if is_new {
            let cap = chan.map_or(0, |c| c.places() as u32);
            let elem = chan.map_or(0, |c| names.elem_type((*m).engine, c.elem_type()));
            let elem = Text(elem);
            let what = What::Object {
                id,
                kind,
                cap,
                elem,
            };
            stream::record(m, NONE_P, NONE_G, what);
        }
        id
    }
}

/// The half of a descriptor that a G waits on, which has no sudog for that; nothing with other
/// reasons, for there the runtime waits for itself.
unsafe fn other_object(m: *const M, g: *const G) -> Object {
    // SAFETY: context of `go_park`.
    unsafe {
        match (*g).wait_reason() {
            reason @ WaitReason::IoWait => match object(m, g) {
                // A call of a recorded run, which another thread makes.
                0 => Object(0),
                half => number(m, half, names::thing(reason), None),
            },
            _ => Object(0),
        }
    }
}

/// What the current G of `m` begins to wait on, or the first of that; 0 if it is nothing.
///
/// # Safety
///
/// Context: as in [`go_park`].
pub(crate) unsafe fn object(m: *const M, g: *const G) -> usize {
    // SAFETY: by the contract.
    unsafe {
        if let Some(Addr(first)) = waits_on(g).next() {
            return first;
        }
        // With other reasons the commit function has an argument of its own: a sleeper's time, a
        // helper's number.
        let other = (*m).waitlock.as_number();
        let has_object = (*g).wait_reason() != WaitReason::Sleep && other > 4096;
        if has_object { other } else { 0 }
    }
}

/// The channels that `g` waits on, or the address.
///
/// # Safety
///
/// Context: as in [`go_park`].
pub(crate) unsafe fn waits_on(g: *const G) -> impl Iterator<Item = Addr> {
    // SAFETY: by the contract.
    let all = unsafe { sudogs(g) };
    all.map(|s| {
        Addr(if s.chan.is_null() {
            s.addr
        } else {
            s.chan as usize
        })
    })
}

/// The address of what a goroutine waits on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Addr(pub(crate) usize);

/// The sudogs that `g` waits by: those of a select, else one or none.
///
/// # Safety
///
/// Context: as in [`go_park`].
unsafe fn sudogs(g: *const G) -> impl Iterator<Item = &'static Sudog> {
    // SAFETY: by the contract.
    let (first, is_select) = unsafe { ((*g).waiting, (*g).wait_reason().is_select()) };
    let mut at = first.cast_const();
    std::iter::from_fn(move || {
        // SAFETY: by the contract; sudogs are never freed.
        let s = unsafe { at.as_ref()? };
        // Only in a select does the link lead to the G's own next sudog.
        at = if is_select {
            s.waitlink
        } else {
            std::ptr::null()
        };
        Some(s)
    })
}

/// The collector knows which objects are dead: they are forgotten before their memory is used
/// again.
pub(crate) fn forget_dead(is_dead: impl Fn(usize) -> bool) {
    if on() {
        names::forget_dead(is_dead);
    }
}

/// The current goroutine has taken the lock at `addr`, for reading if it is `shared`.
pub(crate) fn locked(addr: usize, shared: bool) {
    tell_lock(addr, shared, |on| What::Lock { on, shared });
}

/// The current goroutine gives the lock at `addr` back.
pub(crate) fn unlocked(addr: usize, shared: bool) {
    tell_lock(addr, shared, |on| What::Unlock { on, shared });
}

fn tell_lock(addr: usize, shared: bool, what: impl FnOnce(Object) -> What) {
    let m = crate::tls::current_m();
    // SAFETY: the M is this thread's; locks are taken and given back with a P.
    unsafe {
        if m.is_null() || !hears(m) || (*m).p.is_null() {
            return;
        }
        let kind = match shared {
            true => Thing::RwMutex,
            false => Thing::Mutex,
        };
        let on = number(m, addr, kind, None);
        stream::record(m, NONE_P, curg(m), what(on));
    }
}

/// What is at `addr` now is another thing than before.
#[inline]
pub(crate) fn forget<T>(addr: *const T) {
    if on() {
        names::forget_dead(|known| known == addr as usize);
    }
}
