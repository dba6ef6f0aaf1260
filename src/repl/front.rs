//! The front thread's work: it reads inputs, has them run, and says what came of them.
//!
//! At a terminal they are edited; from a file or a pipe there is no prompt, and the first error
//! ends the session.

use super::Options;
use super::commands::{self, Outcome};
use super::protocol::{self, Laid};
use super::session::{Failed, Session, Steps};
use super::terminal::{self, Terminal};
use crate::driver;
use crate::loader;
use gosched_runtime::proc;
use std::cell::RefCell;
use std::fs::File;
use std::io::{IsTerminal, Read, Write};
use std::os::fd::AsFd;
use std::path::PathBuf;
use std::rc::Rc;
use std::time::{Duration, Instant};
use syntax::parser::input::is_incomplete;
use types::ObjId;
use vm::prompt::{self, Ended, Input};

/// How often a front thread that waits for an input asks whether Ctrl-C was pressed.
const STEP: Duration = Duration::from_millis(20);
/// How long an interrupted input has to end before the prompt comes back without it.
const PATIENCE: Duration = Duration::from_millis(500);

/// How long an input is kept from running before it is told why.
const LATE: Duration = Duration::from_secs(1);

/// Exit status of a session in which an input was refused.
const REFUSED: i32 = 1;
/// Exit status of one that ended by a panic or a deadlock, as a program's.
const FATAL: i32 = 2;

/// What has come of an input.
pub(super) enum Came {
    Done,
    Refused(Failed),
    Panicked,
    /// It waits, and nothing can ever run again.
    Deadlocked,
    Interrupted,
    /// It was interrupted and has not ended: its goroutine, which goes on.
    LeftAlone(u64),
}

/// The front thread's state.
pub(super) struct Front {
    pub session: Rc<RefCell<Session>>,
    /// Where the input being run begins: its file, and the line.
    pub place: (String, u32),
    /// Of the next input, where these are numbered.
    pub number: u32,
    /// The last input that was not waited for to its end, and what its value was to be.
    pub unfinished: Option<(u64, ObjId)>,
}

/// Runs the session to its end, which is the process's.
pub(super) fn run(session: Session, options: Options, laid: Option<Laid>) -> ! {
    let front = Front {
        session: Rc::new(RefCell::new(session)),
        place: (String::new(), 1),
        number: 1,
        unfinished: None,
    };
    if let Some(laid) = laid {
        protocol::serve(front, laid);
    }
    let is_terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
    let is_able = std::env::var_os("TERM").is_some_and(|term| term != "dumb");
    if is_terminal && is_able && !options.echo {
        match Terminal::begin(front.session.clone()) {
            Ok(terminal) => at_terminal(front, terminal, options),
            Err(e) => {
                say_error(&format!("gosched: the terminal: {e}\n"));
                proc::exit(FATAL);
            }
        }
    }
    match Lines::new(is_terminal) {
        Ok(lines) => from_lines(front, lines, options),
        Err(e) => {
            say_error(&format!("gosched: standard input: {e}\n"));
            proc::exit(FATAL);
        }
    }
}

/// Inputs come from an editor; errors end nothing.
fn at_terminal(mut front: Front, mut terminal: Terminal, options: Options) -> ! {
    prompt::hear_interrupts();
    say(&format!(
        "gosched {} ({}); :help lists the commands\n",
        driver::VERSION,
        driver::GO_VERSION
    ));
    if options.init
        && let Some(path) = init_file()
        && let Ok(text) = std::fs::read(&path)
    {
        front.place = (path.display().to_string(), 1);
        front.input(text);
    }
    front.first(&options);
    while let Some(text) = terminal.next() {
        front.place = (format!("#{}", front.number), 1);
        front.number += 1;
        prompt::take_interrupt();
        match front.act(text.clone().into_bytes()) {
            None => proc::exit(0),
            Some(0) if !commands::is_command(&text) => terminal::has_run(&text),
            Some(_) => {}
        }
    }
    let live = commands::live().len();
    if live > 0 {
        let ends = if live == 1 {
            "goroutine ends"
        } else {
            "goroutines end"
        };
        say(&format!("{live} {ends} with the session\n"));
    }
    proc::exit(0)
}

