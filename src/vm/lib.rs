//! The virtual machine: bytecode on the frames of goroutines.
//!
//! [`engine::start`] runs a program. `exec` is what instructions do, `slow` their out-of-line
//! halves, `call` the loop around them, `frame` and `panic` the state of a goroutine; `roots` and
//! `traceback` look at it from outside (`synthetic`: frames of Go's runtime that we do not have).
//! `tier` makes code of the machine of what runs hot. `value`, `string`, `slice`, `map` and `iface`
//! are Go's values; `error_text` has the errors of the runtime; `native` is the face for functions
//! written in Rust.

pub mod call;
pub mod engine;
pub mod error_text;
pub mod exec;
pub mod frame;
pub mod iface;
pub mod map;
pub mod native;
pub mod nil_access;
pub mod panic;
pub mod place;
pub mod profile;
pub mod prompt;
pub mod reflect;
pub mod roots;
pub mod slice;
pub mod slow;
mod started;
pub mod string;
pub mod synthetic;
#[cfg(all(
    feature = "native",
    target_arch = "x86_64",
    target_os = "linux",
    not(miri)
))]
mod tier;
#[cfg(not(all(
    feature = "native",
    target_arch = "x86_64",
    target_os = "linux",
    not(miri)
)))]
#[path = "tier/none.rs"]
mod tier;
pub mod traceback;
pub mod trap;
pub mod value;

pub use tier::listing;

#[cfg(test)]
mod tests;
