//! Statements.
//!
//! Labels, `break`, `continue`, `goto` and `fallthrough` have been checked by the parser.
//!
//! Go: go/types (stmt.go, range.go). Spec: Statements.

use super::operand::Operand;
use super::*;
use syntax::ast::print::bin_op;
use syntax::ast::{ChanDir, Expr, ExprKind, Stmt, StmtKind};

/// What a call may be used for.
#[derive(PartialEq, Eq)]
enum Kind {
    Conversion,
    Expression,
    Statement,
}

impl Checker {
    /// The statements of a function's body, in its scope.
    pub(super) fn stmt_list_fn(&mut self, list: &'static [Stmt]) {
        self.stmt_list(list);
    }

    fn stmt_list(&mut self, list: &'static [Stmt]) {
        for s in list {
            self.stmt(s);
        }
    }

    fn block(&mut self, b: &'static ast::Block) {
        self.in_scope(|c| c.stmt_list(&b.stmts));
    }

    fn stmt(&mut self, s: &'static Stmt) {
        if syntax::nesting::is_low() {
            self.error(s.pos, "statement nested too deeply");
            return;
        }
        match &s.kind {
            StmtKind::Empty
            | StmtKind::Break(_)
            | StmtKind::Continue(_)
            | StmtKind::Goto(_)
            | StmtKind::Fallthrough => {}
            StmtKind::Expr(e) => self.expr_stmt(e),
            StmtKind::Send { chan, value } => {
                let ch = self.expr(chan, None);
                let mut val = self.generic_expr(value);
                if ch.is_invalid() || val.is_invalid() {
                    return;
                }
                if let Some(elem) = self.chan_elem(&ch, false) {
                    self.assignment(&mut val, Some(elem), "send");
                }
            }
            StmtKind::IncDec { x, inc } => {
                let mut v = self.expr(x, None);
                if v.is_invalid() {
                    return;
                }
                if !self.all_numeric(v.ty) {
                    let (e, t) = (self.es(x), self.ts(v.ty));
                    let op = if *inc { "++" } else { "--" };
                    self.error(
                        x.start(),
                        format!("invalid operation: {e}{op} (non-numeric type {t})"),
                    );
                    return;
                }
                self.assign_var(x, None, Some(&mut v), "assignment");
            }
            StmtKind::Assign { op: None, lhs, rhs } => self.assign_vars(lhs, rhs),
            StmtKind::Assign {
                op: Some(op),
                lhs,
                rhs,
            } => {
                if lhs.len() != 1 || rhs.len() != 1 {
                    let at = lhs.first().map_or(s.pos, Expr::start);
                    self.error(
                        at,
                        format!(
                            "assignment operation {}= requires single-valued expressions",
                            bin_op(*op)
                        ),
                    );
                    return;
                }
                let mut x = self.expr(&lhs[0], None);
                let mut y = self.expr(&rhs[0], None);
                self.binary(&mut x, &mut y, None, &lhs[0], &rhs[0], *op);
                if x.is_const() {
                    // `c += 1` of a constant:
                    // the value is of no interest, that it cannot be assigned to is.
                    x.mode = Mode::Value;
                }
                if x.is_invalid() {
                    self.assign_var(&lhs[0], None, Some(&mut x), "assignment operation");
                    return;
                }
                // Only the right operand has been given its type by the operation.
                x.expr = Some(&lhs[0]);
                self.assign_var(&lhs[0], None, Some(&mut x), "assignment operation");
            }
            StmtKind::Define { lhs, rhs } => self.short_var_decl(s.pos, lhs, rhs),
            StmtKind::Go(e) => self.suspended_call("go", e),
            StmtKind::Defer(e) => self.suspended_call("defer", e),
            StmtKind::Return(list) => self.return_stmt(s.pos, list),
            StmtKind::Block(b) => self.block(b),
            StmtKind::If(i) => self.if_stmt(i),
            StmtKind::Switch(sw) => self.in_scope(|c| {
                if let Some(init) = &sw.init {
                    c.stmt(init);
                }
                c.switch_stmt(sw);
            }),
            StmtKind::TypeSwitch(sw) => self.in_scope(|c| {
                if let Some(init) = &sw.init {
                    c.stmt(init);
                }
                c.type_switch_stmt(sw);
            }),
            StmtKind::Select { cases, .. } => self.select_stmt(cases),
            StmtKind::For(f) => self.in_scope(|c| {
                if let Some(init) = &f.init {
                    c.stmt(init);
                }
                if let Some(cond) = &f.cond {
                    let x = c.expr(cond, None);
                    c.condition(x, cond, "for");
                }
                if let Some(post) = &f.post {
                    c.stmt(post);
                }
                c.block(&f.body);
            }),
            StmtKind::Range(r) => self.range_stmt(s, r),
            StmtKind::Labeled { stmt, .. } => self.stmt(stmt),
            StmtKind::Decl(decls) => self.decl_stmt(decls),
        }
    }

