//! Questions about types: kinds, identity, comparability, defaults.
//!
//! Go: go/types (predicates.go, under.go). Spec: Properties of types and values.

use super::*;

impl Basic {
    pub fn is_boolean(self) -> bool {
        matches!(self, Basic::Bool | Basic::UntypedBool)
    }
    pub fn is_integer(self) -> bool {
        (Basic::Int as u8..=Basic::Uintptr as u8).contains(&(self as u8))
            || matches!(self, Basic::UntypedInt | Basic::UntypedRune)
    }
    pub fn is_unsigned(self) -> bool {
        (Basic::Uint as u8..=Basic::Uintptr as u8).contains(&(self as u8))
    }
    pub(crate) fn is_float(self) -> bool {
        matches!(self, Basic::Float32 | Basic::Float64 | Basic::UntypedFloat)
    }
    pub fn is_complex(self) -> bool {
        matches!(
            self,
            Basic::Complex64 | Basic::Complex128 | Basic::UntypedComplex
        )
    }
    pub fn is_numeric(self) -> bool {
        self.is_integer() || self.is_float() || self.is_complex()
    }
    pub fn is_string(self) -> bool {
        matches!(self, Basic::String | Basic::UntypedString)
    }
    pub fn is_ordered(self) -> bool {
        self.is_integer() || self.is_float() || self.is_string()
    }
    pub(crate) fn is_const_type(self) -> bool {
        self.is_boolean() || self.is_numeric() || self.is_string()
    }
    /// As Go spells it.
    pub fn name(self) -> &'static str {
        const NAMES: [&str; 26] = [
            "invalid type",
            "bool",
            "int",
            "int8",
            "int16",
            "int32",
            "int64",
            "uint",
            "uint8",
            "uint16",
            "uint32",
            "uint64",
            "uintptr",
            "float32",
            "float64",
            "complex64",
            "complex128",
            "string",
            "unsafe.Pointer",
            "untyped bool",
            "untyped int",
            "untyped rune",
            "untyped float",
            "untyped complex",
            "untyped string",
            "untyped nil",
        ];
        NAMES[self as usize]
    }
}

