//! Package `image/png`: filters; the rest is Go.
//!
//! Go: image/png.

use vm::fenced;
use vm::native::Slice;

const FILTERS: usize = 5;

/// Of the pixels left, above and above left: that which is nearest to the sum of the first two less
/// the third.
#[inline(always)]
fn paeth(a: u8, b: u8, c: u8) -> u8 {
    let (x, y, z) = (i32::from(a), i32::from(b), i32::from(c));
    let (to_a, to_b, to_c) = ((y - z).abs(), (x - z).abs(), (x + y - 2 * z).abs());
    if to_a <= to_b && to_a <= to_c {
        a
    } else if to_b <= to_c {
        b
    } else {
        c
    }
}

/// What the filter expects of byte `i`.
#[inline(always)]
fn expected(filter: usize, row: &[u8], before: &[u8], distance: usize, i: usize) -> u8 {
    let (a, c) = match i.checked_sub(distance) {
        Some(j) => (row[j], before[j]),
        None => (0, 0),
    };
    match filter {
        1 => a,
        2 => before[i],
        3 => ((u16::from(a) + u16::from(before[i])) / 2) as u8,
        4 => paeth(a, before[i], c),
        _ => 0,
    }
}

fn unfilter(filter: usize, row: &mut [u8], before: &[u8], distance: usize) {
    // Each filter has a loop of its own.
    macro_rules! undo {
        ($filter:literal) => {
            for i in 0..row.len() {
                row[i] = row[i].wrapping_add(expected($filter, row, before, distance, i));
            }
        };
    }
    match filter {
        1 => undo!(1),
        2 => undo!(2),
        3 => undo!(3),
        4 => undo!(4),
        _ => {}
    }
}

/// Fills a row for each filter; the filter whose bytes are nearest to zero, of equal ones the first
/// in Go's order.
fn filter(rows: &mut [u8], row: &[u8], before: &[u8], distance: usize) -> usize {
    let mut best = (usize::MAX, 0);
    for filter in [2, 4, 0, 1, 3] {
        let out = &mut rows[filter * (row.len() + 1)..][..row.len() + 1];
        out[0] = filter as u8;
        let mut sum = 0;
        for (i, to) in out[1..].iter_mut().enumerate() {
            *to = row[i].wrapping_sub(expected(filter, row, before, distance, i));
            sum += usize::from((*to as i8).unsigned_abs());
        }
        if sum < best.0 {
            best = (sum, filter);
        }
    }
    best.1
}

natives! {
    "filter" => fenced alters(rows) |
        cx,
        rows: Slice<u8>,
        row: Slice<u8>,
        before: Slice<u8>,
        distance: i64,
    | {
        let mut rows = rows;
        // The Go source sees to the sizes.
        if rows.len() != FILTERS * row.len() || before.len() != row.len() || row.is_empty() {
            return 0;
        }
        let (rows, row, before) = (rows.as_mut_slice(), row.as_slice(), before.as_slice());
        let distance = distance as usize;
        fenced!(cx, rows.len(), || filter(rows, &row[1..], &before[1..], distance)) as i64
    }
    "unfilter" => fenced alters(row) |cx, row: Slice<u8>, before: Slice<u8>, distance: i64| {
        let mut row = row;
        if row.is_empty() || before.len() != row.len() {
            return false;
        }
        let (kind, row) = row.as_mut_slice().split_at_mut(1);
        let kind = usize::from(kind[0]);
        if kind >= FILTERS {
            return false;
        }
        let before = &before.as_slice()[1..];
        fenced!(cx, row.len(), || unfilter(kind, row, before, distance as usize));
        true
    }
}
