//! Vector clocks, and those of goroutines.
//!
//! A clock is a tree of which parts are shared with other clocks: to copy one costs nothing, to
//! change an entry the way to it, and to join two the parts in which they differ. So a goroutine
//! costs no more when many others live.
//!
//! Each part names the thread that knew it first: see [`Tag`]. A join passes over a part that the
//! clock already has in a newer state.
//!
//! # Invariants
//!
//! - V1. A thread tells others its clock at the end of a time, and joins others into it before.
//! - V2. A clock that knows a time of a thread knows all that the thread knew at its end.
//! - V3. A part with a tag says all that the thread of the tag knew of the threads in it, but of
//!   itself, at a moment of the time of the tag. The clock knows that time itself.
//! - V4. The M that may touch the detector (race::R2) makes, changes and copies clocks. It changes
//!   that of the goroutine that it runs, or of one that does not run: so a goroutine that runs may
//!   read its own without the lock.

use super::shadow::{Epoch, Race};
use crate::g::{G, Goid};
use crate::heap::map_memory;
use std::cell::Cell;
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};
use std::rc::Rc;

/// A vector clock: for each thread how much of it comes before.
#[derive(Clone, Default)]
pub(super) struct Clock {
    root: Node,
    /// How many levels of inner nodes there are.
    height: u32,
    late: Late,
}

/// A thread and its time that the tree of a clock does not have yet, unless that is 0: what was set
/// last often changes again, or goes with the clock, before anybody joins it.
#[derive(Clone, Copy, Default)]
struct Late {
    thread: usize,
    time: u32,
    /// All that the tree says the thread knew at the end of that time.
    is_all: bool,
}

/// A thread and a time of it; 0: none. By V2 and V3 who knows that time of the thread knows all
/// that is below the tag.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct Tag {
    thread: u32,
    time: u32,
}

impl Tag {
    const NONE: Tag = Tag { thread: 0, time: 0 };
}

/// How many entries a leaf has, and how many nodes an inner one: all are of one size, so that the
/// allocator keeps them ready.
const TIMES: usize = 1 << TIMES_BITS;
const TIMES_BITS: u32 = 5;
const NODES: usize = 1 << NODES_BITS;
const NODES_BITS: u32 = 2;

/// `None`: nothing but zeros.
type Node = Option<Rc<Body>>;

/// The tag lies beside the counts of `Rc`, so that a glance costs one line of the cache.
#[derive(Clone)]
#[repr(C)]
struct Body {
    tag: Tag,
    has: Content,
}

#[derive(Clone)]
enum Content {
    Leaf([u32; TIMES]),
    Inner([Node; NODES]),
}

fn node(tag: Tag, has: Content) -> Node {
    Some(Rc::new(Body { tag, has }))
}

/// Of which node below one of so many levels above leaves an entry is.
fn place(thread: usize, level: u32) -> usize {
    thread >> (TIMES_BITS + NODES_BITS * (level - 1)) & (NODES - 1)
}

/// The larger ones of two lists of times, and whether they are all of the first and all of the
/// second. Without a branch, so that the machine does several at a time.
fn larger(mine: &[u32; TIMES], theirs: &[u32; TIMES]) -> ([u32; TIMES], bool, bool) {
    let (mut times, mut more, mut less) = ([0; TIMES], 0, 0);
    for i in 0..TIMES {
        times[i] = mine[i].max(theirs[i]);
        more |= times[i] ^ mine[i];
        less |= times[i] ^ theirs[i];
    }
    (times, more == 0, less == 0)
}

/// One of two clocks that are joined.
struct Side<'a> {
    clock: &'a Clock,
    /// The thread whose it is, which knows all its times.
    own: usize,
    /// What was asked last.
    last: Cell<(Tag, bool)>,
}

