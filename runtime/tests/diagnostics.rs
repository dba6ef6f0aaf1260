//! What the runtime tells of itself: the lines of scheddetail, and the histogram of delays.

#![allow(unsafe_code)]

mod common;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use common::{Sema, go, gosched, m, ok, sleep_us, wait_group};
use gosched_runtime::trace;

/// One line of scheddetail: what stands before the colon, and the fields.
struct Line {
    name: String,
    fields: BTreeMap<String, String>,
}

impl Line {
    fn field(&self, name: &str) -> &str {
        self.fields.get(name).map_or("", String::as_str)
    }
    fn number(&self, name: &str) -> i64 {
        let text = self.field(name);
        text.parse()
            .unwrap_or_else(|_| panic!("{} {name}={text}", self.name))
    }
}

/// The names of the fields of a kind of line, in order.
fn fields(kind: char) -> &'static [&'static str] {
    match kind {
        'S' => &[
            "gomaxprocs",
            "idleprocs",
            "threads",
            "spinningthreads",
            "needspinning",
            "idlethreads",
            "runqueue",
            "gcwaiting",
            "nmidlelocked",
            "stopwait",
            "sysmonwait",
        ],
        'P' => &[
            "status",
            "schedtick",
            "syscalltick",
            "m",
            "runqsize",
            "gfreecnt",
            "timerslen",
        ],
        'M' => &[
            "p",
            "curg",
            "mallocing",
            "throwing",
            "preemptoff",
            "locks",
            "dying",
            "spinning",
            "blocked",
            "lockedg",
        ],
        _ => &["status", "m", "lockedm"],
    }
}

/// Reads the lines, each of which must have its fields in order.
fn parse(text: &str) -> Vec<Line> {
    text.lines()
        .enumerate()
        .map(|(i, line)| {
            let (name, rest) = line.split_once(": ").unwrap_or_else(|| panic!("{line:?}"));
            let is_first = name.starts_with("SCHED ") && name.ends_with("ms");
            assert_eq!(i == 0, is_first, "{line:?}");
            assert!(is_first || name.starts_with("  "), "{line:?}");
            let name = name.trim_start().to_string();
            let want = fields(name.chars().next().unwrap());
            let mut fields = BTreeMap::new();
            let mut rest = rest;
            for (k, field) in want.iter().enumerate() {
                let value = rest
                    .strip_prefix(&format!("{field}="))
                    .unwrap_or_else(|| panic!("no {field} at {rest:?} of {line:?}"));
                // A reason for waiting may hold blanks: a value ends where the next field begins.
                let end = want.get(k + 1).map_or(value.len(), |next| {
                    value
                        .find(&format!(" {next}="))
                        .unwrap_or_else(|| panic!("no {next} in {line:?}"))
                });
                fields.insert((*field).to_string(), value[..end].to_string());
                rest = value[end..].trim_start_matches(' ');
            }
            assert_eq!(rest, "", "{line:?}");
            Line { name, fields }
        })
        .collect()
}

/// Holds the lines against one another. `nexts` is how many Gs are in a `runnext`, which no line
/// tells.
fn agrees(text: &str, nexts: i64) {
    let lines = parse(text);
    let head = &lines[0];
    let of = |kind: char| lines[1..].iter().filter(move |l| l.name.starts_with(kind));
    let find = |name: String| {
        let found = lines.iter().find(|l| l.name == name);
        found.unwrap_or_else(|| panic!("no {name} in\n{text}"))
    };
    assert_eq!(of('P').count() as i64, head.number("gomaxprocs"), "{text}");
    let idle = of('P').filter(|p| p.field("status") == "0").count() as i64;
    assert_eq!(idle, head.number("idleprocs"), "{text}");
    assert_eq!(of('M').count() as i64, head.number("threads"), "{text}");
    for p in of('P').filter(|p| p.field("m") != "nil") {
        let m = find(format!("M{}", p.field("m")));
        assert_eq!(format!("P{}", m.field("p")), p.name, "{text}");
    }
    for m in of('M') {
        if m.field("p") != "nil" {
            let p = find(format!("P{}", m.field("p")));
            assert_eq!(format!("M{}", p.field("m")), m.name, "{text}");
        }
        if m.field("curg") != "nil" {
            let g = find(format!("G{}", m.field("curg")));
            assert_eq!(format!("M{}", g.field("m")), m.name, "{text}");
            assert!(g.field("status").starts_with("2("), "{text}");
        }
        if m.field("lockedg") != "nil" {
            let g = find(format!("G{}", m.field("lockedg")));
            assert_eq!(format!("M{}", g.field("lockedm")), m.name, "{text}");
        }
    }
    let runnable = of('G').filter(|g| g.field("status").starts_with("1("));
    let queued: i64 = of('P').map(|p| p.number("runqsize")).sum();
    assert_eq!(
        runnable.count() as i64,
        head.number("runqueue") + queued + nexts,
        "{text}"
    );
}

