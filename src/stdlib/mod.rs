//! The standard library: a registry of packages,
//! each Go declarations with Rust bodies, or Go source of our own.
//!
//! A package is made by [`package!`]: Go files beside the Rust file, and functions declared in Go
//! whose bodies are Rust. The checker sees nothing but Go text; a function without a body there is
//! a *native*, found by its name in the table that [`natives`] gives out. What is easier in Go, or
//! commonly waits in a callback, is Go.
//!
//! # Invariants
//!
//! - The text of a package plus its natives' declarations is what the checker checks; every
//!   body-less function has a native, and every native's Rust types take the slots that its
//!   declaration says (tested below).
//! - Nothing here is unsafe: natives work through [`Cx`](crate::vm::native::Cx).
//!
//! Go: the packages of the same names.

use std::borrow::Cow;
use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use crate::lexer::outline::Outline;
use crate::vm::native::{InTraceback, Kind, NativeEntry, NativeFn, Traits};

/// Declares a package: its path, its Go files, its natives.
///
/// ```text
/// package! { "strings", ["strings.go"];
///     "func Repeat(s string, count int) string" => |cx, s: GoStr, count: i64| { … }
/// }
/// ```
///
/// A declaration that mentions imported types stands in a Go file, without body; here its head is
/// repeated, letter for letter. All other natives are declared here only. Makes a function
/// `package() -> &'static Package`.
///
/// Words before the body are attributes: see [`attribute`]; those after `all` are of all natives.
/// One says how the native keeps others from waiting for it: `fenced`, `polling`, `blocking`, or
/// `short`, which is also meant where there is none. Natives with strings, slices, interfaces or
/// func values for parameters must say it.
macro_rules! package {
    ($path:literal, [$($file:literal),* $(,)?] $(, all $($all:ident)+)?; $(
        $(#[$doc:meta])*
        $decl:literal =>
        $($word:ident $(($n:expr))?)* |$cx:ident $(, $arg:ident : $ty:ty)* $(,)?| $body:expr
    )*) => {
        /// This package.
        pub fn package() -> &'static $crate::stdlib::Package {
            #[allow(unused_mut, dead_code, reason = "most packages say nothing of all natives")]
            const ALL: $crate::stdlib::Attributes = {
                let mut says = $crate::stdlib::Attributes::NONE;
                $( $( attribute!(says, $all); )+ )?
                says
            };
            static PACKAGE: $crate::stdlib::Package = $crate::stdlib::Package {
                path: $path,
                files: &[$(($file, include_str!($file))),*],
                declarations: concat!($($decl, "\n"),*),
                natives: &[$({
                    #[allow(unused_mut, reason = "not every native has attributes")]
                    let mut says = ALL;
                    $( attribute!(says, $word $($n)?); )*
                    $crate::stdlib::Native {
                        decl: $decl,
                        attributes: says,
                        make: || {
                            #[allow(unused_variables, reason = "not every body needs the context")]
                            let body = |$cx: &mut $crate::vm::native::Cx $(, $arg: $ty)*| $body;
                            $crate::vm::native::native(body)
                        },
                    }
                }),*],
            };
            &PACKAGE
        }
    };
}

/// Sets in [`Attributes`] what a word of [`package!`] says.
macro_rules! attribute {
    ($says:ident, short) => {
        $says.kind = Some($crate::vm::native::Kind::Short)
    };
    ($says:ident, fenced) => {
        $says.kind = Some($crate::vm::native::Kind::Fenced)
    };
    ($says:ident, polling) => {
        $says.kind = Some($crate::vm::native::Kind::Polling)
    };
    ($says:ident, blocking) => {
        $says.kind = Some($crate::vm::native::Kind::Blocking)
    };
    // No traceback shows it.
    ($says:ident, hidden) => {
        $says.traits.in_traceback = $crate::vm::native::InTraceback::Hidden
    };
    // Go compiles its calls in place, or does not.
    ($says:ident, in_place) => {
        $says.traits.in_place = true
    };
    ($says:ident, called) => {
        $says.traits.in_place = false
    };
    // It first touches memory so many bytes behind its first argument.
    ($says:ident, touches $n:expr) => {
        $says.traits.touches = $n
    };
    // The traceback that it makes begins with its caller.
    ($says:ident, omits_itself) => {
        $says.traits.omits_itself = true
    };
}

