//! Channels.
//!
//! A [`Chan`] is a ring buffer and two queues of waiting Gs, under one lock. It is a heap object of
//! plain bytes: the collector frees it when nothing names it.
//!
//! An operation either completes at once, or queues the goroutine and answers [`ChanOp::Blocked`]:
//! the caller leaves with `Outcome::Park`, and when the goroutine runs again ends the operation
//! with [`finish_send`] or [`finish_recv`]. Nothing but the channel's own lock, which goes to
//! `park`, is held over the switch.
//!
//! # Invariants
//!
//! - C1. `sendq` or `recvq` is empty, save for a G which selects on both ends.
//! - C2. When buffered: a value in the ring implies `recvq` is empty, a free slot `sendq`.
//! - C3. A waiter is claimed under the lock; the claiming operation must `ready` its G, exactly
//!   once, after the lock is released.
//! - C4. All fields but `qcount` and `state` are read and written under the lock, or never change
//!   after `make`. Those two are also read without it.
//! - C5. A waiter's slot is written and read under the lock, while its G waits. Slots in a stack
//!   are named by offset, and stacks of waiting Gs are moved only with the world stopped, when no M
//!   is inside an operation. So the address worked out here stays good until the unlock.
//! - C6. `buf` has room for `dataqsiz` elements of `elem_size` bytes with `layout`.
//!
//! Go: runtime/chan.go. Spec: Channel types, Send statements, Receive operator, Close.

#![allow(unsafe_code)]

use std::mem::{offset_of, size_of};
use std::ptr;

use crate::g::{G, WaitReason};
use crate::heap::{self, LayoutId, WordKind};
use crate::lockrank::Rank;
use crate::m::{M, ParkArg};
use crate::sync::{AtomicU32, AtomicUsize, Lock, Ordering};
use crate::timer::{self, Timer};
use crate::{bubble, race};

pub(crate) mod queue;
pub(crate) mod step;
pub mod sudog;

use queue::WaitQ;
use step::Step;
pub(crate) use sudog::{Sudog, SudogCache};

#[cfg(test)]
mod tests;

/// The bit of a channel's state that says that it is closed.
const CLOSED: u32 = 1;

/// The largest buffer in bytes. Go: maxAlloc.
const MAX_BUFFER: usize = 1 << 48;

/// Where an operation finds or puts its element: nowhere, a slot of the goroutine's stack, or an
/// address outside stacks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SlotRef(usize);

impl SlotRef {
    /// No slot: a received value is dropped.
    pub const NONE: SlotRef = SlotRef(0);

    const STACK: usize = 1 << 63;

    /// The slot `offset` bytes above the goroutine's `stack_lo`.
    #[inline]
    pub const fn stack(offset: usize) -> SlotRef {
        SlotRef(offset | SlotRef::STACK)
    }

    /// A place outside stacks: a heap object, a global, a constant.
    #[inline]
    pub fn addr<T>(p: *const T) -> SlotRef {
        SlotRef(p as usize)
    }

    #[inline]
    fn is_stack(self) -> bool {
        self.0 & SlotRef::STACK != 0
    }

    #[inline]
    fn is_none(self) -> bool {
        self.0 == 0
    }

    /// The address in the heap that it names, or 0.
    fn heap_word(self) -> usize {
        if self.is_stack() { 0 } else { self.0 }
    }

    /// The address now.
    ///
    /// # Safety
    ///
    /// `g` is the goroutine whose stack a stack slot lies in, and its stack does not move while the
    /// address is used.
    #[inline]
    unsafe fn ptr(self, g: *const G) -> *mut u8 {
        if self.is_stack() {
            // SAFETY: the caller's `g` is a G, and those are never freed.
            unsafe { ((*g).stack_lo + (self.0 & !SlotRef::STACK)) as *mut u8 }
        } else {
            self.0 as *mut u8
        }
    }
}

/// The type of a channel's elements, by a number of the engine's: [`Engine::elem_type`] knows its
/// text. Only traces ask for it.
///
/// [`Engine::elem_type`]: crate::engine::Engine::elem_type
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ElemType(pub u32);

impl ElemType {
    /// It is not known.
    pub const NONE: ElemType = ElemType(0);
    /// What a timer sends.
    pub const TICK: ElemType = ElemType(u32::MAX >> 1);
}

