//! Package `runtime`.
//!
//! Go: runtime.

use gosched_runtime::gc;
use gosched_runtime::prof::wait;
use gosched_runtime::{YieldKind, control, cpus, knobs, proc, sched, stw};

use std::borrow::Cow;

use crate::syscall::natives::environ;
use bytecode::func;
use bytecode::rtype::Kind;
use vm::error_text;
use vm::native::{
    Cx, FuncVal, GoStr, NativeResult, Ptr, PtrTo, Res, Slice, Stop, TypeCell, finish, native,
};
use vm::synthetic;
use vm::value::Iface;

pub mod finalizer;
pub mod profiles;

// A goroutine that waits for a collection, or for its turn to stop the world, leaves its natives
// first. The functions that follow are what it goes on with.

/// As Go's GC does while it sweeps: what the collection has made ready gets its turn,
/// finalizers above all.
fn let_others_run(_: &mut Cx) -> NativeResult {
    NativeResult::Yield(YieldKind::Gosched)
}

fn set_procs_in_turn(cx: &mut Cx) -> NativeResult {
    let n = cx.state(0) as i32;
    stw::set_gomaxprocs_in_turn(cx.m(), n);
    NativeResult::Ok
}

fn follow_machine_in_turn(cx: &mut Cx) -> NativeResult {
    stw::follow_machine_in_turn(cx.m());
    NativeResult::Ok
}

/// Sets GOMAXPROCS; the result, if any, is in the window already.
fn set_procs(cx: &mut Cx, n: i32) -> Res<()> {
    cx.set_state(0, n as usize);
    cx.take_world(set_procs_in_turn)?;
    set_procs_in_turn(cx);
    Ok(())
}

/// Copies what there is room for of the text of all goroutines into `buf`.
fn all_stacks_in_turn(cx: &mut Cx, buf: Slice<u8>) -> i64 {
    let text = cx.all_stacks_in_turn(buf.len());
    copy_text(cx, buf, &text)
}

fn copy_text(cx: &mut Cx, mut buf: Slice<u8>, text: &str) -> i64 {
    let n = text.len().min(buf.len());
    buf.as_mut_slice()[..n].copy_from_slice(&text.as_bytes()[..n]);
    cx.touches(buf.as_ptr(), n, true);
    n as i64
}

fn mem_stats_in_turn(cx: &mut Cx) -> (Slice<u64>, Slice<u64>, f64) {
    let s = gc::read_mem_stats_in_turn(cx.m());
    let mut w = vec![
        s.alloc,
        s.total_alloc,
        s.sys,
        s.lookups,
        s.mallocs,
        s.frees,
        s.heap_alloc,
        s.heap_sys,
        s.heap_idle,
        s.heap_inuse,
        s.heap_released,
        s.heap_objects,
        s.stack_inuse,
        s.stack_sys,
        s.mspan_inuse,
        s.mspan_sys,
        s.mcache_inuse,
        s.mcache_sys,
        s.buck_hash_sys,
        s.gc_sys,
        s.other_sys,
        s.next_gc,
        s.last_gc,
        s.pause_total_ns,
    ];
    // The first 24 words stand in the same order in Go's struct.
    w.extend_from_slice(&s.pause_ns);
    w.extend_from_slice(&s.pause_end);
    w.extend([u64::from(s.num_gc), u64::from(s.num_forced_gc)]);
    let sizes: Vec<u64> = s
        .by_size
        .iter()
        .flat_map(|b| [u64::from(b.size), b.mallocs, b.frees])
        .collect();
    (cx.slice(&w), cx.slice(&sizes), s.gc_cpu_fraction)
}

/// What is known of an address inside an instruction.
pub(crate) struct Described {
    pub(crate) name: Cow<'static, str>,
    pub(crate) file: String,
    pub(crate) line: u32,
    /// The line that the function is declared on; 0 for a call compiled in place, and where none is
    /// known.
    pub(crate) first_line: u32,
    /// Where the function begins.
    pub(crate) entry: usize,
}

/// The function that `pc` lies in.
pub(crate) fn describe(pc: usize) -> Option<Described> {
    let f = func::find(pc)?;
    if let Some((file, line)) = synthetic::position(f) {
        return Some(Described {
            name: Cow::Borrowed(&f.name),
            file,
            line,
            first_line: line,
            entry: f.start,
        });
    }
    let (pos, map) = (f.pos_at(pc), source::map());
    // Of a native all that is known is where it is declared.
    let at = map.runtime_position(if pos.is_known() { pos } else { f.pos });
    let part = f.logical(pc).next();
    let is_own = part.is_none_or(|l| !l.is_inlined);
    let first_line = match is_own && f.pos.is_known() {
        true => map.runtime_position(f.pos).line,
        false => 0,
    };
    Some(Described {
        name: Cow::Borrowed(part.map_or(&*f.name, |l| l.name)),
        file: at.file,
        line: at.line,
        first_line,
        entry: f.start,
    })
}

