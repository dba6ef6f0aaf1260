//! Profiles as values, made of what the runtime has counted.
//!
//! Go: runtime/pprof/pprof.go, protomem.go.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::time::{SystemTime, UNIX_EPOCH};

use gosched_runtime::prof::heap::Record;
use gosched_runtime::prof::wait::Waited;
use gosched_runtime::prof::{Goroutine, cpu, heap, wait};

use super::labels::{self, Labels};
use crate::runtime::natives::describe;

/// The profiles that the runtime keeps, in the order of their numbers in pprof.go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Goroutines,
    Leaked,
    Threads,
    Heap,
    Allocs,
    Blocked,
    Contended,
}

impl Kind {
    const ALL: [Kind; 7] = [
        Kind::Goroutines,
        Kind::Leaked,
        Kind::Threads,
        Kind::Heap,
        Kind::Allocs,
        Kind::Blocked,
        Kind::Contended,
    ];

    /// That of the number.
    pub(crate) fn of(n: i64) -> Option<Kind> {
        Kind::ALL.get(usize::try_from(n).ok()?).copied()
    }
}

/// A stack with what was counted there.
#[derive(Debug, Default)]
pub(crate) struct Sample {
    pub(crate) values: Vec<i64>,
    /// Addresses behind calls, the innermost first.
    pub(crate) stack: Vec<usize>,
    pub(crate) labels: Labels,
    /// The size of the objects, in a profile of memory.
    pub(crate) bytes: Option<u64>,
}

/// A profile.
#[derive(Debug, Default)]
pub(crate) struct Profile {
    /// What is counted, and in which unit.
    pub(crate) kinds: Vec<(String, &'static str)>,
    /// Which of them is shown first, if it is not the last.
    pub(crate) default_kind: Option<&'static str>,
    pub(crate) period_kind: (String, &'static str),
    pub(crate) period: i64,
    /// When it was begun, since 1970, and how long it took.
    pub(crate) time_ns: u64,
    pub(crate) duration_ns: u64,
    pub(crate) samples: Vec<Sample>,
    pub(crate) program: String,
}

/// Where an address of a stack is.
pub(crate) struct Place {
    pub(crate) name: Cow<'static, str>,
    pub(crate) file: String,
    pub(crate) line: u64,
    /// The line that the function begins on, 0 if that is not known.
    pub(crate) first_line: u64,
    pub(crate) entry: usize,
}

/// The place of the call in front of `pc`.
pub(crate) fn place(pc: usize) -> Option<Place> {
    let at = describe(pc.checked_sub(1)?)?;
    Some(Place {
        name: at.name,
        file: at.file,
        line: u64::from(at.line),
        first_line: u64::from(at.first_line),
        entry: at.entry,
    })
}

fn now_ns() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |d| d.as_nanos() as u64)
}

