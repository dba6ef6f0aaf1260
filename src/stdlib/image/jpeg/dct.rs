//! The cosine transform of blocks of eight by eight, and back, in numbers with binary places.
//!
//! The steps and their rounding are Go's, so that pictures are the same to the bit. After
//! C. Loeffler, A. Ligtenberg and G. S. Moschytz.
//!
//! Go: image/jpeg, dct.go.

pub(super) type Block = [i32; 64];

/// With 60 binary places: cosines and sines of parts of half a turn, and roots.
const COS1: u64 = 1_130_768_441_178_740_757;
const SIN1: u64 = 224_923_827_593_068_887;
const COS3: u64 = 958_619_196_450_722_178;
const SIN3: u64 = 640_528_868_967_736_374;
const ROOT: u64 = 1_630_477_228_166_597_777;
const ROOT_COS6: u64 = 623_956_622_067_911_264;
const ROOT_SIN6: u64 = 1_506_364_539_328_854_985;
const HALF_ROOT: u64 = 815_238_614_083_298_888;
const HALF_ROOT_COS6: u64 = 311_978_311_033_955_632;
const HALF_ROOT_SIN6: u64 = 753_182_269_664_427_492;

/// The number with so many places.
const fn fix(x: u64, places: u32) -> i32 {
    ((x + (1 << (59 - places))) >> (60 - places)) as i32
}

/// Overflow is as in Go: broken files bring it about.
fn add(a: i32, b: i32) -> i32 {
    a.wrapping_add(b)
}

fn sub(a: i32, b: i32) -> i32 {
    a.wrapping_sub(b)
}

fn mul(a: i32, b: i32) -> i32 {
    a.wrapping_mul(b)
}

/// Sum and difference.
fn both(a: &mut i32, b: &mut i32) {
    (*a, *b) = (add(*a, *b), sub(*a, *b));
}

/// Turns the pair, in three multiplications.
fn turn(a: i32, b: i32, cos: i32, sin: i32) -> (i32, i32) {
    let sum = mul(cos, add(a, b));
    (
        add(sum, mul(sub(sin, cos), b)),
        sub(sum, mul(add(cos, sin), a)),
    )
}

/// The first half of a transform: sums and differences of what lies opposite.
fn fold(x: &mut [i32; 8]) {
    let [x0, x1, x2, x3, x4, x5, x6, x7] = x;
    both(x0, x7);
    both(x1, x6);
    both(x2, x5);
    both(x3, x4);
}

/// Transforms a block.
pub(super) fn forward(b: &mut Block) {
    for i in 0..8 {
        let mut x: [i32; 8] = std::array::from_fn(|k| b[8 * k + i]);
        fold(&mut x);
        let [
            mut x0,
            mut x1,
            mut x2,
            mut x3,
            mut x4,
            mut x5,
            mut x6,
            mut x7,
        ] = x;
        (x4, x7) = turn(x4, x7, fix(COS3, 18), fix(SIN3, 18));
        (x5, x6) = turn(x5, x6, fix(COS1, 18), fix(SIN1, 18));
        both(&mut x0, &mut x3);
        both(&mut x1, &mut x2);
        (x2, x3) = turn(x2, x3, fix(ROOT_COS6, 18), fix(ROOT_SIN6, 18));
        both(&mut x0, &mut x1);
        // Samples are not around zero yet.
        x0 = sub(x0, 128 * 8) << 18;
        x1 <<= 18;
        both(&mut x4, &mut x6);
        both(&mut x7, &mut x5);
        x5 = mul(x5 >> 12, fix(ROOT, 12));
        x6 = mul(x6 >> 12, fix(ROOT, 12));
        both(&mut x7, &mut x4);
        for (k, v) in [x0, x7, x2, x5, x1, x6, x3, x4].into_iter().enumerate() {
            b[8 * k + i] = v;
        }
    }
    for row in b.as_chunks_mut::<8>().0 {
        fold(row);
        let [
            mut x0,
            mut x1,
            mut x2,
            mut x3,
            mut x4,
            mut x5,
            mut x6,
            mut x7,
        ] = *row;
        (x4, x7) = turn(x4 >> 14, x7 >> 14, fix(COS3, 14), fix(SIN3, 14));
        (x5, x6) = turn(x5 >> 14, x6 >> 14, fix(COS1, 14), fix(SIN1, 14));
        both(&mut x0, &mut x3);
        both(&mut x1, &mut x2);
        (x2, x3) = turn(x2 >> 14, x3 >> 14, fix(ROOT_COS6, 14), fix(ROOT_SIN6, 14));
        both(&mut x0, &mut x1);
        both(&mut x4, &mut x6);
        both(&mut x7, &mut x5);
        x5 = mul(x5 >> 14, fix(ROOT, 14));
        x6 = mul(x6 >> 14, fix(ROOT, 14));
        both(&mut x7, &mut x4);
        *row = [x0, x7, x2, x5, x1, x6, x3, x4].map(|v| add(v, 1 << 17) >> 18);
    }
}

