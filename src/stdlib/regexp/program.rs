//! Programs of regular expressions as the engines read them.
//!
//! Package regexp hands over Go's program as numbers ([`Program::new`]). The engines read
//! characters, not bytes: what is no UTF-8 is U+FFFD, one byte long, as Go has it. Which characters
//! the program cannot tell apart is worked out once; the automata count in these *classes*.
//!
//! Go: regexp/syntax/prog.go.

use rustc_hash::FxHashMap;

/// An instruction.
#[derive(Clone, Copy, Debug)]
pub(super) enum Inst {
    /// Goes on with the first, or else with the second.
    Alt(u32, u32),
    /// Notes the position in a slot.
    Capture(u32, u32),
    /// Goes on where conditions hold.
    Empty(u8, u32),
    /// Goes on behind a character of a set.
    Set(u32, u32),
    Match,
    Fail,
    Nop(u32),
}

/// A set of characters: those of ASCII as bits, all as ranges in order.
#[derive(Debug)]
pub(super) struct Set {
    ascii: u128,
    ranges: Vec<(u32, u32)>,
}

impl Set {
    #[inline]
    pub(super) fn has(&self, c: u32) -> bool {
        if c < 128 {
            return self.ascii >> c & 1 != 0;
        }
        let i = self.ranges.partition_point(|r| r.1 < c);
        self.ranges.get(i).is_some_and(|r| r.0 <= c)
    }
}

/// What there is at one side of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(super) enum Side {
    /// Nothing: the text ends there.
    Edge,
    Newline,
    Word,
    Other,
}

impl Side {
    fn of(c: u32) -> Side {
        match u8::try_from(c) {
            Ok(b'\n') => Side::Newline,
            Ok(c) if c == b'_' || c.is_ascii_alphanumeric() => Side::Word,
            _ => Side::Other,
        }
    }
}

const BEGIN_LINE: u8 = 1;
const END_LINE: u8 = 2;
const BEGIN_TEXT: u8 = 4;
const END_TEXT: u8 = 8;
const BOUNDARY: u8 = 16;
const NO_BOUNDARY: u8 = 32;

/// The conditions that hold between two sides. Go: syntax.EmptyOpContext.
pub(super) fn conditions(left: Side, right: Side) -> u8 {
    let is_boundary = (left == Side::Word) != (right == Side::Word);
    let of = |side, at_edge: u8, at_newline: u8| match side {
        Side::Edge => at_edge | at_newline,
        Side::Newline => at_newline,
        _ => 0,
    };
    of(left, BEGIN_TEXT, BEGIN_LINE)
        | of(right, END_TEXT, END_LINE)
        | if is_boundary { BOUNDARY } else { NO_BOUNDARY }
}

/// The conditions at a position of a text.
pub(super) fn conditions_at(text: &[u8], at: usize) -> u8 {
    conditions(side_before(text, at), side_behind(text, at))
}

pub(super) fn side_before(text: &[u8], at: usize) -> Side {
    match at {
        0 => Side::Edge,
        // Only ASCII matters.
        _ => Side::of(u32::from(text[at - 1])),
    }
}

pub(super) fn side_behind(text: &[u8], at: usize) -> Side {
    text.get(at).map_or(Side::Edge, |b| Side::of(u32::from(*b)))
}

/// What stands for bytes that are no UTF-8.
const BAD: u32 = 0xfffd;

/// The character at the start of `b`, which is not empty, and its length.
#[inline]
pub(super) fn decode(b: &[u8]) -> (u32, usize) {
    let first = b[0];
    if first < 0x80 {
        return (u32::from(first), 1);
    }
    let next = |i: usize, lo: u8, hi: u8| match b.get(i) {
        Some(c) if (lo..=hi).contains(c) => Some(u32::from(*c & 0x3f)),
        _ => None,
    };
    let lead = u32::from(first);
    let long = || match first {
        0xc2..=0xdf => Some(((lead & 0x1f) << 6 | next(1, 0x80, 0xbf)?, 2)),
        0xe0..=0xef => {
            let lo = if first == 0xe0 { 0xa0 } else { 0x80 };
            let hi = if first == 0xed { 0x9f } else { 0xbf };
            let c = (lead & 0xf) << 12 | next(1, lo, hi)? << 6 | next(2, 0x80, 0xbf)?;
            Some((c, 3))
        }
        0xf0..=0xf4 => {
            let lo = if first == 0xf0 { 0x90 } else { 0x80 };
            let hi = if first == 0xf4 { 0x8f } else { 0xbf };
            let c = (lead & 7) << 18 | next(1, lo, hi)? << 12;
            Some((c | next(2, 0x80, 0xbf)? << 6 | next(3, 0x80, 0xbf)?, 4))
        }
        _ => None,
    };
    long().unwrap_or((BAD, 1))
}

/// The character at the end of `b`, which is not empty, and its length.
pub(super) fn decode_last(b: &[u8]) -> (u32, usize) {
    let n = b.len();
    if b[n - 1] < 0x80 {
        return (u32::from(b[n - 1]), 1);
    }
    for len in 2..=n.min(4) {
        if b[n - len] & 0xc0 != 0x80 {
            let (c, width) = decode(&b[n - len..]);
            if width == len {
                return (c, len);
            }
            break;
        }
    }
    (BAD, 1)
}

/// Classes of characters that no set of the program tells apart.
#[derive(Debug, Default)]
pub(super) struct Classes {
    /// Of the characters up to U+07FF.
    low: Vec<u32>,
    /// Where the class changes, and which begins there.
    starts: Vec<u32>,
    class: Vec<u32>,
    /// A character of each class, and its side.
    pub(super) sample: Vec<u32>,
    pub(super) side: Vec<Side>,
}

const LOW: u32 = 0x800;
const END: u32 = 0x11_0000;

