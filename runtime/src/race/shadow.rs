//! Shadow memory: the last accesses to each eight bytes.
//!
//! # Invariants
//!
//! - M1. The shadow of a region is mapped as long as the process lives, and has a [`Cell`] for each
//!   eight bytes of it.

use super::Access;
use super::clocks::Threads;
use crate::heap::{arena_range, map_memory};
use crate::sync::plain::{AtomicUsize, Ordering};

/// An access in one word: time, thread, which of the eight bytes, atomic or not. 0 is none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Epoch(u64);

impl Epoch {
    const NONE: Epoch = Epoch(0);
    /// In `write` of a cell: the rest of it is in the list numbered `read`.
    const LIST: Epoch = Epoch(1 << 63);

    fn new(time: u32, thread: usize, mask: u8, is_atomic: bool) -> Epoch {
        Epoch(
            u64::from(time)
                | (thread as u64 & 0x3f_ffff) << 32
                | u64::from(mask) << 54
                | u64::from(is_atomic) << 62,
        )
    }

    fn time(self) -> u32 {
        self.0 as u32
    }

    fn thread(self) -> usize {
        (self.0 >> 32) as usize & 0x3f_ffff
    }

    fn mask(self) -> u8 {
        (self.0 >> 54) as u8
    }

    fn is_atomic(self) -> bool {
        self.0 >> 62 & 1 == 1
    }

    fn is_none(self) -> bool {
        self == Epoch::NONE
    }

    /// Does it come before all that `thread` does now?
    fn is_before(self, threads: &Threads, thread: usize) -> bool {
        self.time() <= threads.knows(thread, self.thread())
    }

    /// Is it a race with one by `thread` that it does not come before?
    fn clashes(self, other: Epoch, threads: &Threads) -> bool {
        let are_atomic = self.is_atomic() && other.is_atomic();
        let overlap = !self.is_none() && self.mask() & other.mask() != 0;
        overlap && !are_atomic && !self.is_before(threads, other.thread())
    }

    /// Does whatever clashes with it clash with `new` as well, which comes after it?
    fn yields_to(self, new: Epoch, threads: &Threads) -> bool {
        self.is_none()
            || self.mask() & !new.mask() == 0
                && (self.is_atomic() || !new.is_atomic())
                && self.is_before(threads, new.thread())
    }
}

/// What is known of eight bytes.
#[derive(Clone, Copy, Default)]
#[repr(C)]
struct Cell {
    write: Epoch,
    read: Epoch,
    write_pc: u32,
    read_pc: u32,
}

/// One of several accesses that must be known.
#[derive(Clone, Copy)]
struct Entry {
    epoch: Epoch,
    pc: u32,
    writes: bool,
}

/// More are not kept of one word.
const MOST: usize = 64;

/// What has clashed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Race {
    /// The address.
    pub at: usize,
    /// The earlier access.
    pub writes: bool,
    pub is_atomic: bool,
    pub pc: usize,
    pub thread: usize,
    pub time: u32,
}

/// A piece of address space, and where its cells are.
struct Region {
    from: usize,
    to: usize,
    cells: *mut Cell,
}

pub(super) struct Shadow {
    regions: [Region; 2],
    lists: Vec<Vec<Entry>>,
    free: Vec<usize>,
}

/// What all program counters are above of: they are kept in 32 bits.
static CODE: AtomicUsize = AtomicUsize::new(0);

fn short(pc: usize) -> u32 {
    let _ = CODE.compare_exchange(0, pc & !0xffff_ffff, Ordering::Relaxed, Ordering::Relaxed);
    pc as u32
}

fn long(pc: u32) -> usize {
    CODE.load(Ordering::Relaxed) | pc as usize
}

impl Region {
    fn new(from: usize, bytes: usize) -> Option<Region> {
        let prot = libc::PROT_READ | libc::PROT_WRITE;
        let cells = map_memory(0, bytes / 8 * size_of::<Cell>(), prot)?;
        Some(Region {
            from,
            to: from + bytes,
            cells: cells as *mut Cell,
        })
    }
}

impl Shadow {
    /// That of the heap and of `globals`.
    pub(super) fn new(globals: (usize, usize)) -> Option<Shadow> {
        let (heap, bytes) = arena_range();
        Some(Shadow {
            regions: [
                Region::new(heap, bytes)?,
                Region::new(globals.0, globals.1)?,
            ],
            lists: Vec::new(),
            free: Vec::new(),
        })
    }

