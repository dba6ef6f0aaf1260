//! Tests of allocation without collection.
#![allow(unsafe_code)]

use super::*;
use std::collections::BTreeMap;

fn new_heap() -> &'static Heap {
    Box::leak(Heap::new(1 << 30, false).expect("address space"))
}

/// A cheap random stream.
pub(crate) struct Rng(pub(crate) u64);

impl Rng {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }
}

fn is_zero(p: *const u8, n: usize) -> bool {
    // SAFETY: the tests give allocated memory.
    unsafe { std::slice::from_raw_parts(p, n).iter().all(|b| *b == 0) }
}

#[test]
fn sizes_are_rounded_as_in_go() {
    for (size, noscan, want) in [
        (0, true, 0),
        (1, true, 8),
        (9, false, 16),
        (33, true, 48),
        (512, false, 512),
        (520, false, 568),
        (520, true, 576),
        (1024, false, 1144),
        (1025, true, 1152),
        (32760, false, 32760),
        (32760, true, 32768),
        (32761, true, 32768),
        (32769, true, 40960),
        (32768, true, 32768),
        (100_000, true, 106_496),
        (usize::MAX, true, usize::MAX),
    ] {
        assert_eq!(round_up_size(size, noscan), want, "{size} {noscan}");
    }
}

#[test]
fn every_size_comes_zeroed_aligned_and_apart() {
    let heap = new_heap();
    let mut c = MCache::of(heap);
    let mut seen = BTreeMap::new();
    let sizes = (1..300)
        .chain((300..40_000).step_by(97))
        .chain([1 << 20, (8 << 20) + 1]);
    for size in sizes {
        for layout in [LayoutId::NOSCAN, LayoutId::POINTERS] {
            let p = c.alloc(size, layout);
            assert!(is_zero(p, size), "size {size}");
            if size >= 8 {
                assert_eq!(p as usize % 8, 0);
            }
            // SAFETY: just allocated.
            unsafe { std::ptr::write_bytes(p, 0xff, size) };
            seen.insert(p as usize, size);
            let (base, got, l) = heap.find_object(p as usize + size / 2).expect("an object");
            assert_eq!(l, layout);
            assert!(base <= p as usize && p as usize + size <= base + got);
        }
    }
    let mut last = 0;
    for (p, size) in seen {
        assert!(p >= last, "overlap at {p:#x}");
        last = p + size;
    }
}

#[test]
fn size_zero_is_one_address() {
    let mut c = MCache::of(new_heap());
    assert_eq!(c.alloc(0, LayoutId::NOSCAN), ZERO_BASE.address());
    assert_eq!(c.alloc(0, LayoutId::POINTERS), ZERO_BASE.address());
}

#[test]
fn words_outside_objects_find_nothing() {
    let heap = new_heap();
    let mut c = MCache::of(heap);
    let p = c.alloc(48, LayoutId::NOSCAN) as usize;
    let stack = heap.stack_span(4) as usize;
    // 8192 = 170 * 48 + 32: the last 32 bytes of the span belong to no object.
    let tail = (p & !(PAGE_SIZE - 1)) + PAGE_SIZE - 1;
    for w in [
        0,
        1,
        heap.arena.base(),
        heap.arena.base() - 1,
        tail,
        stack + 100,
        usize::MAX,
        0xdbdb_dbdb_dbdb_dbdb,
    ] {
        assert!(heap.find_object(w).is_none(), "{w:#x}");
    }
    let large = c.alloc(100_000, LayoutId::POINTERS) as usize;
    assert_eq!(
        heap.find_object(large + 99_999),
        Some((large, 13 * PAGE_SIZE, LayoutId::POINTERS))
    );
}

#[test]
fn layouts_are_shared_and_reduced() {
    use WordKind::*;
    let a = register_layout(16, &[Pointer, Scalar]);
    assert_eq!(a, register_layout(32, &[Pointer, Scalar, Pointer, Scalar]));
    assert_ne!(a, register_layout(32, &[Maybe, Scalar, Pointer, Scalar]));
    assert_eq!(register_layout(16, &[Pointer, Pointer]), LayoutId::POINTERS);
    assert_eq!(register_layout(24, &[Scalar, Scalar]), LayoutId::NOSCAN);
    assert_eq!(register_layout(3, &[]), LayoutId::NOSCAN);
    assert_eq!(layout(a).words, 2);
    assert_eq!(layout(a).mask, 0x5555_5555_5555_5555);
    assert_eq!(layout(a).maybe, 0);
    let b = layout(register_layout(24, &[Maybe, Pointer, Maybe]));
    assert_eq!(b.mask | b.maybe, u64::MAX);
    assert_eq!(b.mask & 0b111_111, 0b010_010);
    let mut long = vec![Scalar; 100];
    long[0] = Pointer;
    long[98] = Maybe;
    long[99] = Pointer;
    let long = layout(register_layout(800, &long));
    assert_eq!(
        (&*long.offsets, &*long.maybe_offsets),
        (&[0, 99][..], &[98][..])
    );
}

