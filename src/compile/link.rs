//! Virtual slots and labels become numbers, addresses the numbers and places of the unit; the code
//! is laid down.
//!
//! The frame: fixed slots, the pointer area, the scalar area, two header words, the window. A jump
//! to a label at or before itself takes its backward form, which is a safepoint. In a function too
//! long for 16-bit jump distances each short conditional jump hops over a long one.

use super::func::{Fun, Ins, Label};
use super::regalloc::{AREA, FIXED, POINTERS, SCALARS, Slot, WINDOW};
use bytecode::abi::HEADER;
use bytecode::encode;
use bytecode::func::{self as bfunc, FuncInfo, PosTable, Word};
use bytecode::op::{Kind, NONE, Op};
use bytecode::pair::Pair;
use bytecode::rtype::Ty;
use bytecode::unit::{Function, In, Reloc};
use source::Pos;

/// Most slots a frame may have, its window included.
const MAX_SLOTS: u32 = 65_000;

/// Code that is laid down, and what of it stands for something of the unit.
struct Laid {
    words: Vec<u64>,
    relocs: Vec<Reloc>,
}

struct Frame {
    pointers: u32,
    scalars: u32,
    window: u32,
}

impl Frame {
    fn number(&self, s: u32) -> u32 {
        let i = s & !AREA;
        match s & AREA {
            FIXED => i,
            POINTERS => self.pointers + i,
            SCALARS => self.scalars + i,
            WINDOW => self.window + i,
            _ => u32::from(NONE),
        }
    }
}

