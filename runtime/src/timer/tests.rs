#![allow(unsafe_code)]

use super::queue::{ARITY, heapify, sift_down, sift_up};
use super::*;
use crate::rand::Rand;
use crate::testing::Fake;

fn is_heap(entries: &[Entry]) -> bool {
    (1..entries.len()).all(|i| entries[(i - 1) / ARITY].when <= entries[i].when)
}

fn entry(when: i64) -> Entry {
    Entry {
        timer: ptr::null_mut(),
        when,
    }
}

#[test]
fn sifting_keeps_the_order() {
    let mut rand = Rand::new(3);
    let mut entries = Vec::new();
    for _ in 0..1000 {
        entries.push(entry(i64::from(rand.below(500))));
        let last = entries.len() - 1;
        sift_up(&mut entries, last);
        assert!(is_heap(&entries));
    }
    let mut last = 0;
    while !entries.is_empty() {
        let e = entries.swap_remove(0);
        if !entries.is_empty() {
            sift_down(&mut entries, 0);
        }
        assert!(e.when >= last && is_heap(&entries));
        last = e.when;
    }
    let mut entries: Vec<Entry> = (0..777).map(|_| entry(i64::from(rand.below(99)))).collect();
    heapify(&mut entries);
    assert!(is_heap(&entries));
}

/// Counts its firings in the word that `arg` names.
unsafe fn count(_: &mut M, arg: usize, _: usize, late: i64) {
    assert!(late >= 0);
    // SAFETY: the tests pass the address of a live counter.
    unsafe { *(arg as *mut u64) += 1 };
}

fn timer(counter: &mut u64) -> Box<Timer> {
    let mut t = Box::new(Timer::new(ptr::null_mut()));
    t.func = Some(count);
    t.arg = ptr::from_mut(counter) as usize;
    t
}

/// Runs what is due at `now`; returns the next deadline.
fn run(f: &mut Fake, now: i64) -> i64 {
    let p = f.p();
    // SAFETY: the fake P outlives the call.
    check_timers(f.m(), unsafe { &*p }, now).poll_until
}

#[test]
fn fires_once_and_not_early() {
    let mut f = Fake::new();
    let mut n = 0;
    let mut t = timer(&mut n);
    // SAFETY: the timer lives as long as the heap.
    unsafe {
        assert!(!set_any(f.m(), &raw mut *t, 100, 0));
        assert_eq!(run(&mut f, 99), 100);
        assert_eq!(n, 0);
        assert_eq!(run(&mut f, 100), 0);
        assert_eq!(n, 1);
        assert!(!stop_any(&raw mut *t));
        assert!(t.heap.is_null() && t.state == 0);
    }
}

#[test]
fn stopped_timers_do_not_fire_and_are_cleaned() {
    let mut f = Fake::new();
    let mut n = 0;
    let mut ts: Vec<Box<Timer>> = (0..100).map(|_| timer(&mut n)).collect();
    // SAFETY: the timers live as long as the heap.
    unsafe {
        for (i, t) in ts.iter_mut().enumerate() {
            set_any(f.m(), &raw mut **t, 1000 + i as i64, 0);
        }
        for t in ts.iter_mut().step_by(2) {
            assert!(stop_any(&raw mut **t));
            assert!(!stop_any(&raw mut **t));
        }
        // More than a quarter is marked, so the owner cleans though nothing is due.
        assert_eq!(run(&mut f, 10), 1001);
        assert_eq!((*f.p()).timers.len(), 50);
        assert_eq!(run(&mut f, 2000), 0);
        assert_eq!(n, 50);
        assert!((*f.p()).timers.is_empty());
    }
}

#[test]
fn a_timer_set_earlier_is_seen_without_the_lock() {
    let mut f = Fake::new();
    let mut n = 0;
    let (mut a, mut b) = (timer(&mut n), timer(&mut n));
    // SAFETY: the timers live as long as the heap.
    unsafe {
        set_any(f.m(), &raw mut *a, 500, 0);
        set_any(f.m(), &raw mut *b, 900, 0);
        assert!(set_any(f.m(), &raw mut *b, 200, 0));
        assert_eq!((*f.p()).timers.next_when(), 200);
        assert_eq!(run(&mut f, 200), 500);
        assert_eq!(n, 1);
        assert!(set_any(f.m(), &raw mut *a, 800, 0));
        assert_eq!(run(&mut f, 500), 800);
        assert_eq!(run(&mut f, 800), 0);
        assert_eq!(n, 2);
    }
}

#[test]
fn a_period_skips_what_was_missed() {
    let mut f = Fake::new();
    let mut n = 0;
    let mut t = timer(&mut n);
    // SAFETY: the timer lives as long as the heap.
    unsafe {
        set_any(f.m(), &raw mut *t, 100, 10);
        assert_eq!(run(&mut f, 100), 110);
        assert_eq!(run(&mut f, 147), 150);
        assert_eq!(n, 2);
        assert!(stop_any(&raw mut *t));
        assert_eq!(run(&mut f, 1000), 0);
        assert_eq!(n, 2);
    }
}

#[test]
fn timers_move_to_another_p() {
    let mut f = Fake::new();
    let mut n = 0;
    let (mut a, mut b) = (timer(&mut n), timer(&mut n));
    // SAFETY: the timers live as long as the heaps.
    unsafe {
        set_any(f.m(), &raw mut *a, 100, 0);
        set_any(f.m(), &raw mut *b, 200, 0);
        stop_any(&raw mut *b);
        let other = Box::new(P::new(1));
        move_timers(&*f.p(), &other);
        assert!((*f.p()).timers.is_empty());
        assert_eq!((other.timers.len(), other.timers.next_when()), (1, 100));
        assert!(b.heap.is_null());
        assert!(check_timers(f.m(), &other, 100).ran);
        assert_eq!(n, 1);
    }
}

#[test]
fn random_changes_agree_with_a_model() {
    let mut f = Fake::new();
    let mut rand = Rand::new(11);
    let mut counters = [0u64; 50];
    let mut ts: Vec<Box<Timer>> = counters.iter_mut().map(timer).collect();
    let mut model = [0i64; 50];
    let mut fired = [0u64; 50];
    let mut now = 1;
    // SAFETY: the timers live as long as the heap.
    unsafe {
        for _ in 0..50_000 {
            let i = rand.below(50) as usize;
            match rand.below(4) {
                0 | 1 => {
                    let when = now + 1 + i64::from(rand.below(100));
                    assert_eq!(set_any(f.m(), &raw mut *ts[i], when, 0), model[i] != 0);
                    model[i] = when;
                }
                2 => {
                    assert_eq!(stop_any(&raw mut *ts[i]), model[i] != 0);
                    model[i] = 0;
                }
                _ => {
                    now += i64::from(rand.below(30));
                    let next = run(&mut f, now);
                    for (when, fired) in model.iter_mut().zip(&mut fired) {
                        if *when != 0 && *when <= now {
                            *when = 0;
                            *fired += 1;
                        }
                    }
                    let first = model.iter().copied().filter(|w| *w != 0).min().unwrap_or(0);
                    assert!(next <= first || first == 0, "{next} after {first}");
                    assert!(first == 0 || next != 0);
                }
            }
        }
    }
    assert_eq!(counters, fired);
}
