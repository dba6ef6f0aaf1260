#![allow(unsafe_code)]
//! The collector under the real scheduler: roots on native stacks, several Ps, stress.

mod common;

use std::hint::black_box;
use std::sync::atomic::{AtomicUsize, Ordering};

use common::{WaitGroup, go, gosched, m, ok, run, suspend};
use gosched_runtime::chan::{self, Chan, ChanOp, SlotRef};
use gosched_runtime::gc::{self, Mode, SpecialKind};
use gosched_runtime::heap::{self, LayoutId};
use gosched_runtime::{Outcome, YieldKind, preempt, syscall};

/// What compiled code does at a loop safepoint.
fn safepoint() {
    if m().g().loop_guard.load(Ordering::Relaxed) == 0 {
        return;
    }
    if gc::is_due() {
        gc::safepoint(m());
    }
    if m().g().loop_guard.load(Ordering::Relaxed) & preempt::LOOP_PREEMPT != 0 {
        suspend(Outcome::Yield(YieldKind::Preempt));
    }
}

fn node(next: usize, value: usize) -> usize {
    safepoint();
    let p = heap::alloc(m(), 24, layout()) as *mut usize;
    // SAFETY: a fresh object of three words.
    unsafe {
        assert!(*p == 0 && *p.add(1) == 0 && *p.add(2) == 0, "not zeroed");
        heap::store_ptr(p, next);
        *p.add(1) = value;
    }
    p as usize
}

fn layout() -> LayoutId {
    use heap::WordKind::{Pointer, Scalar};
    heap::register_layout(24, &[Pointer, Scalar, Scalar])
}

fn list(n: usize, seed: usize) -> usize {
    (0..n).fold(0, |head, i| black_box(node(head, seed + i)))
}

fn sum(mut p: usize) -> usize {
    let mut s = 0;
    while p != 0 {
        // SAFETY: a list of `node`s that is still reachable.
        unsafe {
            s += *(p as *const usize).add(1);
            p = *(p as *const usize);
        }
    }
    s
}

fn want(n: usize, seed: usize) -> usize {
    n * seed + n * (n - 1) / 2
}

fn many_goroutines_keep_their_lists(goroutines: usize, rounds: usize, n: usize) {
    let wg: &'static WaitGroup = Box::leak(Box::new(WaitGroup::new(goroutines)));
    for id in 0..goroutines {
        go(move || {
            for round in 0..rounds {
                let seed = id * 1000 + round;
                let head = black_box(list(n, seed));
                list(n / 2, 1);
                gosched();
                assert_eq!(sum(head), want(n, seed));
            }
            wg.done();
        });
    }
    wg.wait();
}

#[test]
fn lists_on_native_stacks_survive() {
    for procs in ["1", "2", "8"] {
        ok(
            "lists_on_native_stacks_survive",
            &[("GOMAXPROCS", procs)],
            || {
                many_goroutines_keep_their_lists(20, 20, 3000);
                let (_, s) = gc::read_mem_stats(m());
                assert!(s.num_gc > 5, "{}", s.num_gc);
                assert_eq!(s.mallocs, 20 * 20 * 4500);
                assert!(s.heap_sys < 32 << 20, "{}", s.heap_sys);
            },
        );
    }
}

#[test]
fn stress_finds_nothing_missing() {
    for env in [("GODEBUG", "gcstress=1"), ("GODEBUG", "gcstress=37")] {
        let env = [env, ("GOMAXPROCS", "2")];
        ok("stress_finds_nothing_missing", &env, || {
            many_goroutines_keep_their_lists(5, 4, 60);
            // 1,800 safepoints and more, a turn at each 37th at least. A collection has two, where
            // it begins and where it ends, and each may be shared by all five goroutines.
            let (_, s) = gc::read_mem_stats(m());
            assert!(s.num_gc >= 4, "{}", s.num_gc);
        });
    }
}

#[test]
fn a_goroutine_in_a_system_call_keeps_its_objects() {
    ok(
        "a_goroutine_in_a_system_call_keeps_its_objects",
        &[("GOMAXPROCS", "2")],
        || {
            static DONE: AtomicUsize = AtomicUsize::new(0);
            go(|| {
                let head = list(100, 7);
                syscall::enter(m(), syscall::KernelCall::NONE);
                std::thread::sleep(std::time::Duration::from_millis(30));
                syscall::exit(m());
                assert_eq!(sum(black_box(head)), want(100, 7));
                DONE.store(1, Ordering::SeqCst);
            });
            while DONE.load(Ordering::SeqCst) == 0 {
                gc::collect(m(), Mode::Forced);
                list(1000, 0);
                gosched();
            }
        },
    );
}

#[test]
fn forced_collections_free_and_count() {
    ok("forced_collections_free_and_count", &[], || {
        let before = gc::read_mem_stats(m()).1;
        list(1000, 1);
        let p = black_box(list(10, 1));
        gc::collect(m(), Mode::Forced);
        let s = gc::read_mem_stats(m()).1;
        assert_eq!(s.num_forced_gc, 1);
        assert_eq!(s.mallocs - before.mallocs, 1010);
        assert!((10..40).contains(&s.heap_objects), "{}", s.heap_objects);
        assert_eq!(sum(p), want(10, 1));
        assert!(s.pause_ns[0] > 0 && s.pause_total_ns >= s.pause_ns[0] && s.last_gc != 0);
        assert!(s.stack_inuse >= 32 << 10 && s.sys > s.heap_sys);
        gc::free_os_memory(m());
        let s = gc::read_mem_stats(m()).1;
        assert_eq!(s.heap_released, s.heap_idle);
    });
}

