//! Package `strconv`: the natives over [`core`].
//!
//! Go: strconv.

use crate::unicode::natives as unicode;
use vm::fenced;
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
fn in_tables<R: Send>(cx: &mut Cx, work: usize, f: impl FnOnce() -> R + Send) -> R {
    if work > 4 << 10 {
        unicode::make_tables();
    }
    fenced!(cx, work, f)
}

/// `s` quoted.
fn quoted(cx: &mut Cx, s: GoStr, ascii: bool, graphic: bool) -> Vec<u8> {
    in_tables(cx, s.len(), || {
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
    fenced!(cx, work, || core::append_float(
        out,
        f,
        fmt,
        prec,
        size as u32
    ));
    Ok(())
}

natives! {
    "atoi" => fenced |cx, s: GoStr| {
        match core::atoi_fast(s.as_bytes()) {
            Some(n) => (n, 0i64),
            None => {
                let (n, e) = fenced!(cx, s.len(), || core::parse_int(s.as_bytes(), 10, 0));
                (n, code(e))
            }
        }
    }
    "parseInt" => fenced |cx, s: GoStr, base: i64, size: i64| {
        let (n, e) = fenced!(cx, s.len(), || core::parse_int(s.as_bytes(), base, size));
        (n, code(e))
    }
    "parseUint" => fenced |cx, s: GoStr, base: i64, size: i64| {
        let (n, e) = fenced!(cx, s.len(), || core::parse_uint(s.as_bytes(), base, size));
        (n, code(e))
    }
    "parseFloat" => fenced |cx, s: GoStr, size: i64| {
        let (f, e) = fenced!(cx, s.len(), || core::parse_float(s.as_bytes(), bits(size)));
        (f, code(e))
    }
    "parseFloatPrefix" => fenced |cx, s: GoStr, size: i64| {
        match fenced!(cx, s.len(), || core::parse_float_prefix(s.as_bytes(), bits(size))) {
            Some((f, n, range)) => (f, n as i64, if range { 2i64 } else { 0 }),
            None => (0.0, 0, 1),
        }
    }
    "Itoa" => |cx, i: i64| {
        built(cx, |b| core::append_int(b, i, 10))
    }
    "FormatInt" => |cx, i: i64, base: i64| {
        let base = check_base(cx, base)?;
        Res::Ok(built(cx, |b| core::append_int(b, i, base)))
    }
    "FormatUint" => |cx, i: u64, base: i64| {
        let base = check_base(cx, base)?;
        Res::Ok(built(cx, |b| core::append_uint(b, i, base)))
    }
    "AppendInt" => polling untouched(dst) |cx, dst: Slice<u8>, i: i64, base: i64| {
        let base = check_base(cx, base)?;
        Res::Ok(appended(cx, dst, |b| core::append_int(b, i, base)))
    }
    "AppendUint" => polling untouched(dst) |cx, dst: Slice<u8>, i: u64, base: i64| {
        let base = check_base(cx, base)?;
        Res::Ok(appended(cx, dst, |b| core::append_uint(b, i, base)))
    }
    "FormatFloat" => fenced |cx, f: f64, fmt: u8, prec: i64, size: i64| {
        let mut out = Vec::with_capacity(32);
        format_float(cx, &mut out, f, fmt, prec, size, "FormatFloat")?;
        Res::Ok(cx.string(&out))
    }
    "AppendFloat" => polling untouched(dst) |
        cx,
        dst: Slice<u8>,
        f: f64,
        fmt: u8,
        prec: i64,
        size: i64,
    | {
        let mut out = Vec::with_capacity(32);
        format_float(cx, &mut out, f, fmt, prec, size, "AppendFloat")?;
        Res::Ok(cx.append_bytes(dst, &out))
    }
    "Quote" => fenced |cx, s: GoStr| {
        let text = quoted(cx, s, false, false);
        cx.string(&text)
    }
    "QuoteToASCII" => fenced |cx, s: GoStr| {
        let text = quoted(cx, s, true, false);
        cx.string(&text)
    }
    "QuoteToGraphic" => fenced |cx, s: GoStr| {
        let text = quoted(cx, s, false, true);
        cx.string(&text)
    }
    "QuoteRune" => |cx, r: i32| {
        built(cx, |b| core::append_quoted_rune(b, r, false, false))
    }
    "QuoteRuneToASCII" => |cx, r: i32| {
        built(cx, |b| core::append_quoted_rune(b, r, true, false))
    }
    "QuoteRuneToGraphic" => |cx, r: i32| {
        built(cx, |b| core::append_quoted_rune(b, r, false, true))
    }
    "AppendQuote" => fenced untouched(dst) |cx, dst: Slice<u8>, s: GoStr| {
        let text = quoted(cx, s, false, false);
        cx.append_bytes(dst, &text)
    }
    "AppendQuoteToASCII" => fenced untouched(dst) |cx, dst: Slice<u8>, s: GoStr| {
        let text = quoted(cx, s, true, false);
        cx.append_bytes(dst, &text)
    }
    "AppendQuoteToGraphic" => fenced untouched(dst) |cx, dst: Slice<u8>, s: GoStr| {
        let text = quoted(cx, s, false, true);
        cx.append_bytes(dst, &text)
    }
    "AppendQuoteRune" => polling untouched(dst) |cx, dst: Slice<u8>, r: i32| {
        appended(cx, dst, |b| core::append_quoted_rune(b, r, false, false))
    }
    "AppendQuoteRuneToASCII" => polling untouched(dst) |cx, dst: Slice<u8>, r: i32| {
        appended(cx, dst, |b| core::append_quoted_rune(b, r, true, false))
    }
    "AppendQuoteRuneToGraphic" => polling untouched(dst) |cx, dst: Slice<u8>, r: i32| {
        appended(cx, dst, |b| core::append_quoted_rune(b, r, false, true))
    }
    "CanBackquote" => fenced |cx, s: GoStr| {
        fenced!(cx, s.len(), || core::can_backquote(s.as_bytes()))
    }
    "IsPrint" => |cx, r: i32| { unicode::is_print(r) }
    "IsGraphic" => |cx, r: i32| { unicode::is_graphic(r) }
    "unquotePrefix" => fenced |cx, s: GoStr| {
        match fenced!(cx, s.len(), || core::unquote_prefix(s.as_bytes())) {
            Some((t, n)) => (cx.string(&t), n as i64),
            None => (GoStr::EMPTY, -1),
        }
    }
    "unquoteChar" => short |cx, s: GoStr, quote: u8| {
        match core::unquote_char(s.as_bytes(), quote) {
            Some((v, multi, n)) => (v, multi, n as i64),
            None => (0i32, false, -1i64),
        }
    }
}
