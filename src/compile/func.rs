//! One function being compiled: its instructions, slots, variables and labels.
//!
//! Instructions name virtual slots and labels; `link` turns them into words. Nothing is emitted
//! where control cannot get to (`dead`). Functions that evaluate take an optional destination: the
//! value's last instruction then writes there, so that locals, arguments and results need no moves.
//!
//! Go: cmd/compile/internal/ssagen/ssa.go.

use super::closure::{LitKind, Literal};
use super::control::Control;
use super::regalloc::{Alloc, Slot};
use super::typeinfo::IntKind;
use super::{Compiler, Repr, TypeEnv, TypeInfo, abi};
use bytecode::func::{self as bfunc, Word};
use bytecode::op::Op;
use rustc_hash::{FxHashMap, FxHashSet};
use source::Pos;
use std::rc::Rc;
use syntax::ast::{self, Expr, NodeId};
use types::{ObjId, ObjKind, PkgId, TypeId, VarInfo};

/// An instruction over virtual slots and labels, operands in the order of the table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ins {
    pub op: Op,
    pub args: [i64; 5],
    pub pos: Pos,
    /// Of a call compiled in place: its number in `Fun::inlined`, from 1.
    pub inlined: u32,
    /// As [`FuncInfo::unsigned`](bytecode::func::FuncInfo::unsigned) has it.
    pub unsigned: u8,
}

/// A place in the code, perhaps not known yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Label(pub u32);

/// Where a variable lives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Loc {
    /// In the frame.
    Slot(Slot),
    /// On the heap; the slot holds its address.
    Box(Slot),
    /// A parameter of a call compiled in place: part of a value in the frame, at a byte offset.
    Part { base: Slot, off: u32 },
    /// A parameter of a call compiled in place: a constant of one word.
    Const(i64),
    /// Nowhere yet: a literal in place, by its number.
    Lit(u32),
    /// Nowhere: the parameter of an iterator in place, which gives this loop its values.
    Yield(u32),
}

/// One result of the function.
#[derive(Clone)]
pub(super) struct ResultVar {
    pub obj: Option<ObjId>,
    pub(crate) ti: Rc<TypeInfo>,
    pub slot: Slot,
}

/// Slots of local variables and temporaries from which on variables are put on the heap.
const LOCALS_MAX: u32 = 32_000;
/// Larger variables are on the heap in Go, too. Go: cmd/compile/internal/ir, MaxStackVarSize.
const GO_STACK_MAX: u64 = 128 << 10;

/// An operand as instructions take it.
pub(super) trait Arg {
    fn arg(self) -> i64;
}
macro_rules! arg_as {
    ($($t:ty),*) => { $( impl Arg for $t { fn arg(self) -> i64 { self as i64 } } )* };
}
arg_as!(i64, u64, u32, i32, usize, u16, i16, bool);
impl Arg for Slot {
    fn arg(self) -> i64 {
        i64::from(self.0)
    }
}
impl Arg for Label {
    fn arg(self) -> i64 {
        i64::from(self.0)
    }
}

/// Emits an instruction: `emit!(f, Add, dst, a, b)`.
macro_rules! emit {
    ($f:expr, $op:ident $(, $a:expr)* $(,)?) => {
        $f.put(bytecode::op::Op::$op, &[$($crate::func::Arg::arg($a)),*])
    };
}
pub(super) use emit;

