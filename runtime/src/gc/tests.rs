//! Tests of the collector with a world of its own: some caches and a list of roots.
#![allow(unsafe_code)]

use super::*;
use crate::heap::tests::Rng;
use crate::heap::{LayoutId, MCache, WordKind, register_layout};
use std::cell::UnsafeCell;
use std::collections::BTreeMap;

struct TestWorld {
    heap: &'static Heap,
    caches: Vec<UnsafeCell<MCache>>,
    roots: Vec<usize>,
    threads: usize,
}

// SAFETY: the test touches caches and roots only between cycles.
unsafe impl Sync for TestWorld {}

impl TestWorld {
    fn new(threads: usize) -> TestWorld {
        let heap = Box::leak(Heap::new(1 << 30, false).expect("address space"));
        let caches = (0..3).map(|_| UnsafeCell::new(MCache::of(heap))).collect();
        TestWorld {
            heap,
            caches,
            roots: Vec::new(),
            threads,
        }
    }

    fn alloc(&mut self, size: usize, layout: LayoutId) -> usize {
        self.caches[0].get_mut().alloc(size, layout) as usize
    }

    fn collect(&mut self, mode: Mode) {
        assert!(cycle(self.heap, self, mode, crate::clock::nanotime()));
    }

    /// Collects and sweeps everything.
    fn collect_all(&mut self) -> MemStats {
        self.collect(Mode::Forced);
        sweep::finish(self.heap);
        mem_stats_of(self.heap, 3)
    }
}

impl Roots for TestWorld {
    fn jobs(&self) -> usize {
        self.roots.len().div_ceil(10)
    }

    fn scan(&self, job: usize, v: &mut dyn RootVisitor) {
        let part = &self.roots[job * 10..self.roots.len().min(job * 10 + 10)];
        if job.is_multiple_of(2) {
            part.iter().for_each(|w| v.word(*w));
        } else {
            v.range(part.as_ptr(), part.len());
        }
    }
}

impl World for TestWorld {
    fn caches(&self, f: &mut dyn FnMut(&mut MCache)) {
        for c in &self.caches {
            // SAFETY: gc::C1 — the world is stopped.
            f(unsafe { &mut *c.get() });
        }
    }

    fn parallel(&self, n: usize, f: &(dyn Fn(usize) + Sync)) {
        std::thread::scope(|s| {
            for i in 1..n {
                s.spawn(move || f(i));
            }
            f(0);
        });
    }

    fn procs(&self) -> usize {
        self.threads
    }
}

fn get(p: usize, i: usize) -> usize {
    // SAFETY: the tests give objects with more than `i` words.
    unsafe { *(p as *const usize).add(i) }
}

fn set(p: usize, i: usize, v: usize) {
    // SAFETY: the tests give objects with more than `i` words.
    unsafe { *(p as *mut usize).add(i) = v }
}

#[test]
fn what_no_root_reaches_is_freed() {
    let mut w = TestWorld::new(1);
    let kept = w.alloc(32, LayoutId::POINTERS);
    let child = w.alloc(100, LayoutId::NOSCAN);
    set(kept, 0, child);
    for _ in 0..1000 {
        w.alloc(32, LayoutId::POINTERS);
    }
    w.roots = vec![kept, 0, 12345, usize::MAX];
    let s = w.collect_all();
    assert_eq!((s.mallocs, s.frees, s.heap_objects), (1002, 1000, 2));
    assert_eq!(s.heap_alloc, 32 + 112);
    assert_eq!((s.num_gc, s.num_forced_gc), (1, 1));
    w.roots.clear();
    assert_eq!(w.collect_all().heap_inuse, 0);
}

#[test]
fn interior_pointers_keep_objects_and_scalars_do_not() {
    let mut w = TestWorld::new(1);
    let layout = register_layout(24, &[WordKind::Scalar, WordKind::Pointer, WordKind::Maybe]);
    let p = w.alloc(24, layout);
    let (a, b, c) = (
        w.alloc(64, LayoutId::NOSCAN),
        w.alloc(64, LayoutId::NOSCAN),
        w.alloc(64, LayoutId::NOSCAN),
    );
    set(p, 0, a);
    set(p, 1, b + 63);
    set(p, 2, c + 1);
    w.roots = vec![p + 23];
    w.collect_all();
    assert!(w.heap.find_object(p).is_some());
    assert!(w.heap.find_object(a).is_none(), "a scalar kept an object");
    assert!(w.heap.find_object(b).is_some());
    assert!(w.heap.find_object(c).is_some());
}

