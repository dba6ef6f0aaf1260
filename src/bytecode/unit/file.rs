#![allow(unsafe_code)]
//! Units as bytes: how they are written out, and read back in another process.
//!
//! A file is a head (what made it, a checksum) and the unit with all that lives outside of it in a
//! process: the types it names, by their structure, and the line tables of its source files. What
//! was cut or altered is refused by its checksum; what another build has made, by the head, since
//! the numbers of opcodes and the layout of frames are the build's own. The checksum guards against
//! accidents alone: a unit made by hand can do anything.
//!
//! Go: cmd/internal/goobj; internal/pkgbits for types.

use super::{Data, Export, Function, LayoutOf, NativeRef, Tab, Unit, Variables};
use crate::func::Word;
use crate::op::Op;
use crate::rtype::{self, Field, IMethod, Kind, Method, NamedKey, Ty};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use source::{self, FileTable, Pos};
use std::collections::BTreeSet;
use std::fmt;

const MAGIC: &[u8; 16] = b"gosched unit 1\n\0";
/// Bytes of the head: magic, fingerprint of the build, checksum of what follows.
const HEAD: usize = 24;

/// Why bytes are no unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unreadable {
    /// They do not begin as a unit does.
    NoUnit,
    /// Another build has made it.
    OtherBuild,
    /// They were cut or altered.
    Damaged,
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Unreadable::NoUnit => "not a compiled unit",
            Unreadable::OtherBuild => "compiled by another build of gosched",
            Unreadable::Damaged => "compiled unit is damaged",
        })
    }
}

/// What a unit looks like in a file. Types are numbers in `types`.
#[derive(Serialize, Deserialize)]
struct Written {
    sources: Vec<FileTable>,
    types: Vec<TypeDef>,
    /// Named types, and what they are: types with the same contents.
    contents: Vec<(u32, Contents)>,
    functions: Vec<Option<Function>>,
    natives: Vec<NativeRef>,
    numbered: Vec<u32>,
    methods: Vec<(u32, Vec<MethodDef>)>,
    layouts: Vec<LayoutDef>,
    tabs: Vec<(Option<u32>, u32)>,
    variables: (usize, usize, Vec<(usize, u32)>),
    data: Data,
    imports: Vec<String>,
    exports: Vec<Export>,
    replaced: Vec<(u32, u32)>,
    init: u32,
    main: u32,
}

/// A type. Those it mentions stand before it, but for what named types contain.
#[derive(Serialize, Deserialize)]
enum TypeDef {
    Named {
        string: String,
        name: String,
        pkg: String,
        declared: (String, u32),
        targs: Vec<u32>,
    },
    Unnamed(Contents),
}

#[derive(Serialize, Deserialize)]
enum Contents {
    Basic(Kind),
    Pointer(u32),
    Slice(u32),
    Array(u32, usize),
    Chan(u32, u8),
    Map(u32, u32),
    Func(Vec<u32>, Vec<u32>, bool),
    Struct(Vec<FieldDef>),
    Interface(Vec<(String, String, u32)>),
}

#[derive(Serialize, Deserialize)]
struct FieldDef {
    name: String,
    pkg: String,
    typ: u32,
    embedded: bool,
    exported: bool,
    tag: String,
}

#[derive(Serialize, Deserialize)]
struct MethodDef {
    name: String,
    pkg: String,
    typ: u32,
    func: u32,
}

#[derive(Serialize, Deserialize)]
enum LayoutDef {
    Type(u32),
    Words(Vec<Word>),
}

/// The unit as bytes.
pub fn write(unit: Unit) -> Vec<u8> {
    let mut types = Types {
        keys: rtype::keys(),
        numbers: FxHashMap::default(),
        defs: Vec::new(),
        named: Vec::new(),
    };
    let sources = source::map().tables(&positions(&unit));
    let methods = unit.methods.iter().map(|(ty, methods)| {
        let def = |m: &Method| MethodDef {
            name: m.name.to_string(),
            pkg: m.pkg.to_string(),
            typ: types.number(m.mtyp),
            func: m.func,
        };
        let methods = methods.iter().map(def).collect();
        (types.number(*ty), methods)
    });
    let methods = methods.collect();
    let layouts = unit.layouts.iter().map(|l| match l {
        LayoutOf::Type(ty) => LayoutDef::Type(types.number(*ty)),
        LayoutOf::Words(words) => LayoutDef::Words(words.to_vec()),
    });
    let layouts = layouts.collect();
    let tabs = unit.tabs.iter().map(|tab| {
        let inter = tab.inter.map(|i| types.number(i));
        (inter, types.number(tab.typ))
    });
    let tabs = tabs.collect();
    let roots = unit.variables.roots.iter();
    let roots = roots.map(|(at, ty)| (*at, types.number(*ty))).collect();
    let numbered = unit.types.iter().map(|ty| types.number(*ty)).collect();
    let contents = types.contents();
    let written = Written {
        sources,
        types: types.defs,
        contents,
        functions: unit.functions,
        natives: unit.natives,
        numbered,
        methods,
        layouts,
        tabs,
        variables: (unit.variables.bytes, unit.variables.largest, roots),
        data: unit.data,
        imports: unit.imports,
        exports: unit.exports,
        replaced: unit.replaced,
        init: unit.init,
        main: unit.main,
    };
    let head = vec![0; HEAD];
    let mut bytes = postcard::to_extend(&written, head).expect("memory takes what is written");
    bytes[..16].copy_from_slice(MAGIC);
    bytes[16..20].copy_from_slice(&fingerprint().to_le_bytes());
    let sum = crc32fast::hash(&bytes[HEAD..]);
    bytes[20..24].copy_from_slice(&sum.to_le_bytes());
    bytes
}

