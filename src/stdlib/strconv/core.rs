//! Numbers and quoted text, to and from bytes: what `strconv` and `fmt` share.
//!
//! Shortest and exact decimal digits come from Rust's own float formatting and parsing, which are
//! exact; the layout of Go's formats is ours.
//!
//! Go: strconv.

use crate::unicode::natives::{is_graphic, is_print};
use vm::string::{decode_rune, encode_rune};

/// Why a number was not parsed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NumErr {
    /// `invalid syntax`
    Syntax,
    /// `value out of range`; a value comes with it.
    Range,
    /// `invalid base N`
    Base,
    /// `invalid bit size N`
    BitSize,
}

impl NumErr {
    /// The number that the Go side of strconv knows it by.
    pub fn code(self) -> i64 {
        match self {
            NumErr::Syntax => 1,
            NumErr::Range => 2,
            NumErr::Base => 3,
            NumErr::BitSize => 4,
        }
    }
}

// ---- integers

/// Appends `v` in `base` (2 to 36).
pub(crate) fn append_uint(out: &mut Vec<u8>, mut v: u64, base: u32) {
    const DIGITS: &[u8; 36] = b"0123456789abcdefghijklmnopqrstuvwxyz";
    let mut buf = [0u8; 64];
    let mut i = 64;
    let base = u64::from(base);
    if base == 10 {
        loop {
            i -= 1;
            buf[i] = b'0' + (v % 10) as u8;
            v /= 10;
            if v == 0 {
                break;
            }
        }
    } else {
        loop {
            i -= 1;
            buf[i] = DIGITS[(v % base) as usize];
            v /= base;
            if v == 0 {
                break;
            }
        }
    }
    out.extend_from_slice(&buf[i..]);
}

/// Appends `v` in `base` (2 to 36), with its sign.
pub(crate) fn append_int(out: &mut Vec<u8>, v: i64, base: u32) {
    if v < 0 {
        out.push(b'-');
    }
    append_uint(out, v.unsigned_abs(), base);
}

/// Whether underscores stand only between digits, or between prefix and digits.
fn underscore_ok(s: &[u8]) -> bool {
    // '0' stands for any digit or prefix, '_', '!' for anything else, '^' for the start.
    let mut seen = b'^';
    let mut i = 0;
    if matches!(s.first(), Some(b'-' | b'+')) {
        i = 1;
    }
    let mut hex = false;
    if s.len() >= i + 2 && s[i] == b'0' && matches!(s[i + 1] | 0x20, b'b' | b'o' | b'x') {
        hex = s[i + 1] | 0x20 == b'x';
        seen = b'0';
        i += 2;
    }
    for &c in &s[i..] {
        if c.is_ascii_digit() || hex && c.is_ascii_hexdigit() {
            seen = b'0';
        } else if c == b'_' {
            if seen != b'0' {
                return false;
            }
            seen = b'_';
        } else {
            if seen == b'_' {
                return false;
            }
            seen = b'!';
        }
    }
    seen != b'_'
}

/// `strconv.ParseUint`. A range error comes with the largest value.
pub(crate) fn parse_uint(s0: &[u8], base: i64, bits: i64) -> (u64, Option<NumErr>) {
    if s0.is_empty() {
        return (0, Some(NumErr::Syntax));
    }
    let base0 = base == 0;
    let mut s = s0;
    let base = match base {
        2..=36 => base as u64,
        0 => {
            let (prefix, base) = match s {
                [b'0', p, _, ..] => match p.to_ascii_lowercase() {
                    b'b' => (2, 2),
                    b'o' => (2, 8),
                    b'x' => (2, 16),
                    _ => (1, 8),
                },
                [b'0', ..] => (1, 8),
                _ => (0, 10),
            };
            s = &s[prefix..];
            base
        }
        _ => return (0, Some(NumErr::Base)),
    };
    let bits = match bits {
        0 => 64,
        1..=64 => bits as u32,
        _ => return (0, Some(NumErr::BitSize)),
    };
    let max = if bits == 64 {
        u64::MAX
    } else {
        (1 << bits) - 1
    };
    let mut n: u64 = 0;
    let mut underscores = false;
    for &c in s {
        let d = match c {
            b'_' if base0 => {
                underscores = true;
                continue;
            }
            b'0'..=b'9' => c - b'0',
            b'a'..=b'z' => c - b'a' + 10,
            b'A'..=b'Z' => c - b'A' + 10,
            _ => return (0, Some(NumErr::Syntax)),
        };
        if u64::from(d) >= base {
            return (0, Some(NumErr::Syntax));
        }
        match n
            .checked_mul(base)
            .and_then(|n| n.checked_add(u64::from(d)))
        {
            Some(v) if v <= max => n = v,
            _ => return (max, Some(NumErr::Range)),
        }
    }
    if underscores && !underscore_ok(s0) {
        return (0, Some(NumErr::Syntax));
    }
    (n, None)
}

