//! From the bytecode of a function to native code.
//!
//! Twice over the instructions: first each [template](super::templates) says which slots it uses,
//! and how; then, once [`plan`](super::plan) knows where they are kept, it makes code. Behind the
//! code proper come *exits*, by which an instruction that the template does not finish is left to
//! its handler; *edges*, where a jump crosses the border of a region; and *entries*, by which the
//! interpreter comes in.
//!
//! Registers: rsi is the frame, rdx the G, as in handlers; rax, rcx, rdi and xmm0 to xmm3 are
//! nobody's between instructions; the others hold kept slots. The native stack is not used.
//!
//! Go: cmd/compile/internal/ssagen/ssa.go (genssa).

use super::asm::{Alu, Asm, Cond, Gpr, Label, Mem, RAX, RCX, RDI, RDX, RSI, Rm, W32, W64, Xm, Xmm};
use super::asm::{Float, Load, Shift};
use super::memory::{self, FIRST};
use super::plan::{self, Home, Known, Region, Use};
use bytecode::op::{Flow, NONE, Op};
use gosched_runtime::fault;
use gosched_runtime::g::G;

/// Operands of an instruction, at most.
const MOST: usize = 6;

/// An instruction.
#[derive(Clone, Copy, Debug)]
pub(super) struct Instr {
    /// Its distance from the function's start, in words.
    pub(super) at: u32,
    pub(super) op: Op,
    pub(super) args: [i64; MOST],
}

impl Instr {
    /// Operand `k` as a slot.
    pub(super) fn slot(&self, k: usize) -> u16 {
        self.args[k] as u16
    }

    /// Where it jumps to, in words from the function's start.
    fn target(&self) -> Option<i64> {
        let k = self.op.operands().iter().position(|o| o.kind.is_rel())?;
        Some(i64::from(self.at) + self.args[k])
    }
}

/// How far a template has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Did {
    /// All; control goes on behind it, and perhaps elsewhere.
    Falls,
    /// As that; it is left to its handler often, which comes back behind it.
    ComesBack,
    /// All; control does not go on behind it.
    Ends,
    /// All, with all slots in memory: a call, which comes back behind it.
    Calls,
    /// Nothing: its handler does it, with all slots in memory.
    Leaves,
}

/// What native code is to know of the rest of the world.
#[derive(Clone, Copy, Debug)]
pub(super) struct World {
    /// The handlers, in order of the opcodes.
    pub(super) handlers: usize,
    /// The dispatch table with which an instruction is left to its handler.
    pub(super) hot: usize,
    /// The one that the interpreter goes on with where there is no native code.
    pub(super) cold: usize,
    /// What calls of functions go to that have no native code: a handler, with their first
    /// instruction.
    pub(super) called: usize,
    /// The function table.
    pub(super) funcs: usize,
    /// The byte that says whether the collector marks.
    pub(super) marking: usize,
    pub(super) common: Common,
}

/// Addresses of code that all functions share.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Common {
    /// Goes to the handler of the instruction at rdi.
    leave: usize,
    /// Returns where nothing says that there is native code.
    slow_return: usize,
    /// Goes to the function whose index is in edi, which has no native code.
    pub(super) uncompiled: usize,
}

impl Common {
    /// As it is where the code has been put.
    pub(super) fn at(self, start: usize) -> Common {
        Common {
            leave: start + self.leave,
            slow_return: start + self.slow_return,
            uncompiled: start + self.uncompiled,
        }
    }
}

/// A function to be compiled.
#[derive(Clone, Copy, Debug)]
pub(super) struct Source<'a> {
    pub(super) code: &'a [u64],
    /// Where it lies.
    pub(super) at: usize,
    /// Slots of results.
    pub(super) results: u16,
    /// Slots that may be read before they are written: of results, of parameters, and the closure
    /// word's.
    pub(super) inputs: u16,
    /// Where a recovered frame goes on, in words; 0: nowhere.
    pub(super) defer_return: u32,
    /// All of it is one region, whose slots this number says where to keep.
    #[cfg(test)]
    pub(super) forced: Option<u64>,
}

