//! What is wrong with a program, and where.
//!
//! Lexer, parser and checker report [`Diagnostic`]s into a [`Diagnostics`] and go on. At the end they are sorted by position,
//! one syntax error per line is kept, and at most ten are printed, as Go's compiler does.
//!
//! Go: cmd/compile/internal/base/print.go (FlushErrors, SyntaxErrors).

pub mod render;

use crate::source::{self, Pos};

/// One error: a place and Go's wording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    pub pos: Pos,
    pub message: String,
    /// Syntax errors are reported one per line, and stop the checker.
    pub is_syntax: bool,
    /// `declared and not used` and the like come after everything else was tried, but are sorted in with the others.
    pub is_soft: bool,
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
        self.list.push(Diagnostic {
            pos,
            message: message.into(),
            is_syntax: true,
            is_soft: false,
        });
    }
    pub fn error(&mut self, pos: Pos, message: impl Into<String>) {
        self.list.push(Diagnostic {
            pos,
            message: message.into(),
            is_syntax: false,
            is_soft: false,
        });
    }
    pub fn soft(&mut self, pos: Pos, message: impl Into<String>) {
        self.list.push(Diagnostic {
            pos,
            message: message.into(),
            is_syntax: false,
            is_soft: true,
        });
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
    /// Adds the errors of `other`, but no syntax error on a line that has one already.
    pub fn append_unless_on_reported_lines(&mut self, other: Diagnostics) {
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
    pub fn as_slice(&self) -> &[Diagnostic] {
        &self.list
    }

    /// Sorted by position, exact repetitions dropped, one syntax error per line.
    pub fn sorted(mut self) -> Vec<Diagnostic> {
        self.list.sort_by_key(|d| d.pos);
        let mut here: Vec<String> = Vec::new();
        let mut last = Pos::NONE;
        self.list.retain(|d| {
            if d.pos != last {
                here.clear();
                last = d.pos;
            }
            let fresh = !here.contains(&d.message);
            if fresh {
                here.push(d.message.clone());
            }
            fresh
        });
        let mut last_line = None;
        self.list.retain(|d| {
            if !d.is_syntax {
                return true;
            }
            let p = source::map().position(d.pos);
            let line = Some((p.file, p.line));
            let keep = line != last_line;
            last_line = line;
            keep
        });
        self.list
    }
}
