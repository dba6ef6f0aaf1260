//! Outsize input: very deep, very long, very many; and poor surroundings. The answer is a result or
//! a Go error, in bounded time, never a crash.

mod support;

use libtest_mimic::{Arguments, Failed, Trial};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use support::{End, gosched, is_our_crash, tests_dir};

const DEEP: usize = 100_000;

fn main() {
    let args = Arguments::from_args();
    let main = |body: String| format!("package main\n\nfunc main() {{\n{body}\n}}\n");
    let nested = |open: &str, inner: &str, close: &str, n: usize| {
        format!("{}{inner}{}", open.repeat(n), close.repeat(n))
    };
    let mut programs: Vec<(&str, String)> = vec![
        (
            "parentheses",
            main(format!("_ = {}", nested("(", "1", ")", DEEP))),
        ),
        (
            "calls",
            main(format!(
                "f := func(x int) int {{ return x }}\n_ = {}",
                nested("f(", "1", ")", DEEP)
            )),
        ),
        (
            "indices",
            main(format!(
                "var a [1]int\n_ = {}",
                nested("a[", "0", "]", DEEP)
            )),
        ),
        ("blocks", main(nested("{", "", "}", DEEP))),
        ("ifs", main(nested("if true {", "", "}", DEEP))),
        (
            "else_ifs",
            main(format!(
                "x := 1\n{} {{}}",
                "if x == 2 {} else ".repeat(DEEP) + "if x == 3"
            )),
        ),
        ("fors", main(nested("for {", "", "}", DEEP))),
        (
            "switches",
            main(nested("switch { case true: ", "", "}", DEEP)),
        ),
        ("selects", main(nested("select { default: ", "", "}", DEEP))),
        ("func_literals", main(nested("func() {", "", "}()", DEEP))),
        (
            "composite_literals",
            main(format!("_ = {}", nested("[]any{", "", "}", DEEP))),
        ),
        (
            "slice_types",
            format!(
                "package main\nvar x {}int\nfunc main() {{}}\n",
                "[]".repeat(DEEP)
            ),
        ),
        (
            "pointer_types",
            format!(
                "package main\nvar x {}int\nfunc main() {{}}\n",
                "*".repeat(DEEP)
            ),
        ),
        (
            "struct_types",
            format!(
                "package main\nvar x {}\nfunc main() {{}}\n",
                nested("struct { f ", "int", " }", 10_000)
            ),
        ),
        (
            "func_types",
            format!(
                "package main\nvar x {}\nfunc main() {{}}\n",
                nested("func(", "int", ")", 10_000)
            ),
        ),
        (
            "map_types",
            format!(
                "package main\nvar x {}\nfunc main() {{}}\n",
                nested("map[int]", "int", "", 10_000)
            ),
        ),
        ("named_types", {
            let chain: String = (0..10_000)
                .map(|i| format!("type T{i} struct {{ f *T{} }}\n", i + 1))
                .collect();
            format!("package main\n{chain}type T10000 int\nfunc main() {{ var x T0; _ = x }}\n")
        }),
        ("embedded_types", {
            let chain: String = (0..10_000)
                .map(|i| format!("type T{i} struct {{ T{} }}\n", i + 1))
                .collect();
            format!(
                "package main\n{chain}type T10000 struct {{ deep int }}\n\
                 func main() {{ var x T0; x.deep = 1 }}\n"
            )
        }),
        (
            "unary_minus",
            main(format!(
                "x := 1\n_ = {}x",
                "-".repeat(DEEP).replace("--", "- -")
            )),
        ),
        (
            "unary_not",
            main(format!("x := true\n_ = {}x", "!".repeat(1_000_000))),
        ),
        (
            "dereferences",
            main(format!("var p *int\n_ = {}p", "*".repeat(DEEP))),
        ),
        (
            "receives",
            main(format!("var c chan int\n_ = {}c", "<-".repeat(DEEP))),
        ),
        (
            "open_parentheses_only",
            main(format!("_ = {}", "(".repeat(DEEP))),
        ),
        ("open_braces_only", main("{".repeat(DEEP))),
        ("closing_only", main("}".repeat(DEEP))),
        (
            "sum_of_constants",
            main(format!(
                "x := {}\nprintln(x)",
                vec!["1"; 1_000_000].join("+")
            )),
        ),
        (
            "sum_of_variables",
            main(format!(
                "a := 1\nx := {}\nprintln(x)",
                vec!["a"; 1_000_000].join("+")
            )),
        ),
        (
            "sum_of_strings",
            main(format!(
                "x := {}\nprintln(len(x))",
                vec!["\"a\""; 1_000_000].join("+")
            )),
        ),
        (
            "sum_of_string_variables",
            main(format!(
                "a := \"b\"\nx := {}\nprintln(len(x))",
                vec!["a"; 1_000_000].join("+")
            )),
        ),
        (
            "conjunction",
            main(format!(
                "a := true\nx := {}\nprintln(x)",
                vec!["a"; 1_000_000].join("&&")
            )),
        ),
        (
            "long_line",
            format!(
                "package main\nvar s = \"{}\"\nfunc main() {{ println(len(s)) }}\n",
                "x".repeat(10 << 20)
            ),
        ),
        (
            "long_comment_line",
            format!(
                "package main\n// {}\nfunc main() {{}}\n",
                "x".repeat(10 << 20)
            ),
        ),
        ("long_garbage_line", "@".repeat(10 << 20)),
        ("switch_of_many_cases", {
            let cases: String = (0..50_000)
                .map(|i| format!("case {i}: x = {}\n", i * 2))
                .collect();
            main(format!("x := 49999\nswitch x {{\n{cases}}}\nprintln(x)"))
        }),
        ("literal_of_many_elements", {
            let elements: String = (0..100_000).map(|i| format!("{i},\n")).collect();
            main(format!(
                "x := []int{{\n{elements}}}\nprintln(len(x), x[99999])"
            ))
        }),
        ("map_literal_of_many_elements", {
            let elements: String = (0..100_000).map(|i| format!("{i}: \"v{i}\",\n")).collect();
            main(format!(
                "x := map[int]string{{\n{elements}}}\nprintln(len(x), x[99999])"
            ))
        }),
        ("many_functions", {
            let funcs: String = (0..30_000)
                .map(|i| format!("func f{i}() int {{ return {i} + f{}() }}\n", i + 1))
                .collect();
            format!(
                "package main\n{funcs}func f30000() int {{ return 0 }}\n\
                 func main() {{ println(f0()) }}\n"
            )
        }),
        ("many_parameters", {
            let params: String = (0..3000).map(|i| format!("p{i} int, ")).collect();
            let args = vec!["1"; 3000].join(",");
            format!(
                "package main\nfunc f({params}) int {{ return p0+p2999 }}\n\
                 func main() {{ println(f({args})) }}\n"
            )
        }),
        ("many_locals", {
            let locals: String = (0..40_000)
                .map(|i| format!("v{i} := {i}; _ = v{i}\n"))
                .collect();
            main(locals)
        }),
        (
            "large_array_local",
            main("var a [1 << 24]int\na[1<<23] = 5\nprintln(a[1<<23], len(a))".into()),
        ),
        (
            "large_array_parameter",
            "package main\n\
             func f(a [100000]int) int { a[5]++; return a[5] }\n\
             func main() { var a [100000]int; println(f(a), a[5]) }\n"
                .into(),
        ),
        ("huge_array_type", main("var a [1 << 60]int\n_ = a".into())),
        (
            "huge_shift",
            main("const x = 1 << 100000\nprintln(x >> 99999)".into()),
        ),
        (
            "huge_constant_power",
            main("const a = 1e1000000\n_ = a".into()),
        ),
        ("many_errors", main("undefined1; ".repeat(100_000))),
        ("null_bytes", "\0".repeat(1000)),
        (
            "not_utf8_like",
            "package main\nfunc main() { \u{fffd}\u{feff} }".into(),
        ),
        ("empty", String::new()),
    ];
    let mut trials: Vec<Trial> = programs
        .drain(..)
        .map(|(name, source)| Trial::test(name, move || survives(name, &source)))
        .collect();
    for (name, source, output) in computed() {
        trials.push(Trial::test(name, move || computes(name, &source, &output)));
    }
    for (flag, kilobytes, must_run) in [
        ("-v", 65 << 20, true),
        ("-v", 10 << 20, true),
        ("-v", 4 << 20, true),
        ("-v", 2 << 20, true),
        ("-v", 1 << 20, true),
        ("-v", 300_000, false),
        ("-v", 100_000, false),
        ("-d", 1 << 20, true),
        ("-d", 100_000, false),
        ("-d", 10_000, false),
    ] {
        trials.push(Trial::test(
            format!("ulimit{flag}_{kilobytes}"),
            move || limited(flag, kilobytes, must_run),
        ));
    }
    trials.push(Trial::test(
        "closed_descriptors",
        standard_numbers_stay_reserved,
    ));
    for what in ["gc", "free", "stats", "stack", "alloc"] {
        trials.push(Trial::test(format!("crowd_{what}"), move || {
            crowd(what, "ulimit -v 4000000")
        }));
        trials.push(Trial::test(
            format!("crowd_{what}_without_madvise"),
            move || crowd(what, "export GODEBUG=oldguards=64"),
        ));
    }
    for (limit, name) in [
        ("ulimit -v 4000000", "limited"),
        ("export GODEBUG=oldguards=1", "old"),
    ] {
        for what in ["callbacks", "gate"] {
            trials.push(Trial::test(format!("{what}_{name}"), move || {
                crowd(what, limit)
            }));
        }
    }
    trials.push(Trial::test("callbacks_wait_for_stacks", || {
        crowd("callbacks", "export GODEBUG=oldguards=20")
    }));
    trials.push(Trial::test("no_stacks_at_all", no_stacks));
    trials.push(Trial::test("no_descriptors", sleeps_without_descriptors));
    // It needs 8 GB: `.ci/run` calls it.
    let strings = Trial::test("strings_above_4_gb", strings_above_4_gb);
    trials.push(strings.with_ignored_flag(true));
    libtest_mimic::run(&args, trials).exit();
}

