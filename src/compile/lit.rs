//! Function literals in place: known where they are called, and made only where they are values.
//!
//! A variable or parameter that is never assigned after its declaration, and whose value is a small
//! function literal, has the literal itself for its place ([`Loc::Lit`]), with the places of what
//! that captures: calls of it are compiled in place like those of declared functions. If it is
//! mentioned other than to be called, the func value is made where it is declared; else where it
//! becomes a value after all, since a function of its own captures it, or a call of it is not
//! compiled in place: func values cannot be compared, so two do for one.
//!
//! # Invariants
//!
//! - L1. What a literal has captured is where it was as long as the literal can be named. A
//!   variable's place holds while its scope lasts, which is around that of whatever names the
//!   literal. Where a call compiled in place returns a literal, the slots of its body are kept
//!   until the scope of the variable ends that takes it, and parameters that the literal captures
//!   have slots of their own there, lest they are variables of the caller that change.
//! - L2. Captured variables that change live in boxes, as if the literal were a value: the body of
//!   a literal never assigns to a slot that is an operand of an expression around its call.
//! - L3. A text may be in place twice at a time: a literal in another of the same text, or a
//!   function in a literal of its own. So what is compiled in place of a call in a literal leaves
//!   all variables where they were.
//!
//! Go: cmd/compile/internal/inline/inl.go, cmd/compile/internal/ir/expr.go (StaticValue).

use super::call::Target;
use super::closure::{Capture, ClosureLayout, LitKind};
use super::func::{Fun, Loc};
use super::inline::{Body, DEPTH, LARGE, Owner, Wanted};
use super::regalloc::Slot;
use super::{LitJob, TypeEnv};
use std::rc::Rc;
use syntax::ast::{Expr, ExprKind};
use types::{ObjId, ObjKind};

/// A literal in place.
#[derive(Clone)]
pub(super) struct Lit {
    e: &'static Expr,
    pub body: Rc<Body>,
    pub env: TypeEnv,
    name: String,
    /// The variables that it captures, and where they are.
    captures: Vec<(ObjId, Loc)>,
    /// What [`Fun::makes_copies`] and [`Fun::open_functions`] said where it stands.
    is_copy: bool,
    open: Rc<[ObjId]>,
    /// Its function, once its value has been needed.
    index: Option<u32>,
    /// Where its value is, if that has been made once and for all.
    value: Option<Slot>,
}

