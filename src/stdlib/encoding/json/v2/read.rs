//! JSON read into variables.

use std::borrow::Cow;

use bytecode::rtype::{self, Kind, Rtype};
use vm::native::{Cx, Slice};
use vm::place::{Elements, Place};

use super::Wish;
use super::plan::{Node, Plan, What};
use crate::encoding::json::internal::jsonwire::natives::scan::{self, Number, Step, ValueScan};
use crate::encoding::json::internal::jsonwire::natives::tidy;
use crate::strconv::natives::core as text;

/// Deeper values are the Go text's.
const DEEPEST: usize = 200;
/// After so many values others are let run.
const LOOK_EVERY: usize = 4096;

struct Reader<'a> {
    b: &'a [u8],
    n: usize,
    wish: Wish,
    values: usize,
    /// What an `any` gets: objects and arrays.
    object: &'static Rtype,
    array: &'static Rtype,
}

/// Reads the value that `src` begins with, which is not known to be good, into a variable. It gives
/// the length of the value, or how far it came: then the value is not for us, and has to be read
/// once more, into the same variable.
pub fn value(cx: &mut Cx, plan: &Plan, to: Place, src: Slice<u8>, wish: Wish) -> (i64, bool) {
    let b = src.as_slice();
    // SAFETY of the fence: a scan computes.
    let len = vm::fenced!(cx, b.len(), || {
        let mut whole = ValueScan::new(0, Vec::new());
        let validate = !wish.has(Wish::BAD_UTF8);
        match whole.run(b, 0, 1, validate, true) {
            Step::Done(n) if wish.has(Wish::DUPLICATES) || !tidy::has_duplicates(&b[..n]) => n,
            _ => usize::MAX,
        }
    });
    if len == usize::MAX {
        return (b.len() as i64, false);
    }
    let any = rtype::interface_of(Vec::new());
    let mut r = Reader {
        b: &b[..len],
        n: 0,
        wish,
        values: 0,
        object: rtype::map_of(rtype::basic(Kind::String), any).get(),
        array: rtype::slice_of(any).get(),
    };
    let done = r.value(cx, plan, plan.root(), to, 0);
    (r.n as i64, done.is_some())
}

impl<'a> Reader<'a> {
    /// The next byte that is no white space.
    fn peek(&mut self) -> u8 {
        while let Some(b' ' | b'\t' | b'\r' | b'\n') = self.b.get(self.n) {
            self.n += 1;
        }
        self.b.get(self.n).copied().unwrap_or(0)
    }

