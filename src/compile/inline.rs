//! Calls compiled in place.
//!
//! A call of a small declared function or method is compiled as its body: parameters become locals
//! of the caller, `return` a jump behind the body. A parameter that is never assigned is its
//! argument, wherever that lies, or a constant with which the body is folded. What is called
//! through an interface, and by `go` and `defer`, is never compiled in place; what is called
//! through a func value, if that is a [literal in place](super::lit).
//!
//! The program must not notice. Each call compiled in place is a [`Site`]; an instruction notes the
//! site it belongs to, and the function's tables lead from a pc through the sites to the frames
//! that Go would show (see [`Logical`](bytecode::func::Logical)). A body in place has no
//! prologue, hence no stack check of its own: as in Go.
//!
//! # Invariants
//!
//! - I1. A body neither defers, recovers nor starts goroutines. That of a declared function is not
//!   being compiled in place already, and what is being compiled is no literal of its text: the
//!   variables of one text have places of one call.
//! - I3. A body that makes closures is not compiled in place in a function that is the literal of a
//!   body in place: so recursion by way of literals ends.
//! - I2. While a body is compiled nothing changes what its parameters are bound to: a body assigns
//!   its own variables only, and its result is written straight to the caller's destination only
//!   where that is the last thing done, or no parameter lies there.
//!
//! Go: cmd/compile/internal/inline/inl.go (the budget and what it counts),
//! cmd/internal/obj (InlTree).

use super::assign::overlaps;
use super::call::{Callee, Item, Target, window_results};
use super::closure::Literal;
use super::control::{Control, is_blank};
use super::func::{Fun, Label, Loc, ResultVar};
use super::place::Place;
use super::rangefunc::{YieldExits, has_return};
use super::regalloc::Slot;
use super::walk::{self, Part};
use super::{Compiler, Repr, TypeEnv, TypeInfo};
use bytecode::op::Op;
use rustc_hash::FxHashMap;
use source::Pos;
use std::rc::Rc;
use syntax::ast::{BinOp, Block, Decl, Expr, ExprKind, NodeId, Stmt, StmtKind, Symbol, UnOp};
use types::{Builtin, Found, ObjId, ObjKind, PkgId, SelectionKind, Type};

/// What a body may cost: nodes of its tree. Go's figure.
const BUDGET: u32 = 80;
/// What the body of a literal may cost that is called where it stands. Go's figure.
const BUDGET_ONCE: u32 = 800;
/// What a call costs that is not compiled in place. Go's figure.
const CALL: u32 = 57;
/// What a call of a parameter costs: most arguments are literals.
const PARAM: u32 = 20;
/// What a call costs that becomes an instruction or calls a native.
const NATIVE: u32 = 8;
/// Calls in a body are compiled in place down to this depth; loops do not count.
pub(super) const DEPTH: usize = 6;
/// Literals in literals of a body are looked at down to this depth: what has more is not in place.
const PARTS: u32 = 3;
/// No call is compiled in place in a function with more instructions.
pub(super) const LARGE: usize = 5000;
/// Largest parameter or result, in slots.
const WIDE: u32 = 16;

/// Whose body it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Owner {
    Func(ObjId),
    Lit(NodeId),
    /// The body of a loop over a function.
    Loop,
}

/// A function whose calls may be compiled in place.
#[derive(Debug)]
pub(super) struct Body {
    pub owner: Owner,
    pub pkg: Option<PkgId>,
    pub block: &'static Block,
    /// The receiver first.
    pub params: Vec<ObjId>,
    results: Vec<ObjId>,
    pub cost: u32,
    /// Some `return` has a composite literal, which is written piece by piece.
    builds_result: bool,
    has_literals: bool,
    /// The function literal that its only `return`, the last statement, returns.
    pub returns_lit: Option<&'static Expr>,
    /// It has one result, without a name.
    pub returns_one: bool,
    /// Names as tracebacks print them: of the function and of its instances.
    name: &'static str,
    instance_name: &'static str,
}

/// A call compiled in place.
pub(super) struct Site {
    pub name: &'static str,
    pub has_params: bool,
    /// Where the call stands.
    pub pos: Pos,
    /// The site around it, from 1; 0: none.
    pub parent: u32,
}

