//! Functions compiled ahead: those of the library, when gosched is built.
//!
//! An [`Object`] is the code of a function and what the compiler was asked for on the way
//! ([`Need`]). A program that reaches the function gets a copy of the code: the compiler is asked
//! for the same again, and what it gives now goes into the code. So what is reachable, what methods
//! are live and what is initialised is found out as if the function were compiled there. Generic
//! functions have no objects: their instances are compiled from trees.
//!
//! # Invariants
//!
//! - O1. Types, objects, names and positions have the numbers that they had when the object was
//!   made: the program's checker began with the library's export data (types::export::E1).
//!
//! Go: cmd/internal/goobj, cmd/link/internal/ld (deadcode.go).

use super::{Compiler, Job, wrapper};
use bytecode::func::Word;
use bytecode::rtype::Ty;
use bytecode::unit::{Function, In, LayoutOf};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use source::Symbol;
use source::records::{Records, Writer};
use std::collections::BTreeMap;
use types::{Checker, MethodEntry, ObjId, PkgId, TypeId};

/// A layout of up to so many words is asked for by these. By a type it would be by that one of all
/// the library's which had the layout first: whoever stores a pointer would need the types of some
/// other package.
const FEW_WORDS: usize = 16;

/// What the compiler is asked for while it compiles a function. Functions, types and so on stand
/// in the code; the rest is done once more.
#[derive(Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(super) enum Need {
    /// A declared function, with the type arguments of an instance.
    Function(ObjId, Vec<TypeId>),
    /// A wrapper for a method of a type: the method, the way to it, its own type arguments.
    Wrapper(TypeId, ObjId, Vec<u32>, Vec<TypeId>, wrapper::Recv),
    /// A part of the function that is one of its own: the number of its object.
    Part(u32),
    Native(ObjId),
    Type(TypeId),
    /// The layout of a value of a type, of memory of these words.
    Layout(TypeId),
    LayoutOfWords(Box<[Word]>),
    /// The first word of an interface of a static type that holds a value of another.
    Tab(TypeId, TypeId),
    Variable(ObjId),
    Bytes(Box<[u8]>),
    /// Constant words, and which of them stand for what: the number of another need.
    Words(Box<[u64]>, Box<[(usize, In, u32)]>),
    /// Methods of this name are called through interfaces.
    Live(Symbol),
    /// The package is in use.
    Package(PkgId),
}

/// A function compiled ahead. Its relocations are in terms of its needs: the words hold what is
/// added to what a need is given.
#[derive(Serialize, Deserialize)]
struct Object {
    needs: Vec<Need>,
    function: Function,
    /// By relocation the number of a need, or [`NOTHING`].
    places: Vec<u32>,
}

/// The relocation stands for nothing: the layout without pointers, the word of a nil interface.
const NOTHING: u32 = u32::MAX;

/// The library's objects.
#[derive(Clone, Copy, Default)]
pub(super) struct Objects {
    /// One record: functions, and variables for what initialises them (the first of those that are
    /// initialised together), each with the number of its object; in order.
    numbers: Records<'static>,
    objects: Records<'static>,
}

impl Objects {
    /// Those that [`Compiler::compile_library`] has written.
    pub(super) fn of(mut bytes: &'static [u8]) -> Objects {
        let mut take = || Records::take(&mut bytes).expect("what compile_library has written");
        Objects {
            numbers: take(),
            objects: take(),
        }
    }

    /// The number of the object of a function, or of what initialises a variable.
    pub(super) fn find(&self, obj: ObjId) -> Option<u32> {
        if self.numbers.is_empty() {
            return None;
        }
        let number = |bytes: &[u8; 4]| u32::from_le_bytes(*bytes);
        let pairs: &[[[u8; 4]; 2]] = self.numbers.get(0).as_chunks().0.as_chunks().0;
        let i = pairs.binary_search_by_key(&obj.0, |pair| number(&pair[0]));
        Some(number(&pairs[i.ok()?][1]))
    }
}

