//! Parameters, results, type parameters and fields.
//!
//! In `(a, b, c)` each may be a name or a type: only the end of the list tells. So grammar makes
//! entries of them, which are sorted out here.

use super::*;
use source::Symbol;

/// A parameter, a type parameter, or a result, before names and types are told apart.
pub(in crate::parser) struct Entry {
    pub(in crate::parser) pos: u32,
    pub(in crate::parser) name: Option<Ident>,
    pub(in crate::parser) ty: Option<Expr>,
    /// Position of `...`.
    pub(in crate::parser) dots: Option<u32>,
}

impl Entry {
    pub(in crate::parser) fn named(pos: u32, name: Ident, ty: Option<Expr>) -> Entry {
        Entry {
            pos,
            name: Some(name),
            ty,
            dots: None,
        }
    }
    /// A lone name may yet turn out to be a parameter's name.
    pub(in crate::parser) fn typed(pos: u32, ty: Expr) -> Entry {
        match ty.kind {
            ExprKind::Name(name) if ty.pos.0 == pos => {
                let name = Ident {
                    pos: ty.pos,
                    name,
                    id: ty.id,
                };
                Entry::named(pos, name, None)
            }
            _ => Entry {
                pos,
                name: None,
                ty: Some(ty),
                dots: None,
            },
        }
    }
}

/// A parenthesised list of entries.
#[derive(Default)]
pub(in crate::parser) struct Entries {
    pub(in crate::parser) list: Vec<Entry>,
    pub(in crate::parser) close: u32,
}

