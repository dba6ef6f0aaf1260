//! How numbers and texts are laid out: sign, prefix, precision, padding, as the flags say.
//!
//! Go: fmt/format.go.

use super::{LOWER, Printer};
use crate::strconv::natives::core::{append_float, append_quoted, append_uint, can_backquote};
use crate::unicode::natives::{is_print, make_tables};
use vm::fenced;
use vm::string::{decode_rune, encode_rune, rune_count};

impl Printer<'_> {
    /// `n` spaces, or zeros where the flags want them.
    fn padding(&mut self, n: usize) {
        let c = if self.f.zero && !self.f.minus {
            b'0'
        } else {
            b' '
        };
        self.buf.resize(self.buf.len() + n, c);
    }

    /// Adds a text, padded to the width.
    pub(super) fn pad(&mut self, b: &[u8]) {
        let Some(wid) = self.f.wid.filter(|w| *w > 0) else {
            self.add(b);
            return;
        };
        let n = wid.saturating_sub(fenced!(self.cx, b.len(), || rune_count(b)));
        if self.f.minus {
            self.add(b);
            self.padding(n);
        } else {
            self.padding(n);
            self.add(b);
        }
    }

    /// Pads with spaces whatever the `0` flag says.
    fn pad_space(&mut self, b: &[u8]) {
        let zero = std::mem::replace(&mut self.f.zero, false);
        self.pad(b);
        self.f.zero = zero;
    }

    /// An integer as `%v` shows it in hexadecimal; `leading`: with 0x.
    pub(super) fn fmt_0x64(&mut self, u: u64, leading: bool) {
        let sharp = std::mem::replace(&mut self.f.sharp, leading);
        self.fmt_integer(u, 16, false, 'v' as i32, LOWER);
        self.f.sharp = sharp;
    }

    /// An integer in a base; `digits` is [`LOWER`] or `UPPER`.
    pub(super) fn fmt_integer(
        &mut self,
        u: u64,
        base: u32,
        signed: bool,
        verb: i32,
        digits: &[u8; 17],
    ) {
        let negative = signed && (u as i64) < 0;
        let u = if negative { u.wrapping_neg() } else { u };
        let signs = negative || self.f.plus || self.f.space;
        let mut prec = 0;
        if let Some(p) = self.f.prec {
            prec = p;
            if p == 0 && u == 0 {
                let zero = std::mem::replace(&mut self.f.zero, false);
                self.padding(self.f.wid.unwrap_or(0));
                self.f.zero = zero;
                return;
            }
        } else if self.f.zero
            && !self.f.minus
            && let Some(w) = self.f.wid
        {
            prec = w.saturating_sub(usize::from(signs));
        }
        let mut num = Vec::with_capacity(24);
        append_uint(&mut num, u, base);
        if digits[10] == b'A' {
            num.make_ascii_uppercase();
        }
        let mut b = Vec::with_capacity(num.len().max(prec) + 4);
        if negative {
            b.push(b'-');
        } else if self.f.plus {
            b.push(b'+');
        } else if self.f.space {
            b.push(b' ');
        }
        if verb == 'O' as i32 {
            b.extend_from_slice(b"0o");
        }
        let zeros = prec.saturating_sub(num.len());
        if self.f.sharp {
            match base {
                2 => b.extend_from_slice(b"0b"),
                8 if zeros == 0 && num[0] != b'0' => b.push(b'0'),
                16 => b.extend_from_slice(&[b'0', digits[16]]),
                _ => {}
            }
        }
        b.resize(b.len() + zeros, b'0');
        b.extend_from_slice(&num);
        self.pad_space(&b);
    }

    /// `%U`.
    pub(super) fn fmt_unicode(&mut self, u: u64) {
        let prec = self.f.prec.unwrap_or(4).max(4);
        let digits = format!("{u:X}");
        let mut b = b"U+".to_vec();
        // What Rust formats has at most 65,535 digits.
        b.resize(b.len() + prec.saturating_sub(digits.len()), b'0');
        b.extend_from_slice(digits.as_bytes());
        if self.f.sharp && u <= 0x10_ffff && is_print(u as i32) {
            b.extend_from_slice(b" '");
            let mut e = [0; 4];
            let n = encode_rune(&mut e, u as i32);
            b.extend_from_slice(&e[..n]);
            b.push(b'\'');
        }
        self.pad_space(&b);
    }

    /// No more characters than the precision says.
    fn truncate<'s>(&self, s: &'s [u8]) -> &'s [u8] {
        let Some(prec) = self.f.prec else { return s };
        let mut i = 0;
        for _ in 0..prec {
            if i >= s.len() {
                return s;
            }
            i += decode_rune(&s[i..]).1;
        }
        &s[..i]
    }

    /// `%s`.
    pub(super) fn fmt_s(&mut self, s: &[u8]) {
        let s = self.truncate(s);
        self.pad(s);
    }

    /// `%q` of a text.
    pub(super) fn fmt_q(&mut self, s: &[u8]) {
        let s = self.truncate(s);
        let (sharp, plus) = (self.f.sharp, self.f.plus);
        if s.len() > 4 << 10 {
            make_tables();
        }
        let b = fenced!(self.cx, s.len(), || {
            let mut b = Vec::with_capacity(s.len() + 2);
            if sharp && can_backquote(s) {
                b.push(b'`');
                b.extend_from_slice(s);
                b.push(b'`');
            } else {
                append_quoted(&mut b, s, b'"', plus, false);
            }
            b
        });
        self.pad(&b);
    }

    /// `%x` and `%X` of bytes.
    pub(super) fn fmt_sbx(&mut self, s: &[u8], digits: &[u8; 17]) {
        let len = self.f.prec.map_or(s.len(), |p| p.min(s.len()));
        if len == 0 {
            self.padding(self.f.wid.unwrap_or(0));
            return;
        }
        let (sharp, space) = (self.f.sharp, self.f.space);
        let b = fenced!(self.cx, len, || {
            let mut b = Vec::with_capacity(2 * len);
            for (i, c) in s[..len].iter().enumerate() {
                if space && i > 0 {
                    b.push(b' ');
                }
                if sharp && (i == 0 || space) {
                    b.extend_from_slice(&[b'0', digits[16]]);
                }
                b.extend_from_slice(&[digits[usize::from(c >> 4)], digits[usize::from(c & 15)]]);
            }
            b
        });
        self.pad(&b);
    }

    /// A float; `prec` is the precision where none is given, -1 for the shortest.
    pub(super) fn fmt_float(&mut self, v: f64, bits: u32, verb: u8, prec: i64) {
        let prec = self.f.prec.map_or(prec, |p| p as i64);
        let mut num = Vec::with_capacity(32);
        append_float(&mut num, v, verb, prec, bits);
        if num[0] != b'-' && num[0] != b'+' {
            num.insert(0, b'+');
        }
        if self.f.space && num[0] == b'+' && !self.f.plus {
            num[0] = b' ';
        }
        if num[1] == b'I' || num[1] == b'N' {
            // +Inf keeps its sign, NaN has none unless asked.
            let skip = usize::from(num[1] == b'N' && !self.f.space && !self.f.plus);
            self.pad_space(&num[skip..]);
            return;
        }
        if self.f.sharp && verb != b'b' {
            num = with_point(num, verb, prec);
        }
        if self.f.plus || num[0] != b'+' {
            if self.f.zero
                && !self.f.minus
                && let Some(w) = self.f.wid.filter(|w| *w > num.len())
            {
                self.buf.push(num[0]);
                self.padding(w - num.len());
                self.buf.extend_from_slice(&num[1..]);
                return;
            }
            self.pad(&num);
            return;
        }
        self.pad(&num[1..]);
    }
}

/// The `#` flag on a float: always a decimal point, and for %g no cutting of trailing zeros.
fn with_point(num: Vec<u8>, verb: u8, prec: i64) -> Vec<u8> {
    let mut digits = match verb {
        b'g' | b'G' | b'x' => {
            if prec == -1 {
                6
            } else {
                prec
            }
        }
        _ => 0,
    };
    let mut out = vec![num[0]];
    let mut tail = &[][..];
    let (mut point, mut nonzero) = (false, false);
    for (i, &c) in num.iter().enumerate().skip(1) {
        match c {
            b'.' => point = true,
            b'p' | b'P' => {
                tail = &num[i..];
                break;
            }
            b'e' | b'E' if verb != b'x' && verb != b'X' => {
                tail = &num[i..];
                break;
            }
            _ => {
                nonzero |= c != b'0';
                digits -= i64::from(nonzero);
            }
        }
        out.push(c);
    }
    if !point {
        if out.len() == 2 && out[1] == b'0' {
            digits -= 1;
        }
        out.push(b'.');
    }
    out.resize(out.len() + digits.max(0) as usize, b'0');
    out.extend_from_slice(tail);
    out
}
