#![allow(unsafe_code)]
//! The dispatchers against each other and on small hand-made programs.
//!
//! # Invariants
//!
//! - Q1. Instructions under test touch only the frame,
//!   and the memory whose address the test has put there.

use super::engine;
use super::exec::{self, Status};
use super::tier;
use bytecode::encode::encode;
use bytecode::func::{self, FuncInfo};
use bytecode::image::Loaded;
use bytecode::op::{Flow, Kind, Op};
use bytecode::pair::Pair;
use bytecode::rtype::{self, Kind as TypeKind};
use gosched_runtime::g::G;
use std::process::Command;

fn code(instrs: &[(Op, &[i64])]) -> Vec<u64> {
    let mut code = Vec::new();
    for (op, args) in instrs {
        encode(&mut code, *op, args).unwrap();
    }
    code
}

/// A generator of numbers, the same on every run.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        // Small, negative and huge values all matter.
        match self.0 >> 61 {
            0 | 1 => self.0 & 7,
            2 => (self.0 & 0xffff).wrapping_neg(),
            3 => (f64::from(self.0 as i16) * 0.37).to_bits(),
            4 => u64::from((self.0 as i16 as f32 * 0.37).to_bits()),
            5 => 1 << (self.0 & 63),
            _ => self.0,
        }
    }
}

/// Instructions that touch nothing but the frame,
/// or memory through a pointer slot or a global's address.
fn is_pure(op: Op) -> bool {
    use Kind::*;
    let is_plain = |kind| {
        !matches!(
            kind,
            Win | Func
                | Native
                | Layout
                | XLayout
                | XSizeLayout
                | XType
                | XTab
                | XSlots
                | Pairs
                | Printed
        )
    };
    op.operands().iter().all(|o| is_plain(o.kind))
        && (op.flow() == Flow::Next || matches!(op, Op::Jump | Op::Loop))
        && !matches!(
            op,
            Op::Enter
                | Op::Go
                | Op::Defer
                | Op::DeferList
                | Op::Recover
                | Op::MethodNil
                | Op::PrintLock
        )
        && !matches!(
            op,
            Op::StubGoexit | Op::StubNativeReturn | Op::StubPanicReturn
        )
        && !matches!(
            op,
            Op::CopyResults | Op::SendDone | Op::Close | Op::ChanLen | Op::ChanCap
        )
        && !matches!(
            op,
            Op::AppendString | Op::CopyString | Op::Concat2 | Op::UnsafeString
        )
        && !matches!(
            op,
            Op::SliceOfSlice | Op::SliceOfSlice3 | Op::SliceOfArray | Op::SliceOfArray3
        )
        && !matches!(
            op,
            Op::SliceOfStr | Op::SliceToArray | Op::StrNext | Op::MapLen
        )
        && !matches!(op, Op::StrOfBytes | Op::StrOfRunes | Op::StrOfRune)
        && !matches!(op, Op::BytesOfStr | Op::RunesOfStr)
        && !matches!(
            op,
            Op::EqEface | Op::EqIface | Op::ItabType | Op::IfaceToEface
        )
        && !matches!(op, Op::AssertToEface)
}

/// Does the instruction read strings?
fn is_of_strings(op: Op) -> bool {
    use Op::*;
    matches!(op, StrIndex | EqStr | NeStr | LtStr | LeStr)
        || matches!(op, JumpEqStr | JumpNeStr | LoopEqStr | LoopNeStr)
}

