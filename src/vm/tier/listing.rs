//! Native code as text: `gosched disasm --native`.

use super::compile;
use super::{begin, memory, source_of, world};
use crate::native::table::name;
use bytecode::disasm::instruction;
use bytecode::encode::decode;
use bytecode::func::FuncInfo;
use iced_x86::{Decoder, DecoderOptions, Formatter, IntelFormatter};
use std::fmt::Write;

/// The native code of a function: each instruction of bytecode, and those of the machine that do
/// it. Behind them come the ways out and in. `None`: there is no native code here.
pub fn listing(info: &FuncInfo) -> Option<String> {
    if !memory::begin() || !begin() {
        return None;
    }
    let mut made = compile::compile(source_of(info), world());
    made.settle(0);
    let mut decoder = Decoder::with_ip(64, &made.code, 0, DecoderOptions::NONE);
    let mut formatter = IntelFormatter::new();
    formatter.options_mut().set_hex_prefix("0x");
    formatter.options_mut().set_hex_suffix("");
    let mut out = format!("{}: {} bytes\n", info.name, made.code.len());
    let mut places = made.places.iter().peekable();
    while decoder.can_decode() {
        while let Some((_, at)) = places.next_if(|p| p.0 as usize <= decoder.position()) {
            if let Some(i) = decode(info.code(), *at as usize) {
                let _ = writeln!(out, "{at:4}  {}", instruction(*at as usize, &i, name));
            }
        }
        let i = decoder.decode();
        let mut text = String::new();
        formatter.format(&i, &mut text);
        let _ = writeln!(out, "          {:5x}  {text}", i.ip());
    }
    Some(out)
}
