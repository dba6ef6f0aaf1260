//! Types as text: in messages, and at run time.
//!
//! Messages qualify names of other packages by the package's name (by its quoted path where two
//! packages share a name); the run time qualifies every name by package name, and writes
//! `interface {}` and `struct { X int }` with blanks, as package reflect does.
//!
//! Go: go/types (typestring.go, object.go);
//! cmd/compile/internal/types/fmt.go for the run-time names.

use super::*;
use std::fmt::Write;

/// What the text is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    /// An error message about a program in this package.
    Message(Option<PkgId>),
    /// `reflect.Type.String`.
    Runtime,
    /// Full package paths and unique local types: keys.
    Canonical,
}

struct Writer<'a> {
    p: &'a Program,
    out: String,
    style: Style,
    /// Type parameters of the generic signatures being written in canonical style.
    tparams: Vec<TypeId>,
    depth: u32,
    seen: Vec<TypeId>,
    /// Parameters are shown without their names.
    anonymous: bool,
    /// Names of this package are not qualified at run time either.
    home: Option<PkgId>,
    /// Type parameters that are shown as shapes, and the types whose shapes these are.
    shapes: (Vec<TypeId>, Vec<TypeId>),
    /// Names of fields are qualified.
    is_shape: bool,
    /// What types are called, where they are not called as ever.
    names: Option<&'a dyn Fn(ObjId) -> Option<String>>,
}

impl Program {
    /// The type as messages about `rel` show it (`None`: every package is named).
    pub fn type_string_rel(&self, t: TypeId, rel: Option<PkgId>) -> String {
        self.write_type(t, Style::Message(rel))
    }
    /// The type as messages show it where Go has no package at hand: every package is named by its
    /// path.
    pub fn type_string(&self, t: TypeId) -> String {
        self.write_type(t, Style::Message(None))
    }
    /// As [`type_string_rel`](Self::type_string_rel), with type parameters behind it.
    pub(super) fn generic_string(
        &self,
        t: TypeId,
        tparams: &[TypeId],
        rel: Option<PkgId>,
    ) -> String {
        let mut w = self.writer(Style::Message(rel));
        w.ty(t);
        w.tparam_list(tparams);
        w.out
    }
    /// The type as `reflect.Type.String` and `%T` show it.
    pub fn runtime_string(&self, t: TypeId) -> String {
        self.write_type(t, Style::Runtime)
    }
    /// A text that identical types share and others do not:
    /// full package paths, local types numbered.
    pub(crate) fn canonical_string(&self, t: TypeId) -> String {
        self.write_type(t, Style::Canonical)
    }
    pub(super) fn canonical_sig(&self, s: &Signature) -> String {
        let mut w = self.writer(Style::Canonical);
        w.tparams.extend(&s.tparams);
        w.signature(s);
        for &t in &s.tparams {
            w.out.push(';');
            if let Type::TypeParam(p) = self.types.get(t) {
                w.ty(p.constraint);
            }
        }
        w.out
    }
    fn writer(&self, style: Style) -> Writer<'_> {
        Writer {
            p: self,
            out: String::new(),
            style,
            tparams: Vec::new(),
            depth: 0,
            seen: Vec::new(),
            anonymous: false,
            home: None,
            shapes: Default::default(),
            is_shape: false,
            names: None,
        }
    }
    /// The type as a program of its own writes it, in which types have the names that `names` says.
    pub fn type_string_named(&self, t: TypeId, names: &dyn Fn(ObjId) -> Option<String>) -> String {
        let mut w = Writer {
            names: Some(names),
            ..self.writer(Style::Message(None))
        };
        w.ty(t);
        w.out
    }
    /// The type as messages of the compiler's back end show it in package `home`: type parameters
    /// `from` are shown as the shapes of what they stand for.
    pub fn compiler_string(
        &self,
        t: TypeId,
        home: Option<PkgId>,
        from: &[TypeId],
        to: &[TypeId],
    ) -> String {
        let mut w = self.writer(Style::Runtime);
        w.home = home;
        w.shapes = (from.to_vec(), to.to_vec());
        w.ty(t);
        w.out
    }
    fn write_type(&self, t: TypeId, style: Style) -> String {
        let mut w = self.writer(style);
        w.ty(t);
        w.out
    }

    /// A signature without `func`: `(x int) string`.
    pub(crate) fn signature_string(&self, t: TypeId, rel: Option<PkgId>) -> String {
        let mut w = self.writer(Style::Message(rel));
        if let Type::Signature(s) = self.under_type(t) {
            w.signature(s);
        }
        w.out
    }

    /// The results of a signature in parentheses, with their names.
    pub(super) fn results_string(&self, t: TypeId, rel: Option<PkgId>) -> String {
        let mut w = self.writer(Style::Message(rel));
        if let Type::Signature(s) = self.under_type(t) {
            w.tuple(&s.results, false);
        }
        w.out
    }

    /// A method as the "have … want …" lines show it: `Name(args) results`.
    pub(crate) fn func_string(&self, f: ObjId, rel: Option<PkgId>, with_pkg: bool) -> String {
        let o = self.obj(f);
        let mut w = self.writer(Style::Message(rel));
        w.anonymous = true;
        if with_pkg && let (Some(pkg), false) = (o.pkg, o.name.is_exported()) {
            w.out.push_str(&self.pkg(pkg).path);
            w.out.push('.');
        }
        w.out.push_str(o.name.as_str());
        if let Type::Signature(s) = self.types.get(o.ty) {
            w.signature(s);
        }
        w.out
    }

    /// An object as messages show it: `var x int`, `func f()`, `type T struct{}`.
    pub fn object_string(&self, id: ObjId, rel: Option<PkgId>) -> String {
        let o = self.obj(id);
        let t = || self.type_string_rel(o.ty, rel);
        let name = match (o.pkg, o.parent) {
            (Some(p), Some(s)) if Some(p) != rel && self.pkg(p).scope == s => {
                format!("{}.{}", self.pkg(p).name, o.name)
            }
            _ => o.name.to_string(),
        };
        match &o.kind {
            ObjKind::PkgName { imported, .. } => {
                let p = self.pkg(*imported);
                format!("package {} ({:?})", o.name, p.path)
            }
            ObjKind::Const(_) => format!("const {name} {}", t()),
            ObjKind::TypeName { .. } => {
                let u = self.type_string_rel(self.under(o.ty), rel);
                if u == name {
                    format!("type {name}")
                } else {
                    format!("type {name} {u}")
                }
            }
            ObjKind::Var(v) if v.is_field => format!("field {name} {}", t()),
            ObjKind::Var(_) => format!("var {name} {}", t()),
            ObjKind::Func(_) => format!("func {name}{}", self.signature_string(o.ty, rel)),
            ObjKind::Builtin(_) => format!("builtin {name}"),
            ObjKind::Nil => "nil".into(),
        }
    }
}

