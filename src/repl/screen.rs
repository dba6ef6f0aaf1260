//! The terminal as the program sees it: descriptors 1 and 2 are a pseudo-terminal, which a thread
//! empties onto the real one.
//!
//! What goroutines, children and the runtime print while a line is being edited is held back until
//! that line has been entered, lest it tear it; what they print otherwise goes straight through.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{Mode, OFlags};
use rustix::pty::OpenptFlags;
use rustix::termios::{self, OptionalActions, OutputModes, Termios};
use std::fs::File;
use std::io::{self, Read, Write};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

/// How long the end of the process waits for what is still to be shown.
const LAST_WAIT: Duration = Duration::from_millis(200);
/// How often the end of the process tries to have the screen for itself.
const TRIES: u32 = 50;
/// How long a prompt waits for the end of a line that has begun.
const LINE_WAIT: Duration = Duration::from_millis(50);
/// How many bytes are held back; then who prints must wait.
const HELD_MAX: usize = 1 << 20;
/// How long the screen's thread leaves alone what it cannot take.
const PATIENCE: Duration = Duration::from_millis(10);
/// How long who waits for a mark looks at it at a time.
const STEP: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 10_000_000,
};
/// Goes through the pseudo-terminal behind what has been printed, and is not shown.
const MARK: &[u8] = b"\0gosched: so far\0";

/// What the thread and the front thread share.
pub(super) struct Screen {
    master: File,
    slave: File,
    tty: File,
    /// The real terminal's modes outside of editing.
    modes: Termios,
    state: Mutex<State>,
}

struct State {
    is_editing: bool,
    /// Marks so far, and what may be the beginning of one.
    marks: u64,
    read: Vec<u8>,
    /// What has been printed while a line is edited.
    held: Vec<u8>,
    /// The cursor stands at the beginning of a line.
    is_at_start: bool,
}

/// The screen that the process's end empties.
static SCREEN: OnceLock<Arc<Screen>> = OnceLock::new();

impl Screen {
    /// Puts the pseudo-terminal between the program and the terminal.
    pub(super) fn begin() -> io::Result<Arc<Screen>> {
        let tty = File::options().read(true).write(true).open("/dev/tty")?;
        let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC;
        let master = rustix::pty::openpt(flags)?;
        rustix::pty::grantpt(&master)?;
        rustix::pty::unlockpt(&master)?;
        let name = rustix::pty::ptsname(&master, Vec::new())?;
        let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC;
        let slave = rustix::fs::open(name, flags, Mode::empty())?;
        let mut plain = termios::tcgetattr(&slave)?;
        // Line ends are the real terminal's business.
        plain.output_modes.remove(OutputModes::OPOST);
        termios::tcsetattr(&slave, OptionalActions::Now, &plain)?;
        termios::tcsetwinsize(&slave, termios::tcgetwinsize(&tty)?)?;
        rustix::stdio::dup2_stdout(&slave)?;
        rustix::stdio::dup2_stderr(&slave)?;
        let screen = Arc::new(Screen {
            master: master.into(),
            slave: slave.into(),
            modes: termios::tcgetattr(&tty)?,
            tty,
            state: Mutex::new(State {
                is_editing: false,
                marks: 0,
                read: Vec::new(),
                held: Vec::new(),
                is_at_start: true,
            }),
        });
        let own = screen.clone();
        let thread = thread::Builder::new().name("screen".into());
        thread.spawn(move || own.run())?;
        let _ = SCREEN.set(screen.clone());
        vm::prompt::on_exit(end);
        Ok(screen)
    }

    /// A line is about to be edited: shows what is still to be shown.
    pub(super) fn begin_editing(&self) {
        self.empty(Duration::MAX);
        // The rest of a line that some goroutine is about to write.
        let begin = Instant::now();
        while !self.lock().is_at_start && begin.elapsed() < LINE_WAIT {
            if !self.take() {
                thread::sleep(Duration::from_millis(1));
            }
        }
        let mut state = self.lock();
        if !state.is_at_start {
            state.show(&self.tty, b"\n");
        }
        state.is_editing = true;
    }

    /// The line has been edited.
    pub(super) fn end_editing(&self) {
        // The window may have changed its size meanwhile.
        if let Ok(size) = termios::tcgetwinsize(&self.tty) {
            let _ = termios::tcsetwinsize(io::stdout(), size);
        }
        let mut state = self.lock();
        state.is_editing = false;
        state.is_at_start = true;
        let held = std::mem::take(&mut state.held);
        state.show(&self.tty, &held);
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|e| e.into_inner())
    }

    fn run(&self) {
        loop {
            let mut fds = [PollFd::new(&self.master, PollFlags::IN)];
            if poll(&mut fds, None).is_ok() && !self.take() {
                thread::sleep(PATIENCE);
            }
        }
    }

    /// Shows what there is, or holds it back; false: nothing, or it must wait.
    fn take(&self) -> bool {
        let mut state = self.lock();
        let is_full = state.held.len() >= HELD_MAX;
        if is_full || rustix::io::ioctl_fionread(&self.master).unwrap_or(0) == 0 {
            return false;
        }
        let mut chunk = [0; 4096];
        if let Ok(n) = (&self.master).read(&mut chunk) {
            state.put(&self.tty, &chunk[..n]);
        }
        true
    }

    /// Shows all that has been printed so far, within `time`: waits for a mark behind it.
    fn empty(&self, time: Duration) {
        let begin = Instant::now();
        let mark = self.lock().marks + 1;
        if (&self.slave).write_all(MARK).is_err() {
            return;
        }
        while self.lock().marks < mark && begin.elapsed() < time {
            let mut fds = [PollFd::new(&self.master, PollFlags::IN)];
            let _ = poll(&mut fds, Some(&STEP));
            self.take();
        }
    }
}

impl State {
    fn put(&mut self, tty: &File, text: &[u8]) {
        self.read.extend(text);
        let mut text = std::mem::take(&mut self.read);
        while let Some(at) = text.windows(MARK.len()).position(|w| w == MARK) {
            text.drain(at..at + MARK.len());
            self.marks += 1;
        }
        // What may be the beginning of a mark waits for the rest.
        let begun = (1..MARK.len()).rev().find(|&n| text.ends_with(&MARK[..n]));
        self.read = text.split_off(text.len() - begun.unwrap_or(0));
        if !self.is_editing {
            return self.show(tty, &text);
        }
        self.held.extend(text);
    }

    /// Writes to the terminal. That this failed could be told nowhere.
    fn show(&mut self, mut tty: &File, text: &[u8]) {
        if let Some(last) = text.last() {
            let _ = tty.write_all(text);
            self.is_at_start = *last == b'\n';
        }
    }
}

/// The process ends: what has been printed is shown, and the terminal is as it was.
///
/// A signal may have stopped this very thread while it held the lock: then nothing is done.
fn end() {
    let Some(screen) = SCREEN.get() else { return };
    let mut free = (0..TRIES).filter_map(|_| match screen.state.try_lock() {
        Ok(state) => Some(state),
        Err(_) => {
            thread::sleep(Duration::from_millis(1));
            None
        }
    });
    let Some(mut state) = free.next() else { return };
    if std::mem::take(&mut state.is_editing) {
        let _ = termios::tcsetattr(&screen.tty, OptionalActions::Now, &screen.modes);
        let held = std::mem::take(&mut state.held);
        state.show(&screen.tty, b"\n");
        state.show(&screen.tty, &held);
    }
    drop(state);
    screen.empty(LAST_WAIT);
}
