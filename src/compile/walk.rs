//! Walking over statements and expressions, for questions asked before a function is compiled.

use syntax::ast::{Block, Decl, Expr, ExprKind, NodeId, Stmt, StmtKind};

/// Calls `f` for every expression of the block,
/// nested function literals included, outer expressions first.
pub(super) fn block(b: &'static Block, f: &mut dyn FnMut(&'static Expr)) {
    b.stmts.iter().for_each(|s| stmt(s, f));
}

fn stmt(s: &'static Stmt, f: &mut dyn FnMut(&'static Expr)) {
    each_part(s, &mut |p| match p {
        Part::Expr(e) => expr(e, f),
        Part::Stmt(s) => stmt(s, f),
    });
}

/// What a statement is made of.
pub(super) enum Part {
    Expr(&'static Expr),
    Stmt(&'static Stmt),
}

/// Calls `f` for the expressions and statements directly inside `s`.
pub(super) fn each_part(s: &'static Stmt, f: &mut dyn FnMut(Part)) {
    use Part::{Expr as E, Stmt as S};
    let mut s = s;
    loop {
        match &s.kind {
            StmtKind::Expr(e) | StmtKind::Go(e) | StmtKind::Defer(e) => f(E(e)),
            StmtKind::Send { chan, value } => {
                f(E(chan));
                f(E(value));
            }
            StmtKind::IncDec { x, .. } => f(E(x)),
            StmtKind::Assign { lhs, rhs, .. } | StmtKind::Define { lhs, rhs } => {
                lhs.iter().chain(rhs).for_each(|e| f(E(e)));
            }
            StmtKind::Return(es) => es.iter().for_each(|e| f(E(e))),
            StmtKind::Block(b) => b.stmts.iter().for_each(|s| f(S(s))),
            StmtKind::If(i) => {
                i.init.iter().for_each(|s| f(S(s)));
                f(E(&i.cond));
                i.then.stmts.iter().for_each(|s| f(S(s)));
                // A chain of else-ifs in a loop.
                match &i.els {
                    Some(e) if matches!(e.kind, StmtKind::If(_)) => {
                        s = e;
                        continue;
                    }
                    Some(e) => f(S(e)),
                    None => {}
                }
            }
            StmtKind::Switch(w) => {
                w.init.iter().for_each(|s| f(S(s)));
                w.tag.iter().for_each(|e| f(E(e)));
                for c in &w.cases {
                    c.exprs.iter().for_each(|e| f(E(e)));
                    c.body.iter().for_each(|s| f(S(s)));
                }
            }
            StmtKind::TypeSwitch(w) => {
                w.init.iter().for_each(|s| f(S(s)));
                f(E(&w.x));
                w.cases.iter().flat_map(|c| &c.body).for_each(|s| f(S(s)));
            }
            StmtKind::Select { cases, .. } => {
                for c in cases {
                    c.comm.iter().for_each(|s| f(S(s)));
                    c.body.iter().for_each(|s| f(S(s)));
                }
            }
            StmtKind::For(l) => {
                l.init.iter().for_each(|s| f(S(s)));
                l.cond.iter().for_each(|e| f(E(e)));
                l.post.iter().for_each(|s| f(S(s)));
                l.body.stmts.iter().for_each(|s| f(S(s)));
            }
            StmtKind::Range(r) => {
                r.key.iter().chain(&r.value).for_each(|e| f(E(e)));
                f(E(&r.x));
                r.body.stmts.iter().for_each(|s| f(S(s)));
            }
            StmtKind::Labeled { stmt, .. } => f(S(stmt)),
            StmtKind::Decl(decls) => {
                for d in decls {
                    if let Decl::Var(v) = d {
                        v.values.iter().for_each(|e| f(E(e)));
                    }
                }
            }
            StmtKind::Empty
            | StmtKind::Break(_)
            | StmtKind::Continue(_)
            | StmtKind::Goto(_)
            | StmtKind::Fallthrough => {}
        }
        return;
    }
}

/// Calls `f` for `e` and every expression in it, bodies of function literals included.
pub(super) fn expr(e: &'static Expr, f: &mut dyn FnMut(&'static Expr)) {
    visit(e, &mut |e| {
        f(e);
        if let ExprKind::FuncLit { body, .. } = &e.kind {
            block(body, f);
        }
    });
}

/// Calls `f` with the id of every name in the expression, those in function literals left out.
pub(super) fn names(e: &Expr, f: &mut dyn FnMut(NodeId)) {
    visit(e, &mut |e| {
        if matches!(e.kind, ExprKind::Name(_)) {
            f(e.id);
        }
    });
}

/// Calls `f` for `e` and every expression in it that belongs to the same function.
pub(super) fn visit<'e>(e: &'e Expr, f: &mut dyn FnMut(&'e Expr)) {
    use ExprKind as E;
    let mut e = e;
    loop {
        f(e);
        match &e.kind {
            E::Paren(x)
            | E::Star(x)
            | E::Unary { x, .. }
            | E::TypeAssert { x, .. }
            | E::Selector { x, .. } => e = x,
            E::KeyValue { key, value } => {
                visit(key, f);
                e = value;
            }
            E::CompositeLit { elems, .. } => return elems.iter().for_each(|x| visit(x, f)),
            E::Index { x, indices } => {
                indices.iter().for_each(|i| visit(i, f));
                e = x;
            }
            E::Slice { x, lo, hi, max, .. } => {
                [lo, hi, max]
                    .into_iter()
                    .flatten()
                    .for_each(|i| visit(i, f));
                e = x;
            }
            E::Call { fun, args, .. } => {
                args.iter().for_each(|a| visit(a, f));
                e = fun;
            }
            E::Binary { x, y, .. } => {
                visit(y, f);
                e = x;
            }
            _ => return,
        }
    }
}
