#![allow(unsafe_code)]
//! What a prompt shows of goroutines and scheduler.
//!
//! # Invariants
//!
//! - X1. [`view`] and [`delayed`] stop nothing, so that looking changes nothing: they read atomics,
//!   fields that stay, and what the sched lock protects with that lock held. What they tell may be
//!   a moment old.
//!
//! Go: runtime/proc.go, schedtrace, for what there is to see.

use std::time::{Duration, Instant};

use super::{Input, find, is_paused, with_world_stopped};
use crate::clock::nanotime;
use crate::g::{G, Status};
use crate::m::M;
use crate::sched::{Gref, SCHED, allp, for_each_g};
use crate::switches;
use crate::sync::Ordering;
use crate::traceback;

/// A goroutine, as a prompt lists it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Info {
    /// Its number.
    pub id: u64,
    /// Go's word for its status.
    pub status: &'static str,
    /// Why it waits; empty if it does not.
    pub reason: &'static str,
    /// The goroutine that made it, 0 if none did.
    pub created_by: u64,
    /// The input that it comes from.
    pub input: Option<u64>,
    /// It is held: see [`hold`].
    pub is_held: bool,
    /// How long it has been waiting, or kept from running; zero if it runs.
    pub waits: Duration,
    /// Its frames, as a traceback has them.
    pub stack: String,
}

/// All goroutines of the program, by number.
///
/// Context: as [`with_world_stopped`].
pub fn goroutines() -> Vec<Info> {
    with_world_stopped(|m| {
        let mut all = Vec::new();
        for_each_g(|g| {
            // SAFETY: the world is stopped.
            let g = unsafe { &*g };
            if g.is_system || matches!(g.status(), Status::Dead | Status::Idle) {
                return;
            }
            let waits = g.status() == Status::Waiting;
            all.push(Info {
                id: g.goid.0,
                status: g.status().name(),
                reason: if waits { g.wait_reason().text() } else { "" },
                created_by: g.parent_goid.0,
                input: (g.input != 0).then_some(g.input),
                is_held: g.is_held.load(Ordering::Relaxed),
                waits: since(g).unwrap_or_default(),
                stack: frames(m, g),
            });
        });
        all.sort_by_key(|i| i.id);
        all
    })
}

/// The frames of a stopped goroutine.
fn frames(m: &M, g: &G) -> String {
    let mut text = String::new();
    if g.native.is_none() {
        m.engine.traceback(g, &mut text, 1);
    }
    text
}

/// The stack of the goroutine of that number, with its header line, as a traceback has it.
///
/// Context: as [`with_world_stopped`].
pub fn stack(id: u64) -> Option<String> {
    with_world_stopped(move |m| {
        let g = find(id);
        (!g.is_null()).then(|| traceback::text(m, g, 1, false))
    })
}

/// How long a goroutine has been waiting, or kept from running; none if it runs, or if that began
/// before a prompt was attached.
fn since(g: &G) -> Option<Duration> {
    let began = g.waitsince.load(Ordering::Relaxed);
    let is_idle = matches!(g.status(), Status::Waiting | Status::Runnable);
    (is_idle && began > 0).then(|| Duration::from_nanos((nanotime() - began).max(0) as u64))
}

/// A P, as [`view`] shows it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proc {
    /// Its number.
    pub id: usize,
    /// Go's word for its status.
    pub status: &'static str,
    /// The M that holds it.
    pub thread: Option<i64>,
    /// The goroutine that runs on it.
    pub runs: Option<u64>,
    /// The one in `runnext`.
    pub next: Option<u64>,
    /// Those in its ring, in the order in which they were put there.
    pub ring: Vec<u64>,
    /// How many there are in its ring, if it is not known which.
    pub uncertain: usize,
}

/// An M, as [`view`] shows it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Thread {
    /// Its number.
    pub id: i64,
    /// The P that it holds.
    pub proc: Option<usize>,
    /// The goroutine that runs on it.
    pub runs: Option<u64>,
    /// It searches for work.
    pub is_spinning: bool,
    /// It sleeps.
    pub is_asleep: bool,
}

/// What the scheduler holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct View {
    /// The Ps.
    pub procs: Vec<Proc>,
    /// The goroutines in the global queue, the first first.
    pub global: Vec<u64>,
    /// Those that are held.
    pub held: Vec<u64>,
    /// The Ms, but for sysmon and the prompt's own.
    pub threads: Vec<Thread>,
}