/// A channel: Go's `chan T` points to it. A heap object.
#[repr(C)]
#[derive(Debug)]
pub struct Chan {
    /// Elements in the ring. Written under the lock.
    qcount: AtomicUsize,
    /// Capacity of the ring.
    dataqsiz: usize,
    /// The ring: in this object when its elements hold no pointers, else one more object.
    buf: *mut u8,
    /// The timer that feeds the channel, or null. Set before the channel is used.
    pub(crate) timer: *mut Timer,
    elem_size: u32,
    /// The number of the bubble it was made in, or 0. Never changes.
    pub(crate) bubble: u32,
    layout: LayoutId,
    /// Twice the [`ElemType`], and 1 more if it is closed. `close` writes it, once, under the lock.
    state: AtomicU32,
    sendx: usize,
    recvx: usize,
    recvq: WaitQ,
    sendq: WaitQ,
    pub(crate) lock: Lock,
}

/// What an operation on a channel fails with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChanError {
    /// `make`: the capacity is negative or too large.
    SizeOutOfRange,
    SendOnClosed,
    CloseOfClosed,
    CloseOfNil,
    /// The channel belongs to a bubble that the goroutine is not in: this, and what follows, ends
    /// the program.
    SendOutside,
    ReceiveOutside,
    CloseOutside,
    SelectOutside,
}

impl ChanError {
    /// The text of Go's run-time panic.
    pub fn text(self) -> &'static str {
        match self {
            ChanError::SizeOutOfRange => "makechan: size out of range",
            ChanError::SendOnClosed => "send on closed channel",
            ChanError::CloseOfClosed => "close of closed channel",
            ChanError::CloseOfNil => "close of nil channel",
            ChanError::SendOutside => "send on synctest channel from outside bubble",
            ChanError::ReceiveOutside => "receive on synctest channel from outside bubble",
            ChanError::CloseOutside => "close of synctest channel from outside bubble",
            ChanError::SelectOutside => "select on synctest channel from outside bubble",
        }
    }

    /// Whether it ends the program, rather than being a panic.
    pub fn is_fatal(self) -> bool {
        matches!(
            self,
            ChanError::SendOutside
                | ChanError::ReceiveOutside
                | ChanError::CloseOutside
                | ChanError::SelectOutside
        )
    }
}

/// What became of a send or receive.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[must_use]
pub enum ChanOp {
    /// Done. For a receive: whether a value was received, rather than zero from a closed channel.
    Done(bool),
    /// It would have to wait, and was told not to.
    WouldBlock,
    /// The goroutine is queued: leave with `Outcome::Park`, later call `finish_…`.
    Blocked,
    /// A run-time panic.
    Panic(ChanError),
}

/// The layout of a channel whose ring is an object of its own, or which has a timer.
fn chan_layout() -> LayoutId {
    /// 0 until it is registered; that twice does no harm. Written here.
    static LAYOUT: AtomicU32 = AtomicU32::new(0);
    let known = LAYOUT.load(Ordering::Relaxed);
    if known != 0 {
        return LayoutId(known);
    }
    let mut words = [WordKind::Scalar; size_of::<Chan>() / 8];
    words[offset_of!(Chan, buf) / 8] = WordKind::Pointer;
    words[offset_of!(Chan, timer) / 8] = WordKind::Pointer;
    let id = heap::register_layout(size_of::<Chan>(), &words);
    LAYOUT.store(id.0, Ordering::Relaxed);
    id
}

/// Makes a channel for elements of `elem_size` bytes laid out as `layout`, of a type that is not
/// known.
///
/// Context: with a P.
pub fn make_chan(
    m: &mut M,
    elem_size: usize,
    layout: LayoutId,
    cap: i64,
) -> Result<*mut Chan, ChanError> {
    make_chan_of(m, ElemType::NONE, elem_size, layout, cap)
}

/// Makes a channel for elements of type `elem`, of `elem_size` bytes laid out as `layout`.
///
/// Context: with a P. Go: runtime/chan.go, makechan.
#[inline]
pub fn make_chan_of(
    m: &mut M,
    elem: ElemType,
    elem_size: usize,
    layout: LayoutId,
    cap: i64,
) -> Result<*mut Chan, ChanError> {
    let scan = layout != LayoutId::NOSCAN && cap > 0;
    new_chan(m, elem, elem_size, layout, cap, scan)
}

