//! Shadow memory: the last accesses to each eight bytes.
//!
//! # Invariants
//!
//! - M1. The shadow of a region is mapped as long as the process lives, and has a [`Cell`] for each
//!   eight bytes of it.
//! - M2. With several Ps an M touches the words of a cell by atomics only, and changes them when it
//!   has put [`Epoch::TAKEN`] into the first of them.
//! - M3. With [`Epoch::LIST`] in the first word of a cell the second is the address of a list,
//!   which is the cell's own.

use super::clocks::Own;
use super::{Access, Site, are_several, wait};
use crate::heap::{arena_range, map_memory};
use crate::sync::plain::{AtomicU64, AtomicUsize, Ordering};
use std::cell::UnsafeCell;

/// An access in one word: time, thread, which of the eight bytes, atomic or not. 0 is none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Epoch(pub(super) u64);

const THREAD: u64 = 0x3f_ffff << 32;
const MASK: u64 = 0xff << 54;

impl Epoch {
    const NONE: Epoch = Epoch(0);
    /// In `write` of a cell: the rest of it is in the list at `read`.
    const LIST: Epoch = Epoch(1 << 63);
    /// In `write` of a cell: an M is changing it.
    const TAKEN: Epoch = Epoch(3 << 62);

    /// That of a thread at a time, without an access.
    pub(super) fn of(time: u32, thread: usize) -> Epoch {
        Epoch(u64::from(time) | (thread as u64) << 32 & THREAD)
    }

    /// With an access to some of the eight bytes.
    #[inline(always)]
    fn with(self, mask: u8, is_atomic: bool) -> Epoch {
        Epoch(self.0 | u64::from(mask) << 54 | u64::from(is_atomic) << 62)
    }

    pub(super) fn time(self) -> u32 {
        self.0 as u32
    }

    #[inline(always)]
    pub(super) fn thread(self) -> usize {
        ((self.0 & THREAD) >> 32) as usize
    }

    fn is_atomic(self) -> bool {
        self.0 >> 62 & 1 == 1
    }

    #[inline(always)]
    pub(super) fn is_none(self) -> bool {
        self == Epoch::NONE
    }

    /// Is it none, or of the thread that `other` is of?
    #[inline(always)]
    fn is_no_others(self, other: Epoch) -> bool {
        self.is_none() || (self.0 ^ other.0) & (THREAD | Epoch::LIST.0) == 0
    }

    /// Are its bytes among those of `other`?
    #[inline(always)]
    fn is_within(self, other: Epoch) -> bool {
        self.0 & !other.0 & MASK == 0
    }

    /// Can it stand for `new` as well, an access to other bytes of the word? So it can at the same
    /// time, at the same place, or if it is known of these bytes already.
    #[inline(always)]
    fn takes_in(self, new: Epoch, is_same_place: bool) -> bool {
        (self.0 ^ new.0) & !MASK == 0 && (is_same_place || new.is_within(self))
    }

    #[inline(always)]
    fn and(self, new: Epoch) -> Epoch {
        Epoch(self.0 | new.0)
    }

    #[inline(always)]
    fn without(self, new: Epoch) -> Epoch {
        match self.is_within(new) {
            true => Epoch::NONE,
            false => Epoch(self.0 & !(new.0 & MASK)),
        }
    }

    /// Does it come before all that a thread does now?
    #[inline(always)]
    fn is_before(self, own: &Own) -> bool {
        self.thread() == own.thread || self.time() <= own.knows(self.thread())
    }

    /// Is it a race with one by the thread `own` that it does not come before?
    #[inline(always)]
    fn clashes(self, other: Epoch, own: &Own) -> bool {
        let are_atomic = self.is_atomic() && other.is_atomic();
        let overlap = self.0 & other.0 & MASK != 0;
        overlap && !are_atomic && !self.is_before(own)
    }

    /// What must still be known of it after `new`: not the bytes of which all that clashes with it
    /// clashes with `new` as well.
    #[inline(always)]
    fn rest(self, new: Epoch, own: &Own) -> Epoch {
        let yields = (self.is_atomic() || !new.is_atomic()) && self.is_before(own);
        match yields {
            true => self.without(new),
            false => self,
        }
    }
}

