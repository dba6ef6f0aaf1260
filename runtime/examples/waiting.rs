//! Measures channels, select, mutexes and wait groups without a language on top: goroutines are
//! small state machines which leave by an outcome, as those of the virtual machine do.
//!
//! `cargo run --release -p gosched-runtime --example waiting -- pingpong`

#![allow(unsafe_code)]

use std::fmt;
use std::ptr;
use std::time::Instant;

use gosched_runtime::chan::{self, Chan, ChanOp, SlotRef};
use gosched_runtime::heap::LayoutId;
use gosched_runtime::mutex::{self, Mutex, SyncOp, WaitGroup};
use gosched_runtime::select::{self, SelectCase, SelectOp};
use gosched_runtime::{Engine, G, M, Outcome, RootVisitor, YieldKind, proc, timer};

/// One goroutine: called until it exits; its state lies in `g.vm` from index 1.
type Step = fn(&mut M, &mut G) -> Outcome;

struct Machines;

impl Engine for Machines {
    fn run(&self, m: &mut M, g: &mut G) -> Outcome {
        // SAFETY: `go` and `start` put a `Step` there.
        let step: Step = unsafe { std::mem::transmute::<usize, Step>(g.vm[0]) };
        step(m, g)
    }
    fn scan_stack(&self, _: &G, _: &mut dyn RootVisitor) {}
    fn traceback(&self, _: &G, _: &mut dyn fmt::Write, _: i32) {}
}

fn go(m: &mut M, step: Step, args: &[usize]) {
    proc::spawn(m, 0, 0, |g| {
        g.vm[0] = step as *const () as usize;
        g.vm[1] = 0;
        g.vm[2..2 + args.len()].copy_from_slice(args);
    });
}

const SLOT: SlotRef = SlotRef::stack(0);

fn slot(g: &G) -> *mut u64 {
    g.stack_lo as *mut u64
}

/// Sends the slot; `true` if the goroutine must park first.
fn send(m: &mut M, g: &mut G, c: usize) -> bool {
    // SAFETY: the slot lies in the goroutine's stack.
    match unsafe { chan::send(m, g, c as *mut Chan, SLOT, true) } {
        ChanOp::Done(_) => false,
        ChanOp::Blocked => true,
        op => panic!("{op:?}"),
    }
}

/// Receives into the slot: ok, or `None` if the goroutine must park first.
fn recv(m: &mut M, g: &mut G, c: usize) -> Option<bool> {
    // SAFETY: as `send`.
    match unsafe { chan::recv(m, g, c as *mut Chan, SLOT, true) } {
        ChanOp::Done(ok) => Some(ok),
        ChanOp::Blocked => None,
        op => panic!("{op:?}"),
    }
}

fn make(m: &mut M, cap: i64) -> usize {
    chan::make_chan(m, 8, LayoutId::NOSCAN, cap).unwrap() as usize
}

static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();

/// Copies what it receives on vm[2] plus `vm[4]` to vm[3], until vm[2] is closed.
fn relay(m: &mut M, g: &mut G) -> Outcome {
    let (from, to, add) = (g.vm[2], g.vm[3], g.vm[4] as u64);
    let mut got = None;
    // SAFETY: a state other than 0 means that it has parked in that operation.
    unsafe {
        match g.vm[1] {
            1 => got = Some(chan::finish_recv(m, g)),
            2 => chan::finish_send(m, g).unwrap(),
            _ => {}
        }
        loop {
            let ok = match got.take() {
                Some(ok) => ok,
                None => match recv(m, g, from) {
                    Some(ok) => ok,
                    None => {
                        g.vm[1] = 1;
                        return Outcome::Park;
                    }
                },
            };
            if !ok {
                chan::close(m, to as *mut Chan).unwrap();
                return Outcome::Exit;
            }
            *slot(g) += add;
            if send(m, g, to) {
                g.vm[1] = 2;
                return Outcome::Park;
            }
        }
    }
}

/// Sends 0.. below vm[4] on vm[2], receiving from vm[3] after each if that is not 0; then closes,
/// and adds -1 to the WaitGroup vm[7] if there is one.
fn feeder(m: &mut M, g: &mut G) -> Outcome {
    let (to, from, n) = (g.vm[2], g.vm[3], g.vm[4]);
    // SAFETY: as `relay`.
    unsafe {
        match g.vm[1] {
            1 => chan::finish_send(m, g).unwrap(),
            2 => {
                chan::finish_recv(m, g);
                g.vm[5] += 1;
                g.vm[6] = 0;
            }
            _ => {}
        }
        loop {
            if g.vm[1] != 1 {
                if g.vm[5] == n {
                    chan::close(m, to as *mut Chan).unwrap();
                    if g.vm[7] != 0 {
                        let _ = mutex::wait_group_add(m, g.vm[7] as *const WaitGroup, -1);
                    }
                    return Outcome::Exit;
                }
                *slot(g) = g.vm[5] as u64;
                if send(m, g, to) {
                    g.vm[1] = 1;
                    return Outcome::Park;
                }
            }
            g.vm[1] = 0;
            if from != 0 && recv(m, g, from).is_none() {
                g.vm[1] = 2;
                return Outcome::Park;
            }
            g.vm[5] += 1;
        }
    }
}