impl Fun<'_> {
    /// Encodes the code and puts the function into the unit.
    pub(super) fn finish(&mut self) {
        let n_fixed = self.fixed_words.len() as u32;
        let n_pointers = self.alloc.pointers.len() as u32;
        let frame = Frame {
            pointers: n_fixed,
            scalars: n_fixed + n_pointers,
            window: n_fixed + n_pointers + self.alloc.n_scalars + HEADER,
        };
        let frame_max = frame.window + self.win_max + 1;
        if frame_max > MAX_SLOTS {
            self.unsupported(self.pos, "function whose frame has more than 65,000 words");
            return;
        }
        let mut code = Vec::with_capacity(self.code.len() + 1);
        code.push(Ins {
            op: Op::Enter,
            args: [
                i64::from(frame_max),
                i64::from(frame.pointers),
                i64::from(n_pointers),
                0,
                0,
            ],
            pos: self.code.first().map_or(self.pos, |i| i.pos),
            inlined: 0,
            unsigned: 0,
        });
        code.append(&mut self.code);
        for l in &mut self.labels {
            *l = l.saturating_add(1);
        }
        // A label may be bound at the very end, after code that does not come back.
        if code.last().is_none_or(|i| !i.op.ends()) || self.labels.contains(&(code.len() as u32)) {
            code.push(Ins {
                op: Op::Unreachable,
                args: [0; 5],
                pos: self.pos,
                inlined: 0,
                unsigned: 0,
            });
        }
        let marks = code.len();
        // Never executed: their addresses stand for calls compiled in place.
        code.extend(self.inlined.iter().map(|s| Ins {
            op: Op::Unreachable,
            args: [0; 5],
            pos: s.pos,
            inlined: s.parent,
            unsigned: 0,
        }));
        let total: usize = code.iter().map(|i| i.op.words()).sum();
        let long = total > 16_000;
        let size = |i: &Ins| {
            let short_jump = i.op.operands().iter().any(|o| o.kind == Kind::Rel16);
            i.op.words() + if long && short_jump { 2 } else { 0 }
        };
        let mut at = Vec::with_capacity(code.len() + 1);
        let mut offset = 0;
        for i in &code {
            at.push(offset);
            offset += size(i);
        }
        at.push(offset);
        let mut laid = Laid {
            words: Vec::with_capacity(offset),
            relocs: Vec::new(),
        };
        for (n, i) in code.iter().enumerate() {
            self.encode_one(&mut laid, &frame, &at, n, i, long);
        }
        debug_assert_eq!(laid.words.len(), offset);
        let mut slots = std::mem::take(&mut self.fixed_words);
        slots.extend_from_slice(&self.alloc.pointers);
        while slots.last() == Some(&Word::Scalar) {
            slots.pop();
        }
        let entries: Vec<_> = code
            .iter()
            .zip(&at)
            .map(|(i, o)| (*o as u32, i.pos))
            .collect();
        let unsigned = code
            .iter()
            .zip(&at)
            .filter(|(i, _)| i.unsigned != 0)
            .map(|(i, at)| (*at as u32, i.unsigned))
            .collect();
        let inline_entries = code
            .iter()
            .zip(&at)
            .map(|(i, o)| (*o as u32, Pos(i.inlined)));
        let inline_table = if self.inlined.is_empty() {
            PosTable::default()
        } else {
            PosTable::new(inline_entries)
        };
        let inlined = self
            .inlined
            .iter()
            .zip(&at[marks..])
            .map(|(s, at)| bfunc::Inlined {
                name: s.name.into(),
                has_params: s.has_params,
                mark: *at as u32,
            })
            .collect();
        let defer_return = match self.defer_return {
            Some(Label(l)) if self.has_defer => at[self.labels[l as usize] as usize] as u32,
            _ => 0,
        };
        let library = match self.pkg.map(|p| self.c.ck.pkg(p)) {
            Some(pkg) if pkg.is_std && pkg.path == "testing" => bfunc::STD | bfunc::TESTING,
            Some(pkg) if pkg.is_std => bfunc::STD,
            _ => 0,
        };
        let info = FuncInfo {
            name: std::mem::take(&mut self.name),
            flags: self.flags | library,
            n_results: self.window.n_results as u16,
            n_params: self.window.n_params as u16,
            closure_slot: self.window.closure as u16,
            slots,
            frame: frame.window - HEADER,
            frame_max,
            beside: self.beside,
            zeroed: (frame.pointers as u16, n_pointers as u16),
            defer_return,
            pos_table: PosTable::new(entries),
            unsigned,
            inlined,
            inline_table,
            pos: code[0].pos,
            ..FuncInfo::default()
        };
        let function = Function {
            code: laid.words,
            relocs: laid.relocs,
            info: Box::new(info),
        };
        if self.c.recorder.is_some() {
            return self.c.record(self.index, function);
        }
        self.c.parts.define(self.index, function);
    }

    fn encode_one(
        &mut self,
        laid: &mut Laid,
        frame: &Frame,
        at: &[usize],
        n: usize,
        i: &Ins,
        long: bool,
    ) {
        let mut op = i.op;
        let mut args = i.args;
        let here = at[n] as i64;
        for (k, o) in i.op.operands().iter().enumerate() {
            let v = args[k];
            let mut reloc = |what| {
                // An extension word, else the instruction's own.
                let words = i.op.operands()[..=k].iter().filter(|o| o.kind.is_ext());
                let ext = if o.kind.is_ext() { words.count() } else { 0 };
                laid.relocs.push(Reloc::new(at[n] + ext, what));
            };
            args[k] = match o.kind {
                _ if o.kind.is_slot() => {
                    if v as u32 == Slot::NONE.0 {
                        i64::from(NONE)
                    } else {
                        i64::from(frame.number(v as u32))
                    }
                }
                // A frame offset: slot in the upper half, bytes in the lower.
                k if k.is_frame_offset() => {
                    i64::from(frame.number((v >> 32) as u32)) * 8 + i64::from(v as u32)
                }
                _ if o.kind.is_rel() => {
                    let target = at[self.labels[v as usize] as usize] as i64;
                    debug_assert!(self.labels[v as usize] != u32::MAX);
                    if target <= here {
                        op = op.backward_or_self();
                    }
                    target - here
                }
                Kind::Func => {
                    reloc(In::Func);
                    self.c.parts.function_number(v as u32).into()
                }
                Kind::Native => {
                    reloc(In::Native);
                    v
                }
                Kind::Layout => {
                    reloc(In::Layout);
                    self.c.parts.layout_number(v as u32).into()
                }
                Kind::XLayout => {
                    reloc(In::LayoutWord);
                    self.c.parts.layout_number(v as u32).into()
                }
                Kind::XSizeLayout => {
                    reloc(In::Layout);
                    let pair = Pair::of(v as u64);
                    let layout = self.c.parts.layout_number(pair.hi());
                    Pair::small(pair.lo().into(), layout.into()).word() as i64
                }
                Kind::XType => {
                    reloc(In::Type);
                    // SAFETY: a type's word was emitted for an operand of this kind.
                    #[allow(unsafe_code)]
                    let ty = unsafe { Ty::from_word(v as u64) };
                    self.c.parts.type_number(ty).into()
                }
                Kind::XTab => {
                    reloc(In::Tab);
                    v
                }
                Kind::XGlobal => {
                    reloc(In::Variables);
                    v
                }
                Kind::XData if v != 0 => {
                    reloc(In::Data);
                    v
                }
                _ => v,
            };
        }
        let words = &mut laid.words;
        let short = op.operands().iter().position(|o| o.kind == Kind::Rel16);
        let result = match short {
            Some(k) if long => {
                let distance = args[k];
                let words_of_op = op.words() as i64;
                // The condition hops over the first jump to the second, which goes to the target.
                let hop = i.op;
                args[k] = words_of_op + 1;
                let far = if distance <= 0 { Op::Loop } else { Op::Jump };
                encode::encode(words, hop, &args[..hop.operands().len()])
                    .and_then(|()| encode::encode(words, Op::Jump, &[2]))
                    .and_then(|()| encode::encode(words, far, &[distance - words_of_op - 1]))
            }
            _ => encode::encode(words, op, &args[..op.operands().len()]),
        };
        if let Err(e) = result {
            self.unsupported(i.pos, format!("function this large ({e})"));
            words.resize(at[n + 1], 0);
        }
    }
}
