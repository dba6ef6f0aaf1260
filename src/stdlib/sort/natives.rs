//! Package `sort`: what needs no callback; the rest is Go (sort.go).
//!
//! Go: sort.

use std::cmp::Ordering;

use bytecode::rtype::Kind;
use gosched_runtime::race;
use vm::fenced;
use vm::native::{Cx, Elem, GoStr, Plain, Res, Slice};
use vm::value::Iface;

fn floats(a: &f64, b: &f64) -> Ordering {
    // NaN first; all NaNs and both zeros are equal,
    // so no stable order of them shows but through their bits.
    a.partial_cmp(b)
        .unwrap_or_else(|| b.is_nan().cmp(&a.is_nan()))
}

/// Tells the detector of races that `x` is sorted: what is in order is only read.
fn tell<T: Elem>(cx: &mut Cx, x: Slice<T>, order: impl Fn(&T, &T) -> Ordering) {
    cx.reads(x);
    let is_sorted = race::is_on() && x.as_slice().is_sorted_by(|a, b| order(a, b).is_le());
    if !is_sorted {
        cx.writes(x);
    }
}

/// Sorts numbers.
fn sort<T: Plain + Send>(cx: &mut Cx, x: Slice<T>, order: impl Fn(&T, &T) -> Ordering + Sync) {
    let mut x = x;
    tell(cx, x, &order);
    fenced!(cx, size_of::<T>() * x.len(), || x.sort_by(&order));
}

fn sort_strings(cx: &mut Cx, x: Slice<GoStr>) {
    let order = |a: &GoStr, b: &GoStr| a.as_bytes().cmp(b.as_bytes());
    tell(cx, x, order);
    let mut aside = cx.aside(x);
    fenced!(cx, size_of::<GoStr>() * x.len(), || aside.sort_by(order));
    cx.put_back(aside);
}

natives! {
    "measure" => short untouched |cx, x: Iface| {
        let Some(v) = x.val() else { return (-1, 0) };
        let has_length = matches!(
            v.kind(),
            Kind::Array | Kind::Chan | Kind::Map | Kind::Slice | Kind::String
        );
        (if has_length { v.len() as i64 } else { -1 }, v.kind() as u64)
    }
    "swapElements" => short follows |cx, x: Iface, i: i64, j: i64| {
        let Some(v) = x.val().filter(|v| v.kind() == Kind::Slice) else { return Ok(()) };
        let n = v.len() as u64;
        if i as u64 >= n || j as u64 >= n {
            return cx.panic("reflect: slice index out of range");
        }
        cx.swap_elems(v, i as usize, j as usize);
        Res::Ok(())
    }
    "Ints" => fenced follows(x) |cx, x: Slice<i64>| {
        sort(cx, x, i64::cmp)
    }
    "Float64s" => fenced follows(x) |cx, x: Slice<f64>| {
        sort(cx, x, floats)
    }
    "Strings" => fenced follows(x) |cx, x: Slice<GoStr>| {
        sort_strings(cx, x)
    }
}
