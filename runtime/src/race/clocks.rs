//! Vector clocks, and those of goroutines.
//!
//! A clock is a tree of which parts are shared with other clocks: to copy one costs nothing, to
//! change an entry the way to it, and to join two the parts in which they differ. So a goroutine
//! costs no more when many others live.
//!
//! Besides, clocks say what they were made of: see [`Source`]. So what a clock has already need not
//! be looked for in all of it.
//!
//! # Invariants
//!
//! - V1. A thread tells others its clock at the end of a time, and joins others into it before.
//! - V2. Who knows a time of a thread knows all that the thread knew at its end.

use super::shadow::Epoch;
use crate::g::{G, Goid};
use std::rc::Rc;

/// A vector clock: for each thread how much of it comes before.
#[derive(Clone, Default)]
pub(super) struct Clock {
    root: Node,
    /// How many levels of inner nodes there are.
    height: u32,
    /// A thread and its time that the tree does not have yet, unless that is 0: what was set last
    /// often changes again, or goes with the clock, before anybody joins it.
    late: (usize, u32),
    made_of: Sources,
}

/// What a thread has told at a time: that time, and what it knew of others, which has not changed
/// since another. By V2 who knows a time since then knows that as well.
#[derive(Clone, Copy, Default)]
struct Source {
    thread: u32,
    since: u32,
    time: u32,
}

/// What a clock is the union of.
#[derive(Clone, Copy, Default)]
struct Sources {
    all: [Source; 3],
    /// How many; more than fit: they are not known.
    n: u8,
}

impl Sources {
    fn known(&self) -> Option<&[Source]> {
        self.all.get(..self.n as usize)
    }

    fn add(&mut self, new: Source) {
        let n = self.n as usize;
        let old = self.all.iter_mut().take(n);
        for old in old {
            if (old.thread, old.since) == (new.thread, new.since) {
                old.time = old.time.max(new.time);
                return;
            }
        }
        match self.all.get_mut(n) {
            Some(place) => {
                *place = new;
                self.n += 1;
            }
            None => self.n = u8::MAX,
        }
    }
}

/// How many entries a leaf has, and how many nodes an inner one: all are of one size, so that the
/// allocator keeps them ready.
const TIMES: usize = 1 << TIMES_BITS;
const TIMES_BITS: u32 = 4;
const NODES: usize = 1 << NODES_BITS;
const NODES_BITS: u32 = 3;

/// `None`: nothing but zeros.
type Node = Option<Rc<Body>>;

#[derive(Clone)]
enum Body {
    Leaf([u32; TIMES]),
    Inner([Node; NODES]),
}

/// Of which node below one of so many levels above leaves an entry is.
fn place(thread: usize, level: u32) -> usize {
    thread >> (TIMES_BITS + NODES_BITS * (level - 1)) & (NODES - 1)
}

/// How a node and one that was joined to it compare.
#[derive(Clone, Copy)]
struct Joined {
    /// It was no less anywhere: it is as before.
    was_enough: bool,
    /// The other was no less anywhere: it is like the other.
    is_other: bool,
}

/// The larger ones of two lists of times, and how they compare. Without a branch, so that the
/// machine does several at a time.
fn larger(mine: &[u32; TIMES], theirs: &[u32; TIMES]) -> ([u32; TIMES], Joined) {
    let (mut times, mut more, mut less) = ([0; TIMES], 0, 0);
    for i in 0..TIMES {
        times[i] = mine[i].max(theirs[i]);
        more |= times[i] ^ mine[i];
        less |= times[i] ^ theirs[i];
    }
    let joined = Joined {
        was_enough: more == 0,
        is_other: less == 0,
    };
    (times, joined)
}

fn is_same(a: &Node, b: &Node) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => Rc::ptr_eq(a, b),
        _ => a.is_none() && b.is_none(),
    }
}

