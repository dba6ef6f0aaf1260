//! The profiles that flags of the command line ask for: each is a file, which is made before the
//! program starts and written when it ends.

use std::fs::File;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Mutex;

use gosched_runtime::prof;
use stdlib::runtime::pprof::natives::{self as pprof, Wanted};

use super::{loader, print_error};

/// The flags, and what each writes.
pub(crate) const FLAGS: [(&str, Wanted); 4] = [
    ("cpuprofile", Wanted::Time),
    ("blockprofile", Wanted::Blocked),
    ("mutexprofile", Wanted::Contended),
    ("memprofile", Wanted::Memory),
];

/// The files that are to be written.
static FILES: Mutex<Vec<(Wanted, PathBuf, File)>> = Mutex::new(Vec::new());

/// Begins the profiles. The error is the exit status.
pub(crate) fn begin(wanted: &[(Wanted, PathBuf)]) -> Result<(), i32> {
    if wanted.is_empty() {
        return Ok(());
    }
    for (what, path) in wanted {
        let file = File::create(path).map_err(|e| {
            print_error(format_args!(
                "gosched: {}\n",
                loader::message("open", path, &e)
            ));
            2
        })?;
        files().push((*what, path.clone(), file));
        pprof::begin(*what);
    }
    prof::at_end(write);
    Ok(())
}

fn files() -> std::sync::MutexGuard<'static, Vec<(Wanted, PathBuf, File)>> {
    FILES.lock().unwrap_or_else(|e| e.into_inner())
}

/// Writes the files: the process ends, by status 2 if that fails.
fn write() {
    let mut has_failed = false;
    for (what, path, file) in files().iter_mut() {
        if let Err(e) = file.write_all(&pprof::end(*what)) {
            print_error(format_args!(
                "gosched: {}\n",
                loader::message("write", path, &e)
            ));
            has_failed = true;
        }
    }
    if has_failed {
        std::process::exit(2);
    }
}
