//! Which pointers of a frame the collector must follow: those that the function may still read.
//!
//! A function's slots keep one kind throughout ([`FuncInfo::slots`]); whether a pointer slot is
//! *live* at a pc is found out here, by the usual backward data flow over the bytecode, the first
//! time that the collector meets a frame of the function. Nothing is done when a program starts,
//! and a function that is never on a stack during a collection costs nothing.
//!
//! Maps are kept for the pcs at which a goroutine can stop: behind calls, at calls of natives, at
//! the heads of loops, at the second halves of channel operations, where deferred calls are run,
//! and at the prologue. For any other pc, and for functions whose data flow would be outsize, there
//! is no map: then all slots count as live.
//!
//! # Invariants
//!
//! - V1. An instruction reads only the slots that [`effects`](super::effects) names,
//!   and results when it returns.
//! - V2. A function that defers can go on at its `defer_return` after any instruction:
//!   what is live there is live everywhere.
//!
//! Go: cmd/compile/internal/liveness (plive.go).

use super::effects::{Effect, effects, returns};
use super::encode::{self, Instr};
use super::flow::{self, Block, NO_BLOCK, Sets};
use super::func::{FuncInfo, Word};
use super::op::{NONE, Op};
use rustc_hash::FxHashMap;

/// Words of bit sets that the data flow of one function may take.
const BUDGET_WORDS: usize = 1 << 20;
/// Slots that all maps of one function may name.
const BUDGET_SLOTS: usize = 1 << 21;

/// The live slots of one function at the pcs where it can stop.
#[derive(Debug)]
pub struct LiveMaps {
    /// Words of code from the function's start, ascending; index of the map.
    pcs: Vec<(u32, u32)>,
    /// The slots that are live, ascending, one list after the other.
    maps: Vec<Box<[u16]>>,
}

impl LiveMaps {
    /// The slots live at word `off` of the code; `None` where that is not known.
    pub fn at(&self, off: u32) -> Option<&[u16]> {
        let i = self.pcs.binary_search_by_key(&off, |p| p.0).ok()?;
        Some(&self.maps[self.pcs[i].1 as usize])
    }
}

/// The function as the data flow sees it.
struct Flow<'a> {
    info: &'a FuncInfo,
    code: Vec<(usize, Instr)>,
    /// By slot: the number of its bit, for slots that hold pointers.
    bit_of: Vec<u32>,
    slot_of: Vec<u16>,
    /// What a select reads and lets others write until it is done: by the first slot of a prepared
    /// case, the slots of its value.
    cases: FxHashMap<u32, Vec<(u32, u32)>>,
}

const NO_BIT: u32 = u32::MAX;

/// Computes the maps of a function; `None` when that would take too much.
pub(crate) fn compute(code: &[u64], info: &FuncInfo) -> Option<LiveMaps> {
    let flow = Flow::new(code, info);
    let blocks = flow::blocks(&flow.code, info.defer_return as usize);
    let words = flow.slot_of.len().div_ceil(64);
    if blocks.len() * words > BUDGET_WORDS {
        return None;
    }
    let rescue = (info.defer_return != 0).then(|| {
        let at = info.defer_return as usize;
        blocks.partition_point(|b| flow.code[b.from].0 <= at) - 1
    });
    let mut live_in = Sets::new(blocks.len(), words, 0);
    let mut now = vec![0; words];
    let mut changed = true;
    while changed {
        changed = false;
        for (n, b) in blocks.iter().enumerate().rev() {
            flow.live_out(b, &live_in, rescue, &mut now);
            for k in (b.from..b.to).rev() {
                flow.step(k, &mut now, rescue.map(|r| live_in.get(r)));
            }
            let old = live_in.get_mut(n);
            if old != now {
                old.copy_from_slice(&now);
                changed = true;
            }
        }
    }
    let mut maps = LiveMaps {
        pcs: Vec::new(),
        maps: Vec::new(),
    };
    let mut known: FxHashMap<Vec<u64>, u32> = FxHashMap::default();
    let mut named = 0;
    for b in &blocks {
        flow.live_out(b, &live_in, rescue, &mut now);
        for k in (b.from..b.to).rev() {
            flow.step(k, &mut now, rescue.map(|r| live_in.get(r)));
            if k == b.from || flow.can_stop(k) {
                let map = *known.entry(now.clone()).or_insert_with(|| {
                    let slots = flow.slots(&now);
                    named += slots.len();
                    maps.maps.push(slots);
                    maps.maps.len() as u32 - 1
                });
                maps.pcs.push((flow.code[k].0 as u32, map));
                if named > BUDGET_SLOTS {
                    return None;
                }
            }
        }
    }
    maps.pcs.sort_unstable();
    Some(maps)
}

