#![allow(unsafe_code)]
//! Functions made while the program runs: of MakeFunc, of method values, of method expressions.
//!
//! A func value that is made here is a [`Made`], whose function has a body for its type: it passes
//! the closure word and its parameters to the native [`run`], and returns what that has written.
//! There is one body for each function type, made when it is first needed.
//!
//! # Invariants
//!
//! - M1. The closure word of a function with such a body is a [`Made`] of the function's type.
//!
//! Go: reflect/makefunc.go, reflect/asm_amd64.s.

use super::call::{Slots, is_by_ref, method, pass, passed, put, slots};
use super::types::exported;
use super::{Value, ptr};
use crate::call::from_native;
use crate::native::{
    Cx, FuncVal, InTraceback, Kind, NativeEntry, NativeResult, Ptr, Res, Slice, Target, Traits,
    finish, table,
};
use crate::slice::move_elems;
use crate::value::{Val, heap_layouts, is_direct, layout_of};
use bytecode::encode::encode;
use bytecode::func::{self, FuncInfo, Word};
use bytecode::op::Op;
use bytecode::rtype::{self, Ty};
use gosched_runtime::heap;
use rustc_hash::FxHashMap;
use source::Pos;
use std::sync::{Mutex, OnceLock};

/// A func value made here.
#[repr(C)]
#[derive(Clone, Copy)]
struct Made {
    /// The function, as in any func value.
    index: u64,
    typ: u64,
    how: u64,
    /// The function of a method.
    func: u64,
    /// The receiver's data word, or what is handed on.
    data: usize,
    /// What is called with `data` and the arguments.
    call: usize,
}

heap_layouts! {
    fn made_layout = Made {
        index: Scalar, typ: Scalar, how: Scalar, func: Scalar, data: Maybe, call: Pointer,
    }
}

/// What the functions are called.
pub(crate) const MADE: &str = "reflect.makeFuncStub";

/// `call` is called.
const CALLS: u64 = 0;
/// The method is called with the receiver `data`.
const BOUND: u64 = 1;
/// The method is called with its receiver for the first argument.
const EXPRESSION: u64 = 2;

fn make(cx: &mut Cx, t: Ty, how: u64, func: u32, data: usize, call: usize) -> Ptr {
    let at = cx.alloc(size_of::<Made>(), made_layout()).cast::<usize>();
    let index = u64::from(body(t));
    let words = [
        index,
        t.word(),
        how,
        u64::from(func),
        data as u64,
        call as u64,
    ];
    for (k, w) in words.into_iter().enumerate() {
        // SAFETY: fresh memory for so many words.
        unsafe { heap::store_ptr(at.add(k), w as usize) };
    }
    ptr(at)
}

/// A function of type `t` that calls `call` with `data` and its arguments.
pub fn make_func(cx: &mut Cx, t: Ty, data: Ptr, call: FuncVal) -> Ptr {
    make(cx, t, CALLS, 0, data.addr(), call.addr())
}

/// A function of type `t` that is the method value `v`.
pub fn bound_method(cx: &mut Cx, v: Value, t: Ty) -> Ptr {
    let (func, mut word) = method(v);
    let recv = v.t();
    if recv.kind != rtype::Kind::Interface && !is_direct(recv) {
        // What the receiver is now.
        let copy = cx.alloc(recv.size, layout_of(recv));
        // SAFETY: reflect::F1, and fresh memory.
        unsafe { move_elems(recv, copy, word as *const u8, 1) };
        word = copy as usize;
    }
    make(cx, t, BOUND, func, word, 0)
}

/// A function of type `ft` that is the i-th exported method of `t`, the receiver going first.
pub fn method_expr(cx: &mut Cx, t: Ty, i: i64, ft: Ty) -> Ptr {
    let func = exported(&t).nth(i as usize).map_or(u32::MAX, |m| m.func);
    make(cx, ft, EXPRESSION, func, 0, 0)
}

/// Where the code of all method values is said to lie.
pub fn stub_address() -> Ptr {
    static STUB: OnceLock<usize> = OnceLock::new();
    let at = *STUB
        .get_or_init(|| func::make_stub("reflect.methodValueCall", Pos::NONE, Op::Unreachable));
    ptr(at as *const u8)
}

fn sum(types: &[Ty]) -> usize {
    types.iter().map(|t| slots(t)).sum()
}

/// The function whose body is for functions of type `t`.
fn body(t: Ty) -> u32 {
    static BODIES: Mutex<Option<FxHashMap<Ty, u32>>> = Mutex::new(None);
    let mut bodies = BODIES.lock().unwrap_or_else(|e| e.into_inner());
    let bodies = bodies.get_or_insert_default();
    *bodies.entry(t).or_insert_with(|| make_body(t))
}

