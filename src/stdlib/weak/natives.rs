//! Package `weak`: Go over the collector's table of what is to be done when an object dies.
//!
//! Go: runtime/mheap.go (`getOrAddWeakHandle`).

use gosched_runtime::gc::{self, SpecialKind};
use vm::native::{PointerCell, Ptr, PtrTo, Res};

natives! {
    // The handle of the object at `at`: the one it has, or `fresh`, a word without pointers that
    // holds `at`; 0 if it is no object of the heap. The collector clears it.
    "share" => |cx, at: u64, fresh: u64| {
        gc::share_special(at as usize, SpecialKind::Weak, [fresh as usize, 0, 0])
            .map_or(0, |words| words[0] as u64)
    }
    // What the handle holds: a pointer to what has not gone.
    "value" => short untouched |cx, handle: PtrTo<PointerCell>| {
        let p = handle.get()?.load();
        Res::Ok(if gc::revive(p.addr()) { p } else { Ptr::NIL })
    }
}
