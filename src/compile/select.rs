//! Select statements.
//!
//! Channels and values of all cases are evaluated first, in order; the cases lie in a block of the
//! frame, two words each. A select with one case and a default takes the same way; with one case
//! alone it is that channel operation.
//!
//! Spec: Select statements.

use super::TypeInfo;
use super::func::{Fun, Label, emit};
use super::regalloc::Slot;
use bytecode::func::Word;
use std::rc::Rc;
use syntax::ast::{CommClause, Expr, ExprKind, Stmt, StmtKind, UnOp};
use types::{Type, TypeId};

/// One communication of a select.
enum Comm {
    Send,
    /// Where the value arrives, and what is done with it.
    Recv {
        value: Slot,
        elem: Rc<TypeInfo>,
        stmt: &'static Stmt,
    },
}

impl Fun<'_> {
    pub(super) fn select_stmt(&mut self, s: &'static Stmt, cases: &'static [CommClause]) {
        let mark = self.alloc.mark();
        let end = self.label();
        let label = self.pending_label.take();
        self.controls.push(super::control::Control {
            label,
            brk: end,
            cont: None,
            fall: None,
        });
        if let [only] = cases
            && let Some(stmt) = only.comm.as_deref()
        {
            self.only_case(only, stmt);
            self.controls.pop();
            self.bind(end);
            self.alloc.release(mark);
            return;
        }
        let n = cases.iter().filter(|c| c.comm.is_some()).count();
        let words: Vec<Word> = (0..n).flat_map(|_| [Word::Pointer, Word::Scalar]).collect();
        let blk = self.alloc.take_words(&words);
        let idx = self.alloc.scalar();
        let ok = self.alloc.scalar();
        let mut prepared = Vec::new();
        let mut comms = Vec::new();
        for c in cases {
            let Some(stmt) = c.comm.as_deref() else {
                continue;
            };
            let (ch, v, comm, n_slots) = self.prepare(stmt);
            prepared.push((ch, v, matches!(comm, Comm::Send), stmt.pos, n_slots));
            comms.push(comm);
        }
        for (i, (ch, v, is_send, pos, n_slots)) in prepared.into_iter().enumerate() {
            self.pos = pos;
            let at = blk.plus(2 * i as u32);
            if is_send {
                emit!(self, SelectSend, at, ch, v, n_slots);
            } else {
                emit!(self, SelectRecv, at, ch, v, n_slots);
            }
        }
        let has_default = n < cases.len();
        // With one case and a default, too, what may panic is that operation.
        if !(n == 1 && has_default) {
            self.pos = s.pos;
        }
        // Without cases: any slot will do as the block.
        let blk = if n == 0 { idx } else { blk };
        emit!(self, Select, idx, blk, n, has_default, ok);
        emit!(self, SelectDone, idx, blk, n, has_default, ok);
        let bodies: Vec<Label> = cases.iter().map(|_| self.label()).collect();
        let mut number = 0;
        for (c, body) in cases.iter().zip(&bodies) {
            if c.comm.is_some() {
                if number + 1 == n && !has_default {
                    self.jump(*body);
                } else {
                    emit!(self, JumpEqImm, idx, number, *body);
                }
                number += 1;
            }
        }
        if let Some(d) = cases.iter().position(|c| c.comm.is_none()) {
            self.jump(bodies[d]);
        }
        if cases.is_empty() {
            emit!(self, Unreachable);
        }
        let mut comms = comms.into_iter();
        for (c, body) in cases.iter().zip(&bodies) {
            self.bind(*body);
            self.pos = c.pos;
            let inner = self.alloc.mark();
            if c.comm.is_some()
                && let Some(Comm::Recv { value, elem, stmt }) = comms.next()
            {
                self.received(stmt, value, ok, &elem);
            }
            self.stmts(&c.body);
            self.alloc.release(inner);
            self.jump(end);
        }
        self.controls.pop();
        self.bind(end);
        self.alloc.release(mark);
    }

    /// A select with nothing but one case.
    fn only_case(&mut self, case: &'static CommClause, stmt: &'static Stmt) {
        let (ch, v, comm, n_slots) = self.prepare(stmt);
        self.pos = stmt.pos;
        match comm {
            Comm::Send => {
                // A value without size: any slot will do.
                let v = if v == Slot::NONE { ch } else { v };
                emit!(self, Send, ch, v, n_slots);
                emit!(self, SendDone, ch, v, n_slots);
            }
            Comm::Recv { value, elem, stmt } => {
                let ok = self.alloc.scalar();
                emit!(self, Recv, value, ch, ok, n_slots);
                emit!(self, RecvDone, value, ch, ok, n_slots);
                self.pos = case.pos;
                self.received(stmt, value, ok, &elem);
            }
        }
        self.stmts(&case.body);
    }

    /// Evaluates channel and value of a case; the number is that of the value's slots.
    fn prepare(&mut self, stmt: &'static Stmt) -> (Slot, Slot, Comm, u32) {
        if let StmtKind::Send { chan, value } = &stmt.kind {
            let t = self.ty(chan);
            let elem = self.chan_elem(t);
            let ch = self.expr(chan, None);
            let ch = self.keep_pointer(ch);
            let ei = self.info(elem);
            // Into a slot of its own: the case names it until the select is done.
            let v = self.alloc.take(&ei);
            self.expr_as(value, elem, Some(v));
            return (ch, v, Comm::Send, ei.slots);
        }
        let Some(chan) = receive_operand(stmt) else {
            self.unsupported(stmt.pos, "internal: select case");
            return (Slot::NONE, Slot::NONE, Comm::Send, 0);
        };
        let t = self.ty(chan);
        let elem = self.chan_elem(t);
        let ei = self.info(elem);
        let ch = self.expr(chan, None);
        let ch = self.keep_pointer(ch);
        let wanted = !matches!(stmt.kind, StmtKind::Expr(_));
        let v = if wanted {
            self.alloc.take(&ei)
        } else {
            Slot::NONE
        };
        let n = ei.slots;
        (
            ch,
            v,
            Comm::Recv {
                value: v,
                elem: ei,
                stmt,
            },
            n,
        )
    }

    fn keep_pointer(&mut self, s: Slot) -> Slot {
        let p = self.alloc.pointer();
        emit!(self, Mov, p, s);
        p
    }

    fn chan_elem(&mut self, t: TypeId) -> TypeId {
        match self.c.ck.under_type(t).clone() {
            Type::Chan { elem, .. } => self.subst(elem),
            _ => TypeId::INVALID,
        }
    }

    /// Assigns what a case received.
    fn received(&mut self, stmt: &'static Stmt, value: Slot, ok: Slot, elem: &Rc<TypeInfo>) {
        self.huge_received(value, elem);
        if value != Slot::NONE && !elem.is_wide() {
            self.extend_narrow(value, value, elem);
        }
        let (lhs, define): (&'static [Expr], bool) = match &stmt.kind {
            StmtKind::Assign { lhs, .. } => (lhs, false),
            StmtKind::Define { lhs, .. } => (lhs, true),
            _ => return,
        };
        for (i, l) in lhs.iter().enumerate() {
            if super::control::is_blank(l) {
                continue;
            }
            let (v, t) = if i == 0 {
                (value, elem.ty)
            } else {
                (ok, TypeId::BOOL)
            };
            if define && let Some(&obj) = self.c.ck.info.defs.get(&l.id) {
                let ti = self.info(t);
                let loc = self.declare(obj);
                self.store_loc(loc, &ti, v);
            } else {
                self.assign_slot(l, v, t);
            }
        }
    }
}

/// The channel of a case that receives.
fn receive_operand(stmt: &'static Stmt) -> Option<&'static Expr> {
    let e = match &stmt.kind {
        StmtKind::Expr(e) => e,
        StmtKind::Assign { rhs, .. } | StmtKind::Define { rhs, .. } => rhs.first()?,
        _ => return None,
    };
    match &e.unparen().kind {
        ExprKind::Unary { op: UnOp::Recv, x } => Some(x),
        _ => None,
    }
}
