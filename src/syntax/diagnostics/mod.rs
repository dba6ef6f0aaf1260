//! What is wrong with a program, and where.
//!
//! Lexer, parser and checker report [`Diagnostic`]s into a [`Diagnostics`] and go on. The first
//! ten, one syntax error per line, are sorted by position and printed, as Go's compiler does.
//!
//! Go: cmd/compile/internal/base/print.go (FlushErrors, SyntaxErrors).

pub mod near;
pub mod render;

use rustc_hash::FxHashSet;
use source::{self, Pos};

/// One error: a place and Go's wording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    pub pos: Pos,
    pub message: String,
    /// Syntax errors are reported one per line, and stop the checker.
    pub is_syntax: bool,
    /// `declared and not used` and the like come after everything else was tried,
    /// but are sorted in with the others.
    pub is_soft: bool,
    /// Advice, which Go does not give.
    pub help: Option<String>,
}

/// What sort of error it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The text is no Go.
    Syntax,
    /// The program breaks a rule of the language.
    Type,
    /// Go has it, and this implementation does not.
    Unsupported,
    /// Something is declared, imported or computed for nothing.
    Unused,
}

impl Diagnostic {
    pub fn kind(&self) -> Kind {
        match &*self.message {
            _ if self.is_syntax => Kind::Syntax,
            m if m.starts_with("unsupported: ") => Kind::Unsupported,
            m if m.contains(" and not used") || m.ends_with(" is not used") => Kind::Unused,
            _ => Kind::Type,
        }
    }
}

#[derive(Default, Debug)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
}

impl Diagnostics {
    pub fn new() -> Self {
        Self::default()
    }
    pub fn syntax(&mut self, pos: Pos, message: impl Into<String>) {
        self.push(pos, message.into(), true, false);
    }
    pub fn error(&mut self, pos: Pos, message: impl Into<String>) {
        self.push(pos, message.into(), false, false);
    }
    pub fn soft(&mut self, pos: Pos, message: impl Into<String>) {
        self.push(pos, message.into(), false, true);
    }
    fn push(&mut self, pos: Pos, message: String, is_syntax: bool, is_soft: bool) {
        self.list.push(Diagnostic {
            pos,
            message,
            is_syntax,
            is_soft,
            help: None,
        });
    }
    /// Adds advice to what has been reported last.
    pub fn help_last(&mut self, help: String) {
        if let Some(last) = self.list.last_mut() {
            last.help = Some(help);
        }
    }
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
    pub fn len(&self) -> usize {
        self.list.len()
    }
    pub fn has_syntax_errors(&self) -> bool {
        self.list.iter().any(|d| d.is_syntax)
    }
    pub fn append(&mut self, mut other: Diagnostics) {
        self.list.append(&mut other.list);
    }
    /// Takes out the syntax errors at `places` before which `other` refuses something.
    pub(crate) fn yield_to(&mut self, other: &Diagnostics, places: &[Pos]) {
        self.list
            .retain(|d| !(d.is_syntax && places.contains(&d.pos) && other.refuses_before(d.pos)));
    }
    /// Is something complete refused further left on the line of `pos`?
    /// What is merely unexpected does not count.
    pub(crate) fn refuses_before(&self, pos: Pos) -> bool {
        let line = |pos: Pos| {
            let p = source::map().position(pos);
            (p.file, p.line)
        };
        let is_refusal = |d: &&Diagnostic| {
            d.is_syntax && d.pos < pos && !d.message.starts_with("syntax error: unexpected")
        };
        let mut refusals = self.list.iter().filter(is_refusal);
        refusals.any(|d| line(d.pos) == line(pos))
    }
    /// Adds the errors of `other`, but no syntax error on a line that has one already.
    pub(crate) fn append_unless_on_reported_lines(&mut self, other: Diagnostics) {
        let line = |d: &Diagnostic| {
            let p = source::map().position(d.pos);
            (p.file, p.line)
        };
        let syntax = self.list.iter().filter(|d| d.is_syntax);
        let lines: Vec<(String, u32)> = syntax.map(line).collect();
        let fresh = other.list.into_iter();
        self.list
            .extend(fresh.filter(|d| !d.is_syntax || !lines.contains(&line(d))));
    }
    /// Forgets all errors but those that `keep` wants.
    /// Replaces the messages for which there are better ones.
    pub fn reword(&mut self, better: impl Fn(&Diagnostic) -> Option<String>) {
        for d in &mut self.list {
            if let Some(message) = better(d) {
                d.message = message;
            }
        }
    }
    pub fn retain(&mut self, keep: impl FnMut(&Diagnostic) -> bool) {
        self.list.retain(keep);
    }
    pub fn as_slice(&self) -> &[Diagnostic] {
        &self.list
    }

    /// What is shown when at most `limit` errors are wanted: the first that were reported, sorted
    /// by position, exact repetitions dropped, one syntax error per line. Also the place of the
    /// last one reported, if it used up the limit.
    ///
    /// Go: cmd/compile/internal/base/print.go, ErrorfAt.
    pub fn shown(self, limit: usize) -> (Vec<Diagnostic>, Option<Pos>) {
        let mut list = self.list;
        if list.iter().any(|d| d.is_syntax) {
            // The parser meets them in this order, repairs and all.
            list.sort_by_key(|d| d.pos);
        }
        let mut seen: FxHashSet<(Pos, String)> = FxHashSet::default();
        let mut syntax_lines: FxHashSet<(String, u32)> = FxHashSet::default();
        let mut shown = Vec::new();
        let mut cut = None;
        // Of equal messages about one line the first will do.
        let mut last = None;
        for d in list {
            let p = source::map().position(d.pos);
            let line = (p.file, p.line);
            let is_fresh = if d.is_syntax {
                syntax_lines.insert(line)
            } else {
                let this = Some((line, d.message.clone()));
                let is_new = last != this && seen.insert((d.pos, d.message.clone()));
                last = this;
                is_new
            };
            if is_fresh {
                cut = Some(d.pos);
                shown.push(d);
            }
            if shown.len() == limit {
                break;
            }
        }
        let is_full = shown.len() == limit;
        shown.sort_by_key(|d| d.pos);
        (shown, cut.filter(|_| is_full))
    }

    /// All of them, as [`shown`](Self::shown).
    pub fn sorted(self) -> Vec<Diagnostic> {
        self.shown(usize::MAX).0
    }
}