/// Operands for `op` in a frame whose slots 0 to 2 are a slice, slot 4 an index, 8 and 12 strings.
/// `at` is where memory is, `by` where a jump goes; `free` says what is left to choose: slots read,
/// slots written, numbers.
fn arguments(op: Op, at: i64, by: i64, free: &mut dyn FnMut(Kind) -> i64) -> Vec<i64> {
    let mut strings = [8, 12].into_iter();
    let kinds = op.operands().iter().map(|o| o.kind);
    kinds
        .map(|kind| match kind {
            Kind::Ptr | Kind::In3 => 0,
            Kind::In2 if is_of_strings(op) => strings.next().unwrap(),
            Kind::Idx | Kind::XIdx => 4,
            Kind::ImmU16 | Kind::Imm16 | Kind::Slots | Kind::Bytes => 3,
            Kind::Slots32 => 5,
            Kind::XGlobal => at,
            Kind::FrameIn | Kind::FrameOut => 8 * 20,
            Kind::XFrameIn => 8 * 24,
            Kind::Bytes32 | Kind::XBytes => 12,
            Kind::XArray8 | Kind::XArray16 | Kind::XArray32 | Kind::XArray64 => 6 | 8 << 32,
            Kind::XLenStride => 4 | 8 << 32,
            Kind::XOffSize | Kind::XStrideOff => 8 | 8 << 32,
            Kind::XNum => 7,
            Kind::Off | Kind::XOff => 16,
            Kind::ArrayIn | Kind::ArrayUpd => 20,
            kind if kind.is_rel() => by,
            kind => free(kind),
        })
        .collect()
}

/// The word, or one NaN for all.
fn one_nan(w: u64) -> u64 {
    match u32::try_from(w) {
        Ok(w) if f32::from_bits(w).is_nan() => u64::from(f32::NAN.to_bits()),
        Err(_) if f64::from_bits(w).is_nan() => f64::NAN.to_bits(),
        _ => w,
    }
}

/// How instructions are run.
enum How {
    Threaded,
    Looped,
    Native(Option<u64>),
}

/// Both dispatchers and native code run every instruction of the frame on the same registers and
/// memory, and do the same.
#[test]
fn the_dispatchers_agree() {
    const SLOTS: usize = 64;
    const REGION: usize = 64;
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
    let mut tried = 0;
    for &op in Op::ALL.iter().filter(|o| is_pure(**o)) {
        for _ in 0..50 {
            let mut memory = vec![0u64; REGION];
            let mut frame: Vec<u64> = (0..SLOTS).map(|_| numbers.next()).collect();
            // Slots 0..: a slice of 8 elements of 24 bytes at most;
            // slot 4: an index; slot 8..: a string.
            let at = memory.as_mut_ptr() as u64;
            frame[..3].copy_from_slice(&[at, 8, 8]);
            frame[4] = numbers.next() & 15;
            frame[8..10].copy_from_slice(&[at, 5]);
            frame[12..14].copy_from_slice(&[at + 8, 5]);
            if op.name().ends_with("F32") || op == Op::F32ToF64 {
                // As slots hold them.
                frame[30..40].iter_mut().for_each(|w| *w &= 0xffff_ffff);
            }
            let by = op.words() as i64 + 2;
            let args = arguments(op, at as i64, by, &mut |kind| match kind {
                Kind::In | Kind::In2 | Kind::InN | Kind::XIn => 30 + (numbers.next() & 7) as i64,
                kind if kind.is_slot() => 40 + (numbers.next() & 7) as i64,
                _ => numbers.next() as i16 as i64,
            });
            // A jump lands one word further than what comes next.
            let mut text = Vec::new();
            encode(&mut text, op, &args).unwrap();
            encode(&mut text, Op::Zero, &[63]).unwrap();
            encode(&mut text, Op::Mov, &[62, 61]).unwrap();
            encode(&mut text, Op::Unreachable, &[]).unwrap();
            let before = (frame.clone(), memory.clone());
            let mut ends = Vec::new();
            let seed = numbers.next().wrapping_mul(0x9e37_79b9_7f4a_7c15);
            for how in [
                How::Threaded,
                How::Looped,
                How::Native(None),
                How::Native(Some(seed)),
            ] {
                frame.copy_from_slice(&before.0);
                memory.copy_from_slice(&before.1);
                let mut g = G::new();
                g.sched.pc = text.as_ptr() as usize;
                g.sched.fp = frame.as_mut_ptr() as usize;
                // SAFETY: Q1.
                let st = unsafe {
                    match how {
                        How::Threaded => exec::run_with(&raw mut g, false),
                        How::Looped => exec::run_with(&raw mut g, true),
                        How::Native(seed) => {
                            Status::from_u64(tier::run_alone(&text, seed, &raw mut g))
                        }
                    }
                };
                let pc = g.sched.pc - text.as_ptr() as usize;
                // Of two NaNs either may be what comes out.
                let words = |of: &[u64]| of.iter().map(|w| one_nan(*w)).collect::<Vec<_>>();
                ends.push((st, pc, g.vm, words(&frame), words(&memory)));
            }
            for (how, end) in ["the looped", "native", "native, kept"]
                .iter()
                .zip(&ends[1..])
            {
                assert_eq!(&ends[0], end, "{how}: {} {args:?}", op.name());
            }
            assert!(
                matches!(
                    ends[0].0,
                    Status::Unreachable
                        | Status::Bounds
                        | Status::Divide
                        | Status::Shift
                        | Status::Nil
                ),
                "{} {args:?}: {:?}",
                op.name(),
                ends[0].0
            );
            tried += 1;
        }
    }
    assert!(tried > 50 * 250);
}

