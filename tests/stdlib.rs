//! The standard library's Go text: every package parses and checks, bodies included, and importing all of them is quick.

use gosched::diagnostics::Diagnostics;
use gosched::types::{Checker, Imported, Importer};
use gosched::{ast, parser, source, stdlib};

/// Finds packages of the library; `is_std` says whether their bodies wait until they are asked for.
struct Library {
    is_std: bool,
}

impl Importer for Library {
    fn import(&mut self, path: &str) -> Result<Imported, String> {
        let Some(pkg) = stdlib::package(path) else {
            return Err(format!("package {path} is not in std"));
        };
        let mut diagnostics = Diagnostics::new();
        let mut files = Vec::new();
        for (name, text) in pkg.sources() {
            let file = source::map().add(&name, &name, text.into_owned());
            if let Some(f) = parser::parse_file(file, &mut diagnostics) {
                files.push(&*Box::leak(Box::new(f)));
            }
        }
        let errors = texts(diagnostics);
        if !errors.is_empty() {
            return Err(errors.join("\n"));
        }
        Ok(Imported {
            path: path.to_string(),
            files,
            is_std: self.is_std,
        })
    }
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
        let begin = std::time::Instant::now();
        let mut checker = Checker::new(Box::new(Library { is_std: true }));
        for path in stdlib::paths() {
            checker.import_package(path).unwrap();
        }
        let took = begin.elapsed();
        println!("importing {} packages: {took:?}", stdlib::paths().len());
        // 15 ms when optimised; the development profile and a busy machine get more.
        assert!(took.as_millis() < 500, "{took:?}");
    });
}

#[test]
fn bodies_parsed_later_are_the_same() {
    deep(|| {
        for path in stdlib::paths() {
            for (name, text) in stdlib::package(path).unwrap().sources() {
                let file = source::map().add(&name, &name, text.into_owned());
                let mut diagnostics = Diagnostics::new();
                let all = parser::parse_file(file, &mut diagnostics).unwrap();
                let later = parser::parse_declarations(file, &mut diagnostics).unwrap();
                assert!(texts(diagnostics).is_empty(), "{name}");
                assert_eq!(all.decls.len(), later.decls.len(), "{name}");
                for (a, b) in all.decls.iter().zip(&later.decls) {
                    if let (ast::Decl::Func(a), ast::Decl::Func(b)) = (a, b) {
                        let ends = |f: &ast::FuncDecl| f.body.get().map(|b| (b.pos, b.end));
                        assert_eq!(ends(a), ends(b), "{name}: {}", a.name.name);
                    }
                }
                // Positions too, but not the nodes' identities.
                let text = |file: &ast::File| ast::print::file_string(file);
                assert_eq!(text(&all), text(&later), "{name}");
            }
        }
    });
}
