//! Types that would contain themselves.
//!
//! Walks what a type holds by value (fields, array elements, embedded interfaces, terms). Each named type is walked
//! once.
//!
//! Go: go/types (validtype.go).

use super::*;

impl Checker {
    /// Reports the named type if it contains itself.
    pub(super) fn valid_type(&mut self, t: TypeId) {
        let mut path = Vec::new();
        self.valid_type_in(t, &mut path);
    }

    fn valid_type_in(&mut self, t: TypeId, path: &mut Vec<TypeId>) -> bool {
        if crate::nesting::is_low() {
            return true;
        }
        let t = self.unalias(t);
        match self.types.get(t) {
            Type::Array { elem, .. } => {
                let elem = *elem;
                self.valid_type_in(elem, path)
            }
            Type::Struct(s) => {
                let fields: Vec<TypeId> = s.fields.iter().map(|&f| self.obj(f).ty).collect();
                fields.into_iter().all(|f| self.valid_type_in(f, path))
            }
            Type::Union(terms) => {
                let list: Vec<TypeId> = terms.iter().map(|t| t.ty).collect();
                list.into_iter().all(|t| self.valid_type_in(t, path))
            }
            Type::Interface(it) => {
                let list: Vec<TypeId> = it.embeds.iter().map(|e| e.0).collect();
                list.into_iter().all(|t| self.valid_type_in(t, path))
            }
            Type::Named(n) => {
                if self.valid_types.contains(&t) || n.underlying == TypeId::INVALID {
                    return true;
                }
                let origin = n.origin.unwrap_or(t);
                let at = path.iter().position(|&p| {
                    p == t || matches!(self.types.get(p), Type::Named(m) if m.origin.unwrap_or(p) == origin && n.origin.is_some() && path.len() > 20)
                });
                if let Some(i) = at {
                    let cycle: Vec<ObjId> =
                        path[i..].iter().map(|&p| self.types.named(p).obj).collect();
                    self.cycle_error(&cycle);
                    for &p in &path[i..] {
                        self.prog.types.named_mut(p).underlying = TypeId::INVALID;
                        self.valid_types.insert(p);
                    }
                    return false;
                }
                let under = n.underlying;
                path.push(t);
                let ok = self.valid_type_in(under, path);
                path.pop();
                self.valid_types.insert(t);
                ok
            }
            _ => true,
        }
    }
}
