//! Package `compress/lzw`: codes; the rest is Go.
//!
//! Go: compress/lzw.

use vm::fenced;
use vm::native::Slice;

/// The widest code, and how many there can be.
const MAX_WIDTH: u32 = 12;
const CODES: usize = 1 << MAX_WIDTH;
/// Words before the table, as the Go source has them.
const HEAD: usize = 12;
/// Entries of the encoder's table, by a hash.
const HASHES: usize = 4 * CODES;
/// No code.
const NONE: u32 = u32::MAX;

/// The state of a decoder or an encoder.
struct Codec {
    most_first: bool,
    lit_width: u32,
    /// Bits of a code now, and those that are held.
    width: u32,
    bits: u32,
    bit_count: u32,
    /// The last code that there is, and the first that would be too wide.
    hi: u32,
    overflow: u32,
    /// The code before, or what is to be written next.
    last: u32,
}

/// Why a decoder stops.
enum Stop {
    Input = 0,
    Full = 1,
    End = 2,
    Bad = 3,
}

impl Codec {
    fn new(most_first: bool, lit_width: u32) -> Codec {
        Codec {
            most_first,
            lit_width,
            width: lit_width + 1,
            bits: 0,
            bit_count: 0,
            hi: (1 << lit_width) + 1,
            overflow: 2 << lit_width,
            last: NONE,
        }
    }

    fn load(w: &[u32]) -> Codec {
        Codec {
            most_first: w[0] != 0,
            lit_width: w[1].clamp(2, 8),
            width: w[2].min(MAX_WIDTH),
            bits: w[3],
            bit_count: w[4],
            hi: w[5],
            overflow: w[6],
            last: w[7],
        }
    }

    fn store(&self, w: &mut [u32]) {
        w[..8].copy_from_slice(&[
            u32::from(self.most_first),
            self.lit_width,
            self.width,
            self.bits,
            self.bit_count,
            self.hi,
            self.overflow,
            self.last,
        ]);
    }

    fn clear(&self) -> u32 {
        1 << self.lit_width
    }

    fn read(&mut self, input: &mut &[u8]) -> Option<u32> {
        while self.bit_count < self.width {
            let (b, rest) = input.split_first()?;
            let shift = if self.most_first {
                24 - self.bit_count
            } else {
                self.bit_count
            };
            self.bits |= u32::from(*b) << shift;
            self.bit_count += 8;
            *input = rest;
        }
        self.bit_count -= self.width;
        if self.most_first {
            let code = self.bits >> (32 - self.width);
            self.bits <<= self.width;
            return Some(code);
        }
        let code = self.bits & ((1 << self.width) - 1);
        self.bits >>= self.width;
        Some(code)
    }

    fn emit(&mut self, code: u32, out: &mut Vec<u8>) {
        let shift = match self.most_first {
            true => 32 - self.width - self.bit_count,
            false => self.bit_count,
        };
        self.bits |= code << shift;
        self.bit_count += self.width;
        while self.bit_count >= 8 {
            out.push(self.next_byte());
            self.bit_count -= 8;
        }
    }

    fn next_byte(&mut self) -> u8 {
        if self.most_first {
            let b = (self.bits >> 24) as u8;
            self.bits <<= 8;
            return b;
        }
        let b = self.bits as u8;
        self.bits >>= 8;
        b
    }

    /// Decodes into `out` until half of it is filled. An entry of the table is what a string ends
    /// with, below that the string before it.
    fn decode(&mut self, table: &mut [u32], input: &mut &[u8], out: &mut [u8]) -> (usize, Stop) {
        let mut made = 0;
        let clear = self.clear();
        while made < out.len().min(CODES) {
            let Some(code) = self.read(input) else {
                return (made, Stop::Input);
            };
            let mut c = code;
            if code == clear {
                *self = Codec {
                    bits: self.bits,
                    bit_count: self.bit_count,
                    ..Codec::new(self.most_first, self.lit_width)
                };
                continue;
            } else if code == clear + 1 {
                return (made, Stop::End);
            } else if code > self.hi {
                return (made, Stop::Bad);
            }
            // The string is made from its end.
            let mut string = [0; CODES];
            let mut at = CODES - 1;
            if code == self.hi && code > clear && self.last != NONE {
                // It is the one before with its own first byte.
                c = self.last;
                while c >= clear {
                    c = table[c as usize] >> 8;
                }
                string[at] = c as u8;
                at -= 1;
                c = self.last;
            }
            while c >= clear {
                string[at] = table[c as usize] as u8;
                at = at.saturating_sub(1);
                c = table[c as usize] >> 8;
            }
            string[at] = c as u8;
            let string = &string[at..];
            let n = string.len().min(out.len() - made);
            out[made..made + n].copy_from_slice(&string[..n]);
            made += n;
            if self.last != NONE {
                table[self.hi as usize] = self.last << 8 | c;
            }
            self.last = code;
            self.hi += 1;
            if self.hi >= self.overflow {
                if self.width == MAX_WIDTH {
                    self.last = NONE;
                    self.hi -= 1;
                } else {
                    self.width += 1;
                    self.overflow = 1 << self.width;
                }
            }
        }
        (made, Stop::Full)
    }

