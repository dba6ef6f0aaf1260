//! `--watch`: runs the program again whenever one of its files changes.
//!
//! The command is run by a child, which says through a pipe what files and folders it has read.
//! The watcher sees them by inotify: folders, since editors save by renaming a new file over the
//! old one.

use crate::driver::print_error;
use crate::loader::{self, Seen};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::inotify::{self, CreateFlags, ReadFlags, WatchFlags};
use rustix::process::{Pid, Signal, kill_process};
use signal_hook::consts::{SIGCHLD, SIGHUP, SIGINT, SIGTERM};
use signal_hook::low_level;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read, Write};
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::net::UnixStream;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus};
use std::time::{Duration, Instant};

/// A save may come in several steps: so long after the last one the program is run again.
const SETTLED: Duration = Duration::from_millis(15);
/// As [`SETTLED`], after a file has gone away: it may come back.
const GONE: Duration = Duration::from_millis(100);
/// How long a program that is to be run again has to end when it is asked to.
const GRACE: Duration = Duration::from_millis(100);
/// How long a program has to end when the watcher was told to end.
const LAST_GRACE: Duration = Duration::from_secs(2);

/// Runs the command line `args` by a child, without its `--watch`, and again at each change. Ends
/// as the signal says that ends it, or returns the exit status if it cannot begin.
pub(crate) fn run(args: &[OsString]) -> i32 {
    match Watcher::new(args).and_then(|mut watcher| watcher.watch()) {
        Ok(sig) => {
            let _ = low_level::emulate_default_handler(sig);
            128 + sig
        }
        Err(e) => {
            print_error(format_args!(
                "gosched: --watch: {}\n",
                crate::loader::os_text(&e)
            ));
            2
        }
    }
}

/// In a child: the pipe `fd` to whoever has started it, without whom it ends; none if it is none.
pub(crate) fn inherited(fd: i32) -> Option<File> {
    // A watcher that is killed takes the program along.
    let _ = rustix::process::set_parent_process_death_signal(Some(Signal::KILL));
    // SAFETY: if it is open at all, the watcher has opened it for us, and nothing else knows of it.
    #[expect(unsafe_code)]
    let is_open = |fd| unsafe { rustix::io::fcntl_getfd(BorrowedFd::borrow_raw(fd)) }.is_ok();
    if fd <= 2 || !is_open(fd) {
        return None;
    }
    // SAFETY: as above.
    #[expect(unsafe_code)]
    let pipe = unsafe { File::from_raw_fd(fd) };
    // What the program starts has nothing to do with it.
    let _ = rustix::io::fcntl_setfd(&pipe, rustix::io::FdFlags::CLOEXEC);
    Some(pipe)
}

/// In a child: tells its watcher, which reads the pipe `fd`, what has been read.
pub(crate) fn tell(fd: i32, seen: &[Seen]) {
    let Some(mut pipe) = inherited(fd) else {
        return;
    };
    let mut text = Vec::new();
    for seen in seen {
        let (kind, path) = match seen {
            Seen::File(path, stamp) => (format!("f{stamp:016x}"), path),
            Seen::Folder(path) => ("d".into(), path),
        };
        let whole = std::path::absolute(path).unwrap_or_else(|_| path.clone());
        text.extend(kind.bytes());
        text.extend(whole.as_os_str().as_bytes());
        text.push(0);
    }
    // Without a watcher nobody wants to know.
    let _ = pipe.write_all(&text);
}

/// What is watched.
#[derive(Default)]
struct Watched {
    files: BTreeSet<PathBuf>,
    /// What they were when the child read them: see [`loader::stamp`].
    stamps: Vec<(PathBuf, Vec<u8>)>,
    /// Folders in which each Go file counts.
    packages: BTreeSet<PathBuf>,
}

