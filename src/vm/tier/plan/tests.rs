//! Loops, regions and what is kept in them, of code that only has jumps and uses.

use super::Use::*;
use super::*;

/// The regions of code in which loops alone are any.
fn regions(code: &[Known]) -> Vec<Region> {
    let mut code = code.to_vec();
    // So much is left to handlers that all of it is none.
    let first = code.len();
    let left = Known {
        leaves: true,
        ..Known::default()
    };
    code.resize(first + 100_000, left);
    super::regions(&code, 0)
}

/// So many instructions, some of which jump: from where, to where.
fn code(n: usize, jumps: &[(usize, usize)]) -> Vec<Known> {
    let mut code = vec![Known::default(); n];
    jumps
        .iter()
        .for_each(|(at, to)| code[*at].target = Some(*to));
    code
}

/// One loop of 10 instructions, the first of which has those uses.
fn one_loop(uses: &[(u16, Use)]) -> Vec<Known> {
    let mut code = code(10, &[(9, 0)]);
    code[0].uses = uses.to_vec();
    code
}

/// Each of the slots is read once by each of the instructions.
fn read_all(code: &mut [Known], slots: std::ops::Range<u16>) {
    let uses = |k: &mut Known| k.uses.extend(slots.clone().map(|s| (s, Int)));
    code.iter_mut().for_each(uses);
}

fn ranges(regions: &[Region]) -> Vec<(usize, usize)> {
    regions.iter().map(|r| (r.from, r.to)).collect()
}

/// The slots that are kept in the only region.
fn kept(code: &[Known]) -> Vec<u16> {
    match &regions(code)[..] {
        [] => Vec::new(),
        [r] => r.kept.iter().map(|k| k.slot).collect(),
        more => panic!("{more:?}"),
    }
}

fn gpr(slot: u16, n: usize, is_written: bool) -> Kept {
    let home = Home::Gpr(GPRS[n]);
    Kept {
        slot,
        home,
        is_written,
    }
}

fn xmm(slot: u16, n: usize, is_written: bool) -> Kept {
    let home = Home::Xmm(XMMS[n]);
    Kept {
        slot,
        home,
        is_written,
    }
}

/// Jumps, and the loops that they make.
type Case = (&'static [(usize, usize)], &'static [(usize, usize)]);

#[test]
fn loops_are_apart_or_one_in_the_other() {
    let cases: [Case; 10] = [
        (&[(2, 8), (0, 1)], &[]),
        (&[(3, 3)], &[(3, 4)]),
        (&[(4, 2), (9, 6)], &[(2, 5), (6, 10)]),
        (&[(4, 2), (6, 5), (9, 1)], &[(1, 10), (2, 5), (5, 7)]),
        // Two jumps to one head.
        (&[(4, 2), (7, 2)], &[(2, 8)]),
        // One begins inside another and ends behind it.
        (&[(5, 2), (8, 4)], &[(2, 9)]),
        (&[(5, 2), (8, 6), (10, 4)], &[(2, 11), (6, 9)]),
        (&[(5, 2), (6, 1), (8, 4)], &[(1, 9)]),
        // A jump to the outer head from inside the inner loop.
        (&[(4, 1), (6, 3), (8, 1)], &[(1, 9), (3, 7)]),
        // The one that is widened has loops inside.
        (
            &[(3, 2), (6, 1), (9, 5), (8, 7)],
            &[(1, 10), (2, 4), (7, 9)],
        ),
    ];
    for (jumps, want) in cases {
        assert_eq!(loops(&code(12, jumps)), want, "{jumps:?}");
    }
}

#[test]
fn depths_count_the_loops_around() {
    let flat = [(1, 8), (2, 4), (5, 8), (6, 7)];
    assert_eq!(depths(9, &flat)[..9], [0, 1, 2, 2, 1, 2, 3, 2, 0]);
}

