//! What the grammar's rules call: nodes from parts, and the checks grammar leaves to us.
//!
//! The grammar is generous (any list as a statement, any simple statement as a condition, `...` on any parameter); what it
//! lets through too much is reported here, with Go's text, and replaced by [`ExprKind::Bad`] or left out, so that a tree handed
//! out obeys A1 of [`crate::ast`].
//!
//! Errors whose text begins with "syntax error:" are syntax errors; the others, though found while parsing, do not
//! keep the checker from running, as in cmd/compile.
//!
//! Go: cmd/compile/internal/syntax/parser.go.

use super::branches;
use crate::ast::print;
use crate::ast::*;
use crate::diagnostics::Diagnostics;
use crate::lexer::directive::Directive;
use crate::lexer::{SemiKind, Tok, Token};
use crate::source::{Pos, SourceFile, Symbol};
use lalrpop_util::ParseError;

/// What a receiver's type says of the type that the method is declared on.
fn receiver_of(recv: &Param) -> Receiver {
    let mut receiver = Receiver {
        is_pointer: false,
        base: None,
    };
    let ParamType::Own(e) = &recv.ty else {
        return receiver;
    };
    let mut e = e.unparen();
    if let ExprKind::Star(x) = &e.kind {
        receiver.is_pointer = true;
        e = x.unparen();
    }
    if let ExprKind::Index { x, .. } = &e.kind {
        e = x.unparen();
    }
    if let ExprKind::Name(name) = e.kind {
        receiver.base = Some(name);
    }
    receiver
}

/// Grammar accepted it, a check did not: the token at this position is the unexpected one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rejected(pub u32);

type Checked<T> = Result<T, ParseError<u32, Tok, Rejected>>;

/// What becomes of function bodies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bodies {
    /// They are parsed and checked with the file.
    Parsed,
    /// The braces are empty; what is between them is parsed when asked for.
    Deferred,
    /// This is the body of such a function. Labels and the like are right there.
    Trusted,
}

/// What the actions of one run share.
pub(super) struct Builder<'s> {
    pub(super) file: &'static SourceFile,
    pub(super) tokens: &'s [Token],
    pub(super) diagnostics: Diagnostics,
    /// What Go leaves to its type checker: not reported beside syntax errors.
    pub(super) later: Diagnostics,
    /// Positions of errors known before this run, in order: no branch checks around them.
    pub(super) known_errors: &'s [u32],
    pub(super) directives: &'s [Directive],
    pub(super) bodies: Bodies,
    /// Directives before this index have been given out.
    next_directive: usize,
    /// End of the last top-level declaration; directives before it belong to nobody.
    last_decl_end: u32,
    seen_other_decl: bool,
}

/// A parameter, a type parameter, or a result, before names and types are told apart.
pub(super) struct Entry {
    pub(super) pos: u32,
    pub(super) name: Option<Ident>,
    pub(super) ty: Option<Expr>,
    /// Position of `...`.
    pub(super) dots: Option<u32>,
}

impl Entry {
    pub(super) fn named(pos: u32, name: Ident, ty: Option<Expr>) -> Entry {
        Entry {
            pos,
            name: Some(name),
            ty,
            dots: None,
        }
    }
    /// A lone name may yet turn out to be a parameter's name.
    pub(super) fn typed(pos: u32, ty: Expr) -> Entry {
        match ty.kind {
            ExprKind::Name(name) if ty.pos.0 == pos => {
                let name = Ident {
                    pos: ty.pos,
                    name,
                    id: ty.id,
                };
                Entry::named(pos, name, None)
            }
            _ => Entry {
                pos,
                name: None,
                ty: Some(ty),
                dots: None,
            },
        }
    }
}

/// A parenthesised list of entries.
#[derive(Default)]
pub(super) struct Entries {
    pub(super) list: Vec<Entry>,
    pub(super) close: u32,
}

pub(super) struct Literal {
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) kind: LitKind,
    pub(super) bad: bool,
}

pub(super) struct Args {
    pub(super) list: Vec<Expr>,
    pub(super) ellipsis: Option<Pos>,
    pub(super) rparen: u32,
}

