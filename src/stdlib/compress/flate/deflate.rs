//! Compression: finds what occurred before, a window at a time.
//!
//! The bytes are Go's at levels 5 and 6, which is the default, and at `HuffmanOnly` and
//! `NoCompression`; the other levels search as level 6 does.
//!
//! Go: compress/flate, deflate.go, deflatefast.go, level5.go, level6.go.

use super::huffman::{LITERALS, OFFSETS, Writer};
use super::tokens::{MAX_LENGTH, Tokens};

/// How far back a match may lie.
const MAX_OFFSET: i32 = 1 << 15;
/// Entries of the tables, as a power of two.
const TABLE_BITS: u32 = 15;
/// Bytes kept of what came before, and their windows.
pub(super) const HISTORY: usize = 5 * 65_535;
/// Places are renumbered before they reach this.
const RENUMBER: i32 = i32::MAX - HISTORY as i32 - 65_535;
/// Bytes at the end of a window that no search begins in.
const MARGIN: i32 = 12 - 1;
/// Windows that are shorter have literals only.
const SHORT: usize = 1 + 1 + MARGIN as usize;

/// Words of [`State`] as the Go source keeps it.
pub(super) const WORDS: usize = 8 + LITERALS + OFFSETS;

/// What goes on from window to window, besides the tables and the history.
pub(super) struct State {
    pub(super) writer: Writer,
    /// What is added to a place in the history before it goes into a table.
    base: i32,
    /// Bytes of the history in use.
    history: usize,
    /// It searches as level 5 does.
    is_quick: bool,
}

impl State {
    pub(super) fn load(words: &[u32]) -> State {
        let codes = words.get(8..WORDS).unwrap_or(&[0; LITERALS + OFFSETS]);
        let mut literals = [0; LITERALS];
        literals.copy_from_slice(&codes[..LITERALS]);
        let mut offsets = [0; OFFSETS];
        offsets.copy_from_slice(&codes[LITERALS..]);
        State {
            writer: Writer {
                out: Vec::new(),
                bits: u64::from(words[0]) | u64::from(words[1]) << 32,
                bit_count: words[2],
                header: words[3] as usize,
                only_literals: words[4] != 0,
                reluctance: words[5] & 0xff,
                literals,
                offsets,
            },
            base: words[6] as i32,
            history: words[7] as usize,
            is_quick: words[5] >> 8 == 5,
        }
    }

    pub(super) fn store(&self, words: &mut [u32]) {
        let w = &self.writer;
        words[..8].copy_from_slice(&[
            w.bits as u32,
            (w.bits >> 32) as u32,
            w.bit_count,
            w.header as u32,
            u32::from(w.only_literals),
            w.reluctance | if self.is_quick { 5 << 8 } else { 0 },
            self.base as u32,
            self.history as u32,
        ]);
        words[8..8 + LITERALS].copy_from_slice(&w.literals);
        words[8 + LITERALS..WORDS].copy_from_slice(&w.offsets);
    }
}

/// The last place of four bytes with a hash, and the last two of seven.
pub(super) struct Tables<'a> {
    pub(super) short: &'a mut [i32],
    pub(super) long: &'a mut [[i32; 2]],
}

impl Tables<'_> {
    fn put_long(&mut self, hash: usize, place: i32) {
        let long = &mut self.long[hash];
        *long = [place, long[0]];
    }

    /// Subtracts from all places, and forgets those that are out of reach.
    fn renumber(&mut self, oldest: i32, by: i32) {
        let all = self.short.iter_mut().chain(self.long.as_flattened_mut());
        for place in all {
            *place = if *place <= oldest { 0 } else { *place - by };
        }
    }
}

#[inline(always)]
fn load32(b: &[u8], i: i32) -> u32 {
    let i = i as usize;
    u32::from_le_bytes(b[i..i + 4].try_into().unwrap_or_default())
}

#[inline(always)]
fn load64(b: &[u8], i: i32) -> u64 {
    let i = i as usize;
    u64::from_le_bytes(b[i..i + 8].try_into().unwrap_or_default())
}

/// Of the first four bytes.
#[inline(always)]
fn hash4(v: u64) -> usize {
    ((v as u32).wrapping_mul(2_654_435_761) >> (32 - TABLE_BITS)) as usize
}

/// Of the first seven.
#[inline(always)]
fn hash7(v: u64) -> usize {
    ((v << 8).wrapping_mul(58_295_818_150_454_627) >> (64 - TABLE_BITS)) as usize
}

