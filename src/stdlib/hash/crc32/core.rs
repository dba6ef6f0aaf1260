//! Cyclic redundancy checks by tables. They run in fences, so they compute and nothing else.
//!
//! Go: hash/crc32.

/// From so many bytes on it pays to look which table it is.
const LOOKS: usize = 128;

/// From so many bytes on the tables for eight bytes at a time pay.
const LONG: usize = 8 << 10;

/// The table of the polynomial that has instructions.
static IEEE: [u32; 256] = table(0xedb8_8320);

/// The table of a reflected polynomial.
const fn table(poly: u32) -> [u32; 256] {
    let mut out = [0; 256];
    let mut i = 0;
    while i < 256 {
        let (mut crc, mut bits) = (i as u32, 8);
        while bits > 0 {
            crc = (crc >> 1) ^ (poly * (crc & 1));
            bits -= 1;
        }
        out[i] = crc;
        i += 1;
    }
    out
}

/// `crc` with `data` added, by the table `tab` of a reflected polynomial,
/// or of whatever the program has put there.
pub(crate) fn update(crc: u32, tab: &[u32; 256], data: &[u8]) -> u32 {
    if data.len() >= LOOKS && *tab == IEEE {
        let mut hasher = crc32fast::Hasher::new_with_initial(crc);
        hasher.update(data);
        return hasher.finalize();
    }
    let mut crc = !crc;
    let mut rest = data;
    if data.len() >= LONG && is_linear(tab) {
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
        let data: Vec<u8> = (0..LONG as u32 + 13)
            .map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8)
            .collect();
        let mut odd = table(0xedb8_8320);
        odd[77] ^= 1;
        assert!(!is_linear(&odd) && is_linear(&table(0x82f6_3b78)));
        for tab in [table(0xedb8_8320), table(0x82f6_3b78), odd] {
            let slow = data.iter().fold(0, |c, b| update(c, &tab, &[*b]));
            assert_eq!(update(0, &tab, &data), slow);
        }
        assert_eq!(update(0, &table(0xedb8_8320), b"123456789"), 0xcbf4_3926);
    }
}
