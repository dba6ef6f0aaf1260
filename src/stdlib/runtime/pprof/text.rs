//! Profiles as text, columns set off by tabs.
//!
//! Go: runtime/pprof/pprof.go (printCountProfile, printStackRecord, writeHeapInternal,
//! writeProfileInternal).

use std::fmt::Write;

use gosched_runtime::prof::heap::Record;
use gosched_runtime::prof::wait::{self, Waited};

use super::labels::{self, Labels};
use super::profile::{Kind, Profile, place};

/// What [`frames`] shows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Show {
    /// All but functions of the runtime that the stack begins with.
    Program,
    All,
}

/// A stack as addresses, and its labels: what is counted together.
pub(crate) fn key(stack: &[usize], all: &Labels) -> String {
    let mut text = String::from("@");
    for pc in stack {
        // Writing to a String cannot fail.
        let _ = write!(text, " {pc:#x}");
    }
    if !all.is_empty() {
        let _ = write!(text, "\n# labels: {}", labels::text(all));
    }
    text
}

/// Writes a line for each frame, and an empty one.
fn frames(out: &mut String, stack: &[usize], show: Show) {
    let mut shows = show == Show::All;
    let empty = [0];
    let stack = if stack.is_empty() { &empty } else { stack };
    for &pc in stack {
        let Some(at) = place(pc) else {
            shows = true;
            // Writing to a String cannot fail.
            let _ = writeln!(out, "#\t{:#x}", pc.saturating_sub(1));
            if pc == 0 {
                break;
            }
            continue;
        };
        let of_runtime = at.name.starts_with("runtime.");
        if at.name != "runtime.goexit" && (shows || !of_runtime) {
            shows = true;
            let pc = pc - 1;
            let offset = pc.saturating_sub(at.entry);
            let _ = writeln!(
                out,
                "#\t{pc:#x}\t{}+{offset:#x}\t{}:{}",
                at.name, at.file, at.line
            );
        }
    }
    if !shows {
        return frames(out, stack, Show::All);
    }
    out.push('\n');
}

/// Of stacks that are counted.
pub(crate) fn counts(name: &str, p: &Profile) -> String {
    let total: i64 = p.samples.iter().map(|s| s.values[0]).sum();
    let mut out = format!("{name} profile: total {total}\n");
    for s in &p.samples {
        let key = key(&s.stack, &s.labels);
        // Writing to a String cannot fail.
        let _ = writeln!(out, "{} {key}", s.values[0]);
        frames(&mut out, &s.stack, Show::Program);
    }
    out
}

/// Of waits.
pub(crate) fn waits(kind: Kind, mut all: Vec<(Box<[usize]>, Waited)>) -> String {
    let name = match kind {
        Kind::Blocked => "contention",
        _ => "mutex",
    };
    // Waits are measured in ns.
    let mut out = format!("--- {name}:\ncycles/second=1000000000\n");
    if kind == Kind::Contended {
        let period = wait::set_mutex_fraction(-1);
        // Writing to a String cannot fail.
        let _ = writeln!(out, "sampling period={period}");
    }
    all.sort_by_key(|(_, waited)| std::cmp::Reverse(waited.ns));
    for (stack, waited) in all {
        let key = key(&stack, &Labels::new());
        let _ = writeln!(out, "{} {} {key}", waited.ns, waited.count as i64);
        frames(&mut out, &stack, Show::All);
    }
    out
}

/// Of memory, with what `runtime.MemStats` says: its numbers as writeHeap in pprof.go gives them.
pub(crate) fn memory(mut all: Vec<Record>, rate: i64, stats: &[u64], fraction: f64) -> String {
    let in_use = |r: &Record| (r.allocs - r.frees, (r.allocs - r.frees) * r.size as u64);
    let allocated = |r: &Record| (r.allocs, r.allocs * r.size as u64);
    let add = |a: (u64, u64), b: (u64, u64)| (a.0 + b.0, a.1 + b.1);
    all.sort_by_key(|r| in_use(r).1);
    let total_in_use = all.iter().map(in_use).fold((0, 0), add);
    let mut total = all.iter().map(allocated).fold((0, 0), add);
    // Readers take a profile with both equal for one that does not tell them apart.
    if total.1 == total_in_use.1 {
        total.1 += 1;
    }
    let mut out = format!(
        "heap profile: {}: {} [{}: {}] @ heap/{}\n",
        total_in_use.0,
        total_in_use.1,
        total.0,
        total.1,
        2 * rate
    );
    for r in &all {
        let ((n, bytes), (n_all, bytes_all)) = (in_use(r), allocated(r));
        let key = key(&r.stack, &Labels::new());
        // Writing to a String cannot fail.
        let _ = writeln!(out, "{n}: {bytes} [{n_all}: {bytes_all}] {key}");
        frames(&mut out, &r.stack, Show::Program);
    }
    out.push_str("\n# runtime.MemStats\n");
    write_stats(&mut out, stats, fraction);
    out
}

fn write_stats(out: &mut String, stats: &[u64], fraction: f64) {
    /// The numbers that have a line each, in the order of `stats`; a `/` joins two.
    const NAMES: [&str; 20] = [
        "Alloc",
        "TotalAlloc",
        "Sys",
        "Lookups",
        "Mallocs",
        "Frees",
        "HeapAlloc",
        "HeapSys",
        "HeapIdle",
        "HeapInuse",
        "HeapReleased",
        "HeapObjects",
        "/Stack",
        "/MSpan",
        "/MCache",
        "BuckHashSys",
        "GCSys",
        "OtherSys",
        "NextGC",
        "LastGC",
    ];
    let mut numbers = stats.iter();
    let mut next = || numbers.next().copied().unwrap_or(0);
    for name in NAMES {
        let first = next();
        // Writing to a String cannot fail.
        let _ = match name.strip_prefix('/') {
            Some(name) => writeln!(out, "# {name} = {first} / {}", next()),
            None => writeln!(out, "# {name} = {first}"),
        };
    }
    let (num_gc, num_forced) = (next(), next());
    let mut list = |name: &str| {
        let all: Vec<String> = (0..256).map(|_| next().to_string()).collect();
        let _ = writeln!(out, "# {name} = [{}]", all.join(" "));
    };
    list("PauseNs");
    list("PauseEnd");
    let _ = writeln!(out, "# NumGC = {num_gc}");
    let _ = writeln!(out, "# NumForcedGC = {num_forced}");
    let mut text = Vec::new();
    crate::strconv::natives::core::append_float(&mut text, fraction, b'g', -1, 64);
    let _ = writeln!(out, "# GCCPUFraction = {}", String::from_utf8_lossy(&text));
    let _ = writeln!(out, "# DebugGC = false");
    let _ = writeln!(out, "# MaxRSS = {}", max_rss());
}

/// The most memory that the process has had, in bytes.
fn max_rss() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"));
    let kb = line.and_then(|l| l.trim().trim_end_matches(" kB").parse::<u64>().ok());
    kb.unwrap_or(0) * 1024
}
