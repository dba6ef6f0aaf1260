//! Decoding of a scan, a unit of blocks at a time: where the input ends in a unit, that is decoded
//! again when there is more.
//!
//! Go: image/jpeg, scan.go, huffman.go.

use super::ZIGZAG;
use super::dct::{Block, inverse};

/// Words of a table of codes: how many there are; for the first eight bits the value and the length
/// plus one; the values; and of each length the least code, the greatest, and where its values are.
pub(super) const TABLE: usize = 1 + 256 + 256 + 3 * 16;
/// Of the parameters: those of the scan, and of each of its components.
pub(super) const PARAMS: usize = HEAD + 4 * COMPONENT;
const HEAD: usize = 16;
const COMPONENT: usize = 8;

/// Why a scan stops; an error is one of the texts that the Go source has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stop {
    Done = 0,
    Input = 1,
    /// No zero follows 0xff.
    Marker = 2,
    Short = 3,
    BadCode = 4,
    NoTable = 5,
    BigFirst = 6,
    Unexpected = 7,
    TooMany = 8,
}

/// What goes on from unit to unit.
#[derive(Clone, Copy)]
struct State {
    unit: i32,
    held: u32,
    count: i32,
    /// Blocks that have no more coefficients.
    run: u16,
    blocks: i32,
    /// Bytes of the input that the last byte of bits took; 0: there is none to give back.
    last: usize,
    first: [i32; 4],
    at: usize,
}

struct Component {
    h: i32,
    v: i32,
    first: usize,
    rest: usize,
    /// Its first block among the coefficients, and how many are side by side.
    offset: i32,
    stride: i32,
    index: usize,
}

pub(super) struct Scan<'a> {
    params: &'a [i32],
    tables: &'a [i32],
    input: &'a [u8],
    /// No more input comes.
    is_end: bool,
    s: State,
}

