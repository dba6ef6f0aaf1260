//! Traces as pages: that a page shows what the trace says, and nothing that it must not.
//!
//! What a browser makes of it is for `cargo test --test view -- --ignored`, with
//! `GOSCHED_CHROMIUM` naming Chromium: the queues that the page shows, a click, how long it takes.

#[path = "view/browser.rs"]
mod browser;
mod support;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use browser::Browser;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use support::{End, Ran, gosched, run, tests_dir};
use trace::read::{self, Trace};

const LIMIT: Duration = Duration::from_secs(120);

/// A folder for traces and pages, gone when this is.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder = std::env::temp_dir().join(format!("gosched-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Folder(folder)
    }

    /// The trace of a program.
    fn trace(&self, program: &str, procs: u32, without: &str) -> PathBuf {
        let file = self.0.join("run.trace");
        let mut command = gosched();
        let flag = format!("--sched-trace={}", file.display());
        command.args(["run", &flag]).arg(tests_dir().join(program));
        command.env("GOMAXPROCS", procs.to_string());
        command.env("GOSCHED_WITHOUT", without);
        let ran = run(&mut command, b"", LIMIT);
        assert_eq!(ran.end, End::Exit(0), "{}", ran.stderr);
        file
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        drop(std::fs::remove_dir_all(&self.0));
    }
}

fn traces(args: &[&str], file: &Path) -> Ran {
    run(gosched().arg("trace").args(args).arg(file), b"", LIMIT)
}

/// The page of a trace, and where it is.
fn page_of(file: &Path, args: &[&str]) -> (String, PathBuf) {
    let ran = traces(&[&["view"], args].concat(), file);
    assert_eq!(ran.end, End::Exit(0), "{}", ran.stderr);
    let to = ran.stdout.trim_end().strip_prefix("wrote ").unwrap();
    (std::fs::read_to_string(to).unwrap(), to.into())
}

/// What `gosched trace queues` says is behind an event.
fn queues(file: &Path, seq: u64) -> Value {
    let ran = traces(&["queues", "--json", &format!("--at={seq}")], file);
    serde_json::from_str(&ran.stdout).unwrap_or_else(|e| panic!("{e}: {}", ran.stderr))
}

/// Some numbers below `n`, the same in each run.
fn some(n: u64, count: u64) -> Vec<u64> {
    (0..count).map(|k| (k * 7919 + 13) * 104_729 % n).collect()
}

// ---- what stands in a page ----------------------------------------------------------------------

/// What a page knows of a run.
struct Shown {
    page: Value,
    run: Value,
    columns: BTreeMap<String, Vec<i64>>,
}

impl Shown {
    fn new(html: &str) -> Shown {
        let (_, rest) = html.split_once("id=\"data\">").unwrap();
        let (data, _) = rest.split_once("</script>").unwrap();
        let page: Value = serde_json::from_str(data).unwrap();
        let run = page["runs"][0].clone();
        let packed = BASE64.decode(run["data"].as_str().unwrap()).unwrap();
        let bytes = miniz_oxide::inflate::decompress_to_vec(&packed).unwrap();
        let mut at = trace::wire::Bytes::new(&bytes);
        let mut columns = BTreeMap::new();
        let names = run["columns"].as_array().unwrap();
        for (name, size) in names.iter().zip(run["sizes"].as_array().unwrap()) {
            let numbers = 0..size.as_u64().unwrap();
            let numbers = numbers.map(|_| trace::wire::unfold(at.varint().unwrap()));
            columns.insert(name.as_str().unwrap().into(), numbers.collect());
        }
        assert_eq!(at.left(), 0);
        Shown { page, run, columns }
    }

    fn first(&self) -> u64 {
        self.run["first"].as_u64().unwrap()
    }

    fn events(&self) -> u64 {
        self.run["events"].as_u64().unwrap()
    }

    fn text(&self, n: i64) -> Value {
        self.run["texts"][n as usize].clone()
    }

