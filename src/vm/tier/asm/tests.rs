//! The encoder against a disassembler: each form with every register, and with memory operands of
//! every shape.

use super::*;
use iced_x86::{Decoder, DecoderOptions, Formatter, Instruction, IntelFormatter};
use iced_x86::{MemorySizeOptions, Mnemonic, NumberBase};
use std::fmt::Debug;

/// Distances and constants on both sides of where an instruction gets longer.
const NUMBERS: [i32; 9] = [0, 1, -1, 127, 128, -128, -129, i32::MAX, i32::MIN];

const ALU: [Alu; 7] = {
    use Alu::*;
    [Add, Or, Sbb, And, Sub, Xor, Cmp]
};
const UNARY: [Unary; 6] = {
    use Unary::*;
    [Not, Neg, Mul, Imul, Div, Idiv]
};
const SHIFTS: [Shift; 4] = [Shift::Rol, Shift::Shl, Shift::Shr, Shift::Sar];
const CONDS: [Cond; 12] = {
    use Cond::*;
    [B, Ae, E, Ne, Be, A, P, Np, L, Ge, Le, G]
};
const FOPS: [Fop; 5] = [Fop::Sqrt, Fop::Add, Fop::Mul, Fop::Sub, Fop::Div];

/// The mnemonic, or its end, of what bears its name.
fn name(op: impl Debug) -> String {
    format!("{op:?}").to_lowercase()
}

fn bytes(w: Width) -> usize {
    if w == W32 { 4 } else { 8 }
}

/// The register's low bytes.
fn gpr(bytes: usize, Gpr(n): Gpr) -> String {
    const FIRST: [&str; 8] = ["ax", "cx", "dx", "bx", "sp", "bp", "si", "di"];
    const LOW: [&str; 8] = ["al", "cl", "dl", "bl", "spl", "bpl", "sil", "dil"];
    match (FIRST.get(n as usize), bytes) {
        (Some(_), 1) => LOW[n as usize].into(),
        (Some(r), 2) => r.to_string(),
        (Some(r), 4) => format!("e{r}"),
        (Some(r), _) => format!("r{r}"),
        (None, 1) => format!("r{n}b"),
        (None, 2) => format!("r{n}w"),
        (None, 4) => format!("r{n}d"),
        (None, _) => format!("r{n}"),
    }
}

fn xmm(Xmm(n): Xmm) -> String {
    format!("xmm{n}")
}

fn mem(bytes: usize, m: Mem) -> String {
    let size = match bytes {
        0 => "",
        1 => "byte ptr ",
        2 => "word ptr ",
        4 => "dword ptr ",
        8 => "qword ptr ",
        _ => "xmmword ptr ",
    };
    let mut text = format!("{size}[{}", gpr(8, m.base));
    if let Some((i, scale)) = m.index {
        text += &format!("+{}*{}", gpr(8, i), 1 << scale);
    }
    if m.disp != 0 {
        text += &format!("{:+}", m.disp);
    }
    text + "]"
}

fn rm(bytes: usize, rm: Rm) -> String {
    match rm {
        Rm::Reg(r) => gpr(bytes, r),
        Rm::Mem(m) => mem(bytes, m),
    }
}

/// The same with a vector register for a general one.
fn vector(rm: Rm) -> Xm {
    match rm {
        Rm::Reg(r) => Xm::Reg(Xmm(r.0)),
        Rm::Mem(m) => Xm::Mem(m),
    }
}

fn xm(bytes: usize, x: Xm) -> String {
    match x {
        Xm::Reg(r) => xmm(r),
        Xm::Mem(m) => mem(bytes, m),
    }
}

/// Every base, without an index and with every index by each scale: `disps` says how far.
fn memory(mut disps: impl FnMut(bool) -> Vec<i32>) -> Vec<Mem> {
    let indices = (0..16).filter(|i| Gpr(*i) != RSP);
    let indices = indices.flat_map(|i| (0..4).map(move |scale| Some((Gpr(i), scale))));
    let indices: Vec<_> = [None].into_iter().chain(indices).collect();
    let mut all = Vec::new();
    for base in (0..16).map(Gpr) {
        for &index in &indices {
            let disps = disps(index.is_some());
            all.extend(disps.into_iter().map(|disp| Mem { base, index, disp }));
        }
    }
    all
}

/// Every register, then memory operands of every shape: those with an index take turns in how far
/// they reach.
fn operands() -> Vec<Rm> {
    let mut turns = NUMBERS.into_iter().cycle();
    let memory = memory(|is_indexed| match is_indexed {
        true => turns.next().into_iter().collect(),
        false => NUMBERS.to_vec(),
    });
    let registers = (0..16).map(|r| Rm::Reg(Gpr(r)));
    registers.chain(memory.into_iter().map(Rm::Mem)).collect()
}

