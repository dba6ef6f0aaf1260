//! Compiles the library, and makes the registry of its natives from the tree: a folder with Go
//! files is the package of that import path.

use compile::Compiler;
use std::collections::HashMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use types::library::Library;

/// Bytes of stack for checker and compiler.
const STACK: usize = 64 << 20;

fn main() {
    let root = std::env::current_dir().expect("cargo sets it");
    let out = std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR");
    let write = |name: &str, bytes: &[u8]| {
        std::fs::write(Path::new(&out).join(name), bytes).expect("OUT_DIR can be written");
    };
    let folder = Folder::read(&root);
    for folder in &folder.folders {
        println!("cargo:rerun-if-changed={}", folder.name);
    }
    let (mut modules, mut registry) = (String::new(), String::new());
    folder.modules(&mut modules).expect(WRITES);
    folder.packages("", &mut registry).expect(WRITES);
    let registry = format!("pub(super) static PACKAGES: &[Package] = &[\n{registry}];\n");
    write("modules.rs", modules.as_bytes());
    write("registry.rs", registry.as_bytes());
    let mut natives = HashMap::new();
    folder.natives("", &mut natives);
    let compile = move || {
        let is_native = move |path: &str, name: &str| {
            let bound = natives.get(path);
            bound.is_some_and(|text: &String| text.contains(&format!("\"{name}\" =>")))
        };
        let compiler = Compiler::new(Library::new(root).check()?, Box::new(is_native));
        let (objects, mut checker, with_trees) = compiler.compile_library()?;
        let exported = checker.export(|obj| with_trees.contains(&obj));
        Ok::<_, String>((objects, exported, source::snapshot()))
    };
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(compile);
    let compiled = thread.expect("there is room for a stack").join();
    match compiled.expect("the compiler does not panic") {
        Ok((objects, exported, sources)) => {
            write("objects", &objects);
            write("exported", &exported);
            write("sources", &sources);
        }
        Err(errors) => {
            eprintln!("{errors}");
            std::process::exit(1);
        }
    }
}

const WRITES: &str = "strings can be written";

/// A folder of the library.
struct Folder {
    /// Its own name.
    name: String,
    /// Are there Go files in it?
    is_package: bool,
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
        let is_go = |p: &PathBuf| p.extension().is_some_and(|e| e == "go");
        Folder {
            name: name_of(path),
            is_package: entries.iter().any(is_go),
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

    /// The texts that bind natives, by the import paths of their packages.
    fn natives(&self, path: &str, out: &mut HashMap<String, String>) {
        if let Some(natives) = &self.natives {
            let text = std::fs::read_to_string(natives).expect("it can be read");
            out.insert(path.to_string(), text);
        }
        for folder in &self.folders {
            let below = format!("{path}/{}", folder.name);
            folder.natives(below.trim_start_matches('/'), out);
        }
    }

    fn has_natives(&self) -> bool {
        self.natives.is_some() || self.folders.iter().any(Folder::has_natives)
    }

    /// The entries of the registry for this folder, whose import path it is, and those in it.
    fn packages(&self, path: &str, out: &mut String) -> std::fmt::Result {
        if self.is_package {
            let natives = match &self.natives {
                Some(_) => format!("super::{}::natives::NATIVES", path.replace('/', "::")),
                None => "&[]".to_string(),
            };
            writeln!(out, "Package {{ path: {path:?}, natives: {natives} }},")?;
        }
        for folder in &self.folders {
            let below = format!("{path}/{}", folder.name);
            folder.packages(below.trim_start_matches('/'), out)?;
        }
        Ok(())
    }
}

fn name_of(path: &Path) -> String {
    let name = path.file_name().expect("it is below the root");
    name.to_str().expect("names are ASCII").to_string()
}
