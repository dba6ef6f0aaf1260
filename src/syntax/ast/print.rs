//! Nodes back to Go text.
//!
//! Two forms. The short one is what error messages quote: one line, bodies and literals' elements
//! elided as `…`. The full one is a program again: parsed, it gives an equal tree. Parentheses are
//! nodes, so neither form adds any of its own, except where a type would read differently
//! (`chan (<-chan T)`).
//!
//! Go: cmd/compile/internal/syntax/printer.go.

use super::*;
use std::fmt::Write;

/// An expression or type as error messages quote it.
pub fn expr_string(x: &Expr) -> String {
    let mut p = Printer::new(true);
    p.expr(x);
    p.out
}

/// An expression or type in full, as in a program.
pub fn file_expr(x: &Expr) -> String {
    let mut p = Printer::new(false);
    p.expr(x);
    p.out
}

/// A list of expressions, as error messages quote it.
pub(crate) fn expr_list_string(list: &[Expr]) -> String {
    let mut p = Printer::new(true);
    p.exprs(list);
    p.out
}

/// A simple statement as error messages quote it.
pub(crate) fn stmt_string(s: &Stmt) -> String {
    let mut p = Printer::new(true);
    p.stmt(s);
    p.out
}

/// One side of an assignment; parenthesised if it is a binary expression.
pub(crate) fn emphasized(list: &[Expr]) -> String {
    let text = expr_list_string(list);
    match list {
        [
            Expr {
                kind: ExprKind::Binary { .. },
                ..
            },
        ] => format!("({text})"),
        _ => text,
    }
}

/// A whole file as a program.
pub fn file_string(file: &File) -> String {
    let mut p = Printer::new(false);
    let _ = write!(p.out, "package {}", file.package.name);
    p.newline();
    for_groups(&file.decls, |group| {
        p.newline();
        p.decl_group(group);
        p.newline();
    });
    p.out
}

/// What names are called in a text, by the ids of the nodes: `None`, as they are.
pub type Names<'n> = &'n dyn Fn(NodeId, Symbol) -> Option<String>;

/// A declaration as it stands at package level.
pub fn decl_string(decls: &[Decl], names: Names<'_>) -> String {
    let mut p = Printer::renaming(names);
    p.decl_group(decls);
    p.out
}

/// Statements as they stand in a function at package level.
pub fn body_string(stmts: &[Stmt], names: Names<'_>) -> String {
    let mut p = Printer::renaming(names);
    p.stmts(stmts);
    p.out
}

/// An expression in a function at package level.
pub fn value_string(x: &Expr, names: Names<'_>) -> String {
    let mut p = Printer::renaming(names);
    p.indent = 1;
    p.expr(x);
    p.out
}

struct Printer<'n> {
    out: String,
    short: bool,
    indent: usize,
    names: Option<Names<'n>>,
}

/// Calls `f` with each run of declarations that were written as one.
fn for_groups<'a>(decls: &'a [Decl], mut f: impl FnMut(&'a [Decl])) {
    let group = |d: &Decl| match d {
        Decl::Const(c) => Some(c.group),
        Decl::Var(v) => Some(v.group),
        _ => None,
    };
    decls
        .chunk_by(|a, b| group(a).is_some() && group(a) == group(b))
        .for_each(&mut f);
}

pub(crate) fn un_op(op: UnOp) -> &'static str {
    match op {
        UnOp::Plus => "+",
        UnOp::Neg => "-",
        UnOp::Not => "!",
        UnOp::Compl => "^",
        UnOp::Addr => "&",
        UnOp::Recv => "<-",
        UnOp::Tilde => "~",
    }
}

pub fn bin_op(op: BinOp) -> &'static str {
    match op {
        BinOp::Add => "+",
        BinOp::Sub => "-",
        BinOp::Mul => "*",
        BinOp::Div => "/",
        BinOp::Rem => "%",
        BinOp::And => "&",
        BinOp::Or => "|",
        BinOp::Xor => "^",
        BinOp::Shl => "<<",
        BinOp::Shr => ">>",
        BinOp::AndNot => "&^",
        BinOp::LAnd => "&&",
        BinOp::LOr => "||",
        BinOp::Eq => "==",
        BinOp::Ne => "!=",
        BinOp::Lt => "<",
        BinOp::Le => "<=",
        BinOp::Gt => ">",
        BinOp::Ge => ">=",
    }
}

