#![allow(unsafe_code)]
//! Who waits on a channel or a lock, holds it, or can reach it.
//!
//! Go's locks do not know who holds them. While a prompt is attached that is noted beside them, and
//! in a trace it is told: every lock and unlock takes the way that is not in place, and comes here.
//!
//! # Invariants
//!
//! - K1. Notes are made after a lock was taken, and about when it is given back: a note of one that
//!   is free is old, and its holder may have none yet.
//!
//! Go: none.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::{is_attached, notes_holders, with_world_stopped};
use crate::chan::{self, Chan};
use crate::engine::{GlobalsAt, RootVisitor};
use crate::g::{G, Status};
use crate::heap;
use crate::m::M;
use crate::mutex::{self, RwMutex, WaitGroup};
use crate::sched::for_each_g;
use crate::sema::NotifyList;
use crate::{coro, tls, trace};

/// What is asked about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A channel.
    Chan,
    /// A `sync.Mutex`.
    Mutex,
    /// A `sync.RWMutex`.
    RwMutex,
    /// A `sync.WaitGroup`.
    WaitGroup,
    /// A `sync.Cond`.
    Cond,
}

impl Kind {
    /// Its size in bytes.
    fn size(self) -> usize {
        match self {
            Kind::Chan => size_of::<Chan>(),
            Kind::Mutex => size_of::<mutex::Mutex>(),
            Kind::RwMutex => size_of::<RwMutex>(),
            Kind::WaitGroup => size_of::<WaitGroup>(),
            // An interface stands before the list.
            Kind::Cond => 2 * size_of::<usize>() + size_of::<NotifyList>(),
        }
    }
}

/// What is known of it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Who {
    /// Its state, in words.
    pub state: String,
    /// The goroutines that hold it.
    pub holders: Vec<u64>,
    /// Those that wait on it, and Go's word for what they do.
    pub waiting: Vec<(u64, &'static str)>,
    /// Those whose stacks lead to it.
    pub reached_by: Vec<u64>,
    /// A variable of a package leads to it.
    pub is_global: bool,
}

/// Who holds which lock: for each the goroutines, readers among them.
static HOLDERS: Mutex<Option<HashMap<usize, Vec<u64>>>> = Mutex::new(None);

fn holders() -> MutexGuard<'static, Option<HashMap<usize, Vec<u64>>>> {
    HOLDERS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The current goroutine's number.
fn current() -> u64 {
    let m = tls::current_m();
    // SAFETY: an M belongs to its thread; descriptors are never freed.
    unsafe {
        let g = m.as_ref().map(|m| m.curg);
        g.and_then(|g| g.as_ref()).map_or(0, |g| g.goid.0)
    }
}

/// The current goroutine has taken the mutex at `addr`.
#[inline]
pub(crate) fn took(addr: usize) {
    if notes_holders() {
        note_taken(addr, addr, false);
    }
}

/// As [`took`], for reading: the lock at `object`, by its semaphore at `addr`.
#[inline]
pub(crate) fn took_shared(addr: usize, object: usize) {
    if notes_holders() {
        note_taken(addr, object, true);
    }
}

/// The current goroutine has given the mutex at `addr` back, whoever took it.
#[inline]
pub(crate) fn gave(addr: usize) {
    if notes_holders() {
        note_given(addr, addr, false);
    }
}

/// As [`gave`], for reading; see [`took_shared`].
#[inline]
pub(crate) fn gave_shared(addr: usize, object: usize) {
    if notes_holders() {
        note_given(addr, object, true);
    }
}

#[cold]
fn note_taken(addr: usize, object: usize, shared: bool) {
    trace::locked(object, shared);
    if is_attached() {
        let mut all = holders();
        let held = all.get_or_insert_default().entry(addr).or_default();
        held.push(current());
    }
}

#[cold]
fn note_given(addr: usize, object: usize, shared: bool) {
    trace::unlocked(object, shared);
    if !is_attached() {
        return;
    }
    let mut all = holders();
    let Some(all) = all.as_mut() else { return };
    let Some(held) = all.get_mut(&addr) else {
        return;
    };
    let me = current();
    let own = held.iter().position(|&g| g == me);
    if !held.is_empty() {
        held.swap_remove(own.unwrap_or(0));
    }
    if held.is_empty() {
        all.remove(&addr);
    }
}