/// Where an access is made: the lower halves of the pc and, above it, of where the frame's function
/// returns to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Place(u64);

impl Place {
    #[inline(always)]
    fn of(site: Site) -> Place {
        let caller = match site.frame.is_null() {
            true => 0,
            // SAFETY: race::R3.
            false => unsafe { *site.frame.sub(1) },
        };
        Place(u64::from(site.pc as u32) | caller << 32)
    }

    /// The pc, and where the function returns to; 0: that is not known.
    fn pcs(self) -> [usize; 2] {
        let caller = (self.0 >> 32) as u32;
        [
            long(self.0 as u32),
            if caller == 0 { 0 } else { long(caller) },
        ]
    }
}

/// What is known of eight bytes.
#[derive(Clone, Copy, Default)]
#[repr(C)]
struct Cell {
    write: Epoch,
    read: Epoch,
    written_at: Place,
    read_at: Place,
}

impl Cell {
    /// What is known, of one that is no list.
    fn entries(&self) -> [Entry; 2] {
        let entry = |epoch, place, writes| Entry {
            epoch,
            place,
            writes,
        };
        [
            entry(self.write, self.written_at, true),
            entry(self.read, self.read_at, false),
        ]
    }

    /// Notes an access that is not atomic, if the cell knows of no other thread: then it clashes
    /// with nothing. `false`: it knows of others, or has no place for what is to be known.
    #[inline(always)]
    fn notes(&mut self, new: Epoch, site: Site, writes: bool) -> bool {
        if !writes && (self.read == new || self.read.takes_in(new, false)) {
            return true;
        }
        if writes && self.write == new && self.read.is_none() {
            return true;
        }
        if !self.write.is_no_others(new) || !self.read.is_no_others(new) {
            return false;
        }
        let place = Place::of(site);
        let (slot, slot_place) = match writes {
            true => (&mut self.write, &mut self.written_at),
            false => (&mut self.read, &mut self.read_at),
        };
        if slot.is_within(new) {
            (*slot, *slot_place) = (new, place);
        } else if slot.takes_in(new, *slot_place == place) {
            *slot = slot.and(new);
        } else {
            return false;
        }
        if writes {
            self.read = self.read.without(new);
        }
        true
    }
}

/// One of several accesses that must be known.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Entry {
    epoch: Epoch,
    place: Place,
    writes: bool,
}

impl Entry {
    /// That with it, at an address.
    fn race(self, at: usize) -> Race {
        Race {
            at,
            writes: self.writes,
            is_atomic: self.epoch.is_atomic(),
            pcs: self.place.pcs(),
            thread: self.epoch.thread(),
            time: self.epoch.time(),
        }
    }
}

/// The part of an access that is in a word: how far from its beginning, and its epoch.
#[inline]
fn in_word(word: usize, access: Access, now: Epoch) -> (usize, Epoch) {
    let low = access.at.saturating_sub(word);
    let high = (access.at + access.bytes - word).min(8);
    let mask = (0xffu32 << low & (0xffu32 >> (8 - high))) as u8;
    (low, now.with(mask, access.is_atomic))
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
    /// Its pc, and where its function returns to; 0: that is not known.
    pub pcs: [usize; 2],
    pub thread: usize,
    pub time: u32,
}

/// A piece of address space, and where its cells are.
#[derive(Clone, Copy)]
struct Region {
    from: usize,
    bytes: usize,
    cells: *mut Cell,
}

struct Places(UnsafeCell<[Region; 2]>);

// SAFETY: race::R1 holds for it as well.
unsafe impl Sync for Places {}

/// Those of the heap and of package-level variables. Written when the detector is switched on.
static PLACES: Places = Places(UnsafeCell::new(
    [Region {
        from: 0,
        bytes: 0,
        cells: std::ptr::null_mut(),
    }; 2],
));

/// Where an address in the code lies that shares its upper half with all others, more or less: the
/// others are kept in 32 bits. Written when the detector is switched on.
static CODE: AtomicUsize = AtomicUsize::new(0);

fn long(pc: u32) -> usize {
    let code = CODE.load(Ordering::Relaxed);
    code.wrapping_add(pc.wrapping_sub(code as u32) as usize)
}

