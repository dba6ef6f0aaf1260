//! Inputs typed at a terminal: a line editor that knows the session.

use super::commands;
use super::screen::{Screen, TAB_STOP};
use super::session::Session;
use crate::colors;
use rustyline::completion::Completer;
use rustyline::config::{Behavior, BellStyle, ColorMode, CompletionType, Config};
use rustyline::error::ReadlineError;
use rustyline::highlight::{CmdKind, Highlighter};
use rustyline::hint::Hinter;
use rustyline::history::FileHistory;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{
    Cmd, ConditionalEventHandler, Context, Editor, Event, EventContext, EventHandler, Helper,
    KeyCode, KeyEvent, Modifiers, RepeatCount,
};
use std::borrow::Cow;
use std::cell::RefCell;
use std::fs::File;
use std::io::Write;
use std::ops::Range;
use std::os::unix::fs::OpenOptionsExt;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use syntax::lexer::{self, Shade};
use syntax::parser::input::is_incomplete;

const PROMPT: &str = "> ";
/// Inputs that the history keeps.
const HISTORY: usize = 10_000;

/// A terminal at which a session is typed.
pub(super) struct Terminal {
    editor: Editor<Help, FileHistory>,
    screen: Arc<Screen>,
    history: Option<PathBuf>,
}

impl Terminal {
    pub(super) fn begin(session: Rc<RefCell<Session>>) -> rustyline::Result<Terminal> {
        let config = Config::builder()
            .behavior(Behavior::PreferTerm)
            .bell_style(BellStyle::None)
            // It asks about every text how to draw it; whether there are colors is our affair.
            .color_mode(ColorMode::Forced)
            .completion_type(CompletionType::List)
            .max_history_size(HISTORY)?
            .history_ignore_dups(true)?
            .tab_stop(TAB_STOP)
            .build();
        let mut editor = Editor::with_config(config)?;
        let is_colored = colors::on(&std::io::stdout()).colors;
        let screen = Screen::begin()?;
        editor.set_helper(Some(Help {
            session,
            screen: screen.clone(),
            is_colored,
        }));
        let keys = Keys {
            screen: screen.clone(),
            recall: Mutex::new(None),
        };
        editor.bind_sequence(Event::Any, EventHandler::Conditional(Box::new(keys)));
        let history = history_file();
        if let Some(path) = &history {
            // There is none the first time.
            let _ = editor.load_history(path);
        }
        Ok(Terminal {
            editor,
            screen,
            history,
        })
    }

    /// The next input; `None`: there will be no other.
    pub(super) fn next(&mut self) -> Option<String> {
        loop {
            self.screen.begin_editing();
            let line = self.editor.readline(PROMPT);
            self.screen.end_editing();
            match line {
                Ok(text) => {
                    let text = without_prompts(&text);
                    if text.trim().is_empty() {
                        continue;
                    }
                    self.remember(&text);
                    return Some(text + "\n");
                }
                Err(ReadlineError::Interrupted) => {}
                Err(_) => return None,
            }
        }
    }

    /// Writes the input to the history at once: the session may end any time.
    fn remember(&mut self, text: &str) {
        let is_new = self.editor.add_history_entry(text).unwrap_or(false);
        if let Some(path) = self.history.as_ref().filter(|_| is_new) {
            // A history that cannot be written is none.
            let _ = self.editor.append_history(path);
        }
    }
}

/// Where the inputs are kept that have run, while the session lives.
static RAN: OnceLock<PathBuf> = OnceLock::new();

/// Keeps an input that has run: what ends the session may not be its last.
pub(super) fn has_run(text: &str) {
    let file = || {
        let folder = state_folder()?;
        Some(folder.join(format!("inputs-{}.go", std::process::id())))
    };
    let path = match RAN.get() {
        Some(path) => path,
        None => match file() {
            Some(path) => RAN.get_or_init(|| path),
            None => return,
        },
    };
    let mut options = File::options();
    let file = options.create(true).append(true).mode(0o600).open(path);
    // Where nothing can be kept nothing is.
    let _ = file.and_then(|mut file| file.write_all(text.as_bytes()));
}

/// The process ends: where the inputs are, if it did not want to.
pub(super) fn last_words(is_wanted: bool) -> Option<String> {
    let path = RAN.get()?;
    if is_wanted {
        let _ = std::fs::remove_file(path);
        return None;
    }
    let path = path.display();
    Some(format!(
        "// what had been typed before: \":load {path}\" runs it\n"
    ))
}

/// An input that was copied from a session, with its prompts: what was typed.
fn without_prompts(text: &str) -> String {
    if !text.starts_with(PROMPT) {
        return text.to_string();
    }
    let typed = |line: &str| {
        let line = line
            .strip_prefix(PROMPT)
            .or_else(|| line.strip_prefix(". "));
        line.map(String::from)
    };
    let lines: Vec<String> = text.lines().filter_map(typed).collect();
    lines.join("\n")
}

/// Where the history is kept.
fn history_file() -> Option<PathBuf> {
    Some(state_folder()?.join("history"))
}

/// The folder of what outlives a session; it is made if need be.
fn state_folder() -> Option<PathBuf> {
    let state = match std::env::var_os("XDG_STATE_HOME").filter(|dir| !dir.is_empty()) {
        Some(dir) => PathBuf::from(dir),
        None => PathBuf::from(std::env::var_os("HOME")?).join(".local/state"),
    };
    let folder = state.join("gosched");
    std::fs::create_dir_all(&folder).ok()?;
    Some(folder)
}