/// What the scheduler holds just now.
///
/// Context: a thread that is no M; no lock held.
pub fn view() -> View {
    // SAFETY: descriptors are never freed.
    let number = |g: *mut G| unsafe { g.as_ref().map(|g| g.goid.0) };
    let _s = SCHED.lock.guard();
    // SAFETY: X1; the lock is held.
    unsafe {
        let (global, held) = SCHED.globrunq_list();
        let numbers = |gs: &[Gref]| gs.iter().filter_map(|g| number(g.0)).collect();
        let procs = allp().ps.iter().map(|&p| {
            let m = (*p).m.load(Ordering::Relaxed);
            let runs = m.as_ref().map(|m| m.curg_seen.load(Ordering::Relaxed));
            Proc {
                id: (*p).id,
                status: (*p).status().name(),
                thread: m.as_ref().map(|m| m.id),
                runs: runs.and_then(number),
                next: number((*p).runq.peek_next()),
                ring: Vec::new(),
                uncertain: (*p).runq.ring_len(),
            }
        });
        let mut view = View {
            procs: procs.collect(),
            global: numbers(&global),
            held: numbers(&held),
            threads: Vec::new(),
        };
        let mut m = SCHED.allm.load(Ordering::Acquire);
        while !m.is_null() {
            let proc = (*m).p_seen.load(Ordering::Relaxed);
            view.threads.push(Thread {
                id: (*m).id,
                proc: proc.as_ref().map(|p| p.id),
                runs: number((*m).curg_seen.load(Ordering::Relaxed)),
                is_spinning: (*m).spinning.load(Ordering::Relaxed),
                is_asleep: (*m).blocked.load(Ordering::Relaxed),
            });
            m = (*m).alllink;
        }
        view.threads.sort_by_key(|t| t.id);
        fill_rings(&mut view);
        view
    }
}

/// Finds the goroutines in the rings: all that can run and are nowhere else.
fn fill_rings(view: &mut View) {
    let mut queued: Vec<(i64, usize, u64)> = Vec::new();
    for_each_g(|g| {
        // SAFETY: X1.
        let g = unsafe { &*g };
        let id = g.goid.0;
        let is_elsewhere = view.global.contains(&id)
            || view.held.contains(&id)
            || view
                .procs
                .iter()
                .any(|p| p.next == Some(id) || p.runs == Some(id));
        if g.status() == Status::Runnable && !is_elsewhere {
            let (at, p) = &g.in_ring;
            queued.push((at.load(Ordering::Relaxed), p.load(Ordering::Relaxed), id));
        }
    });
    queued.sort_unstable();
    for p in &mut view.procs {
        let ring = queued.iter().filter(|(_, on, _)| *on == p.id);
        let ring: Vec<u64> = ring.map(|(.., id)| *id).collect();
        // A thief does not note whom it has taken.
        if ring.len() == p.uncertain {
            p.ring = ring;
            p.uncertain = 0;
        }
    }
}

/// Why the goroutine of an input has not run for `time`, though it could; none if it has, or waits
/// for something.
///
/// Context: as [`view`].
pub fn delayed(input: &Input, time: Duration) -> Option<String> {
    let g = find(input.goid());
    // SAFETY: descriptors are never freed; X1.
    let g = unsafe { g.as_ref()? };
    let began = g.waitsince.load(Ordering::Relaxed);
    if is_paused() && g.status() == Status::Waiting && since(g).is_some_and(|s| s >= time) {
        return Some("it waits, and the goroutines are held".into());
    }
    let is_late = || g.status() == Status::Runnable && since(g).is_some_and(|s| s >= time);
    if !is_late() {
        return None;
    }
    // Goroutines that wake one another run in turns: some looks show them all.
    let mut ahead: Vec<u64> = Vec::new();
    let mut place = String::new();
    let begin = Instant::now();
    while begin.elapsed() < LOOK {
        let view = view();
        let is_there = |p: &&Proc| p.ring.contains(&input.goid()) || p.uncertain > 0;
        let procs: Vec<&Proc> = if view.global.contains(&input.goid()) {
            place = "the global queue".into();
            view.procs.iter().collect()
        } else {
            let procs: Vec<&Proc> = view.procs.iter().filter(is_there).collect();
            let names: Vec<String> = procs.iter().map(|p| format!("P{}", p.id)).collect();
            if !names.is_empty() {
                place = format!("the ring of {}", names.join(", "));
            }
            procs
        };
        for id in procs.iter().flat_map(|p| [p.runs, p.next]).flatten() {
            if id != input.goid() && !ahead.contains(&id) {
                ahead.push(id);
            }
        }
        std::thread::sleep(LOOK / 20);
    }
    // It may have run meanwhile.
    if !is_late() || g.waitsince.load(Ordering::Relaxed) != began {
        return None;
    }
    ahead.sort_unstable();
    let ahead: Vec<String> = ahead.iter().map(|id| format!("g{id}")).collect();
    let mut text = format!("not run for {} s: in {place}", since(g)?.as_secs());
    if !ahead.is_empty() {
        text += &format!(" behind {}", ahead.join(", "));
    }
    let off = switches::ALL
        .iter()
        .filter(|(mech, _)| !switches::on(*mech));
    let off: Vec<&str> = off.map(|(_, name)| *name).collect();
    if let Some((last, others)) = off.split_last() {
        let (others, verb) = match others {
            [] => (String::new(), "is"),
            others => (others.join(", ") + " and ", "are"),
        };
        text += &format!("; {others}{last} {verb} off");
    }
    Some(text)
}

/// For how long [`delayed`] collects the goroutines that run.
const LOOK: Duration = Duration::from_millis(20);