#[test]
fn t66_gctrace_writes_gos_line() {
    let env = [("GODEBUG", "gctrace=1")];
    let out = run("t66_gctrace_writes_gos_line", &env, || {
        list(300_000, 1);
        gc::collect(m(), Mode::Forced);
    });
    let err = String::from_utf8_lossy(&out.stderr).into_owned();
    let lines: Vec<&str> = err.lines().filter(|l| l.starts_with("gc ")).collect();
    assert!(lines.len() >= 2, "{err}");
    assert!(
        lines[0].starts_with("gc 1 @0.") && lines[0].contains("s 0%: ") || lines[0].contains("%: "),
        "{err}"
    );
    assert!(
        lines[0].contains(" ms clock, ") && lines[0].contains(" MB goal, "),
        "{err}"
    );
    assert!(
        lines.last().is_some_and(|l| l.ends_with(" P (forced)")),
        "{err}"
    );
}

#[test]
fn cleanups_are_told_of_the_dead() {
    ok("cleanups_are_told_of_the_dead", &[], || {
        fn make() {
            let p = black_box(list(1, 1));
            assert!(gc::add_special(p, SpecialKind::Cleanup, [42, 0, 0]).is_some());
        }
        #[inline(never)]
        fn wipe(n: usize) -> usize {
            let a = black_box([n; 512]);
            if n == 0 { a[0] } else { wipe(n - 1) + a[1] }
        }
        make();
        black_box(wipe(8));
        gc::collect(m(), Mode::Forced);
        let dead = gc::next_dead().expect("the object is dead");
        assert_eq!((dead.kind, dead.words[0]), (SpecialKind::Cleanup, 42));
        assert_eq!(gc::next_dead(), None);
    });
}

fn chan_send(c: *mut Chan, v: usize) {
    let mut slot = black_box([v]);
    let (m, g) = (m(), m().curg);
    // SAFETY: the slot lies on this goroutine's native stack, which does not move.
    unsafe {
        let op = chan::send(m, &mut *g, c, SlotRef::addr(slot.as_mut_ptr()), true);
        if op == ChanOp::Blocked {
            suspend(Outcome::Park);
            chan::finish_send(common::m(), &mut *g).expect("nobody closes it");
        }
    }
    black_box(slot);
}

fn chan_recv(c: *mut Chan) -> usize {
    let mut slot = black_box([0usize]);
    let (m, g) = (m(), m().curg);
    // SAFETY: as in `chan_send`.
    unsafe {
        let op = chan::recv(m, &mut *g, c, SlotRef::addr(slot.as_mut_ptr()), true);
        if op == ChanOp::Blocked {
            suspend(Outcome::Park);
            chan::finish_recv(common::m(), &mut *g);
        }
    }
    black_box(slot)[0]
}

fn lists_travel(cap: i64, rounds: usize) {
    const PAIRS: usize = 6;
    let wg: &'static WaitGroup = Box::leak(Box::new(WaitGroup::new(PAIRS)));
    // On the native stack: boxed closures that have not run yet are no roots.
    let mut chans = [0usize; PAIRS];
    for (id, kept) in chans.iter_mut().enumerate() {
        let c = chan::make_chan(m(), 8, LayoutId::POINTERS, cap).expect("small") as usize;
        *kept = c;
        go(move || {
            for round in 0..rounds {
                chan_send(c as *mut Chan, list(40, id + round));
                list(20, 0);
            }
        });
        go(move || {
            for round in 0..rounds {
                let head = chan_recv(c as *mut Chan);
                list(10, 0);
                assert_eq!(sum(head), want(40, id + round));
            }
            wg.done();
        });
    }
    black_box(&mut chans);
    wg.wait();
    black_box(&mut chans);
}

#[test]
fn lists_in_channels_survive() {
    for procs in ["1", "2", "8"] {
        let env = [("GOMAXPROCS", procs), ("GODEBUG", "gcstress=11")];
        ok("lists_in_channels_survive", &env, || {
            lists_travel(0, 100);
            lists_travel(7, 100);
        });
    }
}

#[test]
fn out_of_memory_is_told_as_in_go() {
    let out = run("out_of_memory_is_told_as_in_go", &[], || {
        black_box(heap::alloc(m(), 1 << 50, LayoutId::NOSCAN));
    });
    let err = String::from_utf8_lossy(&out.stderr).into_owned();
    let text = "runtime: out of memory: cannot allocate 1125899906842624-byte block (";
    assert!(
        err.contains(text) && err.contains("fatal error: out of memory\n"),
        "{err}"
    );
    assert_eq!(out.status.code(), Some(2));
}

#[test]
fn free_memory_goes_back_in_the_background() {
    ok("free_memory_goes_back_in_the_background", &[], || {
        for _ in 0..32 {
            let p = heap::alloc(m(), 1 << 20, LayoutId::NOSCAN);
            // SAFETY: a fresh object of that size.
            unsafe { std::ptr::write_bytes(p, 1, 1 << 20) };
        }
        gc::collect(m(), Mode::Background);
        for _ in 0..1000 {
            let s = gc::read_mem_stats(m()).1;
            if s.heap_idle - s.heap_released < 6 << 20 {
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(2));
            gosched();
        }
        panic!("it does not");
    });
}
