//! Scheduling: `schedule`, `find_runnable`, `wake_p`, park and ready, the `go` statement.
//!
//! Each M runs `m_loop` on its own stack: choose a G, let it run on the coroutine, act on the
//! outcome. A *spinning* M holds a P, has no work and searches. The rules of waking are few. A
//! function that makes work visible looks, after a full barrier, whether an M searches; if none
//! does it starts one searcher if a P is idle ([`wake_p`]). An M that stops searching says so first
//! and then looks once more. An M that stops because it has found work starts the next searcher. So
//! with work waiting and a P idle, some M searches. `SCHEDULER.md` has the tables.
//!
//! # Invariants
//!
//! - R1. Between making work visible and the load of `nmspinning` stands a full fence, and
//!   another between the decrement of `nmspinning` and the last look at all queues.
//! - R2. Everything here but [`ready`], [`spawn`] and the parks runs on g0 (`assert_g0`).
//! - R3. `nmspinning` is the number of Ms with `spinning` set, and of those being started so.
//! - R4. An M about to sleep holds no P and does not spin.
//!
//! Go: runtime/proc.go. Each file of the folder names its part of it.

mod boot;
mod find;
mod handoff;
mod helpers;
mod locked;
mod newproc;
mod park;
mod queue;
mod schedule;
mod steal;
#[cfg(test)]
mod tests;
mod thread;
mod wake;

pub use boot::{exit, main_exit, main_init_done, main_init_failed, set_seed, start};
pub(crate) use helpers::wake_helper;
pub use helpers::{Helper, set_helper_hook};
pub use locked::{lock_os_thread, unlock_os_thread};
pub use newproc::{spawn, spawn_system};
pub use park::{gopark, gopark_unlock, gosched, gosched_guarded, ready};
pub use thread::set_max_threads;
pub(crate) use wake::{wake_net_poller, wake_p};

pub(crate) use handoff::{acquire_p, handoff_p, release_p, start_m, stop_m, wake_m};
pub(crate) use helpers::{finalizers_wait, take_helper, wake_finalizer};
pub(crate) use locked::inc_idle_locked;
pub(crate) use newproc::{gfree_purge, new_detached};
pub(crate) use queue::{inject_behind, inject_list, note_ring, queue_first, runq_get};
pub(crate) use schedule::{bump, execute_syscall, switch_directly};
pub(crate) use thread::{front_m, launch_system, reserve_id};

#[cfg(all(test, shuttle))]
pub(crate) use tests::hook;
#[cfg(test)]
pub(crate) use tests::{SPUN, at_step};
#[cfg(all(test, loom))]
pub(crate) use {
    find::{GaveUp, LastLook, give_up_p, last_look},
    park::park_m,
    queue::put,
    wake::become_spinning,
};
