//! Package `math/big`: the arithmetic of natural numbers, which are slices of words with the lowest
//! word first and no zero at the end.
//!
//! A method's receiver is where its result goes if there is room. Where what is read and what is
//! written may be the same memory, cells are used; products and quotients get new memory then.
//!
//! Go: math/big/nat.go.

use std::cell::Cell;
use std::cmp::Ordering;
use vm::fenced;
use vm::native::{Cx, GoStr, Res, Slice};

mod arith;
mod decimal;
mod div;
mod mul;
mod number;
mod radix;

type Nat = Slice<u64>;

/// z with n words, whatever is in them: new ones if there is no room.
/// Go: nat.make.
fn sized(cx: &mut Cx, z: Nat, n: usize) -> Res<Nat> {
    match z.resliced(n) {
        Some(z) => {
            cx.writes(z);
            Ok(z)
        }
        None => cx.make(n, if n == 1 { 1 } else { n + 4 }),
    }
}

/// z without zeros at the end.
fn normal(z: Nat) -> Nat {
    let n = arith::norm(z.as_slice()).len();
    z.resliced(n).unwrap_or(z)
}

/// z with that value.
fn given(cx: &mut Cx, z: Nat, value: &[u64]) -> Res<Nat> {
    let mut z = sized(cx, z, value.len())?;
    z.as_mut_slice().copy_from_slice(value);
    Ok(z)
}

/// z with the value of x.
fn set(cx: &mut Cx, z: Nat, x: Nat) -> Res<Nat> {
    let z = sized(cx, z, x.len())?;
    copy(z.as_cells(), x.as_cells());
    Ok(z)
}

fn set_word(cx: &mut Cx, z: Nat, w: u64) -> Res<Nat> {
    given(
        cx,
        z,
        if w == 0 {
            &[]
        } else {
            std::slice::from_ref(&w)
        },
    )
}

/// z = x, which may be the same memory, or begin before it or behind it.
fn copy(z: &[Cell<u64>], x: &[Cell<u64>]) {
    if z.as_ptr() == x.as_ptr() {
        return;
    }
    let each = z.iter().zip(x);
    if z.as_ptr() < x.as_ptr() {
        each.for_each(|(z, x)| z.set(x.get()));
    } else {
        each.rev().for_each(|(z, x)| z.set(x.get()));
    }
}

/// Whether two slices have memory in common.
fn overlap(x: Nat, y: Nat) -> bool {
    let ends = |x: Nat| (x.as_ptr() as usize, x.as_ptr() as usize + 8 * x.cap());
    let ((x0, x1), (y0, y1)) = (ends(x), ends(y));
    x0 < y1 && y0 < x1
}

/// z, or nothing if it has memory in common with what is read.
fn apart(z: Nat, read: &[Nat]) -> Nat {
    if read.iter().any(|x| overlap(z, *x)) {
        Slice::NIL
    } else {
        z
    }
}

fn by_length(x: Nat, y: Nat) -> (Nat, Nat) {
    if x.len() < y.len() { (y, x) } else { (x, y) }
}

fn compare(x: Nat, y: Nat) -> Ordering {
    arith::cmp(x.as_slice(), y.as_slice())
}

fn add(cx: &mut Cx, z: Nat, x: Nat, y: Nat) -> Res<Nat> {
    let (x, y) = by_length(x, y);
    let (m, n) = (x.len(), y.len());
    if n == 0 {
        return set(cx, z, x);
    }
    let z = sized(cx, z, m + 1)?;
    fenced!(cx, 8 * m, || {
        let (z, x) = (z.as_cells(), x.as_cells());
        let carry = arith::add(&z[..n], &x[..n], y.as_cells());
        z[m].set(arith::add_word(&z[n..m], &x[n..], carry));
    });
    Ok(normal(z))
}

