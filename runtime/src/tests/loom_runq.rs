#![allow(unsafe_code)]
//! `runnext` and the ring: what the owner puts there is taken once, by the owner or a thief.

use loom::thread;

use super::forged::Of;
use crate::G;
use crate::runq::{RING, RunQ};
use crate::sync::model::{explore, explore_bound, keep};

fn gs(n: usize) -> Vec<usize> {
    (1..=n).map(|i| i * 0x1000).collect()
}

fn queue() -> Of<RunQ> {
    let q = Of(keep(RunQ::new()));
    q.r().is_empty();
    q.r().peek_next();
    q
}

fn sorted(mut v: Vec<usize>) -> Vec<usize> {
    v.retain(|&g| g != 0);
    v.sort_unstable();
    v
}

/// The owner fills `runnext` twice and takes it; two thieves try.
#[test]
fn loom_runnext_is_taken_once() {
    explore(|| {
        let q = queue();
        let thief = move || q.r().take_next() as usize;
        let thieves = [thread::spawn(thief), thread::spawn(thief)];
        let mut taken = vec![
            q.r().swap_next(0x1000 as *mut G) as usize,
            q.r().swap_next(0x2000 as *mut G) as usize,
            q.r().take_next() as usize,
        ];
        taken.extend(thieves.map(|t| t.join().unwrap()));
        taken.push(q.r().take_next() as usize);
        assert_eq!(sorted(taken), gs(2));
    });
}

/// The owner fills the ring past its end and empties it while a thief robs it.
#[test]
fn loom_ring_is_emptied_once() {
    explore_bound(2, || {
        let (q, mine) = (queue(), queue());
        let thief = thread::spawn(move || {
            let (g, more) = q.r().steal_into(mine.r());
            let mut taken = vec![g as usize];
            for _ in 0..more {
                taken.push(mine.r().pop() as usize);
            }
            taken
        });
        let mut taken = Vec::new();
        for g in gs(RING + 1) {
            if let Err(back) = q.r().push(g as *mut G, RING) {
                taken.push(back as usize);
            }
        }
        for _ in 0..2 {
            taken.push(q.r().pop() as usize);
        }
        taken.extend(thief.join().unwrap());
        loop {
            let g = q.r().pop();
            if g.is_null() {
                break;
            }
            taken.push(g as usize);
        }
        assert_eq!(sorted(taken), gs(RING + 1));
    });
}
