//! Channels and select on the real scheduler.

#![allow(unsafe_code)]

mod sync_common;

use std::ptr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use gosched_runtime::chan::{self, ChanError};
use gosched_runtime::heap::LayoutId;
use gosched_runtime::trace::{self, What};
use sync_common::{Ch, Cx, program};

/// What goroutines have noted, in order.
static LOG: Mutex<Vec<u64>> = Mutex::new(Vec::new());

fn note(v: u64) {
    LOG.lock().unwrap().push(v);
}

fn log() -> Vec<u64> {
    LOG.lock().unwrap().clone()
}

/// Lets every other goroutine run until it waits; only with one P.
fn settle(cx: &mut Cx) {
    for _ in 0..3 {
        cx.gosched();
    }
}

macro_rules! at_procs {
    ($($name:ident($procs:literal) = $body:ident;)*) => {
        $(#[test]
        fn $name() {
            program(stringify!($name), $procs, $body);
        })*
    };
}

at_procs! {
    ping_pong_1(1) = ping_pong;
    ping_pong_2(2) = ping_pong;
    ping_pong_4(4) = ping_pong;
    hammer_1(1) = hammer;
    hammer_2(2) = hammer;
    hammer_8(8) = hammer;
    t49b_crossing_selects_end_2(2) = crossing_selects;
    t49b_crossing_selects_end_8(8) = crossing_selects;
    close_races_with_waiters_8(8) = close_races_with_waiters;
    t46_receivers_are_served_in_order(1) = receivers_in_order;
    t46_senders_are_served_in_order(1) = senders_in_order;
    t46_a_full_ring_keeps_the_order_of_senders(1) = full_ring;
    t47_close_runs_the_oldest_first_then_the_youngest(1) = close_order;
    t47_close_panics_blocked_senders(1) = close_senders;
    t49_select_chooses_at_random(1) = select_fair;
    t49_select_is_uniform(1) = select_uniform;
    t49c_select_never_pairs_with_itself(2) = select_self;
    select_sees_close_and_nil(1) = select_close_and_nil;
    select_takes_a_channel_twice(1) = select_twice;
    select_of_many_cases(2) = select_many;
    f18_select_chooses_at_random(1) = select_fair;
    f18_off_the_first_case_wins(1) = select_not_random;
    t48_sudogs_are_used_again(1) = sudogs_reused;
    f21_waiters_are_served_in_order(1) = queue_order;
    f21_off_never_in_order(1) = no_queue_order;
    t44_impossible_sizes_are_refused_and_nil_is_empty(1) = sizes;
    t45_a_round_trip_takes_two_switches(1) = switches_of_a_round_trip;
    t47_close_wakes_all_receivers(1) = close_wakes_all;
}

fn ping_pong(cx: &mut Cx) {
    let (ping, pong) = (cx.chan(0), cx.chan(0));
    cx.go(move |cx| {
        while let (v, true) = cx.recv_ok(ping) {
            cx.send(pong, v + 1);
        }
        cx.close(pong);
    });
    let mut v = 0;
    for i in 0..20_000 {
        cx.send(ping, v);
        v = cx.recv(pong);
        assert_eq!(v, i + 1);
    }
    cx.close(ping);
    assert_eq!(cx.recv_ok(pong), (0, false));
}

/// Senders and receivers on channels of several capacities: all that is sent is received.
fn hammer(cx: &mut Cx) {
    static SUM: AtomicU64 = AtomicU64::new(0);
    const SENDERS: u64 = 8;
    const EACH: u64 = 3_000;
    for cap in [0, 1, 7, 128] {
        SUM.store(0, Ordering::SeqCst);
        let (c, done) = (cx.chan(cap), cx.chan(0));
        for s in 0..SENDERS {
            cx.go(move |cx| {
                for i in 0..EACH {
                    cx.send(c, s * EACH + i);
                }
                cx.send(done, 1);
            });
        }
        let drained = cx.chan(0);
        for _ in 0..5 {
            cx.go(move |cx| {
                let (mut sum, mut last) = (0, [None; SENDERS as usize]);
                while let (v, true) = cx.recv_ok(c) {
                    sum += v;
                    // What one sender sends one receiver sees in order.
                    let s = (v / EACH) as usize;
                    assert!(last[s] < Some(v));
                    last[s] = Some(v);
                }
                SUM.fetch_add(sum, Ordering::SeqCst);
                cx.send(drained, 1);
            });
        }
        for _ in 0..SENDERS {
            cx.recv(done);
        }
        cx.close(c);
        for _ in 0..5 {
            cx.recv(drained);
        }
        let n = SENDERS * EACH;
        assert_eq!(SUM.load(Ordering::SeqCst), n * (n - 1) / 2);
    }
}

