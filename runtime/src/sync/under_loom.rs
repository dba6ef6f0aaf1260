#![allow(unsafe_code)]
//! The seam under loom, which goes through every interleaving and every value that the orders of
//! the accesses allow.
//!
//! An atomic here is a plain word, laid out as the real one, and a name: loom's own atomic is
//! found by the word's address in a table that each execution begins anew. The word itself is
//! never written in an execution, so statics begin each one as the linker left them. Locks and
//! futexes are tables by address too: what they do is not what a model explores.
//!
//! # Invariants
//!
//! - L1. All threads of a model are coroutines of one thread: tables are borrowed only between
//!   loom's own switches.
//! - L2. Memory with atomics is neither moved nor freed in an execution: see [`model::keep`].
//! - L3. Loom wants an atomic made before threads that use it start: what threads share is
//!   touched by the first thread ([`model::touch`]).

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::collections::{HashMap, VecDeque};
use std::rc::Rc;
use std::sync::atomic::Ordering;

macro_rules! atomics {
    ($($name:ident $ty:ty { $($more:tt)* })*) => { $(
        /// See std's.
        #[derive(Debug, Default)]
        #[repr(transparent)]
        pub struct $name(std::sync::atomic::$name);

        #[allow(missing_docs, reason = "as std's")]
        impl $name {
            pub const fn new(v: $ty) -> $name {
                $name(std::sync::atomic::$name::new(v))
            }
            fn modelled(&self) -> Option<Rc<loom::sync::atomic::$name>> {
                find(self.0.as_ptr() as usize, || {
                    loom::sync::atomic::$name::new(self.0.load(Ordering::Relaxed))
                })
            }
            atomics!(@common $ty);
            $($more)*
        }
    )* };
    (@common $ty:ty) => {
        pub fn load(&self, order: Ordering) -> $ty {
            match self.modelled() {
                Some(a) => a.load(order),
                None => self.0.load(order),
            }
        }
        pub fn store(&self, v: $ty, order: Ordering) {
            match self.modelled() {
                Some(a) => a.store(v, order),
                None => self.0.store(v, order),
            }
        }
        pub fn swap(&self, v: $ty, order: Ordering) -> $ty {
            match self.modelled() {
                Some(a) => a.swap(v, order),
                None => self.0.swap(v, order),
            }
        }
        pub fn compare_exchange(
            &self,
            old: $ty,
            new: $ty,
            ok: Ordering,
            err: Ordering,
        ) -> Result<$ty, $ty> {
            match self.modelled() {
                Some(a) => a.compare_exchange(old, new, ok, err),
                None => self.0.compare_exchange(old, new, ok, err),
            }
        }
        pub fn compare_exchange_weak(
            &self,
            old: $ty,
            new: $ty,
            ok: Ordering,
            err: Ordering,
        ) -> Result<$ty, $ty> {
            self.compare_exchange(old, new, ok, err)
        }
        pub fn get_mut(&mut self) -> &mut $ty {
            self.0.get_mut()
        }
    };
    (@all $ty:ty) => {
        atomics!(@rmw $ty: fetch_add fetch_sub fetch_or fetch_and fetch_max fetch_min);
    };
    (@rmw $ty:ty: $($op:ident)*) => { $(
        pub fn $op(&self, v: $ty, order: Ordering) -> $ty {
            match self.modelled() {
                Some(a) => a.$op(v, order),
                None => self.0.$op(v, order),
            }
        }
    )* };
}

atomics! {
    AtomicBool bool { atomics!(@rmw bool: fetch_or fetch_and); }
    AtomicU8 u8 { atomics!(@all u8); }
    AtomicU32 u32 { atomics!(@all u32); }
    AtomicI32 i32 { atomics!(@all i32); }
    AtomicU64 u64 { atomics!(@all u64); }
    AtomicI64 i64 { atomics!(@all i64); }
    AtomicUsize usize { atomics!(@all usize); }
}

/// See std's.
#[derive(Debug)]
#[repr(transparent)]
pub struct AtomicPtr<T>(std::sync::atomic::AtomicPtr<T>);

#[allow(missing_docs, reason = "as std's")]
impl<T: 'static> AtomicPtr<T> {
    fn modelled(&self) -> Option<Rc<loom::sync::atomic::AtomicPtr<T>>> {
        find(self.0.as_ptr() as usize, || {
            loom::sync::atomic::AtomicPtr::new(self.0.load(Ordering::Relaxed))
        })
    }
    atomics!(@common *mut T);
}

impl<T> AtomicPtr<T> {
    /// See std's.
    pub const fn new(v: *mut T) -> AtomicPtr<T> {
        AtomicPtr(std::sync::atomic::AtomicPtr::new(v))
    }
}

