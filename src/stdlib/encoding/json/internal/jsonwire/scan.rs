//! Where JSON texts begin and end, without a look at what they mean.
//!
//! What is wrong with a text is told by [`Fault`]; which words say so is the Go text's affair.

use vm::string::decode_rune;

/// A string that has escapes, or bad bytes: its text is not what lies between the quotes.
pub const NON_VERBATIM: i64 = 1;
/// A string that is not written as RFC 8785 asks.
pub const NON_CANONICAL: i64 = 2;

/// What ends a scan before its time. The numbers are those of the Go text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// The text ends here.
    End = 1,
    Utf8 = 2,
    Escape = 3,
    Control = 4,
    Start = 5,
    After = 6,
}

/// How far a scan came.
#[derive(Clone, Copy, Debug)]
pub struct Scan {
    /// Behind the token, or where to go on, or where the fault is.
    pub at: usize,
    pub flags: i64,
    pub fault: Option<Fault>,
    /// Bytes of the fault.
    pub len: usize,
}

impl Scan {
    fn ok(at: usize, flags: i64) -> Scan {
        Scan {
            at,
            flags,
            fault: None,
            len: 0,
        }
    }

    fn bad(at: usize, flags: i64, fault: Fault, len: usize) -> Scan {
        Scan {
            at,
            flags,
            fault: Some(fault),
            len,
        }
    }
}

/// Length of the white space at the front.
pub fn space(b: &[u8]) -> usize {
    b.iter()
        .take_while(|c| matches!(c, b' ' | b'\t' | b'\r' | b'\n'))
        .count()
}

/// Bytes that a string has as they are.
static PLAIN: [bool; 256] = {
    let mut plain = [false; 256];
    let mut c = 0x20;
    while c < 0x80 {
        plain[c] = c != b'"' as usize && c != b'\\' as usize;
        c += 1;
    }
    plain
};

const fn hex(c: u8) -> Option<u32> {
    match c {
        b'0'..=b'9' => Some((c - b'0') as u32),
        b'a'..=b'f' => Some((c - b'a') as u32 + 10),
        b'A'..=b'F' => Some((c - b'A') as u32 + 10),
        _ => None,
    }
}

/// The number of four hexadecimal digits.
fn hex4(b: &[u8]) -> Option<u32> {
    let digits = b.get(..4)?;
    digits.iter().try_fold(0, |v, &c| Some(v << 4 | hex(c)?))
}

/// Whether a text that ends too early can be the beginning of `\uXXXX`; with `low`, of the second
/// half of a pair.
fn begins_escape(b: &[u8], low: bool) -> bool {
    b.iter().enumerate().take(6).all(|(i, &c)| match i {
        0 => c == b'\\',
        1 => c == b'u',
        2 if low => matches!(c, b'd' | b'D'),
        3 if low => matches!(c, b'c'..=b'f' | b'C'..=b'F'),
        _ => hex(c).is_some(),
    })
}

fn is_surrogate(r: u32) -> bool {
    (0xd800..0xe000).contains(&r)
}

fn pair(high: u32, low: u32) -> Option<char> {
    let is_pair = (0xd800..0xdc00).contains(&high) && (0xdc00..0xe000).contains(&low);
    is_pair
        .then(|| char::from_u32(0x10000 + ((high - 0xd800) << 10 | (low - 0xdc00))))
        .flatten()
}

/// Whether bytes that are no character lack only more bytes.
pub fn is_cut_short(b: &[u8]) -> bool {
    let need = match b[0] {
        0xc2..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf4 => 4,
        _ => return false,
    };
    if b.len() >= need {
        return false;
    }
    let second = match b[0] {
        0xe0 => 0xa0..=0xbf,
        0xed => 0x80..=0x9f,
        0xf0 => 0x90..=0xbf,
        0xf4 => 0x80..=0x8f,
        _ => 0x80..=0xbf,
    };
    let mut rest = b[1..].iter();
    rest.next().is_none_or(|c| second.contains(c)) && rest.all(|c| (0x80..=0xbf).contains(c))
}