/// A body being compiled.
pub(super) struct Inlining {
    pub owner: Owner,
    pub pkg: Option<PkgId>,
    pub site: u32,
    /// What functions are called that are made of parts of it, and how many there are.
    pub name: &'static str,
    pub literals: [u32; Literal::GROUPS],
    /// They are named as parts of a function literal.
    pub is_nested: bool,
    /// It is the body of a loop, or of its iterator.
    pub is_loop: bool,
    pub wanted: Wanted,
    /// The literal that it returns, if that is wanted.
    pub lit: Option<u32>,
    /// Behind the body.
    pub end: Label,
    /// Jumps to `end` so far.
    pub jumps: u32,
    /// The function that all this is compiled into defers:
    /// when something panics, its results must be as they were before.
    pub in_deferring: bool,
}

/// What is wanted of a call compiled in place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Wanted {
    Value,
    /// The literal that it returns, not its value.
    Lit,
    /// A jump there, if the boolean that it returns is that.
    Jump(Label, bool),
}

impl Inlining {
    pub(super) fn new(
        owner: Owner,
        pkg: Option<PkgId>,
        site: u32,
        name: &'static str,
        end: Label,
    ) -> Inlining {
        Inlining {
            owner,
            pkg,
            site,
            name,
            literals: [0; Literal::GROUPS],
            is_nested: false,
            is_loop: false,
            wanted: Wanted::Value,
            lit: None,
            end,
            jumps: 0,
            in_deferring: false,
        }
    }
}

/// What belongs to the function around a body while that is compiled.
pub(super) struct Outer {
    env: TypeEnv,
    results: Vec<ResultVar>,
    has_defer: bool,
    controls: Vec<Control>,
    gotos: FxHashMap<Symbol, Label>,
    pending_label: Option<Symbol>,
    yield_exits: Option<Box<YieldExits>>,
    overrides: FxHashMap<NodeId, Slot>,
}

impl Compiler {
    /// The function object that `fun` names, if it names one that is no method.
    pub(super) fn static_callee(&self, fun: &Expr) -> Option<ObjId> {
        let fun = fun.unparen();
        let id = match &fun.kind {
            ExprKind::Name(_) => fun.id,
            ExprKind::Selector { sel, .. } if self.selection(fun).is_none() => sel.id,
            ExprKind::Index { x, .. } => return self.static_callee(x),
            _ => return None,
        };
        let obj = self.ck.info.object(id)?;
        matches!(self.ck.obj(obj).kind, ObjKind::Func(_)).then_some(obj)
    }

    /// The body of a function, if its calls may be compiled in place.
    pub(super) fn inline_body(&mut self, obj: ObjId) -> Option<Rc<Body>> {
        let obj = self.ck.objs.func(obj)?.origin.unwrap_or(obj);
        if let Some(known) = self.inline_bodies.get(&obj) {
            return known.clone();
        }
        // None while it is looked at: calls of a function that leads back to itself stay calls.
        self.inline_bodies.insert(obj, None);
        let body = self.weigh(obj).map(Rc::new);
        self.inline_bodies.insert(obj, body.clone());
        body
    }

    fn weigh(&mut self, obj: ObjId) -> Option<Body> {
        let decl = self.ck.declaration(obj)?;
        let block = decl.body.as_ref()?;
        if self.replaced(obj).is_some() {
            return None;
        }
        if decl.pragmas.iter().any(|p| p.starts_with("noinline")) {
            return None;
        }
        let o = self.ck.obj(obj);
        let (pkg, ty) = (o.pkg?, o.ty);
        let (is_std, path) = (self.ck.pkg(pkg).is_std, &self.ck.pkg(pkg).path);
        // What is typed may be replaced.
        if self.is_session && !is_std {
            return None;
        }
        if is_of_runtime(path) {
            return None;
        }
        if is_std {
            self.ck.ensure_body(obj);
            if self.is_wrong() {
                return None;
            }
        }
        let sig = self.ck.sig(ty)?.clone();
        let weighed = self.weigh_block(block, &[], BUDGET)?;
        let returns_one = self.returns_one(&sig.results);
        let leak = |name: String| &*name.leak();
        let (name, instance_name) = (self.decl_name(obj, false), self.decl_name(obj, true));
        Some(Body {
            owner: Owner::Func(obj),
            pkg: Some(pkg),
            block,
            params: sig.recv.into_iter().chain(sig.params).collect(),
            results: sig.results,
            cost: weighed.cost,
            builds_result: weighed.builds_result,
            has_literals: weighed.has_literals,
            returns_lit: returns_lit(block),
            returns_one,
            name: leak(name),
            instance_name: leak(instance_name),
        })
    }

