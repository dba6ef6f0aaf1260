//! Modules: which folder a package from elsewhere lies in.
//!
//! A program belongs to a main module, or to the modules of a workspace (`go.work`). What these
//! require lies in `vendor`, in the folders that `replace` names, or in the module cache, where
//! Go's command has put it: nothing is downloaded. Of each module the largest version counts that
//! somebody in the graph of requirements asks for (minimal version selection). That graph is read
//! when what the main modules require themselves does not have a package, or when they are of a
//! version of the language (below go1.17) whose `go.mod` files do not name all that is needed.
//!
//! Go: cmd/go/internal/modload (import.go, buildlist.go, vendor.go, init.go), cmd/go/internal/mvs.

use super::godebug::Setting;
use super::gomod::{self, GoMod, GoWork, ModVersion, Replace};
use super::sum::Sums;
use super::{Seen, goenv, note, part_of, semver, stamp};
use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Since this version `go.mod` names all modules that packages of the module need.
const PRUNED: u32 = 17;
/// Since this version `vendor/modules.txt` says enough to be held against `go.mod`.
const CONSISTENT: u32 = 14;
/// Since this version a package in `vendor` counts only if `modules.txt` names it.
const LISTED: u32 = 23;

/// All modules that packages of a program can come from.
#[derive(Debug)]
pub(super) struct Modules {
    mains: Vec<Main>,
    work: Option<(PathBuf, GoWork)>,
    vendor: Option<Vendor>,
    graph: OnceCell<Result<Graph, String>>,
    sums: OnceCell<Sums>,
    /// Which folders of the module cache have been held against `go.sum`.
    verified: RefCell<BTreeMap<PathBuf, Result<(), String>>>,
}

#[derive(Debug)]
struct Main {
    root: PathBuf,
    says: GoMod,
}

/// The modules that are selected, with their versions.
type Graph = BTreeMap<String, String>;

/// What `vendor/modules.txt` says.
#[derive(Debug, Default)]
struct Vendor {
    folder: PathBuf,
    /// By a flag, not just by the folder's being there.
    is_asked_for: bool,
    /// The modules that packages are of.
    packages: BTreeMap<String, ModVersion>,
    /// In their order.
    modules: Vec<ModVersion>,
    about: BTreeMap<ModVersion, About>,
    replaced: Vec<ModVersion>,
}

#[derive(Debug, Default)]
struct About {
    is_explicit: bool,
    replacement: Option<ModVersion>,
    lang: Option<u32>,
}

/// A package's folder.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Located {
    pub dir: PathBuf,
    /// The N of its language version go1.N.
    pub lang: u32,
    /// It is of a module from elsewhere.
    pub is_foreign: bool,
}

/// Where a module's files are.
enum Root {
    Folder(PathBuf),
    /// In the module cache, under this name, which `go.sum` must know.
    Cache(PathBuf, ModVersion),
}

/// By whom a package is imported: messages name it.
pub(super) type ImportedBy<'i> = Option<&'i str>;

impl Modules {
    /// The modules of a program whose main module `says` so and lies in `root`.
    /// The error is a message for the user.
    pub(super) fn new(root: &Path, says: GoMod, how: Option<&str>) -> Result<Modules, String> {
        let work = find_work(root)?;
        let mut mains = Vec::new();
        if let Some((folder, work)) = &work {
            for used in &work.uses {
                mains.push(used_module(folder, used)?);
            }
            if !mains.iter().any(|main| main.root == root) {
                let shown = gomod::shown(root);
                let shown = if shown.is_empty() { "." } else { &shown };
                return Err(format!(
                    "current directory is contained in a module that is not one of the workspace \
                     modules listed in go.work. You can add the module to the workspace using:\n\t\
                     go work use {shown}"
                ));
            }
        } else {
            let root = root.to_path_buf();
            mains.push(Main { root, says });
        }
        let mut modules = Modules {
            mains,
            work,
            vendor: None,
            graph: OnceCell::new(),
            sums: OnceCell::new(),
            verified: RefCell::default(),
        };
        modules.check_godebug()?;
        let folder = match &modules.work {
            Some((folder, _)) => folder.join("vendor"),
            None => root.join("vendor"),
        };
        if modules.work.is_none() && how != Some("mod") {
            modules.check_required()?;
        }
        let is_vendored = match how {
            Some(how) => how == "vendor",
            None => folder.is_dir() && modules.lang() >= CONSISTENT,
        };
        if is_vendored {
            let mut vendor = Vendor::read(folder);
            vendor.is_asked_for = how.is_some();
            modules.vendor = Some(vendor);
            modules.check_vendor()?;
        }
        Ok(modules)
    }