#[test]
fn large_objects_are_scanned_in_pieces_and_freed() {
    let mut w = TestWorld::new(2);
    let n = 300_000;
    let big = w.alloc(n * 8, LayoutId::POINTERS);
    let mut leaves = Vec::new();
    for i in (0..n).step_by(997) {
        let leaf = w.alloc(16, LayoutId::NOSCAN);
        set(leaf, 0, i);
        set(big, i, leaf);
        leaves.push((i, leaf));
    }
    w.roots = vec![big + 8 * 150_000];
    for _ in 0..2 {
        w.collect_all();
        for &(i, leaf) in &leaves {
            assert_eq!((get(big, i), get(leaf, 0)), (leaf, i));
            assert!(w.heap.find_object(leaf).is_some());
        }
    }
    w.roots.clear();
    let s = w.collect_all();
    assert_eq!(s.heap_alloc, 0);
    assert_eq!(s.heap_inuse, 0);
    w.heap.pages.lock().verify(&w.heap.arena);
}

#[test]
fn dangling_words_mark_nothing() {
    let mut w = TestWorld::new(1);
    let p = w.alloc(32, LayoutId::POINTERS);
    w.roots.clear();
    w.collect_all();
    // Free slots of a span in use, and a slot beyond the last object of a span.
    let q = w.alloc(48, LayoutId::POINTERS);
    w.roots = vec![p, q, q + 48, q + 8191];
    let s = w.collect_all();
    assert_eq!(s.heap_objects, 1);
}

#[test]
fn a_deep_list_needs_no_deep_stack() {
    let mut w = TestWorld::new(2);
    let mut head = 0;
    for _ in 0..300_000 {
        let p = w.alloc(16, LayoutId::POINTERS);
        set(p, 0, head);
        head = p;
    }
    w.roots = vec![head];
    assert_eq!(w.collect_all().heap_objects, 300_000);
    w.roots = vec![get(head, 0)];
    assert_eq!(w.collect_all().heap_objects, 299_999);
}

/// A random graph is changed and collected; after each cycle what is reachable in a model is there
/// with its contents, and the heap holds nothing else.
fn random_graph(threads: usize, mode: Mode, rounds: usize, per_round: usize) {
    let mut w = TestWorld::new(threads);
    let stress = mode == Mode::Stress;
    w.heap.gc.poison.store(stress, Ordering::Relaxed);
    let mut rng = Rng(99 + threads as u64);
    // The model: object → (words, layout as pointer positions, targets, a number in the last
    // word).
    struct Node {
        words: usize,
        ptrs: Vec<usize>,
        number: usize,
    }
    let mut model: BTreeMap<usize, Node> = BTreeMap::new();
    for round in 0..rounds {
        for _ in 0..per_round {
            let words = match rng.below(100) {
                0 => 5000 + rng.below(20_000),
                1..=5 => 100 + rng.below(2000),
                _ => 2 + rng.below(30),
            };
            let period = 1 + rng.below(words.min(90));
            let kinds: Vec<WordKind> = (0..period)
                .map(|_| [WordKind::Scalar, WordKind::Pointer, WordKind::Maybe][rng.below(3)])
                .collect();
            let layout = register_layout(period * 8, &kinds);
            let ptrs: Vec<usize> = (0..words - 1)
                .filter(|i| kinds[i % period] != WordKind::Scalar)
                .take(50)
                .collect();
            let i = rng.below(3);
            let p = w.caches[i].get_mut().alloc(words * 8, layout) as usize;
            assert!((0..words).all(|i| get(p, i) == 0), "not zeroed");
            assert!(!model.contains_key(&p), "allocated twice");
            let number = rng.next() as usize >> 17;
            set(p, words - 1, number);
            model.insert(
                p,
                Node {
                    words,
                    ptrs,
                    number,
                },
            );
            if rng.below(4) == 0 {
                w.roots.push(p + rng.below(words * 8));
            }
        }
        // New edges, interior ones among them, and junk.
        let all: Vec<usize> = model.keys().copied().collect();
        for _ in 0..per_round * 2 {
            let from = &model[&all[rng.below(all.len())]];
            let p = *model
                .range(..=all[rng.below(all.len())])
                .next_back()
                .unwrap()
                .0;
            let _ = from;
            let node = &model[&p];
            if let Some(&at) = node.ptrs.get(rng.below(node.ptrs.len().max(1))) {
                let to = all[rng.below(all.len())];
                let v = if rng.below(20) == 0 {
                    rng.next() as usize
                } else {
                    to + rng.below(model[&to].words * 8)
                };
                set(p, at, v);
            }
        }
        let keep = w.roots.len() / 2 + 1;
        for _ in keep..w.roots.len() {
            let i = rng.below(w.roots.len());
            w.roots.swap_remove(i);
        }
        // What the model says is alive.
        let owner = |word: usize| {
            let (p, n) = model.range(..=word).next_back()?;
            (word < p + n.words * 8).then_some(*p)
        };
        let mut live: BTreeMap<usize, ()> = BTreeMap::new();
        let mut work: Vec<usize> = w.roots.iter().filter_map(|r| owner(*r)).collect();
        while let Some(p) = work.pop() {
            if live.insert(p, ()).is_none() {
                work.extend(model[&p].ptrs.iter().filter_map(|&i| owner(get(p, i))));
            }
        }
        let extra = model.values().filter(|n| n.number == usize::MAX).count();
        assert_eq!(extra, 0);
        w.collect(mode);
        if round % 3 != 0 || stress {
            sweep::finish(w.heap);
            let objects = mem_stats_of(w.heap, 3).heap_objects as usize;
            // The last word may look like a pointer where the layout says so; the numbers do not.
            assert_eq!(objects, live.len(), "round {round}");
        }
        for (p, n) in &model {
            if live.contains_key(p) {
                assert_eq!(get(*p, n.words - 1), n.number, "contents lost");
                assert!(w.heap.find_object(*p).is_some());
            } else if stress && w.heap.find_object(*p).is_none() && n.words < 30 {
                assert_eq!(get(*p, n.words - 1), 0xdbdb_dbdb_dbdb_dbdb, "not poisoned");
            }
        }
        model.retain(|p, _| live.contains_key(p));
    }
    w.heap.pages.lock().verify(&w.heap.arena);
    w.roots.clear();
    assert_eq!(w.collect_all().heap_objects, 0);
}

