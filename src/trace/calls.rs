//! Which Ps are held by system calls.

use std::collections::HashMap;

use crate::seen::Seen;

/// Ps, each with the goroutine whose system call holds it.
///
/// Who comes back from a call to find that its P was taken meanwhile has got another turn, even if
/// it takes the same P again.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Calls(HashMap<i64, u64>);

impl Calls {
    /// Takes note of an event. Of the end of a call: whether the goroutine has had its P all along.
    pub(crate) fn event(&mut self, seen: &Seen<'_>) -> bool {
        let (g, p) = (seen.e.g, seen.e.p);
        match seen.name {
            "syscall" => {
                self.0.retain(|_, held| *held != g);
                if seen.op("blocking") == 0 {
                    self.0.insert(p, g);
                }
                false
            }
            "retaken" | "start" => {
                self.0.remove(&p);
                false
            }
            "syscall-end" => {
                let has_kept = self.0.remove(&p) == Some(g);
                self.0.retain(|_, held| *held != g);
                has_kept
            }
            "syscall-blocked" => {
                self.0.retain(|_, held| *held != g);
                false
            }
            _ => false,
        }
    }
}