/// `strconv.ParseInt`. A range error comes with the nearest value.
pub fn parse_int(s: &[u8], base: i64, bits: i64) -> (i64, Option<NumErr>) {
    if s.is_empty() {
        return (0, Some(NumErr::Syntax));
    }
    let neg = s[0] == b'-';
    let digits = if neg || s[0] == b'+' { &s[1..] } else { s };
    let (u, err) = parse_uint(digits, base, bits);
    if let Some(e) = err
        && e != NumErr::Range
    {
        return (0, Some(e));
    }
    let bits = if bits == 0 { 64 } else { bits as u32 };
    let cutoff = 1u64 << (bits - 1);
    if !neg && u >= cutoff {
        return ((cutoff - 1) as i64, Some(NumErr::Range));
    }
    if neg && u > cutoff {
        return ((cutoff as i64).wrapping_neg(), Some(NumErr::Range));
    }
    (
        if neg {
            (u as i64).wrapping_neg()
        } else {
            u as i64
        },
        None,
    )
}

/// The fast case of `strconv.Atoi`: `None` means "ask [`parse_int`]".
#[inline]
pub(crate) fn atoi_fast(s: &[u8]) -> Option<i64> {
    if s.is_empty() || s.len() >= 19 {
        return None;
    }
    let digits = if s[0] == b'-' || s[0] == b'+' {
        &s[1..]
    } else {
        s
    };
    if digits.is_empty() {
        return None;
    }
    let mut n = 0i64;
    for &c in digits {
        let d = c.wrapping_sub(b'0');
        if d > 9 {
            return None;
        }
        n = n * 10 + i64::from(d);
    }
    Some(if s[0] == b'-' { -n } else { n })
}

// ---- floats, to text

/// Decimal digits: 0.d1d2d3… × 10^dp.
struct Digits {
    d: Vec<u8>,
    dp: i32,
}

impl Digits {
    /// From Rust's `{:e}` of a positive number.
    fn from_exp(s: &str) -> Digits {
        let (mant, exp) = s.split_once('e').unwrap_or((s, "0"));
        let mut d: Vec<u8> = mant.bytes().filter(u8::is_ascii_digit).collect();
        let exp: i32 = exp.parse().unwrap_or(0);
        if d.iter().all(|c| *c == b'0') {
            d.clear();
            return Digits { d, dp: 0 };
        }
        Digits { d, dp: exp + 1 }
    }

    /// From Rust's `{:.n}` of a positive number.
    fn from_fixed(s: &str) -> Digits {
        let (int, frac) = s.split_once('.').unwrap_or((s, ""));
        let all: Vec<u8> = int.bytes().chain(frac.bytes()).collect();
        let lead = all.iter().take_while(|c| **c == b'0').count();
        let dp = int.len() as i32 - lead as i32;
        let d = all[lead..].to_vec();
        if d.is_empty() {
            Digits { d, dp: 0 }
        } else {
            Digits { d, dp }
        }
    }
}

/// No double has more digits than this, so what is beyond is zeros.
const MAX_PREC: usize = 1100;

