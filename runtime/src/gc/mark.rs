//! The marker: from the roots along every word that a layout calls a pointer.
//!
//! Each worker has a stack of objects to scan and hands half of it to the common pool when it
//! grows long or another worker starves. Objects above 128 KB are scanned in pieces.
//!
//! Most of the time goes into cache misses, so nothing is looked at when it is found: words wait in
//! a short delay line while the header and bits of their span are fetched, and marked objects in
//! a second one while their contents are.
//!
//! A word is followed only if it lies in the arena, in a span of objects, inside an object that is
//! allocated; nothing is dereferenced before that is known. So any word is safe to look at. What a
//! map calls a pointer and points to free memory of the heap is reported (`bad.rs`).
//!
//! # Invariants
//!
//! - K1. While it marks nothing is swept or given back, so what is allocated stays so, and headers
//!   do not change but for spans that are made; all that is allocated meanwhile is marked. With the
//!   world stopped no cache holds a span, and alloc bits are exact.
//! - K2. An object is pushed exactly once, by the worker that set its mark bit.
//!
//! When all is marked the common pool knows: `pool.rs`.
//!
//! Go: runtime/mgcmark.go, mgcwork.go.
#![allow(unsafe_code)]

mod pool;

use super::bad;
use crate::engine::RootVisitor;
use crate::heap::{
    BIT_WORDS, FREE, Heap, Layout, LayoutId, MIXED, PAGE_SHIFT, Span, layout, state,
};
use crate::sync::{AtomicU32, AtomicU64, AtomicUsize, Ordering, os_yield, pause};
use std::ptr::null;

pub(crate) use pool::{Batch, Pool, Turn, Work};

/// Objects above so many words are scanned in pieces. Go: maxObletBytes.
pub(crate) const PIECE_WORDS: usize = (128 << 10) / 8;
/// A worker's stack spills half of itself into the pool at this length.
const SPILL: usize = 4096;
/// A worker gives half of its stack away at this length, if another has none.
const SHARE: usize = 32;

/// A marker beside the program asks after so many words whether it is to stop; an object counts as
/// a few besides.
const STOP_WORDS: usize = 1024;
const OBJECT_WORDS: usize = 16;

/// Marks what came from a place that a map calls a pointer, in the first delay line.
const TYPED: usize = 1 << 63;
/// Words found that wait for their span's header and bits.
const FOUND: usize = 16;
/// Objects marked that wait for their contents.
const MARKED: usize = 8;

/// What there is to mark from, cut into jobs that workers take one by one.
pub(crate) trait Roots: Sync {
    /// How many jobs there are.
    fn jobs(&self) -> usize;
    /// Gives `v` the roots of one job.
    fn scan(&self, job: usize, v: &mut dyn RootVisitor);
}

/// What the workers share during one mark.
pub(super) struct Mark<'a> {
    heap: &'a Heap,
    pool: Pool,
    next_job: AtomicUsize,
    pub(super) marked_bytes: AtomicU64,
    pub(super) root_words: AtomicU64,
}

