//! Models of stacks that are looked at beside the program: `gc/concurrent/stacks.rs`.

use loom::thread;

use crate::gc::concurrent::Seen;
use crate::sync::model::{explore, keep};
use crate::sync::{AtomicU32, Ordering};

struct Stack {
    seen: Seen,
    looks: AtomicU32,
    /// What the goroutine changes when it runs.
    word: AtomicU32,
}

impl Stack {
    fn look(&self) {
        self.seen.look(1, || {
            self.looks.fetch_add(1, Ordering::Relaxed);
            assert_eq!(
                self.word.load(Ordering::Relaxed),
                7,
                "as it was at the beginning"
            );
            assert_eq!(
                self.word.load(Ordering::Relaxed),
                7,
                "it does not run meanwhile"
            );
        });
    }
}

#[test]
fn loom_scan_comes_before_the_goroutine_runs() {
    explore(|| {
        let stack = keep(Stack {
            seen: Seen::new(),
            looks: AtomicU32::new(0),
            word: AtomicU32::new(7),
        });
        #[allow(unsafe_code)]
        // SAFETY: kept until the execution's end.
        let stack: &'static Stack = unsafe { &*stack };
        stack.seen.reset();
        stack.looks.store(0, Ordering::Relaxed);
        stack.word.store(7, Ordering::Relaxed);
        let worker = thread::spawn(move || {
            stack.look();
            stack.word.store(9, Ordering::Relaxed);
        });
        stack.look();
        stack.word.store(8, Ordering::Relaxed);
        worker.join().unwrap();
        assert_eq!(stack.looks.load(Ordering::Relaxed), 1, "once");
    });
}
