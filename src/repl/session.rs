//! What has been typed so far: names, their types, and the compiler that knows them.
//!
//! An input is a row of pieces; each is checked in turn as a step of the session, in what the steps
//! before it have declared, before any of them runs. One that fails takes the whole input back. An
//! expression becomes the variable `it` and a call that shows it.
//!
//! A function that fails only because names are not known waits: the step that declares the last
//! of them brings it along.

mod ask;

pub(super) use ask::completeness;

use super::save::{self, Kept, What};
use crate::driver::{self, Finder, Refused};
use crate::loader;
use bytecode::image::Loaded;
use bytecode::unit::Unit;
use compile::Compiler;
use source::Pos;
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::fmt;
use std::rc::Rc;
use syntax::ast::{
    Decl, Expr, ExprKind, File, Ident, LitKind, NodeId, Stmt, StmtKind, Symbol, VarSpec,
};
use syntax::diagnostics::Diagnostics;
use syntax::diagnostics::render::{Style, render};
use syntax::parser::input::{
    Piece, call_of, file_with, import_of, init_with, name_at, name_of, parse_input,
};
use types::session::{Mark, Step};
use types::{Mode, ObjId, ObjKind, PkgId, Type};
use vm::engine;
use vm::prompt::Ended;

/// The name under which the package that shows values is imported: none that can be typed.
const SHOWER: &str = "·prompt";

/// A session.
pub(super) struct Session {
    compiler: Compiler,
    finder: Rc<RefCell<Finder>>,
    pkg: PkgId,
    /// Packages that can be imported by using them, by their names.
    packages: BTreeMap<String, &'static str>,
    /// Of the last input.
    number: u32,
    /// Functions that wait for names.
    waiting: Vec<Waiting>,
    /// Where the session has begun, and where each of its inputs has.
    begin: Mark,
    history: Vec<Mark>,
    /// What has been loaded, and how many units that were.
    kept: Vec<Kept>,
    units: u32,
    /// Where the last input begins.
    last: Option<Pos>,
    /// Comments that stood alone, and what they turned out to be about.
    comment: String,
    comments: HashMap<ObjId, String>,
    /// The descriptor on which values are shown.
    values: i32,
}

/// A piece of functions that mention names which are not declared.
struct Waiting {
    file: &'static File,
    names: Vec<Symbol>,
    missing: Vec<String>,
}

/// Steps that have been checked and not loaded yet.
#[derive(Default)]
pub(super) struct Steps {
    /// What to say of them.
    pub notes: Vec<String>,
    rest: VecDeque<Checked>,
}

/// A step that has been checked.
struct Checked {
    /// Where in the history it begins.
    mark: Mark,
    files: Vec<&'static File>,
    step: Step,
    what: What,
}

/// Why an input was refused.
#[derive(Debug)]
pub(super) enum Failed {
    Errors(Diagnostics, Vec<String>),
    Fatal(String),
}

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failed::Errors(errors, notes) => {
                let mut list = Diagnostics::new();
                for e in errors.as_slice() {
                    list.error(e.pos, e.message.clone());
                }
                f.write_str(&render(list, Style::default()))?;
                notes.iter().try_for_each(|note| writeln!(f, "\t{note}"))
            }
            Failed::Fatal(text) => writeln!(f, "fatal error: {text}"),
        }
    }
}

impl Session {
    /// Begins a session; what is loaded is to be started.
    ///
    /// Values are shown on the descriptor `values`.
    pub(super) fn begin(values: i32, lang: Option<u32>) -> Result<(Session, Loaded), Refused> {
        let (checker, pkg) = driver::empty_program()?;
        let finder = Rc::new(RefCell::new(Finder::default()));
        let mut compiler = driver::compiler(checker, &finder).for_session();
        let unit = compiler.compile_program(pkg).map_err(driver::refused)?;
        compiler
            .ck
            .begin_session(pkg, lang.unwrap_or(types::version::CURRENT));
        let begin = compiler.ck.mark();
        let mut session = Session {
            compiler,
            finder,
            pkg,
            packages: loader::packages_by_name(),
            number: 0,
            waiting: Vec::new(),
            begin,
            history: Vec::new(),
            kept: Vec::new(),
            units: 0,
            last: None,
            values,
            comment: String::new(),
            comments: HashMap::new(),
        };
        let loaded = session.load(unit).map_err(|why| match why {
            Failed::Errors(errors, _) => Refused::Errors(errors),
            Failed::Fatal(text) => Refused::Fatal(text),
        })?;
        let shower = import(Some(SHOWER), "internal/prompt");
        session.step(&[shower], false).map_err(Refused::Errors)?;
        session.begin = session.compiler.ck.mark();
        Ok((session, loaded))
    }

