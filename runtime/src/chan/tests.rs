#![allow(unsafe_code)]

use super::*;
use crate::testing::Fake;

const NOSCAN: LayoutId = LayoutId::NOSCAN;

fn try_send(f: &mut Fake, c: *mut Chan, v: u64) -> ChanOp {
    let (m, g) = f.both();
    // SAFETY: `v` lives over the call, which does not block.
    unsafe { send(m, g, c, SlotRef::addr(&raw const v), false) }
}

fn try_recv(f: &mut Fake, c: *mut Chan) -> (ChanOp, u64) {
    let mut v = u64::MAX;
    let (m, g) = f.both();
    // SAFETY: `v` lives over the call, which does not block.
    let op = unsafe { recv(m, g, c, SlotRef::addr(&raw mut v), false) };
    (op, v)
}

#[test]
fn sizes_out_of_range_are_refused() {
    let mut f = Fake::new();
    let err = Err(ChanError::SizeOutOfRange);
    assert_eq!(make_chan(f.m(), 8, NOSCAN, -1), err);
    assert_eq!(make_chan(f.m(), 8, NOSCAN, i64::MAX), err);
    assert_eq!(make_chan(f.m(), 8, NOSCAN, 1 << 46), err);
    let c = make_chan(f.m(), 0, NOSCAN, i64::MAX).unwrap();
    // SAFETY: `c` is a channel.
    unsafe { assert_eq!((cap(c), len(c)), (i64::MAX as usize, 0)) };
    // SAFETY: null is allowed.
    unsafe { assert_eq!((cap(ptr::null()), len(ptr::null())), (0, 0)) };
}

#[test]
fn the_ring_is_first_in_first_out() {
    let mut f = Fake::new();
    let c = make_chan(f.m(), 8, NOSCAN, 3).unwrap();
    let (mut next_in, mut next_out) = (0, 0);
    for round in 0..50 {
        for _ in 0..=round % 3 {
            assert_eq!(try_send(&mut f, c, next_in), ChanOp::Done(true));
            next_in += 1;
        }
        // SAFETY: `c` is a channel.
        assert_eq!(unsafe { len(c) }, round % 3 + 1);
        if round % 3 == 2 {
            assert_eq!(try_send(&mut f, c, 0), ChanOp::WouldBlock);
        }
        for _ in 0..=round % 3 {
            assert_eq!(try_recv(&mut f, c), (ChanOp::Done(true), next_out));
            next_out += 1;
        }
        assert_eq!(try_recv(&mut f, c).0, ChanOp::WouldBlock);
    }
}

#[test]
fn a_closed_channel_is_drained_and_then_gives_zero() {
    let mut f = Fake::new();
    let c = make_chan(f.m(), 8, NOSCAN, 2).unwrap();
    assert_eq!(try_send(&mut f, c, 5), ChanOp::Done(true));
    // SAFETY: `c` is a channel.
    unsafe {
        assert_eq!(close(f.m(), c), Ok(()));
        assert_eq!(close(f.m(), c), Err(ChanError::CloseOfClosed));
        assert_eq!(close(f.m(), ptr::null_mut()), Err(ChanError::CloseOfNil));
    }
    assert_eq!(
        try_send(&mut f, c, 6),
        ChanOp::Panic(ChanError::SendOnClosed)
    );
    assert_eq!(try_recv(&mut f, c), (ChanOp::Done(true), 5));
    assert_eq!(try_recv(&mut f, c), (ChanOp::Done(false), 0));
}

#[test]
fn elements_of_every_size_go_through() {
    let mut f = Fake::new();
    for size in [0usize, 1, 2, 3, 4, 7, 8, 16, 24, 100] {
        let c = make_chan(f.m(), size, NOSCAN, 2).unwrap();
        let src: Vec<u8> = (0..size as u8 + 1).collect();
        let mut dst = vec![0xaau8; size + 1];
        let (m, g) = f.both();
        // SAFETY: both places have room.
        unsafe {
            assert_eq!(
                send(m, g, c, SlotRef::addr(src.as_ptr()), false),
                ChanOp::Done(true)
            );
            assert_eq!(
                recv(m, g, c, SlotRef::addr(dst.as_mut_ptr()), false),
                ChanOp::Done(true)
            );
        }
        assert_eq!(dst[..size], src[..size]);
        assert_eq!(dst[size], 0xaa);
    }
}

#[test]
fn nil_channels_are_never_ready() {
    let mut f = Fake::new();
    assert_eq!(try_send(&mut f, ptr::null_mut(), 1), ChanOp::WouldBlock);
    assert_eq!(try_recv(&mut f, ptr::null_mut()).0, ChanOp::WouldBlock);
}