/// The unit that `bytes` are, with its types made and its source files in the map.
pub fn read(bytes: &[u8]) -> Result<Unit, Unreadable> {
    let Some((head, body)) = bytes.split_at_checked(HEAD) else {
        let is_cut = MAGIC.starts_with(bytes) || bytes.starts_with(MAGIC);
        let why = if is_cut {
            Unreadable::Damaged
        } else {
            Unreadable::NoUnit
        };
        return Err(why);
    };
    if head[..16] != *MAGIC {
        return Err(Unreadable::NoUnit);
    }
    let word = |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
    if word(16) != fingerprint() {
        return Err(Unreadable::OtherBuild);
    }
    if word(20) != crc32fast::hash(body) {
        return Err(Unreadable::Damaged);
    }
    let written: Written = postcard::from_bytes(body).map_err(|_| Unreadable::Damaged)?;
    let types = made(&written.types, &written.contents);
    let method = |m: MethodDef| Method {
        name: rtype::intern(&m.name),
        pkg: rtype::intern(&m.pkg),
        mtyp: types[m.typ as usize],
        func: m.func,
    };
    let methods = written.methods.into_iter();
    let methods = methods.map(|(ty, list)| {
        let list = list.into_iter().map(method).collect();
        (types[ty as usize], list)
    });
    let layouts = written.layouts.into_iter().map(|l| match l {
        LayoutDef::Type(ty) => LayoutOf::Type(types[ty as usize]),
        LayoutDef::Words(words) => LayoutOf::Words(words.into()),
    });
    let tabs = written.tabs.into_iter().map(|(inter, typ)| Tab {
        inter: inter.map(|i| types[i as usize]),
        typ: types[typ as usize],
    });
    let (bytes, largest, roots) = written.variables;
    let roots = roots.into_iter();
    let mut unit = Unit {
        functions: written.functions,
        natives: written.natives,
        types: written
            .numbered
            .iter()
            .map(|&n| types[n as usize])
            .collect(),
        methods: methods.collect(),
        layouts: layouts.collect(),
        tabs: tabs.collect(),
        variables: Variables {
            bytes,
            largest,
            roots: roots.map(|(at, ty)| (at, types[ty as usize])).collect(),
        },
        data: written.data,
        imports: written.imports,
        exports: written.exports,
        replaced: written.replaced,
        init: written.init,
        main: written.main,
    };
    let shift = source::map().add_tables(written.sources);
    for native in &mut unit.natives {
        native.pos = native.pos.shifted(shift);
    }
    for function in unit.functions.iter_mut().flatten() {
        function.info.pos = function.info.pos.shifted(shift);
        function.info.pos_table.shift(shift);
    }
    Ok(unit)
}

/// What the numbers of opcodes and operands mean in this build.
fn fingerprint() -> u32 {
    let mut sum = crc32fast::Hasher::new();
    sum.update(env!("CARGO_PKG_VERSION").as_bytes());
    for op in Op::ALL {
        sum.update(format!("{op:?} {:?}\n", op.operands()).as_bytes());
    }
    sum.finalize()
}

/// All positions that the unit names.
fn positions(unit: &Unit) -> BTreeSet<Pos> {
    let functions = unit.functions.iter().flatten();
    let in_code = functions.flat_map(|f| f.info.pos_table.positions().chain([f.info.pos]));
    let declared = unit.natives.iter().map(|n| n.pos);
    in_code.chain(declared).collect()
}

/// Types being numbered.
struct Types {
    keys: FxHashMap<Ty, NamedKey>,
    numbers: FxHashMap<Ty, u32>,
    defs: Vec<TypeDef>,
    named: Vec<Ty>,
}

impl Types {
    /// The number of `ty`; what it mentions is numbered first.
    fn number(&mut self, ty: Ty) -> u32 {
        if let Some(&n) = self.numbers.get(&ty) {
            return n;
        }
        let is_predeclared = ty.string == rtype::name_of_kind(ty.kind);
        let def = if ty.is_named() && !is_predeclared {
            self.named.push(ty);
            let key = self.keys[&ty].clone();
            TypeDef::Named {
                string: ty.string.to_string(),
                name: ty.name.to_string(),
                pkg: ty.pkg_path.to_string(),
                declared: (key.declared.0.to_string(), key.declared.1),
                targs: key.targs.iter().map(|t| self.number(*t)).collect(),
            }
        } else {
            TypeDef::Unnamed(self.contents_of(ty))
        };
        self.defs.push(def);
        let n = self.defs.len() as u32 - 1;
        self.numbers.insert(ty, n);
        n
    }

