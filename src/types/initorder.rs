//! The order in which package-level variables are initialised.
//!
//! A variable depends on what its initialiser mentions, and on what the functions mentioned there
//! mention. Of the variables that depend on nothing uninitialised, the one declared first is next.
//!
//! Go: go/types (initorder.go). Spec: Package initialization.

use super::checker::DeclKind;
use super::*;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

impl Checker {
    /// Sets the package's `init_order`, of the variables from `first` on; reports cycles.
    pub(super) fn compute_init_order(&mut self, pkg: PkgId, first: ObjId) {
        let nodes: Vec<ObjId> = self.package_values(pkg, first);
        let (order, stuck) = self.order(&nodes);
        for o in stuck {
            self.report_init_cycle(o);
        }
        self.prog.pkg_mut(pkg).init_order = order;
    }

    /// The packages of the library that are `wanted`, in the order in which they are initialised,
    /// each with the initialisers of those of its variables that are used, in order of execution.
    pub fn std_init_order(
        &mut self,
        wanted: &FxHashSet<PkgId>,
        used: &FxHashSet<ObjId>,
    ) -> Vec<(PkgId, Vec<Initializer>)> {
        let mut out = self.prog.exported_init_order(wanted, used);
        let mut values: FxHashMap<PkgId, Vec<ObjId>> = FxHashMap::default();
        for d in &self.decls {
            if let DeclKind::Var { lhs, .. } = &d.kind
                && d.checked
                && wanted.contains(&d.pkg)
            {
                values.entry(d.pkg).or_default().extend(lhs.iter());
            }
        }
        for pkg in self.package_order() {
            // A package without variables may have functions `init` nevertheless.
            let is_there = out.iter().any(|(p, _)| *p == pkg);
            let mut nodes = match values.remove(&pkg) {
                Some(nodes) => nodes,
                None if wanted.contains(&pkg) && !is_there => Vec::new(),
                None => continue,
            };
            nodes.sort_unstable_by_key(|&o| (self.obj(o).pos, o));
            nodes.dedup();
            let (mut order, _) = self.order(&nodes);
            order.retain(|i| i.lhs.iter().any(|v| used.contains(v)));
            out.push((pkg, order));
        }
        out
    }

    /// Package-level constants and variables from `first` on, in source order.
    fn package_values(&self, pkg: PkgId, first: ObjId) -> Vec<ObjId> {
        let mut list: Vec<ObjId> = self
            .decl_of
            .iter()
            .filter(|&(&o, &d)| {
                o >= first
                    && self.decls[d].pkg == pkg
                    && matches!(
                        self.decls[d].kind,
                        DeclKind::Const { .. } | DeclKind::Var { .. }
                    )
            })
            .map(|(&o, _)| o)
            .collect();
        // Objects are numbered as they are declared.
        list.sort_unstable();
        list
    }

    /// Variables (and constants) that `from` needs, directly or through functions.
    fn value_deps(&self, from: ObjId) -> FxHashSet<ObjId> {
        let mut out = FxHashSet::default();
        let mut seen: FxHashSet<ObjId> = FxHashSet::default();
        let mut work = vec![from];
        while let Some(o) = work.pop() {
            let Some(&d) = self.decl_of.get(&o) else {
                continue;
            };
            for &dep in &self.decls[d].deps {
                match self.obj(dep).kind {
                    ObjKind::Func(_) if seen.insert(dep) => {
                        work.push(dep);
                    }
                    ObjKind::Var(_) | ObjKind::Const(_) => {
                        out.insert(dep);
                    }
                    _ => {}
                }
            }
        }
        out
    }

    /// The initialisers in order, and the values at which the order ran into a cycle.
    fn order(&self, nodes: &[ObjId]) -> (Vec<Initializer>, Vec<ObjId>) {
        let index: FxHashMap<ObjId, usize> =
            nodes.iter().enumerate().map(|(i, &o)| (o, i)).collect();
        let mut open = vec![0usize; nodes.len()];
        let mut needed_by: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
        for (i, &o) in nodes.iter().enumerate() {
            for dep in self.value_deps(o) {
                if let Some(&j) = index.get(&dep) {
                    open[i] += 1;
                    needed_by[j].push(i);
                }
            }
        }
        // By open dependencies, then by place in the source:
        // with no cycles the first always has none.
        let mut queue: BTreeSet<(usize, usize)> = open
            .iter()
            .copied()
            .enumerate()
            .map(|(i, n)| (n, i))
            .collect();
        let mut emitted: FxHashSet<usize> = FxHashSet::default();
        let (mut out, mut stuck) = (Vec::new(), Vec::new());
        while let Some((n, i)) = queue.pop_first() {
            if n > 0 {
                stuck.push(nodes[i]);
            }
            for &j in &needed_by[i] {
                if queue.remove(&(open[j], j)) {
                    open[j] -= 1;
                    queue.insert((open[j], j));
                }
            }
            let d = self.decl_of[&nodes[i]];
            if let DeclKind::Var {
                lhs,
                init: Some(rhs),
                ..
            } = &self.decls[d].kind
                && emitted.insert(d)
            {
                out.push(Initializer {
                    lhs: lhs.to_vec(),
                    rhs: Some(rhs),
                });
            }
        }
        (out, stuck)
    }

    fn report_init_cycle(&mut self, o: ObjId) {
        let Some(path) = self.init_path(o) else {
            return;
        };
        let (pos, n) = (self.obj(o).pos, self.obj(o).name);
        if path.len() == 1 {
            self.error(pos, format!("initialization cycle: {n} refers to itself"));
            return;
        }
        let steps = self.refers_to(&path, |o| self.obj(o).name.to_string());
        self.error(pos, format!("initialization cycle for {n}{steps}"));
    }

    /// A path of dependencies from `start` back to itself, depth first in source order.
    fn init_path(&self, start: ObjId) -> Option<Vec<ObjId>> {
        let deps = |o: ObjId| -> Vec<ObjId> {
            let Some(&d) = self.decl_of.get(&o) else {
                return Vec::new();
            };
            let mut list: Vec<ObjId> = self.decls[d].deps.iter().copied().collect();
            list.sort_unstable();
            list
        };
        let mut seen: FxHashSet<ObjId> = FxHashSet::default();
        seen.insert(start);
        let mut path = vec![start];
        let mut stack = vec![deps(start).into_iter()];
        while let Some(top) = stack.last_mut() {
            match top.next() {
                Some(d) if d == start => return Some(path),
                Some(d) => {
                    if seen.insert(d) {
                        path.push(d);
                        stack.push(deps(d).into_iter());
                    }
                }
                None => {
                    stack.pop();
                    path.pop();
                }
            }
        }
        None
    }
}