/// Makes the channel of a timer: with room for one tick, and a word for the timer.
///
/// Context: with a P.
pub fn make_timer_chan(m: &mut M, elem_size: usize, layout: LayoutId) -> *mut Chan {
    match new_chan(m, ElemType::TICK, elem_size, layout, 1, true) {
        Ok(c) => c,
        Err(_) => crate::throw!("makechan: bad timer element"),
    }
}

fn new_chan(
    m: &mut M,
    elem: ElemType,
    elem_size: usize,
    layout: LayoutId,
    cap: i64,
    scan: bool,
) -> Result<*mut Chan, ChanError> {
    const HEADER: usize = size_of::<Chan>();
    let cap = if fault!(AnyChanSize) { cap.max(0) } else { cap };
    let n = usize::try_from(cap).map_err(|_| ChanError::SizeOutOfRange)?;
    let small = u32::try_from(elem_size).map_err(|_| ChanError::SizeOutOfRange)?;
    let bytes = elem_size.checked_mul(n).ok_or(ChanError::SizeOutOfRange)?;
    if bytes > MAX_BUFFER - HEADER {
        return Err(ChanError::SizeOutOfRange);
    }
    // SAFETY: C6; `alloc` never returns null, and what it returns is zeroed and ours alone.
    unsafe {
        let (c, buf) = if scan {
            let c = heap::alloc(m, HEADER, chan_layout());
            // `c` stays alive: allocation never collects.
            let buf = if bytes == 0 {
                c.add(HEADER - 8)
            } else {
                heap::alloc(m, bytes, layout)
            };
            (c, buf)
        } else {
            let c = heap::alloc(m, HEADER + bytes, LayoutId::NOSCAN);
            (c, if bytes == 0 { c } else { c.add(HEADER) })
        };
        let c = c.cast::<Chan>();
        c.write(Chan {
            qcount: AtomicUsize::new(0),
            dataqsiz: n,
            buf: ptr::null_mut(),
            timer: ptr::null_mut(),
            elem_size: small,
            bubble: bubble::id(m),
            layout,
            state: AtomicU32::new(elem.0 << 1),
            sendx: 0,
            recvx: 0,
            recvq: WaitQ::new(),
            sendq: WaitQ::new(),
            lock: Lock::new(Rank::Chan),
        });
        heap::store_ptr((&raw mut (*c).buf).cast(), buf as usize);
        if race::is_on() {
            race::made(c);
        }
        Ok(c)
    }
}

impl Chan {
    /// How many elements the ring has room for.
    pub(crate) fn places(&self) -> usize {
        self.dataqsiz
    }

    #[inline]
    fn elem_size(&self) -> usize {
        self.elem_size as usize
    }

    /// # Safety
    ///
    /// `i < dataqsiz` (C6).
    #[inline]
    unsafe fn slot(&self, i: usize) -> *mut u8 {
        // SAFETY: C6.
        unsafe { self.buf.add(i * self.elem_size()) }
    }

    #[inline]
    fn is_closed(&self) -> bool {
        // Acquire: pairs with the Release in `close`, for readers without the lock.
        self.state.load(Ordering::Acquire) & CLOSED != 0
    }

    /// The type of its elements.
    pub(crate) fn elem_type(&self) -> ElemType {
        ElemType(self.state.load(Ordering::Relaxed) >> 1)
    }

    #[inline]
    fn count(&self) -> usize {
        self.qcount.load(Ordering::Relaxed)
    }

    /// The first that waits to receive, or null.
    pub(crate) fn first_receiver(&self) -> *const Sudog {
        self.recvq.first()
    }

    /// Whether a receive would have to wait. A hint without the lock.
    fn looks_empty(&self) -> bool {
        // Acquire: the order in which `recv` looks at this and at `closed` matters.
        if self.dataqsiz == 0 {
            self.sendq.first.load(Ordering::Acquire).is_null()
        } else {
            self.qcount.load(Ordering::Acquire) == 0
        }
    }

