//! How the program is linked.

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-link-arg-bins=-no-pie");
    link_unwinder();
}

/// Links GCC's unwinder into the program where there is an archive of it: one shared library less
/// to load at each start, which is a fiftieth of what that takes, and a fifth of a megabyte.
fn link_unwinder() {
    println!("cargo:rerun-if-env-changed=RUSTC_LINKER");
    let archive = "libgcc_eh.a";
    let linker = std::env::var_os("RUSTC_LINKER").unwrap_or_else(|| "cc".into());
    let asked = Command::new(linker)
        .arg(format!("-print-file-name={archive}"))
        .output();
    // A compiler that does not have it answers with the bare name;
    // something else than a compiler, with whatever.
    let found = asked.is_ok_and(|answer| {
        let path = String::from_utf8_lossy(&answer.stdout);
        let path = Path::new(path.trim_end());
        path.is_absolute() && path.ends_with(archive) && path.is_file()
    });
    if found {
        println!("cargo:rustc-link-lib=static:-bundle=gcc_eh");
    }
}