/// Raises each entry to the one of `other`, a node of the same level. What is equal is shared.
fn join(node: &mut Node, other: &Node) -> Joined {
    let mut joined = Joined {
        was_enough: true,
        is_other: true,
    };
    if is_same(node, other) {
        return joined;
    }
    let Some(theirs) = other else {
        joined.is_other = false;
        return joined;
    };
    let Some(mine) = node else {
        *node = other.clone();
        joined.was_enough = false;
        return joined;
    };
    match (&**mine, &**theirs) {
        (Body::Leaf(old), Body::Leaf(new)) => {
            let times;
            (times, joined) = larger(old, new);
            if !joined.was_enough && !joined.is_other {
                match Rc::get_mut(mine) {
                    Some(mine) => *mine = Body::Leaf(times),
                    None => *mine = Rc::new(Body::Leaf(times)),
                }
            }
        }
        (_, Body::Inner(nodes)) => {
            for (i, below) in nodes.iter().enumerate() {
                let Body::Inner(old) = &**mine else { break };
                if is_same(&old[i], below) {
                    continue;
                }
                let found = match Rc::get_mut(mine) {
                    Some(Body::Inner(mine)) => join(&mut mine[i], below),
                    // What others have as well is made anew only if something changes.
                    _ => {
                        let Body::Inner(old) = &**mine else { break };
                        let mut node = old[i].clone();
                        let found = join(&mut node, below);
                        if !found.was_enough {
                            if let Body::Inner(mine) = Rc::make_mut(mine) {
                                mine[i] = node;
                            }
                        }
                        found
                    }
                };
                joined.was_enough &= found.was_enough;
                joined.is_other &= found.is_other;
            }
        }
        // There are leaves on one level only.
        _ => {}
    }
    if joined.is_other {
        *mine = theirs.clone();
    }
    joined
}

impl Clock {
    pub(super) fn get(&self, thread: usize) -> u32 {
        if self.late.1 != 0 && self.late.0 == thread {
            return self.late.1;
        }
        if thread >> (TIMES_BITS + NODES_BITS * self.height) != 0 {
            return 0;
        }
        let (mut node, mut level) = (&self.root, self.height);
        loop {
            match node.as_deref() {
                None => return 0,
                Some(Body::Leaf(times)) => return times[thread & (TIMES - 1)],
                Some(Body::Inner(nodes)) => node = &nodes[place(thread, level)],
            }
            level -= 1;
        }
    }

    /// Makes it as high as `height`, at least.
    fn grow(&mut self, height: u32) {
        while self.height < height {
            if self.root.is_some() {
                let mut nodes: [Node; NODES] = Default::default();
                nodes[0] = self.root.take();
                self.root = Some(Rc::new(Body::Inner(nodes)));
            }
            self.height += 1;
        }
    }

    /// The node of a level in which the entry of a thread is. Those above it are this clock's own
    /// then.
    fn own(&mut self, thread: usize, to: u32) -> &mut Node {
        let (mut node, mut level) = (&mut self.root, self.height);
        while level > to {
            let body = node.get_or_insert_with(|| Rc::new(Body::Inner(Default::default())));
            let Body::Inner(nodes) = Rc::make_mut(body) else {
                crate::throw!("a leaf above the leaves")
            };
            node = &mut nodes[place(thread, level)];
            level -= 1;
        }
        node
    }

    fn set(&mut self, thread: usize, to: u32) {
        if self.late.0 != thread {
            self.settle();
        }
        self.late = (thread, to);
    }

    /// Puts what is late into the tree.
    fn settle(&mut self) {
        let (thread, to) = std::mem::take(&mut self.late);
        if to == 0 {
            return;
        }
        let bits = usize::BITS - thread.leading_zeros();
        self.grow(bits.saturating_sub(TIMES_BITS).div_ceil(NODES_BITS));
        let leaf = self.own(thread, 0);
        let leaf = leaf.get_or_insert_with(|| Rc::new(Body::Leaf([0; TIMES])));
        if let Body::Leaf(times) = Rc::make_mut(leaf) {
            times[thread & (TIMES - 1)] = to;
        }
    }

    /// What the thread of `source` knew of others is part of it; `own`: the thread whose clock it
    /// is, if any, which knows what it has told. `starts`: when the last life of each thread began,
    /// for V2 holds within a life.
    fn has(&self, source: &Source, own: usize, starts: &[u32]) -> bool {
        let thread = source.thread as usize;
        starts[thread] <= source.since && (thread == own || self.get(thread) >= source.since)
    }

    /// If it is at least `other`, but perhaps for the times of the sources of that, it is made so.
    fn takes(&mut self, other: &Clock, own: usize, starts: &[u32]) -> Option<Joined> {
        let sources = other.made_of.known()?;
        if !sources.iter().all(|source| self.has(source, own, starts)) {
            return None;
        }
        let mut was_enough = true;
        for source in sources {
            let thread = source.thread as usize;
            if thread != own && self.get(thread) < source.time {
                self.set(thread, source.time);
                self.made_of.add(*source);
                was_enough = false;
            }
        }
        Some(Joined {
            was_enough,
            is_other: false,
        })
    }