    fn condition(&mut self, x: Operand, e: &'static Expr, what: &str) {
        if x.is_invalid() {
            return;
        }
        if !self.all_boolean(x.ty) {
            self.error(
                e.start(),
                format!("non-boolean condition in {what} statement"),
            );
            return;
        }
        // An untyped condition is computed as bool.
        if self.is_untyped(x.ty) {
            self.update_expr_type(e, TypeId::BOOL, true);
        }
    }

    fn if_stmt(&mut self, first: &'static ast::IfStmt) {
        // Chains of else-if open scopes inside each other; they are closed together.
        let saved = self.env.scope;
        let mut i = first;
        loop {
            let scope = self.prog.scopes.add(self.env.scope);
            self.env.scope = Some(scope);
            if let Some(init) = &i.init {
                self.stmt(init);
            }
            let x = self.expr(&i.cond, None);
            self.condition(x, &i.cond, "if");
            self.block(&i.then);
            match &i.els {
                None => break,
                Some(e) => match &e.kind {
                    StmtKind::If(next) => i = next,
                    _ => {
                        self.stmt(e);
                        break;
                    }
                },
            }
        }
        self.env.scope = saved;
    }

    fn kind_of(&self, e: &Expr) -> Kind {
        let e = e.unparen();
        match &e.kind {
            ExprKind::Call { fun, .. } => {
                if self.info.is_type(fun) {
                    return Kind::Conversion;
                }
                let Some(b) = self.builtin_of(fun) else {
                    return Kind::Statement;
                };
                match b {
                    Builtin::Clear
                    | Builtin::Close
                    | Builtin::Copy
                    | Builtin::Delete
                    | Builtin::Panic
                    | Builtin::Print
                    | Builtin::Println
                    | Builtin::Recover => Kind::Statement,
                    _ => Kind::Expression,
                }
            }
            ExprKind::Unary {
                op: ast::UnOp::Recv,
                ..
            } => Kind::Statement,
            _ => Kind::Expression,
        }
    }

    /// The built-in function that an expression denotes.
    pub fn builtin_of(&self, fun: &Expr) -> Option<Builtin> {
        let fun = fun.unparen();
        let id = match &fun.kind {
            ExprKind::Name(_) => fun.id,
            ExprKind::Selector { sel, .. } => sel.id,
            _ => return None,
        };
        match self.obj(*self.info.uses.get(&id)?).kind {
            ObjKind::Builtin(b) => Some(b),
            _ => None,
        }
    }

    fn expr_stmt(&mut self, e: &'static Expr) {
        let x = self.raw_expr(e, None, None, false);
        let msg = match x.mode {
            Mode::Invalid => return,
            Mode::Builtin => "must be called",
            Mode::Type => "is not an expression",
            _ => {
                if self.kind_of(e) == Kind::Statement {
                    return;
                }
                "is not used"
            }
        };
        let s = self.os(&x);
        self.error(x.pos(), format!("{s} {msg}"));
    }

