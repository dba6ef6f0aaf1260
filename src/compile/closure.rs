//! Function literals, and the thunks of `go` and `defer`.
//!
//! A func value points to `{function index, captures…}`. A variable that is assigned after its
//! declaration is captured by the address of its box, any other by value. The callee loads its
//! captures into locals when it starts.
//!
//! `go f(x)` and `defer f(x)` evaluate f and x at once into the captures of a thunk without
//! parameters, which makes the call.
//!
//! Spec: Function literals, Go statements, Defer statements.

use super::func::{Fun, Loc, emit};
use super::inline::Owner;
use super::place::Place;
use super::regalloc::Slot;
use super::{Compiler, Job, LitJob, Repr, TypeInfo};
use bytecode::func::{self as bfunc, Word};
use bytecode::pair::Pair;
use std::rc::Rc;
use syntax::ast::{Expr, ExprKind, NodeId};
use types::{ObjId, SelectionKind, TypeId};

/// A captured variable: where it lies in the closure.
#[derive(Clone)]
pub(super) struct Capture {
    pub obj: ObjId,
    ti: Rc<TypeInfo>,
    /// By address of its box; else by value.
    pub boxed: bool,
    pub offset: u64,
    /// Where it lies in the function that makes the closure.
    loc: Loc,
}

pub(super) enum LitKind {
    Lit {
        e: &'static Expr,
        captures: Vec<Capture>,
    },
    Thunk(Thunk),
}

/// The call of a `go` or `defer` statement, its parts evaluated.
pub(super) struct Thunk {
    pub call: &'static Expr,
    pub parts: Vec<Part>,
}

/// An expression evaluated beforehand, at an offset in the closure.
pub(super) struct Part {
    pub id: NodeId,
    pub(crate) ti: Rc<TypeInfo>,
    pub offset: u64,
}

/// What of a function becomes a function of its own.
/// Go: cmd/compile/internal/ir/func.go, closureName.
#[derive(Clone, Copy)]
pub(super) enum Literal {
    /// A function literal.
    Func,
    /// The body of a range-over-func.
    RangeBody,
    /// The call of a go statement.
    Go,
    /// The call of a defer statement.
    Defer,
}

impl Literal {
    /// Kinds that are numbered by themselves.
    pub(super) const GROUPS: usize = 3;

    /// Which of them this belongs to.
    fn group(self) -> usize {
        match self {
            Literal::Func => 0,
            Literal::RangeBody => 1,
            Literal::Go | Literal::Defer => 2,
        }
    }
}

/// The layout of a closure under construction.
pub(super) struct ClosureLayout {
    pub words: Vec<Word>,
}

impl ClosureLayout {
    pub(super) fn new() -> ClosureLayout {
        ClosureLayout {
            words: vec![Word::Scalar],
        }
    }
    /// Room for a value; its offset in bytes.
    pub(super) fn add(&mut self, words: &[Word]) -> u64 {
        let at = self.words.len() as u64 * 8;
        self.words.extend_from_slice(words);
        at
    }
}

impl Compiler {
    /// size | layout << 32 of a func value.
    pub(super) fn closure_size_layout(&mut self, closure: &ClosureLayout) -> u64 {
        let layout = self.layout_of_words(&closure.words);
        Pair::small(closure.words.len() as u64 * 8, layout.into()).word()
    }
}

