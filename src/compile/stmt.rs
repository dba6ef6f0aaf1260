//! Statements, but for assignments, declarations, returns, loops and switches.
//!
//! Spec: Statements, Declarations and scope.

use super::func::{Fun, emit};
use super::regalloc::Slot;
use syntax::ast::{Block, Decl, Expr, ExprKind, Stmt, StmtKind};
use types::{Type, TypeId};

/// What a function body contains.
#[derive(Clone, Copy, Default)]
pub(super) struct Scan {
    pub(crate) has_defer: bool,
    pub(crate) may_collect: bool,
    /// A `range` whose operand may be a function (decided by type later).
    pub(crate) has_range_func: bool,
}

/// Looks through a body, function literals left out.
pub(super) fn scan_body(f: &Fun<'_>, b: &'static Block) -> Scan {
    let mut s = Scan {
        may_collect: true,
        ..Scan::default()
    };
    scan_stmts(f, &b.stmts, &mut s);
    s
}

fn scan_stmts(f: &Fun<'_>, stmts: &'static [Stmt], s: &mut Scan) {
    for st in stmts {
        scan_stmt(f, st, s);
    }
}

fn scan_stmt(f: &Fun<'_>, st: &'static Stmt, s: &mut Scan) {
    match &st.kind {
        StmtKind::Defer(_) => s.has_defer = true,
        StmtKind::Block(b) => scan_stmts(f, &b.stmts, s),
        StmtKind::If(i) => {
            let mut i = i;
            loop {
                scan_stmts(f, &i.then.stmts, s);
                match i.els.as_ref().map(|e| &e.kind) {
                    Some(StmtKind::If(next)) => i = next,
                    Some(StmtKind::Block(b)) => {
                        scan_stmts(f, &b.stmts, s);
                        break;
                    }
                    _ => break,
                }
            }
        }
        StmtKind::Switch(w) => w.cases.iter().for_each(|c| scan_stmts(f, &c.body, s)),
        StmtKind::TypeSwitch(w) => w.cases.iter().for_each(|c| scan_stmts(f, &c.body, s)),
        StmtKind::Select { cases, .. } => cases.iter().for_each(|c| scan_stmts(f, &c.body, s)),
        StmtKind::For(l) => scan_stmts(f, &l.body.stmts, s),
        StmtKind::Range(r) => {
            let t = f.c.ck.info.type_of(&r.x);
            let func =
                matches!(f.c.ck.under_type(t), Type::Signature(_)) || f.c.ck.is_type_param(t);
            if func {
                s.has_range_func = true;
            }
            scan_stmts(f, &r.body.stmts, s);
        }
        StmtKind::Labeled { stmt, .. } => scan_stmt(f, stmt, s),
        _ => {}
    }
}

