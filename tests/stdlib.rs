//! The standard library's Go text: every package parses and checks,
//! bodies included, and importing all of them is quick.

use std::path::Path;
use syntax::diagnostics::Diagnostics;
use syntax::{ast, parser};
use types::library::Library;
use types::{Checker, Imported, Importer};

/// The library's packages as if they were the user's, so that whatever is in them is looked at.
struct Plain(Library);

impl Importer for Plain {
    fn import(&mut self, path: &str) -> Result<Imported, String> {
        let imported = self.0.import(path)?;
        Ok(Imported {
            is_std: false,
            ..imported
        })
    }
}

fn library() -> Library {
    Library::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/stdlib"))
}

fn texts(d: Diagnostics) -> Vec<String> {
    d.sorted()
        .iter()
        .map(|e| format!("{}: {}", source::map().position(e.pos), e.message))
        .collect()
}

/// Runs `f` where trees of any depth have room.
fn deep(f: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new()
        .stack_size(64 << 20)
        .spawn(f)
        .unwrap()
        .join()
        .unwrap();
}

#[test]
fn every_package_checks() {
    deep(|| {
        let mut checker = Checker::new(Box::new(Plain(library())));
        let mut failures = Vec::new();
        for path in stdlib::paths() {
            if let Err(e) = checker.import_package(path) {
                failures.push(e);
            }
        }
        // Natives have no body.
        let errors = texts(std::mem::take(&mut checker.diags));
        failures.extend(
            errors
                .into_iter()
                .filter(|e| !e.ends_with("missing function body")),
        );
        assert!(failures.is_empty(), "{}", failures.join("\n"));
    });
}

#[test]
fn importing_everything_is_quick() {
    deep(|| {
        let begin = cpu_ms();
        let mut checker = Checker::with_exported(stdlib::EXPORTED, Box::new(Plain(library())));
        for path in stdlib::paths() {
            checker.import_package(path).unwrap();
        }
        let took = cpu_ms() - begin;
        println!("importing {} packages: {took} ms", stdlib::paths().len());
        assert!(took < 100, "{took} ms");
    });
}

/// What the calling thread has used, whatever else the machine does.
fn cpu_ms() -> u64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    text.split(' ').next().unwrap().parse::<u64>().unwrap() / 1_000_000
}

/// Whoever works on the library without a new build has the packages that were built.
#[test]
fn packages_are_the_folders() {
    assert_eq!(library().paths(), stdlib::paths());
}

/// What we export and Go does not would be accepted here and refused there.
#[test]
fn nothing_is_exported_that_go_does_not_export() {
    let mut invented = Vec::new();
    let of_go = |path: &&str| !stdlib::catalog::is_internal(path);
    for path in stdlib::paths().into_iter().filter(of_go) {
        for file in library().files(path).unwrap() {
            let tree = parser::parse_file(file, &mut Diagnostics::new()).unwrap();
            for decl in &tree.decls {
                let names = exported(decl).into_iter();
                invented.extend(
                    names
                        .filter(|n| !stdlib::catalog::is_go_name(path, n))
                        .map(|n| format!("{path}: {n}")),
                );
            }
            // A tree is never taken apart.
            std::mem::forget(tree);
        }
    }
    assert!(invented.is_empty(), "{}", invented.join("\n"));
}

/// The exported names of a declaration, methods and fields with their type's.
fn exported(decl: &ast::Decl) -> Vec<String> {
    let idents = match decl {
        ast::Decl::Const(c) => &c.names[..],
        ast::Decl::Var(v) => &v.names[..],
        ast::Decl::Type(t) => {
            let mut names = vec![t.name.name.to_string()];
            if let ast::ExprKind::StructType { fields, .. } = &t.ty.kind {
                let fields = fields.iter().map(|f| f.name.name);
                names.extend(
                    fields
                        .filter(|f| f.is_exported())
                        .map(|f| format!("{}.{f}", t.name.name)),
                );
            }
            names.retain(|_| t.name.name.is_exported());
            return names;
        }
        ast::Decl::Func(f) => {
            let method = f.recv.as_ref().map(|recv| {
                let ast::ParamType::Own(ty) = &recv.ty else {
                    return String::new();
                };
                let text = ast::print::expr_string(ty);
                let ty = text.trim_start_matches('*').split('[').next().unwrap();
                format!("{ty}.")
            });
            let is_exported = f.name.name.is_exported()
                && method
                    .as_ref()
                    .is_none_or(|m| m.starts_with(char::is_uppercase));
            let name = format!("{}{}", method.unwrap_or_default(), f.name.name);
            return if is_exported { vec![name] } else { Vec::new() };
        }
        ast::Decl::Import(_) => &[],
    };
    let exported = idents.iter().filter(|i| i.name.is_exported());
    exported.map(|i| i.name.to_string()).collect()
}
