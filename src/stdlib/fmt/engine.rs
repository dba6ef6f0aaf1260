#![allow(unsafe_code)]
//! The engine of `fmt`: formats Go values of any type by verbs and flags.
//!
//! A [`Printer`] walks values through their run-time types. Where a value's type has methods that
//! printing must ask (`Error`, `String`, `GoString`, `Format`) it calls the Go function that came
//! with the arguments, which finds out by type assertions, calls, and catches panics (`callMethod`
//! in fmt.go). Formats are read in [`directive`], numbers and texts laid out in [`layout`].
//!
//! # Invariants
//!
//! - H1. The hook that a [`Printer`] is made with is `callMethod`.
//!
//! Go: fmt/print.go, fmt/format.go, internal/fmtsort.

mod directive;
mod layout;

use std::cmp::Ordering;

use crate::strconv::natives::core::append_quoted_rune;
use bytecode::rtype::{Kind, Rtype};
use vm::fenced;
use vm::native::{Cx, FuncVal, GoStr, Res};
use vm::reflect::{self, Inside};
use vm::string::encode_rune;
use vm::value::{Iface, Val};

const LOWER: &[u8; 17] = b"0123456789abcdefx";
const UPPER: &[u8; 17] = b"0123456789ABCDEFX";

#[derive(Clone, Copy, Default, Debug)]
struct Flags {
    wid: Option<usize>,
    prec: Option<usize>,
    minus: bool,
    plus: bool,
    sharp: bool,
    space: bool,
    zero: bool,
    /// `%+v`
    plus_v: bool,
    /// `%#v`
    sharp_v: bool,
}

impl Flags {
    /// As `callMethod` gets them.
    fn bits(&self) -> u64 {
        u64::from(self.minus)
            | u64::from(self.plus || self.plus_v) << 1
            | u64::from(self.sharp || self.sharp_v) << 2
            | u64::from(self.space) << 3
            | u64::from(self.zero) << 4
            | u64::from(self.sharp_v) << 5
    }
}

/// Whether a value was reached through unexported fields, so that its methods may not be called.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Access {
    Open,
    /// It is itself an embedded field of unexported type: its own fields are open again.
    Embedded,
    Closed,
}

impl Access {
    fn below(self) -> Access {
        if self == Access::Open {
            Access::Open
        } else {
            Access::Closed
        }
    }
}

/// One formatting call.
pub struct Printer<'a> {
    cx: &'a mut Cx,
    /// `callMethod` of fmt.go.
    hook: FuncVal,
    /// The text so far.
    pub buf: Vec<u8>,
    f: Flags,
    erroring: bool,
    panicking: bool,
    /// `%w` is allowed.
    pub(crate) wrap_errs: bool,
    /// Indices of the operands of `%w`.
    pub wrapped: Vec<i64>,
    /// The format used `[n]`.
    pub(crate) reordered: bool,
}

