//! Timelines as text: a lane for each P, a letter for each goroutine.

use std::fmt::Write as _;
use trace::read::Trace;
use trace::timeline::{Axis, Share, Timeline};

/// How a picture is to look.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Look {
    /// Lanes, at most: those where most happens.
    pub(crate) lanes: usize,
    /// Goroutines that are named, at most.
    pub(crate) named: usize,
    pub(crate) has_colors: bool,
}

/// Background colors that are told apart by those who see red and green alike, with black on them.
const COLORS: &[u8] = &[75, 214, 115, 180, 147, 228, 109, 216, 152, 186];

fn painted(letter: char, has_colors: bool) -> String {
    let color = match letter {
        'a'..='z' => COLORS[(letter as usize - 'a' as usize) % COLORS.len()],
        'A'..='Z' => COLORS[(letter as usize - 'A' as usize) % COLORS.len()],
        _ => return letter.to_string(),
    };
    match has_colors {
        true => format!("\x1b[30;48;5;{color}m{letter}\x1b[0m"),
        false => letter.to_string(),
    }
}

/// Nanoseconds, as one reads them.
pub(super) fn duration(ns: i64) -> String {
    let (n, unit) = match ns {
        1_000_000_000.. => (ns as f64 / 1e9, "s"),
        1_000_000.. => (ns as f64 / 1e6, "ms"),
        1_000.. => (ns as f64 / 1e3, "µs"),
        _ => return format!("{ns} ns"),
    };
    format!("{n:.3} {unit}")
}

/// Goroutines that are named below a picture, at most.
const NAMED: usize = 20;

/// Stands below a switch of a steered run.
const MARK: char = '▲';

/// A picture with all its lanes.
pub(crate) fn text(trace: &Trace, timeline: &Timeline) -> String {
    let look = Look {
        lanes: usize::MAX,
        named: NAMED,
        has_colors: crate::colors::on(&std::io::stdout()).colors,
    };
    let mut out = picture(trace, timeline, look).join("\n");
    out.push('\n');
    out
}

/// The lines of a picture: lanes, the axis, who is who.
pub(crate) fn picture(trace: &Trace, timeline: &Timeline, look: Look) -> Vec<String> {
    let letters = timeline.letters();
    let letter = |g: &Option<u64>| g.map_or('.', |g| letters.get(&g).copied().unwrap_or('*'));
    let mut lanes: Vec<_> = timeline.lanes.iter().collect();
    let hidden = lanes.len().saturating_sub(look.lanes);
    lanes.sort_by_key(|(p, lane)| (std::cmp::Reverse(lane.iter().flatten().count()), **p));
    lanes.truncate(look.lanes);
    lanes.sort_by_key(|(p, _)| **p);
    let mut lines = Vec::new();
    let name = lanes.iter().map(|(p, _)| p.to_string().len()).max();
    let name = name.unwrap_or(1) + 1;
    let mut width = 0;
    for (p, lane) in lanes {
        let shown = lane.iter().map(|g| painted(letter(g), look.has_colors));
        width = lane.len();
        let p = format!("P{p}");
        lines.push(format!("{p:name$} {}", shown.collect::<String>()));
    }
    if !timeline.marks.is_empty() {
        let marks = (0..width).map(|k| match timeline.marks.contains(&k) {
            true => MARK,
            false => ' ',
        });
        let marks = format!("{:name$} {}", "", marks.collect::<String>());
        lines.push(marks.trim_end().into());
    }
    let (from, to) = match timeline.axis {
        Axis::Time => (duration(timeline.from), duration(timeline.to)),
        Axis::Decision => (
            format!("decision {}", timeline.from + 1),
            timeline.to.to_string(),
        ),
    };
    let room = width.saturating_sub(from.chars().count() + to.chars().count());
    lines.push(format!("{:name$} {from}{:room$}{to}", "", ""));
    if hidden != 0 {
        lines.push(format!("{hidden} Ps where less happens are not shown"));
    }
    // Where time stands still while goroutines run, nobody has a share of it.
    let ran: i64 = match trace::steered::is_time_virtual(trace) {
        true => 0,
        false => timeline.shares.iter().map(|s| s.ns).sum(),
    };
    let named = timeline.shares.iter().filter(|s| !s.is_system);
    for share in named.take(look.named) {
        let letter = painted(letter(&Some(share.g)), look.has_colors);
        lines.push(format!("{letter} {}", who(trace, share, ran)));
    }
    let others = timeline.shares.iter().filter(|s| !s.is_system).count();
    if others > look.named {
        lines.push(format!("and {} more goroutines", others - look.named));
    }
    let unseen = match timeline.unseen {
        0 => String::new(),
        1 => "1 switch of the schedule is not in the picture".into(),
        n => format!("{n} switches of the schedule are not in the picture"),
    };
    match timeline.marks.is_empty() {
        true if unseen.is_empty() => {}
        true => lines.push(unseen),
        false if unseen.is_empty() => lines.push(format!("{MARK} a switch of the schedule")),
        false => lines.push(format!("{MARK} a switch of the schedule; {unseen}")),
    }
    lines
}

/// Who a goroutine is, and what it has of all that ran.
fn who(trace: &Trace, share: &Share, all: i64) -> String {
    let mut text = format!("goroutine {}", share.g);
    match trace.tables.text(share.func) {
        _ if share.g == 1 => text += " main.main",
        "" => {}
        func => {
            let _ = write!(text, " {func}");
        }
    }
    let turns = if share.turns == 1 { "turn" } else { "turns" };
    let _ = match all {
        0 => write!(text, ": {} {turns}", share.turns),
        _ => {
            let percent = share.ns as f64 * 100.0 / all as f64;
            write!(text, ": {percent:.1} %, {} {turns}", share.turns)
        }
    };
    text
}