/// The function being compiled.
pub(super) struct Fun<'c> {
    pub c: &'c mut Compiler,
    pub code: Vec<Ins>,
    /// Index into `code`, or MAX while not bound.
    pub labels: Vec<u32>,
    /// By label: an instruction jumps to it.
    pub targets: Vec<bool>,
    /// Where a label was bound last.
    pub(crate) last_bound: u32,
    pub alloc: Alloc,
    pub pos: Pos,
    /// Slots with indices that are unsigned numbers of 64 bits, a bit for each from the slot on.
    pub unsigned: FxHashMap<u32, u8>,
    pub dead: bool,
    pub vars: FxHashMap<ObjId, Loc>,
    pub env: TypeEnv,
    pub pkg: Option<PkgId>,
    pub name: String,
    /// The declared function that this is.
    pub own: Option<ObjId>,
    /// Those in whose text this one stands.
    pub open: Rc<[ObjId]>,
    pub index: u32,
    pub flags: u32,
    pub window: abi::Window,
    pub(crate) fixed_words: Vec<Word>,
    pub results: Vec<ResultVar>,
    pub(crate) has_defer: bool,
    /// Bound where a recovered frame goes on.
    pub defer_return: Option<Label>,
    pub(crate) controls: Vec<Control>,
    /// Labels of labelled statements, for goto.
    pub gotos: FxHashMap<ast::Symbol, Label>,
    /// Expressions that were evaluated beforehand.
    pub(crate) overrides: FxHashMap<NodeId, Slot>,
    /// The operands of what is being compiled have been looked at: `order`.
    pub(super) is_ordered: bool,
    /// Conversions that are arguments of calls.
    pub passed: FxHashSet<NodeId>,
    /// Slots of the largest outgoing window.
    pub(crate) win_max: u32,
    /// Bytes of locals that are on the heap for their size alone, where Go has them in the frame.
    pub beside: u32,
    /// Variables that must live on the heap though the checker does not say so.
    pub(crate) forced_boxes: FxHashSet<ObjId>,
    /// Variables of enclosing functions.
    pub captured: FxHashSet<ObjId>,
    /// The closure word, in functions that have captures.
    pub closure: Option<Slot>,
    /// Label of a `for`, `switch` or `select` about to be compiled.
    pub(crate) pending_label: Option<ast::Symbol>,
    /// In the body of a range-over-func: how to leave it.
    pub(crate) yield_exits: Option<Box<super::rangefunc::YieldExits>>,
    pub(crate) is_leaf: bool,
    /// How many functions have been made of parts of this one, by kind.
    pub literals: [u32; Literal::GROUPS],
    /// Calls compiled in place, and those around the code being compiled.
    pub inlined: Vec<super::inline::Site>,
    pub inlining: Vec<super::inline::Inlining>,
    /// It is a literal, or a part of one, of a body in place.
    pub is_copy: bool,
    /// Function literals in place.
    pub lits: Vec<super::lit::Lit>,
    /// Calls are compiled in place however deep and large all is.
    pub is_forced: bool,
    /// Loops whose iterators are compiled in place.
    pub iterations: Vec<super::iterate::Iteration>,
}

