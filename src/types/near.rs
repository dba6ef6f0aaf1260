//! What an unknown name was likely meant for, of what is known where it stands.
//!
//! This is said beside Go's messages and never in them.

use super::{Checker, PkgId, TypeId};
use source::{Pos, Symbol};
use syntax::diagnostics::near::nearest;

/// So many errors get help: more are not shown, and looking through scopes takes time.
const HELPED: usize = 20;

impl Checker {
    /// Reports an error about an unknown name, and the advice that `near` has for it.
    pub(super) fn error_near(
        &mut self,
        pos: Pos,
        msg: String,
        near: impl FnOnce(&Checker) -> Option<String>,
    ) {
        let before = self.diags.len();
        self.error(pos, msg);
        if self.diags.len() > before
            && before < HELPED
            && let Some(advice) = near(self)
        {
            self.diags.help_last(advice);
        }
    }

    /// Advice for a name that is not known here: a package of that name, or the nearest name; of
    /// equal ones that of the innermost scope.
    pub(super) fn near_in_scope(&self, name: Symbol) -> Option<String> {
        let mut names = Vec::new();
        let mut scope = Some(self.scope());
        while let Some(id) = scope {
            names.extend(self.scopes.names(id).into_iter().map(|(name, _)| name));
            scope = self.scopes.around(id).0;
        }
        let packages = self.importer.packages();
        if let Some(path) = packages.get(name.as_str()) {
            return Some(format!("import {path:?}"));
        }
        let known = names.iter().map(|n| n.as_str());
        let all = known.chain(packages.keys().map(String::as_str));
        nearest(name.as_str(), all).map(meant)
    }

    /// Advice with the exported name of a package that is nearest to `name`.
    pub(super) fn near_in_package(&self, pkg: PkgId, name: Symbol) -> Option<String> {
        let names = self.names_of(pkg);
        let exported = names.iter().filter(|n| n.is_exported());
        let found = nearest(name.as_str(), exported.map(|n| n.as_str()))?;
        Some(meant(&format!("{}.{found}", self.pkg(pkg).name)))
    }

    /// Advice with the field or method of `t` that is nearest to `name`.
    pub(super) fn near_member(&self, t: TypeId, name: Symbol) -> Option<String> {
        let members = match self.env.pkg {
            Some(home) => self.members(t, home),
            None => return None,
        };
        nearest(name.as_str(), members.iter().map(|n| n.as_str())).map(meant)
    }
}

/// Asks whether `name` was meant.
pub(super) fn meant(name: &str) -> String {
    format!("did you mean {name}?")
}
