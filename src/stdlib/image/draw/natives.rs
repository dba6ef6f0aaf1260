//! Package `image/draw`: the search for the nearest color; the rest is Go.
//!
//! Go: image/draw, drawPaletted.

use vm::fenced;
use vm::native::Slice;

/// Samples of a pixel.
type Pixel = [i32; 4];

/// The first of the nearest colors.
fn index(palette: &[Pixel], p: Pixel) -> usize {
    let (mut best, mut least) = (0, u32::MAX);
    for (i, c) in palette.iter().enumerate() {
        let mut off = 0u32;
        for (a, b) in p.iter().zip(c) {
            let d = a.wrapping_sub(*b) as u32;
            off = off.wrapping_add(d.wrapping_mul(d) >> 2);
        }
        if off < least {
            (best, least) = (i, off);
            if off == 0 {
                break;
            }
        }
    }
    best
}

/// See the Go source.
fn nearest(
    row: &[Pixel],
    palette: &[Pixel],
    out: &mut [u8],
    errors: &mut [Pixel],
    next: &mut [Pixel],
) {
    let hands_on = errors.len() == row.len() + 2 && next.len() == errors.len();
    for (x, (p, to)) in row.iter().zip(out).enumerate() {
        let mut p = *p;
        if hands_on {
            for (v, e) in p.iter_mut().zip(errors[x + 1]) {
                *v = v.wrapping_add(e / 16).clamp(0, 0xffff);
            }
        }
        let i = index(palette, p);
        *to = i as u8;
        if !hands_on {
            continue;
        }
        for (k, v) in p.iter().enumerate() {
            let off = v.wrapping_sub(palette[i][k]);
            let add = |to: &mut i32, share: i32| {
                *to = to.wrapping_add(off.wrapping_mul(share));
            };
            add(&mut next[x][k], 3);
            add(&mut next[x + 1][k], 5);
            add(&mut next[x + 2][k], 1);
            add(&mut errors[x + 2][k], 7);
        }
    }
}

natives! {
    "nearest" => fenced untouched(palette) alters(out) alters(errors) alters(next) |
        cx,
        row: Slice<i32>,
        palette: Slice<i32>,
        out: Slice<u8>,
        errors: Slice<i32>,
        next: Slice<i32>,
    | {
        let (mut out, mut errors, mut next) = (out, errors, next);
        let (row, palette) = (row.as_slice().as_chunks().0, palette.as_slice().as_chunks().0);
        let out = out.as_mut_slice();
        let errors = errors.as_mut_slice().as_chunks_mut().0;
        let next = next.as_mut_slice().as_chunks_mut().0;
        if palette.is_empty() {
            return;
        }
        let work = row.len().saturating_mul(palette.len());
        fenced!(cx, work, || nearest(row, palette, out, errors, next))
    }
}