/// Every two registers, and every memory operand with one that takes turns.
fn pairs() -> Vec<(u8, Rm)> {
    let mut turns = (0..16).cycle();
    let pair = |rm| match rm {
        Rm::Reg(_) => (0..16).map(|r| (r, rm)).collect(),
        Rm::Mem(_) => turns
            .next()
            .map(|r| (r, rm))
            .into_iter()
            .collect::<Vec<_>>(),
    };
    operands().into_iter().flat_map(pair).collect()
}

/// The disassembler.
struct Reader {
    asm: Asm,
    formatter: IntelFormatter,
    text: String,
}

impl Reader {
    fn new() -> Reader {
        let mut formatter = IntelFormatter::new();
        let options = formatter.options_mut();
        options.set_number_base(NumberBase::Decimal);
        options.set_signed_immediate_operands(true);
        options.set_memory_size_options(MemorySizeOptions::Always);
        options.set_always_show_scale(true);
        options.set_space_after_operand_separator(true);
        options.set_use_pseudo_ops(false);
        let (asm, text) = Default::default();
        Reader {
            asm,
            formatter,
            text,
        }
    }

    /// What `emit` makes is one instruction and nothing else, which reads so.
    #[track_caller]
    fn is(&mut self, want: &str, emit: impl FnOnce(&mut Asm)) {
        self.asm.code.clear();
        emit(&mut self.asm);
        let read = decode(&self.asm.code, 0);
        self.text.clear();
        self.formatter.format(&read, &mut self.text);
        assert_eq!(self.text, want, "{:02x?}", self.asm.code);
        assert_eq!(read.len(), self.asm.code.len(), "{want}");
    }
}

fn decode(code: &[u8], at: usize) -> Instruction {
    Decoder::with_ip(64, &code[at..], at as u64, DecoderOptions::NONE).decode()
}

/// So many bytes does `emit` make.
fn length(emit: impl FnOnce(&mut Asm)) -> usize {
    let mut asm = Asm::default();
    emit(&mut asm);
    asm.here()
}

#[test]
fn integers_with_two_operands() {
    let mut r = Reader::new();
    for (reg, src) in pairs() {
        let dst = Gpr(reg);
        for w in [W32, W64] {
            let (d, s) = (gpr(bytes(w), dst), rm(bytes(w), src));
            for op in ALU {
                r.is(&format!("{} {d}, {s}", name(op)), |a| {
                    a.alu(op, w, dst, src)
                });
                if let Rm::Mem(to) = src {
                    r.is(&format!("{} {s}, {d}", name(op)), |a| {
                        a.alu_to(op, w, to, dst)
                    });
                }
            }
            r.is(&format!("imul {d}, {s}"), |a| a.imul(w, dst, src));
            for k in NUMBERS {
                r.is(&format!("imul {d}, {s}, {k}"), |a| {
                    a.imul_imm(w, dst, src, k)
                });
            }
            r.is(&format!("test {s}, {d}"), |a| a.test(w, src, dst));
            r.is(&format!("mov {d}, {s}"), |a| a.mov(w, dst, src));
        }
        for c in CONDS {
            let want = format!("cmov{} {}, {}", name(c), gpr(8, dst), rm(8, src));
            r.is(&want, |a| a.cmov(c, dst, src));
        }
        for (op, which) in [("bsf", Scan::Forward), ("bsr", Scan::Reverse)] {
            let want = format!("{op} {}, {}", gpr(8, dst), rm(8, src));
            r.is(&want, |a| a.scan(which, dst, src));
        }
        let want = format!("popcnt {}, {}", gpr(8, dst), rm(8, src));
        r.is(&want, |a| a.popcnt(dst, src));
        for (how, op, to, from) in [
            (Load::U8, "movzx", 4, 1),
            (Load::S8, "movsx", 8, 1),
            (Load::U16, "movzx", 4, 2),
            (Load::S16, "movsx", 8, 2),
            (Load::U32, "mov", 4, 4),
            (Load::S32, "movsxd", 8, 4),
            (Load::U64, "mov", 8, 8),
        ] {
            let want = format!("{op} {}, {}", gpr(to, dst), rm(from, src));
            r.is(&want, |a| a.load(how, dst, src));
        }
        let Rm::Mem(to) = src else { continue };
        for n in [1, 2, 4, 8] {
            let want = format!("mov {}, {}", mem(n, to), gpr(n, dst));
            r.is(&want, |a| a.store(n, to, dst));
        }
    }
}

