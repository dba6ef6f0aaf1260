//! `gosched top`: a live screen of a program that runs: its Ps, their queues, who waits longest.
//!
//! The program is run by a child, which tells through a pipe what there is to see, a line of JSON
//! four times a second. We own the terminal: each picture is one write onto the alternate screen,
//! and whatever ends the program, or us, that is left. The modes of the terminal are never changed,
//! so Ctrl-C reaches the program as ever. What it prints meanwhile goes to a file without a name,
//! of which the last lines are shown, and behind the end all of it.

mod picture;

use crate::driver::print_error;
use picture::Snapshot;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::{Pid, Signal, kill_process};
use rustix::termios;
use signal_hook::consts::{SIGCHLD, SIGHUP, SIGINT, SIGTERM, SIGTSTP, SIGWINCH};
use signal_hook::low_level;
use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io::{self, IsTerminal, Read, Seek, SeekFrom, Write};
use std::os::fd::AsRawFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Stdio};

/// The other screen, without a cursor and without what was on it; and back.
const ENTER: &[u8] = b"\x1b[?1049h\x1b[?25l\x1b[H\x1b[2J";
const LEAVE: &[u8] = b"\x1b[?25h\x1b[?1049l";

/// Bytes of the program's output that are looked at for its last lines.
const TAIL: u64 = 4096;
/// A terminal that does not tell its size.
const USUAL_SIZE: (usize, usize) = (80, 24);

/// Runs `gosched run` with these words, and shows what it does; the exit status.
pub(crate) fn run(title: &str, words: Vec<OsString>) -> i32 {
    if !io::stdout().is_terminal() {
        print_error(
            "gosched: top shows a live screen, and standard output is no terminal\n\
             Type gosched run --sched-trace=FILE, and gosched trace for what is in it.\n",
        );
        return 2;
    }
    match Top::start(title, words).and_then(Top::watch) {
        Ok(status) => match (status.code(), status.signal()) {
            (Some(code), _) => code,
            (None, Some(sig)) => {
                let _ = low_level::emulate_default_handler(sig);
                128 + sig
            }
            (None, None) => 2,
        },
        Err(e) => {
            print_error(format_args!(
                "gosched: top: {}\n",
                crate::loader::os_text(&e)
            ));
            2
        }
    }
}

/// The alternate screen, as long as this lives.
struct Screen;

impl Screen {
    fn enter() -> io::Result<Screen> {
        // A panic of ours ends the process without unwinding.
        let hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            write_all(LEAVE);
            hook(info);
        }));
        write_all(ENTER);
        Ok(Screen)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        write_all(LEAVE);
    }
}

/// Writes to the terminal, at once. If it is gone there is nobody to tell.
fn write_all(bytes: &[u8]) {
    let mut out = io::stdout().lock();
    let _ = out.write_all(bytes).and_then(|()| out.flush());
}

struct Top {
    title: String,
    child: Child,
    /// What the child tells, as far as it is no whole line yet.
    pipe: File,
    told: Vec<u8>,
    /// What the program prints.
    output: File,
    /// A byte comes with each of these signals.
    signals: Vec<(i32, UnixStream)>,
    /// How often we were asked to end.
    asked: u32,
    last: Option<Snapshot>,
}

/// A file that goes when it is closed.
fn nameless() -> io::Result<File> {
    let name = format!("gosched-top-{}", std::process::id());
    let path = std::env::temp_dir().join(name);
    let mut how = OpenOptions::new();
    let file = how.read(true).append(true).create_new(true).open(&path)?;
    std::fs::remove_file(&path)?;
    Ok(file)
}

impl Top {
    fn start(title: &str, words: Vec<OsString>) -> io::Result<Top> {
        let hear = |sig| {
            let (here, there) = UnixStream::pair()?;
            here.set_nonblocking(true)?;
            low_level::pipe::register(sig, there)?;
            io::Result::Ok((sig, here))
        };
        let all = [SIGCHLD, SIGINT, SIGTERM, SIGHUP, SIGWINCH, SIGTSTP];
        let signals = all.into_iter().map(hear).collect::<io::Result<_>>()?;
        let (reader, writer) = rustix::pipe::pipe()?;
        rustix::io::fcntl_setfd(&reader, rustix::io::FdFlags::CLOEXEC)?;
        let output = nameless()?;
        let mut command = Command::new("/proc/self/exe");
        command
            .arg0("gosched")
            .arg("run")
            .arg(format!("--top={}", writer.as_raw_fd()))
            .args(words)
            .stdout(Stdio::from(output.try_clone()?));
        // Whoever sends errors elsewhere gets them there.
        if io::stderr().is_terminal() {
            command.stderr(Stdio::from(output.try_clone()?));
        }
        let child = command.spawn()?;
        drop(writer);
        Ok(Top {
            title: title.into(),
            child,
            pipe: reader.into(),
            told: Vec::new(),
            output,
            signals,
            asked: 0,
            last: None,
        })
    }