    /// The cell of an address that is looked after.
    fn cell(&self, at: usize) -> Option<*mut Cell> {
        let region = self.regions.iter().find(|r| at >= r.from && at < r.to)?;
        // SAFETY: M1.
        Some(unsafe { region.cells.add((at - region.from) / 8) })
    }

    /// Forgets what is known of some bytes.
    pub(super) fn clear(&mut self, at: usize, bytes: usize) {
        for word in (at..at + bytes).step_by(8) {
            let Some(cell) = self.cell(word) else { return };
            // SAFETY: M1.
            let old = unsafe { std::mem::take(&mut *cell) };
            if old.write == Epoch::LIST {
                self.free.push(old.read.0 as usize);
            }
        }
    }

    /// Holds an access against those before it.
    pub(super) fn access(
        &mut self,
        threads: &Threads,
        me: usize,
        pc: usize,
        access: Access,
    ) -> Option<Race> {
        let (from, to) = (access.at, access.at + access.bytes);
        let mut first = from & !7;
        let mut found = None;
        while first < to {
            let Some(cell) = self.cell(first) else { break };
            let low = from.saturating_sub(first).min(7);
            let high = (to - first).min(8);
            let mask = (0xffu32 << low & (0xffu32 >> (8 - high))) as u8;
            let epoch = Epoch::new(threads.now(me), me, mask, access.is_atomic);
            // SAFETY: M1.
            let clash = self.touch(unsafe { &mut *cell }, threads, epoch, pc, access.writes);
            if let (Some(earlier), None) = (clash, found) {
                found = Some(Race {
                    at: first + low,
                    writes: earlier.writes,
                    is_atomic: earlier.epoch.is_atomic(),
                    pc: long(earlier.pc),
                    thread: earlier.epoch.thread(),
                    time: earlier.epoch.time(),
                });
            }
            first += 8;
        }
        found
    }

    /// What clashes with an access to one word, which is noted.
    fn touch(
        &mut self,
        cell: &mut Cell,
        threads: &Threads,
        new: Epoch,
        pc: usize,
        writes: bool,
    ) -> Option<Entry> {
        if !writes && cell.read == new || writes && cell.write == new && cell.read.is_none() {
            return None;
        }
        if cell.write == Epoch::LIST {
            return self.touch_list(cell, threads, new, pc, writes);
        }
        let (write, read) = (cell.write, cell.read);
        let clash = if write.clashes(new, threads) {
            Some(Entry {
                epoch: write,
                pc: cell.write_pc,
                writes: true,
            })
        } else if writes && read.clashes(new, threads) {
            Some(Entry {
                epoch: read,
                pc: cell.read_pc,
                writes: false,
            })
        } else {
            None
        };
        if !writes && read.yields_to(new, threads) {
            (cell.read, cell.read_pc) = (new, short(pc));
        } else if writes && write.yields_to(new, threads) {
            (cell.write, cell.write_pc) = (new, short(pc));
            if read.yields_to(new, threads) {
                cell.read = Epoch::NONE;
            }
        } else {
            self.inflate(cell);
            self.touch_list(cell, threads, new, pc, writes);
        }
        clash
    }

    /// Makes a list of a cell.
    fn inflate(&mut self, cell: &mut Cell) {
        let list = self.free.pop().unwrap_or_else(|| {
            self.lists.push(Vec::new());
            self.lists.len() - 1
        });
        let entries = &mut self.lists[list];
        entries.clear();
        for (epoch, pc, writes) in [
            (cell.write, cell.write_pc, true),
            (cell.read, cell.read_pc, false),
        ] {
            if !epoch.is_none() {
                entries.push(Entry { epoch, pc, writes });
            }
        }
        *cell = Cell {
            write: Epoch::LIST,
            read: Epoch(list as u64),
            ..Cell::default()
        };
    }

    fn touch_list(
        &mut self,
        cell: &Cell,
        threads: &Threads,
        new: Epoch,
        pc: usize,
        writes: bool,
    ) -> Option<Entry> {
        let entries = &mut self.lists[cell.read.0 as usize];
        let clash = entries
            .iter()
            .find(|e| (e.writes || writes) && e.epoch.clashes(new, threads))
            .copied();
        entries.retain(|e| !((writes || !e.writes) && e.epoch.yields_to(new, threads)));
        if entries.len() == MOST {
            entries.remove(0);
        }
        entries.push(Entry {
            epoch: new,
            pc: short(pc),
            writes,
        });
        clash
    }
}
