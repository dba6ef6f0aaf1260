//! Range over functions.
//!
//! The body becomes a function `func(k, v) bool` that shares the variables it mentions as a literal
//! would (so those that are assigned live in boxes), and the loop becomes a call. How the body was
//! left is told by a heap object of two words: the *state* says whether the body may be called, the
//! *exit* which jump out of the body is to be made when the call has returned: 0 none, else the
//! number of an entry of [`YieldExits::exits`]. A `return` in the body assigns the results, which
//! live in boxes then. A `defer` in the body goes to a list that the function around the loop
//! defers to run.
//!
//! Spec: For statements with range clause.
//! Go: cmd/compile/internal/rangefunc/rewrite.go (the rules, not the way).

use super::call::Target;
use super::closure::{Capture, ClosureLayout, Literal};
use super::func::{Fun, Label, Loc, ResultVar, emit};
use super::place::Place;
use super::regalloc::Slot;
use super::walk::{self, Part};
use super::{Repr, TypeInfo};
use bytecode::func::{self as bfunc, Word};
use rustc_hash::FxHashSet;
use std::rc::Rc;
use syntax::ast::{Block, Expr, ExprKind, NodeId, RangeStmt, Stmt, StmtKind, Symbol};
use types::{ObjId, ObjKind, Type, TypeId};

// States of a loop: the arguments of runtime.rangeState.
pub(super) const READY: i64 = 0;
pub(super) const DONE: i64 = 1;
const RUNNING: i64 = 2;
const EXHAUSTED: i64 = 3;
const LOST_PANIC: i64 = 4;

// Offsets in the state object.
const STATE: u64 = 0;
const EXIT: u64 = 8;

// Offsets in the body's closure: the state object, the list of deferred calls.
const CLO_STATE: u64 = 8;
const CLO_DEFERS: u64 = 16;

/// A jump out of a body, made by the function around the loop.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Exit {
    Break(Option<Symbol>),
    Continue(Option<Symbol>),
    Goto(Symbol),
    Return,
}

/// Where a body tells how it has been left.
#[derive(Clone, Copy)]
pub(super) enum Told {
    /// In the state object, whose address is in the slot; and it returns.
    Object(Slot),
    /// In slots: the state, if anybody asks for it, and the exit. Behind the body, at a label,
    /// whether the loop goes on is what is wanted.
    Slots {
        state: Option<Slot>,
        exit: Slot,
        more: More,
        end: Label,
    },
}

/// How a body in place tells whether the loop goes on.
#[derive(Clone, Copy)]
pub(super) enum More {
    Value(Slot),
    /// By a jump, if that is so.
    Jump(Label, bool),
}

/// How to leave the body of a range-over-func.
pub(super) struct YieldExits {
    told: Told,
    /// The slot that holds the address of the list of deferred calls.
    defers: Slot,
    /// The loop's own label.
    label: Option<Symbol>,
    /// Labels inside the body.
    labels: FxHashSet<Symbol>,
    pub exits: Vec<Exit>,
}

impl YieldExits {
    pub(super) fn new(
        r: &'static RangeStmt,
        label: Option<Symbol>,
        told: Told,
        defers: Slot,
        exits: Vec<Exit>,
    ) -> YieldExits {
        let mut labels = FxHashSet::default();
        for s in &r.body.stmts {
            collect_labels(s, &mut labels);
        }
        YieldExits {
            told,
            defers,
            label,
            labels,
            exits,
        }
    }
}

