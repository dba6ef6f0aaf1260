//! What well-formed bytecode is.
//!
//! Checked in debug builds when a function is linked, in tests, and by `disasm`; not when a program starts. Every operand lies in the frame, every jump lands on
//! an instruction, the last instruction does not fall off the end, and no instruction reads a scalar or pointer slot outside of frame and window.

use super::encode;
use super::func::FuncInfo;
use super::op::{Kind, NONE, Op};
use rustc_hash::FxHashSet;

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
        Some(
            Op::Ret | Op::RetMov | Op::RetImm | Op::Jump | Op::Loop | Op::Panic | Op::Unreachable,
        ) => {}
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
            let width = match o.kind {
                Kind::In2 | Kind::Out2 => 2,
                Kind::In3 | Kind::Out3 => 3,
                _ => 1,
            };
            if o.kind.is_slot() {
                if v == i64::from(NONE) {
                    let size_free = matches!(
                        o.kind,
                        Kind::OptInN
                            | Kind::OptOut
                            | Kind::OptOutN
                            | Kind::InN
                            | Kind::OutN
                            | Kind::UpdN
                    );
                    if !size_free {
                        return fail("no slot");
                    }
                } else if v < 0 || v + width > i64::from(info.frame_max) {
                    return fail("outside of the frame");
                }
            }
            if matches!(o.kind, Kind::Fo32 | Kind::XFo)
                && (v < 0 || v >= i64::from(info.frame_max) * 8)
            {
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
    Ok(())
}
