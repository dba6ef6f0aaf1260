#![allow(unsafe_code)]
//! The running whole: what has been loaded, and how a [`Unit`] is added to it.
//!
//! Code, types, constants and variables lie in the process's arenas, functions in their table; the
//! image says what else the VM must know of them. Units may be added while goroutines run: what a
//! unit brings is written whole before the first number by which something may find it is given
//! out.
//!
//! # Invariants
//!
//! - I1. Until `add` returns no code knows the unit's numbers, places and types.

use super::arena;
use super::func::{self, Word, make_stub};
use super::op::Op;
use super::rtype::{self, Ty};
use super::unit::{Exported, Function, IMPORT_SHIFT, IMPORTED, In, Tab, Unit, Variables};
use rustc_hash::{FxBuildHasher, FxHashMap};
use source::Pos;
use std::collections::HashMap;
use std::fmt;
use std::sync::{Mutex, MutexGuard, OnceLock};

/// All that has been loaded. Everything in it lives as long as the process.
#[derive(Debug)]
pub struct Image {
    /// The stub instructions. Made with the first unit; where they are never changes.
    stubs: OnceLock<Stubs>,
    /// Package-level variables that hold pointers.
    roots: Mutex<Vec<Root>>,
    /// What units have exported.
    symbols: Mutex<FxHashMap<String, Symbol>>,
}

static IMAGE: Image = Image {
    stubs: OnceLock::new(),
    roots: Mutex::new(Vec::new()),
    symbols: Mutex::new(HashMap::with_hasher(FxBuildHasher)),
};

/// The process's image.
pub fn image() -> &'static Image {
    &IMAGE
}

/// Something that later units may name: the index of a function, the address of a variable.
#[derive(Clone, Copy, Debug)]
enum Symbol {
    Function(u32),
    Variable(usize),
}

/// A package-level variable that holds pointers.
#[derive(Clone, Copy, Debug)]
pub struct Root {
    pub addr: usize,
    /// Kinds of its words, repeated `count` times.
    pub words: &'static [Word],
    pub count: usize,
}

/// The addresses of the stub instructions.
#[derive(Clone, Copy, Debug)]
pub struct Stubs {
    /// Where a goroutine's function returns to.
    pub exit: usize,
    /// Where a function called by a native returns to.
    pub native: usize,
    /// Where a deferred call made by a panic or Goexit returns to.
    pub defer: usize,
}

/// Functions of a unit that has been loaded, by their places in the function table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Loaded {
    /// Initialises the unit.
    pub init: u32,
    /// `main.main`.
    pub main: u32,
}

/// Why a unit cannot be loaded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unloadable {
    /// There is no room for its variables, the largest of which has so many bytes.
    Variables(usize),
    /// There is no room for its constant data.
    Data,
    /// The machine has no native of this name.
    Native(String),
    /// No unit that has been loaded exports this.
    Import(String),
    /// A type lacks a method of an interface: both types and the method.
    Method(&'static str, &'static str, &'static str),
}

impl fmt::Display for Unloadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unloadable::Variables(bytes) => {
                write!(
                    f,
                    "runtime: out of memory: cannot allocate {bytes}-byte variable"
                )
            }
            Unloadable::Data => write!(f, "runtime: out of memory: no room for constants"),
            Unloadable::Native(name) => write!(f, "no native {name}"),
            Unloadable::Import(name) => write!(f, "no loaded unit has {name}"),
            Unloadable::Method(typ, inter, method) => {
                write!(f, "internal: {typ} lacks method {method} of {inter}")
            }
        }
    }
}

impl Image {
    /// The addresses of the stub instructions.
    #[inline]
    pub fn stubs(&self) -> &Stubs {
        self.stubs.get_or_init(Stubs::make)
    }

    /// The variables with pointers. No unit is added meanwhile.
    pub fn roots(&self) -> MutexGuard<'_, Vec<Root>> {
        self.roots.lock().unwrap_or_else(|e| e.into_inner())
    }

    /// Adds `unit`. `place` gives natives their places in the VM's table, by name.
    pub fn add(
        &self,
        unit: Unit,
        place: &mut dyn FnMut(&str, Pos) -> Option<u32>,
    ) -> Result<Loaded, Unloadable> {
        self.stubs();
        let natives = unit.natives.iter().map(|n| {
            let found = place(&n.name, n.pos);
            found.ok_or_else(|| Unloadable::Native(n.name.clone()))
        });
        let natives = natives.collect::<Result<Vec<u32>, _>>()?;
        // One unit at a time: what it shares with another is there once.
        let mut symbols = self.symbols.lock().unwrap_or_else(|e| e.into_inner());
        let imports = unit.imports.iter().map(|name| {
            let found = symbols.get(name).copied();
            found.ok_or_else(|| Unloadable::Import(name.clone()))
        });
        let imports = imports.collect::<Result<Vec<Symbol>, _>>()?;
        let Variables { bytes, largest, .. } = unit.variables;
        let is_countable = bytes >> IMPORT_SHIFT == 0;
        let variables = is_countable.then(|| arena::GLOBALS.alloc_anywhere(bytes, 16));
        let variables = variables.flatten().ok_or(Unloadable::Variables(largest))?;
        let data = arena::CONSTS.put(&unit.data.bytes, 8);
        let data = data.ok_or(Unloadable::Data)?;
        let first = func::reserve(unit.functions.len());
        let mut places = Places {
            functions: (first..).take(unit.functions.len()).collect(),
            natives,
            types: unit.types,
            layouts: vec![0],
            tabs: vec![0],
            imports,
            variables,
            data,
        };
        for export in unit.exports {
            let what = match export.what {
                Exported::Function(n) => Symbol::Function(first + n),
                Exported::Variable(at) => Symbol::Variable(variables + at),
            };
            match (symbols.get(&export.name), export.what) {
                (Some(Symbol::Function(there)), Exported::Function(n)) if export.is_shared => {
                    places.functions[n as usize] = *there;
                }
                _ => {
                    symbols.insert(export.name, what);
                }
            }
        }
        let layouts = unit.layouts.iter().map(|l| l.number());
        places.layouts.extend(layouts);
        for (ty, mut methods) in unit.methods {
            for m in &mut methods {
                m.func = places.function(m.func);
            }
            rtype::set_methods(ty, methods);
        }
        for tab in &unit.tabs {
            places.tabs.push(first_word(tab)?);
        }
        for (at, what) in unit.data.relocs {
            // SAFETY: I1 — the segment is ours; relocations lie in it, at multiples of 8.
            unsafe {
                let word = (data + at) as *mut u64;
                *word = places.of(what, *word);
            }
        }
        for (at, typ) in unit.variables.roots {
            add_root(&mut self.roots(), variables + at, typ);
        }
        for (number, function) in unit.functions.into_iter().enumerate() {
            let index = first + number as u32;
            // What is there already stays.
            if let Some(function) = function
                && places.functions[number] == index
            {
                places.publish(index, function);
            }
        }
        for (import, number) in unit.replaced {
            if let Some(Symbol::Function(old)) = places.imports.get(import as usize) {
                func::replace(*old, places.function(number));
            }
        }
        Ok(Loaded {
            init: places.function(unit.init),
            main: places.function(unit.main),
        })
    }

    /// The function that a unit has exported by that name: its index in the table.
    pub fn function(&self, name: &str) -> Option<u32> {
        let symbols = self.symbols.lock().unwrap_or_else(|e| e.into_inner());
        match symbols.get(name) {
            Some(Symbol::Function(index)) => Some(*index),
            _ => None,
        }
    }
}