/// What an execution has made, by address.
#[derive(Default)]
struct Tables {
    atomics: HashMap<usize, Rc<dyn Any>>,
    locks: HashMap<usize, Rc<Held>>,
    futexes: HashMap<usize, Rc<Queue>>,
    kept: Vec<Box<dyn Any>>,
}

struct Held {
    mutex: loom::sync::Mutex<()>,
    guard: RefCell<Option<loom::sync::MutexGuard<'static, ()>>>,
}

/// The kernel's queue of a futex word, under its lock.
struct Queue(loom::sync::Mutex<VecDeque<(loom::thread::Thread, Rc<Cell<bool>>)>>);

thread_local! {
    /// `None` outside of executions.
    static TABLES: RefCell<Option<Tables>> = const { RefCell::new(None) };
    static NOW: Cell<i64> = const { Cell::new(0) };
    static MADE: Cell<u32> = const { Cell::new(0) };
    static TIMED: Cell<bool> = const { Cell::new(false) };
}

fn find<T: 'static>(at: usize, new: impl FnOnce() -> T) -> Option<Rc<T>> {
    TABLES.with_borrow_mut(|t| {
        let t = t.as_mut()?;
        let a = t.atomics.entry(at).or_insert_with(|| Rc::new(new()));
        match Rc::downcast(a.clone()) {
            Ok(a) => Some(a),
            Err(_) => panic!("an atomic of another type stood at {at:#x} (L2)"),
        }
    })
}

fn held(word: &AtomicU32) -> Option<Rc<Held>> {
    TABLES.with_borrow_mut(|t| {
        let at = word.0.as_ptr() as usize;
        Some(
            t.as_mut()?
                .locks
                .entry(at)
                .or_insert_with(|| {
                    Rc::new(Held {
                        mutex: loom::sync::Mutex::new(()),
                        guard: RefCell::new(None),
                    })
                })
                .clone(),
        )
    })
}

/// Takes the lock of that word; `false` outside of executions.
pub(super) fn lock(word: &AtomicU32) -> bool {
    let Some(h) = held(word) else {
        return false;
    };
    let guard = h.mutex.lock().expect("not poisoned");
    // SAFETY: the table keeps the mutex until the execution's end, when it is not held.
    let guard = unsafe {
        std::mem::transmute::<loom::sync::MutexGuard<'_, ()>, loom::sync::MutexGuard<'static, ()>>(
            guard,
        )
    };
    *h.guard.borrow_mut() = Some(guard);
    true
}

/// Takes the lock of that word if it is free; `None` outside of executions.
pub(super) fn try_lock(word: &AtomicU32) -> Option<bool> {
    let h = held(word)?;
    let Ok(guard) = h.mutex.try_lock() else {
        return Some(false);
    };
    // SAFETY: as in `lock`.
    let guard = unsafe {
        std::mem::transmute::<loom::sync::MutexGuard<'_, ()>, loom::sync::MutexGuard<'static, ()>>(
            guard,
        )
    };
    *h.guard.borrow_mut() = Some(guard);
    Some(true)
}

/// Releases the lock of that word; `false` outside of executions.
pub(super) fn unlock(word: &AtomicU32) -> bool {
    let Some(h) = held(word) else {
        return false;
    };
    let guard = h.guard.borrow_mut().take();
    assert!(guard.is_some(), "unlock of unlocked lock");
    drop(guard);
    true
}

/// A full barrier.
pub(crate) fn fence_seq_cst() {
    loom::sync::atomic::fence(Ordering::SeqCst);
}

/// A full barrier right after a `SeqCst` read-modify-write, which loom takes for an `AcqRel` one.
pub(crate) fn fence_after_rmw() {
    fence_seq_cst();
}

/// Lets others run.
pub(crate) fn pause(_n: u32) {
    loom::thread::yield_now();
}

/// Lets others run.
pub(crate) fn os_yield() {
    loom::thread::yield_now();
}

/// Lets others run.
pub(crate) fn usleep(us: u64) {
    NOW.set(NOW.get() + us as i64 * 1000);
    loom::thread::yield_now();
}

/// Sleeps for ever.
pub(crate) fn block_forever() -> ! {
    loop {
        loom::thread::park();
    }
}

fn queue(word: &AtomicU32) -> Rc<Queue> {
    TABLES.with_borrow_mut(|t| {
        let t = t.as_mut().expect("in an execution");
        let at = word.0.as_ptr() as usize;
        let q = t.futexes.entry(at);
        q.or_insert_with(|| Rc::new(Queue(loom::sync::Mutex::new(VecDeque::new()))))
            .clone()
    })
}

