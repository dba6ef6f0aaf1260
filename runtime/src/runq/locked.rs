//! A deque under a lock, with the face of crossbeam's, for loom.
//!
//! Its length is published as crossbeam publishes its ends, and no more strongly: it may be looked
//! at without the lock, and the look orders nothing.
#![allow(unsafe_code)]

use std::cell::UnsafeCell;
use std::collections::VecDeque;
use std::sync::Arc;

use crate::lockrank::Rank;
use crate::sync::{AtomicUsize, Lock, Ordering};

struct Shared<T> {
    lock: Lock,
    queue: UnsafeCell<VecDeque<T>>,
    len: AtomicUsize,
    fifo: bool,
}

impl<T> Shared<T> {
    fn with<R>(&self, f: impl FnOnce(&mut VecDeque<T>) -> R) -> R {
        let _l = self.lock.guard();
        // SAFETY: the lock is held.
        let q = unsafe { &mut *self.queue.get() };
        let before = q.len();
        let r = f(q);
        if q.len() != before {
            // Release: a thief that sees it may take what was pushed.
            self.len.store(q.len(), Ordering::Release);
        }
        r
    }
}

/// The owner's end.
pub(super) struct Worker<T>(Arc<Shared<T>>);
/// The others' end.
pub(super) struct Stealer<T>(Arc<Shared<T>>);

/// What came of an attempt to steal.
pub(super) enum Steal<T> {
    Empty,
    Success(T),
    #[allow(dead_code, reason = "a lock needs no second try")]
    Retry,
}

impl<T> Worker<T> {
    fn new(fifo: bool) -> Worker<T> {
        Worker(Arc::new(Shared {
            lock: Lock::new(Rank::Leaf),
            queue: UnsafeCell::new(VecDeque::new()),
            len: AtomicUsize::new(0),
            fifo,
        }))
    }
    pub(super) fn new_fifo() -> Worker<T> {
        Worker::new(true)
    }
    pub(super) fn new_lifo() -> Worker<T> {
        Worker::new(false)
    }
    pub(super) fn stealer(&self) -> Stealer<T> {
        Stealer(self.0.clone())
    }
    pub(super) fn len(&self) -> usize {
        self.0.len.load(Ordering::Relaxed)
    }
    pub(super) fn push(&self, v: T) {
        self.0.with(|q| q.push_back(v));
    }
    pub(super) fn pop(&self) -> Option<T> {
        if self.len() == 0 {
            return None;
        }
        let fifo = self.0.fifo;
        self.0
            .with(|q| if fifo { q.pop_front() } else { q.pop_back() })
    }
}

impl<T> Stealer<T> {
    pub(super) fn len(&self) -> usize {
        self.0.len.load(Ordering::Acquire)
    }
    pub(super) fn is_empty(&self) -> bool {
        self.len() == 0
    }
    pub(super) fn steal_batch_with_limit_and_pop(&self, to: &Worker<T>, limit: usize) -> Steal<T> {
        if self.is_empty() {
            return Steal::Empty;
        }
        let mut batch = self.0.with(|q| {
            let n = q.len().div_ceil(2).min(limit);
            q.drain(..n).collect::<VecDeque<T>>()
        });
        let Some(first) = batch.pop_front() else {
            return Steal::Empty;
        };
        if !batch.is_empty() {
            to.0.with(|q| q.append(&mut batch));
        }
        Steal::Success(first)
    }
}
