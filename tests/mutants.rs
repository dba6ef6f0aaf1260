//! Broken programs: whatever the input,
//! the answer is a result or a Go error, never a crash or a hang of ours.
//!
//! Programs of the corpus and of `tests/bench` are mutated at random, with a fixed seed: tokens of
//! one class are swapped or exchanged, statements are deleted or doubled, tokens are dropped. Each
//! mutant is checked, and run with a short limit if it passes. A third of them must still parse, so
//! that checker and compiler have their share.
//!
//! `GOSCHED_MUTANTS=N` sets how many (600; before a release: 10000), `GOSCHED_MUTANTS_SEED` the
//! seed. With `GOSCHED_MUTANTS_GO=N` real Go's compiler judges the first N as well: what one
//! accepts and the other refuses is a failure, but for what `check` calls unsupported. Of those
//! that both refuse, 99.5 % must have the same first error, place and text.
//! `GOSCHED_MUTANTS_KEEP=FOLDER` puts the mutants there and leaves them.

mod support;

use libtest_mimic::{Arguments, Failed, Trial};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;
use support::{End, files, go_command, gosched, is_our_crash, real_go, tests_dir};

const CHUNKS: usize = 8;

fn main() {
    let args = Arguments::from_args();
    let total: usize = number("GOSCHED_MUTANTS", 600);
    let seed: u64 = number("GOSCHED_MUTANTS_SEED", 20_261_121);
    let sources = Arc::new(sources());
    let judged: usize = number("GOSCHED_MUTANTS_GO", 0);
    let tally = Arc::new(Tally::default());
    let folder = Arc::new(folder());
    let mut trials = Vec::new();
    for chunk in 0..CHUNKS {
        let (sources, tally, folder) = (sources.clone(), tally.clone(), folder.clone());
        trials.push(Trial::test(
            format!("mutants_{chunk}_never_crash"),
            move || {
                let mut failures = Vec::new();
                for i in (chunk..total).step_by(CHUNKS) {
                    let mut rng =
                        Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (i as u64) << 17 | 1);
                    let source = &sources[rng.below(sources.len())];
                    let file = folder.join(format!("m{i}.go"));
                    std::fs::write(&file, mutate(source, &mut rng)).unwrap();
                    match try_mutant(&file, i < judged, &tally) {
                        Ok(()) if std::env::var_os("GOSCHED_MUTANTS_KEEP").is_none() => {
                            std::fs::remove_file(&file).unwrap();
                        }
                        Ok(()) => {}
                        Err(e) => failures.push(format!("{}: {e}", file.display())),
                    }
                }
                let parsed = tally.parsed.load(Ordering::Relaxed);
                let tried = tally.tried.load(Ordering::Relaxed);
                if tried > 300 && parsed * 3 < tried {
                    failures.push(format!("only {parsed} of {tried} mutants parse"));
                }
                if failures.is_empty() {
                    Ok(())
                } else {
                    Err(Failed::from(failures.join("\n")))
                }
            },
        ));
    }
    let conclusion = libtest_mimic::run(&args, trials);
    let others = tally.others.lock().unwrap();
    let judged = tally.judged.load(Ordering::Relaxed);
    if judged > 0 {
        let count = others.len();
        println!("{judged} judged by Go, of {count} the first error is another");
    }
    if others.len() > (judged / OTHERS_ONE_IN).max(1) {
        println!("{}", others.join("\n"));
        std::process::exit(101);
    }
    conclusion.exit();
}

#[derive(Default)]
struct Tally {
    tried: AtomicUsize,
    parsed: AtomicUsize,
    /// Judged by Go's compiler as well, and how often its first error was another.
    judged: AtomicUsize,
    others: Mutex<Vec<String>>,
}

/// Of how many mutants one may have another first error than Go's.
const OTHERS_ONE_IN: usize = 200;

