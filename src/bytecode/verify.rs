//! What well-formed bytecode is.
//!
//! Checked in debug builds when a function is linked, in tests, and by `disasm`; not when a program
//! starts. Every operand lies in the frame, every jump lands on an instruction, the last
//! instruction does not fall off the end, no instruction reads a slot that has not been written on
//! every way to it, and a return finds all results written.
//!
//! Set at the start are parameters and, in a function that reads it, the closure word; the prologue
//! sets the locals that hold pointers. After a call all slots of its window count as set.
//!
//! Nor does a live map name a slot that may not have been written: the collector, and stacks that
//! move, look at what it names.

use super::effects::{self, Effect, returns};
use super::encode::{self, Instr};
use super::flow::{self, NO_BLOCK, Sets};
use super::func::{CLOSURE, FuncInfo};
use super::liveness;
use super::op::{Kind, NONE, Op};
use rustc_hash::FxHashSet;

/// Words of bit sets that the data flow of one function may take; beyond it is not looked at.
const BUDGET_WORDS: usize = 1 << 20;

/// Checks the code of one function.
pub fn verify(code: &[u64], info: &FuncInfo) -> Result<(), String> {
    let mut starts = FxHashSet::default();
    let mut end = 0;
    let mut last = None;
    for (at, i) in encode::instructions(code) {
        starts.insert(at as i64);
        end = at + i.op.words();
        last = Some(i.op);
    }
    if end != code.len() {
        return Err(format!("no instruction at {end} of {}", code.len()));
    }
    match last {
        Some(op) if op.ends() => {}
        Some(op) => return Err(format!("falls off the end after {}", op.name())),
        None => return Err("empty".into()),
    }
    for (at, i) in encode::instructions(code) {
        for (o, &v) in i.op.operands().iter().zip(&i.args) {
            let fail =
                |what: &str| Err(format!("{} at {at}: {} = {v}: {what}", i.op.name(), o.name));
            if o.kind.is_rel() && !starts.contains(&(at as i64 + v)) {
                return fail("not an instruction");
            }
            let width = i64::from(o.kind.width());
            if o.kind.is_slot() {
                if v == i64::from(NONE) {
                    if !o.kind.is_open() && !o.kind.is_optional() {
                        return fail("no slot");
                    }
                } else if v < 0 || v + width > i64::from(info.frame_max) {
                    return fail("outside of the frame");
                }
            }
            if o.kind.is_frame_offset() && (v < 0 || v >= i64::from(info.frame_max) * 8) {
                return fail("outside of the frame");
            }
        }
    }
    let d = i64::from(info.defer_return);
    if d != 0 && !starts.contains(&d) {
        return Err("defer_return is not an instruction".into());
    }
    if usize::from(info.zeroed.0) + usize::from(info.zeroed.1) > info.frame_max as usize {
        return Err("zeroes beyond the frame".into());
    }
    check_set(code, info)
}

