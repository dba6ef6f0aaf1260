//! Decompression, a piece of input at a time.
//!
//! A unit (the header of a block, a literal, a match) is decoded as a whole, or not at all where
//! the input ends in it: what has been read of it is then put in front of what comes next. So no
//! byte is taken that is not needed, as Go, which reads byte by byte, takes none.
//!
//! Go: compress/flate, inflate.go.

/// Bytes that a match may reach back: the window is a ring of so many.
pub(super) const WINDOW: usize = 1 << 15;

/// Codes up to so many bits are found in one step.
const DIRECT: u32 = 10;
/// The longest code.
const LONGEST: u32 = 15;
/// Entries of the tables: the direct ones, and of the rest as many as letters can fill, two to a
/// prefix.
const LITERAL_TABLE: usize = (1 << DIRECT) + 143 * (1 << (LONGEST - DIRECT));
const OFFSET_TABLE: usize = (1 << DIRECT) + 16 * (1 << (LONGEST - DIRECT));

const MAX_LITERALS: usize = 286;
const MAX_OFFSETS: usize = 30;

/// Words of the state as the Go source keeps it.
pub(super) const WORDS: usize = HEAD + LITERAL_TABLE + OFFSET_TABLE;
const HEAD: usize = 16;

/// Why decoding stops.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stop {
    /// The input ends.
    Input = 0,
    /// The window has been filled.
    Filled = 1,
    /// The data has ended.
    End = 2,
    /// It is corrupt.
    Corrupt = 3,
    /// It is time to show what is in the window.
    Show = 4,
}

/// What to go on with.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    Block = 0,
    Stored = 1,
    Codes = 2,
    Over = 3,
}

/// A table of codes: an entry is a letter and the length of its code, the lowest four bits. Where
/// that is [`LONGER`], the letter is the number of a table for the bits that follow.
struct Table<'a> {
    /// The shortest code, or what is certain to be there.
    min: u32,
    /// Bits that choose in the further tables.
    more: u32,
    entries: &'a mut [u32],
}

const LONGER: u32 = DIRECT + 1;

impl Table<'_> {
    /// Makes the table of codes of these lengths. False: there are none.
    fn fill(&mut self, lengths: &[u8]) -> bool {
        let mut count = [0u32; LONGEST as usize + 1];
        for n in lengths {
            count[usize::from(*n)] += 1;
        }
        count[0] = 0;
        let Some(min) = count.iter().position(|n| *n > 0) else {
            self.min = 0;
            self.more = 0;
            self.entries[..1 << DIRECT].fill(0);
            return true;
        };
        let max = count.iter().rposition(|n| *n > 0).unwrap_or(min);
        let mut next = [0u32; LONGEST as usize + 1];
        let mut code = 0;
        for bits in min..=max {
            code <<= 1;
            next[bits] = code;
            code += count[bits];
        }
        // Every code must be there, but that a lone one may have one bit.
        if code != 1 << max && !(code == 1 && max == 1) {
            return false;
        }
        self.min = min as u32;
        self.more = (max as u32).saturating_sub(DIRECT);
        if code == 1 {
            self.entries[..1 << DIRECT].fill(0);
        }
        let mut tables = 0;
        if self.more > 0 {
            let first = next[DIRECT as usize + 1] >> 1;
            for prefix in first..1 << DIRECT {
                let at = (prefix as u16).reverse_bits() >> (16 - DIRECT);
                self.entries[usize::from(at)] = tables << 4 | LONGER;
                tables += 1;
            }
        }
        for (letter, n) in lengths.iter().enumerate() {
            let n = u32::from(*n);
            if n == 0 {
                continue;
            }
            let code = next[n as usize];
            next[n as usize] += 1;
            let code = ((code as u16).reverse_bits() >> (16 - n)) as usize;
            let entry = (letter as u32) << 4 | n;
            if n <= DIRECT {
                for at in (code..1 << DIRECT).step_by(1 << n) {
                    self.entries[at] = entry;
                }
            } else {
                let table = self.entries[code & ((1 << DIRECT) - 1)] >> 4;
                let base = (1 << DIRECT) + ((table as usize) << self.more);
                for at in (code >> DIRECT..1 << self.more).step_by(1 << (n - DIRECT)) {
                    self.entries[base + at] = entry;
                }
            }
        }
        true
    }

    /// The letter and the length of the code that `bits` begin with; no length: none.
    #[inline(always)]
    fn find(&self, bits: u64) -> (u32, u32) {
        let mut entry = self.entries[bits as usize & ((1 << DIRECT) - 1)];
        if entry & 15 == LONGER && self.more > 0 {
            let at = (bits >> DIRECT) as usize & ((1 << self.more) - 1);
            let base = (1 << DIRECT) + (((entry >> 4) as usize) << self.more);
            entry = self.entries[base + at];
        }
        (entry >> 4, entry & 15)
    }
}

