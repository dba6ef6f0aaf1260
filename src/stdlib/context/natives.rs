//! Package `context`: two questions about types; the rest is Go.
//!
//! Go: context.

use bytecode::rtype::Rtype;
use vm::native::GoStr;
use vm::value::Iface;

natives! {
    "comparable" => short untouched |cx, v: Iface| {
        v.rtype().is_none_or(Rtype::is_comparable)
    }
    "typeName" => short untouched |cx, v: Iface| {
        v.rtype().map_or(GoStr::from_static("<nil>"), |t| GoStr::from_static(t.string))
    }
}
