//! Functions that are in no source text: promoted and value methods for interfaces, method values
//! and expressions, natives as func values.
//!
//! A wrapper finds the receiver, walks to where the method is declared, passes its parameters on
//! and returns the results. It is invisible to tracebacks and to the rule of `recover`.
//!
//! Spec: Method values, Method expressions, Method sets.

use super::call::{Item, Target};
use super::closure::ClosureLayout;
use super::func::{Fun, emit};
use super::object::Need;
use super::place::Place;
use super::regalloc::Slot;
use super::{Compiler, FuncKey, Job, Repr, TypeInfo, abi};
use bytecode::func as bfunc;
use bytecode::rtype::{Kind, Rtype, Ty};
use bytecode::unit::In;
use serde::{Deserialize, Serialize};
use std::rc::Rc;
use syntax::ast::{Expr, ExprKind};
use types::{MethodEntry, ObjId, PkgId, Type, TypeId};

/// Is a value of the type a pointer, or a struct or array of nothing else? Go: types.IsDirectIface.
fn is_pointer_shaped(t: &Rtype) -> bool {
    match t.kind {
        Kind::Pointer | Kind::Chan | Kind::Map | Kind::Func | Kind::UnsafePointer => true,
        Kind::Struct => t.fields.len() == 1 && is_pointer_shaped(t.fields[0].typ.get()),
        Kind::Array => t.len == 1 && is_pointer_shaped(t.elem.get()),
        _ => false,
    }
}

/// A struct type without name as the linker's names have it, for it or a pointer to it: with the
/// packages of unexported fields.
fn struct_text(t: &Rtype) -> Option<String> {
    if t.kind == Kind::Pointer && t.name.is_empty() {
        return struct_text(&t.elem);
    }
    if t.kind != Kind::Struct || !t.name.is_empty() {
        return None;
    }
    let fields = t.fields.iter().map(|f| {
        let ty = f.typ.string;
        match f.pkg.rsplit('/').next() {
            _ if f.embedded => ty.to_string(),
            Some(pkg) if !pkg.is_empty() => format!("{pkg}.{} {ty}", f.name),
            _ => format!("{} {ty}", f.name),
        }
    });
    Some(format!(
        "struct {{ {} }}",
        fields.collect::<Vec<_>>().join("; ")
    ))
}

/// How a wrapper gets its receiver.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub(super) enum Recv {
    /// The first parameter.
    Plain,
    /// The first parameter is the address of an (immutable) copy: the data word of an interface.
    DataWord,
    /// In the closure: a method value.
    Bound,
}

#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct WrapperKey {
    pub recv: Ty,
    pub obj: ObjId,
    /// Type arguments of the method itself.
    pub own: Vec<Ty>,
    pub kind: Recv,
}

/// A wrapper to be compiled.
#[derive(Clone)]
pub(super) struct Wrapper {
    t: TypeId,
    obj: ObjId,
    path: Vec<u32>,
    own: Vec<TypeId>,
    kind: Recv,
}

impl Compiler {
    /// The wrapper for method `m` of `t`, with type arguments of its own perhaps; if `dormant`, its
    /// body waits until a method of that name is called through an interface.
    pub(super) fn wrapper_of(
        &mut self,
        t: TypeId,
        m: &MethodEntry,
        own: Vec<TypeId>,
        kind: Recv,
        dormant: bool,
    ) -> u32 {
        let index = self.wrapper_index(t, m, &own, kind, dormant);
        if !dormant {
            let need = || Need::Wrapper(t, m.obj, m.path.clone(), own, kind);
            self.note_given(In::Func, index.into(), need);
        }
        index
    }

    fn wrapper_index(
        &mut self,
        t: TypeId,
        m: &MethodEntry,
        own: &[TypeId],
        kind: Recv,
        dormant: bool,
    ) -> u32 {
        let recv = self.rtype(t);
        let key = FuncKey::Wrapper(WrapperKey {
            recv,
            obj: m.obj,
            own: own.iter().map(|&t| self.rtype(t)).collect(),
            kind,
        });
        if let Some(&i) = self.funcs.get(&key) {
            if !dormant {
                let name = self.ck.obj(m.obj).name;
                self.wake(name, i);
            }
            return i;
        }
        let index = self.reserve();
        self.funcs.insert(key, index);
        self.ck.ensure_decl(m.obj);
        let w = Wrapper {
            t,
            obj: m.obj,
            path: m.path.clone(),
            own: own.to_vec(),
            kind,
        };
        let job = Job::Wrapper(Box::new(w));
        if dormant {
            let name = self.ck.obj(m.obj).name;
            self.queue_method(name, index, job);
        } else {
            self.work.push((index, job));
        }
        index
    }

