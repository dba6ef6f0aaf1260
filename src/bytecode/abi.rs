//! Where results, parameters and the closure word of a call lie.
//!
//! A window is laid out from its first slot upwards: results in order, then the receiver and the
//! parameters in order, then the closure word. Below it lie two header words, `[fp-8]` the resume
//! pc and `[fp-16]` the caller's delta in bytes. Whatever makes a call asks this module: the
//! compiler, natives, reflection, `go`, `defer` and callbacks.
//!
//! Go: internal/abi, cmd/compile/internal/abi.

use super::func::Word;

/// Words of a window's header, below its first slot.
pub const HEADER: u32 = 2;

/// Slots of the state of a range over a map, which the VM keeps in the frame.
pub const MAP_ITER: [Word; 8] = {
    let mut words = [Word::Scalar; 8];
    words[0] = Word::Pointer;
    words[1] = Word::Pointer;
    words
};

/// A parameter or result larger than this travels as a pointer to a fresh copy.
pub const BY_REF_ABOVE: u64 = 4096;

/// Slots taken by a value of `size` bytes: rounded up to whole slots, a zero-size value takes none.
/// A value above [`BY_REF_ABOVE`] takes one, its address, when it is a parameter or result.
pub fn slots(size: u64) -> u32 {
    if size > BY_REF_ABOVE {
        1
    } else {
        size.div_ceil(8) as u32
    }
}

/// The shape of a window.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Window {
    /// First slot of each result.
    pub results: Vec<u32>,
    /// First slot of each parameter, the receiver being the first.
    pub params: Vec<u32>,
    /// The closure word's slot.
    pub closure: u32,
    /// Slots of all results, and of all parameters.
    pub n_results: u32,
    pub n_params: u32,
}

impl Window {
    /// Slots of the window without its header.
    pub fn len(&self) -> u32 {
        self.closure + 1
    }
    pub fn is_empty(&self) -> bool {
        false
    }
}

/// Lays out a window for results and parameters of the given sizes in bytes;
/// a receiver is the first parameter.
pub fn window(
    results: impl IntoIterator<Item = u64>,
    params: impl IntoIterator<Item = u64>,
) -> Window {
    let mut w = Window::default();
    let mut at = 0;
    for size in results {
        w.results.push(at);
        at += slots(size);
    }
    w.n_results = at;
    for size in params {
        w.params.push(at);
        at += slots(size);
    }
    w.n_params = at - w.n_results;
    w.closure = at;
    w
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows() {
        // func (T) (string, struct{}, int32) -> (error, int8)
        let w = window([16, 1], [12, 16, 0, 4]);
        assert_eq!(w.results, [0, 2]);
        assert_eq!(w.params, [3, 5, 7, 7]);
        assert_eq!(w.closure, 8);
        assert_eq!(w.len(), 9);
        assert_eq!(window([], [1 << 20]).n_params, 1);
    }
}
