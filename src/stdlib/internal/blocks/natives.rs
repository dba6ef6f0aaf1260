//! Package `internal/blocks`: ciphers of blocks, and their modes.
//!
//! A key is expanded for each call, which takes less than the call does. What is coded goes by
//! pieces through memory of ours: source and destination may be the same.
//!
//! Go: crypto/internal/fips140/aes, crypto/des.

use aes::cipher::{Array, BlockCipherDecrypt, BlockCipherEncrypt, KeyInit};
use aes::{Aes128, Aes192, Aes256};
use des::{Des, TdesEde3};
use ghash::GHash;
use ghash::universal_hash::UniversalHash;
use vm::fenced;
use vm::native::Slice;

/// Bytes coded at a time: whole blocks of all ciphers.
const PIECE: usize = 4096;

/// A cipher with its key.
trait Cipher {
    fn size(&self) -> usize;
    /// Codes whole blocks in place.
    fn encrypt(&self, blocks: &mut [u8]);
    fn decrypt(&self, blocks: &mut [u8]);
}

impl<C: BlockCipherEncrypt + BlockCipherDecrypt> Cipher for C {
    fn size(&self) -> usize {
        C::block_size()
    }

    fn encrypt(&self, blocks: &mut [u8]) {
        self.encrypt_blocks(Array::slice_as_chunks_mut(blocks).0);
    }

    fn decrypt(&self, blocks: &mut [u8]) {
        self.decrypt_blocks(Array::slice_as_chunks_mut(blocks).0);
    }
}

/// Calls `f` with the cipher of that kind; the Go source sees to the length of the key.
fn with(kind: i64, key: &[u8], f: impl FnOnce(&dyn Cipher)) {
    fn of<C: KeyInit>(key: &[u8]) -> Option<C> {
        C::new_from_slice(key).ok()
    }
    let cipher: Option<Box<dyn Cipher>> = match (kind, key.len()) {
        (0, 16) => of::<Aes128>(key).map(|c| Box::new(c) as _),
        (0, 24) => of::<Aes192>(key).map(|c| Box::new(c) as _),
        (0, 32) => of::<Aes256>(key).map(|c| Box::new(c) as _),
        (1, _) => of::<Des>(key).map(|c| Box::new(c) as _),
        (2, _) => of::<TdesEde3>(key).map(|c| Box::new(c) as _),
        _ => None,
    };
    if let Some(cipher) = cipher {
        f(&*cipher);
    }
}

/// Has `f` change `src` piece by piece on its way to `dst`.
fn pieces(dst: &mut Slice<u8>, src: &Slice<u8>, mut f: impl FnMut(&mut [u8])) {
    let mut piece = [0; PIECE];
    let n = dst.len().min(src.len());
    for from in (0..n).step_by(PIECE) {
        let to = n.min(from + PIECE);
        let piece = &mut piece[..to - from];
        piece.copy_from_slice(&src.as_slice()[from..to]);
        f(piece);
        dst.as_mut_slice()[from..to].copy_from_slice(piece);
    }
}

fn xor(a: &mut [u8], b: &[u8]) {
    for (a, b) in a.iter_mut().zip(b) {
        *a ^= b;
    }
}

fn cbc(cipher: &dyn Cipher, iv: &mut [u8], piece: &mut [u8], decrypts: bool) {
    let size = cipher.size();
    if !decrypts {
        for block in piece.chunks_exact_mut(size) {
            xor(block, iv);
            cipher.encrypt(block);
            iv.copy_from_slice(block);
        }
        return;
    }
    let mut coded = [0; PIECE];
    let coded = &mut coded[..piece.len()];
    coded.copy_from_slice(piece);
    cipher.decrypt(piece);
    for (plain, before) in piece
        .chunks_exact_mut(size)
        .zip(std::iter::once(&*iv).chain(coded.chunks_exact(size)))
    {
        xor(plain, before);
    }
    iv.copy_from_slice(&coded[coded.len() - size..]);
}