    /// The `godebug` lines that count, and the N of the version go1.N that decides what settings
    /// are where there is none.
    pub(super) fn godebug(&self) -> (u32, impl Iterator<Item = &Setting>) {
        (
            self.lang(),
            self.godebug_lines().iter().map(|(_, setting)| setting),
        )
    }

    fn godebug_lines(&self) -> &[(usize, Setting)] {
        match (&self.work, self.mains.first()) {
            (Some((_, work)), _) => &work.godebug,
            (None, Some(main)) => &main.says.godebug,
            (None, None) => &[],
        }
    }

    /// Do the `godebug` lines ask for what there is? The error is a message for the user.
    fn check_godebug(&self) -> Result<(), String> {
        let file = match (&self.work, self.mains.first()) {
            (Some((folder, _)), _) => folder.join("go.work"),
            (None, main) => main.map_or(PathBuf::new(), |m| m.root.join("go.mod")),
        };
        let kind = file.file_name().unwrap_or_default().display();
        let lines = self.godebug_lines().iter().filter_map(|(line, setting)| {
            let why = setting.check("godebug").err()?;
            let shown = gomod::shown(&file);
            Some(format!("error loading {kind}:\n{shown}:{line}: {why}"))
        });
        let lines: Vec<String> = lines.collect();
        match lines.is_empty() {
            true => Ok(()),
            false => Err(lines.join("\ngosched: ")),
        }
    }

    /// Does a module ask for a version that it excludes, or for two versions of another? The error
    /// is a message for the user.
    fn check_required(&self) -> Result<(), String> {
        let mut text = String::new();
        for main in &self.mains {
            for ModVersion { path, version } in &main.says.require {
                if main.says.exclude.contains(&ModVersion::new(path, version)) {
                    let what = "ignoring requirement on excluded version";
                    let _ = writeln!(text, "{what} {path} {version}");
                }
            }
        }
        // Of each module one version is asked for.
        let mut versions: BTreeMap<&str, &str> = BTreeMap::new();
        let mut required = self.mains.iter().flat_map(|main| &main.says.require);
        let is_twice = required.any(|ModVersion { path, version }| {
            let before = versions.insert(path, version);
            before.is_some_and(|before| before != version)
        });
        match text.is_empty() && !is_twice {
            true => Ok(()),
            false => Err(text + "updates to go.mod needed; to update it:\n\tgo mod tidy"),
        }
    }

    /// The N of the version go1.N that decides how modules are found.
    fn lang(&self) -> u32 {
        match &self.work {
            Some((_, work)) => work.lang,
            None => self.mains.first().map_or(gomod::DEFAULT, |m| m.says.lang),
        }
    }

    /// The import path of a folder, if it is one of a main module's.
    pub(super) fn import_path(&self, dir: &Path) -> Option<String> {
        let main = self.mains.iter().filter(|m| dir.starts_with(&m.root));
        let main = main.max_by_key(|m| m.root.as_os_str().len())?;
        let below = dir
            .strip_prefix(&main.root)
            .ok()?
            .to_string_lossy()
            .into_owned();
        Some(match below.is_empty() {
            true => main.says.path.clone(),
            false => format!("{}/{below}", main.says.path),
        })
    }