    /// Checks an input, which is said to begin at `line` of `file`.
    pub(super) fn check(&mut self, file: &str, line: u32, text: Vec<u8>) -> Result<Steps, Failed> {
        // Places of declarations tell types of one name apart, and so need files of their own.
        self.number += 1;
        let own = format!("{file}#{}", self.number);
        let source = source::map().add_bytes(&own, &own, text);
        source.begin_at(file, line);
        let mut errors = Diagnostics::new();
        let pieces = parse_input(source, &mut errors);
        let Some(pieces) = pieces.filter(|_| errors.is_empty()) else {
            return Err(Failed::Errors(errors, Vec::new()));
        };
        if pieces.is_empty() {
            self.comment.push_str(source.text);
            return Ok(Steps::default());
        }
        self.last = Some(Pos(source.base));
        let comment = std::mem::take(&mut self.comment);
        let mark = self.compiler.ck.mark();
        let mut steps = Steps::default();
        for (i, piece) in pieces.into_iter().enumerate() {
            let again = || {
                let pieces = parse_input(source, &mut Diagnostics::new());
                pieces.and_then(|pieces| pieces.into_iter().nth(i))
            };
            if let Err(errors) = self.piece(piece, again, &mut steps) {
                self.compiler.ck.take_back(mark);
                let notes = self.notes_on(&errors);
                return Err(Failed::Errors(errors, notes));
            }
        }
        if let Some(first) = steps.rest.front().filter(|_| !comment.is_empty()) {
            let declared = first.step.declared.iter().map(|d| d.0);
            let first = declared.chain(first.step.methods.iter().copied()).next();
            self.comments.extend(first.map(|obj| (obj, comment)));
        }
        self.history.push(mark);
        Ok(steps)
    }

    /// Compiles and loads the next steps of an input that can be run together.
    pub(super) fn load_next(&mut self, steps: &mut Steps) -> Option<Result<Loaded, Failed>> {
        let first = steps.rest.pop_front()?;
        let mark = first.mark;
        let mut group = vec![first];
        while let Some(next) = steps.rest.front()
            && next.step.replacing.is_empty()
            && !next.step.adds_methods
        {
            group.extend(steps.rest.pop_front());
        }
        let (unit, input) = (self.units, self.number);
        self.units += 1;
        let keep = |c: Checked| Kept {
            input,
            unit,
            files: c.files,
            step: c.step,
            what: c.what,
            ended: None,
        };
        let kept: Vec<Kept> = group.into_iter().map(keep).collect();
        let compiled = {
            let steps: Vec<&Step> = kept.iter().map(|k| &k.step).collect();
            self.compiler.compile_steps(self.pkg, &steps)
        };
        Some(match compiled {
            Ok(unit) => {
                self.kept.extend(kept);
                self.load(unit)
            }
            Err(refusals) => {
                self.compiler.ck.take_back(mark);
                steps.rest.clear();
                Err(match driver::refused(refusals) {
                    Refused::Errors(errors) => Failed::Errors(errors, Vec::new()),
                    Refused::Message(text) | Refused::Fatal(text) => Failed::Fatal(text),
                })
            }
        })
    }

    fn load(&self, unit: Unit) -> Result<Loaded, Failed> {
        let mut finder = self.finder.borrow_mut();
        let loaded = engine::load(unit, &mut |name| finder.entry(name));
        loaded.map_err(|why| Failed::Fatal(why.to_string()))
    }

    /// The unit that was loaded last has ended.
    pub(super) fn ended(&mut self, how: Ended) {
        let unit = self.units - 1;
        let last = self.kept.iter_mut().rev().take_while(|k| k.unit == unit);
        last.for_each(|k| k.ended = Some(how));
    }

    /// The session as a program.
    pub(super) fn program(&self) -> String {
        save::program(&self.compiler.ck, self.pkg, &self.kept)
    }

    /// Takes back what the last input has declared that has declared anything.
    pub(super) fn undo(&mut self) -> bool {
        let now = self.compiler.ck.mark();
        while let Some(mark) = self.history.pop() {
            if mark < now {
                self.compiler.ck.take_back(mark);
                return true;
            }
        }
        false
    }