/// How many bytes from `s` on are as those from `t` on, which comes before; at most `max`.
#[inline(always)]
fn match_len(src: &[u8], s: i32, t: i32, max: usize) -> i32 {
    let (a, b) = (&src[s as usize..], &src[t as usize..]);
    let a = &a[..a.len().min(max)];
    let b = &b[..a.len()];
    let mut n = 0;
    let (aw, ta) = a.as_chunks::<8>();
    let (bw, tb) = b.as_chunks::<8>();
    for (x, y) in aw.iter().zip(bw) {
        let differ = u64::from_le_bytes(*x) ^ u64::from_le_bytes(*y);
        if differ != 0 {
            return n + (differ.trailing_zeros() / 8) as i32;
        }
        n += 8;
    }
    n + ta.iter().zip(tb).take_while(|(x, y)| x == y).count() as i32
}

/// At most as much as one token holds, four bytes being known already.
const LIMITED: usize = MAX_LENGTH as usize - 4;

impl State {
    /// Puts the window behind the history; where it begins.
    fn add(&mut self, history: &mut [u8], window: &[u8]) -> usize {
        if self.history + window.len() > history.len() {
            let by = self.history - MAX_OFFSET as usize;
            history.copy_within(by..self.history, 0);
            self.base += by as i32;
            self.history = MAX_OFFSET as usize;
        }
        let at = self.history;
        self.history += window.len();
        history[at..self.history].copy_from_slice(window);
        at
    }

    /// Finds the tokens of a window. None are found where there is nothing to gain.
    pub(super) fn search(
        &mut self,
        dst: &mut Tokens<'_>,
        tables: &mut Tables<'_>,
        history: &mut [u8],
        window: &[u8],
    ) {
        if self.base >= RENUMBER {
            let oldest = match self.history {
                0 => i32::MAX,
                n => self.base + n as i32 - MAX_OFFSET,
            };
            tables.renumber(oldest, self.base - MAX_OFFSET);
            self.base = MAX_OFFSET;
        }
        let start = self.add(history, window);
        if window.len() >= SHORT {
            let src = &history[..self.history];
            match self.is_quick {
                true => find::<true>(dst, tables, src, start as i32, self.base),
                false => find::<false>(dst, tables, src, start as i32, self.base),
            }
        }
    }
}

/// A match: it begins at `s` as at `t`, for `len` bytes.
struct Found {
    s: i32,
    t: i32,
    len: i32,
}

/// Is there a match of four bytes `v` between `s` and `t`?
#[inline(always)]
fn is_match(src: &[u8], v: u64, s: i32, t: i32) -> bool {
    s - t < MAX_OFFSET && v as u32 == load32(src, t)
}

