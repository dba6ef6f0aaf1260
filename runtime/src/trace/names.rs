//! Numbers for what records name: functions, stacks, and objects that are waited for.
//!
//! A name gets its number when it is first recorded, and its text when a reader asks. An object's
//! number is its own as long as it lives: the collector tells which have died before their memory
//! is used again ([`forget_dead`]).

use std::collections::HashMap;

use ::trace::file::{FRAMES, Frame, Tables};

use super::event::Thing;
use crate::chan::ElemType;
use crate::engine::Engine;
use crate::g::G;
use crate::lockrank::Rank;
use crate::sync::Guarded;
use crate::sync::plain::{AtomicU32, AtomicUsize, Ordering};
use crate::syscall::KernelCall;

/// How many frames of a stack are recorded. Written before the runtime starts.
static DEPTH: AtomicUsize = AtomicUsize::new(1);
/// How many are for a trace that the program has asked for, 0 without one. Written by [`deepen`].
static DEEPER: AtomicUsize = AtomicUsize::new(0);

/// From now on so many frames of a stack are recorded. Before the runtime starts.
pub fn set_depth(frames: usize) {
    DEPTH.store(frames.clamp(1, FRAMES), Ordering::Relaxed);
}

/// From now on so many frames are recorded, whatever was asked for, or as was asked for again.
pub(super) fn deepen(frames: Option<usize>) {
    DEEPER.store(frames.unwrap_or(0).min(FRAMES), Ordering::Relaxed);
}

/// How many frames of a stack are recorded.
pub(super) fn depth() -> usize {
    let deeper = DEEPER.load(Ordering::Relaxed);
    DEPTH.load(Ordering::Relaxed).max(deeper)
}

/// Names that a P has recorded lately, with their numbers: few programs have many at a time.
pub(super) struct Recent {
    entries: [(usize, u64); Recent::SIZE],
    /// The age of the objects among them.
    age: u32,
}

impl Default for Recent {
    fn default() -> Recent {
        Recent {
            entries: [(0, 0); Recent::SIZE],
            age: 0,
        }
    }
}

impl Recent {
    const SIZE: usize = 64;
    /// Kinds of names, which are set apart by high bits that no address has.
    const FUNCTION: usize = 1 << 60;
    const STACK: usize = 2 << 60;
    const OBJECT: usize = 3 << 60;
    const HERE: usize = 4 << 60;
    const TYPE: usize = 5 << 60;
    const CALL: usize = 6 << 60;
    const BEGIN: usize = 7 << 60;

    #[inline]
    fn entry(&mut self, key: usize) -> &mut (usize, u64) {
        let mixed = (key as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        &mut self.entries[(mixed >> 58) as usize % Recent::SIZE]
    }

    /// The number of the name with this key, which `find` finds if it is not here.
    #[inline]
    fn number(&mut self, key: usize, find: impl FnOnce() -> u64) -> u64 {
        let entry = self.entry(key);
        if entry.0 != key {
            *entry = (key, find());
        }
        entry.1
    }

    /// The number of the function of a goroutine, which begins at `pc`: the main one's has none of
    /// its own, and those of the runtime have no name that the engine knows.
    #[inline]
    pub(super) fn function(
        &mut self,
        engine: &'static dyn Engine,
        pc: usize,
        is_main: bool,
    ) -> u64 {
        self.number(pc | Recent::FUNCTION, || {
            let mut names = NAMES.lock();
            let names = names.get_or_insert_default();
            match is_main {
                true => names.text("main.main".into()),
                false => names.function(engine, pc),
            }
        })
    }

    /// Where the function begins that `g`, which is new, is made to run.
    pub(super) fn begins_with(&mut self, engine: &'static dyn Engine, g: &G) -> usize {
        let key = g.startpc | Recent::BEGIN;
        let entry = self.entry(key);
        if entry.0 == key {
            return entry.1 as usize;
        }
        let (pc, is_fixed) = engine.begins_with(g);
        if is_fixed {
            *self.entry(key) = (key, pc as u64);
        }
        pc
    }

    /// The number of the text of a type of channels' elements, 0 if it is not known.
    pub(super) fn elem_type(&mut self, engine: &'static dyn Engine, elem: ElemType) -> u64 {
        if elem == ElemType::NONE {
            return 0;
        }
        self.number(elem.0 as usize | Recent::TYPE, || {
            let text = engine.elem_type(elem);
            NAMES.lock().get_or_insert_default().text(text)
        })
    }

    /// The number of the name of a call of the kernel, 0 if it is not known.
    pub(super) fn call(&mut self, call: KernelCall) -> u64 {
        if call == KernelCall::NONE {
            return 0;
        }
        // Programs may call whatever number they like.
        let key = call.0 as usize & (Recent::FUNCTION - 1);
        self.number(key | Recent::CALL, || text(&call.name()))
    }

    /// The number of the stack with these frames.
    #[inline]
    pub(super) fn stack(&mut self, engine: &'static dyn Engine, pcs: &[usize]) -> u64 {
        let find = || NAMES.lock().get_or_insert_default().stack(engine, pcs);
        match pcs {
            [] => 0,
            [pc] => self.number(pc | Recent::STACK, find),
            _ => find(),
        }
    }

    /// The number of the stack of whatever stands at `pc`, if [`is_here`](Self::is_here) said so.
    #[inline]
    pub(super) fn here(&mut self, pc: usize) -> Option<u64> {
        let key = pc | Recent::HERE;
        let entry = self.entry(key);
        (entry.0 == key).then_some(entry.1)
    }

    /// What stands at `pc` has this stack, whatever called it.
    pub(super) fn is_here(&mut self, pc: usize, id: u64) {
        let key = pc | Recent::HERE;
        *self.entry(key) = (key, id);
    }

    /// The number of the object at `addr`, and whether it is a new one. With [`RW`] it is an
    /// RWMutex, which may have been known as the mutex that it begins with: then it is a new one
    /// of the same number.
    #[inline]
    pub(super) fn object(&mut self, addr: usize) -> (u64, bool) {
        let age = AGE.load(Ordering::Acquire);
        if age != self.age {
            *self = Recent {
                age,
                ..Recent::default()
            };
        }
        let mut is_new = false;
        let id = self.number(addr | Recent::OBJECT, || {
            let mut objects = OBJECTS.lock();
            let n = objects.next + 1;
            let ids = objects.ids.get_or_insert_default();
            let id = *ids.entry(addr & !RW).or_insert(n);
            let is_new_as_rw = addr & RW != 0 && ids.insert(addr, id).is_none();
            is_new = id == n || is_new_as_rw;
            objects.next = objects.next.max(id);
            id
        });
        (id, is_new)
    }
}

/// Functions and stacks by number.
#[derive(Default)]
struct Names {
    engine: Option<&'static dyn Engine>,
    functions: HashMap<usize, u64>,
    stacks: HashMap<Box<[usize]>, u64>,
    /// Stacks whose frames have not been looked up.
    new: Vec<Box<[usize]>>,
    /// The texts that have been made, by number.
    tables: Tables,
    texts: HashMap<String, u64>,
}

static NAMES: Guarded<Option<Box<Names>>> = Guarded::new(Rank::Trace, None);

impl Names {
    fn function(&mut self, engine: &'static dyn Engine, pc: usize) -> u64 {
        self.engine = Some(engine);
        if let Some(&id) = self.functions.get(&pc) {
            return id;
        }
        let name = match engine.function_at(pc) {
            name if name.is_empty() => "runtime".into(),
            name => name,
        };
        let id = self.text(name);
        self.functions.insert(pc, id);
        id
    }

