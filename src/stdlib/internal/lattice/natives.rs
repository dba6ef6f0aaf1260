//! Package `internal/lattice`: ML-KEM. FIPS 203, whose names for values are kept.
//!
//! Numbers are modulo [`Q`]; a polynomial has 256, as they are or transformed (NTT), of which only
//! the latter are multiplied. What a secret decides is neither branched on nor looked up by.
//!
//! Go: crypto/internal/fips140/mlkem.

use vm::fenced;
use vm::native::Slice;

const Q: u32 = 3329;
const N: usize = 256;

type Poly = [u16; N];

/// What there is of each kind of key: polynomials, and bits that are left of a ciphertext's.
#[derive(Clone, Copy)]
struct Kind {
    k: usize,
    du: u32,
    dv: u32,
}

fn kind(k: i64) -> Kind {
    match k {
        3 => Kind {
            k: 3,
            du: 10,
            dv: 4,
        },
        _ => Kind {
            k: 4,
            du: 11,
            dv: 5,
        },
    }
}

/// A sponge of SHA-3, which takes in all parts, and is pressed out.
struct Sponge {
    state: [u64; 25],
    rate: usize,
    at: usize,
}

impl Sponge {
    fn new(rate: usize, end: u8, parts: &[&[u8]]) -> Sponge {
        let mut sponge = Sponge {
            state: [0; 25],
            rate,
            at: 0,
        };
        for b in parts.iter().flat_map(|p| *p) {
            sponge.mix(sponge.at, *b);
            sponge.at += 1;
            if sponge.at == rate {
                sponge.permute();
            }
        }
        sponge.mix(sponge.at, end);
        sponge.mix(rate - 1, 0x80);
        sponge.permute();
        sponge
    }

    fn mix(&mut self, at: usize, b: u8) {
        self.state[at / 8] ^= u64::from(b) << (8 * (at % 8));
    }

    fn permute(&mut self) {
        keccak::Keccak::new().with_f1600(|f1600| f1600(&mut self.state));
        self.at = 0;
    }

    fn fill(&mut self, out: &mut [u8]) {
        for b in out {
            if self.at == self.rate {
                self.permute();
            }
            *b = (self.state[self.at / 8] >> (8 * (self.at % 8))) as u8;
            self.at += 1;
        }
    }
}

fn pressed<const L: usize>(mut sponge: Sponge) -> [u8; L] {
    let mut out = [0; L];
    sponge.fill(&mut out);
    out
}

/// H: SHA3-256.
fn h(part: &[u8]) -> [u8; 32] {
    pressed(Sponge::new(136, 0x06, &[part]))
}

/// G: the halves of SHA3-512.
fn g(parts: &[&[u8]]) -> ([u8; 32], [u8; 32]) {
    let both: [u8; 64] = pressed(Sponge::new(72, 0x06, parts));
    let (mut a, mut b) = ([0; 32], [0; 32]);
    a.copy_from_slice(&both[..32]);
    b.copy_from_slice(&both[32..]);
    (a, b)
}

fn reduce(n: u32) -> u16 {
    (n % Q) as u16
}

fn mul(a: u16, b: u16) -> u16 {
    reduce(u32::from(a) * u32::from(b))
}

fn add(a: u16, b: u16) -> u16 {
    reduce(u32::from(a) + u32::from(b))
}

fn sub(a: u16, b: u16) -> u16 {
    reduce(u32::from(a) + Q - u32::from(b))
}

fn each(a: &Poly, b: &Poly, f: fn(u16, u16) -> u16) -> Poly {
    std::array::from_fn(|i| f(a[i], b[i]))
}

/// 17 to the power of n.
const fn zeta(mut n: u32) -> u16 {
    let (mut power, mut base) = (1, 17);
    while n > 0 {
        if n & 1 == 1 {
            power = power * base % Q;
        }
        base = base * base % Q;
        n >>= 1;
    }
    power as u16
}

/// The powers of 17 in the order in which the transformation takes them, and the odd ones by which
/// products do.
const ZETAS: [u16; 128] = zetas(1, 0);
const GAMMAS: [u16; 128] = zetas(2, 1);

const fn zetas(factor: u32, more: u32) -> [u16; 128] {
    let mut all = [0; 128];
    let mut i = 0;
    while i < 128 {
        all[i] = zeta(factor * ((i as u8).reverse_bits() >> 1) as u32 + more);
        i += 1;
    }
    all
}

fn ntt(mut f: Poly) -> Poly {
    let mut zetas = ZETAS[1..].iter();
    let mut len = 128;
    while len >= 2 {
        for (part, z) in f.chunks_exact_mut(2 * len).zip(&mut zetas) {
            let (low, high) = part.split_at_mut(len);
            for (a, b) in low.iter_mut().zip(high) {
                let t = mul(*z, *b);
                *b = sub(*a, t);
                *a = add(*a, t);
            }
        }
        len /= 2;
    }
    f
}

