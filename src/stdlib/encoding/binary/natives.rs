//! Package `encoding/binary`: values seen as the numbers that they consist of.
//!
//! A type is of fixed size if it is made of bools and of numbers whose size does not depend on the
//! machine, by arrays and structs. Its [`Part`]s say where the numbers lie and in which order they
//! are written. This machine keeps them lowest byte first, so in that order packing is copying; the
//! Go text turns numbers round for other orders.
//!
//! Go: encoding/binary.

use std::borrow::Cow;

use bytecode::rtype::{Kind, Rtype};
use vm::fenced;
use vm::native::{Cx, Res, Slice};
use vm::value::{Iface, Val, deref};

natives! {
    "shape" => fenced untouched |cx, v: Iface| {
        let Some(subject) = Subject::of(&v) else {
            return (if is_nil_number(&v) { -2 } else { -1 }, 0);
        };
        let t = subject.elem;
        match fenced!(cx, t.size, || parts(t)) {
            Some(parts) => (
                parts.iter().map(Part::packed).sum::<usize>() as i64,
                subject.count as i64,
            ),
            None => (-1, 0),
        }
    }
    "pattern" => fenced untouched |cx, v: Iface| {
        let t = Subject::of(&v).map(|s| s.elem);
        let sizes = fenced!(cx, t.map_or(0, |t| t.size), || sizes(t));
        cx.bytes(&sizes)
    }
    "isPlace" => short untouched |cx, v: Iface| {
        v.val().is_some_and(|v| matches!(v.kind(), Kind::Pointer | Kind::Slice))
    }
    "pack" => fenced follows |cx, b: Slice<u8>, v: Iface| { pack(cx, b, &v) }
    "unpack" => fenced follows |cx, v: Iface, b: Slice<u8>| { unpack(cx, &v, b) }
}

/// Numbers of one size that lie side by side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Part {
    /// From the start of the value, in bytes.
    offset: usize,
    /// Of one number, in bytes.
    size: usize,
    count: usize,
    what: What,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    Number,
    Bool,
    /// Blank fields: zeros are written for them, and nothing is read.
    Blank,
    /// Of unexported fields: what is asked of `reflect` there fails, by this name.
    Closed(&'static str),
}

impl Part {
    /// Its bytes.
    fn packed(&self) -> usize {
        self.size * self.count
    }
}

/// What is packed: `count` elements of a type that is no array, side by side.
struct Subject<'a> {
    bytes: Val<'a>,
    elem: &'static Rtype,
    count: usize,
}

impl Subject<'_> {
    /// Of a value or of what it points to; `None` of nil and nil pointers.
    fn of(v: &Iface) -> Option<Subject<'_>> {
        let mut bytes = v.val()?;
        if bytes.kind() == Kind::Pointer {
            bytes = bytes.elem()?;
        }
        let (mut elem, mut count) = match bytes.kind() {
            Kind::Slice => (deref(bytes.t.elem), bytes.len()),
            _ => (bytes.t, 1),
        };
        while elem.kind == Kind::Array {
            count *= elem.len;
            elem = deref(elem.elem);
        }
        Some(Subject { bytes, elem, count })
    }
}

/// A nil pointer to a predeclared type of number, which Go follows before it has a look.
fn is_nil_number(v: &Iface) -> bool {
    v.val().is_some_and(|p| {
        let is_plain = |t: &Rtype| t.pkg_path.is_empty() && number(t).is_some();
        p.kind() == Kind::Pointer
            && p.t.pkg_path.is_empty()
            && is_plain(deref(p.t.elem))
            && !matches!(deref(p.t.elem).kind, Kind::Complex64 | Kind::Complex128)
    })
}

/// Size and count of the numbers of a basic type; the setter that `reflect` has for it.
fn number(t: &Rtype) -> Option<(usize, usize, &'static str)> {
    Some(match t.kind {
        Kind::Bool => (1, 1, "SetBool"),
        Kind::Int8 | Kind::Int16 | Kind::Int32 | Kind::Int64 => (t.size, 1, "SetInt"),
        Kind::Uint8 | Kind::Uint16 | Kind::Uint32 | Kind::Uint64 => (t.size, 1, "SetUint"),
        Kind::Float32 | Kind::Float64 => (t.size, 1, "SetFloat"),
        Kind::Complex64 | Kind::Complex128 => (t.size / 2, 2, "SetComplex"),
        _ => return None,
    })
}

/// Whether a part of a value was reached through unexported fields.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Access {
    Open,
    /// It is an embedded field itself: its exported fields are open again.
    Embedded,
    Closed,
    Blank,
}

