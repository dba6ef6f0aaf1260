//! Units: read back from bytes, and added to a program that runs.
//!
//! That all programs of the corpus run from units that were written out and read back in another
//! process is seen by `GOSCHED_UNITS=roundtrip cargo test --test corpus`.

use bytecode::arena::{CODE, CONSTS, FUNCS, GLOBALS};
use bytecode::unit::file;
use gosched::driver::session::Session;
use gosched::driver::{self, Input, Options, Refused};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use stdlib::os::natives::{self as os, Running};
use syntax::diagnostics::render::{Style, render};
use vm::engine;

fn input(path: impl Into<PathBuf>) -> Input {
    Input::Files(vec![path.into()])
}

fn told(why: Refused) -> String {
    match why {
        Refused::Message(text) | Refused::Fatal(text) => text,
        Refused::Errors(errors) => render(errors, Style::default()),
    }
}

/// Numbers that are the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n as u64) as usize
    }
}

#[test]
fn cut_and_altered_units_are_refused() {
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/hello.go");
    let whole = driver::compile_to_bytes(&input(program), &Options::default());
    let whole = whole.unwrap_or_else(|why| panic!("{}", told(why)));
    assert!(file::read(&whole).is_ok());
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
    for _ in 0..10_000 {
        let mut bytes = whole.clone();
        let at = numbers.below(bytes.len());
        match numbers.below(4) {
            0 => bytes.truncate(at),
            1 => bytes[at] ^= 1 << numbers.below(8),
            2 => bytes.insert(at, numbers.below(256) as u8),
            _ => {
                let end = (at + 1 + numbers.below(64)).min(bytes.len());
                bytes.drain(at..end);
            }
        }
        if bytes != whole {
            assert!(file::read(&bytes).is_err(), "altered at {at}");
        }
    }
    assert!(file::read(b"package main\n").is_err());
    assert!(file::read(&[]).is_err());
}

/// How many units are added.
const UNITS: usize = 1000;

const MAIN: &str = r#"
package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

//go:noinline
func step(i int) (unit int, ok bool) { return 0, true }

//go:noinline
func isDone() bool { return false }

func main() {
	var wrong, calls atomic.Int64
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			last := 0
			for i := 0; !isDone(); i++ {
				unit, ok := step(i)
				if !ok || unit < last {
					wrong.Add(1)
				}
				last = unit
				calls.Add(1)
			}
		})
	}
	wg.Wait()
	unit, _ := step(0)
	fmt.Println(unit, wrong.Load(), calls.Load() > 0)
}
"#;

const SHARED: &str = r#"
package shared

type Named interface{ Name() string }

type List[T any] struct {
	items []T
	next  *List[T]
}

func (l *List[T]) Push(x T) *List[T] { return &List[T]{append(l.items, x), l} }

func (l *List[T]) Len() int { return len(l.items) }

func Keep[T any](x T) T { return x }
"#;

/// The package number `k`: it uses one that was added before, types and variables of its own,
/// instances of generic functions that others have too, and natives of its own choice.
fn package(k: usize) -> String {
    let before = k / 2;
    let native = [
        r#"len(strings.Repeat("ab", i%7)) == 2*(i%7)"#,
        r#"strings.Index("some words", "words") == 5"#,
        r#"strings.ToUpper("abc") == "ABC""#,
        r#"strings.Count("banana", "a") == 3"#,
    ][k % 4];
    let mut text = format!("package u{k}\n\nimport (\n\t\"shared\"\n\t\"strings\"\n");
    if before > 0 {
        let _ = writeln!(text, "\t\"u{before}\"");
    }
    let earlier = match before {
        0 => "true".to_string(),
        _ => format!("u{before}.Check(i) && u{before}.Count[0] == {before}"),
    };
    let _ = writeln!(
        text,
        r#")

type T struct {{
	name string
	next *T
	tags map[string]int
}}

func (t *T) Name() string {{ return t.name }}

var newest [4]*T
var Count [2]int

func Check(i int) bool {{
	Count[0] = {k}
	t := &T{{name: "u{k}", next: newest[i%4], tags: map[string]int{{"k": {k}}}}}
	if t.next != nil && t.next.name != "u{k}" {{
		return false
	}}
	t.next = nil
	newest[i%4] = t
	var named shared.Named = t
	list := (&shared.List[*T]{{}}).Push(t)
	ints := (&shared.List[int]{{}}).Push(i).Push({k})
	return named.Name() == "u{k}" && list.Len() == 1 && ints.Len() == 2 &&
		shared.Keep(t).tags["k"] == {k} && {native}
}}

func Step(i int) (int, bool) {{
	return {k}, Check(i) && {earlier}
}}

func IsDone() bool {{ return true }}"#
    );
    text
}