/// Many more goroutines than there is room for native stacks, at first or at all, wait for a
/// collection, for their turn to stop the world, or in functions that natives have called.
fn crowd(what: &str, limit: &str) -> Result<(), Failed> {
    let ran = crowded(what, limit)?;
    match (ran.end, ran.stdout.as_str()) {
        (End::Exit(0), "all\n") => Ok(()),
        (end, _) => {
            let shown: String = ran.stderr.chars().take(400).collect();
            Err(format!("ended with {end:?}: {shown}").into())
        }
    }
}

/// All goroutines that have native stacks wait for goroutines that would need one:
/// there is no memory to go on with.
fn no_stacks() -> Result<(), Failed> {
    let ran = crowded("gate", "export GODEBUG=oldguards=20")?;
    let first = ran.stderr.lines().next().unwrap_or_default();
    match ran.end {
        End::Exit(2) if first.starts_with("fatal error: out of memory: ") => Ok(()),
        end => Err(format!("ended with {end:?}: {first}").into()),
    }
}

fn crowded(what: &str, limit: &str) -> Result<support::Ran, Failed> {
    let program = r#"package main

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"sync"
	"time"
)

var sink [64]any

type waiter func()

func (w waiter) String() string { w(); return "waited" }

func callback(wait func()) func() { return func() { fmt.Sprint(waiter(wait)) } }

