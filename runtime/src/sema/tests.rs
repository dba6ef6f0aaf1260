#![allow(unsafe_code)]

use std::collections::{BTreeMap, VecDeque};

use super::*;
use crate::rand::Rand;

/// Checks sema::W3 and the links of the subtree `s`; counts its nodes.
fn check(s: *mut Sudog, parent: *mut Sudog, low: usize, high: usize) -> usize {
    if s.is_null() {
        return 0;
    }
    // SAFETY: the test's sudogs live as long as the test.
    unsafe {
        assert_eq!((*s).parent, parent);
        assert!(low < (*s).addr && (*s).addr < high);
        assert!(parent.is_null() || (*parent).ticket <= (*s).ticket);
        1 + check((*s).prev, s, low, (*s).addr) + check((*s).next, s, (*s).addr, high)
    }
}

#[test]
fn treap_agrees_with_a_model() {
    let mut rand = Rand::new(7);
    let mut all: Vec<Box<Sudog>> = (0..400).map(|_| Box::new(Sudog::new())).collect();
    let mut free: Vec<*mut Sudog> = all.iter_mut().map(|s| &raw mut **s).collect();
    let mut model: BTreeMap<usize, VecDeque<*mut Sudog>> = BTreeMap::new();
    let mut root: *mut Sudog = ptr::null_mut();
    let treap = Treap(&raw mut root);
    for _ in 0..100_000 {
        let addr = 8 * (1 + rand.below(60) as usize);
        if rand.below(2) == 0
            && let Some(s) = free.pop()
        {
            let lifo = rand.below(4) == 0;
            // SAFETY: one thread, live sudogs.
            unsafe {
                (*s).addr = addr;
                treap.queue(s, rand.next32() | 1, lifo);
            }
            let q = model.entry(addr).or_default();
            if lifo {
                q.push_front(s)
            } else {
                q.push_back(s)
            }
        } else {
            // SAFETY: as above.
            let got = unsafe { treap.dequeue(addr) };
            let want = model.get_mut(&addr).and_then(VecDeque::pop_front);
            assert_eq!(got, want.unwrap_or(ptr::null_mut()));
            if !got.is_null() {
                // SAFETY: as above.
                unsafe {
                    assert!((*got).waitlink.is_null() && (*got).waittail.is_null());
                    assert!(
                        (*got).next.is_null() && (*got).prev.is_null() && (*got).parent.is_null()
                    );
                }
                free.push(got);
            }
        }
        model.retain(|_, q| !q.is_empty());
        assert_eq!(check(root, ptr::null_mut(), 0, usize::MAX), model.len());
    }
}

#[test]
fn tickets_may_wrap() {
    assert!(before(1, 2));
    assert!(!before(2, 2));
    assert!(before(u32::MAX, 0));
    assert!(before(u32::MAX - 5, 1000));
    assert!(!before(3, u32::MAX));
}
