#![allow(unsafe_code)]
//! The tape: what a run was told from outside, in order, so that it can be told the same again.
//!
//! A recorded run is an ordinary one with one P, whose scheduler has nothing to decide that does
//! not follow from the seed and from what comes from outside: readings of the clock, the ends of
//! slices, what the poller finds, and the answers of calls. These are written on the tape, each
//! when it comes; a replay takes them from there, in the same order, and asks nobody. So the tape
//! is no list of decisions: they follow. Each entry says what kind it is, whose, and what was
//! asked, so that a run which asks for anything else ends there.
//!
//! Looks and polls are counted, and only those are written that had a result: "after so many".
//! A *look* is taken once in [`STRIDE`] turns of loops and calls of functions.
//!
//! The file is mapped, and an entry is there once it is written, however the process ends.
//!
//! # Invariants
//!
//! - T1. [`USE`] is written before [`start`](crate::proc::start), and never again.
//! - T2. Only the M that holds the one P moves on the tape, but for the end of the process.
//!
//! Go: none.

pub mod entry;

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::os::fd::AsRawFd;

use super::DIVERGED;
use crate::g::{G, WaitReason};
use crate::lockrank::Rank;
use crate::m::{M, ParkArg};
use crate::netpoll::{self, Mode};
use crate::p::{GList, P};
use crate::rand::Rand;
use crate::sync::plain::{AtomicBool, AtomicI32, AtomicI64, AtomicU32, Ordering};
use crate::sync::{self, Guarded};
use crate::{preempt, proc, rand, signal, tls, trace, traceback};

use entry::{Cursor, Found, Ready, What};

/// What is done with the tape.
const RECORDS: u32 = 1;
const REPLAYS: u32 = 2;
/// See T1.
static USE: AtomicU32 = AtomicU32::new(0);
/// Slices and the order of what runs are drawn. Written with [`USE`].
static CHAOS: AtomicBool = AtomicBool::new(false);

/// Turns and calls between two looks.
const STRIDE: i32 = 512;
/// Of so many decisions chaos takes one by lot.
const CHAOS_MOVES: u32 = 3;
/// Chaos lets so many looks pass, as a power of two, between two slices that it ends.
const CHAOS_LOOKS: u32 = 13;
/// Turns and calls that are left until the next look. Written by the M that holds the P.
static LEFT: AtomicI32 = AtomicI32::new(STRIDE);

/// The slice is over. Written by sysmon, taken by looks.
static SLICE_OVER: AtomicBool = AtomicBool::new(false);
/// It is time to ask the poller, whatever can run. The same.
static POLL_DUE: AtomicBool = AtomicBool::new(false);
/// Calls are over. Written by their threads, taken by polls.
static CALLS_OVER: AtomicBool = AtomicBool::new(false);
static OVER: Guarded<Vec<u64>> = Guarded::new(Rank::Leaf, Vec::new());

/// Which descriptors are standard output or error, as the process was given them: 1 or 2, or 0 for
/// another. Written by the M that holds the P.
static STANDARD: [AtomicU32; 64] = {
    let mut all = [const { AtomicU32::new(0) }; 64];
    all[1] = AtomicU32::new(1);
    all[2] = AtomicU32::new(2);
    all
};

static TAPE: Guarded<Tape> = Guarded::new(Rank::Tape, Tape::new());

/// How to begin.
#[derive(Debug)]
pub struct Setup {
    /// The file, which begins with a head of so many bytes.
    pub file: File,
    pub head: Vec<u8>,
    /// What is drawn comes from here.
    pub seed: u64,
    /// What GOMAXPROCS the program is told.
    pub procs: i32,
    /// Slices and the order of what runs are drawn.
    pub chaos: bool,
    /// The file is played; else it is written.
    pub replays: bool,
    /// Stop before the entry of this number, and show where all goroutines are.
    pub until: Option<u64>,
    /// What people call a place in the code.
    pub place: fn(usize) -> String,
}