impl Writer<'_> {
    fn shows_names(&self) -> bool {
        matches!(self.style, Style::Message(_)) && !self.anonymous
    }

    fn is_runtime(&self) -> bool {
        self.style == Style::Runtime
    }

    fn qualify(&mut self, pkg: Option<PkgId>) {
        let Some(pkg) = pkg else { return };
        let p = self.p.pkg(pkg);
        match self.style {
            Style::Message(Some(rel)) if rel == pkg => {}
            Style::Runtime if self.home == Some(pkg) => {}
            Style::Message(None) if self.names.is_none() => {
                let _ = write!(self.out, "{}.", p.path);
            }
            Style::Message(_) => {
                // In Go these have namesakes in internal/ that are loaded with them. Not so here,
                // so their paths are quoted as if they had. At a prompt nobody would understand it.
                let has_namesake = matches!(&p.path[..], "sync" | "sync/atomic" | "strconv");
                let namesake = has_namesake && !self.p.is_session;
                let loaded = self.p.loaded.iter();
                let twins = loaded.filter(|q| self.p.pkg(**q).name == p.name);
                if namesake || twins.count() > 1 {
                    let _ = write!(self.out, "{:?}.", p.path);
                } else {
                    let _ = write!(self.out, "{}.", p.name);
                }
            }
            Style::Runtime => {
                let _ = write!(self.out, "{}.", p.name);
            }
            Style::Canonical => {
                let _ = write!(self.out, "{}.", p.path);
            }
        }
    }

    fn list(&mut self, ts: &[TypeId]) {
        for (i, &t) in ts.iter().enumerate() {
            if i > 0 {
                let is_message = matches!(self.style, Style::Message(_));
                self.out.push_str(if is_message { ", " } else { "," });
            }
            self.ty(t);
        }
    }

    fn ty(&mut self, t: TypeId) {
        if self.depth > 5000 || syntax::nesting::is_low() || self.out.len() > 1 << 20 {
            self.out.push('…');
            return;
        }
        self.depth += 1;
        self.ty1(t);
        self.depth -= 1;
    }

    fn ty1(&mut self, t: TypeId) {
        match t {
            TypeId::BYTE if matches!(self.style, Style::Message(_)) => {
                return self.out.push_str("byte");
            }
            TypeId::RUNE if matches!(self.style, Style::Message(_)) => {
                return self.out.push_str("rune");
            }
            _ => {}
        }
        let p = self.p;
        match p.types.get(t) {
            Type::Basic(b) => self.out.push_str(b.name()),
            Type::Pointer(e) => {
                self.out.push('*');
                self.ty(*e);
            }
            Type::Slice(e) => {
                self.out.push_str("[]");
                self.ty(*e);
            }
            Type::Array { len, elem } => {
                let _ = write!(self.out, "[{len}]");
                self.ty(*elem);
            }
            Type::Map { key, value } => {
                self.out.push_str("map[");
                self.ty(*key);
                self.out.push(']');
                self.ty(*value);
            }
            Type::Chan { dir, elem } => {
                let paren = match dir {
                    ast::ChanDir::Both => {
                        self.out.push_str("chan ");
                        // chan (<-chan T) needs parentheses
                        matches!(
                            p.types.get(*elem),
                            Type::Chan {
                                dir: ast::ChanDir::Recv,
                                ..
                            }
                        )
                    }
                    ast::ChanDir::Send => {
                        self.out.push_str("chan<- ");
                        false
                    }
                    ast::ChanDir::Recv => {
                        self.out.push_str("<-chan ");
                        false
                    }
                };
                if paren {
                    self.out.push('(');
                }
                self.ty(*elem);
                if paren {
                    self.out.push(')');
                }
            }
            Type::Tuple(ts) => {
                self.out.push('(');
                for (i, &t) in ts.iter().enumerate() {
                    if i > 0 {
                        self.out.push_str(", ");
                    }
                    self.ty(t);
                }
                self.out.push(')');
            }
            Type::Signature(s) => {
                self.out.push_str("func");
                self.signature(s);
            }
            Type::Struct(s) => self.strukt(s),
            Type::Interface(it) => self.iface(t, it),
            Type::Named(n) => self.named(n),
            Type::TypeParam(tp) => {
                if let Some(i) = self.shapes.0.iter().position(|&x| x == t) {
                    let mut w = p.writer(Style::Runtime);
                    w.is_shape = true;
                    w.ty(p.under(self.shapes.1[i]));
                    self.out.push_str("go.shape.");
                    self.out.push_str(&w.out);
                } else if self.style == Style::Canonical {
                    if let Some(i) = self.tparams.iter().position(|&x| x == t) {
                        let _ = write!(self.out, "${i}");
                    } else {
                        let _ = write!(self.out, "{}#{}", p.obj(tp.obj).name, t.0);
                    }
                } else {
                    let o = p.obj(tp.obj);
                    self.out.push_str(o.name.as_str());
                    // Where it is named as something that is declared in advance, it is told apart.
                    let is_message = matches!(self.style, Style::Message(_));
                    if is_message && p.scopes.lookup(ScopeId::UNIVERSE, o.name).is_some() {
                        let at = source::map().position(o.pos);
                        let _ = write!(self.out, " /* with {} declared at {at} */", o.name);
                    }
                }
            }
            Type::Union(terms) => self.terms(terms),
            Type::Alias { obj, target, targs } => {
                if matches!(self.style, Style::Message(_)) {
                    self.object(*obj);
                    if !targs.is_empty() {
                        self.out.push('[');
                        self.list(targs);
                        self.out.push(']');
                    }
                } else {
                    self.ty(*target);
                }
            }
        }
    }

    fn named(&mut self, n: &Named) {
        self.object(n.obj);
        if self.style == Style::Canonical && (n.local_index > 0 || self.p.is_session) {
            let _ = write!(self.out, "·{}@{}", n.local_index, n.obj.0);
        }
        let is_message = matches!(self.style, Style::Message(_));
        let targs = match &n.targs[..] {
            // A type of a generic function is told apart by what the function is an instance for.
            [] if !is_message => &n.outer[..],
            targs => targs,
        };
        if !targs.is_empty() {
            self.out.push('[');
            if self.is_runtime() {
                // Arguments are named by full path at run time.
                for (i, &t) in targs.iter().enumerate() {
                    if i > 0 {
                        self.out.push(',');
                    }
                    let text = self.p.link_string(t);
                    self.out.push_str(&text);
                }
            } else {
                self.list(targs);
            }
            self.out.push(']');
        } else if !n.tparams.is_empty() && matches!(self.style, Style::Message(_)) {
            self.tparam_list(&n.tparams);
        }
    }

    /// The qualified name of a type.
    fn object(&mut self, obj: ObjId) {
        if let Some(name) = self.names.and_then(|names| names(obj)) {
            self.out.push_str(&name);
            return;
        }
        let o = self.p.obj(obj);
        // Names of the universe (error, comparable) have no package.
        self.qualify(o.pkg);
        self.out.push_str(o.name.as_str());
        if let (Style::Message(_), Some(n)) = (self.style, self.p.forgotten.get(&obj)) {
            let _ = write!(self.out, "_{n}");
        }
    }

    fn tparam_list(&mut self, tparams: &[TypeId]) {
        self.out.push('[');
        for (i, &t) in tparams.iter().enumerate() {
            let Type::TypeParam(tp) = self.p.types.get(t) else {
                continue;
            };
            let next = tparams.get(i + 1).map(|&n| self.p.types.get(n));
            if i > 0 {
                self.out.push_str(", ");
            }
            self.out.push_str(self.p.obj(tp.obj).name.as_str());
            let same = matches!(next, Some(Type::TypeParam(n)) if n.constraint == tp.constraint);
            if !same {
                self.out.push(' ');
                self.ty(tp.constraint);
            }
        }
        self.out.push(']');
    }

    fn terms(&mut self, terms: &[Term]) {
        for (i, t) in terms.iter().enumerate() {
            if i > 0 {
                self.out.push_str(" | ");
            }
            if t.tilde {
                self.out.push('~');
            }
            self.ty(t.ty);
        }
    }

    fn strukt(&mut self, s: &StructType) {
        let run = self.is_runtime();
        self.out.push_str(if run { "struct {" } else { "struct{" });
        for (i, &f) in s.fields.iter().enumerate() {
            let o = self.p.obj(f);
            let embedded = self.p.objs.embedded(&o.kind);
            if i > 0 {
                self.out.push(';');
            }
            if run || i > 0 {
                self.out.push(' ');
            }
            if !embedded {
                let is_qualified = self.style == Style::Canonical || self.is_shape;
                if is_qualified && !o.name.is_exported() {
                    self.qualify(o.pkg);
                }
                self.out.push_str(o.name.as_str());
                self.out.push(' ');
            } else if self.style == Style::Canonical {
                self.out.push_str("@ ");
            } else if let (Style::Message(_), Type::Alias { .. }) =
                (self.style, self.p.types.get(o.ty))
            {
                // the alias name says it
            }
            self.ty(o.ty);
            let tag = s.tag(i);
            if !tag.is_empty() {
                let _ = write!(self.out, " {}", quote(tag.as_bytes()));
            }
        }
        self.out.push_str(if run && !s.fields.is_empty() {
            " }"
        } else {
            "}"
        });
    }

    fn iface(&mut self, t: TypeId, it: &Interface) {
        if let Style::Message(_) = self.style {
            if t == TypeId::EMPTY_INTERFACE && !it.implicit {
                return self.out.push_str("interface{}");
            }
            if it.implicit && it.methods.is_empty() && it.embeds.len() == 1 {
                return self.ty(it.embeds[0].0);
            }
            self.out.push_str("interface{");
            let mut first = true;
            for &m in &it.methods {
                if !std::mem::take(&mut first) {
                    self.out.push_str("; ");
                }
                self.method(m);
            }
            for &(e, _) in &it.embeds {
                if !std::mem::take(&mut first) {
                    self.out.push_str("; ");
                }
                self.ty(e);
            }
            return self.out.push('}');
        }
        if self.seen.contains(&t) {
            return self.out.push_str("interface {…}");
        }
        self.seen.push(t);
        let set = self.p.type_set(t);
        self.out.push_str("interface {");
        for (i, &m) in set.methods.iter().enumerate() {
            self.out.push_str(if i > 0 { "; " } else { " " });
            let o = self.p.obj(m);
            if !o.name.is_exported() {
                self.qualify(o.pkg);
            }
            self.method(m);
        }
        if self.style == Style::Canonical {
            if set.comparable {
                self.out.push_str("; comparable");
            }
            if let Some(terms) = &set.terms {
                self.out.push_str("; ");
                self.terms(terms);
            }
        }
        self.out
            .push_str(if set.methods.is_empty() { "}" } else { " }" });
        self.seen.pop();
    }

    fn method(&mut self, m: ObjId) {
        let o = self.p.obj(m);
        self.out.push_str(o.name.as_str());
        if let Type::Signature(s) = self.p.types.get(o.ty) {
            self.signature(s);
        } else {
            self.out.push_str("()");
        }
    }

    fn signature(&mut self, s: &Signature) {
        if !s.tparams.is_empty() && matches!(self.style, Style::Message(_)) {
            self.tparam_list(&s.tparams);
        }
        self.tuple(&s.params, s.variadic);
        if s.results.is_empty() {
            return;
        }
        self.out.push(' ');
        let r = self.p.obj(s.results[0]);
        let named = matches!(self.style, Style::Message(_)) && !r.name.as_str().is_empty();
        if s.results.len() == 1 && !named {
            return self.ty(r.ty);
        }
        self.tuple(&s.results, false);
    }

    fn tuple(&mut self, vars: &[ObjId], variadic: bool) {
        self.out.push('(');
        for (i, &v) in vars.iter().enumerate() {
            if i > 0 {
                self.out.push_str(", ");
            }
            let o = self.p.obj(v);
            if self.shows_names() && !o.name.as_str().is_empty() {
                self.out.push_str(o.name.as_str());
                self.out.push(' ');
            }
            if variadic && i + 1 == vars.len() {
                match self.p.types.get(o.ty) {
                    Type::Slice(e) => {
                        self.out.push_str("...");
                        self.ty(*e);
                    }
                    // append([]byte, string...)
                    _ => {
                        self.ty(o.ty);
                        self.out.push_str("...");
                    }
                }
            } else {
                self.ty(o.ty);
            }
        }
        self.out.push(')');
    }
}