fn inverse_ntt(mut f: Poly) -> Poly {
    let mut at = 128;
    let mut len = 2;
    while len <= 128 {
        for part in f.chunks_exact_mut(2 * len) {
            at -= 1;
            let (low, high) = part.split_at_mut(len);
            for (a, b) in low.iter_mut().zip(high) {
                let t = *a;
                *a = add(t, *b);
                *b = mul(ZETAS[at], sub(*b, t));
            }
        }
        len *= 2;
    }
    // One over 128.
    f.map(|a| mul(a, 3303))
}

fn product(f: &Poly, g: &Poly) -> Poly {
    let mut out = [0; N];
    for i in 0..128 {
        let (a0, a1, b0, b1) = (f[2 * i], f[2 * i + 1], g[2 * i], g[2 * i + 1]);
        out[2 * i] = add(mul(a0, b0), mul(mul(a1, b1), GAMMAS[i]));
        out[2 * i + 1] = add(mul(a0, b1), mul(a1, b0));
    }
    out
}

/// The sum of the products of transformed polynomials.
fn dot(a: &[Poly], b: &[Poly]) -> Poly {
    let products = a.iter().zip(b).map(|(a, b)| product(a, b));
    products.fold([0; N], |sum, p| each(&sum, &p, add))
}

/// Row i, column j of matrix A.
fn entry(rho: &[u8], i: usize, j: usize) -> Poly {
    let mut sponge = Sponge::new(168, 0x1f, &[rho, &[j as u8, i as u8]]);
    let (mut out, mut n) = ([0; N], 0);
    while n < N {
        let mut b = [0; 3];
        sponge.fill(&mut b);
        let [b0, b1, b2] = b.map(u16::from);
        for d in [b0 | (b1 & 15) << 8, b1 >> 4 | b2 << 4] {
            if u32::from(d) < Q && n < N {
                out[n] = d;
                n += 1;
            }
        }
    }
    out
}

/// Small numbers, about zero, of a seed and a counter.
fn noise(seed: &[u8], n: usize) -> Poly {
    let b: [u8; 128] = pressed(Sponge::new(136, 0x1f, &[seed, &[n as u8]]));
    std::array::from_fn(|i| {
        let four = u16::from(b[i / 2] >> (4 * (i % 2)));
        let (x, y) = (
            (four & 1) + (four >> 1 & 1),
            (four >> 2 & 1) + (four >> 3 & 1),
        );
        sub(x, y)
    })
}

fn noises(seed: &[u8], from: usize, k: usize) -> Vec<Poly> {
    (from..from + k).map(|n| noise(seed, n)).collect()
}

/// Writes so many bits of each number, the lowest first.
fn encode(out: &mut [u8], f: &Poly, bits: u32) {
    let (mut left, mut n) = (0u32, 0);
    let mut out = out.iter_mut();
    for a in f {
        left |= u32::from(*a) << n;
        n += bits;
        while n >= 8 {
            if let Some(out) = out.next() {
                *out = left as u8;
            }
            left >>= 8;
            n -= 8;
        }
    }
}

fn decode(b: &[u8], bits: u32) -> Poly {
    let (mut left, mut n) = (0u32, 0);
    let mut b = b.iter();
    std::array::from_fn(|_| {
        while n < bits {
            left |= u32::from(b.next().copied().unwrap_or(0)) << n;
            n += 8;
        }
        let a = left & ((1 << bits) - 1);
        left >>= bits;
        n -= bits;
        a as u16
    })
}

fn decode_all(b: &[u8]) -> Vec<Poly> {
    b.chunks_exact(384).map(|b| decode(b, 12)).collect()
}

fn compress(f: &Poly, bits: u32) -> Poly {
    f.map(|a| ((((u32::from(a) << bits) + Q / 2) / Q) & ((1 << bits) - 1)) as u16)
}

fn decompress(f: &Poly, bits: u32) -> Poly {
    f.map(|a| ((u32::from(a) * Q + (1 << (bits - 1))) >> bits) as u16)
}

/// The public key `ek` and the secret polynomials `s`, encoded, of a seed.
fn keys(kind: Kind, d: &[u8], ek: &mut [u8], s: &mut [u8]) {
    let (rho, sigma) = g(&[d, &[kind.k as u8]]);
    let transformed = |from| -> Vec<Poly> {
        let noises = noises(&sigma, from, kind.k);
        noises.into_iter().map(ntt).collect()
    };
    let (secret, errors) = (transformed(0), transformed(kind.k));
    for i in 0..kind.k {
        let row: Vec<Poly> = (0..kind.k).map(|j| entry(&rho, i, j)).collect();
        let t = each(&dot(&row, &secret), &errors[i], add);
        encode(&mut ek[384 * i..384 * (i + 1)], &t, 12);
        encode(&mut s[384 * i..384 * (i + 1)], &secret[i], 12);
    }
    ek[384 * kind.k..].copy_from_slice(&rho);
}

