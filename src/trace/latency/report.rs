//! What was measured, in words.

use std::fmt::Write as _;

use super::{BOUNDS, Meter, Wait};
use crate::file::Tables;

impl Meter {
    /// How many waits there were.
    pub fn count(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// What was measured, in lines.
    pub fn report(&self, tables: &Tables) -> String {
        let mut text = String::new();
        let n = self.count();
        let times = if n == 1 { "turn was" } else { "turns were" };
        // Writing to a String cannot fail.
        let _ = write!(text, "gosched: latency: {n} {times} waited for");
        for percent in [50, 99] {
            if let Some(bound) = self.within(percent) {
                let _ = write!(text, ", {percent} % of them less than {}", time(bound));
            }
        }
        text.push('\n');
        if self.has_gaps {
            text +=
                "records of the scheduler were lost: what was being waited for then is missing\n";
        }
        if !self.longest.is_empty() {
            text += "The longest waits, of one goroutine each:\n";
        }
        for wait in &self.longest {
            let _ = write!(text, "{:>9}  ", time(wait.ns));
            text += &wait.told(tables, "\n           ");
            text.push('\n');
        }
        text += &self.histogram();
        text
    }

    /// The least bound under which so many of a hundred waits are.
    fn within(&self, percent: u64) -> Option<i64> {
        let n = self.count();
        let mut sum = 0;
        for (bound, count) in BOUNDS.iter().zip(self.counts) {
            sum += count;
            if sum > 0 && sum * 100 >= n * percent {
                return Some(*bound);
            }
        }
        None
    }

    fn histogram(&self) -> String {
        const WIDTH: u64 = 40;
        let mut text = String::new();
        let first = self.counts.iter().position(|n| *n > 0);
        let last = self.counts.iter().rposition(|n| *n > 0);
        let (Some(first), Some(last)) = (first, last) else {
            return text;
        };
        let most = self.counts.iter().max().copied().unwrap_or(1).max(1);
        text += "How long they were:\n";
        for (i, n) in self.counts.iter().enumerate().take(last + 1).skip(first) {
            let bound = match BOUNDS.get(i) {
                Some(bound) => format!("< {}", time(*bound)),
                None => format!("≥ {}", time(BOUNDS[BOUNDS.len() - 1])),
            };
            let bar = n * WIDTH / most + u64::from(*n > 0 && n * WIDTH < most);
            let bar = "#".repeat(bar as usize);
            let line = format!("{bound:>9}  {n:>9}  {bar}");
            text += line.trim_end();
            text.push('\n');
        }
        text
    }
}

impl Wait {
    /// Who waited and where, who ran instead, and the rule, with this between the lines.
    pub fn told(&self, tables: &Tables, between: &str) -> String {
        let mut text = named(tables, self.g, self.func, self.stack);
        // Writing to a String cannot fail.
        let _ = write!(text, ", {}", self.place);
        if !self.is_over {
            text += ", and it still waits";
        }
        for c in &self.culprits {
            let who = named(tables, c.g, c.func, c.stack);
            let times = if c.n == 1 { "time" } else { "times" };
            let _ = write!(
                text,
                "{between}instead ran {who}: {} {times}, {}",
                c.n,
                time(c.ns)
            );
        }
        if self.others > 0 {
            let _ = write!(text, "{between}and {} more", self.others);
        }
        let _ = write!(text, "{between}rule {}: {}", self.rule, self.because);
        text
    }
}

/// A goroutine with its function and the place where it stopped last.
fn named(tables: &Tables, g: u64, func: u64, stack: u64) -> String {
    let mut text = format!("goroutine {g}");
    let func = tables.text(func);
    let frame = tables.stack(stack).first();
    let line = frame.map(|f| {
        let file = tables.text(f.file);
        let name = file.rsplit('/').next().unwrap_or(file);
        format!("{name}:{}", f.line)
    });
    let known: Vec<String> = [(!func.is_empty()).then(|| func.to_string()), line]
        .into_iter()
        .flatten()
        .collect();
    if !known.is_empty() {
        // Writing to a String cannot fail.
        let _ = write!(text, " ({})", known.join(", "));
    }
    text
}

/// A time in three digits or so.
pub fn time(ns: i64) -> String {
    let (n, unit) = match ns {
        1_000_000_000.. => (ns as f64 / 1e9, "s"),
        1_000_000.. => (ns as f64 / 1e6, "ms"),
        1_000.. => (ns as f64 / 1e3, "µs"),
        _ => return format!("{ns} ns"),
    };
    match n {
        n if n.fract() == 0.0 => format!("{n:.0} {unit}"),
        n if n < 10.0 => format!("{n:.2} {unit}"),
        n if n < 100.0 => format!("{n:.1} {unit}"),
        n => format!("{n:.0} {unit}"),
    }
}
