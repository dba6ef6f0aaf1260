//! Package `flag`: the zero value of a type; the rest is Go.
//!
//! Go: flag.

use bytecode::rtype::Kind;
use vm::value::{Iface, deref, is_direct, layout_of};

natives! {
    "zeroOf" => short |cx, v: Iface| {
        let Some(t) = v.rtype() else { return v };
        // Of a pointer: one to a zero value.
        let data = match t.kind {
            Kind::Pointer => {
                let elem = deref(t.elem);
                cx.alloc(elem.size, layout_of(elem)) as usize
            }
            _ if is_direct(t) => 0,
            _ => cx.alloc(t.size, layout_of(t)) as usize,
        };
        Iface { tab: v.tab, data }
    }
}