/// A quoted string at the front of `b`, of which the first `from` bytes have been looked at.
pub fn string(b: &[u8], from: usize, validate: bool) -> Scan {
    let (mut n, mut flags) = (from, 0);
    if n == 0 {
        match b.first() {
            None => return Scan::bad(0, 0, Fault::End, 0),
            Some(b'"') => n = 1,
            Some(_) => return Scan::bad(0, 0, Fault::Start, 0),
        }
    }
    loop {
        while n < b.len() && PLAIN[b[n] as usize] {
            n += 1;
        }
        let Some(&c) = b.get(n) else {
            return Scan::bad(n, flags, Fault::End, 0);
        };
        match c {
            b'"' => return Scan::ok(n + 1, flags),
            b'\\' => {
                flags |= NON_VERBATIM;
                match b.get(n + 1) {
                    None => return Scan::bad(n, flags, Fault::End, 0),
                    Some(b'/') => {
                        flags |= NON_CANONICAL;
                        n += 2;
                    }
                    Some(b'"' | b'\\' | b'b' | b'f' | b'n' | b'r' | b't') => n += 2,
                    Some(b'u') => {
                        if b.len() < n + 6 {
                            if begins_escape(&b[n..], false) {
                                return Scan::bad(n, flags, Fault::End, 0);
                            }
                            let len = b.len() - n;
                            return Scan::bad(n, flags | NON_CANONICAL, Fault::Escape, len);
                        }
                        let Some(high) = hex4(&b[n + 2..]) else {
                            return Scan::bad(n, flags | NON_CANONICAL, Fault::Escape, 6);
                        };
                        let upper = b[n + 2..n + 6].iter().any(|c| matches!(c, b'A'..=b'F'));
                        if high >= 0x20 || matches!(high, 8 | 9 | 10 | 12 | 13) || upper {
                            flags |= NON_CANONICAL;
                        }
                        let start = n;
                        n += 6;
                        if !validate || !is_surrogate(high) {
                            continue;
                        }
                        if b.len() < n + 6 {
                            if begins_escape(&b[n..], true) {
                                return Scan::bad(start, flags, Fault::End, 0);
                            }
                            return Scan::bad(start, flags, Fault::Escape, b.len() - start);
                        }
                        let low = hex4(&b[n + 2..]).filter(|_| b[n] == b'\\' && b[n + 1] == b'u');
                        if low.and_then(|low| pair(high, low)).is_none() {
                            return Scan::bad(start, flags, Fault::Escape, 12);
                        }
                        n += 6;
                    }
                    Some(_) => return Scan::bad(n, flags | NON_CANONICAL, Fault::Escape, 2),
                }
            }
            0..=0x1f => {
                return Scan::bad(n, flags | NON_VERBATIM | NON_CANONICAL, Fault::Control, 1);
            }
            _ => {
                let (_, width) = decode_rune(&b[n..]);
                if width > 1 {
                    n += width;
                    continue;
                }
                if is_cut_short(&b[n..]) {
                    return Scan::bad(n, flags, Fault::End, 0);
                }
                flags |= NON_VERBATIM | NON_CANONICAL;
                if validate {
                    return Scan::bad(n, flags, Fault::Utf8, 1);
                }
                n += 1;
            }
        }
    }
}

