//! Package `internal/rand`: the kernel's random bytes.
//!
//! Go: crypto/internal/sysrand.

use crate::syscall::natives::kernel;
use gosched_runtime::control;
use vm::native::{GoStr, Slice};

natives! {
    "Fatal" => short |cx, text: GoStr| {
        if !text.is_empty() {
            cx.fatal(&text.to_text())
        }
    }
    "fill" => blocking fills alters(p) |cx, p: Slice<u8>| {
        let mut p = p;
        if control::is_on() {
            // What a seed steers is the same each time.
            for piece in p.as_mut_slice().chunks_mut(8) {
                let word = cx.m().p().rand.next().to_le_bytes();
                piece.copy_from_slice(&word[..piece.len()]);
            }
            return Ok((p.len() as i64, 0));
        }
        Ok(match cx.system_call(kernel::calls::RANDOM, || kernel::random(p.as_mut_slice()))? {
            Ok(n) => (n as i64, 0),
            Err(e) => (-1, i64::from(e)),
        })
    }
}
