//! Package `math/rand`: the tables, and the runtime's own randomness.
//!
//! Go: math/rand.

use super::rand_tables as tables;

package! { "math/rand", ["math_rand.go"];
    "func runtimeRand() uint64" => |cx| { cx.m().p().rand.next() }
    "func cooked(i int) uint64" => |cx, i: i64| { tables::cooked(i as usize) }
    "func normalStrip(i int) (k uint32, w, f float32)" => |cx, i: i64| { tables::normal_strip(i as usize) }
    "func exponentialStrip(i int) (k uint32, w, f float32)" => |cx, i: i64| { tables::exponential_strip(i as usize) }
}