impl<'a> Mark<'a> {
    pub(crate) fn new(heap: &'a Heap) -> Mark<'a> {
        Mark {
            heap,
            pool: Pool::new(),
            next_job: AtomicUsize::new(0),
            marked_bytes: AtomicU64::new(0),
            root_words: AtomicU64::new(0),
        }
    }

    /// One worker's part: takes root jobs, then marks until no worker has anything left.
    ///
    /// `shared` says that others may mark at the same time.
    pub(crate) fn work(&self, roots: &dyn Roots, shared: bool) {
        if shared {
            Worker::<true>::new(self).run(roots);
        } else {
            Worker::<false>::new(self).run(roots);
        }
    }

    /// Takes the roots of a mark that others go on with.
    pub(super) fn take_roots(&self, roots: &dyn Roots) {
        let mut w = Worker::<true>::new(self);
        (0..roots.jobs()).for_each(|job| roots.scan(job, &mut w));
        w.give_all();
        w.finish();
    }

    /// Is as new.
    pub(super) fn restart(&self) {
        self.marked_bytes.store(0, Ordering::Relaxed);
        self.root_words.store(0, Ordering::Relaxed);
    }

    /// How many bytes of objects have been marked.
    pub(super) fn marked(&self) -> u64 {
        self.marked_bytes.load(Ordering::Relaxed)
    }

    /// Has a worker work?
    pub(super) fn is_active(&self) -> bool {
        self.pool.is_active()
    }

    /// Is there work that no worker has?
    pub(super) fn has_work(&self) -> bool {
        self.pool.has_work()
    }

    /// Keeps words from the write barrier, to be marked; they are followed without a break.
    pub(super) fn keep(&self, words: &[usize]) {
        self.pool.keep(words);
    }

    /// Takes roots beside the program: what `f` gives. As [`Mark::turn`] it says what is left.
    pub(super) fn roots(&self, f: impl FnOnce(&mut dyn RootVisitor)) -> Turn {
        let mut w = Worker::<true>::new(self);
        self.pool.enter();
        f(&mut w);
        w.leave()
    }

    /// Marks until `stop` says so, which is asked now and then, or what there is has been marked.
    /// What is left is in the pool afterwards.
    pub(super) fn turn(&self, stop: &mut dyn FnMut() -> bool) -> Turn {
        let mut w = Worker::<true>::new(self);
        match self.pool.begin() {
            Ok(batch) => w.receive(batch),
            Err(turn) => return turn,
        }
        // Batches may be small: what they cost together counts.
        let mut words = 0;
        while !w.drain_until(&mut words, stop) {
            words += OBJECT_WORDS;
            match self.pool.take() {
                Some(batch) => w.receive(batch),
                None => break,
            }
        }
        w.leave()
    }

    /// Marks what is left, with the world stopped.
    pub(super) fn rest(&self, shared: bool) {
        match shared {
            true => Worker::<true>::new(self).rest(),
            false => Worker::<false>::new(self).rest(),
        }
    }

    /// Marks what `f` gives, and all that it reaches, alone.
    pub(super) fn mark_from(&self, f: impl FnOnce(&mut dyn RootVisitor)) {
        let mut w = Worker::<false>::new(self);
        self.pool.enter();
        f(&mut w);
        w.drain();
        w.finish();
    }
}

/// A delay line: what is put in comes out when `N` more have been, or when it is taken.
struct Line<T, const N: usize> {
    items: [T; N],
    /// Where the oldest is, and how many there are.
    at: usize,
    len: usize,
}

impl<T: Copy + Default, const N: usize> Line<T, N> {
    fn new() -> Self {
        Line {
            items: [T::default(); N],
            at: 0,
            len: 0,
        }
    }

    /// Puts `item` in; what comes out for it.
    #[inline(always)]
    fn put(&mut self, item: T) -> Option<T> {
        let i = (self.at + self.len) % N;
        let old = std::mem::replace(&mut self.items[i], item);
        if self.len < N {
            self.len += 1;
            return None;
        }
        self.at = (i + 1) % N;
        Some(old)
    }

    /// Takes the oldest.
    #[inline(always)]
    fn take(&mut self) -> Option<T> {
        if self.len == 0 {
            return None;
        }
        let old = self.items[self.at];
        self.at = (self.at + 1) % N;
        self.len -= 1;
        Some(old)
    }
}

/// A marking thread. `SHARED`: others set mark bits at the same time.
struct Worker<'a, const SHARED: bool> {
    mark: &'a Mark<'a>,
    base: usize,
    used: usize,
    map: *const AtomicU32,
    spans: *const Span,
    bits: *const AtomicU64,
    stack: Vec<Work>,
    /// Offsets into the arena, some with `TYPED`.
    found: Line<usize, FOUND>,
    marked: Line<Work, MARKED>,
    bytes: u64,
    root_words: u64,
    /// `gcstress` is on.
    stressed: bool,
}

impl<'a, const SHARED: bool> Worker<'a, SHARED> {
    fn new(mark: &'a Mark<'a>) -> Self {
        let arena = &mark.heap.arena;
        Worker {
            mark,
            base: arena.base(),
            used: arena.used(),
            map: arena.map(0),
            spans: arena.span(0),
            bits: arena.bits(0),
            stack: Vec::new(),
            found: Line::new(),
            marked: Line::new(),
            bytes: 0,
            root_words: 0,
            stressed: mark.heap.gc.poison.load(Ordering::Relaxed),
        }
    }