impl Watched {
    /// Reads what a child has told.
    fn read(told: &[u8]) -> Watched {
        let mut watched = Watched::default();
        for item in told.split(|&b| b == 0) {
            let Some((kind, path)) = item.split_first() else {
                continue;
            };
            let (stamp, path) = match kind {
                b'd' => (None, path),
                _ => path
                    .split_at_checked(16)
                    .map_or((None, path), |(s, path)| (Some(s), path)),
            };
            let path = PathBuf::from(OsString::from_vec(path.to_vec()));
            let set = match stamp {
                None => &mut watched.packages,
                Some(stamp) => {
                    watched.stamps.push((path.clone(), stamp.to_vec()));
                    &mut watched.files
                }
            };
            // What a link leads to changes elsewhere.
            set.extend(path.canonicalize().ok());
            set.insert(path);
        }
        watched
    }

    fn folders(&self) -> BTreeSet<PathBuf> {
        let parents = self.files.iter().filter_map(|f| f.parent());
        parents
            .map(Path::to_path_buf)
            .chain(self.packages.iter().cloned())
            .collect()
    }

    fn counts(&self, folder: &Path, name: &OsStr) -> bool {
        let path = folder.join(name);
        let is_go = path.extension().is_some_and(|e| e == "go");
        let is_hidden = name.as_bytes().starts_with(b".") || name.as_bytes().starts_with(b"_");
        self.files.contains(&path) || is_go && !is_hidden && self.packages.contains(folder)
    }

    /// A file that is not what the child has read.
    fn changed(&self) -> Option<PathBuf> {
        let differs = |(path, stamp): &&(PathBuf, Vec<u8>)| {
            format!("{:016x}", loader::stamp(path)).as_bytes() != stamp
        };
        self.stamps
            .iter()
            .find(differs)
            .map(|(path, _)| path.clone())
    }
}

/// A running child.
struct Run {
    child: Child,
    /// What it says it has read.
    pipe: Option<File>,
    told: Vec<u8>,
}

struct Watcher {
    program: OsString,
    args: Vec<OsString>,
    inotify: OwnedFd,
    /// The folders that are watched, by inotify's numbers.
    folders: BTreeMap<i32, PathBuf>,
    watched: Watched,
    /// A byte comes when a child has ended.
    ended: UnixStream,
    /// A byte comes when we are told to end by this signal.
    signals: Vec<(i32, UnixStream)>,
    run: Option<Run>,
    /// What has changed first, and when to run again.
    due: Option<(PathBuf, Instant)>,
}

impl Watcher {
    fn new(args: &[OsString]) -> io::Result<Watcher> {
        let (program, rest) = args.split_first().ok_or(io::ErrorKind::InvalidInput)?;
        let mut rest = rest.to_vec();
        if let Some(at) = rest.iter().position(|word| word == "--watch") {
            rest.remove(at);
        }
        let hear = |sig| {
            let (here, there) = UnixStream::pair()?;
            here.set_nonblocking(true)?;
            low_level::pipe::register(sig, there)?;
            io::Result::Ok(here)
        };
        let ignored = ignored_signals();
        let mut signals = Vec::new();
        for sig in [SIGINT, SIGTERM, SIGHUP] {
            if ignored >> (sig - 1) & 1 == 0 {
                signals.push((sig, hear(sig)?));
            }
        }
        Ok(Watcher {
            program: program.clone(),
            args: rest,
            inotify: inotify::init(CreateFlags::CLOEXEC | CreateFlags::NONBLOCK)?,
            folders: BTreeMap::new(),
            watched: Watched::default(),
            ended: hear(SIGCHLD)?,
            signals,
            run: None,
            due: None,
        })
    }

