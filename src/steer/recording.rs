//! A recording: the decisions of a run, in a file.
//!
//! It is text, an object of JSON on each line: a head that says what was run, a line for each
//! decision, and an end. Each line but the head carries a hash of all lines before it and of
//! itself, so that a change shows where it was made. It can be edited all the same: see
//! [`Recording::read`].
//!
//! Places are names of functions and lines, goroutines their numbers; both are the same in each
//! run of the same sources.

use super::child::{Races, Run, Spec};
use super::finding::Finding;
use crate::loader::Seen;
use crate::test::testmain;
use bytecode::arena::CODE;
use bytecode::func;
use gosched_runtime::control::log::Key;
use gosched_runtime::control::operation::{Act, Operation};
use gosched_runtime::control::strategy::{Choice, Decision, Take};
use gosched_runtime::g::Goid;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use source::Pos;
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// What the head of each recording names.
pub(super) const SCHEMA: &str = "gosched-recording";
const VERSION: u32 = 1;

/// See the module.
pub(crate) struct Recording {
    pub head: Head,
    pub steps: Vec<Step>,
    /// The first step that is not as it was written, and what is wrong there.
    pub altered: Option<u64>,
}

/// What was run.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Head {
    schema: String,
    version: u32,
    /// Which gosched: its version, and where it was made from.
    pub gosched: String,
    /// The words behind `gosched run`.
    pub args: Vec<String>,
    pub sources: Vec<Source>,
    pub seed: u64,
    /// See [`super::child::Spec`].
    pub passes: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_stall: Option<i64>,
    pub races: bool,
    /// Accesses to memory that are points: where, for the machine.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    shared: Vec<String>,
    /// What is wrong with it, and what it says of that itself.
    pub finding: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub message: String,
}

/// A file of the program.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Source {
    pub file: PathBuf,
    pub sha256: String,
}

/// A decision as it is written.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Step {
    /// Its number, from 0.
    pub n: u64,
    /// `run`, `case` or `time`; `end` is behind the last.
    pub k: String,
    /// When: the goroutine that has run, the points it had come to, and 1 if it stands at one.
    #[serde(default)]
    pub after: [u64; 3],
    /// The goroutine that is chosen.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub g: u64,
    /// The goroutine that would run in the ordinary order, if it is another.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub usual: u64,
    /// From which goroutines, or from how many cases.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub of: Vec<u64>,
    /// The number of the case among those that are ready.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub case: Option<u32>,
    /// Where the goroutine is.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub at: String,
    /// What it is about to do.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub op: String,
    /// The same place for the machine: the function, and how far into it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub pc: String,
    /// It is not what is ordinary; of a schedule that has been minimised, one of the decisions that
    /// it was left with.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub switch: bool,
    /// The hash of all this.
    pub h: String,
}

fn is_zero(n: &u64) -> bool {
    *n == 0
}

/// What is wrong with a file that should be a recording.
#[derive(Debug)]
pub(crate) struct Wrong(pub(super) String);

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Which gosched this is.
pub(super) fn this_gosched() -> String {
    let commit = option_env!("GOSCHED_COMMIT").unwrap_or("unknown");
    format!("{} {commit}", crate::driver::VERSION)
}

/// The file for a recording that nobody has named, in a folder of its own below `here`, or among
/// the temporary ones where there can be none; from `here` on, if it lies below.
pub(super) fn usual_file(here: &Path, name: &str) -> PathBuf {
    let folder = here.join(".gosched");
    let made = match folder.is_dir() {
        true => Ok(()),
        // Nobody wants recordings among his sources' versions.
        false => fs::create_dir(&folder).and_then(|()| fs::write(folder.join(".gitignore"), "*\n")),
    };
    let is_writable = rustix::fs::access(&folder, rustix::fs::Access::WRITE_OK).is_ok();
    match made.is_ok() && is_writable {
        true => Path::new(".gosched").join(name),
        false => std::env::temp_dir().join(name),
    }
}

/// The hash of a file's bytes.
fn hash_of_file(path: &Path) -> io::Result<String> {
    Ok(hex(&Sha256::digest(fs::read(path)?)))
}

pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

/// The files that the program was read from, each as `sha256sum` tells of it.
pub(crate) fn files_read() -> Vec<Vec<u8>> {
    let line = |s: Source| {
        let mut line = format!("{}  ", s.sha256).into_bytes();
        line.extend_from_slice(s.file.as_os_str().as_encoded_bytes());
        line
    };
    sources(&crate::loader::seen())
        .into_iter()
        .map(line)
        .collect()
}

