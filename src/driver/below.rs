//! `gosched check ./...`: many packages, checked one after the other by one checker, so that what
//! they share is read and checked once, and compiled together.
//!
//! Of each package is told what `gosched check` tells of it alone, but for what has been told of a
//! package that it imports. A package is *bad* if something is wrong with it or with what it
//! imports: it is not compiled.

use super::{
    Options, Packages, Refused, compiler, debug_lines, errors, explain_assembly, front,
    library_folder, new_checker, note_imports, on_front_stack, own_path, parse, print_error,
    refuse_internal, restore_library,
};
use crate::loader::{self, Input, Module};
use compile::Refusal;
use source::{self, Pos};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use syntax::diagnostics::Diagnostics;
use types::{Checker, PkgId, version};

/// Compiles the packages in the folders that `patterns` name, `dir/...` being all below a folder,
/// and reports their errors.
pub fn check_below(patterns: &[OsString], options: &Options) -> i32 {
    let mut folders = Vec::new();
    for pattern in patterns {
        let pattern = pattern.to_string_lossy();
        let found = match pattern.strip_suffix("...") {
            Some(above) => loader::folders_below(Path::new(above), false),
            None => Ok(vec![PathBuf::from(&*pattern)]),
        };
        match found {
            Ok(found) if found.is_empty() => {
                print_error(format_args!("gosched: {pattern} matches no packages\n"));
                return 1;
            }
            Ok(found) => folders.extend(found),
            Err(why) => return errors::report(Refused::Message(why), options),
        }
    }
    let mut seen = BTreeSet::new();
    folders.retain(|folder| seen.insert(folder.clone()));
    let mut told = BTreeSet::new();
    let mut status = 0;
    let mut tell = |why: Refused| {
        status = 1;
        for text in errors::texts(why, options) {
            if told.insert(text.clone()) {
                errors::say(text, options);
            }
        }
    };
    if options.lang.is_some() {
        // The version is that of each package, and not of what it imports.
        for folder in folders {
            let checked = front(&Input::Dir(folder), options, super::compile);
            checked.map_or_else(&mut tell, |_| ());
        }
        return status;
    }
    for (module, folders) in by_module(folders, &mut tell) {
        on_front_stack(|| check_together(module, folders, &mut tell));
    }
    status
}

/// The folders by the modules that they are in.
fn by_module(
    folders: Vec<PathBuf>,
    tell: &mut dyn FnMut(Refused),
) -> Vec<(Option<Module>, Vec<PathBuf>)> {
    let mut groups: Vec<(Option<Module>, Vec<PathBuf>)> = Vec::new();
    for folder in folders {
        let root = loader::root_of(&folder);
        let is_it = |have: &Option<Module>| have.as_ref().map(|m| &m.root) == root.as_ref();
        match groups.iter_mut().find(|(have, _)| is_it(have)) {
            Some((_, list)) => list.push(folder),
            None => match loader::module_of(&Input::Dir(folder.clone())) {
                Ok(module) => groups.push((module, vec![folder])),
                Err(why) => tell(Refused::Message(why)),
            },
        }
    }
    groups
}

/// What has been checked so far.
struct Checked {
    checker: Checker,
    bad: BTreeSet<PkgId>,
    /// Stand-ins for packages that there are, though not here.
    refused: BTreeSet<PkgId>,
    mains: Vec<PkgId>,
}

fn check_together(module: Option<Module>, folders: Vec<PathBuf>, tell: &mut dyn FnMut(Refused)) {
    if library_folder().is_none() {
        restore_library();
    }
    let importer = Packages::new(module.clone());
    let (syntax, refused) = (importer.syntax.clone(), importer.refused.clone());
    let importers = importer.importers.clone();
    let mut all = Checked {
        checker: new_checker(importer),
        bad: BTreeSet::new(),
        refused: BTreeSet::new(),
        mains: Vec::new(),
    };
    for folder in folders {
        let root = match read(module.as_ref(), &folder) {
            Ok(root) => root,
            Err(why) => {
                tell(why);
                continue;
            }
        };
        if let Some(path) = &root.path {
            note_imports(&mut importers.borrow_mut(), path, &root.files);
        }
        let before = all.checker.package_count();
        let pkg = all.check(&root);
        let mut wrong = std::mem::take(&mut all.checker.diags);
        explain_assembly(&mut wrong);
        let (syntax, refused) = (syntax.take(), refused.take());
        // What is missing is missed by whoever imports it.
        for r in &refused {
            let stand_in = all.checker.known_package(&r.path);
            all.refused.extend(stand_in.filter(|_| !r.is_missing));
            all.checker.forget(&r.path);
        }
        all.note_bad(pkg, &wrong);
        if !syntax.is_empty() {
            tell(Refused::Errors(syntax));
            continue;
        }
        if refused.iter().any(|r| r.is_missing) {
            wrong.retain(|d| refused.iter().any(|r| r.text == d.message));
        } else if !root.debug.is_empty() {
            all.bad.insert(pkg);
            wrong = root.debug;
        } else if all.lacks_something(pkg, before) {
            // What that is has been told.
            continue;
        }
        if !wrong.is_empty() {
            tell(Refused::Errors(wrong));
        }
    }
    all.compile(tell);
}