    /// Runs the program and watches its files until a signal comes, which it returns.
    fn watch(&mut self) -> io::Result<i32> {
        self.start()?;
        loop {
            self.wait()?;
            let heard = self.signals.iter().find(|(_, pipe)| has_bytes(pipe));
            if let Some(&(sig, _)) = heard {
                self.end_by(sig);
                return Ok(sig);
            }
            self.hear_child()?;
            self.hear_changes()?;
            if let Some((path, at)) = &self.due
                && Instant::now() >= *at
            {
                let path = path.clone();
                self.due = None;
                say(format_args!("{} has changed: running again", short(&path)));
                self.stop();
                self.start()?;
            }
        }
    }

    /// Starts a child.
    fn start(&mut self) -> io::Result<()> {
        // The child inherits one end.
        let (reader, writer) = rustix::pipe::pipe()?;
        rustix::io::fcntl_setfd(&reader, rustix::io::FdFlags::CLOEXEC)?;
        let mut flag = OsString::from("--watched=");
        flag.push(writer.as_raw_fd().to_string());
        let child = Command::new("/proc/self/exe")
            .arg0(&self.program)
            .arg(flag)
            .args(&self.args)
            .spawn()?;
        drop(writer);
        self.run = Some(Run {
            child,
            pipe: Some(reader.into()),
            told: Vec::new(),
        });
        Ok(())
    }

    /// Waits until there is something to do.
    fn wait(&self) -> io::Result<()> {
        let mut fds = vec![
            PollFd::new(&self.inotify, PollFlags::IN),
            PollFd::new(&self.ended, PollFlags::IN),
        ];
        fds.extend(
            self.signals
                .iter()
                .map(|s| PollFd::new(&s.1, PollFlags::IN)),
        );
        let pipe = self.run.as_ref().and_then(|run| run.pipe.as_ref());
        fds.extend(pipe.map(|pipe| PollFd::new(pipe, PollFlags::IN)));
        let time = self.due.as_ref().map(|(_, at)| {
            let rest = at.saturating_duration_since(Instant::now());
            Timespec {
                tv_sec: rest.as_secs() as i64,
                tv_nsec: rest.subsec_nanos().into(),
            }
        });
        match poll(&mut fds, time.as_ref()) {
            Ok(_) | Err(rustix::io::Errno::INTR) => Ok(()),
            Err(e) => Err(e.into()),
        }
    }

    /// Takes what the child says of itself, and whether it has ended.
    fn hear_child(&mut self) -> io::Result<()> {
        let _ = has_bytes(&self.ended);
        let Some(run) = &mut self.run else {
            return Ok(());
        };
        let ended = run.child.try_wait()?;
        if let Some(pipe) = &mut run.pipe {
            let is_there = |pipe: &File| {
                let mut fds = [PollFd::new(pipe, PollFlags::IN)];
                poll(
                    &mut fds,
                    Some(&Timespec {
                        tv_sec: 0,
                        tv_nsec: 0,
                    }),
                )
                .is_ok_and(|n| n > 0)
            };
            let mut block = [0; 4096];
            let mut is_over = false;
            while !is_over && is_there(pipe) {
                let n = pipe.read(&mut block)?;
                run.told.extend(&block[..n]);
                is_over = n == 0;
            }
            if is_over {
                run.pipe = None;
                let told = std::mem::take(&mut run.told);
                self.attend_to(&told);
            }
        }
        if let Some(status) = ended
            && self.run.as_ref().is_some_and(|run| run.pipe.is_none())
        {
            self.run = None;
            say(format_args!(
                "the program has ended{}; waiting for changes",
                how(status)
            ));
        }
        Ok(())
    }

    /// Watches what a child has told.
    fn attend_to(&mut self, told: &[u8]) {
        if told.is_empty() {
            return;
        }
        self.watched = Watched::read(told);
        let wanted = self.watched.folders();
        let flags = WatchFlags::CLOSE_WRITE
            | WatchFlags::MOVED_TO
            | WatchFlags::MOVED_FROM
            | WatchFlags::CREATE
            | WatchFlags::DELETE;
        let mut folders = BTreeMap::new();
        for folder in wanted {
            // A folder that is not there cannot be watched.
            if let Ok(number) = inotify::add_watch(&self.inotify, &folder, flags) {
                folders.insert(number, folder);
            }
        }
        for number in self.folders.keys().filter(|n| !folders.contains_key(n)) {
            let _ = inotify::remove_watch(&self.inotify, *number);
        }
        self.folders = folders;
        if let Some(path) = self.watched.changed() {
            self.due.get_or_insert((path, Instant::now() + SETTLED));
        }
    }

