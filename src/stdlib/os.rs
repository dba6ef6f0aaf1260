//! Package `os`: arguments, environment, files.
//!
//! The environment is the program's own copy: Setenv changes that, and what the program starts gets it; the process's is left alone, because it
//! cannot be changed safely beside other threads.
//!
//! Go: os.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use super::syscall::code;
use crate::vm::native::{Cx, GoStr, Slice};
use crate::vm::sys;

static ARGUMENTS: OnceLock<Vec<Vec<u8>>> = OnceLock::new();

/// Sets what `os.Args` is, the program's name first. Once, before the program starts.
pub fn set_arguments(args: Vec<Vec<u8>>) {
    // A second program in the same process keeps the first one's.
    let _ = ARGUMENTS.set(args);
}

type Environment = BTreeMap<Vec<u8>, Vec<u8>>;

/// The program's environment. Natives hold the lock for a look-up only.
fn environment() -> MutexGuard<'static, Environment> {
    static ENVIRONMENT: OnceLock<Mutex<Environment>> = OnceLock::new();
    ENVIRONMENT
        .get_or_init(|| {
            Mutex::new(
                std::env::vars_os()
                    .map(|(k, v)| (k.into_vec(), v.into_vec()))
                    .collect(),
            )
        })
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
}

/// The value of a variable in the program's environment.
pub fn variable(name: &[u8]) -> Option<Vec<u8>> {
    environment().get(name).cloned()
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

/// A number nobody can foresee, for the names of temporary files.
fn random() -> i64 {
    use std::hash::{BuildHasher, Hasher, RandomState};
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let mut hasher = RandomState::new().build_hasher();
    hasher.write_u64(COUNT.fetch_add(1, Ordering::Relaxed));
    (hasher.finish() >> 1) as i64
}

/// Ends the process.
fn exit(code: i64) {
    gosched_runtime::proc::exit(code as i32)
}

package! { "os", ["os.go", "os_env.go", "os_error.go", "os_path.go", "os_stat.go", "os_dir.go", "os_file.go", "os_temp.go", "os_exec.go", "os_fs.go"];
    "func exit(code int)" => |cx, code: i64| { exit(code) }
    "func arguments() []string" => |cx| { strings(cx, ARGUMENTS.get().cloned().unwrap_or_default()) }
    "func environment() []string" => |cx| {
        let all: Vec<Vec<u8>> = environment().iter().map(|(k, v)| [k, v].map(Vec::as_slice).join(&b'=')).collect();
        strings(cx, all)
    }
    "func getenv(key string) (value string, ok bool)" => short |cx, key: GoStr| {
        match variable(key.as_bytes()) {
            Some(v) => (cx.string(v), true),
            None => (GoStr::EMPTY, false),
        }
    }
    "func setenv(key, value string)" => short |cx, key: GoStr, value: GoStr| {
        environment().insert(key.as_bytes().to_vec(), value.as_bytes().to_vec());
    }
    "func unsetenv(key string)" => short |cx, key: GoStr| { environment().remove(key.as_bytes()); }
    "func getwd() (dir string, errno int)" => |cx| { path_or_code(cx, std::env::current_dir()) }
    "func chdir(dir string) (errno int)" => blocking |cx, dir: GoStr| { io_code(cx.blocking(|| std::env::set_current_dir(path(&dir)))) }
    "func mkdir(path string, perm uint32) (errno int)" => blocking |cx, name: GoStr, perm: u32| {
        io_code(cx.blocking(|| std::fs::DirBuilder::new().mode(perm).create(path(&name))))
    }
    "func remove(path string, dir bool) (errno int)" => blocking |cx, name: GoStr, dir: bool| {
        io_code(cx.blocking(|| if dir { std::fs::remove_dir(path(&name)) } else { std::fs::remove_file(path(&name)) }))
    }
    "func rename(from, to string) (errno int)" => blocking |cx, from: GoStr, to: GoStr| { io_code(cx.blocking(|| std::fs::rename(path(&from), path(&to)))) }
    "func link(from, to string, symbolic bool) (errno int)" => blocking |cx, from: GoStr, to: GoStr, symbolic: bool| {
        let (from, to) = (path(&from), path(&to));
        io_code(cx.blocking(|| if symbolic { std::os::unix::fs::symlink(from, to) } else { std::fs::hard_link(from, to) }))
    }
    "func readlink(path string) (target string, errno int)" => blocking |cx, name: GoStr| {
        let r = cx.blocking(|| std::fs::read_link(path(&name)));
        path_or_code(cx, r)
    }
    "func chmod(path string, mode uint32) (errno int)" => blocking |cx, name: GoStr, mode: u32| {
        io_code(cx.blocking(|| std::fs::set_permissions(path(&name), std::fs::Permissions::from_mode(mode))))
    }
    "func truncate(path string, fd int, size int64) (errno int)" => blocking |cx, name: GoStr, fd: i64, size: i64| {
        if size < 0 {
            return i64::from(libc::EINVAL);
        }
        if fd >= 0 {
            return code(cx.blocking(|| sys::ftruncate(fd as i32, size)));
        }
        io_code(cx.blocking(|| std::fs::OpenOptions::new().write(true).open(path(&name)).and_then(|f| f.set_len(size as u64))))
    }
    "func modesOf(fd int) (appends, nonblocking bool)" => |cx, fd: i64| {
        let flags = sys::status_flags(fd as i32);
        (flags & libc::O_APPEND != 0, flags & libc::O_NONBLOCK != 0)
    }
    "func fsync(fd int) (errno int)" => blocking |cx, fd: i64| { code(cx.blocking(|| sys::fsync(fd as i32))) }
    "func hostname() (name string, errno int)" => |cx| {
        match sys::hostname() {
            Ok(name) => (cx.string(name), 0),
            Err(e) => (GoStr::EMPTY, i64::from(e)),
        }
    }
    "func executable() (path string, errno int)" => |cx| { path_or_code(cx, std::env::current_exe()) }
    "func identity(which int) int" => |cx, which: i64| {
        match which {
            6 => 4096,
            7 => random(),
            _ => sys::identity(which),
        }
    }
    "func stat(path string, fd int, follow bool) (size int64, mode uint32, sec int64, nsec int64, dev, ino uint64, errno int)" => blocking |cx, name: GoStr, fd: i64, follow: bool| {
        let (s, errno) = match cx.blocking(|| sys::stat(name.as_bytes(), fd as i32, follow)) {
            Ok(s) => (s, 0),
            Err(e) => (sys::Stat::default(), i64::from(e)),
        };
        (s.size, s.mode, s.seconds, s.nanoseconds, s.dev, s.ino, errno)
    }
    "func list(path string) (names []string, errno int)" => blocking |cx, name: GoStr| {
        let read = || -> std::io::Result<Vec<Vec<u8>>> {
            let mut names: Vec<Vec<u8>> = std::fs::read_dir(path(&name))?.flatten().map(|e| e.file_name().into_vec()).collect();
            names.sort_unstable();
            Ok(names)
        };
        match cx.blocking(read) {
            Ok(names) => (strings(cx, names), 0),
            Err(e) => (Slice::NIL, io_code(Err(e))),
        }
    }
}
