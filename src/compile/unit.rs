//! What a unit is put together of: the numbers of its natives, types, layouts and itabs, the places
//! of its variables and constants. Each is made when it is first asked for.
//!
//! While a function is compiled its instructions carry types by their addresses and layouts by the
//! heap's numbers; they get the unit's numbers when the code is laid down (`link`).
//!
//! Go: cmd/internal/obj, cmd/link/internal/ld (dodata).

use super::Compiler;
use super::object::Need;
use super::typeinfo::TypeInfo;
use bytecode::rtype::{self, Ty};
use bytecode::unit::{
    Export, Exported, Function, IMPORT_SHIFT, IMPORTED, In, LayoutOf, NativeRef, Tab, Unit,
};
use rustc_hash::{FxHashMap, FxHashSet};
use source::Pos;
use std::rc::Rc;
use types::ObjId;

/// The unit in the making, and what of it has been asked for.
///
/// Functions are numbered on from unit to unit; code carries the unit's own numbers, or those of
/// its imports.
#[derive(Default)]
pub(super) struct Parts {
    pub unit: Unit,
    /// How many units there are before this one, and functions in them.
    n_units: u32,
    first: u32,
    /// Numbers of imports by name.
    imports: FxHashMap<Rc<str>, u32>,
    /// The names under which earlier units have exported functions and variables.
    functions: FxHashMap<u32, Rc<str>>,
    exported: FxHashMap<ObjId, Rc<str>>,
    /// All names that have been given out.
    names: FxHashSet<Rc<str>>,
    /// Functions without body: the numbers of their natives, if they have any.
    natives: FxHashMap<ObjId, Option<u32>>,
    /// By the id of a type: its number from 1, or 0.
    types: Vec<u32>,
    /// By the heap's number of a layout: its number, or 0, and what it is of.
    layouts: Vec<(u32, Option<LayoutOf>)>,
    tabs: FxHashMap<Tab, u32>,
    /// The unit that has a variable, and the place in it.
    variables: FxHashMap<ObjId, (u32, usize)>,
    strings: FxHashMap<Rc<[u8]>, usize>,
    words: FxHashMap<ConstantWords, usize>,
}

/// Words, and which of them stand for what.
type ConstantWords = (Box<[u64]>, Box<[(usize, In)]>);

impl Parts {
    /// The number that the unit has for a function: its own, or that of an import.
    pub(super) fn function_number(&mut self, index: u32) -> u32 {
        if let Some(own) = index.checked_sub(self.first) {
            return own;
        }
        let name = self.functions.get(&index).cloned();
        let name = name.unwrap_or_else(|| panic!("function {index} is of a unit without exports"));
        IMPORTED + self.import(name)
    }

    /// Is it a function of this unit?
    pub(super) fn is_own(&self, index: u32) -> bool {
        index >= self.first
    }

    /// The place that the unit has for a variable.
    fn variable_place(&mut self, obj: ObjId) -> Option<usize> {
        let &(unit, at) = self.variables.get(&obj)?;
        if unit == self.n_units {
            return Some(at);
        }
        let name = self.exported.get(&obj)?.clone();
        Some((self.import(name) as usize + 1) << IMPORT_SHIFT)
    }

    fn import(&mut self, name: Rc<str>) -> u32 {
        let imports = &mut self.unit.imports;
        *self.imports.entry(name).or_insert_with_key(|name| {
            imports.push(name.to_string());
            imports.len() as u32 - 1
        })
    }

    /// Where the body of a function is put that has been reserved: one of an earlier unit is
    /// replaced by one of this unit.
    pub(super) fn home(&mut self, index: u32) -> u32 {
        if index >= self.first {
            return index;
        }
        let import = self.function_number(index) - IMPORTED;
        let own = self.unit.reserve();
        self.unit.replaced.push((import, own));
        self.first + own
    }

    /// Puts a compiled function into the unit.
    pub(super) fn define(&mut self, index: u32, function: Function) {
        self.unit.functions[(index - self.first) as usize] = Some(function);
    }

    /// Gives the unit out and begins the next.
    pub(super) fn take(&mut self) -> Unit {
        let unit = std::mem::take(&mut self.unit);
        self.n_units += 1;
        self.first += unit.functions.len() as u32;
        self.imports.clear();
        self.natives.clear();
        self.types.clear();
        self.layouts.iter_mut().for_each(|l| l.0 = 0);
        self.tabs.clear();
        self.strings.clear();
        self.words.clear();
        unit
    }

