//! The end of a function: its results find their places, deferred calls run, and it returns.
//!
//! Spec: Return statements, Defer statements.

use super::Repr;
use super::assign::overlaps;
use super::func::{Fun, Loc, ResultVar, emit};
use super::inline::Wanted;
use super::place::Place;
use super::regalloc::Slot;
use syntax::ast::{Expr, ExprKind, Stmt};
use types::TypeId;

impl Fun<'_> {
    pub(super) fn return_stmt(&mut self, s: &'static Stmt, values: &'static [Expr]) {
        if self.yield_exits.is_some() {
            return self.return_from_range_body(s, values);
        }
        if let ([value], Some(i)) = (values, self.inlining.last()) {
            match i.wanted {
                Wanted::Lit => {
                    if let Some(Loc::Lit(lit)) = self.literal_in_place(value) {
                        self.inlining.last_mut().expect("it is wanted by one").lit = Some(lit);
                        return self.finish_return();
                    }
                }
                Wanted::Jump(target, sense) => {
                    self.cond(value, target, sense);
                    self.pos = s.pos;
                    return self.finish_return();
                }
                Wanted::Value => {}
            }
        }
        self.set_results(s.pos, values);
        self.pos = s.pos;
        if self.has_defer {
            self.return_after_defers();
        } else {
            self.finish_return();
        }
    }

    /// Evaluates the operands of a return statement to the results' places.
    pub(super) fn set_results(&mut self, pos: source::Pos, values: &'static [Expr]) {
        let results = self.results.clone();
        if values.is_empty() || results.is_empty() {
            return;
        }
        let mark = self.alloc.mark();
        let types: Vec<TypeId> = results
            .iter()
            .map(|r| match r.obj {
                Some(o) => self.obj_type(o),
                None => r.ti.ty,
            })
            .collect();
        if values.len() == 1 && results.len() > 1 {
            let values = self.tuple_values(&values[0], false);
            for ((v, t), (r, to)) in values.into_iter().zip(results.iter().zip(&types)) {
                let (v, _) = self.assignable(v, t, *to);
                self.store_result(r, v);
            }
        } else if let ([v], [r], [t]) = (values, &results[..], &types[..]) {
            match self.result_place(r) {
                Place::Slot(d) if r.ti.repr != Repr::Huge && self.result_writes_last(r, v) => {
                    self.expr_as(v, *t, Some(d));
                }
                _ => {
                    let is_itself = self.is_itself(r, v);
                    let v = self.expr_as_loose(v, *t);
                    self.pos = pos;
                    if !is_itself {
                        self.store_result(r, v);
                    }
                }
            }
        } else {
            // Straight into the result slots when nothing that comes later can see or lose them.
            let direct = !self.has_defer
                && results.iter().all(|r| {
                    let slot = r.obj.and_then(|o| self.vars.get(&o));
                    !self.is_named(r)
                        && r.ti.repr != Repr::Huge
                        && !matches!(slot, Some(Loc::Box(_)))
                })
                && !values.iter().any(|v| self.c.is_complex(v));
            let mut slots = vec![Slot::NONE; values.len()];
            let list: Vec<_> = values.iter().zip(types.iter().copied()).collect();
            self.list_in_turn(&list, |f| {
                for (i, (&(v, t), r)) in list.iter().zip(&results).enumerate() {
                    if direct {
                        let d = if r.ti.slots == 0 { Slot::NONE } else { r.slot };
                        f.expr_as(v, t, Some(d));
                        continue;
                    }
                    let s = f.expr_as(v, t, None);
                    // A result variable may be assigned before this is stored.
                    let is_result =
                        |r: &ResultVar| overlaps(r.slot, r.ti.slots, s, r.ti.slots.max(1));
                    let is_fixed = s != Slot::NONE && s.area() == super::regalloc::FIXED;
                    slots[i] = match is_fixed || results.iter().any(is_result) {
                        true => f.keep(s, &r.ti),
                        false => s,
                    };
                }
            });
            self.pos = pos;
            if !direct {
                for ((r, s), v) in results.iter().zip(slots).zip(values) {
                    if !self.is_itself(r, v) {
                        self.store_result(r, s);
                    }
                }
            }
        }
        self.alloc.release(mark);
    }

    fn is_named(&self, r: &super::func::ResultVar) -> bool {
        r.obj.is_some_and(|o| {
            let name = self.c.ck.obj(o).name.as_str();
            !name.is_empty() && name != "_"
        })
    }

    /// Is `v` the variable of the result, which others share? It is not written then.
    fn is_itself(&self, r: &ResultVar, v: &Expr) -> bool {
        let v = v.unparen();
        let is_shared = |o| matches!(self.vars.get(&o), Some(Loc::Box(_)));
        matches!(v.kind, ExprKind::Name(_))
            && r.obj
                .is_some_and(|o| is_shared(o) && self.c.ck.info.object(v.id) == Some(o))
    }

    fn result_writes_last(&self, r: &super::func::ResultVar, v: &Expr) -> bool {
        // In functions that defer, an unfinished value must not be seen by a recovery.
        let lit = matches!(v.unparen().kind, ExprKind::CompositeLit { .. });
        if lit && self.has_defer {
            return false;
        }
        r.obj
            .is_none_or(|o| !self.is_named(r) || self.writes_last(v, o))
    }

    /// Where a result is kept while the function runs.
    fn result_place(&mut self, r: &super::func::ResultVar) -> Place {
        match r.obj.and_then(|o| self.vars.get(&o).copied()) {
            Some(Loc::Box(b)) => Place::Mem { ptr: b, off: 0 },
            Some(Loc::Slot(s)) => Place::Slot(s),
            _ => Place::Slot(if r.ti.slots == 0 { Slot::NONE } else { r.slot }),
        }
    }

    fn store_result(&mut self, r: &super::func::ResultVar, v: Slot) {
        let boxed = r
            .obj
            .is_some_and(|o| matches!(self.vars.get(&o), Some(Loc::Box(_))));
        if r.ti.repr == Repr::Huge && !boxed {
            self.mov_n(r.slot, v, 1);
            return;
        }
        let place = self.result_place(r);
        self.store(place, &r.ti, v);
    }

    /// Runs the deferred calls, then returns.
    pub(super) fn return_after_defers(&mut self) {
        self.win_max = self.win_max.max(1);
        emit!(self, Nop);
        emit!(self, RunDefers, Slot::window(0));
        self.finish_return();
    }

    /// Copies boxed results to their slots and returns.
    pub(super) fn finish_return(&mut self) {
        if self.has_defer
            && self
                .code
                .last()
                .is_none_or(|i| i.op != bytecode::op::Op::RunDefers)
        {
            // The end of a body.
            self.win_max = self.win_max.max(1);
            // A return address is looked up one byte before:
            // there must be an instruction of this line.
            emit!(self, Nop);
            emit!(self, RunDefers, Slot::window(0));
        }
        for r in self.results.clone() {
            let Some(Loc::Box(b)) = r.obj.and_then(|o| self.vars.get(&o).copied()) else {
                continue;
            };
            if r.ti.repr == Repr::Huge {
                if b != r.slot {
                    let mark = self.alloc.mark();
                    let fresh = self.alloc.pointer();
                    emit!(self, New, fresh, r.ti.rtype.layout, r.ti.size);
                    emit!(self, CopyTyped, fresh, b, r.ti.rtype.layout, r.ti.size);
                    emit!(self, Mov, r.slot, fresh);
                    self.alloc.release(mark);
                }
            } else if r.ti.slots > 0 {
                self.load_mem(r.slot, b, 0, &r.ti);
            }
        }
        self.emit_ret();
    }

    /// The return instruction; a move or constant just before it is fused.
    fn emit_ret(&mut self) {
        use bytecode::op::Op;
        if let Some(end) = self.end_of_inlined() {
            return self.jump(end);
        }
        let at = self.code.len() as u32;
        if !self.dead
            && let Some(last) = self.code.last().copied()
            && last.args[0] == i64::from(Slot::fixed(0).0)
            && self.last_bound != at
        {
            match last.op {
                Op::Mov => {
                    self.code.pop();
                    self.put(Op::RetMov, &[last.args[1]]);
                    return;
                }
                Op::LoadImm => {
                    self.code.pop();
                    self.put(Op::RetImm, &[last.args[1]]);
                    return;
                }
                _ => {}
            }
        }
        emit!(self, Ret);
    }
}