fn sub(cx: &mut Cx, z: Nat, x: Nat, y: Nat) -> Res<Nat> {
    let (m, n) = (x.len(), y.len());
    if m < n {
        return cx.panic("underflow");
    }
    if n == 0 {
        return set(cx, z, x);
    }
    let z = sized(cx, z, m)?;
    let borrow = fenced!(cx, 8 * m, || {
        let (z, x) = (z.as_cells(), x.as_cells());
        let borrow = arith::sub(&z[..n], &x[..n], y.as_cells());
        arith::sub_word(&z[n..], &x[n..], borrow)
    });
    if borrow != 0 {
        return cx.panic("underflow");
    }
    Ok(normal(z))
}

fn mul(cx: &mut Cx, z: Nat, x: Nat, y: Nat) -> Res<Nat> {
    let (x, y) = by_length(x, y);
    let (m, n) = (x.len(), y.len());
    match y.as_slice() {
        [] => return Ok(z.resliced(0).unwrap_or(z)),
        [word] => return mul_add_word(cx, z, x, *word, 0),
        _ => {}
    }
    let z = apart(z, &[x, y]);
    let mut z = sized(cx, z, m + n)?;
    fenced!(cx, m.saturating_mul(n), || {
        mul::multiply(z.as_mut_slice(), x.as_slice(), y.as_slice());
    });
    Ok(normal(z))
}

/// z = x·y + r
fn mul_add_word(cx: &mut Cx, z: Nat, x: Nat, y: u64, r: u64) -> Res<Nat> {
    let m = x.len();
    if m == 0 || y == 0 {
        return set_word(cx, z, r);
    }
    let z = sized(cx, z, m + 1)?;
    fenced!(cx, 8 * m, || {
        let (z, x) = (z.as_cells(), x.as_cells());
        z[m].set(arith::mul_word(&z[..m], x, y, r));
    });
    Ok(normal(z))
}

/// Quotient and remainder by a word.
fn div_word(cx: &mut Cx, z: Nat, x: Nat, y: u64) -> Res<(Nat, u64)> {
    let m = x.len();
    match y {
        0 => return cx.panic("division by zero"),
        1 => return Ok((set(cx, z, x)?, 0)),
        _ if m == 0 => return Ok((z.resliced(0).unwrap_or(z), 0)),
        _ => {}
    }
    let z = sized(cx, z, m)?;
    let r = fenced!(cx, 8 * m, || {
        let (z, x) = (z.as_cells(), x.as_cells());
        arith::div_word(z, x, y)
    });
    Ok((normal(z), r))
}

/// What a division is asked for.
#[derive(Clone, Copy, PartialEq)]
enum Part {
    Both,
    Quotient,
    Remainder,
}

/// Quotient and remainder of u and v, in z and z2.
fn div(cx: &mut Cx, z: Nat, z2: Nat, u: Nat, v: Nat, part: Part) -> Res<(Nat, Nat)> {
    let (m, n) = (u.len(), v.len());
    if n == 0 {
        return cx.panic("division by zero");
    }
    if n == 1 {
        let word = v.as_slice()[0];
        if part == Part::Remainder {
            let r = fenced!(cx, 8 * m, || arith::mod_word(u.as_slice(), word));
            return Ok((Slice::NIL, set_word(cx, z2, r)?));
        }
        let (q, r) = div_word(cx, z, u, word)?;
        let r = match part {
            Part::Quotient => Slice::NIL,
            _ => set_word(cx, z2, r)?,
        };
        return Ok((q, r));
    }
    if compare(u, v) == Ordering::Less {
        let q = z.resliced(0).unwrap_or(z);
        let r = match part {
            Part::Quotient => Slice::NIL,
            _ => set(cx, z2, u)?,
        };
        return Ok((q, r));
    }
    let work = (m - n + 1).saturating_mul(n);
    if !overlap(z, u) && !overlap(z, v) && part != Part::Remainder {
        // The quotient takes its place at once.
        let mut q = sized(cx, z, m - n + 1)?;
        let mut rest = fenced!(cx, work, || {
            let mut rest = vec![0; m + 1];
            div::divide_into(q.as_mut_slice(), &mut rest, u.as_slice(), v.as_slice());
            rest
        });
        let r = match part {
            Part::Quotient => Slice::NIL,
            _ => {
                rest.truncate(n);
                given(cx, apart(z2, &[q]), &rest)?
            }
        };
        return Ok((normal(q), normal(r)));
    }
    let (quotient, rest) = fenced!(cx, work, || div::divide(u.as_slice(), v.as_slice()));
    let q = match part {
        Part::Remainder => Slice::NIL,
        _ => given(cx, z, &quotient)?,
    };
    let r = match part {
        Part::Quotient => Slice::NIL,
        _ => given(cx, apart(z2, &[q]), &rest)?,
    };
    Ok((q, r))
}

