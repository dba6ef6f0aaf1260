//! Elements of interfaces that are no methods: types, `~T`, and unions of such.
//!
//! Go: go/types/union.go. Spec: General interfaces.

use super::*;
use syntax::ast::{BinOp, Expr, ExprKind, UnOp};

/// Go's checker compares all terms of a union with one another.
const MAX_TERMS: usize = 100;
const TOO_MANY: &str = "cannot handle more than 100 union terms (implementation limitation)";

impl Checker {
    /// An embedded element: a type, `~T`, or a union of such.
    pub(super) fn union_type(&mut self, e: &'static Expr) -> TypeId {
        // A | B | C leans to the left.
        let mut parts: Vec<&'static Expr> = Vec::new();
        let mut at = e;
        while let ExprKind::Binary {
            op: BinOp::Or,
            x,
            y,
        } = &at.kind
        {
            parts.push(y);
            at = x;
        }
        parts.push(at);
        parts.reverse();
        let mut terms: Vec<(Term, &'static Expr)> = Vec::new();
        for p in parts {
            let (tilde, te) = match &p.kind {
                ExprKind::Unary { op: UnOp::Tilde, x } => (true, &**x),
                _ => (false, p),
            };
            let mut ty = self.typ(te);
            if self.is_type_param(ty) {
                let msg = if tilde {
                    format!("type in term {} cannot be a type parameter", self.es(p))
                } else {
                    "term cannot be a type parameter".to_string()
                };
                self.error(te.start(), msg);
                ty = TypeId::INVALID;
            }
            if tilde {
                self.record(p.id, Mode::Type, ty, None);
            }
            if terms.is_empty() && !tilde && std::ptr::eq(p, e) {
                // A single type is embedded as itself.
                return ty;
            }
            terms.push((Term { tilde, ty }, p));
        }
        if let Some((_, p)) = terms.get(MAX_TERMS) {
            self.error(p.start(), TOO_MANY);
            return TypeId::INVALID;
        }
        let list: Vec<Term> = terms.iter().map(|(t, _)| t.clone()).collect();
        let union = self.prog.types.add(Type::Union(list));
        self.record(e.id, Mode::Type, union, None);
        self.later(move |c| c.check_union(&terms));
        union
    }

    fn check_union(&mut self, terms: &[(Term, &'static Expr)]) {
        let list: Vec<Term> = terms.iter().map(|(t, _)| t.clone()).collect();
        let all = self.union_terms(&list, &mut Vec::new()).0;
        if all.is_some_and(|all| all.len() > MAX_TERMS) {
            self.error(terms[0].1.start(), TOO_MANY);
        }
        for (i, (t, e)) in terms.iter().enumerate() {
            if !self.is_valid(t.ty) {
                continue;
            }
            let u = self.under(t.ty);
            let name = self.ts(t.ty);
            // Terms are named in full, for no package of reference is at hand where Go does it.
            let full = self.type_string(t.ty);
            let is_iface = matches!(self.types.get(u), Type::Interface(_));
            if t.tilde {
                if is_iface {
                    self.error(
                        e.start(),
                        format!("invalid use of ~ ({name} is an interface)"),
                    );
                    continue;
                }
                if !self.identical(u, t.ty) {
                    let un = self.ts(u);
                    self.error(
                        e.start(),
                        format!("invalid use of ~ (underlying type of {name} is {un})"),
                    );
                    continue;
                }
            }
            if is_iface && terms.len() > 1 {
                let set = self.type_set(u);
                if !set.methods.is_empty() {
                    self.error(
                        e.start(),
                        format!("cannot use {full} in union ({full} contains methods)"),
                    );
                } else if self.unalias(t.ty) == TypeId::COMPARABLE {
                    self.error(e.start(), "cannot use comparable in union");
                } else if set.comparable {
                    self.error(
                        e.start(),
                        format!("cannot use {full} in union ({full} embeds comparable)"),
                    );
                }
                continue;
            }
            for (o, _) in &terms[..i] {
                if matches!(self.under_type(o.ty), Type::Interface(_)) {
                    continue;
                }
                if self.term_includes(o, t) || self.term_includes(t, o) {
                    let show = |c: &Checker, t: &Term| {
                        let tilde = if t.tilde { "~" } else { "" };
                        format!("{tilde}{}", c.type_string(t.ty))
                    };
                    let msg = format!("overlapping terms {} and {}", show(self, t), show(self, o));
                    self.soft_error(e.start(), msg);
                    break;
                }
            }
        }
    }
}
