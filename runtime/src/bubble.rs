#![allow(unsafe_code)]
//! Bubbles: goroutines with a clock of their own, for package testing/synctest.
//!
//! A bubble is the goroutine that has called Run, its *root*, and what that one has started,
//! directly or not. In it time stands still as long as any of its goroutines can go on. When all
//! are *durably* blocked, which only another goroutine of the bubble or its clock can end, either
//! the goroutine goes on that has called Wait, or the clock moves to the bubble's next timer, which
//! the root fires. If there is none, or the first goroutine has ended, Run returns.
//!
//! So a bubble counts the goroutines that are not durably blocked. The count changes where a
//! goroutine parks, is made ready, begins and ends. What a goroutine waits for says whether it does
//! so durably: [`WaitReason::is_durable`].
//!
//! # Invariants
//!
//! - U1. `G::bubble` belongs to the owner of the G (g::G1), and is null from its end to its next
//!   start. Bubbles are never freed: a goroutine of one that is over may sleep for ever.
//! - U2. `running` counts the goroutines that are not durably blocked; a park is counted before its
//!   commit function makes the goroutine findable, so `ready` never comes first.
//! - U3. `active` keeps a bubble awake although `running` is 0: while a commit function runs, and
//!   from the choice of what shall go on until that goroutine does.
//! - U4. `now` is written by the root, while nothing of the bubble runs.
//! - U5. A fake timer lies in the heap of the bubble that set it, or in none.
//!
//! Go: runtime/synctest.go.

use std::ptr;

use crate::RootVisitor;
use crate::g::{G, WaitReason};
use crate::lockrank::Rank;
use crate::m::{M, ParkArg};
use crate::sync::{AtomicI64, AtomicU32, Guarded, Ordering};
use crate::timer::{self, Timers};
use crate::{proc, race, tls};

/// The time when a bubble begins: midnight UTC 2000-01-01.
const BEGIN: i64 = 946_684_800_000_000_000;

/// Goroutines with a clock of their own.
#[derive(Debug)]
pub struct Bubble {
    /// Its number, from 1 on.
    id: u32,
    /// Nanoseconds since the Unix epoch (U4).
    now: AtomicI64,
    pub(crate) timers: Timers,
    counts: Guarded<Counts>,
}

#[derive(Debug)]
struct Counts {
    /// The goroutine that has called [`run`].
    root: *mut G,
    /// What the root has started.
    main: *mut G,
    /// The goroutine that has called [`wait`], once it is parked.
    waiter: *mut G,
    /// A goroutine has called [`wait`].
    is_awaited: bool,
    /// `main` has ended.
    is_done: bool,
    /// Goroutines, the root among them.
    total: i64,
    /// U2.
    running: i64,
    /// U3.
    active: i64,
}

// SAFETY: descriptors of goroutines are never freed, and are not tied to a thread.
unsafe impl Send for Counts {}

/// Numbers given so far. Written by [`run`].
static LAST: AtomicU32 = AtomicU32::new(0);

/// Bubbles whose timers the collector must see.
static ALL: Guarded<Vec<&'static Bubble>> = Guarded::new(Rank::Leaf, Vec::new());

impl Counts {
    /// What shall go on if nothing else of the bubble can, or null.
    fn next(&mut self, b: &Bubble) -> *mut G {
        if self.running > 0 || self.active > 0 {
            return ptr::null_mut();
        }
        self.active += 1;
        let when = b.timers.next_when();
        let is_due = when > 0 && when <= b.now();
        if !self.waiter.is_null() && !is_due {
            return self.waiter;
        }
        self.root
    }
}

impl Bubble {
    /// Its time, in nanoseconds since the Unix epoch.
    pub(crate) fn now(&self) -> i64 {
        self.now.load(Ordering::Relaxed)
    }

    /// Its number.
    pub(crate) fn id(&self) -> u32 {
        self.id
    }

    /// Changes the counts, and wakes the goroutine that goes on then, if there is one.
    ///
    /// Context: with a P; no lock held.
    fn change(&self, m: &mut M, f: impl FnOnce(&mut Counts)) {
        let next = {
            let mut counts = self.counts.lock();
            f(&mut counts);
            counts.next(self)
        };
        if !next.is_null() {
            // SAFETY: it waits, and by U3 nothing else wakes it.
            unsafe { proc::ready(m, next) };
        }
    }
}

/// The bubble that `g` belongs to.
///
/// # Safety
///
/// `g` is null, or the caller owns it.
#[inline]
pub(crate) unsafe fn of(g: *const G) -> Option<&'static Bubble> {
    // SAFETY: U1.
    unsafe { g.as_ref().and_then(|g| g.bubble.as_ref()) }
}

/// The bubble that what runs on `m` belongs to: a goroutine, or a timer that the root fires.
#[inline]
pub(crate) fn current(m: &M) -> Option<&'static Bubble> {
    // SAFETY: the M owns its goroutine (U1).
    unsafe {
        match m.curg.is_null() {
            true => m.bubble.as_ref(),
            false => of(m.curg),
        }
    }
}