    /// Where package `import` lies. The error is a message for the user.
    pub(super) fn locate(&self, import: &str, by: ImportedBy) -> Result<Located, Missing> {
        match &self.vendor {
            Some(vendor) => self.locate_vendored(vendor, import),
            None => self.locate_in_modules(import, by),
        }
    }

    fn locate_in_mains(&self, import: &str) -> Vec<Located> {
        let found = |main: &Main| {
            Some(Located {
                dir: dir_below(&main.root, part_of(&main.says.path, import)?)?,
                lang: main.says.lang,
                is_foreign: false,
            })
        };
        self.mains.iter().filter_map(found).collect()
    }

    fn locate_vendored(&self, vendor: &Vendor, import: &str) -> Result<Located, Missing> {
        let mut found = self.locate_in_mains(import);
        let dir = vendor.folder.join(import);
        if has_go_files(&dir) {
            let module = vendor.packages.get(import);
            module.iter().for_each(|m| self.note_use(m));
            if module.is_some() || self.lang() < LISTED {
                let about = module.and_then(|m| vendor.about.get(m));
                found.push(Located {
                    dir,
                    lang: about.and_then(|a| a.lang).unwrap_or(gomod::DEFAULT),
                    is_foreign: true,
                });
            }
        }
        match &found[..] {
            [_, _, ..] => {
                let mut text =
                    format!("ambiguous import: found package {import} in multiple directories:");
                for one in found {
                    let _ = write!(text, "\n\t{}", one.dir.display());
                }
                Err(Missing::Told(text))
            }
            [_] => found.pop().ok_or(Missing::NoModule),
            [] if is_dotless(import) => Err(Missing::NoModule),
            [] => {
                let mut text = format!(
                    "cannot find module providing package {import}: import lookup disabled by \
                     -mod=vendor"
                );
                if !vendor.is_asked_for {
                    let file = match self.work.is_some() {
                        true => "go.work",
                        false => "go.mod",
                    };
                    let _ = write!(
                        text,
                        "\n\t(Go version in {file} is at least 1.14 and vendor directory exists.)"
                    );
                }
                Err(Missing::Told(text))
            }
        }
    }

    fn locate_in_modules(&self, import: &str, by: ImportedBy) -> Result<Located, Missing> {
        let mut graph = None;
        if self.lang() < PRUNED || self.work.is_some() {
            graph = Some(self.graph().map_err(Missing::Told)?);
        }
        loop {
            let mut found = Vec::new();
            let mut without_sums = Vec::new();
            for prefix in prefixes(import) {
                if let Some(main) = self.mains.iter().find(|m| m.says.path == prefix) {
                    let rest = part_of(prefix, import).unwrap_or("");
                    if let Some(dir) = dir_below(&main.root, rest) {
                        found.push((ModVersion::new(prefix, ""), dir, main.says.lang));
                    }
                    continue;
                }
                let version = match graph {
                    None => self.required(prefix),
                    Some(graph) => graph.get(prefix).cloned(),
                };
                let Some(version) = version else { continue };
                let module = ModVersion::new(prefix, &version);
                let rest = part_of(prefix, import).unwrap_or("");
                let (dir, kept) = match self.root_of(&module).map_err(Missing::Told)? {
                    Root::Folder(root) => (dir_below(&root, rest), None),
                    Root::Cache(_, name) if !self.sums().has(&name) => {
                        without_sums.push(module);
                        continue;
                    }
                    Root::Cache(root, name) if !root.is_dir() => {
                        return Err(Missing::Told(absent(&name)));
                    }
                    Root::Cache(root, name) => {
                        let dir = Some(root.join(rest)).filter(|dir| has_go_files(dir));
                        (dir, Some((root, name)))
                    }
                };
                let Some(dir) = dir else { continue };
                if let Some((root, name)) = kept {
                    self.verify(&name, &root).map_err(Missing::Told)?;
                }
                let lang = self.says(&module).map_err(Missing::Told)?;
                found.push((module, dir, lang.map_or(gomod::DEFAULT, |says| says.lang)));
            }
            if found.len() > 1 {
                let mut text =
                    format!("ambiguous import: found package {import} in multiple modules:");
                for (module, dir, _) in found.iter().rev() {
                    let name = module.to_string().replace('@', " ");
                    let _ = write!(text, "\n\t{name} ({})", dir.display());
                }
                return Err(Missing::Told(text));
            }
            if !without_sums.is_empty() {
                return Err(Missing::Told(without_sum(import, by, &without_sums)));
            }
            if let Some((module, dir, lang)) = found.pop() {
                let is_foreign = !module.version.is_empty();
                self.note_use(&module);
                return Ok(Located {
                    dir,
                    lang,
                    is_foreign,
                });
            }
            if graph.is_some() {
                return Err(self.nowhere(import));
            }
            graph = Some(self.graph().map_err(Missing::Told)?);
        }
    }

