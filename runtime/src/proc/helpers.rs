#![allow(unsafe_code)]
//! The runtime's own goroutines: started in Go's order, parked, woken for their work.
//!
//! Go: runtime/proc.go, forcegchelper; mgcsweep.go, bgsweep; mfinal.go, runfinq.

use std::ptr;

use super::park::ready;
use crate::engine::Outcome;
use crate::g::{G, WaitReason};
use crate::m::{M, ParkArg};
use crate::stw;
use crate::sync::{AtomicUsize, Ordering};

/// The runtime's own goroutines that others wake.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Helper {
    /// Collects when sysmon finds that it is time.
    ForceGc,
    /// Sweeps in the background.
    Sweeper,
    /// Returns memory.
    Scavenger,
    /// Follows the machine's limit of CPUs.
    Updater,
    /// Runs finalizers and cleanups.
    Finalizer,
}

/// How many of the collector's helpers have begun; those the main goroutine waits for.
pub(super) static HELPERS: AtomicUsize = AtomicUsize::new(0);

/// The waiting main goroutine, 0 if it does not wait. Taken by the function that readies it.
static MAIN_WAITS: AtomicUsize = AtomicUsize::new(0);

pub(super) fn wait_helpers(m: &mut M, _g: &mut G) -> Outcome {
    unsafe fn commit(g: *mut G, _: ParkArg) -> bool {
        // Published only now, so that no helper readies it before it waits.
        MAIN_WAITS.store(g as usize, Ordering::SeqCst);
        if HELPERS.load(Ordering::SeqCst) >= 2 {
            // A helper came in between: the side that takes the word readies the main goroutine.
            return MAIN_WAITS.swap(0, Ordering::SeqCst) == 0;
        }
        true
    }
    m.park(Some(commit), ParkArg::NONE, WaitReason::ChanReceive);
    Outcome::Park
}

fn helper_ready(m: &mut M) {
    HELPERS.fetch_add(1, Ordering::SeqCst);
    let g = MAIN_WAITS.swap(0, Ordering::SeqCst);
    if g != 0 {
        // SAFETY: taking the word gives the wake-up.
        unsafe { ready(m, g as *mut G) };
    }
}

/// The helpers' Gs; 1 in `HELPER_IDLE` means that it is parked and may be woken.
static HELPER_G: [AtomicUsize; 5] = [const { AtomicUsize::new(0) }; 5];

static HELPER_IDLE: [AtomicUsize; 5] = [const { AtomicUsize::new(0) }; 5];

pub(super) fn set_helper(h: Helper, g: *mut G) {
    HELPER_G[h as usize].store(g as usize, Ordering::Release);
}

/// Takes the right to wake a parked helper; its G, or null if it is not parked.
pub(crate) fn take_helper(h: Helper) -> *mut G {
    if HELPER_IDLE[h as usize].swap(0, Ordering::SeqCst) == 0 {
        return ptr::null_mut();
    }
    HELPER_G[h as usize].load(Ordering::Acquire) as *mut G
}

/// Wakes a helper if it is parked.
///
/// Context: any stack of an M that holds a P.
pub(crate) fn wake_helper(m: &mut M, h: Helper) {
    let g = take_helper(h);
    if !g.is_null() {
        // SAFETY: taking it gave us the wake-up.
        unsafe { ready(m, g) };
    }
}

/// Finalizers wait to be run. Written by [`finalizers_wait`] and [`wake_finalizer`].
static FINALIZERS_WAIT: AtomicUsize = AtomicUsize::new(0);

/// Says that finalizers wait to be run: the next M that looks for work wakes their goroutine.
pub(crate) fn finalizers_wait() {
    if !crate::fault!(ForgetFinalizers) {
        FINALIZERS_WAIT.store(1, Ordering::SeqCst);
    }
}

/// Wakes the goroutine of finalizers if it is parked and has work.
///
/// Context: any stack of an M that holds a P. Go: runtime/mfinal.go, wakefing.
#[inline]
pub(crate) fn wake_finalizer(m: &mut M) {
    const FINALIZER: usize = Helper::Finalizer as usize;
    if FINALIZERS_WAIT.load(Ordering::Relaxed) != 0
        && HELPER_IDLE[FINALIZER].load(Ordering::Relaxed) != 0
    {
        FINALIZERS_WAIT.store(0, Ordering::SeqCst);
        wake_helper(m, Helper::Finalizer);
    }
}

/// Parks a helper until [`wake_helper`].
pub(super) fn park_helper(m: &mut M, h: Helper, reason: WaitReason) -> Outcome {
    unsafe fn commit(_g: *mut G, h: ParkArg) -> bool {
        HELPER_IDLE[h.as_number()].store(1, Ordering::SeqCst);
        true
    }
    m.park(Some(commit), ParkArg::number(h as usize), reason);
    Outcome::Park
}

/// One turn of a helper: says that it has begun, or does its work, and parks again.
fn helper(m: &mut M, g: &mut G, h: Helper, reason: WaitReason) -> Outcome {
    let mut m = m;
    // A wake-up of the finalizer helper before its first turn found it not parked.
    if g.native_state > 0 || h == Helper::Finalizer {
        m = hook(h, m);
    } else if matches!(h, Helper::Sweeper | Helper::Scavenger) {
        helper_ready(m);
    }
    g.native_state += 1;
    park_helper(m, h, reason)
}

pub(super) fn force_gc_helper(m: &mut M, g: &mut G) -> Outcome {
    helper(m, g, Helper::ForceGc, WaitReason::ForceGcIdle)
}

pub(super) fn sweeper(m: &mut M, g: &mut G) -> Outcome {
    helper(m, g, Helper::Sweeper, WaitReason::GcSweepWait)
}

pub(super) fn scavenger(m: &mut M, g: &mut G) -> Outcome {
    helper(m, g, Helper::Scavenger, WaitReason::GcScavengeWait)
}

pub(super) fn updater(m: &mut M, g: &mut G) -> Outcome {
    helper(m, g, Helper::Updater, WaitReason::UpdateGomaxprocsIdle)
}

pub(super) fn finalizer(m: &mut M, g: &mut G) -> Outcome {
    helper(m, g, Helper::Finalizer, WaitReason::FinalizerWait)
}

/// Work of a helper: runs on its coroutine, may park, returns the M it is on then.
pub(super) type HelperFn = for<'a> fn(&'a mut M) -> &'a mut M;

/// What a helper does when woken; 0 is nothing. Written by `set_helper_hook`.
static HOOKS: [AtomicUsize; 5] = [const { AtomicUsize::new(0) }; 5];

/// Sets what a helper does when it is woken.
pub fn set_helper_hook(h: Helper, f: HelperFn) {
    HOOKS[h as usize].store(f as *const () as usize, Ordering::Release);
}

fn hook(h: Helper, m: &mut M) -> &mut M {
    let f = HOOKS[h as usize].load(Ordering::Acquire);
    if f == 0 {
        return match h {
            Helper::Updater => stw::update_gomaxprocs(m),
            _ => m,
        };
    }
    // SAFETY: only `set_helper_hook` stores here, and it stores functions of this type.
    let f: HelperFn = unsafe { std::mem::transmute(f) };
    f(m)
}
