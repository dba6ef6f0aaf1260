//! Broken programs: whatever the input, the answer is a result or a Go error, never a crash or a hang of ours.
//!
//! Programs of the corpus and of `tests/bench` are mutated at random, with a fixed seed: tokens of one class are swapped or exchanged, statements
//! are deleted or doubled, tokens are dropped. Each mutant is checked, and run with a short limit if it passes. A third of them must
//! still parse, so that checker and compiler have their share.
//!
//! `GOSCHED_MUTANTS=N` sets how many (600; before a release: 10000), `GOSCHED_MUTANTS_SEED` the seed.

mod support;

use libtest_mimic::{Arguments, Failed, Trial};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use support::{End, files, gosched, is_our_crash, tests_dir};

const CHUNKS: usize = 8;

fn main() {
    let args = Arguments::from_args();
    let total: usize = number("GOSCHED_MUTANTS", 600);
    let seed: u64 = number("GOSCHED_MUTANTS_SEED", 20_261_121);
    let sources = Arc::new(sources());
    let tally = Arc::new(Tally::default());
    let mut trials = Vec::new();
    for chunk in 0..CHUNKS {
        let (sources, tally) = (sources.clone(), tally.clone());
        trials.push(Trial::test(
            format!("mutants_{chunk}_never_crash"),
            move || {
                let mut failures = Vec::new();
                for i in (chunk..total).step_by(CHUNKS) {
                    let mut rng =
                        Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (i as u64) << 17 | 1);
                    let source = &sources[rng.below(sources.len())];
                    if let Err(e) = try_mutant(i, &mutate(source, &mut rng), &tally) {
                        failures.push(e);
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
    libtest_mimic::run(&args, trials).exit();
}

#[derive(Default)]
struct Tally {
    tried: AtomicUsize,
    parsed: AtomicUsize,
    folder: Mutex<Option<PathBuf>>,
}

fn number<T: std::str::FromStr>(name: &str, default: T) -> T {
    std::env::var(name)
        .ok()
        .and_then(|v| v.parse().ok())
        .unwrap_or(default)
}

/// Imports of programs that are left alone. A mutant must not reach beyond itself: a changed process id may mean every process there is.
const REACHES_OUT: &[&str] = &["\"syscall\"", "\"os\"", "\"os/exec\""];

fn sources() -> Vec<String> {
    let mut all = files(&tests_dir().join("corpus"), "go");
    all.extend(files(&tests_dir().join("bench"), "go"));
    all.iter()
        .filter_map(|p| std::fs::read_to_string(p).ok())
        .filter(|s| s.len() < 20_000)
        .filter(|s| !REACHES_OUT.iter().any(|import| s.contains(import)))
        .collect()
}

fn try_mutant(index: usize, source: &str, tally: &Tally) -> Result<(), String> {
    let folder = {
        let mut folder = tally.folder.lock().unwrap();
        folder
            .get_or_insert_with(|| {
                let f =
                    std::env::temp_dir().join(format!("gosched-mutants-{}", std::process::id()));
                std::fs::create_dir_all(&f).unwrap();
                f
            })
            .clone()
    };
    let file = folder.join(format!("m{index}.go"));
    std::fs::write(&file, source).unwrap();
    let checked = support::run(
        gosched().arg("check").arg(&file),
        b"",
        Duration::from_secs(30),
    );
    tally.tried.fetch_add(1, Ordering::Relaxed);
    if !checked.stderr.contains("syntax error") {
        tally.parsed.fetch_add(1, Ordering::Relaxed);
    }
    let kept = || format!("mutant {index} kept as {}", file.display());
    if is_our_crash(&checked) || !matches!(checked.end, End::Exit(0 | 1)) {
        return Err(format!(
            "{}: check ended with {:?}\n{}",
            kept(),
            checked.end,
            head(&checked.stderr)
        ));
    }
    if checked.end == End::Exit(0) {
        let mut command = gosched();
        command
            .arg(&file)
            .env("GOMAXPROCS", "2")
            .env("GOMEMLIMIT", "1GiB")
            .current_dir(&folder);
        let ran = support::run(&mut command, b"", Duration::from_secs(3));
        // A mutant may well loop for ever; whether *we* hang is told by the programs whose outcome is known.
        if is_our_crash(&ran) {
            return Err(format!(
                "{}: run ended with {:?}\n{}",
                kept(),
                ran.end,
                head(&ran.stderr)
            ));
        }
    }
    std::fs::remove_file(&file).unwrap();
    Ok(())
}

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