    /// Wakes one waiting body.
    pub(super) fn wake(&mut self, name: source::Symbol, index: u32) {
        if self.dormant.is_empty() {
            return;
        }
        if let Some(jobs) = self.dormant.get_mut(&name)
            && let Some(i) = jobs.iter().position(|(j, _)| *j == index)
        {
            let job = jobs.swap_remove(i);
            self.work.push(job);
        }
    }

    pub(super) fn compile_wrapper(&mut self, index: u32, w: Wrapper) {
        let ty = self.rtype(w.t);
        let method = self.ck.obj(w.obj).name;
        let named = self.ck.unalias(self.ck.deref(w.t).unwrap_or(w.t));
        let pkg = match self.ck.types.get(named) {
            Type::Named(n) => self.ck.obj(n.obj).pkg,
            _ => None,
        };
        let pkg = pkg.or(self.ck.obj(w.obj).pkg);
        let prefix = pkg.map_or(String::new(), |p| self.pkg_prefix(p));
        let base = ty.string.strip_prefix('*').unwrap_or(ty.string);
        let (generic, args) = base
            .split_once('[')
            .map_or((base, ""), |(g, _)| (g, "[...]"));
        let short = generic.rsplit('.').next().unwrap_or(generic);
        // Go calls values in interfaces by their addresses,
        // but for those that are as good as pointers.
        let is_called_by_address = w.kind != Recv::Bound && !is_pointer_shaped(&ty);
        let by_address = ty.string.starts_with('*') || is_called_by_address;
        let mut name = match (struct_text(&ty), by_address) {
            (Some(text), true) => format!("go:(*{text}).{method}"),
            (Some(text), false) => format!("go:{text}.{method}"),
            (None, true) => format!("{prefix}.(*{short}{args}).{method}"),
            (None, false) => format!("{prefix}.{short}{args}.{method}"),
        };
        if w.kind == Recv::Bound {
            name.push_str("-fm");
        }
        let mut f = Fun::new(self, index, name, pkg, None);
        f.wrapper_body(&w);
    }

    /// A function that passes everything on to a native function.
    pub(super) fn compile_native_stub(
        &mut self,
        index: u32,
        name: String,
        obj: ObjId,
        origin: ObjId,
    ) {
        let (pkg, ty, pos) = {
            let o = self.ck.obj(obj);
            (o.pkg, o.ty, o.pos)
        };
        let mut f = Fun::new(self, index, name, pkg, None);
        f.pos = pos;
        f.flags |= bfunc::WRAPPER;
        let (Some(sig), Some(native)) = (f.c.ck.sig(ty).cloned(), f.c.native_of(origin)) else {
            return;
        };
        let params: Vec<Rc<TypeInfo>> = sig
            .recv
            .iter()
            .chain(&sig.params)
            .map(|p| f.obj_info(*p))
            .collect();
        let results: Vec<Rc<TypeInfo>> = sig.results.iter().map(|p| f.obj_info(*p)).collect();
        f.layout_fixed(&results, &params);
        for (i, r) in results.iter().enumerate() {
            if r.has_pointers {
                f.zero(Slot::fixed(f.window.results[i]), r);
            }
        }
        let w = f.window.clone();
        f.win_max = w.len();
        f.mov_n(
            Slot::window(w.n_results),
            Slot::fixed(w.n_results),
            w.n_params,
        );
        f.emit_call(Target::Native(native), &w);
        f.mov_n(Slot::fixed(0), Slot::window(0), w.n_results);
        emit!(f, Ret);
        f.finish();
    }

