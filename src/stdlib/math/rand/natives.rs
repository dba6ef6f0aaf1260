//! Package `math/rand`: the tables, and the runtime's own randomness.
//!
//! Go: math/rand.

pub mod tables;

natives! {
    "func runtimeRand() uint64" => |cx| { cx.m().p().rand.next() }
    "func cooked(i int) uint64" => |cx, i: i64| { tables::cooked(i as usize) }
    "func normalStrip(i int) (bound uint32, width, low, high float32)" => |cx, i: i64| {
        tables::normal_strip(i as usize)
    }
    "func exponentialStrip(i int) (bound uint32, width, low, high float32)" => |cx, i: i64| {
        tables::exponential_strip(i as usize)
    }
}
