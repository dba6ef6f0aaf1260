//! What there is to see of a program that runs, told several times a second: a line of JSON each.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt::Write as _;
use std::fs::File;
use std::time::{Duration, Instant};

use ::trace::file::Tables;
use ::trace::json::push_quoted;
use ::trace::waits::{Dir, Doing, Goroutine, Waits};

use super::log::Out;
use super::text::{self, Look};

/// How often it is told.
const PERIOD: Duration = Duration::from_millis(250);
/// Rows of goroutines that are told of.
const TOLD: usize = 100;

/// Tells what there is to see.
pub(super) struct Live {
    out: Out,
    began: Instant,
    due: Instant,
}

impl Live {
    /// Tells it to this pipe.
    pub(super) fn new(pipe: File) -> Live {
        let now = Instant::now();
        Live {
            out: Out {
                file: pipe,
                name: "the screen",
                is_broken: false,
            },
            began: now,
            due: now,
        }
    }

    /// The reader has closed its pipe.
    pub(super) fn is_over(&self) -> bool {
        self.out.is_broken
    }

    /// Tells it if it is time, with what has been told by `now` of who waits.
    pub(super) fn round(&mut self, waits: &Waits, tables: &Tables, now: i64) {
        let at = Instant::now();
        if at < self.due {
            return;
        }
        // A round that was late puts off none.
        self.due = (self.due + PERIOD).max(at);
        let Some(look) = text::look() else { return };
        let mut line = snapshot(&look, waits, tables, now, at - self.began).into_bytes();
        self.out.put(&mut line);
    }
}

fn snapshot(look: &Look, waits: &Waits, tables: &Tables, now: i64, since: Duration) -> String {
    let own = || waits.goroutines.iter().filter(|(_, g)| !g.is_system);
    let count = |doing: Doing| own().filter(|(_, g)| g.doing == doing).count();
    let mut s = String::with_capacity(4096);
    // Writing to a String cannot fail.
    let _ = write!(
        s,
        "{{\"ms\":{},\"gomaxprocs\":{},\"idle\":{},\"threads\":{},\"idle_threads\":{},\
         \"searching\":{},\"global\":{},\"running\":{},\"runnable\":{},\"waiting\":{},\
         \"syscall\":{},\"ps\":[",
        since.as_millis(),
        look.ps.len(),
        look.idle,
        look.threads,
        look.idle_threads,
        look.searching,
        look.global,
        count(Doing::Runs),
        count(Doing::CanRun),
        count(Doing::Waits),
        count(Doing::Calls),
    );
    for (i, p) in look.ps.iter().enumerate() {
        let comma = if i > 0 { "," } else { "" };
        let func = waits.goroutines.get(&p.g).map_or(0, |g| g.func);
        let _ = write!(
            s,
            "{comma}{{\"p\":{i},\"status\":{},\"m\":{},\"g\":{},\"func\":{},\"runnext\":{},\
             \"ring\":{},\"tick\":{}}}",
            quoted(p.status),
            p.m,
            p.g,
            quoted(tables.text(func)),
            p.runnext,
            p.ring,
            p.tick
        );
    }
    s.push_str("],\"longest\":[");
    let mut longest: Vec<(&u64, &Goroutine)> = own()
        .filter(|(_, g)| matches!(g.doing, Doing::Waits | Doing::CanRun | Doing::Calls))
        .collect();
    longest.sort_by_key(|(id, g)| (g.since, **id));
    // Those that wait at the same place for the same are one.
    let mut alike: HashMap<(u64, u64, &str), usize> = HashMap::new();
    let mut rows: Vec<(u64, &Goroutine, &str, u64)> = Vec::new();
    for (id, g) in longest {
        let reason = match g.doing {
            Doing::Waits => waits.reason(g),
            Doing::Calls => "system call",
            _ => "its turn",
        };
        match alike.entry((g.func, g.stack, reason)) {
            Entry::Occupied(row) => rows[*row.get()].3 += 1,
            Entry::Vacant(row) => {
                row.insert(rows.len());
                rows.push((*id, g, reason, 1));
            }
        }
    }
    for (i, (id, g, reason, n)) in rows.iter().take(TOLD).enumerate() {
        let comma = if i > 0 { "," } else { "" };
        let _ = write!(
            s,
            "{comma}{{\"g\":{id},\"n\":{n},\"func\":{},\"at\":{},\"reason\":{},\"on\":{},\
             \"ns\":{}}}",
            quoted(tables.text(g.func)),
            quoted(&place(tables, g.stack)),
            quoted(reason),
            quoted(&match g.doing {
                Doing::Calls => match tables.text(g.kernel) {
                    "" => tables.text(g.call).to_string(),
                    kernel => format!("{kernel} by {}", tables.text(g.call)),
                },
                _ => on(waits, tables, g),
            }),
            now.saturating_sub(g.since).max(0)
        );
    }
    s.push_str("]}\n");
    s
}

fn quoted(text: &str) -> String {
    let mut out = Vec::new();
    push_quoted(text.as_bytes(), &mut out);
    String::from_utf8_lossy(&out).into_owned()
}

/// The innermost frame of a stack.
fn place(tables: &Tables, stack: u64) -> String {
    let frame = tables.stack(stack).first();
    frame.map_or_else(String::new, |f| {
        let file = tables.text(f.file);
        let name = file.rsplit('/').next().unwrap_or(file);
        format!("{name}:{}", f.line)
    })
}

/// What a goroutine waits on.
fn on(waits: &Waits, tables: &Tables, g: &Goroutine) -> String {
    let one = |(id, dir): &(u64, Dir)| {
        let known = waits.objects.get(id);
        let kind = known.map_or("object".into(), |o| waits.kind(o, tables));
        let does = match dir {
            Dir::Send => "to ",
            Dir::Receive => "from ",
            Dir::None => "",
        };
        let held = match known.map_or(&[][..], |o| &o.holders) {
            [] => String::new(),
            [one, ..] => format!(" of goroutine {one}"),
        };
        format!("{does}{kind} {id}{held}")
    };
    let all: Vec<String> = g.on.iter().map(one).collect();
    all.join(", ")
}
