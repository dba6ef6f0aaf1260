//! Variables below `//go:embed`: what gives them their values.
//!
//! `var v T` becomes `var v = embedded.Value[T](name, data, …)`, with the names of the files and
//! what they hold as strings; whether T is a type for that the checker sees. Files are read
//! elsewhere.

use super::input::{import_of, name_of};
use crate::ast::{Decl, Expr, ExprKind, File, LitKind};
use source::{Pos, Symbol};
use std::fmt::Write;

/// The package whose function gives values, and what files call it.
const PACKAGE: &str = "internal/embedded";
const LOCAL: &str = "·embedded";

/// Does the file import package embed?
pub fn imports_embed(file: &File) -> bool {
    let mut decls = file.decls.iter();
    decls.any(|d| matches!(d, Decl::Import(spec) if spec.path == "embed"))
}

/// A file that is part of the program: its name and what it holds. Names of folders end in a slash.
pub type Content = (String, Vec<u8>);

/// Gives a variable of the file its value.
pub fn give_value(file: &mut File, variable: Symbol, contents: &[Content]) {
    let is_it = |names: &[crate::ast::Ident]| matches!(names, [one] if one.name == variable);
    let mut specs = file.decls.iter_mut().filter_map(|decl| match decl {
        Decl::Var(spec) if is_it(&spec.names) && spec.values.is_empty() => Some(spec),
        _ => None,
    });
    let Some(spec) = specs.next() else { return };
    let Some(ty) = spec.ty.take() else { return };
    let pos = spec.pos;
    // What has no place is of no version: the function is generic, which the file need not know.
    let fun = ExprKind::Selector {
        x: Box::new(name_of(Pos::NONE, LOCAL)),
        sel: super::input::name_at(pos, "Value"),
    };
    let fun = ExprKind::Index {
        x: Box::new(Expr::new(pos, fun)),
        indices: vec![*ty],
    };
    let texts = contents
        .iter()
        .flat_map(|(name, data)| [name.as_bytes(), data]);
    let call = ExprKind::Call {
        fun: Box::new(Expr::new(pos, fun)),
        args: texts.map(|text| literal(pos, text)).collect(),
        ellipsis: None,
        rparen: pos,
    };
    spec.values.push(Expr::new(pos, call));
    let known = |d: &Decl| matches!(d, Decl::Import(spec) if spec.path == PACKAGE);
    if !file.decls.iter().any(known) {
        file.decls.insert(0, import_of(Some(LOCAL), PACKAGE));
    }
}

fn literal(pos: Pos, bytes: &[u8]) -> Expr {
    let text = match std::str::from_utf8(bytes) {
        Ok(text) if !text.contains(['`', '\r']) => format!("`{text}`"),
        _ => {
            let mut text = String::with_capacity(4 * bytes.len() + 2);
            text.push('"');
            for &byte in bytes {
                match byte {
                    b' '..=b'~' if byte != b'"' && byte != b'\\' => text.push(byte as char),
                    _ => _ = write!(text, "\\x{byte:02x}"),
                }
            }
            text.push('"');
            text
        }
    };
    let kind = ExprKind::BasicLit {
        kind: LitKind::String,
        text: text.into(),
    };
    Expr::new(pos, kind)
}