    fn text(&mut self, text: String) -> u64 {
        let next = self.tables.strings.len() as u64;
        if let Some(&id) = self.texts.get(&text) {
            return id;
        }
        self.tables.strings.push(text.clone());
        self.texts.insert(text, next);
        next
    }

    fn stack(&mut self, engine: &'static dyn Engine, pcs: &[usize]) -> u64 {
        self.engine = Some(engine);
        if let Some(&id) = self.stacks.get(pcs) {
            return id;
        }
        let id = (self.stacks.len() + 1) as u64;
        self.stacks.insert(pcs.into(), id);
        self.new.push(pcs.into());
        id
    }

    /// Makes the frames of stacks that have none yet.
    fn settle(&mut self) {
        let Some(engine) = self.engine else { return };
        for pcs in std::mem::take(&mut self.new) {
            let mut frames = Vec::new();
            for &pc in &pcs {
                engine.places_at(pc, &mut |function, file, line| {
                    if frames.len() < FRAMES {
                        frames.push(Frame {
                            function: self.text(function.into()),
                            file: self.text(file.into()),
                            line: line.into(),
                        });
                    }
                });
            }
            self.tables.stacks.push(frames);
        }
    }
}

/// The number of a text.
pub(super) fn text(text: &str) -> u64 {
    NAMES.lock().get_or_insert_default().text(text.into())
}

/// Adds to `known` what has been named since.
pub(super) fn tables_since(known: &mut Tables) {
    // A thread that dies while it records cannot wait for itself.
    let Some(mut names) = NAMES.try_guard_for(1000) else {
        return;
    };
    let Some(names) = names.as_mut() else { return };
    names.settle();
    let (strings, stacks) = (known.strings.len(), known.stacks.len());
    known
        .strings
        .extend_from_slice(&names.tables.strings[strings..]);
    known
        .stacks
        .extend_from_slice(&names.tables.stacks[stacks..]);
}

/// A bit that no object's address has: it is an RWMutex.
pub(super) const RW: usize = 1;

struct Objects {
    /// By address, those of RWMutexes with and without [`RW`].
    ids: Option<HashMap<usize, u64>>,
    next: u64,
}

static OBJECTS: Guarded<Objects> = Guarded::new(Rank::Trace, Objects { ids: None, next: 0 });

/// How often objects have been forgotten. Written with [`OBJECTS`] locked.
static AGE: AtomicU32 = AtomicU32::new(0);

/// Forgets the objects that are dead.
pub(super) fn forget_dead(is_dead: impl Fn(usize) -> bool) {
    let mut objects = OBJECTS.lock();
    if let Some(ids) = objects.ids.as_mut() {
        let before = ids.len();
        ids.retain(|&addr, _| !is_dead(addr));
        if ids.len() < before {
            AGE.fetch_add(1, Ordering::Release);
        }
    }
}

/// What a wait with this reason is for.
pub(super) fn thing(reason: crate::g::WaitReason) -> Thing {
    use crate::g::WaitReason::*;
    match reason {
        ChanReceive | ChanSend | Select | SynctestChanReceive | SynctestChanSend
        | SynctestSelect => Thing::Chan,
        SyncMutexLock => Thing::Mutex,
        SyncRwMutexLock | SyncRwMutexRLock => Thing::RwMutex,
        SyncWaitGroupWait | SynctestWaitGroupWait => Thing::WaitGroup,
        SyncCondWait => Thing::Cond,
        Semacquire => Thing::Semaphore,
        IoWait => Thing::Descriptor,
        _ => Thing::Other,
    }
}
