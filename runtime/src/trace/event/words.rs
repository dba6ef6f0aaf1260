//! Operands that are one word of a list.

use ::trace::schema::{Form, List, Rule};
use ::trace::wire::Put;

use super::operand::{Operand, plain};

macro_rules! words {
    ($($(#[$doc:meta])* $ty:ident { $($(#[$vdoc:meta])* $id:ident = $name:literal,)* })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[repr(u8)]
        pub enum $ty { $($(#[$vdoc])* $id),* }

        impl $ty {
            /// Every value with its name in the log.
            pub(crate) const ALL: &[($ty, &str)] = &[$(($ty::$id, $name)),*];
        }

        impl Operand for $ty {
            const FORMS: &'static [Form] = &[Form::Word(0)];
            #[inline(always)]
            fn put(&self, to: &mut impl Put, rules: &[Rule]) {
                to.put(*self as u64, rules[0]);
            }
            fn get(from: &[u64]) -> $ty {
                $ty::ALL[from[0] as usize].0
            }
            fn list() -> Option<List> {
                plain($ty::ALL.iter().map(|w| w.1))
            }
        }
    )*};
}

words! {
    /// Where a preempted G stopped.
    Way {
        /// At a function's prologue.
        Prologue = "prologue",
        /// At a loop safepoint.
        Loop = "loop",
        /// By a signal, inside a fenced native.
        Signal = "signal",
    }

    /// What made a waiting G runnable.
    By {
        /// A goroutine.
        Goroutine = "goroutine",
        /// A timer, run by the scheduler.
        Timer = "timer",
        /// The poller, or sysmon.
        Poller = "poller",
    }

    /// What a goroutine would do with the channel that it waits on.
    Dir {
        /// It is no channel.
        None = "none",
        /// Send.
        Send = "send",
        /// Receive.
        Receive = "receive",
    }

    /// What can be waited for.
    Thing {
        /// Something of the runtime.
        Other = "other",
        /// A channel.
        Chan = "chan",
        /// A `sync.Mutex`.
        Mutex = "mutex",
        /// A `sync.RWMutex`.
        RwMutex = "rwmutex",
        /// A `sync.WaitGroup`.
        WaitGroup = "waitgroup",
        /// A `sync.Cond`.
        Cond = "cond",
        /// Another semaphore.
        Semaphore = "semaphore",
        /// One half of a descriptor: what reads from it, or writes to it.
        Descriptor = "descriptor",
    }

    /// What ended a wait.
    Doing {
        /// Something else, of the runtime.
        Other = "other",
        /// A send.
        Send = "send",
        /// A receive.
        Receive = "receive",
        /// The channel was closed.
        Close = "close",
        /// A lock was given back.
        Unlock = "unlock",
        /// A WaitGroup's counter became 0.
        Done = "done",
        /// A Cond was signalled.
        Signal = "signal",
        /// A semaphore was released.
        Release = "release",
        /// A timer.
        Timer = "timer",
        /// The poller.
        Poller = "poller",
    }

    /// Where a G that can run waits for its turn.
    Place {
        /// The P's `runnext`.
        Runnext = "runnext",
        /// The end of the P's ring.
        Ring = "ring",
        /// The end of the global queue.
        Global = "global",
        /// The front of the global queue.
        Front = "global-front",
        /// Kept back while user goroutines may not run.
        Aside = "aside",
        /// With the thread it is wired to, which is given a P.
        Wired = "wired",
        /// Among the goroutines from which a controlled run chooses the next.
        Offered = "offered",
    }

    /// What a controlled run chooses.
    Chosen {
        /// Which goroutine runs next.
        Run = "run",
        /// Which ready case a `select` takes, or which timer fires first.
        Case = "case",
        /// That time passes, though goroutines can run.
        Time = "time",
    }

    /// Why a P was handed to an M, or was not.
    HandOff {
        /// There are Gs to run.
        Work = "work",
        /// There is something for a worker of the collector.
        Mark = "mark",
        /// No M searches and no P is idle: this one must.
        Search = "search",
        /// The world is being stopped: the P joins those stopped.
        Stop = "stop",
        /// A function waits for this P, and was run; what comes next is told besides.
        Safepoint = "safepoint",
        /// A G came while the lock was taken.
        Global = "global",
        /// It is the last P, and its M must look at the network.
        Poll = "poll",
        /// No reason: the P is idle.
        Idle = "idle",
    }

    /// Why sysmon took a P from a system call.
    Retake {
        /// Gs wait on it.
        Work = "work",
        /// No P is idle and no M searching that could take new work.
        NobodyIdle = "nobody-idle",
        /// The call has lasted 10 ms.
        Expired = "expired",
    }

    /// What made an M search.
    SpinBy {
        /// Its own wish, within the limit.
        Limit = "limit",
        /// `wake_p` had wanted a searcher and found no idle P.
        Needed = "needspinning",
        /// `wake_p`.
        Wake = "wakep",
        /// A P handed off.
        HandOff = "handoff",
        /// Work seen in the last look.
        Recheck = "recheck",
        /// It searched before it polled.
        Poll = "poll",
    }
}

impl HandOff {
    /// The row of the table of `handoff_p` in `runtime/SCHEDULER.md`; for tests.
    pub fn row(self) -> u8 {
        match self {
            HandOff::Work => 1,
            HandOff::Mark => 3,
            HandOff::Search => 4,
            HandOff::Stop => 5,
            HandOff::Safepoint => 6,
            HandOff::Global => 7,
            HandOff::Poll => 8,
            HandOff::Idle => 9,
        }
    }
}