    fn suspended_call(&mut self, word: &str, e: &'static Expr) {
        if !matches!(e.kind, ExprKind::Call { .. }) {
            if !matches!(e.kind, ExprKind::Bad) {
                self.error(
                    e.start(),
                    format!("expression in {word} must be function call"),
                );
            }
            self.use_expr(e);
            return;
        }
        let x = self.raw_expr(e, None, None, false);
        if x.is_invalid() {
            return;
        }
        let msg = match self.kind_of(e) {
            Kind::Conversion => "requires function call, not conversion",
            Kind::Expression => "discards result of",
            Kind::Statement => return,
        };
        let s = self.os(&x);
        self.error(x.pos(), format!("{word} {msg} {s}"));
    }

    fn return_stmt(&mut self, pos: Pos, list: &'static [Expr]) {
        let results = self
            .env
            .sig
            .and_then(|s| self.sig(s))
            .map(|s| s.results.clone())
            .unwrap_or_default();
        let named = results
            .first()
            .is_some_and(|&r| !self.obj(r).name.as_str().is_empty());
        if list.is_empty() && named {
            for &r in &results {
                let name = self.obj(r).name;
                if name.is_blank() {
                    continue;
                }
                if let Some((_, alt)) = self.scopes.lookup_parent(self.scope(), name)
                    && alt != r
                {
                    let at = self.ps(self.obj(alt).pos);
                    let decl = self.object_string(r, self.rel());
                    self.error(
                        pos,
                        format!(
                            "result parameter {name} not in scope at return\n\
                             \t{at}: inner declaration of {decl}"
                        ),
                    );
                }
            }
            return;
        }
        if named {
            // A function literal that mentions a result must see what is returned.
            for &r in &results {
                if let Some(v) = self.prog.objs.var_mut(r) {
                    v.reassigned = true;
                }
            }
        }
        if !results.is_empty() {
            self.init_vars(&results, true, list, Some(pos));
        } else if !list.is_empty() {
            for e in list {
                self.raw_expr(e, None, None, false);
            }
            let ops: Vec<Operand> = list.iter().map(|e| self.recall(e)).collect();
            if let [x] = &ops[..]
                && x.mode == Mode::NoValue
            {
                let s = self.os(x);
                self.error(x.pos(), format!("{s} used as value"));
            } else if ops.iter().all(|x| !x.is_invalid()) {
                let have = match (&ops[..], self.types.get(ops[0].ty)) {
                    ([_], Type::Tuple(ts)) => ts.clone(),
                    _ => ops.iter().map(|x| x.ty).collect(),
                };
                let have = self.types_summary(&have, false, false);
                self.error(
                    list[0].start(),
                    format!("too many return values\n\thave {have}\n\twant ()"),
                );
            }
        }
    }

    /// `a, b := x, y`.
    fn short_var_decl(&mut self, pos: Pos, lhs: &'static [Expr], rhs: &'static [Expr]) {
        let scope = self.scope();
        let mut vars = Vec::with_capacity(lhs.len());
        let mut typed = Vec::with_capacity(lhs.len());
        let mut fresh: Vec<ObjId> = Vec::new();
        let mut seen: Vec<Symbol> = Vec::new();
        let mut has_err = false;
        for e in lhs {
            let dummy = |c: &mut Checker| {
                let v = c.new_local(Symbol::new("_"), e.pos, TypeId::INVALID);
                if let Some(v) = c.prog.objs.var_mut(v) {
                    v.used = true;
                }
                v
            };
            let ExprKind::Name(name) = e.kind else {
                self.use_lhs(std::slice::from_ref(e));
                if !matches!(e.kind, ExprKind::Bad) {
                    let s = self.es(e);
                    self.error(e.start(), format!("non-name {s} on left side of :="));
                }
                has_err = true;
                vars.push(dummy(self));
                typed.push(false);
                continue;
            };
            if !name.is_blank() {
                if seen.contains(&name) {
                    self.error(e.pos, format!("{name} repeated on left side of :="));
                    has_err = true;
                    vars.push(dummy(self));
                    typed.push(false);
                    continue;
                }
                seen.push(name);
                if let Some(alt) = self.scopes.lookup(scope, name) {
                    self.record_use(e.id, alt);
                    if matches!(self.obj(alt).kind, ObjKind::Var(_)) {
                        let ty = self.obj(alt).ty;
                        self.record(e.id, Mode::Variable, ty, None);
                        vars.push(alt);
                        typed.push(true);
                    } else {
                        self.error(e.pos, format!("cannot assign to {name}"));
                        has_err = true;
                        vars.push(dummy(self));
                        typed.push(false);
                    }
                    continue;
                }
            }
            let v = self.new_local(name, e.pos, TypeId::INVALID);
            if !name.is_blank() {
                fresh.push(v);
            }
            self.record_def(e.id, v);
            vars.push(v);
            typed.push(false);
        }
        self.init_vars_mixed(&vars, &typed, rhs, None);
        for (&v, &old) in vars.iter().zip(&typed) {
            if old && let Some(v) = self.prog.objs.var_mut(v) {
                v.reassigned = true;
            }
        }
        for (e, &v) in lhs.iter().zip(&vars) {
            let ty = self.obj(v).ty;
            self.record(e.id, Mode::Variable, ty, None);
        }
        if fresh.is_empty() && !has_err {
            self.soft_error(pos, "no new variables on left side of :=");
            return;
        }
        for v in fresh {
            self.declare(scope, None, v);
        }
    }