    /// What the named types are; may bring in more of them.
    fn contents(&mut self) -> Vec<(u32, Contents)> {
        let mut contents = Vec::new();
        while let Some(&ty) = self.named.get(contents.len()) {
            let of = self.contents_of(ty);
            contents.push((self.number(ty), of));
        }
        contents
    }

    fn numbers_of(&mut self, list: &[Ty]) -> Vec<u32> {
        list.iter().map(|t| self.number(*t)).collect()
    }

    fn contents_of(&mut self, ty: Ty) -> Contents {
        match ty.kind {
            Kind::Pointer => Contents::Pointer(self.number(ty.elem)),
            Kind::Slice => Contents::Slice(self.number(ty.elem)),
            Kind::Array => Contents::Array(self.number(ty.elem), ty.len),
            Kind::Chan => Contents::Chan(self.number(ty.elem), ty.chan_dir),
            Kind::Map => Contents::Map(self.number(ty.key), self.number(ty.elem)),
            Kind::Func => {
                let ins = self.numbers_of(ty.ins);
                Contents::Func(ins, self.numbers_of(ty.outs), ty.is_variadic())
            }
            Kind::Struct => {
                let def = |f: &Field| FieldDef {
                    name: f.name.to_string(),
                    pkg: f.pkg.to_string(),
                    typ: self.number(f.typ),
                    embedded: f.embedded,
                    exported: f.exported,
                    tag: f.tag.to_string(),
                };
                Contents::Struct(ty.fields.iter().map(def).collect())
            }
            Kind::Interface => {
                let def = |m: &IMethod| {
                    let typ = self.number(m.mtyp);
                    (m.name.to_string(), m.pkg.to_string(), typ)
                };
                Contents::Interface(ty.imethods.iter().map(def).collect())
            }
            kind => Contents::Basic(kind),
        }
    }
}

/// Makes the types: named ones without contents first, then those, what each contains by value
/// before it.
fn made(defs: &[TypeDef], contents: &[(u32, Contents)]) -> Vec<Ty> {
    let mut types = Vec::with_capacity(defs.len());
    let mut is_new = Vec::with_capacity(defs.len());
    for def in defs {
        let (ty, new) = match def {
            TypeDef::Named {
                string,
                name,
                pkg,
                declared,
                targs,
            } => {
                let key = NamedKey {
                    string: rtype::intern(string),
                    pkg_path: rtype::intern(pkg),
                    declared: (rtype::intern(&declared.0), declared.1),
                    targs: targs.iter().map(|&n| types[n as usize]).collect(),
                };
                rtype::named(key, name)
            }
            TypeDef::Unnamed(contents) => (make(contents, &types), false),
        };
        types.push(ty);
        is_new.push(new);
    }
    let fresh = contents.iter().filter(|(n, _)| is_new[*n as usize]);
    let mut pending: FxHashMap<Ty, Ty> = fresh
        .map(|(n, contents)| (types[*n as usize], make(contents, &types)))
        .collect();
    for &ty in &types {
        // SAFETY: rtype::T2 — nothing else knows them yet.
        unsafe { rtype::complete(ty, &mut |ty| pending.remove(&ty)) };
    }
    types
}

fn make(contents: &Contents, types: &[Ty]) -> Ty {
    let at = |n: &u32| types[*n as usize];
    let all = |list: &[u32]| list.iter().map(at).collect();
    match contents {
        Contents::Basic(kind) => rtype::basic(*kind),
        Contents::Pointer(elem) => rtype::pointer_to(at(elem)),
        Contents::Slice(elem) => rtype::slice_of(at(elem)),
        Contents::Array(elem, len) => rtype::array_of(at(elem), *len),
        Contents::Chan(elem, dir) => rtype::chan_of(at(elem), *dir),
        Contents::Map(key, elem) => rtype::map_of(at(key), at(elem)),
        Contents::Func(ins, outs, variadic) => rtype::func_of(all(ins), all(outs), *variadic),
        Contents::Struct(fields) => {
            let field = |f: &FieldDef| Field {
                name: rtype::intern(&f.name),
                pkg: rtype::intern(&f.pkg),
                typ: at(&f.typ),
                offset: 0,
                embedded: f.embedded,
                exported: f.exported,
                tag: rtype::intern(&f.tag),
            };
            rtype::struct_of(fields.iter().map(field).collect())
        }
        Contents::Interface(methods) => {
            let method = |(name, pkg, typ): &(String, String, u32)| IMethod {
                name: rtype::intern(name),
                pkg: rtype::intern(pkg),
                mtyp: at(typ),
            };
            rtype::interface_of(methods.iter().map(method).collect())
        }
    }
}