impl Fun<'_> {
    /// Before a function with such loops is compiled: variables that a body shares are as if
    /// captured, and results live in boxes if a body returns.
    pub(super) fn prepare_range_funcs(&mut self, body: &'static Block, results: &[ObjId]) {
        let mut returns = false;
        for s in &body.stmts {
            self.prepare_stmt(s, &mut returns);
        }
        if returns {
            self.forced_boxes.extend(results);
        }
    }

    fn prepare_stmt(&mut self, s: &'static Stmt, returns: &mut bool) {
        if let StmtKind::Range(r) = &s.kind
            && self.is_range_func(r)
            && !self.is_iteration(r)
        {
            for id in names_in(r) {
                let Some(&obj) = self.c.ck.info.uses.get(&id) else {
                    continue;
                };
                let o = self.c.ck.obj(obj);
                let inside = o.pos > r.body.pos && o.pos < r.body.end;
                if let ObjKind::Var(v) = &o.kind
                    && !v.is_global
                    && !v.is_field
                    && !inside
                {
                    self.c.body_captured.insert(obj);
                }
            }
            *returns |= r.body.stmts.iter().any(has_return);
        }
        walk::each_part(s, &mut |p| {
            if let Part::Stmt(s) = p {
                self.prepare_stmt(s, returns);
            }
        });
    }

    fn is_range_func(&mut self, r: &'static RangeStmt) -> bool {
        let t = self.ty(&r.x);
        matches!(self.c.ck.under_type(t), Type::Signature(_))
    }

    /// A name of package runtime that the compiler uses.
    fn runtime_object(&mut self, name: &str) -> Option<ObjId> {
        let pkg = self.c.ck.import_package("runtime").ok()?;
        let obj = self.c.ck.find_in_package(pkg, Symbol::new(name))?;
        self.c.ck.ensure_decl(obj);
        Some(obj)
    }

    /// The loop: a call of the function with the body as its argument.
    pub(super) fn range_func(&mut self, s: &'static Stmt, r: &'static RangeStmt) {
        let label = self.pending_label.take();
        let ft = self.ty(&r.x);
        let Some(sig) = self.c.ck.sig(ft).cloned() else {
            return;
        };
        let Some(&param) = sig.params.first() else {
            return;
        };
        let yield_type = self.obj_type(param);
        let pointer = self.info(TypeId::UNSAFE_POINTER);
        let is_sure = self.is_iteration(r);
        let was_forced = std::mem::replace(&mut self.is_forced, is_sure);
        let iterator = self.literal_in_place(&r.x);
        self.is_forced = was_forced;
        let clo = match iterator {
            Some(Loc::Lit(lit)) if self.may_iterate(lit, r) => {
                let params = self.params_of(yield_type);
                return self.iterate(s, r, label, lit, params);
            }
            _ if is_sure && !self.dead => {
                return self.unsupported(s.pos, "internal: loop that is not in place");
            }
            Some(Loc::Lit(lit)) => self.lit_value(lit, None),
            Some(Loc::Slot(s)) => s,
            _ => self.expr(&r.x, None),
        };
        let clo = self.keep(clo, &pointer);
        self.pos = s.pos;
        let state = self.alloc.pointer();
        emit!(self, New, state, 0, 16);
        let defers = self.defer_list(r);
        // The body's closure.
        let mut layout = ClosureLayout::new();
        layout.add(&[Word::Pointer, Word::Pointer]);
        let objs = self.shared_with(r);
        let captures = self.captures_of(&self.bound(&objs), &mut layout);
        let index = self.c.reserve_part();
        let name = self.literal_name(Literal::RangeBody);
        let exits = self.compile_range_body(index, name, r, yield_type, label, &captures);
        let body = self.alloc.pointer();
        self.pos = s.pos;
        let sl = self.c.closure_size_layout(&layout);
        emit!(self, MakeClosure, body, index, sl);
        emit!(self, StorePtr, body, state, CLO_STATE);
        if defers != Slot::NONE {
            emit!(self, StorePtr, body, defers, CLO_DEFERS);
        }
        self.store_captures(body, &captures);
        // The call.
        let w = self.window_of(&sig, None);
        emit!(self, Mov, Slot::window(w.params[0]), body);
        self.emit_call(Target::Closure(clo), &w);
        // What has become of it.
        let st = self.alloc.scalar();
        let fine = self.label();
        emit!(self, Load64, st, state, STATE);
        emit!(self, JumpNeImm, st, RUNNING, fine);
        self.bad_state(Some(LOST_PANIC), st);
        self.bind(fine);
        emit!(self, LoadImm, st, EXHAUSTED);
        emit!(self, Store64, state, st, STATE);
        if exits.is_empty() {
            return;
        }
        emit!(self, Load64, st, state, EXIT);
        self.take_exit(&exits, st);
    }

    /// Behind the loop: takes the exit whose number is in the slot.
    pub(super) fn take_exit(&mut self, exits: &[Exit], st: Slot) {
        if exits.is_empty() {
            return;
        }
        let end = self.label();
        emit!(self, JumpEqImm, st, 0, end);
        for (i, exit) in exits.iter().enumerate() {
            let next = self.label();
            if i + 1 < exits.len() {
                emit!(self, JumpNeImm, st, i + 1, next);
            }
            match *exit {
                Exit::Break(l) => self.break_stmt(l),
                Exit::Continue(l) => self.continue_stmt(l),
                Exit::Goto(l) => self.goto_stmt(l),
                Exit::Return => self.return_as_set(),
            }
            self.bind(next);
        }
        self.bind(end);
    }

    /// The results have been set by the body: returns.
    fn return_as_set(&mut self) {
        if self.yield_exits.is_some() {
            self.leave(Exit::Return);
        } else if self.has_defer {
            self.return_after_defers();
        } else {
            self.finish_return();
        }
    }

    /// Calls runtime.rangeState, which panics.
    pub(super) fn bad_state(&mut self, state: Option<i64>, st: Slot) {
        let Some(obj) = self.runtime_object("rangeState") else {
            return;
        };
        let f = self.c.func_of(obj, Vec::new());
        let w = super::abi::window([], [8]);
        self.win_max = self.win_max.max(w.len());
        match state {
            Some(k) => emit!(self, LoadImm, Slot::window(w.params[0]), k),
            None => emit!(self, Mov, Slot::window(w.params[0]), st),
        }
        self.emit_call(Target::Func(f), &w);
    }

    /// The list for deferred calls of the loop's body, if that defers:
    /// made, and deferred to run, by the outermost loop.
    fn defer_list(&mut self, r: &'static RangeStmt) -> Slot {
        if !r.body.stmts.iter().any(has_defer) {
            return Slot::NONE;
        }
        if let Some(y) = &self.yield_exits {
            return y.defers;
        }
        let Some(obj) = self.runtime_object("deferList") else {
            return Slot::NONE;
        };
        let t = self.c.ck.obj(obj).ty;
        let ti = self.info(t);
        let list = self.alloc.pointer();
        emit!(self, New, list, ti.rtype.layout, ti.size);
        emit!(self, DeferList, list);
        list
    }

    /// Variables of this function that the body mentions, and the results if it returns.
    fn shared_with(&mut self, r: &'static RangeStmt) -> Vec<ObjId> {
        let mut objs: Vec<ObjId> = names_in(r)
            .iter()
            .filter_map(|id| self.c.ck.info.uses.get(id).copied())
            .collect();
        if r.body.stmts.iter().any(has_return) {
            objs.extend(self.results.iter().filter_map(|r| r.obj));
        }
        let mut seen = FxHashSet::default();
        objs.retain(|o| self.vars.contains_key(o) && seen.insert(*o));
        objs
    }

    /// The types of what is yielded.
    fn params_of(&mut self, yield_type: TypeId) -> Vec<TypeId> {
        match self.c.ck.sig(yield_type).cloned() {
            Some(sig) => sig.params.iter().map(|p| self.obj_type(*p)).collect(),
            None => Vec::new(),
        }
    }

    /// Compiles the body as a function of its own. Returns the jumps out of it.
    fn compile_range_body(
        &mut self,
        index: u32,
        name: String,
        r: &'static RangeStmt,
        yield_type: TypeId,
        label: Option<Symbol>,
        captures: &[Capture],
    ) -> Vec<Exit> {
        let results: Vec<ResultVar> = self.results.clone();
        let (pkg, env) = (self.pkg_here(), self.env.clone());
        let (is_copy, open) = (self.is_copy, self.open_functions());
        let mut f = Fun::new(self.c, index, name, pkg, env);
        (f.is_copy, f.open) = (is_copy, open);
        f.flags |= bfunc::CLOSURE;
        f.is_leaf = false;
        f.pos = r.range_pos;
        let params = f.params_of(yield_type);
        let infos: Vec<Rc<TypeInfo>> = params.iter().map(|t| f.info(*t)).collect();
        let boolean = f.info(TypeId::BOOL);
        f.layout_fixed(&[boolean], &infos);
        let clo = Slot::fixed(f.window.closure);
        let (state, defers) = (f.alloc.pointer(), f.alloc.pointer());
        emit!(f, Load64, state, clo, CLO_STATE);
        emit!(f, Load64, defers, clo, CLO_DEFERS);
        f.load_captures(captures);
        f.results = results;
        let told = Told::Object(state);
        let exits = YieldExits::new(r, label, told, defers, Vec::new());
        f.yield_exits = Some(Box::new(exits));
        // May it be called?
        let ready = f.label();
        let st = f.alloc.scalar();
        emit!(f, Load64, st, state, STATE);
        emit!(f, JumpEqImm, st, READY, ready);
        f.bad_state(None, st);
        f.bind(ready);
        f.set_state(RUNNING);
        let yielded: Vec<(Slot, TypeId)> = params
            .iter()
            .enumerate()
            .map(|(i, t)| match infos[i].slots {
                0 => (Slot::NONE, *t),
                _ => (Slot::fixed(f.window.params[i]), *t),
            })
            .collect();
        f.give_yielded(r, &yielded);
        f.block(&r.body);
        if !f.dead {
            f.next_iteration();
        }
        let exits = f.yield_exits.take().map_or(Vec::new(), |y| y.exits);
        f.finish();
        exits
    }

    /// Gives yielded values to the loop's variables or places: one after the other, as Go's
    /// compiler rewrites it.
    pub(super) fn give_yielded(&mut self, r: &'static RangeStmt, yielded: &[(Slot, TypeId)]) {
        for (e, &(slot, t)) in [&r.key, &r.value].into_iter().zip(yielded) {
            if let Some(e) = e {
                self.yielded(r, e, t, slot);
            }
        }
    }

    /// Gives a yielded value to the loop's variable or place.
    fn yielded(&mut self, r: &'static RangeStmt, e: &'static Expr, t: TypeId, slot: Slot) {
        if super::control::is_blank(e) {
            return;
        }
        let ti = self.info(t);
        if r.define {
            let Some(&obj) = self.c.ck.info.defs.get(&e.id) else {
                return;
            };
            if ti.repr == Repr::Huge {
                self.vars.insert(obj, Loc::Box(slot));
            } else if self.is_boxed(obj) {
                let b = self.new_box(&ti);
                self.store_mem(b, 0, &ti, slot);
                self.vars.insert(obj, Loc::Box(b));
            } else {
                self.vars.insert(obj, Loc::Slot(slot));
            }
            return;
        }
        let mark = self.alloc.mark();
        let to = self.ty(e);
        let (v, vi) = self.assignable(slot, t, to);
        let place = self.place(e);
        self.store(place, &vi, v);
        self.alloc.release(mark);
    }

    fn set_state(&mut self, state: i64) {
        match self.yield_exits.as_ref().map(|y| y.told) {
            Some(Told::Object(at)) => self.store_number(at, STATE, state),
            // In place the body never begins while it runs.
            Some(Told::Slots {
                state: Some(slot), ..
            }) if state == DONE => self.load_imm(slot, DONE),
            _ => {}
        }
    }

    fn store_number(&mut self, at: Slot, off: u64, number: i64) {
        let mark = self.alloc.mark();
        let t = self.alloc.scalar();
        self.load_imm(t, number);
        emit!(self, Store64, at, t, off);
        self.alloc.release(mark);
    }

    /// The end of the body: does the loop go on?
    fn end_body(&mut self, goes_on: bool) {
        match self.yield_exits.as_ref().map(|y| y.told) {
            Some(Told::Object(_)) => emit!(self, RetImm, goes_on),
            Some(Told::Slots { more, end, .. }) => match more {
                More::Value(slot) => {
                    self.load_imm(slot, goes_on.into());
                    self.jump(end);
                }
                More::Jump(to, sense) => self.jump(if goes_on == sense { to } else { end }),
            },
            None => {}
        }
    }

    /// Leaves the body for the next iteration.
    pub(super) fn next_iteration(&mut self) {
        self.set_state(READY);
        self.end_body(true);
    }

    /// Leaves the body for good; the function around the loop goes on as `exit` says.
    fn leave(&mut self, exit: Exit) {
        let Some(y) = &mut self.yield_exits else {
            return;
        };
        let number = match y.exits.iter().position(|e| *e == exit) {
            _ if exit == Exit::Break(None) => 0,
            Some(i) => i + 1,
            None => {
                y.exits.push(exit);
                y.exits.len()
            }
        };
        let told = y.told;
        self.set_state(DONE);
        if number != 0 {
            match told {
                Told::Object(at) => self.store_number(at, EXIT, number as i64),
                Told::Slots { exit, .. } => self.load_imm(exit, number as i64),
            }
        }
        self.end_body(false);
    }

    /// `break` or `continue` that names no statement inside the body.
    pub(super) fn leave_range_body(&mut self, label: Option<Symbol>, cont: bool) {
        let Some(y) = &self.yield_exits else {
            let pos = self.pos;
            return self.unsupported(pos, "internal: jump without a target");
        };
        let own = label.is_none() || label == y.label;
        match (cont, own) {
            (true, true) => self.next_iteration(),
            (true, false) => self.leave(Exit::Continue(label)),
            (false, true) => self.leave(Exit::Break(None)),
            (false, false) => self.leave(Exit::Break(label)),
        }
    }

    /// A goto; true if it leaves the body.
    pub(super) fn leaves_range_body_goto(&mut self, name: Symbol) -> bool {
        let inside = self
            .yield_exits
            .as_ref()
            .is_some_and(|y| y.labels.contains(&name));
        if !inside {
            self.leave(Exit::Goto(name));
        }
        !inside
    }

    /// A return statement in the body: sets the results of the function around it.
    pub(super) fn return_from_range_body(&mut self, s: &'static Stmt, values: &'static [Expr]) {
        self.set_results(s.pos, values);
        self.pos = s.pos;
        self.leave(Exit::Return);
    }

    /// A defer statement in the body: onto the list of the function around it.
    pub(super) fn defer_in_range_body(&mut self, clo: Slot) {
        let Some(y) = &self.yield_exits else { return };
        let list = y.defers;
        let Some(obj) = self.runtime_object("deferList") else {
            return;
        };
        let t = self.c.ck.obj(obj).ty;
        let ti = self.info(t);
        let elem = ti.rtype.fields[0].typ.elem;
        let bytes = self.c.ck.types.slice(TypeId::BYTE);
        let si = self.info(bytes);
        let calls = self.alloc.take(&si);
        self.load(Place::Mem { ptr: list, off: 0 }, &si, Some(calls));
        emit!(self, PushPtr, calls, calls, clo, elem.word());
        self.store_mem(list, 0, &si, calls);
    }
}