    /// Whether a send would have to wait. A hint without the lock.
    fn looks_full(&self) -> bool {
        if self.dataqsiz == 0 {
            self.recvq.first().is_null()
        } else {
            self.count() == self.dataqsiz
        }
    }

    /// Puts `src` at the end of the ring.
    ///
    /// # Safety
    ///
    /// The lock is held, the ring has room; `src` is an element.
    #[inline]
    unsafe fn push(&mut self, src: *const u8) {
        // SAFETY: C6; `sendx` stays below `dataqsiz`.
        unsafe {
            let dst = self.slot(self.sendx);
            if self.elem_size == 8 && self.layout == LayoutId::NOSCAN {
                dst.cast::<u64>().write(src.cast::<u64>().read());
            } else {
                copy_to_heap(self.layout, dst, src, self.elem_size());
            }
        }
        self.sendx += 1;
        if self.sendx == self.dataqsiz {
            self.sendx = 0;
        }
        self.qcount.store(self.count() + 1, Ordering::Release);
    }

    /// Takes the first element of the ring to `dst`, if not null.
    ///
    /// # Safety
    ///
    /// The lock is held, the ring is not empty; `dst` has room, on a stack if `on_stack`.
    #[inline(always)]
    unsafe fn pop(&mut self, dst: *mut u8, on_stack: bool) {
        // SAFETY: C6; `recvx` stays below `dataqsiz`.
        unsafe {
            let src = self.slot(self.recvx);
            if !dst.is_null() {
                self.copy_out(dst, src, on_stack);
            }
            if self.layout != LayoutId::NOSCAN {
                heap::zero_typed(self.layout, src, self.elem_size());
            }
        }
        self.recvx += 1;
        if self.recvx == self.dataqsiz {
            self.recvx = 0;
        }
        self.qcount.store(self.count() - 1, Ordering::Release);
    }

    /// # Safety
    ///
    /// `src` is an element, `dst` has room, on a stack if `on_stack`.
    #[inline]
    unsafe fn copy_out(&self, dst: *mut u8, src: *const u8, on_stack: bool) {
        // SAFETY: the caller's.
        unsafe {
            if on_stack || self.layout == LayoutId::NOSCAN {
                copy_bytes(dst, src, self.elem_size());
            } else {
                copy_to_heap(self.layout, dst, src, self.elem_size());
            }
        }
    }

    /// # Safety
    ///
    /// `elem` is a slot of `g` with room, or none.
    unsafe fn zero_out(&self, g: *const G, elem: SlotRef) {
        if elem.is_none() {
            return;
        }
        // SAFETY: C5, and the caller's.
        unsafe {
            let dst = elem.ptr(g);
            if elem.is_stack() || self.layout == LayoutId::NOSCAN {
                ptr::write_bytes(dst, 0, self.elem_size());
            } else {
                heap::zero_typed(self.layout, dst, self.elem_size());
            }
        }
    }
}

/// Copies an element that may hold pointers by whole words, else bytes.
///
/// # Safety
///
/// As `ptr::copy_nonoverlapping`.
#[inline]
unsafe fn copy_bytes(dst: *mut u8, src: *const u8, n: usize) {
    // SAFETY: the caller's.
    unsafe {
        match n {
            8 => dst
                .cast::<u64>()
                .write_unaligned(src.cast::<u64>().read_unaligned()),
            4 => dst
                .cast::<u32>()
                .write_unaligned(src.cast::<u32>().read_unaligned()),
            1 => dst.write(src.read()),
            16 => dst
                .cast::<[u64; 2]>()
                .write_unaligned(src.cast::<[u64; 2]>().read_unaligned()),
            0 => {}
            _ => ptr::copy_nonoverlapping(src, dst, n),
        }
    }
}

/// # Safety
///
/// As `ptr::copy_nonoverlapping`; `dst` is outside stacks and laid out as `layout`.
#[inline]
unsafe fn copy_to_heap(layout: LayoutId, dst: *mut u8, src: *const u8, n: usize) {
    // SAFETY: the caller's.
    unsafe {
        if layout == LayoutId::NOSCAN {
            copy_bytes(dst, src, n);
        } else {
            heap::copy_typed(layout, dst, src, n);
        }
    }
}

