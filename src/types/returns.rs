//! Terminating statements: must control leave here?
//!
//! Go: go/types (return.go). Spec: Terminating statements.

use super::*;
use syntax::ast::{Expr, ExprKind, Stmt, StmtKind};

impl Checker {
    pub(super) fn is_terminating_list(&self, list: &[Stmt]) -> bool {
        list.iter()
            .rev()
            .find(|s| !matches!(s.kind, StmtKind::Empty))
            .is_some_and(|s| self.is_terminating(s, None))
    }

    fn is_terminating(&self, s: &Stmt, label: Option<Symbol>) -> bool {
        if syntax::nesting::is_low() {
            return false;
        }
        match &s.kind {
            StmtKind::Return(_) | StmtKind::Goto(_) | StmtKind::Fallthrough => true,
            StmtKind::Expr(e) => self.is_panic(e),
            StmtKind::Block(b) => self.is_terminating_list(&b.stmts),
            StmtKind::Labeled { label, stmt } => self.is_terminating(stmt, Some(label.name)),
            StmtKind::If(i) => {
                // Chains of else-if are walked in a loop.
                let mut i = i;
                loop {
                    if !self.is_terminating_list(&i.then.stmts) {
                        return false;
                    }
                    match &i.els {
                        None => return false,
                        Some(e) => match &e.kind {
                            StmtKind::If(next) => i = next,
                            _ => return self.is_terminating(e, None),
                        },
                    }
                }
            }
            StmtKind::Switch(s) => self.clauses_terminate(&s.cases, label),
            StmtKind::TypeSwitch(s) => self.clauses_terminate(&s.cases, label),
            StmtKind::Select { cases, .. } => cases.iter().all(|c| {
                self.is_terminating_list(&c.body) && !has_break_list(&c.body, label, true)
            }),
            StmtKind::For(f) => f.cond.is_none() && !has_break_list(&f.body.stmts, label, true),
            _ => false,
        }
    }

    fn clauses_terminate(&self, cases: &[ast::CaseClause], label: Option<Symbol>) -> bool {
        cases.iter().any(|c| c.is_default)
            && cases
                .iter()
                .all(|c| self.is_terminating_list(&c.body) && !has_break_list(&c.body, label, true))
    }

    fn is_panic(&self, e: &Expr) -> bool {
        let e = e.unparen();
        matches!(e.kind, ExprKind::Call { .. }) && self.panic_calls.contains(&e.id)
    }
}

fn has_break_list(list: &[Stmt], label: Option<Symbol>, implicit: bool) -> bool {
    list.iter().any(|s| has_break(s, label, implicit))
}

/// Does the statement hold a `break` out of the one called
/// `label` (or, if `implicit`, out of the innermost)?
fn has_break(s: &Stmt, label: Option<Symbol>, implicit: bool) -> bool {
    if syntax::nesting::is_low() {
        return true;
    }
    match &s.kind {
        StmtKind::Break(None) => implicit,
        StmtKind::Break(Some(l)) => Some(l.name) == label,
        StmtKind::Labeled { stmt, .. } => has_break(stmt, label, implicit),
        StmtKind::Block(b) => has_break_list(&b.stmts, label, implicit),
        StmtKind::If(i) => {
            let mut i = i;
            loop {
                if has_break_list(&i.then.stmts, label, implicit) {
                    return true;
                }
                match &i.els {
                    None => return false,
                    Some(e) => match &e.kind {
                        StmtKind::If(next) => i = next,
                        _ => return has_break(e, label, implicit),
                    },
                }
            }
        }
        // Inside these an unlabelled break is theirs.
        StmtKind::Switch(s) => {
            label.is_some()
                && s.cases
                    .iter()
                    .any(|c| has_break_list(&c.body, label, false))
        }
        StmtKind::TypeSwitch(s) => {
            label.is_some()
                && s.cases
                    .iter()
                    .any(|c| has_break_list(&c.body, label, false))
        }
        StmtKind::Select { cases, .. } => {
            label.is_some() && cases.iter().any(|c| has_break_list(&c.body, label, false))
        }
        StmtKind::For(f) => label.is_some() && has_break_list(&f.body.stmts, label, false),
        StmtKind::Range(r) => label.is_some() && has_break_list(&r.body.stmts, label, false),
        _ => false,
    }
}