/// With more steps than this, classes are not joined.
const MUCH: usize = 20_000_000;

impl Classes {
    fn new(sets: &[Set], has_conditions: bool) -> Classes {
        let mut starts = vec![0, 0x80, LOW, END];
        for set in sets {
            starts.extend(set.ranges.iter().flat_map(|r| [r.0, r.1 + 1]));
        }
        if has_conditions {
            for c in 0..0x80 {
                if Side::of(c) != Side::of(c + 1) {
                    starts.push(c + 1);
                }
            }
        }
        starts.sort_unstable();
        starts.dedup();
        starts.pop();
        // Characters that are in the same sets are in the same class.
        let mut class: Vec<u32> = vec![0; starts.len()];
        if sets.len().saturating_mul(starts.len()) > MUCH {
            class = (0..starts.len() as u32).collect();
        } else {
            let mut count = 1;
            let mut new: FxHashMap<u32, u32> = FxHashMap::default();
            let mut split = |class: &mut [u32], ranges: &mut dyn Iterator<Item = (u32, u32)>| {
                new.clear();
                for (lo, hi) in ranges {
                    let from = starts.partition_point(|s| *s < lo);
                    let to = starts.partition_point(|s| *s <= hi);
                    for c in &mut class[from..to] {
                        *c = *new.entry(*c).or_insert_with(|| {
                            count += 1;
                            count - 1
                        });
                    }
                }
            };
            for set in sets {
                split(&mut class, &mut set.ranges.iter().copied());
            }
            if has_conditions {
                for side in [Side::Newline, Side::Word] {
                    let all = (0..128).filter(|c| Side::of(*c) == side);
                    let own = all.filter(|c| starts.binary_search(c).is_ok());
                    split(&mut class, &mut own.map(|c| (c, c)));
                }
            }
        }
        // Numbered anew, for splitting leaves gaps.
        let mut numbers: FxHashMap<u32, u32> = FxHashMap::default();
        let mut all = Classes::default();
        for (start, c) in starts.iter().zip(&mut class) {
            *c = *numbers.entry(*c).or_insert_with(|| {
                all.sample.push(*start);
                all.side.push(Side::of(*start));
                all.sample.len() as u32 - 1
            });
        }
        let mut i = 0;
        for c in 0..LOW {
            while starts.get(i + 1).is_some_and(|s| *s <= c) {
                i += 1;
            }
            all.low.push(class[i]);
        }
        all.starts = starts;
        all.class = class;
        all
    }

    pub(super) fn len(&self) -> usize {
        self.sample.len()
    }

    #[inline]
    pub(super) fn of(&self, c: u32) -> u32 {
        match self.low.get(c as usize) {
            Some(class) => *class,
            None => self.class[self.starts.partition_point(|s| *s <= c) - 1],
        }
    }
}

/// A program.
#[derive(Debug)]
pub(super) struct Program {
    pub(super) insts: Vec<Inst>,
    pub(super) start: u32,
    pub(super) sets: Vec<Set>,
    pub(super) classes: Classes,
    pub(super) has_conditions: bool,
    /// Matches begin where the text does.
    pub(super) is_anchored: bool,
    /// There is no match.
    pub(super) is_impossible: bool,
    /// What each match begins with.
    pub(super) prefix: Option<memchr::memmem::Finder<'static>>,
    /// That is all of it.
    pub(super) is_literal: bool,
    pub(super) longest: bool,
}

impl Program {
    /// Of the numbers that `encode` in regexp.go makes: the start, what is said of matches, the
    /// prefix, the sets, the instructions.
    pub(super) fn new(code: &[u32], longest: bool) -> Program {
        let mut at = 0;
        let mut next = || {
            at += 1;
            code[at - 1]
        };
        let (start, says) = (next(), next());
        let prefix: Vec<u8> = (0..next()).map(|_| next() as u8).collect();
        let sets: Vec<Set> = (0..next())
            .map(|_| {
                let ranges: Vec<(u32, u32)> = (0..next()).map(|_| (next(), next())).collect();
                let mut ascii = 0u128;
                for (lo, hi) in &ranges {
                    for c in *lo..=(*hi).min(127) {
                        ascii |= 1 << c;
                    }
                }
                Set { ascii, ranges }
            })
            .collect();
        let insts: Vec<Inst> = (0..next())
            .map(|_| match (next(), next(), next()) {
                (0 | 1, out, arg) => Inst::Alt(out, arg),
                (2, out, arg) => Inst::Capture(arg, out),
                (3, out, arg) => Inst::Empty(arg as u8, out),
                (4, ..) => Inst::Match,
                (6, out, _) => Inst::Nop(out),
                (7.., out, arg) => Inst::Set(arg, out),
                _ => Inst::Fail,
            })
            .collect();
        let has_conditions = insts.iter().any(|i| matches!(i, Inst::Empty(..)));
        Program {
            classes: Classes::new(&sets, has_conditions),
            insts,
            start,
            sets,
            has_conditions,
            is_anchored: says & 1 != 0,
            is_impossible: says & 2 != 0,
            is_literal: says & 4 != 0,
            prefix: (!prefix.is_empty()).then(|| memchr::memmem::Finder::new(&prefix).into_owned()),
            longest,
        }
    }

    /// A search can go from one prefix to the next.
    pub(super) fn is_skipping(&self) -> bool {
        self.prefix.is_some() && !self.is_anchored
    }

    /// Memory that it takes, about.
    pub(super) fn bytes(&self) -> usize {
        let ranges: usize = self.sets.iter().map(|s| s.ranges.len()).sum();
        self.insts.len() * 12
            + ranges * 8
            + self.sets.len() * 48
            + self.classes.starts.len() * 8
            + 16 * 1024
    }
}