pub mod atomic;
pub mod binary;
pub mod bits;
pub mod bufio;
pub mod catalog;
pub mod context;
pub mod digest;
pub mod digest_core;
pub mod environ;
pub mod errors;
pub mod everyday;
pub mod flag;
pub mod fmt;
pub mod fmt_engine;
pub mod fs;
pub mod math;
pub mod math_core;
pub mod math_rand;
pub mod net;
pub mod os;
pub mod poll;
pub mod rand_tables;
pub mod runtime;
pub mod search;
pub mod sort;
pub mod strconv;
pub mod strconv_core;
pub mod strings;
pub mod sync;
pub mod syscall;
pub mod time;
pub mod unicode;
pub mod utf8;

/// Outlines of the Go files, made when this was built.
mod outlines {
    use crate::lexer::outline::ItemKind::{Const, Func, GroupedVar, Method, Type, Var};
    use crate::lexer::outline::{Import, Item, Outline, Piece};

    include!(concat!(env!("OUT_DIR"), "/outlines.rs"));

    /// That of the file with this name.
    pub(super) fn of(name: &str) -> Option<Outline> {
        let i = OUTLINES.binary_search_by_key(&name, |(n, ..)| n).ok()?;
        Some(OUTLINES[i].1.clone())
    }
}

/// A package of the standard library.
#[derive(Debug)]
pub struct Package {
    /// Import path.
    pub path: &'static str,
    /// Names and texts of its Go files.
    pub files: &'static [(&'static str, &'static str)],
    /// Functions with Rust bodies.
    pub natives: &'static [Native],
    /// Their declarations, a line each. The files have some of them too, word for word.
    pub declarations: &'static str,
}

/// What is said of a native before its body.
#[derive(Clone, Copy, Debug)]
pub struct Attributes {
    /// How it keeps others from waiting for it, if it says so.
    pub kind: Option<Kind>,
    pub traits: Traits,
}

impl Attributes {
    pub const NONE: Attributes = Attributes {
        kind: None,
        traits: Traits::PLAIN,
    };
}

/// A function with a Rust body.
#[derive(Debug)]
pub struct Native {
    /// Its declaration in Go.
    pub decl: &'static str,
    /// What the words before its body say.
    pub attributes: Attributes,
    /// Its body, and the slots of its results and parameters by the Rust types.
    pub make: fn() -> (NativeFn, (usize, usize)),
}

impl Package {
    /// The Go files. Debug builds take the text from the folder `GOSCHED_STDLIB`, if set, so that
    /// work on it needs no new build.
    fn texts(&self) -> impl Iterator<Item = (&'static str, Cow<'static, str>)> {
        let folder = if cfg!(debug_assertions) {
            std::env::var_os("GOSCHED_STDLIB")
        } else {
            None
        };
        self.files.iter().map(move |&(name, text)| {
            let newer = folder
                .as_ref()
                .and_then(|f| std::fs::read_to_string(std::path::Path::new(f).join(name)).ok());
            (name, newer.map_or(Cow::Borrowed(text), Cow::Owned))
        })
    }

    /// The Go files that the checker reads.
    pub fn sources(&self) -> impl Iterator<Item = Source> {
        self.texts().map(|(name, text)| Source {
            name: format!("{}/{name}", self.path),
            outline: match text {
                Cow::Borrowed(_) => outlines::of(name),
                Cow::Owned(_) => None,
            }
            .unwrap_or_else(|| Outline::of(&text)),
            text,
        })
    }
}

/// A Go file of the library.
#[derive(Debug)]
pub struct Source {
    /// Below the folder of Go's library: `fmt/fmt.go`.
    pub name: String,
    pub text: Cow<'static, str>,
    /// Where the text's declarations stand.
    pub outline: Outline,
}

/// Every package, in no order.
fn all() -> &'static [&'static Package] {
    static ALL: OnceLock<Vec<&'static Package>> = OnceLock::new();
    ALL.get_or_init(|| {
        let mut all = everyday::packages();
        all.extend([
            atomic::package(),
            binary::package(),
            bits::package(),
            bufio::package(),
            bufio::bytes::package(),
            bufio::io::package(),
            context::package(),
            environ::package(),
            errors::package(),
            flag::package(),
            fmt::package(),
            fs::package(),
            digest::crc32::package(),
            digest::md5::package(),
            digest::sha1::package(),
            digest::sha256::package(),
            math::package(),
            math_rand::package(),
            math_rand::v2::package(),
            net::package(),
            net::exec::package(),
            net::signal::package(),
            os::package(),
            poll::package(),
            runtime::package(),
            runtime::debug::package(),
            sort::package(),
            strconv::package(),
            strings::package(),
            utf8::package(),
            sync::package(),
            syscall::package(),
            time::package(),
            unicode::package(),
        ]);
        all
    })
}

