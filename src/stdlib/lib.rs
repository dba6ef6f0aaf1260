//! The standard library: a folder for each package, by its import path.
//!
//! What lies in the folder is the package: Go files, and `natives.rs` if some of its functions have
//! Rust bodies, which [`natives!`] lists. `build.rs` makes the registry and the modules from the
//! tree: there is no other list. It compiles the Go text, too: what the checker has found out
//! ([`EXPORTED`]) and the functions ([`OBJECTS`]) are part of the program. A function that is
//! declared there without a body is a *native*, whose body [`natives!`] has under its name. What is
//! easier in Go, or commonly waits in a callback, is Go. Other Rust files in a package's folder are
//! modules of its `natives.rs`.
//!
//! # Invariants
//!
//! - Every function without a body has a native, or is another package's, which its name says;
//!   every native has one declaration, and its Rust types take the slots that this says (tested
//!   below).
//! - A `natives.rs` is safe: it works through [`Cx`](vm::native::Cx), and through the files
//!   beside it that say that they are not (`syscall/kernel.rs`, `sync/waits.rs`, …).
//!
//! Go: the packages of the same names.

use rustc_hash::FxHashMap;

use vm::native::{InTraceback, Kind, Made, NativeEntry, Says, Traits};

/// The natives of a package, in its `natives.rs`: the bodies of the functions that its Go files
/// declare without one, by their names.
///
/// ```text
/// natives! {
///     "Repeat" => |cx, s: GoStr, count: i64| { … }
///     "(*Mutex).Lock" => |cx, m: Ptr| { … }
/// }
/// ```
///
/// Makes the constant `NATIVES`, as [`Package`] has it.
///
/// Words before the body are attributes: see [`attribute`]; those after `all` are of all natives.
/// One says how the native keeps others from waiting for it: `fenced`, `polling`, `blocking`, or
/// `short`, which is also meant where there is none. Natives with strings, slices, interfaces or
/// func values for parameters must say it.
macro_rules! natives {
    ($(all $($all:ident $(($m:expr))?)+;)? $(
        $name:literal =>
        $($word:ident $(($n:expr))?)* |$cx:ident $(, $arg:ident : $ty:ty)* $(,)?| $body:expr
    )*) => {
        #[allow(unused_mut, dead_code, reason = "most packages say nothing of all natives")]
        const ALL: $crate::Attributes = {
            let mut says = $crate::Attributes::NONE;
            $( $( attribute!(says, $all $($m)?); )+ )?
            says
        };

        /// The natives.
        pub(crate) const NATIVES: &[$crate::Native] = &[$({
            #[allow(unused_mut, reason = "not every native has attributes")]
            let mut says = ALL;
            #[allow(dead_code, reason = "for the words that name parameters")]
            const PARAMETERS: &[&str] = &[$( stringify!($arg) ),*];
            $( attribute!(says, $word $($n)?); )*
            $crate::Native {
                name: $name,
                attributes: says,
                make: || {
                    #[allow(unused_variables, reason = "not every body needs the context")]
                    let body = |$cx: &mut ::vm::native::Cx $(, $arg: $ty)*| $body;
                    made!($name, body; $($word $(($n))?)*)
                },
            }
        }),*];
    };
}

/// Makes a native of its body: one that reaches outside, if a word of [`natives!`] says so.
macro_rules! made {
    ($name:literal, $body:ident; asks $($rest:tt)*) => { outside!($name, $body, Asks) };
    ($name:literal, $body:ident; fills $($rest:tt)*) => { outside!($name, $body, Fills) };
    ($name:literal, $body:ident; writes $($rest:tt)*) => { outside!($name, $body, Writes) };
    ($name:literal, $body:ident; $word:ident $(($n:expr))? $($rest:ident $(($m:expr))?)*) => {
        made!($name, $body; $($rest $(($m))?)*)
    };
    ($name:literal, $body:ident;) => {
        ::vm::native::native($body)
    };
}

