//! How many CPUs there are for the program: its affinity, and what its control group allows.
//!
//! The group is looked for once, at the start: a process that is moved to another does not notice.
//! Its limit is read anew each time, from the group itself; those around it, which a container
//! hides, do not count.
//!
//! Go: runtime/cgroup_linux.go, internal/runtime/cgroup; runtime.getCPUCount.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::knobs::{self, Knob};
use crate::sync::plain::{AtomicI32, Ordering};

/// CPUs that the process might use when it began, at least 1. Go: runtime.NumCPU.
pub fn at_start() -> i32 {
    static COUNT: AtomicI32 = AtomicI32::new(0);
    let count = COUNT.load(Ordering::Relaxed);
    if count != 0 {
        return count;
    }
    let count = affinity();
    COUNT.store(count, Ordering::Relaxed);
    count
}

/// The default of GOMAXPROCS: the CPUs of the affinity as it is now, or what the control group
/// allows, rounded up and 2 at least, if that is less.
pub fn usable() -> i32 {
    static GROUP: OnceLock<Option<Group>> = OnceLock::new();
    if fault!(IgnoreMachine) {
        return at_start();
    }
    let count = affinity();
    if knobs::get(Knob::ContainerMaxProcs) < 0 {
        return count;
    }
    let group = GROUP.get_or_init(|| {
        let read = |name| std::fs::read_to_string(name).ok();
        Group::find(&read("/proc/self/cgroup")?, || read("/proc/self/mountinfo"))
    });
    match group.as_ref().and_then(Group::limit) {
        Some(limit) => count.min((limit.ceil() as i32).max(2)),
        None => count,
    }
}

#[allow(unsafe_code)]
fn affinity() -> i32 {
    // SAFETY: the set is plain data, which the call fills.
    let count = unsafe {
        let mut set: libc::cpu_set_t = std::mem::zeroed();
        match libc::sched_getaffinity(0, size_of::<libc::cpu_set_t>(), &raw mut set) {
            0 => libc::CPU_COUNT(&set),
            _ => std::thread::available_parallelism().map_or(1, |n| n.get() as i32),
        }
    };
    count.max(1)
}

/// The files of a control group that tell its share of time.
#[derive(PartialEq, Eq, Debug)]
enum Group {
    /// Version 1: a quota and a period, each in microseconds.
    Two { quota: PathBuf, period: PathBuf },
    /// Version 2: both on a line.
    One(PathBuf),
}

impl Group {
    /// The group of a process by its `/proc/self/cgroup` and `/proc/self/mountinfo`. If the
    /// controller of CPUs is one of version 1, that counts.
    fn find(groups: &str, mounts: impl FnOnce() -> Option<String>) -> Option<Group> {
        // Hierarchy, controllers and path, with colons between them.
        let mut lines = groups.lines().map(|l| {
            let mut fields = l.splitn(3, ':');
            (fields.next(), fields.next(), fields.next())
        });
        let mut unified = None;
        let old = lines.find_map(|line| match line {
            (Some("0"), _, path) => {
                unified = path;
                None
            }
            (_, Some(controllers), path) if controllers.split(',').any(|c| c == "cpu") => path,
            _ => None,
        });
        let (path, kind) = match old {
            Some(path) => (path, "cgroup"),
            None => (unified?, "cgroup2"),
        };
        let folder = mounts()?.lines().find_map(|l| mounted(l, kind, path))?;
        Some(match kind {
            "cgroup" => Group::Two {
                quota: folder.join("cpu.cfs_quota_us"),
                period: folder.join("cpu.cfs_period_us"),
            },
            _ => Group::One(folder.join("cpu.max")),
        })
    }

    /// How many CPUs' time it allows, if that is limited.
    fn limit(&self) -> Option<f64> {
        let text = |path: &Path| std::fs::read_to_string(path).ok();
        let (quota, period) = match self {
            Group::Two { quota, period } => (text(quota)?, text(period)?),
            Group::One(both) => {
                let text = text(both)?;
                let (quota, period) = text.split_once(' ')?;
                (quota.into(), period.into())
            }
        };
        if fault!(IgnoreQuota) {
            return None;
        }
        // Version 1 says that there is none by −1, version 2 by "max".
        let quota: i64 = quota.trim_end().parse().ok().filter(|&q| q >= 0)?;
        let period: i64 = period.trim_end().parse().ok().filter(|&p| p > 0)?;
        Some(quota as f64 / period as f64)
    }
}