/// The package with that import path.
pub fn package(path: &str) -> Option<&'static Package> {
    all().iter().copied().find(|p| p.path == path)
}

/// The import paths there are.
pub fn paths() -> Vec<&'static str> {
    all().iter().map(|p| p.path).collect()
}

/// A declaration's name as tables of natives have it: `Repeat`, `(*Mutex).Lock`, `Time.Unix`.
fn name_of(decl: &str) -> Option<String> {
    let rest = decl.strip_prefix("func ")?;
    if let Some(rest) = rest.strip_prefix('(') {
        let (recv, rest) = rest.split_once(')')?;
        let typ = recv.rsplit(' ').next()?;
        let name = rest.trim_start().split('(').next()?;
        return Some(if typ.starts_with('*') {
            format!("({typ}).{name}")
        } else {
            format!("{typ}.{name}")
        });
    }
    Some(rest.split(['(', '[']).next()?.to_string())
}

/// Has the declaration this name, as [`name_of`] gives it?
fn is_named(decl: &str, name: &str) -> bool {
    let Some(rest) = decl.strip_prefix("func ") else {
        return false;
    };
    if rest.starts_with('(') {
        name.contains('.') && name_of(decl).as_deref() == Some(name)
    } else {
        rest.strip_prefix(name)
            .is_some_and(|after| after.starts_with(['(', '[']))
    }
}

impl Package {
    fn entry(&self, native: &Native) -> NativeEntry {
        let (func, slots) = (native.make)();
        let name = name_of(native.decl).unwrap_or_default();
        let mut traits = native.attributes.traits;
        // Of the runtime's functions those are shown that it exports.
        // Go: runtime/traceback.go, isExportedRuntime.
        if self.path == "runtime" && !name.starts_with(char::is_uppercase) {
            traits.in_traceback = InTraceback::WithRuntime;
        }
        NativeEntry {
            name: format!("{}.{name}", self.path),
            kind: native.attributes.kind.unwrap_or(Kind::Short),
            traits,
            func,
            slots,
        }
    }
}

/// Every native there is, package by package.
pub fn natives() -> Vec<NativeEntry> {
    let entries = |p: &'static Package| p.natives.iter().map(|n| p.entry(n));
    all().iter().copied().flat_map(entries).collect()
}

