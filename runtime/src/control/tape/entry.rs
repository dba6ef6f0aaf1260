//! Entries of a tape, as bytes.
//!
//! An entry is a byte that says what it is, the goroutine if it is another than that of the entry
//! before, its numbers as varints, perhaps bytes with their length before them, and two bytes of a
//! hash of everything up to here. A byte 0 in place of an entry is the end. The first byte of an
//! entry is written last: a process that is killed leaves whole entries.

use std::fmt;
use std::sync::atomic::{Ordering, compiler_fence};

/// What an entry tells.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum What<'a> {
    /// The monotonic clock is read: nanoseconds since it was read last.
    Clock(i64),
    /// Both clocks are read: the same, and by how much the wall clock has moved against the other.
    Time(i64, i64),
    /// A slice is over: after how many looks since the last one that was.
    Slice(u64),
    /// It is looked what has become ready, after so many times that nothing had.
    Poll(u64, Vec<Ready>),
    /// Something outside answers.
    Answer {
        /// The number of the text that names the call.
        call: u64,
        /// A hash of what it was given.
        asked: u32,
        /// The number of the text that says where the program is.
        place: u64,
        /// What it gives, and what it has written.
        answer: &'a [u8],
    },
    /// What is called does not come back at once: others run.
    Waits,
    /// The next text.
    Text(&'a [u8]),
    /// The program ends: its status, or 128 and the signal.
    End(i64),
}

/// What has become ready.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ready {
    /// A descriptor in the poller, for reading.
    Read(u64),
    /// The same, for writing.
    Write(u64),
    /// The call that this goroutine waits for.
    Call(u64),
}

/// A place on a tape, and what is known there.
#[derive(Clone, Copy, Debug)]
pub struct Cursor {
    /// In bytes from the start of the file.
    pub at: usize,
    /// The number of the entry.
    pub n: u64,
    /// The goroutine of the entry before.
    pub g: u64,
    hash: u64,
}

/// What is at a place.
#[derive(Debug)]
pub enum Found<'a> {
    /// An entry, its goroutine, and the place behind it.
    Entry(What<'a>, u64, Cursor),
    /// Nothing: what was recorded ends here.
    Nothing,
    /// Not what was written.
    Altered,
}

const OTHER: u8 = 0x80;
const KINDS: u8 = 0x7f;
/// An entry takes at most so many bytes, those that it carries left out.
pub(super) const MOST: usize = 96;
/// And so many for each thing that has become ready.
pub(super) const EVENTS: usize = 10;

/// Goes on with a hash.
pub fn hash(mut h: u64, bytes: &[u8]) -> u64 {
    for chunk in bytes.chunks(8) {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        let mixed = h.rotate_left(5) ^ u64::from_le_bytes(word) ^ (chunk.len() as u64) << 60;
        h = mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
    h ^ h >> 29
}

fn zigzag(n: i64) -> u64 {
    (n << 1 ^ n >> 63) as u64
}

fn unzigzag(n: u64) -> i64 {
    (n >> 1) as i64 ^ -((n & 1) as i64)
}

impl Cursor {
    /// Nowhere.
    pub(super) const START: Cursor = Cursor {
        at: 0,
        n: 0,
        g: 0,
        hash: 0,
    };

    /// Behind a head.
    pub fn behind(head: &[u8]) -> Cursor {
        Cursor {
            at: head.len(),
            hash: hash(0, head),
            ..Cursor::START
        }
    }

    /// Writes an entry there, for which there is room, and goes behind it.
    pub(super) fn put(&mut self, file: &mut [u8], g: u64, what: &What<'_>) {
        let begin = self.at;
        let mut out = Out {
            file,
            at: begin + 1,
        };
        let mut kind = 0;
        if g != self.g {
            kind |= OTHER;
            out.number(g);
        }
        kind |= match what {
            What::Clock(by) => {
                out.number(zigzag(*by));
                1
            }
            What::Time(by, wall) => {
                out.number(zigzag(*by));
                out.number(zigzag(*wall));
                2
            }
            What::Slice(looks) => {
                out.number(*looks);
                3
            }
            What::Poll(before, ready) => {
                out.number(*before);
                out.number(ready.len() as u64);
                for r in ready {
                    out.number(match r {
                        Ready::Read(i) => i << 2,
                        Ready::Write(i) => i << 2 | 1,
                        Ready::Call(g) => g << 2 | 2,
                    });
                }
                4
            }
            What::Answer {
                call,
                asked,
                place,
                answer,
            } => {
                out.number(*call);
                out.number((*asked).into());
                out.number(*place);
                out.bytes(answer);
                5
            }
            What::Waits => 6,
            What::Text(text) => {
                out.bytes(text);
                7
            }
            What::End(status) => {
                out.number(zigzag(*status));
                8
            }
        };
        let end = out.at;
        self.hash = hash(self.hash ^ u64::from(kind), &file[begin + 1..end]);
        file[end..end + 2].copy_from_slice(&check(self.hash));
        compiler_fence(Ordering::SeqCst);
        file[begin] = kind;
        self.at = end + 2;
        self.n += 1;
        self.g = g;
    }

    /// What is there.
    pub fn read<'a>(&self, file: &'a [u8]) -> Found<'a> {
        let Some(&kind) = file.get(self.at).filter(|kind| **kind != 0) else {
            return Found::Nothing;
        };
        let mut from = In {
            file,
            at: self.at + 1,
        };
        match from.entry(kind, self.g) {
            Some((what, g)) => {
                let hash = hash(self.hash ^ u64::from(kind), &file[self.at + 1..from.at]);
                match file.get(from.at..from.at + 2) {
                    Some(bytes) if bytes == check(hash) => {
                        let behind = Cursor {
                            at: from.at + 2,
                            n: self.n + 1,
                            g,
                            hash,
                        };
                        Found::Entry(what, g, behind)
                    }
                    _ => Found::Altered,
                }
            }
            None => Found::Altered,
        }
    }
}

