//! Declarations: imports, constants, variables and functions.
//!
//! Imports stand before everything else;
//! a function gets the `//go:` comments above it, and its body now or when asked for.

use super::*;

/// What a receiver's type says of the type that the method is declared on.
fn receiver_of(recv: &Param) -> Receiver {
    let mut receiver = Receiver {
        is_pointer: false,
        base: None,
    };
    let ParamType::Own(e) = &recv.ty else {
        return receiver;
    };
    let mut e = e.unparen();
    if let ExprKind::Star(x) = &e.kind {
        receiver.is_pointer = true;
        e = x.unparen();
    }
    if let ExprKind::Index { x, .. } = &e.kind {
        e = x.unparen();
    }
    if let ExprKind::Name(name) = e.kind {
        receiver.base = Some(name);
    }
    receiver
}

impl Builder<'_> {
    pub(in crate::parser) fn after_decl(&mut self, end: u32) {
        self.seen_other_decl = true;
        self.last_decl_end = end;
    }

    pub(in crate::parser) fn imports(&mut self, pos: u32, specs: Vec<ImportSpec>) -> Vec<Decl> {
        if self.seen_other_decl {
            self.syntax(Pos(pos), "imports must appear before other declarations");
            self.seen_other_decl = false;
        }
        specs.into_iter().map(Decl::Import).collect()
    }

    pub(in crate::parser) fn import(
        &mut self,
        pos: u32,
        name: Option<Ident>,
        path: Literal,
    ) -> ImportSpec {
        if path.kind != LitKind::String && !path.bad {
            self.syntax(Pos(path.start), "import path must be a string");
        }
        ImportSpec {
            pos: Pos(pos),
            name,
            path: self.string_value(&path),
            is_bad: path.bad,
            path_pos: Pos(path.start),
        }
    }

    pub(in crate::parser) fn consts(&mut self, specs: Vec<ConstSpec>) -> Vec<Decl> {
        let group = NodeId::fresh().0;
        let specs = specs.into_iter().enumerate();
        specs
            .map(|(i, spec)| {
                Decl::Const(ConstSpec {
                    iota: i as u32,
                    group,
                    ..spec
                })
            })
            .collect()
    }

    pub(in crate::parser) fn vars(&mut self, specs: Vec<VarSpec>) -> Vec<Decl> {
        let group = NodeId::fresh().0;
        let specs = specs.into_iter();
        specs
            .map(|spec| Decl::Var(VarSpec { group, ..spec }))
            .collect()
    }

    pub(in crate::parser) fn func_decl(
        &mut self,
        (pos, at): (u32, u32),
        recv: Option<Param>,
        name: Ident,
        tparams: Option<Vec<TypeParam>>,
        sig: FuncSig,
        body: Option<Block>,
    ) -> Box<FuncDecl> {
        if let Some(body) = &body {
            self.check_branches(body);
        }
        Box::new(FuncDecl {
            name,
            receiver: recv.as_ref().map(receiver_of),
            pos: Pos(pos),
            at: Pos(at),
            recv,
            tparams: tparams.unwrap_or_default(),
            sig,
            body,
            pragmas: self.take_pragmas(pos),
        })
    }

    /// The `//go:` comments between the last declaration and `pos`.
    fn take_pragmas(&mut self, pos: u32) -> Vec<String> {
        let mut pragmas = Vec::new();
        while let Some(d) = self.directives.get(self.next_directive)
            && d.pos.0 < pos
        {
            if d.pos.0 >= self.last_decl_end
                && let Some(pragma) = d.text.strip_prefix("go:")
            {
                pragmas.push(pragma.to_string());
            }
            self.next_directive += 1;
        }
        pragmas
    }
}