/// Appends `f` in format `fmt` (one of `eEfgGbxX`) with precision `prec`, -1 for shortest; `bits`
/// is 32 or 64. `strconv.AppendFloat`.
pub(crate) fn append_float(out: &mut Vec<u8>, f: f64, fmt: u8, prec: i64, bits: u32) {
    if f.is_nan() {
        out.extend_from_slice(b"NaN");
        return;
    }
    if f.is_infinite() {
        out.extend_from_slice(if f > 0.0 { b"+Inf" } else { b"-Inf" });
        return;
    }
    let f = if bits == 32 { f64::from(f as f32) } else { f };
    if f.is_infinite() {
        return append_float(out, f, fmt, prec, 64);
    }
    let neg = f.is_sign_negative();
    let a = f.abs();
    match fmt {
        b'b' => return append_b(out, f, bits),
        b'x' | b'X' => return append_x(out, f, fmt, prec, bits),
        b'e' | b'E' | b'f' | b'F' | b'g' | b'G' => {}
        _ => {
            out.extend_from_slice(&[b'%', fmt]);
            return;
        }
    }
    let shortest = prec < 0;
    let mut prec = if shortest { 0 } else { prec as usize };
    let digs = if shortest {
        let s = if bits == 32 {
            format!("{:e}", a as f32)
        } else {
            format!("{a:e}")
        };
        let mut d = Digits::from_exp(&s);
        if is_tie(a, bits, d.d.len() as i32 - d.dp) {
            // Two shortest texts are equally near: Go takes the even one.
            let even = format!("{a:.*e}", d.d.len() - 1);
            let same = if bits == 32 {
                even.parse() == Ok(a as f32)
            } else {
                even.parse() == Ok(a)
            };
            if same {
                d = Digits::from_exp(&even);
                while d.d.len() > 1 && d.d.last() == Some(&b'0') {
                    d.d.pop();
                }
            }
        }
        match fmt {
            b'e' | b'E' => prec = d.d.len().saturating_sub(1),
            b'f' | b'F' => prec = (d.d.len() as i32 - d.dp).max(0) as usize,
            _ => prec = d.d.len(),
        }
        d
    } else if matches!(fmt, b'f' | b'F') {
        Digits::from_fixed(&format!("{a:.*}", prec.min(MAX_PREC)))
    } else {
        let n = match fmt {
            b'e' | b'E' => prec,
            _ => {
                if prec == 0 {
                    prec = 1;
                }
                prec - 1
            }
        };
        Digits::from_exp(&format!("{a:.*e}", n.min(MAX_PREC)))
    };
    match fmt {
        b'e' | b'E' => append_e(out, neg, &digs, prec, fmt),
        b'f' | b'F' => append_f(out, neg, &digs, prec),
        _ => {
            let mut nd = digs.d.len();
            if !shortest {
                // Trailing zeros do not count.
                while nd > 0 && digs.d[nd - 1] == b'0' {
                    nd -= 1;
                }
            }
            let digs = Digits {
                d: digs.d[..nd].to_vec(),
                dp: digs.dp,
            };
            let mut eprec = prec as i64;
            if eprec > nd as i64 && nd as i64 >= i64::from(digs.dp) {
                eprec = nd as i64;
            }
            if shortest {
                eprec = 6;
            }
            let exp = i64::from(digs.dp) - 1;
            if exp < -4 || exp >= eprec {
                let p = prec.min(nd);
                append_e(out, neg, &digs, p.saturating_sub(1), fmt - (b'g' - b'e'));
            } else {
                let p = (nd as i64 - i64::from(digs.dp)).max(0) as usize;
                append_f(out, neg, &digs, p);
            }
        }
    }
}

fn append_e(out: &mut Vec<u8>, neg: bool, digs: &Digits, prec: usize, fmt: u8) {
    if neg {
        out.push(b'-');
    }
    out.push(digs.d.first().copied().unwrap_or(b'0'));
    if prec > 0 {
        out.push(b'.');
        let have = digs.d.get(1..(prec + 1).min(digs.d.len())).unwrap_or(&[]);
        out.extend_from_slice(have);
        out.resize(out.len() + prec - have.len(), b'0');
    }
    out.push(fmt);
    let exp = if digs.d.is_empty() { 0 } else { digs.dp - 1 };
    out.push(if exp < 0 { b'-' } else { b'+' });
    let e = exp.unsigned_abs();
    if e < 10 {
        out.push(b'0');
    }
    append_uint(out, u64::from(e), 10);
}

