//! Package `index/suffixarray`: Go over the function that sorts suffixes.
//!
//! Go: index/suffixarray/sais.go.

use vm::fenced;
use vm::native::Slice;

mod sais;

natives! {
    "sort32" => fenced alters(sa) |cx, text: Slice<u8>, sa: Slice<i32>| {
        let mut sa = sa;
        // Some fifty times as long as reading the text.
        let work = text.len().saturating_mul(50);
        fenced!(cx, work, || sais::sort(text.as_slice(), sa.as_mut_slice()));
    }
}
