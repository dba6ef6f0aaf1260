//! Package `regexp/syntax`: the tables of package unicode, by their names.
//!
//! Go: regexp/syntax.

use crate::unicode::natives::{category_aliases, names, table};
use vm::native::{GoStr, Slice};

natives! {
    "rangesOf" => short |cx, kind: GoStr, name: GoStr| {
        match table(&kind.to_text(), &name.to_text()) {
            Some(t) => {
                let all: Vec<i32> = t
                    .ranges
                    .iter()
                    .flat_map(|r| [r.lo as i32, r.hi as i32, r.stride as i32])
                    .collect();
                cx.slice(&all)
            }
            None => Slice::NIL,
        }
    }
    "scriptNames" => short |cx| {
        let all: Vec<GoStr> = names("S").into_iter().map(GoStr::from_static).collect();
        cx.slice(&all)
    }
    "categoryAliases" => |cx| {
        let all = category_aliases().split([' ', ':']).map(GoStr::from_static);
        let all: Vec<GoStr> = all.collect();
        cx.slice(&all)
    }
}