/// What ↑ and ↓ do after one another.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Recall {
    /// They go through the inputs that begin with what was typed.
    Prefix,
    /// They go from line to line and from input to input.
    All,
}

/// What is done at every key before the editor sees it.
struct Keys {
    screen: Arc<Screen>,
    /// What the last key has begun, if it was one of these.
    recall: Mutex<Option<Recall>>,
}

impl ConditionalEventHandler for Keys {
    fn handle(
        &self,
        event: &Event,
        _: RepeatCount,
        _: bool,
        context: &EventContext<'_>,
    ) -> Option<Cmd> {
        self.screen.is_busy();
        let mut recall = self.recall.lock().unwrap_or_else(PoisonError::into_inner);
        let line = context.line();
        let is_typed = !line.is_empty() && context.pos() == line.len() && !line.contains('\n');
        let begun = if is_typed {
            Recall::Prefix
        } else {
            Recall::All
        };
        let command = match event.get(0) {
            Some(KeyEvent(KeyCode::Up, Modifiers::NONE)) => Cmd::HistorySearchBackward,
            Some(KeyEvent(KeyCode::Down, Modifiers::NONE)) => Cmd::HistorySearchForward,
            _ => {
                *recall = None;
                return None;
            }
        };
        (*recall.get_or_insert(begun) == Recall::Prefix).then_some(command)
    }
}

/// What the editor asks about the text.
struct Help {
    session: Rc<RefCell<Session>>,
    screen: Arc<Screen>,
    is_colored: bool,
}

impl Helper for Help {}

impl Validator for Help {
    fn validate(&self, context: &mut ValidationContext<'_>) -> rustyline::Result<ValidationResult> {
        let text = context.input();
        let is_open = !commands::is_command(text) && is_incomplete(text);
        Ok(match is_open {
            true => ValidationResult::Incomplete,
            false => ValidationResult::Valid(None),
        })
    }
}

impl Completer for Help {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        pos: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        let before = &line[..pos];
        let found = match commands::complete(before) {
            Some(found) => found,
            None => self.session.borrow_mut().complete(before),
        };
        Ok(found)
    }
}

impl Hinter for Help {
    type Hint = String;

    /// The signature of a function that is about to be called.
    fn hint(&self, line: &str, pos: usize, _: &Context<'_>) -> Option<String> {
        if pos < line.len() || !line.ends_with('(') {
            return None;
        }
        self.session
            .borrow_mut()
            .parameters(line.trim_end_matches('('))
    }
}

impl Highlighter for Help {
    fn highlight<'l>(&self, line: &'l str, pos: usize) -> Cow<'l, str> {
        let drawn = match self.is_colored && !commands::is_command(line) {
            true => Cow::Owned(colored(line, pos)),
            false => Cow::Borrowed(line),
        };
        self.screen.draws(line, pos, &drawn);
        drawn
    }

    fn highlight_prompt<'b, 's: 'b, 'p: 'b>(&'s self, prompt: &'p str, _: bool) -> Cow<'b, str> {
        self.screen.draws_prompt(prompt);
        Cow::Borrowed(prompt)
    }

    fn highlight_hint<'h>(&self, hint: &'h str) -> Cow<'h, str> {
        let drawn = match self.is_colored {
            true => Cow::Owned(format!("\x1b[2m{hint}\x1b[0m")),
            false => Cow::Borrowed(hint),
        };
        self.screen.draws_hint(hint, &drawn);
        drawn
    }

    /// Every change is drawn whole, so that the screen knows what stands there.
    fn highlight_char(&self, _: &str, _: usize, _: CmdKind) -> bool {
        true
    }
}

/// A text in colors; of the bracket at or before the cursor its partner is underlined.
fn colored(text: &str, pos: usize) -> String {
    let shades = lexer::shades(text);
    let partner = partner(text, pos, &shades);
    let mut out = String::with_capacity(2 * text.len());
    let mut at = 0;
    let plain = |out: &mut String, range: Range<usize>| match partner {
        Some(p) if range.contains(&p) => {
            let (before, bracket) = (&text[range.start..p], &text[p..p + 1]);
            *out += &format!(
                "{before}\x1b[1;4m{bracket}\x1b[0m{}",
                &text[p + 1..range.end]
            );
        }
        _ => *out += &text[range],
    };
    for (range, shade) in &shades {
        let color = match shade {
            Shade::Keyword => "35",
            Shade::Text => "32",
            Shade::Number => "36",
            Shade::Comment => "2",
        };
        plain(&mut out, at..range.start);
        out += &format!("\x1b[{color}m{}\x1b[0m", &text[range.clone()]);
        at = range.end;
    }
    plain(&mut out, at..text.len());
    out
}

/// Where the bracket is that belongs to the one at the cursor or left of it.
fn partner(text: &str, pos: usize, shades: &[(Range<usize>, Shade)]) -> Option<usize> {
    let is_code = |i: &usize| !shades.iter().any(|(range, _)| range.contains(i));
    let bytes = text.as_bytes();
    let is_bracket = |i: &usize| bytes.get(*i).is_some_and(|b| b"()[]{}".contains(b)) && is_code(i);
    let at = [Some(pos), pos.checked_sub(1)];
    let at = at.into_iter().flatten().find(is_bracket)?;
    let mut depth = 0;
    let mut count = |i: &usize| {
        depth += if b"([{".contains(&bytes[*i]) { 1 } else { -1 };
        depth == 0
    };
    match b"([{".contains(&bytes[at]) {
        true => (at..bytes.len()).filter(is_bracket).find(&mut count),
        false => (0..=at).rev().filter(is_bracket).find(&mut count),
    }
}