fn append_f(out: &mut Vec<u8>, neg: bool, digs: &Digits, prec: usize) {
    if neg {
        out.push(b'-');
    }
    let dp = digs.dp;
    if dp > 0 {
        let m = digs.d.len().min(dp as usize);
        out.extend_from_slice(&digs.d[..m]);
        out.resize(out.len() + dp as usize - m, b'0');
    } else {
        out.push(b'0');
    }
    if prec > 0 {
        out.push(b'.');
        for i in 0..prec as i64 {
            let j = i64::from(dp) + i;
            let c = usize::try_from(j)
                .ok()
                .and_then(|j| digs.d.get(j))
                .copied()
                .unwrap_or(b'0');
            out.push(c);
        }
    }
}

/// Whether `a` lies exactly in the middle between two decimals with `k` places:
/// a × 2 × 10^k is an odd number.
fn is_tie(a: f64, bits: u32, k: i32) -> bool {
    let (mant, exp, mant_bits) = split(a, bits);
    if mant == 0 {
        return false;
    }
    let zeros = mant.trailing_zeros();
    exp - mant_bits as i32 + zeros as i32 == -(k + 1)
}

/// Mantissa and exponent: value = mant × 2^(exp - mantissa bits), Go's way of splitting.
fn split(f: f64, bits: u32) -> (u64, i32, u32) {
    let (b, mant_bits, exp_bits, bias) = if bits == 32 {
        (u64::from((f as f32).to_bits()), 23, 8, -127)
    } else {
        (f.to_bits(), 52, 11, -1023)
    };
    let mut exp = (b >> mant_bits) as i32 & ((1 << exp_bits) - 1);
    let mut mant = b & ((1 << mant_bits) - 1);
    if exp == 0 {
        exp = 1;
    } else {
        mant |= 1 << mant_bits;
    }
    (mant, exp + bias, mant_bits)
}

fn append_b(out: &mut Vec<u8>, f: f64, bits: u32) {
    let (mant, exp, mant_bits) = split(f, bits);
    if f.is_sign_negative() {
        out.push(b'-');
    }
    append_uint(out, mant, 10);
    out.push(b'p');
    let e = exp - mant_bits as i32;
    if e >= 0 {
        out.push(b'+');
    }
    append_int(out, i64::from(e), 10);
}

fn append_x(out: &mut Vec<u8>, f: f64, fmt: u8, prec: i64, bits: u32) {
    // The digit before the point stands above 60 bits of fraction, which are 15 digits.
    const FRACTION: u32 = 60;
    let (mant, mut exp, mant_bits) = split(f, bits);
    let mut mant = mant << (FRACTION - mant_bits);
    if mant == 0 {
        exp = 0;
    } else {
        let up = FRACTION - mant.ilog2();
        mant <<= up;
        exp -= up as i32;
    }
    if (0..15).contains(&prec) {
        let cut = FRACTION - 4 * prec as u32;
        let half = 1 << (cut - 1);
        let lost = mant & (2 * half - 1);
        let even = (mant >> cut) & 1 == 0;
        mant -= lost;
        if lost > half || lost == half && !even {
            mant += 2 * half;
        }
        if mant >> (FRACTION + 1) != 0 {
            mant >>= 1;
            exp += 1;
        }
    }
    if f.is_sign_negative() {
        out.push(b'-');
    }
    out.extend_from_slice(&[b'0', fmt, b'0' + (mant >> FRACTION) as u8]);
    let mut digits = format!("{:015x}", mant & ((1 << FRACTION) - 1)).into_bytes();
    let wanted = if prec < 0 {
        15 - mant.trailing_zeros().min(FRACTION) as usize / 4
    } else {
        prec as usize
    };
    digits.resize(wanted, b'0');
    if fmt == b'X' {
        digits.make_ascii_uppercase();
    }
    if wanted > 0 {
        out.push(b'.');
        out.extend_from_slice(&digits);
    }
    out.push(if fmt == b'X' { b'P' } else { b'p' });
    out.push(if exp < 0 { b'-' } else { b'+' });
    let e = exp.unsigned_abs();
    if e < 10 {
        out.push(b'0');
    }
    append_uint(out, u64::from(e), 10);
}

// ---- floats, from text