struct Tape {
    map: &'static mut [u8],
    file: Option<File>,
    /// How long the file is.
    len: usize,
    cursor: Cursor,
    /// What the clocks showed last: the monotonic one, and the wall clock less that.
    mono: i64,
    wall: i64,
    /// In a replay: by how much the recorded clock was ahead of the machine's at its first reading.
    begin: Option<i64>,
    /// Since the last entry of their kinds.
    looks: u64,
    polls: u64,
    /// What the poller has found.
    found: Vec<Ready>,
    /// Who waits for a call.
    calls: Vec<(u64, *mut G)>,
    /// The numbers of texts, and of places; and the texts.
    numbers: BTreeMap<&'static str, u64>,
    places: BTreeMap<usize, u64>,
    texts: Vec<String>,
    until: u64,
    random: Rand,
    place: fn(usize) -> String,
}

// SAFETY: descriptors of G are never freed; T2.
unsafe impl Send for Tape {}

/// The file grows by so many bytes.
const GROWTH: usize = 1 << 20;
/// Address space for it, and the least that is tried.
const SPACE: usize = 1 << 38;
const SPACE_MIN: usize = 1 << 26;

/// Says that there is to be a tape, before the program is loaded: its natives go by that.
pub fn announce(replays: bool) {
    let what = if replays { REPLAYS } else { RECORDS };
    USE.store(what, Ordering::Relaxed);
}

/// Begins, before the runtime starts.
pub fn begin(setup: Setup) -> std::io::Result<()> {
    let len = setup.file.metadata()?.len() as usize;
    let mut tape = TAPE.lock();
    tape.map = match setup.replays {
        true => map(&setup.file, len, libc::PROT_READ)?,
        false => {
            let mut space = SPACE;
            let both = libc::PROT_READ | libc::PROT_WRITE;
            loop {
                match map(&setup.file, space, both) {
                    Err(e) if space == SPACE_MIN => return Err(e),
                    Err(_) => space /= 2,
                    Ok(map) => break map,
                }
            }
        }
    };
    tape.len = len;
    tape.file = Some(setup.file);
    tape.cursor = Cursor::behind(&setup.head);
    tape.until = setup.until.unwrap_or(u64::MAX);
    tape.place = setup.place;
    if !setup.replays {
        tape.room(entry::MOST)?;
    }
    super::CLOCK_IS_TOLD.store(true, Ordering::Relaxed);
    super::watch();
    proc::set_seed(setup.seed);
    super::tell_procs(setup.procs.into());
    tape.random = Rand::new(rand::fork());
    CHAOS.store(setup.chaos, Ordering::Relaxed);
    Ok(())
}

fn map(file: &File, len: usize, prot: i32) -> std::io::Result<&'static mut [u8]> {
    let flags = libc::MAP_SHARED | libc::MAP_NORESERVE;
    let null = std::ptr::null_mut();
    // SAFETY: a fresh mapping, which stays; nothing behind the end of the file is touched.
    unsafe {
        let at = libc::mmap(null, len.max(1), prot, flags, file.as_raw_fd(), 0);
        match at == libc::MAP_FAILED {
            true => Err(std::io::Error::last_os_error()),
            false => Ok(std::slice::from_raw_parts_mut(at.cast(), len)),
        }
    }
}

/// Is there a tape?
#[inline]
pub fn is_on() -> bool {
    USE.load(Ordering::Relaxed) != 0
}

/// Is it played?
#[inline]
pub fn is_replayed() -> bool {
    USE.load(Ordering::Relaxed) == REPLAYS
}

/// Is it written?
#[inline]
pub fn is_recorded() -> bool {
    USE.load(Ordering::Relaxed) == RECORDS
}

/// Are slices and the order of what runs drawn?
#[inline]
pub fn is_chaotic() -> bool {
    CHAOS.load(Ordering::Relaxed)
}

/// The goroutine of this thread, 0 for none; `None`: the thread holds no P.
fn who() -> Option<u64> {
    let m = tls::current_m();
    // SAFETY: the M is this thread's, and so is its current G.
    unsafe {
        match m.as_ref() {
            Some(m) if !m.p.is_null() => Some(m.curg.as_ref().map_or(0, |g| g.goid.0)),
            _ => None,
        }
    }
}

// ---- The tape itself.

impl Tape {
    const fn new() -> Tape {
        Tape {
            map: &mut [],
            file: None,
            len: 0,
            cursor: Cursor::START,
            mono: 0,
            wall: 0,
            begin: None,
            looks: 0,
            polls: 0,
            found: Vec::new(),
            calls: Vec::new(),
            numbers: BTreeMap::new(),
            places: BTreeMap::new(),
            texts: Vec::new(),
            until: u64::MAX,
            random: Rand::new(0),
            place: |_| String::new(),
        }
    }

