//! What reaches outside of a controlled run, which a search allows only if it is told to.
//!
//! Files may be written in the temporary folder, and read anywhere. What is refused ends the run;
//! see [`control::refuse`].

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

use gosched_runtime::control::{self, Outside};
use vm::native::Cx;

use super::environ;

/// The program reaches outside.
pub(crate) fn reaches(cx: &mut Cx, outside: Outside) {
    if control::is_gated() {
        control::refuse(outside, cx.place());
    }
    if outside != Outside::File {
        control::hear_outside();
    }
}

/// The program starts another one.
pub(crate) fn starts_process(cx: &mut Cx) {
    if control::is_on() {
        reaches(cx, Outside::Process);
    }
}

/// The program makes or changes the file at `path`.
pub(crate) fn writes(cx: &mut Cx, path: &[u8]) {
    if control::is_gated() && !is_free(path) {
        reaches(cx, Outside::File);
    }
}

/// The program removes the file at `path`, if there is one.
pub(crate) fn removes(cx: &mut Cx, path: &[u8]) {
    if control::is_gated()
        && Path::new(OsStr::from_bytes(path))
            .symlink_metadata()
            .is_ok()
    {
        writes(cx, path);
    }
}

/// The program opens the file at `path`.
pub(crate) fn opens(cx: &mut Cx, path: &[u8], flags: i32) {
    const CHANGES: i32 = libc::O_WRONLY | libc::O_RDWR | libc::O_CREAT | libc::O_TRUNC;
    if flags & CHANGES != 0 {
        writes(cx, path);
    }
}

/// What is written there concerns nobody.
const DEVICES: &[&str] = &[
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
    "/dev/stdin",
    "/dev/stdout",
    "/dev/stderr",
];

/// May the file at `path` be written?
fn is_free(path: &[u8]) -> bool {
    let path = absolute(path);
    if DEVICES.iter().any(|device| path == Path::new(device)) || path.starts_with("/dev/fd") {
        return true;
    }
    let temporary = environ::get(b"TMPDIR").filter(|dir| !dir.is_empty());
    let temporary = absolute(temporary.as_deref().unwrap_or(b"/tmp"));
    real(&path).starts_with(real(&temporary))
}

/// The same as a path from the root, without dots.
pub(super) fn absolute(path: &[u8]) -> PathBuf {
    let mut whole = std::env::current_dir().unwrap_or_default();
    for part in Path::new(OsStr::from_bytes(path)).components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(whole.pop()),
            other => whole.push(other),
        }
    }
    whole
}

/// Where the path leads by links, as far as there is something.
fn real(path: &Path) -> PathBuf {
    match (path.canonicalize(), path.parent(), path.file_name()) {
        (Ok(real), _, _) => real,
        (Err(_), Some(folder), Some(name)) => real(folder).join(name),
        _ => path.to_path_buf(),
    }
}
