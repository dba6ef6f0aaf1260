//! What an instruction reads and writes of its frame, and where control goes from it.
//!
//! All is derived from the table of instructions: the kinds of the operands say what is read and written, and for the operands whose number of
//! slots the kind leaves open (`InN`, `OutN`, …) another operand says it: a count, a size in bytes, a type. So the verifier and
//! the collector's liveness know new instructions as soon as the table has them; what [`extent`] does not know, a test finds.
//!
//! An outgoing window is not looked at here: it lies above the slots that have kinds.

use super::abi::BY_REF_ABOVE;
use super::encode::Instr;
use super::op::{Kind, NONE, Op};
use super::pair::Pair;
use super::rtype::{Rtype, Ty};

/// What happens to a range of slots.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Read.
    Use,
    /// Wholly overwritten, unless the instruction panics.
    Def,
    /// Written in part, or perhaps.
    Part,
}

/// Slots of an iterator over a map.
const ITER_SLOTS: u32 = 8;

/// Calls `f` with each range of slots that `i` touches: effect, first slot, number. What a `return` reads of the results is not named:
/// see [`returns`].
pub fn effects(i: &Instr, f: &mut impl FnMut(Effect, u32, u32)) {
    let operands = i.op.operands();
    for (k, (o, &v)) in operands.iter().zip(&i.args).enumerate() {
        if o.kind.is_slot() && v == i64::from(NONE) {
            continue;
        }
        let at = v as u32;
        match o.kind {
            Kind::In => f(Effect::Use, at, 1),
            Kind::In2 => f(Effect::Use, at, 2),
            Kind::In3 => f(Effect::Use, at, 3),
            Kind::Out => f(Effect::Def, at, 1),
            Kind::Out2 => f(Effect::Def, at, 2),
            Kind::Out3 => f(Effect::Def, at, 3),
            Kind::Upd => {
                f(Effect::Use, at, 1);
                f(Effect::Def, at, 1);
            }
            Kind::OptOut => f(Effect::Def, at, 1),
            Kind::InN | Kind::OptInN => {
                let (from, to) = bytes(i, k);
                let first = from / 8;
                f(Effect::Use, at + first, to.div_ceil(8) - first);
            }
            // A sender has written what the receiver asked for: it is read.
            Kind::OptOutN if i.op == Op::RecvDone => {
                f(Effect::Use, at, bytes(i, k).1.div_ceil(8));
            }
            // Not at the end of the map.
            Kind::OptOutN if i.op == Op::MapNext => {
                f(Effect::Part, at, bytes(i, k).1.div_ceil(8));
            }
            Kind::OutN | Kind::OptOutN => {
                let n = bytes(i, k).1;
                f(Effect::Def, at, n / 8);
                if !n.is_multiple_of(8) {
                    // The last slot of a struct or array; a scalar of its own is written whole.
                    let whole = n < 8;
                    f(
                        if whole { Effect::Def } else { Effect::Part },
                        at + n / 8,
                        1,
                    );
                }
            }
            Kind::UpdN if i.op == Op::MapNext => {
                f(Effect::Use, at, ITER_SLOTS);
                f(Effect::Def, at, ITER_SLOTS);
            }
            Kind::UpdN => {
                let (from, to) = bytes(i, k);
                f(Effect::Part, at + from / 8, to.div_ceil(8) - from / 8);
            }
            Kind::XSlot => match o.name {
                "ok" => f(Effect::Def, at, 1),
                _ => f(Effect::Use, at, 1),
            },
            Kind::Fo32 | Kind::XFo => frame_bytes(i, k, v as u32, f),
            _ => {}
        }
    }
    if i.op == Op::Enter {
        f(Effect::Def, i.args[1] as u32, i.args[2] as u32);
    }
}

/// An operand that is a byte offset in the frame.
fn frame_bytes(i: &Instr, k: usize, at: u32, f: &mut impl FnMut(Effect, u32, u32)) {
    let n = match i.op {
        Op::FCopy => i.args[0] as u32,
        _ => 1,
    };
    if n == 0 {
        return;
    }
    let (first, end) = (at / 8, (at + n).div_ceil(8));
    let is_read = match i.op {
        Op::FCopy => k == 2,
        op => op.name().starts_with("FLd"),
    };
    if is_read {
        f(Effect::Use, first, end - first);
        return;
    }
    f(Effect::Part, first, end - first);
    let (whole, whole_end) = (at.div_ceil(8), (at + n) / 8);
    if whole < whole_end {
        f(Effect::Def, whole, whole_end - whole);
    }
}