/// The folder of the group `path`, if this line of mountinfo is of a file system of that kind, has
/// the controller of CPUs and holds the group.
fn mounted(line: &str, kind: &str, path: &str) -> Option<PathBuf> {
    let (place, system) = line.split_once(" - ")?;
    let mut place = place.split(' ').skip(3);
    let (root, point) = (unescaped(place.next()?), unescaped(place.next()?));
    let mut system = system.split(' ');
    let is_kind = system.next()? == kind;
    let has_cpus = kind == "cgroup2" || system.nth(1)?.split(',').any(|o| o == "cpu");
    let below = Path::new(path).strip_prefix(&root).ok()?;
    (is_kind && has_cpus).then(|| Path::new(&point).join(below))
}

/// A path of mountinfo, in which blanks and backslashes are written as `\040`, in octal.
fn unescaped(path: &str) -> String {
    if fault!(UnescapeNoPaths) {
        return path.into();
    }
    let mut parts = path.split('\\');
    let mut plain = parts.next().unwrap_or_default().to_string();
    for part in parts {
        match part.get(..3).map(|o| u8::from_str_radix(o, 8)) {
            Some(Ok(byte)) => {
                plain.push(byte.into());
                plain.push_str(&part[3..]);
            }
            _ => plain.push_str(part),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOUNTS: &str = "\
24 1 0:22 / /proc rw - proc proc rw
30 24 0:27 / /sys/fs/cgroup rw shared:9 - tmpfs tmpfs rw,mode=755
31 30 0:28 /pods/a /sys/fs/cgroup/cpu\\040time rw shared:10 - cgroup cgroup rw,cpu,cpuacct
32 30 0:29 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory
33 30 0:30 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw
";

    fn find(groups: &str) -> Option<Group> {
        Group::find(groups, || Some(MOUNTS.into()))
    }

    #[test]
    fn t17_a_group_is_where_it_is_mounted() {
        crate::faults::read_environment();
        let one = |path: &str| Some(Group::One(path.into()));
        assert_eq!(find("0::/\n"), one("/sys/fs/cgroup/unified/cpu.max"));
        assert_eq!(find("0::/a/b\n"), one("/sys/fs/cgroup/unified/a/b/cpu.max"));
        let folder = Path::new("/sys/fs/cgroup/cpu time/b");
        let two = Group::Two {
            quota: folder.join("cpu.cfs_quota_us"),
            period: folder.join("cpu.cfs_period_us"),
        };
        assert_eq!(find("0::/x\n4:cpuacct,cpu:/pods/a/b\n"), Some(two));
        for none in ["", "0:", "4:memory:/\n", "4:cpu:/pods/b\n"] {
            assert_eq!(find(none), None, "{none:?}");
        }
    }

    #[test]
    fn t17_a_limit_is_a_quota_of_a_period() {
        crate::faults::read_environment();
        let file = std::env::temp_dir().join(format!("gosched-cpu.max-{}", std::process::id()));
        let group = Group::One(file.clone());
        for (text, limit) in [
            ("max 100000\n", None),
            ("150000 100000\n", Some(1.5)),
            ("50000 100000\n", Some(0.5)),
            ("50000\n", None),
            ("50000 0\n", None),
            ("x 100000\n", None),
        ] {
            std::fs::write(&file, text).unwrap();
            assert_eq!(group.limit(), limit, "{text:?}");
        }
        std::fs::remove_file(&file).unwrap();
        assert_eq!(group.limit(), None);
        let two = |quota: &str, period: &str| {
            let (q, p) = (file.with_extension("q"), file.with_extension("p"));
            std::fs::write(&q, quota).unwrap();
            std::fs::write(&p, period).unwrap();
            let limit = Group::Two {
                quota: q.clone(),
                period: p.clone(),
            }
            .limit();
            std::fs::remove_file(q).unwrap();
            std::fs::remove_file(p).unwrap();
            limit
        };
        assert_eq!(two("-1\n", "100000\n"), None);
        assert_eq!(two("250000\n", "100000\n"), Some(2.5));
    }
}