/// The last half of a transform back: what lies opposite, from sums and differences.
fn unfold(x: &mut [i32; 8]) {
    let [x0, x1, x2, x3, x4, x5, x6, x7] = x;
    both(x0, x7);
    both(x1, x6);
    both(x2, x5);
    both(x3, x4);
}

/// Transforms a block back.
pub(super) fn inverse(b: &mut Block) {
    for row in b.as_chunks_mut::<8>().0 {
        let [
            mut x0,
            mut x7,
            mut x2,
            mut x5,
            mut x1,
            mut x6,
            mut x3,
            mut x4,
        ] = *row;
        x0 <<= 17;
        x1 <<= 17;
        both(&mut x0, &mut x1);
        (x2, x3) = turn(x2, x3, fix(HALF_ROOT_COS6, 18), -fix(HALF_ROOT_SIN6, 18));
        both(&mut x1, &mut x2);
        both(&mut x0, &mut x3);
        x4 <<= 7;
        x7 <<= 7;
        both(&mut x7, &mut x4);
        x6 = mul(x6, fix(HALF_ROOT, 8));
        x5 = mul(x5, fix(HALF_ROOT, 8));
        both(&mut x7, &mut x5);
        both(&mut x4, &mut x6);
        (x4, x7) = turn(x4 >> 2, x7 >> 2, fix(COS3, 12), -fix(SIN3, 12));
        (x5, x6) = turn(x5 >> 2, x6 >> 2, fix(COS1, 12), -fix(SIN1, 12));
        let mut x = [x0, x1, x2, x3, x4, x5, x6, x7];
        unfold(&mut x);
        *row = x;
    }
    for i in 0..8 {
        let x: [i32; 8] = std::array::from_fn(|k| b[8 * k + i]);
        let [
            mut x0,
            mut x7,
            mut x2,
            mut x5,
            mut x1,
            mut x6,
            mut x3,
            mut x4,
        ] = x;
        x0 = add(x0, 1 << 19);
        both(&mut x0, &mut x1);
        (x0, x1) = (x0 >> 2, x1 >> 2);
        (x2, x3) = turn(
            x2 >> 13,
            x3 >> 13,
            fix(HALF_ROOT_COS6, 12),
            -fix(HALF_ROOT_SIN6, 12),
        );
        both(&mut x1, &mut x2);
        both(&mut x0, &mut x3);
        both(&mut x7, &mut x4);
        x5 = mul(x5 >> 13, fix(HALF_ROOT, 14));
        x6 = mul(x6 >> 13, fix(HALF_ROOT, 14));
        both(&mut x7, &mut x5);
        both(&mut x4, &mut x6);
        (x4, x7) = turn(x4 >> 14, x7 >> 14, fix(COS3, 12), -fix(SIN3, 12));
        (x5, x6) = turn(x5 >> 14, x6 >> 14, fix(COS1, 12), -fix(SIN1, 12));
        let mut x = [x0, x1, x2, x3, x4, x5, x6, x7];
        unfold(&mut x);
        for (k, v) in x.into_iter().enumerate() {
            b[8 * k + i] = v >> 18;
        }
    }
}