    /// The queues behind the `k`th event, as `gosched trace queues` would tell it: rows of numbers
    /// are followed, and no rule is known.
    fn queues(&self, k: u64) -> Value {
        let mut now = State::default();
        now.follow(self, &self.columns["begin"]);
        let lengths = &self.columns["lengths"][..=k as usize];
        let n: i64 = lengths.iter().sum();
        now.follow(self, &self.columns["changes"][..n as usize]);
        now.json(self.first() + k)
    }
}

#[derive(Default)]
struct State {
    goroutines: BTreeMap<i64, Value>,
    running: BTreeMap<i64, (i64, i64)>,
    lists: BTreeMap<(String, i64), Vec<i64>>,
    threads: BTreeMap<i64, i64>,
    objects: BTreeMap<i64, (Value, i64, Value)>,
}

impl State {
    fn follow(&mut self, shown: &Shown, mut rows: &[i64]) {
        while let [change, rest @ ..] = rows {
            let change = &shown.page["changes"][*change as usize];
            let size = change[1].as_u64().unwrap() as usize;
            let pairs = match change[2] == true {
                true => rest[size - 1] as usize,
                false => 0,
            };
            let (values, behind) = rest.split_at(size + 2 * pairs);
            self.change(shown, change[0].as_str().unwrap(), values);
            rows = behind;
        }
    }

    fn change(&mut self, shown: &Shown, change: &str, v: &[i64]) {
        let list = |v: &[i64]| {
            let of = shown.page["of"][v[0] as usize].as_str().unwrap();
            (of.to_string(), v[1])
        };
        match change {
            "made" => {
                let g = json!({
                    "g": v[0], "func": shown.text(v[1]), "system": v[2] != 0, "is": "moving",
                    "reason": "", "on": [],
                });
                self.goroutines.insert(v[0], g);
            }
            "is" => match shown.page["places"][v[1] as usize].as_str().unwrap() {
                "gone" => drop(self.goroutines.remove(&v[0])),
                place => self.goroutines.get_mut(&v[0]).unwrap()["is"] = place.into(),
            },
            "reason" => self.goroutines.get_mut(&v[0]).unwrap()["reason"] = shown.text(v[1]),
            "on" => {
                let on = v[2..].chunks(2);
                let on = on.map(|o| json!({"object": o[0], "dir": shown.text(o[1])}));
                if let Some(g) = self.goroutines.get_mut(&v[0]) {
                    g["on"] = on.collect();
                }
            }
            "runs" => drop(self.running.insert(v[0], (v[1], v[2]))),
            "out" => {
                let list = self.lists.entry(list(v)).or_default();
                if let Some(i) = list.iter().position(|g| *g == v[2]) {
                    list.remove(i);
                }
            }
            "back" => self.lists.entry(list(v)).or_default().push(v[2]),
            "front" => self.lists.entry(list(v)).or_default().insert(0, v[2]),
            "thread" => drop(self.threads.insert(v[0], v[1])),
            "object" => drop(
                self.objects
                    .insert(v[0], (shown.text(v[1]), v[2], shown.text(v[3]))),
            ),
            _ => panic!("there is no change {change:?}"),
        }
    }

    fn list(&self, of: &str, id: i64) -> &[i64] {
        self.lists.get(&(of.into(), id)).map_or(&[], Vec::as_slice)
    }