#[test]
fn random_graph_alone() {
    random_graph(1, Mode::Forced, 30, 500);
}

#[test]
fn random_graph_with_two_markers() {
    random_graph(2, Mode::Forced, 12, 4000);
}

#[test]
fn random_graph_under_stress() {
    random_graph(2, Mode::Stress, 60, 100);
}

#[test]
fn allocation_asks_for_a_collection_at_the_goal() {
    let mut w = TestWorld::new(1);
    let mut n = 0;
    while w.heap.gc.due(false).is_none() {
        w.alloc(1024, LayoutId::NOSCAN);
        n += 1024;
    }
    assert!(((4 << 20) - 8192..=(4 << 20) + 8192).contains(&n), "{n}");
    w.collect(Mode::Background);
    assert!(w.heap.gc.due(false).is_none());
    assert!(
        !cycle(w.heap, &w, Mode::Background, 0),
        "a cycle nobody wanted"
    );
    // 8 MB live: the next goal is 16 MB.
    for _ in 0..8 {
        let p = w.alloc(1 << 20, LayoutId::NOSCAN);
        w.roots.push(p);
    }
    w.collect(Mode::Forced);
    let goal = w.heap.gc.goal.load(Ordering::Relaxed);
    assert!((16 << 20..(16 << 20) + 4096).contains(&goal), "{goal}");
}

#[test]
fn lazily_swept_slots_are_reused_before_fresh_pages() {
    let mut w = TestWorld::new(1);
    for _ in 0..50 {
        for _ in 0..20_000 {
            w.alloc(32, LayoutId::POINTERS);
        }
        w.collect(Mode::Forced);
    }
    let s = mem_stats_of(w.heap, 3);
    assert!(s.heap_sys <= 4 << 20, "{}", s.heap_sys);
}

#[test]
fn free_memory_goes_back_to_the_system() {
    let mut w = TestWorld::new(1);
    for _ in 0..64 {
        w.alloc(1 << 20, LayoutId::NOSCAN);
    }
    let before = w.collect_all();
    assert_eq!(before.heap_inuse, 0);
    assert!(before.heap_idle - before.heap_released >= 64 << 20);
    while pacer::scavenge(w.heap, 64) != 0 {}
    let s = mem_stats_of(w.heap, 3);
    // What the goal of 4 MB wants stays, and 10 %.
    assert!(s.heap_idle - s.heap_released <= 5 << 20);
    w.heap.pages.lock().verify(&w.heap.arena);
}

