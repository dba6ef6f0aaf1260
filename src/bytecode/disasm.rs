//! Bytecode as text.
//!
//! One line per instruction: offset in words, mnemonic, operands by name: `rN` a slot, `@N` the offset a jump goes to, `fN` a function
//! with its name, `fp+N` a byte offset. Addresses are shown as what they point to where that is known, so that the text is the same in every run.

use super::encode::{self, Instr};
use super::func::{self, FuncInfo, Word};
use super::op::{Kind, NONE};
use super::{arena, rtype};
use crate::source;
use std::fmt::Write;

/// A whole function: head, slots, instructions with line numbers.
pub fn function(code: &[u64], info: &FuncInfo) -> String {
    let mut out = String::new();
    let kinds: String = info
        .slots
        .iter()
        .map(|w| match w {
            Word::Scalar => '.',
            Word::Pointer => 'p',
            Word::Maybe => 'm',
        })
        .collect();
    let _ = writeln!(
        out,
        "{}: results {} params {} frame {} slots {kinds}",
        info.name, info.n_results, info.n_params, info.frame
    );
    let mut line = 0;
    for (at, i) in encode::instructions(code) {
        let pos = source::map().position(info.pos_table.at(at as u32));
        let mark = if pos.line == line {
            String::new()
        } else {
            pos.line.to_string()
        };
        line = pos.line;
        let _ = writeln!(out, "{mark:>5} {at:4}  {}", instruction(at, &i));
    }
    out
}

/// One instruction at word `at`.
pub fn instruction(at: usize, i: &Instr) -> String {
    let mut s = format!("{:<12}", i.op.name());
    for (o, &v) in i.op.operands().iter().zip(&i.args) {
        let _ = match o.kind {
            k if k.is_slot() && v == i64::from(NONE) => write!(s, " {}=-", o.name),
            k if k.is_slot() => write!(s, " {}=r{v}", o.name),
            k if k.is_rel() => write!(s, " {}=@{}", o.name, at as i64 + v),
            Kind::Fo32 | Kind::XFo => write!(s, " {}=fp+{v}", o.name),
            Kind::Idx32 if o.name == "func" => {
                let name = func::info(v as u32).map_or("?", |f| &f.name);
                write!(s, " {}={name}", o.name)
            }
            Kind::X => write!(s, " {}={}", o.name, extension(o.name, v)),
            _ => write!(s, " {}={v}", o.name),
        };
    }
    s.truncate(s.trim_end().len());
    s
}

/// An extension word as something stable.
fn extension(name: &str, v: i64) -> String {
    let addr = v as usize;
    match name {
        "typ" | "elem" | "stat" => {
            let t = rtype::all().into_iter().find(|t| t.word() == v as u64);
            t.map_or_else(|| "type".into(), |t| t.string.replace(' ', "_"))
        }
        "sl" | "ls" | "so" | "os" | "lo" => format!("{}|{}", v as u32, (v as u64) >> 32),
        _ if arena::GLOBALS.contains(addr) => format!("global+{}", addr - arena::GLOBALS.base()),
        _ if arena::CONSTS.contains(addr) => "const".into(),
        "w0" | "k0" if v != 0 => {
            let t = rtype::all().into_iter().find(|t| t.word() == v as u64);
            t.map_or_else(|| "itab".into(), |t| t.string.replace(' ', "_"))
        }
        "k" if !(-1 << 40..1 << 40).contains(&v) => {
            let t = rtype::all().into_iter().find(|t| t.word() == v as u64);
            t.map_or_else(
                || format!("{:#x}", v as u64),
                |t| t.string.replace(' ', "_"),
            )
        }
        _ => v.to_string(),
    }
}
