//! The seam under shuttle: all threads are coroutines of one, and a scheduler of ours chooses at
//! every access to an atomic which of them goes on.
//!
//! An atomic is std's with a scheduling point before each access, so its layout is the real one
//! and memory is sequentially consistent: what weaker orders allow is loom's business. Shuttle
//! suspends a task by the yielder of its own coroutine wherever the stack pointer is, so a task
//! may be suspended while it runs on one of *our* coroutines: the real `coro` runs here, and a
//! goroutine may be resumed by another task.
//!
//! Time is virtual: no thread waits for it. A task, the *clock*, moves it to the next deadline when
//! all others sleep, and now and then before that.
//!
//! # Invariants
//!
//! - H1. A task in `sleepers` is never chosen; taking it out makes it runnable.
//! - H2. Between a scheduling point and the next nothing else happens: what the machine does
//!   atomically (comparing and sleeping) is plain code.

use std::panic::Location;

pub(crate) mod model;

/// What a model's atomics have in common.
macro_rules! atomics {
    ($($name:ident $ty:ty { $($more:tt)* })*) => { $(
        /// See std's; a scheduling point comes before every access.
        #[derive(Debug, Default)]
        #[repr(transparent)]
        pub struct $name(std::sync::atomic::$name);

        #[allow(missing_docs, reason = "as std's")]
        impl $name {
            #[inline]
            pub const fn new(v: $ty) -> $name {
                $name(std::sync::atomic::$name::new(v))
            }
            atomics!(@common std::sync::atomic::$name, $ty);
            $($more)*
        }
    )* };
    (@common $std:ty, $ty:ty) => {
        #[inline]
        #[track_caller]
        pub fn load(&self, order: std::sync::atomic::Ordering) -> $ty {
            model::step(Location::caller());
            self.0.load(order)
        }
        #[inline]
        #[track_caller]
        pub fn store(&self, v: $ty, order: std::sync::atomic::Ordering) {
            model::step(Location::caller());
            self.0.store(v, order)
        }
        #[inline]
        #[track_caller]
        pub fn swap(&self, v: $ty, order: std::sync::atomic::Ordering) -> $ty {
            model::step(Location::caller());
            self.0.swap(v, order)
        }
        #[inline]
        #[track_caller]
        pub fn compare_exchange(
            &self,
            old: $ty,
            new: $ty,
            ok: std::sync::atomic::Ordering,
            err: std::sync::atomic::Ordering,
        ) -> Result<$ty, $ty> {
            model::step(Location::caller());
            self.0.compare_exchange(old, new, ok, err)
        }
        #[inline]
        #[track_caller]
        pub fn compare_exchange_weak(
            &self,
            old: $ty,
            new: $ty,
            ok: std::sync::atomic::Ordering,
            err: std::sync::atomic::Ordering,
        ) -> Result<$ty, $ty> {
            self.compare_exchange(old, new, ok, err)
        }
        #[inline]
        pub fn get_mut(&mut self) -> &mut $ty {
            self.0.get_mut()
        }
        #[inline]
        pub fn as_ptr(&self) -> *mut $ty {
            self.0.as_ptr()
        }
    };
    (@all $ty:ty) => {
        atomics!(@rmw $ty: fetch_add fetch_sub fetch_or fetch_and fetch_max fetch_min);
    };
    (@rmw $ty:ty: $($op:ident)*) => { $(
        #[inline]
        #[track_caller]
        pub fn $op(&self, v: $ty, order: std::sync::atomic::Ordering) -> $ty {
            model::step(Location::caller());
            self.0.$op(v, order)
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

/// See std's; a scheduling point comes before every access.
#[derive(Debug)]
#[repr(transparent)]
pub struct AtomicPtr<T>(std::sync::atomic::AtomicPtr<T>);

#[allow(missing_docs, reason = "as std's")]
impl<T> AtomicPtr<T> {
    #[inline]
    pub const fn new(v: *mut T) -> AtomicPtr<T> {
        AtomicPtr(std::sync::atomic::AtomicPtr::new(v))
    }
    atomics!(@common std::sync::atomic::AtomicPtr<T>, *mut T);
}

/// A full barrier: nothing where memory is sequentially consistent.
#[inline]
pub(crate) fn fence_seq_cst() {}

/// As [`fence_seq_cst`].
#[inline]
pub(crate) fn fence_after_rmw() {}

/// A scheduling point.
#[track_caller]
pub(crate) fn pause(_n: u32) {
    model::step(Location::caller());
}

/// A scheduling point.
#[track_caller]
pub(crate) fn os_yield() {
    model::step(Location::caller());
}

/// Sleeps `us` microseconds of virtual time.
#[track_caller]
pub(crate) fn usleep(us: u64) {
    model::step(Location::caller());
    model::sleep(0, us as i64 * 1000);
}

/// Sleeps for ever.
pub(crate) fn block_forever() -> ! {
    loop {
        model::sleep(0, -1);
    }
}

/// Sleeps while `*word == val`, at most `ns` nanoseconds of virtual time (forever if negative).
#[track_caller]
pub(crate) fn futex_wait(word: &AtomicU32, val: u32, ns: i64) {
    model::step(Location::caller());
    // H2: the kernel compares and queues under a lock.
    if word.0.load(std::sync::atomic::Ordering::SeqCst) == val {
        model::sleep(word.as_ptr() as usize, ns);
    }
}

/// Wakes up to `n` sleepers on `word`.
#[track_caller]
pub(crate) fn futex_wake(word: &AtomicU32, n: i32) {
    model::step(Location::caller());
    model::wake(word.as_ptr() as usize, n);
}

/// Starts a task. Its stack has the size that all have.
pub(crate) fn spawn_thread(
    _stack_bytes: usize,
    f: impl FnOnce() + Send + 'static,
) -> std::io::Result<()> {
    drop(shuttle::thread::spawn(f));
    Ok(())
}

/// The number of this task.
pub(crate) fn thread_id() -> u64 {
    usize::from(shuttle::current::me()) as u64
}

/// Unknown.
pub(crate) fn thread_stack() -> Option<(usize, usize)> {
    None
}

/// Virtual time: it moves a little whenever it is read.
pub(crate) fn nanotime() -> i64 {
    model::look_at_clock()
}

/// Virtual time since the Unix epoch.
pub(crate) fn walltime() -> i64 {
    model::look_at_clock()
}
