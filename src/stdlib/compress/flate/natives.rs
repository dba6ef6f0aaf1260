//! Package `compress/flate`: its coder and decoder of pieces; the rest is Go.
//!
//! Go: compress/flate.

use vm::fenced;
use vm::native::Slice;

mod deflate;
mod huffman;
mod inflate;
mod tokens;

use deflate::{HISTORY, State, Tables};
use inflate::{Inflate, Progress, Stop, WINDOW};
use tokens::Tokens;

/// What to do with a window.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// Search it for matches.
    Search,
    /// Code its literals.
    Literals,
    /// Store it.
    Stored,
    /// Note it as what came before.
    Dictionary,
    /// End what is written.
    End,
}

/// Codes a window. With `sync` its blocks end.
fn code(
    state: &mut State,
    tables: &mut Tables<'_>,
    history: &mut [u8],
    list: &mut [u32],
    window: &[u8],
    way: Way,
    sync: bool,
) {
    match way {
        Way::Stored => state.writer.stored(window),
        Way::Literals => state.writer.literals(window, sync),
        Way::End => state.writer.end(),
        Way::Dictionary => {
            state.search(&mut Tokens::new(list), tables, history, window);
        }
        Way::Search => {
            let mut tokens = Tokens::new(list);
            state.search(&mut tokens, tables, history, window);
            if tokens.len() == 0 {
                state.writer.stored(window);
            } else if tokens.len() > window.len() - window.len() / 16 {
                state.writer.literals(window, sync);
            } else {
                state.writer.block(&mut tokens, window, sync);
            }
        }
    }
}

natives! {
    "encode" => fenced untouched(words) untouched(short) untouched(long) untouched(history)
        untouched(list)
    |
        cx,
        words: Slice<u32>,
        short: Slice<i32>,
        long: Slice<i32>,
        history: Slice<u8>,
        list: Slice<u32>,
        window: Slice<u8>,
        way: i64,
    | {
        let (mut words, mut short, mut long) = (words, short, long);
        let (mut history, mut list) = (history, list);
        // The Go source sees to the sizes.
        let searches = short.len() == 1 << 15
            && long.len() == 2 << 15
            && history.len() == HISTORY
            && list.len() > window.len();
        let (way, sync) = match way {
            0 | 1 if searches => (Way::Search, way == 1),
            2 | 3 => (Way::Literals, way == 3),
            4 => (Way::Stored, true),
            5 if searches => (Way::Dictionary, false),
            _ => (Way::End, true),
        };
        if words.len() != deflate::WORDS {
            return Slice::NIL;
        }
        let mut state = State::load(words.as_slice());
        let mut tables = Tables {
            short: short.as_mut_slice(),
            long: long.as_mut_slice().as_chunks_mut().0,
        };
        let (history, list) = (history.as_mut_slice(), list.as_mut_slice());
        let window = window.as_slice();
        fenced!(cx, window.len() * 16, || {
            code(&mut state, &mut tables, history, list, window, way, sync);
        });
        state.store(words.as_mut_slice());
        cx.bytes(&state.writer.out)
    }
    "decode" => fenced untouched(words) untouched(window) follows(input) |
        cx,
        words: Slice<u32>,
        window: Slice<u8>,
        input: Slice<u8>,
    | {
        let (mut words, mut window) = (words, window);
        if words.len() != inflate::WORDS || window.len() != WINDOW {
            return (0, Stop::Corrupt as i64);
        }
        let (mut it, head) = Inflate::load(words.as_mut_slice(), window.as_mut_slice());
        let input = input.as_slice();
        let Progress { used, stop } = fenced!(cx, WINDOW, || it.run(input));
        cx.touches(input.as_ptr(), used, false);
        let now = it.store();
        head[..now.len()].copy_from_slice(&now);
        (used as i64, stop as i64)
    }
}
