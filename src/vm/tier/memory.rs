#![allow(unsafe_code)]
//! Where native code lies, and which code belongs to which instruction.
//!
//! Code is written through one mapping and run through another, so that no page is ever both. It
//! lies below 2 GB: an entry is a number of 32 bits. *Entries* are an array beside the arena of
//! bytecode, a number for each of its words: below [`FIRST`] how often the instruction there has
//! been come to, else the address of its native code. They lie so that the address of the entry of
//! `pc` is `pc / 2` and a constant of 32 bits.
//!
//! A piece of code is that of a function. Pieces are given back all at once, with the world stopped
//! ([`forget`]).
//!
//! # Invariants
//!
//! - C1. What an entry names is whole code in the mapping that is run: it is written before the
//!   entry, which is stored with Release.
//! - C2. A piece that is listed in [`PIECES`] lives, unchanged, until the list is emptied and no
//!   [`READERS`] are left.
//!
//! Go: none; compare runtime/mem_linux.go.

use super::compile::Made;
use bytecode::arena::{CODE, FUNCS};
use std::sync::atomic::{AtomicI32, AtomicPtr, AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock};

/// Bytes reserved for code.
pub(super) const BYTES: usize = 64 << 20;
/// Where it is wanted: below 2 GB, each tried in turn.
const PLACES: [usize; 4] = [0x4000_0000, 0x5000_0000, 0x6000_0000, 0x2000_0000];
/// How far the entries are wanted from half of the bytecode's address, each tried in turn.
const DISTANCES: [i32; 4] = [0x1000_0000, 0x2000_0000, 0x3000_0000, 0x4000_0000];
/// Where the addresses of functions are wanted: below 2 GB, each tried in turn.
const CALL_PLACES: [usize; 3] = [0x4800_0000, 0x5800_0000, 0x6800_0000];
/// Entries from here on are addresses.
pub(super) const FIRST: u32 = 1 << 16;
/// Pieces begin at such addresses.
const ALIGN: usize = 32;
/// The kernel's pages.
const PAGE: usize = 4096;
/// How many pieces there can be.
const MOST_PIECES: usize = 1 << 16;

/// The mappings, once they are there.
#[derive(Debug)]
struct Maps {
    /// Where it is written.
    written: usize,
    /// Where it is run.
    run: usize,
    /// Bytes given out.
    len: Mutex<usize>,
    /// The kernel can have all threads see code that is new where other code was.
    can_sync: bool,
    /// For each function the address of the native code that calls it.
    calls: usize,
}

/// What is known of the code of a function.
#[derive(Debug)]
pub(super) struct Piece {
    /// Where the code lies.
    pub(super) start: usize,
    pub(super) end: usize,
    /// Address of the function's bytecode.
    pub(super) pc: usize,
    /// Where the code of instructions begins: distance from `start`, and in words from `pc`; in
    /// order of the first.
    pub(super) places: Box<[(u32, u32)]>,
    /// Instructions of the machine that may fault: distance from `start`, and the distance of what
    /// goes on then; in order of the first.
    pub(super) faults: Box<[(u32, u32)]>,
}

static MAPS: OnceLock<Option<Maps>> = OnceLock::new();
/// The entry of `pc` is at `pc / 2` plus this. 0: there is no native code.
static ENTRIES: AtomicI32 = AtomicI32::new(0);
/// The pieces, in order of their addresses.
static PIECES: [AtomicPtr<Piece>; MOST_PIECES] =
    [const { AtomicPtr::new(std::ptr::null_mut()) }; MOST_PIECES];
static PIECES_LEN: AtomicUsize = AtomicUsize::new(0);
/// Threads that look at the list, in signal handlers for the most part.
static READERS: AtomicUsize = AtomicUsize::new(0);

/// A mapping, or nothing.
fn map(place: usize, bytes: usize, prot: i32, flags: i32, fd: i32) -> Option<usize> {
    // SAFETY: a fresh mapping touches nothing that exists.
    let p = unsafe {
        let place = std::ptr::with_exposed_provenance_mut(place);
        libc::mmap(place, bytes, prot, flags, fd, 0)
    };
    (p != libc::MAP_FAILED).then_some(p as usize)
}

