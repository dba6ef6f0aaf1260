//! Spawn, park, ready, steal, system calls and changes of GOMAXPROCS, each by itself and all at
//! once: no wake-up is lost, nothing runs twice, nothing hangs.

use super::world::{
    explore, go, gosched, kernel_sleep, m, safepoint, sema, sleep_us, start, wait_group,
};
use crate::stw;
use crate::sync::{AtomicU32, Ordering};

/// Counts each run of a goroutine: every bit once.
static RAN: AtomicU32 = AtomicU32::new(0);

fn ran(bit: u32) {
    let old = RAN.fetch_or(1 << bit, Ordering::SeqCst);
    assert_eq!(old & 1 << bit, 0, "goroutine {bit} ran twice");
}

fn all_ran(n: u32) {
    assert_eq!(
        RAN.load(Ordering::SeqCst),
        (1 << n) - 1,
        "of {n} goroutines"
    );
}

fn spawn_and_steal() {
    start(3, || {
        let wg = wait_group(8);
        for i in 0..4 {
            go(move || {
                ran(i);
                go(move || {
                    ran(4 + i);
                    wg.done();
                });
                wg.done();
            });
        }
        wg.wait();
        all_ran(8);
    });
}

#[test]
fn shuttle_spawn_and_steal() {
    explore("shuttle_spawn_and_steal", spawn_and_steal);
}

fn park_and_ready() {
    start(2, || {
        let (ping, pong) = (sema(0), sema(0));
        let wg = wait_group(3);
        for i in 0..2 {
            go(move || {
                for _ in 0..3 {
                    ping.acquire();
                    pong.release();
                }
                ran(i);
                wg.done();
            });
        }
        go(move || {
            for _ in 0..6 {
                ping.release();
                pong.acquire();
            }
            ran(2);
            wg.done();
        });
        wg.wait();
        all_ran(3);
    });
}

#[test]
fn shuttle_park_and_ready() {
    explore("shuttle_park_and_ready", park_and_ready);
}

fn syscalls() {
    start(2, || {
        let wg = wait_group(4);
        for i in 0..4 {
            go(move || {
                kernel_sleep(5 + 40 * u64::from(i));
                gosched();
                kernel_sleep(1);
                ran(i);
                wg.done();
            });
        }
        wg.wait();
        all_ran(4);
    });
}

#[test]
fn shuttle_syscalls() {
    explore("shuttle_syscalls", syscalls);
}

fn procresize() {
    start(2, || {
        let wg = wait_group(5);
        for i in 0..4 {
            go(move || {
                for _ in 0..3 {
                    safepoint();
                    gosched();
                }
                if i == 1 {
                    kernel_sleep(30);
                }
                ran(i);
                wg.done();
            });
        }
        go(move || {
            for n in [3, 1, 2] {
                stw::set_gomaxprocs(m(), n);
                safepoint();
            }
            ran(4);
            wg.done();
        });
        wg.wait();
        all_ran(5);
    });
}

#[test]
fn shuttle_procresize() {
    explore("shuttle_procresize", procresize);
}

fn everything() {
    start(3, || {
        let s = sema(0);
        let wg = wait_group(6);
        go(move || {
            stw::set_gomaxprocs(m(), 2);
            ran(0);
            wg.done();
        });
        for i in 1..3 {
            go(move || {
                s.acquire();
                kernel_sleep(20);
                ran(i);
                wg.done();
            });
        }
        for i in 3..5 {
            go(move || {
                sleep_us(15);
                s.release();
                ran(i);
                wg.done();
            });
        }
        go(move || {
            for _ in 0..4 {
                safepoint();
            }
            gosched();
            ran(5);
            wg.done();
        });
        wg.wait();
        all_ran(6);
    });
}

#[test]
fn shuttle_everything() {
    explore("shuttle_everything", everything);
}
