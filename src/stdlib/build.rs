//! Turns the tree of the standard library into its registry: a folder with Go files is the package
//! of that import path.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use syntax::lexer::outline::Outline;

fn main() {
    let root = std::env::current_dir().expect("cargo sets it");
    let library = Folder::read(&root);
    for folder in &library.folders {
        println!("cargo:rerun-if-changed={}", folder.name);
    }
    let (mut modules, mut registry) = (String::new(), String::new());
    library.modules(&mut modules).expect(WRITES);
    library.packages("", &mut registry).expect(WRITES);
    let registry = format!("pub(super) static PACKAGES: &[Package] = &[\n{registry}];\n");
    let out = std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR");
    for (name, text) in [("modules.rs", modules), ("registry.rs", registry)] {
        std::fs::write(Path::new(&out).join(name), text).expect("OUT_DIR can be written");
    }
}

const WRITES: &str = "strings can be written";

/// A folder of the library.
struct Folder {
    /// Its own name.
    name: String,
    /// Its Go files, by name.
    files: Vec<PathBuf>,
    /// Its `natives.rs`.
    natives: Option<PathBuf>,
    /// The folders in it, in the order of the import paths.
    folders: Vec<Folder>,
}

impl Folder {
    fn read(path: &Path) -> Folder {
        let mut entries: Vec<_> = std::fs::read_dir(path)
            .expect("the library's folders can be read")
            .map(|entry| entry.expect("and their entries").path())
            .collect();
        entries.sort();
        let is_go = |p: &&PathBuf| p.extension().is_some_and(|e| e == "go");
        Folder {
            name: name_of(path),
            files: entries.iter().filter(is_go).cloned().collect(),
            natives: entries.iter().find(|p| p.ends_with("natives.rs")).cloned(),
            folders: entries
                .iter()
                .filter(|p| p.is_dir())
                .map(|p| Folder::read(p))
                .collect(),
        }
    }

    /// The modules of this folder: that of its natives, one for each folder in it.
    fn modules(&self, out: &mut String) -> std::fmt::Result {
        if let Some(natives) = &self.natives {
            writeln!(out, "#[path = {natives:?}]\npub mod natives;")?;
        }
        for folder in self.folders.iter().filter(|f| f.has_natives()) {
            let name = &folder.name;
            writeln!(out, "/// What is below `{name}`.\npub mod {name} {{")?;
            folder.modules(out)?;
            writeln!(out, "}}")?;
        }
        Ok(())
    }

    fn has_natives(&self) -> bool {
        self.natives.is_some() || self.folders.iter().any(Folder::has_natives)
    }

    /// The entries of the registry for this folder, whose import path it is, and those in it.
    fn packages(&self, path: &str, out: &mut String) -> std::fmt::Result {
        if !self.files.is_empty() {
            writeln!(out, "Package {{ path: {path:?}, files: &[")?;
            for file in &self.files {
                write_file(file, out)?;
            }
            let natives = match &self.natives {
                Some(_) => format!("super::{}::natives::NATIVES", path.replace('/', "::")),
                None => "&[]".to_string(),
            };
            writeln!(out, "], natives: {natives} }},")?;
        }
        for folder in &self.folders {
            let below = format!("{path}/{}", folder.name);
            folder.packages(below.trim_start_matches('/'), out)?;
        }
        Ok(())
    }
}

/// Writes a Go file of the registry: its name, its text, and what [`Outline::known`] takes.
fn write_file(path: &Path, out: &mut String) -> std::fmt::Result {
    let text = std::fs::read_to_string(path).expect("the library's files can be read");
    let outline = Outline::of(&text);
    let name = name_of(path);
    // What Debug prints of these types is Rust, with their names in scope.
    let Outline {
        package,
        imports,
        between,
        ..
    } = &outline;
    let items = outline.items();
    let known = format!("{package:?}, &{imports:?}, &{items:?}, &{between:?}");
    writeln!(
        out,
        "File {{ name: {name:?}, text: include_str!({path:?}), outline: Outline::known({known}) }},"
    )
}

fn name_of(path: &Path) -> String {
    let name = path.file_name().expect("it is below the root");
    name.to_str().expect("names are ASCII").to_string()
}
