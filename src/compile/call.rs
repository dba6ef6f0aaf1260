//! Calls.
//!
//! Arguments go straight into the window unless one after them is complex (compile::C1): then
//! they wait in temporaries. Results are found in the window.
//!
//! Spec: Calls, Passing arguments to ... parameters, Method values.

use super::func::{Arg, Fun, emit};
use super::place::Place;
use super::regalloc::Slot;
use super::{Repr, TypeInfo, abi};
use bytecode::op::Op;
use std::rc::Rc;
use syntax::ast::{Expr, ExprKind};
use types::{Builtin, Found, ObjId, ObjKind, SelectionKind, Signature, Type, TypeId};

/// What is called.
#[derive(Clone, Debug)]
pub(super) enum Target {
    Func(u32),
    /// A declared function or method, with the type arguments of its instance.
    Decl(ObjId, Vec<TypeId>),
    Native(u32),
    /// A func value.
    Closure(Slot),
    /// A literal in place.
    Lit(u32),
    /// Method number of the interface in the slots.
    Iface(Slot, u32),
}

/// An argument (or receiver) before it is in the window.
#[derive(Clone)]
pub(super) enum Item {
    Expr(&'static Expr, TypeId),
    /// Evaluated already.
    Ready(Slot, Rc<TypeInfo>),
    /// Evaluated already, to be converted from this type to that.
    Convert(Slot, TypeId, TypeId),
    /// The slice of a variadic parameter: elements, element type.
    Pack(&'static [Expr], TypeId),
    /// The same of evaluated values with their types.
    PackReady(Vec<(Slot, TypeId)>, TypeId),
    /// A value to be loaded.
    Load(Place, Rc<TypeInfo>),
    /// An address to be taken.
    Address(Place),
}

/// A call ready to be made: target, signature, receiver if it takes part in the window.
pub(super) struct Callee {
    pub target: Target,
    pub sig: Signature,
    pub recv: Option<(Item, Rc<TypeInfo>)>,
}

impl Fun<'_> {
    /// A call in an expression: conversion, builtin, or a call with at most one result.
    pub(super) fn call_value(&mut self, e: &'static Expr, dst: Option<Slot>) -> Slot {
        let ExprKind::Call { fun, args, .. } = &e.kind else {
            unreachable!()
        };
        if self.c.ck.info.is_type(fun) {
            return self.ordered(e, |f| f.conversion(e, &args[0], dst));
        }
        if let Some(b) = self.builtin_of(fun) {
            return self.ordered(e, |f| f.builtin(e, b, args, dst));
        }
        self.ordered(e, |f| {
            if let Some(s) = f.intrinsic(e, fun, args, dst) {
                return s;
            }
            let results = f.call_ordered(e, dst);
            let ti = f.einfo(e);
            match ti.slots {
                0 => Slot::NONE,
                _ => f.settle(results[0], &ti, dst),
            }
        })
    }

    pub(super) fn builtin_of(&self, fun: &Expr) -> Option<Builtin> {
        self.c.builtin_of(fun)
    }

    /// Functions of the standard library that are instructions.
    fn intrinsic(
        &mut self,
        e: &'static Expr,
        fun: &'static Expr,
        args: &'static [Expr],
        dst: Option<Slot>,
    ) -> Option<Slot> {
        let obj = self.c.static_callee(fun)?;
        let o = self.c.ck.obj(obj);
        let pkg = &self.c.ck.pkg(o.pkg?).path;
        if pkg == "reflect" {
            let name = o.name.as_str();
            return self.interface_words(e, fun, name, args, dst);
        }
        if pkg == "math/bits" {
            let name = o.name.as_str();
            return self.bits(e, fun, name, args, dst);
        }
        if pkg != "math" || args.len() != 1 {
            return None;
        }
        let (op, of) = match o.name.as_str() {
            "Sqrt" => (Op::SqrtF64, TypeId::FLOAT64),
            "Abs" => (Op::AbsF64, TypeId::FLOAT64),
            "Floor" => (Op::FloorF64, TypeId::FLOAT64),
            // Slots hold the bits.
            "Float64bits" => (Op::Mov, TypeId::FLOAT64),
            "Float32bits" => (Op::Mov, TypeId::FLOAT32),
            "Float64frombits" => (Op::Mov, TypeId::UINT64),
            "Float32frombits" => (Op::Mov, TypeId::UINT32),
            _ => return None,
        };
        let ti = self.einfo(e);
        let mark = self.alloc.mark();
        let a = self.expr_as_loose(&args[0], of);
        self.alloc.release(mark);
        let d = self.dst(dst, &ti);
        self.pos = e.pos;
        self.put(op, &[d.0.into(), a.0.into()]);
        Some(d)
    }

    /// The values of arguments, wherever they lie: all there until the last has been evaluated.
    fn loose_args(&mut self, args: &'static [Expr], sig: &Signature) -> Vec<Slot> {
        let mut from = Vec::new();
        for (arg, param) in args.iter().zip(&sig.params) {
            let t = self.c.ck.obj(*param).ty;
            let s = self.expr_as_loose(arg, t);
            let is_last = from.len() + 1 == args.len();
            let held = if s.is_window() && !is_last {
                let held = self.info(t);
                self.keep(s, &held)
            } else {
                s
            };
            from.push(held);
        }
        from
    }

    /// Functions of package math/bits with one result.
    fn bits(
        &mut self,
        e: &'static Expr,
        fun: &'static Expr,
        name: &str,
        args: &'static [Expr],
        dst: Option<Slot>,
    ) -> Option<Slot> {
        let kind = name.trim_end_matches(|c: char| c.is_ascii_digit());
        let width: i64 = match &name[kind.len()..] {
            "" => 64,
            digits => digits.parse().ok()?,
        };
        let is_rotation = kind == "RotateLeft" && width >= 32;
        let is_known = match kind {
            "TrailingZeros" | "LeadingZeros" | "Len" | "OnesCount" => true,
            "ReverseBytes" => width == 64,
            _ => is_rotation,
        };
        if !is_known || args.len() != 1 + usize::from(is_rotation) {
            return None;
        }
        let by = match args {
            [_, by] => self.const_word(by),
            _ => None,
        };
        let ft = self.ty(fun);
        let sig = self.c.ck.sig(ft).cloned()?;
        let ti = self.einfo(e);
        let mark = self.alloc.mark();
        let args = if by.is_some() { &args[..1] } else { args };
        let values = self.loose_args(args, &sig);
        let (a, n) = (*values.first()?, values.get(1));
        self.alloc.release(mark);
        let d = self.dst(dst, &ti);
        self.pos = e.pos;
        let (to, from) = (i64::from(d.0), i64::from(a.0));
        match (kind, by, n) {
            (_, Some(by), _) if width == 64 => self.put(Op::RotateLeftImm, &[to, from, by & 63]),
            (_, Some(by), _) => self.put(Op::RotateLeftImmU32, &[to, from, by & 31]),
            (_, _, Some(n)) if width == 64 => self.put(Op::RotateLeft, &[to, from, n.0.into()]),
            (_, _, Some(n)) => self.put(Op::RotateLeftU32, &[to, from, n.0.into()]),
            ("TrailingZeros", ..) if width < 64 => {
                // A bit behind the number is found where there is none in it.
                self.put(Op::OrConst, &[to, from, 1 << width]);
                self.put(Op::TrailingZeros, &[to, to]);
            }
            ("TrailingZeros", ..) => self.put(Op::TrailingZeros, &[to, from]),
            ("OnesCount", ..) => self.put(Op::OnesCount, &[to, from]),
            ("ReverseBytes", ..) => self.put(Op::ReverseBytes, &[to, from]),
            ("Len", ..) => self.put(Op::BitLen, &[to, from]),
            _ => {
                self.put(Op::BitLen, &[to, from]);
                self.put(Op::Neg, &[to, to]);
                self.put(Op::AddImm, &[to, to, width]);
            }
        }
        Some(d)
    }

    /// Functions of package reflect that take an interface value apart or put one together.
    fn interface_words(
        &mut self,
        e: &'static Expr,
        fun: &'static Expr,
        name: &str,
        args: &'static [Expr],
        dst: Option<Slot>,
    ) -> Option<Slot> {
        // Which word of which argument is each word of the result.
        let words: &[(usize, u32)] = match name {
            "typeWord" => &[(0, 0)],
            "dataWord" | "dataBits" => &[(0, 1)],
            "pack" | "packBits" => &[(0, 0), (1, 0)],
            "withType" => &[(0, 0), (1, 1)],
            _ => return None,
        };
        let ft = self.ty(fun);
        let sig = self.c.ck.sig(ft).cloned()?;
        let ti = self.einfo(e);
        let mark = self.alloc.mark();
        let from = self.loose_args(args, &sig);
        self.alloc.release(mark);
        let d = self.dst(dst, &ti);
        self.pos = e.pos;
        let from: Vec<Slot> = words.iter().map(|&(arg, k)| from[arg].plus(k)).collect();
        match from[..] {
            [a] => self.mov_n(d, a, 1),
            [a, b] if b != d => {
                self.mov_n(d, a, 1);
                self.mov_n(d.plus(1), b, 1);
            }
            [a, b] if a != d.plus(1) => {
                self.mov_n(d.plus(1), b, 1);
                self.mov_n(d, a, 1);
            }
            _ => unreachable!("the words are not given in the other order"),
        }
        Some(d)
    }

    /// The id at which type arguments of the function `fun` are recorded.
    pub(super) fn instance_id(fun: &Expr) -> syntax::ast::NodeId {
        let fun = fun.unparen();
        match &fun.kind {
            ExprKind::Selector { sel, .. } => sel.id,
            ExprKind::Index { x, .. } => Self::instance_id(x),
            _ => fun.id,
        }
    }

    /// Makes the call `e`, which is neither conversion nor builtin. Returns where its results are:
    /// in the window, or, of a call compiled in place, in temporaries; a single one of those is in
    /// `dst` if that is given.
    pub(super) fn call(&mut self, e: &'static Expr, dst: Option<Slot>) -> Vec<Slot> {
        self.ordered(e, |f| f.call_ordered(e, dst))
    }

    fn call_ordered(&mut self, e: &'static Expr, dst: Option<Slot>) -> Vec<Slot> {
        let ExprKind::Call {
            fun,
            args,
            ellipsis,
            ..
        } = &e.kind
        else {
            unreachable!()
        };
        if let Some(iteration) = self.yields_to(fun) {
            return vec![self.yield_in_place(e, iteration)];
        }
        if let Some(candidate) = self.inline_candidate(fun) {
            return self.inline_call(e, &candidate, dst);
        }
        let mark = self.alloc.mark();
        let callee = self.callee(fun);
        let items = self.arguments(&callee.sig, args, ellipsis.is_some());
        let w = self.make_call(e, callee, items);
        self.alloc.release(mark);
        window_results(&w)
    }

    /// Finds out what is called, and evaluates what must be evaluated before the arguments.
    pub(super) fn callee(&mut self, fun: &'static Expr) -> Callee {
        let ft = self.ty(fun);
        let sig = self.c.ck.sig(ft).cloned().unwrap_or_default();
        if !self.overrides.contains_key(&fun.id) {
            let f = self.c.method_selector(fun);
            if let Some(obj) = self.c.static_callee(fun) {
                let targs = self.instance_args(Self::instance_id(fun));
                if let Some(native) = self.c.native_of(obj) {
                    let pkg = self.c.ck.obj(obj).pkg;
                    if let Some(p) = pkg {
                        self.c.std_package(p);
                    }
                    return Callee {
                        target: Target::Native(native),
                        sig,
                        recv: None,
                    };
                }
                return Callee {
                    target: Target::Decl(obj, targs),
                    sig,
                    recv: None,
                };
            }
            if let ExprKind::Selector { x, .. } = &f.kind
                && let Some(sn) = self.c.selection(f).cloned()
            {
                match sn.kind {
                    SelectionKind::MethodVal => return self.method_callee(f, x, sig),
                    SelectionKind::MethodExpr => {
                        let index = self.method_expr_func(f);
                        return Callee {
                            target: Target::Func(index),
                            sig,
                            recv: None,
                        };
                    }
                    SelectionKind::FieldVal => {}
                }
            }
            if let ExprKind::FuncLit { .. } = &f.kind
                && let Some(index) = self.plain_literal(f)
            {
                return Callee {
                    target: Target::Func(index),
                    sig,
                    recv: None,
                };
            }
        }
        let target = match self.named_lit(fun) {
            Some(lit) => Target::Lit(lit),
            None => Target::Closure(self.expr(fun, None)),
        };
        Callee {
            target,
            sig,
            recv: None,
        }
    }

    /// The callee `x.m`.
    fn method_callee(&mut self, f: &'static Expr, x: &'static Expr, sig: Signature) -> Callee {
        let (place, t, obj, m) = self.receiver(f, x);
        let own = self.instance_args(Self::instance_id(f));
        self.method_target(place, t, obj, m, own, sig)
    }

    /// The method that the selection `f` names in type `t`, and the way to it.
    pub(super) fn method_of(
        &mut self,
        f: &Expr,
        t: TypeId,
        addressable: bool,
    ) -> Option<(ObjId, Vec<u32>)> {
        let sn = self.c.selection(f)?.clone();
        if self.env.is_some() {
            // In an instance: look the method up in the type argument.
            let o = self.c.ck.obj(sn.obj).clone();
            if let Found::Entry { obj, path, .. } = self.c.ck.lookup(t, addressable, o.pkg, o.name)
            {
                return Some((obj, path));
            }
        }
        Some((sn.obj, sn.path))
    }

    /// Walks to the receiver of the method selection `f` = `x.m`: its place and type,
    /// the method, and its number.
    pub(super) fn receiver(
        &mut self,
        f: &'static Expr,
        x: &'static Expr,
    ) -> (Place, TypeId, ObjId, u32) {
        let xt = self.ty(x);
        let Some((obj, path)) = self.method_of(f, xt, true) else {
            unreachable!()
        };
        let place = self.place(x);
        self.pos = f.pos;
        let (last, fields) = path.split_last().map_or((0, &[][..]), |(l, f)| (*l, f));
        let (place, t) = self.walk_fields(place, xt, fields);
        (place, t, obj, last)
    }

    /// A method of the value at `place`, of type `t`; `own` are the type arguments of the method
    /// itself.
    pub(super) fn method_target(
        &mut self,
        place: Place,
        t: TypeId,
        obj: ObjId,
        m: u32,
        own: Vec<TypeId>,
        sig: Signature,
    ) -> Callee {
        let ti = self.info(t);
        if matches!(ti.repr, Repr::Iface | Repr::Eface) {
            let name = self.c.ck.obj(obj).name;
            self.c.method_is_live(name);
            let s = self.load(place, &ti, None);
            let s = if s.is_window() { self.keep(s, &ti) } else { s };
            return Callee {
                target: Target::Iface(s, self.iface_index(t, obj, m)),
                sig,
                recv: None,
            };
        }
        let by_ptr = self.c.ck.objs.func(obj).is_some_and(|f| f.ptr_recv);
        let elem = self.c.ck.deref(t);
        let (item, ri) = match (by_ptr, elem) {
            (true, Some(_)) | (false, None) => (Item::Load(place, ti.clone()), ti),
            (true, None) => {
                let pt = self.c.ck.types.pointer(t);
                (Item::Address(place), self.info(pt))
            }
            (false, Some(elem)) => {
                let p = self.load(place, &ti, None);
                let p = if p.is_window() { self.keep(p, &ti) } else { p };
                let ei = self.info(elem);
                (Item::Load(Place::Mem { ptr: p, off: 0 }, ei.clone()), ei)
            }
        };
        let target = match self.c.native_of(obj) {
            Some(n) => Target::Native(n),
            None => {
                let mut targs = self.c.recv_targs(t);
                targs.extend(own);
                Target::Decl(obj, targs)
            }
        };
        Callee {
            target,
            sig,
            recv: Some((item, ri)),
        }
    }

    /// The number of method `obj` in the sorted methods of interface `t`.
    pub(super) fn iface_index(&mut self, t: TypeId, obj: ObjId, m: u32) -> u32 {
        let set = self.c.ck.type_set(t);
        let name = self.c.ck.obj(obj).name;
        let i = set.methods.iter().position(|x| *x == obj);
        let i = i.or_else(|| {
            set.methods
                .iter()
                .position(|x| self.c.ck.obj(*x).name == name)
        });
        i.map_or(m, |i| i as u32)
    }

    /// The arguments as items, one per parameter.
    pub(super) fn arguments(
        &mut self,
        sig: &Signature,
        args: &'static [Expr],
        ellipsis: bool,
    ) -> Vec<Item> {
        let params: Vec<TypeId> = sig.params.iter().map(|p| self.obj_type(*p)).collect();
        if let [only] = args
            && let Some(types) = self.tuple_of(only)
        {
            return self.spread(sig, &params, only, &types);
        }
        self.note_passed(args);
        let mut items = Vec::with_capacity(params.len());
        for (i, &t) in params.iter().enumerate() {
            if sig.variadic && !ellipsis && i + 1 == params.len() {
                let elem = self.variadic_elem(t);
                items.push(Item::Pack(&args[i..], elem));
            } else {
                items.push(Item::Expr(&args[i], t));
            }
        }
        items
    }

    /// Notes which arguments of a call are conversions.
    pub(super) fn note_passed(&mut self, args: &[Expr]) {
        let is_conversion = |a: &&Expr| match &a.kind {
            ExprKind::Call { fun, .. } => self.c.ck.info.is_type(fun),
            _ => false,
        };
        let conversions = args.iter().map(Expr::unparen).filter(is_conversion);
        self.passed.extend(conversions.map(|a| a.id));
    }

    pub(super) fn variadic_elem(&mut self, t: TypeId) -> TypeId {
        match self.c.ck.under_type(t) {
            Type::Slice(e) => {
                let e = *e;
                self.subst(e)
            }
            _ => t,
        }
    }

    /// The result types of a call with several (or of a call overridden as such).
    pub(super) fn tuple_of(&mut self, e: &Expr) -> Option<Vec<TypeId>> {
        let e = e.unparen();
        if !matches!(e.kind, ExprKind::Call { .. }) {
            return None;
        }
        let t = self.c.ck.info.type_of(e);
        match self.c.ck.types.get(t).clone() {
            Type::Tuple(ts) if ts.len() > 1 => {
                Some(ts.into_iter().map(|t| self.subst(t)).collect())
            }
            _ => None,
        }
    }

    /// f(g()): the results of g as arguments.
    fn spread(
        &mut self,
        sig: &Signature,
        params: &[TypeId],
        call: &'static Expr,
        types: &[TypeId],
    ) -> Vec<Item> {
        let results = self.call(call.unparen(), None);
        let mut values = Vec::new();
        for (i, &t) in types.iter().enumerate() {
            let ti = self.info(t);
            let s = if ti.slots == 0 {
                Slot::NONE
            } else {
                self.keep(results[i], &ti)
            };
            values.push((s, t));
        }
        self.spread_values(sig, params, values)
    }

    /// Evaluated values as arguments.
    pub(super) fn spread_values(
        &mut self,
        sig: &Signature,
        params: &[TypeId],
        mut values: Vec<(Slot, TypeId)>,
    ) -> Vec<Item> {
        let mut items = Vec::new();
        for (i, &t) in params.iter().enumerate() {
            if sig.variadic && i + 1 == params.len() {
                let elem = self.variadic_elem(t);
                items.push(Item::PackReady(values.split_off(i), elem));
            } else {
                items.push(Item::Convert(values[i].0, values[i].1, t));
            }
        }
        items
    }

    pub(super) fn item_is_complex(&mut self, item: &Item) -> bool {
        match item {
            Item::Expr(e, _) => self.c.is_complex(e),
            Item::Pack(es, _) => es.iter().any(|e| self.c.is_complex(e)),
            _ => false,
        }
    }

    /// Evaluates an item to `dst`, or to where it is.
    pub(super) fn item(&mut self, item: &Item, dst: Option<Slot>) -> Slot {
        match item {
            Item::Expr(e, t) => self.expr_as(e, *t, dst),
            Item::Ready(s, ti) => self.settle(*s, ti, dst),
            Item::Convert(s, from, to) => {
                if self.c.ck.is_interface(*to) && !self.c.ck.identical(*from, *to) {
                    return self.make_iface(*s, *from, *to, dst);
                }
                let ti = self.info(*to);
                self.settle(*s, &ti, dst)
            }
            Item::Pack(es, elem) => self.pack(es, *elem, dst),
            Item::PackReady(values, elem) => self.pack_ready(values, *elem, dst),
            Item::Load(place, ti) => {
                let (place, ti) = (*place, ti.clone());
                self.load(place, &ti, dst)
            }
            Item::Address(place) => {
                let p = self.address(*place);
                match dst {
                    Some(d) => {
                        self.mov_n(d, p, 1);
                        d
                    }
                    None => p,
                }
            }
        }
    }

    /// The slice of a variadic parameter.
    fn pack(&mut self, es: &'static [Expr], elem: TypeId, dst: Option<Slot>) -> Slot {
        let st = self.c.ck.types.slice(elem);
        let (si, ei) = (self.info(st), self.info(elem));
        if es.is_empty() {
            let d = self.dst(dst, &si);
            self.zero(d, &si);
            return d;
        }
        let mark = self.alloc.mark();
        let p = self.alloc.pointer();
        let n = es.len() as u64;
        emit!(self, New, p, ei.rtype.layout, n.saturating_mul(ei.size));
        for (i, x) in es.iter().enumerate() {
            let inner = self.alloc.mark();
            let s = self.expr_as_loose(x, elem);
            self.store_mem(p, i as u64 * ei.size, &ei, s);
            self.alloc.release(inner);
        }
        self.alloc.release(mark);
        let d = self.dst(dst, &si);
        self.slice_header(d, p, n);
        d
    }

    fn pack_ready(&mut self, values: &[(Slot, TypeId)], elem: TypeId, dst: Option<Slot>) -> Slot {
        let st = self.c.ck.types.slice(elem);
        let (si, ei) = (self.info(st), self.info(elem));
        let mark = self.alloc.mark();
        let p = self.alloc.pointer();
        let n = values.len() as u64;
        if n == 0 {
            let d = self.dst(dst, &si);
            self.zero(d, &si);
            return d;
        }
        emit!(self, New, p, ei.rtype.layout, n.saturating_mul(ei.size));
        for (i, (s, t)) in values.iter().enumerate() {
            let s = self.item(&Item::Convert(*s, *t, elem), None);
            self.store_mem(p, i as u64 * ei.size, &ei, s);
        }
        self.alloc.release(mark);
        let d = self.dst(dst, &si);
        self.slice_header(d, p, n);
        d
    }

    /// Lays the window out for a signature, with a receiver if there is one.
    pub(super) fn window_of(&mut self, sig: &Signature, recv: Option<u64>) -> abi::Window {
        let results: Vec<u64> = sig.results.iter().map(|r| self.obj_info(*r).size).collect();
        let params: Vec<u64> = sig.params.iter().map(|p| self.obj_info(*p).size).collect();
        let w = abi::window(results, recv.into_iter().chain(params));
        self.win_max = self.win_max.max(w.len());
        w
    }

    /// Brings the items into the window and calls.
    pub(super) fn make_call(
        &mut self,
        e: &'static Expr,
        callee: Callee,
        items: Vec<Item>,
    ) -> abi::Window {
        self.make_call_at(e.pos, callee, items)
    }

    /// The same for a call at `pos`.
    pub(super) fn make_call_at(
        &mut self,
        pos: source::Pos,
        callee: Callee,
        mut items: Vec<Item>,
    ) -> abi::Window {
        let target = match callee.target {
            Target::Lit(lit) => self.lit_target(lit),
            target => target,
        };
        let recv_size = match (&callee.recv, &target) {
            (Some((_, ri)), _) => Some(ri.size),
            (None, Target::Iface(..)) => Some(8),
            _ => None,
        };
        let w = self.window_of(&callee.sig, recv_size);
        if let Some((item, _)) = callee.recv {
            items.insert(0, item);
        }
        let first = usize::from(matches!(target, Target::Iface(..)));
        // Arguments with calls first, as Go's compiler does it:
        // all but the last of them wait in temporaries.
        let last_complex = (0..items.len())
            .rev()
            .find(|&i| self.item_is_complex(&items[i]));
        for item in items.iter_mut().take(last_complex.unwrap_or(0)) {
            if self.item_is_complex(item) {
                let ti = self.item_info(item);
                let s = self.item(&item.clone(), None);
                *item = Item::Ready(s, ti);
            }
        }
        let order = last_complex
            .into_iter()
            .chain((0..items.len()).filter(|i| Some(*i) != last_complex));
        for i in order {
            let ti = self.item_info(&items[i]);
            let to = match ti.slots {
                0 => Slot::NONE,
                _ => Slot::window(w.params[i + first]),
            };
            let mark = self.alloc.mark();
            self.item(&items[i].clone(), Some(to));
            self.alloc.release(mark);
        }
        self.pos = pos;
        self.emit_call(target, &w);
        w
    }

    pub(super) fn item_info(&mut self, item: &Item) -> Rc<TypeInfo> {
        match item {
            Item::Expr(_, t) | Item::Convert(_, _, t) => self.info(*t),
            Item::Ready(_, ti) | Item::Load(_, ti) => ti.clone(),
            Item::Pack(_, elem) | Item::PackReady(_, elem) => {
                let t = self.c.ck.types.slice(*elem);
                self.info(t)
            }
            Item::Address(_) => self.info(TypeId::UNSAFE_POINTER),
        }
    }

    /// The call itself; the window is filled.
    pub(super) fn emit_call(&mut self, target: Target, w: &abi::Window) {
        let win = Slot::window(0);
        match target {
            Target::Func(i) => emit!(self, Call, win, i),
            Target::Decl(obj, targs) => {
                let i = self.c.func_of(obj, targs);
                emit!(self, Call, win, i);
            }
            Target::Native(i) => match self.c.way_past(i) {
                Some(op) => {
                    let done = self.label();
                    self.put(op, &[Slot::window(w.params[0]).arg(), done.arg()]);
                    emit!(self, CallNative, win, i);
                    self.bind(done);
                }
                None => emit!(self, CallNative, win, i),
            },
            Target::Closure(clo) => emit!(self, CallClosure, win, clo, w.closure),
            Target::Lit(_) => debug_assert!(false, "it has a target of its own"),
            Target::Iface(s, m) => emit!(self, CallIface, win, s, m, w.params[0]),
        }
    }
}

impl super::Compiler {
    /// The builtin function that `fun` names.
    pub(super) fn builtin_of(&self, fun: &Expr) -> Option<Builtin> {
        let fun = fun.unparen();
        let id = match &fun.kind {
            ExprKind::Name(_) => fun.id,
            ExprKind::Selector { sel, .. } => sel.id,
            _ => return None,
        };
        match self.ck.info.object(id).map(|o| &self.ck.obj(o).kind) {
            Some(ObjKind::Builtin(b)) => Some(*b),
            _ => None,
        }
    }

    /// The instruction before every call of the native that does its work, and jumps past it, when
    /// the goroutine need not wait for the lock, nor wake one that waits.
    ///
    /// Go: internal/sync/mutex.go, Lock and Unlock before their slow paths.
    fn way_past(&self, native: u32) -> Option<Op> {
        match self.parts.unit.natives[native as usize].name.as_str() {
            "sync.(*Mutex).Lock" => Some(Op::LockJump),
            "sync.(*Mutex).Unlock" => Some(Op::UnlockJump),
            _ => None,
        }
    }
}

/// Where the results of a call are that has just been made.
pub(super) fn window_results(w: &abi::Window) -> Vec<Slot> {
    w.results.iter().map(|&i| Slot::window(i)).collect()
}
