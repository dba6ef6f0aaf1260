//! Semaphores, Mutex, RWMutex, WaitGroup and notify lists on the real scheduler.

#![allow(unsafe_code)]

mod sync_common;

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use gosched_runtime::WaitReason;
use gosched_runtime::mutex::{self, Mutex, RwMutex, WaitGroup};
use gosched_runtime::sema::NotifyList;
use gosched_runtime::trace::{self, What};
use sync_common::{Cx, Shared, program, program_in, var};

/// What goroutines have noted, in order.
static LOG: std::sync::Mutex<Vec<u64>> = std::sync::Mutex::new(Vec::new());

fn note(v: u64) {
    LOG.lock().unwrap().push(v);
}

fn log() -> Vec<u64> {
    std::mem::take(&mut *LOG.lock().unwrap())
}

/// Lets every other goroutine run until it waits; only with one P.
fn settle(cx: &mut Cx) {
    for _ in 0..3 {
        cx.gosched();
    }
}

macro_rules! at_procs {
    ($($name:ident($procs:literal) = $body:ident;)*) => {
        $(#[test]
        fn $name() {
            program(stringify!($name), $procs, $body);
        })*
    };
}

at_procs! {
    mutex_excludes_1(1) = mutex_excludes;
    mutex_excludes_2(2) = mutex_excludes;
    mutex_excludes_8(8) = mutex_excludes;
    t50_semaphores_keep_their_count_2(2) = semaphore_count;
    t50_semaphores_keep_their_count_8(8) = semaphore_count;
    rwmutex_excludes_2(2) = rwmutex_excludes;
    rwmutex_excludes_8(8) = rwmutex_excludes;
    wait_group_waits_8(8) = wait_group_waits;
    notify_list_loses_nothing_8(8) = notify_hammer;
    t51_a_waiter_that_loses_queues_in_front(1) = loser_in_front;
    t52_a_writer_waits_for_the_last_reader(1) = last_reader;
    t53_the_last_done_wakes_all_waiters(1) = all_waiters;
    t50_waiters_are_first_in_first_out(1) = mutex_order;
    t53_misuse_has_gos_texts(1) = misuse;
    try_locks_never_wait(1) = try_locks;
    t53_signal_wakes_in_order_of_tickets(1) = signal_order;
    t53_broadcast_runs_the_youngest_first(1) = broadcast_order;
    t53_a_signal_between_ticket_and_park_is_not_lost(1) = signal_early;
    t50_handing_over_runs_the_waiter_at_once(1) = handoff;
}

/// Runs a test of delays up to three times: others run on the machine.
fn mostly(name: &str, procs: u32, main: fn(&mut Cx)) {
    let fails = || std::panic::catch_unwind(|| program(name, procs, main)).is_err();
    if fails() && fails() {
        program(name, procs, main);
    }
}

#[test]
#[ignore = "measures a delay; `cargo proof` runs it"]
fn t51_a_mutex_starves_nobody() {
    mostly("t51_a_mutex_starves_nobody", 1, |cx| {
        let worst = worst_wait(cx, 10, STARVATION_LIMIT);
        assert!(worst <= STARVATION_LIMIT, "{worst:?}");
    });
}

/// Real Go at GOMAXPROCS=1: 20 to 25 ms, two slices.
const STARVATION_LIMIT: Duration = Duration::from_millis(150);

/// How often a waiter may come too late: it is woken at most once in the 100 µs that the holder
/// keeps the mutex, asks for it when it has waited for 1 ms, and then gets it.
const LATE: usize = 13;

#[test]
#[ignore = "measures a delay; `cargo proof` runs it"]
fn t51_a_starving_waiter_gets_the_mutex() {
    program("t51_a_starving_waiter_gets_the_mutex", 2, |cx| {
        let waits = waits_for_mutex(cx);
        assert!(waits.iter().all(|n| *n <= LATE), "{waits:?}");
    });
}

#[test]
#[ignore = "measures a delay; `cargo proof` runs it"]
fn t51_off_the_holder_takes_it_again() {
    program("t51_off_the_holder_takes_it_again", 2, |cx| {
        gosched_runtime::switches::without("mutex-starvation").unwrap();
        let waits = waits_for_mutex(cx);
        assert!(waits.iter().any(|n| *n >= 3 * LATE), "{waits:?}");
    });
}

