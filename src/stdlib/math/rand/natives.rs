//! Package `math/rand`: the tables, and the runtime's own randomness.
//!
//! Go: math/rand.

pub mod tables;

natives! {
    "runtimeRand" => |cx| { cx.m().p().rand.next() }
    "cooked" => |cx, i: i64| { tables::cooked(i as usize) }
    "normalStrip" => |cx, i: i64| {
        tables::normal_strip(i as usize)
    }
    "exponentialStrip" => |cx, i: i64| {
        tables::exponential_strip(i as usize)
    }
}
