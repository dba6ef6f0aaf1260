//! What commands and the editor ask a session: what names mean, what types expressions have, what a
//! text may go on with, where a channel is.

use super::{Failed, SHOWER, Session, Steps, What, leak};
use source::Pos;
use syntax::ast::{Expr, ExprKind, LitKind, Stmt, StmtKind, Symbol};
use syntax::diagnostics::Diagnostics;
use syntax::parser::input::{Piece, call_of, file_with, init_with, is_incomplete, parse_input};
use types::{ObjId, ObjKind, PkgId, Type};
use vm::prompt::Kind;

/// Go's keywords. Spec: Keywords.
const KEYWORDS: &[&str] = &[
    "break",
    "case",
    "chan",
    "const",
    "continue",
    "default",
    "defer",
    "else",
    "fallthrough",
    "for",
    "func",
    "go",
    "goto",
    "if",
    "import",
    "interface",
    "map",
    "package",
    "range",
    "return",
    "select",
    "struct",
    "switch",
    "type",
    "var",
];

impl Session {
    /// The text of the input that has declared a name, or of the last one.
    pub(in crate::repl) fn text_of(&mut self, name: &str) -> Option<String> {
        let pos = match name {
            "" => self.last?,
            name => {
                let obj = self.object(name)?;
                self.compiler.ck.obj(obj).pos
            }
        };
        let file = source::map().file(pos)?;
        (!file.text.is_empty()).then(|| file.text.trim_end().to_string())
    }

    /// What a name means, with the comment above its declaration, or where there is more.
    pub(in crate::repl) fn doc(&mut self, text: &str) -> Option<String> {
        let shown = self.info(text)?;
        let obj = self.object(text)?;
        let o = self.compiler.ck.obj(obj);
        if o.pkg.is_none_or(|pkg| pkg == self.pkg) {
            let alone = self.comments.get(&obj).cloned().unwrap_or_default();
            return Some(alone + &comment_above(o.pos) + &shown);
        }
        let path = &self.compiler.ck.pkg(o.pkg?).path;
        let (_, name) = text.split_once('.')?;
        Some(format!("{shown}https://pkg.go.dev/{path}#{name}\n"))
    }

    /// The object of a name, which may be one of a package (`strings.Builder`) or of a type
    /// (`T.Method`).
    fn object(&mut self, text: &str) -> Option<ObjId> {
        let ck = &self.compiler.ck;
        let Some((before, name)) = text.rsplit_once('.') else {
            return ck.find_in_package(self.pkg, Symbol::new(text));
        };
        let name = Symbol::new(name);
        if let Some(pkg) = self.package_called(before) {
            let found = self.compiler.ck.find_in_package(pkg, name);
            return found.filter(|_| name.is_exported());
        }
        let base = self.object(before)?;
        let ck = &mut self.compiler.ck;
        ck.ensure_decl(base);
        let Type::Named(named) = ck.types.get(ck.obj(base).ty) else {
            return None;
        };
        let mut methods = named.methods.iter().copied();
        methods.find(|m| ck.obj(*m).name == name)
    }

    /// The names that a text may go on with, and where in it the last word begins.
    pub(in crate::repl) fn complete(&mut self, text: &str) -> (usize, Vec<String>) {
        let is_name = |c: char| c == '_' || c.is_alphanumeric();
        let word = text.trim_end_matches(is_name).len();
        let (before, begun) = text.split_at(word);
        let mut names = match before.strip_suffix('.') {
            Some(before) => self.members(operand_at_end(before)),
            None => {
                // Labels and local variables are known by having been typed.
                let typed = before.split(|c| !is_name(c)).filter(|w| !w.is_empty());
                let typed = typed.filter(|w| !w.starts_with(|c: char| c.is_ascii_digit()));
                let mut names: Vec<String> = typed.map(String::from).collect();
                names.extend(self.all_names());
                names
            }
        };
        names.retain(|name| name.starts_with(begun) && !name.contains('·') && name != "_");
        names.sort();
        names.dedup();
        (word, names)
    }

