//! Huffman codes as DEFLATE writes them: of limited length, by package and merge, and the bits of a
//! block.
//!
//! The bytes are Go's: where several codes are equally short, this chooses as Go does.
//!
//! Go: compress/flate, huffman_code.go, huffman_bit_writer.go.

use super::tokens::{END, Tokens, length_extra_bits, offset_extra_bits};

/// Letters of the alphabet of literals and lengths.
pub(super) const LITERALS: usize = 286;
/// Letters of the alphabet of offsets.
pub(super) const OFFSETS: usize = 30;
/// Letters of the alphabet of the lengths of codes.
const LENGTHS: usize = 19;
/// The most bytes of a stored block.
const MAX_STORED: usize = 65_535;
/// From so many tokens on, the fixed codes are not considered.
const MAX_FIXED: usize = 250;
/// Bytes that a header is guessed to take where it has not been made.
const GUESSED_HEADER: usize = 70;

/// The order in which the lengths of the codes for lengths are written.
const LENGTH_ORDER: [usize; LENGTHS] = [
    16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15,
];

/// A code and its length: the length is the lowest byte. 0: none.
pub(super) type Code = u32;

const fn code(bits: u16, len: u32) -> Code {
    // The first bit of a code is written first.
    (((bits << ((16 - len) & 15)).reverse_bits() as u32) << 8) | len
}

const fn len(code: Code) -> u32 {
    code & 0xff
}

/// The codes of blocks that bring none.
static FIXED_LITERALS: [Code; LITERALS] = {
    let mut codes = [0; LITERALS];
    let mut i = 0;
    while i < LITERALS {
        let n = i as u16;
        codes[i] = match n {
            0..144 => code(n + 0x30, 8),
            144..256 => code(n - 144 + 0x190, 9),
            256..280 => code(n - 256, 7),
            _ => code(n - 280 + 0xc0, 8),
        };
        i += 1;
    }
    codes
};
static FIXED_OFFSETS: [Code; OFFSETS] = {
    let mut codes = [0; OFFSETS];
    let mut i = 0;
    while i < OFFSETS {
        codes[i] = code(i as u16, 5);
        i += 1;
    }
    codes
};

/// Bits of a text in which letters are so frequent.
fn bits_of(codes: &[Code], freq: &[u16]) -> usize {
    let each = codes.iter().zip(freq);
    each.map(|(c, f)| usize::from(*f) * len(*c) as usize).sum()
}

/// [`bits_of`], if there are codes for all letters.
fn bits_if_any(codes: &[Code], freq: &[u16]) -> Option<usize> {
    let lacks = |(c, f): (&Code, &u16)| *f != 0 && *c == 0;
    let is_missing = codes.iter().zip(freq).any(lacks);
    (!is_missing).then(|| bits_of(codes, freq))
}

/// Makes the codes of letters that are so frequent, none longer than `max` bits.
pub(super) fn generate(codes: &mut [Code], freq: &[u16], max: usize) {
    let mut leaves = [(0u16, 0u16); LITERALS];
    let mut n = 0;
    for (i, (code, f)) in codes.iter_mut().zip(freq).enumerate() {
        *code = 0;
        if *f != 0 {
            leaves[n] = (*f, i as u16);
            n += 1;
        }
    }
    let leaves = &mut leaves[..n];
    if n <= 2 {
        for (i, (_, letter)) in leaves.iter().enumerate() {
            codes[usize::from(*letter)] = code(i as u16, 1);
        }
        return;
    }
    leaves.sort_unstable();
    let counts = lengths(leaves, max.min(n - 1));
    // The rarest letters come first, and have the longest codes.
    let (mut next, mut end) = (0u16, n);
    for (bits, count) in counts.iter().enumerate().skip(1) {
        next <<= 1;
        let mut letters = [0u16; LITERALS];
        let letters = &mut letters[..*count];
        for (to, (_, letter)) in letters.iter_mut().zip(&leaves[end - count..end]) {
            *to = *letter;
        }
        letters.sort_unstable();
        for letter in letters {
            codes[usize::from(*letter)] = code(next, bits as u32);
            next += 1;
        }
        end -= count;
    }
}

/// A row of the packages that are merged.
#[derive(Clone, Copy, Default)]
struct Row {
    /// Frequency of what was taken last.
    last: u32,
    /// Of the next leaf.
    leaf: u32,
    /// Of the next pair of the row below.
    pair: u32,
    /// How many are still to be taken.
    needed: usize,
}