/// Whether the goroutine that `m` runs is in a bubble.
#[inline]
pub fn is_in(m: &M) -> bool {
    current(m).is_some()
}

/// The time in the bubble that `m` runs a goroutine or a timer of.
#[inline]
pub fn now(m: &M) -> Option<i64> {
    current(m).map(Bubble::now)
}

/// The number of the bubble that `m` runs a goroutine of, or 0.
#[inline]
pub(crate) fn id(m: &M) -> u32 {
    current(m).map_or(0, Bubble::id)
}

/// Whether `g` is outside of the bubble `owner`, whose channel it uses.
///
/// # Safety
///
/// The caller owns `g`.
#[cold]
pub(crate) unsafe fn is_outside(g: *const G, owner: u32) -> bool {
    // SAFETY: the caller's.
    unsafe { of(g) }.map_or(0, Bubble::id) != owner
}

// ---- What changes the counts.

/// `g` is made by what runs on `m`, and not runnable yet.
///
/// # Safety
///
/// The caller owns `g`; no lock is held.
#[inline]
pub(crate) unsafe fn begins(m: &M, g: *mut G) {
    let Some(b) = current(m) else { return };
    // SAFETY: U1.
    unsafe { join(b, g) };
}

#[cold]
unsafe fn join(b: &'static Bubble, g: *mut G) {
    // SAFETY: U1.
    unsafe { (*g).bubble = ptr::from_ref(b).cast_mut() };
    let mut counts = b.counts.lock();
    counts.total += 1;
    counts.running += 1;
    if counts.main.is_null() {
        counts.main = g;
    }
}

/// `g` has ended.
///
/// # Safety
///
/// The caller owns `g`; no lock is held.
#[inline]
pub(crate) unsafe fn ends(m: *mut M, g: *mut G) {
    // SAFETY: the caller's.
    unsafe {
        if let Some(b) = of(g) {
            leave(&mut *m, b, g);
        }
    }
}

#[cold]
unsafe fn leave(m: &mut M, b: &'static Bubble, g: *mut G) {
    // SAFETY: U1.
    unsafe {
        if race::is_on() {
            race::edge(g, ptr::from_ref(b) as usize, race::Edge::Release);
        }
        (*g).bubble = ptr::null_mut();
    }
    b.change(m, |counts| {
        counts.total -= 1;
        counts.running -= 1;
        counts.is_done |= g == counts.main;
    });
}

/// `g` is about to be marked waiting: the bubble that must be told by [`parked`] when that is over.
///
/// # Safety
///
/// The caller owns `g`; locks may be held.
#[inline]
pub(crate) unsafe fn parks(g: *mut G) -> Option<&'static Bubble> {
    // SAFETY: the caller's.
    unsafe {
        let b = of(g)?;
        blocks(b, g)
    }
}

#[cold]
unsafe fn blocks(b: &'static Bubble, g: *mut G) -> Option<&'static Bubble> {
    // SAFETY: the caller owns `g`.
    unsafe {
        if !(*g).wait_reason().is_durable() {
            return None;
        }
        if race::is_on() {
            race::edge(g, ptr::from_ref(b) as usize, race::Edge::Release);
        }
    }
    let mut counts = b.counts.lock();
    counts.running -= 1;
    counts.active += 1;
    Some(b)
}

/// The park that [`parks`] was told of is done, or `undone`.
///
/// Context: g0 with a P; no lock held.
#[cold]
pub(crate) fn parked(m: &mut M, b: &'static Bubble, undone: bool) {
    b.change(m, |counts| {
        counts.active -= 1;
        counts.running += i64::from(undone);
    });
}

/// `g`, which waits, is made runnable.
///
/// # Safety
///
/// The caller has the right to wake `g`.
#[inline]
pub(crate) unsafe fn readied(g: *mut G) {
    // SAFETY: the caller's.
    unsafe {
        if let Some(b) = of(g) {
            unblocks(b, g);
        }
    }
}

#[cold]
unsafe fn unblocks(b: &'static Bubble, g: *mut G) {
    // SAFETY: the caller has the right to wake `g`.
    if unsafe { (*g).wait_reason() }.is_durable() {
        b.counts.lock().running += 1;
    }
}

// ---- Run and Wait.

/// What [`run`] has come to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ran {
    /// The goroutine must park, and call [`resume`] when it runs again.
    Blocked,
    /// All goroutines have ended.
    Done,
    /// Only blocked ones are left, of the bubble with this number; their first one has ended, or
    /// not.
    Deadlock(u32, bool),
}

/// Makes a bubble whose root is `g`, which is in none; `start` makes its first goroutine.
///
/// Context: coroutine; with a P; no lock held.
pub fn run(m: &mut M, g: &mut G, start: impl FnOnce(&mut M)) -> Ran {
    let root: *mut G = g;
    let b: &'static Bubble = Box::leak(Box::new(Bubble {
        id: LAST.fetch_add(1, Ordering::Relaxed) + 1,
        now: AtomicI64::new(BEGIN),
        timers: Timers::new(),
        counts: Guarded::new(
            Rank::Bubble,
            Counts {
                root,
                main: ptr::null_mut(),
                waiter: ptr::null_mut(),
                is_awaited: false,
                is_done: false,
                total: 1,
                running: 1,
                active: 0,
            },
        ),
    }));
    ALL.lock().push(b);
    g.bubble = ptr::from_ref(b).cast_mut();
    start(m);
    idle(m, b)
}

