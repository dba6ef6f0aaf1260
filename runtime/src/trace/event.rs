//! What is recorded: every kind of event once, with its operands, its name and their names in the
//! log.

use std::io::Write;

use crate::engine::YieldKind;
use crate::g::{Goid, Status, WAIT_REASONS, WaitReason};
use crate::p::PStatus;

/// Words of operands in a record.
pub(super) const WORDS: usize = 8;

/// Appends `,"name":`.
fn member(name: &str, out: &mut Vec<u8>) {
    out.extend_from_slice(b",\"");
    out.extend_from_slice(name.as_bytes());
    out.extend_from_slice(b"\":");
}

/// Appends a member whose value is text.
fn push_text(name: &str, text: &str, out: &mut Vec<u8>) {
    member(name, out);
    out.push(b'"');
    out.extend_from_slice(text.as_bytes());
    out.push(b'"');
}

/// Appends a member whose value is a number.
fn push_number(name: &str, n: i64, out: &mut Vec<u8>) {
    member(name, out);
    push_digits(n, out);
}

/// Appends a number. The log consists of little else, and `write!` makes the whole of it take twice
/// as long.
fn push_digits(n: i64, out: &mut Vec<u8>) {
    let mut digits = [0u8; 20];
    let mut at = digits.len();
    let mut rest = n.unsigned_abs();
    loop {
        at -= 1;
        digits[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    if n < 0 {
        out.push(b'-');
    }
    out.extend_from_slice(&digits[at..]);
}

/// An operand of an event: some words of its record, and members of its line in the log.
trait Operand: Sized {
    /// How many words it takes.
    const LEN: usize;
    /// Fills `w`, `LEN` long.
    fn put(&self, w: &mut [u32]);
    /// Reads what `put` wrote.
    fn get(w: &[u32]) -> Self;
    /// Appends `,"name":value`.
    fn json(&self, name: &str, out: &mut Vec<u8>);
}

macro_rules! numbers {
    ($($ty:ty: $len:literal;)*) => {$(
        impl Operand for $ty {
            const LEN: usize = $len;
            #[inline]
            fn put(&self, w: &mut [u32]) {
                let v = *self as u64;
                w[0] = v as u32;
                if $len == 2 {
                    w[1] = (v >> 32) as u32;
                }
            }
            fn get(w: &[u32]) -> $ty {
                if $len == 2 {
                    (u64::from(w[0]) | u64::from(w[1]) << 32) as $ty
                } else {
                    w[0] as $ty
                }
            }
            fn json(&self, name: &str, out: &mut Vec<u8>) {
                push_number(name, i64::from(*self), out);
            }
        }
    )*};
}

numbers! {
    u32: 1;
    i32: 1;
    i64: 2;
}

impl Operand for bool {
    const LEN: usize = 1;
    fn put(&self, w: &mut [u32]) {
        w[0] = u32::from(*self);
    }
    fn get(w: &[u32]) -> bool {
        w[0] != 0
    }
    fn json(&self, name: &str, out: &mut Vec<u8>) {
        member(name, out);
        out.extend_from_slice(if *self { b"true" } else { b"false" });
    }
}

impl Operand for Goid {
    const LEN: usize = 2;
    #[inline]
    fn put(&self, w: &mut [u32]) {
        (self.0 as i64).put(w);
    }
    fn get(w: &[u32]) -> Goid {
        Goid(i64::get(w) as u64)
    }
    fn json(&self, name: &str, out: &mut Vec<u8>) {
        push_number(name, self.0 as i64, out);
    }
}

/// The address of what a goroutine waits on; says only whether two wait on the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Addr(pub(crate) usize);

impl Operand for Addr {
    const LEN: usize = 2;
    #[inline]
    fn put(&self, w: &mut [u32]) {
        (self.0 as i64).put(w);
    }
    fn get(w: &[u32]) -> Addr {
        Addr(i64::get(w) as usize)
    }
    fn json(&self, name: &str, out: &mut Vec<u8>) {
        member(name, out);
        // Writing to a Vec cannot fail.
        let _ = write!(out, "\"{:#x}\"", self.0);
    }
}

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
            const LEN: usize = 1;
            #[inline]
            fn put(&self, w: &mut [u32]) {
                w[0] = *self as u32;
            }
            fn get(w: &[u32]) -> $ty {
                $ty::ALL[w[0] as usize].0
            }
            fn json(&self, name: &str, out: &mut Vec<u8>) {
                push_text(name, $ty::ALL[*self as usize].1, out);
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
            _ => Why::GcWorker,
        }
    }
}

