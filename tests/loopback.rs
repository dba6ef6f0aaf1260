//! The loopback of controlled runs, which is served from memory: the same seed gives the same
//! conversations, whatever else the machine does, and each run is a world of its own.

mod support;

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::time::Duration;
use support::{End, Ran, gosched, run};

fn program(name: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    root.join(name).to_string_lossy().into_owned()
}

/// A name for a file that nobody else has.
fn tempfile_path() -> PathBuf {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let folder = std::env::temp_dir().join(format!("gosched-loopback-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder.join(NUMBER.fetch_add(1, Relaxed).to_string())
}

fn ran(words: &[&str]) -> Ran {
    run(gosched().args(words), b"", Duration::from_secs(120))
}

/// A search by programs whose temporary folder is one in ours.
fn explored(words: &[&str]) -> Ran {
    let file = tempfile_path();
    let folder = tempfile_path();
    std::fs::create_dir(&folder).unwrap();
    let mut all = vec!["explore", "--seed=1", "-o", file.to_str().unwrap()];
    all.extend(words);
    let mut command = gosched();
    command.args(all).env("TMPDIR", folder);
    run(&mut command, b"", Duration::from_secs(120))
}

/// Code that is run under a seed.
fn seeded(code: &str) -> Ran {
    ran(&["run", "--seed=1", "-e", code])
}

/// Processes that keep the machine busy, until they are dropped.
struct Busy(Vec<Child>);

impl Busy {
    fn new(n: usize) -> Busy {
        let mut busy = Command::new("sh");
        busy.args(["-c", "while :; do :; done"]);
        Busy((0..n).map(|_| busy.spawn().unwrap()).collect())
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        for child in &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

#[test]
fn a_seed_gives_one_conversation() {
    let _busy = Busy::new(4);
    let echo = program("loopback/echo.go");
    let mut all = Vec::new();
    for seed in 0..20 {
        let seed = format!("--seed={seed}");
        let outputs: Vec<String> = (0..5)
            .map(|_| {
                let ran = ran(&["run", &seed, &echo]);
                assert_eq!(ran.end, End::Exit(0), "{seed}: {}", ran.stderr);
                ran.stdout
            })
            .collect();
        assert!(outputs.windows(2).all(|w| w[0] == w[1]), "{outputs:?}");
        assert!(outputs[0].starts_with("127.0.0.1:40000\n"), "{outputs:?}");
        all.push(outputs[0].clone());
    }
    all.sort();
    all.dedup();
    assert!(all.len() > 10, "{}", all.len());
}

/// Sockets answer as those of real Go, whose answers are recorded.
#[test]
fn sockets_answer_as_the_kernels() {
    let expected = std::fs::read_to_string(program("loopback/answers.out")).unwrap();
    for seed in 0..5 {
        let seed = format!("--seed={seed}");
        let ran = ran(&["run", &seed, &program("loopback/answers.go")]);
        assert_eq!((ran.end, ran.stdout), (End::Exit(0), expected.clone()));
    }
}

/// So do those of the corpus.
#[test]
fn programs_of_the_corpus_print_the_same() {
    let folder = std::fs::read_dir(program("corpus/stdlib/net")).unwrap();
    let files = folder.map(|f| f.unwrap().path());
    let mut n = 0;
    for file in files.filter(|f| f.extension().is_some_and(|e| e == "go")) {
        let expected = std::fs::read_to_string(file.with_extension("out")).unwrap();
        for seed in ["--seed=1", "--seed=2"] {
            let ran = ran(&["run", seed, file.to_str().unwrap()]);
            assert_eq!((ran.end, ran.stdout), (End::Exit(0), expected.clone()));
        }
        n += 1;
    }
    assert!(n >= 5, "{n}");
}

/// Many runs listen on a port that is taken on the machine.
#[test]
fn each_run_has_its_own_ports() {
    let taken = TcpListener::bind("127.0.0.1:8080");
    let shop = program("steer/server_3_fixed.go");
    let ran = explored(&["--jobs=8", "--schedules=200", &shop]);
    assert_eq!(ran.end, End::Exit(0), "{}", ran.stderr);
    if let Ok(taken) = taken {
        taken.set_nonblocking(true).unwrap();
        assert!(taken.accept().is_err());
    }
}

#[test]
fn what_is_found_is_repeated() {
    for (name, finding, status) in [
        ("server_1", "found: deadlock, ", 2),
        ("server_2", "found: data race, ", 66),
        ("server_3", "found: exit status 1, ", 1),
    ] {
        let file = tempfile_path();
        let file = file.to_str().unwrap();
        let bad = program(&format!("steer/{name}_bad.go"));
        let found = ran(&["explore", "--seed=1", "-o", file, &bad]);
        assert_eq!(found.end, End::Exit(3), "{}", found.stderr);
        assert!(found.stderr.contains(finding), "{}", found.stderr);
        assert!(!found.stderr.contains("not repro"), "{}", found.stderr);
        for _ in 0..5 {
            let again = ran(&["replay", file]);
            assert_eq!(again.end, End::Exit(status), "{}", again.stderr);
        }
    }
}

/// Deadlines are on the virtual clock.
#[test]
fn an_hour_of_waiting_takes_no_time() {
    let ran = seeded(
        r#"
        ln, _ := net.Listen("tcp", "localhost:0")
        ln.(*net.TCPListener).SetDeadline(time.Now().Add(time.Hour))
        _, err := ln.Accept()
        fmt.Println(err)
        ln.(*net.TCPListener).SetDeadline(time.Time{})
        go func() {
            c, _ := net.Dial("tcp", ln.Addr().String())
            defer c.Close()
            select {}
        }()
        c, err := ln.Accept()
        begin := time.Now()
        for range 1000 {
            c.SetReadDeadline(time.Now().Add(time.Hour))
            if _, err := c.Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) {
                fmt.Println(err)
            }
        }
        fmt.Println(time.Since(begin).Round(time.Hour))
        "#,
    );
    let expected = "accept tcp 127.0.0.1:40000: i/o timeout\n1000h0m0s\n";
    assert_eq!((ran.end, &*ran.stdout), (End::Exit(0), expected));
}

/// Nobody outside can wake what waits for a socket in memory, or for a pipe.
#[test]
fn who_waits_for_nobody_is_dead() {
    for code in [
        "ln, _ := net.Listen(\"tcp\", \":80\"); ln.Accept()",
        "r, w, _ := os.Pipe(); r.Read(make([]byte, 1)); w.Close()",
        "c, _ := net.ListenPacket(\"udp\", \":53\"); c.ReadFrom(make([]byte, 1))",
    ] {
        let ran = seeded(code);
        assert_eq!(ran.end, End::Exit(2), "{code}");
        let dead = "all goroutines are asleep - deadlock!";
        assert!(ran.stderr.contains(dead), "{}", ran.stderr);
    }
}

/// What reaches outside ends a search, and is said once.
#[test]
fn the_gate() {
    let outside = tempfile_path();
    let file = outside.to_str().unwrap();
    let dial = "network := \"tcp\"; net.Dial(network, \"192.0.2.1:80\")";
    let write = format!("os.WriteFile({file:?}, nil, 0600)");
    let folder = format!("os.MkdirAll({file:?} + \"/a/b\", 0700)");
    let send = "c, _ := net.ListenPacket(\"udp\", \":0\"); \
                a, _ := net.ResolveUDPAddr(\"udp\", \"192.0.2.1:9\"); c.WriteTo(nil, a)";
    for (code, what) in [
        ("exec.Command(\"true\").Run()", "starts a process"),
        (dial, "connects beyond loopback"),
        (send, "connects beyond loopback"),
        (
            "net.Listen(\"tcp\", \"192.0.2.1:80\")",
            "listens beyond loopback",
        ),
        ("net.LookupHost(\"example.invalid\")", "looks up a name"),
        (&write, "writes a file outside of the temporary folder"),
        (&folder, "writes a file outside of the temporary folder"),
    ] {
        let ran = explored(&["--jobs=4", "-e", code]);
        assert_eq!(ran.end, End::Exit(2), "{code}: {}", ran.stderr);
        let lines: Vec<&str> = ran.stderr.lines().collect();
        assert_eq!(lines.len(), 1, "{}", ran.stderr);
        let begin = format!("gosched: explore: the program {what}");
        assert!(lines[0].starts_with(&begin), "{}", ran.stderr);
        assert!(
            lines[0].ends_with(", which needs --allow-io"),
            "{}",
            ran.stderr
        );
    }
    assert!(!outside.exists());
    let free = "os.ReadFile(\"/etc/hosts\"); os.Getenv(\"HOME\"); os.Remove(\"/not/there\"); \
                net.LookupHost(\"localhost\"); d, _ := os.MkdirTemp(\"\", \"gate\"); \
                os.WriteFile(d + \"/f\", nil, 0600); os.RemoveAll(d)";
    let ran = explored(&["--schedules=5", "-e", free]);
    assert_eq!(ran.end, End::Exit(0), "{}", ran.stderr);
    let code = "if err := exec.Command(\"true\").Run(); err != nil { panic(err) }";
    let ran = explored(&["--schedules=5", "--allow-io", "-e", code]);
    assert_eq!(ran.end, End::Exit(0), "{}", ran.stderr);
}

/// Where it is that the program reaches outside.
#[test]
fn the_gate_names_the_place() {
    let file = tempfile_path().with_extension("go");
    let code = "package main\n\nimport \"os/exec\"\n\n\
                func main() {\n\texec.Command(\"true\").Run()\n}\n";
    std::fs::write(&file, code).unwrap();
    let ran = explored(&[file.to_str().unwrap()]);
    let name = file.file_name().unwrap().to_str().unwrap();
    let place = format!("starts a process ({name}:6), which");
    assert!(ran.stderr.contains(&place), "{}", ran.stderr);
}