#[test]
#[ignore = "measures a delay; `cargo proof` runs it"]
fn t52_a_writer_gets_in_between_readers() {
    mostly("t52_a_writer_gets_in_between_readers", 2, |cx| {
        let waits = writer_waits(cx);
        assert!(
            waits.iter().all(|w| *w < Duration::from_millis(150)),
            "{waits:?}"
        );
    });
}

#[test]
#[ignore = "measures a delay; `cargo proof` runs it"]
fn f20_a_waiting_writer_keeps_new_readers_out() {
    mostly("f20_a_waiting_writer_keeps_new_readers_out", 2, |cx| {
        let waits = writer_waits(cx);
        assert!(
            waits.iter().all(|w| *w < Duration::from_millis(20)),
            "{waits:?}"
        );
    });
}

#[test]
fn f20_off_readers_keep_the_writer_out() {
    program("f20_off_readers_keep_the_writer_out", 2, |cx| {
        static IN: AtomicBool = AtomicBool::new(false);
        gosched_runtime::switches::without("writer-preference").unwrap();
        let rw = readers(cx);
        cx.go(move |cx| {
            cx.wlock(rw);
            IN.store(true, Ordering::Relaxed);
            cx.wunlock(rw).unwrap();
        });
        cx.sleep(1_000_000_000);
        assert!(!IN.load(Ordering::Relaxed));
    });
}

#[test]
fn writer_without_preference_still_gets_in() {
    // Weaker, but it must neither hang nor break.
    program_in(
        "writer_without_preference_still_gets_in",
        2,
        60,
        &[],
        |cx| {
            gosched_runtime::switches::without("writer-preference").unwrap();
            rwmutex_excludes(cx);
        },
    );
}

/// A counter that only its lock protects.
struct Racy(std::cell::UnsafeCell<u64>);
// SAFETY: the test takes the lock it tests.
unsafe impl Sync for Racy {}

impl Racy {
    /// Adds one, slowly enough for a second one inside to be noticed.
    fn bump(&self) {
        let p = self.0.get();
        // SAFETY: if the lock works, no other goroutine is here; else the test fails by its sum.
        unsafe {
            let v = p.read_volatile();
            std::hint::spin_loop();
            p.write_volatile(v + 1);
        }
    }

    fn get(&self) -> u64 {
        // SAFETY: as above.
        unsafe { self.0.get().read_volatile() }
    }
}

static COUNTER: Racy = Racy(std::cell::UnsafeCell::new(0));

fn mutex_excludes(cx: &mut Cx) {
    const WORKERS: u64 = 8;
    const EACH: u64 = 20_000;
    let (mu, wg) = (var::<Mutex>(), var::<WaitGroup>());
    for w in 0..WORKERS {
        cx.add(wg, 1).unwrap();
        cx.go(move |cx| {
            for i in 0..EACH {
                cx.lock(mu);
                COUNTER.bump();
                if (i + w) % 1000 == 0 {
                    cx.gosched();
                }
                cx.unlock(mu).unwrap();
            }
            cx.add(wg, -1).unwrap();
        });
    }
    cx.wait(wg);
    assert_eq!(COUNTER.get(), WORKERS * EACH);
}

/// T-50: at most three goroutines are inside at once.
fn semaphore_count(cx: &mut Cx) {
    static INSIDE: AtomicU64 = AtomicU64::new(0);
    let (sema, wg) = (var::<AtomicU32>(), var::<WaitGroup>());
    sema.0.store(3, Ordering::SeqCst);
    for w in 0..64 {
        cx.add(wg, 1).unwrap();
        cx.go(move |cx| {
            for i in 0..1_000 {
                cx.acquire(sema);
                assert!(INSIDE.fetch_add(1, Ordering::SeqCst) < 3);
                if i % 100 == 0 {
                    cx.gosched();
                }
                INSIDE.fetch_sub(1, Ordering::SeqCst);
                cx.release(sema, w % 2 == 0);
            }
            cx.add(wg, -1).unwrap();
        });
    }
    cx.wait(wg);
    assert_eq!(sema.0.load(Ordering::SeqCst), 3);
}

