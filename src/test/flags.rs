//! The flags of `gosched test`: Go's, in any position, and those of `explore`.
//!
//! Flags that the program knows are given to it as `-test.NAME=VALUE`. What follows the first flag
//! that nobody knows is the program's, unless packages follow.
//!
//! Go: cmd/go/internal/test, testFlags; cmd/go/internal/cmdflag.

use super::cover::Mode;
use std::path::PathBuf;
use std::time::Duration;

/// What a flag takes, and who wants it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Takes {
    /// Nothing, `=true` or `=false`.
    Bool,
    Text,
    /// A number.
    Int,
    Duration,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum For {
    /// The program, as `-test.NAME`.
    Program,
    /// Us.
    Us,
    /// `explore`.
    Explore,
    /// Nobody here: it is taken and has no meaning.
    Nobody,
    /// It is refused.
    No,
}

use For::{Explore, No, Nobody, Program, Us};
use Takes::{Bool, Int, Text};

const FLAGS: &[(&str, Takes, For)] = &[
    ("artifacts", Bool, Program),
    ("bench", Text, Program),
    ("benchmem", Bool, Program),
    ("benchtime", Text, Program),
    ("blockprofile", Text, Program),
    ("blockprofilerate", Int, Program),
    ("count", Int, Program),
    ("coverprofile", Text, Program),
    ("memprofile", Text, Program),
    ("memprofilerate", Int, Program),
    ("mutexprofile", Text, Program),
    ("mutexprofilefraction", Int, Program),
    ("cpu", Text, Program),
    ("cpuprofile", Text, Program),
    ("failfast", Bool, Program),
    ("fullpath", Bool, Program),
    ("fuzz", Text, Program),
    ("fuzzminimizetime", Text, Program),
    ("fuzztime", Text, Program),
    ("list", Text, Program),
    ("outputdir", Text, Program),
    ("parallel", Int, Program),
    ("run", Text, Program),
    ("short", Bool, Program),
    ("shuffle", Text, Program),
    ("skip", Text, Program),
    ("timeout", Takes::Duration, Program),
    ("trace", Text, Program),
    ("v", Bool, Program),
    ("cover", Bool, Us),
    ("covermode", Text, Us),
    ("coverpkg", Text, Us),
    ("json", Bool, Us),
    ("p", Int, Us),
    ("race", Bool, Us),
    ("tags", Text, Us),
    ("vet", Text, Nobody),
    ("a", Bool, Nobody),
    ("asmflags", Text, Nobody),
    ("buildvcs", Text, Nobody),
    ("gcflags", Text, Nobody),
    ("ldflags", Text, Nobody),
    ("mod", Text, Us),
    ("goroot", Text, Us),
    ("trimpath", Bool, Nobody),
    ("explore", Bool, Us),
    ("o", Text, Explore),
    ("output", Text, Explore),
    ("dot", Text, Explore),
    ("allow-io", Bool, Explore),
    ("check", Text, Explore),
    ("jobs", Int, Explore),
    ("keep-going", Bool, Explore),
    ("left-over", Text, Explore),
    ("limits", Text, Explore),
    ("max-stall", Text, Explore),
    ("no-minimise", Bool, Explore),
    ("no-race", Bool, Explore),
    ("outputs", Text, Explore),
    ("schedules", Int, Explore),
    ("seed", Int, Explore),
    ("steps", Int, Explore),
    ("strategy", Text, Explore),
    ("time", Takes::Duration, Explore),
    ("asan", Bool, No),
    ("c", Bool, No),
    ("exec", Text, No),
    ("msan", Bool, No),
    ("n", Bool, No),
    ("o", Text, No),
    ("overlay", Text, No),
    ("toolexec", Text, No),
    ("x", Bool, No),
];

/// What has been asked for.
#[derive(Clone, Debug, Default)]
pub(super) struct Asked {
    /// Patterns and folders; without any the folder we are in is meant.
    pub packages: Vec<String>,
    /// The arguments of the program.
    pub args: Vec<String>,
    pub json: bool,
    pub race: bool,
    pub tags: String,
    pub modules: Option<String>,
    pub goroot: Option<PathBuf>,
    /// At most so many packages at once.
    pub jobs: Option<usize>,
    pub cover: Option<Mode>,
    pub cover_packages: Vec<String>,
    pub cover_profile: Option<String>,
    /// The first flag, in Go's order, of those that have a profile written.
    pub profile: Option<&'static str>,
    pub bench: bool,
    pub fuzz: bool,
    /// All that is printed is to be seen, also of packages that pass.
    pub shows_all: bool,
    pub lists: bool,
    pub fail_fast: bool,
    pub timeout: Duration,
    pub explores: bool,
    /// The flags of `explore`, but for those that name files.
    pub explore: Vec<String>,
    /// Where it writes recordings, and graphs.
    pub output: Option<String>,
    pub dot: Option<String>,
}

/// Go's limit where the line says none.
const TIMEOUT: Duration = Duration::from_secs(600);

