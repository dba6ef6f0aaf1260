//! Sleep and timers on the real scheduler.

#![allow(unsafe_code)]

mod sync_common;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use gosched_runtime::chan::{self, Chan};
use gosched_runtime::heap::LayoutId;
use gosched_runtime::mutex::WaitGroup;
use gosched_runtime::timer::{self, Timer};
use gosched_runtime::trace::{self, What};
use gosched_runtime::{M, clock};
use sync_common::{Ch, Cx, program, var};

const MS: i64 = 1_000_000;

macro_rules! at_procs {
    ($($name:ident($procs:literal) = $body:ident;)*) => {
        $(#[test]
        fn $name() {
            program(stringify!($name), $procs, $body);
        })*
    };
}

at_procs! {
    sleepers_never_wake_early_1(1) = sleepers;
    sleepers_never_wake_early_4(4) = sleepers;
    sleeping_zero_does_nothing(1) = sleep_zero;
    a_timer_ticks_once(2) = ticks_once;
    a_stopped_timer_leaves_nothing(1) = stopped;
    a_reset_timer_has_no_stale_tick(1) = reset;
    a_timer_channel_looks_unbuffered(1) = unbuffered;
    t34c_a_slow_receiver_loses_ticks(1) = slow_receiver;
    t34b_a_sleeper_wakes_beside_loops_within_a_slice_or_two(1) = beside_loops;
    select_with_a_timeout(2) = timeout;
    functions_are_called_and_can_be_stopped(2) = functions;
    stop_races_with_firing_8(8) = stop_race;
    an_earlier_timer_wakes_the_poller(2) = earlier;
    a_ticker_keeps_its_rhythm_and_can_be_changed(2) = ticker;
    timers_of_a_busy_p_are_run_by_another(2) = stolen;
    forgotten_tickers_stay_out_of_the_heaps(1) = forgotten;
}

/// The tick: when it was due, by the clock.
unsafe fn tick(m: &mut M, c: usize, _: usize, late: i64) {
    let due = clock::nanotime() - late;
    // SAFETY: `c` is the channel of the timer, whose elements are words.
    unsafe { chan::send_tick(m, c as *mut Chan, (&raw const due).cast()) };
}

#[derive(Clone, Copy)]
struct T(*mut Timer, Ch);
// SAFETY: timers are made for this.
unsafe impl Send for T {}

impl T {
    fn new(cx: &mut Cx, ns: i64, period: i64) -> T {
        let c = chan::make_timer_chan(cx.m(), 8, LayoutId::NOSCAN);
        // SAFETY: `tick` fits the channel.
        let t = unsafe { timer::new_timer(cx.m(), timer::when(ns), period, tick, c as usize, c) };
        T(t, Ch(c))
    }

    fn stop(self) -> bool {
        // SAFETY: it is a timer.
        unsafe { timer::stop(self.0) }
    }

    fn reset(self, cx: &mut Cx, ns: i64, period: i64) -> bool {
        // SAFETY: it is a timer.
        unsafe { timer::set(cx.m(), self.0, timer::when(ns), period) }
    }
}

fn pass(ns: i64) {
    let end = clock::nanotime() + ns;
    while clock::nanotime() < end {
        std::hint::spin_loop();
    }
}

/// T-34.
fn sleepers(cx: &mut Cx) {
    let wg = var::<WaitGroup>();
    for i in 0..2_000i64 {
        cx.add(wg, 1).unwrap();
        cx.go(move |cx| {
            for k in 0..3 {
                let ns = (i * 7919 + k * 104_729) % 50 * MS / 2;
                let start = clock::nanotime();
                cx.sleep(ns);
                assert!(clock::nanotime() >= start + ns);
            }
            cx.add(wg, -1).unwrap();
        });
    }
    cx.wait(wg);
}

fn sleep_zero(cx: &mut Cx) {
    static RAN: AtomicU64 = AtomicU64::new(0);
    cx.go(|_| RAN.store(1, Ordering::Relaxed));
    cx.sleep(0);
    cx.sleep(-5);
    assert_eq!(RAN.load(Ordering::Relaxed), 0);
}

fn ticks_once(cx: &mut Cx) {
    let start = clock::nanotime();
    let t = T::new(cx, 5 * MS, 0);
    let due = cx.recv(t.1) as i64;
    assert!(due >= start + 5 * MS && clock::nanotime() >= due);
    assert!(!t.stop());
    assert_eq!(cx.try_recv(t.1), None);
}

