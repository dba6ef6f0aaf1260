//! Compiler directives that do not fit what they stand before, and functions without a body.
//!
//! Go: cmd/compile/internal/noder/writer.go (collectDecls, funcExt), after the type checker.

use super::*;
use syntax::ast::Decl;

impl Checker {
    /// Reports them, of a program that is otherwise correct.
    pub(super) fn check_directives(&mut self, pkg: PkgId) {
        let missing = std::mem::take(&mut self.missing_bodies);
        if !self.diags.is_empty() {
            return;
        }
        let mut linknamed = rustc_hash::FxHashSet::default();
        for file in self.pkg(pkg).files.clone() {
            let imports = |path: &str| {
                let mut decls = file.decls.iter();
                decls.any(|d| matches!(d, Decl::Import(spec) if spec.path == path))
            };
            for &(pos, text) in &file.directives.misplaced {
                self.error(pos, text);
            }
            for embed in &file.directives.embeds {
                let (pos, why) = (embed.pos, embed.why);
                if !imports("embed") {
                    self.error(
                        pos,
                        "go:embed requires import \"embed\" (or import _ \"embed\", if package is \
                         not used)",
                    );
                } else if let Some(why) = why {
                    self.error(pos, why);
                } else {
                    self.check_embed(pkg, embed);
                }
            }
            let has_unsafe = imports("unsafe");
            for name in &file.directives.linknames {
                self.check_linkname(pkg, name, has_unsafe, &mut linknamed);
            }
            for decl in &file.decls {
                if let Decl::Func(func) = decl
                    && func.body.is_some()
                    && func
                        .pragmas
                        .iter()
                        .any(|p| p.split(' ').next() == Some("noescape"))
                {
                    let text = "can only use //go:noescape with external func implementations";
                    self.error(func.at, text);
                }
            }
        }
        for (func, pos) in missing {
            if !linknamed.contains(&func) {
                self.error(pos, "missing function body");
            }
        }
    }

    /// Is a variable below `//go:embed` of a type that files can be the value of?
    fn check_embed(&mut self, pkg: PkgId, embed: &'static ast::Embed) {
        let found = embed.variable.filter(|_| embed.files > 0);
        let found = found.and_then(|v| self.prog.find_in_package(pkg, v));
        let Some(found) = found else { return };
        let (ty, pos) = (self.obj(found).ty, self.obj(found).pos);
        let is_tree = match self.types.get(self.unalias(ty)) {
            Type::Named(named) => {
                let obj = self.obj(named.obj);
                let path = obj.pkg.map(|p| &*self.pkg(p).path);
                obj.name.as_str() == "FS" && path == Some("embed")
            }
            _ => false,
        };
        let is_one = match self.under_type(ty) {
            Type::Basic(Basic::String) => true,
            &Type::Slice(elem) => matches!(self.under_type(elem), Type::Basic(Basic::Uint8)),
            _ => false,
        };
        if !is_tree && !is_one {
            let ty = self.type_string_rel(ty, Some(pkg));
            self.error(pos, format!("go:embed cannot apply to var of type {ty}"));
        } else if !is_tree && embed.files > 1 {
            let ty = self.type_string_rel(ty, Some(pkg));
            self.error(
                pos,
                format!("invalid go:embed: multiple files for type {ty}"),
            );
        }
    }

    fn check_linkname(
        &mut self,
        pkg: PkgId,
        name: &'static ast::Linkname,
        has_unsafe: bool,
        linknamed: &mut rustc_hash::FxHashSet<ObjId>,
    ) {
        let (directive, local) = (&name.directive, &name.local);
        let found = self.prog.lookup_in_package(pkg, local);
        let found =
            found.filter(|&o| matches!(self.obj(o).kind, ObjKind::Func(_) | ObjKind::Var(_)));
        let what = if !has_unsafe {
            "only allowed in Go files that import \"unsafe\"".to_string()
        } else if name.names_instance {
            "reference of an instantiation is not allowed".to_string()
        } else {
            match found {
                Some(o) if linknamed.insert(o) => return,
                Some(_) => {
                    self.error(name.pos, format!("duplicate //{directive} for {local}"));
                    return;
                }
                None => "must refer to declared function or variable".to_string(),
            }
        };
        self.error(name.pos, format!("//{directive} {what}"));
    }
}