/// T-49b: selects in both directions over the same two channels.
fn crossing_selects(cx: &mut Cx) {
    static SENT: AtomicU64 = AtomicU64::new(0);
    static RECEIVED: AtomicU64 = AtomicU64::new(0);
    static SENT_ALL: AtomicU64 = AtomicU64::new(0);
    const WORKERS: u64 = 8;
    let (a, b, quit, done) = (cx.chan(0), cx.chan(1), cx.chan(0), cx.chan(0));
    for w in 0..WORKERS {
        cx.go(move |cx| {
            for i in 0..10_000 {
                let v = w * 10_000 + i;
                let (x, y) = if w % 2 == 0 { (a, b) } else { (b, a) };
                match cx
                    .select(&[(x, Some(v)), (y, None), (quit, None)], true)
                    .unwrap()
                {
                    Some((0, ..)) => SENT.fetch_add(v, Ordering::SeqCst),
                    Some((1, got, true)) => RECEIVED.fetch_add(got, Ordering::SeqCst),
                    _ => break,
                };
            }
            SENT_ALL.fetch_add(1, Ordering::SeqCst);
            // Goroutines that still send are received from.
            while cx.try_recv(quit).is_none() {
                match cx
                    .select(&[(a, None), (b, None), (quit, None)], true)
                    .unwrap()
                {
                    Some((0 | 1, got, true)) => RECEIVED.fetch_add(got, Ordering::SeqCst),
                    _ => break,
                };
            }
            cx.send(done, 1);
        });
    }
    // When none sends any more, all wait in the second loop.
    while SENT_ALL.load(Ordering::SeqCst) < WORKERS {
        cx.sleep(5_000_000);
    }
    cx.close(quit);
    for _ in 0..WORKERS {
        cx.recv(done);
    }
    let mut rest = 0;
    while let Some((v, _)) = cx.try_recv(b) {
        rest += v;
    }
    assert_eq!(
        SENT.load(Ordering::SeqCst),
        RECEIVED.load(Ordering::SeqCst) + rest
    );
}

fn close_races_with_waiters(cx: &mut Cx) {
    for round in 0..300 {
        let (c, d, done) = (cx.chan(0), cx.chan(0), cx.chan(0));
        for i in 0..6 {
            cx.go(move |cx| {
                if i % 2 == 0 {
                    assert_eq!(cx.recv_ok(c), (0, false));
                } else {
                    let got = cx.select(&[(c, None), (d, None)], true).unwrap();
                    assert!(matches!(got, Some((_, 0, false))));
                }
                cx.send(done, 1);
            });
        }
        if round % 3 == 0 {
            cx.gosched();
        }
        cx.close(c);
        cx.close(d);
        for _ in 0..6 {
            cx.recv(done);
        }
    }
}

/// As measured with real Go: the first is woken first, the last is left in `runnext`.
fn receivers_in_order(cx: &mut Cx) {
    let c = cx.chan(0);
    for i in 0..5 {
        cx.go(move |cx| {
            let v = cx.recv(c);
            note(10 * i + v);
        });
        settle(cx);
    }
    for v in 0..5 {
        cx.send(c, v);
    }
    settle(cx);
    assert_eq!(log(), [44, 0, 11, 22, 33]);
}

/// T-48: a million waits take few sudogs.
fn sudogs_reused(cx: &mut Cx) {
    let c = cx.chan(0);
    cx.go(move |cx| {
        for v in 0..500_000 {
            cx.send(c, v);
        }
        cx.close(c);
    });
    let other = cx.chan(0);
    while let (_, true) = cx.recv_ok(c) {
        assert_eq!(cx.select(&[(other, None)], false), Ok(None));
    }
    assert!(gosched_runtime::chan::sudog::made() < 64);
}

/// switches::F18 switched off: the first ready case always wins.
fn select_not_random(cx: &mut Cx) {
    gosched_runtime::switches::without("select-random").unwrap();
    let (a, b) = (cx.chan(1000), cx.chan(1000));
    for _ in 0..1000 {
        cx.send(a, 0);
        cx.send(b, 0);
    }
    for _ in 0..1000 {
        assert_eq!(
            cx.select(&[(a, None), (b, None)], true).unwrap().unwrap().0,
            0
        );
    }
}

