//! A prompt attached to a program: inputs that are goroutines, what becomes of them, and that the
//! process goes on.

use gosched::driver::session::Session;
use gosched::driver::{Input as Source, Refused};
use std::fmt::Write as _;
use std::process::{Command, Output};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};
use stdlib::os::natives::{self as os, Running};
use syntax::diagnostics::render::{Style, render};
use vm::prompt::{self, Ended, Input};

const CHILD: &str = "GOSCHED_PROMPT_CHILD";

/// Inputs as the front thread gives them: each is a package of its own.
struct Front {
    session: Session,
    count: u32,
}

impl Front {
    /// Adds the package `name`, whose text follows its `package` line, and starts its
    /// initialisation.
    fn begin(&mut self, name: &str, text: &str) -> Input {
        self.count += 1;
        match self.session.add(name, &format!("package {name}\n{text}")) {
            Ok(unit) => prompt::inject(unit.init),
            Err(why) => fail(&format!("{name}: {}", told(why))),
        }
    }

    /// Adds a package and waits for the end of its initialisation.
    fn run(&mut self, name: &str, text: &str) -> Ended {
        let input = self.begin(name, text);
        prompt::wait(&input)
    }

    /// As `run`, for statements that use these packages.
    fn eval(&mut self, uses: &[&str], statements: &str) -> Ended {
        let (name, text) = self.package(uses, statements);
        self.run(&name, &text)
    }

    /// As `begin`, for statements that use these packages.
    fn go(&mut self, uses: &[&str], statements: &str) -> Input {
        let (name, text) = self.package(uses, statements);
        self.begin(&name, &text)
    }

    fn package(&self, uses: &[&str], statements: &str) -> (String, String) {
        let mut text = String::new();
        for path in uses {
            let _ = writeln!(text, "import {path:?}");
        }
        let _ = writeln!(text, "func init() {{\n{statements}\n}}");
        (format!("in{}", self.count), text)
    }
}

fn told(why: Refused) -> String {
    match why {
        Refused::Message(text) | Refused::Fatal(text) => text,
        Refused::Errors(errors) => render(errors, Style::default()),
    }
}

fn fail(what: &str) -> ! {
    eprintln!("FAILED: {what}");
    std::process::exit(99);
}

/// Ends the process if something took another end.
#[track_caller]
fn expect(what: &str, got: Ended, want: Ended) {
    if got != want {
        let line = std::panic::Location::caller().line();
        fail(&format!("line {line}: {what}: {got:?}, not {want:?}"));
    }
}

/// Becomes a program with a prompt, of which `front` is the thread.
fn become_session(front: fn(&mut Front)) -> ! {
    let path = std::env::temp_dir().join(format!("gosched-prompt-{}.go", std::process::id()));
    std::fs::write(
        &path,
        "package main\n\nfunc main() { panic(\"main runs\") }\n",
    )
    .unwrap();
    let (to_main, loaded) = mpsc::channel();
    let (is_ready, ready) = mpsc::channel();
    let work = move || {
        let begun = Session::begin(&Source::Files(vec![path.clone()]));
        let _ = std::fs::remove_file(&path);
        let (session, program) = begun.unwrap_or_else(|why| fail(&told(why)));
        to_main.send(program).unwrap();
        ready.recv().unwrap();
        front(&mut Front { session, count: 0 });
        gosched_runtime::proc::exit(0)
    };
    let thread = std::thread::Builder::new().stack_size(64 << 20);
    thread.spawn(work).unwrap();
    let program = loaded.recv().unwrap();
    os::set_running(Running {
        arguments: vec![b"prompt".to_vec()],
        again: Vec::new(),
        path: b"prompt".to_vec(),
    });
    prompt::start(program, move || is_ready.send(()).unwrap())
}

/// Runs the test `name` again, in a process of its own that is the session.
fn session(name: &str, procs: u32, debug: &str) -> Output {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", name, "--nocapture", "--test-threads=1"])
        .env(CHILD, "1")
        .env("GOMAXPROCS", procs.to_string())
        .env("GODEBUG", debug)
        .output()
        .unwrap()
}

fn is_child() -> bool {
    std::env::var_os(CHILD).is_some()
}

