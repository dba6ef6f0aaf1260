//! Vector clocks, and those of goroutines.

use crate::g::{G, Goid};

/// A vector clock: for each thread how much of it comes before.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(super) struct Clock(Vec<u32>);

impl Clock {
    pub(super) fn get(&self, thread: usize) -> u32 {
        self.0.get(thread).copied().unwrap_or(0)
    }

    fn set(&mut self, thread: usize, to: u32) {
        if self.0.len() <= thread {
            self.0.resize(thread + 1, 0);
        }
        self.0[thread] = to;
    }

    pub(super) fn join(&mut self, other: &Clock) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            *mine = (*mine).max(*theirs);
        }
    }

    pub(super) fn clear(&mut self) {
        self.0.clear();
    }
}

/// A goroutine that has been a thread's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Life {
    /// The thread's time when it began.
    from: u32,
    pub goid: Goid,
    pub parent: Goid,
    /// Where it was made.
    pub gopc: usize,
    pub is_over: bool,
}

/// What has a place in vector clocks. One goroutine after the other may have it: time goes on.
struct Thread {
    clock: Clock,
    lives: Vec<Life>,
    wanted: [Option<usize>; 2],
}

/// The threads of all goroutines. The field `race` of a G is its number plus one.
pub(super) struct Threads {
    all: Vec<Thread>,
    free: Vec<usize>,
}

/// Below so many threads each goroutine gets its own.
const OWN: usize = 1 << 10;

impl Threads {
    pub(super) fn new() -> Threads {
        Threads {
            all: Vec::new(),
            free: Vec::new(),
        }
    }

    /// The thread of `g`.
    pub(super) fn of(&mut self, g: &G) -> usize {
        match g.race.get() {
            0 => self.begin(g, None),
            n => n as usize - 1,
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
                lives: Vec::new(),
                wanted: [None; 2],
            });
            self.all.len() - 1
        });
        g.race.set(me as u32 + 1);
        let now = self.all[me].clock.get(me) + 1;
        let mut clock = match parent {
            Some(parent) => self.all[parent].clock.clone(),
            None => Clock::default(),
        };
        clock.set(me, now);
        let thread = &mut self.all[me];
        thread.clock = clock;
        thread.wanted = [None; 2];
        thread.lives.push(Life {
            from: now,
            goid: g.goid,
            parent: g.parent_goid,
            gopc: g.gopc,
            is_over: false,
        });
        me
    }

    /// A goroutine is made: what its parent has done comes before it.
    pub(super) fn spawn(&mut self, g: &mut G, parent: Option<usize>) -> usize {
        g.race.set(0);
        let me = self.begin(g, parent);
        if let Some(parent) = parent {
            self.tick(parent);
        }
        me
    }

    pub(super) fn end(&mut self, g: &mut G) {
        let n = g.race.replace(0) as usize;
        if n == 0 {
            return;
        }
        if let Some(life) = self.all[n - 1].lives.last_mut() {
            life.is_over = true;
        }
        self.free.push(n - 1);
    }

    /// What a thread does from now on is not part of what was told of it.
    fn tick(&mut self, thread: usize) {
        let clock = &mut self.all[thread].clock;
        clock.set(thread, clock.get(thread) + 1);
    }

    pub(super) fn now(&self, thread: usize) -> u32 {
        self.all[thread].clock.get(thread)
    }

    /// How much of `other` comes before what `thread` does now.
    pub(super) fn knows(&self, thread: usize, other: usize) -> u32 {
        self.all[thread].clock.get(other)
    }

    pub(super) fn join(&mut self, thread: usize, clock: &Clock) {
        self.all[thread].clock.join(clock);
    }

    /// Everything that anybody has done comes before what `thread` does.
    pub(super) fn join_all(&mut self, thread: usize) {
        for other in 0..self.all.len() {
            if other != thread {
                self.pass(other, thread);
            }
        }
    }

    pub(super) fn release(&mut self, thread: usize, clock: &mut Clock) {
        clock.join(&self.all[thread].clock);
        self.tick(thread);
    }

    /// What `from` has done comes before what `to` does.
    pub(super) fn pass(&mut self, from: usize, to: usize) {
        if from != to {
            let clock = self.all[from].clock.clone();
            self.join(to, &clock);
            self.tick(from);
        }
    }

    /// Both know of each other.
    pub(super) fn meet(&mut self, a: usize, b: usize) {
        let clock = self.all[a].clock.clone();
        self.pass(b, a);
        self.join(b, &clock);
        self.tick(a);
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

    #[test]
    fn what_is_released_is_known_to_who_acquires() {
        let mut threads = Threads::new();
        let (a, b) = (threads.of(&G::new()), threads.of(&G::new()));
        let then = threads.now(a);
        let mut lock = Clock::default();
        threads.release(a, &mut lock);
        let after = threads.now(a);
        threads.join(b, &lock);
        assert!(threads.knows(b, a) >= then && threads.knows(b, a) < after);
        assert_eq!(threads.knows(a, b), 0);
    }

    #[test]
    fn who_meets_knows_of_each_other_up_to_now() {
        let mut threads = Threads::new();
        let (a, b) = (threads.of(&G::new()), threads.of(&G::new()));
        let then = [threads.now(a), threads.now(b)];
        threads.meet(a, b);
        assert_eq!([threads.knows(b, a), threads.knows(a, b)], then);
        assert!(threads.now(a) > then[0] && threads.now(b) > then[1]);
    }
}