/// Takes down what functions need while they are compiled.
#[derive(Default)]
pub(super) struct Recorder {
    objects: Vec<Option<Object>>,
    /// The objects of functions, by their indices.
    numbers: FxHashMap<u32, u32>,
    /// Functions being compiled: the body of a range-over-func is compiled amid its function.
    open: Vec<Open>,
    /// A type of the checker for each type of the run time.
    types: FxHashMap<Ty, TypeId>,
}

/// A function being compiled.
struct Open {
    index: u32,
    needs: Vec<Need>,
    numbers: FxHashMap<Need, u32>,
    /// What has been given for needs: places and numbers of the unit.
    given: BTreeMap<(In, u64), u32>,
}

impl Recorder {
    /// Compiling function `index` begins.
    pub(super) fn begin(&mut self, index: u32) {
        self.open.push(Open {
            index,
            needs: Vec::new(),
            numbers: FxHashMap::default(),
            given: BTreeMap::new(),
        });
    }

    pub(super) fn note_type(&mut self, ty: Ty, t: TypeId) {
        self.types.entry(ty).or_insert(t);
    }

    /// The number of the object of a function.
    pub(super) fn object(&mut self, index: u32) -> u32 {
        let objects = &mut self.objects;
        *self.numbers.entry(index).or_insert_with(|| {
            objects.push(None);
            objects.len() as u32 - 1
        })
    }
}

impl Open {
    fn number(&mut self, need: Need) -> u32 {
        let needs = &mut self.needs;
        *self.numbers.entry(need).or_insert_with_key(|need| {
            needs.push(need.clone());
            needs.len() as u32 - 1
        })
    }

    /// The need that was given something of the unit, and the distance from there.
    fn need_of(&self, what: In, value: u64) -> (u32, u64) {
        let mut before = self.given.range(..=(what, value));
        let Some((&(of, start), &need)) = before.next_back() else {
            panic!("{what:?} {value} was not noted")
        };
        let distance = value - start;
        assert!(of == what && (distance == 0 || matches!(what, In::Variables | In::Data)));
        (need, distance)
    }
}

/// The kind of the table that `what` is a number or a place in.
fn table(what: In) -> In {
    match what {
        In::FuncWord => In::Func,
        In::LayoutWord => In::Layout,
        what => what,
    }
}

/// What stands for something of the unit in a word, by `what` it is.
fn read(word: u64, what: In) -> u64 {
    match what {
        In::Func | In::Native | In::Layout => word >> 32,
        _ => word,
    }
}

/// The word with something else in its place.
fn written(word: u64, what: In, value: u64) -> u64 {
    match what {
        In::Func | In::Native | In::Layout => word & u64::from(u32::MAX) | value << 32,
        _ => value,
    }
}

impl Compiler {
    /// As [`new`](Compiler::new), with what [`compile_library`](Compiler::compile_library) has
    /// written. The checker began with the export data that belong to it.
    pub fn with_objects(mut self, bytes: &'static [u8]) -> Compiler {
        self.objects = Objects::of(bytes);
        self
    }

