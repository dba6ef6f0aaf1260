//! Values written as JSON.

use bytecode::rtype::Kind;
use vm::native::Seen;
use vm::value::Val;

use super::Wish;
use super::plan::{Field, Node, Plan, What};
use crate::encoding::json::internal::jsonwire::natives::scan::{self, Escapes};
use crate::encoding::json::internal::jsonwire::natives::tidy;
use crate::strconv::natives::core as text;

/// Deeper values are the Go text's, which looks for cycles.
const DEEPEST: usize = 200;

/// Appends `v`; `None` if that is not for us.
pub fn value(
    out: &mut Vec<u8>,
    plan: &Plan,
    node: &Node,
    v: &Val<'_>,
    wish: Wish,
    depth: usize,
    seen: &mut Seen,
) -> Option<()> {
    if depth > DEEPEST {
        return None;
    }
    let depth = depth + 1;
    seen.value(v);
    match &node.what {
        What::Bool => literal(out, v.bool()),
        What::Int => text::append_int(out, v.int(), 10),
        What::Uint => text::append_uint(out, v.uint(), 10),
        What::Float => float(out, v)?,
        What::String => string(out, v.str().as_bytes(), wish)?,
        What::Any => any(out, v, wish, depth, seen)?,
        What::Bytes if v.is_nil() && wish.has(Wish::NIL_SLICES) => null(out),
        What::Bytes => {
            seen.bytes(v.byte_slice());
            base64(out, v.byte_slice());
        }
        What::Slice(_) if v.is_nil() && wish.has(Wish::NIL_SLICES) => null(out),
        What::Slice(elem) | What::Array(elem) => {
            let elem = plan.node(*elem);
            out.push(b'[');
            for i in 0..v.len() {
                if i > 0 {
                    out.push(b',');
                }
                value(out, plan, elem, &v.index(i), wish, depth, seen)?;
            }
            out.push(b']');
        }
        What::Map(_) if v.is_nil() && wish.has(Wish::NIL_MAPS) => null(out),
        What::Map(elem) => {
            let elem = plan.node(*elem);
            let mut entries = v.map_entries();
            entries.sort_by(|a, b| a.0.str().as_bytes().cmp(b.0.str().as_bytes()));
            out.push(b'{');
            for (i, (key, val)) in entries.iter().enumerate() {
                if i > 0 {
                    out.push(b',');
                }
                string(out, key.str().as_bytes(), wish)?;
                out.push(b':');
                value(out, plan, elem, val, wish, depth, seen)?;
            }
            out.push(b'}');
        }
        What::Pointer(elem) => match v.elem() {
            Some(e) => value(out, plan, plan.node(*elem), &e, wish, depth, seen)?,
            None => null(out),
        },
        What::Struct(fields) => {
            out.push(b'{');
            let mut first = true;
            for f in &fields.all {
                let field = f.path.iter().fold(*v, |v, &i| v.field(i));
                seen.value(&field);
                if omits(f, &field, wish) {
                    continue;
                }
                let before = out.len();
                if !first {
                    out.push(b',');
                }
                out.extend_from_slice(f.quoted);
                out.push(b':');
                let at = out.len();
                value(out, plan, plan.node(f.node), &field, wish, depth, seen)?;
                let is_empty = || matches!(&out[at..], b"null" | b"\"\"" | b"{}" | b"[]");
                if f.omitempty && !wish.has(Wish::EMPTY_VALUES) && is_empty() {
                    out.truncate(before);
                } else {
                    first = false;
                }
            }
            out.push(b'}');
        }
    }
    Some(())
}

fn null(out: &mut Vec<u8>) {
    out.extend_from_slice(b"null");
}

fn literal(out: &mut Vec<u8>, b: bool) {
    out.extend_from_slice(if b { b"true" } else { b"false" });
}

fn float(out: &mut Vec<u8>, v: &Val<'_>) -> Option<()> {
    let f = v.float();
    f.is_finite().then(|| {
        tidy::float(out, f, if v.kind() == Kind::Float32 { 32 } else { 64 });
    })
}

fn string(out: &mut Vec<u8>, s: &[u8], wish: Wish) -> Option<()> {
    let how = Escapes {
        html: wish.has(Wish::HTML),
        js: wish.has(Wish::JS),
    };
    (scan::quote(out, s, how) || wish.has(Wish::BAD_UTF8)).then_some(())
}

/// What an interface without methods has in it.
fn any(out: &mut Vec<u8>, v: &Val<'_>, wish: Wish, depth: usize, seen: &mut Seen) -> Option<()> {
    let Some(e) = v.elem() else {
        null(out);
        return Some(());
    };
    if e.t.is_named() && !e.t.pkg_path.is_empty() {
        let plan = Plan::of(e.t)?;
        return value(out, plan, plan.root(), &e, wish, depth, seen);
    }
    match e.kind() {
        Kind::Bool => literal(out, e.bool()),
        Kind::Int | Kind::Int8 | Kind::Int16 | Kind::Int32 | Kind::Int64 => {
            text::append_int(out, e.int(), 10);
        }
        Kind::Uint | Kind::Uint8 | Kind::Uint16 | Kind::Uint32 | Kind::Uint64 => {
            text::append_uint(out, e.uint(), 10);
        }
        Kind::Float32 | Kind::Float64 => float(out, &e)?,
        Kind::String => string(out, e.str().as_bytes(), wish)?,
        _ => {
            let plan = Plan::of(e.t)?;
            value(out, plan, plan.root(), &e, wish, depth, seen)?;
        }
    }
    Some(())
}

/// Whether a field is not written for its value.
fn omits(f: &Field, v: &Val<'_>, wish: Wish) -> bool {
    let empty = || match v.kind() {
        Kind::Bool => !v.bool(),
        Kind::Float32 | Kind::Float64 => v.float() == 0.0,
        Kind::String | Kind::Array | Kind::Slice | Kind::Map => v.is_empty(),
        Kind::Pointer | Kind::Interface => v.is_nil(),
        Kind::Struct => false,
        _ => v.int() == 0 && v.uint() == 0,
    };
    f.omitempty && wish.has(Wish::EMPTY_VALUES) && empty() || f.omitzero && is_zero(v)
}

fn is_zero(v: &Val<'_>) -> bool {
    match v.kind() {
        Kind::Bool => !v.bool(),
        Kind::Float32 | Kind::Float64 => v.float().to_bits() == 0,
        Kind::String => v.is_empty(),
        Kind::Array => (0..v.len()).all(|i| is_zero(&v.index(i))),
        Kind::Struct => (0..v.t.fields.len()).all(|i| is_zero(&v.field(i))),
        Kind::Slice | Kind::Map | Kind::Pointer | Kind::Interface => v.is_nil(),
        _ => v.int() == 0 && v.uint() == 0,
    }
}

fn base64(out: &mut Vec<u8>, b: &[u8]) {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    out.reserve(b.len() / 3 * 4 + 6);
    out.push(b'"');
    for three in b.chunks(3) {
        let byte = |i: usize| u32::from(three.get(i).copied().unwrap_or(0));
        let n = byte(0) << 16 | byte(1) << 8 | byte(2);
        for i in 0..4 {
            let digit = DIGITS[(n >> (18 - 6 * i)) as usize & 63];
            out.push(if i <= three.len() { digit } else { b'=' });
        }
    }
    out.push(b'"');
}