impl Program {
    /// A type argument inside a run-time name: packages by full path.
    pub(crate) fn link_string(&self, t: TypeId) -> String {
        match self.types.get(self.unalias(t)) {
            Type::Named(n) => {
                let o = self.obj(n.obj);
                let mut out = match o.pkg {
                    Some(p) => format!("{}.{}", self.pkg(p).path, o.name),
                    None => o.name.to_string(),
                };
                if n.local_index > 0 {
                    let _ = write!(out, "·{}", n.local_index);
                }
                let targs = if n.targs.is_empty() {
                    &n.outer
                } else {
                    &n.targs
                };
                if !targs.is_empty() {
                    let args: Vec<String> = targs.iter().map(|&t| self.link_string(t)).collect();
                    let _ = write!(out, "[{}]", args.join(","));
                }
                out
            }
            Type::Pointer(e) => format!("*{}", self.link_string(*e)),
            Type::Slice(e) => format!("[]{}", self.link_string(*e)),
            Type::Array { len, elem } => format!("[{len}]{}", self.link_string(*elem)),
            Type::Map { key, value } => format!(
                "map[{}]{}",
                self.link_string(*key),
                self.link_string(*value)
            ),
            _ => self.runtime_string(t),
        }
    }
}

/// The text in double quotes as Go's `strconv.Quote` writes it.
pub(super) fn quote(s: &[u8]) -> String {
    let mut out = String::from("\"");
    for chunk in s.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '"' => out.push_str("\\\""),
                '\\' => out.push_str("\\\\"),
                '\x07' => out.push_str("\\a"),
                '\x08' => out.push_str("\\b"),
                '\x0c' => out.push_str("\\f"),
                '\n' => out.push_str("\\n"),
                '\r' => out.push_str("\\r"),
                '\t' => out.push_str("\\t"),
                '\x0b' => out.push_str("\\v"),
                c if (c as u32) < 0x20 || c as u32 == 0x7f => {
                    let _ = write!(out, "\\x{:02x}", c as u32);
                }
                c if c == '\u{fffd}'
                    || !c.is_control()
                        && !matches!(
                            c,
                            '\u{80}'..='\u{a0}'
                                | '\u{ad}'
                                | '\u{2000}'..='\u{200f}'
                                | '\u{2028}'..='\u{202f}'
                                | '\u{feff}'
                                | '\u{e000}'..='\u{f8ff}'
                        ) =>
                {
                    out.push(c);
                }
                c if (c as u32) < 0x10000 => {
                    let _ = write!(out, "\\u{:04x}", c as u32);
                }
                c => {
                    let _ = write!(out, "\\U{:08x}", c as u32);
                }
            }
        }
        for b in chunk.invalid() {
            let _ = write!(out, "\\x{b:02x}");
        }
    }
    out.push('"');
    out
}
