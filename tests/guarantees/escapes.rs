//! Nothing decides behind the back of a seed. Each thing that makes runs of a program differ makes
//! runs of that program here differ, and controlled ones not; what comes from outside of the
//! process a seed leaves as it is, and a recording repeats.

use super::support::{End, run};
use super::{Folder, LIMIT, each};
use std::collections::BTreeSet;
use std::os::unix::process::CommandExt;
use std::process::Command;

/// What makes the runs the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum By {
    Seed,
    /// The answers of the world outside.
    Recording,
}
use By::{Recording, Seed};

/// What decides, statements of `main` whose output shows it, and what takes it in hand.
const SOURCES: &[(&str, By, &str)] = &[
    (
        "the run queue, and who steals from it",
        Seed,
        "var mu sync.Mutex; var order []int; var wg sync.WaitGroup
        for i := range 60 {
            wg.Go(func() {
                for range i % 7 * 20000 {}
                mu.Lock()
                order = append(order, i)
                mu.Unlock()
            })
        }
        wg.Wait()
        fmt.Println(order)",
    ),
    (
        "the case that a select takes",
        Seed,
        r#"a, b := make(chan int, 30), make(chan int, 30)
        for i := range 30 { a <- i; b <- i }
        for range 30 {
            select {
            case n := <-a: fmt.Print("a", n, " ")
            case n := <-b: fmt.Print("b", n, " ")
            }
        }"#,
    ),
    (
        "the seed of a map",
        Seed,
        r#"m := map[string]int{}
        for i := range 100 { m[fmt.Sprint(i)] = i }
        for k := range m { fmt.Print(k, " ") }"#,
    ),
    (
        "where a range over a map begins",
        Seed,
        "m := map[int]bool{1: true, 2: true, 3: true, 4: true, 5: true, 6: true, 7: true}
        for range 30 { for k := range m { fmt.Print(k); break } }",
    ),
    (
        "a map whose keys are addresses",
        Seed,
        r#"m := map[*int]int{}
        for i := range 30 { m[new(int)] = i }
        for _, v := range m { fmt.Print(v, " ") }"#,
    ),
    (
        "a sync.Map",
        Seed,
        r#"var m sync.Map
        for i := range 30 { m.Store(i, i) }
        m.Range(func(k, _ any) bool { fmt.Print(k, " "); return true })"#,
    ),
    (
        "math/rand",
        Seed,
        "fmt.Println(rand.IntN(1000000), rand.Uint64(), rand.Perm(9))",
    ),
    (
        "which waiter gets a lock",
        Seed,
        "var mu sync.Mutex; var order []int; var wg sync.WaitGroup
        for i := range 8 {
            wg.Go(func() {
                for range 100 {
                    mu.Lock()
                    order = append(order, i)
                    runtime.Gosched()
                    mu.Unlock()
                }
            })
        }
        wg.Wait()
        fmt.Println(order)",
    ),
    (
        "which waiter is signalled",
        Seed,
        "var mu sync.Mutex; c := sync.NewCond(&mu); var order []int; var wg sync.WaitGroup
        for i := range 20 {
            wg.Go(func() {
                for range i % 5 * 20000 {}
                mu.Lock()
                c.Wait()
                order = append(order, i)
                mu.Unlock()
            })
        }
        for len(order) < 20 { c.Signal(); runtime.Gosched() }
        wg.Wait()
        fmt.Println(order)",
    ),
    (
        "when a goroutine is preempted",
        Seed,
        "var n atomic.Int64
        go func() { for { n.Add(1) } }()
        for range 20000000 {}
        fmt.Println(n.Load())",
    ),
    (
        "the clock",
        Seed,
        "begin := time.Now()
        for range 1000 {}
        fmt.Println(begin, time.Since(begin), time.Now().UnixNano())",
    ),
    (
        "how much comes to pass before a deadline",
        Seed,
        "c, cancel := context.WithTimeout(context.Background(), 5*time.Millisecond)
        defer cancel()
        n := 0
        for c.Err() == nil { n++; time.Sleep(10 * time.Microsecond) }
        fmt.Println(n)",
    ),
    (
        "the order of timers",
        Seed,
        "var mu sync.Mutex; var order []int; var wg sync.WaitGroup
        for i := range 60 {
            wg.Add(1)
            time.AfterFunc(time.Duration(i%3)*time.Microsecond, func() {
                mu.Lock()
                order = append(order, i)
                mu.Unlock()
                wg.Done()
            })
        }
        wg.Wait()
        fmt.Println(order)",
    ),
    (
        "ports, and the order of connections",
        Seed,
        r#"l, err := net.Listen("tcp", "127.0.0.1:0")
        if err != nil { panic(err) }
        for i := range 5 {
            go func() {
                c, _ := net.Dial("tcp", l.Addr().String())
                fmt.Fprintln(c, i)
                c.Close()
            }()
        }
        for range 5 {
            c, _ := l.Accept()
            b, _ := io.ReadAll(c)
            fmt.Print(c.RemoteAddr(), string(b))
        }
        fmt.Println(l.Addr())"#,
    ),
    (
        "what a read of a pipe gives",
        Seed,
        r#"r, w, _ := os.Pipe()
        go func() { for i := range 200 { fmt.Fprintln(w, i) }; w.Close() }()
        b := make([]byte, 1000)
        for {
            n, err := r.Read(b)
            if err != nil { break }
            fmt.Print(n, " ")
        }"#,
    ),
    (
        "collections and finalizers",
        Seed,
        "var ran atomic.Int32
        for range 30000 {
            b := new([100]int)
            runtime.SetFinalizer(b, func(*[100]int) { ran.Add(1) })
        }
        var m runtime.MemStats
        runtime.ReadMemStats(&m)
        fmt.Println(ran.Load(), m.NumGC)",
    ),
    (
        "sync.Pool",
        Seed,
        "var made atomic.Int32; var wg sync.WaitGroup
        p := sync.Pool{New: func() any { made.Add(1); return new([1000]int) }}
        for i := range 8 {
            wg.Go(func() {
                for range 300 {
                    x := p.Get()
                    for range i * 100 {}
                    p.Put(x)
                    _ = make([]int, 1000)
                }
            })
        }
        wg.Wait()
        fmt.Println(made.Load())",
    ),
    (
        "addresses",
        Seed,
        r#"all := make([]*int, 8); var wg sync.WaitGroup
        for i := range 8 {
            wg.Go(func() {
                for range i % 3 * 20000 {}
                for range 20 { all[i] = new(int) }
            })
        }
        wg.Wait()
        for i, p := range all { fmt.Printf("%p %p ", p, &all[i]) }
        c, f := make(chan int), func() {}
        fmt.Printf("%p %p\n", c, f)"#,
    ),
    (
        "how many CPUs there are",
        Seed,
        "fmt.Println(runtime.NumCPU(), runtime.GOMAXPROCS(0))",
    ),
    (
        "what the memory's statistics say",
        Seed,
        "var wg sync.WaitGroup
        for range 8 { wg.Go(func() { for range 1000 { _ = fmt.Sprint(make([]int, 20)) } }) }
        wg.Wait()
        var m runtime.MemStats
        runtime.ReadMemStats(&m)
        fmt.Println(m.NumGC, m.Mallocs, m.Frees, m.HeapAlloc, m.HeapSys, m.Sys, m.PauseTotalNs)",
    ),
    (
        "the number of the process",
        Seed,
        "fmt.Println(os.Getpid(), os.Getppid(), syscall.Getpid())",
    ),
    (
        "how many goroutines there are",
        Seed,
        r#"for i := range 50 { go func() { for range i * 1000 {} }() }
        for range 20 { fmt.Print(runtime.NumGoroutine(), " "); for range 1000 {} }"#,
    ),
    (
        "numbers of goroutines",
        Seed,
        r#"var mu sync.Mutex; var wg sync.WaitGroup
        for range 8 {
            wg.Go(func() {
                for range 3 {
                    wg.Go(func() {
                        b := make([]byte, 40)
                        name := string(b[:runtime.Stack(b, false)])
                        mu.Lock()
                        fmt.Print(strings.Fields(name)[1], " ")
                        mu.Unlock()
                    })
                }
            })
        }
        wg.Wait()"#,
    ),
    (
        "names of temporary files",
        Recording,
        r#"f, _ := os.CreateTemp("", "x")
        fmt.Println(f.Name())
        os.Remove(f.Name())"#,
    ),
    (
        "when files were changed",
        Recording,
        r#"f, _ := os.CreateTemp("", "x")
        info, _ := f.Stat()
        fmt.Println(info.ModTime().UnixNano())
        os.Remove(f.Name())"#,
    ),
    (
        "a device that gives noise",
        Recording,
        r#"f, _ := os.Open("/dev/urandom")
        b := make([]byte, 8)
        f.Read(b)
        fmt.Println(b)"#,
    ),
    (
        "when signals arrive",
        Recording,
        "c := make(chan os.Signal, 1)
        signal.Notify(c, syscall.SIGUSR1)
        go func() { for range 100000 {}; syscall.Kill(os.Getpid(), syscall.SIGUSR1) }()
        for n := 0; ; n++ {
            select {
            case <-c: fmt.Println(n); return
            default: runtime.Gosched()
            }
        }",
    ),
    (
        "other programs",
        Recording,
        r#"out, err := exec.Command("sh", "-c", "echo $$; date +%N").Output()
        fmt.Println(string(out), err)"#,
    ),
    (
        "the processor time that was used",
        Recording,
        "var usage syscall.Rusage
        for range 100000 {}
        fmt.Println(syscall.Getrusage(0, &usage), usage.Utime, usage.Minflt)",
    ),
    (
        "the environment",
        Recording,
        r#"fmt.Println(os.Getenv("ESCAPES"), os.Args, len(os.Environ()))"#,
    ),
];

