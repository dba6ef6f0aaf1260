//! The pipeline on one screen: load, parse, check, compile, run.
//!
//! The front end runs on a thread with a very large stack, since it recurses over trees as deep as the program has them; the
//! program itself runs on the first thread, as Go's main goroutine does while packages are initialised.

use crate::ast;
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::loader;
use crate::parser;
use crate::source;
use std::ffi::OsString;

pub use crate::loader::Input;

/// Address space for the stack of the front end; what is not touched costs nothing.
const FRONT_STACK: usize = 1 << 30;

/// Errors printed when not all are asked for.
const MAX_ERRORS: usize = 10;

/// How to compile.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Report every error, not only the first ten.
    pub all_errors: bool,
}

/// Why a program was refused: what to print on standard error.
#[derive(Debug)]
pub enum Refused {
    /// Something that has no position: a file that cannot be read.
    Message(String),
    /// Errors in the program.
    Errors(Vec<Diagnostic>),
}

/// Compiles and runs a program, whose arguments are `args`. Returns only if it was refused.
pub fn run(input: &Input, args: Vec<OsString>, options: &Options) -> i32 {
    let _ = args;
    refused(front(input, options), options)
}

/// Compiles a program and reports its errors.
pub fn check(input: &Input, options: &Options) -> i32 {
    refused(front(input, options), options)
}

/// Prints the bytecode of the functions whose name contains `filter`.
pub fn disasm(input: &Input, filter: &str, options: &Options) -> i32 {
    let _ = filter;
    refused(front(input, options), options)
}

fn refused(result: Result<(), Refused>, options: &Options) -> i32 {
    match result {
        Ok(()) => 0,
        Err(r) => {
            report(r, options);
            1
        }
    }
}

fn front(input: &Input, _options: &Options) -> Result<(), Refused> {
    let input = input.clone();
    std::thread::Builder::new()
        .stack_size(FRONT_STACK)
        .spawn(move || {
            let sources = loader::load(&input).map_err(Refused::Message)?;
            let mut diagnostics = Diagnostics::new();
            let files: Vec<ast::File> = sources.into_iter().filter_map(|s| parser::parse_file(s, &mut diagnostics)).collect();
            std::mem::forget(files);
            if diagnostics.is_empty() { Ok(()) } else { Err(Refused::Errors(diagnostics.sorted())) }
        })
        .map_err(|e| Refused::Message(e.to_string()))?
        .join()
        .unwrap_or_else(|_| std::process::exit(2))
}

/// Prints why a program was refused.
fn report(why: Refused, options: &Options) {
    match why {
        Refused::Message(text) => eprintln!("gosched: {text}"),
        Refused::Errors(errors) => {
            let limit = if options.all_errors { usize::MAX } else { MAX_ERRORS };
            for e in errors.iter().take(limit) {
                eprintln!("{}: {}", source::map().position(e.pos), e.message);
            }
            if errors.len() > limit {
                eprintln!("too many errors");
            }
        }
    }
}
