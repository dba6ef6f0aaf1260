//! Recordings of `explore` and `record`: what is shown of one is the trace of its replay.

use crate::driver::print_error;
use gosched_runtime::control::{DIVERGED, tape::ENDS_HERE};
use rustix::fs::{MemfdFlags, memfd_create};
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::os::fd::AsRawFd;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};

/// What messages of a replay begin with that does not go as it was recorded.
const REPLAY: &str = "gosched: replay";

/// Replays a recording; the trace of that. What the program prints goes nowhere. If the replay is
/// refused or goes otherwise, that is told as `gosched replay` does; its exit status.
pub(super) fn traced(path: &Path) -> Result<Vec<u8>, i32> {
    let (status, trace, errors) = run(path).map_err(|e| {
        print_error(format_args!(
            "gosched: replay: {}\n",
            crate::loader::os_text(&e)
        ));
        2
    })?;
    let text = String::from_utf8_lossy(&errors);
    let status = status.code().unwrap_or(2);
    let has_diverged = status == DIVERGED && text.lines().any(|line| line.starts_with(REPLAY));
    if trace.is_empty() || has_diverged {
        let _ = io::stderr().lock().write_all(&errors);
        return Err(status);
    }
    if let Some(line) = text.lines().find(|line| line.starts_with(ENDS_HERE)) {
        print_error(format_args!("{line}\n"));
    }
    Ok(trace)
}

/// Runs `gosched replay`: how it ended, the trace, and what it has written to standard error.
fn run(path: &Path) -> io::Result<(ExitStatus, Vec<u8>, Vec<u8>)> {
    let memory = |name| memfd_create(name, MemfdFlags::CLOEXEC).map(File::from);
    let (mut trace, mut errors) = (memory("gosched-trace")?, memory("gosched-errors")?);
    // The program finds no descriptor that the recorded run had not.
    let mut flag = OsString::from("--sched-trace=");
    flag.push(format!(
        "/proc/{}/fd/{}",
        std::process::id(),
        trace.as_raw_fd()
    ));
    let status = Command::new(std::env::current_exe()?)
        .arg("replay")
        .arg(flag)
        .arg(path)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(errors.try_clone()?)
        .status()?;
    Ok((status, all(&mut trace)?, all(&mut errors)?))
}

fn all(file: &mut File) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.rewind()?;
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}