    /// Takes back all that has been declared.
    pub(super) fn reset(&mut self) {
        self.compiler.ck.take_back(self.begin);
        self.history.clear();
        self.waiting.clear();
        self.kept.clear();
    }

    // Pieces.

    fn piece(
        &mut self,
        piece: Piece,
        again: impl Fn() -> Option<Piece>,
        steps: &mut Steps,
    ) -> Result<(), Diagnostics> {
        match piece {
            Piece::Decls(file) => {
                let file = leak(file);
                let mut errors = Diagnostics::new();
                if driver::refuse_internal(&[file], None, &mut errors) {
                    return Err(errors);
                }
                match self.declarations(file, steps) {
                    Err(errors) if is_for_names(&errors) && has_functions_only(file) => {
                        self.wait(file, &errors, steps);
                        Ok(())
                    }
                    result => result,
                }
            }
            Piece::Vars(file) => self.add(&[leak(file)], true, steps),
            Piece::Stmts(file) => self.add(&[leak(file)], false, steps),
            Piece::Value(e) => self.value(e, again, steps),
        }
    }

    /// Declares what a file declares, and what has waited for it.
    fn declarations(&mut self, file: &'static File, steps: &mut Steps) -> Result<(), Diagnostics> {
        let errors = match self.add(&[file], false, steps) {
            Ok(()) => return Ok(()),
            Err(errors) => errors,
        };
        // Perhaps it needs what waits for it.
        let names = declared_by(file);
        let is_wanted = |w: &Waiting| {
            w.missing
                .iter()
                .any(|m| names.iter().any(|n| n.as_str() == m))
        };
        let (wanted, others) = self.waiting.drain(..).partition(is_wanted);
        self.waiting = others;
        let files = std::iter::once(file).chain(wanted.iter().map(|w: &Waiting| w.file));
        let files: Vec<&'static File> = files.collect();
        if files.len() > 1 && self.add(&files, false, steps).is_ok() {
            return Ok(());
        }
        self.waiting.extend(wanted);
        Err(errors)
    }

    /// Keeps functions until the names are declared that they mention.
    fn wait(&mut self, file: &'static File, errors: &Diagnostics, steps: &mut Steps) {
        let names = declared_by(file);
        let mut missing: Vec<String> = errors.as_slice().iter().filter_map(undefined).collect();
        missing.dedup();
        let list = |names: &[String]| names.join(", ");
        let own: Vec<String> = names.iter().map(|n| n.to_string()).collect();
        let verb = if own.len() == 1 { "waits" } else { "wait" };
        let note = format!("{} {verb} for {}", list(&own), list(&missing));
        steps.notes.push(note);
        self.waiting
            .retain(|w| !w.names.iter().any(|n| names.contains(n)));
        self.waiting.push(Waiting {
            file,
            names,
            missing,
        });
    }

    /// An expression, or a call that has no results to show.
    fn value(
        &mut self,
        e: Expr,
        again: impl Fn() -> Option<Piece>,
        steps: &mut Steps,
    ) -> Result<(), Diagnostics> {
        let pos = e.start();
        let id = e.id;
        let callee = callee_of(&e);
        let file = results(pos, e, 1);
        let added = self.add_as(What::Value, &[file], true, steps);
        let tv = self.compiler.ck.info.get(id).cloned();
        let is_print = callee.is_some_and(|id| self.is_print(id));
        let count = match tv {
            Some(tv) if callee.is_some() && tv.mode == Mode::NoValue => 0,
            Some(tv) => match self.compiler.ck.types.get(tv.ty) {
                Type::Tuple(types) => types.len(),
                _ => 1,
            },
            None => 1,
        };
        let is_statement = count == 0 || is_print;
        if !is_statement && count == 1 {
            added?;
            return self.show(pos, 1, steps);
        }
        let Some(Piece::Value(e)) = again() else {
            return added;
        };
        if is_statement {
            if added.is_ok() {
                self.drop_last(steps);
            }
            let stmt = Stmt {
                pos: e.pos,
                kind: StmtKind::Expr(e),
            };
            return self.add(
                &[leak(file_with(pos, init_with(pos, vec![stmt])))],
                false,
                steps,
            );
        }
        self.add_as(What::Value, &[results(pos, e, count)], true, steps)?;
        self.show(pos, count, steps)
    }