    /// Drops what there is of the unit. Numbers and places that it has given out are given out
    /// again.
    pub(super) fn abandon(&mut self) {
        let (n_units, first) = (self.n_units, self.first);
        self.take();
        (self.n_units, self.first) = (n_units, first);
        self.variables.retain(|_, v| v.0 < n_units);
    }

    /// A name that has not been given out: `name`, or that with a number.
    fn free_name(&mut self, name: String) -> Rc<str> {
        let numbered = (1..).map(|n| Rc::from(format!("{name}·{n}")));
        let mut candidates = std::iter::once(Rc::from(&*name)).chain(numbered);
        let free = candidates.find(|name| !self.names.contains(name));
        let free: Rc<str> = free.unwrap_or_else(|| Rc::from(&*name));
        self.names.insert(free.clone());
        free
    }

    /// Exports a function of this unit.
    pub(super) fn export_function(&mut self, index: u32, name: String, is_shared: bool) {
        let number = index - self.first;
        let name = self.free_name(name);
        self.unit.exports.push(Export {
            name: name.to_string(),
            what: Exported::Function(number),
            is_shared,
        });
        self.functions.insert(index, name);
    }

    /// The variables of this unit, which are to be exported.
    pub(super) fn own_variables(&self) -> Vec<ObjId> {
        let own = self.variables.iter().filter(|(_, v)| v.0 == self.n_units);
        own.map(|(obj, _)| *obj).collect()
    }

    /// Exports a variable of this unit.
    pub(super) fn export_variable(&mut self, obj: ObjId, name: String) {
        let name = self.free_name(name);
        self.unit.exports.push(Export {
            name: name.to_string(),
            what: Exported::Variable(self.variables[&obj].1),
            is_shared: false,
        });
        self.exported.insert(obj, name);
    }

    /// The number of a type.
    pub(super) fn type_number(&mut self, ty: Ty) -> u32 {
        let id = ty.id as usize;
        if self.types.len() <= id {
            self.types.resize(id + 1, 0);
        }
        if self.types[id] == 0 {
            self.unit.types.push(ty);
            self.types[id] = self.unit.types.len() as u32;
        }
        self.types[id] - 1
    }

    /// Notes what the heap's layout `layout` is of, unless that is known.
    pub(super) fn note_layout(&mut self, layout: u32, of: impl FnOnce() -> LayoutOf) {
        let i = layout as usize;
        if self.layouts.len() <= i {
            self.layouts.resize(i + 1, (0, None));
        }
        self.layouts[i].1.get_or_insert_with(of);
    }

    /// The number of the heap's layout `layout`, which has been noted.
    pub(super) fn layout_number(&mut self, layout: u32) -> u32 {
        if layout == 0 {
            return 0;
        }
        let known = self.layouts.get_mut(layout as usize);
        let Some((number, Some(of))) = known else {
            panic!("layout {layout} is of no type that the compiler has looked at")
        };
        if *number == 0 {
            self.unit.layouts.push(of.clone());
            *number = self.unit.layouts.len() as u32;
        }
        *number
    }

    /// The number of the first word of an interface.
    pub(super) fn tab_number(&mut self, tab: Tab) -> u32 {
        let tabs = &mut self.unit.tabs;
        *self.tabs.entry(tab).or_insert_with(|| {
            tabs.push(tab);
            tabs.len() as u32
        })
    }
}

impl Compiler {
    /// Takes the next number for a function.
    pub(super) fn reserve(&mut self) -> u32 {
        self.parts.first + self.parts.unit.reserve()
    }

    /// As `reserve`, for a part of the function being compiled.
    pub(super) fn reserve_part(&mut self) -> u32 {
        let index = self.reserve();
        self.note_part(index);
        index
    }

    /// The number of the native behind a declaration without body.
    pub(crate) fn native_of(&mut self, obj: ObjId) -> Option<u32> {
        let number = self.native_number(obj)?;
        self.note_given(In::Native, number.into(), || Need::Native(obj));
        Some(number)
    }