/// Has the process use one CPU only.
#[allow(unsafe_code)]
fn on_one_cpu(command: &mut Command) {
    // SAFETY: system calls and plain data, in a child that was forked.
    unsafe {
        command.pre_exec(|| {
            let mut set: libc::cpu_set_t = std::mem::zeroed();
            libc::sched_getaffinity(0, size_of_val(&set), &mut set);
            let one = (0..libc::CPU_SETSIZE as usize).find(|cpu| libc::CPU_ISSET(*cpu, &set));
            let mut only: libc::cpu_set_t = std::mem::zeroed();
            libc::CPU_SET(one.unwrap_or(0), &mut only);
            libc::sched_setaffinity(0, size_of_val(&only), &only);
            Ok(())
        })
    };
}

/// What the `i`th run prints: on all CPUs or on one, with another environment each time.
fn output(words: &[&str], i: usize) -> (End, String, String) {
    let folder = Folder::new();
    let mut command = folder.gosched();
    command.args(words).env("ESCAPES", i.to_string());
    if i % 3 == 1 {
        on_one_cpu(&mut command);
    }
    let ran = run(&mut command, b"", LIMIT);
    (ran.end, ran.stdout, ran.stderr)
}

/// Runs each so many times in control: all runs are the same. Without control there are different
/// ones among at most `tries`; those of which there are none.
fn check(controlled: usize, tries: usize) -> Vec<&'static str> {
    let said = each(SOURCES, 4, |(name, by, code)| {
        let free: BTreeSet<String> = (0..tries)
            .map(|i| output(&["run", "-e", code], i).1)
            .scan(BTreeSet::new(), |seen: &mut BTreeSet<String>, text| {
                let is_enough = seen.len() > 1;
                seen.insert(text.clone());
                (!is_enough).then_some(text)
            })
            .collect();
        let folder = Folder::new();
        let file = folder.file("run.gosched");
        let words = match by {
            Seed => vec!["run", "--seed=1", "-e", code],
            Recording => {
                let file = file.to_str().unwrap();
                let ran = output(&["record", "-o", file, "-e", code], 0);
                assert_eq!(ran.0, End::Exit(0), "{name}: {}", ran.2);
                vec!["replay", file]
            }
        };
        let first = output(&words, 0);
        assert_eq!(first.0, End::Exit(0), "{name}: {}", first.2);
        for i in 1..controlled {
            assert_eq!(first, output(&words, i), "{name} escapes");
        }
        (free.len() < 2).then_some(*name)
    });
    said.into_iter().flatten().collect()
}

#[test]
fn escapes() {
    // What does not differ without control on a machine like this is told by the whole version.
    check(3, 1);
}

/// Each is seen to differ without control, and is the same in 20 runs with it.
#[test]
#[ignore = "takes 2 minutes"]
fn escapes_of_all() {
    let same = check(20, 200);
    assert!(
        same.is_empty(),
        "no two runs without control differ: {same:?}"
    );
}
