//! The machine's poller, behind mio.
//!
//! mio polls through `&mut`, so that part is handed in by the holder of its lock (netpoll::I1).

use std::io;
use std::os::fd::RawFd;
use std::time::Duration;

use mio::unix::SourceFd;
use mio::{Events, Interest, Poll, Registry, Token, Waker};

/// Events taken per wait.
const EVENTS: usize = 128;
const WAKER: Token = Token(usize::MAX);

/// What needs no lock.
pub(super) struct Kernel {
    registry: Registry,
    waker: Waker,
}

/// What one thread at a time may use.
pub(super) struct Waiter {
    poll: Poll,
    events: Events,
}

/// What became of a descriptor.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ready {
    /// What it was registered with.
    pub(super) token: usize,
    /// A reader may go on.
    pub(super) read: bool,
    /// A writer may go on.
    pub(super) write: bool,
}

impl Kernel {
    pub(super) fn open() -> io::Result<(Kernel, Waiter)> {
        let poll = Poll::new()?;
        let waker = Waker::new(poll.registry(), WAKER)?;
        let registry = poll.registry().try_clone()?;
        let events = Events::with_capacity(EVENTS);
        Ok((Kernel { registry, waker }, Waiter { poll, events }))
    }

    /// Ends the wait under way, or the next one.
    pub(super) fn wake(&self) -> io::Result<()> {
        self.waker.wake()
    }

    /// Registers for both directions, edge-triggered.
    pub(super) fn register(&self, fd: RawFd, token: usize) -> io::Result<()> {
        let both = Interest::READABLE | Interest::WRITABLE;
        self.registry
            .register(&mut SourceFd(&fd), Token(token), both)
    }

    pub(super) fn deregister(&self, fd: RawFd) -> io::Result<()> {
        self.registry.deregister(&mut SourceFd(&fd))
    }

    /// Waits, for ever if `timeout` is `None`, and calls `f` with each descriptor that is ready.
    pub(super) fn wait(
        &self,
        waiter: &mut Waiter,
        timeout: Option<Duration>,
        mut f: impl FnMut(Ready),
    ) -> io::Result<()> {
        waiter.poll.poll(&mut waiter.events, timeout)?;
        for e in &waiter.events {
            if e.token() != WAKER {
                f(Ready {
                    token: e.token().0,
                    read: e.is_readable() || e.is_read_closed() || e.is_error(),
                    write: e.is_writable() || e.is_write_closed() || e.is_error(),
                });
            }
        }
        Ok(())
    }
}