    fn native_number(&mut self, obj: ObjId) -> Option<u32> {
        if let Some(&known) = self.parts.natives.get(&obj) {
            return known;
        }
        let found = self.find_native(obj);
        if let Some(name) = found.as_ref().and_then(|n| n.strip_prefix("reflect.")) {
            self.is_reflected(name);
        }
        let found = found.map(|name| {
            let pos = self.ck.obj(obj).pos;
            self.parts.unit.natives.push(NativeRef { name, pos });
            self.parts.unit.natives.len() as u32 - 1
        });
        self.parts.natives.insert(obj, found);
        found
    }

    fn find_native(&self, obj: ObjId) -> Option<String> {
        if !self.ck.is_bodiless(obj) {
            return None;
        }
        let path = &self.ck.pkg(self.ck.obj(obj).pkg?).path;
        let name = self.method_name(obj);
        (self.is_native)(path, &name).then(|| format!("{path}.{name}"))
    }

    /// The static func value of a function that captures nothing: its place.
    pub(crate) fn static_closure(&mut self, function: u32) -> usize {
        let number = self.parts.function_number(function);
        self.constant_words(&[number.into()], &[(0, In::FuncWord)])
    }

    /// The place of a package-level variable.
    pub(crate) fn global(&mut self, obj: ObjId) -> usize {
        let at = self.place_of(obj);
        self.note_given(In::Variables, at as u64, || Need::Variable(obj));
        at
    }

    fn place_of(&mut self, obj: ObjId) -> usize {
        let obj = self.shared.get(&obj).copied().unwrap_or(obj);
        if let Some(at) = self.parts.variable_place(obj) {
            return at;
        }
        if let Some(pkg) = self.ck.obj(obj).pkg
            && self.ck.pkg(pkg).is_std
        {
            self.ck.ensure_var_init(obj);
            self.std_vars.insert(obj);
            self.std_package(pkg);
        }
        let ti = self.type_info(self.ck.obj(obj).ty);
        let at = self.parts.unit.variables.add(ti.rtype);
        let unit = self.parts.n_units;
        self.parts.variables.insert(obj, (unit, at));
        at
    }

    /// The place of a string constant's bytes; 0 if there are none.
    pub(crate) fn string_data(&mut self, s: &[u8]) -> usize {
        if s.is_empty() {
            return 0;
        }
        let at = self.parts.strings.get(s).copied();
        let at = at.unwrap_or_else(|| {
            let at = self.parts.unit.data.put(s);
            let at = at.unwrap_or_else(|| self.constants_full());
            self.parts.strings.insert(s.into(), at);
            at
        });
        self.note_given(In::Data, at as u64, || Need::Bytes(s.into()));
        at
    }

    /// The words of a string constant, and what of them stands for a place.
    pub(crate) fn string_words(&mut self, s: &[u8]) -> ([u64; 2], Option<In>) {
        let at = self.string_data(s) as u64;
        ([at, s.len() as u64], (at != 0).then_some(In::Data))
    }

    /// The place of constant words, equal ones shared; `relocs` says which of them stand for
    /// something of the unit.
    pub(crate) fn constant_words(&mut self, words: &[u64], relocs: &[(usize, In)]) -> usize {
        let key = (words.into(), relocs.into());
        let at = self.parts.words.get(&key).copied();
        let at = at.unwrap_or_else(|| {
            let at = self.parts.unit.data.put_words(words, relocs);
            let at = at.unwrap_or_else(|| self.constants_full());
            self.parts.words.insert(key, at);
            at
        });
        self.note_words(at, words, relocs);
        at
    }

    fn constants_full(&mut self) -> usize {
        self.unsupported(Pos::NONE, "constants of more than 2 GB");
        0
    }

    /// Notes what the layout of a type is of, since instructions will name it.
    pub(super) fn note_type(&mut self, info: &TypeInfo) {
        let ty = info.rtype;
        if ty.layout != 0 {
            self.parts.note_layout(ty.layout, || LayoutOf::Type(ty));
        }
    }

    /// The heap's layout of memory of these words.
    pub(super) fn layout_of_words(&mut self, words: &[bytecode::func::Word]) -> u32 {
        let layout = rtype::layout(words.len() * 8, words);
        if layout != 0 {
            let of = || LayoutOf::Words(words.into());
            self.parts.note_layout(layout, of);
        }
        layout
    }
}