/// The files that a program was read from, by their whole paths.
pub(super) fn sources(seen: &[Seen]) -> Vec<Source> {
    let file = |seen: &Seen| match seen {
        Seen::File(path, _) => Some(Source {
            file: std::path::absolute(path).unwrap_or_else(|_| path.clone()),
            sha256: hash_of_file(path).ok()?,
        }),
        Seen::Folder(_) => None,
    };
    let mut sources: Vec<Source> = seen.iter().filter_map(file).collect();
    sources.sort_by(|a, b| a.file.cmp(&b.file));
    sources.dedup();
    sources
}

/// A place in the program, as people read it: `main.go:31`. In the library: the function, which
/// says more than a line of a file that nobody has.
pub(super) fn place(pc: u64) -> String {
    let Some(pos) = position(pc) else {
        return String::new();
    };
    if !is_own(pos) {
        let name = func::find(pc as usize).map_or("", |info| &info.name);
        let end = name.find(".func").unwrap_or(name.len());
        return name[..end].to_string();
    }
    let position = source::map().position(pos);
    let name = Path::new(&position.file).file_name();
    let name = name.map_or(position.file.clone(), |n| n.to_string_lossy().into_owned());
    format!("{name}:{}", position.line)
}

/// Where the program itself is at `pc`, if what is there is not the library's, compiled in place.
pub(super) fn position(pc: u64) -> Option<Pos> {
    let info = func::find(pc as usize)?;
    let mut all = info.logical(pc as usize).map(|l| info.pos_at(l.pc));
    all.find(|pos| is_own(*pos))
        .or_else(|| Some(info.pos_at(pc as usize)))
}

/// Is it a place in the program itself? The main package of a test is ours.
pub(super) fn is_own(pos: Pos) -> bool {
    let file = source::map().runtime_position(pos).file;
    !file.starts_with("$GOROOT/") && file != testmain::FILE
}

/// Names of places in the code, which are the same in each run.
struct Places {
    /// What a function is called, by where it begins. Of those with one name, which instances of a
    /// generic function have, each but the first has a number.
    names: BTreeMap<usize, String>,
}

impl Places {
    /// Those of the program, which has been loaded.
    fn new() -> Places {
        let mut counts: HashMap<&str, u32> = HashMap::new();
        let mut names = BTreeMap::new();
        for info in (0..func::count()).filter_map(func::info) {
            let count = counts.entry(&info.name).or_default();
            *count += 1;
            let name = match count {
                1 => info.name.to_string(),
                n => format!("{}#{n}", info.name),
            };
            names.insert(info.start, name);
        }
        Places { names }
    }

    fn name(&self, pc: u64) -> String {
        let found = func::find(pc as usize).and_then(|f| Some((f, self.names.get(&f.start)?)));
        match found {
            Some((info, name)) => format!("{name}+{:#x}", pc as usize - info.start),
            None if pc == 0 => String::new(),
            None => format!("{:#x}", pc.wrapping_sub(CODE.base() as u64)),
        }
    }

    /// The place of each name.
    fn by_name(self) -> impl Fn(&str) -> Option<u64> {
        let starts = self.names.into_iter().map(|(start, name)| (name, start));
        let starts: HashMap<String, usize> = starts.collect();
        move |text| {
            if text.is_empty() {
                return Some(0);
            }
            let number = |t: &str| u64::from_str_radix(t.strip_prefix("0x")?, 16).ok();
            match text.rsplit_once('+') {
                Some((name, by)) => Some(*starts.get(name)? as u64 + number(by)?),
                None => Some(CODE.base() as u64 + number(text)?),
            }
        }
    }
}

impl Step {
    fn new(n: u64, decision: Decision, places: &Places) -> Step {
        let (k, g, case) = match decision.take {
            Take::Run(g) | Take::Hold(g) => ("run", g.0, None),
            Take::Case(i) => ("case", 0, Some(i)),
            Take::Pass => ("time", 0, None),
        };
        let runs = k == "run";
        Step {
            n,
            k: k.into(),
            after: [
                decision.at.g.0,
                decision.at.points.into(),
                decision.at.is_point.into(),
            ],
            g,
            usual: match decision.usual.0 {
                usual if usual == g => 0,
                usual => usual,
            },
            of: decision.of,
            case,
            at: if runs {
                place(decision.op.at)
            } else {
                String::new()
            },
            op: if runs {
                decision.op.act.name().into()
            } else {
                String::new()
            },
            pc: if runs {
                places.name(decision.op.pc)
            } else {
                String::new()
            },
            switch: decision.is_switch,
            h: String::new(),
        }
    }