impl Side<'_> {
    fn new(clock: &Clock, own: usize) -> Side<'_> {
        Side {
            clock,
            own,
            last: Cell::default(),
        }
    }

    /// Does it know all that is below a tag? `starts`: when the last life of each thread began, for
    /// V2 holds within a life.
    fn knows(&self, tag: Tag, starts: &[u32]) -> bool {
        let thread = tag.thread as usize;
        if tag.time == 0 || thread == self.own {
            return tag.time != 0 && starts[thread] <= tag.time;
        }
        let (last, knew) = self.last.get();
        if last == tag {
            return knew;
        }
        let knows = starts[thread] <= tag.time && self.clock.get(thread) >= tag.time;
        self.last.set((tag, knows));
        knows
    }
}

/// The union of two nodes.
enum Union {
    /// They are the same.
    Same,
    Mine,
    Theirs,
    New(Rc<Body>),
}

/// Joins two clocks, which do not change meanwhile.
struct Join<'a> {
    mine: Side<'a>,
    theirs: Side<'a>,
    /// The tag of what is made anew.
    tag: Tag,
    starts: &'a [u32],
}

impl Join<'_> {
    /// What can be said at a glance.
    #[inline(always)]
    fn union(&self, mine: &Node, theirs: &Node) -> Union {
        let (mine, theirs) = match (mine, theirs) {
            (Some(mine), Some(theirs)) => (mine, theirs),
            (None, None) => return Union::Same,
            (_, None) => return Union::Mine,
            (None, _) => return Union::Theirs,
        };
        if Rc::ptr_eq(mine, theirs) {
            return Union::Same;
        }
        // Most parts that differ are of one thread at two times: V3.
        let [old, new] = [mine.tag, theirs.tag];
        let is_newer = old.thread == new.thread && old.time != new.time;
        if is_newer && self.starts[old.thread as usize] <= old.time.min(new.time) {
            return match old.time < new.time {
                true => Union::Theirs,
                false => Union::Mine,
            };
        }
        self.merge(mine, theirs)
    }

    #[inline(never)]
    fn merge(&self, mine: &Body, theirs: &Body) -> Union {
        if self.mine.knows(theirs.tag, self.starts) {
            return Union::Mine;
        }
        if self.theirs.knows(mine.tag, self.starts) {
            return Union::Theirs;
        }
        match (&mine.has, &theirs.has) {
            (Content::Leaf(mine), Content::Leaf(theirs)) => self.leaves(mine, theirs),
            (Content::Inner(mine), Content::Inner(theirs)) => self.inner(mine, theirs),
            // There are leaves on one level only.
            _ => crate::throw!("a leaf above the leaves"),
        }
    }

    fn made(&self, has: Content) -> Union {
        Union::New(Rc::new(Body { tag: self.tag, has }))
    }

    fn leaves(&self, mine: &[u32; TIMES], theirs: &[u32; TIMES]) -> Union {
        match larger(mine, theirs) {
            // Sooner or later all have the same node.
            (.., true) => Union::Theirs,
            (_, true, _) => Union::Mine,
            (times, ..) => self.made(Content::Leaf(times)),
        }
    }

    fn inner(&self, mine: &[Node; NODES], theirs: &[Node; NODES]) -> Union {
        let (mut is_mine, mut is_theirs) = (true, true);
        // Where neither will do; a bit for each that is theirs.
        let mut made: [Node; NODES] = Default::default();
        let mut taken = 0_u32;
        for i in 0..NODES {
            match self.union(&mine[i], &theirs[i]) {
                Union::Same => {}
                Union::Mine => is_theirs = false,
                Union::Theirs => (is_mine, taken) = (false, taken | 1 << i),
                Union::New(body) => {
                    (is_mine, is_theirs) = (false, false);
                    made[i] = Some(body);
                }
            }
        }
        if is_theirs {
            return Union::Theirs;
        }
        if is_mine {
            return Union::Mine;
        }
        for (i, made) in made.iter_mut().enumerate() {
            if made.is_none() {
                let from = if taken & 1 << i != 0 { theirs } else { mine };
                made.clone_from(&from[i]);
            }
        }
        self.made(Content::Inner(made))
    }
}