/// The length of a case-insensitive `inf`, `infinity` or `nan` at the start, and its value.
fn special(s: &[u8]) -> Option<(f64, usize)> {
    let (sign, signed, rest) = match s.first()? {
        b'-' => (-1.0, 1, &s[1..]),
        b'+' => (1.0, 1, &s[1..]),
        _ => (1.0, 0, s),
    };
    let starts = |w: &[u8]| rest.len() >= w.len() && rest[..w.len()].eq_ignore_ascii_case(w);
    if starts(b"infinity") {
        Some((sign * f64::INFINITY, signed + 8))
    } else if starts(b"inf") {
        Some((sign * f64::INFINITY, signed + 3))
    } else if signed == 0 && starts(b"nan") {
        Some((f64::NAN, 3))
    } else {
        None
    }
}

/// `strconv.ParseFloat` of the longest prefix that is a number: value, its length, and a range
/// error. `None` if there is none.
pub(crate) fn parse_float_prefix(s: &[u8], bits: u32) -> Option<(f64, usize, bool)> {
    if let Some((v, n)) = special(s) {
        return Some((v, n, false));
    }
    let mut i = 0;
    let neg = s.first() == Some(&b'-');
    if matches!(s.first(), Some(b'+' | b'-')) {
        i = 1;
    }
    let hex = s.len() > i + 2 && s[i] == b'0' && s[i + 1] | 0x20 == b'x';
    if hex {
        i += 2;
    }
    let start = i;
    let (mut saw_digits, mut saw_dot, mut underscores) = (false, false, false);
    let mut digits: Vec<u8> = Vec::new();
    let mut point: Option<usize> = None;
    while i < s.len() {
        match s[i] {
            b'_' => underscores = true,
            b'.' if !saw_dot => {
                saw_dot = true;
                point = Some(digits.len());
            }
            c if c.is_ascii_digit() || hex && c.is_ascii_hexdigit() => {
                saw_digits = true;
                digits.push(c);
            }
            _ => break,
        }
        i += 1;
    }
    let _ = start;
    if !saw_digits {
        return None;
    }
    let point = point.unwrap_or(digits.len());
    let mut exp: i64 = 0;
    let marker = if hex { b'p' } else { b'e' };
    if i < s.len() && s[i] | 0x20 == marker {
        let mut j = i + 1;
        let mut eneg = false;
        if matches!(s.get(j), Some(b'+' | b'-')) {
            eneg = s[j] == b'-';
            j += 1;
        }
        if !s.get(j).is_some_and(u8::is_ascii_digit) {
            return None;
        }
        while j < s.len() && (s[j].is_ascii_digit() || s[j] == b'_') {
            if s[j] == b'_' {
                underscores = true;
            } else if exp < 10_000 {
                exp = exp * 10 + i64::from(s[j] - b'0');
            }
            j += 1;
        }
        if eneg {
            exp = -exp;
        }
        i = j;
    } else if hex {
        // The exponent is not optional.
        return None;
    }
    if underscores && !underscore_ok(&s[..i]) {
        return None;
    }
    let v = if hex {
        hex_value(&digits, point, exp, bits)
    } else {
        let mut text = String::with_capacity(digits.len() + 16);
        text.push_str(std::str::from_utf8(&digits[..point]).unwrap_or("0"));
        text.push('.');
        text.push_str(std::str::from_utf8(&digits[point..]).unwrap_or("0"));
        text.push_str(&format!("e{exp}"));
        if bits == 32 {
            f64::from(text.parse::<f32>().unwrap_or(0.0))
        } else {
            text.parse::<f64>().unwrap_or(0.0)
        }
    };
    let range = v.is_infinite();
    Some((if neg { -v } else { v }, i, range))
}

