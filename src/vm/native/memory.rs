//! What natives do to memory that is handed to them: for the detector of races.
//!
//! Slices and what typed pointers point to are read, unless a word says something else. Where the
//! type of a parameter does not say how far its memory reaches, a word is compulsory.

use super::signature::Span;
use crate::value::Val;
use bytecode::rtype::Kind;
use bytecode::touch::is_same;
use gosched_runtime::race;

/// What the words of a native say of its parameters: a bit for each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Says {
    /// It writes the whole of them.
    alters: u32,
    /// It does nothing to their memory, or to what is the library's own and never written to.
    untouched: u32,
    /// It tells itself what it does to their memory ([`Cx::touches`](super::Cx::touches)).
    follows: u32,
}

impl Says {
    pub const NOTHING: Says = Says {
        alters: 0,
        untouched: 0,
        follows: 0,
    };
    /// All parameters.
    pub const ALL: u32 = u32::MAX;

    /// The bit of a parameter.
    pub const fn parameter(names: &[&str], name: &str) -> u32 {
        let mut k = 0;
        while k < names.len() {
            if is_same(names[k], name) {
                return 1 << k;
            }
            k += 1;
        }
        panic!("a word is of no parameter")
    }

    pub const fn alters(self, parameters: u32) -> Says {
        let alters = self.alters | parameters;
        Says { alters, ..self }
    }

    pub const fn untouched(self, parameters: u32) -> Says {
        let untouched = self.untouched | parameters;
        Says { untouched, ..self }
    }

    pub const fn follows(self, parameters: u32) -> Says {
        let follows = self.follows | parameters;
        Says { follows, ..self }
    }

    /// Is there a word for parameter number `k`?
    pub fn is_said(self, k: usize) -> bool {
        (self.alters | self.untouched | self.follows) >> k & 1 == 1
    }

    /// What the native does to the memory of its parameters, whose places and spans are given.
    pub fn handed(self, spans: &[(usize, Span)]) -> Box<[Handed]> {
        let handed = |(k, &(slot, span)): (usize, &(usize, Span))| {
            let alters = self.alters >> k & 1 == 1;
            let is_told = (self.untouched | self.follows) >> k & 1 == 0;
            let is_known = !matches!(span, Span::Nothing | Span::Unknown);
            (is_known && is_told).then_some(Handed { slot, span, alters })
        };
        spans.iter().enumerate().filter_map(handed).collect()
    }
}

/// A parameter whose memory is touched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Handed {
    /// Its place among the slots of parameters.
    pub slot: usize,
    pub span: Span,
    /// It is written, else read.
    pub alters: bool,
}

/// What a native has read where it could not tell the detector: it does so when it can
/// ([`Cx::saw`](super::Cx::saw)).
#[derive(Debug)]
pub struct Seen {
    is_on: bool,
    pub(super) pieces: Vec<(usize, usize)>,
}

impl Seen {
    /// Nothing yet, and never anything without a detector.
    #[expect(clippy::new_without_default, reason = "it depends on the detector")]
    pub fn new() -> Seen {
        Seen {
            is_on: race::is_on(),
            pieces: Vec::new(),
        }
    }

    /// A value: of a slice and the like its own words, of a map that it was looked into; of a
    /// struct or an array nothing, since its parts are seen.
    #[inline]
    pub fn value(&mut self, v: &Val<'_>) {
        if !self.is_on || matches!(v.kind(), Kind::Struct | Kind::Array) {
            return;
        }
        self.pieces.push((v.addr() as usize, v.t.size));
        if v.kind() == Kind::Map && v.pointer() != 0 {
            self.pieces.push((v.pointer(), 8));
        }
    }

    pub fn bytes(&mut self, bytes: &[u8]) {
        if self.is_on {
            self.pieces.push((bytes.as_ptr() as usize, bytes.len()));
        }
    }
}
