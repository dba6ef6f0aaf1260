//! What an instruction reads and writes of its frame, and where control goes from it.
//!
//! All is derived from the table of instructions: the kinds of the operands say what is read and
//! written. Where a kind leaves the number of slots open (`InN`, `OutN`, …) another operand says it
//! by its kind: a count, a size in bytes, a type. So the verifier and the collector's liveness know
//! new instructions as soon as the table has them; a test finds what nothing measures.
//!
//! An outgoing window is not looked at here: it lies above the slots that have kinds.

use super::abi::{BY_REF_ABOVE, MAP_ITER};
use super::encode::Instr;
use super::op::{Flow, Kind, NONE, Op};
use super::pair::Pair;
use super::rtype::{Rtype, Ty};

/// What happens to a range of slots.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Effect {
    /// Read.
    Use,
    /// Wholly overwritten, unless the instruction panics.
    Def,
    /// Written in part, or perhaps.
    Part,
}

/// Slots of an iterator over a map.
const ITER_SLOTS: u32 = MAP_ITER.len() as u32;

/// Calls `f` with each range of slots that `i` touches: effect, first slot, number. What a `return`
/// reads of the results is not named: see [`Flow`].
pub(crate) fn effects(i: &Instr, f: &mut impl FnMut(Effect, u32, u32)) {
    for (o, &v) in i.op.operands().iter().zip(&i.args) {
        if o.kind.is_slot() && v == i64::from(NONE) {
            continue;
        }
        let at = v as u32;
        let n = o.kind.width();
        match o.kind {
            Kind::In | Kind::In2 | Kind::In3 | Kind::XIn => f(Effect::Use, at, n),
            Kind::Ptr | Kind::Idx | Kind::Idx2 | Kind::Idx3 | Kind::XIdx => f(Effect::Use, at, n),
            Kind::Out | Kind::Out2 | Kind::Out3 | Kind::OptOut | Kind::XOut => {
                f(Effect::Def, at, n);
            }
            Kind::Upd => {
                f(Effect::Use, at, n);
                f(Effect::Def, at, n);
            }
            Kind::InN | Kind::OptInN | Kind::KeyIn | Kind::ElemIn => {
                f(Effect::Use, at, extent(i, o.kind).1.div_ceil(8));
            }
            Kind::ArrayIn | Kind::ArrayUpd => {
                let (from, to) = extent(i, o.kind);
                let effect = if o.kind == Kind::ArrayIn {
                    Effect::Use
                } else {
                    Effect::Part
                };
                f(effect, at + from / 8, to.div_ceil(8) - from / 8);
            }
            Kind::OptKeyOut | Kind::OptElemOut => {
                f(Effect::Part, at, extent(i, o.kind).1.div_ceil(8));
            }
            Kind::OutN | Kind::OptOutN | Kind::ElemOut => {
                let n = extent(i, o.kind).1;
                f(Effect::Def, at, n / 8);
                if !n.is_multiple_of(8) {
                    // The last slot of a struct or array; a scalar of its own is written whole.
                    let effect = if n < 8 { Effect::Def } else { Effect::Part };
                    f(effect, at + n / 8, 1);
                }
            }
            Kind::IterOut => f(Effect::Def, at, ITER_SLOTS),
            Kind::IterUpd => {
                f(Effect::Use, at, ITER_SLOTS);
                f(Effect::Def, at, ITER_SLOTS);
            }
            Kind::FrameIn | Kind::XFrameIn | Kind::FrameOut => frame_bytes(i, o.kind, at, f),
            _ => {}
        }
    }
    if i.op == Op::Enter {
        f(Effect::Def, i.args[1] as u32, i.args[2] as u32);
    }
}

/// An operand that is a byte offset in the frame.
fn frame_bytes(i: &Instr, kind: Kind, at: u32, f: &mut impl FnMut(Effect, u32, u32)) {
    let n = measured(i).unwrap_or(1);
    if n == 0 {
        return;
    }
    let (first, end) = (at / 8, (at + n).div_ceil(8));
    if kind != Kind::FrameOut {
        f(Effect::Use, first, end - first);
        return;
    }
    f(Effect::Part, first, end - first);
    let (whole, whole_end) = (at.div_ceil(8), (at + n) / 8);
    if whole < whole_end {
        f(Effect::Def, whole, whole_end - whole);
    }
}

/// The bytes, from its slot on, from and to which an operand
/// reaches whose kind leaves its number of slots open.
fn extent(i: &Instr, kind: Kind) -> (u32, u32) {
    let to = match kind {
        Kind::KeyIn | Kind::OptKeyOut => map_of(i).map(|t| in_slots(&t.key)),
        Kind::ElemIn | Kind::ElemOut | Kind::OptElemOut => map_of(i).map(|t| in_slots(&t.elem)),
        Kind::ArrayIn | Kind::ArrayUpd => return array(i).unwrap_or((0, 8)),
        _ => measured(i),
    };
    debug_assert!(to.is_some(), "{} does not say how much", i.op.name());
    (0, to.unwrap_or(8))
}