macro_rules! basic_predicates {
    ($($(#[$doc:meta])* $name:ident $(, $all:ident)?;)*) => {
        impl Program {
            $(
                $(#[$doc])*
                pub fn $name(&self, t: TypeId) -> bool {
                    matches!(self.types.get(self.under(t)), Type::Basic(b) if b.$name())
                }
                $(
                    /// The same, of every type in a type parameter's type set.
                    pub fn $all(&self, t: TypeId) -> bool {
                        self.all_basic(t, |b| b.$name())
                    }
                )?
            )*
        }
    };
}

basic_predicates! {
    is_boolean, all_boolean;
    is_integer, all_integer;
    is_unsigned, all_unsigned;
    is_float, all_float;
    is_complex, all_complex;
    is_numeric, all_numeric;
    is_string, all_string;
    /// May be the type of a constant.
    is_const_type;
}

impl Program {
    /// Has every type in a type parameter's type set `<`: is it an integer, a float or a string?
    pub(crate) fn all_ordered(&self, t: TypeId) -> bool {
        self.all_basic(t, |b| b.is_ordered())
    }
    /// `t` without aliases at its top.
    pub fn unalias(&self, mut t: TypeId) -> TypeId {
        while let Type::Alias { target, .. } = self.types.get(t) {
            t = *target;
        }
        t
    }

    /// The underlying type; of a type parameter, its constraint's interface.
    pub fn under(&self, mut t: TypeId) -> TypeId {
        loop {
            t = match self.types.get(t) {
                Type::Alias { target, .. } => *target,
                Type::Named(n) => n.underlying,
                Type::TypeParam(p) => {
                    if self.unalias(p.constraint) == t {
                        return TypeId::INVALID;
                    }
                    p.constraint
                }
                _ => return t,
            };
        }
    }

    /// The underlying type itself.
    pub fn under_type(&self, t: TypeId) -> &Type {
        self.types.get(self.under(t))
    }

    fn all_basic(&self, t: TypeId, pred: impl Fn(Basic) -> bool) -> bool {
        if self.is_type_param(t) {
            let mut all = true;
            let some = self.for_each_term(t, |u| {
                all &= matches!(self.under_type(u), Type::Basic(b) if pred(*b));
                all
            });
            return some && all;
        }
        matches!(self.under_type(t), Type::Basic(b) if pred(*b))
    }

    /// Calls `f` with the underlying type of each term of a type parameter's type set until it says
    /// `false`; gives `false` if there are no specific types. For other types calls `f` once.
    pub(crate) fn for_each_term(&self, t: TypeId, mut f: impl FnMut(TypeId) -> bool) -> bool {
        if !self.is_type_param(t) {
            f(self.under(t));
            return true;
        }
        match &self.type_set(self.under(t)).terms {
            None => false,
            Some(terms) => {
                for term in terms {
                    if !f(self.under(term.ty)) {
                        break;
                    }
                }
                !terms.is_empty()
            }
        }
    }

    /// Calls `f` with each term's type until it says `false`;
    /// gives `false` if there are no specific types.
    pub(super) fn for_each_term_type(&self, t: TypeId, mut f: impl FnMut(TypeId) -> bool) -> bool {
        match &self.type_set(self.under(t)).terms {
            None => false,
            Some(terms) => {
                for term in terms {
                    if !f(term.ty) {
                        break;
                    }
                }
                !terms.is_empty()
            }
        }
    }

    /// As [`for_each_term`](Self::for_each_term), but `f` sees the terms' types themselves.
    pub(super) fn for_each_term_or_self(
        &self,
        t: TypeId,
        mut f: impl FnMut(TypeId) -> bool,
    ) -> bool {
        if !self.is_type_param(t) {
            f(t);
            return true;
        }
        self.for_each_term_type(t, f)
    }

    pub fn is_valid(&self, t: TypeId) -> bool {
        self.unalias(t) != TypeId::INVALID
    }
    pub(crate) fn is_untyped(&self, t: TypeId) -> bool {
        (TypeId::UNTYPED_BOOL.0..=TypeId::UNTYPED_NIL.0).contains(&t.0)
    }
    /// An untyped number.
    pub(crate) fn is_untyped_numeric(&self, t: TypeId) -> bool {
        (TypeId::UNTYPED_INT.0..=TypeId::UNTYPED_COMPLEX.0).contains(&t.0)
    }
    pub fn is_type_param(&self, t: TypeId) -> bool {
        matches!(self.types.get(self.unalias(t)), Type::TypeParam(_))
    }
    /// An interface that is not a type parameter.
    pub fn is_interface(&self, t: TypeId) -> bool {
        !self.is_type_param(t) && matches!(self.under_type(t), Type::Interface(_))
    }
    pub fn is_pointer(&self, t: TypeId) -> bool {
        matches!(self.under_type(t), Type::Pointer(_))
    }
    /// Defined, predeclared or a type parameter: has a name of its own.
    pub(crate) fn has_name(&self, t: TypeId) -> bool {
        matches!(
            self.types.get(self.unalias(t)),
            Type::Basic(_) | Type::Named(_) | Type::TypeParam(_)
        )
    }
    pub fn is_named(&self, t: TypeId) -> bool {
        matches!(self.types.get(self.unalias(t)), Type::Named(_))
    }
    /// A generic type or signature that has not been instantiated.
    pub fn is_generic(&self, t: TypeId) -> bool {
        match self.types.get(self.unalias(t)) {
            Type::Named(n) => !n.tparams.is_empty() && n.targs.is_empty(),
            Type::Signature(s) => !s.tparams.is_empty(),
            _ => false,
        }
    }
    /// `[]byte` in essence.
    pub fn is_bytes(&self, t: TypeId) -> bool {
        self.elem_of_slice(t) == Some(Basic::Uint8)
    }
    /// `[]byte` or `[]rune` in essence.
    pub(crate) fn is_bytes_or_runes(&self, t: TypeId) -> bool {
        matches!(self.elem_of_slice(t), Some(Basic::Uint8 | Basic::Int32))
    }
    /// What the elements of a slice are in essence, if that is a basic type.
    fn elem_of_slice(&self, t: TypeId) -> Option<Basic> {
        match self.under_type(t) {
            Type::Slice(e) => match self.under_type(*e) {
                Type::Basic(b) => Some(*b),
                _ => None,
            },
            _ => None,
        }
    }
    /// A pointer to an interface, in essence.
    pub(crate) fn is_interface_pointer(&self, t: TypeId) -> bool {
        match self.under_type(t) {
            Type::Pointer(p) => matches!(self.under_type(*p), Type::Interface(_)),
            _ => false,
        }
    }
    pub fn basic(&self, t: TypeId) -> Option<Basic> {
        match self.under_type(t) {
            Type::Basic(b) => Some(*b),
            _ => None,
        }
    }
    /// The pointer's base type, if `t` itself (not its underlying type) is a pointer type.
    pub fn deref(&self, t: TypeId) -> Option<TypeId> {
        match self.types.get(self.unalias(t)) {
            Type::Pointer(e) => Some(*e),
            _ => None,
        }
    }
    /// The signature, if the underlying type is one.
    pub fn sig(&self, t: TypeId) -> Option<&Signature> {
        match self.under_type(t) {
            Type::Signature(s) => Some(s),
            _ => None,
        }
    }
    /// The struct type, if the underlying type is one.
    pub(crate) fn strukt(&self, t: TypeId) -> Option<&StructType> {
        match self.under_type(t) {
            Type::Struct(s) => Some(s),
            _ => None,
        }
    }

    /// Can nil be a value of the type?
    pub(crate) fn has_nil(&self, t: TypeId) -> bool {
        if self.is_type_param(t) {
            let mut all = true;
            let some = self.for_each_term(t, |u| {
                all &= self.has_nil(u);
                all
            });
            return some && all;
        }
        matches!(
            self.under_type(t),
            Type::Basic(Basic::UnsafePointer)
                | Type::Slice(_)
                | Type::Pointer(_)
                | Type::Signature(_)
                | Type::Map { .. }
                | Type::Chan { .. }
                | Type::Interface(_)
        )
    }

    /// May values be compared with `==`? Interfaces may (and panic perhaps).
    pub fn comparable(&self, t: TypeId) -> bool {
        self.comparable_at(t, true, 0)
    }

    /// As [`comparable`](Self::comparable); with `dynamic` false only what can never panic.
    pub(crate) fn comparable_at(&self, t: TypeId, dynamic: bool, depth: u32) -> bool {
        if depth > 10_000 || syntax::nesting::is_low() {
            return true;
        }
        if self.is_type_param(t) {
            return self.type_set_comparable(self.under(t));
        }
        match self.under_type(t) {
            Type::Basic(b) => *b != Basic::UntypedNil,
            Type::Pointer(_) | Type::Chan { .. } => true,
            Type::Interface(_) => dynamic || self.type_set_comparable(self.under(t)),
            Type::Struct(s) => s
                .fields
                .iter()
                .all(|&f| self.comparable_at(self.obj(f).ty, dynamic, depth + 1)),
            Type::Array { elem, .. } => self.comparable_at(*elem, dynamic, depth + 1),
            _ => false,
        }
    }

    fn type_set_comparable(&self, iface: TypeId) -> bool {
        let set = self.type_set(iface);
        match &set.terms {
            None => set.comparable,
            Some(terms) => {
                !terms.is_empty() && terms.iter().all(|t| self.comparable_at(t.ty, false, 1))
            }
        }
    }

    /// The type an untyped value takes where nothing else decides. Spec: Constants.
    pub(crate) fn default_type(&self, t: TypeId) -> TypeId {
        match t {
            TypeId::UNTYPED_BOOL => TypeId::BOOL,
            TypeId::UNTYPED_INT => TypeId::INT,
            TypeId::UNTYPED_RUNE => TypeId::RUNE,
            TypeId::UNTYPED_FLOAT => TypeId::FLOAT64,
            TypeId::UNTYPED_COMPLEX => TypeId::COMPLEX128,
            TypeId::UNTYPED_STRING => TypeId::STRING,
            _ => t,
        }
    }

    /// Are the types identical? Spec: Type identity.
    pub fn identical(&self, a: TypeId, b: TypeId) -> bool {
        self.identical_in(a, b, false, &mut Vec::new())
    }

    /// Identical but for struct tags. Spec: Conversions.
    pub(crate) fn identical_ignore_tags(&self, a: TypeId, b: TypeId) -> bool {
        self.identical_in(a, b, true, &mut Vec::new())
    }

    fn identical_in(
        &self,
        a: TypeId,
        b: TypeId,
        ignore_tags: bool,
        seen: &mut Vec<(TypeId, TypeId)>,
    ) -> bool {
        let (mut a, mut b) = (a, b);
        loop {
            if a == b {
                return true;
            }
            a = self.unalias(a);
            b = self.unalias(b);
            if a == b {
                return true;
            }
            // Chains of element types are walked in this loop, so that deep ones do not recurse.
            (a, b) = match (self.types.get(a), self.types.get(b)) {
                (Type::Basic(x), Type::Basic(y)) => return x == y,
                (Type::Pointer(x), Type::Pointer(y)) | (Type::Slice(x), Type::Slice(y)) => (*x, *y),
                (Type::Array { len: n, elem: x }, Type::Array { len: m, elem: y }) => {
                    if n != m && *n >= 0 && *m >= 0 {
                        return false;
                    }
                    (*x, *y)
                }
                (Type::Map { key: k, value: x }, Type::Map { key: l, value: y }) => {
                    if !self.identical_in(*k, *l, ignore_tags, seen) {
                        return false;
                    }
                    (*x, *y)
                }
                (Type::Chan { dir: c, elem: x }, Type::Chan { dir: d, elem: y }) => {
                    if c != d {
                        return false;
                    }
                    (*x, *y)
                }
                (Type::Tuple(x), Type::Tuple(y)) => {
                    return x.len() == y.len()
                        && x.iter()
                            .zip(y)
                            .all(|(&x, &y)| self.identical_in(x, y, ignore_tags, seen));
                }
                (Type::Struct(x), Type::Struct(y)) => {
                    if x.fields.len() != y.fields.len() {
                        return false;
                    }
                    if syntax::nesting::is_low() {
                        return false;
                    }
                    return x
                        .fields
                        .iter()
                        .zip(&y.fields)
                        .enumerate()
                        .all(|(i, (&f, &g))| {
                            let (f, g) = (self.obj(f), self.obj(g));
                            f.name == g.name
                                && self.objs.embedded(&f.kind) == self.objs.embedded(&g.kind)
                                && (f.pkg == g.pkg || f.name.is_exported())
                                && (ignore_tags || x.tag(i) == y.tag(i))
                                && self.identical_in(f.ty, g.ty, ignore_tags, seen)
                        });
                }
                (Type::Signature(x), Type::Signature(y)) => {
                    return self.identical_sigs(x, y, ignore_tags, seen);
                }
                (Type::Interface(_), Type::Interface(_)) => {
                    // Anonymous interfaces may refer to themselves through named types' methods.
                    if seen.contains(&(a, b)) {
                        return true;
                    }
                    if syntax::nesting::is_low() {
                        return false;
                    }
                    seen.push((a, b));
                    let (x, y) = (self.type_set(a), self.type_set(b));
                    let same = x.methods.len() == y.methods.len()
                        && x.comparable == y.comparable
                        && self.identical_terms(x.terms.as_deref(), y.terms.as_deref())
                        && x.methods.iter().zip(&y.methods).all(|(&m, &n)| {
                            m == n || {
                                let (mo, no) = (self.obj(m), self.obj(n));
                                mo.name == no.name
                                    && (mo.pkg == no.pkg || mo.name.is_exported())
                                    && self.identical_in(mo.ty, no.ty, ignore_tags, seen)
                            }
                        });
                    seen.pop();
                    return same;
                }
                (Type::Union(x), Type::Union(y)) => return self.identical_terms(Some(x), Some(y)),
                (Type::Named(x), Type::Named(y)) => {
                    return x.origin.is_some()
                        && x.origin == y.origin
                        && x.targs.len() == y.targs.len()
                        && x.targs
                            .iter()
                            .zip(&y.targs)
                            .all(|(&x, &y)| self.identical_in(x, y, ignore_tags, seen));
                }
                _ => return false,
            };
        }
    }

    pub(super) fn identical_terms(&self, x: Option<&[Term]>, y: Option<&[Term]>) -> bool {
        match (x, y) {
            (None, None) => true,
            (Some(x), Some(y)) => {
                let within = |x: &[Term], y: &[Term]| {
                    x.iter().all(|t| {
                        y.iter()
                            .any(|u| t.tilde == u.tilde && self.identical(t.ty, u.ty))
                    })
                };
                within(x, y) && within(y, x)
            }
            _ => false,
        }
    }

    fn identical_sigs(
        &self,
        x: &Signature,
        y: &Signature,
        ignore_tags: bool,
        seen: &mut Vec<(TypeId, TypeId)>,
    ) -> bool {
        if x.variadic != y.variadic
            || x.tparams.len() != y.tparams.len()
            || x.params.len() != y.params.len()
            || x.results.len() != y.results.len()
            || syntax::nesting::is_low()
        {
            return false;
        }
        if !x.tparams.is_empty() {
            return self.identical_generic_sigs(x, y);
        }
        let mut same = |x: &[ObjId], y: &[ObjId]| {
            x.iter().zip(y).all(|(&p, &q)| {
                self.identical_in(self.obj(p).ty, self.obj(q).ty, ignore_tags, seen)
            })
        };
        same(&x.params, &y.params) && same(&x.results, &y.results)
    }

    /// Generic signatures are identical if they are after renaming:
    /// compared by their text with parameters numbered.
    fn identical_generic_sigs(&self, x: &Signature, y: &Signature) -> bool {
        self.canonical_sig(x) == self.canonical_sig(y)
    }

    /// Why values of the type cannot be compared, as Go's messages say it;
    /// empty if there is nothing to add.
    pub(crate) fn incomparable_cause(&self, t: TypeId, rel: Option<PkgId>) -> String {
        match self.under_type(t) {
            Type::Slice(_) | Type::Signature(_) | Type::Map { .. } if !self.is_type_param(t) => {
                format!("{} can only be compared to nil", self.kind_word(t))
            }
            _ => self.incomparable_reason(t, rel),
        }
    }

    /// The part of a type that is not comparable.
    pub(crate) fn incomparable_reason(&self, t: TypeId, rel: Option<PkgId>) -> String {
        if self.is_type_param(t) {
            return match &self.type_set(self.under(t)).terms {
                Some(terms) if terms.is_empty() => "empty type set".into(),
                _ => "incomparable types in type set".into(),
            };
        }
        match self.under_type(t) {
            Type::Struct(s) => {
                for &f in &s.fields {
                    let ty = self.obj(f).ty;
                    if !self.comparable(ty) {
                        return format!(
                            "struct containing {} cannot be compared",
                            self.type_string_rel(ty, rel)
                        );
                    }
                }
                String::new()
            }
            Type::Array { .. } => format!("{} cannot be compared", self.type_string_rel(t, rel)),
            _ => String::new(),
        }
    }

    /// `slice`, `struct`, … of a composite type; empty for basic types.
    pub(crate) fn kind_word(&self, t: TypeId) -> &'static str {
        match self.under_type(t) {
            Type::Basic(_) => "",
            Type::Array { .. } => "array",
            Type::Slice(_) => "slice",
            Type::Struct(_) => "struct",
            Type::Pointer(_) => "pointer",
            Type::Signature(_) => "func",
            Type::Interface(_) => "interface",
            Type::Map { .. } => "map",
            Type::Chan { .. } => "chan",
            Type::Tuple(_) => "tuple",
            Type::Union(_) => "union",
            _ => "",
        }
    }
}

impl ObjStore {
    pub(super) fn embedded(&self, kind: &ObjKind) -> bool {
        matches!(kind, ObjKind::Var(v) if v.embedded)
    }
}
