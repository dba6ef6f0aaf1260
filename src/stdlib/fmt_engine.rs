//! The engine of `fmt`: formats Go values of any type by verbs and flags.
//!
//! A [`Printer`] walks values through their run-time types. Where a value's type has methods that printing must ask
//! (`Error`, `String`, `GoString`, `Format`) it calls the Go function that came with the arguments, which finds out by
//! type assertions, calls, and catches panics (`callMethod` in fmt.go).
//!
//! Go: fmt/print.go, fmt/format.go, internal/fmtsort.

use std::cmp::Ordering;

use super::strconv_core::{
    append_float, append_quoted, append_quoted_rune, append_uint, can_backquote,
};
use super::unicode::{is_print, make_tables};
use crate::bytecode::rtype::{Kind, Rtype};
use crate::vm::native::{Cx, FuncVal, GoStr, Res};
use crate::vm::string::{decode_rune, encode_rune, rune_count};
use crate::vm::value::{Iface, Val};

/// Width and precision beyond this are errors.
const TOO_LARGE: i64 = 1_000_000;

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
    pub wrap_errs: bool,
    /// Indices of the operands of `%w`.
    pub wrapped: Vec<i64>,
    /// The format used `[n]`.
    pub reordered: bool,
    good_arg: bool,
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
            good_arg: true,
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

    // ---- the three faces

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

    /// `Printf`.
    pub fn printf(&mut self, format: &[u8], a: &[Iface]) -> Res<()> {
        let end = format.len();
        let mut arg = 0usize;
        let mut after_index = false;
        let mut i = 0;
        while i < end {
            self.good_arg = true;
            let next = memchr::memchr(b'%', &format[i..]).map_or(end, |n| i + n);
            self.add(&format[i..next]);
            i = next;
            if i >= end {
                break;
            }
            i += 1;
            self.f = Flags::default();
            let mut done = false;
            while i < end {
                match format[i] {
                    b'#' => self.f.sharp = true,
                    b'0' => self.f.zero = true,
                    b'+' => self.f.plus = true,
                    b'-' => self.f.minus = true,
                    b' ' => self.f.space = true,
                    c @ b'a'..=b'z' if arg < a.len() => {
                        if c == b'w' {
                            self.wrapped.push(arg as i64);
                        }
                        if c == b'w' || c == b'v' {
                            self.v_flags();
                        }
                        self.print_arg(a[arg], i32::from(c))?;
                        arg += 1;
                        i += 1;
                        done = true;
                        break;
                    }
                    _ => break,
                }
                i += 1;
            }
            if done {
                continue;
            }
            (arg, i, after_index) = self.arg_number(arg, format, i, a.len(), after_index);
            if i < end && format[i] == b'*' {
                i += 1;
                let n = int_from_arg(a, &mut arg);
                match n {
                    None => {
                        self.put("%!(BADWIDTH)");
                        self.f.wid = None;
                    }
                    Some(n) => {
                        if n < 0 {
                            self.f.minus = true;
                            self.f.zero = false;
                        }
                        self.f.wid = Some(n.unsigned_abs() as usize);
                    }
                }
                after_index = false;
            } else {
                (self.f.wid, i) = parse_num(format, i, end);
                if after_index && self.f.wid.is_some() {
                    self.good_arg = false;
                }
            }
            if i + 1 < end && format[i] == b'.' {
                i += 1;
                if after_index {
                    self.good_arg = false;
                }
                (arg, i, after_index) = self.arg_number(arg, format, i, a.len(), after_index);
                if i < end && format[i] == b'*' {
                    i += 1;
                    match int_from_arg(a, &mut arg) {
                        Some(n) if n >= 0 => self.f.prec = Some(n as usize),
                        _ => {
                            self.f.prec = None;
                            self.put("%!(BADPREC)");
                        }
                    }
                    after_index = false;
                } else {
                    let n;
                    (n, i) = parse_num(format, i, end);
                    self.f.prec = Some(n.unwrap_or(0));
                }
            }
            if !after_index {
                (arg, i, after_index) = self.arg_number(arg, format, i, a.len(), after_index);
            }
            if i >= end {
                self.put("%!(NOVERB)");
                break;
            }
            let (verb, w) = decode_rune(&format[i..]);
            i += w;
            if verb == '%' as i32 {
                self.buf.push(b'%');
            } else if !self.good_arg {
                self.put("%!");
                self.put_rune(verb);
                self.put("(BADINDEX)");
            } else if arg >= a.len() {
                self.put("%!");
                self.put_rune(verb);
                self.put("(MISSING)");
            } else {
                if verb == 'w' as i32 {
                    self.wrapped.push(arg as i64);
                }
                if verb == 'w' as i32 || verb == 'v' as i32 {
                    self.v_flags();
                }
                self.print_arg(a[arg], verb)?;
                arg += 1;
            }
        }
        if !self.reordered && arg < a.len() {
            self.f = Flags::default();
            self.put("%!(EXTRA ");
            for (i, x) in a[arg..].iter().enumerate() {
                if i > 0 {
                    self.put(", ");
                }
                match x.rtype() {
                    None => self.put("<nil>"),
                    Some(t) => {
                        self.put(t.string);
                        self.buf.push(b'=');
                        self.print_arg(*x, 'v' as i32)?;
                    }
                }
            }
            self.buf.push(b')');
        }
        Ok(())
    }

    fn v_flags(&mut self) {
        self.f.sharp_v = self.f.sharp;
        self.f.sharp = false;
        self.f.plus_v = self.f.plus;
        self.f.plus = false;
    }

    /// Reads `[n]` at `i`, if it is there.
    fn arg_number(
        &mut self,
        arg: usize,
        format: &[u8],
        i: usize,
        n: usize,
        _: bool,
    ) -> (usize, usize, bool) {
        if format.get(i) != Some(&b'[') {
            return (arg, i, false);
        }
        self.reordered = true;
        let rest = &format[i..];
        let close = if rest.len() < 3 {
            None
        } else {
            rest.iter().skip(1).position(|c| *c == b']').map(|p| p + 1)
        };
        let Some(close) = close else {
            self.good_arg = false;
            return (arg, i + 1, false);
        };
        let (num, at) = parse_num(rest, 1, close);
        match num {
            Some(k) if at == close => {
                if k >= 1 && k <= n {
                    return (k - 1, i + close + 1, true);
                }
                self.good_arg = false;
                (arg, i + close + 1, true)
            }
            _ => {
                self.good_arg = false;
                (arg, i + close + 1, false)
            }
        }
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
            if v.t.methods.is_empty() && verb != 'w' as i32 {
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
        if self.handle_methods(v, verb)? {
            return Ok(());
        }
        self.print_value(v, verb, 0, Access::Open)
    }

    /// `%#v` of a `[]byte`.
    fn go_bytes(&mut self, v: Val<'_>) -> Res<()> {
        self.put("[]byte");
        if v.is_nil() {
            self.put("(nil)");
            return Ok(());
        }
        self.buf.push(b'{');
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
        let u = v.pointer() as u64;
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
        // callMethod(arg any, verb rune, flags, wid, prec int, panicking bool) (kind int, text string, panicked any)
        let wid = self.f.wid.map_or(-1, |n| n as i64) as u64;
        let prec = self.f.prec.map_or(-1, |n| n as i64) as u64;
        let args = [
            arg.tab as u64,
            arg.data as u64,
            verb as i64 as u64,
            self.f.bits(),
            wid,
            prec,
            u64::from(self.panicking),
        ];
        let mut out = [0u64; 5];
        self.cx.call(self.hook, &args, &mut out)?;
        let text = GoStr {
            ptr: out[1] as *const u8,
            len: out[2] as usize,
        };
        let panicked = Iface {
            tab: out[3] as usize,
            data: out[4] as usize,
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
                let flags = std::mem::take(&mut self.f);
                self.put("%!");
                self.put_rune(verb);
                self.put("(PANIC=");
                self.put(METHODS.get(n as usize - 4).unwrap_or(&""));
                self.put(" method: ");
                self.panicking = true;
                self.print_arg(panicked, 'v' as i32)?;
                self.panicking = false;
                self.buf.push(b')');
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
        let entries = self.cx.fenced(work, || {
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

    // ---- formats

    fn padding(&mut self, n: usize) {
        let c = if self.f.zero && !self.f.minus {
            b'0'
        } else {
            b' '
        };
        self.buf.resize(self.buf.len() + n, c);
    }

    fn pad(&mut self, b: &[u8]) {
        let Some(wid) = self.f.wid.filter(|w| *w > 0) else {
            self.add(b);
            return;
        };
        let n = wid.saturating_sub(self.cx.fenced(b.len(), || rune_count(b)));
        if self.f.minus {
            self.add(b);
            self.padding(n);
        } else {
            self.padding(n);
            self.add(b);
        }
    }

    /// Pads with spaces whatever the `0` flag says.
    fn pad_space(&mut self, b: &[u8]) {
        let zero = std::mem::replace(&mut self.f.zero, false);
        self.pad(b);
        self.f.zero = zero;
    }

    fn fmt_0x64(&mut self, u: u64, leading: bool) {
        let sharp = std::mem::replace(&mut self.f.sharp, leading);
        self.fmt_integer(u, 16, false, 'v' as i32, LOWER);
        self.f.sharp = sharp;
    }

    fn fmt_integer(&mut self, u: u64, base: u32, signed: bool, verb: i32, digits: &[u8; 17]) {
        let negative = signed && (u as i64) < 0;
        let u = if negative { u.wrapping_neg() } else { u };
        let signs = negative || self.f.plus || self.f.space;
        let mut prec = 0;
        if let Some(p) = self.f.prec {
            prec = p;
            if p == 0 && u == 0 {
                let zero = std::mem::replace(&mut self.f.zero, false);
                self.padding(self.f.wid.unwrap_or(0));
                self.f.zero = zero;
                return;
            }
        } else if self.f.zero
            && !self.f.minus
            && let Some(w) = self.f.wid
        {
            prec = w.saturating_sub(usize::from(signs));
        }
        let mut num = Vec::with_capacity(24);
        append_uint(&mut num, u, base);
        if digits[10] == b'A' {
            num.make_ascii_uppercase();
        }
        let mut b = Vec::with_capacity(num.len().max(prec) + 4);
        if negative {
            b.push(b'-');
        } else if self.f.plus {
            b.push(b'+');
        } else if self.f.space {
            b.push(b' ');
        }
        if verb == 'O' as i32 {
            b.extend_from_slice(b"0o");
        }
        let zeros = prec.saturating_sub(num.len());
        if self.f.sharp {
            match base {
                2 => b.extend_from_slice(b"0b"),
                8 if zeros == 0 && num[0] != b'0' => b.push(b'0'),
                16 => b.extend_from_slice(&[b'0', digits[16]]),
                _ => {}
            }
        }
        b.resize(b.len() + zeros, b'0');
        b.extend_from_slice(&num);
        self.pad_space(&b);
    }

    fn fmt_unicode(&mut self, u: u64) {
        let prec = self.f.prec.unwrap_or(4).max(4);
        let mut b = format!("U+{u:0prec$X}").into_bytes();
        if self.f.sharp && u <= 0x10_ffff && is_print(u as i32) {
            b.extend_from_slice(b" '");
            let mut e = [0; 4];
            let n = encode_rune(&mut e, u as i32);
            b.extend_from_slice(&e[..n]);
            b.push(b'\'');
        }
        self.pad_space(&b);
    }

    fn truncate<'s>(&self, s: &'s [u8]) -> &'s [u8] {
        let Some(prec) = self.f.prec else { return s };
        let mut i = 0;
        for _ in 0..prec {
            if i >= s.len() {
                return s;
            }
            i += decode_rune(&s[i..]).1;
        }
        &s[..i]
    }

    fn fmt_s(&mut self, s: &[u8]) {
        let s = self.truncate(s);
        self.pad(s);
    }

    fn fmt_q(&mut self, s: &[u8]) {
        let s = self.truncate(s);
        let (sharp, plus) = (self.f.sharp, self.f.plus);
        if s.len() > 4 << 10 {
            make_tables();
        }
        let b = self.cx.fenced(s.len(), || {
            let mut b = Vec::with_capacity(s.len() + 2);
            if sharp && can_backquote(s) {
                b.push(b'`');
                b.extend_from_slice(s);
                b.push(b'`');
            } else {
                append_quoted(&mut b, s, b'"', plus, false);
            }
            b
        });
        self.pad(&b);
    }

    fn fmt_sbx(&mut self, s: &[u8], digits: &[u8; 17]) {
        let len = self.f.prec.map_or(s.len(), |p| p.min(s.len()));
        if len == 0 {
            self.padding(self.f.wid.unwrap_or(0));
            return;
        }
        let (sharp, space) = (self.f.sharp, self.f.space);
        let b = self.cx.fenced(len, || {
            let mut b = Vec::with_capacity(2 * len);
            for (i, c) in s[..len].iter().enumerate() {
                if space && i > 0 {
                    b.push(b' ');
                }
                if sharp && (i == 0 || space) {
                    b.extend_from_slice(&[b'0', digits[16]]);
                }
                b.extend_from_slice(&[digits[usize::from(c >> 4)], digits[usize::from(c & 15)]]);
            }
            b
        });
        self.pad(&b);
    }

    fn fmt_float(&mut self, v: f64, bits: u32, verb: u8, prec: i64) {
        let prec = self.f.prec.map_or(prec, |p| p as i64);
        let mut num = Vec::with_capacity(32);
        append_float(&mut num, v, verb, prec, bits);
        if num[0] != b'-' && num[0] != b'+' {
            num.insert(0, b'+');
        }
        if self.f.space && num[0] == b'+' && !self.f.plus {
            num[0] = b' ';
        }
        if num[1] == b'I' || num[1] == b'N' {
            // +Inf keeps its sign, NaN has none unless asked.
            let skip = usize::from(num[1] == b'N' && !self.f.space && !self.f.plus);
            self.pad_space(&num[skip..]);
            return;
        }
        if self.f.sharp && verb != b'b' {
            num = with_point(num, verb, prec);
        }
        if self.f.plus || num[0] != b'+' {
            if self.f.zero
                && !self.f.minus
                && let Some(w) = self.f.wid.filter(|w| *w > num.len())
            {
                self.buf.push(num[0]);
                self.padding(w - num.len());
                self.buf.extend_from_slice(&num[1..]);
                return;
            }
            self.pad(&num);
            return;
        }
        self.pad(&num[1..]);
    }
}

/// The `#` flag on a float: always a decimal point, and for %g no cutting of trailing zeros.
fn with_point(num: Vec<u8>, verb: u8, prec: i64) -> Vec<u8> {
    let mut digits = match verb {
        b'g' | b'G' | b'x' => {
            if prec == -1 {
                6
            } else {
                prec
            }
        }
        _ => 0,
    };
    let mut out = vec![num[0]];
    let mut tail = &[][..];
    let (mut point, mut nonzero) = (false, false);
    for (i, &c) in num.iter().enumerate().skip(1) {
        match c {
            b'.' => point = true,
            b'p' | b'P' => {
                tail = &num[i..];
                break;
            }
            b'e' | b'E' if verb != b'x' && verb != b'X' => {
                tail = &num[i..];
                break;
            }
            _ => {
                nonzero |= c != b'0';
                digits -= i64::from(nonzero);
            }
        }
        out.push(c);
    }
    if !point {
        if out.len() == 2 && out[1] == b'0' {
            digits -= 1;
        }
        out.push(b'.');
    }
    out.resize(out.len() + digits.max(0) as usize, b'0');
    out.extend_from_slice(tail);
    out
}

fn rune_of(u: u64) -> i32 {
    if u > 0x10_ffff { 0xfffd } else { u as i32 }
}

fn has_method(t: &Rtype, name: &str) -> bool {
    t.methods.iter().any(|m| m.name == name)
}

/// Whether `callMethod` could find something to do.
fn asks_methods(t: &Rtype, verb: i32, sharp_v: bool) -> bool {
    if t.methods.is_empty() {
        return false;
    }
    let text = matches!(u8::try_from(verb), Ok(b'v' | b's' | b'x' | b'X' | b'q'));
    t.methods.iter().any(|m| match m.name {
        "Format" => true,
        "GoString" => sharp_v,
        "Error" | "String" => text && !sharp_v,
        _ => false,
    })
}

/// A decimal number at `start`: `None` if there is none, or it is too large (then the end is reached).
fn parse_num(s: &[u8], start: usize, end: usize) -> (Option<usize>, usize) {
    let mut i = start;
    let mut n: i64 = 0;
    while i < end && s[i].is_ascii_digit() {
        if n > TOO_LARGE {
            return (None, end);
        }
        n = n * 10 + i64::from(s[i] - b'0');
        i += 1;
    }
    (
        if i > start { Some(n as usize) } else { None },
        i.max(start.min(end)),
    )
}

/// The operand of `*`.
fn int_from_arg(a: &[Iface], arg: &mut usize) -> Option<i64> {
    let x = a.get(*arg)?;
    *arg += 1;
    let v = x.val()?;
    let n = match v.kind() {
        Kind::Int | Kind::Int8 | Kind::Int16 | Kind::Int32 | Kind::Int64 => v.int(),
        Kind::Uint | Kind::Uint8 | Kind::Uint16 | Kind::Uint32 | Kind::Uint64 | Kind::Uintptr => {
            i64::try_from(v.uint()).ok()?
        }
        _ => return None,
    };
    (-TOO_LARGE..=TOO_LARGE).contains(&n).then_some(n)
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