/// Where the mutants go.
fn folder() -> PathBuf {
    let folder = std::env::var_os("GOSCHED_MUTANTS_KEEP").map_or_else(
        || std::env::temp_dir().join(format!("gosched-mutants-{}", std::process::id())),
        PathBuf::from,
    );
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn number<T: std::str::FromStr>(name: &str, default: T) -> T {
    std::env::var(name)
        .ok()
        .and_then(|v| v.parse().ok())
        .unwrap_or(default)
}

/// Imports of programs that are left alone. A mutant must not reach beyond itself: a changed
/// process id may mean every process there is.
const REACHES_OUT: &[&str] = &["\"syscall\"", "\"os\"", "\"os/exec\""];

fn sources() -> Vec<String> {
    let mut all = files(&tests_dir().join("corpus"), "go");
    all.extend(files(&tests_dir().join("bench"), "go"));
    all.iter()
        .filter_map(|p| std::fs::read_to_string(p).ok())
        .filter(|s| s.len() < 20_000)
        .filter(|s| !s.starts_with("// errorcheck"))
        .filter(|s| !REACHES_OUT.iter().any(|import| s.contains(import)))
        .collect()
}

fn try_mutant(file: &Path, is_judged: bool, tally: &Tally) -> Result<(), String> {
    let checked = support::run(
        gosched().arg("check").arg(file),
        b"",
        Duration::from_secs(30),
    );
    tally.tried.fetch_add(1, Ordering::Relaxed);
    if !checked.stderr.contains("syntax error") {
        tally.parsed.fetch_add(1, Ordering::Relaxed);
    }
    if is_our_crash(&checked) || !matches!(checked.end, End::Exit(0 | 1)) {
        let end = checked.end;
        return Err(format!(
            "check ended with {end:?}\n{}",
            head(&checked.stderr)
        ));
    }
    // Constraints are for who loads files; the compiler does not read them.
    let is_for_compiler = !checked.stderr.contains(": parsing //go:build line: ")
        && !checked.stderr.contains(": multiple //go:build comments")
        && !checked.stderr.contains(": unsupported: ");
    if is_judged && is_for_compiler {
        let refused = go_refuses(file)?;
        // The compiler alone has no other packages than those given to it;
        // what imports one more it cannot judge.
        let could_judge = !matches!(&refused, Some(errors) if errors.contains("could not import"));
        if could_judge && refused.is_some() != (checked.end == End::Exit(1)) {
            let ours = head(&checked.stderr);
            return Err(format!(
                "Go and we differ\nwe say: {ours}\nGo says: {}",
                head(&refused.unwrap_or_default())
            ));
        }
        if could_judge {
            tally.judged.fetch_add(1, Ordering::Relaxed);
            let (ours, gos) = (&checked.stderr, refused.unwrap_or_default());
            if first_error(ours) != first_error(&gos) {
                let (file, ours, gos) = (file.display(), head(ours), head(&gos));
                let other = format!("{file}: another first error\nwe say: {ours}\nGo says: {gos}");
                tally.others.lock().unwrap().push(other);
            }
        }
    }
    if checked.end == End::Exit(0) {
        let mut command = gosched();
        command
            .arg(file)
            .env("GOMAXPROCS", "2")
            .env("GOMEMLIMIT", "1GiB")
            .current_dir(file.parent().unwrap());
        let ran = support::run(&mut command, b"", Duration::from_secs(3));
        // A mutant may well loop for ever;
        // whether *we* hang is told by the programs whose outcome is known.
        if is_our_crash(&ran) {
            let end = ran.end;
            return Err(format!("run ended with {end:?}\n{}", head(&ran.stderr)));
        }
    }
    Ok(())
}

/// The first error of a list, from its place on; what stands before that is the file's name.
fn first_error(errors: &str) -> Option<&str> {
    let first = errors.lines().next()?;
    Some(first.split_once(".go:").map_or(first, |(_, rest)| rest))
}

/// The errors of Go's compiler; `None` if it accepts the program.
fn go_refuses(file: &Path) -> Result<Option<String>, String> {
    static SETUP: OnceLock<Result<(PathBuf, PathBuf), String>> = OnceLock::new();
    let (go, packages) = SETUP
        .get_or_init(|| {
            let go = real_go()?;
            let packages = file.with_file_name("importcfg");
            let format = "{{if .Export}}packagefile {{.ImportPath}}={{.Export}}{{end}}";
            let mut list = go_command(&go);
            list.args(["list", "-export", "-f", format]).args(IMPORTED);
            let listed = list.output().map_err(|e| e.to_string())?;
            std::fs::write(&packages, listed.stdout).map_err(|e| e.to_string())?;
            Ok((go, packages))
        })
        .clone()?;
    let mut compile = go_command(&go);
    // A file of its own: the compiler removes what it was to write when there are errors,
    // were it /dev/null.
    let object = file.with_extension("o");
    compile
        .args(["tool", "compile", "-complete", "-p", "main", "-o"])
        .arg(&object)
        .arg("-importcfg")
        .arg(packages)
        .arg(file);
    let ran = support::run_merged(&mut compile, Duration::from_secs(60));
    let _ = std::fs::remove_file(object);
    match ran.end {
        End::Exit(0) => Ok(None),
        End::Exit(_) => Ok(Some(ran.stdout)),
        end => Err(format!("go tool compile ended with {end:?}")),
    }
}

/// The packages that the programs import, for Go's compiler.
const IMPORTED: &[&str] = &[
    "bufio",
    "bytes",
    "cmp",
    "container/heap",
    "container/list",
    "context",
    "errors",
    "fmt",
    "io",
    "io/fs",
    "iter",
    "maps",
    "math",
    "math/big",
    "math/bits",
    "math/cmplx",
    "math/rand",
    "reflect",
    "regexp",
    "runtime",
    "runtime/debug",
    "slices",
    "sort",
    "strconv",
    "strings",
    "sync",
    "sync/atomic",
    "syscall",
    "time",
    "unicode",
    "unicode/utf16",
    "unicode/utf8",
    "unsafe",
];

fn head(text: &str) -> String {
    text.chars().take(600).collect()
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Class {
    Space,
    Name,
    Number,
    Text,
    Operator,
    Bracket,
    Other,
}

const OPERATORS: &[&str] = &[
    "<<=", ">>=", "&^=", "...", "&&", "||", "<-", "++", "--", "==", "!=", "<=", ">=", ":=", "+=",
    "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<", ">>", "&^", "+", "-", "*", "/", "%", "&", "|",
    "^", "<", ">", "=", "!", "~",
];

/// Cuts Go text into tokens, roughly.
fn tokens(source: &str) -> Vec<(Class, String)> {
    let chars: Vec<char> = source.chars().collect();
    let mut out = Vec::new();
    let mut i = 0;
    while i < chars.len() {
        let start = i;
        let c = chars[i];
        let class = if c.is_whitespace() {
            while i < chars.len() && chars[i].is_whitespace() {
                i += 1;
            }
            Class::Space
        } else if c.is_alphabetic() || c == '_' {
            while i < chars.len() && (chars[i].is_alphanumeric() || chars[i] == '_') {
                i += 1;
            }
            Class::Name
        } else if c.is_ascii_digit() {
            while i < chars.len()
                && (chars[i].is_alphanumeric() || chars[i] == '.' || chars[i] == '_')
            {
                i += 1;
            }
            Class::Number
        } else if matches!(c, '"' | '\'' | '`') {
            i += 1;
            while i < chars.len() && chars[i] != c {
                i += if chars[i] == '\\' && c != '`' { 2 } else { 1 };
            }
            i = (i + 1).min(chars.len());
            Class::Text
        } else if matches!(c, '(' | ')' | '[' | ']' | '{' | '}') {
            i += 1;
            Class::Bracket
        } else if let Some(op) = OPERATORS
            .iter()
            .find(|op| chars[i..].iter().take(op.len()).copied().eq(op.chars()))
        {
            i += op.len();
            Class::Operator
        } else {
            i += 1;
            Class::Other
        };
        out.push((class, chars[start..i].iter().collect()));
    }
    out
}

fn mutate(source: &str, rng: &mut Rng) -> String {
    let mut toks = tokens(source);
    for _ in 0..1 + rng.below(3) {
        mutate_once(&mut toks, rng);
    }
    toks.into_iter().map(|(_, t)| t).collect()
}

fn mutate_once(toks: &mut Vec<(Class, String)>, rng: &mut Rng) {
    let pick = |toks: &[(Class, String)], class: Option<Class>, rng: &mut Rng| -> Option<usize> {
        let all: Vec<usize> = (0..toks.len())
            .filter(|&i| class.map_or(toks[i].0 != Class::Space, |c| toks[i].0 == c))
            .collect();
        (!all.is_empty()).then(|| all[rng.below(all.len())])
    };
    match rng.below(10) {
        // Identifiers, operators, literals exchanged within their class.
        0..=2 => {
            if let (Some(a), Some(b)) = (
                pick(toks, Some(Class::Name), rng),
                pick(toks, Some(Class::Name), rng),
            ) {
                toks[a].1 = toks[b].1.clone();
            }
        }
        3 | 4 => {
            if let Some(a) = pick(toks, Some(Class::Operator), rng) {
                toks[a].1 = OPERATORS[rng.below(OPERATORS.len())].to_string();
            }
        }
        5 => {
            let class = [Class::Name, Class::Number, Class::Text, Class::Operator][rng.below(4)];
            if let (Some(a), Some(b)) = (pick(toks, Some(class), rng), pick(toks, Some(class), rng))
            {
                let (x, y) = (toks[a].1.clone(), toks[b].1.clone());
                toks[a].1 = y;
                toks[b].1 = x;
            }
        }
        6 => {
            if let Some(a) = pick(toks, Some(Class::Number), rng) {
                toks[a].1 = [
                    "0",
                    "-1",
                    "1e300",
                    "0x7fffffffffffffff",
                    "1<<63",
                    "'x'",
                    "2i",
                    "65536",
                ][rng.below(8)]
                .to_string();
            }
        }
        // A line deleted or doubled: mostly one statement.
        7 | 8 => {
            let lines: Vec<usize> = (0..toks.len())
                .filter(|&i| toks[i].1.contains('\n'))
                .collect();
            if lines.len() > 2 {
                let k = rng.below(lines.len() - 1);
                let (from, to) = (lines[k] + 1, lines[k + 1]);
                let line: Vec<_> = toks[from..to].to_vec();
                let balanced = line.iter().all(|(c, _)| *c != Class::Bracket)
                    || line
                        .iter()
                        .filter(|(_, t)| "([{".contains(t.as_str()))
                        .count()
                        == line
                            .iter()
                            .filter(|(_, t)| ")]}".contains(t.as_str()))
                            .count();
                if balanced && rng.below(2) == 0 {
                    toks.drain(from..to);
                } else if balanced {
                    let at = toks[to].clone();
                    toks.splice(to..to, std::iter::once(at).chain(line));
                }
            }
        }
        _ => {
            if let Some(a) = pick(toks, None, rng) {
                toks.remove(a);
            }
        }
    }
}

/// xorshift64*
struct Rng(u64);

impl Rng {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        ((self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) % n as u64) as usize
    }
}
