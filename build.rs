//! How the program is linked.

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-link-arg-bins=-no-pie");
    let features = std::env::var("CARGO_CFG_TARGET_FEATURE").unwrap_or_default();
    if features.split(',').any(|feature| feature == "crt-static") {
        // Without this the linker names an interpreter all the same.
        println!("cargo:rustc-link-arg-bins=-static");
    }
    link_unwinder();
    name_build();
}

/// What cargo puts into a packed crate about where it comes from.
const PACKED: &str = ".cargo_vcs_info.json";

/// Tells the program the target and, if the sources lie in a repository or were packed from one,
/// the commit that it is built from.
fn name_build() {
    let target = std::env::var("TARGET").unwrap_or_default();
    println!("cargo:rustc-env=GOSCHED_TARGET={target}");
    // A file that is not there would count as changed each time.
    for named in [".git/logs/HEAD", PACKED]
        .into_iter()
        .filter(|p| Path::new(p).exists())
    {
        println!("cargo:rerun-if-changed={named}");
    }
    let asked = Command::new("git").args(["rev-parse", "HEAD"]).output();
    let of_git = asked
        .ok()
        .filter(|answer| answer.status.success() && Path::new(".git").exists());
    let of_git = of_git.map(|answer| String::from_utf8_lossy(&answer.stdout).trim().to_string());
    let of_pack = || {
        let text = std::fs::read_to_string(PACKED).ok()?;
        let after = text.split_once("\"sha1\"")?.1;
        Some(after.split('"').nth(1)?.to_string())
    };
    let commit = of_git.or_else(of_pack).unwrap_or_default();
    println!("cargo:rustc-env=GOSCHED_COMMIT={commit}");
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
