//! Files, positions, line tables, and interned names.
//!
//! What was compiled when gosched was built brings its files and names with it: they have the
//! first positions and the first numbers ([`snapshot`], [`restore`]).
//!
//! All files of a process live in one [`SourceMap`]; a [`Pos`] is an offset into it, so it names
//! file, line and column in four bytes. `Pos(0)` is "no position". Columns count bytes from 1, as
//! Go's do.
//!
//! Go: go/token/position.go; cmd/internal/src.

pub mod records;
mod snapshot;

pub use snapshot::{restore, snapshot};

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fmt;
use std::sync::{OnceLock, RwLock};

/// A place in some file of the process's source map; 0 is nowhere.
#[derive(
    Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default, Serialize, Deserialize,
)]
pub struct Pos(pub u32);

impl Pos {
    pub const NONE: Pos = Pos(0);
    pub fn is_known(self) -> bool {
        self.0 != 0
    }
    /// The position `n` bytes on.
    pub fn offset(self, n: u32) -> Pos {
        Pos(self.0 + n)
    }
    /// The position when files are `shift` bytes further on in the map, wrapping.
    pub fn shifted(self, shift: u32) -> Pos {
        if self.is_known() {
            Pos(self.0.wrapping_add(shift))
        } else {
            self
        }
    }
}

/// A position as people read it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Position {
    /// As it was given on the command line,
    /// or absolute for the run-time tables (see [`SourceFile::path`]).
    pub file: String,
    pub line: u32,
    /// In bytes, from 1; 0: unknown.
    pub column: u32,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.column == 0 {
            write!(f, "{}:{}", self.file, self.line)
        } else {
            write!(f, "{}:{}:{}", self.file, self.line, self.column)
        }
    }
}

/// `//line` directives: from `offset` on, the text claims to be `file:line:column`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LineDirective {
    /// Offset in the file of the first byte governed.
    pub offset: u32,
    pub file: String,
    pub line: u32,
    /// 0: columns are unknown from here on.
    pub column: u32,
}

#[derive(Debug)]
pub struct SourceFile {
    /// The name shown in errors.
    pub name: String,
    /// The absolute path shown in tracebacks.
    pub path: String,
    /// `Pos` of the first byte.
    pub base: u32,
    /// Bytes of the text.
    pub len: u32,
    /// Empty in files of which only the tables are known.
    pub text: &'static str,
    /// Offsets of line starts; made when a position in the file is first asked for.
    line_starts: OnceLock<Vec<u32>>,
    pub directives: RwLock<Vec<LineDirective>>,
    /// Offsets of bytes that were not UTF-8; the text has a blank in their place.
    pub bad_utf8: Vec<u32>,
}

impl SourceFile {
    /// The number, from 1, of the line that holds an offset, and the offset of its first byte.
    pub fn line(&self, offset: u32) -> (u32, u32) {
        let starts = self.line_starts.get_or_init(|| {
            let mut starts = Vec::with_capacity(self.text.len() / 32 + 1);
            starts.push(0);
            let newlines = memchr::memchr_iter(b'\n', self.text.as_bytes());
            starts.extend(newlines.map(|i| i as u32 + 1));
            starts
        });
        let line = starts.partition_point(|&l| l <= offset);
        (line as u32, starts[line - 1])
    }

    /// Says that the text begins at that line of `file`, which it is a part of.
    pub fn begin_at(&self, file: &str, line: u32) {
        let begin = LineDirective {
            offset: 0,
            file: file.to_string(),
            line,
            column: 1,
        };
        *self.directives.write().unwrap_or_else(|e| e.into_inner()) = vec![begin];
    }

    fn table(&self) -> FileTable {
        self.line(0);
        FileTable {
            name: self.name.clone(),
            path: self.path.clone(),
            base: self.base,
            len: self.len,
            line_starts: self.line_starts.get().cloned().unwrap_or_default(),
            directives: self.directives.read().unwrap().clone(),
        }
    }
}

/// What is needed of a file to tell positions in it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FileTable {
    name: String,
    path: String,
    base: u32,
    len: u32,
    line_starts: Vec<u32>,
    directives: Vec<LineDirective>,
}