impl Region {
    fn new(from: usize, bytes: usize) -> Option<Region> {
        let prot = libc::PROT_READ | libc::PROT_WRITE;
        let cells = map_memory(0, bytes / 8 * size_of::<Cell>(), prot)?;
        Some(Region {
            from,
            bytes,
            cells: cells as *mut Cell,
        })
    }

    /// The region of an address that is looked after.
    #[inline(always)]
    fn of(at: usize) -> Option<&'static Region> {
        // SAFETY: race::R1.
        let [heap, globals] = unsafe { &*PLACES.0.get() };
        if at.wrapping_sub(heap.from) < heap.bytes {
            return Some(heap);
        }
        if at.wrapping_sub(globals.from) < globals.bytes {
            return Some(globals);
        }
        None
    }

    /// The cell of an address in it.
    #[inline(always)]
    fn cell(&self, at: usize) -> *mut Cell {
        // The shift first, or it would be a division.
        self.cells.wrapping_add((at - self.from) >> 3)
    }

    /// Notes an access to so many words; see [`Cell::notes`].
    ///
    /// # Safety
    ///
    /// race::R2; the first is in the region.
    #[inline(always)]
    unsafe fn note<const N: usize, const SHARED: bool>(
        &self,
        at: usize,
        new: Epoch,
        site: Site,
        writes: bool,
    ) -> bool {
        let cell = self.cell(at);
        let mut i = 0;
        // Not by an iterator, whose parts the compiler may not put in place.
        while i < N {
            // SAFETY: M1; what is accessed does not reach beyond the region.
            let is_noted = unsafe {
                let cell = cell.add(i);
                match SHARED {
                    true => look(cell).knows(new, writes),
                    false => (*cell).notes(new, site, writes),
                }
            };
            if !is_noted {
                return false;
            }
            i += 1;
        }
        true
    }

    /// The cells of so many bytes from `at` on that are in it, one each eight bytes.
    fn cells(&self, at: usize, bytes: usize) -> impl Iterator<Item = (usize, *mut Cell)> {
        let to = (at + bytes).min(self.from + self.bytes);
        (at & !7..to).step_by(8).map(|word| (word, self.cell(word)))
    }
}

/// Notes an access that is not atomic by a goroutine whose epoch is `now`, if it can be done in
/// place and clashes with nothing. `false`: [`self::access`] has to look.
///
/// # Safety
///
/// race::R2.
#[inline(always)]
pub(super) unsafe fn notes<const SHARED: bool>(now: Epoch, site: Site, access: Access) -> bool {
    let (at, bytes) = (access.at, access.bytes);
    if now.is_none() {
        return false;
    }
    let Some(region) = Region::of(at) else {
        return true;
    };
    let writes = access.writes;
    // SAFETY: the caller's; M1.
    unsafe {
        match bytes {
            1 | 2 | 4 if at.is_multiple_of(bytes) => {
                let mask = ((1 << bytes) - 1) << (at & 7);
                region.note::<1, SHARED>(at, now.with(mask, false), site, writes)
            }
            8 if at.is_multiple_of(8) => {
                region.note::<1, SHARED>(at, now.with(0xff, false), site, writes)
            }
            16 if at.is_multiple_of(8) => {
                region.note::<2, SHARED>(at, now.with(0xff, false), site, writes)
            }
            24 if at.is_multiple_of(8) => {
                region.note::<3, SHARED>(at, now.with(0xff, false), site, writes)
            }
            _ => false,
        }
    }
}

/// Makes the regions of the heap and of `globals`; `code` is an address in the code. `false`: there
/// is no address space for them.
pub(super) fn map(globals: (usize, usize), code: usize) -> bool {
    let (heap, bytes) = arena_range();
    let regions = (Region::new(heap, bytes), Region::new(globals.0, globals.1));
    let (Some(heap), Some(globals)) = regions else {
        return false;
    };
    // SAFETY: race::R1: nothing runs yet.
    unsafe { *PLACES.0.get() = [heap, globals] };
    CODE.store(code, Ordering::Relaxed);
    true
}

