//! What the heap and the collector tell about themselves: MemStats and the gctrace line.
//!
//! Go: runtime/mstats.go, mgc.go.

use super::State;
use crate::heap::{CLASS_SIZE, Heap, NUM_CLASSES, PAGE_SHIFT, Span};
use crate::sync::Ordering;

/// Size classes told by `runtime.MemStats.BySize`.
const BY_SIZE: usize = 61;

/// Objects of one size class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BySize {
    /// Bytes per object.
    pub size: u32,
    /// Objects ever allocated.
    pub mallocs: u64,
    /// Objects freed.
    pub frees: u64,
}

/// The fields of Go's `runtime.MemStats`, with Go's meanings.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "named as in Go")]
pub struct MemStats {
    pub alloc: u64,
    pub total_alloc: u64,
    pub sys: u64,
    pub lookups: u64,
    pub mallocs: u64,
    pub frees: u64,
    pub heap_alloc: u64,
    pub heap_sys: u64,
    pub heap_idle: u64,
    pub heap_inuse: u64,
    pub heap_released: u64,
    pub heap_objects: u64,
    pub stack_inuse: u64,
    pub stack_sys: u64,
    pub mspan_inuse: u64,
    pub mspan_sys: u64,
    pub mcache_inuse: u64,
    pub mcache_sys: u64,
    pub buck_hash_sys: u64,
    pub gc_sys: u64,
    pub other_sys: u64,
    pub next_gc: u64,
    pub last_gc: u64,
    pub pause_total_ns: u64,
    pub pause_ns: [u64; 256],
    pub pause_end: [u64; 256],
    pub num_gc: u32,
    pub num_forced_gc: u32,
    pub gc_cpu_fraction: f64,
    pub by_size: [BySize; BY_SIZE],
}

/// The numbers of a heap whose caches (`ncaches` of them) are flushed.
pub(super) fn mem_stats(heap: &Heap, ncaches: usize) -> MemStats {
    let s = &heap.stats;
    let get = |a: &crate::sync::AtomicU64| a.load(Ordering::Relaxed);
    let mut by_size = [BySize::default(); BY_SIZE];
    let tiny = get(&s.tiny_allocs);
    // A tiny object counts as freed at once: it has no life of its own.
    let (mut mallocs, mut frees) = (tiny, tiny);
    let (mut total, mut freed) = (get(&s.large_alloc_bytes), get(&s.large_free_bytes));
    for class in 0..NUM_CLASSES {
        let a = get(&s.allocs[class * 2]) + get(&s.allocs[class * 2 + 1]);
        let f = get(&s.frees[class * 2]) + get(&s.frees[class * 2 + 1]);
        mallocs += a;
        frees += f;
        total += a * u64::from(CLASS_SIZE[class]);
        freed += f * u64::from(CLASS_SIZE[class]);
        if class < BY_SIZE {
            by_size[class] = BySize {
                size: CLASS_SIZE[class],
                mallocs: a,
                frees: f,
            };
        }
    }
    // Page 0 of the arena is never used (arena::A2).
    let (committed, untouched, manual) = {
        let h = heap.pages.lock();
        (
            h.committed.saturating_sub(1),
            (h.free - h.free_dirty).saturating_sub(h.touched),
            h.manual,
        )
    };
    let bytes = |pages: usize| (pages << PAGE_SHIFT) as u64;
    let in_use = bytes(s.pages_in_use.load(Ordering::Relaxed));
    let heap_alloc = total - freed;
    let mspan_sys = (heap.arena.used() >> PAGE_SHIFT) as u64 * size_of::<Span>() as u64;
    let gc_sys = (heap.arena.side_bytes() as u64).saturating_sub(mspan_sys)
        + s.layout_bytes.load(Ordering::Relaxed) as u64;
    let mcache = (ncaches * size_of::<crate::heap::MCache>()) as u64;
    let info = heap.gc.info.lock();
    let heap_sys = bytes(committed) - bytes(manual);
    MemStats {
        alloc: heap_alloc,
        total_alloc: total,
        sys: bytes(committed) + mspan_sys + gc_sys + mcache,
        lookups: 0,
        mallocs,
        frees,
        heap_alloc,
        heap_sys,
        heap_idle: heap_sys - in_use,
        heap_inuse: in_use,
        heap_released: bytes(untouched),
        heap_objects: mallocs - frees,
        stack_inuse: bytes(manual),
        stack_sys: bytes(manual),
        mspan_inuse: s.spans.load(Ordering::Relaxed) as u64 * size_of::<Span>() as u64,
        mspan_sys,
        mcache_inuse: mcache,
        mcache_sys: mcache,
        buck_hash_sys: 0,
        gc_sys,
        other_sys: 0,
        next_gc: heap.gc.goal.load(Ordering::Relaxed),
        last_gc: info.last_gc,
        pause_total_ns: info.pause_total_ns,
        pause_ns: *info.pause_ns,
        pause_end: *info.pause_end,
        num_gc: info.num_gc,
        num_forced_gc: info.num_forced,
        gc_cpu_fraction: info.cpu_fraction(),
        by_size,
    }
}

/// What the collector remembers of its cycles.
#[derive(Debug)]
pub(super) struct Info {
    pub(super) num_gc: u32,
    num_forced: u32,
    /// Wall time of the end of the last cycle, ns since 1970.
    last_gc: u64,
    /// The same on the monotonic clock.
    last_end_ns: i64,
    pause_total_ns: u64,
    pause_ns: Box<[u64; 256]>,
    pause_end: Box<[u64; 256]>,
    /// Processor time the collector has taken, and how many processors there are.
    cpu_ns: u64,
    pub(crate) procs: usize,
    start_ns: i64,
    /// Bytes that lived after the last cycle.
    marked_before: u64,
    pub(super) marked: super::pacer::Marked,
}