impl Clock {
    pub(super) fn get(&self, thread: usize) -> u32 {
        if self.late.time != 0 && self.late.thread == thread {
            return self.late.time;
        }
        if thread >> (TIMES_BITS + NODES_BITS * self.height) != 0 {
            return 0;
        }
        let (mut node, mut level) = (&self.root, self.height);
        loop {
            match node.as_deref().map(|body| &body.has) {
                None => return 0,
                Some(Content::Leaf(times)) => return times[thread & (TIMES - 1)],
                Some(Content::Inner(nodes)) => node = &nodes[place(thread, level)],
            }
            level -= 1;
        }
    }

    fn is_empty(&self) -> bool {
        self.root.is_none() && self.late.time == 0
    }

    /// Is no time late but perhaps one of `thread`?
    fn is_late_only_of(&self, thread: usize) -> bool {
        self.late.time == 0 || self.late.thread == thread
    }

    /// Makes it as high as `height`, at least.
    fn grow(&mut self, height: u32) {
        while self.height < height {
            if let Some(root) = self.root.take() {
                let mut nodes: [Node; NODES] = Default::default();
                nodes[0] = Some(root);
                self.root = node(Tag::NONE, Content::Inner(nodes));
            }
            self.height += 1;
        }
    }

    /// The node of a level in which the entry of a thread is, which is about to change. Those above
    /// it are this clock's own then.
    fn own(&mut self, thread: usize, to: u32, tag: Tag) -> &mut Node {
        let (mut at, mut level) = (&mut self.root, self.height);
        while level > to {
            let body = at.get_or_insert_with(|| {
                Rc::new(Body {
                    tag,
                    has: Content::Inner(Default::default()),
                })
            });
            let body = Rc::make_mut(body);
            body.tag = tag;
            let Content::Inner(nodes) = &mut body.has else {
                crate::throw!("a leaf above the leaves")
            };
            at = &mut nodes[place(thread, level)];
            level -= 1;
        }
        at
    }

    /// Sets the time of a thread. By the tag is known what the clock said before.
    fn set(&mut self, late: Late, tag: Tag) {
        if self.late.thread != late.thread {
            self.settle(tag);
        }
        self.late = late;
    }

    /// Puts what is late into the tree.
    fn settle(&mut self, tag: Tag) {
        let Late {
            thread,
            time,
            is_all,
        } = std::mem::take(&mut self.late);
        if time == 0 {
            return;
        }
        let told = Tag {
            thread: thread as u32,
            time,
        };
        let tag = if is_all { told } else { tag };
        let bits = usize::BITS - thread.leading_zeros();
        self.grow(bits.saturating_sub(TIMES_BITS).div_ceil(NODES_BITS));
        let leaf = self.own(thread, 0, tag).get_or_insert_with(|| {
            Rc::new(Body {
                tag,
                has: Content::Leaf([0; TIMES]),
            })
        });
        let leaf = Rc::make_mut(leaf);
        leaf.tag = tag;
        if let Content::Leaf(times) = &mut leaf.has {
            times[thread & (TIMES - 1)] = time;
        }
    }

    /// Raises each entry to the one of `other`; does the tree become that of the other? Both may be
    /// a thread's: `owns`. By the tag is known what the clock says then.
    fn join(&mut self, other: &Clock, owns: [usize; 2], tag: Tag, starts: &[u32]) -> bool {
        if other.is_empty() {
            return self.is_empty();
        }
        if self.is_empty() {
            *self = other.clone();
            return true;
        }
        let is_small = self.height | other.height == 0;
        let small = if is_small {
            self.join_small(other, tag)
        } else {
            None
        };
        let is_theirs = small.unwrap_or_else(|| self.join_trees(other, owns, tag, starts));
        let late = other.late;
        if late.thread != owns[0] && self.get(late.thread) < late.time {
            let is_all = is_theirs && late.is_all && self.late.time == 0;
            self.set(Late { is_all, ..late }, tag);
        }
        is_theirs
    }