impl Fun<'_> {
    /// The name of the next function that is made of a part of this one.
    pub(super) fn literal_name(&mut self, kind: Literal) -> String {
        let in_place = self.inlining.last_mut();
        let (name, literals, is_closure) = match in_place {
            Some(i) => (i.name, &mut i.literals, i.is_nested),
            None => {
                let is_closure = self.flags & bfunc::CLOSURE != 0;
                (&*self.name, &mut self.literals, is_closure)
            }
        };
        let n = &mut literals[kind.group()];
        *n += 1;
        match kind {
            Literal::Func if is_closure => format!("{name}.{n}"),
            Literal::Func => format!("{name}.func{n}"),
            Literal::RangeBody => format!("{name}-range{n}"),
            Literal::Go => format!("{name}.gowrap{n}"),
            Literal::Defer => format!("{name}.deferwrap{n}"),
        }
    }

    /// What a closure captures that shares the variables with this function.
    pub(super) fn captures_of(
        &mut self,
        bound: &[(ObjId, Loc)],
        layout: &mut ClosureLayout,
    ) -> Vec<Capture> {
        let mut captures = Vec::new();
        for &(obj, loc) in bound {
            let ti = self.obj_info(obj);
            let (boxed, offset) = match loc {
                Loc::Box(_) => (true, layout.add(&[Word::Pointer])),
                _ => (false, layout.add(&ti.words)),
            };
            captures.push(Capture {
                obj,
                ti,
                boxed,
                offset,
                loc,
            });
        }
        captures
    }

    /// Stores the captures into the closure at R[clo].
    pub(super) fn store_captures(&mut self, clo: Slot, captures: &[Capture]) {
        for c in captures {
            if let Loc::Box(b) = c.loc {
                emit!(self, StorePtr, clo, b, c.offset);
                continue;
            }
            let mark = self.alloc.mark();
            let place = self.loc_place(c.loc);
            let s = self.load(place, &c.ti, None);
            self.store_whole(clo, c.offset, &c.ti, s);
            self.alloc.release(mark);
        }
    }

    /// Stores a value's whole slots (closures keep values as slots do).
    pub(super) fn store_whole(&mut self, ptr: Slot, off: u64, ti: &TypeInfo, src: Slot) {
        match ti.repr {
            Repr::Zero => {}
            Repr::Int(_) | Repr::F32 | Repr::F64 | Repr::C64 => emit!(self, Store64, ptr, src, off),
            Repr::Huge => emit!(self, StorePtr, ptr, src, off),
            _ => {
                let mark = self.alloc.mark();
                let (p, off) = if off < 0x1_0000 {
                    (ptr, off)
                } else {
                    (self.address(Place::Mem { ptr, off }), 0)
                };
                match ti.repr {
                    Repr::Agg => {
                        let layout = ti.rtype.layout;
                        emit!(
                            self,
                            StoreTyped,
                            p,
                            src,
                            off,
                            Pair::small(u64::from(ti.slots) * 8, layout.into()).word()
                        );
                    }
                    _ => self.store_mem(p, off, ti, src),
                }
                self.alloc.release(mark);
            }
        }
    }

    /// Loads what `store_whole` stored.
    pub(super) fn load_whole(&mut self, d: Slot, ptr: Slot, off: u64, ti: &TypeInfo) {
        match ti.slots {
            0 => {}
            1 => emit!(self, Load64, d, ptr, off),
            2 => emit!(self, Load2, d, ptr, off),
            3 => emit!(self, Load3, d, ptr, off),
            n => emit!(self, LoadN, d, ptr, off, u64::from(n) * 8),
        }
    }

    /// A function literal as a value.
    pub(super) fn func_lit(&mut self, e: &'static Expr, dst: Option<Slot>) -> Slot {
        let mut layout = ClosureLayout::new();
        let captures = self.captures_of(&self.bound(&self.captured_by(e)), &mut layout);
        let index = self.new_literal(e, &captures);
        self.make_closure(e, index, &captures, &layout, dst)
    }

    /// A func value of the literal `e`.
    pub(super) fn make_closure(
        &mut self,
        e: &'static Expr,
        index: u32,
        captures: &[Capture],
        layout: &ClosureLayout,
        dst: Option<Slot>,
    ) -> Slot {
        if captures.is_empty() {
            return self.func_value(index, dst);
        }
        let mark = self.alloc.mark();
        let clo = self.alloc.pointer();
        self.pos = e.pos;
        let sl = self.c.closure_size_layout(layout);
        emit!(self, MakeClosure, clo, index, sl);
        self.store_captures(clo, captures);
        self.alloc.release(mark);
        let d = match dst {
            Some(d) => d,
            None => self.alloc.pointer(),
        };
        self.mov_n(d, clo, 1);
        d
    }

    /// The index of a literal that captures nothing, so that it can be called directly.
    pub(super) fn plain_literal(&mut self, e: &'static Expr) -> Option<u32> {
        if !self.bound(&self.captured_by(e)).is_empty() {
            return None;
        }
        Some(self.new_literal(e, &[]))
    }

    /// The variables that the literal mentions, of functions around it.
    pub(super) fn captured_by(&self, e: &Expr) -> Vec<ObjId> {
        self.c
            .ck
            .info
            .captures
            .get(&e.id)
            .cloned()
            .unwrap_or_default()
    }

    /// Do functions made of parts of this one stand in a body that is compiled in place?
    pub(super) fn makes_copies(&self) -> bool {
        self.is_copy || !self.inlining.is_empty()
    }

    /// Functions in whose text parts of this one may stand: their variables have places there.
    pub(super) fn open_functions(&self) -> Rc<[ObjId]> {
        let in_place = self.inlining.iter().filter_map(|i| match i.owner {
            Owner::Func(obj) => Some(obj),
            _ => None,
        });
        let outer = self.open.iter().copied();
        outer.chain(self.own).chain(in_place).collect()
    }

    /// The function of the literal `e`, by the next name.
    fn new_literal(&mut self, e: &'static Expr, captures: &[Capture]) -> u32 {
        let name = self.literal_name(Literal::Func);
        let captures = captures.to_vec();
        self.new_part(name, LitKind::Lit { e, captures })
    }

    /// A function that is made of a part of what is being compiled.
    fn new_part(&mut self, name: String, kind: LitKind) -> u32 {
        self.queue_part(LitJob {
            name,
            pkg: self.pkg_here(),
            env: self.env.clone(),
            is_copy: self.makes_copies(),
            open: self.open_functions(),
            kind,
        })
    }

    /// A function of a part, to be compiled.
    pub(super) fn queue_part(&mut self, job: LitJob) -> u32 {
        let index = self.c.reserve_part();
        self.c.work.push((index, Job::Lit(Box::new(job))));
        index
    }

    /// Compiles a queued function literal.
    pub(super) fn compile_func_lit(&mut self, e: &'static Expr, captures: &[Capture]) {
        let ExprKind::FuncLit { body, .. } = &e.kind else {
            return;
        };
        self.flags |= bfunc::CLOSURE;
        self.pos = e.pos;
        // The declared signature: the body mentions its parameters, not those of an instance.
        let t = self.c.ck.info.type_of(e);
        let Some(sig) = self.c.ck.sig(t).cloned() else {
            return;
        };
        self.analyze(body, &sig.results);
        self.prologue(&sig.params, &sig.results);
        self.load_captures(captures);
        self.body(body);
    }

    /// Brings captures into locals.
    pub(super) fn load_captures(&mut self, captures: &[Capture]) {
        let clo = Slot::fixed(self.window.closure);
        self.closure = Some(clo);
        for c in captures {
            self.captured.insert(c.obj);
            if c.boxed {
                let b = self.alloc.pointer();
                emit!(self, Load64, b, clo, c.offset);
                self.vars.insert(c.obj, Loc::Box(b));
            } else {
                let s = self.alloc.take(&c.ti);
                self.load_whole(s, clo, c.offset, &c.ti);
                self.vars.insert(c.obj, Loc::Slot(s));
            }
        }
    }

    /// The func value, without parameters and results,
    /// that makes the call `e` of a `go` or `defer` statement.
    pub(super) fn call_thunk(&mut self, e: &'static Expr, is_go: bool) -> Slot {
        let e = e.unparen();
        self.ordered(e, |f| f.thunk_of(e, is_go))
    }

    fn thunk_of(&mut self, e: &'static Expr, is_go: bool) -> Slot {
        let ExprKind::Call { fun, args, .. } = &e.kind else {
            return Slot::NONE;
        };
        let builtin = self.builtin_of(fun);
        let ft = self.ty(fun);
        let sig = self.c.ck.sig(ft).cloned();
        if let Some(sig) = &sig
            && builtin.is_none()
            && args.is_empty()
            && sig.params.is_empty()
            && sig.results.is_empty()
        {
            // A func value of the right type already.
            let f = self.c.method_selector(fun);
            let is_method = self
                .c
                .selection(f)
                .is_some_and(|s| s.kind == SelectionKind::MethodVal);
            if !is_method {
                return self.expr(fun, None);
            }
        }
        // Which expressions are evaluated now.
        let mut now: Vec<&'static Expr> = Vec::new();
        if builtin.is_none() {
            let f = self.c.method_selector(fun);
            match &f.kind {
                ExprKind::Selector { x, .. } => match self.c.selection(f).map(|s| s.kind) {
                    Some(SelectionKind::MethodVal) => now.push(x),
                    Some(SelectionKind::FieldVal) => now.push(f),
                    _ => {
                        let object = self.c.ck.info.object(match &f.kind {
                            ExprKind::Selector { sel, .. } => sel.id,
                            _ => f.id,
                        });
                        if object.is_some_and(|o| {
                            matches!(self.c.ck.obj(o).kind, types::ObjKind::Var(_))
                        }) {
                            now.push(f);
                        }
                    }
                },
                ExprKind::Name(_) => {
                    let object = self.c.ck.info.object(f.id);
                    if object
                        .is_some_and(|o| matches!(self.c.ck.obj(o).kind, types::ObjKind::Var(_)))
                    {
                        now.push(f);
                    }
                }
                ExprKind::Index { x, .. }
                    if matches!(self.c.under_type_of(x), Some(types::Type::Signature(_))) => {}
                _ => now.push(f),
            }
        }
        now.extend(args.iter());
        self.note_passed(args);
        let mut layout = ClosureLayout::new();
        let mut parts = Vec::new();
        let mut values: Vec<(Slot, Rc<TypeInfo>, u64)> = Vec::new();
        for x in now {
            if self.c.ck.info.is_type(x) || self.c.ck.info.value_of(x).is_some() {
                continue;
            }
            if self
                .c
                .ck
                .info
                .get(x.id)
                .is_some_and(|tv| tv.mode == types::Mode::Nil)
            {
                continue;
            }
            if let Some(types) = self.tuple_of(x) {
                // f(g()): the results one by one, under the ids of a private range.
                let results = self.call(x.unparen(), None);
                for (i, t) in types.iter().enumerate() {
                    let ti = self.info(*t);
                    let s = self.keep(results[i], &ti);
                    let offset = layout.add(&ti.words);
                    values.push((s, ti.clone(), offset));
                    parts.push(Part {
                        id: tuple_part(x.unparen().id, i),
                        ti,
                        offset,
                    });
                }
                continue;
            }
            let (s, ti) = self.thunk_part(fun, x);
            let offset = layout.add(&ti.words);
            values.push((s, ti.clone(), offset));
            parts.push(Part {
                id: x.id,
                ti,
                offset,
            });
        }
        let name = self.literal_name(if is_go { Literal::Go } else { Literal::Defer });
        let index = self.new_part(name, LitKind::Thunk(Thunk { call: e, parts }));
        self.pos = e.pos;
        if values.is_empty() {
            return self.func_value(index, None);
        }
        let clo = self.alloc.pointer();
        let sl = self.c.closure_size_layout(&layout);
        emit!(self, MakeClosure, clo, index, sl);
        for (s, ti, offset) in values {
            self.store_whole(clo, offset, &ti, s);
        }
        clo
    }

    /// Evaluates one part of a thunk's call:
    /// the receiver of a method as its address if the method wants that.
    fn thunk_part(&mut self, fun: &'static Expr, x: &'static Expr) -> (Slot, Rc<TypeInfo>) {
        let f = self.c.method_selector(fun);
        if let ExprKind::Selector { x: recv, .. } = &f.kind
            && std::ptr::eq(&**recv, x)
            && let Some(sn) = self.c.selection(f).cloned()
            && sn.kind == SelectionKind::MethodVal
        {
            let (place, t, obj, _) = self.receiver(f, x);
            let ti = self.info(t);
            if matches!(ti.repr, Repr::Iface | Repr::Eface) {
                let s = self.load(place, &ti, None);
                let s = if s.is_window() { self.keep(s, &ti) } else { s };
                // A nil interface panics now.
                emit!(self, CheckNil, s);
                return (s, ti);
            }
            let by_ptr = self.c.ck.objs.func(obj).is_some_and(|f| f.ptr_recv);
            let elem = self.c.ck.deref(t);
            if by_ptr && elem.is_none() {
                let pt = self.c.ck.types.pointer(t);
                let p = self.address(place);
                return (p, self.info(pt));
            }
            if let (false, Some(elem)) = (by_ptr, elem) {
                let p = self.load(place, &ti, None);
                let ei = self.info(elem);
                let s = self.load(Place::Mem { ptr: p, off: 0 }, &ei, None);
                return (s, ei);
            }
            let s = self.load(place, &ti, None);
            return (s, ti);
        }
        let ti = self.einfo(x);
        (self.expr(x, None), ti)
    }

    /// Compiles the thunk of a `go` or `defer` statement.
    pub(super) fn compile_thunk(&mut self, thunk: &Thunk) {
        self.flags |= bfunc::CLOSURE | bfunc::WRAPPER;
        self.pos = thunk.call.pos;
        self.layout_fixed(&[], &[]);
        self.is_leaf = false;
        let clo = Slot::fixed(self.window.closure);
        self.closure = Some(clo);
        for p in &thunk.parts {
            let s = self.alloc.take(&p.ti);
            self.load_whole(s, clo, p.offset, &p.ti);
            self.overrides.insert(p.id, s);
        }
        let ExprKind::Call {
            fun,
            args,
            ellipsis,
            ..
        } = &thunk.call.kind
        else {
            return;
        };
        match self.builtin_of(fun) {
            Some(b) => {
                self.builtin(thunk.call, b, args, None);
            }
            None => {
                let callee = self.thunk_callee(fun, thunk);
                let Some(callee) = callee else { return };
                let items = self.thunk_arguments(&callee.sig.clone(), args, ellipsis.is_some());
                self.make_call(thunk.call, callee, items);
            }
        }
        emit!(self, Ret);
        self.finish();
    }

    /// The callee of a thunk: a method's receiver has been evaluated to what the method takes.
    fn thunk_callee(&mut self, fun: &'static Expr, thunk: &Thunk) -> Option<super::call::Callee> {
        let f = self.c.method_selector(fun);
        if let ExprKind::Selector { x, .. } = &f.kind
            && let Some(sn) = self.c.selection(f).cloned()
            && sn.kind == SelectionKind::MethodVal
            && let Some(part) = thunk.parts.iter().find(|p| p.id == x.id)
        {
            let ft = self.ty(fun);
            let sig = self.c.ck.sig(ft).cloned()?;
            let s = *self.overrides.get(&x.id)?;
            let ti = part.ti.clone();
            let (mut obj, mut last) = (sn.obj, sn.path.last().copied().unwrap_or(0));
            if self.env.is_some() {
                let o = self.c.ck.obj(obj).clone();
                if let types::Found::Entry {
                    obj: found, path, ..
                } = self.c.ck.lookup(ti.ty, true, o.pkg, o.name)
                {
                    (obj, last) = (found, path.last().copied().unwrap_or(0));
                }
            }
            let own = self.instance_args(Self::instance_id(f));
            return Some(self.method_target(Place::Slot(s), ti.ty, obj, last, own, sig));
        }
        Some(self.callee(fun))
    }

    fn thunk_arguments(
        &mut self,
        sig: &types::Signature,
        args: &'static [Expr],
        ellipsis: bool,
    ) -> Vec<super::call::Item> {
        if let [only] = args
            && let Some(types) = self.tuple_of(only)
        {
            let id = only.unparen().id;
            let values: Vec<(Slot, TypeId)> = types
                .iter()
                .enumerate()
                .map(|(i, t)| {
                    (
                        self.overrides
                            .get(&tuple_part(id, i))
                            .copied()
                            .unwrap_or(Slot::NONE),
                        *t,
                    )
                })
                .collect();
            let params: Vec<TypeId> = sig.params.iter().map(|p| self.obj_type(*p)).collect();
            return self.spread_values(sig, &params, values);
        }
        self.arguments(sig, args, ellipsis)
    }
}

/// The private id of result `i` of a call whose results are evaluated beforehand.
fn tuple_part(id: NodeId, i: usize) -> NodeId {
    NodeId(u32::MAX - (id.0 * 16 + i as u32))
}
