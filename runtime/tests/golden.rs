#![allow(unsafe_code)]
//! Run orders of a single P: computed by a model that knows the rules of the queues alone, and
//! compared with what the scheduler does.

mod common;

use std::collections::VecDeque;
use std::sync::Mutex;

use common::{go, m, run, wait_group};
use gosched_runtime::trace;

/// How often each order is asked for, each time by a new process.
const REPEAT: usize = 100;

static ORDER: Mutex<Vec<u32>> = Mutex::new(Vec::new());

/// The order in which `n` goroutines run, spawned one after the other by a goroutine that then
/// waits, with `s` others queued before them and the P's tick at `t`.
fn model(n: u32, s: usize, t: u32) -> Vec<u32> {
    let (mut next, mut ring, mut global) = (None, VecDeque::new(), VecDeque::new());
    ring.extend(std::iter::repeat_n(None, s));
    for i in 0..n {
        let Some(kicked) = next.replace(i) else {
            continue;
        };
        if ring.len() == 256 {
            global.extend(ring.drain(..128));
            global.push_back(Some(kicked));
        } else {
            ring.push_back(Some(kicked));
        }
    }
    let (mut tick, mut order) = (t, Vec::new());
    loop {
        let polls = tick.is_multiple_of(61) && !global.is_empty();
        let inherited = !polls && next.is_some();
        let g = if polls {
            global.pop_front()
        } else if let Some(g) = next.take() {
            Some(Some(g))
        } else if let Some(g) = ring.pop_front() {
            Some(g)
        } else {
            let batch = (global.len() + 1).min(global.len()).min(128);
            let mut batch: VecDeque<_> = global.drain(..batch).collect();
            let first = batch.pop_front();
            ring.append(&mut batch);
            first
        };
        let Some(g) = g else { return order };
        tick += u32::from(!inherited);
        order.extend(g);
    }
}

/// `1 2 3 9` as `1-3 9`.
fn runs(v: &[u32]) -> String {
    let mut out: Vec<String> = Vec::new();
    let mut i = 0;
    while i < v.len() {
        let mut j = i;
        while j + 1 < v.len() && v[j + 1] == v[j] + 1 {
            j += 1;
        }
        out.push(if i == j {
            v[i].to_string()
        } else {
            format!("{}-{}", v[i], v[j])
        });
        i = j + 1;
    }
    out.join(" ")
}

/// Spawns and waits: Gs queued before, the tick at the end of the spawning, and the order.
fn spawn_order(n: u32) -> (usize, u32, Vec<u32>) {
    ORDER.lock().unwrap().clear();
    let (s, _) = trace::ring_and_tick(m());
    let wg = wait_group(n as usize);
    for i in 0..n {
        go(move || {
            ORDER.lock().unwrap().push(i);
            wg.done();
        });
    }
    let (_, t) = trace::ring_and_tick(m());
    wg.wait();
    (s, t, ORDER.lock().unwrap().clone())
}

/// Asks for the order of `n`, each time of a new process, and compares it with the model.
fn golden(name: &str, n: u32) {
    for _ in 0..REPEAT {
        let out = run(name, &[("GOMAXPROCS", "1")], move || {
            let (s, t, order) = spawn_order(n);
            println!("ORDER {s} {t} {order:?}");
        });
        let text = String::from_utf8_lossy(&out.stdout);
        let line = text.lines().find_map(|l| Some(l.split_once("ORDER ")?.1));
        let line = line.unwrap_or_else(|| panic!("no order: {out:?}"));
        let mut words = line.split([' ', ',', '[', ']']).filter(|w| !w.is_empty());
        let mut number = || words.next().and_then(|w| w.parse::<u32>().ok());
        let (s, t) = (number(), number());
        assert_eq!((s, t), (Some(2), Some(4)), "system goroutines, tick");
        let order: Vec<u32> = std::iter::from_fn(number).collect();
        assert_eq!(runs(&order), runs(&model(n, 2, 4)));
    }
}

/// What real Go does, as far as it is written down.
const PRINTED: &[(u32, usize, u32, &str)] = &[
    (10, 0, 1, "9 0-8"),
    (10, 2, 4, "9 0-8"),
    (300, 2, 4, "299 126-253 255-298 0-125 254"),
    (
        300,
        0,
        1,
        "299 128-187 0 188-247 1 248-255 257-298 2-127 256",
    ),
    (
        600,
        2,
        4,
        "599 384-511 513-561 0 562-598 1-23 128 24-83 129 84-125 254 126-127 130-144 258 145-204 \
         259 205-253 383 255-257 260-382 512",
    ),
    (
        600,
        2,
        5,
        "599 384-511 513-560 0 561-598 1-22 128 23-82 129 83-125 254 126-127 130-143 258 144-203 \
         259 204-253 383 255-257 260-382 512",
    ),
    (
        600,
        0,
        4,
        "599 386-442 0 443-502 1 503-513 515-563 2 564-598 3-27 130 28-87 131 88-127 256 128-129 \
         132-148 260 149-208 261 209-255 385 257-259 262-384 514",
    ),
];

#[test]
fn the_model_gives_the_printed_orders() {
    for &(n, s, t, want) in PRINTED {
        assert_eq!(runs(&model(n, s, t)), want, "n={n} s={s} T={t}");
    }
}

#[test]
fn t71_10() {
    golden("t71_10", 10);
}

#[test]
fn t71_257() {
    golden("t71_257", 257);
}

#[test]
fn t71_300() {
    golden("t71_300", 300);
}

#[test]
fn t71_411() {
    golden("t71_411", 411);
}

#[test]
fn t71_600() {
    golden("t71_600", 600);
}

#[test]
fn t71_777() {
    golden("t71_777", 777);
}

#[test]
fn t71_1500() {
    golden("t71_1500", 1500);
}

#[test]
fn t71_any_number_whatever_was_before() {
    common::ok(
        "t71_any_number_whatever_was_before",
        &[("GOMAXPROCS", "1")],
        || {
            for n in (1..2000).step_by(13) {
                // The tick and the rest of the queue are as the last round has left them.
                let (s, t, order) = spawn_order(n);
                assert_eq!(runs(&order), runs(&model(n, s, t)), "n={n} s={s} T={t}");
            }
        },
    );
}
