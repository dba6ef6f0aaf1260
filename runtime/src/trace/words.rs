//! Events as a prompt tells them.

use super::event::{By, Event, Place, What, Why};
use crate::engine::YieldKind;
use crate::switches::{self, Mech};

impl Event {
    /// Whether it is a decision: which goroutine runs next.
    pub fn is_decision(&self) -> bool {
        matches!(self.what, What::Start { .. })
    }

    /// The event in words, if it is about what goroutines see.
    pub fn words(&self) -> Option<String> {
        let (g, p) = (self.g.0, self.p);
        Some(match self.what {
            What::Start {
                why,
                inherit,
                asked,
                used_us,
                ..
            } => {
                let mut text = format!("g{g} runs on P{p}: {}", from(why));
                if inherit && switches::on(Mech::SliceInheritance) {
                    let ms = f64::from(used_us) / 1000.0;
                    text += &format!("; {ms:.2} ms of the slice are used");
                } else if inherit {
                    text += "; the slice is its own, slice-inheritance is off";
                }
                if asked {
                    text += ", and it is asked to stop";
                }
                text
            }
            What::Create { by, .. } if by.0 != 0 => format!("g{} makes g{g}", by.0),
            What::Ready { by, goid, .. } => match by {
                By::Goroutine => format!("g{} wakes g{g}", goid.0),
                By::Timer => format!("a timer wakes g{g}"),
                By::Poller => format!("the poller wakes g{g}"),
            },
            What::Queued { to, .. } => match to {
                Place::Runnext => format!("g{g} is put into runnext of P{p}"),
                Place::Ring => format!("g{g} is put into the ring of P{p}"),
                Place::Global => format!("g{g} is put into the global queue"),
                Place::Front => format!("g{g} is put in front of the global queue"),
                Place::Aside => format!("g{g} is held"),
                Place::Wired => format!("g{g} waits for its thread"),
                Place::Offered => format!("g{g} can be chosen"),
            },
            What::Park { reason, .. } => format!("g{g} waits: {}", reason.text()),
            What::Yield { how, .. } => match how {
                YieldKind::Gosched => format!("g{g} gives way"),
                YieldKind::Preempt => format!("g{g} is preempted"),
                YieldKind::Local => format!("g{g} gives way to the one that it wakes"),
            },
            What::End {} => format!("g{g} ends"),
            What::Asked { ran_us } => {
                let ms = f64::from(ran_us) / 1000.0;
                format!("sysmon asks what runs on P{p} to stop, after {ms:.1} ms")
            }
            What::Retaken { .. } => format!("sysmon takes P{p} from a system call"),
            _ => return None,
        })
    }
}

/// Where a goroutine was found.
fn from(why: Why) -> String {
    match why {
        Why::Runnext => "from runnext".into(),
        Why::Local => "from the ring".into(),
        Why::Global61 => "from the global queue, at the 61st tick".into(),
        Why::Global { .. } => "from the global queue".into(),
        Why::Netpoll => "from the poller".into(),
        Why::Timer { from } => format!("by a timer of P{from}"),
        Why::Steal { from, n, of } => format!("stolen from P{from} with {n} of {of}"),
        Why::StealNext { from } => format!("stolen from runnext of P{from}"),
        Why::Wired => "with its thread".into(),
        Why::Syscall => "back from a system call".into(),
        Why::Unparked => "what it was to wait for has come".into(),
        Why::GcWorker => "the collector has work for it".into(),
        Why::Chosen => "the schedule chose it".into(),
    }
}
