#![allow(unsafe_code)]
//! Finalizers and cleanups: `runtime.SetFinalizer`, `runtime.AddCleanup`.
//!
//! The collector says which watched objects have died. The runtime's finalizer helper then starts a
//! goroutine, unless one is at work, that calls what is due one after the other: it runs
//! `runtime.runFinalizers`, Go text, which asks [`run_next`] until nothing is left.
//!
//! # Invariants
//!
//! - E1. Words of an entry: the func value; for a finalizer whose parameter is an interface, the
//!   first word of that. [`set`] has seen that the func takes the object, `AddCleanup` gives one
//!   without parameters.
//!
//! Go: runtime/mfinal.go, mcleanup.go.

use std::sync::Once;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use gosched_runtime::gc::{self, Special, SpecialKind};
use gosched_runtime::m::M;
use gosched_runtime::proc::{self, Helper};
use gosched_runtime::{heap, race, throw};

use bytecode::arena::{CONSTS, GLOBALS};
use bytecode::rtype::{Kind, Rtype};
use vm::iface;
use vm::native::{Cx, FuncVal, Res};
use vm::value::{Iface, deref};

/// The func value `runtime.runFinalizers`. Written by `watch`.
static RUNNER: AtomicUsize = AtomicUsize::new(0);
/// A goroutine is at work. Set by the function that starts it, cleared by the goroutine itself.
static IS_AT_WORK: AtomicBool = AtomicBool::new(false);

/// Starts the goroutine that runs what is due, on the helper's coroutine.
fn run(m: &mut M) -> &mut M {
    if gc::has_dead() && !IS_AT_WORK.swap(true, Ordering::SeqCst) {
        m.engine
            .spawn_callback(m, RUNNER.load(Ordering::Relaxed), 0);
    }
    m
}

/// Makes sure that a goroutine looks after dead objects.
/// `runner`: the func value `runtime.runFinalizers`.
fn watch(runner: FuncVal) {
    static HOOK: Once = Once::new();
    RUNNER.store(runner.addr(), Ordering::Relaxed);
    HOOK.call_once(|| proc::set_helper_hook(Helper::Finalizer, run));
}

/// Calls the next finalizer or cleanup that is due. False: there was none.
pub(crate) fn run_next(cx: &mut Cx) -> Res<bool> {
    let Some(s) = gc::next_dead() else {
        return Ok(false);
    };
    let [func, tab, _] = s.words;
    let object = (s.object + s.within) as u64;
    let args: &[u64] = match s.kind {
        SpecialKind::Finalizer if tab != 0 => &[tab as u64, object],
        SpecialKind::Finalizer => &[object],
        SpecialKind::Cleanup if func != 0 => &[],
        SpecialKind::Cleanup | SpecialKind::Weak => return Ok(true),
    };
    if race::is_on() {
        // SAFETY: the goroutine runs on its M.
        unsafe { race::finalizes(cx.g_ptr()) };
    }
    // SAFETY: E1.
    unsafe { cx.call(FuncVal::from_raw(func), args, &mut [])? };
    Ok(true)
}

/// The goroutine is about to end. False: more has become due, go on.
pub(crate) fn may_end() -> bool {
    IS_AT_WORK.store(false, Ordering::SeqCst);
    !gc::has_dead() || IS_AT_WORK.swap(true, Ordering::SeqCst)
}

