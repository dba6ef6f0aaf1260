//! Functions of Go's runtime that we do not have, where a program sees them: in the frames that
//! `runtime.Callers` gives out.
//!
//! A deferred function that looks at its callers finds `runtime.gopanic` there, and between that
//! and the function that panicked whatever raised the panic (`runtime.sigpanic`,
//! `runtime.panicBounds`, …); logging libraries count on it. Here a panic is one pseudo frame; it
//! is *shown* as those frames. Others are shown as what has created a goroutine. Each has a pc of
//! its own, in a stub function that is made when first asked for.
//!
//! Names, files and lines are Go 1.27.3's on amd64.
//!
//! Go: runtime/panic.go, and the places that call it.

use super::error_text::RuntimeError;
use super::panic::{Raise, op_at};
use bytecode::encode;
use bytecode::func::{self, FuncInfo};
use bytecode::op::Op;
use bytecode::rtype::Kind;
use gosched_runtime::chan::ChanError;
use source::Pos;
use std::sync::OnceLock;

macro_rules! is_exported {
    () => {
        false
    };
    (exported) => {
        true
    };
}

macro_rules! synthetic {
    ($($id:ident $name:literal $file:literal $line:literal $($exported:ident)?;)*) => {
        /// A function of Go's runtime.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(super) enum Synthetic { $($id),* }

        /// Name, file below `runtime` or above it, line of the call, in the order of [`Synthetic`].
        const TABLE: &[(&str, &str, u32)] = &[$(($name, $file, $line)),*];

        impl Synthetic {
            /// Is it no internal function of the runtime,
            /// so that tracebacks show it at every level?
            pub(super) fn is_exported(self) -> bool {
                match self {
                    $(Synthetic::$id => is_exported!($($exported)?)),*
                }
            }
        }
    };
}
synthetic! {
    Callers "runtime.Callers" "extern.go" 341 exported;
    Main "runtime.main" "proc.go" 302;
    GoexitStub "runtime.goexit" "asm_amd64.s" 1264;
    Gopanic "runtime.gopanic" "panic.go" 859;
    Goexit "runtime.Goexit" "panic.go" 694 exported;
    Panicmem "runtime.panicmem" "panic.go" 336;
    Sigpanic "runtime.sigpanic" "signal_unix.go" 931;
    Panicdivide "runtime.panicdivide" "panic.go" 315;
    Panicshift "runtime.panicshift" "panic.go" 307;
    PanicBounds64 "runtime.panicBounds64" "panic.go" 236;
    PanicBounds "runtime.panicBounds" "asm_amd64.s" 1622;
    PanicdottypeE "runtime.panicdottypeE" "iface.go" 293;
    PanicdottypeI "runtime.panicdottypeI" "iface.go" 303;
    Panicnildottype "runtime.panicnildottype" "iface.go" 309;
    Getitab "runtime.getitab" "iface.go" 102;
    TypeAssert "runtime.typeAssert" "iface.go" 492;
    Mapassign "runtime.mapassign" "../internal/runtime/maps/runtime.go" 145;
    MapassignHash "runtime.mapassign" "../internal/runtime/maps/runtime.go" 163;
    Mapassign32 "runtime.mapassign_fast32" "../internal/runtime/maps/runtime_fast32.go" 189;
    Mapassign64 "runtime.mapassign_fast64" "../internal/runtime/maps/runtime_fast64.go" 184;
    MapassignStr "runtime.mapassign_faststr" "../internal/runtime/maps/runtime_faststr.go" 263;
    Mapaccess1 "runtime.mapaccess1" "../internal/runtime/maps/runtime.go" 58;
    Mapaccess2 "runtime.mapaccess2" "../internal/runtime/maps/runtime.go" 88;
    Mapdelete "runtime.mapdelete" "map.go" 149;
    MapDelete "internal/runtime/maps.(*Map).Delete" "../internal/runtime/maps/map.go" 680 exported;
    Nilinterhash "runtime.nilinterhash" "alg.go" 191;
    Efaceeq "runtime.efaceeq" "alg.go" 324;
    Ifaceeq "runtime.ifaceeq" "alg.go" 341;
    ClosechanNil "runtime.closechan" "chan.go" 416;
    Closechan "runtime.closechan" "chan.go" 425;
    Makechan "runtime.makechan" "chan.go" 88;
    Chansend "runtime.chansend" "chan.go" 226;
    Chansend1 "runtime.chansend1" "chan.go" 161;
    Selectnbsend "runtime.selectnbsend" "chan.go" 785;
    Selectgo "runtime.selectgo" "select.go" 542;
    Panicmakeslicelen "runtime.panicmakeslicelen" "slice.go" 30;
    Panicmakeslicecap "runtime.panicmakeslicecap" "slice.go" 34;
    MakesliceLen "runtime.makeslice" "slice.go" 112;
    MakesliceCap "runtime.makeslice" "slice.go" 114;
    GoFunc "time.goFunc" "../time/sleep.go" 182 exported;
    Gopark "runtime.gopark" "proc.go" 474;
    Chanrecv "runtime.chanrecv" "chan.go" 667;
    Chanrecv1 "runtime.chanrecv1" "chan.go" 509;
    ChansendPark "runtime.chansend" "chan.go" 283;
    SelectgoPark "runtime.selectgo" "select.go" 351;
    Block "runtime.block" "select.go" 104;
    Semacquire "runtime.semacquire1" "sema.go" 192;
    System "runtime._System" "proc.go" 5787;
    ExternalCode "runtime._ExternalCode" "proc.go" 5788;
    GcBgMarkWorker "runtime.gcBgMarkWorker" "mgc.go" 1886;
    LostProfileEvent "runtime/pprof.lostProfileEvent" "pprof/pprof.go" 1;
}