    /// A function that calls functions without parameters and results, one after the other.
    pub(super) fn compile_call_all(&mut self, name: &str, funcs: &[u32]) -> u32 {
        let index = self.reserve();
        let mut f = Fun::new(self, index, name.to_string(), None, None);
        f.layout_fixed(&[], &[]);
        f.flags |= bfunc::WRAPPER;
        let w = abi::window([], []);
        f.win_max = w.len();
        for i in funcs {
            f.emit_call(Target::Func(*i), &w);
        }
        emit!(f, Ret);
        f.finish();
        index
    }

    /// A function that runs initialisers of package-level variables.
    pub(super) fn compile_init_vars(&mut self, pkg: PkgId, inits: &[types::Initializer]) -> u32 {
        let index = self.reserve();
        if self.is_wrong() {
            return index;
        }
        if let [i] = inits
            && let Some(number) = self.objects.find(i.lhs[0])
        {
            self.compile_object(index, number);
            return index;
        }
        let name = format!("{}.init", self.pkg_prefix(pkg));
        let mut f = Fun::new(self, index, name, Some(pkg), None);
        f.layout_fixed(&[], &[]);
        f.is_leaf = false;
        for i in inits {
            let rhs = i.rhs.expect("what has no tree was compiled before");
            f.pos = rhs.pos;
            let mark = f.alloc.mark();
            f.init_globals(&i.lhs, rhs);
            f.alloc.release(mark);
        }
        emit!(f, Ret);
        f.finish();
        index
    }
}