/// Sleeps while `*word == val`. A limit of time is over at once the first time, so that anything
/// may come in between; later the others go on first, lest an execution never end.
pub(crate) fn futex_wait(word: &AtomicU32, val: u32, ns: i64) {
    if ns >= 0 {
        NOW.set(NOW.get() + ns);
        if TIMED.replace(true) {
            loom::thread::yield_now();
        }
        return;
    }
    let q = queue(word);
    let woken = Rc::new(Cell::new(false));
    {
        // The kernel compares and queues under the lock that the waker takes.
        let mut q = q.0.lock().expect("not poisoned");
        if word.load(Ordering::Relaxed) != val {
            return;
        }
        q.push_back((loom::thread::current(), woken.clone()));
    }
    while !woken.get() {
        loom::thread::park();
    }
}

/// Wakes up to `n` sleepers on `word`.
pub(crate) fn futex_wake(word: &AtomicU32, n: i32) {
    let q = queue(word);
    let mut q = q.0.lock().expect("not poisoned");
    for _ in 0..n {
        let Some((thread, woken)) = q.pop_front() else {
            return;
        };
        woken.set(true);
        thread.unpark();
    }
}

/// Counts: a thread that the scheduler makes would run for ever. See [`model::threads_made`].
pub(crate) fn spawn_thread(
    _stack_bytes: usize,
    _f: impl FnOnce() + Send + 'static,
) -> std::io::Result<()> {
    MADE.set(MADE.get() + 1);
    Ok(())
}

/// No threads have numbers.
pub(crate) fn thread_id() -> u64 {
    0
}

/// Unknown.
pub(crate) fn thread_stack() -> Option<(usize, usize)> {
    None
}

/// A clock that moves when it is read, and over sleeps.
pub(crate) fn nanotime() -> i64 {
    NOW.set(NOW.get() + 1);
    NOW.get()
}

/// As `nanotime`.
pub(crate) fn walltime() -> i64 {
    nanotime()
}

/// Running models.
pub(crate) mod model {
    use super::{MADE, NOW, Ordering, TABLES, TIMED, Tables};

    /// Preemptions of a thread that are explored, at most. Bugs need few, and each costs a power.
    const PREEMPTIONS: usize = 3;
    /// Steps of one execution, at most.
    const BRANCHES: usize = 5_000;

    /// Goes through all executions of `f`; panics in one that fails.
    ///
    /// `f` spawns loom's threads and joins them.
    pub(crate) fn explore(f: impl Fn() + Send + Sync + 'static) {
        explore_bound(PREEMPTIONS, f);
    }

    /// As [`explore`], with another bound of preemptions.
    pub(crate) fn explore_bound(bound: usize, f: impl Fn() + Send + Sync + 'static) {
        use std::sync::atomic::AtomicUsize;
        static RUNS: AtomicUsize = AtomicUsize::new(0);
        // The runtime's statics serve one model at a time, while the harness runs tests side by
        // side.
        static ALONE: std::sync::Mutex<()> = std::sync::Mutex::new(());
        let _alone = ALONE.lock().unwrap_or_else(|failed| failed.into_inner());
        RUNS.store(0, Ordering::Relaxed);
        let start = std::time::Instant::now();
        let mut b = loom::model::Builder::new();
        b.preemption_bound = b.preemption_bound.or(Some(bound));
        b.max_branches = b.max_branches.max(BRANCHES);
        b.check(move || {
            RUNS.fetch_add(1, Ordering::Relaxed);
            begin();
            f();
            end();
        });
        println!(
            "{} executions, {:?}",
            RUNS.load(Ordering::Relaxed),
            start.elapsed()
        );
    }

    fn begin() {
        NOW.set(1);
        MADE.set(0);
        TIMED.set(false);
        let old = TABLES.replace(Some(Tables::default()));
        // Left by an execution that failed: its objects are loom's no more.
        std::mem::forget(old);
    }

    fn end() {
        let t = TABLES.replace(None);
        if let Some(t) = &t {
            let free = t.locks.values().all(|l| l.guard.borrow().is_none());
            assert!(free, "a lock is held at the end");
        }
        drop(t);
    }

    /// Keeps `v` at one place until the end of the execution (L2).
    pub(crate) fn keep<T: 'static>(v: T) -> *mut T {
        let mut v = Box::new(v);
        let at = &raw mut *v;
        TABLES.with_borrow_mut(|t| t.as_mut().expect("in an execution").kept.push(v));
        at
    }

    /// How many threads the scheduler has asked for in this execution.
    pub(crate) fn threads_made() -> u32 {
        MADE.get()
    }

    /// Ends the execution because the model has failed.
    pub(crate) fn died(text: Option<std::fmt::Arguments<'_>>) -> ! {
        match text {
            Some(t) => panic!("{t}"),
            None => panic!("uncaught panic"),
        }
    }

    /// Makes these atomics known to loom (L3).
    macro_rules! touch {
        ($($atomic:expr),* $(,)?) => {
            $( let _ = $atomic.load($crate::sync::Ordering::Relaxed); )*
        };
    }
    pub(crate) use touch;
}