    /// Notes that the program has a package of the module, for `debug.ReadBuildInfo`.
    fn note_use(&self, module: &ModVersion) {
        // A folder has no version, and no hash.
        let sum = |m: &ModVersion| match &m.version[..] {
            "" => "",
            _ => self.sums().hash_of(m).unwrap_or_default(),
        };
        let version = |m: &ModVersion| match &m.version[..] {
            "" => "(devel)".to_string(),
            version => version.to_string(),
        };
        let mut line = format!("dep\t{}\t{}", module.path, version(module));
        match self.replaced(module) {
            None => {
                let _ = writeln!(line, "\t{}", sum(module));
            }
            Some(new) => {
                let _ = writeln!(line, "\n=>\t{}\t{}\t{}", new.path, version(&new), sum(&new));
            }
        }
        super::with_built(|b| {
            if b.main.as_ref().is_none_or(|(_, main)| *main != module.path) {
                b.modules.insert(module.path.clone(), line);
            }
        });
    }

    /// Why no module has package `import`.
    fn nowhere(&self, import: &str) -> Missing {
        // A replacement that nobody asks for may have it.
        for Replace { old, new } in self.replacements() {
            let Some(rest) = part_of(&old.path, import) else {
                continue;
            };
            let root = self.root_of_new(new);
            if root.is_some_and(|root| has_go_files(&root.join(rest))) {
                return Missing::Told(format!(
                    "module {} provides package {import} and is replaced but not required; to add \
                     it:\n\tgo get {old}",
                    old.path
                ));
            }
        }
        match is_dotless(import) {
            true => Missing::NoModule,
            false => Missing::Told(format!(
                "no required module provides package {import}; to add it:\n\tgo get {import}"
            )),
        }
    }

    /// The version of a module that the main modules ask for themselves.
    fn required(&self, path: &str) -> Option<String> {
        let all = self.mains.iter().flat_map(|m| self.requirements(&m.says));
        let all = all.filter(|r| r.path == path).map(|r| &r.version);
        all.max_by(|a, b| semver::compare(a, b)).cloned()
    }

    /// What a module asks for, but for what main modules exclude.
    fn requirements<'m>(&'m self, says: &'m GoMod) -> impl Iterator<Item = &'m ModVersion> {
        let is_excluded = |r: &ModVersion| self.mains.iter().any(|m| m.says.exclude.contains(r));
        says.require.iter().filter(move |r| !is_excluded(r))
    }

    /// The selected versions of all modules.
    fn graph(&self) -> Result<&Graph, String> {
        let graph = self.graph.get_or_init(|| self.read_graph());
        graph.as_ref().map_err(Clone::clone)
    }