/// The threaded dispatcher's calls are jumps:
/// a long run of every pure instruction needs no more stack than a short one.
#[test]
fn handlers_keep_no_stack() {
    let steps: i64 = 400_000;
    let run = move || {
        let mut memory = vec![0u64; 64];
        let at = memory.as_mut_ptr() as i64;
        let mut text = Vec::new();
        let mut n = 0;
        for &op in Op::ALL.iter().filter(|o| is_pure(**o)) {
            // Jumps go to the next instruction, whichever way they decide;
            // safepoints and what may stop are left out.
            let is_jump = op.operands().iter().any(|o| o.kind.is_rel());
            if is_jump && op.backward().is_none() || matches!(op, Op::SliceSetPtr | Op::CheckShift)
            {
                continue;
            }
            let mut indices = [5, 4].into_iter();
            let args = arguments(op, at, op.words() as i64, &mut |kind| match kind {
                Kind::In | Kind::XIn
                    if matches!(op, Op::SliceIndexTwice64 | Op::SliceIndexTwice8u) =>
                {
                    indices.next().unwrap()
                }
                Kind::In | Kind::In2 | Kind::InN | Kind::XIn => 8,
                kind if kind.is_slot() => 40,
                _ => 1,
            });
            encode(&mut text, op, &args).unwrap();
            n += 1;
        }
        let back = -(text.len() as i64);
        encode(&mut text, Op::IncLoopLtConst, &[60, back, steps]).unwrap();
        encode(&mut text, Op::Unreachable, &[]).unwrap();
        let mut frame = vec![0u64; 64];
        frame[..3].copy_from_slice(&[at as u64, 8, 8]);
        frame[8..11].copy_from_slice(&[at as u64, 1, 1]);
        // A slice of slices, of which the element that slot 5 names is one.
        frame[5] = 2;
        memory[6..9].copy_from_slice(&[at as u64, 8, 8]);
        let mut g = G::new();
        g.sched.pc = text.as_ptr() as usize;
        g.sched.fp = frame.as_mut_ptr() as usize;
        // SAFETY: Q1.
        let st = unsafe { exec::run_with(&raw mut g, false) };
        let stopped = (g.sched.pc - text.as_ptr() as usize) / 8;
        assert_eq!(
            st,
            Status::Unreachable,
            "at word {stopped}: {:?}",
            Op::from_u16(text[stopped] as u16)
        );
        assert_eq!(frame[60], steps as u64);
        n
    };
    let n = std::thread::Builder::new()
        .stack_size(64 << 10)
        .spawn(run)
        .unwrap()
        .join()
        .unwrap();
    assert!(n > 200, "{n}");
}

/// Runs the test `name` of this module again in a process of its own,
/// in which it becomes the program.
fn in_child(name: &str, program: impl FnOnce() -> Loaded) -> (i32, String) {
    if std::env::var_os("GOSCHED_VM_CHILD").is_some() {
        engine::start(program());
    }
    let out = Command::new(std::env::current_exe().unwrap())
        .args([
            "--exact",
            &format!("tests::{name}"),
            "--nocapture",
            "--test-threads=1",
        ])
        .env("GOSCHED_VM_CHILD", "1")
        .env("GOMAXPROCS", "2")
        .output()
        .unwrap();
    (
        out.status.code().unwrap_or(-1),
        String::from_utf8_lossy(&out.stderr).into_owned(),
    )
}

