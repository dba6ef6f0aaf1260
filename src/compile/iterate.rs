//! Range over functions, in place.
//!
//! Where the iterator is a [literal in place](super::lit) that calls its parameter at one place and
//! does nothing else with it, the literal's body is compiled where the loop stands, and the loop's
//! body where the literal calls its parameter ([`Loc::Yield`]). The state of the loop and the exit
//! that its body has chosen are slots then; all else is as in [`rangefunc`](super::rangefunc).
//!
//! # Invariants
//!
//! - Y1. The loop's body is compiled as part of the function in which the loop stands: with its
//!   results, its type arguments and its variables, but with no statement around it that `break`
//!   or `continue` could name: those are left by exits.
//! - Y2. Nothing in the literal's body stops a panic, so one that the loop's body begins cannot be
//!   lost; and the loop's body cannot get at the parameter, so it is never called while it runs.
//!
//! Go: cmd/compile/internal/rangefunc/rewrite.go, as its inliner leaves it.

use super::call::Item;
use super::func::{Fun, Label, Loc, ResultVar, emit};
use super::inline::{Body, Inlining, Owner, Wanted};
use super::rangefunc::{DONE, Exit, More, READY, Told, YieldExits, has_defer, has_return};
use super::regalloc::Slot;
use super::walk;
use super::{Compiler, TypeEnv};
use rustc_hash::FxHashMap;
use syntax::ast::{BinOp, Expr, ExprKind, RangeStmt, Stmt, StmtKind, Symbol, UnOp};
use types::{Builtin, ObjId, ObjKind, PkgId, TypeId};

/// A loop whose iterator is being compiled in place.
pub(super) struct Iteration {
    r: &'static RangeStmt,
    label: Option<Symbol>,
    /// Types of what is yielded.
    params: Vec<TypeId>,
    /// None: the iterator never calls its parameter once that has returned false.
    state: Option<Slot>,
    exit: Slot,
    exits: Vec<Exit>,
    /// What its body is called in tracebacks, and whether its literals are named as those of a
    /// function in another.
    name: &'static str,
    is_nested: bool,
    pkg: Option<PkgId>,
    /// Of the function in which it stands. The iterator may be of the same text (lit::L3).
    vars: FxHashMap<ObjId, Loc>,
    env: TypeEnv,
    results: Vec<ResultVar>,
    has_defer: bool,
    in_deferring: bool,
}

impl Compiler {
    /// May the loop over a literal with this body be compiled in place?
    pub(super) fn iterates(&self, body: &Body, r: &'static RangeStmt) -> bool {
        let [param] = body.params[..] else {
            return false;
        };
        let ObjKind::Var(v) = &self.ck.obj(param).kind else {
            return false;
        };
        if v.valued || v.reassigned || v.captured || v.address_taken {
            return false;
        }
        let mut mentions = 0;
        walk::block(body.block, &mut |e| {
            let is_name = matches!(e.kind, ExprKind::Name(_));
            mentions += usize::from(is_name && self.ck.info.object(e.id) == Some(param));
        });
        mentions == 1 && !r.body.stmts.iter().any(has_defer) && !self.recovers(r)
    }

    /// Does the loop's body call recover?
    fn recovers(&self, r: &'static RangeStmt) -> bool {
        let mut found = false;
        walk::block(&r.body, &mut |e| {
            if let ExprKind::Call { fun, .. } = &e.kind {
                found |= self.builtin_of(fun) == Some(Builtin::Recover);
            }
        });
        found
    }
}