    fn read_graph(&self) -> Result<Graph, String> {
        let mut graph = Graph::new();
        let mut count = |module: &ModVersion| {
            let at = graph.entry(module.path.clone()).or_default();
            if at.is_empty() || semver::compare(at, &module.version).is_lt() {
                at.clone_from(&module.version);
            }
        };
        // Modules whose requirements count, and whether all count that these lead to.
        let mut todo: Vec<(ModVersion, bool)> = Vec::new();
        for main in &self.mains {
            for module in self.requirements(&main.says) {
                count(module);
                todo.push((module.clone(), main.says.lang < PRUNED));
            }
        }
        let mut seen = BTreeSet::new();
        while let Some((module, is_whole)) = todo.pop() {
            let is_main = self.mains.iter().any(|m| m.says.path == module.path);
            if is_main || !seen.insert((module.clone(), is_whole)) {
                continue;
            }
            let Some(says) = self.says(&module)? else {
                return Err(absent(&self.replaced(&module).unwrap_or(module)));
            };
            for required in self.requirements(&says) {
                count(required);
                if is_whole || says.lang < PRUNED {
                    todo.push((required.clone(), true));
                }
            }
        }
        Ok(graph)
    }

    /// What `replace` lines of main modules and the workspace say; those of the latter come first.
    fn replacements(&self) -> impl Iterator<Item = &Replace> {
        let work = self.work.iter().flat_map(|(_, work)| &work.replace);
        work.chain(self.mains.iter().flat_map(|m| &m.says.replace))
    }

    /// What stands in place of a module: one at a version, or a folder as it is written.
    fn replaced(&self, module: &ModVersion) -> Option<ModVersion> {
        let of = |want: &str| {
            let is_it = |r: &&Replace| r.old.path == module.path && r.old.version == want;
            self.replacements().find(is_it).map(|r| r.new.clone())
        };
        of(&module.version).or_else(|| of(""))
    }

    /// The folder that a replacement is, from the file that names it.
    fn folder_of(&self, new: &ModVersion) -> PathBuf {
        let is_here = |list: &[Replace]| list.iter().any(|r| r.new == *new);
        let of_work = self.work.iter().filter(|(_, work)| is_here(&work.replace));
        let of_mains = self.mains.iter().filter(|m| is_here(&m.says.replace));
        let mut roots = of_work
            .map(|(folder, _)| folder)
            .chain(of_mains.map(|m| &m.root));
        match roots.next() {
            Some(root) => plain(&root.join(&new.path)),
            None => PathBuf::from(&new.path),
        }
    }

    /// Where a replacement's files are, if they are there.
    fn root_of_new(&self, new: &ModVersion) -> Option<PathBuf> {
        let root = match new.version.is_empty() {
            true => self.folder_of(new),
            false => cached(new),
        };
        root.is_dir().then_some(root)
    }

    /// Where a module's files are. The error is a message for the user.
    fn root_of(&self, module: &ModVersion) -> Result<Root, String> {
        let new = self.replaced(module);
        match new {
            Some(new) if new.version.is_empty() => {
                let folder = self.folder_of(&new);
                match folder.is_dir() {
                    true => Ok(Root::Folder(folder)),
                    false => Err(format!(
                        "{module}: replacement directory {} does not exist",
                        new.path
                    )),
                }
            }
            new => {
                let name = new.unwrap_or_else(|| module.clone());
                Ok(Root::Cache(cached(&name), name))
            }
        }
    }

    /// What a module's `go.mod` says; `None` if it is not there.
    /// The error is a message for the user.
    fn says(&self, module: &ModVersion) -> Result<Option<GoMod>, String> {
        let new = self.replaced(module);
        let read = |file: &Path| {
            let text = std::fs::read(file).ok()?;
            note(Seen::File(file.to_path_buf(), stamp(file)));
            Some(text)
        };
        if let Some(new) = new.as_ref().filter(|new| new.version.is_empty()) {
            let file = self.folder_of(new).join("go.mod");
            let Some(text) = read(&file) else {
                return Err(format!(
                    "{module} (replaced by {}): reading {}: open {}: no such file or directory",
                    new.path,
                    gomod::shown(&file),
                    file.display()
                ));
            };
            return self.lax(new, &file, &text).map(Some);
        }
        let name = new.as_ref().unwrap_or(module);
        let kept = goenv::module_cache().join(format!(
            "cache/download/{}/@v/{}.mod",
            escaped(&name.path),
            escaped(&name.version)
        ));
        let folder = cached(name);
        let text = match read(&kept).or_else(|| read(&folder.join("go.mod"))) {
            Some(text) => text,
            // Modules need no such file.
            None if folder.is_dir() => return gomod::read_lax("", "go.mod").map(Some),
            None => return Ok(None),
        };
        self.sums().verify_mod(name, &text)?;
        self.lax(name, &folder.join("go.mod"), &text).map(Some)
    }