#[test]
fn the_memory_limit_holds() {
    let mut w = TestWorld::new(1);
    w.heap.gc.limit.store(32 << 20, Ordering::Relaxed);
    w.heap.gc.percent.store(-1, Ordering::Relaxed);
    w.collect(Mode::Forced);
    for i in 0..2000 {
        w.alloc(100_000 + i, LayoutId::NOSCAN);
        if w.heap.gc.due(false).is_some() {
            w.collect(Mode::Background);
        }
        let s = mem_stats_of(w.heap, 3);
        assert!(
            s.sys - s.heap_released <= 33 << 20,
            "{}",
            s.sys - s.heap_released
        );
    }
    assert!(mem_stats_of(w.heap, 3).num_gc >= 6);
}

#[test]
fn specials_follow_gos_order() {
    let mut w = TestWorld::new(1);
    let outer = w.alloc(16, LayoutId::POINTERS);
    let inner = w.alloc(16, LayoutId::POINTERS);
    let word = w.alloc(16, LayoutId::NOSCAN);
    let handle = w.alloc(16, LayoutId::NOSCAN);
    set(handle, 0, outer);
    set(outer, 0, inner);
    w.heap.gc.any_specials.store(true, Ordering::Relaxed);
    {
        let mut t = w.heap.gc.specials.lock();
        assert!(
            t.add(outer, 0, SpecialKind::Finalizer, [word, 0, 0])
                .is_some()
        );
        assert!(t.add(outer, 0, SpecialKind::Finalizer, [0; 3]).is_none());
        t.add(inner, 0, SpecialKind::Finalizer, [0; 3]);
        // Another value in the same object.
        assert!(t.add(inner, 8, SpecialKind::Finalizer, [0; 3]).is_some());
        assert_eq!(t.remove(inner, |s| s.within == 8), 1);
        assert_eq!(
            t.share(outer, 0, SpecialKind::Weak, [handle, 0, 0])[0],
            handle
        );
        assert_eq!(t.share(outer, 0, SpecialKind::Weak, [0; 3])[0], handle);
        t.add(outer, 0, SpecialKind::Cleanup, [0; 3]);
        let gone = t.add(inner, 0, SpecialKind::Cleanup, [0; 3]).unwrap();
        assert_eq!(t.remove(inner, |s| s.id == gone), 1);
    }
    let kinds = |w: &TestWorld| {
        let mut t = w.heap.gc.specials.lock();
        std::iter::from_fn(|| t.dead.pop())
            .map(|s| (s.object, s.kind))
            .collect::<Vec<_>>()
    };
    w.roots = vec![outer];
    w.collect_all();
    assert_eq!(kinds(&w), []);
    assert_eq!(get(handle, 0), outer);
    w.roots = vec![handle];
    w.collect_all();
    assert_eq!(get(handle, 0), 0);
    w.roots.clear();
    assert!(w.heap.find_object(word).is_some());
    assert_eq!(kinds(&w), [(outer, SpecialKind::Finalizer)]);
    assert!(w.heap.find_object(outer).is_some() && w.heap.find_object(inner).is_some());
    w.collect_all();
    assert_eq!(
        kinds(&w),
        [
            (inner, SpecialKind::Finalizer),
            (outer, SpecialKind::Cleanup)
        ]
    );
    assert_eq!(w.collect_all().heap_objects, 0);
}

/// Whether stress has the next safepoint collect.
fn stressed(w: &TestWorld) -> bool {
    let turn = w.heap.gc.is_stress_turn();
    w.heap.gc.due(turn).is_some()
}

#[test]
fn stress_thins_out() {
    let w = TestWorld::new(1);
    w.heap.gc.set_stress(3);
    let due = (0..30).filter(|_| stressed(&w)).count();
    assert_eq!(due, 10);
    w.heap
        .gc
        .stress_done
        .store(STRESS_MANY + 1, Ordering::Relaxed);
    let due = (0..6000).filter(|_| stressed(&w)).count();
    assert_eq!(due, 2);
}

#[test]
fn limits_are_read_as_in_go() {
    for (text, want) in [
        ("", Some(i64::MAX)),
        ("off", Some(i64::MAX)),
        ("100", Some(100)),
        ("10B", Some(10)),
        ("2KiB", Some(2048)),
        ("3GiB", Some(3 << 30)),
        ("1GB", None),
        ("-1", None),
        ("x", None),
        ("9999999999TiB", None),
    ] {
        assert_eq!(parse_limit(text), want, "{text}");
    }
}