/// Moves x up by s bits, into z.
fn shift_left(cx: &mut Cx, z: Nat, x: Nat, s: u64) -> Res<Nat> {
    let (words, bits) = ((s / 64) as usize, (s % 64) as u32);
    let m = x.len();
    if m == 0 {
        return Ok(z.resliced(0).unwrap_or(z));
    }
    if s == 0 {
        return set(cx, z, x);
    }
    let n = m + words;
    let z = sized(cx, z, n + 1)?;
    fenced!(cx, 8 * n, || {
        let (z, x) = (z.as_cells(), x.as_cells());
        if bits == 0 {
            copy(&z[words..n], x);
            z[n].set(0);
        } else {
            z[n].set(arith::shl(&z[words..n], x, bits));
        }
        z[..words].iter().for_each(|w| w.set(0));
    });
    Ok(normal(z))
}

/// Moves x down by s bits, into z.
fn shift_right(cx: &mut Cx, z: Nat, x: Nat, s: u64) -> Res<Nat> {
    let (words, bits) = ((s / 64) as usize, (s % 64) as u32);
    if words >= x.len() {
        return Ok(z.resliced(0).unwrap_or(z));
    }
    let n = x.len() - words;
    let z = sized(cx, z, n)?;
    fenced!(cx, 8 * n, || {
        let (z, x) = (z.as_cells(), x.as_cells());
        if bits == 0 {
            copy(z, &x[words..]);
        } else {
            arith::shr(z, &x[words..], bits);
        }
    });
    Ok(normal(z))
}

/// Combines x and y word by word; what only one of them has stays if `keeps` says so.
fn bitwise(
    cx: &mut Cx,
    z: Nat,
    (x, y): (Nat, Nat),
    keeps: bool,
    f: impl Fn(u64, u64) -> u64 + Sync,
) -> Res<Nat> {
    let n = x.len().min(y.len());
    let m = if keeps { x.len().max(n) } else { n };
    let z = sized(cx, z, m)?;
    fenced!(cx, 8 * m, || {
        let (z, x) = (z.as_cells(), x.as_cells());
        let words = z.iter().zip(x).zip(y.as_cells());
        words.for_each(|((z, x), y)| z.set(f(x.get(), y.get())));
        copy(&z[n..], &x[n..m]);
    });
    Ok(normal(z))
}

/// What rounding to a length of bits has done.
struct Rounded {
    mantissa: Nat,
    /// Whether there was something to round away, and whether the amount has grown.
    inexact: bool,
    grown: bool,
    /// Whether the mantissa has become 1, one place higher.
    carry: bool,
}

const TO_NEAREST_EVEN: u8 = 0;
const TO_NEAREST_AWAY: u8 = 1;
const TO_ZERO: u8 = 2;
const AWAY_FROM_ZERO: u8 = 3;
const TO_NEGATIVE_INF: u8 = 4;
const TO_POSITIVE_INF: u8 = 5;

