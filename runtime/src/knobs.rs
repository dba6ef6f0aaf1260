//! What the environment sets: GOMAXPROCS, GODEBUG, GOTRACEBACK.
//!
//! GODEBUG is a comma-separated list of name=value; unknown names are ignored, the last wins.
//!
//! Go: runtime/runtime1.go, parsedebugvars, setTraceback.

use crate::sync::plain::{AtomicBool, AtomicI32, AtomicU32, AtomicU64, Ordering};
use crate::{control, cpus};
use std::borrow::Cow;
use std::sync::{Mutex, MutexGuard, PoisonError};

macro_rules! knobs {
    ($($(#[$doc:meta])* $id:ident = $name:literal;)*) => {
        /// A number set by GODEBUG; 0 unless set.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(crate) enum Knob { $($(#[$doc])* $id),* }
        const NAMES: &[&str] = &[$($name),*];
    };
}

knobs! {
    /// Print a scheduler line every so many milliseconds.
    SchedTrace = "schedtrace";
    /// Make it many lines.
    SchedDetail = "scheddetail";
    /// No signals, no loop safepoints.
    AsyncPreemptOff = "asyncpreemptoff";
    /// One line per collection.
    GcTrace = "gctrace";
    /// Say at the end which goroutines wait for ever.
    LeakCheck = "leakcheck";
    /// Collect at every Nth safepoint.
    GcStress = "gcstress";
    /// Stop the world for the whole of each collection.
    GcStopTheWorld = "gcstoptheworld";
    /// Look after each mark beside the program whether all is marked that can be reached.
    GcCheckMark = "gccheckmark";
    /// Never shrink stacks.
    GcShrinkStackOff = "gcshrinkstackoff";
    /// Do not freeze the world on fatal errors.
    DontFreezeTheWorld = "dontfreezetheworld";
    /// Randomise the order of queues (not of Go's environment but of its race builds).
    RandomizeScheduler = "randomizescheduler";
    /// −1: GOMAXPROCS does not follow the machine.
    UpdateMaxProcs = "updatemaxprocs";
    /// −1: the limit of a control group does not count for GOMAXPROCS.
    ContainerMaxProcs = "containermaxprocs";
    /// −1: bad pointers are passed over.
    InvalidPtr = "invalidptr";
    /// Tracebacks tell of so many goroutines that each comes from.
    TracebackAncestors = "tracebackancestors";
    /// `panic(nil)` panics with nil.
    PanicNil = "panicnil";
    /// −1: tracebacks do not show labels.
    TracebackLabels = "tracebacklabels";
    /// Guard pages of native stacks are made as on kernels before 6.13, each a mapping of its own.
    /// More than 1: at most so many stacks.
    OldGuards = "oldguards";
    /// One line per function that is compiled to native code.
    NativeTrace = "nativetrace";
    /// List native code in `/tmp/perf-PID.map`, for `perf`.
    PerfMap = "perfmap";
    /// Print the steps of starting.
    BootTrace = "boottrace";
}

const N: usize = NAMES.len();
/// Written before the runtime starts, or by tests.
static VALUES: [AtomicI32; N] = [const { AtomicI32::new(0) }; N];

/// The knob's value.
#[inline]
pub(crate) fn get(k: Knob) -> i32 {
    VALUES[k as usize].load(Ordering::Relaxed)
}

/// Is a line to be written for each function that is compiled to native code?
pub fn traces_native() -> bool {
    get(Knob::NativeTrace) != 0
}

/// Is native code to be listed for `perf`?
pub fn maps_native() -> bool {
    get(Knob::PerfMap) != 0
}

/// Calls of `panic(nil)` that have panicked with nil.
static NIL_PANICS: AtomicU64 = AtomicU64::new(0);

/// Whether the `panic(nil)` that asks panics with nil; if it does, it is counted.
pub fn panics_with_nil() -> bool {
    let does = get(Knob::PanicNil) > 0;
    if does {
        NIL_PANICS.fetch_add(1, Ordering::Relaxed);
    }
    does
}

/// Calls of `panic(nil)` that have panicked with nil: what runtime/metrics counts.
pub fn nil_panics() -> u64 {
    NIL_PANICS.load(Ordering::Relaxed)
}

/// What GODEBUG is as far as the environment does not say.
static DEFAULTS: Mutex<String> = Mutex::new(String::new());

/// Says what GODEBUG is as far as the environment does not say, before the runtime starts.
pub fn set_default_godebug(list: String) {
    *defaults() = list;
}

/// What has been said so.
pub fn default_godebug() -> String {
    defaults().clone()
}

fn defaults() -> MutexGuard<'static, String> {
    DEFAULTS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What GODEBUG says of a setting, the environment's being `list`.
pub fn godebug<'l>(list: &'l str, name: &str) -> Option<Cow<'l, str>> {
    let last = |list: &'l str| {
        let mut items = list.rsplit(',');
        items.find_map(|item| item.strip_prefix(name)?.strip_prefix('='))
    };
    if let Some(value) = last(list) {
        return Some(Cow::Borrowed(value));
    }
    let defaults = defaults();
    let mut items = defaults.rsplit(',');
    let value = items.find_map(|item| item.strip_prefix(name)?.strip_prefix('='));
    value.map(|value| Cow::Owned(value.to_string()))
}

