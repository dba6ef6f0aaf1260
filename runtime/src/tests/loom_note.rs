//! T-11: a note loses no wakeup, whichever comes first, and takes no second one.

use loom::thread;

use crate::note::Note;
use crate::sync::model::{explore, keep};
use crate::sync::{AtomicU32, Ordering};

fn note() -> &'static Note {
    let n = keep(Note::new());
    // SAFETY: kept until the execution's end.
    #[allow(unsafe_code)]
    let n = unsafe { &*n };
    n.clear();
    n
}

#[test]
fn loom_note_wakes_the_sleeper() {
    explore(|| {
        let n = note();
        #[allow(unsafe_code)]
        // SAFETY: kept until the execution's end.
        let data: &'static AtomicU32 = unsafe { &*keep(AtomicU32::new(0)) };
        data.store(0, Ordering::Relaxed);
        let sleeper = thread::spawn(move || {
            n.sleep();
            assert_eq!(data.load(Ordering::Relaxed), 1, "published by the wakeup");
            n.clear();
        });
        data.store(1, Ordering::Relaxed);
        n.wakeup();
        sleeper.join().unwrap();
        // A note that was cleared can be used again.
        n.wakeup();
        n.sleep();
    });
}

#[test]
fn loom_note_times_out_or_is_woken() {
    explore(|| {
        let n = note();
        let sleeper = thread::spawn(move || {
            if !n.tsleep(1000) {
                n.sleep();
            }
            n.clear();
        });
        n.wakeup();
        sleeper.join().unwrap();
    });
}

#[test]
fn loom_note_takes_no_second_wakeup() {
    explore(|| {
        let n = note();
        let twice = |n: &'static Note| std::panic::catch_unwind(|| n.wakeup()).is_err() as u32;
        let other = thread::spawn(move || twice(n));
        let died = twice(n) + other.join().unwrap();
        assert_eq!(died, 1, "one of two wakeups dies");
    });
}