    fn join_trees(&mut self, other: &Clock, owns: [usize; 2], tag: Tag, starts: &[u32]) -> bool {
        self.grow(other.height);
        let join = Join {
            mine: Side::new(self, owns[0]),
            theirs: Side::new(other, owns[1]),
            tag,
            starts,
        };
        // The part of it that has the threads which the other has.
        let (mut part, mut level) = (&self.root, self.height);
        while level > other.height {
            match part.as_deref().map(|body| &body.has) {
                Some(Content::Inner(nodes)) => part = &nodes[0],
                _ => break,
            }
            level -= 1;
        }
        let (new, is_theirs) = match join.union(part, &other.root) {
            Union::Mine => return false,
            Union::Same => return self.height == other.height,
            Union::Theirs => (other.root.clone(), true),
            Union::New(body) => (Some(body), false),
        };
        *self.own(0, other.height, tag) = new;
        self.look_again();
        is_theirs && self.height == other.height
    }

    /// The tree has changed, and may know what is late by now.
    fn look_again(&mut self) {
        let late = std::mem::take(&mut self.late);
        if self.get(late.thread) < late.time {
            self.late = Late {
                is_all: false,
                ..late
            };
        }
    }

    /// As [`Clock::join_trees`], in place, if both are a leaf and no other clock shares it.
    fn join_small(&mut self, other: &Clock, tag: Tag) -> Option<bool> {
        let (Some(mine), Some(theirs)) = (&mut self.root, &other.root) else {
            return None;
        };
        let mine = Rc::get_mut(mine)?;
        let (Content::Leaf(times), Content::Leaf(new)) = (&mut mine.has, &theirs.has) else {
            return None;
        };
        let (new, was_enough, is_theirs) = larger(times, new);
        if !was_enough {
            *times = new;
            mine.tag = if is_theirs { theirs.tag } else { tag };
            self.look_again();
        }
        Some(is_theirs)
    }

    /// Becomes like `other`, in place if that is a leaf and no other clock shares this one's.
    fn become_like(&mut self, other: &Clock) {
        if let (0, 0, Some(mine), Some(theirs)) =
            (self.height, other.height, &mut self.root, &other.root)
        {
            if let (Some(mine), Content::Leaf(theirs_has)) = (Rc::get_mut(mine), &theirs.has) {
                mine.tag = theirs.tag;
                if let Content::Leaf(times) = &mut mine.has {
                    *times = *theirs_has;
                    self.late = other.late;
                    return;
                }
            }
        }
        *self = other.clone();
    }
}

/// A goroutine that has been a thread's.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Life {
    /// The thread's time when it began.
    from: u32,
    pub is_over: bool,
    pub goid: Goid,
    /// Where it was made: as [`Engine::way_in`](crate::engine::Engine::way_in) says.
    pub made_at: Box<[usize]>,
}

/// What has a place in vector clocks. One goroutine after the other may have it: time goes on.
struct Thread {
    /// What comes before, of others.
    clock: Clock,
    /// Its time, which the goroutine's field `race` has as well.
    now: u32,
    /// Since when it has learnt nothing of others.
    since: u32,
    /// The goroutine; null when it has ended.
    g: *const G,
    lives: Vec<Life>,
    wanted: [Option<usize>; 2],
    /// It acquires what it wants before anything else is done in its name.
    is_pending: bool,
    /// The race that it is in, until that is told.
    found: Option<Race>,
}

impl Thread {
    /// What is told of it besides its clock. `is_all`: a clock that is told says nothing else.
    fn tells(&self, thread: usize, is_all: bool) -> Late {
        Late {
            thread,
            time: self.now,
            is_all,
        }
    }
}

/// How many threads epochs can name.
const MOST: usize = if cfg!(test) { 1 << 12 } else { 1 << 22 };

/// Threads, each at an address that stays.
struct All {
    base: *mut Thread,
    n: usize,
    owns: PhantomData<Thread>,
}