impl Operand for Why {
    const LEN: usize = 2;
    #[inline]
    fn put(&self, w: &mut [u32]) {
        (self.pack() as i64).put(w);
    }
    fn get(w: &[u32]) -> Why {
        Why::unpack(i64::get(w) as u64)
    }
    fn json(&self, name: &str, out: &mut Vec<u8>) {
        let word = match self {
            Why::Runnext => "runnext",
            Why::Local => "local",
            Why::Global61 => "global-61",
            Why::Global { .. } => "global",
            Why::Netpoll => "netpoll",
            Why::Timer { .. } => "timer",
            Why::Steal { .. } => "steal",
            Why::StealNext { .. } => "steal-runnext",
            Why::Wired => "wired",
            Why::Syscall => "syscall",
            Why::Unparked => "unparked",
            Why::GcWorker => "gc-worker",
        };
        push_text(name, word, out);
        let mut number = |name, n: u32| push_number(name, i64::from(n), out);
        match *self {
            Why::Global { n } => number("n", n),
            Why::Steal { n, of, from } => {
                number("n", n);
                number("of", of);
                number("from", from);
            }
            Why::StealNext { from } | Why::Timer { from } => number("from", from),
            _ => {}
        }
    }
}

/// Text that lives for ever.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Word(pub(crate) &'static str);

/// The words that events may bear; others are recorded as `other`.
const WORDS_KNOWN: &[&str] = &[
    "other",
    "GOMAXPROCS",
    "GC mark termination",
    "GC sweep termination",
    "read mem stats",
    "stack trace",
];

impl Operand for Word {
    const LEN: usize = 1;
    fn put(&self, w: &mut [u32]) {
        w[0] = WORDS_KNOWN.iter().position(|k| *k == self.0).unwrap_or(0) as u32;
    }
    fn get(w: &[u32]) -> Word {
        Word(WORDS_KNOWN[w[0] as usize])
    }
    fn json(&self, name: &str, out: &mut Vec<u8>) {
        push_text(name, self.0, out);
    }
}

macro_rules! named {
    ($($ty:ty: $get:expr, $name:expr;)*) => {$(
        impl Operand for $ty {
            const LEN: usize = 1;
            #[inline]
            fn put(&self, w: &mut [u32]) {
                w[0] = *self as u32;
            }
            fn get(w: &[u32]) -> $ty {
                $get(w[0])
            }
            fn json(&self, name: &str, out: &mut Vec<u8>) {
                push_text(name, $name(*self), out);
            }
        }
    )*};
}

named! {
    WaitReason: |n| WAIT_REASONS[n as usize].0, WaitReason::text;
    Status: |n| Status::from_bits(n).unwrap_or(Status::Dead), Status::name;
    PStatus: PStatus::from_bits, PStatus::name;
    YieldKind:
        |n| match n {
            0 => YieldKind::Gosched,
            1 => YieldKind::Preempt,
            _ => YieldKind::Local,
        },
        |k| match k {
            YieldKind::Gosched => "gosched",
            YieldKind::Preempt => "preempt",
            YieldKind::Local => "local",
        };
}

