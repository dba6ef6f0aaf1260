//! Turns `grammar/go.lalrpop` into the parser, and outlines the standard library's Go files.

#[allow(
    dead_code,
    unreachable_pub,
    reason = "the lexer's module, of which this needs a part"
)]
#[path = "src/lexer/outline.rs"]
mod outline;

use outline::Outline;
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo:rustc-link-arg-bins=-no-pie");
    link_unwinder();
    println!("cargo:rerun-if-changed=grammar/go.lalrpop");
    println!("cargo:rerun-if-changed=src/stdlib");
    println!("cargo:rerun-if-changed=src/lexer/outline.rs");
    let out = std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR");
    lalrpop::Configuration::new()
        .set_in_dir("grammar")
        .set_out_dir(&out)
        .emit_rerun_directives(false)
        .process()
        .expect("grammar/go.lalrpop is a conflict-free grammar");
    let outlines = outlines(Path::new("src/stdlib"));
    std::fs::write(Path::new(&out).join("outlines.rs"), outlines).expect("OUT_DIR can be written");
}

/// Links GCC's unwinder into the program where there is an archive of it:
/// one shared library less to load at each start.
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

/// A table of the Go files in a folder by name, with what [`Outline::known`] takes.
fn outlines(folder: &Path) -> String {
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .expect("the library's folder can be read")
        .map(|entry| entry.expect("and its entries").path())
        .filter(|path| path.extension().is_some_and(|e| e == "go"))
        .collect();
    files.sort();
    let mut table = String::from("static OUTLINES: &[(&str, Outline)] = &[\n");
    for path in files {
        let text = std::fs::read_to_string(&path).expect("the library's files can be read");
        let outline = Outline::of(&text);
        let name = path.file_name().expect("a file has a name");
        // What Debug prints of these types is Rust, with their names in scope.
        let Outline {
            package,
            imports,
            between,
            ..
        } = &outline;
        let items = outline.items();
        let known = format!("{package:?}, &{imports:?}, &{items:?}, &{between:?}");
        writeln!(table, "({name:?}, Outline::known({known})),").expect("strings can be written");
    }
    table.push_str("];\n");
    table
}