func main() {
	gate := make(chan bool)
	ask := map[string]func(){
		"gc": runtime.GC,
		"free": debug.FreeOSMemory,
		"stats": func() { runtime.ReadMemStats(new(runtime.MemStats)) },
		"stack": func() { runtime.Stack(make([]byte, 2048), true) },
		"alloc": func() { sink[0] = make([]byte, 4096) },
		"callbacks": callback(func() { time.Sleep(time.Millisecond) }),
		"gate": callback(func() { <-gate }),
	}[os.Args[1]]
	var wg sync.WaitGroup
	for range 3000 {
		wg.Go(ask)
	}
	time.Sleep(10 * time.Millisecond)
	close(gate)
	wg.Wait()
	fmt.Println("all")
}
"#;
    static RUNS: AtomicUsize = AtomicUsize::new(0);
    let run = RUNS.fetch_add(1, Ordering::Relaxed);
    let name = format!("gosched-crowd-{}-{run}.go", std::process::id());
    let file = std::env::temp_dir().join(name);
    std::fs::write(&file, program)?;
    let mut shell = std::process::Command::new("sh");
    shell
        .arg("-c")
        .arg(format!("{limit} && exec \"$0\" \"$@\""))
        .arg(gosched().get_program())
        .arg(&file)
        .arg(what)
        .env_remove("GODEBUG")
        .env("GOMAXPROCS", "4");
    let ran = support::run(&mut shell, b"", Duration::from_secs(60));
    std::fs::remove_file(&file)?;
    Ok(ran)
}

