//! Coding of blocks, with the tables that the standard gives as examples.
//!
//! Go: image/jpeg, writer.go.

use super::ZIGZAG;
use super::dct::{Block, forward};

/// How many codes of each length there are, and for which values.
pub(super) type Spec = ([u8; 16], &'static [u8]);

/// For the first coefficients and the others, of brightness and of color.
pub(super) static SPECS: [Spec; 4] = [
    (
        [0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0],
        &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
    ),
    (
        [0, 2, 1, 3, 3, 2, 4, 3, 5, 5, 4, 4, 0, 0, 1, 125],
        b"\x01\x02\x03\x00\x04\x11\x05\x12\x21\x31\x41\x06\x13\x51\x61\x07\
        \x22\x71\x14\x32\x81\x91\xa1\x08\x23\x42\xb1\xc1\x15\x52\xd1\xf0\
        \x24\x33\x62\x72\x82\x09\x0a\x16\x17\x18\x19\x1a\x25\x26\x27\x28\
        \x29\x2a\x34\x35\x36\x37\x38\x39\x3a\x43\x44\x45\x46\x47\x48\x49\
        \x4a\x53\x54\x55\x56\x57\x58\x59\x5a\x63\x64\x65\x66\x67\x68\x69\
        \x6a\x73\x74\x75\x76\x77\x78\x79\x7a\x83\x84\x85\x86\x87\x88\x89\
        \x8a\x92\x93\x94\x95\x96\x97\x98\x99\x9a\xa2\xa3\xa4\xa5\xa6\xa7\
        \xa8\xa9\xaa\xb2\xb3\xb4\xb5\xb6\xb7\xb8\xb9\xba\xc2\xc3\xc4\xc5\
        \xc6\xc7\xc8\xc9\xca\xd2\xd3\xd4\xd5\xd6\xd7\xd8\xd9\xda\xe1\xe2\
        \xe3\xe4\xe5\xe6\xe7\xe8\xe9\xea\xf1\xf2\xf3\xf4\xf5\xf6\xf7\xf8\
        \xf9\xfa",
    ),
    (
        [0, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0],
        &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
    ),
    (
        [0, 2, 1, 2, 4, 4, 3, 4, 7, 5, 4, 4, 0, 1, 2, 119],
        b"\x00\x01\x02\x03\x11\x04\x05\x21\x31\x06\x12\x41\x51\x07\x61\x71\
        \x13\x22\x32\x81\x08\x14\x42\x91\xa1\xb1\xc1\x09\x23\x33\x52\xf0\
        \x15\x62\x72\xd1\x0a\x16\x24\x34\xe1\x25\xf1\x17\x18\x19\x1a\x26\
        \x27\x28\x29\x2a\x35\x36\x37\x38\x39\x3a\x43\x44\x45\x46\x47\x48\
        \x49\x4a\x53\x54\x55\x56\x57\x58\x59\x5a\x63\x64\x65\x66\x67\x68\
        \x69\x6a\x73\x74\x75\x76\x77\x78\x79\x7a\x82\x83\x84\x85\x86\x87\
        \x88\x89\x8a\x92\x93\x94\x95\x96\x97\x98\x99\x9a\xa2\xa3\xa4\xa5\
        \xa6\xa7\xa8\xa9\xaa\xb2\xb3\xb4\xb5\xb6\xb7\xb8\xb9\xba\xc2\xc3\
        \xc4\xc5\xc6\xc7\xc8\xc9\xca\xd2\xd3\xd4\xd5\xd6\xd7\xd8\xd9\xda\
        \xe2\xe3\xe4\xe5\xe6\xe7\xe8\xe9\xea\xf2\xf3\xf4\xf5\xf6\xf7\xf8\
        \xf9\xfa",
    ),
];

/// Of each value its code and how long that is.
type Codes = [(u32, u32); 256];

fn codes(spec: &Spec) -> Codes {
    let mut codes = [(0, 0); 256];
    let mut values = spec.1.iter();
    let mut code = 0;
    for (bits, count) in (1..).zip(spec.0) {
        for value in values.by_ref().take(count.into()) {
            codes[usize::from(*value)] = (code, bits);
            code += 1;
        }
        code <<= 1;
    }
    codes
}

/// What is written, and the bits that fill no byte.
struct Bits {
    out: Vec<u8>,
    held: u32,
    count: u32,
}

impl Bits {
    fn put(&mut self, value: u32, count: u32) {
        self.held = self.held << count | value;
        self.count += count;
        while self.count >= 8 {
            self.count -= 8;
            let b = (self.held >> self.count) as u8;
            self.out.push(b);
            if b == 0xff {
                // It could be taken for a marker.
                self.out.push(0);
            }
        }
        self.held &= (1 << self.count) - 1;
    }

    /// A value behind a run of zeros: how many bits it has, and those.
    fn value(&mut self, codes: &Codes, run: u32, v: i32) {
        let size = 32 - v.unsigned_abs().leading_zeros();
        let (code, bits) = codes[(run << 4 | size) as usize & 0xff];
        self.put(code, bits);
        let low = if v < 0 { v - 1 } else { v };
        self.put(low as u32 & ((1 << size) - 1), size);
    }
}

/// To the nearest whole number, halves away from zero.
fn divide(a: i32, b: i32) -> i32 {
    let half = if a < 0 { -(b >> 1) } else { b >> 1 };
    (a + half) / b
}

/// Pixels as they come: how many bytes each has, and what they are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Pixels {
    /// Brightness, of one byte.
    Gray,
    /// Red, green, blue and a byte that does not count.
    Rgb,
    /// Brightness, the two of color, and a byte that does not count.
    YCbCr,
}