/// Reads the words behind `gosched test`. The error is what to say, and what to type.
pub(super) fn parse(words: &[String]) -> Result<Asked, (String, String)> {
    let mut asked = Asked {
        timeout: TIMEOUT,
        ..Asked::default()
    };
    let (mut has_packages, mut in_packages) = (false, false);
    let (mut has_timeout, mut has_output_dir) = (false, false);
    let mut may_be_value = false;
    let mut explicit: Vec<String> = Vec::new();
    // Else what `explore` knows is the program's.
    let is_explore = |w: &String| matches!(flag_name(w), Some("explore" | "explore=true"));
    let explores = words.iter().any(is_explore);
    let mut at = 0;
    while at < words.len() {
        let word = &words[at];
        at += 1;
        let could_be_value = std::mem::take(&mut may_be_value);
        let Some(name) = flag_name(word) else {
            if word == "--" {
                explicit.extend_from_slice(&words[at - 1..]);
                break;
            }
            if !in_packages && has_packages {
                // It may be the value of the flag before it, which nobody knows here.
                if could_be_value {
                    explicit.push(word.clone());
                    continue;
                }
                explicit.extend_from_slice(&words[at - 1..]);
                break;
            }
            (in_packages, has_packages) = (true, true);
            asked.packages.push(word.clone());
            continue;
        };
        in_packages = false;
        let (name, value) = match name.split_once('=') {
            Some((name, value)) => (name, Some(value.to_string())),
            None => (name, None),
        };
        let plain = name.strip_prefix("test.").unwrap_or(name);
        let mut known = FLAGS.iter().filter(|f| f.2 != Explore || explores);
        let found = known.find(|f| f.0 == plain);
        let known = found.filter(|f| plain == name || f.2 == Program);
        let Some(&(_, takes, whose)) = known else {
            // Packages cannot follow any more.
            has_packages = true;
            if name == "args" && value.is_none() {
                explicit.extend_from_slice(&words[at..]);
                break;
            }
            explicit.push(word.clone());
            may_be_value = value.is_none();
            continue;
        };
        if whose == No {
            return Err((format!("test has no flag -{plain}"), SEE_HELP.into()));
        }
        let value = match (takes, value) {
            (Bool, None) => "true".to_string(),
            (_, Some(value)) => value,
            (_, None) if at < words.len() => {
                at += 1;
                words[at - 1].clone()
            }
            (_, None) => {
                return Err((format!("flag needs an argument: -{plain}"), SEE_HELP.into()));
            }
        };
        let value = checked(plain, takes, &value).map_err(|why| (why, SEE_HELP.to_string()))?;
        has_timeout |= plain == "timeout";
        has_output_dir |= plain == "outputdir";
        asked.take(plain, (takes, whose), &value);
        if whose == Program {
            explicit.push(format!("-test.{plain}={value}"));
        }
    }
    if asked.json && !asked.explores {
        asked.args.push("-test.v=test2json".into());
        asked.shows_all = true;
    }
    if !has_timeout {
        asked.args.push("-test.timeout=10m0s".into());
    }
    let keeps_artifacts = explicit.iter().any(|w| w == "-test.artifacts=true");
    asked.profile = PROFILES.into_iter().find(|flag| {
        let is_set = |w: &String| {
            w.strip_prefix(&format!("-test.{flag}="))
                .is_some_and(|v| !v.is_empty())
        };
        explicit.iter().any(is_set)
    });
    let writes = keeps_artifacts || asked.cover_profile.is_some() || asked.profile.is_some();
    if writes && !has_output_dir {
        let here = std::env::current_dir().unwrap_or_default();
        asked
            .args
            .push(format!("-test.outputdir={}", here.display()));
    }
    let program: Vec<&String> = explicit.iter().take_while(|w| *w != "--").collect();
    asked.shows_all |= program
        .iter()
        .any(|w| ["-h", "-help", "--help"].contains(&w.as_str()));
    asked.args.append(&mut explicit);
    Ok(asked)
}

/// The flags that have a profile or a trace written, in the order in which Go asks for them.
const PROFILES: [&str; 5] = [
    "blockprofile",
    "cpuprofile",
    "memprofile",
    "mutexprofile",
    "trace",
];

const SEE_HELP: &str = "Type gosched help test for the list of flags.";

/// The flag that a word is, without its dashes.
fn flag_name(word: &str) -> Option<&str> {
    let name = word.strip_prefix('-')?;
    let name = name.strip_prefix('-').unwrap_or(name);
    (!name.is_empty()).then_some(name)
}

