//! Types that would contain themselves.
//!
//! Walks what a type holds by value (fields, array elements, embedded interfaces, terms), through
//! the declarations of generic types and not their instances: `nest` holds the types inside of
//! which the walk is, whose type arguments tell what a type parameter stands for.
//!
//! Go: go/types (validtype.go).

use super::*;

/// After this many steps a walk takes a type that it has found valid inside one type to be valid
/// inside all others.
const PATIENCE: u32 = 100_000;

/// A walk.
#[derive(Default)]
struct Walk {
    nest: Vec<TypeId>,
    /// All types on the way, those left for a type argument too.
    path: Vec<TypeId>,
    steps: u32,
    believed: rustc_hash::FxHashSet<TypeId>,
}

impl Checker {
    /// Reports the named type if it contains itself.
    pub(super) fn valid_type(&mut self, t: TypeId) {
        self.valid_type_in(t, &mut Walk::default());
    }

    fn valid_type_in(&mut self, t: TypeId, walk: &mut Walk) -> bool {
        if syntax::nesting::is_low() {
            return true;
        }
        let t = self.unalias(t);
        match self.types.get(t) {
            Type::Array { elem, .. } => {
                let elem = *elem;
                self.valid_type_in(elem, walk)
            }
            Type::Struct(s) => {
                let fields: Vec<TypeId> = s.fields.iter().map(|&f| self.obj(f).ty).collect();
                fields.into_iter().all(|f| self.valid_type_in(f, walk))
            }
            Type::Union(terms) => {
                let list: Vec<TypeId> = terms.iter().map(|t| t.ty).collect();
                list.into_iter().all(|t| self.valid_type_in(t, walk))
            }
            Type::Interface(it) => {
                let list: Vec<TypeId> = it.embeds.iter().map(|e| e.0).collect();
                list.into_iter().all(|t| self.valid_type_in(t, walk))
            }
            Type::Named(_) => self.valid_named(t, walk),
            Type::TypeParam(_) => {
                let Some(&inst) = walk.nest.last() else {
                    return true;
                };
                let n = self.types.named(inst);
                let tparams = n.origin.map(|o| &self.types.named(o).tparams);
                let at = tparams.and_then(|list| list.iter().position(|&p| p == t));
                let Some(&targ) = at.and_then(|i| n.targs.get(i)) else {
                    return true;
                };
                // The argument must be valid where the instance stands.
                walk.nest.pop();
                let ok = self.valid_type_in(targ, walk);
                walk.nest.push(inst);
                ok
            }
            _ => true,
        }
    }

    fn valid_named(&mut self, t: TypeId, walk: &mut Walk) -> bool {
        let n = self.types.named(t);
        let origin = n.origin.unwrap_or(t);
        let is_plain = n.origin.is_none() && n.tparams.is_empty();
        if self.valid_types.contains(&t) || walk.believed.contains(&t) {
            return true;
        }
        let rhs = self.declared_as.get(&origin).copied();
        let rhs = rhs.unwrap_or(self.types.named(origin).underlying);
        if walk.nest.contains(&t) {
            let start = walk.path.iter().position(|&p| p == t).unwrap_or(0);
            let cycle = walk.path[start..].to_vec();
            self.type_cycle_error(&cycle);
            // Without what this one is declared as, the others are no cycle any more.
            let mut bad = self.instances_of.get(&origin).cloned().unwrap_or_default();
            bad.extend([t, origin]);
            self.declared_as.insert(origin, TypeId::INVALID);
            for t in bad {
                self.prog.types.named_mut(t).underlying = TypeId::INVALID;
                self.valid_types.insert(t);
            }
            return false;
        }
        walk.nest.push(t);
        walk.path.push(t);
        walk.steps += 1;
        let ok = self.valid_type_in(rhs, walk);
        walk.path.pop();
        walk.nest.pop();
        if ok && is_plain {
            self.valid_types.insert(t);
        } else if ok && walk.steps > PATIENCE {
            walk.believed.insert(t);
        }
        ok
    }

    /// Reports a cycle of types, from the one at which it was entered.
    /// An instance is where it was first written.
    pub(super) fn type_cycle_error(&mut self, cycle: &[TypeId]) {
        let places: Vec<(Pos, String)> = cycle
            .iter()
            .map(|&t| {
                let obj = self.types.named(t).obj;
                let pos = self.instance_pos.get(&t).copied();
                (pos.unwrap_or(self.obj(obj).pos), self.ts(t))
            })
            .collect();
        let (pos, first) = &places[0];
        if places.len() == 1 {
            let text = format!("invalid recursive type: {first} refers to itself");
            return self.error(*pos, text);
        }
        let mut text = format!("invalid recursive type {first}");
        let after = places.iter().cycle().skip(1);
        for ((pos, name), (_, next)) in places.iter().zip(after) {
            text.push_str(&format!("\n\t{}: {name} refers to {next}", self.ps(*pos)));
        }
        self.error(*pos, text);
    }
}
