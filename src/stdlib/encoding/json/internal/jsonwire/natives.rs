//! Package `encoding/json/internal/jsonwire`: scanning, quoting and rewriting of JSON texts.
//!
//! Go: encoding/json/internal/jsonwire.

use vm::fenced;
use vm::native::{GoStr, Slice};

pub mod scan;
pub mod tidy;

use scan::{Escapes, Number, Scan, Step, ValueScan};
use tidy::Wish;

/// As the Go text takes it: how far, flags, the number of the fault, its length.
fn told(s: Scan) -> (i64, i64, i64, i64) {
    (
        s.at as i64,
        s.flags,
        s.fault.map_or(0, |f| f as i64),
        s.len as i64,
    )
}

natives! {
    "skipSpace" => fenced follows(b) |cx, b: Slice<u8>| {
        let n = fenced!(cx, b.len(), || scan::space(b.as_slice()));
        cx.touches(b.as_ptr(), n, false);
        n as i64
    }
    "scanString" => fenced follows(b) |cx, b: Slice<u8>, from: i64, validate: bool| {
        let s = fenced!(cx, b.len(), || scan::string(b.as_slice(), from as usize, validate));
        cx.touches(b.as_ptr(), s.at, false);
        told(s)
    }
    "scanNumber" => fenced follows(b) |cx, b: Slice<u8>| {
        let (n, how) = match fenced!(cx, b.len(), || scan::number(b.as_slice())) {
            Number::Done(n) => (n, 0),
            Number::End(n) => (n, 1),
            Number::Bad(n) => (n, 2),
        };
        cx.touches(b.as_ptr(), n, false);
        (n as i64, how)
    }
    "unquote" => fenced untouched(dst) |cx, dst: Slice<u8>, src: Slice<u8>| {
        let (out, s) = fenced!(cx, src.len(), || {
            let mut out = Vec::with_capacity(src.len());
            let s = scan::unquote(&mut out, src.as_slice());
            (out, s)
        });
        let (at, _, fault, len) = told(s);
        (cx.append_bytes(dst, &out), at, fault, len)
    }
    "quote" => fenced untouched(dst) |cx, dst: Slice<u8>, src: GoStr, html: bool, js: bool| {
        let (out, good) = fenced!(cx, src.len(), || {
            let mut out = Vec::new();
            let good = scan::quote(&mut out, src.as_bytes(), Escapes { html, js });
            (out, good)
        });
        (cx.append_bytes(dst, &out), good)
    }
    "needEscape" => fenced |cx, s: GoStr| {
        fenced!(cx, s.len(), || scan::need_escape(s.as_bytes()))
    }
    "rewriteString" => fenced untouched(dst) |
        cx,
        dst: Slice<u8>,
        src: Slice<u8>,
        flags: i64,
        wish: i64,
    | {
        let out = fenced!(cx, src.len(), || {
            let mut out = Vec::new();
            tidy::string(&mut out, src.as_slice(), flags, Wish(wish));
            out
        });
        cx.append_bytes(dst, &out)
    }
    "rewriteNumber" => fenced untouched(dst) |cx, dst: Slice<u8>, src: Slice<u8>, wish: i64| {
        let out = fenced!(cx, src.len(), || {
            let mut out = Vec::new();
            tidy::number(&mut out, src.as_slice(), Wish(wish));
            out
        });
        cx.append_bytes(dst, &out)
    }
    "rewriteValue" => fenced untouched(dst) |
        cx,
        dst: Slice<u8>,
        src: Slice<u8>,
        depth: i64,
        wish: i64,
        prefix: GoStr,
        indent: GoStr,
    | {
        let (out, len) = fenced!(cx, src.len(), || {
            let mut out = Vec::new();
            let (prefix, indent) = (prefix.as_bytes(), indent.as_bytes());
            let (src, depth) = (src.as_slice(), depth as usize);
            let len = tidy::value(&mut out, src, depth, Wish(wish), prefix, indent);
            (out, len)
        });
        match len {
            Some(len) => (cx.append_bytes(dst, &out), len as i64),
            None => (dst, -1),
        }
    }
    "AppendFloat" => short untouched(dst) |cx, dst: Slice<u8>, src: f64, bits: i64| {
        let mut out = Vec::with_capacity(32);
        tidy::float(&mut out, src, bits as u32);
        cx.append_bytes(dst, &out)
    }
    "scanValue" => fenced follows(b) untouched(open) |
        cx,
        b: Slice<u8>,
        at: i64,
        depth: i64,
        validate: bool,
        last: bool,
        state: i64,
        open: Slice<u8>,
    | {
        let (step, state, flags, now) = fenced!(cx, b.len(), || {
            let mut scan = ValueScan::new(state, open.as_slice().to_vec());
            let step = scan.run(b.as_slice(), at as usize, depth as usize, validate, last);
            (step, scan.state(), scan.flags, scan.open)
        });
        if let Step::Done(n) | Step::More(n) = step {
            let from = (at as usize).min(n);
            cx.touches(b.as_slice()[from..].as_ptr(), n - from, false);
        }
        match step {
            Step::Done(n) => (n as i64, 0, flags, open),
            Step::More(n) => (n as i64, 1, state, cx.bytes(&now)),
            Step::Bad => (0, 2, 0, open),
        }
    }
    "HasDuplicates" => fenced |cx, b: Slice<u8>| {
        fenced!(cx, b.len(), || tidy::has_duplicates(b.as_slice()))
    }
}