/// Queues `g` on `c`, whose lock goes to the park.
///
/// # Safety
///
/// The lock of `c` is held; `g` runs on `m`.
#[inline]
unsafe fn block(m: &mut M, g: &mut G, c: *mut Chan, elem: SlotRef, is_send: bool) -> ChanOp {
    // SAFETY: the lock is held, and the sudog is ours until it is queued.
    unsafe {
        let s = sudog::acquire(m, g);
        (*s).chan = c;
        (*s).elem = elem;
        g.waiting = s;
        g.param = ptr::null_mut();
        let is_bubbled = (*c).bubble != 0;
        let reason = if is_send {
            (*c).sendq.enqueue(s);
            match is_bubbled {
                false => WaitReason::ChanSend,
                true => WaitReason::SynctestChanSend,
            }
        } else {
            (*c).recvq.enqueue(s);
            match is_bubbled {
                false => WaitReason::ChanReceive,
                true => WaitReason::SynctestChanReceive,
            }
        };
        if !(*c).timer.is_null() && timer::block_chan(m, (*c).timer) {
            let lock = ParkArg::object(&raw const (*c).lock);
            m.park(Some(commit_timer_chan), lock, reason);
        } else {
            m.park_unlock(&(*c).lock, reason);
        }
    }
    ChanOp::Blocked
}

/// Commits the park on a channel whose timer has become the first of this P.
///
/// # Safety
///
/// `lock` is the address of the channel's lock, which is held.
unsafe fn commit_timer_chan(_: *mut G, lock: ParkArg) -> bool {
    // SAFETY: the parked goroutine's sudog keeps the channel alive until the unlock.
    unsafe { (*lock.as_ptr::<Lock>()).unlock() };
    timer::tell_poller();
    true
}

/// Sends the element in `elem` on `c`. If it cannot at once, queues the goroutine, or answers
/// `WouldBlock` if told not to `block`.
///
/// A nil channel blocks for ever.
///
/// Context: coroutine; with a P; no lock held. After `Blocked` the goroutine must park, and then
/// call [`finish_send`].
///
/// # Safety
///
/// `c` is null or a channel; `elem` is a slot of `g`, or an address, that holds an element
/// and stays so until the send is finished; `g` runs on `m`.
///
/// Spec: Send statements. Go: runtime/chan.go, chansend.
#[inline(always)]
pub unsafe fn send(m: &mut M, g: &mut G, c: *mut Chan, elem: SlotRef, may_block: bool) -> ChanOp {
    if c.is_null() {
        return on_nil(m, g, may_block, WaitReason::ChanSendNilChan);
    }
    // SAFETY: C1 to C6; the lock is held from here until each unlock.
    unsafe {
        if (*c).bubble != 0 && bubble::is_outside(g, (*c).bubble) {
            return ChanOp::Panic(ChanError::SendOutside);
        }
        if !may_block && !(*c).is_closed() && (*c).looks_full() {
            return ChanOp::WouldBlock;
        }
        (*c).lock.lock();
        match step::send(g, c, elem) {
            Step::Done => {
                (*c).lock.unlock();
                ChanOp::Done(true)
            }
            Step::Wake(s) => {
                (*c).lock.unlock();
                wake(m, s, true);
                ChanOp::Done(true)
            }
            Step::Wait if may_block => block(m, g, c, elem, true),
            Step::Wait => {
                (*c).lock.unlock();
                ChanOp::WouldBlock
            }
            Step::Closed => {
                (*c).lock.unlock();
                ChanOp::Panic(ChanError::SendOnClosed)
            }
        }
    }
}