pub(super) struct Elements {
    pub(super) pos: u32,
    pub(super) list: Vec<Expr>,
    pub(super) rbrace: u32,
}

pub(super) struct SliceParts {
    lo: Option<Expr>,
    hi: Option<Expr>,
    max: Option<Expr>,
    full: bool,
}

pub(super) struct IfHeader {
    init: Option<Stmt>,
    cond: Expr,
}

pub(super) struct SwitchHeader {
    init: Option<Stmt>,
    tag: Tag,
}

enum Tag {
    None,
    Value(Expr),
    Type { bind: Option<Ident>, x: Expr },
}

#[allow(
    clippy::large_enum_variant,
    reason = "it lives for one reduction, boxed"
)]
pub(super) enum ForHeader {
    Clause(Option<Stmt>, Option<Expr>, Option<Stmt>),
    Range {
        lhs: Vec<Expr>,
        define: bool,
        pos: u32,
        x: Expr,
    },
}

// ---- Nodes

pub(super) fn expr(pos: u32, kind: ExprKind) -> Expr {
    Expr::new(Pos(pos), kind)
}

pub(super) fn stmt(pos: u32, kind: StmtKind) -> Stmt {
    Stmt {
        pos: Pos(pos),
        kind,
    }
}

pub(super) fn name_expr(name: Ident) -> Expr {
    Expr {
        pos: name.pos,
        id: name.id,
        kind: ExprKind::Name(name.name),
    }
}

pub(super) fn dot_name(pos: u32) -> Ident {
    Ident {
        pos: Pos(pos),
        name: Symbol::new("."),
        id: NodeId::fresh(),
    }
}

pub(super) fn star(pos: u32, x: Expr) -> Expr {
    expr(pos, ExprKind::Star(Box::new(x)))
}

pub(super) fn unary(pos: u32, op: UnOp, mut x: Expr) -> Expr {
    if op == UnOp::Addr {
        while let ExprKind::Paren(inner) = x.kind {
            x = *inner;
        }
    }
    expr(pos, ExprKind::Unary { op, x: Box::new(x) })
}

pub(super) fn binary(pos: u32, op: BinOp, x: Expr, y: Expr) -> Expr {
    let (x, y) = (Box::new(x), Box::new(y));
    expr(pos, ExprKind::Binary { op, x, y })
}

pub(super) fn selector(pos: u32, x: Expr, sel: Ident) -> Expr {
    let x = Box::new(x);
    expr(pos, ExprKind::Selector { x, sel })
}

pub(super) fn index(pos: u32, x: Expr, indices: Vec<Expr>) -> Expr {
    let x = Box::new(x);
    expr(pos, ExprKind::Index { x, indices })
}

pub(super) fn chan(pos: u32, dir: ChanDir, elem: Expr) -> Expr {
    let elem = Box::new(elem);
    expr(pos, ExprKind::ChanType { dir, elem })
}

pub(super) fn func_type(sig: FuncSig) -> Expr {
    Expr::new(sig.pos, ExprKind::FuncType(Box::new(sig)))
}

pub(super) fn type_assert(pos: u32, x: Expr, ty: Option<Expr>) -> Expr {
    let (x, ty) = (Box::new(x), ty.map(Box::new));
    expr(pos, ExprKind::TypeAssert { x, ty })
}

pub(super) fn slice(pos: u32, x: Expr, s: SliceParts) -> Expr {
    expr(
        pos,
        ExprKind::Slice {
            x: Box::new(x),
            lo: s.lo.map(Box::new),
            hi: s.hi.map(Box::new),
            max: s.max.map(Box::new),
            full: s.full,
        },
    )
}

pub(super) fn call(pos: u32, fun: Expr, args: Args) -> Expr {
    expr(
        pos,
        ExprKind::Call {
            fun: Box::new(fun),
            args: args.list,
            ellipsis: args.ellipsis,
            rparen: Pos(args.rparen),
        },
    )
}

pub(super) fn composite_of_type(ty: Expr, lit: Elements) -> Expr {
    literal_value(Some(Box::new(ty)), lit)
}