fn rwmutex_excludes(cx: &mut Cx) {
    static READERS: AtomicU64 = AtomicU64::new(0);
    static WRITERS: AtomicU64 = AtomicU64::new(0);
    let (rw, wg) = (var::<RwMutex>(), var::<WaitGroup>());
    for w in 0..8 {
        cx.add(wg, 1).unwrap();
        cx.go(move |cx| {
            for i in 0..4_000 {
                if (i + w) % 4 == 0 {
                    cx.wlock(rw);
                    assert_eq!(WRITERS.fetch_add(1, Ordering::SeqCst), 0);
                    assert_eq!(READERS.load(Ordering::SeqCst), 0);
                    if i % 100 == 0 {
                        cx.gosched();
                    }
                    WRITERS.fetch_sub(1, Ordering::SeqCst);
                    cx.wunlock(rw).unwrap();
                } else {
                    cx.rlock(rw);
                    READERS.fetch_add(1, Ordering::SeqCst);
                    assert_eq!(WRITERS.load(Ordering::SeqCst), 0);
                    if i % 99 == 0 {
                        cx.gosched();
                    }
                    READERS.fetch_sub(1, Ordering::SeqCst);
                    cx.runlock(rw).unwrap();
                }
            }
            cx.add(wg, -1).unwrap();
        });
    }
    cx.wait(wg);
}

fn wait_group_waits(cx: &mut Cx) {
    static N: AtomicU64 = AtomicU64::new(0);
    let (wg, all) = (var::<WaitGroup>(), var::<WaitGroup>());
    for round in 1..=200 {
        cx.add(wg, 10).unwrap();
        for _ in 0..10 {
            cx.go(move |cx| {
                N.fetch_add(1, Ordering::Relaxed);
                cx.add(wg, -1).unwrap();
            });
        }
        cx.add(all, 3).unwrap();
        for _ in 0..3 {
            cx.go(move |cx| {
                cx.wait(wg);
                assert_eq!(N.load(Ordering::Relaxed), round * 10);
                cx.add(all, -1).unwrap();
            });
        }
        cx.wait(wg);
        assert_eq!(N.load(Ordering::Relaxed), round * 10);
        cx.wait(all);
    }
}

/// Tickets are taken under a mutex, as Cond does; every item put in is taken out.
fn notify_hammer(cx: &mut Cx) {
    static ITEMS: AtomicU64 = AtomicU64::new(0);
    const EACH: u64 = 2_000;
    let (mu, list, wg) = (var::<Mutex>(), var::<NotifyList>(), var::<WaitGroup>());
    cx.add(wg, 8).unwrap();
    for w in 0..8 {
        cx.go(move |cx| {
            for _ in 0..EACH {
                cx.lock(mu);
                if w % 2 == 0 {
                    ITEMS.fetch_add(1, Ordering::Relaxed);
                    cx.unlock(mu).unwrap();
                    cx.signal(list);
                    continue;
                }
                while ITEMS.load(Ordering::Relaxed) == 0 {
                    cx.cond_wait(list, |cx| cx.unlock(mu).unwrap());
                    cx.lock(mu);
                }
                ITEMS.fetch_sub(1, Ordering::Relaxed);
                cx.unlock(mu).unwrap();
            }
            cx.add(wg, -1).unwrap();
        });
    }
    cx.wait(wg);
    assert_eq!(ITEMS.load(Ordering::Relaxed), 0);
}

/// As measured with real Go.
fn mutex_order(cx: &mut Cx) {
    let mu = var::<Mutex>();
    cx.lock(mu);
    for i in 0..5 {
        cx.go(move |cx| {
            cx.lock(mu);
            note(i);
            cx.unlock(mu).unwrap();
        });
        settle(cx);
    }
    cx.unlock(mu).unwrap();
    for _ in 0..5 {
        settle(cx);
    }
    assert_eq!(log(), [0, 1, 2, 3, 4]);
}

/// T-51. The first of three waiters is woken, and the mutex taken before it runs.
fn loser_in_front(cx: &mut Cx) {
    let mu = var::<Mutex>();
    for _ in 0..20 {
        cx.lock(mu);
        for i in 0..3 {
            cx.go(move |cx| {
                cx.lock(mu);
                note(i);
                cx.unlock(mu).unwrap();
            });
            settle(cx);
        }
        cx.unlock(mu).unwrap();
        cx.lock(mu);
        settle(cx);
        assert_eq!(log(), [], "it came too late");
        cx.unlock(mu).unwrap();
        for _ in 0..5 {
            settle(cx);
        }
        assert_eq!(log(), [0, 1, 2]);
    }
}

