//! Points: instructions before which a controlled run may let another goroutine run.
//!
//! They are what goroutines tell each other by: channel operations, locks, the natives of the
//! packages for that; and each thousandth turn of a loop, so that one which waits for a flag lets
//! others set it. The dispatch table of a controlled run has [`at_point`] for them: ordinary runs
//! pay nothing. The looped dispatcher uses no table, and so has no points.

use super::{Handler, Op, Regs, Status, TABLE};
use crate::native;
use bytecode::op::insn;
use gosched_runtime::control;
use gosched_runtime::g::G;

/// What may be a point, besides the turns of loops.
const OPS: &[Op] = &[
    Op::Send,
    Op::Recv,
    Op::Select,
    Op::Close,
    Op::LockJump,
    Op::UnlockJump,
    Op::CallNative,
];

/// The table of a controlled run.
pub(super) const fn table(
    mut table: [Handler; Op::COUNT],
    names: &[&str; Op::COUNT],
) -> [Handler; Op::COUNT] {
    let mut i = 0;
    while i < OPS.len() {
        table[OPS[i] as usize] = Handler(at_point);
        i += 1;
    }
    let mut i = 0;
    while i < names.len() {
        if is_loop(names[i]) {
            table[i] = Handler(at_point);
        }
        i += 1;
    }
    table
}

/// Is it the name of a jump back to the head of a loop?
const fn is_loop(name: &str) -> bool {
    matches!(name.as_bytes(), [b'L', b'o', b'o', b'p', ..])
}

/// Leaves, or does the instruction.
unsafe extern "sysv64" fn at_point(
    pc: *const u64,
    fp: *mut u64,
    g: *mut G,
    table: *const Handler,
) -> u64 {
    // SAFETY: exec::X1 to X3.
    unsafe {
        let regs = Regs { pc, fp, g, table };
        if leaves(&regs) {
            regs.save();
            return Status::Point as u64;
        }
        (TABLE[*pc.cast::<u16>() as usize].0)(pc, fp, g, table)
    }
}

/// Is there a choice to be made before the instruction?
#[inline(never)]
unsafe fn leaves(regs: &Regs) -> bool {
    // SAFETY: exec::X1 to X3.
    unsafe {
        let op = *regs.pc.cast::<Op>();
        let is_point = match op {
            Op::CallNative => tells((*regs.pc.cast::<insn::CallNative>()).native),
            op if is_loop(op.name()) => control::turn(),
            op => OPS.contains(&op),
        };
        is_point && control::has_others((*(*regs.g).m).p)
    }
}

/// Do goroutines tell each other something by native `n`?
fn tells(n: u32) -> bool {
    let name = native::name(n);
    let packages = ["sync.", "sync/atomic.", "time."];
    packages.iter().any(|package| name.starts_with(package))
}