    /// All that can stand at the beginning of an operand.
    fn all_names(&self) -> Vec<String> {
        let ck = &self.compiler.ck;
        let own = ck
            .names_of_session()
            .into_iter()
            .map(|obj| ck.obj(obj).name.to_string());
        let imports = ck
            .imports_of_session()
            .into_iter()
            .map(|(name, _)| name.to_string());
        let predeclared = ck.predeclared().into_iter().map(|name| name.to_string());
        let keywords = KEYWORDS.iter().map(|k| k.to_string());
        let packages = self.packages.keys().cloned();
        own.chain(imports)
            .chain(packages)
            .chain(predeclared)
            .chain(keywords)
            .collect()
    }

    /// What can stand behind the dot after an operand.
    fn members(&mut self, operand: &str) -> Vec<String> {
        if let Some(pkg) = self.package_called(operand) {
            let ck = &self.compiler.ck;
            let names = ck.names_of(pkg).into_iter();
            return names
                .filter(|n| n.is_exported())
                .map(|n| n.to_string())
                .collect();
        }
        let Some(ty) = self.static_type(operand) else {
            return Vec::new();
        };
        let members = self.compiler.ck.members(ty, self.pkg);
        members.into_iter().map(|n| n.to_string()).collect()
    }

    /// The package that a name of the session means, or would by being used.
    fn package_called(&mut self, name: &str) -> Option<PkgId> {
        if self
            .compiler
            .ck
            .find_in_package(self.pkg, Symbol::new(name))
            .is_some()
        {
            return None;
        }
        let imports = self.compiler.ck.imports_of_session();
        if let Some((_, pkg)) = imports.iter().find(|(n, _)| n.as_str() == name) {
            return Some(*pkg);
        }
        let path = self.packages.get(name)?;
        self.compiler.ck.import_package(path).ok()
    }

    /// The parameters and results of a function that a text ends with, and the bracket that ends
    /// the parameters.
    pub(in crate::repl) fn parameters(&mut self, text: &str) -> Option<String> {
        let operand = operand_at_end(text);
        let typ = self.type_of(operand).ok()?;
        typ.strip_prefix("func(").map(String::from)
    }

    /// The type of an expression, if it is one that has a single value.
    fn static_type(&mut self, text: &str) -> Option<types::TypeId> {
        let mark = self.compiler.ck.mark();
        let steps = self.value_of(text).ok()?;
        let ck = &self.compiler.ck;
        let last = steps.rest.iter().rev().flat_map(|c| &c.step.declared);
        let mut its = last.filter(|(obj, _)| ck.obj(*obj).name.as_str() == "it");
        let ty = its.next().map(|(obj, _)| ck.obj(*obj).ty);
        self.compiler.ck.take_back(mark);
        ty
    }

    /// Checks a text that must be an expression; the caller takes it back.
    fn value_of(&mut self, text: &str) -> Result<Steps, Failed> {
        let source = source::map().add("expression", "expression", format!("{text}\n"));
        let mut errors = Diagnostics::new();
        match parse_input(source, &mut errors).as_deref() {
            Some([Piece::Value(_)]) => {}
            Some(_) => return Err(wrong_expression(text, "is not an expression")),
            None => {}
        }
        if !errors.is_empty() {
            return Err(Failed::Errors(errors, Vec::new()));
        }
        let steps = self.check("stdin", 1, format!("{text}\n").into_bytes())?;
        self.history.pop();
        Ok(steps)
    }

    /// The types of the results of an expression.
    pub(in crate::repl) fn type_of(&mut self, text: &str) -> Result<String, Failed> {
        let mark = self.compiler.ck.mark();
        let steps = self.value_of(text)?;
        let ck = &self.compiler.ck;
        let mut types = Vec::new();
        for checked in &steps.rest {
            let shown = checked.step.declared.iter().map(|(obj, _)| ck.obj(*obj));
            let results = shown.filter(|o| o.name.as_str().starts_with("it"));
            types.extend(results.map(|o| ck.type_string_rel(o.ty, Some(self.pkg))));
        }
        self.compiler.ck.take_back(mark);
        match &types[..] {
            [] => Ok("no value".into()),
            [one] => Ok(one.clone()),
            several => Ok(format!("({})", several.join(", "))),
        }
    }