/// T-44.
fn sizes(cx: &mut Cx) {
    let mut make = |size, cap| chan::make_chan(cx.m(), size, LayoutId::NOSCAN, cap);
    for (size, cap) in [(8, -1), (1, i64::MIN), (8, 1 << 45), (65_535, i64::MAX)] {
        assert!(make(size, cap).is_err(), "{size} {cap}");
    }
    assert_eq!(
        ChanError::SizeOutOfRange.text(),
        "makechan: size out of range"
    );
    // Elements without size need no room.
    assert!(make(0, i64::MAX).is_ok());
    // SAFETY: null is the nil channel.
    unsafe { assert_eq!((chan::len(ptr::null()), chan::cap(ptr::null())), (0, 0)) };
}

/// T-45. A third goroutine is always runnable, and would run in between if a partner did not run
/// next.
fn switches_of_a_round_trip(cx: &mut Cx) {
    const ROUNDS: u64 = 2_000;
    let (ping, pong) = (cx.chan(0), cx.chan(0));
    cx.go(move |cx| {
        while let (v, true) = cx.recv_ok(ping) {
            cx.send(pong, v);
        }
    });
    cx.go(|cx| {
        loop {
            cx.yield_local();
        }
    });
    settle(cx);
    trace::listen(true);
    for v in 0..ROUNDS {
        cx.send(ping, v);
        cx.recv(pong);
    }
    trace::listen(false);
    let is_start = |e: &&trace::Event| starts(e);
    let starts = trace::take_events().iter().filter(is_start).count() as u64;
    // The ends of slices add a few.
    assert!(
        (2 * ROUNDS..=2 * ROUNDS + ROUNDS / 20).contains(&starts),
        "{starts}"
    );
}

fn starts(e: &trace::Event) -> bool {
    matches!(e.what, What::Start { .. })
}

/// T-47.
fn close_wakes_all(cx: &mut Cx) {
    let c = cx.chan(0);
    for _ in 0..100 {
        cx.go(move |cx| {
            assert_eq!(cx.recv_ok(c), (0, false));
            note(1);
        });
    }
    settle(cx);
    cx.close(c);
    for _ in 0..5 {
        settle(cx);
    }
    assert_eq!(log(), [1; 100]);
}

/// The order in which ten senders that queued are served.
fn order_of_ten(cx: &mut Cx) -> Vec<u64> {
    let c = cx.chan(0);
    for i in 0..10 {
        cx.go(move |cx| cx.send(c, i));
        settle(cx);
    }
    (0..10).map(|_| cx.recv(c)).collect()
}