fn strings_above_4_gb() -> Result<(), Failed> {
    let mut command = gosched();
    command.arg(tests_dir().join("soak/strings_above_4_gb.go"));
    let ran = support::run(&mut command, b"", Duration::from_secs(300));
    let expected = "concatenation 4294967304 12345678 1000
Join 4294967303 abcx 1000
Repeat 4294967297 y 1000
Builder 4294967304 12345678 1000
";
    match ran.stdout == expected {
        true => Ok(()),
        false => Err(format!("{:?}: {}{}", ran.end, ran.stdout, ran.stderr).into()),
    }
}

/// A program that has used up its descriptors sleeps and waits like any other,
/// and once it has one again it may wait for that.
fn sleeps_without_descriptors() -> Result<(), Failed> {
    let program = r#"package main

import (
	"fmt"
	"os"
	"time"
)

func main() {
	var files []*os.File
	for {
		f, err := os.Open("/proc/self/status")
		if err != nil {
			break
		}
		files = append(files, f)
	}
	time.Sleep(10 * time.Millisecond)
	c := make(chan int)
	go func() { time.Sleep(time.Millisecond); c <- 1 }()
	<-c
	files[0].Close()
	files[1].Close()
	r, w, err := os.Pipe()
	if err != nil {
		fmt.Println(err)
	}
	go func() { time.Sleep(10 * time.Millisecond); w.Write([]byte("slept")) }()
	b := make([]byte, 10)
	r.SetReadDeadline(time.Now().Add(10 * time.Second))
	n, err := r.Read(b)
	fmt.Println(string(b[:n]), err)
}
"#;
    let file = std::env::temp_dir().join(format!("gosched-files-{}.go", std::process::id()));
    std::fs::write(&file, program)?;
    let mut shell = std::process::Command::new("sh");
    shell
        .arg("-c")
        .arg("ulimit -n 40 && exec \"$0\" \"$1\"")
        .arg(gosched().get_program())
        .arg(&file);
    let ran = support::run(&mut shell, b"", Duration::from_secs(60));
    std::fs::remove_file(&file)?;
    match (ran.end, ran.stdout.as_str()) {
        (End::Exit(0), "slept <nil>\n") => Ok(()),
        (end, out) => Err(format!("ended with {end:?}: {out}{}", ran.stderr).into()),
    }
}

/// Without standard input and error no other file gets their numbers.
fn standard_numbers_stay_reserved() -> Result<(), Failed> {
    let program = r#"package main

import (
	"fmt"
	"os"
)

func main() {
	f, _ := os.Open("/dev/null")
	_, read := os.Stdin.Read(make([]byte, 1))
	_, written := os.Stderr.Write([]byte("unseen"))
	fmt.Print(f.Fd() > 2, " ", read, " ", written)
}
"#;
    let file = std::env::temp_dir().join(format!("gosched-closed-{}.go", std::process::id()));
    std::fs::write(&file, program)?;
    let mut shell = std::process::Command::new("sh");
    shell
        .arg("-c")
        .arg("exec \"$0\" \"$1\" <&- 2>&-")
        .arg(gosched().get_program())
        .arg(&file);
    let ran = support::run(&mut shell, b"", Duration::from_secs(60));
    std::fs::remove_file(&file)?;
    match (ran.end, ran.stdout.as_str()) {
        (End::Exit(0), "true EOF <nil>") => Ok(()),
        (end, shown) => Err(format!("ended with {end:?}: {shown}").into()),
    }
}