impl FileTable {
    /// A file without text, its positions moved by `shift`.
    fn into_file(self, shift: u32) -> &'static SourceFile {
        Box::leak(Box::new(SourceFile {
            name: self.name,
            path: self.path,
            base: self.base.wrapping_add(shift),
            len: self.len,
            text: "",
            line_starts: OnceLock::from(self.line_starts),
            directives: RwLock::new(self.directives),
            bad_utf8: Vec::new(),
        }))
    }
}

/// The Go that is followed: go1.N.M.
pub const GO: (u32, u32) = (27, 3);

/// All files, in order of their bases. One per process; grows only.
pub struct SourceMap {
    /// The first ones, of which only the tables are known.
    restored: Option<&'static snapshot::Files>,
    files: RwLock<Vec<&'static SourceFile>>,
}

/// The process's source map.
pub fn map() -> &'static SourceMap {
    static MAP: OnceLock<SourceMap> = OnceLock::new();
    MAP.get_or_init(|| SourceMap {
        restored: snapshot::files(),
        files: RwLock::new(Vec::new()),
    })
}

impl SourceMap {
    /// Adds a file; its text is kept for the life of the process. At most 4 GiB of text in all.
    pub fn add(&self, name: &str, path: &str, text: String) -> &'static SourceFile {
        self.add_static(name, path, text.leak())
    }

    /// As [`add`](Self::add), for text that lives that long already.
    pub fn add_static(&self, name: &str, path: &str, text: &'static str) -> &'static SourceFile {
        self.add_checked(name, path, text, Vec::new())
    }

    /// As [`add`](Self::add), for bytes of unknown origin:
    /// what is not UTF-8 is noted, and reported by the lexer.
    pub fn add_bytes(&self, name: &str, path: &str, mut bytes: Vec<u8>) -> &'static SourceFile {
        let mut bad = Vec::new();
        let mut from = 0;
        while let Err(e) = std::str::from_utf8(&bytes[from..]) {
            let at = from + e.valid_up_to();
            bytes[at] = b' ';
            bad.push(at as u32);
            from = at + 1;
        }
        let text = String::from_utf8(bytes).unwrap_or_default();
        self.add_checked(name, path, text.leak(), bad)
    }

    fn add_checked(
        &self,
        name: &str,
        path: &str,
        text: &'static str,
        bad_utf8: Vec<u32>,
    ) -> &'static SourceFile {
        let mut files = self.files.write().unwrap();
        let file: &'static SourceFile = Box::leak(Box::new(SourceFile {
            name: name.to_string(),
            path: path.to_string(),
            base: self.next_base(&files),
            len: text.len() as u32,
            text,
            line_starts: OnceLock::new(),
            directives: RwLock::new(Vec::new()),
            bad_utf8,
        }));
        files.push(file);
        file
    }

    /// The tables of the files that hold these positions.
    pub fn tables(&self, positions: &BTreeSet<Pos>) -> Vec<FileTable> {
        let files = self.files.read().unwrap();
        let holds = |f: &&SourceFile| {
            let range = Pos(f.base)..=Pos(f.base + f.len);
            positions.range(range).next().is_some()
        };
        let restored = self.restored.map_or(Vec::new(), |r| r.all().collect());
        let all = restored.into_iter().chain(files.iter().copied());
        all.filter(holds).map(SourceFile::table).collect()
    }

    /// Adds files of which only the tables are known, as far from one another as they were.
    /// By how much their positions have moved, wrapping: see [`Pos::shifted`].
    pub fn add_tables(&self, tables: Vec<FileTable>) -> u32 {
        let mut files = self.files.write().unwrap();
        let first = tables.first().map_or(0, |t| t.base);
        let shift = self.next_base(&files).wrapping_sub(first);
        files.extend(tables.into_iter().map(|t| t.into_file(shift)));
        shift
    }

    /// The base of the next file.
    fn next_base(&self, files: &[&'static SourceFile]) -> u32 {
        match files.last() {
            Some(f) => f.base + f.len + GAP,
            None => self.restored.map_or(1, |r| r.end),
        }
    }

    /// The file that holds `pos`.
    pub fn file(&self, pos: Pos) -> Option<&'static SourceFile> {
        if let Some(restored) = self.restored
            && pos.0 < restored.end
        {
            return restored.file(pos);
        }
        let files = self.files.read().unwrap();
        let i = files.partition_point(|f| f.base <= pos.0);
        (i > 0 && pos.is_known()).then(|| files[i - 1])
    }

    /// Line and column of `pos`, `//line` directives applied, with the file's short name.
    pub fn position(&self, pos: Pos) -> Position {
        self.resolve(pos, |f| f.name.clone())
    }

    /// As [`position`](Self::position), with the file's absolute path: what tracebacks print.
    pub fn runtime_position(&self, pos: Pos) -> Position {
        self.resolve(pos, |f| f.path.clone())
    }

    fn resolve(&self, pos: Pos, name: impl Fn(&SourceFile) -> String) -> Position {
        let Some(file) = self.file(pos) else {
            return Position {
                file: "-".into(),
                line: 0,
                column: 0,
            };
        };
        let offset = pos.0 - file.base;
        let (line, start) = file.line(offset);
        let column = offset - start + 1;
        let directives = file.directives.read().unwrap();
        let i = directives.partition_point(|d| d.offset <= offset);
        if i == 0 {
            return Position {
                file: name(file),
                line,
                column,
            };
        }
        let d = &directives[i - 1];
        let (d_line, _) = file.line(d.offset);
        let column = match (d.column, line == d_line) {
            (0, _) => 0,
            (c, true) => c + (offset - d.offset),
            (_, false) => column,
        };
        Position {
            file: d.file.clone(),
            line: d.line + (line - d_line),
            column,
        }
    }
}