/// Adds one to the number at the end of the counter.
fn count(counter: &mut [u8], counts: usize) {
    for b in counter.iter_mut().rev().take(counts) {
        *b = b.wrapping_add(1);
        if *b != 0 {
            break;
        }
    }
}

fn ctr(
    cipher: &dyn Cipher,
    counter: &mut [u8],
    counts: usize,
    used: usize,
    dst: &mut Slice<u8>,
    src: &Slice<u8>,
) {
    let size = cipher.size();
    let mut stream = [0; PIECE];
    // Of the last block of the stream so many bytes are gone; none is there.
    let mut used = used % size;
    pieces(dst, src, |piece| {
        let mut rest = piece;
        while !rest.is_empty() {
            let blocks = (rest.len() + used).div_ceil(size).min(PIECE / size);
            let stream = &mut stream[..blocks * size];
            let mut last = [0; 16];
            let last = &mut last[..size];
            for block in stream.chunks_exact_mut(size) {
                last.copy_from_slice(counter);
                block.copy_from_slice(counter);
                count(counter, counts);
            }
            cipher.encrypt(stream);
            let n = rest.len().min(stream.len() - used);
            xor(&mut rest[..n], &stream[used..]);
            rest = &mut rest[n..];
            used = (used + n) % size;
            if used > 0 {
                // The block has begun, and is made again.
                counter.copy_from_slice(last);
            }
        }
    });
}

natives! {
    "cbc" => fenced untouched(key) alters(iv) alters(dst) |
        cx,
        kind: i64,
        key: Slice<u8>,
        iv: Slice<u8>,
        dst: Slice<u8>,
        src: Slice<u8>,
        decrypts: bool,
    | {
        let (mut iv, mut dst) = (iv, dst);
        fenced!(cx, src.len(), || with(kind, key.as_slice(), |c| {
            if iv.len() == c.size() {
                let iv = iv.as_mut_slice();
                pieces(&mut dst, &src, |piece| cbc(c, iv, piece, decrypts));
            }
        }))
    }
    "ctr" => fenced untouched(key) follows(dst) alters(counter) |
        cx,
        kind: i64,
        key: Slice<u8>,
        counter: Slice<u8>,
        counts: i64,
        used: i64,
        dst: Slice<u8>,
        src: Slice<u8>,
    | {
        let (mut counter, mut dst) = (counter, dst);
        fenced!(cx, src.len(), || with(kind, key.as_slice(), |c| {
            if counter.len() == c.size() {
                let counter = counter.as_mut_slice();
                ctr(c, counter, counts as usize, used as usize, &mut dst, &src);
            }
        }))
    }
    "ecb" => fenced untouched(key) alters(dst) |
        cx,
        kind: i64,
        key: Slice<u8>,
        dst: Slice<u8>,
        src: Slice<u8>,
        decrypts: bool,
    | {
        let mut dst = dst;
        fenced!(cx, src.len(), || with(kind, key.as_slice(), |c| {
            pieces(&mut dst, &src, |piece| match decrypts {
                true => c.decrypt(piece),
                false => c.encrypt(piece),
            });
        }))
    }
    "ghash" => fenced untouched(key) alters(sum) |
        cx,
        key: Slice<u8>,
        sum: Slice<u8>,
        data: Slice<u8>,
    | {
        let mut sum = sum;
        let (Ok(key), Ok(mut now)) = (
            <[u8; 16]>::try_from(key.as_slice()),
            <[u8; 16]>::try_from(sum.as_slice()),
        ) else {
            return;
        };
        let data = data.as_slice();
        let out: [u8; 16] = fenced!(cx, data.len(), || {
            let mut hash = GHash::new(&key.into());
            // The sum so far goes into the first block.
            let n = data.len().min(16);
            xor(&mut now[..n], &data[..n]);
            if n == 0 {
                return now;
            }
            hash.update_padded(&now);
            hash.update_padded(&data[n..]);
            hash.finalize().into()
        });
        sum.as_mut_slice().copy_from_slice(&out);
    }
}
