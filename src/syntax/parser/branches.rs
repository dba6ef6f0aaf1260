//! Labels and jumps: what break, continue, goto and fallthrough refer to.
//!
//! One pass over a function's statements, not entering function literals (they have been checked by
//! themselves). Each block returns the gotos whose label it has not seen; they may find it further
//! on in the enclosing block, but not across a variable declaration, nor inside a block they are
//! not in.
//!
//! Spec: Labeled statements, Break, Continue, Goto, Fallthrough statements.
//! Go: cmd/compile/internal/syntax/branches.go.

use crate::ast::print::expr_string;
use crate::ast::*;
use crate::diagnostics::Diagnostics;
use rustc_hash::FxHashMap;
use source::{self, Pos, Symbol};

/// Checks the body of a function; reports what is wrong.
pub(super) fn check(body: &Block, diagnostics: &mut Diagnostics) {
    let mut checker = Checker {
        diagnostics,
        labels: FxHashMap::default(),
        blocks: Vec::new(),
    };
    let pending = checker.block(None, Targets::default(), None, body.pos, &body.stmts);
    for label in pending {
        let name = label.name;
        let message = match checker.labels.get_mut(&name) {
            Some(l) => {
                l.used = true;
                let start = checker.blocks[l.block].start;
                let start = source::map().position(start);
                format!("goto {name} jumps into block starting at {start}")
            }
            None => format!("label {name} not defined"),
        };
        checker.diagnostics.error(label.pos, message);
    }
    let mut unused: Vec<(Pos, Symbol)> = checker
        .labels
        .iter()
        .filter(|(_, l)| !l.used)
        .map(|(&name, l)| (l.pos, name))
        .collect();
    unused.sort();
    for (pos, name) in unused {
        diagnostics.error(pos, format!("label {name} defined and not used"));
    }
}

struct Checker<'d> {
    diagnostics: &'d mut Diagnostics,
    labels: FxHashMap<Symbol, Label>,
    blocks: Vec<BlockInfo>,
}

