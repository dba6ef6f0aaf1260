//! What is recorded: every event once, with its operands, its name and their names.
//!
//! From this list the schema is made that stands in each trace; see [`::trace::schema`].

use ::trace::schema::{self, Form, List, Rule, SLOTS, Schema, Slot};
use ::trace::wire::{Put, Values};

use crate::engine::YieldKind;
use crate::g::{Goid, Status, WAIT_REASONS, WaitReason};
use crate::p::PStatus;

/// An operand of an event.
trait Operand: Sized {
    /// The forms of its values: one, and those of the members that it may have.
    const FORMS: &'static [Form];
    /// Gives the values, one for each form, which are written by these rules.
    fn put(&self, to: &mut impl Put, rules: &[Rule]);
    /// Reads what `put` gave.
    fn get(from: &[u64]) -> Self;
    /// The words that it may be.
    fn list() -> Option<List> {
        None
    }
}

macro_rules! numbers {
    ($($ty:ty: $form:ident;)*) => {$(
        impl Operand for $ty {
            const FORMS: &'static [Form] = &[Form::$form];
            #[inline(always)]
            fn put(&self, to: &mut impl Put, rules: &[Rule]) {
                to.put(*self as u64, rules[0]);
            }
            fn get(from: &[u64]) -> $ty {
                from[0] as $ty
            }
        }
    )*};
}

numbers! {
    u32: Number;
    i32: Signed;
    i64: Signed;
}

impl Operand for bool {
    const FORMS: &'static [Form] = &[Form::Flag];
    #[inline(always)]
    fn put(&self, to: &mut impl Put, rules: &[Rule]) {
        to.put(u64::from(*self), rules[0]);
    }
    fn get(from: &[u64]) -> bool {
        from[0] != 0
    }
}

macro_rules! newtypes {
    ($($(#[$doc:meta])* $ty:ident: $form:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub struct $ty(pub(crate) u64);

        impl Operand for $ty {
            const FORMS: &'static [Form] = &[Form::$form];
            #[inline(always)]
            fn put(&self, to: &mut impl Put, rules: &[Rule]) {
                to.put(self.0, rules[0]);
            }
            fn get(from: &[u64]) -> $ty {
                $ty(from[0])
            }
        }
    )*};
}

newtypes! {
    /// The number of an object that is waited for, 0 if there is none.
    Object: Object;
    /// The number of a text, 0 if there is none.
    Text: Text;
    /// The number of a stack, 0 if there is none.
    Stack: Stack;
    /// A place in a queue: what was put into it before has lower numbers.
    At: Next;
}

impl Operand for Goid {
    const FORMS: &'static [Form] = &[Form::Goid];
    #[inline(always)]
    fn put(&self, to: &mut impl Put, rules: &[Rule]) {
        to.put(self.0, rules[0]);
    }
    fn get(from: &[u64]) -> Goid {
        Goid(from[0])
    }
}

/// A list of words without members.
fn plain<'a>(words: impl Iterator<Item = &'a str>) -> Option<List> {
    Some(words.map(|w| (w.to_string(), Vec::new())).collect())
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
        ])
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
    const FORMS: &'static [Form] = &[Form::Word(0)];
    fn put(&self, to: &mut impl Put, rules: &[Rule]) {
        to.put(
            WORDS_KNOWN.iter().position(|k| *k == self.0).unwrap_or(0) as u64,
            rules[0],
        );
    }
    fn get(from: &[u64]) -> Word {
        Word(WORDS_KNOWN[from[0] as usize])
    }
    fn list() -> Option<List> {
        plain(WORDS_KNOWN.iter().copied())
    }
}

macro_rules! named {
    ($($ty:ty: $get:expr, $name:expr, $n:expr;)*) => {$(
        impl Operand for $ty {
            const FORMS: &'static [Form] = &[Form::Word(0)];
            #[inline(always)]
            fn put(&self, to: &mut impl Put, rules: &[Rule]) {
                to.put(*self as u64, rules[0]);
            }
            fn get(from: &[u64]) -> $ty {
                $get(from[0] as u32)
            }
            fn list() -> Option<List> {
                plain((0..$n).map(|n| $name($get(n))))
            }
        }
    )*};
}

