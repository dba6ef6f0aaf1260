//! Mutants of `go.mod` files: gosched and real Go agree which are right, and on most errors.
//!
//! Lines and words of good files are taken out, doubled, exchanged and put in at random, with a
//! fixed seed. Of each mutant the module is loaded: by `gosched check`, and by `go list`, from
//! folders and without a network. `GOSCHED_GOMOD=N` sets how many (500). What follows
//! `errors parsing go.mod` must be the same but where Go would ask a proxy for a version.
//!
//! Without real Go only this is asked, that gosched ends with a result.

mod support;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use support::{End, Ran, go_command, gosched, is_our_crash, real_go};

/// Good files; the folders `a`, `b` and `t` are there.
const GOOD: [&str; 3] = [
    "module example.com/m\n\ngo 1.22\n\nrequire example.com/a v1.0.0 // indirect\n\n\
     replace example.com/a => ./a\n",
    "// Deprecated: no.\nmodule \"example.com/m\"\n\ngo 1.21.3\n\ntoolchain go1.22.0\n\n\
     require (\n\texample.com/a v1.2.3\n\texample.com/b/v2 v2.0.1 // indirect\n)\n\n\
     replace (\n\texample.com/a v1.2.3 => ./a\n\texample.com/b/v2 => ./b\n)\n\n\
     exclude example.com/a v1.2.4\n\nretract [v1.0.0, v1.1.0]\n\ngodebug panicnil=1\n",
    "module example.com/m\ngo 1.17\n\
     require example.com/a v0.0.0-20200101000000-abcdefabcdef\n\
     replace example.com/a v0.0.0-20200101000000-abcdefabcdef => ./a\n\
     tool example.com/m/t\nignore ./x\n\
     retract (\n  v1.0.0 // bad\n  [v1.2.0, v1.3.0]\n)\n\
     godebug (\n\tdefault=go1.21\n\trandseednop=0\n)\n",
];

/// What is put in.
const WORDS: &str = "module go require replace exclude retract tool ignore godebug toolchain use \
    ( ) [ ] , => \" ` ' // /* */ v1.0.0 v1.2 v2.0.0 v1.2.3+incompatible v2.0.0+incompatible \
    v1.2.3+meta v0.0.0-20200101000000-abcdefabcdef v1.2.3-pre latest master example.com/a \
    example.com/b/v2 example.com/m example.com/c/v1 gopkg.in/x.v1 gopkg.in/x ./a ./b ../m /tmp a \
    a@v1 C:\\x .\\a 1.20 1.27.3 1.28 1.22rc1 v1.21 1.21. go1.21 go1.99 default panicnil=1 nosuch=1 \
    default=go1.20 asynctimerchan=1 a,b=c { } \\ \u{a0} \u{e9} \0 \u{1} \u{feff} ; @ = 0 -";

const LINES: [&str; 13] = [
    "replace example.com/a => ./b",
    "require example.com/a v1.9.0",
    "exclude example.com/a v1.2.3",
    "require example.com/zz v1.0.0",
    "replace example.com/zz => ./a",
    "replace example.com/a v1.2.3 => ./b",
    "go 1.25",
    "toolchain default",
    "tool example.com/none",
    "use ./a",
    "module x",
    "retract v1.0.0",
    "ignore x",
];

struct Rng(u64);

impl Rng {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 16) % n.max(1) as u64) as usize
    }
}

/// A place between two characters.
fn place(rng: &mut Rng, text: &str) -> usize {
    let n = rng.below(text.chars().count() + 1);
    text.char_indices().nth(n).map_or(text.len(), |(at, _)| at)
}

fn mutate(rng: &mut Rng, text: &str) -> String {
    let words: Vec<&str> = WORDS.split_ascii_whitespace().collect();
    let mut lines: Vec<String> = text.split('\n').map(String::from).collect();
    let (i, j) = (rng.below(lines.len()), rng.below(lines.len()));
    let word = words[rng.below(words.len())];
    let mut parts: Vec<String> = lines[i].split(' ').map(String::from).collect();
    let k = rng.below(parts.len());
    let kind = rng.below(12);
    match kind {
        0 => _ = lines.remove(i),
        1 => lines.insert(i, lines[j].clone()),
        2 => parts[k] = word.into(),
        3 => parts.insert(k, word.into()),
        4 => _ = parts.remove(k),
        5 => {
            let at = place(rng, &lines[i]);
            lines[i].insert_str(at, word);
            return lines.join("\n");
        }
        6 => {
            let at = place(rng, &lines[i]);
            if at < lines[i].len() {
                lines[i].remove(at);
            }
            return lines.join("\n");
        }
        7 => lines.swap(i, j),
        8 => return text[..place(rng, text)].to_string(),
        9 => parts[k] = format!("\"{}\"", parts[k]),
        10 => parts.push(word.into()),
        _ => lines.insert(i, LINES[rng.below(LINES.len())].into()),
    }
    if matches!(kind, 2 | 3 | 4 | 9 | 10) {
        lines[i] = parts.join(" ");
    }
    lines.join("\n")
}