/// The bytes of the value of open extent that `i` handles, as its measuring operand says.
fn measured(i: &Instr) -> Option<u32> {
    i.operands().find_map(|(kind, v)| match kind {
        Kind::Slots | Kind::Slots32 | Kind::XSlots => Some(8 * number(v)),
        Kind::Pairs => Some(16 * number(v)),
        Kind::Bytes | Kind::Bytes32 | Kind::XBytes => Some(number(v)),
        Kind::XSizeLayout => Some(Pair::of(v as u64).lo()),
        Kind::XOffSize => Some(Pair::of(v as u64).hi()),
        Kind::XType => Some(in_slots(type_in(v))),
        Kind::Printed => Some(match v {
            4 | 5 | 7 => 16,
            8 => 24,
            9 | 10 => 0,
            _ => 8,
        }),
        _ => None,
    })
}

/// A count of what lies in the frame, which is small.
fn number(v: i64) -> u32 {
    u32::try_from(v).expect("a count of the frame")
}

/// The bytes that a value of type `t` takes in slots: of a huge one the slot holds the address.
fn in_slots(t: &Rtype) -> u32 {
    match t.size as u64 {
        n if n > BY_REF_ABOVE => 8,
        n => n as u32,
    }
}

/// The map type of `i`.
fn map_of(i: &Instr) -> Option<&'static Rtype> {
    let typ = i.arg(Kind::XType)?;
    Some(type_in(typ))
}

/// The type that an operand names.
#[allow(unsafe_code)]
fn type_in(v: i64) -> &'static Rtype {
    // SAFETY: the encoder was given a type's word for an operand of this kind.
    unsafe { Ty::from_word(v as u64) }.get()
}

/// The bytes of an array in the frame that `i` may touch: of the last element the part that is
/// meant, not all of it, since what lies behind the array is another's.
fn array(i: &Instr) -> Option<(u32, u32)> {
    let pair = |kind| i.arg(kind).map(|v| Pair::of(v as u64));
    let whole = i.operands().find_map(|(kind, v)| {
        let size = match kind {
            Kind::XArray8 => 1,
            Kind::XArray16 => 2,
            Kind::XArray32 => 4,
            Kind::XArray64 => 8,
            _ => return None,
        };
        let v = Pair::of(v as u64);
        Some((v.hi(), v.hi() + v.lo() * size))
    });
    whole.or_else(|| {
        let (of, part) = (pair(Kind::XLenStride)?, pair(Kind::XOffSize)?);
        let last = of.lo().saturating_sub(1) * of.hi();
        Some((part.lo(), part.lo() + last + part.hi()))
    })
}

/// How many of its results an instruction that returns writes itself: the first so many.
pub(crate) fn returns(op: Op) -> Option<u32> {
    match op.flow() {
        Flow::Returns => Some(0),
        Flow::ReturnsOne => Some(1),
        _ => None,
    }
}

/// Where the instruction at word `at` jumps to, if it does.
pub(crate) fn target(at: usize, i: &Instr) -> Option<usize> {
    let k = i.op.operands().iter().position(|o| o.kind.is_rel())?;
    Some((at as i64 + i.args[k]) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rtype;

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
        let int = rtype::basic(rtype::Kind::Int);
        let map = rtype::map_of(int, int).word() as i64;
        for &op in Op::ALL {
            let value = |kind| if kind == Kind::XType { map } else { 1 };
            let args = op.operands().iter().map(|o| value(o.kind)).collect();
            let i = Instr { op, args };
            for o in op.operands().iter().filter(|o| o.kind.is_open()) {
                let known = match o.kind {
                    Kind::IterOut | Kind::IterUpd => true,
                    Kind::ArrayIn | Kind::ArrayUpd => array(&i).is_some(),
                    Kind::InN | Kind::OutN | Kind::OptInN | Kind::OptOutN => measured(&i).is_some(),
                    _ => map_of(&i).is_some(),
                };
                assert!(known, "{}: {}", op.name(), o.name);
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
            of(Op::IncLoopLt, &[3, 5, -2]),
            [(Use, 3, 1), (Def, 3, 1), (Use, 5, 1)]
        );
        // A struct of 20 bytes: the third slot is written in part.
        assert_eq!(
            of(Op::LoadN, &[10, 2, 0, 20]),
            [(Def, 10, 2), (Part, 12, 1), (Use, 2, 1)]
        );
        // [3]int16 at byte 12 of a struct at slot 7.
        assert_eq!(
            of(Op::FrameIndex16s, &[1, 7, 2, 3 | 12 << 32]),
            [(Def, 1, 1), (Use, 8, 2), (Use, 2, 1)]
        );
        // The byte at 56 of each element of [2]T at slot 3, T having 64 bytes:
        // slots 10 to 18, no more.
        assert_eq!(
            of(Op::FrameIndexN, &[1, 3, 2, 2 | 64 << 32, 56 | 1 << 32]),
            [(Def, 1, 1), (Use, 10, 9), (Use, 2, 1)]
        );
        assert_eq!(of(Op::FrameStore32, &[1, 36]), [(Use, 1, 1), (Part, 4, 1)]);
        assert_eq!(
            of(Op::FrameCopy, &[12, 8, 36]),
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