    /// The hash that it should have, after one with hash `before`.
    fn hash(&self, before: &str) -> String {
        let bare = Step {
            h: String::new(),
            ..self.clone()
        };
        let text = serde_json::to_string(&bare).unwrap_or_default();
        let all = Sha256::digest(format!("{before}{text}"));
        hex(&all[..4])
    }

    /// The decision, of which places are looked up among `places`.
    fn decision(&self, at: impl Fn(&str) -> Option<u64>) -> Option<Decision> {
        let take = match (&*self.k, self.case) {
            ("run", _) => Take::Run(Goid(self.g)),
            ("case", Some(i)) => Take::Case(i),
            ("time", _) => Take::Pass,
            _ => return None,
        };
        let op = Operation {
            act: Act::named(&self.op).unwrap_or_default(),
            pc: at(&self.pc)?,
            ..Operation::default()
        };
        let [g, points, is_point] = self.after;
        Some(Decision {
            at: Key {
                g: Goid(g),
                points: points.try_into().ok()?,
                is_point: is_point == 1,
            },
            take,
            usual: match self.usual {
                0 => Goid(self.g),
                usual => Goid(usual),
            },
            of: self.of.clone(),
            op,
            is_switch: self.switch,
        })
    }

    /// As a divergence tells it.
    pub(super) fn text(&self) -> String {
        let of: Vec<String> = self.of.iter().map(|g| format!("g{g}")).collect();
        match &*self.k {
            "run" => format!(
                "g{} of {} runs, at {} ({})",
                self.g,
                of.join(" "),
                self.at,
                self.op
            ),
            "case" => format!(
                "select takes ready case {} of {}",
                self.case.unwrap_or_default(),
                self.of.first().copied().unwrap_or_default()
            ),
            "time" => "time passes".into(),
            _ => "the end".into(),
        }
    }
}

/// The steps of a run.
pub(super) fn steps(run: &Run) -> Vec<Step> {
    steps_of(run.decisions())
}

/// Of these decisions only those are switches by which one of `choices` was taken.
fn mark(decisions: &mut [Decision], choices: &[Choice]) {
    for d in decisions.iter_mut() {
        d.is_switch = false;
    }
    for choice in choices {
        let is_at = |d: &Decision| d.at == choice.at && !d.is_switch;
        let from = match choice.take {
            Take::Hold(_) => decisions.iter().position(is_at),
            _ => Some(0),
        };
        // Who is held is passed over from there on.
        let is_it = |d: &Decision| match choice.take {
            Take::Hold(g) => {
                matches!(d.take, Take::Run(other) if other != g)
                    && d.of.contains(&g.0)
                    && !d.is_switch
            }
            take => is_at(d) && d.take == take,
        };
        let Some(from) = from else { continue };
        if let Some(d) = decisions[from..].iter_mut().find(|d| is_it(d)) {
            d.is_switch = true;
        }
    }
}

fn steps_of(decisions: Vec<Decision>) -> Vec<Step> {
    let places = Places::new();
    let all = decisions.into_iter().enumerate();
    let mut steps: Vec<Step> = all
        .map(|(n, decision)| Step::new(n as u64, decision, &places))
        .collect();
    steps.push(Step {
        n: steps.len() as u64,
        k: "end".into(),
        ..Step::default()
    });
    steps
}

impl fmt::Display for Recording {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = |f: &mut fmt::Formatter<'_>, text: serde_json::Result<String>| {
            writeln!(f, "{}", text.map_err(|_| fmt::Error)?)
        };
        line(f, serde_json::to_string(&self.head))?;
        for step in &self.steps {
            line(f, serde_json::to_string(step))?;
        }
        Ok(())
    }
}

/// Does a file with these bytes begin as a recording does, of `explore` or of `record`?
pub(crate) fn is_recording(bytes: &[u8]) -> bool {
    #[derive(Deserialize)]
    struct Begin {
        schema: String,
    }
    let line = bytes.split(|b| *b == b'\n').next().unwrap_or_default();
    serde_json::from_slice::<Begin>(line).is_ok_and(|head| head.schema == SCHEMA)
}

