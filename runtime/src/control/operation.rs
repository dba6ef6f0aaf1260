//! What a goroutine is about to do at a point.

use super::log::Kind;

macro_rules! acts {
    ($( $(#[$doc:meta])* $name:ident = $text:literal, )*) => {
        /// A kind of operation by which goroutines concern each other.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
        #[repr(u8)]
        pub enum Act { $( $(#[$doc])* $name, )* }

        impl Act {
            /// The word for it.
            pub fn name(self) -> &'static str {
                match self { $( Act::$name => $text, )* }
            }

            /// That of this name.
            pub fn named(name: &str) -> Option<Act> {
                match name { $( $text => Some(Act::$name), )* _ => None }
            }
        }
    };
}

acts! {
    /// It goes on.
    #[default]
    None = "go on",
    /// A send on a channel.
    Send = "send",
    /// A receive from one.
    Receive = "receive",
    /// A `select`.
    Select = "select",
    /// `close`.
    Close = "close",
    /// `Lock` of a mutex.
    Lock = "lock",
    /// `Unlock`.
    Unlock = "unlock",
    /// `RLock`.
    ReadLock = "rlock",
    /// `RUnlock`.
    ReadUnlock = "runlock",
    /// Something else that changes an object of `sync`.
    Change = "change",
    /// `Wait` of a group or a condition.
    Wait = "wait",
    /// An atomic load.
    Load = "load",
    /// An atomic store.
    Store = "store",
    /// An atomic operation that reads and writes.
    Update = "update",
    /// Memory that others write is read; see [`is_shared`](super::is_shared).
    Read = "read memory",
    /// Memory that others use is written.
    Write = "write memory",
    /// Such memory has been read, and is written by the same instruction.
    Modify = "change memory",
    /// A descriptor is read. It is no point.
    Input = "read",
    /// A descriptor is written. It is no point.
    Output = "write",
    /// Something is put where another may take it, or taken. It is no point, for its goroutine is
    /// bound to its P.
    Exchange = "exchange",
    /// A connection is asked for or taken, or a message sent or received.
    Network = "network",
    /// A timer or the clock.
    Time = "time",
    /// `TryLock` of a mutex.
    TryLock = "trylock",
    /// `TryRLock`.
    TryReadLock = "tryrlock",
    /// `Add` of a group.
    Add = "add",
    /// `Done`.
    Done = "done",
    /// `Wait` of a group.
    Join = "wait for all",
    /// How much is in a channel is looked at.
    Look = "look",
    /// A timer is stopped or set anew.
    Timer = "set timer",
    /// An object is put where another may take it, or taken.
    Share = "share",
    /// Something that the whole process has is looked at or changed, as the number of goroutines.
    Process = "process",
    /// The program ends, whatever its other goroutines do.
    Exit = "exit",
    /// A loop has turned many times.
    Turn = "loop",
}

/// What [`Act::Process`] is done to.
pub const PROCESS: u64 = 1;

/// What a goroutine is about to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(C)]
pub struct Operation {
    /// Its kind.
    pub act: Act,
    /// The instruction.
    pub pc: u64,
    /// The same, or who of the program itself has called the library that does it.
    pub at: u64,
    /// The address of what it is done to; 0 is nothing.
    pub object: u64,
}

impl Operation {
    /// What is done by a goroutine that has done `last` before. Who was woken where it waits for a
    /// lock tries once more to get it; who has waited for a group looks at it again.
    pub fn after(self, last: Operation) -> Operation {
        let tries = matches!(
            last.act,
            Act::Lock | Act::ReadLock | Act::Change | Act::Join
        );
        match self.act == Act::None && tries {
            true => last,
            false => self,
        }
    }

    /// What is done, where this happens, besides what a goroutine has come to a point for.
    pub fn beside(kind: Kind) -> Option<Operation> {
        matches!(kind, Kind::Go | Kind::End).then_some(Operation {
            object: PROCESS,
            ..Operation::default()
        })
    }

    /// Does it matter which of the two comes first?
    pub fn conflicts(&self, other: &Operation) -> bool {
        use Act::{Close, Look, Receive, Select, Send, Timer};
        let is_channel =
            |op: &Operation| matches!(op.act, Send | Receive | Select | Close | Look | Timer);
        // Which channels a select has is not looked at.
        if self.act == Select && is_channel(other) || other.act == Select && is_channel(self) {
            return true;
        }
        if self.object == 0 || self.object != other.object {
            return false;
        }
        // Who reads does not concern other readers, nor do those concern each other that wait for a
        // group, or that begin or end.
        let commutes = |op: &Operation| {
            use Act::{Join, Load, None, Read, ReadLock, ReadUnlock, TryReadLock};
            let acts = [
                Load,
                Read,
                ReadLock,
                ReadUnlock,
                TryReadLock,
                Look,
                Join,
                None,
            ];
            acts.contains(&op.act)
        };
        let are_done = self.act == Act::Done && other.act == Act::Done;
        !(are_done || commutes(self) && commutes(other))
    }

    /// Is it what `later` has waited for, or the other way round, if both concern each other? Then
    /// there is no sense in the other order.
    pub fn enables(&self, later: &Operation) -> bool {
        use Act::{Done, Join, Lock, ReadLock, Unlock};
        let is_same = self.object == later.object;
        is_same
            && matches!(
                (self.act, later.act),
                (Unlock, Lock | ReadLock) | (Done, Join) | (Join, Done)
            )
    }
}