/// How many codes of each length there are for leaves in order of their frequency, three at least.
/// From L. L. Larmore and D. S. Hirschberg's way of making codes of limited length, which keeps the
/// boundary of each row only.
fn lengths(leaves: &[(u16, u16)], max: usize) -> [usize; 16] {
    const NONE: u32 = u32::MAX;
    let n = leaves.len();
    let freq = |i: usize| leaves.get(i).map_or(NONE, |(f, _)| u32::from(*f));
    let mut rows = [Row::default(); 17];
    // In row i, how many leaves of each row below are within what has been taken.
    let mut taken = [[0usize; 16]; 16];
    for level in 1..=max {
        rows[level] = Row {
            last: freq(1),
            leaf: freq(2),
            pair: if level == 1 { NONE } else { freq(0) + freq(1) },
            needed: 0,
        };
        taken[level][level] = 2;
    }
    rows[max].needed = 2 * n - 4;
    let mut level = max;
    while level < 16 {
        let row = &mut rows[level];
        if row.pair == NONE && row.leaf == NONE {
            // The row below this has nothing more for a pair, so nor has this for the next.
            row.needed = 0;
            rows[level + 1].pair = NONE;
            level += 1;
            continue;
        }
        let before = row.last;
        if row.leaf < row.pair {
            row.last = row.leaf;
            taken[level][level] += 1;
            row.leaf = freq(taken[level][level]);
        } else {
            row.last = row.pair;
            let own = taken[level][level];
            taken[level] = taken[level - 1];
            taken[level][level] = own;
            rows[level - 1].needed = 2;
        }
        let row = &mut rows[level];
        row.needed -= 1;
        if row.needed == 0 {
            if level == max {
                break;
            }
            let pair = before + row.last;
            rows[level + 1].pair = pair;
            level += 1;
        } else {
            while rows[level - 1].needed > 0 {
                level -= 1;
            }
        }
    }
    let mut counts = [0; 16];
    for (bits, level) in (1..=max).rev().enumerate() {
        counts[bits + 1] = taken[max][level] - taken[max][level - 1];
    }
    counts
}

/// What is written, and the codes that hold.
pub(super) struct Writer {
    pub(super) out: Vec<u8>,
    /// Bits that fill no byte, or several.
    pub(super) bits: u64,
    pub(super) bit_count: u32,
    /// Bits that the header of the open block took; 0: none is open.
    pub(super) header: usize,
    /// The open block has codes for literals only.
    pub(super) only_literals: bool,
    /// New codes must be better by this part, as a power of two.
    pub(super) reluctance: u32,
    pub(super) literals: [Code; LITERALS],
    pub(super) offsets: [Code; OFFSETS],
}

/// The lengths of both codes as they are written: letters, and how often the last one repeats.
struct Lengths {
    letters: Vec<(u8, u8)>,
    freq: [u16; LENGTHS],
    codes: [Code; LENGTHS],
    written: usize,
}

impl Lengths {
    fn new(literals: &[Code], offsets: &[Code]) -> Lengths {
        let all: Vec<u8> = literals
            .iter()
            .chain(offsets)
            .map(|c| len(*c) as u8)
            .collect();
        let mut it = Lengths {
            letters: Vec::with_capacity(all.len()),
            freq: [0; LENGTHS],
            codes: [0; LENGTHS],
            written: LENGTHS,
        };
        for run in all.chunk_by(|a, b| a == b) {
            it.run(run[0], run.len());
        }
        generate(&mut it.codes, &it.freq, 7);
        while it.written > 4 && it.freq[LENGTH_ORDER[it.written - 1]] == 0 {
            it.written -= 1;
        }
        it
    }

    fn put(&mut self, letter: u8, more: usize) {
        self.letters.push((letter, more as u8));
        self.freq[usize::from(letter)] += 1;
    }

    /// So many equal lengths.
    fn run(&mut self, size: u8, mut count: usize) {
        if size != 0 {
            self.put(size, 0);
            count -= 1;
            while count >= 3 {
                let n = count.min(6);
                self.put(16, n - 3);
                count -= n;
            }
        } else {
            while count >= 11 {
                let n = count.min(138);
                self.put(18, n - 11);
                count -= n;
            }
            if count >= 3 {
                self.put(17, count - 3);
                count = 0;
            }
        }
        for _ in 0..count {
            self.put(size, 0);
        }
    }

    /// Bits of the header of a block with these.
    fn header(&self) -> usize {
        let more: usize = (16..LENGTHS)
            .map(|i| usize::from(self.freq[i]) * repeat_bits(i))
            .sum();
        3 + 5 + 5 + 4 + 3 * self.written + bits_of(&self.codes, &self.freq) + more
    }
}