/// T-52.
fn last_reader(cx: &mut Cx) {
    let rw = var::<RwMutex>();
    for _ in 0..3 {
        cx.rlock(rw);
    }
    cx.go(move |cx| {
        cx.wlock(rw);
        note(1);
        cx.wunlock(rw).unwrap();
    });
    settle(cx);
    for _ in 0..3 {
        assert_eq!(log(), [], "beside readers");
        cx.runlock(rw).unwrap();
        settle(cx);
    }
    assert_eq!(log(), [1]);
}

/// T-53.
fn all_waiters(cx: &mut Cx) {
    let wg = var::<WaitGroup>();
    cx.add(wg, 2).unwrap();
    for _ in 0..5 {
        cx.go(move |cx| {
            cx.wait(wg);
            note(1);
        });
    }
    settle(cx);
    cx.add(wg, -1).unwrap();
    settle(cx);
    assert_eq!(log(), []);
    cx.add(wg, -1).unwrap();
    settle(cx);
    assert_eq!(log(), [1; 5]);
}

fn misuse(cx: &mut Cx) {
    assert_eq!(cx.unlock(var()), Err("sync: unlock of unlocked mutex"));
    assert_eq!(cx.runlock(var()), Err("sync: RUnlock of unlocked RWMutex"));
    assert_eq!(cx.wunlock(var()), Err("sync: Unlock of unlocked RWMutex"));
    assert_eq!(cx.add(var(), -1), Err("sync: negative WaitGroup counter"));
    // A second round begins before the waiter of the first has run.
    let wg = var::<WaitGroup>();
    cx.add(wg, 1).unwrap();
    cx.go(move |cx| {
        let text = "sync: WaitGroup is reused before previous Wait has returned";
        assert_eq!(cx.wait_result(wg), Err(text));
        note(1);
    });
    settle(cx);
    cx.add(wg, -1).unwrap();
    cx.add(wg, 1).unwrap();
    settle(cx);
    assert_eq!(log(), [1]);
}

fn try_locks(cx: &mut Cx) {
    let (mu, rw) = (var::<Mutex>(), var::<RwMutex>());
    // SAFETY: they are what they are called.
    unsafe {
        assert!(mutex::try_lock(mu.0));
        assert!(!mutex::try_lock(mu.0));
        cx.unlock(mu).unwrap();
        assert!(mutex::try_lock(mu.0));

        assert!(mutex::try_rlock(rw.0));
        assert!(mutex::try_rlock(rw.0));
        assert!(!mutex::rw_try_lock(cx.m(), rw.0));
        cx.runlock(rw).unwrap();
        cx.runlock(rw).unwrap();
        assert!(mutex::rw_try_lock(cx.m(), rw.0));
        assert!(!mutex::try_rlock(rw.0));
        cx.wunlock(rw).unwrap();
        assert!(mutex::try_rlock(rw.0));
        // A writer that waits keeps new readers out.
        cx.go(move |cx| {
            cx.wlock(rw);
            note(1);
            cx.wunlock(rw).unwrap();
        });
        settle(cx);
        assert!(!mutex::try_rlock(rw.0));
        cx.runlock(rw).unwrap();
        settle(cx);
        assert_eq!(log(), [1]);
    }
}

/// T-53.
fn signal_order(cx: &mut Cx) {
    let list = var::<NotifyList>();
    for i in 0..100 {
        cx.go(move |cx| {
            cx.cond_wait(list, |_| {});
            note(i);
        });
        settle(cx);
    }
    for i in 0..100 {
        cx.signal(list);
        settle(cx);
        assert_eq!(log(), [i]);
    }
    cx.signal(list);
}

/// As measured with real Go.
fn broadcast_order(cx: &mut Cx) {
    let list = var::<NotifyList>();
    for i in 0..6 {
        cx.go(move |cx| {
            cx.cond_wait(list, |_| {});
            note(i);
        });
        settle(cx);
    }
    cx.broadcast(list);
    settle(cx);
    assert_eq!(log(), [5, 0, 1, 2, 3, 4]);
}