/// The first word of an interface.
fn first_word(tab: &Tab) -> Result<u64, Unloadable> {
    let Some(inter) = tab.inter else {
        return Ok(tab.typ.word());
    };
    match rtype::itab(inter, tab.typ) {
        Ok(itab) => Ok(itab as u64),
        Err(method) => Err(Unloadable::Method(tab.typ.string, inter.string, method)),
    }
}

/// Notes where the variable of type `t` at `addr` has pointers.
fn add_root(roots: &mut Vec<Root>, addr: usize, t: Ty) {
    if !t.has_pointers() {
        return;
    }
    if !t.words.is_empty() {
        roots.push(Root {
            addr,
            words: t.words,
            count: t.size / 8 / t.words.len(),
        });
        return;
    }
    // A large struct, or an array of them.
    for f in t.fields {
        add_root(roots, addr + f.offset, f.typ);
    }
    for k in 0..t.len {
        add_root(roots, addr + k * t.elem().size, t.elem);
    }
}

/// Where the parts of a unit have come to lie.
struct Places {
    /// The indices of the unit's functions in the table.
    functions: Vec<u32>,
    natives: Vec<u32>,
    types: Vec<Ty>,
    layouts: Vec<u32>,
    tabs: Vec<u64>,
    imports: Vec<Symbol>,
    variables: usize,
    data: usize,
}

impl Places {
    /// The index of function `number` of the unit, or of one that it imports.
    fn function(&self, number: u32) -> u32 {
        let Some(import) = number.checked_sub(IMPORTED) else {
            return self.functions[number as usize];
        };
        match self.imports[import as usize] {
            Symbol::Function(index) => index,
            Symbol::Variable(_) => panic!("import {import} is called, and is a variable"),
        }
    }

    /// The address of what lies at a place of the variables, or of one that is imported.
    fn variable(&self, at: u64) -> u64 {
        let Some(import) = (at >> IMPORT_SHIFT).checked_sub(1) else {
            return self.variables as u64 + at;
        };
        match self.imports[import as usize] {
            Symbol::Variable(addr) => addr as u64 + (at & ((1 << IMPORT_SHIFT) - 1)),
            Symbol::Function(_) => panic!("import {import} is a function"),
        }
    }

    /// What a word becomes that stands for `what`.
    fn of(&self, what: In, word: u64) -> u64 {
        let half = (word >> 32) as usize;
        let with_half = |new: u32| u64::from(new) << 32 | word & u64::from(u32::MAX);
        match what {
            In::Func => with_half(self.function(half as u32)),
            In::Native => with_half(self.natives[half]),
            In::Layout => with_half(self.layouts[half]),
            In::Type => self.types[word as usize].word(),
            In::Tab => self.tabs[word as usize],
            In::Variables => self.variable(word),
            In::Data => self.data as u64 + word,
            In::LayoutWord => self.layouts[word as usize].into(),
            In::FuncWord => self.function(word as u32).into(),
        }
    }

    /// Makes `function` the one with that index.
    fn publish(&self, index: u32, mut function: Function) {
        for r in &function.relocs {
            let word = &mut function.code[r.offset()];
            *word = self.of(r.what(), *word);
        }
        #[cfg(debug_assertions)]
        if let Err(e) = super::verify::verify(&function.code, &function.info) {
            let text = super::disasm::function(&function.code, &function.info, |n| n.to_string());
            panic!("{}: {e}\n{text}", function.info.name);
        }
        func::publish(index, &function.code, function.info);
    }
}

impl Stubs {
    /// Makes the stubs, by the names that tracebacks print of them.
    fn make() -> Stubs {
        Stubs {
            exit: make_stub("runtime.goexit", Pos::NONE, Op::StubGoexit),
            native: make_stub("runtime.callback", Pos::NONE, Op::StubNativeReturn),
            defer: make_stub("runtime.gopanic", Pos::NONE, Op::StubPanicReturn),
        }
    }
}
