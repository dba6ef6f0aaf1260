//! Package `compress/bzip2`: blocks; the rest is Go.
//!
//! Go: compress/bzip2.

use vm::fenced;
use vm::native::{GoStr, Slice};

/// Letters that stand for a number of repetitions, in a way of writing numbers with two digits.
const RUNS: u16 = 2;
/// Bytes of a block coded with one tree.
const GROUP: usize = 50;
/// A run may not be longer.
const MAX_RUN: usize = 2 * 1024 * 1024;

/// What ends decoding: what is wrong with the data, or [`SHORT`].
type Bad = &'static str;
const SHORT: Bad = "short";

/// Bits of the input, the highest of a byte first.
struct Bits<'a> {
    input: &'a [u8],
    at: usize,
}

impl Bits<'_> {
    #[inline(always)]
    fn bit(&mut self) -> Result<usize, Bad> {
        let b = self.input.get(self.at / 8).ok_or(SHORT)?;
        let bit = b >> (7 - self.at % 8) & 1;
        self.at += 1;
        Ok(bit.into())
    }

    fn number(&mut self, bits: u32) -> Result<usize, Bad> {
        (0..bits).try_fold(0, |n, _| Ok(n << 1 | self.bit()?))
    }
}

/// Where a bit leads: to another node, or to a letter.
#[derive(Clone, Copy)]
enum Node {
    Inner(u16),
    Letter(u16),
}

/// A tree of codes. Where a prefix has one continuation only, it is passed over.
struct Tree(Vec<[Node; 2]>);

impl Tree {
    fn new(lengths: &[u8]) -> Result<Tree, Bad> {
        let mut letters: Vec<(u8, u16)> = lengths.iter().copied().zip(0..).collect();
        letters.sort_unstable();
        // From the longest code on, each as far behind the last as its length says.
        let mut code = 0u32;
        let mut codes: Vec<(u32, u16)> = Vec::with_capacity(letters.len());
        for (length, letter) in letters.iter().rev() {
            codes.push((code, *letter));
            code = code.wrapping_add(1 << (32 - u32::from(*length)));
        }
        // Where codes overflow, equal ones end as an error, in whatever order.
        codes.sort_by_key(|c| c.0);
        let mut tree = Tree(Vec::with_capacity(codes.len()));
        tree.build(&codes, 0)?;
        Ok(tree)
    }

    /// The node for codes that begin alike, up to bit `level`.
    fn build(&mut self, codes: &[(u32, u16)], mut level: u32) -> Result<u16, Bad> {
        let split = loop {
            let split = codes.iter().position(|c| c.0 & (1 << (31 - level)) != 0);
            let split = split.unwrap_or(codes.len());
            if split > 0 && split < codes.len() {
                break split;
            }
            if codes.len() < 2 {
                return Err("empty Huffman tree");
            }
            if level == 31 {
                return Err("equal symbols in Huffman tree");
            }
            level += 1;
        };
        let at = self.0.len();
        self.0.push([Node::Letter(0); 2]);
        for (side, part) in [(1, &codes[..split]), (0, &codes[split..])] {
            self.0[at][side] = match part {
                [(_, letter)] => Node::Letter(*letter),
                _ if level == 31 => return Err("equal symbols in Huffman tree"),
                _ => Node::Inner(self.build(part, level + 1)?),
            };
        }
        Ok(at as u16)
    }

    #[inline(always)]
    fn letter(&self, bits: &mut Bits<'_>) -> Result<u16, Bad> {
        let mut at = 0;
        loop {
            match self.0[at][bits.bit()?] {
                Node::Inner(next) => at = next.into(),
                Node::Letter(letter) => return Ok(letter),
            }
        }
    }
}

/// A block that has been read.
struct Block {
    bits: usize,
    len: usize,
    start: u32,
    sum: u32,
}