/// Appends the text of a quoted string that is all of `b`. The scan tells what is wrong: what could
/// be mended is told last.
pub fn unquote(out: &mut Vec<u8>, b: &[u8]) -> Scan {
    match b.first() {
        None => return Scan::bad(0, 0, Fault::End, 0),
        Some(b'"') => {}
        Some(_) => return Scan::bad(0, 0, Fault::Start, 0),
    }
    let (mut i, mut n) = (1, 1);
    let mut mended = Scan::ok(0, 0);
    let replace = |out: &mut Vec<u8>| out.extend_from_slice("\u{fffd}".as_bytes());
    loop {
        while n < b.len() && PLAIN[b[n] as usize] {
            n += 1;
        }
        let Some(&c) = b.get(n) else {
            out.extend_from_slice(&b[i..n]);
            return Scan::bad(n, 0, Fault::End, 0);
        };
        match c {
            b'"' => {
                out.extend_from_slice(&b[i..n]);
                n += 1;
                if n < b.len() {
                    return Scan::bad(n, 0, Fault::After, 0);
                }
                return Scan {
                    at: if mended.fault.is_some() { mended.at } else { n },
                    ..mended
                };
            }
            b'\\' => {
                out.extend_from_slice(&b[i..n]);
                let Some(&e) = b.get(n + 1) else {
                    return Scan::bad(n, 0, Fault::End, 0);
                };
                match e {
                    b'"' | b'\\' | b'/' => out.push(e),
                    b'b' => out.push(8),
                    b'f' => out.push(12),
                    b'n' => out.push(b'\n'),
                    b'r' => out.push(b'\r'),
                    b't' => out.push(b'\t'),
                    b'u' => {
                        if b.len() < n + 6 {
                            if begins_escape(&b[n..], false) {
                                return Scan::bad(n, 0, Fault::End, 0);
                            }
                            return Scan::bad(n, 0, Fault::Escape, b.len() - n);
                        }
                        let Some(high) = hex4(&b[n + 2..]) else {
                            return Scan::bad(n, 0, Fault::Escape, 6);
                        };
                        let start = n;
                        n += 6;
                        i = n;
                        if !is_surrogate(high) {
                            let c = char::from_u32(high).unwrap_or('\u{fffd}');
                            out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                            continue;
                        }
                        if b.len() < n + 6 {
                            replace(out);
                            if begins_escape(&b[n..], true) {
                                return Scan::bad(n, 0, Fault::End, 0);
                            }
                            mended = Scan::bad(start, 0, Fault::Escape, b.len() - start);
                            continue;
                        }
                        let low = hex4(&b[n + 2..]).filter(|_| b[n] == b'\\' && b[n + 1] == b'u');
                        match low.and_then(|low| pair(high, low)) {
                            Some(c) => {
                                out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                                n += 6;
                                i = n;
                            }
                            None => {
                                replace(out);
                                mended = Scan::bad(start, 0, Fault::Escape, 12);
                            }
                        }
                        continue;
                    }
                    _ => return Scan::bad(n, 0, Fault::Escape, 2),
                }
                n += 2;
                i = n;
            }
            0..=0x1f => {
                out.extend_from_slice(&b[i..n]);
                return Scan::bad(n, 0, Fault::Control, 1);
            }
            _ => {
                let (_, width) = decode_rune(&b[n..]);
                if width > 1 {
                    n += width;
                    continue;
                }
                out.extend_from_slice(&b[i..n]);
                if is_cut_short(&b[n..]) {
                    return Scan::bad(n, 0, Fault::End, 0);
                }
                replace(out);
                n += 1;
                i = n;
                mended = Scan::bad(n - 1, 0, Fault::Utf8, 1);
            }
        }
    }
}

/// How strings are written.
#[derive(Clone, Copy, Debug)]
pub struct Escapes {
    pub html: bool,
    pub js: bool,
}

/// Bytes that may have to be escaped.
static MARKED: [bool; 256] = {
    let mut marked = [false; 256];
    let mut c = 0;
    while c < 256 {
        marked[c] = c < 0x20 || c >= 0x80 || matches!(c as u8, b'"' | b'\\' | b'<' | b'>' | b'&');
        c += 1;
    }
    marked
};

fn escape_unit(out: &mut Vec<u8>, c: u32) {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    out.extend_from_slice(b"\\u");
    out.extend([12, 8, 4, 0].map(|by| HEX[(c >> by) as usize & 15]));
}

fn escape_ascii(out: &mut Vec<u8>, c: u8) {
    match c {
        b'"' | b'\\' => out.extend([b'\\', c]),
        8 => out.extend_from_slice(b"\\b"),
        12 => out.extend_from_slice(b"\\f"),
        b'\n' => out.extend_from_slice(b"\\n"),
        b'\r' => out.extend_from_slice(b"\\r"),
        b'\t' => out.extend_from_slice(b"\\t"),
        _ => escape_unit(out, c.into()),
    }
}

