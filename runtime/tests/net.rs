#![allow(unsafe_code)]
//! The poller: pipes that park their readers, deadlines, closing.

mod common;

use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use common::{go, gosched, kernel_sleep_ms, m, ok, ok_mostly, safepoint, sleep_us, wait_group};
use gosched_runtime::clock::nanotime;
use gosched_runtime::netpoll::{self, Mode, PollDesc, PollError};
use gosched_runtime::switches::without;
use gosched_runtime::trace;

/// A non-blocking pipe: reading end, writing end.
fn pipe() -> (i32, i32) {
    let mut fds = [0; 2];
    // SAFETY: fills two words.
    let r = unsafe { libc::pipe2(fds.as_mut_ptr(), libc::O_NONBLOCK | libc::O_CLOEXEC) };
    assert_eq!(r, 0);
    (fds[0], fds[1])
}

fn open(fd: i32) -> &'static PollDesc {
    netpoll::open(m(), fd).expect("pollable")
}

/// Reads one byte, parking until there is one.
fn read(pd: &'static PollDesc, fd: i32) -> Result<u8, PollError> {
    loop {
        pd.prepare(Mode::Read)?;
        let mut b = 0u8;
        // SAFETY: one byte.
        let n = unsafe { libc::read(fd, (&raw mut b).cast(), 1) };
        if n == 1 {
            return Ok(b);
        }
        pd.wait(m(), Mode::Read).1?;
    }
}

fn write(fd: i32, b: u8) {
    // SAFETY: one byte.
    assert_eq!(unsafe { libc::write(fd, (&raw const b).cast(), 1) }, 1);
}

#[test]
fn t33_many_readers_need_few_threads() {
    ok(
        "t33_many_readers_need_few_threads",
        &[("GOMAXPROCS", "2")],
        || {
            static SUM: AtomicUsize = AtomicUsize::new(0);
            const N: usize = 1000;
            let wg = wait_group(N);
            let mut ends = Vec::new();
            for _ in 0..N {
                let (r, w) = pipe();
                let pd = open(r);
                ends.push(w);
                go(move || {
                    for _ in 0..3 {
                        SUM.fetch_add(usize::from(read(pd, r).unwrap()), Ordering::Relaxed);
                    }
                    wg.done();
                });
            }
            sleep_us(20_000);
            let text = trace::sched_text(false);
            let at = text.find("threads=").unwrap() + 8;
            let n: usize = text[at..].split(' ').next().unwrap().parse().unwrap();
            assert!(n < 10, "{text}");
            for b in 1..=3 {
                for &w in &ends {
                    write(w, b);
                }
                gosched();
            }
            wg.wait();
            assert_eq!(SUM.load(Ordering::Relaxed), 6 * N);
        },
    );
}

#[test]
#[ignore = "measures a delay; `cargo proof` runs it"]
fn t33c_a_deadline_ends_a_read_in_time() {
    let name = "t33c_a_deadline_ends_a_read_in_time";
    ok_mostly(name, &[("GOMAXPROCS", "2")], || {
        let (r, _w) = pipe();
        let pd = open(r);
        let t = Instant::now();
        pd.set_deadline(m(), Mode::Read, nanotime() + 20_000_000);
        assert_eq!(read(pd, r), Err(PollError::Timeout));
        let d = t.elapsed();
        assert!(
            d >= Duration::from_millis(20) && d <= Duration::from_millis(30),
            "{d:?}"
        );
    });
}

#[test]
fn t33c_deadlines_move_while_a_reader_waits() {
    let name = "t33c_deadlines_move_while_a_reader_waits";
    ok(name, &[("GOMAXPROCS", "2")], || {
        let (r, w) = pipe();
        let pd = open(r);
        // Past is at once; none lets reads through again.
        pd.set_deadline(m(), Mode::Read, -1);
        assert_eq!(read(pd, r), Err(PollError::Timeout));
        pd.set_deadline(m(), Mode::Read, 0);
        write(w, 7);
        assert_eq!(read(pd, r), Ok(7));
        // Moved back while it is waited for.
        pd.set_deadline(m(), Mode::Read, nanotime() + 500_000_000);
        go(move || {
            pd.set_deadline(m(), Mode::Read, 0);
            sleep_us(520_000);
            write(w, 8);
        });
        assert_eq!(read(pd, r), Ok(8));
        // Set, and moved nearer, under the reader.
        go(move || {
            sleep_us(1000);
            pd.set_deadline(m(), Mode::Read, nanotime() + 3_600_000_000_000);
            sleep_us(1000);
            pd.set_deadline(m(), Mode::Read, nanotime() + 1_000_000);
        });
        assert_eq!(read(pd, r), Err(PollError::Timeout));
        // The sides have deadlines of their own.
        let (r2, w2) = pipe();
        let both = open(r2);
        both.set_deadline(m(), Mode::Write, -1);
        write(w2, 5);
        assert_eq!(read(both, r2), Ok(5));
        assert_eq!(both.prepare(Mode::Write), Err(PollError::Timeout));
    });
}