/// Reads a block into `table`: an entry is a byte, and above it the place of what follows.
fn block(table: &mut [u32], input: &[u8], bit: usize) -> Result<Block, Bad> {
    let mut bits = Bits { input, at: bit };
    let sum = bits.number(32)? as u32;
    if bits.number(1)? != 0 {
        return Err("deprecated randomized files");
    }
    let first = bits.number(24)?;
    let ranges = bits.number(16)?;
    let mut bytes = Vec::new();
    for range in (0..16).filter(|i| ranges & (1 << (15 - i)) != 0) {
        let set = bits.number(16)?;
        let here = (0..16u8).filter(|i| set & (1 << (15 - i)) != 0);
        bytes.extend(here.map(|i| 16 * range + i));
    }
    if bytes.is_empty() {
        return Err("no symbols in input");
    }
    let trees = bits.number(3)?;
    if !(2..=6).contains(&trees) {
        return Err("invalid number of Huffman trees");
    }
    let count = bits.number(15)?;
    let mut recent: Vec<u8> = (0..trees as u8).collect();
    let mut choice = Vec::with_capacity(count);
    for _ in 0..count {
        let mut c = 0;
        while bits.bit()? != 0 {
            c += 1;
        }
        if c >= trees {
            return Err("tree index too large");
        }
        recent[..=c].rotate_right(1);
        choice.push(recent[0]);
    }
    let letters = bytes.len() + usize::from(RUNS);
    let mut forest = Vec::with_capacity(trees);
    for _ in 0..trees {
        let mut length = bits.number(5)?;
        let mut lengths = vec![0; letters];
        for to in &mut lengths {
            loop {
                if !(1..=20).contains(&length) {
                    return Err("Huffman length out of range");
                }
                if bits.bit()? == 0 {
                    break;
                }
                length = if bits.bit()? != 0 {
                    length - 1
                } else {
                    length + 1
                };
            }
            *to = length as u8;
        }
        forest.push(Tree::new(&lengths)?);
    }
    if choice.is_empty() {
        return Err("no tree selectors given");
    }

    let (mut len, mut run, mut digit) = (0, 0, 0);
    let mut counts = [0u32; 256];
    let mut choices = choice.iter();
    'groups: loop {
        let Some(tree) = choices.next() else {
            return Err("insufficient selector indices for number of symbols");
        };
        let tree = &forest[usize::from(*tree)];
        for _ in 0..GROUP {
            let letter = tree.letter(&mut bits)?;
            if letter < RUNS {
                if run == 0 {
                    digit = 1;
                }
                run += digit << letter;
                digit <<= 1;
                if run > MAX_RUN {
                    return Err("repeat count too large");
                }
                continue;
            }
            if run > 0 {
                if run > table.len() - len {
                    return Err("repeats past end of block");
                }
                table[len..len + run].fill(bytes[0].into());
                counts[usize::from(bytes[0])] += run as u32;
                len += run;
                run = 0;
            }
            if usize::from(letter) == letters - 1 {
                break 'groups;
            }
            bytes[..usize::from(letter)].rotate_right(1);
            if len >= table.len() {
                return Err("data exceeds block size");
            }
            table[len] = bytes[0].into();
            counts[usize::from(bytes[0])] += 1;
            len += 1;
        }
    }
    if first >= len {
        return Err("origPtr out of bounds");
    }
    // Sorting is undone: what follows the nth of equal bytes is the nth that begins so.
    let mut next = 0;
    for c in &mut counts {
        next += std::mem::replace(c, next);
    }
    for i in 0..len {
        let to = &mut counts[table[i] as usize & 0xff];
        table[*to as usize] |= (i as u32) << 8;
        *to += 1;
    }
    Ok(Block {
        bits: bits.at - bit,
        len,
        start: table[first] >> 8,
        sum,
    })
}

/// The table of the checksum.
static SUMS: [u32; 256] = {
    let mut table = [0; 256];
    let mut i = 0;
    while i < 256 {
        let (mut sum, mut bits) = ((i as u32) << 24, 8);
        while bits > 0 {
            sum = (sum << 1) ^ (0x04c1_1db7 * (sum >> 31));
            bits -= 1;
        }
        table[i] = sum;
        i += 1;
    }
    table
};

/// Fills `out` with the bytes of a block, after four equal ones of which the next says how many
/// more there are. The state: what comes next, how many have been used, the last byte and one, how
/// many before it are the same, how often it is still to be repeated, and the checksum.
fn unfold(state: &mut [u32; 6], table: &[u32], out: &mut [u8]) -> usize {
    let [next, used, last, same, repeats, sum] = state;
    let mut n = 0;
    while n < out.len() {
        if *repeats > 0 {
            let many = (*repeats as usize).min(out.len() - n);
            out[n..n + many].fill((*last - 1) as u8);
            n += many;
            *repeats -= many as u32;
            if *repeats == 0 {
                *last = 0;
            }
            continue;
        }
        let Some(entry) = table
            .get(*next as usize)
            .filter(|_| (*used as usize) < table.len())
        else {
            break;
        };
        let b = *entry as u8;
        *next = *entry >> 8;
        *used += 1;
        if *same == 3 {
            *repeats = b.into();
            *same = 0;
            continue;
        }
        *same = if *last == u32::from(b) + 1 {
            *same + 1
        } else {
            0
        };
        *last = u32::from(b) + 1;
        out[n] = b;
        n += 1;
    }
    let crc = out[..n].iter().fold(!*sum, |crc, b| {
        crc << 8 ^ SUMS[(crc >> 24) as usize ^ usize::from(*b)]
    });
    *sum = !crc;
    n
}

natives! {
    "block" => fenced untouched(table) untouched(input) |
        cx,
        table: Slice<u32>,
        input: Slice<u8>,
        bit: i64,
    | {
        let mut table = table;
        let (into, input) = (table.as_mut_slice(), input.as_slice());
        let work = input.len();
        let read = fenced!(cx, work, || block(into, input, bit as usize));
        match read {
            Ok(b) => (b.bits as i64, b.len as i64, i64::from(b.start), b.sum, GoStr::EMPTY),
            Err(bad) => (0, 0, 0, 0, GoStr::from_static(bad)),
        }
    }
    "unfold" => fenced untouched(state) untouched(table) follows(out) |
        cx,
        state: Slice<u32>,
        table: Slice<u32>,
        out: Slice<u8>,
    | {
        let (mut state, mut out) = (state, out);
        let Ok(mut now) = <[u32; 6]>::try_from(state.as_slice()) else {
            return 0;
        };
        let (table, out) = (table.as_slice(), out.as_mut_slice());
        let n = fenced!(cx, out.len(), || unfold(&mut now, table, out));
        state.as_mut_slice().copy_from_slice(&now);
        cx.touches(out.as_ptr(), n, true);
        n as i64
    }
}
