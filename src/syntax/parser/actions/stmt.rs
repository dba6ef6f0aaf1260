//! Statements.
//!
//! Headers of `if`, `switch` and `for` come as simple statements; here they become conditions,
//! tags, type switches and clauses.

use super::*;
use crate::ast::print;

pub(in crate::parser) struct IfHeader {
    init: Option<Stmt>,
    cond: Expr,
}

pub(in crate::parser) struct SwitchHeader {
    init: Option<Stmt>,
    tag: Tag,
}

enum Tag {
    None,
    Value(Expr),
    Type { bind: Option<Ident>, x: Expr },
}

#[allow(
    clippy::large_enum_variant,
    reason = "it lives for one reduction, boxed"
)]
pub(in crate::parser) enum ForHeader {
    Clause(Option<Stmt>, Option<Expr>, Option<Stmt>),
    Range {
        lhs: Vec<Expr>,
        define: bool,
        pos: u32,
        x: Expr,
    },
}

pub(in crate::parser) fn stmt(pos: u32, kind: StmtKind) -> Stmt {
    Stmt {
        pos: Pos(pos),
        kind,
    }
}

/// `case a, b:` of a switch.
pub(in crate::parser) struct ExprCase {
    pub(in crate::parser) pos: u32,
    pub(in crate::parser) exprs: Vec<Expr>,
    pub(in crate::parser) is_default: bool,
    pub(in crate::parser) colon: u32,
}

/// `case <-c:` of a select.
pub(in crate::parser) struct CommCase {
    pub(in crate::parser) pos: u32,
    pub(in crate::parser) comm: Option<Box<Stmt>>,
    pub(in crate::parser) colon: u32,
}

pub(in crate::parser) fn case_clauses(cases: Vec<(ExprCase, Vec<Stmt>)>) -> Vec<CaseClause> {
    let clause = |(case, body): (ExprCase, Vec<Stmt>)| CaseClause {
        pos: Pos(case.pos),
        exprs: case.exprs,
        is_default: case.is_default,
        colon: Pos(case.colon),
        body,
        id: NodeId::fresh(),
    };
    cases.into_iter().map(clause).collect()
}

pub(in crate::parser) fn comm_clauses(cases: Vec<(CommCase, Vec<Stmt>)>) -> Vec<CommClause> {
    let clause = |(case, body): (CommCase, Vec<Stmt>)| CommClause {
        pos: Pos(case.pos),
        comm: case.comm,
        colon: Pos(case.colon),
        body,
    };
    cases.into_iter().map(clause).collect()
}

pub(in crate::parser) fn if_stmt(
    pos: u32,
    header: IfHeader,
    then: Block,
    els: Option<Stmt>,
) -> Stmt {
    let IfHeader { init, cond } = header;
    let node = IfStmt {
        init,
        cond,
        then,
        els,
    };
    stmt(pos, StmtKind::If(Box::new(node)))
}

