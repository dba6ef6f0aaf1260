#![allow(unsafe_code, reason = "an engine")]
//! What a goroutine switch, a spawn and a channel hand-over cost, without any interpreter.
//!
//! `cargo bench -p gosched-runtime --bench switch [gosched|pingpong|spawn|million]`
//!
//! The Gs are state machines: `vm[0]` is the program, `vm[1]` the count left, `vm[2]` the phase.

use std::fmt;

use gosched_runtime::chan::{self, Chan, ChanOp, SlotRef};
use gosched_runtime::clock::nanotime;
use gosched_runtime::heap::LayoutId;
use gosched_runtime::{Engine, G, M, Outcome, RootVisitor, YieldKind, proc};

struct Bench;

const N: usize = 5_000_000;
static ENGINE: Bench = Bench;

const MAIN: usize = 0;
const YIELDER: usize = 1;
const PING: usize = 2;
const PONG: usize = 3;
const CHILD: usize = 4;
const SPAWNER: usize = 5;
const WAITER: usize = 6;
const CROWD: usize = 7;
/// Goroutines that wait at once in the last measurement.
const MANY: usize = 1_000_000;

fn make(m: &mut M, cap: i64) -> *mut Chan {
    match chan::make_chan(m, 8, LayoutId::NOSCAN, cap) {
        Ok(c) => c,
        Err(_) => panic!("size"),
    }
}

fn go(m: &mut M, words: [usize; 4]) {
    proc::spawn(m, 0, 0, |g| {
        for (i, w) in words.into_iter().enumerate() {
            g.vm[i] = w;
        }
    });
}

impl Engine for Bench {
    fn run(&self, m: &mut M, g: &mut G) -> Outcome {
        // SAFETY: channels live as long as the process; slots are words of the G's stack.
        unsafe {
            match g.vm[0] {
                MAIN => program(m, g),
                YIELDER => {
                    if g.vm[1] == 0 {
                        done(m, g);
                        return Outcome::Exit;
                    }
                    g.vm[1] -= 1;
                    Outcome::Yield(YieldKind::Gosched)
                }
                PING | PONG => pingpong(m, g),
                CHILD => Outcome::Exit,
                SPAWNER => {
                    for _ in 0..100 {
                        go(m, [CHILD, 0, 0, 0]);
                    }
                    g.vm[1] -= 1;
                    if g.vm[1] == 0 {
                        done(m, g);
                        return Outcome::Exit;
                    }
                    Outcome::Yield(YieldKind::Gosched)
                }
                WAITER if g.vm[2] == 0 => {
                    g.vm[2] = 1;
                    match chan::recv(m, g, g.vm[3] as *mut Chan, SlotRef::stack(0), true) {
                        ChanOp::Blocked => Outcome::Park,
                        _ => Outcome::Exit,
                    }
                }
                WAITER => {
                    chan::finish_recv(m, g);
                    g.vm[1] = 0;
                    if LEFT.load(std::sync::atomic::Ordering::Relaxed) > 0 {
                        done(m, g);
                    }
                    Outcome::Exit
                }
                CROWD if g.vm[2] == 0 => {
                    g.vm[2] = 1;
                    for _ in 0..MANY {
                        go(m, [WAITER, 0, 0, g.vm[3]]);
                    }
                    Outcome::Yield(YieldKind::Gosched)
                }
                CROWD => {
                    println!(
                        "          {:7.1} KB per waiting goroutine",
                        rss_kb() as f64 / MANY as f64
                    );
                    let _ = chan::close(m, g.vm[3] as *mut Chan);
                    Outcome::Exit
                }
                _ => Outcome::Exit,
            }
        }
    }
    fn scan_stack(&self, _: &G, _: &mut dyn RootVisitor) {}
    fn traceback(&self, _: &G, _: &mut dyn fmt::Write, _: i32) {}
}

static DONE: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);
static LEFT: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);

unsafe fn done(m: &mut M, g: &mut G) {
    use std::sync::atomic::Ordering::SeqCst;
    if LEFT.fetch_sub(1, SeqCst) == 1 {
        let c = DONE.load(SeqCst) as *mut Chan;
        // SAFETY: the channel has room.
        let _ = unsafe { chan::send(m, g, c, SlotRef::stack(0), false) };
    }
}

