//! What happened in a controlled run, in order: its decisions, and what goroutines did.
//!
//! The log lies in memory that a process shares with the child that runs the program, so that it is
//! there whichever way the child ends. Program counters in it are those of both.
//!
//! # Invariants
//!
//! - O1. One process writes, under the lock of the decisions; another reads when that has ended.

use crate::g::{G, Goid, Status};
use crate::sync::plain::{AtomicU64, Ordering};
use std::ptr;

use super::operation::{Act, Operation};

/// What a [`Record`] tells.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(u32)]
pub enum Kind {
    /// Nothing.
    #[default]
    None,
    /// The goroutine can run, and what it will do first.
    Ready,
    /// The goroutine runs, chosen from `n`. See [`Record::key`] for when; what would have run in
    /// the ordinary order is in `other`.
    Run,
    /// A `select` takes case `other` of the `n` that are ready.
    Case,
    /// Time passes, though goroutines can run.
    Pass,
    /// It could have, for the first time.
    CouldPass,
    /// The goroutine does something that may concern others: to a channel with room for `n`.
    Operation,
    /// The goroutine makes goroutine `other`.
    Go,
    /// The goroutine waits on the object, for the reason numbered `n`.
    Park,
    /// The goroutine is made runnable by goroutine `other`.
    Wake,
    /// The goroutine touches memory that goroutine `other` has touched, and nothing orders that.
    /// There are two of them, for each of both, the earlier first.
    Race,
    /// The goroutine has ended.
    End,
    /// The main goroutine has returned from `main`.
    MainEnd,
    /// Something runs still, but there were too many decisions after the main goroutine's return.
    Limit,
    /// Nothing runs any more, and the goroutine still waits.
    Left,
    /// What is asked is not what was recorded: decision `other` differs.
    Diverged,
    /// The goroutine reads what comes from outside of the program.
    World,
    /// What can happen from here on has been seen in other runs.
    Redundant,
    /// The goroutine would have reached outside: [`Outside`](super::Outside) number `other`.
    Refused,
}

/// One thing that happened.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(C)]
pub struct Record {
    /// What it is.
    pub kind: Kind,
    /// See [`Kind`].
    pub n: u32,
    /// The goroutine.
    pub g: Goid,
    /// What it does.
    pub op: Operation,
    /// See [`Kind`].
    pub other: u64,
    /// For decisions: when it was taken.
    pub key: Key,
}

impl Record {
    /// The goroutine waits, and for ever.
    pub(super) fn left(g: &G) -> Record {
        Record {
            kind: Kind::Left,
            n: g.wait_reason() as u32,
            g: g.goid,
            op: standing(g),
            other: g.gopc as u64,
            key: Key::default(),
        }
    }
}

/// A moment in the life of a goroutine. Other goroutines may do more or less before it: it is the
/// same moment.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[repr(C)]
pub struct Key {
    /// Who ran last.
    pub g: Goid,
    /// How many points it had come to.
    pub points: u32,
    /// It stands at a point; else it waits, or has ended.
    pub is_point: bool,
}

/// See the module.
#[derive(Clone, Copy, Debug)]
pub struct Log {
    /// How many records there are; behind it the records.
    head: *mut AtomicU64,
    capacity: usize,
}

// SAFETY: O1.
unsafe impl Send for Log {}
// SAFETY: O1.
unsafe impl Sync for Log {}

/// Where the first record is.
const HEAD: usize = 64;

impl Log {
    /// An empty one for so many records, which children made by `fork` share. `None`: there is no
    /// memory for it.
    pub fn new(capacity: usize) -> Option<Log> {
        let bytes = HEAD + capacity * size_of::<Record>();
        let prot = libc::PROT_READ | libc::PROT_WRITE;
        let flags = libc::MAP_SHARED | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        // SAFETY: fresh memory.
        let at = unsafe { libc::mmap(ptr::null_mut(), bytes, prot, flags, -1, 0) };
        (at != libc::MAP_FAILED).then(|| Log {
            head: at.cast(),
            capacity,
        })
    }

    /// Forgets all records.
    pub fn clear(&self) {
        // SAFETY: O1.
        unsafe { (*self.head).store(0, Ordering::Relaxed) };
    }

    /// The records. Context: nobody writes.
    pub fn records(&self) -> &[Record] {
        // SAFETY: O1; only written records are counted.
        unsafe {
            let n = (*self.head).load(Ordering::Relaxed) as usize;
            std::slice::from_raw_parts(self.head.byte_add(HEAD).cast(), n.min(self.capacity))
        }
    }

    /// Is there no room left?
    pub(super) fn is_full(&self) -> bool {
        // SAFETY: O1.
        unsafe { (*self.head).load(Ordering::Relaxed) as usize >= self.capacity }
    }

    /// Adds a record, if there is room.
    pub(super) fn push(&self, r: Record) {
        // SAFETY: O1.
        unsafe {
            let n = (*self.head).load(Ordering::Relaxed) as usize;
            if n < self.capacity {
                self.head.byte_add(HEAD).cast::<Record>().add(n).write(r);
                (*self.head).store(n as u64 + 1, Ordering::Relaxed);
            }
        }
    }

    /// Adds a record for each goroutine that has not ended, but for those whose system calls wait
    /// for an answer.
    pub(super) fn push_left(&self) {
        crate::sched::for_each_g(|g| {
            // SAFETY: descriptors are never freed; nothing runs.
            unsafe {
                let is_over =
                    matches!((*g).status(), Status::Dead | Status::Idle | Status::Syscall);
                if !is_over && !(*g).is_system && !(*g).is_main() {
                    self.push(Record::left(&*g));
                }
            }
        });
    }
}

/// Where a goroutine stands.
pub(super) fn standing(g: &G) -> Operation {
    let pc = g.sched.pc as u64;
    Operation {
        act: Act::None,
        pc,
        at: pc,
        object: 0,
    }
}