fn hex_value(digits: &[u8], point: usize, exp: i64, bits: u32) -> f64 {
    let mut mant: u64 = 0;
    let mut sticky = false;
    let mut e = exp + 4 * (point as i64 - digits.len() as i64);
    for &c in digits {
        let d = u64::from((c as char).to_digit(16).unwrap_or(0));
        if mant >> 60 != 0 {
            sticky |= d != 0;
            e += 4;
        } else {
            mant = mant << 4 | d;
        }
    }
    if mant == 0 {
        return 0.0;
    }
    let lz = mant.leading_zeros();
    mant <<= lz;
    e -= i64::from(lz);
    // value = mant × 2^e with the top bit of mant set.
    let (mbits, emin, emax) = if bits == 32 {
        (24i64, -126i64, 127i64)
    } else {
        (53, -1022, 1023)
    };
    let top = e + 63;
    let keep = if top < emin {
        mbits - (emin - top)
    } else {
        mbits
    };
    if keep < 0 {
        return 0.0;
    }
    let drop = 64 - keep;
    let (mut m, half, rest) = if drop >= 64 {
        (0u64, mant >> 63 != 0, mant << 1 != 0)
    } else {
        (
            mant >> drop,
            mant >> (drop - 1) & 1 != 0,
            mant & ((1 << (drop - 1)) - 1) != 0,
        )
    };
    if half && (rest || sticky || m & 1 != 0) {
        m += 1;
    }
    let scale = e + drop;
    let v = ldexp(m as f64, scale);
    if (v != 0.0 && v >= ldexp(1.0, emax) * 2.0) || v.is_infinite() {
        f64::INFINITY
    } else {
        v
    }
}

/// `m × 2^e` where the result is exact or overflows.
fn ldexp(m: f64, e: i64) -> f64 {
    let mut v = m;
    let mut e = e;
    while e > 1000 && v.is_finite() && v != 0.0 {
        v *= 2f64.powi(1000);
        e -= 1000;
    }
    while e < -1000 && v != 0.0 {
        // Exact while normal; the last step may be denormal, where the bits fit by construction.
        let step = (-1000).max(e);
        v *= 2f64.powi(step as i32);
        e -= step;
        if e > -1000 {
            break;
        }
    }
    if !(-1022..=1000).contains(&e) {
        return v * 2f64.powi((e / 2) as i32) * 2f64.powi((e - e / 2) as i32);
    }
    v * 2f64.powi(e as i32)
}

/// `strconv.ParseFloat`
pub fn parse_float(s: &[u8], bits: u32) -> (f64, Option<NumErr>) {
    match parse_float_prefix(s, bits) {
        Some((v, n, range)) if n == s.len() => (v, range.then_some(NumErr::Range)),
        _ => (0.0, Some(NumErr::Syntax)),
    }
}

// ---- quoting

const LOWER_HEX: &[u8; 16] = b"0123456789abcdef";

/// Appends `s` quoted with `quote`, escaping what is not printable (`ascii`: or not ASCII;
/// `graphic`: leaving graphic characters).
pub(crate) fn append_quoted(out: &mut Vec<u8>, s: &[u8], quote: u8, ascii: bool, graphic: bool) {
    out.push(quote);
    let mut i = 0;
    while i < s.len() {
        let (r, w) = decode_rune(&s[i..]);
        if w == 1 && r == 0xfffd {
            out.extend_from_slice(&[
                b'\\',
                b'x',
                LOWER_HEX[usize::from(s[i] >> 4)],
                LOWER_HEX[usize::from(s[i] & 15)],
            ]);
        } else {
            append_escaped(out, r, quote, ascii, graphic);
        }
        i += w;
    }
    out.push(quote);
}

/// Appends rune `r` quoted with single quotes.
pub(crate) fn append_quoted_rune(out: &mut Vec<u8>, r: i32, ascii: bool, graphic: bool) {
    let r = if u32::try_from(r).ok().and_then(char::from_u32).is_some() {
        r
    } else {
        0xfffd
    };
    out.push(b'\'');
    append_escaped(out, r, b'\'', ascii, graphic);
    out.push(b'\'');
}