/// What the process has printed: standard output without the line of the test's harness, and
/// standard error.
fn printed(out: &Output) -> (String, String) {
    let text = String::from_utf8_lossy(&out.stdout).into_owned();
    let text = text.split_once("running 1 test\n").map_or("", |(_, t)| t);
    let text = text.split_once(" ... ").map_or(text, |(_, t)| t);
    let errors = String::from_utf8_lossy(&out.stderr).into_owned();
    (text.to_string(), errors)
}

const SETTINGS: [(u32, &str); 3] = [(1, ""), (4, ""), (4, "gcstress=1")];

#[test]
fn a_hundred_inputs_share_channels() {
    fn front(f: &mut Front) {
        let store = "var C = make(chan int)\nvar Sum int\nfunc init() { go func() { \
                     for x := range C { Sum += x; C <- Sum } }() }";
        expect("store", f.run("store", store), Ended::Returned);
        for k in 1..=100 {
            let text = format!("store.C <- {k}; fmt.Println({k}, <-store.C)");
            expect("input", f.eval(&["fmt", "store"], &text), Ended::Returned);
        }
    }
    if is_child() {
        become_session(front);
    }
    let mut want = String::new();
    for k in 1..=100 {
        let _ = writeln!(want, "{k} {}", k * (k + 1) / 2);
    }
    for (procs, debug) in SETTINGS {
        let out = session("a_hundred_inputs_share_channels", procs, debug);
        let (text, errors) = printed(&out);
        assert_eq!(out.status.code(), Some(0), "{procs} {debug}: {errors}");
        assert_eq!(text, want, "{procs} {debug}: {errors}");
    }
}

#[test]
fn inputs_end_alone() {
    fn front(f: &mut Front) {
        let goexit = f.eval(
            &["runtime"],
            "defer print(\"deferred\\n\"); runtime.Goexit()",
        );
        expect("Goexit", goexit, Ended::Exited);
        let panic = f.eval(&[], "defer print(\"deferred\\n\"); panic(\"oh\")");
        expect("panic", panic, Ended::Panicked);
        let nil = f.eval(
            &[],
            "var p *int; defer func() { panic(\"again\") }(); *p = 1",
        );
        expect("nil", nil, Ended::Panicked);
        let sorted = f.eval(
            &["slices"],
            "slices.SortFunc([]int{2, 1}, func(a, b int) int { panic(\"sorting\") })",
        );
        expect("under a library function", sorted, Ended::Panicked);
        let recovered = f.eval(
            &[],
            "defer func() { print(recover().(string), \"\\n\") }(); \
                                     panic(\"recovered\")",
        );
        expect("recover", recovered, Ended::Returned);
        let background = f.eval(
            &["time"],
            "go func() { panic(\"background\") }(); \
                                            time.Sleep(20 * time.Millisecond)",
        );
        expect("background", background, Ended::Returned);
        for _ in 0..20 {
            let again = f.eval(&[], "defer func() { if recover() != nil { panic(1) } }()");
            expect("clean goroutine", again, Ended::Returned);
        }
        expect(
            "GC",
            f.eval(&["runtime"], "runtime.GC(); runtime.GOMAXPROCS(2)"),
            Ended::Returned,
        );
        expect("exit", f.eval(&["os"], "os.Exit(3)"), Ended::Returned);
    }
    if is_child() {
        prompt::on_exit(|| eprintln!("the end"));
        become_session(front);
    }
    for (procs, debug) in SETTINGS {
        let out = session("inputs_end_alone", procs, debug);
        let (_, errors) = printed(&out);
        assert_eq!(out.status.code(), Some(3), "{procs} {debug}: {errors}");
        let mut at = 0;
        for part in [
            "deferred\ndeferred\npanic: oh\n\ngoroutine ",
            " [running]:\nin1.init.0()\n",
            "panic: runtime error: invalid memory address or nil pointer dereference\n\
             \tpanic: again",
            "panic: sorting\n\ngoroutine ",
            "recovered\n",
            "panic: background\n\ngoroutine ",
            "created by in5.init.0 in goroutine ",
            "the end\n",
        ] {
            match errors[at..].find(part) {
                Some(n) => at += n + part.len(),
                None => panic!("{procs} {debug}: no {part:?} in {errors}"),
            }
        }
        assert_eq!(at, errors.len(), "{procs} {debug}: {errors}");
        assert!(!errors.contains("exit status"), "{errors}");
    }
}