    fn default_clauses(&mut self, defaults: impl Iterator<Item = Pos>) {
        let mut first: Option<Pos> = None;
        for pos in defaults {
            match first {
                None => first = Some(pos),
                Some(f) => {
                    let at = self.ps(f);
                    self.error(pos, format!("multiple defaults (first at {at})"));
                }
            }
        }
    }

    fn switch_stmt(&mut self, sw: &'static ast::SwitchStmt) {
        let mut x;
        match &sw.tag {
            Some(tag) => {
                x = self.expr(tag, None);
                self.assignment(&mut x, None, "switch expression");
                if !x.is_invalid() && !self.comparable(x.ty) && !self.has_nil(x.ty) {
                    let (s, t) = (self.os(&x), self.ts(x.ty));
                    self.error(
                        x.pos(),
                        format!("cannot switch on {s} ({t} is not comparable)"),
                    );
                    x.invalidate();
                }
            }
            None => {
                let e = match self.true_expr {
                    Some(e) => e,
                    None => {
                        let e: &'static Expr = Box::leak(Box::new(Expr::new(
                            Pos::NONE,
                            ExprKind::Name(Symbol::new("true")),
                        )));
                        self.true_expr = Some(e);
                        e
                    }
                };
                x = Operand::constant(ConstValue::Bool(true), TypeId::BOOL, e);
            }
        }
        self.default_clauses(sw.cases.iter().filter(|c| c.is_default).map(|c| c.pos));
        let mut seen: FxHashMap<constant::Key, Vec<(Pos, TypeId)>> = FxHashMap::default();
        for clause in &sw.cases {
            for e in &clause.exprs {
                self.case_value(&x, e, &mut seen);
            }
            self.in_scope(|c| c.stmt_list(&clause.body));
        }
    }

    fn case_value(
        &mut self,
        x: &Operand,
        e: &'static Expr,
        seen: &mut FxHashMap<constant::Key, Vec<(Pos, TypeId)>>,
    ) {
        let mut v = self.expr(e, None);
        if x.is_invalid() || v.is_invalid() {
            return;
        }
        self.convert_untyped(&mut v, x.ty);
        if v.is_invalid() {
            return;
        }
        let mut res = v.clone();
        let mut tag = x.clone();
        self.comparison(&mut res, &mut tag, ast::BinOp::Eq, true);
        if res.is_invalid() || !v.is_const() {
            return;
        }
        let val = v.value();
        if !matches!(val, ConstValue::Str(_)) && !val.is_numeric()
            || matches!(val, ConstValue::Complex(_))
        {
            return;
        }
        let list = seen.entry(val.key()).or_default();
        if let Some(&(at, _)) = list.iter().find(|(_, t)| self.prog.identical(*t, v.ty)) {
            let s = self.os(&v);
            let at = self.ps(at);
            self.error(
                v.pos(),
                format!("duplicate case {s} in expression switch\n\t{at}: previous case"),
            );
            return;
        }
        list.push((e.pos, v.ty));
    }

    fn type_switch_stmt(&mut self, sw: &'static ast::TypeSwitchStmt) {
        let mut bind = sw.bind;
        if let Some(b) = bind
            && b.name.is_blank()
        {
            self.soft_error(b.pos, "no new variable on left side of :=");
            bind = None;
        }
        let x = self.expr(&sw.x, None);
        let mut subject = None;
        if !x.is_invalid() {
            if self.is_type_param(x.ty) {
                let s = self.os(&x);
                self.error(
                    x.pos(),
                    format!("cannot use type switch on type parameter value {s}"),
                );
            } else if self.is_interface(x.ty) {
                subject = Some(x.clone());
            } else {
                let s = self.os(&x);
                self.error(x.pos(), format!("{s} is not an interface"));
            }
        }
        self.default_clauses(sw.cases.iter().filter(|c| c.is_default).map(|c| c.pos));
        let mut vars: Vec<ObjId> = Vec::new();
        let mut seen: FxHashMap<String, Pos> = FxHashMap::default();
        for clause in &sw.cases {
            let mut last = None;
            for e in &clause.exprs {
                last = self.case_type(subject.as_ref(), e, &mut seen);
            }
            let mut ty = last.unwrap_or(TypeId::INVALID);
            if clause.exprs.len() != 1 || last == Some(TypeId::UNTYPED_NIL) {
                ty = subject.as_ref().map_or(TypeId::INVALID, |s| s.ty);
            }
            self.in_scope(|c| {
                if let Some(b) = bind {
                    // One variable per clause; they count as one for being used.
                    let v = c.new_local(b.name, b.pos, ty);
                    c.locals.pop();
                    let scope = c.scope();
                    c.declare(scope, None, v);
                    c.prog.info.implicits.insert(clause.id, v);
                    vars.push(v);
                }
                c.stmt_list(&clause.body);
            });
        }
        if let Some(b) = bind {
            let used = vars
                .iter()
                .any(|&v| self.objs.var(v).is_some_and(|v| v.used));
            if !used && !self.is_typed() {
                self.soft_error(b.pos, format!("{} declared and not used", b.name));
            }
            for v in vars {
                if let Some(v) = self.prog.objs.var_mut(v) {
                    v.used = true;
                }
            }
        }
    }

    /// A case of a type switch: its type, `UNTYPED_NIL` for nil, `None` if in error.
    fn case_type(
        &mut self,
        x: Option<&Operand>,
        e: &'static Expr,
        seen: &mut FxHashMap<String, Pos>,
    ) -> Option<TypeId> {
        let t = if self.is_nil_literal(e) {
            self.expr(e, None);
            TypeId::UNTYPED_NIL
        } else {
            let t = self.var_type(e);
            if !self.is_valid(t) {
                return None;
            }
            t
        };
        let key = self.canonical_string(t);
        if let Some(&at) = seen.get(&key) {
            let ts = if t == TypeId::UNTYPED_NIL {
                "nil".into()
            } else {
                self.ts(t)
            };
            let at = self.ps(at);
            self.error(
                e.start(),
                format!("duplicate case {ts} in type switch\n\t{at}: previous case"),
            );
            return Some(t);
        }
        seen.insert(key, e.start());
        if let (Some(x), true) = (x, t != TypeId::UNTYPED_NIL) {
            self.type_assertion(e, x, t, true);
        }
        Some(t)
    }

    fn select_stmt(&mut self, cases: &'static [ast::CommClause]) {
        self.default_clauses(cases.iter().filter(|c| c.comm.is_none()).map(|c| c.pos));
        for clause in cases {
            self.in_scope(|c| {
                if let Some(comm) = &clause.comm {
                    let recv = |e: &Expr| {
                        matches!(
                            e.unparen().kind,
                            ExprKind::Unary {
                                op: ast::UnOp::Recv,
                                ..
                            }
                        )
                    };
                    let valid = match &comm.kind {
                        StmtKind::Send { .. } => true,
                        StmtKind::Expr(e) => recv(e),
                        StmtKind::Assign { op: None, rhs, .. } | StmtKind::Define { rhs, .. } => {
                            rhs.len() == 1 && recv(&rhs[0])
                        }
                        _ => false,
                    };
                    if !valid {
                        let at = match &comm.kind {
                            StmtKind::Assign { lhs, .. } | StmtKind::Define { lhs, .. } => {
                                lhs.first().map_or(comm.pos, Expr::start)
                            }
                            StmtKind::Expr(e) => e.pos,
                            _ => comm.pos,
                        };
                        c.error(
                            at,
                            "select case must be send or receive (possibly with assignment)",
                        );
                        return;
                    }
                    c.stmt(comm);
                }
                c.stmt_list(&clause.body);
            });
        }
    }

    fn range_stmt(&mut self, s: &'static Stmt, r: &'static ast::RangeStmt) {
        let saved = std::mem::replace(&mut self.env.has_call_or_recv, false);
        let mut x = self.expr(&r.x, None);
        self.env.has_call_or_recv |= saved;
        let (mut key, mut val) = (None, None);
        if !x.is_invalid() {
            let s = self.os(&x);
            match self.range_key_val(x.ty, x.pos()) {
                Err(cause) if cause.is_empty() => {
                    self.soft_error(x.pos(), format!("cannot range over {s}"))
                }
                Err(cause) => self.soft_error(x.pos(), format!("cannot range over {s}: {cause}")),
                Ok((k, v)) => {
                    if let (None, Some(e)) = (k, &r.key) {
                        self.soft_error(
                            e.start(),
                            format!("range over {s} permits no iteration variables"),
                        );
                    } else if let (None, Some(e)) = (v, &r.value) {
                        self.soft_error(
                            e.start(),
                            format!("range over {s} permits only one iteration variable"),
                        );
                    }
                    (key, val) = (k, v);
                }
            }
            if self.is_untyped(x.ty) && self.is_string(x.ty) {
                self.update_expr_type(&r.x, TypeId::STRING, true);
            }
        }
        let over_int = !x.is_invalid() && self.is_integer(x.ty);
        self.in_scope(|c| {
            let lhs = [r.key.as_ref(), r.value.as_ref()];
            let rhs = [key, val];
            if r.define {
                let mut fresh = Vec::new();
                let mut any = false;
                for (e, t) in lhs.into_iter().zip(rhs) {
                    let Some(e) = e else { continue };
                    let name = match e.kind {
                        ExprKind::Name(n) => n,
                        _ => Symbol::new("_"),
                    };
                    any |= matches!(e.kind, ExprKind::Bad);
                    let v = c.new_local(name, e.pos, TypeId::INVALID);
                    c.record_def(e.id, v);
                    // One variable of all iterations is assigned by each.
                    let is_shared = !c.allows(e.pos, version::LOOP_VARS);
                    if let Some(var) = c.prog.objs.var_mut(v).filter(|_| is_shared) {
                        var.reassigned = true;
                    }
                    if !name.is_blank() {
                        fresh.push(v);
                    }
                    let Some(t) = t.filter(|&t| c.is_valid(t)) else {
                        if let Some(v) = c.prog.objs.var_mut(v) {
                            v.used = true;
                        }
                        continue;
                    };
                    if over_int {
                        c.init_var(v, false, &mut x, "range clause");
                    } else {
                        let mut y = Operand::new(Mode::Value, t, e);
                        c.init_var(v, false, &mut y, "assignment");
                    }
                    let ty = c.obj(v).ty;
                    c.record(e.id, Mode::Variable, ty, None);
                }
                if fresh.is_empty() && !any {
                    c.error(s.pos, "no new variables on left side of :=");
                }
                let scope = c.scope();
                for v in fresh {
                    c.declare(scope, None, v);
                }
            } else if r.key.is_some() {
                for (e, t) in lhs.into_iter().zip(rhs) {
                    let Some(e) = e else { continue };
                    let Some(t) = t.filter(|&t| c.is_valid(t)) else {
                        continue;
                    };
                    if over_int {
                        c.assign_var(e, None, Some(&mut x), "range clause");
                        if !x.is_invalid() && !c.is_integer(x.ty) {
                            let t = c.ts(x.ty);
                            c.soft_error(
                                e.start(),
                                format!("cannot use iteration variable of type {t}"),
                            );
                        }
                    } else {
                        let mut y = Operand::new(Mode::Value, t, e);
                        c.assign_var(e, None, Some(&mut y), "assignment");
                    }
                }
            } else if over_int {
                c.assignment(&mut x, None, "range clause");
            }
            c.block(&r.body);
        });
    }

    /// Key and value types of a range over `t`.
    #[allow(clippy::type_complexity)] // two optional types or a reason
    fn range_key_val(
        &mut self,
        t: TypeId,
        pos: Pos,
    ) -> Result<(Option<TypeId>, Option<TypeId>), String> {
        let requires = |version: u32| Err(format!("requires go1.{version} or later"));
        let receives = |_, u| {
            !matches!(
                self.types.get(u),
                Type::Chan {
                    dir: ChanDir::Send,
                    ..
                }
            )
        };
        let mut u = self
            .common_under(t, receives)
            .map_err(|why| self.uncommon(why, |t| format!("receive from send-only channel {t}")))?;
        if let Type::Pointer(p) = self.types.get(u)
            && let Type::Array { .. } = self.under_type(*p)
        {
            u = self.under(*p);
        }
        let int = Some(TypeId::INT);
        Ok(match self.types.get(u) {
            Type::Basic(b) if b.is_string() => (int, Some(TypeId::RUNE)),
            Type::Basic(b) if b.is_integer() => {
                if !self.allows(pos, 22) {
                    return requires(22);
                }
                (Some(t), None)
            }
            Type::Array { elem, .. } | Type::Slice(elem) => (int, Some(*elem)),
            Type::Map { key, value } => (Some(*key), Some(*value)),
            Type::Chan { elem, .. } => (Some(*elem), None),
            Type::Signature(_) if !self.allows(pos, 23) => return requires(23),
            Type::Signature(s) => return self.iterator_types(s),
            _ => return Err(String::new()),
        })
    }

    /// What a function ranged over yields.
    #[allow(clippy::type_complexity)] // as above
    fn iterator_types(&self, s: &Signature) -> Result<(Option<TypeId>, Option<TypeId>), String> {
        let bad = |why: &str| Err(format!("func must be func(yield func(...) bool): {why}"));
        if s.params.len() != 1 {
            return bad("wrong argument count");
        }
        if !s.results.is_empty() {
            return bad("unexpected results");
        }
        let p = self.obj(s.params[0]).ty;
        let y = match self.common_under(p, |_, _| true) {
            Ok(y) => y,
            Err(why) => {
                let why = self.uncommon(why, |t| t);
                return bad(&format!("in yield type, {why}"));
            }
        };
        let Type::Signature(y) = self.types.get(y) else {
            return bad("argument is not func");
        };
        if y.params.len() > 2 {
            return bad("yield func has too many parameters");
        }
        let result = match y.results[..] {
            [r] => Some(self.obj(r).ty),
            _ => None,
        };
        match result {
            Some(r) if self.identical(r, TypeId::BOOL) => {}
            Some(r) if self.is_boolean(r) => {
                return bad("yield func returns user-defined boolean, not bool");
            }
            _ => return bad("yield func does not return bool"),
        }
        if y.variadic {
            return Err(format!(
                "yield func of type {} cannot be variadic",
                self.ts(p)
            ));
        }
        let ty = |i: usize| y.params.get(i).map(|&p| self.obj(p).ty);
        Ok((ty(0), ty(1)))
    }
}