/// Receives from `c` into `elem`. If it cannot at once, queues the goroutine, or answers
/// `WouldBlock` if told not to `block`. From a closed and drained channel comes zero.
///
/// A nil channel blocks for ever.
///
/// Context: as [`send`]; end it with [`finish_recv`].
///
/// # Safety
///
/// As [`send`], with `elem` having room for an element, or none.
///
/// Spec: Receive operator. Go: runtime/chan.go, chanrecv.
#[inline(always)]
pub unsafe fn recv(m: &mut M, g: &mut G, c: *mut Chan, elem: SlotRef, may_block: bool) -> ChanOp {
    if c.is_null() {
        return on_nil(m, g, may_block, WaitReason::ChanReceiveNilChan);
    }
    // SAFETY: C1 to C6; the lock is held from here until each unlock.
    unsafe {
        if (*c).bubble != 0 && bubble::is_outside(g, (*c).bubble) {
            return ChanOp::Panic(ChanError::ReceiveOutside);
        }
        if !(*c).timer.is_null() {
            timer::maybe_run_chan(m, (*c).timer);
        }
        // In this order: a channel that is seen empty and then open was empty while open; one seen
        // empty and then closed is looked at under the lock.
        if !may_block && (*c).looks_empty() && !(*c).is_closed() {
            return ChanOp::WouldBlock;
        }
        (*c).lock.lock();
        match step::recv(g, c, elem) {
            Step::Done => {
                (*c).lock.unlock();
                ChanOp::Done(true)
            }
            Step::Wake(s) => {
                (*c).lock.unlock();
                wake(m, s, true);
                ChanOp::Done(true)
            }
            Step::Wait if may_block => block(m, g, c, elem, false),
            Step::Wait => {
                (*c).lock.unlock();
                ChanOp::WouldBlock
            }
            Step::Closed => {
                (*c).lock.unlock();
                ChanOp::Done(false)
            }
        }
    }
}

/// Tells the claimed waiter `s` how it ended, and makes its goroutine runnable.
///
/// # Safety
///
/// `s` was dequeued by the caller, and no lock is held (C3).
#[inline]
pub(crate) unsafe fn wake(m: &mut M, s: *mut Sudog, success: bool) {
    // SAFETY: C3; the sudog is its goroutine's again only after `ready`.
    unsafe {
        let g = (*s).g;
        (*s).success = success;
        (*g).param = s;
        crate::proc::ready(m, g);
    }
}

#[cold]
fn on_nil(m: &mut M, g: &mut G, may_block: bool, reason: WaitReason) -> ChanOp {
    if !may_block {
        return ChanOp::WouldBlock;
    }
    g.param = ptr::null_mut();
    m.park(None, ParkArg::NONE, reason);
    ChanOp::Blocked
}

/// Ends the wait of a goroutine that was woken; `true` if by a partner, not by close.
///
/// # Safety
///
/// `g` runs on `m` and has parked after `Blocked`.
#[inline]
unsafe fn finish(m: &mut M, g: &mut G) -> bool {
    let s = g.param;
    if s.is_null() || s != g.waiting {
        crate::throw!("G waiting list is corrupted");
    }
    g.waiting = ptr::null_mut();
    g.param = ptr::null_mut();
    // SAFETY: the waker has dequeued it, so it is ours (sudog::S1).
    unsafe {
        let success = (*s).success;
        let t = (*(*s).chan).timer;
        if !t.is_null() {
            timer::unblock_chan(t);
        }
        sudog::release(m, s);
        success
    }
}

/// Ends a send that was `Blocked`, when its goroutine runs again; the error is a panic.
///
/// # Safety
///
/// `g` runs on `m`, and has parked after `Blocked`.
#[inline]
pub unsafe fn finish_send(m: &mut M, g: &mut G) -> Result<(), ChanError> {
    // SAFETY: the caller's.
    if unsafe { finish(m, g) } {
        Ok(())
    } else {
        Err(ChanError::SendOnClosed)
    }
}

/// Ends a receive that was `Blocked`, when its goroutine runs again. The element, or zero, is in
/// its slot; `false` means that the channel was closed.
///
/// # Safety
///
/// `g` runs on `m`, and has parked after `Blocked`.
#[inline]
pub unsafe fn finish_recv(m: &mut M, g: &mut G) -> bool {
    // SAFETY: the caller's.
    unsafe { finish(m, g) }
}

