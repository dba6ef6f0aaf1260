//! Package `encoding/json/v2`: whole values turned into JSON and back at once.
//!
//! The Go text knows types; where nothing is special about one, it has a [`Plan`] made of it. What
//! the natives cannot do they leave, and the Go text does all of that value: it alone knows errors.
//!
//! Go: none.

use vm::fenced;
use vm::native::{GoStr, Seen, Slice};
use vm::place;
use vm::value::Iface;

pub mod plan;
pub mod read;
pub mod write;

use plan::Plan;

/// What is asked for. The numbers are those of the Go text.
#[derive(Clone, Copy, Debug)]
pub struct Wish(pub i64);

impl Wish {
    pub const HTML: i64 = 1;
    pub const JS: i64 = 2;
    pub const BAD_UTF8: i64 = 4;
    pub const NIL_MAPS: i64 = 8;
    pub const NIL_SLICES: i64 = 16;
    pub const EMPTY_VALUES: i64 = 32;
    pub const MERGE: i64 = 64;
    pub const ANY_CASE: i64 = 128;
    pub const REJECT: i64 = 256;
    pub const DUPLICATES: i64 = 512;

    pub fn has(self, bits: i64) -> bool {
        self.0 & bits != 0
    }
}

natives! {
    "makePlan" => short untouched |
        cx,
        types: Slice<Iface>,
        words: Slice<i64>,
        names: Slice<GoStr>,
    | {
        plan::make(types.as_slice(), words.as_slice(), names.as_slice())
    }
    "writeValue" => fenced follows(v) untouched(dst) |
        cx,
        id: i64,
        v: Iface,
        dst: Slice<u8>,
        wish: i64,
    | {
        let plan = Plan::by_id(id);
        // How long it takes is seen only when it is done.
        let mut seen = Seen::new();
        let out = fenced!(cx, usize::MAX, || {
            let mut out = Vec::with_capacity(256);
            let v = v.val()?.elem()?;
            write::value(&mut out, plan, plan.root(), &v, Wish(wish), 0, &mut seen)?;
            Some(out)
        });
        cx.saw(seen);
        match out {
            Some(out) => (cx.append_bytes(dst, &out), true),
            None => (dst, false),
        }
    }
    "readValue" => polling follows(v) |cx, id: i64, v: Iface, src: Slice<u8>, wish: i64| {
        match place::of_any(&v) {
            Some(place) => read::value(cx, Plan::by_id(id), place, src, Wish(wish)),
            None => (0, false),
        }
    }
}