impl Fun<'_> {
    /// The place of a variable about to be declared whose value is `e`, if that is a literal: it
    /// has been evaluated then. What that takes of the frame is not given back.
    pub(super) fn literal_of(&mut self, obj: ObjId, e: &'static Expr) -> Option<Loc> {
        let ObjKind::Var(v) = &self.c.ck.obj(obj).kind else {
            return None;
        };
        if v.reassigned || v.is_global || v.is_field || self.is_boxed(obj) {
            return None;
        }
        let is_valued = v.valued;
        // Not an interface.
        let t = self.obj_type(obj);
        self.c.ck.sig(t)?;
        let loc = self.literal_in_place(e)?;
        if let Loc::Lit(lit) = loc
            && is_valued
            && self.lits[lit as usize].value.is_none()
        {
            let slot = self.alloc.pointer();
            self.lit_value(lit, Some(slot));
            let value = Some(slot);
            self.lits.push(Lit {
                value,
                ..self.lits[lit as usize].clone()
            });
            return Some(Loc::Lit(self.lits.len() as u32 - 1));
        }
        Some(loc)
    }

    /// If the value of `e` is a literal in place: that, or where the value is, should it turn out
    /// not to be one. What that takes of the frame is not given back. `None`: nothing is done yet.
    pub(super) fn literal_in_place(&mut self, e: &'static Expr) -> Option<Loc> {
        if self.overrides.contains_key(&e.id) {
            return None;
        }
        let e = e.unparen();
        match &e.kind {
            ExprKind::FuncLit { .. } => self.new_lit(e, false).map(Loc::Lit),
            ExprKind::Name(_) if !self.is_deep() => self.named_lit(e).map(Loc::Lit),
            ExprKind::Call { fun, .. } => {
                if matches!(fun.unparen().kind, ExprKind::FuncLit { .. })
                    || self.c.ck.info.is_type(fun)
                    || self.builtin_of(fun).is_some()
                    || self.is_deep()
                {
                    return None;
                }
                let candidate = self.inline_candidate(fun)?;
                candidate.body.returns_lit.map(|_| {
                    let (slots, lit) = self.inline(e, &candidate, None, Wanted::Lit);
                    lit.map_or_else(|| Loc::Slot(slots[0]), Loc::Lit)
                })
            }
            _ => None,
        }
    }

    /// Calls of what is declared here would not all be compiled in place.
    fn is_deep(&self) -> bool {
        let is_deep = self.level() + 1 >= DEPTH || self.code.len() > LARGE / 2;
        self.dead || is_deep && !self.is_forced
    }

    /// The literal that is the place of the variable `e`.
    pub(super) fn named_lit(&self, e: &Expr) -> Option<u32> {
        match self.named_loc(e)? {
            Loc::Lit(lit) => Some(lit),
            _ => None,
        }
    }

    /// The place of the variable that `e` names, if it has one in this function.
    pub(super) fn named_loc(&self, e: &Expr) -> Option<Loc> {
        let e = e.unparen();
        let ExprKind::Name(_) = e.kind else {
            return None;
        };
        self.vars.get(&self.c.ck.info.object(e.id)?).copied()
    }

    /// The literal `e`, if calls of it may be compiled in place.
    pub(super) fn new_lit(&mut self, e: &'static Expr, is_called_here: bool) -> Option<u32> {
        if self.is_deep() {
            return None;
        }
        let captures = self.bound(&self.captured_by(e));
        let known: Vec<_> = (captures.iter())
            .filter_map(|(obj, loc)| match loc {
                Loc::Lit(lit) => Some((*obj, self.lits[*lit as usize].body.clone())),
                _ => None,
            })
            .collect();
        let pkg = self.pkg_here();
        let mut body = self.c.literal_body(e, pkg, &known, is_called_here)?;
        let env = self.env.clone();
        self.signature_in(&body, &env)?;
        let name = self.literal_name(super::closure::Literal::Func);
        body.is_called(name.clone());
        self.lits.push(Lit {
            e,
            body: Rc::new(body),
            env,
            name,
            captures,
            is_copy: self.makes_copies(),
            open: self.open_functions(),
            index: None,
            value: None,
        });
        Some(self.lits.len() as u32 - 1)
    }

    /// Those of the variables that have a place in this function, with that.
    pub(super) fn bound(&self, objs: &[ObjId]) -> Vec<(ObjId, Loc)> {
        let bound = objs.iter().map(|o| self.vars.get(o).map(|l| (*o, *l)));
        bound.flatten().collect()
    }

    /// What the literal captures is where it was: its body is about to be compiled in place.
    pub(super) fn open_lit(&mut self, lit: u32) {
        let captures = &self.lits[lit as usize].captures;
        self.vars.extend(captures.iter().copied());
    }

    /// The value of a literal in place.
    pub(super) fn lit_value(&mut self, lit: u32, dst: Option<Slot>) -> Slot {
        if let Some(s) = self.lits[lit as usize].value {
            let d = dst.unwrap_or(s);
            self.mov_n(d, s, 1);
            return d;
        }
        let (index, captures, layout) = self.lit_function(lit);
        let e = self.lits[lit as usize].e;
        self.make_closure(e, index, &captures, &layout, dst)
    }

    /// What a call of it, which is not compiled in place, calls.
    pub(super) fn lit_target(&mut self, lit: u32) -> Target {
        match self.lits[lit as usize].captures.is_empty() {
            true => Target::Func(self.lit_function(lit).0),
            false => Target::Closure(self.lit_value(lit, None)),
        }
    }

    /// Its function, and how a func value of it is laid out.
    fn lit_function(&mut self, lit: u32) -> (u32, Vec<Capture>, ClosureLayout) {
        let l = &self.lits[lit as usize];
        let (e, env, name, bound) = (l.e, l.env.clone(), l.name.clone(), l.captures.clone());
        let (index, pkg, is_copy, open) = (l.index, l.body.pkg, l.is_copy, l.open.clone());
        let mut layout = ClosureLayout::new();
        let outer = std::mem::replace(&mut self.env, env.clone());
        let captures = self.captures_of(&bound, &mut layout);
        self.env = outer;
        let index = match index {
            Some(index) => index,
            None => {
                let captures = captures.clone();
                let kind = LitKind::Lit { e, captures };
                self.queue_part(LitJob {
                    name,
                    pkg,
                    env,
                    is_copy,
                    open,
                    kind,
                })
            }
        };
        self.lits[lit as usize].index = Some(index);
        (index, captures, layout)
    }

    /// The package whose text is being compiled.
    pub(super) fn pkg_here(&self) -> Option<types::PkgId> {
        self.inlining.last().map_or(self.pkg, |i| i.pkg)
    }
}

impl Owner {
    /// Is it a declared function that is being compiled, or is part of what is?
    pub(super) fn is_open(self, f: &Fun<'_>) -> bool {
        match self {
            Owner::Func(obj) => {
                Some(obj) == f.own
                    || f.open.contains(&obj)
                    || f.inlining.iter().any(|i| i.owner == self)
            }
            Owner::Lit(_) | Owner::Loop => false,
        }
    }
}
