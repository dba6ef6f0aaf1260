//! Package `math/rand/v2`: the tables, ChaCha8, and the runtime's own randomness.
//!
//! Go: math/rand/v2, internal/chacha8rand.

use crate::math::rand::natives::tables;
use vm::native::Slice;

natives! {
    "runtimeRand" => |cx| { cx.m().p().rand.next() }
    "chacha8" => short alters(out) |cx, out: Slice<u64>, seed: Slice<u64>, counter: u32| {
        let (mut out, seed) = (out, seed.as_slice());
        out.as_mut_slice()
            .copy_from_slice(&chacha8([seed[0], seed[1], seed[2], seed[3]], counter));
    }
    "normalStrip" => |cx, i: i64| {
        tables::normal_strip(i as usize)
    }
    "exponentialStrip" => |cx, i: i64| {
        tables::exponential_strip(i as usize)
    }
}

/// Four blocks of ChaCha with eight rounds, numbered from `counter`, their words interleaved; of
/// the input only the seed is added in the end. Specification: <https://c2sp.org/chacha8rand>.
fn chacha8(seed: [u64; 4], counter: u32) -> [u64; 32] {
    fn mix(s: &mut [u32; 16], [a, b, c, d]: [usize; 4]) {
        for (x, y, z, by) in [(a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)] {
            s[x] = s[x].wrapping_add(s[y]);
            s[z] = (s[z] ^ s[x]).rotate_left(by);
        }
    }
    let mut out = [0; 32];
    for lane in 0..4 {
        let mut input = [0; 16];
        input[..4].copy_from_slice(&[0x6170_7865, 0x3320_646e, 0x7962_2d32, 0x6b20_6574]);
        for (i, word) in seed.iter().enumerate() {
            input[4 + 2 * i] = *word as u32;
            input[5 + 2 * i] = (*word >> 32) as u32;
        }
        input[12] = counter + lane as u32;
        let mut s = input;
        for _ in 0..4 {
            for i in 0..4 {
                mix(&mut s, [i, 4 + i, 8 + i, 12 + i]);
            }
            for i in 0..4 {
                mix(
                    &mut s,
                    [i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4],
                );
            }
        }
        for i in 0..16 {
            let word = if (4..12).contains(&i) {
                s[i].wrapping_add(input[i])
            } else {
                s[i]
            };
            out[2 * i + lane / 2] |= u64::from(word) << (32 * (lane % 2));
        }
    }
    out
}
