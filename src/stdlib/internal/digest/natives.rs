//! Package `internal/digest`: what the natives of the digests stand on.
//!
//! Go: crypto/internal/fips140.

use md5::Md5;
use sha1::Sha1;
use sha2::{Sha224, Sha256, Sha384, Sha512, Sha512_224, Sha512_256};
use vm::fenced;
use vm::native::{Cx, GoStr, Plain, Slice};

/// Takes the whole blocks of `B` bytes of `p` into the state `h`.
/// A state is as long as its digest's: the Go source sees to that.
pub(crate) fn blocks<W: Plain + Copy + Send, const N: usize, const B: usize>(
    cx: &mut Cx,
    mut h: Slice<W>,
    p: Slice<u8>,
    f: fn(&mut [W; N], &[[u8; B]]),
) {
    let Ok(mut state) = <[W; N]>::try_from(h.as_slice()) else {
        return;
    };
    fenced!(cx, p.len(), || f(&mut state, p.as_slice().as_chunks().0));
    h.as_mut_slice().copy_from_slice(&state);
}

/// The key of `iter` rounds, written into `key`. False: there is no such algorithm.
fn stretch(magic: &[u8], password: &[u8], salt: &[u8], iter: u32, key: &mut [u8]) -> bool {
    let fill = match magic {
        b"md5\x01" => pbkdf2::pbkdf2_hmac::<Md5>,
        b"sha\x01" => pbkdf2::pbkdf2_hmac::<Sha1>,
        b"sha\x02" => pbkdf2::pbkdf2_hmac::<Sha224>,
        b"sha\x03" => pbkdf2::pbkdf2_hmac::<Sha256>,
        b"sha\x04" => pbkdf2::pbkdf2_hmac::<Sha384>,
        b"sha\x05" => pbkdf2::pbkdf2_hmac::<Sha512_224>,
        b"sha\x06" => pbkdf2::pbkdf2_hmac::<Sha512_256>,
        b"sha\x07" => pbkdf2::pbkdf2_hmac::<Sha512>,
        _ => return false,
    };
    fill(password, salt, iter, key);
    true
}

natives! {
    "stretch" => fenced alters(key) |
        cx,
        magic: GoStr,
        password: GoStr,
        salt: Slice<u8>,
        iter: i64,
        key: Slice<u8>,
    | {
        let mut key = key;
        // One round is the least, as in Go; so many as do not fit end never in either.
        let rounds = iter.clamp(1, i64::from(u32::MAX)) as u32;
        let work = (rounds as usize).saturating_mul(key.len().max(64));
        let (magic, password, salt) = (magic.as_bytes(), password.as_bytes(), salt.as_slice());
        let key = key.as_mut_slice();
        fenced!(cx, work, || stretch(magic, password, salt, rounds, key))
    }
}
