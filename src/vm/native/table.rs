//! The table of natives: what the numbers mean that `CallNative` carries.
//!
//! A native gets its place when a unit that calls it is loaded, also while goroutines run.
//!
//! # Invariants
//!
//! - V1. An entry is written whole before its place is given out, and never again.

use super::NativeEntry;
use bytecode::arena::Arena;
use bytecode::func;
use bytecode::op::Op;
use rustc_hash::{FxBuildHasher, FxHashMap};
use source::Pos;
use std::collections::HashMap;
use std::sync::{Mutex, OnceLock};

/// A native in the table.
#[derive(Debug)]
pub(crate) struct Placed {
    pub entry: NativeEntry,
    /// Where it is declared.
    pub pos: Pos,
    /// The address that stands for it in stacks, where code has one.
    stub: OnceLock<usize>,
}

impl Placed {
    /// Slots of its window: results and parameters.
    pub(crate) fn slots(&self) -> usize {
        self.entry.slots.0 + self.entry.slots.1
    }

    /// An address that stands for the native where stacks consist of addresses.
    ///
    /// Context: no signal handler.
    pub(crate) fn stub(&self) -> usize {
        let make = || func::make_stub(&self.entry.name, self.pos, Op::Unreachable);
        *self.stub.get_or_init(make)
    }
}

static TABLE: Arena = Arena::new(4 << 20, 0xaa_0000_0000);
/// The places by name.
static PLACES: Mutex<FxHashMap<String, u32>> = Mutex::new(HashMap::with_hasher(FxBuildHasher));

/// The native at place `n`.
#[inline]
pub(crate) fn get(n: u32) -> Option<&'static Placed> {
    let at = n as usize * size_of::<Placed>();
    // SAFETY: V1; what the arena has given out is mapped for ever.
    (at < TABLE.len()).then(|| unsafe { &*((TABLE.base() + at) as *const Placed) })
}

/// The name of the native at place `n`: `strings.Repeat`.
pub fn name(n: u32) -> String {
    get(n).map_or("?".into(), |placed| placed.entry.name.clone())
}

/// The place of the native `name`, which is declared at `pos`: it gets one when first asked for,
/// and then `find` is asked for what it is.
pub(crate) fn place(
    name: &str,
    pos: Pos,
    find: &mut dyn FnMut(&str) -> Option<NativeEntry>,
) -> Option<u32> {
    let mut places = PLACES.lock().unwrap_or_else(|e| e.into_inner());
    if let Some(&n) = places.get(name) {
        return Some(n);
    }
    let entry = find(name)?;
    let at = TABLE.alloc(size_of::<Placed>(), align_of::<Placed>())?;
    // SAFETY: the piece is ours, and large enough. The table's new length is seen before the entry
    // is written, but no code carries the entry's number before this function has returned it.
    unsafe {
        (at as *mut Placed).write(Placed {
            entry,
            pos,
            stub: OnceLock::new(),
        })
    };
    let n = ((at - TABLE.base()) / size_of::<Placed>()) as u32;
    places.insert(name.to_string(), n);
    Some(n)
}
