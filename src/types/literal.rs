//! Function and composite literals.
//!
//! Go: go/types (literals.go). Spec: Function literals, Composite literals.

use super::checker::LitFrame;
use super::lookup::Found;
use super::operand::Operand;
use super::*;
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use syntax::ast::{Expr, ExprKind, FuncSig};

impl Checker {
    /// Inside a function the body is checked at once; at package level it waits, since it may
    /// mention what is being declared.
    pub(super) fn func_lit(
        &mut self,
        e: &'static Expr,
        sig: &'static FuncSig,
        body: &'static ast::Block,
    ) -> Operand {
        let saved = self.env.scope;
        let scope = self.prog.scopes.add(saved);
        self.env.scope = Some(scope);
        self.env.func_depth += 1;
        let ty = self.func_type_here(sig, None, &[], None);
        self.env.func_depth -= 1;
        self.env.scope = saved;
        let id = e.id;
        if self.env.in_func {
            self.func_lit_body(id, ty, scope, body);
        } else {
            self.later(move |c| {
                c.env.in_func = true;
                c.env.errpos = None;
                let saved = std::mem::take(&mut c.locals);
                c.func_lit_body(id, ty, scope, body);
                c.unused_locals();
                c.locals = saved;
            });
        }
        Operand::new(Mode::Value, ty, e)
    }

    /// The fields on the way to a promoted one, as text.
    fn field_path(&self, base: TypeId, path: &[u32]) -> String {
        let mut names = Vec::new();
        let mut t = base;
        for &i in path {
            let Type::Struct(s) = self.under_type(self.prog.deref(t).unwrap_or(t)) else {
                break;
            };
            let field = self.obj(s.fields[i as usize]);
            names.push(field.name.as_str());
            t = field.ty;
        }
        names.join(".")
    }

    fn func_lit_body(&mut self, id: NodeId, ty: TypeId, scope: ScopeId, body: &'static ast::Block) {
        let mut env = self.env.clone();
        env.scope = Some(scope);
        env.sig = Some(ty);
        env.func_depth += 1;
        env.has_call_or_recv = false;
        let depth = env.func_depth;
        let saved = std::mem::replace(&mut self.env, env);
        self.lits.push(LitFrame {
            id,
            depth,
            captured: Default::default(),
        });
        self.func_body(body);
        if let Some(frame) = self.lits.pop() {
            let list: Vec<ObjId> = frame.captured.into_iter().collect();
            self.prog.info.captures.insert(frame.id, list);
        }
        self.env = saved;
    }

    /// `T{…}`; without a type the hint of the enclosing literal counts.
    pub(super) fn composite_lit(
        &mut self,
        e: &'static Expr,
        ty: Option<&'static Expr>,
        elems: &'static [Expr],
        rbrace: Pos,
        hint: Option<TypeId>,
    ) -> Operand {
        let mut open_array = None;
        let (ty_id, base, is_elem) = match (ty, hint) {
            (Some(te), _) => {
                if let ExprKind::ArrayType { len: None, elem } = &te.kind {
                    let elem = self.var_type(elem);
                    open_array = Some((te, elem));
                    (TypeId::INVALID, TypeId::INVALID, false)
                } else {
                    let t = self.typ(te);
                    (t, t, false)
                }
            }
            (None, Some(h)) => {
                // *T stands for &T{…}.
                let base = match self.core_type(h).map(|c| self.types.get(c)) {
                    Some(Type::Pointer(p)) => *p,
                    _ => h,
                };
                (h, base, true)
            }
            (None, None) => {
                self.error(e.start(), "missing type in composite literal");
                (TypeId::INVALID, TypeId::INVALID, false)
            }
        };
        if let Some((te, elem)) = open_array {
            let n = self.indexed_elems(elems, elem, None);
            if let Some((i, pos)) = self.beyond(elems, n) {
                let text = format!("array index {i} out of bounds [0:{n}]");
                self.overflows.push((pos, text));
            }
            let t = self.prog.types.array(n, elem);
            self.note_large(te.start(), t);
            self.record(te.id, Mode::Type, t, None);
            return Operand::new(Mode::Value, t, e);
        }
        if !self.is_complete(base) {
            return Operand::invalid(e);
        }
        let core = self.core_type(base);
        match core.map(|c| self.types.get(c).clone()) {
            Some(Type::Struct(s)) => self.struct_lit(base, &s, elems, rbrace),
            Some(Type::Array { len, elem }) => {
                self.indexed_elems(elems, elem, Some(len));
            }
            Some(Type::Slice(elem)) => {
                self.indexed_elems(elems, elem, None);
            }
            Some(Type::Map { key, value }) => self.map_lit(elems, key, value),
            other => {
                for x in elems {
                    match &x.kind {
                        ExprKind::KeyValue { value, .. } => self.use_expr(value),
                        _ => self.use_expr(x),
                    };
                }
                if !matches!(other, Some(Type::Basic(Basic::Invalid))) {
                    let t = self.ts(ty_id);
                    let word = if is_elem { " element" } else { "" };
                    let cause = if other.is_none() {
                        " (no common underlying type)"
                    } else {
                        ""
                    };
                    self.error(
                        e.start(),
                        format!("invalid composite literal{word} type {t}{cause}"),
                    );
                    return Operand::invalid(e);
                }
            }
        }
        if !self.is_valid(ty_id) {
            return Operand::invalid(e);
        }
        // The compiler reads &T off the pointer type of an elided element.
        Operand::new(Mode::Value, ty_id, e)
    }