#[test]
fn a_slot_has_a_register_of_its_kind() {
    let mut code = one_loop(&[
        (7, Int),
        (5, Float),
        (4, SetInt),
        (3, SetFloat),
        (2, Bits),
        (1, SetBits),
    ]);
    // Slot 6 is mostly a float, slot 8 as often as not; nobody uses 9 in the loop.
    code[1].uses = vec![(6, Float), (6, SetFloat), (6, Int), (8, Float), (8, Int)];
    code.push(Known {
        uses: vec![(9, Int); 100],
        ..Known::default()
    });
    let all = regions(&code);
    assert_eq!(ranges(&all), [(0, 10)]);
    // Those used most come first, then those that are only read, then the lower numbers.
    let want = [
        xmm(6, 0, true),
        gpr(8, 0, false),
        gpr(2, 1, false),
        xmm(5, 1, false),
        gpr(7, 2, false),
        gpr(1, 3, true),
        xmm(3, 2, true),
        gpr(4, 4, true),
    ];
    assert_eq!(all[0].kept, want);
}

#[test]
fn what_is_used_in_memory_stays_there() {
    let mut code = one_loop(&[(0, Int), (1, Int), (1, SetInt)]);
    code[8].uses = vec![(1, Memory)];
    assert_eq!(kept(&code), [0]);
    code[3].uses = vec![(0, Memory)];
    assert!(regions(&code).is_empty());
    // Outside the loop it does not matter.
    let jump = code.remove(9);
    code.insert(3, jump);
    code[3].target = Some(0);
    assert_eq!(kept(&code), [1, 0]);
}

#[test]
fn the_most_used_are_kept_and_none_twice() {
    let mut code = code(20, &[(19, 0)]);
    for slot in 0..20 {
        read_all(&mut code[..=slot as usize], slot..slot + 1);
    }
    let all = regions(&code);
    let want: Vec<_> = (0..10).map(|n| gpr(19 - n as u16, n, false)).collect();
    assert_eq!(all[0].kept, want);
    // Those of the other kind are not in their way.
    code[0].uses.push((20, Float));
    let all = regions(&code);
    assert_eq!(all[0].kept[10..], [xmm(20, 0, false)]);
    for k in code.iter_mut().flat_map(|k| &mut k.uses) {
        k.1 = Float;
    }
    let want: Vec<_> = (0..12).map(|n| xmm(19 - n as u16, n, false)).collect();
    assert_eq!(regions(&code)[0].kept, want);
}

#[test]
fn an_instruction_that_leaves_has_its_price() {
    // A load each time round, and one on the way in: one read does not pay for them.
    let mut code = one_loop(&[(0, Int), (1, Int), (1, Int), (2, Int), (2, SetInt)]);
    assert_eq!(kept(&code), [1, 2, 0]);
    code[4].leaves = true;
    assert_eq!(kept(&code), [1]);
    // What is written is also stored.
    code[5].uses = vec![(2, Int)];
    assert_eq!(kept(&code), [1, 2]);
    code[6].leaves = true;
    assert!(regions(&code).is_empty());
    // Behind the loop it costs nothing.
    code[6].leaves = false;
    code.push(Known {
        leaves: true,
        ..Known::default()
    });
    assert_eq!(kept(&code), [1, 2]);
}