/// The file that is run before the first input.
fn init_file() -> Option<PathBuf> {
    let config = match std::env::var_os("XDG_CONFIG_HOME").filter(|dir| !dir.is_empty()) {
        Some(dir) => PathBuf::from(dir),
        None => PathBuf::from(std::env::var_os("HOME")?).join(".config"),
    };
    Some(config.join("gosched/init.go"))
}

/// Inputs come from a file or pipe, or from a terminal that has no editor.
fn from_lines(mut front: Front, mut lines: Lines, options: Options) -> ! {
    let mut status = front.first(&options);
    while status == 0 || options.keep_going || lines.has_prompt {
        let Some((text, line)) = read_input(&mut lines) else {
            break;
        };
        if options.echo {
            say(&echo(&text));
        }
        front.place = ("stdin".into(), line);
        let Some(result) = front.act(text) else {
            break;
        };
        status = status.max(result);
    }
    proc::exit(status)
}

impl Front {
    /// Runs an input or carries out a command; returns what the exit status would be if the session
    /// ended here, or that it does.
    fn act(&mut self, text: Vec<u8>) -> Option<i32> {
        let command = String::from_utf8_lossy(&text).into_owned();
        if !commands::is_command(&command) {
            return Some(self.input(text));
        }
        match commands::run(self, &command) {
            Outcome::Said(text) => {
                say(&text);
                Some(0)
            }
            Outcome::Wrong(why) => {
                say_error(&why);
                Some(REFUSED)
            }
            Outcome::Ran(status) => Some(status),
            Outcome::Quit => None,
        }
    }

    /// Runs what is to be run before all else; what the exit status would be if the session ended
    /// here.
    fn first(&mut self, options: &Options) -> i32 {
        let mut status = 0;
        for text in loader::join(&options.first) {
            self.place = (text.name().into(), 1);
            status = status.max(self.input(text.bytes));
        }
        status
    }

    /// Runs an input, and says what is to be said of it; what the exit status would be if the
    /// session ended here.
    pub(super) fn input(&mut self, text: Vec<u8>) -> i32 {
        match self.evaluate(text, &mut |note| say(&format!("// {note}\n"))) {
            Came::Done | Came::Interrupted => 0,
            Came::Refused(why) => {
                say_error(&why.to_string());
                REFUSED
            }
            Came::Panicked => FATAL,
            Came::Deadlocked => {
                say_error("fatal error: all goroutines are asleep - deadlock!\n");
                FATAL
            }
            Came::LeftAlone(id) => {
                say(&format!(
                    "\n// g{id} has not ended yet: it goes on in the background\n"
                ));
                FATAL
            }
        }
    }

    /// Runs an input; `note` gets what is to be said before.
    pub(super) fn evaluate(&mut self, text: Vec<u8>, note: &mut dyn FnMut(&str)) -> Came {
        let (file, line) = &self.place;
        let steps = self.session.borrow_mut().check(file, *line, text);
        let mut steps = match steps {
            Ok(steps) => steps,
            Err(why) => return Came::Refused(why),
        };
        for text in steps.notes.drain(..) {
            note(&text);
        }
        self.run(steps, note)
    }

