//! What is known of types whose values are turned into JSON and back at once.

use rustc_hash::FxHashMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use bytecode::rtype::{Kind, Rtype};
use vm::native::GoStr;
use vm::value::Iface;

/// A type, and the types in it.
#[derive(Debug)]
pub struct Plan {
    nodes: Vec<Node>,
}

/// A type of a plan. Others are meant by their places in it.
#[derive(Debug)]
pub struct Node {
    pub t: &'static Rtype,
    pub what: What,
}

#[derive(Debug)]
pub enum What {
    Bool,
    Int,
    Uint,
    Float,
    String,
    Any,
    Bytes,
    Slice(usize),
    Array(usize),
    Map(usize),
    Pointer(usize),
    Struct(Fields),
}

/// The fields of a struct, in the order in which they are written.
#[derive(Debug)]
pub struct Fields {
    pub all: Vec<Field>,
    by_name: FxHashMap<&'static [u8], usize>,
}

#[derive(Debug)]
pub struct Field {
    /// The name with its quotes.
    pub quoted: &'static [u8],
    pub node: usize,
    pub omitempty: bool,
    pub omitzero: bool,
    /// Which field of which field it is.
    pub path: Vec<usize>,
    /// Its place in the order of depth.
    id: i64,
}

impl Field {
    fn name(&self) -> &'static [u8] {
        &self.quoted[1..self.quoted.len() - 1]
    }
}

impl Fields {
    /// The field of that name, which is looked for from the place `next` on.
    pub fn find(&self, name: &[u8], next: usize) -> Option<usize> {
        match self.all.get(next) {
            Some(f) if f.name() == name => Some(next),
            _ => self.by_name.get(name).copied(),
        }
    }

    /// The field whose name differs at most in case, which is all ASCII.
    pub fn find_any_case(&self, name: &[u8]) -> Option<usize> {
        let like = |i: &usize| self.all[*i].name().eq_ignore_ascii_case(name);
        (0..self.all.len())
            .filter(like)
            .min_by_key(|&i| self.all[i].id)
    }
}

/// So many types can have plans; the others have none.
const MOST: usize = 1 << 14;

/// All plans, by their numbers. Readers take no lock.
static PLANS: [OnceLock<Plan>; MOST] = [const { OnceLock::new() }; MOST];
/// The plans of types, by the types' numbers.
static BY_TYPE: [AtomicU32; MOST] = [const { AtomicU32::new(0) }; MOST];
static MADE: Mutex<usize> = Mutex::new(0);

impl Plan {
    /// Of the number that [`make`] has given.
    pub fn by_id(id: i64) -> &'static Plan {
        PLANS[id as usize]
            .get()
            .expect("plans are made before they are used")
    }

    /// Of a type that has one of its own.
    pub fn of(t: &Rtype) -> Option<&'static Plan> {
        match BY_TYPE.get(t.id as usize)?.load(Ordering::Acquire) {
            0 => None,
            id => PLANS[id as usize].get(),
        }
    }

    /// The type itself.
    pub fn root(&self) -> &Node {
        &self.nodes[0]
    }

    pub fn node(&self, at: usize) -> &Node {
        &self.nodes[at]
    }
}

/// Makes the plan of what the Go text tells of a type: nil pointers to the types in it, the first
/// one's own, and for each a number of what it is and what that needs. 0: there is no room.
pub fn make(types: &[Iface], words: &[i64], names: &[GoStr]) -> i64 {
    let mut words = words.iter().copied();
    let mut word = || words.next().unwrap_or_default() as usize;
    let mut nodes = Vec::with_capacity(types.len());
    for pointer in types {
        let Some(t) = pointer.rtype().filter(|t| t.kind == Kind::Pointer) else {
            return 0;
        };
        let what = match word() {
            0 => What::Bool,
            1 => What::Int,
            2 => What::Uint,
            3 => What::Float,
            4 => What::String,
            5 => What::Any,
            6 => What::Bytes,
            7 => What::Slice(word()),
            8 => What::Array(word()),
            9 => What::Map(word()),
            10 => What::Pointer(word()),
            _ => What::Struct(Fields::read(&mut word, names)),
        };
        nodes.push(Node { t: t.elem(), what });
    }
    let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
    let id = *made + 1;
    let Some(t) = nodes.first().map(|n| n.t).filter(|_| id < MOST) else {
        return 0;
    };
    *made = id;
    PLANS[id].get_or_init(|| Plan { nodes });
    if let Some(of_type) = BY_TYPE.get(t.id as usize) {
        of_type.store(id as u32, Ordering::Release);
    }
    id as i64
}

impl Fields {
    fn read(word: &mut impl FnMut() -> usize, names: &[GoStr]) -> Fields {
        let mut all = Vec::new();
        for _ in 0..word() {
            let quoted: &'static [u8] = names[word()].as_bytes().to_vec().leak();
            let (node, flags, id) = (word(), word(), word() as i64);
            let path = (0..word()).map(|_| word()).collect();
            let (omitempty, omitzero) = (flags & 1 != 0, flags & 2 != 0);
            all.push(Field {
                quoted,
                node,
                omitempty,
                omitzero,
                path,
                id,
            });
        }
        let by_name = all.iter().enumerate().map(|(i, f)| (f.name(), i)).collect();
        Fields { all, by_name }
    }
}