/// Is address space limited (`ulimit -v`)? Then the heap needs it more.
fn is_space_limited() -> bool {
    let mut limit = libc::rlimit {
        rlim_cur: libc::RLIM_INFINITY,
        rlim_max: libc::RLIM_INFINITY,
    };
    // SAFETY: the kernel writes to `limit`, which lives over the call.
    unsafe { libc::getrlimit(libc::RLIMIT_AS, &raw mut limit) };
    limit.rlim_cur != libc::RLIM_INFINITY
}

/// Maps the memory; false where the system does not give it.
pub(super) fn begin() -> bool {
    MAPS.get_or_init(|| {
        if is_space_limited() {
            return None;
        }
        let both = libc::PROT_READ | libc::PROT_WRITE;
        let there = libc::MAP_FIXED_NOREPLACE;
        // SAFETY: the name is a string; the descriptor is ours.
        let fd = unsafe { libc::memfd_create(c"gosched-code".as_ptr(), libc::MFD_CLOEXEC) };
        if fd < 0 {
            return None;
        }
        // SAFETY: as above.
        let is_sized = unsafe { libc::ftruncate(fd, BYTES as libc::off_t) } == 0;
        let mapped = is_sized.then(|| {
            let shared = libc::MAP_SHARED;
            let exec = libc::PROT_READ | libc::PROT_EXEC;
            let run = PLACES
                .iter()
                .find_map(|p| map(*p, BYTES, exec, shared | there, fd))?;
            Some((map(0, BYTES, both, shared, fd)?, run))
        });
        // SAFETY: mappings keep the file.
        unsafe { libc::close(fd) };
        let (written, run) = mapped.flatten()?;
        let (base, bytes) = CODE.whole();
        let none = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        let distance = DISTANCES
            .iter()
            .find(|d| map(base / 2 + **d as usize, bytes / 2, both, none | there, -1).is_some())?;
        ENTRIES.store(*distance, Ordering::Relaxed);
        let calls = CALL_PLACES
            .iter()
            .find_map(|p| map(*p, FUNCS.whole().1 / 2, both, none | there, -1))?;
        Some(Maps {
            written,
            run,
            len: Mutex::new(0),
            can_sync: barrier(libc::MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_SYNC_CORE),
            calls,
        })
    })
    .is_some()
}

/// Asks the kernel for a barrier between the process's threads.
fn barrier(command: libc::c_int) -> bool {
    // SAFETY: the call has no memory of ours.
    unsafe { libc::syscall(libc::SYS_membarrier, command, 0, 0) == 0 }
}

/// Bytes of code that there are.
pub(super) fn used() -> usize {
    let maps = MAPS.get().and_then(Option::as_ref);
    maps.map_or(0, |m| *m.len.lock().unwrap_or_else(|e| e.into_inner()))
}

/// Can code be given back? Where the kernel has no barrier for it, it stays.
pub(super) fn can_forget() -> bool {
    let maps = MAPS.get().and_then(Option::as_ref);
    maps.is_some_and(|m| m.can_sync)
}

/// Gives back all pieces and the memory of code from `keep` bytes on: no entry names any, and room
/// is as it was when there were so many bytes.
///
/// # Safety
///
/// The world is stopped, no frame returns to the code that is given back, and [`can_forget`].
pub(super) unsafe fn forget(keep: usize) {
    let Some(maps) = MAPS.get().and_then(Option::as_ref) else {
        return;
    };
    let n = PIECES_LEN.swap(0, Ordering::SeqCst);
    while READERS.load(Ordering::SeqCst) != 0 {
        std::hint::spin_loop();
    }
    for piece in &PIECES[..n] {
        let piece = piece.swap(std::ptr::null_mut(), Ordering::Relaxed);
        // SAFETY: C2; each was boxed by `list`.
        let piece = unsafe { Box::from_raw(piece) };
        for (_, word) in &piece.places {
            // SAFETY: it is an instruction's.
            unsafe { entry((piece.pc + 8 * *word as usize) as *const u64) }
                .store(0, Ordering::Release);
        }
    }
    let mut len = maps.len.lock().unwrap_or_else(|e| e.into_inner());
    *len = keep.next_multiple_of(ALIGN);
    let from = len.next_multiple_of(PAGE);
    // SAFETY: the pages are of the mapping, and hold no code any more. If they stay, they are
    // written over.
    unsafe {
        let at = (maps.written + from) as *mut libc::c_void;
        libc::madvise(at, BYTES - from, libc::MADV_REMOVE);
    }
    barrier(libc::MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE);
}

