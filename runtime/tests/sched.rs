#![allow(unsafe_code)]
//! The scheduler core: run orders, stealing, parking, exits.

mod common;

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use common::{Sema, WaitGroup, go, gosched, m, ok, run};
use gosched_runtime::trace;

static ORDER: Mutex<Vec<u32>> = Mutex::new(Vec::new());

fn spawn_order(n: u32) -> (usize, u32, Vec<u32>) {
    static WG: WaitGroup = WaitGroup::new(0);
    let (s, _) = trace::ring_and_tick(m());
    let wg: &'static WaitGroup = Box::leak(Box::new(WaitGroup::new(n as usize)));
    let _ = &WG;
    for i in 0..n {
        go(move || {
            ORDER.lock().unwrap().push(i);
            wg.done();
        });
    }
    let (_, t) = trace::ring_and_tick(m());
    wg.wait();
    (s, t, ORDER.lock().unwrap().clone())
}

/// `1 2 3 9` as `1-3 9`.
fn runs(v: &[u32]) -> String {
    let mut out: Vec<String> = Vec::new();
    let mut i = 0;
    while i < v.len() {
        let mut j = i;
        while j + 1 < v.len() && v[j + 1] == v[j] + 1 {
            j += 1;
        }
        out.push(if i == j {
            v[i].to_string()
        } else {
            format!("{}-{}", v[i], v[j])
        });
        i = j + 1;
    }
    out.join(" ")
}

fn golden(name: &str, n: u32, want: &'static str) {
    ok(name, &[("GOMAXPROCS", "1")], move || {
        let (s, t, order) = spawn_order(n);
        assert_eq!((s, t), (2, 4), "system goroutines in the ring, tick");
        assert_eq!(runs(&order), want);
    });
}

#[test]
fn t71_ten() {
    golden("t71_ten", 10, "9 0-8");
}

#[test]
fn t71_three_hundred() {
    golden("t71_three_hundred", 300, "299 126-253 255-298 0-125 254");
}

#[test]
fn t71_six_hundred() {
    golden(
        "t71_six_hundred",
        600,
        "599 384-511 513-561 0 562-598 1-23 128 24-83 129 84-125 254 126-127 130-144 258 145-204 \
         259 205-253 383 255-257 260-382 512",
    );
}

#[test]
fn t29_gosched_alternates() {
    ok("t29_gosched_alternates", &[("GOMAXPROCS", "1")], || {
        let wg: &'static WaitGroup = Box::leak(Box::new(WaitGroup::new(2)));
        for i in 0..2 {
            go(move || {
                for _ in 0..5 {
                    ORDER.lock().unwrap().push(i);
                    gosched();
                }
                wg.done();
            });
        }
        wg.wait();
        assert_eq!(*ORDER.lock().unwrap(), [1, 0, 1, 0, 1, 0, 1, 0, 1, 0]);
    });
}

#[test]
fn many_goroutines_on_many_ms() {
    ok("many_goroutines_on_many_ms", &[("GOMAXPROCS", "4")], || {
        static N: AtomicUsize = AtomicUsize::new(0);
        for _ in 0..50 {
            let wg: &'static WaitGroup = Box::leak(Box::new(WaitGroup::new(2000)));
            for _ in 0..2000 {
                go(move || {
                    if N.fetch_add(1, Ordering::Relaxed).is_multiple_of(3) {
                        gosched();
                    }
                    wg.done();
                });
            }
            wg.wait();
        }
        assert_eq!(N.load(Ordering::Relaxed), 100_000);
    });
}

#[test]
fn t28_park_and_ready_lose_nothing() {
    ok(
        "t28_park_and_ready_lose_nothing",
        &[("GOMAXPROCS", "4")],
        || {
            static A: Sema = Sema::new(0);
            static B: Sema = Sema::new(0);
            let wg: &'static WaitGroup = Box::leak(Box::new(WaitGroup::new(16)));
            for _ in 0..8 {
                go(|| {
                    for _ in 0..20_000 {
                        A.release();
                        B.acquire();
                    }
                    wg.done();
                });
                go(|| {
                    for _ in 0..20_000 {
                        A.acquire();
                        B.release();
                    }
                    wg.done();
                });
            }
            wg.wait();
        },
    );
}

#[test]
fn t13_main_does_not_wait() {
    ok("t13_main_does_not_wait", &[("GOMAXPROCS", "2")], || {
        for _ in 0..10 {
            go(|| {
                loop {
                    std::hint::spin_loop();
                }
            });
        }
    });
}

#[test]
fn t58_deadlock_is_reported() {
    let out = run("t58_deadlock_is_reported", &[("GOMAXPROCS", "2")], || {
        static NEVER: Sema = Sema::new(0);
        go(|| NEVER.acquire());
        NEVER.acquire();
    });
    let err = String::from_utf8_lossy(&out.stderr);
    assert_eq!(out.status.code(), Some(2), "{err}");
    assert!(
        err.starts_with(
            "fatal error: all goroutines are asleep - deadlock!\n\ngoroutine 1 [semacquire]:\n"
        ),
        "{err}"
    );
}
