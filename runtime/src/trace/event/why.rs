//! Why a goroutine begins to run, with the numbers that the decision was made on.

use ::trace::schema::{Form, List, Rule};
use ::trace::wire::Put;

use super::operand::Operand;

/// Why a G was chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Why {
    /// It was in `runnext`.
    Runnext,
    /// It was the head of the local ring.
    Local,
    /// The 61st tick looked at the global queue first.
    Global61,
    /// The local queue was empty; a batch of `n` came from the global one.
    Global {
        /// How many were taken, as far as 65535.
        n: u32,
    },
    /// The network poller had it.
    Netpoll,
    /// Timers of another P were due and made it runnable.
    Timer {
        /// Of which P.
        from: u32,
    },
    /// It was the oldest of `n` stolen from a ring.
    Steal {
        /// How many were taken.
        n: u32,
        /// Of how many, as far as 65535.
        of: u32,
        /// From which P.
        from: u32,
    },
    /// It was stolen from another P's `runnext`.
    StealNext {
        /// From which P.
        from: u32,
    },
    /// It is wired to the thread.
    Wired,
    /// It returned from a system call and found an idle P.
    Syscall,
    /// What it was to wait for had come: it goes on.
    Unparked,
    /// It is a worker of the collector, whose turn it was.
    GcWorker,
    /// A controlled run has chosen it.
    Chosen,
}

impl Why {
    /// Bits that a packed reason takes.
    pub(crate) const PACKED_BITS: u32 = 56;

    /// The reason in one word: its kind, and three numbers of at most 16 bits.
    #[inline]
    pub(crate) fn pack(self) -> u64 {
        let (kind, n, of, from) = match self {
            Why::Runnext => (0, 0, 0, 0),
            Why::Local => (1, 0, 0, 0),
            Why::Global61 => (2, 0, 0, 0),
            Why::Global { n } => (3, n, 0, 0),
            Why::Netpoll => (4, 0, 0, 0),
            Why::Timer { from } => (5, 0, 0, from),
            Why::Steal { n, of, from } => (6, n, of, from),
            Why::StealNext { from } => (7, 0, 0, from),
            Why::Wired => (8, 0, 0, 0),
            Why::Syscall => (9, 0, 0, 0),
            Why::Unparked => (10, 0, 0, 0),
            Why::GcWorker => (11, 0, 0, 0),
            Why::Chosen => (12, 0, 0, 0),
        };
        let word = |v: u32, at: u32| u64::from(v.min(0xffff)) << at;
        kind | word(n, 8) | word(of, 24) | word(from, 40)
    }

    /// What [`Why::pack`] packed.
    pub(crate) fn unpack(w: u64) -> Why {
        let word = |at: u32| (w >> at) as u32 & 0xffff;
        let (n, of, from) = (word(8), word(24), word(40));
        match w & 0xff {
            0 => Why::Runnext,
            1 => Why::Local,
            2 => Why::Global61,
            3 => Why::Global { n },
            4 => Why::Netpoll,
            5 => Why::Timer { from },
            6 => Why::Steal { n, of, from },
            7 => Why::StealNext { from },
            8 => Why::Wired,
            9 => Why::Syscall,
            10 => Why::Unparked,
            11 => Why::GcWorker,
            _ => Why::Chosen,
        }
    }
}

impl Operand for Why {
    const FORMS: &'static [Form] = &[Form::Word(0), Form::Member, Form::Member, Form::Member];
    #[inline(always)]
    fn put(&self, to: &mut impl Put, rules: &[Rule]) {
        let (n, of, from) = match *self {
            Why::Global { n } => (n, 0, 0),
            Why::Steal { n, of, from } => (n, of, from),
            Why::StealNext { from } | Why::Timer { from } => (from, 0, 0),
            _ => (0, 0, 0),
        };
        to.put(self.pack() & 0xff, rules[0]);
        to.put(n.into(), rules[1]);
        to.put(of.into(), rules[2]);
        to.put(from.into(), rules[3]);
    }
    fn get(v: &[u64]) -> Why {
        let number = |i: usize| v[i] as u32;
        match Why::unpack(v[0]) {
            Why::Global { .. } => Why::Global { n: number(1) },
            Why::Timer { .. } => Why::Timer { from: number(1) },
            Why::StealNext { .. } => Why::StealNext { from: number(1) },
            Why::Steal { .. } => Why::Steal {
                n: number(1),
                of: number(2),
                from: number(3),
            },
            why => why,
        }
    }
    /// By the number that [`Why::pack`] gives.
    fn list() -> Option<List> {
        let word = |name: &str, members: &[&str]| {
            let members = members.iter().map(|m| m.to_string());
            (name.to_string(), members.collect())
        };
        Some(vec![
            word("runnext", &[]),
            word("local", &[]),
            word("global-61", &[]),
            word("global", &["n"]),
            word("netpoll", &[]),
            word("timer", &["from"]),
            word("steal", &["n", "of", "from"]),
            word("steal-runnext", &["from"]),
            word("wired", &[]),
            word("syscall", &[]),
            word("unparked", &[]),
            word("gc-worker", &[]),
            word("chosen", &[]),
        ])
    }
}