fn mutant(number: u64) -> String {
    let mut rng = Rng((number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut text = GOOD[rng.below(GOOD.len())].to_string();
    for _ in 0..[1, 1, 1, 2][rng.below(4)] {
        text = mutate(&mut rng, &text);
    }
    text
}

/// A module with this file, in a folder.
fn write(folder: &Path, go_mod: &str) {
    let files = [
        ("go.mod", go_mod),
        (
            "main.go",
            "package main\n\nimport \"example.com/a\"\n\nfunc main() { println(a.X) }\n",
        ),
        ("t/t.go", "package main\n\nfunc main() {}\n"),
        ("a/go.mod", "module example.com/a\n\ngo 1.20\n"),
        ("a/a.go", "package a\n\nconst X = 1\n"),
        ("b/go.mod", "module example.com/b/v2\n\ngo 1.20\n"),
        ("b/b.go", "package b\n\nconst X = 1\n"),
    ];
    for (name, text) in files {
        let file = folder.join(name);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
    }
}

fn load(command: &mut Command, folder: &Path) -> Ran {
    command
        .current_dir(folder)
        .env("GOTOOLCHAIN", "local")
        .env("GOPROXY", "off")
        .env("GOFLAGS", "")
        .env("GOWORK", "off")
        .env("GOENV", "off")
        .env("GOMODCACHE", folder.join("cache"));
    support::run(command, b"", Duration::from_secs(60))
}

/// What both say of a mutant, if they do not agree.
fn judge(folder: &Path, text: &str) -> Option<String> {
    write(folder, text);
    let ours = load(gosched().args(["check", "."]), folder);
    if is_our_crash(&ours) || !matches!(ours.end, End::Exit(0 | 1)) {
        return Some(format!("{:?}\n{}", ours.end, ours.stderr));
    }
    let go = real_go().ok()?;
    let theirs = load(go_command(&go).args(["list", "-deps", "."]), folder);
    let (is_right, want) = (theirs.end == End::Exit(0), theirs.stderr.trim());
    let have = ours.stderr.trim();
    let differ = || {
        Some(format!(
            "Go: {:?} {want}\nwe: {:?} {have}",
            theirs.end, ours.end
        ))
    };
    if is_right != (ours.end == End::Exit(0)) {
        return differ();
    }
    let (want, have) = (
        want.trim_start_matches("go: "),
        have.trim_start_matches("gosched: "),
    );
    let asks = [
        "module lookup disabled",
        "malformed module path",
        "require go: ",
    ];
    let is_parsing = want.starts_with("errors parsing") && !asks.iter().any(|a| want.contains(a));
    (is_parsing && want != have).then(differ).flatten()
}

#[test]
fn mutants_are_judged_as_by_go() {
    let total = std::env::var("GOSCHED_GOMOD")
        .ok()
        .and_then(|n| n.parse().ok());
    let total: usize = total.unwrap_or(500);
    let top = std::env::temp_dir().join(format!("gosched-gomod-{}", std::process::id()));
    let next = AtomicUsize::new(0);
    let wrong = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for worker in 0..2 {
            let folder: PathBuf = top.join(worker.to_string());
            let (next, wrong) = (&next, &wrong);
            scope.spawn(move || {
                loop {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    if i >= total {
                        return;
                    }
                    let text = mutant(i as u64);
                    if let Some(why) = judge(&folder, &text) {
                        wrong.lock().unwrap().push(format!("{i}:\n{text}\n{why}\n"));
                    }
                }
            });
        }
    });
    let _ = std::fs::remove_dir_all(&top);
    let wrong = wrong.into_inner().unwrap();
    assert!(
        wrong.is_empty(),
        "{} mutants\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}