#[test]
fn a_deadlock_is_told_and_can_be_cured() {
    fn front(f: &mut Front) {
        expect(
            "store",
            f.run("store", "var C = make(chan int)"),
            Ended::Returned,
        );
        for _ in 0..20 {
            let begun = Instant::now();
            let receiver = f.go(&["store"], "println(\"got\", <-store.C)");
            expect("alone", prompt::wait(&receiver), Ended::Deadlocked);
            if begun.elapsed() > Duration::from_secs(5) {
                fail("the deadlock was told late");
            }
            expect("cure", f.eval(&["store"], "store.C <- 7"), Ended::Returned);
            expect("cured", prompt::wait(&receiver), Ended::Returned);
        }
        // Who has a timer to wait for is not dead, nor is one that computes.
        let sleeper = f.go(&["time"], "time.Sleep(50 * time.Millisecond)");
        expect("sleeps", prompt::wait(&sleeper), Ended::Returned);
        let short = Duration::from_millis(30);
        let busy = f.go(&[], "for {}");
        if let Some(end) = prompt::wait_timeout(&busy, short) {
            fail(&format!("busy: {end:?}"));
        }
        prompt::interrupt(&busy);
        expect("busy", prompt::wait(&busy), Ended::Exited);
        // Nobody waits for this one, so nothing is told until somebody does.
        let unseen = f.go(&["store"], "<-store.C");
        std::thread::sleep(short);
        expect("seen late", prompt::wait(&unseen), Ended::Deadlocked);
        expect("other", f.eval(&[], "println(\"lives\")"), Ended::Returned);
    }
    if is_child() {
        become_session(front);
    }
    for (procs, debug) in SETTINGS {
        let out = session("a_deadlock_is_told_and_can_be_cured", procs, debug);
        let (_, errors) = printed(&out);
        assert_eq!(out.status.code(), Some(0), "{procs} {debug}: {errors}");
        let want = format!("{}lives\n", "got 7\n".repeat(20));
        assert_eq!(errors, want, "{procs} {debug}");
    }
}

static LEFT: AtomicU32 = AtomicU32::new(0);

#[test]
fn what_is_beyond_recovery_ends_the_process_after_the_hook() {
    fn front(f: &mut Front) {
        let end = f.eval(
            &["sync"],
            "var mu sync.Mutex; defer func() { recover() }(); mu.Unlock()",
        );
        fail(&format!("{end:?}"));
    }
    if is_child() {
        prompt::on_exit(|| eprintln!("saved {}", LEFT.fetch_add(1, Ordering::Relaxed)));
        become_session(front);
    }
    let out = session(
        "what_is_beyond_recovery_ends_the_process_after_the_hook",
        2,
        "",
    );
    let (_, errors) = printed(&out);
    assert_eq!(out.status.code(), Some(2), "{errors}");
    assert!(
        errors.starts_with("fatal error: sync: unlock of unlocked mutex\n"),
        "{errors}"
    );
    assert!(errors.ends_with("saved 0\n"), "{errors}");
}

#[test]
fn an_input_begins_whatever_else_runs_and_is_switched_off() {
    fn front(f: &mut Front) {
        // A pair that hands its P to one another, and more loops than there are Ps.
        let store = "var A, B = make(chan int), make(chan int)\n\
                     func init() {\n\
                     go func() { for { A <- 1; <-B } }()\n\
                     go func() { for { <-A; B <- 1 } }()\n\
                     for range 4 { go func() { for {} }() }\n}";
        expect("store", f.run("store", store), Ended::Returned);
        let off = "coop-preempt,async-preempt,slice-inheritance,global-poll";
        gosched_runtime::switches::without(off).unwrap();
        for _ in 0..20 {
            expect("begins", f.eval(&[], "println(1)"), Ended::Returned);
        }
    }
    if is_child() {
        become_session(front);
    }
    for procs in [1, 4] {
        let name = "an_input_begins_whatever_else_runs_and_is_switched_off";
        let out = session(name, procs, "");
        let (_, errors) = printed(&out);
        assert_eq!(out.status.code(), Some(0), "{procs}: {errors}");
        assert_eq!(errors, "1\n".repeat(20), "{procs}");
    }
}