impl Fun<'_> {
    /// Is the loop compiled in place, whatever is around it? Then what its body assigns need not
    /// live in boxes.
    pub(super) fn is_iteration(&mut self, r: &'static RangeStmt) -> bool {
        // The body of a literal in place has no other loops of the kind.
        let in_literal = self.inlining.last().is_some_and(|i| i.owner != Owner::Loop);
        in_literal || self.iteration_of(r).is_some()
    }

    fn iteration_of(&mut self, r: &'static RangeStmt) -> Option<()> {
        let ExprKind::Call { fun, .. } = &r.x.unparen().kind else {
            return None;
        };
        // See inline::I3.
        if self.is_copy {
            return None;
        }
        if self.c.ck.info.is_type(fun) || self.builtin_of(fun).is_some() {
            return None;
        }
        let f = fun.unparen();
        let (obj, mut targs) = match (self.c.static_callee(fun), &f.kind) {
            (Some(obj), _) => (obj, Vec::new()),
            (None, ExprKind::Selector { x, .. }) if self.c.selection(f)?.path.len() == 1 => {
                let t = self.ty(x);
                (self.static_method(f)?, self.c.recv_targs(t))
            }
            _ => return None,
        };
        targs.extend(self.instance_args(Self::instance_id(f)));
        let body = self.c.inline_body(obj)?;
        let Owner::Func(obj) = body.owner else {
            return None;
        };
        let env = self.c.type_env(obj, &targs);
        if body.owner.is_open(self) || self.signature_in(&body, &env).is_none() {
            return None;
        }
        let lit = self
            .c
            .literal_body(body.returns_lit?, body.pkg, &[], false)?;
        self.c.iterates(&lit, r).then_some(())
    }

    /// May the loop over this literal be compiled in place?
    pub(super) fn may_iterate(&self, lit: u32, r: &'static RangeStmt) -> bool {
        self.c.iterates(&self.lits[lit as usize].body, r)
    }

    /// The loop over this literal, whose parameter has parameters of these types.
    pub(super) fn iterate(
        &mut self,
        s: &'static Stmt,
        r: &'static RangeStmt,
        label: Option<Symbol>,
        lit: u32,
        params: Vec<TypeId>,
    ) {
        let (body, env) = {
            let lit = &self.lits[lit as usize];
            (lit.body.clone(), lit.env.clone())
        };
        self.pos = s.pos;
        let state = (!self.returns_at_end(body.params[0], &body.block.stmts)).then(|| {
            let state = self.alloc.scalar();
            self.load_imm(state, READY);
            state
        });
        let exit = self.alloc.scalar();
        self.load_imm(exit, 0);
        if r.body.stmts.iter().any(has_return) {
            self.begin_results();
        }
        let name = self.literal_name(super::closure::Literal::RangeBody);
        self.iterations.push(Iteration {
            r,
            label,
            params,
            state,
            exit,
            exits: Vec::new(),
            name: name.leak(),
            is_nested: self.flags & bytecode::func::CLOSURE != 0 || !self.inlining.is_empty(),
            pkg: self.pkg_here(),
            vars: self.vars.clone(),
            env: self.env.clone(),
            results: self.results.clone(),
            has_defer: self.has_defer,
            in_deferring: self.in_deferring(),
        });
        let iteration = self.iterations.len() - 1;
        self.open_lit(lit);
        self.vars
            .insert(body.params[0], Loc::Yield(iteration as u32));
        self.open_body(&body, &env, s.pos, Wanted::Value);
        self.inlining.last_mut().expect("it is open").is_loop = true;
        self.body_in_place(&body, env, Vec::new());
        let i = &mut self.iterations[iteration];
        self.vars = std::mem::take(&mut i.vars);
        let exits = std::mem::take(&mut i.exits);
        self.pos = s.pos;
        self.take_exit(&exits, exit);
    }

    /// Before a loop whose body may set the results: the code alone does not tell that they are
    /// returned only where it has (see bytecode::verify).
    fn begin_results(&mut self) {
        for r in self.results.clone() {
            let loc = r.obj.and_then(|o| self.vars.get(&o));
            let is_named = r.obj.is_some_and(|o| self.is_named_var(o));
            if !is_named && !matches!(loc, Some(Loc::Box(_))) {
                self.zero(r.slot, &r.ti);
            }
        }
    }

    /// The loop that `fun` gives a value to, if it is the parameter of an iterator in place.
    pub(super) fn yields_to(&self, fun: &Expr) -> Option<u32> {
        match self.named_loc(fun)? {
            Loc::Yield(iteration) => Some(iteration),
            _ => None,
        }
    }

    /// The call `e`, by which the iterator gives the loop a value: the loop's body. Returns where
    /// its result is: whether the loop goes on.
    pub(super) fn yield_in_place(&mut self, e: &'static Expr, iteration: u32) -> Slot {
        let more = self.alloc.scalar();
        self.yield_to(e, iteration, More::Value(more));
        more
    }

    /// As that; jumps to `target` if the result is `sense`.
    pub(super) fn yield_jump(
        &mut self,
        e: &'static Expr,
        iteration: u32,
        target: Label,
        sense: bool,
    ) {
        self.yield_to(e, iteration, More::Jump(target, sense));
    }

    fn yield_to(&mut self, e: &'static Expr, iteration: u32, more: More) {
        let ExprKind::Call { fun, args, .. } = &e.kind else {
            return;
        };
        if self.dead {
            return;
        }
        let mark = self.alloc.mark();
        let ft = self.ty(fun);
        let sig = self.c.ck.sig(ft).cloned().unwrap_or_default();
        let items = self.arguments(&sig, args, false);
        let given = self.yielded_values(&items);
        let iteration = iteration as usize;
        let i = &mut self.iterations[iteration];
        let (r, state, exit, label) = (i.r, i.state, i.exit, i.label);
        let (name, is_nested, in_deferring) = (i.name, i.is_nested, i.in_deferring);
        let (pkg, vars) = (i.pkg, i.vars.clone());
        let (env, results, has_defer) = (i.env.clone(), i.results.clone(), i.has_defer);
        let given: Vec<_> = given.into_iter().zip(i.params.iter().copied()).collect();
        let exits = std::mem::take(&mut i.exits);
        let end = self.label();
        let told = Told::Slots {
            state,
            exit,
            more,
            end,
        };
        let exits = YieldExits::new(r, label, told, Slot::NONE, exits);
        let site = self.new_site(name, !given.is_empty(), e.pos);
        self.inlining.push(Inlining {
            is_nested,
            is_loop: true,
            in_deferring,
            ..Inlining::new(Owner::Loop, pkg, site, name, end)
        });
        let outer = self.enter_body(env, results, has_defer);
        let of_iterator = std::mem::replace(&mut self.vars, vars);
        self.yield_exits = Some(Box::new(exits));
        if let Some(state) = state {
            // May it be called?
            self.pos = r.range_pos;
            let ready = self.label();
            emit!(self, JumpEqImm, state, READY, ready);
            self.bad_state(Some(DONE), state);
            self.bind(ready);
        }
        self.give_yielded(r, &given);
        self.block(&r.body);
        if !self.dead {
            self.next_iteration();
        }
        let exits = self.yield_exits.take().map_or(Vec::new(), |y| y.exits);
        self.iterations[iteration].exits = exits;
        self.leave_body(outer);
        self.vars = of_iterator;
        self.inlining.pop();
        self.drop_jump(end);
        self.bind(end);
        self.alloc.release(mark);
        self.pos = e.pos;
    }

    /// Does the iterator return as soon as its parameter has returned false? It does if it calls it
    /// by `if !yield(…) { return }`, perhaps behind other conditions.
    fn returns_at_end(&self, param: ObjId, stmts: &'static [Stmt]) -> bool {
        let mut found = false;
        for s in stmts {
            if let StmtKind::If(i) = &s.kind
                && let [only] = &i.then.stmts[..]
                && matches!(&only.kind, StmtKind::Return(values) if values.is_empty())
            {
                let mut last = i.cond.unparen();
                while let ExprKind::Binary { op, y, .. } = &last.kind
                    && *op == BinOp::LAnd
                {
                    last = y.unparen();
                }
                if let ExprKind::Unary { op, x } = &last.kind
                    && *op == UnOp::Not
                    && let ExprKind::Call { fun, .. } = &x.unparen().kind
                {
                    found |= self.c.ck.info.object(fun.unparen().id) == Some(param);
                }
            }
            walk::each_part(s, &mut |p| {
                if let walk::Part::Stmt(s) = p {
                    found |= self.returns_at_end(param, std::slice::from_ref(s));
                }
            });
        }
        found
    }

    /// What is yielded, each in slots of its own, which may become variables.
    fn yielded_values(&mut self, items: &[Item]) -> Vec<Slot> {
        let each = items.iter().map(|item| {
            let ti = self.item_info(item);
            let slot = self.alloc.take(&ti);
            self.item(item, Some(slot));
            slot
        });
        each.collect()
    }
}