/// Bits of the input from a place on.
struct Bits<'a> {
    input: &'a [u8],
    /// Of the next byte to be taken into `held`.
    at: usize,
    held: u64,
    count: u32,
}

impl Bits<'_> {
    /// Takes in what there is room for: at least 56 bits, or all.
    #[inline(always)]
    fn refill(&mut self) {
        if let Some(word) = self.input.get(self.at..self.at + 8) {
            let word = u64::from_le_bytes(word.try_into().unwrap_or_default());
            self.held |= word << self.count;
            let bytes = (63 - self.count) / 8;
            self.at += bytes as usize;
            self.count += bytes * 8;
            return;
        }
        while self.count < 56 && self.at < self.input.len() {
            self.held |= u64::from(self.input[self.at]) << self.count;
            self.at += 1;
            self.count += 8;
        }
    }

    /// How many bits of the input have been used.
    fn place(&self) -> usize {
        self.at * 8 - self.count as usize
    }

    #[inline(always)]
    fn skip(&mut self, n: u32) {
        self.held >>= n;
        self.count -= n;
    }
}

/// What a unit comes to.
enum Unit {
    Literal(u8),
    Match {
        length: usize,
        offset: usize,
    },
    End,
    Input,
    /// So many of its bits had been looked at.
    Corrupt(u32),
}

/// The decoder.
pub(super) struct Inflate<'a> {
    window: &'a mut [u8],
    literals: Table<'a>,
    offsets: Table<'a>,
    phase: Phase,
    is_last: bool,
    /// Where the next byte goes, and whether the window has been full.
    to: usize,
    is_full: bool,
    /// What is left of a match, or of a stored block.
    length: usize,
    offset: usize,
    /// The first bit of the input that has not been used.
    bit: usize,
}

/// What a call has come to.
pub(super) struct Progress {
    /// Bytes of the input that have been used, or looked at before it was found corrupt.
    pub(super) used: usize,
    pub(super) stop: Stop,
}

impl<'a> Inflate<'a> {
    /// From its words, which have to be as many as [`WORDS`]; the window as long as [`WINDOW`].
    pub(super) fn load(words: &'a mut [u32], window: &'a mut [u8]) -> (Inflate<'a>, &'a mut [u32]) {
        let (head, tables) = words.split_at_mut(HEAD);
        let (literals, offsets) = tables.split_at_mut(LITERAL_TABLE);
        let it = Inflate {
            literals: Table {
                min: head[0],
                more: head[1],
                entries: literals,
            },
            offsets: Table {
                min: head[2],
                more: head[3],
                entries: offsets,
            },
            phase: match head[4] {
                0 => Phase::Block,
                1 => Phase::Stored,
                2 => Phase::Codes,
                _ => Phase::Over,
            },
            is_last: head[5] != 0,
            to: head[6] as usize & (WINDOW - 1),
            is_full: head[7] != 0,
            length: head[8] as usize,
            offset: head[9] as usize,
            bit: head[10] as usize & 7,
            window,
        };
        (it, head)
    }

    pub(super) fn store(&self) -> [u32; 11] {
        [
            self.literals.min,
            self.literals.more,
            self.offsets.min,
            self.offsets.more,
            self.phase as u32,
            u32::from(self.is_last),
            self.to as u32,
            u32::from(self.is_full),
            self.length as u32,
            self.offset as u32,
            self.bit as u32,
        ]
    }

    /// Decodes `input` as far as possible. The window's first `to` bytes are new then, or, if it
    /// has been filled, all behind those that were there.
    pub(super) fn run(&mut self, input: &[u8]) -> Progress {
        loop {
            let stop = match self.phase {
                Phase::Block => self.header(input),
                Phase::Stored => self.copy_stored(input),
                Phase::Codes => self.codes(input),
                Phase::Over => Err(Stop::End),
            };
            let Err(stop) = stop else { continue };
            let used = match stop {
                Stop::End | Stop::Corrupt => self.bit.div_ceil(8),
                _ => self.bit / 8,
            };
            self.bit %= 8;
            if stop == Stop::End {
                self.bit = 0;
            }
            return Progress { used, stop };
        }
    }

    /// Where the next byte goes is the start again when the window is full.
    fn wrap(&mut self) {
        if self.to == WINDOW {
            self.to = 0;
            self.is_full = true;
        }
    }