/// `runtime.SetFinalizer(obj, finalizer)`
pub fn set(obj: Iface, finalizer: Iface, runner: FuncVal) {
    let Some(t) = obj.rtype() else {
        throw!("runtime.SetFinalizer: first argument is nil")
    };
    if t.kind != Kind::Pointer {
        throw!(
            "runtime.SetFinalizer: first argument is {}, not pointer",
            t.string
        );
    }
    let elem = t.elem();
    let Some((base, size, layout)) = heap::find_object(obj.data()) else {
        // Globals and constants live for ever, and what has no size lives nowhere.
        let is_lasting = GLOBALS.contains(obj.data()) || CONSTS.contains(obj.data());
        if obj.data() == 0 || !(is_lasting || elem.size == 0) {
            throw!("runtime.SetFinalizer: pointer not in allocated block");
        }
        return;
    };
    let is_tiny = size == heap::TINY_SIZE && layout == heap::LayoutId::NOSCAN;
    if base != obj.data() && !(is_tiny && elem.size < size) {
        throw!("runtime.SetFinalizer: pointer not at beginning of allocated block");
    }
    let within = obj.data() - base;
    let is_ours = |s: &Special| s.kind == SpecialKind::Finalizer && s.within == within;
    let Some(f) = finalizer.rtype() else {
        gc::remove_special(base, is_ours);
        return;
    };
    if f.kind != Kind::Func {
        throw!(
            "runtime.SetFinalizer: second argument is {}, not a function",
            f.string
        );
    }
    let refuse = |why: &str| -> ! {
        throw!(
            "runtime.SetFinalizer: cannot pass {} to finalizer {}{why}",
            t.string,
            f.string
        )
    };
    if f.is_variadic() {
        refuse(" because dotdotdot");
    }
    let &[param] = f.ins else { refuse("") };
    let Some(tab) = as_parameter(t, deref(param)) else {
        refuse("")
    };
    watch(runner);
    let words = [finalizer.data(), tab, 0];
    if gc::add_special(obj.data(), SpecialKind::Finalizer, words).is_none() {
        throw!("runtime.SetFinalizer: finalizer already set");
    }
}

/// How a pointer of type `t` is passed to a parameter of type `param`: the first word of the
/// interface that it becomes, 0 if it stays a pointer. `None`: it cannot be passed.
fn as_parameter(t: &'static Rtype, param: &'static Rtype) -> Option<usize> {
    let is_assignable = std::ptr::eq(param, t)
        || param.kind == Kind::Pointer
            && (!param.is_named() || !t.is_named())
            && param.elem == t.elem;
    match param.kind {
        _ if is_assignable => Some(0),
        Kind::Interface if param.imethods.is_empty() => Some(std::ptr::from_ref(t) as usize),
        Kind::Interface => {
            let tab = iface::itab(param, t);
            (!tab.is_null()).then_some(tab as usize)
        }
        _ => None,
    }
}

/// `runtime.AddCleanup(ptr, cleanup, arg)`: calls `f` some time after the object at `ptr` has died.
/// Returns the number to take it back by, 0 for what never dies; the error is the text of a panic.
pub(crate) fn add_cleanup(
    ptr: usize,
    arg: Iface,
    cleanup: Iface,
    f: FuncVal,
    runner: FuncVal,
) -> Result<u64, &'static str> {
    let Some((base, size, layout)) = heap::find_object(ptr) else {
        return Ok(0);
    };
    let object = base..base + size;
    let is_pointer = |t: &Rtype| matches!(t.kind, Kind::Pointer | Kind::UnsafePointer);
    if arg.rtype().is_some_and(is_pointer) {
        if arg.data() == ptr {
            return Err("runtime.AddCleanup: ptr is equal to arg, cleanup will never run");
        }
        let is_tiny = size == heap::TINY_SIZE && layout == heap::LayoutId::NOSCAN;
        if object.contains(&arg.data()) && !is_tiny {
            return Err("runtime.AddCleanup: ptr is within arg, cleanup will never run");
        }
    }
    if heap::object_words(cleanup.data()).any(|w| object.contains(&w)) {
        return Err("runtime.AddCleanup: cleanup function closes over ptr, cleanup will never run");
    }
    watch(runner);
    Ok(gc::add_special(ptr, SpecialKind::Cleanup, [f.addr(), 0, 0]).unwrap_or(0))
}

/// `Cleanup.Stop`
pub(crate) fn stop_cleanup(ptr: usize, id: u64) {
    gc::remove_special(ptr, |s| s.kind == SpecialKind::Cleanup && s.id == id);
}
