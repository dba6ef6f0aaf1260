//! Runs that are recorded, and replayed from what they were told: the same bytes and the same
//! status, under load, without the files, the network, the input and the programs of the first run.

mod support;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;
use support::{End, Ran, gosched, run};

const LIMIT: Duration = Duration::from_secs(60);
const REPLAYS: usize = 20;

/// A folder of a test's own, with a program in it.
struct Place(PathBuf);

impl Place {
    fn new(name: &str, code: &str) -> Place {
        let folder = std::env::temp_dir().join(format!("record-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("main.go"), code).unwrap();
        Place(folder)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = gosched();
        command.args(words).current_dir(&self.0);
        command
    }

    fn record(&self, flags: &[&str], stdin: &[u8]) -> Ran {
        let words = [
            &["record", "-o", "run.gosched"],
            flags,
            &["main.go", "one", "two"],
        ]
        .concat();
        let mut command = self.command(&words);
        run(command.env("RECORD_TEST", "a value"), stdin, LIMIT)
    }

    fn replay(&self, flags: &[&str]) -> Ran {
        let words = [&["replay"], flags, &["run.gosched"]].concat();
        run(&mut self.command(&words), b"", LIMIT)
    }

    /// Replays it again and again, while others want the processors.
    fn replays(&self, first: &Ran) {
        let is_over = AtomicBool::new(false);
        std::thread::scope(|s| {
            for _ in 0..4 {
                s.spawn(|| {
                    while !is_over.load(Relaxed) {
                        std::hint::spin_loop();
                    }
                });
            }
            let wrong = (0..REPLAYS).find_map(|i| {
                let again = self.replay(&[]);
                let is_same = (again.end, &again.stdout, &again.stderr)
                    == (first.end, &first.stdout, &first.stderr);
                (!is_same).then_some((i, again))
            });
            is_over.store(true, Relaxed);
            if let Some((i, again)) = wrong {
                panic!(
                    "replay {i}: {:?}, not {:?}\n{}\n{}\nrecorded:\n{}\n{}",
                    again.end, first.end, again.stdout, again.stderr, first.stdout, first.stderr
                );
            }
        });
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Records a program, which ends with this status, and replays it; what was recorded.
fn records(name: &str, code: &str, status: i32) -> Ran {
    let place = Place::new(name, code);
    let first = place.record(&[], b"");
    assert_eq!(first.end, End::Exit(status), "{}", first.stderr);
    place.replays(&first);
    first
}

#[test]
fn a_racy_counter() {
    let code = r#"
        package main
        import ("fmt"; "sync"; "time")
        func main() {
            n := 0
            var wg sync.WaitGroup
            begin := time.Now()
            for i := range 4 {
                wg.Go(func() {
                    for j := range 400000 {
                        m := n
                        if j % 100000 == 0 { fmt.Println(i, j, m) }
                        n = m + 1
                    }
                })
            }
            wg.Wait()
            fmt.Println(n, time.Since(begin))
        }
    "#;
    records("racy", code, 0);
}

#[test]
fn the_clock_timers_and_what_is_drawn() {
    let code = r#"
        package main
        import ("context"; "fmt"; "math/rand/v2"; "os"; "runtime"; "time")
        func main() {
            fmt.Println(time.Now(), runtime.GOMAXPROCS(0), runtime.NumCPU())
            t := time.NewTicker(3 * time.Millisecond)
            for range 5 { fmt.Println(<-t.C) }
            a, b := make(chan int, 50), make(chan int, 50)
            for i := range 50 { a <- i; b <- i }
            for range 50 {
                select {
                case n := <-a: fmt.Print("a", n, " ")
                case n := <-b: fmt.Print("b", n, " ")
                }
            }
            m := map[*int]int{}
            for i := range 20 { m[new(int)] = i }
            for k, v := range m { fmt.Print(k, v, " ") }
            fmt.Println(rand.IntN(1000000))
            c, cancel := context.WithTimeout(context.Background(), 20 * time.Millisecond)
            defer cancel()
            n := 0
            for c.Err() == nil { n++; time.Sleep(time.Millisecond) }
            fmt.Println(n, time.Now().UnixNano())
            time.AfterFunc(5 * time.Millisecond, func() { fmt.Println("late"); os.Exit(3) })
            select {}
        }
    "#;
    records("clock", code, 3);
}

#[test]
fn panics_and_deadlocks() {
    let code = r#"
        package main
        import ("fmt"; "time")
        type t struct{ p *int }
        func main() {
            go func() { for { time.Sleep(time.Millisecond) } }()
            time.Sleep(3 * time.Millisecond)
            fmt.Println(&t{}, time.Now().Nanosecond())
            var x *t
            println(time.Now().Nanosecond(), x.p)
        }
    "#;
    assert!(records("panic", code, 2).stderr.contains("nil pointer"));
    let code = r#"
        package main
        import "sync"
        func main() {
            var mu sync.Mutex
            mu.Lock()
            go func() { mu.Lock() }()
            <-make(chan int)
        }
    "#;
    assert!(
        records("deadlock", code, 2)
            .stderr
            .contains("all goroutines are asleep")
    );
}

/// What is collected, and when, is the same, whatever lies in native frames.
#[test]
fn collections_finalizers_and_addresses() {
    let code = r#"
        package main
        import ("fmt"; "os"; "runtime"; "sort"; "strings"; "time")
        type node struct { next *node; text string }
        func main() {
            os.ReadFile("main.go")
            for i := range 20 {
                n := &node{}
                runtime.SetFinalizer(n, func(n *node) { fmt.Printf("%d %p\n", i, n) })
            }
            go func() { for { fmt.Sprint(strings.Repeat("x", 5000)); runtime.Gosched() } }()
            all := map[*node]string{}
            for i := range 20000 {
                n := &node{text: fmt.Sprintf("%d %x", i, i)}
                if i % 500 == 0 { all[n] = n.text }
                if i % 4000 == 0 {
                    sort.Slice(make([]int, 1000), func(a, b int) bool { return a < b })
                    time.Sleep(time.Millisecond)
                }
            }
            for n, text := range all { fmt.Printf("%p %s\n", n, text) }
            var m runtime.MemStats
            runtime.ReadMemStats(&m)
            fmt.Println(m.NumGC, m.Mallocs, m.HeapAlloc)
        }
    "#;
    records("collections", code, 0);
}

#[test]
fn files_input_arguments_and_environment() {
    let code = r#"
        package main
        import ("bufio"; "fmt"; "io"; "os"; "path/filepath"; "syscall"; "time")
        func main() {
            host, _ := os.Hostname()
            wd, _ := os.Getwd()
            fmt.Println(os.Args[1:], os.Getenv("RECORD_TEST"), os.Getpid(), host, wd)
            data, err := os.ReadFile("in/input.txt")
            info, _ := os.Stat("in/input.txt")
            fmt.Println(string(data), err, info.ModTime(), info.Size())
            entries, _ := os.ReadDir("in")
            for _, e := range entries { fmt.Println(e.Name(), e.IsDir()) }
            fmt.Println(filepath.Glob("in/*"))
            f, _ := os.CreateTemp("in", "x")
            io.WriteString(f, "hello")
            f.Seek(0, 0)
            data, _ = io.ReadAll(f)
            fmt.Println(f.Name(), string(data))
            go func() {
                for i := range 3 { fmt.Println("meanwhile", i); time.Sleep(time.Millisecond) }
            }()
            lines := bufio.NewScanner(os.Stdin)
            for lines.Scan() { fmt.Println("line", lines.Text(), time.Now().UnixNano()) }
            _, err = os.ReadFile("missing")
            fmt.Fprintln(os.Stderr, err)
            var usage syscall.Rusage
            fmt.Println(syscall.Getrusage(0, &usage), usage.Maxrss)
            os.Exit(7)
        }
    "#;
    let place = Place::new("files", code);
    fs::create_dir(place.file("in")).unwrap();
    fs::write(place.file("in/input.txt"), "what is in it").unwrap();
    let first = place.record(&[], b"alpha\nbeta\n");
    assert_eq!(first.end, End::Exit(7), "{}", first.stderr);
    let told = [
        "[one two] a value",
        "what is in it",
        "hello",
        "line alpha",
        "line beta",
    ];
    for text in told {
        assert!(first.stdout.contains(text), "{text}: {}", first.stdout);
    }
    fs::remove_dir_all(place.file("in")).unwrap();
    place.replays(&first);
    assert!(!place.file("in").exists());
}

#[test]
fn programs_and_pipes() {
    let code = r#"
        package main
        import ("bytes"; "fmt"; "io"; "os"; "os/exec"; "strings"; "time")
        func main() {
            script := "date +%N; echo $$; sleep 0.05; echo done; exit 3"
            out, err := exec.Command("sh", "-c", script).CombinedOutput()
            fmt.Println(string(out), err)
            var b bytes.Buffer
            c := exec.Command("cat")
            c.Stdin, c.Stdout = strings.NewReader("through cat"), &b
            fmt.Println(c.Run(), b.String(), c.ProcessState.UserTime())
            fmt.Println(exec.Command("/no/such/program").Run())
            c = exec.Command("sh", "-c", "date +%N; date +%N >&2; echo shown")
            c.Stdout, c.Stderr = os.Stdout, os.Stderr
            fmt.Println(c.Run())
            r, w, _ := os.Pipe()
            go func() {
                for i := range 3 {
                    fmt.Fprintln(w, i, time.Now().UnixNano())
                    time.Sleep(time.Millisecond)
                }
                w.Close()
            }()
            data, _ := io.ReadAll(r)
            fmt.Println(string(data))
            os.WriteFile("made", nil, 0o600)
        }
    "#;
    let place = Place::new("programs", code);
    let first = place.record(&[], b"");
    assert_eq!(first.end, End::Exit(0), "{}", first.stderr);
    assert!(first.stdout.contains("exit status 3") && first.stdout.contains("through cat"));
    assert!(first.stdout.contains("shown\n") && first.stderr.len() > 9);
    fs::remove_file(place.file("made")).unwrap();
    place.replays(&first);
    assert!(!place.file("made").exists());
}

#[test]
fn the_network() {
    let code = r#"
        package main
        import ("fmt"; "io"; "net"; "sync"; "time")
        func main() {
            l, err := net.Listen("tcp", "127.0.0.1:0")
            fmt.Println(l.Addr(), err)
            go func() {
                for {
                    c, err := l.Accept()
                    if err != nil { return }
                    go func() {
                        defer c.Close()
                        b := make([]byte, 100)
                        for {
                            n, err := c.Read(b)
                            if err != nil { return }
                            fmt.Fprintf(c, "%d %s|", time.Now().UnixNano(), b[:n])
                        }
                    }()
                }
            }()
            var wg sync.WaitGroup
            for i := range 4 {
                wg.Go(func() {
                    c, err := net.Dial("tcp", l.Addr().String())
                    if err != nil { fmt.Println(err); return }
                    for range 3 { fmt.Fprintf(c, "hello %d", i) }
                    c.(*net.TCPConn).CloseWrite()
                    data, err := io.ReadAll(c)
                    fmt.Println(string(data), err, c.LocalAddr())
                })
            }
            wg.Wait()
            p, _ := net.ListenPacket("udp", "127.0.0.1:0")
            c, _ := net.Dial("udp", p.LocalAddr().String())
            c.Write([]byte("datagram"))
            b := make([]byte, 100)
            n, from, err := p.ReadFrom(b)
            fmt.Println(string(b[:n]), from, err)
            p.SetReadDeadline(time.Now().Add(2 * time.Millisecond))
            fmt.Println(p.ReadFrom(b))
            fmt.Println(net.Dial("tcp", "127.0.0.1:1"))
        }
    "#;
    let first = records("network", code, 0);
    assert!(first.stdout.contains("hello 3") && first.stdout.contains("datagram"));
}

#[test]
fn signals() {
    let code = r#"
        package main
        import ("fmt"; "os"; "os/signal"; "syscall"; "time")
        func main() {
            c := make(chan os.Signal, 1)
            signal.Notify(c, syscall.SIGUSR1)
            time.AfterFunc(2 * time.Millisecond, func() {
                syscall.Kill(os.Getpid(), syscall.SIGUSR1)
            })
            n := 0
            for {
                select {
                case s := <-c: fmt.Println(s, n > 0); return
                default: n++; time.Sleep(100 * time.Microsecond)
                }
            }
        }
    "#;
    assert!(
        records("signals", code, 0)
            .stdout
            .contains("user defined signal 1")
    );
}

/// The number of the entry that is not as it was written.
fn altered(ran: &Ran) -> Option<usize> {
    let (_, rest) = ran.stderr.split_once("diverged at entry ")?;
    rest.lines().next()?.parse().ok()
}

#[test]
fn a_changed_byte_ends_a_replay_where_it_is() {
    let code = r#"
        package main
        import ("fmt"; "os"; "time")
        func main() { for i := range 30 { fmt.Println(i, time.Now()); os.Getpid() } }
    "#;
    let place = Place::new("altered", code);
    assert_eq!(place.record(&[], b"").end, End::Exit(0));
    let whole = fs::read(place.file("run.gosched")).unwrap();
    let head = whole.iter().position(|b| *b == b'\n').unwrap() + 1;
    let dumped = place.replay(&["--dump"]).stdout;
    let count = dumped.lines().count() - 1;
    let lines = |ran: &Ran| ran.stdout.lines().count();
    let mut seen = BTreeSet::new();
    for at in (head..whole.len()).step_by((whole.len() - head) / 12) {
        let mut changed = whole.clone();
        changed[at] ^= 0x10;
        fs::write(place.file("run.gosched"), &changed).unwrap();
        let ran = place.replay(&[]);
        assert_eq!(ran.end, End::Exit(69), "byte {at}");
        // A dump ends with the entry that is altered.
        let told = place.replay(&["--dump"]).stdout;
        let n = altered(&ran).unwrap();
        assert_eq!(n, told.lines().count() - 2, "byte {at}: {}", ran.stderr);
        assert!(told.ends_with(&format!("{{\"n\":{n},\"k\":\"altered\"}}\n")));
        assert!(lines(&ran) <= 30 && n < count);
        seen.insert(n);
    }
    assert!(seen.len() > 8, "{seen:?}");
    // What was cut off is said to be missing.
    fs::write(place.file("run.gosched"), &whole[..whole.len() * 2 / 3]).unwrap();
    let ran = place.replay(&[]);
    assert_eq!(ran.end, End::Exit(69));
    assert!(lines(&ran) > 5 && lines(&ran) < 30);
}

#[test]
fn a_program_that_asks_for_something_else_ends_there() {
    let code = r#"
        package main
        import "fmt"
        func main() { fmt.Println("a"); fmt.Println("b") }
    "#;
    let place = Place::new("edited", code);
    assert_eq!(place.record(&[], b"").end, End::Exit(0));
    fs::write(place.file("main.go"), code.replace("\"b\"", "\"c\"")).unwrap();
    let refused = place.replay(&[]);
    assert_eq!(refused.end, End::Exit(69));
    assert!(
        refused.stderr.contains("main.go is not as it was recorded"),
        "{}",
        refused.stderr
    );
    let ran = place.replay(&["--edited"]);
    assert_eq!((ran.end, &*ran.stdout), (End::Exit(69), "a\n"));
    let told = [
        "recorded: g1 calls write at main.go:4",
        "here:     g1 calls write at main.go:4, with something else",
    ];
    assert!(
        told.iter().all(|t| ran.stderr.contains(t)),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_killed_process_leaves_what_it_has_done() {
    let code = r#"
        package main
        import ("fmt"; "os"; "syscall"; "time")
        func main() {
            go func() { for { } }()
            for i := range 10 { fmt.Println(i, time.Now()); time.Sleep(time.Millisecond) }
            syscall.Kill(os.Getpid(), syscall.SIGKILL)
        }
    "#;
    let place = Place::new("killed", code);
    let first = place.record(&[], b"");
    assert_eq!(first.end, End::Signal(9));
    let again = place.replay(&[]);
    assert_eq!((again.end, &again.stdout), (End::Exit(69), &first.stdout));
    assert!(
        again.stderr.contains("the recording ends here"),
        "{}",
        again.stderr
    );
}

#[test]
fn a_replay_stops_where_it_is_told_to() {
    let code = r#"
        package main
        import ("fmt"; "time")
        func main() {
            go func() { select {} }()
            for i := range 5 { fmt.Println(i); time.Sleep(time.Millisecond) }
        }
    "#;
    let place = Place::new("until", code);
    let first = place.record(&[], b"");
    let dumped = place.replay(&["--dump"]).stdout;
    let is_third = |l: &&str| l.contains("\"call\":\"write\"");
    let line = dumped.lines().filter(is_third).nth(3).unwrap();
    let (_, n) = line.split_once("\"n\":").unwrap();
    let n = n.split(',').next().unwrap();
    let ran = place.replay(&[&format!("--until={n}")]);
    assert_eq!(
        (ran.end, &*ran.stdout),
        (End::Exit(0), "0\n1\n2\n"),
        "{}",
        ran.stderr
    );
    for text in ["goroutine 1 [running]", "main.go:6", "[select (no cases)]"] {
        assert!(ran.stderr.contains(text), "{text}: {}", ran.stderr);
    }
    let ran = place.replay(&["--until=1000000"]);
    assert_eq!((ran.end, ran.stdout), (first.end, first.stdout));
    assert_eq!(place.replay(&["--story"]).end, End::Exit(2));
}

#[test]
fn chaos_shows_what_seldom_happens() {
    let code = r#"
        package main
        import ("fmt"; "sync")
        func main() {
            n := 0
            var wg sync.WaitGroup
            for range 3 { wg.Go(func() { for range 200 { m := n; n = m + 1 } }) }
            wg.Wait()
            fmt.Println(n)
        }
    "#;
    let place = Place::new("chaos", code);
    let mut all = BTreeSet::new();
    for seed in 0..20 {
        let first = place.record(&["--chaos", &format!("--seed={seed}")], b"");
        assert_eq!(first.end, End::Exit(0), "{}", first.stderr);
        let again = place.replay(&[]);
        assert_eq!((again.end, &again.stdout), (first.end, &first.stdout));
        all.insert(first.stdout);
    }
    assert!(all.len() > 5, "{all:?}");
}

#[test]
fn what_cannot_be_recorded_is_refused_by_name() {
    let code = r#"
        package main
        import ("fmt"; "syscall")
        func main() {
            fmt.Println("before")
            syscall.Syscall6(9, 0, 4096, 3, 0x21, ^uintptr(0), 0)
            fmt.Println("behind")
        }
    "#;
    let place = Place::new("refused", code);
    let ran = place.record(&[], b"");
    assert_eq!((ran.end, &*ran.stdout), (End::Exit(2), "before\n"));
    let told = "gosched: record: mapped memory (mmap) cannot be recorded (main.go:6)\n";
    assert_eq!(ran.stderr, told);
}

/// A recording has a name of its own, which is told.
#[test]
fn a_recording_is_named() {
    let place = Place::new("named", "package main\nfunc main() { println(1) }\n");
    let ran = run(&mut place.command(&["record", "main.go"]), b"", LIMIT);
    let (again, rest) = ran.stderr.split_once('\n').unwrap();
    assert_eq!(rest, "1\n");
    let file = again.strip_prefix("again: gosched replay ").unwrap();
    assert!(Path::new(&place.file(file)).exists());
    let ran = run(&mut place.command(&["replay", file]), b"", LIMIT);
    assert_eq!((ran.end, &*ran.stderr), (End::Exit(0), "1\n"));
}
