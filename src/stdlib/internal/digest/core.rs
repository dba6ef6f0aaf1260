//! Digests: the functions that take in whole blocks, state and bytes in, state out; and cyclic
//! redundancy checks. They run in fences, so they compute and nothing else.
//!
//! Go: crypto/sha256, crypto/sha1, crypto/md5, hash/crc32. FIPS 180-4; RFC 1321.

/// Bytes of a block of all three digests.
pub const BLOCK: usize = 64;

/// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
/// FIPS 180-4, 4.2.2.
const K256: [u32; 64] = cube_roots();

/// The first 64 primes.
const fn primes() -> [u64; 64] {
    let mut out = [0; 64];
    let (mut n, mut found) = (2, 0);
    while found < 64 {
        let (mut d, mut prime) = (2, true);
        while d * d <= n {
            if n % d == 0 {
                prime = false;
            }
            d += 1;
        }
        if prime {
            out[found] = n;
            found += 1;
        }
        n += 1;
    }
    out
}

const fn cube_roots() -> [u32; 64] {
    let primes = primes();
    let mut out = [0; 64];
    let mut i = 0;
    while i < 64 {
        // The largest r with r³ <= p·2⁹⁶: the root in units of 2⁻³².
        let (mut lo, mut hi) = (0u128, 8u128 << 32);
        let target = primes[i] as u128;
        while hi - lo > 1 {
            let mid = (lo + hi) / 2;
            // mid³ has up to 105 bits.
            if mid * mid * mid <= target << 96 {
                lo = mid;
            } else {
                hi = mid;
            }
        }
        out[i] = lo as u32;
        i += 1;
    }
    out
}

fn words_be(block: &[u8; BLOCK]) -> [u32; 16] {
    std::array::from_fn(|i| {
        u32::from_be_bytes([
            block[4 * i],
            block[4 * i + 1],
            block[4 * i + 2],
            block[4 * i + 3],
        ])
    })
}

/// SHA-256's state after the whole blocks of `data`. FIPS 180-4, 6.2.2.
pub fn sha256(mut h: [u32; 8], data: &[u8]) -> [u32; 8] {
    for block in data.as_chunks::<BLOCK>().0 {
        let mut w = words_be(block);
        let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut k] = h;
        for t in 0..64 {
            if t >= 16 {
                let (x, y) = (w[(t + 1) % 16], w[(t + 14) % 16]);
                let s0 = x.rotate_right(7) ^ x.rotate_right(18) ^ x >> 3;
                let s1 = y.rotate_right(17) ^ y.rotate_right(19) ^ y >> 10;
                w[t % 16] = w[t % 16]
                    .wrapping_add(s0)
                    .wrapping_add(w[(t + 9) % 16])
                    .wrapping_add(s1);
            }
            let s1 = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
            let choice = g ^ (e & (f ^ g));
            let t1 = k
                .wrapping_add(s1)
                .wrapping_add(choice)
                .wrapping_add(K256[t])
                .wrapping_add(w[t % 16]);
            let s0 = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
            let majority = (a & b) | (c & (a | b));
            (k, g, f, e) = (g, f, e, d.wrapping_add(t1));
            (d, c, b, a) = (c, b, a, t1.wrapping_add(s0).wrapping_add(majority));
        }
        for (h, v) in h.iter_mut().zip([a, b, c, d, e, f, g, k]) {
            *h = h.wrapping_add(v);
        }
    }
    h
}

/// SHA-1's state after the whole blocks of `data`. FIPS 180-4, 6.1.2.
pub(crate) fn sha1(mut h: [u32; 5], data: &[u8]) -> [u32; 5] {
    for block in data.as_chunks::<BLOCK>().0 {
        let mut w = words_be(block);
        let [mut a, mut b, mut c, mut d, mut e] = h;
        for t in 0..80 {
            if t >= 16 {
                let x = w[(t + 13) % 16] ^ w[(t + 8) % 16] ^ w[(t + 2) % 16] ^ w[t % 16];
                w[t % 16] = x.rotate_left(1);
            }
            let (f, k) = match t / 20 {
                0 => (d ^ (b & (c ^ d)), 0x5a82_7999),
                1 => (b ^ c ^ d, 0x6ed9_eba1),
                2 => ((b & c) | (d & (b | c)), 0x8f1b_bcdc),
                _ => (b ^ c ^ d, 0xca62_c1d6u32),
            };
            let next = a
                .rotate_left(5)
                .wrapping_add(f)
                .wrapping_add(e)
                .wrapping_add(k)
                .wrapping_add(w[t % 16]);
            (e, d, c, b, a) = (d, c, b.rotate_left(30), a, next);
        }
        for (h, v) in h.iter_mut().zip([a, b, c, d, e]) {
            *h = h.wrapping_add(v);
        }
    }
    h
}