    fn finish(self) {
        self.mark
            .marked_bytes
            .fetch_add(self.bytes, Ordering::Relaxed);
        self.mark
            .root_words
            .fetch_add(self.root_words, Ordering::Relaxed);
    }

    fn run(mut self, roots: &dyn Roots) {
        self.mark.pool.enter();
        let jobs = roots.jobs();
        loop {
            let job = self.mark.next_job.fetch_add(1, Ordering::Relaxed);
            if job >= jobs {
                break;
            }
            roots.scan(job, &mut self);
            self.drain_local();
        }
        self.drain();
        self.finish();
    }

    fn rest(mut self) {
        self.mark.pool.enter();
        self.drain();
        self.finish();
    }

    /// Takes part no more; what it had is in the pool.
    fn leave(mut self) -> Turn {
        self.give_all();
        let turn = self.mark.pool.leave();
        self.finish();
        turn
    }

    /// Has work of the pool to do.
    fn receive(&mut self, batch: Batch) {
        match batch {
            Batch::Objects(objects) => self.stack.extend_from_slice(&objects),
            Batch::Words(words) => words.iter().for_each(|w| {
                self.follow(*w, 0);
            }),
        }
    }

    /// Gives all its work to the pool.
    fn give_all(&mut self) {
        self.mark_found();
        while let Some(w) = self.marked.take() {
            self.stack.push(w);
        }
        if !self.stack.is_empty() {
            self.mark.pool.put(&self.stack);
            self.stack.clear();
        }
    }

    /// Scans an object, or lets the delay lines run empty; `false`: nothing is left.
    #[inline(always)]
    fn step(&mut self) -> bool {
        if let Some(w) = self.stack.pop() {
            prefetch(w.addr);
            if let Some(old) = self.marked.put(w) {
                self.scan(old);
            }
            if SHARED {
                self.share();
            }
            return true;
        }
        // There is nothing new to push: the delay lines run empty, the first one first.
        self.mark_found();
        if !self.stack.is_empty() {
            return true;
        }
        let Some(w) = self.marked.take() else {
            return false;
        };
        self.scan(w);
        true
    }

    /// Marks all that is in the first delay line.
    #[inline(always)]
    fn mark_found(&mut self) {
        while let Some(found) = self.found.take() {
            self.mark_at(found);
        }
    }

    /// As [`Worker::drain_local`], until `stop` says so; did it? So many `words` have been looked
    /// at since it was asked.
    fn drain_until(&mut self, words: &mut usize, stop: &mut dyn FnMut() -> bool) -> bool {
        loop {
            while *words < STOP_WORDS {
                *words += self.stack.last().map_or(0, |w| w.words as usize) + OBJECT_WORDS;
                if !self.step() {
                    return false;
                }
            }
            *words = 0;
            if stop() {
                return true;
            }
        }
    }

    /// Scans until its own stack and delay lines are empty.
    fn drain_local(&mut self) {
        while self.step() {}
    }

    /// Gives half of the stack away if it is long or another worker has nothing.
    #[inline]
    fn share(&mut self) {
        let len = self.stack.len();
        if len >= SPILL || (len >= SHARE && self.mark.pool.is_hungry()) {
            // The older half: it tends to reach more.
            self.mark.pool.put(&self.stack[..len / 2]);
            self.stack.drain(..len / 2);
        }
    }

    /// Scans until no worker has anything left.
    fn drain(&mut self) {
        loop {
            self.drain_local();
            if !self.next_batch() {
                return;
            }
        }
    }

    /// Takes a batch from the pool; false when the mark is over.
    fn next_batch(&mut self) -> bool {
        let mut rounds = 0u32;
        loop {
            match self.mark.pool.ask(rounds != 0) {
                Ok(batch) => {
                    self.receive(batch);
                    return true;
                }
                Err(Turn::Done) => return false,
                Err(_) => {}
            }
            rounds += 1;
            if rounds < 20 {
                pause(30);
            } else {
                os_yield();
            }
        }
    }