    /// The body of the literal `e`, if its calls may be compiled in place; `known` are those of the
    /// literals that variables name which it mentions. It may cost more if it is called where it
    /// stands.
    pub(super) fn literal_body(
        &mut self,
        e: &'static Expr,
        pkg: Option<PkgId>,
        known: &[(ObjId, Rc<Body>)],
        is_called_here: bool,
    ) -> Option<Body> {
        if pkg.is_some_and(|p| is_of_runtime(&self.ck.pkg(p).path)) {
            return None;
        }
        let ExprKind::FuncLit { body: block, .. } = &e.kind else {
            return None;
        };
        // The declared signature: the body mentions its parameters, not those of an instance.
        let sig = self.ck.sig(self.ck.info.type_of(e))?.clone();
        let budget = if is_called_here { BUDGET_ONCE } else { BUDGET };
        let weighed = self.weigh_block(block, known, budget)?;
        let returns_one = self.returns_one(&sig.results);
        Some(Body {
            owner: Owner::Lit(e.id),
            pkg,
            block,
            params: sig.params,
            results: sig.results,
            cost: weighed.cost,
            builds_result: weighed.builds_result,
            has_literals: weighed.has_literals,
            returns_lit: returns_lit(block),
            returns_one,
            name: "",
            instance_name: "",
        })
    }

    /// Is there one result, which has no name?
    fn returns_one(&self, results: &[ObjId]) -> bool {
        matches!(results, [r] if self.ck.obj(*r).name.as_str().is_empty())
    }

    /// What the body costs, and what is in it.
    fn weigh_block(
        &mut self,
        block: &'static Block,
        known: &[(ObjId, Rc<Body>)],
        budget: u32,
    ) -> Option<Weighed> {
        let mut scale = Scale {
            c: self,
            known,
            budget,
            weighed: Weighed::default(),
        };
        scale.block(block)?;
        Some(scale.weighed)
    }
}

impl Body {
    /// Gives a literal's body the name of its function.
    pub(super) fn is_called(&mut self, name: String) {
        self.name = name.leak();
        self.instance_name = self.name;
    }
}

fn is_of_runtime(path: &str) -> bool {
    path == "runtime" || path.starts_with("runtime/")
}

/// The function literal that the block returns, if its last statement is its only `return`.
fn returns_lit(block: &'static Block) -> Option<&'static Expr> {
    let (last, before) = block.stmts.split_last()?;
    let StmtKind::Return(values) = &last.kind else {
        return None;
    };
    let [value] = &values[..] else {
        return None;
    };
    let is_lit = matches!(value.unparen().kind, ExprKind::FuncLit { .. });
    (is_lit && !before.iter().any(has_return)).then_some(value.unparen())
}

/// Adds up what a body costs; `None`: too much, or what is not allowed.
struct Scale<'a> {
    c: &'a mut Compiler,
    /// Literals that variables name.
    known: &'a [(ObjId, Rc<Body>)],
    budget: u32,
    weighed: Weighed,
}

/// What is found out of a body.
#[derive(Default)]
struct Weighed {
    cost: u32,
    builds_result: bool,
    has_literals: bool,
}