/// The bytes that an operand of open extent touches, from its slot on.
fn bytes(i: &Instr, k: usize) -> (u32, u32) {
    extent(i, k).unwrap_or((0, 8))
}

/// The bytes from and to which operand `k` of `i`, of a kind that leaves its number of slots open, reaches; `None` for an
/// instruction that is not known here.
fn extent(i: &Instr, k: usize) -> Option<(u32, u32)> {
    use Op::*;
    let operands = i.op.operands();
    let arg = |name: &str| {
        let at = operands.iter().position(|o| o.name == name);
        at.map(|at| i.args[at])
    };
    let low = |name: &str| arg(name).map(|v| Pair::of(v as u64).lo());
    let high = |name: &str| arg(name).map(|v| Pair::of(v as u64).hi());
    // Of a value in slots, which is small.
    let number = |name: &str| arg(name).and_then(|v| u32::try_from(v).ok());
    let typ = |name: &str| arg(name).map(|v| Ty(v as usize as *const Rtype));
    // Of a huge value the slot holds the address.
    let size = |t: *const Rtype| match Ty(t).get().size as u64 {
        n if n > BY_REF_ABOVE => 8,
        n => n as u32,
    };
    let name = operands[k].name;
    let to = match (i.op, name) {
        (MovN | ZeroN | Send | SendDone | Recv | RecvDone | SelSend | SelRecv, _) => {
            8 * number("n")?
        }
        (LdGN | LdN, _) => number("bytes")?,
        (StGTyped | StTyped | SSetTyped | PSetTyped | MkIfaceBox, _) => low("sl")?,
        (SIdxN, _) => number("size")?,
        (FIdxN, "dst") | (PIdxN, _) | (FSetN, "src") => high("os")?,
        (FIdxN | FSetN, "base") => {
            // The part of the last element that is meant, not all of it: what lies behind the array is another's.
            let (len, stride) = (low("ls")?, high("ls")?);
            let (off, size) = (low("os")?, high("os")?);
            return Some((off, off + len.saturating_sub(1) * stride + size));
        }
        (FIdx8u | FIdx8s | FSet8, _) => return Some(array(arg("lo")?, 1)),
        (FIdx16u | FIdx16s | FSet16, _) => return Some(array(arg("lo")?, 2)),
        (FIdx32u | FIdx32s | FSet32, _) => return Some(array(arg("lo")?, 4)),
        (FIdx64 | FSet64, _) => return Some(array(arg("lo")?, 8)),
        (EqTyped, _) => size(typ("typ")?.0),
        (PushTyped, _) => size(typ("elem")?.0),
        (ConcatN | Select | SelectDone, _) => 16 * number("n")?,
        (MapIter | MapNext, "it") => 8 * ITER_SLOTS,
        (
            MapGet | MapGet2 | MapSet | MapAddr | MapDel | MapFind | MapNext | MapGet32 | MapGet232
            | MapSet32 | MapGet64 | MapGet264 | MapSet64 | MapGetStr | MapGet2Str | MapSetStr,
            _,
        ) => {
            let t = typ("typ")?.get();
            size(if name == "k" { t.key } else { t.elem })
        }
        (Print, _) => match number("kind")? {
            4 | 5 | 7 => 16,
            8 => 24,
            9 | 10 => 0,
            _ => 8,
        },
        _ => return None,
    };
    Some((0, to))
}

/// `len | off << 32` of an array in the frame whose elements have `size` bytes.
fn array(lo: i64, size: u32) -> (u32, u32) {
    let lo = Pair::of(lo as u64);
    (lo.hi(), lo.hi() + lo.lo() * size)
}

/// Does the instruction end the function and give its results to the caller? Which of them it has written itself: the first so many.
pub fn returns(op: Op) -> Option<u32> {
    match op {
        Op::Ret => Some(0),
        Op::RetMov | Op::RetImm => Some(1),
        _ => None,
    }
}