/// A literal value inside another whose type is left out.
pub(super) fn elided(lit: Elements) -> Expr {
    literal_value(None, lit)
}

fn literal_value(ty: Option<Box<Expr>>, lit: Elements) -> Expr {
    let rbrace = Pos(lit.rbrace);
    expr(
        lit.pos,
        ExprKind::CompositeLit {
            ty,
            elems: lit.list,
            rbrace,
        },
    )
}

/// `case a, b:` of a switch.
pub(super) struct ExprCase {
    pub(super) pos: u32,
    pub(super) exprs: Vec<Expr>,
    pub(super) is_default: bool,
    pub(super) colon: u32,
}

/// `case <-c:` of a select.
pub(super) struct CommCase {
    pub(super) pos: u32,
    pub(super) comm: Option<Box<Stmt>>,
    pub(super) colon: u32,
}

pub(super) fn case_clauses(cases: Vec<(ExprCase, Vec<Stmt>)>) -> Vec<CaseClause> {
    let clause = |(case, body): (ExprCase, Vec<Stmt>)| CaseClause {
        pos: Pos(case.pos),
        exprs: case.exprs,
        is_default: case.is_default,
        colon: Pos(case.colon),
        body,
        id: NodeId::fresh(),
    };
    cases.into_iter().map(clause).collect()
}

pub(super) fn comm_clauses(cases: Vec<(CommCase, Vec<Stmt>)>) -> Vec<CommClause> {
    let clause = |(case, body): (CommCase, Vec<Stmt>)| CommClause {
        pos: Pos(case.pos),
        comm: case.comm,
        colon: Pos(case.colon),
        body,
    };
    cases.into_iter().map(clause).collect()
}

pub(super) fn if_stmt(pos: u32, header: IfHeader, then: Block, els: Option<Stmt>) -> Stmt {
    let IfHeader { init, cond } = header;
    let node = IfStmt {
        init,
        cond,
        then,
        els,
    };
    stmt(pos, StmtKind::If(Box::new(node)))
}

/// Can it only be a value, never a type?
fn is_value(x: &Expr) -> bool {
    match &x.kind {
        ExprKind::BasicLit { .. }
        | ExprKind::CompositeLit { .. }
        | ExprKind::FuncLit { .. }
        | ExprKind::Slice { .. }
        | ExprKind::TypeAssert { .. }
        | ExprKind::Call { .. }
        | ExprKind::Unary { .. }
        | ExprKind::Binary { .. } => true,
        ExprKind::Paren(x) => is_value(x),
        ExprKind::Index { x, indices } => is_value(x) || matches!(&indices[..], [i] if is_value(i)),
        _ => false,
    }
}

// ---- Nodes that need the text, or are checked

