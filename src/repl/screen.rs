//! The terminal as the program sees it: descriptors 1 and 2 are a pseudo-terminal, which a thread
//! empties onto the real one.
//!
//! What goroutines, children and the runtime print while a line is being edited appears above that
//! line, which is drawn again behind it ([`Block`]); what they print otherwise goes straight
//! through.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{Mode, OFlags};
use rustix::pty::OpenptFlags;
use rustix::termios::{self, OptionalActions, OutputModes, Termios};
use rustix::thread::Pid;
use std::fs::File;
use std::io::{self, IsTerminal, Read, Write};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};
use std::thread;
use std::time::{Duration, Instant};
use unicode_width::UnicodeWidthChar;

/// How long the end of the process waits for what is still to be shown.
const LAST_WAIT: Duration = Duration::from_millis(200);
/// How often the end of the process tries to have the screen for itself.
const TRIES: u32 = 50;
/// How long a prompt waits for the end of a line that has begun.
const LINE_WAIT: Duration = Duration::from_millis(50);
/// How many bytes wait to be shown above the edited line; then who prints must wait.
const HELD_MAX: usize = 1 << 20;
/// How often what is printed appears above the edited line.
const FRAME: Duration = Duration::from_millis(20);
/// How long the beginning of a line is whose rest is put behind it.
const TAIL_MAX: usize = 4096;
/// Columns between tab stops.
pub(super) const TAB_STOP: u8 = 4;
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
    /// When some of it was shown last.
    shown: Instant,
    /// The line that has been printed last, as far as it goes: empty after its end. While a line
    /// is edited it stands above that one.
    tail: Vec<u8>,
    /// The thread that edits.
    editor: Option<Pid>,
    /// What the editor draws, unless that is about to change.
    block: Option<Block>,
    /// Its prompt.
    prompt: String,
}

/// What the editor has drawn: prompt and text, with the cursor in it.
pub(super) struct Block {
    prompt: String,
    /// The text, what of it is left of the cursor, and how it is drawn.
    text: String,
    before: usize,
    drawn: String,
    /// What stands behind the text.
    hint: String,
    hint_drawn: String,
}

impl Block {
    /// Draws it below `above`, where `columns` are in a row, with the cursor where it was.
    fn draw(&self, out: &mut Vec<u8>, columns: usize) {
        let (cursor, end) = (self.cursor(columns), self.end(columns));
        for part in [&self.prompt, &self.drawn, &self.hint_drawn] {
            out.extend(part.as_bytes());
        }
        let last = if self.hint.is_empty() {
            &self.text
        } else {
            &self.hint
        };
        if end.column == 0 && end.row > 0 && !last.ends_with('\n') {
            // A terminal begins the next row when something is put there.
            out.push(b'\n');
        }
        if end.row > cursor.row {
            out.extend(format!("\x1b[{}A", end.row - cursor.row).bytes());
        }
        out.push(b'\r');
        if cursor.column > 0 {
            out.extend(format!("\x1b[{}C", cursor.column).bytes());
        }
    }

    fn cursor(&self, columns: usize) -> Position {
        let begin = Position::default().behind(&self.prompt, columns);
        begin.behind(&self.text[..self.before], columns)
    }

    fn end(&self, columns: usize) -> Position {
        let rest = &self.text[self.before..];
        let end = self.cursor(columns).behind(rest, columns);
        end.behind(&self.hint, columns)
    }
}

/// A place on the screen, from the beginning of something.
#[derive(Clone, Copy, Default)]
struct Position {
    row: usize,
    column: usize,
}