    fn lit_value(&mut self, e: &'static Expr, hint: TypeId) -> Operand {
        let mut x = self.raw_expr(e, None, Some(hint), true);
        self.exclude(&mut x, true, true, true);
        self.single_value(&mut x);
        x
    }

    fn struct_lit(&mut self, base: TypeId, s: &StructType, elems: &'static [Expr], rbrace: Pos) {
        if elems.is_empty() {
            return;
        }
        let base_str = self.ts(base);
        if !matches!(elems[0].kind, ExprKind::KeyValue { .. }) {
            let mut too_many = false;
            for (i, el) in elems.iter().enumerate() {
                if let ExprKind::KeyValue { value, .. } = &el.kind {
                    self.error(
                        el.start(),
                        "mixture of field:value and value elements in struct literal",
                    );
                    self.use_expr(value);
                    continue;
                }
                let mut x = self.generic_expr(el);
                let Some(&f) = s.fields.get(i) else {
                    self.error(
                        x.pos(),
                        format!("too many values in struct literal of type {base_str}"),
                    );
                    too_many = true;
                    break;
                };
                let (name, pkg, fty) = {
                    let o = self.obj(f);
                    (o.name, o.pkg, o.ty)
                };
                if !name.is_exported() && pkg != self.env.pkg {
                    self.error(
                        x.pos(),
                        format!(
                            "implicit assignment to unexported field {name} in struct literal \
                             of type {base_str}"
                        ),
                    );
                    continue;
                }
                self.assignment(&mut x, Some(fty), "struct literal");
            }
            if elems.len() < s.fields.len() && !too_many {
                let hidden = s.fields.iter().any(|&f| {
                    let o = self.obj(f);
                    !o.name.is_exported() && o.pkg != self.env.pkg
                });
                let hint = if hidden {
                    " (type has unexported fields - use key:value pairs)"
                } else {
                    ""
                };
                self.error(
                    rbrace,
                    format!("too few values in struct literal of type {base_str}{hint}"),
                );
            }
            return;
        }
        let by_name: FxHashMap<Symbol, u32> = s
            .fields
            .iter()
            .enumerate()
            .filter(|(_, f)| {
                let o = self.obj(**f);
                o.name.is_exported() || o.pkg == self.env.pkg
            })
            .map(|(i, f)| (self.obj(*f).name, i as u32))
            .collect();
        // The type's own methods are no members of what is beneath it.
        let under = self.core_type(base).unwrap_or(base);
        // Paths given so far; none begins with another.
        let mut given: BTreeMap<Vec<u32>, ObjId> = BTreeMap::new();
        for el in elems {
            let ExprKind::KeyValue { key, value } = &el.kind else {
                self.error(
                    el.start(),
                    "mixture of field:value and value elements in struct literal",
                );
                self.use_expr(el);
                continue;
            };
            let ExprKind::Name(name) = key.kind else {
                self.use_expr(value);
                let k = self.es(key);
                self.error(
                    el.start(),
                    format!("invalid field name {k} in struct literal"),
                );
                continue;
            };
            let mut path = Vec::new();
            let mut indirect = false;
            let field = match by_name.get(&name) {
                Some(&i) if !name.is_blank() => {
                    path.push(i);
                    Some(s.fields[i as usize])
                }
                _ => match self.lookup(under, false, self.env.pkg, name) {
                    Found::Entry {
                        obj,
                        path: p,
                        indirect: ind,
                    } => {
                        path = p;
                        indirect = ind;
                        Some(obj)
                    }
                    _ => None,
                },
            };
            let hint = field.map(|f| self.obj(f).ty).unwrap_or(TypeId::INVALID);
            let mut x = self.generic_expr(value);
            let Some(field) = field else {
                if let Some(what) = self.lacking(base, name) {
                    self.unsupported(key.start(), &what);
                    continue;
                }
                let msg = self.lookup_hint(base, false, name, true);
                self.error_near(key.start(), msg, |ck| ck.near_member(base, name));
                continue;
            };
            if !matches!(self.obj(field).kind, ObjKind::Var(_)) {
                let k = self.es(key);
                self.error(key.start(), format!("{k} is not a field"));
                continue;
            }
            if path.len() > 1 && !self.allows(key.start(), 27) {
                let (names, of) = (self.field_path(base, &path), self.ts(base));
                let what = format!("use of promoted field {names} in struct literal of type {of}");
                self.requires(key.start(), 27, &what);
                continue;
            }
            if indirect {
                let k = self.es(key);
                self.error(
                    key.start(),
                    format!("invalid implicit pointer indirection to reach {k}"),
                );
                continue;
            }
            self.record_use(key.id, field);
            if path.len() > 1 {
                self.prog.info.selections.insert(
                    key.id,
                    Selection {
                        kind: SelectionKind::FieldVal,
                        obj: field,
                        path: path.clone(),
                        indirect: false,
                    },
                );
            }
            self.assignment(&mut x, Some(hint), "struct literal");
            let enclosing = (1..path.len()).find_map(|n| given.get(&path[..n]));
            let enclosed = || {
                let (p, alt) = given.range(path.clone()..).next()?;
                p.starts_with(&path).then_some(alt)
            };
            let Some(&alt) = enclosing.or_else(enclosed) else {
                given.insert(path, field);
                continue;
            };
            let (n, a) = (self.obj(field).name, self.obj(alt).name);
            let msg = if alt == field {
                format!("duplicate field name {n} in struct literal")
            } else if enclosing.is_some() {
                format!("cannot specify promoted field {n} and enclosing embedded field {a}")
            } else {
                format!("cannot specify embedded field {n} and enclosed promoted field {a}")
            };
            self.error(el.start(), msg);
        }
    }

