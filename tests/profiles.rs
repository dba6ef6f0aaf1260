//! Profiles: `go tool pprof` of real Go reads those that programs write and those that flags ask
//! for, and finds in each the function that it is about.

mod support;

use libtest_mimic::{Arguments, Failed, Trial};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;
use support::{End, go_command, gosched, needs, real_go, run, tests_dir};

const LONG: Duration = Duration::from_secs(300);

/// The profiles that `hot.go` writes, and for each the first function of `pprof -top` that is not
/// of the runtime, by what is its own or by what it has called.
const WRITTEN: &[(&str, &str)] = &[
    ("cpu", "main.hot"),
    ("heap", "main.allocates"),
    ("allocs", "main.allocates"),
    ("block", "main.receives"),
    ("mutex", "main.unlocks"),
    ("goroutine", "main.receives"),
    ("goroutineleak", "main.receives"),
];

/// The same of what flags ask for.
const FLAGS: &[(&str, &str)] = &[
    ("cpuprofile", "main.hot"),
    ("blockprofile", "main.receives"),
    ("mutexprofile", "main.unlocks"),
    ("memprofile", "main.allocates"),
];

/// A folder that is gone at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Result<Folder, Failed> {
        let name = format!("gosched-profiles-{name}-{}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path)?;
        Ok(Folder(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn main() {
    let args = Arguments::from_args();
    let trials = vec![
        needs("written".into(), real_go(), |go| written(&go)),
        needs("flags".into(), real_go(), |go| flags(&go)),
        needs("tests".into(), real_go(), |go| tests(&go)),
        Trial::test("several_packages", several_packages),
        Trial::test("ends", ends),
        Trial::test("no_such_folder", no_such_folder),
    ];
    libtest_mimic::run(&args, trials).exit();
}

fn hot() -> PathBuf {
    tests_dir().join("profiles/hot.go")
}

/// What `go tool pprof -top` says of the file.
fn top(go: &Path, file: &Path) -> Result<String, Failed> {
    let mut pprof = go_command(go);
    pprof.args(["tool", "pprof", "-top"]).arg(file);
    let ran = run(&mut pprof, b"", LONG);
    match ran.end {
        End::Exit(0) => Ok(ran.stdout),
        end => Err(format!("{}: {end:?}\n{}", file.display(), ran.stderr).into()),
    }
}

/// Checks that the first function is the one: in the line with most of its own, or with most
/// altogether if the runtime and the library's locks have it.
fn is_about(top: &str, function: &str) -> Result<(), Failed> {
    let lines = top.lines().skip_while(|l| !l.contains("flat%")).skip(1);
    let mut named: Vec<(&str, &str)> = lines
        .filter_map(|line| {
            let mut words = line.split_whitespace();
            let cum = words.nth(3)?;
            Some((words.nth(1)?, cum))
        })
        .collect();
    named.retain(|(name, _)| name.starts_with("main.") && *name != "main.main");
    match named.first() {
        Some((name, _)) if *name == function => Ok(()),
        _ => Err(format!("not about {function}:\n{top}").into()),
    }
}

fn written(go: &Path) -> Result<(), Failed> {
    let folder = Folder::new("written")?;
    let ran = run(gosched().arg(hot()).arg(&folder.0), b"", LONG);
    if ran.end != End::Exit(0) {
        return Err(format!("{:?}\n{}", ran.end, ran.stderr).into());
    }
    for (name, function) in WRITTEN {
        is_about(&top(go, &folder.0.join(name))?, function)?;
    }
    let threads = top(go, &folder.0.join("threadcreate"))?;
    match threads.contains("Type: threadcreate") {
        true => Ok(()),
        false => Err(threads.into()),
    }
}

fn flags(go: &Path) -> Result<(), Failed> {
    let folder = Folder::new("flags")?;
    let mut command = gosched();
    command.arg("run");
    for (flag, _) in FLAGS {
        command.arg(format!("--{flag}={}", folder.0.join(flag).display()));
    }
    let ran = run(command.arg(hot()), b"", LONG);
    if ran.end != End::Exit(0) {
        return Err(format!("{:?}\n{}", ran.end, ran.stderr).into());
    }
    for (flag, function) in FLAGS {
        is_about(&top(go, &folder.0.join(flag))?, function)?;
    }
    Ok(())
}

/// `gosched test` takes the flags of `go test`.
fn tests(go: &Path) -> Result<(), Failed> {
    let folder = Folder::new("tests")?;
    let mut command = gosched();
    command.args([
        "test",
        "-cpuprofile=cpu.out",
        "-memprofile",
        "mem.out",
        "-outputdir",
    ]);
    command.arg(&folder.0);
    let ran = run(
        command.current_dir(tests_dir().join("profiles/m")),
        b"",
        LONG,
    );
    if ran.end != End::Exit(0) || !ran.stdout.contains("ok  \tm\t") {
        return Err(format!("{:?}\n{}{}", ran.end, ran.stdout, ran.stderr).into());
    }
    for (file, function) in [("cpu.out", "m.hot"), ("mem.out", "m.allocates")] {
        let top = top(go, &folder.0.join(file))?;
        let lines = top.lines().skip_while(|l| !l.contains("flat%")).skip(1);
        let first = lines.take(1).next().unwrap_or_default();
        if !first.ends_with(function) {
            return Err(format!("not about {function}:\n{top}").into());
        }
    }
    Ok(())
}

/// In the words of `go test`.
fn several_packages() -> Result<(), Failed> {
    let mut command = gosched();
    command.args(["test", "-cpuprofile=cpu.out", "./..."]);
    let ran = run(
        command.current_dir(tests_dir().join("profiles/m")),
        b"",
        LONG,
    );
    let text = "cannot use -cpuprofile flag with multiple packages\n";
    match ran.end == End::Exit(1) && ran.stderr == text {
        true => Ok(()),
        false => Err(format!("{:?}\n{}{}", ran.end, ran.stdout, ran.stderr).into()),
    }
}

/// Profiles are written however the program ends.
fn ends() -> Result<(), Failed> {
    let folder = Folder::new("ends")?;
    let cases = [
        ("os.Exit(3)", End::Exit(3)),
        ("panic(1)", End::Exit(2)),
        (
            "syscall.Kill(os.Getpid(), syscall.SIGTERM); time.Sleep(time.Hour)",
            End::Signal(15),
        ),
    ];
    for (code, end) in cases {
        let file = folder.0.join("cpu");
        let text = format!(
            "package main\n\nimport (\"os\"; \"syscall\"; \"time\")\n\n\
             var _, _, _ = os.Args, syscall.SIGTERM, time.Second\n\n\
             func hot() (n int) {{ for i := range 100000000 {{ n += i % 7 }}; return n }}\n\n\
             func main() {{ println(hot()); {code} }}\n"
        );
        let program = folder.0.join("main.go");
        fs::write(&program, text)?;
        let mut command = gosched();
        command.arg("run");
        command.arg(format!("--cpuprofile={}", file.display()));
        let ran = run(command.arg(&program), b"", LONG);
        if ran.end != end {
            return Err(format!("{code}: {:?}\n{}", ran.end, ran.stderr).into());
        }
        // What the command line writes is not compressed.
        let data = fs::read(&file)?;
        let is_gzip = data.starts_with(&[0x1f, 0x8b, 8]);
        let names_it = data.windows(8).any(|w| w == b"main.hot");
        if !is_gzip || !names_it {
            return Err(format!("{code}: {} bytes", data.len()).into());
        }
        fs::remove_file(&file)?;
    }
    Ok(())
}

fn no_such_folder() -> Result<(), Failed> {
    let mut command = gosched();
    command.args(["run", "--cpuprofile=/no/such/folder/cpu"]);
    let ran = run(command.arg(hot()), b"", LONG);
    let text = "gosched: open /no/such/folder/cpu: no such file or directory\n";
    match ran.end == End::Exit(2) && ran.stderr == text {
        true => Ok(()),
        false => Err(format!("{:?}\n{}", ran.end, ran.stderr).into()),
    }
}