/// Is every slot written before it is read?
fn check_set(words_of_code: &[u64], info: &FuncInfo) -> Result<(), String> {
    let code: Vec<_> = encode::instructions(words_of_code).collect();
    let blocks = flow::blocks(&code, info.defer_return as usize);
    let words = (info.frame_max as usize).div_ceil(64);
    if blocks.len() * words > BUDGET_WORDS {
        return Ok(());
    }
    let rescue = blocks
        .iter()
        .position(|b| info.defer_return != 0 && code[b.from].0 == info.defer_return as usize);
    // What is set at the head of each block; all, as long as no way to it is known.
    let mut at_head = Sets::new(blocks.len(), words, u64::MAX);
    let entry = at_head.get_mut(0);
    entry.fill(0);
    let mut at_start: Vec<usize> = (info.n_results.into()..info.closure_slot.into()).collect();
    if info.flags & CLOSURE != 0 {
        at_start.push(info.closure_slot.into());
    }
    at_start.iter().for_each(|s| flow::set(entry, *s));
    let mut is_reached = vec![false; blocks.len()];
    is_reached[0] = true;
    let mut work = vec![0];
    let mut now = vec![0; words];
    while let Some(n) = work.pop() {
        let b = blocks[n];
        now.copy_from_slice(at_head.get(n));
        for (_, i) in &code[b.from..b.to] {
            write(i, info, &mut now);
        }
        // A recovered frame has run one of its defer statements at least.
        let last = code[b.to - 1].1.op;
        let rescued = rescue.filter(|_| matches!(last, Op::Defer | Op::DeferList));
        for to in b.succ.into_iter().filter(|s| *s != NO_BLOCK).chain(rescued) {
            if flow::intersect(at_head.get_mut(to), &now) || !is_reached[to] {
                is_reached[to] = true;
                work.push(to);
            }
        }
    }
    let live = liveness::compute(words_of_code, info);
    for (n, b) in blocks.iter().enumerate().filter(|(n, _)| is_reached[*n]) {
        now.copy_from_slice(at_head.get(n));
        for (at, i) in &code[b.from..b.to] {
            let live = live.as_ref().and_then(|l| l.at(*at as u32));
            for &slot in live.unwrap_or_default() {
                // At the prologue only parameters and closure word are looked at.
                let is_looked_at = *at != 0 || at_start.contains(&slot.into());
                if is_looked_at && !flow::has(&now, slot.into()) {
                    return Err(format!(
                        "{} at {at}: r{slot} is live, may be unset",
                        i.op.name()
                    ));
                }
            }
            let mut unset = None;
            let mut need = |first: u32, n: u32| {
                for slot in first..first + n {
                    let is_set = slot < info.frame_max && flow::has(&now, slot as usize);
                    if !is_set && unset.is_none() {
                        unset = Some(slot);
                    }
                }
            };
            effects::effects(i, &mut |e, first, n| {
                if e == Effect::Use {
                    need(first, n);
                }
            });
            if let Some(written) = returns(i.op) {
                need(written, u32::from(info.n_results).saturating_sub(written));
            }
            if let Some(slot) = unset {
                return Err(format!("{} at {at}: r{slot} may be unset", i.op.name()));
            }
            write(i, info, &mut now);
        }
    }
    Ok(())
}