/// Native code that has been made; distances are from its start.
#[derive(Debug, Default)]
pub(super) struct Made {
    pub(super) code: Vec<u8>,
    /// Where the code of instructions begins, and in words where they are.
    pub(super) places: Vec<(u32, u32)>,
    pub(super) faults: Vec<(u32, u32)>,
    /// Where the interpreter may come in: in words, and where the code is.
    pub(super) entries: Vec<(u32, u32)>,
    /// Where it has addresses of its own, 4 bytes each, and which.
    absolute: Vec<(u32, u32)>,
    /// Where it has distances to addresses of others, 4 bytes each, and which.
    outside: Vec<(u32, usize)>,
    /// Which instructions are left to their handlers.
    pub(super) left: Vec<Op>,
    /// How many regions there are.
    pub(super) regions: usize,
}

pub(super) struct Maker<'a> {
    pub(super) world: World,
    source: Source<'a>,
    pub(super) asm: Asm,
    code: Vec<Instr>,
    /// The instruction that begins at a word.
    index: Vec<u32>,
    known: Vec<Known>,
    is_planning: bool,
    regions: Vec<Region>,
    region_of: Vec<Option<usize>>,
    homes: Vec<Home>,
    /// Slots that are written half by half; see [`Maker::in_halves`].
    halved: Vec<u16>,
    /// Where the code of each instruction begins.
    bodies: Vec<Label>,
    /// Which instruction code is made for.
    now: usize,
    exit: Option<Label>,
    exits: Vec<(Label, usize)>,
    edges: Vec<(Label, Option<usize>, usize)>,
    faults: Vec<(u32, Label)>,
    /// Where each region stores what it keeps, and goes to the handler; where it loads.
    flushes: Vec<Label>,
    loads: Vec<Label>,
    /// Goes to the handler of the instruction whose distance, in bytes, is in edi.
    leave: Label,
    /// Where calls say which native code they return to, and which.
    returns: Vec<(u32, Label)>,
}

impl Made {
    /// Fills in what depends on where the code will be run: at `start`, below 2 GB.
    pub(super) fn settle(&mut self, start: usize) {
        let own = self
            .absolute
            .iter()
            .map(|(at, to)| (*at, start as u32 + to));
        let others = self.outside.iter().map(|(at, to)| {
            let from = start as u32 + at + 4;
            (*at, (*to as u32).wrapping_sub(from))
        });
        for (at, number) in own.chain(others) {
            let at = at as usize;
            self.code[at..at + 4].copy_from_slice(&number.to_le_bytes());
        }
    }
}

/// No instruction begins at that word.
const NO_INSTR: u32 = u32::MAX;

/// Compiles a function.
pub(super) fn compile(source: Source<'_>, world: World) -> Made {
    let mut maker = Maker::new(source, world);
    maker.plan();
    maker.make()
}

/// The code that all functions share.
pub(super) fn common(world: World) -> (Made, Common) {
    let mut asm = Asm::default();
    let leave = asm.here();
    dispatch(&mut asm, world, world.hot);
    let slow_return = asm.here();
    asm.mov(W64, RDI, Mem::at(RSI, -8));
    asm.mov(W32, RCX, Mem::at(RSI, -16));
    asm.alu(Alu::Sub, W64, RSI, RCX);
    asm.mov(W64, RAX, RDI);
    asm.shift_imm(Shift::Shr, W64, RAX, 1);
    asm.mov(W32, RAX, Mem::at(RAX, memory::entries()));
    asm.alu_imm(Alu::Cmp, W32, RAX, FIRST as i32);
    let cold = asm.label();
    asm.jcc(Cond::B, cold);
    asm.jmp_to(RAX);
    asm.bind(cold);
    dispatch(&mut asm, world, world.cold);
    let uncompiled = asm.here();
    asm.constant(RAX, world.funcs as u64);
    asm.shift_imm(Shift::Shl, W64, RDI, 4);
    asm.mov(W64, RDI, Mem::element(RAX, RDI, 1));
    asm.constant(RCX, world.cold as u64);
    asm.constant(RAX, world.called as u64);
    asm.jmp_to(RAX);
    asm.link();
    let made = Made {
        code: asm.code,
        ..Made::default()
    };
    let common = Common {
        leave,
        slow_return,
        uncompiled,
    };
    (made, common)
}

