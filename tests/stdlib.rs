//! The standard library's Go text: every package parses and checks,
//! bodies included, and importing all of them is quick.

use source::{SourceFile, Symbol};
use syntax::ast::LateDecls;
use syntax::diagnostics::Diagnostics;
use syntax::lexer::outline::Outline;
use syntax::{ast, parser};
use types::{Checker, Imported, Importer};

/// Finds packages of the library; `is_std` says whether
/// what they declare waits until it is asked for.
struct Library {
    is_std: bool,
}

impl Importer for Library {
    fn import(&mut self, path: &str) -> Result<Imported, String> {
        let Some(pkg) = stdlib::package(path) else {
            return Err(format!("package {path} is not in std"));
        };
        let (files, late): (_, Option<Box<dyn LateDecls>>) = if self.is_std {
            let library = parser::Library::new(files_of(pkg));
            (library.trees(), Some(Box::new(library)))
        } else {
            let mut diagnostics = Diagnostics::new();
            let trees = files_of(pkg).into_iter().filter_map(|(file, _)| {
                let tree = parser::parse_file(file, &mut diagnostics)?;
                Some(&*Box::leak(Box::new(tree)))
            });
            let files = trees.collect();
            let errors = texts(diagnostics);
            if !errors.is_empty() {
                return Err(errors.join("\n"));
            }
            (files, None)
        };
        Ok(Imported {
            path: path.to_string(),
            files,
            is_std: self.is_std,
            late,
        })
    }
}

type Files = Vec<(&'static SourceFile, Outline)>;

fn files_of(pkg: &stdlib::Package) -> Files {
    let add = |s: &stdlib::Source| source::map().add(&s.name, &s.name, s.text.to_string());
    pkg.sources().map(|s| (add(&s), s.outline)).collect()
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
        let mut checker = Checker::new(Box::new(Library { is_std: false }));
        let mut failures = Vec::new();
        for path in stdlib::paths() {
            if let Err(e) = checker.import_package(path) {
                failures.push(e);
            }
        }
        // Checked as if they were the user's, so that bodies are looked at; natives have none.
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
        let mut checker = Checker::new(Box::new(Library { is_std: true }));
        for path in stdlib::paths() {
            checker.import_package(path).unwrap();
        }
        let took = cpu_ms() - begin;
        println!("importing {} packages: {took} ms", stdlib::paths().len());
        // 15 ms when optimised; the development profile and a busy machine get more.
        assert!(took < 500, "{took} ms");
    });
}

/// What the calling thread has used, whatever else the machine does.
fn cpu_ms() -> u64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    text.split(' ').next().unwrap().parse::<u64>().unwrap() / 1_000_000
}

#[test]
fn the_library_carries_no_directives() {
    for path in stdlib::paths() {
        for source in stdlib::package(path).unwrap().sources() {
            assert!(!source.text.contains("\n//go:"), "{}", source.name);
            // A file's outline was made at build time.
            assert_eq!(source.outline, Outline::of(&source.text), "{}", source.name);
        }
    }
}

#[test]
fn what_is_parsed_later_is_the_same() {
    deep(|| {
        for path in stdlib::paths() {
            let files = files_of(stdlib::package(path).unwrap());
            let mut diagnostics = Diagnostics::new();
            let mut whole: Vec<_> = files
                .iter()
                .map(|(file, _)| parser::parse_file(file, &mut diagnostics).unwrap())
                .collect();
            assert!(texts(diagnostics).is_empty(), "{path}");
            let late = parser::Library::new(files);
            let first = late.trees();
            let plain = late.names().into_iter().flat_map(|n| late.named(n));
            let bases = whole.iter().flat_map(|f| &f.decls).filter_map(type_name);
            let methods = bases.flat_map(|n| late.methods(n)).collect::<Vec<_>>();
            let mut by_file: Vec<Vec<ast::Decl>> = first.iter().map(|_| Vec::new()).collect();
            for (i, decl) in plain.chain(methods) {
                by_file[i].push(decl);
            }
            for (i, mut later) in by_file.into_iter().enumerate() {
                later.sort_by_key(ast::Decl::pos);
                let all = std::mem::take(&mut whole[i].decls);
                let is_later = |d: &ast::Decl| later.iter().any(|l| l.pos() == d.pos());
                let (all_later, all_first): (Vec<_>, Vec<_>) = all.into_iter().partition(is_later);
                assert_eq!(all_later.len(), later.len(), "{path}");
                for (a, b) in all_later.iter().zip(&later) {
                    if let (ast::Decl::Func(a), ast::Decl::Func(b)) = (a, b) {
                        let ends = |f: &ast::FuncDecl| f.body().map(|b| (b.pos, b.end));
                        assert_eq!(ends(a), ends(b), "{path}: {}", a.name.name);
                    }
                }
                // Positions too, but not the nodes' identities.
                let mut text = |decls| {
                    whole[i].decls = decls;
                    ast::print::file_string(&whole[i])
                };
                assert_eq!(text(all_later), text(later), "{path}");
                assert_eq!(text(all_first), ast::print::file_string(first[i]));
            }
            // Trees are never taken apart.
            std::mem::forget(whole);
        }
    });
}

fn type_name(decl: &ast::Decl) -> Option<Symbol> {
    match decl {
        ast::Decl::Type(spec) => Some(spec.name.name),
        _ => None,
    }
}

/// What we export and Go does not would be accepted here and refused there.
#[test]
fn nothing_is_exported_that_go_does_not_export() {
    let mut invented = Vec::new();
    let of_go = |path: &&str| !path.starts_with("internal/");
    for path in stdlib::paths().into_iter().filter(of_go) {
        let package = stdlib::package(path).unwrap();
        for (file, _) in files_of(package) {
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
