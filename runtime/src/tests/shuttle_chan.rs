//! Channels, select and mutexes under random schedules: every value arrives once, no goroutine
//! waits for ever.

use super::world::{explore, go, gosched, m, start, wait_group};
use crate::chan::{self, Chan, ChanOp, SlotRef};
use crate::heap::LayoutId;
use crate::mutex::{self, Mutex, SyncOp};
use crate::select::{self, SelectCase, SelectOp};
use crate::sync::{AtomicU32, AtomicU64, Ordering};
use crate::{G, Outcome, YieldKind, coro};

/// A channel of words.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct Ch(*mut Chan);

#[allow(unsafe_code)]
// SAFETY: channels are made for this.
unsafe impl Send for Ch {}

#[allow(unsafe_code)]
pub(super) fn g<'a>() -> &'a mut G {
    // SAFETY: the current G.
    unsafe { &mut *m().curg }
}

pub(super) fn park() {
    coro::suspend(m(), Outcome::Park);
}

#[allow(unsafe_code)]
impl Ch {
    pub(super) fn new(cap: i64) -> Ch {
        Ch(chan::make_chan(m(), 8, LayoutId::NOSCAN, cap).unwrap())
    }
    pub(super) fn send(self, v: u64) {
        // SAFETY: `v` lives until the send is finished.
        unsafe {
            match chan::send(m(), g(), self.0, SlotRef::addr(&raw const v), true) {
                ChanOp::Done(_) => {}
                ChanOp::Blocked => {
                    park();
                    chan::finish_send(m(), g()).unwrap();
                }
                op => panic!("{op:?}"),
            }
        }
    }
    pub(super) fn recv(self) -> Option<u64> {
        let mut v = u64::MAX;
        // SAFETY: `v` lives until the receive is finished.
        unsafe {
            let ok = match chan::recv(m(), g(), self.0, SlotRef::addr(&raw mut v), true) {
                ChanOp::Done(ok) => ok,
                ChanOp::Blocked => {
                    park();
                    chan::finish_recv(m(), g())
                }
                op => panic!("{op:?}"),
            };
            ok.then_some(std::ptr::read_volatile(&raw const v))
        }
    }
    fn close(self) {
        // SAFETY: it is a channel.
        unsafe { chan::close(m(), self.0).unwrap() };
    }
}

/// Does one of the cases: a channel, and what to send or `None`. Which, and what came, if open.
#[allow(unsafe_code)]
fn select<const N: usize>(cases: [(Ch, Option<u64>); N]) -> (usize, Option<u64>) {
    let mut slots = cases.map(|c| c.1.unwrap_or(u64::MAX));
    let at = slots.as_mut_ptr();
    // SAFETY: the slots live until the select is finished.
    unsafe {
        let list: Vec<SelectCase> = (0..N)
            .map(|i| SelectCase {
                chan: cases[i].0.0,
                elem: SlotRef::addr(at.add(i)),
                is_send: cases[i].1.is_some(),
            })
            .collect();
        let mut op = select::select(m(), g(), &list, true);
        if op == SelectOp::Blocked {
            park();
            op = select::finish(m(), g());
        }
        match op {
            SelectOp::Ready(i, ok) => (i, ok.then_some(std::ptr::read_volatile(at.add(i)))),
            op => panic!("{op:?}"),
        }
    }
}

/// Two send, two receive; values of a sender stay in order.
fn pipe(cap: i64) {
    start(3, move || {
        static SEEN: AtomicU64 = AtomicU64::new(0);
        let c = Ch::new(cap);
        let wg = wait_group(4);
        for s in 0..2 {
            go(move || {
                for i in 0..3 {
                    c.send(s * 8 + i);
                }
                wg.done();
            });
        }
        for _ in 0..2 {
            go(move || {
                let mut last = [None; 2];
                for _ in 0..3 {
                    let v = c.recv().expect("open");
                    let s = (v / 8) as usize;
                    assert!(last[s] < Some(v), "out of order");
                    last[s] = Some(v);
                    let old = SEEN.fetch_or(1 << v, Ordering::SeqCst);
                    assert_eq!(old & 1 << v, 0, "{v} came twice");
                }
                wg.done();
            });
        }
        wg.wait();
        assert_eq!(SEEN.load(Ordering::SeqCst), 0x707);
    });
}

#[test]
fn shuttle_chan_unbuffered() {
    explore("shuttle_chan_unbuffered", || pipe(0));
}

#[test]
fn shuttle_chan_buffered() {
    explore("shuttle_chan_buffered", || pipe(2));
}

