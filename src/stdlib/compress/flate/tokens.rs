//! What a block is made of before it is coded: literals, and matches with what came before.
//!
//! Go: compress/flate, token.go.

/// The letter that ends a block.
pub(super) const END: usize = 256;
/// Letters for literals, the end and lengths, those that do not exist included.
const LETTERS: usize = 288;
/// The shortest and the longest match that has a letter.
pub(super) const MIN_LENGTH: u32 = 3;
pub(super) const MAX_LENGTH: u32 = 258;

/// Bits behind the letter of a length, the `code`th.
pub(super) fn length_extra_bits(code: usize) -> usize {
    match code {
        8..28 => code / 4 - 1,
        _ => 0,
    }
}

/// Bits behind the letter of an offset.
pub(super) fn offset_extra_bits(code: usize) -> usize {
    (code / 2).saturating_sub(1)
}

/// A letter with the bits behind it.
#[derive(Clone, Copy)]
pub(super) struct Letter {
    pub(super) code: usize,
    pub(super) bits: u32,
    pub(super) more: u32,
}

/// Of each length less three: its letter, how many bits follow, and what they are.
static LENGTHS: [(u8, u8, u8); 256] = {
    let mut table = [(0, 0, 0); 256];
    let mut i = 0;
    while i < 255 {
        table[i] = if i < 8 {
            (i as u8, 0, 0)
        } else {
            let bits = i.ilog2() - 2;
            let code = 4 * (bits + 1) + ((i as u32 >> bits) & 3);
            (code as u8, bits as u8, (i & ((1 << bits) - 1)) as u8)
        };
        i += 1;
    }
    table[255] = (28, 0, 0);
    table
};

/// The letter of an offset less one.
#[inline(always)]
fn offset_code(offset: u32) -> u32 {
    if offset < 4 {
        return offset;
    }
    let bits = offset.ilog2();
    2 * bits + ((offset >> (bits - 1)) & 1)
}

/// A literal, or a match: its length less three, the letter of its offset, and that less one.
#[derive(Clone, Copy)]
pub(super) struct Token(u32);

const MATCH: u32 = 1 << 30;

impl Token {
    #[inline(always)]
    pub(super) fn literal(self) -> usize {
        self.0 as usize & 0xff
    }

    #[inline(always)]
    pub(super) fn as_match(self) -> Option<(Letter, Letter)> {
        if self.0 < MATCH {
            return None;
        }
        let (code, bits, more) = LENGTHS[(self.0 >> 22) as usize & 0xff];
        let length = Letter {
            code: code.into(),
            bits: bits.into(),
            more: more.into(),
        };
        let code = (self.0 >> 16) & 31;
        let bits = (code / 2).saturating_sub(1);
        let offset = Letter {
            code: code as usize,
            bits,
            more: self.0 & ((1 << bits) - 1),
        };
        Some((length, offset))
    }
}

/// The tokens of a block, and how often each letter occurs.
pub(super) struct Tokens<'a> {
    list: &'a mut [u32],
    len: usize,
    pub(super) literals: [u16; LETTERS],
    pub(super) offsets: [u16; 32],
}

impl<'a> Tokens<'a> {
    /// None yet; there is room for them in `list`.
    pub(super) fn new(list: &'a mut [u32]) -> Tokens<'a> {
        Tokens {
            list,
            len: 0,
            literals: [0; LETTERS],
            offsets: [0; 32],
        }
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Token> {
        self.list[..self.len].iter().map(|t| Token(*t))
    }

    #[inline(always)]
    fn push(&mut self, token: u32) {
        if let Some(to) = self.list.get_mut(self.len) {
            *to = token;
            self.len += 1;
        }
    }

    #[inline(always)]
    pub(super) fn literal(&mut self, b: u8) {
        self.literals[usize::from(b)] += 1;
        self.push(u32::from(b));
    }

    /// A match whose length has a letter.
    #[inline(always)]
    pub(super) fn short_match(&mut self, length: u32, offset: u32) {
        let (length, offset) = (length - MIN_LENGTH, offset - 1);
        let code = offset_code(offset);
        self.literals[END + 1 + usize::from(LENGTHS[length as usize & 0xff].0)] += 1;
        self.offsets[code as usize & 31] += 1;
        // The offset and its letter share no bit: an offset has fifteen.
        self.push(MATCH | length << 22 | code << 16 | offset);
    }

    /// A match of any length, in parts that have letters.
    #[inline(always)]
    pub(super) fn long_match(&mut self, mut length: u32, offset: u32) {
        while length > 0 {
            let part = match length {
                ..=MAX_LENGTH => length,
                // What is left must be a match, too.
                _ if length > MAX_LENGTH + MIN_LENGTH => MAX_LENGTH,
                _ => MAX_LENGTH - MIN_LENGTH,
            };
            length -= part;
            self.short_match(part, offset);
        }
    }

    /// Bits of the block with the best codes, more or less, without their header; `count` are its
    /// letters.
    pub(super) fn estimated_bits(&self, count: usize) -> usize {
        let mut bits = 0f32;
        let mut extra = 0;
        if count > 0 {
            let share = 1.0 / count as f32;
            for f in &self.literals[..END] {
                bits = add_bits(bits, *f, share);
            }
            bits += 15.0;
            let mut matches = 0u32;
            for (i, f) in self.literals[END + 1..super::huffman::LITERALS]
                .iter()
                .enumerate()
            {
                bits = add_bits(bits, *f, share);
                extra += usize::from(*f) * length_extra_bits(i);
                matches += u32::from(*f);
            }
            if matches > 0 {
                let share = 1.0 / matches as f32;
                for (i, f) in self.offsets[..super::huffman::OFFSETS].iter().enumerate() {
                    bits = add_bits(bits, *f, share);
                    extra += usize::from(*f) * offset_extra_bits(i);
                }
            }
        }
        bits as usize + extra
    }
}

/// `bits` with those of a letter that occurs so often.
#[inline]
fn add_bits(bits: f32, count: u16, share: f32) -> f32 {
    if count == 0 {
        return bits;
    }
    let n = f32::from(count);
    bits + (-log2(n * share)).clamp(1.0, 15.0) * n
}

/// A logarithm by a polynomial: two digits suffice, and they must be Go's.
#[allow(clippy::excessive_precision, reason = "as Go writes them")]
fn log2(v: f32) -> f32 {
    let bits = v.to_bits() as i32;
    let whole = (((bits >> 23) & 255) - 128) as f32;
    let part = f32::from_bits(((bits & -0x7f80_0001) + (127 << 23)) as u32);
    whole + ((-0.34484843 * part + 2.02466578) * part - 0.67487759)
}
