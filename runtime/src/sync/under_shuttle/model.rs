//! Which tasks sleep, what time it is, and which goes on: the world that the tasks of one schedule
//! share.
//!
//! The chooser draws on the schedule's number alone, so a schedule that failed can be run again.

use std::cell::{Cell, RefCell};
use std::panic::Location;
use std::time::Duration;

use shuttle::scheduler::{Schedule, Scheduler, Task, TaskId};

use crate::rand::Rand;

/// The task of the clock: the first that the first task makes.
const CLOCK: usize = 1;
/// What one look at the clock takes.
const LOOK_NS: i64 = 20;
/// The clock goes on before all sleep once in so many choices, if a deadline is as near as
/// `SOON_NS`.
const TICK: u32 = 150;
const SOON_NS: i64 = 50_000_000;
/// How often the clock may go on because all sleep.
const IDLE_MAX: u32 = 3_000;
/// Steps that a failure shows.
const TAIL: usize = 400;

struct Sleeper {
    task: usize,
    /// The futex word's address, 0 for none.
    word: usize,
    deadline: i64,
}

struct World {
    now: i64,
    sleepers: Vec<Sleeper>,
    /// By task: whether it is in `sleepers`.
    asleep: Vec<bool>,
    idle_ticks: u32,
    /// The clock goes on because all sleep.
    all_asleep: bool,
    /// The last steps: task and place.
    tail: Vec<(usize, &'static Location<'static>)>,
    steps: usize,
}

thread_local! {
    static ACTIVE: Cell<bool> = const { Cell::new(false) };
    static WORLD: RefCell<World> = const {
        RefCell::new(World {
            now: 1_000,
            sleepers: Vec::new(),
            asleep: Vec::new(),
            idle_ticks: 0,
            all_asleep: false,
            tail: Vec::new(),
            steps: 0,
        })
    };
}

fn me() -> usize {
    usize::from(shuttle::current::me())
}

/// A scheduling point.
#[inline]
pub(super) fn step(at: &'static Location<'static>) {
    if !ACTIVE.get() {
        return;
    }
    switch();
    WORLD.with_borrow_mut(|w| {
        let place = w.steps % TAIL;
        w.steps += 1;
        let entry = (me(), at);
        if w.tail.len() < TAIL {
            w.tail.push(entry);
        } else {
            w.tail[place] = entry;
        }
    });
}

fn switch() {
    // Shuttle's sleep is a scheduling point and nothing else.
    shuttle::thread::sleep(Duration::ZERO);
}

/// Sleeps on a word until woken, or until `ns` have passed if that is not negative.
pub(super) fn sleep(word: usize, ns: i64) {
    let task = me();
    WORLD.with_borrow_mut(|w| {
        let deadline = if ns < 0 {
            i64::MAX
        } else {
            w.now.saturating_add(ns)
        };
        w.sleepers.push(Sleeper {
            task,
            word,
            deadline,
        });
        if w.asleep.len() <= task {
            w.asleep.resize(task + 1, false);
        }
        w.asleep[task] = true;
    });
    switch();
}

/// Wakes the tasks that have slept longest on a word, up to `n`.
pub(super) fn wake(word: usize, n: i32) {
    WORLD.with_borrow_mut(|w| {
        for _ in 0..n {
            let Some(i) = w.sleepers.iter().position(|s| s.word == word) else {
                return;
            };
            let s = w.sleepers.remove(i);
            w.asleep[s.task] = false;
        }
    });
}

pub(super) fn look_at_clock() -> i64 {
    WORLD.with_borrow_mut(|w| {
        w.now += LOOK_NS;
        w.now
    })
}

/// Moves time to the next deadline and wakes whose it is; `false` if there is none.
fn tick() -> bool {
    WORLD.with_borrow_mut(|w| {
        let Some(next) = w.sleepers.iter().map(|s| s.deadline).min() else {
            return false;
        };
        if next == i64::MAX {
            return false;
        }
        w.now = w.now.max(next) + 1;
        let now = w.now;
        let asleep = &mut w.asleep;
        w.sleepers.retain(|s| {
            let stays = s.deadline > now;
            if !stays {
                asleep[s.task] = false;
            }
            stays
        });
        true
    })
}

/// The life of the clock's task.
fn clock(forgotten: fn() -> bool) {
    loop {
        if WORLD.with_borrow(|w| w.all_asleep) {
            // No other task can go on, and reading words here is no scheduling point.
            ACTIVE.set(false);
            if forgotten() {
                fail(format_args!(
                    "work waits, a P is idle, and every thread sleeps"
                ));
            }
            ACTIVE.set(true);
        }
        if !tick() {
            fail(format_args!(
                "every thread sleeps, and nobody will wake one"
            ));
        }
        if WORLD.with_borrow(|w| w.idle_ticks) > IDLE_MAX {
            fail(format_args!("nothing happens any more: a wake-up was lost"));
        }
        switch();
    }
}

/// How many scheduling points there were.
pub(crate) fn steps() -> usize {
    WORLD.with_borrow(|w| w.steps)
}

/// The highest number of a task that has slept.
pub(crate) fn tasks() -> usize {
    WORLD.with_borrow(|w| w.asleep.len())
}

/// Ends the process because the model has failed.
pub(crate) fn died(text: Option<std::fmt::Arguments<'_>>) -> ! {
    match text {
        Some(t) => fail(t),
        None => fail(format_args!("uncaught panic")),
    }
}