/// Appends `s` in quotes; false: it is no UTF-8, and was mended.
pub fn quote(out: &mut Vec<u8>, s: &[u8], how: Escapes) -> bool {
    out.reserve(s.len() + 2);
    out.push(b'"');
    let (mut i, mut n, mut good) = (0, 0, true);
    loop {
        while n < s.len() && !MARKED[s[n] as usize] {
            n += 1;
        }
        let Some(&c) = s.get(n) else { break };
        if c < 0x80 {
            if how.html || !matches!(c, b'<' | b'>' | b'&') {
                out.extend_from_slice(&s[i..n]);
                escape_ascii(out, c);
                i = n + 1;
            }
            n += 1;
            continue;
        }
        let (r, width) = decode_rune(&s[n..]);
        if width == 1 {
            out.extend_from_slice(&s[i..n]);
            out.extend_from_slice("\u{fffd}".as_bytes());
            i = n + 1;
            good = false;
        } else if how.js && matches!(r, 0x2028 | 0x2029) {
            out.extend_from_slice(&s[i..n]);
            escape_unit(out, r as u32);
            i = n + width;
        }
        n += width;
    }
    out.extend_from_slice(&s[i..]);
    out.push(b'"');
    good
}

/// Appends the quoted string `b` with what `how` wants escaped, otherwise as it is.
pub fn escape_raw(out: &mut Vec<u8>, b: &[u8], how: Escapes) {
    let (mut i, mut n) = (0, 0);
    while let Some(&c) = b.get(n) {
        if c < 0x80 {
            if how.html && matches!(c, b'<' | b'>' | b'&') {
                out.extend_from_slice(&b[i..n]);
                escape_ascii(out, c);
                i = n + 1;
            }
            n += 1;
            continue;
        }
        let (r, width) = decode_rune(&b[n..]);
        if how.js && matches!(r, 0x2028 | 0x2029) {
            out.extend_from_slice(&b[i..n]);
            escape_unit(out, r as u32);
            i = n + width;
        }
        n += width;
    }
    out.extend_from_slice(&b[i..]);
}

/// Whether a string with this text might have to be written with escapes.
pub fn need_escape(s: &[u8]) -> bool {
    let mut n = 0;
    while let Some(&c) = s.get(n) {
        if c < 0x80 {
            if MARKED[c as usize] {
                return true;
            }
            n += 1;
            continue;
        }
        let (r, width) = decode_rune(&s[n..]);
        if matches!(r, 0xfffd | 0x2028 | 0x2029) {
            return true;
        }
        n += width;
    }
    false
}

/// How a number at the front of a text ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Number {
    /// Behind it, and more digits could follow if the text went on.
    Done(usize),
    /// The text ends within it; where its last part begins.
    End(usize),
    /// Here a digit is missing.
    Bad(usize),
}

/// The number at the front of `b`.
pub fn number(b: &[u8]) -> Number {
    let digits = |mut n: usize| {
        while n < b.len() && b[n].is_ascii_digit() {
            n += 1;
        }
        n
    };
    let mut n = usize::from(b.first() == Some(&b'-'));
    match b.get(n) {
        None => return Number::End(0),
        Some(b'0') => n += 1,
        Some(b'1'..=b'9') => n = digits(n),
        Some(_) => return Number::Bad(n),
    }
    if b.get(n) == Some(&b'.') {
        let start = n;
        match b.get(n + 1) {
            None => return Number::End(start),
            Some(b'0'..=b'9') => n = digits(n + 1),
            Some(_) => return Number::Bad(n + 1),
        }
    }
    if let Some(b'e' | b'E') = b.get(n) {
        let start = n;
        n += 1;
        if let Some(b'+' | b'-') = b.get(n) {
            n += 1;
        }
        match b.get(n) {
            None => return Number::End(start),
            Some(b'0'..=b'9') => n = digits(n),
            Some(_) => return Number::Bad(n),
        }
    }
    Number::Done(n)
}

/// Arrays and objects may be nested so deeply.
pub const DEEPEST: usize = 10000;

/// What a scan of a value expects next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
enum Next {
    Value,
    /// A value or the end of the array.
    First,
    /// A name or the end of the object.
    FirstName,
    Name,
    Colon,
    /// A comma or the end.
    After,
    /// More of a string that is a value, or a name.
    InString,
    InName,
}

const NEXT: [Next; 8] = [
    Next::Value,
    Next::First,
    Next::FirstName,
    Next::Name,
    Next::Colon,
    Next::After,
    Next::InString,
    Next::InName,
];

