//! Package `crypto/sha3`: the sponge; the rest is Go.
//!
//! Go: crypto/internal/fips140/sha3.

use keccak::Keccak;
use vm::fenced;
use vm::native::Slice;

/// Bytes of the state.
const WIDTH: usize = 200;

type State = [u8; WIDTH];

fn permute(state: &mut State) {
    let mut words = [0; WIDTH / 8];
    for (word, bytes) in words.iter_mut().zip(state.as_chunks().0) {
        *word = u64::from_le_bytes(*bytes);
    }
    Keccak::new().with_f1600(|f| f(&mut words));
    for (word, bytes) in words.iter().zip(state.as_chunks_mut().0) {
        *bytes = word.to_le_bytes();
    }
}

/// Takes `p` into the first `rate` bytes of the state, from `at` on; where the next comes.
fn absorb(state: &mut State, mut at: usize, rate: usize, mut p: &[u8]) -> usize {
    while !p.is_empty() {
        let (now, rest) = p.split_at(p.len().min(rate - at));
        for (a, b) in state[at..].iter_mut().zip(now) {
            *a ^= b;
        }
        at += now.len();
        if at == rate {
            permute(state);
            at = 0;
        }
        p = rest;
    }
    at
}

/// Fills `out` with the first `rate` bytes of the state, from `at` on; where the next comes.
fn squeeze(state: &mut State, mut at: usize, rate: usize, out: &mut [u8]) -> usize {
    let mut done = 0;
    while done < out.len() {
        if at == rate {
            permute(state);
            at = 0;
        }
        let n = (out.len() - done).min(rate - at);
        out[done..done + n].copy_from_slice(&state[at..at + n]);
        done += n;
        at += n;
    }
    at
}

/// A state as the Go source has it, with a place that lies in it.
fn state_of(state: Slice<u8>, at: i64, rate: i64) -> Option<(State, usize, usize)> {
    let bytes = state.as_slice().try_into().ok()?;
    let (at, rate) = (at as usize, rate as usize);
    (at <= rate && 0 < rate && rate < WIDTH).then_some((bytes, at, rate))
}

natives! {
    "absorb" => fenced alters(state) |cx, state: Slice<u8>, at: i64, rate: i64, p: Slice<u8>| {
        let mut state = state;
        let Some((mut own, from, rate)) = state_of(state, at, rate) else {
            return at;
        };
        let at = fenced!(cx, p.len(), || absorb(&mut own, from, rate, p.as_slice()));
        state.as_mut_slice().copy_from_slice(&own);
        at as i64
    }
    "squeeze" => fenced alters(state) alters(out) |
        cx,
        state: Slice<u8>,
        at: i64,
        rate: i64,
        out: Slice<u8>,
    | {
        let (mut state, mut out) = (state, out);
        let Some((mut own, from, rate)) = state_of(state, at, rate) else {
            return at;
        };
        let out = out.as_mut_slice();
        let at = fenced!(cx, out.len(), || squeeze(&mut own, from, rate, out));
        state.as_mut_slice().copy_from_slice(&own);
        at as i64
    }
}
