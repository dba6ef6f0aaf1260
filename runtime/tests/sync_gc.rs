//! What waits survives collections: channels, elements in rings and in the hands of waiters,
//! timers.

#![allow(unsafe_code)]

mod sync_common;

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use gosched_runtime::gc;
use gosched_runtime::heap::{self, LayoutId};
use gosched_runtime::mutex::WaitGroup;
use gosched_runtime::{M, RootVisitor, chan, timer};
use sync_common::{Ch, Cx, program, var};

/// Channels: closures keep them where the collector does not look.
static ROOTS: Mutex<Vec<usize>> = Mutex::new(Vec::new());

fn visit(v: &mut dyn RootVisitor) {
    for &w in ROOTS.lock().unwrap().iter() {
        v.word(w);
    }
}

/// Words of a test object.
const WORDS: usize = 4;

/// A channel of pointers, kept alive.
fn pointers(cx: &mut Cx, cap: i64) -> Ch {
    let c = chan::make_chan(cx.m(), 8, LayoutId::POINTERS, cap).unwrap();
    ROOTS.lock().unwrap().push(c as usize);
    Ch(c)
}

/// An object that names another one; both are filled from `v`.
#[inline(never)]
fn object(cx: &mut Cx, v: u64) -> u64 {
    let leaf = heap::alloc(cx.m(), 8 * WORDS, LayoutId::NOSCAN).cast::<u64>();
    let top = heap::alloc(cx.m(), 16, LayoutId::POINTERS).cast::<u64>();
    // SAFETY: fresh memory.
    unsafe {
        for i in 0..WORDS {
            leaf.add(i).write(v.wrapping_mul(0x9e37) + i as u64);
        }
        top.write(leaf as u64);
    }
    top as u64
}

/// Whether the object is what `object` made of `v`.
#[inline(never)]
fn is_whole(top: u64, v: u64) -> bool {
    // SAFETY: if it was collected the memory is still there.
    unsafe {
        let leaf = (top as *const u64).read() as *const u64;
        !leaf.is_null()
            && (0..WORDS).all(|i| leaf.add(i).read() == v.wrapping_mul(0x9e37) + i as u64)
    }
}

/// Collects, and allocates over what became free.
fn collect(cx: &mut Cx) {
    cx.collect();
    for _ in 0..2000 {
        let p = heap::alloc(cx.m(), 8 * WORDS, LayoutId::NOSCAN);
        let q = heap::alloc(cx.m(), 16, LayoutId::POINTERS);
        // SAFETY: fresh memory.
        unsafe {
            p.write_bytes(0xee, 8 * WORDS);
            q.write_bytes(0, 16);
        }
    }
}

macro_rules! at_procs {
    ($($name:ident($procs:literal) = $body:ident;)*) => {
        $(#[test]
        fn $name() {
            program(stringify!($name), $procs, |cx| {
                gc::add_roots(visit);
                $body(cx);
            });
        })*
    };
}

at_procs! {
    a_ring_keeps_its_elements(1) = ring;
    channels_work_while_the_collector_does_1(1) = hammer;
    channels_work_while_the_collector_does_4(4) = hammer;
    a_set_timer_is_kept_with_its_argument(2) = timers;
    what_is_dropped_is_freed(1) = dropped;
}

fn ring(cx: &mut Cx) {
    let c = pointers(cx, 100);
    let (mut next_in, mut next_out) = (0, 0);
    for round in 0..10 {
        for _ in 0..100 - 10 * round {
            let o = object(cx, next_in);
            cx.send(c, o);
            next_in += 1;
        }
        collect(cx);
        for _ in 0..100 - 10 * round {
            let o = cx.recv(c);
            assert!(is_whole(o, next_out));
            next_out += 1;
        }
    }
}

fn hammer(cx: &mut Cx) {
    static STOP: AtomicBool = AtomicBool::new(false);
    const EACH: u64 = 2_000;
    let wg = var::<WaitGroup>();
    for cap in [0, 1, 16] {
        let c = pointers(cx, cap);
        cx.add(wg, 6).unwrap();
        for s in 0..3 {
            cx.go(move |cx| {
                for i in 0..EACH {
                    let v = s * EACH + i;
                    let o = object(cx, v);
                    // The object says what it is.
                    // SAFETY: its second word is free for that.
                    unsafe { (o as *mut u64).add(1).write(v) };
                    cx.send(c, o);
                }
                cx.add(wg, -1).unwrap();
            });
            cx.go(move |cx| {
                let never = cx.chan(0);
                for i in 0..EACH {
                    let o = if i % 3 == 0 {
                        cx.select(&[(c, None), (never, None)], true)
                            .unwrap()
                            .unwrap()
                            .1
                    } else {
                        cx.recv(c)
                    };
                    // SAFETY: `object` made it.
                    let v = unsafe { (o as *const u64).add(1).read() };
                    assert!(is_whole(o, v), "{v}");
                }
                cx.add(wg, -1).unwrap();
            });
        }
    }
    cx.go(move |cx| {
        while !STOP.load(Ordering::Relaxed) {
            collect(cx);
            cx.gosched();
        }
    });
    cx.wait(wg);
    STOP.store(true, Ordering::Relaxed);
}

static FIRED: AtomicU64 = AtomicU64::new(0);

unsafe fn fire(_: &mut M, arg: usize, _: usize, _: i64) {
    assert!(is_whole(arg as u64, 77));
    FIRED.fetch_add(1, Ordering::SeqCst);
}

#[inline(never)]
fn forget_timers(cx: &mut Cx) {
    for i in 0..100 {
        let arg = object(cx, 77) as usize;
        let at = timer::when(20_000_000 + i * 1000);
        // SAFETY: `fire` takes an object.
        unsafe { timer::new_timer(cx.m(), at, 0, fire, arg, std::ptr::null_mut()) };
    }
}

fn timers(cx: &mut Cx) {
    forget_timers(cx);
    collect(cx);
    collect(cx);
    while FIRED.load(Ordering::SeqCst) < 100 {
        cx.sleep(1_000_000);
    }
}

/// Channels with full rings that no variable names, and tickers no goroutine hears, are collected.
fn dropped(cx: &mut Cx) {
    static TICKS: AtomicUsize = AtomicUsize::new(0);
    unsafe fn tick(_: &mut M, _: usize, _: usize, _: i64) {
        TICKS.fetch_add(1, Ordering::Relaxed);
    }
    collect(cx);
    let before = cx.heap_objects();
    for _ in 0..20 {
        for _ in 0..100 {
            let c = Ch(chan::make_chan(cx.m(), 8, LayoutId::POINTERS, 10).unwrap());
            for v in 0..10 {
                let o = object(cx, v);
                cx.send(c, o);
            }
            let c = chan::make_timer_chan(cx.m(), 8, LayoutId::NOSCAN);
            // SAFETY: `tick` takes anything.
            unsafe { timer::new_timer(cx.m(), timer::when(1000), 1000, tick, c as usize, c) };
        }
        cx.collect();
    }
    let after = cx.heap_objects();
    assert!(after < before + 1000, "{before} objects, then {after}");
    assert_eq!(TICKS.load(Ordering::Relaxed), 0);
}