/// Forgets what is known of some bytes, which the allocator is about to give out.
pub(super) fn clear(at: usize, bytes: usize) {
    let Some(region) = Region::of(at) else { return };
    for (_, cell) in region.cells(at, bytes) {
        // SAFETY: M1.
        let cell = unsafe { &mut *cell };
        drop(cell.take_list());
        // What was never written takes no memory.
        if cell.write.0 | cell.read.0 != 0 {
            *cell = Cell::default();
        }
    }
}

/// Holds an access against those before it.
pub(super) fn access(own: &Own, site: Site, access: Access) -> Option<Race> {
    let region = Region::of(access.at)?;
    let mut found = None;
    for (word, cell) in region.cells(access.at, access.bytes) {
        let (low, epoch) = in_word(word, access, own.now);
        let knows = |cell: &Cell| cell.knows(epoch, access.writes);
        // SAFETY: M1.
        let clash = unsafe {
            with(cell, knows, |cell| {
                if !epoch.is_atomic() && cell.notes(epoch, site, access.writes) {
                    return None;
                }
                cell.hold(own, epoch, Place::of(site), access.writes)
            })
        };
        if let (Some(Some(earlier)), None) = (clash, found) {
            found = Some(earlier.race(word + low));
        }
    }
    found
}

/// What clashes with an atomic access, which is not noted yet.
pub(super) fn clash(own: &Own, access: Access) -> Option<Race> {
    let region = Region::of(access.at)?;
    region
        .cells(access.at, access.bytes)
        .find_map(|(word, cell)| {
            let (low, epoch) = in_word(word, access, own.now);
            let clashes = |e: &Entry| (e.writes || access.writes) && e.epoch.clashes(epoch, own);
            // SAFETY: M1.
            let earlier = unsafe {
                with(
                    cell,
                    |_| false,
                    |cell| match cell.list() {
                        Some(list) => list.iter().copied().find(clashes),
                        None => cell.entries().into_iter().find(clashes),
                    },
                )
            };
            earlier.flatten().map(|earlier| earlier.race(word + low))
        })
}

/// Does something to a cell, of which others may know at the same time; `None`: there is nothing to
/// be done, as `knows` says by a look at it that others do not wait for.
///
/// # Safety
///
/// M1.
#[inline(always)]
unsafe fn with<R>(
    cell: *mut Cell,
    knows: impl FnOnce(&Cell) -> bool,
    f: impl FnOnce(&mut Cell) -> R,
) -> Option<R> {
    if !are_several() {
        // SAFETY: race::R2.
        return Some(f(unsafe { &mut *cell }));
    }
    // SAFETY: M2.
    unsafe {
        if knows(&look(cell)) {
            return None;
        }
        let word = |at: *mut u64| AtomicU64::from_ptr(at);
        let (write, read) = (
            word(&raw mut (*cell).write.0),
            word(&raw mut (*cell).read.0),
        );
        let mut spins = 0;
        let old = loop {
            // Acquire: pairs with the Release below.
            let old = Epoch(write.swap(Epoch::TAKEN.0, Ordering::Acquire));
            if old != Epoch::TAKEN {
                break old;
            }
            wait(&mut spins);
        };
        let places = [&raw mut (*cell).written_at.0, &raw mut (*cell).read_at.0].map(word);
        let mut copy = Cell {
            write: old,
            read: Epoch(read.load(Ordering::Relaxed)),
            written_at: Place(places[0].load(Ordering::Relaxed)),
            read_at: Place(places[1].load(Ordering::Relaxed)),
        };
        let result = f(&mut copy);
        read.store(copy.read.0, Ordering::Relaxed);
        places[0].store(copy.written_at.0, Ordering::Relaxed);
        places[1].store(copy.read_at.0, Ordering::Relaxed);
        write.store(copy.write.0, Ordering::Release);
        Some(result)
    }
}

/// What a cell knows, without taking it; one that is a list, or being changed, gives no epoch.
///
/// # Safety
///
/// M1, M2.
#[inline(always)]
unsafe fn look(cell: *mut Cell) -> Cell {
    // SAFETY: the caller's.
    let load = |at: *mut u64| unsafe { AtomicU64::from_ptr(at) }.load(Ordering::Relaxed);
    // SAFETY: the caller's.
    unsafe {
        Cell {
            write: Epoch(load(&raw mut (*cell).write.0)),
            read: Epoch(load(&raw mut (*cell).read.0)),
            ..Cell::default()
        }
    }
}