/// Prints why the schedule failed, and the last steps if asked to; ends the process.
pub(crate) fn fail(text: std::fmt::Arguments<'_>) -> ! {
    crate::panic::print(format_args!("model failed: {text}\n"));
    if std::env::var_os("GOSCHED_SCHEDULE").is_some() {
        WORLD.with_borrow(|w| {
            let n = w.tail.len();
            for i in 0..n {
                let (task, at) = w.tail[(w.steps + i) % n];
                crate::panic::print(format_args!("  task {task} at {at}\n"));
            }
        });
    }
    #[allow(unsafe_code)]
    // SAFETY: ends the process.
    unsafe {
        libc::_exit(2)
    }
}

/// How a schedule's choices are made.
enum Way {
    /// Any task, each time.
    Uniform,
    /// The same as before, but once in so many times any task.
    Sticky(u32),
    /// The one of highest rank; at a few places the one that runs falls to the lowest.
    Ranks { ranks: Vec<u64>, change: u32 },
}

/// The scheduler of one schedule.
pub(crate) struct Chooser {
    rand: Rand,
    way: Way,
    begun: bool,
}

impl Chooser {
    /// The schedule of that number.
    pub(crate) fn new(number: u64) -> Chooser {
        let mut rand = Rand::new(number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        rand.next();
        let way = match number % 4 {
            0 => Way::Uniform,
            1 => Way::Sticky(4 + rand.below(60)),
            2 => Way::Sticky(2),
            _ => Way::Ranks {
                ranks: Vec::new(),
                change: 20 + rand.below(400),
            },
        };
        Chooser {
            rand,
            way,
            begun: false,
        }
    }

    fn pick(&mut self, awake: &[usize], current: usize) -> usize {
        let rand = &mut self.rand;
        let any = |rand: &mut Rand| awake[rand.below(awake.len() as u32) as usize];
        match &mut self.way {
            Way::Uniform => any(rand),
            Way::Sticky(n) => {
                if awake.contains(&current) && rand.below(*n) != 0 {
                    current
                } else {
                    any(rand)
                }
            }
            Way::Ranks { ranks, change } => {
                let top = awake.iter().copied().max().unwrap_or(0);
                while ranks.len() <= top {
                    ranks.push(1 + u64::from(rand.next32()));
                }
                if rand.below(*change) == 0 && current < ranks.len() {
                    // Lower than all others, and than those that fell before.
                    let low = ranks.iter().copied().min().unwrap_or(1);
                    if low > 1 {
                        ranks[current] = low - 1;
                    } else {
                        ranks[current] = 1 + u64::from(rand.next32());
                    }
                }
                // No task may keep the others waiting for ever: a turn for any of them now and
                // then.
                if rand.below(50) == 0 {
                    return any(rand);
                }
                awake
                    .iter()
                    .copied()
                    .max_by_key(|&t| ranks[t])
                    .unwrap_or(current)
            }
        }
    }
}

impl Scheduler for Chooser {
    fn new_execution(&mut self) -> Option<Schedule> {
        if std::mem::replace(&mut self.begun, true) {
            return None;
        }
        Some(Schedule::new(0))
    }

    fn next_task(&mut self, tasks: &[&Task], current: Option<TaskId>, _: bool) -> Option<TaskId> {
        let id = |t: &&&Task| usize::from(t.id());
        let (mut awake, soon) = WORLD.with_borrow(|w| {
            let awake: Vec<usize> = tasks
                .iter()
                .map(|t| id(&t))
                .filter(|&t| t != CLOCK && !w.asleep.get(t).copied().unwrap_or(false))
                .collect();
            let soon = w.sleepers.iter().any(|s| s.deadline <= w.now + SOON_NS);
            (awake, soon)
        });
        let clock = tasks.iter().any(|t| id(&t) == CLOCK);
        let all_asleep = awake.is_empty();
        WORLD.with_borrow_mut(|w| w.all_asleep = all_asleep);
        if all_asleep && clock {
            WORLD.with_borrow_mut(|w| w.idle_ticks += 1);
            awake.push(CLOCK);
        } else if clock && soon && self.rand.below(TICK) == 0 {
            awake = vec![CLOCK];
        }
        let current = current.map_or(0, usize::from);
        let chosen = if awake.len() == 1 {
            awake[0]
        } else {
            self.pick(&awake, current)
        };
        tasks.iter().find(|t| id(t) == chosen).map(|t| t.id())
    }

    fn next_u64(&mut self) -> u64 {
        self.rand.next()
    }
}

/// Runs `f` as the first task of schedule `number`. `f` ends the process, or returns. `forgotten`
/// says, while all threads sleep, whether there is work that one of them should be awake for.
pub(crate) fn run(number: u64, f: fn(), forgotten: fn() -> bool) {
    let mut config = shuttle::Config::new();
    config.stack_size = 1 << 20;
    config.silence_warnings = true;
    config.failure_persistence = shuttle::FailurePersistence::None;
    config.max_steps = shuttle::MaxSteps::FailAfter(2_000_000);
    shuttle::Runner::new(Chooser::new(number), config).run(move || {
        drop(shuttle::thread::spawn(move || clock(forgotten)));
        ACTIVE.set(true);
        f();
        ACTIVE.set(false);
    });
}