impl All {
    fn new() -> Option<All> {
        let prot = libc::PROT_READ | libc::PROT_WRITE;
        let base = map_memory(0, MOST * size_of::<Thread>(), prot)?;
        Some(All {
            base: base as *mut Thread,
            n: 0,
            owns: PhantomData,
        })
    }

    fn len(&self) -> usize {
        self.n
    }

    fn push(&mut self, thread: Thread) {
        if self.n == MOST {
            crate::throw!("race: limit on {MOST} simultaneously alive goroutines is exceeded");
        }
        // SAFETY: there is room for it.
        unsafe { self.base.add(self.n).write(thread) };
        self.n += 1;
    }
}

impl Index<usize> for All {
    type Output = Thread;

    fn index(&self, i: usize) -> &Thread {
        assert!(i < self.n);
        // SAFETY: so many have been written; V4.
        unsafe { &*self.base.add(i) }
    }
}

impl IndexMut<usize> for All {
    fn index_mut(&mut self, i: usize) -> &mut Thread {
        assert!(i < self.n);
        // SAFETY: so many have been written; V4.
        unsafe { &mut *self.base.add(i) }
    }
}

/// A thread as its goroutine sees it, which runs.
pub(super) struct Own<'a> {
    pub thread: usize,
    /// The epoch of what it does now.
    pub now: Epoch,
    clock: &'a Clock,
}

impl Own<'_> {
    /// The thread of a goroutine that has the epoch `race`.
    ///
    /// # Safety
    ///
    /// The goroutine runs, here, and has a thread of `threads`.
    #[inline]
    pub(super) unsafe fn new<'a>(threads: *const Threads, race: Epoch) -> Own<'a> {
        let thread = race.thread();
        // SAFETY: where threads are never changes; V4.
        let clock = unsafe {
            let base = (&raw const (*threads).all.base).read();
            &(*base.add(thread)).clock
        };
        Own {
            thread,
            now: Epoch::of(race.time(), thread),
            clock,
        }
    }

    /// Does it want something that it has not acquired?
    ///
    /// # Safety
    ///
    /// As [`Own::new`].
    #[inline]
    pub(super) unsafe fn is_pending(threads: *const Threads, race: Epoch) -> bool {
        // SAFETY: as there.
        unsafe {
            let base = (&raw const (*threads).all.base).read();
            (&raw const (*base.add(race.thread())).is_pending).read()
        }
    }

    /// How much of `other` comes before what it does now.
    pub(super) fn knows(&self, other: usize) -> u32 {
        match self.thread == other {
            true => self.now.time(),
            false => self.clock.get(other),
        }
    }
}

/// The threads of all goroutines.
pub(super) struct Threads {
    all: All,
    /// When the last life of each began.
    starts: Vec<u32>,
    free: Vec<usize>,
}

/// In place of a thread, for a clock that is no thread's.
const NOBODY: usize = usize::MAX;

/// Below so many threads each goroutine gets its own.
const OWN: usize = if cfg!(test) { 1 << 4 } else { 1 << 10 };

impl Threads {
    /// `None`: there is no address space for them.
    pub(super) fn new() -> Option<Threads> {
        Some(Threads {
            all: All::new()?,
            starts: Vec::new(),
            free: Vec::new(),
        })
    }

    /// The thread of `g`.
    #[inline]
    pub(super) fn of(&mut self, g: &G) -> usize {
        match g.race.get() {
            0 => self.begin(g, None, Vec::new()),
            epoch => Epoch(epoch).thread(),
        }
    }

    fn begin(&mut self, g: &G, parent: Option<usize>, made_at: Vec<usize>) -> usize {
        let me = match self.all.len() < OWN {
            true => None,
            false => self.free.pop(),
        };
        let me = me.unwrap_or_else(|| {
            self.all.push(Thread {
                clock: Clock::default(),
                now: 0,
                since: 0,
                g: std::ptr::null(),
                lives: Vec::new(),
                wanted: [None; 2],
                is_pending: false,
                found: None,
            });
            self.starts.push(0);
            self.all.len() - 1
        });
        let mut clock = Clock::default();
        if let Some(parent) = parent {
            self.tell(parent, &mut clock);
        }
        let thread = &mut self.all[me];
        thread.clock = clock;
        (thread.wanted, thread.is_pending, thread.found) = ([None; 2], false, None);
        thread.g = g;
        thread.lives.push(Life {
            from: thread.now + 1,
            goid: g.goid,
            made_at: made_at.into(),
            is_over: false,
        });
        self.tick(me);
        (self.all[me].since, self.starts[me]) = (self.all[me].now, self.all[me].now);
        me
    }

