#![allow(unsafe_code)]
//! Whether a goroutine that stands at a point would have to wait there.
//!
//! Who waits for a lock, a group, or a channel with a buffer has done nothing that others see: it
//! need not be tried before it can go on. A writer that waits for readers has, for it keeps other
//! readers out; so has who waits at a channel without a buffer, for its partner finds it there.

use super::operation::{Act, Operation};
use crate::chan::{self, Chan};
use crate::mutex::{self, Mutex, WaitGroup};

/// Addresses below are none of objects.
const LEAST: u64 = 4096;

/// The size of the buffer of the channel that `op` is done to, 0 if there is none. A goroutine
/// stands before `op`.
pub(super) fn buffer(op: &Operation) -> usize {
    let is_channel = matches!(op.act, Act::Send | Act::Receive) && op.object >= LEAST;
    if !is_channel {
        return 0;
    }
    // SAFETY: such an operation is done to a channel, which who stands before it keeps alive.
    unsafe { chan::cap(op.object as usize as *const Chan) }
}

/// See the module. The goroutine stands before `op`, so that its object is there.
pub(super) fn has_to_wait(op: &Operation) -> bool {
    if op.object < LEAST {
        return false;
    }
    let at = op.object as usize;
    // SAFETY: an operation of a kind has an object of that kind, which who stands before it keeps
    // alive; a lock for readers and writers begins with the lock among writers.
    unsafe {
        match op.act {
            Act::Lock | Act::ReadLock => mutex::is_locked(at as *const Mutex),
            Act::Join => mutex::wait_group_count(at as *const WaitGroup) > 0,
            Act::Send => {
                let c = at as *const Chan;
                chan::cap(c) != 0 && chan::len(c) == chan::cap(c) && !chan::is_closed(c)
            }
            Act::Receive => {
                let c = at as *const Chan;
                chan::cap(c) != 0 && chan::len(c) == 0 && !chan::is_closed(c)
            }
            _ => false,
        }
    }
}