/// The packages of the test of interrupts: who waits for what, and how it is seen afterwards that
/// the lock or channel is as if nobody had waited.
const WAITS: &[(&str, &[&str], &str, &str)] = &[
    ("loop", &[], "for {}", ""),
    ("receive", &["store"], "<-store.C", ""),
    ("send", &["store"], "store.C <- 1", ""),
    ("nil", &[], "var c chan int; <-c", ""),
    (
        "select",
        &["store"],
        "select { case <-store.C: case <-store.D: }",
        "",
    ),
    ("empty", &[], "select {}", ""),
    ("tick", &["time"], "<-time.After(time.Hour)", ""),
    ("sleep", &["time"], "time.Sleep(time.Hour)", ""),
    ("mutex", &["store"], "store.Mu.Lock()", "store.Mu.Unlock()"),
    (
        "writer",
        &["store"],
        "store.Rw.Lock()",
        "store.Rw.RUnlock()",
    ),
    (
        "reader",
        &["store"],
        "store.Rx.RLock()",
        "store.Rx.Unlock()",
    ),
    ("group", &["store"], "store.Wg.Wait()", "store.Wg.Done()"),
    (
        "cond",
        &["store"],
        "store.L.Lock(); defer store.L.Unlock(); for { store.Cond.Wait() }",
        "",
    ),
    (
        "once",
        &["store"],
        "store.L.Lock(); defer store.L.Unlock(); store.Cond.Wait(); \
      for store.True { f() }; println(\"goes on\") }\nfunc f() {",
        "",
    ),
    (
        "sorts",
        &["slices"],
        "slices.SortFunc([]int{1, 2}, func(a, b int) int { select {} })",
        "",
    ),
];

const STORE: &str = "import \"sync\"
var C, D = make(chan int), make(chan int)
var Mu, L sync.Mutex
var Rw, Rx sync.RWMutex
var Wg sync.WaitGroup
var Cond = sync.NewCond(&L)
var True = true
var Ticks int
func init() {
	Mu.Lock()
	Rw.RLock()
	Rx.Lock()
	Wg.Add(1)
}
func Rounds() {
	var n [4]int
	var wg, all sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for range 1000 {
				Mu.Lock(); n[0]++; Mu.Unlock()
				Rw.Lock(); n[1]++; Rw.Unlock()
				Rx.RLock(); Rx.RUnlock()
				Rx.Lock(); n[2]++; Rx.Unlock()
				L.Lock(); n[3]++; Cond.Signal(); L.Unlock()
				Wg.Add(1); Wg.Done(); Wg.Wait()
			}
		})
		all.Go(func() { for range 1000 { C <- 1 } })
		all.Go(func() { for range 1000 { <-C } })
	}
	wg.Wait()
	all.Wait()
	println(n[0], n[1], n[2], n[3])
	L.Lock()
	go func() { L.Lock(); Cond.Signal(); L.Unlock() }()
	Cond.Wait()
	L.Unlock()
}";