fn signal_early(cx: &mut Cx) {
    let list = var::<NotifyList>();
    cx.cond_wait(list, move |cx| cx.signal(list));
    cx.cond_wait(list, move |cx| cx.broadcast(list));
}

fn handoff(cx: &mut Cx) {
    let sema = var::<AtomicU32>();
    cx.go(move |cx| {
        cx.acquire(sema);
        note(1);
    });
    settle(cx);
    cx.go(|_| note(2));
    cx.release(sema, true);
    note(3);
    settle(cx);
    assert_eq!(log()[..1], [1]);
}

/// T-51: the longest of `n` waits for a mutex whose holder works for 100 µs and locks it again at
/// once; but no more than just above `limit`.
///
/// With one P. With two, on a busy machine, the thread of a waiter that the unlock wakes may take
/// the holder's place on the CPU, and gets in without the mode as well.
fn worst_wait(cx: &mut Cx, n: usize, limit: Duration) -> Duration {
    let (mu, ready): (Shared<Mutex>, _) = (var(), cx.chan(0));
    let begun = Instant::now();
    let end = begun + limit * (n as u32 + 1);
    cx.go(move |cx| {
        cx.send(ready, 1);
        while !STOP.load(Ordering::Relaxed) && Instant::now() < end {
            cx.lock(mu);
            let end = Instant::now() + Duration::from_micros(100);
            while Instant::now() < end {
                cx.safepoint();
            }
            cx.unlock(mu).unwrap();
        }
    });
    cx.recv(ready);
    cx.gosched();
    let mut worst = Duration::ZERO;
    for _ in 0..n {
        let start = Instant::now();
        cx.lock(mu);
        worst = worst.max(start.elapsed());
        cx.unlock(mu).unwrap();
    }
    STOP.store(true, Ordering::Relaxed);
    worst
}

/// So often the holder takes the mutex before it lets others have it, or a waiter might wait for
/// ever.
const IN_A_ROW: usize = 500;

/// One goroutine takes a mutex for 100 µs, again and again; how often another has to wait anew for
/// it, each of forty times.
fn waits_for_mutex(cx: &mut Cx) -> Vec<usize> {
    let mu: Shared<Mutex> = var();
    let held = cx.chan(0);
    cx.go(move |cx| {
        cx.send(held, 1);
        while !STOP.load(Ordering::Relaxed) {
            for _ in 0..IN_A_ROW {
                cx.lock(mu);
                let end = Instant::now() + Duration::from_micros(100);
                while Instant::now() < end {
                    cx.safepoint();
                }
                cx.unlock(mu).unwrap();
            }
            cx.sleep(1_000_000);
        }
    });
    cx.recv(held);
    trace::listen(true);
    let me = cx.m().g().goid;
    let mut all = Vec::new();
    for _ in 0..40 {
        cx.sleep(200_000);
        trace::take_events();
        cx.lock(mu);
        let events = trace::take_events();
        cx.unlock(mu).unwrap();
        let waits = events.iter().filter(|e| {
            let reason = WaitReason::SyncMutexLock;
            e.g == me && matches!(e.what, What::Park { reason: r, .. } if r == reason)
        });
        all.push(waits.count());
    }
    STOP.store(true, Ordering::Relaxed);
    all
}

/// An RWMutex that at least one of eight goroutines always holds for reading, as long as they may.
fn readers(cx: &mut Cx) -> Shared<RwMutex> {
    let rw = var::<RwMutex>();
    for _ in 0..8 {
        cx.go(move |cx| {
            while !STOP.load(Ordering::Relaxed) {
                cx.rlock(rw);
                cx.gosched();
                cx.runlock(rw).unwrap();
            }
        });
    }
    cx.sleep(1_000_000);
    rw
}

static STOP: AtomicBool = AtomicBool::new(false);

/// How long a writer waits among the readers, twenty times.
fn writer_waits(cx: &mut Cx) -> Vec<Duration> {
    let rw = readers(cx);
    let mut waits = Vec::new();
    for _ in 0..20 {
        let start = Instant::now();
        cx.wlock(rw);
        waits.push(start.elapsed());
        cx.wunlock(rw).unwrap();
        cx.gosched();
    }
    STOP.store(true, Ordering::Relaxed);
    waits
}