    /// A goroutine is made: what its parent has done comes before it.
    pub(super) fn spawn(&mut self, g: &mut G, parent: Option<usize>, made_at: Vec<usize>) -> usize {
        g.race.set(0);
        self.begin(g, parent, made_at)
    }

    pub(super) fn end(&mut self, g: &mut G) {
        let epoch = Epoch(g.race.replace(0));
        if epoch.is_none() {
            return;
        }
        let thread = &mut self.all[epoch.thread()];
        thread.g = std::ptr::null();
        thread.clock = Clock::default();
        if let Some(life) = thread.lives.last_mut() {
            life.is_over = true;
        }
        self.free.push(epoch.thread());
    }

    /// A time begins: what a thread does from now on is not part of what was told of it.
    #[inline]
    fn tick(&mut self, me: usize) {
        let thread = &mut self.all[me];
        thread.now += 1;
        // SAFETY: a G stays; when its goroutine ends the thread forgets it.
        if let Some(g) = unsafe { thread.g.as_ref() } {
            g.race.set(Epoch::of(thread.now, me).0);
        }
    }

    /// The tag of what `thread` learns now.
    fn tag(&self, thread: usize) -> Tag {
        Tag {
            thread: thread as u32,
            time: self.all[thread].now,
        }
    }

    /// Readies the clock of `thread` for being told: puts what is late into the tree once, not in
    /// each clock that shares it.
    fn settle(&mut self, thread: usize) {
        let tag = self.tag(thread);
        self.all[thread].clock.settle(tag);
    }

    /// All that `thread` knows becomes part of `clock`, which is no thread's: see V1.
    fn tell(&mut self, thread: usize, clock: &mut Clock) {
        let me = &self.all[thread];
        let late = &mut clock.late;
        if late.is_all && late.thread == thread && me.since <= late.time {
            // It has told all but how late it is.
            late.time = me.now;
            return self.tick(thread);
        }
        self.settle(thread);
        let me = &self.all[thread];
        let is_theirs = clock.join(&me.clock, [NOBODY, thread], Tag::NONE, &self.starts);
        let is_all = is_theirs && clock.is_late_only_of(thread);
        clock.set(me.tells(thread, is_all), Tag::NONE);
        self.tick(thread);
    }

    /// The epoch of what `thread` does now.
    pub(super) fn now(&self, thread: usize) -> Epoch {
        Epoch::of(self.all[thread].now, thread)
    }

    /// How much of `other` comes before what `thread` does now.
    #[cfg(test)]
    pub(super) fn knows(&self, thread: usize, other: usize) -> u32 {
        match thread == other {
            true => self.all[thread].now,
            false => self.all[thread].clock.get(other),
        }
    }

    pub(super) fn join(&mut self, thread: usize, clock: &Clock) {
        let late = clock.late;
        if late.is_all && late.thread == thread && self.starts[thread] <= late.time {
            // It knows what it has told itself.
            return;
        }
        let tag = self.tag(thread);
        let me = &mut self.all[thread];
        me.clock.join(clock, [thread, NOBODY], tag, &self.starts);
        me.since = me.now;
    }

    /// As [`Threads::join`], for a clock that is nobody's.
    pub(super) fn join_clocks(&self, clock: &mut Clock, other: &Clock) {
        clock.join(other, [NOBODY; 2], Tag::NONE, &self.starts);
    }

