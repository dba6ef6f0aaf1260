//! Package `crypto/rc4`: the stream; the rest is Go.
//!
//! Go: crypto/rc4.

use vm::fenced;
use vm::native::Slice;

natives! {
    "code" => fenced untouched(s) follows(dst) |
        cx,
        s: Slice<u32>,
        i: u8,
        j: u8,
        dst: Slice<u8>,
        src: Slice<u8>,
    | {
        let (mut s, mut dst, mut i, mut j) = (s, dst, i, j);
        let Ok(s) = <&mut [u32; 256]>::try_from(s.as_mut_slice()) else {
            return (i, j);
        };
        cx.touches(dst.as_ptr(), src.len().min(dst.len()), true);
        fenced!(cx, src.len(), || {
            for at in 0..src.len().min(dst.len()) {
                i = i.wrapping_add(1);
                let x = s[usize::from(i)];
                j = j.wrapping_add(x as u8);
                let y = s[usize::from(j)];
                s[usize::from(i)] = y;
                s[usize::from(j)] = x;
                dst.as_mut_slice()[at] = src.as_slice()[at] ^ s[(x + y) as usize & 0xff] as u8;
            }
            (i, j)
        })
    }
}
