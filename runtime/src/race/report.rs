//! What is told of a race, in Go's form.

use super::{Access, hold};
use crate::control;
use crate::control::operation::{Act, Operation};
use crate::g::{G, Goid};
use crate::panic::print;
use crate::sync::plain::Ordering;
use std::fmt::Write;

/// Exit status of a program with races. Go: racefini, `exitcode` of GORACE.
pub const STATUS: i32 = 66;

/// Tells the race that [`super::access`] has found at `pc`.
///
/// # Safety
///
/// As there; `g` has saved its registers.
pub unsafe fn report(g: *const G, pc: usize, access: Access) {
    // SAFETY: the caller's.
    let g = unsafe { &*g };
    let (race, own, life) = {
        // SAFETY: race::R2.
        let mut d = unsafe { hold() };
        let me = d.thread(g);
        let Some(race) = d.threads.take_found(me) else {
            return;
        };
        let own = d.threads.life(me, d.threads.now(me).time());
        (race, own, d.threads.life(race.thread, race.time))
    };
    // SAFETY: `g` runs on its M.
    let engine = unsafe { (*g.m).engine };
    if engine.hides_races(pc) || engine.hides_races(race.pcs[0]) {
        return;
    }
    if control::is_on() {
        let operation = |writes: bool, is_atomic: bool, pc: usize| Operation {
            act: match (writes, is_atomic) {
                (true, true) => Act::Store,
                (false, true) => Act::Load,
                (true, false) => Act::Write,
                (false, false) => Act::Read,
            },
            pc: pc as u64,
            at: pc as u64,
            object: race.at as u64,
        };
        control::races(
            (
                life.as_ref().map_or(Goid(0), |l| l.goid),
                operation(race.writes, race.is_atomic, race.pcs[0]),
            ),
            (g.goid, operation(access.writes, access.is_atomic, pc)),
        );
    }
    if super::is_quiet() {
        return;
    }
    let mut stack = String::new();
    engine.traceback(g, &mut stack, 1);
    let (frames, _) = split(&stack);
    let mut earlier = String::new();
    engine.frames_at(&race.pcs, &mut earlier);
    let mut lines = [line(frames), line(&earlier)];
    lines.sort();
    {
        // SAFETY: race::R2.
        let mut d = unsafe { hold() };
        if !d.lines.insert(lines) {
            return;
        }
        d.count += 1;
    }
    let mut text = String::from("==================\nWARNING: DATA RACE\n");
    let who = name(g.goid);
    let verb = verb(access.writes, access.is_atomic, true);
    let _ = writeln!(
        text,
        "{verb} at {:#014x} by {who}:\n{}",
        race.at,
        indented(frames)
    );
    let who = life
        .as_ref()
        .map_or("an ended goroutine".into(), |l| name(l.goid));
    let verb = self::verb(race.writes, race.is_atomic, false);
    let _ = writeln!(
        text,
        "Previous {verb} at {:#014x} by {who}:\n{}",
        race.at,
        indented(&earlier)
    );
    for life in own.iter().chain(&life) {
        if life.goid.0 > 1 && !life.made_at.is_empty() {
            let mut place = String::new();
            engine.frames_at(&life.made_at, &mut place);
            let state = if life.is_over { "finished" } else { "running" };
            let _ = writeln!(
                text,
                "Goroutine {} ({state}) created at:\n{}",
                life.goid.0,
                indented(&place)
            );
        }
    }
    // Blank lines are between the parts only.
    text.truncate(text.trim_end().len());
    text.push_str("\n==================\n");
    print(format_args!("{text}"));
}

/// How Go calls a goroutine.
fn name(goid: Goid) -> String {
    match goid.0 {
        1 => "main goroutine".into(),
        n => format!("goroutine {n}"),
    }
}

fn verb(writes: bool, is_atomic: bool, begins: bool) -> &'static str {
    match (is_atomic, writes, begins) {
        (true, true, true) => "Atomic write",
        (true, true, false) => "atomic write",
        (true, false, true) => "Atomic read",
        (true, false, false) => "atomic read",
        (false, true, true) => "Write",
        (false, true, false) => "write",
        (false, false, true) => "Read",
        (false, false, false) => "read",
    }
}

/// The line of the innermost frame.
fn line(frames: &str) -> String {
    let place = frames.lines().find_map(|line| line.strip_prefix('\t'));
    let place = place.unwrap_or_default();
    place.split(' ').next().unwrap_or_default().into()
}

/// The frames of a traceback, and what follows them.
fn split(stack: &str) -> (&str, &str) {
    match stack.find("created by ") {
        Some(at) => stack.split_at(at),
        None => (stack, ""),
    }
}

/// The frames of a traceback as the detector of Go writes them.
fn indented(frames: &str) -> String {
    let mut out = String::new();
    for line in frames.lines() {
        let _ = match line.strip_prefix('\t') {
            Some(place) => writeln!(out, "      {place}"),
            None => writeln!(out, "  {}", line.replace("(...)", "()")),
        };
    }
    out
}

/// The exit status of a program that ends with `code`: if there were races it is told how many.
pub(crate) fn status(code: i32) -> i32 {
    if !super::is_on() || code != 0 && super::LEAVES_FAILURES.load(Ordering::Relaxed) {
        return code;
    }
    // SAFETY: race::R2: the program ends.
    match unsafe { hold() }.count {
        0 => code,
        n => {
            print(format_args!("Found {n} data race(s)\n"));
            STATUS
        }
    }
}