struct Label {
    pos: Pos,
    block: usize,
    /// What the label marks.
    kind: Marked,
    used: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum Marked {
    Loop,
    SwitchOrSelect,
    Other,
}

struct BlockInfo {
    parent: Option<usize>,
    start: Pos,
    /// The label of the statement this block belongs to.
    label: Option<Pos>,
}

/// What unlabeled jumps refer to.
#[derive(Clone, Copy, Default)]
struct Targets {
    breakable: bool,
    in_loop: bool,
    /// Set in a case of a switch.
    case: Option<Case>,
}

#[derive(Clone, Copy)]
enum Case {
    /// Directly in a case of an expression switch.
    Expr { is_last: bool },
    /// In a block inside one.
    Nested,
    /// Anywhere in a type switch.
    Type,
}

impl Targets {
    /// As seen from a block statement inside.
    fn nested(self) -> Targets {
        Targets {
            case: match self.case {
                Some(Case::Expr { .. }) => Some(Case::Nested),
                case => case,
            },
            ..self
        }
    }
}

impl Checker<'_> {
    /// Returns the gotos without a target yet.
    fn block<'a>(
        &mut self,
        parent: Option<usize>,
        targets: Targets,
        label: Option<Pos>,
        start: Pos,
        stmts: impl IntoIterator<Item = &'a Stmt>,
    ) -> Vec<Ident> {
        let this = self.blocks.len();
        self.blocks.push(BlockInfo {
            parent,
            start,
            label,
        });
        let mut pending: Vec<Ident> = Vec::new();
        // The last variable declaration, and how many of the pending gotos come before it.
        let mut var: Option<(Pos, String)> = None;
        let mut before_var: Vec<NodeId> = Vec::new();
        let mut stmts = stmts.into_iter().peekable();
        while let Some(s) = stmts.next() {
            let is_last = stmts.peek().is_none();
            let mut s = s;
            let mut label = None;
            while let StmtKind::Labeled { label: l, stmt } = &s.kind {
                if !l.name.is_blank() {
                    self.declare(this, l, marked(stmt));
                    label = Some(l.pos);
                    pending.retain(|goto| {
                        if goto.name != l.name {
                            return true;
                        }
                        if let Some(l) = self.labels.get_mut(&l.name) {
                            l.used = true;
                        }
                        if let Some((pos, name)) = &var
                            && before_var.contains(&goto.id)
                        {
                            let at = source::map().position(*pos);
                            let goto_name = goto.name;
                            self.diagnostics.error(
                                goto.pos,
                                format!(
                                    "goto {goto_name} jumps over declaration of {name} at {at}"
                                ),
                            );
                        }
                        false
                    });
                }
                s = stmt;
            }
            match &s.kind {
                StmtKind::Decl(decls) => {
                    if let Some(Decl::Var(v)) = decls.iter().find(|d| matches!(d, Decl::Var(_))) {
                        let name = v.names.first().map_or("", |n| n.name.as_str());
                        var = Some((v.pos, name.to_string()));
                        before_var = pending.iter().map(|g| g.id).collect();
                    }
                }
                StmtKind::Define { lhs, .. } => {
                    let names: Vec<String> = lhs.iter().map(expr_string).collect();
                    var = Some((s.pos, names.join(", ")));
                    before_var = pending.iter().map(|g| g.id).collect();
                }
                StmtKind::Goto(label) => {
                    if !self.goto_finds(this, label.name) {
                        pending.push(*label);
                    }
                }
                _ => self.statement(this, targets, label, s, is_last, &mut pending),
            }
        }
        pending
    }

    fn statement(
        &mut self,
        this: usize,
        targets: Targets,
        label: Option<Pos>,
        s: &Stmt,
        is_last: bool,
        pending: &mut Vec<Ident>,
    ) {
        let this_block = Some(this);
        match &s.kind {
            StmtKind::Break(None) if !targets.breakable => self
                .diagnostics
                .error(s.pos, "break is not in a loop, switch, or select"),
            StmtKind::Continue(None) if !targets.in_loop => {
                self.diagnostics.error(s.pos, "continue is not in a loop")
            }
            StmtKind::Fallthrough => {
                let message = match targets.case {
                    Some(Case::Type) => "cannot fallthrough in type switch",
                    Some(Case::Expr {
                        is_last: final_case,
                    }) if is_last => {
                        if !final_case {
                            return;
                        }
                        "cannot fallthrough final case in switch"
                    }
                    _ => "fallthrough statement out of place",
                };
                self.diagnostics.error(s.pos, message);
            }
            StmtKind::Break(Some(l)) => match self.enclosing(this, l.name) {
                Some(Some(Marked::Loop | Marked::SwitchOrSelect)) => {}
                Some(_) => self
                    .diagnostics
                    .error(l.pos, format!("invalid break label {}", l.name)),
                None => self
                    .diagnostics
                    .error(l.pos, format!("break label not defined: {}", l.name)),
            },
            StmtKind::Continue(Some(l)) => match self.enclosing(this, l.name) {
                Some(Some(Marked::Loop)) => {}
                Some(_) => self
                    .diagnostics
                    .error(l.pos, format!("invalid continue label {}", l.name)),
                None => self
                    .diagnostics
                    .error(l.pos, format!("continue label not defined: {}", l.name)),
            },
            StmtKind::Block(b) => {
                pending.extend(self.block(this_block, targets.nested(), label, b.pos, &b.stmts));
            }
            StmtKind::If(s) => {
                let inner = targets.nested();
                pending.extend(self.block(this_block, inner, label, s.then.pos, &s.then.stmts));
                if let Some(els) = &s.els {
                    pending.extend(self.block(this_block, inner, label, els.pos, [els]));
                }
            }
            StmtKind::For(s) => {
                pending.extend(self.loop_body(this, label, &s.body));
            }
            StmtKind::Range(s) => {
                pending.extend(self.loop_body(this, label, &s.body));
            }
            StmtKind::Switch(s) => {
                self.cases(this, targets, label, &s.cases, false, pending);
            }
            StmtKind::TypeSwitch(s) => {
                self.cases(this, targets, label, &s.cases, true, pending);
            }
            StmtKind::Select { cases, .. } => {
                let inner = Targets {
                    breakable: true,
                    case: None,
                    ..targets
                };
                for c in cases {
                    pending.extend(self.block(this_block, inner, label, c.pos, &c.body));
                }
            }
            _ => {}
        }
    }

    fn loop_body(&mut self, this: usize, label: Option<Pos>, body: &Block) -> Vec<Ident> {
        let inner = Targets {
            breakable: true,
            in_loop: true,
            case: None,
        };
        self.block(Some(this), inner, label, body.pos, &body.stmts)
    }

    fn cases(
        &mut self,
        this: usize,
        targets: Targets,
        label: Option<Pos>,
        cases: &[CaseClause],
        of_type: bool,
        pending: &mut Vec<Ident>,
    ) {
        for (i, c) in cases.iter().enumerate() {
            let inner = Targets {
                breakable: true,
                case: Some(if of_type {
                    Case::Type
                } else {
                    Case::Expr {
                        is_last: i + 1 == cases.len(),
                    }
                }),
                ..targets
            };
            pending.extend(self.block(Some(this), inner, label, c.pos, &c.body));
        }
    }

    fn declare(&mut self, block: usize, label: &Ident, kind: Marked) {
        let name = label.name;
        if let Some(other) = self.labels.get(&name) {
            let at = source::map().position(other.pos);
            let message = format!("label {name} already defined at {at}");
            self.diagnostics.error(label.pos, message);
            return;
        }
        let pos = label.pos;
        let used = false;
        let label = Label {
            pos,
            block,
            kind,
            used,
        };
        self.labels.insert(name, label);
    }

    /// Has the label been declared in this block or one around it?
    fn goto_finds(&mut self, block: usize, name: Symbol) -> bool {
        let Some(label) = self.labels.get_mut(&name) else {
            return false;
        };
        label.used = true;
        let mut at = Some(block);
        while let Some(b) = at {
            if label.block == b {
                return true;
            }
            at = self.blocks[b].parent;
        }
        false
    }

    /// The labeled statement around `block`: `None` if there is no such label,
    /// `Some(None)` if it marks none around.
    fn enclosing(&mut self, block: usize, name: Symbol) -> Option<Option<Marked>> {
        let label = self.labels.get_mut(&name)?;
        label.used = true;
        let mut at = Some(block);
        while let Some(b) = at {
            if self.blocks[b].label == Some(label.pos) {
                return Some(Some(label.kind));
            }
            at = self.blocks[b].parent;
        }
        Some(None)
    }
}

fn marked(s: &Stmt) -> Marked {
    match &s.kind {
        StmtKind::For(_) | StmtKind::Range(_) => Marked::Loop,
        StmtKind::Switch(_) | StmtKind::TypeSwitch(_) | StmtKind::Select { .. } => {
            Marked::SwitchOrSelect
        }
        _ => Marked::Other,
    }
}