/// Bits behind a letter that repeats.
fn repeat_bits(letter: usize) -> usize {
    match letter {
        16 => 2,
        17 => 3,
        18 => 7,
        _ => 0,
    }
}

impl Writer {
    #[inline(always)]
    fn put(&mut self, value: u64, count: u32) {
        self.bits |= value << self.bit_count;
        self.bit_count += count;
        if self.bit_count >= 48 {
            self.out.extend_from_slice(&self.bits.to_le_bytes()[..6]);
            self.bits >>= 48;
            self.bit_count -= 48;
        }
    }

    #[inline(always)]
    fn put_code(&mut self, code: Code) {
        self.put(u64::from(code >> 8), len(code));
    }

    /// Fills the byte.
    pub(super) fn align(&mut self) {
        let bytes = self.bit_count.div_ceil(8) as usize;
        self.out
            .extend_from_slice(&self.bits.to_le_bytes()[..bytes]);
        (self.bits, self.bit_count) = (0, 0);
    }

    /// Ends the open block, if any.
    fn close(&mut self) {
        if self.header > 0 {
            self.put_code(self.literals[END]);
            self.header = 0;
        }
    }

    /// A block with these bytes as they are.
    pub(super) fn stored(&mut self, input: &[u8]) {
        self.close();
        self.put(0, 3);
        self.align();
        let n = input.len() as u16;
        self.out.extend_from_slice(&n.to_le_bytes());
        self.out.extend_from_slice(&(!n).to_le_bytes());
        self.out.extend_from_slice(input);
    }

    /// The last block, which is empty.
    pub(super) fn end(&mut self) {
        self.close();
        self.put(0b011, 3);
        self.put(0, 7);
        self.align();
    }

    /// The header of a block with these codes.
    fn dynamic(&mut self, literals: usize, offsets: usize, lengths: &Lengths) {
        self.put(0b100, 3);
        self.put(literals as u64 - 257, 5);
        self.put(offsets as u64 - 1, 5);
        self.put(lengths.written as u64 - 4, 4);
        for letter in &LENGTH_ORDER[..lengths.written] {
            self.put(u64::from(len(lengths.codes[*letter])), 3);
        }
        for (letter, more) in &lengths.letters {
            let letter = usize::from(*letter);
            self.put_code(lengths.codes[letter]);
            self.put(u64::from(*more), repeat_bits(letter) as u32);
        }
    }

    /// Are there codes in the open block for all that occurs?
    fn can_reuse(&self, t: &Tokens) -> bool {
        bits_if_any(&self.offsets, &t.offsets[..OFFSETS]).is_some()
            && bits_if_any(&self.literals, &t.literals[..LITERALS]).is_some()
    }

    /// Writes the tokens, which are `input`, in the way that takes least. With `sync` the block
    /// ends; else it may be left open for the next.
    pub(super) fn block(&mut self, t: &mut Tokens<'_>, input: &[u8], sync: bool) {
        // The end counts as one letter, whenever it comes.
        t.literals[END] = 1;
        let count = t.len() + usize::from(sync);
        if self.only_literals {
            self.close();
            self.only_literals = false;
        }
        if self.header > 0 && !self.can_reuse(t) {
            self.close();
        }
        let literal_count = t
            .literals
            .iter()
            .rposition(|f| *f != 0)
            .map_or(0, |i| i + 1);
        let mut offsets = t.offsets;
        let offset_count = offsets
            .iter()
            .rposition(|f| *f != 0)
            .map_or(0, |i| i + 1)
            .max(1);
        if offset_count == 1 && offsets[0] == 0 {
            offsets[0] = 1;
        }
        let freq = (&t.literals[..LITERALS], &offsets[..OFFSETS]);
        let extra = extra_bits(freq.0, freq.1);
        let stored = (input.len() <= MAX_STORED).then_some((input.len() + 5) * 8);
        let fixed = 3 + bits_of(&FIXED_LITERALS, freq.0) + bits_of(&FIXED_OFFSETS, freq.1) + extra;
        let is_less = |size: usize| stored.is_some_and(|stored| stored <= size);

        if self.header > 0 {
            let fresh = self.header + t.estimated_bits(count);
            let fresh = fresh + len(self.literals[END]) as usize + (fresh >> self.reluctance);
            let reused = bits_of(&self.literals, freq.0) + bits_of(&self.offsets, freq.1) + extra;
            let size = fresh.min(reused);
            if fresh < reused {
                self.close();
            }
            if count < MAX_FIXED && fixed + 7 < size {
                return match is_less(size) {
                    true => self.stored(input),
                    false => self.fixed(t),
                };
            }
            if is_less(size) {
                return self.stored(input);
            }
        }
        if self.header == 0 {
            generate(&mut self.literals, freq.0, 15);
            generate(&mut self.offsets, freq.1, 15);
            let lengths = Lengths::new(
                &self.literals[..literal_count],
                &self.offsets[..offset_count],
            );
            let header = lengths.header();
            let size = header + bits_of(&self.literals, freq.0) + bits_of(&self.offsets, freq.1);
            let size = size + extra;
            if count < MAX_FIXED && fixed <= size {
                return match is_less(fixed) {
                    true => self.stored(input),
                    false => self.fixed(t),
                };
            }
            if is_less(size) {
                return self.stored(input);
            }
            self.dynamic(literal_count, offset_count, &lengths);
            self.header = header;
        }
        let (literals, offsets) = (self.literals, self.offsets);
        self.tokens(t, &literals, &offsets);
        if sync {
            self.close();
        }
    }