/// The tokens of what comes from `start` on.
/// If `QUICK` it looks for less, and notes fewer places.
fn find<const QUICK: bool>(
    dst: &mut Tokens<'_>,
    tables: &mut Tables<'_>,
    src: &[u8],
    start: i32,
    base: i32,
) {
    let end = src.len() as i32;
    let limit = end - MARGIN;
    // What comes before it has its tokens.
    let mut done = start;
    let mut s = start;
    let mut repeat = 1;
    let mut v = load64(src, s);
    'search: loop {
        let mut next_s = s;
        let found = loop {
            let (short, long) = (hash4(v), hash7(v));
            s = next_s;
            // The longer nothing is found, the farther apart are the places that are looked at.
            next_s = s + 1 + ((s - done) >> if QUICK { 6 } else { 7 });
            if next_s > limit {
                break 'search;
            }
            let near = tables.short[short];
            let far = tables.long[long];
            let next = load64(src, next_s);
            tables.short[short] = s + base;
            tables.put_long(long, s + base);
            let (next_short, next_long) = (hash4(next), hash7(next));

            let t = far[0] - base;
            if s - t < MAX_OFFSET {
                if is_match(src, v, s, t) {
                    tables.short[next_short] = next_s + base;
                    tables.put_long(next_long, next_s + base);
                    let t2 = far[1] - base;
                    if is_match(src, v, s, t2) {
                        let len = match_len(src, s + 4, t + 4, LIMITED) + 4;
                        let len2 = match_len(src, s + 4, t2 + 4, LIMITED) + 4;
                        break match len2 > len {
                            true => Found {
                                s,
                                t: t2,
                                len: len2,
                            },
                            false => Found { s, t, len },
                        };
                    }
                    break Found { s, t, len: 0 };
                }
                let t = far[1] - base;
                if is_match(src, v, s, t) {
                    tables.short[next_short] = next_s + base;
                    tables.put_long(next_long, next_s + base);
                    break Found { s, t, len: 0 };
                }
            }
            let t = near - base;
            if is_match(src, v, s, t) {
                let mut best = Found {
                    s,
                    t,
                    len: match_len(src, s + 4, t + 4, LIMITED) + 4,
                };
                let far = tables.long[next_long];
                tables.short[next_short] = next_s + base;
                tables.put_long(next_long, next_s + base);

                // As far back as the last match, one byte later?
                let t2 = s - repeat + 1;
                if !QUICK && load32(src, t2) == (v >> 8) as u32 {
                    let len = match_len(src, s + 5, t2 + 4, LIMITED) + 4;
                    if len > best.len {
                        break Found {
                            s: s + 1,
                            t: t2,
                            len,
                        };
                    }
                }
                let t2 = far[0] - base;
                if next_s - t2 < MAX_OFFSET {
                    for t in [t2, far[1] - base] {
                        if is_match(src, next, next_s, t) {
                            let len = match_len(src, next_s + 4, t + 4, LIMITED) + 4;
                            if len > best.len {
                                best = Found { s: next_s, t, len };
                                if QUICK {
                                    break;
                                }
                            }
                        }
                    }
                }
                break best;
            }
            v = next;
        };
        let Found {
            s: at,
            mut t,
            len: mut l,
        } = found;
        s = at;
        if l == 0 {
            l = match_len(src, s + 4, t + 4, usize::MAX) + 4;
        } else if l == MAX_LENGTH as i32 {
            l += match_len(src, s + l, t + l, usize::MAX);
        }

        // What follows the match may belong to a longer one.
        let behind = s + l;
        if behind < limit && !(QUICK && l >= 30) {
            const SKIP: i32 = 2;
            let far = tables.long[hash7(load64(src, behind))];
            let s2 = s + SKIP;
            let t2 = far[0] - base - l + SKIP;
            if s2 - t2 < MAX_OFFSET {
                for far in &far[..if QUICK { 1 } else { 2 }] {
                    // The match so far counts, also one that this has found.
                    let t2 = far - base - l + SKIP;
                    let off = s2 - t2;
                    if 0 < off && off < MAX_OFFSET && t2 >= 0 {
                        let len = match_len(src, s2, t2, usize::MAX);
                        if len > l {
                            (s, t, l) = (s2, t2, len);
                        }
                    }
                }
            }
        }

        while t > 0 && s > done && src[t as usize - 1] == src[s as usize - 1] {
            (s, t, l) = (s - 1, t - 1, l + 1);
        }
        for b in &src[done as usize..s as usize] {
            dst.literal(*b);
        }
        dst.long_match(l as u32, (s - t) as u32);
        repeat = s - t;
        s += l;
        done = s;
        if next_s >= s {
            s = next_s + 1;
        }
        if QUICK {
            if s >= limit {
                break;
            }
            v = note(tables, src, s, l, base);
            continue;
        }
        if s >= limit {
            let mut i = next_s + 1;
            while i < end - 8 {
                let v = load64(src, i);
                tables.short[hash4(v)] = i + base;
                tables.put_long(hash7(v), i + base);
                i += 2;
            }
            break;
        }
        // Every other place within the match is noted for what has four bytes, each for seven.
        let mut i = next_s + 1;
        while i < s - 1 {
            let v = load64(src, i);
            tables.short[hash4(v)] = i + base;
            tables.put_long(hash7(v), i + base);
            tables.put_long(hash7(v >> 8), i + base + 1);
            i += 2;
        }
        v = load64(src, s);
    }
    if done < end && dst.len() > 0 {
        for b in &src[done as usize..] {
            dst.literal(*b);
        }
    }
}

/// Notes places within a match of length `l` before `s`, every third of them; what comes at `s`.
fn note(tables: &mut Tables<'_>, src: &[u8], s: i32, l: i32, base: i32) -> u64 {
    let mut i = s - l + 1;
    if i < s - 1 {
        let v = load64(src, i);
        tables.short[hash4(v)] = i + base;
        tables.put_long(hash7(v), i + base);
        tables.put_long(hash7(v >> 8), i + base + 1);
        tables.short[hash4(v >> 16)] = i + base + 2;
        i += 4;
        while i < s - 1 {
            let v = load64(src, i);
            tables.put_long(hash7(v), i + base);
            tables.short[hash4(v >> 8)] = i + base + 1;
            i += 3;
        }
    }
    let v = load64(src, s - 1);
    tables.short[hash4(v)] = s - 1 + base;
    tables.put_long(hash7(v), s - 1 + base);
    v >> 8
}