/// Encrypts 32 bytes with that randomness.
fn encrypt(kind: Kind, ek: &[u8], m: &[u8], r: &[u8], c: &mut [u8]) {
    let (t, rho) = ek.split_at(384 * kind.k);
    let y: Vec<Poly> = noises(r, 0, kind.k).into_iter().map(ntt).collect();
    let errors = noises(r, kind.k, kind.k);
    let size = 32 * kind.du as usize;
    for i in 0..kind.k {
        let column: Vec<Poly> = (0..kind.k).map(|j| entry(rho, j, i)).collect();
        let u = each(&inverse_ntt(dot(&column, &y)), &errors[i], add);
        encode(
            &mut c[size * i..size * (i + 1)],
            &compress(&u, kind.du),
            kind.du,
        );
    }
    let v = inverse_ntt(dot(&decode_all(t), &y));
    let v = each(&v, &noise(r, 2 * kind.k), add);
    let v = each(&v, &decompress(&decode(m, 1), 1), add);
    encode(&mut c[size * kind.k..], &compress(&v, kind.dv), kind.dv);
}

fn decrypt(kind: Kind, s: &[u8], c: &[u8]) -> [u8; 32] {
    let (c1, c2) = c.split_at(32 * kind.du as usize * kind.k);
    let part = |b: &[u8]| ntt(decompress(&decode(b, kind.du), kind.du));
    let u: Vec<Poly> = c1.chunks_exact(32 * kind.du as usize).map(part).collect();
    let v = decompress(&decode(c2, kind.dv), kind.dv);
    let w = each(&v, &inverse_ntt(dot(&decode_all(s), &u)), sub);
    let mut m = [0; 32];
    encode(&mut m, &compress(&w, 1), 1);
    m
}

/// Are all numbers of a public key less than [`Q`]?
fn is_key(ek: &[u8]) -> bool {
    let (t, _) = ek.split_at(ek.len() - 32);
    decode_all(t).iter().flatten().all(|a| u32::from(*a) < Q)
}

/// The shared key: of what is decrypted if that encrypts to the same again, else of `z`.
fn decapsulate(kind: Kind, s: &[u8], ek: &[u8], z: &[u8], c: &[u8]) -> [u8; 32] {
    let m = decrypt(kind, s, c);
    let (good, r) = g(&[&m, &h(ek)]);
    let bad: [u8; 32] = pressed(Sponge::new(136, 0x1f, &[z, c]));
    let mut again = vec![0; c.len()];
    encrypt(kind, ek, &m, &r, &mut again);
    let differ = again.iter().zip(c).fold(0, |all, (a, b)| all | (a ^ b));
    let mask = (u16::from(differ).wrapping_neg() >> 8) as u8;
    std::array::from_fn(|i| good[i] & !mask | bad[i] & mask)
}

/// What an operation takes, for the fence.
const WORK: usize = 1 << 16;

natives! {
    "keys" => fenced alters(ek) alters(s) |cx, k: i64, d: Slice<u8>, ek: Slice<u8>, s: Slice<u8>| {
        let (mut ek, mut s) = (ek, s);
        let d = d.as_slice();
        fenced!(cx, WORK, || keys(kind(k), d, ek.as_mut_slice(), s.as_mut_slice()))
    }
    "isKey" => fenced |cx, ek: Slice<u8>| {
        let ek = ek.as_slice();
        fenced!(cx, WORK, || is_key(ek))
    }
    "encapsulate" => fenced alters(shared) alters(c) |
        cx,
        k: i64,
        ek: Slice<u8>,
        m: Slice<u8>,
        shared: Slice<u8>,
        c: Slice<u8>,
    | {
        let (mut shared, mut c) = (shared, c);
        let (ek, m) = (ek.as_slice(), m.as_slice());
        let key = fenced!(cx, WORK, || {
            let (key, r) = g(&[m, &h(ek)]);
            encrypt(kind(k), ek, m, &r, c.as_mut_slice());
            key
        });
        shared.as_mut_slice().copy_from_slice(&key);
    }
    "decapsulate" => fenced alters(shared) |
        cx,
        k: i64,
        s: Slice<u8>,
        ek: Slice<u8>,
        z: Slice<u8>,
        c: Slice<u8>,
        shared: Slice<u8>,
    | {
        let mut shared = shared;
        let (s, ek, z, c) = (s.as_slice(), ek.as_slice(), z.as_slice(), c.as_slice());
        let key = fenced!(cx, WORK, || decapsulate(kind(k), s, ek, z, c));
        shared.as_mut_slice().copy_from_slice(&key);
    }
}
