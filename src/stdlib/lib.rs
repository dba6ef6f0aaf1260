//! The standard library: a folder for each package, by its import path.
//!
//! What lies in the folder is the package: Go files, and `natives.rs` if some of its functions have
//! Rust bodies, which [`natives!`] lists. `build.rs` makes the registry and the modules from the
//! tree: there is no other list. The checker sees nothing but Go text; a function without a body
//! there is a *native*, found by its name in the table that [`natives`] gives out. What is easier
//! in Go, or commonly waits in a callback, is Go. Other Rust files in a package's folder are
//! modules of its `natives.rs`.
//!
//! # Invariants
//!
//! - The text of a package plus its natives' declarations is what the checker checks; every
//!   body-less function has a native, and every native's Rust types take the slots that its
//!   declaration says (tested below).
//! - A `natives.rs` is safe: it works through [`Cx`](vm::native::Cx), and through the files
//!   beside it that say that they are not (`syscall/kernel.rs`, `sync/waits.rs`, …).
//!
//! Go: the packages of the same names.

use std::borrow::Cow;
use std::path::Path;

use rustc_hash::FxHashMap;

use syntax::lexer::outline::Outline;
use vm::native::{InTraceback, Kind, NativeEntry, NativeFn, Traits};

/// Declares the natives of a package, in its `natives.rs`.
///
/// ```text
/// natives! {
///     "func Repeat(s string, count int) string" => |cx, s: GoStr, count: i64| { … }
/// }
/// ```
///
/// A declaration that mentions imported types stands in a Go file, without body; here its head is
/// repeated, letter for letter. All other natives are declared here only. Makes the constants
/// `NATIVES` and `DECLARATIONS`, as [`Package`] has them.
///
/// Words before the body are attributes: see [`attribute`]; those after `all` are of all natives.
/// One says how the native keeps others from waiting for it: `fenced`, `polling`, `blocking`, or
/// `short`, which is also meant where there is none. Natives with strings, slices, interfaces or
/// func values for parameters must say it.
macro_rules! natives {
    ($(all $($all:ident)+;)? $(
        $(#[$doc:meta])*
        $decl:literal =>
        $($word:ident $(($n:expr))?)* |$cx:ident $(, $arg:ident : $ty:ty)* $(,)?| $body:expr
    )*) => {
        #[allow(unused_mut, dead_code, reason = "most packages say nothing of all natives")]
        const ALL: $crate::Attributes = {
            let mut says = $crate::Attributes::NONE;
            $( $( attribute!(says, $all); )+ )?
            says
        };

        /// The declarations of the natives, a line each.
        pub(crate) const DECLARATIONS: &str = concat!($($decl, "\n"),*);

        /// The natives.
        pub(crate) const NATIVES: &[$crate::Native] = &[$({
            #[allow(unused_mut, reason = "not every native has attributes")]
            let mut says = ALL;
            $( attribute!(says, $word $($n)?); )*
            $crate::Native {
                decl: $decl,
                attributes: says,
                make: || {
                    #[allow(unused_variables, reason = "not every body needs the context")]
                    let body = |$cx: &mut ::vm::native::Cx $(, $arg: $ty)*| $body;
                    ::vm::native::native(body)
                },
            }
        }),*];
    };
}

/// Sets in [`Attributes`] what a word of [`natives!`] says.
macro_rules! attribute {
    ($says:ident, short) => {
        $says.kind = Some(::vm::native::Kind::Short)
    };
    ($says:ident, fenced) => {
        $says.kind = Some(::vm::native::Kind::Fenced)
    };
    ($says:ident, polling) => {
        $says.kind = Some(::vm::native::Kind::Polling)
    };
    ($says:ident, blocking) => {
        $says.kind = Some(::vm::native::Kind::Blocking)
    };
    // No traceback shows it.
    ($says:ident, hidden) => {
        $says.traits.in_traceback = ::vm::native::InTraceback::Hidden
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

pub mod catalog;

// Of each package with a `natives.rs` the module, in modules for the folders of its path.
include!(concat!(env!("OUT_DIR"), "/modules.rs"));

/// The registry: every package there is, in order of their paths.
mod registry {
    use super::{File, Package};
    use syntax::lexer::outline::ItemKind::{Const, Func, GroupedVar, Method, Type, Var};
    use syntax::lexer::outline::{Import, Item, Outline, Piece};

    include!(concat!(env!("OUT_DIR"), "/registry.rs"));
}
use registry::PACKAGES;

/// A package of the standard library.
#[derive(Debug)]
pub struct Package {
    /// Import path.
    pub path: &'static str,
    /// Its Go files.
    pub files: &'static [File],
    /// Functions with Rust bodies.
    pub natives: &'static [Native],
    /// Their declarations, a line each. The files have some of them too, word for word.
    pub declarations: &'static str,
}

/// A Go file of a package, as it was when this was built.
#[derive(Debug)]
pub struct File {
    /// Its name in the package's folder.
    pub name: &'static str,
    pub text: &'static str,
    /// Where the text's declarations stand.
    pub outline: Outline,
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
    /// The Go files that the checker reads. Debug builds take the texts from the folder
    /// `GOSCHED_STDLIB`, if set, so that work on them needs no new build.
    pub fn sources(&self) -> impl Iterator<Item = Source> {
        let folder = if cfg!(debug_assertions) {
            std::env::var_os("GOSCHED_STDLIB")
        } else {
            None
        };
        self.files.iter().map(move |file| {
            let name = format!("{}/{}", self.path, file.name);
            let newer = folder
                .as_ref()
                .and_then(|f| std::fs::read_to_string(Path::new(f).join(&name)).ok());
            let (text, outline) = match newer {
                Some(text) => {
                    let outline = Outline::of(&text);
                    (Cow::Owned(text), outline)
                }
                None => (Cow::Borrowed(file.text), file.outline.clone()),
            };
            Source {
                name,
                text,
                outline,
            }
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

/// The package with that import path.
pub fn package(path: &str) -> Option<&'static Package> {
    let i = PACKAGES.binary_search_by_key(&path, |p| p.path).ok()?;
    Some(&PACKAGES[i])
}

/// The import paths there are.
pub fn paths() -> Vec<&'static str> {
    PACKAGES.iter().map(|p| p.path).collect()
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
    /// A native of this package, which has that name in the whole program.
    fn entry(&self, native: &Native, name: String) -> NativeEntry {
        let (func, slots) = (native.make)();
        let mut traits = native.attributes.traits;
        // Of the runtime's functions those are shown that it exports.
        // Go: runtime/traceback.go, isExportedRuntime.
        let in_package = name.strip_prefix("runtime.");
        if in_package.is_some_and(|name| !name.starts_with(char::is_uppercase)) {
            traits.in_traceback = InTraceback::WithRuntime;
        }
        NativeEntry {
            name,
            kind: native.attributes.kind.unwrap_or(Kind::Short),
            traits,
            func,
            slots,
        }
    }
}

/// Every native there is, package by package.
pub fn natives() -> Vec<NativeEntry> {
    let entries = |p: &'static Package| {
        p.natives.iter().map(|n| {
            let name = name_of(n.decl).unwrap_or_default();
            p.entry(n, format!("{}.{name}", p.path))
        })
    };
    PACKAGES.iter().flat_map(entries).collect()
}

/// Finds natives, and remembers those that have been found.
#[derive(Debug, Default)]
pub struct Finder {
    found: FxHashMap<String, (&'static Package, &'static Native)>,
}

impl Finder {
    /// Is there a native `name` (`Repeat`, `(*Mutex).Lock`, `Time.Unix`) in package `path`?
    pub fn has(&mut self, path: &str, name: &str) -> bool {
        let find = || {
            let package = package(path)?;
            let native = package.natives.iter().find(|n| is_named(n.decl, name))?;
            Some((package, native))
        };
        let Some(found) = find() else { return false };
        self.found.insert(format!("{path}.{name}"), found);
        true
    }

    /// The native `name` (`strings.Repeat`, `sync.(*Mutex).Lock`).
    pub fn entry(&mut self, name: &str) -> Option<NativeEntry> {
        if !self.found.contains_key(name) {
            // The dot behind the import path, whose last part has none.
            let folder = name.split('(').next()?.rfind('/').map_or(0, |i| i + 1);
            let dot = folder + name[folder..].find('.')?;
            self.has(&name[..dot], &name[dot + 1..]);
        }
        let (package, native) = self.found.get(name)?;
        Some(package.entry(native, name.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Slots of a parameter or result list in package `p` by the types' text. `None` if a type is
    /// not understood.
    fn width(p: &Package, list: &str) -> Option<usize> {
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
        for part in parts {
            let part = part.trim();
            if part.is_empty() {
                continue;
            }
            pending += 1;
            let t = match part.split_once(' ') {
                Some((_, t)) => t,
                None if list.contains(' ')
                    && part.chars().all(|c| c.is_alphanumeric() || c == '_')
                    && type_width(p, part).is_none() =>
                {
                    continue;
                }
                None => part,
            };
            n += pending * type_width(p, t)?;
            pending = 0;
        }
        Some(n)
    }

    fn type_width(p: &Package, t: &str) -> Option<usize> {
        Some(match t.trim() {
            "string" | "any" | "error" | "complex128" => 2,
            "bool" | "int" | "int8" | "int16" | "int32" | "int64" | "uint" | "uint8" | "uint16"
            | "uint32" | "uint64" | "uintptr" | "byte" | "rune" | "float32" | "float64"
            | "unsafe.Pointer" | "complex64" => 1,
            t if t.starts_with("interface{") || t.starts_with("interface {") => 2,
            t if t.starts_with("[]") || t.starts_with("...") => 3,
            t if t.starts_with('*')
                || t.starts_with("func(")
                || t.starts_with("map[")
                || t.starts_with("<-chan")
                || t.starts_with("chan ") =>
            {
                1
            }
            t => match t.split_once('.') {
                Some((path, name)) => declared_width(package(path)?, name)?,
                None => declared_width(p, t)?,
            },
        })
    }

    /// Slots of the type that package `p` declares by this name. Of structs each field counts,
    /// but that small ones which follow one another share a slot.
    fn declared_width(p: &Package, name: &str) -> Option<usize> {
        let mut lines = p.files.iter().flat_map(|f| f.text.lines());
        let head = format!("type {name} ");
        let underlying = lines.find_map(|l| l.strip_prefix(&head))?;
        if underlying != "struct {" {
            return type_width(p, underlying.trim_start_matches("= "));
        }
        let (mut slots, mut is_shared) = (0, false);
        for field in lines.take_while(|l| *l != "}") {
            let code = field.split("//").next().unwrap();
            let t = code.split_whitespace().next_back()?;
            let is_small = ["bool", "int8", "uint8", "byte"].contains(&t);
            if !(is_small && is_shared) {
                slots += type_width(p, t)?;
            }
            is_shared = is_small;
        }
        Some(slots)
    }

    /// As [`package`] looks for them.
    #[test]
    fn packages_are_in_order_of_their_paths() {
        assert!(PACKAGES.is_sorted_by_key(|p| p.path));
    }

    #[test]
    fn natives_are_found_by_their_names() {
        for p in PACKAGES {
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
        for p in PACKAGES {
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
                match (width(p, results), width(p, &params)) {
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
        for p in PACKAGES {
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
        for p in PACKAGES {
            for file in p.files {
                for l in file
                    .text
                    .lines()
                    .filter(|l| l.starts_with("func ") && !l.contains('{'))
                {
                    let is_native = p.natives.iter().any(|n| n.decl == l.trim_end());
                    // One that another package has the body of, which is named.
                    let pushed = l["func ".len()..].split_once('_');
                    let is_pushed = pushed.is_some_and(|(pkg, _)| package(pkg).is_some());
                    assert!(is_native || is_pushed, "{}: no native for {l}", file.name);
                }
            }
        }
    }
}