/// Receives from vm[2] until it is closed, then adds -1 to the WaitGroup vm[3].
fn sink(m: &mut M, g: &mut G) -> Outcome {
    // SAFETY: as `relay`.
    unsafe {
        let mut got = if g.vm[1] == 1 {
            Some(chan::finish_recv(m, g))
        } else {
            None
        };
        loop {
            match got.take().or_else(|| recv(m, g, g.vm[2])) {
                Some(true) => {}
                Some(false) => {
                    assert_eq!(
                        mutex::wait_group_add(m, g.vm[3] as *const WaitGroup, -1),
                        SyncOp::Done
                    );
                    return Outcome::Exit;
                }
                None => {
                    g.vm[1] = 1;
                    return Outcome::Park;
                }
            }
        }
    }
}

/// Locks and unlocks the mutex vm[2] vm[4] times, then adds -1 to the WaitGroup vm[3].
fn locker(m: &mut M, g: &mut G) -> Outcome {
    let mu = g.vm[2] as *const Mutex;
    // SAFETY: `main` made them.
    unsafe {
        let mut op = match g.vm[1] {
            1 => mutex::resume(m, g),
            2 => {
                g.vm[4] -= 1;
                mutex::lock(m, g, mu)
            }
            _ => mutex::lock(m, g, mu),
        };
        loop {
            if op == SyncOp::Blocked {
                g.vm[1] = 1;
                return Outcome::Park;
            }
            assert_eq!(op, SyncOp::Done);
            if g.vm[4] == 0 {
                let _ = mutex::unlock(m, mu);
                assert_eq!(
                    mutex::wait_group_add(m, g.vm[3] as *const WaitGroup, -1),
                    SyncOp::Done
                );
                return Outcome::Exit;
            }
            if mutex::unlock(m, mu) == SyncOp::Yield {
                g.vm[1] = 2;
                return Outcome::Yield(YieldKind::Local);
            }
            g.vm[4] -= 1;
            if g.loop_guard.load(std::sync::atomic::Ordering::Relaxed) != 0 {
                g.vm[1] = 3;
                return Outcome::Yield(YieldKind::Preempt);
            }
            op = mutex::lock(m, g, mu);
        }
    }
}

/// Adds -1 to the WaitGroup `wg`.
unsafe fn fired(m: &mut M, wg: usize, _: usize, _: i64) {
    // SAFETY: `main` made it.
    let _ = unsafe { mutex::wait_group_add(m, wg as *const WaitGroup, -1) };
}

/// Sleeps vm[2] nanoseconds, then adds -1 to the WaitGroup vm[3].
fn sleeper(m: &mut M, g: &mut G) -> Outcome {
    g.vm[1] += 1;
    if g.vm[1] == 1 && timer::sleep(m, g, g.vm[2] as i64) == SyncOp::Blocked {
        return Outcome::Park;
    }
    nothing(m, g)
}

/// Adds -1 to the WaitGroup vm[3].
fn nothing(m: &mut M, g: &mut G) -> Outcome {
    // SAFETY: `main` made it.
    let done = unsafe { mutex::wait_group_add(m, g.vm[3] as *const WaitGroup, -1) };
    assert_eq!(done, SyncOp::Done);
    Outcome::Exit
}

/// Selects over the four channels from vm[2] on until all are closed.
fn selector(m: &mut M, g: &mut G) -> Outcome {
    // SAFETY: as `relay`.
    unsafe {
        let mut op = if g.vm[1] == 1 {
            Some(select::finish(m, g))
        } else {
            None
        };
        g.vm[1] = 1;
        loop {
            let now = match op.take() {
                Some(op) => op,
                None => {
                    if g.vm[2..6].iter().all(|c| *c == 0) {
                        return finish(m, g);
                    }
                    let mut cases = [SelectCase {
                        chan: ptr::null_mut(),
                        elem: SLOT,
                        is_send: false,
                    }; 5];
                    for (case, c) in cases.iter_mut().zip(&g.vm[2..7]) {
                        case.chan = *c as *mut Chan;
                    }
                    select::select(m, g, &cases, true)
                }
            };
            match now {
                SelectOp::Ready(_, true) => {}
                SelectOp::Ready(i, false) => g.vm[2 + i] = 0,
                SelectOp::Blocked => return Outcome::Park,
                op => panic!("{op:?}"),
            }
        }
    }
}

const N: usize = 500_000;

fn finish(m: &mut M, g: &mut G) -> Outcome {
    let (n, t) = (g.vm[10], START.get_or_init(Instant::now).elapsed());
    eprintln!(
        "{:.3} s, {:.1} ns each",
        t.as_secs_f64(),
        t.as_nanos() as f64 / n as f64
    );
    proc::main_exit(m, 0)
}