impl<'n> Printer<'n> {
    fn new(short: bool) -> Printer<'n> {
        Printer {
            out: String::new(),
            short,
            indent: 0,
            names: None,
        }
    }

    fn renaming(names: Names<'n>) -> Printer<'n> {
        Printer {
            names: Some(names),
            ..Printer::new(false)
        }
    }

    fn name(&mut self, id: NodeId, name: Symbol) {
        match self.names.and_then(|names| names(id, name)) {
            Some(called) => self.out.push_str(&called),
            None => self.out.push_str(name.as_str()),
        }
    }

    fn ident(&mut self, name: &Ident) {
        self.name(name.id, name.name);
    }

    fn put(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn newline(&mut self) {
        self.out.push('\n');
        for _ in 0..self.indent {
            self.out.push('\t');
        }
    }

    fn separated<T>(&mut self, list: &[T], separator: &str, mut f: impl FnMut(&mut Self, &T)) {
        for (i, item) in list.iter().enumerate() {
            if i > 0 {
                self.put(separator);
            }
            f(self, item);
        }
    }

    fn exprs(&mut self, list: &[Expr]) {
        self.separated(list, ", ", |p, x| p.expr(x));
    }

    fn names(&mut self, names: &[Ident]) {
        self.separated(names, ", ", |p, n| p.ident(n));
    }

    // ---- Expressions

    fn expr(&mut self, x: &Expr) {
        if let ExprKind::Binary { .. } = x.kind {
            return self.binary(x);
        }
        match &x.kind {
            ExprKind::Bad => self.put("<bad expr>"),
            ExprKind::Name(name) => self.name(x.id, *name),
            ExprKind::BasicLit { text, .. } => self.put(text),
            ExprKind::CompositeLit { ty, elems, .. } => {
                if let Some(ty) = ty {
                    self.expr(ty);
                }
                self.put("{");
                if !self.short {
                    self.exprs(elems);
                } else if !elems.is_empty() {
                    self.put("…");
                }
                self.put("}");
            }
            ExprKind::KeyValue { key, value } => {
                self.expr(key);
                self.put(": ");
                self.expr(value);
            }
            ExprKind::FuncLit { sig, body } => {
                self.put("func");
                self.signature(sig);
                self.put(" ");
                if !self.short {
                    self.block(body);
                } else if body.stmts.is_empty() {
                    self.put("{}");
                } else {
                    self.put("{…}");
                }
            }
            ExprKind::Paren(x) => {
                self.put("(");
                self.expr(x);
                self.put(")");
            }
            ExprKind::Selector { x, sel } => {
                self.expr(x);
                self.put(".");
                self.put(sel.name.as_str());
            }
            ExprKind::Index { x, indices } => {
                self.expr(x);
                self.put("[");
                self.exprs(indices);
                self.put("]");
            }
            ExprKind::Slice { x, lo, hi, max, .. } => {
                self.expr(x);
                self.put("[");
                for (i, part) in [lo, hi, max].into_iter().enumerate() {
                    if i == 1 || i == 2 && part.is_some() {
                        self.put(":");
                    }
                    if let Some(part) = part {
                        self.expr(part);
                    }
                }
                self.put("]");
            }
            ExprKind::TypeAssert { x, ty } => {
                self.expr(x);
                self.put(".(");
                match ty {
                    Some(ty) => self.expr(ty),
                    None => self.put("type"),
                }
                self.put(")");
            }
            ExprKind::Call {
                fun,
                args,
                ellipsis,
                ..
            } => {
                self.expr(fun);
                self.put("(");
                self.exprs(args);
                if ellipsis.is_some() {
                    // `0...` would begin with the number `0.`.
                    if !self.short && self.out.ends_with(|c: char| c.is_ascii_digit()) {
                        self.put(" ");
                    }
                    self.put("...");
                }
                self.put(")");
            }
            ExprKind::Star(x) => {
                self.put("*");
                self.expr(x);
            }
            ExprKind::Unary { op, x } => {
                self.put(un_op(*op));
                self.operand(*op, x);
            }
            ExprKind::Binary { .. } => {}
            ExprKind::ArrayType { len, elem } => {
                self.put("[");
                match len {
                    Some(len) => self.expr(len),
                    None => self.put("..."),
                }
                self.put("]");
                self.expr(elem);
            }
            ExprKind::SliceType(elem) => {
                self.put("[]");
                self.expr(elem);
            }
            ExprKind::MapType { key, value } => {
                self.put("map[");
                self.expr(key);
                self.put("]");
                self.expr(value);
            }
            ExprKind::ChanType { dir, elem } => self.chan_type(*dir, elem),
            ExprKind::FuncType(sig) => {
                self.put("func");
                self.signature(sig);
            }
            ExprKind::StructType { fields } => {
                self.put("struct{");
                self.fields(fields);
                self.put("}");
            }
            ExprKind::InterfaceType { elems } => {
                self.put("interface{");
                self.separated(elems, "; ", |p, e| match e {
                    InterfaceElem::Method { name, sig } => {
                        p.put(name.name.as_str());
                        p.signature(sig);
                    }
                    InterfaceElem::Embed(x) => p.expr(x),
                });
                self.put("}");
            }
        }
    }

    /// A chain of binary operators, walked along its left spine in a loop (ast::A2).
    fn binary(&mut self, x: &Expr) {
        let mut spine = Vec::new();
        let mut left = x;
        while let ExprKind::Binary { op, x, y } = &left.kind {
            spine.push((*op, y));
            left = x;
        }
        self.expr(left);
        for (op, y) in spine.into_iter().rev() {
            let _ = write!(self.out, " {} ", bin_op(op));
            self.expr(y);
        }
    }

    /// An operand, kept from melting into the operator before it:
    /// `- -x`, `& &x`, `<-(<-chan T)(c)`.
    fn operand(&mut self, op: UnOp, x: &Expr) {
        if !self.short
            && let ExprKind::Unary { op: inner, .. } = x.kind
            && (inner == op || (op, inner) == (UnOp::Addr, UnOp::Compl))
        {
            self.put(" ");
        }
        self.expr(x);
    }

    fn chan_type(&mut self, dir: ChanDir, elem: &Expr) {
        self.put(match dir {
            ChanDir::Both => "chan ",
            ChanDir::Send => "chan<- ",
            ChanDir::Recv => "<-chan ",
        });
        let receives = matches!(
            elem.kind,
            ExprKind::ChanType {
                dir: ChanDir::Recv,
                ..
            }
        );
        if receives && dir == ChanDir::Both {
            self.put("(");
            self.expr(elem);
            self.put(")");
        } else {
            self.expr(elem);
        }
    }

    fn signature(&mut self, sig: &FuncSig) {
        self.params(&sig.params);
        match &sig.results[..] {
            [] => {}
            [
                Param {
                    name: None,
                    ty: ParamType::Own(ty),
                    ..
                },
            ] => {
                self.put(" ");
                self.expr(ty);
            }
            results => {
                self.put(" ");
                self.params(results);
            }
        }
    }

    fn params(&mut self, params: &[Param]) {
        self.put("(");
        self.separated(params, ", ", |p, param| {
            if let Some(name) = &param.name {
                p.put(name.name.as_str());
            }
            if let ParamType::Own(ty) = &param.ty {
                if param.name.is_some() {
                    p.put(" ");
                }
                if param.variadic {
                    p.put("...");
                }
                p.expr(ty);
            }
        });
        self.put(")");
    }

    fn type_params(&mut self, tparams: &[TypeParam], of_type: bool) {
        if tparams.is_empty() {
            return;
        }
        self.put("[");
        for (i, p) in tparams.iter().enumerate() {
            if i > 0 {
                self.put(", ");
            }
            self.put(p.name.name.as_str());
            // The constraint of a group is the first name's; it is written after the last.
            let group_goes_on = tparams.get(i + 1).is_some_and(|p| p.constraint.is_none());
            if !group_goes_on
                && let Some(c) = tparams[..=i]
                    .iter()
                    .rev()
                    .find_map(|p| p.constraint.as_deref())
            {
                self.put(" ");
                self.expr(c);
            }
        }
        if of_type && tparams.len() == 1 {
            self.put(",");
        }
        self.put("]");
    }

    fn fields(&mut self, fields: &[Field]) {
        let mut first = true;
        let mut names = Vec::new();
        for f in fields {
            names.push(f.name);
            let ParamType::Own(ty) = &f.ty else {
                continue;
            };
            if !first {
                self.put("; ");
            }
            first = false;
            if !f.embedded {
                self.names(&names);
                self.put(" ");
            }
            names.clear();
            self.expr(ty);
            if let Some(tag) = &f.tag {
                let _ = write!(self.out, " {}", quote(tag));
            }
        }
    }

    // ---- Declarations

    fn decl_group(&mut self, decls: &[Decl]) {
        let Some(first) = decls.first() else { return };
        self.put(match first {
            Decl::Import(_) => "import ",
            Decl::Const(_) => "const ",
            Decl::Type(_) => "type ",
            Decl::Var(_) => "var ",
            Decl::Func(_) => "",
        });
        if decls.len() == 1 {
            return self.decl(first);
        }
        self.put("(");
        self.indent += 1;
        for d in decls {
            self.newline();
            self.decl(d);
        }
        self.indent -= 1;
        self.newline();
        self.put(")");
    }

    fn decl(&mut self, d: &Decl) {
        match d {
            Decl::Import(i) => {
                if let Some(name) = &i.name {
                    let _ = write!(self.out, "{} ", name.name);
                }
                self.put(&quote(&i.path));
            }
            Decl::Const(c) => self.value_spec(&c.names, c.ty.as_deref(), &c.values),
            Decl::Var(v) => self.value_spec(&v.names, v.ty.as_deref(), &v.values),
            Decl::Type(t) => {
                self.ident(&t.name);
                self.type_params(&t.tparams, true);
                self.put(if t.alias { " = " } else { " " });
                self.expr(&t.ty);
            }
            Decl::Func(f) => {
                self.put("func ");
                if let Some(recv) = &f.recv {
                    self.params(std::slice::from_ref(recv));
                    self.put(" ");
                }
                self.ident(&f.name);
                self.type_params(&f.tparams, false);
                self.signature(&f.sig);
                if let Some(body) = &f.body {
                    self.put(" ");
                    self.block(body);
                }
            }
        }
    }

    fn value_spec(&mut self, names: &[Ident], ty: Option<&Expr>, values: &[Expr]) {
        self.names(names);
        if let Some(ty) = ty {
            self.put(" ");
            self.expr(ty);
        }
        if !values.is_empty() {
            self.put(" = ");
            self.exprs(values);
        }
    }

    // ---- Statements

    fn block(&mut self, b: &Block) {
        self.put("{");
        self.stmts(&b.stmts);
        self.newline();
        self.put("}");
    }

    fn stmts(&mut self, list: &[Stmt]) {
        self.indent += 1;
        for s in list {
            self.newline();
            self.stmt(s);
        }
        self.indent -= 1;
    }

    fn stmt(&mut self, s: &Stmt) {
        match &s.kind {
            StmtKind::Empty => {}
            StmtKind::Expr(x) => self.expr(x),
            StmtKind::Send { chan, value } => {
                self.expr(chan);
                self.put(" <- ");
                self.expr(value);
            }
            StmtKind::IncDec { x, inc } => {
                self.expr(x);
                self.put(if *inc { "++" } else { "--" });
            }
            StmtKind::Assign { op, lhs, rhs } => {
                self.exprs(lhs);
                let _ = write!(self.out, " {}= ", op.map_or("", bin_op));
                self.exprs(rhs);
            }
            StmtKind::Define { lhs, rhs } => {
                self.exprs(lhs);
                self.put(" := ");
                self.exprs(rhs);
            }
            StmtKind::Go(x) => self.keyword("go", std::slice::from_ref(x)),
            StmtKind::Defer(x) => self.keyword("defer", std::slice::from_ref(x)),
            StmtKind::Return(list) => self.keyword("return", list),
            StmtKind::Break(label) => self.jump("break", label.as_ref()),
            StmtKind::Continue(label) => self.jump("continue", label.as_ref()),
            StmtKind::Goto(label) => self.jump("goto", Some(label)),
            StmtKind::Fallthrough => self.put("fallthrough"),
            StmtKind::Block(b) => self.block(b),
            StmtKind::If(s) => self.if_stmt(s),
            StmtKind::Switch(s) => {
                self.put("switch ");
                self.init(s.init.as_ref());
                if let Some(tag) = &s.tag {
                    self.expr(tag);
                    self.put(" ");
                }
                self.cases(&s.cases);
            }
            StmtKind::TypeSwitch(s) => {
                self.put("switch ");
                self.init(s.init.as_ref());
                if let Some(name) = &s.bind {
                    let _ = write!(self.out, "{} := ", name.name);
                }
                self.expr(&s.x);
                self.put(".(type) ");
                self.cases(&s.cases);
            }
            StmtKind::Select { cases, .. } => {
                self.put("select {");
                for c in cases {
                    self.newline();
                    match &c.comm {
                        Some(comm) => {
                            self.put("case ");
                            self.stmt(comm);
                        }
                        None => self.put("default"),
                    }
                    self.put(":");
                    self.stmts(&c.body);
                }
                self.newline();
                self.put("}");
            }
            StmtKind::For(s) => {
                self.put("for ");
                if s.init.is_some() || s.post.is_some() {
                    if let Some(init) = &s.init {
                        self.stmt(init);
                    }
                    self.put("; ");
                    if let Some(cond) = &s.cond {
                        self.expr(cond);
                    }
                    self.put("; ");
                    if let Some(post) = &s.post {
                        self.stmt(post);
                        self.put(" ");
                    }
                } else if let Some(cond) = &s.cond {
                    self.expr(cond);
                    self.put(" ");
                }
                self.block(&s.body);
            }
            StmtKind::Range(s) => {
                self.put("for ");
                if let Some(key) = &s.key {
                    self.expr(key);
                    if let Some(value) = &s.value {
                        self.put(", ");
                        self.expr(value);
                    }
                    self.put(if s.define { " := " } else { " = " });
                }
                self.put("range ");
                self.expr(&s.x);
                self.put(" ");
                self.block(&s.body);
            }
            StmtKind::Labeled { label, stmt } => {
                let _ = write!(self.out, "{}: ", label.name);
                if matches!(stmt.kind, StmtKind::Empty) {
                    self.put(";");
                }
                self.stmt(stmt);
            }
            StmtKind::Decl(decls) => {
                let mut first = true;
                for_groups(decls, |group| {
                    if !std::mem::take(&mut first) {
                        self.newline();
                    }
                    self.decl_group(group);
                });
            }
        }
    }

    fn keyword(&mut self, word: &str, list: &[Expr]) {
        self.put(word);
        if !list.is_empty() {
            self.put(" ");
            self.exprs(list);
        }
    }

    fn jump(&mut self, word: &str, label: Option<&Ident>) {
        self.put(word);
        if let Some(label) = label {
            let _ = write!(self.out, " {}", label.name);
        }
    }

    fn init(&mut self, init: Option<&Stmt>) {
        if let Some(init) = init {
            self.stmt(init);
            self.put("; ");
        }
    }

    /// An if statement and the chain of its else-ifs, in a loop.
    fn if_stmt(&mut self, mut s: &IfStmt) {
        loop {
            self.put("if ");
            self.init(s.init.as_ref());
            self.expr(&s.cond);
            self.put(" ");
            self.block(&s.then);
            let Some(els) = &s.els else { return };
            self.put(" else ");
            match &els.kind {
                StmtKind::If(next) => s = next,
                _ => return self.stmt(els),
            }
        }
    }

    fn cases(&mut self, cases: &[CaseClause]) {
        self.put("{");
        for c in cases {
            self.newline();
            if c.is_default {
                self.put("default");
            } else {
                self.put("case ");
                self.exprs(&c.exprs);
            }
            self.put(":");
            self.stmts(&c.body);
        }
        self.newline();
        self.put("}");
    }
}

/// A Go string literal for `text`.
fn quote(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if (c as u32) < 0x20 || c as u32 == 0x7F => {
                let _ = write!(out, "\\x{:02x}", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