impl<'a> Scan<'a> {
    pub(super) fn new(
        params: &'a [i32],
        tables: &'a [i32],
        input: &'a [u8],
        is_end: bool,
        state: &[i32; 10],
    ) -> Scan<'a> {
        let s = State {
            unit: state[0],
            held: state[1] as u32,
            count: state[2],
            run: state[3] as u16,
            blocks: state[4],
            last: state[5] as usize,
            first: [state[6], state[7], state[8], state[9]],
            at: 0,
        };
        Scan {
            params,
            tables,
            input,
            is_end,
            s,
        }
    }

    pub(super) fn store(&self, state: &mut [i32; 10]) -> usize {
        let s = &self.s;
        *state = [
            s.unit,
            s.held as i32,
            s.count,
            s.run.into(),
            s.blocks,
            s.last as i32,
            s.first[0],
            s.first[1],
            s.first[2],
            s.first[3],
        ];
        s.at
    }

    fn component(&self, i: usize) -> Component {
        let p = &self.params[HEAD + COMPONENT * i..][..COMPONENT];
        Component {
            h: p[0].max(1),
            v: p[1].max(1),
            first: p[2] as usize & 3,
            rest: 4 + (p[3] as usize & 3),
            offset: p[4],
            stride: p[5],
            index: p[6] as usize & 3,
        }
    }

    /// Decodes units as far as the parameters say.
    pub(super) fn run(&mut self, coefficients: &mut [i32]) -> Stop {
        let to = self.params[10];
        while self.s.unit < to {
            let before = self.s;
            let mut changed = Vec::with_capacity(10);
            match self.unit(coefficients, &mut changed) {
                Ok(()) => {
                    for (at, block) in changed {
                        coefficients[at..at + 64].copy_from_slice(&block);
                    }
                    self.s.unit += 1;
                }
                Err(Stop::Input) => {
                    self.s = before;
                    return Stop::Input;
                }
                Err(stop) => return stop,
            }
        }
        Stop::Done
    }

    fn unit(&mut self, coefficients: &[i32], out: &mut Vec<(usize, Block)>) -> Result<(), Stop> {
        let (across, width, height) = (self.params[0], self.params[2], self.params[3]);
        let components = self.params[4].clamp(0, 4) as usize;
        let is_progressive = self.params[9] != 0;
        let (x, y) = (self.s.unit % across, self.s.unit / across);
        for i in 0..components {
            let c = self.component(i);
            for j in 0..c.h * c.v {
                let (bx, mut by);
                if components != 1 {
                    (bx, by) = (c.h * x + j % c.h, c.v * y + j / c.h);
                } else {
                    let row = across * c.h;
                    (bx, by) = (self.s.blocks % row, self.s.blocks / row);
                    self.s.blocks += 1;
                    if bx * 8 >= width || by * 8 >= height {
                        continue;
                    }
                }
                if !is_progressive {
                    // Only the blocks of this row of units are there.
                    by -= c.v * y;
                }
                let at = 64 * (c.offset + by * c.stride + bx) as usize;
                let Some(block) = coefficients.get(at..at + 64) else {
                    continue;
                };
                let mut block: Block = block.try_into().unwrap_or([0; 64]);
                if !is_progressive {
                    block = [0; 64];
                }
                self.block(&c, &mut block)?;
                out.push((at, block));
            }
        }
        Ok(())
    }

    fn block(&mut self, c: &Component, b: &mut Block) -> Result<(), Stop> {
        let (start, end) = (self.params[5], self.params[6].min(63));
        let (high, low) = (self.params[7], self.params[8] as u32 & 31);
        if high != 0 {
            return self.refine(c, b, start, end, 1 << low);
        }
        let mut zig = start;
        if zig == 0 {
            zig = 1;
            let size = self.code(c.first)?;
            if size > 16 {
                return Err(Stop::BigFirst);
            }
            let by = self.extended(size.into())?;
            let first = &mut self.s.first[c.index];
            *first = first.wrapping_add(by);
            b[0] = *first << low;
        }
        if zig <= end && self.s.run > 0 {
            self.s.run -= 1;
            return Ok(());
        }
        while zig <= end {
            let value = self.code(c.rest)?;
            let (skip, size) = (value >> 4, value & 15);
            if size != 0 {
                zig += i32::from(skip);
                if zig > end {
                    break;
                }
                b[ZIGZAG[zig as usize]] = self.extended(size.into())? << low;
            } else {
                if skip != 15 {
                    self.begin_run(skip)?;
                    self.s.run -= 1;
                    break;
                }
                zig += 15;
            }
            zig += 1;
        }
        Ok(())
    }

    /// So many blocks, counting from this one, have no more coefficients.
    fn begin_run(&mut self, bits: u8) -> Result<(), Stop> {
        self.s.run = 1 << bits;
        if bits != 0 {
            self.s.run |= self.bits(bits.into())? as u16;
        }
        Ok(())
    }

    /// Adds a bit to the coefficients that there are, and finds new ones.
    fn refine(
        &mut self,
        c: &Component,
        b: &mut Block,
        start: i32,
        end: i32,
        delta: i32,
    ) -> Result<(), Stop> {
        if start == 0 {
            if self.bit()? {
                b[0] |= delta;
            }
            return Ok(());
        }
        let mut zig = start;
        if self.s.run == 0 {
            while zig <= end {
                let value = self.code(c.rest)?;
                let (skip, size) = (value >> 4, value & 15);
                let mut fresh = 0;
                match size {
                    0 if skip != 15 => {
                        self.begin_run(skip)?;
                        break;
                    }
                    0 => {}
                    1 => fresh = if self.bit()? { delta } else { -delta },
                    _ => return Err(Stop::Unexpected),
                }
                zig = self.refine_some(b, zig, end, skip.into(), delta)?;
                if zig > end {
                    return Err(Stop::TooMany);
                }
                if fresh != 0 {
                    b[ZIGZAG[zig as usize]] = fresh;
                }
                zig += 1;
            }
        }
        if self.s.run > 0 {
            self.s.run -= 1;
            self.refine_some(b, zig, end, -1, delta)?;
        }
        Ok(())
    }

    /// Refines coefficients until so many zeros have been passed over; where the next is.
    fn refine_some(
        &mut self,
        b: &mut Block,
        mut zig: i32,
        end: i32,
        mut zeros: i32,
        delta: i32,
    ) -> Result<i32, Stop> {
        while zig <= end {
            let v = &mut b[ZIGZAG[zig as usize]];
            if *v == 0 {
                if zeros == 0 {
                    break;
                }
                zeros -= 1;
            } else if self.bit()? {
                *v = v.wrapping_add(if *v >= 0 { delta } else { -delta });
            }
            zig += 1;
        }
        Ok(zig)
    }

    /// Takes bytes until there are so many bits.
    fn need(&mut self, bits: i32) -> Result<(), Stop> {
        while self.s.count < bits {
            let rest = &self.input[self.s.at.min(self.input.len())..];
            let (b, n) = match *rest {
                [0xff, 0, ..] => (0xff, 2),
                [0xff, _, ..] => return Err(Stop::Marker),
                [0xff] | [] if !self.is_end => return Err(Stop::Input),
                [0xff] | [] => return Err(Stop::Short),
                [b, ..] => (b, 1),
            };
            self.s.held = self.s.held << 8 | u32::from(b);
            self.s.count += 8;
            self.s.at += n;
            self.s.last = n;
        }
        Ok(())
    }

    fn bits(&mut self, n: i32) -> Result<u32, Stop> {
        self.need(n)?;
        self.s.count -= n;
        Ok(self.s.held >> self.s.count & ((1 << n) - 1))
    }

    fn bit(&mut self) -> Result<bool, Stop> {
        Ok(self.bits(1)? != 0)
    }

    /// A number of so many bits; the lower half of those stands for negative ones.
    fn extended(&mut self, n: i32) -> Result<i32, Stop> {
        if n == 0 {
            return Ok(0);
        }
        let v = self.bits(n)? as i32;
        Ok(if v >> (n - 1) == 0 {
            v - (1 << n) + 1
        } else {
            v
        })
    }

    fn code(&mut self, table: usize) -> Result<u8, Stop> {
        let table = &self.tables[TABLE * table..][..TABLE];
        if table[0] == 0 {
            return Err(Stop::NoTable);
        }
        // At the end there may be fewer bits than are looked at.
        let there = match self.need(8) {
            Err(Stop::Input) => return Err(Stop::Input),
            there => there.is_ok(),
        };
        if there {
            let known = table[1 + (self.s.held >> (self.s.count - 8) & 0xff) as usize];
            if known != 0 {
                self.s.count -= (known & 0xff) - 1;
                return Ok((known >> 8) as u8);
            }
        }
        let (values, lengths) = table[1 + 256..].split_at(256);
        let mut code = 0;
        for i in 0..16 {
            code = code << 1 | self.bits(1)? as i32;
            if code <= lengths[16 + i] {
                let at = lengths[32 + i] + code - lengths[i];
                return Ok(values.get(at as usize).map_or(0, |v| *v as u8));
            }
        }
        Err(Stop::BadCode)
    }
}

