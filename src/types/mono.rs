//! Instances without end: generic functions and types
//! that call for ever larger instances of themselves.
//!
//! Type parameters, and types declared where some are in scope, are the vertices of a graph. An
//! edge says that a type parameter is instantiated with a type that mentions the vertex it comes
//! from; its weight is 0 if that type is all, 1 if there is more to it. A cycle with any weight has
//! no end.
//!
//! Go: go/types (mono.go).

use super::*;

/// The graph of a package.
#[derive(Default)]
pub(super) struct Mono {
    vertices: Vec<Vertex>,
    edges: Vec<Edge>,
    /// Type parameters of methods' receivers, and those of the generic type that they stand for.
    canon: FxHashMap<TypeId, TypeId>,
    /// The vertices of type names; none for a local type without type parameters around it.
    index: FxHashMap<ObjId, Option<usize>>,
}

struct Vertex {
    obj: ObjId,
    /// Of the heaviest path known that ends here, its last edge and how many it has.
    weight: usize,
    last: usize,
    len: usize,
}

struct Edge {
    to: usize,
    from: usize,
    weight: usize,
    pos: Pos,
    ty: TypeId,
}

impl Checker {
    /// The type parameters `mine` of a method's receiver stand for those of its type.
    pub(super) fn mono_same(&mut self, mine: &[TypeId], of_type: &[TypeId]) {
        let pairs = mine.iter().copied().zip(of_type.iter().copied());
        self.mono.canon.extend(pairs);
    }

    /// The type parameters are instantiated with these arguments, which stand at these positions.
    pub(super) fn mono_instance(&mut self, tparams: &[TypeId], targs: &[TypeId], at: &[Pos]) {
        if self.env.pkg.is_none_or(|p| self.pkg(p).is_std) {
            return;
        }
        for (i, (&p, &a)) in tparams.iter().zip(targs).enumerate() {
            let pos = at.get(i).or(at.last()).copied().unwrap_or(Pos::NONE);
            if let Type::TypeParam(tp) = self.types.get(p)
                && self.obj(tp.obj).pkg == self.env.pkg
            {
                self.mono_flow(p, a, a, pos);
            }
        }
    }

    /// Edges to `tparam` from what `t` mentions, a part of the argument `targ`.
    fn mono_flow(&mut self, tparam: TypeId, targ: TypeId, t: TypeId, pos: Pos) {
        if syntax::nesting::is_low() {
            return;
        }
        let t = self.unalias(t);
        let parts: Vec<TypeId> = match self.types.get(t) {
            Type::TypeParam(_) => {
                let from = self.mono_tparam(t);
                self.mono_edge(tparam, from, t, targ, pos);
                return;
            }
            Type::Named(n) => {
                let (obj, targs) = (n.obj, n.targs.clone());
                if let Some(from) = self.mono_local(obj) {
                    self.mono_edge(tparam, from, t, targ, pos);
                }
                targs
            }
            Type::Pointer(e) | Type::Slice(e) => vec![*e],
            Type::Array { elem, .. } | Type::Chan { elem, .. } => vec![*elem],
            Type::Map { key, value } => vec![*key, *value],
            Type::Interface(_) => {
                let methods = self.type_set(t).methods.clone();
                methods.iter().map(|&m| self.obj(m).ty).collect()
            }
            Type::Signature(s) => {
                let vars = s.params.iter().chain(&s.results);
                vars.map(|&v| self.obj(v).ty).collect()
            }
            Type::Struct(s) => s.fields.iter().map(|&f| self.obj(f).ty).collect(),
            _ => return,
        };
        for part in parts {
            self.mono_flow(tparam, targ, part, pos);
        }
    }

    fn mono_edge(&mut self, tparam: TypeId, from: usize, t: TypeId, targ: TypeId, pos: Pos) {
        let to = self.mono_tparam(tparam);
        self.mono.edges.push(Edge {
            to,
            from,
            weight: usize::from(t != targ),
            pos,
            ty: targ,
        });
    }

