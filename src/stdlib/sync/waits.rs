#![allow(unsafe_code)]
//! Natives' way to the locks and queues of the runtime: safe functions over Go memory.
//!
//! # Invariants
//!
//! - W1. The pointers come from parameters whose Go types (`*sync.Mutex`, `*sync.notifyList`, …)
//!   have the runtime's layout; nil is refused first.
//! - W2. A native that blocks leaves at once, and nothing of it remains on the native stack;
//!   [`resume`] completes it.
//! - W3. Before every call of `(*sync.Mutex).Lock` or
//!   `Unlock` stands the instruction that begins it.
//!
//! Go: the linknames of sync.

use gosched_runtime::YieldKind;
use gosched_runtime::g::G;
use gosched_runtime::m::M;
use gosched_runtime::mutex::{self, Mutex, RwMutex, SyncOp, WaitGroup};
use gosched_runtime::pool::{self, Place};
use gosched_runtime::sema::{self, NotifyList};

use vm::native::{Cx, NativeResult, Ptr, Res, finish};

/// Turns the runtime's answer into the native's.
pub(crate) fn answer(cx: &mut Cx, op: SyncOp) -> Res<()> {
    match op {
        SyncOp::Done => Ok(()),
        SyncOp::Yield => cx.yield_now(YieldKind::Local, None),
        SyncOp::Blocked => cx.parked(Some(resume)),
        SyncOp::Fatal(text) => cx.fatal(text),
        SyncOp::Panic(text) => cx.panic(text),
    }
}

/// What completes a wait once the goroutine has been woken.
fn resume(cx: &mut Cx) -> NativeResult {
    let (m, g) = both(cx);
    // SAFETY: W2 — the goroutine has parked after `Blocked`.
    let op = unsafe { mutex::resume(m, g) };
    finish(answer(cx, op), cx)
}

/// M and G, which are distinct objects.
pub(crate) fn both(cx: &mut Cx) -> (&mut M, &mut G) {
    // SAFETY: both are live while the native runs, and the `Cx` is borrowed as long as they are.
    unsafe { (&mut *cx.m_ptr(), &mut *cx.g_ptr()) }
}

macro_rules! waits {
    ($($(#[$doc:meta])* $name:ident($t:ty) => |$m:ident, $g:ident, $p:ident| $op:expr;)*) => { $(
        $(#[$doc])*
        pub fn $name(cx: &mut Cx, p: Ptr) -> Res<()> {
            let $p = p.check()? as *mut $t;
            let ($m, $g) = both(cx);
            let _ = &$g;
            // SAFETY: W1, W3.
            let op = unsafe { $op };
            answer(cx, op)
        }
    )* };
}
waits! {
    /// `(*sync.Mutex).Lock`, when `Op::LockJump` has not got it
    lock(Mutex) => |m, g, p| mutex::lock_slow(m, g, p);
    /// `(*sync.RWMutex).Lock`
    rw_lock(RwMutex) => |m, g, p| mutex::rw_lock(m, g, p);
    /// `(*sync.RWMutex).Unlock`
    rw_unlock(RwMutex) => |m, g, p| mutex::rw_unlock(m, p);
    /// `(*sync.RWMutex).RLock`
    rlock(RwMutex) => |m, g, p| mutex::rlock(m, g, p);
    /// `(*sync.RWMutex).RUnlock`
    runlock(RwMutex) => |m, g, p| mutex::runlock(m, p);
    /// `(*sync.WaitGroup).Wait`
    wait_group_wait(WaitGroup) => |m, g, p| mutex::wait_group_wait(m, g, p);
}

/// `(*sync.Mutex).Unlock`, as far as `Op::UnlockJump` has not done it
pub fn unlock(cx: &mut Cx, p: Ptr) -> Res<()> {
    let p = p.check()? as *mut Mutex;
    let left = cx.unlocked();
    // SAFETY: W1, W3.
    let op = unsafe { mutex::unlock_slow(cx.m(), p, left) };
    answer(cx, op)
}

/// `(*sync.WaitGroup).Add`
pub fn wait_group_add(cx: &mut Cx, p: Ptr, delta: i64) -> Res<()> {
    let p = p.check()? as *const WaitGroup;
    let (m, _) = both(cx);
    // SAFETY: W1.
    let op = unsafe { mutex::wait_group_add(m, p, delta) };
    answer(cx, op)
}

/// `(*sync.Mutex).TryLock`
pub fn try_lock(p: Ptr) -> Res<bool> {
    let p = p.check()? as *const Mutex;
    // SAFETY: W1.
    Ok(unsafe { mutex::try_lock(p) })
}

/// `(*sync.RWMutex).TryLock`
pub fn rw_try_lock(cx: &mut Cx, p: Ptr) -> Res<bool> {
    let p = p.check()? as *const RwMutex;
    // SAFETY: W1.
    Ok(unsafe { mutex::rw_try_lock(cx.m(), p) })
}

/// `(*sync.RWMutex).TryRLock`
pub fn try_rlock(p: Ptr) -> Res<bool> {
    let p = p.check()? as *const RwMutex;
    // SAFETY: W1.
    Ok(unsafe { mutex::try_rlock(p) })
}

/// Tells the collector of a place of a `sync.Pool`.
pub(crate) fn list_pool(p: Ptr) -> Res<()> {
    let p = p.check()? as *mut Place;
    // SAFETY: W1; package sync calls this pinned, for places that are not listed.
    unsafe { pool::list(p) };
    Ok(())
}

/// Takes a ticket of a `sync.Cond`.
pub fn notify_add(p: Ptr) -> Res<u32> {
    let p = p.check()? as *mut NotifyList;
    // SAFETY: W1.
    Ok(unsafe { sema::notify_add(p) })
}

/// Waits until the ticket is called.
pub fn notify_wait(cx: &mut Cx, p: Ptr, ticket: u32) -> Res<()> {
    let p = p.check()? as *mut NotifyList;
    let (m, g) = both(cx);
    // SAFETY: W1.
    let op = unsafe { sema::notify_wait(m, g, p, ticket) };
    answer(cx, op)
}

/// Calls one ticket, or all.
pub fn notify(cx: &mut Cx, p: Ptr, all: bool) -> Res<()> {
    let p = p.check()? as *mut NotifyList;
    let (m, _) = both(cx);
    // SAFETY: W1.
    unsafe {
        if all {
            sema::notify_all(m, p);
        } else {
            sema::notify_one(m, p);
        }
    }
    Ok(())
}