impl Profile {
    fn new(kinds: &[(&str, &'static str)], period_kind: (&str, &'static str)) -> Profile {
        let own = |(name, unit): &(&str, &'static str)| (name.to_string(), *unit);
        Profile {
            kinds: kinds.iter().map(own).collect(),
            period_kind: own(&period_kind),
            period: 1,
            time_ns: now_ns(),
            program: crate::os::natives::program(),
            ..Profile::default()
        }
    }

    /// Of stacks that are counted. Equal ones are one sample, the most frequent first.
    pub(crate) fn of_counts(
        name: &str,
        all: impl Iterator<Item = (Vec<usize>, Labels)>,
    ) -> Profile {
        let mut p = Profile::new(&[(name, "count")], (name, "count"));
        let mut counts: BTreeMap<String, Sample> = BTreeMap::new();
        for (stack, labels) in all {
            let sample = counts
                .entry(super::text::key(&stack, &labels))
                .or_insert_with(|| Sample {
                    values: vec![0],
                    stack,
                    labels,
                    bytes: None,
                });
            sample.values[0] += 1;
        }
        p.samples = counts.into_values().collect();
        // Stable: those that are as frequent stay in the order of their texts.
        p.samples.sort_by_key(|s| std::cmp::Reverse(s.values[0]));
        p
    }

    /// Of goroutines.
    pub(crate) fn of_goroutines(name: &str, all: Vec<Goroutine>) -> Profile {
        Profile::of_counts(
            name,
            all.into_iter().map(|g| {
                let labels = labels::of(&g);
                (g.stack, labels)
            }),
        )
    }

    /// Of waits.
    pub(crate) fn of_waits(mut all: Vec<(Box<[usize]>, Waited)>) -> Profile {
        let kinds = [("contentions", "count"), ("delay", "nanoseconds")];
        let mut p = Profile::new(&kinds, ("contentions", "count"));
        all.sort_by_key(|(_, waited)| std::cmp::Reverse(waited.ns));
        let samples = all.into_iter().map(|(stack, waited)| Sample {
            values: vec![waited.count as i64, waited.ns],
            stack: stack.into_vec(),
            ..Sample::default()
        });
        p.samples = samples.collect();
        p
    }

    /// Of memory.
    pub(crate) fn of_memory(kind: Kind, rate: i64, all: &[Record]) -> Profile {
        let kinds = [
            ("alloc_objects", "count"),
            ("alloc_space", "bytes"),
            ("inuse_objects", "count"),
            ("inuse_space", "bytes"),
        ];
        let mut p = Profile::new(&kinds, ("space", "bytes"));
        p.period = rate;
        p.default_kind = (kind == Kind::Allocs).then_some("alloc_space");
        let samples = all.iter().map(|r| {
            let [objects, space] = scaled(r.allocs, r.size, rate);
            let [in_use, space_in_use] = scaled(r.allocs - r.frees, r.size, rate);
            Sample {
                values: vec![objects, space, in_use, space_in_use],
                stack: without_runtime(&r.stack).to_vec(),
                bytes: Some(r.size as u64),
                ..Sample::default()
            }
        });
        p.samples = samples.collect();
        p
    }

    /// Of time: what was sampled `hz` times a second.
    pub(crate) fn of_time(samples: cpu::Samples, hz: i64, began_ns: u64) -> Profile {
        let kinds = [("samples", "count"), ("cpu", "nanoseconds")];
        let mut p = Profile::new(&kinds, ("cpu", "nanoseconds"));
        p.period = 1_000_000_000 / hz.max(1);
        p.duration_ns = p.time_ns.saturating_sub(began_ns);
        p.time_ns = began_ns;
        let period = p.period;
        let samples = samples.all.into_iter().map(|(map, stack, n)| Sample {
            values: vec![n as i64, n as i64 * period],
            stack,
            labels: labels::of_sample(map),
            bytes: None,
        });
        p.samples = samples.collect();
        p
    }
}

/// The stack without the functions of the runtime that it begins with, unless that is all of it.
fn without_runtime(stack: &[usize]) -> &[usize] {
    let is_runtime = |pc: &usize| {
        place(*pc).is_some_and(|p| p.name.starts_with("runtime.") && p.name != "runtime.main")
    };
    match stack.iter().position(|pc| !is_runtime(pc)) {
        Some(k) => &stack[k..],
        None => stack,
    }
}

/// What `count` sampled objects of a size stand for, and their bytes: each is sampled with
/// probability 1 - exp(-size/rate). Go: scaleHeapSample.
fn scaled(count: u64, size: usize, rate: i64) -> [i64; 2] {
    if count == 0 || size == 0 {
        return [0, 0];
    }
    if rate <= 1 {
        return [count as i64, count as i64 * size as i64];
    }
    let scale = 1.0 / (1.0 - (-(size as f64) / rate as f64).exp());
    let count = count as f64 * scale;
    [count as i64, (count * size as f64) as i64]
}

/// The waits that the runtime has booked.
pub(crate) fn waits(kind: Kind) -> Vec<(Box<[usize]>, Waited)> {
    match kind {
        Kind::Blocked => wait::blocked(),
        _ => wait::contended(),
    }
}

/// The records of memory; their rate.
pub(crate) fn memory() -> (Vec<Record>, i64) {
    (heap::records(), heap::rate())
}

/// When the profile of time began.
pub(crate) fn began() -> u64 {
    now_ns()
}