/// What stands between `runtime.gopanic` and the function whose instruction at `pc` raised `raise`,
/// the innermost first.
pub(super) fn raised_by(raise: &Raise, pc: usize) -> &'static [Synthetic] {
    use Synthetic::*;
    let op = op_at(pc);
    match raise {
        Raise::Error(e) => op.map_or(&[], |op| error_from(*e, op, pc)),
        Raise::Nil | Raise::NilAt(_) => &[Panicmem, Sigpanic],
        Raise::Bounds { .. } => &[PanicBounds64, PanicBounds],
        Raise::Assertion {
            concrete, asserted, ..
        } => {
            let to_interface = asserted.is_none_or(|t| t.kind == Kind::Interface);
            match op {
                _ if to_interface && concrete.is_none() => &[Panicnildottype],
                _ if to_interface => &[Getitab, TypeAssert],
                Some(Op::AssertTypeIface) => &[PanicdottypeI],
                _ => &[PanicdottypeE],
            }
        }
        Raise::Native(_) | Raise::Rust(_) | Raise::NilValue | Raise::Value(_) => &[],
    }
}

/// What has raised `error` for the instruction `op` at `pc`. Go has a function for each kind of map
/// and of comparison.
fn error_from(error: RuntimeError, op: Op, pc: usize) -> &'static [Synthetic] {
    use Synthetic::*;
    match error {
        RuntimeError::Divide => &[Panicdivide],
        RuntimeError::Shift => &[Panicshift],
        RuntimeError::NilMap => match op {
            Op::MapSet | Op::MapAddr => &[Mapassign],
            Op::MapSet32 | Op::MapAddr32 => &[Mapassign32],
            Op::MapSet64 | Op::MapAddr64 => &[Mapassign64],
            Op::MapSetStr | Op::MapAddrStr => &[MapassignStr],
            _ => &[],
        },
        RuntimeError::Unhashable(_) | RuntimeError::UnhashableInEmpty(_) => match op {
            Op::MapSet | Op::MapAddr => &[Nilinterhash, MapassignHash],
            Op::MapGet => &[Nilinterhash, Mapaccess2, Mapaccess1],
            Op::MapGetOk | Op::MapFind => &[Nilinterhash, Mapaccess2],
            Op::MapDelete => &[Nilinterhash, MapDelete, Mapdelete],
            _ => &[],
        },
        RuntimeError::Uncomparable(_) => match op {
            Op::EqEface => &[Efaceeq],
            Op::EqIface => &[Ifaceeq],
            _ => &[],
        },
        RuntimeError::Chan(ChanError::SizeOutOfRange) => &[Makechan],
        RuntimeError::Chan(ChanError::CloseOfNil) => &[ClosechanNil],
        RuntimeError::Chan(ChanError::CloseOfClosed) => &[Closechan],
        // They end the program, and are no panics.
        RuntimeError::Chan(
            ChanError::SendOutside
            | ChanError::ReceiveOutside
            | ChanError::CloseOutside
            | ChanError::SelectOutside,
        ) => &[],
        RuntimeError::Chan(ChanError::SendOnClosed) => match op {
            // Go's compiler makes a call of its own of one case and a default; if it panics, it is
            // the one that sends.
            Op::Select if is_one_or_default(pc) => &[Chansend, Selectnbsend],
            Op::Select | Op::SelectDone => &[Selectgo],
            _ => &[Chansend, Chansend1],
        },
        RuntimeError::MakeSliceLen => &[Panicmakeslicelen, MakesliceLen],
        RuntimeError::MakeSliceCap => &[Panicmakeslicecap, MakesliceCap],
        RuntimeError::GrowSlice
        | RuntimeError::UnsafeSliceNil
        | RuntimeError::UnsafeSliceLen
        | RuntimeError::UnsafeStringNil
        | RuntimeError::UnsafeStringLen
        | RuntimeError::NilReceiver(_) => &[],
    }
}

/// Has the select at `pc` one case, and a default?
fn is_one_or_default(pc: usize) -> bool {
    let select = func::find(pc).and_then(|f| encode::decode(f.code(), (pc - f.start) / 8));
    select.is_some_and(|i| i.args[2..4] == [1, 1])
}

/// The stub functions, in the order of [`Synthetic`]:
/// index, and address of the instruction that stands for the call.
static STUBS: OnceLock<Vec<(u32, usize)>> = OnceLock::new();

/// The address that stands for the call made by `s`.
pub(super) fn at(s: Synthetic) -> usize {
    let stubs = STUBS.get_or_init(|| {
        let make = |(name, ..): &(&str, &str, u32)| {
            let at = func::make_stub(name, Pos::NONE, Op::Unreachable);
            (func::find(at).map_or(u32::MAX, |f| f.index), at)
        };
        TABLE.iter().map(make).collect()
    });
    stubs[s as usize].1
}

/// File and line of a function made here.
pub fn position(f: &FuncInfo) -> Option<(String, u32)> {
    let k = STUBS.get()?.iter().position(|s| s.0 == f.index)?;
    let (_, file, line) = TABLE[k];
    Some((path(file), line))
}

/// Name, file and line of `s`.
pub(super) fn describe(s: Synthetic) -> (&'static str, String, u32) {
    let (name, file, line) = TABLE[s as usize];
    (name, path(file), line)
}

/// Where Go has a file that the table names.
fn path(file: &str) -> String {
    match file.strip_prefix("../") {
        Some(rest) => format!("$GOROOT/src/{rest}"),
        None => format!("$GOROOT/src/runtime/{file}"),
    }
}