    /// Scans one piece of an object.
    #[inline]
    fn scan(&mut self, w: Work) {
        let l = layout(LayoutId(w.layout));
        let p = w.addr as *const usize;
        let n = w.words as usize;
        // SAFETY: K2, K1 — the object is allocated, and stays so: its words are readable.
        unsafe {
            if l.words <= 64 && n <= 64 {
                // Most objects: one mask of each kind, and no division.
                self.scan_masks(p, l, u64::MAX >> (64 - n));
                return;
            }
            if l.words <= 64 {
                let stride = 64 / l.words * l.words;
                for at in (0..n).step_by(stride) {
                    let len = stride.min(n - at);
                    self.scan_masks(p.add(at), l, u64::MAX >> (64 - len));
                }
                return;
            }
            for at in (0..n).step_by(l.words) {
                let inside = |off: &&u32| at + (**off as usize) < n;
                for &off in l.offsets.iter().take_while(inside) {
                    self.follow_typed(p.add(at + off as usize));
                }
                for &off in l.maybe_offsets.iter().take_while(inside) {
                    self.follow(*p.add(at + off as usize), 0);
                }
            }
        }
    }

    /// Scans the words from `p` on that `l` and `within` name.
    ///
    /// # Safety
    ///
    /// They are readable.
    #[inline(always)]
    unsafe fn scan_masks(&mut self, p: *const usize, l: &Layout, within: u64) {
        // SAFETY: by contract.
        unsafe {
            let mut mask = l.mask & within;
            while mask != 0 {
                self.follow_typed(p.add(mask.trailing_zeros() as usize));
                mask &= mask - 1;
            }
            let mut mask = l.maybe & within;
            while mask != 0 {
                self.follow(*p.add(mask.trailing_zeros() as usize), 0);
                mask &= mask - 1;
            }
        }
    }

    /// Takes note of the word at `at`, which a map calls a pointer. Debug builds under `gcstress`
    /// see to stack::K3.
    ///
    /// # Safety
    ///
    /// It is readable.
    #[inline(always)]
    unsafe fn follow_typed(&mut self, at: *const usize) {
        // SAFETY: by contract.
        let word = unsafe { *at };
        if cfg!(debug_assertions) && self.stressed {
            self.check_no_stack(word);
        }
        if !self.follow(word, TYPED) {
            bad::check(self.mark.heap, word, at);
        }
    }

    /// Dies if `word` points into a goroutine's stack, which may move.
    fn check_no_stack(&self, word: usize) {
        let off = word.wrapping_sub(self.base);
        if off >= self.used {
            return;
        }
        let page = self
            .mark
            .heap
            .arena
            .map(off >> PAGE_SHIFT)
            .load(Ordering::Relaxed);
        if page.wrapping_sub(1) >= FREE - 1 {
            return;
        }
        let span = self.mark.heap.arena.span(page);
        // SAFETY: arena::A1 — headers are always readable.
        if unsafe { (*span).state.load(Ordering::Acquire) } == state::MANUAL {
            crate::throw!("pointer {word:#x} into a goroutine's stack");
        }
    }

    /// Takes note of a word, which may point into an object to mark; false if it points to pages of
    /// the arena that are free.
    #[inline(always)]
    fn follow(&mut self, word: usize, typed: usize) -> bool {
        let off = word.wrapping_sub(self.base);
        if off < self.used {
            // SAFETY: arena::A1 — the offset is below `used`.
            let page = unsafe { (*self.map.add(off >> PAGE_SHIFT)).load(Ordering::Relaxed) };
            if page.wrapping_sub(1) >= FREE - 1 {
                return false;
            }
            prefetch(self.spans.wrapping_add(page as usize) as usize);
            prefetch(self.bits.wrapping_add(page as usize * BIT_WORDS) as usize);
            if let Some(old) = self.found.put(off | typed) {
                self.mark_at(old);
            }
        }
        true
    }

