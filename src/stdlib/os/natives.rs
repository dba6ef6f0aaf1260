//! Package `os`: arguments and files.
//!
//! Go: os.

use std::ffi::OsStr;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::syscall::natives::kernel::calls;
use crate::syscall::natives::{code, gate, kernel, loopback};
use vm::native::{Cx, GoStr, Slice};

/// What the running program is.
#[derive(Clone, Default, Debug)]
pub struct Running {
    /// What `os.Args` is, the program's name first.
    pub arguments: Vec<Vec<u8>>,
    /// The path of its file or folder; empty if it has none.
    pub path: Vec<u8>,
    /// The words that make gosched run it again, gosched's own name and the program's arguments
    /// left out; none if that is impossible.
    pub again: Vec<Vec<u8>>,
    /// It is the test of a package.
    pub is_test: bool,
    /// The modules it is made of, as the text of a `debug.BuildInfo`.
    pub build: String,
}

static RUNNING: OnceLock<Running> = OnceLock::new();

/// Says which program runs. Once, before it starts.
pub fn set_running(program: Running) {
    // A second program in the same process keeps the first one's.
    let _ = RUNNING.set(program);
}

/// The running program's name, and its arguments.
pub fn arguments() -> Vec<Vec<u8>> {
    RUNNING.get().map_or(Vec::new(), |p| p.arguments.clone())
}

/// What the running program is made of, as the text of a `debug.BuildInfo`.
pub(crate) fn build() -> String {
    RUNNING.get().map_or(String::new(), |p| p.build.clone())
}

/// What the program sees as its name.
pub(crate) fn program() -> String {
    let name = RUNNING.get().and_then(|program| program.arguments.first());
    name.map_or(String::new(), |name| {
        String::from_utf8_lossy(name).into_owned()
    })
}

/// Is the running program the test of a package?
pub(crate) fn is_test() -> bool {
    RUNNING.get().is_some_and(|program| program.is_test)
}

/// What to execute instead, if `path` names the running program itself: gosched, told to run it
/// with these arguments. The first of them is to become the new program's `os.Args[0]`.
pub(crate) fn again(path: &[u8], arguments: &[GoStr]) -> Option<Vec<Vec<u8>>> {
    let program = RUNNING.get()?;
    let is_self = path == program.path || path == b"/proc/self/exe";
    if !is_self || program.path.is_empty() || program.again.is_empty() {
        return None;
    }
    let gosched = std::env::current_exe().ok()?.into_os_string().into_vec();
    let mut words = vec![gosched];
    let mut arguments = arguments.iter().map(|a| a.as_bytes());
    if let Some(name) = arguments.next().filter(|name| *name != program.path) {
        words.push([b"--argv0=", name].concat());
    }
    words.extend(program.again.iter().cloned());
    words.extend(arguments.map(<[u8]>::to_vec));
    Some(words)
}

fn path(text: &GoStr) -> &Path {
    Path::new(OsStr::from_bytes(text.as_bytes()))
}

/// The error number of a call of Rust's library.
fn io_code(r: std::io::Result<()>) -> i64 {
    r.err()
        .map_or(0, |e| i64::from(e.raw_os_error().unwrap_or(libc::EINVAL)))
}

fn strings(cx: &mut Cx, texts: impl IntoIterator<Item = Vec<u8>>) -> Slice<GoStr> {
    let texts: Vec<GoStr> = texts.into_iter().map(|t| cx.string(t)).collect();
    cx.slice(&texts)
}

/// A path, or an error number.
fn path_or_code(cx: &mut Cx, r: std::io::Result<std::path::PathBuf>) -> (GoStr, i64) {
    match r {
        Ok(p) => (cx.string(p.into_os_string().into_vec()), 0),
        Err(e) => (GoStr::EMPTY, io_code(Err(e))),
    }
}

/// A number that cannot be foreseen, for the names of temporary files.
fn random() -> u32 {
    use std::hash::{BuildHasher, Hasher, RandomState};
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let mut hasher = RandomState::new().build_hasher();
    hasher.write_u64(COUNT.fetch_add(1, Ordering::Relaxed));
    (hasher.finish() >> 1) as u32
}