impl<'a> Printer<'a> {
    /// A printer without text.
    pub fn new(cx: &'a mut Cx, hook: FuncVal) -> Printer<'a> {
        Printer {
            cx,
            hook,
            buf: Vec::with_capacity(64),
            f: Flags::default(),
            erroring: false,
            panicking: false,
            wrap_errs: false,
            wrapped: Vec::new(),
            reordered: false,
        }
    }

    fn put(&mut self, s: &str) {
        self.buf.extend_from_slice(s.as_bytes());
    }

    fn put_rune(&mut self, r: i32) {
        let mut b = [0; 4];
        let n = encode_rune(&mut b, r);
        self.buf.extend_from_slice(&b[..n]);
    }

    /// Adds a text that may be long: others may run meanwhile.
    fn add(&mut self, b: &[u8]) {
        const PIECE: usize = 1 << 20;
        if b.len() <= PIECE {
            self.buf.extend_from_slice(b);
            return;
        }
        self.buf.reserve(b.len());
        for piece in b.chunks(PIECE) {
            self.buf.extend_from_slice(piece);
            self.cx.poll();
        }
    }

    // ---- the faces; that of `Printf` is in `directive`

    /// `Print`: spaces between operands when neither is a string.
    pub fn print(&mut self, a: &[Iface]) -> Res<()> {
        let mut prev_string = true;
        for (i, arg) in a.iter().enumerate() {
            let is_string = arg.rtype().is_some_and(|t| t.kind == Kind::String);
            if i > 0 && !is_string && !prev_string {
                self.buf.push(b' ');
            }
            self.print_arg(*arg, 'v' as i32)?;
            prev_string = is_string;
        }
        Ok(())
    }

    /// `Println`: spaces always, and a newline.
    pub fn println(&mut self, a: &[Iface]) -> Res<()> {
        for (i, arg) in a.iter().enumerate() {
            if i > 0 {
                self.buf.push(b' ');
            }
            self.print_arg(*arg, 'v' as i32)?;
        }
        self.buf.push(b'\n');
        Ok(())
    }

    // ---- operands

    fn print_arg(&mut self, arg: Iface, verb: i32) -> Res<()> {
        self.cx.poll();
        let Some(v) = arg.val() else {
            if verb == 'T' as i32 || verb == 'v' as i32 {
                self.pad("<nil>".as_bytes());
                return Ok(());
            }
            return self.bad_verb(None, verb);
        };
        if verb == 'T' as i32 {
            self.fmt_s(v.t.string.as_bytes());
            return Ok(());
        }
        if verb == 'p' as i32 {
            return self.fmt_pointer(v, verb);
        }
        if v.kind() as u8 <= Kind::Complex128 as u8 || v.kind() == Kind::String {
            // Predeclared types have no methods.
            if v.t.methods().is_empty() && verb != 'w' as i32 {
                return self.print_plain(v, verb);
            }
        }
        if v.t.string == "[]uint8" && !v.t.is_named() {
            // Exactly []byte has its own words for itself.
            match u8::try_from(verb) {
                Ok(b'v' | b'd') if self.f.sharp_v => return self.go_bytes(v),
                _ => return self.print_value(v, verb, 0, Access::Open),
            }
        }
        if v.kind() == Kind::Struct
            && let Some(inside) = reflect::inside(v)
        {
            return self.print_reflected(inside, verb);
        }
        if self.handle_methods(v, verb)? {
            return Ok(());
        }
        self.print_value(v, verb, 0, Access::Open)
    }

    /// What a reflect.Value holds.
    fn print_reflected(&mut self, inside: Inside<'_>, verb: i32) -> Res<()> {
        let Inside::Value(v, is_closed, is_embedded) = inside else {
            self.put("<invalid reflect.Value>");
            return Ok(());
        };
        let access = match (is_closed, is_embedded) {
            (true, _) => Access::Closed,
            (_, true) => Access::Embedded,
            _ => Access::Open,
        };
        if access == Access::Open && self.handle_methods(v, verb)? {
            return Ok(());
        }
        self.print_value(v, verb, 0, access)
    }

    /// `%#v` of a `[]byte`.
    fn go_bytes(&mut self, v: Val<'_>) -> Res<()> {
        self.put("[]byte");
        if v.is_nil() {
            self.put("(nil)");
            return Ok(());
        }
        self.buf.push(b'{');
        self.cx.reads_bytes(v);
        for (i, c) in v.byte_slice().iter().enumerate() {
            self.cx.poll();
            self.separator(i);
            self.fmt_0x64(u64::from(*c), true);
        }
        self.buf.push(b'}');
        Ok(())
    }

    /// Values of basic kind.
    fn print_plain(&mut self, v: Val<'_>, verb: i32) -> Res<()> {
        match v.kind() {
            Kind::Bool => {
                if verb == 't' as i32 || verb == 'v' as i32 {
                    self.pad(if v.bool() { b"true" } else { b"false" });
                    Ok(())
                } else {
                    self.bad_verb(Some(v), verb)
                }
            }
            Kind::Int | Kind::Int8 | Kind::Int16 | Kind::Int32 | Kind::Int64 => {
                self.integer(v, v.int() as u64, true, verb)
            }
            Kind::Uint
            | Kind::Uint8
            | Kind::Uint16
            | Kind::Uint32
            | Kind::Uint64
            | Kind::Uintptr => self.integer(v, v.uint(), false, verb),
            Kind::Float32 => self.float(v, v.float(), 32, verb),
            Kind::Float64 => self.float(v, v.float(), 64, verb),
            Kind::Complex64 | Kind::Complex128 => {
                let (re, im) = v.complex();
                let bits = if v.kind() == Kind::Complex64 { 32 } else { 64 };
                if !matches!(
                    verb as u8,
                    b'v' | b'b' | b'g' | b'G' | b'x' | b'X' | b'f' | b'F' | b'e' | b'E'
                ) || verb > 127
                {
                    return self.bad_verb(Some(v), verb);
                }
                let plus = self.f.plus;
                self.buf.push(b'(');
                self.float(v, re, bits, verb)?;
                self.f.plus = true;
                self.float(v, im, bits, verb)?;
                self.put("i)");
                self.f.plus = plus;
                Ok(())
            }
            _ => {
                let s = v.str();
                self.string(Some(v), s.as_bytes(), verb)
            }
        }
    }

    fn integer(&mut self, v: Val<'_>, u: u64, signed: bool, verb: i32) -> Res<()> {
        match u8::try_from(verb).unwrap_or(0) {
            b'v' if self.f.sharp_v && !signed => self.fmt_0x64(u, true),
            b'v' | b'd' => self.fmt_integer(u, 10, signed, verb, LOWER),
            b'b' => self.fmt_integer(u, 2, signed, verb, LOWER),
            b'o' | b'O' => self.fmt_integer(u, 8, signed, verb, LOWER),
            b'x' => self.fmt_integer(u, 16, signed, verb, LOWER),
            b'X' => self.fmt_integer(u, 16, signed, verb, UPPER),
            b'c' => {
                let mut b = [0; 4];
                let n = encode_rune(&mut b, rune_of(u));
                self.pad(&b[..n]);
            }
            b'q' => {
                let mut b = Vec::new();
                append_quoted_rune(&mut b, rune_of(u), self.f.plus, false);
                self.pad(&b);
            }
            b'U' => self.fmt_unicode(u),
            _ => return self.bad_verb(Some(v), verb),
        }
        Ok(())
    }

    fn float(&mut self, v: Val<'_>, f: f64, bits: u32, verb: i32) -> Res<()> {
        match u8::try_from(verb).unwrap_or(0) {
            b'v' => self.fmt_float(f, bits, b'g', -1),
            c @ (b'b' | b'g' | b'G' | b'x' | b'X') => self.fmt_float(f, bits, c, -1),
            c @ (b'f' | b'e' | b'E') => self.fmt_float(f, bits, c, 6),
            b'F' => self.fmt_float(f, bits, b'f', 6),
            _ => return self.bad_verb(Some(v), verb),
        }
        Ok(())
    }

    /// Text of a string (`v`), or what a method returned.
    fn string(&mut self, v: Option<Val<'_>>, s: &[u8], verb: i32) -> Res<()> {
        match u8::try_from(verb).unwrap_or(0) {
            b'v' if self.f.sharp_v => self.fmt_q(s),
            b'v' | b's' => self.fmt_s(s),
            b'x' => self.fmt_sbx(s, LOWER),
            b'X' => self.fmt_sbx(s, UPPER),
            b'q' => self.fmt_q(s),
            _ => return self.bad_verb(v, verb),
        }
        Ok(())
    }

    fn bytes(&mut self, v: Val<'_>, verb: i32) {
        self.cx.reads_bytes(v);
        let b = v.byte_slice();
        match verb as u8 {
            b's' => self.fmt_s(b),
            b'x' => self.fmt_sbx(b, LOWER),
            b'X' => self.fmt_sbx(b, UPPER),
            _ => self.fmt_q(b),
        }
    }

    fn fmt_pointer(&mut self, v: Val<'_>, verb: i32) -> Res<()> {
        if !matches!(
            v.kind(),
            Kind::Chan | Kind::Func | Kind::Map | Kind::Pointer | Kind::Slice | Kind::UnsafePointer
        ) {
            return self.bad_verb(Some(v), verb);
        }
        let u = match v.kind() {
            // Of a func its code is shown.
            Kind::Func => reflect::code_at(v.pointer()) as u64,
            _ => v.pointer() as u64,
        };
        match u8::try_from(verb).unwrap_or(0) {
            b'v' => {
                if self.f.sharp_v {
                    self.buf.push(b'(');
                    self.put(v.t.string);
                    self.put(")(");
                    if u == 0 {
                        self.put("nil");
                    } else {
                        self.fmt_0x64(u, true);
                    }
                    self.buf.push(b')');
                } else if u == 0 {
                    self.pad(b"<nil>");
                } else {
                    self.fmt_0x64(u, !self.f.sharp);
                }
                Ok(())
            }
            b'p' => {
                self.fmt_0x64(u, !self.f.sharp);
                Ok(())
            }
            b'b' | b'o' | b'd' | b'x' | b'X' => self.integer(v, u, false, verb),
            _ => self.bad_verb(Some(v), verb),
        }
    }

    fn bad_verb(&mut self, v: Option<Val<'_>>, verb: i32) -> Res<()> {
        self.erroring = true;
        self.put("%!");
        self.put_rune(verb);
        self.buf.push(b'(');
        match v {
            Some(v) => {
                self.put(v.t.string);
                self.buf.push(b'=');
                self.print_value(v, 'v' as i32, 0, Access::Open)?;
            }
            None => self.put("<nil>"),
        }
        self.buf.push(b')');
        self.erroring = false;
        Ok(())
    }

    /// Asks the value's methods, if it has any that matter.
    fn handle_methods(&mut self, v: Val<'_>, verb: i32) -> Res<bool> {
        if self.erroring {
            return Ok(false);
        }
        let mut verb = verb;
        if verb == 'w' as i32 {
            if !self.wrap_errs || !has_method(v.t, "Error") {
                self.bad_verb(Some(v), verb)?;
                return Ok(true);
            }
            verb = 'v' as i32;
        }
        if !asks_methods(v.t, verb, self.f.sharp_v) {
            return Ok(false);
        }
        let arg = v.to_iface();
        // callMethod(arg any, verb rune, flags, wid, prec int, panicking bool) (kind int, text
        // string, panicked any)
        let wid = self.f.wid.map_or(-1, |n| n as i64) as u64;
        let prec = self.f.prec.map_or(-1, |n| n as i64) as u64;
        let args = [
            arg.tab() as u64,
            arg.data() as u64,
            verb as i64 as u64,
            self.f.bits(),
            wid,
            prec,
            u64::from(self.panicking),
        ];
        let mut out = [0u64; 5];
        // SAFETY: H1; the words stay where the collector sees them, on this stack.
        let (text, panicked) = unsafe {
            self.cx.call(self.hook, &args, &mut out)?;
            (
                GoStr::from_raw(out[1] as *const u8, out[2] as usize),
                Iface::from_raw(out[3] as usize, out[4] as usize),
            )
        };
        const METHODS: [&str; 4] = ["Format", "GoString", "Error", "String"];
        match out[0] {
            0 => return Ok(false),
            // As the method wrote it.
            1 => self.add(text.as_bytes()),
            // What Error or String returned.
            2 => self.string(Some(v), text.as_bytes(), verb)?,
            // What GoString returned.
            3 => self.fmt_s(text.as_bytes()),
            n => {
                // A panic: `text` was written before.
                self.buf.extend_from_slice(text.as_bytes());
                let mut flags = std::mem::take(&mut self.f);
                self.put("%!");
                self.put_rune(verb);
                self.put("(PANIC=");
                self.put(METHODS.get(n as usize - 4).unwrap_or(&""));
                self.put(" method: ");
                self.panicking = true;
                self.print_arg(panicked, 'v' as i32)?;
                self.panicking = false;
                self.buf.push(b')');
                // In Go the width and the precision stay set, but are zero from here on.
                flags.wid = flags.wid.map(|_| 0);
                flags.prec = flags.prec.map(|_| 0);
                self.f = flags;
            }
        }
        Ok(true)
    }

    fn print_value(&mut self, v: Val<'_>, verb: i32, depth: usize, access: Access) -> Res<()> {
        if let Some(stack) = self.cx.low_stack() {
            // A slice that contains itself ends here, as in Go.
            return stack.with_more(|| self.print_value_here(v, verb, depth, access));
        }
        self.print_value_here(v, verb, depth, access)
    }

    fn print_value_here(&mut self, v: Val<'_>, verb: i32, depth: usize, access: Access) -> Res<()> {
        self.cx.poll();
        if depth > 0 && access == Access::Open && self.handle_methods(v, verb)? {
            return Ok(());
        }
        if !matches!(v.kind(), Kind::Struct | Kind::Array) {
            self.cx.reads_value(v);
        }
        match v.kind() {
            Kind::Invalid => {
                self.put("<invalid reflect.Value>");
                Ok(())
            }
            Kind::Map => self.print_map(v, verb, depth, access),
            Kind::Struct => self.print_struct(v, verb, depth, access),
            Kind::Interface => match v.elem() {
                Some(e) => self.print_value(e, verb, depth + 1, access.below()),
                None => {
                    if self.f.sharp_v {
                        self.put(v.t.string);
                        self.put("(nil)");
                    } else {
                        self.put("<nil>");
                    }
                    Ok(())
                }
            },
            Kind::Array | Kind::Slice => self.print_list(v, verb, depth, access),
            Kind::Pointer => {
                if depth == 0
                    && let Some(e) = v.elem()
                    && matches!(
                        e.kind(),
                        Kind::Array | Kind::Slice | Kind::Struct | Kind::Map
                    )
                {
                    self.buf.push(b'&');
                    return self.print_value(e, verb, depth + 1, access.below());
                }
                self.fmt_pointer(v, verb)
            }
            Kind::Chan | Kind::Func | Kind::UnsafePointer => self.fmt_pointer(v, verb),
            _ => self.print_plain(v, verb),
        }
    }

    fn separator(&mut self, i: usize) {
        if i > 0 {
            self.put(if self.f.sharp_v { ", " } else { " " });
        }
    }

    fn print_map(&mut self, v: Val<'_>, verb: i32, depth: usize, access: Access) -> Res<()> {
        if self.f.sharp_v {
            self.put(v.t.string);
            if v.is_nil() {
                self.put("(nil)");
                return Ok(());
            }
            self.buf.push(b'{');
        } else {
            self.put("map[");
        }
        let work = v.len().saturating_mul(16);
        let entries = fenced!(self.cx, work, || {
            let mut entries = v.map_entries();
            entries.sort_by(|a, b| compare(a.0, b.0));
            entries
        });
        // The entries lie in one object, which a method could cut off the map. This frame holds it.
        let held = entries.first().map(|e| e.0.addr());
        for (i, (k, e)) in entries.into_iter().enumerate() {
            self.separator(i);
            self.print_value(k, verb, depth + 1, access.below())?;
            self.buf.push(b':');
            self.print_value(e, verb, depth + 1, access.below())?;
        }
        std::hint::black_box(held);
        self.buf.push(if self.f.sharp_v { b'}' } else { b']' });
        Ok(())
    }

    fn print_struct(&mut self, v: Val<'_>, verb: i32, depth: usize, access: Access) -> Res<()> {
        if self.f.sharp_v {
            self.put(v.t.string);
        }
        self.buf.push(b'{');
        for (i, field) in v.t.fields.iter().enumerate() {
            self.separator(i);
            if self.f.plus_v || self.f.sharp_v {
                self.put(field.name);
                self.buf.push(b':');
            }
            let mut inner = if access == Access::Closed {
                Access::Closed
            } else {
                Access::Open
            };
            if !field.exported {
                inner = if field.embedded && inner == Access::Open {
                    Access::Embedded
                } else {
                    Access::Closed
                };
            }
            let mut x = v.field(i);
            if x.kind() == Kind::Interface
                && let Some(e) = x.elem()
            {
                x = e;
                inner = inner.below();
            }
            self.print_value(x, verb, depth + 1, inner)?;
        }
        self.buf.push(b'}');
        Ok(())
    }

    fn print_list(&mut self, v: Val<'_>, verb: i32, depth: usize, access: Access) -> Res<()> {
        if v.t.elem().kind == Kind::Uint8
            && matches!(u8::try_from(verb), Ok(b's' | b'q' | b'x' | b'X'))
        {
            self.bytes(v, verb);
            return Ok(());
        }
        let (open, close) = if self.f.sharp_v {
            self.put(v.t.string);
            if v.kind() == Kind::Slice && v.is_nil() {
                self.put("(nil)");
                return Ok(());
            }
            (b'{', b'}')
        } else {
            (b'[', b']')
        };
        self.buf.push(open);
        for i in 0..v.len() {
            self.separator(i);
            self.print_value(v.index(i), verb, depth + 1, access.below())?;
        }
        self.buf.push(close);
        Ok(())
    }
}

fn rune_of(u: u64) -> i32 {
    if u > 0x10_ffff { 0xfffd } else { u as i32 }
}

fn has_method(t: &Rtype, name: &str) -> bool {
    t.methods().iter().any(|m| m.name == name)
}

/// Whether `callMethod` could find something to do.
fn asks_methods(t: &Rtype, verb: i32, sharp_v: bool) -> bool {
    if t.methods().is_empty() {
        return false;
    }
    let text = matches!(u8::try_from(verb), Ok(b'v' | b's' | b'x' | b'X' | b'q'));
    t.methods().iter().any(|m| match m.name {
        "Format" => true,
        "GoString" => sharp_v,
        "Error" | "String" => text && !sharp_v,
        _ => false,
    })
}

/// The order in which map keys are printed.
pub fn compare(a: Val<'_>, b: Val<'_>) -> Ordering {
    if !std::ptr::eq(a.t, b.t) {
        return Ordering::Less;
    }
    let floats = |x: f64, y: f64| {
        x.partial_cmp(&y)
            .unwrap_or_else(|| y.is_nan().cmp(&x.is_nan()))
    };
    match a.kind() {
        Kind::Int | Kind::Int8 | Kind::Int16 | Kind::Int32 | Kind::Int64 => a.int().cmp(&b.int()),
        Kind::Uint | Kind::Uint8 | Kind::Uint16 | Kind::Uint32 | Kind::Uint64 | Kind::Uintptr => {
            a.uint().cmp(&b.uint())
        }
        Kind::String => a.str().as_bytes().cmp(b.str().as_bytes()),
        Kind::Float32 | Kind::Float64 => floats(a.float(), b.float()),
        Kind::Complex64 | Kind::Complex128 => {
            let (x, y) = (a.complex(), b.complex());
            floats(x.0, y.0).then(floats(x.1, y.1))
        }
        Kind::Bool => a.bool().cmp(&b.bool()),
        Kind::Pointer | Kind::UnsafePointer | Kind::Chan => a.pointer().cmp(&b.pointer()),
        Kind::Struct => (0..a.t.fields.len())
            .map(|i| compare(a.field(i), b.field(i)))
            .find(|o| o.is_ne())
            .unwrap_or(Ordering::Equal),
        Kind::Array => (0..a.len())
            .map(|i| compare(a.index(i), b.index(i)))
            .find(|o| o.is_ne())
            .unwrap_or(Ordering::Equal),
        Kind::Interface => match (a.elem(), b.elem()) {
            (None, None) => Ordering::Equal,
            (None, _) => Ordering::Less,
            (_, None) => Ordering::Greater,
            (Some(x), Some(y)) => {
                let types = std::ptr::from_ref(x.t).cmp(&std::ptr::from_ref(y.t));
                types.then_with(|| compare(x, y))
            }
        },
        _ => Ordering::Equal,
    }
}