fn check(hash: u64) -> [u8; 2] {
    ((hash >> 48) as u16).to_le_bytes()
}

struct Out<'a> {
    file: &'a mut [u8],
    at: usize,
}

impl Out<'_> {
    fn number(&mut self, mut n: u64) {
        loop {
            let more = if n > 0x7f { 0x80 } else { 0 };
            self.file[self.at] = n as u8 & 0x7f | more;
            self.at += 1;
            n >>= 7;
            if n == 0 {
                return;
            }
        }
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.file[self.at..self.at + bytes.len()].copy_from_slice(bytes);
        self.at += bytes.len();
    }
}

struct In<'a> {
    file: &'a [u8],
    at: usize,
}

impl<'a> In<'a> {
    fn number(&mut self) -> Option<u64> {
        let mut n = 0;
        for shift in (0..64).step_by(7) {
            let byte = *self.file.get(self.at)?;
            self.at += 1;
            n |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(n);
            }
        }
        None
    }

    fn bytes(&mut self) -> Option<&'a [u8]> {
        let n = self.number()? as usize;
        let bytes = self.file.get(self.at..self.at.checked_add(n)?)?;
        self.at += n;
        Some(bytes)
    }

    fn entry(&mut self, kind: u8, before: u64) -> Option<(What<'a>, u64)> {
        let g = match kind & OTHER {
            0 => before,
            _ => self.number()?,
        };
        let what = match kind & KINDS {
            1 => What::Clock(unzigzag(self.number()?)),
            2 => What::Time(unzigzag(self.number()?), unzigzag(self.number()?)),
            3 => What::Slice(self.number()?),
            4 => {
                let before = self.number()?;
                let n = self.number()?;
                let mut ready = Vec::new();
                for _ in 0..n {
                    let word = self.number()?;
                    ready.push(match word & 3 {
                        0 => Ready::Read(word >> 2),
                        1 => Ready::Write(word >> 2),
                        2 => Ready::Call(word >> 2),
                        _ => return None,
                    });
                }
                What::Poll(before, ready)
            }
            5 => What::Answer {
                call: self.number()?,
                asked: self.number()?.try_into().ok()?,
                place: self.number()?,
                answer: self.bytes()?,
            },
            6 => What::Waits,
            7 => What::Text(self.bytes()?),
            8 => What::End(unzigzag(self.number()?)),
            _ => return None,
        };
        Some((what, g))
    }
}

impl fmt::Display for Ready {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ready::Read(i) => write!(f, "descriptor {i} can be read"),
            Ready::Write(i) => write!(f, "descriptor {i} can be written"),
            Ready::Call(g) => write!(f, "the call of g{g} is over"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> Vec<(u64, What<'static>)> {
        vec![
            (0, What::Clock(12345)),
            (1, What::Time(-3, i64::MIN)),
            (1, What::Slice(u64::MAX)),
            (
                0,
                What::Poll(7, vec![Ready::Read(0), Ready::Write(9), Ready::Call(300)]),
            ),
            (3, What::Text(b"os.read")),
            (
                3,
                What::Answer {
                    call: 0,
                    asked: u32::MAX,
                    place: 1 << 40,
                    answer: b"twelve bytes",
                },
            ),
            (3, What::Waits),
            (1, What::End(-1)),
        ]
    }

    fn written() -> (Vec<u8>, usize) {
        let mut file = vec![0; 1000];
        file[..5].copy_from_slice(b"head\n");
        let mut cursor = Cursor::behind(b"head\n");
        for (g, what) in all() {
            cursor.put(&mut file, g, &what);
        }
        (file, cursor.at)
    }

    /// The number of the first entry that is not there or altered, and which of both.
    fn first_wrong(file: &[u8]) -> (u64, bool) {
        let mut cursor = Cursor::behind(&file[..5]);
        loop {
            match cursor.read(file) {
                Found::Entry(_, _, behind) => cursor = behind,
                Found::Nothing => return (cursor.n, false),
                Found::Altered => return (cursor.n, true),
            }
        }
    }

    #[test]
    fn what_is_written_is_read() {
        let (file, end) = written();
        let mut cursor = Cursor::behind(b"head\n");
        for (g, what) in all() {
            let Found::Entry(found, of, behind) = cursor.read(&file) else {
                panic!("{what:?}");
            };
            assert_eq!((found, of), (what, g));
            cursor = behind;
        }
        assert_eq!(cursor.at, end);
        assert!(matches!(cursor.read(&file), Found::Nothing));
    }

    #[test]
    fn a_changed_byte_is_seen_in_its_entry() {
        let (file, end) = written();
        assert_eq!(first_wrong(&file), (all().len() as u64, false));
        let mut cursor = Cursor::behind(b"head\n");
        while let Found::Entry(_, _, behind) = cursor.read(&file) {
            for at in cursor.at..behind.at {
                let mut changed = file.clone();
                changed[at] ^= 1;
                assert_eq!(first_wrong(&changed).0, cursor.n, "byte {at}");
            }
            cursor = behind;
        }
        let mut head = file.clone();
        head[0] ^= 1;
        assert_eq!(first_wrong(&head), (0, true));
        // What was cut off is missing, and nothing else.
        let cut = first_wrong(&file[..end - 1]);
        assert_eq!(cut.0, all().len() as u64 - 1);
    }
}