/// Is there a `return` in the statement?
pub(super) fn has_return(s: &'static Stmt) -> bool {
    any_stmt(s, &mut |s| matches!(s.kind, StmtKind::Return(_)))
}

/// Is there a `defer` in the statement?
pub(super) fn has_defer(s: &'static Stmt) -> bool {
    any_stmt(s, &mut |s| matches!(s.kind, StmtKind::Defer(_)))
}

fn any_stmt(s: &'static Stmt, is: &mut dyn FnMut(&'static Stmt) -> bool) -> bool {
    let mut found = is(s);
    walk::each_part(s, &mut |p| {
        if let Part::Stmt(s) = p {
            found = found || any_stmt(s, is);
        }
    });
    found
}

fn collect_labels(s: &'static Stmt, to: &mut FxHashSet<Symbol>) {
    if let StmtKind::Labeled { label, .. } = &s.kind {
        to.insert(label.name);
    }
    walk::each_part(s, &mut |p| {
        if let Part::Stmt(s) = p {
            collect_labels(s, to);
        }
    });
}

/// The names that the loop mentions: in what it assigns to, and in its body.
fn names_in(r: &'static RangeStmt) -> Vec<NodeId> {
    let mut names = Vec::new();
    let mut note = |e: &'static Expr| {
        if let ExprKind::Name(_) = e.kind {
            names.push(e.id);
        }
    };
    if !r.define {
        let assigned = r.key.iter().chain(&r.value);
        assigned.for_each(|e| walk::expr(e, &mut note));
    }
    walk::block(&r.body, &mut note);
    names
}
