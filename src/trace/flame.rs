//! Where goroutines spend their time: as folded stacks, from which flame graphs are drawn.
//!
//! A line is a stack, outermost frame first, with semicolons between frames, and how many
//! microseconds were spent there. The first frames say with what: `running`, `runnable`,
//! `syscall` and the function that makes it, or `waiting` and the reason. Time that a goroutine
//! runs or can run counts where it stops next, or stopped last. Of a run whose time is virtual,
//! each turn of any goroutine counts as a microsecond.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::file::Tables;
use crate::read::Trace;
use crate::steered::is_time_virtual;
use crate::waits::{Doing, Goroutine, Waits};
use crate::wire::Event;

/// Events without which it cannot be told.
pub use crate::waits::NEEDED;

/// Nanoseconds by stack: the frames, outermost first.
pub type Folded = BTreeMap<Vec<String>, i64>;

/// What the program's goroutines spent their time with, as far as the trace is sound.
pub fn folded(trace: &Trace) -> Folded {
    let mut all = Folded::new();
    let mut waits = Waits::at_begin(trace);
    let events = &trace.events[..trace.sound];
    let is_virtual = is_time_virtual(trace);
    let (mut turns, mut last) = (0, None);
    for e in events {
        // Where time stands still while goroutines run, turns are counted.
        turns += i64::from(is_virtual && trace.name(e) == "start");
        let e = &match is_virtual {
            true => Event {
                ns: turns * 1000,
                ..*e
            },
            false => *e,
        };
        last = Some(e.ns);
        let before = waits.goroutines.get(&e.g).cloned();
        waits.event(e, trace.ops(e));
        let Some(before) = before else { continue };
        let after = waits.goroutines.get(&e.g);
        // It does something else now, if anything.
        if after.is_none_or(|after| after.since != before.since || after.doing != before.doing) {
            // What ran until here, ran to where it stops.
            let stack = match before.doing {
                Doing::Runs => after.map_or(before.stack, |g| g.stack),
                _ => before.stack,
            };
            count(&mut all, &waits, &trace.tables, &before, stack, e.ns);
        }
    }
    if let Some(last) = last {
        for g in waits.goroutines.values() {
            count(&mut all, &waits, &trace.tables, g, g.stack, last);
        }
    }
    all
}

fn count(all: &mut Folded, waits: &Waits, tables: &Tables, g: &Goroutine, stack: u64, until: i64) {
    let ns = until.saturating_sub(g.since);
    if g.is_system || ns <= 0 {
        return;
    }
    let mut frames = match g.doing {
        Doing::Unknown => return,
        Doing::Runs => vec!["running".into()],
        Doing::CanRun => vec!["runnable".into()],
        Doing::Calls => vec!["syscall".to_string(), tables.text(g.call).into()],
        Doing::Waits => vec!["waiting".to_string(), waits.reason(g).into()],
    };
    let known = tables.stack(stack);
    // With one frame of each stack the goroutine's own function says more.
    let func = tables.text(g.func);
    if known.len() < 2 && !func.is_empty() {
        frames.push(func.into());
    }
    for frame in known.iter().rev() {
        let file = tables.text(frame.file);
        let name = file.rsplit('/').next().unwrap_or(file);
        frames.push(format!(
            "{} ({name}:{})",
            tables.text(frame.function),
            frame.line
        ));
    }
    frames.retain(|f| !f.is_empty());
    // What separates frames is in no frame.
    let frames = frames.into_iter().map(|f: String| f.replace(';', ","));
    *all.entry(frames.collect()).or_default() += ns;
}

/// The same as text; what is less than a microsecond is left out.
pub fn text(folded: &Folded) -> String {
    let mut text = String::new();
    for (frames, ns) in folded {
        let us = (ns + 500) / 1000;
        if us > 0 {
            // Writing to a String cannot fail.
            let _ = writeln!(text, "{} {us}", frames.join(";"));
        }
    }
    text
}

/// The width of a picture, and the height of a row; a narrower stack is left out.
const WIDTH: f64 = 1200.0;
const ROW: usize = 18;
const NARROWEST: f64 = 0.3;

/// The same as a picture: what is wide took long, and what is below was called by what is above.
/// With `are_turns` each microsecond is told as a turn, which it stands for.
pub fn svg(folded: &Folded, title: &str, are_turns: bool) -> String {
    let time = |ns: i64| match are_turns {
        true => format!("{} turns", ns / 1000),
        false => crate::latency::time(ns),
    };
    let all: i64 = folded.values().sum();
    let mut cells: Vec<Cell> = Vec::new();
    // By depth: the cells that end where the last stack did.
    let mut open: Vec<usize> = Vec::new();
    let mut from = 0;
    for (frames, ns) in folded {
        let same = open
            .iter()
            .zip(frames)
            .take_while(|(i, f)| cells[**i].name == **f);
        let same = same.count();
        open.truncate(same);
        for frame in &frames[same..] {
            open.push(cells.len());
            cells.push(Cell {
                name: frame.clone(),
                of: frames[0].clone(),
                depth: open.len(),
                from,
                ns: 0,
            });
        }
        open.iter().for_each(|i| cells[*i].ns += ns);
        from += ns;
    }
    let depth = cells.iter().map(|c| c.depth).max().unwrap_or(0);
    let height = (depth + 3) * ROW;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" \
         font-family=\"monospace\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" \
         fill=\"#fff\"/>\n<text x=\"4\" y=\"14\">{}: {} of goroutines' time</text>\n",
        escaped(title),
        time(all)
    );
    let scale = WIDTH / all.max(1) as f64;
    for cell in &cells {
        let (x, w) = (cell.from as f64 * scale, cell.ns as f64 * scale);
        if w < NARROWEST {
            continue;
        }
        let y = cell.depth * ROW;
        let percent = cell.ns as f64 * 100.0 / all.max(1) as f64;
        let name = escaped(&cell.name);
        let fits: String = cell.name.chars().take((w / 7.3) as usize).collect();
        // Writing to a String cannot fail.
        let _ = writeln!(
            out,
            "<g><title>{name}: {}, {percent:.1} %</title><rect x=\"{x:.1}\" y=\"{y}\" \
             width=\"{w:.1}\" height=\"{}\" fill=\"{}\" stroke=\"#fff\"/><text x=\"{:.1}\" \
             y=\"{}\">{}</text></g>",
            time(cell.ns),
            ROW - 1,
            color(&cell.of),
            x + 3.0,
            y + 13,
            escaped(&fits)
        );
    }
    out.push_str("</svg>\n");
    out
}

struct Cell {
    name: String,
    /// What the time was spent with.
    of: String,
    depth: usize,
    from: i64,
    ns: i64,
}

/// Colors that are told apart by those who see red and green alike.
fn color(of: &str) -> &'static str {
    match of {
        "running" => "#8fd3a8",
        "runnable" => "#f2c46d",
        "syscall" => "#cdb4e8",
        _ => "#8ec1ea",
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
