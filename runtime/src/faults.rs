//! Faults: rules of the runtime that can be broken on purpose, so that their tests are seen to
//! fail.
//!
//! `GOSCHED_FAULT=NAME,…` names faults of the list below, or mechanisms of
//! [`crate::switches`], which are then switched off. Only builds with debug assertions and the
//! models know faults; elsewhere [`fault!`](crate::fault) is the constant `false`. The table
//! `tests/sched/rules.md` says which test must fail under which fault, and `tests/proof.rs`
//! tries it.
//!
//! To add one: a line with its comment here, and `if fault!(Name) { … }` where the rule is kept.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::switches;

/// Whether faults exist in this build.
pub const EXIST: bool = cfg!(any(debug_assertions, loom, shuttle));

/// Whether the rule at this place is to be broken: `fault!(DropWakeup)`.
#[macro_export]
macro_rules! fault {
    ($id:ident) => {
        $crate::faults::EXIST && $crate::faults::is_on($crate::faults::Fault::$id)
    };
}

macro_rules! faults {
    ($($(#[$doc:meta])* $id:ident = $name:literal;)*) => {
        /// A way to break a rule.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[repr(u8)]
        pub enum Fault { $($(#[$doc])* $id),* }

        /// Every fault with its name.
        pub const ALL: &[(Fault, &str)] = &[$((Fault::$id, $name)),*];
    };
}

faults! {
    /// Nothing is broken: what fails under this one proves nothing by failing under another.
    Placebo = "placebo";
    /// `--without` has no effect: what a test shows without a mechanism must come from its lack.
    KeepMechanisms = "keep-mechanisms";
    /// `wake_p` does nothing.
    DropWakeup = "drop-wakeup";
    /// A searcher that finds work is still counted as searching.
    LeakSpinner = "leak-spinner";
    /// A park's commit function runs before the G is marked waiting.
    CommitBeforeWaiting = "commit-before-waiting";
    /// Idle Ms are never used again.
    IgnoreIdleMs = "ignore-idle-ms";
    /// A dead G is not put on the free list.
    LoseDeadG = "lose-dead-g";
    /// A G wired to a thread is run by the M that finds it.
    IgnoreWiring = "ignore-wiring";
    /// The thread of a G that ends wired to it goes on.
    KeepWiredThread = "keep-wired-thread";
    /// A G wired to a thread makes new threads on that thread.
    CloneWired = "clone-wired";
    /// There is no limit of threads.
    NoThreadLimit = "no-thread-limit";
    /// Deadlocks are not looked for.
    NoDeadlockCheck = "no-deadlock-check";
    /// The end of `main.main` waits for the other goroutines.
    MainWaits = "main-waits";
    /// Gosched queues locally.
    GoschedLocal = "gosched-local";
    /// The ring of a destroyed P is lost.
    LoseDestroyedRing = "lose-destroyed-ring";
    /// GOMAXPROCS does not follow the machine.
    IgnoreMachine = "ignore-machine";
    /// Blanks in the paths of mounts are taken as they are written.
    UnescapeNoPaths = "unescape-no-paths";
    /// A control group's quota does not count.
    IgnoreQuota = "ignore-quota";
    /// At the start of the world any idle M gets any P.
    ForgetOldM = "forget-old-m";
    /// At the start of the world no worker is given to an idle P.
    GiveNoWorkers = "give-no-workers";
    /// A P that a worker takes wakes no other.
    WorkerWithoutWake = "worker-without-wake";
    /// Ms that have found nothing ask the poller at the same time.
    PollTogether = "poll-together";
    /// The stopper of the world does not wait for the Ps.
    StopWithoutWaiting = "stop-without-waiting";
    /// forEachP forgets idle Ps.
    SkipIdleSafepoint = "skip-idle-safepoint";
    /// `asyncpreemptoff=1` has no effect.
    IgnoreAsyncPreemptOff = "ignore-asyncpreemptoff";
    /// The trampoline of signals saves the x87 registers only.
    ForgetVectors = "forget-vectors";
    /// Natives that look for requests themselves do not.
    PollsForget = "polls-forget";
    /// A request to stop that was served is passed on to what runs next.
    KeepServedRequest = "keep-served-request";
    /// A request to stop that was not served is forgotten with the one it was made to.
    ForgetUnservedRequest = "forget-unserved-request";
    /// The end of a hold that forbids preemption does not repeat the request.
    ForgetToRearm = "forget-to-rearm";
    /// Preemption signals are sent whether or not one is on its way.
    CrowdSignals = "crowd-signals";
    /// A G that was stopped by suspendG is not made ready again.
    ForgetToResume = "forget-to-resume";
    /// New goroutines get stacks of 16 KB.
    LargeStacks = "large-stacks";
    /// New goroutines have stacks before they run.
    EarlyStacks = "early-stacks";
    /// Memory of stacks never goes back to the heap.
    KeepStackSpans = "keep-stack-spans";
    /// A stack that moves leaves its newer half behind.
    HalfCopy = "half-copy";
    /// Collections do not halve stacks.
    KeepStacks = "keep-stacks";
    /// Stacks go to the pools and come from them, past the caches.
    NoStackCache = "no-stack-cache";
    /// The limit of a stack is twice what it should be.
    DoubleStackLimit = "double-stack-limit";
    /// A stack has no guard page.
    NoGuardPage = "no-guard-page";
    /// The innermost frame of a goroutine is not scanned.
    SkipInnermostFrame = "skip-innermost-frame";
    /// Native frames that a goroutine keeps are not scanned.
    SkipNativeFrames = "skip-native-frames";
    /// Collections are not forced, however long ago the last one was.
    NoForcedGc = "no-forced-gc";
    /// Free memory is not given back to the system.
    KeepMemory = "keep-memory";
    /// The memory limit has no effect.
    IgnoreMemoryLimit = "ignore-memory-limit";
    /// Pauses are not counted.
    ForgetPauses = "forget-pauses";
    /// Cleanups of dead objects are forgotten.
    ForgetCleanups = "forget-cleanups";
    /// Workers of the collector get no turn.
    SkipWorkers = "skip-workers";
    /// Workers of the collector do not get Ps that have nothing to do.
    SkipIdleWorkers = "skip-idle-workers";
    /// What a store overwrites beside the marker is not kept for it.
    ForgetOverwritten = "forget-overwritten";
    /// Nor is what a store to a variable does.
    ForgetOverwrittenGlobals = "forget-overwritten-globals";
    /// Of several words that one operation overwrites, only the first is kept.
    ForgetOverwrittenRest = "forget-overwritten-rest";
    /// What the barrier has kept is not given to the marker before a mark ends.
    LateFlush = "late-flush";
    /// Stacks are not looked at before their goroutines run beside the marker.
    RunUnscanned = "run-unscanned";
    /// A goroutine runs while its stack is looked at beside the program.
    RunWhileScanned = "run-while-scanned";
    /// A mark is over when the pool is empty, whatever its workers still have.
    ForgetBusyMarkers = "forget-busy-markers";
    /// What is allocated beside the marker is not marked.
    AllocateWhite = "allocate-white";
    /// Traces do not tell where a collection begins.
    ForgetTracedCollections = "forget-traced-collections";
    /// Threads leave off recording one after the other, and all that they have recorded counts.
    EndTracesOneByOne = "end-traces-one-by-one";
    /// SIGQUIT is not noticed.
    IgnoreSigquit = "ignore-sigquit";
    /// The schedtrace line leaves out the number of idle Ms.
    SchedtraceNoIdle = "schedtrace-no-idle";
    /// One fetch takes all the global queue.
    BatchAll = "batch-all";
    /// Strides of the stealing order may share a factor with the number of Ps.
    AnyStride = "any-stride";
    /// sysmon's delay does not grow.
    SysmonFixedDelay = "sysmon-fixed-delay";
    /// A P in a system call is retaken whatever the conditions.
    RetakeAlways = "retake-always";
    /// `find_runnable` does not run the timers of its own P.
    SkipOwnTimers = "skip-own-timers";
    /// The goroutine of finalizers is not woken.
    ForgetFinalizers = "forget-finalizers";
    /// The ring is asked before `runnext`.
    RingBeforeRunnext = "ring-before-runnext";
    /// `find_runnable` does not look into the poller.
    NoIdlePoll = "no-idle-poll";
    /// `find_runnable` polls while another M blocks in the poller.
    PollBesidePoller = "poll-beside-poller";
    /// Nothing is looked at again under the lock before a P is given up.
    NoLockedRecheck = "no-locked-recheck";
    /// A wish for a searcher is not looked at.
    IgnoreNeedspinning = "ignore-needspinning";
    /// An M that stops searching does not look once more.
    NoLastLook = "no-last-look";
    /// A P without work is not put on the idle list.
    LoseIdleP = "lose-idle-p";
    /// No idle M blocks in the poller.
    NoBlockingPoll = "no-blocking-poll";
    /// The blocking poller is never broken.
    NoPollBreak = "no-poll-break";
    /// The blocking poller is broken though it would end in time.
    AlwaysPollBreak = "always-poll-break";
    /// A P that is handed off is idle, whatever waits.
    IdleHandoff = "idle-handoff";
    /// A hand-off starts a searcher though there is one.
    SearchBesideSearcher = "search-beside-searcher";
    /// A hand-off does not look whether the world stops.
    HandoffIgnoresStop = "handoff-ignores-stop";
    /// A hand-off leaves the safepoint function to others.
    HandoffIgnoresSafepoint = "handoff-ignores-safepoint";
    /// The last P is kept busy though another M polls.
    HandoffIgnoresPoller = "handoff-ignores-poller";
    /// A thief takes one G.
    StealOne = "steal-one";
    /// A thief takes half of a ring, however much that is.
    StealPastLimit = "steal-past-limit";
    /// Thieves take `runnext` in the first round.
    RunnextFirstRound = "runnext-first-round";
    /// A thief that has waited takes whatever is in `runnext` then.
    TakeAnyRunnext = "take-any-runnext";
    /// Every stealing order begins with P0.
    FixedStart = "fixed-start";
    /// An M that stops searching is still counted as searching.
    LeakStopped = "leak-stopped";
    /// Each goroutine that asks for a collection has one of its own.
    CollectForEach = "collect-for-each";
    /// A native stack that comes free stays free, though goroutines wait for one.
    KeepNativeStacks = "keep-native-stacks";
    /// What does not fit into a ring is lost.
    LoseWhenFull = "lose-when-full";
    /// The poller clears a break by a store, which orders nothing that follows.
    BreakClearedByStore = "break-cleared-by-store";
    /// No barrier stands between making work visible and the look for searchers.
    NoFenceInWake = "no-fence-in-wake";
    /// No barrier stands between the end of a search and the last look.
    NoFenceInLook = "no-fence-in-look";
    /// No barrier stands between an idle P and the look whether a searcher is wanted.
    NoFenceAfterIdle = "no-fence-after-idle";
    /// A P is put into system calls without a barrier before the look for a stop of the world.
    NoFenceInEnter = "no-fence-in-enter";
    /// Between raising a semaphore and the look for waiters stands no barrier.
    NoFenceInSema = "no-fence-in-sema";
    /// `runnext` is taken by a load and a store.
    TakeRunnextByStore = "take-runnext-by-store";
    /// A returning system call takes its old P by a load and a store.
    RegainByStore = "regain-by-store";
    /// A sleep on a note forgets a wakeup that came first.
    NoteForgets = "note-forgets";
    /// A second wakeup of a note goes unnoticed.
    NoteTwice = "note-twice";
    /// An M that is taken off the idle list stays on it.
    KeepIdleM = "keep-idle-m";
    /// A P that is taken off the idle list stays on it.
    KeepIdleP = "keep-idle-p";
    /// The blocking poller does not look whether a break has been asked for.
    BlockIgnoresBreak = "block-ignores-break";
    /// A poll that does not block takes the request for a break back.
    PollClearsBreak = "poll-clears-break";
    /// A G that waits for a descriptor does not look again whether it is being closed.
    NoSecondPollCheck = "no-second-poll-check";
    /// A descriptor's waiter replaces whatever is in its slot.
    PollCommitByStore = "poll-commit-by-store";
    /// Injected Gs all go to the own ring.
    InjectIgnoresIdle = "inject-ignores-idle";
    /// The random scheduler leaves batches in order.
    NoShuffle = "no-shuffle";
    /// Starts that inherit a slice count as ticks.
    TickInherited = "tick-inherited";
    /// The internal yield queues globally.
    YieldGlobal = "yield-global";
    /// Holds that forbid preemption are ignored.
    IgnoreHolds = "ignore-holds";
    /// Goroutines of the user run though they are disabled.
    IgnoreDisabled = "ignore-disabled";
    /// sysmon asks every running G to stop, at each look.
    AskAlways = "ask-always";
    /// sysmon asks no G to stop.
    AskNever = "ask-never";
    /// A G that returns from a call and finds no P goes to the front of the global queue.
    SyscallExitFirst = "syscall-exit-first";
    /// Timers fire 2 ms early.
    EarlyTimers = "early-timers";
    /// A wait for a descriptor blocks its thread.
    BlockInPoll = "block-in-poll";
    /// The deadline of a descriptor passes unnoticed.
    IgnoreDeadline = "ignore-deadline";
    /// Closing a descriptor leaves its waiters waiting.
    CloseWithoutWaking = "close-without-waking";
    /// Descriptors that the program inherited are made non-blocking and go into the poller.
    PollInherited = "poll-inherited";
    /// An event is taken for the one that has its descriptor now.
    IgnoreSequence = "ignore-sequence";
    /// Numbers of goroutines are given twice.
    RepeatGoids = "repeat-goids";
    /// A G may be readied whatever its status.
    AcceptDoubleReady = "accept-double-ready";
    /// A G that ends waits first.
    IllegalStatus = "illegal-status";
    /// An M keeps the P that it has given up.
    KeepP = "keep-p";
    /// A P names an M that does not hold it.
    WrongBackPointer = "wrong-back-pointer";
    /// A P returns from a system call to its M at once.
    IllegalPStatus = "illegal-p-status";
    /// A P is released whatever its status.
    AnyPState = "any-p-state";
    /// Locks have no order, and may be held over a sleep.
    NoLockRanks = "no-lock-ranks";
    /// A G that ends chooses the next one itself, which goes on on the same stack.
    DirectSwitch = "direct-switch";
    /// The scheduler runs on whatever stack it is called.
    AnyStack = "any-stack";
    /// Changes of status are not added to what all processes share.
    LoseEdges = "lose-edges";
    /// The scheduler calls itself for each switch.
    DeepG0 = "deep-g0";
    /// Lists of dead Gs grow without limit.
    NoSpill = "no-spill";
    /// There is no watcher.
    NoSysmon = "no-sysmon";
    /// The Gs of a destroyed P are queued in the wrong order.
    ReverseDestroyedRing = "reverse-destroyed-ring";
    /// Ps without work are not put on the idle list when their number changes.
    LoseIdlePs = "lose-idle-ps";
    /// A dump lists goroutines newest first.
    DumpBackwards = "dump-backwards";
    /// The main goroutine is not wired to its thread while packages are initialised.
    UnwiredInit = "unwired-init";
    /// The process ends with status 0.
    ExitStatusZero = "exit-status-zero";
    /// Goexit runs no deferred calls.
    GoexitSkipsDefers = "goexit-skips-defers";
    /// Tickers make up for the ticks they missed.
    KeepMissedTicks = "keep-missed-ticks";
    /// Channels of a negative size are made, with none.
    AnyChanSize = "any-chan-size";
    /// Closing a channel wakes one goroutine.
    CloseWakesOne = "close-wakes-one";
    /// Used sudogs are not kept.
    LoseSudogs = "lose-sudogs";
    /// An operation that finds a selecting goroutine in a queue wakes it, though another has.
    ClaimTwice = "claim-twice";
    /// Select locks channels in the order of its cases.
    LockInCaseOrder = "lock-in-case-order";
    /// Releasing a semaphore adds two.
    ReleaseTwo = "release-two";
    /// A G that hands a semaphore over goes on running.
    IgnoreHandoff = "ignore-handoff";
    /// Unlocking what is not locked, and a counter below 0, pass.
    IgnoreMisuse = "ignore-misuse";
    /// A signal wakes the G that came last, whatever its ticket.
    AnyTicket = "any-ticket";
    /// A G that comes to wait does not look whether it was signalled meanwhile.
    ForgetEarlySignal = "forget-early-signal";
    /// A broadcast wakes from the end of the list.
    BroadcastBackwards = "broadcast-backwards";
    /// Collections leave the objects of pools where they are.
    ForgetCollections = "forget-collections";
    /// A dying program does not say which of its panics were recovered.
    ForgetRecovered = "forget-recovered";
    /// Of several panics a dying program prints the newest only.
    NewestPanicOnly = "newest-panic-only";
    /// The value of a panic is printed as that of a type which cannot be printed.
    RawPanicValues = "raw-panic-values";
    /// The value of a panic is printed without its type.
    UntypedPanicValues = "untyped-panic-values";
    /// A panic by a fault of the memory does not tell of the signal.
    NoSignalLine = "no-signal-line";
    /// What is out of bounds and the bound change places in the text.
    SwapBounds = "swap-bounds";
    /// Headers of goroutines show the status, and not what is waited for.
    PlainHeaders = "plain-headers";
    /// Whatever stands on a semaphore waits for `semacquire`.
    PlainSemacquire = "plain-semacquire";
    /// A fatal error ends the process without its line.
    NoFatalLine = "no-fatal-line";
    /// Pointers that `unsafe` has spoiled are passed over, as with `GODEBUG=invalidptr=0`.
    PassBadPointers = "pass-bad-pointers";
    /// The lines of goroutines in scheddetail name no M.
    DetailWithoutMs = "detail-without-ms";
    /// GODEBUG is not read.
    IgnoreGodebug = "ignore-godebug";
    /// Goroutines of the runtime count as the program's.
    CountSystemGoroutines = "count-system-goroutines";
    /// Every departure is followed until the next start.
    TrackAll = "track-all";
    /// A P in a system call is not retaken for the sake of its own work.
    RetakeIgnoresWork = "retake-ignores-work";
    /// Entering a system call leaves sysmon in its deep sleep.
    EnterLeavesSysmon = "enter-leaves-sysmon";
    /// So does a return from one that takes an idle P.
    ExitLeavesSysmon = "exit-leaves-sysmon";
    /// A yield to the global queue starts no searcher.
    YieldWithoutWake = "yield-without-wake";
    /// Nor does the start of the world.
    StartWithoutWake = "start-without-wake";
    /// A stop of the world leaves the Ps in system calls to others.
    StopSkipsCalls = "stop-skips-calls";
    /// The stopper of the world asks once.
    StopAsksOnce = "stop-asks-once";
    /// forEachP leaves the Ps in system calls to others.
    SafepointSkipsCalls = "safepoint-skips-calls";
    /// forEachP asks once.
    SafepointAsksOnce = "safepoint-asks-once";
    /// The timers of a destroyed P are lost.
    LoseDestroyedTimers = "lose-destroyed-timers";
    /// A woken waiter that loses a mutex to a newcomer queues behind the others.
    LoserToTail = "loser-to-tail";
    /// Only the last waiter of a mutex ends its starving mode.
    StayStarving = "stay-starving";
    /// A locked mutex is not spun for.
    NoMutexSpin = "no-mutex-spin";
    /// The order of select's cases is random, but not uniform from three cases on.
    BiasedSelect = "biased-select";
    /// The random scheduler's shuffle is not uniform.
    BiasedShuffle = "biased-shuffle";
    /// Stacks are halved when less than half is used.
    ShrinkAtHalf = "shrink-at-half";
    /// A goroutine whose system call ended without its P goes on with that P's slice.
    ExitKeepsSlice = "exit-keeps-slice";
    /// A goroutine that is wired to its thread goes on with the slice of the one before it.
    WiredKeepsSlice = "wired-keeps-slice";
    /// sysmon polls the network at each look.
    SysmonPollsAlways = "sysmon-polls-always";
    /// An M that waits for its wired goroutine does not look for a deadlock.
    NoWiredDeadlockCheck = "no-wired-deadlock-check";
    /// One `UnlockOSThread` undoes all calls of `LockOSThread`.
    UnwireAtOnce = "unwire-at-once";
    /// The global queue is asked before the own one.
    GlobalBeforeLocal = "global-before-local";
    /// The global queue is looked at on every 60th tick.
    GlobalPollAt60 = "global-poll-at-60";
    /// A yield puts the goroutine at the front of the global queue.
    YieldToFront = "yield-to-front";
    /// Goroutines that become ready together are queued in the reverse order.
    ReverseInjected = "reverse-injected";
    /// Timers whose time was changed stay where they are in the heap.
    KeepHeapOrder = "keep-heap-order";
    /// Stopping a timer says that it would have fired, whatever it was.
    StopSaysTrue = "stop-says-true";
    /// A waiting sender is received from before the values in the ring.
    SenderOvertakes = "sender-overtakes";
    /// The first reader that leaves wakes the waiting writer.
    FirstReaderWakes = "first-reader-wakes";
    /// A count of a semaphore that was handed over is not known to its receiver.
    ForgetHandOver = "forget-hand-over";
    /// The last `Done` wakes one waiter.
    DoneWakesOne = "done-wakes-one";
    /// A descriptor that becomes writable wakes nothing.
    ForgetWriters = "forget-writers";
    /// A descriptor of a dead goroutine keeps the words of the engine.
    KeepWords = "keep-words";
    /// The end of `main.main` does not wait for panics under way.
    ExitPastPanics = "exit-past-panics";
    /// The schedtrace line says that the global queue is empty.
    SchedtraceNoGlobal = "schedtrace-no-global";
    /// Native code goes round in a loop without looking whether it is asked to stop.
    SkipNativeSafepoint = "skip-native-safepoint";
    /// Native code does not load what a region keeps, where a jump or the instruction before leads
    /// into it.
    SkipNativeEdge = "skip-native-edge";
    /// Native code does not load what a region keeps, where it goes on behind an instruction that
    /// its handler has done, or behind a call.
    SkipNativeReload = "skip-native-reload";
    /// Native code does not store what a region keeps and has written, where it leaves the region.
    SkipNativeStore = "skip-native-store";
    /// Native code takes the index that is the length of an array for one of its elements.
    WeakNativeBounds = "weak-native-bounds";
    /// Native code stores pointers without looking whether the collector marks.
    SkipNativeBarrier = "skip-native-barrier";
}

static ON: [AtomicBool; ALL.len()] = [const { AtomicBool::new(false) }; ALL.len()];
/// Whether the environment has been read.
static READ: AtomicBool = AtomicBool::new(false);

/// Whether `f` is asked for. See [`fault!`](crate::fault).
#[inline]
pub fn is_on(f: Fault) -> bool {
    if !READ.load(Ordering::Relaxed) {
        read_environment();
    }
    ON[f as usize].load(Ordering::Relaxed)
}

/// Sets the faults of the environment. An unknown name ends the process with status 2.
///
/// Done once at start; what is tested without starting the runtime does it at its first fault.
#[cold]
pub fn read_environment() {
    if !EXIST || READ.swap(true, Ordering::Relaxed) {
        return;
    }
    let Ok(list) = std::env::var("GOSCHED_FAULT") else {
        return;
    };
    for name in list.split(',').map(str::trim).filter(|s| !s.is_empty()) {
        if let Some(m) = switches::by_name(name) {
            switches::set(m, false);
        } else if let Some((f, _)) = ALL.iter().find(|(_, n)| *n == name) {
            ON[*f as usize].store(true, Ordering::Relaxed);
        } else {
            let known: Vec<&str> = ALL.iter().map(|f| f.1).collect();
            let mechanisms: Vec<&str> = switches::ALL.iter().map(|m| m.1).collect();
            crate::panic::print(format_args!(
                "GOSCHED_FAULT: unknown fault {name:?}; the faults are {} and the mechanisms {}\n",
                known.join(", "),
                mechanisms.join(", ")
            ));
            std::process::exit(2);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_in_order() {
        for (i, (f, name)) in ALL.iter().enumerate() {
            assert_eq!(*f as usize, i);
            assert_eq!(ALL.iter().filter(|(_, n)| n == name).count(), 1, "{name}");
            assert!(switches::by_name(name).is_none(), "{name} is a mechanism");
        }
    }
}