    /// Makes room for an entry that carries so many bytes.
    fn room(&mut self, bytes: usize) -> std::io::Result<()> {
        let need = self.cursor.at + entry::MOST + bytes;
        if need < self.len {
            return Ok(());
        }
        let len = (need / GROWTH + 1) * GROWTH;
        let fd = self.file.as_ref().map_or(-1, AsRawFd::as_raw_fd);
        if len > self.map.len() {
            return Err(std::io::Error::from_raw_os_error(libc::EFBIG));
        }
        // SAFETY: no memory is involved.
        let code = unsafe { libc::posix_fallocate(fd, 0, len as libc::off_t) };
        if code != 0 {
            return Err(std::io::Error::from_raw_os_error(code));
        }
        self.len = len;
        Ok(())
    }

    fn add(&mut self, g: u64, what: &What<'_>) {
        let bytes = match what {
            What::Poll(_, ready) => ready.len() * entry::EVENTS,
            What::Answer { answer, .. } => answer.len(),
            What::Text(text) => text.len(),
            _ => 0,
        };
        if let Err(e) = self.room(bytes) {
            tell(format_args!("gosched: record: {e}\n"));
            super::leave(CANNOT);
        }
        self.cursor.put(self.map, g, what);
    }

    /// Cuts off what has been reserved and not written.
    fn finish(&mut self) {
        if let Some(file) = &self.file {
            let _ = file.set_len(self.cursor.at as u64);
        }
    }

    /// The number of a text.
    fn text(&mut self, text: &'static str) -> u64 {
        if let Some(n) = self.numbers.get(text) {
            return *n;
        }
        let n = self.next_text(text);
        self.numbers.insert(text, n);
        n
    }

    /// The number of the text for a place.
    fn place(&mut self, at: usize) -> u64 {
        if let Some(n) = self.places.get(&at) {
            return *n;
        }
        let n = self.next_text(&(self.place)(at));
        self.places.insert(at, n);
        n
    }

    fn next_text(&mut self, text: &str) -> u64 {
        let g = self.cursor.g;
        self.add(g, &What::Text(text.as_bytes()));
        self.texts.push(String::new());
        self.texts.len() as u64 - 1
    }

    // ---- Playing.

    /// What is next, and who does it.
    fn next(&mut self) -> Next {
        loop {
            let (what, g, behind) = match self.cursor.read(self.map) {
                Found::Entry(what, g, behind) => (what, g, behind),
                Found::Nothing => return Next::Nothing,
                Found::Altered => return Next::Altered,
            };
            let What::Text(text) = what else {
                return Next::Entry(own(what), g, behind);
            };
            self.texts.push(String::from_utf8_lossy(text).into_owned());
            self.cursor = behind;
        }
    }

    /// What is next, where a look or a poll may have had a result, which `when` says. `None`: it
    /// had none.
    fn due(
        &mut self,
        when: impl FnOnce(&Tape, &What<'static>, u64) -> Due,
        here: impl FnOnce() -> String,
    ) -> Result<Option<What<'static>>, Ended> {
        match self.next() {
            Next::Nothing => Err(Ended::Nothing(self.cursor.n)),
            Next::Altered => Err(Ended::altered(self.cursor.n, here())),
            Next::Entry(what, g, behind) => match when(self, &what, g) {
                Due::Later => Ok(None),
                Due::Now if self.cursor.n >= self.until => Err(Ended::Stop),
                Due::Now => {
                    self.cursor = behind;
                    Ok(Some(what))
                }
                Due::Past => {
                    let recorded = self.say(&what, g);
                    Err(Ended::Diverged(self.cursor.n, recorded, here()))
                }
            },
        }
    }

    /// The text of this number.
    fn name(&self, n: u64) -> &str {
        self.texts.get(n as usize).map_or("?", |text| text)
    }

    /// As people read it.
    fn say(&self, what: &What<'_>, g: u64) -> String {
        let who = match g {
            0 => "the scheduler".into(),
            g => format!("g{g}"),
        };
        let text = |n: u64| self.name(n);
        match what {
            What::Clock(_) => format!("{who} reads the clock"),
            What::Time(..) => format!("{who} reads the time of day"),
            What::Slice(looks) => format!("the slice of {who} is over after {looks} looks"),
            What::Poll(before, ready) => {
                let ready: Vec<String> = ready.iter().map(Ready::to_string).collect();
                format!("after {before} polls {}", ready.join(", "))
            }
            What::Answer { call, place, .. } => {
                format!("{who} calls {}{}", text(*call), at(text(*place)))
            }
            What::Waits => format!("{who} waits for a call"),
            What::Text(_) => "a text".into(),
            What::End(status) => format!("the program ends with status {status}"),
        }
    }
}

