//! Package `strconv`: the natives over [`core`].
//!
//! Go: strconv.

use crate::unicode::natives as unicode;
use vm::native::{Cx, GoStr, Res, Slice};

pub mod core;

use self::core::NumErr;

fn code(e: Option<NumErr>) -> i64 {
    e.map_or(0, NumErr::code)
}

fn bits(n: i64) -> u32 {
    if n == 32 { 32 } else { 64 }
}

fn built(cx: &mut Cx, f: impl FnOnce(&mut Vec<u8>)) -> GoStr {
    let mut out = Vec::with_capacity(32);
    f(&mut out);
    cx.string(&out)
}

/// Runs what may ask whether characters can be printed where a signal may suspend it.
fn in_tables<R>(cx: &mut Cx, work: usize, f: impl FnOnce() -> R) -> R {
    if work > 4 << 10 {
        unicode::make_tables();
    }
    cx.fenced(work, f)
}

/// `s` quoted.
fn quoted(cx: &mut Cx, s: GoStr, ascii: bool, graphic: bool) -> Vec<u8> {
    in_tables(cx, s.len, || {
        let mut out = Vec::with_capacity(32);
        core::append_quoted(&mut out, s.as_bytes(), b'"', ascii, graphic);
        out
    })
}

fn appended(cx: &mut Cx, dst: Slice<u8>, f: impl FnOnce(&mut Vec<u8>)) -> Slice<u8> {
    let mut out = Vec::with_capacity(32);
    f(&mut out);
    cx.append_bytes(dst, &out)
}

fn check_base(cx: &mut Cx, base: i64) -> Res<u32> {
    if (2..=36).contains(&base) {
        Ok(base as u32)
    } else {
        cx.panic("strconv: illegal AppendInt/FormatInt base")
    }
}

fn format_float(
    cx: &mut Cx,
    out: &mut Vec<u8>,
    f: f64,
    fmt: u8,
    prec: i64,
    size: i64,
    name: &str,
) -> Res<()> {
    if size != 32 && size != 64 {
        return cx.panic(format!("strconv: illegal {name} bitSize"));
    }
    let work = usize::try_from(prec).unwrap_or(0);
    cx.fenced(work, || core::append_float(out, f, fmt, prec, size as u32));
    Ok(())
}