    /// Takes what inotify says.
    fn hear_changes(&mut self) -> io::Result<()> {
        let mut block = [MaybeUninit::uninit(); 4096];
        let mut events = inotify::Reader::new(&self.inotify, &mut block);
        loop {
            let event = match events.next() {
                Ok(event) => event,
                Err(rustix::io::Errno::AGAIN | rustix::io::Errno::INTR) => return Ok(()),
                Err(e) => return Err(e.into()),
            };
            let (Some(folder), Some(name)) = (self.folders.get(&event.wd()), event.file_name())
            else {
                continue;
            };
            let name = OsStr::from_bytes(name.to_bytes());
            if !self.watched.counts(folder, name) {
                continue;
            }
            let path = folder.join(name);
            let flags = event.events();
            // A new file is heard of again when it has been written; a link is not.
            if flags == ReadFlags::CREATE && !path.is_symlink() {
                continue;
            }
            let is_gone = flags.intersects(ReadFlags::DELETE | ReadFlags::MOVED_FROM);
            let at = Instant::now() + if is_gone { GONE } else { SETTLED };
            let first = self.due.take().map_or(path, |(first, _)| first);
            self.due = Some((first, at));
        }
    }

    /// Has the child end: asks it to, and does not ask for long.
    fn stop(&mut self) {
        self.end(Some(Signal::TERM), GRACE);
    }

    /// Has the child end by the signal that ends us, which may have reached it already.
    fn end_by(&mut self, sig: i32) {
        self.end(None, SETTLED);
        self.end(Signal::from_named_raw(sig), LAST_GRACE);
        if let Some(mut run) = self.run.take() {
            let _ = run.child.kill();
            let _ = run.child.wait();
        }
    }

    /// Sends the child a signal, and waits for its end; kills it if it was asked to end.
    fn end(&mut self, signal: Option<Signal>, grace: Duration) {
        let Some(run) = &mut self.run else {
            return;
        };
        let until = Instant::now() + grace;
        if let Some(signal) = signal {
            let _ = kill_process(Pid::from_child(&run.child), signal);
        }
        while !matches!(run.child.try_wait(), Ok(Some(_)) | Err(_)) {
            if Instant::now() >= until {
                if signal.is_none() {
                    return;
                }
                let _ = run.child.kill();
                let _ = run.child.wait();
                break;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        self.run = None;
    }
}

/// Takes all bytes out of a pipe; were there any?
fn has_bytes(mut pipe: &UnixStream) -> bool {
    let mut block = [0; 64];
    let mut any = false;
    while let Ok(1..) = pipe.read(&mut block) {
        any = true;
    }
    any
}

/// The signals that this process ignores, a bit each from the lowest: such as `nohup` has it do.
fn ignored_signals() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|l| l.strip_prefix("SigIgn:"));
    line.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .unwrap_or(0)
}

/// How a program has ended, if not well.
fn how(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(0), _) => String::new(),
        (Some(code), _) => format!(" with status {code}"),
        (None, Some(sig)) => format!(" by signal {sig}"),
        (None, None) => String::new(),
    }
}

/// A path from the working directory, if it is below that.
fn short(path: &Path) -> String {
    let here = std::env::current_dir().ok();
    let below = here.as_ref().and_then(|here| path.strip_prefix(here).ok());
    below.unwrap_or(path).display().to_string()
}

fn say(text: impl std::fmt::Display) {
    print_error(format_args!("gosched: {text}\n"));
}