/// A scan of a value that can go on when there is more of the text.
#[derive(Debug)]
pub struct ValueScan {
    next: Next,
    /// Of a string that is all of the value.
    pub flags: i64,
    /// The arrays (0) and objects (1) that it is in.
    pub open: Vec<u8>,
}

/// How far the scan of a value came.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    Done(usize),
    /// Where to go on, given more.
    More(usize),
    Bad,
}

impl ValueScan {
    /// One that has come to `state`, as [`ValueScan::state`] has given it; 0 for a new one.
    pub fn new(state: i64, open: Vec<u8>) -> ValueScan {
        let next = NEXT[(state & 7) as usize];
        ValueScan {
            next,
            flags: state >> 3,
            open,
        }
    }

    pub fn state(&self) -> i64 {
        self.next as i64 | self.flags << 3
    }

    /// Goes on at `at`. `depth` levels are open around the value; `last`: no more text will come.
    pub fn run(&mut self, b: &[u8], at: usize, depth: usize, validate: bool, last: bool) -> Step {
        let mut n = at;
        let more = |n| if last { Step::Bad } else { Step::More(n) };
        loop {
            if !matches!(self.next, Next::InString | Next::InName) {
                n += space(&b[n..]);
                if n == b.len() {
                    return more(n);
                }
            }
            match self.next {
                Next::InString | Next::InName => {
                    // The opening quote has been seen, so there is something before `n`.
                    let s = string(&b[n - 1..], 1, validate);
                    if self.open.is_empty() {
                        self.flags |= s.flags;
                    }
                    match s.fault {
                        Some(Fault::End) => return more(n - 1 + s.at),
                        Some(_) => return Step::Bad,
                        None => n = n - 1 + s.at,
                    }
                    let is_name = self.next == Next::InName;
                    self.next = if is_name { Next::Colon } else { Next::After };
                }
                Next::Name | Next::FirstName => match b[n] {
                    b'"' => {
                        n += 1;
                        self.next = Next::InName;
                        continue;
                    }
                    b'}' if self.next == Next::FirstName => {
                        n += 1;
                        self.open.pop();
                        self.next = Next::After;
                    }
                    _ => return Step::Bad,
                },
                Next::Colon => {
                    if b[n] != b':' {
                        return Step::Bad;
                    }
                    n += 1;
                    self.next = Next::Value;
                    continue;
                }
                Next::After => {
                    let in_object = self.open.last() == Some(&1);
                    match b[n] {
                        b',' => self.next = if in_object { Next::Name } else { Next::Value },
                        b'}' if in_object => {
                            self.open.pop();
                        }
                        b']' if !in_object => {
                            self.open.pop();
                        }
                        _ => return Step::Bad,
                    }
                    n += 1;
                    if self.next != Next::After {
                        continue;
                    }
                }
                Next::Value | Next::First => {
                    let lit: &[u8] = match b[n] {
                        b'"' => {
                            n += 1;
                            self.next = Next::InString;
                            continue;
                        }
                        b'{' | b'[' => {
                            if depth + self.open.len() > DEEPEST {
                                return Step::Bad;
                            }
                            let is_object = b[n] == b'{';
                            self.open.push(is_object.into());
                            self.next = if is_object {
                                Next::FirstName
                            } else {
                                Next::First
                            };
                            n += 1;
                            continue;
                        }
                        b']' if self.next == Next::First => {
                            n += 1;
                            self.open.pop();
                            self.next = Next::After;
                            if self.open.is_empty() {
                                return Step::Done(n);
                            }
                            continue;
                        }
                        b'n' => b"null",
                        b't' => b"true",
                        b'f' => b"false",
                        b'-' | b'0'..=b'9' => {
                            match number(&b[n..]) {
                                Number::Done(w) if n + w < b.len() || last => n += w,
                                Number::Bad(_) => return Step::Bad,
                                _ => return more(n),
                            }
                            b""
                        }
                        _ => return Step::Bad,
                    };
                    let here = &b[n..b.len().min(n + lit.len())];
                    if here != lit {
                        return if lit.starts_with(here) {
                            more(n)
                        } else {
                            Step::Bad
                        };
                    }
                    n += lit.len();
                    self.next = Next::After;
                }
            }
            if self.open.is_empty() {
                return Step::Done(n);
            }
        }
    }
}