type List = Vec<Entry>;

impl Cell {
    /// Does it say all that an access has to say? What clashes with a read clashes with a write of
    /// the same time.
    #[inline(always)]
    fn knows(&self, new: Epoch, writes: bool) -> bool {
        match writes {
            true => self.write.takes_in(new, false) && self.read.is_no_others(new),
            false => self.read.takes_in(new, false) || self.write.takes_in(new, false),
        }
    }

    /// The list that it stands for.
    fn list(&mut self) -> Option<&mut List> {
        match self.write == Epoch::LIST {
            // SAFETY: M3.
            true => Some(unsafe { &mut *(self.read.0 as *mut List) }),
            false => None,
        }
    }

    /// The list that it stood for; it knows nothing then.
    fn take_list(&mut self) -> Option<Box<List>> {
        if self.write != Epoch::LIST {
            return None;
        }
        // SAFETY: M3.
        let list = unsafe { Box::from_raw(self.read.0 as *mut List) };
        *self = Cell::default();
        Some(list)
    }

    /// Makes a list of it.
    fn inflate(&mut self) {
        let entries = self.entries().into_iter();
        let list: List = entries.filter(|e| !e.epoch.is_none()).collect();
        *self = Cell {
            write: Epoch::LIST,
            read: Epoch(Box::into_raw(Box::new(list)) as u64),
            ..Cell::default()
        };
    }

    /// What clashes with an access, which is noted, when others have touched the word as well.
    fn hold(&mut self, own: &Own, new: Epoch, place: Place, writes: bool) -> Option<Entry> {
        if !writes && self.read == new || writes && self.write == new && self.read.is_none() {
            return None;
        }
        if let Some(list) = self.list() {
            let clash = hold_in_list(list, own, new, place, writes);
            // What a cell can say needs no list.
            if let [e] = list[..] {
                drop(self.take_list());
                let (slot, slot_place) = match e.writes {
                    true => (&mut self.write, &mut self.written_at),
                    false => (&mut self.read, &mut self.read_at),
                };
                (*slot, *slot_place) = (e.epoch, e.place);
            }
            return clash;
        }
        let (write, read) = (self.write, self.read);
        let clash = if write.clashes(new, own) {
            Some(Entry {
                epoch: write,
                place: self.written_at,
                writes: true,
            })
        } else if writes && read.clashes(new, own) {
            Some(Entry {
                epoch: read,
                place: self.read_at,
                writes: false,
            })
        } else {
            None
        };
        let (slot, slot_place) = match writes {
            true => (&mut self.write, &mut self.written_at),
            false => (&mut self.read, &mut self.read_at),
        };
        if slot.rest(new, own).is_none() {
            (*slot, *slot_place) = (new, place);
        } else if slot.takes_in(new, *slot_place == place) {
            *slot = slot.and(new);
        } else {
            self.inflate();
            if let Some(list) = self.list() {
                hold_in_list(list, own, new, place, writes);
            }
            return clash;
        }
        if writes {
            self.read = read.rest(new, own);
        }
        clash
    }
}

fn hold_in_list(
    entries: &mut List,
    own: &Own,
    epoch: Epoch,
    place: Place,
    writes: bool,
) -> Option<Entry> {
    let new = Entry {
        epoch,
        place,
        writes,
    };
    if entries.last() == Some(&new) {
        return None;
    }
    let (mut clash, mut is_noted, mut kept) = (None, false, 0);
    for i in 0..entries.len() {
        let mut e = entries[i];
        if clash.is_none() && (e.writes || writes) && e.epoch.clashes(epoch, own) {
            clash = Some(e);
        }
        let is_like = e.writes == writes && !e.epoch.is_within(epoch);
        if is_like && e.epoch.takes_in(epoch, e.place == place) {
            e.epoch = e.epoch.and(epoch);
            is_noted = true;
        } else if writes || !e.writes {
            e.epoch = e.epoch.rest(epoch, own);
        }
        if !e.epoch.is_none() {
            entries[kept] = e;
            kept += 1;
        }
    }
    entries.truncate(kept);
    if !is_noted {
        if entries.len() == MOST {
            entries.remove(0);
        }
        entries.push(new);
    }
    clash
}
