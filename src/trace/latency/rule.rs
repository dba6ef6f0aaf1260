//! By which rule others ran while one waited.

use super::lanes::Had;
use super::{CULPRITS, Meter, Place};
use crate::rules::{self, Queue};
use crate::steered::CHOSEN;

/// A run is long if it lasts longer than a time slice and what it takes to end it.
const LONG_NS: i64 = 15_000_000;
/// Turns that are no accident.
const MANY: u64 = 8;

impl Meter {
    /// By which rule these ran while one waited so long, most of that in this place.
    pub(super) fn rule(
        &self,
        place: Place,
        all: &[Had],
        length: i64,
    ) -> (&'static str, &'static str) {
        let ran: i64 = all.iter().map(|h| h.ns).sum();
        let all = &all[..all.len().min(CULPRITS)];
        let starts: u64 = all.iter().map(|h| h.n).sum();
        // Why most of their turns began.
        let count = |at: &usize| -> u64 { all.iter().filter_map(|h| h.whys.get(*at)).sum() };
        let most = (0..self.whys.len()).find(|at| count(at) * 2 > starts);
        let reason = most.map_or("", |at| self.whys[at].as_str());
        let longest = all.iter().map(|h| h.longest).max().unwrap_or(0);
        match place {
            Place::Aside => {
                return (
                    "world",
                    "no goroutine of the program might run, for the world was being stopped",
                );
            }
            Place::Wired => {
                return (
                    "wired",
                    "its thread had to be woken and to be given a P, and nobody else may run it",
                );
            }
            _ => {}
        }
        if reason == "chosen" {
            return ("schedule", CHOSEN);
        }
        // Whatever else there was: with that rule those who wake one another are asked to stop.
        if starts >= MANY && reason == "runnext" && self.is_off("slice-inheritance") {
            return (
                "slice-inheritance",
                "slice-inheritance is off: who is woken goes first (runnext), and with a time \
                 slice of its own, so those who wake one another are never asked to stop",
            );
        }
        if ran < length / 4 {
            return match place {
                Place::Ring | Place::Runnext if self.is_off("steal") => (
                    "steal",
                    "steal is off: no other P takes what waits on this one",
                ),
                _ if self.is_off("spinning") => (
                    "spinning",
                    "spinning is off: no thread is woken to search for work",
                ),
                _ => (
                    "wake-up",
                    "no goroutine had the P for most of that: a thread had to wake, or the machine \
                     was busy, or the world was stopped",
                ),
            };
        }
        if longest > LONG_NS && longest > ran / 2 {
            return match () {
                () if self.is_off("async-preempt") => (
                    "async-preempt",
                    "async-preempt is off: a loop without calls is not stopped when its slice is \
                     over",
                ),
                () if self.is_off("coop-preempt") => (
                    "coop-preempt",
                    "coop-preempt is off: a call does not stop a goroutine whose slice is over",
                ),
                () => (
                    "time slice",
                    "who runs keeps the P until it waits, or is asked to stop after 10 ms and \
                     comes to a safepoint",
                ),
            };
        }
        if reason == "runnext" {
            return (
                "runnext",
                "who is woken goes first (runnext), in the time slice of who woke it, which ends \
                 after 10 ms",
            );
        }
        match place {
            Place::Runnext => (
                "time slice",
                "who ran kept the P until it waited, or was asked to stop after 10 ms; who is in \
                 runnext comes behind it",
            ),
            Place::Global if self.is_off("global-poll") => (
                "global-poll",
                "global-poll is off: the global queue has its turn when a P's own is empty",
            ),
            Place::Global if !matches!(reason, "global" | "global-61") => (
                "global-poll",
                "a P's own queue goes first; the global one has every 61st turn",
            ),
            Place::Global => (
                "global queue",
                "those who came to the global queue before it go first",
            ),
            _ if self.is_off("fifo") => {
                ("fifo", "fifo is off: who came to the ring last goes first")
            }
            _ => before_a_ring(reason),
        }
    }
}

/// The rule by which turns that begin for this reason come before one on a ring.
fn before_a_ring(reason: &str) -> (&'static str, &'static str) {
    let rule = match rules::of(reason, Queue::Ring) {
        [.., rule] => rule,
        [] if reason == "gc-worker" => "gc-worker",
        [] => "fifo",
    };
    let because = match rule {
        "gc-worker" => "a worker of the collector had its share",
        "global-poll" => "those on the global queue have every 61st turn",
        "global-batch" => {
            "those came from the global queue, which a P with an empty ring takes from"
        }
        "steal" | "runnext-backoff" => "those were stolen from another P",
        "timer-steal" => "a timer of another P had woken those",
        "sysmon-netpoll" => "the network had woken those",
        _ => "those who came to the ring before it go first",
    };
    (rule, because)
}