    /// Compiles all functions that are not generic, and all initialisers, of the packages that the
    /// checker has loaded. The checker is to be exported then, not before: types come up while
    /// functions are compiled, with the trees of the functions that are returned: generic ones, and
    /// those whose calls may be compiled in place. Fails with what cannot be compiled, a line each.
    pub fn compile_library(mut self) -> Result<(Vec<u8>, Checker, FxHashSet<ObjId>), String> {
        let functions = self.ck.declared_functions();
        let mut with_trees = FxHashSet::default();
        for &obj in &functions {
            if self.inline_body(obj).is_some() || !self.ck.all_tparams(obj).is_empty() {
                with_trees.insert(obj);
            }
        }
        self.recorder = Some(Box::default());
        let mut numbers = BTreeMap::new();
        for obj in functions {
            if self.ck.all_tparams(obj).is_empty() {
                let index = self.reserve();
                self.compile_decl(index, obj, None);
                self.compile_parts();
                numbers.insert(obj, index);
            }
        }
        for (pkg, list) in self.ck.all_initializers() {
            for i in list {
                let index = self.compile_init_vars(pkg, std::slice::from_ref(&i));
                self.compile_parts();
                numbers.insert(i.lhs[0], index);
            }
        }
        if !self.errors.is_empty() {
            let errors = self.errors.iter();
            let line = |e: &super::Refusal| {
                let at = source::map().position(e.pos);
                format!("{at}: {}", e.message)
            };
            return Err(errors.map(line).collect::<Vec<_>>().join("\n"));
        }
        let mut recorder = *self.recorder.take().unwrap_or_default();
        let pairs = numbers.iter();
        let pairs = pairs.flat_map(|(obj, index)| [obj.0, recorder.object(*index)]);
        let pairs: Vec<u8> = pairs.flat_map(u32::to_le_bytes).collect();
        let (mut of_numbers, mut objects) = (Writer::default(), Writer::default());
        of_numbers.push(&pairs);
        for object in &recorder.objects {
            let object = object.as_ref().expect("what was begun was compiled");
            let bytes = postcard::to_stdvec(object);
            objects.push(&bytes.expect("what is exported can be written"));
        }
        let mut out = Vec::new();
        of_numbers.write(&mut out);
        objects.write(&mut out);
        Ok((out, self.ck, with_trees))
    }

    /// Compiles the function literals that the last function has; the rest of the work is that of
    /// whoever reaches it.
    fn compile_parts(&mut self) {
        while let Some((index, job)) = self.work.pop() {
            if let Job::Lit(lit) = job {
                super::Fun::literal(self, index, *lit);
            }
        }
    }

    /// Notes what the function being compiled needs, if that is to be known.
    pub(super) fn note(&mut self, need: impl FnOnce() -> Need) {
        if let Some(recorder) = &mut self.recorder
            && let Some(open) = recorder.open.last_mut()
        {
            open.number(need());
        }
    }

    /// As [`note`](Compiler::note), with what it has been given.
    pub(super) fn note_given(&mut self, what: In, value: u64, need: impl FnOnce() -> Need) {
        if let Some(recorder) = &mut self.recorder
            && let Some(open) = recorder.open.last_mut()
        {
            let number = open.number(need());
            open.given.insert((what, value), number);
        }
    }

    /// Notes that function `index`, not yet compiled, is a part of the one being compiled.
    pub(super) fn note_part(&mut self, index: u32) {
        if let Some(recorder) = &mut self.recorder {
            let number = recorder.object(index);
            self.note_given(In::Func, index.into(), || Need::Part(number));
        }
    }

    /// Notes constant words, some of which stand for something of the unit.
    pub(super) fn note_words(&mut self, at: usize, words: &[u64], relocs: &[(usize, In)]) {
        let Some(recorder) = &mut self.recorder else {
            return;
        };
        let Some(open) = recorder.open.last_mut() else {
            return;
        };
        let mut words: Box<[u64]> = words.into();
        let place = |&(k, what): &(usize, In)| {
            let (need, distance) = open.need_of(table(what), read(words[k], what));
            words[k] = written(words[k], what, distance);
            (k, what, need)
        };
        let places = relocs.iter().map(place).collect();
        let number = open.number(Need::Words(words, places));
        open.given.insert((In::Data, at as u64), number);
    }