/// switches::F21: in the order in which they came.
fn queue_order(cx: &mut Cx) {
    for _ in 0..1_000 {
        assert_eq!(order_of_ten(cx), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    }
}

/// switches::F21 switched off.
fn no_queue_order(cx: &mut Cx) {
    gosched_runtime::switches::without("fifo-waiters").unwrap();
    for _ in 0..1_000 {
        assert_ne!(order_of_ten(cx), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    }
}

fn senders_in_order(cx: &mut Cx) {
    let c = cx.chan(0);
    for i in 0..6 {
        cx.go(move |cx| cx.send(c, i));
        settle(cx);
    }
    let got: Vec<u64> = (0..6).map(|_| cx.recv(c)).collect();
    assert_eq!(got, [0, 1, 2, 3, 4, 5]);
}

/// T-46.
fn full_ring(cx: &mut Cx) {
    let c = cx.chan(2);
    cx.send(c, 0);
    cx.send(c, 1);
    for i in 2..5 {
        cx.go(move |cx| cx.send(c, i));
        settle(cx);
    }
    let got: Vec<u64> = (0..5).map(|_| cx.recv(c)).collect();
    assert_eq!(got, [0, 1, 2, 3, 4]);
}

/// As measured with real Go.
fn close_order(cx: &mut Cx) {
    let c = cx.chan(0);
    for i in 0..6 {
        cx.go(move |cx| {
            assert_eq!(cx.recv_ok(c), (0, false));
            note(i);
        });
        settle(cx);
    }
    cx.close(c);
    settle(cx);
    assert_eq!(log(), [0, 5, 4, 3, 2, 1]);
}

fn close_senders(cx: &mut Cx) {
    let c = cx.chan(0);
    for _ in 0..4 {
        cx.go(move |cx| {
            assert_eq!(cx.send_result(c, 1), Err("send on closed channel"));
            note(1);
        });
    }
    cx.go(move |cx| {
        let other = cx.chan(0);
        assert_eq!(
            cx.select(&[(c, Some(1)), (other, None)], true),
            Err("send on closed channel")
        );
        note(1);
    });
    settle(cx);
    cx.close(c);
    settle(cx);
    assert_eq!(log(), [1; 5]);
    assert_eq!(
        cx.select(&[(c, Some(1))], false),
        Err("send on closed channel")
    );
}

/// T-49.
fn select_fair(cx: &mut Cx) {
    let (a, b) = (cx.chan(1000), cx.chan(1000));
    for _ in 0..1000 {
        cx.send(a, 0);
        cx.send(b, 0);
    }
    let mut counts = [0; 2];
    for _ in 0..1000 {
        counts[cx.select(&[(a, None), (b, None)], true).unwrap().unwrap().0] += 1;
    }
    assert!((400..=600).contains(&counts[0]), "{counts:?}");
}

/// T-49: of k ready cases, receives or sends, each is chosen equally often.
fn select_uniform(cx: &mut Cx) {
    // 1 - 10⁻⁶ quantiles of χ² for k - 1 degrees of freedom.
    for (k, limit) in [(2, 23.9), (3, 27.6), (4, 30.7), (5, 33.4), (20, 63.7)] {
        const EACH: usize = 1000;
        let cs: Vec<Ch> = (0..k).map(|_| cx.chan(1)).collect();
        let recvs: Vec<_> = cs.iter().map(|c| (*c, None)).collect();
        let sends: Vec<_> = cs.iter().map(|c| (*c, Some(7))).collect();
        for c in &cs {
            cx.send(*c, 7);
        }
        let mut counts = [vec![0; k], vec![0; k]];
        for _ in 0..k * EACH {
            let (i, ..) = cx.select(&recvs, true).unwrap().unwrap();
            counts[0][i] += 1;
            cx.send(cs[i], 7);
        }
        for c in &cs {
            cx.recv(*c);
        }
        for _ in 0..k * EACH {
            let (i, ..) = cx.select(&sends, true).unwrap().unwrap();
            counts[1][i] += 1;
            cx.recv(cs[i]);
        }
        for counts in &counts {
            let e = EACH as f64;
            let x: f64 = counts.iter().map(|&n| (f64::from(n) - e).powi(2) / e).sum();
            assert!(x < limit, "χ² = {x} for {k} cases: {counts:?}");
        }
    }
}

/// T-49c: only the other goroutine can be its partner.
fn select_self(cx: &mut Cx) {
    let (c, done) = (cx.chan(0), cx.chan(0));
    for me in 1..=2 {
        cx.go(move |cx| {
            let (mut sent, mut got) = (0, 0);
            while sent + got < 5_000 {
                match cx
                    .select(&[(c, Some(me)), (c, None)], true)
                    .unwrap()
                    .unwrap()
                {
                    (0, ..) => sent += 1,
                    (_, from, ok) => {
                        assert!(ok && from != me);
                        got += 1;
                    }
                }
            }
            cx.send(done, sent);
        });
    }
    assert_eq!(cx.recv(done) + cx.recv(done), 5_000);
}

fn select_close_and_nil(cx: &mut Cx) {
    let nil = Ch(std::ptr::null_mut());
    let c = cx.chan(1);
    assert_eq!(cx.select(&[(nil, None), (c, None)], false), Ok(None));
    assert_eq!(
        cx.select(&[(nil, Some(1)), (c, Some(7))], true)
            .map(|o| o.map(|o| o.0)),
        Ok(Some(1))
    );
    assert_eq!(
        cx.select(&[(nil, None), (c, None)], true),
        Ok(Some((1, 7, true)))
    );
    cx.go(move |cx| cx.close(c));
    assert_eq!(
        cx.select(&[(nil, None), (c, None)], true),
        Ok(Some((1, 0, false)))
    );
    assert_eq!(cx.select(&[(c, None)], false), Ok(Some((0, 0, false))));
    assert_eq!(cx.select(&[], false), Ok(None));
}

fn select_twice(cx: &mut Cx) {
    let c = cx.chan(0);
    cx.go(move |cx| {
        for v in 0..200 {
            cx.send(c, v);
        }
    });
    let mut seen = [0; 3];
    for v in 0..200 {
        let (i, got, ok) = cx
            .select(&[(c, None), (c, None), (c, None)], true)
            .unwrap()
            .unwrap();
        assert_eq!((got, ok), (v, true));
        seen[i] += 1;
    }
    assert_eq!(seen.iter().sum::<i32>(), 200);
}

fn select_many(cx: &mut Cx) {
    let cs: Vec<Ch> = (0..500).map(|_| cx.chan(0)).collect();
    let senders = cs.clone();
    for (i, c) in senders.into_iter().enumerate() {
        cx.go(move |cx| cx.send(c, i as u64));
    }
    let mut seen = vec![false; 500];
    for _ in 0..500 {
        let cases: Vec<_> = cs.iter().map(|c| (*c, None)).collect();
        let (i, v, ok) = cx.select(&cases, true).unwrap().unwrap();
        assert!(ok && v == i as u64 && !seen[i]);
        seen[i] = true;
    }
}