impl Fun<'_> {
    /// Statements in a scope of their own.
    pub(super) fn block(&mut self, b: &'static Block) {
        self.stmts(&b.stmts);
    }

    pub(super) fn stmts(&mut self, stmts: &'static [Stmt]) {
        let mark = self.alloc.mark();
        for s in stmts {
            self.stmt(s);
        }
        self.alloc.release(mark);
    }

    pub(super) fn stmt(&mut self, s: &'static Stmt) {
        if syntax::nesting::is_low() {
            return self.unsupported(s.pos, "statement nested this deeply");
        }
        self.pos = s.pos;
        self.apart(|f| f.stmt_apart(s));
    }

    fn stmt_apart(&mut self, s: &'static Stmt) {
        match &s.kind {
            StmtKind::Empty => {}
            StmtKind::Expr(e) => self.temps(|f| f.discard(e)),
            StmtKind::Send { chan, value } => self.temps(|f| f.send(s, chan, value)),
            StmtKind::IncDec { x, inc } => self.temps(|f| {
                f.in_turn(
                    |f, turns| f.place_turns(x, turns),
                    |f| f.inc_dec(s, x, *inc),
                )
            }),
            StmtKind::Assign {
                op: Some(op),
                lhs,
                rhs,
            } => self.temps(|f| {
                let (l, r) = (&lhs[0], &rhs[0]);
                f.updated_in_turn(l, r, |f| f.assign_op(s, *op, l, r));
            }),
            StmtKind::Assign { op: None, lhs, rhs } => self.temps(|f| {
                f.assigned_in_turn(lhs, rhs, |f| f.assign(s, lhs, rhs));
            }),
            StmtKind::Define { lhs, rhs } => self.define(s, lhs, rhs),
            StmtKind::Go(e) => self.temps(|f| {
                let clo = f.call_thunk(e, true);
                f.pos = s.pos;
                emit!(f, Go, clo);
            }),
            StmtKind::Defer(e) => self.temps(|f| {
                let clo = f.call_thunk(e, false);
                f.pos = s.pos;
                if f.yield_exits.is_some() {
                    f.defer_in_range_body(clo);
                } else {
                    emit!(f, Defer, clo);
                }
            }),
            StmtKind::Return(values) => self.return_stmt(s, values),
            StmtKind::Break(l) => self.break_stmt(l.map(|l| l.name)),
            StmtKind::Continue(l) => self.continue_stmt(l.map(|l| l.name)),
            StmtKind::Goto(l) => self.goto_stmt(l.name),
            StmtKind::Fallthrough => self.fallthrough_stmt(),
            StmtKind::Block(b) => self.block(b),
            StmtKind::If(_) => self.if_stmt(s),
            StmtKind::Switch(w) => self.switch_stmt(w),
            StmtKind::TypeSwitch(w) => self.type_switch(w),
            StmtKind::Select { cases, .. } => self.select_stmt(s, cases),
            StmtKind::For(l) => self.for_stmt(l),
            StmtKind::Range(r) => self.range_stmt(s, r),
            StmtKind::Labeled { label, stmt } => self.labeled(label.name, stmt),
            StmtKind::Decl(decls) => {
                for d in decls {
                    if let Decl::Var(v) = d {
                        self.var_decl(v);
                    }
                }
            }
        }
    }

    /// Runs `f`, then gives its temporaries back.
    pub(super) fn temps<R>(&mut self, f: impl FnOnce(&mut Self) -> R) -> R {
        let mark = self.alloc.mark();
        let r = f(self);
        self.alloc.release(mark);
        r
    }

    /// Evaluates an expression statement.
    fn discard(&mut self, e: &'static Expr) {
        let x = e.unparen();
        if let ExprKind::Call { fun, .. } = &x.kind
            && !self.c.ck.info.is_type(fun)
            && self.builtin_of(fun).is_none()
        {
            self.call(x, None);
            return;
        }
        if let ExprKind::Unary {
            op: syntax::ast::UnOp::Recv,
            x: ch,
        } = &x.kind
        {
            let c = self.expr(ch, None);
            self.pos = x.pos;
            emit!(self, Recv, Slot::NONE, c, Slot::NONE, 0);
            emit!(self, RecvDone, Slot::NONE, c, Slot::NONE, 0);
            return;
        }
        self.loose(e);
    }

    fn send(&mut self, s: &'static Stmt, chan: &'static Expr, value: &'static Expr) {
        let t = self.ty(chan);
        let elem = match self.c.ck.under_type(t).clone() {
            Type::Chan { elem, .. } => self.subst(elem),
            _ => return,
        };
        let list = [(chan, TypeId::INVALID), (value, elem)];
        let (c, v) = self.list_in_turn(&list, |f| {
            (f.expr(chan, None), f.expr_as(value, elem, None))
        });
        self.pos = s.pos;
        let ei = self.info(elem);
        // A value without size: any slot will do.
        let v = if v == Slot::NONE { Slot::fixed(0) } else { v };
        emit!(self, Send, c, v, ei.slots);
        emit!(self, SendDone, c, v, ei.slots);
    }

    // Return.
}
