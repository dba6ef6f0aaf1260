#![allow(unsafe_code)]
//! Calls of functions whose types only the running program knows.
//!
//! # Invariants
//!
//! - A1. The slots of a call are laid out as `bytecode::abi` says, from the types of the function.
//!
//! Go: reflect/value.go, Value.call.

use super::Value;
use super::types::exported;
use crate::call::from_native;

use crate::native::{Cx, Res, Slice, Target};
use crate::slice::move_elems;
use crate::value::{Val, is_direct, layout_of};
use bytecode::abi;
use bytecode::rtype::{Itab, Kind, Rtype, Ty};
use gosched_runtime::heap;

/// Slots of a call's arguments or results: few are kept on the native stack.
pub(super) type Slots = smallslots::Slots;

/// Slots of a value that is passed on.
pub(super) fn slots(t: &Rtype) -> usize {
    abi::slots(t.size as u64) as usize
}

/// Does a value of the type travel as the address of a copy?
pub(super) fn is_by_ref(t: &Rtype) -> bool {
    t.size as u64 > abi::BY_REF_ABOVE
}

pub(super) mod smallslots {
    /// Words, the first few of them in place.
    pub(in super::super) struct Slots {
        few: [u64; FEW],
        many: Vec<u64>,
        n: usize,
    }
    const FEW: usize = 24;

    impl Slots {
        pub(in super::super) fn new(n: usize) -> Slots {
            Slots {
                few: [0; FEW],
                many: if n > FEW { vec![0; n] } else { Vec::new() },
                n,
            }
        }

        pub(in super::super) fn all(&mut self) -> &mut [u64] {
            if self.n > FEW {
                &mut self.many
            } else {
                &mut self.few[..self.n]
            }
        }
    }
}

/// Writes the value at `v` into the slots that it travels in.
pub(super) fn pass(cx: &mut Cx, v: Val<'_>, to: &mut [u64]) {
    let t = v.t;
    if is_direct(t) {
        if let [to] = to {
            *to = v.to_iface().data() as u64;
        }
    } else if is_by_ref(t) {
        let copy = cx.alloc(t.size, layout_of(t));
        // SAFETY: super::F1, and fresh memory.
        unsafe { move_elems(t, copy, v.addr(), 1) };
        to[0] = copy as u64;
    } else {
        // SAFETY: super::F1; `to` has room for the value, and nobody else sees it.
        unsafe { std::ptr::copy_nonoverlapping(v.addr(), to.as_mut_ptr().cast(), t.size) };
    }
}

/// The Value of what lies in these slots, with the kind's flag.
pub(super) fn passed(cx: &mut Cx, t: Ty, from: &[u64]) -> Value {
    let tab = t.word() as usize;
    let kind = t.kind as u64;
    if is_direct(&t) {
        let data = from.first().map_or(0, |w| *w as usize);
        return Value {
            tab,
            data,
            flag: kind,
        };
    }
    let flag = kind | Value::INDIR;
    if is_by_ref(&t) {
        let data = from[0] as usize;
        return Value { tab, data, flag };
    }
    let to = cx.alloc(t.size, layout_of(&t));
    // SAFETY: A1 — a value of the type; fresh memory.
    unsafe { move_elems(&t, to, from.as_ptr().cast(), 1) };
    Value {
        tab,
        data: to as usize,
        flag,
    }
}

/// The function of a method value, and its receiver's data word.
pub(super) fn method(v: Value) -> (u32, usize) {
    let t = v.t();
    let i = (v.flag >> Value::METHOD_SHIFT) as usize;
    if t.kind == Kind::Interface {
        let words = v.at().cast::<usize>();
        // SAFETY: super::F1 — two words, the first an itab: the interface has methods, and is not
        // nil.
        let (tab, data) = unsafe { (*words, *words.add(1)) };
        // SAFETY: iface::I3.
        return (unsafe { &*(tab as *const Itab) }.func(i), data);
    }
    let func = exported(t).nth(i).map_or(u32::MAX, |m| m.func);
    (func, v.word())
}

/// Calls `v`, of function type `t`, if the arguments are just of the types of its parameters, and
/// writes its results.
pub fn call(cx: &mut Cx, v: Value, t: Ty, args: Slice<Value>, out: Slice<Value>) -> Res<bool> {
    let fits = |(x, t): (&Value, &Ty)| {
        x.tab == t.word() as usize && x.flag & (Value::RO | Value::METHOD) == 0 && x.flag != 0
    };
    let args = args.as_slice();
    if args.len() != t.ins.len() || !args.iter().zip(t.ins).all(fits) {
        return Ok(false);
    }
    let is_method = v.flag & Value::METHOD != 0;
    let sum = |types: &[Ty]| types.iter().map(|t| slots(t)).sum::<usize>();
    let mut params = Slots::new(usize::from(is_method) + sum(t.ins));
    let mut results = Slots::new(sum(t.outs));
    let (params, results) = (params.all(), results.all());
    let mut at = 0;
    let target = if is_method {
        let (func, word) = method(v);
        params[0] = word as u64;
        at = 1;
        Target::Func(func)
    } else {
        Target::Closure(v.word())
    };
    for x in args {
        let n = slots(x.t());
        pass(cx, x.val(), &mut params[at..at + n]);
        at += n;
    }
    from_native(cx, target, params, results)?;
    let mut at = 0;
    for (i, t) in t.outs.iter().enumerate() {
        let n = slots(t);
        let v = passed(cx, *t, &results[at..at + n]);
        at += n;
        put(out, i, v);
    }
    Ok(true)
}

/// Writes element `i` of a slice of Values.
pub(super) fn put(list: Slice<Value>, i: usize, v: Value) {
    assert!(i < list.len());
    // SAFETY: native::N4; three words.
    unsafe {
        let to = list.as_ptr().add(i).cast::<usize>();
        heap::store_ptr(to, v.tab);
        heap::store_ptr(to.add(1), v.data);
        heap::store_ptr(to.add(2), v.flag as usize);
    }
}