#[test]
fn objects_of_one_class_keep_their_own_layouts() {
    let heap = new_heap();
    let mut c = MCache::of(heap);
    let ids: Vec<LayoutId> = (0..6)
        .map(|i| {
            register_layout(
                48,
                &std::array::from_fn::<_, 6, _>(|j| {
                    [WordKind::Scalar, WordKind::Pointer][(i == j) as usize]
                }),
            )
        })
        .collect();
    let mut rng = Rng(7);
    let made: Vec<_> = (0..2000)
        .map(|_| {
            let id = ids[rng.below(ids.len())];
            (c.alloc(48, id) as usize, id)
        })
        .collect();
    for (p, id) in made {
        assert_eq!(heap.find_object(p + 8), Some((p, 48, id)));
    }
}

#[test]
fn tiny_objects_share_a_block() {
    let heap = new_heap();
    let mut c = MCache::of(heap);
    let a = c.alloc(3, LayoutId::NOSCAN) as usize;
    let b = c.alloc(4, LayoutId::NOSCAN) as usize;
    let d = c.alloc(5, LayoutId::NOSCAN) as usize;
    assert_eq!((b - a, d - a), (4, 8));
    assert_eq!(heap.find_object(d), Some((a, 16, LayoutId::NOSCAN)));
}

#[test]
fn random_page_runs_are_joined_and_stay_whole() {
    let heap = new_heap();
    let mut rng = Rng(42);
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for round in 0..4000 {
        if runs.len() < 50 || rng.below(2) == 0 {
            let n = if rng.below(10) == 0 {
                1 + rng.below(700)
            } else {
                1 + rng.below(12)
            };
            let p = heap.stack_span(n);
            // SAFETY: the pages are ours.
            unsafe { std::ptr::write_bytes(p, 1, 64) };
            runs.push((p as usize, n));
        } else {
            let i = rng.below(runs.len());
            let (p, _) = runs.swap_remove(i);
            // SAFETY: it came from `stack_span`.
            unsafe { heap.free_stack_span(p as *mut u8) };
        }
        if rng.below(100) == 0 {
            heap.pages.lock().scavenge(&heap.arena, 1 + rng.below(2000));
        }
        if round % 500 == 0 {
            heap.pages.lock().verify(&heap.arena);
        }
    }
    let mut sorted = runs.clone();
    sorted.sort_unstable();
    assert!(
        sorted
            .windows(2)
            .all(|w| w[0].0 + w[0].1 * PAGE_SIZE <= w[1].0)
    );
    for (p, _) in runs {
        // SAFETY: it came from `stack_span`.
        unsafe { heap.free_stack_span(p as *mut u8) };
    }
    let mut h = heap.pages.lock();
    h.verify(&heap.arena);
    assert_eq!(h.free + 1, h.committed);
    h.scavenge(&heap.arena, usize::MAX);
    assert_eq!(h.free_dirty, 0);
    h.verify(&heap.arena);
}

#[test]
fn released_and_reused_pages_are_zero_again() {
    let heap = new_heap();
    let mut c = MCache::of(heap);
    for round in 0..3 {
        let p = heap.stack_span(64);
        // SAFETY: ours until it is freed.
        unsafe {
            std::ptr::write_bytes(p, 0xaa, 64 * PAGE_SIZE);
            heap.free_stack_span(p);
        }
        if round == 1 {
            heap.pages.lock().scavenge(&heap.arena, 20);
        }
        let q = c.alloc(60 * PAGE_SIZE, LayoutId::POINTERS);
        assert!(is_zero(q, 60 * PAGE_SIZE));
        for _ in 0..2000 {
            assert!(is_zero(c.alloc(16, LayoutId::POINTERS), 16));
        }
    }
}

#[test]
fn caches_of_several_threads_never_give_the_same_slot() {
    let heap = new_heap();
    let all: Vec<usize> = std::thread::scope(|s| {
        let threads: Vec<_> = (0..4)
            .map(|t| {
                s.spawn(move || {
                    let mut c = MCache::of(heap);
                    let mut rng = Rng(t + 1);
                    let v: Vec<usize> = (0..20_000)
                        .map(|_| {
                            let p = c.alloc(16 + 8 * rng.below(20), LayoutId::POINTERS) as usize;
                            // SAFETY: just allocated.
                            unsafe {
                                assert_eq!(*(p as *const usize), 0);
                                *(p as *mut usize) = p;
                            }
                            p
                        })
                        .collect();
                    c.flush();
                    v
                })
            })
            .collect();
        threads
            .into_iter()
            .flat_map(|t| t.join().unwrap())
            .collect()
    });
    let mut sorted = all;
    sorted.sort_unstable();
    assert!(sorted.windows(2).all(|w| w[0] < w[1]));
    let s = gc::mem_stats_of(heap, 4);
    assert_eq!((s.mallocs, s.frees, s.heap_objects), (80_000, 0, 80_000));
}

#[test]
fn copies_and_clears_keep_words_whole() {
    let mut a: Vec<usize> = (0..20).collect();
    let p = a.as_mut_ptr();
    // SAFETY: the ranges lie inside the vector.
    unsafe {
        copy_typed(LayoutId::POINTERS, p.add(1) as *mut u8, p as *const u8, 80);
        assert_eq!(a[..12], [0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11]);
        copy_typed(LayoutId::POINTERS, p as *mut u8, p.add(1) as *const u8, 80);
        assert_eq!(a[..12], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 11]);
        zero_typed(LayoutId::POINTERS, p.add(2) as *mut u8, 28);
        assert_eq!(a[..7], [0, 1, 0, 0, 0, 0, 6]);
        store_ptr(p, 77);
    }
    assert_eq!(a[0], 77);
}
