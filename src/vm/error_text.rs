//! What run-time errors say of themselves.
//!
//! Go: runtime/error.go.

use super::iface;
use crate::bytecode::rtype::{Kind, Rtype};
use std::fmt::Write;

/// What the text of every `runtime.Error` but a failed assertion's begins with.
pub const PREFIX: &str = "runtime error: ";

/// The text of a `runtime.PanicNilError`.
pub const NIL_PANIC: &str = "runtime error: panic called with nil argument";

/// Texts by the number that Go gives a way of being out of bounds: `%x` is the index, `%y` the length or capacity.
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

/// The text of a `runtime.boundsError`: index `x` is out of the bound `y` in the way that Go numbers `code`.
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

/// The text of a `runtime.TypeAssertionError`, of `x.(T)`: by the static type of x (`None`: T is an interface), its dynamic type (`None`: x is nil),
/// and T (`None`: `any`).
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