/// Brightness and color of red, green and blue.
fn to_ycbcr([r, g, b]: [u8; 3]) -> [i32; 3] {
    const HALF: i32 = 1 << 15;
    let (r, g, b) = (i32::from(r), i32::from(g), i32::from(b));
    let clamp = |v: i32| {
        if v as u32 >> 24 == 0 {
            v >> 16
        } else {
            !(v >> 31) & 0xff
        }
    };
    [
        (19_595 * r + 38_470 * g + 7_471 * b + HALF) >> 16,
        clamp(-11_056 * r - 21_712 * g + 32_768 * b + 257 * HALF),
        clamp(32_768 * r - 27_440 * g - 5_328 * b + 257 * HALF),
    ]
}

/// Rows of pixels, which go on beyond their end with the last.
struct Strip<'a> {
    pixels: &'a [u8],
    kind: Pixels,
    width: usize,
}

impl Strip<'_> {
    fn at(&self, x: usize, y: usize) -> [i32; 3] {
        let x = x.min(self.width - 1);
        if self.kind == Pixels::Gray {
            return [self.pixels[y * self.width + x].into(), 0, 0];
        }
        let p = &self.pixels[4 * (y * self.width + x)..];
        let p = [p[0], p[1], p[2]];
        match self.kind {
            Pixels::Rgb => to_ycbcr(p),
            _ => p.map(i32::from),
        }
    }

    /// The three blocks that begin there.
    fn blocks(&self, x: usize, y: usize) -> [Block; 3] {
        let mut out = [[0; 64]; 3];
        for i in 0..64 {
            let p = self.at(x + i % 8, y + i / 8);
            for (block, v) in out.iter_mut().zip(p) {
                block[i] = v;
            }
        }
        out
    }
}

/// A coder of blocks.
struct Coder<'a> {
    bits: Bits,
    codes: [Codes; 4],
    quant: &'a [u8],
    /// The last first coefficient of each component.
    last: [i32; 3],
}

impl Coder<'_> {
    fn block(&mut self, mut b: Block, component: usize) {
        let table = component.min(1);
        let quant = &self.quant[64 * table..][..64];
        let (first, rest) = (&self.codes[2 * table], &self.codes[2 * table + 1]);
        forward(&mut b);
        let dc = divide(b[0], 8 * i32::from(quant[0]));
        self.bits.value(first, 0, dc - self.last[component]);
        self.last[component] = dc;
        let mut run = 0;
        for zig in 1..64 {
            let ac = divide(b[ZIGZAG[zig]], 8 * i32::from(quant[zig]));
            if ac == 0 {
                run += 1;
                continue;
            }
            while run > 15 {
                self.bits.put(rest[0xf0].0, rest[0xf0].1);
                run -= 16;
            }
            self.bits.value(rest, run, ac);
            run = 0;
        }
        if run > 0 {
            self.bits.put(rest[0].0, rest[0].1);
        }
    }
}

/// Four blocks as one, each of whose samples is the mean of four.
fn shrunk(four: &[Block; 4]) -> Block {
    let mut out = [0; 64];
    for (i, b) in four.iter().enumerate() {
        let at = (i & 2) << 4 | (i & 1) << 2;
        for y in 0..4 {
            for x in 0..4 {
                let j = 16 * y + 2 * x;
                out[8 * y + x + at] = (b[j] + b[j + 1] + b[j + 8] + b[j + 9] + 2) >> 2;
            }
        }
    }
    out
}

/// Codes a strip of pixels: 8 rows of grays, 16 of others. `state` are the bits held, their number,
/// and the last first coefficient of each component.
pub(super) fn strip(
    state: &mut [i32; 5],
    quant: &[u8],
    pixels: &[u8],
    kind: Pixels,
    width: usize,
) -> Vec<u8> {
    let mut c = Coder {
        bits: Bits {
            out: Vec::new(),
            held: state[0] as u32,
            count: state[1] as u32,
        },
        codes: [0, 1, 2, 3].map(|i| codes(&SPECS[i])),
        quant,
        last: [state[2], state[3], state[4]],
    };
    let strip = Strip {
        pixels,
        kind,
        width,
    };
    if kind == Pixels::Gray {
        for x in (0..width).step_by(8) {
            let [b, ..] = strip.blocks(x, 0);
            c.block(b, 0);
        }
    } else {
        for x in (0..width).step_by(16) {
            let (mut cb, mut cr) = ([[0; 64]; 4], [[0; 64]; 4]);
            for i in 0..4 {
                let [b, u, v] = strip.blocks(x + (i & 1) * 8, (i & 2) * 4);
                (cb[i], cr[i]) = (u, v);
                c.block(b, 0);
            }
            c.block(shrunk(&cb), 1);
            c.block(shrunk(&cr), 2);
        }
    }
    *state = [
        c.bits.held as i32,
        c.bits.count as i32,
        c.last[0],
        c.last[1],
        c.last[2],
    ];
    c.bits.out
}