    /// Marks the object at an offset of the arena, if any, and pushes it if it has pointers.
    #[inline(always)]
    fn mark_at(&mut self, found: usize) {
        let off = found & !TYPED;
        // SAFETY: K1, and arena::A1 — the offset is below `used`, so map, header and bits
        // are readable, and the header describes the span.
        unsafe {
            let page = (*self.map.add(off >> PAGE_SHIFT)).load(Ordering::Relaxed);
            if page.wrapping_sub(1) >= FREE - 1 {
                return;
            }
            let s = self.spans.add(page as usize);
            // Acquire: pairs with the Release in `Span::init`.
            if (*s).state.load(Ordering::Acquire) != state::IN_USE {
                return;
            }
            let within = off - ((page as usize) << PAGE_SHIFT);
            let index = ((within as u64).wrapping_mul(u64::from((*s).magic)) >> 32) as usize;
            if index >= (*s).nelems as usize {
                if found & TYPED != 0 {
                    bad::check(self.mark.heap, self.base + off, null());
                }
                return;
            }
            let pair = self.bits.add(page as usize * BIT_WORDS + index / 64 * 2);
            let bit = 1u64 << (index % 64);
            let marks = &*pair.add(1);
            let old = marks.load(Ordering::Relaxed);
            if old & bit != 0 {
                return;
            }
            if (*pair).load(Ordering::Relaxed) & bit == 0 {
                if found & TYPED != 0 && !crate::fault!(PassBadPointers) {
                    // The sweeper will see it.
                    marks.fetch_or(bit, Ordering::Relaxed);
                }
                return;
            }
            if SHARED {
                if marks.fetch_or(bit, Ordering::Relaxed) & bit != 0 {
                    return;
                }
            } else {
                marks.store(old | bit, Ordering::Relaxed);
            }
            let size = (*s).elem_size;
            self.bytes += size as u64;
            if (*s).is_noscan() {
                return;
            }
            let addr = self.base + ((page as usize) << PAGE_SHIFT) + index * size;
            prefetch(addr);
            // Acquire: who sees MIXED sees the array.
            let mut id = (*s).layout.load(Ordering::Acquire);
            if id == MIXED {
                id = *(*s).layouts.add(index);
            }
            if size <= PIECE_WORDS * 8 {
                self.stack.push(Work {
                    addr,
                    words: (size / 8) as u32,
                    layout: id,
                });
            } else {
                self.push_pieces(addr, size / 8, id);
            }
        }
    }

    #[cold]
    fn push_pieces(&mut self, addr: usize, words: usize, id: u32) {
        let l = layout(LayoutId(id));
        if !l.parts.is_empty() {
            for at in (0..words).step_by(l.words) {
                for part in l.parts.iter().filter(|p| at + p.at < words) {
                    let n = part.words.min(words - at - part.at);
                    self.push_pieces(addr + (at + part.at) * 8, n, part.layout.0);
                }
            }
            return;
        }
        let elem = l.words;
        let step = (PIECE_WORDS / elem * elem).max(elem);
        let mut at = 0;
        while at < words {
            let n = step.min(words - at);
            self.stack.push(Work {
                addr: addr + at * 8,
                words: n as u32,
                layout: id,
            });
            at += step;
        }
    }
}

impl<const SHARED: bool> RootVisitor for Worker<'_, SHARED> {
    fn word(&mut self, w: usize) {
        self.root_words += 1;
        self.follow(w, 0);
    }

    fn pointer(&mut self, at: *const usize) {
        self.root_words += 1;
        // SAFETY: the caller gives readable memory.
        unsafe { self.follow_typed(at) };
    }

    fn range(&mut self, lo: *const usize, n: usize) {
        self.root_words += n as u64;
        for i in 0..n {
            // SAFETY: the caller gives readable memory.
            self.follow(unsafe { *lo.add(i) }, 0);
        }
    }
}

/// Fetches the cache line at `addr`, which need not be readable.
#[inline(always)]
pub(super) fn prefetch(addr: usize) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch never faults.
    unsafe {
        std::arch::x86_64::_mm_prefetch::<{ std::arch::x86_64::_MM_HINT_T0 }>(addr as *const i8);
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = addr;
}