/// What is added to half of a pc to get at its entry.
pub(super) fn entries() -> i32 {
    ENTRIES.load(Ordering::Relaxed)
}

/// The entry of the instruction at `pc`.
///
/// # Safety
///
/// `pc` lies in the arena of bytecode, and the memory is there.
#[inline(always)]
pub(super) unsafe fn entry(pc: *const u64) -> &'static AtomicU32 {
    let at = pc as usize / 2 + ENTRIES.load(Ordering::Relaxed) as usize;
    // SAFETY: the array is as long as the arena.
    unsafe { &*(at as *const AtomicU32) }
}

/// Where the addresses of functions are: that of function `i` at `8 * i` bytes behind it.
pub(super) fn calls() -> i32 {
    let maps = MAPS.get().and_then(Option::as_ref);
    maps.map_or(0, |m| m.calls as i32)
}

/// Has native code call function `index` at address `at`.
pub(super) fn set_call(index: u32, at: usize) {
    // SAFETY: there is room for each function; C1.
    let call = unsafe { &*((calls() as usize + 8 * index as usize) as *const AtomicU64) };
    call.store(at as u64, Ordering::Release);
}

/// Puts code where it can be run; its address, and that of its end. `None`: there is no room.
pub(super) fn put(made: &mut Made) -> Option<(usize, usize)> {
    let maps = MAPS.get()?.as_ref()?;
    let mut len = maps.len.lock().unwrap_or_else(|e| e.into_inner());
    let at = *len;
    let end = at
        .checked_add(made.code.len())
        .filter(|end| *end <= BYTES)?;
    *len = end.next_multiple_of(ALIGN).min(BYTES);
    made.settle(maps.run + at);
    // SAFETY: the piece is ours, and nobody runs it yet.
    unsafe {
        let to = (maps.written + at) as *mut u8;
        std::ptr::copy_nonoverlapping(made.code.as_ptr(), to, made.code.len());
    }
    Some((maps.run + at, maps.run + end))
}

/// Lists a piece; the caller holds a lock over `put` and this. False: there are too many.
pub(super) fn list(piece: Piece) -> bool {
    let n = PIECES_LEN.load(Ordering::Relaxed);
    if n == MOST_PIECES {
        return false;
    }
    PIECES[n].store(Box::into_raw(Box::new(piece)), Ordering::Release);
    PIECES_LEN.store(n + 1, Ordering::Release);
    true
}

/// What `f` says of the piece in which the address lies, if it is one of native code.
///
/// Context: any, a signal handler too.
pub(super) fn piece<R>(at: usize, f: impl FnOnce(&Piece) -> R) -> Option<R> {
    READERS.fetch_add(1, Ordering::SeqCst);
    let found = find(at).map(f);
    READERS.fetch_sub(1, Ordering::SeqCst);
    found
}

/// Context: one of the [`READERS`].
fn find(at: usize) -> Option<&'static Piece> {
    let (mut lo, mut hi) = (0, PIECES_LEN.load(Ordering::SeqCst));
    while lo < hi {
        let mid = lo.midpoint(hi);
        // SAFETY: C2.
        let piece = unsafe { &*PIECES[mid].load(Ordering::Acquire) };
        match at {
            _ if at < piece.start => hi = mid,
            _ if at >= piece.end => lo = mid + 1,
            _ => return Some(piece),
        }
    }
    None
}

impl Piece {
    /// The pc of the instruction whose code is at address `at` of the piece.
    pub(super) fn pc_at(&self, at: usize) -> usize {
        let off = (at - self.start) as u32;
        let i = self.places.partition_point(|p| p.0 <= off);
        self.pc + 8 * i.checked_sub(1).map_or(0, |i| self.places[i].1 as usize)
    }

    /// Where a fault of the machine's instruction at `at` goes on.
    pub(super) fn after_fault(&self, at: usize) -> Option<usize> {
        let off = (at - self.start) as u32;
        let i = self.faults.binary_search_by_key(&off, |f| f.0).ok()?;
        Some(self.start + self.faults[i].1 as usize)
    }
}