/// What is known of the channel or lock at `addr`; none if there can be none.
///
/// Context: as [`with_world_stopped`].
pub fn who(addr: usize, kind: Kind) -> Option<Who> {
    with_world_stopped(move |m| {
        let end = addr.checked_add(kind.size()).filter(|_| addr != 0)?;
        let object = heap::find_object(addr);
        if object.is_some_and(|(base, size, _)| base + size < end) || !addr.is_multiple_of(4) {
            return None;
        }
        let mut who = Who::default();
        // SAFETY: the world is stopped, and there is an object, or a variable, that large.
        let is_free = unsafe { state(addr, kind, &mut who.state) };
        let mut noted: HashSet<u64> = HashSet::new();
        if !is_free && let Some(all) = &*holders() {
            let notes = all.iter().filter(|(lock, _)| (addr..end).contains(lock));
            noted.extend(notes.flat_map(|(_, held)| held));
        }
        let range = addr..end;
        for_each_g(|g| {
            // SAFETY: the world is stopped; descriptors are never freed.
            let g = unsafe { &*g };
            if g.is_system || matches!(g.status(), Status::Dead | Status::Idle) {
                return;
            }
            if g.status() == Status::Waiting && waits_in(g, &range) {
                who.waiting.push((g.goid.0, g.wait_reason().text()));
            } else if noted.contains(&g.goid.0) {
                who.holders.push(g.goid.0);
            }
            let target = object.map_or(addr, |o| o.0);
            if !g.is_main() && leads_to(target, |v| scan(m, g, v)) {
                who.reached_by.push(g.goid.0);
            }
        });
        if who.holders.is_empty() && !noted.is_empty() {
            who.state += " by a goroutine that has ended";
        }
        who.is_global = object.is_none() || {
            leads_to(addr, |v| {
                m.engine.scan_globals(GlobalsAt::default(), usize::MAX, v);
            })
        };
        who.holders.sort_unstable();
        who.waiting.sort_unstable();
        who.reached_by.sort_unstable();
        Some(who)
    })
}

/// Describes what is at `addr`; whether it is a lock that is free.
///
/// # Safety
///
/// There is such a thing, and the world is stopped.
unsafe fn state(addr: usize, kind: Kind, text: &mut String) -> bool {
    // SAFETY: the caller's.
    unsafe {
        match kind {
            Kind::Chan => {
                let c = addr as *const Chan;
                let closed = if chan::is_closed(c) { ", closed" } else { "" };
                *text = format!("{} of {} buffered{closed}", chan::len(c), chan::cap(c));
                true
            }
            Kind::Mutex => mutex::describe(addr as *const mutex::Mutex, text),
            Kind::RwMutex => mutex::describe_rw(addr as *const RwMutex, text),
            Kind::WaitGroup => {
                *text = format!(
                    "counter {}",
                    mutex::wait_group_count(addr as *const WaitGroup)
                );
                true
            }
            Kind::Cond => true,
        }
    }
}

/// Whether `g`, which waits, does so on something in this range.
fn waits_in(g: &G, range: &std::ops::Range<usize>) -> bool {
    let mut s = g.waiting;
    while !s.is_null() {
        // SAFETY: the world is stopped, so a waiting goroutine's sudogs stay.
        unsafe {
            let on = if (*s).chan.is_null() {
                (*s).addr
            } else {
                (*s).chan as usize
            };
            if range.contains(&on) || range.contains(&(*s).wait.object) {
                return true;
            }
            // Only in a select does the link lead to its own next one.
            if !g.wait_reason().is_select() {
                break;
            }
            s = (*s).waitlink;
        }
    }
    false
}

/// The words of a goroutine that may be pointers.
fn scan(m: &M, g: &G, v: &mut dyn RootVisitor) {
    v.word(g.param as usize);
    v.word(g.sched.ctxt);
    if g.native.is_none() {
        m.engine.scan_stack(g, v);
    }
    chan::sudog::scan(g, v);
    // SAFETY: the world is stopped.
    unsafe { coro::native_frames(std::ptr::from_ref(g).cast_mut(), |lo, n| v.range(lo, n)) };
}

/// Objects that [`leads_to`] looks at, at most.
const OBJECTS_MAX: usize = 1 << 20;

/// Whether what `roots` visits leads to `target`, over objects of the heap.
fn leads_to(target: usize, roots: impl FnOnce(&mut dyn RootVisitor)) -> bool {
    struct Words(BTreeSet<usize>);
    impl RootVisitor for Words {
        fn word(&mut self, w: usize) {
            self.0.insert(w);
        }
        fn pointer(&mut self, at: *const usize) {
            // SAFETY: the visitor is given words that can be read.
            self.0.insert(unsafe { *at });
        }
        fn range(&mut self, lo: *const usize, n: usize) {
            // SAFETY: as above.
            self.0.extend((0..n).map(|i| unsafe { *lo.add(i) }));
        }
    }
    let mut words = Words(BTreeSet::new());
    roots(&mut words);
    let mut left: Vec<usize> = words.0.into_iter().collect();
    let mut seen = HashSet::new();
    while let Some(word) = left.pop() {
        if word == target {
            return true;
        }
        let Some((base, _, layout)) = heap::find_object(word) else {
            continue;
        };
        if base == target {
            return true;
        }
        if seen.len() < OBJECTS_MAX && seen.insert(base) && layout != heap::LayoutId::NOSCAN {
            left.extend(heap::object_words(base));
        }
    }
    false
}
