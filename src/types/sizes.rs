//! Sizes, alignments and offsets: Go's layout on 64-bit machines.
//!
//! Go: cmd/compile/internal/types/size.go, go/types (sizes.go, gcsizes.go).
//! Spec: Size and alignment guarantees.

use super::*;
use rustc_hash::FxHashSet;

/// The largest size of a type, in bytes.
pub const MAX_SIZE: i64 = 1 << 50;
/// The largest size of a channel's elements, in bytes.
const MAX_CHAN_ELEM: i64 = (1 << 16) - 1;
/// The largest symbol of a binary, in bytes. Go: cmd/internal/obj, cutoff.
const MAX_SYMBOL: i64 = 2_000_000_000;
/// The largest size of a map's elements and keys, in bytes.
const MAX_MAP_ELEM: i64 = (1 << 31) - 1;

impl Program {
    /// Size in bytes; `None` if the type is too large or not finite.
    pub(crate) fn try_size_of(&self, t: TypeId) -> Option<i64> {
        self.size_at(t, 0)
    }

    /// Size in bytes of a valid type.
    pub fn size_of(&self, t: TypeId) -> i64 {
        self.try_size_of(t).unwrap_or(0)
    }

    /// Alignment in bytes.
    pub fn align_of(&self, t: TypeId) -> i64 {
        self.align_at(t, 0)
    }

    /// Offsets of the struct's fields.
    pub(crate) fn field_offsets(&self, s: &StructType) -> Vec<i64> {
        let mut at = 0;
        s.fields
            .iter()
            .map(|&f| {
                let ty = self.obj(f).ty;
                let here = round_up(at, self.align_of(ty));
                at = here.saturating_add(self.size_of(ty));
                here
            })
            .collect()
    }

    fn align_at(&self, t: TypeId, depth: u32) -> i64 {
        if depth > 1000 || syntax::nesting::is_low() {
            return 8;
        }
        match self.under_type(t) {
            Type::Basic(b) => match b {
                Basic::Bool | Basic::Int8 | Basic::Uint8 | Basic::Invalid => 1,
                Basic::Int16 | Basic::Uint16 => 2,
                Basic::Int32
                | Basic::Uint32
                | Basic::Float32
                | Basic::Complex64
                | Basic::UntypedRune => 4,
                Basic::UntypedBool => 1,
                _ => 8,
            },
            Type::Array { elem, .. } => self.align_at(*elem, depth + 1),
            Type::Struct(s) => s
                .fields
                .iter()
                .map(|&f| self.align_at(self.obj(f).ty, depth + 1))
                .max()
                .unwrap_or(1),
            _ => 8,
        }
    }

    fn size_at(&self, t: TypeId, depth: u32) -> Option<i64> {
        if depth > 1000 || syntax::nesting::is_low() {
            return None;
        }
        let size = match self.under_type(t) {
            Type::Basic(b) => match b {
                Basic::Invalid | Basic::UntypedNil => 0,
                Basic::Bool | Basic::Int8 | Basic::Uint8 | Basic::UntypedBool => 1,
                Basic::Int16 | Basic::Uint16 => 2,
                Basic::Int32 | Basic::Uint32 | Basic::Float32 | Basic::UntypedRune => 4,
                Basic::Complex128
                | Basic::UntypedComplex
                | Basic::String
                | Basic::UntypedString => 16,
                _ => 8,
            },
            Type::Slice(_) => 24,
            Type::Interface(_) => 16,
            Type::Array { len, elem } => {
                let elem = self.size_at(*elem, depth + 1)?;
                elem.checked_mul((*len).max(0))?
            }
            Type::Struct(s) => {
                let (mut at, mut align, mut last) = (0i64, 1, 1);
                for &f in &s.fields {
                    let ty = self.obj(f).ty;
                    let a = self.align_at(ty, depth + 1);
                    align = align.max(a);
                    last = self.size_at(ty, depth + 1)?;
                    at = round_up(at, a).checked_add(last)?;
                }
                // A pointer to a trailing field of size zero must not point past the object.
                if at > 0 && last == 0 {
                    at += 1;
                }
                round_up(at, align)
            }
            Type::Tuple(ts) => {
                let mut at = 0i64;
                for &t in ts {
                    at = round_up(at, self.align_at(t, depth + 1))
                        .checked_add(self.size_at(t, depth + 1)?)?;
                }
                at
            }
            _ => 8,
        };
        (size <= MAX_SIZE).then_some(size)
    }
}