#[test]
fn t33c_closing_ends_a_read() {
    let name = "t33c_closing_ends_a_read";
    ok(name, &[("GOMAXPROCS", "2")], || {
        let (r, _w) = pipe();
        let pd = open(r);
        go(move || {
            sleep_us(1000);
            pd.evict(m());
        });
        assert_eq!(read(pd, r), Err(PollError::Closing));
        pd.close(m());
        // The descriptor is used again, and waits as new.
        let (r2, w2) = pipe();
        let again = open(r2);
        assert!(std::ptr::eq(again, pd));
        write(w2, 9);
        assert_eq!(read(again, r2), Ok(9));
    });
}

#[test]
fn t33_late_events_wake_nobody() {
    let name = "t33_late_events_wake_nobody";
    ok(name, &[("GOMAXPROCS", "1")], || {
        // A copy of the descriptor keeps the kernel's registration alive after it has been closed.
        let (r, w) = pipe();
        let pd = open(r);
        // SAFETY: plain calls on descriptors of ours.
        let copy = unsafe { libc::dup(r) };
        // SAFETY: as above. Behind the poller's back, so that it cannot deregister it.
        unsafe { libc::close(r) };
        pd.evict(m());
        pd.close(m());
        let (r2, _w2) = pipe();
        let again = open(r2);
        assert!(std::ptr::eq(again, pd));
        static WOKEN: AtomicBool = AtomicBool::new(false);
        go(move || {
            assert_eq!(again.prepare(Mode::Read), Ok(()));
            again.wait(m(), Mode::Read).1.unwrap();
            WOKEN.store(true, Ordering::SeqCst);
        });
        sleep_us(2000);
        write(w, 1); // an event with the old token
        sleep_us(20_000);
        assert!(!WOKEN.load(Ordering::SeqCst), "woken by an old event");
        // SAFETY: as above.
        unsafe { libc::close(copy) };
    });
}

/// Lets others run until it is so, for ten seconds at most.
fn wait_until(ok: impl Fn() -> bool) {
    let begun = Instant::now();
    while !ok() {
        assert!(begun.elapsed() < Duration::from_secs(10), "in vain");
        sleep_us(1000);
    }
}

#[test]
fn t33_both_sides_of_a_descriptor_wait_for_their_own() {
    let name = "t33_both_sides_of_a_descriptor_wait_for_their_own";
    ok(name, &[("GOMAXPROCS", "1")], || {
        static READ: AtomicBool = AtomicBool::new(false);
        static WROTE: AtomicBool = AtomicBool::new(false);
        let mut fds = [0; 2];
        let kind = libc::SOCK_STREAM | libc::SOCK_NONBLOCK;
        // SAFETY: fills two words.
        let r = unsafe { libc::socketpair(libc::AF_UNIX, kind, 0, fds.as_mut_ptr()) };
        assert_eq!(r, 0);
        let [fd, other] = fds;
        let block = [0u8; 4096];
        // SAFETY: what is written lies in the buffer.
        let fill = move || unsafe { libc::write(fd, block.as_ptr().cast(), block.len()) } > 0;
        while fill() {}
        let pd = open(fd);
        go(move || {
            assert_eq!(read(pd, fd), Ok(9));
            READ.store(true, Ordering::SeqCst);
        });
        go(move || {
            loop {
                assert_eq!(pd.prepare(Mode::Write), Ok(()));
                if fill() {
                    break;
                }
                assert_eq!(pd.wait(m(), Mode::Write).1, Ok(()));
            }
            WROTE.store(true, Ordering::SeqCst);
        });
        wait_until(|| netpoll::waiters() == 2);
        write(other, 9);
        wait_until(|| READ.load(Ordering::SeqCst));
        assert!(!WROTE.load(Ordering::SeqCst), "there is no room yet");
        assert_eq!(netpoll::waiters(), 1);
        let mut rest = [0u8; 4096];
        // SAFETY: the buffer has that room.
        while unsafe { libc::read(other, rest.as_mut_ptr().cast(), rest.len()) } > 0 {}
        wait_until(|| WROTE.load(Ordering::SeqCst));
    });
}

