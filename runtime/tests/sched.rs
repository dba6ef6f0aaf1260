#![allow(unsafe_code)]
//! The scheduler core: many goroutines, exits, deadlock.

mod common;

use std::sync::atomic::{AtomicUsize, Ordering};

use common::{Sema, WaitGroup, go, gosched, ok, run};

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
