//! Unit after unit of a program that grows while it runs: the inputs of a prompt.
//!
//! Functions that take the place of earlier ones keep the index that callers have; the unit brings
//! a body for it. A unit that is refused leaves nothing behind: what it has given out is taken
//! back.

use super::{Compiler, FuncKey, Job, Refusal};
use bytecode::unit::Unit;
use rustc_hash::FxHashSet;
use types::session::Step;
use types::{ObjId, PkgId};

impl Compiler {
    /// Compiles steps of a session, which are run in their order by what initialises the unit. None
    /// of them replaces a function of another of them.
    pub fn compile_steps(&mut self, pkg: PkgId, steps: &[&Step]) -> Result<Unit, Vec<Refusal>> {
        let (shared, initialized) = (self.shared.clone(), self.initialized.clone());
        let unit = self.compile_steps_of(pkg, steps);
        if unit.is_err() {
            (self.shared, self.initialized) = (shared, initialized);
            self.abandon_unit();
        }
        unit
    }

    fn compile_steps_of(&mut self, pkg: PkgId, steps: &[&Step]) -> Result<Unit, Vec<Refusal>> {
        let mut inits = Vec::new();
        for step in steps {
            for &(new, old) in &step.shared {
                let old = self.shared.get(&old).copied().unwrap_or(old);
                self.shared.insert(new, old);
            }
            for &(new, old) in &step.replacing {
                self.redefine(old, new);
            }
            if step.adds_methods {
                self.renew_tables();
            }
            let declared = step.declared.iter().map(|(obj, _)| obj);
            for &obj in declared.chain(&step.methods) {
                if self.ck.objs.func(obj).is_some() && self.ck.all_tparams(obj).is_empty() {
                    self.func_of(obj, Vec::new());
                }
            }
            inits.extend(self.inits_of_imports(step));
            if !step.initializers.is_empty() {
                inits.push(self.compile_init_vars(pkg, &step.initializers));
            }
            for &obj in &step.inits {
                inits.push(self.func_of(obj, Vec::new()));
            }
            self.drain();
        }
        self.finish(inits, None)
    }

    /// What initialises the packages that a step imports, and those that these import.
    fn inits_of_imports(&mut self, step: &Step) -> Vec<u32> {
        let mut wanted = FxHashSet::default();
        let mut todo = step.imports.clone();
        while let Some(pkg) = todo.pop() {
            if !self.ck.pkg(pkg).is_std && wanted.insert(pkg) {
                todo.extend(&self.ck.pkg(pkg).imports);
            }
        }
        if wanted.is_empty() {
            return Vec::new();
        }
        let mut packages = self.ck.package_order();
        packages.retain(|pkg| wanted.contains(pkg));
        self.user_inits(packages)
    }

    /// Has the function `new`, and what instances there are of it, take the place of `old`.
    fn redefine(&mut self, old: ObjId, new: ObjId) {
        let index = |(key, &index): (&FuncKey, &u32)| match key {
            FuncKey::Decl(obj, tys) if *obj == old => Some((tys.clone(), index)),
            _ => None,
        };
        let instances: Vec<_> = self.funcs.iter().filter_map(index).collect();
        for (tys, index) in instances {
            let waiting = self.take_job(index);
            self.redefined.push((new, index, waiting));
            let targs = self.type_args.get(&index).cloned().unwrap_or_default();
            let env = self.type_env(new, &targs);
            self.funcs.insert(FuncKey::Decl(new, tys), index);
            self.work.push((index, Job::Decl(new, env)));
        }
    }

    /// Takes the job out that is to compile function `index`, if there is one.
    fn take_job(&mut self, index: u32) -> Option<Job> {
        let lists = std::iter::once(&mut self.work).chain(self.dormant.values_mut());
        for jobs in lists {
            if let Some(i) = jobs.iter().position(|(j, _)| *j == index) {
                return Some(jobs.swap_remove(i).1);
            }
        }
        None
    }

    /// Drops the unit in the making, and what refers to it.
    fn abandon_unit(&mut self) {
        self.work.append(&mut self.brought);
        for (new, index, before) in std::mem::take(&mut self.redefined) {
            self.funcs
                .retain(|key, _| !matches!(key, FuncKey::Decl(obj, _) if *obj == new));
            self.work.retain(|(i, _)| *i != index);
            self.work.extend(before.map(|job| (index, job)));
        }
        let parts = &self.parts;
        self.funcs.retain(|_, index| !parts.is_own(*index));
        self.work.retain(|(index, _)| !parts.is_own(*index));
        for jobs in self.dormant.values_mut() {
            jobs.retain(|(index, _)| !parts.is_own(*index));
        }
        self.forget_own_methods();
        self.parts.abandon();
    }
}
