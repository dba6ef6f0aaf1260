//! Package `image/jpeg`: scans and blocks; the rest is Go.
//!
//! Go: image/jpeg.

use vm::fenced;
use vm::native::Slice;

mod dct;
mod encode;
mod scan;

use encode::Pixels;
use scan::{Place, Scan, Stop};

/// Where the coefficients of a block stand that are written in order of how fine they are.
static ZIGZAG: [usize; 64] = [
    0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20,
    13, 6, 7, 14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59,
    52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63,
];

natives! {
    "encode" => fenced untouched(state) untouched(quant) |
        cx,
        state: Slice<i32>,
        quant: Slice<u8>,
        pixels: Slice<u8>,
        kind: i64,
        width: i64,
    | {
        let mut state = state;
        let (kind, each, rows) = match kind {
            0 => (Pixels::Gray, 1, 8),
            1 => (Pixels::Rgb, 4, 16),
            _ => (Pixels::YCbCr, 4, 16),
        };
        let width = width as usize;
        let Ok(mut now) = <[i32; 5]>::try_from(state.as_slice()) else {
            return Slice::NIL;
        };
        // The Go source sees to the sizes.
        if width == 0 || pixels.len() != width * each * rows || quant.len() != 128 {
            return Slice::NIL;
        }
        let (quant, pixels) = (quant.as_slice(), pixels.as_slice());
        let out = fenced!(cx, 16 * pixels.len(), || {
            encode::strip(&mut now, quant, pixels, kind, width)
        });
        state.as_mut_slice().copy_from_slice(&now);
        cx.bytes(&out)
    }
    "example" => short |cx, i: i64| {
        let (counts, values) = &encode::SPECS[i as usize & 3];
        let mut spec = counts.to_vec();
        spec.extend_from_slice(values);
        cx.bytes(&spec)
    }
    "reconstruct" => fenced untouched |
        cx,
        coefficients: Slice<i32>,
        quant: Slice<i32>,
        to: Slice<u8>,
        place: Slice<i64>,
    | {
        let mut to = to;
        let (Ok(quant), &[stride, across, width, rows, from, h, v]) =
            (<&[i32; 64]>::try_from(quant.as_slice()), place.as_slice())
        else {
            return;
        };
        let at = |n: i64| n.max(0) as usize;
        let place = Place {
            stride: at(stride),
            across: at(across),
            width: at(width),
            rows: at(rows),
            from: at(from),
            h: at(h),
            v: at(v),
        };
        let (coefficients, to) = (coefficients.as_slice(), to.as_mut_slice());
        fenced!(cx, 16 * coefficients.len(), || {
            scan::reconstruct(coefficients, quant, to, &place);
        });
    }
    "scan" => fenced untouched |
        cx,
        params: Slice<i32>,
        tables: Slice<i32>,
        state: Slice<i32>,
        coefficients: Slice<i32>,
        input: Slice<u8>,
        is_end: bool,
    | {
        let (mut state, mut coefficients) = (state, coefficients);
        let Ok(mut now) = <[i32; 10]>::try_from(state.as_slice()) else {
            return (0, Stop::BadCode as i64);
        };
        let (params, tables, input) = (params.as_slice(), tables.as_slice(), input.as_slice());
        let fits = params.len() == scan::PARAMS && tables.len() == 8 * scan::TABLE;
        if !fits || params[0] < 1 {
            return (0, Stop::BadCode as i64);
        }
        let mut scan = Scan::new(params, tables, input, is_end, &now);
        let into = coefficients.as_mut_slice();
        let stop = fenced!(cx, 64 * input.len() + 16 * into.len(), || scan.run(into));
        let used = scan.store(&mut now);
        state.as_mut_slice().copy_from_slice(&now);
        (used as i64, stop as i64)
    }
}