fn stopped(cx: &mut Cx) {
    // Due, and not looked at: still pending, and nothing is left.
    let t = T::new(cx, MS, 0);
    pass(2 * MS);
    assert!(t.stop());
    assert!(!t.stop());
    assert_eq!(cx.try_recv(t.1), None);
    // Not due.
    let t = T::new(cx, 1000 * MS, 0);
    assert!(t.stop());
    // A receiver waits all the while. Should the machine keep us until the timer has fired, one
    // that is due later is tried.
    let tried = [1, 10, 100, 1000].into_iter().find_map(|ms| {
        let t = T::new(cx, ms * MS, 0);
        let done = cx.chan(0);
        cx.go(move |cx| {
            let v = cx.recv(t.1);
            cx.send(done, v);
        });
        cx.gosched();
        if t.stop() {
            cx.sleep((ms + 2) * MS);
            return Some((t, done));
        }
        cx.recv(done);
        None
    });
    let (t, done) = tried.expect("stopped before it was due");
    let at = timer::when(MS);
    assert!(!t.reset(cx, MS, 0));
    assert!(cx.recv(done) as i64 >= at - MS / 10);
}

fn reset(cx: &mut Cx) {
    let t = T::new(cx, MS, 0);
    pass(2 * MS);
    // The tick is due: `len` of the channel is 0 all the same, and Reset drops it.
    let start = clock::nanotime();
    assert!(t.reset(cx, 5 * MS, 0));
    let tick = cx.try_recv(t.1).map_or_else(|| cx.recv(t.1), |v| v.0);
    assert!(tick as i64 >= start + 5 * MS);
    // Also if it is in the ring already.
    let t = T::new(cx, MS, 0);
    pass(2 * MS);
    assert_eq!(
        cx.select(&[(t.1, None)], false).unwrap().map(|x| x.0),
        Some(0)
    );
    assert!(!t.reset(cx, 1000 * MS, 0));
    assert_eq!(cx.try_recv(t.1), None);
    assert!(t.stop());
}

fn unbuffered(cx: &mut Cx) {
    let t = T::new(cx, MS, 0);
    pass(2 * MS);
    // SAFETY: it is a channel.
    unsafe { assert_eq!((chan::len(t.1.0), chan::cap(t.1.0)), (0, 0)) };
    assert!(cx.try_recv(t.1).is_some());
}

/// T-34c.
fn slow_receiver(cx: &mut Cx) {
    let t = T::new(cx, 10 * MS, 10 * MS);
    for _ in 0..4 {
        cx.recv(t.1);
        cx.sleep(35 * MS);
        let before = clock::nanotime();
        assert!(cx.try_recv(t.1).is_some());
        // No other of those that were due before.
        assert!(cx.try_recv(t.1).is_none_or(|v| v.0 as i64 > before));
    }
    t.stop();
    cx.sleep(15 * MS);
    assert_eq!(cx.try_recv(t.1), None);
}

/// T-34b. Real Go, twenty sleeps of 1 ms: 1.7 to 46 ms, the median 25: two slices. How long slices
/// last on a busy machine is another question, so they are counted.
fn beside_loops(cx: &mut Cx) {
    static STOP: AtomicBool = AtomicBool::new(false);
    for _ in 0..2 {
        cx.go(|cx| {
            while !STOP.load(Ordering::Relaxed) {
                cx.safepoint();
            }
        });
    }
    let mut slices: Vec<usize> = (0..20)
        .map(|_| {
            trace::listen(true);
            let start = clock::nanotime();
            cx.sleep(MS);
            assert!(clock::nanotime() >= start + MS);
            trace::listen(false);
            let is_start = |e: &trace::Event| matches!(e.what, What::Start { .. });
            trace::take_events().into_iter().filter(is_start).count()
        })
        .collect();
    STOP.store(true, Ordering::Relaxed);
    slices.sort_unstable();
    // The sleeper's own start is one of them.
    assert!((2..=4).contains(&slices[10]), "{slices:?}");
}

fn timeout(cx: &mut Cx) {
    let never = cx.chan(0);
    for i in 0..20 {
        let t = T::new(cx, MS, 0);
        let got = cx
            .select(&[(never, None), (t.1, None)], true)
            .unwrap()
            .unwrap();
        assert_eq!(got.0, 1);
        let t = T::new(cx, 1000 * MS, 0);
        cx.go(move |cx| cx.send(never, i));
        assert_eq!(
            cx.select(&[(never, None), (t.1, None)], true),
            Ok(Some((0, i, true)))
        );
        assert!(t.stop());
    }
}