impl Info {
    pub(crate) fn new() -> Info {
        Info {
            num_gc: 0,
            num_forced: 0,
            last_gc: 0,
            last_end_ns: 0,
            pause_total_ns: 0,
            pause_ns: Box::new([0; 256]),
            pause_end: Box::new([0; 256]),
            cpu_ns: 0,
            procs: 1,
            start_ns: crate::clock::nanotime(),
            marked_before: 0,
            marked: Default::default(),
        }
    }

    fn cpu_fraction(&self) -> f64 {
        let elapsed = (crate::clock::nanotime() - self.start_ns).max(1) as f64;
        (self.cpu_ns as f64 / (elapsed * self.procs as f64)).min(1.0)
    }

    /// What the program allocates in the time that a mark like that of `c` takes when workers do
    /// all of it; the mean of that and what was found before.
    fn runway(&self, c: &Cycle) -> u64 {
        let allocated = c.live_before.saturating_sub(self.marked_before) as f64;
        let rate = allocated / (c.begin_ns - self.last_end_ns).max(1) as f64;
        let by_workers = c.worker_ns as f64 / (c.worker_ns + c.assist_ns).max(1) as f64;
        let took = (c.last_begin_ns - c.started_ns) as f64 / by_workers.max(0.2);
        (self.marked.runway + (rate * took) as u64) / 2
    }

    /// Books a cycle.
    pub(super) fn book(&mut self, c: &Cycle) {
        let wall = crate::clock::walltime() as u64;
        let pause = c.pause_ns();
        let (end, procs) = (c.end_ns, c.procs);
        let cpu_ns = pause * procs as u64 + c.worker_ns + c.assist_ns;
        let i = self.num_gc as usize % 256;
        if !crate::fault!(ForgetPauses) {
            self.pause_ns[i] = pause;
            self.pause_end[i] = wall;
            self.pause_total_ns += pause;
        }
        self.num_gc += 1;
        self.num_forced += u32::from(c.forced);
        self.last_gc = wall;
        if c.started_ns != 0 {
            self.marked.runway = self.runway(c);
        }
        let since = (end
            - if self.last_end_ns == 0 {
                self.start_ns
            } else {
                self.last_end_ns
            })
        .max(1);
        self.marked.gc_share = cpu_ns as f64 / (since as f64 * procs as f64);
        self.marked.allocated = c.live_end.saturating_sub(self.marked_before);
        self.last_end_ns = end;
        self.marked_before = c.live_after;
        self.cpu_ns += cpu_ns;
        self.procs = procs;
    }
}

/// One cycle, for the books and the trace line. Times are monotonic.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cycle {
    /// The world begins to stop, and has stopped.
    pub(super) begin_ns: i64,
    pub(super) stopped_ns: i64,
    /// The world was started again, to mark beside the program; 0: that was not so.
    pub(super) started_ns: i64,
    /// As the first, at the end.
    pub(super) last_begin_ns: i64,
    /// How long the world was stopped in between.
    pub(super) between_ns: i64,
    /// All is marked.
    pub(super) marked_ns: i64,
    pub(super) end_ns: i64,
    pub(super) workers: usize,
    pub(crate) procs: usize,
    pub(super) worker_ns: u64,
    pub(super) assist_ns: u64,
    pub(super) live_before: u64,
    /// What was allocated when the mark ended, garbage included.
    pub(super) live_end: u64,
    pub(super) live_after: u64,
    pub(super) goal: u64,
    pub(crate) stack_bytes: u64,
    pub(crate) forced: bool,
}

impl Cycle {
    /// How long the world was stopped.
    fn pause_ns(&self) -> u64 {
        let ns = match self.started_ns {
            0 => self.end_ns - self.begin_ns,
            started => {
                (started - self.begin_ns) + self.between_ns + (self.end_ns - self.last_begin_ns)
            }
        };
        ns.max(0) as u64
    }
}

/// Writes the line of `GODEBUG=gctrace=1`.
pub(crate) fn trace(gc: &State, c: &Cycle) {
    let (num, fraction, start) = {
        let info = gc.info.lock();
        (info.num_gc, info.cpu_fraction(), info.start_ns)
    };
    let ms = |ns: i64| ns.max(0) as f64 / 1e6;
    let (first, mark, last) = match c.started_ns {
        0 => (
            c.stopped_ns - c.begin_ns,
            c.marked_ns - c.stopped_ns,
            c.end_ns - c.marked_ns,
        ),
        started => (
            started - c.begin_ns,
            c.last_begin_ns - started,
            c.between_ns + c.end_ns - c.last_begin_ns,
        ),
    };
    let procs = c.procs as i64;
    let worked = match c.started_ns {
        0 => mark * c.workers as i64,
        _ => c.worker_ns as i64,
    };
    super::eprint(format_args!(
        "gc {num} @{:.3}s {}%: {:.3}+{:.3}+{:.3} ms clock, {:.3}+{:.3}/{:.3}/0+{:.3} ms cpu, \
         {}->{}->{} MB, {} MB goal, {} MB stacks, 0 MB globals, {} P{}\n",
        (c.begin_ns - start) as f64 / 1e9,
        (fraction * 100.0) as u32,
        ms(first),
        ms(mark),
        ms(last),
        ms(first * procs),
        ms(c.assist_ns as i64),
        ms(worked),
        ms(last * procs),
        c.live_before >> 20,
        c.live_end >> 20,
        c.live_after >> 20,
        c.goal >> 20,
        c.stack_bytes >> 20,
        c.procs,
        if c.forced { " (forced)" } else { "" },
    ));
}
