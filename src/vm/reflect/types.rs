#![allow(unsafe_code)]
//! Types: their methods, what makes two the same, and new ones.

use super::ptr;
use crate::native::{Elem, GoStr, Ptr, Slice};
use bytecode::rtype::{self, Field, Kind, Method, Rtype, Ty};
use gosched_runtime::heap::LayoutId;

/// The exported methods of a concrete type.
pub(super) fn exported(t: &Rtype) -> impl Iterator<Item = &'static Method> {
    t.methods().iter().filter(|m| m.pkg.is_empty())
}

pub fn method_count(t: Ty) -> i64 {
    exported(&t).count() as i64
}

/// Where the description of the i-th exported method lies, nil if there is none.
pub fn method_at(t: Ty, i: i64) -> Ptr {
    let found = usize::try_from(i).ok().and_then(|i| exported(&t).nth(i));
    found.map_or(Ptr::NIL, |m| ptr(std::ptr::from_ref(m)))
}

/// The number of the exported method of that name, -1 if there is none.
pub fn method_named(t: Ty, name: GoStr) -> i64 {
    let found = exported(&t).position(|m| m.name.as_bytes() == name.as_bytes());
    found.map_or(-1, |i| i as i64)
}

fn is_identical(t: Ty, u: Ty, with_tags: bool) -> bool {
    if with_tags || t == u {
        return t == u;
    }
    (t.name, t.kind, t.pkg_path) == (u.name, u.kind, u.pkg_path) && same_underlying(t, u, false)
}

/// Are the types the same but for their names?
///
/// Go: reflect/type.go, haveIdenticalUnderlyingType.
pub fn same_underlying(t: Ty, u: Ty, with_tags: bool) -> bool {
    if t == u {
        return true;
    }
    if t.kind != u.kind {
        return false;
    }
    let same = |t: Ty, u: Ty| is_identical(t, u, with_tags);
    let all = |t: &[Ty], u: &[Ty]| t.len() == u.len() && t.iter().zip(u).all(|(t, u)| same(*t, *u));
    match t.kind {
        Kind::Invalid => false,
        Kind::Array => t.len == u.len && same(t.elem, u.elem),
        Kind::Chan => t.chan_dir() == u.chan_dir() && same(t.elem, u.elem),
        Kind::Func => {
            t.is_variadic() == u.is_variadic() && all(t.ins, u.ins) && all(t.outs, u.outs)
        }
        // With methods they have tables of their own.
        Kind::Interface => t.imethods.is_empty() && u.imethods.is_empty(),
        Kind::Map => same(t.key, u.key) && same(t.elem, u.elem),
        Kind::Pointer | Kind::Slice => same(t.elem, u.elem),
        Kind::Struct => {
            let field = |(f, g): (&Field, &Field)| {
                (f.name, f.pkg, f.offset, f.embedded) == (g.name, g.pkg, g.offset, g.embedded)
                    && same(f.typ, g.typ)
                    && (!with_tags || f.tag == g.tag)
            };
            t.fields.len() == u.fields.len() && t.fields.iter().zip(u.fields).all(field)
        }
        _ => true,
    }
}

pub fn func_of(ins: Slice<Ty>, outs: Slice<Ty>, is_variadic: bool) -> Ty {
    rtype::func_of(
        ins.as_slice().to_vec(),
        outs.as_slice().to_vec(),
        is_variadic,
    )
}

/// A field of a struct type to be made, as the package declares it.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct NewField {
    name: GoStr,
    pkg: GoStr,
    typ: Ty,
    offset: usize,
    embedded: bool,
    exported: bool,
    tag: GoStr,
}

super::super::value::heap_layouts! {
    fn field_layout = NewField {
        name: Pointer, pkg: Pointer, typ: Scalar, offset: Scalar,
        embedded: Scalar, exported: Scalar, tag: Pointer,
    }
}

// SAFETY: the layout is made of its fields.
unsafe impl Elem for NewField {
    fn layout() -> LayoutId {
        field_layout()
    }
}

/// The struct type with these fields.
pub fn struct_of(fields: Slice<NewField>) -> Ty {
    let text = |s: &GoStr| rtype::intern(&s.to_text());
    let field = |f: &NewField| Field {
        name: text(&f.name),
        pkg: text(&f.pkg),
        typ: f.typ,
        offset: 0,
        embedded: f.embedded,
        exported: f.exported,
        tag: text(&f.tag),
    };
    rtype::struct_of(fields.as_slice().iter().map(field).collect())
}