#[test]
fn inner_loops_are_regions_where_that_gains_more() {
    let nest = |slots: u16| {
        let mut code = code(20, &[(5, 2), (13, 10), (19, 1)]);
        read_all(&mut code[2..6], 0..slots);
        read_all(&mut code[10..14], slots..2 * slots);
        code
    };
    // All have a register at once, or only those of an inner loop.
    assert_eq!(ranges(&regions(&nest(5))), [(1, 20)]);
    let all = regions(&nest(6));
    assert_eq!(ranges(&all), [(2, 6), (10, 14)]);
    for (r, first) in all.iter().zip([0, 6]) {
        let want: Vec<_> = (0..6).map(|n| gpr(first + n as u16, n, false)).collect();
        assert_eq!(r.kept, want);
    }
    // Around what leaves, the inner loops stand alone as well; one that does itself is none.
    let mut code = nest(1);
    assert_eq!(ranges(&regions(&code)), [(1, 20)]);
    code[6..9].iter_mut().for_each(|k| k.leaves = true);
    assert_eq!(ranges(&regions(&code)), [(2, 6), (10, 14)]);
    code[2..6].iter_mut().for_each(|k| k.leaves = true);
    assert_eq!(ranges(&regions(&code)), [(10, 14)]);
    // It is all of it where that gains as much: seven slots less one each, one more of seven.
    let mut code = nest(0);
    read_all(&mut code[2..6], 0..7);
    code[8].leaves = true;
    code[8].uses = vec![(7, Int), (7, Int)];
    assert_eq!(ranges(&regions(&code)), [(1, 20)]);
    code[8].uses.pop();
    assert_eq!(ranges(&regions(&code)), [(2, 6)]);
}

#[test]
fn loops_around_count_up_to_five() {
    let nest = |depth: usize, reads: &[u16]| {
        let jumps: Vec<_> = (0..depth).map(|k| (2 * depth - k, k)).collect();
        let mut code = code(2 * depth + 1, &jumps);
        code[depth].uses = reads.iter().map(|s| (*s, Int)).collect();
        // Only the innermost can gain.
        code[depth - 2].leaves = true;
        code
    };
    assert_eq!(ranges(&regions(&nest(5, &[0]))), [(4, 7)]);
    assert!(regions(&nest(6, &[0])).is_empty());
    assert_eq!(ranges(&regions(&nest(6, &[0, 1, 1]))), [(5, 8)]);
    assert_eq!(kept(&nest(6, &[0, 1, 1])), [1]);
    assert_eq!(kept(&nest(7, &[0, 1, 1])), [1]);
}

#[test]
fn without_loops_or_with_too_many_slots_nothing_is_kept() {
    assert!(regions(&[]).is_empty());
    let mut straight = code(9, &[(0, 5)]);
    read_all(&mut straight, 0..3);
    assert!(regions(&straight).is_empty());
    let last = MOST_SLOTS as u16 - 1;
    assert_eq!(kept(&one_loop(&[(last, Int)])), [last]);
    assert!(regions(&one_loop(&[(last, Int), (last + 1, Int)])).is_empty());
}

#[test]
fn many_loops_are_planned_in_little_time() {
    let n = 50_000;
    let deep: Vec<_> = (0..n).map(|k| (2 * n - 1 - k, k)).collect();
    let mut deep = code(2 * n, &deep);
    read_all(&mut deep[n - 1..n], 0..3);
    assert_eq!(ranges(&regions(&deep)), [(0, 2 * n)]);
    let flat: Vec<_> = (0..n).map(|k| (2 * k + 1, 2 * k)).collect();
    let mut flat = code(2 * n, &flat);
    read_all(&mut flat, 0..3);
    assert_eq!(regions(&flat).len(), n);
}

/// A generator of numbers, the same on every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n as u64) as usize
    }

    fn code(&mut self) -> Vec<Known> {
        let n = 1 + self.below(60);
        let (jumps, slots, leaving) = (self.below(12), 1 + self.below(40), 2 + self.below(60));
        let jumps: Vec<_> = (0..jumps).map(|_| (self.below(n), self.below(n))).collect();
        let mut code = code(n, &jumps);
        for k in &mut code {
            k.leaves = self.below(leaving) == 0;
            for _ in 0..self.below(4) {
                let slot = self.below(slots) as u16;
                // Most slots are always of one kind, and few are used in memory.
                let how = match (self.below(60), slot % 3) {
                    (0, _) => Memory,
                    (1..10, _) => [Bits, SetBits][self.below(2)],
                    (10..13, _) | (_, 0) => [Float, SetFloat][self.below(2)],
                    _ => [Int, SetInt][self.below(2)],
                };
                k.uses.push((slot, how));
            }
        }
        code
    }
}

