//! What the screen shows.

use serde::Deserialize;
use std::fmt::Write as _;

/// What the program tells of itself, four times a second.
#[derive(Clone, Deserialize, Debug)]
pub(super) struct Snapshot {
    /// Since the program began, in milliseconds.
    ms: u64,
    gomaxprocs: u32,
    idle: u32,
    threads: u32,
    idle_threads: u32,
    searching: u32,
    /// The length of the global queue.
    global: u32,
    ps: Vec<Processor>,
    running: u64,
    runnable: u64,
    waiting: u64,
    syscall: u64,
    /// Those who have waited longest, longest first.
    longest: Vec<Waiter>,
}

#[derive(Clone, Deserialize, Debug)]
struct Processor {
    p: u32,
    status: String,
    /// Its thread, and the goroutine that runs; −1 and 0 if there are none.
    m: i64,
    g: u64,
    func: String,
    runnext: u64,
    ring: u32,
    tick: u32,
}

#[derive(Clone, Deserialize, Debug)]
struct Waiter {
    g: u64,
    /// How many wait so; the others came later.
    n: u64,
    func: String,
    /// Where it stopped.
    at: String,
    reason: String,
    /// What it waits on.
    on: String,
    ns: i64,
}

/// Lines of the program's output that are shown.
const PRINTED: usize = 3;

/// What there is to see, in at most so many lines.
pub(super) fn lines(title: &str, s: &Snapshot, printed: &str, height: usize) -> Vec<String> {
    let goroutines = s.running + s.runnable + s.waiting + s.syscall;
    let mut lines = vec![
        format!("{title}   {:.1} s", s.ms as f64 / 1000.0),
        format!(
            "goroutines {goroutines}: {} running, {} runnable, {} waiting, {} in system calls",
            s.running, s.runnable, s.waiting, s.syscall
        ),
        format!(
            "Ps {} ({} idle)   threads {} ({} idle, {} searching)   global queue {}",
            s.gomaxprocs, s.idle, s.threads, s.idle_threads, s.searching, s.global
        ),
        String::new(),
        format!(
            "{:<5}{:<10}{:>6}{:>6}{:>9}{:>10}  runs",
            "P", "status", "thread", "ring", "runnext", "tick"
        ),
    ];
    // Half of what is left, at most, is for the Ps.
    let most = (height.saturating_sub(lines.len() + PRINTED + 4) / 2).max(1);
    for p in s.ps.iter().take(most) {
        let or_none = |n: i64, is: bool| if is { n.to_string() } else { "-".into() };
        let runs = match p.g {
            0 => "-".to_string(),
            g => format!("goroutine {g} {}", p.func),
        };
        lines.push(format!(
            "{:<5}{:<10}{:>6}{:>6}{:>9}{:>10}  {runs}",
            format!("P{}", p.p),
            p.status,
            or_none(p.m, p.m >= 0),
            p.ring,
            or_none(p.runnext as i64, p.runnext != 0),
            p.tick,
        ));
    }
    if s.ps.len() > most {
        lines.push(format!("and {} more", s.ps.len() - most));
    }
    lines.push(String::new());
    lines.push(format!(
        "{:>9}  {:<24}{:<34}where",
        "since", "reason", "waits longest"
    ));
    let printed: Vec<&str> = printed.lines().collect();
    let printed = &printed[printed.len().saturating_sub(PRINTED)..];
    let below = if printed.is_empty() {
        0
    } else {
        printed.len() + 1
    };
    let room = height.saturating_sub(lines.len() + below);
    for w in s.longest.iter().take(room) {
        let mut at = w.at.clone();
        if !w.on.is_empty() {
            // Writing to a String cannot fail.
            let _ = write!(at, ", on {}", w.on);
        }
        lines.push(format!(
            "{:>9}  {:<24}{:<34}{at}",
            trace::latency::time(w.ns),
            w.reason,
            match w.n {
                1 => format!("goroutine {} {}", w.g, w.func),
                n => format!("{n} × {}", w.func),
            },
        ));
    }
    if !printed.is_empty() {
        // At the bottom, wherever the others end.
        lines.resize(height.saturating_sub(below).max(lines.len()), String::new());
        lines.push("--- printed ---".into());
        lines.extend(printed.iter().map(|l| l.to_string()));
    }
    lines.truncate(height);
    lines
}

/// What writes the lines over what the screen shows, without clearing it first.
pub(super) fn frame(lines: &[String], width: usize, height: usize) -> String {
    // Terminals that know it show all of it at once.
    let mut out = String::from("\x1b[?2026h\x1b[H");
    for (i, line) in lines.iter().take(height).enumerate() {
        if i > 0 {
            out.push_str("\r\n");
        }
        // What the program prints is text, and not what moves the cursor.
        let plain = line.chars().map(|c| if c.is_control() { ' ' } else { c });
        out.extend(plain.take(width.saturating_sub(1)));
        out.push_str("\x1b[K");
    }
    out.push_str("\x1b[J\x1b[?2026l");
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn snapshot() -> Snapshot {
        let text = r#"{"ms":1500,"gomaxprocs":2,"idle":1,"threads":4,"idle_threads":2,"searching":0,
            "global":7,"running":1,"runnable":9,"waiting":30,"syscall":0,
            "ps":[{"p":0,"status":"running","m":3,"g":5,"func":"main.main.func1",
             "runnext":6,"ring":2,"tick":99},
                  {"p":1,"status":"idle","m":-1,"g":0,"func":"","runnext":0,"ring":0,"tick":1}],
            "longest":[{"g":8,"n":3,"func":"main.work","at":"f.go:3","reason":"chan receive",
             "on":"chan 4","ns":2000000}]}"#;
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn a_picture_fits_and_is_one_piece() {
        for (width, height) in [(80, 24), (20, 5), (1, 1), (200, 60)] {
            let lines = lines("f.go", &snapshot(), "one\ntwo\x1b[2J\n", height);
            assert!(lines.len() <= height, "{height}");
            let out = frame(&lines, width, height);
            assert_eq!(out.matches("\r\n").count() + 1, lines.len().max(1));
            assert_eq!(out.matches("\x1b[2J").count(), 0);
            let body = out.replace("\x1b[K", "").replace("\x1b[J", "");
            let body = body
                .replace("\x1b[?2026h\x1b[H", "")
                .replace("\x1b[?2026l", "");
            assert!(body.split("\r\n").all(|l| l.chars().count() < width.max(2)));
        }
        let all = lines("f.go", &snapshot(), "", 24).join("\n");
        assert!(all.contains("global queue 7"), "{all}");
        assert!(
            all.contains(
                "P0   running        3     2        6        99  goroutine 5 main.main.func1"
            ),
            "{all}"
        );
        assert!(
            all.contains("  2 ms  chan receive            3 × main.work"),
            "{all}"
        );
    }
}