    fn map_lit(&mut self, elems: &'static [Expr], key: TypeId, value: TypeId) {
        let key_is_iface = self.is_interface(key);
        let mut seen: FxHashMap<constant::Key, Vec<TypeId>> = FxHashMap::default();
        for el in elems {
            let ExprKind::KeyValue { key: ke, value: ve } = &el.kind else {
                self.error(el.start(), "missing key in map literal");
                self.use_expr(el);
                continue;
            };
            let mut k = self.lit_value(ke, key);
            self.assignment(&mut k, Some(key), "map literal");
            if k.is_invalid() {
                // The value is not looked at either, as in Go, but its names count as used.
                self.use_expr(ve);
                continue;
            }
            if k.is_const() {
                let list = seen.entry(k.value().key()).or_default();
                let dup = if key_is_iface {
                    list.iter().any(|&t| self.prog.identical(t, k.ty))
                } else {
                    !list.is_empty()
                };
                list.push(k.ty);
                if dup {
                    self.error(
                        k.pos(),
                        format!("duplicate key {} in map literal", k.value()),
                    );
                    continue;
                }
            }
            let mut v = self.lit_value(ve, value);
            self.assignment(&mut v, Some(value), "map literal");
        }
    }

    /// Elements of an array or slice literal; gives one more than the largest index.
    fn indexed_elems(&mut self, elems: &'static [Expr], elem: TypeId, length: Option<i64>) -> i64 {
        let has_keys = elems
            .iter()
            .any(|e| matches!(e.kind, ExprKind::KeyValue { .. }));
        let mut seen: FxHashSet<i64> = FxHashSet::default();
        let length = length.filter(|&n| n >= 0);
        let (mut index, mut max) = (0i64, 0i64);
        for el in elems {
            let mut valid = false;
            let mut value = el;
            if let ExprKind::KeyValue { key, value: v } = &el.kind {
                let (ok, i) = self.index(key, length);
                if ok {
                    match i {
                        Some(i) => {
                            index = i;
                            valid = true;
                        }
                        None => {
                            let k = self.es(key);
                            self.error(el.start(), format!("index {k} must be integer constant"));
                        }
                    }
                }
                value = v;
            } else if length.is_some_and(|n| index >= n) {
                let n = length.unwrap_or(0);
                self.error(
                    el.start(),
                    format!("index {index} is out of bounds (>= {n})"),
                );
            } else {
                valid = true;
            }
            if valid && has_keys && !seen.insert(index) {
                self.error(
                    el.start(),
                    format!("duplicate index {index} in array or slice literal"),
                );
            }
            index = index.wrapping_add(1);
            max = max.max(index);
            let mut x = self.lit_value(value, elem);
            self.assignment(&mut x, Some(elem), "array or slice literal");
        }
        max
    }

    /// The first element of an array literal that the array of `n` elements has no place for,
    /// as no int counts them all.
    fn beyond(&self, elems: &'static [Expr], n: i64) -> Option<(i64, Pos)> {
        let mut index = 0i64;
        for el in elems {
            if let ExprKind::KeyValue { key, .. } = &el.kind {
                index = self.info.value_of(key).and_then(ConstValue::as_i64)?;
            }
            if index >= n {
                return Some((index, el.start()));
            }
            index = index.wrapping_add(1);
        }
        None
    }
}
