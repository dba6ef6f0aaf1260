//! The packed crates alone, unpacked elsewhere, build and run a program.

mod support;

use std::fmt::Write;
use std::path::Path;
use std::process::Command;

/// Runs a command that must succeed; its standard output.
fn run(command: &mut Command) -> String {
    let ran = command.output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(ran.status.success(), "{command:?}: {}", text(&ran.stderr));
    text(&ran.stdout)
}

#[test]
#[ignore = "builds everything anew"]
fn packed_crates_build_and_run() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let cargo = || {
        let mut cargo = Command::new(env!("CARGO"));
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("CARGO_") {
                cargo.env_remove(name);
            }
        }
        cargo.env("CARGO_INCREMENTAL", "0");
        cargo
    };
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("package");
    let _ = std::fs::remove_dir_all(&target);
    run(cargo()
        .current_dir(here)
        .args(["package", "--workspace", "--allow-dirty", "--no-verify"])
        .arg("--target-dir")
        .arg(&target));
    let folder = std::env::temp_dir().join(format!("gosched-packed-{}", std::process::id()));
    std::fs::create_dir_all(folder.join(".cargo")).unwrap();
    let mut patches = String::from("[patch.crates-io]\n");
    let mut root = None;
    for entry in std::fs::read_dir(target.join("package")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|e| e != "crate") {
            continue;
        }
        run(Command::new("tar")
            .arg("-xzf")
            .arg(&path)
            .current_dir(&folder));
        let stem = path.file_stem().unwrap().to_str().unwrap();
        let (name, _) = stem.rsplit_once('-').unwrap();
        match name {
            "gosched" => root = Some(folder.join(stem)),
            _ => _ = writeln!(patches, "{name} = {{ path = {:?} }}", folder.join(stem)),
        }
    }
    std::fs::write(folder.join(".cargo/config.toml"), patches).unwrap();
    let root = root.unwrap();
    // What it does is looked at elsewhere: the quicker it is built, the better.
    run(cargo()
        .env("CARGO_PROFILE_DEV_OPT_LEVEL", "0")
        .env("CARGO_PROFILE_DEV_DEBUG", "false")
        .current_dir(&root)
        .args(["build", "--quiet", "--target-dir"])
        .arg(folder.join("target")));
    let program = folder.join("target/debug/gosched");
    let hello = run(Command::new(&program).arg(here.join("tests/bench/hello.go")));
    let want = std::fs::read_to_string(here.join("tests/bench/hello.out")).unwrap();
    assert_eq!(hello, want);
    let version = run(Command::new(&program).args(["version", "--json"]));
    assert!(version.contains(env!("CARGO_PKG_VERSION")), "{version}");
    std::fs::remove_dir_all(&folder).unwrap();
}
