//! The files and names of a process, written out, and read in when another one starts.
//!
//! Reading looks at none of them: a file's tables are made when a position in it is asked for, and
//! names are found through a table of hashes that was made when they were written.

use crate::records::{Records, Writer, take_numbers};
use crate::{FileTable, GAP, Interner, Pos, SourceFile, interner, map};
use std::sync::OnceLock;

static FILES: OnceLock<Files> = OnceLock::new();
static NAMES: OnceLock<Names> = OnceLock::new();

pub(super) fn files() -> Option<&'static Files> {
    FILES.get()
}

pub(super) fn names() -> Option<&'static Names> {
    NAMES.get()
}

/// Files of which only the tables are known.
#[derive(Debug)]
pub(super) struct Files {
    /// Where each begins, in this order.
    bases: &'static [[u8; 4]],
    tables: Records<'static>,
    made: Vec<OnceLock<&'static SourceFile>>,
    /// The first position behind them.
    pub(super) end: u32,
}

impl Files {
    pub(super) fn file(&self, pos: Pos) -> Option<&'static SourceFile> {
        let bases = self.bases;
        let i = bases.partition_point(|base| u32::from_le_bytes(*base) <= pos.0);
        (i > 0).then(|| self.get(i - 1))
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &'static SourceFile> {
        (0..self.made.len()).map(|i| self.get(i))
    }

    fn get(&self, i: usize) -> &'static SourceFile {
        self.made[i].get_or_init(|| {
            let table = postcard::from_bytes(self.tables.get(i as u32));
            let table: FileTable = table.expect("the tables are as they were written");
            table.into_file(0)
        })
    }
}

/// Names, the first of which is the blank one.
#[derive(Debug)]
pub(super) struct Names {
    names: Records<'static>,
    /// By the hash of a name its number from 1; 0 where there is none. Those that are taken are
    /// looked for in the places that follow.
    places: &'static [[u8; 4]],
}

impl Names {
    pub(super) fn len(&self) -> u32 {
        self.names.len()
    }

    pub(super) fn get(&self, i: u32) -> &'static str {
        std::str::from_utf8(self.names.get(i)).expect("names are text")
    }

    pub(super) fn find(&self, text: &str) -> Option<u32> {
        let mask = self.places.len() - 1;
        let mut at = hash(text) as usize & mask;
        loop {
            let i = u32::from_le_bytes(self.places[at]).checked_sub(1)?;
            if self.names.get(i) == text.as_bytes() {
                return Some(i);
            }
            at = (at + 1) & mask;
        }
    }
}

/// FNV-1a, which is the same in all processes.
fn hash(text: &str) -> u32 {
    let step = |h: u32, b: &u8| (h ^ u32::from(*b)).wrapping_mul(0x0100_0193);
    text.as_bytes().iter().fold(0x811c_9dc5, step)
}

/// Writes out the files and names that there are.
pub fn snapshot() -> Vec<u8> {
    let mut out = Vec::new();
    let files = map().files.read().unwrap();
    let mut tables = Writer::default();
    for file in files.iter() {
        let table = postcard::to_stdvec(&file.table());
        tables.push(&table.expect("tables can be written"));
    }
    let end = files.last().map_or(1, |f| f.base + f.len + GAP);
    let bases = files.iter().map(|f| f.base);
    write_numbers(bases.chain([end]), &mut out);
    tables.write(&mut out);
    let interner = interner().read().unwrap();
    write_names(&interner, &mut out);
    out
}

fn write_names(interner: &Interner, out: &mut Vec<u8>) {
    let names = &interner.names;
    let mut records = Writer::default();
    let mut places = vec![0u32; (2 * names.len()).next_power_of_two()];
    let mask = places.len() - 1;
    for (i, name) in names.iter().enumerate() {
        records.push(name.as_bytes());
        let mut at = hash(name) as usize & mask;
        while places[at] != 0 {
            at = (at + 1) & mask;
        }
        places[at] = i as u32 + 1;
    }
    records.write(out);
    write_numbers(places.into_iter(), out);
}

fn write_numbers(numbers: impl Iterator<Item = u32>, out: &mut Vec<u8>) {
    let numbers: Vec<u32> = numbers.collect();
    let all = std::iter::once(numbers.len() as u32).chain(numbers);
    out.extend(all.flat_map(u32::to_le_bytes));
}

/// Reads in what [`snapshot`] has written: before there is any file or name.
///
/// # Panics
/// If there is one, or the bytes are none of a snapshot.
pub fn restore(from: &'static [u8]) {
    let (files, names) = read(from).expect("a snapshot of files and names");
    assert!(FILES.set(files).is_ok() && NAMES.set(names).is_ok());
    assert!(map().restored.is_some() && interner().read().unwrap().restored.is_some());
}

fn read(from: &'static [u8]) -> Option<(Files, Names)> {
    let (numbers, mut rest) = take_numbers(from)?;
    let (end, bases) = numbers.split_last()?;
    let tables = Records::take(&mut rest)?;
    let files = Files {
        bases,
        tables,
        made: bases.iter().map(|_| OnceLock::new()).collect(),
        end: u32::from_le_bytes(*end),
    };
    let names = Records::take(&mut rest)?;
    let (places, _) = take_numbers(rest)?;
    places.len().is_power_of_two().then_some(())?;
    Some((files, Names { names, places }))
}