impl<'a> Flow<'a> {
    fn new(code: &[u64], info: &'a FuncInfo) -> Flow<'a> {
        let mut bit_of = vec![NO_BIT; info.slots.len()];
        let mut slot_of = Vec::new();
        for (k, w) in info.slots.iter().enumerate() {
            if *w != Word::Scalar {
                bit_of[k] = slot_of.len() as u32;
                slot_of.push(k as u16);
            }
        }
        let code: Vec<_> = encode::instructions(code).collect();
        let mut cases: FxHashMap<u32, Vec<(u32, u32)>> = FxHashMap::default();
        for (_, i) in &code {
            if matches!(i.op, Op::SelectSend | Op::SelectRecv) && i.args[2] != i64::from(NONE) {
                let value = (i.args[2] as u32, i.args[3] as u32);
                cases.entry(i.args[0] as u32).or_default().push(value);
            }
        }
        Flow {
            info,
            code,
            bit_of,
            slot_of,
            cases,
        }
    }

    /// What is live behind the block.
    fn live_out(&self, b: &Block, live_in: &Sets, rescue: Option<usize>, now: &mut [u64]) {
        now.fill(0);
        let last = &self.code[b.to - 1].1;
        for (side, s) in b.succ.into_iter().enumerate() {
            if s == NO_BLOCK {
                continue;
            }
            flow::unite(now, live_in.get(s));
            if side == 0 && last.op == Op::MapNext {
                // Key and element are written unless the map is at its end.
                effects(last, &mut |e, at, n| {
                    if e == Effect::Part {
                        self.for_bits(at, n, |bit| flow::clear(now, bit));
                    }
                });
            }
        }
        if let Some(r) = rescue {
            flow::unite(now, live_in.get(r));
        }
    }

    /// From behind instruction `k` to before it.
    fn step(&self, k: usize, now: &mut [u64], rescue: Option<&[u64]>) {
        let i = &self.code[k].1;
        effects(i, &mut |e, at, n| {
            if e == Effect::Def {
                self.for_bits(at, n, |bit| flow::clear(now, bit));
            }
        });
        if let Some(written) = returns(i.op) {
            let n = u32::from(self.info.n_results);
            self.for_bits(0, written, |bit| flow::clear(now, bit));
            self.for_bits(written, n.saturating_sub(written), |bit| {
                flow::set(now, bit)
            });
        }
        effects(i, &mut |e, at, n| {
            if e == Effect::Use {
                self.for_bits(at, n, |bit| flow::set(now, bit));
            }
        });
        if matches!(i.op, Op::Select | Op::SelectDone) {
            let (blk, n) = (i.args[1] as u32, i.args[2] as u32);
            for case in 0..n {
                for &(at, n) in self.cases.get(&(blk + 2 * case)).into_iter().flatten() {
                    self.for_bits(at, n, |bit| flow::set(now, bit));
                }
            }
        }
        if let Some(r) = rescue {
            flow::unite(now, r);
        }
    }

    fn for_bits(&self, at: u32, n: u32, mut f: impl FnMut(usize)) {
        let end = (at as usize).saturating_add(n as usize);
        for slot in at as usize..end.min(self.bit_of.len()) {
            if self.bit_of[slot] != NO_BIT {
                f(self.bit_of[slot] as usize);
            }
        }
    }

    /// Can a goroutine be found stopped at instruction `k`? (At the head of a block always.)
    fn can_stop(&self, k: usize) -> bool {
        let is_call = |op| {
            matches!(
                op,
                Op::Call | Op::CallClosure | Op::CallIface | Op::CallNative
            )
        };
        matches!(
            self.code[k].1.op,
            Op::Enter
                | Op::CallNative
                | Op::RunDefers
                | Op::SendDone
                | Op::RecvDone
                | Op::SelectDone
        ) || k > 0 && is_call(self.code[k - 1].1.op)
    }

    fn slots(&self, bits: &[u64]) -> Box<[u16]> {
        let live = (0..self.slot_of.len()).filter(|bit| flow::has(bits, *bit));
        live.map(|bit| self.slot_of[bit]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const P: Word = Word::Pointer;
    const S: Word = Word::Scalar;

    /// Maps of a function whose slots are one result, one parameter, the closure word and locals.
    fn maps(slots: &[Word], code: &[(Op, &[i64])], defer_return: u32) -> LiveMaps {
        let mut words = Vec::new();
        for (op, args) in code {
            encode::encode(&mut words, *op, args).unwrap();
        }
        let info = FuncInfo {
            n_results: 1,
            n_params: 1,
            closure_slot: 2,
            slots: slots.to_vec(),
            defer_return,
            ..FuncInfo::default()
        };
        compute(&words, &info).unwrap()
    }

    #[test]
    fn dead_behind_the_last_use() {
        // r0 result, r1 parameter, r3 local: r3 := r1; f(); use r3; g(); return.
        let m = maps(
            &[P, P, S, P],
            &[
                (Op::Enter, &[9, 3, 1]),
                (Op::Mov, &[3, 1]),
                (Op::Call, &[6, 0]),
                (Op::CheckNil, &[3]),
                (Op::Call, &[6, 0]),
                (Op::Zero, &[0]),
                (Op::Ret, &[]),
            ],
            0,
        );
        assert_eq!(m.at(0), Some(&[1][..]), "the parameter at the prologue");
        assert_eq!(m.at(3), Some(&[3][..]), "behind the first call");
        assert_eq!(m.at(5), Some(&[][..]), "behind the second");
        assert_eq!(m.at(1), None, "nobody stops there");
    }

    #[test]
    fn live_around_a_loop() {
        // for { use r3; f(); }, entered with r3 set; r4 is written before it is read in each turn.
        let m = maps(
            &[S, P, S, P, P],
            &[
                (Op::Enter, &[9, 3, 2]),
                (Op::Mov, &[3, 1]),
                (Op::Mov, &[4, 3]),
                (Op::Call, &[7, 0]),
                (Op::CheckNil, &[4]),
                (Op::Loop, &[-3]),
            ],
            0,
        );
        assert_eq!(m.at(2), Some(&[3][..]), "the head");
        assert_eq!(m.at(4), Some(&[3, 4][..]), "behind the call");
    }

    #[test]
    fn what_a_recovery_reads_is_live_everywhere() {
        // The box of a result in r3 is read at defer_return only.
        let m = maps(
            &[P, S, S, P],
            &[
                (Op::Enter, &[9, 3, 1]),
                (Op::Call, &[6, 0]),
                (Op::Zero, &[0]),
                (Op::Ret, &[]),
                (Op::CopyResults, &[]),
                (Op::Load64, &[0, 3, 0]),
                (Op::Ret, &[]),
            ],
            4,
        );
        assert_eq!(m.at(2), Some(&[3][..]));
    }

    #[test]
    fn results_are_live_when_returned() {
        let m = maps(
            &[P, S, S],
            &[
                (Op::Enter, &[9, 3, 0]),
                (Op::LoadConst, &[0, 64]),
                (Op::Call, &[5, 0]),
                (Op::Ret, &[]),
            ],
            0,
        );
        assert_eq!(m.at(4), Some(&[0][..]));
        assert_eq!(m.at(0), Some(&[][..]));
    }

    #[test]
    fn a_parked_receiver_is_written_to() {
        let m = maps(
            &[S, P, S, P],
            &[
                (Op::Enter, &[9, 3, 1]),
                (Op::Recv, &[3, 1, i64::from(NONE), 1]),
                (Op::RecvDone, &[3, 1, i64::from(NONE), 1]),
                (Op::CheckNil, &[3]),
                (Op::Ret, &[]),
            ],
            0,
        );
        assert_eq!(m.at(3), Some(&[1, 3][..]), "while it waits");
        assert_eq!(m.at(1), None);
        assert_eq!(m.at(0), Some(&[1][..]));
    }

    #[test]
    fn a_select_keeps_its_values() {
        // Case 0 sends r3, case 1 receives into r4, which is not read afterwards.
        let m = maps(
            &[S, P, S, P, P, P, S, P, S],
            &[
                (Op::Enter, &[20, 3, 6]),
                (Op::Mov, &[3, 1]),
                (Op::SelectSend, &[5, 1, 3, 1]),
                (Op::SelectRecv, &[7, 1, 4, 1]),
                (Op::Select, &[9, 5, 2, 0, 10]),
                (Op::SelectDone, &[9, 5, 2, 0, 10]),
                (Op::Call, &[13, 0]),
                (Op::Ret, &[]),
            ],
            0,
        );
        assert_eq!(m.at(9), Some(&[3, 4, 5, 7][..]), "while it waits");
        assert_eq!(m.at(13), Some(&[][..]), "afterwards");
        assert_eq!(m.at(0), Some(&[1][..]));
    }

    #[test]
    fn a_key_keeps_its_value_at_the_end_of_the_map() {
        use crate::rtype::{self, Kind};
        let int = rtype::basic(Kind::Int);
        let map = rtype::map_of(rtype::pointer_to(int), int).word() as i64;
        // r3 is set before the loop, by the loop, and read behind it; r4.. is the iterator.
        let m = maps(
            &[S, P, S, P, P, P, S, S, S, S, S, S],
            &[
                (Op::Enter, &[20, 3, 9]),
                (Op::Mov, &[3, 1]),
                (Op::MapIter, &[4, 1, map]),
                (Op::MapNext, &[4, 3, i64::from(NONE), map, 4]),
                (Op::Loop, &[-3]),
                (Op::CheckNil, &[3]),
                (Op::Ret, &[]),
            ],
            0,
        );
        assert_eq!(m.at(4), Some(&[3, 4, 5][..]), "before the next entry");
    }
}
