//! A program that is added to while it runs: unit after unit is compiled and loaded.
//!
//! A session belongs to one thread, which need not be one of the runtime's. What it loads can be
//! called by goroutines as soon as something leads to it: a function of the program is given a new
//! body by [`Session::replace`].

use super::{Finder, Input, Refused, check_sources, compiler, parse, refused};
use bytecode::func;
use bytecode::image::{Loaded, image};
use compile::Compiler;
use source;
use std::cell::RefCell;
use std::rc::Rc;
use vm::engine;

/// A program, and what has been added to it.
pub struct Session {
    compiler: Compiler,
    finder: Rc<RefCell<Finder>>,
}

impl Session {
    /// Compiles and loads the program; it is not started.
    pub fn begin(input: &Input) -> Result<(Session, Loaded), Refused> {
        let (checker, main) = check_sources(input, None)?;
        let finder = Rc::new(RefCell::new(Finder::default()));
        let mut compiler = compiler(checker, &finder).for_session();
        let unit = compiler.compile_program(main).map_err(refused)?;
        let session = Session { compiler, finder };
        let loaded = session.load(unit)?;
        Ok((session, loaded))
    }

    /// Compiles and loads a package of one file, which may import those that were added before.
    pub fn add(&mut self, path: &str, text: &str) -> Result<Loaded, Refused> {
        let name = format!("{path}.go");
        let file = source::map().add(&name, &name, text.to_string());
        let (files, errors) = parse(&[file]);
        if !errors.is_empty() {
            return Err(Refused::Errors(errors));
        }
        let checker = &mut self.compiler.ck;
        let package = checker.check_package(path, files);
        let errors = std::mem::take(&mut checker.diags);
        if !errors.is_empty() {
            return Err(Refused::Errors(errors));
        }
        let unit = self.compiler.compile_package(package).map_err(refused)?;
        self.load(unit)
    }

    fn load(&self, unit: bytecode::unit::Unit) -> Result<Loaded, Refused> {
        let mut finder = self.finder.borrow_mut();
        let loaded = engine::load(unit, &mut |name| finder.entry(name));
        loaded.map_err(|why| Refused::Fatal(why.to_string()))
    }

    /// Has calls of `old` go to the body of `new`, both names as tracebacks have them. False: there
    /// is no such function, or it is not in use.
    pub fn replace(&self, old: &str, new: &str) -> bool {
        match (image().function(old), image().function(new)) {
            (Some(old), Some(new)) => {
                func::replace(old, new);
                true
            }
            _ => false,
        }
    }
}
