//! `gosched record`: a program run as ever, and what it is told from outside written on a tape; and
//! the replay of that.
//!
//! The file is a line of JSON, which says what was run, and behind it the entries of a
//! [`tape`], in bytes.

use super::recording::{SCHEMA, Source, Wrong, place, this_gosched, usual_file};
use gosched_runtime::control::tape::entry::{Cursor, Found, What};
use gosched_runtime::control::tape::{self, Setup};
use gosched_runtime::{cpus, knobs};
use rustix::fs::{MemfdFlags, memfd_create};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};

const MODE: &str = "record";
const VERSION: u32 = 1;

/// Variables that the runtime itself looks at.
const VARIABLES: &[&str] = &[
    "GODEBUG",
    "GOGC",
    "GOMEMLIMIT",
    "GOMAXPROCS",
    "GOTRACEBACK",
    "GOSCHED_WITHOUT",
    "GOSCHED_DISPATCH",
];

/// What to record.
#[derive(Clone, Debug)]
pub(crate) struct Record {
    /// The file; a name of its own if there is none.
    pub output: Option<PathBuf>,
    /// Slices and the order of what runs are drawn.
    pub chaos: bool,
    /// Where what is drawn comes from.
    pub seed: u64,
    /// The words behind `gosched run` that run the program.
    pub args: Vec<String>,
}

/// What was run.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Head {
    schema: String,
    mode: String,
    version: u32,
    gosched: String,
    /// The words behind `gosched run`.
    pub args: Vec<String>,
    pub sources: Vec<Source>,
    seed: u64,
    chaos: bool,
    /// What GOMAXPROCS the program was told.
    procs: i32,
    /// Of [`VARIABLES`] those that there were.
    environment: BTreeMap<String, String>,
}

/// A recording of a run.
pub(crate) struct Taped {
    pub head: Head,
    /// The line of the file that it stands on.
    line: Vec<u8>,
    file: File,
}

fn environment() -> BTreeMap<String, String> {
    let of = |name: &&str| Some((name.to_string(), std::env::var(name).ok()?));
    VARIABLES.iter().filter_map(of).collect()
}

/// Begins to record a program, which was read from these sources.
pub(crate) fn begin(record: &Record, sources: Vec<Source>) -> io::Result<()> {
    let path = record.output.clone();
    let usual = || {
        let name = format!("record-{:04x}.gosched", record.seed & 0xffff);
        usual_file(Path::new(""), &name)
    };
    let named = path.clone().unwrap_or_else(usual);
    let told = |e: io::Error| io::Error::other(crate::loader::message("write", &named, &e));
    let head = Head {
        schema: SCHEMA.into(),
        mode: MODE.into(),
        version: VERSION,
        gosched: this_gosched(),
        args: record.args.clone(),
        sources,
        seed: record.seed,
        chaos: record.chaos,
        procs: knobs::procs_from_environment().unwrap_or_else(cpus::usable),
        environment: environment(),
    };
    let mut line = serde_json::to_vec(&head)?;
    line.push(b'\n');
    let mut options = File::options();
    options.read(true).write(true).create(true).truncate(true);
    let mut file = options.open(&named).map_err(told)?;
    // A recording is mapped, which a device cannot be; nobody wants to have this one.
    if named
        .canonicalize()
        .is_ok_and(|path| path == Path::new("/dev/null"))
    {
        file = memfd_create("gosched-recording", MemfdFlags::CLOEXEC)?.into();
    }
    file.write_all(&line).map_err(told)?;
    let (seed, procs, chaos) = (head.seed, head.procs, head.chaos);
    let setup = Setup {
        file,
        head: line,
        seed,
        procs,
        chaos,
        replays: false,
        until: None,
        place: place_of,
    };
    tape::begin(setup).map_err(told)?;
    if path.is_none() {
        let named = crate::cli::quoted(&named.to_string_lossy()).to_string();
        crate::driver::print_error(format_args!("again: gosched replay {named}\n"));
    }
    Ok(())
}

impl Taped {
    /// The recording in a file. `None`: it is none of a run.
    pub(crate) fn read(path: &Path) -> Result<Option<Taped>, Wrong> {
        let told = |e: io::Error| Wrong(crate::loader::message("open", path, &e));
        let file = File::open(path).map_err(told)?;
        let mut line = Vec::new();
        let mut reader = BufReader::new(&file).take(1 << 24);
        reader.read_until(b'\n', &mut line).map_err(told)?;
        let Ok(head) = serde_json::from_slice::<Head>(&line) else {
            return Ok(None);
        };
        if head.schema != SCHEMA || head.mode != MODE {
            return Ok(None);
        }
        if head.version != VERSION {
            return Err(Wrong(format!(
                "{}: a recording of version {}; this gosched reads version {VERSION}",
                path.display(),
                head.version
            )));
        }
        Ok(Some(Taped { head, line, file }))
    }