    /// The objects that can be named, those apart that only the session itself knows.
    fn names(&self, is_wanted: impl Fn(&ObjKind) -> bool) -> Vec<ObjId> {
        let ck = &self.compiler.ck;
        let mut names = ck.names_of_session();
        names.retain(|&obj| {
            let o = ck.obj(obj);
            is_wanted(&o.kind) && !o.name.as_str().contains('·')
        });
        names
    }

    fn lines(&self, objs: &[ObjId]) -> String {
        let ck = &self.compiler.ck;
        let line = |&obj: &ObjId| {
            let o = ck.obj(obj);
            let text = ck.object_string(obj, Some(self.pkg));
            match &o.kind {
                // A method is shown with its type.
                ObjKind::Func(f) if f.recv_named().is_some() => {
                    let name = self.compiler.method_name(obj);
                    text.replacen(o.name.as_str(), &name, 1) + "\n"
                }
                ObjKind::Const(value) => format!("{text} = {value}\n"),
                _ => text + "\n",
            }
        };
        objs.iter().map(line).collect()
    }

    pub(in crate::repl) fn variables(&self) -> String {
        self.lines(&self.names(|kind| matches!(kind, ObjKind::Var(_) | ObjKind::Const(_))))
    }

    pub(in crate::repl) fn functions(&self) -> String {
        self.lines(&self.names(|kind| matches!(kind, ObjKind::Func(_))))
    }

    pub(in crate::repl) fn types(&self) -> String {
        let types = self.names(|kind| matches!(kind, ObjKind::TypeName { .. }));
        types.iter().map(|&obj| self.with_methods(obj)).collect()
    }

    pub(in crate::repl) fn imports(&self) -> String {
        let ck = &self.compiler.ck;
        let imports = ck.imports_of_session();
        let line = |(name, pkg): &(Symbol, PkgId)| {
            let path = &ck.pkg(*pkg).path;
            let is_own = types::session::package_name(path) == name.as_str();
            match (is_own, name.as_str()) {
                (_, hidden) if hidden.contains('·') => String::new(),
                (true, _) => format!("import {path:?}\n"),
                (false, name) => format!("import {name} {path:?}\n"),
            }
        };
        imports.iter().map(line).collect()
    }

    /// What a name means, or one of a package or type: `strings.Builder`.
    pub(in crate::repl) fn info(&mut self, text: &str) -> Option<String> {
        let obj = self.object(text)?;
        self.compiler.ck.ensure_decl(obj);
        Some(self.with_methods(obj))
    }

    /// An object and, of a type, its methods.
    fn with_methods(&self, obj: ObjId) -> String {
        let ck = &self.compiler.ck;
        let mut objs = vec![obj];
        let is_type = matches!(ck.obj(obj).kind, ObjKind::TypeName { .. });
        if is_type && let Type::Named(named) = ck.types.get(ck.obj(obj).ty) {
            let is_own = ck.obj(obj).pkg == Some(self.pkg);
            let methods = named.methods.iter().copied();
            objs.extend(methods.filter(|m| is_own || ck.obj(*m).name.is_exported()));
        }
        self.lines(&objs)
    }

    /// What has the runtime look at the channel or lock that an expression is.
    pub(in crate::repl) fn look_at(&mut self, text: &str) -> Result<(Steps, Kind), Failed> {
        let typ = self.type_of(text)?;
        let named = typ.trim_start_matches('*');
        let is_chan = ["chan ", "<-chan ", "chan<- "]
            .iter()
            .any(|c| typ.starts_with(c));
        let kind = match named {
            "sync.Mutex" => Kind::Mutex,
            "sync.RWMutex" => Kind::RwMutex,
            "sync.WaitGroup" => Kind::WaitGroup,
            "sync.Cond" => Kind::Cond,
            _ if is_chan => Kind::Chan,
            _ => return Err(wrong_expression(text, "is no channel and no lock")),
        };
        let stars = typ.len() - named.len();
        let operand = match stars {
            0 if !is_chan => format!("&({text})"),
            _ => format!("{}({text})", "*".repeat(stars.saturating_sub(1))),
        };
        let source = source::map().add("stdin", "stdin", operand + "\n");
        let mut errors = Diagnostics::new();
        let pieces = parse_input(source, &mut errors).unwrap_or_default();
        let Some(Piece::Value(x)) = pieces.into_iter().next() else {
            return Err(Failed::Errors(errors, Vec::new()));
        };
        let pos = x.pos;
        let call = Stmt {
            pos,
            kind: StmtKind::Expr(call_of(SHOWER, "Who", pos, vec![x])),
        };
        let mut steps = Steps::default();
        let file = leak(file_with(pos, init_with(pos, vec![call])));
        let added = self.add_as(What::Echo, &[file], false, &mut steps);
        added.map_err(|errors| Failed::Errors(errors, Vec::new()))?;
        Ok((steps, kind))
    }

