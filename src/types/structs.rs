//! Struct types: fields, embedded ones among them, and tags.
//!
//! Go: go/types/struct.go. Spec: Struct types.

use super::*;
use syntax::ast::ParamType;

impl Checker {
    pub(super) fn struct_type(&mut self, fields: &'static [ast::Field]) -> TypeId {
        let mut types: Vec<TypeId> = vec![TypeId::INVALID; fields.len()];
        for (i, f) in fields.iter().enumerate() {
            if let ParamType::Own(e) = &f.ty {
                types[i] = if f.embedded {
                    self.typ(e)
                } else {
                    self.var_type(e)
                };
                if f.embedded {
                    self.embedded_field(types[i], e.start());
                }
            }
        }
        let mut next = TypeId::INVALID;
        for i in (0..fields.len()).rev() {
            match fields[i].ty {
                ParamType::Own(_) => next = types[i],
                ParamType::SameAsNext => types[i] = next,
            }
        }
        let mut objs = Vec::with_capacity(fields.len());
        let mut tags: Vec<Box<str>> = Vec::new();
        let mut seen: FxHashMap<Symbol, ObjId> = FxHashMap::default();
        for (f, t) in fields.iter().zip(types) {
            let info = VarInfo {
                is_field: true,
                embedded: f.embedded,
                used: true,
                ..VarInfo::default()
            };
            let obj = self.new_obj(ObjKind::Var(info), f.name.name, f.name.pos, t);
            self.record_def(f.name.id, obj);
            if !f.name.name.is_blank() {
                if let Some(&alt) = seen.get(&f.name.name) {
                    let mut msg = format!("{} redeclared", f.name.name);
                    self.push_alt_decl(&mut msg, alt);
                    self.error(f.name.pos, msg);
                    continue;
                }
                seen.insert(f.name.name, obj);
            }
            if let Some(tag) = &f.tag {
                tags.resize(objs.len(), "".into());
                tags.push(tag.clone());
            }
            objs.push(obj);
        }
        if !tags.is_empty() {
            tags.resize(objs.len(), "".into());
        }
        self.prog
            .types
            .add(Type::Struct(Box::new(StructType { fields: objs, tags })))
    }

    fn embedded_field(&mut self, t: TypeId, pos: Pos) {
        self.later(move |c| {
            let (base, is_ptr) = match c.deref(t) {
                Some(b) => (b, true),
                None => (t, false),
            };
            if c.is_type_param(base) {
                c.error(
                    pos,
                    "embedded field type cannot be a (pointer to a) type parameter",
                );
                return;
            }
            match c.under_type(base) {
                Type::Basic(Basic::UnsafePointer) => {
                    c.error(pos, "embedded field type cannot be unsafe.Pointer");
                }
                Type::Pointer(_) => c.error(pos, "embedded field type cannot be a pointer"),
                Type::Interface(_) => {
                    if is_ptr {
                        c.error(
                            pos,
                            "embedded field type cannot be a pointer to an interface",
                        );
                    } else if c.is_constraint_only(base) {
                        c.not_for_values(base, pos);
                    }
                }
                _ => {}
            }
        });
    }
}