    /// Everything that anybody has done comes before what `thread` does.
    pub(super) fn join_all(&mut self, thread: usize) {
        let tag = self.tag(thread);
        let mut clock = std::mem::take(&mut self.all[thread].clock);
        for other in 0..self.all.len() {
            if other != thread {
                clock.set(self.all[other].tells(other, false), tag);
                // What runs meanwhile is left at its time, what it does then is taken for earlier.
                if !super::are_several() {
                    self.tick(other);
                }
            }
        }
        let me = &mut self.all[thread];
        (me.clock, me.since) = (clock, me.now);
    }

    /// What a thread has done comes before what others do that join `clock`.
    pub(super) fn release(&mut self, thread: usize, clock: &mut Clock) {
        self.tell(thread, clock);
    }

    /// As [`Threads::release`], and what was in `clock` before counts no more, or is known to the
    /// thread.
    pub(super) fn replace(&mut self, thread: usize, clock: &mut Clock) {
        self.settle(thread);
        let me = &self.all[thread];
        clock.become_like(&me.clock);
        clock.set(me.tells(thread, true), Tag::NONE);
        self.tick(thread);
    }

    /// What `from` has done comes before what `to` does.
    pub(super) fn pass(&mut self, from: usize, to: usize) {
        if from != to {
            self.settle(from);
            let tag = self.tag(to);
            let mut clock = std::mem::take(&mut self.all[to].clock);
            let other = &self.all[from];
            let is_theirs = clock.join(&other.clock, [to, from], tag, &self.starts);
            let is_all = is_theirs && clock.is_late_only_of(from);
            clock.set(other.tells(from, is_all), tag);
            let to = &mut self.all[to];
            (to.clock, to.since) = (clock, to.now);
            self.tick(from);
        }
    }

    /// Both know of each other, and then the same of others.
    pub(super) fn meet(&mut self, a: usize, b: usize) {
        self.settle(a);
        self.settle(b);
        let told = [a, b].map(|thread| self.all[thread].tells(thread, false));
        self.tick(a);
        self.tick(b);
        let tag = self.tag(a);
        let mut clock = std::mem::take(&mut self.all[a].clock);
        clock.join(&self.all[b].clock, [a, b], tag, &self.starts);
        clock.set(told[1], tag);
        clock.set(told[0], tag);
        // While nobody shares what the join has made.
        clock.settle(tag);
        for thread in [a, b] {
            let thread = &mut self.all[thread];
            (thread.clock, thread.since) = (clock.clone(), thread.now);
        }
    }

    /// `later`: it acquires them when something else is done in its name.
    pub(super) fn wants(&mut self, thread: usize, objects: [Option<usize>; 2], later: bool) {
        let thread = &mut self.all[thread];
        (thread.wanted, thread.is_pending) = (objects, later);
    }

    /// Does it want something that it has not acquired? It does that now.
    pub(super) fn take_pending(&mut self, thread: usize) -> bool {
        std::mem::take(&mut self.all[thread].is_pending)
    }

    /// Notes the race that a thread is in.
    pub(super) fn finds(&mut self, thread: usize, race: Race) {
        self.all[thread].found = Some(race);
    }

    pub(super) fn take_found(&mut self, thread: usize) -> Option<Race> {
        self.all[thread].found.take()
    }

    pub(super) fn wanted(&self, thread: usize) -> [Option<usize>; 2] {
        self.all[thread].wanted
    }

