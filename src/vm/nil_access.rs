//! Which address a nil dereference has tried: what Go's line about the signal says.
//!
//! In Go the machine finds out, when memory is touched. An address that is made of a nil pointer
//! (`&p.f`) and handed to a function is looked at first, by touching what the pointer itself points
//! to; one that is used in place is not, for its use will fail. Here instructions look at their
//! pointers themselves. So what Go would have touched is read off the instruction and those behind
//! it.
//!
//! Go: cmd/compile/internal/ssa/nilcheck.go (nilcheckelim2).

use super::call::native_at;
use super::native::table;
use bytecode::encode::{Instr, instructions};
use bytecode::func;
use bytecode::op::{Kind, Op};

/// So many instructions are read at most.
const REACH: usize = 16;
/// Where Go's itabs hold the methods' code. Go: internal/abi/iface.go, ITab.
const ITAB_FUNCS: usize = 24;

/// What the instruction at `pc` would have touched:
/// the slot of its pointer, if it has one, and the distance in bytes.
pub(super) fn touched(pc: usize) -> (Option<usize>, usize) {
    let Some(info) = func::find(pc) else {
        return (None, 0);
    };
    let mut code = instructions(&info.code()[(pc - info.start) / 8..]);
    let Some((_, i)) = code.next() else {
        return (None, 0);
    };
    let off = distance(&i);
    let off = match i.op {
        Op::CallNative => return (None, native(pc).1),
        Op::CallIface => ITAB_FUNCS + 8 * i.arg(Kind::Method).unwrap_or(0) as usize,
        Op::AddPtr | Op::AddPtrConst => {
            let made = i.arg(Kind::Out).unwrap_or(0);
            used_at(made, pc, code).map_or(0, |further| off + further)
        }
        Op::CheckNil => used_at(i.arg(Kind::Ptr).unwrap_or(0), pc, code).unwrap_or(0),
        _ => off,
    };
    (i.arg(Kind::Ptr).map(|slot| slot as usize), off)
}

/// How far behind its pointer `i` touches memory.
fn distance(i: &Instr) -> usize {
    let off = i.arg(Kind::Off).or(i.arg(Kind::XOff));
    off.unwrap_or(0) as usize
}

/// How far behind the address in slot `held` the first use of it touches memory, if that is in
/// place: `code` is what follows the instruction at `pc`. Jumps are taken for none.
fn used_at(mut held: i64, pc: usize, code: impl Iterator<Item = (usize, Instr)>) -> Option<usize> {
    let mut further = 0;
    for (at, i) in code.take(REACH) {
        let is_call = |op: Op| op.operands().iter().any(|o| o.kind == Kind::Win);
        match i.op {
            Op::CallNative => {
                let (in_place, off) = native(pc + 8 * at);
                return in_place.then_some(further + off);
            }
            Op::Mov if i.arg(Kind::In) == Some(held) => held = i.arg(Kind::Out)?,
            Op::CheckNil => {}
            Op::AddPtr | Op::AddPtrConst if i.arg(Kind::Ptr) == Some(held) => {
                held = i.arg(Kind::Out)?;
                further += distance(&i);
            }
            _ if i.arg(Kind::Ptr) == Some(held) => {
                return Some(further + distance(&i));
            }
            Op::Ret => return None,
            op if is_call(op) => return None,
            _ => {}
        }
    }
    None
}

/// Of the native called at `pc`, with a pointer before all else: does Go compile calls of it in
/// place, and how far behind the pointer is what it touches first?
fn native(pc: usize) -> (bool, usize) {
    let native = native_at(pc).and_then(|i| table::get(i.native));
    native.map_or((false, 0), |n| {
        let traits = n.entry.traits;
        (traits.in_place, traits.touches)
    })
}