/// One P, with Gs in every place where one can wait: nothing moves while the lines are written.
#[test]
fn t65_scheddetail_agrees_with_itself() {
    ok(
        "t65_scheddetail_agrees_with_itself",
        &[("GOMAXPROCS", "1"), ("GODEBUG", "asyncpreemptoff=1")],
        || {
            static STOP: AtomicBool = AtomicBool::new(false);
            static NEVER: Sema = Sema::new(0);
            for _ in 0..3 {
                go(|| {
                    while !STOP.load(Ordering::Relaxed) {
                        gosched();
                    }
                });
            }
            go(|| NEVER.acquire());
            go(|| {
                gosched_runtime::proc::lock_os_thread(m()).unwrap();
                NEVER.acquire();
            });
            go(|| sleep_us(10_000_000));
            // The three yield in turns, the others wait.
            for _ in 0..3 {
                gosched();
            }
            // More than a ring holds: one overflow, and the newest in `runnext`.
            for _ in 0..300 {
                go(|| {});
            }
            let text = trace::sched_text(true);
            agrees(&text, 1);
            let lines = parse(&text);
            assert_eq!(lines[0].number("runqueue"), 129, "{text}");
            let p = &lines[1];
            assert_eq!((p.field("status"), p.number("timerslen")), ("1", 1));
            assert_eq!(p.number("runqsize"), 3 + 300 - 1 - 129, "{text}");
            for waits in ["4(semacquire)", "4(sleep)", "4(force gc (idle))"] {
                assert!(lines.iter().any(|l| l.field("status") == waits), "{text}");
            }
            let wired = |l: &&Line| l.name.starts_with('G') && l.field("lockedm") != "nil";
            assert_eq!(lines.iter().filter(wired).count(), 1, "{text}");
            STOP.store(true, Ordering::Relaxed);
        },
    );
}

/// Four Ps, each with a G that goes on running.
#[test]
fn t65_scheddetail_names_who_runs_where() {
    ok(
        "t65_scheddetail_names_who_runs_where",
        &[("GOMAXPROCS", "4"), ("GODEBUG", "asyncpreemptoff=1")],
        || {
            static STOP: AtomicBool = AtomicBool::new(false);
            static RUNNING: AtomicUsize = AtomicUsize::new(0);
            for _ in 0..3 {
                go(|| {
                    RUNNING.fetch_add(1, Ordering::Relaxed);
                    while !STOP.load(Ordering::Relaxed) {
                        std::hint::spin_loop();
                    }
                });
            }
            while RUNNING.load(Ordering::Relaxed) < 3 {
                std::hint::spin_loop();
            }
            let text = trace::sched_text(true);
            agrees(&text, 0);
            let running = |l: &&Line| l.name.starts_with('M') && l.field("curg") != "nil";
            assert_eq!(parse(&text).iter().filter(running).count(), 4, "{text}");
            STOP.store(true, Ordering::Relaxed);
        },
    );
}

/// Of a hundred thousand goroutines that begin and end, one in eight is timed.
#[test]
fn t68_every_eighth_departure_is_timed() {
    ok(
        "t68_every_eighth_departure_is_timed",
        &[("GOMAXPROCS", "1")],
        || {
            const ROUNDS: u64 = 100;
            const EACH: u64 = 1000;
            let timed = || trace::latencies().iter().sum::<u64>();
            let before = timed();
            for _ in 0..ROUNDS {
                let wg = wait_group(EACH as usize);
                for _ in 0..EACH {
                    go(|| wg.done());
                }
                wg.wait();
            }
            let share = (timed() - before) as f64 / (ROUNDS * EACH) as f64;
            // Which eighth is drawn for each: 12,500 on average, and hardly ever 500 off.
            assert!((0.12..=0.13).contains(&share), "{share}");
            let delays = trace::latencies();
            // A thousand wait for one another: some for longer than 8 µs.
            let long = trace::bucket(8192);
            assert!(delays[long..].iter().sum::<u64>() > 0, "{delays:?}");
        },
    );
}