    fn end_block(&mut self) -> Result<(), Stop> {
        self.phase = Phase::Block;
        if self.is_last {
            self.phase = Phase::Over;
            return Err(Stop::End);
        }
        Ok(())
    }

    fn bits<'b>(&self, input: &'b [u8]) -> Bits<'b> {
        let mut bits = Bits {
            input,
            at: self.bit / 8,
            held: 0,
            count: 0,
        };
        bits.refill();
        let skip = (self.bit % 8) as u32;
        if bits.count >= skip {
            bits.skip(skip);
        }
        bits
    }

    fn corrupt(&mut self, looked_at: usize) -> Result<(), Stop> {
        self.bit = looked_at;
        Err(Stop::Corrupt)
    }

    fn header(&mut self, input: &[u8]) -> Result<(), Stop> {
        let mut bits = self.bits(input);
        if bits.count < 3 || self.bit / 8 >= input.len() {
            return Err(Stop::Input);
        }
        let is_last = bits.held & 1 != 0;
        let kind = bits.held >> 1 & 3;
        bits.skip(3);
        match kind {
            0 => {
                let at = bits.place().div_ceil(8);
                let Some(lengths) = input.get(at..at + 4) else {
                    return Err(Stop::Input);
                };
                let length = u16::from_le_bytes([lengths[0], lengths[1]]);
                if length != !u16::from_le_bytes([lengths[2], lengths[3]]) {
                    return self.corrupt((at + 4) * 8);
                }
                self.is_last = is_last;
                self.bit = (at + 4) * 8;
                self.length = length.into();
                if length == 0 {
                    // Whoever flushed wants it to be seen.
                    self.end_block()?;
                    return Err(Stop::Show);
                }
                self.phase = Phase::Stored;
            }
            1 => {
                let mut lengths = [8; 288];
                lengths[144..256].fill(9);
                lengths[256..280].fill(7);
                self.literals.fill(&lengths);
                self.offsets.fill(&[5; 32]);
                self.is_last = is_last;
                self.bit = bits.place();
                self.phase = Phase::Codes;
                self.length = 0;
            }
            2 => {
                self.read_codes(&mut bits)?;
                self.is_last = is_last;
                self.bit = bits.place();
                self.phase = Phase::Codes;
                self.length = 0;
            }
            _ => {
                let looked_at = bits.place();
                return self.corrupt(looked_at);
            }
        }
        Ok(())
    }

    /// Reads the codes of a block.
    fn read_codes(&mut self, bits: &mut Bits<'_>) -> Result<(), Stop> {
        const ORDER: [usize; 19] = [
            16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15,
        ];
        let start = bits.place();
        bits.refill();
        if bits.count < 14 {
            return Err(Stop::Input);
        }
        let literals = (bits.held & 31) as usize + 257;
        let offsets = (bits.held >> 5 & 31) as usize + 1;
        let lengths = (bits.held >> 10 & 15) as usize + 4;
        if literals > MAX_LITERALS || offsets > MAX_OFFSETS {
            return self.corrupt(start + 14);
        }
        bits.skip(14);
        let mut sizes = [0; 19];
        for letter in &ORDER[..lengths] {
            bits.refill();
            if bits.count < 3 {
                return Err(Stop::Input);
            }
            sizes[*letter] = (bits.held & 7) as u8;
            bits.skip(3);
        }
        // The table for literals is free as yet.
        if !self.literals.fill(&sizes) {
            return self.corrupt(bits.place());
        }
        let mut all = [0; MAX_LITERALS + MAX_OFFSETS];
        let count = literals + offsets;
        let mut at = 0;
        while at < count {
            bits.refill();
            let (letter, n) = self.literals.find(bits.held);
            let need = n.max(self.literals.min);
            if bits.count < need {
                return Err(Stop::Input);
            }
            let looked_at = bits.place() + need as usize;
            if n == 0 {
                return self.corrupt(looked_at);
            }
            let (base, more, size) = match letter {
                0..16 => {
                    bits.skip(n);
                    all[at] = letter as u8;
                    at += 1;
                    continue;
                }
                16 if at == 0 => return self.corrupt(looked_at),
                16 => (3, 2, all[at - 1]),
                17 => (3, 3, 0),
                _ => (11, 7, 0),
            };
            if bits.count < n + more {
                return Err(Stop::Input);
            }
            bits.skip(n);
            let repeat = base + (bits.held & ((1 << more) - 1)) as usize;
            let looked_at = looked_at.max(bits.place() + more as usize);
            bits.skip(more);
            if at + repeat > count {
                return self.corrupt(looked_at);
            }
            all[at..at + repeat].fill(size);
            at += repeat;
        }
        let (own, rest) = all[..count].split_at(literals);
        if !self.literals.fill(own) || !self.offsets.fill(rest) {
            return self.corrupt(bits.place());
        }
        // So many bits must be there, since the end is still to come.
        self.literals.min = self.literals.min.max(own[256].into());
        Ok(())
    }

    fn copy_stored(&mut self, input: &[u8]) -> Result<(), Stop> {
        let from = self.bit / 8;
        let there = input.len().saturating_sub(from);
        let n = self.length.min(WINDOW - self.to).min(there);
        self.window[self.to..self.to + n].copy_from_slice(&input[from..from + n]);
        self.to += n;
        self.bit += 8 * n;
        self.length -= n;
        if self.to == WINDOW {
            self.wrap();
            return Err(Stop::Filled);
        }
        if self.length > 0 {
            return Err(Stop::Input);
        }
        self.end_block()
    }

    /// The next literal or match.
    #[inline(always)]
    fn unit(&self, bits: &mut Bits<'_>) -> Unit {
        bits.refill();
        let mut held = bits.held;
        let (letter, n) = self.literals.find(held);
        let mut need = n.max(self.literals.min);
        if bits.count < need {
            return Unit::Input;
        }
        if n == 0 {
            return Unit::Corrupt(need);
        }
        held >>= n;
        let mut used = n;
        let (base, more) = match letter {
            0..256 => {
                bits.skip(n);
                return Unit::Literal(letter as u8);
            }
            256 => {
                bits.skip(n);
                return Unit::End;
            }
            257..265 => (letter - 254, 0),
            265..285 => {
                let more = (letter - 261) / 4;
                (((((letter - 265) & 3) + 4) << more) + 3, more)
            }
            285 => (258, 0),
            _ => return Unit::Corrupt(need),
        };
        let length = base + (held & ((1 << more) - 1)) as u32;
        held >>= more;
        used += more;
        need = need.max(used);
        if bits.count < need {
            return Unit::Input;
        }
        let (letter, n) = self.offsets.find(held);
        need = need.max(used + n.max(self.offsets.min));
        if bits.count < need {
            return Unit::Input;
        }
        if n == 0 {
            return Unit::Corrupt(need);
        }
        held >>= n;
        used += n;
        let offset = match letter {
            0..4 => letter + 1,
            4..30 => {
                let more = (letter - 2) / 2;
                used += more;
                need = need.max(used);
                if bits.count < need {
                    return Unit::Input;
                }
                (((letter & 1) + 2) << more) + 1 + (held & ((1 << more) - 1)) as u32
            }
            _ => return Unit::Corrupt(need),
        };
        let has = if self.is_full { WINDOW } else { self.to };
        if offset as usize > has {
            return Unit::Corrupt(need);
        }
        bits.skip(used);
        Unit::Match {
            length: length as usize,
            offset: offset as usize,
        }
    }

    /// Copies what is left of a match, as far as the window goes.
    #[inline(always)]
    fn copy_match(&mut self) {
        let n = self.length.min(WINDOW - self.to);
        self.length -= n;
        let (to, end) = (self.to, self.to + n);
        self.to = end;
        if self.offset <= to && self.offset >= n {
            self.window
                .copy_within(to - self.offset..to - self.offset + n, to);
            return;
        }
        let mut from = to.wrapping_sub(self.offset) & (WINDOW - 1);
        for at in to..end {
            self.window[at] = self.window[from];
            from = (from + 1) & (WINDOW - 1);
        }
    }

    fn codes(&mut self, input: &[u8]) -> Result<(), Stop> {
        if self.length > 0 {
            self.copy_match();
            if self.to == WINDOW {
                self.wrap();
                return Err(Stop::Filled);
            }
        }
        let mut bits = self.bits(input);
        if self.bit / 8 >= input.len() {
            return Err(Stop::Input);
        }
        loop {
            let unit = self.unit(&mut bits);
            match unit {
                Unit::Literal(b) => {
                    self.window[self.to] = b;
                    self.to += 1;
                }
                Unit::Match { length, offset } => {
                    (self.length, self.offset) = (length, offset);
                    self.copy_match();
                }
                Unit::End => {
                    self.bit = bits.place();
                    return self.end_block();
                }
                Unit::Input => {
                    self.bit = bits.place();
                    return Err(Stop::Input);
                }
                Unit::Corrupt(looked_at) => {
                    let place = bits.place();
                    return self.corrupt(place + looked_at as usize);
                }
            }
            if self.to == WINDOW {
                self.bit = bits.place();
                self.wrap();
                return Err(Stop::Filled);
            }
        }
    }
}
