//! What is recorded: every event once, with its operands, its name and their names.
//!
//! From this list the schema is made that stands in each trace; see [`::trace::schema`].

#[macro_use]
mod made;
mod operand;
mod why;
mod words;

use ::trace::schema::{self, Form, Rule, SLOTS, Schema, Slot};
use ::trace::wire::{Put, Values};

use crate::engine::YieldKind;
use crate::g::{Goid, Status, WaitReason};
use crate::p::PStatus;

use made::{Lists, rules, slots};
use operand::Operand;
pub(crate) use operand::{At, Object, Stack, Text, Word};
pub use why::Why;
pub(crate) use words::{By, Dir, Doing, HandOff, SpinBy, Thing};
pub use words::{Chosen, Place, Retake, Way};

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
    /// A controlled run takes a decision: for this goroutine, or for time to pass.
    Choice = "choice" {
        /// What is chosen.
        what: Chosen,
        /// The decision's number, as in a recording.
        n: u32,
        /// From how many goroutines or cases.
        of: u32,
        /// The number of the case among those that are ready.
        case: u32,
        /// The goroutine that would run in the ordinary order.
        usual: Goid,
        /// It is a switch: not what is ordinary, and of a schedule that has been minimised one of
        /// those that it cannot do without.
        switch: bool,
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
