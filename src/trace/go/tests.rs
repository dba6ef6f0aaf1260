use super::*;
use crate::made::{Is, Line, trace};
use crate::wire::Bytes;

const MAIN: &[(&str, Is)] = &[("func", Is::Text("main.main")), ("stack", Is::Line(3))];
const CALL: &[(&str, Is)] = &[("blocking", Is::Number(0)), ("stack", Is::Line(7))];
const SLEEP: &[(&str, Is)] = &[("reason", Is::Word("sleep")), ("stack", Is::Line(9))];

/// Goroutine 1 calls twice; the first call loses its P to goroutine 2.
fn lines() -> Vec<Line> {
    vec![
        (5, 0, 0, 1, "create", MAIN),
        (6, 0, 0, 1, "start", &[]),
        (7, 0, 0, 2, "create", MAIN),
        (8, 0, 0, 1, "syscall", CALL),
        (20, 1, 0, 0, "retaken", &[]),
        (21, 2, 0, 2, "start", &[]),
        (30, 0, 1, 1, "syscall-end", &[]),
        (40, 0, 1, 1, "syscall", CALL),
        (41, 0, 1, 1, "syscall-end", &[]),
        (50, 2, 0, 2, "park", SLEEP),
        (60, -1, -1, 2, "ready", &[]),
        (2_000_000_000, 2, 0, 2, "start", &[]),
        (2_000_000_001, 2, 0, 2, "end", &[]),
    ]
}

/// The batches of a file: generation, thread, bytes.
fn batches(file: &[u8]) -> Vec<(u64, i64, Vec<u8>)> {
    let rest = file.strip_prefix(b"go 1.26 trace\0\0\0").unwrap();
    let mut at = Bytes::new(rest);
    let mut all = Vec::new();
    while at.left() > 0 {
        match at.byte().unwrap() {
            1 => {
                let (generation, m) = (at.varint().unwrap(), at.varint().unwrap());
                let _time = at.varint().unwrap();
                let bytes = at.text(64 << 10).unwrap().to_vec();
                all.push((generation, m as i64, bytes));
            }
            52 => all.push((0, 0, Vec::new())),
            other => panic!("{other} is no batch"),
        }
    }
    all
}

/// The events of a thread in a generation, without times and arguments of more than a byte.
fn events(file: &[u8], generation: u64, m: i64) -> Vec<Vec<u8>> {
    let all = batches(file).into_iter();
    let own = all.filter(|(g, own, _)| (*g, *own) == (generation, m));
    let bytes: Vec<u8> = own.flat_map(|(.., bytes)| bytes).collect();
    let mut at = Bytes::new(&bytes);
    let mut events = Vec::new();
    while at.left() > 0 {
        let ev = at.byte().unwrap();
        at.varint().unwrap();
        let args = match ev {
            11 | 17 | 23 | 24 | 27 => 0,
            37 => 1,
            9 | 10 | 13 | 16 | 19 | 20 | 22 | 26 => 2,
            12 | 14 | 21 | 25 => 3,
            48 => 4,
            _ => panic!("{ev} is not expected here"),
        };
        let mut event = vec![ev];
        event.extend((0..args).map(|_| at.varint().unwrap() as u8));
        events.push(event);
    }
    events
}

fn written(lines: &[Line]) -> Vec<u8> {
    let mut file = Vec::new();
    write(&trace(&[], 2, lines), &mut file).unwrap();
    file
}

#[test]
fn a_call_that_loses_its_p_ends_with_a_start() {
    let file = written(&lines());
    let first: Vec<u8> = events(&file, 1, 0).iter().map(|e| e[0]).collect();
    let want = [
        Ev::ProcStatus,
        Ev::GoCreate,
        Ev::GoStart,
        Ev::ProcsChange,
        Ev::GoCreate,
        Ev::GoSyscallBegin,
        // The thread gets another P.
        Ev::ProcStatus,
        Ev::GoSyscallEndBlocked,
        Ev::GoStart,
        // And keeps it.
        Ev::GoSyscallBegin,
        Ev::GoSyscallEnd,
    ];
    assert_eq!(first, want.map(|ev| ev as u8));
    // The watcher takes the P from thread 0, and thread 2 goes on with it.
    let steal = [Ev::ProcSteal as u8, 0, 2, 0];
    assert_eq!(events(&file, 1, 1), [steal]);
    let start = [Ev::ProcStart as u8, 0, 3];
    assert_eq!(events(&file, 1, 2)[0], start);
    // What a timer wakes is woken by no thread.
    let is_it = |b: &(u64, i64, Vec<u8>)| b.1 == NO_THREAD && b.2.first() == Some(&21);
    assert_eq!(batches(&file).iter().filter(|b| is_it(b)).count(), 1);
}

#[test]
fn a_generation_says_what_there_is() {
    let file = written(&lines());
    let ends = batches(&file).iter().filter(|b| b.0 == 0).count();
    assert_eq!(ends, 2);
    // Goroutine 1 runs on thread 0, with P 1.
    let first = &events(&file, 2, 0)[..2];
    assert_eq!(
        first,
        [
            vec![Ev::ProcStatus as u8, 1, 1],
            vec![Ev::GoStatusStack as u8, 1, 0, 2, 1]
        ]
    );
    let second: Vec<u8> = events(&file, 2, 2).iter().map(|e| e[0]).collect();
    assert_eq!(
        second,
        [Ev::ProcStatus, Ev::GoStart, Ev::GoDestroy].map(|ev| ev as u8)
    );
}

#[test]
fn what_contradicts_itself_is_refused() {
    for (i, line) in [
        // There is goroutine 2 already; it does not wait; it runs elsewhere; there is none.
        (12, (70, 2, 0, 2, "create", MAIN)),
        (6, (22, -1, -1, 2, "ready", &[])),
        (6, (22, 3, 1, 2, "start", &[])),
        (6, (22, 0, 1, 9, "start", &[])),
        (6, (22, 3, 0, 2, "park", SLEEP)),
        (7, (31, 0, 1, 1, "syscall-end", &[])),
    ] as [(usize, Line); 6]
    {
        let mut all = lines();
        all.insert(i, line);
        let failure = write(&trace(&[], 2, &all), &mut io::sink());
        let Err(Failure::Wrong(seq, _)) = failure else {
            panic!("{line:?} is accepted");
        };
        assert_eq!(seq, i as u64, "{line:?}");
    }
}

#[test]
fn what_goes_on_as_the_trace_begins_is_told() {
    let mut all = trace(
        &[],
        1,
        &[
            (5, 0, 0, 7, "park", SLEEP),
            (6, 0, 0, 8, "start", &[]),
            (7, 0, 0, 9, "ready", &[]),
            (8, 1, 1, 4, "syscall-end", &[]),
        ],
    );
    all.head.0.push(crate::read::number("first", 900));
    let mut file = Vec::new();
    write(&all, &mut file).unwrap();
    let statuses = |m| {
        let all = events(&file, 1, m).into_iter();
        all.filter(|e| e[0] == Ev::GoStatus as u8)
            .map(|e| (e[1], e[3]))
            .collect::<Vec<_>>()
    };
    assert_eq!(statuses(0), [(7, 2), (8, 1), (9, 4)]);
    assert_eq!(statuses(1), [(4, 3)]);
}