impl Checker {
    /// Notes an array or channel type, which may be too large,
    /// that stands at `pos`, unless that is in the standard library.
    pub(super) fn note_large(&mut self, pos: Pos, t: TypeId) {
        if self.env.pkg.is_some_and(|p| !self.pkg(p).is_std) {
            self.large.push((pos, t));
        }
    }

    /// Reports types of user packages that are too large: where what first has them is declared, or
    /// where they stand. Names of package `home` are not qualified.
    ///
    /// Go: cmd/compile/internal/types/size.go, CalcSize.
    pub(super) fn report_large(&mut self, home: PkgId) {
        if self.large.is_empty() {
            return;
        }
        let mut places: Vec<(Pos, TypeId)> = Vec::new();
        for id in self.objs.own() {
            let object = self.obj(id);
            let is_place = match &object.kind {
                ObjKind::TypeName { is_alias } => !is_alias,
                ObjKind::Var(v) => !v.is_field && !v.is_param,
                ObjKind::Func(_) => true,
                _ => false,
            };
            if is_place && object.pkg.is_some_and(|p| !self.pkg(p).is_std) {
                let recv = self.objs.func(id).and_then(|f| f.recv_named);
                let by = recv.map_or(id, |t| self.types.named(t).obj);
                places.push((self.obj(by).pos, object.ty));
            }
        }
        places.sort_unstable();
        places.append(&mut self.large);
        let mut search = Search {
            program: &self.prog,
            home,
            seen: FxHashSet::default(),
            sizes: FxHashMap::default(),
            found: Vec::new(),
        };
        let mut texts = FxHashSet::default();
        for (pos, t) in places {
            search.types_in(t, pos);
        }
        let symbols = match search.found.is_empty() && self.diags.is_empty() {
            true => search.large_symbols(),
            false => Vec::new(),
        };
        for (pos, text) in search.found.into_iter().chain(symbols) {
            let p = source::map().position(pos);
            if texts.insert((p.file, p.line, text.clone())) {
                self.diags.error(pos, text);
            }
        }
    }
}

/// A search for types that are too large.
struct Search<'p> {
    program: &'p Program,
    home: PkgId,
    /// Types that have been looked at.
    seen: FxHashSet<TypeId>,
    /// Sizes and alignments in bytes; `None` of what has type parameters.
    sizes: FxHashMap<TypeId, Option<(i64, i64)>>,
    /// What is said of those found, and where.
    found: Vec<(Pos, String)>,
}