    fn json(&self, seq: u64) -> Value {
        let ps = self.running.iter().filter(|(p, _)| **p >= 0);
        let ps = ps.map(|(p, (m, g))| {
            let runs = *g != 0;
            json!({
                "p": p, "m": runs.then_some(m), "g": runs.then_some(g),
                "runnext": self.list("runnext", *p).last(), "ring": self.list("ring", *p),
            })
        });
        let goroutines = self.goroutines.values().map(|g| {
            let mut g = g.clone();
            if g["is"] != "waiting" {
                g["reason"] = Value::Null;
            }
            g
        });
        let objects = self.objects.iter().filter_map(|(id, (kind, cap, elem))| {
            let (waiters, holders) = (self.list("waiters", *id), self.list("holders", *id));
            let has_any = !waiters.is_empty() || !holders.is_empty();
            has_any.then(|| {
                json!({
                    "object": id, "kind": kind, "cap": cap, "elem": elem,
                    "waiters": waiters, "holders": holders,
                })
            })
        });
        let placed = |place: &str| -> Vec<&i64> {
            let all = self.goroutines.iter();
            all.filter(|(_, g)| g["is"] == place)
                .map(|(id, _)| id)
                .collect()
        };
        let threads = |flag: i64| -> Vec<&i64> {
            let all = self.threads.iter();
            all.filter(|(_, f)| *f & flag != 0)
                .map(|(m, _)| m)
                .collect()
        };
        json!({
            "at": seq, "ps": ps.collect::<Vec<_>>(), "global": self.list("global", 0),
            "aside": placed("aside"), "wired": placed("wired"), "offered": placed("offered"),
            "idle": threads(2), "searching": threads(4),
            "goroutines": goroutines.collect::<Vec<_>>(), "objects": objects.collect::<Vec<_>>(),
        })
    }
}

/// The page's queues are those of the trace, at so many events.
fn same_queues(file: &Path, shown: &Shown, count: u64) {
    for k in some(shown.events(), count) {
        let seq = shown.first() + k;
        assert_eq!(shown.queues(k), queues(file, seq), "behind event {seq}");
    }
}

#[test]
fn a_page_has_the_queues_of_the_trace() {
    let folder = Folder::new("view-queues");
    let programs = [
        ("../examples/pipeline.go", 4, ""),
        ("sched/waits.go", 2, ""),
        ("../examples/lab/full_ring.go", 1, ""),
        ("../examples/primesieve.go", 4, "fifo"),
        ("../examples/lab/writer.go", 2, ""),
        ("view/procs.go", 3, ""),
    ];
    for (program, procs, without) in programs {
        let file = folder.trace(program, procs, without);
        let (html, _) = page_of(&file, &[]);
        let shown = Shown::new(&html);
        let whole = Trace::from_bytes(&std::fs::read(&file).unwrap()).unwrap();
        assert_eq!(shown.events(), whole.events.len() as u64, "{program}");
        assert_eq!(shown.run["notes"], json!([]), "{program}");
        same_queues(&file, &shown, 15);
    }
}

/// The recording of a deadlock that `explore` has found.
fn recording(folder: &Folder) -> PathBuf {
    let file = folder.0.join("found.gosched");
    let mut command = gosched();
    command.args(["explore", "--seed=1", "-o"]).arg(&file);
    command.arg(tests_dir().join("../examples/lock_order.go"));
    let ran = run(command.env("TMPDIR", &folder.0), b"", LIMIT);
    assert_eq!(ran.end, End::Exit(3), "{}", ran.stderr);
    file
}

#[test]
fn a_page_of_a_recording_has_what_is_chosen_from() {
    let folder = Folder::new("view-recording");
    let file = recording(&folder);
    // Two replays differ in what idle threads do.
    let trace = folder.0.join("run.trace");
    let flag = format!("--sched-trace={}", trace.display());
    let ran = run(gosched().args(["replay", &flag]).arg(&file), b"", LIMIT);
    assert_eq!(ran.end, End::Exit(2), "{}", ran.stderr);
    let (html, _) = page_of(&trace, &[]);
    let shown = Shown::new(&html);
    same_queues(&trace, &shown, 40);
    let is_offered = |k: u64| shown.queues(k)["offered"] != json!([]);
    assert!((0..shown.events()).any(is_offered));
    assert_eq!(shown.run["head"]["clock"], "virtual");
    let (html, _) = page_of(&file, &[]);
    assert_eq!(Shown::new(&html).run["head"]["steered"], 1);
}