impl Fun<'_> {
    fn wrapper_body(&mut self, w: &Wrapper) {
        self.flags |= bfunc::WRAPPER
            | bfunc::AUTOGENERATED
            | if w.kind == Recv::Bound {
                bfunc::CLOSURE
            } else {
                0
            };
        self.pos = self.c.ck.obj(w.obj).pos;
        self.is_leaf = false;
        let sig_type = self.c.ck.obj(w.obj).ty;
        let Some(sig) = self.c.ck.sig(sig_type).cloned() else {
            return;
        };
        let sig = self.c.ck.subst_signature(&sig, &sig.tparams, &w.own);
        let ti = self.info(w.t);
        let params: Vec<Rc<TypeInfo>> = sig.params.iter().map(|p| self.obj_info(*p)).collect();
        let results: Vec<Rc<TypeInfo>> = sig.results.iter().map(|p| self.obj_info(*p)).collect();
        let pointer = self.info(TypeId::UNSAFE_POINTER);
        let mut all = Vec::new();
        match w.kind {
            Recv::Plain => all.push(ti.clone()),
            Recv::DataWord => all.push(pointer),
            Recv::Bound => {}
        }
        all.extend(params.iter().cloned());
        self.layout_fixed(&results, &all);
        for (i, r) in results.iter().enumerate() {
            if r.has_pointers {
                self.zero(Slot::fixed(self.window.results[i]), r);
            }
        }
        let first = all.len() - params.len();
        let recv = if first == 1 {
            Slot::fixed(self.window.params[0])
        } else {
            Slot::NONE
        };
        let place = match (w.kind, ti.repr) {
            (_, Repr::Zero) => Place::Blank,
            (Recv::Plain, Repr::Huge) | (Recv::DataWord, _) => Place::Mem { ptr: recv, off: 0 },
            (Recv::Plain, _) => Place::Slot(recv),
            (Recv::Bound, _) => {
                let clo = Slot::fixed(self.window.closure);
                let s = self.alloc.take(&ti);
                self.load_whole(s, clo, 8, &ti);
                if ti.repr == Repr::Huge {
                    Place::Mem { ptr: s, off: 0 }
                } else {
                    Place::Slot(s)
                }
            }
        };
        let (last, fields) = w.path.split_last().map_or((0, &[][..]), |(l, f)| (*l, f));
        // A value method through a nil pointer says so.
        if fields.is_empty()
            && w.kind == Recv::Plain
            && let Some(elem) = self.c.ck.deref(w.t)
            && !self.c.ck.objs.func(w.obj).is_some_and(|f| f.ptr_recv)
        {
            let ei = self.info(elem);
            let name = self.c.ck.obj(w.obj).name;
            let pkg = self.c.ck.obj(w.obj).pkg;
            let prefix = pkg.map_or(String::new(), |p| self.c.pkg_prefix(p));
            let short = match ei.rtype.name.split_once('[') {
                Some((generic, _)) => format!("{generic}[...]"),
                None => ei.rtype.name.to_string(),
            };
            let text =
                format!("value method {prefix}.{short}.{name} called using nil *{short} pointer");
            let at = self.c.string_data(text.as_bytes());
            let ok = self.label();
            emit!(self, JumpNeImm, recv, 0, ok);
            emit!(self, MethodNil, at, text.len());
            self.bind(ok);
        }
        let (place, t) = self.walk_fields(place, w.t, fields);
        let callee = self.method_target(place, t, w.obj, last, w.own.clone(), sig);
        let items = params
            .iter()
            .enumerate()
            .map(|(i, ti)| {
                let s = if ti.slots == 0 {
                    Slot::NONE
                } else {
                    Slot::fixed(self.window.params[i + first])
                };
                Item::Ready(s, ti.clone())
            })
            .collect();
        self.make_call_at(self.pos, callee, items);
        self.mov_n(Slot::fixed(0), Slot::window(0), self.window.n_results);
        emit!(self, Ret);
        self.finish();
    }

    /// The method value `x.m`.
    pub(super) fn method_value(
        &mut self,
        e: &'static Expr,
        x: &'static Expr,
        dst: Option<Slot>,
    ) -> Slot {
        let mark = self.alloc.mark();
        let (place, t, obj, last) = self.receiver(e, x);
        let own = self.instance_args(Self::instance_id(e));
        let mut ti = self.info(t);
        let by_ptr = self.c.ck.objs.func(obj).is_some_and(|f| f.ptr_recv);
        let elem = self.c.ck.deref(t);
        let is_iface = matches!(ti.repr, Repr::Iface | Repr::Eface);
        let s = match (by_ptr, elem) {
            (true, None) if !is_iface => {
                let pt = self.c.ck.types.pointer(t);
                ti = self.info(pt);
                self.address(place)
            }
            (false, Some(elem)) if !is_iface => {
                let p = self.load(place, &ti, None);
                let p = if p.is_window() { self.keep(p, &ti) } else { p };
                ti = self.info(elem);
                self.load(Place::Mem { ptr: p, off: 0 }, &ti, None)
            }
            _ => self.load(place, &ti, None),
        };
        let s = if s.is_window() { self.keep(s, &ti) } else { s };
        if is_iface {
            emit!(self, CheckNil, s);
            let name = self.c.ck.obj(obj).name;
            self.c.method_is_live(name);
        }
        let entry = MethodEntry {
            obj,
            path: vec![last],
        };
        let index = self.c.wrapper_of(ti.ty, &entry, own, Recv::Bound, false);
        let mut layout = ClosureLayout::new();
        let offset = layout.add(&ti.words);
        let clo = self.alloc.pointer();
        self.pos = e.pos;
        let sl = self.c.closure_size_layout(&layout);
        emit!(self, MakeClosure, clo, index, sl);
        self.store_whole(clo, offset, &ti, s);
        self.alloc.release(mark);
        let d = match dst {
            Some(d) => d,
            None => self.alloc.pointer(),
        };
        self.mov_n(d, clo, 1);
        d
    }

    /// The function behind the method expression `T.m`.
    pub(super) fn method_expr_func(&mut self, e: &'static Expr) -> u32 {
        let ExprKind::Selector { x, .. } = &e.kind else {
            return 0;
        };
        let t = self.ty(x);
        let Some((obj, path)) = self.method_of(e, t, false) else {
            return 0;
        };
        let own = self.instance_args(Self::instance_id(e));
        let entry = MethodEntry { obj, path };
        if self.c.ck.is_interface(t) {
            let name = self.c.ck.obj(obj).name;
            self.c.method_is_live(name);
        } else if let Some(obj) = self.c.direct_method(t, &entry) {
            let mut targs = self.c.recv_targs(t);
            targs.extend(own);
            return self.c.func_of(obj, targs);
        }
        self.c.wrapper_of(t, &entry, own, Recv::Plain, false)
    }

    pub(super) fn method_expr(&mut self, e: &'static Expr, dst: Option<Slot>) -> Slot {
        let index = self.method_expr_func(e);
        self.func_value(index, dst)
    }
}