natives! {
    "Gosched" => |cx| { cx.yield_now::<()>(YieldKind::Gosched, None) }
    "Goexit" => |cx| { Err::<(), _>(Stop::Goexit) }
    "GC" => |cx| {
        cx.collect::<()>(let_others_run)
    }
    "NumGoroutine" => point(Process) |cx| { sched::num_goroutine() }
    "NumCPU" => |cx| {
        i64::from(match control::has_one_p() {
            true => control::told_procs(),
            false => cpus::at_start(),
        })
    }
    "GOMAXPROCS" => point(Process) |cx, n: i64| {
        if control::has_one_p() {
            return Res::Ok(i64::from(control::tell_procs(n)));
        }
        let old = i64::from(sched::gomaxprocs());
        // The result, whether the world is stopped for a change or not.
        finish(old, cx);
        if n > 0 && n == old {
            knobs::set_custom_procs(true);
        } else if n > 0 {
            // Go keeps the low half, and dies of one that is none.
            let n = n as i32;
            if n <= 0 {
                gosched_runtime::throw!("procresize: invalid arg");
            }
            set_procs(cx, n)?;
        }
        Res::Ok(old)
    }
    "SetDefaultGOMAXPROCS" => |cx| {
        if !control::has_one_p() && !stw::follows_machine() {
            cx.take_world(follow_machine_in_turn)?;
            follow_machine_in_turn(cx);
        }
        Ok(())
    }
    "LockOSThread" => |cx| {
        match proc::lock_os_thread(cx.m()) {
            Ok(()) => Res::Ok(()),
            Err(text) => cx.panic(text),
        }
    }
    "UnlockOSThread" => |cx| { proc::unlock_os_thread(cx.m()) }
    "Stack" => short omits_itself point(Process) follows(buf) |cx, buf: Slice<u8>, all: bool| {
        if !all {
            let text = cx.stack_text();
            return Res::Ok(copy_text(cx, buf, &text));
        }
        cx.take_world(native(|cx: &mut Cx, buf: Slice<u8>| all_stacks_in_turn(cx, buf)).func)?;
        Res::Ok(all_stacks_in_turn(cx, buf))
    }
    "Callers" => short follows(pc) |cx, skip: i64, pc: Slice<u64>| {
        let mut pc = pc;
        let found = cx.callers(skip.max(0) as usize, pc.len());
        pc.as_mut_slice()[..found.len()].copy_from_slice(&found);
        cx.touches(pc.as_ptr(), 8 * found.len(), true);
        found.len() as i64
    }
    "funcInfo" => |cx, pc: u64| {
        match describe(pc as usize) {
            Some(at) => {
                let (name, file) = (cx.string(at.name.as_bytes()), cx.string(&at.file));
                (name, file, i64::from(at.line), at.entry as u64)
            }
            None => (GoStr::EMPTY, GoStr::EMPTY, 0i64, 0u64),
        }
    }
    "watchMemProfileRate" => untouched |cx, rate: Ptr| { profiles::watch_rate(rate) }
    "goroutineRecords" => point(Process) |cx| {
        cx.take_world(|cx| finish(profiles::goroutines_in_turn(cx), cx))?;
        Res::Ok(profiles::goroutines_in_turn(cx))
    }
    "threads" => |cx| { gosched_runtime::prof::threads() as i64 }
    "profileRecords" => |cx, kind: i64| {
        let words = profiles::records(kind);
        cx.slice(&words)
    }
    "SetBlockProfileRate" => |cx, rate: i64| { wait::set_block_rate(rate) }
    "SetMutexProfileFraction" => |cx, rate: i64| { wait::set_mutex_fraction(rate) }
    "SetCPUProfileRate" => |cx, hz: i64| { profiles::set_cpu_rate(hz) }
    "readMemStats" => |cx| {
        control::reads_the_world();
        cx.take_world(|cx| finish(mem_stats_in_turn(cx), cx))?;
        Res::Ok(mem_stats_in_turn(cx))
    }
    "errorString.Error" => short |cx, e: GoStr| {
        cx.string([error_text::PREFIX.as_bytes(), e.as_bytes()].concat())
    }
    "plainError.Error" => short |cx, e: GoStr| { e }
    "(*PanicNilError).Error" => untouched |cx, e: Ptr| {
        GoStr::from_static(error_text::NIL_PANIC)
    }
    "boundsError.Error" => |cx, x: i64, y: i64, signed_and_code: u64| {
        let [signed, code, ..] = signed_and_code.to_le_bytes();
        cx.string(error_text::bounds(x, signed != 0, y, code))
    }
    "(*TypeAssertionError).Error" => untouched |cx, e: PtrTo<[TypeCell; 3]>| {
        let types = e.get()?;
        Res::Ok(cx.string(error_text::assertion([0, 1, 2].map(|i| types[i].get()))))
    }
    "getenv" => short asks |cx, name: GoStr| {
        environ::at_start(&name).map_or(GoStr::EMPTY, |v| cx.string(v))
    }
    "notPinned" => short untouched |cx, pointer: Iface| {
        match pointer.rtype() {
            None => cx.string("nil"),
            Some(t) if matches!(t.kind, Kind::Pointer | Kind::UnsafePointer) => GoStr::EMPTY,
            Some(t) => cx.string(format!("not a pointer: {}", t.string)),
        }
    }
    "setFinalizer" => short untouched |cx, obj: Iface, f: Iface, runner: FuncVal| {
        finalizer::set(obj, f, runner)
    }
    "runNextFinalizer" => |cx| { finalizer::run_next(cx) }
    "finalizersMayEnd" => |cx| { finalizer::may_end() }
    "addCleanup" => short untouched |
        cx,
        ptr: u64,
        arg: Iface,
        cleanup: Iface,
        f: FuncVal,
        runner: FuncVal,
    | {
        match finalizer::add_cleanup(ptr as usize, arg, cleanup, f, runner) {
            Ok(id) => Res::Ok(id),
            Err(text) => cx.panic(text),
        }
    }
    "stopCleanup" => |cx, ptr: u64, id: u64| {
        finalizer::stop_cleanup(ptr as usize, id)
    }
    "Breakpoint" => |cx| {}
}