#[test]
fn integers_with_one_operand() {
    let mut r = Reader::new();
    for dst in operands() {
        for w in [W32, W64] {
            let d = rm(bytes(w), dst);
            for op in UNARY {
                r.is(&format!("{} {d}", name(op)), |a| a.unary(op, w, dst));
            }
            for op in SHIFTS {
                r.is(&format!("{} {d}, cl", name(op)), |a| a.shift_cl(op, w, dst));
                for n in [1, 31, 63] {
                    r.is(&format!("{} {d}, {n}", name(op)), |a| {
                        a.shift_imm(op, w, dst, n)
                    });
                }
            }
            for k in NUMBERS {
                for op in ALU {
                    r.is(&format!("{} {d}, {k}", name(op)), |a| {
                        a.alu_imm(op, w, dst, k)
                    });
                }
                if let Rm::Mem(to) = dst {
                    r.is(&format!("mov {d}, {k}"), |a| a.store_imm(w, to, k));
                }
            }
        }
        r.is(&format!("jmp {}", rm(8, dst)), |a| a.jmp_to(dst));
        match dst {
            Rm::Reg(dst) => {
                r.is(&format!("bswap {}", gpr(8, dst)), |a| a.bswap(dst));
                for c in CONDS {
                    r.is(&format!("set{} {}", name(c), gpr(1, dst)), |a| {
                        a.set(c, dst)
                    });
                }
            }
            Rm::Mem(m) => {
                for k in [0, 1, 127, 128, 255] {
                    let want = format!("cmp {}, {}", mem(1, m), k as i8);
                    r.is(&want, |a| a.cmp_byte(m, k));
                }
            }
        }
    }
    r.is("cqo", Asm::cqo);
    r.is("rep stosq qword ptr [rdi]", Asm::rep_stosq);
    r.is("ud2", Asm::trap);
}

#[test]
fn every_base_with_every_index_and_distance() {
    let mut r = Reader::new();
    for (n, m) in memory(|_| NUMBERS.to_vec()).into_iter().enumerate() {
        let dst = Gpr(n as u8 % 16);
        let want = format!("lea {}, {}", gpr(8, dst), mem(0, m));
        r.is(&want, |a| a.lea(dst, m));
    }
    let m = Mem::element(RBX, RCX, 8).plus(24).plus(-32);
    assert_eq!(mem(8, m), "qword ptr [rbx+rcx*8-8]");
}

#[test]
fn constants() {
    let mut r = Reader::new();
    let edges = [0, 8, 16, 31, 32, 33, 63].map(|n| 1_u64 << n);
    for k in edges
        .into_iter()
        .flat_map(|k| [k, k - 1, k.wrapping_neg(), !k])
    {
        for dst in (0..16).map(Gpr) {
            let (short, long) = (gpr(4, dst), gpr(8, dst));
            let want = match u32::try_from(k) {
                Ok(k) => format!("mov {short}, {}", k as i32),
                Err(_) => format!("mov {long}, {}", k as i64),
            };
            r.is(&want, |a| a.constant_keeping_flags(dst, k));
            let zero = format!("xor {short}, {short}");
            let want = if k == 0 { zero } else { want };
            r.is(&want, |a| a.constant(dst, k));
        }
    }
}

#[test]
fn floating_point() {
    let mut r = Reader::new();
    for (reg, src) in pairs() {
        let (dst, x) = (Xmm(reg), vector(src));
        let d = xmm(dst);
        for (f, end, other, n) in [(Float::F64, "sd", "ss", 8), (Float::F32, "ss", "sd", 4)] {
            let s = xm(n, x);
            for op in FOPS {
                r.is(&format!("{}{end} {d}, {s}", name(op)), |a| {
                    a.fop(op, f, dst, x)
                });
            }
            r.is(&format!("ucomi{end} {d}, {s}"), |a| a.ucomi(f, dst, x));
            r.is(&format!("cvt{end}2{other} {d}, {s}"), |a| {
                a.convert(f, dst, x)
            });
            r.is(&format!("cvtsi2{end} {d}, {}", rm(8, src)), |a| {
                a.from_int(f, dst, src)
            });
            for w in [W32, W64] {
                let want = format!("cvtt{end}2si {}, {s}", gpr(bytes(w), Gpr(reg)));
                r.is(&want, |a| a.to_int(f, w, Gpr(reg), x));
            }
            if let Xm::Mem(m) = x {
                r.is(&format!("mov{end} {d}, {s}"), |a| a.fload(f, dst, m));
                r.is(&format!("mov{end} {s}, {d}"), |a| a.fstore(f, m, dst));
            }
        }
        let word = rm(8, src);
        r.is(&format!("movq {d}, {word}"), |a| a.to_xmm(dst, src));
        r.is(&format!("movq {word}, {d}"), |a| a.from_xmm(src, dst));
        let s = xm(16, x);
        match x {
            Xm::Reg(src) => {
                r.is(&format!("movaps {d}, {s}"), |a| a.fmov(dst, src));
                r.is(&format!("xorps {d}, {s}"), |a| a.fxor(dst, src));
                r.is(&format!("andps {d}, {s}"), |a| a.fand(dst, src));
                r.is(&format!("unpcklps {d}, {s}"), |a| a.unpack(dst, src));
            }
            Xm::Mem(m) => {
                r.is(&format!("movups {d}, {s}"), |a| a.load16(dst, m));
                r.is(&format!("movups {s}, {d}"), |a| a.store16(m, dst));
            }
        }
    }
}