impl Position {
    /// Where the cursor stands behind a text that begins here. Escape sequences have no width.
    fn behind(mut self, text: &str, columns: usize) -> Position {
        let mut chars = text.chars();
        while let Some(c) = chars.next() {
            let width = match c {
                '\n' => {
                    self = Position {
                        row: self.row + 1,
                        column: 0,
                    };
                    continue;
                }
                '\r' => {
                    self.column = 0;
                    continue;
                }
                '\x1b' => {
                    // A control sequence ends with a letter.
                    if chars.next() == Some('[') {
                        let _ = chars.by_ref().find(|c| ('@'..='~').contains(c));
                    }
                    continue;
                }
                '\t' => usize::from(TAB_STOP) - self.column % usize::from(TAB_STOP),
                c => c.width().unwrap_or(0),
            };
            self.column += width;
            if self.column > columns {
                self = Position {
                    row: self.row + 1,
                    column: width,
                };
            }
        }
        if self.column == columns {
            self = Position {
                row: self.row + 1,
                column: 0,
            };
        }
        self
    }
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
                shown: Instant::now(),
                tail: Vec::new(),
                editor: None,
                block: None,
                prompt: String::new(),
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
        while !self.lock().tail.is_empty() && begin.elapsed() < LINE_WAIT {
            if !self.take() {
                thread::sleep(Duration::from_millis(1));
            }
        }
        let mut state = self.lock();
        if !state.tail.is_empty() {
            write(&self.tty, b"\n");
        }
        state.is_editing = true;
        state.editor = Some(rustix::thread::gettid());
    }

    /// The editor draws its prompt.
    pub(super) fn draws_prompt(&self, prompt: &str) {
        let mut state = self.lock();
        state.block = None;
        state.prompt = prompt.into();
    }

    /// The editor draws the text, with so many bytes left of the cursor, like this.
    pub(super) fn draws(&self, text: &str, before: usize, drawn: &str) {
        let mut state = self.lock();
        state.block = Some(Block {
            prompt: state.prompt.clone(),
            text: text.into(),
            before,
            drawn: drawn.into(),
            hint: String::new(),
            hint_drawn: String::new(),
        });
    }

    /// Behind the text the editor draws a hint.
    pub(super) fn draws_hint(&self, hint: &str, drawn: &str) {
        if let Some(block) = &mut self.lock().block {
            block.hint = hint.into();
            block.hint_drawn = drawn.into();
        }
    }

    /// The editor is about to draw something else.
    pub(super) fn is_busy(&self) {
        self.lock().block = None;
    }

    /// The line has been edited.
    pub(super) fn end_editing(&self) {
        // The window may have changed its size meanwhile.
        if let Ok(size) = termios::tcgetwinsize(&self.tty) {
            let _ = termios::tcsetwinsize(io::stdout(), size);
        }
        let mut state = self.lock();
        state.is_editing = false;
        state.block = None;
        state.tail.clear();
        let held = std::mem::take(&mut state.held);
        state.show(&self.tty, &held);
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|e| e.into_inner())
    }

    fn run(&self) {
        loop {
            let mut fds = [PollFd::new(&self.master, PollFlags::IN)];
            let has_more = self.show_above();
            let wait = if has_more { Some(&STEP) } else { None };
            if poll(&mut fds, wait).is_ok() && !self.take() {
                thread::sleep(PATIENCE);
            }
        }
    }

    /// Shows above the edited line what has been printed, if the editor waits for a key; whether
    /// there is something that must wait.
    fn show_above(&self) -> bool {
        let mut state = self.lock();
        if !state.is_editing || state.held.is_empty() {
            return false;
        }
        let waits_for_key = state.editor.is_some_and(is_reading);
        if state.shown.elapsed() < FRAME || state.block.is_none() || !waits_for_key {
            return true;
        }
        let columns = match termios::tcgetwinsize(&self.tty) {
            Ok(size) if size.ws_col > 0 => size.ws_col,
            // The editor thinks so, too.
            _ => 80,
        };
        state.show_above(&self.tty, usize::from(columns));
        false
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

/// Runs a command that has the terminal for itself; what goroutines print meanwhile is shown when
/// it has ended.
pub(super) fn lend(command: &mut Command) -> io::Result<ExitStatus> {
    let Some(screen) = SCREEN.get() else {
        // The inputs that follow are not for it.
        if !io::stdin().is_terminal() {
            command.stdin(Stdio::null());
        }
        return command.status();
    };
    screen.empty(Duration::MAX);
    {
        let mut state = screen.lock();
        state.is_editing = true;
        state.block = None;
    }
    let mut run = || {
        let tty = || screen.tty.try_clone();
        command.stdin(tty()?).stdout(tty()?).stderr(tty()?).status()
    };
    let ended = run();
    screen.end_editing();
    ended
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

    /// Writes what has been printed to the terminal.
    fn show(&mut self, tty: &File, text: &[u8]) {
        write(tty, text);
        self.follow(text);
    }

    /// Remembers the line that ends with this text.
    fn follow(&mut self, text: &[u8]) {
        match text.iter().rposition(|&b| b == b'\n') {
            Some(end) => self.tail = text[end + 1..].to_vec(),
            None => self.tail.extend(text),
        }
    }

    /// Writes what has been printed above what the editor has drawn, which follows it.
    fn show_above(&mut self, tty: &File, columns: usize) {
        let Some(block) = &self.block else { return };
        let mut up = block.cursor(columns).row;
        if !self.tail.is_empty() {
            let tail = String::from_utf8_lossy(&self.tail);
            let end = Position::default().behind(&tail, columns);
            // A full row is one row, though the cursor would stand in the next.
            up += if end.column == 0 && end.row > 0 {
                end.row
            } else {
                end.row + 1
            };
        }
        let mut out = Vec::new();
        if up > 0 {
            out.extend(format!("\x1b[{up}A").bytes());
        }
        out.extend(b"\r\x1b[J");
        out.extend(&self.tail);
        let held = std::mem::take(&mut self.held);
        out.extend(&held);
        self.follow(&held);
        if self.tail.len() > TAIL_MAX {
            // What comes of it later begins another line.
            self.tail.clear();
        }
        if out.last() != Some(&b'\n') {
            out.push(b'\n');
        }
        if let Some(block) = &self.block {
            block.draw(&mut out, columns);
        }
        write(tty, &out);
        self.shown = Instant::now();
    }
}

/// Writes to the terminal. That this failed could be told nowhere.
fn write(mut tty: &File, text: &[u8]) {
    let _ = tty.write_all(text);
}

/// Whether this thread of the process waits in read(2). Where the kernel does not tell it does not.
fn is_reading(thread: Pid) -> bool {
    let path = format!("/proc/self/task/{}/syscall", thread.as_raw_nonzero());
    let call = std::fs::read_to_string(path).unwrap_or_default();
    call.split(' ').next().and_then(|n| n.parse().ok()) == Some(libc::SYS_read)
}

/// The process ends: what has been printed is shown, and the terminal is as it was.
///
/// A signal may have stopped this very thread while it held the lock: then nothing is done.
fn end(is_wanted: bool) {
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
        write(&screen.tty, b"\n");
        state.show(&screen.tty, &held);
    }
    drop(state);
    screen.empty(LAST_WAIT);
    if let Some(note) = super::terminal::last_words(is_wanted) {
        write(&screen.tty, note.as_bytes());
    }
}
