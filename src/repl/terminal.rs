//! Inputs typed at a terminal: a line editor that knows the session.

use super::commands;
use super::screen::Screen;
use super::session::Session;
use rustyline::completion::Completer;
use rustyline::config::{Behavior, BellStyle, CompletionType, Config};
use rustyline::error::ReadlineError;
use rustyline::highlight::{CmdKind, Highlighter};
use rustyline::hint::Hinter;
use rustyline::history::FileHistory;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{Context, Editor, Helper};
use std::borrow::Cow;
use std::cell::RefCell;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;
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
            .completion_type(CompletionType::List)
            .max_history_size(HISTORY)?
            .history_ignore_dups(true)?
            .tab_stop(4)
            .build();
        let mut editor = Editor::with_config(config)?;
        let is_colored = std::env::var_os("NO_COLOR").is_none();
        editor.set_helper(Some(Help {
            session,
            is_colored,
        }));
        let history = history_file();
        if let Some(path) = &history {
            // There is none the first time.
            let _ = editor.load_history(path);
        }
        let screen = Screen::begin()?;
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

/// Where the history is kept; the folder is made if need be.
fn history_file() -> Option<PathBuf> {
    let state = match std::env::var_os("XDG_STATE_HOME").filter(|dir| !dir.is_empty()) {
        Some(dir) => PathBuf::from(dir),
        None => PathBuf::from(std::env::var_os("HOME")?).join(".local/state"),
    };
    let folder = state.join("gosched");
    std::fs::create_dir_all(&folder).ok()?;
    Some(folder.join("history"))
}

/// What the editor asks about the text.
struct Help {
    session: Rc<RefCell<Session>>,
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
        if let Some(found) = commands::complete(before) {
            return Ok(found);
        }
        Ok(self.session.borrow_mut().complete(before))
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
    fn highlight<'l>(&self, line: &'l str, _: usize) -> Cow<'l, str> {
        if !self.is_colored || commands::is_command(line) {
            return Cow::Borrowed(line);
        }
        let mut out = String::with_capacity(2 * line.len());
        let mut at = 0;
        for (range, shade) in lexer::shades(line) {
            let color = match shade {
                Shade::Keyword => "35",
                Shade::Text => "32",
                Shade::Number => "36",
            };
            out.push_str(&line[at..range.start]);
            out.push_str(&format!("\x1b[{color}m{}\x1b[0m", &line[range.clone()]));
            at = range.end;
        }
        out.push_str(&line[at..]);
        Cow::Owned(out)
    }

    fn highlight_hint<'h>(&self, hint: &'h str) -> Cow<'h, str> {
        match self.is_colored {
            true => Cow::Owned(format!("\x1b[2m{hint}\x1b[0m")),
            false => Cow::Borrowed(hint),
        }
    }

    fn highlight_char(&self, _: &str, _: usize, _: CmdKind) -> bool {
        self.is_colored
    }
}