named! {
    WaitReason: |n| WAIT_REASONS[n as usize].0, WaitReason::text, WAIT_REASONS.len() as u32;
    Status: |n| Status::from_bits(n).unwrap_or(Status::Dead), Status::name, 10;
    PStatus: PStatus::from_bits, PStatus::name, 5;
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
        }, 3;
}

/// How the values of these forms are written.
const fn rules<const N: usize>(parts: &[&[Form]]) -> [Rule; N] {
    let mut all = [Form::Number.rule(); N];
    let (mut part, mut n) = (0, 0);
    while part < parts.len() {
        let mut i = 0;
        while i < parts[part].len() {
            all[n] = parts[part][i].rule();
            n += 1;
            i += 1;
        }
        part += 1;
    }
    all
}

/// The lists of words so far, each with the type whose words these are.
type Lists = Vec<(&'static str, List)>;

/// The slots of an operand of type `T`, whose values have these forms.
fn slots<T: Operand>(name: &str, forms: &[Form], lists: &mut Lists) -> Vec<Slot> {
    let own = forms.iter().map(|&form| match form {
        Form::Word(_) => {
            let ty = std::any::type_name::<T>();
            let known = lists.iter().position(|l| l.0 == ty);
            let at = known.unwrap_or_else(|| {
                lists.push((ty, T::list().unwrap_or_default()));
                lists.len() - 1
            });
            (name, Form::Word(at as u8))
        }
        Form::Member => ("", form),
        _ => (name, form),
    });
    let slot = |(name, form): (&str, Form)| Slot {
        name: name.into(),
        form,
    };
    own.map(slot).collect()
}

macro_rules! forms {
    ($ty:ty) => {
        <$ty as Operand>::FORMS
    };
    ($ty:ty, $form:ident) => {
        &[Form::$form]
    };
}

macro_rules! events {
    ($(
        $(#[$doc:meta])*
        $id:ident = $name:literal { $($(#[$odoc:meta])* $op:ident: $ty:ty $(as $form:ident)?,)* }
    )*) => {
        /// What happened. The G, M and P of the event are those it is about.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum What { $($(#[$doc])* $id { $($(#[$odoc])* $op: $ty),* }),* }

        #[derive(Clone, Copy)]
        #[repr(u8)]
        enum Kind { $($id),* }

        /// How many events there are.
        pub(super) const KINDS: usize = [$(Kind::$id),*].len();

        /// The names of events, with those of their operands.
        #[cfg(test)]
        const NAMES: &[(&str, &[&str])] = &[$(($name, &[$(stringify!($op)),*])),*];

        /// How each event's values are written.
        pub(super) static RULES: [&[Rule]; KINDS] = [$({
            const N: usize = 0 $(+ <$ty as Operand>::FORMS.len())*;
            const ALL: [Rule; N] = rules(&[$(forms!($ty $(, $form)?)),*]);
            &ALL
        }),*];

        /// What stands in each trace about its events.
        pub(crate) fn schema() -> Schema {
            let mut lists = Lists::new();
            let kinds = vec![$(schema::Kind {
                name: $name.into(),
                slots: [
                    $(slots::<$ty>(
                        stringify!($op),
                        forms!($ty $(, $form)?),
                        &mut lists,
                    )),*
                ]
                .into_iter()
                .collect::<Vec<Vec<Slot>>>()
                .concat(),
            }),*];
            Schema { kinds, lists: lists.into_iter().map(|l| l.1).collect() }
        }

        impl Values for What {
            #[inline(always)]
            fn put_all(&self, _to: &mut impl Put) {
                match self {
                    $(What::$id { $($op),* } => {
                        const N: usize = 0 $(+ <$ty as Operand>::FORMS.len())*;
                        let _all: [Rule; N] = const { rules(&[$(forms!($ty $(, $form)?)),*]) };
                        const { assert!(N <= SLOTS) };
                        let mut _i = 0;
                        $(
                            $op.put(_to, &_all[_i..]);
                            _i += <$ty as Operand>::FORMS.len();
                        )*
                    })*
                }
            }
        }

        impl What {
            /// The kind's number.
            #[inline(always)]
            pub(super) fn kind(&self) -> u8 {
                match self {
                    $(What::$id { .. } => Kind::$id as u8),*
                }
            }

            pub(super) fn decode(kind: u8, from: &[u64]) -> What {
                $(if kind == Kind::$id as u8 {
                    let mut _at = 0;
                    $(
                        let $op = <$ty as Operand>::get(&from[_at..]);
                        _at += <$ty as Operand>::FORMS.len();
                    )*
                    return What::$id { $($op),* };
                })*
                unreachable!("an event of kind {kind}")
            }
        }
    };
}

events! {
    /// A G was made, by the M's current one.
    Create = "create" {
        /// The goroutine that made it; 0 is the runtime.
        by: Goid,
        /// Its function.
        func: Text,
        /// The one of the compiler's that calls it with its arguments, 0 if there is none. Go's
        /// tools show that.
        wrapper: Text,
        /// Where the `go` statement is.
        stack: Stack,
        /// It is the runtime's own.
        system: bool,
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
        tick: u32 as Near,
        /// The number of the place that it had in the queue it comes from.
        at: At,
        /// Length of the P's ring.
        local: u32,
        /// Length of the global queue.
        global: u32,
    }
    /// A G waits.
    Park = "park" {
        /// For what.
        reason: WaitReason,
        /// On what; of a select its first channel.
        on: Object,
        /// Whether it would send or receive.
        dir: Dir,
        /// How many elements are in the channel.
        len: u32,
        /// How many other cases follow, each as `park-also`.
        more: u32,
        /// Where it is.
        stack: Stack,
    }
    /// Another channel that a select waits on.
    ParkAlso = "park-also" {
        /// The channel.
        on: Object,
        /// Whether the case sends or receives.
        dir: Dir,
        /// How many elements are in the channel.
        len: u32,
    }
    /// The M's current G has taken a lock.
    Lock = "lock" {
        /// Which.
        on: Object,
        /// For reading.
        shared: bool,
    }
    /// It gives it back.
    Unlock = "unlock" {
        /// Which.
        on: Object,
        /// For reading.
        shared: bool,
    }
    /// Something that is waited for is named for the first time.
    Object = "object" {
        /// Its number, which no other has.
        id: Object,
        /// What it is.
        kind: Thing,
        /// A channel's capacity.
        cap: u32,
        /// The type of a channel's elements.
        elem: Text,
    }
    /// When the sleep ends that has just begun.
    Due = "due" {
        /// By the clock that `ns` is of.
        at: i64,
    }
    /// A G that can run is put where it waits for its turn, or moved there.
    Queued = "queued" {
        /// Where; the ring and `runnext` are those of the event's P.
        to: Place,
        /// The number of its place there.
        at: At,
        /// Which goroutine it pushes out of `runnext`, 0 if none.
        out: Goid,
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
        /// The number of the place of this one.
        at: At,
    }
    /// An M has taken Gs from the global queue: this one, which it runs, and others, whose moves
    /// follow.
    Fetched = "fetched" {
        /// How many.
        n: u32,
        /// Of how many.
        of: u32,
        /// The number of the place of this one.
        at: At,
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
        /// By doing what.
        op: Doing,
    }
    /// A G stays runnable but stops.
    Yield = "yield" {
        /// How.
        how: YieldKind,
        /// Where it is.
        stack: Stack,
    }
    /// A G has ended.
    End = "end" {}
    /// A G was found to be asked to stop.
    Preempted = "preempted" {
        /// By what it was stopped.
        way: Way,
        /// Where it is.
        stack: Stack,
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
        /// How many; one of them was to be put into the ring.
        n: u32,
        /// The number of the place of the first in the ring.
        at: At,
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
        /// The innermost function: the one of the library that makes it, or the program's own.
        call: Text,
        /// What the kernel calls it; 0 if it is not known, or none of the kernel's.
        kernel: Text,
        /// Where it is.
        stack: Stack,
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
    /// A collection begins.
    GcBegin = "gc-begin" {
        /// The program has asked for it.
        forced: bool,
    }
    /// All that is alive has been found.
    GcEnd = "gc-end" {
        /// Bytes of it.
        live: i64,
    }
    /// The M's current G begins a task. Go: trace.NewTask.
    TaskBegin = "task-begin" {
        /// Its number.
        task: i64,
        /// The task that it is part of, 0 if none.
        parent: i64,
        /// Its kind.
        name: Text,
        /// Where.
        stack: Stack,
    }
    /// It ends one.
    TaskEnd = "task-end" {
        /// Which.
        task: i64,
        /// Where.
        stack: Stack,
    }
    /// It begins a region. Go: trace.StartRegion.
    RegionBegin = "region-begin" {
        /// The task that it is of, 0 if none.
        task: i64,
        /// Its kind.
        name: Text,
        /// Where.
        stack: Stack,
    }
    /// It ends one.
    RegionEnd = "region-end" {
        /// The task that it is of.
        task: i64,
        /// Its kind.
        name: Text,
        /// Where.
        stack: Stack,
    }
    /// It says something. Go: trace.Log.
    UserLog = "user-log" {
        /// The task that it is about, 0 if none.
        task: i64,
        /// Its kind.
        name: Text,
        /// What.
        message: Text,
        /// Where.
        stack: Stack,
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
}

impl What {
    /// Whether it happens when the event before it on the same P did, which tells of the same.
    #[inline(always)]
    pub(super) fn follows(&self) -> bool {
        matches!(
            self,
            What::Queued {
                to: Place::Runnext | Place::Ring | Place::Global | Place::Front,
                ..
            } | What::ParkAlso { .. }
                | What::Due { .. }
        )
    }

    /// Whether the G stops running.
    #[inline(always)]
    pub(super) fn leaves(&self) -> bool {
        matches!(
            self,
            What::Park { .. }
                | What::ParkAlso { .. }
                | What::Due { .. }
                | What::Yield { .. }
                | What::End {}
        )
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

#[cfg(test)]
mod tests {
    use super::*;

    struct Given(Vec<u64>);

    impl Put for Given {
        fn put(&mut self, value: u64, _: Rule) {
            self.0.push(value);
        }
    }

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
                at: At(9),
                local: 5,
                global: 1 << 20,
            },
            What::Create {
                by: Goid(1 << 40),
                func: Text(4),
                wrapper: Text(6),
                stack: Stack(5),
                system: true,
            },
            What::Park {
                reason: WaitReason::ChanReceive,
                on: Object(1 << 40),
                dir: Dir::Receive,
                len: 1,
                more: 2,
                stack: Stack(3),
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
            let mut values = Given(Vec::new());
            what.put_all(&mut values);
            assert_eq!(What::decode(what.kind(), &values.0), what);
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
    fn the_schema_says_what_is_written() {
        let schema = schema();
        assert_eq!(schema.kinds.len(), KINDS);
        for (kind, rules) in schema.kinds.iter().zip(RULES) {
            let own = kind.slots.iter().map(|s| s.form.rule());
            let own: Vec<String> = own.map(|r| format!("{r:?}")).collect();
            let written: Vec<String> = rules.iter().map(|r| format!("{r:?}")).collect();
            assert_eq!(own, written, "{}", kind.name);
        }
        assert_eq!(Schema::from_bytes(&schema.to_bytes()), Ok(schema));
    }

    #[test]
    fn lines_are_json() {
        let what = What::Start {
            why: Why::Steal {
                n: 3,
                of: 6,
                from: 2,
            },
            inherit: false,
            asked: false,
            used_us: 0,
            tick: 9,
            at: At(4),
            local: 2,
            global: 0,
        };
        let mut values = Given(Vec::new());
        what.put_all(&mut values);
        let e = ::trace::wire::Event {
            seq: 4,
            ns: 99,
            g: 7,
            m: 0,
            p: 1,
            kind: what.kind(),
            at: 0,
        };
        let mut s = Vec::new();
        ::trace::json::event(&mut s, &schema(), &Default::default(), &e, &values.0);
        assert_eq!(
            String::from_utf8(s).unwrap(),
            "{\"seq\":4,\"ns\":99,\"m\":0,\"p\":1,\"g\":7,\"ev\":\"start\",\
             \"why\":\"steal\",\"n\":3,\"of\":6,\"from\":2,\"inherit\":false,\"asked\":false,\
             \"used_us\":0,\"tick\":9,\"at\":4,\"local\":2,\"global\":0}\n"
        );
    }
}
