//! The rules, each with its program.

use super::figures;
use trace::read::Trace;

/// How the figure of a run is found.
#[derive(Clone, Copy, Debug)]
pub(super) enum Figure {
    /// It is a number that the program prints, counted from 0. A negative one means never.
    Printed(usize),
    /// As `Printed`, of a run without a trace, whose writing would disturb it.
    Untraced(usize),
    /// It is counted in the trace.
    Counted(fn(&Trace) -> Option<i64>),
}

/// What a figure is to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Limit {
    AtLeast(i64),
    AtMost(i64),
    Between(i64, i64),
    /// So many times that of the run with the rule, at least.
    Times(i64),
    /// That of the run with the rule is so many times as large, at least.
    OneIn(i64),
    /// It never comes to an end.
    Never,
    Any,
}

/// A rule of fairness.
#[derive(Debug)]
pub(super) struct Rule {
    /// Its number in the table of rules.
    pub(super) id: &'static str,
    pub(super) name: &'static str,
    /// What it sees to, in one line.
    pub(super) about: &'static str,
    /// The name of its program below `examples/lab`, and its text.
    pub(super) file: &'static str,
    pub(super) source: &'static str,
    pub(super) procs: u32,
    /// Mechanisms that are off in both runs.
    pub(super) always: &'static [&'static str],
    /// Mechanisms that are off in the second.
    pub(super) off: &'static [&'static str],
    pub(super) figure: Figure,
    /// What the figure counts.
    pub(super) unit: &'static str,
    pub(super) with: Limit,
    pub(super) without: Limit,
    /// Why, five lines at most.
    pub(super) why: &'static [&'static str],
    /// What to try next.
    pub(super) next: &'static str,
}

macro_rules! rules {
    ($(
        $id:literal $name:literal $file:literal: $about:literal;
        on $procs:literal, off $off:expr, in both $always:expr;
        $figure:expr, $unit:literal: $with:expr, else $without:expr;
        why $why:expr;
        next $next:literal;
    )*) => {
        /// All of them.
        pub(super) const RULES: &[Rule] = &[$(Rule {
            id: $id,
            name: $name,
            about: $about,
            file: concat!($file, ".go"),
            source: include_str!(concat!("../../examples/lab/", $file, ".go")),
            procs: $procs,
            always: &$always,
            off: &$off,
            figure: $figure,
            unit: $unit,
            with: $with,
            without: $without,
            why: &$why,
            next: $next,
        }),*];
    };
}

use Figure::{Counted, Printed, Untraced};
use Limit::{Any, AtLeast, AtMost, Between, Never, OneIn, Times};