fn append_escaped(out: &mut Vec<u8>, r: i32, quote: u8, ascii: bool, graphic: bool) {
    if r == i32::from(quote) || r == i32::from(b'\\') {
        out.extend_from_slice(&[b'\\', r as u8]);
        return;
    }
    if ascii {
        if r < 0x80 && is_print(r) {
            out.push(r as u8);
            return;
        }
    } else if is_print(r) || graphic && is_graphic(r) {
        let mut buf = [0; 4];
        let n = encode_rune(&mut buf, r);
        out.extend_from_slice(&buf[..n]);
        return;
    }
    let simple = match r {
        7 => b'a',
        8 => b'b',
        12 => b'f',
        10 => b'n',
        13 => b'r',
        9 => b't',
        11 => b'v',
        _ => 0,
    };
    if simple != 0 {
        out.extend_from_slice(&[b'\\', simple]);
    } else if r < 0x20 || r == 0x7f {
        out.extend_from_slice(format!("\\x{r:02x}").as_bytes());
    } else if r < 0x1_0000 {
        out.extend_from_slice(format!("\\u{r:04x}").as_bytes());
    } else {
        out.extend_from_slice(format!("\\U{r:08x}").as_bytes());
    }
}

/// Whether `s` can stand between backquotes unchanged.
pub(crate) fn can_backquote(s: &[u8]) -> bool {
    let mut i = 0;
    while i < s.len() {
        let (r, w) = decode_rune(&s[i..]);
        i += w;
        if w > 1 {
            if r == 0xfeff {
                return false;
            }
            continue;
        }
        if r == 0xfffd || r < 0x20 && r != 9 || r == i32::from(b'`') || r == 0x7f {
            return false;
        }
    }
    true
}

/// Decodes one character or escape of a literal quoted with `quote` (0: no quote is special): the
/// value, whether it is a rune that needs UTF-8 (rather than a byte), and how long it was.
/// `strconv.UnquoteChar`.
pub(crate) fn unquote_char(s: &[u8], quote: u8) -> Option<(i32, bool, usize)> {
    let &c = s.first()?;
    if c == quote && (quote == b'\'' || quote == b'"') {
        return None;
    }
    if c >= 0x80 {
        let (r, w) = decode_rune(s);
        return Some((r, true, w));
    }
    if c != b'\\' {
        return Some((i32::from(c), false, 1));
    }
    /// What stands behind a backslash for one of the bytes from 7 on.
    const LETTERS: &[u8] = b"abtnvfr";
    let &kind = s.get(1)?;
    if let Some(i) = LETTERS.iter().position(|&l| l == kind) {
        return Some((7 + i as i32, false, 2));
    }
    let (begin, digits, radix, is_rune) = match kind {
        b'\\' => return Some((i32::from(kind), false, 2)),
        b'\'' | b'"' => return (kind == quote).then_some((i32::from(kind), false, 2)),
        b'x' => (2, 2, 16, false),
        b'u' => (2, 4, 16, true),
        b'U' => (2, 8, 16, true),
        b'0'..=b'7' => (1, 3, 8, false),
        _ => return None,
    };
    let end = begin + digits;
    let mut value = 0;
    for &digit in s.get(begin..end)? {
        value = value * radix + char::from(digit).to_digit(radix)?;
    }
    let fits = match is_rune {
        true => char::from_u32(value).is_some(),
        false => value <= 255,
    };
    fits.then_some((value as i32, is_rune, end))
}

