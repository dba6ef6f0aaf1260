//! Bubbles under random schedules: their time moves only when all their goroutines wait, `wait`
//! returns only then, and what is left at the end is found.

use super::shuttle_chan::{Ch, g, park};
use super::world::{explore, go, gosched, m, start};
use crate::bubble::{self, Ran};
use crate::mutex::SyncOp;
use crate::sync::{AtomicU32, Ordering};
use crate::timer;

fn in_bubble(main: impl FnOnce() + Send + 'static) -> Ran {
    let mut ran = bubble::run(m(), g(), |_| go(main));
    while ran == Ran::Blocked {
        park();
        ran = bubble::resume(m(), g());
    }
    ran
}

fn clock() -> i64 {
    bubble::now(m()).expect("in a bubble")
}

fn sleep(ns: i64) {
    match timer::sleep(m(), g(), ns) {
        SyncOp::Blocked => park(),
        op => assert_eq!(op, SyncOp::Done),
    }
}

fn wait() {
    bubble::wait(m(), g()).expect("in a bubble, alone");
    park();
    bubble::waited(g());
}

/// What two goroutines send between sleeps comes in the order of time, and at the time.
fn clocks() {
    start(3, || {
        let ran = in_bubble(|| {
            let begin = clock();
            let c = Ch::new(0);
            for i in 1..=2 {
                go(move || {
                    for round in 1..=2 {
                        sleep(10 * i);
                        assert_eq!(clock() - begin, 10 * i * round);
                        c.send(i as u64);
                    }
                });
            }
            let times: Vec<i64> = (0..4)
                .map(|_| {
                    c.recv();
                    clock() - begin
                })
                .collect();
            assert_eq!(times, [10, 20, 20, 40]);
        });
        assert_eq!(ran, Ran::Done);
    });
}

#[test]
fn shuttle_bubble_clocks() {
    explore("shuttle_bubble_clocks", clocks);
}

/// `wait` returns when the others wait, not before; goroutines that are left at the end are found.
fn waits() {
    static AT: AtomicU32 = AtomicU32::new(0);
    start(3, || {
        let ran = in_bubble(|| {
            let c = Ch::new(0);
            for _ in 0..2 {
                go(move || {
                    gosched();
                    AT.fetch_add(1, Ordering::SeqCst);
                    c.recv();
                    AT.fetch_add(10, Ordering::SeqCst);
                    c.recv();
                });
            }
            wait();
            assert_eq!(AT.load(Ordering::SeqCst), 2);
            c.send(1);
            wait();
            assert_eq!(AT.load(Ordering::SeqCst), 12);
            c.send(1);
        });
        assert_eq!(ran, Ran::Deadlock(1, true));
        // A bubble of its own, after one that never ends.
        let ran = in_bubble(|| {
            let begin = clock();
            sleep(5);
            assert_eq!(clock() - begin, 5);
            Ch::new(0).recv();
        });
        assert_eq!(ran, Ran::Deadlock(2, false));
    });
}

#[test]
fn shuttle_bubble_waits() {
    explore("shuttle_bubble_waits", waits);
}
