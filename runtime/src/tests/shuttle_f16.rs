//! switches::F16: of 31 Ms that go idle one after the other, beside one that is busy, no more than
//! half as many as there are busy Ps search.
//!
//! All 32 Ps stay busy, for an M that has found nothing is held where it would give up its P.

use super::world::{explore_n, go, start, wait_group};
use crate::M;
use crate::proc::hook;
use crate::sched::SCHED;
use crate::switches::{self, Mech};
use crate::sync::{AtomicU32, Ordering, futex_wait, futex_wake};

const IDLE: u32 = 31;

/// How many goroutines run; how many Ms have found nothing.
static BEGUN: AtomicU32 = AtomicU32::new(0);
static ARRIVED: AtomicU32 = AtomicU32::new(0);

/// Holds the thread, P and all, until the count is as high.
fn hold_until(count: &AtomicU32, n: u32) {
    loop {
        let seen = count.load(Ordering::SeqCst);
        if seen >= n {
            return;
        }
        futex_wait(count, seen, -1);
    }
}

fn count_one(count: &AtomicU32) -> u32 {
    let n = count.fetch_add(1, Ordering::SeqCst);
    futex_wake(count, i32::MAX);
    n
}

/// Step 11: nothing was found. Held for good, once all goroutines have begun.
fn arrive(_: *mut M, step: u8) {
    if step == 11 && BEGUN.load(Ordering::SeqCst) == IDLE {
        count_one(&ARRIVED);
        hold_until(&ARRIVED, u32::MAX);
    }
}

fn searchers() -> i32 {
    hook(arrive);
    let wg = wait_group(1);
    for _ in 0..IDLE {
        go(move || {
            let turn = count_one(&BEGUN);
            hold_until(&BEGUN, IDLE);
            hold_until(&ARRIVED, turn);
            let _ = wg;
        });
    }
    hold_until(&ARRIVED, IDLE);
    SCHED.nmspinning.load(Ordering::SeqCst)
}

fn limited() {
    start(IDLE as i32 + 1, || {
        let n = searchers();
        assert!(n <= 17, "{n} search");
    });
}

fn unlimited() {
    switches::set(Mech::SpinLimit, false);
    start(IDLE as i32 + 1, || assert_eq!(searchers(), IDLE as i32));
}

#[test]
fn shuttle_f16_searchers_are_limited() {
    explore_n("shuttle_f16_searchers_are_limited", 20, limited);
}

#[test]
fn shuttle_f16_off_all_search() {
    explore_n("shuttle_f16_off_all_search", 20, unlimited);
}