/// Notes in `now` what `i` writes.
fn write(i: &Instr, info: &FuncInfo, now: &mut [u64]) {
    let mut note = |first: u32, end: u32| {
        for slot in first..end.min(info.frame_max) {
            flow::set(now, slot as usize);
        }
    };
    effects::effects(i, &mut |e, first, n| {
        if e != Effect::Use {
            note(first, first + n);
        }
    });
    let window = i.op.operands().iter().position(|o| o.kind == Kind::Win);
    if let Some(k) = window {
        note(i.args[k] as u32, u32::MAX);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::func::Word;

    /// One result, one parameter, the closure word, then locals; a window at 10.
    fn check(code: &[(Op, &[i64])], defer_return: u32) -> Result<(), String> {
        let mut words = Vec::new();
        for (op, args) in code {
            encode::encode(&mut words, *op, args).unwrap();
        }
        let info = FuncInfo {
            n_results: 1,
            n_params: 1,
            closure_slot: 2,
            frame: 8,
            frame_max: 16,
            defer_return,
            ..FuncInfo::default()
        };
        verify(&words, &info)
    }

    fn refused(code: &[(Op, &[i64])], why: &str) {
        assert_eq!(check(code, 0), Err(why.to_string()));
    }

    #[test]
    fn what_is_written_may_be_read() {
        let code: &[(Op, &[i64])] = &[
            (Op::Enter, &[16, 3, 1]),
            (Op::Add, &[4, 1, 3]),
            (Op::Mov, &[11, 4]),
            (Op::Call, &[10, 0]),
            (Op::Mov, &[0, 10]),
            (Op::Ret, &[]),
        ];
        assert_eq!(check(code, 0), Ok(()));
    }

    #[test]
    fn unset_slots_are_refused() {
        refused(
            &[(Op::Enter, &[16, 3, 1]), (Op::RetMov, &[4])],
            "RetMov at 1: r4 may be unset",
        );
        refused(
            &[(Op::Enter, &[16, 3, 1]), (Op::Ret, &[])],
            "Ret at 1: r0 may be unset",
        );
        // Set on one of two ways only.
        refused(
            &[
                (Op::Enter, &[16, 3, 1]),
                (Op::JumpIf, &[1, 2]),
                (Op::LoadImm, &[5, 7]),
                (Op::RetMov, &[5]),
            ],
            "RetMov at 3: r5 may be unset",
        );
        // The second word of a string.
        refused(
            &[
                (Op::Enter, &[16, 3, 1]),
                (Op::LoadImm, &[5, 7]),
                (Op::Mov2, &[7, 5]),
                (Op::RetImm, &[0]),
            ],
            "Mov2 at 2: r6 may be unset",
        );
    }

    #[test]
    fn a_recovered_frame_has_what_was_set_before_its_defers() {
        let code = |before: Op| -> Vec<(Op, &'static [i64])> {
            vec![
                (Op::Enter, &[16, 3, 1]),
                (before, &[0]),
                (Op::Defer, &[3]),
                (Op::LoadImm, &[0, 1]),
                (Op::Ret, &[]),
                (Op::CopyResults, &[]),
                (Op::Ret, &[]),
            ]
        };
        assert_eq!(check(&code(Op::Zero), 5), Ok(()));
        let err = check(&code(Op::CheckNil), 5);
        assert_eq!(err, Err("CheckNil at 1: r0 may be unset".into()));
    }

    #[test]
    fn only_closures_have_a_closure_word() {
        refused(
            &[(Op::Enter, &[16, 3, 1]), (Op::RetMov, &[2])],
            "RetMov at 1: r2 may be unset",
        );
        // An element of [1]T at r1, which has 8 bytes: so much is not there.
        refused(
            &[
                (Op::Enter, &[16, 3, 1]),
                (Op::FrameIndexN, &[4, 1, 1, 1 | 8 << 32, 4 | 8 << 32]),
                (Op::RetMov, &[4]),
            ],
            "FrameIndexN at 1: r2 may be unset",
        );
    }

    #[test]
    fn a_live_map_names_only_what_is_set() {
        // r3 is read where a recovered frame goes on, so it is live everywhere;
        // and the prologue does not set it.
        let code = |zeroed: i64| {
            let code: &[(Op, &[i64])] = &[
                (Op::Enter, &[16, 3, zeroed]),
                (Op::Call, &[10, 0]),
                (Op::Zero, &[3]),
                (Op::Defer, &[3]),
                (Op::RetImm, &[1]),
                (Op::CopyResults, &[]),
                (Op::RetMov, &[3]),
            ];
            let mut words = Vec::new();
            for (op, args) in code {
                encode::encode(&mut words, *op, args).unwrap();
            }
            let info = FuncInfo {
                n_results: 1,
                n_params: 1,
                closure_slot: 2,
                slots: vec![Word::Scalar, Word::Scalar, Word::Scalar, Word::Pointer],
                frame: 8,
                frame_max: 16,
                defer_return: 5,
                ..FuncInfo::default()
            };
            verify(&words, &info)
        };
        assert_eq!(code(1), Ok(()));
        assert_eq!(
            code(0),
            Err("Zero at 2: r3 is live, may be unset".to_string())
        );
    }

    #[test]
    fn jumps_and_ends_are_checked() {
        refused(
            &[(Op::Enter, &[16, 3, 1]), (Op::Jump, &[5])],
            "Jump at 1: by = 5: not an instruction",
        );
        refused(
            &[(Op::Enter, &[16, 3, 1]), (Op::Zero, &[0])],
            "falls off the end after Zero",
        );
        refused(
            &[(Op::Enter, &[16, 3, 1]), (Op::RetMov, &[16])],
            "RetMov at 1: src = 16: outside of the frame",
        );
    }
}