rules! {
    "F1" "runnext-starvation" "runnext_starvation":
    "a pair that wakes one another leaves a third its turns";
    on 1, off ["slice-inheritance"], in both [];
    Printed(0), "turns of the third in 300 ms": Between(6, 120), else AtMost(2);
    why [
        "Who is woken goes to runnext, and runs next: two that wake one another always come first.",
        "So what runs from runnext has the rest of the slice of who woke it, and no new one.",
        "When the slice is over, after 10 ms, the pair is stopped, and goes behind the third.",
        "Without that each turn begins a new slice, which never ends: the third waits for ever.",
    ];
    next "gosched lab hand-over: what runnext is good for";

    "F2" "hand-over" "hand_over": "who is woken by a hand-over runs at once";
    on 1, off ["runnext"], in both [];
    Printed(1), "ns for a round trip, in the middle": Any, else Times(10);
    why [
        "Fifty pairs hand values to and fro; so the queue of those that can run is long.",
        "Who is woken goes to runnext, before the queue: what it was given is in the caches.",
        "Without runnext it goes to the end of the queue, and each hand-over waits for all others.",
    ];
    next "gosched lab runnext-starvation: what else it needs then";

    "F3" "oldest-first" "oldest_first": "the one that has waited longest runs first";
    on 1, off ["fifo"], in both ["runnext"];
    Printed(0), "µs until the oldest runs": AtMost(20_000), else Never;
    why [
        "A goroutine waits in the ring; four others each start another one, and end.",
        "A ring gives what has been in it longest: the first runs after the four.",
        "If it gave the newest, as a stack does, the first would lie at its bottom for ever.",
    ];
    next "gosched lab waiters: the same of those that wait for a channel";

    "F4" "netpoll" "netpoll": "who waits for the network or a pipe is woken though all are busy";
    on 2, off ["sysmon-netpoll"], in both [];
    Printed(0), "of ten messages": AtLeast(10), else AtMost(0);
    why [
        "A thread without work asks the kernel what has come. Here none ever is.",
        "So sysmon, which needs no P, asks when nobody has for 10 ms.",
        "Without that the reader waits as long as there is something to compute.",
    ];
    next "gosched lab timers: the same of timers";

    "F5" "runnext-theft" "runnext_theft": "a P keeps what it is about to run";
    on 2, off ["runnext-backoff"], in both [];
    Counted(figures::runnext_stolen), "thefts in 20,000 rounds": AtMost(200), else Times(10);
    why [
        "One of a pair wakes the other and works on for a microsecond before it waits.",
        "An idle P sees the other in runnext, and could take it; soon both would wait.",
        "So a thief waits 3 µs before it takes what is in the runnext of a P that runs.",
        "Without that the pair moves from P to P, and each move costs more than it gains.",
    ];
    next "gosched lab stealing: what thieves are good for";

    "F6" "global-queue" "global_queue": "the global queue is served though the ring never empties";
    on 1, off ["global-poll"], in both [];
    Counted(figures::ticks_of_main), "ticks until main ran again, at most": AtMost(61), else Never;
    why [
        "A P first takes from its own ring, for that needs no lock.",
        "Forty wake one another, so the ring is never empty; main is in the global queue.",
        "Each 61st tick the P looks there first. Without that main would never run again.",
    ];
    next "gosched lab hogs: who goes to the global queue";

    "F7" "busy-loop" "busy_loop": "a loop without calls is stopped";
    on 1, off ["async-preempt"], in both [];
    Printed(0), "ms until main ran again, at most": AtMost(150), else Never;
    why [
        "Functions look at their beginning whether they are to stop. A loop has none.",
        "So a jump backwards looks too; Go sends the thread a signal instead.",
        "Without that the loop has its P until it ends, and this one never does.",
    ];
    next "gosched lab deep-calls: the other way";

    "F8" "deep-calls" "deep_calls": "who computes by calls is stopped";
    on 1, off ["coop-preempt"], in both ["async-preempt"];
    Printed(0), "ms until main ran again, at most": AtMost(150), else AtLeast(500);
    why [
        "sysmon sees that a goroutine has run for 10 ms, and poisons the limit of its stack.",
        "The next call finds the limit reached, and gives way instead of growing the stack.",
        "Without that main runs when the other has ended, a second later.",
    ];
    next "gosched lab busy-loop: where there are no calls";

    "F9" "blocking-call" "blocking_call": "a system call that takes long does not keep its P";
    on 1, off ["retake"], in both [];
    Printed(0), "µs until a sibling ran, in the middle": AtMost(3000), else AtLeast(29_000);
    why [
        "A goroutine sleeps in the kernel for 30 ms, and its thread with it.",
        "sysmon sees that the P in the call is wanted, takes it, and gives it to another thread.",
        "Without that everything waits until the kernel returns.",
    ];
    next "gosched lab short-calls: why not at once";

    "F10" "short-calls" "short_calls": "a short system call keeps its place";
    on 1, off ["optimistic-syscall"], in both [];
    Printed(0), "calls a second": Any, else OneIn(5);
    why [
        "Most calls take less than a microsecond, so the P stays with the thread, just in case.",
        "If nobody has taken it when the call returns, the goroutine goes on at once.",
        "Without that it gives its P up for each call, and queues behind three that compute.",
    ];
    next "gosched lab blocking-call: when it takes longer";

    "F11" "hogs" "hogs": "who was stopped goes behind all others";
    on 1, off ["preempt-to-global"], in both [];
    Printed(0), "µs for a job, at most": AtMost(150_000), else Times(3);
    why [
        "Two goroutines compute without end and are stopped every 10 ms; main gives way for jobs.",
        "Who is stopped goes to the end of the global queue, where main waits: they take turns.",
        "If it went back to its own ring, it would come first again, until the 61st tick.",
    ];
    next "gosched lab global-queue: the 61st tick";

    "F12" "full-ring" "full_ring": "who makes very many goroutines shares them";
    on 4, off ["overflow", "steal", "async-preempt", "coop-preempt"], in both [];
    Counted(figures::largest_share), "% of the jobs on one P": AtMost(50), else AtLeast(100);
    why [
        "A ring holds 256. When it is full half of it goes to the global queue, for all Ps.",
        "Without that, and without stealing, all jobs stay with the P where they were made.",
    ];
    next "gosched lab one-fetch: how they are shared there";

    "F13" "one-fetch" "one_fetch": "one P does not empty the global queue";
    on 8, off ["global-batch"], in both [];
    Counted(figures::largest_fetch), "in one fetch, at most": AtMost(128), else AtLeast(129);
    why [
        "A thousand goroutines wait in the global queue, and eight Ps come for them.",
        "Each takes its share, the number divided by the Ps, and never more than half a ring.",
        "Without that the first takes what its ring holds, and the others find nothing.",
    ];
    next "gosched lab stealing: how they get some all the same";

    "F14" "stealing" "stealing": "an idle P takes from one that has much";
    on 4, off ["steal"], in both [];
    Counted(figures::largest_share), "% of the jobs on one P": AtMost(60), else AtLeast(100);
    why [
        "A goroutine makes 250 jobs: they fit into the ring of its P, where nobody else sees them.",
        "A P without work looks into the rings of the others, in random order, and takes half.",
        "Without that three Ps do nothing.",
    ];
    next "gosched lab runnext-theft: what they leave";

    "F15" "second-job" "second_job": "a new goroutine finds a thread that looks for it";
    on 2, off ["spinning"], in both [];
    Counted(figures::apart), "of 100 pairs side by side": AtLeast(80), else AtMost(0);
    why [
        "Main makes two jobs and waits. The first runs on main's P; the other P sleeps.",
        "Who makes a goroutine wakes a thread to search, unless one searches already.",
        "Without searching threads the second job waits until the first has ended.",
    ];
    next "gosched lab searchers: why not more of them";

    "F16" "searchers" "searchers": "fewer than half of the busy search for work";
    on 32, off ["spin-limit"], in both [];
    Counted(figures::refused), "searches refused": AtLeast(1), else AtMost(0);
    why [
        "A thread that searches takes time from those that work.",
        "So a thread may search only while fewer than half as many search as are busy.",
        "Without that up to 31 threads search for what one goroutine makes.",
    ];
    next "gosched lab second-job: why they search";

    "F17" "timers" "timers": "timers of a busy P are run by another";
    on 2, off ["timer-steal"], in both ["async-preempt"];
    Printed(0), "µs late, in the middle": AtMost(20_000), else AtLeast(25_000);
    why [
        "Each P has its timers, and looks at them when it chooses what to run. This one computes.",
        "A P without work looks at the timers of all others, last of all, and runs what is due.",
        "Without that they wait until the loop ends, after 90 ms.",
    ];
    next "gosched lab netpoll: the same of the network";

    "F18" "random-select" "random_select": "a select has no favourite";
    on 1, off ["select-random"], in both [];
    Printed(0), "of 1,000 times the first": Between(400, 600), else AtLeast(1000);
    why [
        "Both channels are always ready. A select looks at its cases in a random order.",
        "If it went from the top, the second case would never be taken.",
    ];
    next "gosched lab waiters: where there is an order";

    "F19" "mutex" "mutex": "a mutex goes to who has waited for a millisecond";
    on 2, off ["mutex-starvation"], in both [];
    Printed(0), "µs until main had it, at most": AtMost(25_000), else AtLeast(40_000);
    why [
        "Who gives a mutex back still runs, and takes it again before who was woken has come.",
        "Who has waited for a millisecond makes the mutex starving: then it is handed over.",
        "Without that main gets it when the other is stopped at the right moment, by chance.",
    ];
    next "gosched lab writer: the same of readers and writers";

    "F20" "writer" "writer": "a writer that waits keeps new readers out";
    on 2, off ["writer-preference"], in both [];
    Printed(0), "ms until it had the lock": AtMost(50), else Never;
    why [
        "Eight readers hold the lock in turns, so there is always one.",
        "A writer that wants it lets the readers end that are in, and no others begin.",
        "Without that it waits until by chance all are out at once.",
    ];
    next "gosched lab mutex: where there are no readers";

    "F21" "waiters" "waiters": "who has waited longest for a channel is served first";
    on 1, off ["fifo-waiters"], in both [];
    Printed(0), "of 1,000 rounds in order": AtLeast(500), else AtMost(0);
    why [
        "Ten senders wait for a channel, one after the other.",
        "A channel serves them in that order. The last first, and the first may wait for ever.",
    ];
    next "gosched lab oldest-first: the same of those that can run";

    "F22" "garbage" "garbage": "who makes garbage helps to collect it";
    on 1, off ["gc-assist"], in both [];
    Printed(0), "% of what lives, allocated at most": AtMost(250), else AtLeast(400);
    why [
        "The collector marks what lives beside the program, with a quarter of the processors.",
        "A goroutine that allocates faster than it marks has to mark as well, before it goes on.",
        "Without that the heap grows while the collector works.",
    ];
    next "GODEBUG=gctrace=1 gosched examples/lab/garbage.go";

    "F23" "idle" "idle": "a program that sleeps costs nothing";
    on 2, off ["sysmon-sleep"], in both [];
    Untraced(0), "times woken in two seconds": AtMost(90), else AtLeast(150);
    why [
        "sysmon looks every 20 µs to 10 ms whether somebody computes for too long.",
        "When all Ps are idle there is nobody to look at, and it sleeps until there is.",
        "Without that it wakes a hundred times a second for nothing.",
    ];
    next "gosched lab busy-loop: what it looks for";
}