static CALLS: AtomicU64 = AtomicU64::new(0);

unsafe fn call(_: &mut M, _: usize, _: usize, late: i64) {
    assert!(late >= 0);
    CALLS.fetch_add(1, Ordering::SeqCst);
}

fn new_func(cx: &mut Cx, ns: i64) -> *mut Timer {
    // SAFETY: `call` needs nothing.
    unsafe { timer::new_timer(cx.m(), timer::when(ns), 0, call, 0, std::ptr::null_mut()) }
}

fn functions(cx: &mut Cx) {
    let a = new_func(cx, 2 * MS);
    let b = new_func(cx, 500 * MS);
    // SAFETY: they are timers.
    assert!(unsafe { timer::stop(b) });
    while CALLS.load(Ordering::SeqCst) == 0 {
        cx.sleep(MS);
    }
    cx.sleep(510 * MS);
    assert_eq!(CALLS.load(Ordering::SeqCst), 1);
    // SAFETY: as above.
    assert!(!unsafe { timer::stop(a) });
}

/// Every timer is either stopped in time or fires, never both.
fn stop_race(cx: &mut Cx) {
    static STOPPED: AtomicU64 = AtomicU64::new(0);
    const N: u64 = 8 * 500;
    let wg = var::<WaitGroup>();
    cx.add(wg, 8).unwrap();
    for w in 0..8i64 {
        cx.go(move |cx| {
            for i in 0..500i64 {
                let t = new_func(cx, (i * 37 + w) % 200 * 1000 + 1);
                if i % 3 == 0 {
                    cx.gosched();
                } else {
                    pass(i * 53 % 200 * 1000);
                }
                // SAFETY: it is a timer.
                if unsafe { timer::stop(t) } {
                    STOPPED.fetch_add(1, Ordering::SeqCst);
                }
            }
            cx.add(wg, -1).unwrap();
        });
    }
    cx.wait(wg);
    let ended = || STOPPED.load(Ordering::SeqCst) + CALLS.load(Ordering::SeqCst);
    let begun = Instant::now();
    while ended() < N && begun.elapsed().as_secs() < 5 {
        cx.sleep(MS);
    }
    cx.sleep(5 * MS);
    assert_eq!(ended(), N);
}

fn earlier(cx: &mut Cx) {
    let done = cx.chan(0);
    let t = T::new(cx, 60_000 * MS, 0);
    cx.go(move |cx| {
        let v = cx.recv(t.1);
        cx.send(done, v);
    });
    cx.sleep(5 * MS);
    let start = Instant::now();
    assert!(t.reset(cx, 5 * MS, 0));
    cx.recv(done);
    assert!(start.elapsed().as_millis() < 1000);
}

fn ticker(cx: &mut Cx) {
    let start = clock::nanotime();
    let t = T::new(cx, 2 * MS, 2 * MS);
    let mut last = start;
    for i in 1..=20 {
        let due = cx.recv(t.1) as i64;
        assert!(due > last && due >= start + i * 2 * MS);
        last = due;
    }
    let start = clock::nanotime();
    assert!(t.reset(cx, 10 * MS, 10 * MS));
    assert!(cx.recv(t.1) as i64 >= start + 10 * MS);
    assert!(cx.recv(t.1) as i64 >= start + 20 * MS);
    assert!(t.stop());
    assert!(!t.stop());
}

/// switches::F17. How late they may be is measured in `fair.rs`.
fn stolen(cx: &mut Cx) {
    for i in 0..100 {
        new_func(cx, (5 + i % 10) * MS);
    }
    // We keep our P: the M that runs them has another.
    let begun = Instant::now();
    while CALLS.load(Ordering::SeqCst) < 100 {
        assert!(begun.elapsed().as_secs() < 5, "some have not been called");
    }
}

fn forgotten(cx: &mut Cx) {
    let before = cx.m().p().timers.len();
    for _ in 0..1000 {
        T::new(cx, MS, MS);
    }
    assert_eq!(cx.m().p().timers.len(), before);
    // One that was waited for leaves the heap again.
    let t = T::new(cx, MS, MS);
    cx.recv(t.1);
    cx.sleep(MS);
    assert!(cx.m().p().timers.len() <= before + 1);
    assert!(cx.recv(t.1) > 0);
}
