//! The off-switches of the scheduler's fairness rules (`--without=NAME,…`).
//!
//! Each is one word, read relaxed at the decision it governs; all rules are on unless switched
//! off. They are written before the runtime starts, or with the world stopped.

use crate::sync::plain::{AtomicBool, Ordering};

macro_rules! switches {
    ($($(#[$doc:meta])* $id:ident = $name:literal;)*) => {
        /// One rule that can be switched off.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[repr(u8)]
        pub enum Mech { $($(#[$doc])* $id),* }

        /// Every mechanism, in order of its fairness number F1 to F23.
        pub const ALL: &[(Mech, &str)] = &[$((Mech::$id, $name)),*];
    };
}

switches! {
    /// F1: what `runnext` holds inherits the time slice.
    SliceInheritance = "slice-inheritance";
    /// F2: the one-slot queue of the next goroutine.
    Runnext = "runnext";
    /// F3: local rings are first-in first-out.
    Fifo = "fifo";
    /// F4: sysmon polls the network.
    SysmonNetpoll = "sysmon-netpoll";
    /// F5: a thief waits 3 µs before it takes a running P's `runnext`.
    RunnextBackoff = "runnext-backoff";
    /// F6: the global queue is looked at on every 61st tick.
    GlobalPoll = "global-poll";
    /// F7: preemption by loop safepoints and signals.
    AsyncPreempt = "async-preempt";
    /// F8: preemption at function prologues.
    CoopPreempt = "coop-preempt";
    /// F9: sysmon takes Ps from system calls.
    Retake = "retake";
    /// F10: a system call keeps a weak hold of its P.
    OptimisticSyscall = "optimistic-syscall";
    /// F11: a preempted goroutine goes to the global queue.
    PreemptToGlobal = "preempt-to-global";
    /// F12: a full ring gives half of itself to the global queue.
    Overflow = "overflow";
    /// F13: the limit on what one fetch takes from the global queue.
    GlobalBatch = "global-batch";
    /// F14: work stealing.
    Steal = "steal";
    /// F15: spinning Ms, and `wake_p`.
    Spinning = "spinning";
    /// F16: at most half as many spinning Ms as busy Ps.
    SpinLimit = "spin-limit";
    /// F17: thieves run other Ps' timers.
    TimerSteal = "timer-steal";
    /// F18: select polls its cases in random order.
    SelectRandom = "select-random";
    /// F19: starvation mode of mutexes.
    MutexStarvation = "mutex-starvation";
    /// F20: a waiting writer blocks new readers.
    WriterPreference = "writer-preference";
    /// F21: waiters are served first-in first-out.
    FifoWaiters = "fifo-waiters";
    /// F22: allocation assists the collector.
    GcAssist = "gc-assist";
    /// F23: sysmon sleeps deeply when all is idle.
    SysmonSleep = "sysmon-sleep";
}

/// `true` means switched off. Written by `set`.
static OFF: [AtomicBool; 23] = [const { AtomicBool::new(false) }; 23];

/// Whether the rule is in force.
#[inline]
pub(crate) fn on(m: Mech) -> bool {
    !OFF[m as usize].load(Ordering::Relaxed)
}

/// Puts a rule in or out of force.
///
/// `Fifo` is looked at when rings are made, that is at start and with the world stopped.
pub(crate) fn set(m: Mech, on: bool) {
    OFF[m as usize].store(!on && !crate::fault!(KeepMechanisms), Ordering::Relaxed);
}

/// The mechanism of that name.
pub(crate) fn by_name(name: &str) -> Option<Mech> {
    ALL.iter().find(|(_, n)| *n == name).map(|(m, _)| *m)
}

/// Switches off the comma-separated mechanisms in `list`; the first unknown name is the error.
pub fn without(list: &str) -> Result<(), String> {
    for name in list.split(',').map(str::trim).filter(|s| !s.is_empty()) {
        set(by_name(name).ok_or_else(|| name.to_string())?, false);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_table_agree() {
        assert_eq!(ALL.len(), OFF.len());
        for (i, (m, n)) in ALL.iter().enumerate() {
            assert_eq!(*m as usize, i);
            assert_eq!(by_name(n), Some(*m));
        }
        assert!(without("nonsense").is_err());
    }
}