    /// There is a code more. True: it was the last, and all begin anew.
    fn advance(&mut self, table: &mut [u32], out: &mut Vec<u8>) -> bool {
        self.hi += 1;
        if self.hi == self.overflow {
            self.width += 1;
            self.overflow <<= 1;
        }
        if self.hi as usize != CODES - 1 {
            return false;
        }
        let clear = self.clear();
        self.emit(clear, out);
        let last = self.last;
        *self = Codec {
            bits: self.bits,
            bit_count: self.bit_count,
            last,
            ..Codec::new(self.most_first, self.lit_width)
        };
        table.fill(0);
        true
    }

    fn encode(&mut self, table: &mut [u32], mut p: &[u8], out: &mut Vec<u8>) {
        if self.last == NONE {
            let Some((first, rest)) = p.split_first() else {
                return;
            };
            self.emit(self.clear(), out);
            self.last = (*first).into();
            p = rest;
        }
        'bytes: for b in p {
            let key = self.last << 8 | u32::from(*b);
            let mut at = (key >> 12 ^ key) as usize & (HASHES - 1);
            while table[at] != 0 {
                if table[at] >> 12 == key {
                    self.last = table[at] & (CODES as u32 - 1);
                    continue 'bytes;
                }
                at = (at + 1) & (HASHES - 1);
            }
            self.emit(self.last, out);
            self.last = (*b).into();
            if !self.advance(table, out) {
                table[at] = key << 12 | self.hi;
            }
        }
    }

    fn finish(&mut self, table: &mut [u32], out: &mut Vec<u8>) {
        let clear = self.clear();
        if self.last == NONE {
            self.emit(clear, out);
        } else {
            self.emit(self.last, out);
            self.advance(table, out);
        }
        self.emit(clear + 1, out);
        if self.bit_count > 0 {
            let b = self.next_byte();
            out.push(b);
        }
    }
}

natives! {
    "begin" => short untouched(words) |cx, words: Slice<u32>, order: i64, lit_width: i64| {
        let mut words = words;
        if words.len() > HEAD {
            words.as_mut_slice().fill(0);
            Codec::new(order != 0, lit_width as u32).store(words.as_mut_slice());
        }
    }
    "decode" => fenced untouched(words) follows(input) untouched(out) |
        cx,
        words: Slice<u32>,
        input: Slice<u8>,
        out: Slice<u8>,
    | {
        let (mut words, mut out) = (words, out);
        if words.len() != HEAD + CODES {
            return (0, 0, Stop::Bad as i64);
        }
        let (head, table) = words.as_mut_slice().split_at_mut(HEAD);
        let mut codec = Codec::load(head);
        let (mut rest, out) = (input.as_slice(), out.as_mut_slice());
        let (made, stop) = fenced!(cx, 16 * CODES, || codec.decode(table, &mut rest, out));
        codec.store(head);
        cx.touches(input.as_ptr(), input.len() - rest.len(), false);
        ((input.len() - rest.len()) as i64, made as i64, stop as i64)
    }
    "encode" => fenced untouched(words) |cx, words: Slice<u32>, p: Slice<u8>| {
        let mut words = words;
        if words.len() != HEAD + HASHES {
            return Slice::NIL;
        }
        let (head, table) = words.as_mut_slice().split_at_mut(HEAD);
        let (mut codec, mut out) = (Codec::load(head), Vec::new());
        fenced!(cx, p.len(), || codec.encode(table, p.as_slice(), &mut out));
        codec.store(head);
        cx.bytes(&out)
    }
    "finish" => short untouched(words) |cx, words: Slice<u32>| {
        let mut words = words;
        if words.len() != HEAD + HASHES {
            return Slice::NIL;
        }
        let (head, table) = words.as_mut_slice().split_at_mut(HEAD);
        let (mut codec, mut out) = (Codec::load(head), Vec::new());
        codec.finish(table, &mut out);
        codec.store(head);
        cx.bytes(&out)
    }
}