/// Programs that need much and whose output is known.
fn computed() -> Vec<(&'static str, String, String)> {
    let lines = |n: usize, line: &dyn Fn(usize) -> String| (0..n).map(line).collect::<String>();
    let in_f = |body: String, call: &str| {
        format!(
            "package main\n\nfunc f(x int, s string) int {{\n{body}}}\n\n\
             func main() {{ println({call}) }}\n"
        )
    };
    vec![
        (
            "frame_of_60_000_words",
            {
                let set = lines(60_000, &|i| format!("v{i} := x + {i}\n"));
                let sum = lines(60_000, &|i| format!("r += v{i}\n"));
                in_f(format!("{set}r := 0\n{sum}return r\n"), "f(1, \"\")")
            },
            "1800030000\n".into(),
        ),
        (
            "frame_of_40_000_strings",
            {
                let set = lines(40_000, &|i| format!("v{i} := s + \"{}\"\n", i % 10));
                let sum = lines(40_000, &|i| format!("if v{i}[1] == '3' {{ r++ }}\n"));
                in_f(format!("{set}r := 0\n{sum}return r\n"), "f(1, \"a\")")
            },
            "4000\n".into(),
        ),
        (
            "frame_of_300_arrays",
            {
                let set = lines(300, &|i| {
                    format!("var v{i} [512]int\nv{i}[x] = {i}\nw{i} := v{i}\n")
                });
                let sum = lines(300, &|i| format!("r += w{i}[x] + v{i}[x]\n"));
                in_f(format!("{set}r := 0\n{sum}return r\n"), "f(500, \"\")")
            },
            "89700\n".into(),
        ),
        (
            "closure_over_7_000_variables",
            {
                let set = lines(7_000, &|i| format!("v{i} := x + {i}\n"));
                let sum = lines(7_000, &|i| format!("r += v{i}\n"));
                in_f(
                    format!(
                        "{set}v6999 = 5\nr := 0\ng := func() {{\n{sum}}}\ng()\nv0 = 7\ng()\n\
                         return r\n"
                    ),
                    "f(0, \"\")",
                )
            },
            "48979019\n".into(),
        ),
    ]
}

fn computes(name: &str, source: &str, output: &str) -> Result<(), Failed> {
    let file =
        std::env::temp_dir().join(format!("gosched-extreme-{}-{name}.go", std::process::id()));
    std::fs::write(&file, source)?;
    let ran = support::run(gosched().arg(&file), b"", Duration::from_secs(120));
    std::fs::remove_file(&file)?;
    if ran.end != End::Exit(0) || ran.stderr != output {
        let shown: String = ran.stderr.chars().take(400).collect();
        return Err(format!("ended with {:?}: {shown}", ran.end).into());
    }
    Ok(())
}

/// Under tight limits a program runs, or ends with a clear text and status 2.
fn limited(flag: &str, kilobytes: usize, must_run: bool) -> Result<(), Failed> {
    let hello = support::tests_dir().join("bench/hello.go");
    let mut shell = std::process::Command::new("sh");
    shell
        .arg("-c")
        .arg(format!("ulimit {flag} {kilobytes} && exec \"$0\" \"$1\""))
        .arg(gosched().get_program())
        .arg(hello)
        .env_remove("GODEBUG")
        .env("GOMAXPROCS", "2");
    let ran = support::run(&mut shell, b"", Duration::from_secs(60));
    let shown: String = ran.stderr.chars().take(400).collect();
    match ran.end {
        End::Exit(0) if !ran.stdout.is_empty() => Ok(()),
        End::Exit(2) if !must_run && shown.starts_with("fatal error: ") => Ok(()),
        end => Err(format!("ended with {end:?}: {shown}").into()),
    }
}

fn survives(name: &str, source: &str) -> Result<(), Failed> {
    let file =
        std::env::temp_dir().join(format!("gosched-extreme-{}-{name}.go", std::process::id()));
    std::fs::write(&file, source)?;
    let limit = Duration::from_secs(120);
    for verb in ["check", "run"] {
        let ran = support::run(gosched().arg(verb).arg(&file), b"", limit);
        let shown: String = ran.stderr.chars().take(400).collect();
        let endless = name == "fors" && verb == "run";
        if is_our_crash(&ran) || ran.end == End::Timeout && !endless {
            return Err(format!("{verb} ended with {:?}: {shown}", ran.end).into());
        }
        if ran.end == End::Exit(1) && !shown.contains(".go:") {
            return Err(format!("{verb} refuses without a place: {shown}").into());
        }
    }
    std::fs::remove_file(&file)?;
    Ok(())
}