    /// Whose the thread was at a time.
    pub(super) fn life(&self, thread: usize, at: u32) -> Option<Life> {
        let lives = &self.all[thread].lives;
        lives.iter().rev().find(|life| life.from <= at).cloned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rand::Rand;

    #[test]
    fn what_is_released_is_known_to_who_acquires() {
        let mut threads = Threads::new().unwrap();
        let gs = [G::new(), G::new()];
        let [a, b] = [threads.of(&gs[0]), threads.of(&gs[1])];
        let then = threads.now(a).time();
        let mut lock = Clock::default();
        threads.release(a, &mut lock);
        let after = threads.now(a).time();
        threads.join(b, &lock);
        assert!(threads.knows(b, a) >= then && threads.knows(b, a) < after);
        assert_eq!(threads.knows(a, b), 0);
    }

    #[test]
    fn who_meets_knows_of_each_other_up_to_now() {
        let mut threads = Threads::new().unwrap();
        let gs = [G::new(), G::new()];
        let [a, b] = [threads.of(&gs[0]), threads.of(&gs[1])];
        let then = [threads.now(a).time(), threads.now(b).time()];
        threads.meet(a, b);
        assert_eq!([threads.knows(b, a), threads.knows(a, b)], then);
        assert!(threads.now(a).time() > then[0] && threads.now(b).time() > then[1]);
    }

    /// What threads know is what they would if clocks were plain lists of times.
    #[test]
    fn clocks_are_lists_of_times() {
        #[derive(Clone, Default)]
        struct List(Vec<u32>);
        impl List {
            fn join(&mut self, other: &List) {
                self.0.resize(self.0.len().max(other.0.len()), 0);
                for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
                    *mine = (*mine).max(*theirs);
                }
            }
        }
        for seed in 0..9 {
            let mut rand = Rand::new(seed);
            let most = [3, 20, 300][seed as usize % 3];
            let mut threads = Threads::new().unwrap();
            let mut gs: Vec<(Box<G>, usize, List)> = Vec::new();
            let mut locks: [(Clock, List); 3] = Default::default();
            // A goroutine tells its list, at the end of a time.
            fn told((_, me, list): &mut (Box<G>, usize, List)) -> List {
                let told = list.clone();
                list.0[*me] += 1;
                told
            }
            for step in 0..1500 {
                let n = gs.len() as u32;
                let is_new = n < 2 || n < most && rand.below(3) == 0;
                let by = (n > 0).then(|| rand.below(n) as usize);
                if is_new {
                    let mut g = Box::new(G::new());
                    let parent = by.map(|by| gs[by].1);
                    let me = threads.spawn(&mut g, parent, Vec::new());
                    let mut list = by.map_or_else(List::default, |by| told(&mut gs[by]));
                    list.0.resize(list.0.len().max(me + 1), 0);
                    list.0[me] = threads.now(me).time();
                    gs.push((g, me, list));
                    continue;
                }
                let Some(by) = by else { continue };
                let to = rand.below(n) as usize;
                let (clock, lock) = &mut locks[rand.below(3) as usize];
                match rand.below(10) {
                    0..3 => {
                        threads.join(gs[by].1, clock);
                        gs[by].2.join(lock);
                    }
                    3..6 => {
                        threads.release(gs[by].1, clock);
                        lock.join(&told(&mut gs[by]));
                    }
                    6 if to != by => {
                        threads.pass(gs[by].1, gs[to].1);
                        let told = told(&mut gs[by]);
                        gs[to].2.join(&told);
                    }
                    7 if to != by => {
                        threads.meet(gs[by].1, gs[to].1);
                        let told = [told(&mut gs[by]), told(&mut gs[to])];
                        gs[by].2.join(&told[1]);
                        gs[to].2.join(&told[0]);
                    }
                    8 if n > most / 2 && rand.below(3) == 0 => {
                        let (mut g, ..) = gs.swap_remove(by);
                        threads.end(&mut g);
                    }
                    9 => {
                        if rand.below(3) != 0 {
                            threads.join(gs[by].1, clock);
                            gs[by].2.join(lock);
                        }
                        threads.replace(gs[by].1, clock);
                        *lock = told(&mut gs[by]);
                    }
                    8 if rand.below(20) == 0 => (*clock, *lock) = Default::default(),
                    _ => {}
                }
                let rare = if most > 20 { 50 } else { 1 };
                for (_, me, list) in gs.iter().filter(|_| step % rare == 0) {
                    for other in 0..threads.all.len() {
                        let time = list.0.get(other).copied().unwrap_or(0);
                        assert_eq!(threads.knows(*me, other), time, "{seed}: {me}, {other}");
                    }
                }
            }
        }
    }
}