/// Phases: 0 send, 1 sent, 2 receive, 3 received. PONG begins with receiving.
unsafe fn pingpong(m: &mut M, g: &mut G) -> Outcome {
    let (a, b) = (g.vm[3] as *mut Chan, g.vm[4] as *mut Chan);
    let (to, from) = if g.vm[0] == PING { (a, b) } else { (b, a) };
    loop {
        // SAFETY: slots 0 and 8 are in the G's own stack.
        unsafe {
            match g.vm[2] {
                0 => {
                    if g.vm[1] == 0 {
                        done(m, g);
                        return Outcome::Exit;
                    }
                    g.vm[1] -= 1;
                    g.vm[2] = 1;
                    if let ChanOp::Blocked = chan::send(m, g, to, SlotRef::stack(0), true) {
                        return Outcome::Park;
                    }
                    g.vm[2] = 2;
                }
                1 => {
                    let _ = chan::finish_send(m, g);
                    g.vm[2] = 2;
                }
                2 => {
                    g.vm[2] = 3;
                    if let ChanOp::Blocked = chan::recv(m, g, from, SlotRef::stack(8), true) {
                        return Outcome::Park;
                    }
                    g.vm[2] = 0;
                }
                _ => {
                    chan::finish_recv(m, g);
                    g.vm[2] = 0;
                }
            }
            if g.vm[0] == PONG && g.vm[1] == 0 && g.vm[2] == 2 {
                done(m, g);
                return Outcome::Exit;
            }
        }
    }
}

unsafe fn program(m: &mut M, g: &mut G) -> Outcome {
    use std::sync::atomic::Ordering::SeqCst;
    let only = std::env::args().skip(1).find(|a| !a.starts_with('-'));
    // vm[2]: which measurement; vm[3]: when it began; vm[5]: waiting.
    if g.vm[5] == 1 {
        // SAFETY: resumed after a blocked receive.
        unsafe { chan::finish_recv(m, g) };
        g.vm[5] = 0;
        let ns = (nanotime() as usize - g.vm[3]) as f64;
        match g.vm[2] {
            1 => println!("gosched   {:7.1} ns per switch", ns / N as f64),
            2 => println!(
                "pingpong  {:7.1} ns per round trip, {:.1} per hop",
                ns / N as f64,
                ns / N as f64 / 2.0
            ),
            3 => println!("spawn     {:7.1} ns per goroutine", ns / N as f64),
            _ => println!("million   {:7.1} ns per goroutine", ns / MANY as f64),
        }
    }
    if g.vm[2] == 0 {
        proc::main_init_done(m);
        DONE.store(make(m, 1) as usize, SeqCst);
    }
    loop {
        g.vm[2] += 1;
        let name = match g.vm[2] {
            1 => "gosched",
            2 => "pingpong",
            3 => "spawn",
            4 => "million",
            _ => proc::main_exit(m, 0),
        };
        if only.as_deref().is_none_or(|o| o == name) {
            break;
        }
    }
    match g.vm[2] {
        1 => {
            LEFT.store(2, SeqCst);
            go(m, [YIELDER, N / 2, 0, 0]);
            go(m, [YIELDER, N / 2, 0, 0]);
        }
        2 => {
            LEFT.store(2, SeqCst);
            let (a, b) = (make(m, 0), make(m, 0));
            for (w, phase) in [(PING, 0), (PONG, 2)] {
                proc::spawn(m, 0, 0, |g| {
                    g.vm[0] = w;
                    g.vm[1] = N;
                    g.vm[2] = phase;
                    g.vm[3] = a as usize;
                    g.vm[4] = b as usize;
                });
            }
        }
        3 => {
            LEFT.store(1, SeqCst);
            go(m, [SPAWNER, N / 100, 0, 0]);
        }
        _ => {
            LEFT.store(MANY, SeqCst);
            let c = make(m, 0) as usize;
            go(m, [CROWD, 0, 0, c]);
        }
    }
    g.vm[3] = nanotime() as usize;
    g.vm[5] = 1;
    // SAFETY: the slot is in the G's own stack.
    let op = unsafe {
        chan::recv(
            m,
            g,
            DONE.load(SeqCst) as *mut Chan,
            SlotRef::stack(0),
            true,
        )
    };
    match op {
        ChanOp::Blocked => Outcome::Park,
        _ => Outcome::Again,
    }
}

/// Kilobytes of memory the process has touched.
fn rss_kb() -> usize {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find_map(|l| l.strip_prefix("VmRSS:"));
    line.and_then(|l| l.split_whitespace().next()?.parse().ok())
        .unwrap_or(0)
}

fn main() {
    proc::start(&ENGINE, |_| {})
}