#[test]
fn regular_files_cannot_be_polled() {
    ok(
        "regular_files_cannot_be_polled",
        &[("GOMAXPROCS", "1")],
        || {
            use std::os::fd::AsRawFd;
            let f = std::fs::File::open("/proc/self/exe").unwrap();
            let e = netpoll::open(m(), f.as_raw_fd()).unwrap_err();
            assert_eq!(e.raw_os_error(), Some(libc::EPERM));
        },
    );
}

#[test]
fn pipes_in_a_ring_lose_nothing() {
    ok(
        "pipes_in_a_ring_lose_nothing",
        &[("GOMAXPROCS", "4")],
        || {
            const N: usize = 16;
            const ROUNDS: u32 = 300;
            let ends: Vec<(i32, i32)> = (0..N).map(|_| pipe()).collect();
            let wg = wait_group(N);
            for i in 0..N {
                let (r, w) = (ends[i].0, ends[(i + 1) % N].1);
                let pd = open(r);
                go(move || {
                    for k in 0..ROUNDS {
                        let b = read(pd, r).unwrap();
                        if !(i == N - 1 && k == ROUNDS - 1) {
                            write(w, b.wrapping_add(1));
                        }
                    }
                    wg.done();
                });
            }
            write(ends[0].1, 0);
            wg.wait();
        },
    );
}

/// The longest delay of ten bytes written by a thread 20 ms apart, beside a spinning goroutine;
/// `None` if none came within a second.
fn read_delay() -> Option<Duration> {
    static STOP: AtomicBool = AtomicBool::new(false);
    static AT: AtomicU64 = AtomicU64::new(0);
    static WORST: AtomicU64 = AtomicU64::new(0);
    static N: AtomicI32 = AtomicI32::new(0);
    let (r, w) = pipe();
    let pd = open(r);
    go(move || {
        while read(pd, r).is_ok() {
            let d = nanotime() as u64 - AT.load(Ordering::SeqCst);
            WORST.fetch_max(d, Ordering::Relaxed);
            N.fetch_add(1, Ordering::Relaxed);
        }
    });
    gosched();
    go(|| {
        while !STOP.load(Ordering::Relaxed) {
            safepoint();
        }
    });
    std::thread::spawn(move || {
        for _ in 0..10 {
            std::thread::sleep(Duration::from_millis(50));
            AT.store(nanotime() as u64, Ordering::SeqCst);
            write(w, 1);
        }
        std::thread::sleep(Duration::from_millis(300));
        STOP.store(true, Ordering::Relaxed);
    });
    while !STOP.load(Ordering::Relaxed) {
        safepoint();
    }
    (N.load(Ordering::Relaxed) > 0).then(|| Duration::from_nanos(WORST.load(Ordering::Relaxed)))
}

#[test]
#[ignore = "measures a delay; `cargo proof` runs it"]
fn f4_sysmon_polls_when_all_are_busy() {
    ok_mostly(
        "f4_sysmon_polls_when_all_are_busy",
        &[("GOMAXPROCS", "1")],
        || {
            let d = read_delay().expect("nothing was read");
            assert!(d <= Duration::from_millis(250), "{d:?}");
        },
    );
}

#[test]
fn f4_off_busy_ps_never_poll() {
    ok("f4_off_busy_ps_never_poll", &[("GOMAXPROCS", "1")], || {
        without("sysmon-netpoll").unwrap();
        assert_eq!(read_delay(), None);
    });
}

#[test]
fn no_deadlock_is_seen_while_somebody_waits_for_input() {
    let name = "no_deadlock_is_seen_while_somebody_waits_for_input";
    ok(name, &[("GOMAXPROCS", "2")], || {
        let (r, w) = pipe();
        let pd = open(r);
        std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(50));
            write(w, 3);
        });
        assert_eq!(read(pd, r), Ok(3));
        kernel_sleep_ms(1);
    });
}
