use super::*;
use crate::made::{Is, Line, trace};

const READY: &[(&str, Is)] = &[("by", Is::Word("goroutine")), ("goid", Is::Number(1))];

/// Goroutine 3 waits on the global queue while 1 and 2 wake one another.
fn pair(turns: usize) -> Vec<Line> {
    const MADE: &[(&str, Is)] = &[("func", Is::Text("main.third")), ("stack", Is::Line(9))];
    const NEXT: &[(&str, Is)] = &[("why", Is::Word("runnext"))];
    let mut all: Vec<Line> = vec![
        (0, 0, 0, 1, "create", &[("func", Is::Text("main.one"))]),
        (0, 0, 0, 2, "create", &[("func", Is::Text("main.two"))]),
        (0, 0, 0, 1, "start", NEXT),
        (1000, 0, 0, 3, "create", MADE),
        (1000, 0, 0, 3, "queued", &[("to", Is::Word("global"))]),
    ];
    const BY: [&[(&str, Is)]; 2] = [
        READY,
        &[("by", Is::Word("goroutine")), ("goid", Is::Number(2))],
    ];
    for i in 0..turns {
        let (ns, own) = (2000 + i as i64 * 1000, i as u64 % 2);
        all.push((ns, 0, 0, 2 - own, "ready", BY[own as usize]));
        all.push((ns, 0, 0, 1 + own, "park", &[("stack", Is::Line(4))]));
        all.push((ns, 0, 0, 2 - own, "start", NEXT));
    }
    all
}

#[test]
fn a_pair_that_never_stops_is_named_with_its_rule() {
    let trace = trace(&["slice-inheritance"], 1, &pair(100_000));
    let who = Who::Function("third".into());
    let why = Why::new(&trace, &who, When::Longest).unwrap();
    assert_eq!((why.g, why.from, why.start), (3, 1000, None));
    assert_eq!(why.stays.len(), 1);
    assert_eq!(why.stays[0].place, Place::Global);
    assert_eq!(why.steps.len(), 1);
    let step = &why.steps[0];
    assert_eq!(step.turns(), 100_001);
    assert!(step.is_closed());
    assert_eq!(step.who.keys().copied().collect::<Vec<_>>(), [1, 2]);
    let off = Rule {
        name: "slice-inheritance",
        is_off: true,
    };
    assert_eq!((step.rules[0], why.rules[0]), (off, off));
    // All of the wait is accounted for.
    assert_eq!((step.from, step.to), (why.from, why.to));
    let ns: i64 = step.who.values().map(|p| p.ns).sum();
    assert_eq!(ns, why.to - why.from);
}

#[test]
fn many_steps_become_few() {
    const FROM: [&[(&str, Is)]; 2] = [
        &[("why", Is::Word("local"))],
        &[("why", Is::Word("runnext"))],
    ];
    let mut all = pair(0);
    for i in 0..20_000 {
        let ns = 2000 + i as i64 * 1000;
        all.push((ns, 0, 0, 1, "park", &[]));
        all.push((ns, 0, 0, 1, "start", FROM[i % 2]));
    }
    all.push((30_000_000, 0, 0, 1, "park", &[]));
    all.push((30_000_000, 0, 0, 3, "start", &[("why", Is::Word("global"))]));
    let trace = trace(&[], 1, &all);
    let why = Why::new(&trace, &Who::Number(3), When::Time(5_000_000)).unwrap();
    assert!(why.steps.len() <= STEPS);
    assert_eq!(why.start, Some(all.len() - 1));
    let turns: u64 = why.steps.iter().map(Step::turns).sum();
    assert_eq!(turns, 20_001);
    for pair in why.steps.windows(2) {
        assert_eq!(pair[0].to, pair[1].from);
    }
    assert!(why.rules.iter().all(|r| !r.is_off));
}

#[test]
fn a_call_that_keeps_its_p_is_a_step() {
    let mut all = pair(0);
    all[4].5 = &[("to", Is::Word("ring"))];
    all.push((2000, 0, 0, 1, "syscall", &[("blocking", Is::Number(0))]));
    all.push((900_000, 1, 0, 0, "retaken", &[]));
    all.push((950_000, 1, 1, 2, "start", &[("why", Is::Word("steal"))]));
    let trace = trace(&["retake"], 2, &all);
    let why = Why::new(&trace, &Who::Number(3), When::Event(6)).unwrap();
    let deeds: Vec<Deed> = why.steps.iter().map(|s| s.deed).collect();
    assert_eq!(deeds, [Deed::Ran, Deed::Called, Deed::Idled]);
    assert!(why.steps.iter().all(|s| s.p == 0));
    assert_eq!((why.rules[0].name, why.rules[0].is_off), ("retake", true));
    // The other P ran nobody meanwhile.
    assert_eq!(why.idle, 949_000);
}

#[test]
fn who_never_waits_has_no_answer() {
    let trace = trace(&[], 1, &pair(3));
    let ask = |who: Who, when| Why::new(&trace, &who, when).unwrap_err();
    let third = || Who::Function("main.third".into());
    assert_eq!(ask(Who::Number(77), When::Longest), Unanswered::Nobody);
    assert_eq!(
        ask(Who::Function("ird".into()), When::Longest),
        Unanswered::Nobody
    );
    assert_eq!(ask(third(), When::Time(10)), Unanswered::NoWait);
    assert_eq!(ask(third(), When::Event(0)), Unanswered::NoWait);
    let empty = crate::made::trace(&[], 1, &[]);
    let none = Why::new(&empty, &Who::Number(1), When::Longest);
    assert_eq!(none.unwrap_err(), Unanswered::Nobody);
}
