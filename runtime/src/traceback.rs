#![allow(unsafe_code)]
//! What a dying program prints of its goroutines: header lines and order. Frames are the
//! engine's.
//!
//! # Invariants
//!
//! - B1. Descriptors are never freed; stacks of Gs that run on other threads are not looked at.
//!
//! Go: runtime/traceback.go, goroutineheader, tracebackothers.

use std::fmt::Write;
use std::ptr;

use crate::bubble;
use crate::clock::nanotime;
use crate::control::{self, tape};
use crate::g::{G, SCAN, Status};
use crate::knobs::{self, Knob};
use crate::m::M;
use crate::panic::print;
use crate::prof;
use crate::sched::{for_each_g, for_each_g_dying};
use crate::sync::Ordering;

/// Writes the header line of `g`. With `detailed`, addresses of G and M too, unless the run is
/// controlled or on a tape: they are others each time.
pub(crate) fn header(out: &mut String, g: &G, detailed: bool) {
    let bits = g.status_bits();
    let status = g.status();
    let mut word = status.name();
    let has_reason = !g.wait_reason().text().is_empty() && !fault!(PlainHeaders);
    if status == Status::Waiting && has_reason {
        word = g.wait_reason().text();
    }
    // Writing to a String cannot fail.
    let _ = write!(out, "goroutine {}", g.goid.0);
    if detailed && !tape::is_on() && !control::is_on() {
        // SAFETY: Ms are not freed while a G names them.
        match unsafe { ptr::read_volatile(&raw const g.m).as_ref() } {
            Some(m) => {
                let _ = write!(
                    out,
                    " gp={:#x} m={} mp={:#x}",
                    ptr::from_ref(g) as usize,
                    m.id,
                    ptr::from_ref(m) as usize
                );
            }
            None => {
                let _ = write!(out, " gp={:#x} m=nil", ptr::from_ref(g) as usize);
            }
        }
    }
    let _ = write!(out, " [{word}");
    if bits & SCAN != 0 {
        out.push_str(" (scan)");
    }
    // SAFETY: B1.
    let bubble = unsafe { bubble::of(g) };
    let is_durable = status == Status::Waiting && g.wait_reason().is_durable();
    if bubble.is_some() && is_durable && !word.ends_with("(durable)") {
        out.push_str(" (durable)");
    }
    let since = g.waitsince.load(Ordering::Relaxed);
    if matches!(status, Status::Waiting | Status::Syscall) && since != 0 {
        let minutes = (nanotime() - since) / 60_000_000_000;
        if minutes >= 1 {
            let _ = write!(out, ", {minutes} minutes");
        }
    }
    if !g.lockedm.load(Ordering::Relaxed).is_null() {
        out.push_str(", locked to thread");
    }
    if let Some(b) = bubble {
        let _ = write!(out, ", synctest bubble {}", b.id());
    }
    out.push(']');
    out.push_str(&labels(g));
    out.push_str(":\n");
}

/// The labels of `g` as headers show them.
fn labels(g: &G) -> String {
    match g.labels != 0 && knobs::get(Knob::TracebackLabels) >= 0 {
        true => prof::label_text(g.labels),
        false => String::new(),
    }
}

/// Header and frames of one G, as text.
///
/// `me` is the M that prints; a G that runs on another one keeps its frames to itself.
pub(crate) fn text(me: *mut M, g: *mut G, level: i32, detailed: bool) -> String {
    let mut s = String::new();
    // SAFETY: B1.
    unsafe {
        header(&mut s, &*g, detailed);
        let gm = ptr::read_volatile(&raw const (*g).m);
        if (*g).status() == Status::Running && gm != me && !gm.is_null() {
            s.push_str("\tgoroutine running on other thread; stack unavailable\n");
        } else if let Some(m) = me.as_ref()
            && (*g).native.is_none()
        {
            m.engine.traceback(&*g, &mut s, level);
        }
    }
    s
}

/// Prints `g`, with a blank line before it.
pub(crate) fn print_one(me: *mut M, g: *mut G, level: i32, detailed: bool) {
    print(format_args!("\n{}", text(me, g, level, detailed)));
}

/// Prints the Gs of the bubble with that number, but for `but`.
pub(crate) fn print_bubble(me: *mut M, but: *mut G, level: i32, detailed: bool, bubble: u32) {
    let mut all = Vec::new();
    for_each_g_dying(|g| {
        // SAFETY: B1.
        if g != but && unsafe { bubble::has(bubble, g) } {
            all.push(g);
        }
    });
    for g in all {
        print_one(me, g, level, detailed);
    }
}

/// Prints all Gs but `but`: the M's current one first, then the others in order of making.
pub(crate) fn print_others(me: *mut M, but: *mut G, level: i32, detailed: bool) {
    let mut cur: *mut G = ptr::null_mut();
    if !me.is_null() {
        // SAFETY: the M is this thread's.
        cur = unsafe { (*me).curg };
        if !cur.is_null() && cur != but {
            print_one(me, cur, level, detailed);
        }
    }
    let mut rest = Vec::new();
    for_each_g_dying(|g| {
        // SAFETY: B1.
        unsafe {
            let dead = matches!((*g).status(), Status::Dead | Status::Idle);
            if g != but && g != cur && !dead && (!(*g).is_system || level >= 2) {
                rest.push(g);
            }
        }
    });
    for g in rest {
        print_one(me, g, level, detailed);
    }
}

/// The text of `runtime.Stack`: the current G, then, with `all`, the others, until there are `max`
/// bytes or more.
///
/// Context: coroutine; with `all` the world is stopped (the current G then shows as waiting, so
/// its header is written as running).
pub fn stack_text(m: &mut M, all: bool, max: usize) -> String {
    let level = crate::knobs::traceback().level.max(1);
    let g = m.curg;
    let me = ptr::from_mut(m);
    let mut s = String::new();
    // SAFETY: the current G is ours.
    unsafe {
        let _ = writeln!(
            s,
            "goroutine {} [running{}]{}:",
            (*g).goid.0,
            if (*g).lockedm.load(Ordering::Relaxed).is_null() {
                ""
            } else {
                ", locked to thread"
            },
            labels(&*g)
        );
        m.engine.traceback(&*g, &mut s, level);
    }
    if all {
        let mut rest = Vec::new();
        for_each_g(|o| {
            // SAFETY: B1.
            unsafe {
                let dead = matches!((*o).status(), Status::Dead | Status::Idle);
                if o != g && !dead && (!(*o).is_system || level >= 2) {
                    rest.push(o);
                }
            }
        });
        if fault!(DumpBackwards) {
            rest.reverse();
        }
        for o in rest {
            if s.len() >= max {
                break;
            }
            s.push('\n');
            s.push_str(&text(me, o, level, false));
        }
    }
    s
}