fn define(index: u32, name: &str, frame: u32, closure_slot: u16, instrs: &[(Op, &[i64])]) {
    func::publish(
        index,
        &code(instrs),
        FuncInfo {
            name: name.into(),
            closure_slot,
            frame,
            frame_max: frame + 8,
            ..FuncInfo::default()
        },
    );
}

fn program(init: u32, main: u32) -> Loaded {
    Loaded { init, main }
}

fn nothing() -> u32 {
    let init = func::reserve(1);
    define(init, "main.init", 1, 0, &[(Op::Ret, &[])]);
    init
}

/// fib(20) by recursion, from a stack of 2 KB, printed.
#[test]
fn recursion_and_growth() {
    let (status, err) = in_child("recursion_and_growth", || {
        let (fib, main) = (func::reserve(1), func::reserve(1));
        // func fib(n int) int: result 0, n 1, closure word 2; window at 8.
        define(
            fib,
            "main.fib",
            6,
            2,
            &[
                (Op::Enter, &[16, 0, 0]),
                (Op::JumpGeImm, &[1, 2, 2]),
                (Op::RetMov, &[1]),
                (Op::AddImm, &[9, 1, -1]),
                (Op::Call, &[8, fib.into()]),
                (Op::Mov, &[4, 8]),
                (Op::AddImm, &[9, 1, -2]),
                (Op::Call, &[8, fib.into()]),
                (Op::Add, &[0, 4, 8]),
                (Op::Ret, &[]),
            ],
        );
        define(
            main,
            "main.main",
            6,
            0,
            &[
                (Op::Enter, &[16, 0, 0]),
                (Op::LoadImm, &[9, 20]),
                (Op::Call, &[8, fib.into()]),
                (Op::Print, &[8, 1]),
                (Op::Print, &[0, 10]),
                (Op::PrintLock, &[0]),
                (Op::Ret, &[]),
            ],
        );
        program(nothing(), main)
    });
    assert_eq!((status, err.as_str()), (0, "6765\n"));
}

/// A goroutine sends 1000 numbers over an unbuffered channel, main adds them up.
#[test]
fn goroutine_and_channel() {
    let (status, err) = in_child("goroutine_and_channel", || {
        let (worker, main) = (func::reserve(1), func::reserve(1));
        let int = rtype::basic(TypeKind::Int);
        let chan = rtype::chan_of(int, 3);
        // The closure word is slot 0: {func, channel}.
        define(
            worker,
            "main.main.func1",
            4,
            0,
            &[
                (Op::Enter, &[12, 0, 0]),
                (Op::Load64, &[1, 0, 8]),
                (Op::LoadImm, &[2, 0]),
                (Op::Send, &[1, 2, 1]),
                (Op::SendDone, &[1, 2, 1]),
                (Op::IncLoopLtImm, &[2, 1000, -2]),
                (Op::Close, &[1]),
                (Op::Ret, &[]),
            ],
        );
        let sl = Pair::small(16, rtype::chan_of(int, 3).layout.into()).word();
        define(
            main,
            "main.main",
            10,
            0,
            &[
                (Op::Enter, &[20, 0, 0]),
                (Op::LoadImm, &[1, 0]),
                (Op::MakeChan, &[2, 1, chan.word() as i64]),
                (Op::MakeClosure, &[3, worker.into(), sl as i64]),
                (Op::StorePtr, &[3, 2, 8]),
                (Op::Go, &[3]),
                (Op::LoadImm, &[4, 0]),
                (Op::Recv, &[5, 2, 6, 1]),
                (Op::RecvDone, &[5, 2, 6, 1]),
                (Op::JumpUnless, &[6, 3]),
                (Op::Add, &[4, 4, 5]),
                (Op::Loop, &[-6]),
                (Op::Print, &[4, 1]),
                (Op::Print, &[0, 10]),
                (Op::PrintLock, &[0]),
                (Op::Ret, &[]),
            ],
        );
        program(nothing(), main)
    });
    assert_eq!((status, err.as_str()), (0, "499500\n"));
}
