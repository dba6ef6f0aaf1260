//! Package `flag`: the zero value of a type; the rest is Go.
//!
//! Go: flag.

use vm::value::Iface;

natives! {
    "zeroOf" => short untouched |cx, v: Iface| {
        v.rtype().map_or(v, |t| cx.zero_of(t))
    }
}