/// The numbers that a value of type `t` consists of, in order;
/// `None` if there is something else in it.
fn parts(t: &'static Rtype) -> Option<Vec<Part>> {
    let mut found: Vec<Part> = Vec::new();
    // Types nest as deeply as one likes, so what is left to do is kept here: the next on top.
    let mut left = vec![(t, 0, 1, Access::Open)];
    while let Some((t, offset, count, access)) = left.pop() {
        match t.kind {
            Kind::Array if number(deref(t.elem)).is_some() => {
                left.push((deref(t.elem), offset, count * t.len, access));
            }
            Kind::Array => {
                let elem = deref(t.elem);
                // Of elements without size, or of none, only the type matters.
                let n = if t.size == 0 { 1 } else { t.len };
                let empty = t.len == 0 || count == 0;
                left.extend(
                    (0..n)
                        .rev()
                        .map(|i| (elem, offset + i * elem.size, usize::from(!empty), access)),
                );
            }
            Kind::Struct => left.extend(t.fields.iter().rev().map(|f| {
                let below = match access {
                    Access::Closed | Access::Blank => access,
                    _ if f.name == "_" => Access::Blank,
                    _ if f.exported => Access::Open,
                    _ if f.embedded => Access::Embedded,
                    _ => Access::Closed,
                };
                // Inside of what is closed a blank field is still skipped.
                let below = if f.name == "_" { Access::Blank } else { below };
                (deref(f.typ), offset + f.offset, count, below)
            })),
            _ => {
                let (size, n, setter) = number(t)?;
                let what = match access {
                    Access::Blank => What::Blank,
                    Access::Closed | Access::Embedded => What::Closed(setter),
                    Access::Open if t.kind == Kind::Bool => What::Bool,
                    Access::Open => What::Number,
                };
                if count > 0 {
                    found.push(Part {
                        offset,
                        size,
                        count: n * count,
                        what,
                    });
                }
            }
        }
    }
    Some(found)
}

/// The size of each number of a value of that type.
/// A blank field is of single bytes, so that the Go text does not turn it round.
fn sizes(t: Option<&'static Rtype>) -> Vec<u8> {
    let mut out = Vec::new();
    for p in t.and_then(parts).unwrap_or_default() {
        match p.what {
            What::Blank => out.resize(out.len() + p.packed(), 1),
            _ => out.resize(out.len() + p.count, p.size as u8),
        }
    }
    out
}

/// Whether two ranges of memory have bytes in common.
fn overlap(a: &[u8], b: &[u8]) -> bool {
    let (a, b) = (a.as_ptr_range(), b.as_ptr_range());
    a.start < b.end && b.start < a.end
}

/// Writes the numbers of `v` to `b`, lowest bytes first. There is room.
fn pack(cx: &mut Cx, mut b: Slice<u8>, v: &Iface) {
    let Some(subject) = Subject::of(v) else {
        return;
    };
    let from = subject.bytes.plain_bytes();
    cx.touches(from.as_ptr(), from.len(), false);
    cx.writes(b);
    fenced!(cx, from.len(), || {
        let from = if overlap(from, b.as_slice()) {
            Cow::Owned(from.to_vec())
        } else {
            Cow::Borrowed(from)
        };
        let parts = parts(subject.elem).unwrap_or_default();
        let mut to = b.as_mut_slice();
        for elem in from
            .chunks_exact(subject.elem.size.max(1))
            .take(subject.count)
        {
            for p in &parts {
                let (here, rest) = std::mem::take(&mut to).split_at_mut(p.packed());
                match p.what {
                    What::Blank => here.fill(0),
                    _ => here.copy_from_slice(&elem[p.offset..p.offset + p.packed()]),
                }
                to = rest;
            }
        }
    });
}

/// Sets the numbers of what `v` points to, or of the slice `v`,
/// from `b`, which has them lowest bytes first.
///
/// Panics as `reflect` does at a field that is not exported.
fn unpack(cx: &mut Cx, v: &Iface, b: Slice<u8>) -> Res<()> {
    let (Some(mut value), Some(subject)) = (v.val(), Subject::of(v)) else {
        return Ok(());
    };
    let to = value.variable_bytes();
    cx.touches(to.as_ptr(), to.len(), true);
    cx.reads(b);
    let (elem, count) = (subject.elem, subject.count);
    let closed = fenced!(cx, to.len(), || {
        let from = if overlap(to, b.as_slice()) {
            Cow::Owned(b.as_slice().to_vec())
        } else {
            Cow::Borrowed(b.as_slice())
        };
        let parts = parts(elem).unwrap_or_default();
        let mut from = &*from;
        for elem in to.chunks_exact_mut(elem.size.max(1)).take(count) {
            for p in &parts {
                let (bytes, rest) = from.split_at(p.packed());
                let place = &mut elem[p.offset..p.offset + p.packed()];
                match p.what {
                    What::Number => place.copy_from_slice(bytes),
                    What::Bool => place
                        .iter_mut()
                        .zip(bytes)
                        .for_each(|(p, b)| *p = u8::from(*b != 0)),
                    What::Blank => {}
                    What::Closed(setter) => return Some(setter),
                }
                from = rest;
            }
        }
        None
    });
    match closed {
        None => Ok(()),
        Some(setter) => cx.panic(format!(
            "reflect: reflect.Value.{setter} using value obtained using unexported field"
        )),
    }
}