    /// What the `go.mod` of a module from elsewhere says. The error is a message for the user.
    fn lax(&self, module: &ModVersion, file: &Path, text: &[u8]) -> Result<GoMod, String> {
        let shown = gomod::shown(file);
        let says = gomod::read_lax(&String::from_utf8_lossy(text), &shown);
        says.map_err(|why| format!("{module}: parsing {shown}: {why}"))
    }

    fn sums(&self) -> &Sums {
        self.sums.get_or_init(|| {
            let work = self
                .work
                .iter()
                .map(|(folder, _)| folder.join("go.work.sum"));
            let mains = self.mains.iter().map(|m| m.root.join("go.sum"));
            let mut sums = Sums::default();
            for file in work.chain(mains) {
                note(Seen::File(file.clone(), stamp(&file)));
                sums.add(&std::fs::read_to_string(file).unwrap_or_default());
            }
            sums
        })
    }

    /// Is what lies in the module cache what `go.sum` says?
    fn verify(&self, name: &ModVersion, root: &Path) -> Result<(), String> {
        if let Some(known) = self.verified.borrow().get(root) {
            return known.clone();
        }
        let found = self.sums().verify(name, root);
        self.verified
            .borrow_mut()
            .insert(root.to_path_buf(), found.clone());
        found
    }

    /// Does `vendor/modules.txt` say what the main modules do? The error is a message for the user.
    ///
    /// Go: cmd/go/internal/modload, checkVendorConsistency.
    fn check_vendor(&self) -> Result<(), String> {
        let Some(vendor) = &self.vendor else {
            return Ok(());
        };
        if self.work.is_none() && self.lang() < CONSISTENT {
            return Ok(());
        }
        let about = |m: &ModVersion| vendor.about.get(m);
        let mut wrong = String::new();
        let mut say = |module: &ModVersion, why: String| {
            let _ = write!(wrong, "\n\t{module}: {why}");
        };
        for main in &self.mains {
            for module in &main.says.require {
                if !about(module).is_some_and(|a| a.is_explicit) {
                    let text = "is explicitly required in go.mod, but not marked as explicit in \
                                vendor/modules.txt";
                    say(module, text.into());
                }
            }
        }
        let file = if self.work.is_some() {
            "go.work"
        } else {
            "go.mod"
        };
        for Replace { old, new } in self.replacements() {
            match about(old).and_then(|a| a.replacement.as_ref()) {
                None => {
                    let text = format!(
                        "is replaced in {file}, but not marked as replaced in vendor/modules.txt"
                    );
                    say(old, text);
                }
                Some(marked) if marked != new => {
                    let text = format!(
                        "is replaced by {new} in {file}, but marked as replaced by {marked} in \
                         vendor/modules.txt"
                    );
                    say(old, text);
                }
                Some(_) => (),
            }
        }
        let are_required: BTreeSet<&ModVersion> =
            self.mains.iter().flat_map(|m| &m.says.require).collect();
        for module in &vendor.modules {
            if about(module).is_some_and(|a| a.is_explicit) && !are_required.contains(module) {
                let article = if self.work.is_some() { "a " } else { "" };
                let text = format!(
                    "is marked as explicit in vendor/modules.txt, but not explicitly required in \
                     {article}go.mod"
                );
                say(module, text);
            }
        }
        for module in &vendor.replaced {
            if self.replaced(module).is_none() {
                let place = if self.work.is_some() {
                    "the workspace"
                } else {
                    "go.mod"
                };
                let text = format!(
                    "is marked as replaced in vendor/modules.txt, but not replaced in {place}"
                );
                say(module, text);
            }
        }
        if wrong.is_empty() {
            return Ok(());
        }
        let command = if self.work.is_some() { "work" } else { "mod" };
        let folder = vendor.folder.parent().unwrap_or(&vendor.folder);
        Err(format!(
            "inconsistent vendoring in {}:{wrong}\n\n\tTo ignore the vendor directory, use \
             --mod=readonly or --mod=mod.\n\tTo sync the vendor directory, run:\n\t\tgo {command} \
             vendor",
            folder.display()
        ))
    }
}