#[test]
fn a_page_can_begin_in_the_middle() {
    let folder = Folder::new("view-middle");
    let file = folder.trace("sched/waits.go", 2, "");
    let whole = Trace::from_bytes(&std::fs::read(&file).unwrap()).unwrap();
    let ns = |k: usize| whole.events[k].ns - whole.events[0].ns;
    let (from, to) = (ns(whole.events.len() / 3), ns(whole.events.len() / 2));
    let args = [format!("--from={from}ns"), format!("--for={}ns", to - from)];
    let (html, _) = page_of(&file, &[&args[0], &args[1]]);
    let shown = Shown::new(&html);
    assert!(shown.first() > whole.events.len() as u64 / 4);
    assert!(shown.events() < whole.events.len() as u64 / 2);
    same_queues(&file, &shown, 15);
}

#[test]
fn a_page_needs_nothing_else_and_no_name_can_leave_its_data() {
    let folder = Folder::new("view-names");
    let file = folder.trace("../examples/pipeline.go", 2, "");
    let mut evil = Trace::from_bytes(&std::fs::read(&file).unwrap()).unwrap();
    let name = "</script><script>alert(1)</script><!-- ' \" & \u{2028}";
    for text in &mut evil.tables.strings[1..] {
        *text = name.into();
    }
    for (_, value) in &mut evil.head.0 {
        if let trace::file::Value::Text(text) = value {
            *text = name.into();
        }
    }
    std::fs::write(&file, read::to_bytes(&evil)).unwrap();
    let (html, to) = page_of(
        &file,
        &["-o", &folder.0.join("page.html").to_string_lossy()],
    );
    assert_eq!(to, folder.0.join("page.html"));
    assert_eq!(html.matches("</script").count(), 2);
    assert_eq!(html.matches("<script").count(), 2);
    assert!(!html.contains("<!-- '"));
    assert!(!html.contains("//fonts") && !html.contains("http://") && !html.contains("https://"));
    assert!(html.contains("default-src 'none'"));
    // It comes back as it was.
    let shown = Shown::new(&html);
    assert!(
        shown.run["texts"]
            .as_array()
            .unwrap()
            .contains(&name.into())
    );
    // What is not data is small.
    let data = shown.page.to_string().len();
    assert!(html.len() - data < 1 << 20, "{} and {data}", html.len());
}

#[test]
fn what_is_wrong_with_a_trace_is_told_in_its_page() {
    let folder = Folder::new("view-wrong");
    let file = folder.trace("../examples/pipeline.go", 2, "");
    let bytes = std::fs::read(&file).unwrap();
    let mut changed = Trace::from_bytes(&bytes).unwrap();
    let starts = changed.schema.kind("start");
    let at = changed.events.iter().position(|e| Some(e.kind) == starts);
    changed.events[at.unwrap()].g += 900;
    std::fs::write(&file, read::to_bytes(&changed)).unwrap();
    let shown = Shown::new(&page_of(&file, &[]).0);
    let notes = shown.run["notes"][0].as_str().unwrap();
    assert!(notes.contains("contradicts those before it"), "{notes}");
    assert_eq!(shown.events(), at.unwrap() as u64);

    std::fs::write(&file, &bytes[..bytes.len() - 1]).unwrap();
    let shown = Shown::new(&page_of(&file, &[]).0);
    let notes = shown.run["notes"][0].as_str().unwrap();
    assert!(notes.starts_with("the trace is cut"), "{notes}");

    std::fs::write(&file, b"nothing of the kind").unwrap();
    let ran = traces(&["view"], &file);
    assert_eq!(ran.end, End::Exit(2), "{}", ran.stdout);
    assert!(ran.stderr.contains("no trace of gosched"), "{}", ran.stderr);
}