    /// Raises each entry to the one of `other`; how the two compared, as far as that was looked at.
    /// `owns`: see [`Clock::has`].
    fn join(&mut self, other: &Clock, owns: [usize; 2], starts: &[u32]) -> Joined {
        if other.root.is_none() && other.late.1 == 0 {
            return Joined {
                was_enough: true,
                is_other: false,
            };
        }
        if let Some(joined) = self.join_small(other) {
            return self.join_late(other, joined);
        }
        let mut all = other.clone();
        if let Some(joined) = all.takes(self, owns[1], starts) {
            *self = all;
            return Joined {
                was_enough: false,
                is_other: joined.was_enough,
            };
        }
        if let Some(joined) = self.takes(other, owns[0], starts) {
            return joined;
        }
        self.settle();
        self.grow(other.height);
        let mut joined = join(self.own(0, other.height), &other.root);
        joined.is_other &= self.height == other.height;
        self.join_late(other, joined)
    }

    /// As [`Clock::join`], in place, if both are a leaf and no other clock shares it.
    fn join_small(&mut self, other: &Clock) -> Option<Joined> {
        if self.height | other.height != 0 {
            return None;
        }
        self.settle();
        let (Some(mine), Some(theirs)) = (&mut self.root, &other.root) else {
            return None;
        };
        let (Body::Leaf(mine), Body::Leaf(theirs)) = (Rc::get_mut(mine)?, &**theirs) else {
            return None;
        };
        let joined;
        (*mine, joined) = larger(mine, theirs);
        Some(joined)
    }

    /// Joins the rest, when the trees are.
    fn join_late(&mut self, other: &Clock, mut joined: Joined) -> Joined {
        let (thread, time) = other.late;
        if self.get(thread) < time {
            self.set(thread, time);
            joined.was_enough = false;
        }
        if joined.is_other {
            self.made_of = other.made_of;
        } else if !joined.was_enough {
            match other.made_of.known() {
                Some(sources) => sources.iter().for_each(|source| self.made_of.add(*source)),
                None => self.made_of.n = u8::MAX,
            }
        }
        joined
    }

    /// As [`Clock::join`], for the clock of a thread and what it tells besides.
    fn hear(&mut self, other: &Clock, source: Source, own: usize, starts: &[u32]) {
        let thread = source.thread as usize;
        if !self.has(&source, own, starts) && self.join(other, [own, thread], starts).is_other {
            self.made_of = Sources::default();
        }
        self.set(thread, source.time);
        self.made_of.add(source);
    }

    /// Becomes like `other`, in place if that is a leaf and no other clock shares this one's.
    fn become_like(&mut self, other: &Clock) {
        if let (0, 0, Some(mine), Some(theirs)) =
            (self.height, other.height, &mut self.root, &other.root)
        {
            if let (Some(Body::Leaf(mine)), Body::Leaf(theirs)) = (Rc::get_mut(mine), &**theirs) {
                *mine = *theirs;
                (self.late, self.made_of) = (other.late, other.made_of);
                return;
            }
        }
        *self = other.clone();
    }
}

/// A goroutine that has been a thread's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Life {
    /// The thread's time when it began.
    from: u32,
    pub is_over: bool,
    pub goid: Goid,
    /// Where it was made.
    pub gopc: usize,
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
}

/// The threads of all goroutines.
pub(super) struct Threads {
    all: Vec<Thread>,
    /// When the last life of each began.
    starts: Vec<u32>,
    free: Vec<usize>,
}

/// In place of a thread, for a clock that is no thread's.
const NOBODY: usize = usize::MAX;

/// Below so many threads each goroutine gets its own.
const OWN: usize = if cfg!(test) { 1 << 4 } else { 1 << 10 };

impl Threads {
    pub(super) fn new() -> Threads {
        Threads {
            all: Vec::new(),
            starts: Vec::new(),
            free: Vec::new(),
        }
    }

    /// The thread of `g`.
    #[inline]
    pub(super) fn of(&mut self, g: &G) -> usize {
        match g.race.get() {
            0 => self.begin(g, None),
            epoch => Epoch(epoch).thread(),
        }
    }