/// Rounds a mantissa, which is longer, to `prec` bits in place. `below` says whether something
/// stands behind its end.
fn round(
    cx: &mut Cx,
    mut mantissa: Nat,
    prec: u32,
    below: bool,
    mode: u8,
    neg: bool,
) -> Res<Rounded> {
    let words = mantissa.as_mut_slice();
    let m = words.len();
    if prec == 0 || 64 * m <= prec as usize {
        return cx.panic("unreachable");
    }
    let r = 64 * m - prec as usize - 1;
    let half = words[r / 64] >> (r % 64) & 1 != 0;
    let mut sticky = below;
    if !sticky && (!half || mode == TO_NEAREST_EVEN) {
        let rest = words[r / 64] & ((1 << (r % 64)) - 1);
        sticky = rest != 0 || words[..r / 64].iter().any(|w| *w != 0);
    }
    let n = (prec as usize).div_ceil(64);
    words.copy_within(m - n.., 0);
    let words = &mut words[..n];
    let lowest = 1u64 << (64 * n - prec as usize);
    let (mut grown, mut carry) = (false, false);
    if half || sticky {
        grown = match mode {
            TO_NEAREST_EVEN => half && (sticky || words[0] & lowest != 0),
            TO_NEAREST_AWAY => half,
            TO_ZERO => false,
            AWAY_FROM_ZERO => true,
            TO_NEGATIVE_INF => neg,
            TO_POSITIVE_INF => !neg,
            _ => return cx.panic("unreachable"),
        };
        if grown && arith::increment(words, lowest) != 0 {
            carry = true;
            let words = arith::cells(words);
            arith::shr(words, words, 1);
            let top = &words[n - 1];
            top.set(top.get() | 1 << 63);
        }
    }
    words[0] &= !(lowest - 1);
    Ok(Rounded {
        mantissa: mantissa.resliced(n).unwrap_or(mantissa),
        inexact: half || sticky,
        grown,
        carry,
    })
}

