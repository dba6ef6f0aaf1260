#![allow(unsafe_code)]
//! The tables of `find_runnable` and `handoff_p` in a living scheduler: under a mixed load each
//! row is taken, and the reason recorded with what it found is that row's.

mod common;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use common::{
    go, gosched, kernel_sleep_ms, m, ok, record, safepoint, sleep_us, spin_ms, wait_group,
};
use gosched_runtime::netpoll::{self, Mode};
use gosched_runtime::stw;
use gosched_runtime::trace::{Event, What, Why};

/// A non-blocking pipe: reading end, writing end.
fn pipe() -> (i32, i32) {
    let mut fds = [0; 2];
    // SAFETY: fills two words.
    let r = unsafe { libc::pipe2(fds.as_mut_ptr(), libc::O_NONBLOCK | libc::O_CLOEXEC) };
    assert_eq!(r, 0);
    (fds[0], fds[1])
}

fn write(fd: i32) {
    // SAFETY: one byte.
    assert_eq!(unsafe { libc::write(fd, [0u8].as_ptr().cast(), 1) }, 1);
}

/// Waits for one byte.
fn read(pd: &'static netpoll::PollDesc, fd: i32) {
    loop {
        pd.prepare(Mode::Read).unwrap();
        let mut b = [0u8];
        // SAFETY: one byte.
        if unsafe { libc::read(fd, b.as_mut_ptr().cast(), 1) } == 1 {
            return;
        }
        pd.wait(m(), Mode::Read).1.unwrap();
    }
}

/// Ten milliseconds of the kind of life that `phase` says.
fn live(phase: u64) {
    static STOP: AtomicBool = AtomicBool::new(false);
    static SEED: AtomicU64 = AtomicU64::new(1);
    STOP.store(false, Ordering::Relaxed);
    let wg = wait_group(6);
    for i in 0..6u64 {
        let kind = match phase % 4 {
            // All at once.
            0 => i,
            // Long calls and functions for every P, and nothing else.
            1 => [6, 5, 7, 7, 7, 7][i as usize],
            // Waiting: sleepers and readers.
            2 => 1 + i % 2,
            // Busy, with calls.
            _ => [0, 0, 3, 4, 5, 3][i as usize],
        };
        go(move || {
            let (r, w) = pipe();
            let pd = netpoll::open(m(), r).unwrap();
            while !STOP.load(Ordering::Relaxed) {
                let random = SEED.fetch_add(0x9e37_79b9, Ordering::Relaxed) % 7;
                match kind {
                    0 => spin_ms(1),
                    1 => sleep_us(200 + random as i64 * 100),
                    2 => {
                        go(move || {
                            sleep_us(100 * random as i64);
                            write(w);
                        });
                        read(pd, r);
                    }
                    3 => kernel_sleep_ms(1),
                    4 => {
                        for _ in 0..random {
                            go(|| {
                                safepoint();
                                gosched();
                            });
                        }
                        gosched();
                    }
                    6 => kernel_sleep_ms(12),
                    7 => break,
                    _ if phase.is_multiple_of(3) => {
                        stw::stopped(m(), "unknown", &mut |_| {});
                        sleep_us(300);
                    }
                    _ => {
                        stw::for_each_p(m(), |_| {});
                        sleep_us(300);
                    }
                }
            }
            pd.evict(m());
            pd.close(m());
            // SAFETY: both are ours.
            unsafe { (libc::close(r), libc::close(w)) };
            wg.done();
        });
    }
    // The main goroutine sleeps in the kernel, without a timer.
    kernel_sleep_ms(if phase % 4 == 1 { 30 } else { 10 });
    STOP.store(true, Ordering::Relaxed);
    wg.wait();
}

/// Lives on until all of `want` have been seen, at most a quarter of a minute.
fn until_seen<R: Ord + Copy + std::fmt::Debug>(
    want: &[R],
    mut rows: impl FnMut(&[Event]) -> Vec<R>,
) {
    let mut seen: BTreeMap<R, usize> = BTreeMap::new();
    let want: BTreeSet<R> = want.iter().copied().collect();
    let began = Instant::now();
    for phase in 0.. {
        let events = record(|| live(phase));
        for row in rows(&events) {
            *seen.entry(row).or_default() += 1;
        }
        if want.iter().all(|r| seen.contains_key(r)) {
            return;
        }
        assert!(
            began.elapsed() < Duration::from_secs(15),
            "wanted {want:?}, seen {seen:?}"
        );
    }
}

/// The step at which each start was found, with its reason.
fn found_at(events: &[Event]) -> Vec<(u32, Why)> {
    let mut at: HashMap<i64, u32> = HashMap::new();
    let mut found = Vec::new();
    for e in events {
        match e.what {
            What::Step { n } => {
                at.insert(e.m, n);
            }
            What::Start { why, .. } => {
                if let Some(n) = at.remove(&e.m) {
                    found.push((n, why));
                }
            }
            _ => {}
        }
    }
    found
}

#[test]
fn t24_live_every_row_finds_its_kind() {
    ok(
        "t24_live_every_row_finds_its_kind",
        &[("GOMAXPROCS", "3")],
        || {
            until_seen(&[4, 6, 7, 8, 9, 14], |events| {
                let found = found_at(events);
                for &(step, why) in &found {
                    let fits = match step {
                        4 => why == Why::Global61,
                        6 => matches!(why, Why::Runnext | Why::Local),
                        7 | 12 | 13 => matches!(why, Why::Global { .. }),
                        8 | 14 => why == Why::Netpoll,
                        9 => matches!(
                            why,
                            Why::Steal { .. } | Why::StealNext { .. } | Why::Timer { .. }
                        ),
                        _ => matches!(why, Why::Wired | Why::Syscall | Why::Unparked),
                    };
                    assert!(fits, "step {step} found something by {why:?}");
                }
                found.iter().map(|f| f.0).collect()
            });
        },
    );
}

#[test]
fn t24_live_who_sleeps_has_looked_everywhere() {
    ok(
        "t24_live_who_sleeps_has_looked_everywhere",
        &[("GOMAXPROCS", "3")],
        || {
            // Of an M: the steps since its last start, up to the one where it sleeps or polls.
            until_seen(&[15, 16], |events| {
                let mut path: HashMap<i64, Vec<u32>> = HashMap::new();
                let mut last = Vec::new();
                for e in events {
                    match e.what {
                        What::Step { n: 0 } => {
                            path.insert(e.m, vec![0]);
                        }
                        What::Step { n } => {
                            let Some(p) = path.get_mut(&e.m) else {
                                continue; // it began before we did
                            };
                            p.push(n);
                            if n >= 15 {
                                last.push(n);
                                let want = [0, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
                                let searched = p.contains(&13);
                                let mut rest = want.to_vec();
                                rest.extend(searched.then_some(13));
                                rest.push(14);
                                rest.extend(p.contains(&15).then_some(15));
                                rest.extend((n == 16).then_some(16));
                                assert_eq!(*p, rest);
                            }
                        }
                        _ => {}
                    }
                }
                last
            });
        },
    );
}

#[test]
fn t27_live_every_row_is_taken() {
    ok(
        "t27_live_every_row_is_taken",
        &[("GOMAXPROCS", "3")],
        || {
            // A hand-over to a stop of the world, to a G that came under the lock, or of the last P
            // while no M polls hardly ever happens here: these rows are forged only.
            until_seen(&[1, 4, 6, 9], |events| {
                let rows = events.iter().filter_map(|e| match e.what {
                    What::Handoff { why } => Some(why.row()),
                    _ => None,
                });
                rows.collect()
            });
        },
    );
}
