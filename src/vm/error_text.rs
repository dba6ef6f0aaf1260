//! Run-time errors: which there are, and what they say of themselves.
//!
//! Go: runtime/error.go.

use super::iface;
use super::native::GoStr;
use bytecode::rtype::{self, Kind, Rtype, Ty};
use gosched_runtime::chan::ChanError;
use std::borrow::Cow;
use std::fmt::Write;

/// The package and the name of the type of what the root of a bubble panics with, which a program
/// that dies of it is told more of.
pub(super) const DEADLOCK: (&str, &str) = ("internal/synctest", "synctest.deadlock");

/// A run-time error of which a program sees no more than the text. From it follow the type of the
/// panic's value, the text, and the functions of Go's runtime that the panic is shown to come from.
#[derive(Clone, Copy, Debug)]
pub(super) enum RuntimeError {
    /// A division by zero.
    Divide,
    /// A shift by a negative amount.
    Shift,
    /// An assignment to an entry of a nil map.
    NilMap,
    /// A map's key is of a type that has no hash.
    Unhashable(&'static Rtype),
    /// The same where an empty map is looked into, which has no use for the hash.
    UnhashableInEmpty(&'static Rtype),
    /// Interfaces are compared that hold values of a type that has no `==`.
    Uncomparable(&'static Rtype),
    /// An operation on a channel fails.
    Chan(ChanError),
    /// `make`: the length, or else the capacity, is out of range.
    MakeSliceLen,
    MakeSliceCap,
    /// `append`: the length is out of range.
    GrowSlice,
    /// `unsafe.Slice` and `unsafe.String`: the pointer is nil and the length is not 0, or the
    /// length is out of range.
    UnsafeSliceNil,
    UnsafeSliceLen,
    UnsafeStringNil,
    UnsafeStringLen,
    /// A method with a value receiver is called by a nil pointer: the text names it.
    NilReceiver(GoStr),
}

impl RuntimeError {
    /// The type of the panic's value.
    pub(super) fn value_type(&self) -> ErrorType {
        match self {
            RuntimeError::NilMap
            | RuntimeError::UnhashableInEmpty(_)
            | RuntimeError::Chan(_)
            | RuntimeError::NilReceiver(_) => ErrorType::Plain,
            _ => ErrorType::Text,
        }
    }

    /// The text, without [`PREFIX`].
    pub(super) fn text(&self) -> Cow<'static, str> {
        let text = match self {
            RuntimeError::Divide => "integer divide by zero",
            RuntimeError::Shift => "negative shift amount",
            RuntimeError::NilMap => "assignment to entry in nil map",
            RuntimeError::Unhashable(t) => {
                return format!("hash of unhashable type {}", t.string).into();
            }
            RuntimeError::UnhashableInEmpty(t) => {
                return format!("hash of unhashable type: {}", t.string).into();
            }
            RuntimeError::Uncomparable(t) => {
                return format!("comparing uncomparable type {}", t.string).into();
            }
            RuntimeError::Chan(e) => e.text(),
            RuntimeError::MakeSliceLen => "makeslice: len out of range",
            RuntimeError::MakeSliceCap => "makeslice: cap out of range",
            RuntimeError::GrowSlice => "growslice: len out of range",
            RuntimeError::UnsafeSliceNil => "unsafe.Slice: ptr is nil and len is not zero",
            RuntimeError::UnsafeSliceLen => "unsafe.Slice: len out of range",
            RuntimeError::UnsafeStringNil => "unsafe.String: ptr is nil and len is not zero",
            RuntimeError::UnsafeStringLen => "unsafe.String: len out of range",
            RuntimeError::NilReceiver(text) => return text.to_text().into(),
        };
        text.into()
    }
}

/// A type that the library declares in Go for what run-time errors are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ErrorType {
    /// A text that is printed behind [`PREFIX`].
    Text,
    /// A text that stands alone.
    Plain,
    /// Its words: index, bound, and whether the index is signed with the code above it.
    Bounds,
    /// Its words: the three types of [`assertion`].
    Assertion,
    NilPanic,
}

impl ErrorType {
    /// The type, if the program has it.
    pub(super) fn find(self) -> Option<Ty> {
        rtype::find_named(match self {
            ErrorType::Text => "runtime.errorString",
            ErrorType::Plain => "runtime.plainError",
            ErrorType::Bounds => "runtime.boundsError",
            ErrorType::Assertion => "runtime.TypeAssertionError",
            ErrorType::NilPanic => "runtime.PanicNilError",
        })
    }
}

/// What the text of every `runtime.Error` but a failed assertion's begins with.
pub const PREFIX: &str = "runtime error: ";

/// The text of a `runtime.PanicNilError`.
pub const NIL_PANIC: &str = "runtime error: panic called with nil argument";

/// Texts by the number that Go gives a way of being out of bounds:
/// `%x` is the index, `%y` the length or capacity.
const BOUNDS: [&str; 9] = [
    "index out of range [%x] with length %y",
    "slice bounds out of range [:%x] with length %y",
    "slice bounds out of range [:%x] with capacity %y",
    "slice bounds out of range [%x:%y]",
    "slice bounds out of range [::%x] with length %y",
    "slice bounds out of range [::%x] with capacity %y",
    "slice bounds out of range [:%x:%y]",
    "slice bounds out of range [%x:%y:]",
    "cannot convert slice with length %y to array or pointer to array with length %x",
];

/// The same for a negative index, which is out of any bounds.
const NEGATIVE_BOUNDS: [&str; 8] = [
    "index out of range [%x]",
    "slice bounds out of range [:%x]",
    "slice bounds out of range [:%x]",
    "slice bounds out of range [%x:]",
    "slice bounds out of range [::%x]",
    "slice bounds out of range [::%x]",
    "slice bounds out of range [:%x:]",
    "slice bounds out of range [%x::]",
];

/// The text of a `runtime.boundsError`: index `x` is out
/// of the bound `y` in the way that Go numbers `code`.
pub fn bounds(x: i64, is_signed: bool, y: i64, code: u8) -> String {
    let is_negative = is_signed && x < 0;
    let negative = NEGATIVE_BOUNDS
        .get(usize::from(code))
        .filter(|_| is_negative);
    let format = negative
        .or(BOUNDS.get(usize::from(code)))
        .copied()
        .unwrap_or_default();
    let mut text = String::from(PREFIX);
    let mut pieces = format.split('%');
    text += pieces.next().unwrap_or_default();
    for piece in pieces {
        let (what, rest) = piece.split_at(1);
        let _ = match what {
            "y" => write!(text, "{y}"),
            _ if is_signed => write!(text, "{x}"),
            _ => write!(text, "{}", x as u64),
        };
        text += rest;
    }
    text
}

/// The text of a `runtime.TypeAssertionError`, of `x.(T)`: by the static type of x (`None`: T is an
/// interface), its dynamic type (`None`: x is nil), and T (`None`: `any`).
pub fn assertion([inter, concrete, asserted]: [Option<&Rtype>; 3]) -> String {
    let inter = inter.map_or("interface", |t| t.string);
    let want = asserted.map_or("interface {}", |t| t.string);
    let Some(c) = concrete else {
        return format!("interface conversion: {inter} is nil, not {want}");
    };
    let to_iface = asserted.filter(|t| t.kind == Kind::Interface);
    if let Some(missing) = to_iface.and_then(|t| iface::missing_method(t, c)) {
        return format!(
            "interface conversion: {} is not {want}: missing method {missing}",
            c.string
        );
    }
    let mut text = format!("interface conversion: {inter} is {}, not {want}", c.string);
    if c.string == want {
        text += if asserted.is_some_and(|t| t.pkg_path != c.pkg_path) {
            " (types from different packages)"
        } else {
            " (types from different scopes)"
        };
    }
    text
}
