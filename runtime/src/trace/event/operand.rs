//! What an operand of an event can be: how its values are written, and read.

use ::trace::schema::{Form, List, Rule};
use ::trace::wire::Put;

use crate::engine::YieldKind;
use crate::g::{Goid, Status, WAIT_REASONS, WaitReason};
use crate::p::PStatus;

/// An operand of an event.
pub(crate) trait Operand: Sized {
    /// The forms of its values: one, and those of the members that it may have.
    const FORMS: &'static [Form];
    /// Gives the values, one for each form, which are written by these rules.
    fn put(&self, to: &mut impl Put, rules: &[Rule]);
    /// Reads what `put` gave.
    fn get(from: &[u64]) -> Self;
    /// The words that it may be.
    fn list() -> Option<List> {
        None
    }
}

macro_rules! numbers {
    ($($ty:ty: $form:ident;)*) => {$(
        impl Operand for $ty {
            const FORMS: &'static [Form] = &[Form::$form];
            #[inline(always)]
            fn put(&self, to: &mut impl Put, rules: &[Rule]) {
                to.put(*self as u64, rules[0]);
            }
            fn get(from: &[u64]) -> $ty {
                from[0] as $ty
            }
        }
    )*};
}

numbers! {
    u32: Number;
    i32: Signed;
    i64: Signed;
}

impl Operand for bool {
    const FORMS: &'static [Form] = &[Form::Flag];
    #[inline(always)]
    fn put(&self, to: &mut impl Put, rules: &[Rule]) {
        to.put(u64::from(*self), rules[0]);
    }
    fn get(from: &[u64]) -> bool {
        from[0] != 0
    }
}

macro_rules! newtypes {
    ($($(#[$doc:meta])* $ty:ident: $form:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub struct $ty(pub(crate) u64);

        impl Operand for $ty {
            const FORMS: &'static [Form] = &[Form::$form];
            #[inline(always)]
            fn put(&self, to: &mut impl Put, rules: &[Rule]) {
                to.put(self.0, rules[0]);
            }
            fn get(from: &[u64]) -> $ty {
                $ty(from[0])
            }
        }
    )*};
}

newtypes! {
    /// The number of an object that is waited for, 0 if there is none.
    Object: Object;
    /// The number of a text, 0 if there is none.
    Text: Text;
    /// The number of a stack, 0 if there is none.
    Stack: Stack;
    /// A place in a queue: what was put into it before has lower numbers.
    At: Next;
}

impl Operand for Goid {
    const FORMS: &'static [Form] = &[Form::Goid];
    #[inline(always)]
    fn put(&self, to: &mut impl Put, rules: &[Rule]) {
        to.put(self.0, rules[0]);
    }
    fn get(from: &[u64]) -> Goid {
        Goid(from[0])
    }
}

/// A list of words without members.
pub(super) fn plain<'a>(words: impl Iterator<Item = &'a str>) -> Option<List> {
    Some(words.map(|w| (w.to_string(), Vec::new())).collect())
}

/// Text that lives for ever.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Word(pub(crate) &'static str);

/// The words that events may bear; others are recorded as `other`.
const WORDS_KNOWN: &[&str] = &[
    "other",
    "GOMAXPROCS",
    "GC mark termination",
    "GC sweep termination",
    "read mem stats",
    "stack trace",
];

impl Operand for Word {
    const FORMS: &'static [Form] = &[Form::Word(0)];
    fn put(&self, to: &mut impl Put, rules: &[Rule]) {
        to.put(
            WORDS_KNOWN.iter().position(|k| *k == self.0).unwrap_or(0) as u64,
            rules[0],
        );
    }
    fn get(from: &[u64]) -> Word {
        Word(WORDS_KNOWN[from[0] as usize])
    }
    fn list() -> Option<List> {
        plain(WORDS_KNOWN.iter().copied())
    }
}

macro_rules! named {
    ($($ty:ty: $get:expr, $name:expr, $n:expr;)*) => {$(
        impl Operand for $ty {
            const FORMS: &'static [Form] = &[Form::Word(0)];
            #[inline(always)]
            fn put(&self, to: &mut impl Put, rules: &[Rule]) {
                to.put(*self as u64, rules[0]);
            }
            fn get(from: &[u64]) -> $ty {
                $get(from[0] as u32)
            }
            fn list() -> Option<List> {
                plain((0..$n).map(|n| $name($get(n))))
            }
        }
    )*};
}

named! {
    WaitReason: |n| WAIT_REASONS[n as usize].0, WaitReason::text, WAIT_REASONS.len() as u32;
    Status: |n| Status::from_bits(n).unwrap_or(Status::Dead), Status::name, 10;
    PStatus: PStatus::from_bits, PStatus::name, 5;
    YieldKind:
        |n| match n {
            0 => YieldKind::Gosched,
            1 => YieldKind::Preempt,
            _ => YieldKind::Local,
        },
        |k| match k {
            YieldKind::Gosched => "gosched",
            YieldKind::Preempt => "preempt",
            YieldKind::Local => "local",
        }, 3;
}