/// Goes to the handler of the instruction at rdi, which goes on by `table`.
fn dispatch(asm: &mut Asm, world: World, table: usize) {
    asm.load(Load::U16, RAX, Mem::at(RDI, 0));
    asm.constant(RCX, world.handlers as u64);
    asm.mov(W64, RAX, Mem::element(RCX, RAX, 8));
    asm.constant(RCX, table as u64);
    asm.jmp_to(RAX);
}

impl<'a> Maker<'a> {
    fn new(source: Source<'a>, world: World) -> Maker<'a> {
        let mut code = Vec::with_capacity(source.code.len());
        let mut index = vec![NO_INSTR; source.code.len()];
        let mut at = 0;
        while at < source.code.len() {
            let Some(i) = decode(source.code, at) else {
                break;
            };
            index[at] = code.len() as u32;
            at += i.op.words();
            code.push(i);
        }
        let mut asm = Asm::default();
        let bodies = (0..=code.len()).map(|_| asm.label()).collect();
        let leave = asm.label();
        let n = code.len();
        Maker {
            world,
            source,
            asm,
            code,
            index,
            known: vec![Known::default(); n],
            is_planning: true,
            regions: Vec::new(),
            region_of: vec![None; n + 1],
            homes: Vec::new(),
            halved: Vec::new(),
            bodies,
            now: 0,
            exit: None,
            exits: Vec::new(),
            edges: Vec::new(),
            faults: Vec::new(),
            flushes: Vec::new(),
            loads: Vec::new(),
            leave,
            returns: Vec::new(),
        }
    }

    /// Finds out what instructions do, and where slots are to be kept.
    fn plan(&mut self) {
        for k in 0..self.code.len() {
            self.now = k;
            self.exit = None;
            let i = self.code[k];
            let did = self.template(&i);
            self.known[k].leaves = matches!(did, Did::Leaves | Did::Calls);
            self.known[k].target = self.target_of(&i);
            if did == Did::Leaves {
                self.known[k].uses.clear();
            }
        }
        // The labels that there were at the beginning stay.
        self.asm = Asm::default();
        for _ in 0..self.bodies.len() + 1 {
            self.asm.label();
        }
        self.exits.clear();
        self.edges.clear();
        self.faults.clear();
        self.returns.clear();
        self.is_planning = false;
        let has_prologue = self.code.first().is_some_and(|i| i.op == Op::Enter);
        self.regions = plan::regions(&self.known, usize::from(has_prologue));
        #[cfg(test)]
        if let Some(seed) = self.source.forced {
            self.regions = plan::forced(&self.known, seed);
        }
        for (r, region) in self.regions.iter().enumerate() {
            self.region_of[region.from..region.to].fill(Some(r));
        }
        for _ in 0..self.regions.len() {
            let (flush, load) = (self.asm.label(), self.asm.label());
            self.flushes.push(flush);
            self.loads.push(load);
        }
    }

    fn make(mut self) -> Made {
        let mut places = Vec::with_capacity(self.code.len());
        let mut comes_in = vec![false; self.code.len() + 1];
        if !self.code.is_empty() {
            comes_in[0] = true;
        }
        if self.source.defer_return != 0 {
            self.comes_in(self.source.defer_return as i64, &mut comes_in);
        }
        let mut is_head = vec![false; self.code.len()];
        for (k, known) in self.known.iter().enumerate() {
            if let Some(head) = known.target.filter(|t| *t <= k) {
                is_head[head] = true;
            }
        }
        let mut settled = None;
        let mut falls = false;
        let mut left = Vec::new();
        for k in 0..self.code.len() {
            let i = self.code[k];
            let before = if falls { self.region_of[k - 1] } else { None };
            if k == 1 && falls && self.code[0].op == Op::Enter {
                self.begin_kept(self.region_of[k]);
            } else if falls && before != self.region_of[k] {
                self.cross(before, self.region_of[k]);
            }
            if is_head[k] {
                self.asm.align(16);
            }
            self.asm.bind(self.bodies[k]);
            places.push((self.asm.here() as u32, i.at));
            self.now = k;
            self.exit = None;
            if settled != Some(self.region_of[k]) {
                settled = Some(self.region_of[k]);
                self.settle(self.region_of[k]);
            }
            let did = self.template(&i);
            let next = i64::from(i.at) + i.op.words() as i64;
            match did {
                Did::Falls => {}
                Did::ComesBack | Did::Calls => {
                    self.comes_in(next, &mut comes_in);
                    if let Some(t) = i.target() {
                        self.comes_in(t, &mut comes_in);
                    }
                }
                Did::Ends => {}
                Did::Leaves => {
                    left.push(i.op);
                    self.comes_in(i64::from(i.at), &mut comes_in);
                    self.leave_here();
                    if !i.op.ends() {
                        self.comes_in(next, &mut comes_in);
                    }
                    if let Some(t) = i.target() {
                        self.comes_in(t, &mut comes_in);
                    }
                    if i.op.flow() == Flow::Halves {
                        let done = self.index.get(next as usize).copied().unwrap_or(NO_INSTR);
                        if let Some(d) = self.code.get(done as usize) {
                            let behind = next + d.op.words() as i64;
                            self.comes_in(behind, &mut comes_in);
                        }
                    }
                }
            }
            if self.target_of(&i).is_some_and(|t| t <= k) {
                comes_in[k] = true;
            }
            falls = matches!(did, Did::Falls | Did::ComesBack);
        }
        // What runs over the end is no code; nobody gets there.
        self.asm.bind(self.bodies[self.code.len()]);
        self.asm.trap();
        self.make_exits();
        self.make_edges();
        let entries = self.make_entries(&comes_in);
        self.make_common();
        self.asm.link();
        let place = |l: Label| self.asm.place(l).unwrap_or(0) as u32;
        let entries: Vec<_> = entries.into_iter().map(|(at, l)| (at, place(l))).collect();
        let absolute = self.returns.iter().map(|(at, l)| (*at, place(*l)));
        let absolute = absolute.collect();
        let faults = self.faults.iter().map(|(at, l)| (*at, place(*l))).collect();
        Made {
            code: std::mem::take(&mut self.asm.code),
            places,
            faults,
            entries,
            absolute,
            outside: std::mem::take(&mut self.asm.outside),
            left,
            regions: self.regions.len(),
        }
    }

    fn comes_in(&self, at: i64, comes_in: &mut [bool]) {
        if let Some(k) = self.index.get(at as usize).filter(|k| **k != NO_INSTR) {
            comes_in[*k as usize] = true;
        }
    }

    /// The instruction that `i` jumps to.
    fn target_of(&self, i: &Instr) -> Option<usize> {
        let k = *self.index.get(usize::try_from(i.target()?).ok()?)?;
        (k != NO_INSTR).then_some(k as usize)
    }

    /// Homes are those of the region from here on.
    fn settle(&mut self, region: Option<usize>) {
        self.homes.clear();
        for k in region.iter().flat_map(|r| &self.regions[*r].kept) {
            let n = k.slot as usize + 1;
            if self.homes.len() < n {
                self.homes.resize(n, Home::Memory);
            }
            self.homes[k.slot as usize] = k.home;
        }
    }

    fn store_kept(&mut self, region: Option<usize>) {
        let Some(r) = region else { return };
        for k in 0..self.regions[r].kept.len() {
            let kept = self.regions[r].kept[k];
            if kept.is_written && !fault!(SkipNativeStore) {
                self.store_home(kept.slot, kept.home);
            }
        }
    }

    /// Control goes from one region to another.
    fn cross(&mut self, from: Option<usize>, to: Option<usize>) {
        self.store_kept(from);
        if !fault!(SkipNativeEdge) {
            self.load_kept(to);
        }
    }

    fn store_home(&mut self, slot: u16, home: Home) {
        match home {
            Home::Gpr(g) => self.asm.store(8, memory_of(slot), g),
            Home::Xmm(x) => self.asm.fstore(Float::F64, memory_of(slot), x),
            Home::Memory => {}
        }
    }

    fn load_home(&mut self, slot: u16, home: Home) {
        match home {
            Home::Gpr(g) => self.asm.mov(W64, g, memory_of(slot)),
            Home::Xmm(x) => self.asm.fload(Float::F64, x, memory_of(slot)),
            Home::Memory => {}
        }
    }

    fn load_kept(&mut self, region: Option<usize>) {
        let Some(r) = region else { return };
        for k in 0..self.regions[r].kept.len() {
            let kept = self.regions[r].kept[k];
            self.load_home(kept.slot, kept.home);
        }
    }

    /// As [`Maker::load_kept`], behind the prologue: what that has cleared is nil, and other locals
    /// are written before they are read.
    fn begin_kept(&mut self, region: Option<usize>) {
        let Some(r) = region else { return };
        let (first, n) = (self.code[0].slot(1), self.code[0].args[2] as u16);
        for k in 0..self.regions[r].kept.len() {
            let kept = self.regions[r].kept[k];
            let is_nil = (first..first + n).contains(&kept.slot);
            match kept.home {
                Home::Gpr(g) if is_nil => self.asm.constant(g, 0),
                Home::Xmm(x) if is_nil => self.asm.fxor(x, x),
                home if kept.slot < self.source.inputs => self.load_home(kept.slot, home),
                _ => {}
            }
        }
    }

    /// Leaves the current instruction to its handler.
    fn leave_here(&mut self) {
        let to = match self.region_of[self.now] {
            Some(r) => self.flushes[r],
            None => self.leave,
        };
        let off = self.code[self.now].at * 8;
        self.asm.constant_keeping_flags(RDI, u64::from(off));
        self.asm.jmp(to);
    }

    fn make_exits(&mut self) {
        for (label, k) in std::mem::take(&mut self.exits) {
            self.asm.bind(label);
            self.now = k;
            self.leave_here();
        }
    }

    fn make_edges(&mut self) {
        for (label, from, to) in std::mem::take(&mut self.edges) {
            self.asm.bind(label);
            self.cross(from, self.region_of[to]);
            self.asm.jmp(self.bodies[to]);
        }
    }

    /// The ways in: words, and labels.
    fn make_entries(&mut self, comes_in: &[bool]) -> Vec<(u32, Label)> {
        let mut all = Vec::new();
        for k in (0..self.code.len()).filter(|k| comes_in[*k]) {
            let mut label = self.bodies[k];
            if let Some(r) = self.region_of[k].filter(|_| k == 0 || !fault!(SkipNativeReload)) {
                label = self.asm.label();
                self.asm.bind(label);
                self.asm.lea_label(RAX, self.bodies[k]);
                self.asm.jmp(self.loads[r]);
            }
            all.push((self.code[k].at, label));
        }
        all
    }

    fn make_common(&mut self) {
        for r in 0..self.regions.len() {
            self.asm.bind(self.flushes[r]);
            self.store_kept(Some(r));
            self.asm.jmp(self.leave);
            self.asm.bind(self.loads[r]);
            self.load_kept(Some(r));
            self.asm.jmp_to(RAX);
        }
        self.asm.bind(self.leave);
        self.asm.constant(RAX, self.source.at as u64);
        self.asm.alu(Alu::Add, W64, RDI, RAX);
        self.asm.jmp_out(self.world.common.leave);
    }

    // ---- What templates are made of: control.

    /// Where the current instruction is left to its handler, with nothing of it done.
    pub(super) fn exit(&mut self) -> Label {
        if let Some(label) = self.exit {
            return label;
        }
        let label = self.asm.label();
        self.exits.push((label, self.now));
        self.exit = Some(label);
        label
    }

    /// Leaves the instruction to its handler if the condition holds.
    pub(super) fn exit_if(&mut self, c: Cond) {
        let exit = self.exit();
        self.asm.jcc(c, exit);
    }

    /// The machine's instruction that comes next may fault; then this one is left to its handler.
    pub(super) fn may_fault(&mut self) {
        let exit = self.exit();
        let here = self.asm.here() as u32;
        self.faults.push((here, exit));
    }

    /// Where the current instruction jumps to.
    pub(super) fn jump_label(&mut self) -> Label {
        let Some(to) = self.target_of(&self.code[self.now]) else {
            return self.bodies[self.code.len()];
        };
        let from = self.region_of[self.now];
        if self.is_planning || from == self.region_of[to] {
            return self.bodies[to];
        }
        let label = self.asm.label();
        self.edges.push((label, from, to));
        label
    }

    /// Does the current instruction jump back?
    pub(super) fn is_back(&self) -> bool {
        self.target_of(&self.code[self.now])
            .is_some_and(|t| t <= self.now)
    }

    /// A jump back is a safepoint: if it is asked to stop, its handler does it.
    pub(super) fn safepoint(&mut self) {
        if self.is_back() && !fault!(SkipNativeSafepoint) {
            let guard = std::mem::offset_of!(G, loop_guard);
            self.asm
                .alu_imm(Alu::Cmp, W64, Mem::at(RDX, guard as i32), 0);
            self.exit_if(Cond::Ne);
        }
    }

    /// Stores all that the region keeps; control does not go on behind the instruction.
    pub(super) fn flush(&mut self) {
        if !self.is_planning {
            self.store_kept(self.region_of[self.now]);
        }
    }

    /// Stores the results that are kept, but the first `but`.
    pub(super) fn flush_results(&mut self, but: u16) {
        for slot in but..self.source.results {
            let home = self.home(slot);
            self.store_home(slot, home);
        }
    }

    /// The header of a call's frame, whose place is `win` bytes above this one; then it is the
    /// frame.
    pub(super) fn header(&mut self, win: i32) -> Label {
        let back = self.asm.label();
        self.asm.constant(RAX, self.behind() as u64);
        self.asm.store(8, Mem::at(RSI, win - 8), RAX);
        self.asm.store_imm(W32, Mem::at(RSI, win - 16), win);
        self.asm.store_imm(W32, Mem::at(RSI, win - 12), 0);
        self.returns.push((self.asm.here() as u32 - 4, back));
        self.asm.alu_imm(Alu::Add, W64, RSI, win);
        back
    }

    /// Native code that is called returns here: its frame is at rsi still.
    pub(super) fn returned(&mut self, back: Label, win: i32) {
        self.asm.bind(back);
        self.asm.alu_imm(Alu::Sub, W64, RSI, win);
        if !self.is_planning && !fault!(SkipNativeReload) {
            self.load_kept(self.region_of[self.now + 1]);
        }
    }

    /// Returns.
    pub(super) fn ret(&mut self) {
        self.asm.mov(W32, RAX, Mem::at(RSI, -12));
        self.asm.test(W32, RAX, RAX);
        self.asm.jcc_out(Cond::E, self.world.common.slow_return);
        self.asm.jmp_to(RAX);
    }

    /// The address of the instruction behind the current one.
    fn behind(&self) -> usize {
        let i = &self.code[self.now];
        self.source.at + 8 * (i.at as usize + i.op.words())
    }

    // ---- Slots.

    fn home(&self, slot: u16) -> Home {
        self.homes
            .get(slot as usize)
            .copied()
            .unwrap_or(Home::Memory)
    }

    fn used(&mut self, slot: u16, how: Use) -> Home {
        debug_assert_ne!(slot, NONE);
        if self.is_planning {
            self.known[self.now].uses.push((slot, how));
        }
        self.home(slot)
    }

    /// Slots that are read or written in memory.
    pub(super) fn in_memory(&mut self, slot: u16, n: usize) -> Mem {
        if self.is_planning {
            let end = (slot as usize + n).min(usize::from(NONE));
            let all = (slot..end as u16).map(|s| (s, Use::Memory));
            self.known[self.now].uses.extend(all);
        }
        memory_of(slot)
    }

    /// The slot is written half by half. The machine hands what was stored a moment ago to a load
    /// only if one store holds all of it; else the load waits, some 12 cycles.
    pub(super) fn in_halves(&mut self, slot: u16) {
        if self.is_planning
            && let Err(at) = self.halved.binary_search(&slot)
        {
            self.halved.insert(at, slot);
        }
    }

    /// Moves a word from the frame, `off` bytes from its start, to memory that may fault. Takes
    /// xmm0 and xmm1, or `scratch`, which is no register of `to`.
    pub(super) fn move_word(&mut self, to: Mem, off: i32, scratch: Gpr) {
        if off % 8 == 0 && !self.is_halved((off / 8) as u16) {
            self.asm.mov(W64, scratch, Mem::at(RSI, off));
            self.may_fault();
            self.asm.store(8, to, scratch);
            return;
        }
        let x = self.join_halves(off);
        self.may_fault();
        self.asm.fstore(Float::F64, to, x);
    }

    fn is_halved(&self, slot: u16) -> bool {
        self.halved.binary_search(&slot).is_ok()
    }

    /// The word that lies `off` bytes from the frame's start in two halves. Takes xmm0 and xmm1.
    fn join_halves(&mut self, off: i32) -> Xmm {
        let (low, high) = (Xmm(0), Xmm(1));
        self.asm.fload(Float::F32, low, Mem::at(RSI, off));
        self.asm.fload(Float::F32, high, Mem::at(RSI, off + 4));
        self.asm.unpack(low, high);
        low
    }

    pub(super) fn is_in_memory(&self, slot: u16) -> bool {
        self.home(slot) == Home::Memory
    }

    /// The integer in a slot: in a register or in memory.
    pub(super) fn rm(&mut self, slot: u16, scratch: Gpr) -> Rm {
        match self.used(slot, Use::Int) {
            Home::Gpr(g) => g.into(),
            Home::Memory => memory_of(slot).into(),
            Home::Xmm(x) => {
                self.asm.from_xmm(scratch, x);
                scratch.into()
            }
        }
    }

    /// As that, in a register: its own, or `scratch`.
    pub(super) fn reg(&mut self, slot: u16, scratch: Gpr) -> Gpr {
        match self.rm(slot, scratch) {
            Rm::Reg(r) => r,
            Rm::Mem(m) => {
                self.asm.mov(W64, scratch, m);
                scratch
            }
        }
    }

    /// Moves the integer in a slot to `to`.
    pub(super) fn fetch(&mut self, to: Gpr, slot: u16) {
        let from = self.rm(slot, to);
        if from != Rm::Reg(to) {
            self.asm.mov(W64, to, from);
        }
    }

    /// The register in which an integer for a slot is made: its own, or `scratch`.
    pub(super) fn dst(&mut self, slot: u16, scratch: Gpr) -> Gpr {
        match self.used(slot, Use::SetInt) {
            Home::Gpr(g) => g,
            _ => scratch,
        }
    }

    /// The integer for a slot has been made.
    pub(super) fn put(&mut self, slot: u16, r: Gpr) {
        match self.home(slot) {
            Home::Gpr(g) if g == r => {}
            Home::Gpr(g) => self.asm.mov(W64, g, r),
            Home::Xmm(x) => self.asm.to_xmm(x, r),
            Home::Memory => self.asm.store(8, memory_of(slot), r),
        }
    }

    /// R[slot] := the register.
    pub(super) fn set(&mut self, slot: u16, r: Gpr) {
        self.used(slot, Use::SetInt);
        self.put(slot, r);
    }

    /// The number in a slot.
    pub(super) fn xm(&mut self, slot: u16, scratch: Xmm) -> Xm {
        match self.used(slot, Use::Float) {
            Home::Xmm(x) => x.into(),
            Home::Memory => memory_of(slot).into(),
            Home::Gpr(g) => {
                self.asm.to_xmm(scratch, g);
                scratch.into()
            }
        }
    }

    /// As that, in a register.
    pub(super) fn xreg(&mut self, slot: u16, scratch: Xmm) -> Xmm {
        match self.xm(slot, scratch) {
            Xm::Reg(x) => x,
            Xm::Mem(m) => {
                self.asm.fload(Float::F64, scratch, m);
                scratch
            }
        }
    }

    /// Moves the number in a slot to `to`.
    pub(super) fn xfetch(&mut self, to: Xmm, slot: u16) {
        let from = self.xreg(slot, to);
        if from != to {
            self.asm.fmov(to, from);
        }
    }

    pub(super) fn xdst(&mut self, slot: u16, scratch: Xmm) -> Xmm {
        match self.used(slot, Use::SetFloat) {
            Home::Xmm(x) => x,
            _ => scratch,
        }
    }

    pub(super) fn xput(&mut self, slot: u16, x: Xmm) {
        match self.home(slot) {
            Home::Xmm(h) if h == x => {}
            Home::Xmm(h) => self.asm.fmov(h, x),
            Home::Gpr(g) => self.asm.from_xmm(g, x),
            Home::Memory => self.asm.fstore(Float::F64, memory_of(slot), x),
        }
    }

    /// R[dst] := R[src].
    pub(super) fn copy(&mut self, dst: u16, src: u16) {
        if dst == src {
            return;
        }
        let from = self.used(src, Use::Bits);
        match (self.used(dst, Use::SetBits), from) {
            (Home::Gpr(d), Home::Gpr(s)) => self.asm.mov(W64, d, s),
            (Home::Gpr(d), Home::Xmm(s)) => self.asm.from_xmm(d, s),
            (Home::Gpr(d), Home::Memory) if self.is_halved(src) => {
                let x = self.join_halves(8 * i32::from(src));
                self.asm.from_xmm(d, x);
            }
            (Home::Gpr(d), Home::Memory) => self.asm.mov(W64, d, memory_of(src)),
            (Home::Xmm(d), Home::Gpr(s)) => self.asm.to_xmm(d, s),
            (Home::Xmm(d), Home::Xmm(s)) => self.asm.fmov(d, s),
            (Home::Xmm(d), Home::Memory) => self.asm.fload(Float::F64, d, memory_of(src)),
            (Home::Memory, Home::Gpr(s)) => self.asm.store(8, memory_of(dst), s),
            (Home::Memory, Home::Xmm(s)) => self.asm.fstore(Float::F64, memory_of(dst), s),
            (Home::Memory, Home::Memory) => {
                self.move_word(memory_of(dst), 8 * i32::from(src), RAX);
            }
        }
    }

    /// R[dst..+n] := R[src..+n], all read before any is written.
    pub(super) fn copy_all(&mut self, dst: u16, src: u16, n: u16) {
        for k in 0..n {
            // From the end, where the others would be overwritten.
            let k = if dst > src { n - 1 - k } else { k };
            self.copy(dst + k, src + k);
        }
    }

    /// R[slot] := k.
    pub(super) fn set_const(&mut self, slot: u16, k: u64) {
        match self.used(slot, Use::SetBits) {
            Home::Gpr(g) => self.asm.constant(g, k),
            Home::Xmm(x) if k == 0 => self.asm.fxor(x, x),
            Home::Xmm(x) => {
                self.asm.constant(RAX, k);
                self.asm.to_xmm(x, RAX);
            }
            Home::Memory => match i32::try_from(k as i64) {
                Ok(k) => self.asm.store_imm(W64, memory_of(slot), k),
                Err(_) => {
                    self.asm.constant(RAX, k);
                    self.asm.store(8, memory_of(slot), RAX);
                }
            },
        }
    }

    /// R[dst] := the word at `m`, which may fault.
    pub(super) fn load_word(&mut self, dst: u16, m: Mem) {
        match self.used(dst, Use::SetBits) {
            Home::Gpr(g) => {
                self.may_fault();
                self.asm.mov(W64, g, m);
            }
            Home::Xmm(x) => {
                self.may_fault();
                self.asm.fload(Float::F64, x, m);
            }
            Home::Memory => {
                self.may_fault();
                self.asm.mov(W64, RAX, m);
                self.asm.store(8, memory_of(dst), RAX);
            }
        }
    }

    /// Stores R[src] at `m`, which may fault; `scratch` is no register of `m`.
    pub(super) fn store_word(&mut self, m: Mem, src: u16, scratch: Gpr) {
        match self.used(src, Use::Bits) {
            Home::Gpr(g) => {
                self.may_fault();
                self.asm.store(8, m, g);
            }
            Home::Xmm(x) => {
                self.may_fault();
                self.asm.fstore(Float::F64, m, x);
            }
            Home::Memory => self.move_word(m, 8 * i32::from(src), scratch),
        }
    }
}

/// Where a slot is in memory.
pub(super) fn memory_of(slot: u16) -> Mem {
    Mem::at(RSI, 8 * i32::from(slot))
}

/// The instruction at word `at`.
fn decode(code: &[u64], at: usize) -> Option<Instr> {
    let word = code[at];
    let op = Op::from_u16(word as u16)?;
    if op.operands().len() > MOST || at + op.words() > code.len() {
        return None;
    }
    let mut args = [0; MOST];
    let (mut field, mut ext) = (16, at + 1);
    for (arg, o) in args.iter_mut().zip(op.operands()) {
        use bytecode::op::Shape;
        *arg = match o.kind.shape() {
            Shape::Ext => {
                ext += 1;
                code[ext - 1] as i64
            }
            Shape::Wide => i64::from((word >> 32) as i32),
            shape => {
                let v = (word >> field) as u16;
                field += 16;
                match shape {
                    Shape::Signed => i64::from(v as i16),
                    _ => i64::from(v),
                }
            }
        };
    }
    let at = at as u32;
    Some(Instr { at, op, args })
}