/// One value of a trace is changed to another, which makes no sense or does: there is a page.
#[test]
fn any_trace_has_a_page() {
    let folder = Folder::new("view-any");
    let file = folder.trace("../examples/pipeline.go", 2, "");
    let whole = Trace::from_bytes(&std::fs::read(&file).unwrap()).unwrap();
    let odd = [0, 1, 7, 1 << 40, u64::MAX, i64::MAX as u64, 1 << 63];
    for (k, at) in some(whole.events.len() as u64, 60).into_iter().enumerate() {
        let (mut changed, value) = (whole.clone(), odd[k % odd.len()]);
        let event = &mut changed.events[at as usize];
        let slots = whole.schema.kinds[usize::from(event.kind)].slots.len();
        match k % 5 {
            0 => event.g = value,
            1 => event.m = value as i64,
            2 => event.p = value as i64,
            3 => event.ns = value as i64,
            _ if slots > 0 => changed.values[event.at + k % slots] = value,
            _ => {}
        }
        std::fs::write(&file, read::to_bytes(&changed)).unwrap();
        let ran = traces(&["view"], &file);
        let end = format!("{k}: {:?} {}", ran.end, ran.stderr);
        match ran.end {
            End::Exit(0) => {
                let html = std::fs::read_to_string(folder.0.join("run.trace.html")).unwrap();
                assert!(
                    Shown::new(&html).events() <= whole.events.len() as u64,
                    "{end}"
                );
            }
            // It is no trace any more.
            _ => assert!(ran.stderr.starts_with("gosched: "), "{end}"),
        }
    }
}

#[test]
fn an_experiment_is_a_page_with_both_runs() {
    let folder = Folder::new("view-lab");
    let to = folder.0.join("lab.html");
    let flag = format!("--html={}", to.display());
    let ran = run(gosched().args(["lab", "random-select", &flag]), b"", LIMIT);
    assert_eq!(ran.end, End::Exit(0), "{}", ran.stderr);
    let shown = Shown::new(&std::fs::read_to_string(&to).unwrap());
    let card = &shown.page["card"];
    assert_eq!(card["title"], "F18 random-select");
    assert_eq!(card["runs"][1]["figure"], "1000");
    assert_eq!(card["runs"][1]["good"], true);
    assert_eq!(shown.page["runs"].as_array().unwrap().len(), 2);
    let off = &shown.page["runs"][1]["head"]["without"];
    assert_eq!(*off, json!(["select-random"]));
}

// ---- in a browser -------------------------------------------------------------------------------

/// One browser at a time: what is measured has none beside it.
static ALONE: Mutex<()> = Mutex::new(());

fn alone() -> MutexGuard<'static, ()> {
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The page of a hundred goroutines and a hundred thousand events, in a browser.
fn crowd(folder: &Folder) -> (PathBuf, Browser) {
    let file = folder.trace("view/crowd.go", 4, "");
    let (_, page) = page_of(&file, &[]);
    let browser = Browser::open(&format!("file://{}", page.display()));
    assert!(browser.ask("page.run.length").as_u64().unwrap() >= 100_000);
    assert!(browser.ask("page.run.lanes.gs.size").as_u64().unwrap() >= 100);
    (file, browser)
}

#[test]
#[ignore = "needs Chromium, which GOSCHED_CHROMIUM names"]
fn a_browser_shows_the_queues_of_the_trace() {
    let _alone = alone();
    let folder = Folder::new("view-browser");
    let (file, browser) = crowd(&folder);
    let n = browser.ask("page.run.length").as_u64().unwrap();
    for k in some(n, 50) {
        let told = browser.ask(&format!("JSON.stringify(page.at({k}))"));
        let got: Value = serde_json::from_str(told.as_str().unwrap()).unwrap();
        let want = queues(&file, k);
        assert_eq!(got, want, "behind event {k}");
        // What can be read there is the same, as far as lists are shown.
        let shown = browser.ask(
            "JSON.stringify([...document.querySelectorAll('[data-p]')].map((block) => {
                const list = (name) => [
                    ...block.querySelectorAll(`[data-list=${name}] [data-g]`),
                ].map((chip) => Number(chip.dataset.g));
                return {
                    p: Number(block.dataset.p), g: list('runs')[0] ?? null,
                    runnext: list('runnext')[0] ?? null, ring: list('ring'),
                };
            }))",
        );
        let shown: Vec<Value> = serde_json::from_str(shown.as_str().unwrap()).unwrap();
        let ps = want["ps"].as_array().unwrap();
        assert_eq!(shown.len(), ps.len());
        for (shown, p) in shown.iter().zip(ps) {
            let ring: Vec<Value> = p["ring"]
                .as_array()
                .unwrap()
                .iter()
                .take(48)
                .cloned()
                .collect();
            let want = json!({"p": p["p"], "g": p["g"], "runnext": p["runnext"], "ring": ring});
            assert_eq!(*shown, want, "behind event {k}");
        }
    }
}