/// Bytes in the arenas.
fn in_use() -> usize {
    CODE.len() + CONSTS.len() + FUNCS.len() + GLOBALS.len()
}

/// Adds the units to the program, which runs meanwhile.
fn add_units(mut session: Session) {
    let fail = |what: String| -> ! {
        eprintln!("{what}");
        std::process::exit(1);
    };
    let mut add = |path: &str, text: &str| {
        if let Err(why) = session.add(path, text) {
            fail(format!("{path}: {}", told(why)));
        }
        if path != "shared" && !session.replace("main.step", &format!("{path}.Step")) {
            fail(format!("{path}: not replaced"));
        }
    };
    add("shared", SHARED);
    let mut used = Vec::new();
    for k in 1..=UNITS {
        add(&format!("u{k}"), &package(k));
        used.push(in_use());
    }
    // What a unit takes does not depend on how many there are.
    let early = used[UNITS / 2 - 1] - used[UNITS / 4 - 1];
    let late = used[UNITS - 1] - used[UNITS * 3 / 4 - 1];
    if late * 10 > early * 11 {
        fail(format!(
            "a quarter of the units took {early} bytes, then {late}"
        ));
    }
    if !session.replace("main.isDone", &format!("u{UNITS}.IsDone")) {
        fail("isDone was not replaced".into());
    }
}

/// Becomes the program to which units are added.
fn become_program() -> ! {
    let path = std::env::temp_dir().join(format!("gosched-units-{}.go", std::process::id()));
    std::fs::write(&path, MAIN).unwrap();
    let (to_main, loaded) = std::sync::mpsc::channel();
    let work = move || match Session::begin(&input(&path)) {
        Ok((session, program)) => {
            let _ = std::fs::remove_file(&path);
            to_main.send(program).unwrap();
            add_units(session);
        }
        Err(why) => panic!("{}", told(why)),
    };
    let thread = std::thread::Builder::new().stack_size(64 << 20);
    thread.spawn(work).unwrap();
    let program = loaded.recv().unwrap();
    os::set_running(Running {
        arguments: vec![b"units".to_vec()],
        again: Vec::new(),
        path: b"units".to_vec(),
        is_test: false,
        build: String::new(),
    });
    engine::start(program)
}

#[test]
fn a_thousand_units_are_added_while_goroutines_run() {
    if std::env::var_os("GOSCHED_UNITS_CHILD").is_some() {
        become_program();
    }
    for debug in ["", "gcstress=1"] {
        let out = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "a_thousand_units_are_added_while_goroutines_run"])
            .args(["--nocapture", "--test-threads=1"])
            .env("GOSCHED_UNITS_CHILD", "1")
            .env("GOMAXPROCS", "4")
            .env("GODEBUG", debug)
            .output()
            .unwrap();
        let (stdout, stderr) = (
            String::from_utf8_lossy(&out.stdout),
            String::from_utf8_lossy(&out.stderr),
        );
        assert!(out.status.success(), "{debug}: {stdout}{stderr}");
        // The last unit was reached, and nothing was wrong.
        let end = format!("{UNITS} 0 true\n");
        assert!(stdout.ends_with(&end), "{debug}: {stdout}{stderr}");
    }
}