/// The value as the program is given it; the error is what is wrong with it.
fn checked(name: &str, takes: Takes, value: &str) -> Result<String, String> {
    let wrong = |why: &str| Err(format!("invalid value {value:?} for flag -{name}: {why}"));
    match (name, takes) {
        ("v", _) if value == "test2json" => Ok(value.into()),
        (_, Bool) => match value {
            "1" | "t" | "T" | "true" | "TRUE" | "True" => Ok("true".into()),
            "0" | "f" | "F" | "false" | "FALSE" | "False" => Ok("false".into()),
            _ => Err(format!(
                "invalid boolean value {value:?} for -{name}: parse error"
            )),
        },
        (_, Int) => match value.parse::<i64>() {
            Ok(n) => Ok(n.to_string()),
            Err(_) => wrong("parse error"),
        },
        (_, Takes::Duration) => match duration(value) {
            Some(_) => Ok(value.into()),
            None => wrong("parse error"),
        },
        ("shuffle", _) if value != "on" && value != "off" && value.parse::<i64>().is_err() => {
            wrong("-shuffle argument must be \"on\", \"off\", or an int64")
        }
        ("covermode", _) if Mode::of(value).is_none() => {
            wrong("valid modes are \"set\", \"count\", or \"atomic\"")
        }
        ("outputdir", _) => {
            let path = std::path::absolute(value).unwrap_or_else(|_| value.into());
            Ok(path.to_string_lossy().into_owned())
        }
        _ => Ok(value.into()),
    }
}

/// A duration, which may be nothing.
pub(super) fn duration(text: &str) -> Option<Duration> {
    if text == "0" {
        return Some(Duration::ZERO);
    }
    let is_zero = text
        .trim_end_matches(char::is_alphabetic)
        .trim_matches(['0', '.']);
    match is_zero.is_empty() && text.starts_with('0') {
        true => Some(Duration::ZERO),
        false => crate::cli::duration(text),
    }
}

impl Asked {
    fn take(&mut self, name: &str, (takes, whose): (Takes, For), value: &str) {
        let is_on = value != "false";
        match takes {
            _ if whose != Explore || ["o", "output", "dot"].contains(&name) => (),
            Bool if is_on => self.explore.push(format!("--{name}")),
            Bool => (),
            _ => self.explore.push(format!("--{name}={value}")),
        }
        match name {
            "json" => self.json = is_on,
            "race" => self.race = is_on,
            "tags" => self.tags = value.into(),
            "mod" => self.modules = Some(value.into()),
            "goroot" => self.goroot = Some(value.into()),
            "p" => self.jobs = value.parse().ok().filter(|&n| n > 0),
            "explore" => self.explores = is_on,
            "o" | "output" => self.output = Some(value.into()),
            "dot" => self.dot = Some(value.into()),
            "cover" => self.cover = is_on.then(|| self.cover.unwrap_or(Mode::Set)),
            "covermode" => self.cover = Mode::of(value),
            "coverpkg" => {
                self.cover_packages = value.split(',').map(str::to_string).collect();
                self.cover.get_or_insert(Mode::Set);
            }
            "coverprofile" => {
                self.cover_profile = Some(value.into());
                self.cover.get_or_insert(Mode::Set);
            }
            "bench" => self.bench = !value.is_empty(),
            "fuzz" => self.fuzz = !value.is_empty(),
            "v" => self.shows_all = is_on,
            "list" => {
                self.lists = !value.is_empty();
                self.shows_all |= self.lists;
            }
            "failfast" => self.fail_fast = is_on,
            "timeout" => self.timeout = duration(value).unwrap_or(TIMEOUT),
            _ => (),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(line: &str) -> Asked {
        let words: Vec<String> = line.split_whitespace().map(str::to_string).collect();
        parse(&words).unwrap()
    }

    #[test]
    fn flags_stand_anywhere() {
        for line in [
            "-run X -v ./a ./b",
            "./a ./b -run=X -v",
            "-run X ./a ./b --v",
        ] {
            let asked = asked(line);
            assert_eq!(asked.packages, ["./a", "./b"], "{line}");
            let mut args = asked.args;
            args.sort();
            let want = ["-test.run=X", "-test.timeout=10m0s", "-test.v=true"];
            assert_eq!(args, want, "{line}");
        }
    }

    #[test]
    fn what_nobody_knows_is_the_programs() {
        let args = |line| asked(line).args[1..].join(" ");
        assert_eq!(args("./a -x1 y -v z"), "-x1 y -test.v=true z");
        assert_eq!(args("-x1=2 ./a"), "-x1=2 ./a");
        assert_eq!(args("-v -args ./a -v"), "-test.v=true ./a -v");
        assert_eq!(asked("-timeout 5s").args, ["-test.timeout=5s"]);
    }

    #[test]
    fn what_explore_knows_is_the_programs_where_nothing_is_searched() {
        let of = |line| asked(line);
        assert_eq!(of("./a -seed=5").args[1..], ["-seed=5"]);
        let searched = of("./a -seed=5 --explore -o x");
        assert_eq!(
            (searched.args.len(), searched.explore),
            (1, vec!["--seed=5".to_string()])
        );
        assert_eq!(searched.output.as_deref(), Some("x"));
        assert!(parse(&["-o".to_string(), "x".to_string()]).is_err());
    }

    #[test]
    fn durations_may_be_nothing() {
        for zero in ["0", "0s", "0ms"] {
            assert_eq!(duration(zero), Some(Duration::ZERO));
        }
        assert_eq!(duration("90s"), Some(Duration::from_secs(90)));
        assert_eq!(duration("x"), None);
    }
}