/// A package that is to be checked.
struct Root {
    /// Its import path, if it has one.
    path: Option<String>,
    files: Vec<&'static syntax::ast::File>,
    errors: Diagnostics,
    /// What is wrong with `//go:debug` lines.
    debug: Diagnostics,
    lang: u32,
}

fn read(module: Option<&Module>, folder: &Path) -> Result<Root, Refused> {
    let input = Input::Dir(folder.to_path_buf());
    let sources = loader::load(&input).map_err(Refused::Message)?;
    let (files, mut errors) = parse(&sources);
    let path = own_path(&input, module);
    if errors.has_syntax_errors() || refuse_internal(&files, path.as_deref(), &mut errors) {
        return Err(Refused::Errors(errors));
    }
    Ok(Root {
        path,
        files,
        errors,
        debug: debug_lines(&sources).1,
        lang: module.map_or(version::CURRENT, |m| m.lang),
    })
}

impl Checked {
    /// Checks a package, unless another one has imported it before.
    fn check(&mut self, root: &Root) -> PkgId {
        let is_main = root
            .files
            .first()
            .is_some_and(|file| file.package.name.as_str() == "main");
        let path = match &root.path {
            Some(path) if !is_main => path,
            _ => "main",
        };
        if let Some(known) = self.checker.known_package(path) {
            self.checker.check_again(known);
            return known;
        }
        let errors = root.errors.as_slice().iter();
        errors.for_each(|e| self.checker.diags.error(e.pos, e.message.clone()));
        self.checker.declare_versions(&root.files, root.lang);
        let pkg = self.checker.check_another(path, root.files.clone());
        // Nothing can be imported by the name of a program, nor of a package without a module.
        if is_main || root.path.is_none() {
            self.checker.forget(path);
        }
        if is_main {
            self.mains.push(pkg);
        }
        pkg
    }

    /// Has nothing come of a package: it is not there, or has syntax errors?
    fn is_hollow(&self, pkg: PkgId) -> bool {
        let package = self.checker.pkg(pkg);
        package.files.is_empty() && !package.is_std
    }

    /// Does a package lack something that was missing, or wrong, when there were so many packages?
    fn lacks_something(&self, pkg: PkgId, count: u32) -> bool {
        let is_it = |p| self.is_hollow(p) && !self.refused.contains(&p);
        self.reaches(pkg, &|p| p.0 < count && is_it(p))
    }

    /// Is a package, or one that it imports, like this?
    fn reaches(&self, pkg: PkgId, is_it: &dyn Fn(PkgId) -> bool) -> bool {
        let mut seen = BTreeSet::new();
        let mut todo = vec![pkg];
        while let Some(pkg) = todo.pop() {
            if self.checker.pkg(pkg).is_std || !seen.insert(pkg) {
                continue;
            }
            if is_it(pkg) {
                return true;
            }
            todo.extend(&self.checker.pkg(pkg).imports);
        }
        false
    }

    /// Notes with which packages something is wrong, `root` being that which was checked.
    fn note_bad(&mut self, root: PkgId, wrong: &Diagnostics) {
        if wrong.is_empty() {
            return;
        }
        let bases: BTreeMap<u32, PkgId> = (0..self.checker.package_count())
            .map(PkgId)
            .flat_map(|pkg| {
                let files = self.checker.pkg(pkg).files.iter();
                files.filter_map(move |file| Some((source::map().file(file.pos)?.base, pkg)))
            })
            .collect();
        let of = |pos: Pos| bases.get(&source::map().file(pos)?.base).copied();
        let found = wrong.as_slice().iter().map(|d| of(d.pos).unwrap_or(root));
        let found: Vec<PkgId> = found.collect();
        self.bad.extend(found);
    }

    /// Compiles the programs, and tells what is refused, folder by folder.
    fn compile(self, tell: &mut dyn FnMut(Refused)) {
        let is_good = |pkg| {
            let is_bad = |p| self.bad.contains(&p) || self.is_hollow(p);
            !self.reaches(pkg, &is_bad)
        };
        let all = (0..self.checker.package_count()).map(PkgId);
        let good: BTreeSet<PkgId> = all.filter(|pkg| is_good(*pkg)).collect();
        let mains: Vec<PkgId> = self
            .mains
            .iter()
            .copied()
            .filter(|m| good.contains(m))
            .collect();
        let mut compiler = compiler(self.checker, &Rc::default());
        let refused = compiler.compile_programs(&mains, |pkg| good.contains(&pkg));
        // As for one program: taking it apart takes longer than leaving it.
        std::mem::forget(compiler);
        let mut groups: BTreeMap<Option<PathBuf>, Vec<Refusal>> = BTreeMap::new();
        for why in refused.err().into_iter().flatten() {
            let file = source::map().file(why.pos);
            let folder = file.and_then(|f| Path::new(&f.path).parent().map(Path::to_path_buf));
            groups.entry(folder).or_default().push(why);
        }
        groups
            .into_values()
            .for_each(|list| tell(super::refused(list)));
    }
}