impl<'s> Builder<'s> {
    pub(super) fn new(
        file: &'static SourceFile,
        tokens: &'s [Token],
        known_errors: &'s [u32],
        directives: &'s [Directive],
        bodies: Bodies,
    ) -> Builder<'s> {
        Builder {
            file,
            tokens,
            diagnostics: Diagnostics::new(),
            later: Diagnostics::new(),
            known_errors,
            directives,
            bodies,
            next_directive: 0,
            last_decl_end: 0,
            seen_other_decl: false,
        }
    }

    fn syntax(&mut self, pos: Pos, message: &str) {
        self.diagnostics
            .syntax(pos, format!("syntax error: {message}"));
    }

    fn error(&mut self, pos: Pos, message: impl Into<String>) {
        self.diagnostics.error(pos, message);
    }

    fn text(&self, start: u32, end: u32) -> &'static str {
        let base = self.file.base;
        &self.file.text[(start - base) as usize..(end - base) as usize]
    }

    /// The first token at or after `pos`.
    fn token_from(&self, pos: u32) -> Option<Tok> {
        let i = self.tokens.partition_point(|t| t.0 < pos);
        self.tokens.get(i).map(|t| t.1)
    }

    pub(super) fn basic_lit(&mut self, lit: Literal) -> Expr {
        if lit.bad {
            return expr(lit.start, ExprKind::Bad);
        }
        let text = self.text(lit.start, lit.end).into();
        let kind = lit.kind;
        expr(lit.start, ExprKind::BasicLit { kind, text })
    }

    /// The value of a string literal as UTF-8.
    fn string_value(&self, lit: &Literal) -> String {
        let bytes = crate::lexer::unquote(self.text(lit.start, lit.end)).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// The type arguments of a type's name are types.
    pub(super) fn type_args(&mut self, args: Vec<Expr>) -> Vec<Expr> {
        if let Some(x) = args.first()
            && let ExprKind::BasicLit { text, .. } = &x.kind
        {
            let message = format!("unexpected literal {text}, expected type");
            self.syntax(x.pos, &message);
        }
        args
    }

    pub(super) fn composite(&mut self, ty: Expr, lit: Elements) -> Checked<Expr> {
        let inner = ty.unparen();
        let fits = match &inner.kind {
            ExprKind::Name(_)
            | ExprKind::Selector { .. }
            | ExprKind::ArrayType { .. }
            | ExprKind::SliceType(_)
            | ExprKind::StructType { .. }
            | ExprKind::MapType { .. } => true,
            ExprKind::Index { .. } => !is_value(inner),
            _ => false,
        };
        if !fits {
            return Err(ParseError::User {
                error: Rejected(lit.pos),
            });
        }
        if matches!(ty.kind, ExprKind::Paren(_)) {
            self.syntax(
                Pos(lit.pos),
                "cannot parenthesize type in composite literal",
            );
        }
        Ok(literal_value(Some(Box::new(ty)), lit))
    }

    pub(super) fn slice_parts(
        &mut self,
        lo: Option<Expr>,
        mut hi: Option<Expr>,
        max: Option<(u32, Option<Expr>)>,
        close: u32,
    ) -> Box<SliceParts> {
        let full = max.is_some();
        let max = max.map(|(colon, max)| {
            if hi.is_none() {
                self.error(Pos(colon), "middle index required in 3-index slice");
                hi = Some(expr(colon, ExprKind::Bad));
            }
            max.unwrap_or_else(|| {
                self.error(Pos(close), "final index required in 3-index slice");
                expr(close, ExprKind::Bad)
            })
        });
        Box::new(SliceParts { lo, hi, max, full })
    }

    pub(super) fn func_lit(&mut self, pos: u32, sig: FuncSig, body: Block) -> Expr {
        self.check_branches(&body);
        let (sig, body) = (Box::new(sig), Box::new(body));
        expr(pos, ExprKind::FuncLit { sig, body })
    }

    // ---- Declarations

    pub(super) fn after_decl(&mut self, end: u32) {
        self.seen_other_decl = true;
        self.last_decl_end = end;
    }

    pub(super) fn imports(&mut self, pos: u32, specs: Vec<ImportSpec>) -> Vec<Decl> {
        if self.seen_other_decl {
            self.syntax(Pos(pos), "imports must appear before other declarations");
            self.seen_other_decl = false;
        }
        specs.into_iter().map(Decl::Import).collect()
    }

    pub(super) fn import(&mut self, pos: u32, name: Option<Ident>, path: Literal) -> ImportSpec {
        if path.kind != LitKind::String && !path.bad {
            self.syntax(Pos(path.start), "import path must be a string");
        }
        ImportSpec {
            pos: Pos(pos),
            name,
            path: self.string_value(&path),
            path_pos: Pos(path.start),
        }
    }

    pub(super) fn consts(&mut self, specs: Vec<ConstSpec>) -> Vec<Decl> {
        let group = NodeId::fresh().0;
        let specs = specs.into_iter().enumerate();
        specs
            .map(|(i, spec)| {
                Decl::Const(ConstSpec {
                    iota: i as u32,
                    group,
                    ..spec
                })
            })
            .collect()
    }

    pub(super) fn vars(&mut self, specs: Vec<VarSpec>) -> Vec<Decl> {
        let group = NodeId::fresh().0;
        let specs = specs.into_iter();
        specs
            .map(|spec| Decl::Var(VarSpec { group, ..spec }))
            .collect()
    }

    pub(super) fn func_decl(
        &mut self,
        pos: u32,
        recv: Option<Param>,
        name: Ident,
        tparams: Option<Vec<TypeParam>>,
        sig: FuncSig,
        body: Option<Block>,
    ) -> Box<FuncDecl> {
        let body = body.map(|body| match self.bodies {
            Bodies::Deferred => Late::when_read(Unread {
                pos: body.pos,
                end: body.end,
                parse: super::parse_body,
            }),
            Bodies::Parsed => {
                self.check_branches(&body);
                Late::now(body)
            }
            Bodies::Trusted => Late::now(body),
        });
        Box::new(FuncDecl {
            name,
            receiver: recv.as_ref().map(receiver_of),
            rest: Late::now(FuncRest {
                pos: Pos(pos),
                recv,
                tparams: tparams.unwrap_or_default(),
                sig,
                body,
                pragmas: self.take_pragmas(pos),
            }),
        })
    }

    /// The `//go:` comments between the last declaration and `pos`.
    fn take_pragmas(&mut self, pos: u32) -> Vec<String> {
        let mut pragmas = Vec::new();
        while let Some(d) = self.directives.get(self.next_directive)
            && d.pos.0 < pos
        {
            if d.pos.0 >= self.last_decl_end
                && let Some(pragma) = d.text.strip_prefix("go:")
            {
                pragmas.push(pragma.to_string());
            }
            self.next_directive += 1;
        }
        pragmas
    }

    fn check_branches(&mut self, body: &Block) {
        let range = body.pos.0..=body.end.0;
        let i = self.known_errors.partition_point(|&p| p < body.pos.0);
        if self.known_errors.get(i).is_some_and(|p| range.contains(p)) {
            return;
        }
        let found = self.diagnostics.as_slice();
        if found.iter().rev().any(|d| range.contains(&d.pos.0)) {
            return;
        }
        branches::check(body, &mut self.diagnostics);
    }

    // ---- Parameters and fields

    pub(super) fn receiver(&mut self, recv: Entries, name: Ident) -> Option<Param> {
        let mut list = self.parameters(recv, false);
        match list.len() {
            0 => self.error(name.pos, "method has no receiver"),
            1 => {}
            _ => self.error(name.pos, "method has multiple receivers"),
        }
        list.truncate(1);
        let mut only = list.pop()?;
        if matches!(only.ty, ParamType::SameAsNext) {
            only.ty = ParamType::Own(Box::new(expr(only.pos.0, ExprKind::Bad)));
        }
        Some(only)
    }

    pub(super) fn signature(&mut self, pos: u32, params: Entries, results: Entries) -> FuncSig {
        FuncSig {
            pos: Pos(pos),
            params: self.parameters(params, true),
            results: self.parameters(results, false),
        }
    }

    pub(super) fn signature_one(&mut self, pos: u32, params: Entries, result: Expr) -> FuncSig {
        let result = Param {
            pos: result.pos,
            name: None,
            ty: ParamType::Own(Box::new(result)),
            variadic: false,
        };
        FuncSig {
            pos: Pos(pos),
            params: self.parameters(params, true),
            results: vec![result],
        }
    }

    /// Decides whether the lone names of a list are names or types, and gives each name its type.
    fn parameters(&mut self, entries: Entries, dots_ok: bool) -> Vec<Param> {
        let Entries { mut list, close } = entries;
        let count = list.len();
        let named = list
            .iter()
            .filter(|e| e.name.is_some() && e.ty.is_some())
            .count();
        let typed = list.iter().filter(|e| e.ty.is_some()).count();
        if named == 0 {
            for e in &mut list {
                if let (Some(name), None) = (e.name, &e.ty) {
                    e.ty = Some(name_expr(name));
                    e.name = None;
                }
            }
        } else if named != count {
            self.pair_names_with_types(&mut list, named == typed, close);
        }
        self.check_dots(&list, dots_ok);
        let with_dots = |e: &Entry| dots_ok && e.dots.is_some();
        let mut params: Vec<Param> = Vec::with_capacity(count);
        for (i, e) in list.into_iter().enumerate() {
            let variadic = with_dots(&e) && i + 1 == count;
            params.push(Param {
                pos: Pos(e.pos),
                name: e.name,
                ty: e
                    .ty
                    .map_or(ParamType::SameAsNext, |t| ParamType::Own(Box::new(t))),
                variadic,
            });
        }
        params
    }

    fn pair_names_with_types(&mut self, list: &mut [Entry], names_lack_types: bool, close: u32) {
        let mut error = None;
        let mut have_type = false;
        let mut dots = None;
        for e in list.iter_mut().rev() {
            match (&e.ty, e.name) {
                (Some(ty), name) => {
                    have_type = true;
                    dots = e.dots;
                    if name.is_none() {
                        let pos = e.dots.map_or(ty.start(), Pos);
                        error = Some(pos);
                        e.name = Some(blank(pos));
                    }
                }
                (None, _) if have_type => e.dots = dots,
                (None, name) => {
                    let pos = name.map_or(Pos(e.pos), |n| n.pos);
                    error = Some(pos);
                    e.ty = Some(expr(pos.0, ExprKind::Bad));
                }
            }
        }
        if let Some(pos) = error {
            if names_lack_types {
                self.syntax(Pos(close), "missing parameter type");
            } else {
                self.syntax(pos, "missing parameter name");
            }
        }
    }

    fn check_dots(&mut self, list: &[Entry], dots_ok: bool) {
        let count = list.len();
        let wrong = list.iter().enumerate().find_map(|(i, e)| {
            let at = e.dots?;
            (!dots_ok || i + 1 < count).then_some(at)
        });
        if let Some(at) = wrong {
            let message = if dots_ok {
                "can only use ... with final parameter"
            } else {
                "invalid use of ..."
            };
            self.error(Pos(at), message);
        }
    }

    pub(super) fn type_parameters(&mut self, mut list: Vec<Entry>, close: u32) -> Vec<TypeParam> {
        self.check_dots(&list, false);
        if list.iter().any(|e| e.name.is_none()) {
            let alone = list.len() == 1;
            let mut leftmost = Pos(close);
            for e in list.iter_mut().filter(|e| e.name.is_none()).rev() {
                leftmost = e.ty.as_ref().map_or(Pos(e.pos), Expr::start);
                e.name = Some(blank(leftmost));
            }
            let message = if alone {
                "missing type parameter name or invalid array length"
            } else {
                "missing type parameter name"
            };
            self.syntax(leftmost, message);
        } else if list.last().is_some_and(|e| e.ty.is_none()) {
            self.syntax(Pos(close), "missing type constraint");
        }
        let mut out: Vec<TypeParam> = Vec::with_capacity(list.len());
        // Index of the first name that waits for its constraint.
        let mut first = 0;
        for e in list {
            let Some(name) = e.name else { continue };
            out.push(TypeParam {
                name,
                constraint: None,
            });
            if let Some(ty) = e.ty {
                out[first].constraint = Some(Box::new(ty));
                first = out.len();
            }
        }
        if let Some(open) = out.get_mut(first) {
            open.constraint = Some(Box::new(expr(close, ExprKind::Bad)));
        }
        out
    }

    pub(super) fn fields(
        &mut self,
        names: Vec<Ident>,
        ty: Expr,
        tag: Option<Literal>,
    ) -> Vec<Field> {
        let tag = self.tag(tag);
        let count = names.len();
        let mut ty = Some(ty);
        let mut fields = Vec::with_capacity(count);
        for (i, name) in names.into_iter().enumerate() {
            let own = (i + 1 == count).then(|| ty.take()).flatten();
            fields.push(Field {
                pos: name.pos,
                name,
                embedded: false,
                ty: own.map_or(ParamType::SameAsNext, |t| ParamType::Own(Box::new(t))),
                tag: tag.clone(),
            });
        }
        fields
    }

    pub(super) fn embedded_field(
        &mut self,
        pos: u32,
        ty: Expr,
        tag: Option<Literal>,
    ) -> Vec<Field> {
        let tag = self.tag(tag);
        let mut x = &ty;
        let (at, name) = loop {
            x = match &x.kind {
                ExprKind::Star(x) | ExprKind::Index { x, .. } => x,
                ExprKind::Selector { sel, .. } => break (sel.pos, sel.name),
                ExprKind::Name(name) => break (x.pos, *name),
                _ => break (x.pos, Symbol::new("_")),
            };
        };
        let name = Ident {
            pos: at,
            name,
            id: NodeId::fresh(),
        };
        vec![Field {
            pos: Pos(pos),
            name,
            embedded: true,
            ty: ParamType::Own(Box::new(ty)),
            tag,
        }]
    }

    fn tag(&mut self, tag: Option<Literal>) -> Option<Box<str>> {
        let tag = tag?;
        if tag.bad {
            return None;
        }
        if tag.kind != LitKind::String {
            let text = self.text(tag.start, tag.end);
            self.later
                .error(Pos(tag.start), format!("incorrect tag syntax: {text:?}"));
            return None;
        }
        Some(self.string_value(&tag).into_boxed_str())
    }

    // ---- Statements

    /// A simple statement that stands for itself.
    pub(super) fn simple_statement(&mut self, start: u32, s: Stmt) -> Checked<Stmt> {
        if self.token_from(start) == Some(Tok::Tilde) {
            return Err(ParseError::User {
                error: Rejected(start),
            });
        }
        Ok(self.checked(s))
    }

    /// `:=` declares names.
    pub(super) fn checked(&mut self, mut s: Stmt) -> Stmt {
        if let StmtKind::Define { lhs, .. } = &mut s.kind {
            self.only_names(lhs);
        }
        s
    }

    fn only_names(&mut self, lhs: &mut [Expr]) {
        for x in lhs {
            if !matches!(x.kind, ExprKind::Name(_) | ExprKind::Bad) {
                let message = format!("non-name {} on left side of :=", print::expr_string(x));
                self.later.error(x.start(), message);
                *x = Expr::new(x.start(), ExprKind::Bad);
            }
        }
    }

    pub(super) fn labeled(&mut self, label: Ident, colon: u32, s: Option<Stmt>, end: u32) -> Stmt {
        let inner = s.unwrap_or_else(|| {
            let next = self.token_from(colon + 1);
            if !matches!(next, Some(Tok::RBrace | Tok::Semi(_))) {
                self.syntax(Pos(colon), "missing statement after label");
            }
            stmt(end, StmtKind::Empty)
        });
        let stmt_ = Box::new(inner);
        stmt(colon, StmtKind::Labeled { label, stmt: stmt_ })
    }

    pub(super) fn call_operand(&mut self, keyword: &str, mut x: Expr) -> Expr {
        if matches!(x.kind, ExprKind::Paren(_)) {
            let message = format!("expression in {keyword} must not be parenthesized");
            self.error(x.pos, message);
        }
        while let ExprKind::Paren(inner) = x.kind {
            x = *inner;
        }
        x
    }

    /// A header's statement as the value it must be.
    fn value_of(&mut self, s: Stmt) -> Expr {
        match s.kind {
            StmtKind::Expr(x) => x,
            _ => {
                let text = match &s.kind {
                    StmtKind::Assign { op: None, lhs, rhs } => format!(
                        "assignment {} = {}",
                        print::emphasized(lhs),
                        print::emphasized(rhs)
                    ),
                    _ => print::stmt_string(&s),
                };
                self.syntax(s.pos, &format!("cannot use {text} as value"));
                Expr::new(s.pos, ExprKind::Bad)
            }
        }
    }

    pub(super) fn if_header(
        &mut self,
        init: Option<Stmt>,
        semi: Option<(u32, SemiKind)>,
        cond: Option<Stmt>,
    ) -> Box<IfHeader> {
        let init = init.map(|s| self.checked(s));
        let cond = match (cond, semi) {
            (Some(s), _) => self.value_of(s),
            (None, Some((pos, kind))) => {
                let message = match kind {
                    SemiKind::Semicolon => "missing condition in if statement".to_string(),
                    kind => format!(
                        "unexpected {}, expected {{ after if clause",
                        semi_text(kind)
                    ),
                };
                self.syntax(Pos(pos), &message);
                expr(pos, ExprKind::Bad)
            }
            (None, None) => Expr::new(Pos::NONE, ExprKind::Bad),
        };
        Box::new(IfHeader { init, cond })
    }

    pub(super) fn switch_header(
        &mut self,
        init: Option<Stmt>,
        tag: Option<Stmt>,
    ) -> Box<SwitchHeader> {
        let init = init.map(|s| self.checked(s));
        let Some(mut tag) = tag else {
            return Box::new(SwitchHeader {
                init,
                tag: Tag::None,
            });
        };
        if let StmtKind::Define { lhs, rhs } = &mut tag.kind
            && let [
                Expr {
                    pos,
                    id,
                    kind: ExprKind::Name(name),
                },
            ] = lhs[..]
            && let [
                Expr {
                    kind: ExprKind::TypeAssert { ty: None, .. },
                    ..
                },
            ] = &rhs[..]
            && let Some(Expr {
                kind: ExprKind::TypeAssert { x, .. },
                ..
            }) = rhs.pop()
        {
            let bind = Some(Ident { pos, name, id });
            let tag = Tag::Type { bind, x: *x };
            return Box::new(SwitchHeader { init, tag });
        }
        let value = self.value_of(tag);
        let tag = match value.kind {
            ExprKind::TypeAssert { x, ty: None } => Tag::Type { bind: None, x: *x },
            _ => Tag::Value(value),
        };
        Box::new(SwitchHeader { init, tag })
    }

    pub(super) fn switch(
        &mut self,
        pos: u32,
        header: SwitchHeader,
        cases: Vec<CaseClause>,
        end: u32,
    ) -> Stmt {
        let (init, end) = (header.init, Pos(end));
        let kind = match header.tag {
            Tag::Type { bind, x } => StmtKind::TypeSwitch(Box::new(TypeSwitchStmt {
                init,
                bind,
                x,
                cases,
                end,
            })),
            tag => StmtKind::Switch(Box::new(SwitchStmt {
                init,
                tag: match tag {
                    Tag::Value(x) => Some(x),
                    _ => None,
                },
                cases,
                end,
            })),
        };
        stmt(pos, kind)
    }

    pub(super) fn for_header(
        &mut self,
        init: Option<Stmt>,
        cond: Option<Stmt>,
        post: Option<Stmt>,
    ) -> Box<ForHeader> {
        let init = init.map(|s| self.checked(s));
        let cond = cond.map(|s| self.value_of(s));
        if let Some(Stmt {
            pos,
            kind: StmtKind::Define { .. },
        }) = post
        {
            self.syntax(pos, "cannot declare in post statement of for loop");
        }
        Box::new(ForHeader::Clause(init, cond, post))
    }

    pub(super) fn range_header(
        &mut self,
        mut lhs: Vec<Expr>,
        define: bool,
        pos: u32,
        x: Expr,
    ) -> Box<ForHeader> {
        if define {
            self.only_names(&mut lhs);
        }
        if let Some(third) = lhs.get(2) {
            let at = third.start();
            self.later
                .error(at, "range clause permits at most two iteration variables");
        }
        Box::new(ForHeader::Range {
            lhs,
            define,
            pos,
            x,
        })
    }

    pub(super) fn for_stmt(&mut self, pos: u32, header: ForHeader, body: Block) -> Stmt {
        let kind = match header {
            ForHeader::Clause(init, cond, post) => StmtKind::For(Box::new(ForStmt {
                init,
                cond,
                post,
                body,
            })),
            ForHeader::Range {
                lhs,
                define,
                pos,
                x,
            } => {
                let mut lhs = lhs.into_iter();
                StmtKind::Range(Box::new(RangeStmt {
                    key: lhs.next(),
                    value: lhs.next(),
                    define,
                    x,
                    body,
                    range_pos: Pos(pos),
                }))
            }
        };
        stmt(pos, kind)
    }
}

fn blank(pos: Pos) -> Ident {
    Ident {
        pos,
        name: Symbol::new("_"),
        id: NodeId::fresh(),
    }
}

/// How error texts name a semicolon.
pub(super) fn semi_text(kind: SemiKind) -> &'static str {
    match kind {
        SemiKind::Semicolon => "semicolon",
        SemiKind::Newline => "newline",
        SemiKind::Eof => "EOF",
    }
}