/// ⌊2³² · |sin(i + 1)|⌋. RFC 1321, 3.4.
fn sines() -> [u32; 64] {
    std::array::from_fn(|i| (libm::sin((i + 1) as f64).abs() * 4294967296.0) as u32)
}

/// MD5's state after the whole blocks of `data`. RFC 1321, 3.4.
pub(crate) fn md5(mut h: [u32; 4], data: &[u8]) -> [u32; 4] {
    const TURN: [[u32; 4]; 4] = [
        [7, 12, 17, 22],
        [5, 9, 14, 20],
        [4, 11, 16, 23],
        [6, 10, 15, 21],
    ];
    let table = sines();
    for block in data.as_chunks::<BLOCK>().0 {
        let w: [u32; 16] = words_be(block).map(u32::swap_bytes);
        let [mut a, mut b, mut c, mut d] = h;
        for t in 0..64 {
            let (f, k) = match t / 16 {
                0 => (d ^ (b & (c ^ d)), t),
                1 => (c ^ (d & (b ^ c)), 5 * t + 1),
                2 => (b ^ c ^ d, 3 * t + 5),
                _ => (c ^ (b | !d), 7 * t),
            };
            let sum = a
                .wrapping_add(f)
                .wrapping_add(table[t])
                .wrapping_add(w[k % 16]);
            let next = b.wrapping_add(sum.rotate_left(TURN[t / 16][t % 4]));
            (a, d, c, b) = (d, c, b, next);
        }
        for (h, v) in h.iter_mut().zip([a, b, c, d]) {
            *h = h.wrapping_add(v);
        }
    }
    h
}

/// From so many bytes on the tables for eight bytes at a time pay.
const CRC_LONG: usize = 8 << 10;

/// `crc` with `data` added, by the table `tab` of a reflected polynomial,
/// or of whatever the program has put there.
pub(crate) fn crc32(crc: u32, tab: &[u32; 256], data: &[u8]) -> u32 {
    let mut crc = !crc;
    let mut rest = data;
    if data.len() >= CRC_LONG && is_linear(tab) {
        let tables = shifted(tab);
        let (blocks, tail) = data.as_chunks::<8>();
        rest = tail;
        for b in blocks {
            let b = u64::from_le_bytes(*b) ^ u64::from(crc);
            crc = (0..8).fold(0, |sum, k| {
                sum ^ tables[7 - k][(b >> (8 * k)) as usize & 0xff]
            });
        }
    }
    for b in rest {
        crc = tab[usize::from(crc as u8 ^ b)] ^ crc >> 8;
    }
    !crc
}

/// Whether `tab[a ^ b] == tab[a] ^ tab[b]` for all `a` and `b`, as in the table of a polynomial.
fn is_linear(tab: &[u32; 256]) -> bool {
    // The lowest bit of i and the rest of it.
    tab[0] == 0 && (1..256).all(|i: usize| tab[i] == tab[i & i.wrapping_neg()] ^ tab[i & (i - 1)])
}

/// The tables for a byte that is followed by 0 to 7 others.
fn shifted(tab: &[u32; 256]) -> [[u32; 256]; 8] {
    let mut out = [*tab; 8];
    for k in 1..8 {
        out[k] = out[k - 1].map(|v| v >> 8 ^ tab[v as usize & 0xff]);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_checks_are_as_byte_by_byte() {
        let table = |poly: u32| -> [u32; 256] {
            std::array::from_fn(|i| {
                (0..8).fold(
                    i as u32,
                    |c, _| if c & 1 == 1 { c >> 1 ^ poly } else { c >> 1 },
                )
            })
        };
        let data: Vec<u8> = (0..CRC_LONG as u32 + 13)
            .map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8)
            .collect();
        let mut odd = table(0xedb8_8320);
        odd[77] ^= 1;
        assert!(!is_linear(&odd) && is_linear(&table(0x82f6_3b78)));
        for tab in [table(0xedb8_8320), table(0x82f6_3b78), odd] {
            let slow = data.iter().fold(0, |c, b| crc32(c, &tab, &[*b]));
            assert_eq!(crc32(0, &tab, &data), slow);
        }
        assert_eq!(crc32(0, &table(0xedb8_8320), b"123456789"), 0xcbf4_3926);
    }

    #[test]
    fn the_standards_constants_come_out() {
        assert_eq!(
            (K256[0], K256[1], K256[63]),
            (0x428a_2f98, 0x7137_4491, 0xc671_78f2)
        );
        let s = sines();
        assert_eq!((s[0], s[1], s[63]), (0xd76a_a478, 0xe8c7_b756, 0xeb86_d391));
    }
}