/// Makes a native that reaches outside; see [`vm::native::outside::Way`].
macro_rules! outside {
    ($name:literal, $body:ident, $way:ident) => {{
        struct This;
        impl ::vm::native::outside::Named for This {
            const NAME: &'static str = $name;
        }
        const WAY: u8 = ::vm::native::outside::Way::$way as u8;
        ::vm::native::outside::outside::<This, WAY, _, _>($body)
    }};
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
    // Goroutines concern each other by it: what it does to its first argument.
    ($says:ident, point $n:expr) => {
        $says.traits.point = {
            #[allow(unused_imports, reason = "each native is one of them")]
            use ::gosched_runtime::control::operation::Act::*;
            Some($n)
        }
    };
    // It asks outside, and a recorded run notes the answer: see `made`.
    ($says:ident, asks) => {};
    ($says:ident, fills) => {};
    ($says:ident, writes) => {};
    // What it does to the memory of a parameter, or of all: without a word that is read, if its
    // type says how far it reaches.
    // It writes it, as far as the type says.
    ($says:ident, alters $parameter:expr) => {
        $says.memory = $says.memory.alters(attribute!(of $parameter))
    };
    ($says:ident, alters) => {
        $says.memory = $says.memory.alters(::vm::native::Says::ALL)
    };
    // It does nothing to it, or it is the library's own and never written to.
    ($says:ident, untouched $parameter:expr) => {
        $says.memory = $says.memory.untouched(attribute!(of $parameter))
    };
    ($says:ident, untouched) => {
        $says.memory = $says.memory.untouched(::vm::native::Says::ALL)
    };
    // It tells itself what it reads and writes.
    ($says:ident, follows $parameter:expr) => {
        $says.memory = $says.memory.follows(attribute!(of $parameter))
    };
    ($says:ident, follows) => {
        $says.memory = $says.memory.follows(::vm::native::Says::ALL)
    };
    (of $parameter:expr) => {
        ::vm::native::Says::parameter(PARAMETERS, stringify!($parameter))
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
    use super::Package;

    include!(concat!(env!("OUT_DIR"), "/registry.rs"));
}
use registry::PACKAGES;

/// What a checker knows of all packages, made when this was built:
/// see `types::Checker::with_exported`.
pub static EXPORTED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/exported"));

/// All functions that are not generic, compiled: see `compile::Compiler::with_objects`.
pub static OBJECTS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/objects"));

/// The files and names that [`EXPORTED`] mentions, for [`source::restore`].
pub static SOURCES: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/sources"));

/// A package of the standard library.
#[derive(Debug)]
pub struct Package {
    /// Import path.
    pub path: &'static str,
    /// Functions with Rust bodies.
    pub natives: &'static [Native],
}

/// What is said of a native before its body.
#[derive(Clone, Copy, Debug)]
pub struct Attributes {
    /// How it keeps others from waiting for it, if it says so.
    pub kind: Option<Kind>,
    pub traits: Traits,
    pub memory: Says,
}

impl Attributes {
    pub const NONE: Attributes = Attributes {
        kind: None,
        traits: Traits::PLAIN,
        memory: Says::NOTHING,
    };
}

/// A function with a Rust body.
#[derive(Debug)]
pub struct Native {
    /// Its name in the package: `Repeat`, `(*Mutex).Lock`, `Time.Unix`.
    pub name: &'static str,
    /// What the words before its body say.
    pub attributes: Attributes,
    /// Its body, and what the Rust types say of its results and parameters.
    pub make: fn() -> Made,
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

impl Package {
    /// A native of this package, which has that name in the whole program.
    fn entry(&self, native: &Native, name: String) -> NativeEntry {
        let made = (native.make)();
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
            func: made.func,
            slots: made.slots,
            handed: native.attributes.memory.handed(made.spans),
        }
    }
}

/// Every native there is, package by package.
pub fn natives() -> Vec<NativeEntry> {
    let entries = |p: &'static Package| {
        let natives = p.natives.iter();
        natives.map(|n| p.entry(n, format!("{}.{}", p.path, n.name)))
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
            let native = package.natives.iter().find(|n| n.name == name)?;
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
    use ::types::library::Library;
    use source::SourceFile;
    use syntax::ast::print::expr_string;
    use syntax::ast::{Decl, FuncDecl, Param, ParamType};
    use syntax::diagnostics::Diagnostics;
    use syntax::parser;
    use vm::native::Span;

    fn files(p: &Package) -> Vec<&'static SourceFile> {
        let library = Library::new(env!("CARGO_MANIFEST_DIR"));
        library.files(p.path).unwrap()
    }

    fn functions(p: &Package) -> Vec<&'static FuncDecl> {
        let parse = |file| parser::parse_file(file, &mut Diagnostics::new()).unwrap();
        let decls = files(p)
            .into_iter()
            .flat_map(|file| parse(file).decls.leak());
        let functions = decls.filter_map(|decl| match decl {
            Decl::Func(func) => Some(&**func),
            _ => None,
        });
        functions.collect()
    }

    /// The functions that a package declares without a body, by their names.
    fn without_body(p: &Package) -> Vec<(String, &'static FuncDecl)> {
        let functions = functions(p).into_iter().filter(|f| f.body.is_none());
        functions.map(|f| (name_of(f), f)).collect()
    }

    /// `Repeat`, `(*Mutex).Lock`, `Time.Unix`
    fn name_of(func: &FuncDecl) -> String {
        let name = func.name.name;
        match func.receiver.map(|r| (r.is_pointer, r.base.unwrap())) {
            Some((true, base)) => format!("(*{base}).{name}"),
            Some((false, base)) => format!("{base}.{name}"),
            None => name.to_string(),
        }
    }

    /// The types of parameters or results as they are written.
    fn types<'a>(params: impl IntoIterator<Item = &'a Param>) -> Vec<String> {
        let (mut types, mut same) = (Vec::new(), 0);
        for param in params {
            same += 1;
            if let ParamType::Own(ty) = &param.ty {
                let dots = if param.variadic { "..." } else { "" };
                let text = format!("{dots}{}", expr_string(ty));
                types.extend(std::iter::repeat_n(text, std::mem::take(&mut same)));
            }
        }
        types
    }

    /// Slots of values of these types in package `p`. `None` if a type is not understood.
    fn width(p: &Package, types: &[String]) -> Option<usize> {
        types.iter().map(|t| type_width(p, t)).sum()
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
        let mut lines = files(p).into_iter().flat_map(|f| f.text.lines());
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
    fn natives_and_functions_without_body_are_the_same() {
        for p in PACKAGES {
            let mut natives: Vec<&str> = p.natives.iter().map(|n| n.name).collect();
            let declared = without_body(p);
            let is_elsewhere = |name: &str| {
                let Some((of, name)) = name.split_once('_') else {
                    return false;
                };
                let is_named = |p: &&Package| p.path.rsplit('/').next() == Some(of);
                let has = |p: &Package| functions(p).iter().any(|f| name_of(f) == name);
                PACKAGES.iter().filter(is_named).any(has)
            };
            let mut declared: Vec<&str> = declared.iter().map(|(name, _)| &**name).collect();
            declared.retain(|name| natives.contains(name) || !is_elsewhere(name));
            natives.sort_unstable();
            declared.sort_unstable();
            assert_eq!(natives, declared, "{}", p.path);
            assert!(natives.is_sorted_by(|a, b| a < b), "{}", p.path);
        }
    }

    #[test]
    fn rust_types_agree_with_declarations() {
        let mut unknown = Vec::new();
        for p in PACKAGES {
            for (name, func) in without_body(p) {
                let Some(native) = p.natives.iter().find(|n| n.name == name) else {
                    continue;
                };
                let params = types(func.recv.iter().chain(&func.sig.params));
                match (width(p, &types(&func.sig.results)), width(p, &params)) {
                    (Some(results), Some(params)) => {
                        assert_eq!(
                            (native.make)().slots,
                            (results, params),
                            "{}.{name}",
                            p.path
                        );
                    }
                    _ => unknown.push(format!("{}.{name}", p.path)),
                }
            }
        }
        assert!(unknown.is_empty(), "types not understood: {unknown:#?}");
    }

    /// Where no type says how far the memory of a parameter reaches, the native says what it does.
    #[test]
    fn natives_with_memory_of_unknown_extent_say_what_they_do_to_it() {
        let mut silent = Vec::new();
        for p in PACKAGES {
            for n in p.natives {
                let spans = (n.make)().spans.iter().enumerate();
                let mut unknown = spans.filter(|(_, (_, span))| *span == Span::Unknown);
                if unknown.any(|(k, _)| !n.attributes.memory.is_said(k)) {
                    silent.push(format!("{}.{}", p.path, n.name));
                }
            }
        }
        assert!(silent.is_empty(), "untouched, follows, alters? {silent:#?}");
    }

    /// The kind is no afterthought where there can be much to work on.
    #[test]
    fn natives_with_much_to_work_on_say_their_kind() {
        for p in PACKAGES {
            let declared = without_body(p);
            for n in p.natives.iter().filter(|n| n.attributes.kind.is_none()) {
                let (_, func) = declared.iter().find(|(name, _)| name == n.name).unwrap();
                let params = types(&func.sig.params).join(", ");
                for word in ["string", "[]", "any", "error", "func("] {
                    let name = n.name;
                    assert!(!params.contains(word), "{}.{name} names no kind", p.path);
                }
            }
        }
    }
}