/// Does control never get behind the instruction?
pub fn is_end(op: Op) -> bool {
    matches!(
        op,
        Op::Jump | Op::Loop | Op::Ret | Op::RetMov | Op::RetImm | Op::Panic | Op::Unreachable
    )
}

/// Where the instruction at word `at` jumps to, if it does.
pub fn target(at: usize, i: &Instr) -> Option<usize> {
    let k = i.op.operands().iter().position(|o| o.kind.is_rel())?;
    Some((at as i64 + i.args[k]) as usize)
}

/// A send, receive or select whose second half follows it: control goes behind both, or to the second.
pub fn skips_next(op: Op) -> bool {
    matches!(op, Op::Send | Op::Recv | Op::Select)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bytecode::rtype;

    fn of(op: Op, args: &[i64]) -> Vec<(Effect, u32, u32)> {
        let mut all = Vec::new();
        effects(
            &Instr {
                op,
                args: args.to_vec(),
            },
            &mut |e, at, n| all.push((e, at, n)),
        );
        all.retain(|e| e.2 > 0);
        all
    }

    #[test]
    fn every_open_extent_is_known() {
        let int = rtype::basic(rtype::Kind::Int, "int");
        let map = rtype::map_of(int, int);
        for &op in Op::ALL {
            let args: Vec<i64> = op
                .operands()
                .iter()
                .map(|o| match (o.kind, o.name) {
                    (_, "typ" | "elem") => map.word() as i64,
                    _ => 1,
                })
                .collect();
            let i = Instr { op, args };
            for (k, o) in op.operands().iter().enumerate() {
                let open = matches!(
                    o.kind,
                    Kind::InN | Kind::OutN | Kind::UpdN | Kind::OptInN | Kind::OptOutN
                );
                assert!(
                    !open || extent(&i, k).is_some(),
                    "{}: {}",
                    op.name(),
                    o.name
                );
            }
        }
    }

    #[test]
    fn only_the_known_jumps_end_a_block() {
        for &op in Op::ALL {
            let jumps = op.operands().iter().filter(|o| o.kind.is_rel()).count();
            assert!(jumps <= 1, "{} has two targets", op.name());
        }
    }

    #[test]
    fn ranges() {
        use Effect::*;
        assert_eq!(of(Op::Mov2, &[4, 9]), [(Def, 4, 2), (Use, 9, 2)]);
        assert_eq!(
            of(Op::IncLLt, &[3, 5, -2]),
            [(Use, 3, 1), (Def, 3, 1), (Use, 5, 1)]
        );
        // A struct of 20 bytes: the third slot is written in part.
        assert_eq!(
            of(Op::LdN, &[10, 2, 0, 20]),
            [(Def, 10, 2), (Part, 12, 1), (Use, 2, 1)]
        );
        // [3]int16 at byte 12 of a struct at slot 7.
        assert_eq!(
            of(Op::FIdx16s, &[1, 7, 2, 3 | 12 << 32]),
            [(Def, 1, 1), (Use, 8, 2), (Use, 2, 1)]
        );
        // The byte at 56 of each element of [2]T at slot 3, T having 64 bytes: slots 10 to 18, no more.
        assert_eq!(
            of(Op::FIdxN, &[1, 3, 2, 2 | 64 << 32, 56 | 1 << 32]),
            [(Def, 1, 1), (Use, 10, 9), (Use, 2, 1)]
        );
        assert_eq!(of(Op::FSt32, &[1, 36]), [(Use, 1, 1), (Part, 4, 1)]);
        assert_eq!(
            of(Op::FCopy, &[12, 8, 36]),
            [(Part, 1, 2), (Def, 1, 1), (Use, 4, 2)]
        );
        assert_eq!(
            of(Op::Recv, &[i64::from(NONE), 2, 6, 0]),
            [(Use, 2, 1), (Def, 6, 1)]
        );
        assert_eq!(
            of(Op::RecvDone, &[4, 2, 6, 2]),
            [(Use, 4, 2), (Use, 2, 1), (Def, 6, 1)]
        );
    }
}
