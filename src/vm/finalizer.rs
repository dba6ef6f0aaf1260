//! Finalizers: `runtime.SetFinalizer`.
//!
//! The collector says which objects with a finalizer have died; the runtime's finalizer helper then starts a goroutine
//! for each, which calls the func value with the pointer.
//!
//! Go: runtime/mfinal.go.

use std::sync::Once;

use gosched_runtime::gc::{self, SpecialKind};
use gosched_runtime::m::M;
use gosched_runtime::proc::{self, Helper};
use gosched_runtime::{fatal, heap};

use super::value::Iface;
use crate::bytecode::rtype::Kind;

/// Runs what is due, on the helper's coroutine.
fn run(m: &mut M) -> &mut M {
    while let Some(s) = gc::next_dead() {
        if matches!(s.kind, SpecialKind::Finalizer | SpecialKind::Cleanup) && s.words[0] != 0 {
            let arg = if s.kind == SpecialKind::Finalizer {
                s.words[1]
            } else {
                s.words[2]
            };
            m.engine.spawn_callback(m, s.words[0], arg);
        }
    }
    m
}

/// `runtime.SetFinalizer(obj, finalizer)`
pub fn set(obj: Iface, finalizer: Iface) {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| proc::set_helper_hook(Helper::Finalizer, run));
    let Some(t) = obj.rtype() else {
        fatal!("runtime.SetFinalizer: first argument is nil")
    };
    if t.kind != Kind::Pointer {
        fatal!(
            "runtime.SetFinalizer: first argument is {}, not pointer",
            t.string
        );
    }
    if obj.data == 0 {
        fatal!("nil elem type!");
    }
    let Some((base, ..)) = heap::find_object(obj.data) else {
        // Globals and constants live for ever.
        return;
    };
    let Some(f) = finalizer.rtype() else {
        gc::remove_special(base, |s| s.kind == SpecialKind::Finalizer);
        return;
    };
    if f.kind != Kind::Func {
        fatal!(
            "runtime.SetFinalizer: second argument is {}, not a function",
            f.string
        );
    }
    // An any parameter would take two words: only pointers are passed.
    let fits = f.ins.len() == 1 && !f.is_variadic() && std::ptr::eq(f.ins[0], t);
    if !fits {
        fatal!(
            "runtime.SetFinalizer: cannot pass {} to finalizer {}",
            t.string,
            f.string
        );
    }
    if gc::add_special(base, SpecialKind::Finalizer, [finalizer.data, obj.data, 0]).is_none() {
        fatal!("runtime.SetFinalizer: finalizer already set");
    }
}