/// Where blocks go.
pub(super) struct Place {
    pub(super) stride: usize,
    /// Blocks side by side among the coefficients, and how many of them, and rows, count.
    pub(super) across: usize,
    pub(super) width: usize,
    pub(super) rows: usize,
    /// The first row.
    pub(super) from: usize,
    /// How often each sample is repeated.
    pub(super) h: usize,
    pub(super) v: usize,
}

/// Makes samples of coefficients.
pub(super) fn reconstruct(coefficients: &[i32], quant: &[i32; 64], to: &mut [u8], p: &Place) {
    for y in 0..p.rows {
        for x in 0..p.width {
            let at = 64 * (y * p.across + x);
            let Some(b) = coefficients.get(at..at + 64) else {
                return;
            };
            let mut b: Block = b.try_into().unwrap_or([0; 64]);
            for (zig, q) in quant.iter().enumerate() {
                let v = &mut b[ZIGZAG[zig]];
                *v = v.wrapping_mul(*q);
            }
            inverse(&mut b);
            let first = 8 * ((y + p.from) * p.v * p.stride + x * p.h);
            for (i, v) in b.iter().enumerate() {
                let v = v.wrapping_add(128).clamp(0, 255) as u8;
                let (sx, sy) = (i % 8 * p.h, i / 8 * p.v);
                for row in sy..sy + p.v {
                    let at = first + row * p.stride + sx;
                    if let Some(to) = to.get_mut(at..at + p.h) {
                        to.fill(v);
                    }
                }
            }
        }
    }
}
