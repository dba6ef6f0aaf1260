//! Interface types: methods and embedded elements, and that they do not clash.
//!
//! Go: go/types/interface.go. Spec: Interface types.

use super::*;

impl Checker {
    pub(super) fn interface_type(
        &mut self,
        elems: &'static [ast::InterfaceElem],
        def: Option<ObjId>,
    ) -> TypeId {
        if elems.is_empty() {
            return TypeId::EMPTY_INTERFACE;
        }
        let recv_named = def.map(|d| self.obj(d).ty).filter(|&t| self.is_named(t));
        let mut it = Interface::default();
        for elem in elems {
            match elem {
                ast::InterfaceElem::Method { name, sig } => {
                    if name.name.is_blank() {
                        self.error(name.pos, "methods must have a unique non-blank name");
                        continue;
                    }
                    let ty = self.func_type(sig, None, &[], None);
                    let recv = self.new_param(
                        Symbol::new(""),
                        name.pos,
                        recv_named.unwrap_or(TypeId::INVALID),
                    );
                    if let Type::Signature(s) = self.prog.types.get_mut(ty) {
                        s.recv = Some(recv);
                    }
                    let info = FuncInfo {
                        recv_named,
                        ..FuncInfo::default()
                    };
                    let m = self.new_obj(ObjKind::Func(info), name.name, name.pos, ty);
                    self.record_def(name.id, m);
                    it.methods.push(m);
                }
                ast::InterfaceElem::Embed(e) => {
                    let t = self.union_type(e);
                    it.embeds.push((t, e.start()));
                }
            }
        }
        it.complete = true;
        it.methods.sort_by_key(|&m| self.obj(m).name.as_str());
        let iface = self.prog.types.add(Type::Interface(Box::new(it)));
        // The receiver of a method of an interface literal is that literal.
        if recv_named.is_none()
            && let Type::Interface(it) = self.prog.types.get(iface)
        {
            for m in it.methods.clone() {
                let recv = self.sig(self.obj(m).ty).and_then(|s| s.recv);
                if let Some(r) = recv {
                    self.prog.objs.get_mut(r).ty = iface;
                }
            }
        }
        self.later(move |c| c.check_interface(iface));
        iface
    }

    /// Duplicate methods, and embedded elements that are no interfaces.
    pub(super) fn check_interface(&mut self, iface: TypeId) {
        let Type::Interface(it) = self.types.get(iface) else {
            return;
        };
        let (methods, embeds) = (it.methods.clone(), it.embeds.clone());
        let mut seen: FxHashMap<(Symbol, Option<PkgId>), (ObjId, Pos, bool)> = FxHashMap::default();
        let key = |c: &Checker, m: ObjId| {
            let o = c.obj(m);
            (o.name, if o.name.is_exported() { None } else { o.pkg })
        };
        for m in methods {
            let pos = self.obj(m).pos;
            if let Some(&(_, at, _)) = seen.get(&key(self, m)) {
                let name = self.obj(m).name;
                let at = self.ps(at);
                self.error(
                    pos,
                    format!("duplicate method {name}\n\t{at}: other declaration of method {name}"),
                );
            } else {
                seen.insert(key(self, m), (m, pos, true));
            }
        }
        for (e, pos) in embeds {
            let is_new = match self.under_type(e) {
                Type::Interface(_) => {
                    if !self.constraint_requires(e, pos, "embedding constraint interface") {
                        continue;
                    }
                    None
                }
                Type::Union(_) => Some("embedding interface element"),
                _ if self.is_valid(self.under(e)) => Some("embedding non-interface type"),
                _ => None,
            };
            if let Some(what) = is_new
                && !self.allows(pos, 18)
            {
                let name = self.ts(e);
                self.requires(pos, 18, &format!("{what} {name}"));
                continue;
            }
            if let Type::Interface(_) = self.under_type(e) {
                for &m in &self.type_set(e).methods.clone() {
                    match seen.get(&key(self, m)).copied() {
                        Some((other, at, _)) if other != m || !self.allows(pos, 14) => {
                            if !self.allows(pos, 14)
                                || !self.identical(self.obj(m).ty, self.obj(other).ty)
                            {
                                let name = self.obj(m).name;
                                let at = self.ps(at);
                                self.error(
                                    pos,
                                    format!(
                                        "duplicate method {name}\n\
                                         \t{at}: other declaration of method {name}"
                                    ),
                                );
                            }
                        }
                        Some(_) => {}
                        None => {
                            seen.insert(key(self, m), (m, pos, false));
                        }
                    }
                }
            }
        }
    }

    /// Reports interface literals of otherwise correct programs that lead back to themselves
    /// without a named type on the way.
    ///
    /// Go: cmd/compile/internal/noder/irgen.go, cycleFinder.
    pub(super) fn anonymous_cycles(&mut self) {
        let mut literals = std::mem::take(&mut self.interface_literals);
        if self.has_error {
            return;
        }
        literals.sort_unstable();
        let mut cyclic = FxHashMap::default();
        for (pos, t) in literals {
            if self.leads_to_cycle(t, &mut cyclic) {
                let text = "invalid recursive type: anonymous interface refers to itself (see \
                https://go.dev/issue/56103)";
                self.error(pos, text);
                // Those on the way have been reported with this one.
                cyclic
                    .values_mut()
                    .for_each(|on_the_way| *on_the_way = false);
            }
        }
    }

    /// Does the type lead to an interface that is being looked at? Named types end the way.
    fn leads_to_cycle(&self, t: TypeId, cyclic: &mut FxHashMap<TypeId, bool>) -> bool {
        if syntax::nesting::is_low() {
            return false;
        }
        let t = self.unalias(t);
        let mut any =
            |parts: Vec<TypeId>| parts.into_iter().any(|t| self.leads_to_cycle(t, cyclic));
        match self.types.get(t) {
            Type::Pointer(e) | Type::Slice(e) => any(vec![*e]),
            Type::Array { elem, .. } | Type::Chan { elem, .. } => any(vec![*elem]),
            Type::Map { key, value } => any(vec![*key, *value]),
            Type::Struct(s) => any(s.fields.iter().map(|&f| self.obj(f).ty).collect()),
            Type::Signature(s) => {
                let vars = s.params.iter().chain(&s.results);
                any(vars.map(|&v| self.obj(v).ty).collect())
            }
            Type::Interface(_) => {
                let methods = self.type_set(t).methods.clone();
                if methods.is_empty() {
                    return false;
                }
                if let Some(&known) = cyclic.get(&t) {
                    return known;
                }
                cyclic.insert(t, true);
                let types: Vec<TypeId> = methods.iter().map(|&m| self.obj(m).ty).collect();
                let found = types.into_iter().any(|t| self.leads_to_cycle(t, cyclic));
                if !found {
                    cyclic.insert(t, false);
                }
                found
            }
            _ => false,
        }
    }
}