#[test]
#[ignore = "needs Chromium, which GOSCHED_CHROMIUM names"]
fn a_click_on_a_slice_shows_its_reason() {
    let _alone = alone();
    let folder = Folder::new("view-click");
    let (_, browser) = crowd(&folder);
    // The longest run that there is, at its middle.
    let clicked = "(() => {
        const { run, drawing } = page;
        let best = { long: 0 };
        for (const lane of run.lanes.ps.values()) {
            for (let k = 0; k + 1 < lane.at.length; k++) {
                const [from, to] = [run.byTime[lane.at[k]], run.byTime[lane.at[k + 1]]];
                if (lane.does[k] === 'runs' && run.event(lane.at[k]) === 'start'
                    && to - from > best.long) {
                    best = { long: to - from, x: (from + to) / 2, lane, k };
                }
            }
        }
        const row = drawing.rowOf.get(`p${best.lane.id}`);
        const box = document.getElementById('canvas').getBoundingClientRect();
        const at = {
            clientX: box.x + drawing.px(best.x), clientY: box.y + row.y + row.height / 2,
            bubbles: true, pointerId: 1,
        };
        const canvas = document.getElementById('canvas');
        canvas.setPointerCapture = () => {};
        canvas.dispatchEvent(new PointerEvent('pointerdown', at));
        canvas.dispatchEvent(new PointerEvent('pointerup', at));
        return JSON.stringify({
            wanted: best.lane.at[best.k], got: drawing.cursor,
            chosen: [best.lane.of[best.k], drawing.chosen],
            what: document.getElementById('what').textContent,
            why: document.getElementById('why').textContent,
        });
    })()";
    let told = browser.ask(clicked);
    let told: Value = serde_json::from_str(told.as_str().unwrap()).unwrap();
    assert_eq!(told["wanted"], told["got"], "{told}");
    assert_eq!(told["chosen"][0], told["chosen"][1], "{told}");
    assert!(
        told["what"]
            .as_str()
            .unwrap()
            .contains(" next, on thread M"),
        "{told}"
    );
    let why = told["why"].as_str().unwrap();
    let known = [
        "runnext",
        "ring",
        "global queue",
        "stole",
        "timers",
        "poller",
        "wired",
        "system call",
        "asleep",
        "collector",
    ];
    assert!(known.iter().any(|k| why.contains(k)), "{why}");
}

#[test]
#[ignore = "needs Chromium, which GOSCHED_CHROMIUM names"]
fn switches_of_a_recording_are_marked() {
    let _alone = alone();
    let folder = Folder::new("view-switches");
    let (_, page) = page_of(&recording(&folder), &[]);
    let browser = Browser::open(&format!("file://{}", page.display()));
    // Decisions are shown, for time stands still; `.` goes to the first switch.
    let told = browser.ask(
        "(() => {
        for (const key of ['Home', '.']) {
            document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
        }
        return JSON.stringify({
            by: page.drawing.by, at: page.drawing.cursor, all: page.run.switches,
            what: document.getElementById('what').textContent,
            facts: document.getElementById('facts').textContent,
        });
    })()",
    );
    let told: Value = serde_json::from_str(told.as_str().unwrap()).unwrap();
    assert_eq!(told["by"], "decision", "{told}");
    assert_eq!(told["at"], told["all"][0], "{told}");
    let says = |of: &str, part: &str| told[of].as_str().unwrap().contains(part);
    assert!(
        says("what", "▲ a switch of the schedule") && says("what", " is chosen"),
        "{told}"
    );
    assert!(says("facts", " of its schedule"), "{told}");
}

