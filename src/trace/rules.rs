//! By which rules of the scheduler a turn comes before one that is waited for.
//!
//! The rules have the names of their switches.

/// Where a turn is waited for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Queue {
    Ring,
    Global,
    /// In `runnext`, or in no queue.
    Other,
}

/// What ends the turn of a goroutine whose time slice is over.
pub(crate) const STOPS: [&str; 2] = ["async-preempt", "coop-preempt"];

/// The rules by which a turn that begins for this reason comes before one that is waited for there;
/// what bounds that comes first.
pub(crate) fn of(reason: &str, waits: Queue) -> &'static [&'static str] {
    match (reason, waits) {
        ("runnext", _) => &["slice-inheritance", "runnext"],
        ("local", Queue::Global) => &["global-poll"],
        ("local", Queue::Ring) => &["fifo"],
        ("global-61", _) => &["global-poll"],
        ("global", _) => &["global-batch"],
        ("steal", _) => &["steal"],
        ("steal-runnext", _) => &["runnext-backoff"],
        ("timer", _) => &["timer-steal"],
        ("netpoll", _) => &["sysmon-netpoll"],
        _ => &[],
    }
}