macro_rules! events {
    ($(
        $(#[$doc:meta])*
        $id:ident = $name:literal { $($(#[$odoc:meta])* $op:ident: $ty:ty,)* }
    )*) => {
        /// What happened. The G, M and P of the event are those it is about.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum What { $($(#[$doc])* $id { $($(#[$odoc])* $op: $ty),* }),* }

        #[derive(Clone, Copy)]
        #[repr(u8)]
        enum Kind { $($id),* }

        /// The names that events have in the log, with those of their operands.
        #[cfg(test)]
        const NAMES: &[(&str, &[&str])] = &[$(($name, &[$(stringify!($op)),*])),*];

        impl What {
            /// The kind's number, and the operands.
            #[inline]
            pub(super) fn encode(&self, w: &mut [u32; WORDS]) -> u8 {
                match self {
                    $(What::$id { $($op),* } => {
                        #[allow(unused_mut, unused_assignments)]
                        let mut at = 0;
                        $(
                            $op.put(&mut w[at..at + <$ty as Operand>::LEN]);
                            #[allow(unused_assignments)]
                            {
                                at += <$ty as Operand>::LEN;
                            }
                        )*
                        let _ = at;
                        Kind::$id as u8
                    })*
                }
            }

            pub(super) fn decode(kind: u8, w: &[u32; WORDS]) -> What {
                $(if kind == Kind::$id as u8 {
                    #[allow(unused_mut)]
                    let mut at = 0;
                    $(
                        let $op = <$ty as Operand>::get(&w[at..at + <$ty as Operand>::LEN]);
                        at += <$ty as Operand>::LEN;
                    )*
                    let _ = at;
                    return What::$id { $($op),* };
                })*
                unreachable!("an event of kind {kind}")
            }

            /// Appends `,"ev":"name"` and the operands.
            fn json(&self, out: &mut Vec<u8>) {
                match self {
                    $(What::$id { $($op),* } => {
                        out.extend_from_slice(concat!(",\"ev\":\"", $name, "\"").as_bytes());
                        $($op.json(stringify!($op), out);)*
                    })*
                }
            }
        }
    };
}

events! {
    /// A G was made, by the M's current one.
    Create = "create" {
        /// The goroutine that made it; 0 is the runtime.
        by: Goid,
    }
    /// A G begins to run: the scheduler's decision, and what it was made on.
    Start = "start" {
        /// Where it came from.
        why: Why,
        /// It goes on with the slice of the one before it.
        inherit: bool,
        /// It begins with a request to stop, which was made to the one before it.
        asked: bool,
        /// Microseconds of the slice that are used up.
        used_us: u32,
        /// The P's schedtick.
        tick: u32,
        /// Length of the P's ring.
        local: u32,
        /// Length of the global queue.
        global: u32,
    }
    /// A G waits.
    Park = "park" {
        /// For what.
        reason: WaitReason,
        /// On what: a channel, or the address of a semaphore; of a select its first channel.
        on: Addr,
        /// How many other channels follow, each as `park-also`.
        more: u32,
    }
    /// Another channel that a select waits on.
    ParkAlso = "park-also" {
        /// The channel.
        on: Addr,
    }
    /// A G that can run is put where it waits for its turn, or moved there.
    Queued = "queued" {
        /// Where; the ring and `runnext` are those of the event's P.
        to: Place,
    }
    /// An M has taken Gs from another P: this one, which it runs, and others, whose moves follow.
    Stolen = "stolen" {
        /// From which P.
        from: u32,
        /// From its ring, or its `runnext`.
        place: Place,
        /// How many.
        n: u32,
        /// Of how many.
        of: u32,
    }
    /// An M has taken Gs from the global queue: this one, which it runs, and others, whose moves
    /// follow.
    Fetched = "fetched" {
        /// How many.
        n: u32,
        /// Of how many.
        of: u32,
    }
    /// An M has run timers of this P; the Gs that they made ready came before.
    Timers = "timers" {
        /// How many.
        n: u32,
    }
    /// A waiting G was made runnable.
    Ready = "ready" {
        /// By what.
        by: By,
        /// By which goroutine; 0 is the runtime.
        goid: Goid,
    }
    /// A G stays runnable but stops.
    Yield = "yield" {
        /// How.
        how: YieldKind,
    }
    /// A G has ended.
    End = "end" {}
    /// A G was found to be asked to stop.
    Preempted = "preempted" {
        /// Where it stopped.
        way: Way,
    }
    /// sysmon asked the G on this P to stop.
    Asked = "asked" {
        /// Microseconds since sysmon first saw the slice.
        ran_us: u32,
    }
    /// sysmon took this P from a system call.
    Retaken = "retaken" {
        /// Why.
        why: Retake,
        /// Microseconds since sysmon first saw the call.
        in_us: u32,
    }
    /// A P without M went on.
    Handoff = "handoff" {
        /// Why.
        why: HandOff,
    }
    /// `find_runnable` came to this step of its table (debug builds).
    Step = "step" {
        /// Its number.
        n: u32,
    }
    /// An M leaves its own stack for that of this G (debug builds, if asked for).
    Gogo = "gogo" {}
    /// An M comes back to its own stack from that of this G (debug builds, if asked for).
    Mcall = "mcall" {}
    /// The balance of work and searchers as a G begins to run (debug builds).
    Load = "load" {
        /// Gs that wait in the P's ring and `runnext`.
        local: u32,
        /// Idle Ps.
        idle: i32,
        /// Ms that search.
        searching: i32,
    }
    /// A ring was full; so many Gs went to the global queue.
    Overflow = "overflow" {
        /// How many.
        n: u32,
    }
    /// Gs that were waiting are queued where idle Ps find them.
    Inject = "inject" {
        /// So many on the global queue.
        global: u32,
        /// So many on the P's ring.
        local: u32,
    }
    /// An M was made.
    Thread = "thread" {
        /// Its number.
        id: i64,
    }
    /// An M begins to run with a P.
    MStart = "m-start" {}
    /// An M without work goes to sleep.
    MStop = "m-stop" {}
    /// An M was given a P and wakes.
    MWake = "m-wake" {}
    /// An M ends.
    MExit = "m-exit" {}
    /// An M wanted to search: allowed or not.
    Spin = "spin" {
        /// Whether it might.
        ok: bool,
        /// Searchers, as read.
        n: i32,
        /// Busy Ps, as read.
        busy: i32,
    }
    /// An M, this one or one that is woken, begins to search.
    SpinStart = "spin-start" {
        /// What made it.
        by: SpinBy,
        /// Searchers, with this one.
        n: i32,
    }
    /// An M searches no more.
    SpinEnd = "spin-end" {
        /// It has found something.
        found: bool,
        /// Searchers left.
        n: i32,
    }
    /// Timers of another P were run.
    TimersStolen = "timers-stolen" {
        /// Of this one.
        from: u32,
    }
    /// A system call begins.
    SyscallBegin = "syscall" {
        /// The P was given up at once.
        blocking: bool,
    }
    /// It ended, with a P.
    SyscallEnd = "syscall-end" {
        /// The P it had before.
        same: bool,
    }
    /// It ended, without one.
    SyscallBlocked = "syscall-blocked" {}
    /// The world is to stop.
    WorldStop = "world-stop" {
        /// What for.
        why: Word,
    }
    /// The world goes on.
    WorldStart = "world-start" {
        /// GOMAXPROCS.
        procs: u32,
    }
    /// A G changed its status (debug builds).
    GStatus = "g-status" {
        /// From this.
        from: Status,
        /// To this.
        to: Status,
        /// Either with the scan bit: 1 taken, 2 dropped.
        scan: u32,
    }
    /// A P changed its status (debug builds).
    PStatusIs = "p-status" {
        /// From this.
        from: PStatus,
        /// To this.
        to: PStatus,
    }
    /// So many records are missing here.
    Lost = "lost" {
        /// How many.
        n: u32,
    }
    /// The last line: the log ends as its program does.
    LogEnd = "log-end" {
        /// How many events there were.
        records: i64,
        /// How many of them are missing.
        lost: i64,
    }
}

/// One event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Event {
    /// Its place among all events.
    pub(crate) seq: u64,
    /// When, by the runtime's clock.
    pub ns: i64,
    /// On which M, −1 if none.
    pub m: i64,
    /// With, or about, which P, −1 if none.
    pub p: i64,
    /// About which G, 0 if none.
    pub g: Goid,
    /// What.
    pub what: What,
}

impl Event {
    /// Appends its line of the log, with the line's end.
    pub(super) fn json(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(b"{\"seq\":");
        push_digits(self.seq as i64, out);
        push_number("ns", self.ns, out);
        push_number("m", self.m, out);
        push_number("p", self.p, out);
        push_number("g", self.g.0 as i64, out);
        self.what.json(out);
        out.extend_from_slice(b"}\n");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operands_survive_the_record() {
        let all = [
            What::Start {
                why: Why::Steal {
                    n: 3,
                    of: 6,
                    from: 2,
                },
                inherit: false,
                asked: false,
                used_us: 7,
                tick: u32::MAX,
                local: 5,
                global: 1 << 20,
            },
            What::Create { by: Goid(1 << 40) },
            What::Park {
                reason: WaitReason::ChanReceive,
                on: Addr(0x7fff_1234_5678),
                more: 2,
            },
            What::Spin {
                ok: true,
                n: -1,
                busy: 2,
            },
            What::Thread { id: -1 },
            What::WorldStop {
                why: Word("GOMAXPROCS"),
            },
            What::GStatus {
                from: Status::Running,
                to: Status::Preempted,
                scan: 1,
            },
        ];
        for what in all {
            let mut w = [0; WORDS];
            let kind = what.encode(&mut w);
            assert_eq!(What::decode(kind, &w), what);
        }
    }

    #[test]
    fn every_event_is_described() {
        let page = include_str!("../../../examples/sched-log.md");
        for (name, operands) in NAMES {
            let line = page.lines().find(|l| {
                l.starts_with("| `")
                    && l.split('|')
                        .nth(1)
                        .is_some_and(|c| c.contains(&format!("`{name}`")))
            });
            let line = line.unwrap_or_else(|| panic!("{name} is not described"));
            for op in *operands {
                assert!(
                    line.contains(&format!("`{op}`")),
                    "{name}: {op} is not described"
                );
            }
        }
    }

    #[test]
    fn lines_are_json() {
        let mut s = Vec::new();
        let e = Event {
            seq: 4,
            ns: 99,
            m: 0,
            p: 1,
            g: Goid(7),
            what: What::Start {
                why: Why::Steal {
                    n: 3,
                    of: 6,
                    from: 2,
                },
                inherit: false,
                asked: false,
                used_us: 0,
                tick: 9,
                local: 2,
                global: 0,
            },
        };
        e.json(&mut s);
        assert_eq!(
            String::from_utf8(s).unwrap(),
            "{\"seq\":4,\"ns\":99,\"m\":0,\"p\":1,\"g\":7,\"ev\":\"start\",\
             \"why\":\"steal\",\"n\":3,\"of\":6,\"from\":2,\"inherit\":false,\"asked\":false,\
             \"used_us\":0,\"tick\":9,\"local\":2,\"global\":0}\n"
        );
    }
}