natives! {
    "func atoi(s string) (n, code int)" => fenced |cx, s: GoStr| {
        match core::atoi_fast(s.as_bytes()) {
            Some(n) => (n, 0i64),
            None => {
                let (n, e) = cx.fenced(s.len, || core::parse_int(s.as_bytes(), 10, 0));
                (n, code(e))
            }
        }
    }
    "func parseInt(s string, base int, bitSize int) (i int64, code int)" => fenced
    |cx, s: GoStr, base: i64, size: i64| {
        let (n, e) = cx.fenced(s.len, || core::parse_int(s.as_bytes(), base, size));
        (n, code(e))
    }
    "func parseUint(s string, base int, bitSize int) (i uint64, code int)" => fenced
    |cx, s: GoStr, base: i64, size: i64| {
        let (n, e) = cx.fenced(s.len, || core::parse_uint(s.as_bytes(), base, size));
        (n, code(e))
    }
    "func parseFloat(s string, bitSize int) (f float64, code int)" => fenced
    |cx, s: GoStr, size: i64| {
        let (f, e) = cx.fenced(s.len, || core::parse_float(s.as_bytes(), bits(size)));
        (f, code(e))
    }
    "func parseFloatPrefix(s string, bitSize int) (f float64, n, code int)" => fenced
    |cx, s: GoStr, size: i64| {
        match cx.fenced(s.len, || core::parse_float_prefix(s.as_bytes(), bits(size))) {
            Some((f, n, range)) => (f, n as i64, if range { 2i64 } else { 0 }),
            None => (0.0, 0, 1),
        }
    }
    "func Itoa(i int) string" => |cx, i: i64| {
        built(cx, |b| core::append_int(b, i, 10))
    }
    "func FormatInt(i int64, base int) string" => |cx, i: i64, base: i64| {
        let base = check_base(cx, base)?;
        Res::Ok(built(cx, |b| core::append_int(b, i, base)))
    }
    "func FormatUint(i uint64, base int) string" => |cx, i: u64, base: i64| {
        let base = check_base(cx, base)?;
        Res::Ok(built(cx, |b| core::append_uint(b, i, base)))
    }
    "func AppendInt(dst []byte, i int64, base int) []byte" => polling
    |cx, dst: Slice<u8>, i: i64, base: i64| {
        let base = check_base(cx, base)?;
        Res::Ok(appended(cx, dst, |b| core::append_int(b, i, base)))
    }
    "func AppendUint(dst []byte, i uint64, base int) []byte" => polling
    |cx, dst: Slice<u8>, i: u64, base: i64| {
        let base = check_base(cx, base)?;
        Res::Ok(appended(cx, dst, |b| core::append_uint(b, i, base)))
    }
    "func FormatFloat(f float64, fmt byte, prec, bitSize int) string" => fenced
    |cx, f: f64, fmt: u8, prec: i64, size: i64| {
        let mut out = Vec::with_capacity(32);
        format_float(cx, &mut out, f, fmt, prec, size, "FormatFloat")?;
        Res::Ok(cx.string(&out))
    }
    "func AppendFloat(dst []byte, f float64, fmt byte, prec, bitSize int) []byte" => polling
    |cx, dst: Slice<u8>, f: f64, fmt: u8, prec: i64, size: i64| {
        let mut out = Vec::with_capacity(32);
        format_float(cx, &mut out, f, fmt, prec, size, "AppendFloat")?;
        Res::Ok(cx.append_bytes(dst, &out))
    }
    "func Quote(s string) string" => fenced |cx, s: GoStr| {
        let text = quoted(cx, s, false, false);
        cx.string(&text)
    }
    "func QuoteToASCII(s string) string" => fenced |cx, s: GoStr| {
        let text = quoted(cx, s, true, false);
        cx.string(&text)
    }
    "func QuoteToGraphic(s string) string" => fenced |cx, s: GoStr| {
        let text = quoted(cx, s, false, true);
        cx.string(&text)
    }
    "func QuoteRune(r rune) string" => |cx, r: i32| {
        built(cx, |b| core::append_quoted_rune(b, r, false, false))
    }
    "func QuoteRuneToASCII(r rune) string" => |cx, r: i32| {
        built(cx, |b| core::append_quoted_rune(b, r, true, false))
    }
    "func QuoteRuneToGraphic(r rune) string" => |cx, r: i32| {
        built(cx, |b| core::append_quoted_rune(b, r, false, true))
    }
    "func AppendQuote(dst []byte, s string) []byte" => fenced |cx, dst: Slice<u8>, s: GoStr| {
        let text = quoted(cx, s, false, false);
        cx.append_bytes(dst, &text)
    }
    "func AppendQuoteToASCII(dst []byte, s string) []byte" => fenced
    |cx, dst: Slice<u8>, s: GoStr| {
        let text = quoted(cx, s, true, false);
        cx.append_bytes(dst, &text)
    }
    "func AppendQuoteToGraphic(dst []byte, s string) []byte" => fenced
    |cx, dst: Slice<u8>, s: GoStr| {
        let text = quoted(cx, s, false, true);
        cx.append_bytes(dst, &text)
    }
    "func AppendQuoteRune(dst []byte, r rune) []byte" => polling |cx, dst: Slice<u8>, r: i32| {
        appended(cx, dst, |b| core::append_quoted_rune(b, r, false, false))
    }
    "func AppendQuoteRuneToASCII(dst []byte, r rune) []byte" => polling
    |cx, dst: Slice<u8>, r: i32| {
        appended(cx, dst, |b| core::append_quoted_rune(b, r, true, false))
    }
    "func AppendQuoteRuneToGraphic(dst []byte, r rune) []byte" => polling
    |cx, dst: Slice<u8>, r: i32| {
        appended(cx, dst, |b| core::append_quoted_rune(b, r, false, true))
    }
    "func CanBackquote(s string) bool" => fenced |cx, s: GoStr| {
        cx.fenced(s.len, || core::can_backquote(s.as_bytes()))
    }
    "func IsPrint(r rune) bool" => |cx, r: i32| { unicode::is_print(r) }
    "func IsGraphic(r rune) bool" => |cx, r: i32| { unicode::is_graphic(r) }
    "func unquotePrefix(s string) (t string, n int)" => fenced |cx, s: GoStr| {
        match cx.fenced(s.len, || core::unquote_prefix(s.as_bytes())) {
            Some((t, n)) => (cx.string(&t), n as i64),
            None => (GoStr::EMPTY, -1),
        }
    }
    "func unquoteChar(s string, quote byte) (value rune, multibyte bool, n int)" => short
    |cx, s: GoStr, quote: u8| {
        match core::unquote_char(s.as_bytes(), quote) {
            Some((v, multi, n)) => (v, multi, n as i64),
            None => (0i32, false, -1i64),
        }
    }
}
