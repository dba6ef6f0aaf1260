//! Package `internal/aead`: AES-GCM and ChaCha20-Poly1305, in place.
//!
//! A key is expanded for each call. A text goes by pieces that stay in the cache while they are
//! coded and summed.
//!
//! Go: crypto/internal/fips140/aes/gcm, golang.org/x/crypto/chacha20poly1305.

use aes::cipher::{Array, BlockCipherEncrypt, KeyInit};
use aes::{Aes128, Aes192, Aes256};
use chacha20::ChaCha20;
use chacha20::cipher::{KeyIvInit, StreamCipher, StreamCipherSeek};
use ghash::GHash;
use ghash::universal_hash::UniversalHash;
use poly1305::Poly1305;
use vm::fenced;
use vm::native::Slice;

const BLOCK: usize = 16;
const TAG: usize = 16;
/// Bytes coded at a time: whole blocks of both ciphers.
const PIECE: usize = 2048;

/// The lengths of what was summed, as both ciphers add them at the end.
struct Lengths {
    additional: u64,
    text: u64,
}

/// A stream with its sum.
trait Aead {
    /// Xors the stream to the text, from where it was left.
    fn code(&mut self, piece: &mut [u8]);
    /// Adds to the sum, the last block filled with zeros.
    fn add(&mut self, bytes: &[u8]);
    fn finish(self: Box<Self>, lengths: Lengths) -> [u8; TAG];
}

struct Gcm<C> {
    cipher: C,
    counter: [u8; BLOCK],
    mask: [u8; BLOCK],
    hash: GHash,
}

impl<C: BlockCipherEncrypt> Gcm<C> {
    fn new(cipher: C, nonce: &[u8; 12]) -> Gcm<C> {
        let mut key = [0; BLOCK];
        let mut counter = [0; BLOCK];
        counter[..12].copy_from_slice(nonce);
        counter[BLOCK - 1] = 1;
        let mut mask = counter;
        for block in [&mut key, &mut mask] {
            cipher.encrypt_blocks(Array::slice_as_chunks_mut(block).0);
        }
        counter[BLOCK - 1] = 2;
        Gcm {
            cipher,
            counter,
            mask,
            hash: GHash::new(&key.into()),
        }
    }
}

impl<C: BlockCipherEncrypt> Aead for Gcm<C> {
    fn code(&mut self, piece: &mut [u8]) {
        let mut stream = [0; PIECE];
        let stream = &mut stream[..piece.len().next_multiple_of(BLOCK)];
        let mut at = u32::from_be_bytes([
            self.counter[12],
            self.counter[13],
            self.counter[14],
            self.counter[15],
        ]);
        for block in stream.chunks_exact_mut(BLOCK) {
            block[..12].copy_from_slice(&self.counter[..12]);
            block[12..].copy_from_slice(&at.to_be_bytes());
            at = at.wrapping_add(1);
        }
        self.counter[12..].copy_from_slice(&at.to_be_bytes());
        self.cipher
            .encrypt_blocks(Array::slice_as_chunks_mut(stream).0);
        for (a, b) in piece.iter_mut().zip(stream) {
            *a ^= *b;
        }
    }

    fn add(&mut self, bytes: &[u8]) {
        self.hash.update_padded(bytes);
    }

    fn finish(mut self: Box<Self>, lengths: Lengths) -> [u8; TAG] {
        let mut block = [0; BLOCK];
        block[..8].copy_from_slice(&(8 * lengths.additional).to_be_bytes());
        block[8..].copy_from_slice(&(8 * lengths.text).to_be_bytes());
        self.hash.update_padded(&block);
        let mut tag: [u8; TAG] = self.hash.finalize().into();
        for (a, b) in tag.iter_mut().zip(self.mask) {
            *a ^= b;
        }
        tag
    }
}

struct ChaChaPoly {
    stream: ChaCha20,
    hash: Poly1305,
}

impl ChaChaPoly {
    fn new(key: &[u8; 32], nonce: &[u8; 12]) -> ChaChaPoly {
        let mut stream = ChaCha20::new(&(*key).into(), &(*nonce).into());
        let mut key = [0; 32];
        stream.apply_keystream(&mut key);
        // The text begins at the second block of 64 bytes.
        stream.seek(64u32);
        ChaChaPoly {
            stream,
            hash: Poly1305::new(&key.into()),
        }
    }
}

