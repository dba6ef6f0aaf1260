//! A poller for models: as edge-triggered as mio's, with descriptors that become ready when the
//! model says so.
//!
//! Go: none; the behaviour is that of epoll with an edge-triggered eventfd.

use std::collections::VecDeque;
use std::io;
use std::os::fd::RawFd;
use std::time::Duration;

use crate::lockrank::Rank;
use crate::sync::{AtomicU32, Guarded, Ordering, futex_wait, futex_wake};

pub(super) struct Kernel;
pub(super) struct Waiter;

/// What became of a descriptor.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ready {
    pub(super) token: usize,
    pub(crate) read: bool,
    pub(crate) write: bool,
}

/// An edge of the waker; and descriptors that became ready since the last wait.
struct Edges {
    waker: bool,
    ready: VecDeque<Ready>,
}

static EDGES: Guarded<Edges> = Guarded::new(
    Rank::Leaf,
    Edges {
        waker: false,
        ready: VecDeque::new(),
    },
);
/// Counts edges; the M that polls sleeps on it.
static COUNT: AtomicU32 = AtomicU32::new(0);

/// Forgets all edges: another execution begins.
#[cfg(loom)]
pub(super) fn reset() {
    let mut e = EDGES.lock();
    e.waker = false;
    e.ready.clear();
    COUNT.store(0, Ordering::Relaxed);
}

/// Makes a descriptor ready.
#[cfg(shuttle)]
fn make_ready(r: Ready) {
    EDGES.lock().ready.push_back(r);
    COUNT.fetch_add(1, Ordering::AcqRel);
    futex_wake(&COUNT, 1);
}

#[allow(clippy::unused_self, reason = "as the machine's")]
impl Kernel {
    pub(super) fn open() -> io::Result<(Kernel, Waiter)> {
        Ok((Kernel, Waiter))
    }

    pub(super) fn wake(&self) -> io::Result<()> {
        EDGES.lock().waker = true;
        COUNT.fetch_add(1, Ordering::AcqRel);
        futex_wake(&COUNT, 1);
        Ok(())
    }

    pub(super) fn register(&self, _fd: RawFd, _token: usize) -> io::Result<()> {
        Ok(())
    }

    pub(super) fn deregister(&self, _fd: RawFd) -> io::Result<()> {
        Ok(())
    }

    /// Waits until there is an edge, which it takes, or the timeout is over.
    pub(super) fn wait(
        &self,
        _: &mut Waiter,
        timeout: Option<Duration>,
        mut f: impl FnMut(Ready),
    ) -> io::Result<()> {
        loop {
            let seen = COUNT.load(Ordering::Acquire);
            let (woken, ready) = {
                let mut e = EDGES.lock();
                (std::mem::take(&mut e.waker), std::mem::take(&mut e.ready))
            };
            let any = woken || !ready.is_empty();
            ready.into_iter().for_each(&mut f);
            if any || timeout == Some(Duration::ZERO) {
                return Ok(());
            }
            futex_wait(&COUNT, seen, timeout.map_or(-1, |t| t.as_nanos() as i64));
            if timeout.is_some() && COUNT.load(Ordering::Acquire) == seen {
                return Ok(());
            }
        }
    }
}