/// Closing wakes all that wait, once all values are out.
fn closing() {
    start(2, || {
        static SUM: AtomicU64 = AtomicU64::new(0);
        let c = Ch::new(1);
        let wg = wait_group(3);
        for _ in 0..3 {
            go(move || {
                while let Some(v) = c.recv() {
                    SUM.fetch_add(v, Ordering::SeqCst);
                }
                wg.done();
            });
        }
        for v in 1..=4 {
            c.send(v);
        }
        c.close();
        wg.wait();
        assert_eq!(SUM.load(Ordering::SeqCst), 10);
    });
}

#[test]
fn shuttle_chan_close_wakes_all() {
    explore("shuttle_chan_close_wakes_all", closing);
}

/// Two goroutines that each offer a send and a receive crosswise: in each round they meet on one
/// channel, and both know which.
fn crossing() {
    start(2, || {
        let (a, b) = (Ch::new(0), Ch::new(0));
        static MET: AtomicU32 = AtomicU32::new(0);
        let wg = wait_group(2);
        go(move || {
            for i in 0..3 {
                match select([(a, Some(i)), (b, None)]) {
                    (0, _) => MET.fetch_add(1, Ordering::SeqCst),
                    (_, v) => {
                        assert_eq!(v, Some(10 + i));
                        MET.fetch_add(100, Ordering::SeqCst)
                    }
                };
            }
            wg.done();
        });
        go(move || {
            for i in 0..3 {
                match select([(b, Some(10 + i)), (a, None)]) {
                    (0, _) => MET.fetch_sub(100, Ordering::SeqCst),
                    (_, v) => {
                        assert_eq!(v, Some(i));
                        MET.fetch_sub(1, Ordering::SeqCst)
                    }
                };
            }
            wg.done();
        });
        wg.wait();
        assert_eq!(MET.load(Ordering::SeqCst), 0);
    });
}

#[test]
fn shuttle_select_crossing() {
    explore("shuttle_select_crossing", crossing);
}

/// A select is wanted by two senders and a goroutine that closes: each value is received once.
fn wanted_by_many() {
    start(3, || {
        static SUM: AtomicU64 = AtomicU64::new(0);
        let (a, b, done) = (Ch::new(0), Ch::new(0), Ch::new(0));
        let wg = wait_group(2);
        let senders = wait_group(2);
        for (c, v) in [(a, 1), (b, 16)] {
            go(move || {
                for _ in 0..2 {
                    c.send(v);
                    gosched();
                }
                senders.done();
            });
        }
        for _ in 0..2 {
            go(move || {
                loop {
                    match select([(a, None), (b, None), (done, None)]) {
                        (2, v) => {
                            assert_eq!(v, None, "closed");
                            break;
                        }
                        (_, v) => SUM.fetch_add(v.expect("open"), Ordering::SeqCst),
                    };
                }
                wg.done();
            });
        }
        senders.wait();
        done.close();
        wg.wait();
        assert_eq!(SUM.load(Ordering::SeqCst), 34);
    });
}

#[test]
fn shuttle_select_is_claimed_once() {
    explore("shuttle_select_is_claimed_once", wanted_by_many);
}

#[allow(unsafe_code)]
fn sync(mut op: SyncOp) {
    loop {
        match op {
            SyncOp::Done => return,
            SyncOp::Yield => {
                coro::suspend(m(), Outcome::Yield(YieldKind::Local));
                return;
            }
            SyncOp::Blocked => {
                park();
                // SAFETY: it has parked.
                op = unsafe { mutex::resume(m(), g()) };
            }
            op => panic!("{op:?}"),
        }
    }
}

/// Three lock in turn; one is inside at a time, and all get in.
fn locking() {
    start(3, || {
        static INSIDE: AtomicU32 = AtomicU32::new(0);
        let words = vec![0u64; size_of::<Mutex>().div_ceil(8)].leak();
        let mu = words.as_mut_ptr() as usize;
        let wg = wait_group(3);
        for _ in 0..3 {
            go(move || {
                let mu = mu as *mut Mutex;
                for _ in 0..2 {
                    #[allow(unsafe_code)]
                    // SAFETY: zero is an unlocked mutex, which is never freed.
                    unsafe {
                        sync(mutex::lock(m(), g(), mu));
                        assert_eq!(INSIDE.fetch_add(1, Ordering::SeqCst), 0, "two inside");
                        gosched();
                        INSIDE.fetch_sub(1, Ordering::SeqCst);
                        sync(mutex::unlock(m(), mu));
                    }
                }
                wg.done();
            });
        }
        wg.wait();
    });
}

#[test]
fn shuttle_mutex_excludes() {
    explore("shuttle_mutex_excludes", locking);
}