    fn mono_vertex(&mut self, obj: ObjId) -> usize {
        self.mono.vertices.push(Vertex {
            obj,
            weight: 0,
            last: 0,
            len: 0,
        });
        self.mono.vertices.len() - 1
    }

    fn mono_tparam(&mut self, t: TypeId) -> usize {
        let t = self.mono.canon.get(&t).copied().unwrap_or(t);
        let obj = match self.types.get(t) {
            Type::TypeParam(p) => p.obj,
            _ => unreachable!("type parameters stand for type parameters"),
        };
        if let Some(&Some(i)) = self.mono.index.get(&obj) {
            return i;
        }
        let i = self.mono_vertex(obj);
        self.mono.index.insert(obj, Some(i));
        i
    }

    /// The vertex of a type declared where type parameters are in scope:
    /// it is another type in each instance.
    fn mono_local(&mut self, obj: ObjId) -> Option<usize> {
        let home = self.env.pkg?;
        let (pkg, parent, pos) = {
            let o = self.obj(obj);
            (o.pkg, o.parent, o.pos)
        };
        let root = self.pkg(home).scope;
        if pkg != Some(home) || parent == Some(root) {
            return None;
        }
        if let Some(&i) = self.mono.index.get(&obj) {
            return i;
        }
        let mut around = Vec::new();
        let mut scope = parent;
        while let Some(s) = scope
            && s != root
        {
            around.extend(self.scopes.get(s).names.values().copied());
            scope = self.scopes.get(s).parent;
        }
        around.retain(|&o| {
            let other = self.obj(o);
            other.pos < pos
                && matches!(other.kind, ObjKind::TypeName { is_alias: false })
                && self.is_type_param(other.ty)
        });
        around.sort_by_key(|&o| self.obj(o).pos);
        let found = (!around.is_empty()).then(|| self.mono_vertex(obj));
        self.mono.index.insert(obj, found);
        for o in around {
            let ty = self.obj(o).ty;
            let from = self.mono_tparam(ty);
            self.mono.edges.push(Edge {
                to: found?,
                from,
                weight: 1,
                pos,
                ty,
            });
        }
        found
    }

    /// Reports a cycle with weight, if the package has one.
    pub(super) fn monomorph(&mut self) {
        let mono = &mut self.mono;
        let mut again = true;
        while std::mem::take(&mut again) {
            for i in 0..mono.edges.len() {
                let edge = &mono.edges[i];
                let (weight, len) = {
                    let from = &mono.vertices[edge.from];
                    (from.weight + edge.weight, from.len + 1)
                };
                let count = mono.vertices.len();
                let to = &mut mono.vertices[edge.to];
                if weight <= to.weight {
                    continue;
                }
                to.last = i;
                to.len = len;
                if len == count {
                    let at = edge.to;
                    return self.instance_loop(at);
                }
                to.weight = weight;
                again = true;
            }
        }
    }

    /// Reports the cycle from which the path that ends at vertex `at` comes.
    fn instance_loop(&mut self, mut at: usize) {
        let mut path = Vec::new();
        while !path.contains(&at) {
            path.push(at);
            at = self.mono.edges[self.mono.vertices[at].last].from;
        }
        let first = path.iter().position(|&v| v == at).unwrap_or(0);
        let mut text = "instantiation cycle:".to_string();
        for &v in &path[first..] {
            let edge = &self.mono.edges[self.mono.vertices[v].last];
            let o = self.obj(self.mono.vertices[edge.to].obj);
            let how = if self.is_type_param(o.ty) {
                "instantiated as"
            } else {
                "implicitly parameterized by"
            };
            let (pos, t) = (self.ps(edge.pos), self.ts(edge.ty));
            text.push_str(&format!("\n\t{pos}: {} {how} {t}", o.name));
        }
        let pos = self.obj(self.mono.vertices[at].obj).pos;
        self.error(pos, text);
    }
}