/// Ends the process.
fn exit(code: i64) {
    gosched_runtime::proc::exit(code as i32)
}

natives! {
    "exit" => point(Exit) |cx, code: i64| { exit(code) }
    "arguments" => asks |cx| {
        strings(
            cx,
            arguments(),
        )
    }
    "getwd" => asks |cx| { path_or_code(cx, std::env::current_dir()) }
    "chdir" => blocking asks |cx, dir: GoStr| {
        io_code(cx.blocking(calls::CHDIR, || std::env::set_current_dir(path(&dir))))
    }
    "mkdir" => blocking asks |cx, name: GoStr, perm: u32| {
        gate::writes(cx, name.as_bytes());
        io_code(cx.blocking(calls::MKDIR, || {
            std::fs::DirBuilder::new().mode(perm).create(path(&name))
        }))
    }
    "remove" => blocking asks |cx, name: GoStr, dir: bool| {
        if loopback::unlinks(name.as_bytes()) {
            return 0;
        }
        gate::removes(cx, name.as_bytes());
        let call = if dir { calls::RMDIR } else { calls::UNLINK };
        io_code(cx.blocking(call, || {
            if dir {
                std::fs::remove_dir(path(&name))
            } else {
                std::fs::remove_file(path(&name))
            }
        }))
    }
    "rename" => blocking asks |cx, from: GoStr, to: GoStr| {
        gate::removes(cx, from.as_bytes());
        gate::writes(cx, to.as_bytes());
        io_code(cx.blocking(calls::RENAME, || std::fs::rename(path(&from), path(&to))))
    }
    "link" => blocking asks |cx, from: GoStr, to: GoStr, symbolic: bool| {
        gate::writes(cx, to.as_bytes());
        let (from, to) = (path(&from), path(&to));
        let call = if symbolic { calls::SYMLINK } else { calls::LINK };
        io_code(cx.blocking(call, || {
            if symbolic {
                std::os::unix::fs::symlink(from, to)
            } else {
                std::fs::hard_link(from, to)
            }
        }))
    }
    "readlink" => blocking asks |cx, name: GoStr| {
        let r = cx.blocking(calls::READLINK, || std::fs::read_link(path(&name)));
        path_or_code(cx, r)
    }
    "chmod" => blocking asks |cx, name: GoStr, mode: u32| {
        if loopback::has_made(name.as_bytes()) {
            return 0;
        }
        gate::writes(cx, name.as_bytes());
        io_code(cx.blocking(calls::CHMOD, || {
            std::fs::set_permissions(path(&name), std::fs::Permissions::from_mode(mode))
        }))
    }
    "truncate" => blocking asks |cx, name: GoStr, fd: i64, size: i64| {
        if size < 0 {
            return i64::from(libc::EINVAL);
        }
        if fd >= 0 {
            return code(cx.blocking(calls::FTRUNCATE, || kernel::ftruncate(fd as i32, size)));
        }
        gate::writes(cx, name.as_bytes());
        io_code(cx.blocking(calls::OPEN, || {
            std::fs::OpenOptions::new()
                .write(true)
                .open(path(&name))
                .and_then(|f| f.set_len(size as u64))
        }))
    }
    "modesOf" => asks |cx, fd: i64| {
        let flags = kernel::status_flags(fd as i32);
        (flags & libc::O_APPEND != 0, flags & libc::O_NONBLOCK != 0)
    }
    "fsync" => blocking asks |cx, fd: i64| {
        code(cx.blocking(calls::FSYNC, || kernel::fsync(fd as i32)))
    }
    "hostname" => asks |cx| {
        match kernel::hostname() {
            Ok(name) => (cx.string(name), 0),
            Err(e) => (GoStr::EMPTY, i64::from(e)),
        }
    }
    "executable" => asks |cx| {
        let path = RUNNING.get().map_or(&[][..], |p| &p.path);
        cx.string(path)
    }
    "random" => asks |cx| { random() }
}
