//! Sizes, alignments and offsets: Go's layout on 64-bit machines.
//!
//! Go: cmd/compile/internal/types/size.go, go/types (sizes.go, gcsizes.go). Spec: Size and alignment guarantees.

use super::*;

/// The largest size of a type, in bytes.
pub const MAX_SIZE: i64 = 1 << 50;

impl Program {
    /// Size in bytes; `None` if the type is too large or not finite.
    pub fn try_size_of(&self, t: TypeId) -> Option<i64> {
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
    pub fn field_offsets(&self, s: &StructType) -> Vec<i64> {
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
        if depth > 1000 || crate::nesting::is_low() {
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
        if depth > 1000 || crate::nesting::is_low() {
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

    /// Does a value of the type hold pointers?
    pub fn has_pointers(&self, t: TypeId) -> bool {
        match self.under_type(t) {
            Type::Basic(b) => matches!(
                b,
                Basic::String | Basic::UntypedString | Basic::UnsafePointer | Basic::UntypedNil
            ),
            Type::Array { len, elem } => *len > 0 && self.has_pointers(*elem),
            Type::Struct(s) => s.fields.iter().any(|&f| self.has_pointers(self.obj(f).ty)),
            Type::Tuple(ts) => ts.iter().any(|&t| self.has_pointers(t)),
            _ => true,
        }
    }

    /// Does the size depend on a type parameter (so that `unsafe.Sizeof` is no constant)?
    pub(super) fn has_var_size(&self, t: TypeId) -> bool {
        if self.is_type_param(t) {
            return true;
        }
        if crate::nesting::is_low() {
            return false;
        }
        match self.under_type(t) {
            Type::Array { elem, .. } => self.has_var_size(*elem),
            Type::Struct(s) => s.fields.iter().any(|&f| self.has_var_size(self.obj(f).ty)),
            _ => false,
        }
    }
}

/// The next multiple of `align`.
pub fn round_up(n: i64, align: i64) -> i64 {
    n.saturating_add(align - 1) / align * align
}
