//! The types of generated programs: how they are spelled, and what can be done with their values.

use std::rc::Rc;

/// The integer types with their widths in bits; those that begin with `u` are unsigned.
pub(crate) const INTEGERS: &[(&str, u32)] = &[
    ("int", 64),
    ("int8", 8),
    ("int16", 16),
    ("int32", 32),
    ("int64", 64),
    ("uint", 64),
    ("uint8", 8),
    ("uint16", 16),
    ("uint32", 32),
    ("uint64", 64),
    ("uintptr", 64),
];

#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Ty {
    /// An index of [`INTEGERS`].
    Int(usize),
    Float(u32),
    Complex(u32),
    Bool,
    Str,
    Any,
    Error,
    /// The prelude's interface.
    Shape,
    Slice(Rc<Ty>),
    Array(usize, Rc<Ty>),
    Map(Rc<Ty>, Rc<Ty>),
    Func(Rc<Ty>, Rc<Ty>),
    Ptr(Rc<Ty>),
    Pair(Rc<Ty>, Rc<Ty>),
    /// A type that the program declares.
    Named(Rc<Named>),
    /// A type parameter, and whether it is one of integers (else of numbers).
    Param(&'static str, bool),
}

#[derive(Debug)]
pub(crate) struct Named {
    pub(crate) name: String,
    pub(crate) under: Under,
}

impl PartialEq for Named {
    fn eq(&self, other: &Named) -> bool {
        self.name == other.name
    }
}

#[derive(Debug)]
pub(crate) enum Under {
    Like(Ty),
    /// Fields by name; an embedded one has its type's.
    Struct(Vec<(String, Ty)>),
}

pub(crate) const INT: Ty = Ty::Int(0);

impl Ty {
    pub(crate) fn spell(&self) -> String {
        match self {
            Ty::Int(i) => INTEGERS[*i].0.to_string(),
            Ty::Float(bits) => format!("float{bits}"),
            Ty::Complex(bits) => format!("complex{bits}"),
            Ty::Bool => "bool".into(),
            Ty::Str => "string".into(),
            Ty::Any => "any".into(),
            Ty::Error => "error".into(),
            Ty::Shape => "Shape".into(),
            Ty::Slice(e) => format!("[]{}", e.spell()),
            Ty::Array(n, e) => format!("[{n}]{}", e.spell()),
            Ty::Map(k, v) => format!("map[{}]{}", k.spell(), v.spell()),
            Ty::Func(a, r) => format!("func({}) {}", a.spell(), r.spell()),
            Ty::Ptr(e) => format!("*{}", e.spell()),
            Ty::Pair(a, b) => format!("Pair[{}, {}]", a.spell(), b.spell()),
            Ty::Named(n) => n.name.clone(),
            Ty::Param(name, _) => name.to_string(),
        }
    }

    /// The type that this one is like.
    pub(crate) fn under(&self) -> &Ty {
        match self {
            Ty::Named(n) => match &n.under {
                Under::Like(t) => t.under(),
                Under::Struct(_) => self,
            },
            _ => self,
        }
    }

    pub(crate) fn fields(&self) -> Option<Vec<(String, Ty)>> {
        match self {
            Ty::Named(n) => match &n.under {
                Under::Struct(fields) => Some(fields.clone()),
                Under::Like(_) => None,
            },
            Ty::Pair(a, b) => Some(vec![
                ("a".into(), (**a).clone()),
                ("b".into(), (**b).clone()),
            ]),
            _ => None,
        }
    }

    pub(crate) fn is_integer(&self) -> bool {
        matches!(self.under(), Ty::Int(_) | Ty::Param(_, true))
    }

    pub(crate) fn is_number(&self) -> bool {
        self.is_integer() || matches!(self.under(), Ty::Float(_) | Ty::Param(..))
    }

    pub(crate) fn is_unsigned(&self) -> bool {
        matches!(self.under(), Ty::Int(i) if INTEGERS[*i].0.starts_with('u'))
    }

    pub(crate) fn bits(&self) -> u32 {
        match self.under() {
            Ty::Int(i) => INTEGERS[*i].1,
            _ => 8,
        }
    }

    pub(crate) fn is_ordered(&self) -> bool {
        self.is_number() || *self.under() == Ty::Str
    }

    /// Can values be compared without panicking?
    pub(crate) fn is_comparable(&self) -> bool {
        match self.under() {
            Ty::Any | Ty::Error | Ty::Shape => false,
            Ty::Slice(_) | Ty::Map(..) | Ty::Func(..) | Ty::Ptr(_) => false,
            Ty::Array(_, e) => e.is_comparable(),
            t => t
                .fields()
                .is_none_or(|f| f.iter().all(|(_, t)| t.is_comparable())),
        }
    }
}
