#![allow(unsafe_code)]
//! A P in a system call: the M that returns, sysmon, and the M that stops the world agree on its
//! owner.

use loom::thread;

use super::forged::{NO_P, given, idle_m, new_m, running, running_g, world};
use crate::p::{PStatus, SysmonTick};
use crate::sync::Ordering;
use crate::sync::model::{explore, threads_made};
use crate::syscall::{self, KernelCall};
use crate::{stw, sysmon};

/// sysmon retakes the P while its M returns.
#[test]
fn loom_syscall_exit_against_retake() {
    explore(|| {
        let ps = world(1);
        let p = ps[0];
        let (a, sysmon, other) = (running(0, p), new_m(1), idle_m(2));
        running_g(a);
        p.r().sysmontick = SysmonTick {
            schedwhen: 1,
            syscallwhen: 1,
            ..SysmonTick::default()
        };
        syscall::enter(a.r(), KernelCall::NONE);
        let watcher = thread::spawn(move || {
            // SAFETY: this thread plays sysmon.
            unsafe { sysmon::retake(sysmon.get(), 5) }
        });
        // SAFETY: this thread plays `a`, which returns from the call.
        let kept = unsafe { syscall::fast(a.r()) };
        let retaken = watcher.join().unwrap();
        let with_other = given(other) != NO_P || threads_made() > 0;
        assert!(
            !(kept && with_other),
            "the P belongs to the one who returned and to another"
        );
        assert!(kept || with_other, "the P is lost");
        assert_eq!(retaken == 1, with_other);
        if kept {
            assert_eq!(a.r().p, p.get());
            assert_eq!(p.r().status(), PStatus::Running);
        }
    });
}

/// The world is stopped while an M enters a system call: one of the two gives the P up.
#[test]
fn loom_syscall_enter_against_stop() {
    explore(|| {
        let ps = world(2);
        let (a, b) = (running(0, ps[0]), running(1, ps[1]));
        running_g(a);
        let p = ps[0];
        let enterer = thread::spawn(move || syscall::enter(a.r(), KernelCall::NONE));
        // SAFETY: this thread plays `b`, which stops the world.
        unsafe { stw::stop(b.get(), "model") };
        assert_eq!(p.r().status(), PStatus::GcStop);
        enterer.join().unwrap();
        assert_eq!(p.r().status(), PStatus::GcStop);
        assert_eq!(p.r().syscalltick.load(Ordering::Relaxed), 1);
    });
}