impl Builder<'_> {
    /// A simple statement that stands for itself.
    pub(in crate::parser) fn simple_statement(&mut self, start: u32, s: Stmt) -> Checked<Stmt> {
        if self.token_from(start) == Some(Tok::Tilde) {
            return Err(ParseError::User {
                error: Rejected(start),
            });
        }
        Ok(s)
    }

    /// The left side of `:=` before `range` declares names.
    fn only_names(&mut self, lhs: &mut [Expr]) {
        for x in lhs {
            if !matches!(x.kind, ExprKind::Name(_) | ExprKind::Bad) {
                let message = format!("non-name {} on left side of :=", print::expr_string(x));
                self.later.error(x.start(), message);
                *x = Expr::new(x.start(), ExprKind::Bad);
            }
        }
    }

    pub(in crate::parser) fn labeled(
        &mut self,
        label: Ident,
        colon: u32,
        s: Option<Stmt>,
        end: u32,
    ) -> Stmt {
        let inner = s.unwrap_or_else(|| {
            let next = self.token_from(colon + 1);
            if !matches!(next, Some(Tok::RBrace | Tok::Semi(_))) {
                self.syntax(Pos(colon), "missing statement after label");
            }
            stmt(end, StmtKind::Empty)
        });
        let stmt_ = Box::new(inner);
        stmt(colon, StmtKind::Labeled { label, stmt: stmt_ })
    }

    pub(in crate::parser) fn call_operand(&mut self, keyword: &str, mut x: Expr) -> Expr {
        if matches!(x.kind, ExprKind::Paren(_)) {
            let message = format!("expression in {keyword} must not be parenthesized");
            self.error(x.pos, message);
        }
        while let ExprKind::Paren(inner) = x.kind {
            x = *inner;
        }
        x
    }

    /// A header's statement as the value it must be.
    fn value_of(&mut self, s: Stmt) -> Expr {
        match s.kind {
            StmtKind::Expr(x) => x,
            _ => {
                let text = match &s.kind {
                    StmtKind::Assign { op: None, lhs, rhs } => format!(
                        "assignment {} = {}",
                        print::emphasized(lhs),
                        print::emphasized(rhs)
                    ),
                    _ => print::stmt_string(&s),
                };
                self.syntax(s.pos, &format!("cannot use {text} as value"));
                Expr::new(s.pos, ExprKind::Bad)
            }
        }
    }

    pub(in crate::parser) fn if_header(
        &mut self,
        init: Option<Stmt>,
        semi: Option<(u32, SemiKind)>,
        cond: Option<Stmt>,
    ) -> Box<IfHeader> {
        let cond = match (cond, semi) {
            (Some(s), _) => self.value_of(s),
            (None, Some((pos, kind))) => {
                let message = match kind {
                    SemiKind::Semicolon => "missing condition in if statement".to_string(),
                    kind => format!(
                        "unexpected {}, expected {{ after if clause",
                        semi_text(kind)
                    ),
                };
                self.syntax(Pos(pos), &message);
                expr(pos, ExprKind::Bad)
            }
            (None, None) => Expr::new(Pos::NONE, ExprKind::Bad),
        };
        Box::new(IfHeader { init, cond })
    }

    pub(in crate::parser) fn switch_header(
        &mut self,
        init: Option<Stmt>,
        tag: Option<Stmt>,
    ) -> Box<SwitchHeader> {
        let Some(mut tag) = tag else {
            return Box::new(SwitchHeader {
                init,
                tag: Tag::None,
            });
        };
        if let StmtKind::Define { lhs, rhs } = &mut tag.kind
            && let [
                Expr {
                    pos,
                    id,
                    kind: ExprKind::Name(name),
                },
            ] = lhs[..]
            && let [
                Expr {
                    kind: ExprKind::TypeAssert { ty: None, .. },
                    ..
                },
            ] = &rhs[..]
            && let Some(Expr {
                kind: ExprKind::TypeAssert { x, .. },
                ..
            }) = rhs.pop()
        {
            let bind = Some(Ident { pos, name, id });
            let tag = Tag::Type { bind, x: *x };
            return Box::new(SwitchHeader { init, tag });
        }
        let value = self.value_of(tag);
        let tag = match value.kind {
            ExprKind::TypeAssert { x, ty: None } => Tag::Type { bind: None, x: *x },
            _ => Tag::Value(value),
        };
        Box::new(SwitchHeader { init, tag })
    }

    pub(in crate::parser) fn switch(
        &mut self,
        pos: u32,
        header: SwitchHeader,
        cases: Vec<CaseClause>,
        end: u32,
    ) -> Stmt {
        let (init, end) = (header.init, Pos(end));
        let kind = match header.tag {
            Tag::Type { bind, x } => StmtKind::TypeSwitch(Box::new(TypeSwitchStmt {
                init,
                bind,
                x,
                cases,
                end,
            })),
            tag => StmtKind::Switch(Box::new(SwitchStmt {
                init,
                tag: match tag {
                    Tag::Value(x) => Some(x),
                    _ => None,
                },
                cases,
                end,
            })),
        };
        stmt(pos, kind)
    }

    pub(in crate::parser) fn for_header(
        &mut self,
        init: Option<Stmt>,
        cond: Option<Stmt>,
        post: Option<Stmt>,
    ) -> Box<ForHeader> {
        let cond = cond.map(|s| self.value_of(s));
        if let Some(Stmt {
            pos,
            kind: StmtKind::Define { .. },
        }) = post
        {
            self.syntax(pos, "cannot declare in post statement of for loop");
        }
        Box::new(ForHeader::Clause(init, cond, post))
    }

    pub(in crate::parser) fn range_header(
        &mut self,
        mut lhs: Vec<Expr>,
        define: bool,
        pos: u32,
        x: Expr,
    ) -> Box<ForHeader> {
        if define {
            self.only_names(&mut lhs);
        }
        if let Some(third) = lhs.get(2) {
            let at = third.start();
            self.later
                .error(at, "range clause permits at most two iteration variables");
        }
        Box::new(ForHeader::Range {
            lhs,
            define,
            pos,
            x,
        })
    }

    pub(in crate::parser) fn for_stmt(&mut self, pos: u32, header: ForHeader, body: Block) -> Stmt {
        let kind = match header {
            ForHeader::Clause(init, cond, post) => StmtKind::For(Box::new(ForStmt {
                init,
                cond,
                post,
                body,
            })),
            ForHeader::Range {
                lhs,
                define,
                pos,
                x,
            } => {
                let mut lhs = lhs.into_iter();
                StmtKind::Range(Box::new(RangeStmt {
                    key: lhs.next(),
                    value: lhs.next(),
                    define,
                    x,
                    body,
                    range_pos: Pos(pos),
                }))
            }
        };
        stmt(pos, kind)
    }
}
