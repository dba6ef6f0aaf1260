//! The order of locks.
//!
//! A thread that holds a lock may take only locks of a higher rank; two of equal rank only where
//! the rank says so. Debug builds assert it at every acquisition.
//!
//! Go: runtime/lockrank.go.

/// The rank of a lock, outermost first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum Rank {
    /// The world and collector semaphores' queues.
    World,
    /// Freezes sysmon's actions.
    Sysmon,
    /// The poller, during a poll.
    Poll,
    /// A poll descriptor.
    PollDesc,
    /// Held while a timer's tick is sent on its channel.
    TimerSend,
    /// Channels; several at once in order of address.
    Chan,
    /// Semaphore roots.
    SemaRoot,
    /// Notify lists.
    Notify,
    /// The state shared by all Ms.
    Sched,
    /// The list of all Gs.
    Allg,
    /// The list of all Ps.
    Allp,
    /// Timer heaps of Ps.
    Timers,
    /// Timers.
    Timer,
    /// The counts of a bubble.
    Bubble,
    /// The central sudog list.
    Sudog,
    /// The global lists of dead Gs.
    GFree,
    /// Pools of coroutine stacks.
    Coro,
    /// Stack pools.
    StackPool,
    /// Central lists of the heap.
    HeapCentral,
    /// The heap's page allocator.
    Heap,
    /// Inside everything, takes nothing but the clock.
    Leaf,
    /// What is to be marked: the write barrier adds to it wherever a pointer is stored.
    Mark,
    /// The tape, for each reading of the clock.
    Tape,
    /// What events are recorded with.
    Trace,
}

impl Rank {
    /// Whether several locks of this rank may be held, ordered by address.
    #[cfg(debug_assertions)]
    pub(crate) fn many(self) -> bool {
        matches!(self, Rank::Chan | Rank::HeapCentral)
    }
}

#[cfg(debug_assertions)]
pub(crate) fn acquire(rank: Rank) {
    if let Some(top) = crate::tls::held_top()
        && (rank < top || (rank == top && !rank.many()))
        && !fault!(NoLockRanks)
    {
        crate::throw!("lock ordering problem: {rank:?} taken while {top:?} is held");
    }
    crate::tls::held_push(rank);
}

#[cfg(debug_assertions)]
pub(crate) fn release(rank: Rank) {
    crate::tls::held_pop(rank);
}

/// Asserts, in debug builds, that this thread holds no lock.
#[inline]
pub(crate) fn assert_none_held() {
    #[cfg(debug_assertions)]
    if let Some(top) = crate::tls::held_top()
        && !fault!(NoLockRanks)
    {
        crate::throw!("scheduling: {top:?} lock is held");
    }
}