    /// Takes the last step of an input back.
    fn drop_last(&mut self, steps: &mut Steps) {
        if let Some(last) = steps.rest.pop_back() {
            self.compiler.ck.take_back(last.mark);
        }
    }

    /// Is a call of this function for what it prints?
    fn is_print(&self, id: NodeId) -> bool {
        let ck = &self.compiler.ck;
        let Some(obj) = ck.info.object(id) else {
            return false;
        };
        let o = ck.obj(obj);
        let is_fmt = o.pkg.is_some_and(|p| ck.pkg(p).path == "fmt");
        let name = o.name.as_str();
        is_fmt && (name.starts_with("Print") || name.starts_with("Fprint"))
    }

    /// Shows the results that the last step has declared.
    fn show(&mut self, pos: Pos, count: usize, steps: &mut Steps) -> Result<(), Diagnostics> {
        let Some(Checked { step, .. }) = steps.rest.back() else {
            return Ok(());
        };
        let ck = &self.compiler.ck;
        let mut stmts = Vec::new();
        for &(obj, _) in &step.declared {
            let o = ck.obj(obj);
            let typ = ck.type_string_rel(o.ty, Some(self.pkg));
            let text = ExprKind::BasicLit {
                kind: LitKind::String,
                text: format!("{typ:?}").into(),
            };
            let descriptor = ExprKind::BasicLit {
                kind: LitKind::Int,
                text: self.values.to_string().into(),
            };
            let is_alone = name_of(pos, if count == 1 { "true" } else { "false" });
            let args = vec![
                Expr::new(pos, descriptor),
                name_of(pos, o.name.as_str()),
                Expr::new(pos, text),
                is_alone,
            ];
            stmts.push(Stmt {
                pos,
                kind: StmtKind::Expr(call_of(SHOWER, "Show", pos, args)),
            });
        }
        let file = leak(file_with(pos, init_with(pos, stmts)));
        self.add_as(What::Echo, &[file], false, steps)
    }

    // Steps.

