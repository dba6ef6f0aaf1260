//! Package `hash/adler32`.
//!
//! Go: hash/adler32.

use simd_adler32::Adler32;
use vm::fenced;
use vm::native::Slice;

natives! {
    "update" => fenced |cx, sum: u32, p: Slice<u8>| {
        fenced!(cx, p.len(), || {
            let mut adler = Adler32::from_checksum(sum);
            adler.write(p.as_slice());
            adler.finish()
        })
    }
}