    fn begin(&mut self, g: &G, parent: Option<usize>) -> usize {
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
        thread.wanted = [None; 2];
        thread.g = g;
        thread.lives.push(Life {
            from: thread.now + 1,
            goid: g.goid,
            gopc: g.gopc,
            is_over: false,
        });
        self.tick(me);
        (self.all[me].since, self.starts[me]) = (self.all[me].now, self.all[me].now);
        me
    }

    /// A goroutine is made: what its parent has done comes before it.
    pub(super) fn spawn(&mut self, g: &mut G, parent: Option<usize>) -> usize {
        g.race.set(0);
        self.begin(g, parent)
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

    /// What `thread` would tell, besides its clock.
    fn source(&self, thread: usize) -> Source {
        Source {
            thread: thread as u32,
            since: self.all[thread].since,
            time: self.all[thread].now,
        }
    }

    /// All that `thread` knows becomes part of `clock`: see V1.
    fn tell(&mut self, thread: usize, clock: &mut Clock) {
        // Once, not in each clock that shares it.
        self.all[thread].clock.settle();
        clock.hear(
            &self.all[thread].clock,
            self.source(thread),
            NOBODY,
            &self.starts,
        );
        self.tick(thread);
    }

    /// The epoch of what `thread` does now.
    pub(super) fn now(&self, thread: usize) -> Epoch {
        Epoch::of(self.all[thread].now, thread)
    }

    /// How much of `other` comes before what `thread` does now.
    pub(super) fn knows(&self, thread: usize, other: usize) -> u32 {
        match thread == other {
            true => self.all[thread].now,
            false => self.all[thread].clock.get(other),
        }
    }

    pub(super) fn join(&mut self, thread: usize, clock: &Clock) {
        if let Some([only]) = clock.made_of.known() {
            // It knows what it has told itself.
            if only.thread as usize == thread && self.starts[thread] <= only.since {
                return;
            }
        }
        let me = &mut self.all[thread];
        let owns = [thread, NOBODY];
        if !me.clock.join(clock, owns, &self.starts).was_enough {
            me.since = me.now;
        }
    }

    /// As [`Threads::join`], for a clock that is nobody's.
    pub(super) fn join_clocks(&self, clock: &mut Clock, other: &Clock) {
        clock.join(other, [NOBODY; 2], &self.starts);
    }

    /// Everything that anybody has done comes before what `thread` does.
    pub(super) fn join_all(&mut self, thread: usize) {
        let mut clock = std::mem::take(&mut self.all[thread].clock);
        for other in 0..self.all.len() {
            if other != thread {
                clock.set(other, self.all[other].now);
                self.tick(other);
            }
        }
        clock.made_of.n = u8::MAX;
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
        let me = &mut self.all[thread];
        me.clock.settle();
        clock.become_like(&me.clock);
        clock.set(thread, me.now);
        clock.made_of = Sources::default();
        clock.made_of.add(self.source(thread));
        self.tick(thread);
    }

    /// What `from` has done comes before what `to` does.
    pub(super) fn pass(&mut self, from: usize, to: usize) {
        if from != to {
            let mut told = Clock::default();
            self.tell(from, &mut told);
            self.join(to, &told);
        }
    }

    /// Both know of each other, and then the same of others.
    pub(super) fn meet(&mut self, a: usize, b: usize) {
        let sources = [self.source(a), self.source(b)];
        self.tick(a);
        self.tick(b);
        let mut clock = std::mem::take(&mut self.all[a].clock);
        clock.hear(&self.all[b].clock, sources[1], a, &self.starts);
        clock.set(a, sources[0].time);
        clock.made_of.add(sources[0]);
        for thread in [a, b] {
            let thread = &mut self.all[thread];
            (thread.clock, thread.since) = (clock.clone(), thread.now);
        }
    }

    pub(super) fn wants(&mut self, thread: usize, objects: [Option<usize>; 2]) {
        self.all[thread].wanted = objects;
    }

    pub(super) fn wanted(&self, thread: usize) -> [Option<usize>; 2] {
        self.all[thread].wanted
    }

    /// Whose the thread was at a time.
    pub(super) fn life(&self, thread: usize, at: u32) -> Option<Life> {
        let lives = &self.all[thread].lives;
        lives.iter().rev().find(|life| life.from <= at).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rand::Rand;

    #[test]
    fn what_is_released_is_known_to_who_acquires() {
        let mut threads = Threads::new();
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
        let mut threads = Threads::new();
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
            let mut threads = Threads::new();
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
                    let me = threads.spawn(&mut g, parent);
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