/// ` at main.go:7`
fn at(place: &str) -> String {
    match place {
        "" => String::new(),
        place => format!(" at {place}"),
    }
}

/// When an entry was written, seen from a look or a poll.
enum Due {
    Now,
    Later,
    /// It should have come already.
    Past,
}

enum Next {
    Entry(What<'static>, u64, Cursor),
    Nothing,
    Altered,
}

/// What is on the mapping stays.
fn own(what: What<'_>) -> What<'static> {
    match what {
        What::Answer {
            call,
            asked,
            place,
            answer,
        } => What::Answer {
            call,
            asked,
            place,
            // SAFETY: the mapping is never taken away.
            answer: unsafe { std::slice::from_raw_parts(answer.as_ptr(), answer.len()) },
        },
        What::Text(_) => What::Text(b""),
        What::Clock(by) => What::Clock(by),
        What::Time(by, wall) => What::Time(by, wall),
        What::Slice(looks) => What::Slice(looks),
        What::Poll(before, ready) => What::Poll(before, ready),
        What::Waits => What::Waits,
        What::End(status) => What::End(status),
    }
}

/// Exit status of a run that cannot be recorded.
const CANNOT: i32 = 2;

/// The next entry is taken by `take`, or the replay ends: `here` is what is asked for.
fn take<T>(
    tape: &mut Tape,
    here: impl FnOnce(&Tape) -> String,
    take: impl FnOnce(&mut Tape, &What<'static>, u64) -> Option<T>,
) -> Result<T, Ended> {
    match tape.next() {
        Next::Nothing => Err(Ended::Nothing(tape.cursor.n)),
        Next::Altered => Err(Ended::altered(tape.cursor.n, here(tape))),
        Next::Entry(..) if tape.cursor.n >= tape.until => Err(Ended::Stop),
        Next::Entry(what, g, behind) => {
            if let Some(taken) = take(tape, &what, g) {
                tape.cursor = behind;
                return Ok(taken);
            }
            if let What::End(status @ 129..) = what {
                return Err(Ended::Signal((status - 128) as i32));
            }
            Err(Ended::Diverged(
                tape.cursor.n,
                tape.say(&what, g),
                here(tape),
            ))
        }
    }
}

/// Writes to standard error, wherever the program has sent what it prints.
fn tell(text: std::fmt::Arguments<'_>) {
    let _ = std::io::stderr().write_fmt(text);
}

/// Why a replay does not go on. It is obeyed when the tape is not locked any more.
enum Ended {
    Stop,
    Nothing(u64),
    Signal(i32),
    Diverged(u64, String, String),
}

impl Ended {
    fn altered(n: u64, here: String) -> Ended {
        Ended::Diverged(n, "not as it was written".into(), here)
    }

    fn obey(self) -> ! {
        match self {
            Ended::Stop => {
                let m = tls::current_m();
                traceback::print_others(m, std::ptr::null_mut(), 1, false);
                super::leave(0)
            }
            Ended::Nothing(n) => {
                tell(format_args!(
                    "{ENDS_HERE}, after {n} entries: the program was ended \
                     from outside\n"
                ));
                super::leave(DIVERGED)
            }
            Ended::Signal(sig) => {
                trace::finish(trace::End::Signal(sig));
                signal::die_by(sig)
            }
            Ended::Diverged(n, recorded, here) => {
                tell(format_args!(
                    "gosched: replay diverged at entry {n}\n\trecorded: {recorded}\n\there:     \
                     {here}\n"
                ));
                super::leave(DIVERGED)
            }
        }
    }
}

trait OrEnd<T> {
    /// Ends the process if there is nothing.
    fn or_end(self) -> T;
}

impl<T> OrEnd<T> for Result<T, Ended> {
    fn or_end(self) -> T {
        self.unwrap_or_else(|ended| ended.obey())
    }
}

/// Ends the run, for this cannot be recorded.
pub fn refuse(what: &str, at: usize) -> ! {
    let mut tape = TAPE.lock();
    let place = (tape.place)(at);
    tape.finish();
    drop(tape);
    let place = if place.is_empty() {
        place
    } else {
        format!(" ({place})")
    };
    tell(format_args!(
        "gosched: record: {what} cannot be recorded{place}\n"
    ));
    super::leave(CANNOT)
}

/// The program ends with this status, or by the signal of which 128 is subtracted.
pub(crate) fn ends(status: i32) {
    if !is_on() {
        return;
    }
    // Another thread may end it in the middle of an entry.
    let Some(mut tape) = TAPE.try_guard_for(100) else {
        return;
    };
    let tape = &mut *tape;
    let g = who().unwrap_or(0);
    if is_recorded() {
        tape.add(g, &What::End(status.into()));
        tape.finish();
        return;
    }
    let here = |tape: &Tape| tape.say(&What::End(status.into()), g);
    let ended = take(tape, here, |_, what, _| match what {
        What::End(s) => (*s == i64::from(status)).then_some(()),
        _ => None,
    });
    match ended {
        // Whoever has ended the program has done so a little earlier.
        Ok(()) | Err(Ended::Nothing(_) | Ended::Stop) => {}
        Err(ended) => ended.obey(),
    }
}

// ---- The clocks.

/// The monotonic clock, as the run is told it.
#[cold]
pub(crate) fn nanotime() -> i64 {
    let Some(g) = who() else {
        return sync::nanotime();
    };
    let mut guard = TAPE.lock();
    let tape = &mut *guard;
    if is_recorded() {
        let now = sync::nanotime();
        let by = now - tape.mono;
        tape.mono = now;
        tape.add(g, &What::Clock(by));
        return now;
    }
    let here = |tape: &Tape| tape.say(&What::Clock(0), g);
    let taken = take(tape, here, |tape, what, by| match what {
        What::Clock(d) if by == g => {
            tape.passes(*d);
            Some(tape.mono)
        }
        _ => None,
    });
    drop(guard);
    taken.or_end()
}

/// What a replay says first of a recording that has no end.
pub const ENDS_HERE: &str = "gosched: the recording ends here";

/// By how much the clock of traces is ahead of the machine's. Written by the M that holds the P.
static AHEAD: AtomicI64 = AtomicI64::new(0);

/// The machine's time, for traces: in a replay with the waits that there were in the recorded run.
pub(crate) fn time_of_traces() -> i64 {
    sync::nanotime() + AHEAD.load(Ordering::Relaxed)
}

impl Tape {
    /// The recorded clock goes on. What a replay does not wait for, the clock of traces jumps.
    fn passes(&mut self, by: i64) {
        self.mono += by;
        let ahead = self.mono - sync::nanotime();
        let begin = *self.begin.get_or_insert(ahead);
        AHEAD.fetch_max(ahead - begin, Ordering::Relaxed);
    }
}

/// The wall clock and the monotonic one.
#[cold]
pub(crate) fn time() -> (i64, i64) {
    let Some(g) = who() else {
        return (sync::walltime(), sync::nanotime());
    };
    let mut guard = TAPE.lock();
    let tape = &mut *guard;
    if is_recorded() {
        let (wall, now) = (sync::walltime(), sync::nanotime());
        let (by, moved) = (now - tape.mono, wall - now - tape.wall);
        tape.mono = now;
        tape.wall = wall - now;
        tape.add(g, &What::Time(by, moved));
        return (wall, now);
    }
    let here = |tape: &Tape| tape.say(&What::Time(0, 0), g);
    let taken = take(tape, here, |tape, what, by| match what {
        What::Time(d, moved) if by == g => {
            tape.passes(*d);
            tape.wall += moved;
            Some((tape.mono + tape.wall, tape.mono))
        }
        _ => None,
    });
    drop(guard);
    taken.or_end()
}

// ---- Slices.

/// Sysmon has watched `p` for a whole slice, in which the same goroutine ran.
pub(crate) fn ticks(is_slice_over: bool) {
    POLL_DUE.store(true, Ordering::Relaxed);
    if is_slice_over {
        SLICE_OVER.store(true, Ordering::Relaxed);
    }
}

/// A turn of a loop or a call: is a look due?
#[inline(always)]
pub fn is_look_due() -> bool {
    let left = LEFT.load(Ordering::Relaxed) - 1;
    LEFT.store(left, Ordering::Relaxed);
    left <= 0
}

/// Looks whether the slice is over, so that the goroutine has to let others run.
///
/// # Safety
///
/// Context: coroutine of the M that holds `p`; its registers are saved.
pub unsafe fn look(p: *mut P) -> bool {
    // SAFETY: by the contract.
    let (may_leave, g) = unsafe {
        let m = &*(*p).m.load(Ordering::Relaxed);
        (preempt::can_preempt(m), (*m.curg).goid)
    };
    let mut guard = TAPE.lock();
    let tape = &mut *guard;
    let mut is_over = false;
    match is_chaotic() {
        false => LEFT.store(STRIDE, Ordering::Relaxed),
        true => {
            // Some slices are as short as can be, and some are long.
            let most = 1 << tape.random.below(CHAOS_LOOKS);
            LEFT.store(tape.random.below(most) as i32 + 1, Ordering::Relaxed);
            is_over = true;
        }
    }
    if is_recorded() {
        is_over |= SLICE_OVER.swap(false, Ordering::Relaxed);
        is_over &= may_leave;
        if is_over {
            let looks = std::mem::take(&mut tape.looks);
            tape.add(g.0, &What::Slice(looks));
        } else {
            tape.looks += 1;
        }
        return is_over;
    }
    let when = |tape: &Tape, what: &What<'static>, of: u64| match what {
        What::Slice(looks) if *looks == tape.looks && of == g.0 => Due::Now,
        What::Slice(looks) if *looks <= tape.looks => Due::Past,
        _ => Due::Later,
    };
    let due = tape.due(when, || format!("g{} looks whether its slice is over", g.0));
    let is_over = due.as_ref().is_ok_and(Option::is_some);
    tape.looks = if is_over { 0 } else { tape.looks + 1 };
    drop(guard);
    due.or_end();
    is_over
}

/// Whether chaos lets another run than the one whose turn it is.
pub(crate) fn moves() -> bool {
    TAPE.lock().random.below(CHAOS_MOVES) == 0
}

// ---- What becomes ready.

/// The poller has found that a descriptor is ready.
pub(crate) fn finds(index: usize, mode: Mode) {
    let index = index as u64;
    TAPE.lock().found.push(match mode {
        Mode::Read => Ready::Read(index),
        Mode::Write => Ready::Write(index),
    });
}

/// Makes ready what has become so outside, without waiting.
///
/// Context: g0 of `m`, which holds a P.
pub(crate) fn poll(m: &mut M) {
    if is_replayed() {
        return polled(m, false);
    }
    let is_due = POLL_DUE.load(Ordering::Relaxed) && netpoll::waiters() > 0;
    let mut list = GList::new();
    if is_due {
        POLL_DUE.store(false, Ordering::Relaxed);
        list = netpoll::poll(0);
    }
    recorded(m, list);
}

/// Waits until something becomes ready, or for the next timer, at `until` if that is not 0.
/// `false`: there is nothing to wait for.
///
/// Context: as [`poll`]; nothing can run.
pub(crate) fn waits(m: &mut M, until: i64) -> bool {
    let calls = !TAPE.lock().calls.is_empty();
    if !calls && netpoll::waiters() == 0 && until == 0 {
        return false;
    }
    let delay = match until {
        0 => -1,
        until => (until - crate::clock::nanotime()).max(0),
    };
    if is_replayed() {
        polled(m, until == 0);
        return true;
    }
    let is_over = CALLS_OVER.load(Ordering::SeqCst);
    let list = match is_over {
        true => GList::new(),
        false => netpoll::block(delay),
    };
    recorded(m, list);
    true
}

/// Writes down what has become ready: these, and calls.
fn recorded(m: &mut M, list: GList) {
    let mut list = list;
    let over = match CALLS_OVER.swap(false, Ordering::SeqCst) {
        true => std::mem::take(&mut *OVER.lock()),
        false => Vec::new(),
    };
    {
        let mut tape = TAPE.lock();
        let tape = &mut *tape;
        let mut ready = std::mem::take(&mut tape.found);
        ready.extend(over.iter().map(|g| Ready::Call(*g)));
        if ready.is_empty() {
            tape.polls += 1;
        } else {
            let before = std::mem::take(&mut tape.polls);
            tape.add(0, &What::Poll(before, ready));
        }
        for g in over {
            // SAFETY: it waits for the call, which is over.
            unsafe { tape.call_ends(g, &mut list) };
        }
    }
    // SAFETY: the Gs are ours.
    unsafe { proc::inject_list(m, list) };
}

/// Makes ready what the tape says. If something `must` become ready before anything else happens,
/// and the tape says otherwise, the replay ends.
fn polled(m: &mut M, must: bool) {
    let mut list = GList::new();
    let ready = {
        let mut tape = TAPE.lock();
        let when = |tape: &Tape, what: &What<'static>, _| match what {
            What::Poll(before, _) if *before == tape.polls => Due::Now,
            What::Poll(before, _) if *before > tape.polls => Due::Later,
            What::Poll(..) => Due::Past,
            _ if must => Due::Past,
            _ => Due::Later,
        };
        let due = tape.due(when, || "the scheduler polls".into());
        match due {
            Ok(Some(What::Poll(_, ready))) => {
                tape.polls = 0;
                ready
            }
            Ok(_) => {
                tape.polls += 1;
                return;
            }
            Err(ended) => {
                drop(tape);
                ended.obey()
            }
        }
    };
    for r in ready {
        match r {
            Ready::Read(index) => netpoll::told(index as usize, Mode::Read, &mut list),
            Ready::Write(index) => netpoll::told(index as usize, Mode::Write, &mut list),
            // SAFETY: it waits for the call.
            Ready::Call(g) => unsafe { TAPE.lock().call_ends(g, &mut list) },
        }
    }
    // SAFETY: the Gs are ours.
    unsafe { proc::inject_list(m, list) };
}

impl Tape {
    /// The call of goroutine `goid` is over.
    unsafe fn call_ends(&mut self, goid: u64, list: &mut GList) {
        if let Some(at) = self.calls.iter().position(|(g, _)| *g == goid) {
            let (_, g) = self.calls.swap_remove(at);
            // SAFETY: by the contract.
            unsafe { list.push(g) };
        }
    }
}

// ---- Calls.

/// What a call is, for the tape.
#[derive(Clone, Copy, Debug)]
pub struct Call {
    pub name: &'static str,
    /// A hash of what it is given.
    pub asked: u32,
    /// Where the program is.
    pub place: usize,
}

/// Writes down what a call has given and written.
///
/// Context: coroutine.
pub fn answered(call: Call, answer: &[u8]) {
    let g = who().unwrap_or(0);
    let mut tape = TAPE.lock();
    let name = tape.text(call.name);
    let place = tape.place(call.place);
    tape.add(
        g,
        &What::Answer {
            call: name,
            asked: call.asked,
            place,
            answer,
        },
    );
}

/// What a call gave and wrote when it was recorded. Others run first if they did.
///
/// Context: coroutine; the M may change.
pub fn answer<'m>(m: &'m mut M, call: &Call) -> (&'m mut M, &'static [u8]) {
    let mut m = m;
    let g = who().unwrap_or(0);
    let mut guard = TAPE.lock();
    if let Next::Entry(What::Waits, of, behind) = guard.next()
        && of == g
    {
        guard.cursor = behind;
        guard.calls.push((g, m.curg));
        drop(guard);
        m = proc::gopark(m, None, ParkArg::NONE, WaitReason::IoWait);
        guard = TAPE.lock();
    }
    let here = |tape: &Tape| {
        let place = at(&(tape.place)(call.place));
        let other = match tape.cursor.read(tape.map) {
            Found::Entry(What::Answer { call: name, .. }, of, _)
                if of == g && tape.name(name) == call.name =>
            {
                ", with something else"
            }
            _ => "",
        };
        format!("g{g} calls {}{place}{other}", call.name)
    };
    let taken = take(&mut guard, here, |tape, what, of| match *what {
        What::Answer {
            call: name,
            asked,
            answer,
            ..
        } => {
            let is_it = of == g && asked == call.asked && tape.name(name) == call.name;
            is_it.then_some(answer)
        }
        _ => None,
    });
    drop(guard);
    (m, taken.or_end())
}

