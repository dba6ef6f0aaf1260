//! The scheduler, shown: as it stands, step by step, and as it goes on.

use super::front::say;
use std::fmt::Write;
use std::io::IsTerminal;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};
use vm::prompt::{self, Step, View, Who};

/// Decisions that are shown in a second; the others are counted.
const MOST: usize = 20;
/// How often decisions are taken.
const PERIOD: Duration = Duration::from_millis(50);
/// How often what is watched is drawn.
const FRAME: Duration = Duration::from_millis(250);
/// The most steps that are taken at once.
pub(super) const STEPS_MAX: u32 = 10_000;

/// What the scheduler holds, in words.
pub(super) fn sched() -> String {
    let View {
        procs,
        global,
        held,
        threads,
    } = prompt::view();
    let mut out = String::new();
    for p in &procs {
        let _ = write!(out, "P{}  ", p.id);
        match (p.runs, p.thread) {
            (Some(g), _) => _ = write!(out, "runs g{g}"),
            (None, Some(_)) if prompt::is_paused() => out.push_str("paused"),
            (None, Some(_)) => out.push_str("looks for work"),
            (None, None) => out.push_str(p.status),
        }
        if let Some(g) = p.next {
            let _ = write!(out, ", runnext g{g}");
        }
        match (&p.ring[..], p.uncertain) {
            ([], 0) => {}
            ([], n) => _ = write!(out, ", ring {n}"),
            (ring, _) => _ = write!(out, ", ring {}", names(ring)),
        }
        out.push('\n');
    }
    for (what, gs) in [("global queue", global), ("held", held)] {
        if !gs.is_empty() {
            let _ = writeln!(out, "{what}: {}", names(&gs));
        }
    }
    for t in threads {
        let state = match (t.proc, t.runs) {
            (Some(p), Some(g)) => format!("runs g{g} on P{p}"),
            (Some(p), None) if t.is_spinning => format!("searches with P{p}"),
            (Some(p), None) => format!("has P{p}"),
            (None, Some(g)) => format!("g{g} in a system call"),
            (None, None) if t.is_asleep => "asleep".to_string(),
            (None, None) => continue,
        };
        let _ = writeln!(out, "M{}  {state}", t.id);
    }
    out
}

fn names(gs: &[u64]) -> String {
    let names: Vec<String> = gs.iter().map(|g| format!("g{g}")).collect();
    names.join(" ")
}

/// What is known of a channel or lock, in words.
pub(super) fn who(who: &Who) -> String {
    let mut out = String::new();
    if !who.state.is_empty() {
        let _ = writeln!(out, "{}", who.state);
    }
    if !who.holders.is_empty() {
        let _ = writeln!(out, "held by: {}", names(&who.holders));
    }
    if !who.waiting.is_empty() {
        let waiting: Vec<String> = who
            .waiting
            .iter()
            .map(|(g, why)| format!("g{g} {why}"))
            .collect();
        let _ = writeln!(out, "waiting: {}", waiting.join(", "));
    }
    let mut ways: Vec<String> = who.reached_by.iter().map(|g| format!("g{g}")).collect();
    if who.is_global {
        ways.push("variables".into());
    }
    if !ways.is_empty() {
        let _ = writeln!(out, "reached from: {}", ways.join(" "));
    }
    out
}

/// Draws what the scheduler holds again and again, until Ctrl-C. `false`: there is no terminal.
pub(super) fn watch() -> bool {
    if !std::io::stdout().is_terminal() {
        return false;
    }
    say("Ctrl-C ends this\n");
    let mut drawn = 0;
    while !prompt::take_interrupt() {
        let text = fitting(&sched());
        let back = match drawn {
            0 => String::new(),
            n => format!("\x1b[{n}A\r\x1b[J"),
        };
        say(&(back + &text));
        drawn = text.lines().count();
        thread::sleep(FRAME);
    }
    true
}

/// As much of a text as the terminal has room for.
fn fitting(text: &str) -> String {
    let size = rustix::termios::tcgetwinsize(std::io::stdout());
    let (rows, columns) = match size {
        Ok(size) if size.ws_row > 1 && size.ws_col > 1 => (size.ws_row, size.ws_col),
        _ => (24, 80),
    };
    let cut = |line: &str| {
        line.chars()
            .take(usize::from(columns) - 1)
            .collect::<String>()
            + "\n"
    };
    text.lines().take(usize::from(rows) - 1).map(cut).collect()
}

/// Takes steps; what happened in them.
pub(super) fn steps(n: u32) -> String {
    let mut out = String::new();
    if prompt::pause() {
        out.push_str("// all goroutines are held; :run lets them go on\n");
    }
    for _ in 0..n {
        let (events, note) = match prompt::step() {
            Step::Over(events) => (events, ""),
            Step::Runs(events) => (events, "it still runs\n"),
            Step::Nothing => {
                out.push_str("// none can run\n");
                break;
            }
        };
        for event in &events {
            if let Some(text) = event.words() {
                let begin = if event.is_decision() { "" } else { "    " };
                let _ = writeln!(out, "{begin}{text}");
            }
        }
        out.push_str(note);
    }
    out
}

/// Whether decisions are to be shown.
static TRACES: AtomicBool = AtomicBool::new(false);

/// Begins or ends to show decisions.
pub(super) fn trace(on: bool) {
    static BEGUN: Once = Once::new();
    TRACES.store(on, Ordering::Relaxed);
    prompt::watch(on);
    if on {
        BEGUN.call_once(|| _ = thread::spawn(show_decisions));
    }
}

/// The life of the thread that shows decisions.
fn show_decisions() {
    let (mut shown, mut more) = (0, 0);
    let mut second = Instant::now();
    loop {
        thread::sleep(PERIOD);
        let is_on = TRACES.load(Ordering::Relaxed);
        let mut out = String::new();
        for event in prompt::watched().iter().filter(|e| e.is_decision()) {
            match event.words() {
                Some(text) if shown < MOST => {
                    shown += 1;
                    let _ = writeln!(out, "{text}");
                }
                _ => more += 1,
            }
        }
        if !is_on || second.elapsed() >= Duration::from_secs(1) {
            if more > 0 {
                let _ = writeln!(out, "… {} more", grouped(more));
            }
            (shown, more) = (0, 0);
            second = Instant::now();
        }
        if !out.is_empty() {
            say(&out);
        }
    }
}

/// A number with commas between groups of three digits.
fn grouped(n: usize) -> String {
    if n < 1000 {
        return n.to_string();
    }
    format!("{},{:03}", grouped(n / 1000), n % 1000)
}