/// Why a package is not there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Missing {
    /// No module has it; it may be one of the library's.
    NoModule,
    /// A message for the user.
    Told(String),
}

impl Vendor {
    /// Reads `modules.txt` of a folder `vendor`.
    fn read(folder: PathBuf) -> Vendor {
        let file = folder.join("modules.txt");
        note(Seen::File(file.clone(), stamp(&file)));
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        let mut vendor = Vendor {
            folder,
            ..Vendor::default()
        };
        let mut module = ModVersion::default();
        let mut versions: BTreeMap<String, String> = BTreeMap::new();
        for line in text.lines() {
            if let Some(rest) = line.strip_prefix("# ") {
                let words: Vec<&str> = rest.split_whitespace().collect();
                let (found, new) = match words[..] {
                    [path, version, ref rest @ ..] if semver::is_valid(version) => {
                        (ModVersion::new(path, version), rest)
                    }
                    [path, "=>", ..] => (ModVersion::new(path, ""), &words[1..]),
                    _ => {
                        module = ModVersion::default();
                        continue;
                    }
                };
                module = found;
                let new = match *new {
                    ["=>", folder] => ModVersion::new(folder, ""),
                    ["=>", path, version] if semver::is_valid(version) => {
                        ModVersion::new(path, version)
                    }
                    _ => continue,
                };
                vendor.replaced.push(module.clone());
                vendor.about.entry(module.clone()).or_default().replacement = Some(new);
            } else if module.path.is_empty() {
                continue;
            } else if let Some(notes) = line.strip_prefix("## ") {
                let about = vendor.about.entry(module.clone()).or_default();
                for entry in notes.split(';').map(str::trim) {
                    about.is_explicit |= entry == "explicit";
                    if let Some(version) = entry.strip_prefix("go ") {
                        about.lang = Some(gomod::lang_of_line(version));
                    }
                }
            } else if let [package] = line.split_whitespace().collect::<Vec<_>>()[..] {
                vendor.packages.insert(package.into(), module.clone());
                let known = versions.get(&module.path);
                if known.is_none_or(|v| semver::compare(v, &module.version).is_lt()) {
                    versions.insert(module.path.clone(), module.version.clone());
                    vendor.modules.push(module.clone());
                }
            }
        }
        vendor
    }
}

/// The workspace that a folder is in: the folder of its `go.work`, and what that says.
fn find_work(root: &Path) -> Result<Option<(PathBuf, GoWork)>, String> {
    let file = match goenv::variable("GOWORK") {
        Some(off) if off == "off" => None,
        Some(file) => Some(PathBuf::from(file)),
        None => {
            let files = root.ancestors().map(|dir| dir.join("go.work"));
            files.into_iter().find(|file| file.is_file())
        }
    };
    let Some(file) = file else { return Ok(None) };
    note(Seen::File(file.clone(), stamp(&file)));
    let text = std::fs::read(&file).map_err(|e| super::message("open", &file, &e))?;
    let text = String::from_utf8_lossy(&text);
    let work = gomod::read_work(&text, &gomod::shown(&file))?;
    let folder = file.parent().map(Path::to_path_buf).unwrap_or_default();
    Ok(Some((folder, work)))
}