/// Closes `c` and wakes all that wait on it: the youngest first, so that the oldest is left in
/// `runnext` and runs first. The error is a panic.
///
/// Context: with a P; no lock held.
///
/// # Safety
///
/// `c` is null or a channel.
///
/// Spec: Close. Go: runtime/chan.go, closechan.
pub unsafe fn close(m: &mut M, c: *mut Chan) -> Result<(), ChanError> {
    if c.is_null() {
        return Err(ChanError::CloseOfNil);
    }
    // SAFETY: C1 to C5; claimed sudogs are linked by `next` until their goroutine is ready (C3).
    unsafe {
        if (*c).bubble != 0 && bubble::is_outside(m.curg, (*c).bubble) {
            return Err(ChanError::CloseOutside);
        }
        (*c).lock.lock();
        if (*c).is_closed() {
            (*c).lock.unlock();
            return Err(ChanError::CloseOfClosed);
        }
        // Release: pairs with the Acquire in `is_closed`.
        let state = (*c).state.load(Ordering::Relaxed);
        (*c).state.store(state | CLOSED, Ordering::Release);
        if race::is_on() {
            race::closed(c, m.curg);
        }
        let mut stack: *mut Sudog = ptr::null_mut();
        loop {
            let s = (*c).recvq.dequeue();
            if s.is_null() {
                break;
            }
            (*c).zero_out((*s).g, (*s).elem);
            if race::is_on() {
                race::drained(c, (*s).g);
            }
            (*s).next = stack;
            stack = s;
        }
        loop {
            let s = (*c).sendq.dequeue();
            if s.is_null() {
                break;
            }
            (*s).next = stack;
            stack = s;
        }
        (*c).lock.unlock();
        while !stack.is_null() {
            let s = stack;
            stack = (*s).next;
            (*s).next = ptr::null_mut();
            wake(m, s, false);
            if fault!(CloseWakesOne) {
                break;
            }
        }
    }
    Ok(())
}

/// `len(c)`: the elements in the ring. 0 for nil, and for a timer's channel, which looks
/// unbuffered.
///
/// # Safety
///
/// `c` is null or a channel.
#[inline]
pub unsafe fn len(c: *const Chan) -> usize {
    // SAFETY: the caller's; C4.
    unsafe {
        if c.is_null() || !(*c).timer.is_null() {
            0
        } else {
            (*c).count()
        }
    }
}

/// Whether the channel was closed.
///
/// # Safety
///
/// `c` is a channel.
pub(crate) unsafe fn is_closed(c: *const Chan) -> bool {
    // SAFETY: the caller's; C4.
    unsafe { (*c).state.load(Ordering::Relaxed) & CLOSED != 0 }
}

/// `cap(c)`: the size of the ring. 0 for nil, and for a timer's channel.
///
/// # Safety
///
/// `c` is null or a channel.
#[inline]
pub unsafe fn cap(c: *const Chan) -> usize {
    // SAFETY: the caller's; C4.
    unsafe {
        if c.is_null() || !(*c).timer.is_null() {
            0
        } else {
            (*c).dataqsiz
        }
    }
}

/// Drops what is in the ring of a timer's channel; `true` if there was something.
///
/// # Safety
///
/// `c` is a timer's channel.
pub(crate) unsafe fn drain(c: *mut Chan) -> bool {
    // SAFETY: the caller's; C4.
    unsafe {
        if (*c).count() == 0 {
            return false;
        }
        (*c).lock.lock();
        let any = (*c).count() > 0;
        while (*c).count() > 0 {
            if race::is_on() {
                race::popped(c, ptr::null());
            }
            (*c).pop(ptr::null_mut(), false);
        }
        (*c).lock.unlock();
        any
    }
}

/// Sends an element from outside any goroutine, if that needs no waiting: a timer's tick.
///
/// Context: g0 or coroutine, with a P; no channel's lock held.
///
/// # Safety
///
/// `c` is a channel; `elem` points to an element.
pub unsafe fn send_tick(m: &mut M, c: *mut Chan, elem: *const u8) -> bool {
    // SAFETY: the caller's; an address needs no goroutine.
    unsafe {
        (*c).lock.lock();
        let step = step::send(ptr::null(), c, SlotRef::addr(elem));
        (*c).lock.unlock();
        match step {
            Step::Done => true,
            Step::Wake(s) => {
                wake(m, s, true);
                true
            }
            Step::Wait | Step::Closed => false,
        }
    }
}

/// The queue of the goroutines that wait to send on, or receive from, `c`.
///
/// # Safety
///
/// The lock of `c` is held.
#[inline]
pub(crate) unsafe fn queue_of<'a>(c: *mut Chan, senders: bool) -> &'a mut WaitQ {
    // SAFETY: C4.
    unsafe {
        if senders {
            &mut (*c).sendq
        } else {
            &mut (*c).recvq
        }
    }
}
