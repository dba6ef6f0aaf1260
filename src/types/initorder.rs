//! The order in which package-level variables are initialised.
//!
//! A variable depends on what its initialiser mentions, and on what the functions mentioned there mention. Of the
//! variables that depend on nothing uninitialised, the one declared first is next.
//!
//! Go: go/types (initorder.go). Spec: Package initialization.

use super::checker::DeclKind;
use super::*;
use rustc_hash::FxHashSet;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

impl Checker {
    /// Sets the package's `init_order`; reports cycles.
    pub(super) fn compute_init_order(&mut self, pkg: PkgId) {
        let nodes: Vec<ObjId> = self.package_values(pkg, |_| true);
        self.report_init_cycles(&nodes);
        let order = self.order(&nodes);
        self.prog.pkg_mut(pkg).init_order = order;
    }

    /// The initialisers of standard-library variables that have been asked for, package by package, in order of execution.
    pub fn std_init_order(&self) -> Vec<(PkgId, Vec<Initializer>)> {
        let mut out = Vec::new();
        for pkg in self.package_order() {
            if !self.pkg(pkg).is_std {
                continue;
            }
            let nodes = self.package_values(pkg, |d| self.decls[d].checked);
            let order = self.order(&nodes);
            if !order.is_empty() {
                out.push((pkg, order));
            }
        }
        out
    }

    /// Package-level constants and variables in source order.
    fn package_values(&self, pkg: PkgId, want: impl Fn(usize) -> bool) -> Vec<ObjId> {
        let mut list: Vec<ObjId> = self
            .decl_of
            .iter()
            .filter(|&(_, &d)| {
                self.decls[d].pkg == pkg
                    && match self.decls[d].kind {
                        DeclKind::Const { .. } => true,
                        DeclKind::Var { .. } => want(d),
                        _ => false,
                    }
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
                    ObjKind::Func(_) => {
                        if seen.insert(dep) {
                            work.push(dep);
                        }
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

    fn order(&self, nodes: &[ObjId]) -> Vec<Initializer> {
        let index: FxHashMap<ObjId, usize> =
            nodes.iter().enumerate().map(|(i, &o)| (o, i)).collect();
        let mut open = vec![0usize; nodes.len()];
        let mut needed_by: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
        for (i, &o) in nodes.iter().enumerate() {
            for dep in self.value_deps(o) {
                if let Some(&j) = index.get(&dep) {
                    if i != j {
                        open[i] += 1;
                        needed_by[j].push(i);
                    }
                }
            }
        }
        let mut ready: BinaryHeap<Reverse<usize>> = (0..nodes.len())
            .filter(|&i| open[i] == 0)
            .map(Reverse)
            .collect();
        let mut done = vec![false; nodes.len()];
        let mut emitted: FxHashSet<usize> = FxHashSet::default();
        let mut out = Vec::new();
        let mut rest = 0;
        loop {
            let i = match ready.pop() {
                Some(Reverse(i)) => i,
                None => {
                    // A cycle (reported): go on with the first that is left.
                    while rest < nodes.len() && done[rest] {
                        rest += 1;
                    }
                    if rest == nodes.len() {
                        break;
                    }
                    rest
                }
            };
            if std::mem::replace(&mut done[i], true) {
                continue;
            }
            for &j in &needed_by[i] {
                open[j] = open[j].saturating_sub(1);
                if open[j] == 0 && !done[j] {
                    ready.push(Reverse(j));
                }
            }
            let d = self.decl_of[&nodes[i]];
            if let DeclKind::Var {
                lhs,
                init: Some(rhs),
                ..
            } = &self.decls[d].kind
            {
                if emitted.insert(d) {
                    out.push(Initializer {
                        lhs: lhs.to_vec(),
                        rhs,
                    });
                }
            }
        }
        out
    }

    fn report_init_cycles(&mut self, nodes: &[ObjId]) {
        let mut reported: FxHashSet<ObjId> = FxHashSet::default();
        for &o in nodes {
            if reported.contains(&o) {
                continue;
            }
            let Some(path) = self.init_path(o) else {
                continue;
            };
            reported.extend(path.iter().copied());
            let name = |c: &Checker, o: ObjId| c.obj(o).name;
            let pos = self.obj(o).pos;
            let n = name(self, o);
            if path.len() == 1 {
                self.error(pos, format!("initialization cycle: {n} refers to itself"));
                continue;
            }
            let mut msg = format!("initialization cycle for {n}");
            for i in 0..path.len() {
                let (a, b) = (path[i], path[(i + 1) % path.len()]);
                msg.push_str(&format!(
                    "\n\t{}: {} refers to {}",
                    self.ps(self.obj(a).pos),
                    name(self, a),
                    name(self, b)
                ));
            }
            self.error(pos, msg);
        }
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