impl Recording {
    /// That of a run, which has been left with these choices if it has been minimised.
    pub(super) fn new(
        args: Vec<String>,
        sources: Vec<Source>,
        spec: &Spec,
        finding: &Finding,
        run: &Run,
        choices: Option<&[Choice]>,
    ) -> Recording {
        let places = Places::new();
        let mut decisions = run.decisions();
        if let Some(choices) = choices {
            mark(&mut decisions, choices);
        }
        let head = Head {
            schema: SCHEMA.into(),
            version: VERSION,
            gosched: this_gosched(),
            args,
            sources,
            seed: spec.seed,
            passes: spec.passes,
            max_stall: spec.max_stall,
            races: spec.races == Races::Told,
            shared: spec.shared.iter().map(|pc| places.name(*pc)).collect(),
            finding: finding.failure.text(),
            message: finding.message().into(),
        };
        let mut recording = Recording {
            head,
            steps: steps_of(decisions),
            altered: None,
        };
        recording.seal();
        recording
    }

    /// Gives each step its hash.
    fn seal(&mut self) {
        let mut before = String::new();
        for step in &mut self.steps {
            step.h = step.hash(&before);
            before.clone_from(&step.h);
        }
    }

    /// Four letters that tell it from others.
    pub(super) fn short(&self) -> String {
        let last = self.steps.last().map(|s| s.h.clone());
        last.unwrap_or_default().chars().take(4).collect()
    }

    /// Writes it as a file.
    pub(super) fn write(&self, path: &Path) -> io::Result<()> {
        let mut file = BufWriter::new(File::create(path)?);
        write!(file, "{self}")?;
        file.flush()
    }

    /// Reads a file. One that has been edited is taken as it is if that `is_edited` on purpose.
    pub(crate) fn read(path: &Path, is_edited: bool) -> Result<Recording, Wrong> {
        let told = |what: &dyn fmt::Display| Wrong(format!("{}: {what}", path.display()));
        let text = fs::read_to_string(path)
            .map_err(|e| Wrong(crate::loader::message("open", path, &e)))?;
        let mut lines = text.lines();
        let head: Head = serde_json::from_str(lines.next().unwrap_or_default())
            .ok()
            .filter(|head: &Head| head.schema == SCHEMA)
            .ok_or_else(|| told(&"not a recording of gosched"))?;
        if head.version != VERSION {
            return Err(told(&format_args!(
                "a recording of version {}; this gosched reads version {VERSION}",
                head.version
            )));
        }
        let mut steps = Vec::new();
        for (i, line) in lines.enumerate() {
            let step: Step = serde_json::from_str(line)
                .map_err(|e| told(&format_args!("line {}: {e}", i + 2)))?;
            steps.push(step);
        }
        let mut recording = Recording {
            head,
            steps,
            altered: None,
        };
        match is_edited {
            true => {
                for (n, step) in recording.steps.iter_mut().enumerate() {
                    step.n = n as u64;
                }
            }
            false => recording.altered = recording.first_altered(),
        }
        Ok(recording)
    }

    /// The first step that is not as it was written.
    fn first_altered(&self) -> Option<u64> {
        let mut before = "";
        for (n, step) in self.steps.iter().enumerate() {
            if step.n != n as u64 || step.h != step.hash(before) {
                return Some(n as u64);
            }
            before = &step.h;
        }
        let has_end = self.steps.last().is_some_and(|s| s.k == "end");
        (!has_end).then_some(self.steps.len() as u64)
    }

    /// The decisions up to the first that is not as it was written. The program has been loaded.
    pub(super) fn decisions(&self) -> Vec<Decision> {
        let at = Places::new().by_name();
        let n = self.altered.map_or(self.steps.len(), |n| n as usize);
        let of = |step: &Step| step.decision(&at);
        self.steps[..n.min(self.steps.len())]
            .iter()
            .map_while(of)
            .collect()
    }

    /// Accesses to memory that are points. The program has been loaded.
    pub(super) fn shared(&self) -> Vec<u64> {
        let at = Places::new().by_name();
        self.head
            .shared
            .iter()
            .filter_map(|name| at(name))
            .collect()
    }

    /// The files that are not as they were.
    pub(super) fn changed(&self, now: &[Source]) -> Vec<PathBuf> {
        changed(&self.head.sources, now)
    }
}

/// The files that are not as they were.
pub(super) fn changed(was: &[Source], now: &[Source]) -> Vec<PathBuf> {
    let gone = was.iter().filter(|s| !now.contains(s));
    let new = now.iter().filter(|s| !was.contains(s));
    let mut changed: Vec<PathBuf> = gone.chain(new).map(|s| s.file.clone()).collect();
    changed.sort();
    changed.dedup();
    changed
}