/// A module of a workspace.
fn used_module(folder: &Path, used: &str) -> Result<Main, String> {
    let root = plain(&folder.join(used));
    let root = root.canonicalize().unwrap_or(root);
    let file = root.join("go.mod");
    note(Seen::File(file.clone(), stamp(&file)));
    let shown = gomod::shown(&file);
    let text = std::fs::read(&file).map_err(|e| {
        format!(
            "cannot load module {} listed in go.work file: {}",
            gomod::shown(&root),
            super::message("open", Path::new(&shown), &e)
        )
    })?;
    let says = gomod::read(&String::from_utf8_lossy(&text), &shown)?;
    Ok(Main { root, says })
}

/// A path without `.` and `..`, as far as it says so itself.
fn plain(path: &Path) -> PathBuf {
    use std::path::Component;
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => (),
            Component::ParentDir => _ = plain.pop(),
            part => plain.push(part),
        }
    }
    plain
}

/// A path or version as the module cache has it: capitals are small, behind a `!`.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        if c.is_ascii_uppercase() {
            escaped.push('!');
        }
        escaped.push(c.to_ascii_lowercase());
    }
    escaped
}

/// Where a module lies in the module cache.
fn cached(module: &ModVersion) -> PathBuf {
    let (path, version) = (escaped(&module.path), escaped(&module.version));
    goenv::module_cache().join(format!("{path}@{version}"))
}

fn absent(module: &ModVersion) -> String {
    format!(
        "module {module} is not in the module cache ({}); to fetch it:\n\tgo mod download {module}",
        goenv::module_cache().display()
    )
}

fn without_sum(import: &str, by: ImportedBy, modules: &[ModVersion]) -> String {
    let missing = format!("missing go.sum entry for module providing package {import}");
    match by {
        Some(by) => format!("{missing} (imported by {by}); to add:\n\tgo get {by}"),
        None => {
            let modules: Vec<&str> = modules.iter().map(|m| &*m.path).collect();
            format!(
                "{missing}; to add:\n\tgo mod download {}",
                modules.join(" ")
            )
        }
    }
}

/// Has the path no dot in its first part, as those of the library?
fn is_dotless(import: &str) -> bool {
    !import.split('/').next().unwrap_or(import).contains('.')
}

/// A path and those above it, the longest first.
fn prefixes(import: &str) -> impl Iterator<Item = &str> {
    let up = |path: &&str| path.rfind('/').map(|at| &import[..at]);
    std::iter::successors(Some(import), up)
}

/// The folder of a package in a module that lies in `root`, if there is one with Go files and it is
/// not of another module.
fn dir_below(root: &Path, rest: &str) -> Option<PathBuf> {
    if rest.split('/').any(|part| part == ".." || part == ".") {
        return None;
    }
    let dir = if rest.is_empty() {
        root.to_path_buf()
    } else {
        root.join(rest)
    };
    // A folder below that has a go.mod is the root of another module;
    // symbolic links may lead to one.
    let mut folders = dir.ancestors().take_while(|d| *d != root);
    let is_ours = !folders.any(|d| d.join("go.mod").is_file());
    (is_ours && has_go_files(&dir)).then_some(dir)
}

pub(super) fn has_go_files(dir: &Path) -> bool {
    let entries = std::fs::read_dir(dir).into_iter().flatten().flatten();
    let mut names = entries.map(|entry| entry.file_name());
    names.any(|name| name.to_string_lossy().ends_with(".go"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_escaped_and_shortened() {
        assert_eq!(
            escaped("github.com/BurntSushi/toml"),
            "github.com/!burnt!sushi/toml"
        );
        let all: Vec<&str> = prefixes("a.b/c/d").collect();
        assert_eq!(all, ["a.b/c/d", "a.b/c", "a.b"]);
        assert_eq!(plain(Path::new("/a/./b/../c")), Path::new("/a/c"));
    }
}