/// Parks the root until nothing of the bubble can go on.
fn idle(m: &mut M, b: &'static Bubble) -> Ran {
    m.park(
        Some(commit_idle),
        ParkArg::object(b),
        WaitReason::SynctestRun,
    );
    Ran::Blocked
}

/// Commits the park of a root: fires what is due.
///
/// # Safety
///
/// `b` is its bubble.
unsafe fn commit_idle(_: *mut G, b: ParkArg) -> bool {
    // SAFETY: bubbles are never freed; the M is this thread's.
    unsafe {
        let b = &*b.as_ptr::<Bubble>();
        let m = &mut *tls::current_m();
        m.bubble = ptr::from_ref(b).cast_mut();
        timer::run_due(m, &b.timers, b.now());
        m.bubble = ptr::null_mut();
    }
    true
}

/// Goes on with [`run`] when the root runs again.
///
/// Context: as [`run`].
pub fn resume(m: &mut M, g: &mut G) -> Ran {
    // SAFETY: the goroutine runs, and is a root.
    let Some(b) = (unsafe { of(g) }) else {
        crate::throw!("synctest root without a bubble");
    };
    let (is_done, total) = {
        let mut counts = b.counts.lock();
        counts.active -= 1;
        let when = b.timers.next_when();
        if when != 0 && !counts.is_done {
            // Time does not go back: a timer that is due was fired, or was set since.
            b.now.store(when.max(b.now()), Ordering::Relaxed);
            drop(counts);
            return idle(m, b);
        }
        (counts.is_done, counts.total)
    };
    if race::is_on() {
        // SAFETY: the goroutine runs.
        unsafe { race::edge(g, ptr::from_ref(b) as usize, race::Edge::Acquire) };
    }
    g.bubble = ptr::null_mut();
    if total != 1 {
        return Ran::Deadlock(b.id, is_done);
    }
    ALL.lock().retain(|one| !ptr::eq(*one, b));
    b.timers.forget();
    Ran::Done
}

/// Why [`wait`] cannot wait.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refused {
    /// The goroutine is in no bubble.
    Outside,
    /// Another goroutine of the bubble waits.
    Twice,
}

/// Waits until all others of the bubble are durably blocked; then comes [`waited`].
///
/// Context: as [`run`].
pub fn wait(m: &mut M, g: &mut G) -> Result<(), Refused> {
    // SAFETY: the goroutine runs.
    let Some(b) = (unsafe { of(g) }) else {
        return Err(Refused::Outside);
    };
    if std::mem::replace(&mut b.counts.lock().is_awaited, true) {
        return Err(Refused::Twice);
    }
    m.park(
        Some(commit_wait),
        ParkArg::object(b),
        WaitReason::SynctestWait,
    );
    Ok(())
}

/// Commits the park of a waiter.
///
/// # Safety
///
/// `b` is its bubble.
unsafe fn commit_wait(g: *mut G, b: ParkArg) -> bool {
    // SAFETY: bubbles are never freed.
    unsafe { (*b.as_ptr::<Bubble>()).counts.lock().waiter = g };
    true
}

/// Ends [`wait`] when the goroutine runs again.
pub fn waited(g: &mut G) {
    // SAFETY: the goroutine runs.
    let Some(b) = (unsafe { of(g) }) else { return };
    {
        let mut counts = b.counts.lock();
        counts.active -= 1;
        counts.waiter = ptr::null_mut();
        counts.is_awaited = false;
    }
    if race::is_on() {
        // SAFETY: the goroutine runs.
        unsafe { race::edge(g, ptr::from_ref(b) as usize, race::Edge::Acquire) };
    }
}

/// Gives the collector the timers of all bubbles.
///
/// Context: the world is stopped.
pub(crate) fn scan(v: &mut dyn RootVisitor) {
    let all = ALL.lock().clone();
    for b in all {
        timer::scan(&b.timers, v);
    }
}

/// Whether `g` is in the bubble with that number.
///
/// # Safety
///
/// Descriptors may change meanwhile: for the dying.
pub(crate) unsafe fn has(id: u32, g: *const G) -> bool {
    // SAFETY: bubbles are never freed.
    unsafe { of(g) }.is_some_and(|b| b.id == id)
}

/// Ends the program if `g`, which waits for a condition, is woken from outside its bubble.
///
/// # Safety
///
/// The caller has the right to wake `g`.
#[inline]
pub(crate) unsafe fn check_notified(m: &M, g: *const G) {
    // SAFETY: the caller's.
    unsafe {
        if !(*g).bubble.is_null() && of(g).map(Bubble::id) != current(m).map(Bubble::id) {
            crate::panic::print(format_args!(
                "semaphore wake of synctest goroutine {} from outside bubble\n",
                (*g).goid.0
            ));
            crate::fatal!("semaphore wake of synctest goroutine from outside bubble");
        }
    }
}