#[test]
fn any_code_has_sound_regions() {
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
    let (mut n_regions, mut n_kept) = (0, 0);
    for _ in 0..5_000 {
        let code = numbers.code();
        let loops = loops(&code);
        check_loops(&code, &loops);
        let regions = regions(&code);
        let mut end = 0;
        for r in &regions {
            assert!(
                end <= r.from && loops.contains(&(r.from, r.to)),
                "{regions:?}"
            );
            end = r.to;
            n_regions += 1;
            n_kept += r.kept.len();
            check_kept(&code, &loops, r);
        }
    }
    // The property is no empty one.
    assert!(
        n_regions > 4_000 && n_kept > 5 * n_regions,
        "{n_regions} {n_kept}"
    );
}

fn check_loops(code: &[Known], loops: &[(usize, usize)]) {
    let jumps = code.iter().enumerate();
    let back: Vec<_> = jumps
        .filter_map(|(at, k)| Some((at, k.target.filter(|to| *to <= at)?)))
        .collect();
    for (k, &(from, to)) in loops.iter().enumerate() {
        assert!(back.iter().any(|j| j.1 == from) && back.iter().any(|j| j.0 + 1 == to));
        for other in &loops[..k] {
            assert!(
                other.0 < from && (other.1 <= from || to <= other.1),
                "{loops:?}"
            );
        }
        // Nobody jumps back into the middle of it from behind.
        assert!(!back.iter().any(|(at, t)| from < *t && *t < to && to <= *at));
    }
    for (at, to) in back {
        assert!(
            loops.iter().any(|l| l.0 <= to && at < l.1),
            "{at} {to} {loops:?}"
        );
    }
}

/// Each kept slot has a register of its own and of its kind, and pays for its loads and stores.
fn check_kept(code: &[Known], loops: &[(usize, usize)], r: &Region) {
    let around = |at| loops.iter().filter(|l| (l.0..l.1).contains(&at)).count();
    let times = |depth: usize| 8_i64.pow(depth.min(5) as u32);
    let weight = |at| times(around(at));
    let inside = r.from..r.to;
    assert!(!r.kept.is_empty());
    for (n, k) in r.kept.iter().enumerate() {
        let mut others = r.kept[..n].iter();
        assert!(
            others.all(|o| o.slot != k.slot && o.home != k.home),
            "{r:?}"
        );
        let uses: Vec<_> = inside
            .clone()
            .flat_map(|at| code[at].uses.iter().map(move |u| (at, u)))
            .filter(|(_, u)| u.0 == k.slot)
            .map(|(at, u)| (weight(at), u.1))
            .collect();
        let of = |kinds: &[Use]| {
            uses.iter()
                .filter(|u| kinds.contains(&u.1))
                .map(|u| u.0)
                .sum()
        };
        let (ints, floats): (i64, i64) = (of(&[Int, SetInt]), of(&[Float, SetFloat]));
        match k.home {
            Home::Gpr(g) => assert!(GPRS.contains(&g) && floats <= ints, "{k:?}"),
            Home::Xmm(x) => assert!(XMMS.contains(&x) && floats > ints, "{k:?}"),
            Home::Memory => panic!("{k:?}"),
        }
        assert!(uses.iter().all(|u| u.1 != Memory), "{k:?}");
        let writes = [SetInt, SetFloat, SetBits];
        assert_eq!(
            k.is_written,
            uses.iter().any(|u| writes.contains(&u.1)),
            "{k:?}"
        );
        let leaving = inside.clone().filter(|at| code[*at].leaves).map(weight);
        let changes = times(around(r.from) - 1) + leaving.sum::<i64>();
        let cost = changes * (1 + i64::from(k.is_written));
        assert!(uses.iter().map(|u| u.0).sum::<i64>() > cost, "{k:?}");
    }
}
