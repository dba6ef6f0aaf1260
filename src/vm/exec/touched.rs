#![allow(unsafe_code)]
//! The memory that an instruction touches, as the table of instructions says it
//! ([`bytecode::touch`]), with the registers as they are. What will panic touches nothing.

use super::Regs;
use bytecode::op::Op;
use bytecode::rtype::Rtype;
use bytecode::touch::{Memory, Number, Place, Touch, Touches};
use gosched_runtime::race::Access;

/// What an instruction touches: at most two pieces of memory.
pub(super) type Touched = [Option<Access>; 2];

/// What the instruction touches.
///
/// # Safety
///
/// exec::X1 to X3.
pub(super) unsafe fn touched(r: &Regs) -> Touched {
    // SAFETY: the caller's.
    unsafe { all(r, (*r.pc.cast::<Op>()).touches()) }
}

/// What an instruction touches of which the table says `touches`: known when this is compiled,
/// nothing is left of the choices here.
///
/// # Safety
///
/// exec::X1 to X3.
#[inline(always)]
pub(super) unsafe fn all(r: &Regs, [one, other]: Touches) -> Touched {
    // SAFETY: the caller's.
    unsafe {
        [
            match one {
                Some(touch) => piece(r, touch),
                None => None,
            },
            match other {
                Some(touch) => piece(r, touch),
                None => None,
            },
        ]
    }
}

#[inline(always)]
unsafe fn piece(r: &Regs, touch: Touch) -> Option<Access> {
    // SAFETY: exec::X1, exec::X2; elements of a slice of slices are slices.
    unsafe {
        let size = number(r, touch.bytes);
        let part = |p: u64| Some(Access::plain(p as usize, size as usize, touch.writes));
        let elements =
            |p: u64, n: u64, writes| Some(Access::plain(p as usize, (n * size) as usize, writes));
        match touch.memory {
            Memory::At { base, off } => match number(r, base) {
                0 => None,
                p => part(p.wrapping_add(number(r, off))),
            },
            Memory::Element {
                s,
                idx,
                stride,
                off,
            } => {
                let [p, len] = r.get2(operand(r, s) as u16);
                let idx = number(r, idx);
                if idx >= len {
                    return None;
                }
                let p = p.wrapping_add(idx.wrapping_mul(number(r, stride)));
                part(p.wrapping_add(number(r, off)))
            }
            Memory::Item {
                ptr,
                idx,
                len,
                stride,
                off,
            } => {
                let (p, idx) = (slot(r, ptr), number(r, idx));
                if p == 0 || idx >= number(r, len) {
                    return None;
                }
                let p = p.wrapping_add(idx.wrapping_mul(number(r, stride)));
                part(p.wrapping_add(number(r, off)))
            }
            Memory::Inner { s, i, k } => {
                let [p, len] = r.get2(operand(r, s) as u16);
                let (i, k) = (slot(r, i), slot(r, k));
                if i >= len {
                    return None;
                }
                let [p, len] = *((p + 24 * i) as *const [u64; 2]);
                if k >= len {
                    return None;
                }
                part(p.wrapping_add(k.wrapping_mul(size)))
            }
            Memory::All { s } => {
                let [p, len] = r.get2(operand(r, s) as u16);
                elements(p, len, touch.writes)
            }
            Memory::Common { s, other } => {
                let [p, len] = r.get2(operand(r, s) as u16);
                let [_, most] = r.get2(operand(r, other) as u16);
                elements(p, len.min(most), touch.writes)
            }
            Memory::Room { s, n } => {
                let ([p, len, cap], n) = (r.get3(operand(r, s) as u16), number(r, n));
                match len.wrapping_add(n) {
                    _ if n == 0 => None,
                    all if all <= cap => elements(p + len * size, n, true),
                    _ => elements(p, len, false),
                }
            }
            Memory::Full { s, n } => {
                let ([p, len, cap], n) = (r.get3(operand(r, s) as u16), number(r, n));
                if len.wrapping_add(n) <= cap {
                    return None;
                }
                elements(p, len, false)
            }
        }
    }
}

/// A number that an instruction has.
///
/// # Safety
///
/// exec::X1 to X3; it is one of the instruction's.
#[inline(always)]
unsafe fn number(r: &Regs, n: Number) -> u64 {
    // SAFETY: the caller's; the verifier has seen that types are types.
    unsafe {
        match n {
            Number::Is(n) => n,
            Number::Of(place) => operand(r, place),
            Number::Low(place) => operand(r, place) & 0xffff_ffff,
            Number::High(place) => operand(r, place) >> 32,
            Number::SizeOf(place) => (*(operand(r, place) as *const Rtype)).size as u64,
            Number::In(place) => slot(r, place),
            Number::Behind(place) => r.get(operand(r, place) as u16 + 1),
        }
    }
}

/// What is in the slot that an operand names.
///
/// # Safety
///
/// As [`number`].
#[inline(always)]
pub(super) unsafe fn slot(r: &Regs, place: Place) -> u64 {
    // SAFETY: the caller's.
    unsafe { r.get(operand(r, place) as u16) }
}

#[inline(always)]
unsafe fn operand(r: &Regs, place: Place) -> u64 {
    // SAFETY: exec::X1: fields and extension words lie within the instruction.
    unsafe {
        match place {
            Place::Field(k) => u64::from(*r.pc.cast::<u16>().add(k as usize)),
            Place::Wide => u64::from(*r.pc.cast::<u32>().add(1)),
            Place::Ext(k) => *r.pc.add(k as usize),
        }
    }
}