    /// Checks files as one step; packages of the library that they use are imported.
    fn add(
        &mut self,
        files: &[&'static File],
        is_late: bool,
        steps: &mut Steps,
    ) -> Result<(), Diagnostics> {
        self.add_as(What::Own, files, is_late, steps)
    }

    fn add_as(
        &mut self,
        what: What,
        files: &[&'static File],
        is_late: bool,
        steps: &mut Steps,
    ) -> Result<(), Diagnostics> {
        let mark = self.compiler.ck.mark();
        let mut tried = Vec::new();
        loop {
            let errors = match self.step(files, is_late) {
                Ok(step) => {
                    let imports = tried.iter().map(|path| format!("import {path:?}"));
                    steps.notes.extend(imports);
                    self.tell_users(&step, steps);
                    steps.rest.push_back(Checked {
                        mark,
                        files: files.to_vec(),
                        step,
                        what,
                    });
                    return self.wake(steps);
                }
                Err(errors) => errors,
            };
            let mut has_imported = false;
            for e in errors.as_slice() {
                let path = undefined(e).and_then(|name| self.packages.get(&name).copied());
                let Some(path) = path.filter(|_| is_qualifier(e.pos)) else {
                    continue;
                };
                if tried.contains(&path) {
                    continue;
                }
                tried.push(path);
                has_imported |= self.step(&[import(None, path)], false).is_ok();
            }
            if !has_imported {
                self.compiler.ck.take_back(mark);
                return Err(errors);
            }
        }
    }

    fn step(&mut self, files: &[&'static File], is_late: bool) -> Result<Step, Diagnostics> {
        let ck = &mut self.compiler.ck;
        let step = ck.check_step(files, is_late);
        step.ok_or_else(|| std::mem::take(&mut ck.diags))
    }

    /// Declares what has waited for the last step.
    fn wake(&mut self, steps: &mut Steps) -> Result<(), Diagnostics> {
        let ck = &self.compiler.ck;
        let is_there = |m: &String| ck.find_in_package(self.pkg, Symbol::new(m)).is_some();
        let ready = self
            .waiting
            .iter()
            .position(|w| w.missing.iter().all(is_there));
        let Some(at) = ready else { return Ok(()) };
        let waiting = self.waiting.remove(at);
        // Where it has other errors, they have been told in vain: it is forgotten.
        if let Err(errors) = self.add(&[waiting.file], false, steps) {
            let failed = Failed::Errors(errors, Vec::new()).to_string();
            steps.notes.extend(failed.lines().map(String::from));
        }
        Ok(())
    }

    /// Says who goes on with what the names of a step meant before.
    fn tell_users(&self, step: &Step, steps: &mut Steps) {
        let ck = &self.compiler.ck;
        for &(new, before) in &step.declared {
            let Some(before) = before else { continue };
            let is_same = |pairs: &[(ObjId, ObjId)]| pairs.iter().any(|(n, _)| *n == new);
            if is_same(&step.shared) || is_same(&step.replacing) {
                continue;
            }
            let users: Vec<String> = ck.users_of(before).iter().map(|o| self.title(*o)).collect();
            if !users.is_empty() {
                let verb = if users.len() == 1 { "uses" } else { "use" };
                let name = ck.obj(new).name;
                let note = format!("{} still {verb} the old {name}", users.join(", "));
                steps.notes.push(note);
            }
        }
    }

    /// A name, or a method's with that of its type.
    fn title(&self, obj: ObjId) -> String {
        let ck = &self.compiler.ck;
        match &ck.obj(obj).kind {
            ObjKind::Func(_) => self.compiler.method_name(obj),
            _ => ck.obj(obj).name.to_string(),
        }
    }

    /// What may help to understand errors.
    fn notes_on(&self, errors: &Diagnostics) -> Vec<String> {
        let mut notes: Vec<String> = Vec::new();
        for name in errors.as_slice().iter().filter_map(undefined) {
            let is_named = |w: &&Waiting| w.names.iter().any(|n| n.as_str() == name);
            if let Some(waiting) = self.waiting.iter().find(is_named) {
                notes.push(format!("{name} waits for {}", waiting.missing.join(", ")));
            }
        }
        let is_goodbye = |name: &String| name == "exit" || name == "quit";
        if errors
            .as_slice()
            .iter()
            .filter_map(undefined)
            .any(|name| is_goodbye(&name))
        {
            notes.push(":quit or Ctrl-D ends the session".into());
        }
        notes.dedup();
        notes
    }
}

fn leak(file: File) -> &'static File {
    Box::leak(Box::new(file))
}

/// The declaration of `count` variables for the results of `e`, the last of which is `it`.
fn results(pos: Pos, e: Expr, count: usize) -> &'static File {
    let numbered = (1..count).map(|n| format!("it·{n}"));
    let names: Vec<Ident> = numbered
        .chain(std::iter::once("it".to_string()))
        .map(|name| name_at(pos, &name))
        .collect();
    let spec = VarSpec {
        pos,
        names,
        ty: None,
        values: vec![e],
        group: 0,
    };
    leak(file_with(pos, Decl::Var(spec)))
}

/// A file that imports a package.
fn import(local: Option<&str>, path: &str) -> &'static File {
    leak(file_with(Pos::NONE, import_of(local, path)))
}

/// The id by which the function of a call is known.
fn callee_of(e: &Expr) -> Option<NodeId> {
    let ExprKind::Call { fun, .. } = &e.unparen().kind else {
        return None;
    };
    let fun = fun.unparen();
    Some(match &fun.kind {
        ExprKind::Selector { sel, .. } => sel.id,
        _ => fun.id,
    })
}

/// The name that an error says is not declared.
fn undefined(e: &syntax::diagnostics::Diagnostic) -> Option<String> {
    e.message.strip_prefix("undefined: ").map(String::from)
}

/// Does a dot follow the name at `pos`?
fn is_qualifier(pos: Pos) -> bool {
    let Some(file) = source::map().file(pos) else {
        return false;
    };
    let text = &file.text[(pos.0 - file.base) as usize..];
    let is_name = |c: char| c == '_' || c.is_alphanumeric();
    text.trim_start_matches(is_name).starts_with('.')
}

/// Are names that are not declared all that is wrong?
fn is_for_names(errors: &Diagnostics) -> bool {
    errors.as_slice().iter().all(|e| undefined(e).is_some())
}

fn has_functions_only(file: &File) -> bool {
    file.decls
        .iter()
        .all(|d| matches!(d, Decl::Func(decl) if decl.recv.is_none()))
}

fn declared_by(file: &File) -> Vec<Symbol> {
    let name = |decl: &Decl| match decl {
        Decl::Func(decl) => Some(decl.name.name),
        _ => None,
    };
    file.decls.iter().filter_map(name).collect()
}