    /// Is the environment, as far as the runtime looks at it, as it was? Else it has to be made so.
    pub(crate) fn environment(&self) -> Option<Vec<(&'static str, Option<&str>)>> {
        let was = &self.head.environment;
        let of = |name: &&'static str| (*name, was.get(*name).map(String::as_str));
        (environment() != *was).then(|| VARIABLES.iter().map(of).collect())
    }

    /// Why it cannot be replayed here, with a program that was read from these sources.
    pub(crate) fn obstacle(&self, now: &[Source]) -> Option<String> {
        if let Some(file) = super::recording::changed(&self.head.sources, now).first() {
            return Some(format!("{} is not as it was recorded", file.display()));
        }
        let is_other = self.head.gosched != this_gosched();
        let told = || {
            let (was, is) = (&self.head.gosched, this_gosched());
            format!("recorded by gosched {was}, and this is {is}")
        };
        is_other.then(told)
    }

    /// Begins to replay it, up to an entry.
    pub(crate) fn begin(self, until: Option<u64>) -> io::Result<()> {
        tape::begin(Setup {
            file: self.file,
            head: self.line,
            seed: self.head.seed,
            procs: self.head.procs,
            chaos: self.head.chaos,
            replays: true,
            until,
            place: place_of,
        })
    }
}

/// What people call a place in the code; nothing for what is nowhere in the program.
fn place_of(at: usize) -> String {
    match at {
        0 => String::new(),
        at => place(at as u64),
    }
}

/// An entry as a line of JSON.
#[derive(Default, Serialize)]
struct Line<'a> {
    n: u64,
    k: &'static str,
    #[serde(skip_serializing_if = "is_zero")]
    g: u64,
    /// Nanoseconds since the clock was read before.
    #[serde(skip_serializing_if = "Option::is_none")]
    ns: Option<i64>,
    /// By how much the wall clock has moved against the monotonic one.
    #[serde(skip_serializing_if = "Option::is_none")]
    wall: Option<i64>,
    /// Looks or polls before it that had no result.
    #[serde(skip_serializing_if = "Option::is_none")]
    after: Option<u64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    ready: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    call: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    asked: Option<u32>,
    /// The bytes of an answer, in hexadecimal digits.
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<i64>,
}

fn is_zero(n: &u64) -> bool {
    *n == 0
}

/// As lines of JSON, the head first.
impl fmt::Display for Taped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", String::from_utf8_lossy(&self.line))?;
        let mut file = Vec::new();
        let read = self.file.try_clone().and_then(|mut copy| {
            io::Seek::rewind(&mut copy)?;
            copy.read_to_end(&mut file)
        });
        read.map_err(|_| fmt::Error)?;
        let mut cursor = Cursor::behind(&self.line);
        let mut texts: Vec<String> = Vec::new();
        loop {
            let n = cursor.n;
            let (what, g, behind) = match cursor.read(&file) {
                Found::Entry(what, g, behind) => (what, g, behind),
                Found::Nothing => return Ok(()),
                Found::Altered => return writeln!(f, r#"{{"n":{n},"k":"altered"}}"#),
            };
            cursor = behind;
            if let What::Text(text) = what {
                texts.push(String::from_utf8_lossy(text).into_owned());
            }
            let json = serde_json::to_string(&line(n, g, &what, &texts));
            writeln!(f, "{}", json.map_err(|_| fmt::Error)?)?;
        }
    }
}

fn line<'a>(n: u64, g: u64, what: &What<'_>, texts: &'a [String]) -> Line<'a> {
    let text = |n: u64| texts.get(n as usize).map(String::as_str);
    let line = |k| Line {
        n,
        k,
        g,
        ..Line::default()
    };
    match what {
        What::Clock(ns) => Line {
            ns: Some(*ns),
            ..line("clock")
        },
        What::Time(ns, wall) => Line {
            ns: Some(*ns),
            wall: Some(*wall),
            ..line("time")
        },
        What::Slice(looks) => Line {
            after: Some(*looks),
            ..line("slice")
        },
        What::Poll(polls, ready) => Line {
            after: Some(*polls),
            ready: ready.iter().map(ToString::to_string).collect(),
            ..line("ready")
        },
        What::Answer {
            call,
            asked,
            place,
            answer,
        } => Line {
            call: text(*call),
            at: text(*place),
            asked: Some(*asked),
            answer: Some(super::recording::hex(answer)),
            ..line("world")
        },
        What::Waits => line("waits"),
        What::Text(_) => Line {
            text: texts.last().cloned(),
            ..line("text")
        },
        What::End(status) => Line {
            status: Some(*status),
            ..line("end")
        },
    }
}