/// The natives that a program reaches: their places in the table are what `CallNative` carries.
#[derive(Debug, Default)]
pub struct Linked {
    pub table: Vec<NativeEntry>,
    /// By package, and number among its natives.
    places: FxHashMap<(&'static str, usize), u32>,
}

impl Linked {
    /// The place of function `name` (`Repeat`, `(*Mutex).Lock`, `Time.Unix`) of package `path`,
    /// which it gets when first asked for.
    pub fn place(&mut self, path: &str, name: &str) -> Option<u32> {
        let package = package(path)?;
        let mut natives = package.natives.iter();
        let i = natives.position(|n| is_named(n.decl, name))?;
        let place = self.places.entry((package.path, i)).or_insert_with(|| {
            self.table.push(package.entry(&package.natives[i]));
            self.table.len() as u32 - 1
        });
        Some(*place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Slots of a parameter or result list by the types' text. `None` if a type is not understood.
    fn width(list: &str) -> Option<usize> {
        let mut n = 0;
        let mut pending = 0;
        let mut depth = 0;
        let mut start = 0;
        let mut parts = Vec::new();
        for (i, c) in list.char_indices() {
            match c {
                '(' | '[' | '{' => depth += 1,
                ')' | ']' | '}' => depth -= 1,
                ',' if depth == 0 => {
                    parts.push(&list[start..i]);
                    start = i + 1;
                }
                _ => {}
            }
        }
        parts.push(&list[start..]);
        for p in parts {
            let p = p.trim();
            if p.is_empty() {
                continue;
            }
            pending += 1;
            let t = match p.split_once(' ') {
                Some((_, t)) => t,
                None if list.contains(' ')
                    && p.chars().all(|c| c.is_alphanumeric() || c == '_')
                    && type_width(p).is_none() =>
                {
                    continue;
                }
                None => p,
            };
            n += pending * type_width(t)?;
            pending = 0;
        }
        Some(n)
    }

    fn type_width(t: &str) -> Option<usize> {
        Some(match t.trim() {
            "errorString" | "plainError" | "string" | "any" | "error" | "complex128"
            | "io.Writer" | "Interface" | "interface{}" => 2,
            "bool" | "int" | "int8" | "int16" | "int32" | "int64" | "uint" | "uint8" | "uint16"
            | "uint32" | "uint64" | "uintptr" | "byte" | "rune" | "hook" | "float32"
            | "float64" | "unsafe.Pointer" | "Duration" | "Errno" | "Kind" | "complex64" => 1,
            "boundsError" => 3,
            t if t.starts_with("[]") || t.starts_with("...") => 3,
            t if t.starts_with('*')
                || t.starts_with("func(")
                || t.starts_with("map[")
                || t.starts_with("<-chan")
                || t.starts_with("chan ") =>
            {
                1
            }
            _ => return None,
        })
    }

    #[test]
    fn natives_are_found_by_their_names() {
        for p in all() {
            for n in p.natives {
                let name = name_of(n.decl).unwrap();
                let named: Vec<_> = p
                    .natives
                    .iter()
                    .filter(|n| is_named(n.decl, &name))
                    .collect();
                assert_eq!(named.len(), 1, "{}: {name}", p.path);
                assert_eq!(named[0].decl, n.decl);
            }
        }
    }

    #[test]
    fn rust_types_agree_with_declarations() {
        let mut unknown = Vec::new();
        for p in all() {
            for n in p.natives {
                let rest = n.decl.strip_prefix("func ").unwrap();
                let (recv, rest) = match rest.strip_prefix('(') {
                    Some(r) => r.split_once(')').unwrap(),
                    None => ("", rest),
                };
                let rest = &rest[rest.find('(').unwrap() + 1..];
                let mut depth = 1;
                let end = rest
                    .char_indices()
                    .find(|(_, c)| {
                        depth += i32::from(*c == '(') - i32::from(*c == ')');
                        depth == 0
                    })
                    .unwrap()
                    .0;
                let results = rest[end + 1..]
                    .trim()
                    .trim_start_matches('(')
                    .trim_end_matches(')');
                let params = format!(
                    "{recv}{}{}",
                    if recv.is_empty() || end == 0 {
                        ""
                    } else {
                        ", "
                    },
                    &rest[..end]
                );
                match (width(results), width(&params)) {
                    (Some(r), Some(a)) => {
                        assert_eq!((n.make)().1, (r, a), "{}: {}", p.path, n.decl)
                    }
                    _ => unknown.push(n.decl),
                }
            }
        }
        assert!(unknown.is_empty(), "types not understood: {unknown:#?}");
    }

    /// The kind is no afterthought where there can be much to work on.
    #[test]
    fn natives_with_much_to_work_on_say_their_kind() {
        for p in all() {
            for n in p.natives.iter().filter(|n| n.attributes.kind.is_none()) {
                let (_, params) = n.decl.split_once('(').unwrap();
                let end = if n.decl.starts_with("func (") {
                    params.find(')').map_or(0, |i| i + 1)
                } else {
                    0
                };
                let params = params[end..].split(')').next().unwrap();
                for word in ["string", "[]", "any", "error", "func("] {
                    assert!(
                        !params.contains(word),
                        "{}: {} names no kind",
                        p.path,
                        n.decl
                    );
                }
            }
        }
    }

    #[test]
    fn functions_without_body_have_natives() {
        for p in all() {
            for (file, text) in p.files {
                for l in text
                    .lines()
                    .filter(|l| l.starts_with("func ") && !l.contains('{'))
                {
                    let is_native = p.natives.iter().any(|n| n.decl == l.trim_end());
                    // One that another package has the body of, which is named.
                    let pushed = l["func ".len()..].split_once('_');
                    let is_pushed = pushed.is_some_and(|(pkg, _)| package(pkg).is_some());
                    assert!(is_native || is_pushed, "{file}: no native for {l}");
                }
            }
        }
    }
}