    /// Runs the steps of an input, which have been checked.
    pub(super) fn run(&mut self, mut steps: Steps, note: &mut dyn FnMut(&str)) -> Came {
        loop {
            let loaded = self.session.borrow_mut().load_next(&mut steps);
            let function = match loaded {
                None => return Came::Done,
                Some(Ok(loaded)) => loaded.init,
                Some(Err(why)) => return Came::Refused(why),
            };
            let input = prompt::inject(function);
            let (ended, is_interrupted) = self.wait(&input, note);
            if matches!(ended, None | Some(Ended::Deadlocked)) {
                let value = self.session.borrow().last_value();
                self.unfinished = value.map(|value| (input.goid(), value));
            }
            let Some(ended) = ended else {
                return Came::LeftAlone(input.goid());
            };
            self.session.borrow_mut().ended(ended);
            match ended {
                Ended::Exited if is_interrupted => return Came::Interrupted,
                Ended::Returned | Ended::Exited => {}
                Ended::Panicked => return Came::Panicked,
                Ended::Deadlocked => return Came::Deadlocked,
            }
        }
    }

    /// Waits until the input has ended, or has to be left to itself; whether it was interrupted.
    fn wait(&self, input: &Input, note: &mut dyn FnMut(&str)) -> (Option<Ended>, bool) {
        let mut interrupted: Option<Instant> = None;
        let mut is_delayed = false;
        loop {
            if let Some(ended) = prompt::wait_timeout(input, STEP) {
                return (Some(ended), interrupted.is_some());
            }
            if !is_delayed && let Some(why) = prompt::delayed(input, LATE) {
                note(&why);
                is_delayed = true;
            }
            if prompt::take_interrupt() {
                prompt::interrupt(input);
                interrupted = Some(Instant::now());
            }
            if interrupted.is_some_and(|at| at.elapsed() > PATIENCE) {
                prompt::leave_alone();
                return (None, true);
            }
        }
    }
}

/// Writes to standard output. That this failed could be told nowhere.
pub(super) fn say(text: &str) {
    let _ = std::io::stdout().write_all(text.as_bytes());
    let _ = std::io::stdout().flush();
}

fn say_error(text: &str) {
    let _ = std::io::stderr().write_all(text.as_bytes());
}

/// An input as it looks behind prompts.
fn echo(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let lines = text.lines().enumerate();
    let shown = lines.map(|(i, line)| match (i, line) {
        (0, line) => format!("> {line}\n"),
        (_, "") => ".\n".to_string(),
        (_, line) => format!(". {line}\n"),
    });
    shown.collect()
}

/// The next input, which may have several lines, and the number of its first line.
fn read_input(lines: &mut Lines) -> Option<(Vec<u8>, u32)> {
    lines.prompt("> ");
    let mut text = lines.next()?;
    let first = lines.number;
    let is_open = |text: &[u8]| {
        let text = String::from_utf8_lossy(text);
        !commands::is_command(&text) && is_incomplete(&text)
    };
    while is_open(&text) {
        lines.prompt(". ");
        match lines.next() {
            Some(line) => text.extend(line),
            None => break,
        }
    }
    Some((text, first))
}

/// The lines of standard input. No byte is read that does not belong to the line: what follows is
/// there for a program that reads, too.
struct Lines {
    input: File,
    /// It is typed: before each line there is a prompt.
    has_prompt: bool,
    /// Of the last line, from 1.
    number: u32,
}

impl Lines {
    fn new(has_prompt: bool) -> std::io::Result<Lines> {
        let input = std::io::stdin().as_fd().try_clone_to_owned()?;
        Ok(Lines {
            input: File::from(input),
            has_prompt,
            number: 0,
        })
    }
}

impl Lines {
    fn prompt(&self, text: &str) {
        if self.has_prompt {
            say(text);
        }
    }
}

impl Iterator for Lines {
    type Item = Vec<u8>;

    /// The next line, its end included; the last one may lack it.
    fn next(&mut self) -> Option<Vec<u8>> {
        let mut line = Vec::new();
        let mut byte = [0];
        while line.last() != Some(&b'\n') {
            match self.input.read(&mut byte) {
                Ok(0) => break,
                Ok(_) => line.push(byte[0]),
                Err(e) if e.kind() == std::io::ErrorKind::Interrupted => {}
                Err(_) => break,
            }
        }
        self.number += 1;
        (!line.is_empty()).then_some(line)
    }
}