impl Builder<'_> {
    pub(in crate::parser) fn receiver(&mut self, recv: Entries, name: Ident) -> Option<Param> {
        let mut list = self.parameters(recv, false);
        match list.len() {
            0 => self.error(name.pos, "method has no receiver"),
            1 => {}
            _ => self.error(name.pos, "method has multiple receivers"),
        }
        list.truncate(1);
        let mut only = list.pop()?;
        if matches!(only.ty, ParamType::SameAsNext) {
            only.ty = ParamType::Own(Box::new(expr(only.pos.0, ExprKind::Bad)));
        }
        Some(only)
    }

    pub(in crate::parser) fn signature(
        &mut self,
        pos: u32,
        params: Entries,
        results: Entries,
    ) -> FuncSig {
        FuncSig {
            pos: Pos(pos),
            params: self.parameters(params, true),
            results: self.parameters(results, false),
        }
    }

    pub(in crate::parser) fn signature_one(
        &mut self,
        pos: u32,
        params: Entries,
        result: Expr,
    ) -> FuncSig {
        let result = Param {
            pos: result.pos,
            name: None,
            ty: ParamType::Own(Box::new(result)),
            variadic: false,
        };
        FuncSig {
            pos: Pos(pos),
            params: self.parameters(params, true),
            results: vec![result],
        }
    }

    /// Decides whether the lone names of a list are names or types, and gives each name its type.
    fn parameters(&mut self, entries: Entries, dots_ok: bool) -> Vec<Param> {
        let Entries { mut list, close } = entries;
        let count = list.len();
        let named = list
            .iter()
            .filter(|e| e.name.is_some() && e.ty.is_some())
            .count();
        let typed = list.iter().filter(|e| e.ty.is_some()).count();
        if named == 0 {
            for e in &mut list {
                if let (Some(name), None) = (e.name, &e.ty) {
                    e.ty = Some(name_expr(name));
                    e.name = None;
                }
            }
        } else if named != count {
            self.pair_names_with_types(&mut list, named == typed, close);
        }
        self.check_dots(&list, dots_ok);
        let with_dots = |e: &Entry| dots_ok && e.dots.is_some();
        let mut params: Vec<Param> = Vec::with_capacity(count);
        for (i, e) in list.into_iter().enumerate() {
            let variadic = with_dots(&e) && i + 1 == count;
            params.push(Param {
                pos: Pos(e.pos),
                name: e.name,
                ty: e
                    .ty
                    .map_or(ParamType::SameAsNext, |t| ParamType::Own(Box::new(t))),
                variadic,
            });
        }
        params
    }

    fn pair_names_with_types(&mut self, list: &mut [Entry], names_lack_types: bool, close: u32) {
        let mut error = None;
        let mut have_type = false;
        let mut dots = None;
        for e in list.iter_mut().rev() {
            match (&e.ty, e.name) {
                (Some(ty), name) => {
                    have_type = true;
                    dots = e.dots;
                    if name.is_none() {
                        let pos = e.dots.map_or(ty.start(), Pos);
                        error = Some(pos);
                        e.name = Some(blank(pos));
                    }
                }
                (None, _) if have_type => e.dots = dots,
                (None, name) => {
                    let pos = name.map_or(Pos(e.pos), |n| n.pos);
                    error = Some(pos);
                    e.ty = Some(expr(pos.0, ExprKind::Bad));
                }
            }
        }
        if let Some(pos) = error {
            if names_lack_types {
                self.syntax(Pos(close), "missing parameter type");
            } else {
                self.syntax(pos, "missing parameter name");
            }
        }
    }

    fn check_dots(&mut self, list: &[Entry], dots_ok: bool) {
        let count = list.len();
        let wrong = list.iter().enumerate().find_map(|(i, e)| {
            let at = e.dots?;
            (!dots_ok || i + 1 < count).then_some(at)
        });
        if let Some(at) = wrong {
            let message = if dots_ok {
                "can only use ... with final parameter"
            } else {
                "invalid use of ..."
            };
            self.error(Pos(at), message);
        }
    }

    pub(in crate::parser) fn type_parameters(
        &mut self,
        mut list: Vec<Entry>,
        close: u32,
    ) -> Vec<TypeParam> {
        self.check_dots(&list, false);
        if list.iter().any(|e| e.name.is_none()) {
            let alone = list.len() == 1;
            let mut leftmost = Pos(close);
            for e in list.iter_mut().filter(|e| e.name.is_none()).rev() {
                leftmost = e.ty.as_ref().map_or(Pos(e.pos), Expr::start);
                e.name = Some(blank(leftmost));
            }
            let message = if alone {
                "missing type parameter name or invalid array length"
            } else {
                "missing type parameter name"
            };
            self.syntax(leftmost, message);
        } else if list.last().is_some_and(|e| e.ty.is_none()) {
            self.syntax(Pos(close), "missing type constraint");
        }
        let mut out: Vec<TypeParam> = Vec::with_capacity(list.len());
        // Index of the first name that waits for its constraint.
        let mut first = 0;
        for e in list {
            let Some(name) = e.name else { continue };
            out.push(TypeParam {
                name,
                constraint: None,
            });
            if let Some(ty) = e.ty {
                out[first].constraint = Some(Box::new(ty));
                first = out.len();
            }
        }
        if let Some(open) = out.get_mut(first) {
            open.constraint = Some(Box::new(expr(close, ExprKind::Bad)));
        }
        out
    }

    pub(in crate::parser) fn fields(
        &mut self,
        names: Vec<Ident>,
        ty: Expr,
        tag: Option<Literal>,
    ) -> Vec<Field> {
        let tag = self.tag(tag);
        let count = names.len();
        let mut ty = Some(ty);
        let mut fields = Vec::with_capacity(count);
        for (i, name) in names.into_iter().enumerate() {
            let own = (i + 1 == count).then(|| ty.take()).flatten();
            fields.push(Field {
                pos: name.pos,
                name,
                embedded: false,
                ty: own.map_or(ParamType::SameAsNext, |t| ParamType::Own(Box::new(t))),
                tag: tag.clone(),
            });
        }
        fields
    }

    pub(in crate::parser) fn embedded_field(
        &mut self,
        pos: u32,
        ty: Expr,
        tag: Option<Literal>,
    ) -> Vec<Field> {
        let tag = self.tag(tag);
        let mut x = &ty;
        let (at, name) = loop {
            x = match &x.kind {
                ExprKind::Star(x) | ExprKind::Index { x, .. } => x,
                ExprKind::Selector { sel, .. } => break (sel.pos, sel.name),
                ExprKind::Name(name) => break (x.pos, *name),
                _ => break (x.pos, Symbol::new("_")),
            };
        };
        let name = Ident {
            pos: at,
            name,
            id: NodeId::fresh(),
        };
        vec![Field {
            pos: Pos(pos),
            name,
            embedded: true,
            ty: ParamType::Own(Box::new(ty)),
            tag,
        }]
    }

    fn tag(&mut self, tag: Option<Literal>) -> Option<Box<str>> {
        let tag = tag?;
        if tag.bad {
            return None;
        }
        if tag.kind != LitKind::String {
            let text = self.text(tag.start, tag.end);
            self.later
                .error(Pos(tag.start), format!("incorrect tag syntax: {text:?}"));
            return None;
        }
        Some(self.string_value(&tag).into_boxed_str())
    }
}

fn blank(pos: Pos) -> Ident {
    Ident {
        pos,
        name: Symbol::new("_"),
        id: NodeId::fresh(),
    }
}