/// The quoted literal at the start of `s`: its value and its length with quotes.
/// `None` is a syntax error.
pub(crate) fn unquote_prefix(s: &[u8]) -> Option<(Vec<u8>, usize)> {
    let &quote = s.first()?;
    let mut out = Vec::new();
    match quote {
        b'`' => {
            let end = s[1..].iter().position(|c| *c == b'`')? + 1;
            out.extend(s[1..end].iter().filter(|c| **c != b'\r'));
            Some((out, end + 1))
        }
        b'"' | b'\'' => {
            let mut i = 1;
            loop {
                let &c = s.get(i)?;
                if c == quote {
                    // Only a character literal must not be empty.
                    return if quote == b'\'' && i == 1 {
                        None
                    } else {
                        Some((out, i + 1))
                    };
                }
                if c == b'\n' {
                    return None;
                }
                let (v, multi, w) = unquote_char(&s[i..], quote)?;
                i += w;
                if v < 0x80 || !multi {
                    out.push(v as u8);
                } else {
                    // A bad byte stays as it is only when it was not escaped; Go writes U+FFFD.
                    let mut buf = [0; 4];
                    let n = encode_rune(&mut buf, v);
                    out.extend_from_slice(&buf[..n]);
                }
                if quote == b'\'' {
                    return if s.get(i) == Some(&b'\'') {
                        Some((out, i + 1))
                    } else {
                        None
                    };
                }
            }
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ff(f: f64, fmt: u8, prec: i64, bits: u32) -> String {
        let mut out = Vec::new();
        append_float(&mut out, f, fmt, prec, bits);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn floats_print_as_in_go() {
        assert_eq!(ff(1.0, b'e', 5, 64), "1.00000e+00");
        assert_eq!(ff(1.0, b'g', -1, 64), "1");
        assert_eq!(ff(100000.0, b'g', -1, 64), "100000");
        assert_eq!(ff(1e21, b'g', -1, 64), "1e+21");
        assert_eq!(ff(200000.0, b'x', -1, 64), "0x1.86ap+17");
        assert_eq!(ff(0.0, b'e', -1, 64), "0e+00");
        assert_eq!(ff(-0.0, b'f', 2, 64), "-0.00");
        assert_eq!(ff(0.000001, b'g', -1, 64), "1e-06");
        assert_eq!(ff(5e-324, b'g', -1, 64), "5e-324");
        assert_eq!(ff(32.0, b'g', 0, 64), "3e+01");
        assert_eq!(ff(400.0, b'g', 2, 64), "4e+02");
        assert_eq!(ff(123456.7, b'g', 4, 64), "1.235e+05");
        assert_eq!(ff(2.5, b'f', 0, 64), "2");
        assert_eq!(ff(0.1f32.into(), b'g', -1, 32), "0.1");
        assert_eq!(ff(1.5, b'b', -1, 64), "6755399441055744p-52");
        assert_eq!(ff(99999.9, b'g', 5, 64), "1e+05");
        assert_eq!(ff(-152848.125, b'g', -1, 32), "-152848.12");
    }

    #[test]
    fn floats_parse_as_in_go() {
        assert_eq!(parse_float(b"1e23", 64), (1e23, None));
        assert_eq!(parse_float(b".5", 64), (0.5, None));
        assert_eq!(parse_float(b"1_000", 64), (1000.0, None));
        assert_eq!(parse_float(b"1__0", 64).1, Some(NumErr::Syntax));
        assert_eq!(parse_float(b"0x_1p4", 64), (16.0, None));
        assert_eq!(parse_float(b"0x1.fffffffffffffp1023", 64), (f64::MAX, None));
        assert_eq!(parse_float(b"0x1p-1074", 64), (5e-324, None));
        assert_eq!(parse_float(b"0x1p-1076", 64), (0.0, None));
        assert_eq!(
            parse_float(b"0x1p1024", 64),
            (f64::INFINITY, Some(NumErr::Range))
        );
        assert_eq!(
            parse_float(b"1e400", 64),
            (f64::INFINITY, Some(NumErr::Range))
        );
        assert_eq!(parse_float(b"-Inf", 64), (f64::NEG_INFINITY, None));
        assert_eq!(parse_float(b"1e", 64).1, Some(NumErr::Syntax));
        assert_eq!(parse_float(b"0x1.8", 64).1, Some(NumErr::Syntax));
        assert_eq!(parse_float(b"0x1.000001p0", 32), (1.0, None));
    }

    #[test]
    fn integers_parse_as_in_go() {
        assert_eq!(parse_int(b"-9223372036854775808", 10, 64), (i64::MIN, None));
        assert_eq!(
            parse_int(b"9223372036854775808", 10, 64),
            (i64::MAX, Some(NumErr::Range))
        );
        assert_eq!(parse_int(b"0x_1F", 0, 64), (31, None));
        assert_eq!(parse_int(b"1__0", 0, 64), (0, Some(NumErr::Syntax)));
        assert_eq!(parse_int(b"128", 10, 8), (127, Some(NumErr::Range)));
        assert_eq!(parse_int(b"0", 0, 0), (0, None));
        assert_eq!(parse_uint(b"08", 0, 0).1, Some(NumErr::Syntax));
        assert_eq!(parse_int(b"+5", 10, 0), (5, None));
        assert_eq!(parse_uint(b"+5", 10, 0).1, Some(NumErr::Syntax));
    }
}