/// The objects that are kept besides those that the program's own frames and variables point to:
/// `found`, or in a replay those that were.
///
/// Context: g0 of an M with a P; the world is stopped.
pub(crate) fn kept(found: impl FnOnce() -> Vec<u64>) -> Vec<u64> {
    let call = Call {
        name: "collection",
        asked: 0,
        place: 0,
    };
    if is_recorded() {
        let found = found();
        let bytes: Vec<u8> = found.iter().flat_map(|at| at.to_le_bytes()).collect();
        answered(call, &bytes);
        return found;
    }
    // SAFETY: the M is this thread's, which it stays, since nothing waits.
    let (_, bytes) = answer(unsafe { &mut *tls::current_m() }, &call);
    let words = bytes.chunks_exact(8).flat_map(<[u8; 8]>::try_from);
    words.map(u64::from_le_bytes).collect()
}

/// A descriptor goes into the poller, by `f`; in a replay as it did.
///
/// Context: coroutine.
pub(crate) fn registers(f: impl FnOnce() -> std::io::Result<()>) -> std::io::Result<()> {
    let call = Call {
        name: "poller",
        asked: 0,
        place: 0,
    };
    if is_recorded() {
        let r = f();
        let code = r.as_ref().err().map_or(0, errno);
        answered(call, &code.to_le_bytes());
        return r;
    }
    // SAFETY: the M is this thread's, which it stays, since nothing waits.
    let (_, bytes) = answer(unsafe { &mut *tls::current_m() }, &call);
    match <[u8; 4]>::try_from(bytes).map_or(0, i32::from_le_bytes) {
        0 => Ok(()),
        code => Err(std::io::Error::from_raw_os_error(code)),
    }
}

