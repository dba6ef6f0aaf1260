//! `Printf`: the text of a format, and between each percent sign and its verb the flags,
//! width, precision and index.
//!
//! A width or precision may be an operand (`*`), and an index (`[n]`) may stand before that and
//! before the verb. What is wrong with a directive is said where its operand would have stood.
//!
//! Go: fmt/print.go, doPrintf.

use super::{Flags, Printer};
use bytecode::rtype::Kind;
use vm::native::Res;
use vm::string::decode_rune;
use vm::value::Iface;

/// Widths and precisions beyond this are errors;
/// the first digit that comes behind such a number is one, too.
const TOO_LARGE: i64 = 1_000_000;

/// What is still to do of a format and its operands.
struct Cursor<'f> {
    rest: &'f [u8],
    operands: &'f [Iface],
    /// Index of the operand that is next.
    next: usize,
    /// An index stands right before.
    indexed: bool,
    /// What has been read of this directive's indices makes sense.
    sound: bool,
}

impl Cursor<'_> {
    fn take(&mut self, c: u8) -> bool {
        let found = self.rest.first() == Some(&c);
        if found {
            self.rest = &self.rest[1..];
        }
        found
    }

    fn number(&mut self) -> Option<usize> {
        let value;
        (value, self.rest) = number(self.rest);
        value
    }

    /// Reads an index, if there is one: it is that operand's turn.
    fn index(&mut self) -> bool {
        self.indexed = false;
        let (n, rest) = match self.rest {
            [b'[', inner @ ..] => match memchr::memchr(b']', inner) {
                Some(close) if self.rest.len() > 2 => {
                    (number(&inner[..close]), &inner[close + 1..])
                }
                _ => ((None, inner), inner),
            },
            _ => return false,
        };
        self.rest = rest;
        self.indexed = matches!(n, (Some(_), []));
        match n {
            (Some(n), []) if (1..=self.operands.len()).contains(&n) => self.next = n - 1,
            _ => self.sound = false,
        }
        true
    }

    /// The operand of a `*`, if it is an integer of a sensible size.
    fn star(&mut self) -> Option<i64> {
        self.indexed = false;
        let operand = self.operands.get(self.next)?;
        self.next += 1;
        let v = operand.val()?;
        let n = match v.kind() {
            Kind::Int | Kind::Int8 | Kind::Int16 | Kind::Int32 | Kind::Int64 => v.int(),
            Kind::Uint
            | Kind::Uint8
            | Kind::Uint16
            | Kind::Uint32
            | Kind::Uint64
            | Kind::Uintptr => i64::try_from(v.uint()).ok()?,
            _ => return None,
        };
        (-TOO_LARGE..=TOO_LARGE).contains(&n).then_some(n)
    }
}

/// The decimal number at the start of a text, and what is behind it: nothing if it is too large.
fn number(text: &[u8]) -> (Option<usize>, &[u8]) {
    let size = text.iter().take_while(|c| c.is_ascii_digit()).count();
    let (digits, rest) = text.split_at(size);
    let mut value = 0;
    for c in digits {
        if value > TOO_LARGE as usize {
            return (None, &[]);
        }
        value = value * 10 + usize::from(c - b'0');
    }
    ((size > 0).then_some(value), rest)
}

impl Printer<'_> {
    /// `Printf`.
    pub(crate) fn printf(&mut self, format: &[u8], operands: &[Iface]) -> Res<()> {
        let mut c = Cursor {
            rest: format,
            operands,
            next: 0,
            indexed: false,
            sound: true,
        };
        while let Some(percent) = memchr::memchr(b'%', c.rest) {
            self.add(&c.rest[..percent]);
            c.rest = &c.rest[percent + 1..];
            self.directive(&mut c)?;
        }
        self.add(c.rest);
        // A format that picks operands by index need not use them all.
        match operands.get(c.next..) {
            Some(left) if !left.is_empty() && !self.reordered => self.extra(left),
            _ => Ok(()),
        }
    }

    /// Follows one directive.
    fn directive(&mut self, c: &mut Cursor<'_>) -> Res<()> {
        c.sound = true;
        self.flags(c);
        if !c.rest.first().is_some_and(u8::is_ascii_alphabetic) {
            self.measures(c);
        }
        if c.rest.is_empty() {
            self.put("%!(NOVERB)");
            return Ok(());
        }
        let (verb, size) = decode_rune(c.rest);
        c.rest = &c.rest[size..];
        let problem = if verb == i32::from(b'%') {
            self.buf.push(b'%');
            return Ok(());
        } else if !c.sound {
            "(BADINDEX)"
        } else if let Some(operand) = c.operands.get(c.next) {
            c.next += 1;
            return self.operand(*operand, c.next - 1, verb);
        } else {
            "(MISSING)"
        };
        self.put("%!");
        self.put_rune(verb);
        self.put(problem);
        Ok(())
    }

    fn flags(&mut self, c: &mut Cursor<'_>) {
        self.f = Flags::default();
        loop {
            match c.rest.first() {
                Some(b'#') => self.f.sharp = true,
                Some(b'0') => self.f.zero = true,
                Some(b'+') => self.f.plus = true,
                Some(b'-') => self.f.minus = true,
                Some(b' ') => self.f.space = true,
                _ => return,
            }
            c.rest = &c.rest[1..];
        }
    }

    /// Width, precision, and the index of the operand.
    fn measures(&mut self, c: &mut Cursor<'_>) {
        self.reordered |= c.index();
        if c.take(b'*') {
            if let Some(n) = c.star() {
                self.f.wid = Some(n.unsigned_abs() as usize);
                if n < 0 {
                    self.f.minus = true;
                    self.f.zero = false;
                }
            } else {
                self.put("%!(BADWIDTH)");
            }
        } else {
            self.f.wid = c.number();
            c.sound &= !(c.indexed && self.f.wid.is_some());
        }
        if c.rest.len() > 1 && c.take(b'.') {
            c.sound &= !c.indexed;
            self.reordered |= c.index();
            if c.take(b'*') {
                self.f.prec = c.star().and_then(|n| usize::try_from(n).ok());
                if self.f.prec.is_none() {
                    self.put("%!(BADPREC)");
                }
            } else {
                self.f.prec = Some(c.number().unwrap_or(0));
            }
        }
        if !c.indexed {
            self.reordered |= c.index();
        }
    }

    /// Prints the operand with this number.
    fn operand(&mut self, operand: Iface, number: usize, verb: i32) -> Res<()> {
        let wraps = verb == i32::from(b'w');
        if wraps {
            self.wrapped.push(number as i64);
        }
        if wraps || verb == i32::from(b'v') {
            // Here plus and sharp choose among notations.
            self.f.plus_v = std::mem::take(&mut self.f.plus);
            self.f.sharp_v = std::mem::take(&mut self.f.sharp);
        }
        self.print_arg(operand, verb)
    }

    /// Complains of operands that no directive wants.
    fn extra(&mut self, operands: &[Iface]) -> Res<()> {
        self.f = Flags::default();
        let mut separator = "%!(EXTRA ";
        for x in operands {
            self.put(separator);
            separator = ", ";
            let Some(t) = x.rtype() else {
                self.put("<nil>");
                continue;
            };
            self.put(t.string);
            self.buf.push(b'=');
            self.print_arg(*x, i32::from(b'v'))?;
        }
        self.buf.push(b')');
        Ok(())
    }
}