/// The environment's GODEBUG has become `list`: the settings change that may while a program runs.
pub fn follow_godebug(list: &str) {
    for name in ["panicnil", "tracebacklabels"] {
        match godebug(list, name) {
            Some(value) => parse_godebug(&format!("{name}={value}")),
            None => parse_godebug(&format!("{name}=0")),
        }
    }
}

/// Sets a knob.
#[cfg(test)]
pub(crate) fn set(k: Knob, value: i32) {
    VALUES[k as usize].store(value, Ordering::Relaxed);
}

/// Reads a GODEBUG list.
fn parse_godebug(list: &str) {
    if fault!(IgnoreGodebug) {
        return;
    }
    for item in list.split(',') {
        if let Some((name, value)) = item.split_once('=')
            && let Some(i) = NAMES.iter().position(|n| *n == name)
            && let Ok(v) = value.trim().parse::<i32>()
        {
            let is_on_by_itself = matches!(
                name,
                "updatemaxprocs" | "containermaxprocs" | "invalidptr" | "tracebacklabels"
            );
            let v = if is_on_by_itself && v == 0 { -1 } else { v };
            VALUES[i].store(v, Ordering::Relaxed);
        }
    }
}

const TB_CRASH: u32 = 1;
const TB_ALL: u32 = 2;
const TB_SHIFT: u32 = 2;
/// Level and flags of GOTRACEBACK. Written at start and by `set_traceback`.
static TRACEBACK: AtomicU32 = AtomicU32::new(1 << TB_SHIFT);
/// What the environment asked for: the least that may be set later.
static TRACEBACK_ENV: AtomicU32 = AtomicU32::new(0);

/// What GOTRACEBACK asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Traceback {
    /// 0 none, 1 the program's frames, 2 the runtime's too.
    pub(crate) level: i32,
    /// All goroutines.
    pub(crate) all: bool,
    /// Die by SIGABRT afterwards.
    pub(crate) crash: bool,
}

/// What GOTRACEBACK asks for now.
pub(crate) fn traceback() -> Traceback {
    let t = TRACEBACK.load(Ordering::Relaxed);
    Traceback {
        level: (t >> TB_SHIFT) as i32,
        all: t & TB_ALL != 0,
        crash: t & TB_CRASH != 0,
    }
}

/// Sets what dying prints; the environment's demand cannot be undercut. Go: debug.SetTraceback.
pub fn set_traceback(s: &str) {
    let t = match s {
        "none" => 0,
        "single" | "" => 1 << TB_SHIFT,
        "all" => 1 << TB_SHIFT | TB_ALL,
        "system" => 2 << TB_SHIFT | TB_ALL,
        "crash" => 2 << TB_SHIFT | TB_ALL | TB_CRASH,
        _ => match s.parse::<u32>() {
            Ok(n) if n <= 1 << 20 => n << TB_SHIFT | TB_ALL,
            _ => TB_ALL,
        },
    };
    TRACEBACK.store(t | TRACEBACK_ENV.load(Ordering::Relaxed), Ordering::Relaxed);
}

/// Reads the environment.
pub(crate) fn read_environment() {
    parse_godebug(&defaults());
    if let Ok(s) = std::env::var("GODEBUG") {
        parse_godebug(&s);
    }
    set_traceback(&std::env::var("GOTRACEBACK").unwrap_or_default());
    TRACEBACK_ENV.store(TRACEBACK.load(Ordering::Relaxed), Ordering::Relaxed);
}

/// GOMAXPROCS from the environment, else what the machine offers.
pub(crate) fn initial_procs() -> i32 {
    if control::has_one_p() {
        set_custom_procs(true);
        return 1;
    }
    let set = procs_from_environment();
    set_custom_procs(set.is_some());
    set.unwrap_or_else(cpus::usable)
}

/// GOMAXPROCS from the environment, if it is a positive number.
pub fn procs_from_environment() -> Option<i32> {
    let s = std::env::var("GOMAXPROCS").ok()?;
    s.parse::<i32>().ok().filter(|&n| n > 0)
}

/// Whether the program or its environment has set GOMAXPROCS. Written by `set_custom_procs`.
static CUSTOM_PROCS: AtomicBool = AtomicBool::new(false);

/// Says whether GOMAXPROCS is set by hand, and so does not follow the machine.
pub fn set_custom_procs(custom: bool) {
    CUSTOM_PROCS.store(custom, Ordering::Relaxed);
}

/// Whether GOMAXPROCS is set by hand.
pub(crate) fn has_custom_procs() -> bool {
    CUSTOM_PROCS.load(Ordering::Relaxed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn t66_the_unknown_is_ignored_and_the_last_wins() {
        crate::faults::read_environment();
        parse_godebug("nonsense=1,inittrace,gcstress=3,scheddetail=x,gcstress=5,x=y");
        assert_eq!((get(Knob::GcStress), get(Knob::SchedDetail)), (5, 0));
        set(Knob::GcStress, 0);
    }

    #[test]
    fn traceback_levels() {
        set_traceback("system");
        assert_eq!(
            traceback(),
            Traceback {
                level: 2,
                all: true,
                crash: false
            }
        );
        set_traceback("single");
        assert_eq!(
            traceback(),
            Traceback {
                level: 1,
                all: false,
                crash: false
            }
        );
    }
}