    /// What `it` means, if that is the value of the last input.
    pub(in crate::repl) fn last_value(&self) -> Option<ObjId> {
        let it = self
            .compiler
            .ck
            .find_in_package(self.pkg, Symbol::new("it"))?;
        let last = self.kept.iter().filter(|k| k.unit + 1 == self.units);
        let mut declared = last.flat_map(|k| &k.step.declared);
        declared.any(|(obj, _)| *obj == it).then_some(it)
    }

    /// Makes `it`, which is to be this value still, a channel that gets it when the goroutine of
    /// its input has ended.
    pub(in crate::repl) fn detach(&mut self, input: u64, value: ObjId) -> Option<Steps> {
        let it = self
            .compiler
            .ck
            .find_in_package(self.pkg, Symbol::new("it"));
        if it != Some(value) {
            return None;
        }
        let source = source::map().add("stdin", "stdin", "&it\n".to_string());
        let call = || {
            let pieces = parse_input(source, &mut Diagnostics::new())?;
            let Some(Piece::Value(it)) = pieces.into_iter().next() else {
                return None;
            };
            let pos = it.pos;
            let number = ExprKind::BasicLit {
                kind: LitKind::Int,
                text: input.to_string().into(),
            };
            let args = vec![it, Expr::new(pos, number)];
            Some(call_of(SHOWER, "Later", pos, args))
        };
        let mut steps = Steps::default();
        self.value(call()?, || call().map(Piece::Value), &mut steps)
            .ok()?;
        Some(steps)
    }
}

/// The comment above the line of a declaration.
fn comment_above(pos: Pos) -> String {
    let Some(file) = source::map().file(pos) else {
        return String::new();
    };
    let offset = (pos.0 - file.base) as usize;
    let Some(before) = file.text.get(..offset) else {
        return String::new();
    };
    let mut lines: Vec<&str> = before.lines().rev().skip(1).collect();
    let is_comment = |line: &&str| line.starts_with("//") && !line.starts_with("//go:");
    lines.truncate(lines.iter().take_while(|line| is_comment(line)).count());
    lines.iter().rev().map(|line| format!("{line}\n")).collect()
}

/// Whether a text is an input, or the beginning of one, as the protocol calls it.
pub(in crate::repl) fn completeness(text: &str) -> &'static str {
    if crate::repl::commands::is_command(text) {
        return "complete";
    }
    if is_incomplete(text) {
        return "incomplete";
    }
    let source = source::map().add("input", "input", format!("{text}\n"));
    match parse_input(source, &mut Diagnostics::new()) {
        Some(_) => "complete",
        None => "invalid",
    }
}

/// The operand that a text ends with, as far as it is made of names, dots and calls.
fn operand_at_end(text: &str) -> &str {
    let mut depth = 0;
    let mut begin = text.len();
    for (i, c) in text.char_indices().rev() {
        match c {
            ')' | ']' => depth += 1,
            '(' | '[' if depth > 0 => depth -= 1,
            '_' | '.' => {}
            c if c.is_alphanumeric() || depth > 0 => {}
            _ => break,
        }
        begin = i;
    }
    &text[begin..]
}

/// The error that `text` is not what was to be.
fn wrong_expression(text: &str, why: &str) -> Failed {
    let source = source::map().add("expression", "expression", format!("{text}\n"));
    let mut errors = Diagnostics::new();
    errors.error(Pos(source.base), format!("{text} {why}"));
    Failed::Errors(errors, Vec::new())
}