impl Aead for ChaChaPoly {
    fn code(&mut self, piece: &mut [u8]) {
        self.stream.apply_keystream(piece);
    }

    fn add(&mut self, bytes: &[u8]) {
        self.hash.update_padded(bytes);
    }

    fn finish(mut self: Box<Self>, lengths: Lengths) -> [u8; TAG] {
        let mut block = [0; BLOCK];
        block[..8].copy_from_slice(&lengths.additional.to_le_bytes());
        block[8..].copy_from_slice(&lengths.text.to_le_bytes());
        self.hash.update_padded(&block);
        self.hash.finalize().into()
    }
}

/// The cipher of that kind; none if the Go source has let a wrong length through.
fn start(kind: i64, key: &[u8], nonce: &[u8]) -> Option<Box<dyn Aead>> {
    let nonce = nonce.try_into().ok()?;
    Some(match (kind, key.len()) {
        (0, 16) => Box::new(Gcm::new(Aes128::new_from_slice(key).ok()?, nonce)),
        (0, 24) => Box::new(Gcm::new(Aes192::new_from_slice(key).ok()?, nonce)),
        (0, 32) => Box::new(Gcm::new(Aes256::new_from_slice(key).ok()?, nonce)),
        (1, 32) => Box::new(ChaChaPoly::new(key.try_into().ok()?, nonce)),
        _ => return None,
    })
}

fn seal(kind: i64, key: &[u8], nonce: &[u8], additional: &[u8], text: &mut [u8]) -> [u8; TAG] {
    let Some(mut aead) = start(kind, key, nonce) else {
        return [0; TAG];
    };
    let lengths = Lengths {
        additional: additional.len() as u64,
        text: text.len() as u64,
    };
    aead.add(additional);
    for piece in text.chunks_mut(PIECE) {
        aead.code(piece);
        aead.add(piece);
    }
    aead.finish(lengths)
}

fn open(
    kind: i64,
    key: &[u8],
    nonce: &[u8],
    additional: &[u8],
    text: &mut [u8],
    tag: &[u8],
) -> bool {
    let Some(mut aead) = start(kind, key, nonce) else {
        return false;
    };
    let lengths = Lengths {
        additional: additional.len() as u64,
        text: text.len() as u64,
    };
    aead.add(additional);
    for piece in text.chunks_mut(PIECE) {
        aead.add(piece);
        aead.code(piece);
    }
    let right = aead
        .finish(lengths)
        .iter()
        .zip(tag)
        .fold(0, |all, (a, b)| all | (a ^ b))
        == 0
        && tag.len() == TAG;
    if !right && let Some(mut aead) = start(kind, key, nonce) {
        // The text is again what it was.
        text.chunks_mut(PIECE).for_each(|piece| aead.code(piece));
    }
    right
}

natives! {
    "open" => fenced untouched(key) alters(text) |
        cx,
        kind: i64,
        key: Slice<u8>,
        nonce: Slice<u8>,
        additional: Slice<u8>,
        text: Slice<u8>,
        tag: Slice<u8>,
    | {
        let mut text = text;
        fenced!(cx, additional.len() + text.len(), || open(
            kind,
            key.as_slice(),
            nonce.as_slice(),
            additional.as_slice(),
            text.as_mut_slice(),
            tag.as_slice(),
        ))
    }
    "seal" => fenced untouched(key) alters(text) alters(tag) |
        cx,
        kind: i64,
        key: Slice<u8>,
        nonce: Slice<u8>,
        additional: Slice<u8>,
        text: Slice<u8>,
        tag: Slice<u8>,
    | {
        let (mut text, mut tag) = (text, tag);
        let sum = fenced!(cx, additional.len() + text.len(), || seal(
            kind,
            key.as_slice(),
            nonce.as_slice(),
            additional.as_slice(),
            text.as_mut_slice(),
        ));
        if tag.len() == TAG {
            tag.as_mut_slice().copy_from_slice(&sum);
        }
    }
}