impl Scale<'_> {
    fn add(&mut self, cost: u32) -> Option<()> {
        self.weighed.cost += cost;
        (self.weighed.cost <= self.budget).then_some(())
    }

    fn block(&mut self, b: &'static Block) -> Option<()> {
        b.stmts.iter().try_for_each(|s| self.stmt(s))
    }

    fn stmt(&mut self, s: &'static Stmt) -> Option<()> {
        self.add(1)?;
        match &s.kind {
            StmtKind::Go(_)
            | StmtKind::Defer(_)
            | StmtKind::Select { .. }
            | StmtKind::Labeled { .. }
            | StmtKind::Goto(_) => return None,
            StmtKind::Decl(decls) if decls.iter().any(|d| !matches!(d, Decl::Var(_))) => {
                return None;
            }
            StmtKind::Range(r) => {
                let t = self.c.ck.info.type_of(&r.x);
                let core = self.c.ck.core_type(t)?;
                if matches!(self.c.ck.under_type(core), Type::Signature(_)) {
                    // In place, or not at all.
                    let x = r.x.unparen();
                    let obj = self.c.ck.info.object(x.id)?;
                    let (_, body) = self.known.iter().find(|k| k.0 == obj)?;
                    if !self.c.iterates(body, r) {
                        return None;
                    }
                    // So that two loops over what has two loops, and so on, end.
                    let cost = body.cost / 2;
                    self.add(cost)?;
                }
            }
            StmtKind::Return(values) => {
                self.weighed.builds_result |= values.iter().any(builds);
            }
            _ => {}
        }
        let mut parts = Vec::new();
        walk::each_part(s, &mut |p| parts.push(p));
        parts.into_iter().try_for_each(|p| match p {
            Part::Stmt(s) => self.stmt(s),
            Part::Expr(e) => self.expr(e),
        })
    }

    fn expr(&mut self, e: &'static Expr) -> Option<()> {
        let mut all = Vec::new();
        walk::visit(e, &mut |x| all.push(x));
        all.into_iter().try_for_each(|x| match &x.kind {
            // It becomes a function of its own, for each call in place.
            ExprKind::FuncLit { body, .. } => {
                self.weighed.has_literals = true;
                self.part(body, 0)
            }
            ExprKind::Paren(_) => Some(()),
            ExprKind::Call { fun, .. } => {
                let cost = self.call(fun)?;
                self.add(cost)
            }
            _ => self.add(1),
        })
    }

    /// A literal's body, which is not in place: all that is in it counts, and literals in it down
    /// to some depth.
    fn part(&mut self, body: &'static Block, depth: u32) -> Option<()> {
        let mut stmts: Vec<_> = body.stmts.iter().collect();
        while let Some(s) = stmts.pop() {
            self.add(1)?;
            let mut exprs = Vec::new();
            walk::each_part(s, &mut |p| match p {
                Part::Stmt(s) => stmts.push(s),
                Part::Expr(e) => walk::visit(e, &mut |x| exprs.push(x)),
            });
            for x in exprs {
                self.add(1)?;
                if let ExprKind::FuncLit { body, .. } = &x.kind {
                    (depth < PARTS).then(|| self.part(body, depth + 1))??;
                }
            }
        }
        Some(())
    }

    fn call(&mut self, fun: &'static Expr) -> Option<u32> {
        let c = &mut *self.c;
        if c.ck.info.is_type(fun) {
            return Some(0);
        }
        let f = fun.unparen();
        let id = match &f.kind {
            ExprKind::Name(_) => Some(f.id),
            ExprKind::Selector { sel, .. } => Some(sel.id),
            _ => None,
        };
        if let Some(ObjKind::Builtin(b)) = id
            .and_then(|i| c.ck.info.object(i))
            .map(|o| &c.ck.obj(o).kind)
        {
            return (*b != Builtin::Recover).then_some(2);
        }
        let named = id.and_then(|i| c.ck.info.object(i));
        if let Some(obj) = named
            && let ObjKind::Var(v) = &c.ck.obj(obj).kind
        {
            let known = self.known.iter().find(|k| k.0 == obj);
            let unknown = if v.is_param { PARAM } else { CALL };
            return Some(known.map_or(unknown, |k| unknown.min(k.1.cost + 2)));
        }
        let obj = match c.static_callee(fun) {
            Some(obj) => {
                let pkg = c.ck.obj(obj).pkg?;
                if c.ck.pkg(pkg).path.starts_with("runtime") {
                    // It may look at its callers.
                    return None;
                }
                obj
            }
            None => match c.selection(f) {
                Some(s) if s.kind == SelectionKind::MethodVal => s.obj,
                _ => return Some(CALL),
            },
        };
        if c.native_of(obj).is_some() {
            return Some(NATIVE);
        }
        Some(c.inline_body(obj).map_or(CALL, |b| b.cost + 2))
    }
}

/// Is the value of `e` written piece by piece?
fn builds(e: &Expr) -> bool {
    let mut e = e.unparen();
    loop {
        match &e.kind {
            ExprKind::CompositeLit { .. } => return true,
            ExprKind::Call { args, .. } if args.len() == 1 => e = args[0].unparen(),
            _ => return false,
        }
    }
}

