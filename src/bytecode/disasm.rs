//! Bytecode as text.
//!
//! One line per instruction: offset in words, mnemonic, operands by name: `rN` a slot, `@N` the
//! offset a jump goes to, `fN` a function with its name, `fp+N` a byte offset. Addresses are shown
//! as what they point to where that is known, so that the text is the same in every run.

use super::encode::{self, Instr};
use super::func::{self, FuncInfo, Word};
use super::op::{Kind, NONE};
use super::{arena, rtype};
use source;
use std::fmt::Write;

/// Names the native of a number.
pub type NativeName = fn(u32) -> String;

/// A whole function: head, slots, instructions with line numbers; where a line is another file's,
/// that is named.
pub fn function(code: &[u64], info: &FuncInfo, native: NativeName) -> String {
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
    let place = |at: usize| source::map().position(info.pos_table.at(at as u32));
    let own = place(0).file;
    let mut last = (String::new(), 0);
    for (at, i) in encode::instructions(code) {
        let pos = place(at);
        let here = (pos.file, pos.line);
        let mark = match &here {
            _ if here == last || here.1 == 0 => String::new(),
            (file, line) if *file == own => line.to_string(),
            (file, line) => format!("{file}:{line}"),
        };
        last = here;
        let _ = writeln!(out, "{mark:>5} {at:4}  {}", instruction(at, &i, native));
    }
    out
}

/// One instruction at word `at`.
pub fn instruction(at: usize, i: &Instr, native: NativeName) -> String {
    let mut s = format!("{:<14}", i.op.name());
    for (o, &v) in i.op.operands().iter().zip(&i.args) {
        let shown = match o.kind {
            k if k.is_slot() && v == i64::from(NONE) => "-".into(),
            k if k.is_slot() => format!("r{v}"),
            k if k.is_rel() => format!("@{}", at as i64 + v),
            k if k.is_frame_offset() => format!("fp+{v}"),
            Kind::Func => func::info(v as u32).map_or("?".into(), |f| f.name.to_string()),
            Kind::Native => native(v as u32),
            Kind::XType => typ(v),
            Kind::XTab => tab(v),
            Kind::XGlobal => format!("global+{}", v as usize - arena::GLOBALS.base()),
            Kind::XData if v == 0 => "0".into(),
            Kind::XData => "data".into(),
            Kind::XBits if !(-1 << 40..1 << 40).contains(&v) => format!("{v:#x}"),
            Kind::XSizeLayout | Kind::XLenStride | Kind::XStrideOff | Kind::XOffSize => halves(v),
            Kind::XArray8 | Kind::XArray16 | Kind::XArray32 | Kind::XArray64 => halves(v),
            _ => v.to_string(),
        };
        let _ = write!(s, " {}={shown}", o.name);
    }
    s.truncate(s.trim_end().len());
    s
}

/// The two halves of an extension word, low first.
fn halves(v: i64) -> String {
    format!("{}|{}", v as u32, (v as u64) >> 32)
}

/// The type at an address.
fn typ(v: i64) -> String {
    let found = rtype::all().into_iter().find(|t| t.word() == v as u64);
    found.map_or_else(|| "?".into(), |t| t.string.replace(' ', "_"))
}

/// The first word of an interface: a type, or the itab of one.
fn tab(v: i64) -> String {
    match typ(v).as_str() {
        _ if v == 0 => "0".into(),
        "?" => "itab".into(),
        name => name.into(),
    }
}