    fn string(&mut self) -> Option<Cow<'a, [u8]>> {
        let rest = &self.b[self.n..];
        let s = scan::string(rest, 0, false);
        if s.fault.is_some() {
            return None;
        }
        self.n += s.at;
        if s.flags & scan::NON_VERBATIM == 0 {
            return Some(Cow::Borrowed(&rest[1..s.at - 1]));
        }
        let mut out = Vec::with_capacity(s.at);
        scan::unquote(&mut out, &rest[..s.at]);
        Some(Cow::Owned(out))
    }

    fn number(&mut self) -> Option<&'a [u8]> {
        let rest = &self.b[self.n..];
        let Number::Done(w) = scan::number(rest) else {
            return None;
        };
        Some(&rest[..w])
    }

    fn value(
        &mut self,
        cx: &mut Cx,
        plan: &Plan,
        node: &Node,
        to: Place,
        depth: usize,
    ) -> Option<()> {
        self.values += 1;
        if self.values.is_multiple_of(LOOK_EVERY) {
            cx.poll();
        }
        if depth > DEEPEST || cx.low_stack().is_some() {
            return None;
        }
        let depth = depth + 1;
        let merges = self.wish.has(Wish::MERGE);
        let c = self.peek();
        if c == b'n' {
            match node.what {
                What::Any if merges && !to.val().is_nil() => return None,
                What::Any | What::Slice(_) | What::Bytes | What::Map(_) | What::Pointer(_) => {
                    to.set_zero(cx);
                }
                _ if merges => {}
                _ => to.set_zero(cx),
            }
            self.n += 4;
            return Some(());
        }
        match (&node.what, c) {
            (What::Bool, b't' | b'f') => {
                to.set_int(cx, i64::from(c == b't'));
                self.n += if c == b't' { 4 } else { 5 };
            }
            (What::Int, b'-' | b'0'..=b'9') => {
                let s = self.number()?;
                to.set_int(cx, int(s, 8 * to.t.size as u32)?);
                self.n += s.len();
            }
            (What::Uint, b'0'..=b'9') => {
                let s = self.number()?;
                to.set_int(cx, uint(s, 8 * to.t.size as u32)? as i64);
                self.n += s.len();
            }
            (What::Float, b'-' | b'0'..=b'9') => {
                let s = self.number()?;
                to.set_float(cx, float(s, 8 * to.t.size as u32)?);
                self.n += s.len();
            }
            (What::String, b'"') => {
                let s = self.string()?;
                let s = cx.string(&s);
                to.set_str(cx, s);
            }
            (What::Any, _) => {
                cx.reads_value(to.val());
                if !to.val().is_nil() {
                    return None;
                }
                self.any(cx, c, to, depth)?;
            }
            (What::Slice(elem), b'[') => {
                let elem = plan.node(*elem);
                let mut all = to.elements(cx);
                let len = self.elements(cx, &mut all, |r, cx, e, was_there| {
                    if was_there && !merges {
                        e.set_zero(cx);
                    }
                    r.value(cx, plan, elem, e, depth)
                })?;
                to.set_elements(cx, &all, len);
            }
            (What::Array(elem), b'[') => self.array(cx, plan, plan.node(*elem), to, depth)?,
            (What::Map(elem), b'{') => {
                let elem = plan.node(*elem);
                let entries = to.entries(cx);
                if !merges && !entries.is_empty(cx) {
                    return None;
                }
                // Each value is made here and copied.
                let mut scratch: Option<Place> = None;
                self.members(cx, |r, cx, name| {
                    let v = *scratch.get_or_insert_with(|| Place::new(cx, elem.t));
                    v.set_zero(cx);
                    r.value(cx, plan, elem, v, depth)?;
                    let key = cx.string(&name);
                    entries.insert(cx, key, v);
                    Some(())
                })?;
            }
            (What::Pointer(elem), _) => {
                let target = to.target(cx);
                self.value(cx, plan, plan.node(*elem), target, depth)?;
            }
            (What::Struct(fields), b'{') => {
                let mut next = 0;
                self.members(cx, |r, cx, name| {
                    let mut found = fields.find(&name, next);
                    if found.is_none() && r.wish.has(Wish::ANY_CASE) {
                        if !name.is_ascii() {
                            return None;
                        }
                        found = fields.find_any_case(&name);
                    }
                    let Some(i) = found else {
                        return if r.wish.has(Wish::REJECT) {
                            None
                        } else {
                            r.skip()
                        };
                    };
                    next = i + 1;
                    let f = &fields.all[i];
                    let to = f.path.iter().fold(to, |to, &i| to.field(i));
                    r.value(cx, plan, plan.node(f.node), to, depth)
                })?;
            }
            _ => return None,
        }
        Some(())
    }

    /// Passes over a value.
    fn skip(&mut self) -> Option<()> {
        let mut whole = ValueScan::new(0, Vec::new());
        let Step::Done(n) = whole.run(self.b, self.n, 1, false, true) else {
            return None;
        };
        self.n = n;
        Some(())
    }

    /// Has `each` read the values of an object.
    fn members(
        &mut self,
        cx: &mut Cx,
        mut each: impl FnMut(&mut Self, &mut Cx, Cow<'a, [u8]>) -> Option<()>,
    ) -> Option<()> {
        self.n += 1;
        if self.peek() == b'}' {
            self.n += 1;
            return Some(());
        }
        loop {
            self.peek();
            let name = self.string()?;
            self.peek();
            self.n += 1;
            self.peek();
            each(self, cx, name)?;
            let c = self.peek();
            self.n += 1;
            if c == b'}' {
                return Some(());
            }
        }
    }

    /// Has `each` read the elements of an array into those of a slice, and says how many there are.
    fn elements(
        &mut self,
        cx: &mut Cx,
        all: &mut Elements,
        mut each: impl FnMut(&mut Self, &mut Cx, Place, bool) -> Option<()>,
    ) -> Option<usize> {
        self.n += 1;
        let mut i = 0;
        if self.peek() == b']' {
            self.n += 1;
            return Some(0);
        }
        let mut old = all.cap();
        loop {
            if i == all.cap() {
                old = 0;
                if !grow(cx, all, i) {
                    return None;
                }
            }
            each(self, cx, all.get(i), i < old)?;
            i += 1;
            let c = self.peek();
            self.n += 1;
            if c == b']' {
                return Some(i);
            }
        }
    }

    fn array(
        &mut self,
        cx: &mut Cx,
        plan: &Plan,
        elem: &Node,
        to: Place,
        depth: usize,
    ) -> Option<()> {
        let merges = self.wish.has(Wish::MERGE);
        self.n += 1;
        let mut i = 0;
        if self.peek() == b']' {
            self.n += 1;
        } else {
            loop {
                // Whether too many are an error depends on options.
                if i == to.t.len {
                    return None;
                }
                let e = to.index(i);
                if !merges {
                    e.set_zero(cx);
                }
                self.value(cx, plan, elem, e, depth)?;
                i += 1;
                let c = self.peek();
                self.n += 1;
                if c == b']' {
                    break;
                }
            }
        }
        (i == to.t.len).then_some(())
    }

    /// Reads whatever there is into an interface that is nil.
    fn any(&mut self, cx: &mut Cx, c: u8, to: Place, depth: usize) -> Option<()> {
        self.values += 1;
        if self.values.is_multiple_of(LOOK_EVERY) {
            cx.poll();
        }
        if depth > DEEPEST || cx.low_stack().is_some() {
            return None;
        }
        match c {
            b'n' => self.n += 4,
            b't' | b'f' => {
                let v = Place::new(cx, rtype::basic(Kind::Bool).get());
                v.set_int(cx, i64::from(c == b't'));
                to.set_any(cx, v);
                self.n += if c == b't' { 4 } else { 5 };
            }
            b'"' => {
                let s = self.string()?;
                let v = Place::new(cx, rtype::basic(Kind::String).get());
                let s = cx.string(&s);
                v.set_str(cx, s);
                to.set_any(cx, v);
            }
            b'{' => {
                let v = Place::new(cx, self.object);
                let entries = v.entries(cx);
                let elem = self.object.elem();
                let scratch = Place::new(cx, elem);
                self.members(cx, |r, cx, name| {
                    scratch.set_zero(cx);
                    let c = r.peek();
                    r.any(cx, c, scratch, depth + 1)?;
                    let key = cx.string(&name);
                    entries.insert(cx, key, scratch);
                    Some(())
                })?;
                to.set_any(cx, v);
            }
            b'[' => {
                let v = Place::new(cx, self.array);
                let mut all = Elements::none(self.array.elem());
                let len = self.elements(cx, &mut all, |r, cx, e, _| {
                    let c = r.peek();
                    r.any(cx, c, e, depth + 1)
                })?;
                v.set_elements(cx, &all, len);
                to.set_any(cx, v);
            }
            _ => {
                let s = self.number()?;
                let v = Place::new(cx, rtype::basic(Kind::Float64).get());
                v.set_float(cx, float(s, 64)?);
                to.set_any(cx, v);
                self.n += s.len();
            }
        }
        Some(())
    }
}

/// Makes room for more elements; what is done with a full slice is `append`'s affair.
fn grow(cx: &mut Cx, all: &mut Elements, len: usize) -> bool {
    debug_assert!(len == all.cap());
    all.grow(cx)
}

fn uint(s: &[u8], bits: u32) -> Option<u64> {
    let n = s.iter().try_fold(0u64, |n, c| {
        let digit = c.is_ascii_digit().then(|| u64::from(c - b'0'))?;
        n.checked_mul(10)?.checked_add(digit)
    })?;
    (bits == 64 || n >> bits == 0).then_some(n)
}

fn int(s: &[u8], bits: u32) -> Option<i64> {
    let (digits, is_negative) = match s {
        [b'-', digits @ ..] => (digits, true),
        _ => (s, false),
    };
    let n = uint(digits, 64)?;
    let most = 1u64 << (bits - 1);
    if is_negative {
        (n <= most).then(|| (n as i64).wrapping_neg())
    } else {
        (n < most).then_some(n as i64)
    }
}

fn float(s: &[u8], bits: u32) -> Option<f64> {
    match text::parse_float(s, bits) {
        (f, None) => Some(f),
        _ => None,
    }
}