fn errno(e: &std::io::Error) -> i32 {
    e.raw_os_error().unwrap_or(libc::EIO)
}

/// Runs `f`, which may block, on another thread, while other goroutines run.
///
/// Context: coroutine, in a recorded run; the M may change.
pub fn aside<R>(m: &mut M, f: impl FnOnce() -> R) -> (&mut M, R) {
    struct Work<F, R> {
        f: Option<F>,
        result: Option<R>,
    }
    struct Sent(*mut ());
    // SAFETY: the goroutine waits until the thread has done with it.
    unsafe impl Send for Sent {}
    fn work<F: FnOnce() -> R, R>(at: *mut ()) {
        // SAFETY: as above.
        let work = unsafe { &mut *at.cast::<Work<F, R>>() };
        work.result = work.f.take().map(|f| f());
    }
    fn of<F: FnOnce() -> R, R>(_: &Work<F, R>) -> fn(*mut ()) {
        work::<F, R>
    }
    let goid = who().unwrap_or(0);
    let mut job = Work {
        f: Some(f),
        result: None,
    };
    let (run, sent) = (of(&job), Sent((&raw mut job).cast()));
    {
        let mut tape = TAPE.lock();
        tape.add(goid, &What::Waits);
        tape.calls.push((goid, m.curg));
    }
    let thread = move || {
        let sent = sent;
        run(sent.0);
        OVER.lock().push(goid);
        CALLS_OVER.store(true, Ordering::SeqCst);
        netpoll::break_poll();
    };
    if let Err(e) = signal::with_blocked(|| sync::spawn_thread(ASIDE_STACK, thread)) {
        crate::throw!("no thread for a call: {e}");
    }
    let m = proc::gopark(m, None, ParkArg::NONE, WaitReason::IoWait);
    // The other thread has written it.
    let result = std::hint::black_box(&mut job).result.take();
    match result {
        Some(r) => (m, r),
        None => crate::throw!("a call has no result"),
    }
}

/// Bytes of the stack of a thread that makes a call.
const ASIDE_STACK: usize = 256 << 10;

/// Whether the descriptor is standard output or error, as the process was given them: 1 or 2.
pub fn standard(fd: i32) -> Option<i32> {
    let of = STANDARD.get(fd as usize)?;
    Some(of.load(Ordering::Relaxed) as i32).filter(|of| *of != 0)
}

/// The descriptor is closed.
pub fn closes(fd: i32) {
    if let Some(of) = STANDARD.get(fd as usize) {
        of.store(0, Ordering::Relaxed);
    }
}

/// Descriptor `to` is another name for `from` now.
pub fn doubles(from: i32, to: i32) {
    if let Some(of) = STANDARD.get(to as usize) {
        of.store(standard(from).unwrap_or(0) as u32, Ordering::Relaxed);
    }
}

/// Does what the runtime prints itself go where the program has sent it, of which a replay knows?
pub fn is_print_elsewhere() -> bool {
    is_replayed() && standard(2).is_none()
}