natives! {
    "decimalOf" => fenced |cx, m: Nat, shift: i64| {
        let work = (8 * m.len()).saturating_add(shift.unsigned_abs() as usize / 8);
        let (digits, point) = fenced!(cx, 16 * work, || decimal::digits(m.as_slice(), shift));
        (cx.bytes(&digits), point)
    }
    "gcd" => fenced |cx, a: Nat, b: Nat, factor: bool| {
        let work = a.len().saturating_mul(b.len()).saturating_mul(16);
        let (g, u, neg) =
            fenced!(cx, work, || number::gcd(a.as_slice(), b.as_slice(), factor));
        Res::Ok((given(cx, Slice::NIL, &g)?, given(cx, Slice::NIL, &u)?, neg))
    }
    "jacobi" => fenced |cx, x: Nat, neg: bool, y: Nat| {
        let work = y.len().saturating_mul(x.len() + y.len()).saturating_mul(16);
        fenced!(cx, work, || number::jacobi(x.as_slice(), neg, y.as_slice()))
    }
    "nat.add" => fenced untouched(z) |cx, z: Nat, x: Nat, y: Nat| { add(cx, z, x, y) }
    "nat.and" => fenced untouched(z) |cx, z: Nat, x: Nat, y: Nat| {
        bitwise(cx, z, (x, y), false, |x, y| x & y)
    }
    "nat.andNot" => fenced untouched(z) |cx, z: Nat, x: Nat, y: Nat| {
        bitwise(cx, z, (x, y), true, |x, y| x & !y)
    }
    "nat.cmp" => fenced |cx, x: Nat, y: Nat| { compare(x, y) as i64 }
    "nat.div" => fenced untouched(z) untouched(z2) |cx, z: Nat, z2: Nat, u: Nat, v: Nat| {
        div(cx, z, z2, u, v, Part::Both)
    }
    "nat.exp" => fenced untouched(z) |cx, z: Nat, x: Nat, y: Nat, m: Nat| {
        let work = m.len().max(x.len()).saturating_mul(64 * y.len()).saturating_mul(16);
        let value = fenced!(cx, work, || {
            number::power(x.as_slice(), y.as_slice(), m.as_slice())
        });
        given(cx, apart(z, &[x, y]), &value)
    }
    "nat.isProbablyPrime" => fenced |cx, x: Nat, rounds: i64| {
        let rounds = usize::try_from(rounds).unwrap_or(usize::MAX);
        let work = x.len().saturating_mul(x.len()).saturating_mul(1000);
        fenced!(cx, work, || number::is_probably_prime(x.as_slice(), rounds))
    }
    "nat.lsh" => fenced untouched(z) |cx, z: Nat, x: Nat, s: u64| { shift_left(cx, z, x, s) }
    "nat.mul" => fenced untouched(z) |cx, z: Nat, x: Nat, y: Nat| { mul(cx, z, x, y) }
    "nat.mulRange" => fenced untouched(z) |cx, z: Nat, a: u64, b: u64| {
        let count = b.saturating_sub(a) as usize;
        let value = fenced!(cx, count.saturating_mul(64), || number::product_of_range(a, b));
        given(cx, z, &value)
    }
    "nat.or" => fenced untouched(z) |cx, z: Nat, x: Nat, y: Nat| {
        bitwise(cx, z, by_length(x, y), true, |x, y| x | y)
    }
    "nat.parse" => fenced untouched(z) |cx, z: Nat, s: GoStr, base: i64| {
        let (value, n) = fenced!(cx, 16 * s.len(), || {
            let base = base as u64;
            let digits: Vec<u8> =
                s.as_bytes().iter().map_while(|c| radix::value(*c, base)).collect();
            (radix::number(&digits, base), digits.len())
        });
        Res::Ok((given(cx, z, &value)?, n as i64))
    }
    "nat.putBytes" => fenced follows(buf) |cx, x: Nat, buf: Slice<u8>| {
        let mut buf = buf;
        let n = buf.len().min(8 * x.len());
        cx.touches(buf.as_slice()[buf.len() - n..].as_ptr(), n, true);
        fenced!(cx, 8 * x.len(), || {
            let buf = buf.as_mut_slice();
            let mut i = buf.len();
            for byte in x.as_slice().iter().flat_map(|w| w.to_le_bytes()) {
                if i > 0 {
                    i -= 1;
                    buf[i] = byte;
                } else if byte != 0 {
                    return -1;
                }
            }
            let zeros = buf[i..].iter().take_while(|b| **b == 0).count();
            (i + zeros) as i64
        })
    }
    "nat.quo" => fenced untouched(z) |cx, z: Nat, u: Nat, v: Nat| {
        Res::Ok(div(cx, z, Slice::NIL, u, v, Part::Quotient)?.0)
    }
    "nat.rem" => fenced untouched(z) |cx, z: Nat, u: Nat, v: Nat| {
        Res::Ok(div(cx, Slice::NIL, z, u, v, Part::Remainder)?.1)
    }
    "nat.round" =>
    fenced |cx, m: Nat, prec: u32, below: bool, mode: u8, neg: bool| {
        let r = round(cx, m, prec, below, mode, neg)?;
        let acc = match (r.inexact, r.grown != neg) {
            (false, _) => 0i8,
            (_, true) => 1,
            (_, false) => -1,
        };
        Res::Ok((r.mantissa, acc, r.carry))
    }
    "nat.rsh" => fenced untouched(z) |cx, z: Nat, x: Nat, s: u64| { shift_right(cx, z, x, s) }
    "nat.setBytes" => fenced untouched(z) |cx, z: Nat, buf: Slice<u8>| {
        let mut z = sized(cx, z, buf.len().div_ceil(8))?;
        fenced!(cx, buf.len(), || {
            for (word, bytes) in z.as_mut_slice().iter_mut().zip(buf.as_slice().rchunks(8)) {
                *word = bytes.iter().fold(0, |w, b| w << 8 | u64::from(*b));
            }
        });
        Res::Ok(normal(z))
    }
    "nat.sqrt" => fenced untouched(z) |cx, z: Nat, x: Nat| {
        let work = x.len().saturating_mul(x.len());
        let value = fenced!(cx, work, || number::sqrt(x.as_slice()));
        given(cx, apart(z, &[x]), &value)
    }
    "nat.sub" => fenced untouched(z) |cx, z: Nat, x: Nat, y: Nat| { sub(cx, z, x, y) }
    "nat.text" => fenced |cx, x: Nat, neg: bool, base: i64| {
        let work = x.len().saturating_mul(x.len()).saturating_mul(8);
        let text = fenced!(cx, work, || radix::text(x.as_slice(), base as u64, neg));
        cx.string(&text)
    }
    "nat.trailingZeroBits" => fenced |cx, x: Nat| {
        fenced!(cx, 8 * x.len(), || arith::trailing_zeros(x.as_slice())) as u64
    }
    "nat.xor" => fenced untouched(z) |cx, z: Nat, x: Nat, y: Nat| {
        bitwise(cx, z, by_length(x, y), true, |x, y| x ^ y)
    }
}