    /// A block with the fixed codes.
    fn fixed(&mut self, t: &Tokens<'_>) {
        self.close();
        self.put(0b010, 3);
        self.tokens(t, &FIXED_LITERALS, &FIXED_OFFSETS);
        self.put_code(FIXED_LITERALS[END]);
    }

    fn tokens(&mut self, t: &Tokens<'_>, literals: &[Code; LITERALS], offsets: &[Code; OFFSETS]) {
        for token in t.iter() {
            let Some((length, offset)) = token.as_match() else {
                self.put_code(literals[token.literal()]);
                continue;
            };
            self.put_code(literals[(END + 1 + length.code).min(LITERALS - 1)]);
            self.put(u64::from(length.more), length.bits);
            self.put_code(offsets[offset.code.min(OFFSETS - 1)]);
            self.put(u64::from(offset.more), offset.bits);
        }
    }

    /// A block of literals only, or a stored one if that gains little.
    pub(super) fn literals(&mut self, input: &[u8], sync: bool) {
        let mut freq = [0u16; END + 1];
        for b in input {
            freq[usize::from(*b)] += 1;
        }
        let stored = (input.len() <= MAX_STORED).then_some((input.len() + 5) * 8);
        if stored.is_some() && input.len() > 1024 && is_even(&freq[..END], input.len()) {
            return self.stored(input);
        }
        freq[END] = 1;
        let mut codes = [0; LITERALS];
        generate(&mut codes[..=END], &freq, 15);
        let mut size = bits_of(&codes, &freq);
        size += match self.header {
            0 => GUESSED_HEADER * 8,
            header => header,
        };
        size += size >> self.reluctance;
        if stored.is_some_and(|stored| stored <= size) {
            return self.stored(input);
        }
        if self.header > 0 {
            let reused = bits_if_any(&self.literals[..END], &freq[..END]);
            if reused.is_none_or(|reused| size < reused) {
                self.close();
            }
        }
        if self.header == 0 {
            self.literals = codes;
            // One offset, which does not occur.
            let lengths = Lengths::new(&codes[..=END], &[code(0, 1)]);
            self.dynamic(END + 1, 1, &lengths);
            self.only_literals = true;
            self.header = lengths.header();
        }
        let literals = self.literals;
        for b in input {
            self.put_code(literals[usize::from(*b)]);
        }
        if sync {
            self.close();
            self.only_literals = false;
        }
    }
}

/// Are all bytes about as frequent, so that there is nothing to gain?
fn is_even(freq: &[u16], n: usize) -> bool {
    let (average, most) = (n as f64 / 256.0, (n * 2) as f64);
    let mut sum = 0.0;
    for f in freq {
        let off = f64::from(*f) - average;
        sum += off * off;
        if sum >= most {
            return false;
        }
    }
    true
}

/// Bits behind the codes of lengths and offsets.
fn extra_bits(literals: &[u16], offsets: &[u16]) -> usize {
    let lengths = literals[END + 1..].iter().enumerate();
    let lengths: usize = lengths
        .map(|(i, f)| usize::from(*f) * length_extra_bits(i))
        .sum();
    let offsets = offsets.iter().enumerate();
    lengths
        + offsets
            .map(|(i, f)| usize::from(*f) * offset_extra_bits(i))
            .sum::<usize>()
}