fn make_body(t: Ty) -> u32 {
    let (n_results, n_params) = (sum(t.outs), sum(t.ins));
    let closure = n_results + n_params;
    // The native's window: the closure word, the parameters, room for the results.
    let window = closure + 1 + 2;
    let used = 1 + n_params + n_results;
    let mut words = vec![Word::Scalar; closure + 1];
    let mut at = 0;
    for part in t.outs.iter().chain(t.ins) {
        match is_by_ref(part) {
            true => words[at] = Word::Pointer,
            false => rtype::place_words(&mut words, at, *part),
        }
        at += slots(part);
    }
    words[closure] = Word::Pointer;
    let entry = |name: &str| {
        let traits = Traits {
            in_traceback: InTraceback::Hidden,
            ..Traits::PLAIN
        };
        Some(NativeEntry {
            name: name.to_string(),
            kind: Kind::Polling,
            traits,
            func: run,
            slots: (0, used),
            handed: Box::default(),
        })
    };
    let name = format!("reflect.callReflect{}", t.id);
    let native = table::place(&name, Pos::NONE, &mut { entry });
    let (Some(native), true) = (native, window + used < 32000) else {
        gosched_runtime::throw!("no room for a function of type {}", t.string)
    };
    let mut code = Vec::new();
    let mut put = |op: Op, args: &[usize]| {
        let args: Vec<i64> = args.iter().map(|a| *a as i64).collect();
        if let Err(e) = encode(&mut code, op, &args) {
            gosched_runtime::throw!("{e}");
        }
    };
    put(Op::Enter, &[window + used + 1, 0, n_results]);
    put(Op::MovN, &[window, closure, 1]);
    if n_params > 0 {
        put(Op::MovN, &[window + 1, n_results, n_params]);
    }
    put(Op::CallNative, &[window, native as usize]);
    if n_results > 0 {
        put(Op::MovN, &[0, window + 1 + n_params, n_results]);
    }
    put(Op::Ret, &[]);
    let info = FuncInfo {
        name: MADE.to_string(),
        flags: func::WRAPPER | func::STD | func::CLOSURE | func::AUTOGENERATED,
        n_results: n_results as u16,
        n_params: n_params as u16,
        closure_slot: closure as u16,
        slots: words,
        frame: closure as u32 + 1,
        frame_max: (window + used + 1) as u32,
        zeroed: (0, n_results as u16),
        ..FuncInfo::default()
    };
    let index = func::reserve(1);
    func::publish(index, &code, info);
    index
}

/// What the bodies call.
fn run(cx: &mut Cx) -> NativeResult {
    // SAFETY: M1; what the closure word names stays while the frame has it.
    let made = unsafe { *(cx.slot(0) as *const Made) };
    // SAFETY: M1.
    let t = unsafe { Ty::from_word(made.typ) };
    let (n_params, n_results) = (sum(t.ins), sum(t.outs));
    cx.set_used(1 + n_params + n_results);
    let mut params = Slots::new(1 + n_params);
    let mut results = Slots::new(n_results);
    let (params, results) = (params.all(), results.all());
    for (k, p) in params[1..].iter_mut().enumerate() {
        *p = cx.slot(1 + k);
    }
    let target = Target::Func(made.func as u32);
    let ended = match made.how {
        CALLS => calls(cx, &made, t, &params[1..], results),
        BOUND => {
            params[0] = made.data as u64;
            from_native(cx, target, params, results)
        }
        _ => {
            let recv = t.ins[0];
            let n = slots(&recv);
            // The receiver's slots and the one before them make room for its data word.
            params[n] = data_word(cx, recv, &params[1..=n]);
            from_native(cx, target, &params[n..], results)
        }
    };
    if ended.is_ok() {
        for (k, r) in results.iter().enumerate() {
            cx.set_slot(1 + n_params + k, *r);
        }
    }
    finish(ended, cx)
}

/// The data word for the value in these slots.
fn data_word(cx: &mut Cx, t: Ty, from: &[u64]) -> u64 {
    passed(cx, t, from).data as u64
}

fn calls(cx: &mut Cx, made: &Made, t: Ty, params: &[u64], results: &mut [u64]) -> Res<()> {
    let n = t.ins.len();
    let zero = Value {
        tab: 0,
        data: 0,
        flag: 0,
    };
    let list: Slice<Value> = cx.slice(&vec![zero; n]);
    let mut at = 0;
    for (i, t) in t.ins.iter().enumerate() {
        let n = slots(t);
        let v = passed(cx, *t, &params[at..at + n]);
        at += n;
        put(list, i, v);
    }
    let args = [made.data as u64, list.as_ptr() as u64, n as u64, n as u64];
    let mut out = [0; 3];
    // SAFETY: the package's `called` takes a pointer and a slice, and returns a slice.
    unsafe { cx.call(FuncVal::from_raw(made.call), &args, &mut out)? };
    // SAFETY: as above.
    let out: Slice<Value> =
        unsafe { Slice::from_raw(out[0] as *mut Value, out[1] as usize, out[2] as usize) };
    let mut at = 0;
    for (v, t) in out.as_slice().iter().zip(t.outs) {
        let n = slots(t);
        // SAFETY: reflect::F1 — the package has seen to it that each is of the result's type.
        let v = unsafe { Val::new(t.get(), v.at()) };
        pass(cx, v, &mut results[at..at + n]);
        at += n;
    }
    Ok(())
}