#[test]
fn short_forms_are_taken() {
    for base in (0..16).map(Gpr) {
        let reach = |disp| length(|a| a.lea(RAX, Mem::at(base, disp)));
        assert_eq!(
            reach(0) + usize::from(base.0 & 7 != 5),
            reach(1),
            "{base:?}"
        );
        assert_eq!([reach(1), reach(1) + 3], [reach(127), reach(128)]);
        assert_eq!([reach(1), reach(1) + 3], [reach(-128), reach(-129)]);
    }
    let add = |k| length(|a| a.alu_imm(Alu::Add, W32, RAX, k));
    assert_eq!([3, 3, 6, 6], [127, -128, 128, -129].map(add));
    let times = |k| length(|a| a.imul_imm(W32, RAX, RAX, k));
    assert_eq!([3, 3, 6, 6], [127, -128, 128, -129].map(times));
    let constant = |k| length(|a| a.constant(RAX, k));
    assert_eq!(
        [2, 5, 7, 10],
        [0, 0xffff_ffff, u64::MAX, 1 << 32].map(constant)
    );
}

#[test]
fn conditions_and_their_opposites() {
    for c in CONDS {
        // The lowest bit turns a condition round.
        assert_eq!(c.not() as u8, c as u8 ^ 1);
    }
}

#[test]
fn jumps_by_a_table() {
    let mut r = Reader::new();
    for disp in NUMBERS.into_iter().filter(|d| *d > 0) {
        r.is(&format!("jmp qword ptr [{disp}]"), |a| a.jmp_by(disp, None));
        for i in (0..8).map(Gpr).filter(|i| *i != RSP) {
            let want = format!("jmp qword ptr [{}*8+{disp}]", gpr(8, i));
            r.is(&want, |a| a.jmp_by(disp, Some(i)));
        }
    }
}

#[test]
fn what_fills_does_nothing() {
    for n in [1, 2, 4, 8, 16, 32, 64] {
        for from in 0..n {
            let mut asm = Asm::default();
            (0..from).for_each(|_| asm.bytes(&[0xcc]));
            asm.align(n);
            assert_eq!(asm.here(), from.next_multiple_of(n), "{from} {n}");
            let mut at = from;
            while at < asm.here() {
                let read = decode(&asm.code, at);
                assert_eq!(read.mnemonic(), Mnemonic::Nop, "{from} {n}");
                at += read.len();
            }
            assert_eq!(at, asm.here());
        }
    }
}

#[test]
fn jumps_land_at_labels() {
    let mut asm = Asm::default();
    let labels: Vec<_> = (0..40).map(|_| asm.label()).collect();
    // Before each label stand jumps to some that have been and some that will be.
    let mut jumps = Vec::new();
    for (n, l) in labels.iter().enumerate() {
        assert_eq!(asm.place(*l), None);
        let to = labels[n * 7 % 40];
        let (c, dst) = (CONDS[n % 12], Gpr(n as u8 % 16));
        let begins = [asm.here(), asm.here() + 5, asm.here() + 11];
        asm.jmp(to);
        asm.jcc(c, to);
        asm.lea_label(dst, to);
        let texts = ["jmp".into(), format!("j{}", name(c)), gpr(8, dst)];
        jumps.extend(
            begins
                .into_iter()
                .zip(texts)
                .map(|(at, text)| (at, text, to)),
        );
        asm.align(1 << (n % 9));
        asm.bind(*l);
        assert_eq!(asm.place(*l), Some(asm.here()));
    }
    // A label that nobody jumps to may be nowhere.
    asm.label();
    asm.link();
    for (at, want, to) in jumps {
        let read = decode(&asm.code, at);
        let (text, there) = match read.mnemonic() {
            Mnemonic::Lea => (name(read.op0_register()), read.ip_rel_memory_address()),
            m => (name(m), read.near_branch_target()),
        };
        assert_eq!(text, want);
        assert_eq!(Some(there as usize), asm.place(to), "{want} at {at}");
    }
}