impl<'c> Fun<'c> {
    pub(super) fn new(
        c: &'c mut Compiler,
        index: u32,
        name: String,
        pkg: Option<PkgId>,
        env: TypeEnv,
    ) -> Fun<'c> {
        if let Some(recorder) = &mut c.recorder {
            recorder.begin(index);
        }
        if let Some(pkg) = pkg {
            c.std_package(pkg);
        }
        Fun {
            c,
            code: Vec::new(),
            labels: Vec::new(),
            targets: Vec::new(),
            last_bound: 0,
            alloc: Alloc::default(),
            pos: Pos::NONE,
            dead: false,
            vars: FxHashMap::default(),
            env,
            pkg,
            name,
            own: None,
            open: [].into(),
            index,
            flags: 0,
            window: abi::Window::default(),
            fixed_words: Vec::new(),
            results: Vec::new(),
            has_defer: false,
            defer_return: None,
            controls: Vec::new(),
            gotos: FxHashMap::default(),
            overrides: FxHashMap::default(),
            is_ordered: false,
            passed: FxHashSet::default(),
            win_max: 0,
            beside: 0,
            forced_boxes: FxHashSet::default(),
            closure: None,
            pending_label: None,
            yield_exits: None,
            is_leaf: true,
            literals: [0; Literal::GROUPS],
            inlined: Vec::new(),
            unsigned: FxHashMap::default(),
            captured: FxHashSet::default(),
            inlining: Vec::new(),
            is_copy: false,
            lits: Vec::new(),
            is_forced: false,
            iterations: Vec::new(),
        }
    }

    /// Compiles a declared function or method.
    pub(super) fn declared(
        c: &'c mut Compiler,
        index: u32,
        name: String,
        flags: u32,
        obj: ObjId,
        decl: &'static ast::FuncDecl,
        env: TypeEnv,
    ) {
        let (pkg, ty) = (c.ck.obj(obj).pkg, c.ck.obj(obj).ty);
        let mut f = Fun::new(c, index, name, pkg, env);
        f.own = Some(obj);
        f.pos = decl.pos;
        f.flags = flags;
        let Some(sig) = f.c.ck.sig(ty).cloned() else {
            return;
        };
        let Some(body) = decl.body.as_ref() else {
            return;
        };
        let mut params = Vec::new();
        params.extend(sig.recv);
        params.extend(&sig.params);
        f.analyze(body, &sig.results);
        f.prologue(&params, &sig.results);
        f.body(body);
    }

    /// Lays out parameters and results, gives them their places.
    pub(super) fn prologue(&mut self, params: &[ObjId], results: &[ObjId]) {
        let params: Vec<_> = params.iter().map(|p| (*p, self.obj_info(*p))).collect();
        let results: Vec<_> = results.iter().map(|r| (*r, self.obj_info(*r))).collect();
        self.layout_fixed(
            &results.iter().map(|r| r.1.clone()).collect::<Vec<_>>(),
            &params.iter().map(|p| p.1.clone()).collect::<Vec<_>>(),
        );
        for (i, (obj, ti)) in results.iter().enumerate() {
            let slot = Slot::fixed(self.window.results[i]);
            self.results.push(ResultVar {
                obj: Some(*obj),
                ti: ti.clone(),
                slot,
            });
        }
        for (i, (obj, ti)) in params.iter().enumerate() {
            let slot = Slot::fixed(self.window.params[i]);
            if ti.repr == Repr::Huge {
                self.beside = self
                    .beside
                    .saturating_add(ti.size.min(u32::MAX.into()) as u32);
                self.vars.insert(*obj, Loc::Box(slot));
            } else if self.is_boxed(*obj) {
                let b = self.new_box(ti);
                self.store_mem(b, 0, ti, slot);
                self.vars.insert(*obj, Loc::Box(b));
            } else {
                self.vars.insert(
                    *obj,
                    Loc::Slot(if ti.slots == 0 { Slot::NONE } else { slot }),
                );
            }
        }
    }

    /// Computes the window of this function and the kinds of its fixed slots.
    pub(super) fn layout_fixed(&mut self, results: &[Rc<TypeInfo>], params: &[Rc<TypeInfo>]) {
        self.window = abi::window(
            results.iter().map(|t| t.size),
            params.iter().map(|t| t.size),
        );
        let mut words = vec![Word::Scalar; self.window.len() as usize];
        let at = self
            .window
            .results
            .iter()
            .zip(results)
            .chain(self.window.params.iter().zip(params));
        for (&slot, ti) in at {
            words[slot as usize..slot as usize + ti.words.len()].copy_from_slice(&ti.words);
        }
        words[self.window.closure as usize] = Word::Pointer;
        self.fixed_words = words;
    }

    /// Gives results their places: named ones start as zero; unnamed ones are zeroed where the
    /// collector or a recovery may see them.
    pub(super) fn init_results(&mut self, may_collect: bool) {
        for r in self.results.clone() {
            if r.ti.repr == Repr::Huge {
                self.beside = self
                    .beside
                    .saturating_add(r.ti.size.min(u32::MAX.into()) as u32);
            }
            // Blank ones too: a bare return gives their zero.
            let named = r
                .obj
                .is_some_and(|o| !self.c.ck.obj(o).name.as_str().is_empty());
            if r.ti.repr == Repr::Huge && !named && !r.obj.is_some_and(|o| self.is_boxed(o)) {
                if self.has_defer || may_collect {
                    self.zero(r.slot, &r.ti);
                }
                continue;
            }
            if let Some(obj) = r.obj
                && (self.is_boxed(obj) || r.ti.repr == Repr::Huge)
            {
                if r.ti.repr != Repr::Huge && r.ti.has_pointers {
                    self.zero(r.slot, &r.ti);
                }
                let b = if r.ti.repr == Repr::Huge && !self.is_boxed(obj) {
                    emit!(self, New, r.slot, r.ti.rtype.layout, r.ti.size);
                    r.slot
                } else {
                    if r.ti.repr == Repr::Huge {
                        self.zero_word(r.slot);
                    }
                    self.new_box(&r.ti)
                };
                self.vars.insert(obj, Loc::Box(b));
                continue;
            }
            let slot = if r.ti.slots == 0 { Slot::NONE } else { r.slot };
            if let Some(obj) = r.obj {
                self.vars.insert(obj, Loc::Slot(slot));
            }
            if named || self.has_defer || (may_collect && r.ti.has_pointers) {
                self.zero(slot, &r.ti);
            }
        }
    }

    /// Looks through the body for what must be known before the prologue.
    pub(super) fn analyze(&mut self, body: &'static ast::Block, results: &[ObjId]) {
        let scan = super::stmt::scan_body(self, body);
        self.has_defer = scan.has_defer;
        if scan.has_defer {
            self.flags |= bfunc::HAS_DEFER;
        }
        if scan.has_range_func {
            self.prepare_range_funcs(body, results);
        }
        self.is_leaf = !scan.may_collect;
    }

    /// Compiles the body after the prologue, and finishes.
    pub(super) fn body(&mut self, body: &'static ast::Block) {
        // A return statement assigns to results: captured ones live in boxes.
        for r in &self.results {
            if let Some(obj) = r.obj
                && (self.var_info(obj).captured || self.c.body_captured.contains(&obj))
            {
                self.forced_boxes.insert(obj);
            }
        }
        self.init_results(!self.is_leaf);
        if self.has_defer {
            self.defer_return = Some(self.label());
        }
        self.block(body);
        self.pos = body.end;
        if !self.dead {
            self.finish_return();
        }
        if let Some(l) = self.defer_return
            && self.has_defer
        {
            self.bind(l);
            emit!(self, CopyResults);
            self.return_after_defers();
        }
        self.finish();
    }

    // Instructions.

    /// Appends an instruction unless it cannot be reached.
    pub(super) fn put(&mut self, op: Op, args: &[i64]) {
        if self.dead {
            return;
        }
        debug_assert_eq!(args.len(), op.operands().len(), "{}", op.name());
        let mut a = [0; 5];
        a[..args.len()].copy_from_slice(args);
        for (o, v) in op.operands().iter().zip(args) {
            if o.kind.is_rel() {
                self.targets[*v as usize] = true;
            }
        }
        self.code.push(Ins {
            op,
            args: a,
            pos: self.pos,
            inlined: self.inlining.last().map_or(0, |i| i.site),
            unsigned: self.unsigned_indices(op, args),
        });
        self.dead = op.ends();
    }

    pub(super) fn label(&mut self) -> Label {
        self.labels.push(u32::MAX);
        self.targets.push(false);
        Label(self.labels.len() as u32 - 1)
    }

    /// The label is here.
    pub(super) fn bind(&mut self, l: Label) {
        self.last_bound = self.code.len() as u32;
        self.labels[l.0 as usize] = self.last_bound;
        self.dead = false;
    }

    pub(super) fn jump(&mut self, l: Label) {
        emit!(self, Jump, l);
    }

    // Types.

    /// The type of an expression, type parameters replaced.
    pub(super) fn ty(&mut self, e: &Expr) -> TypeId {
        let t = self.c.ck.info.type_of(e);
        self.subst(t)
    }

    /// `t` with the type parameters of this instance replaced.
    pub(super) fn subst(&mut self, t: TypeId) -> TypeId {
        match self.env.clone() {
            None => t,
            Some(env) => self.c.subst(t, &env),
        }
    }

    pub(super) fn info(&mut self, t: TypeId) -> Rc<TypeInfo> {
        self.c.type_info(t)
    }

    /// What is known of the type of an expression.
    pub(super) fn einfo(&mut self, e: &Expr) -> Rc<TypeInfo> {
        let t = self.ty(e);
        self.c.type_info(t)
    }

    /// Remembers whether the index `e`, which is in slot `at + n`, is an unsigned number that no
    /// int may hold: a panic tells it as it is.
    pub(super) fn note_index(&mut self, e: &Expr, at: Slot, n: u32) {
        if self.is_unsigned_index(e) {
            *self.unsigned.entry(at.0).or_default() |= 1 << n;
        } else if let Some(bits) = self.unsigned.get_mut(&at.0) {
            *bits &= !(1 << n);
        }
    }

    pub(super) fn is_unsigned_index(&mut self, e: &Expr) -> bool {
        matches!(
            self.einfo(e).repr,
            Repr::Int(IntKind {
                bits: 64,
                signed: false
            })
        )
    }

    /// What has been remembered of the indices of an instruction.
    fn unsigned_indices(&self, op: Op, args: &[i64]) -> u8 {
        if self.unsigned.is_empty() {
            return 0;
        }
        let mut operands = op.operands().iter().zip(args);
        let slot = operands.find(|(o, _)| o.kind.is_index());
        slot.and_then(|(_, at)| self.unsigned.get(&(*at as u32)).copied())
            .unwrap_or(0)
    }

    /// The type of a variable.
    pub(super) fn obj_type(&mut self, obj: ObjId) -> TypeId {
        let t = self.c.ck.obj(obj).ty;
        self.subst(t)
    }

    pub(super) fn obj_info(&mut self, obj: ObjId) -> Rc<TypeInfo> {
        let t = self.obj_type(obj);
        self.c.type_info(t)
    }

    // Variables.

    pub(super) fn var_info(&self, obj: ObjId) -> VarInfo {
        match &self.c.ck.obj(obj).kind {
            ObjKind::Var(v) => v.clone(),
            _ => VarInfo::default(),
        }
    }

    /// Must the variable live on the heap? (Huge ones always do.)
    pub(super) fn is_boxed(&self, obj: ObjId) -> bool {
        let v = self.var_info(obj);
        let captured = v.captured || self.c.body_captured.contains(&obj);
        v.address_taken || (captured && v.reassigned) || self.forced_boxes.contains(&obj)
    }

    /// Allocates heap memory for a variable; the slot lives on until the scope ends.
    pub(super) fn new_box(&mut self, ti: &TypeInfo) -> Slot {
        let b = self.alloc.pointer();
        emit!(self, New, b, ti.rtype.layout, ti.size);
        b
    }

    /// A variable about to be declared that would crowd the frame goes to the heap:
    /// instructions name only so many slots.
    pub(super) fn spare_frame(&mut self, obj: ObjId, ti: &TypeInfo) {
        if self.alloc.size() + ti.slots > LOCALS_MAX {
            self.forced_boxes.insert(obj);
        }
    }

    /// Declares a local variable, its value still unset (a box is zeroed). Returns where it lives.
    pub(super) fn declare(&mut self, obj: ObjId) -> Loc {
        let ti = self.obj_info(obj);
        self.spare_frame(obj, &ti);
        let loc = if ti.repr == Repr::Huge || self.is_boxed(obj) {
            if !self.is_boxed(obj) && ti.size <= GO_STACK_MAX {
                self.beside = self.beside.saturating_add(ti.size as u32);
            }
            Loc::Box(self.new_box(&ti))
        } else {
            Loc::Slot(self.alloc.take(&ti))
        };
        self.vars.insert(obj, loc);
        loc
    }

    /// Stores a value into a variable's place.
    pub(super) fn store_loc(&mut self, loc: Loc, ti: &TypeInfo, src: Slot) {
        match loc {
            Loc::Slot(s) => self.mov(s, src, ti),
            Loc::Box(b) => self.store_mem(b, 0, ti, src),
            Loc::Part { .. } | Loc::Const(_) | Loc::Lit(_) | Loc::Yield(_) => {
                debug_assert!(false, "variables that are never assigned")
            }
        }
    }

    /// `dst`, or a temporary.
    pub(super) fn dst(&mut self, dst: Option<Slot>, ti: &TypeInfo) -> Slot {
        match dst {
            Some(d) => d,
            None => self.alloc.take(ti),
        }
    }

    /// R[dst..] := R[src..], a value of type `ti`.
    pub(super) fn mov(&mut self, dst: Slot, src: Slot, ti: &TypeInfo) {
        self.mov_n(dst, src, ti.slots);
    }

    pub(super) fn mov_n(&mut self, dst: Slot, src: Slot, n: u32) {
        if dst == src || n == 0 {
            return;
        }
        match n {
            1 => emit!(self, Mov, dst, src),
            2 => emit!(self, Mov2, dst, src),
            3 => emit!(self, Mov3, dst, src),
            _ => emit!(self, MovN, dst, src, n),
        }
    }

    /// R[dst..] := the zero value. A huge one becomes a fresh object.
    pub(super) fn zero(&mut self, dst: Slot, ti: &TypeInfo) {
        if ti.repr == Repr::Huge {
            emit!(self, New, dst, ti.rtype.layout, ti.size);
            return;
        }
        match ti.slots {
            0 => {}
            1 => emit!(self, Zero, dst),
            2 => emit!(self, Zero2, dst),
            3 => emit!(self, Zero3, dst),
            n => emit!(self, ZeroN, dst, n),
        }
    }

    pub(super) fn zero_word(&mut self, dst: Slot) {
        emit!(self, Zero, dst);
    }

    /// R[dst] := the number.
    pub(super) fn load_imm(&mut self, dst: Slot, v: i64) {
        if i32::try_from(v).is_ok() {
            emit!(self, LoadImm, dst, v);
        } else {
            emit!(self, LoadConst, dst, v);
        }
    }

    pub(super) fn unsupported(&mut self, pos: Pos, what: impl Into<String>) {
        self.c.unsupported(pos, what);
    }

    /// Compiles a queued literal.
    pub(super) fn literal(c: &'c mut Compiler, index: u32, job: super::LitJob) {
        let mut f = Fun::new(c, index, job.name, job.pkg, job.env);
        (f.is_copy, f.open) = (job.is_copy, job.open);
        match job.kind {
            LitKind::Lit { e, captures } => f.compile_func_lit(e, &captures),
            LitKind::Thunk(t) => f.compile_thunk(&t),
        }
    }
}