    /// Shows what the program does until it ends; how it has.
    fn watch(mut self) -> io::Result<ExitStatus> {
        let screen = Screen::enter()?;
        let watched = self.until_end();
        drop(screen);
        if watched.is_err() {
            let _ = self.child.kill();
        }
        let status = self.child.wait();
        self.output.seek(SeekFrom::Start(0))?;
        let mut out = io::stdout().lock();
        io::copy(&mut self.output, &mut out)?;
        out.flush()?;
        watched?;
        status
    }

    fn until_end(&mut self) -> io::Result<()> {
        let mut is_open = true;
        loop {
            let mut fds: Vec<PollFd<'_>> = self
                .signals
                .iter()
                .map(|s| PollFd::new(&s.1, PollFlags::IN))
                .collect();
            if is_open {
                fds.push(PollFd::new(&self.pipe, PollFlags::IN));
            }
            match poll(&mut fds, None) {
                Ok(_) | Err(rustix::io::Errno::INTR) => {}
                Err(e) => return Err(e.into()),
            }
            let is_told = is_open && fds.last().is_some_and(|fd| !fd.revents().is_empty());
            if is_told {
                is_open = self.hear()?;
            }
            for sig in self.heard() {
                match sig {
                    SIGWINCH => self.show()?,
                    SIGTSTP => {
                        write_all(LEAVE);
                        // Comes back when we are continued.
                        low_level::emulate_default_handler(SIGTSTP)?;
                        write_all(ENTER);
                        self.show()?;
                    }
                    SIGCHLD => {}
                    _ => self.asked_to_end(sig),
                }
            }
            if self.child.try_wait()?.is_some() {
                return Ok(());
            }
        }
    }

    /// The signals that have come.
    fn heard(&self) -> Vec<i32> {
        let has_come = |pipe: &UnixStream| {
            let (mut block, mut pipe, mut any) = ([0; 64], pipe, false);
            while let Ok(1..) = pipe.read(&mut block) {
                any = true;
            }
            any
        };
        let come = self.signals.iter().filter(|(_, pipe)| has_come(pipe));
        come.map(|(sig, _)| *sig).collect()
    }

    /// The program is to end: it has heard of Ctrl-C itself, and is not asked for ever.
    fn asked_to_end(&mut self, sig: i32) {
        self.asked += 1;
        let signal = match (sig, self.asked) {
            (_, 3..) => Some(Signal::KILL),
            (SIGINT, _) => None,
            (sig, _) => Signal::from_named_raw(sig),
        };
        if let Some(signal) = signal {
            let _ = kill_process(Pid::from_child(&self.child), signal);
        }
    }

    /// Takes what the child tells, and shows the last of it; whether there can be more.
    fn hear(&mut self) -> io::Result<bool> {
        let mut block = [0; 1 << 16];
        let n = self.pipe.read(&mut block)?;
        self.told.extend_from_slice(&block[..n]);
        if let Some(end) = self.told.iter().rposition(|b| *b == b'\n') {
            let lines: Vec<u8> = self.told.drain(..=end).collect();
            let last = lines[..end].rsplit(|b| *b == b'\n').next();
            // The child writes whole lines, and in our form.
            self.last = last.and_then(|line| serde_json::from_slice(line).ok());
            self.show()?;
        }
        Ok(n > 0)
    }

    fn show(&mut self) -> io::Result<()> {
        let Some(snapshot) = &self.last else {
            return Ok(());
        };
        let (width, height) = match termios::tcgetwinsize(io::stdout()) {
            Ok(size) if size.ws_col > 0 && size.ws_row > 0 => {
                (usize::from(size.ws_col), usize::from(size.ws_row))
            }
            _ => USUAL_SIZE,
        };
        let printed = last_bytes(&mut self.output)?;
        let lines = picture::lines(&self.title, snapshot, &printed, height);
        write_all(picture::frame(&lines, width, height).as_bytes());
        Ok(())
    }
}

/// The end of what the program has printed.
fn last_bytes(output: &mut File) -> io::Result<String> {
    let end = output.seek(SeekFrom::End(0))?;
    output.seek(SeekFrom::Start(end.saturating_sub(TAIL)))?;
    let mut bytes = Vec::new();
    output.take(TAIL).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