#[test]
#[ignore = "needs Chromium, which GOSCHED_CHROMIUM names"]
fn goroutines_that_wait_for_one_another_are_told() {
    let _alone = alone();
    let folder = Folder::new("view-circle");
    let file = folder.trace("view/circle.go", 2, "");
    let (_, page) = page_of(&file, &[]);
    let browser = Browser::open(&format!("file://{}", page.display()));
    let text =
        "(page.go(page.run.length - 1), document.querySelector('.circle')?.textContent ?? '')";
    let told = browser.ask(text);
    let told = told.as_str().unwrap();
    assert_eq!(told.matches("main.take").count(), 4, "{told}");
    assert_eq!(told.matches("waits for mutex").count(), 2, "{told}");
    // There is none before they are stuck.
    assert_eq!(browser.ask(&text.replace("page.run.length - 1", "0")), "");
}

#[test]
#[ignore = "measures a delay, in Chromium, which GOSCHED_CHROMIUM names"]
fn a_page_is_there_in_2_s_and_a_step_takes_50_ms() {
    let _alone = alone();
    let folder = Folder::new("view-delays");
    let (_, browser) = crowd(&folder);
    let painted = browser.ask("page.painted").as_f64().unwrap();
    assert!(painted <= 2000.0, "painted after {painted} ms");
    let steps = "(async () => {
        const slider = document.getElementById('slider');
        const all = [];
        for (let k = 0; k < 60; k++) {
            const began = performance.now();
            slider.value = Math.floor(((k * 37) % 60) / 60 * page.run.length);
            slider.dispatchEvent(new Event('input'));
            document.getElementById('panel').getBoundingClientRect();
            all.push(performance.now() - began);
            await new Promise((done) => setTimeout(done, 20));
        }
        return JSON.stringify(all.sort((a, b) => a - b));
    })()";
    // The best of three rounds: something else may run beside it.
    let rounds = (0..3).map(|_| {
        let steps = browser.ask(steps);
        serde_json::from_str::<Vec<f64>>(steps.as_str().unwrap()).unwrap()
    });
    let best = rounds.min_by(|a, b| a[59].total_cmp(&b[59])).unwrap();
    println!(
        "painted after {painted:.0} ms; steps: median {:.1}, longest {:.1} ms",
        best[30], best[59]
    );
    assert!(best[59] <= 50.0, "{best:?}");
}

/// Writes `examples/trace-view.png`: see CONTRIBUTING.md.
#[test]
#[ignore = "draws the picture in the README, in Chromium, which GOSCHED_CHROMIUM names"]
fn picture() {
    let _alone = alone();
    let folder = Folder::new("view-picture");
    let file = folder.trace("../examples/primesieve.go", 2, "");
    let (_, page) = page_of(&file, &[]);
    let address = format!("file://{}#by=decision", page.display());
    let browser = Browser::open(&address);
    // A decision in the middle, and what is around it.
    browser.ask(
        "(() => {
            const { run, drawing } = page;
            const middle = Math.floor(run.decisions.length * 0.55);
            const isNext = (d) => run.word(d, 'why') === 'runnext' && run.cause[d] >= 0;
            const d = run.decisions.slice(middle).find(isNext) ?? run.decisions[middle];
            const x = run.byDecision[d];
            drawing.show(x - 30, x + 30);
            page.go(d);
            return 0;
        })()",
    );
    let to = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/trace-view.png");
    std::fs::write(to, browser.picture()).unwrap();
}