/// The main goroutine: sets up, then waits.
fn main_step(m: &mut M, g: &mut G) -> Outcome {
    let name = std::env::args().nth(1).unwrap_or_default();
    // SAFETY: as `relay`.
    unsafe {
        match g.vm[1] {
            0 => {}
            1 => {
                let _ = mutex::resume(m, g);
                if name == "spawn" && g.vm[12] < 1000 {
                    return wave(m, g);
                }
                return finish(m, g);
            }
            state => panic!("state {state}"),
        }
        proc::main_init_done(m);
        START.get_or_init(Instant::now);
        let wg = vec![0u64; 2].leak().as_ptr() as usize;
        let mu = vec![0u64; 1].leak().as_ptr() as usize;
        g.vm[11] = wg;
        g.vm[10] = N;
        match name.as_str() {
            "pingpong" => {
                let (ping, pong) = (make(m, 0), make(m, 0));
                go(m, relay, &[ping, pong, 1]);
                let _ = mutex::wait_group_add(m, wg as *const WaitGroup, 1);
                go(m, feeder, &[ping, pong, N, 0, 0, wg]);
            }
            "prodcons" => {
                g.vm[10] = 4 * N;
                let jobs = make(m, 128);
                let _ = mutex::wait_group_add(m, wg as *const WaitGroup, 1);
                go(m, sink, &[jobs, wg]);
                go(m, feeder, &[jobs, 0, 4 * N]);
            }
            "unbuffered" => {
                let jobs = make(m, 0);
                let _ = mutex::wait_group_add(m, wg as *const WaitGroup, 1);
                go(m, sink, &[jobs, wg]);
                go(m, feeder, &[jobs, 0, N]);
            }
            "sieve" => {
                // A chain of 100 relays.
                g.vm[10] = N / 10 * 100;
                let mut c = make(m, 0);
                go(m, feeder, &[c, 0, N / 10]);
                for _ in 0..100 {
                    let next = make(m, 0);
                    go(m, relay, &[c, next, 1]);
                    c = next;
                }
                let _ = mutex::wait_group_add(m, wg as *const WaitGroup, 1);
                go(m, sink, &[c, wg]);
            }
            "fanin" => {
                let cs = [make(m, 0), make(m, 0), make(m, 8), make(m, 64), make(m, 0)];
                for c in &cs[..4] {
                    go(m, feeder, &[*c, 0, N / 2]);
                }
                g.vm[0] = selector as *const () as usize;
                g.vm[1] = 0;
                g.vm[2..7].copy_from_slice(&cs);
                g.vm[10] = 2 * N;
                return selector(m, g);
            }
            "mutex" => {
                g.vm[10] = 8 * N;
                let _ = mutex::wait_group_add(m, wg as *const WaitGroup, 8);
                for _ in 0..8 {
                    go(m, locker, &[mu, wg, N]);
                }
            }
            "timers" => {
                g.vm[10] = 100_000;
                let _ = mutex::wait_group_add(m, wg as *const WaitGroup, 100_000);
                for i in 0..50_000 {
                    let at = timer::when(i % 50 * 1_000_000);
                    timer::new_timer(m, at, 0, fired, wg, ptr::null_mut());
                }
                for i in 0..50_000 {
                    go(m, sleeper, &[i % 50 * 1_000_000, wg]);
                }
            }
            "parked" => {
                g.vm[10] = 100_000;
                let gate = make(m, 0);
                let _ = mutex::wait_group_add(m, wg as *const WaitGroup, 100_000);
                for _ in 0..100_000 {
                    go(m, sink, &[gate, wg]);
                }
                go(m, feeder, &[gate, 0, 0]);
            }
            "spawn" => {
                g.vm[10] = 1_000_000;
                return wave(m, g);
            }
            _ => panic!(
                "pingpong, unbuffered, prodcons, sieve, fanin, mutex, timers, parked or spawn"
            ),
        }
        g.vm[1] = 1;
        if mutex::wait_group_wait(m, g, wg as *const WaitGroup) == SyncOp::Blocked {
            return Outcome::Park;
        }
        finish(m, g)
    }
}

/// One wave of `spawn`.
unsafe fn wave(m: &mut M, g: &mut G) -> Outcome {
    let wg = g.vm[11];
    // SAFETY: as `relay`.
    unsafe {
        loop {
            if g.vm[12] == 1000 {
                return finish(m, g);
            }
            g.vm[12] += 1;
            let _ = mutex::wait_group_add(m, wg as *const WaitGroup, 1000);
            for _ in 0..1000 {
                go(m, nothing, &[0, wg]);
            }
            g.vm[1] = 1;
            if mutex::wait_group_wait(m, g, wg as *const WaitGroup) == SyncOp::Blocked {
                return Outcome::Park;
            }
        }
    }
}

fn main() {
    proc::start(&Machines, |g| {
        g.vm[0] = main_step as *const () as usize;
    });
}