/// Positions from a file's last byte to the first of the next.
const GAP: u32 = 2;

/// An interned string: names of Go. Comparing symbols compares text.
///
/// Written out it is its number, which means the same where [`restore`] has read the names.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Symbol(pub u32);

struct Interner {
    /// The first ones.
    restored: Option<&'static snapshot::Names>,
    map: FxHashMap<&'static str, u32>,
    /// The others.
    names: Vec<&'static str>,
}

/// Names that there is room for from the start: a small program makes as many.
const ROOM: usize = 1024;

fn interner() -> &'static RwLock<Interner> {
    static I: OnceLock<RwLock<Interner>> = OnceLock::new();
    I.get_or_init(|| {
        let mut map = FxHashMap::with_capacity_and_hasher(ROOM, Default::default());
        let mut names = Vec::with_capacity(ROOM);
        let restored = snapshot::names();
        if restored.is_none() {
            map.insert("_", Symbol::BLANK.0);
            names.push("_");
        }
        RwLock::new(Interner {
            restored,
            map,
            names,
        })
    })
}

impl Interner {
    fn find(&self, text: &str) -> Option<u32> {
        let restored = self.restored.and_then(|names| names.find(text));
        restored.or_else(|| self.map.get(text).copied())
    }

    /// How many names were restored.
    fn first(&self) -> u32 {
        self.restored.map_or(0, |names| names.len())
    }

    fn name(&self, i: u32) -> &'static str {
        match i.checked_sub(self.first()) {
            Some(own) => self.names[own as usize],
            None => self.restored.map_or("", |names| names.get(i)),
        }
    }
}

impl Symbol {
    /// The blank identifier `_`.
    pub(crate) const BLANK: Symbol = Symbol(0);

    /// The symbol of `text`.
    pub fn new(text: &str) -> Symbol {
        if let Some(i) = interner().read().unwrap().find(text) {
            return Symbol(i);
        }
        let mut interner = interner().write().unwrap();
        if let Some(i) = interner.find(text) {
            return Symbol(i);
        }
        let text: &'static str = Box::leak(text.to_string().into_boxed_str());
        let i = interner.first() + interner.names.len() as u32;
        interner.names.push(text);
        interner.map.insert(text, i);
        Symbol(i)
    }

    pub fn as_str(self) -> &'static str {
        interner().read().unwrap().name(self.0)
    }

    /// The blank identifier `_`?
    pub fn is_blank(self) -> bool {
        self == Symbol::BLANK
    }

    /// Begins with an upper-case letter? Spec: Exported identifiers.
    pub fn is_exported(self) -> bool {
        self.as_str().chars().next().is_some_and(char::is_uppercase)
    }
}

impl fmt::Display for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