/// Where a parameter's value lies, in slots.
fn area(loc: Loc, ti: &TypeInfo) -> Option<(Slot, u32)> {
    match loc {
        Loc::Slot(s) if s != Slot::NONE => Some((s, ti.slots)),
        Loc::Part { base, off } => Some((base.plus(off / 8), ti.slots + 1)),
        _ => None,
    }
}

/// A call that is to be compiled in place.
pub(super) struct Candidate {
    pub body: Rc<Body>,
    /// It is of this literal.
    lit: Option<u32>,
}

impl Fun<'_> {
    /// What is called by `fun`, if this call of it is to be compiled in place.
    pub(super) fn inline_candidate(&mut self, fun: &'static Expr) -> Option<Candidate> {
        let is_deep = self.level() >= DEPTH || self.code.len() > LARGE;
        if self.dead || is_deep && !self.is_forced || self.overrides.contains_key(&fun.id) {
            return None;
        }
        let f = fun.unparen();
        let lit = match &f.kind {
            ExprKind::FuncLit { .. } => Some(self.new_lit(f, true)?),
            _ => self.named_lit(f),
        };
        if let Some(lit) = lit {
            let body = self.lits[lit as usize].body.clone();
            let lit = Some(lit);
            return Some(Candidate { body, lit });
        }
        let obj = match self.c.static_callee(fun) {
            Some(obj) => obj,
            None => self.static_method(fun)?,
        };
        let body = self.c.inline_body(obj)?;
        let candidate = Candidate { body, lit: None };
        let may = !(self.is_copy && candidate.body.has_literals);
        (may && !candidate.body.owner.is_open(self)).then_some(candidate)
    }

    /// How many calls in place are around what is being compiled.
    pub(super) fn level(&self) -> usize {
        self.inlining.iter().filter(|i| !i.is_loop).count()
    }

    /// The method that `fun` = `x.m` names, unless that is of an interface.
    pub(super) fn static_method(&mut self, fun: &'static Expr) -> Option<ObjId> {
        let f = fun.unparen();
        let ExprKind::Selector { x, .. } = &f.kind else {
            return None;
        };
        let sn = self.c.selection(f)?;
        if sn.kind != SelectionKind::MethodVal {
            return None;
        }
        let obj = sn.obj;
        if self.env.is_none() {
            return Some(obj);
        }
        // In an instance: the method of the type argument.
        let xt = self.ty(x);
        let o = self.c.ck.obj(obj);
        let (pkg, name) = (o.pkg, o.name);
        match self.c.ck.lookup(xt, true, pkg, name) {
            Found::Entry { obj, .. } => Some(obj),
            _ => Some(obj),
        }
    }

    /// Compiles the call `e` in place.
    /// Returns where its results are; a single one is in `dst` if that is given.
    pub(super) fn inline_call(
        &mut self,
        e: &'static Expr,
        candidate: &Candidate,
        dst: Option<Slot>,
    ) -> Vec<Slot> {
        self.inline(e, candidate, dst, Wanted::Value).0
    }

    /// Jumps to `target` if the call `e`, compiled in place, returns `sense`.
    pub(super) fn inline_jump(
        &mut self,
        e: &'static Expr,
        candidate: &Candidate,
        target: Label,
        sense: bool,
    ) {
        let mark = self.alloc.mark();
        self.inline(e, candidate, None, Wanted::Jump(target, sense));
        self.alloc.release(mark);
    }

    /// As `inline_call`. If the literal is wanted that it returns, that comes instead, where there
    /// is one, and what the body takes of the frame is kept.
    pub(super) fn inline(
        &mut self,
        e: &'static Expr,
        candidate: &Candidate,
        dst: Option<Slot>,
        wanted: Wanted,
    ) -> (Vec<Slot>, Option<u32>) {
        let ExprKind::Call {
            fun,
            args,
            ellipsis,
            ..
        } = &e.kind
        else {
            unreachable!()
        };
        let (body, lit) = (&candidate.body, candidate.lit);
        let dst = dst.filter(|_| body.results.len() == 1);
        // Results outlive the call's temporaries.
        let mut slots = Vec::new();
        if dst.is_none() && !body.results.is_empty() {
            let types = match self.tuple_of(e) {
                Some(types) => types,
                None => vec![self.ty(e)],
            };
            for t in types {
                let ti = self.info(t);
                slots.push(self.alloc.take(&ti));
            }
        }
        let mark = self.alloc.mark();
        let callee = match lit {
            Some(lit) => {
                let ft = self.ty(fun);
                Callee {
                    target: Target::Lit(lit),
                    sig: self.c.ck.sig(ft).cloned().unwrap_or_default(),
                    recv: None,
                }
            }
            None => self.callee(fun),
        };
        let mut items = self.arguments(&callee.sig, args, ellipsis.is_some());
        let env = match (&callee.target, body.owner) {
            (Target::Lit(lit), _) => Some(self.lits[*lit as usize].env.clone()),
            (Target::Decl(_, targs), Owner::Func(obj)) => Some(self.c.type_env(obj, targs)),
            _ => None,
        };
        let fits = env.and_then(|env| {
            let signature = self.signature_in(body, &env)?;
            Some((env, signature))
        });
        let Some((env, (params, results))) = fits else {
            let w = self.make_call(e, callee, items);
            self.alloc.release(mark);
            let results = window_results(&w);
            if let Wanted::Jump(target, sense) = wanted {
                self.jump_if(results[0], target, sense);
            }
            return (results, None);
        };
        if let Callee {
            recv: Some((item, _)),
            ..
        } = callee
        {
            items.insert(0, item);
        }
        let bound = self.bind_params(&items, body, &params, wanted == Wanted::Lit);
        // See lit::L3.
        let in_literal = self
            .inlining
            .iter()
            .any(|i| matches!(i.owner, Owner::Lit(_)));
        let before = (lit.is_some() || in_literal).then(|| self.vars.clone());
        if let Some(lit) = lit {
            self.open_lit(lit);
        }
        // Visible from here on only: among the arguments there may be a call of the same function.
        for (&p, &loc) in body.params.iter().zip(&bound) {
            self.vars.insert(p, loc);
        }
        let mut direct = true;
        if let (Some(d), [ti]) = (dst, &results[..]) {
            let is_taken = bound
                .iter()
                .zip(&params)
                .filter_map(|(l, pi)| area(*l, pi))
                .any(|(s, n)| overlaps(s, n, d, ti.slots));
            let is_safe = !is_taken && !self.in_deferring();
            direct = if self.is_named_var(body.results[0]) {
                is_safe && !d.is_window()
            } else {
                is_safe || !body.builds_result
            };
            slots.push(if direct { d } else { self.alloc.take(ti) });
        }
        self.open_body(body, &env, e.pos, wanted);
        let results = (body.results.iter().zip(&results).zip(&slots))
            .map(|((&obj, ti), &s)| ResultVar {
                obj: Some(obj),
                ti: ti.clone(),
                slot: if ti.slots == 0 { Slot::NONE } else { s },
            })
            .collect();
        let returned = self.body_in_place(body, env, results);
        if let Some(before) = before {
            self.vars = before;
        }
        self.pos = e.pos;
        if let Some(d) = dst
            && !direct
        {
            let ti = self.einfo(e);
            self.mov(d, slots[0], &ti);
            slots[0] = d;
        }
        if wanted != Wanted::Lit {
            self.alloc.release(mark);
        }
        (slots, returned)
    }

    /// The parameters' and results' types in an instance; `None` if some are too large.
    #[allow(clippy::type_complexity, reason = "two lists")]
    pub(super) fn signature_in(
        &mut self,
        body: &Body,
        env: &TypeEnv,
    ) -> Option<(Vec<Rc<TypeInfo>>, Vec<Rc<TypeInfo>>)> {
        let own = std::mem::replace(&mut self.env, env.clone());
        let params: Vec<_> = body.params.iter().map(|p| self.obj_info(*p)).collect();
        let results: Vec<_> = body.results.iter().map(|r| self.obj_info(*r)).collect();
        self.env = own;
        let fits = |ti: &Rc<TypeInfo>| ti.repr != Repr::Huge && ti.slots <= WIDE;
        (params.iter().all(fits) && results.iter().all(fits)).then_some((params, results))
    }

    /// Evaluates the arguments and gives the parameters their places.
    fn bind_params(
        &mut self,
        items: &[Item],
        body: &Body,
        types: &[Rc<TypeInfo>],
        keeps: bool,
    ) -> Vec<Loc> {
        let all = items.iter().zip(&body.params).zip(types);
        all.map(|((item, param), ti)| self.bind_one(item, *param, ti, keeps))
            .collect()
    }

    /// `keeps`: what captures the parameter may be called when the call has returned.
    fn bind_one(&mut self, item: &Item, param: ObjId, ti: &Rc<TypeInfo>, keeps: bool) -> Loc {
        if let Item::Expr(x, _) = item
            && let Some(loc) = self.literal_of(param, x)
        {
            return loc;
        }
        if self.is_boxed(param) {
            let b = self.alloc.pointer();
            let s = self.item(item, None);
            emit_new(self, b, ti);
            self.store_mem(b, 0, ti, s);
            return Loc::Box(b);
        }
        let v = self.var_info(param);
        if v.reassigned || keeps && v.captured {
            let d = self.alloc.take(ti);
            self.item(item, Some(d));
            return Loc::Slot(d);
        }
        if let Item::Expr(x, t) = item
            && !self.c.ck.is_interface(*t)
            && let Some(k) = self.const_word(x)
        {
            return Loc::Const(k);
        }
        let place = match item {
            Item::Load(place, _) => Some(*place),
            Item::Expr(x, t) if ti.repr == Repr::Agg && self.is_selected(x) => {
                debug_assert!(!self.c.ck.is_interface(*t));
                Some(self.place(x))
            }
            _ => None,
        };
        match place {
            Some(Place::Frame { base, off }) if ti.repr == Repr::Agg => Loc::Part { base, off },
            Some(place) => {
                let s = self.load(place, ti, None);
                Loc::Slot(if s.is_window() { self.keep(s, ti) } else { s })
            }
            None => {
                let s = self.item(item, None);
                Loc::Slot(if s.is_window() { self.keep(s, ti) } else { s })
            }
        }
    }

    /// A name, or fields of one?
    fn is_selected(&self, e: &Expr) -> bool {
        let e = e.unparen();
        if self.overrides.contains_key(&e.id) {
            return false;
        }
        match &e.kind {
            ExprKind::Name(_) => !is_blank(e),
            ExprKind::Selector { x, .. } => {
                self.c
                    .selection(e)
                    .is_some_and(|s| s.kind == SelectionKind::FieldVal)
                    && self.is_selected(x)
            }
            _ => false,
        }
    }

    pub(super) fn is_named_var(&self, obj: ObjId) -> bool {
        !matches!(self.c.ck.obj(obj).name.as_str(), "" | "_")
    }

    /// Begins with a body in place of the call at `pos`.
    pub(super) fn open_body(&mut self, body: &Body, env: &TypeEnv, pos: Pos, wanted: Wanted) {
        if let Some(pkg) = body.pkg {
            self.c.std_package(pkg);
        }
        let name = match env.is_some() {
            true => body.instance_name,
            false => body.name,
        };
        let site = self.new_site(name, !body.params.is_empty(), pos);
        let end = self.label();
        self.inlining.push(Inlining {
            wanted,
            in_deferring: self.in_deferring(),
            ..Inlining::new(body.owner, body.pkg, site, name, end)
        });
    }

    /// The number of a new site: a call at `pos`.
    pub(super) fn new_site(&mut self, name: &'static str, has_params: bool, pos: Pos) -> u32 {
        self.pos = pos;
        self.inlined.push(Site {
            name,
            has_params,
            pos,
            parent: self.inlining.last().map_or(0, |i| i.site),
        });
        self.inlined.len() as u32
    }

    /// What belongs to the function around a body is put aside.
    pub(super) fn enter_body(
        &mut self,
        env: TypeEnv,
        results: Vec<ResultVar>,
        has_defer: bool,
    ) -> Outer {
        use std::mem::{replace, take};
        Outer {
            env: replace(&mut self.env, env),
            results: replace(&mut self.results, results),
            has_defer: replace(&mut self.has_defer, has_defer),
            controls: take(&mut self.controls),
            gotos: take(&mut self.gotos),
            pending_label: take(&mut self.pending_label),
            yield_exits: take(&mut self.yield_exits),
            overrides: take(&mut self.overrides),
        }
    }

    /// It goes on behind the body.
    pub(super) fn leave_body(&mut self, outer: Outer) {
        self.env = outer.env;
        self.results = outer.results;
        self.has_defer = outer.has_defer;
        self.controls = outer.controls;
        self.gotos = outer.gotos;
        self.pending_label = outer.pending_label;
        self.yield_exits = outer.yield_exits;
        self.overrides = outer.overrides;
    }

    /// Compiles the body, which is the innermost one; returns the literal that it returns, if that
    /// is wanted.
    pub(super) fn body_in_place(
        &mut self,
        body: &Body,
        env: TypeEnv,
        results: Vec<ResultVar>,
    ) -> Option<u32> {
        let outer = self.enter_body(env, results, false);
        self.init_results(false);
        // The scope of what a literal may capture that is wanted ends with the caller's.
        body.block.stmts.iter().for_each(|s| self.stmt(s));
        if !self.dead {
            self.pos = body.block.end;
            self.finish_return();
        }
        let i = self.inlining.pop()?;
        let (mut jumps, end) = (i.jumps, i.end);
        jumps -= u32::from(self.drop_jump(end));
        if jumps > 0 {
            self.bind(end);
        }
        self.leave_body(outer);
        i.lit
    }

    /// Leaves out a jump to the label, which is about to be bound, that would be just before it.
    pub(super) fn drop_jump(&mut self, end: Label) -> bool {
        let is_last = |i: &super::func::Ins| i.op == Op::Jump && i.args[0] == i64::from(end.0);
        let drops =
            self.code.last().is_some_and(is_last) && self.last_bound as usize != self.code.len();
        if drops {
            self.code.pop();
            self.dead = false;
        }
        drops
    }

    /// Does the function defer that the code being compiled will be part of?
    pub(super) fn in_deferring(&self) -> bool {
        self.has_defer || self.inlining.last().is_some_and(|i| i.in_deferring)
    }

    /// In a body compiled in place: what a return statement jumps to.
    pub(super) fn end_of_inlined(&mut self) -> Option<Label> {
        let is_dead = self.dead;
        let i = self.inlining.last_mut()?;
        i.jumps += u32::from(!is_dead);
        Some(i.end)
    }

    // Folding.

    /// The value of an expression of parameters that are constants.
    pub(super) fn folded(&mut self, e: &Expr) -> Option<i64> {
        if self.inlining.is_empty() {
            return None;
        }
        let e = e.unparen();
        match &e.kind {
            ExprKind::Name(_) => {
                let obj = self.c.ck.info.object(e.id)?;
                match self.vars.get(&obj)? {
                    Loc::Const(k) => Some(*k),
                    _ => None,
                }
            }
            ExprKind::Unary { op, x } => {
                let Repr::Int(kind) = self.einfo(e).repr else {
                    return None;
                };
                let x = self.const_word(x)?;
                match op {
                    UnOp::Neg => Some(kind.wrap(x.wrapping_neg())),
                    UnOp::Not => Some(x ^ 1),
                    _ => None,
                }
            }
            ExprKind::Binary { op, x, y } => {
                let Repr::Int(kind) = self.einfo(x).repr else {
                    return None;
                };
                let (a, b) = (self.const_word(x)?, self.const_word(y)?);
                let order = if kind.signed {
                    a.cmp(&b)
                } else {
                    (a as u64).cmp(&(b as u64))
                };
                Some(match op {
                    BinOp::Add => kind.wrap(a.wrapping_add(b)),
                    BinOp::Sub => kind.wrap(a.wrapping_sub(b)),
                    BinOp::Mul => kind.wrap(a.wrapping_mul(b)),
                    BinOp::And => a & b,
                    BinOp::Or => a | b,
                    BinOp::Xor => a ^ b,
                    BinOp::Eq => i64::from(order.is_eq()),
                    BinOp::Ne => i64::from(order.is_ne()),
                    BinOp::Lt => i64::from(order.is_lt()),
                    BinOp::Le => i64::from(order.is_le()),
                    BinOp::Gt => i64::from(order.is_gt()),
                    BinOp::Ge => i64::from(order.is_ge()),
                    _ => return None,
                })
            }
            _ => None,
        }
    }
}

fn emit_new(f: &mut Fun<'_>, b: Slot, ti: &TypeInfo) {
    super::func::emit!(f, New, b, ti.rtype.layout, ti.size);
}