    /// Makes an object of a compiled function.
    pub(super) fn record(&mut self, index: u32, mut function: Function) {
        let Some(recorder) = &mut self.recorder else {
            return;
        };
        let Some(mut open) = recorder.open.pop() else {
            return;
        };
        assert_eq!(
            open.index, index,
            "functions are compiled one inside the other"
        );
        let unit = &self.parts.unit;
        let mut place = |reloc: &bytecode::unit::Reloc| {
            let what = reloc.what();
            let word = &mut function.code[reloc.offset()];
            let value = read(*word, what);
            if value == 0 && matches!(table(what), In::Layout | In::Tab) {
                return NOTHING;
            }
            let (need, distance) = match table(what) {
                In::Type => {
                    let ty = unit.types[value as usize];
                    (open.number(Need::Type(recorder.types[&ty])), 0)
                }
                In::Layout => {
                    let need = match &unit.layouts[value as usize - 1] {
                        LayoutOf::Type(ty) if (1..=FEW_WORDS).contains(&ty.words.len()) => {
                            Need::LayoutOfWords(ty.words.into())
                        }
                        LayoutOf::Type(ty) => Need::Layout(recorder.types[ty]),
                        LayoutOf::Words(words) => Need::LayoutOfWords(words.clone()),
                    };
                    (open.number(need), 0)
                }
                table => open.need_of(table, value),
            };
            *word = written(*word, what, distance);
            need
        };
        let places = function.relocs.iter().map(&mut place).collect();
        let number = recorder.object(index);
        recorder.objects[number as usize] = Some(Object {
            needs: open.needs,
            function,
            places,
        });
    }

    /// Puts a copy of an object into the unit, as function `index`.
    pub(super) fn compile_object(&mut self, index: u32, number: u32) {
        let bytes = self.objects.objects.get(number);
        let object = postcard::from_bytes(bytes).expect("objects are as they were written");
        let Object {
            needs,
            mut function,
            places,
        } = object;
        let mut given = Vec::with_capacity(needs.len());
        for need in needs {
            let value = self.give(need, &given);
            given.push(value);
        }
        for (reloc, need) in function.relocs.iter().zip(places) {
            if need != NOTHING {
                let (what, word) = (reloc.what(), &mut function.code[reloc.offset()]);
                let value = given[need as usize] + read(*word, what);
                *word = written(*word, what, value);
            }
        }
        self.parts.define(index, function);
    }

    /// What the unit has for a need: a number or a place.
    fn give(&mut self, need: Need, given: &[u64]) -> u64 {
        match need {
            Need::Function(obj, targs) => {
                let index = self.func_of(obj, targs);
                self.parts.function_number(index).into()
            }
            Need::Wrapper(t, obj, path, own, kind) => {
                let index = self.wrapper_of(t, &MethodEntry { obj, path }, own, kind, false);
                self.parts.function_number(index).into()
            }
            Need::Part(number) => {
                let index = self.reserve();
                self.work.push((index, Job::Object(number)));
                self.parts.function_number(index).into()
            }
            Need::Native(obj) => {
                let number = self.native_of(obj);
                number.expect("it was one when gosched was built").into()
            }
            Need::Type(t) => {
                let ty = self.rtype(t);
                self.parts.type_number(ty).into()
            }
            Need::Layout(t) => {
                let layout = self.type_info(t).rtype.layout;
                self.parts.layout_number(layout).into()
            }
            Need::LayoutOfWords(words) => {
                let layout = self.layout_of_words(&words);
                self.parts.layout_number(layout).into()
            }
            Need::Tab(inter, t) => self.iface_word(inter, t).into(),
            Need::Variable(obj) => self.global(obj) as u64,
            Need::Bytes(bytes) => self.string_data(&bytes) as u64,
            Need::Words(mut words, places) => {
                for &(k, what, need) in &places {
                    let value = given[need as usize] + read(words[k], what);
                    words[k] = written(words[k], what, value);
                }
                let relocs: Vec<_> = places.iter().map(|&(k, what, _)| (k, what)).collect();
                self.constant_words(&words, &relocs) as u64
            }
            Need::Live(name) => {
                self.method_is_live(name);
                0
            }
            Need::Package(pkg) => {
                self.std_package(pkg);
                0
            }
        }
    }
}
