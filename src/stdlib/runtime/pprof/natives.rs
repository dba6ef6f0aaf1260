//! Package `runtime/pprof`.
//!
//! Go: runtime/pprof.

use std::sync::Mutex;

use gosched_runtime::prof::{self, cpu, heap, wait};
use vm::native::{Cx, GoStr, NativeResult, Ptr, Res, Slice, native};
use vm::profile::lost;

use crate::runtime::natives::profiles::{goroutines, set_cpu_rate};

mod labels;
mod leaked;
mod profile;
mod proto;
mod text;

use profile::{Kind, Profile};

/// The rate of the profile of time, and when it began.
static BEGAN: Mutex<(i64, u64)> = Mutex::new((0, 0));

/// A profile as a protocol buffer, or what `text` makes of it.
fn written(p: &Profile, debug: i64, text: impl FnOnce() -> String) -> Vec<u8> {
    match debug {
        ..=0 => proto::encode(p),
        _ => text().into_bytes(),
    }
}

fn goroutines_in_turn(cx: &mut Cx, debug: i64) -> Slice<u8> {
    let all = goroutines(cx);
    let data = of_goroutines("goroutine", all, debug);
    cx.bytes(&data)
}

fn of_goroutines(name: &str, all: Vec<prof::Goroutine>, debug: i64) -> Vec<u8> {
    let p = Profile::of_goroutines(name, all);
    written(&p, debug, || text::counts(name, &p))
}

/// Threads have no stacks to tell of.
fn of_threads(debug: i64) -> Vec<u8> {
    /// Words of the stack that Go's runtime keeps of the making of a thread, and leaves empty.
    const STACK: usize = 32;
    let all = (0..prof::threads()).map(|_| (vec![0; STACK], Vec::new()));
    let p = Profile::of_counts("threadcreate", all);
    written(&p, debug, || text::counts("threadcreate", &p))
}

fn of_waits(kind: Kind, debug: i64) -> Vec<u8> {
    let all = profile::waits(kind);
    let p = Profile::of_waits(all.clone());
    written(&p, debug, || text::waits(kind, all))
}

/// The profile of time that has been made.
fn of_time() -> Vec<u8> {
    let (hz, began) = *BEGAN.lock().unwrap_or_else(|e| e.into_inner());
    let p = Profile::of_time(cpu::samples(), hz, began);
    labels::forget();
    proto::encode(&p)
}

fn begin_time(hz: i64) {
    *BEGAN.lock().unwrap_or_else(|e| e.into_inner()) = (hz, profile::began());
    set_cpu_rate(hz);
}

fn keep_labels_in_turn(cx: &mut Cx) -> NativeResult {
    labels::keep_all(&goroutines(cx));
    NativeResult::Ok
}

/// The profiles that gosched itself can write to files.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wanted {
    Time,
    Blocked,
    Contended,
    Memory,
}

/// Begins such a profile, before the program starts.
pub fn begin(wanted: Wanted) {
    /// Samples of time a second, as Go takes them.
    const HZ: i64 = 100;
    match wanted {
        Wanted::Time => begin_time(HZ),
        Wanted::Blocked => wait::set_block_rate(1),
        Wanted::Contended => {
            wait::set_mutex_fraction(1);
        }
        Wanted::Memory => heap::switch_on(),
    }
}

/// The file of such a profile when the program ends.
pub fn end(wanted: Wanted) -> Vec<u8> {
    let data = match wanted {
        Wanted::Time => {
            set_cpu_rate(0);
            of_time()
        }
        Wanted::Blocked => of_waits(Kind::Blocked, 0),
        Wanted::Contended => of_waits(Kind::Contended, 0),
        Wanted::Memory => {
            let (all, rate) = profile::memory();
            proto::encode(&Profile::of_memory(Kind::Allocs, rate, &all))
        }
    };
    gzipped(&data)
}

/// The bytes as gzip has them, in blocks that are not compressed. Go: compress/gzip.
fn gzipped(data: &[u8]) -> Vec<u8> {
    const HEAD: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff];
    const BLOCK: usize = 0xffff;
    let mut out = HEAD.to_vec();
    let mut blocks = data.chunks(BLOCK).peekable();
    while let Some(block) = blocks.next() {
        let n = block.len() as u16;
        out.push(u8::from(blocks.peek().is_none()));
        out.extend(n.to_le_bytes());
        out.extend((!n).to_le_bytes());
        out.extend(block);
    }
    out.extend(crc32fast::hash(data).to_le_bytes());
    out.extend((data.len() as u32).to_le_bytes());
    out
}

natives! {
    "count" => |cx, kind: i64| {
        match Kind::of(kind) {
            Some(Kind::Threads) => prof::threads() as i64,
            Some(Kind::Heap | Kind::Allocs) => profile::memory().0.len() as i64,
            Some(kind @ (Kind::Blocked | Kind::Contended)) => profile::waits(kind).len() as i64,
            Some(Kind::Leaked) => leaked::count(),
            _ => 0,
        }
    }
    "snapshot" => |cx, kind: i64, debug: i64| {
        let data = match Kind::of(kind) {
            Some(Kind::Leaked) => of_goroutines("goroutineleak", leaked::take(cx), debug),
            Some(Kind::Threads) => of_threads(debug),
            Some(kind) => of_waits(kind, debug),
            None => Vec::new(),
        };
        cx.bytes(&data)
    }
    "goroutineProfile" => |cx, debug: i64| {
        cx.take_world(native(|cx: &mut Cx, debug: i64| goroutines_in_turn(cx, debug)).func)?;
        Res::Ok(goroutines_in_turn(cx, debug))
    }
    "findLeaked" => |cx| { leaked::find(cx) }
    "numbersOfLeaked" => |cx| {
        let numbers: Vec<u64> = leaked::take(cx).iter().map(|g| g.goid.0).collect();
        cx.slice(&numbers)
    }
    "memory" => short untouched(stats) |
        cx,
        kind: i64,
        rate: i64,
        stats: Slice<u64>,
        fraction: f64,
        debug: i64,
    | {
        let (all, _) = profile::memory();
        let kind = Kind::of(kind).unwrap_or(Kind::Heap);
        let p = Profile::of_memory(kind, rate, &all);
        let data = written(&p, debug, || text::memory(all, rate, stats.as_slice(), fraction));
        cx.bytes(&data)
    }
    "stacksOf" => short untouched(words) |cx, name: GoStr, words: Slice<u64>, debug: i64| {
        let name = name.to_text();
        let mut rest = words.as_slice();
        let mut all = Vec::new();
        while let Some((n, more)) = rest.split_first() {
            let (stack, behind) = more.split_at((*n as usize).min(more.len()));
            all.push((stack.iter().map(|pc| *pc as usize).collect(), Vec::new()));
            rest = behind;
        }
        let p = Profile::of_counts(&name, all.into_iter());
        let data = written(&p, debug, || text::counts(&name, &p));
        cx.bytes(&data)
    }
    "lost" => |cx| { lost() as u64 }
    "startCPU" => |cx, hz: i64| {
        begin_time(hz);
        cx.take_world(keep_labels_in_turn)?;
        keep_labels_in_turn(cx);
        Res::Ok(())
    }
    "cpuProfile" => |cx| {
        let data = of_time();
        cx.bytes(&data)
    }
    "labelText" => untouched |cx, labels: Ptr| {
        let text = labels::text(&labels::of_map(labels.addr()));
        cx.string(text)
    }
    "setLabels" => untouched |cx, labels: Ptr| { labels::set(cx, labels.addr()) }
}
