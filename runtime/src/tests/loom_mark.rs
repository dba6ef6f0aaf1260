//! Models of the pool that markers share: `gc/mark/pool.rs`.

use loom::thread;

use crate::gc::mark::{Batch, Pool, Turn, Work};
use crate::sync::model::{explore, keep};
use crate::sync::plain::{AtomicU32, Ordering};

/// Objects that are trees: one of `n` words points to two of `n − 1`, that of one word to none.
struct Heap {
    pool: Pool,
    marked: AtomicU32,
}

fn tree(words: u32) -> Work {
    Work {
        addr: 8,
        words,
        layout: 0,
    }
}

impl Heap {
    /// One turn of a marker, which gives away half of what it finds.
    fn turn(&self) -> Turn {
        let mut stack = match self.pool.begin() {
            Ok(Batch::Objects(objects)) => objects,
            Ok(Batch::Words(words)) => words.iter().map(|w| tree(*w as u32)).collect(),
            Err(turn) => return turn,
        };
        while let Some(object) = stack.pop() {
            self.marked.fetch_add(1, Ordering::Relaxed);
            if object.words > 1 {
                stack.push(tree(object.words - 1));
                self.pool.put(&[tree(object.words - 1)]);
            }
        }
        self.pool.leave()
    }
}

fn heap() -> &'static Heap {
    let heap = keep(Heap {
        pool: Pool::new(),
        marked: AtomicU32::new(0),
    });
    #[allow(unsafe_code)]
    // SAFETY: kept until the execution's end.
    unsafe {
        &*heap
    }
}

#[test]
fn loom_the_mark_ends_when_all_is_marked() {
    explore(|| {
        let heap = heap();
        heap.pool.put(&[tree(2)]);
        let other = thread::spawn(move || {
            if heap.turn() == Turn::Done {
                assert_eq!(heap.marked.load(Ordering::Relaxed), 3, "all is marked");
            }
        });
        if heap.turn() == Turn::Done {
            assert_eq!(heap.marked.load(Ordering::Relaxed), 3, "all is marked");
        }
        other.join().unwrap();
        while heap.turn() != Turn::Done {}
        assert_eq!(heap.marked.load(Ordering::Relaxed), 3, "nothing is lost");
    });
}

#[test]
fn loom_what_stores_overwrite_is_marked_before_the_end() {
    explore(|| {
        let heap = heap();
        heap.pool.put(&[tree(1)]);
        let program = thread::spawn(move || heap.pool.keep(&[1, 1]));
        heap.turn();
        // The program is stopped, for a last look.
        program.join().unwrap();
        while heap.turn() != Turn::Done {}
        assert_eq!(heap.marked.load(Ordering::Relaxed), 3);
    });
}