impl Search<'_> {
    /// Looks at the types that `t` is made of, which stands at `pos`.
    fn types_in(&mut self, t: TypeId, mut pos: Pos) {
        if syntax::nesting::is_low() || !self.seen.insert(t) {
            return;
        }
        let program = self.program;
        let parts: Vec<TypeId> = match program.types.get(t) {
            Type::Pointer(t) | Type::Slice(t) | Type::Alias { target: t, .. } => vec![*t],
            Type::Chan { elem, .. } | Type::Array { elem, .. } => vec![*elem],
            Type::Map { key, value } => vec![*key, *value],
            Type::Tuple(ts) => ts.clone(),
            Type::Signature(s) => {
                let vars = s.params.iter().chain(&s.results);
                vars.map(|&v| program.obj(v).ty).collect()
            }
            Type::Struct(s) => s.fields.iter().map(|&f| program.obj(f).ty).collect(),
            Type::Named(named) if !self.is_std(named) => {
                pos = program.obj(named.obj).pos;
                vec![named.underlying]
            }
            _ => Vec::new(),
        };
        for part in parts {
            self.types_in(part, pos);
        }
        match program.types.get(t) {
            Type::Chan { elem, .. } if self.is_over(*elem, MAX_CHAN_ELEM) => {
                let text = "channel element type too large (>64kB)";
                self.found.push((pos, text.into()));
            }
            Type::Map { key, value } => {
                for (what, t) in [("element", *value), ("key", *key)] {
                    if self.is_over(t, MAX_MAP_ELEM) {
                        let text = format!("map {what} type too large");
                        self.found.push((pos, text));
                    }
                }
            }
            // The field's type has been reported already.
            Type::Struct(s) if s.fields.iter().any(|&f| self.is_huge(program.obj(f).ty)) => {}
            Type::Array { .. } | Type::Struct(_) if self.is_huge(t) => {
                let text = program.type_string_rel(t, Some(self.home));
                let text = format!("type {text} larger than address space");
                self.found.push((pos, text));
            }
            _ => {}
        }
    }

    /// Package-level variables that are too large for a symbol of a binary,
    /// and where they are declared.
    ///
    /// Go: cmd/internal/obj/plist.go, Ctxt.Globl; cmd/internal/obj, cutoff.
    fn large_symbols(&mut self) -> Vec<(Pos, String)> {
        let program = self.program;
        let mut found = Vec::new();
        for object in program.objs.own().map(|id| program.obj(id)) {
            let is_variable = matches!(&object.kind, ObjKind::Var(v) if v.is_global);
            let pkg = object.pkg.map(|p| program.pkg(p)).filter(|p| !p.is_std);
            if let (true, Some(pkg)) = (is_variable && !object.name.is_blank(), pkg)
                && let Some((size, _)) = self.measure(object.ty)
                && size > MAX_SYMBOL
            {
                let path = &pkg.path;
                let text = format!(
                    "{path}.{}: symbol too large ({size} bytes > {MAX_SYMBOL} bytes)",
                    object.name
                );
                found.push((object.pos, text));
            }
        }
        found.sort_unstable();
        found
    }

    fn is_std(&self, named: &Named) -> bool {
        let pkg = self.program.obj(named.obj).pkg;
        pkg.is_none_or(|p| self.program.pkg(p).is_std)
    }

    fn is_huge(&mut self, t: TypeId) -> bool {
        self.is_over(t, MAX_SIZE - 1)
    }

    fn is_over(&mut self, t: TypeId, limit: i64) -> bool {
        self.measure(t).is_some_and(|(size, _)| size > limit)
    }

    fn measure(&mut self, t: TypeId) -> Option<(i64, i64)> {
        if let Some(&known) = self.sizes.get(&t) {
            return known;
        }
        if syntax::nesting::is_low() || self.program.is_type_param(t) {
            return None;
        }
        let measured = match self.program.types.get(t) {
            Type::Named(named) => self.measure(named.underlying),
            Type::Alias { target, .. } => self.measure(*target),
            Type::Array { len, elem } => self
                .measure(*elem)
                .map(|(size, align)| (size.saturating_mul((*len).max(0)), align)),
            Type::Struct(s) => self.measure_fields(&s.fields),
            _ => Some((self.program.size_of(t), self.program.align_of(t))),
        };
        // What is too large stays so, and sums of such sizes are sizes.
        let measured = measured.map(|(size, align)| (size.min(MAX_SIZE), align));
        self.sizes.insert(t, measured);
        measured
    }

    fn measure_fields(&mut self, fields: &[ObjId]) -> Option<(i64, i64)> {
        let (mut at, mut align, mut last) = (0i64, 1, 1);
        for &field in fields {
            let (size, a) = self.measure(self.program.obj(field).ty)?;
            at = round_up(at, a).saturating_add(size);
            (align, last) = (align.max(a), size);
        }
        // A pointer to a trailing field of size zero must not point past the object.
        at += i64::from(at > 0 && last == 0);
        Some((round_up(at, align), align))
    }
}

/// The next multiple of `align`.
pub(crate) fn round_up(n: i64, align: i64) -> i64 {
    n.saturating_add(align - 1) / align * align
}