#[test]
fn an_interrupt_ends_an_input_wherever_it_is() {
    fn front(f: &mut Front) {
        expect("store", f.run("store", STORE), Ended::Returned);
        let ticker = "for { time.Sleep(time.Millisecond); store.Ticks++ }";
        let ticker = f.go(&["store", "time"], ticker);
        for &(name, uses, text, _) in WAITS {
            for slow in [true, false] {
                // One that is interrupted at once may not come to its first statement.
                let told = if slow {
                    "print(recover() == nil)"
                } else {
                    "recover()"
                };
                let text = format!("defer func() {{ {told} }}(); {text}");
                let input = f.go(uses, &text);
                let nap = Duration::from_millis(if slow { 20 } else { 0 });
                if let Some(end) = prompt::wait_timeout(&input, nap) {
                    fail(&format!("{name}: {end:?}"));
                }
                let begun = Instant::now();
                prompt::interrupt(&input);
                expect(name, prompt::wait(&input), Ended::Exited);
                if begun.elapsed() > Duration::from_secs(5) {
                    fail(&format!("{name}: interrupted late"));
                }
            }
        }
        // Deferred calls that block are abandoned by a second interrupt, others are still made.
        let blocks = "defer print(\"last\"); defer func() { select {} }(); for {}";
        let blocks = f.go(&[], blocks);
        for _ in 0..2 {
            if let Some(end) = prompt::wait_timeout(&blocks, Duration::from_millis(20)) {
                fail(&format!("blocks: {end:?}"));
            }
            prompt::interrupt(&blocks);
        }
        expect("blocks", prompt::wait(&blocks), Ended::Exited);
        if prompt::interrupt(&blocks) {
            fail("interrupted what has ended");
        }
        for &(name, uses, _, after) in WAITS.iter().filter(|w| !w.3.is_empty()) {
            expect(name, f.eval(uses, after), Ended::Returned);
        }
        expect(
            "rounds",
            f.eval(&["store"], "println(); store.Rounds()"),
            Ended::Returned,
        );
        let ticks = "a := store.Ticks; time.Sleep(100 * 1e6); if store.Ticks == a { panic(a) }";
        expect("ticks", f.eval(&["store", "time"], ticks), Ended::Returned);
        prompt::interrupt(&ticker);
        expect("ticker", prompt::wait(&ticker), Ended::Exited);
    }
    if is_child() {
        become_session(front);
    }
    for (procs, debug) in SETTINGS {
        let out = session("an_interrupt_ends_an_input_wherever_it_is", procs, debug);
        let (_, errors) = printed(&out);
        assert_eq!(out.status.code(), Some(0), "{procs} {debug}: {errors}");
        let ended = "true".repeat(WAITS.len());
        let want = format!("{ended}last\n2000 2000 2000 2000\n");
        assert_eq!(errors, want, "{procs} {debug}");
    }
}

#[test]
fn goroutines_are_listed_and_rules_switched() {
    fn front(f: &mut Front) {
        let store = "import \"time\"\nvar N int\nfunc init() { go wait(); go count() }\n\
                     func wait() { var c chan int; <-c }\n\
                     func count() { for { N++; time.Sleep(1000) } }";
        expect("store", f.run("store", store), Ended::Returned);
        let sleeper = f.go(&["time"], "time.Sleep(time.Hour)");
        if let Some(end) = prompt::wait_timeout(&sleeper, Duration::from_millis(20)) {
            fail(&format!("{end:?}"));
        }
        let all = prompt::goroutines();
        let main = all.iter().find(|i| i.id == 1);
        if main.is_none_or(|i| i.status != "waiting" || i.reason != "prompt") {
            fail(&format!("{main:?}"));
        }
        let by_input = |i: &&prompt::Info| i.id != 1 && i.input.is_some_and(|n| n != i.id);
        let waiter = all.iter().find(|i| i.reason == "chan receive (nil chan)");
        if waiter
            .filter(by_input)
            .is_none_or(|i| !i.stack.starts_with("store.wait()\n"))
        {
            fail(&format!("{waiter:?}"));
        }
        let own = all.iter().find(|i| i.id == sleeper.goid());
        if own.is_none_or(|i| i.reason != "sleep" || i.input != Some(i.id)) {
            fail(&format!("{own:?}"));
        }
        let stack = prompt::stack(sleeper.goid()).unwrap_or_default();
        let head = format!("goroutine {} [sleep]:\n", sleeper.goid());
        if !stack.starts_with(&head) || !stack.contains("in1.init.0()\n") {
            fail(&stack);
        }
        if prompt::stack(9999).is_some() || prompt::set_mechanism("nonsense", false) {
            fail("what is not there was found");
        }
        // A goroutine that no preemption reaches does not keep the prompt from the switch.
        for name in ["coop-preempt", "async-preempt"] {
            if !prompt::set_mechanism(name, false) {
                fail(name);
            }
        }
        let busy = f.go(&[], "for {}");
        for name in ["coop-preempt", "async-preempt"] {
            if !prompt::set_mechanism(name, true) {
                fail(name);
            }
        }
        prompt::interrupt(&busy);
        expect("busy", prompt::wait(&busy), Ended::Exited);
    }
    if is_child() {
        become_session(front);
    }
    for (procs, debug) in SETTINGS {
        let out = session("goroutines_are_listed_and_rules_switched", procs, debug);
        let (_, errors) = printed(&out);
        assert_eq!(out.status.code(), Some(0), "{procs} {debug}: {errors}");
    }
}
